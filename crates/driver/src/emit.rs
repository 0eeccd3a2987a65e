//! `minic emit`: any stage of the compilation as text.

use crate::analyses;
use crate::bug::{Bug, guard};
use crate::checks;
use crate::failure::Failure;
use crate::options::{Choice, Destruction, Options};
use crate::passes;
use crate::pipeline::{self, Form};
use crate::session::{Session, is_textual_ir};
use crate::stack::on_large_stack;
use crate::textual;
use mini_analysis::print::{print_loops, print_orders, print_postdominators};
use mini_base::near;
use mini_ir::func::{Func, Phase};
use mini_ir::module::{Module, ModuleInfo};
use mini_ir::text::{print_func, print_leaders, print_module};
use mini_lower::program::Extent;
use mini_pass::registry::phase_name;
use mini_regalloc::allocate;
use mini_ssa::phi_webs::print_webs;
use mini_x64::asm_text::{print_listing, print_program};
use mini_x64::data::{StaticData, code_id};
use mini_x64::mir::Mir;
use mini_x64::mir_text::print_mir;
use std::path::Path;

/// What can be printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The tokens.
    Tokens,
    /// The syntax tree.
    Ast,
    /// The typed tree.
    Typed,
    /// Three-address code.
    Tac,
    /// The flat list of instructions with its leaders.
    Leaders,
    /// Blocks with predecessors and successors.
    Cfg,
    /// Depth-first orders of the blocks.
    Orders,
    /// The dominator tree.
    Dom,
    /// The post-dominator tree.
    Postdom,
    /// Dominance frontiers.
    Frontier,
    /// The loop forest.
    Loops,
    /// Live variables.
    Liveness,
    /// Where variables need phis.
    Placement,
    /// SSA.
    Ssa,
    /// SSA after the passes of the level of optimisation.
    Opt,
    /// Conventional SSA.
    Cssa,
    /// The phi webs of conventional SSA.
    Webs,
    /// Three-address code again: phi webs as variables, parallel copies in sequence.
    OutOfSsa,
    /// Machine instructions over virtual registers.
    Mir,
    /// Live intervals.
    Intervals,
    /// Machine instructions over registers.
    Alloc,
    /// Assembly text.
    Asm,
}

/// The stages by name, in the order of the pipeline.
const STAGES: &[(&str, Stage)] = &[
    ("tokens", Stage::Tokens),
    ("ast", Stage::Ast),
    ("typed", Stage::Typed),
    ("tac", Stage::Tac),
    ("leaders", Stage::Leaders),
    ("cfg", Stage::Cfg),
    ("orders", Stage::Orders),
    ("dom", Stage::Dom),
    ("postdom", Stage::Postdom),
    ("frontier", Stage::Frontier),
    ("loops", Stage::Loops),
    ("liveness", Stage::Liveness),
    ("placement", Stage::Placement),
    ("ssa", Stage::Ssa),
    ("opt", Stage::Opt),
    ("cssa", Stage::Cssa),
    ("webs", Stage::Webs),
    ("out-of-ssa", Stage::OutOfSsa),
    ("mir", Stage::Mir),
    ("intervals", Stage::Intervals),
    ("alloc", Stage::Alloc),
    ("asm", Stage::Asm),
];

/// The names of the stages.
pub fn names() -> Vec<&'static str> {
    STAGES.iter().map(|(name, _)| *name).collect()
}

/// The stage of that name.
pub fn stage(name: &str) -> Result<Stage, Failure> {
    STAGES.iter().find(|(n, _)| *n == name).map(|(_, stage)| *stage).ok_or_else(|| {
        let hint = near::hint(name, names());
        Failure::Usage(format!("there is no stage `{name}`{hint}; stages: {}", names().join(" ")))
    })
}

