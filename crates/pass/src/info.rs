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

/// Whether the pipeline needs a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Required {
    /// Without it the function never reaches the phase that comes next.
    Yes,
    /// It can be left out (`--disable`).
    No,
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
    /// Whether the pipeline needs it.
    pub required: Required,
    /// One line for people.
    pub summary: &'static str,
    /// What it leaves as it was.
    pub keeps: &'static str,
    /// Whose algorithm it is: author, year.
    pub source: &'static str,
    /// The pass itself.
    pub run: fn(&mut Func, &ModuleInfo) -> Changed,
}
