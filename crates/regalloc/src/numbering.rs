//! Positions: where instructions and blocks stand in the linear order, and who precedes whom.
//!
//! *Order.* Instructions count from 0 over the blocks in layout order. Instruction *i* reads at position 2i and writes at
//! 2i + 1. The jumps at the end of a block (`jcc`, `jcc`, `jmp`) count as one instruction, the first of them: what stands
//! at the first jump stands there for every way out of the block, so that no move may come between them.
//!
//! *Cost.* Linear in instructions and edges.

use mini_base::ids::IdVec;
use mini_x64::mir::{MBlock, MInst, Mir, Operand};
use mini_x64::op::MOp;

/// A position: 2i or 2i + 1 for instruction i.
pub type Position = u32;

/// The numbering of a function that is not changed meanwhile.
#[derive(Debug)]
pub struct Numbering {
    /// For each block, the index of its first instruction.
    pub first: IdVec<MBlock, u32>,
    /// For each block, the index of the first of its closing jumps (or of the return, or trap).
    pub jumps: IdVec<MBlock, u32>,
    /// For each block, the index behind its last instruction.
    pub end: IdVec<MBlock, u32>,
    /// For each block, its place in the layout order.
    pub rank: IdVec<MBlock, u32>,
    /// The blocks in layout order.
    pub order: Vec<MBlock>,
    /// For each block, its predecessors, ascending in layout order.
    pub predecessors: IdVec<MBlock, Vec<MBlock>>,
    /// For each instruction, its block.
    pub block_of: Vec<MBlock>,
    /// For each place in the order, the nearest earlier place whose block is in fewer loops.
    shallower: Vec<Option<u32>>,
    /// For each place in the order, how many loops hold the block.
    depth: Vec<u32>,
}

impl Numbering {
    /// Numbers a function.
    pub fn new(mir: &Mir) -> Numbering {
        let blocks = mir.blocks.len();
        let mut numbering = Numbering {
            first: IdVec::filled(0, blocks),
            jumps: IdVec::filled(0, blocks),
            end: IdVec::filled(0, blocks),
            rank: IdVec::filled(u32::MAX, blocks),
            order: mir.order.clone(),
            predecessors: IdVec::filled(Vec::new(), blocks),
            block_of: Vec::new(),
            shallower: Vec::new(),
            depth: Vec::new(),
        };
        let mut next = 0;
        // Places with ever greater depth that are still the nearest shallower ones for somebody.
        let mut open: Vec<u32> = Vec::new();
        for (rank, &block) in mir.order.iter().enumerate() {
            let data = &mir.blocks[block];
            numbering.rank[block] = rank as u32;
            numbering.first[block] = next;
            let jump = data.insts.iter().position(|inst| leaves_block(mir, inst)).unwrap_or(data.insts.len());
            numbering.jumps[block] = next + jump as u32;
            next += data.insts.len() as u32;
            numbering.end[block] = next;
            numbering.block_of.resize(next as usize, block);
            for &successor in &data.successors {
                numbering.predecessors[successor].push(block);
            }
            while open.last().is_some_and(|&place| numbering.depth[place as usize] >= data.loop_depth) {
                open.pop();
            }
            numbering.shallower.push(open.last().copied());
            numbering.depth.push(data.loop_depth);
            open.push(rank as u32);
        }
        numbering
    }

    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.block_of.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.block_of.is_empty()
    }

    /// The position at which instruction `inst` reads.
    pub fn read(&self, inst: u32) -> Position {
        2 * inst.min(self.jumps[self.block_of[inst as usize]])
    }

    /// The position at which instruction `inst` writes.
    pub fn write(&self, inst: u32) -> Position {
        self.read(inst) + 1
    }

    /// The position at which a block starts.
    pub fn start(&self, block: MBlock) -> Position {
        2 * self.first[block]
    }

    /// The position behind a block.
    pub fn stop(&self, block: MBlock) -> Position {
        2 * self.end[block]
    }

    /// The block that holds a position (the last one, for the position behind it).
    pub fn block_at(&self, position: Position) -> MBlock {
        let last = self.block_of.len() - 1;
        self.block_of[(position as usize / 2).min(last)]
    }

    /// How many loops hold a position.
    pub fn depth_at(&self, position: Position) -> u32 {
        self.depth[self.rank[self.block_at(position)] as usize]
    }

    /// Whether a block starts at this position.
    pub fn is_block_start(&self, position: Position) -> bool {
        let block = self.block_at(position);
        self.start(block) == position
    }

    /// A good place for a split in `low..=high`: outside the loops around `high` that start within, else `high` itself.
    pub fn outside_loops(&self, low: Position, high: Position) -> Position {
        let mut best = high;
        let mut rank = self.rank[self.block_at(high)] as usize;
        while let Some(outer) = self.shallower[rank] {
            let start = self.start(self.order[outer as usize + 1]);
            if start < low {
                break;
            }
            best = start;
            rank = outer as usize;
        }
        best
    }
}

/// Whether an instruction belongs to the jumps that close a block.
pub fn leaves_block(mir: &Mir, inst: &MInst) -> bool {
    inst.op.is_terminator()
        || inst.op == MOp::Jcc
        || mir.operands(inst).iter().any(|operand| matches!(operand, Operand::Block(_)))
}
