//! Minimal SSA: a phi wherever two assignments of a variable meet first, whether its value is read behind it or not.
//!
//! A phi for V stands at exactly the blocks of DF⁺(A(V)). *Minimal*: no phi but where paths from two assignments converge. Fewer
//! are possible only with liveness.
//!
//! *In, Out, Keeps, Breaks, Leaves:* as `cytron` says. Dead phis are left too; `pruned` has none.
//! *Cost:* O(blocks + edges) for each variable, which makes it quadratic where variables are as many as blocks.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 5.1; DF⁺ as in `iterated_frontier`.
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
//!   jmp join4(x.2, d.1, t.1)
//! right3:
//!   t.2 = neg d.1
//!   d.2 = copy t.2
//!   jmp join4(x.1, d.2, t.2)
//! join4(x.3: int, d.3: int, t.3: int):
//!   ret x.3
//! }
//! ```

use crate::cytron::{self, Placement};
use crate::rename_stacks;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::occurrences::Occurrences;
use mini_ir::func::Func;

/// Brings a function from TAC into minimal SSA.
pub fn run(func: &mut Func) {
    cytron::construct(func, place, rename_stacks::rename);
}

/// DF⁺(A(V)) for each variable V.
pub fn place(func: &Func, tree: &DominatorTree) -> Placement {
    let occurrences = Occurrences::of_variables(func);
    let mut frontier = IteratedFrontier::new(func, tree);
    let mut phis = Placement::none(func);
    for v in cytron::variables(func) {
        let a = occurrences.defs(v);
        if a == [tree.root()] {
            continue; // the frontier of the entry is empty
        }
        phis.place(v, frontier.of(a));
    }
    phis
}
