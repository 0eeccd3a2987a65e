//! Random functions in MIR, for tests.
//!
//! The functions are what selection could have made, and a bit wilder: registers set several times, loops, calls with argument and result
//! copies, divisions, shifts by cl, jump tables, traps, objects, both classes, and more variables than there are registers if asked.
//! Each variable is set in the entry block, so that no value is undefined.

use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_x64::code::{CodeId, DataId, Target};
use mini_x64::mir::{Base, Calls, MBlock, MBlockData, Mem, Mir, Operand, Reg, Role, VReg};
use mini_x64::op::{Cond, MOp, Size};
use mini_x64::regs::{FLOAT_ARGS, INT_ARGS, PReg, RegClass};

/// How big.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Blocks.
    pub blocks: usize,
    /// Variables of the general class that live throughout.
    pub general: usize,
    /// The same for the vector class.
    pub vector: usize,
    /// Instructions a block, about.
    pub insts: usize,
}

/// Builds instructions into blocks.
pub struct Build {
    /// The function.
    pub mir: Mir,
    block: MBlock,
    random: Random,
    general: Vec<VReg>,
    vector: Vec<VReg>,
}

/// A virtual register to be read.
pub fn read(v: VReg) -> Operand {
    Operand::Reg(Reg::V(v), Role::Use)
}

/// A virtual register to be written.
pub fn write(v: VReg) -> Operand {
    Operand::Reg(Reg::V(v), Role::Def)
}

/// A virtual register to be read and written.
pub fn change(v: VReg) -> Operand {
    Operand::Reg(Reg::V(v), Role::Mod)
}

/// A physical register.
pub fn fixed(reg: PReg, role: Role) -> Operand {
    Operand::Reg(Reg::P(reg), role)
}

impl Build {
    /// An empty function with so many blocks.
    pub fn new(blocks: usize, seed: u64) -> Build {
        let mut mir = Mir::new("sample".into());
        for i in 0..blocks {
            let block = mir.blocks.push(MBlockData { label: format!("b{i}"), ..MBlockData::default() });
            mir.order.push(block);
        }
        Build { mir, block: MBlock::new(0), random: Random(seed | 1), general: Vec::new(), vector: Vec::new() }
    }

    /// Goes on in another block.
    pub fn at(&mut self, block: usize) {
        self.block = MBlock::new(block);
    }

    /// Adds an instruction.
    pub fn push(&mut self, op: MOp, size: Size, cond: Cond, operands: &[Operand]) {
        let inst = self.mir.inst(op, size, cond, operands, Pos::NONE);
        self.mir.blocks[self.block].insts.push(inst);
    }

    /// Adds an instruction of 64 bits without condition.
    pub fn op(&mut self, op: MOp, operands: &[Operand]) {
        self.push(op, Size::B8, Cond::Always, operands);
    }

    /// A new register.
    pub fn vreg(&mut self, class: RegClass) -> VReg {
        self.mir.new_vreg(class, None)
    }

    fn int(&mut self) -> VReg {
        self.general[self.random.below(self.general.len())]
    }

    fn float(&mut self) -> VReg {
        self.vector[self.random.below(self.vector.len())]
    }

    /// Something to write: a variable, or a register of its own.
    fn int_target(&mut self) -> VReg {
        if self.random.once_in(3) { self.vreg(RegClass::General) } else { self.int() }
    }

    fn any_size(&mut self) -> Size {
        if self.random.once_in(4) { Size::B4 } else { Size::B8 }
    }

