//! `minic emit`: any stage of the compilation as text.

use crate::bug::{Bug, guard};
use crate::checks;
use crate::failure::Failure;
use crate::options::{Dominators, Frontier};
use crate::passes;
use crate::pipeline::{self, Form};
use crate::session::{Session, is_textual_ir};
use crate::stack::on_large_stack;
use crate::textual;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::frontier::Frontiers;
use mini_analysis::print::{print_dominator_tree, print_frontiers, print_liveness, print_loops, print_postdominators};
use mini_analysis::{
    dominators_chk, dominators_iterative, dominators_lengauer_tarjan, dominators_semi_nca, frontier_dj, orders,
};
use mini_base::near;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Phase};
use mini_ir::module::Module;
use mini_ir::text::{print_func, print_leaders, print_module};
use mini_lower::program::Extent;
use mini_pass::registry::phase_name;
use mini_regalloc::allocate;
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
    /// SSA.
    Ssa,
    /// SSA after the passes of the level of optimisation.
    Opt,
    /// Conventional SSA.
    Cssa,
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
    ("dom", Stage::Dom),
    ("postdom", Stage::Postdom),
    ("frontier", Stage::Frontier),
    ("loops", Stage::Loops),
    ("liveness", Stage::Liveness),
    ("ssa", Stage::Ssa),
    ("opt", Stage::Opt),
    ("cssa", Stage::Cssa),
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
        Stage::Leaders => leaders(session, path, function),
        Stage::Cfg => analysis(session, path, function, |func| Ok(print_cfg(func))),
        Stage::Dom => {
            let algorithm = session.options.dominators;
            analysis(session, path, function, |func| Ok(print_dominator_tree(func, &dominators(func, algorithm)?)))
        }
        Stage::Postdom => analysis(session, path, function, |func| Ok(print_postdominators(func))),
        Stage::Frontier => {
            let options = session.options.clone();
            analysis(session, path, function, |func| {
                let tree = dominators(func, options.dominators)?;
                Ok(print_frontiers(func, &tree, &frontiers(func, &tree, options.frontier)))
            })
        }
        Stage::Loops => analysis(session, path, function, |func| Ok(print_loops(func))),
        Stage::Liveness => analysis(session, path, function, |func| Ok(print_liveness(func))),
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
        let list = passes::parse_list(list, func.phase)?;
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
    print: impl Fn(&Func) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let module = pipeline::front_end(session, path, Extent::All)?;
    let texts: Vec<String> = chosen(&module, function)?.into_iter().map(print).collect::<Result<_, Failure>>()?;
    Ok(texts.join("\n"))
}

/// The leaders of each function, which has to be in TAC: a flat list has no parameters of blocks.
fn leaders(session: &mut Session, path: &Path, function: Option<&str>) -> Result<String, Failure> {
    let module = pipeline::front_end(session, path, Extent::All)?;
    let print = |func: &Func| match func.phase {
        Phase::Tac => Ok(print_leaders(func, &module.info)),
        Phase::Ssa | Phase::Cssa => Err(Failure::Usage(format!(
            "`{}` has `{}` in {}; leaders are found in TAC",
            path.display(),
            func.name,
            phase_name(func.phase)
        ))),
    };
    let texts: Vec<String> = chosen(&module, function)?.into_iter().map(print).collect::<Result<_, Failure>>()?;
    Ok(texts.join("\n"))
}

fn dominators(func: &Func, algorithm: Dominators) -> Result<DominatorTree, Failure> {
    let cfg = Cfg::new(func);
    Ok(match algorithm {
        Dominators::SemiNca => dominators_semi_nca::dominators(func, &cfg),
        Dominators::Chk => dominators_chk::dominators(func, &cfg),
        Dominators::LengauerTarjan => dominators_lengauer_tarjan::dominators(func, &cfg),
        Dominators::Iterative => {
            let (count, most) = (orders::reachable(func).count(), dominators_iterative::MOST_BLOCKS);
            if count > most {
                return Err(Failure::Usage(format!(
                    "`--dominators iterative` keeps a set of blocks for each block, and `{}` has {count}, more than {most}; \
                     `--dominators chk` and the others have no limit",
                    func.name
                )));
            }
            dominators_iterative::dominators(func, &cfg)
        }
    })
}

fn frontiers(func: &Func, tree: &DominatorTree, algorithm: Frontier) -> Frontiers {
    match algorithm {
        Frontier::Runner => Frontiers::new(func, &Cfg::new(func), tree),
        Frontier::Dj => frontier_dj::frontiers(func, tree),
    }
}

/// Blocks in layout order with their predecessors and successors.
fn print_cfg(func: &Func) -> String {
    let cfg = Cfg::new(func);
    let labels = |blocks: Vec<Block>| {
        let labels: Vec<String> = blocks.into_iter().map(|b| func.label(b)).collect();
        if labels.is_empty() { "-".to_string() } else { labels.join(" ") }
    };
    let mut text = format!("control flow of {}\n", func.name);
    for block in func.blocks() {
        let from = labels(cfg.predecessors(func, block).collect());
        let to = labels(func.successors(block).map(|edge| func.edge_target(edge)).collect());
        text += &format!("  {:<12} from {from:<24} to {to}\n", func.label(block));
    }
    text
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
