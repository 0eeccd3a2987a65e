//! Natural loops, how they are nested, and what is not a natural loop.
//!
//! A *back edge* leads from a block (the *latch*) to one that dominates it (the *header*). The natural loop of a header is
//! the header with all blocks that reach one of its latches without passing the header. Two such loops are disjoint,
//! or one contains the other. Headers are taken innermost first; from the latches a walk over predecessors collects
//! the blocks. A block that is in a loop already stands for the outermost loop around it so far (union–find), which
//! becomes a child; the walk goes on at its header.
//!
//! What is still strongly connected when the back edges are gone is *irreducible*: a cycle that can be entered at
//! several blocks, none of which dominates the others.
//!
//! *In:* a function of any phase, its `Cfg`, its dominator tree. *Out:* [`LoopForest`]. *Keeps:* everything.
//! *Cost:* O((blocks + edges) · α), α the inverse of Ackermann's function. *Source:* A. Aho et al., Compilers, 2nd edition 2006, section 9.6.6; R. Tarjan,
//! Testing flow graph reducibility, 1974; for strongly connected components R. Tarjan, 1972.
//! *Leaves:* unreachable blocks; how irreducible regions are nested in themselves.
//!
//! ```text
//! func nest(a: bool, b: bool) {
//! entry1:
//!   jmp outer2
//! outer2:
//!   jmp inner3
//! inner3:
//!   br a, inner3, latch4
//! latch4:
//!   br b, outer2, exit5
//! exit5:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! loops of nest
//! header  depth  inside  latches  own blocks
//! outer2  1      -       latch4   outer2 latch4
//! inner3  2      outer2  inner3   inner3
//! ```

use crate::dominator_tree::DominatorTree;
use mini_base::ids::{Id, IdVec};
use mini_base::union_find::UnionFind;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Edge, Func};

mini_base::define_id! {
    /// A natural loop.
    pub struct Loop, "loop";
}

#[derive(Clone, Debug)]
struct LoopData {
    header: Block,
    parent: Option<Loop>,
    depth: u32,
    latches: Vec<Block>,
    own: Vec<Block>,
}

/// An irreducible region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrreducibleRegion {
    /// Its blocks, in the order of the dominator tree's preorder.
    pub blocks: Vec<Block>,
    /// The blocks at which a path from the entry can meet the region first; two or more, none of which dominates another.
    pub entries: Vec<Block>,
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct LoopForest {
    loops: IdVec<Loop, LoopData>,
    innermost: IdVec<Block, Option<Loop>>,
    regions: Vec<IrreducibleRegion>,
    in_region: IdVec<Block, bool>,
}

impl LoopForest {
    /// Finds the loops.
    pub fn new(func: &Func, cfg: &Cfg, tree: &DominatorTree) -> LoopForest {
        let mut finder = Finder {
            func,
            cfg,
            tree,
            found: Vec::new(),
            nests: UnionFind::new(0),
            outermost: IdVec::new(),
            innermost: IdVec::filled(None, func.block_count()),
        };
        for &header in tree.preorder().iter().rev() {
            finder.loop_of(header);
        }
        let regions = irreducible_regions(func, cfg, tree);
        let mut in_region = IdVec::filled(false, func.block_count());
        for &block in regions.iter().flat_map(|region| &region.blocks) {
            in_region[block] = true;
        }
        finder.into_forest(regions, in_region)
    }

    /// All loops, each behind the loops around it.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = Loop> + ExactSizeIterator + use<> {
        self.loops.ids()
    }

    /// The block through which the loop is entered.
    pub fn header(&self, l: Loop) -> Block {
        self.loops[l].header
    }

    /// The sources of the back edges, each once.
    pub fn latches(&self, l: Loop) -> &[Block] {
        &self.loops[l].latches
    }

    /// The loop right around this one.
    pub fn parent(&self, l: Loop) -> Option<Loop> {
        self.loops[l].parent
    }

    /// 1 for an outermost loop, 2 for one inside it, and so on.
    pub fn depth(&self, l: Loop) -> u32 {
        self.loops[l].depth
    }

    /// The blocks of the loop that are in no inner loop, header first, in the order of the dominator tree's preorder.
    pub fn own_blocks(&self, l: Loop) -> &[Block] {
        &self.loops[l].own
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block]
    }

    /// How many loops are around a block; an irreducible region counts as one.
    pub fn depth_of(&self, block: Block) -> u32 {
        self.innermost[block].map_or(0, |l| self.loops[l].depth) + u32::from(self.in_region[block])
    }

    /// Whether the block is in the loop, or in one inside it. O(difference in depth).
    pub fn contains(&self, l: Loop, block: Block) -> bool {
        let mut at = self.innermost[block];
        while let Some(inner) = at {
            if inner <= l {
                return inner == l; // ids fall from the inside to the outside
            }
            at = self.loops[inner].parent;
        }
        false
    }

    /// What is strongly connected without being natural loops.
    pub fn irreducible_regions(&self) -> &[IrreducibleRegion] {
        &self.regions
    }
}

