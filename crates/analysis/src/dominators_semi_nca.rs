//! Dominators by semidominators and nearest common ancestors: semi-NCA, the default.
//!
//! Number the blocks in depth-first preorder. The *semidominator* of `w` is the least `v` with a path from `v` to `w` on which
//! everything between is larger than `w`: where the least of the detours around `w`'s tree path begins. As in Lengauer and
//! Tarjan, whose forest this is, semidominators are found from the last block to the first: `eval(v)` gives
//! the block of least semidominator on the way from `v` up to its root. Their buckets are not needed: from the first block
//! to the last, the immediate dominator is the nearest common ancestor, in the dominator tree so far, of `w`'s parent and its
//! semidominator: walk up from the parent until the number is no larger than the semidominator.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* O(edges · log blocks) for the semidominators (path compression without balancing); the walks of the last step are
//! quadratic in the worst case and about linear on every graph met in practice.
//! *Source:* L. Georgiadis, Linear-Time Algorithms for Dominators and Related Problems, 2005, section 2.3; T. Lengauer and
//! R. Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979, for `link` and `eval`.
//! *Leaves:* unreachable blocks have no immediate dominator.
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
use crate::dominators_lengauer_tarjan::Forest;
use crate::orders::DepthFirst;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    // Blocks are known by their preorder number from here on; the entry is 0.
    let search = DepthFirst::new(func);
    let vertex = &search.preorder;
    let number = numbers_of(vertex, func.block_count());
    let parent: Vec<u32> = vertex.iter().map(|&v| search.parent[v].map_or(NONE, |p| number[p])).collect();

    let mut forest = Forest::new(vertex.len());
    for w in (1..vertex.len()).rev() {
        for v in cfg.predecessors(func, vertex[w]) {
            let v = number[v];
            if v != NONE {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
            }
        }
        forest.link(parent[w], w as u32);
    }

    let mut idom = parent;
    for w in 1..vertex.len() {
        // `idom[w]` starts as the parent; everything with a smaller number is final.
        while idom[w] > forest.semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
    }

    let mut idoms: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    for w in 1..vertex.len() {
        idoms[vertex[w]] = Some(vertex[idom[w] as usize]);
    }
    DominatorTree::from_idoms(func, &idoms)
}
