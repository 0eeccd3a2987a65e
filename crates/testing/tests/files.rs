//! The list of file tests: one test a file, kinds by folder.

use libtest_mimic::{Arguments, Failed, Trial};
use mini_testing::case::{self, Case, Wanted};
use mini_testing::{program, refused, stages, textual};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    mini_driver::bug::install_hook();
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, tests()).exit_code()
}

fn tests() -> Vec<Trial> {
    let root = case::root();
    let tests = root.join("tests");
    let mut trials = Vec::new();
    for folder in ["conformance", "lang", "regress"] {
        trials.extend(case::collect(&tests.join(folder)).into_iter().map(of_case));
    }
    for source in case::files(&root.join("examples"), "mini") {
        let base = tests.join("examples").join(source.file_stem().unwrap_or_default());
        trials.extend(case::read(&source, &base).map(of_case));
    }
    trials.extend(of_files(&root, &tests.join("diag"), "mini", refused::check_text));
    trials.extend(of_files(&root, &tests.join("stages"), "mini", stages::check));
    trials.extend(of_files(&root, &tests.join("ir"), "ir", textual_ir));
    trials
}

/// A file of textual IR; with `NAME.out` beside it, it is a program too.
fn textual_ir(source: &Path) -> Result<(), String> {
    textual::check_file(source)?;
    match case::read(source, &source.with_extension("")).map(|case| case.wanted) {
        Some(Wanted::Run(run)) if run.stdout.is_some() => program::check(source, &run),
        _ => Ok(()),
    }
}

fn of_case(case: Case) -> Trial {
    Trial::test(case.name.clone(), move || {
        let outcome = match &case.wanted {
            Wanted::Run(run) => program::check(&case.source, run),
            Wanted::Refused(lines) => refused::check_lines(&case.source, lines),
        };
        outcome.map_err(Failed::from)
    })
}

fn of_files(root: &Path, folder: &Path, extension: &str, check: fn(&Path) -> Result<(), String>) -> Vec<Trial> {
    let of_file = |source: std::path::PathBuf| {
        let name = source.strip_prefix(root).unwrap_or(&source).display().to_string();
        Trial::test(name, move || check(&source).map_err(Failed::from))
    };
    case::files(folder, extension).into_iter().map(of_file).collect()
}
