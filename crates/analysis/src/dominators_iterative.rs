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
//! *Cost:* a set has a bit for each block: memory is blocks² / 8 bytes, time O(rounds × edges × blocks / 64). With `d` the most
//! retreating edges on a path without a cycle there are at most d + 2 rounds, the last of which changes nothing; on reducible
//! graphs 2, since a retreating edge comes from a block that its target dominates. Above [`MOST_BLOCKS`] blocks take another.
//! *Source:* F. Allen, J. Cocke, Graph-Theoretic Constructs for Program Flow Analysis, IBM RC 3923, 1972; A. Aho et al., Compilers,
//! 2nd edition 2006, section 9.6.1; J. Kam, J. Ullman, Global Data Flow Analysis and Iterative Algorithms, 1976, for the rounds.
//! *Leaves:* unreachable blocks have no immediate dominator, and as predecessors they do not count.
//!
//! `left2` and `join4` are a cycle that is entered at both; when `join4` is met first, nothing is known of `left2`:
//! ```text
//! func f(c: bool, d: bool) {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   jmp join4
//! right3:
//!   jmp join4
//! join4:
//!   br d, left2, exit5
//! exit5:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! dominators of f
//! block   round 1                    round 2             round 3
//! entry1  entry1                     entry1              entry1
//! right3  entry1 right3              entry1 right3       entry1 right3
//! join4   entry1 right3 join4        entry1 join4        entry1 join4
//! left2   entry1 left2               entry1 left2        entry1 left2
//! exit5   entry1 right3 join4 exit5  entry1 join4 exit5  entry1 join4 exit5
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
    let mut equations = Equations::new(func, cfg);
    while equations.round() {}
    equations.dom
}

/// The sets so far.
pub(crate) struct Equations<'a> {
    func: &'a Func,
    cfg: &'a Cfg,
    all: BitSet<Block>,
    /// Reverse postorder.
    pub order: Vec<Block>,
    pub dom: IdVec<Block, BitSet<Block>>,
}

impl Equations<'_> {
    pub fn new<'a>(func: &'a Func, cfg: &'a Cfg) -> Equations<'a> {
        let all = reachable(func);
        let mut dom = IdVec::filled(BitSet::new(0), func.block_count());
        for n in all.iter() {
            dom[n] = all.clone();
        }
        dom[func.entry()].clear();
        dom[func.entry()].insert(func.entry());
        Equations { func, cfg, all, order: reverse_postorder(func), dom }
    }

    /// Applies the equation once to each block but the entry; whether something changed. Sets only shrink, so that this comes to
    /// an end.
    pub fn round(&mut self) -> bool {
        let mut changed = false;
        for &n in &self.order[1..] {
            let mut new = self.all.clone();
            for p in self.cfg.predecessors(self.func, n).filter(|&p| self.all.contains(p)) {
                new.intersect_with(&self.dom[p]);
            }
            new.insert(n);
            if new != self.dom[n] {
                self.dom[n] = new;
                changed = true;
            }
        }
        changed
    }
}
