//! `minic completions SHELL`

use crate::{cli, output};
use clap::ArgMatches;
use mini_driver::failure::Failure;

/// Prints the script.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let shell = *arguments.get_one::<clap_complete::Shell>("shell").expect("clap requires it");
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "minic", &mut script);
    output::print(&script)?;
    Ok(0)
}
