//! All algorithms for one thing give the same, which is what its definition says: on random control flow, reducible and not, with
//! unreachable blocks, self loops, twin edges and an entry with predecessors; and on graphs of a million blocks, where
//! recursion would end in a full stack.
//!
//! The definitions are by paths and as slow as they sound. Graphs are sets of edges over numbers here, so that nothing is shared
//! with what is tested.

#![allow(clippy::needless_range_loop)] // nodes are numbers, and tables are read in both directions

use crate::dominator_tree::DominatorTree;
use crate::frontier::Frontiers;
use crate::loops::LoopForest;
use crate::orders::{DepthFirst, reverse_postorder};
use crate::postdominators::PostDominatorTree;
use crate::sample_graphs::{block, chain, graph, mixed_edges, nested_loops, skip_ladder};
use crate::{dominators_chk, dominators_iterative, dominators_lengauer_tarjan, dominators_semi_nca, frontier_dj};
use mini_base::ids::Id;
use mini_base::testing::Random;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

type Algorithm = fn(&Func, &Cfg) -> DominatorTree;

const DOMINATORS: [(&str, Algorithm); 4] = [
    ("iterative", dominators_iterative::dominators),
    ("chk", dominators_chk::dominators),
    ("lengauer-tarjan", dominators_lengauer_tarjan::dominators),
    ("semi-nca", dominators_semi_nca::dominators),
];

/// A graph by its successors.
struct Graph {
    next: Vec<Vec<usize>>,
}

impl Graph {
    fn new(count: usize, edges: &[(usize, usize)]) -> Graph {
        let mut next = vec![Vec::new(); count];
        for &(from, to) in edges {
            next[from].push(to);
        }
        Graph { next }
    }

    fn len(&self) -> usize {
        self.next.len()
    }

    /// What paths from these nodes reach, the nodes themselves included, when `without` is not there.
    fn reached(&self, from: &[usize], without: Option<usize>) -> Vec<bool> {
        let mut met = vec![false; self.len()];
        let mut worklist: Vec<usize> = from.iter().copied().filter(|&n| Some(n) != without).collect();
        worklist.iter().for_each(|&n| met[n] = true);
        while let Some(at) = worklist.pop() {
            for &to in &self.next[at] {
                if Some(to) != without && !met[to] {
                    met[to] = true;
                    worklist.push(to);
                }
            }
        }
        met
    }

    /// `[a][b]`: whether every path from `root` to `b`, of which there are some, goes through `a`.
    fn dominance(&self, root: usize) -> Vec<Vec<bool>> {
        let all = self.reached(&[root], None);
        let avoiding = (0..self.len()).map(|a| self.reached(&[root], Some(a)));
        avoiding.map(|met| (0..self.len()).map(|b| all[b] && !met[b]).collect()).collect()
    }
}

/// Graphs of all kinds: many small ones, some larger.
fn graphs(seed: u64) -> impl Iterator<Item = (usize, Vec<(usize, usize)>)> {
    let mut random = Random(seed);
    (0..640).map(move |round| mixed_edges(&mut random, if round % 16 == 0 { 200 } else { 14 }))
}

#[test]
fn dominators_are_what_the_paths_say() {
    for (count, edges) in graphs(1) {
        let func = graph(count, &edges);
        let cfg = Cfg::new(&func);
        let expected = Graph::new(count, &edges).dominance(0);
        let tree = DominatorTree::new(&func);
        for a in 0..count {
            for b in 0..count {
                assert_eq!(tree.dominates(block(a), block(b)), expected[a][b], "{a} {b} in {edges:?}");
            }
        }
        for (name, dominators) in DOMINATORS {
            assert_eq!(dominators(&func, &cfg), tree, "{name}: {edges:?}");
        }
        let sets = dominators_iterative::dominator_sets(&func, &cfg);
        for b in (0..count).filter(|&b| tree.is_reachable(block(b))) {
            let members: Vec<usize> = sets[block(b)].iter().map(|d| d.index()).collect();
            assert_eq!(members, (0..count).filter(|&a| expected[a][b]).collect::<Vec<_>>(), "Dom({b}) in {edges:?}");
        }
        let petgraph = petgraph::graph::DiGraph::<(), ()>::from_edges(edges.iter().map(|&(a, b)| (a as u32, b as u32)));
        if petgraph.node_count() > 0 {
            let theirs = petgraph::algo::dominators::simple_fast(&petgraph, 0.into());
            for b in 0..petgraph.node_count() {
                let idom = theirs.immediate_dominator((b as u32).into()).map(|n| block(n.index()));
                assert_eq!(tree.idom(block(b)), idom, "{b} in {edges:?}");
            }
        }
    }
}

