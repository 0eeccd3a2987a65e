//! Dominators by semidominators and nearest common ancestors: semi-NCA, the default.
//!
//! Number the blocks in depth-first preorder. The *semidominator* of `w` is the least `v` with a path from `v` to `w` on which
//! everything between is larger than `w`. As in Lengauer and Tarjan, semidominators are found from the last block to the first, by
//! `link` and `eval` (`link_eval`): `eval(v)` gives the block of least semidominator on the way from `v` up to, but without, the root
//! of its tree. Their buckets are not needed: from the first block to the last, the immediate dominator is the nearest common
//! ancestor, in the dominator tree so far, of `w`'s parent and its semidominator: walk up from the parent until the number is no
//! larger than the semidominator.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* O(edges · log blocks) for the semidominators (path compression without balancing); the walks of the last step are
//! quadratic in the worst case and about linear on every graph met in practice.
//! *Source:* L. Georgiadis, Linear-Time Algorithms for Dominators and Related Problems, 2005, section 2.3; T. Lengauer and
//! R. Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979, for `link` and `eval`.
//! *Leaves:* unreachable blocks have no immediate dominator.
//!
//! The cross edge from `right3` makes `left2` the semidominator of `join4`, but not its dominator:
//! ```text
//! func f(c: bool, d: bool) {
//! entry1:
//!   br c, right3, left2
//! left2:
//!   br d, join4, right3
//! right3:
//!   jmp join4
//! join4:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! semidominators of f
//! number  vertex  semi    dom
//! 0       entry1  -       -
//! 1       left2   entry1  entry1
//! 2       right3  entry1  entry1
//! 3       join4   left2   entry1
//! ```

use crate::dominator_tree::{DominatorTree, UNREACHABLE, numbers_of};
use crate::link_eval::{Forest, Found};
use crate::orders::DepthFirst;
use mini_ir::cfg::Cfg;
use mini_ir::func::Func;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    find(func, cfg).tree(func)
}

pub(crate) fn find(func: &Func, cfg: &Cfg) -> Found {
    // Blocks are known by their preorder number from here on; the entry is 0.
    let search = DepthFirst::new(func);
    let vertex = search.preorder;
    let number = numbers_of(&vertex, func.block_count());
    let parent: Vec<u32> = vertex.iter().map(|&v| search.parent[v].map_or(0, |p| number[p])).collect();

    let mut forest = Forest::new(vertex.len());
    for w in (1..vertex.len()).rev() {
        let pred = cfg.predecessors(func, vertex[w]).map(|p| number[p]);
        forest.find_semi(w as u32, pred.filter(|&v| v != UNREACHABLE));
        forest.link(parent[w], w as u32);
    }

    let mut dom = parent;
    for w in 1..vertex.len() {
        // `dom[w]` starts as the parent; everything with a smaller number is final.
        while dom[w] > forest.semi[w] {
            dom[w] = dom[dom[w] as usize];
        }
    }
    Found { vertex, semi: forest.semi, dom }
}
