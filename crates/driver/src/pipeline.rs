//! READ FIRST: the whole compiler on one screen.
//!
//! [`STEPS`] is the table; the functions below it run the steps in its order: [`front_end`] reads and checks a file and
//! lowers it to TAC, [`advance`] takes every function through SSA to conventional SSA, [`back_end`] makes machine code,
//! [`build`] is all of them and the link step. The steps of single functions run in parallel where that pays. Every
//! step runs under [`crate::bug::guard`]; in debug builds and with `--verify` its result is checked before the next starts.

use crate::bug::Bug;
use crate::checks;
use crate::failure::Failure;
use crate::options::{Destruction, Output, RegisterAllocation, SsaConstruction, Verify};
use crate::parallel::each_function;
use crate::session::{Session, is_textual_ir};
use crate::stack::on_large_stack;
use crate::start::with_start;
use mini_base::near;
use mini_base::source::{FileId, Pos, SourceMap};
use mini_diag::codes::E0012_NESTED_TOO_DEEPLY;
use mini_ir::func::{Func, Phase};
use mini_ir::module::Module;
use mini_regalloc::allocate;
use mini_sema::typed;
use mini_syntax::ast;
use mini_x64::asm_text::print_program;
use mini_x64::code::Program;
use mini_x64::data::StaticData;
use mini_x64::mir::Mir;
use mini_x64::mir_verify;
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
    step("lex",      "source", "tokens", None,                 "characters to tokens (syntax/lexer.rs)"),
    step("parse",    "tokens", "ast",    None,                 "tokens to the syntax tree (syntax/parser)"),
    step("check",    "ast",    "typed",  None,                 "names, types, all rules (sema/check.rs)"),
    step("lower",    "typed",  "tac",    None,                 "three-address code over named variables (lower/program.rs)"),
    step("ssa",      "tac",    "ssa",    Some("--ssa"),        "every value defined once, block parameters (ssa/cytron.rs)"),
    step("cssa",     "ssa",    "cssa",   Some("--destruct"),   "copies, so that what meets in a join can share a place (ssa/cssa_copies.rs)"),
    step("data",     "cssa",   "data",   None,                 "literals, type descriptors, globals (x64/data.rs)"),
    step("select",   "cssa",   "mir",    None,                 "x86-64 instructions over virtual registers (x64/select)"),
    step("allocate", "mir",    "alloc",  Some("--regalloc"),   "registers and spill slots (regalloc)"),
    step("encode",   "alloc",  "code",   None,                 "bytes, relocations, call sites (x64/encode.rs)"),
    step("link",     "code",   "file",   Some("build --emit"), "run-time image, code and tables as one file (link/executable.rs)"),
];

/// From a source file to TAC; textual IR (`.ir`) is read as it is. Only these steps recurse over the program's nesting.
pub fn front_end(session: &mut Session, path: &Path) -> Result<Module, Failure> {
    let file = session.load(path)?;
    if is_textual_ir(path) {
        return checks::read_text(session, file);
    }
    let module = on_large_stack(|| {
        let program = check(session, file)?;
        Ok::<Module, Failure>(session.times.step("lower", None, || mini_lower::program::lower(&program))?)
    })?;
    for func in &module.funcs {
        checks::after(session, "lower", func, &module.info)?;
    }
    Ok(module)
}

/// From a source file to the typed tree.
pub fn check(session: &mut Session, file: FileId) -> Result<typed::Program, Failure> {
    let tree = parse(session, file)?;
    // What lies deeper than the limit is missing from the tree: nothing can be said about the rest.
    if session.diagnostics.has_code(E0012_NESTED_TOO_DEEPLY) {
        return Err(Failure::Program);
    }
    let Session { sources, names, diagnostics, times, .. } = session;
    let start = sources.file(file).pos(0);
    let checked = times.step("check", None, || mini_sema::check::check(&tree, names, start, diagnostics))?;
    session.refuse_errors()?;
    checked.ok_or(Failure::Program)
}

/// From a source file to the syntax tree, which has holes where there were errors.
pub fn parse(session: &mut Session, file: FileId) -> Result<ast::Module, Failure> {
    let Session { sources, names, diagnostics, times, .. } = session;
    let source = sources.file(file);
    let tokens = times.step("lex", None, || mini_syntax::lexer::lex(source, names, diagnostics))?;
    Ok(times.step("parse", None, || mini_syntax::parser::parse(&tokens, names, diagnostics))?)
}

