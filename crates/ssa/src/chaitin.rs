//! Aggressive coalescing by an interference graph, as it was first published: what `coalesce` is held against.
//!
//! The graph has a node for each name and an edge between what is live where another is defined; only the source of a copy and its destination get none
//! from that copy. Every copy whose ends have no edge between them is coalesced: its ends become one node with the
//! edges of both. Then the graph is built anew, which may have fewer edges, and so on until no copy goes.
//!
//! *In:* CSSA; the names are its phi webs. *Out:* how many copies remain. *Keeps:* everything.
//! *Cost:* the square of the names, more than once: for tests.
//! *Source:* G. Chaitin et al., Register Allocation via Coloring, 1981, sections 2 and 3 (subsumption).

use crate::coalesce::{CopyPair, by_frequency};
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::liveness::Liveness;
use mini_analysis::loops::LoopForest;
use mini_base::union_find::UnionFind;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Func, Inst, Value};
use mini_ir::op::Op;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of copies that are left when no more can be coalesced. All blocks must be reachable.
pub fn remaining_copies(func: &Func) -> usize {
    let cfg = Cfg::new(func);
    let copies = by_frequency(func, &LoopForest::new(func, &cfg, &DominatorTree::new(func)));
    let liveness = Liveness::new(func, &cfg);
    let mut nodes = UnionFind::new(func.value_count());
    for edge in func.blocks().flat_map(|block| func.successors(block)) {
        for (&param, arg) in func.block_params(func.edge_target(edge)).iter().zip(func.edge_args(edge)) {
            nodes.union(param, arg);
        }
    }
    loop {
        let mut graph = Graph::new(func, &liveness, &mut nodes);
        let mut changed = false;
        for &CopyPair { d, s } in &copies {
            let (a, b) = (nodes.find(d), nodes.find(s));
            if a != b && !graph.has(a, b) {
                let node = nodes.union(a, b);
                graph.merge(a, b, node);
                changed = true;
            }
        }
        if !changed {
            return copies.iter().filter(|copy| nodes.find(copy.d) != nodes.find(copy.s)).count();
        }
    }
}

struct Graph {
    neighbours: FxHashMap<Value, FxHashSet<Value>>,
}

impl Graph {
    fn new(func: &Func, liveness: &Liveness, nodes: &mut UnionFind<Value>) -> Graph {
        let mut graph = Graph { neighbours: FxHashMap::default() };
        for block in func.blocks() {
            let mut live: FxHashSet<Value> = liveness.live_out(block).iter().map(|&v| nodes.find(v)).collect();
            for inst in func.insts(block).collect::<Vec<Inst>>().into_iter().rev() {
                let is_copy = matches!(func.op(inst), Op::Copy | Op::ParallelCopy);
                let mut defined: Vec<(Value, Option<Value>)> = Vec::new();
                let mut read: Vec<Value> = Vec::new();
                for (n, &result) in func.results(inst).iter().enumerate() {
                    let source = is_copy.then(|| nodes.find(func.arg(inst, n)));
                    let node = nodes.find(result);
                    // A copy within a node is no instruction any more.
                    if source != Some(node) {
                        defined.push((node, source));
                        read.extend(source);
                    }
                }
                if !is_copy {
                    let edge_args = func.edges(inst).flat_map(|edge| func.edge_args(edge));
                    read.extend(func.args(inst).chain(edge_args).map(|value| nodes.find(value)));
                }
                graph.define(&mut live, &defined);
                live.extend(read);
            }
            let mut params = func.block_params(block).to_vec();
            if block == func.entry() {
                params.extend(&func.params);
            }
            let params: Vec<_> = params.into_iter().map(|value| (nodes.find(value), None)).collect();
            graph.define(&mut live, &params);
        }
        graph
    }

    /// What is defined at once has edges to what is live then and to each other, but not to its source, unless that is defined anew.
    fn define(&mut self, live: &mut FxHashSet<Value>, defined: &[(Value, Option<Value>)]) {
        live.extend(defined.iter().map(|&(node, _)| node));
        for &(node, source) in defined {
            let source = source.filter(|s| defined.iter().all(|(other, _)| other != s));
            for &other in live.iter().filter(|&&other| other != node && Some(other) != source) {
                self.neighbours.entry(node).or_default().insert(other);
                self.neighbours.entry(other).or_default().insert(node);
            }
        }
        for (node, _) in defined {
            live.remove(node);
        }
    }

    fn has(&self, a: Value, b: Value) -> bool {
        self.neighbours.get(&a).is_some_and(|others| others.contains(&b))
    }

    fn merge(&mut self, a: Value, b: Value, node: Value) {
        let mut union = self.neighbours.remove(&a).unwrap_or_default();
        union.extend(self.neighbours.remove(&b).unwrap_or_default());
        for &other in &union {
            let theirs = self.neighbours.entry(other).or_default();
            theirs.remove(&a);
            theirs.remove(&b);
            theirs.insert(node);
        }
        self.neighbours.insert(node, union);
    }
}
