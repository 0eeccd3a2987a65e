//! Stack slots into values: phis where stores meet, and every load replaced by the value that was stored.
//!
//! A slot is a variable whose assignments are its stores and whose reads are its loads, so long as nothing else can
//! store or load there. That is so if its address is used by nothing but `load` and `store`, as the address, with the type
//! of the slot. If it is used in any other way it *escapes*: a callee, a phi, another slot may lead to it.
//!
//! *Which.* P is the set of slots that don't escape. *Placement.* For each s ∈ P let A(s) be the blocks that store to s. A phi stands
//! in the blocks of DF⁺(A(s)) at whose start s is live: a path leads from there to a load without a store before it.
//! *Renaming.* A load depends on the store or phi that reaches it; the top of a stack S(s) is its value where the walk over the dominator tree is.
//! A store pushes its value and goes; a load is replaced by the top and goes; an edge gives the top to the phis of its target. What
//! a block pushed is popped when its subtree is left. At the bottom of S(s) stands ⊥, one `undef` a slot.
//!
//! *In:* SSA. *Out:* SSA without the slots of P. *Keeps:* all other instructions and their order, blocks; the phis have the names
//! of their slots. *Breaks:* analyses of values. Unreachable blocks go.
//! *Cost:* O(instructions + uses of loads), and for each slot what `pruned` needs for a variable: frontiers and live sets are
//! never stored. The walk has no recursion.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991, sections
//! 5.1 and 5.2, with stores and loads for assignments and uses; F. Rastello, F. Bouchez Tichadou (eds.), SSA-based
//! Compiler Design, 2022, section 3.1. LLVM's promotion of memory to registers has the same rule for P.
//! *Leaves:* slots that escape, with their loads and stores. A slot whose address escaped only into a slot that was
//! promoted is one for the next run.
//!
//! Before (Fibonacci):
//! ```text
//! ssa func fib(count: int) -> int {
//! entry1:
//!   n = slot int
//!   a = slot int
//!   b = slot int
//!   store n, count
//!   %1 = const 0
//!   store a, %1
//!   %2 = const 1
//!   store b, %2
//!   jmp head2
//! head2:
//!   %3 = load int, n
//!   %4 = gt %3, %1
//!   br %4, body3, exit4
//! body3:
//!   %5 = load int, a
//!   %6 = load int, b
//!   %7 = add %5, %6
//!   store a, %6
//!   store b, %7
//!   %8 = load int, n
//!   %9 = sub %8, %2
//!   store n, %9
//!   jmp head2
//! exit4:
//!   %10 = load int, a
//!   ret %10
//! }
//! ```
//! After:
//! ```text
//! ssa func fib(count: int) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = const 1
//!   jmp head2(count, %1, %2)
//! head2(n.1: int, a.1: int, b.1: int):
//!   %4 = gt n.1, %1
//!   br %4, body3, exit4
//! body3:
//!   %7 = add a.1, b.1
//!   %9 = sub n.1, %2
//!   jmp head2(%9, b.1, %7)
//! exit4:
//!   ret a.1
//! }
//! ```

use crate::pruned::PrunedFrontier;
use crate::remove_unreachable;
use crate::rename_stacks::Stacks;
use crate::undefs::Undefs;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::occurrences::Collector;
use mini_analysis::tree_walk::{Step, walk};
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func, Imm, Inst, Phase, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;

mini_base::define_id! {
    /// A slot of P.
    struct Slot, "s";
}

/// Promotes what can be promoted; tells how many slots that were.
pub fn run(func: &mut Func) -> usize {
    assert_eq!(func.phase, Phase::Ssa, "slots are promoted in SSA");
    remove_unreachable::run(func);
    let promotable = Promotable::of(func);
    if promotable.slots.is_empty() {
        return 0;
    }
    let tree = DominatorTree::new(func);
    let phis = place(func, &tree, &promotable);
    let count = promotable.slots.len();
    Renaming { promotable, phis, s: Stacks::new(count), undefs: Undefs::new(count) }.run(func, &tree);
    count
}

/// P: the address, the content's type and the instruction of each slot that doesn't escape.
struct Promotable {
    slots: IdVec<Slot, (Value, Type, Inst)>,
    by_address: IdVec<Value, Option<Slot>>,
}

/// What an instruction does to a slot of P.
enum Access {
    Load(Slot),
    Store(Slot, Value),
}

