//! Rules 10 to 16: names, definitions, variables, dominance, block parameters.

use super::dominance::Dominance;
use super::{Report, Rule};
use crate::func::{Block, Def, Func, Inst, Phase, Value, ValueName, Var};
use crate::op::Op;
use crate::text::value_text;
use mini_base::ids::Id;
use rustc_hash::FxHashMap;

/// Checks the rules; the structure is sound.
pub(super) fn check(report: &mut Report<'_>, dominance: &Dominance) {
    let func = report.func;
    let mut places = Places {
        order: vec![0; func.inst_count()],
        defined: vec![Definitions::None; func.value_count()],
        strangers: Vec::new(),
    };
    let mut names = Names::default();
    parameters(report, &mut places);
    for &param in &func.params {
        name(report, &mut names, param);
    }
    for block in func.blocks() {
        for (n, &param) in func.block_params(block).iter().enumerate() {
            name(report, &mut names, param);
            let name = value_text(func, param);
            if func.def(param) != Def::BlockParam(block, n as u32) {
                report.at_block(Rule::Definition, block, format!("its parameter `{name}` does not know it"));
            }
            if places.is_second(param) {
                report.at_block(Rule::Definition, block, format!("`{name}` is defined twice"));
            }
        }
        phase_rules(report, dominance, block);
        for (position, inst) in func.insts(block).enumerate() {
            places.order[inst.index()] = position as u32;
            results(report, inst, &mut places);
            let edge_args = func.edges(inst).flat_map(|e| func.edge_args(e));
            for value in func.args(inst).chain(edge_args).chain(func.results(inst).iter().copied()) {
                name(report, &mut names, value);
                if !variable_fits(func, value) {
                    let name = value_text(func, value);
                    report.at_inst(Rule::Variables, inst, format!("`{name}` is a variable, or looks like one"));
                }
            }
            if report.full() {
                return;
            }
        }
    }
    for &(inst, value) in &places.strangers {
        if places.defined[value.index()] != Definitions::Several {
            let name = value_text(func, value);
            report.at_inst(Rule::Definition, inst, format!("its result `{name}` does not know it"));
        }
    }
    for block in func.blocks() {
        for inst in func.insts(block) {
            let edge_args = func.edges(inst).flat_map(|e| func.edge_args(e));
            for value in func.args(inst).chain(edge_args) {
                operand(report, dominance, &places, inst, block, value);
            }
            if report.full() {
                return;
            }
        }
    }
}

struct Places {
    /// The position of each instruction in its block.
    order: Vec<u32>,
    /// How many definitions were found.
    defined: Vec<Definitions>,
    /// Results that name another definition. If there is one, the value is defined twice, which says it better.
    strangers: Vec<(Inst, Value)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Definitions {
    None,
    One,
    Several,
}

impl Places {
    /// Notes a definition; tells whether there was one before.
    fn is_second(&mut self, value: Value) -> bool {
        let found = &mut self.defined[value.index()];
        *found = match *found {
            Definitions::None => Definitions::One,
            Definitions::One | Definitions::Several => Definitions::Several,
        };
        *found == Definitions::Several
    }
}

/// Which value, and which variable, has a name.
#[derive(Default)]
struct Names<'a> {
    values: FxHashMap<ValueName, Value>,
    variables: FxHashMap<&'a str, Var>,
}

/// Rule 10.
fn name<'a>(report: &mut Report<'a>, names: &mut Names<'a>, value: Value) {
    let func = report.func;
    let name = func.value_name(value);
    if let ValueName::Var(var, _) = name
        && *names.variables.entry(func.var_name(var)).or_insert(var) != var
    {
        report.at_func(Rule::Names, format!("two variables are called `{}`", func.var_name(var)));
    }
    if *names.values.entry(name).or_insert(value) != value {
        let name = value_text(report.func, value);
        report.at_func(Rule::Names, format!("two values are called `{name}`"));
    }
}

