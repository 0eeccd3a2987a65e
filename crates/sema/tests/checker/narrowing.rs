//! Narrowing of optional variables.

use crate::support::errors;

#[test]
fn tests_narrow_where_they_hold() {
    errors(
        "
fn f1(a: int?) { if a != null { print(a + 1); } }
fn f2(a: int?) { if a == null { return; } print(a + 1); }
fn f3(a: int?) { if a == null { print(a + 1); } } //~ E0302
fn f4(a: int?) { if !(a == null) { print(a + 1); } else { print(a + 1); } } //~ E0302
fn f5(a: int?) { if null != a && a > 3 { print(a + 1); } }
fn f6(a: int?) { if a == null || a > 3 { print(1); } else { print(a + 1); } }
fn f7(a: int?, b: bool) { if a != null || b { print(a + 1); } } //~ E0302
fn f8(a: int?) -> int { if a == null { 0 } else { a } }
fn f9(a: int?) { let known = a != null; if known { print(a + 1); } } //~ E0302
fn f10(a: int?) { if (a) != null { print((a) + 1); } }
fn f11(a: int?, b: int?) { if (a != null && b != null) || (a != null && b == null) { print(a + 1); } }
",
    );
}

#[test]
fn an_initialiser_does_not_narrow_but_an_assignment_does() {
    errors(
        "
fn f1() { let a: int? = 1; print(a + 1); } //~ E0302
fn f2() { let a: int?; a = 1; print(a + 1); }
fn f3(a: int?) { if a == null { a = 1; } print(a + 1); }
fn f4(a: int?, b: int?) { if a != null { a = b; print(a + 1); } } //~ E0302
fn f5(a: int?, b: int?) { if b != null { a = b; print(a + 1); } }
fn f6(a: int?) { a = a ?? 1; print(a + 1); }
fn f7(a: int?) { if a != null { a += 1; print(a + 1); } }
fn f8(a: int?) { a += 1; } //~ E0302
fn f9(a: int?) { assert(a != null); print(a + 1); } //~ E0302
",
    );
}

#[test]
fn loops_forget_what_they_assign() {
    errors(
        "
fn g() -> int? { 1 }
fn f1(a: int?) { if a != null { for i in 0..3 { print(a + i); a = g(); } } } //~ E0302
fn f2(a: int?) { while a != null { print(a + 1); a = g(); } }
fn f3(a: int?) { while a == null { a = g(); } print(a + 1); }
fn f4(a: int?) { while a == null { a = g(); break; } print(a + 1); } //~ E0302
fn f5(a: int?) { while a == null { a = 5; break; } print(a + 1); }
fn f6(a: int?, b: int?) { if a == null { return; } for i in 0..3 { b = i; } print(a + 1); }
fn f7(a: int?) { if a == null { return; } for i in 0..3 { let a = i; a = 2; print(a); } print(a + 1); }
fn f8(a: int?) { if a == null { return; } while true { while true { a = null; break; } break; } print(a + 1); } //~ E0302
fn f9(a: int?) { if a == null { return; } while g() != null { print(a + 1); if a > 2 { a = null; } } } //~ E0302 E0302
",
    );
}

#[test]
fn only_variables_are_narrowed() {
    errors(
        "
struct P { x: int? }
let g: int? = 1;
fn f1(p: P) { if p.x != null { print(p.x + 1); } } //~ E0302
fn f2() { if g != null { print(g + 1); } } //~ E0302
fn f3(a: [int?]) { if a[0] != null { print(a[0] + 1); } } //~ E0302
",
    );
}

#[test]
fn patterns_bind_the_value_that_is_not_null() {
    errors(
        "
fn f1(a: int?) { if let b = a { print(b + 1); } else { print(1); } }
fn f2(a: int?) { if let b = a { print(a + b); } } //~ E0302
fn f3() { while let line = read_line() { print(line.len()); } }
",
    );
}
