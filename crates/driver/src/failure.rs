//! The ways in which a compilation ends without its result, and the exit status of each.

use crate::bug::Bug;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program has errors; they are in the session's diagnostics.
    Program,
    /// The program can't be compiled or run for a reason that has no place in its text: lines for the user.
    Text(String),
    /// The command line, or something that it names, is wrong: one line for the user.
    Usage(String),
    /// A file can't be read or written: one line that names it and the reason.
    Io(String),
    /// The compiler is wrong.
    Bug(Bug),
}

impl Failure {
    /// The exit status of the command.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Program | Failure::Text(_) => 1,
            Failure::Usage(_) | Failure::Io(_) => 2,
            Failure::Bug(_) => 70,
        }
    }
}

impl From<Bug> for Failure {
    fn from(bug: Bug) -> Failure {
        Failure::Bug(bug)
    }
}
