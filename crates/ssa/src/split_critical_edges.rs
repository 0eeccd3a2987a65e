//! Splits critical edges: from a block with several edges out to a block with several edges in.
//!
//! On such an edge there is no place for code: at the end of the source it would run on the other ways out too, at the
//! start of the target on the other ways in. A new block in the middle is that place.
//!
//! *In:* any phase. *Out:* the same phase, without critical edges. *Keeps:* values, parameters, the order of the old blocks.
//! *Breaks:* analyses of blocks and edges. *Cost:* O(blocks + edges).
//! *Source:* F. Rastello, F. Bouchez Tichadou (eds.), SSA-based Compiler Design, 2022, section 3.2 (edge splitting).
//! *Leaves:* new blocks that stay empty; block layout lets jumps pass through them.
//!
//! Before:
//! ```text
//! ssa func f(n.1: int) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = lt n.1, %1
//!   br %2, negative2, end3(n.1)
//! negative2:
//!   %3 = neg n.1
//!   jmp end3(%3)
//! end3(n.2: int):
//!   ret n.2
//! }
//! ```
//! After:
//! ```text
//! ssa func f(n.1: int) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = lt n.1, %1
//!   br %2, negative2, split4
//! split4:
//!   jmp end3(n.1)
//! negative2:
//!   %3 = neg n.1
//!   jmp end3(%3)
//! end3(n.2: int):
//!   ret n.2
//! }
//! ```

use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Imm, Value};
use mini_ir::op::Op;

/// Splits the critical edges; tells how many there were.
pub fn run(func: &mut Func) -> usize {
    let cfg = Cfg::new(func);
    let mut order: Vec<Block> = Vec::with_capacity(func.blocks().len());
    let mut split = 0;
    for source in func.layout().to_vec() {
        order.push(source);
        let edges = func.successors(source);
        if edges.len() < 2 {
            continue;
        }
        for edge in edges {
            let target = func.edge_target(edge);
            if cfg.incoming(target).len() < 2 {
                continue;
            }
            let middle = func.new_block("split");
            let args: Vec<Value> = func.edge_args(edge).collect();
            let pos = func.inst_pos(func.edge_inst(edge));
            let jump = func.create_inst(Op::Jump, Imm::None, &[], pos);
            func.set_edges(jump, &[(target, &args)]);
            func.append_inst(middle, jump);
            func.clear_edge_args(edge);
            func.set_edge_target(edge, middle);
            order.push(middle);
            split += 1;
        }
    }
    if split > 0 {
        func.set_layout(order);
    }
    split
}
