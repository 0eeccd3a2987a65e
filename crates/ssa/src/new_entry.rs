//! An entry that no edge leads to.
//!
//! A phi in the entry would have no argument for the way in from outside; so SSA wants an entry without predecessors. If an
//! edge leads back to the entry, a new block that jumps to it is put in front.
//!
//! *In:* TAC. *Out:* TAC whose entry has no predecessors. *Keeps:* all blocks and their order. *Breaks:* analyses of blocks and edges.
//! *Cost:* O(blocks + edges). *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control
//! Dependence Graph, 1991 (their node Entry). *Leaves:* functions that have such an entry as they are.
//!
//! Before:
//! ```text
//! func f(n: int, c: bool) -> int {
//! head1:
//!   n = neg n
//!   br c, head1, exit2
//! exit2:
//!   ret n
//! }
//! ```
//! After:
//! ```text
//! func f(n: int, c: bool) -> int {
//! entry3:
//!   jmp head1
//! head1:
//!   n = neg n
//!   br c, head1, exit2
//! exit2:
//!   ret n
//! }
//! ```

use mini_base::source::Pos;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Func, Imm};
use mini_ir::op::Op;

/// Gives the function such an entry, if it has none.
pub fn run(func: &mut Func) {
    let old = func.entry();
    if Cfg::new(func).incoming(old).is_empty() {
        return;
    }
    let new = func.new_block("entry");
    let jump = func.create_inst(Op::Jump, Imm::None, &[], Pos::NONE);
    func.set_edges(jump, &[(old, &[])]);
    func.append_inst(new, jump);
    let mut order = vec![new];
    order.extend(func.blocks().filter(|&b| b != new));
    func.set_layout(order);
}
