//! The pipeline as a library: its table, what it says of bugs, what does not depend on threads.

use mini_driver::bug::Bug;
use mini_driver::emit;
use mini_driver::failure::Failure;
use mini_driver::options::{Options, Output, Timing, Verify, Warnings};
use mini_driver::pipeline::{self, STEPS};
use mini_driver::session::Session;
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
    let session = Session::new(Options::default());
    let given = |step: &'static str| {
        let bug = Bug { step, function: Some("twice".into()), message: "for the test".into() };
        emit::before(&session, &path, &bug)
    };
    assert!(given("ssa").expect("TAC is text").starts_with("func twice(n: int)"));
    assert!(given("cssa").expect("SSA is text").starts_with("ssa func twice("));
    assert!(given("allocate").expect("MIR is text").starts_with("mir \"twice\""));
    assert_eq!(given("link"), None);
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
        ("func main() {\na:\n  %1 = add %1\n}\n", "bad.ir:"),
        ("func f() {\na:\n  ret\n}\n", "needs a function that starts it"),
        ("func main() -> float {\na:\n  %1 = const 1.0\n  ret %1\n}\n", "can't start a program"),
    ] {
        let bad = write("bad.ir", text);
        match pipeline::build(&mut Session::new(Options::default()), &bad, Output::Executable) {
            Err(Failure::Text(said) | Failure::Usage(said)) => assert!(said.contains(wanted), "{said}"),
            other => panic!("{text}: {:?}", other.map(|bytes| bytes.len())),
        }
    }
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
