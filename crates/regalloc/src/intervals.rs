//! Live intervals: for each virtual register, where it lives and where it is used.
//!
//! *In:* a function in MIR. *Out:* for each register its ranges (ascending, disjoint, with holes between them) and its uses.
//! *Cost:* n log n in the mentions and in the blocks that registers live through. *Source:* Wimmer, Mössenböck 2005, section 3 (lifetime intervals, use positions);
//! the ranges come from one walk per register instead of one over the code backwards, since that needs no sets per block.
//!
//! A definition at instruction i starts a range at 2i + 1, a use ends one behind 2i. A register that is live around a loop and used
//! in it has an extra "use" at the loop's end: otherwise it would seem to be needed no more, behind its last use there.
//!
//! ```text
//! b1: 0: mov v1, 1        v1: [1, 3) [7, 9)    uses 1 2 7 8
//!     1: mov v2, v1       v2: [3, 5)
//!     2: mov rax, v2
//!     3: mov v1, 2
//!     4: mov rax, v1
//! ```

use crate::allocation::Access;
use crate::fixed::Range;
use crate::live::{Live, Mention, reads_first};
use crate::numbering::{Numbering, Position};
use mini_base::ids::Id;
use mini_x64::mir::{Mir, Role, VReg};

/// What a use wants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Want {
    /// A register and nothing else.
    Register,
    /// A register, rather; memory will do.
    Rather,
    /// It makes no difference.
    Either,
    /// No use: the end of a loop in which the register is used again.
    LoopEnd,
}

/// What a use does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Reads the register.
    Reads,
    /// Sets it, whatever it was before.
    Sets,
    /// The second half of a use that holds its register to the end of the instruction.
    Holds,
}

/// A use of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where.
    pub at: Position,
    /// What it wants.
    pub want: Want,
    /// What it does.
    pub effect: Effect,
    /// How many loops hold it.
    pub depth: u32,
}

impl Use {
    /// Whether a value in memory should be brought to a register for it.
    pub fn is_worth_a_register(&self) -> bool {
        match self.want {
            Want::Register => true,
            Want::Rather => self.depth > 0,
            Want::Either | Want::LoopEnd => false,
        }
    }
}

/// The intervals of a function.
#[derive(Debug)]
pub struct Intervals {
    /// The ranges of all registers.
    pub ranges: Vec<Range>,
    /// The uses of all registers.
    pub uses: Vec<Use>,
    /// For each use, the nearest one from there on (of the same register) that is more than [`Want::Either`]; behind the register's last if none.
    next_wanting: Vec<u32>,
    /// For each use, the nearest one from there on that is worth a register.
    next_worthy: Vec<u32>,
    first_range: Vec<u32>,
    first_use: Vec<u32>,
}

impl Intervals {
    /// Builds them.
    pub fn new(mir: &Mir, numbering: &Numbering, live: &Live) -> Intervals {
        let mut intervals = Intervals {
            ranges: Vec::new(),
            uses: Vec::new(),
            next_wanting: Vec::new(),
            next_worthy: Vec::new(),
            first_range: vec![0],
            first_use: vec![0],
        };
        let ends = loop_ends(numbering, live);
        let mut next_end = 0;
        for vreg in mir.vregs.ids() {
            intervals.add_ranges(numbering, live, vreg);
            let start = intervals.uses.len();
            for mention in live.mentions_of(vreg) {
                intervals.add_uses(numbering, mention);
            }
            while let Some(&(_, at, depth)) = ends.get(next_end).filter(|end| end.0 == vreg) {
                intervals.uses.push(Use { at, want: Want::LoopEnd, effect: Effect::Reads, depth });
                next_end += 1;
            }
            intervals.uses[start..].sort_by_key(|u| (u.at, u.want));
            intervals.link(start);
            intervals.first_range.push(intervals.ranges.len() as u32);
            intervals.first_use.push(intervals.uses.len() as u32);
        }
        intervals
    }

    /// Where a register's ranges are in `ranges`.
    pub fn ranges_of(&self, vreg: VReg) -> (u32, u32) {
        (self.first_range[vreg.index()], self.first_range[vreg.index() + 1])
    }

    /// Where a register's uses are in `uses`.
    pub fn uses_of(&self, vreg: VReg) -> (u32, u32) {
        (self.first_use[vreg.index()], self.first_use[vreg.index() + 1])
    }

    /// The nearest use at or behind number `first` and before `end` that is more than [`Want::Either`].
    pub fn wanting(&self, first: u32, end: u32) -> Option<&Use> {
        if first >= end {
            return None;
        }
        let next = self.next_wanting[first as usize];
        (next < end).then(|| &self.uses[next as usize])
    }

