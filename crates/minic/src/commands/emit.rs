//! `minic emit STAGE FILE [--fn NAME]`

use super::Shown;
use crate::output;
use clap::ArgMatches;
use mini_driver::emit;
use mini_driver::failure::Failure;
use std::path::PathBuf;

/// Compiles up to a stage and prints it.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let stage = emit::stage(arguments.get_one::<String>("stage").expect("clap requires it"))?;
    let source = arguments.get_one::<PathBuf>("file").expect("clap requires it");
    let function = arguments.get_one::<String>("fn").map(String::as_str);
    let (text, _) =
        super::with_session(arguments, source, Shown::All, |session| emit::emit(session, source, stage, function))?;
    output::print(text.as_bytes())?;
    Ok(0)
}
