//! The pipeline as a library: its table, what it says of bugs, what does not depend on threads.

use mini_driver::bug::Bug;
use mini_driver::emit;
use mini_driver::failure::Failure;
use mini_driver::options::{Choice, Level, Options, Output, Timing, Verify, Warnings};
use mini_driver::passes;
use mini_driver::pipeline::{self, STEPS};
use mini_driver::session::Session;
use mini_ir::func::{Func, Phase};
use mini_ir::module::ModuleInfo;
use mini_ir::text::parse_module;
use mini_pass::info::{Changed, PassInfo, Role};
use mini_pass::registry;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const PROGRAM: &str =
    "fn twice(n: int) -> int { let m = n; while m < 100 { m += n; } m }\nfn main() { print(twice(21)); }\n";

fn write(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder is there for tests");
    path
}

#[test]
fn each_step_takes_what_the_one_before_it_made() {
    for pair in STEPS.windows(2) {
        // The static data is made beside the functions.
        let made = if pair[0].name == "data" { pair[0].from } else { pair[0].to };
        assert!(pair[1].from == made, "{} takes {}, after {}", pair[1].name, pair[1].from, pair[0].name);
    }
}

#[test]
fn what_a_step_was_given_can_be_shown_again() {
    let path = write("again.mini", PROGRAM);
    let mut session = Session::new(Options { print_after: Some("all".into()), ..Options::default() });
    session.load(&path).expect("there");
    // What was read counts, not what the file holds by now: it may have been a pipe.
    std::fs::write(&path, "fn main() {}").expect("ours");
    let given = |step: &'static str| {
        let bug = Bug::in_function(step, "twice", "for the test".into());
        emit::before(&session, &path, &bug)
    };
    assert!(given("ssa").expect("TAC is text").starts_with("func twice(n: int)"));
    assert!(given("cssa").expect("SSA is text").starts_with("ssa func twice("));
    assert!(given("allocate").expect("MIR is text").starts_with("mir \"twice\""));
    assert_eq!(given("link"), None);
}

#[test]
fn every_level_but_0_folds_branches() {
    let path = write("levels.mini", "fn main() { let n = 3; if n < 2 { print(n); } }\n");
    for &(number, level) in Level::AVAILABLE {
        let mut session = Session::new(Options { level, ..Options::default() });
        let optimised = emit::stage("opt").expect("a stage");
        let text = emit::emit(&mut session, &path, optimised, Some("main")).expect("compiles");
        let (branches, copies) = (text.contains("br "), text.contains("copy"));
        assert_eq!((branches, copies), (level == Level::O0, level == Level::O0), "-O{number}:\n{text}");
    }
}

#[test]
fn threads_change_nothing() {
    let functions: String = (0..500)
        .map(|i| format!("fn f{i}(x: int) -> int {{ let s = {i}; for k in 0..x {{ if k % 3 == {} {{ s += k; }} else {{ s = s * {i} - k; }} }} s }}\n", i % 3))
        .collect();
    let calls: String = (0..500).map(|i| format!("s += f{i}({i});")).collect();
    let path = write("threads.mini", &format!("{functions}fn main() {{ let s = 0; {calls} print(s); }}\n"));
    let build = |jobs| {
        let options = Options { jobs: NonZeroUsize::new(jobs), verify: Verify::No, ..Options::default() };
        pipeline::build(&mut Session::new(options), &path, Output::Executable).expect("compiles")
    };
    assert!(build(1) == build(3));
}

#[test]
fn times_are_kept_for_every_step_that_ran() {
    let path = write("times.mini", PROGRAM);
    let mut session = Session::new(Options { timing: Timing::EachStep, ..Options::default() });
    pipeline::build(&mut session, &path, Output::Executable).expect("compiles");
    let table = session.times.table().expect("asked for");
    assert!(!table.contains("remove_unreachable"), "what has not run has no line: {table}");
    for step in STEPS {
        assert!(
            table.lines().any(|line| line.ends_with(step.name) && !line.contains(" 0.000 ")),
            "{}: {table}",
            step.name
        );
    }
}

#[test]
fn denied_warnings_refuse_a_program() {
    let path = write("denied.mini", "fn main() { let unused = 1; }\n");
    let mut session = Session::new(Options { warnings: Warnings::Deny, ..Options::default() });
    assert_eq!(pipeline::check_file(&mut session, &path), Err(Failure::Program));
    assert_eq!(session.take_diagnostics().len(), 1);
    assert_eq!(pipeline::check_file(&mut Session::new(Options::default()), &path), Ok(()));
}

