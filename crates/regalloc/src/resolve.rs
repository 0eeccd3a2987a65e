//! Where a value is in different places at the two ends of an edge: the moves, and where they go.
//!
//! *In:* for each virtual register the places where it lives, by position. *Out:* moves on edges ([`edge_moves`]); then, when the function is
//! rewritten, a home for the moves of each edge ([`place`]). *Cost:* the edges times the split registers that are live
//! across them. *Source:* Wimmer, Mössenböck 2005, "Optimized Interval Splitting in a Linear Scan Register Allocator", section 5 (data flow resolution);
//! critical edges as in Cytron et al. 1991.
//!
//! Moves go to the end of the predecessor if it has no other way out and its jump reads no register, to the start of the
//! successor if there is no other way in, else to a block of their own.
//!
//! ```text
//! a: jcc.l c; jmp b       v1 in rbx here, in slot0 at c; c has other predecessors
//! a: jcc.l a_c; jmp b     a_c: mov [slot0], rbx; jmp c
//! ```

use crate::allocation::Allocation;
use crate::layout::Layout;
use mini_x64::mir::{MBlock, MBlockData, Mir, Operand};
use mini_x64::op::{Cond, MOp, Size};
use rustc_hash::{FxHashMap, FxHashSet};

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
pub fn place(mir: &mut Mir, layout: &Layout, allocation: &Allocation) -> Places {
    let mut places = Places::default();
    let mut start = 0;
    let mut labels: FxHashSet<String> = FxHashSet::default();
    // New blocks, by the block behind which they stand, if not at the end.
    let mut behind: FxHashMap<MBlock, Vec<MBlock>> = FxHashMap::default();
    let mut last: Vec<MBlock> = Vec::new();
    while start < allocation.edges.len() {
        let (from, to, _) = allocation.edges[start];
        let len = allocation.edges[start..].partition_point(|&(f, t, _)| (f, t) == (from, to));
        let edge = places.edges.len();
        places.edges.push((start, start + len));
        start += len;
        if mir.blocks[from].successors.len() == 1 && !jumps_read_registers(mir, layout, from) {
            places.at_end.insert(from, edge);
        } else if layout.predecessors[to].len() == 1 && layout.rank[to] != 0 {
            places.at_start.insert(to, edge);
        } else {
            if labels.is_empty() {
                labels.extend(mir.blocks.iter().map(|block| block.label.clone()));
            }
            let block = split_edge(mir, layout, from, to, &mut labels);
            places.in_block.push((block, edge));
            if mir.blocks[block].loop_depth > 0 {
                behind.entry(from).or_default().push(block);
            } else {
                last.push(block);
            }
        }
    }
    places.blocks = places.in_block.len();
    if places.blocks > 0 {
        let mut order = Vec::with_capacity(mir.blocks.len());
        for &block in &layout.order {
            order.push(block);
            order.extend(behind.remove(&block).unwrap_or_default());
        }
        order.extend(last);
        mir.order = order;
    }
    places
}

/// A block between two others.
fn split_edge(
    mir: &mut Mir,
    layout: &Layout,
    from: MBlock,
    to: MBlock,
    labels: &mut FxHashSet<String>,
) -> MBlock {
    let mut label = format!("{}_{}", mir.blocks[from].label, mir.blocks[to].label);
    while !labels.insert(label.clone()) {
        label.push('_');
    }
    let loop_depth = mir.blocks[from].loop_depth.min(mir.blocks[to].loop_depth);
    let pos = mir.blocks[from]
        .insts
        .last()
        .expect("a block ends with a jump")
        .pos;
    let jump = mir.inst(MOp::Jmp, Size::B8, Cond::Always, &[Operand::Block(to)], pos);
    let block = mir.blocks.push(MBlockData {
        label,
        insts: vec![jump],
        successors: vec![to],
        loop_depth,
    });
    for successor in &mut mir.blocks[from].successors {
        if *successor == to {
            *successor = block;
        }
    }
    for i in (layout.jumps[from] - layout.first[from]) as usize..mir.blocks[from].insts.len() {
        let inst = mir.blocks[from].insts[i];
        for operand in mir.operands_mut(&inst) {
            if *operand == Operand::Block(to) {
                *operand = Operand::Block(block);
            }
        }
    }
    block
}

/// Whether the jumps of a block read or set registers, so that no move may come in before them.
fn jumps_read_registers(mir: &Mir, layout: &Layout, block: MBlock) -> bool {
    let jump = (layout.jumps[block] - layout.first[block]) as usize;
    let mut found = false;
    for inst in &mir.blocks[block].insts[jump..] {
        mir.for_each_reg(inst, |_, _| found = true);
    }
    found
}
