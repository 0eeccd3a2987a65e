//! Programs that must be rejected: the lines that carry errors, and the exact short form for the project's own cases.

use crate::golden;
use crate::stages::without_folder;
use mini_diag::diagnostic::{Diagnostic, Severity};
use mini_diag::{json, plain, rich, short};
use mini_driver::failure::Failure;
use mini_driver::options::Options;
use mini_driver::pipeline;
use mini_driver::session::Session;
use std::path::Path;

/// Every wanted line carries an error with its text, and no other line carries one.
pub fn check_lines(source: &Path, wanted: &[(u32, String)]) -> Result<(), String> {
    let (session, found) = diagnostics(source)?;
    let errors: Vec<(u32, String)> = found
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| {
            let line = session.sources.locate(d.span.start).map_or(0, |(_, at)| at.line);
            (line, short::render(std::slice::from_ref(d), &session.sources))
        })
        .collect();
    for (line, text) in wanted {
        let on_line: Vec<&String> = errors.iter().filter(|(l, _)| l == line).map(|(_, t)| t).collect();
        if on_line.is_empty() {
            return Err(format!("no error on line {line}; errors: {errors:?}"));
        }
        if !on_line.iter().any(|t| t.to_lowercase().contains(&text.to_lowercase())) {
            return Err(format!("no error on line {line} contains {text:?}: {on_line:?}"));
        }
    }
    match errors.iter().find(|(line, _)| !wanted.iter().any(|(l, _)| l == line)) {
        Some(extra) => Err(format!("an error that is not wanted: {extra:?}")),
        None => Ok(()),
    }
}

/// The short form is exactly that of `NAME.short`, or, where there is a `NAME.plain`, the plain form (with notes and advice) is
/// exactly that; the other forms can be made.
pub fn check_text(source: &Path) -> Result<(), String> {
    let (session, found) = diagnostics(source)?;
    for form in [
        rich::render(&found, &session.sources, rich::Colours::Off),
        rich::render(&found, &session.sources, rich::Colours::On),
        json::render(&found, &session.sources),
    ] {
        if form.is_empty() != found.is_empty() {
            return Err("one of the forms shows nothing".into());
        }
    }
    let with_advice = source.with_extension("plain");
    match with_advice.exists() {
        true => golden::check(&with_advice, &without_folder(source, &plain::render(&found, &session.sources))),
        false => golden::check(
            &source.with_extension("short"),
            &without_folder(source, &short::render(&found, &session.sources)),
        ),
    }
}

/// Checks a program and gives its diagnostics. Anything but errors in the program fails.
fn diagnostics(source: &Path) -> Result<(Session, Vec<Diagnostic>), String> {
    let mut session = Session::new(Options::default());
    match pipeline::check_file(&mut session, source) {
        Ok(()) | Err(Failure::Program) => {}
        Err(other) => return Err(format!("{other:?}")),
    }
    let found = session.take_diagnostics();
    Ok((session, found))
}
