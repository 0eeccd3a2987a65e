//! Generic items: bounds, inference, type arguments, and what is wrong with them.

use crate::support::{check, errors};

/// Some generic items that the programs share.
const ITEMS: &str = "
struct Pair<A, B> { a: A, b: B }
enum Opt<T> { None, Some(T) }
struct Box<T> { x: T }
impl<T> Box<T> {
    fn of(x: T) -> Box<T> { Box { x } }
    fn empty() -> Box<[T]> { Box { x: [] } }
    fn get(self) -> T { self.x }
    fn map<U>(self, f: fn(T) -> U) -> Box<U> { Box { x: f(self.x) } }
    fn wrap(self) -> Box<Box<T>> { Box { x: self } }
    fn or(self, o: T?) -> T { o ?? self.x }
}
impl<T: Eq> Box<T> { fn has(self, x: T) -> bool { self.x == x } }
impl<T: Show> Box<T> { fn show(self) -> string { string(self.x) } }
impl<A, B> Pair<B, A> { fn flip(self) -> Pair<A, B> { Pair { a: self.b, b: self.a } } }
fn id<T>(x: T) -> T { x }
fn pick<T>(_a: T, b: T) -> T { b }
fn apply<A, B>(f: fn(A) -> B, x: A) -> B { f(x) }
fn none<T>() -> T? { null }
fn takes(b: Box<int>) -> int { b.x }
fn takes_list(b: Box<[int]>) -> int { b.x[0] }
";

fn with_items(program: &str) {
    errors(&format!("{ITEMS}{program}"));
}

