//! Sets of phis that only together are superfluous (Braun et al.): what irreducible control flow leaves of trivial phis.
//!
//! A set of phis is *redundant* if their operands are phis of the set and one other value: then that value is what all of them are.
//! Such a set contains a strongly connected component of the graph whose edges lead from phis to operands. Components
//! are taken in topological order, operands before users. One with a single operand from outside is replaced by it. In one with
//! several, the phis whose operands are all inside may still be redundant among themselves: they are taken apart in turn.
//! SSA is minimal in the sense of Cytron et al. just when no set of its phis is redundant.
//!
//! *In:* phis without trivial ones (it would find them too). *Out:* phis without redundant sets. *Keeps:* all values that are not phis.
//! *Cost:* O(phis + operands) for each level of components inside components; there is one level unless loops have several entries.
//! *Source:* M. Braun et al., Simple and Efficient Construction of Static Single Assignment Form, 2013, section 3.2, algorithm 5
//! (`removeRedundantPhis`); R. Tarjan, Depth-first search and linear graph algorithms, 1972, for the components.
//! *Leaves:* nothing: SSA is minimal then.
//!
//! Before: `entry1` enters the loop of `left2` and `right3` at both. Reading `x` makes `phi [entry1: x.1], [right3: x.2]` in `left2`, which is x.3,
//! and `phi [entry1: x.1], [left2: x.3]` in `right3`, which is x.2. Neither is trivial.
//! ```text
//! func f(x: int, c: bool) -> int {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   jmp right3
//! right3:
//!   br c, left2, exit4
//! exit4:
//!   ret x
//! }
//! ```
//! After: `x.1` has taken the place of both.
//! ```text
//! ssa func f(x.1: int, c.1: bool) -> int {
//! entry1:
//!   br c.1, left2, right3
//! left2:
//!   jmp right3
//! right3:
//!   br c.1, left2, exit4
//! exit4:
//!   ret x.1
//! }
//! ```

use crate::trivial_phis::{Phi, Phis};
use mini_base::ids::IdVec;
use mini_ir::func::Value;

/// Removes all redundant sets; tells how many phis that were.
pub fn remove(phis: &mut Phis) -> usize {
    let mut removed = 0;
    let mut components = Components::new(phis.count());
    // The next component is the last.
    let mut stack = components.find(phis, &phis.remaining());
    while let Some(scc) = stack.pop() {
        let (inner, outer_operands) = components.look_outside(phis, &scc);
        match outer_operands {
            Outer::None => panic!("every block is reachable"),
            Outer::One(value) => {
                removed += scc.len();
                for phi in scc {
                    phis.replace(phi, value);
                }
            }
            Outer::Several => stack.extend(components.find(phis, &inner)),
        }
    }
    removed
}

/// Operands that are not phis of a component.
enum Outer {
    None,
    One(Value),
    Several,
}

#[derive(Clone, Copy, Default)]
struct Node {
    /// Which call of `find` or `look_outside` it belongs to; the rest holds in that call only.
    call: u32,
    /// The order in which the search met it, from 1; 0 before.
    number: u32,
    /// The least number that it is known to reach, as far as its component is open.
    low: u32,
    closed: bool,
}

/// Strongly connected components of phis, with marks that are used again.
struct Components {
    call: u32,
    nodes: IdVec<Phi, Node>,
}

impl Components {
    fn new(count: usize) -> Components {
        Components { call: 0, nodes: IdVec::filled(Node::default(), count) }
    }

    fn begin(&mut self, members: &[Phi]) {
        self.call += 1;
        for &phi in members {
            self.nodes[phi] = Node { call: self.call, ..Node::default() };
        }
    }

    /// The phi that an operand is, if it is a member.
    fn member(&self, phis: &Phis, operand: Value) -> Option<Phi> {
        phis.phi_of(operand).filter(|&phi| self.nodes[phi].call == self.call)
    }

    /// The components of the graph that has only these phis; each before those that its phis have as operands.
    fn find(&mut self, phis: &mut Phis, members: &[Phi]) -> Vec<Vec<Phi>> {
        self.begin(members);
        let (mut met, mut open, mut search, mut found) = (0, Vec::new(), Vec::new(), Vec::new());
        for &root in members {
            if self.nodes[root].number == 0 {
                search.push((root, 0));
            }
            while let Some((phi, n)) = search.pop() {
                if n == 0 {
                    met += 1;
                    (self.nodes[phi].number, self.nodes[phi].low) = (met, met);
                    open.push(phi);
                }
                if n < phis.operand_count(phi) {
                    search.push((phi, n + 1));
                    let operand = phis.operand(phi, n);
                    match self.member(phis, operand) {
                        Some(next) if self.nodes[next].number == 0 => search.push((next, 0)),
                        Some(next) if !self.nodes[next].closed => self.lower(phi, self.nodes[next].low),
                        Some(_) | None => {}
                    }
                    continue;
                }
                let low = self.nodes[phi].low;
                if low == self.nodes[phi].number {
                    let start = open.iter().rposition(|&p| p == phi).expect("the search opened it");
                    let component: Vec<Phi> = open.drain(start..).collect();
                    for &phi in &component {
                        self.nodes[phi].closed = true;
                    }
                    found.push(component);
                } else if let Some(&(above, _)) = search.last() {
                    self.lower(above, low);
                }
            }
        }
        found.reverse();
        found
    }

    fn lower(&mut self, phi: Phi, low: u32) {
        self.nodes[phi].low = self.nodes[phi].low.min(low);
    }

    /// `inner` and `outerOps`: the phis of a component with no operand from outside, and the operands from outside.
    fn look_outside(&mut self, phis: &mut Phis, scc: &[Phi]) -> (Vec<Phi>, Outer) {
        self.begin(scc);
        let (mut inner, mut outer) = (Vec::new(), Outer::None);
        for &phi in scc {
            let mut is_inner = true;
            for n in 0..phis.operand_count(phi) {
                let operand = phis.operand(phi, n);
                if self.member(phis, operand).is_some() {
                    continue;
                }
                is_inner = false;
                outer = match outer {
                    Outer::None => Outer::One(operand),
                    Outer::One(value) if value == operand => Outer::One(value),
                    Outer::One(_) | Outer::Several => Outer::Several,
                };
            }
            if is_inner {
                inner.push(phi);
            }
        }
        (inner, outer)
    }
}
