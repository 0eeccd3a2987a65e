//! Iterated dominance frontiers without frontiers: where a variable needs phis.
//!
//! The iterated dominance frontier DF⁺(X) is the least set with DF⁺(X) = DF(X ∪ DF⁺(X)). The *DJ graph* is the dominator
//! tree (D edges) with all other edges of the control flow (J edges). For a block `x` at level `l` of the tree, DF(x)
//! is what J edges out of `x`'s subtree reach at level `l` or above. Take the blocks of X from a *piggybank* in order of
//! falling level, walk the subtree of each, and put each new member of the result into the bank too. A block that was
//! walked for a deeper root need not be walked again: what its J edges reach at levels nearer the root is in the result by then.
//!
//! The walk can be kept to the blocks at whose start the variable is live; this gives DF⁺(X) restricted to these
//! blocks (pruned SSA). It loses nothing: if the variable is live on the J edge `p → y`, then it is live at the start
//! of every block between `p` and the nearest block above that defines it, be it by a phi.
//!
//! *In:* a function of any phase, its dominator tree, the set X. *Out:* DF⁺(X), in order of discovery. *Keeps:* everything.
//! *Cost:* O(children and edges of the walked blocks + |X ∪ DF⁺(X)| · log), for each X; no set is ever larger than the result.
//! *Source:* V. Sreedhar, G. Gao, A Linear Time Algorithm for Placing φ-Nodes, 1995, sections 3 and 4. Our bank is a heap;
//! theirs has a list for each level, which costs the depth of the tree for each variable.
//! *Leaves:* unreachable blocks.
//!
//! The join is in the frontier of `left3`, and the head in that of the join:
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
//! DF⁺({left3}) = {join5 head2}
//! ```

use crate::dominator_tree::DominatorTree;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The algorithm with its marks, to be used for one variable after the other.
#[derive(Clone, Debug)]
pub struct IteratedFrontier<'a> {
    func: &'a Func,
    tree: &'a DominatorTree,
    /// Which call this is; a mark holds when it equals the call's number.
    call: u32,
    visited: IdVec<Block, u32>,
    /// Has been in the bank.
    banked: IdVec<Block, u32>,
    placed: IdVec<Block, u32>,
    /// Blocks by falling level, then by preorder number.
    piggybank: BinaryHeap<(u32, Reverse<u32>)>,
    worklist: Vec<Block>,
    result: Vec<Block>,
}

impl<'a> IteratedFrontier<'a> {
    /// Marks for a function and its tree.
    pub fn new(func: &'a Func, tree: &'a DominatorTree) -> IteratedFrontier<'a> {
        let unmarked = IdVec::filled(0, func.block_count());
        IteratedFrontier {
            func,
            tree,
            call: 0,
            visited: unmarked.clone(),
            banked: unmarked.clone(),
            placed: unmarked,
            piggybank: BinaryHeap::new(),
            worklist: Vec::new(),
            result: Vec::new(),
        }
    }

    /// DF⁺(X).
    pub fn of(&mut self, x: &[Block]) -> &[Block] {
        self.within(x, |_| true)
    }

    /// DF⁺(X) restricted to the blocks at whose start the variable defined in X is live.
    pub fn within(&mut self, x: &[Block], live: impl Fn(Block) -> bool) -> &[Block] {
        self.call += 1;
        self.result.clear();
        for &block in x {
            if self.tree.is_reachable(block) {
                self.bank(block);
            }
        }
        while let Some((root_level, Reverse(root))) = self.piggybank.pop() {
            let root = self.tree.preorder()[root as usize];
            self.visited[root] = self.call;
            self.worklist.push(root);
            while let Some(block) = self.worklist.pop() {
                for edge in self.func.successors(block) {
                    // D edges lead below the root's level and fall out here.
                    let y = self.func.edge_target(edge);
                    if self.tree.level(y) <= root_level && self.placed[y] != self.call && live(y) {
                        self.placed[y] = self.call;
                        self.result.push(y);
                        self.bank(y);
                    }
                }
                for &child in self.tree.children(block) {
                    if self.visited[child] != self.call && live(child) {
                        self.visited[child] = self.call;
                        self.worklist.push(child);
                    }
                }
            }
        }
        &self.result
    }

    fn bank(&mut self, block: Block) {
        if self.banked[block] != self.call {
            self.banked[block] = self.call;
            self.piggybank.push((self.tree.level(block), Reverse(self.tree.preorder_number(block))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Frontiers;
    use crate::iterated_frontier_worklist::Worklist;
    use crate::live_blocks::LiveBlocks;
    use crate::sample_graphs::{block, graph, nested_loops, random_edges};
    use mini_base::testing::Random;
    use mini_ir::cfg::Cfg;

    /// DF⁺(X) by its definition: the least set with DF⁺(X) = DF(X ∪ DF⁺(X)).
    fn closure(frontiers: &Frontiers, x: &[Block]) -> Vec<Block> {
        let mut result: Vec<Block> = Vec::new();
        loop {
            let mut df: Vec<Block> = x.iter().chain(&result).flat_map(|&b| frontiers.of(b)).copied().collect();
            df.sort();
            df.dedup();
            if df == result {
                return result;
            }
            result = df;
        }
    }

    #[test]
    fn is_the_closure_of_the_frontiers_and_pruning_keeps_what_is_live() {
        let mut random = Random(4);
        let mut placed = 0;
        for _ in 0..400 {
            let count = 1 + random.below(14);
            let edges = random_edges(&mut random, count);
            let func = graph(count, &edges);
            let cfg = Cfg::new(&func);
            let tree = DominatorTree::new(&func);
            let frontiers = Frontiers::new(&func, &cfg, &tree);
            let mut iterated = IteratedFrontier::new(&func, &tree);
            let mut worklist = Worklist::new(&func, &frontiers);
            let mut live = LiveBlocks::new(&func);
            for _ in 0..6 {
                let pick = |random: &mut Random| -> Vec<Block> {
                    (0..count).map(block).filter(|&b| tree.is_reachable(b) && random.below(3) == 0).collect()
                };
                let (x, uses) = (pick(&mut random), pick(&mut random));
                let expected = closure(&frontiers, &x);
                let mut actual = iterated.of(&x).to_vec();
                actual.sort();
                assert_eq!(actual, expected, "X = {x:?} in {edges:?}");
                let mut actual = worklist.of(&x);
                actual.sort();
                assert_eq!(actual, expected, "by the worklist: X = {x:?} in {edges:?}");

                live.find(&func, &cfg, &x, &uses);
                let mut pruned = iterated.within(&x, |b| live.contains(b)).to_vec();
                pruned.sort();
                let expected: Vec<Block> = expected.into_iter().filter(|&b| live.contains(b)).collect();
                assert_eq!(pruned, expected, "X = {x:?}, uses = {uses:?} in {edges:?}");
                placed += pruned.len();
            }
        }
        assert!(placed > 500, "the graphs must be worth testing");
    }

    #[test]
    fn quadratic_frontiers_are_not_made() {
        let depth = 200_000;
        let func = nested_loops(depth);
        let tree = DominatorTree::new(&func);
        let mut iterated = IteratedFrontier::new(&func, &tree);
        // The innermost body needs a phi at every head (head `depth` is the body itself, a loop of one).
        assert_eq!(iterated.of(&[block(depth)]).len(), depth);
    }
}
