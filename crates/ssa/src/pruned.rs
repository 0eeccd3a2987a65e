//! Pruned SSA: minimal SSA without the dead phis. The default.
//!
//! A phi for V stands at the blocks of DF⁺(A(V)) at whose start V is live: some path from there reads V before it assigns it. Of the
//! three, these are the fewest phis, for the price of a liveness analysis before SSA. Here that analysis goes
//! variable by variable (`live_blocks`) and walks only blocks where the variable is live; the walk that finds DF⁺
//! keeps to them too.
//!
//! *In, Out, Keeps, Breaks, Leaves:* as `cytron` says.
//! *Cost:* O(instructions), and for each variable that more than one block assigns O(edges into the blocks where it is live +
//! children and edges of the blocks that `iterated_frontier` walks). Live sets are never stored.
//! *Source:* J. Choi, R. Cytron, J. Ferrante, Automatic Construction of Sparse Data Flow Evaluation Graphs, 1991;
//! DF⁺ as in `iterated_frontier`.
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
//!   jmp join4(x.2)
//! right3:
//!   t.2 = neg d.1
//!   d.2 = copy t.2
//!   jmp join4(x.1)
//! join4(x.3: int):
//!   ret x.3
//! }
//! ```

use crate::cytron::{self, Placement};
use crate::rename_stacks;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::live_blocks::LiveBlocks;
use mini_analysis::occurrences::Occurrences;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};

/// Brings a function from TAC into pruned SSA.
pub fn run(func: &mut Func) {
    cytron::construct(func, place, rename_stacks::rename);
}

/// DF⁺(A(V)) for each variable V, where V is live.
pub fn place(func: &Func, tree: &DominatorTree) -> Placement {
    let occurrences = Occurrences::of_variables(func);
    let mut frontier = PrunedFrontier::new(func, tree);
    let mut phis = Placement::none(func);
    for v in cytron::variables(func) {
        phis.place(v, frontier.of(occurrences.defs(v), occurrences.exposed(v)));
    }
    phis
}

/// DF⁺(A(V)) where V is live, for one variable after the other; `mem2reg` finds it for slots.
pub struct PrunedFrontier<'a> {
    func: &'a Func,
    tree: &'a DominatorTree,
    cfg: Cfg,
    live: LiveBlocks,
    frontier: IteratedFrontier<'a>,
}

impl<'a> PrunedFrontier<'a> {
    /// Marks for a function and its tree.
    pub fn new(func: &'a Func, tree: &'a DominatorTree) -> PrunedFrontier<'a> {
        let (live, frontier) = (LiveBlocks::new(func), IteratedFrontier::new(func, tree));
        PrunedFrontier { func, tree, cfg: Cfg::new(func), live, frontier }
    }

    /// For the variable that is assigned in the blocks `a` and has upward-exposed uses in `exposed`.
    pub fn of(&mut self, a: &[Block], exposed: &[Block]) -> &[Block] {
        if a.is_empty() || exposed.is_empty() {
            return &[]; // never assigned, or never read outside the block that assigns it
        }
        if let &[only] = a
            && exposed.iter().all(|&block| self.tree.strictly_dominates(only, block))
        {
            return &[]; // one block assigns it, before all reads: where a phi could stand, it is dead
        }
        self.live.find(self.func, &self.cfg, a, exposed);
        self.frontier.within(a, |b| self.live.contains(b))
    }
}
