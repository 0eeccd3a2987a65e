//! The post-dominator tree: dominators of the reversed graph.
//!
//! Block `a` *post-dominates* `b` if every path from `b` to the exit goes through `a`. The exit is virtual: every block
//! without successors leads to it. Blocks that never get there are handled by this convention: among the reachable
//! blocks, take each strongly connected component that has no way out; its first block in reverse postorder, the head of an
//! endless loop, is thought to lead to the exit. So every reachable block is in the tree, and an endless loop looks like one that
//! is left at its head.
//!
//! Those components are found by two walks backwards. In the first, each block that was not met yet, in reverse postorder, is a
//! candidate, and everything that leads to it is met. The last candidate is in a component without a way out: all that
//! it leads to was not met before it, nor became a candidate behind it, and so leads back to it. Candidates that do not
//! lead to later ones are the heads (the argument of Kosaraju's algorithm for components).
//!
//! The tree itself is found as in `dominators_semi_nca`, with successors for predecessors.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`PostDominatorTree`]. *Keeps:* everything.
//! *Cost:* that of `dominators_semi_nca`: O(edges · log blocks), but for walks that are quadratic in the worst case.
//! *Source:* L. Georgiadis, Linear-Time Algorithms for Dominators and Related Problems, 2005, section 2.3; M. Sharir, A strong-connectivity
//! algorithm and its applications in data flow analysis, 1981, for the components. *Leaves:* unreachable blocks are outside the
//! tree, and as successors they do not occur.
//!
//! ```text
//! func wait(a: bool, b: bool) {
//! entry1:
//!   br a, head2, work4
//! head2:
//!   jmp body3
//! body3:
//!   jmp head2
//! work4:
//!   br b, work4, end5
//! end5:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! post-dominators of wait
//! block   ipdom   level  children
//! (exit)  -       0      entry1 head2 end5
//! entry1  (exit)  1
//! head2   (exit)  1      body3
//! body3   head2   2
//! end5    (exit)  1      work4
//! work4   end5    2
//! endless: head2
//! ```

use crate::dominator_tree::{DominatorTree, numbers_of};
use crate::link_eval::Forest;
use crate::orders::reverse_postorder;
use mini_base::bitset::BitSet;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

/// The post-dominator tree, the virtual exit left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDominatorTree {
    forest: DominatorTree,
    roots: Vec<Block>,
    endless: Vec<Block>,
}

impl PostDominatorTree {
    /// Computes the tree.
    pub fn new(func: &Func, cfg: &Cfg) -> PostDominatorTree {
        let rpo = reverse_postorder(func);
        let endless = endless_heads(func, cfg, &rpo);
        let mut to_exit = BitSet::new(func.block_count());
        for &block in rpo.iter().filter(|&&b| is_exit(func, b)).chain(&endless) {
            to_exit.insert(block);
        }
        let ipdoms = immediate_post_dominators(func, cfg, &rpo, &to_exit);
        let roots: Vec<Block> = rpo.iter().copied().filter(|&b| ipdoms[b].is_none()).collect();
        PostDominatorTree { forest: DominatorTree::from_roots(func, &ipdoms, &roots), roots, endless }
    }

    /// The immediate post-dominator; `None` for the virtual exit, and for unreachable blocks.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.forest.idom(block)
    }

    /// Whether `a` post-dominates `b`; every reachable block post-dominates itself.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.forest.dominates(a, b)
    }

    /// The blocks whose immediate post-dominator this is, in layout order.
    pub fn children(&self, block: Block) -> &[Block] {
        self.forest.children(block)
    }

    /// The blocks whose immediate post-dominator is the virtual exit, in reverse postorder of the function.
    pub fn roots(&self) -> &[Block] {
        &self.roots
    }

    /// The distance from the virtual exit; 0 for unreachable blocks.
    pub fn level(&self, block: Block) -> u32 {
        if self.is_reachable(block) { self.forest.level(block) + 1 } else { 0 }
    }

    /// Whether the block is in the tree: whether the entry leads to it.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.forest.is_reachable(block)
    }

    /// The reachable blocks, each before those that it post-dominates.
    pub fn preorder(&self) -> &[Block] {
        self.forest.preorder()
    }

    /// The blocks that are thought to lead to the exit, because nothing that they lead to does.
    pub fn endless(&self) -> &[Block] {
        &self.endless
    }
}

