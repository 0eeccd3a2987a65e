//! `minic runtime-lib OUT.a`: the run-time library, to be linked into C programs.

use crate::output::{self, Executable};
use clap::ArgMatches;
use mini_driver::failure::Failure;
use mini_driver::pipeline;
use mini_driver::session::is_standard_input;
use std::path::PathBuf;

/// Writes the archive.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let target = arguments.get_one::<PathBuf>("output").expect("clap requires it");
    let archive = pipeline::runtime_library();
    match is_standard_input(target) {
        true => output::print(&archive)?,
        false => output::write_file(target, &archive, Executable::No)?,
    }
    Ok(0)
}
