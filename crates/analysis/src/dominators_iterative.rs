//! Dominators as sets: the data-flow equations solved by iteration, the first algorithm of every textbook.
//!
//! Dom(n) is the set of the blocks that dominate `n`. The largest solution of
//!
//! Dom(entry) = {entry}, Dom(n) = {n} ∪ ⋂ Dom(p) over the predecessors p of n
//!
//! is what dominance is. Start with all blocks in every set but the entry's, and apply the equation in reverse postorder
//! until nothing changes. The dominators of a block are a chain; in reverse postorder each comes before those that
//! it dominates, so that the immediate dominator of `n` is the last of the others in Dom(n).
//!
//! *In:* a function of any phase, its `Cfg`. *Out:* [`DominatorTree`]. *Keeps:* everything.
//! *Cost:* a set has a bit for each block: memory is blocks² / 8 bytes, time O(rounds × edges × blocks / 64), the rounds
//! at most the depth of nested retreating edges + 2 on reducible graphs. Above [`MOST_BLOCKS`] blocks take another.
//! *Source:* F. Allen, J. Cocke, A Program Data Flow Analysis Procedure, 1976; A. Aho et al., Compilers, 2nd edition 2006,
//! section 9.6.1. *Leaves:* unreachable blocks have no immediate dominator, and as predecessors they do not count.
//!
//! ```text
//! func diamond(c: bool) {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   jmp join4
//! right3:
//!   jmp join4
//! join4:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! Dom(entry1) = {entry1}
//! Dom(left2) = {entry1, left2}
//! Dom(right3) = {entry1, right3}
//! Dom(join4) = {entry1, join4}
//! ```

use crate::dominator_tree::{DominatorTree, numbers_of};
use crate::orders::{reachable, reverse_postorder};
use mini_base::bitset::BitSet;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

/// From here on the sets take more than 50 MB; the other algorithms have no such limit.
pub const MOST_BLOCKS: usize = 20_000;

/// Computes the dominator tree.
pub fn dominators(func: &Func, cfg: &Cfg) -> DominatorTree {
    let dom = dominator_sets(func, cfg);
    let order = reverse_postorder(func);
    let number = numbers_of(&order, func.block_count());
    let mut idoms: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    for &n in &order {
        idoms[n] = dom[n].iter().filter(|&d| d != n).max_by_key(|&d| number[d]);
    }
    DominatorTree::from_idoms(func, &idoms)
}

/// Dom(n) of every reachable block n; nothing for the others.
pub fn dominator_sets(func: &Func, cfg: &Cfg) -> IdVec<Block, BitSet<Block>> {
    let all = reachable(func);
    let mut dom = IdVec::filled(BitSet::new(0), func.block_count());
    for n in all.iter() {
        dom[n] = all.clone();
    }
    dom[func.entry()].clear();
    dom[func.entry()].insert(func.entry());
    let order = reverse_postorder(func);
    let mut changed = true;
    while changed {
        changed = false;
        for &n in &order[1..] {
            let mut new = all.clone();
            for p in cfg.predecessors(func, n).filter(|&p| all.contains(p)) {
                new.intersect_with(&dom[p]);
            }
            new.insert(n);
            // Sets only shrink, so that this comes to an end.
            changed |= dom[n].intersect_with(&new);
        }
    }
    dom
}
