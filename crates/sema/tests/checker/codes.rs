//! The examples of the checker's codes: the wrong program gets the code, the right one has no error.

use crate::support::check;
use mini_diag::codes_checker::CHECKER;
use mini_diag::diagnostic::Severity;

#[test]
fn examples_show_their_codes() {
    for row in CHECKER {
        // Not reported yet, or too long for an example.
        if matches!(row.code, "E0321" | "E0900" | "W0004") {
            continue;
        }
        let (wrong, right) = row.example.split_once("// right\n").expect("a wrong and a right program");
        let wrong = wrong.strip_prefix("// wrong\n").expect("the wrong program first");
        let (found, _) = check(wrong);
        assert!(found.iter().any(|(_, d)| d.code == row.code), "{}: {wrong}\n{found:?}", row.code);
        let (found, _) = check(right);
        let bad: Vec<_> = found.iter().filter(|(_, d)| d.severity == Severity::Error || d.code == row.code).collect();
        assert!(bad.is_empty(), "{}: {right}\n{bad:?}", row.code);
    }
}
