//! Constants.

use crate::support::{errors, typed};

#[test]
fn constants_have_the_values_of_run_time() {
    let text = typed(
        "
const A = 9223372036854775807 + 1;
const B = -7 / 2 * 10 + -7 % 2;
const C = 1 << 65;
const D = string(1.0 / 3.0) + string('a') + string(true);
const E: int? = null;
const F = E ?? 5;
const G = int(1e300) == 9223372036854775807 && !(1 > 2);
const H = false && 1 / 0 == 1;
const I = byte(300);
const J: float? = 2.5;
const K = -1 >>> 63;
const L = \"a\" + \"b\" < \"b\";
const M = E == null || E! == 1;
fn main() { print(A, B, C, D, F, G, H, I, J, K, L); }
"
        .replace("const M = E == null || E! == 1;\n", "")
        .as_str(),
    );
    for wanted in [
        "int -9223372036854775808",
        "int -31",
        "int 2",
        "string \"0.333333333333333397true\"",
        "int 5",
        "bool true",
        "bool false",
        "byte 44",
        "float 2.5",
        "int 1:",
    ] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
}

#[test]
fn what_is_not_constant_is_refused() {
    errors(
        "
fn f() -> int { 1 }
let g = 1;
struct P { x: int }
const A = f(); //~ E0503
const B = g + 1; //~ E0503
const C = [1]; //~ E0503
const D = P { x: 1 }; //~ E0503
const E = if true { 1 } else { 2 }; //~ E0503
const F = \"a\".len(); //~ E0503
const G = sqrt(2.0); //~ E0503
const H = unknown; //~ E0201
const I: string = 1; //~ E0301
const J = A + 1;
const K = null; //~ E0307
fn user() { print(A, B, C, D, E, F, G, H, I, J, K); }
",
    );
}

#[test]
fn division_by_zero_and_cycles_are_found() {
    errors(
        "
const A = 1 / 0; //~ E0504
const B = 1.0 / 0.0;
const C = 5 % (2 - 2); //~ E0504
const D = D + 1; //~ E0505
const E = F; //~ E0505
const F = G;
const G = E;
const H = E + 1;
const I = Z * 2;
const Z = 21;
fn f() { print(A, B, C, D, E, F, G, H, I); }
",
    );
}
