//! `minic emit`: any stage of the compilation as text.

use crate::failure::Failure;
use crate::near;
use crate::session::Session;
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
    /// Blocks with predecessors and successors.
    Cfg,
    /// The dominator tree.
    Dom,
    /// Dominance frontiers.
    Frontier,
    /// The loop forest.
    Loops,
    /// Live variables.
    Liveness,
    /// SSA.
    Ssa,
    /// SSA after optimisation; the same, as long as there are no passes.
    Opt,
    /// Conventional SSA.
    Cssa,
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
    ("cfg", Stage::Cfg),
    ("dom", Stage::Dom),
    ("frontier", Stage::Frontier),
    ("loops", Stage::Loops),
    ("liveness", Stage::Liveness),
    ("ssa", Stage::Ssa),
    ("opt", Stage::Opt),
    ("cssa", Stage::Cssa),
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
    let _ = function;
    let file = session.load(path)?;
    let tokens = mini_syntax::lexer::lex(session.sources.file(file), &mut session.names, &mut session.diagnostics);
    if stage == Stage::Tokens {
        return Ok(mini_syntax::token::print_tokens(&tokens, session.sources.file(file), &session.names));
    }
    Err(Failure::Usage("this stage is not available yet".into()))
}

/// Reads textual IR, runs the passes that there are (none yet), and prints it.
pub fn optimise_text(session: &mut Session, path: &Path) -> Result<String, Failure> {
    let _ = (session, path);
    Err(Failure::Usage("textual IR is not available yet".into()))
}