    fn instruction(&mut self) {
        use MOp::*;
        match self.random.below(24) {
            0..4 => {
                let (t, a, b) = (self.int_target(), self.int(), self.int());
                let op = [Add, Sub, And, Or, Xor, Imul][self.random.below(6)];
                if t == b {
                    self.op(op, &[change(t), read(a)]);
                } else {
                    let size = if op == Imul { Size::B8 } else { self.any_size() };
                    self.op(Mov, &[write(t), read(a)]);
                    self.push(op, size, Cond::Always, &[change(t), read(b)]);
                }
                if t.index() >= self.general.len() + self.vector.len() {
                    let v = self.int();
                    self.op(Add, &[change(v), read(t)]);
                }
            }
            4 => {
                let (t, value) = (self.int(), [7, -1, 1 << 40, i64::MIN][self.random.below(4)]);
                self.op(Mov, &[write(t), Operand::Imm(value)]);
            }
            5 => {
                let (t, a, b) = (self.int(), self.int(), self.int());
                let mem = Mem { base: Base::Reg(Reg::V(a)), index: Some((Reg::V(b), 4)), disp: 3 };
                self.op(Lea, &[write(t), Operand::Mem(mem)]);
            }
            6 => {
                let (t, a) = (self.int(), self.int());
                let size = self.any_size();
                self.push(Mov, size, Cond::Always, &[write(t), read(a)]);
            }
            7 => {
                let (a, b, t) = (self.int(), self.int(), self.int());
                self.op(Cmp, &[read(a), read(b)]);
                self.push(Set, Size::B8, Cond::Le, &[write(t)]);
            }
            8 => {
                let (a, b, t, s) = (self.int(), self.int(), self.int(), self.int());
                self.op(Cmp, &[read(a), read(b)]);
                self.push(Cmov, Size::B8, Cond::G, &[change(t), read(s)]);
            }
            9 => {
                let (a, b, q, r) = (self.int(), self.int(), self.int(), self.int());
                let d = self.vreg(RegClass::General);
                self.op(Mov, &[write(d), read(b)]);
                self.op(And, &[change(d), Operand::Imm(255)]);
                self.op(Or, &[change(d), Operand::Imm(1)]);
                self.op(ParallelCopy, &[fixed(PReg::RAX, Role::Def), read(a)]);
                self.op(Cqo, &[fixed(PReg::RDX, Role::Def), fixed(PReg::RAX, Role::Use)]);
                self.op(Idiv, &[fixed(PReg::RAX, Role::Mod), fixed(PReg::RDX, Role::Mod), read(d)]);
                if q == r {
                    self.op(Mov, &[write(q), fixed(PReg::RAX, Role::Use)]);
                } else {
                    self.op(
                        ParallelCopy,
                        &[write(q), fixed(PReg::RAX, Role::Use), write(r), fixed(PReg::RDX, Role::Use)],
                    );
                }
            }
            10 => {
                let (t, count) = (self.int(), self.int());
                self.op(Mov, &[fixed(PReg::RCX, Role::Def), read(count)]);
                self.op([Shl, Sar, Shr][self.random.0 as usize % 3], &[change(t), fixed(PReg::RCX, Role::Use)]);
            }
            11..14 => self.call(),
            14 => {
                let mut targets: Vec<VReg> = (0..1 + self.random.below(6)).map(|_| self.int()).collect();
                targets.sort_unstable();
                targets.dedup();
                let mut operands = Vec::new();
                for t in targets {
                    let s = self.int();
                    operands.push(write(t));
                    operands.push(if self.random.once_in(5) {
                        Operand::Imm(1 << self.random.below(60))
                    } else {
                        read(s)
                    });
                }
                self.op(ParallelCopy, &operands);
            }
            15..18 => {
                let (t, a) = (self.float(), self.float());
                self.op([Addsd, Mulsd, Subsd, Minsd][self.random.0 as usize % 4], &[change(t), read(a)]);
            }
            18 => {
                let (t, a) = (self.float(), self.float());
                self.op(Movsd, &[write(t), read(a)]);
            }
            19 => {
                let (t, a) = (self.float(), self.int());
                self.op(Cvtsi2sd, &[write(t), read(a)]);
            }
            20 => {
                let (t, a) = (self.int(), self.float());
                self.op(Movq, &[write(t), read(a)]);
            }
            21 => {
                let mut targets: Vec<VReg> = (0..1 + self.random.below(4)).map(|_| self.float()).collect();
                targets.sort_unstable();
                targets.dedup();
                let operands: Vec<Operand> = targets.into_iter().flat_map(|t| [write(t), read(self.float())]).collect();
                self.op(ParallelCopy, &operands);
            }
            22 => {
                let (a, b, c, d) = (self.int(), self.int(), self.int(), self.int());
                self.op(Cmp, &[read(a), read(b)]);
                self.push(
                    TrapIf,
                    Size::B8,
                    Cond::E,
                    &[Operand::Target(Target::Runtime("mini_trap_bounds")), read(c), read(d)],
                );
            }
            _ => {
                let (t, a) = (self.int(), self.int());
                self.op(
                    Alloc,
                    &[
                        fixed(PReg::RAX, Role::Def),
                        fixed(PReg::RCX, Role::Early),
                        Operand::Target(Target::Data(DataId::new(0))),
                        Operand::Imm(1),
                    ],
                );
                self.op(Add, &[fixed(PReg::RAX, Role::Mod), read(a)]);
                self.op(ParallelCopy, &[write(t), fixed(PReg::RAX, Role::Use)]);
            }
        }
    }

