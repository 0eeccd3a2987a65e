//! LINK and EVAL: the forest that finds semidominators, for all algorithms that are made of them.
//!
//! Vertices are numbered in depth-first preorder, and done from the last to the first. A vertex that is done is linked under its
//! parent in the search tree, so that the forest is made of pieces of that tree. `eval(v)` gives the vertex of least
//! semidominator on the way from `v` up to, but without, the root of its tree; a root gives itself. Each way that was
//! gone is *compressed*: its vertices are moved under the root, and each remembers in its `label` the best of those it skips.
//!
//! The *semidominator* `semi(w)` is the least `v` with a path from `v` to `w` on which everything between is larger than `w`. It is
//! the least of `semi(eval(v))` over the predecessors `v` of `w`, where `semi(v)` is `v` as long as `v` is not done.
//!
//! *In:* vertices, their parents and predecessors as numbers. *Out:* semidominators. *Keeps:* everything.
//! *Cost:* O(edges · log vertices) for all calls together. Balanced linking would make that O(edges · α(edges, vertices)), α the
//! inverse of Ackermann's function, with another 30 lines.
//! *Source:* T. Lengauer, R. Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979, section 3 (theorem 4 for the
//! equation) and the simple versions of LINK and EVAL in section 4.
//! *Leaves:* immediate dominators: `dominators_lengauer_tarjan`, `dominators_semi_nca` and `postdominators` find them in two ways.
//!
//! A search tree 0 – 1 – 2 – 3 – 4, a single way down:
//! ```text
//! semi(4) = 2
//! link(3, 4)
//! eval(4) = 4
//! semi(3) = 0
//! link(2, 3)
//! eval(4) = 3
//! ancestor(4) = 2
//! semi(2) = 1
//! link(1, 2)
//! eval(4) = 3
//! eval(2) = 2
//! ancestor(4) = 1
//! ```

use crate::dominator_tree::DominatorTree;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// The vertices that are done, linked by (compressed) edges of the search tree.
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

    /// Finds semi(w) from the predecessors of w. All larger vertices are done.
    pub fn find_semi(&mut self, w: u32, predecessors: impl Iterator<Item = u32>) {
        for v in predecessors {
            let u = self.eval(v);
            self.semi[w as usize] = self.semi[w as usize].min(self.semi[u as usize]);
        }
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

/// What was found: block, semidominator and immediate dominator of each vertex. Vertex 0, the entry, has none: what stands there
/// means nothing.
pub(crate) struct Found {
    pub vertex: Vec<Block>,
    #[cfg_attr(not(test), expect(dead_code, reason = "the examples show it"))]
    pub semi: Vec<u32>,
    pub dom: Vec<u32>,
}

impl Found {
    /// The same as a tree.
    pub fn tree(self, func: &Func) -> DominatorTree {
        let mut idoms: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
        for w in 1..self.vertex.len() {
            idoms[self.vertex[w]] = Some(self.vertex[self.dom[w] as usize]);
        }
        DominatorTree::from_idoms(func, &idoms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_true() {
        let fenced = mini_ir::testing::fenced(include_str!("link_eval.rs"));
        let mut forest = Forest::new(5);
        for line in fenced[0].lines() {
            let numbers = line.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
            let numbers: Vec<u32> = numbers.map(|n| n.parse().expect("a vertex")).collect();
            let [a, b] = numbers[..] else { panic!("two vertices, not {line}") };
            match line.split('(').next() {
                Some("semi") => forest.semi[a as usize] = b,
                Some("link") => forest.link(a, b),
                Some("eval") => assert_eq!(forest.eval(a), b, "{line}"),
                Some("ancestor") => assert_eq!(forest.ancestor[a as usize], b, "{line}"),
                _ => panic!("what is {line}?"),
            }
        }
    }
}
