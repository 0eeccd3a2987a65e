//! Where a value is in different places at the two ends of an edge: the moves, and where they go.
//!
//! *In:* the pieces of intervals with their homes. *Out:* the allocation, with all moves ([`connect`]); then, when the function is
//! rewritten, a block for the moves of each edge ([`place`]). *Cost:* the edges times the split registers that are live
//! across them. *Source:* Wimmer, Mössenböck 2005, "Optimized Interval Splitting in a Linear Scan Register Allocator", section 5 (data flow resolution);
//! critical edges as in Cytron et al. 1991.
//!
//! Pieces that touch are connected where they do, except at block starts: there the edges see to it. A register that is set once is stored behind
//! that, and never again, unless it is spilled only in fewer loops than it is set in.
//!
//! Moves go to the end of the predecessor if it has no other way out and its jump reads no register, to the start of the
//! successor if there is no other way in, else to a block of their own.
//!
//! ```text
//! a: jcc.l c; jmp b       v1 in rbx here, in slot0 at c; c has other predecessors
//! a: jcc.l a_c; jmp b     a_c: mov [slot0], rbx; jmp c
//! ```

use crate::allocation::{Allocation, Loc, Move, Point, Side};
use crate::intervals::Effect;
use crate::live::Live;
use crate::numbering::{Numbering, Position};
use crate::spill_slots;
use crate::split::{Home, PieceId, Pieces};
use mini_base::ids::{Id, IdVec};
use mini_x64::mir::{MBlock, MBlockData, Mir, Operand, Role, Slot, VReg};
use mini_x64::op::{Cond, MOp, Size};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes the allocation from pieces that all have a home; and tells the slots of spilled registers.
pub fn connect(
    mir: &Mir,
    numbering: &Numbering,
    live: &Live,
    pieces: &Pieces,
) -> (Allocation, IdVec<VReg, Option<Slot>>) {
    let of = pieces.by_vreg(mir.vregs.len());
    let mut spilled = Vec::new();
    for (index, list) in of.iter().enumerate() {
        if let (Some(&first), Some(&last)) = (list.first(), list.last())
            && list.iter().any(|&piece| pieces.all[piece].home == Home::Memory)
        {
            spilled.push((VReg::new(index), pieces.all[first].from, pieces.all[last].to));
        }
    }
    let mut slots: IdVec<VReg, Option<Slot>> = IdVec::filled(None, mir.vregs.len());
    let (assigned, count) = spill_slots::assign(&spilled, mir.slots);
    for (vreg, slot) in assigned {
        slots[vreg] = Some(slot);
    }
    let mut allocation = Allocation { slots: count, ..Allocation::default() };
    let homes = Homes { pieces, of: &of, slots: &slots };
    // The last piece asked for, for each register: positions ascend.
    let mut next = vec![0_u32; mir.vregs.len()];
    allocation.fill(mir, numbering, |inst, vreg, role| {
        let at = match role {
            Role::Use | Role::Mod | Role::Early => numbering.read(inst),
            Role::Def => numbering.write(inst),
        };
        homes.near(vreg, at, &mut next[vreg.index()])
    });
    let at_entry = live.at_entry(numbering);
    allocation.entry = at_entry.iter().map(|&vreg| (vreg, homes.at(vreg, 0))).collect();
    for vreg in mir.vregs.ids().filter(|vreg| of[vreg.index()].len() > 1) {
        let stored = store_once(numbering, live, &homes, vreg, at_entry, &mut allocation);
        within_blocks(numbering, &homes, vreg, stored, &mut allocation);
        on_edges(mir, numbering, live, &homes, vreg, stored, &mut allocation);
    }
    allocation.sort();
    (allocation, slots)
}

/// Where registers live, by position.
struct Homes<'a> {
    pieces: &'a Pieces<'a>,
    of: &'a [Vec<PieceId>],
    slots: &'a IdVec<VReg, Option<Slot>>,
}

