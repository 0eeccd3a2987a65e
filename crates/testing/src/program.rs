//! Whole programs, in every mode there is: the interpreter on TAC, and for every way into SSA, every level of optimisation and every sound way out of SSA on
//! SSA, conventional SSA and TAC again; native code by every register allocator; native code with a collection at every allocation, where
//! the program is small. What comes out must be the same.
//!
//! On the way the verifier sees every function after every step, the checker judges every allocation, and the text of every
//! phase is read back.

use crate::case::Run;
use crate::judge::judge;
use crate::process::{self, End, Outcome};
use crate::textual::round_trip;
use mini_driver::failure::Failure;
use mini_driver::options::{Choice, Destruction, Level, Options, Output, RegisterAllocation, SsaConstruction, Verify};
use mini_driver::pipeline::{self, Extent, Form};
use mini_driver::session::Session;
use mini_interp::host::MemoryHost;
use mini_interp::machine::{self, Counting};
use mini_interp::outcome;
use mini_ir::module::Module;
use mini_ir::text::{SsaStyle, print_module};
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long an executable may run.
const TIME: Duration = Duration::from_secs(40);
/// How long an executable must run that must not end.
const ENDLESS: Duration = Duration::from_secs(1);
/// Jumps and calls after which an interpreter is stopped.
const FUEL: u64 = 400_000_000;
/// Jumps and calls after which a program counts as running for ever.
const ENDLESS_FUEL: u64 = 3_000_000;
/// Programs of more executed operations are too slow for a collection at every allocation.
const SMALL: u64 = 300_000;

/// Runs a program in every mode and compares.
pub fn check(source: &Path, run: &Run) -> Result<(), String> {
    let mut session = Session::new(Options { verify: Verify::EachStep, ..Options::default() });
    let tac = pipeline::front_end(&mut session, source, Extent::All)
        .map_err(|failure| tell("front end", &failure, &mut session))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut modes = Modes { session, run, folder: folder.path(), seen: HashSet::new(), operations: 0 };
    modes.interpret("TAC", &tac)?;
    for &(into, construction) in SsaConstruction::AVAILABLE {
        modes.session.options.ssa = construction;
        let mut ssa = tac.clone();
        modes.advance(&format!("--ssa {into}"), &mut ssa, [Form::Tac, Form::Ssa])?;
        modes.interpret(&format!("--ssa {into}, SSA"), &ssa)?;
        for &(number, level) in Level::AVAILABLE {
            modes.session.options.level = level;
            let (mut optimised, mode) = (ssa.clone(), format!("-O{number} --ssa {into}"));
            modes.advance(&mode, &mut optimised, [Form::Ssa, Form::Optimised])?;
            modes.interpret(&format!("{mode}, optimised"), &optimised)?;
            modes.out_of_ssa(&mode, &optimised)?;
        }
    }
    Ok(())
}

/// Whether a module is one that was not run before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    Yes,
    No,
}

/// What is kept from mode to mode. Two modes that make the same text are one: it is run once.
struct Modes<'a> {
    session: Session,
    run: &'a Run,
    folder: &'a Path,
    seen: HashSet<Vec<u8>>,
    operations: u64,
}

