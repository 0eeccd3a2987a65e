//! Large functions of several kinds: the steps of the allocator grow as the function does, nearly.

use crate::allocate::{Options, Stats, Verify, allocate};
use crate::sample::{Build, change, fixed, read, write};
use mini_base::ids::Id;
use mini_x64::code::{CodeId, Target};
use mini_x64::mir::{MBlock, Mir, Operand, Role, VReg};
use mini_x64::op::{Cond, MOp};
use mini_x64::regs::{PReg, RegClass};

/// A family of functions, by size.
type Family = fn(usize) -> Mir;

const FAMILIES: [(&str, Family); 8] = [
    ("many short intervals", short),
    ("everything live at once", wide),
    ("variables set again and again", holes),
    ("many intervals inactive at once", inactive),
    ("variables across calls", calls),
    ("diamonds in a loop", diamonds),
    ("a switch", switch),
    ("nested loops", nest),
];

fn constants(build: &mut Build, count: usize) -> Vec<VReg> {
    (0..count)
        .map(|i| {
            let v = build.vreg(RegClass::General);
            build.op(MOp::Mov, &[write(v), Operand::Imm(i as i64)]);
            v
        })
        .collect()
}

fn finish(mut build: Build, variables: &[VReg]) -> Mir {
    let sum = build.vreg(RegClass::General);
    build.op(MOp::Mov, &[write(sum), Operand::Imm(0)]);
    for &v in variables {
        build.op(MOp::Add, &[change(sum), read(v)]);
    }
    build.op(MOp::ParallelCopy, &[fixed(PReg::RAX, Role::Def), read(sum)]);
    build.op(MOp::Ret, &[fixed(PReg::RAX, Role::Use)]);
    build.mir
}

fn short(n: usize) -> Mir {
    let mut build = Build::new(1, 1);
    let mut vregs = constants(&mut build, 20);
    for i in 0..n {
        let v = build.vreg(RegClass::General);
        build.op(MOp::Mov, &[write(v), read(vregs[vregs.len() - 1 - i * 7 % 20])]);
        build.op(MOp::Add, &[change(v), read(vregs[vregs.len() - 1 - i * 3 % 20])]);
        vregs.push(v);
    }
    let last = vregs[vregs.len() - 20..].to_vec();
    finish(build, &last)
}

fn wide(n: usize) -> Mir {
    let mut build = Build::new(1, 1);
    let vregs = constants(&mut build, n);
    for (i, &v) in vregs.iter().enumerate() {
        build.op(MOp::Imul, &[change(v), read(vregs[i * 7919 % n])]);
    }
    finish(build, &vregs)
}

fn holes(n: usize) -> Mir {
    let mut build = Build::new(n, 1);
    let vregs = constants(&mut build, 40);
    for block in 0..n - 1 {
        build.at(block);
        let (v, w) = (vregs[block % 40], vregs[(block + 1) % 40]);
        build.op(MOp::Cmp, &[read(v), read(w)]);
        build.op(MOp::Mov, &[write(vregs[(block + 9) % 40]), Operand::Imm(1)]);
        build.branch(Cond::L, block + 1, (block + 2).min(n - 1));
    }
    build.at(n - 1);
    finish(build, &vregs)
}

fn inactive(n: usize) -> Mir {
    let mut build = Build::new(2 * n + 1, 1);
    let vregs: Vec<VReg> = (0..n).map(|_| build.vreg(RegClass::General)).collect();
    for block in 0..2 * n {
        build.at(block);
        let v = vregs[block % n];
        build.op(MOp::Mov, &[write(v), Operand::Imm(1)]);
        build.op(MOp::Add, &[change(v), read(v)]);
        build.jump(block + 1);
    }
    build.at(2 * n);
    finish(build, &[])
}

