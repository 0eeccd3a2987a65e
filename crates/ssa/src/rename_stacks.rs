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
//! section 5.2 (figure 12). Where theirs counts versions in C(V), `Func` does.
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

use crate::cytron::Phis;
use crate::undefs::{self, Undefs};
use mini_analysis::dominator_tree::DominatorTree;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Def, Func, Value};

/// A step of the walk over the dominator tree.
enum Step {
    Enter(Block),
    /// Pop the stacks until only so many pushes are left.
    Leave(usize),
}

/// Renames all variables.
pub fn rename(func: &mut Func, tree: &DominatorTree, phis: &Phis) {
    let mut stacks =
        Stacks { s: IdVec::filled(Vec::new(), func.value_count()), pushed: Vec::new(), undefs: Undefs::new(func) };
    for n in 0..func.params.len() {
        let v = func.params[n];
        let value = func.new_version(undefs::variable(func, v), func.ty(v));
        func.set_func_param(n, value);
        stacks.push(v, value);
    }
    let mut walk = vec![Step::Enter(tree.root())];
    while let Some(step) = walk.pop() {
        match step {
            Step::Leave(pushes) => stacks.pop_to(pushes),
            Step::Enter(block) => {
                walk.push(Step::Leave(stacks.pushed.len()));
                rename_block(func, block, phis, &mut stacks);
                walk.extend(tree.children(block).iter().rev().map(|&child| Step::Enter(child)));
            }
        }
    }
    stacks.undefs.insert(func);
}

fn rename_block(func: &mut Func, block: Block, phis: &Phis, stacks: &mut Stacks) {
    for &v in phis.of(block) {
        let name = func.next_version(undefs::variable(func, v));
        let param = func.add_block_param(block, func.ty(v), name);
        stacks.push(v, param);
    }
    let mut next = func.first_inst(block);
    while let Some(inst) = next {
        next = func.next_inst(inst);
        for n in 0..func.arg_count(inst) {
            let v = func.arg(inst, n);
            if func.def(v) == Def::Variable {
                let value = stacks.top(func, v);
                func.set_arg(inst, n, value);
            }
        }
        for n in 0..func.results(inst).len() {
            let v = func.results(inst)[n];
            if func.def(v) == Def::Variable {
                let value = func.new_version(undefs::variable(func, v), func.ty(v));
                func.set_result(inst, n, value);
                stacks.push(v, value);
            }
        }
    }
    for edge in func.successors(block) {
        for &v in phis.of(func.edge_target(edge)) {
            let value = stacks.top(func, v);
            func.push_edge_arg(edge, value);
        }
    }
}

struct Stacks {
    /// S(V).
    s: IdVec<Value, Vec<Value>>,
    /// The variables whose stacks were pushed, in order.
    pushed: Vec<Value>,
    /// What stands at the bottom of each stack.
    undefs: Undefs,
}

impl Stacks {
    fn push(&mut self, v: Value, value: Value) {
        self.s[v].push(value);
        self.pushed.push(v);
    }

    fn pop_to(&mut self, pushes: usize) {
        for v in self.pushed.drain(pushes..) {
            self.s[v].pop();
        }
    }

    fn top(&mut self, func: &mut Func, v: Value) -> Value {
        self.s[v].last().copied().unwrap_or_else(|| self.undefs.of(func, v))
    }
}
