//! Rules 10, 16, 18 and 19: what is read was set before, on every way.

use super::{Rule, Verifier};
use crate::mir::{MBlock, MInst, Reg, Role, VReg};
use crate::regs::{ENV, FLOAT_ARGS, INT_ARGS, PReg, PRegSet};
use mini_base::ids::IdVec;
use mini_base::lists::Lists;

/// The registers that hold something at the entry.
fn at_entry() -> PRegSet {
    INT_ARGS.iter().copied().chain((0..FLOAT_ARGS).map(PReg::xmm)).chain([ENV]).fold(PRegSet::EMPTY, PRegSet::with)
}

/// What an instruction does with physical registers.
struct Touched {
    read: PRegSet,
    written: PRegSet,
    spoilt: PRegSet,
}

impl Touched {
    /// The registers that hold something behind the instruction.
    fn behind(&self, set: PRegSet) -> PRegSet {
        PRegSet(set.0 & !self.spoilt.0).union(self.written)
    }
}

impl Verifier<'_> {
    // ---- Rules 10 and 19 ----

    pub(super) fn fixed_ranges(&mut self, block: MBlock, rank: usize) {
        let set = if rank == 0 { at_entry() } else { PRegSet::EMPTY };
        self.read_what_is_set(block, set, Rule::FixedRanges);
    }

    /// The greatest solution of: a register is set at the start of a block if it is at the end of all blocks before it.
    pub(super) fn registers(&mut self) {
        let mir = self.mir;
        // Everything, until a way shows less.
        let mut at_start: IdVec<MBlock, PRegSet> = IdVec::filled(PRegSet(u32::MAX), mir.blocks.len());
        at_start[mir.order[0]] = at_entry();
        let mut work: Vec<MBlock> = mir.order.iter().rev().copied().collect();
        while let Some(block) = work.pop() {
            let at_end =
                mir.blocks[block].insts.iter().fold(at_start[block], |set, inst| self.touched(inst).behind(set));
            for &next in &mir.blocks[block].successors {
                let less = at_start[next].intersection(at_end);
                if std::mem::replace(&mut at_start[next], less) != less {
                    work.push(next);
                }
            }
        }
        for &block in &mir.order {
            self.read_what_is_set(block, at_start[block], Rule::Registers);
        }
    }

    fn read_what_is_set(&mut self, block: MBlock, mut set: PRegSet, rule: Rule) {
        let mir = self.mir;
        for (n, inst) in mir.blocks[block].insts.iter().enumerate() {
            self.place = format!("{}[{n}] {}", mir.blocks[block].label, inst.op.info().name);
            let touched = self.touched(inst);
            for reg in touched.read.iter() {
                self.require(set.contains(reg), rule, || format!("{reg} has no value"));
            }
            set = touched.behind(set);
        }
    }

    fn touched(&self, inst: &MInst) -> Touched {
        let mut touched = Touched { read: PRegSet::EMPTY, written: PRegSet::EMPTY, spoilt: inst.op.clobbers() };
        self.mir.for_each_reg(inst, |reg, role| {
            let Reg::P(reg) = reg else { return };
            match role {
                Role::Use => touched.read = touched.read.with(reg),
                Role::Def => touched.written = touched.written.with(reg),
                // A temporary: rubbish behind the instruction.
                Role::Early => touched.spoilt = touched.spoilt.with(reg),
                Role::Mod => {
                    touched.read = touched.read.with(reg);
                    touched.written = touched.written.with(reg);
                }
            }
        });
        touched
    }

    // ---- Rule 18, the part about other instructions ----

    pub(super) fn temporaries(&mut self) {
        let mir = self.mir;
        let insts = || mir.order.iter().flat_map(|&b| mir.blocks[b].insts.iter());
        let mut temporary: IdVec<VReg, bool> = IdVec::filled(false, mir.vregs.len());
        for inst in insts() {
            mir.for_each_reg(inst, |reg, role| {
                if let (Reg::V(v), Role::Early) = (reg, role) {
                    temporary[v] = true;
                }
            });
        }
        let mut read = None;
        for inst in insts() {
            mir.for_each_reg(inst, |reg, role| {
                if let (Reg::V(v), Role::Use | Role::Mod) = (reg, role)
                    && temporary[v]
                {
                    read = Some(v);
                }
            });
        }
        self.place = mir.blocks[mir.order[0]].label.clone();
        if let Some(v) = read {
            self.require(false, Rule::Writes, || format!("{v} is a temporary, but read"));
        }
    }

    // ---- Rule 16 ----

    /// No register is live at the entry: a walk over predecessors from the blocks that read it before they set it, stopped
    /// by blocks that set it, does not come there.
    pub(super) fn definitions(&mut self) {
        let mir = self.mir;
        let (mut exposed, mut sets) = (Vec::new(), Vec::new());
        // The block that set the register last, in the order of the layout.
        let mut newest: IdVec<VReg, Option<MBlock>> = IdVec::filled(None, mir.vregs.len());
        for &block in &mir.order {
            for inst in &mir.blocks[block].insts {
                mir.for_each_reg(inst, |reg, role| {
                    if let (Reg::V(v), Role::Use | Role::Mod) = (reg, role)
                        && newest[v] != Some(block)
                    {
                        exposed.push((v, block));
                    }
                });
                mir.for_each_reg(inst, |reg, role| {
                    if let (Reg::V(v), Role::Def | Role::Early | Role::Mod) = (reg, role)
                        && newest[v].replace(block) != Some(block)
                    {
                        sets.push((v, block));
                    }
                });
            }
        }
        let exposed: Lists<VReg, MBlock> = Lists::new(mir.vregs.len(), exposed.into_iter());
        let sets: Lists<VReg, MBlock> = Lists::new(mir.vregs.len(), sets.into_iter());
        let ways =
            mir.order.iter().flat_map(|&block| mir.blocks[block].successors.iter().map(move |&next| (next, block)));
        let predecessors: Lists<MBlock, MBlock> = Lists::new(mir.blocks.len(), ways);
        // Marked with the register whose walk came by, or is to stop there.
        let mut live: IdVec<MBlock, Option<VReg>> = IdVec::filled(None, mir.blocks.len());
        let mut stops = live.clone();
        let mut work = Vec::new();
        for vreg in mir.vregs.ids() {
            for &block in sets.of(vreg) {
                stops[block] = Some(vreg);
            }
            work.extend(exposed.of(vreg));
            while let Some(block) = work.pop() {
                if live[block].replace(vreg) != Some(vreg) {
                    work.extend(predecessors.of(block).iter().filter(|&&p| stops[p] != Some(vreg)));
                }
            }
            self.place = mir.blocks[mir.order[0]].label.clone();
            self.require(live[mir.order[0]] != Some(vreg), Rule::Definitions, || {
                format!(
                    "on a way from here, {vreg} is read (in {}) before it is set",
                    mir.blocks[exposed.of(vreg)[0]].label
                )
            });
        }
    }
}
