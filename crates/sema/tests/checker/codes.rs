//! The examples of all codes are whole programs: the wrong one gives its code and nothing else, the right one nothing.

use crate::support::{check, check_for};
use mini_diag::codes;
use mini_sema::check::Purpose;

/// The wrong program, where the example has one, and the right one. A wrong program that is only told of begins with `:`.
fn programs(example: &str) -> (Option<&str>, Option<&str>) {
    let (wrong, right) = example.split_once("// right").unwrap_or((example, ":"));
    let program = |text: &'static str, part| -> Option<&str> {
        let part: &str = part;
        part.strip_prefix(text)
    };
    (program("// wrong\n", wrong), right.strip_prefix('\n').or_else(|| right.strip_prefix(":\n")))
}

#[test]
fn examples_show_their_codes_and_nothing_else() {
    let mut shown = 0;
    let mut bad = Vec::new();
    for row in codes::all() {
        // Textual IR is no program of the language; modules are loaded by the driver, which tests these examples.
        if row.code.starts_with("E06") || row.example.contains("import ") {
            continue;
        }
        let (wrong, right) = programs(row.example);
        if let Some(wrong) = wrong {
            // One code is about functions for C.
            let purpose = if row.code == "W0011" { Purpose::PartOfC } else { Purpose::Executable };
            let found: Vec<&str> = check_for(wrong, purpose).0.iter().map(|(_, d)| d.code).collect();
            if found.is_empty() || found.iter().any(|&code| code != row.code) {
                bad.push(format!("{}: {found:?} in the wrong program\n{wrong}", row.code));
            }
            shown += 1;
        }
        if let Some(right) = right {
            let found: Vec<String> = check(right).0.iter().map(|(_, d)| format!("{} {}", d.code, d.message)).collect();
            if !found.is_empty() {
                bad.push(format!("{}: {found:?} in the right program\n{right}", row.code));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(shown > 80, "{shown}");
}
