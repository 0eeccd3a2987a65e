//! Which block dominates which, for the verifier alone.
//!
//! *In:* a function whose structure is sound. *Out:* the answer for any two blocks in O(1). *Cost:* O(edges · log blocks).
//! *Source:* Lengauer and Tarjan 1979, section 3, with path compression and without balancing; names as there.

use crate::cfg::Cfg;
use crate::func::{Block, Func};
use mini_base::ids::Id;

/// The dominator tree as intervals.
pub(super) struct Dominance {
    /// The incoming edges, also needed by the rules.
    pub cfg: Cfg,
    /// Interval of each block in a walk over the tree; `None` if it can't be reached.
    interval: Vec<Option<(u32, u32)>>,
}

const NONE: u32 = u32::MAX;

impl Dominance {
    pub fn new(func: &Func) -> Dominance {
        let cfg = Cfg::new(func);
        let tree = depth_first(func);
        let idom = immediate_dominators(func, &cfg, &tree);
        let spans = intervals(&idom);
        let mut interval = vec![None; func.block_count()];
        for (number, &block) in tree.vertex.iter().enumerate() {
            interval[block.index()] = Some(spans[number]);
        }
        Dominance { cfg, interval }
    }

    pub fn reachable(&self, block: Block) -> bool {
        self.interval[block.index()].is_some()
    }

    /// The number of a block in a preorder walk over the dominator tree; `None` if it can't be reached.
    pub fn preorder(&self, block: Block) -> Option<u32> {
        self.interval[block.index()].map(|(first, _)| first)
    }

    /// Whether every path to `b` goes through `a`. Both must be reachable, otherwise the answer is no.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.interval[a.index()], self.interval[b.index()]) {
            (Some(a), Some(b)) => a.0 <= b.0 && b.1 <= a.1,
            _ => false,
        }
    }
}

/// A depth-first spanning tree; vertices are numbered in the order of their discovery.
struct Tree {
    vertex: Vec<Block>,
    parent: Vec<u32>,
    number: Vec<u32>,
}

fn depth_first(func: &Func) -> Tree {
    let mut tree = Tree { vertex: Vec::new(), parent: Vec::new(), number: vec![NONE; func.block_count()] };
    let mut stack = vec![(func.entry(), NONE)];
    while let Some((block, parent)) = stack.pop() {
        if tree.number[block.index()] != NONE {
            continue;
        }
        let number = tree.vertex.len() as u32;
        tree.number[block.index()] = number;
        tree.vertex.push(block);
        tree.parent.push(parent);
        stack.extend(func.successors(block).map(|e| (func.edge_target(e), number)));
    }
    tree
}

struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
}

impl Forest {
    /// The vertex with the smallest semidominator on the way from `v` up to the root of its tree in the forest.
    fn eval(&mut self, v: u32) -> u32 {
        // Compress: first the way up, then, from the top, every vertex is hung below the root.
        let mut way = Vec::new();
        let mut at = v;
        while self.ancestor[at as usize] != NONE && self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            way.push(at);
            at = self.ancestor[at as usize];
        }
        for &w in way.iter().rev() {
            let above = self.ancestor[w as usize] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[w as usize] as usize] {
                self.label[w as usize] = self.label[above];
            }
            self.ancestor[w as usize] = self.ancestor[above];
        }
        self.label[v as usize]
    }
}

fn immediate_dominators(func: &Func, cfg: &Cfg, tree: &Tree) -> Vec<u32> {
    let count = tree.vertex.len();
    let all: Vec<u32> = (0..count as u32).collect();
    let mut forest = Forest { ancestor: vec![NONE; count], label: all.clone(), semi: all };
    let mut bucket: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut idom = vec![NONE; count];
    for w in (1..count).rev() {
        for pred in cfg.predecessors(func, tree.vertex[w]) {
            let v = tree.number[pred.index()];
            if v != NONE {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
            }
        }
        bucket[forest.semi[w] as usize].push(w as u32);
        let parent = tree.parent[w];
        forest.ancestor[w] = parent;
        for v in std::mem::take(&mut bucket[parent as usize]) {
            let u = forest.eval(v);
            idom[v as usize] = if forest.semi[u as usize] < forest.semi[v as usize] { u } else { parent };
        }
    }
    for w in 1..count {
        if idom[w] != forest.semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
    }
    idom
}

/// First and last number in a preorder walk over the tree. Parents have smaller indices than their children.
fn intervals(idom: &[u32]) -> Vec<(u32, u32)> {
    let mut size = vec![1u32; idom.len()];
    for v in (1..idom.len()).rev() {
        size[idom[v] as usize] += size[v];
    }
    let mut spans = vec![(0, 0); idom.len()];
    // The next free number below each vertex.
    let mut next = vec![0; idom.len()];
    for v in 0..idom.len() {
        let first = if v == 0 { 0 } else { next[idom[v] as usize] };
        if v > 0 {
            next[idom[v] as usize] += size[v];
        }
        spans[v] = (first, first + size[v] - 1);
        next[v] = first + 1;
    }
    spans
}
