//! Copy propagation: every `copy` goes, and what used it uses its source.
//!
//! In SSA a copy is its source under another name: neither changes, and the source's definition comes before the copy's on
//! every path. Reverse postorder meets the definition of a value before its uses (but those by retreating edges), so that the
//! source of a copy is no copy any more when its turn comes, and each use moves once.
//!
//! *In:* SSA. *Out:* SSA without `copy`; unreachable blocks go. *Keeps:* everything else, and its order. *Breaks:* conventional SSA: parameters and
//! arguments that copies kept apart may be live at the same time afterwards (below, `a.2` and `b.2` change places).
//! *Cost:* O(instructions + uses of copies). *Source:* A. Appel, J. Palsberg, Modern Compiler Implementation,
//! 2nd edition 2002, section 19.3 (copy propagation). *Leaves:* parameters whose arguments are all the same value, which are
//! copies in disguise (`value_numbering`).
//!
//! Before:
//! ```text
//! ssa func f(n.1: int, c.1: bool) -> int {
//! entry1:
//!   a.1 = copy n.1
//!   b.1 = copy a.1
//!   %1 = neg b.1
//!   jmp head2(a.1, %1)
//! head2(a.2: int, b.2: int):
//!   tmp.1 = copy a.2
//!   a.3 = copy b.2
//!   b.3 = copy tmp.1
//!   br c.1, head2(a.3, b.3), exit3
//! exit3:
//!   ret a.3
//! }
//! ```
//! After:
//! ```text
//! ssa func f(n.1: int, c.1: bool) -> int {
//! entry1:
//!   %1 = neg n.1
//!   jmp head2(n.1, %1)
//! head2(a.2: int, b.2: int):
//!   br c.1, head2(b.2, a.2), exit3
//! exit3:
//!   ret b.2
//! }
//! ```

use mini_analysis::orders::reverse_postorder;
use mini_ir::func::{Func, Phase};
use mini_ir::op::Op;
use mini_ssa::remove_unreachable;

/// Removes all copies; tells how many blocks and instructions went.
pub fn run(func: &mut Func) -> usize {
    assert_eq!(func.phase, Phase::Ssa, "copies are propagated in SSA");
    // Where control can't get, a copy may be its own source by a detour; replacing would not end well.
    let mut removed = remove_unreachable::run(func);
    for block in reverse_postorder(func) {
        let mut next = func.first_inst(block);
        while let Some(inst) = next {
            next = func.next_inst(inst);
            if func.op(inst) == Op::Copy {
                let (copy, source) = (func.result(inst), func.arg(inst, 0));
                func.replace_all_uses(copy, source);
                func.remove_inst(inst);
                removed += 1;
            }
        }
    }
    removed
}