/// The most retreating edges on a path without a cycle, over all paths from `at` on.
fn most_retreating(graph: &Graph, place: &[usize], at: usize, on_path: &mut Vec<bool>) -> usize {
    on_path[at] = true;
    let mut most = 0;
    for &to in &graph.next[at] {
        if !on_path[to] {
            let retreats = usize::from(place[to] <= place[at]);
            most = most.max(retreats + most_retreating(graph, place, to, on_path));
        }
    }
    on_path[at] = false;
    most
}

#[test]
fn rounds_of_the_iteration_are_bounded_by_retreating_edges() {
    let (mut rounds_of_reducible, mut most) = ([0; 3], 0);
    let mut random = Random(5);
    for _ in 0..400 {
        let (count, edges) = mixed_edges(&mut random, 9);
        let func = graph(count, &edges);
        let (cfg, tree) = (Cfg::new(&func), DominatorTree::new(&func));
        let mut equations = dominators_iterative::Equations::new(&func, &cfg);
        let mut rounds = 1;
        while equations.round() {
            rounds += 1;
        }
        let order = reverse_postorder(&func);
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(at, b)| place[b.index()] = at);
        let plain = Graph::new(count, &edges);
        let d = order.iter().map(|b| most_retreating(&plain, &place, b.index(), &mut vec![false; count])).max();
        assert!(rounds <= d.expect("the entry") + 2, "{rounds} rounds in {edges:?}");
        most = most.max(rounds);
        if LoopForest::new(&func, &cfg, &tree).irreducible_regions().is_empty() {
            assert!(rounds <= 2, "{rounds} rounds in {edges:?}");
            rounds_of_reducible[rounds] += 1;
        }
    }
    assert!(
        most > 3 && rounds_of_reducible[2] > 100,
        "the graphs must be worth testing: {most} {rounds_of_reducible:?}"
    );
}

#[test]
fn frontiers_are_what_the_paths_say() {
    let mut members = 0;
    for (count, edges) in graphs(2) {
        let func = graph(count, &edges);
        let (cfg, tree) = (Cfg::new(&func), DominatorTree::new(&func));
        let dominates = Graph::new(count, &edges).dominance(0);
        let frontiers = Frontiers::new(&func, &cfg, &tree);
        for x in 0..count {
            let ends_at = |y: usize| {
                let before = edges.iter().any(|&(p, to)| to == y && dominates[x][p]);
                before && (x == y || !dominates[x][y])
            };
            let expected: Vec<Block> = (0..count).filter(|&y| ends_at(y)).map(block).collect();
            assert_eq!(frontiers.of(block(x)), expected, "DF({x}) in {edges:?}");
            members += expected.len();
        }
        assert_eq!(frontier_dj::frontiers(&func, &tree), frontiers, "{edges:?}");
    }
    assert!(members > 5000, "the graphs must be worth testing: {members}");
}

