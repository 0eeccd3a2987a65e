//! Renaming with stacks, the second half of Cytron et al.'s construction.
//!
//! Each variable V has a stack S(V) of the values that it had on the way from the root of the dominator tree to where the walk
//! is; the top is its value there. In each block, phis and assignments make new versions and push them, reads become the top,
//! and the edges get the tops as arguments for the phis of their targets. Then the children in the tree are walked, and
//! what the block pushed is popped. At the bottom of each stack, as if the entry had assigned it, stands ⊥.
//!
//! *In:* TAC, its dominator tree, the places of the phis. *Out:* SSA. *Keeps:* temporaries, instructions and their order.
//! *Cost:* O(instructions + edges + phis and their arguments). The stacks are explicit, and so is the walk.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 5.2 (figure 12).
//! *Leaves:* nothing.
//!
//! Before (DF⁺(A(x)) = ∅: no phi of `x` is placed):
//! ```text
//! func f(x: int, c: bool) -> int {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   x = add x, x
//!   x = neg x
//!   ret x
//! right3:
//!   ret x
//! }
//! ```
//! After: in `left2` the stack grew to x.1 x.2 x.3; it was popped to x.1 when the walk left.
//! ```text
//! ssa func f(x.1: int, c.1: bool) -> int {
//! entry1:
//!   br c.1, left2, right3
//! left2:
//!   x.2 = add x.1, x.1
//!   x.3 = neg x.2
//!   ret x.3
//! right3:
//!   ret x.1
//! }
//! ```

use crate::cytron::Placement;
use crate::rename_block::{Versions, rename_block, rename_params};
use crate::undefs::Undefs;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::tree_walk::{Step, walk};
use mini_base::ids::{Id, IdVec};
use mini_ir::func::{Block, Func, Value};

/// Renames all variables.
pub fn rename(func: &mut Func, tree: &DominatorTree, phis: &Placement) {
    let count = func.value_count();
    let mut renaming = Renaming { s: Stacks::new(count), undefs: Undefs::new(count) };
    rename_params(func, &mut renaming);
    for step in walk(tree.root(), |block| tree.children(block)) {
        match step {
            Step::Enter(block) => {
                renaming.s.enter();
                rename_block(func, block, phis, &mut renaming);
            }
            Step::Leave(_) => renaming.s.leave(),
        }
    }
    renaming.undefs.insert(func);
}

struct Renaming {
    s: Stacks<Value>,
    /// What stands at the bottom of each stack.
    undefs: Undefs<Value>,
}

impl Versions for Renaming {
    fn read(&mut self, func: &mut Func, v: Value, _: Block) -> Value {
        self.s.top(v).unwrap_or_else(|| self.undefs.of_variable(func, v))
    }

    fn assign(&mut self, _: &Func, v: Value, version: Value, _: Block) {
        self.s.push(v, version);
    }
}

/// S(V) for each V, along a walk over the dominator tree; `mem2reg` has one for each slot.
#[derive(Clone, Debug)]
pub struct Stacks<V: Id> {
    s: IdVec<V, Vec<Value>>,
    /// Whose stacks were pushed, in order.
    pushed: Vec<V>,
    /// How many that were when each block from the root to here was entered.
    entered: Vec<usize>,
}

impl<V: Id> Stacks<V> {
    /// Empty stacks, so many.
    pub fn new(count: usize) -> Stacks<V> {
        Stacks { s: IdVec::filled(Vec::new(), count), pushed: Vec::new(), entered: Vec::new() }
    }

    /// A block is entered.
    pub fn enter(&mut self) {
        self.entered.push(self.pushed.len());
    }

    /// The block that was entered last is left: what it pushed is popped.
    pub fn leave(&mut self) {
        let pushes = self.entered.pop().expect("a block is entered before it is left");
        for v in self.pushed.drain(pushes..) {
            self.s[v].pop();
        }
    }

    /// From here on V is this value.
    pub fn push(&mut self, v: V, value: Value) {
        self.s[v].push(value);
        self.pushed.push(v);
    }

    /// What V is here, if anything in a block from the root to here pushed.
    pub fn top(&self, v: V) -> Option<Value> {
        self.s[v].last().copied()
    }
}
