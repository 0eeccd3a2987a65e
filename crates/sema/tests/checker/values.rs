//! Calls, struct values, indexing, methods.

use crate::support::errors;

#[test]
fn calls_match_their_declarations() {
    errors(
        "
struct P { f: fn(int) -> int, n: int }
fn two(a: int, b: int) -> int { a + b }
fn one(a: int?) -> int { a ?? 0 }
fn id(n: int) -> int { n }
fn f(p: P, h: fn(int) -> int) {
    print(two(1)); //~ E0303
    print(two(1, 2, 3)); //~ E0303
    print(two(\"1\", true)); //~ E0301 E0301
    print(one(null), one(1), p.f(1), (p.f)(1), h(2));
    print(h(two)); //~ E0301
    print(p.n(1)); //~ E0304
    print(f(1, 2, 3)); //~ E0303 E0301 E0301 E0314
    let g: fn(int) -> int = id;
    let k: fn(int) -> string = id; //~ E0301
    print(g(1), k == k, sqrt(2)); //~ E0301
    print(max(1.0, 2)); //~ E0301
    assert(); //~ E0303
    assert(1); //~ E0301
    assert(true, \"m\", 1); //~ E0303
    panic(); //~ E0303
}
",
    );
}

#[test]
fn built_in_functions_can_be_shadowed_and_are_no_values() {
    errors(
        "
fn abs(x: float) -> float { x }
fn f() {
    let max = fn_of();
    print(abs(1.5), max(1));
    let g = sqrt; //~ E0210
    let t = int; //~ E0205
    print(g, t);
}
fn fn_of() -> fn(int) -> int { id }
fn id(n: int) -> int { n }
",
    );
}

#[test]
fn struct_values_give_every_field_once() {
    errors(
        "
struct P { x: int, y: int }
fn f(y: int) {
    let a = P { x: 1 }; //~ E0213
    let b = P { x: 1, y, z: 3 }; //~ E0211
    let c = P { x: 1, x: 2, y }; //~ E0214
    let d = P { x: \"1\", y }; //~ E0301
    let e = P { y, x: 1 };
    let g = Q { x: 1 }; //~ E0202
    let h = f { x: 1 }; //~ E0205
    print(a.x, b.x, c.x, d.x, e.z, g.x, h.x); //~ E0211
}
",
    );
}

#[test]
fn elements_slices_and_methods() {
    errors(
        "
fn f(a: [int], s: string, n: int, o: [int]?) {
    print(a[0] + 1, s[0] == 'a', a[1..].len(), s[..2] + s[1..2]);
    print(a[\"0\"]); //~ E0301
    print(n[0]); //~ E0305
    print(o[0]); //~ E0305
    print(n[1..2]); //~ E0305
    print(a[..1.5]); //~ E0301
    print(a.first()); //~ E0212
    print(s.find(1)); //~ E0301
    print(s.len); //~ E0211
    print(n.x); //~ E0211
    print(o.len()); //~ E0212
    print(a.len(1)); //~ E0303
    print(s.split(\",\")[0].trim().len() + (s.find(\"x\") ?? 0));
    for x in a { print(x + 1); }
    for b in s { print(b == 'a'); }
    for i in n { print(i); } //~ E0306
    for i in o { print(i); } //~ E0306
    for i in 0..1.5 { print(i); } //~ E0301
    for i in 0..9 by 2 { print(i + 1); }
}
",
    );
}
