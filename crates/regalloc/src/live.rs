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
use crate::layout::{Layout, Position};
use mini_base::ids::{Id, IdVec};
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
    mentions: Vec<Mention>,
    first_mention: Vec<u32>,
    live_in: Vec<VReg>,
    first_live_in: Vec<u32>,
    through: Vec<MBlock>,
    first_through: Vec<u32>,
    out: Vec<MBlock>,
    first_out: Vec<u32>,
    /// Blocks visited by all walks, for tests of growth.
    pub steps: usize,
}

impl Live {
    /// Computes it.
    pub fn new(mir: &Mir, layout: &Layout) -> Live {
        let (mentions, first_mention) = mentions(mir, layout);
        let mut live = Live {
            mentions,
            first_mention,
            live_in: Vec::new(),
            first_live_in: Vec::new(),
            through: Vec::new(),
            first_through: vec![0],
            out: Vec::new(),
            first_out: vec![0],
            steps: 0,
        };
        // A block is marked with the register (plus one) for which it has been entered last.
        let mut mentioned: IdVec<MBlock, u32> = IdVec::filled(0, mir.blocks.len());
        let mut left: IdVec<MBlock, u32> = IdVec::filled(0, mir.blocks.len());
        let mut pairs: Vec<(MBlock, VReg)> = Vec::new();
        let mut work: Vec<MBlock> = Vec::new();
        for vreg in mir.vregs.ids() {
            let mark = vreg.index() as u32 + 1;
            for group in live
                .mentions_of(vreg)
                .chunk_by(|a, b| layout.block_of[a.inst as usize] == layout.block_of[b.inst as usize])
            {
                let block = layout.block_of[group[0].inst as usize];
                mentioned[block] = mark;
                if reads_first(group) {
                    work.push(block);
                }
            }
            while let Some(block) = work.pop() {
                pairs.push((block, vreg));
                for &predecessor in &layout.predecessors[block] {
                    live.steps += 1;
                    if left[predecessor] == mark {
                        continue;
                    }
                    left[predecessor] = mark;
                    live.out.push(predecessor);
                    if mentioned[predecessor] != mark {
                        live.through.push(predecessor);
                        work.push(predecessor);
                    }
                }
            }
            let (through, out) = (
                *live.first_through.last().expect("one at the start"),
                *live.first_out.last().expect("one at the start"),
            );
            live.through[through as usize..].sort_unstable_by_key(|&block| layout.rank[block]);
            live.out[out as usize..].sort_unstable_by_key(|&block| layout.rank[block]);
            live.first_through.push(live.through.len() as u32);
            live.first_out.push(live.out.len() as u32);
        }
        // Sorted by block; stable, so by register within a block.
        let mut count = vec![0_u32; mir.blocks.len() + 1];
        for &(block, _) in &pairs {
            count[block.index() + 1] += 1;
        }
        for i in 1..count.len() {
            count[i] += count[i - 1];
        }
        live.first_live_in.clone_from(&count);
        live.live_in = pairs.iter().map(|&(_, vreg)| vreg).collect();
        for &(block, vreg) in &pairs {
            live.live_in[count[block.index()] as usize] = vreg;
            count[block.index()] += 1;
        }
        live
    }

    /// The mentions of a register, in order.
    pub fn mentions_of(&self, vreg: VReg) -> &[Mention] {
        slice(&self.mentions, &self.first_mention, vreg.index())
    }

    /// The registers live into a block, ascending.
    pub fn live_in(&self, block: MBlock) -> &[VReg] {
        slice(&self.live_in, &self.first_live_in, block.index())
    }

    /// The blocks through which a register lives without being mentioned, in layout order.
    pub fn through(&self, vreg: VReg) -> &[MBlock] {
        slice(&self.through, &self.first_through, vreg.index())
    }

    /// The blocks out of which a register is live, in layout order.
    pub fn out_of(&self, vreg: VReg) -> &[MBlock] {
        slice(&self.out, &self.first_out, vreg.index())
    }

    /// The registers that may be read before anything sets them.
    pub fn at_entry(&self, layout: &Layout) -> &[VReg] {
        match layout.order.first() {
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

/// The position at which a mention happens first.
pub fn position(layout: &Layout, mention: &Mention) -> Position {
    match mention.role {
        Role::Use | Role::Mod | Role::Early => layout.read(mention.inst),
        Role::Def => layout.write(mention.inst),
    }
}

fn slice<'a, T>(items: &'a [T], first: &[u32], index: usize) -> &'a [T] {
    &items[first[index] as usize..first[index + 1] as usize]
}

/// All mentions, by register, then in order; with the start of each register's.
fn mentions(mir: &Mir, layout: &Layout) -> (Vec<Mention>, Vec<u32>) {
    let each = |visit: &mut dyn FnMut(VReg, Mention)| {
        for &block in &layout.order {
            for (i, inst) in mir.blocks[block].insts.iter().enumerate() {
                let index = layout.first[block] + i as u32;
                for_each_access(mir, inst, |vreg, role, access| visit(vreg, Mention { inst: index, role, access }));
            }
        }
    };
    let mut first = vec![0_u32; mir.vregs.len() + 1];
    each(&mut |vreg, _| first[vreg.index() + 1] += 1);
    for i in 1..first.len() {
        first[i] += first[i - 1];
    }
    let nothing = Mention { inst: 0, role: Role::Use, access: Access::Register };
    let mut all = vec![nothing; first[mir.vregs.len()] as usize];
    let mut next = first.clone();
    each(&mut |vreg, mention| {
        all[next[vreg.index()] as usize] = mention;
        next[vreg.index()] += 1;
    });
    (all, first)
}
