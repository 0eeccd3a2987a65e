//! Facts that hold at a point of a body: which late variables are assigned, which optional variables are not null.
//!
//! *In:* the walk over a body, which says what happens in order. *Out:* at each read, whether a fact holds.
//! *Keeps:* a fact holds at a join iff it holds on every path that reaches the join; unreachable paths don't count.
//! *Cost:* a state is copied in O(1) and changed in O(log variables) (a persistent tree with shared nodes); a join costs
//! as much as the two states differ, times log. So the analysis is n·log n in the size of the body, however it branches.
//! *Leaves:* who narrows what is for `conditions.rs`, assignments are for `stmt.rs`, what ends at a loop's head for `loops.rs`.

use crate::typed::LocalId;
use mini_base::ids::Id;
use std::rc::Rc;

/// Facts per leaf and children per inner node.
const LEAF_BITS: usize = 64;
const FANOUT: usize = 16;

#[derive(Clone)]
enum Node {
    Leaf(u64),
    Inner([Option<Rc<Node>>; FANOUT]),
}

/// A persistent set of facts.
#[derive(Clone, Default)]
pub(crate) struct FactSet {
    root: Option<Rc<Node>>,
    /// Levels of inner nodes above the leaves.
    height: u32,
}

impl FactSet {
    fn capacity(height: u32) -> usize {
        LEAF_BITS * FANOUT.pow(height)
    }

    /// Whether the fact holds.
    fn contains(&self, fact: usize) -> bool {
        if fact >= Self::capacity(self.height) {
            return false;
        }
        let mut node = self.root.as_deref();
        let mut height = self.height;
        loop {
            match node {
                None => return false,
                Some(Node::Leaf(bits)) => return bits >> (fact % LEAF_BITS) & 1 != 0,
                Some(Node::Inner(children)) => {
                    height -= 1;
                    node = children[fact / Self::capacity(height) % FANOUT].as_deref();
                }
            }
        }
    }

    fn insert(&mut self, fact: usize) {
        while fact >= Self::capacity(self.height) {
            if let Some(old) = self.root.take() {
                let mut children: [Option<Rc<Node>>; FANOUT] = Default::default();
                children[0] = Some(old);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let mut slot = &mut self.root;
        for height in (0..self.height).rev() {
            let node = slot.get_or_insert_with(|| Rc::new(Node::Inner(Default::default())));
            match Rc::make_mut(node) {
                Node::Inner(children) => slot = &mut children[fact / Self::capacity(height) % FANOUT],
                Node::Leaf(_) => unreachable!("leaves are at height 0 only"),
            }
        }
        let leaf = slot.get_or_insert_with(|| Rc::new(Node::Leaf(0)));
        match Rc::make_mut(leaf) {
            Node::Leaf(bits) => *bits |= 1 << (fact % LEAF_BITS),
            Node::Inner(_) => unreachable!("inner nodes are above height 0 only"),
        }
    }

    fn remove(&mut self, fact: usize) {
        if !self.contains(fact) {
            return;
        }
        let mut slot = &mut self.root;
        for height in (0..self.height).rev() {
            match slot.as_mut().map(Rc::make_mut) {
                Some(Node::Inner(children)) => slot = &mut children[fact / Self::capacity(height) % FANOUT],
                Some(Node::Leaf(_)) | None => return,
            }
        }
        let Some(Node::Leaf(bits)) = slot.as_mut().map(Rc::make_mut) else {
            return;
        };
        *bits &= !(1 << (fact % LEAF_BITS));
        if *bits == 0 {
            *slot = None;
        }
    }

    fn meet(a: &FactSet, b: &FactSet) -> FactSet {
        let (low, high) = if a.height <= b.height { (a, b) } else { (b, a) };
        let mut node = high.root.as_ref();
        for _ in low.height..high.height {
            node = match node.map(|n| &**n) {
                Some(Node::Inner(children)) => children[0].as_ref(),
                Some(Node::Leaf(_)) | None => None,
            };
        }
        FactSet { root: meet_nodes(low.root.as_ref(), node), height: low.height }
    }
}

/// What both hold; `None` if nothing. The depth is the height of the tree, at most 7.
fn meet_nodes(a: Option<&Rc<Node>>, b: Option<&Rc<Node>>) -> Option<Rc<Node>> {
    let (a, b) = (a?, b?);
    if Rc::ptr_eq(a, b) {
        return Some(a.clone());
    }
    match (&**a, &**b) {
        (Node::Leaf(x), Node::Leaf(y)) => {
            let both = x & y;
            if both == *x {
                return (both != 0).then(|| a.clone());
            }
            (both != 0).then(|| Rc::new(Node::Leaf(both)))
        }
        (Node::Inner(x), Node::Inner(y)) => {
            let children: [Option<Rc<Node>>; FANOUT] =
                std::array::from_fn(|i| meet_nodes(x[i].as_ref(), y[i].as_ref()));
            // Sharing the old node where nothing changed keeps later meets cheap.
            let unchanged = children.iter().zip(x).all(|(new, old)| match (new, old) {
                (None, None) => true,
                (Some(new), Some(old)) => Rc::ptr_eq(new, old),
                (None, Some(_)) | (Some(_), None) => false,
            });
            if unchanged {
                return Some(a.clone());
            }
            children.iter().any(Option::is_some).then(|| Rc::new(Node::Inner(children)))
        }
        (Node::Leaf(_), Node::Inner(_)) | (Node::Inner(_), Node::Leaf(_)) => {
            unreachable!("both trees were brought to one height")
        }
    }
}

/// Whether control gets to a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// It does, as far as the rules look.
    Yes,
    /// It does not.
    No,
    /// It does not, and that was warned about.
    Warned,
}

/// What holds at a point.
#[derive(Clone)]
pub(crate) struct Flow {
    facts: FactSet,
    /// Whether control gets here.
    pub reach: Reach,
}

impl Flow {
    /// The start of a body: no facts.
    pub fn start() -> Flow {
        Flow { facts: FactSet::default(), reach: Reach::Yes }
    }