impl Homes<'_> {
    fn of_piece(&self, piece: PieceId) -> Loc {
        let piece = self.pieces.all[piece];
        match piece.home {
            Home::Reg(reg) => Loc::Reg(reg),
            Home::Memory => Loc::Slot(self.slots[piece.vreg].expect("registers with a piece in memory have a slot")),
            Home::Open => unreachable!("linear scan handles every piece"),
        }
    }

    /// The place of a register at a position where it is live.
    fn at(&self, vreg: VReg, at: Position) -> Loc {
        let list = &self.of[vreg.index()];
        let next = list.partition_point(|&piece| self.pieces.all[piece].to <= at);
        self.of_piece(list[next])
    }

    /// The same, for positions that ascend, nearly: an instruction may name its definitions before its uses.
    fn near(&self, vreg: VReg, at: Position, next: &mut u32) -> Loc {
        let list = &self.of[vreg.index()];
        while *next > 0 && self.pieces.all[list[*next as usize - 1]].to > at {
            *next -= 1;
        }
        while self.pieces.all[list[*next as usize]].to <= at {
            *next += 1;
        }
        self.of_piece(list[*next as usize])
    }
}

/// Whether the slot of a register always has its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Always,
    BySplit,
}

/// Stores a register behind the only instruction that sets it, if that is no worse than storing where it is spilled.
fn store_once(
    numbering: &Numbering,
    live: &Live,
    homes: &Homes,
    vreg: VReg,
    at_entry: &[VReg],
    allocation: &mut Allocation,
) -> Stored {
    let Some(slot) = homes.slots[vreg] else {
        return Stored::BySplit;
    };
    let mut sets = live.mentions_of(vreg).iter().filter(|m| m.role != Role::Use);
    let (Some(set), None) = (sets.next(), sets.next()) else {
        return Stored::BySplit;
    };
    if at_entry.binary_search(&vreg).is_ok() || set.inst >= numbering.jumps[numbering.block_of[set.inst as usize]] {
        return Stored::BySplit;
    }
    let spills =
        homes.of[vreg.index()].iter().map(|&piece| homes.pieces.all[piece]).filter(|piece| piece.home == Home::Memory);
    let deepest = spills.map(|piece| numbering.depth_at(piece.from)).max();
    if deepest.is_none_or(|deepest| deepest < numbering.depth_at(numbering.read(set.inst))) {
        return Stored::BySplit;
    }
    let from = homes.at(vreg, numbering.write(set.inst));
    allocation.moves.push((Point { inst: set.inst, side: Side::After }, Move { to: Loc::Slot(slot), from, vreg }));
    Stored::Always
}

/// Moves between pieces that touch inside of blocks.
fn within_blocks(numbering: &Numbering, homes: &Homes, vreg: VReg, stored: Stored, allocation: &mut Allocation) {
    let list = &homes.of[vreg.index()];
    // The value's place before the moves at the last cut, if there are any.
    let mut before: Option<(Position, Loc)> = None;
    for pair in list.windows(2) {
        let (old, new) = (homes.pieces.all[pair[0]], homes.pieces.all[pair[1]]);
        let at = new.from;
        if old.to != at
            || numbering.is_block_start(at)
            || homes.pieces.uses_at(pair[1], at).any(|u| u.effect == Effect::Sets)
        {
            continue;
        }
        let to = homes.of_piece(pair[1]);
        let mut from = homes.of_piece(pair[0]);
        if at % 2 == 1 {
            assert_eq!(new.home, Home::Memory, "a piece that starts within an instruction starts in memory");
            // The store stands before the instruction, beside the move that brought the value to the old piece.
            if let Some((cut, loc)) = before
                && cut == at - 1
            {
                from = loc;
            }
        }
        before = Some((at, from));
        if stored == Stored::BySplit || matches!(to, Loc::Reg(_)) {
            allocation.moves.push((Point { inst: at / 2, side: Side::Before }, Move { to, from, vreg }));
        }
    }
}

/// Moves on edges.
fn on_edges(
    mir: &Mir,
    numbering: &Numbering,
    live: &Live,
    homes: &Homes,
    vreg: VReg,
    stored: Stored,
    allocation: &mut Allocation,
) {
    for &block in live.out_of(vreg) {
        let from = homes.at(vreg, numbering.stop(block) - 1);
        for &successor in &mir.blocks[block].successors {
            if live.live_in(successor).binary_search(&vreg).is_err() {
                continue;
            }
            let to = homes.at(vreg, numbering.start(successor));
            if to != from && (stored == Stored::BySplit || matches!(to, Loc::Reg(_))) {
                allocation.edges.push((block, successor, Move { to, from, vreg }));
            }
        }
    }
}

