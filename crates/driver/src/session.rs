//! One compilation's options, source files, names and diagnostics.

use crate::failure::Failure;
use crate::options::{Options, Timing, Warnings};
use crate::times::Times;
use mini_base::names::Names;
use mini_base::source::{FileId, MAX_SOURCE_BYTES, SourceMap};
use mini_diag::diagnostic::{Diagnostic, Diagnostics, Severity};
use mini_syntax::source_text;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which steps have run.
#[derive(Debug, Default)]
pub struct Ran {
    /// `ssa`
    pub ssa: AtomicBool,
    /// `opt`
    pub opt: AtomicBool,
    /// `cssa`
    pub cssa: AtomicBool,
}

/// One compilation. The pipeline reads the options and fills the rest.
#[derive(Debug, Default)]
pub struct Session {
    /// What the user asked for.
    pub options: Options,
    /// The files; the root file is the first.
    pub sources: SourceMap,
    /// The identifiers.
    pub names: Names,
    /// What was found so far.
    pub diagnostics: Diagnostics,
    /// How long the steps took.
    pub times: Times,
    /// Whether `--print-after` has printed something.
    pub printed: AtomicBool,
    /// Which of the steps that options choose the passes of have run on any function.
    pub ran: Ran,
    /// What files hold that are not to be read again.
    pub texts: HashMap<PathBuf, Arc<str>>,
}

impl Session {
    /// A session without files.
    pub fn new(options: Options) -> Session {
        Session { times: Times::new(options.timing), options, ..Session::default() }
    }

    /// A session that compiles the program of another once more: as its files were read then, without times and printing.
    pub fn again(&self) -> Session {
        let options = Options { timing: Timing::Off, print_after: None, only_fn: None, ..self.options.clone() };
        let mut texts = HashMap::new();
        for (_, file) in self.sources.files() {
            texts.entry(file.path.clone()).or_insert_with(|| file.text.clone());
        }
        Session { texts, ..Session::new(options) }
    }

    /// Reads a source file; `-` is standard input. Invalid UTF-8 is an error of the program, everything else that can go wrong one of input.
    pub fn load(&mut self, path: &Path) -> Result<FileId, Failure> {
        if let Some(text) = self.texts.get(path) {
            return self.add(path, text.clone());
        }
        let bytes = read_source(path)?;
        match source_text::decode(&bytes) {
            Ok(text) => self.add(path, text),
            Err(invalid) => {
                let file = self.add(path, invalid.lossy.clone())?;
                self.diagnostics.push(invalid.diagnostic(self.sources.file(file)));
                Err(Failure::Program)
            }
        }
    }

    /// Whether a file was read before and need not be read again.
    pub fn knows(&self, path: &Path) -> bool {
        self.texts.contains_key(path)
    }

    /// Adds a source text that is there already, under a path for messages.
    pub fn add(&mut self, path: &Path, text: Arc<str>) -> Result<FileId, Failure> {
        self.sources.add(path, text).map_err(|_| too_large(path))
    }

    /// Fails if there are errors so far, or warnings where `-D warnings` holds.
    pub fn refuse_errors(&self) -> Result<(), Failure> {
        let denied = self.options.warnings == Warnings::Deny && !self.diagnostics.is_empty();
        if denied || self.diagnostics.has_errors() { Err(Failure::Program) } else { Ok(()) }
    }

    /// Takes the diagnostics, in source order. Warnings that `-D warnings` denies are errors.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.diagnostics).into_sorted();
        if self.options.warnings == Warnings::Deny {
            for diagnostic in &mut found {
                diagnostic.severity = Severity::Error;
            }
        }
        found
    }
}

/// Whether a file holds textual IR, by its name.
pub fn is_textual_ir(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ir")
}

/// Whether a file on the command line means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file that may also be a pipe or a device. Never reads more than a source may have.
fn read_source(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Failure::Io(format!("can't read `{}`: there is no such file", path.display())),
        ErrorKind::IsADirectory => Failure::Io(format!("can't read `{}`: it is a directory", path.display())),
        _ => Failure::Io(format!("can't read `{}`: {}", path.display(), reason(&error))),
    };
    if is_standard_input(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        return if bytes.len() > MAX_SOURCE_BYTES { Err(too_large(path)) } else { Ok(bytes) };
    }
    let file = File::open(path).map_err(failed)?;
    let meta = file.metadata().map_err(failed)?;
    if meta.is_file() && meta.len() > MAX_SOURCE_BYTES as u64 {
        return Err(too_large(path));
    }
    // One byte more than there should be, so that the end is seen without growing the buffer.
    let mut bytes = Vec::with_capacity(if meta.is_file() { meta.len() as usize + 1 } else { 0 });
    file.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > MAX_SOURCE_BYTES { Err(too_large(path)) } else { Ok(bytes) }
}

fn too_large(path: &Path) -> Failure {
    Failure::Io(format!(
        "can't compile `{}`: the sources are larger than {} MiB together",
        path.display(),
        MAX_SOURCE_BYTES >> 20
    ))
}

/// The system's words for an error, without Rust's `(os error 28)`.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(at) => text[..at].to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_read_names_the_file_and_the_reason() {
        let mut session = Session::new(Options::default());
        let missing = session.load(Path::new("no/such.mini")).expect_err("missing");
        assert_eq!(missing, Failure::Io("can't read `no/such.mini`: there is no such file".into()));
        let folder = session.load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect_err("a folder");
        assert!(matches!(folder, Failure::Io(text) if text.ends_with("it is a directory")));
    }

    #[test]
    fn system_errors_lose_their_number() {
        assert_eq!(reason(&std::io::Error::from_raw_os_error(28)), "No space left on device");
    }
}
