//! Builds decision trees. A matrix of rows waits under the node that it becomes; those whose first row is of the
//! earliest arm are split first, so that when the limit is reached it is the later arms that are tried in order.

use super::order::{Made, in_order};
use super::{Domain, Node, NodeId, Pattern, PatternId, Patterns, Place, SIZE, Step, Switch, Tree, WORK};
use mini_base::define_id;
use mini_base::ids::{Id, IdVec};
use mini_sema::typed::LocalId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;
use std::sync::Arc;

define_id! {
    /// A row that occurs in some matrix.
    struct RowId, "r";
}

/// An arm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub pattern: PatternId,
    /// Whether it has a guard, which may be false.
    pub guarded: bool,
}

/// The tree that chooses among the arms.
pub(crate) fn build(patterns: &Patterns, arms: &[Arm]) -> Tree {
    let small = 64; // a match of a few rows is never short of nodes
    build_within(patterns, arms, (patterns.size + small).saturating_mul(SIZE))
}

/// The same with so many nodes and edges, before arms are tried in order.
pub(crate) fn build_within(patterns: &Patterns, arms: &[Arm], size: usize) -> Tree {
    let mut builder = Builder::new(patterns, arms, size);
    let mut first = Vec::new();
    for (index, arm) in arms.iter().enumerate() {
        let mut row = Row { arm: index, tests: Vec::new(), bindings: Vec::new() };
        let value = Place::new(0);
        row.ask(patterns, 0, value, arm.pattern);
        let row = builder.row(row);
        if builder.gather(&mut first, row) == Rows::Complete {
            break;
        }
    }
    let root = builder.node(first);
    while let Some(Reverse((_, node))) = builder.waiting.pop() {
        builder.grow(node);
    }
    Tree { nodes: in_order(builder.nodes, root, arms.len()), places: builder.places }
}

/// What an arm still asks on some path, or one alternative of it. Places are in the pattern's order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Row {
    arm: usize,
    /// None of these patterns matches everything.
    tests: Vec<(Place, PatternId)>,
    /// In the order of the variables.
    bindings: Vec<(LocalId, Place)>,
}

impl Row {
    /// Adds what a pattern asks of a place, as the test at this position; gives how many tests that were.
    fn ask(&mut self, patterns: &Patterns, position: usize, place: Place, pattern: PatternId) -> usize {
        match patterns.all[pattern] {
            Pattern::Any => 0,
            Pattern::Bind(local) => {
                let at = self.bindings.partition_point(|b| b.0 < local);
                self.bindings.insert(at, (local, place));
                0
            }
            Pattern::Null
            | Pattern::Some(_)
            | Pattern::Bool(_)
            | Pattern::Numbers(..)
            | Pattern::String(_)
            | Pattern::Variant { .. }
            | Pattern::Or(_) => {
                self.tests.insert(position, (place, pattern));
                1
            }
        }
    }
}

/// Whether a matrix can have further rows.
#[derive(PartialEq, Eq)]
enum Rows {
    Open,
    /// The last one matches everything.
    Complete,
}

/// A row, or an alternative of one, as it is where one of its places is split.
struct Entry {
    row: RowId,
    /// The position of its test of the place, and what that asks; without one the row asks nothing there.
    test: Option<(usize, PatternId)>,
    /// The row inside the constructor, once it was needed.
    inside: Option<RowId>,
}

/// What a value of a place is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Head<'p> {
    Null,
    Some,
    Bool(bool),
    String(&'p Arc<[u8]>),
    Variant(u32),
}

struct Builder<'p> {
    patterns: &'p Patterns,
    arms: &'p [Arm],
    places: IdVec<Place, Option<(Place, Step)>>,
    place_ids: FxHashMap<(Place, Step), Place>,
    rows: IdVec<RowId, Rc<Row>>,
    row_ids: FxHashMap<Rc<Row>, RowId>,
    nodes: IdVec<NodeId, Made>,
    /// The matrix of each node; none for those that try arms in order.
    matrices: IdVec<NodeId, Rc<[RowId]>>,
    node_ids: FxHashMap<Rc<[RowId]>, NodeId>,
    /// Nodes to be looked at by the arm of their first row; one without rows comes last.
    waiting: BinaryHeap<Reverse<(usize, NodeId)>>,
    /// The node that tries each arm, where there is one.
    tries: Vec<Option<NodeId>>,
    /// For each place by how many rows from the top it is asked about; zero outside of [`Builder::column`].
    asked: Vec<usize>,
    /// How many more nodes and edges there may be.
    size_left: usize,
    /// How many more parts of rows may be looked at.
    work_left: usize,
}

