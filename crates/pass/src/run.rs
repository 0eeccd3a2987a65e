//! Runs passes on a function: each guarded, timed, verified, and dumped where asked.
//!
//! A pass that panics, is given a phase that it does not take, leaves another phase than it says, or breaks a rule of the
//! verifier is a bug in the compiler: the run stops with a [`CompilerBug`] that names pass and function and has the function as
//! it was before. The panic's message also goes through the process's panic hook; who doesn't want it on stderr sets that.

use crate::info::{Changed, PassInfo};
use crate::registry::phase_name;
use mini_ir::func::Func;
use mini_ir::module::ModuleInfo;
use mini_ir::text::{SsaStyle, print_func};
use mini_ir::verify::verify;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// When the verifier runs after a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verify {
    /// Always.
    Always,
    /// In debug builds of the compiler.
    #[default]
    DebugBuilds,
    /// Never.
    Never,
}

/// After which passes the function is dumped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintAfter {
    /// None.
    #[default]
    Nothing,
    /// All.
    All,
    /// Those with these names.
    Passes(Vec<String>),
}

impl PrintAfter {
    fn wants(&self, pass: &PassInfo) -> bool {
        match self {
            PrintAfter::Nothing => false,
            PrintAfter::All => true,
            PrintAfter::Passes(names) => names.iter().any(|name| name == pass.name),
        }
    }
}

/// How passes are run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// When the verifier runs.
    pub verify: Verify,
    /// What is dumped.
    pub print_after: PrintAfter,
    /// How dumps look.
    pub style: SsaStyle,
}

/// A function after a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dump {
    /// The pass.
    pub pass: &'static str,
    /// The function.
    pub function: String,
    /// Its IR.
    pub text: String,
}

/// What a run left for people. One for each function that is compiled; the driver puts them together in order.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Dumps in order.
    pub dumps: Vec<Dump>,
    /// Time by pass, in order of first appearance; without verifying and dumping.
    pub times: Vec<(&'static str, Duration)>,
}

impl Log {
    fn add_time(&mut self, pass: &'static str, time: Duration) {
        match self.times.iter_mut().find(|(name, _)| *name == pass) {
            Some((_, sum)) => *sum += time,
            None => self.times.push((pass, time)),
        }
    }

    /// Puts another log behind this one.
    pub fn append(&mut self, other: Log) {
        self.dumps.extend(other.dumps);
        for (pass, time) in other.times {
            self.add_time(pass, time);
        }
    }
}

/// A bug in the compiler: the driver reports it and exits with status 70.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompilerBug {
    /// The pass.
    pub pass: &'static str,
    /// The function.
    pub function: String,
    /// What went wrong.
    pub message: String,
    /// The function before the pass.
    pub ir_before: String,
}

impl std::fmt::Display for CompilerBug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bug in the compiler: pass `{}` on function `{}`: {}", self.pass, self.function, self.message)
    }
}

impl std::error::Error for CompilerBug {}

