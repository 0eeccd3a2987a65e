//! What a user can ask of the compiler: one enum an option, and the alternatives that are planned but not there.
//!
//! An option that has no meaning yet is refused by name, never ignored: [`choose`] knows the planned alternatives of
//! each option and says which ones are available instead.

use mini_base::near;
use std::ffi::OsString;
use std::num::NonZeroUsize;

/// An option with named alternatives.
pub trait Choice: Sized + Copy + 'static {
    /// The option's name on the command line, with its dashes.
    const OPTION: &'static str;
    /// What can be chosen, the default first.
    const AVAILABLE: &'static [(&'static str, Self)];
    /// What the design has but this version has not.
    const PLANNED: &'static [&'static str];
}

/// The alternative of that name, or one line that says what is there instead. Files and passes have names with `_`: that is
/// taken for `-`.
pub fn choose<C: Choice>(name: &str) -> Result<C, String> {
    let name = &*name.replace('_', "-");
    if let Some(&(_, choice)) = C::AVAILABLE.iter().find(|(n, _)| *n == name) {
        return Ok(choice);
    }
    let available: Vec<&str> = C::AVAILABLE.iter().map(|(n, _)| *n).collect();
    if C::PLANNED.contains(&name) {
        return Err(format!("`{} {name}` is not available yet; available: {}", C::OPTION, available.join(", ")));
    }
    let hint = near::hint(name, available.iter().copied().chain(C::PLANNED.iter().copied()));
    Err(format!("`{}` knows no `{name}`{hint}; available: {}", C::OPTION, available.join(", ")))
}

/// The level of optimisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// What was written, nothing removed.
    O0,
    /// What costs next to nothing: copies, constants, identities, dead code.
    O1,
    /// Everything.
    #[default]
    O2,
}

impl Choice for Level {
    const OPTION: &'static str = "-O";
    const AVAILABLE: &'static [(&'static str, Self)] = &[("2", Level::O2), ("1", Level::O1), ("0", Level::O0)];
    const PLANNED: &'static [&'static str] = &[];
}

/// How SSA form is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SsaConstruction {
    /// Cytron et al. with liveness: no dead block parameters.
    #[default]
    Pruned,
    /// Cytron et al., for variables that live across a block boundary (Briggs et al.).
    SemiPruned,
    /// Cytron et al. without liveness.
    Minimal,
    /// Pruned, renamed by chains of reaching definitions.
    ReachingDef,
    /// Braun et al.: on the fly, without dominators.
    Braun,
    /// Variables in stack slots, and those promoted.
    Mem2Reg,
}

impl Choice for SsaConstruction {
    const OPTION: &'static str = "--ssa";
    const AVAILABLE: &'static [(&'static str, Self)] = &[
        ("pruned", SsaConstruction::Pruned),
        ("semi-pruned", SsaConstruction::SemiPruned),
        ("minimal", SsaConstruction::Minimal),
        ("reaching-def", SsaConstruction::ReachingDef),
        ("braun", SsaConstruction::Braun),
        ("mem2reg", SsaConstruction::Mem2Reg),
    ];
    const PLANNED: &'static [&'static str] = &[];
}

/// Which algorithm finds the dominators that are printed. The compilation itself takes semi-NCA.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dominators {
    /// Semidominators, and nearest common ancestors in the tree so far.
    #[default]
    SemiNca,
    /// Iteration over reverse postorder (Cooper, Harvey and Kennedy).
    Chk,
    /// Sets of dominators, by iteration over reverse postorder; not for large functions.
    Iterative,
    /// Semidominators and buckets.
    LengauerTarjan,
}

impl Choice for Dominators {
    const OPTION: &'static str = "--dominators";
    const AVAILABLE: &'static [(&'static str, Self)] = &[
        ("semi-nca", Dominators::SemiNca),
        ("chk", Dominators::Chk),
        ("iterative", Dominators::Iterative),
        ("lengauer-tarjan", Dominators::LengauerTarjan),
    ];
    const PLANNED: &'static [&'static str] = &[];
}

/// Which algorithm finds the dominance frontiers that are printed, and whose sets `emit placement` works with. The compilation itself
/// needs none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Frontier {
    /// The runner's walk from each join's predecessors.
    #[default]
    Runner,
    /// The DJ graph and levels.
    Dj,
}

impl Choice for Frontier {
    const OPTION: &'static str = "--frontier";
    const AVAILABLE: &'static [(&'static str, Self)] = &[("runner", Frontier::Runner), ("dj", Frontier::Dj)];
    const PLANNED: &'static [&'static str] = &[];
}

/// Which algorithm finds the live values that are printed. The compilation itself takes paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Liveness {
    /// One value at a time, backwards from its uses.
    #[default]
    Paths,
    /// Sets of values, by iteration; not for large functions.
    Iterative,
}

impl Choice for Liveness {
    const OPTION: &'static str = "--liveness";
    const AVAILABLE: &'static [(&'static str, Self)] =
        &[("paths", Liveness::Paths), ("iterative", Liveness::Iterative)];
    const PLANNED: &'static [&'static str] = &[];
}

/// How SSA form is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Destruction {
    /// Conventional SSA by isolating copies, which the register allocator makes cheap.
    #[default]
    Cssa,
    /// The same, then copies whose sides can share a place are removed.
    Coalesce,
    /// Phis as assignments one after another: wrong on purpose, for teaching. The functions are in TAC then.
    Naive,
}

impl Destruction {
    /// Whether what it makes does what the program says. One that does not is there to be looked at.
    pub fn is_sound(self) -> bool {
        match self {
            Destruction::Cssa | Destruction::Coalesce => true,
            Destruction::Naive => false,
        }
    }
}

