//! `minic check FILE`

use super::Shown;
use clap::ArgMatches;
use mini_driver::failure::Failure;
use mini_driver::pipeline;
use std::path::PathBuf;

/// Reads and checks the program; the diagnostics are the result.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let source = arguments.get_one::<PathBuf>("file").expect("clap requires it");
    super::with_session("check", arguments, source, Shown::All, |session| pipeline::check_file(session, source))?;
    Ok(0)
}
