//! Names, scopes, places, patterns.

use crate::support::{diagnostic, errors};

#[test]
fn names_are_known_from_their_declaration_to_the_end_of_the_block() {
    errors(
        "
fn f() {
    { let a = 1; print(a); }
    print(a); //~ E0201
    let x = x1; //~ E0201
    let b = b; //~ E0201
    print(x, b);
    for i in 0..3 { print(i); }
    print(i); //~ E0201
    if let v = parse_int(\"1\") { print(v); } else { print(v); } //~ E0201
    undeclared = 1; //~ E0201
    print(nothing, nothing); //~ E0201
}
",
    );
}

#[test]
fn what_can_be_assigned() {
    errors(
        "
struct P { x: int }
const N = 1;
let g = 1;
fn h() {}
fn f(p: P, a: [int], s: string) {
    N = 2; //~ E0316
    h = f; //~ E0316
    P = 1; //~ E0316
    print = 1; //~ E0316
    s[0] = 'x'; //~ E0316
    g = 2;
    g = \"2\"; //~ E0301
    p.x = 1;
    p.x = \"1\"; //~ E0301
    a[0] = 1;
    a[0] += 1;
    a[0] = 'x'; //~ E0301
    a[\"0\"] = 1; //~ E0301
    s = \"x\";
    for i in 0..3 { i = 5; }
    p.y = 1; //~ E0211
}
",
    );
}

#[test]
fn patterns_fit_their_values() {
    errors(
        "
fn f(n: int, o: int?, b: byte, s: string) {
    if let 1 | 2 | -3 = n { print(1); }
    if let 1..=9 = n { print(1); }
    if let 9..=1 = n { print(1); } //~ E0318
    if let \"a\" = n { print(1); } //~ E0317
    if let 'a'..='z' = b { print(1); }
    if let 5 | null = o { print(1); }
    if let null = n { print(1); } //~ E0317
    if let \"a\" | \"b\" = s { print(1); }
    if let x | 5 = o { print(x); } //~ E0319
    if let Some(x) = o { print(x); } //~ E0317
    while let 5 = n { n += 1; }
}
",
    );
}

#[test]
fn a_wrong_number_of_arguments_points_at_the_declaration() {
    let d = diagnostic("fn two(a: int, b: int) -> int { a + b }\nfn main() { print(two(1)); }", "E0303");
    assert_eq!(d.message, "`two` takes 2 arguments, but 1 is given");
    assert_eq!(d.labels.len(), 1);
}
