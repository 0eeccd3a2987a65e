//! The verifier: what every function must be like, as numbered rules.
//!
//! Structure, in every phase:
//!  1. *blocks* — there is a block; each block stands in the layout once; labels are unique.
//!  2. *terminator* — each block ends in a terminator and has no other.
//!  3. *links* — instructions know their block and their neighbours.
//!  4. *edges* — `jmp` has one edge, `br` two, `switch` one a case and one more, other instructions none; edges belong to
//!     their terminator and lead to blocks in the layout; the cases of a `switch` are distinct.
//!  5. *immediate* — an instruction has the kind of immediate that its operation wants, and what it names exists.
//!  6. *operands* — number and types are the operation's.
//!  7. *results* — number and types are the operation's.
//!  8. *uses* — the list of a value's uses holds exactly the operands that name it, each knows its instruction and the use before it.
//!  9. *signature* — the head in the module's table is the function's; a function has at most two results.
//!     (The first half is checked for modules alone: a function does not know its id.)
//! 10. *names* — different values in use have different names, different variables that they are named after, too.
//!
//! Values:
//! 11. *definition* — a value that is not a variable has one definition, and knows it: a parameter, or a result; a value
//!     without definition is not used, not even where control can't get.
//! 12. *variables* — variables are in TAC only; there parameters are variables, and variables are what has a variable's name and no version.
//! 13. *dominance* — the definition of a value (no variable) comes before each use on every path to it; an edge's arguments are used at
//!     the end of its block. Code that can't be reached is exempt.
//!
//! Phases:
//! 14. *block parameters* — none in TAC; elsewhere an edge has one argument of the right type for each of them.
//! 15. *entry* — in SSA and CSSA the entry has no parameters and no incoming edge.
//! 16. *parallel copies* — `parcopy` is in CSSA only.
//! 17. *webs* — in CSSA, the parameters and arguments that flow into each other are never live at the same time.
//!
//! Modules:
//! 18. *tables* — no two functions, globals, C functions or struct layouts have one name; equal layouts are one; a C function has at most
//!     one result, no reference; the functions that start the program, initialise it or are offered to C exist.
//!
//! Stack slots:
//! 19. *slots* — `slot` stands in the entry only, and no edge leads there: an activation makes each of its slots once.
//! 20. *addresses* — no address leaves the activation that it belongs to and those above: no function and no `call_ref` has
//!     a result of type `addr`; neither has a field, an element, a global, or a parameter or result of a C function.
//!     (The tables of layouts, globals and C functions are checked for modules alone.)
//!
//! *In:* a function of any phase. *Out:* the rules that it breaks, at most [`MAX_ERRORS`] of them. *Cost:* O(n log n); rule 17 adds, for each
//! value of a web that dominates another, at most twice the blocks that it is live in, mostly few (see `webs.rs`). *Source:* dominators by Lengauer and Tarjan, "A fast algorithm for finding
//! dominators in a flowgraph", 1979, the version with path compression alone; computed here, not by the analyses that are under
//! test. Rule 17 in the sense of Sreedhar et al., "Translating out of static single assignment form", 1999.
//! *Leaves:* whether variables are assigned before they are read (reading ⊥ is no error of form).

mod dominance; // which block dominates which
mod structure; // rules 1 to 9
mod values; // rules 10 to 16
mod webs; // rule 17
mod tables; // rule 18
mod slots; // rules 19 and 20

use crate::func::{Block, Func, Inst, Phase};
use crate::module::{Module, ModuleInfo};
use crate::text::inst_text;
use std::sync::Arc;

mini_base::listed_enum! {
    /// A rule of the verifier, by its number.
    #[repr(u8)]
    #[allow(missing_docs)] // The head of this file says what they mean.
    pub enum Rule {
        Blocks = 1, Terminator, Links, Edges, Immediate, Operands, Results, Uses, Signature, Names,
        Definition, Variables, Dominance,
        BlockParameters, Entry, ParallelCopies, Webs,
        Tables,
        Slots, Addresses,
    }
}

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Which.
    pub rule: Rule,
    /// The function.
    pub func: Arc<str>,
    /// The instruction or block, in IR text; empty where it is the whole function.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule {} in {}", self.rule as u8, self.func)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// After so many errors in a function the verifier stops.
pub const MAX_ERRORS: usize = 20;

/// Checks all rules for a function.
pub fn verify(func: &Func, info: &ModuleInfo) -> Result<(), Vec<VerifyError>> {
    verify_structure(func, info)?;
    let mut report = Report { func, info, errors: Vec::new() };
    let dominance = dominance::Dominance::new(func);
    values::check(&mut report, &dominance);
    slots::check(&mut report, &dominance);
    if func.phase == Phase::Cssa && report.errors.is_empty() {
        webs::check(&mut report, &dominance);
    }
    report.finish()
}

/// Checks rules 1 to 9: what one needs to walk a function without surprises, whatever its values do.
pub fn verify_structure(func: &Func, info: &ModuleInfo) -> Result<(), Vec<VerifyError>> {
    let mut report = Report { func, info, errors: Vec::new() };
    structure::check(&mut report);
    report.finish()
}

/// Checks all functions of a module.
pub fn verify_module(module: &Module) -> Result<(), Vec<VerifyError>> {
    collect(module, verify)
}

/// Checks rules 1 to 9 for all functions of a module.
pub fn verify_module_structure(module: &Module) -> Result<(), Vec<VerifyError>> {
    collect(module, verify_structure)
}

fn collect(
    module: &Module,
    check: fn(&Func, &ModuleInfo) -> Result<(), Vec<VerifyError>>,
) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    let mut complain = |func: &Func, message: &str| {
        errors.push(VerifyError {
            rule: Rule::Signature,
            func: func.name.clone(),
            place: String::new(),
            message: message.into(),
        });
    };
    for (id, func) in module.funcs.iter_enumerated() {
        if module.info.signatures.get(id) != Some(&func.signature()) {
            complain(func, "the head in the module's table differs");
        }
    }
    for signature in module.info.signatures.iter().skip(module.funcs.len()) {
        complain(&Func::new(signature.name.clone(), Phase::Tac), "there is a head but no function");
    }
    tables::check(module, &mut errors);
    errors.extend(slots::tables(&module.info));
    for func in module.funcs.iter() {
        errors.extend(check(func, &module.info).err().into_iter().flatten());
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What is being checked, and what was found so far.
struct Report<'a> {
    func: &'a Func,
    info: &'a ModuleInfo,
    errors: Vec<VerifyError>,
}

impl Report<'_> {
    fn full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    fn push(&mut self, rule: Rule, place: String, message: String) {
        if !self.full() {
            self.errors.push(VerifyError { rule, func: self.func.name.clone(), place, message });
        }
    }

    fn at_func(&mut self, rule: Rule, message: impl Into<String>) {
        self.push(rule, String::new(), message.into());
    }

    fn at_block(&mut self, rule: Rule, block: Block, message: impl Into<String>) {
        self.push(rule, format!("block {}", self.func.label(block)), message.into());
    }

    fn at_inst(&mut self, rule: Rule, inst: Inst, message: impl Into<String>) {
        if self.full() {
            return;
        }
        let place = match self.func.inst_block(inst) {
            Some(block) => format!("block {}, `{}`", self.func.label(block), inst_text(self.func, self.info, inst)),
            None => format!("{inst}, in no block"),
        };
        self.push(rule, place, message.into());
    }

    fn finish(self) -> Result<(), Vec<VerifyError>> {
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }
}

#[cfg(test)]
mod tests;
