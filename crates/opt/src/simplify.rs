//! Instruction simplification: constants are folded, algebraic identities applied, branches on constants become jumps.
//!
//! For each instruction, in this order:
//! 1. A pure operation on ⊥ is ⊥: it becomes `undef`. What reads ⊥ (a branch, a check, a division) stays as it is.
//! 2. The table of `rules` says that it is equal to one of its operands, a constant, or a simpler operation.
//! 3. All operands are constants: `eval` computes it. What would trap stays; a check that passes goes.
//!
//! An instruction that is equal to a value goes and its uses take the value; otherwise it is rewritten in place. Reverse postorder meets
//! a value's definition before its uses (but those by retreating edges, as arguments of parameters), so that operands are as simple as they get when
//! their users' turn comes: once over the function is enough. Then terminators: a `br` or `switch` on a constant, or
//! whose edges are all the same, becomes a `jmp`; a `br` on `lnot c` exchanges its edges.
//!
//! *In:* SSA. *Out:* SSA. *Keeps:* traps, effects, order. *Breaks:* analyses of values; of blocks and edges if a branch
//! became a jump: then unreachable blocks go. *Cost:* O(instructions · rules of an operation), since each rewriting
//! makes an instruction smaller. *Source:* S. Muchnick, Advanced Compiler Design and Implementation, 1997, sections 12.1 and 12.3
//! (constant folding, algebraic simplification).
//! *Leaves:* parameters whose arguments are equal, equal instructions (`value_numbering`); constants that only
//! assuming a loop's branches finds; operands and constants that nothing uses any more (`dead_code`).
//!
//! Before:
//! ```text
//! ssa func f(x.1: int, y.1: float) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = const 7
//!   %3 = add x.1, %1
//!   %4 = sub %3, x.1
//!   %5 = mul %2, %2
//!   %6 = div %5, %4
//!   %7 = lt %2, %5
//!   br %7, then2, else3
//! then2:
//!   %8 = fsub y.1, y.1
//!   ret %6
//! else3:
//!   ret %2
//! }
//! ```
//! After:
//! ```text
//! ssa func f(x.1: int, y.1: float) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = const 7
//!   %4 = const 0
//!   %5 = const 49
//!   %6 = div %5, %4
//!   %7 = const true
//!   jmp then2
//! then2:
//!   %8 = fsub y.1, y.1
//!   ret %6
//! }
//! ```

use crate::rules::{self, Simpler};
use mini_analysis::orders::reverse_postorder;
use mini_ir::effects::constant;
use mini_ir::eval::{self, Const};
use mini_ir::func::{Block, Def, Edge, Func, Imm, Inst, Phase, Value};
use mini_ir::module::ModuleInfo;
use mini_ir::op::{Effects, Op};
use mini_ssa::remove_unreachable;
use smallvec::SmallVec;

/// Simplifies all instructions; tells how many changes there were.
pub fn run(func: &mut Func, info: &ModuleInfo) -> usize {
    assert_eq!(func.phase, Phase::Ssa, "instructions are simplified in SSA");
    let mut changes = remove_unreachable::run(func);
    for block in reverse_postorder(func) {
        let mut next = func.first_inst(block);
        while let Some(inst) = next {
            next = func.next_inst(inst);
            changes += simplify(func, info, inst);
        }
    }
    // Only now, so that no instruction that control can't reach was looked at: rules rely on dominance.
    let blocks = func.layout().to_vec();
    changes += blocks.into_iter().filter(|&block| simplify_terminator(func, block)).count();
    changes + remove_unreachable::run(func)
}

/// Simplifies an instruction until no rule fits, if it is no terminator; tells how often. It may be gone afterwards.
pub fn simplify(func: &mut Func, info: &ModuleInfo, inst: Inst) -> usize {
    let mut changes = 0;
    while let Some(change) = simpler(func, info, inst) {
        make(func, inst, change);
        changes += 1;
        if func.inst_block(inst).is_none() {
            break;
        }
    }
    changes
}

fn make(func: &mut Func, inst: Inst, change: Change) {
    match change {
        Change::Nothing => func.remove_inst(inst),
        Change::Undef => rewrite(func, inst, (Op::Undef, Imm::None), &[]),
        Change::To(Simpler::Const(constant)) => rewrite(func, inst, constant.instruction(), &[]),
        Change::To(Simpler::Op(op, args)) => rewrite(func, inst, (op, Imm::None), &args),
        Change::To(Simpler::Value(value)) => {
            func.replace_all_uses(func.result(inst), value);
            func.remove_inst(inst);
        }
    }
}