impl Promotable {
    fn of(func: &Func) -> Promotable {
        let mut slots = IdVec::new();
        let mut by_address = IdVec::filled(None, func.value_count());
        for inst in func.insts(func.entry()) {
            if let (Op::Slot, Imm::Type(ty)) = (func.op(inst), func.imm(inst)) {
                let address = func.result(inst);
                if func.uses(address).all(|at| is_access(func, func.user(at), address, ty)) {
                    by_address[address] = Some(slots.push((address, ty, inst)));
                }
            }
        }
        Promotable { slots, by_address }
    }

    fn access(&self, func: &Func, inst: Inst) -> Option<Access> {
        if !matches!(func.op(inst), Op::Load | Op::Store) {
            return None;
        }
        // (Renaming makes values; none is the address of a slot of P.)
        let s = (*self.by_address.get(func.arg(inst, 0))?)?;
        Some(if func.op(inst) == Op::Load { Access::Load(s) } else { Access::Store(s, func.arg(inst, 1)) })
    }
}

/// Whether an instruction uses the address of a slot for a `ty` as an address of a `ty`, and in no other way.
fn is_access(func: &Func, user: Inst, address: Value, ty: Type) -> bool {
    match func.op(user) {
        Op::Load => func.ty(func.result(user)) == ty,
        Op::Store => {
            let value = func.arg(user, 1);
            func.arg(user, 0) == address && value != address && func.ty(value) == ty
        }
        _ => false,
    }
}

type Phis = IdVec<Block, Vec<Slot>>;

/// For each s the blocks of DF⁺(A(s)) where s is live.
fn place(func: &Func, tree: &DominatorTree, promotable: &Promotable) -> Phis {
    let mut found = Collector::new(promotable.slots.len());
    for block in func.blocks() {
        for inst in func.insts(block) {
            match promotable.access(func, inst) {
                Some(Access::Store(s, _)) => found.define(s, block),
                Some(Access::Load(s)) => found.read(s, block),
                None => {}
            }
        }
    }
    let occurrences = found.finish();
    let mut frontier = PrunedFrontier::new(func, tree);
    let mut phis: Phis = IdVec::filled(Vec::new(), func.block_count());
    for s in promotable.slots.ids() {
        for &block in frontier.of(occurrences.defs(s), occurrences.exposed(s)) {
            phis[block].push(s);
        }
    }
    phis
}

struct Renaming {
    promotable: Promotable,
    phis: Phis,
    s: Stacks<Slot>,
    /// What stands at the bottom of each stack.
    undefs: Undefs<Slot>,
}

impl Renaming {
    fn run(mut self, func: &mut Func, tree: &DominatorTree) {
        for step in walk(tree.root(), |block| tree.children(block)) {
            match step {
                Step::Enter(block) => {
                    self.s.enter();
                    self.block(func, block);
                }
                Step::Leave(_) => self.s.leave(),
            }
        }
        self.undefs.insert(func);
        for &(_, _, slot) in self.promotable.slots.iter() {
            func.remove_inst(slot);
        }
    }

    fn block(&mut self, func: &mut Func, block: Block) {
        for s in self.phis[block].clone() {
            let (address, ty, _) = self.promotable.slots[s];
            let phi = func.new_value_named_like(address, ty);
            func.add_block_param_value(block, phi);
            self.s.push(s, phi);
        }
        let mut next = func.first_inst(block);
        while let Some(inst) = next {
            next = func.next_inst(inst);
            match self.promotable.access(func, inst) {
                Some(Access::Load(s)) => {
                    let value = self.value(func, s);
                    func.replace_all_uses(func.result(inst), value);
                    func.remove_inst(inst);
                }
                Some(Access::Store(s, value)) => {
                    self.s.push(s, value);
                    func.remove_inst(inst);
                }
                None => {}
            }
        }
        for edge in func.successors(block) {
            for s in self.phis[func.edge_target(edge)].clone() {
                let value = self.value(func, s);
                func.push_edge_arg(edge, value);
            }
        }
    }

    /// The top of S(s).
    fn value(&mut self, func: &mut Func, s: Slot) -> Value {
        let (address, ty, _) = self.promotable.slots[s];
        let bottom = |func: &mut Func| func.new_value_named_like(address, ty);
        self.s.top(s).unwrap_or_else(|| self.undefs.of(func, s, bottom))
    }
}
