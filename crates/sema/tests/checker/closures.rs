//! Closures.

use crate::support::{errors, typed};

#[test]
fn closures_have_their_own_results_and_jumps() {
    errors(
        "
fn f() {
    let a = fn(x: int) -> int { x + 1 };
    let b = fn(x: int) -> string { x }; //~ E0301
    let c = fn() -> int { print(1); }; //~ E0313
    let d = fn() { return 1; }; //~ E0301
    while true { let e = fn() { break; }; e(); } //~ E0208
    l: while true { let e = fn() { break l; }; e(); } //~ E0207
    let g = fn(x: int, x: int) -> int { x }; //~ E0204
    print(a(1), b(1), c(), g(1, 2));
    d();
    print(a(\"1\")); //~ E0301
}
let h = fn() -> int { return 1; };
",
    );
}

#[test]
fn making_a_closure_reads_what_it_mentions() {
    errors(
        "
fn f1() { let x: int; let f = fn() { print(x); }; f(); } //~ E0401
fn f2() { let x: int; let f = fn() { x = 1; }; f(); } //~ E0401
fn f3() { let x: int; x = 1; let f = fn() { print(x); }; f(); }
fn f4() { let f: fn(int) -> int; f = fn(n: int) -> int { if n > 0 { f(n - 1) } else { 0 } }; print(f(3)); }
fn f5() { let f: fn() -> int; let g: fn() -> int; f = fn() -> int { g() }; g = f; print(g()); } //~ E0401
fn f6() { let f = fn() -> int { let y: int; y }; print(f()); } //~ E0401
",
    );
}

#[test]
fn captured_variables_are_not_narrowed() {
    errors(
        "
fn f1(a: int?) { let f = fn() { a = null; }; if a != null { f(); print(a + 1); } } //~ E0302
fn f2(a: int?) { if a != null { let f = fn() -> int { a + 1 }; print(f()); } } //~ E0302
fn f3() { let f = fn(a: int?) -> int { if a != null { a + 1 } else { 0 } }; print(f(1)); }
",
    );
}

#[test]
fn captures_are_listed_and_classified() {
    let text = typed(
        "fn main() {
    let a = 1; let b = 2;
    let f = fn(c: int) -> int { b += c; fn() -> int { a + b }() };
    print(f(1));
}",
    );
    assert!(text.contains("closure closure in main: fn(int) -> int"), "{text}");
    assert!(text.contains("capture b.1\n      capture a.0\n"), "{text}");
    let program = crate::support::check(
        "fn main() { let a = 1; let b = 2; b += 1; let c = 3; print(fn() -> int { a + b }(), c); }",
    )
    .1;
    let program = program.expect("a right program");
    let captures: Vec<_> = program.functions[program.main.expect("it has one")]
        .body
        .locals
        .iter()
        .map(|l| format!("{:?}", l.capture))
        .collect();
    assert_eq!(captures, ["Copied", "Shared", "No"]);
}
