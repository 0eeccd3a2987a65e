//! C functions, and functions for C.

use crate::support::{check_for, diagnostic, errors, typed, with_warnings};
use mini_sema::check::Purpose;

#[test]
fn only_some_types_cross_the_interface() {
    errors(
        "
struct P { x: int }
enum Color { Red }
extern fn good(a: int, b: float, c: bool, d: byte, e: string, f: [int], g: [float], h: [bool], i: [byte]) -> float;
extern fn nothing();
extern fn a(p: P); //~ E0511
extern fn b(n: int?); //~ E0511
extern fn c() -> P; //~ E0511
extern fn d(f: fn(int) -> int); //~ E0511
extern fn e(c: Color); //~ E0511
extern fn f(a: [string], b: [[int]]); //~ E0511 E0511
extern fn g(a: [int?]) -> [int]; //~ E0511 E0511
extern fn h(a: Nothing) -> string; //~ E0202 E0511
fn main() { good(1, 1.0, true, 'a', \"\", [1], [1.0], [true], ['a']); nothing(); a(1); }
",
    );
    let result = diagnostic("extern fn f() -> string;\nfn main() { f(); }", "E0511");
    assert!(result.message.contains("how long"), "{}", result.message);
}

#[test]
fn c_functions_are_called_and_nothing_else() {
    errors(
        "
extern fn f(n: int, s: string) -> int;
extern fn g();
fn main() {
    print(f(1, \"a\"));
    f(1); //~ E0303
    f(1.0, \"a\"); //~ E0301
    print(g()); //~ E0314
    let h = f; //~ E0210
    f = 1; //~ E0316
    print(f::<int>(1, \"\")); //~ E0309
    let p: f? = null; //~ E0205
}
const C = f; //~ E0503
",
    );
}

#[test]
fn their_names_are_items() {
    errors("extern fn f();\nfn f() {} //~ E0203\nfn main() { f(); }");
    errors("struct f { x: int }\nextern fn f(); //~ E0203\nfn main() {}");
    errors("extern fn f(a: int, a: int); //~ E0204\nfn main() { f(1, 2); }");
    with_warnings(&["W0003"], "extern fn f(); //~ W0003\nextern fn _g();\nextern fn h();\nfn main() { h(); }");
    // They may hide built-in functions.
    assert!(typed("extern fn sqrt(x: float) -> float;\nfn main() { print(sqrt(2.0)); }").contains("call_extern sqrt"));
}

fn exports(text: &str, purpose: Purpose) -> Option<Vec<String>> {
    let (found, program) = check_for(text, purpose);
    let program = program.unwrap_or_else(|| panic!("{found:?}"));
    program.exports.map(|ids| ids.iter().map(|&id| program.functions[id].name.to_string()).collect())
}

#[test]
fn c_gets_the_public_functions_that_it_can_call() {
    let text = "
struct P { x: int }
impl P { pub fn m(self) {} pub fn n() {} }
pub fn a(n: int, s: string, b: [bool]) -> byte { byte(n + s.len() + b.len()) }
fn b() {}
pub fn c(p: P) { b(); p.m(); P::n(); }
pub fn d() -> string { \"\" }
pub fn e<T>(_: T) {}
pub fn f() {}
pub fn main() {}
";
    let (found, _) = check_for(text, Purpose::PartOfC);
    let codes: Vec<(u32, &str)> = found.iter().map(|(line, d)| (*line, d.code)).collect();
    assert_eq!(codes, [(6, "W0011"), (7, "W0011"), (8, "W0011")]);
    assert_eq!(exports(text, Purpose::PartOfC), Some(vec!["a".into(), "f".into()]));
    assert_eq!(exports(text, Purpose::Executable), None);
    let with_c = format!("extern fn puts(s: string);\n{text}\nfn g() {{ puts(\"\"); }}\npub fn h() {{ g(); }}");
    assert_eq!(exports(&with_c, Purpose::Executable), Some(vec!["a".into(), "f".into(), "h".into()]));
}

#[test]
fn a_part_of_a_c_program_needs_no_main() {
    assert_eq!(exports("pub fn f() {}", Purpose::PartOfC), Some(vec!["f".into()]));
    assert_eq!(exports("fn main() {}", Purpose::PartOfC), Some(vec![]));
    for nothing_for_c in ["", "fn f() {}"] {
        let (found, program) = check_for(nothing_for_c, Purpose::PartOfC);
        assert!(program.is_none() && found.iter().any(|(_, d)| d.code == "E0501"), "{nothing_for_c:?}");
    }
    let (found, program) = check_for("pub fn f() {}", Purpose::Executable);
    assert!(program.is_none() && found.iter().any(|(_, d)| d.code == "E0501"));
    let (found, program) = check_for("fn main(n: int) {}", Purpose::PartOfC);
    assert!(program.is_none() && found.iter().any(|(_, d)| d.code == "E0502"));
}
