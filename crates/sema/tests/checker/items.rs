//! Items: the namespace, types, `main`.

use crate::support::{check, errors};

#[test]
fn a_name_is_declared_once() {
    errors(
        "
fn a() {}
struct a { x: int } //~ E0203
const B = 1;
let B = 2; //~ E0203
struct P { x: int, x: int } //~ E0204
fn f(x: int, x: int) {} //~ E0204
fn g(_: int, _: int) {}
",
    );
}

#[test]
fn types_are_types() {
    errors(
        "
const N = 1;
struct P { q: Q?, p: P? }
struct Q { p: P }
fn f(a: N) {} //~ E0205
fn g(a: Unknown) {} //~ E0202
fn h(a: int<int>) {} //~ E0309
fn k(p: P::x) {} //~ E0205
fn l() { let a = P; print(a); } //~ E0205
fn m() { P(1); } //~ E0304
",
    );
}

#[test]
fn main_has_one_of_two_forms() {
    errors("fn main() -> int { 0 }");
    errors("pub fn main() {}");
    errors("fn main() -> string { \"\" } //~ E0502");
    errors("fn main(a: int) { print(a); } //~ E0502");
    errors("const main = 1; // no fn main() here //~ E0502");
    let (found, _) = check("fn f() {}");
    assert_eq!(found[0].1.code, "E0501");
    assert_eq!(found[0].0, 1);
    let (found, _) = check("");
    assert_eq!((found.len(), found[0].1.code), (1, "E0501"));
}
