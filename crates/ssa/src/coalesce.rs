//! Out of SSA, step 2: copies whose two sides can live in one place go.
//!
//! `cssa_copies` copies every argument of a block parameter; construction leaves a copy for each assignment. Most of them copy between values
//! that are never live at the same time. A *class* is a set of values that will share a place: first each phi web is one, and each
//! other value. For each copy `d = s`, those that run most often first ([`by_frequency`]): unless a value of `d`'s class interferes with one of
//! `s`'s, both classes become one, and the copy is one from a place to itself.
//!
//! *Interference.* Two values that are live at one place may still share it if they are equal: let `V(d) = V(s)` for a copy
//! `d = s`, and `V(x) = x` for all others. Values interfere if their live ranges intersect and their `V` differ.
//!
//! *Classes against classes.* The values of a class that intersect are equal, so the live ranges of the class are one list of disjoint intervals, each with
//! its `V`, sorted by their points, which are numbered in preorder of dominance (`interference`). Two classes fit together
//! unless intervals of different `V` overlap; their union is the union of the sorted lists. The paper's algorithm 2 walks both
//! lists to the end; so a phi with 100,000 arguments whose sources join it one by one would cost the square of that. Here only the smaller class is walked, and the
//! larger one, a search tree, is looked into where the smaller one has an interval.
//!
//! *What takes the place.* At the end, in preorder of dominance, each destination `d` gives way to another value of its class that has the same `V` and
//! is live right behind `d`'s definition or, being the source, right before it: they are equal, and would hold the place together. What
//! is left of a class never is live at once, so the result is CSSA again and `phi_webs` gives the places.
//!
//! *In:* CSSA. *Out:* CSSA. Copies that nobody reads go as well, a `parcopy` without pairs too. Blocks that were made on critical edges
//! stay, even if they are empty now: no edge is critical before and after, and block layout lets jumps pass through them.
//! *Keeps:* blocks, edges, all other instructions and their order. *Breaks:* analyses of values.
//! *Cost:* O(n log² n), n the intervals of all live ranges: an interval moves to another tree at most log n times.
//! (Not in that bound: equal intervals looked at by merges that fail elsewhere.)
//! *Source:* B. Boissinot et al., Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency, 2009, section III.A
//! (values), IV.B (classes as sorted lists). The greedy order by frequency is that of G. Chaitin et al., Register Allocation via Coloring, 1981.
//! *Leaves:* live ranges get longer, which can cost registers; which copies are best kept is a hard problem and not asked.
//!
//! Before (the swap problem, as `cssa_copies` leaves it):
//! ```text
//! cssa func f(a.1: int, b.1: int, c.1: bool) -> int {
//! entry1:
//!   a.3, b.3 = parcopy a.1, b.1
//!   jmp head2(a.3, b.3)
//! head2(a.2: int, b.2: int):
//!   br c.1, split4, exit3
//! split4:
//!   a.4, b.4 = parcopy b.2, a.2
//!   jmp head2(a.4, b.4)
//! exit3:
//!   ret a.2
//! }
//! ```
//! After: the classes are `{a.1 a.2 a.4}` and `{b.1 b.2 b.4}`.
//! ```text
//! cssa func f(a.1: int, b.1: int, c.1: bool) -> int {
//! entry1:
//!   jmp head2(a.1, b.1)
//! head2(a.2: int, b.2: int):
//!   br c.1, split4, exit3
//! split4:
//!   a.4, b.4 = parcopy b.2, a.2
//!   jmp head2(a.4, b.4)
//! exit3:
//!   ret a.2
//! }
//! ```

