//! Removes the blocks that control can't reach.
//!
//! *In:* any phase. *Out:* the same phase. *Keeps:* the order of the other blocks. *Breaks:* analyses of blocks and edges.
//! *Cost:* O(blocks + edges + removed instructions). *Source:* A. Aho et al., Compilers, 2nd edition 2006, section 8.7.2.
//! *Leaves:* blocks that only a constant condition keeps from being reached.
//!
//! Before:
//! ```text
//! func f() -> int {
//! entry1:
//!   %1 = const 1
//!   jmp exit3
//! dead2:
//!   jmp exit3
//! exit3:
//!   ret %1
//! }
//! ```
//! After:
//! ```text
//! func f() -> int {
//! entry1:
//!   %1 = const 1
//!   jmp exit3
//! exit3:
//!   ret %1
//! }
//! ```

use mini_analysis::orders::reachable;
use mini_ir::func::{Block, Func};

/// Removes the unreachable blocks with their instructions; tells how many there were.
pub fn run(func: &mut Func) -> usize {
    let reachable = reachable(func);
    let order: Vec<Block> = func.blocks().filter(|&b| reachable.contains(b)).collect();
    let removed = func.blocks().len() - order.len();
    if removed > 0 {
        // The instructions of a removed block take their operands along, edge arguments included. What they defined
        // is used in unreachable blocks only, since a definition dominates its uses.
        func.set_layout(order);
    }
    removed
}