impl Choice for Destruction {
    const OPTION: &'static str = "--destruct";
    const AVAILABLE: &'static [(&'static str, Self)] =
        &[("cssa", Destruction::Cssa), ("coalesce", Destruction::Coalesce), ("naive", Destruction::Naive)];
    const PLANNED: &'static [&'static str] = &[];
}

/// Who gives values their registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegisterAllocation {
    /// Linear scan over live intervals.
    #[default]
    LinearScan,
    /// Every value lives in memory: slow code that is easy to trust.
    SpillEverything,
}

impl Choice for RegisterAllocation {
    const OPTION: &'static str = "--regalloc";
    const AVAILABLE: &'static [(&'static str, Self)] =
        &[("linear-scan", RegisterAllocation::LinearScan), ("spill-everything", RegisterAllocation::SpillEverything)];
    const PLANNED: &'static [&'static str] = &[];
}

/// How joins are written in textual SSA.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SsaStyle {
    /// Block parameters.
    #[default]
    Params,
    /// Phi functions.
    Phi,
}

impl Choice for SsaStyle {
    const OPTION: &'static str = "--ssa-style";
    const AVAILABLE: &'static [(&'static str, Self)] = &[("params", SsaStyle::Params), ("phi", SsaStyle::Phi)];
    const PLANNED: &'static [&'static str] = &[];
}

/// What a build writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Output {
    /// An executable.
    #[default]
    Executable,
    /// A relocatable object file.
    Object,
    /// Assembly text.
    Assembly,
    /// A header for C programs.
    Header,
}

impl Choice for Output {
    const OPTION: &'static str = "--emit";
    const AVAILABLE: &'static [(&'static str, Self)] =
        &[("exe", Output::Executable), ("obj", Output::Object), ("asm", Output::Assembly), ("header", Output::Header)];
    const PLANNED: &'static [&'static str] = &[];
}

impl Output {
    /// Whether it is a part of a program whose `main` may be C's.
    pub fn is_for_c(self) -> bool {
        match self {
            Output::Object | Output::Header => true,
            Output::Executable | Output::Assembly => false,
        }
    }
}

/// How diagnostics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ErrorFormat {
    /// With the source, for people.
    #[default]
    Rich,
    /// One line each, for scripts and editors.
    Short,
    /// A line for each and its notes, without excerpts.
    Plain,
    /// One JSON object a line.
    Json,
}

impl Choice for ErrorFormat {
    const OPTION: &'static str = "--error-format";
    const AVAILABLE: &'static [(&'static str, Self)] = &[
        ("rich", ErrorFormat::Rich),
        ("short", ErrorFormat::Short),
        ("plain", ErrorFormat::Plain),
        ("json", ErrorFormat::Json),
    ];
    const PLANNED: &'static [&'static str] = &[];
}

/// Whether messages are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Choice for Color {
    const OPTION: &'static str = "--color";
    const AVAILABLE: &'static [(&'static str, Self)] =
        &[("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];
    const PLANNED: &'static [&'static str] = &[];
}

/// Whether each step's result is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verify {
    /// By the verifier after each step, and by the allocation checker.
    EachStep,
    /// Trusted.
    No,
}

impl Default for Verify {
    fn default() -> Self {
        if cfg!(debug_assertions) { Verify::EachStep } else { Verify::No }
    }
}

/// Whether warnings are errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Warnings {
    /// They are shown.
    #[default]
    Show,
    /// They refuse the program (`-D warnings`).
    Deny,
}

/// Whether the time of each step is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Timing {
    /// No.
    #[default]
    Off,
    /// A table on stderr at the end (`--time-passes`).
    EachStep,
}

/// All options that change what the compiler does or prints.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// From SSA to better SSA.
    pub level: Level,
    /// Into SSA.
    pub ssa: SsaConstruction,
    /// Dominators, where they are printed.
    pub dominators: Dominators,
    /// Dominance frontiers, where they are printed; `None` if none was named, for what can do without them.
    pub frontier: Option<Frontier>,
    /// Liveness, where it is printed.
    pub liveness: Liveness,
    /// Out of SSA.
    pub destruction: Destruction,
    /// Registers.
    pub registers: RegisterAllocation,
    /// SSA as text.
    pub ssa_style: SsaStyle,
    /// Checking the compiler itself.
    pub verify: Verify,
    /// Warnings.
    pub warnings: Warnings,
    /// Times.
    pub timing: Timing,
    /// Steps whose result is printed to stderr: a name of the pipeline's table, the pass that `opt` runs, or `all`.
    pub print_after: Option<String>,
    /// Restricts `print_after` to one function of the program.
    pub only_fn: Option<String>,
    /// What is made.
    pub output: Output,
    /// For the C compiler that links a program with C functions: files, libraries, options.
    pub link: Vec<OsString>,
    /// Threads; `None` is as many as there are processors.
    pub jobs: Option<NonZeroUsize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planned_and_unknown_alternatives_are_told_apart() {
        assert!(choose::<SsaConstruction>("pruned").is_ok());
        let planned = choose::<crate::interpret::Phase>("mir").expect_err("planned");
        assert_eq!(planned, "`--phase mir` is not available yet; available: tac, ssa, opt, cssa");
        let unknown = choose::<RegisterAllocation>("linear-scam").expect_err("unknown");
        assert_eq!(
            unknown,
            "`--regalloc` knows no `linear-scam`; did you mean `linear-scan`?; available: linear-scan, spill-everything"
        );
    }
}
