//! Dominators by iteration over reverse postorder: the simple algorithm of Cooper, Harvey and Kennedy.
//!
//! The immediate dominator of `b` is the nearest common ancestor, in the tree so far, of `b`'s processed predecessors;
//! repeat over reverse postorder until nothing changes. `intersect` finds that ancestor with two fingers that walk up
//! until they meet; postorder numbers tell which finger is lower.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* O(rounds × edges × depth): quadratic on a few graphs, and hard to beat on those of ordinary programs.
//! *Source:* K. Cooper, T. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001, figure 3.
//! *Leaves:* unreachable blocks have no immediate dominator. For large or ugly graphs take `dominators_semi_nca`.
//!
//! ```text
//! func diamond(c: bool) {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   jmp join4
//! right3:
//!   jmp join4
//! join4:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! dominators of diamond
//! block   idom    level  children
//! entry1  -       0      left2 right3 join4
//! left2   entry1  1
//! right3  entry1  1
//! join4   entry1  1
//! ```

use crate::dominator_tree::{DominatorTree, numbers_of};
use crate::orders::postorder;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

const UNDEFINED: u32 = u32::MAX;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    // Blocks are known by their postorder number from here on; the entry has the largest.
    let order = postorder(func);
    let number = numbers_of(&order, func.block_count());
    let entry = order.len() - 1;
    let mut doms = vec![UNDEFINED; order.len()];
    doms[entry] = entry as u32;
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..entry).rev() {
            let mut new_idom = UNDEFINED;
            for p in cfg.predecessors(func, order[b]) {
                let p = number[p];
                if p == UNDEFINED || doms[p as usize] == UNDEFINED {
                    continue; // unreachable, or not processed in this first round
                }
                new_idom = if new_idom == UNDEFINED { p } else { intersect(&doms, p, new_idom) };
            }
            if doms[b] != new_idom {
                doms[b] = new_idom;
                changed = true;
            }
        }
    }
    let mut idoms: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    for b in 0..entry {
        idoms[order[b]] = Some(order[doms[b] as usize]);
    }
    DominatorTree::from_idoms(func, &idoms)
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
