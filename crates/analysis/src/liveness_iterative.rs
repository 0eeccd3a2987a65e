//! Liveness by iteration: the data-flow equations over sets, the algorithm of every textbook.
//!
//! With use(B) the values that block B reads before it defines them, and def(B) those that it defines, the smallest solution of
//!
//! OUT(B) = ∪ IN(S) over the successors S of B, IN(B) = use(B) ∪ (OUT(B) \ def(B))
//!
//! is what liveness is. Start with nothing in every set, and apply the equations, last block first, until nothing changes. What
//! counts as a read and as a definition is as `liveness` says: parameters of a block are in def(B), the arguments of its
//! edges are reads of the terminator.
//!
//! *In:* a function of any phase. *Out:* [`Liveness`]. *Keeps:* everything.
//! *Cost:* a set has a bit for each value: memory is 4 · blocks · values / 8 bytes, time O(rounds · edges · values / 64); with `d`
//! the most retreating edges on a path without a cycle there are about d + 2 rounds, if the last blocks in the text are the last
//! to run. Where blocks times values are more than [`MOST_BITS`] take `liveness`.
//! *Source:* A. Aho et al., Compilers, 2nd edition 2006, section 9.2.5, algorithm 9.14.
//! *Leaves:* liveness between the instructions of a block, which is one walk backwards from OUT.
//!
//! ```text
//! ssa func loop(c.1: bool) -> int {
//! entry1:
//!   %1 = const 0
//!   jmp head2(%1)
//! head2(i.2: int):
//!   br c.1, body3, exit4
//! body3:
//!   %2 = add i.2, i.2
//!   jmp head2(%2)
//! exit4:
//!   ret i.2
//! }
//! ```
//! gives
//! ```text
//! liveness of loop
//! block   live-in  live-out
//! entry1           c.1
//! head2   c.1      c.1 i.2
//! body3   c.1 i.2  c.1
//! exit4   i.2
//! ```

use crate::liveness::Liveness;
use mini_base::bitset::BitSet;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func, Phase, Value};

/// From here on the sets take more than 50 MB; `liveness` has no such limit.
pub const MOST_BITS: usize = 100_000_000;

/// Computes the liveness of all values.
pub fn liveness(func: &Func) -> Liveness {
    let empty = IdVec::filled(BitSet::new(func.value_count()), func.block_count());
    let (mut uses, mut defs) = (empty.clone(), empty.clone());
    for block in func.blocks() {
        (uses[block], defs[block]) = use_and_def(func, block);
    }
    let (mut live_in, mut live_out) = (empty.clone(), empty);
    let mut changed = true;
    while changed {
        changed = false;
        for block in func.blocks().rev() {
            for edge in func.successors(block) {
                live_out[block].union_with(&live_in[func.edge_target(edge)]);
            }
            let mut new = live_out[block].clone();
            new.subtract(&defs[block]);
            new.union_with(&uses[block]);
            if new != live_in[block] {
                live_in[block] = new;
                changed = true;
            }
        }
    }
    let lists = |sets: IdVec<Block, BitSet<Value>>| sets.iter().map(|set| set.iter().collect()).collect();
    Liveness::from_lists(lists(live_in), lists(live_out))
}

/// use(B) and def(B), by a walk backwards through the block.
fn use_and_def(func: &Func, block: Block) -> (BitSet<Value>, BitSet<Value>) {
    let none = BitSet::new(func.value_count());
    let (mut uses, mut defs) = (none.clone(), none);
    let mut define = |uses: &mut BitSet<Value>, values: &[Value]| {
        for &value in values {
            uses.remove(value);
            defs.insert(value);
        }
    };
    for inst in func.insts(block).rev() {
        define(&mut uses, func.results(inst));
        let edge_args = func.edges(inst).flat_map(|edge| func.edge_args(edge));
        for value in func.args(inst).chain(edge_args) {
            uses.insert(value);
        }
    }
    define(&mut uses, func.block_params(block));
    if block == func.entry() && func.phase != Phase::Tac {
        define(&mut uses, &func.params); // those of TAC are assigned before the entry
    }
    (uses, defs)
}
