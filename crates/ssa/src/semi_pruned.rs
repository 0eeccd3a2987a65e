//! Semi-pruned SSA: minimal SSA of the variables that live across a block boundary.
//!
//! Most variables of a program, above all those that a compiler makes, are read only in the block that assigned them, behind the
//! assignment. None of their phis is ever read. The others, the *non-locals*, have an upward-exposed use somewhere: a
//! read without an assignment before it in its block. That costs one look at each instruction and no liveness analysis.
//!
//! *In, Out, Keeps, Breaks, Leaves:* as `cytron` says. Dead phis of non-locals are left too; `pruned` has none.
//! *Cost:* O(instructions), and O(blocks + edges) for each non-local.
//! *Source:* P. Briggs, K. Cooper, T. Harvey, L. Simpson, Practical Improvements to the Construction and Destruction of Static
//! Single Assignment Form, 1998 (the set *non-locals*); K. Cooper, L. Torczon, Engineering a Compiler, 2nd edition 2011, section
//! 9.3.3, figure 9.9 a (there *Globals*). DF⁺ as in `iterated_frontier`.
//!
//! Before: `x` is live in `join4`; `d` is not, but in `left2` and `right3`; `t` lives inside blocks only.
//! ```text
//! func f(c: bool) -> int {
//! entry1:
//!   %1 = const 1
//!   x = copy %1
//!   d = copy %1
//!   br c, left2, right3
//! left2:
//!   t = add d, d
//!   x = copy t
//!   jmp join4
//! right3:
//!   t = neg d
//!   d = copy t
//!   jmp join4
//! join4:
//!   ret x
//! }
//! ```
//! After:
//! ```text
//! ssa func f(c.1: bool) -> int {
//! entry1:
//!   %1 = const 1
//!   x.1 = copy %1
//!   d.1 = copy %1
//!   br c.1, left2, right3
//! left2:
//!   t.1 = add d.1, d.1
//!   x.2 = copy t.1
//!   jmp join4(x.2, d.1)
//! right3:
//!   t.2 = neg d.1
//!   d.2 = copy t.2
//!   jmp join4(x.1, d.2)
//! join4(x.3: int, d.3: int):
//!   ret x.3
//! }
//! ```

use crate::cytron::{self, Placement};
use crate::rename_stacks;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::occurrences::Occurrences;
use mini_ir::func::Func;

/// Brings a function from TAC into semi-pruned SSA.
pub fn run(func: &mut Func) {
    cytron::construct(func, place, rename_stacks::rename);
}

/// DF⁺(A(V)) for each non-local V.
pub fn place(func: &Func, tree: &DominatorTree) -> Placement {
    let occurrences = Occurrences::of_variables(func);
    let mut frontier = IteratedFrontier::new(func, tree);
    let mut phis = Placement::none(func);
    for v in cytron::variables(func) {
        let a = occurrences.defs(v);
        let is_local = occurrences.exposed(v).is_empty();
        if is_local || a == [tree.root()] {
            continue; // (the frontier of the entry is empty)
        }
        phis.place(v, frontier.of(a));
    }
    phis
}