    /// Whether control gets here.
    pub fn reachable(&self) -> bool {
        self.reach == Reach::Yes
    }

    /// Control does not go on from here.
    pub fn stop(&mut self) {
        if self.reach == Reach::Yes {
            self.reach = Reach::No;
        }
    }

    /// The variable has been assigned.
    pub fn assign(&mut self, local: LocalId) {
        self.facts.insert(local.index() * 2);
    }

    /// Whether the variable has been assigned.
    pub fn is_assigned(&self, local: LocalId) -> bool {
        self.facts.contains(local.index() * 2)
    }

    /// The variable is not null.
    pub fn narrow(&mut self, local: LocalId) {
        self.facts.insert(local.index() * 2 + 1);
    }

    /// Nothing is known of the variable any longer.
    pub fn widen(&mut self, local: LocalId) {
        self.facts.remove(local.index() * 2 + 1);
    }

    /// Whether the variable is known not to be null.
    pub fn is_narrowed(&self, local: LocalId) -> bool {
        self.facts.contains(local.index() * 2 + 1)
    }

    /// The point that both paths reach.
    pub fn join(a: &Flow, b: &Flow) -> Flow {
        match (a.reachable(), b.reachable()) {
            (true, false) => a.clone(),
            (false, true) => b.clone(),
            (true, true) | (false, false) => {
                let reach = match (a.reach, b.reach) {
                    (Reach::Yes, _) => Reach::Yes,
                    (Reach::Warned, Reach::Warned) => Reach::Warned,
                    (Reach::No | Reach::Warned, _) => Reach::No,
                };
                Flow { facts: FactSet::meet(&a.facts, &b.facts), reach }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(i: usize) -> LocalId {
        LocalId::new(i)
    }

    #[test]
    fn a_join_keeps_what_both_paths_know() {
        let mut a = Flow::start();
        a.narrow(local(3));
        let mut b = a.clone();
        a.narrow(local(5000));
        b.assign(local(3));
        b.assign(local(70));
        a.assign(local(70));
        let both = Flow::join(&a, &b);
        assert!(both.is_narrowed(local(3)) && both.is_assigned(local(70)));
        assert!(!both.is_narrowed(local(5000)) && !both.is_assigned(local(3)));
    }

    #[test]
    fn unreachable_paths_do_not_count() {
        let mut a = Flow::start();
        let mut b = a.clone();
        a.assign(local(1));
        b.stop();
        assert!(Flow::join(&a, &b).is_assigned(local(1)));
        assert!(Flow::join(&b, &a).is_assigned(local(1)));
    }

    #[test]
    fn facts_end() {
        let mut a = Flow::start();
        for i in 0..3000 {
            a.narrow(local(i));
        }
        let copy = a.clone();
        a.widen(local(1234));
        assert!(!a.is_narrowed(local(1234)) && a.is_narrowed(local(1235)) && copy.is_narrowed(local(1234)));
        assert!(!Flow::join(&copy, &a).is_narrowed(local(1234)));
    }
}
