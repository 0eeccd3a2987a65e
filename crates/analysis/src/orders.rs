//! Depth-first orders of the blocks: preorder, postorder, reverse postorder, and what is reachable.
//!
//! *In:* a function of any phase. *Out:* the orders, without unreachable blocks. *Keeps:* everything.
//! *Cost:* O(blocks + edges); the stack is explicit, so deep graphs are no danger.
//! *Source:* R. Tarjan, Depth-first search and linear graph algorithms, 1972.
//! *Leaves:* order among siblings is a choice: the last edge of a terminator is followed first, so that reverse
//! postorder names the true branch before the false one, like the source.
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
//! orders of loop
//! preorder:          entry1 head2 exit4 body3
//! postorder:         exit4 body3 head2 entry1
//! reverse postorder: entry1 head2 body3 exit4
//! ```

use mini_base::bitset::BitSet;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func};

/// The result of one depth-first search from the entry.
#[derive(Clone, Debug)]
pub struct DepthFirst {
    /// Blocks in the order in which they are met.
    pub preorder: Vec<Block>,
    /// Blocks in the order in which they are left; each behind all that it leads to by tree, forward and cross edges.
    pub postorder: Vec<Block>,
    /// The block from which each was met; `None` for the entry and for unreachable blocks.
    pub parent: IdVec<Block, Option<Block>>,
}

impl DepthFirst {
    /// Searches a function from its entry.
    pub fn new(func: &Func) -> DepthFirst {
        let mut met = BitSet::new(func.block_count());
        let mut search =
            DepthFirst { preorder: Vec::new(), postorder: Vec::new(), parent: IdVec::filled(None, func.block_count()) };
        let entry = func.entry();
        met.insert(entry);
        search.preorder.push(entry);
        let mut stack = vec![(entry, func.successors(entry))];
        while let Some((block, rest)) = stack.last_mut() {
            let block = *block;
            match rest.next_back() {
                Some(edge) => {
                    let next = func.edge_target(edge);
                    if met.insert(next) {
                        search.preorder.push(next);
                        search.parent[next] = Some(block);
                        stack.push((next, func.successors(next)));
                    }
                }
                None => {
                    search.postorder.push(block);
                    stack.pop();
                }
            }
        }
        search
    }
}

/// The reachable blocks, each behind everything it leads to except by retreating edges.
pub fn postorder(func: &Func) -> Vec<Block> {
    DepthFirst::new(func).postorder
}

/// The reachable blocks, entry first, each before everything it leads to except by retreating edges.
pub fn reverse_postorder(func: &Func) -> Vec<Block> {
    let mut order = postorder(func);
    order.reverse();
    order
}

/// The blocks that control can reach.
pub fn reachable(func: &Func) -> BitSet<Block> {
    let mut met = BitSet::new(func.block_count());
    met.insert(func.entry());
    let mut worklist = vec![func.entry()];
    while let Some(block) = worklist.pop() {
        for edge in func.successors(block) {
            if met.insert(func.edge_target(edge)) {
                worklist.push(func.edge_target(edge));
            }
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{chain, graph};

    #[test]
    fn reverse_postorder_reads_like_the_source() {
        // 0 → 1; 1 → 2, 3; 2 → 1; 4 is unreachable.
        let func = graph(5, &[(0, 1), (1, 2), (1, 3), (2, 1), (4, 1)]);
        let names: Vec<String> = reverse_postorder(&func).into_iter().map(|b| func.label(b)).collect();
        assert_eq!(names, ["b0", "b1", "b2", "b3"]);
        assert_eq!(reachable(&func).count(), 4);
    }

    #[test]
    fn a_chain_of_a_million_blocks_needs_no_stack() {
        assert_eq!(postorder(&chain(1_000_000)).len(), 1_000_000);
    }
}
