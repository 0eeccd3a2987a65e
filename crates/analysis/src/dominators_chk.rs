//! Dominators by iteration over reverse postorder: the simple algorithm of Cooper, Harvey and Kennedy.
//!
//! The immediate dominator of `b` is the nearest common ancestor, in the tree so far, of `b`'s processed predecessors;
//! repeat over reverse postorder until nothing changes. `intersect` finds that ancestor with two fingers that walk up
//! until they meet; postorder numbers tell which finger is lower.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* O(edges × blocks²) in the worst case, O(blocks²) as the paper has it; two or three rounds on ordinary programs, where it
//! is hard to beat.
//! *Source:* K. Cooper, T. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001, figure 3.
//! *Leaves:* unreachable blocks have no immediate dominator. For large or ugly graphs take `dominators_semi_nca`.
//!
//! `left2` and `join4` are a cycle that is entered at both; when `join4` is met first, nothing is known of `left2`:
//! ```text
//! func f(c: bool, d: bool) {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   jmp join4
//! right3:
//!   jmp join4
//! join4:
//!   br d, left2, exit5
//! exit5:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! immediate dominators of f
//! block   round 1  round 2  round 3
//! entry1  entry1   entry1   entry1
//! right3  entry1   entry1   entry1
//! join4   right3   entry1   entry1
//! left2   entry1   entry1   entry1
//! exit5   join4    join4    join4
//! ```

use crate::dominator_tree::{DominatorTree, UNREACHABLE, numbers_of};
use crate::orders::postorder;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

const UNDEFINED: u32 = u32::MAX;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    let mut search = Search::new(func, cfg);
    while search.round() {}
    let mut idoms: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    for b in 0..search.entry() {
        idoms[search.order[b]] = Some(search.idom(b));
    }
    DominatorTree::from_idoms(func, &idoms)
}

/// The tree so far. Blocks are known by their postorder number; the entry has the largest.
pub(crate) struct Search<'a> {
    func: &'a Func,
    cfg: &'a Cfg,
    /// The blocks in postorder.
    pub order: Vec<Block>,
    number: IdVec<Block, u32>,
    doms: Vec<u32>,
}

impl Search<'_> {
    pub fn new<'a>(func: &'a Func, cfg: &'a Cfg) -> Search<'a> {
        let order = postorder(func);
        let number = numbers_of(&order, func.block_count());
        let doms = vec![UNDEFINED; order.len()];
        let mut search = Search { func, cfg, order, number, doms };
        let entry = search.entry();
        search.doms[entry] = entry as u32;
        search
    }

    fn entry(&self) -> usize {
        self.order.len() - 1
    }

    /// Goes once over all blocks but the entry, in reverse postorder; whether something changed.
    pub fn round(&mut self) -> bool {
        let mut changed = false;
        for b in (0..self.entry()).rev() {
            let mut new_idom = UNDEFINED;
            for p in self.cfg.predecessors(self.func, self.order[b]) {
                let p = self.number[p];
                if p == UNREACHABLE || self.doms[p as usize] == UNDEFINED {
                    continue; // or not processed yet in this first round
                }
                new_idom = if new_idom == UNDEFINED { p } else { intersect(&self.doms, p, new_idom) };
            }
            if self.doms[b] != new_idom {
                self.doms[b] = new_idom;
                changed = true;
            }
        }
        changed
    }

    /// The immediate dominator so far, after the first round; the entry has itself.
    pub fn idom(&self, b: usize) -> Block {
        self.order[self.doms[b] as usize]
    }
}

/// The nearest common ancestor of two blocks in the tree so far.
fn intersect(doms: &[u32], b1: u32, b2: u32) -> u32 {
    let (mut finger1, mut finger2) = (b1, b2);
    while finger1 != finger2 {
        while finger1 < finger2 {
            finger1 = doms[finger1 as usize];
        }
        while finger2 < finger1 {
            finger2 = doms[finger2 as usize];
        }
    }
    finger1
}
