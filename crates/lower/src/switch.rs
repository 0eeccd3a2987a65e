//! Jumps to one of many blocks: by a number, by the interval that a number is in, by a string.
//!
//! *Cost:* a `switch` of n cases, which later becomes a jump table or a binary search; or log n comparisons.

use crate::body::BodyLowering;
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Block, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// From this many intervals on, a jump table beats comparisons.
const MANY: usize = 6;

/// Up to this many strings of one length are compared one after the other.
const FEW_STRINGS: usize = 3;

/// A string with where it leads.
pub(crate) type StringCase = (Arc<[u8]>, Block);

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Ends the block with a jump by an int. Without a default, the cases are all that there are: then the target of
    /// most of them serves as the default.
    pub(crate) fn jump_by_case(&mut self, value: Value, cases: Vec<(i64, Block)>, default: Option<Block>) {
        let default = default.unwrap_or_else(|| {
            let mut counts: FxHashMap<Block, usize> = FxHashMap::default();
            for case in &cases {
                *counts.entry(case.1).or_insert(0) += 1;
            }
            let most = cases.iter().map(|case| case.1).max_by_key(|block| counts[block]); // the last of equals
            most.expect("a value has some variant")
        });
        let cases: Vec<(i64, Block)> = cases.into_iter().filter(|case| case.1 != default).collect();
        if cases.is_empty() {
            return self.jump(default);
        }
        let targets: Vec<Block> = cases.iter().map(|case| case.1).chain([default]).collect();
        self.switch(value, cases.iter().map(|case| case.0).collect(), &targets);
    }

    /// Ends the block with a jump by the interval that an int is in. Each begins with its number and reaches to the next one's,
    /// the last to `last`. Where most are single numbers, the jump is a `switch`; comparisons lead to there.
    pub(crate) fn jump_by_interval(&mut self, value: Value, intervals: &[(i64, Block)], last: i64) {
        let mut work: Vec<(Option<Block>, Range<usize>)> = vec![(None, 0..intervals.len())];
        while let Some((block, range)) = work.pop() {
            if let Some(block) = block {
                self.start(block);
            }
            let here = &intervals[range.clone()];
            let end = intervals.get(range.end).map_or(last, |next| next.0 - 1);
            if let [(_, target)] = here {
                self.jump(*target);
            } else if let Some((cases, default)) = as_cases(here, end) {
                self.jump_by_case(value, cases, Some(default));
            } else {
                let middle = range.start + here.len() / 2;
                let [low, high] = [range.start..middle, middle..range.end].map(|half| {
                    let target = if half.len() == 1 { intervals[half.start].1 } else { self.new_block("test") };
                    (target, half)
                });
                let bound = self.int(intervals[middle].0);
                let below = self.op(Op::Lt, &[value, bound], Type::Bool);
                self.branch(below, low.0, high.0);
                work.extend([high, low].into_iter().filter(|half| half.1.len() > 1).map(|half| (Some(half.0), half.1)));
            }
        }
    }

    /// Ends the block with a jump by a string. The cases are ascending. The length tells most strings apart.
    pub(crate) fn jump_by_string(&mut self, value: Value, cases: &[StringCase], default: Block) {
        if cases.len() <= 2 {
            return self.compare_strings(value, &cases.iter().collect::<Vec<_>>(), default);
        }
        let mut lengths: BTreeMap<usize, Vec<&StringCase>> = BTreeMap::new();
        for case in cases {
            lengths.entry(case.0.len()).or_default().push(case);
        }
        let length = self.op(Op::Length, &[value], Type::Int);
        let blocks: Vec<(i64, Block)> =
            lengths.keys().map(|&length| (length as i64, self.new_block("length"))).collect();
        self.jump_by_case(length, blocks.clone(), Some(default));
        for ((_, block), cases) in blocks.into_iter().zip(lengths.values()) {
            self.start(block);
            self.search_string(value, cases, default);
        }
    }

    /// Binary search.
    fn search_string(&mut self, value: Value, cases: &[&StringCase], default: Block) {
        let mut work: Vec<(Option<Block>, Range<usize>)> = vec![(None, 0..cases.len())];
        while let Some((block, range)) = work.pop() {
            if let Some(block) = block {
                self.start(block);
            }
            if range.len() <= FEW_STRINGS {
                self.compare_strings(value, &cases[range], default);
                continue;
            }
            let middle = range.start + range.len() / 2;
            let (text, target) = cases[middle];
            let [low, high] = ["before", "behind"].map(|label| self.new_block(label));
            let text = self.string(text);
            let order = self.builtin1(Builtin::string_compare, &[value, text], Pos::NONE);
            self.switch(order, vec![-1, 0], &[low, *target, high]);
            work.push((Some(high), middle + 1..range.end));
            work.push((Some(low), range.start..middle));
        }
    }

    /// One after the other.
    fn compare_strings(&mut self, value: Value, cases: &[&StringCase], default: Block) {
        for (number, (text, target)) in cases.iter().enumerate() {
            let text = self.string(text);
            let equal = self.builtin1(Builtin::string_eq, &[value, text], Pos::NONE);
            if number + 1 == cases.len() {
                return self.branch(equal, *target, default);
            }
            let next = self.new_block("test");
            self.branch(equal, *target, next);
            self.start(next);
        }
        self.jump(default);
    }
}

/// The intervals, which reach up to `end`, as single numbers and a default, if these are not too many.
fn as_cases(intervals: &[(i64, Block)], end: i64) -> Option<(Vec<(i64, Block)>, Block)> {
    let last = |index: usize| intervals.get(index + 1).map_or(end, |next| next.0 - 1);
    let width = |index: usize| last(index).wrapping_sub(intervals[index].0) as u64; // less one; at most 2^64 - 1
    let mut widths: FxHashMap<Block, u64> = FxHashMap::default();
    for (index, interval) in intervals.iter().enumerate() {
        let total = widths.entry(interval.1).or_insert(0);
        *total = total.saturating_add(width(index)).saturating_add(1);
    }
    let default = intervals.iter().map(|interval| interval.1).max_by_key(|block| widths[block])?;
    let own: Vec<usize> = (0..intervals.len()).filter(|&i| intervals[i].1 != default).collect();
    let most = own.len() as u64 * if own.len() < MANY { 2 } else { 8 };
    let count = own.iter().fold(0u64, |count, &i| count.saturating_add(width(i)).saturating_add(1));
    if count > most {
        return None;
    }
    let numbers = own.iter().flat_map(|&i| (intervals[i].0..=last(i)).map(move |number| (number, intervals[i].1)));
    Some((numbers.collect(), default))
}
