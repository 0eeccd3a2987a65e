//! Values as operands: virtual registers, immediates, memory.

use super::{Select, constant_def, defined, is_float, modified, name_of, slots, used};
use crate::code::Target;
use crate::data::code_id;
use crate::mir::{Base, Mem, Operand, Reg, Role, VReg};
use crate::op::{MOp, Size};
use crate::regs::{PReg, RegClass};
use mini_ir::func::{Imm, Inst, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;

impl Select<'_> {
    /// The virtual register of a value's web.
    pub(super) fn vreg(&mut self, value: Value) -> VReg {
        let web = self.webs.web(value);
        if let Some(vreg) = self.vregs[web] {
            return vreg;
        }
        let class = class_of(self.func.ty(value));
        let vreg = self.mir.new_vreg(class, name_of(self.func, value));
        self.vregs[web] = Some(vreg);
        vreg
    }

    /// A new virtual register for a result between instructions.
    pub(super) fn temp(&mut self, class: RegClass) -> VReg {
        self.mir.new_vreg(class, None)
    }

    /// The register of the only or first result.
    pub(super) fn result(&mut self, inst: Inst) -> VReg {
        self.vreg(self.func.result(inst))
    }

    /// Whether two values share a register.
    pub(super) fn same_web(&self, a: Value, b: Value) -> bool {
        self.webs.web(a) == self.webs.web(b)
    }

    /// Whether a value is a constant that has no register, because no block argument needs it in one.
    pub(super) fn is_made_at_uses(&self, value: Value) -> bool {
        constant_def(self.func, value).is_some() && self.webs.members(self.webs.web(value)).len() == 1
    }

    /// The bits of an int, bool, byte or null constant.
    pub(super) fn int_constant(&self, value: Value) -> Option<i64> {
        match constant_def(self.func, value)? {
            (Op::Const, Imm::Int(n)) => Some(n),
            (Op::Const, Imm::Bool(b)) => Some(i64::from(b)),
            (Op::Const, Imm::Byte(b)) => Some(i64::from(b)),
            (Op::Const, Imm::Null) => Some(0),
            _ => None,
        }
    }

    /// The same, if it fits in a sign-extended 32-bit immediate.
    pub(super) fn small_constant(&self, value: Value) -> Option<i64> {
        self.int_constant(value).filter(|&n| i32::try_from(n).is_ok())
    }

    fn float_constant(&self, value: Value) -> Option<u64> {
        match constant_def(self.func, value)? {
            (Op::Const, Imm::Float(bits)) => Some(bits),
            _ => None,
        }
    }

    fn address_constant(&self, value: Value) -> Option<Target> {
        match constant_def(self.func, value)? {
            (Op::Const, Imm::Str(id)) => Some(self.data.string(id)),
            (Op::FuncRef, Imm::Func(id)) => Some(self.data.function_value(id)),
            (Op::Code, Imm::Func(id)) => Some(Target::Function(code_id(id))),
            (Op::Static, Imm::Layout(id)) => Some(self.data.variant(id)),
            _ => None,
        }
    }

    /// A value in a register.
    pub(super) fn reg(&mut self, value: Value) -> Reg {
        if !self.is_made_at_uses(value) {
            return Reg::V(self.vreg(value));
        }
        let temp = self.temp(class_of(self.func.ty(value)));
        self.load_constant(temp, value);
        Reg::V(temp)
    }

    /// An int-class value as an immediate if it fits, else in a register.
    pub(super) fn reg_or_imm(&mut self, value: Value) -> Operand {
        match self.small_constant(value) {
            Some(n) => Operand::Imm(n),
            None => used(self.reg(value)),
        }
    }

    /// A float in memory if it is a constant, else in a register.
    pub(super) fn float_operand(&mut self, value: Value) -> Operand {
        match self.float_constant(value) {
            Some(bits) if bits != 0 => Operand::Mem(at(self.data.float(bits), 0)),
            _ => used(self.reg(value)),
        }
    }

    /// A source of a parallel copy: an immediate of any size, or a register.
    pub(super) fn copy_source(&mut self, value: Value) -> Operand {
        match self.int_constant(value) {
            Some(n) => Operand::Imm(n),
            None => used(self.reg(value)),
        }
    }

    /// Makes `d` hold a value.
    pub(super) fn load_into(&mut self, d: VReg, value: Value) {
        if self.is_made_at_uses(value) {
            return self.load_constant(d, value);
        }
        let s = self.vreg(value);
        self.move_reg(d, s);
    }

    /// `d = s`
    pub(super) fn move_reg(&mut self, d: VReg, s: VReg) {
        if d != s {
            let op = if self.mir.vregs[d].class == RegClass::Vector { MOp::Movsd } else { MOp::Mov };
            self.emit8(op, &[defined(d), used(Reg::V(s))]);
        }
    }

    /// `d = n`
    pub(super) fn load_int(&mut self, d: VReg, n: i64) {
        self.emit8(MOp::Mov, &[defined(d), Operand::Imm(n)]);
    }

    fn load_constant(&mut self, d: VReg, value: Value) {
        if let Some(n) = self.int_constant(value) {
            self.load_int(d, n);
        } else if let Some(bits) = self.float_constant(value) {
            self.load_float(d, bits);
        } else if let Some(target) = self.address_constant(value) {
            self.load_address(d, target);
        } else if let Some(slot) = self.slot_of(value) {
            self.emit8(MOp::Lea, &[defined(d), Operand::Mem(slots::mem(slot))]);
        }
    }

    fn load_float(&mut self, d: VReg, bits: u64) {
        if bits == 0 {
            self.emit8(MOp::Fzero, &[defined(d)]);
        } else {
            let mem = at(self.data.float(bits), 0);
            self.emit8(MOp::Movsd, &[defined(d), Operand::Mem(mem)]);
        }
    }

    /// `d = address of target`
    pub(super) fn load_address(&mut self, d: VReg, target: Target) {
        self.emit8(MOp::Lea, &[defined(d), Operand::Mem(at(target, 0))]);
    }

    /// A constant where it is defined: code only if a block argument wants it in its web's register.
    pub(super) fn constant(&mut self, inst: Inst) {
        let value = self.func.result(inst);
        if self.is_made_at_uses(value) {
            return;
        }
        let d = self.vreg(value);
        match self.func.op(inst) {
            // ⊥ may be anything; zero keeps runs reproducible and every register defined.
            Op::Undef if is_float(self.func.ty(value)) => self.load_float(d, 0),
            Op::Undef => self.load_int(d, 0),
            _ => self.load_constant(d, value),
        }
    }

    /// `result = value`
    pub(super) fn copy_value(&mut self, result: Value, value: Value) {
        let d = self.vreg(result);
        self.load_into(d, value);
    }

    /// `op d, b` where d starts as `a`; `b` may be the register of `d` when `d` is not that of `a`.
    pub(super) fn two_address(&mut self, op: MOp, size: Size, d: VReg, a: Value, b: Operand) {
        let in_place = !reads(b, d) || (!self.is_made_at_uses(a) && self.vreg(a) == d);
        let target = if in_place { d } else { self.temp(self.mir.vregs[d].class) };
        self.load_into(target, a);
        self.emit(op, size, crate::op::Cond::Always, &[modified(target), b]);
        self.move_reg(d, target);
    }
}

/// Whether an operand reads a register.
fn reads(operand: Operand, vreg: VReg) -> bool {
    let reg = Reg::V(vreg);
    match operand {
        Operand::Reg(r, _) => r == reg,
        Operand::Mem(mem) => mem.base == Base::Reg(reg) || mem.index.is_some_and(|(r, _)| r == reg),
        Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => false,
    }
}

/// The register class of a type.
pub(super) fn class_of(ty: Type) -> RegClass {
    if is_float(ty) { RegClass::Vector } else { RegClass::General }
}

/// Memory at a symbol.
pub(super) fn at(target: Target, disp: i32) -> Mem {
    Mem { base: Base::Target(target), index: None, disp }
}

/// A physical register, read.
pub(super) fn used_fixed(reg: PReg) -> Operand {
    Operand::Reg(Reg::P(reg), Role::Use)
}

/// A physical register, written.
pub(super) fn defined_fixed(reg: PReg) -> Operand {
    Operand::Reg(Reg::P(reg), Role::Def)
}
