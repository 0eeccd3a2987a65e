//! Random single changes of valid functions: of programs of the test corpus in every phase, and of random functions.
//! `MINI_MUTANTS=200 cargo test -p mini-testing --test mutations -- --nocapture` makes so many times as many and shows the shares.

use mini_analysis::sample_graphs::random_tac;
use mini_base::ids::Id;
use mini_base::testing::Random;
use mini_driver::bug::guard;
use mini_driver::options::{Options, Verify};
use mini_driver::pipeline::{self, Extent, Form};
use mini_driver::session::Session;
use mini_interp::outcome::End;
use mini_ir::module::{FuncId, Module};
use mini_ir::mutate::Kind;
use mini_ir::text::{SsaStyle, parse_module, print_func};
use mini_testing::case::{self, Wanted};
use mini_testing::mutants::{Given, Verdict, judge, machine_code, mutant, run};
use mini_x64::data::StaticData;
use mini_x64::mir_mutate;
use mini_x64::mir_text::print_mir;
use mini_x64::mir_verify::{self, Stage};
use mini_x64::select::select;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many times as many mutants as in a quick run.
fn effort() -> usize {
    std::env::var("MINI_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// How many mutants of each kind came to each verdict, and what went wrong.
#[derive(Default)]
struct Shares {
    counts: BTreeMap<Kind, [usize; 3]>,
    troubles: Vec<String>,
}

impl Shares {
    fn total(&self) -> [usize; 3] {
        self.counts.values().fold([0; 3], |sum, row| [0, 1, 2].map(|n| sum[n] + row[n]))
    }

    /// Prints the shares. An error if anything went wrong, or if the verifier or the runs notice next to nothing.
    fn conclude(&self, what: &str) -> Result<(), String> {
        self.show(what);
        let [refused, differs, same] = self.total();
        let noticed = refused > same && differs > 0;
        match self.troubles.first() {
            Some(trouble) => Err(format!("{} troubles; the first: {trouble}", self.troubles.len())),
            None if !noticed => Err(format!("{refused} refused, {differs} differ, {same} the same")),
            None => Ok(()),
        }
    }

    fn show(&self, what: &str) {
        let line = |name: String, row: [usize; 3]| {
            let all = row.iter().sum::<usize>().max(1);
            let [refused, differs, same] = row.map(|n| format!("{:5.1}%", 100.0 * n as f64 / all as f64));
            println!("{name:20} {all:7} mutants: refused {refused}, differs {differs}, same {same}");
        };
        line(what.to_string(), self.total());
        for (kind, &row) in &self.counts {
            line(format!("  {kind:?}"), row);
        }
    }
}

/// Makes so many mutants of a module in a phase and judges them.
fn try_mutants(module: &Module, given: &Given, count: usize, random: &mut Random, shares: &mut Shares) {
    let before = run(module, given);
    assert!(!matches!(before.end, End::Invalid(_)), "the original obeys the rules: {:?}", before.end);
    for _ in 0..count {
        let Some(mutant) = mutant(module, random) else { continue };
        match judge(&mutant, given, &before) {
            Ok(verdict) => shares.counts.entry(mutant.kind).or_default()[verdict as usize] += 1,
            Err(trouble) => shares.troubles.push(trouble),
        }
    }
}

fn in_phases(module: &Module, mut visit: impl FnMut(&Module)) {
    let session = Session::new(Options::default());
    let mut module = module.clone();
    visit(&module);
    for (from, to) in Form::STEPS {
        pipeline::advance(&session, &mut module, from, to).expect("the original goes through");
        visit(&module);
    }
}

/// The programs of the corpus that the interpreter runs to an end in little time.
fn programs() -> Vec<(PathBuf, Module, Given)> {
    let tests = case::root().join("tests");
    let mut sources: Vec<(PathBuf, Given)> = Vec::new();
    for case in ["lang", "conformance"].iter().flat_map(|folder| case::collect(&tests.join(folder))) {
        if let Ok(Wanted::Run(run)) = case.wanted {
            let args = run.args.iter().map(|a| a.as_bytes().to_vec()).collect();
            sources.push((case.source, Given { stdin: run.stdin, args }));
        }
    }
    sources.extend(case::files(&tests.join("ir"), "ir").into_iter().map(|path| (path, Given::default())));
    let mut programs = Vec::new();
    for (path, given) in sources {
        let module = load(&path);
        if !matches!(run(&module, &given).end, End::OutOfFuel) {
            programs.push((path, module, given));
        }
    }
    programs
}

fn load(path: &Path) -> Module {
    let mut session = Session::new(Options::default());
    pipeline::front_end(&mut session, path, Extent::Reachable).unwrap_or_else(|_| panic!("{} is right", path.display()))
}

/// Runs a test with silent panics, since those of mutants are caught; what it says is its result.
fn quietly(test: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    mini_driver::bug::install_hook();
    guard("test", None, test).map_err(|bug| bug.summary())?
}

#[test]
fn mutants_of_programs_are_noticed_or_harmless() -> Result<(), String> {
    quietly(of_programs)
}

fn of_programs() -> Result<(), String> {
    let mut random = Random(20);
    let mut shares = Shares::default();
    let programs = programs();
    assert!(programs.len() > 30, "there is a corpus: {}", programs.len());
    for (_, module, given) in &programs {
        in_phases(module, |module| try_mutants(module, given, effort(), &mut random, &mut shares));
    }
    shares.conclude("programs")
}

#[test]
fn mutants_of_random_functions_are_noticed_or_harmless() -> Result<(), String> {
    quietly(of_random_functions)
}

/// A random function in which every variable has a value and every block says what it has come to; and a program that calls it.
fn talking(random: &mut Random, blocks: usize, variables: usize) -> Module {
    let func = random_tac(random, blocks, variables);
    let names: Vec<String> = func.vars().map(|var| func.var_name(var).to_string()).filter(|n| n != "flag").collect();
    let mut text = String::new();
    for line in print_func(&func, &Default::default(), SsaStyle::Params).lines() {
        text += &format!("{line}\n");
        if line == "b0:" {
            (names.iter()).for_each(|name| text += &format!("  {name} = copy number\n"));
        }
        if line.ends_with(':') {
            text += &format!("  rt out_int({})\n", names[random.below(names.len())]);
        }
    }
    text += "func main() -> int {\nb:\n  %1 = const 3\n  %2 = const true\n  %3 = call graph(%1, %2)\n  ret %3\n}\n";
    parse_module(&text).expect("printed text, and more of it")
}

fn of_random_functions() -> Result<(), String> {
    let mut random = Random(21);
    let mut shares = Shares::default();
    for n in 0..30 {
        let module = talking(&mut random, 1 + n % 12, 1 + n % 5);
        in_phases(&module, |module| try_mutants(module, &Given::default(), 4 * effort(), &mut random, &mut shares));
    }
    shares.conclude("random functions")
}

/// Machine code of the corpus, before register allocation. It is not run here; `mini_regalloc`'s tests run mutants of random functions.
#[test]
fn mutants_of_machine_code_are_refused_or_harmless() -> Result<(), String> {
    quietly(of_machine_code)
}

fn of_machine_code() -> Result<(), String> {
    let mut random = Random(22);
    let mut counts = [0; 2];
    let mut session = Session::new(Options { verify: Verify::EachStep, ..Options::default() });
    for (_, mut module, _) in programs() {
        pipeline::advance(&session, &mut module, Form::Tac, Form::Cssa).map_err(|failure| format!("{failure:?}"))?;
        let data = StaticData::build(&module);
        for _ in 0..2 * effort() {
            let func = &module.funcs[FuncId::new(random.below(module.funcs.len()))];
            let mut mir = select(func, &module.info, &data);
            let kind = mir_mutate::Kind::ALL[random.below(mir_mutate::Kind::ALL.len())];
            if !mir_mutate::mutate(&mut mir, kind, &mut random) {
                continue;
            }
            let accepted = guard("verify", None, || mir_verify::verify(&mir, Stage::Virtual))
                .map_err(|bug| bug.summary())?
                .is_ok();
            counts[usize::from(accepted)] += 1;
            if accepted {
                let trouble = |trouble| format!("{kind:?}: {trouble}\n{}", print_mir(&mir));
                machine_code(&mut session, &mir).map_err(trouble)?;
            }
        }
    }
    println!("machine code: {} refused, {} accepted", counts[0], counts[1]);
    if counts[0] > counts[1] && counts[1] > 0 { Ok(()) } else { Err(format!("{counts:?}")) }
}

#[test]
fn each_verdict_is_found() {
    let text =
        "func main() -> int {\nb:\n  %1 = const 1\n  %2 = const 2\n  %3 = add %1, %2\n  rt out_int(%3)\n  ret %1\n}\n";
    let module = parse_module(text).expect("right");
    let before = run(&module, &Given::default());
    let mut random = Random(1);
    let mut found = [0; 3];
    for _ in 0..400 {
        if let Some(mutant) = mutant(&module, &mut random) {
            found[judge(&mutant, &Given::default(), &before).expect("sound") as usize] += 1;
        }
    }
    assert!(found.iter().all(|&n| n > 5), "{found:?}");
    let swapped = [Verdict::Refused, Verdict::Differs, Verdict::Same].map(|v| v as usize);
    assert_eq!(swapped, [0, 1, 2]);
}
