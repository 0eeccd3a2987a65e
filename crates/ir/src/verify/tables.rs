//! Rule 18: the tables that the functions of a module share.

use super::{Rule, VerifyError};
use crate::module::{FuncId, Module};
use crate::types::{Layout, Type};
use mini_base::ids::Id;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Checks the rule. *Cost:* linear.
pub(super) fn check(module: &Module, errors: &mut Vec<VerifyError>) {
    let info = &module.info;
    let mut complain = |message: String| {
        errors.push(VerifyError { rule: Rule::Tables, func: "the module".into(), place: String::new(), message });
    };
    let structs = info.layouts.iter().filter_map(|layout| match layout {
        Layout::Struct { name, .. } => Some(name),
        Layout::Array { .. } => None,
    });
    let twice = [
        ("functions", twice(info.signatures.iter().map(|head| &head.name))),
        ("globals", twice(info.globals.iter().map(|global| &global.name))),
        ("C functions", twice(info.externs.iter().map(|head| &head.name))),
        ("structs", twice(structs)),
    ];
    for (what, name) in twice {
        if let Some(name) = name {
            complain(format!("two {what} are called `{name}`"));
        }
    }
    let mut seen = FxHashSet::default();
    if let Some((id, _)) = info.layouts.iter_enumerated().find(|(_, layout)| !seen.insert(*layout)) {
        complain(format!("{id} is there twice"));
    }
    for head in info.externs.iter().filter(|head| head.results.len() > 1 || head.results.contains(&Type::Ref)) {
        complain(format!("the C function `{}` has more than one result, or a ref", head.name));
    }
    let library = module.library.iter().flat_map(|l| l.exports.iter().map(|e| e.func).chain([l.init]));
    for id in library.chain(module.start) {
        if missing(module, id) {
            complain(format!("the program starts with, or offers to C, {id}, which does not exist"));
        }
    }
}

/// The first name that is there for the second time.
fn twice<'a>(mut names: impl Iterator<Item = &'a Arc<str>>) -> Option<&'a Arc<str>> {
    let mut seen = FxHashSet::default();
    names.find(|name| !seen.insert(*name))
}

fn missing(module: &Module, id: FuncId) -> bool {
    id.index() >= module.funcs.len()
}
