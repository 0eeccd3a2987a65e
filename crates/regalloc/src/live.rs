//! Which virtual registers are live into which blocks.
//!
//! *In:* a function in MIR. *Out:* every mention of each register in order, the blocks into which it is live, and those out of
//! which. *Cost:* linear in the mentions and in the size of the result: nothing is allocated per block and register.
//! *Source:* Appel, "Modern Compiler Implementation", 1998, section 10.2 (liveness one variable at a time); Boissinot et al. 2008 use the same walk.
//!
//! For each register: a block that reads it before setting it is a start; from there the walk goes to predecessors, and
//! stops in blocks that set it. Registers may be set several times.
//!
//! *Leaves:* a register read before anything sets it on some path is live at the entry; that is left to the caller.

use crate::allocation::{Access, for_each_access};
use crate::numbering::Numbering;
use mini_base::ids::{Id, IdVec};
use mini_base::lists::Lists;
use mini_x64::mir::{MBlock, Mir, Role, VReg};

/// One mention of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mention {
    /// Index of the instruction.
    pub inst: u32,
    /// What it does.
    pub role: Role,
    /// How it may be accessed.
    pub access: Access,
}

/// The result.
#[derive(Debug)]
pub struct Live {
    mentions: Lists<VReg, Mention>,
    live_in: Lists<MBlock, VReg>,
    through: Lists<VReg, MBlock>,
    out: Lists<VReg, MBlock>,
    /// Blocks visited by all walks, for tests of growth.
    pub steps: usize,
}

impl Live {
    /// Computes it.
    pub fn new(mir: &Mir, numbering: &Numbering) -> Live {
        let mentions = mentions(mir, numbering);
        let (mut all_through, mut all_out, mut steps) = (Lists::empty(), Lists::empty(), 0);
        let (mut through, mut out) = (Vec::new(), Vec::new());
        // A block is marked with the register (plus one) for which it has been entered last.
        let mut mentioned: IdVec<MBlock, u32> = IdVec::filled(0, mir.blocks.len());
        let mut left: IdVec<MBlock, u32> = IdVec::filled(0, mir.blocks.len());
        let mut pairs: Vec<(MBlock, VReg)> = Vec::new();
        let mut work: Vec<MBlock> = Vec::new();
        for vreg in mir.vregs.ids() {
            let mark = vreg.index() as u32 + 1;
            for group in mentions
                .of(vreg)
                .chunk_by(|a, b| numbering.block_of[a.inst as usize] == numbering.block_of[b.inst as usize])
            {
                let block = numbering.block_of[group[0].inst as usize];
                mentioned[block] = mark;
                if reads_first(group) {
                    work.push(block);
                }
            }
            while let Some(block) = work.pop() {
                pairs.push((block, vreg));
                for &predecessor in &numbering.predecessors[block] {
                    steps += 1;
                    if left[predecessor] == mark {
                        continue;
                    }
                    left[predecessor] = mark;
                    out.push(predecessor);
                    if mentioned[predecessor] != mark {
                        through.push(predecessor);
                        work.push(predecessor);
                    }
                }
            }
            for (list, all) in [(&mut through, &mut all_through), (&mut out, &mut all_out)] {
                list.sort_unstable_by_key(|&block| numbering.rank[block]);
                all.push(list);
                list.clear();
            }
        }
        // By register within a block.
        let live_in = Lists::new(mir.blocks.len(), pairs.into_iter());
        Live { mentions, live_in, through: all_through, out: all_out, steps }
    }

    /// The mentions of a register, in order.
    pub fn mentions_of(&self, vreg: VReg) -> &[Mention] {
        self.mentions.of(vreg)
    }

    /// The registers live into a block, ascending.
    pub fn live_in(&self, block: MBlock) -> &[VReg] {
        self.live_in.of(block)
    }

    /// The blocks through which a register lives without being mentioned, in layout order.
    pub fn through(&self, vreg: VReg) -> &[MBlock] {
        self.through.of(vreg)
    }

    /// The blocks out of which a register is live, in layout order.
    pub fn out_of(&self, vreg: VReg) -> &[MBlock] {
        self.out.of(vreg)
    }

    /// The registers that may be read before anything sets them.
    pub fn at_entry(&self, numbering: &Numbering) -> &[VReg] {
        match numbering.order.first() {
            Some(&entry) => self.live_in(entry),
            None => &[],
        }
    }
}

/// Whether the mentions of a register in one block read it before any sets it.
pub fn reads_first(group: &[Mention]) -> bool {
    let first = group[0].inst;
    group.iter().take_while(|m| m.inst == first).any(|m| matches!(m.role, Role::Use | Role::Mod))
}

/// All mentions, by register, then in order.
fn mentions(mir: &Mir, numbering: &Numbering) -> Lists<VReg, Mention> {
    let mut all = Vec::new();
    for &block in &numbering.order {
        for (i, inst) in mir.blocks[block].insts.iter().enumerate() {
            let index = numbering.first[block] + i as u32;
            for_each_access(mir, inst, |vreg, role, access| all.push((vreg, Mention { inst: index, role, access })));
        }
    }
    Lists::new(mir.vregs.len(), all.into_iter())
}
