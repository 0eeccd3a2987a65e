//! `minic passes`

use crate::output;
use mini_driver::failure::Failure;
use mini_driver::options::{Choice, Level};
use mini_driver::pipeline;
use mini_pass::registry;

/// Prints the table of steps, then the passes that `minic opt` can run.
pub fn run() -> Result<u8, Failure> {
    let mut text = String::from("The steps of the pipeline, in order:\n\n");
    for step in pipeline::STEPS {
        text += &format!("  {:<9} {:<6} -> {:<6}  {}\n", step.name, step.from, step.to, step.text);
        let mut notes = vec![step.file.to_string()];
        notes.extend(step.pass.map(|pass| format!("pass {pass}")));
        notes.extend(step.option.map(str::to_string));
        text += &format!("  {:<28}{}\n", "", notes.join("; "));
    }
    text += "\nThe passes of the step `opt` at each level, in order:\n\n";
    for (number, level) in Level::AVAILABLE.iter().rev() {
        let passes = pipeline::optimisation(*level);
        let passes = if passes.is_empty() { "none".into() } else { passes.join(", ") };
        text += &format!("  -O{number}       {passes}\n");
    }
    text += "\nThe passes that `minic opt --passes` can run:\n\n";
    text += &registry::describe();
    output::print(text.as_bytes())?;
    Ok(0)
}
