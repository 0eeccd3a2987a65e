//! Decision trees: which tests tell the arms of a `match` apart.
//!
//! *In:* one pattern an arm, in order, each with whether a guard may refuse it; no types and no IR. *Out:* a [`Tree`]:
//! nodes that look at one place of the value each and lead to others, in an order in which every node stands before those
//! that it leads to. *Keeps:* the first arm that matches is chosen; of alternatives the first; a guard is asked once for an
//! arm; on no path is a place looked at twice. *Source:* L. Maranget, Compiling Pattern Matching to Good Decision Trees,
//! 2008, sections 3 and 4: a matrix of patterns is split by the constructors of one column into smaller ones.
//!
//! *Which column:* of those that the first row asks about, the one that most rows from the top on ask about without a gap
//! (section 8.1, heuristics f and p), strings only when nothing else is left, then the leftmost. So no test is made that
//! the first row does not need.
//!
//! *Size:* rows hold what they still ask, nothing else, so equal matrices are found again and their trees shared: the
//! tree is a graph without cycles. `(A | B, A | B, …)` is linear thereby. Some matrices have only exponential trees (section 9);
//! therefore a tree may have [`SIZE`] times as many nodes and edges as the patterns have parts, and building it may cost
//! [`WORK`] times as much. Past that, what is left tries its arms one after the other, each from the start, as a backtracking
//! automaton would: one [`Node::InOrder`] an arm, which all share. *Cost:* n·log n, as both are bounded.
//!
//! *Example:* `Add(Zero, y) => 0, Add(x, y) => 1, _ => 2` becomes
//! ```text
//! n0: variant of value: 0 → n1, else n4
//! n1: variant of value.0.0: 0 → n2, else n3
//! n2: arm 0
//! ```

mod build;
mod order;
#[cfg(test)]
mod tests;

use mini_base::define_id;
use mini_base::ids::{Id, IdVec};
use mini_sema::typed::LocalId;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

pub(crate) use build::{Arm, build};

define_id! {
    /// A pattern of [`Patterns`].
    pub(crate) struct PatternId, "p";
    /// A place inside the matched value; the first is all of it.
    pub(crate) struct Place, "o";
    /// A node of a tree; the first is the root.
    pub(crate) struct NodeId, "n";
}

/// The factor between the size of the patterns and that of their tree.
const SIZE: usize = 8;

/// The factor between the size of the patterns and the rows' parts that are looked at.
const WORK: usize = 64;

/// A pattern, with all that has to be known about the type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pattern {
    /// Anything.
    Any,
    /// Anything, and the variable gets it.
    Bind(LocalId),
    /// The null of an optional.
    Null,
    /// An optional's value.
    Some(PatternId),
    /// A bool.
    Bool(bool),
    /// Numbers from the first to the last.
    Numbers(Domain, i64, i64),
    /// A string.
    String(Arc<[u8]>),
    /// A variant out of so many, with its payload.
    Variant { index: u32, of: u32, parts: Vec<PatternId> },
    /// The first alternative that matches; at least two, none but the last matches everything.
    Or(Vec<PatternId>),
}

/// Which numbers there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Domain {
    Int,
    Byte,
}

impl Domain {
    fn first(self) -> i64 {
        match self {
            Domain::Int => i64::MIN,
            Domain::Byte => 0,
        }
    }

    pub(crate) fn last(self) -> i64 {
        match self {
            Domain::Int => i64::MAX,
            Domain::Byte => 255,
        }
    }
}

/// All patterns of a match. Equal ones are one, so that equal rows are found fast.
#[derive(Default)]
pub(crate) struct Patterns {
    all: IdVec<PatternId, Pattern>,
    known: FxHashMap<Pattern, PatternId>,
    /// How many parts were put in, equal ones too.
    size: usize,
}

impl Patterns {
    /// The id of a pattern.
    pub(crate) fn add(&mut self, pattern: Pattern) -> PatternId {
        self.size += 1;
        let all = &mut self.all;
        *self.known.entry(pattern).or_insert_with_key(|pattern| all.push(pattern.clone()))
    }

    /// Alternatives. Those in alternatives are written out, and those behind one that matches everything left out.
    pub(crate) fn or(&mut self, alternatives: impl Iterator<Item = PatternId>) -> PatternId {
        let mut flat: Vec<PatternId> = Vec::new();
        for alternative in alternatives {
            match &self.all[alternative] {
                Pattern::Or(inner) => flat.extend(inner),
                _ => flat.push(alternative), // one
            }
            if flat.last().is_some_and(|&last| self.matches_all(last)) {
                break;
            }
        }
        if let [one] = flat[..] { one } else { self.add(Pattern::Or(flat)) }
    }

    /// Whether a pattern asks nothing.
    pub(crate) fn matches_all(&self, pattern: PatternId) -> bool {
        matches!(self.all[pattern], Pattern::Any | Pattern::Bind(_))
    }
}

/// How a place is got from the one around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    /// An optional's value.
    Payload,
    /// A part of a variant.
    Field { variant: u32, field: u32 },
}