/// Where the moves of the edges go.
#[derive(Debug, Default)]
pub struct Places {
    /// For each edge that has moves: their range in `Allocation::edges`.
    pub edges: Vec<(usize, usize)>,
    /// Blocks with the moves of an edge at their start.
    pub at_start: FxHashMap<MBlock, usize>,
    /// Blocks with the moves of an edge before their jumps.
    pub at_end: FxHashMap<MBlock, usize>,
    /// New blocks, for one edge each.
    pub in_block: Vec<(MBlock, usize)>,
    /// How many blocks are new.
    pub blocks: usize,
}

/// Finds a home for the moves of each edge; splits critical edges.
pub fn place(mir: &mut Mir, numbering: &Numbering, allocation: &Allocation) -> Places {
    let mut places = Places::default();
    let mut labels: FxHashSet<String> = FxHashSet::default();
    // New blocks, by the block behind which they stand, if not at the end.
    let mut behind: FxHashMap<MBlock, Vec<MBlock>> = FxHashMap::default();
    let mut last: Vec<MBlock> = Vec::new();
    let mut start = 0;
    for same_start in allocation.edges.chunk_by(|a, b| a.0 == b.0) {
        let from = same_start[0].0;
        // Where the jumps of the block go now.
        let mut split: FxHashMap<MBlock, MBlock> = FxHashMap::default();
        for same_edge in same_start.chunk_by(|a, b| a.1 == b.1) {
            let to = same_edge[0].1;
            let edge = places.edges.len();
            places.edges.push((start, start + same_edge.len()));
            start += same_edge.len();
            if mir.blocks[from].successors.len() == 1 && !jumps_read_registers(mir, numbering, from) {
                places.at_end.insert(from, edge);
            } else if numbering.predecessors[to].len() == 1 && numbering.rank[to] != 0 {
                places.at_start.insert(to, edge);
            } else {
                if labels.is_empty() {
                    labels.extend(mir.blocks.iter().map(|block| block.label.clone()));
                }
                let block = block_between(mir, from, to, &mut labels);
                split.insert(to, block);
                places.in_block.push((block, edge));
                if mir.blocks[block].loop_depth > 0 {
                    behind.entry(from).or_default().push(block);
                } else {
                    last.push(block);
                }
            }
        }
        if !split.is_empty() {
            redirect(mir, numbering, from, &split);
        }
    }
    places.blocks = places.in_block.len();
    if places.blocks > 0 {
        let mut order = Vec::with_capacity(mir.blocks.len());
        for &block in &numbering.order {
            order.push(block);
            order.extend(behind.remove(&block).unwrap_or_default());
        }
        order.extend(last);
        mir.order = order;
    }
    places
}

/// A block between two others, not yet jumped to.
fn block_between(mir: &mut Mir, from: MBlock, to: MBlock, labels: &mut FxHashSet<String>) -> MBlock {
    let mut label = format!("{}_{}", mir.blocks[from].label, mir.blocks[to].label);
    while !labels.insert(label.clone()) {
        label.push('_');
    }
    let loop_depth = mir.blocks[from].loop_depth.min(mir.blocks[to].loop_depth);
    let pos = mir.blocks[from].insts.last().expect("a block ends with a jump").pos;
    let jump = mir.inst(MOp::Jmp, Size::B8, Cond::Always, &[Operand::Block(to)], pos);
    mir.blocks.push(MBlockData { label, insts: vec![jump], successors: vec![to], loop_depth })
}

/// Lets the jumps of a block go to other blocks than before.
fn redirect(mir: &mut Mir, numbering: &Numbering, from: MBlock, split: &FxHashMap<MBlock, MBlock>) {
    for successor in &mut mir.blocks[from].successors {
        *successor = split.get(successor).copied().unwrap_or(*successor);
    }
    for i in (numbering.jumps[from] - numbering.first[from]) as usize..mir.blocks[from].insts.len() {
        let inst = mir.blocks[from].insts[i];
        for operand in mir.operands_mut(&inst) {
            if let Operand::Block(to) = operand {
                *to = split.get(to).copied().unwrap_or(*to);
            }
        }
    }
}

/// Whether the jumps of a block read or set registers, so that no move may come in before them.
fn jumps_read_registers(mir: &Mir, numbering: &Numbering, block: MBlock) -> bool {
    let jump = (numbering.jumps[block] - numbering.first[block]) as usize;
    let mut found = false;
    for inst in &mir.blocks[block].insts[jump..] {
        mir.for_each_reg(inst, |_, _| found = true);
    }
    found
}
