//! Running a program by the interpreters.

use crate::failure::Failure;
use crate::options::Choice;
use crate::session::Session;
use std::path::Path;

/// Which form of the program the interpreter runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// As lowered.
    #[default]
    Tac,
    /// After SSA construction.
    Ssa,
    /// After the copies that leaving SSA needs.
    Cssa,
}

impl Choice for Phase {
    const OPTION: &'static str = "--phase";
    const AVAILABLE: &'static [(&'static str, Self)] = &[("tac", Phase::Tac), ("ssa", Phase::Ssa), ("cssa", Phase::Cssa)];
    const PLANNED: &'static [&'static str] = &["mir"];
}

/// Whether executed operations are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// They are, and the report lists them.
    Yes,
    /// They are not.
    No,
}

/// A program ready to be interpreted.
#[derive(Debug)]
pub struct Prepared {}

/// Compiles a program, or reads textual IR, up to a phase.
pub fn prepare(session: &mut Session, path: &Path, phase: Phase) -> Result<Prepared, Failure> {
    let _ = phase;
    session.load(path)?;
    Err(Failure::Usage("the interpreter is not available yet".into()))
}

/// Runs on the process's own streams. Gives the exit status, and the counts as text.
pub fn run_on_streams(prepared: &Prepared, arguments: &[Vec<u8>], counting: Counting) -> Result<(u8, String), Failure> {
    let _ = (prepared, arguments, counting);
    Err(Failure::Usage("the interpreter is not available yet".into()))
}
