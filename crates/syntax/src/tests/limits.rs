//! Deep nesting, long chains, cut and random texts.

use super::{errors, parsed};
use std::time::{Duration, Instant};

fn in_main(before: &str, n: usize, open: &str, middle: &str, close: &str, after: &str) -> String {
    format!("fn main() {{ {before}{}{middle}{}{after} }}", open.repeat(n), close.repeat(n))
}

fn shapes(n: usize) -> Vec<String> {
    vec![
        in_main("print(", n, "(", "a", ")", ");"),
        in_main("print(", n, "- ", "a", "", ");"),
        in_main("print(", n, "!", "a", "", ");"),
        in_main("", n, "{", "a;", "}", ""),
        in_main("", n, "if a { ", "a;", "}", ""),
        in_main("", n, "if a { b; } else { ", "a;", "}", ""),
        in_main("", n, "while a { ", "a;", "}", ""),
        in_main("print(", n, "f(", "a", ")", ");"),
        in_main("print(", n, "z[", "a", "]", ");"),
        in_main("let z = ", n, "[", "a", "]", ";"),
        in_main("let z = ", n, "P { x: ", "a", "}", ";"),
        in_main("let f = ", n, "fn(x: int) -> int { let g = ", "1", "; g(x) }", ";"),
        in_main("print(", n, "match a { 1 => ", "a", ", _ => 0 }", ");"),
        in_main("match e { ", n, "S(", "_", ")", " => 1 }"),
        in_main("", n, "return ", "1", "", ";"),
        format!("fn f(x: {}int{}) {{ }}", "[".repeat(n), "]".repeat(n)),
        format!("fn f(x: {}int{}) {{ }}", "fn(".repeat(n), ")".repeat(n)),
        format!("fn f(x: {}int) {{ }}", "fn() -> ".repeat(n)),
        format!("fn f(x: {}int{}) {{ }}", "(".repeat(n), ")".repeat(n)),
        format!("fn f(x: {}int{}) {{ }}", "List<".repeat(n), ">".repeat(n)),
        format!("fn f(x: int{}) {{ }}", "?".repeat(n)),
        format!("fn f() {{ }} {}{}", "/*".repeat(n), "*/".repeat(n)),
    ]
}

#[test]
fn nine_hundred_levels_are_fine() {
    for text in shapes(900) {
        assert_eq!(errors(&text), [""; 0], "{}…", &text[..60]);
    }
}

#[test]
fn deeper_is_exactly_one_error() {
    for n in [1100, 50_000] {
        for text in shapes(n) {
            let outcome = parsed(&text);
            let codes: Vec<&str> = outcome.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(codes, ["E0012"], "{n}: {}…", &text[..60]);
        }
    }
}

#[test]
fn mixed_nesting_counts_together() {
    let text = in_main("print(", 600, "-(", "a", ")", ");");
    assert_eq!(errors(&text).len(), 1);
    assert_eq!(errors(&in_main("print(", 450, "-(", "a", ")", ");")), [""; 0]);
}

