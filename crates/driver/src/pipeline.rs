//! READ FIRST: the whole compiler on one screen.
//!
//! [`STEPS`] is the table; the functions below it run the steps in its order. The file-level steps (to the typed tree and
//! TAC) run once, the function-level ones once a function, in parallel where that pays. Every step runs under
//! [`crate::bug::guard`]; in debug builds and with `--verify` its result is checked before the next one starts.

use crate::failure::Failure;
use crate::near;
use crate::options::Output;
use crate::session::Session;
use std::path::Path;

/// A step of the pipeline.
#[derive(Debug)]
pub struct Step {
    /// As in `--print-after`, `--time-passes` and messages about bugs.
    pub name: &'static str,
    /// What goes in.
    pub from: &'static str,
    /// What comes out.
    pub to: &'static str,
    /// The option that chooses between alternatives.
    pub option: Option<&'static str>,
    /// What it does, and where.
    pub text: &'static str,
}

const fn step(
    name: &'static str,
    from: &'static str,
    to: &'static str,
    option: Option<&'static str>,
    text: &'static str,
) -> Step {
    Step { name, from, to, option, text }
}

/// The steps in order.
#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    step("lex",      "source", "tokens",    None,                   "characters to tokens (syntax/lexer.rs)"),
    step("parse",    "tokens", "ast",       None,                   "tokens to the syntax tree (syntax/parser)"),
    step("check",    "ast",    "typed",     None,                   "names, types, all rules (sema/check.rs)"),
    step("lower",    "typed",  "tac",       None,                   "three-address code over named variables (lower)"),
    step("ssa",      "tac",    "ssa",       Some("--ssa"),          "every value defined once, block parameters (ssa)"),
    step("cssa",     "ssa",    "cssa",      Some("--destruct"),     "conventional SSA: copies where joins interfere (ssa)"),
    step("select",   "cssa",   "mir",       None,                   "x86-64 instructions over virtual registers (x64)"),
    step("allocate", "mir",    "alloc",     Some("--regalloc"),     "registers and spill slots (regalloc)"),
    step("encode",   "alloc",  "code",      None,                   "bytes, relocations, call sites (x64)"),
    step("link",     "code",   "image",     Some("build --emit"),   "the executable: run-time image, code, tables (link)"),
];

/// Refuses a name that is no step's, with near matches.
pub fn check_step_name(name: &str) -> Result<(), Failure> {
    if name == "all" || STEPS.iter().any(|step| step.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    let hint = near::hint(name, names.iter().copied());
    Err(Failure::Usage(format!("there is no step `{name}`{hint}; steps: all {}", names.join(" "))))
}

/// Reads and checks a program.
pub fn check_file(session: &mut Session, path: &Path) -> Result<(), Failure> {
    let file = session.load(path)?;
    let _tokens = mini_syntax::lexer::lex(session.sources.file(file), &mut session.names, &mut session.diagnostics);
    Err(Failure::Usage("the parser is not available yet".into()))
}

/// Compiles a program to the bytes of an output file.
pub fn build(session: &mut Session, path: &Path, output: Output) -> Result<Vec<u8>, Failure> {
    let _ = output;
    check_file(session, path)?;
    Err(Failure::Usage("the back end is not available yet".into()))
}
