//! `minic interp FILE [--phase tac|ssa|cssa] [--count] ARGS…`

use super::Shown;
use clap::ArgMatches;
use mini_driver::failure::Failure;
use mini_driver::interpret::{self, Counting, Phase};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Runs the program by an interpreter; its status is passed through.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let mut program = arguments.get_many::<OsString>("program").expect("clap requires it");
    let source = PathBuf::from(program.next().expect("clap requires the file"));
    let rest: Vec<Vec<u8>> = program.map(|a| a.as_bytes().to_vec()).collect();
    let phase: Option<Phase> = crate::settings::chosen(arguments)?;
    let counting = if arguments.get_flag("count") { Counting::On } else { Counting::Off };
    let (module, session) = super::with_session("interp", arguments, &source, Shown::Errors, |session| {
        interpret::prepare(session, &source, phase)
    })?;
    let (status, counts) = interpret::run_on_streams(&module, &session.sources, rest, counting)?;
    crate::report::counts(&counts);
    Ok(status)
}