#[test]
fn post_dominators_are_what_the_paths_say() {
    let (mut endless, mut exits) = (0, 0);
    for (count, edges) in graphs(3) {
        let func = graph(count, &edges);
        let tree = PostDominatorTree::new(&func, &Cfg::new(&func));
        let forwards = Graph::new(count, &edges);
        let reachable = forwards.reached(&[0], None);
        // The convention: the first block in reverse postorder of each component without a way out.
        let from_each: Vec<Vec<bool>> = (0..count).map(|b| forwards.reached(&[b], None)).collect();
        let order: Vec<usize> = reverse_postorder(&func).into_iter().map(|b| b.index()).collect();
        let closed = |b: usize| (0..count).all(|to| !from_each[b][to] || from_each[to][b]);
        let is_exit = |b: usize| forwards.next[b].is_empty();
        let first = |b: usize| order.iter().copied().find(|&to| from_each[b][to]) == Some(b);
        let heads: Vec<usize> = order.iter().copied().filter(|&b| closed(b) && first(b) && !is_exit(b)).collect();
        assert_eq!(tree.endless(), heads.iter().map(|&b| block(b)).collect::<Vec<_>>(), "{edges:?}");
        endless += heads.len();
        exits += (0..count).filter(|&b| is_exit(b)).count();
        // Paths to the exit are paths from it in the reversed graph, of which node `count` is the root.
        let mut reversed: Vec<(usize, usize)> =
            edges.iter().filter(|e| reachable[e.0]).map(|&(from, to)| (to, from)).collect();
        let to_exit = (0..count).filter(|&b| reachable[b] && (is_exit(b) || heads.contains(&b)));
        reversed.extend(to_exit.map(|b| (count, b)));
        let expected = Graph::new(count + 1, &reversed).dominance(count);
        for a in 0..count {
            assert_eq!(tree.is_reachable(block(a)), reachable[a], "{a} in {edges:?}");
            for b in 0..count {
                assert_eq!(tree.post_dominates(block(a), block(b)), expected[a][b], "{a} {b} in {edges:?}");
            }
            let above = tree.ipdom(block(a)).map_or(1, |b| tree.level(b) + 1);
            assert_eq!(tree.level(block(a)), if reachable[a] { above } else { 0 });
        }
    }
    assert!(endless > 50 && exits > 500, "the graphs must be worth testing: {endless} {exits}");
}

#[test]
fn loops_are_what_the_paths_say() {
    let (mut loop_count, mut irreducible) = (0, 0);
    for (count, edges) in graphs(4) {
        let func = graph(count, &edges);
        let (cfg, tree) = (Cfg::new(&func), DominatorTree::new(&func));
        let forest = LoopForest::new(&func, &cfg, &tree);
        let plain = Graph::new(count, &edges);
        let dominates = plain.dominance(0);
        let reachable = plain.reached(&[0], None);
        let reversed: Vec<(usize, usize)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        let reversed = Graph::new(count, &reversed);
        // The loop of `h` is `h` and what leads to one of its latches without passing `h`.
        let mut headers = Vec::new();
        for h in (0..count).filter(|&h| reachable[h]) {
            let latches: Vec<usize> = (0..count).filter(|&p| dominates[h][p] && plain.next[p].contains(&h)).collect();
            if latches.is_empty() {
                continue;
            }
            headers.push(block(h));
            let body = reversed.reached(&latches, Some(h));
            let l = forest.loops().find(|&l| forest.header(l) == block(h)).expect("a loop for the header");
            let mut found: Vec<usize> = forest.latches(l).iter().map(|b| b.index()).collect();
            found.sort();
            assert_eq!(found, latches, "latches of {h} in {edges:?}");
            for b in 0..count {
                let expected = reachable[b] && (b == h || body[b]);
                assert_eq!(forest.contains(l, block(b)), expected, "{b} in the loop of {h}: {edges:?}");
            }
        }
        let mut found: Vec<Block> = forest.loops().map(|l| forest.header(l)).collect();
        found.sort();
        assert_eq!(found, headers);
        loop_count += headers.len();
        // Depth: the number of loops around, by the sets just checked.
        for l in forest.loops() {
            let around = forest.loops().filter(|&o| forest.contains(o, forest.header(l))).count();
            assert_eq!(forest.depth(l) as usize, around, "{edges:?}");
        }
        // Irreducible regions: what is strongly connected without back edges, more than one block.
        let forward: Vec<(usize, usize)> = edges.iter().copied().filter(|&(p, h)| !dominates[h][p]).collect();
        let forward = Graph::new(count, &forward);
        let from_each: Vec<Vec<bool>> = (0..count).map(|b| forward.reached(&[b], None)).collect();
        let mut left: Vec<usize> = (0..count).filter(|&b| reachable[b]).collect();
        let mut expected: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        while let Some(&b) = left.first() {
            let (region, rest): (Vec<usize>, Vec<usize>) =
                left.iter().partition(|&&o| from_each[b][o] && from_each[o][b]);
            left = rest;
            // It is entered where a path from the entry meets no other block of it before.
            let entered = |&b: &usize| {
                let around = |n: usize| n == b || !region.contains(&n);
                let edges: Vec<(usize, usize)> = edges.iter().copied().filter(|e| around(e.0) && around(e.1)).collect();
                around(0) && Graph::new(count, &edges).reached(&[0], None)[b]
            };
            if region.len() > 1 {
                let entries: Vec<usize> = region.iter().copied().filter(entered).collect();
                for (&a, &b) in entries.iter().flat_map(|a| entries.iter().map(move |b| (a, b))) {
                    assert_eq!(tree.dominates(block(a), block(b)), a == b, "{a} {b} in {edges:?}");
                }
                expected.push((region, entries));
            }
        }
        let sorted = |blocks: &[Block]| {
            let mut numbers: Vec<usize> = blocks.iter().map(|b| b.index()).collect();
            numbers.sort();
            numbers
        };
        let mut found: Vec<(Vec<usize>, Vec<usize>)> =
            forest.irreducible_regions().iter().map(|r| (sorted(&r.blocks), sorted(&r.entries))).collect();
        found.sort();
        assert_eq!(found, expected, "{edges:?}");
        assert!(expected.iter().all(|(_, entries)| entries.len() > 1));
        irreducible += expected.len();
        // A graph is reducible if every retreating edge is a back edge, whatever the search.
        let postorder = DepthFirst::new(&func).postorder;
        let place = |b: usize| postorder.iter().position(|&x| x == block(b));
        let retreats = |&(p, to): &(usize, usize)| reachable[p] && place(to) >= place(p) && !dominates[to][p];
        assert_eq!(expected.is_empty(), !edges.iter().any(retreats), "{edges:?}");
    }
    assert!(loop_count > 500 && irreducible > 50, "the graphs must be worth testing: {loop_count} {irreducible}");
}