impl Modes<'_> {
    fn advance(&mut self, mode: &str, module: &mut Module, [from, to]: [Form; 2]) -> Result<(), String> {
        pipeline::advance(&self.session, module, from, to).map_err(|failure| tell(mode, &failure, &mut self.session))
    }

    fn out_of_ssa(&mut self, mode: &str, ssa: &Module) -> Result<(), String> {
        for &(out, destruction) in Destruction::AVAILABLE.iter().filter(|(_, destruction)| destruction.is_sound()) {
            self.session.options.destruction = destruction;
            let (mut cssa, mode) = (ssa.clone(), format!("{mode} --destruct {out}"));
            self.advance(&mode, &mut cssa, [Form::Optimised, Form::Cssa])?;
            if self.interpret(&format!("{mode}, CSSA"), &cssa)? == News::Yes {
                self.leave_ssa(&mode, cssa.clone())?;
                self.execute(&mode, &mut cssa)?;
            }
        }
        Ok(())
    }

    fn leave_ssa(&mut self, mode: &str, mut module: Module) -> Result<(), String> {
        pipeline::leave_ssa(&self.session, &mut module).map_err(|failure| tell(mode, &failure, &mut self.session))?;
        self.interpret(&format!("{mode}, out of SSA"), &module).map(|_| ())
    }

    fn interpret(&mut self, mode: &str, module: &Module) -> Result<News, String> {
        let text = print_module(module, SsaStyle::Params);
        if !self.seen.insert(text.into_bytes()) {
            return Ok(News::No);
        }
        let because = |trouble: String| format!("{mode} interpreter: {trouble}");
        round_trip(module).map_err(because)?;
        let (outcome, operations) = interpret(&self.session, module, self.run);
        judge(self.run, &outcome).map_err(because)?;
        self.operations = operations;
        Ok(News::Yes)
    }

    /// Builds and runs by both allocators.
    fn execute(&mut self, mode: &str, module: &mut Module) -> Result<(), String> {
        for &(name, registers) in RegisterAllocation::AVAILABLE {
            self.session.options.registers = registers;
            let mode = format!("{mode} --regalloc {name}, native");
            let built = pipeline::back_end(&self.session, module)
                .and_then(|program| pipeline::link(&self.session, &program, Output::Executable));
            let image = built.map_err(|failure| tell(&mode, &failure, &mut self.session))?;
            let executable = self.folder.join(format!("{}", self.seen.len()));
            if self.seen.insert(image.clone()) {
                write_executable(&executable, &image).map_err(|error| error.to_string())?;
                self.execute_image(&mode, &executable)?;
            }
        }
        Ok(())
    }

    fn execute_image(&self, mode: &str, executable: &Path) -> Result<(), String> {
        let outcome = execute(executable, self.run, &[])?;
        judge(self.run, &outcome).map_err(|trouble| format!("{mode}: {trouble}"))?;
        if self.operations <= SMALL && self.run.stdout.is_some() {
            let outcome = execute(executable, self.run, &[("MINI_GC_STRESS", "1")])?;
            judge(self.run, &outcome).map_err(|trouble| format!("{mode}, MINI_GC_STRESS=1: {trouble}"))?;
        }
        fs::remove_file(executable).map_err(|error| error.to_string())
    }
}

fn tell(mode: &str, failure: &Failure, session: &mut Session) -> String {
    let found = session.take_diagnostics();
    let text = mini_diag::short::render(&found, &session.sources);
    format!("{mode}: {failure:?}\n{text}")
}

/// Runs by the interpreter, in memory; gives the number of executed operations too.
pub(crate) fn interpret(session: &Session, module: &Module, run: &Run) -> (Outcome, u64) {
    let args = run.args.iter().map(|a| a.as_bytes().to_vec()).collect();
    let mut host = MemoryHost { stdin: run.stdin.clone(), args, ..MemoryHost::default() };
    let options = machine::Options {
        sources: Some(&session.sources),
        counting: Counting::On,
        fuel: Some(if run.stdout.is_some() { FUEL } else { ENDLESS_FUEL }),
        ..machine::Options::default()
    };
    let ended = machine::run(module, &mut host, options);
    let end = match &ended.end {
        outcome::End::OutOfFuel => End::TimedOut,
        outcome::End::Undefined(what) => {
            host.stderr.extend_from_slice(format!("undefined: {what}").as_bytes());
            End::Signal(0)
        }
        outcome::End::Invalid(errors) => {
            host.stderr.extend_from_slice(format!("invalid: {errors:?}").as_bytes());
            End::Signal(0)
        }
        outcome::End::Exit(_)
        | outcome::End::CallsC(_)
        | outcome::End::RuntimeError(_)
        | outcome::End::StdoutClosed
        | outcome::End::StdoutFailed => End::Status(ended.status().into()),
    };
    (Outcome { end, stdout: host.stdout, stderr: host.stderr }, ended.counts.total())
}

fn write_executable(path: &Path, image: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o700).open(path)?.write_all(image)
}

fn execute(executable: &Path, run: &Run, environment: &[(&str, &str)]) -> Result<Outcome, String> {
    let mut command = Command::new(executable);
    command.args(&run.args).env("MINI_HEAP_LIMIT", "1G").envs(environment.iter().copied());
    let limit = if run.stdout.is_some() { TIME } else { ENDLESS };
    process::run(&mut command, &run.stdin, limit).map_err(|error| error.to_string())
}
