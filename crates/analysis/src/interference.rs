//! Interference of SSA values: are two of them live at one place, so that they can't share one?
//!
//! Points are numbered block by block, the blocks in preorder of the dominator tree: the start of a block, where its parameters
//! are defined, then each of its instructions. A value is live *behind* the points from its definition up to, but
//! without, its last use; a definition that nobody reads is live behind itself alone, for it overwrites what is in its place.
//! So a live range is a sorted list of intervals `[from, to)`, of which those that touch are one.
//!
//! *Two values.* In SSA a definition dominates each place at which its value is live. If `a` and `b` are both live somewhere, both
//! definitions dominate that place, hence one dominates the other, say `a` dominates `b`; and then `a` is live right behind the
//! definition of `b`. That is the only place to look at: `a`, `b` interfere if `def(b)` is in the range of `a`.
//!
//! *A set of values.* Let it be sorted by definition, which is a preorder of dominance. If any two interfere, then some value
//! interferes with the nearest one before it that dominates it: let `a` be live at `def(c)` and `b` be between the two in the tree;
//! on its way to `c` control passes `b` behind `a`, so `a` is live at `def(b)`. One walk with a stack of the values that dominate the
//! current one finds an interference, or that there is none ([`Interference::first_clash`]).
//!
//! *In:* a function of SSA or CSSA. *Out:* [`Interference`]. *Keeps:* everything.
//! *Cost:* as `liveness` to build; `is_live_behind` and `interfere` O(log intervals of the value); `first_clash` that times the values.
//! *Source:* Z. Budimlić et al., Fast Copy Coalescing and Live-Range Identification, 2002, section 2 (dominance and liveness instead of a
//! graph); B. Boissinot et al., Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency, 2009, section IV,
//! algorithm 2 (the walk). *Leaves:* that values may be equal (see `coalesce`); unreachable code, in which nothing is live.
//!
//! ```text
//! ssa func f(a.1: int) -> int {
//! entry1:
//!   b.1 = add a.1, a.1
//!   c.1 = add b.1, a.1
//!   d.1 = neg c.1
//!   %1 = lt b.1, d.1
//!   br %1, yes2, no3
//! yes2:
//!   ret b.1
//! no3:
//!   ret d.1
//! }
//! ```
//! gives
//! ```text
//! a.1 - b.1
//! b.1 - c.1 d.1 %1
//! d.1 - %1
//! ```

use crate::dominator_tree::DominatorTree;
use crate::liveness::Liveness;
use mini_base::ids::IdVec;
use mini_base::lists::Lists;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Value};

/// A point of the function: the number of a block's start or of an instruction.
pub type Point = u32;

/// Live behind all points from `from` up to, but without, `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The first point.
    pub from: Point,
    /// The first point that is not in it.
    pub to: Point,
}

/// Where a value is defined: the point, and how far the points go that it dominates.
#[derive(Clone, Copy, Debug)]
struct Definition {
    at: Point,
    /// Behind the last block of the dominator tree below the definition's.
    end: Point,
}

const NOWHERE: Definition = Definition { at: Point::MAX, end: 0 };

/// The live ranges of all values, valid until the function changes.
#[derive(Clone, Debug)]
pub struct Interference {
    definitions: IdVec<Value, Definition>,
    ranges: Lists<Value, Interval>,
}

impl Interference {
    /// Numbers the points and finds the ranges.
    pub fn new(func: &Func, cfg: &Cfg, tree: &DominatorTree) -> Interference {
        let starts = number(func, tree);
        let liveness = Liveness::new(func, cfg);
        let mut walk = Walk {
            definitions: IdVec::filled(NOWHERE, func.value_count()),
            last_use: IdVec::filled(None, func.value_count()),
            newest: IdVec::filled(None, func.value_count()),
            intervals: Vec::new(),
        };
        for (n, &block) in tree.preorder().iter().enumerate() {
            let end = starts[tree.last_preorder_number(block) as usize + 1];
            walk.block(func, &liveness, block, [starts[n], starts[n + 1], end]);
        }
        let ranges = Lists::new(func.value_count(), walk.intervals.into_iter());
        Interference { definitions: walk.definitions, ranges }
    }

