//! `match`, `if let` and `while let`: patterns become a decision tree, and its nodes blocks.
//!
//! *In:* a value, evaluated, and patterns with guards. *Out:* blocks that lead to the arms. *Keeps:* each arm is lowered
//! once, behind all nodes that choose it; variables are set where the arm is chosen, before its guard. *How:* nodes come in
//! an order in which each is reached by jumps before it is started. A part of the value is loaded where it is first asked for;
//! a node that several lead to knows what is loaded on all ways to it. Where a guard that is false leads to different nodes, each
//! way to the guard notes which. *Cost:* linear in the tree.

use crate::body::{BodyLowering, Val, Variable};
use crate::decision::{self, Domain, Node, NodeId, PatternId, Patterns, Place, Step, Switch, Tree};
use crate::expr::payload;
use crate::repr::Repr;
use crate::switch::StringCase;
use mini_base::ids::{Id, IdVec};
use mini_ir::func::{Block, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{ExprId, NullTest, Pattern};
use mini_sema::types::{Ty, TyKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The patterns of a `match` in order, or the one of an `if let`.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'p> {
    pub pattern: &'p Pattern,
    pub guard: Option<ExprId>,
}

/// What is matched.
#[derive(Clone, Copy)]
pub(crate) struct Matched {
    pub val: Val,
    pub ty: Ty,
}

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Ends the current block. `arm` is called for each arm that can be chosen, where control is when its guard is true, and ends
    /// the block it is in; where no arm matches, control gets to `fail`.
    pub(crate) fn choose(
        &mut self,
        matched: Matched,
        choices: &[Choice<'p>],
        fail: Block,
        arm: impl FnMut(&mut Self, usize),
    ) {
        let mut patterns = Patterns::default();
        let arms: Vec<decision::Arm> = (choices.iter())
            .map(|choice| decision::Arm {
                pattern: self.to_decide(&mut patterns, choice.pattern, matched.ty),
                guarded: choice.guard.is_some(),
            })
            .collect();
        let tree = decision::build(&patterns, &arms);
        Chooser::new(self, matched, tree, choices, fail).run(arm);
    }

    /// A pattern as the builder of trees sees it.
    fn to_decide(&self, patterns: &mut Patterns, pattern: &Pattern, ty: Ty) -> PatternId {
        let pattern = match pattern {
            Pattern::Wildcard => decision::Pattern::Any,
            Pattern::Bind(local) => decision::Pattern::Bind(*local),
            Pattern::Null => decision::Pattern::Null,
            Pattern::Some(inner) => {
                let inner_ty = self.optional_inner(ty);
                decision::Pattern::Some(self.to_decide(patterns, inner, inner_ty))
            }
            Pattern::Int(value) => decision::Pattern::Numbers(Domain::Int, *value, *value),
            Pattern::IntRange(from, to) => decision::Pattern::Numbers(Domain::Int, *from, *to),
            Pattern::Byte(value) => decision::Pattern::Numbers(Domain::Byte, i64::from(*value), i64::from(*value)),
            Pattern::ByteRange(from, to) => decision::Pattern::Numbers(Domain::Byte, i64::from(*from), i64::from(*to)),
            Pattern::Bool(value) => decision::Pattern::Bool(*value),
            Pattern::String(bytes) => decision::Pattern::String(bytes.clone()),
            Pattern::Variant(index, parts) => {
                let program = self.module.program;
                let TyKind::Enum(id, _) = program.types.kind(ty) else {
                    unreachable!("the checker typed this as an enum")
                };
                let of = program.enums[*id].variants.len() as u32;
                let types = if parts.is_empty() { &[] } else { program.member_types(ty, *index) };
                let parts = parts.iter().zip(types).map(|(part, &ty)| self.to_decide(patterns, part, ty)).collect();
                decision::Pattern::Variant { index: *index, of, parts }
            }
            Pattern::Or(alternatives) => {
                let alternatives: Vec<PatternId> =
                    alternatives.iter().map(|alternative| self.to_decide(patterns, alternative, ty)).collect();
                return patterns.or(alternatives.into_iter());
            }
        };
        patterns.add(pattern)
    }

    fn optional_inner(&self, ty: Ty) -> Ty {
        self.module.program.types.optional_inner(ty).expect("the checker typed this as an optional")
    }
}

/// The places that are loaded where control is.
type Loaded = Rc<FxHashMap<Place, Val>>;

/// An arm.
struct ArmState {
    /// How many nodes that lead to it are still to come.
    awaited: u32,
    /// Where several nodes lead to it: its block, and what all of them have loaded.
    shared: Option<(Block, Option<Loaded>)>,
    /// Where its guard leads when it is false, in the order of the nodes.
    otherwise: Vec<NodeId>,
    /// If there are several: which one.
    way: Option<Value>,
}

struct Chooser<'l, 'm, 'p, 'c> {
    lowering: &'l mut BodyLowering<'m, 'p>,
    matched: Matched,
    choices: &'c [Choice<'p>],
    nodes: IdVec<NodeId, Node>,
    places: IdVec<Place, Option<(Place, Step)>>,
    types: IdVec<Place, Ty>,
    arms: Vec<ArmState>,
    blocks: IdVec<NodeId, Option<Block>>,
    loaded: IdVec<NodeId, Option<Loaded>>,
    fail: Block,
}