#[test]
fn textual_ir_is_compiled_too_and_its_faults_are_the_users() {
    let good = write("good.ir", "func main() {\na:\n  ret\n}\n");
    pipeline::build(&mut Session::new(Options::default()), &good, Output::Executable).expect("compiles");
    for (text, wanted) in [
        ("func f() {\na:\n  ret\n}\n", "needs a function that starts it"),
        ("func main() -> float {\na:\n  %1 = const 1.0\n  ret %1\n}\n", "can't start a program"),
    ] {
        let bad = write("bad.ir", text);
        match pipeline::build(&mut Session::new(Options::default()), &bad, Output::Executable) {
            Err(Failure::Text(said) | Failure::Usage(said)) => assert!(said.contains(wanted), "{said}"),
            other => panic!("{text}: {:?}", other.map(|bytes| bytes.len())),
        }
    }
    let mut session = Session::new(Options::default());
    let broken = write("broken.ir", "func main() {\na:\n  %1 = add %1\n}\n");
    assert_eq!(pipeline::build(&mut session, &broken, Output::Executable), Err(Failure::Program));
    assert!(session.take_diagnostics().iter().all(|d| d.code.starts_with("E06")));
    assert!(
        emit::emit(
            &mut Session::new(Options::default()),
            Path::new("x.ir"),
            emit::stage("ast").expect("a stage"),
            None
        )
        .is_err()
    );
}

#[test]
fn steps_and_passes_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = STEPS.iter().map(|step| step.file).chain(registry::PASSES.iter().map(|pass| pass.file));
    for file in files {
        assert!(root.join(file).is_file(), "{file}");
    }
}

#[test]
fn no_step_goes_back() {
    let path = write("forward.ir", "ssa func main() {\na:\n  ret\n}\n");
    for (stage, good) in [("tac", false), ("cfg", true), ("ssa", true), ("cssa", true)] {
        let stage = emit::stage(stage).expect("a stage");
        let printed = emit::emit(&mut Session::new(Options::default()), &path, stage, None);
        match printed {
            Ok(_) => assert!(good, "{stage:?}"),
            Err(failure) => {
                assert!(
                    !good && matches!(&failure, Failure::Usage(text) if text.contains("SSA already")),
                    "{failure:?}"
                );
            }
        }
    }
}

const SUM: &str = "func sum(n: int) -> int {\nentry1:\n  %1 = const 1\n  %2 = add n, %1\n  ret %2\n}\n";

/// What comes of a pass with a bug, run behind another.
fn bug_of(output: Option<Phase>, run: fn(&mut Func, &ModuleInfo) -> Changed) -> Bug {
    let pass: &'static PassInfo = Box::leak(Box::new(PassInfo {
        name: "bad",
        file: "",
        input: &[Phase::Tac],
        output,
        role: Role::Optional,
        summary: "",
        keeps: "",
        source: "",
        run,
    }));
    let mut module = parse_module(SUM).expect("the text is IR");
    let func = module.funcs.iter_mut().next().expect("one function");
    let session = Session::new(Options { verify: Verify::EachStep, ..Options::default() });
    let good = registry::find("remove_unreachable").expect("in the table");
    passes::run_list(&session, &[good, pass], func, &module.info).expect_err("a bug")
}

#[test]
fn a_pass_that_panics_is_named_and_what_it_was_given_is_kept() {
    let bug = bug_of(None, |func, _| {
        func.set_layout(vec![]);
        panic!("the {} broke", "invariant")
    });
    assert_eq!((bug.step, bug.function.as_deref()), ("bad", Some("sum")));
    assert!(bug.message.starts_with("the invariant broke"), "{}", bug.message);
    assert_eq!(bug.given.as_deref(), Some(SUM));
}

#[test]
fn a_pass_that_breaks_a_rule_or_a_promise_is_a_bug() {
    let broken = bug_of(None, |func, _| {
        let entry = func.entry();
        let first = func.first_inst(entry).expect("an instruction");
        func.set_result(first, 0, func.params[0]); // %1 loses its definition
        Changed::Yes
    });
    assert!(broken.message.contains("rule "), "{}", broken.message);
    assert_eq!(bug_of(Some(Phase::Ssa), |_, _| Changed::No).message, "pass `bad` left TAC");
}

#[test]
fn lists_of_passes_are_told_from_steps() {
    let func = Func::new("f", Phase::Tac);
    assert_eq!(passes::parse_list("pruned, cssa-copies", &func).map(|list| list.len()), Ok(2));
    for (list, wanted) in [
        ("ssa", "`ssa` is a step of the pipeline; the pass that it runs is `pruned`"),
        ("select", "no pass"),
        ("prunde", "did you mean `pruned`?"),
        ("pruned,pruned", "takes functions in TAC, and `f` is in SSA"),
    ] {
        match passes::parse_list(list, &func) {
            Err(Failure::Usage(text)) => assert!(text.contains(wanted), "{text}"),
            other => panic!("{list}: {other:?}"),
        }
    }
    for step in STEPS {
        assert!(step.pass.is_none_or(|pass| registry::find(pass).is_ok()), "{}", step.name);
    }
}