/// Compiles up to a stage and prints it, the whole program or one function.
pub fn emit(session: &mut Session, path: &Path, stage: Stage, function: Option<&str>) -> Result<String, Failure> {
    match stage {
        Stage::Tokens | Stage::Ast => on_large_stack(|| syntax(session, path, stage, function)),
        Stage::Typed => on_large_stack(|| typed_tree(session, path, function)),
        Stage::Tac => whole_or_one(session, path, Form::Tac, function),
        Stage::Ssa => whole_or_one(session, path, Form::Ssa, function),
        Stage::Opt => whole_or_one(session, path, Form::Optimised, function),
        Stage::Cssa => whole_or_one(session, path, Form::Cssa, function),
        Stage::OutOfSsa => out_of_ssa(session, path, function),
        Stage::Webs => webs(session, path, function),
        Stage::Leaders => {
            of_tac(session, path, function, "leaders are found", |func, info, _| Ok(print_leaders(func, info)))
        }
        Stage::Placement => of_tac(session, path, function, "phis are placed", |func, _, options| {
            analyses::print_placement(func, options)
        }),
        Stage::Cfg => analysis(session, path, function, |func, _| Ok(analyses::print_cfg(func))),
        Stage::Orders => analysis(session, path, function, |func, _| Ok(print_orders(func))),
        Stage::Dom => analysis(session, path, function, analyses::print_dom),
        Stage::Postdom => analysis(session, path, function, |func, _| Ok(print_postdominators(func))),
        Stage::Frontier => analysis(session, path, function, analyses::print_frontier),
        Stage::Loops => analysis(session, path, function, |func, _| Ok(print_loops(func))),
        Stage::Liveness => analysis(session, path, function, analyses::print_live),
        Stage::Mir | Stage::Intervals | Stage::Alloc | Stage::Asm => machine(session, path, stage, function),
    }
}

/// Reads textual IR, verifies it, runs passes from a list `a,b,c` on every function, and prints it.
pub fn optimise_text(session: &mut Session, path: &Path, list: &str) -> Result<String, Failure> {
    if path.extension().is_some_and(|extension| extension == "mini") {
        return Err(Failure::Usage(format!(
            "`{0}` is Mini source, and `opt` takes textual IR; `minic emit tac {0} > FILE.ir` makes some",
            path.display()
        )));
    }
    let file = session.load(path)?;
    let mut module = textual::read(session, file)?;
    checks::check_only_fn(session, &module)?;
    let info = &module.info;
    for func in module.funcs.iter_mut() {
        let list = passes::parse_list(list, func)?;
        passes::run_list(session, &list, func, info)?;
    }
    Ok(print_module(&module, checks::style(session)))
}

/// What the step that has a bug was given, if that is a text: the compilation is done once more up to there.
pub fn before(session: &Session, path: &Path, bug: &Bug) -> Option<String> {
    let from = pipeline::STEPS.iter().find(|step| step.name == bug.step)?.from;
    let stage = stage(from).ok()?;
    let mut again = session.again();
    guard("emit", None, || emit(&mut again, path, stage, bug.function.as_deref()).ok()).ok()?
}

/// The tokens or the tree; errors in the text do not keep them from being printed.
fn syntax(session: &mut Session, path: &Path, stage: Stage, function: Option<&str>) -> Result<String, Failure> {
    refuse_textual_ir(path)?;
    if function.is_some() {
        return Err(Failure::Usage(
            "`--fn` has no meaning before names are resolved; use a stage from `typed` on".into(),
        ));
    }
    let file = session.load(path)?;
    if stage == Stage::Ast {
        let tree = pipeline::parse(session, file)?;
        return Ok(mini_syntax::print::print_module(&tree, session.sources.file(file), &session.names));
    }
    let Session { sources, names, diagnostics, .. } = session;
    let tokens = mini_syntax::lexer::lex(sources.file(file), names, diagnostics);
    Ok(mini_syntax::token::print_tokens(&tokens, sources.file(file), names))
}

fn typed_tree(session: &mut Session, path: &Path, function: Option<&str>) -> Result<String, Failure> {
    refuse_textual_ir(path)?;
    let file = session.load(path)?;
    let program = pipeline::check(session, file)?;
    if let Some(name) = function {
        let names: Vec<&str> = program.functions.iter().map(|f| &*f.name).collect();
        checks::known_function(name, &names)?;
    }
    Ok(mini_sema::print::program_text(&program, function))
}

fn refuse_textual_ir(path: &Path) -> Result<(), Failure> {
    if is_textual_ir(path) {
        return Err(Failure::Usage(format!("`{}` is textual IR; this stage comes before it", path.display())));
    }
    Ok(())
}

/// The functions that are wanted: all, or those of that name, which are the instances of one function.
fn chosen<'m>(module: &'m Module, function: Option<&str>) -> Result<Vec<&'m Func>, Failure> {
    let Some(name) = function else { return Ok(module.funcs.iter().collect()) };
    checks::known_function(name, &checks::function_names(module))?;
    Ok(module.funcs.iter().filter(|func| checks::is_named(&func.name, name)).collect())
}

/// The program, or one of its functions, in a phase.
fn whole_or_one(session: &mut Session, path: &Path, form: Form, function: Option<&str>) -> Result<String, Failure> {
    let module = pipeline::module_in(session, path, form, Extent::All)?;
    module_text(session, &module, function)
}

