//! Dominance frontiers by the runner's walk.
//!
//! The *dominance frontier* DF(x) holds the blocks `y` such that `x` dominates a predecessor of `y` but does not strictly
//! dominate `y`: where the dominance of `x` ends. From each predecessor of a join, a runner walks up the dominator
//! tree to the join's immediate dominator and puts the join into the frontier of every block that it passes.
//!
//! *In:* a function of any phase, its `Cfg`, its dominator tree. *Out:* [`Frontiers`], each in ascending block order.
//! *Keeps:* everything. *Cost:* O(edges + result). The result can be quadratic in the number of blocks (nested `repeat`
//! loops), which is why SSA construction uses `iterated_frontier`, that never makes the sets.
//! *Source:* K. Cooper, T. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001, figure 5; the sets are those of
//! R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 4.2.
//! *Leaves:* unreachable blocks have empty frontiers and stand in none. Unlike in the paper, the entry can be a join: its
//! runners walk up to and past the root.
//!
//! A loop with a join in it; its head dominates the block that leads back, but itself not strictly:
//! ```text
//! func f(a: bool, b: bool) {
//! entry1:
//!   jmp head2
//! head2:
//!   br a, left3, right4
//! left3:
//!   jmp join5
//! right4:
//!   jmp join5
//! join5:
//!   br b, head2, exit6
//! exit6:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! dominance frontiers of f
//! block   frontier
//! entry1
//! head2   head2
//! left3   join5
//! right4  join5
//! join5   head2
//! exit6
//! ```

use crate::dominator_tree::DominatorTree;
use mini_base::ids::{Id, IdVec};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

/// The dominance frontier of every block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontiers {
    sets: IdVec<Block, Vec<Block>>,
}

impl Frontiers {
    /// Runs the runners.
    pub fn new(func: &Func, cfg: &Cfg, tree: &DominatorTree) -> Frontiers {
        let mut sets: IdVec<Block, Vec<Block>> = IdVec::filled(Vec::new(), func.block_count());
        for join in (0..func.block_count()).map(Block::new).filter(|&b| tree.is_reachable(b)) {
            let stop = tree.idom(join);
            for predecessor in cfg.predecessors(func, join).filter(|&p| tree.is_reachable(p)) {
                let mut runner = Some(predecessor);
                while runner != stop {
                    let at = runner.expect("a join's immediate dominator is above its predecessors");
                    if sets[at].last() == Some(&join) {
                        break; // another predecessor's runner came by here and did the rest
                    }
                    sets[at].push(join);
                    runner = tree.idom(at);
                }
            }
        }
        Frontiers { sets }
    }

    /// Sets that were found in another way, each in ascending block order.
    pub(crate) fn from_sets(sets: IdVec<Block, Vec<Block>>) -> Frontiers {
        Frontiers { sets }
    }

    /// DF(block).
    pub fn of(&self, block: Block) -> &[Block] {
        &self.sets[block]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{block, graph};

    #[test]
    fn the_six_blocks_of_the_literature() {
        // B0 → B1 → {B2, B3} → B4 → {B1, B5}
        let func = graph(6, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)]);
        let tree = DominatorTree::new(&func);
        let frontiers = Frontiers::new(&func, &Cfg::new(&func), &tree);
        let expected: [&[usize]; 6] = [&[], &[1], &[4], &[4], &[1], &[]];
        for (b, expected) in expected.into_iter().enumerate() {
            assert_eq!(frontiers.of(block(b)), expected.iter().map(|&i| block(i)).collect::<Vec<_>>(), "DF(B{b})");
        }
    }
}
