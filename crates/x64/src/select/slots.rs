//! Stack slots: places in the frame that code has the addresses of.
//!
//! The address of a slot is a constant of the activation: loads and stores that name the `slot` itself are
//! frame-relative, every other use makes the address by `lea`. All slots are 8 bytes. The collector scans the whole stack, so
//! references in slots keep their objects.
//!
//! ```text
//! p = slot int
//! store p, n                mov [slot0], v0
//! call f(p)                 lea v1, [slot0]; parcopy rdi <- v1; call f (rdi)
//! %1 = load int, p          mov v2, [slot0]
//! ```

use super::Select;
use crate::mir::{Base, Mem, Slot};
use mini_base::ids::Id;
use mini_ir::func::{Def, Inst, Value};
use mini_ir::op::Op;

impl Select<'_> {
    /// Gives every slot of the IR that is used a place in the frame.
    pub(super) fn find_slots(&mut self) {
        let func = self.func;
        for inst in func.insts(func.entry()) {
            if func.op(inst) == Op::Slot && func.has_uses(func.result(inst)) {
                self.slots.insert(inst, Slot::new(self.mir.slots as usize));
                self.mir.slots += 1;
            }
        }
    }

    /// The slot that a value is the address of, where its definition says so.
    pub(super) fn slot_of(&self, value: Value) -> Option<Slot> {
        match self.func.def(value) {
            Def::Result(inst, _) => self.slots.get(&inst).copied(),
            Def::None | Def::BlockParam(..) | Def::FuncParam(_) | Def::Variable => None,
        }
    }

    pub(super) fn load_slot(&mut self, inst: Inst) {
        let mem = self.slot_memory(self.func.arg(inst, 0));
        self.load(inst, self.func.ty(self.func.result(inst)), mem);
    }

    pub(super) fn store_slot(&mut self, inst: Inst) {
        let (address, value) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        let mem = self.slot_memory(address);
        self.store(self.func.ty(value), mem, value);
    }

    fn slot_memory(&mut self, address: Value) -> Mem {
        match self.slot_of(address) {
            Some(slot) => mem(slot),
            None => Mem { base: Base::Reg(self.reg(address)), index: None, disp: 0 },
        }
    }
}

/// A slot as memory.
pub(super) fn mem(slot: Slot) -> Mem {
    Mem { base: Base::Slot(slot), index: None, disp: 0 }
}
