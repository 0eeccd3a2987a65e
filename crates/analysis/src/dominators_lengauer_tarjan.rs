//! Dominators by semidominators and buckets: the algorithm of Lengauer and Tarjan, with path compression.
//!
//! Number the blocks in depth-first preorder; from here on a vertex is its number. `parent(w)` is its parent in the search tree,
//! `pred(w)` are its predecessors. The *semidominator* `semi(w)` is the least `v` with a path from `v` to `w` on which everything
//! between is larger than `w`. Vertices are taken from the last to the first:
//!
//! * `semi(w)` is the least of `semi(eval(v))` over `v` in `pred(w)`, where `eval(v)` is the vertex of least semidominator on the way
//!   from `v` up to, but without, the root of its tree in the forest of the vertices that are done (`link_eval`).
//! * `w` waits in `bucket(semi(w))` until its immediate dominator can be said.
//! * `link(parent(w), w)` puts the tree of `w` under its parent. Now all that lies between the members `v` of `bucket(parent(w))`
//!   and `parent(w) = semi(v)` is in the forest. Let `u = eval(v)`. If `semi(u) = semi(v)`, no detour begins above the
//!   semidominator, which is the immediate dominator; otherwise it is that of `u`, to be filled in later.
//!
//! At the end, from the first vertex to the last, what was left open is filled in: `dom(w) = dom(dom(w))`.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* O(edges · log blocks), whatever the graph.
//! *Source:* T. Lengauer, R. Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979, sections 3 and 4 and the
//! simple versions of LINK and EVAL. *Leaves:* unreachable blocks have no immediate dominator.
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

const NONE: u32 = u32::MAX;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    find(func, cfg).tree(func)
}

pub(crate) fn find(func: &Func, cfg: &Cfg) -> Found {
    // Step 1: the search.
    let search = DepthFirst::new(func);
    let vertex = search.preorder;
    let number = numbers_of(&vertex, func.block_count());
    let parent: Vec<u32> = vertex.iter().map(|&v| search.parent[v].map_or(NONE, |p| number[p])).collect();

    let mut forest = Forest::new(vertex.len());
    let mut bucket = Buckets { first: vec![NONE; vertex.len()], next: vec![NONE; vertex.len()] };
    let mut dom = vec![NONE; vertex.len()];
    for w in (1..vertex.len()).rev() {
        // Step 2: the semidominator.
        let pred = cfg.predecessors(func, vertex[w]).map(|p| number[p]);
        forest.find_semi(w as u32, pred.filter(|&v| v != UNREACHABLE));
        bucket.add(forest.semi[w], w as u32);
        forest.link(parent[w], w as u32);
        // Step 3: the immediate dominator, or a vertex that has the same.
        while let Some(v) = bucket.take(parent[w]) {
            let u = forest.eval(v);
            dom[v as usize] = if forest.semi[u as usize] < forest.semi[v as usize] { u } else { parent[w] };
        }
    }
    // Step 4: what was left open.
    for w in 1..vertex.len() {
        if dom[w] != forest.semi[w] {
            dom[w] = dom[dom[w] as usize];
        }
    }
    Found { vertex, semi: forest.semi, dom }
}

/// A vertex is in one bucket at most: lists through the vertices.
struct Buckets {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Buckets {
    fn add(&mut self, bucket: u32, v: u32) {
        self.next[v as usize] = std::mem::replace(&mut self.first[bucket as usize], v);
    }

    fn take(&mut self, bucket: u32) -> Option<u32> {
        let v = self.first[bucket as usize];
        if v == NONE {
            return None;
        }
        self.first[bucket as usize] = self.next[v as usize];
        Some(v)
    }
}