    /// A call: arguments into place, the call, the result out of its register.
    pub fn call(&mut self) {
        self.mir.calls = Calls::Some;
        let mut copies = Vec::new();
        let mut operands = Vec::new();
        let through_register = self.random.once_in(3);
        if through_register {
            let f = self.int();
            operands.push(read(f));
        } else {
            operands.push(Operand::Target(Target::Function(CodeId::new(1))));
        }
        for &reg in &INT_ARGS[..self.random.below(7)] {
            let v = self.int();
            copies.extend([fixed(reg, Role::Def), read(v)]);
            operands.push(fixed(reg, Role::Use));
        }
        if !self.vector.is_empty() {
            for n in 0..self.random.below(usize::from(FLOAT_ARGS) + 1) as u8 {
                let v = self.float();
                copies.extend([fixed(PReg::xmm(n), Role::Def), read(v)]);
                operands.push(fixed(PReg::xmm(n), Role::Use));
            }
        }
        let float = !self.vector.is_empty() && self.random.once_in(3);
        let result = if float { PReg::XMM0 } else { PReg::RAX };
        operands.push(fixed(result, Role::Def));
        if !copies.is_empty() {
            self.op(MOp::ParallelCopy, &copies);
        }
        self.op(if through_register { MOp::CallReg } else { MOp::Call }, &operands);
        let v = if float { self.float() } else { self.int_target() };
        if !self.random.once_in(6) {
            self.op(MOp::ParallelCopy, &[write(v), fixed(result, Role::Use)]);
        }
    }

    /// Ends the block: a conditional jump and another.
    pub fn branch(&mut self, cond: Cond, then: usize, otherwise: usize) {
        self.push(MOp::Jcc, Size::B8, cond, &[Operand::Block(MBlock::new(then))]);
        self.op(MOp::Jmp, &[Operand::Block(MBlock::new(otherwise))]);
        self.mir.blocks[self.block].successors = vec![MBlock::new(then)];
        if then != otherwise {
            self.mir.blocks[self.block].successors.push(MBlock::new(otherwise));
        }
    }

    /// Ends the block with three ways out.
    fn three_ways(&mut self, equal: usize, less: usize, greater: usize) {
        self.push(MOp::Jcc, Size::B8, Cond::E, &[Operand::Block(MBlock::new(equal))]);
        self.branch(Cond::L, less, greater);
        if equal != less && equal != greater {
            self.mir.blocks[self.block].successors.push(MBlock::new(equal));
        }
    }

    /// Ends the block with a jump.
    pub fn jump(&mut self, to: usize) {
        self.op(MOp::Jmp, &[Operand::Block(MBlock::new(to))]);
        self.mir.blocks[self.block].successors = vec![MBlock::new(to)];
    }

    fn table(&mut self, targets: &[usize]) {
        let (index, v) = (self.vreg(RegClass::General), self.int());
        self.op(MOp::Mov, &[write(index), read(v)]);
        self.op(MOp::And, &[change(index), Operand::Imm(targets.len() as i64 - 1)]);
        let temporary = self.vreg(RegClass::General);
        let mut operands = vec![read(index), Operand::Reg(Reg::V(temporary), Role::Early)];
        operands.extend(targets.iter().map(|&t| Operand::Block(MBlock::new(t))));
        self.op(MOp::JumpTable, &operands);
        let mut successors: Vec<MBlock> = targets.iter().map(|&t| MBlock::new(t)).collect();
        successors.sort_unstable();
        successors.dedup();
        self.mir.blocks[self.block].successors = successors;
    }