/// Loops are numbered in order of discovery here: innermost first.
struct Finder<'a> {
    func: &'a Func,
    cfg: &'a Cfg,
    tree: &'a DominatorTree,
    found: Vec<LoopData>,
    /// Loops that are in one so far, as sets.
    nests: UnionFind<Loop>,
    /// Of the leaders of those sets: the outermost loop.
    outermost: IdVec<Loop, Loop>,
    innermost: IdVec<Block, Option<Loop>>,
}

impl Finder<'_> {
    fn loop_of(&mut self, header: Block) {
        let mut latches: Vec<Block> =
            self.cfg.predecessors(self.func, header).filter(|&p| self.tree.dominates(header, p)).collect();
        latches.dedup(); // twin edges are neighbours
        if latches.is_empty() {
            return;
        }
        let this = self.nests.push();
        self.outermost.push(this);
        self.innermost[header] = Some(this);
        let mut worklist = latches.clone();
        self.found.push(LoopData { header, parent: None, depth: 0, latches, own: Vec::new() });
        while let Some(block) = worklist.pop() {
            let from = match self.innermost[block] {
                None => {
                    self.innermost[block] = Some(this);
                    block
                }
                Some(inner) => {
                    let leader = self.nests.find(inner);
                    let child = self.outermost[leader];
                    if child == this {
                        continue;
                    }
                    self.found[child.index()].parent = Some(this);
                    let leader = self.nests.union(child, this);
                    self.outermost[leader] = this;
                    self.found[child.index()].header
                }
            };
            worklist.extend(self.cfg.predecessors(self.func, from).filter(|&p| self.tree.is_reachable(p)));
        }
    }

    /// Numbers the loops anew, outer before inner, and fills in what follows from the nesting.
    fn into_forest(self, regions: Vec<IrreducibleRegion>, in_region: IdVec<Block, bool>) -> LoopForest {
        let count = self.found.len();
        let renumber = |l: Loop| Loop::new(count - 1 - l.index());
        let mut loops: IdVec<Loop, LoopData> = self.found.into_iter().rev().collect();
        for l in loops.ids() {
            let parent = loops[l].parent.map(renumber);
            loops[l].parent = parent;
            loops[l].depth = parent.map_or(1, |p| loops[p].depth + 1);
        }
        let innermost: IdVec<Block, Option<Loop>> = self.innermost.iter().map(|l| l.map(renumber)).collect();
        for &block in self.tree.preorder() {
            if let Some(l) = innermost[block] {
                loops[l].own.push(block);
            }
        }
        LoopForest { loops, innermost, regions, in_region }
    }
}

