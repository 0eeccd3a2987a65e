//! Running a program by the interpreter, in any phase.

use crate::failure::Failure;
use crate::options::Choice;
use crate::pipeline::{self, Form};
use crate::session::Session;
use mini_base::source::SourceMap;
use mini_interp::host::{Host, WriteError};
use mini_interp::machine::{self, Options};
use mini_interp::outcome::End;
use mini_ir::module::Module;
use mini_lower::program::Extent;
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Instant;

pub use mini_interp::machine::Counting;

/// Which form of the program the interpreter runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// As lowered.
    #[default]
    Tac,
    /// After SSA construction.
    Ssa,
    /// After the passes of the level of optimisation.
    Opt,
    /// After the copies that leaving SSA needs.
    Cssa,
}

impl Phase {
    /// The form in the pipeline.
    pub fn form(self) -> Form {
        match self {
            Phase::Tac => Form::Tac,
            Phase::Ssa => Form::Ssa,
            Phase::Opt => Form::Optimised,
            Phase::Cssa => Form::Cssa,
        }
    }
}

impl Choice for Phase {
    const OPTION: &'static str = "--phase";
    const AVAILABLE: &'static [(&'static str, Self)] =
        &[("tac", Phase::Tac), ("ssa", Phase::Ssa), ("opt", Phase::Opt), ("cssa", Phase::Cssa)];
    const PLANNED: &'static [&'static str] = &["mir"];
}

/// Compiles a program, or reads textual IR, and brings it to a phase. Without one, it stays as it was lowered or written.
pub fn prepare(session: &mut Session, path: &Path, phase: Option<Phase>) -> Result<Module, Failure> {
    match phase {
        None => pipeline::front_end(session, path, Extent::Reachable),
        Some(phase) => pipeline::module_in(session, path, phase.form(), Extent::Reachable),
    }
}

/// Runs on the process's own streams. Gives the exit status, and the counts as text if they were asked for.
pub fn run_on_streams(
    module: &Module,
    sources: &SourceMap,
    arguments: Vec<Vec<u8>>,
    counting: Counting,
) -> Result<(u8, String), Failure> {
    let mut host = Streams { arguments, start: Instant::now() };
    let options = Options { sources: Some(sources), counting, ..Options::default() };
    let outcome = machine::run(module, &mut host, options);
    let report = match counting {
        Counting::On => outcome.counts.to_string(),
        Counting::Off => String::new(),
    };
    match &outcome.end {
        End::Exit(_) | End::RuntimeError(_) | End::StdoutClosed | End::StdoutFailed | End::CallsC(_) => {
            Ok((outcome.status(), report))
        }
        // The interpreter has said on stderr what it was, and where. Only textual IR can do it, so it is an error there.
        End::Undefined(_) => Ok((Failure::Program.status(), report)),
        End::OutOfFuel => unreachable!("no fuel was set"),
        End::Invalid(errors) => {
            let lines: Vec<String> = errors.iter().map(|error| format!("error: {error}")).collect();
            Err(Failure::Text(lines.join("\n")))
        }
    }
}

/// The streams of this process.
struct Streams {
    arguments: Vec<Vec<u8>>,
    start: Instant,
}

impl Host for Streams {
    fn write_stdout(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => WriteError::Closed,
            _ => WriteError::Other,
        })
    }

    fn write_stderr(&mut self, bytes: &[u8]) {
        // With stderr closed there is nobody to tell.
        let _ = io::stderr().lock().write_all(bytes);
    }

    fn read_stdin(&mut self, buffer: &mut [u8]) -> usize {
        loop {
            match io::stdin().lock().read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => return result.unwrap_or(0),
            }
        }
    }

    fn read_file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        std::fs::read(OsStr::from_bytes(path)).ok()
    }

    fn write_file(&mut self, path: &[u8], data: &[u8]) -> bool {
        std::fs::write(OsStr::from_bytes(path), data).is_ok()
    }

    fn args(&mut self) -> Vec<Vec<u8>> {
        self.arguments.clone()
    }

    fn clock_ns(&mut self) -> i64 {
        i64::try_from(self.start.elapsed().as_nanos()).unwrap_or(i64::MAX)
    }
}