    /// Returns the sum of all variables.
    fn leave(&mut self) {
        let sum = self.vreg(RegClass::General);
        self.op(MOp::Mov, &[write(sum), Operand::Imm(0)]);
        for v in self.general.clone() {
            self.op(MOp::Add, &[change(sum), read(v)]);
        }
        for v in self.vector.clone() {
            let bits = self.vreg(RegClass::General);
            self.op(MOp::Movq, &[write(bits), read(v)]);
            self.op(MOp::Xor, &[change(sum), read(bits)]);
        }
        self.op(MOp::ParallelCopy, &[fixed(PReg::RAX, Role::Def), read(sum)]);
        self.op(MOp::Ret, &[fixed(PReg::RAX, Role::Use)]);
    }
}

/// A random function. Every block but the last goes on to the next or a later one or, by a conditional jump, back.
pub fn sample(seed: u64, shape: Shape) -> Mir {
    let mut build = Build::new(shape.blocks, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    build.general = (0..shape.general).map(|_| build.vreg(RegClass::General)).collect();
    build.vector = (0..shape.vector).map(|_| build.vreg(RegClass::Vector)).collect();
    // The parameters; then everything else gets a value.
    let mut copies = Vec::new();
    for (&v, &reg) in build.general.iter().zip(&INT_ARGS) {
        copies.extend([write(v), fixed(reg, Role::Use)]);
    }
    for (n, &v) in build.vector.iter().take(usize::from(FLOAT_ARGS)).enumerate() {
        copies.extend([write(v), fixed(PReg::xmm(n as u8), Role::Use)]);
    }
    build.op(MOp::ParallelCopy, &copies);
    for (i, v) in build.general.clone().into_iter().enumerate().skip(INT_ARGS.len()) {
        build.op(MOp::Mov, &[write(v), Operand::Imm(i as i64 * 0x1234_5678_9ABC)]);
    }
    for v in build.vector.clone().into_iter().skip(usize::from(FLOAT_ARGS)) {
        build.op(MOp::Fzero, &[write(v)]);
    }
    for block in 0..shape.blocks {
        build.at(block);
        for _ in 0..build.random.below(2 * shape.insts + 1) {
            build.instruction();
        }
        if block + 1 == shape.blocks {
            build.leave();
            continue;
        }
        let next = block + 1;
        let later = next + build.random.below((shape.blocks - next).min(6));
        match build.random.below(8) {
            0..2 => build.jump(next),
            2 => {
                let mut targets = [next, later, next, later];
                targets[0] = next + build.random.below(shape.blocks - next);
                build.table(&targets);
            }
            3..5 => {
                // Back, into a loop; to the entry only from itself, since it sets all variables.
                let header = (block - build.random.below(block.min(8) + 1)).max(1);
                let (a, b) = (build.int(), build.int());
                build.op(MOp::Cmp, &[read(a), read(b)]);
                build.branch(Cond::L, header, next);
            }
            _ => {
                let (a, b) = (build.int(), build.int());
                build.op(MOp::Cmp, &[read(a), read(b)]);
                if build.random.once_in(3) {
                    let third = next + build.random.below(shape.blocks - next);
                    build.three_ways(third, next, later);
                } else {
                    build.branch(Cond::Ge, next, later);
                }
            }
        }
    }
    let mut mir = build.mir;
    keep_reachable(&mut mir);
    set_depths(&mut mir);
    mir
}

/// Leaves blocks out of the order that nothing reaches.
fn keep_reachable(mir: &mut Mir) {
    let mut seen: IdVec<MBlock, bool> = IdVec::filled(false, mir.blocks.len());
    let mut work = vec![mir.order[0]];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            work.extend(&mir.blocks[block].successors);
        }
    }
    mir.order.retain(|&block| seen[block]);
}

/// A jump back makes a loop of all blocks in between: near enough.
fn set_depths(mir: &mut Mir) {
    for i in 0..mir.order.len() {
        let block = mir.order[i];
        for successor in mir.blocks[block].successors.clone() {
            if successor <= block {
                for inner in mir.order.clone() {
                    if successor <= inner && inner <= block {
                        mir.blocks[inner].loop_depth += 1;
                    }
                }
            }
        }
    }
}