impl<'l, 'm, 'p, 'c> Chooser<'l, 'm, 'p, 'c> {
    fn new(
        lowering: &'l mut BodyLowering<'m, 'p>,
        matched: Matched,
        tree: Tree,
        choices: &'c [Choice<'p>],
        fail: Block,
    ) -> Self {
        let mut types: IdVec<Place, Ty> = IdVec::new();
        for step in tree.places.iter() {
            types.push(match *step {
                None => matched.ty,
                Some((around, Step::Payload)) => lowering.optional_inner(types[around]),
                Some((around, Step::Field { variant, field })) => {
                    lowering.module.program.member_types(types[around], variant)[field as usize]
                }
            });
        }
        let arms = choices.iter().map(|_| ArmState { awaited: 0, shared: None, otherwise: Vec::new(), way: None });
        let mut arms: Vec<ArmState> = arms.collect();
        for node in tree.nodes.iter() {
            match node {
                Node::Arm { arm, otherwise, .. } => {
                    arms[*arm].awaited += 1;
                    arms[*arm].otherwise.extend(otherwise);
                }
                Node::InOrder { arm, otherwise } => {
                    arms[*arm].awaited += 1;
                    arms[*arm].otherwise.push(*otherwise);
                }
                Node::Fail | Node::Switch(..) => {}
            }
        }
        for (arm, choice) in arms.iter_mut().zip(choices) {
            arm.otherwise.sort_unstable();
            arm.otherwise.dedup();
            if arm.awaited > 1 {
                arm.shared = Some((lowering.new_block("arm"), None));
            }
            if choice.guard.is_some() && arm.otherwise.len() > 1 {
                let Variable::One(way) = lowering.new_variable("way", Repr::One(Type::Int)) else {
                    unreachable!("an int is one value")
                };
                arm.way = Some(way);
            }
        }
        let count = tree.nodes.len();
        Chooser {
            lowering,
            matched,
            choices,
            nodes: tree.nodes,
            places: tree.places,
            types,
            arms,
            blocks: IdVec::filled(None, count),
            loaded: IdVec::filled(None, count),
            fail,
        }
    }

    fn run(mut self, mut arm: impl FnMut(&mut BodyLowering<'m, 'p>, usize)) {
        let root = NodeId::new(0);
        self.loaded[root] = Some(Rc::new(FxHashMap::from_iter([(Place::new(0), self.matched.val)])));
        for id in self.nodes.ids() {
            let node = std::mem::replace(&mut self.nodes[id], Node::Fail);
            if id == root && matches!(node, Node::Fail) {
                self.lowering.jump(self.fail);
            }
            if matches!(node, Node::Fail) {
                continue;
            }
            if let Some(index) = self.direct(&node) {
                self.arms[index].awaited -= 1;
                if self.arms[index].awaited == 0 {
                    self.start_shared(index, &mut arm);
                }
                continue;
            }
            if id != root {
                let block = self.blocks[id].expect("a node is behind those that lead to it");
                self.lowering.start(block);
            }
            let loaded = self.loaded[id].take().expect("a node is behind those that lead to it");
            match node {
                Node::Switch(place, switch) => self.switch(place, &switch, loaded),
                Node::Arm { arm: index, bindings, otherwise } => {
                    let mut loaded = loaded;
                    for (local, place) in bindings {
                        let val = self.load(place, &mut loaded);
                        self.lowering.bind(local, val);
                    }
                    self.chosen(index, otherwise, loaded, &mut arm);
                }
                Node::InOrder { arm: index, otherwise } => {
                    let next = self.edge(otherwise, &loaded);
                    let Matched { val, ty } = self.matched;
                    self.lowering.pattern(self.choices[index].pattern, val, ty, next);
                    self.chosen(index, Some(otherwise), loaded, &mut arm);
                }
                Node::Fail => unreachable!("it has no block of ours"),
            }
        }
    }

    /// The arm's index, if a node that chooses it has nothing to do but to jump there.
    fn direct(&self, node: &Node) -> Option<usize> {
        match node {
            Node::Arm { arm, bindings, .. } => {
                let state = &self.arms[*arm];
                (state.shared.is_some() && state.way.is_none() && bindings.is_empty()).then_some(*arm)
            }
            Node::Fail | Node::InOrder { .. } | Node::Switch(..) => None,
        }
    }

    /// Control leads from here to a node, with this loaded; gives the node's block.
    fn edge(&mut self, to: NodeId, loaded: &Loaded) -> Block {
        let label = match &self.nodes[to] {
            Node::Fail => return self.fail,
            Node::Arm { .. } => "arm",
            Node::Switch(..) | Node::InOrder { .. } => "test",
        };
        if let Some(arm) = self.direct(&self.nodes[to]) {
            return self.edge_to_arm(arm, loaded);
        }
        meet(&mut self.loaded[to], loaded);
        *self.blocks[to].get_or_insert_with(|| self.lowering.new_block(label))
    }

    fn edge_to_arm(&mut self, arm: usize, loaded: &Loaded) -> Block {
        let (block, known) = self.arms[arm].shared.as_mut().expect("several nodes lead to the arm");
        meet(known, loaded);
        *block
    }

    /// Control is where a node, which leads to `otherwise` if the guard is false, has chosen an arm. Behind the last such node,
    /// the arm follows.
    fn chosen(
        &mut self,
        index: usize,
        otherwise: Option<NodeId>,
        loaded: Loaded,
        arm: &mut impl FnMut(&mut BodyLowering<'m, 'p>, usize),
    ) {
        let state = &mut self.arms[index];
        state.awaited -= 1;
        let last = state.awaited == 0;
        if let (Some(way), Some(otherwise)) = (state.way, otherwise) {
            let number = state.otherwise.partition_point(|&other| other < otherwise);
            let number = self.lowering.int(number as i64);
            self.lowering.assign_one(way, number);
        }
        if self.arms[index].shared.is_none() {
            return self.arm(index, &loaded, arm);
        }
        let block = self.edge_to_arm(index, &loaded);
        self.lowering.jump(block);
        if last {
            self.start_shared(index, arm);
        }
    }

    fn start_shared(&mut self, index: usize, arm: &mut impl FnMut(&mut BodyLowering<'m, 'p>, usize)) {
        let (block, loaded) = self.arms[index].shared.take().expect("several nodes lead to the arm");
        self.lowering.start(block);
        self.arm(index, &loaded.expect("all of them were looked at"), arm);
    }

    /// The guard, if there is one, and the arm.
    fn arm(&mut self, index: usize, loaded: &Loaded, arm: &mut impl FnMut(&mut BodyLowering<'m, 'p>, usize)) {
        if let Some(guard) = self.choices[index].guard {
            let then = self.lowering.new_block("then");
            let otherwise = std::mem::take(&mut self.arms[index].otherwise);
            let targets: Vec<Block> = otherwise.into_iter().map(|to| self.edge(to, loaded)).collect();
            match self.arms[index].way {
                None => self.lowering.condition(guard, then, targets[0]),
                Some(way) => {
                    let ways = self.lowering.new_block("ways");
                    self.lowering.condition(guard, then, ways);
                    self.lowering.start(ways);
                    let cases = targets.into_iter().enumerate().map(|(number, to)| (number as i64, to)).collect();
                    self.lowering.jump_by_case(way, cases, None);
                }
            }
            self.lowering.start(then);
        }
        arm(self.lowering, index);
    }

    fn switch(&mut self, place: Place, switch: &Switch, mut loaded: Loaded) {
        let val = self.load(place, &mut loaded);
        match switch {
            Switch::Null { null, some } => {
                let (null, some) = (self.edge(*null, &loaded), self.edge(*some, &loaded));
                let test = self.lowering.null_test(NullTest::IsNotNull, val);
                self.lowering.branch(test, some, null);
            }
            Switch::Bool { yes, no } => {
                let (yes, no) = (self.edge(*yes, &loaded), self.edge(*no, &loaded));
                let value = self.lowering.one_or_dead(val, Repr::One(Type::Bool));
                self.lowering.branch(value, yes, no);
            }
            Switch::Variant { cases, default } => {
                let cases = cases.iter().map(|&(index, to)| (i64::from(index), self.edge(to, &loaded))).collect();
                let default = default.map(|to| self.edge(to, &loaded));
                let index = self.lowering.variant_index(val, self.types[place]);
                self.lowering.jump_by_case(index, cases, default);
            }
            Switch::Numbers(domain, parts) => {
                let parts: Vec<(i64, Block)> =
                    parts.iter().map(|&(first, to)| (first, self.edge(to, &loaded))).collect();
                let number = match domain {
                    Domain::Int => self.lowering.one_or_dead(val, Repr::One(Type::Int)),
                    Domain::Byte => {
                        let byte = self.lowering.one_or_dead(val, Repr::One(Type::Byte));
                        self.lowering.op(Op::ByteToInt, &[byte], Type::Int)
                    }
                };
                self.lowering.jump_by_interval(number, &parts, domain.last());
            }
            Switch::String { cases, default } => {
                let cases: Vec<StringCase> =
                    cases.iter().map(|(text, to)| (text.clone(), self.edge(*to, &loaded))).collect();
                let default = self.edge(*default, &loaded);
                let value = self.lowering.one_or_dead(val, Repr::One(Type::Ref));
                self.lowering.jump_by_string(value, &cases, default);
            }
        }
    }

    /// What a place holds, loaded if it is not yet.
    fn load(&mut self, place: Place, loaded: &mut Loaded) -> Val {
        if let Some(&val) = loaded.get(&place) {
            return val;
        }
        let (around, step) = self.places[place].expect("the whole value is known");
        let outer = self.load(around, loaded);
        let val = match step {
            Step::Payload => payload(outer),
            Step::Field { variant, field } => {
                let object = self.lowering.one_or_dead(outer, Repr::One(Type::Ref));
                self.lowering.load_payload(object, self.types[around], variant, field, self.types[place])
            }
        };
        Rc::make_mut(loaded).insert(place, val);
        val
    }
}

/// Another way to a node, on which this is loaded: what all ways have loaded remains.
fn meet(known: &mut Option<Loaded>, loaded: &Loaded) {
    let Some(known) = known else {
        *known = Some(loaded.clone());
        return;
    };
    if !Rc::ptr_eq(known, loaded) {
        let same =
            |place: &Place, val: &mut Val| loaded.get(place).is_some_and(|other| val.values().eq(other.values()));
        Rc::make_mut(known).retain(same);
    }
}
