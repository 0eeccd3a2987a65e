//! READ FIRST: the whole compiler on one screen.
//!
//! [`STEPS`] is the table; the functions below it run the steps in its order: [`front_end`] reads and checks a file and
//! lowers it to TAC, [`advance`] takes every function through SSA to conventional SSA, [`back_end`] makes machine code,
//! [`build`] is all of them and the link step. The steps of single functions run in parallel where that pays. Every
//! step runs under [`crate::bug::guard`]; in debug builds and with `--verify` its result is checked before the next starts.

use crate::bug::Bug;
use crate::checks;
use crate::failure::Failure;
use crate::header;
use crate::modules;
use crate::options::{Destruction, Level, Output, RegisterAllocation, SsaConstruction, Verify};
use crate::parallel::each_function;
use crate::passes;
use crate::session::{Session, is_textual_ir};
use crate::stack::on_large_stack;
use crate::start::ensure_start;
use crate::textual;
use mini_base::names::shown_name;
use mini_base::source::{FileId, Pos, SourceMap};
use mini_diag::codes::E0012_NESTED_TOO_DEEPLY;
use mini_ir::func::{Func, Phase};
use mini_ir::module::Module;
pub use mini_lower::program::Extent;
use mini_pass::registry::{self, phase_name};
use mini_regalloc::allocate;
use mini_sema::check::Purpose;
use mini_sema::typed;
use mini_syntax::ast;
use mini_x64::asm_text::print_program;
use mini_x64::code::{Library, Program};
use mini_x64::data::{StaticData, code_id};
use mini_x64::mir::Mir;
use mini_x64::mir_verify;
use std::path::Path;
use std::sync::atomic::Ordering;

/// A step of the pipeline.
#[derive(Debug)]
pub struct Step {
    /// As in `--print-after`, `--time-passes` and messages about bugs.
    pub name: &'static str,
    /// What goes in.
    pub from: &'static str,
    /// What comes out.
    pub to: &'static str,
    /// The pass that it runs on each function, where it is one; with an option, the default one.
    pub pass: Option<&'static str>,
    /// The option that chooses between alternatives.
    pub option: Option<&'static str>,
    /// What it does.
    pub text: &'static str,
    /// The file to start reading with.
    pub file: &'static str,
}

impl Step {
    /// Whether there are functions to print after it.
    pub fn leaves_functions(&self) -> bool {
        ["tac", "ssa", "opt", "cssa", "mir", "alloc"].contains(&self.to)
    }
}

