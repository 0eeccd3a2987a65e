//! Which values the arms of a `match` cover: unreachable arms, and a value that is missing.
//!
//! *In:* the type and the typed patterns in order, each with whether a guard may fail. *Out:* [`Coverage`].
//! *How:* the patterns are a matrix, one row an arm. A column in which the first row asks something, and most rows below it
//! without a gap, is split by constructors (variants, null or not, bools, strings, intervals of ints between all bounds that
//! occur), and each part is looked at with the rows that match it, unless the same rows were looked at before. A row that
//! asks nothing any more is reached; where no row is left, values are missing.
//! *Cost:* n·log n for flat patterns; exponential in the worst case, as the problem is; after [`BUDGET`] cells
//! of matrices, or [`MAX_DEPTH`] of them inside each other, the search ends: then no arm is called unreachable, and an arm
//! for the rest is asked for, if there is none. A payload of n literals asks for n matrices inside each other, with n cells
//! each; so the budget also bounds the memory.
//! *Source:* Maranget 2008, Compiling Pattern Matching to Good Decision Trees, section 4; Maranget 2007 on witnesses.
//! *Example:* `Leaf(0) => …, Node(_) => …` misses `Leaf(1)`.

use crate::check::Checker;
use crate::items::VariantInfo;
use crate::typed::Pattern;
use crate::types::{Ty, TyKind};
use mini_base::names::quoted;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
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
    if let TyKind::Enum(id, _) = cx.types.kind(ty)
        && cx.enums[*id].variants.is_empty()
    {
        return Coverage { reached: vec![true; rows.len()], missing: None }; // there is no value
    }
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
    let reached = vec![false; rows.len()];
    let mut search = Search { cx, guarded, reached, budget: BUDGET, depth: 0, known: FxHashMap::default() };
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
    /// What is missing from each matrix that was looked at.
    known: FxHashMap<Box<[Cell]>, Option<Vec<String>>>,
}

/// A cell of a matrix, to know it again: an arm at the begin of a line, then patterns, by address. Those that ask nothing are
/// alike.
#[derive(PartialEq, Eq, Hash)]
enum Cell {
    Arm(usize),
    Nothing,
    Asks(*const Pattern),
}

