//! What is known of a pass.

use mini_ir::func::{Func, Phase};
use mini_ir::module::ModuleInfo;

/// Whether a pass changed the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Changed {
    /// Nothing is different.
    No,
    /// Something may be different.
    Yes,
}

/// What a pass is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// It leads from TAC into SSA; `--ssa` chooses one.
    Construction,
    /// It leads out of SSA, all the way or a part of it; `--destruct` chooses how.
    Destruction,
    /// It stays in its phase, and the pipeline is whole without it.
    Optional,
}

impl Role {
    /// As people name it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Construction => "into SSA",
            Role::Destruction => "out of SSA",
            Role::Optional => "optional",
        }
    }
}

/// A pass: a step from function to function. One file, one name.
#[derive(Debug)]
pub struct PassInfo {
    /// The name: of its file, on the command line, in dumps and in the docs.
    pub name: &'static str,
    /// The file that it is in.
    pub file: &'static str,
    /// The phases that it takes.
    pub input: &'static [Phase],
    /// The phase that it makes; `None`: the one that it was given.
    pub output: Option<Phase>,
    /// What it is for.
    pub role: Role,
    /// One line for people.
    pub summary: &'static str,
    /// What it leaves as it was.
    pub keeps: &'static str,
    /// Whose algorithm it is: author, year.
    pub source: &'static str,
    /// The pass itself.
    pub run: fn(&mut Func, &ModuleInfo) -> Changed,
}
