//! Executes MIR, with virtual registers or without, for tests: what it computes must not depend on the allocator.
//!
//! Mutants may have any operation: those that the samples lack are oracles too, a number that depends on what they read; memory beside
//! the slots is one.
//!
//! Calls and objects are oracles: what they return depends on what they were given only. A call leaves rubbish in the
//! registers that it may change, and so do the scratch registers look at the start of every instruction that existed before.

use mini_base::ids::Id;
use mini_x64::mir::{Base, MInst, Mem, Mir, Operand, Reg, Role};
use mini_x64::op::{Cond, Flags, MOp, Size};
use mini_x64::regs::{PReg, RegClass};
use rustc_hash::FxHashMap;

/// What is to be seen from outside.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Seen {
    /// Arguments of calls, traps and the result, in order.
    pub trace: Vec<Vec<u64>>,
    /// Conditional jumps taken or not, and tables.
    pub branches: usize,
    /// Whether it was stopped for going round without a conditional jump.
    pub stopped: bool,
}

struct Machine {
    fixed: [u64; 32],
    virtuals: Vec<u64>,
    slots: FxHashMap<usize, u64>,
    compared: (i64, i64),
    rubbish: u64,
    seen: Seen,
}

/// Runs a function for at most so many branches.
pub fn execute(mir: &Mir, branches: usize) -> Seen {
    let mut machine = Machine {
        fixed: std::array::from_fn(|i| (i as u64 + 3).wrapping_mul(0x1111_2222_3333)),
        virtuals: vec![0xDEAD; mir.vregs.len()],
        slots: FxHashMap::default(),
        compared: (0, 0),
        rubbish: 1,
        seen: Seen::default(),
    };
    let mut block = mir.order[0];
    let mut jumps = 0;
    'blocks: loop {
        jumps += 1;
        if jumps > 100 * (branches + 10) {
            machine.seen.stopped = true;
            return machine.seen;
        }
        for inst in &mir.blocks[block].insts {
            let ops = mir.operands(inst);
            let mut target = None;
            match inst.op {
                MOp::Jmp => target = Some(0),
                MOp::Jcc => {
                    machine.seen.branches += 1;
                    if machine.seen.branches > branches {
                        return machine.seen;
                    }
                    target = machine.holds(inst.cond).then_some(0);
                }
                MOp::JumpTable => {
                    let index = machine.get(&ops[0]);
                    machine.set(&ops[1], 0xBAD);
                    // Selection sees to it that the index is in range.
                    target = Some(2 + index as usize % (ops.len() - 2));
                }
                MOp::Ret => {
                    machine.see(inst, ops);
                    return machine.seen;
                }
                MOp::TrapIf | MOp::Trap => {
                    if inst.op == MOp::Trap || machine.holds(inst.cond) {
                        machine.see(inst, ops);
                    }
                    if inst.op == MOp::Trap {
                        return machine.seen;
                    }
                }
                _ => machine.step(inst, ops),
            }
            if let Some(target) = target {
                let Operand::Block(to) = ops[target] else { panic!("jumps to a block") };
                block = to;
                continue 'blocks;
            }
        }
        panic!("a block has an end");
    }
}

impl Machine {
    fn reg(&mut self, reg: Reg) -> &mut u64 {
        match reg {
            Reg::P(preg) => &mut self.fixed[preg.0 as usize],
            Reg::V(vreg) => &mut self.virtuals[vreg.index()],
        }
    }

    fn address(&mut self, mem: &Mem) -> u64 {
        let base = match mem.base {
            Base::Reg(reg) => *self.reg(reg),
            _ => 0,
        };
        let index = mem.index.map_or(0, |(reg, scale)| self.reg(reg).wrapping_mul(u64::from(scale)));
        base.wrapping_add(index).wrapping_add(mem.disp as u64)
    }

