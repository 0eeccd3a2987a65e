//! Which values the arms of a `match` cover: unreachable arms, and a value that is missing.
//!
//! *In:* the type and the typed patterns in order, each with whether a guard may fail. *Out:* [`Coverage`].
//! *How:* the patterns are a matrix, one row an arm. The first column in which the first row asks something is split by
//! constructors (variants, null or not, bools, strings, intervals of ints between all bounds that occur), and each part is
//! looked at with the rows that match it. A row that asks nothing any more is reached; where no row is left, values are
//! missing. *Cost:* n·log n for flat patterns; exponential in the worst case, as the problem is; after [`BUDGET`] cells
//! of matrices, or [`MAX_DEPTH`] of them inside each other, the search ends: then no arm is called unreachable, and an arm
//! for the rest is asked for, if there is none. A payload of n literals asks for n matrices inside each other, with n cells
//! each; so the budget also bounds the memory.
//! *Source:* Maranget 2008, Compiling Pattern Matching to Good Decision Trees, section 4; Maranget 2007 on witnesses.
//! *Example:* `Leaf(0) => …, Node(_) => …` misses `Leaf(1)`.

use crate::check::Checker;
use crate::typed::Pattern;
use crate::types::{Ty, TyKind};
use mini_base::names::quoted;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Cells (rows times columns) looked at before the search gives up.
const BUDGET: usize = 5_000_000;

/// How many columns may be split inside each other; patterns nest at most 1,000 deep.
const MAX_DEPTH: usize = 2_500;

/// An arm.
#[derive(Clone, Copy)]
pub(crate) struct Row<'p> {
    /// Its pattern.
    pub pattern: &'p Pattern,
    /// Whether it has a guard, which may fail.
    pub guarded: bool,
}

/// What the arms cover.
pub(crate) struct Coverage {
    /// For each arm whether a value gets to it.
    pub reached: Vec<bool>,
    /// A value that no arm matches, as a pattern.
    pub missing: Option<String>,
}

/// What the arms of a `match` on a value of type `ty` cover.
pub(crate) fn cover(cx: &mut Checker<'_>, ty: Ty, rows: &[Row<'_>]) -> Coverage {
    // Guarded arms don't help to cover anything, but there may be many of them.
    let (mut missing, mut reached, finished) = search(cx, ty, rows, |row| !row.guarded);
    if rows.iter().any(|row| row.guarded) {
        reached = search(cx, ty, rows, |_| true).1;
    }
    let rest = rows.iter().any(|row| !row.guarded && asks_nothing(row.pattern));
    if !finished && !rest && missing.is_none() {
        missing = Some("every combination (there are too many to look at)".into());
    }
    Coverage { reached, missing }
}

/// A missing value, which arms are reached, and whether the search came to its end.
fn search(
    cx: &mut Checker<'_>,
    ty: Ty,
    rows: &[Row<'_>],
    counts: impl Fn(&Row<'_>) -> bool,
) -> (Option<String>, Vec<bool>, bool) {
    let guarded = rows.iter().map(|r| r.guarded).collect();
    let mut search = Search { cx, guarded, reached: vec![false; rows.len()], budget: BUDGET, depth: 0 };
    let lines = (rows.iter().enumerate().filter(|(_, row)| counts(row)))
        .map(|(arm, row)| Line { columns: vec![row.pattern], arm })
        .collect();
    let missing = search.explore(lines, &[ty]).and_then(|mut columns| columns.pop());
    (missing, search.reached, search.budget > 0)
}

/// A row of the matrix.
#[derive(Clone)]
struct Line<'p> {
    columns: Vec<&'p Pattern>,
    arm: usize,
}

struct Search<'c, 'a> {
    cx: &'c mut Checker<'a>,
    guarded: Vec<bool>,
    reached: Vec<bool>,
    budget: usize,
    depth: usize,
}

static WILDCARD: Pattern = Pattern::Wildcard;

fn asks_nothing(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Wildcard | Pattern::Bind(_))
}

/// What a pattern asks of a column.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Head {
    Variant(u32),
    Null,
    Present,
    Bool(bool),
    String(Arc<[u8]>),
    /// The interval with this number.
    Interval(usize),
}

