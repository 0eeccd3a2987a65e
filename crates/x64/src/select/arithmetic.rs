//! Ints, bits, bools, conversions.

use super::operands::{defined_fixed, used_fixed};
use super::{Select, defined, is_float, modified, used};
use crate::code::Target;
use crate::mir::{Base, Mem, Operand, Reg, Role, VReg};
use crate::op::{Cond, MOp, Size};
use crate::regs::{PReg, RegClass};
use mini_ir::func::{Inst, Value};
use mini_ir::op::Op;

impl Select<'_> {
    /// `add`: `lea` where the sum with a constant goes to another register, since it saves the move.
    pub(super) fn add(&mut self, inst: Inst) {
        let (mut a, mut b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        if self.int_constant(a).is_some() {
            (a, b) = (b, a);
        }
        let d = self.result(inst);
        if let (Some(n), None) = (self.small_constant(b), self.int_constant(a)) {
            let left = self.reg(a);
            if left != Reg::V(d) {
                return self.lea(d, left, n);
            }
        }
        self.commutative(MOp::Add, Size::B8, d, a, b);
    }

    fn lea(&mut self, d: VReg, base: Reg, disp: i64) {
        let mem = Mem { base: Base::Reg(base), index: None, disp: disp as i32 };
        self.emit8(MOp::Lea, &[defined(d), Operand::Mem(mem)]);
    }

    pub(super) fn sub(&mut self, inst: Inst) {
        let (a, b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let d = self.result(inst);
        let negated = self.small_constant(b).map(|n| -n).filter(|&n| i32::try_from(n).is_ok());
        if let (Some(n), None) = (negated, self.int_constant(a)) {
            let left = self.reg(a);
            if left != Reg::V(d) {
                return self.lea(d, left, n);
            }
        }
        let b = self.reg_or_imm(b);
        self.two_address(MOp::Sub, Size::B8, d, a, b);
    }

    /// `op d, b` with d = a, or the other way round if d already is b.
    fn commutative(&mut self, op: MOp, size: Size, d: VReg, a: Value, b: Value) {
        let (mut a, mut b) = (a, b);
        let b_is_d = self.int_constant(b).is_none() && self.reg_is(b, d);
        if self.small_constant(a).is_some() || b_is_d {
            (a, b) = (b, a);
        }
        let b = self.reg_or_imm(b);
        self.two_address(op, size, d, a, b);
    }

    fn reg_is(&self, value: Value, d: VReg) -> bool {
        self.vregs[self.webs.web(value)] == Some(d)
    }

    pub(super) fn mul(&mut self, inst: Inst) {
        let (mut a, mut b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        if self.int_constant(a).is_some() {
            (a, b) = (b, a);
        }
        let d = self.result(inst);
        match self.int_constant(b) {
            Some(n) if n > 0 && n.count_ones() == 1 => {
                self.two_address(MOp::Shl, Size::B8, d, a, Operand::Imm(i64::from(n.trailing_zeros())));
            }
            Some(n @ (3 | 5 | 9)) => {
                let left = self.reg(a);
                let mem = Mem { base: Base::Reg(left), index: Some((left, n as u8 - 1)), disp: 0 };
                self.emit8(MOp::Lea, &[defined(d), Operand::Mem(mem)]);
            }
            Some(n) if i32::try_from(n).is_ok() => {
                let left = self.reg(a);
                self.emit8(MOp::Imul3, &[defined(d), used(left), Operand::Imm(n)]);
            }
            _ => {
                if self.reg_is(b, d) {
                    (a, b) = (b, a);
                }
                let b = used(self.reg(b));
                self.two_address(MOp::Imul, Size::B8, d, a, b);
            }
        }
    }

    pub(super) fn unary(&mut self, inst: Inst, op: MOp) {
        let d = self.result(inst);
        self.load_into(d, self.func.arg(inst, 0));
        self.emit8(op, &[modified(d)]);
    }

    pub(super) fn bitwise(&mut self, inst: Inst, op: MOp) {
        let d = self.result(inst);
        self.commutative(op, Size::B8, d, self.func.arg(inst, 0), self.func.arg(inst, 1));
    }

    pub(super) fn logical_not(&mut self, inst: Inst) {
        let d = self.result(inst);
        self.two_address(MOp::Xor, Size::B4, d, self.func.arg(inst, 0), Operand::Imm(1));
    }

    /// The machine takes the count modulo 64, as the language does.
    pub(super) fn shift(&mut self, inst: Inst, op: MOp) {
        let (a, count) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let d = self.result(inst);
        if let Some(n) = self.int_constant(count) {
            return match n & 63 {
                0 => self.load_into(d, a),
                n => self.two_address(op, Size::B8, d, a, Operand::Imm(n)),
            };
        }
        // If d is the register of the count, it is overwritten only when the count is in rcx.
        let source = self.copy_source(count);
        self.emit8(MOp::ParallelCopy, &[defined_fixed(PReg::RCX), source]);
        self.load_into(d, a);
        self.emit8(op, &[modified(d), used_fixed(PReg::RCX)]);
    }

    /// `neg` sets SF if the value was positive (or MIN, whose negation is itself): then take it back.
    pub(super) fn abs(&mut self, inst: Inst) {
        let a = self.reg(self.func.arg(inst, 0));
        let d = self.result(inst);
        let temp = self.temp(RegClass::General);
        self.emit8(MOp::Mov, &[defined(temp), used(a)]);
        self.emit8(MOp::Neg, &[modified(temp)]);
        self.emit(MOp::Cmov, Size::B8, Cond::S, &[modified(temp), used(a)]);
        self.move_reg(d, temp);
    }

    /// `cond` is the one under which the first operand is the result.
    pub(super) fn min_max(&mut self, inst: Inst, cond: Cond) {
        let (a, b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let d = self.result(inst);
        let (left, right) = (self.reg(a), self.reg(b));
        self.emit8(MOp::Cmp, &[used(left), used(right)]);
        self.choose(d, cond, left, right);
    }

    /// `d = cond ? yes : no`, all general registers; the flags are set.
    pub(super) fn choose(&mut self, d: VReg, cond: Cond, yes: Reg, no: Reg) {
        if yes == Reg::V(d) {
            return self.emit(MOp::Cmov, Size::B8, cond.inverse(), &[modified(d), used(no)]);
        }
        if no != Reg::V(d) {
            self.emit8(MOp::Mov, &[defined(d), used(no)]);
        }
        self.emit(MOp::Cmov, Size::B8, cond, &[modified(d), used(yes)]);
    }

    pub(super) fn select_value(&mut self, inst: Inst) {
        let (condition, a, b) = (self.func.arg(inst, 0), self.func.arg(inst, 1), self.func.arg(inst, 2));
        let d = self.result(inst);
        if is_float(self.func.ty(a)) {
            return self.select_float(condition, d, a, b);
        }
        let (yes, no) = (self.reg(a), self.reg(b));
        let cond = self.condition(condition);
        self.choose(d, cond, yes, no);
    }

    /// There is no conditional move of floats: a branch over a move.
    fn select_float(&mut self, condition: Value, d: VReg, a: Value, b: Value) {
        let (yes, no) = (self.reg(a), self.reg(b));
        let mut cond = self.condition(condition);
        let (mut first, mut second) = (yes, no);
        if second == Reg::V(d) {
            (first, second, cond) = (second, first, cond.inverse());
        }
        let (other, join) = (self.extra_block(), self.extra_block());
        if first != Reg::V(d) {
            self.emit8(MOp::Movsd, &[defined(d), used(first)]);
        }
        self.jump_if(cond, join, other);
        self.start(other);
        if second != Reg::V(d) {
            self.emit8(MOp::Movsd, &[defined(d), used(second)]);
        }
        self.jump(join);
        self.start(join);
    }

    // ---- Division ----

    pub(super) fn divide(&mut self, inst: Inst) {
        let (a, b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let op = self.func.op(inst);
        let d = self.result(inst);
        match self.int_constant(b) {
            Some(0) => {
                let temp = self.temp(RegClass::General);
                self.load_int(temp, 0);
                self.trap_if_zero(Reg::V(temp), "mini_trap_division");
                self.load_int(d, 0);
            }
            Some(1) if op == Op::Div => self.load_into(d, a),
            Some(-1) if op == Op::Div => self.negated(d, a),
            Some(1 | -1) => self.load_int(d, 0),
            Some(n) if n != i64::MIN && n.unsigned_abs().is_power_of_two() => self.divide_by_power(op, d, a, n),
            Some(_) => {
                let b = self.reg(b);
                self.divide_by_register(op, d, a, b);
            }
            None => self.divide_checked(op, d, a, b),
        }
    }

    fn negated(&mut self, d: VReg, a: Value) {
        self.load_into(d, a);
        self.emit8(MOp::Neg, &[modified(d)]);
    }

    fn divide_checked(&mut self, op: Op, d: VReg, a: Value, b: Value) {
        let divisor = self.reg(b);
        self.trap_if_zero(divisor, "mini_trap_division");
        // The machine traps on MIN / -1.
        let (normal, negative, join) = (self.extra_block(), self.extra_block(), self.extra_block());
        self.compare_with(divisor, -1);
        self.jump_if(Cond::E, negative, normal);
        self.start(normal);
        self.divide_by_register(op, d, a, divisor);
        self.jump(join);
        self.start(negative);
        match op {
            Op::Div => self.negated(d, a),
            _ => self.load_int(d, 0),
        }
        self.jump(join);
        self.start(join);
    }

    /// The divisor is neither 0 nor -1.
    fn divide_by_register(&mut self, op: Op, d: VReg, a: Value, divisor: Reg) {
        let source = self.copy_source(a);
        self.emit8(MOp::ParallelCopy, &[defined_fixed(PReg::RAX), source]);
        self.emit8(MOp::Cqo, &[defined_fixed(PReg::RDX), used_fixed(PReg::RAX)]);
        let both = |reg| Operand::Reg(Reg::P(reg), Role::Mod);
        self.emit8(MOp::Idiv, &[both(PReg::RAX), both(PReg::RDX), used(divisor)]);
        let result = if op == Op::Div { PReg::RAX } else { PReg::RDX };
        self.emit8(MOp::ParallelCopy, &[defined(d), used_fixed(result)]);
    }

    /// Division by ±2^k, k ≥ 1: a shift rounds down, so negative dividends are first raised by 2^k - 1
    /// (H. Warren, Hacker's Delight, 2013, 10-1).
    fn divide_by_power(&mut self, op: Op, d: VReg, a: Value, n: i64) {
        let k = i64::from(n.unsigned_abs().trailing_zeros());
        let left = self.reg(a);
        let raised = self.temp(RegClass::General);
        self.emit8(MOp::Mov, &[defined(raised), used(left)]);
        if k > 1 {
            self.emit8(MOp::Sar, &[modified(raised), Operand::Imm(63)]);
        }
        self.emit8(MOp::Shr, &[modified(raised), Operand::Imm(64 - k)]);
        self.emit8(MOp::Add, &[modified(raised), used(left)]);
        match op {
            Op::Div => {
                self.emit8(MOp::Sar, &[modified(raised), Operand::Imm(k)]);
                if n < 0 {
                    self.emit8(MOp::Neg, &[modified(raised)]);
                }
                self.move_reg(d, raised);
            }
            _ => {
                // The multiple of 2^k below or at it; the remainder is what is left.
                if k <= 31 {
                    self.emit8(MOp::And, &[modified(raised), Operand::Imm(-(1i64 << k))]);
                } else {
                    self.emit8(MOp::Shr, &[modified(raised), Operand::Imm(k)]);
                    self.emit8(MOp::Shl, &[modified(raised), Operand::Imm(k)]);
                }
                self.two_address(MOp::Sub, Size::B8, d, a, used(Reg::V(raised)));
            }
        }
    }

    // ---- Conversions ----

    pub(super) fn int_to_byte(&mut self, inst: Inst) {
        let a = self.reg(self.func.arg(inst, 0));
        let d = self.result(inst);
        self.emit8(MOp::Movzx, &[defined(d), used(a)]);
    }

    /// A run-time function with the traps' convention if a register is zero.
    pub(super) fn trap_if_zero(&mut self, reg: Reg, function: &'static str) {
        self.emit8(MOp::Test, &[used(reg), used(reg)]);
        self.emit(MOp::TrapIf, Size::B8, Cond::E, &[Operand::Target(Target::Runtime(function))]);
    }
}