    /// What is read: a register, a constant, a slot, or memory, where the value goes by the address.
    fn get(&mut self, operand: &Operand) -> u64 {
        match operand {
            Operand::Reg(reg, _) => *self.reg(*reg),
            Operand::Imm(value) => *value as u64,
            Operand::Mem(Mem { base: Base::Slot(slot), index: None, disp: 0 }) => {
                self.slots.get(&slot.index()).copied().unwrap_or(0xBEEF)
            }
            Operand::Mem(mem) => self.address(mem).wrapping_mul(0x9E37_79B9_7F4A_7C15),
            Operand::Block(_) | Operand::Target(_) => 0,
        }
    }

    fn set(&mut self, operand: &Operand, value: u64) {
        match operand {
            Operand::Reg(reg, _) => *self.reg(*reg) = value,
            Operand::Mem(Mem { base: Base::Slot(slot), index: None, disp: 0 }) => {
                self.slots.insert(slot.index(), value);
            }
            Operand::Mem(mem) => {
                let address = self.address(mem);
                self.seen.trace.push(vec![address, value]);
            }
            Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => panic!("not to be written: {operand:?}"),
        }
    }

    fn holds(&self, cond: Cond) -> bool {
        let (a, b) = self.compared;
        match cond {
            Cond::E => a == b,
            Cond::L => a < b,
            Cond::Le => a <= b,
            Cond::G => a > b,
            Cond::Ge => a >= b,
            Cond::Ne => a != b,
            Cond::B => (a as u64) < b as u64,
            Cond::Be => a as u64 <= b as u64,
            Cond::A => a as u64 > b as u64,
            Cond::Ae => a as u64 >= b as u64,
            Cond::S => a.wrapping_sub(b) < 0,
            Cond::Ns => a.wrapping_sub(b) >= 0,
            Cond::P | Cond::O => (a ^ b) & 1 == 0,
            Cond::Np | Cond::No => (a ^ b) & 1 != 0,
            Cond::Always => true,
        }
    }

