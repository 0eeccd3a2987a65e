//! Inputs of absurd shape: each is compiled or gets one clear error; nothing breaks.

use super::{Folder, Result};

/// The text of a program body that nests so deep.
type Nested = fn(usize) -> String;

/// Not a crash, not a bug report.
fn sane(outcome: &Result, what: &str) {
    assert!(matches!(outcome.status, Some(0..=2)), "{what}: {outcome:?}");
    for word in ["panicked", "a bug in the compiler", "RUST_BACKTRACE"] {
        assert!(!outcome.stderr.contains(word), "{what}: {}", outcome.stderr);
    }
}

#[test]
fn nesting_to_900_works_and_beyond_1000_is_one_error() {
    let head = "fn main() { let a = args().len() + 1; ";
    let nested: &[(&str, Nested)] = &[
        ("parentheses", |n| format!("print({}a{}); }}", "(".repeat(n), ")".repeat(n))),
        ("minus signs", |n| format!("print({}a); }}", "- ".repeat(n))),
        ("blocks", |n| format!("{}print(a);{} }}", "{".repeat(n), "}".repeat(n))),
        ("ifs", |n| format!("{}print(a);{} }}", "if a > 0 { ".repeat(n), "}".repeat(n))),
        ("array literals", |n| format!("let z = {}a{}; print(z.len()); }}", "[".repeat(n), "]".repeat(n))),
        ("sums to the right", |n| format!("print({}a{}); }}", "a + (".repeat(n), ")".repeat(n))),
    ];
    let folder = Folder::new();
    for (name, make) in nested {
        folder.file("n.mini", format!("{head}{}", make(900)));
        let ran = folder.minic(["run", "n.mini"]);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        for n in [1_100, 100_000] {
            folder.file("n.mini", format!("{head}{}", make(n)));
            let refused = folder.minic(["check", "n.mini", "--error-format", "short"]);
            sane(&refused, name);
            let errors: Vec<&str> = refused.stderr.lines().filter(|l| l.contains("error[")).collect();
            assert!(errors.len() == 1 && errors[0].contains("nested too deeply"), "{name} {n}: {errors:?}");
        }
    }
}

#[test]
fn long_chains_compile_and_run() {
    let head = "fn main() { let a = args().len() + 1; ";
    let n = 20_000;
    let chains = [
        ("sum", format!("print({}); }}", vec!["a"; n].join(" + ")), "20000\n"),
        ("conjunction", format!("print({}); }}", vec!["a == 1"; n].join(" && ")), "true\n"),
        ("statements", format!("{} print(a); }}", "a += 1; ".repeat(n)), "20001\n"),
        ("array", format!("let z = [{}]; print(z.len()); }}", vec!["a"; n].join(", ")), "20000\n"),
        (
            "else if",
            format!(
                "if a == 0 {{ print(0); }} {} else {{ print(\"last\"); }} }}",
                (2..n).map(|i| format!("else if a == {i} {{ print({i}); }}\n")).collect::<String>()
            ),
            "last\n",
        ),
    ];
    let folder = Folder::new();
    for (name, rest, wanted) in chains {
        folder.file("c.mini", format!("{head}{rest}"));
        let ran = folder.minic(["run", "c.mini"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), wanted), "{name}: {}", ran.stderr);
    }
}

#[test]
fn what_is_never_closed_is_an_error() {
    let folder = Folder::new();
    for (name, text) in [
        ("parentheses", format!("fn main() {{ print({}", "(".repeat(100_000))),
        ("braces", format!("fn main() {}", "{".repeat(100_000))),
        ("comments", format!("fn main() {{}} {}", "/*".repeat(100_000))),
        ("a string", format!("fn main() {{ print(\"{}", "x".repeat(1_000_000))),
    ] {
        folder.file("o.mini", text);
        for format in ["rich", "short", "json"] {
            let refused = folder.minic(["check", "o.mini", "--error-format", format]);
            assert_eq!(refused.status, Some(1), "{name}: {refused:?}");
            assert!(refused.stderr.len() < 200_000, "{name}: {} bytes of diagnostics", refused.stderr.len());
        }
    }
}

#[test]
fn prefixes_of_a_program_and_noise_are_handled() {
    let folder = Folder::new();
    let text = include_str!("../../../../examples/bank.mini");
    let mut random = 1u64;
    for step in 0..60 {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut cut = (random >> 33) as usize % text.len();
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        folder.file("x.mini", &text[..cut]);
        sane(&folder.minic(["check", "x.mini"]), &format!("the first {cut} bytes"));
        let mut bytes = text.as_bytes().to_vec();
        bytes[cut] = (random >> 20) as u8;
        folder.file("x.mini", bytes);
        sane(&folder.minic(["build", "x.mini"]), &format!("byte {cut} changed, step {step}"));
    }
    for text in ["", "\u{feff}", "\0", "}", "fn", "fn main", "//", "/*", "\"", "'", "\u{feff}\u{feff}fn main() {}"] {
        folder.file("x.mini", text);
        sane(&folder.minic(["build", "x.mini"]), text);
    }
}