/// The program, or one of its functions, as TAC again.
fn out_of_ssa(session: &mut Session, path: &Path, function: Option<&str>) -> Result<String, Failure> {
    let mut module = pipeline::module_in(session, path, Form::Cssa, Extent::All)?;
    pipeline::leave_ssa(session, &mut module)?;
    module_text(session, &module, function)
}

fn module_text(session: &Session, module: &Module, function: Option<&str>) -> Result<String, Failure> {
    let style = checks::style(session);
    match function {
        None => Ok(print_module(module, style)),
        Some(_) => {
            let functions = chosen(module, function)?.into_iter();
            Ok(functions.map(|func| print_func(func, &module.info, style)).collect::<Vec<_>>().join("\n"))
        }
    }
}

/// An analysis of each function, in the phase that the file gives: TAC for programs.
fn analysis(
    session: &mut Session,
    path: &Path,
    function: Option<&str>,
    print: impl Fn(&Func, &Options) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let module = pipeline::front_end(session, path, Extent::All)?;
    let print = |func: &Func| print(func, &session.options);
    let texts: Vec<String> = chosen(&module, function)?.into_iter().map(print).collect::<Result<_, Failure>>()?;
    Ok(texts.join("\n"))
}

/// What is said of each function, which has to be in TAC: leaders, because a flat list has no parameters of blocks; the
/// placement of phis, because SSA has them.
fn of_tac(
    session: &mut Session,
    path: &Path,
    function: Option<&str>,
    what: &str,
    print: impl Fn(&Func, &ModuleInfo, &Options) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let module = pipeline::front_end(session, path, Extent::All)?;
    let print = |func: &Func| match func.phase {
        Phase::Tac => print(func, &module.info, &session.options),
        Phase::Ssa | Phase::Cssa => Err(Failure::Usage(format!(
            "`{}` has `{}` in {}; {what} in TAC",
            path.display(),
            func.name,
            phase_name(func.phase)
        ))),
    };
    let texts: Vec<String> = chosen(&module, function)?.into_iter().map(print).collect::<Result<_, Failure>>()?;
    Ok(texts.join("\n"))
}

/// The phi webs of each function, in conventional SSA.
fn webs(session: &mut Session, path: &Path, function: Option<&str>) -> Result<String, Failure> {
    let module = pipeline::module_in(session, path, Form::Cssa, Extent::All)?;
    let print = |func: &Func| match func.phase {
        Phase::Cssa => Ok(print_webs(func)),
        Phase::Tac | Phase::Ssa => Err(Failure::Usage(format!(
            "`{}` is in {} after `{}`; webs are those of conventional SSA",
            func.name,
            phase_name(func.phase),
            Destruction::OPTION
        ))),
    };
    let texts: Vec<String> = chosen(&module, function)?.into_iter().map(print).collect::<Result<_, Failure>>()?;
    Ok(texts.join("\n"))
}

/// Machine code, function by function; assembly text of the whole program has its data too.
fn machine(session: &mut Session, path: &Path, stage: Stage, function: Option<&str>) -> Result<String, Failure> {
    let mut module = pipeline::module_in(session, path, Form::Cssa, Extent::All)?;
    chosen(&module, function)?;
    if stage == Stage::Asm {
        let program = pipeline::back_end(session, &mut module)?;
        let place = |pos| pipeline::place(&session.sources, pos);
        let Some(name) = function else { return Ok(print_program(&program, &place)) };
        let wanted = module.info.signatures.iter_enumerated().filter(|(_, head)| checks::is_named(&head.name, name));
        let listings = wanted.map(|(id, _)| print_listing(&program, code_id(id), &place));
        return Ok(listings.collect::<Vec<_>>().join("\n"));
    }
    let data = session.times.step("data", None, || StaticData::build(&module))?;
    let mut texts = Vec::new();
    for func in chosen(&module, function)? {
        let mir = pipeline::select(session, func, &module, &data)?;
        texts.push(match stage {
            Stage::Intervals => print_intervals(session, &mir)?,
            Stage::Alloc => print_mir(&pipeline::allocate(session, mir)?),
            _ => print_mir(&mir),
        });
    }
    Ok(texts.join("\n"))
}

fn print_intervals(session: &Session, mir: &Mir) -> Result<String, Failure> {
    let options = pipeline::allocation_options(session);
    if options.allocator == allocate::Allocator::SpillEverything {
        return Err(Failure::Usage("`--regalloc spill-everything` has no intervals".into()));
    }
    Ok(session.times.step("allocate", Some(&mir.name), || mini_regalloc::print::intervals(mir, options))?)
}