#[test]
fn a_million_blocks_need_no_stack() {
    const COUNT: usize = 1_000_000;
    let chain = chain(COUNT);
    let ladder = skip_ladder(COUNT);
    let (chain_cfg, ladder_cfg) = (Cfg::new(&chain), Cfg::new(&ladder));
    for (name, dominators) in DOMINATORS.into_iter().filter(|(name, _)| *name != "iterative") {
        let tree = dominators(&chain, &chain_cfg);
        assert_eq!(tree.level(block(COUNT - 1)) as usize, COUNT - 1, "{name}");
        if name != "chk" {
            // Each rung can skip the next: path compression is at work on long chains.
            let tree = dominators(&ladder, &ladder_cfg);
            assert_eq!(tree.idom(block(COUNT / 2)), Some(block(0)), "{name}");
        }
    }
    let tree = DominatorTree::new(&chain);
    assert_eq!(Frontiers::new(&chain, &chain_cfg, &tree), frontier_dj::frontiers(&chain, &tree));
    let post = PostDominatorTree::new(&chain, &chain_cfg);
    assert_eq!(post.level(block(0)) as usize, COUNT);
    let nest = nested_loops(COUNT / 2);
    let tree = DominatorTree::new(&nest);
    let forest = LoopForest::new(&nest, &Cfg::new(&nest), &tree);
    assert_eq!(forest.depth_of(block(COUNT / 2)) as usize, COUNT / 2);
    let post = PostDominatorTree::new(&nest, &Cfg::new(&nest));
    assert_eq!(post.level(block(0)) as usize, COUNT + 2);
}

#[test]
fn sets_of_dominators_on_a_deep_chain() {
    let func = chain(5000);
    let tree = dominators_iterative::dominators(&func, &Cfg::new(&func));
    assert_eq!(tree.level(block(4999)), 4999);
}
