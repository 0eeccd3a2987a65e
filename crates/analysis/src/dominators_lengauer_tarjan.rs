//! Dominators by semidominators and buckets: the algorithm of Lengauer and Tarjan, with path compression.
//!
//! Number the blocks in depth-first preorder; from here on a vertex is its number. `parent(w)` is its parent in the search tree,
//! `pred(w)` are its predecessors. The *semidominator* `semi(w)` is the least `v` with a path from `v` to `w` on which everything
//! between is larger than `w`. Vertices are taken from the last to the first:
//!
//! * `semi(w)` is the least of `semi(eval(v))` over `v` in `pred(w)`, where `eval(v)` is the vertex of least semidominator on the way
//!   from `v` up to, but without, the root of its tree in the forest of the vertices that are done (`v` itself, if that is a root).
//! * `w` waits in `bucket(semi(w))` until its immediate dominator can be said.
//! * `link(parent(w), w)` puts the tree of `w` under its parent. Now all that lies between the members `v` of `bucket(parent(w))`
//!   and `parent(w) = semi(v)` is in the forest. Let `u = eval(v)`. If `semi(u) = semi(v)`, no detour begins above the
//!   semidominator, which is the immediate dominator; otherwise it is that of `u`, to be filled in later.
//!
//! At the end, from the first vertex to the last, what was left open is filled in: `dom(w) = dom(dom(w))`.
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* O(edges · log blocks), whatever the graph. Balanced linking would make that O(edges · α(edges, blocks)), α the inverse
//! of Ackermann's function, with another 30 lines; the paper itself found it no faster below some thousand vertices.
//! *Source:* T. Lengauer, R. Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979, sections 3 and 4 and the
//! simple versions of LINK and EVAL. *Leaves:* unreachable blocks have no immediate dominator.
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
use crate::orders::DepthFirst;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    // Step 1: the search.
    let search = DepthFirst::new(func);
    let vertex = &search.preorder;
    let number = numbers_of(vertex, func.block_count());
    let parent: Vec<u32> = vertex.iter().map(|&v| search.parent[v].map_or(NONE, |p| number[p])).collect();

    let mut forest = Forest::new(vertex.len());
    let mut bucket = Buckets { first: vec![NONE; vertex.len()], next: vec![NONE; vertex.len()] };
    let mut dom = vec![NONE; vertex.len()];
    for w in (1..vertex.len()).rev() {
        // Step 2: the semidominator.
        for v in cfg.predecessors(func, vertex[w]) {
            let v = number[v];
            if v != NONE {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
            }
        }
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

    let mut idoms: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    for w in 1..vertex.len() {
        idoms[vertex[w]] = Some(vertex[dom[w] as usize]);
    }
    DominatorTree::from_idoms(func, &idoms)
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

/// The forest of the vertices that are done, linked by (compressed) tree edges. Semi-NCA has the same.
pub(crate) struct Forest {
    /// The semidominator, or what is known of it; at first the vertex itself.
    pub semi: Vec<u32>,
    ancestor: Vec<u32>,
    /// The vertex of least semidominator between a vertex and its ancestor, the ancestor left out.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// Each vertex a tree of its own.
    pub fn new(len: usize) -> Forest {
        let own: Vec<u32> = (0..len as u32).collect();
        Forest { semi: own.clone(), ancestor: vec![NONE; len], label: own, path: Vec::new() }
    }

    /// Puts the tree of which `child` is the root under `parent`.
    pub fn link(&mut self, parent: u32, child: u32) {
        self.ancestor[child as usize] = parent;
    }

    /// The vertex of least semidominator on the way from `v` up to, but without, the root of its tree; a root gives itself.
    pub fn eval(&mut self, v: u32) -> u32 {
        let Forest { semi, ancestor, label, path } = self;
        // COMPRESS: everything on the way that is not a child of the root is moved under the root, top first.
        let mut u = v;
        while ancestor[u as usize] != NONE && ancestor[ancestor[u as usize] as usize] != NONE {
            path.push(u);
            u = ancestor[u as usize];
        }
        while let Some(w) = path.pop() {
            let above = ancestor[w as usize] as usize;
            if semi[label[above] as usize] < semi[label[w as usize] as usize] {
                label[w as usize] = label[above];
            }
            ancestor[w as usize] = ancestor[above];
        }
        label[v as usize]
    }
}
