//! `minic emit STAGE FILE [--fn NAME]`

use super::Shown;
use crate::output;
use crate::settings::is_given;
use clap::ArgMatches;
use mini_driver::emit::{self, Stage};
use mini_driver::failure::Failure;
use std::path::{Path, PathBuf};

/// Compiles up to a stage and prints it. Tokens and trees are printed in spite of errors, which are the status all the same.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let given = arguments.get_one::<String>("stage").expect("clap requires it");
    let source = arguments.get_one::<PathBuf>("file").expect("clap requires it");
    let stage = emit::stage(given).map_err(|failure| swapped(given, source).unwrap_or(failure))?;
    refuse_options_without_effect(arguments, given, stage)?;
    let function = arguments.get_one::<String>("fn").map(String::as_str);
    let (outcome, _) = super::with_session("emit", arguments, source, Shown::All, |session| {
        let text = emit::emit(session, source, stage, function)?;
        Ok((text, session.refuse_errors()))
    })?;
    let (text, errors) = outcome;
    output::print(text.as_bytes())?;
    errors.map(|()| 0)
}

/// What to say if the file stands where the stage belongs.
fn swapped(given: &str, source: &Path) -> Option<Failure> {
    let stage = source.to_str().filter(|name| emit::stage(name).is_ok())?;
    Some(Failure::Usage(format!("the stage comes before the file: `minic emit {stage} {given}`")))
}

/// Options that choose how something is done that is not done for this stage.
fn refuse_options_without_effect(arguments: &ArgMatches, name: &str, stage: Stage) -> Result<(), Failure> {
    let printed_on_the_way = arguments.contains_id("print-after");
    for (option, has_effect) in [
        ("dominators", matches!(stage, Stage::Dom | Stage::Frontier | Stage::Placement)),
        ("frontier", matches!(stage, Stage::Frontier | Stage::Placement)),
        ("liveness", stage == Stage::Liveness),
        ("ssa-style", printed_on_the_way || matches!(stage, Stage::Ssa | Stage::Opt | Stage::Cssa)),
        ("regalloc", matches!(stage, Stage::Intervals | Stage::Alloc | Stage::Asm)),
        ("ssa", stage >= Stage::Ssa),
        ("destruct", stage >= Stage::Cssa),
    ] {
        if is_given(arguments, option) && !has_effect {
            return Err(Failure::Usage(format!("`--{option}` has no effect on the stage `{name}`")));
        }
    }
    Ok(())
}
