//! Definite assignment.

use crate::support::errors;

#[test]
fn every_path_must_assign() {
    errors(
        "
fn f1() { let x: int; print(x); } //~ E0401
fn f2(c: bool) { let x: int; if c { x = 1; } print(x); } //~ E0401
fn f3(c: bool) { let x: int; if c { x = 1; } else { x = 2; } print(x); }
fn f4(c: bool) { let x: int; if c { x = 1; } else { return; } print(x); }
fn f5(c: bool) { let x: int; if c { x = 1; } else if !c { x = 2; } print(x); } //~ E0401
fn f6(c: bool) { let x: int; if c { panic(\"no\"); } else { x = 2; } print(x); }
",
    );
}

#[test]
fn short_circuit_operands_are_paths() {
    errors(
        "
fn f1(c: bool) { let x: int; if c && { x = 1; true } { print(x); } }
fn f2(c: bool) { let x: int; if c && { x = 1; true } { print(1); } print(x); } //~ E0401
fn f3(c: bool) { let x: int; if c || { x = 1; true } { print(x); } //~ E0401
}
fn f4(c: bool) { let x: int; if c || { x = 1; false } { return; } print(x); }
fn f5(o: int?) { let x: int; print(o ?? { x = 1; 2 }, x); } //~ E0401
",
    );
}

#[test]
fn loops_may_run_no_round() {
    errors(
        "
fn f1(n: int) { let x: int; while n > 0 { x = n; n -= 1; } print(x); } //~ E0401
fn f2(n: int) { let x: int; for i in 0..n { x = i; } print(x); } //~ E0401
fn f3() { let x: int; while true { x = 1; break; } print(x); }
fn f4(n: int) { let x: int; while true { if n > 1 { break; } x = 1; } print(x); } //~ E0401
fn f5(n: int) { let x: int; a: while true { while true { x = 1; break a; } } print(x, n); }
fn f6(n: int) { let x: int; while { x = 1; n > 3 } { n -= 1; } print(x); }
fn f7(n: int) { for i in 0..n { let x: int; if i > 1 { x = 1; } print(x); } } //~ E0401
",
    );
}

#[test]
fn compound_assignment_and_elements_read() {
    errors(
        "
fn f1() { let x: int; x += 1; } //~ E0401
fn f2() { let x: [int]; x[0] = 1; } //~ E0401
fn f3() { let x: int; x = 1; x += 1; print(x); }
",
    );
}

#[test]
fn a_variable_is_reported_once_and_never_in_unreachable_code() {
    errors(
        "
fn f1() { let x: int;
    print(x); //~ E0401
    print(x);
}
fn f2() { let x: int; return; print(x); }
",
    );
}
