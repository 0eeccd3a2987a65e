//! Optionals, `null`, the common type of branches and elements.

use crate::support::errors;

#[test]
fn values_nulls_and_optionals_meet() {
    errors(
        "
fn f(c: bool, n: int, o: int?) {
    let a = if c { n } else { null };
    let b = [n, null, o];
    let d = if c { null } else if !c { o } else { n };
    print(a ?? 1, b[0] ?? 2, d ?? 3);
    let e = if c { n } else { \"s\" }; //~ E0315
    let g = [n, 1.5]; //~ E0315
    print(e, g);
}
",
    );
}

#[test]
fn context_gives_types_to_null_and_empty_arrays() {
    errors(
        "
fn take(a: [int?]) -> int { a.len() }
fn f() {
    let a: [int] = [];
    let b: [[string]] = [[], [\"a\"]];
    let c = [[], [1]];
    let d: int? = null;
    print(a, b, c, d, take([]), take([null, 1]), take([1]));
    let e = []; //~ E0307
    let g = null; //~ E0307
    let h = [[], []]; //~ E0307
    print([].len(), e, g, h); //~ E0307
    print(null); //~ E0307
}
fn g() -> [int] { [] }
fn h(c: bool) -> int? { if c { null } else { 1 } }
",
    );
}

#[test]
fn arrays_are_invariant() {
    errors(
        "
fn take(a: [int?]) -> int { a.len() }
fn f(a: [int]) {
    print(take(a)); //~ E0301
    let b = [[null], [1]]; //~ E0315
    print(b.len());
}
",
    );
}

#[test]
fn optionals_of_optionals_are_no_types() {
    errors(
        "
struct P { x: P?? } //~ E0308
fn f(a: int??) {} //~ E0308
fn g() -> fn() -> int?? { return g; } //~ E0308
fn h(a: [int?]?) { print(a == null); }
",
    );
}

#[test]
fn null_operators_need_optionals() {
    errors(
        "
fn f(n: int, o: int?, s: string?) {
    print(n!); //~ E0310
    print(n ?? 1); //~ E0310
    print(o ?? \"none\"); //~ E0301
    print(o ?? o ?? 1, o ?? o, s ?? \"x\");
    print(o ?? null ?? 1);
    let k: int = o ?? return;
    print(k);
}
",
    );
}