const fn step(
    name: &'static str,
    [from, to]: [&'static str; 2],
    [pass, option]: [Option<&'static str>; 2],
    text: &'static str,
    file: &'static str,
) -> Step {
    Step { name, from, to, pass, option, text, file }
}

/// The steps in order.
#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    step("lex",      ["source", "tokens"], [None, None],                               "characters to tokens", "crates/syntax/src/lexer.rs"),
    step("parse",    ["tokens", "ast"],    [None, None],                               "tokens to the syntax tree", "crates/syntax/src/parser/mod.rs"),
    step("check",    ["ast", "typed"],     [None, None],                               "names, types, all rules", "crates/sema/src/check.rs"),
    step("lower",    ["typed", "tac"],     [None, None],                               "three-address code over named variables", "crates/lower/src/program.rs"),
    step("ssa",      ["tac", "ssa"],       [Some("pruned"), Some("--ssa")],            "every value defined once, block parameters", "crates/ssa/src/pruned.rs"),
    step("opt",      ["ssa", "opt"],       [None, Some("-O")],                         "the passes of the level of optimisation", "crates/opt/src/lib.rs"),
    step("cssa",     ["opt", "cssa"],      [Some("cssa_copies"), Some("--destruct")],  "copies, so that what meets in a join can share a place", "crates/ssa/src/cssa_copies.rs"),
    step("data",     ["cssa", "data"],     [None, None],                               "literals, type descriptors, globals", "crates/x64/src/data.rs"),
    step("select",   ["cssa", "mir"],      [None, None],                               "x86-64 instructions over virtual registers", "crates/x64/src/select/mod.rs"),
    step("allocate", ["mir", "alloc"],     [None, Some("--regalloc")],                 "registers and spill slots", "crates/regalloc/src/allocate.rs"),
    step("encode",   ["alloc", "code"],    [None, None],                               "bytes, relocations, call sites", "crates/x64/src/encode/mod.rs"),
    step("link",     ["code", "file"],     [None, Some("build --emit")],               "run-time image, code and tables as one file", "crates/link/src/executable.rs"),
];

/// From a source file to TAC, all of it or what a run needs; textual IR (`.ir`) is read as it is. Only these steps recurse over the program's nesting.
pub fn front_end(session: &mut Session, path: &Path, extent: Extent) -> Result<Module, Failure> {
    let file = session.load(path)?;
    if is_textual_ir(path) {
        let module = textual::read(session, file)?;
        checks::check_only_fn(session, &module)?;
        return Ok(module);
    }
    let module = on_large_stack(|| {
        let program = check(session, file)?;
        Ok::<Module, Failure>(session.times.step("lower", None, || mini_lower::program::lower(&program, extent))?)
    })?;
    checks::check_only_fn(session, &module)?;
    for func in &module.funcs {
        checks::after(session, "lower", func, &module.info)?;
    }
    Ok(module)
}

/// From a root file, with all modules that it needs, to the typed tree.
pub fn check(session: &mut Session, file: FileId) -> Result<typed::Program, Failure> {
    let modules = modules::load(session, file)?;
    // What lies deeper than the limit is missing from the trees: nothing can be said about the rest.
    if session.diagnostics.has_code(E0012_NESTED_TOO_DEEPLY) {
        return Err(Failure::Program);
    }
    let Session { options, names, diagnostics, times, .. } = session;
    let purpose = if options.output.is_for_c() { Purpose::PartOfC } else { Purpose::Executable };
    let checked = times.step("check", None, || mini_sema::check::check(&modules, names, purpose, diagnostics))?;
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

/// The forms that a function goes through between the front end and the back end, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// As lowered.
    Tac,
    /// SSA, as constructed.
    Ssa,
    /// SSA, after the passes of the level of optimisation.
    Optimised,
    /// Conventional SSA.
    Cssa,
}

impl Form {
    /// From each form to the next.
    pub const STEPS: [(Form, Form); 3] =
        [(Form::Tac, Form::Ssa), (Form::Ssa, Form::Optimised), (Form::Optimised, Form::Cssa)];

    /// The phase of the IR that a function of this form is in.
    pub fn phase(self) -> Phase {
        match self {
            Form::Tac => Phase::Tac,
            Form::Ssa | Form::Optimised => Phase::Ssa,
            Form::Cssa => Phase::Cssa,
        }
    }
}

/// From a source file to a form. Textual IR that is beyond it already is refused: no step goes back.
pub fn module_in(session: &mut Session, path: &Path, form: Form, extent: Extent) -> Result<Module, Failure> {
    let mut module = front_end(session, path, extent)?;
    if let Some(func) = module.funcs.iter().find(|func| func.phase > form.phase()) {
        return Err(Failure::Usage(format!(
            "`{}` has `{}` in {} already; nothing leads back to {}",
            path.display(),
            func.name,
            phase_name(func.phase),
            phase_name(form.phase())
        )));
    }
    advance(session, &mut module, Form::Tac, form)?;
    Ok(module)
}

/// The passes that make SSA form, in order.
fn construction(choice: SsaConstruction) -> &'static [&'static str] {
    match choice {
        SsaConstruction::Pruned => &["pruned"],
        SsaConstruction::SemiPruned => &["semi_pruned"],
        SsaConstruction::Minimal => &["minimal"],
        SsaConstruction::ReachingDef => &["reaching_def"],
        SsaConstruction::Braun => &["braun"],
        SsaConstruction::Mem2Reg => &["variables_to_slots", "mem2reg"],
    }
}

/// The passes of a level of optimisation, in order.
pub fn optimisation(level: Level) -> &'static [&'static str] {
    match level {
        Level::O0 => &[],
        Level::O1 => &["copy_propagation", "simplify", "dead_code"],
        // Numbering simplifies instructions on its way; branches whose condition it has found wait for `simplify`.
        Level::O2 => &["copy_propagation", "value_numbering", "simplify", "dead_code"],
    }
}

/// The passes that leave SSA form, in order. The naive way ends in TAC, in which selection takes functions too; no step follows
/// that would bring them into SSA again.
fn destruction(choice: Destruction) -> &'static [&'static str] {
    match choice {
        Destruction::Cssa => &["cssa_copies"],
        Destruction::Coalesce => &["cssa_copies", "coalesce"],
        Destruction::Naive => &["naive_copies"],
    }
}