    /// The point at which a value is defined; `Point::MAX` if control never gets there. Definitions in this order are in preorder of
    /// dominance.
    #[inline]
    pub fn def(&self, value: Value) -> Point {
        self.definitions[value].at
    }

    /// The live range: intervals in ascending order, which don't touch.
    #[inline]
    pub fn range(&self, value: Value) -> &[Interval] {
        self.ranges.of(value)
    }

    /// Whether the value is live behind a point.
    pub fn is_live_behind(&self, value: Value, at: Point) -> bool {
        let range = self.range(value);
        let next = range.partition_point(|interval| interval.to <= at);
        range.get(next).is_some_and(|interval| interval.from <= at)
    }

    /// Whether the definition of `a` dominates that of `b`; also if they are defined at one point.
    pub fn dominates(&self, a: Value, b: Value) -> bool {
        let (a, b) = (self.definitions[a], self.definitions[b]);
        a.at <= b.at && b.at < a.end
    }

    /// Whether two values are live at one place.
    pub fn interfere(&self, a: Value, b: Value) -> bool {
        if self.dominates(a, b) {
            self.is_live_behind(a, self.def(b))
        } else {
            self.dominates(b, a) && self.is_live_behind(b, self.def(a))
        }
    }

    /// Whether any two values of a set are live at one place: two that are. The set is sorted by [`Interference::def`].
    pub fn first_clash(&self, list: &[Value]) -> Option<(Value, Value)> {
        debug_assert!(list.is_sorted_by_key(|&value| self.def(value)));
        // Those before `current` that dominate it, each below the next.
        let mut dom: Vec<Value> = Vec::new();
        for &current in list {
            while dom.pop_if(|other| !self.dominates(*other, current)).is_some() {}
            if let Some(&parent) = dom.last()
                && self.is_live_behind(parent, self.def(current))
            {
                return Some((parent, current));
            }
            dom.push(current);
        }
        None
    }
}

/// The start of each block, by its number in the tree's preorder, and the end of the last one.
fn number(func: &Func, tree: &DominatorTree) -> Vec<Point> {
    let mut starts = vec![0];
    let mut next = 0;
    for &block in tree.preorder() {
        next += 1 + func.insts(block).count() as Point;
        starts.push(next);
    }
    starts
}

/// Collects intervals, block after block.
struct Walk {
    definitions: IdVec<Value, Definition>,
    /// In the block at hand: the point up to which the value is live.
    last_use: IdVec<Value, Option<Point>>,
    /// The place of the value's newest interval.
    newest: IdVec<Value, Option<u32>>,
    intervals: Vec<(Value, Interval)>,
}

impl Walk {
    /// The block's start, where the next one starts, and the end of all that it dominates.
    fn block(&mut self, func: &Func, liveness: &Liveness, block: Block, [start, next, end]: [Point; 3]) {
        for &value in liveness.live_out(block) {
            self.last_use[value] = Some(next);
        }
        let mut at = next;
        for inst in func.insts(block).rev() {
            at -= 1;
            for &result in func.results(inst) {
                self.define(result, at, end);
            }
            for value in func.args(inst).chain(func.edges(inst).flat_map(|edge| func.edge_args(edge))) {
                self.last_use[value].get_or_insert(at);
            }
        }
        let params = if block == func.entry() { &func.params[..] } else { &[] };
        for &param in func.block_params(block).iter().chain(params) {
            self.define(param, start, end);
        }
        for &value in liveness.live_in(block) {
            let to = self.last_use[value].take().expect("what is live-in is used or live-out");
            self.add(value, Interval { from: start, to });
        }
    }

    fn define(&mut self, value: Value, at: Point, end: Point) {
        self.definitions[value] = Definition { at, end };
        let to = self.last_use[value].take().unwrap_or(at + 1);
        self.add(value, Interval { from: at, to });
    }

    fn add(&mut self, value: Value, interval: Interval) {
        if let Some(newest) = self.newest[value] {
            let (_, before) = &mut self.intervals[newest as usize];
            if before.to == interval.from {
                before.to = interval.to;
                return;
            }
        }
        self.newest[value] = Some(self.intervals.len() as u32);
        self.intervals.push((value, interval));
    }
}
