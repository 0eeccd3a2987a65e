//! Block layout: which blocks need no code of their own, and where control falls through.
//!
//! *In:* a function. *Out:* a [`Plan`]: the blocks that are encoded, and where jumps to the others really lead. *Cost:* linear.
//! *Leaves:* the order, which is the function's.
//!
//! A block that is only a jump is left out, and whoever goes there goes on at once. A loop of such blocks stays.
//!
//! ```text
//! a: jcc.l b; jmp c       a: jl d
//! b: jmp d            =>  c: …
//! c: …
//! ```

use crate::mir::{MBlock, Mir, Operand};
use crate::op::MOp;
use mini_base::ids::{Id, IdVec};

/// Longest chain of jumps to jumps that is followed.
const CHAIN: usize = 64;

/// The blocks as they are encoded.
pub(crate) struct Plan {
    /// The blocks that have code, in order.
    pub order: Vec<MBlock>,
    /// Where a jump to a block leads.
    pub target: IdVec<MBlock, MBlock>,
}

/// Plans the layout of a function.
pub(crate) fn plan(mir: &Mir) -> Plan {
    let mut target: IdVec<MBlock, MBlock> = (0..mir.blocks.len()).map(MBlock::new).collect();
    let mut order = Vec::with_capacity(mir.order.len());
    for (rank, &block) in mir.order.iter().enumerate() {
        let end = follow(mir, block);
        if only_jump(mir, end).is_none() && end != block {
            target[block] = end;
            if rank > 0 {
                continue;
            }
        }
        order.push(block);
    }
    Plan { order, target }
}

/// Where a chain of jumps that starts in a block ends.
fn follow(mir: &Mir, mut block: MBlock) -> MBlock {
    for _ in 0..CHAIN {
        match only_jump(mir, block) {
            Some(next) => block = next,
            None => break,
        }
    }
    block
}

/// Where a block jumps that does nothing else.
fn only_jump(mir: &Mir, block: MBlock) -> Option<MBlock> {
    match mir.blocks[block].insts[..] {
        [inst] if inst.op == MOp::Jmp => match mir.operands(&inst) {
            [Operand::Block(to)] => Some(*to),
            _ => None,
        },
        _ => None,
    }
}