    /// Records what an instruction hands out; a number that depends on all of it.
    fn see(&mut self, inst: &MInst, ops: &[Operand]) -> u64 {
        let values: Vec<u64> = ops
            .iter()
            .filter(|o| matches!(o, Operand::Reg(_, Role::Use) | Operand::Mem(_) | Operand::Imm(_)))
            .map(|o| self.get(o))
            .collect();
        let hash = values
            .iter()
            .fold(inst.op as u64, |h, v| h.rotate_left(5).wrapping_add(*v).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.seen.trace.push(values);
        hash
    }

    /// Any operation: what it writes depends on all that it reads, and so do the flags if it sets them.
    fn oracle(&mut self, inst: &MInst, ops: &[Operand]) {
        let mut hash = inst.op as u64 + 7;
        for operand in ops.iter().filter(|o| !matches!(o, Operand::Reg(_, Role::Def | Role::Early))) {
            hash = hash.rotate_left(9).wrapping_add(self.get(operand)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        match inst.op.info().flags {
            Flags::Reads => hash ^= u64::from(self.holds(inst.cond)),
            Flags::Sets => self.compared = (hash as i64, 1 << 40),
            Flags::Keeps | Flags::Clobbers => {}
        }
        for (n, operand) in ops.iter().enumerate() {
            let written = match operand {
                Operand::Reg(_, role) => *role != Role::Use,
                Operand::Mem(_) => n == 0 && matches!(inst.op, MOp::Neg | MOp::Not),
                Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => false,
            };
            if written {
                hash = hash.wrapping_mul(3);
                self.set(operand, hash);
            }
        }
    }

    fn step(&mut self, inst: &MInst, ops: &[Operand]) {
        use MOp::*;
        let float = f64::from_bits;
        let cut = |value: u64| {
            if inst.size == Size::B4 { u64::from(value as u32) } else { value }
        };
        match inst.op {
            Mov => {
                let memory = matches!(ops[0], Operand::Mem(_));
                if let (true, Operand::Imm(value)) = (memory, &ops[1]) {
                    assert!(i32::try_from(*value).is_ok(), "no such constant to memory");
                }
                let in_slot = matches!(ops[0], Operand::Mem(Mem { base: Base::Slot(_), .. }));
                assert!(!(in_slot && inst.size == Size::B4), "half a slot");
                let value = self.get(&ops[1]);
                self.set(&ops[0], cut(value));
            }
            Movsd | Movq => {
                let value = self.get(&ops[1]);
                self.set(&ops[0], value);
            }
            Lea => {
                let Operand::Mem(mem) = &ops[1] else { panic!("an address") };
                let value = self.address(mem);
                self.set(&ops[0], value);
            }
            Add | Sub | And | Or | Xor | Imul | Shl | Sar | Shr | Addsd | Subsd | Mulsd | Minsd => {
                let (a, b) = (self.get(&ops[0]), self.get(&ops[1]));
                let value = match inst.op {
                    Add => cut(a.wrapping_add(b)),
                    Sub => cut(a.wrapping_sub(b)),
                    And => cut(a & b),
                    Or => cut(a | b),
                    Xor => cut(a ^ b),
                    Imul => cut(a.wrapping_mul(b)),
                    Shl => a << (b & 63),
                    Sar => ((a as i64) >> (b & 63)) as u64,
                    Shr => a >> (b & 63),
                    // Any function of the two will do; the payloads of NaNs are not the point here.
                    Addsd => ((float(a) + float(b)).to_bits() & !(1 << 63)).rotate_left(1) ^ a,
                    Subsd => a.wrapping_sub(b.rotate_left(7)),
                    Mulsd => a.wrapping_mul(b | 1),
                    _ => a.min(b),
                };
                self.set(&ops[0], value);
            }
            Cmp => self.compared = (self.get(&ops[0]) as i64, self.get(&ops[1]) as i64),
            Set => {
                let value = u64::from(self.holds(inst.cond));
                self.set(&ops[0], value);
            }
            Cmov => {
                if self.holds(inst.cond) {
                    let value = self.get(&ops[1]);
                    self.set(&ops[0], value);
                }
            }
            Fzero => self.set(&ops[0], 0),
            Cvtsi2sd => {
                let value = (self.get(&ops[1]) as i64 as f64).to_bits();
                self.set(&ops[0], value);
            }
            Cqo => {
                let value = ((self.get(&ops[1]) as i64) >> 63) as u64;
                self.set(&ops[0], value);
            }
            Idiv => {
                let (a, high, b) = (self.get(&ops[0]) as i64, self.get(&ops[1]), self.get(&ops[2]) as i64);
                // A divisor of zero, and a dividend that is not sign-extended, give something, too.
                let other = high ^ (a >> 63) as u64;
                self.set(&ops[0], a.checked_div(b).unwrap_or(a) as u64 ^ other);
                self.set(&ops[1], a.checked_rem(b).unwrap_or(a) as u64 ^ other);
            }
            ParallelCopy => {
                let values: Vec<u64> = ops.chunks(2).map(|pair| self.get(&pair[1])).collect();
                for (pair, value) in ops.chunks(2).zip(values) {
                    self.set(&pair[0], value);
                }
            }
            Alloc => {
                let hash = self.see(inst, ops);
                self.set(&ops[1], 0xBAD);
                self.set(&ops[0], hash);
            }
            Call | CallReg => {
                let hash = self.see(inst, ops);
                for preg in inst.op.clobbers().iter() {
                    self.rubbish = self.rubbish.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    self.fixed[preg.0 as usize] = self.rubbish;
                }
                for operand in ops {
                    if let Operand::Reg(Reg::P(result), Role::Def) = operand {
                        let small = if result.class() == RegClass::General { 0xFFFF } else { u64::MAX };
                        self.fixed[result.0 as usize] = hash & small;
                    }
                }
            }
            _ => self.oracle(inst, ops),
        }
        let is_move = matches!(inst.op, Mov | Movsd | Movq);
        if !is_move {
            for reg in [PReg::R11, PReg::xmm(15)] {
                self.fixed[reg.0 as usize] = 0xBAD0_BAD0;
            }
        }
    }
}