#[test]
fn arguments_say_what_stands_for_parameters() {
    with_items(
        "
fn main() {
    let a: int = id(1);
    let b: string = id(\"x\");
    let c: Pair<int, string> = Pair { a, b };
    let d: Pair<string, int> = c.flip();
    let e: float = Box::of(2.5).get();
    let f: string = Box::of(1).map(fn(n: int) -> string { string(n) }).get();
    let g: [bool] = apply(fn(n: int) -> [bool] { [n > 0] }, 3);
    let h: Opt<int> = Opt::Some(1);
    let i: bool = id(1); //~ E0301
    let j: Box<string> = Box::of(1); //~ E0301
    print(d.a, e, f, g, h == h, i, j.x, pick(1, \"x\")); //~ E0302 E0301
}
",
    );
}

#[test]
fn what_needs_a_context_waits_for_the_other_arguments() {
    with_items(
        "
fn main() {
    let a: int? = pick(null, id(none::<int>()));
    let b: [int] = pick([], [1]);
    let c: [int] = pick([1], []);
    let d: Box<[int]> = pick(Box::empty(), Box::of([1]));
    let e: int = apply(id, 5);
    let f: [[int]] = pick([[]], [[1]]);
    print(a, b, c, d, e, f, pick(null, 1)); //~ E0301
    let g: Pair<int?, int?> = Pair { a: null, b: null };
    let h: int = Box::of(1).or(null);
    let i = pick(if h > 1 { [] } else { null }, id(none::<[int]>()));
    print(g.a, i);
}
",
    );
}

#[test]
fn the_expected_type_says_what_the_arguments_leave_open() {
    with_items(
        "
fn make() -> Box<[string]> { Box::empty() }
fn early(c: bool) -> Opt<int> { if c { return Opt::None; } Opt::Some(1) }
fn main() {
    let a: Box<[int]> = Box::empty();
    let b: int? = none();
    let c: Opt<float> = Opt::None;
    let d: Opt<int>? = Opt::None;
    let e: fn(int) -> int = id;
    print(takes_list(Box::empty()), a, b, e(1), make(), early(true) == early(false)); //~ E0302
    let f: Opt<int> = if b == null { Opt::None } else { Opt::Some(1) };
    let g = if b == null { Opt::None } else { Opt::Some(1) };
    let h: Box<[int]> = id(Box::empty());
    match c { None => {} Some(x) => print(x + 1.0) }
    match d { null => {} None => {} Some(x) => print(x + 1) }
    match f { None => {} Some(x) => print(x + 1) }
    match g { None => {} Some(x) => print(x + 1) }
    let i: Box<[int]>? = a;
    print(h, i ?? Box::empty());
}
",
    );
}

#[test]
fn what_stays_open_is_an_error() {
    with_items(
        "
fn main() {
    let a = Opt::None; //~ E0307
    let b = Box::empty(); //~ E0307
    let c = id; //~ E0307
    let d = none(); //~ E0307
    let e = Box { x: [] }; //~ E0307
    none(); //~ E0307
    id(null); //~ E0307
    print(none()); //~ E0307
    let f = none::<int>();
    let g = Box::<int>::empty();
    let h = id::<float>;
    let i = Opt::<int>::None;
    let k = Pair::<int, [int]> { a: 1, b: [] };
    print(f, g, h(1.0), k.a);
    match i { None => {} Some(n) => print(n) }
    match a { _ => {} }
    print(b, c == c, d, e);
}
",
    );
}

#[test]
fn type_arguments_are_as_many_as_parameters() {
    with_items(
        "
fn f(a: Box, b: Box<int, int>, c: int<int>) {} //~ E0309 E0309 E0309
fn t<T>(x: T<int>) { id(x); } //~ E0309
fn main() {
    print(id::<int, int>(1)); //~ E0309
    print(takes::<int>(Box::of(1))); //~ E0309
    let b = Box::<int, int>::of(1); //~ E0309
    let c = Box::of::<int>(1); //~ E0309
    let d = Box::of(1).get::<int>(); //~ E0309
    let e = Box::of(1).map::<string>(fn(n: int) -> string { string(n) });
    let g = Pair::<int> { a: 1, b: 2 }; //~ E0309
    let h = Opt::None::<int>; //~ E0309 E0307
    print(e, \"\".len::<int>()); //~ E0309
    f(b, c, d); t(1); print(g, h);
}
",
    );
}

#[test]
fn type_parameters_are_suggested() {
    let found = check("fn f<Item>(x: Itm) -> int { g(x) }\nfn g(x: T) -> int { 1 }\nfn main() { print(f(1)); }").0;
    let helps: Vec<&str> = found.iter().filter_map(|(_, d)| d.help.as_deref()).collect();
    assert!(helps.iter().any(|help| help.contains("`Item`")), "{helps:?}");
    assert!(helps.iter().any(|help| help.contains("`<T>`")), "{helps:?}");
}

#[test]
fn an_unknown_type_argument_is_one_error() {
    with_items(
        "
fn main() {
    let a: Box<missing> = Box { x: null }; //~ E0202
    let b: Pair<int, missing> = id(Pair { a: 1, b: [] });
    let c: Opt<absent> = Opt::None; //~ E0202
    print(a.x, b.a, c == c);
}
",
    );
}

#[test]
fn bodies_can_do_what_the_bounds_say() {
    errors(
        "
fn eq<T>(a: T, b: T) -> bool { a == b } //~ E0302
fn eq2<T: Eq>(a: T, b: T) -> bool { a == b && a != b }
fn lt<T: Eq>(a: T, b: T) -> bool { a < b } //~ E0302
fn lt2<T: Ord>(a: T, b: T) -> bool { a < b }
fn eq3<T: Ord>(a: T, b: T) -> bool { a == b } //~ E0302
fn h<T: Eq>(a: T) -> int { hash(a) } //~ E0311
fn h2<T: Hash>(a: T) -> int { hash(a) }
fn p<T>(a: T) { print(a); } //~ E0311
fn p2<T: Show>(a: T, b: [T?]) { print(a, b); }
fn s<T>(a: [T]) -> string { string(a) } //~ E0311
fn n<T>(a: T?) -> bool { a == null || a != null }
fn n2<T>(a: T?, b: T?) -> bool { a == b } //~ E0302
fn n3<T: Eq>(a: T?, b: T?) -> bool { a == b }
fn add<T: Ord>(a: T, b: T) -> T { a + b } //~ E0302
fn field<T>(a: T) -> int { a.x } //~ E0211
fn call<T>(a: T) { a.go(); } //~ E0212
fn arrays<T>(a: [T], b: [T]) -> bool { a == b }
fn through<T>(a: T, b: T) -> bool { eq2(a, b) } //~ E0311
fn through2<T: Eq + Hash>(a: T, b: T) -> bool { eq2(a, b) }
",
    );
}

#[test]
fn what_stands_for_a_parameter_has_its_bounds() {
    with_items(
        "
struct Map<K: Hash + Eq, V> { k: [K], v: [V] }
impl<K: Hash + Eq, V> Map<K, V> { fn new() -> Map<K, V> { Map { k: [], v: [] } } }
impl<K, V> Map<K, V> { fn len(self) -> int { self.k.len() + self.v.len() } } //~ E0311
enum E { A(int), B }
fn show<T: Show>(x: T) -> string { string(x) }
fn key<T: Hash>(x: T) -> int { hash(x) }
fn f(a: Map<float, int>) -> int { a.len() } //~ E0311
fn main() {
    let a: Map<[int], int> = Map::new(); //~ E0311
    let b = Map::<int, E>::new();
    print(a.len(), b.len(), show(1), show(E::A(1)), show(E::B), key(1.0)); //~ E0311 E0311
    print(Box::of(E::B).has(E::B)); //~ E0311
    print(Box::of(1), show(Box::of(\"x\")), show([Box::of(1)]));
    print(Box::of(E::B)); //~ E0311
    print(f(Map { k: [1.0], v: [1] })); //~ E0311
}
",
    );
}

#[test]
fn impls_name_the_parameters_of_their_type() {
    errors(
        "
struct Pair<A, B> { a: A, b: B }
struct Plain { n: int }
impl Pair { fn f(self) -> int { 1 } } //~ E0309
impl<T> Pair<T, T> { fn f(self) -> int { 1 } } //~ E0309
impl<T> Pair<T, int> { fn f(self) -> int { 1 } } //~ E0309
impl<T> Plain<T> { fn f(self) -> int { 1 } } //~ E0309
impl<A, B, C> Pair<A, B> { fn f(self) -> int { 1 } } //~ E0309
impl<A, A> Pair<A, A> { fn f(self) -> int { 1 } } //~ E0204 E0309
impl<X, Y> Pair<Y, X> { fn f(self) -> Y { self.a } fn g<X>(self, x: X) -> X { x } } //~ E0204
fn twice<T, T>(x: T) -> T { x } //~ E0204
fn bound<T: Debug + Eq>(x: T) -> bool { x == x } //~ E0322
fn use_all(p: Pair<int, string>) -> int { twice(1); bound(1); p.f() + Plain { n: 1 }.n }
",
    );
}

#[test]
fn structs_like_arrays_may_be_generic() {
    errors(
        "
struct Grid<T> { cells: [T] }
impl<T> Grid<T> {
    fn index(self, i: int) -> T { self.cells[i] }
    fn index_set(self, i: int, x: T) { self.cells[i] = x; }
    fn len(self) -> int { self.cells.len() }
}
struct Count<T> { left: int, x: T }
impl<T> Count<T> { fn next(self) -> T? { if self.left == 0 { return null; } self.left -= 1; self.x } }
fn main() {
    let g = Grid { cells: [1, 2] };
    g[0] += g[1];
    g[0] = \"x\"; //~ E0301
    for x in g { print(x + 1); }
    for x in (Count { left: 3, x: \"a\" }) { print(x + \"b\"); }
    for x in (Count { left: 3, x: \"a\" }) { print(x + 1); } //~ E0302
}
",
    );
}

#[test]
fn types_that_grow_without_end_are_refused_not_followed() {
    let mut program = String::from(ITEMS);
    program.push_str("fn main() {\n    let b0 = Box::of(1);\n");
    for i in 0..3_000 {
        program.push_str(&format!("    let b{} = b{i}.wrap();\n", i + 1));
    }
    program.push_str("    print(1);\n}\n");
    let found = check(&program).0;
    assert!(found.iter().any(|(_, d)| d.code == "E0321"), "{found:?}");
    let program = program.replace(".wrap()", "").replace("= b", "= Box::of(b").replace(";\n", ");\n");
    let program = program.replace("Box::of(1));", "Box::of(1);").replace("print(1));", "print(1);");
    let found = check(&program).0;
    assert!(found.iter().any(|(_, d)| d.code == "E0321"), "{found:?}");
}
