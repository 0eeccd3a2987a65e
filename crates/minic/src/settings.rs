//! From parsed arguments to the driver's options.

use clap::ArgMatches;
use clap::parser::ValueSource;
use mini_driver::checks;
use mini_driver::failure::Failure;
use mini_driver::options::{Choice, Color, ErrorFormat, Options, Output, Timing, Verify, Warnings, choose};
use mini_driver::passes;
use mini_driver::session::{Ran, Session};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the shared options of a command say.
pub struct Settings {
    /// For the compiler.
    pub options: Options,
    /// For diagnostics.
    pub format: ErrorFormat,
    /// For diagnostics.
    pub color: Color,
}

/// Reads the options of a command; those that it has not are as by default.
pub fn read(command: &str, arguments: &ArgMatches) -> Result<Settings, Failure> {
    let flag = |name: &str| matches!(arguments.try_get_one::<bool>(name), Ok(Some(true)));
    let text = |name: &str| arguments.try_get_one::<String>(name).ok().flatten().cloned();
    let options = Options {
        level: choice(arguments)?,
        ssa: choice(arguments)?,
        dominators: choice(arguments)?,
        frontier: if is_given(arguments, "frontier") { chosen(arguments)? } else { None },
        liveness: choice(arguments)?,
        destruction: choice(arguments)?,
        registers: choice(arguments)?,
        ssa_style: choice(arguments)?,
        verify: if flag("verify") { Verify::EachStep } else { Verify::default() },
        warnings: if text("deny").is_some() { Warnings::Deny } else { Warnings::Show },
        timing: if flag("time-passes") { Timing::EachStep } else { Timing::Off },
        print_after: text("print-after"),
        only_fn: text("only-fn"),
        output: Output::default(),
        link: arguments
            .try_get_many::<OsString>("link")
            .ok()
            .flatten()
            .map(|l| l.cloned().collect())
            .unwrap_or_default(),
        jobs: arguments.try_get_one::<u16>("jobs").ok().flatten().and_then(|&n| NonZeroUsize::new(n.into())),
    };
    let passes = passes::names();
    checks::check_print_after(&options, (command == "opt").then_some(&passes))?;
    if is_given(arguments, "ssa-style") && options.print_after.is_none() && !["emit", "opt"].contains(&command) {
        return Err(Failure::Usage("`--ssa-style` has no effect here without `--print-after`".into()));
    }
    Ok(Settings { options, format: choice(arguments)?, color: choice(arguments)? })
}

/// Refuses options that chose the passes of a step that did not run on any function.
pub fn check_effects(command: &str, arguments: &ArgMatches, session: &Session) -> Result<(), Failure> {
    let Ran { ssa, opt, cssa } = &session.ran;
    let refused = |option: &str, ran: &AtomicBool| is_given(arguments, option) && !ran.load(Ordering::Relaxed);
    // Whoever builds says which level is meant, whatever there is to optimise.
    let level = refused("O", opt) && command == "interp";
    let reason = match command {
        "interp" => {
            "without a `--phase` behind that step the interpreter runs the program as it was lowered or written"
        }
        _ => "all functions are beyond that step already",
    };
    let found = [("--ssa", refused("ssa", ssa)), ("-O", level), ("--destruct", refused("destruct", cssa))];
    match found.iter().find(|(_, refused)| *refused) {
        Some((option, _)) => Err(Failure::Usage(format!("`{option}` has no effect here: {reason}"))),
        None => Ok(()),
    }
}

/// The alternative that an option names, or its default; also for a command that has not got the option.
pub fn choice<C: Choice + Default>(arguments: &ArgMatches) -> Result<C, Failure> {
    Ok(chosen(arguments)?.unwrap_or_default())
}

/// The alternative that an option names or has as its default value.
pub fn chosen<C: Choice>(arguments: &ArgMatches) -> Result<Option<C>, Failure> {
    match arguments.try_get_one::<String>(C::OPTION.trim_start_matches('-')) {
        Ok(Some(text)) => choose(text).map(Some).map_err(Failure::Usage),
        Ok(None) | Err(_) => Ok(None),
    }
}

/// Whether an option stands on the command line.
pub fn is_given(arguments: &ArgMatches, name: &str) -> bool {
    arguments.try_contains_id(name).is_ok() && arguments.value_source(name) == Some(ValueSource::CommandLine)
}
