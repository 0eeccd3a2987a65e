//! Results of bodies, never, unit, jumps.

use crate::support::errors;

#[test]
fn a_body_ends_in_a_value_or_never() {
    errors(
        "
fn f1() -> int {
} //~ E0313
fn f2(c: bool) -> int {
    if c { return 1; }
} //~ E0313
fn f3(c: bool) -> int {
    if c { return 1; } else { print(2); }
} //~ E0313
fn f4(c: bool) -> int {
    if c { return 1; } else { panic(\"no\") }
}
fn f5() -> int { while true {} }
fn f6() -> int {
    while true { break; }
} //~ E0313
fn f7() -> int { while (true) { return 1; } }
fn f8() -> int { a: while true { while true { break; } } }
fn f9() -> int {
    a: while true { while true { break a; } }
} //~ E0313
fn f10(n: int) -> int {
    n + 1;
} //~ E0313
fn f11() -> int { exit(3) }
fn f12() -> int { { return 1; } }
fn f13(c: bool) -> int {
    if c { 1 } //~ E0314
}
fn f14(c: bool) -> int {
    if c { 1 } else { print(2); } //~ E0313
}
fn f15() -> int { while 1 == 1 { return 1; }
} //~ E0313
",
    );
}

#[test]
fn unit_is_no_value() {
    errors(
        "
fn g() {}
fn f1() { let a = g(); } //~ E0314
fn f2() { print(g()); } //~ E0314
fn f3() -> int { g() } //~ E0301
fn f4() { 5 } //~ E0301
fn f5() { g() }
fn f6() { return g(); }
fn f7() { return 1; } //~ E0301
fn f8() -> int { return; } //~ E0301
fn f9() { let a = [g()]; print(a); } //~ E0314
fn f10(c: bool) { if c { 1 } else { 2 } print(3); } //~ E0301 E0301
fn f11(c: bool) { if c { 1 } else { 2 }; print(3); }
fn f12(c: bool) { while c { 1 } } //~ E0301
fn f13() { g().len(); } //~ E0314
",
    );
}

#[test]
fn jumps_need_their_loops() {
    errors(
        "
fn f1() { break; } //~ E0208
fn f2() { continue; } //~ E0208
fn f3() { a: while true { break b; } } //~ E0207
fn f4() { a: for i in 0..3 { print(i); } while true { break a; } } //~ E0207
fn f5() { a: while true { a: while true { break a; } break; } }
fn f6() { for i in { break; } { print(i); } } //~ E0208
fn f7(c: bool) { while { if c { break; } c } {} }
let g = if true { return 1; } else { 2 }; //~ E0209
",
    );
}

#[test]
fn never_fits_everywhere() {
    errors(
        "
fn f(c: bool) -> int {
    let a = if c { 1 } else { return 2 };
    let b: string = if c { \"s\" } else { panic(\"no\") };
    let d = c && return 3;
    let x = return 4;
    print(a, b, d, x);
    a
}
",
    );
}
