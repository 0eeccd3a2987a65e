//! The list of file tests: one test a file, kinds by folder.

use libtest_mimic::{Arguments, Failed, Trial};
use mini_testing::case::{self, Case, Wanted};
use mini_testing::{annotations, pass_test, program, refused, stages, textual};
use std::path::Path;
use std::process::ExitCode;

/// Where the tests of passes are, in a folder a pass: into and out of SSA, and within it.
const PASS_TESTS: &[&str] = &["passes", "ssa"];

fn main() -> ExitCode {
    mini_driver::bug::install_hook();
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, tests()).exit_code()
}

fn tests() -> Vec<Trial> {
    let root = case::root();
    let tests = root.join("tests");
    let mut trials = Vec::new();
    for folder in ["conformance", "lang", "std"] {
        trials.extend(some(&tests.join(folder), case::collect(&tests.join(folder))).into_iter().map(of_case));
    }
    // Empty as long as no miscompile has been found; a note keeps the folder.
    trials.extend(case::collect(&tests.join("regress")).into_iter().map(of_case));
    let examples = root.join("examples");
    // Those with C are tested with a C compiler, in the tests of the command.
    let with_c = examples.join("c");
    let sources = case::files(&examples, "mini").into_iter().filter(|path| !path.starts_with(&with_c)).collect();
    for source in some(&examples, sources) {
        let base = tests.join("examples").join(source.file_stem().unwrap_or_default());
        trials.push(of_case(case::read(&source, &base)));
    }
    trials.extend(of_files(&root, &tests.join("diag"), "mini", refused::check_text));
    trials.extend(of_files(&root, &tests.join("stages"), "mini", stages::check));
    trials.extend(of_files(&root, &tests.join("ir"), "ir", textual_ir));
    trials.extend(of_files(&root, &tests.join("analysis"), "ir", annotations::check_file));
    for folder in PASS_TESTS {
        trials.extend(of_files(&root, &tests.join(folder), "ir", pass_test::check));
    }
    trials
}

/// What was found in a folder, which must be something: an empty list would pass every test.
fn some<T>(folder: &Path, found: Vec<T>) -> Vec<T> {
    assert!(!found.is_empty(), "there are no tests in {}", folder.display());
    found
}

/// A file of textual IR; with `NAME.out` beside it, it is a program too.
fn textual_ir(source: &Path) -> Result<(), String> {
    textual::check_file(source)?;
    match case::read(source, &source.with_extension("")).wanted? {
        Wanted::Run(run) if run.stdout.is_some() => program::check(source, &run),
        Wanted::Run(_) => Ok(()),
        Wanted::Refused(_) => Err("textual IR has no `.errors`".into()),
    }
}

fn of_case(case: Case) -> Trial {
    Trial::test(case.name.clone(), move || {
        let outcome = match &case.wanted {
            Ok(Wanted::Run(run)) => program::check(&case.source, run),
            Ok(Wanted::Refused(lines)) => refused::check_lines(&case.source, lines),
            Err(trouble) => Err(trouble.clone()),
        };
        outcome.map_err(Failed::from)
    })
}

fn of_files(root: &Path, folder: &Path, extension: &str, check: fn(&Path) -> Result<(), String>) -> Vec<Trial> {
    let of_file = |source: std::path::PathBuf| {
        let name = source.strip_prefix(root).unwrap_or(&source).display().to_string();
        Trial::test(name, move || check(&source).map_err(Failed::from))
    };
    let mut sources = case::files(folder, extension);
    sources.retain(|path| !path.to_string_lossy().ends_with(pass_test::EXPECTED));
    some(folder, sources).into_iter().map(of_file).collect()
}
