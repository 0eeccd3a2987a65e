//! Float arithmetic, and the conversions between floats and ints.

use super::operands::at;
use super::{Select, defined, modified, used};
use crate::code::Target;
use crate::mir::{Operand, Reg, VReg};
use crate::op::{Cond, MOp, Size};
use crate::regs::RegClass;
use mini_ir::func::Inst;
use mini_prim::math::NAN_BITS;

/// `roundsd`: towards minus infinity, without the precision exception.
pub(super) const DOWN: i64 = 9;
/// Towards plus infinity.
pub(super) const UP: i64 = 10;
/// Towards zero.
pub(super) const TO_ZERO: i64 = 11;

/// The bits of 2^63.
const TWO_TO_63: i64 = 0x43e0_0000_0000_0000;

impl Select<'_> {
    /// Also `minsd` and `maxsd`: they give the second operand unless the first is less (greater), NaN or not, as the language does.
    pub(super) fn float_binary(&mut self, inst: Inst, op: MOp) {
        let (mut a, mut b) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let d = self.result(inst);
        if self.func.op(inst).commutes() && self.vregs[self.webs.web(b)] == Some(d) {
            (a, b) = (b, a);
        }
        let b = self.float_operand(b);
        self.two_address(op, Size::B8, d, a, b);
    }

    pub(super) fn float_mask(&mut self, inst: Inst, op: MOp, mask: Target) {
        let d = self.result(inst);
        self.load_into(d, self.func.arg(inst, 0));
        self.emit8(op, &[modified(d), Operand::Mem(at(mask, 0))]);
    }

    pub(super) fn square_root(&mut self, inst: Inst) {
        let a = self.float_operand(self.func.arg(inst, 0));
        let d = self.result(inst);
        self.emit8(MOp::Sqrtsd, &[defined(d), a]);
    }

    pub(super) fn round(&mut self, inst: Inst, mode: i64) {
        let a = self.float_operand(self.func.arg(inst, 0));
        let d = self.result(inst);
        self.emit8(MOp::Roundsd, &[defined(d), a, Operand::Imm(mode)]);
    }

    /// `cvtsi2sd` keeps the upper half of its destination, and so waits for what wrote it last; zeroing breaks that.
    pub(super) fn int_to_float(&mut self, inst: Inst) {
        let a = self.reg(self.func.arg(inst, 0));
        let d = self.result(inst);
        self.emit8(MOp::Fzero, &[defined(d)]);
        self.emit8(MOp::Cvtsi2sd, &[modified(d), used(a)]);
    }

    /// `cvttsd2si` gives MIN for NaN and whatever is out of range. That is right below the range; 0 and MAX are put
    /// right in a block of their own. `cmp d, 1` overflows for MIN alone.
    pub(super) fn float_to_int(&mut self, inst: Inst) {
        let a = self.reg(self.func.arg(inst, 0));
        let d = self.result(inst);
        let (repair, join) = (self.extra_block(), self.extra_block());
        self.emit8(MOp::Cvttsd2si, &[defined(d), used(a)]);
        self.compare_with(Reg::V(d), 1);
        self.jump_if(Cond::O, repair, join);
        self.start(repair);
        self.repair_conversion(d, a);
        self.jump(join);
        self.start(join);
    }

    fn repair_conversion(&mut self, d: VReg, a: Reg) {
        let (bits, limit) = (self.temp(RegClass::General), self.temp(RegClass::Vector));
        self.load_int(bits, TWO_TO_63);
        self.emit8(MOp::Movq, &[defined(limit), used(Reg::V(bits))]);
        let (most, zero) = (self.temp(RegClass::General), self.temp(RegClass::General));
        self.load_int(most, i64::MAX);
        self.load_int(zero, 0);
        self.emit8(MOp::Ucomisd, &[used(a), used(Reg::V(limit))]);
        self.emit(MOp::Cmov, Size::B8, Cond::Ae, &[modified(d), used(Reg::V(most))]);
        self.emit8(MOp::Ucomisd, &[used(a), used(a)]);
        self.emit(MOp::Cmov, Size::B8, Cond::P, &[modified(d), used(Reg::V(zero))]);
    }

    /// All NaNs look the same.
    pub(super) fn float_to_bits(&mut self, inst: Inst) {
        let a = self.reg(self.func.arg(inst, 0));
        let d = self.result(inst);
        let nan = self.temp(RegClass::General);
        self.load_int(nan, NAN_BITS);
        self.emit8(MOp::Movq, &[defined(d), used(a)]);
        self.emit8(MOp::Ucomisd, &[used(a), used(a)]);
        self.emit(MOp::Cmov, Size::B8, Cond::P, &[modified(d), used(Reg::V(nan))]);
    }

    pub(super) fn bits_to_float(&mut self, inst: Inst) {
        let a = self.reg(self.func.arg(inst, 0));
        let d = self.result(inst);
        self.emit8(MOp::Movq, &[defined(d), used(a)]);
    }
}