#[test]
fn chains_have_no_limit_and_are_linear() {
    let n = 20_000;
    let chains = [
        in_main("if a { }", n, " else if a == 1 { b; }\n", "", "", ""),
        in_main("print(a", n, " + a", "", "", ");"),
        in_main("print(a", n, " - a * b", "", "", ");"),
        in_main("print(a", n, " == 1 && a", "", "", ");"),
        in_main("print(", n, "o ?? ", "a", "", ");"),
        in_main("print(s", n, ".up()", "", "", ");"),
        in_main("print(s", n, ".s!", "", "", ");"),
        in_main("print(s", n, "[a]", "", "", ");"),
        in_main("match a { 0", n, " | 1", "", "", " => 1 }"),
        in_main("match a { ", n, "1 if b => 2, ", "", "", " }"),
        in_main("", n, "a += 1; ", "", "", ""),
        in_main("let z = [", n, "a, ", "", "", "];"),
    ];
    let start = Instant::now();
    for text in &chains {
        assert_eq!(errors(text), [""; 0], "{}…", &text[..60]);
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_is_never_closed_ends_with_few_errors() {
    for open in [
        "print((",
        "{ ",
        "[",
        "if ",
        "match a { 1 => ",
        "let f = fn() { ",
        "- ",
        "P { x: ",
        "let x: List<",
        "f(fn() { 1 2; ",
    ] {
        for n in [1, 10, 900, 20_000] {
            let text = in_main("", n, open, "", "", "");
            let found = errors(&text[..text.len() - 1]);
            assert!(!found.is_empty(), "{open} {n}");
            assert!(found.len() <= n + 1, "{open} {n}: {found:?}");
        }
    }
    assert_eq!(errors(&"}".repeat(10_000)).len(), 1);
}

const SAMPLE: &str = "/// Doc.\nimport a.b.{c, d};\npub struct P<T: Eq> { x: T, y: [int?] }\nenum E { A, B(int, string) }\nimpl<T> P<T> { pub fn m(self, k: int) -> T? { self.y[k] = 1; self.y[k..]; null } }\n\
const C: int = -9223372036854775808;\nfn f(_: fn(int) -> int) -> List<List<int>> {\n here: for i in 0..=10 by 2 { if let B(x, \"s\\n\") | A = e { continue here } else if a >>> 2 >= b { x >>= 1.5e3; } else { break } }\n \
match a { 1..=2 | 'a' if b => { c } m::E::A(_) => P::<int> { x: 1, y }, null => return 0xff, }\n while !a && ~b ^ c != d ?? e { let g: int; g = fn(x: int) -> int { x! }(1); }\n [0; n].len()\n}\n";

#[test]
fn every_prefix_is_parsed_without_panic() {
    assert_eq!(errors(SAMPLE), [""; 0]);
    for end in (0..SAMPLE.len()).filter(|&e| SAMPLE.is_char_boundary(e)) {
        let outcome = parsed(&SAMPLE[..end]);
        assert!(outcome.diagnostics.len() <= 2, "{end}: {:?}", outcome.diagnostics);
    }
}

#[test]
fn texts_without_a_token_or_with_two_swapped_are_parsed_without_panic() {
    let words: Vec<&str> =
        SAMPLE.split_inclusive([' ', '(', ')', '{', '}', ';', '.', '<', '>', '[', ']', ',']).collect();
    for i in 0..words.len() - 1 {
        let mut without = words.clone();
        without.remove(i);
        parsed(&without.concat());
        let mut swapped = words.clone();
        swapped.swap(i, i + 1);
        parsed(&swapped.concat());
    }
}

#[test]
fn random_texts_are_parsed_without_panic() {
    let pieces = [
        "fn", " ", "f", "(", ")", "{", "}", "[", "]", "<", ">", ">>", "=", "==", ";", ",", ":", "::", ".", "..", "..=",
        "->", "=>", "?", "??", "!", "-", "1", "1.5", "\"", "'", "'a'", "\"s\"", "\n", "if", " else ", "match ",
        "while ", "for ", " in ", "let ", "return ", "struct ", "enum ", "impl ", "pub ", "import ", "const ",
        "extern ", "self", "null", "_", "|", "by ", "P", "int", "/*", "*/", "//", "é", "\u{0}", "\\", "@", "+", "+=",
        "&&",
    ];
    let mut seed = 42u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n.max(1)
    };
    for round in 0..3000 {
        let start = if round % 2 == 0 { "" } else { "fn f() { " };
        let text: String = {
            let length = next(60);
            std::iter::once(start).chain((0..length).map(|_| pieces[next(pieces.len())])).collect()
        };
        let outcome = parsed(&text);
        for d in &outcome.diagnostics {
            assert!(outcome.map.locate(d.span.start).is_some(), "{text:?}");
        }
    }
}
