//! Operators, conversions, requirements.

use crate::support::{diagnostic, errors};

#[test]
fn both_sides_have_one_type_that_the_operator_takes() {
    errors(
        "
fn f(n: int, x: float, t: bool, b: byte, s: string, a: [int]) {
    print(n + x); //~ E0302
    print(x % x, n % n, s + s, t & t, n & n, n >>> n);
    print(x & x); //~ E0302
    print(b + b); //~ E0302
    print(s - s); //~ E0302
    print(a + a); //~ E0302
    print(x << n); //~ E0302
    print(n << x); //~ E0302
    print(n + x + s); //~ E0302 E0302
    print(b + b + b); //~ E0302
    print(-s); //~ E0302
    print(~x); //~ E0302
    print(!n); //~ E0301
    print(n && t); //~ E0301
    print(-x, ~n, !t);
}
",
    );
}

#[test]
fn comparisons() {
    errors(
        "
struct P { x: int }
fn g() {}
fn f(n: int, o: int?, b: byte, p: P, a: [int]) {
    print(n == b); //~ E0302
    print(o == n, n != o, o == o);
    print(o < n); //~ E0302
    print(o < o); //~ E0302
    print(p == p, a == a, g == g);
    print(p < p); //~ E0302
    print(a == p); //~ E0302
    print(a == []);
    print(g() == g()); //~ E0314 E0314
    print(n == null); //~ E0310
    print(b < 'x', true > false, \"a\" <= \"b\");
}
",
    );
}

#[test]
fn conversions_exist_or_do_not() {
    errors(
        "
fn f(n: int, x: float, t: bool, b: byte, s: string, o: int?) {
    print(int(x), int(b), int(t), float(n), byte(n), string(n), string(o), string(s));
    print(int(n)); //~ E0312
    print(int(s)); //~ E0312
    print(float(b)); //~ E0312
    print(byte(x)); //~ E0312
    print(bool(n)); //~ E0312
    print(int(o)); //~ E0312
    print(int()); //~ E0303
    print(int(x, x)); //~ E0303
}
",
    );
}

#[test]
fn showing_and_hashing_have_requirements() {
    errors(
        "
struct P { x: int }
fn g() {}
fn f(p: P, a: [P], o: [int?]) {
    print(p); //~ E0311
    print(string(a)); //~ E0311
    print(g); //~ E0311
    print(g()); //~ E0314
    print(o, hash(1), hash('a'), hash(true), hash(\"s\"));
    print(hash(1.0)); //~ E0311
    print(hash(o)); //~ E0311
}
",
    );
}

#[test]
fn advice_tells_the_way_out() {
    let d = diagnostic("fn main() { let n: int = 1.5; print(n); }", "E0301");
    assert_eq!(d.message, "expected `int`, found `float`");
    assert_eq!(d.help.as_deref(), Some("convert it with `int(1.5)`"));
    assert_eq!(d.labels[0].text, "the type is written here");
    let d = diagnostic("fn main() { let count = 1; print(coutn + count); }", "E0201");
    assert_eq!(d.help.as_deref(), Some("did you mean `count`?"));
    assert_eq!(d.fix.map(|f| f.replacement).as_deref(), Some("count"));
    let d = diagnostic("fn main() { prnt(1); }", "E0201");
    assert_eq!(d.help.as_deref(), Some("did you mean `print`?"));
    let d = diagnostic("fn main() { print(\"a\".lenn()); }", "E0212");
    assert_eq!(d.help.as_deref(), Some("did you mean `len`?"));
}
