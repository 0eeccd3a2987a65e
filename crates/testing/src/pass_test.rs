//! Passes on textual IR: `NAME.ir` says in its first line which, `; passes: a,b`, and `NAME.out.ir` is what they leave.
//!
//! The module is verified before, after each pass, and when its text was read back. If it has a start function without
//! parameters, it is run by the interpreter before and after, and must print the same and end the same way. A pass that is wrong on
//! purpose has a third file, `NAME.wrong`: what the program prints afterwards, which must be something else.

use crate::case::Run;
use crate::golden;
use crate::process::Outcome;
use crate::program::interpret;
use crate::textual::round_trip;
use mini_driver::failure::Failure;
use mini_driver::options::{Options, Verify};
use mini_driver::passes;
use mini_driver::pipeline::{self, Extent};
use mini_driver::session::Session;
use mini_ir::module::Module;
use mini_ir::text::{SsaStyle, print_module};
use std::fs;
use std::path::Path;

/// The end of the names of expected results, which are no tests themselves.
pub const EXPECTED: &str = ".out.ir";

/// Runs the passes and compares.
pub fn check(source: &Path) -> Result<(), String> {
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let list = text.lines().next().and_then(|line| line.strip_prefix("; passes: "));
    let list = list.ok_or("the first line is not `; passes: a,b`")?;
    let mut session = Session::new(Options { verify: Verify::EachStep, ..Options::default() });
    let before = pipeline::front_end(&mut session, source, Extent::All)
        .map_err(|failure| format!("{failure:?}: {:?}", session.take_diagnostics()))?;
    let mut after = before.clone();
    run_passes(&session, list, &mut after).map_err(|failure| format!("{failure:?}"))?;
    golden::check(&source.with_extension("out.ir"), &print_module(&after, SsaStyle::Params))?;
    round_trip(&after)?;
    match before.start {
        Some(start) if before.funcs[start].params.is_empty() => {
            let runs = [&before, &after].map(|module| print(&session, module));
            compare(runs, fs::read(source.with_extension("wrong")).ok())
        }
        _ => Ok(()),
    }
}

fn run_passes(session: &Session, list: &str, module: &mut Module) -> Result<(), Failure> {
    for func in module.funcs.iter_mut() {
        let passes = passes::parse_list(list, func)?;
        passes::run_list(session, &passes, func, &module.info)?;
    }
    Ok(())
}

fn print(session: &Session, module: &Module) -> Outcome {
    interpret(session, module, &Run { stdout: Some(Vec::new()), ..Run::default() }).0
}

/// Both runs must be the same; or the second is as `wrong` says.
fn compare([before, after]: [Outcome; 2], wrong: Option<Vec<u8>>) -> Result<(), String> {
    let show = |outcome: &Outcome| {
        let (stdout, stderr) = (String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
        format!("{stdout:?}, then {:?} {stderr:?}", outcome.end)
    };
    let same = (&before.stdout, &before.end) == (&after.stdout, &after.end);
    match wrong {
        None if same => Ok(()),
        None => Err(format!("before the passes it prints {}; after them {}", show(&before), show(&after))),
        Some(_) if same => Err(format!("it should go wrong, but prints {}", show(&after))),
        Some(wrong) if wrong == after.stdout => Ok(()),
        Some(wrong) => {
            Err(format!("wrong in another way than {:?}: {}", String::from_utf8_lossy(&wrong), show(&after)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a test of these files: source, expected result, expected wrong output.
    fn check_files(source: &str, expected: &str, wrong: Option<&str>) -> Result<(), String> {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("the folder is ours");
        write("case.ir", source);
        write("case.out.ir", expected);
        if let Some(wrong) = wrong {
            write("case.wrong", wrong);
        }
        check(&folder.path().join("case.ir"))
    }

    const MAIN: &str = "func main() {\nentry1:\n  %1 = const 7\n  x = copy %1\n  rt out_int(x)\n  ret\n}\n";
    const SSA: &str = "ssa func main() {\nentry1:\n  %1 = const 7\n  x.1 = copy %1\n  rt out_int(x.1)\n  ret\n}\n";

    #[test]
    fn the_result_the_list_and_the_rules_are_judged() {
        assert_eq!(check_files(&format!("; passes: pruned\n{MAIN}"), SSA, None), Ok(()));
        let trouble = |source: &str, expected: &str| check_files(source, expected, None).expect_err("a fault");
        assert!(trouble(MAIN, SSA).contains("; passes:"));
        assert!(trouble(&format!("; passes: no_such\n{MAIN}"), SSA).contains("no_such"));
        assert!(trouble(&format!("; passes: cssa_copies\n{MAIN}"), SSA).contains("takes functions in SSA"));
        assert!(trouble(&format!("; passes: pruned\n{MAIN}"), MAIN).contains("line 1"));
        let broken = MAIN.replace("%1 = const 7", "%1 = copy %2");
        assert!(trouble(&format!("; passes: pruned\n{broken}"), SSA).contains("Program"));
    }

    #[test]
    fn a_program_must_print_the_same_or_be_wrong_as_told() {
        let source = format!("; passes: pruned\n{MAIN}");
        let right = check_files(&source, SSA, Some("8")).expect_err("it is right");
        assert!(right.contains("should go wrong"), "{right}");
        let outcome = |text: &str| Outcome {
            end: crate::process::End::Status(0),
            stdout: text.as_bytes().to_vec(),
            stderr: Vec::new(),
        };
        assert_eq!(compare([outcome("7"), outcome("7")], None), Ok(()));
        assert!(compare([outcome("7"), outcome("8")], None).is_err());
        assert_eq!(compare([outcome("7"), outcome("8")], Some(b"8".to_vec())), Ok(()));
        assert!(compare([outcome("7"), outcome("9")], Some(b"8".to_vec())).is_err());
    }
}