fn key(lines: &[Line<'_>]) -> Box<[Cell]> {
    let cell = |&pattern: &&Pattern| if asks_nothing(pattern) { Cell::Nothing } else { Cell::Asks(pattern) };
    lines.iter().flat_map(|line| std::iter::once(Cell::Arm(line.arm)).chain(line.columns.iter().map(cell))).collect()
}

/// The column to split: of those that the first line asks about, the one that most lines below it ask about, up to the first
/// that does not; of equals the leftmost.
fn column(lines: &[Line<'_>]) -> Option<usize> {
    let (first, below) = lines.split_first()?;
    let mut left: Vec<usize> = (0..first.columns.len()).filter(|&i| !asks_nothing(first.columns[i])).collect();
    for line in below {
        let asked: Vec<usize> = left.iter().copied().filter(|&i| !asks_nothing(line.columns[i])).collect();
        if asked.is_empty() {
            break;
        }
        left = asked;
    }
    left.first().copied()
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
            match column(rest) {
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
        let key = key(rest);
        if let Some(missing) = self.known.get(&key) {
            return missing.clone();
        }
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
        self.known.insert(key, missing.clone());
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
        let always: Vec<usize> = (0..lines.len()).filter(|&i| asks_nothing(lines[i].columns[column])).collect();
        let groups = match kind {
            TyKind::Int | TyKind::Byte => self.by_interval(lines, column, &cuts),
            _ => self.by_head(lines, column, &always), // no numbers
        };
        let Some(groups) = groups else {
            self.give_up(lines);
            return None;
        };
        let order: Vec<Head> = groups.iter().map(|group| group.0.clone()).collect();
        let mut missing = None;
        for (head, group) in groups {
            let parts = self.parts(&head, &kind);
            if self.budget < group.len() * (types.len() + parts.len()) {
                self.give_up(lines);
                return missing;
            }
            let mut inner_types = types.to_vec();
            inner_types.splice(column..=column, parts.iter().copied());
            let inner = group.into_iter().map(|i| specialise(lines[i].clone(), column, parts.len())).collect();
            if let Some(mut columns) = self.explore(inner, &inner_types)
                && missing.is_none()
            {
                let of_head: Vec<String> = columns.drain(column..column + parts.len()).collect();
                columns.insert(column, self.text(&head, &kind, &cuts, &of_head, &parts));
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

    /// The lines for each head that occurs, in order of first appearance; `None` if they are too many.
    fn by_head(&mut self, lines: &[Line<'_>], column: usize, always: &[usize]) -> Option<Vec<(Head, Vec<usize>)>> {
        let mut groups: Vec<(Head, Vec<usize>)> = Vec::new();
        let mut known: FxHashMap<Head, usize> = FxHashMap::default();
        for (index, line) in lines.iter().enumerate() {
            let Some(head) = head(line.columns[column]) else { continue };
            let group = *known.entry(head.clone()).or_insert(groups.len());
            if group == groups.len() {
                groups.push((head, Vec::new()));
            }
            groups[group].1.push(index);
        }
        for (_, group) in &mut groups {
            self.budget = self.budget.checked_sub(group.len() + always.len())?;
            group.extend(always);
            group.sort_unstable();
        }
        Some(groups)
    }

    /// The lines for each interval that some line asks for, ascending, up to one behind which none is reached; `None` if they
    /// are too many. *How:* a walk from the least number up, with the lines that match there at hand.
    fn by_interval(&mut self, lines: &[Line<'_>], column: usize, cuts: &[i128]) -> Option<Vec<(Head, Vec<usize>)>> {
        let mut changes: Vec<Vec<usize>> = vec![Vec::new(); cuts.len()];
        let mut here: BTreeSet<usize> = BTreeSet::new();
        let mut last: Vec<bool> = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            match range(line.columns[column]) {
                None => _ = here.insert(index),
                Some((from, to)) => {
                    for bound in [from, to + 1] {
                        changes[cuts.partition_point(|&cut| cut < bound)].push(index);
                    }
                }
            }
            let others = line.columns.iter().enumerate().filter(|&(other, _)| other != column);
            last.push(!self.guarded[line.arm] && others.map(|other| other.1).all(|p| asks_nothing(p)));
        }
        let always = here.len();
        let mut groups = Vec::new();
        for (interval, changed) in changes.into_iter().enumerate().take(cuts.len() - 1) {
            for index in changed {
                if !here.remove(&index) {
                    here.insert(index);
                }
            }
            if here.len() > always {
                let count = here.iter().position(|&index| last[index]).map_or(here.len(), |at| at + 1);
                self.budget = self.budget.checked_sub(count)?;
                groups.push((Head::Interval(interval), here.iter().copied().take(count).collect()));
            }
        }
        Some(groups)
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

    /// A variant with any payload.
    fn variant(&self, variant: &VariantInfo) -> String {
        let name = self.cx.text(variant.name.name);
        let parts = vec!["_"; variant.payload.len()].join(", ");
        if parts.is_empty() { name.into() } else { format!("{name}({parts})") }
    }

    /// Some value of a type.
    fn example(&self, ty: Ty) -> String {
        match self.cx.types.kind(ty) {
            TyKind::Int => "0".into(),
            TyKind::Bool => "false".into(),
            TyKind::Byte => "'a'".into(),
            TyKind::String => "\"\"".into(),
            TyKind::Enum(id, _) => match self.cx.enums[*id].variants.first() {
                Some(variant) => self.variant(variant),
                None => "_".into(),
            },
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
                Some(self.variant(&self.cx.enums[*id].variants[index]))
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

/// What a pattern asks for, unless it is a number.
fn head(pattern: &Pattern) -> Option<Head> {
    match pattern {
        Pattern::Null => Some(Head::Null),
        Pattern::Some(_) => Some(Head::Present),
        Pattern::Bool(v) => Some(Head::Bool(*v)),
        Pattern::String(v) => Some(Head::String(v.clone())),
        Pattern::Variant(index, _) => Some(Head::Variant(*index)),
        // The callers have sorted these out.
        Pattern::Int(_) | Pattern::IntRange(..) | Pattern::Byte(_) | Pattern::ByteRange(..) => None,
        Pattern::Wildcard | Pattern::Bind(_) | Pattern::Or(_) => None,
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
