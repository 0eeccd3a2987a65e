//! `minic opt FILE.ir [--passes a,b,c]`: textual IR in, passes, textual IR out. Without passes it checks and prints what it read.

use super::Shown;
use crate::output;
use clap::ArgMatches;
use mini_driver::emit;
use mini_driver::failure::Failure;
use std::path::PathBuf;

/// Reads, verifies, runs the passes, prints.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let path = arguments.get_one::<PathBuf>("file").expect("clap requires it");
    let passes: Vec<&str> = arguments.get_many::<String>("passes").into_iter().flatten().map(String::as_str).collect();
    let (text, _) = super::with_session("opt", arguments, path, Shown::All, |session| {
        emit::optimise_text(session, path, &passes.join(","))
    })?;
    output::print(text.as_bytes())?;
    Ok(0)
}
