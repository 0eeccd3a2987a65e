//! Out of SSA, step 1: conventional SSA by one parallel copy at the end of each predecessor.
//!
//! In *conventional* SSA a block parameter and all its arguments can live in one place: no two of them are ever live at
//! the same time. Optimised SSA is not like that (the lost-copy and the swap problem). Copying every argument makes it so:
//! at the end of each predecessor of a block with parameters, one `parcopy` copies the edge's arguments to fresh values,
//! which become the arguments.
//!
//! *Why that suffices, without copying the parameters too.* Critical edges are split first, and a parameter of a block with
//! a single incoming edge is replaced by its argument; so a block that still has parameters has only predecessors
//! that end in `jmp` to it. Let `a₁ … aₖ` be the fresh arguments for parameter `x` of block `B`.
//! 1. `aᵢ` is live from the `parcopy` to the `jmp` behind it and nowhere else; so no two of the `aᵢ` interfere.
//! 2. `x` is defined at the start of `B`, so it is not live on the way into `B`; `B` is all that comes behind the `parcopy`; so
//!    `x` is not live where `aᵢ` is. The `parcopy` itself may read `x` (in a loop), but it reads everything before it writes.
//! 3. Each `aᵢ` is in one web only, being fresh; and `x` is an argument of no block any more.
//!
//! Method I of Sreedhar et al. copies the parameter too, since its edges need not be split: then `x` may be live out of a
//! predecessor, where `aᵢ` is. Here 2 excludes that.
//!
//! *In:* SSA. *Out:* CSSA: `phi_webs` gives the webs, `sequentialize` the moves of a `parcopy` once places are known.
//! Unreachable blocks go, for they would blur points 1 and 2.
//! *Keeps:* instructions and their order. *Breaks:* analyses of blocks, edges and values.
//! *Cost:* O(blocks + edges + arguments).
//! *Source:* V. Sreedhar et al., Translating Out of Static Single Assignment Form, 1999, method I; B. Boissinot et al.,
//! Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency, 2009, section II (parallel copies).
//! *Leaves:* more copies than needed; the register allocator gives both sides the same register where it can.
//!
//! Before (the swap problem):
//! ```text
//! ssa func f(a.1: int, b.1: int, c.1: bool) -> int {
//! entry1:
//!   jmp head2(a.1, b.1)
//! head2(a.2: int, b.2: int):
//!   br c.1, head2(b.2, a.2), exit3
//! exit3:
//!   ret a.2
//! }
//! ```
//! After:
//! ```text
//! cssa func f(a.1: int, b.1: int, c.1: bool) -> int {
//! entry1:
//!   a.3, b.3 = parcopy a.1, b.1
//!   jmp head2(a.3, b.3)
//! head2(a.2: int, b.2: int):
//!   br c.1, split4, exit3
//! split4:
//!   a.4, b.4 = parcopy b.2, a.2
//!   jmp head2(a.4, b.4)
//! exit3:
//!   ret a.2
//! }
//! ```

use crate::{remove_unreachable, split_critical_edges};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Edge, Func, Imm, Phase, Value};
use mini_ir::op::Op;

/// Brings a function from SSA into conventional SSA.
pub fn run(func: &mut Func) {
    assert_eq!(func.phase, Phase::Ssa, "conventional SSA is made from SSA");
    remove_unreachable::run(func);
    split_critical_edges::run(func);
    let cfg = Cfg::new(func);
    let blocks: Vec<Block> = func.blocks().filter(|&b| !func.block_params(b).is_empty()).collect();
    for &block in &blocks {
        if let &[edge] = cfg.incoming(block) {
            replace_params_by_args(func, block, edge);
        }
    }
    for &block in &blocks {
        for &edge in cfg.incoming(block) {
            if func.edge_args(edge).len() > 0 {
                isolate(func, edge);
            }
        }
    }
    func.phase = Phase::Cssa;
}

/// On the only way into a block its parameters are its arguments.
fn replace_params_by_args(func: &mut Func, block: Block, edge: Edge) {
    for n in 0..func.block_params(block).len() {
        // Read anew for each parameter: the replacement before may have changed it (never to itself, since the source
        // of the only edge dominates the block).
        let (param, arg) = (func.block_params(block)[n], func.edge_arg(edge, n));
        func.replace_all_uses(param, arg);
    }
    func.clear_block_params(block);
    func.clear_edge_args(edge);
}

/// Copies the arguments of an edge, all at once, to values of their own.
fn isolate(func: &mut Func, edge: Edge) {
    let args: Vec<Value> = func.edge_args(edge).collect();
    let params: Vec<Value> = func.block_params(func.edge_target(edge)).to_vec();
    let fresh: Vec<Value> = params.into_iter().map(|p| func.new_value_like(p)).collect();
    let jump = func.edge_inst(edge);
    let copy = func.create_inst(Op::ParallelCopy, Imm::None, &args, func.inst_pos(jump));
    func.set_results(copy, &fresh);
    func.insert_before(jump, copy);
    for (n, &value) in fresh.iter().enumerate() {
        func.set_edge_arg(edge, n, value);
    }
}
