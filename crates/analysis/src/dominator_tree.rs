//! The dominator tree: what every algorithm for dominators gives, and the questions that it answers.
//!
//! Block `a` *dominates* `b` if every path from the entry to `b` goes through `a`. The *immediate dominator* of `b` is the
//! nearest block other than `b` that dominates it; these make a tree with the entry as its root. Each block has its place
//! in a preorder walk of the tree, and its descendants follow it without a gap, so that `dominates` is two comparisons.
//!
//! *In:* the immediate dominators. *Out:* the tree, children in layout order. *Keeps:* everything.
//! *Cost:* O(blocks), then O(1) a question. *Leaves:* unreachable blocks are outside the tree: they dominate nothing
//! and nothing dominates them.
//!
//! A loop with a join in it:
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
//! dominators of f
//! block   idom    level  children
//! entry1  -       0      head2
//! head2   entry1  1      left3 right4 join5
//! left3   head2   2
//! right4  head2   2
//! join5   head2   2      exit6
//! exit6   join5   3
//! ```

use crate::dominators_semi_nca;
use mini_base::ids::{Id, IdVec};
use mini_base::lists::Lists;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

/// The number of a block that is not numbered, because control can't reach it.
pub const UNREACHABLE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    idom: Option<Block>,
    /// Place in the preorder walk.
    number: u32,
    /// The largest number in the subtree.
    last: u32,
    /// Distance from the root.
    level: u32,
}

/// The dominator tree of a function, valid until its blocks or edges change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DominatorTree {
    nodes: IdVec<Block, Node>,
    children: Lists<Block, Block>,
    preorder: Vec<Block>,
}

impl DominatorTree {
    /// Computes the tree with the default algorithm, semi-NCA.
    pub fn new(func: &Func) -> DominatorTree {
        dominators_semi_nca::dominators(func, &Cfg::new(func))
    }

    /// Makes the tree from the immediate dominators; `None` for the entry and for unreachable blocks.
    pub fn from_idoms(func: &Func, idoms: &IdVec<Block, Option<Block>>) -> DominatorTree {
        DominatorTree::from_roots(func, idoms, &[func.entry()])
    }

    /// The same for a forest, whose roots have no immediate dominator.
    pub(crate) fn from_roots(func: &Func, idoms: &IdVec<Block, Option<Block>>, roots: &[Block]) -> DominatorTree {
        let blank = Node { idom: None, number: UNREACHABLE, last: UNREACHABLE, level: 0 };
        let mut nodes = IdVec::filled(blank, func.block_count());
        // Children are in layout order.
        for block in func.blocks() {
            nodes[block].idom = idoms[block];
        }
        let below = func.blocks().filter_map(|block| Some((idoms[block]?, block)));
        let children = Lists::new(func.block_count(), below);
        let mut preorder = Vec::with_capacity(func.block_count());
        let mut stack: Vec<Block> = roots.iter().rev().copied().collect();
        while let Some(block) = stack.pop() {
            let level = nodes[block].idom.map_or(0, |parent| nodes[parent].level + 1);
            let node = &mut nodes[block];
            node.number = preorder.len() as u32;
            node.last = node.number;
            node.level = level;
            preorder.push(block);
            stack.extend(children.of(block).iter().rev());
        }
        // A subtree ends where its last child's ends; children come behind their parents in preorder.
        for &block in preorder.iter().rev() {
            if let Some(parent) = nodes[block].idom {
                nodes[parent].last = nodes[parent].last.max(nodes[block].last);
            }
        }
        DominatorTree { nodes, children, preorder }
    }

    /// The entry.
    pub fn root(&self) -> Block {
        self.preorder[0]
    }

    /// The immediate dominator; `None` for the entry and for unreachable blocks.
    #[inline]
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.nodes[block].idom
    }

    /// The blocks whose immediate dominator this is, in layout order.
    #[inline]
    pub fn children(&self, block: Block) -> &[Block] {
        self.children.of(block)
    }

    /// Whether control can reach the block.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.nodes[block].number != UNREACHABLE
    }

    /// Whether `a` dominates `b`; every reachable block dominates itself.
    #[inline]
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (&self.nodes[a], &self.nodes[b]);
        a.number <= b.number && b.number <= a.last && b.number != UNREACHABLE
    }

    /// Whether `a` dominates `b` and is another block.
    #[inline]
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The distance from the root; 0 for unreachable blocks.
    #[inline]
    pub fn level(&self, block: Block) -> u32 {
        self.nodes[block].level
    }

    /// The place of the block in [`DominatorTree::preorder`]; [`UNREACHABLE`] for blocks that are not in it.
    #[inline]
    pub fn preorder_number(&self, block: Block) -> u32 {
        self.nodes[block].number
    }

    /// The number of the last block in [`DominatorTree::preorder`] that this one dominates; the block must be reachable.
    #[inline]
    pub fn last_preorder_number(&self, block: Block) -> u32 {
        self.nodes[block].last
    }

    /// The reachable blocks, each before those that it dominates.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The nearest block that dominates both. Both must be reachable. O(depth).
    pub fn common_dominator(&self, mut a: Block, mut b: Block) -> Block {
        while !self.dominates(a, b) {
            if self.level(a) < self.level(b) {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.idom(a).expect("the root dominates every reachable block");
        }
        a
    }

    /// One more than the largest block id of the function.
    pub fn block_count(&self) -> usize {
        self.nodes.len()
    }
}

/// For each block its place in `order`; [`UNREACHABLE`] for blocks that are not in it.
pub(crate) fn numbers_of(order: &[Block], block_count: usize) -> IdVec<Block, u32> {
    let mut numbers = IdVec::filled(UNREACHABLE, block_count);
    for (number, &block) in order.iter().enumerate() {
        debug_assert!(block.index() < block_count);
        numbers[block] = number as u32;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{block, graph};

    #[test]
    fn children_stand_in_layout_order_and_unreachable_blocks_outside() {
        let func = graph(6, &[(0, 2), (0, 1), (1, 3), (2, 3), (4, 3), (5, 5)]);
        let tree = DominatorTree::new(&func);
        assert_eq!(tree.children(block(0)), [1, 2, 3].map(block));
        assert!(
            !tree.is_reachable(block(4)) && !tree.dominates(block(4), block(4)) && !tree.dominates(block(0), block(5))
        );
        assert_eq!(tree.common_dominator(block(1), block(3)), block(0));
        assert_eq!(tree.level(block(3)), 1);
    }
}
