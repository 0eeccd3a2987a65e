//! Leaders: where the basic blocks of a flat list of instructions begin; and functions as flat lists.
//!
//! A *leader* is the first instruction of a basic block. The rules:
//!
//! 1. The first instruction is a leader.
//! 2. What a jump, conditional or not, leads to is a leader.
//! 3. What follows a jump is a leader. A `ret` counts as a jump: to the caller.
//!
//! A block reaches from its leader up to the next leader. A label that no jump names begins no block.
//!
//! [`flatten`] goes the other way: the blocks of a TAC function one behind the other. A `jmp` to what follows is left out where
//! rule 2 finds the leader without it, and so is the last target of a `br` to what follows; the leaders of the list are the
//! blocks of the function again.
//!
//! *In:* for each instruction where control goes; or a function in TAC. *Out:* the leaders in order, each with the rules that
//! make it one; or the list. *Keeps:* everything. *Cost:* O(instructions + targets).
//! *Source:* A. Aho et al., Compilers, 2nd edition 2006, section 8.4.1, algorithm 8.5. *Leaves:* parameters of blocks, which a flat
//! list can't have.
//!
//! ```text
//! flat func sum_to(n: int) -> int {
//!   %1 = const 0
//!   s = copy %1
//!   i = copy %1
//! head2:
//!   %3 = lt i, n
//!   br %3, body3
//!   ret s
//! body3:
//!   s = add s, i
//!   %5 = const 1
//!   i = add i, %5
//!   jmp head2
//! }
//! ```
//! gives
//! ```text
//! leaders of sum_to
//!   1 * b1:     %1 = const 0   rule 1
//!   2           s = copy %1
//!   3           i = copy %1
//!   4 * head2:  %3 = lt i, n   rule 2 by 10
//!   5           br %3, body3
//!   6 * b6:     ret s          rule 3 by 5
//!   7 * body3:  s = add s, i   rule 2 by 5, rule 3 by 6
//!   8           %5 = const 1
//!   9           i = add i, %5
//!  10           jmp head2
//! blocks of sum_to
//! b1     1–3
//! head2  4–5
//! b6     6
//! body3  7–10
//! ```

use crate::func::{Block, Edge, Func, Inst};
use crate::op::Op;
use mini_base::ids::IdVec;

/// Where control goes behind an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    /// The instructions that it names; their places in the list.
    pub targets: Vec<usize>,
    /// What else may happen.
    pub then: Then,
}

/// What happens if an instruction does not go to one of its targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The instruction that follows it.
    Follows,
    /// Nothing: it always leads elsewhere, or nowhere.
    Never,
}

impl Flow {
    /// Whether rule 3 makes a leader of what follows.
    fn is_jump(&self) -> bool {
        !self.targets.is_empty() || self.then == Then::Never
    }
}

/// A leader with the rules that make it one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leader {
    /// Its place in the list; for the first instruction rule 1 holds.
    pub at: usize,
    /// Rule 2: the first jump that leads here.
    pub target_of: Option<usize>,
    /// Rule 3: the jump before it.
    pub behind: Option<usize>,
}

/// The leaders of a list, in order.
pub fn leaders(list: &[Flow]) -> Vec<Leader> {
    let mut marks: Vec<Leader> = (0..list.len()).map(|at| Leader { at, target_of: None, behind: None }).collect();
    for (at, flow) in list.iter().enumerate() {
        for &target in &flow.targets {
            marks[target].target_of.get_or_insert(at);
        }
        if flow.is_jump() && at + 1 < list.len() {
            marks[at + 1].behind = Some(at);
        }
    }
    marks.retain(|mark| mark.at == 0 || mark.target_of.is_some() || mark.behind.is_some());
    marks
}

/// An instruction of a flat list that was made of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlatInst {
    /// The block that begins here, whose label stands before the instruction.
    pub label: Option<Block>,
    /// The instruction.
    pub inst: Inst,
    /// How much of it is written.
    pub written: Written,
}

