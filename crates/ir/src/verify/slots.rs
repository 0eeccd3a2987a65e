//! Rules 19 and 20: where stack slots are made, and where their addresses may go.

use super::dominance::Dominance;
use super::{Report, Rule, VerifyError};
use crate::module::ModuleInfo;
use crate::op::Op;
use crate::types::{Layout, Type};

/// Checks the rules for a function; its structure is sound.
pub(super) fn check(report: &mut Report<'_>, dominance: &Dominance) {
    let func = report.func;
    if func.results.contains(&Type::Addr) {
        report.at_func(Rule::Addresses, "a function has no address as a result");
    }
    let entry = func.entry();
    let enters_once = dominance.cfg.incoming(entry).is_empty();
    for block in func.blocks() {
        for inst in func.insts(block) {
            match func.op(inst) {
                Op::Slot if block != entry => report.at_inst(Rule::Slots, inst, "a slot is made in the entry"),
                Op::Slot if !enters_once => {
                    report.at_inst(Rule::Slots, inst, "no edge leads to an entry that makes slots");
                }
                Op::CallRef if func.results(inst).iter().any(|&r| func.ty(r) == Type::Addr) => {
                    report.at_inst(Rule::Addresses, inst, "a call has no address as a result");
                }
                _ => {}
            }
        }
    }
}

/// Rule 20 for the tables of a module.
pub(super) fn tables(info: &ModuleInfo) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    let mut complain = |place: String, message: &str| {
        errors.push(VerifyError { rule: Rule::Addresses, func: "the module".into(), place, message: message.into() });
    };
    for layout in info.layouts.iter() {
        match layout {
            Layout::Struct { name, fields, .. } => {
                for (field, _) in fields.iter().filter(|field| field.1 == Type::Addr) {
                    complain(format!("struct {name}"), &format!("the field `{field}` can't hold an address"));
                }
            }
            Layout::Array { element: Type::Addr, .. } => {
                complain("an array".into(), "elements can't hold addresses");
            }
            Layout::Array { .. } => {}
        }
    }
    for global in info.globals.iter().filter(|global| global.ty == Type::Addr) {
        complain(format!("global {}", global.name), "a global can't hold an address");
    }
    for head in info.externs.iter() {
        if head.params.iter().chain(&head.results).any(|&ty| ty == Type::Addr) {
            complain(format!("extern {}", head.name), "C gets and gives no address of a slot");
        }
    }
    errors
}
