//! Warnings.

use crate::support::with_warnings;

#[test]
fn unused_names() {
    with_warnings(
        &["W0001", "W0002", "W0003"],
        "
fn unused(a: int, _b: int, _: int) { //~ W0003 W0002
    let c = 1; //~ W0001
    let _d = 1;
    let e = 1;
    e = 2;
    for i in 0..3 {} //~ W0001
    print(e);
}
fn recursive() { recursive(); } //~ W0003
fn value() {}
pub fn public() {}
fn main() { let f = value; f(); }
",
    );
}

#[test]
fn unreachable_code_is_told_once() {
    with_warnings(
        &["W0005"],
        "
fn main() {
    if args().len() > 0 {
        return;
        print(1); //~ W0005
        print(2);
    }
    while true {
        continue;
        if true { print(1); } //~ W0005
    }
    print(3); //~ W0005
}
",
    );
}

#[test]
fn tests_of_what_is_known() {
    with_warnings(
        &["W0007", "W0008"],
        "
fn f(a: int?) {
    if true { print(1); } //~ W0007
    while false { print(1); } //~ W0007
    while true { break; }
    if a != null {
        if a == null { print(1); } //~ W0008
        print(a!, a ?? 1); //~ W0008 W0008
    }
}
fn main() { f(1); }
",
    );
}

#[test]
fn values_that_nobody_uses_and_rows_that_are_one() {
    with_warnings(
        &["W0009", "W0010"],
        "
fn g() -> int { 1 }
fn main() {
    let n = 3;
    n + 1; //~ W0010
    n; //~ W0010
    g();
    g() + 1;
    let a = [[0; n]; n]; //~ W0009
    let b = [[0; n]; 1];
    let c = [\"\"; n];
    print(a, b, c);
}
",
    );
}
