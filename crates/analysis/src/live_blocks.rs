//! The blocks at whose start one variable is live: path exploration from its uses.
//!
//! A variable is live at the start of a block if some path from there reads it before it is assigned. From each
//! upward-exposed use, walk the predecessors; stop at blocks that define the variable and at blocks that were met before.
//!
//! *In:* a function of any phase, its `Cfg`, the variable's definition blocks and upward-exposed uses
//! (`occurrences`). *Out:* the blocks. *Keeps:* everything.
//! *Cost:* O(edges into the blocks of the result); the marks are kept from variable to variable, so that no
//! variable pays for blocks in which it is dead.
//! *Source:* A. Appel, J. Palsberg, Modern Compiler Implementation, 2nd edition 2002, section 19.6 (liveness one variable
//! at a time); F. Rastello, F. Bouchez Tichadou (eds.), SSA-based Compiler Design, 2022, the chapter on liveness (path exploration).
//! B. Boissinot et al., A non-iterative data-flow algorithm for computing liveness sets in strict SSA programs, 2011, compares it with
//! their two passes over the forest of loops.
//! *Leaves:* paths through unreachable blocks count like any other.
//!
//! ```text
//! func loop(c: bool) -> int {
//! entry1:
//!   %1 = const 0
//!   i = copy %1
//!   jmp head2
//! head2:
//!   br c, body3, exit4
//! body3:
//!   %2 = add i, i
//!   i = copy %2
//!   jmp head2
//! exit4:
//!   ret i
//! }
//! ```
//! gives
//! ```text
//! c: live at the start of entry1 head2 body3
//! i: live at the start of head2 body3 exit4
//! ```

use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

/// The walk with its marks, to be used for one variable after the other.
#[derive(Clone, Debug)]
pub struct LiveBlocks {
    /// Which walk this is; a mark holds when it equals the walk's number.
    walk: u32,
    defines: IdVec<Block, u32>,
    live: IdVec<Block, u32>,
    blocks: Vec<Block>,
}

impl LiveBlocks {
    /// Marks for a function with that many blocks.
    pub fn new(func: &Func) -> LiveBlocks {
        let unmarked = IdVec::filled(0, func.block_count());
        LiveBlocks { walk: 0, defines: unmarked.clone(), live: unmarked, blocks: Vec::new() }
    }

    /// Finds the blocks at whose start the variable with these occurrences is live.
    pub fn find(&mut self, func: &Func, cfg: &Cfg, defs: &[Block], exposed: &[Block]) -> &[Block] {
        self.walk += 1;
        self.blocks.clear();
        for &block in defs {
            self.defines[block] = self.walk;
        }
        for &block in exposed {
            self.mark(block);
        }
        // `blocks` is the result and, behind `next`, the worklist.
        let mut next = 0;
        while let Some(&block) = self.blocks.get(next) {
            next += 1;
            for predecessor in cfg.predecessors(func, block) {
                if self.defines[predecessor] != self.walk {
                    self.mark(predecessor);
                }
            }
        }
        &self.blocks
    }

    /// Whether the variable of the last walk is live at the start of the block.
    #[inline]
    pub fn contains(&self, block: Block) -> bool {
        self.live[block] == self.walk && self.walk != 0
    }

    fn mark(&mut self, block: Block) {
        if self.live[block] != self.walk {
            self.live[block] = self.walk;
            self.blocks.push(block);
        }
    }
}
