//! The commands, one file each.

mod build; // files
mod check; // diagnostics
mod completions; // for shells
mod emit; // stages
mod explain; // codes
mod interp; // interpreters
mod opt; // passes over textual IR
mod passes; // the list of steps and passes
mod run; // in memory
mod runtime_lib; // for C programs

use crate::report;
use crate::settings::{self, Settings};
use clap::ArgMatches;
use mini_driver::checks;
use mini_driver::failure::Failure;
use mini_driver::session::Session;
use std::path::Path;

/// Runs a command and gives the exit status.
pub fn dispatch(name: &str, arguments: &ArgMatches) -> Result<u8, Failure> {
    match name {
        "run" => run::run(arguments),
        "build" => build::run(arguments),
        "check" => check::run(arguments),
        "emit" => emit::run(arguments),
        "interp" => interp::run(arguments),
        "opt" => opt::run(arguments),
        "passes" => passes::run(),
        "explain" => explain::run(arguments),
        "runtime-lib" => runtime_lib::run(arguments),
        "completions" => completions::run(arguments),
        _ => unreachable!("cli.rs defines no other command"),
    }
}

/// Which diagnostics a command shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// All.
    All,
    /// Errors: stderr belongs to the program that is run.
    Errors,
}

/// A session with the command's options; `work` compiles `source` in it. Diagnostics are shown whatever the outcome.
fn with_session<T>(
    command: &str,
    arguments: &ArgMatches,
    source: &Path,
    shown: Shown,
    work: impl FnOnce(&mut Session) -> Result<T, Failure>,
) -> Result<(T, Session), Failure> {
    let Settings { options, format, color } = settings::read(command, arguments)?;
    let mut session = Session::new(options);
    let outcome = work(&mut session).and_then(|result| {
        checks::check_printed(&session)?;
        settings::check_effects(command, arguments, &session)?;
        Ok(result)
    });
    if shown == Shown::All || outcome.is_err() {
        report::diagnostics(&mut session, format, color);
    }
    report::times(&session);
    if let Err(Failure::Bug(bug)) = &outcome {
        report::bug(&session, source, bug);
    }
    outcome.map(|result| (result, session))
}
