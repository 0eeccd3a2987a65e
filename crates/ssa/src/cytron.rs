//! SSA construction after Cytron et al., what its three variants have in common: phis are *placed* at iterated dominance
//! frontiers, then variables are *renamed* over the dominator tree.
//!
//! *Placement.* Let A(V) be the set of blocks that assign variable V. Where paths from two assignments meet first, a phi must
//! join their values: at the dominance frontier DF(A(V)). The phi is an assignment too; so phis stand in the iterated
//! frontier DF⁺(A(V)). (The paper has every variable assigned in the entry too, by ⊥ if nothing else; the entry has no
//! predecessors, so its frontier is empty, and this changes nothing.) `minimal` places all of them, `semi_pruned` those
//! of variables that live across a block boundary, `pruned` those that are live.
//! A phi is a block parameter here; what the paper writes as the `j`th operand is the argument that the `j`th incoming
//! edge takes along.
//!
//! *Renaming.* `rename_stacks` as in the paper, or `reaching_def` by chains; what they have in common is `rename_block`.
//!
//! *In:* TAC. *Out:* SSA. *Keeps:* temporaries, instructions and their order, block order, source names (`i.2`).
//! *Breaks:* analyses of values. Unreachable blocks go; an entry with predecessors gets a new block in front.
//! *Cost:* that of the placement, and O(instructions + edges + phis and their arguments) for the rest. Frontiers are never stored:
//! together they can be quadratic, when the phis are not.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 5; for DF⁺ V. Sreedhar, G. Gao, A Linear Time Algorithm for Placing φ-Nodes, 1995, in place of figure 11's worklist.
//! *Leaves:* copies (`s.1 = copy %1`), for copy propagation. A read without reaching assignment becomes `undef`, one
//! instruction for each such variable at the start of the entry.
//!
//! Here all three place the same phis.
//!
//! Before:
//! ```text
//! func sum_to(n: int) -> int {
//! entry1:
//!   %1 = const 0
//!   s = copy %1
//!   %2 = const 0
//!   i = copy %2
//!   jmp head2
//! head2:
//!   %3 = lt i, n
//!   br %3, body3, exit4
//! body3:
//!   %4 = add s, i
//!   s = copy %4
//!   %5 = const 1
//!   %6 = add i, %5
//!   i = copy %6
//!   jmp head2
//! exit4:
//!   ret s
//! }
//! ```
//! After:
//! ```text
//! ssa func sum_to(n.1: int) -> int {
//! entry1:
//!   %1 = const 0
//!   s.1 = copy %1
//!   %2 = const 0
//!   i.1 = copy %2
//!   jmp head2(s.1, i.1)
//! head2(s.2: int, i.2: int):
//!   %3 = lt i.2, n.1
//!   br %3, body3, exit4
//! body3:
//!   %4 = add s.2, i.2
//!   s.3 = copy %4
//!   %5 = const 1
//!   %6 = add i.2, %5
//!   i.3 = copy %6
//!   jmp head2(s.3, i.3)
//! exit4:
//!   ret s.2
//! }
//! ```

use crate::{new_entry, remove_unreachable};
use mini_analysis::dominator_tree::DominatorTree;
use mini_base::ids::{Id, IdVec};
use mini_ir::func::{Block, Def, Func, Phase, Value};

/// Where the phis go.
pub type Place = fn(&Func, &DominatorTree) -> Placement;
/// Gives every assignment and phi a version, and every read the version that reaches it.
pub type Rename = fn(&mut Func, &DominatorTree, &Placement);

/// Brings a function from TAC into SSA.
pub fn construct(func: &mut Func, place: Place, rename: Rename) {
    assert_eq!(func.phase, Phase::Tac, "SSA is constructed from TAC");
    remove_unreachable::run(func);
    new_entry::run(func);
    let tree = DominatorTree::new(func);
    let phis = place(func, &tree);
    rename(func, &tree, &phis);
    func.phase = Phase::Ssa;
}

/// The variables, in the order in which the phis of a block stand.
pub fn variables(func: &Func) -> impl Iterator<Item = Value> + '_ {
    (0..func.value_count()).map(Value::new).filter(|&v| func.def(v) == Def::Variable)
}

/// For each block the variables that get a phi there.
#[derive(Clone, Debug)]
pub struct Placement {
    of: IdVec<Block, Vec<Value>>,
}

impl Placement {
    /// No phis yet.
    pub fn none(func: &Func) -> Placement {
        Placement { of: IdVec::filled(Vec::new(), func.block_count()) }
    }

    /// Places phis for a variable. Variables come in their order, each once.
    pub fn place(&mut self, v: Value, blocks: &[Block]) {
        for &block in blocks {
            debug_assert!(self.of[block].last().is_none_or(|&before| before < v));
            self.of[block].push(v);
        }
    }

    /// The variables with a phi in this block, in order.
    pub fn of(&self, block: Block) -> &[Value] {
        &self.of[block]
    }
}