impl<'p> Builder<'p> {
    fn new(patterns: &'p Patterns, arms: &'p [Arm], size: usize) -> Self {
        let mut places = IdVec::new();
        places.push(None);
        Builder {
            patterns,
            arms,
            places,
            place_ids: FxHashMap::default(),
            rows: IdVec::new(),
            row_ids: FxHashMap::default(),
            nodes: IdVec::new(),
            matrices: IdVec::new(),
            node_ids: FxHashMap::default(),
            waiting: BinaryHeap::new(),
            tries: vec![None; arms.len()],
            asked: Vec::new(),
            size_left: size,
            work_left: size.saturating_mul(WORK),
        }
    }

    // ---- Rows and matrices ----

    fn row(&mut self, row: Row) -> RowId {
        self.work(1 + row.tests.len() + row.bindings.len());
        if let Some(&id) = self.row_ids.get(&row) {
            return id;
        }
        let row = Rc::new(row);
        let id = self.rows.push(row.clone());
        self.row_ids.insert(row, id);
        id
    }

    /// Puts a row behind others, unless it can't be chosen there: behind an alternative of its arm that matches everything
    /// that gets there, its guard has been asked.
    fn gather(&mut self, rows: &mut Vec<RowId>, id: RowId) -> Rows {
        self.work(1);
        let row = &self.rows[id];
        if let Some(&last) = rows.last() {
            let before = &self.rows[last];
            if last == id || (before.arm == row.arm && before.tests.is_empty()) {
                return Rows::Open;
            }
        }
        rows.push(id);
        if row.tests.is_empty() && !self.arms[row.arm].guarded { Rows::Complete } else { Rows::Open }
    }

    /// The node for a matrix.
    fn node(&mut self, rows: Vec<RowId>) -> NodeId {
        self.work(rows.len());
        if let Some(&node) = self.node_ids.get(rows.as_slice()) {
            return node;
        }
        self.size_left = self.size_left.saturating_sub(1);
        let arm = rows.first().map_or(usize::MAX, |&row| self.rows[row].arm);
        let rows: Rc<[RowId]> = rows.into();
        let node = self.nodes.push(Made::Waiting);
        self.matrices.push(rows.clone());
        self.node_ids.insert(rows, node);
        self.waiting.push(Reverse((arm, node)));
        node
    }

    fn work(&mut self, parts: usize) {
        self.work_left = self.work_left.saturating_sub(parts);
    }

    /// Whether what is left must try its arms in order.
    fn at_the_limit(&self) -> bool {
        self.size_left == 0 || self.work_left == 0
    }

    fn place(&mut self, around: Place, step: Step) -> Place {
        let places = &mut self.places;
        *self.place_ids.entry((around, step)).or_insert_with(|| places.push(Some((around, step))))
    }

    // ---- Nodes ----

    fn grow(&mut self, node: NodeId) {
        let rows = self.matrices[node].clone();
        self.nodes[node] = match rows.split_first() {
            None => Made::Node(Node::Fail),
            Some((&first, rest)) => {
                let row = self.rows[first].clone();
                if row.tests.is_empty() {
                    let otherwise = self.arms[row.arm].guarded.then(|| match self.at_the_limit() {
                        true => self.try_in_order(row.arm + 1),
                        false => self.node(rest.to_vec()),
                    });
                    Made::Node(Node::Arm { arm: row.arm, bindings: row.bindings.clone(), otherwise })
                } else {
                    let split = if self.at_the_limit() { None } else { self.split(&rows) };
                    split.unwrap_or_else(|| Made::Same(self.try_in_order(row.arm)))
                }
            }
        };
    }

    /// The node that tries an arm and those behind it, one after the other.
    fn try_in_order(&mut self, arm: usize) -> NodeId {
        let mut end = self.arms.len();
        let mut next = None;
        for later in arm..self.arms.len() {
            if let Some(node) = self.tries[later] {
                (end, next) = (later, Some(node));
                break;
            }
        }
        let mut next = next.unwrap_or_else(|| self.node(Vec::new()));
        for arm in (arm..end).rev() {
            next = self.nodes.push(Made::Node(Node::InOrder { arm, otherwise: next }));
            self.matrices.push(Rc::new([]));
            self.tries[arm] = Some(next);
        }
        next
    }

    /// The place to look at: see the head of `decision.rs`.
    fn column(&mut self, rows: &[RowId]) -> Place {
        self.asked.resize(self.places.len(), 0);
        let first = self.rows[rows[0]].clone();
        for (count, &row) in rows.iter().enumerate() {
            let row = self.rows[row].clone();
            let mut left = 0;
            for &(place, _) in &row.tests {
                if self.asked[place.index()] == count {
                    self.asked[place.index()] += 1;
                    left += 1;
                }
            }
            self.work(1 + row.tests.len());
            if left <= 1 {
                break;
            }
        }
        let is_string = |pattern| matches!(self.representative(pattern), Pattern::String(_));
        let best = (first.tests.iter().enumerate())
            .min_by_key(|&(position, &(place, pattern))| {
                (is_string(pattern), Reverse(self.asked[place.index()]), position)
            })
            .map(|(_, test)| test.0);
        for (place, _) in &first.tests {
            self.asked[place.index()] = 0;
        }
        best.expect("a row that asks nothing is not split")
    }