/// The strongly connected components of more than one block when back edges don't count, by Tarjan's algorithm.
fn irreducible_regions(func: &Func, cfg: &Cfg, tree: &DominatorTree) -> Vec<IrreducibleRegion> {
    const UNMET: u32 = u32::MAX;
    const CLOSED: u32 = u32::MAX - 1;
    let is_back = |edge: Edge, from: Block| tree.dominates(func.edge_target(edge), from);
    // `low[b]`: the smallest number that is known to be reachable from `b` in its component.
    let mut low: IdVec<Block, u32> = IdVec::filled(UNMET, func.block_count());
    let mut number: IdVec<Block, u32> = low.clone();
    let mut next_number = 0;
    let mut open: Vec<Block> = Vec::new();
    let mut member: IdVec<Block, Option<u32>> = IdVec::filled(None, func.block_count());
    let mut regions: Vec<IrreducibleRegion> = Vec::new();
    let mut stack = vec![(func.entry(), func.successors(func.entry()))];
    while let Some((block, rest)) = stack.last_mut() {
        let block = *block;
        if number[block] == UNMET {
            (number[block], low[block]) = (next_number, next_number);
            next_number += 1;
            open.push(block);
        }
        match rest.find(|&edge| !is_back(edge, block)) {
            Some(edge) => {
                let target = func.edge_target(edge);
                if number[target] == UNMET {
                    stack.push((target, func.successors(target)));
                } else if low[target] != CLOSED {
                    low[block] = low[block].min(number[target]);
                }
            }
            None => {
                stack.pop();
                let lowest = low[block];
                if let Some(&(below, _)) = stack.last() {
                    low[below] = low[below].min(lowest);
                }
                if lowest == number[block] {
                    let at = open.iter().rposition(|&b| b == block).expect("a component's first block is open");
                    let mut blocks = open.split_off(at);
                    for &b in &blocks {
                        low[b] = CLOSED;
                    }
                    if blocks.len() > 1 {
                        for &b in &blocks {
                            member[b] = Some(regions.len() as u32);
                        }
                        blocks.sort_by_key(|&b| tree.preorder_number(b));
                        regions.push(IrreducibleRegion { blocks, entries: Vec::new() });
                    }
                }
            }
        }
    }
    for (index, region) in regions.iter_mut().enumerate() {
        let from_outside = |p: Block| tree.is_reachable(p) && member[p] != Some(index as u32);
        // What a block dominates lies behind it: an edge from there closes a loop inside the region.
        let entered = |&b: &Block| cfg.predecessors(func, b).any(|p| from_outside(p) && !tree.dominates(b, p));
        region.entries = region.blocks.iter().copied().filter(entered).collect();
    }
    regions.sort_by_key(|region| tree.preorder_number(region.blocks[0]));
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{block, graph, nested_loops};

    fn forest(func: &Func) -> (LoopForest, DominatorTree) {
        let (cfg, tree) = (Cfg::new(func), DominatorTree::new(func));
        (LoopForest::new(func, &cfg, &tree), tree)
    }

    #[test]
    fn nested_loops_with_a_shared_header() {
        // 1 ⇄ 2 and 1 → 3 → 1 share a header; 2 has a loop of its own.
        let (loops, _) = forest(&graph(5, &[(0, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 1), (3, 1)]));
        let ids: Vec<Loop> = loops.loops().collect();
        assert_eq!(ids.len(), 2);
        assert_eq!((loops.header(ids[0]), loops.latches(ids[0])), (block(1), &[block(2), block(3)][..]));
        assert_eq!(loops.own_blocks(ids[0]), [1, 3].map(block));
        assert_eq!((loops.parent(ids[1]), loops.depth(ids[1])), (Some(ids[0]), 2));
        assert!(
            loops.contains(ids[0], block(2)) && !loops.contains(ids[1], block(3)) && !loops.contains(ids[0], block(4))
        );
        assert_eq!([0, 1, 2, 3, 4].map(|b| loops.depth_of(block(b))), [0, 1, 2, 1, 0]);
        assert!(loops.irreducible_regions().is_empty());
    }

    #[test]
    fn an_irreducible_region_inside_a_loop() {
        // 1 is the header; 2 ⇄ 3 is entered at both.
        let (loops, _) = forest(&graph(5, &[(0, 1), (1, 2), (1, 3), (2, 3), (3, 2), (3, 4), (4, 1)]));
        assert_eq!(loops.loops().len(), 1);
        let region = IrreducibleRegion { blocks: [2, 3].map(block).to_vec(), entries: [2, 3].map(block).to_vec() };
        assert_eq!(loops.irreducible_regions(), [region]);
        assert_eq!(loops.depth_of(block(2)), 2);
    }

    #[test]
    fn a_loop_inside_an_irreducible_region_is_no_entry_of_it() {
        // 2 and 3 are entered; 4, the header of a loop with 5, is met behind 2 only.
        let edges = [(0, 2), (0, 3), (2, 4), (4, 3), (4, 5), (5, 4), (3, 2), (3, 6)];
        let (loops, _) = forest(&graph(7, &edges));
        let region = IrreducibleRegion { blocks: [2, 4, 3].map(block).to_vec(), entries: [2, 3].map(block).to_vec() };
        assert_eq!(loops.irreducible_regions(), [region]);
    }

    #[test]
    fn a_hundred_thousand_nested_loops() {
        let depth = 100_000;
        let (loops, _) = forest(&nested_loops(depth));
        assert_eq!(loops.depth_of(block(depth)), depth as u32);
    }
}
