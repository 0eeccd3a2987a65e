//! Comparisons: the conditions that they leave in the flags, and which are selected at their user.
//!
//! A comparison whose only use is the condition of a branch, a `select` or a `check_some` of its block makes no value: the
//! user emits it, right where it wants the flags. In between, no register that it reads may be written; since webs
//! share registers, that is checked.
//!
//! Floats: `ucomisd a, b` sets CF for a < b or unordered, ZF for equal or unordered, PF for unordered. So *above* and *above or
//! equal* are false for NaN, and `a < b` is tested as `b > a`. Equality needs ZF and PF together.

use super::{Select, defined, modified, used};
use crate::mir::{Operand, Reg};
use crate::op::{Cond, MOp, Size};
use crate::regs::RegClass;
use mini_ir::func::{Block, Def, Inst, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;

/// How far ahead a comparison looks for its user.
pub(super) const FUSION_DISTANCE: usize = 40;

/// What a comparison left in the flags.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    /// It holds if the condition does.
    One(Cond),
    /// It holds if both do.
    Both(Cond, Cond),
    /// It holds if one of them does.
    Either(Cond, Cond),
}

fn is_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Feq | Op::Fne | Op::Flt | Op::Fle | Op::Fgt | Op::Fge
    )
}

impl Select<'_> {
    /// Finds the comparisons of a block that are selected at their users.
    pub(super) fn find_fused(&mut self, block: Block) {
        let copies = self.first_trailing_copy(block);
        for inst in self.func.insts(block) {
            if is_comparison(self.func.op(inst)) && self.can_fuse(inst, copies) {
                self.fused.insert(inst);
            }
        }
    }

    fn can_fuse(&self, inst: Inst, copies: Option<Inst>) -> bool {
        let func = self.func;
        let result = func.result(inst);
        let Some(operand) = func.single_use(result) else {
            return false;
        };
        let user = func.user(operand);
        let wants_condition =
            matches!(func.op(user), Op::Branch | Op::Select | Op::CheckSome) && func.arg(user, 0) == result;
        if !wants_condition || func.inst_block(user) != func.inst_block(inst) {
            return false;
        }
        let place = match (func.op(user), copies) {
            (Op::Branch, Some(copies)) => copies,
            _ => user,
        };
        let mut next = func.next_inst(inst);
        for _ in 0..FUSION_DISTANCE {
            let Some(between) = next else { return false };
            if between == place {
                return true;
            }
            let overwrites = func.results(between).iter().any(|&r| func.args(inst).any(|a| self.same_web(a, r)));
            if overwrites {
                return false;
            }
            next = func.next_inst(between);
        }
        false
    }

    /// The first of the copies right before a conditional branch, if there are any.
    pub(super) fn first_trailing_copy(&self, block: Block) -> Option<Inst> {
        let func = self.func;
        let branch = func.terminator(block).filter(|&t| func.op(t) == Op::Branch)?;
        let mut first = None;
        let mut at = func.prev_inst(branch);
        while let Some(inst) = at.filter(|&i| matches!(func.op(i), Op::Copy | Op::ParallelCopy)) {
            first = Some(inst);
            at = func.prev_inst(inst);
        }
        first
    }

    /// Emits the comparison that makes `value`, if it was left to its user.
    pub(super) fn fused_outcome(&mut self, value: Value) -> Option<Outcome> {
        match self.func.def(value) {
            Def::Result(inst, _) if self.fused.contains(inst) => Some(self.compare(inst)),
            _ => None,
        }
    }

    /// Sets the flags for a bool.
    pub(super) fn outcome(&mut self, value: Value) -> Outcome {
        if let Some(outcome) = self.fused_outcome(value) {
            return outcome;
        }
        let reg = self.reg(value);
        self.emit(MOp::Test, Size::B4, Cond::Always, &[used(reg), used(reg)]);
        Outcome::One(Cond::Ne)
    }

    /// Sets the flags for a bool and says which condition is true of it.
    pub(super) fn condition(&mut self, value: Value) -> Cond {
        let outcome = self.outcome(value);
        self.single(outcome)
    }

    /// A comparison's result as a value.
    pub(super) fn comparison_value(&mut self, inst: Inst) {
        let outcome = self.compare(inst);
        let d = self.result(inst);
        self.set(d, outcome);
    }

    fn set(&mut self, d: crate::mir::VReg, outcome: Outcome) {
        let (op, first, second) = match outcome {
            Outcome::One(cond) => return self.emit(MOp::Set, Size::B8, cond, &[defined(d)]),
            Outcome::Both(first, second) => (MOp::And, first, second),
            Outcome::Either(first, second) => (MOp::Or, first, second),
        };
        let other = self.temp(RegClass::General);
        self.emit(MOp::Set, Size::B8, second, &[defined(other)]);
        self.emit(MOp::Set, Size::B8, first, &[defined(d)]);
        self.emit(op, Size::B4, Cond::Always, &[modified(d), used(Reg::V(other))]);
    }

    /// One condition for any outcome.
    fn single(&mut self, outcome: Outcome) -> Cond {
        match outcome {
            Outcome::One(cond) => cond,
            Outcome::Both(..) | Outcome::Either(..) => {
                let temp = self.temp(RegClass::General);
                self.set(temp, outcome); // the last instruction, `and` or `or`, leaves ZF
                Cond::Ne
            }
        }
    }

    fn compare(&mut self, inst: Inst) -> Outcome {
        let (a, b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let op = self.func.op(inst);
        match op {
            Op::Flt => self.compare_floats(b, a, Outcome::One(Cond::A)),
            Op::Fle => self.compare_floats(b, a, Outcome::One(Cond::Ae)),
            Op::Fgt => self.compare_floats(a, b, Outcome::One(Cond::A)),
            Op::Fge => self.compare_floats(a, b, Outcome::One(Cond::Ae)),
            Op::Feq => self.compare_floats(a, b, Outcome::Both(Cond::Np, Cond::E)),
            Op::Fne => self.compare_floats(a, b, Outcome::Either(Cond::P, Cond::Ne)),
            _ => Outcome::One(self.compare_ints(a, b, int_condition(op))),
        }
    }

    fn compare_floats(&mut self, a: Value, b: Value, outcome: Outcome) -> Outcome {
        let a = self.reg(a);
        let b = self.float_operand(b);
        self.emit8(MOp::Ucomisd, &[used(a), b]);
        outcome
    }

    /// `cmp a, b` in the order that suits the operands; the condition for that order.
    pub(super) fn compare_ints(&mut self, a: Value, b: Value, cond: Cond) -> Cond {
        if self.int_constant(a).is_some() && self.int_constant(b).is_none() {
            return self.compare_ints(b, a, swapped(cond));
        }
        let size = match self.func.ty(a) {
            Type::Bool | Type::Byte => Size::B4,
            Type::Int | Type::Ref | Type::Addr | Type::Float => Size::B8,
        };
        let left = self.reg(a);
        if self.int_constant(b) == Some(0) {
            self.emit(MOp::Test, size, Cond::Always, &[used(left), used(left)]);
        } else {
            let right = self.reg_or_imm(b);
            self.emit(MOp::Cmp, size, Cond::Always, &[used(left), right]);
        }
        cond
    }

    /// `cmp r, n`
    pub(super) fn compare_with(&mut self, reg: Reg, n: i64) {
        self.emit8(MOp::Cmp, &[used(reg), Operand::Imm(n)]);
    }
}

/// The condition of an int comparison. Bytes and bools are zero-extended, so that the signed ones do for them.
fn int_condition(op: Op) -> Cond {
    match op {
        Op::Eq => Cond::E,
        Op::Ne => Cond::Ne,
        Op::Lt => Cond::L,
        Op::Le => Cond::Le,
        Op::Gt => Cond::G,
        Op::Ge => Cond::Ge,
        _ => unreachable!("{} is no int comparison", op.name()),
    }
}

/// The condition for exchanged operands.
fn swapped(cond: Cond) -> Cond {
    match cond {
        Cond::L => Cond::G,
        Cond::G => Cond::L,
        Cond::Le => Cond::Ge,
        Cond::Ge => Cond::Le,
        Cond::B => Cond::A,
        Cond::A => Cond::B,
        Cond::Be => Cond::Ae,
        Cond::Ae => Cond::Be,
        Cond::E | Cond::Ne => cond,
        Cond::Always | Cond::P | Cond::Np | Cond::S | Cond::Ns | Cond::O | Cond::No => {
            unreachable!("{cond:?} is not about an order")
        }
    }
}
