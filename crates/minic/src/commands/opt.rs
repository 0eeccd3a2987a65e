//! `minic opt FILE.ir [--passes a,b,c]`: textual IR in, passes, textual IR out. Without passes it checks and prints what it read.

use super::Shown;
use crate::output;
use clap::ArgMatches;
use mini_driver::emit;
use mini_driver::failure::Failure;
use std::path::{Path, PathBuf};

/// Reads, verifies, runs the passes, prints.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let given = arguments.get_one::<PathBuf>("file").expect("clap requires it");
    let path = if given.as_os_str() == "-" { Path::new("/dev/stdin") } else { given };
    let passes = arguments.get_one::<String>("passes").map_or("", String::as_str);
    let (text, _) =
        super::with_session(arguments, path, Shown::All, |session| emit::optimise_text(session, path, passes))?;
    output::print(text.as_bytes())?;
    Ok(0)
}
