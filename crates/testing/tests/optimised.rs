//! Whole programs under passes in random orders: what they do stays, and no more operations are executed.
//!
//! Every program of tests/conformance/behaviour and examples goes into SSA, through a random list of the passes from SSA to SSA, and
//! is run by the interpreter before and after; and out of SSA. The verifier looks at every function after every pass.

use mini_base::testing::Random;
use mini_driver::options::{Options, Verify};
use mini_driver::passes;
use mini_driver::pipeline::{self, Extent, Form};
use mini_driver::session::Session;
use mini_interp::host::MemoryHost;
use mini_interp::machine::{self, Counting};
use mini_interp::outcome::{End, Outcome};
use mini_ir::func::Phase;
use mini_ir::module::Module;
use mini_pass::info::PassInfo;
use mini_pass::registry::PASSES;
use mini_testing::case::{self, Case, Run, Wanted};
use std::sync::Mutex;

/// Programs that take more jumps and calls are left out: they would take too long.
const FUEL: u64 = 4_000_000;

fn interpret(session: &Session, module: &Module, run: &Run) -> (Outcome, MemoryHost) {
    let args = run.args.iter().map(|a| a.as_bytes().to_vec()).collect();
    let mut host = MemoryHost { stdin: run.stdin.clone(), args, ..MemoryHost::default() };
    let sources = Some(&session.sources);
    let options = machine::Options { sources, counting: Counting::On, fuel: Some(FUEL), ..machine::Options::default() };
    let outcome = machine::run(module, &mut host, options);
    (outcome, host)
}

/// A program in SSA and what it does there.
struct Program {
    session: Session,
    module: Module,
    outcome: Outcome,
    host: MemoryHost,
}

impl Program {
    /// `None` for one that is left out.
    fn of(case: &Case) -> Result<Option<Program>, String> {
        let Ok(Wanted::Run(run @ Run { stdout: Some(_), .. })) = &case.wanted else { return Ok(None) };
        let mut session = Session::new(Options { verify: Verify::EachStep, ..Options::default() });
        let module = pipeline::module_in(&mut session, &case.source, Form::Ssa, Extent::Reachable)
            .map_err(|failure| format!("{failure:?}"))?;
        let (outcome, host) = interpret(&session, &module, run);
        let left_out = matches!(outcome.end, End::OutOfFuel | End::CallsC(_));
        Ok((!left_out).then_some(Program { session, module, outcome, host }))
    }

    /// Runs it again after these passes; gives the executed operations.
    fn check(&self, run: &Run, list: &[&'static PassInfo]) -> Result<u64, String> {
        let mut module = self.module.clone();
        for func in module.funcs.iter_mut() {
            passes::run_list(&self.session, list, func, &module.info).map_err(|bug| format!("{bug:?}"))?;
        }
        let (before, after) = (self.outcome.counts.total(), self.compare(&module, run)?);
        if after > before {
            return Err(format!("{before} executed operations became {after}"));
        }
        pipeline::advance(&self.session, &mut module, Form::Optimised, Form::Cssa)
            .map_err(|failure| format!("{failure:?}"))?;
        self.compare(&module, run)?;
        Ok(after)
    }

    /// Runs another form of the program; gives the executed operations.
    fn compare(&self, module: &Module, run: &Run) -> Result<u64, String> {
        let (outcome, host) = interpret(&self.session, module, run);
        // All that the world sees: output, files, what was read, how often the clock was looked at.
        if (&self.outcome.end, &self.host) != (&outcome.end, &host) {
            return Err(format!("{:?} became {:?}", (&self.outcome.end, &self.host), (outcome.end, host)));
        }
        Ok(outcome.counts.total())
    }
}

/// Lists of passes that a program is tried with: random ones, and last all passes in a good order.
fn lists(random: &mut Random) -> Vec<Vec<&'static PassInfo>> {
    let all: Vec<&PassInfo> =
        PASSES.iter().filter(|pass| pass.input == [Phase::Ssa] && pass.output.is_none()).collect();
    let mut some = || (0..1 + random.below(6)).map(|_| all[random.below(all.len())]).collect();
    vec![some(), some(), some(), all.clone()]
}

/// Executed operations before the passes and after all of them.
fn check(case: &Case, lists: &[Vec<&'static PassInfo>]) -> Result<Option<(u64, u64)>, String> {
    let (Some(program), Ok(Wanted::Run(run))) = (Program::of(case)?, &case.wanted) else { return Ok(None) };
    let mut after = 0;
    for list in lists {
        let names: Vec<&str> = list.iter().map(|pass| pass.name).collect();
        after = program.check(run, list).map_err(|trouble| format!("{}: {trouble}", names.join(",")))?;
    }
    Ok(Some((program.outcome.counts.total(), after)))
}

#[test]
fn programs_keep_what_they_do_under_passes_in_random_orders() {
    mini_driver::bug::install_hook();
    let mut cases = case::collect(&case::root().join("tests/conformance/behaviour"));
    let examples = case::root().join("examples");
    let with_c = examples.join("c");
    for source in case::files(&examples, "mini").into_iter().filter(|path| !path.starts_with(&with_c)) {
        let base = case::root().join("tests/examples").join(source.file_stem().unwrap_or_default());
        cases.push(case::read(&source, &base));
    }
    let mut random = Random(6);
    let work: Vec<_> = cases.into_iter().map(|case| (case, lists(&mut random))).collect();
    let (queue, results) = (Mutex::new(work.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((case, lists)) = { queue.lock().expect("no thread panics").next() } {
                    let result = check(case, lists).map_err(|trouble| format!("{}, {trouble}", case.name));
                    results.lock().expect("no thread panics").push(result);
                }
            });
        }
    });
    let results = results.into_inner().expect("no thread panicked");
    let wrong: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let ran: Vec<(u64, u64)> = results.iter().filter_map(|result| *result.as_ref().ok()?).collect();
    let logarithms: f64 = ran.iter().map(|&(before, after)| (after as f64 / before as f64).ln()).sum();
    let mean = (logarithms / ran.len() as f64).exp();
    println!(
        "{} of {} programs ran; executed operations afterwards, geometric mean: {mean:.3}",
        ran.len(),
        results.len()
    );
    assert!(ran.len() > 250 && mean < 0.9, "{} programs, {mean}", ran.len());
}