/// Rules 11 and 12 for the parameters of the function.
fn parameters(report: &mut Report<'_>, places: &mut Places) {
    let func = report.func;
    for (n, &param) in func.params.iter().enumerate() {
        let name = value_text(func, param);
        let is_variable = func.def(param) == Def::Variable;
        if is_variable != (func.phase == Phase::Tac) {
            let message = if is_variable { "is a variable" } else { "is no variable" };
            report.at_func(Rule::Variables, format!("the parameter `{name}` {message}"));
        } else if !is_variable && func.def(param) != Def::FuncParam(n as u32) {
            report.at_func(Rule::Definition, format!("the parameter `{name}` does not know its place"));
        }
        if places.is_second(param) {
            report.at_func(Rule::Definition, format!("the parameter `{name}` is there twice"));
        }
    }
}

/// Rule 11 for the results of an instruction.
fn results(report: &mut Report<'_>, inst: Inst, places: &mut Places) {
    let func = report.func;
    for (n, &result) in func.results(inst).iter().enumerate() {
        if func.def(result) == Def::Variable {
            continue;
        }
        let name = value_text(func, result);
        if places.is_second(result) {
            report.at_inst(Rule::Definition, inst, format!("`{name}` is defined twice"));
        } else if func.def(result) != Def::Result(inst, n as u32) {
            places.strangers.push((inst, result));
        }
    }
}

/// Rules 14 to 16.
fn phase_rules(report: &mut Report<'_>, dominance: &Dominance, block: Block) {
    let func = report.func;
    let params = func.block_params(block);
    if func.phase == Phase::Tac && !params.is_empty() {
        report.at_block(Rule::BlockParameters, block, "TAC has no block parameters");
    }
    if func.phase != Phase::Tac && block == func.entry() {
        if !params.is_empty() {
            report.at_block(Rule::Entry, block, "the entry has no parameters");
        }
        if !dominance.cfg.incoming(block).is_empty() {
            report.at_block(Rule::Entry, block, "no edge leads to the entry");
        }
    }
    for edge in func.successors(block) {
        let target = func.edge_target(edge);
        let params = func.block_params(target);
        let label = func.label(target);
        if func.edge_args(edge).len() != params.len() {
            let message = format!(
                "the edge to {label} has {} arguments for {} parameters",
                func.edge_args(edge).len(),
                params.len()
            );
            report.at_block(Rule::BlockParameters, block, message);
        }
        for (arg, &param) in func.edge_args(edge).zip(params) {
            if func.ty(arg) != func.ty(param) {
                let (have, want) = (func.ty(arg), func.ty(param));
                let (arg, param) = (value_text(func, arg), value_text(func, param));
                let message = format!("the edge to {label} gives `{arg}` ({have}) to `{param}` ({want})");
                report.at_block(Rule::BlockParameters, block, message);
            }
        }
    }
    if func.phase != Phase::Cssa {
        for inst in func.insts(block).filter(|&i| func.op(i) == Op::ParallelCopy) {
            report.at_inst(Rule::ParallelCopies, inst, "only CSSA has parallel copies");
        }
    }
}

/// Rule 12: in TAC the variables are what is named like variables; elsewhere there are none.
fn variable_fits(func: &Func, value: Value) -> bool {
    let is_variable = func.def(value) == Def::Variable;
    match func.phase {
        Phase::Tac => is_variable == matches!(func.value_name(value), ValueName::Var(_, 0)),
        Phase::Ssa | Phase::Cssa => !is_variable,
    }
}

/// Rules 11 and 13 for an operand.
fn operand(report: &mut Report<'_>, dominance: &Dominance, places: &Places, inst: Inst, block: Block, value: Value) {
    let func: &Func = report.func;
    let fine = match func.def(value) {
        Def::Variable => true,
        // Not even where control can't get.
        _ if places.defined[value.index()] == Definitions::None => {
            let name = value_text(func, value);
            return report.at_inst(Rule::Definition, inst, format!("`{name}` has no definition"));
        }
        _ if !dominance.reachable(block) => true,
        Def::None | Def::FuncParam(_) => true,
        Def::BlockParam(at, _) => dominance.dominates(at, block),
        Def::Result(def, _) => match func.inst_block(def) {
            Some(at) if at == block => places.order[def.index()] < places.order[inst.index()],
            Some(at) => dominance.dominates(at, block),
            None => false,
        },
    };
    if !fine {
        let name = value_text(func, value);
        report.at_inst(Rule::Dominance, inst, format!("`{name}` is not defined on every path to here"));
    }
}
