//! Methods, associated functions, structs used like arrays.

use crate::support::{diagnostic, errors, with_warnings};

#[test]
fn methods_are_called_on_values_and_functions_on_types() {
    errors(
        "
struct P { x: int, f: fn(int) -> int }
impl P {
    fn new(x: int) -> P { P { x, f: twice } }
    fn get(self) -> int { self.x }
    fn f(self, s: string) -> int { s.len() + self.x }
    fn set(self, x: int) { self.x = x; self = self; } //~ E0316
    fn wrong() -> int { self.x } //~ E0206
    fn get(self) -> int { 2 } //~ E0204
}
enum E { A, B }
impl E { fn flip(self) -> E { match self { A => E::B, B => E::A } } }
fn twice(n: int) -> int { n * 2 }
fn user(p: P, e: E, o: P?) {
    print(p.get(), P::new(1).get(), p.f(\"a\"), (p.f)(1), e.flip(), P::wrong());
    print(p.new(1)); //~ E0212
    print(P::get()); //~ E0215
    print(P::old()); //~ E0216
    print(p::get()); //~ E0205
    print(p.f(1)); //~ E0301
    print(p.get(1)); //~ E0303
    print(get(p)); //~ E0201
    print(o.get()); //~ E0212
    print(P.get()); //~ E0205
    let make = P::new;
    print(make(1).x);
}
impl Q { fn f(self) {} } //~ E0202
fn free(self) {} //~ E0206
",
    );
    let d = diagnostic(
        "struct P { x: int } impl P { fn length(self) -> int { self.x } } fn f(p: P) { print(p.lenght()); }",
        "E0212",
    );
    assert_eq!(d.help.as_deref(), Some("did you mean `length`?"));
}

#[test]
fn show_makes_a_type_printable() {
    errors(
        "
struct P { x: int }
impl P { fn show(self) -> string { string(self.x) } }
struct Q { x: int }
impl Q { fn show(self) -> int { self.x } }
enum E { A(int) }
impl E { fn show(self) -> string { \"e\" } }
fn f(p: P, q: Q, e: E) { print(p, [p], string(p), e); print(q); } //~ E0311
",
    );
}

#[test]
fn structs_with_index_are_used_like_arrays() {
    errors(
        "
struct V { a: [int] }
impl V {
    fn len(self) -> int { self.a.len() }
    fn index(self, i: int) -> int { self.a[i] }
    fn index_set(self, i: int, v: int) { self.a[i] = v; }
}
struct N { n: int }
impl N { fn next(self) -> string? { self.n -= 1; if self.n > 0 { \"x\" } else { null } } }
struct M { m: int }
fn f(v: V, n: N, m: M) {
    print(v[0] + 1);
    v[0] = 1;
    v[0] += 1;
    v[\"0\"] = 1; //~ E0301
    v[0] = \"1\"; //~ E0301
    v[0] += 1.5; //~ E0302
    m[0] = 1; //~ E0305
    n[0] += 1; //~ E0305
    print(m[0]); //~ E0305
    for x in v { print(x + 1); }
    for s in n { print(s.len()); }
    for x in m { print(x); } //~ E0306
}
",
    );
}

#[test]
fn showing_a_value_uses_its_method() {
    with_warnings(
        &["W0003"],
        "
struct P { x: int }
impl P { fn show(self) -> string { string(self.x) } }
struct Q { x: int }
impl Q { fn show(self) -> string { string(self.x) } } //~ W0003
fn main() {
    let p: [P?] = [P { x: 1 }];
    print(p, Q { x: 1 }.x);
}
",
    );
}
