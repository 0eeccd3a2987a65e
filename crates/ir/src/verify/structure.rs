//! Rules 1 to 9: blocks, instructions, edges, types, use lists.

use super::{Report, Rule};
use crate::func::{Block, Imm, Inst, Value};
use crate::op::{Op, Signature};
use crate::types::{Layout, Type};
use mini_base::bitset::BitSet;
use mini_base::ids::Id;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

type Types = SmallVec<[Type; 6]>;

/// Checks the rules; later ones only if the earlier ones hold, so that walking the function is safe.
pub(super) fn check(report: &mut Report<'_>) {
    let func = report.func;
    if func.results.len() > 2 {
        report.at_func(Rule::Signature, "a function has at most two results");
    }
    if func.layout().is_empty() {
        return report.at_func(Rule::Blocks, "there is no block");
    }
    let mut placed: BitSet<Block> = BitSet::new(func.block_count());
    let mut labels: FxHashSet<String> = FxHashSet::default();
    for block in func.blocks() {
        if !placed.insert(block) {
            report.at_block(Rule::Blocks, block, "it stands in the layout twice");
        }
        if !labels.insert(func.label(block)) {
            report.at_block(Rule::Blocks, block, "another block has the same label");
        }
    }
    if !report.errors.is_empty() {
        return;
    }
    links(report);
    if !report.errors.is_empty() {
        return;
    }
    for block in func.blocks() {
        for inst in func.insts(block) {
            if report.full() {
                return;
            }
            edges(report, inst, &placed);
            types(report, inst);
        }
    }
    if report.errors.is_empty() {
        uses(report);
    }
}

/// Rules 2 and 3.
fn links(report: &mut Report<'_>) {
    let func = report.func;
    for block in func.blocks() {
        let mut prev = None;
        let mut at = func.first_inst(block);
        while let Some(inst) = at {
            if func.inst_block(inst) != Some(block) || func.prev_inst(inst) != prev {
                return report.at_inst(Rule::Links, inst, "it does not know its block or its neighbour");
            }
            let next = func.next_inst(inst);
            if func.op(inst).is_terminator() && next.is_some() {
                report.at_inst(Rule::Terminator, inst, "a terminator is the last instruction of its block");
            }
            prev = at;
            at = next;
        }
        if func.last_inst(block) != prev {
            return report.at_block(Rule::Links, block, "its last instruction is not the end of the list");
        }
        if func.terminator(block).is_none() {
            report.at_block(Rule::Terminator, block, "it does not end in a terminator");
        }
    }
}

/// Rule 4.
fn edges(report: &mut Report<'_>, inst: Inst, placed: &BitSet<Block>) {
    let func = report.func;
    let count = func.edges(inst).len();
    let want = match func.op(inst) {
        Op::Jump => 1,
        Op::Branch => 2,
        Op::Switch => match func.imm(inst) {
            Imm::Cases(list) => {
                let mut seen = FxHashSet::default();
                if let Some(twice) = func.cases(list).iter().find(|&&case| !seen.insert(case)) {
                    report.at_inst(Rule::Edges, inst, format!("the case {twice} is there twice"));
                }
                func.cases(list).len() + 1
            }
            _ => return report.at_inst(Rule::Immediate, inst, "a switch needs case values"),
        },
        _ => 0,
    };
    if count != want {
        report.at_inst(Rule::Edges, inst, format!("it has {count} edges and needs {want}"));
    }
    for edge in func.edges(inst) {
        if func.edge_inst(edge) != inst {
            report.at_inst(Rule::Edges, inst, "one of its edges belongs to another terminator");
        }
        let target = func.edge_target(edge);
        if target.index() >= func.block_count() || !placed.contains(target) {
            report.at_inst(Rule::Edges, inst, "an edge leads to a block that is not in the layout");
        }
    }
}

/// Rules 5, 6 and 7.
fn types(report: &mut Report<'_>, inst: Inst) {
    let func = report.func;
    let args: Types = func.args(inst).map(|a| func.ty(a)).collect();
    let results: Types = func.results(inst).iter().map(|&r| func.ty(r)).collect();
    let (want_args, want_results) = match expected(report, inst, &args, &results) {
        Ok(both) => both,
        Err((rule, message)) => return report.at_inst(rule, inst, message),
    };
    if args != want_args {
        let message = format!("operands are ({}), but must be ({})", list(&args), list(&want_args));
        report.at_inst(Rule::Operands, inst, message);
    }
    if results != want_results {
        let message = format!("results are ({}), but must be ({})", list(&results), list(&want_results));
        report.at_inst(Rule::Results, inst, message);
    }
}

fn list(types: &[Type]) -> String {
    types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ")
}

