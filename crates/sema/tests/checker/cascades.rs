//! One mistake is one error: nothing follows from what was reported.

use crate::support::check;

/// The codes that a program gets, warnings too.
fn codes(text: &str) -> Vec<&'static str> {
    check(text).0.iter().map(|(_, d)| d.code).collect()
}

#[test]
fn nothing_is_said_about_the_value_of_a_wrong_condition() {
    assert_eq!(codes("fn main() { let r = undefined_thing; if r > 1 {} while r == 2 {} }"), ["E0201"]);
    assert_eq!(codes("fn f() {} fn main() { let r = f(); if r > 1 {} }"), ["E0314"]);
    assert_eq!(codes("fn main() { let s = \"a\"; if s == null {} }"), ["E0310"]);
    assert_eq!(codes("fn main() { if 1 == \"a\" {} }"), ["E0302"]);
    assert_eq!(codes("fn main() { if [1] < [2] {} }"), ["E0302"]);
    assert_eq!(codes("fn main() { x < 3; }"), ["E0201"]);
}

#[test]
fn unused_names_are_not_told_in_what_is_wrong() {
    assert_eq!(codes("fn f(p: int) { let v = 1; q(p; } fn main() { f(1); }"), ["E0103"]);
    assert_eq!(codes("fn f(p: int) { let v = 1; print(q); } fn main() { f(1); }"), ["E0201"]);
    assert_eq!(codes("fn f(p: int??) { } fn main() { f(1); }"), ["E0308"]);
    assert_eq!(codes("fn unused() { } fn main() { print(q); }"), ["E0201"]);
    // In a function without errors they are.
    assert_eq!(codes("fn f() { let v = 1; } fn main() { f(); print(q); }"), ["W0001", "E0201"]);
    assert_eq!(codes("fn main() { match 1 { 1..2 => print(1), 1 => print(2), _ => print(3) } }"), ["E0115"]);
}

#[test]
fn a_missing_brace_is_the_only_error_of_its_function() {
    let text =
        "fn f(a: int) -> int {\n    if a > 1 {\n        print(b);\n    return 3;\n}\n\nfn main() { print(f(1), c); }\n";
    assert_eq!(codes(text), ["E0103", "E0201"]);
}

#[test]
fn mistakes_that_were_told_twice() {
    assert_eq!(codes("fn main() { let s = \"a\"; s.len() = 3; }"), ["E0114"]);
    assert_eq!(codes("fn main() { print(5.to_string()); }"), ["E0009"]);
    assert_eq!(codes("fn main() { let n: int? = 1; n = 2; n += \"a\"; print(n); }"), ["E0302"]);
    assert_eq!(codes("fn main() { let s: string = 1 + \"a\"; print(s); }"), ["E0302"]);
    assert_eq!(codes("fn f(n: int) -> int { n * 2; } fn main() { print(f(1)); }"), ["E0313"]);
    assert_eq!(codes("fn main() { let l: List<int> = null; print(l); }"), ["E0202"]);
    assert_eq!(codes("fn main() { let n: int? = 1; if let 1 | m = n { print(m); } }"), ["E0319"]);
}