impl<'c, 'a> Search<'c, 'a> {
    /// Marks the arms that values of these types reach; gives the columns of a value that reaches none.
    fn explore<'p>(&mut self, lines: Vec<Line<'p>>, types: &[Ty]) -> Option<Vec<String>> {
        let cells = (lines.len() + 1) * (types.len() + 1);
        if self.budget < cells || self.depth > MAX_DEPTH {
            self.give_up(&lines);
            return None;
        }
        self.budget -= cells;
        let mut rest = lines.as_slice();
        let column = loop {
            let Some((line, more)) = rest.split_first() else {
                return Some(types.iter().map(|_| "_".to_string()).collect());
            };
            match line.columns.iter().position(|p| !asks_nothing(p)) {
                Some(column) => break column,
                None => {
                    self.reached[line.arm] = true;
                    if !self.guarded[line.arm] {
                        return None;
                    }
                    rest = more;
                }
            }
        };
        let mut flat = Vec::with_capacity(rest.len());
        for line in rest {
            flatten(line, column, &mut flat);
            if !self.guarded[line.arm] && line.columns.iter().all(|p| asks_nothing(p)) {
                break; // whatever follows is behind a line that matches everything
            }
        }
        self.depth += 1;
        let missing = self.split(&flat, column, types);
        self.depth -= 1;
        missing
    }

    /// Too many combinations: none of these arms is called unreachable.
    fn give_up(&mut self, lines: &[Line<'_>]) {
        self.budget = 0;
        lines.iter().for_each(|line| self.reached[line.arm] = true);
    }

    fn split<'p>(&mut self, lines: &[Line<'p>], column: usize, types: &[Ty]) -> Option<Vec<String>> {
        let kind = self.cx.types.kind(types[column]).clone();
        let cuts = cuts(lines, column, &kind);
        // The lines for each head that occurs, in order of first appearance, and those for every value.
        let mut order: Vec<Head> = Vec::new();
        let mut own: FxHashMap<Head, Vec<usize>> = FxHashMap::default();
        let mut always: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let pattern = line.columns[column];
            if asks_nothing(pattern) {
                always.push(index);
            }
            let heads = heads(pattern, &cuts);
            if self.budget < heads.len() {
                self.give_up(lines);
                return None;
            }
            self.budget -= heads.len();
            for head in heads {
                let group = own.entry(head.clone()).or_default();
                if group.is_empty() {
                    order.push(head);
                }
                group.push(index);
            }
        }
        let mut missing = None;
        for head in &order {
            let mut group = own.remove(head).unwrap_or_default();
            let parts = self.parts(head, &kind);
            if self.budget < (group.len() + always.len()) * (types.len() + parts.len()) {
                self.give_up(lines);
                return missing;
            }
            group.extend(&always);
            group.sort_unstable();
            let mut inner_types = types.to_vec();
            inner_types.splice(column..=column, parts.iter().copied());
            let inner = group.into_iter().map(|i| specialise(lines[i].clone(), column, parts.len())).collect();
            if let Some(mut columns) = self.explore(inner, &inner_types)
                && missing.is_none()
            {
                let of_head: Vec<String> = columns.drain(column..column + parts.len()).collect();
                columns.insert(column, self.text(head, &kind, &cuts, &of_head, &parts));
                missing = Some(columns);
            }
        }
        let Some(example) = self.absent(&order, &kind, &cuts) else { return missing };
        let mut inner_types = types.to_vec();
        inner_types.remove(column);
        let inner = always.into_iter().map(|i| specialise(lines[i].clone(), column, 0)).collect();
        if let Some(mut columns) = self.explore(inner, &inner_types)
            && missing.is_none()
        {
            columns.insert(column, example);
            missing = Some(columns);
        }
        missing
    }

    /// The types inside a constructor.
    fn parts(&mut self, head: &Head, kind: &TyKind) -> Vec<Ty> {
        match (head, kind) {
            (Head::Variant(index), TyKind::Enum(id, args)) => self.cx.payload_types(*id, *index, args).into(),
            (Head::Present, TyKind::Optional(inner)) => vec![*inner],
            _ => Vec::new(), // all others are leaves
        }
    }

    /// A value as a pattern.
    fn text(&self, head: &Head, kind: &TyKind, cuts: &[i128], parts: &[String], types: &[Ty]) -> String {
        match head {
            Head::Variant(index) => match kind {
                TyKind::Enum(id, _) => {
                    let name = self.cx.text(self.cx.enums[*id].variants[*index as usize].name.name);
                    if parts.is_empty() { name.into() } else { format!("{name}({})", parts.join(", ")) }
                }
                _ => "_".into(), // variants are of enums
            },
            Head::Null => "null".into(),
            Head::Present => match parts {
                [part] if part == "_" => types.first().map_or("_".into(), |&ty| self.example(ty)),
                _ => parts.join(", "),
            },
            Head::Bool(value) => value.to_string(),
            Head::String(value) => quoted(value),
            Head::Interval(index) => number(kind, cuts[*index], cuts[*index + 1] - 1),
        }
    }

    /// Some value of a type.
    fn example(&self, ty: Ty) -> String {
        match self.cx.types.kind(ty) {
            TyKind::Int => "0".into(),
            TyKind::Bool => "false".into(),
            TyKind::Byte => "'a'".into(),
            TyKind::String => "\"\"".into(),
            _ => "_".into(), // others have no patterns of their own
        }
    }

    /// A value that none of the heads is, if there is one.
    fn absent(&self, present: &[Head], kind: &TyKind, cuts: &[i128]) -> Option<String> {
        match kind {
            TyKind::Bool => [false, true].iter().find(|&&b| !present.contains(&Head::Bool(b))).map(bool::to_string),
            TyKind::Optional(inner) => {
                if !present.contains(&Head::Null) {
                    Some("null".into())
                } else if !present.contains(&Head::Present) {
                    Some(self.example(*inner))
                } else {
                    None
                }
            }
            TyKind::Enum(id, _) => {
                let mut seen = vec![false; self.cx.enums[*id].variants.len()];
                for head in present {
                    if let Head::Variant(index) = head {
                        seen[*index as usize] = true;
                    }
                }
                let index = seen.iter().position(|seen| !seen)?;
                let variant = &self.cx.enums[*id].variants[index];
                let name = self.cx.text(variant.name.name);
                let parts = vec!["_"; variant.payload.len()].join(", ");
                Some(if parts.is_empty() { name.into() } else { format!("{name}({parts})") })
            }
            TyKind::String => {
                let seen: rustc_hash::FxHashSet<&Head> = present.iter().collect();
                let mut text: Vec<u8> = Vec::new();
                while seen.contains(&Head::String(text.as_slice().into())) {
                    text.push(b'a');
                }
                Some(quoted(&text))
            }
            TyKind::Int | TyKind::Byte => {
                let mut seen = vec![false; cuts.len().saturating_sub(1)];
                for head in present {
                    if let Head::Interval(index) = head {
                        seen[*index] = true;
                    }
                }
                // People think of the numbers from 0 up first.
                let mut free = (0..seen.len()).filter(|&i| !seen[i]);
                let index = free.clone().find(|&i| cuts[i + 1] > 0).or(free.next_back())?;
                Some(number(kind, cuts[index], cuts[index + 1] - 1))
            }
            _ => None, // reported patterns only
        }
    }
}

