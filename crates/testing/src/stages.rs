//! Printed stages: `tests/stages/NAME.mini` names stages in its first line, `// emit: tac ssa`, and `NAME.STAGE` holds each.

use crate::golden;
use mini_driver::emit;
use mini_driver::options::Options;
use mini_driver::session::Session;
use std::fs;
use std::path::Path;

/// Compares every stage that the first line names.
pub fn check(source: &Path) -> Result<(), String> {
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let stages = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// emit: "))
        .ok_or("the first line is not `// emit: STAGE…`")?;
    let mut trouble = Vec::new();
    for name in stages.split_whitespace() {
        let got = stage(source, name)?;
        if let Err(difference) = golden::check(&source.with_extension(name), &got) {
            trouble.push(difference);
        }
    }
    if trouble.is_empty() { Ok(()) } else { Err(trouble.join("\n")) }
}

fn stage(source: &Path, name: &str) -> Result<String, String> {
    let stage = emit::stage(name).map_err(|failure| format!("{failure:?}"))?;
    let mut session = Session::new(Options::default());
    let text = emit::emit(&mut session, source, stage, None).map_err(|failure| format!("{name}: {failure:?}"))?;
    Ok(without_folder(source, &text))
}

/// The text without the folder of the source, which depends on where the project is.
pub fn without_folder(source: &Path, text: &str) -> String {
    let folder = source.parent().map_or(String::new(), |p| format!("{}/", p.display()));
    text.replace(&folder, "")
}
