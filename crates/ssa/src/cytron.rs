//! SSA construction after Cytron et al.: phis at iterated dominance frontiers, then renaming over the dominator tree.
//!
//! *Placement.* A block needs a phi for variable `V` if it is in the iterated dominance frontier of the set A(V) of blocks
//! that assign `V`, and (pruned SSA) if `V` is live at its start. A phi is a block parameter here; what the paper writes as the
//! `j`th operand is the argument that the `j`th incoming edge takes along.
//!
//! *Renaming.* Each variable has a stack S(V) of the values that it had on the way from the root of the dominator tree;
//! the top is its value now. In each block, parameters and assignments make new versions and push them; reads become the top;
//! the edges get the tops as arguments; then the children in the tree are walked, and what the block pushed is popped.
//!
//! *In:* TAC. *Out:* SSA. *Keeps:* temporaries, instructions and their order, block order, source names (`i.2`).
//! *Breaks:* analyses of values. Unreachable blocks go; an entry with predecessors gets a new block in front.
//! *Cost:* O(instructions + Σ of the edges around the blocks where a variable is live, over the variables that more than one
//! block assigns), which is the size of the liveness that pruning needs; frontiers and live sets are never stored.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 5.1 (figure 11, with `iterated_frontier` in place of its worklist) and section 5.2 (figure 12). Pruning: J. Choi,
//! R. Cytron, J. Ferrante, Automatic Construction of Sparse Data Flow Evaluation Graphs, 1991.
//! *Leaves:* copies (`s.1 = copy %1`), for copy propagation. A read without reaching assignment becomes `undef`, one
//! instruction for each such variable at the start of the entry. The stacks are explicit and so is the walk.
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

use crate::remove_unreachable;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::live_blocks::LiveBlocks;
use mini_analysis::occurrences::Occurrences;
use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Def, Func, Imm, Inst, Phase, Value, ValueName, Var};
use mini_ir::op::Op;
use mini_ir::types::Type;

/// Brings a function from TAC into pruned SSA.
pub fn run(func: &mut Func) {
    assert_eq!(func.phase, Phase::Tac, "SSA is constructed from TAC");
    remove_unreachable::run(func);
    give_entry_no_predecessors(func);
    let tree = DominatorTree::new(func);
    let phis = place_phis(func, &tree);
    rename(func, &tree, &phis);
    func.phase = Phase::Ssa;
}

/// A phi in the entry would have no argument for the way in from outside: loops must not lead back to it.
fn give_entry_no_predecessors(func: &mut Func) {
    let old = func.entry();
    if Cfg::new(func).incoming(old).is_empty() {
        return;
    }
    let new = func.new_block("entry");
    let jump = func.create_inst(Op::Jump, Imm::None, &[], Pos::NONE);
    func.set_edges(jump, &[(old, &[])]);
    func.append_inst(new, jump);
    let mut order = vec![new];
    order.extend(func.blocks().filter(|&b| b != new));
    func.set_layout(order);
}

/// For each block the variables that get a phi there, in the order of the variables.
type Phis = IdVec<Block, Vec<Value>>;

fn place_phis(func: &Func, tree: &DominatorTree) -> Phis {
    let cfg = Cfg::new(func);
    let occurrences = Occurrences::of_variables(func);
    let mut live = LiveBlocks::new(func);
    let mut frontier = IteratedFrontier::new(func, tree);
    let mut phis: Phis = IdVec::filled(Vec::new(), func.block_count());
    for v in (0..func.value_count()).map(Value::new).filter(|&v| func.def(v) == Def::Variable) {
        let (a, exposed) = (occurrences.defs(v), occurrences.exposed(v));
        if a.is_empty() || exposed.is_empty() {
            continue; // never assigned, or never read outside the block that assigns it
        }
        if let &[only] = a
            && exposed.iter().all(|&block| tree.strictly_dominates(only, block))
        {
            continue; // one block assigns it, before all reads: where a phi could stand, it is dead
        }
        live.find(func, &cfg, a, exposed);
        for &block in frontier.within(a, |b| live.contains(b)) {
            phis[block].push(v);
        }
    }
    phis
}

/// A step of the walk over the dominator tree.
enum Step {
    Enter(Block),
    /// Pop the stacks until only so many pushes are left.
    Leave(usize),
}

fn rename(func: &mut Func, tree: &DominatorTree, phis: &Phis) {
    let mut stacks =
        Stacks { s: IdVec::filled(Vec::new(), func.value_count()), pushed: Vec::new(), undefs: Vec::new() };
    for n in 0..func.params.len() {
        let v = func.params[n];
        let value = func.new_version(variable(func, v), func.ty(v));
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
    for &undef in stacks.undefs.iter().rev() {
        func.prepend_inst(tree.root(), undef);
    }
}

fn rename_block(func: &mut Func, block: Block, phis: &Phis, stacks: &mut Stacks) {
    for &v in &phis[block] {
        let name = func.next_version(variable(func, v));
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
                let value = func.new_version(variable(func, v), func.ty(v));
                func.set_result(inst, n, value);
                stacks.push(v, value);
            }
        }
    }
    for edge in func.successors(block) {
        for &v in &phis[func.edge_target(edge)] {
            let value = stacks.top(func, v);
            func.push_edge_arg(edge, value);
        }
    }
}

fn variable(func: &Func, v: Value) -> Var {
    match func.value_name(v) {
        ValueName::Var(var, _) => var,
        ValueName::Temp(_) => panic!("a variable of TAC has a name"),
    }
}

struct Stacks {
    /// S(V).
    s: IdVec<Value, Vec<Value>>,
    /// The variables whose stacks were pushed, in order.
    pushed: Vec<Value>,
    /// The `undef` instructions made so far; each stands at the bottom of its variable's stack.
    undefs: Vec<Inst>,
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
        if let Some(&value) = self.s[v].last() {
            return value;
        }
        let undef = func.create_inst(Op::Undef, Imm::None, &[], Pos::NONE);
        let ty: Type = func.ty(v);
        let value = func.new_version(variable(func, v), ty);
        func.set_results(undef, &[value]);
        self.undefs.push(undef);
        self.s[v].push(value); // not in `pushed`: it stays to the end
        value
    }
}