fn calls(n: usize) -> Mir {
    let mut build = Build::new(1, 1);
    let vregs = constants(&mut build, 30);
    for i in 0..n {
        build.op(MOp::ParallelCopy, &[fixed(PReg::RDI, Role::Def), read(vregs[i * i % 30])]);
        let target = Operand::Target(Target::Function(CodeId::new(0)));
        build.op(MOp::Call, &[target, fixed(PReg::RDI, Role::Use), fixed(PReg::RAX, Role::Def)]);
        build.op(MOp::ParallelCopy, &[write(vregs[i * 11 % 30]), fixed(PReg::RAX, Role::Use)]);
    }
    finish(build, &vregs)
}

fn diamonds(n: usize) -> Mir {
    let n = n.next_multiple_of(3);
    let mut build = Build::new(n + 2, 1);
    let vregs = constants(&mut build, 30);
    build.jump(1);
    for block in (1..=n).step_by(3) {
        let v = |i: usize| vregs[(block * i) % 30];
        build.at(block);
        build.op(MOp::Cmp, &[read(v(1)), read(v(7))]);
        build.branch(Cond::L, block + 1, block + 2);
        build.at(block + 1);
        build.op(MOp::Add, &[change(v(11)), read(v(13))]);
        build.jump(block + 2);
        build.at(block + 2);
        if block + 3 <= n {
            build.jump(block + 3);
        } else {
            build.op(MOp::Cmp, &[read(v(1)), read(v(7))]);
            build.branch(Cond::L, 1, n + 1);
        }
    }
    build.at(n + 1);
    let mut mir = finish(build, &vregs);
    for block in 1..=n {
        mir.blocks[MBlock::new(block)].loop_depth = 1;
    }
    mir
}

fn switch(n: usize) -> Mir {
    let mut build = Build::new(n + 2, 1);
    let vregs = constants(&mut build, 30);
    let temporary = build.vreg(RegClass::General);
    let mut operands = vec![read(vregs[0]), Operand::Reg(mini_x64::mir::Reg::V(temporary), Role::Early)];
    operands.extend((1..=n).map(|b| Operand::Block(MBlock::new(b))));
    build.op(MOp::JumpTable, &operands);
    build.mir.blocks[MBlock::new(0)].successors = (1..=n).map(MBlock::new).collect();
    for block in 1..=n {
        build.at(block);
        build.op(MOp::Imul, &[change(vregs[block % 30]), read(vregs[block * 7 % 30])]);
        build.jump(n + 1);
    }
    build.at(n + 1);
    finish(build, &vregs)
}

/// Loops of depth five, one behind the other.
fn nest(n: usize) -> Mir {
    let n = n.next_multiple_of(10);
    let mut build = Build::new(n + 1, 1);
    let vregs = constants(&mut build, 30);
    for block in 0..n {
        build.at(block);
        let v = |i: usize| vregs[(block * i + i) % 30];
        build.op(MOp::Add, &[change(v(1)), read(v(3))]);
        if block % 10 < 5 {
            build.jump(block + 1);
        } else {
            // Closes the loop that the mirror block opens; the very first block is no header.
            let header = (block / 10 * 10 + 9 - block % 10).max(1);
            build.op(MOp::Cmp, &[read(v(7)), read(v(11))]);
            build.branch(Cond::L, header, block + 1);
        }
    }
    build.at(n);
    let mut mir = finish(build, &vregs);
    for block in 0..n {
        let place = block % 10;
        mir.blocks[MBlock::new(block)].loop_depth = 1 + place.min(9 - place) as u32;
    }
    mir
}

fn run(family: Family, n: usize, verify: Verify) -> Stats {
    allocate(&mut family(n), Options { verify, ..Options::default() })
}

#[test]
fn steps_grow_as_functions_do() {
    for (name, family) in FAMILIES {
        let small = run(family, 500, Verify::Yes);
        let large = run(family, 2000, Verify::Yes);
        assert!(large.steps <= 5 * small.steps, "{name}: {small:?} {large:?}");
        assert!(large.intervals <= 5 * small.intervals, "{name}: {small:?} {large:?}");
    }
}
