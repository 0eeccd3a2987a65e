//! From parsed arguments to the driver's options.

use clap::ArgMatches;
use mini_driver::failure::Failure;
use mini_driver::options::{Choice, Color, ErrorFormat, Level, Options, Timing, Verify, Warnings, choose};
use mini_driver::pipeline;
use std::num::NonZeroUsize;

/// What the shared options of a command say.
pub struct Settings {
    /// For the compiler.
    pub options: Options,
    /// For diagnostics.
    pub format: ErrorFormat,
    /// For diagnostics.
    pub color: Color,
}

/// Reads the shared options.
pub fn read(arguments: &ArgMatches) -> Result<Settings, Failure> {
    let is_set = |name: &str| arguments.get_flag(name);
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let print_after = text("print-after");
    if let Some(step) = &print_after {
        pipeline::check_step_name(step)?;
    }
    let options = Options {
        level: match arguments.get_one::<String>("level").map(String::as_str) {
            Some("0") => Level::O0,
            Some("1") => Level::O1,
            _ => Level::O2,
        },
        ssa: choice(arguments, "ssa")?,
        dominators: choice(arguments, "dominators")?,
        frontier: choice(arguments, "frontier")?,
        destruction: choice(arguments, "destruct")?,
        registers: choice(arguments, "regalloc")?,
        ssa_style: choice(arguments, "ssa-style")?,
        verify: if is_set("verify") { Verify::EachStep } else { Verify::default() },
        warnings: if arguments.contains_id("deny") { Warnings::Deny } else { Warnings::Show },
        timing: if is_set("time-passes") { Timing::EachStep } else { Timing::Off },
        print_after,
        only_fn: text("only-fn"),
        jobs: arguments.get_one::<u16>("jobs").and_then(|&n| NonZeroUsize::new(n.into())),
    };
    Ok(Settings { options, format: choice(arguments, "error-format")?, color: choice(arguments, "color")? })
}

/// The alternative that an option names, or its default.
pub fn choice<C: Choice + Default>(arguments: &ArgMatches, name: &str) -> Result<C, Failure> {
    match arguments.get_one::<String>(name) {
        Some(text) => choose(text).map_err(Failure::Usage),
        None => Ok(C::default()),
    }
}