/// Runs passes in order; tells whether any changed the function.
pub fn run(
    func: &mut Func,
    info: &ModuleInfo,
    passes: &[&'static PassInfo],
    options: &Options,
    log: &mut Log,
) -> Result<Changed, CompilerBug> {
    let mut changed = Changed::No;
    for &pass in passes {
        // A copy, since a pass that fails leaves the function in any state. It costs a few per cent of a pass.
        let before = func.clone();
        match run_one(func, info, pass, options, log) {
            Ok(this) => changed = changed.max(this),
            Err(message) => {
                return Err(CompilerBug {
                    pass: pass.name,
                    function: before.name.to_string(),
                    message,
                    ir_before: print_func(&before, info, SsaStyle::Params),
                });
            }
        }
    }
    Ok(changed)
}

fn run_one(
    func: &mut Func,
    info: &ModuleInfo,
    pass: &PassInfo,
    options: &Options,
    log: &mut Log,
) -> Result<Changed, String> {
    let input = func.phase;
    if !pass.input.contains(&input) {
        return Err(format!("does not take {}", phase_name(input)));
    }
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (pass.run)(func, info)));
    log.add_time(pass.name, start.elapsed());
    let changed = outcome.map_err(|payload| {
        let text =
            payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("panicked without a message").to_string()
    })?;
    if func.phase != pass.output.unwrap_or(input) {
        return Err(format!("left {}", phase_name(func.phase)));
    }
    let verifies = match options.verify {
        Verify::Always => true,
        Verify::DebugBuilds => cfg!(debug_assertions),
        Verify::Never => false,
    };
    if verifies {
        verify(func, info).map_err(|errors| errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("\n"))?;
    }
    if options.print_after.wants(pass) {
        log.dumps.push(Dump {
            pass: pass.name,
            function: func.name.to_string(),
            text: print_func(func, info, options.style),
        });
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::Required;
    use crate::registry::parse_list;
    use mini_ir::func::{Phase, Value};
    use mini_ir::module::Module;
    use mini_ir::text::parse_module;

    const TEXT: &str = "\
func sum_to(n: int) -> int {
entry1:
  %1 = const 0
  s = copy %1
  i = copy %1
  jmp head2
head2:
  %3 = lt i, n
  br %3, body3, exit4
body3:
  %4 = add s, i
  s = copy %4
  %5 = const 1
  %6 = add i, %5
  i = copy %6
  jmp head2
exit4:
  ret s
}
";

    fn module() -> Module {
        parse_module(TEXT).expect("the text is IR")
    }

    fn run_pass(pass: fn(&mut Func, &ModuleInfo) -> Changed, output: Option<Phase>) -> CompilerBug {
        let info = PassInfo {
            name: "bad",
            input: &[Phase::Tac],
            output,
            required: Required::No,
            summary: "",
            keeps: "",
            source: "",
            run: pass,
        };
        let mut module = module();
        let func = module.funcs.iter_mut().next().expect("one function");
        let options = Options { verify: Verify::Always, ..Options::default() };
        run(func, &module.info, &[Box::leak(Box::new(info))], &options, &mut Log::default()).expect_err("a bug")
    }

    #[test]
    fn the_way_to_cssa_is_verified_dumped_and_timed() {
        let mut module = module();
        let func = module.funcs.iter_mut().next().expect("one function");
        let passes =
            parse_list("remove_unreachable,cytron,split_critical_edges,cssa_copies", func.phase).expect("known passes");
        let print_after = PrintAfter::Passes(vec!["cytron".into()]);
        let options = Options { verify: Verify::Always, print_after, ..Options::default() };
        let mut log = Log::default();
        assert_eq!(run(func, &module.info, &passes, &options, &mut log), Ok(Changed::Yes));
        assert_eq!(func.phase, Phase::Cssa);
        let [dump] = &log.dumps[..] else { panic!("one dump") };
        assert_eq!((dump.pass, dump.function.as_str()), ("cytron", "sum_to"));
        assert!(dump.text.contains("head2(s.2: int, i.2: int):"), "{}", dump.text);
        assert_eq!(
            log.times.iter().map(|t| t.0).collect::<Vec<_>>(),
            passes.iter().map(|p| p.name).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_panic_names_pass_and_function_and_keeps_the_function() {
        let bug = run_pass(
            |func, _| {
                func.set_layout(vec![func.entry()]);
                panic!("the {} broke", "invariant")
            },
            None,
        );
        assert_eq!(bug.to_string(), "bug in the compiler: pass `bad` on function `sum_to`: the invariant broke");
        assert_eq!(bug.ir_before, TEXT);
    }

    #[test]
    fn the_verifier_objects_and_so_does_the_phase() {
        let bug = run_pass(
            |func, _| {
                let last: Value = *func.params.first().expect("a parameter");
                let entry = func.entry();
                let first = func.first_inst(entry).expect("an instruction");
                func.set_result(first, 0, last); // %1 loses its definition
                Changed::Yes
            },
            None,
        );
        assert!(bug.message.contains("rule "), "{}", bug.message);
        let bug = run_pass(|_, _| Changed::No, Some(Phase::Ssa));
        assert_eq!(bug.message, "left TAC");
    }
}