/// How much of an instruction stands in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// All of it.
    Whole,
    /// A `br` without its last target, which follows.
    WithoutElse,
}

/// A verified TAC function as a flat list.
pub fn flatten(func: &Func) -> Vec<FlatInst> {
    let mut list = Vec::new();
    // How many edges that stay in the list lead to each block.
    let mut named: IdVec<Block, u32> = IdVec::filled(0, func.block_count());
    let next: Vec<Option<Block>> = func.blocks().skip(1).map(Some).chain([None]).collect();
    for (block, &next) in func.blocks().zip(&next) {
        for edge in written_edges(func, block, next) {
            named[func.edge_target(edge)] += 1;
        }
    }
    for (block, &next) in func.blocks().zip(&next) {
        let mut label = Some(block);
        for inst in func.insts(block) {
            let falls = func.op(inst) == Op::Jump && func.edges(inst).all(|edge| Some(func.edge_target(edge)) == next);
            // A label needs an instruction of its own block behind it.
            if falls && label.is_none() && next.is_some_and(|next| named[next] > 0) {
                continue;
            }
            let whole = func.op(inst) != Op::Branch || written_edges(func, block, next).len() == 2;
            let written = if whole { Written::Whole } else { Written::WithoutElse };
            list.push(FlatInst { label: label.take(), inst, written });
        }
    }
    list
}

/// The edges out of a block without those that can be left out because they lead to what follows.
fn written_edges(func: &Func, block: Block, next: Option<Block>) -> impl ExactSizeIterator<Item = Edge> {
    let may_fall = func.terminator(block).is_some_and(|end| [Op::Jump, Op::Branch].contains(&func.op(end)));
    let falls = may_fall && func.successors(block).next_back().is_some_and(|edge| Some(func.edge_target(edge)) == next);
    let edges = func.successors(block);
    let count = edges.len() - usize::from(falls);
    edges.take(count)
}

/// Where control goes in a list that [`flatten`] made.
pub fn flow_of(func: &Func, list: &[FlatInst]) -> Vec<Flow> {
    let mut place: IdVec<Block, usize> = IdVec::filled(0, func.block_count());
    for (at, line) in list.iter().enumerate() {
        if let Some(block) = line.label {
            place[block] = at;
        }
    }
    let flow = |line: &FlatInst| {
        let mut targets: Vec<usize> = func.edges(line.inst).map(|edge| place[func.edge_target(edge)]).collect();
        let ends = func.op(line.inst).is_terminator();
        match line.written {
            Written::Whole => Flow { targets, then: if ends { Then::Never } else { Then::Follows } },
            Written::WithoutElse => {
                targets.pop();
                Flow { targets, then: Then::Follows }
            }
        }
    };
    list.iter().map(flow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(targets: &[usize], then: Then) -> Flow {
        Flow { targets: targets.to_vec(), then }
    }

    #[test]
    fn the_identity_matrix_of_the_textbook() {
        // Aho et al. 2006, figure 8.7: 17 instructions, leaders 1, 2, 3, 10, 12 and 13.
        let mut list = vec![flow(&[], Then::Follows); 17];
        for (at, target) in [(9, 3), (11, 2), (17, 13)] {
            list[at - 1].targets.push(target - 1);
        }
        let found: Vec<usize> = leaders(&list).iter().map(|leader| leader.at + 1).collect();
        assert_eq!(found, [1, 2, 3, 10, 12, 13]);
    }

    #[test]
    fn each_rule_is_named() {
        let list =
            [flow(&[], Then::Follows), flow(&[3, 3], Then::Never), flow(&[0], Then::Follows), flow(&[], Then::Never)];
        let leader = |at, target_of, behind| Leader { at, target_of, behind };
        let expected = [leader(0, Some(2), None), leader(2, None, Some(1)), leader(3, Some(1), Some(2))];
        assert_eq!(leaders(&list), expected);
        assert!(leaders(&[]).is_empty());
    }
}