/// A line with its alternatives in a column written out.
fn flatten<'p>(line: &Line<'p>, column: usize, out: &mut Vec<Line<'p>>) {
    match line.columns[column] {
        Pattern::Or(parts) => {
            for part in parts {
                let mut line = line.clone();
                line.columns[column] = part;
                flatten(&line, column, out);
            }
        }
        _ => out.push(line.clone()), // one alternative
    }
}

/// The bounds between which all numbers are alike: the first of each interval, then one past the last.
fn cuts(lines: &[Line<'_>], column: usize, kind: &TyKind) -> Vec<i128> {
    let (first, last) = match kind {
        TyKind::Int => (i128::from(i64::MIN), i128::from(i64::MAX)),
        TyKind::Byte => (0, 255),
        _ => return Vec::new(), // no numbers
    };
    let mut cuts = vec![first, last + 1];
    for line in lines {
        if let Some((from, to)) = range(line.columns[column]) {
            cuts.extend([from, to + 1]);
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn range(pattern: &Pattern) -> Option<(i128, i128)> {
    match *pattern {
        Pattern::Int(v) => Some((v.into(), v.into())),
        Pattern::IntRange(from, to) => Some((from.into(), to.into())),
        Pattern::Byte(v) => Some((v.into(), v.into())),
        Pattern::ByteRange(from, to) => Some((from.into(), to.into())),
        _ => None, // no numbers
    }
}

fn heads(pattern: &Pattern, cuts: &[i128]) -> Vec<Head> {
    match pattern {
        Pattern::Null => vec![Head::Null],
        Pattern::Some(_) => vec![Head::Present],
        Pattern::Bool(v) => vec![Head::Bool(*v)],
        Pattern::String(v) => vec![Head::String(v.clone())],
        Pattern::Variant(index, _) => vec![Head::Variant(*index)],
        Pattern::Int(_) | Pattern::IntRange(..) | Pattern::Byte(_) | Pattern::ByteRange(..) => {
            let Some((from, to)) = range(pattern) else { return Vec::new() };
            let start = cuts.partition_point(|&cut| cut < from);
            let end = cuts.partition_point(|&cut| cut <= to);
            (start..end).map(Head::Interval).collect()
        }
        // The callers have sorted these out.
        Pattern::Wildcard | Pattern::Bind(_) | Pattern::Or(_) => Vec::new(),
    }
}

/// A line inside a constructor: its column is replaced by the constructor's parts.
fn specialise(mut line: Line<'_>, column: usize, count: usize) -> Line<'_> {
    let pattern = line.columns[column];
    match pattern {
        Pattern::Some(inner) if count == 1 => {
            line.columns[column] = inner;
        }
        Pattern::Variant(_, parts) if parts.len() == count => {
            line.columns.splice(column..=column, parts.iter());
        }
        _ => {
            line.columns.splice(column..=column, std::iter::repeat_n(&WILDCARD, count));
        }
    }
    line
}

/// A number of an interval, near 0.
fn number(kind: &TyKind, from: i128, to: i128) -> String {
    let value = 0.clamp(from, to);
    match kind {
        TyKind::Byte => {
            let byte = from.clamp(0, 255) as u8;
            if byte.is_ascii_graphic() && byte != b'\'' && byte != b'\\' {
                format!("'{}'", byte as char)
            } else {
                format!("'\\x{byte:02x}'")
            }
        }
        _ => value.to_string(), // ints
    }
}