    /// The nearest use at or behind number `first` and before `end` that is worth a register.
    pub fn worthy(&self, first: u32, end: u32) -> Option<&Use> {
        if first >= end {
            return None;
        }
        let next = self.next_worthy[first as usize];
        (next < end).then(|| &self.uses[next as usize])
    }

    /// Links the uses of the last register, which start at `start`.
    fn link(&mut self, start: usize) {
        let end = self.uses.len();
        self.next_wanting.resize(end, 0);
        self.next_worthy.resize(end, 0);
        let (mut wanting, mut worthy) = (end as u32, end as u32);
        for i in (start..end).rev() {
            if self.uses[i].want != Want::Either {
                wanting = i as u32;
            }
            if self.uses[i].is_worth_a_register() {
                worthy = i as u32;
            }
            self.next_wanting[i] = wanting;
            self.next_worthy[i] = worthy;
        }
    }

    fn add_range(&mut self, first: usize, from: Position, to: Position) {
        match self.ranges[first..].last_mut() {
            Some(last) if last.to >= from => last.to = last.to.max(to),
            Some(_) | None => self.ranges.push(Range { from, to }),
        }
    }

    /// The ranges of a register: whole blocks that it lives through, parts of blocks that mention it, in layout order.
    fn add_ranges(&mut self, numbering: &Numbering, live: &Live, vreg: VReg) {
        let first = self.ranges.len();
        let block_of = |mention: &Mention| numbering.block_of[mention.inst as usize];
        let mut through = live.through(vreg).iter().copied().peekable();
        let mut out = live.out_of(vreg).iter().copied().peekable();
        for group in live.mentions_of(vreg).chunk_by(|a, b| block_of(a) == block_of(b)) {
            let block = block_of(&group[0]);
            let rank = numbering.rank[block];
            while let Some(block) = through.next_if(|&b| numbering.rank[b] < rank) {
                self.add_range(first, numbering.start(block), numbering.stop(block));
            }
            while out.next_if(|&b| numbering.rank[b] < rank).is_some() {}
            let live_out = out.peek() == Some(&block);
            let mut open =
                reads_first(group).then(|| Range { from: numbering.start(block), to: numbering.start(block) });
            for mentions in group.chunk_by(|a, b| a.inst == b.inst) {
                let read = numbering.read(mentions[0].inst);
                // Reads before writes, whatever the order of the operands.
                for mention in mentions {
                    if let (Role::Use | Role::Mod, Some(range)) = (mention.role, &mut open) {
                        range.to = range.to.max(if mention.role == Role::Use { read + 1 } else { read + 2 });
                    }
                }
                for mention in mentions {
                    let from = match mention.role {
                        Role::Use | Role::Mod => continue,
                        Role::Def => read + 1,
                        Role::Early => read,
                    };
                    if let Some(range) = open.replace(Range { from, to: read + 2 }) {
                        self.add_range(first, range.from, range.to);
                    }
                }
            }
            if let Some(range) = open {
                self.add_range(first, range.from, if live_out { numbering.stop(block) } else { range.to });
            }
        }
        for block in through {
            self.add_range(first, numbering.start(block), numbering.stop(block));
        }
    }

    fn add_uses(&mut self, numbering: &Numbering, mention: &Mention) {
        let want = match mention.access {
            Access::Register => Want::Register,
            Access::Memory => Want::Rather,
            Access::Either => Want::Either,
        };
        let read = numbering.read(mention.inst);
        let depth = numbering.depth_at(read);
        let mut add = |at, effect| self.uses.push(Use { at, want, effect, depth });
        match mention.role {
            Role::Use => add(read, Effect::Reads),
            Role::Def => add(read + 1, Effect::Sets),
            Role::Mod => {
                add(read, Effect::Reads);
                add(read + 1, Effect::Holds);
            }
            Role::Early => {
                add(read, Effect::Sets);
                add(read + 1, Effect::Holds);
            }
        }
    }
}

/// For each loop, the registers that are live around it and used in it, with the loop's last position and its depth; ascending.
///
/// A loop here is what a jump back spans in the layout order.
fn loop_ends(numbering: &Numbering, live: &Live) -> Vec<(VReg, Position, u32)> {
    let mut ends = Vec::new();
    for &header in &numbering.order {
        let latches = numbering.predecessors[header].iter().filter(|&&p| numbering.rank[p] >= numbering.rank[header]);
        let Some(&latch) = latches.max_by_key(|&&p| numbering.rank[p]) else {
            continue;
        };
        let depth = numbering.depth_at(numbering.start(header));
        for &vreg in live.live_in(header) {
            let mentions = live.mentions_of(vreg);
            let next = mentions.partition_point(|m| m.inst < numbering.first[header]);
            if mentions.get(next).is_some_and(|m| m.inst < numbering.end[latch]) {
                ends.push((vreg, numbering.stop(latch) - 1, depth));
            }
        }
    }
    ends.sort_unstable();
    ends
}