/// The types that operands and results must have.
fn expected(
    report: &Report<'_>,
    inst: Inst,
    args: &[Type],
    results: &[Type],
) -> Result<(Types, Types), (Rule, String)> {
    let func = report.func;
    let (op, imm) = (func.op(inst), func.imm(inst));
    let signature = op.info().signature;
    let no_imm = !matches!(signature, Signature::Immediate) && !matches!(op, Op::Const | Op::FuncRef | Op::Code);
    if no_imm && imm != Imm::None {
        return Err((Rule::Immediate, "it takes no immediate".into()));
    }
    let first = args.first().copied();
    let one_of = |allowed: &[Type], what: &str| match first {
        Some(ty) if allowed.contains(&ty) => Ok(ty),
        _ => Err((Rule::Operands, format!("the first operand must be {what}"))),
    };
    Ok(match signature {
        Signature::Fixed(params, results) => {
            if matches!(op, Op::FuncRef | Op::Code) {
                callee(report, imm)?;
            }
            (params.into(), results.into())
        }
        Signature::IntOrBool2 => {
            let ty = one_of(&[Type::Int, Type::Bool], "an int or a bool")?;
            (smallvec![ty, ty], smallvec![ty])
        }
        Signature::Comparable => {
            let ty = one_of(&[Type::Int, Type::Byte, Type::Bool, Type::Ref], "an int, byte, bool or ref")?;
            (smallvec![ty, ty], smallvec![Type::Bool])
        }
        Signature::Ordered => {
            let ty = one_of(&[Type::Int, Type::Byte, Type::Bool], "an int, byte or bool")?;
            (smallvec![ty, ty], smallvec![Type::Bool])
        }
        Signature::Same1 => {
            let ty = one_of(&Type::ALL, "there")?;
            (smallvec![ty], smallvec![ty])
        }
        Signature::Select => match args.get(1) {
            Some(&ty) => (smallvec![Type::Bool, ty, ty], smallvec![ty]),
            None => return Err((Rule::Operands, "a select has three operands".into())),
        },
        Signature::BoolOrRef => (smallvec![one_of(&[Type::Bool, Type::Ref], "a bool or a ref")?], smallvec![]),
        Signature::Source => match (op, crate::eval::Const::from_imm(imm)) {
            (Op::Undef, _) => match results {
                [ty] => (smallvec![], smallvec![*ty]),
                _ => return Err((Rule::Results, "there is one result".into())),
            },
            (_, Some(constant)) => {
                if let Imm::Str(id) = imm
                    && report.info.strings.get(id).is_none()
                {
                    return Err((Rule::Immediate, "there is no such string".into()));
                }
                (smallvec![], smallvec![constant.ty()])
            }
            (_, None) => return Err((Rule::Immediate, "it needs a constant".into())),
        },
        Signature::Immediate => return by_immediate(report, inst, args, results),
    })
}

fn callee(report: &Report<'_>, imm: Imm) -> Result<(Types, Types), (Rule, String)> {
    let Imm::Func(id) = imm else { return Err((Rule::Immediate, "it needs a function".into())) };
    match report.info.signatures.get(id) {
        Some(head) => Ok((head.params.as_slice().into(), head.results.as_slice().into())),
        None => Err((Rule::Immediate, "there is no such function".into())),
    }
}

