//! Liveness: which values are needed at the start and at the end of each block.
//!
//! A value is *live* at a place if some path from there reaches a use of it before a definition. One value at a time: walk
//! backwards from its upward-exposed uses to its definitions (`live_blocks`). No bit vectors of blocks × values,
//! no fix-point: `liveness_iterative` has these.
//!
//! Conventions: live-in(b) is what is live before the first instruction of `b`, when its parameters have their values:
//! parameters of `b` are defined by `b`, and are not in it. The arguments of an edge are read by the terminator; an argument
//! that is used nowhere else is not live-out. So live-out(b) = ∪ live-in(successor), and
//! live-in(b) = exposed(b) ∪ (live-out(b) \ defs(b)).
//! The SSA book has it otherwise: there the arguments of phis are live-out of the predecessors that they come from, and the results of
//! phis are live-in. In the example that adds `%1` to live-out(entry1), `%2` to live-out(body3) and `i.2` to live-in(head2).
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`Liveness`]: sorted lists of named variables and of values.
//! *Keeps:* everything. *Cost:* O(instructions + Σ over live-in lists of the block's edges in); memory is
//! that of the result.
//! *Source:* A. Appel, J. Palsberg, Modern Compiler Implementation, 2nd edition 2002, section 19.6 (one variable at a time) and 10.1
//! (several definitions, as in TAC); F. Rastello, F. Bouchez Tichadou (eds.), SSA-based Compiler Design, 2022, the chapter on liveness.
//! *Leaves:* liveness between the instructions of a block, which is one walk backwards from live-out.
//!
//! ```text
//! ssa func loop(c.1: bool) -> int {
//! entry1:
//!   %1 = const 0
//!   jmp head2(%1)
//! head2(i.2: int):
//!   br c.1, body3, exit4
//! body3:
//!   %2 = add i.2, i.2
//!   jmp head2(%2)
//! exit4:
//!   ret i.2
//! }
//! ```
//! gives
//! ```text
//! liveness of loop
//! block   live-in  live-out
//! entry1           c.1
//! head2   c.1      c.1 i.2
//! body3   c.1 i.2  c.1
//! exit4   i.2
//! ```

use crate::live_blocks::LiveBlocks;
use crate::occurrences::Occurrences;
use mini_base::ids::{Id, IdVec};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Value};

/// The live values at the borders of every block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    live_in: IdVec<Block, Vec<Value>>,
    live_out: IdVec<Block, Vec<Value>>,
}

impl Liveness {
    /// Computes the liveness of all values.
    pub fn new(func: &Func, cfg: &Cfg) -> Liveness {
        let none = IdVec::filled(Vec::new(), func.block_count());
        let mut result = Liveness { live_in: none.clone(), live_out: none };
        let occurrences = Occurrences::of_all(func);
        let mut live = LiveBlocks::new(func);
        // Values come in ascending order, so that the lists are sorted and a second visit sees the value at the end.
        for value in (0..func.value_count()).map(Value::new) {
            for &block in live.find(func, cfg, occurrences.defs(value), occurrences.exposed(value)) {
                result.live_in[block].push(value);
                for predecessor in cfg.predecessors(func, block) {
                    let out = &mut result.live_out[predecessor];
                    if out.last() != Some(&value) {
                        out.push(value);
                    }
                }
            }
        }
        result
    }

    /// What was found in another way, each list ascending.
    pub(crate) fn from_lists(live_in: IdVec<Block, Vec<Value>>, live_out: IdVec<Block, Vec<Value>>) -> Liveness {
        Liveness { live_in, live_out }
    }

    /// The values that are live at the start of the block, ascending.
    pub fn live_in(&self, block: Block) -> &[Value] {
        &self.live_in[block]
    }

    /// The values that are live at the end of the block, ascending.
    pub fn live_out(&self, block: Block) -> &[Value] {
        &self.live_out[block]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness_iterative;
    use crate::sample_graphs::random_tac;
    use mini_base::testing::Random;

    #[test]
    fn agrees_with_the_fix_point() {
        let mut random = Random(6);
        let mut live = 0;
        for _ in 0..300 {
            let count = 1 + random.below(12);
            let func = random_tac(&mut random, count, 5);
            let cfg = Cfg::new(&func);
            let result = Liveness::new(&func, &cfg);
            assert_eq!(result, liveness_iterative::liveness(&func));
            live += func.blocks().map(|block| result.live_in(block).len()).sum::<usize>();
        }
        assert!(live > 1000, "the functions must be worth testing");
    }
}