/// What tells the arms apart.
pub(crate) struct Tree {
    /// Each node is before those that it leads to, and all nodes of an arm before those that its guard leads to.
    pub nodes: IdVec<NodeId, Node>,
    /// Each place with the one around it, which is before it; the first has none.
    pub places: IdVec<Place, Option<(Place, Step)>>,
}

/// A node.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// No arm matches.
    Fail,
    /// The arm is chosen, and its variables are set; if it has a guard, that leads elsewhere when it is false.
    Arm { arm: usize, bindings: Vec<(LocalId, Place)>, otherwise: Option<NodeId> },
    /// The arm is tried from the start. Where it does not match or its guard is false, it goes on elsewhere.
    InOrder { arm: usize, otherwise: NodeId },
    /// The place decides.
    Switch(Place, Switch),
}

/// Where the values of a place lead.
#[derive(Clone, Debug)]
pub(crate) enum Switch {
    Null {
        null: NodeId,
        some: NodeId,
    },
    Bool {
        yes: NodeId,
        no: NodeId,
    },
    /// Ascending; without a default all variants are there.
    Variant {
        cases: Vec<(u32, NodeId)>,
        default: Option<NodeId>,
    },
    /// Each from its number to the next one's, ascending from the domain's first.
    Numbers(Domain, Vec<(i64, NodeId)>),
    /// Ascending.
    String {
        cases: Vec<(Arc<[u8]>, NodeId)>,
        default: NodeId,
    },
}

impl Switch {
    /// Where it leads, with repetitions.
    pub(crate) fn targets(&self) -> Vec<NodeId> {
        match self {
            Switch::Null { null, some } => vec![*null, *some],
            Switch::Bool { yes, no } => vec![*yes, *no],
            Switch::Variant { cases, default } => cases.iter().map(|c| c.1).chain(*default).collect(),
            Switch::Numbers(_, parts) => parts.iter().map(|p| p.1).collect(),
            Switch::String { cases, default } => cases.iter().map(|c| c.1).chain([*default]).collect(),
        }
    }

    /// Puts other nodes in place of those that it leads to.
    fn redirect(&mut self, to: impl Fn(NodeId) -> NodeId) {
        match self {
            Switch::Null { null: a, some: b } | Switch::Bool { yes: a, no: b } => (*a, *b) = (to(*a), to(*b)),
            Switch::Variant { cases, default } => {
                cases.iter_mut().for_each(|c| c.1 = to(c.1));
                *default = default.map(to);
            }
            Switch::Numbers(_, parts) => parts.iter_mut().for_each(|p| p.1 = to(p.1)),
            Switch::String { cases, default } => {
                cases.iter_mut().for_each(|c| c.1 = to(c.1));
                *default = to(*default);
            }
        }
    }
}

impl Tree {
    /// The places around a place and itself: `value.1.0!` is the payload of the first part of the variant 1.
    fn place(&self, place: Place) -> String {
        let mut steps = Vec::new();
        let mut at = place;
        while let Some((around, step)) = self.places[at] {
            steps.push(match step {
                Step::Payload => "!".to_string(),
                Step::Field { variant, field } => format!(".{variant}.{field}"),
            });
            at = around;
        }
        steps.reverse();
        format!("value{}", steps.concat())
    }

    fn switch(&self, place: Place, switch: &Switch) -> String {
        let place = self.place(place);
        match switch {
            Switch::Null { null, some } => format!("{place} is null → {null}, else {some}"),
            Switch::Bool { yes, no } => format!("{place} is true → {yes}, else {no}"),
            Switch::Variant { cases, default } => {
                let cases = cases.iter().map(|(index, to)| format!("{index} → {to}"));
                let cases: Vec<String> = cases.chain(default.map(|to| format!("else {to}"))).collect();
                format!("variant of {place}: {}", cases.join(", "))
            }
            Switch::Numbers(_, parts) => {
                let parts: Vec<String> = parts.iter().map(|(first, to)| format!("from {first} → {to}")).collect();
                format!("number in {place}: {}", parts.join(", "))
            }
            Switch::String { cases, default } => {
                let cases = cases.iter().map(|(text, to)| format!("{:?} → {to}", String::from_utf8_lossy(text)));
                let cases: Vec<String> = cases.chain([format!("else {default}")]).collect();
                format!("string in {place}: {}", cases.join(", "))
            }
        }
    }
}

impl fmt::Display for Tree {
    /// One line a node.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, node) in self.nodes.iter_enumerated() {
            let text = match node {
                Node::Fail => "no arm".into(),
                Node::Arm { arm, bindings, otherwise } => {
                    let sets = bindings.iter().map(|&(local, at)| format!(", v{} = {}", local.index(), self.place(at)));
                    let guard = otherwise.map_or(String::new(), |to| format!(", or {to}"));
                    format!("arm {arm}{}{guard}", sets.collect::<String>())
                }
                Node::InOrder { arm, otherwise } => format!("try arm {arm}, or {otherwise}"),
                Node::Switch(place, switch) => self.switch(*place, switch),
            };
            writeln!(f, "{id}: {text}")?;
        }
        Ok(())
    }
}