/// The same for operations whose types go by the immediate or by the function.
fn by_immediate(
    report: &Report<'_>,
    inst: Inst,
    args: &[Type],
    results: &[Type],
) -> Result<(Types, Types), (Rule, String)> {
    let func = report.func;
    let (op, imm) = (func.op(inst), func.imm(inst));
    let none = || match imm {
        Imm::None => Ok(()),
        _ => Err((Rule::Immediate, "it takes no immediate".to_string())),
    };
    let part = || match imm {
        Imm::Part(layout, n) => {
            let of_struct = matches!(op, Op::LoadField | Op::StoreField);
            let layout = report.info.layouts.get(layout);
            let layout = layout.filter(|l| matches!(l, Layout::Struct { .. }) == of_struct);
            layout.and_then(|l| l.part(n)).ok_or((Rule::Immediate, "there is no such field or part".to_string()))
        }
        _ => Err((Rule::Immediate, "it needs a field or part".to_string())),
    };
    let layout = |of_struct: Layouts| match imm {
        Imm::Layout(id) => match (report.info.layouts.get(id), of_struct) {
            (Some(Layout::Struct { .. }), Layouts::Structs) | (Some(Layout::Array { .. }), Layouts::Arrays) => Ok(()),
            _ => Err((Rule::Immediate, "the layout does not fit".to_string())),
        },
        _ => Err((Rule::Immediate, "it needs a layout".to_string())),
    };
    let global = || match imm {
        Imm::Global(id) => match report.info.globals.get(id) {
            Some(global) => Ok(global.ty),
            None => Err((Rule::Immediate, "there is no such global".to_string())),
        },
        _ => Err((Rule::Immediate, "it needs a global".to_string())),
    };
    let content = || match imm {
        Imm::Type(ty) => Ok(ty),
        _ => Err((Rule::Immediate, "it needs a type".to_string())),
    };
    Ok(match op {
        Op::ParallelCopy => {
            none()?;
            let mut seen = FxHashSet::default();
            if func.results(inst).iter().any(|&r| !seen.insert(r)) {
                return Err((Rule::Results, "a result is there twice".into()));
            }
            (args.into(), args.into())
        }
        Op::New => {
            layout(Layouts::Structs)?;
            (smallvec![], smallvec![Type::Ref])
        }
        Op::Static => match imm {
            Imm::Layout(id) => match report.info.layouts.get(id) {
                Some(Layout::Struct { tag: Some(_), fields, .. }) if fields.is_empty() => {
                    (smallvec![], smallvec![Type::Ref])
                }
                _ => return Err((Rule::Immediate, "the layout is no variant without fields".into())),
            },
            _ => return Err((Rule::Immediate, "it needs a layout".into())),
        },
        Op::NewArray => {
            layout(Layouts::Arrays)?;
            (smallvec![Type::Int], smallvec![Type::Ref])
        }
        Op::LoadField => (smallvec![Type::Ref], smallvec![part()?]),
        Op::StoreField => (smallvec![Type::Ref, part()?], smallvec![]),
        Op::LoadElem => (smallvec![Type::Ref, Type::Int], smallvec![part()?]),
        Op::StoreElem => (smallvec![Type::Ref, Type::Int, part()?], smallvec![]),
        Op::Slot => {
            content()?;
            (smallvec![], smallvec![Type::Addr])
        }
        Op::Load => (smallvec![Type::Addr], smallvec![content()?]),
        Op::Store => {
            none()?;
            match args {
                [_, value] => (smallvec![Type::Addr, *value], smallvec![]),
                _ => return Err((Rule::Operands, "a store has two operands".into())),
            }
        }
        Op::LoadGlobal => (smallvec![], smallvec![global()?]),
        Op::StoreGlobal => (smallvec![global()?], smallvec![]),
        Op::Call => callee(report, imm)?,
        Op::CallRef => {
            none()?;
            if args.first() != Some(&Type::Ref) {
                return Err((Rule::Operands, "the first operand must be a ref".into()));
            }
            if results.len() > 2 {
                return Err((Rule::Results, "a call has at most two results".into()));
            }
            (args.into(), results.into())
        }
        Op::Builtin => match imm {
            Imm::Builtin(builtin) => (builtin.info().params.into(), builtin.info().results.into()),
            _ => return Err((Rule::Immediate, "it needs a run-time function".into())),
        },
        Op::CallExtern => match imm {
            Imm::Extern(id) => match report.info.externs.get(id) {
                Some(head) if head.results.len() > 1 || head.results.contains(&Type::Ref) => {
                    return Err((Rule::Results, "a C function has at most one result, which is no ref".into()));
                }
                Some(head) => (head.params.as_slice().into(), head.results.as_slice().into()),
                None => return Err((Rule::Immediate, "there is no such C function".into())),
            },
            _ => return Err((Rule::Immediate, "it needs a C function".into())),
        },
        Op::Jump | Op::Unreachable => {
            none()?;
            (smallvec![], smallvec![])
        }
        Op::Branch => {
            none()?;
            (smallvec![Type::Bool], smallvec![])
        }
        Op::Switch => (smallvec![Type::Int], smallvec![]),
        Op::Return => {
            none()?;
            (func.results.as_slice().into(), smallvec![])
        }
        // A new operation of this signature is refused until its types are here.
        _ => return Err((Rule::Immediate, "the table has no types for this operation".into())),
    })
}

/// Which layouts an operation makes objects of.
#[derive(Clone, Copy)]
enum Layouts {
    Structs,
    Arrays,
}

/// Rule 8: the lists of uses hold the operands of all instructions in place, each where it names the list's value. An
/// instruction in no block may be in lists too.
fn uses(report: &mut Report<'_>) {
    let func = report.func;
    let mut holder: Vec<Option<Inst>> = vec![None; func.operand_count()];
    for inst in func.blocks().flat_map(|b| func.insts(b)) {
        for place in func.operand_places(inst) {
            if holder[place.index()].replace(inst).is_some() {
                report.at_inst(Rule::Uses, inst, "an operand is another one's, too");
            }
        }
    }
    let mut listed = vec![false; func.operand_count()];
    for value in (0..func.value_count()).map(Value::new) {
        let mut before = None;
        for place in func.uses(value) {
            let (named, user, prev) = func.operand_link(place);
            let held = match holder[place.index()] {
                Some(inst) => inst == user,
                None => func.inst_block(user).is_none(),
            };
            // Each use knows the one before it, so that a list can't come back to itself.
            if named != value || prev != before || !held {
                let name = crate::text::value_text(func, value);
                report.at_func(Rule::Uses, format!("the list of the uses of `{name}` is wrong at {place}"));
                break;
            }
            listed[place.index()] = true;
            before = Some(place);
        }
    }
    for inst in func.blocks().flat_map(|b| func.insts(b)) {
        if let Some(place) = func.operand_places(inst).find(|place| !listed[place.index()]) {
            let name = crate::text::value_text(func, func.operand_link(place).0);
            report.at_inst(Rule::Uses, inst, format!("the list of the uses of `{name}` lacks this one"));
        }
    }
}
