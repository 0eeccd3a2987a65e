//! Puts the nodes of a tree into an order: each before those that it leads to.
//!
//! *In:* the nodes as they were made, some of them no more than names for others, some not used. *Out:* those that are
//! reached, renumbered. *How:* reverse post-order of a depth-first search over nodes and arms: a node of an arm leads to the
//! arm, and the arm to wherever its guard may lead from any of its nodes. So all nodes of an arm come before what follows its
//! guard. There is no cycle: what follows a guard is about later arms. *Cost:* linear.

use super::{Node, NodeId};
use mini_base::ids::{Id, IdVec};

/// A node while the tree is built.
#[derive(Clone)]
pub(super) enum Made {
    /// Not looked at yet.
    Waiting,
    Node(Node),
    /// There is nothing to decide: another node takes its place.
    Same(NodeId),
}

/// The nodes that `root` leads to, beginning with it, in order.
pub(super) fn in_order(mut made: IdVec<NodeId, Made>, root: NodeId, arms: usize) -> IdVec<NodeId, Node> {
    let root = skip_names(&mut made, root);
    let order = order(&made, root, arms);
    let mut renamed: IdVec<NodeId, Option<NodeId>> = IdVec::filled(None, made.len());
    for (new, &old) in order.iter().enumerate() {
        renamed[old] = Some(NodeId::new(new));
    }
    let to = |old: NodeId| renamed[old].expect("what a reached node leads to is reached");
    let mut nodes = IdVec::new();
    for old in order {
        nodes.push(match std::mem::replace(&mut made[old], Made::Waiting) {
            Made::Node(Node::Fail) => Node::Fail,
            Made::Node(Node::Arm { arm, bindings, otherwise }) => {
                Node::Arm { arm, bindings, otherwise: otherwise.map(to) }
            }
            Made::Node(Node::InOrder { arm, otherwise }) => Node::InOrder { arm, otherwise: to(otherwise) },
            Made::Node(Node::Switch(place, mut switch)) => {
                switch.redirect(to);
                Node::Switch(place, switch)
            }
            Made::Waiting | Made::Same(_) => unreachable!("all nodes were looked at, and names skipped"),
        });
    }
    nodes
}

/// Makes all edges lead to nodes that are no mere names; gives the root.
fn skip_names(made: &mut IdVec<NodeId, Made>, root: NodeId) -> NodeId {
    let mut meant: IdVec<NodeId, NodeId> = IdVec::new();
    for id in made.ids() {
        let mut at = id;
        let mut path = Vec::new();
        while let Made::Same(next) = made[at] {
            if at < id {
                at = meant[at];
                break;
            }
            path.push(at);
            at = next;
        }
        for name in path {
            made[name] = Made::Same(at);
        }
        meant.push(at);
    }
    let to = |id: NodeId| meant[id];
    for node in made.iter_mut() {
        match node {
            Made::Node(Node::Switch(_, switch)) => switch.redirect(to),
            Made::Node(Node::Arm { otherwise, .. }) => *otherwise = otherwise.map(to),
            Made::Node(Node::InOrder { otherwise, .. }) => *otherwise = to(*otherwise),
            Made::Node(Node::Fail) | Made::Same(_) | Made::Waiting => {}
        }
    }
    to(root)
}

/// Where a node leads; an arm's guard is behind the arm, see [`order`].
fn targets(node: &Made) -> Vec<NodeId> {
    match node {
        Made::Node(Node::Switch(_, switch)) => switch.targets(),
        Made::Node(Node::Arm { otherwise, .. }) => otherwise.iter().copied().collect(),
        Made::Node(Node::InOrder { otherwise, .. }) => vec![*otherwise],
        Made::Node(Node::Fail) | Made::Same(_) | Made::Waiting => Vec::new(),
    }
}

fn order(made: &IdVec<NodeId, Made>, root: NodeId, arms: usize) -> Vec<NodeId> {
    // An arm is a vertex behind those of the nodes.
    let count = made.len();
    let arm_of = |id: NodeId| match made[id] {
        Made::Node(Node::Arm { arm, .. } | Node::InOrder { arm, .. }) => Some(arm),
        _ => None, // no arm's
    };
    let leads_to = |v: usize| targets(&made[NodeId::new(v)]).iter().map(|t| t.index()).collect::<Vec<_>>();
    let mut behind_guards: Vec<Vec<usize>> = vec![Vec::new(); arms];
    for vertex in post_order(count, root.index(), leads_to) {
        if let Some(arm) = arm_of(NodeId::new(vertex)) {
            behind_guards[arm].extend(leads_to(vertex));
        }
    }
    let mut order = post_order(count + arms, root.index(), |v| match v.checked_sub(count) {
        Some(arm) => behind_guards[arm].clone(),
        None => arm_of(NodeId::new(v)).map_or_else(|| leads_to(v), |arm| vec![count + arm]),
    });
    order.reverse();
    order.into_iter().filter(|&v| v < count).map(NodeId::new).collect()
}

/// Depth-first from the root; the last target is followed first, so that the first one comes right behind its node
/// once the order is reversed.
fn post_order(count: usize, root: usize, targets: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut order = Vec::new();
    let mut stack = vec![(root, targets(root))];
    seen[root] = true;
    while let Some((vertex, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(target) if seen[target] => {}
            Some(target) => {
                seen[target] = true;
                stack.push((target, targets(target)));
            }
            None => {
                order.push(*vertex);
                stack.pop();
            }
        }
    }
    order
}