/// Takes every function from one form to another. Functions that are further already, in textual IR, stay as they are.
pub fn advance(session: &Session, module: &mut Module, from: Form, to: Form) -> Result<(), Failure> {
    let info = &module.info;
    let options = &session.options;
    let ran = &session.ran;
    let steps = [
        ("ssa", Form::Ssa, Phase::Tac, registry::find_all(construction(options.ssa)), &ran.ssa),
        ("opt", Form::Optimised, Phase::Ssa, registry::find_all(optimisation(options.level)), &ran.opt),
        ("cssa", Form::Cssa, Phase::Ssa, registry::find_all(destruction(options.destruction)), &ran.cssa),
    ];
    each_function(session, module.funcs.iter_mut(), |func: &mut Func| {
        for (step, makes, takes, passes, ran) in &steps {
            if from < *makes && *makes <= to && func.phase == *takes {
                ran.store(true, Ordering::Relaxed);
                passes::run_step(session, step, passes, func, info)?;
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// From conventional SSA to TAC again, for people and for the interpreter: machine code is made without it.
pub fn leave_ssa(session: &Session, module: &mut Module) -> Result<(), Failure> {
    let info = &module.info;
    let leave = registry::find_all(&["webs_to_variables"]);
    for func in module.funcs.iter_mut().filter(|func| func.phase == Phase::Cssa) {
        passes::run_step(session, "webs_to_variables", &leave, func, info)?;
    }
    Ok(())
}

/// From conventional SSA to machine code and data.
pub fn back_end(session: &Session, module: &mut Module) -> Result<Program, Failure> {
    ensure_start(module)?;
    let module = &*module;
    let data = session.times.step("data", None, || StaticData::build(module))?;
    let functions = each_function(session, module.funcs.iter(), |func: &Func| {
        let mir = select(session, func, module, &data)?;
        let mir = allocate(session, mir)?;
        session.times.step("encode", Some(&func.name), || mini_x64::encode::encode(&mir))
    })?;
    let start = module.start.map(code_id);
    let symbols = module.info.externs.iter().map(|head| shown_name(&head.name).to_string()).collect();
    let library = module.library.as_ref().map(|library| Library {
        init: code_id(library.init),
        exports: library.exports.iter().map(|e| (e.symbol.to_string(), code_id(e.func))).collect(),
    });
    Ok(Program { functions: functions.into(), data: data.pieces, start, symbols, library })
}

/// Compiles a program to the bytes of an output file.
pub fn build(session: &mut Session, path: &Path, output: Output) -> Result<Vec<u8>, Failure> {
    session.options.output = output;
    if output == Output::Header {
        let module = front_end(session, path, Extent::Reachable)?;
        return Ok(header::header(path, &module).into_bytes());
    }
    let mut module = module_in(session, path, Form::Cssa, Extent::Reachable)?;
    let program = back_end(session, &mut module)?;
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
    if output == Output::Executable {
        if program.start.is_none() {
            return Err(Failure::Usage("an executable needs a function that starts it: `main`".into()));
        }
        if !program.symbols.is_empty() {
            refuse_symbols(program)?;
            return session.times.step("link", None, || link_with_c(session, program))?;
        }
        if !session.options.link.is_empty() {
            return Err(Failure::Usage("`--link` has no effect: the program has no `extern` functions".into()));
        }
    }
    if output == Output::Object {
        refuse_symbols(program)?;
    }
    Ok(session.times.step("link", None, || match output {
        Output::Executable => mini_link::executable(program, sources),
        Output::Object => mini_link::object(program, sources),
        Output::Assembly => print_program(program, &|pos| place(sources, pos)).into_bytes(),
        Output::Header => unreachable!("a header is made of the module"),
    })?)
}

/// Refuses functions for C whose symbols are the run-time library's, or what it would call instead of the C library's.
fn refuse_symbols(program: &Program) -> Result<(), Failure> {
    let (defined, needed) = (mini_link::archive::symbols(), mini_link::archive::needed());
    for (symbol, _) in program.library.iter().flat_map(|library| &library.exports) {
        let reason = match (defined.contains(symbol), needed.contains(symbol)) {
            (true, _) => "has a symbol of this name",
            (false, true) => "uses what has this name in the C library",
            (false, false) => continue,
        };
        return Err(Failure::Text(format!(
            "error: C can't get the function `{symbol}`, for the run-time library {reason}\n\
             help: give it another name, or take its `pub` away"
        )));
    }
    Ok(())
}

/// An executable of a program that calls C functions.
fn link_with_c(session: &Session, program: &Program) -> Result<Vec<u8>, Failure> {
    match mini_link::executable_with_c(program, &session.sources, &session.options.link) {
        Ok(linked) => {
            if !linked.messages.is_empty() {
                eprintln!("{}", linked.messages);
            }
            Ok(linked.bytes)
        }
        Err(mini_link::with_c::Error::Io(text)) => Err(Failure::Io(text)),
        Err(mini_link::with_c::Error::Refused { compiler, messages }) => Err(Failure::Text(format!(
            "error: the C compiler `{compiler}` can't link the program:\n{messages}\n\
             help: C files, object files and libraries that have the `extern` functions are given with `--link`: `--link helper.c`, \
             `--link -lz`"
        ))),
    }
}

/// The run-time library for C programs: the bytes of an archive.
pub fn runtime_library() -> Vec<u8> {
    mini_link::runtime_library()
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
        true => textual::read(session, file).map(|_| ()),
        false => on_large_stack(|| check(session, file).map(|_| ())),
    }
}