    /// A pattern that is no alternative, and asks of the same type.
    fn representative(&self, pattern: PatternId) -> &'p Pattern {
        match &self.patterns.all[pattern] {
            Pattern::Or(alternatives) => &self.patterns.all[alternatives[0]],
            one => one,
        }
    }

    /// A node that looks at a place; `None` if the limit is reached meanwhile.
    fn split(&mut self, rows: &[RowId]) -> Option<Made> {
        let place = self.column(rows);
        let mut entries = self.entries(rows, place);
        let (_, first) = entries[0].test.expect("the first row asks about the place");
        let switch = match &self.patterns.all[first] {
            Pattern::Null | Pattern::Some(_) => {
                let heads = self.by_head(place, &mut entries, &[Head::Null, Head::Some])?;
                Switch::Null { null: heads.of(Head::Null), some: heads.of(Head::Some) }
            }
            Pattern::Bool(_) => {
                let heads = self.by_head(place, &mut entries, &[Head::Bool(false), Head::Bool(true)])?;
                Switch::Bool { yes: heads.of(Head::Bool(true)), no: heads.of(Head::Bool(false)) }
            }
            Pattern::String(_) => {
                let heads = self.by_head(place, &mut entries, &[])?;
                let default = self.others(place, &mut entries)?;
                let case = |(head, node)| match head {
                    Head::String(text) => (Arc::clone(text), node),
                    _ => unreachable!("all patterns for a place are of its type"),
                };
                Switch::String { cases: heads.nodes.into_iter().map(case).collect(), default }
            }
            &Pattern::Variant { of, .. } => {
                let heads = self.by_head(place, &mut entries, &[])?;
                let all = heads.nodes.len() == of as usize;
                let default = if all { None } else { Some(self.others(place, &mut entries)?) };
                let case = |(head, node)| match head {
                    Head::Variant(index) => (index, node),
                    _ => unreachable!("all patterns for a place are of its type"),
                };
                Switch::Variant { cases: heads.nodes.into_iter().map(case).collect(), default }
            }
            &Pattern::Numbers(domain, ..) => Switch::Numbers(domain, self.by_number(place, domain, &mut entries)?),
            Pattern::Any | Pattern::Bind(_) | Pattern::Or(_) => unreachable!("the first alternative asks something"),
        };
        let targets = switch.targets();
        self.size_left = self.size_left.saturating_sub(targets.len());
        match targets.iter().all(|&target| target == targets[0]) {
            true => Some(Made::Same(targets[0])),
            false => Some(Made::Node(Node::Switch(place, switch))),
        }
    }

    /// The rows with the alternatives of their tests of a place written out.
    fn entries(&mut self, rows: &[RowId], place: Place) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(rows.len());
        for &id in rows {
            let row = self.rows[id].clone();
            let entry = |position, pattern| Entry { row: id, test: Some((position, pattern)), inside: None };
            match row.tests.iter().position(|test| test.0 == place) {
                None => entries.push(Entry { row: id, test: None, inside: Some(id) }),
                Some(position) => match &self.patterns.all[row.tests[position].1] {
                    Pattern::Or(parts) => entries.extend(parts.iter().map(|&part| entry(position, part))),
                    _ => entries.push(entry(position, row.tests[position].1)), // one alternative
                },
            }
            self.work(1 + row.tests.len());
        }
        self.work(entries.len());
        entries
    }

    /// The row of an entry for the values that its pattern, seen from outside, matches.
    fn inside(&mut self, entry: &mut Entry, place: Place) -> RowId {
        if let Some(row) = entry.inside {
            return row;
        }
        let (position, pattern) = entry.test.expect("a row that asks nothing is the same inside");
        let mut row = Row::clone(&self.rows[entry.row]);
        row.tests.remove(position);
        match &self.patterns.all[pattern] {
            Pattern::Any | Pattern::Bind(_) => _ = row.ask(self.patterns, position, place, pattern),
            &Pattern::Some(inner) => {
                let payload = self.place(place, Step::Payload);
                _ = row.ask(self.patterns, position, payload, inner);
            }
            Pattern::Variant { index, parts, .. } => {
                let mut at = position;
                for (field, &part) in parts.iter().enumerate() {
                    if !matches!(self.patterns.all[part], Pattern::Any) {
                        let part_place = self.place(place, Step::Field { variant: *index, field: field as u32 });
                        at += row.ask(self.patterns, at, part_place, part);
                    }
                }
            }
            Pattern::Null | Pattern::Bool(_) | Pattern::Numbers(..) | Pattern::String(_) => {}
            Pattern::Or(_) => unreachable!("entries are alternatives"),
        }
        let id = self.row(row);
        entry.inside = Some(id);
        id
    }

    /// A node for the values of some entries, ascending.
    fn gathered(&mut self, place: Place, entries: &mut [Entry], chosen: impl Iterator<Item = usize>) -> Option<NodeId> {
        let mut rows = Vec::new();
        for index in chosen {
            let row = self.inside(&mut entries[index], place);
            if self.gather(&mut rows, row) == Rows::Complete {
                break;
            }
            if self.at_the_limit() {
                return None;
            }
        }
        Some(self.node(rows))
    }

    /// A node for each of these heads and those that occur, ascending.
    fn by_head(&mut self, place: Place, entries: &mut [Entry], heads: &[Head<'p>]) -> Option<Heads<'p>> {
        let mut own: BTreeMap<Head<'p>, Vec<usize>> = heads.iter().map(|head| (*head, Vec::new())).collect();
        for (index, entry) in entries.iter().enumerate() {
            if let Some(head) = entry.test.and_then(|test| self.head(test.1)) {
                own.entry(head).or_default().push(index);
            }
        }
        let always = self.matching_all(entries);
        let mut nodes = BTreeMap::new();
        for (head, own) in own {
            let node = self.gathered(place, entries, merged(&own, &always))?;
            nodes.insert(head, node);
        }
        Some(Heads { nodes })
    }

    /// A node for the values that have none of the heads that occur.
    fn others(&mut self, place: Place, entries: &mut [Entry]) -> Option<NodeId> {
        let always = self.matching_all(entries);
        self.gathered(place, entries, always.into_iter())
    }

    /// The entries that ask nothing of the place.
    fn matching_all(&self, entries: &[Entry]) -> Vec<usize> {
        (0..entries.len()).filter(|&i| entries[i].test.is_none_or(|test| self.patterns.matches_all(test.1))).collect()
    }

    fn head(&self, pattern: PatternId) -> Option<Head<'p>> {
        match &self.patterns.all[pattern] {
            Pattern::Null => Some(Head::Null),
            Pattern::Some(_) => Some(Head::Some),
            Pattern::Bool(value) => Some(Head::Bool(*value)),
            Pattern::String(text) => Some(Head::String(text)),
            Pattern::Variant { index, .. } => Some(Head::Variant(*index)),
            Pattern::Any | Pattern::Bind(_) => None,
            Pattern::Numbers(..) | Pattern::Or(_) => {
                unreachable!("numbers have no heads, alternatives are written out")
            }
        }
    }

    /// Intervals between all bounds that occur: a walk from the lowest up, with the entries that match there at hand.
    fn by_number(&mut self, place: Place, domain: Domain, entries: &mut [Entry]) -> Option<Vec<(i64, NodeId)>> {
        let mut bounds: BTreeMap<i64, Vec<usize>> = BTreeMap::from([(domain.first(), Vec::new())]);
        let mut here: BTreeSet<usize> = BTreeSet::new();
        for (index, entry) in entries.iter().enumerate() {
            if let Some(&Pattern::Numbers(_, first, last)) = entry.test.map(|test| &self.patterns.all[test.1]) {
                bounds.entry(first).or_default().push(index);
                if last < domain.last() {
                    bounds.entry(last + 1).or_default().push(index);
                }
            } else {
                here.insert(index);
            }
        }
        let mut parts: Vec<(i64, NodeId)> = Vec::with_capacity(bounds.len());
        for (first, changed) in bounds {
            for index in changed {
                if !here.remove(&index) {
                    here.insert(index);
                }
            }
            let node = self.gathered(place, entries, here.iter().copied())?;
            if parts.last().is_none_or(|part| part.1 != node) {
                parts.push((first, node));
            }
        }
        Some(parts)
    }
}

/// The nodes of the heads of a place.
struct Heads<'p> {
    nodes: BTreeMap<Head<'p>, NodeId>,
}

impl<'p> Heads<'p> {
    fn of(&self, head: Head<'p>) -> NodeId {
        self.nodes[&head]
    }
}

/// Two ascending lists as one.
fn merged<'a>(left: &'a [usize], right: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let (mut left, mut right) = (left.iter().copied().peekable(), right.iter().copied().peekable());
    std::iter::from_fn(move || match (left.peek(), right.peek()) {
        (Some(l), Some(r)) if l > r => right.next(),
        (Some(_), _) => left.next(),
        (None, _) => right.next(),
    })
}
