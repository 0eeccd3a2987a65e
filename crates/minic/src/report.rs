//! What goes to stderr: diagnostics, times, failures of the command, bugs of the compiler.

use anstream::ColorChoice;
use mini_diag::{json, plain, rich, short};
use mini_driver::bug::Bug;
use mini_driver::emit;
use mini_driver::failure::Failure;
use mini_driver::options::{Color, ErrorFormat};
use mini_driver::session::Session;
use std::io::{self, Write};
use std::path::Path;

/// Shows the session's diagnostics.
pub fn diagnostics(session: &mut Session, format: ErrorFormat, color: Color) {
    let found = session.take_diagnostics();
    if found.is_empty() {
        return;
    }
    let text = match format {
        ErrorFormat::Rich => rich::render(&found, &session.sources, colours(color)),
        ErrorFormat::Short => short::render(&found, &session.sources),
        ErrorFormat::Plain => plain::render(&found, &session.sources),
        ErrorFormat::Json => json::render(&found, &session.sources),
    };
    to_stderr(&text);
}

fn colours(color: Color) -> rich::Colours {
    let on = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never,
    };
    if on { rich::Colours::On } else { rich::Colours::Off }
}

/// Shows how long the steps took, if that was asked for.
pub fn times(session: &Session) {
    if let Some(table) = session.times.table() {
        to_stderr(&table);
    }
}

/// Shows how many operations an interpreter executed, if that was asked for.
pub fn counts(text: &str) {
    to_stderr(text);
}

/// Shows why there is no result. Errors of the program have been shown as diagnostics, bugs by [`bug`].
pub fn failure(failure: &Failure) {
    match failure {
        Failure::Program | Failure::Bug(_) => {}
        Failure::Text(text) => to_stderr(&format!("{text}\n")),
        Failure::Usage(text) | Failure::Io(text) => to_stderr(&format!("minic: {text}\n")),
    }
}

/// Tells of a bug in the compiler, and saves what the step that has it was given.
pub fn bug(session: &Session, source: &Path, bug: &Bug) {
    let command: Vec<String> = std::env::args_os().map(|a| quoted(&a.to_string_lossy())).collect();
    let given = bug.given.clone().or_else(|| emit::before(session, source, bug));
    to_stderr(&bug_report(bug, &command.join(" "), given.and_then(|ir| save(&ir)).as_deref()));
}

/// The report, in one paragraph.
fn bug_report(bug: &Bug, command: &str, saved: Option<&str>) -> String {
    let send = match saved {
        Some(path) => format!("What the step was given is in {path}; please send it along with the report."),
        None => "Please send the source file along with the report.".to_string(),
    };
    let summary = bug.summary();
    format!("minic: a bug in the compiler, not in your program: {summary}. To reproduce it: {command}. {send}\n")
}

/// A new file in the folder for temporary files, which is kept.
fn save(ir: &str) -> Option<String> {
    let mut file = tempfile::Builder::new().prefix("minic-bug-").suffix(".ir").tempfile().ok()?;
    file.write_all(ir.as_bytes()).ok()?;
    let (_, path) = file.keep().ok()?;
    Some(path.display().to_string())
}

/// An argument as a shell reads it back.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_string()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

fn to_stderr(text: &str) {
    // With stderr closed or full there is nobody to tell; the exit status says it all the same.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use mini_driver::bug::guard;

    #[test]
    fn a_bug_is_one_paragraph_that_names_step_function_command_and_file() {
        let bug = guard("ssa", Some("main"), || -> () { panic!("the invariant is broken") }).expect_err("panics");
        let path = save("func main() {\n}\n").expect("the folder for temporary files can be written");
        let kept = std::fs::read_to_string(&path);
        std::fs::remove_file(&path).expect("it is ours");
        assert_eq!(kept.expect("it was kept"), "func main() {\n}\n");
        let report = bug_report(&bug, "minic build x.mini", Some(&path));
        assert_eq!(report.lines().count(), 1);
        for part in ["step `ssa`, function `main`", "the invariant is broken", "minic build x.mini", path.as_str()] {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert!(bug_report(&bug, "minic", None).contains("send the source file"));
    }

    #[test]
    fn arguments_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("--emit=asm"), "--emit=asm");
        assert_eq!(quoted("it's a file"), "'it'\\''s a file'");
        assert_eq!(quoted(""), "''");
    }
}