fn rewrite(func: &mut Func, inst: Inst, (op, imm): (Op, Imm), args: &[Value]) {
    func.set_args(inst, args);
    func.set_op(inst, op, imm);
}

/// What becomes of an instruction.
enum Change {
    /// It does nothing: a check that passes.
    Nothing,
    /// It is ⊥.
    Undef,
    /// It is equal to that.
    To(Simpler),
}

fn simpler(func: &Func, info: &ModuleInfo, inst: Inst) -> Option<Change> {
    let op = func.op(inst);
    if op.is_terminator() || func.arg_count(inst) == 0 {
        return None;
    }
    let undef = func.args(inst).position(|arg| is_undef(func, arg));
    match (op, undef) {
        (Op::Select, Some(0)) => return Some(Change::Undef),
        (Op::Select, _) | (_, None) => {}
        // `len` and `tag` are pure too, but read an object.
        (_, Some(_)) if op.info().effects == Effects::Pure && eval::computes(op) => return Some(Change::Undef),
        (_, Some(_)) => return None,
    }
    rules::apply(func, inst).map(Change::To).or_else(|| fold(func, info, inst))
}

/// Whether a value is ⊥ for certain.
fn is_undef(func: &Func, value: Value) -> bool {
    matches!(func.def(value), Def::Result(inst, _) if func.op(inst) == Op::Undef)
}

fn fold(func: &Func, info: &ModuleInfo, inst: Inst) -> Option<Change> {
    let args: Option<SmallVec<[Const; 3]>> = func.args(inst).map(|arg| constant(func, arg)).collect();
    let (op, args) = (func.op(inst), args?);
    if let (Op::Builtin, Imm::Builtin(builtin)) = (op, func.imm(inst)) {
        // Two results would be two instructions instead of one.
        return match eval::eval_builtin(builtin, &args, info)?[..] {
            [result] => Some(Change::To(Simpler::Const(result))),
            _ => None,
        };
    }
    match eval::eval(op, &args, info) {
        Ok(Some(result)) => Some(Change::To(Simpler::Const(result))),
        // `eval` knows all checks on constants: no result means that it passes.
        Ok(None) => (op.info().effects == Effects::Trap && func.results(inst).is_empty()).then_some(Change::Nothing),
        Err(_) => None,
    }
}

/// Simplifies the terminator of a block if its condition is known or does not matter.
fn simplify_terminator(func: &mut Func, block: Block) -> bool {
    let Some(end) = func.terminator(block).filter(|&end| matches!(func.op(end), Op::Branch | Op::Switch)) else {
        return false;
    };
    let opposite = operand_of_not(func, func.arg(end, 0)).filter(|_| func.op(end) == Op::Branch);
    if let Some(opposite) = opposite {
        func.set_arg(end, 0, opposite);
        let edges: Vec<Edge> = func.edges(end).rev().collect();
        set_edges(func, end, &edges);
    }
    let Some(edge) = taken_edge(func, end) else { return opposite.is_some() };
    set_edges(func, end, &[edge]);
    rewrite(func, end, (Op::Jump, Imm::None), &[]);
    true
}

fn operand_of_not(func: &Func, value: Value) -> Option<Value> {
    match func.def(value) {
        Def::Result(inst, _) if func.op(inst) == Op::LogicalNot => Some(func.arg(inst, 0)),
        _ => None,
    }
}

/// The edge that is always taken.
fn taken_edge(func: &Func, end: Inst) -> Option<Edge> {
    let (condition, edges): (Value, Vec<Edge>) = (func.arg(end, 0), func.edges(end).collect());
    match (constant(func, condition), func.imm(end)) {
        (Some(Const::Bool(condition)), _) => return Some(edges[usize::from(!condition)]),
        (Some(Const::Int(n)), Imm::Cases(cases)) => {
            let place = func.cases(cases).iter().position(|&case| case == n);
            return Some(edges[place.unwrap_or(edges.len() - 1)]);
        }
        _ => {}
    }
    let same = |&edge: &Edge| {
        func.edge_target(edge) == func.edge_target(edges[0]) && func.edge_args(edge).eq(func.edge_args(edges[0]))
    };
    (!is_undef(func, condition) && edges.iter().all(same)).then_some(edges[0])
}

/// Gives a terminator some of its edges, in this order.
fn set_edges(func: &mut Func, end: Inst, edges: &[Edge]) {
    let kept: Vec<(Block, Vec<Value>)> =
        edges.iter().map(|&edge| (func.edge_target(edge), func.edge_args(edge).collect())).collect();
    let kept: Vec<(Block, &[Value])> = kept.iter().map(|(target, args)| (*target, &args[..])).collect();
    func.set_edges(end, &kept);
}