/// Takes every function forward to a phase: TAC, SSA, conventional SSA.
pub fn advance(session: &Session, module: &mut Module, phase: Phase) -> Result<(), Failure> {
    let info = &module.info;
    each_function(session, module.funcs.iter_mut(), |func: &mut Func| {
        let name = func.name.clone();
        if func.phase == Phase::Tac && phase > Phase::Tac {
            session.times.step("ssa", Some(&name), || match session.options.ssa {
                SsaConstruction::Pruned => mini_ssa::cytron::construct(func),
            })?;
            checks::after(session, "ssa", func, info)?;
        }
        if func.phase == Phase::Ssa && phase > Phase::Ssa {
            session.times.step("cssa", Some(&name), || match session.options.destruction {
                Destruction::Cssa => mini_ssa::cssa_copies::run(func),
            })?;
            checks::after(session, "cssa", func, info)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// From conventional SSA to machine code and data.
pub fn back_end(session: &Session, module: &Module) -> Result<Program, Failure> {
    let module = &*with_start(module)?;
    let data = session.times.step("data", None, || StaticData::build(module))?;
    let functions = each_function(session, module.funcs.iter(), |func: &Func| {
        let mir = select(session, func, module, &data)?;
        let mir = allocate(session, mir)?;
        session.times.step("encode", Some(&func.name), || mini_x64::encode::encode(&mir))
    })?;
    let start = module.start.map(mini_x64::data::code_id);
    Ok(Program { functions: functions.into(), data: data.pieces, start })
}

/// Compiles a program to the bytes of an output file.
pub fn build(session: &mut Session, path: &Path, output: Output) -> Result<Vec<u8>, Failure> {
    let mut module = front_end(session, path)?;
    advance(session, &mut module, Phase::Cssa)?;
    let program = back_end(session, &module)?;
    link(session, &program, output)
}

/// Machine instructions for a function in conventional SSA.
pub fn select(session: &Session, func: &Func, module: &Module, data: &StaticData) -> Result<Mir, Bug> {
    let mir = session.times.step("select", Some(&func.name), || mini_x64::select::select(func, &module.info, data))?;
    checks::after_machine(session, "select", &mir, mir_verify::Stage::Virtual)?;
    Ok(mir)
}

/// Registers and slots for all virtual registers. In checked builds the allocation is judged before it is carried out.
pub fn allocate(session: &Session, mut mir: Mir) -> Result<Mir, Bug> {
    let name = mir.name.clone();
    session
        .times
        .step("allocate", Some(&name), || mini_regalloc::allocate::allocate(&mut mir, allocation_options(session)))?;
    checks::after_machine(session, "allocate", &mir, mir_verify::Stage::Allocated)?;
    Ok(mir)
}

/// What the options mean for the allocator.
pub fn allocation_options(session: &Session) -> allocate::Options {
    allocate::Options {
        allocator: match session.options.registers {
            RegisterAllocation::LinearScan => allocate::Allocator::LinearScan,
            RegisterAllocation::SpillEverything => allocate::Allocator::SpillEverything,
        },
        verify: match session.options.verify {
            Verify::EachStep => allocate::Verify::Yes,
            Verify::No => allocate::Verify::No,
        },
        ..allocate::Options::default()
    }
}

/// The bytes of an output file.
pub fn link(session: &Session, program: &Program, output: Output) -> Result<Vec<u8>, Failure> {
    let sources = &session.sources;
    if output == Output::Executable && program.start.is_none() {
        return Err(Failure::Usage("an executable needs a function that starts it: `main`".into()));
    }
    Ok(session.times.step("link", None, || match output {
        Output::Executable => mini_link::executable(program, sources),
        Output::Object => mini_link::object(program, sources),
        Output::Assembly => print_program(program, &|pos| place(sources, pos)).into_bytes(),
    })?)
}

/// A position as assembly text shows it.
pub fn place(sources: &SourceMap, pos: Pos) -> Option<String> {
    let (path, at) = sources.locate(pos)?;
    Some(format!("{}:{}:{}", path.display(), at.line, at.column))
}

/// Reads and checks a program, and nothing more.
pub fn check_file(session: &mut Session, path: &Path) -> Result<(), Failure> {
    let file = session.load(path)?;
    match is_textual_ir(path) {
        true => checks::read_text(session, file).map(|_| ()),
        false => on_large_stack(|| check(session, file).map(|_| ())),
    }
}

/// Refuses a name that is no step's, with near matches.
pub fn check_step_name(name: &str) -> Result<(), Failure> {
    if name == "all" || STEPS.iter().any(|step| step.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    let hint = near::hint(name, names.iter().copied());
    Err(Failure::Usage(format!("there is no step `{name}`{hint}; steps: all {}", names.join(" "))))
}
