//! Iterated dominance frontiers by a worklist over stored frontiers: the placement of phis as it was published first.
//!
//! A(V) is the set of blocks that assign the variable V, DF(X) the dominance frontier of block X. Take each X out of the worklist
//! `W`, which starts as A(V): every Y in DF(X) gets a phi for V, if it `HasAlready` none. The phi is an assignment too, so Y
//! goes into the worklist, if it was not in there before (`Work`). What has a phi at the end is DF⁺(A(V)).
//!
//! `Work(X)` and `HasAlready(X)` are not cleared from variable to variable: `IterCount` says which variable it is, and a mark
//! counts if it has this number.
//!
//! *In:* [`Frontiers`], found in any way; the set A(V). *Out:* DF⁺(A(V)), in order of discovery. *Keeps:* everything.
//! *Cost:* O(Σ |DF(X)| over X in A(V) ∪ DF⁺(A(V))) for each V, and the sets themselves, which can be quadratic in the number of
//! blocks; `iterated_frontier` does without them.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991, section 5.1,
//! figure 11. *Leaves:* unreachable blocks; where the variable is dead (`live_blocks` knows).
//!
//! The join is in the frontier of `left3`, and the head in that of the join:
//! ```text
//! func f(a: bool, b: bool) {
//! entry1:
//!   jmp head2
//! head2:
//!   br a, left3, right4
//! left3:
//!   jmp join5
//! right4:
//!   jmp join5
//! join5:
//!   br b, head2, exit6
//! exit6:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! DF⁺({left3}) = {join5 head2}
//! ```

use crate::frontier::Frontiers;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func};

/// The algorithm with its marks, to be used for one variable after the other.
#[derive(Clone, Debug)]
pub struct Worklist<'a> {
    df: &'a Frontiers,
    iter_count: u32,
    work: IdVec<Block, u32>,
    has_already: IdVec<Block, u32>,
}

impl<'a> Worklist<'a> {
    /// Marks for a function and its frontiers.
    pub fn new(func: &Func, df: &'a Frontiers) -> Worklist<'a> {
        let unmarked = IdVec::filled(0, func.block_count());
        Worklist { df, iter_count: 0, work: unmarked.clone(), has_already: unmarked }
    }

    /// DF⁺(A(V)): the blocks that get a phi for V.
    pub fn of(&mut self, a: &[Block]) -> Vec<Block> {
        let mut placed = Vec::new();
        let mut w = Vec::new();
        self.iter_count += 1;
        for &x in a {
            self.work[x] = self.iter_count;
            w.push(x);
        }
        while let Some(x) = w.pop() {
            for &y in self.df.of(x) {
                if self.has_already[y] < self.iter_count {
                    placed.push(y);
                    self.has_already[y] = self.iter_count;
                    if self.work[y] < self.iter_count {
                        self.work[y] = self.iter_count;
                        w.push(y);
                    }
                }
            }
        }
        placed
    }
}
