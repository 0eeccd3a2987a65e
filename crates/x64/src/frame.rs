//! The frame of a function on the stack.
//!
//! *In:* a function with registers. *Out:* a [`Frame`]. *Cost:* linear in the operands.
//!
//! ```text
//!        stack arguments             Base::Incoming
//!        return address
//!        saved registers             pushed first, in ascending order
//!        padding
//!        slots                       Base::Slot
//! rsp -> outgoing arguments          Base::Outgoing
//! ```
//!
//! The stack pointer does not move in the body, so that `Code::frame_size` says from any return address where the next one is. It is a
//! multiple of 16 wherever something is called, traps and slow paths of allocations too.

use crate::mir::{Base, Calls, Mem, Mir, Reg, Role};
use crate::op::MOp;
use crate::regs::{CALLEE_SAVED, PRegSet};
use mini_base::ids::Id;

/// Bytes that may lie between two touched places of the stack: the page size, which the guard region is a multiple of.
pub(crate) const PAGE: u32 = 4096;

/// Where things are in the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Registers that the function saves, since it changes them and the caller wants them back.
    pub saved: PRegSet,
    /// Bytes below the saved registers.
    pub local: u32,
    /// Bytes between the stack pointer in the body and the return address.
    pub size: u32,
    outgoing: u32,
}

impl Frame {
    /// Lays out the frame of a function.
    pub fn new(mir: &Mir) -> Frame {
        let (written, calls) = survey(mir);
        let saved = written.intersection(CALLEE_SAVED);
        let pushed = 8 * saved.iter().count() as u32;
        let outgoing = mir.outgoing.next_multiple_of(8);
        let mut local = outgoing + 8 * mir.slots;
        if calls == Calls::Some && !(8 + pushed + local).is_multiple_of(16) {
            local += 8;
        }
        Frame { saved, local, size: pushed + local, outgoing }
    }

    /// The distance from the stack pointer of a place in memory that is based on the frame; `None` if it is not.
    pub(crate) fn offset(&self, mem: &Mem) -> Option<i32> {
        match mem.base {
            Base::Slot(slot) => Some(self.outgoing as i32 + 8 * slot.index() as i32 + mem.disp),
            Base::Outgoing => Some(mem.disp),
            Base::Incoming => Some(self.size as i32 + 8 + mem.disp),
            Base::None | Base::Reg(_) | Base::Target(_) => None,
        }
    }
}

/// The registers that a function writes, and whether it calls anything at all.
fn survey(mir: &Mir) -> (PRegSet, Calls) {
    let mut written = PRegSet::EMPTY;
    let mut calls = mir.calls;
    for inst in mir.order.iter().flat_map(|&b| &mir.blocks[b].insts) {
        if matches!(inst.op, MOp::Call | MOp::CallReg | MOp::TrapIf | MOp::Trap | MOp::Alloc) {
            calls = Calls::Some;
        }
        mir.for_each_reg(inst, |reg, role| match (reg, role) {
            (Reg::P(reg), Role::Def | Role::Mod | Role::Early) => written = written.with(reg),
            (Reg::P(_), Role::Use) | (Reg::V(_), _) => {}
        });
    }
    (written, calls)
}
