//! The allocator without cleverness: every virtual register lives in a slot of its own.
//!
//! *In:* a function in MIR. *Out:* an [`Allocation`]: each instruction loads what it reads from the slots into registers that
//! are free just there, and stores what it wrote behind it. *Cost:* linear. *Leaves:* everything: this is the measure for
//! `linear_scan`, and the one to be trusted when they differ.
//!
//! Parallel copies and traps take their operands from the slots themselves, since they may have more operands than there are registers.
//!
//! ```text
//! add v1, v2        mov rax, [slot0]; mov rcx, [slot1]; add rax, rcx; mov [slot0], rax
//! ```

use crate::allocation::{Access, Allocation, Loc, Move, Point, Side, for_each_access};
use crate::fixed::Fixed;
use crate::numbering::Numbering;
use crate::registers::Pool;
use mini_base::ids::{Id, IdVec};
use mini_x64::mir::{Mir, Role, Slot, VReg};
use mini_x64::regs::{PReg, RegClass};
use smallvec::SmallVec;

/// Allocates.
pub fn plan(mir: &Mir, numbering: &Numbering, pool: &Pool) -> Allocation {
    let fixed = Fixed::new(mir, numbering);
    let mut allocation = Allocation { slots: mir.slots, ..Allocation::default() };
    let mut slots: IdVec<VReg, Option<Slot>> = IdVec::filled(None, mir.vregs.len());
    allocation.first_operand.push(0);
    for index in 0..numbering.len() as u32 {
        let block = numbering.block_of[index as usize];
        let inst = &mir.blocks[block].insts[(index - numbering.first[block]) as usize];
        let read = numbering.read(index);
        let clobbers = inst.op.clobbers();
        let mut taken: SmallVec<[(VReg, PReg); 4]> = SmallVec::new();
        let mut stored: SmallVec<[VReg; 2]> = SmallVec::new();
        let mut loaded: SmallVec<[VReg; 4]> = SmallVec::new();
        for_each_access(mir, inst, |vreg, role, access| {
            let slot = *slots[vreg].get_or_insert_with(|| {
                allocation.slots += 1;
                Slot::new(allocation.slots as usize - 1)
            });
            if access == Access::Either {
                allocation.operands.push(Loc::Slot(slot));
                return;
            }
            let known = taken.iter().find(|&&(other, _)| other == vreg).map(|&(_, reg)| reg);
            let reg = known.unwrap_or_else(|| {
                let free = |reg: &PReg| {
                    !clobbers.contains(*reg)
                        && !fixed.is_taken(*reg, read, read + 2)
                        && taken.iter().all(|(_, other)| other != reg)
                };
                let class = mir.vregs[vreg].class;
                // Only calls change registers on the side, and they read general registers only.
                debug_assert!(clobbers.is_empty() || class == RegClass::General);
                let reg = pool.order(class).iter().copied().find(free);
                let reg = reg.expect("no instruction takes all registers of a class");
                taken.push((vreg, reg));
                reg
            });
            allocation.operands.push(Loc::Reg(reg));
            // Nothing may come between the jumps of a block.
            let inst = index.min(numbering.jumps[block]);
            let moves = |to, from, side| (Point { inst, side }, Move { to, from, vreg });
            if matches!(role, Role::Use | Role::Mod) && !loaded.contains(&vreg) {
                loaded.push(vreg);
                allocation.moves.push(moves(Loc::Reg(reg), Loc::Slot(slot), Side::Before));
            }
            // What a jump sets is a temporary of its own.
            let sets = matches!(role, Role::Def | Role::Mod | Role::Early) && index < numbering.jumps[block];
            if sets && !stored.contains(&vreg) {
                stored.push(vreg);
                allocation.moves.push(moves(Loc::Slot(slot), Loc::Reg(reg), Side::After));
            }
        });
        allocation.first_operand.push(allocation.operands.len() as u32);
    }
    allocation.entry = crate::live::Live::new(mir, numbering)
        .at_entry(numbering)
        .iter()
        .filter_map(|&vreg| slots[vreg].map(|slot| (vreg, Loc::Slot(slot))))
        .collect();
    allocation.sort();
    allocation
}
