//! What goes to stderr: diagnostics, failures of the command, bugs of the compiler.

use mini_driver::failure::Failure;
use mini_driver::options::{Color, ErrorFormat};
use mini_driver::session::Session;
use std::io::Write;

/// Shows the session's diagnostics.
pub fn diagnostics(session: &mut Session, format: ErrorFormat, color: Color) -> Result<(), Failure> {
    let _ = (format, color);
    let (found, cut) = session.take_diagnostics();
    for d in found {
        eprintln!("{d:?}");
    }
    if cut > 0 {
        eprintln!("… and {cut} more errors");
    }
    Ok(())
}

/// Shows how long the steps took, if that was asked for.
pub fn times(session: &Session) {
    let _ = session;
}

/// Shows why there is no result. Errors of the program have been shown as diagnostics.
pub fn failure(failure: &Failure) {
    let text = match failure {
        Failure::Program => return,
        Failure::Usage(text) | Failure::Io(text) => format!("minic: {text}\n"),
        Failure::Bug(bug) => format!("minic: a bug in the compiler: {}\n", bug.summary()),
    };
    // With stderr closed there is nobody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
