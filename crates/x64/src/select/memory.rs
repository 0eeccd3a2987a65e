//! Objects, arrays, strings, globals.
//!
//! An element is addressed as `[array + index * stride + 16]`. Strides that the machine can't scale by (16, for optional
//! ints) take a shift first; constant indices go to the displacement.

use super::operands::{at, defined_fixed, used_fixed};
use super::{Select, defined, used};
use crate::code::Target;
use crate::mir::{Base, Calls, Mem, Operand, Reg, Role};
use crate::op::{Cond, MOp, Size};
use crate::regs::{PReg, RegClass};
use mini_ir::func::{Imm, Inst, Value};
use mini_ir::types::{Layout, LayoutId, Type};
use mini_prim::classes::size_class;
use mini_prim::object::{ELEMENTS_OFFSET, LENGTH_OFFSET, TAG_OFFSET};

impl Select<'_> {
    fn layout(&self, id: LayoutId) -> &Layout {
        &self.info.layouts[id]
    }

    pub(super) fn new_object(&mut self, inst: Inst) {
        let Imm::Layout(id) = self.func.imm(inst) else { unreachable!("`new` names a layout; the verifier checks it") };
        let descriptor = self.data.layout(id);
        let (_, size) = self.layout(id).offsets();
        self.mir.calls = Calls::Some;
        match size_class(size) {
            Some((class, _)) => {
                let temp = Operand::Reg(Reg::P(PReg::RCX), Role::Early);
                let operands =
                    [defined_fixed(PReg::RAX), temp, Operand::Target(descriptor), Operand::Imm(class as i64)];
                self.emit8(MOp::Alloc, &operands);
            }
            None => {
                let temp = self.temp(RegClass::General);
                self.load_address(temp, descriptor);
                self.emit8(MOp::ParallelCopy, &[defined_fixed(PReg::RDI), used(Reg::V(temp))]);
                self.call_allocator("mini_alloc_slow", &[used_fixed(PReg::RDI)]);
            }
        }
        let d = self.result(inst);
        self.emit8(MOp::ParallelCopy, &[defined(d), used_fixed(PReg::RAX)]);
        if let Layout::Struct { tag: Some(tag), .. } = self.layout(id) {
            let place = Mem { base: Base::Reg(Reg::V(d)), index: None, disp: TAG_OFFSET as i32 };
            let tag = i64::from(*tag);
            self.emit8(MOp::Mov, &[Operand::Mem(place), Operand::Imm(tag)]);
        }
    }

    pub(super) fn new_array(&mut self, inst: Inst) {
        let Imm::Layout(id) = self.func.imm(inst) else {
            unreachable!("`new_array` names a layout; the verifier checks it")
        };
        let temp = self.temp(RegClass::General);
        self.load_address(temp, self.data.layout(id));
        let length = self.copy_source(self.func.arg(inst, 0));
        let copies = [defined_fixed(PReg::RDI), used(Reg::V(temp)), defined_fixed(PReg::RSI), length];
        self.emit8(MOp::ParallelCopy, &copies);
        self.mir.calls = Calls::Some;
        self.call_allocator("mini_alloc_array", &[used_fixed(PReg::RDI), used_fixed(PReg::RSI)]);
        let d = self.result(inst);
        self.emit8(MOp::ParallelCopy, &[defined(d), used_fixed(PReg::RAX)]);
    }

    fn call_allocator(&mut self, function: &'static str, args: &[Operand]) {
        let mut operands = vec![Operand::Target(Target::Runtime(function))];
        operands.extend_from_slice(args);
        operands.push(defined_fixed(PReg::RAX));
        self.emit8(MOp::Call, &operands);
    }

    pub(super) fn load_field(&mut self, inst: Inst) {
        let (offset, ty) = self.field(inst);
        let mem = self.based(self.func.arg(inst, 0), offset);
        self.load(inst, ty, mem);
    }

    pub(super) fn store_field(&mut self, inst: Inst) {
        let (offset, ty) = self.field(inst);
        let mem = self.based(self.func.arg(inst, 0), offset);
        self.store(ty, mem, self.func.arg(inst, 1));
    }

    fn field(&self, inst: Inst) -> (i32, Type) {
        let Imm::Part(id, field) = self.func.imm(inst) else {
            unreachable!("a field access names a field; the verifier checks it")
        };
        let layout = self.layout(id);
        let ty = layout.part(field).expect("the verifier checks field numbers");
        (self.data.field_offset(id, field) as i32, ty)
    }

    pub(super) fn load_element(&mut self, inst: Inst) {
        let (array, index) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let (mem, ty) = self.element(inst, array, index);
        self.load(inst, ty, mem);
    }

    pub(super) fn store_element(&mut self, inst: Inst) {
        let (array, index) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let (mem, ty) = self.element(inst, array, index);
        self.store(ty, mem, self.func.arg(inst, 2));
    }

    fn element(&mut self, inst: Inst, array: Value, index: Value) -> (Mem, Type) {
        let Imm::Part(id, part) = self.func.imm(inst) else {
            unreachable!("an element access names a part; the verifier checks it")
        };
        let layout = self.layout(id);
        let (stride, ty) = (layout.stride(), layout.part(part).expect("the verifier checks part numbers"));
        // A flag stands behind its payload, which takes half of the element.
        let offset = ELEMENTS_OFFSET + if part == 0 { 0 } else { stride / 2 };
        (self.indexed(array, index, stride, offset as i32), ty)
    }

    /// `[base + index * stride + offset]`
    fn indexed(&mut self, base: Value, index: Value, stride: u32, offset: i32) -> Mem {
        if let Some(n) = self.int_constant(index) {
            let disp = n.checked_mul(i64::from(stride)).and_then(|n| n.checked_add(i64::from(offset)));
            if let Some(disp) = disp.and_then(|n| i32::try_from(n).ok()) {
                return self.based(base, disp);
            }
        }
        let base = Base::Reg(self.reg(base));
        let index = self.reg(index);
        match stride {
            1 | 2 | 4 | 8 => Mem { base, index: Some((index, stride as u8)), disp: offset },
            _ => {
                let shift = i64::from(stride.trailing_zeros());
                let scaled = self.temp(RegClass::General);
                self.emit8(MOp::Mov, &[defined(scaled), used(index)]);
                self.emit8(MOp::Shl, &[super::modified(scaled), Operand::Imm(shift)]);
                Mem { base, index: Some((Reg::V(scaled), 1)), disp: offset }
            }
        }
    }

    /// `[base + offset]`
    fn based(&mut self, base: Value, offset: i32) -> Mem {
        Mem { base: Base::Reg(self.reg(base)), index: None, disp: offset }
    }

    pub(super) fn load_byte(&mut self, inst: Inst) {
        let mem = self.indexed(self.func.arg(inst, 0), self.func.arg(inst, 1), 1, ELEMENTS_OFFSET as i32);
        self.load(inst, Type::Byte, mem);
    }

    pub(super) fn length(&mut self, inst: Inst) {
        let mem = self.based(self.func.arg(inst, 0), LENGTH_OFFSET as i32);
        self.load(inst, Type::Int, mem);
    }

    pub(super) fn tag(&mut self, inst: Inst) {
        let mem = self.based(self.func.arg(inst, 0), TAG_OFFSET as i32);
        self.load(inst, Type::Int, mem);
    }

    pub(super) fn load_global(&mut self, inst: Inst) {
        let (mem, ty) = self.global(inst);
        self.load(inst, ty, mem);
    }

    pub(super) fn store_global(&mut self, inst: Inst) {
        let (mem, ty) = self.global(inst);
        self.store(ty, mem, self.func.arg(inst, 0));
    }

    fn global(&self, inst: Inst) -> (Mem, Type) {
        let Imm::Global(id) = self.func.imm(inst) else {
            unreachable!("a global access names a global; the verifier checks it")
        };
        let (area, offset) = self.data.global(id);
        (at(area, offset), self.info.globals[id].ty)
    }

    pub(super) fn load(&mut self, inst: Inst, ty: Type, mem: Mem) {
        let d = self.result(inst);
        let op = match ty {
            Type::Int | Type::Ref | Type::Addr => MOp::Mov,
            Type::Float => MOp::Movsd,
            Type::Bool | Type::Byte => MOp::Movzx,
        };
        self.emit8(op, &[defined(d), Operand::Mem(mem)]);
    }

    pub(super) fn store(&mut self, ty: Type, mem: Mem, value: Value) {
        let (op, size, source) = match ty {
            Type::Int | Type::Ref | Type::Addr => (MOp::Mov, Size::B8, self.reg_or_imm(value)),
            Type::Float => (MOp::Movsd, Size::B8, used(self.reg(value))),
            Type::Bool | Type::Byte => (MOp::Mov, Size::B1, self.reg_or_imm(value)),
        };
        self.emit(op, size, Cond::Always, &[Operand::Mem(mem), source]);
    }
}