use crate::remove_unreachable;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::interference::{Interference, Point};
use mini_analysis::loops::LoopForest;
use mini_base::ids::{Id, IdVec};
use mini_base::lists::Lists;
use mini_base::union_find::UnionFind;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Func, Inst, Phase, Value};
use mini_ir::op::Op;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A copy `d = s`: an instruction, or a pair of a `parcopy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyPair {
    /// The destination.
    pub d: Value,
    /// The source.
    pub s: Value,
}

/// Removes copies; tells how many.
pub fn run(func: &mut Func) -> usize {
    assert_eq!(func.phase, Phase::Cssa, "classes are made of the webs of conventional SSA");
    remove_unreachable::run(func);
    let dead = remove_dead_copies(func);
    let cfg = Cfg::new(func);
    let tree = DominatorTree::new(func);
    let copies = by_frequency(func, &LoopForest::new(func, &cfg, &tree));
    let interference = Interference::new(func, &cfg, &tree);
    let mut classes = Classes::new(func, &copies, &interference);
    for &copy in &copies {
        classes.merge(copy);
    }
    let homes = classes.homes(&copies, &interference);
    for &CopyPair { d, .. } in &copies {
        func.replace_all_uses(d, homes[d]);
    }
    dead + remove_copies(func, |d| homes[d] != d)
}

/// All copies of a function, those in the deepest loops first. At one depth those of edges come before assignments, which often copy
/// what lives on: both sides in one place may take it from a phi web. Else the layout decides.
pub fn by_frequency(func: &Func, loops: &LoopForest) -> Vec<CopyPair> {
    let mut copies: Vec<(Reverse<u32>, Kind, CopyPair)> = Vec::new();
    for block in func.blocks() {
        let depth = Reverse(loops.depth_of(block));
        for inst in func.insts(block) {
            let kind = if func.op(inst) == Op::Copy { Kind::Assignment } else { Kind::Edge };
            copies.extend(pairs(func, inst).map(|copy| (depth, kind, copy)));
        }
    }
    copies.sort_by_key(|&(depth, kind, _)| (depth, kind));
    copies.into_iter().map(|(_, _, copy)| copy).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Edge,
    Assignment,
}

/// The copies that an instruction makes.
fn pairs(func: &Func, inst: Inst) -> impl Iterator<Item = CopyPair> {
    let results = if is_copy(func, inst) { func.results(inst) } else { &[] };
    results.iter().zip(func.args(inst)).map(|(&d, s)| CopyPair { d, s })
}

fn is_copy(func: &Func, inst: Inst) -> bool {
    matches!(func.op(inst), Op::Copy | Op::ParallelCopy)
}

/// Copies whose destination is never read, last first, since such a copy may have been the last to read another one's.
fn remove_dead_copies(func: &mut Func) -> usize {
    let tree = DominatorTree::new(func);
    let mut count = 0;
    for &block in tree.preorder().iter().rev() {
        let copies: Vec<Inst> = func.insts(block).rev().filter(|&inst| is_copy(func, inst)).collect();
        for inst in copies {
            let read: Vec<CopyPair> = pairs(func, inst).filter(|copy| func.has_uses(copy.d)).collect();
            count += keep_pairs(func, inst, &read);
        }
    }
    count
}

fn remove_copies(func: &mut Func, is_gone: impl Fn(Value) -> bool) -> usize {
    let mut count = 0;
    for block in func.layout().to_vec() {
        let copies: Vec<Inst> = func.insts(block).filter(|&inst| is_copy(func, inst)).collect();
        for inst in copies {
            let kept: Vec<CopyPair> = pairs(func, inst).filter(|copy| !is_gone(copy.d)).collect();
            count += keep_pairs(func, inst, &kept);
        }
    }
    count
}

/// Leaves only these pairs of a copy; tells how many others there were.
fn keep_pairs(func: &mut Func, inst: Inst, kept: &[CopyPair]) -> usize {
    let gone = func.results(inst).len() - kept.len();
    if kept.is_empty() {
        func.remove_inst(inst);
    } else if gone > 0 {
        let (results, args): (Vec<Value>, Vec<Value>) = kept.iter().map(|copy| (copy.d, copy.s)).unzip();
        func.set_args(inst, &args);
        func.set_results(inst, &results);
    }
    gone
}

/// Disjoint intervals, by their first points: where they end, and what is there.
#[derive(Clone, Debug, Default)]
struct Ranges(BTreeMap<Point, (Point, Value)>);

impl Ranges {
    /// The intervals that overlap `from..to`, last first. Disjoint intervals end in the order in which they start.
    fn overlapping(&self, from: Point, to: Point) -> impl Iterator<Item = (Point, Point, Value)> + '_ {
        let before = self.0.range(..to).rev().map(|(&start, &(end, value))| (start, end, value));
        before.take_while(move |&(_, end, _)| end > from)
    }

    fn last_overlapping(&self, from: Point, to: Point) -> Option<(Point, Point, Value)> {
        self.overlapping(from, to).next()
    }

    /// Adds an interval, whose `value` is also that of the intervals that it overlaps.
    fn add(&mut self, mut from: Point, mut to: Point, value: Value) {
        while let Some((start, end, there)) = self.last_overlapping(from, to) {
            debug_assert_eq!(there, value, "values of a class that intersect are equal");
            self.0.remove(&start);
            (from, to) = (from.min(start), to.max(end));
        }
        self.0.insert(from, (to, value));
    }

    /// Whether no different values overlap.
    fn fits(&self, other: &Ranges) -> bool {
        let fits = |(&from, &(to, value)): (&Point, &(Point, Value))| {
            self.overlapping(from, to).all(|(_, _, there)| there == value)
        };
        other.0.iter().all(fits)
    }
}

/// Values that share a place.
struct Classes {
    sets: UnionFind<Value>,
    /// `V`: the values that copies are equal to.
    v: IdVec<Value, Value>,
    /// Of the leaders.
    ranges: IdVec<Value, Ranges>,
    /// The members of classes with copies, by definition.
    members: Vec<Value>,
}

impl Classes {
    /// The phi webs and all other values.
    fn new(func: &Func, copies: &[CopyPair], interference: &Interference) -> Classes {
        let count = func.value_count();
        let mut sets = UnionFind::new(count);
        for edge in func.blocks().flat_map(|block| func.successors(block)) {
            for (&param, arg) in func.block_params(func.edge_target(edge)).iter().zip(func.edge_args(edge)) {
                sets.union(param, arg);
            }
        }
        let mut v: IdVec<Value, Value> = (0..count).map(Value::new).collect();
        for &CopyPair { d, s } in &by_definition(copies, interference) {
            v[d] = v[s]; // the source is defined before, and has its `V`
        }
        let mut wanted = vec![false; count];
        for &CopyPair { d, s } in copies {
            wanted[sets.find(d).index()] = true;
            wanted[sets.find(s).index()] = true;
        }
        let all = (0..count).map(Value::new).filter(|&value| interference.def(value) != Point::MAX);
        let mut members: Vec<Value> = all.filter(|&value| wanted[sets.find(value).index()]).collect();
        members.sort_by_key(|&value| interference.def(value));
        let webs = Lists::new(count, members.iter().map(|&value| (sets.find(value), value)));
        let mut ranges = IdVec::filled(Ranges::default(), count);
        for leader in (0..count).map(Value::new) {
            assert_eq!(interference.first_clash(webs.of(leader)), None, "the webs of conventional SSA don't interfere");
            for &value in webs.of(leader) {
                for interval in interference.range(value) {
                    ranges[leader].add(interval.from, interval.to, v[value]);
                }
            }
        }
        Classes { sets, v, ranges, members }
    }

    /// Makes one class of those of a copy's sides, if they don't interfere.
    fn merge(&mut self, CopyPair { d, s }: CopyPair) {
        let (a, b) = (self.sets.find(d), self.sets.find(s));
        if a == b {
            return;
        }
        let (small, large) = if self.ranges[a].0.len() < self.ranges[b].0.len() { (a, b) } else { (b, a) };
        if !self.ranges[large].fits(&self.ranges[small]) {
            return;
        }
        let small = std::mem::take(&mut self.ranges[small]);
        let mut union = std::mem::take(&mut self.ranges[large]);
        for (from, (to, value)) in small.0 {
            union.add(from, to, value);
        }
        let leader = self.sets.union(a, b);
        self.ranges[leader] = union;
    }

    /// For each value the one that takes its place, often itself.
    fn homes(&mut self, copies: &[CopyPair], interference: &Interference) -> IdVec<Value, Value> {
        let mut homes: IdVec<Value, Value> = self.v.ids().collect();
        let mut sources: IdVec<Value, Option<Value>> = IdVec::filled(None, homes.len());
        for &CopyPair { d, s } in copies {
            sources[d] = Some(s);
        }
        // Equal values of a class: those that dominate the current one, each below the next; and the ranges of the homes. If one of
        // them is live at the current definition, then so it was at that of the last one, which therefore has the same home.
        let mut dom: FxHashMap<(Value, Value), Vec<Value>> = FxHashMap::default();
        let mut ranges: FxHashMap<Value, Ranges> = FxHashMap::default();
        for &value in &self.members {
            let class = self.sets.find(value);
            let equal = dom.entry((class, self.v[value])).or_default();
            while equal.pop_if(|other| !interference.dominates(*other, value)).is_some() {}
            if let Some(&nearest) = equal.last() {
                let home = homes[nearest];
                let at = interference.def(value);
                let is_live = ranges.get(&home).is_some_and(|r| r.last_overlapping(at, at + 1).is_some());
                if is_live || sources[value].is_some_and(|s| self.sets.find(s) == class) {
                    homes[value] = home;
                }
            }
            equal.push(value);
            let home = ranges.entry(homes[value]).or_default();
            for interval in interference.range(value) {
                home.add(interval.from, interval.to, homes[value]);
            }
        }
        homes
    }
}

fn by_definition(copies: &[CopyPair], interference: &Interference) -> Vec<CopyPair> {
    let mut sorted = copies.to_vec();
    sorted.sort_by_key(|copy| interference.def(copy.d));
    sorted
}
