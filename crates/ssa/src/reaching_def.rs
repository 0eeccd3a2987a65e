//! Pruned SSA whose renaming follows chains of reaching definitions in place of stacks.
//!
//! Placement is that of `pruned`. For renaming, each variable `v` and each version `v'` has a field `reachingDef`: that of the variable is
//! the version that the walk met last, that of a version is the version that reached its definition. So the versions of a
//! variable form a chain. The blocks are walked in preorder of the dominator tree. At an instruction that reads or assigns `v`,
//! `updateReachingDef` goes down the chain to the first version whose definition dominates the instruction; it is
//! the one that reaches. Where the chain ends, there is ⊥.
//!
//! What was skipped need not be popped like a stack: in preorder the walk never comes back to where a skipped version
//! would dominate, so the chain of the variable is simply cut there.
//!
//! *In:* TAC. *Out:* SSA, the same as that of `pruned`. *Keeps, Breaks, Leaves:* as `cytron` says.
//! *Cost:* that of `pruned`, and O(instructions + edges + phis and their arguments) for renaming: each version is skipped once at most.
//! *Source:* F. Rastello, F. Bouchez Tichadou (eds.), SSA-based Compiler Design, 2022, section 3.1.3, algorithm 3.3. Theirs
//! asks whether a definition dominates an instruction; it is enough to ask for their blocks, since those of one block are met
//! in order.
//!
//! Before: behind `left2` comes `right3`, where the chain of `x` skips the version of `left2` and leads to that of `entry1`.
//! ```text
//! func f(c: bool) -> int {
//! entry1:
//!   %1 = const 1
//!   x = copy %1
//!   br c, left2, right3
//! left2:
//!   x = neg x
//!   jmp join4
//! right3:
//!   x = add x, x
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
//!   br c.1, left2, right3
//! left2:
//!   x.2 = neg x.1
//!   jmp join4(x.2)
//! right3:
//!   x.3 = add x.1, x.1
//!   jmp join4(x.3)
//! join4(x.4: int):
//!   ret x.4
//! }
//! ```

use crate::cytron::{self, Placement};
use crate::pruned;
use crate::rename_block::{Versions, rename_block, rename_params};
use crate::undefs::Undefs;
use mini_analysis::dominator_tree::DominatorTree;
use mini_base::ids::{Id, IdVec};
use mini_ir::func::{Block, Def, Func, Value};

/// Brings a function from TAC into pruned SSA.
pub fn run(func: &mut Func) {
    cytron::construct(func, pruned::place, rename);
}

/// Renames all variables.
pub fn rename(func: &mut Func, tree: &DominatorTree, phis: &Placement) {
    let count = func.value_count();
    let mut chains = Chains { tree, reaching_def: IdVec::filled(None, count), undefs: Undefs::new(count) };
    rename_params(func, &mut chains);
    for &block in tree.preorder() {
        rename_block(func, block, phis, &mut chains);
    }
    chains.undefs.insert(func);
}

struct Chains<'a> {
    tree: &'a DominatorTree,
    /// `v.reachingDef` of variables and of versions; `None` is ⊥.
    reaching_def: IdVec<Value, Option<Value>>,
    undefs: Undefs<Value>,
}

impl Chains<'_> {
    /// Cuts from the chain of `v` what does not dominate the block that the walk is in.
    fn update_reaching_def(&mut self, func: &Func, v: Value, block: Block) {
        let mut r = self.reaching_def[v];
        while let Some(version) = r
            && !self.tree.dominates(definition(func, version), block)
        {
            r = self.reaching_def[version];
        }
        self.reaching_def[v] = r;
    }
}

impl Versions for Chains<'_> {
    fn read(&mut self, func: &mut Func, v: Value, block: Block) -> Value {
        self.update_reaching_def(func, v, block);
        self.reaching_def[v].unwrap_or_else(|| self.undefs.of_variable(func, v))
    }

    fn assign(&mut self, func: &Func, v: Value, version: Value, block: Block) {
        self.update_reaching_def(func, v, block);
        self.reaching_def.grow(version.index() + 1, None);
        self.reaching_def[version] = self.reaching_def[v];
        self.reaching_def[v] = Some(version);
    }
}

/// The block that defines a version.
fn definition(func: &Func, version: Value) -> Block {
    match func.def(version) {
        Def::FuncParam(_) => func.entry(),
        Def::BlockParam(block, _) => block,
        Def::Result(inst, _) => func.inst_block(inst).expect("a version is defined by an instruction in a block"),
        Def::None | Def::Variable => panic!("a version has a definition"),
    }
}