/// The first block of each reachable component that has no way out and is no exit, in reverse postorder.
fn endless_heads(func: &Func, cfg: &Cfg, rpo: &[Block]) -> Vec<Block> {
    let mut search = Backwards::new(func, cfg, rpo);
    for &exit in rpo.iter().filter(|&&b| is_exit(func, b)) {
        search.walk(exit);
    }
    let leads_to_exit = search.met.clone();
    let candidates: Vec<Block> = rpo.iter().copied().filter(|&block| search.walk(block)).collect();
    search.met = leads_to_exit;
    let mut heads: Vec<Block> = candidates.into_iter().rev().filter(|&block| search.walk(block)).collect();
    heads.reverse();
    heads
}

/// ipdom(b) of every block; `None` where it is the virtual exit.
fn immediate_post_dominators(
    func: &Func,
    cfg: &Cfg,
    rpo: &[Block],
    to_exit: &BitSet<Block>,
) -> IdVec<Block, Option<Block>> {
    let mut search = Backwards::new(func, cfg, rpo);
    for &block in rpo.iter().filter(|&&b| to_exit.contains(b)) {
        search.walk(block);
    }
    // Blocks are known by their preorder number from here on; the virtual exit is 0.
    let vertex = &search.preorder;
    let number = numbers_of(vertex, func.block_count());
    let number = |block: Block| number[block] + 1;
    let mut ipdom: Vec<u32> = vec![0];
    ipdom.extend(vertex.iter().map(|&w| search.parent[w].map_or(0, number)));

    let mut forest = Forest::new(vertex.len() + 1);
    for w in (1..=vertex.len()).rev() {
        let block = vertex[w - 1];
        let virtual_exit = to_exit.contains(block).then_some(0);
        let next = func.successors(block).map(|edge| number(func.edge_target(edge)));
        forest.find_semi(w as u32, virtual_exit.into_iter().chain(next));
        forest.link(ipdom[w], w as u32);
    }
    let mut result: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    for w in 1..=vertex.len() {
        // `ipdom[w]` starts as the parent; everything with a smaller number is final.
        while ipdom[w] > forest.semi[w] {
            ipdom[w] = ipdom[ipdom[w] as usize];
        }
        result[vertex[w - 1]] = (ipdom[w] as usize).checked_sub(1).map(|at| vertex[at]);
    }
    result
}

/// Whether control ends in the block.
fn is_exit(func: &Func, block: Block) -> bool {
    func.successors(block).len() == 0
}

/// A depth-first search against the edges, among the blocks that the entry reaches.
struct Backwards<'a> {
    func: &'a Func,
    cfg: &'a Cfg,
    /// Where it has been, and where it must not go.
    met: BitSet<Block>,
    preorder: Vec<Block>,
    parent: IdVec<Block, Option<Block>>,
}

impl<'a> Backwards<'a> {
    fn new(func: &'a Func, cfg: &'a Cfg, reachable: &[Block]) -> Backwards<'a> {
        let mut met = BitSet::new(func.block_count());
        for block in func.blocks() {
            met.insert(block);
        }
        for &block in reachable {
            met.remove(block);
        }
        Backwards { func, cfg, met, preorder: Vec::new(), parent: IdVec::filled(None, func.block_count()) }
    }

    /// Meets everything that leads to the block and was not met yet; false if the block itself was.
    fn walk(&mut self, from: Block) -> bool {
        if !self.met.insert(from) {
            return false;
        }
        self.preorder.push(from);
        let mut stack = vec![(from, self.cfg.predecessors(self.func, from))];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.next() {
                Some(predecessor) if self.met.insert(predecessor) => {
                    self.preorder.push(predecessor);
                    self.parent[predecessor] = Some(*block);
                    stack.push((predecessor, self.cfg.predecessors(self.func, predecessor)));
                }
                Some(_) => {}
                None => {
                    stack.pop();
                }
            }
        }
        true
    }
}
