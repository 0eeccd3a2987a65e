//! Globals.

use crate::support::errors;

#[test]
fn types_are_found_whatever_the_order() {
    errors(
        "
let a = b + 1;
let b = c.len();
let c = [1, 2];
let d = e; //~ E0506
let e = d;
let f: int = g;
let g = f;
let h = []; //~ E0307
let i: string = 1; //~ E0301
let j = { let k = 1; k };
let k = j;
fn user() { print(a, b, c, d, e, f, g, h, i, j, k); }
",
    );
}

#[test]
fn a_global_without_a_zero_is_not_read_early() {
    errors(
        "
struct P { x: int }
let a = b.x; //~ E0507
let b = P { x: 1 };
let c = b.x;
let d = peek();
let e: int = f;
let f = 1;
fn peek() -> int { b.x }
fn user() { print(a, c, d, e); }
",
    );
}
