//! Out of SSA, last step: every phi web becomes a variable, every parallel copy a sequence of moves.
//!
//! In conventional SSA the values of a web are never live at the same time, so one variable holds them all. Block
//! parameters and the arguments for them are then the same variable, and need no code. What was copied in parallel is copied in
//! an order in which nothing is overwritten that is still to be read; where a cycle leaves no such order, one value
//! waits in a temporary variable.
//!
//! The pipeline does the same later and in one step, on machine registers (web by web in `x64`, move by move in `regalloc`).
//! Here the result is text that can be read and run, and the judge of both: the interpreter runs it like any TAC.
//!
//! *In:* CSSA. *Out:* TAC. *Keeps:* instructions and their order, blocks, values that are alone in their web (but parameters).
//! *Breaks:* analyses of values. *Cost:* O((values + arguments) · α).
//! *Source:* V. Sreedhar et al., Translating Out of Static Single Assignment Form, 1999, section 2; the order of the moves:
//! `mini_base::sequentialize`.
//! *Leaves:* copies of a variable to itself are left out; all others stay.
//!
//! Before (a swap in a loop):
//! ```text
//! cssa func f(a.1: int, b.1: int, c.1: bool) -> int {
//! entry1:
//!   a.3, b.3 = parcopy a.1, b.1
//!   jmp head2(a.3, b.3)
//! head2(a.2: int, b.2: int):
//!   br c.1, split4, exit3
//! split4:
//!   a.4, b.4 = parcopy b.2, a.2
//!   jmp head2(a.4, b.4)
//! exit3:
//!   ret a.2
//! }
//! ```
//! After:
//! ```text
//! func f(a: int, b: int, c: bool) -> int {
//! entry1:
//!   a_2 = copy a
//!   b_2 = copy b
//!   jmp head2
//! head2:
//!   br c, split4, exit3
//! split4:
//!   t = copy a_2
//!   a_2 = copy b_2
//!   b_2 = copy t
//!   jmp head2
//! exit3:
//!   ret a_2
//! }
//! ```

use crate::phi_webs::{PhiWebs, Web};
use crate::variable_names::Names;
use mini_base::ids::Id;
use mini_base::sequentialize::{Step, sequentialize};
use mini_ir::func::{Block, Def, Func, Imm, Inst, Phase, Value, ValueName};
use mini_ir::op::Op;

/// Brings a function from conventional SSA back to TAC.
pub fn run(func: &mut Func) {
    assert_eq!(func.phase, Phase::Cssa, "the webs of conventional SSA become variables");
    let webs = PhiWebs::new(func);
    let mut names = Names::new(func);
    for web in (0..webs.count()).map(Web::new) {
        let members = webs.members(web);
        if needs_variable(func, members) {
            let variable = names.variable(func, members);
            for &value in members {
                func.replace_all_uses(value, variable);
                assign_instead(func, value, variable);
            }
        }
    }
    for block in func.layout().to_vec() {
        func.clear_block_params(block);
        for edge in func.successors(block) {
            func.clear_edge_args(edge);
        }
        sequence_copies(func, block, &mut names);
    }
    func.phase = Phase::Tac;
}

/// Values that share a place, parameters of the function, and values that have a variable's name in the text.
fn needs_variable(func: &Func, members: &[Value]) -> bool {
    let used = |value: Value| !matches!(func.def(value), Def::None | Def::Variable);
    match *members {
        [only] => {
            let named = matches!(func.value_name(only), ValueName::Var(_, 0));
            used(only) && (named || matches!(func.def(only), Def::FuncParam(_) | Def::BlockParam(..)))
        }
        _ => members.iter().any(|&value| used(value)),
    }
}

/// Where a value was defined, the variable is assigned.
fn assign_instead(func: &mut Func, value: Value, variable: Value) {
    match func.def(value) {
        Def::Result(inst, n) => func.set_result(inst, n as usize, variable),
        Def::FuncParam(n) => func.set_func_param(n as usize, variable),
        Def::BlockParam(..) | Def::None | Def::Variable => {}
    }
}

fn sequence_copies(func: &mut Func, block: Block, names: &mut Names) {
    let copies: Vec<Inst> = func.insts(block).filter(|&i| func.op(i) == Op::ParallelCopy).collect();
    for inst in copies {
        let pairs: Vec<(Value, Value)> = func.results(inst).iter().copied().zip(func.args(inst)).collect();
        let steps = sequentialize(&pairs, |value| Some(names.temporary(func, value)));
        for step in steps {
            let Step::Copy { dst, src } = step else { unreachable!("a temporary was given") };
            let copy = func.create_inst(Op::Copy, Imm::None, &[src], func.inst_pos(inst));
            func.insert_before(inst, copy);
            // A value that is alone in its web moves from the parallel copy to its own.
            func.set_results(copy, &[dst]);
        }
        func.remove_inst(inst);
    }
}
