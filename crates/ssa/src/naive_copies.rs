//! Out of SSA as one first thinks of it, and wrong: this pass is here to be looked at.
//!
//! A phi `x.3 = φ(a, b)` says: on the way from the first predecessor `x.3` becomes `a`, on that from the second one `b`. So make it the
//! variable again that it was, `x`, and let each predecessor assign `x` at its end, one phi after the other, before the branch. That is right as
//! construction leaves a program, for different phis of `x` are never live at once there. Optimised programs are not
//! like that, and then it goes wrong:
//!
//! *The lost copy.* The predecessor has other ways out, on which the old value of `x` is still wanted. Here `exit3` should return the `x` of the
//! last round, and gets that of the next one, which never comes: `lost_copy(5)` is 4, and becomes 5:
//! ```text
//! ssa func lost_copy(n.1: int) -> int {
//! entry1:
//!   %1 = const 0
//!   jmp head2(%1)
//! head2(x.1: int):
//!   %2 = const 1
//!   %3 = add x.1, %2
//!   %4 = lt %3, n.1
//!   br %4, head2(%3), exit3
//! exit3:
//!   ret x.1
//! }
//! ```
//! becomes
//! ```text
//! func lost_copy(n: int) -> int {
//! entry1:
//!   %1 = const 0
//!   x = copy %1
//!   jmp head2
//! head2:
//!   %2 = const 1
//!   %3 = add x, %2
//!   %4 = lt %3, n
//!   x = copy %3
//!   br %4, head2, exit3
//! exit3:
//!   ret x
//! }
//! ```
//! *The swap.* The phis of a block get their values at once, the assignments come one after another: the second one reads what the
//! first one has just written. Here `smaller(7, 8)` should exchange 7 and 8 and return 7; both variables end up as 8, and 8 it returns:
//! ```text
//! ssa func smaller(a.1: int, b.1: int) -> int {
//! entry1:
//!   jmp head2(a.1, b.1)
//! head2(a.2: int, b.2: int):
//!   %1 = lt a.2, b.2
//!   br %1, swap3, exit4
//! swap3:
//!   jmp head2(b.2, a.2)
//! exit4:
//!   ret b.2
//! }
//! ```
//! becomes
//! ```text
//! func smaller(a: int, b: int) -> int {
//! entry1:
//!   jmp head2
//! head2:
//!   %1 = lt a, b
//!   br %1, swap3, exit4
//! swap3:
//!   a = copy b
//!   b = copy a
//!   jmp head2
//! exit4:
//!   ret b
//! }
//! ```
//! There are more ways: the branch may read a variable that was assigned for one of its targets; two phis of `x`, or one and the
//! parameter `x`, may be live at once, and share a variable.
//!
//! *In:* SSA. *Out:* TAC, which does the same if no variable is live where it is assigned. *Keeps:* blocks,
//! instructions and their order. *Breaks:* analyses of values; programs. *Cost:* O(values + arguments).
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991, section 7, which
//! has these copies; what is wrong with them: P. Briggs et al., Practical Improvements to the Construction and Destruction of Static Single
//! Assignment Form, 1998, section 4.
//! *Leaves:* everything that `split_critical_edges`, `cssa_copies` and `sequentialize` are for.

use crate::variable_names::Names;
use mini_ir::func::{Block, Func, Imm, Phase, Value, ValueName, Var};
use mini_ir::op::Op;
use mini_ir::types::Type;
use rustc_hash::FxHashMap;

/// Brings a function from SSA to TAC, if it is lucky with its meaning.
pub fn run(func: &mut Func) {
    assert_eq!(func.phase, Phase::Ssa, "assignments take the place of SSA's phis");
    let variables = variables(func);
    for block in func.layout().to_vec() {
        assign_at_end(func, block, &variables);
    }
    for block in func.layout().to_vec() {
        func.clear_block_params(block);
        for edge in func.successors(block) {
            func.clear_edge_args(edge);
        }
    }
    func.phase = Phase::Tac;
}

/// The variables of the parameters of the function and of blocks.
fn variables(func: &mut Func) -> FxHashMap<Value, Value> {
    let mut again = Again { names: Names::new(func), of_var: FxHashMap::default(), of_value: FxHashMap::default() };
    for n in 0..func.params.len() {
        // Two parameters of the function are two variables, whatever their names.
        let param = func.params[n];
        let taken = matches!(func.value_name(param), ValueName::Var(var, _) if again.of_var.contains_key(&(var, func.ty(param))));
        let variable = if taken { again.replace_by_own(func, param) } else { again.replace(func, param) };
        func.set_func_param(n, variable);
    }
    for block in func.layout().to_vec() {
        for param in func.block_params(block).to_vec() {
            again.replace(func, param);
        }
        for inst in func.insts(block).collect::<Vec<_>>() {
            for n in 0..func.results(inst).len() {
                // In TAC's text a name without a version is a variable's.
                let result = func.results(inst)[n];
                if let ValueName::Var(var, 0) = func.value_name(result) {
                    let version = func.new_version(var, func.ty(result));
                    func.replace_all_uses(result, version);
                    func.set_result(inst, n, version);
                }
            }
        }
    }
    again.of_value
}

struct Again {
    names: Names,
    of_var: FxHashMap<(Var, Type), Value>,
    of_value: FxHashMap<Value, Value>,
}

impl Again {
    /// Lets a variable take the place of a value.
    fn replace(&mut self, func: &mut Func, value: Value) -> Value {
        let variable = match func.value_name(value) {
            ValueName::Var(var, _) => {
                let names = &mut self.names;
                *self.of_var.entry((var, func.ty(value))).or_insert_with(|| names.variable(func, &[value]))
            }
            ValueName::Temp(_) => self.names.variable(func, &[value]),
        };
        self.stands_for(func, value, variable)
    }

    /// Lets a variable that stands for nothing else take the place of a value.
    fn replace_by_own(&mut self, func: &mut Func, value: Value) -> Value {
        let variable = self.names.variable(func, &[value]);
        self.stands_for(func, value, variable)
    }

    fn stands_for(&mut self, func: &mut Func, value: Value, variable: Value) -> Value {
        func.replace_all_uses(value, variable);
        self.of_value.insert(value, variable);
        variable
    }
}

/// Assigns the variables of all targets, one after another.
fn assign_at_end(func: &mut Func, block: Block, variables: &FxHashMap<Value, Value>) {
    let end = func.terminator(block).expect("a block ends in a terminator");
    let mut assignments: Vec<(Value, Value)> = Vec::new();
    for edge in func.edges(end) {
        let params = func.block_params(func.edge_target(edge)).iter().map(|param| variables[param]);
        assignments.extend(params.zip(func.edge_args(edge)).filter(|(variable, arg)| variable != arg));
    }
    for (variable, arg) in assignments {
        let copy = func.create_inst(Op::Copy, Imm::None, &[arg], func.inst_pos(end));
        func.set_results(copy, &[variable]);
        func.insert_before(end, copy);
    }
}
