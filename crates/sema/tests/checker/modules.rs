//! Modules: what can be named from where, in which order globals are initialised.

use crate::support::{check_modules, modules};
use mini_sema::modules::Part::{Imported, Library, Prelude, Root};

const SHAPES: &str = "
pub struct Circle { radius: float }
struct Hidden { x: int }
pub enum Shape { Round(Circle), Empty }
pub const CORNERS = 4;
const SECRET = 5;
pub let made = 0;
let count = 0;
pub fn area(c: Circle) -> float { made += 1; c.radius * 3.0 }
fn helper() -> int { SECRET + count + area(Circle { radius: 1.0 }).to() }
impl Circle {
    pub fn new(radius: float) -> Circle { Circle { radius } }
    fn private_new() -> Circle { Circle::new(float(helper())) }
    pub fn grown(self) -> Circle { Circle::new(self.radius * 2.0).same() }
    fn same(self) -> Circle { self }
    pub fn show(self) -> string { string(self.radius) }
}
pub fn hidden() -> Hidden { Hidden { x: 1 } }
impl Hidden { pub fn get(self) -> int { self.x } }
pub fn user() -> Circle { Circle::private_new() }
";

/// [`SHAPES`] without its deliberate misfit.
fn shapes() -> String {
    SHAPES
        .replace(".to()", " > 1.0")
        .replace("-> int { SECRET + count + area", "-> bool { SECRET + count > 3 && area")
        .replace("float(helper())", "if helper() { 1.0 } else { 2.0 }")
}

fn with_shapes(root: &str) {
    modules(&[("main", Root, root), ("geometry.shapes", Imported, &shapes())]);
}

#[test]
fn public_items_are_named_with_their_module_or_brought_by_braces() {
    with_shapes(
        "
import geometry.shapes;
import geometry.shapes.{area, Circle};
const TWICE = shapes::CORNERS * 2;
let first: shapes::Shape = shapes::Shape::Empty;
fn main() {
    let c = shapes::Circle { radius: 1.0 };
    let d: Circle = shapes::Circle::new(2.0);
    print(area(c), shapes::area(d.grown()), TWICE);
    shapes::made += 1;
    shapes::made = shapes::CORNERS;
    let f = shapes::area;
    let g = shapes::Circle::new;
    print(f(g(1.0)), c, [c]);
    match first { shapes::Shape::Round(c) => print(c), shapes::Shape::Empty => print(0) }
    match first { Round(_) => {}, Empty => {} }
    if let shapes::Shape::Round(c) = first { print(c.radius); }
    print(shapes::hidden().get());
}
",
    );
}

#[test]
fn what_is_private_is_refused_where_it_is_named() {
    with_shapes(
        "
import geometry.shapes;
import geometry.shapes.{Hidden, helper, CORNERS}; //~ E0217 E0217
fn main() {
    shapes::helper(); //~ E0217
    print(shapes::SECRET, CORNERS); //~ E0217
    shapes::count = 1; //~ E0217
    let h: shapes::Hidden? = null; //~ E0217
    let i = shapes::Hidden { x: 1 }; //~ E0217
    print(shapes::hidden().x); //~ E0217
    let c = shapes::Circle::private_new(); //~ E0217
    print(c.same()); //~ E0217
    print(Hidden { x: 1 }, helper());
}
",
    );
}

#[test]
fn what_a_module_has_not_is_reported_where_it_is_named() {
    with_shapes(
        "
import geometry.shapes;
import geometry.shapes.{Cirle, nothing}; //~ E0218 E0218
fn main() {
    shapes::aera(); //~ E0218
    let c: shapes::Square? = null; //~ E0218
    shapes(); //~ E0304
    print(shapes); //~ E0205
    shapes = 1; //~ E0316
    let d: shapes = 1; //~ E0205
    let e = shapes { x: 1 }; //~ E0205
    print(shapes::Circle::nothing()); //~ E0216
    print(shapes::area::more); //~ E0205
    match 1 { shapes::area => {}, _ => {} } //~ E0205
    print(math::PI); //~ E0202
}
",
    );
    let (found, _) = check_modules(&[
        (
            "main",
            Root,
            "import a;\nimport c.{f};\nfn main() { print(a::lenght, length); math::f(); g(); let t: T = f(); StringBilder::new(); }",
        ),
        ("a", Imported, "pub const length = 1;\nimport b;\nimport c.{f};"),
        ("c", Imported, "pub fn f() {}\npub fn g() {}\npub struct T {}"),
    ]);
    let helps: Vec<&str> = found.iter().filter_map(|(_, _, d)| d.help.as_deref()).collect();
    for help in [
        "did you mean `length`?",
        "write `a::length`",
        "`import std.math;` makes the library's module known",
        "the module `c` has it: `import c.{g};`",
        "the module `c` has it: `import c.{T};`",
        "did you mean `StringBuilder`?",
    ] {
        assert!(helps.contains(&help), "{help}: {helps:?}");
    }
}

#[test]
fn names_meet_in_one_namespace() {
    modules(&[
        (
            "main",
            Root,
            "
import one.util; import two.util; //~ E0203
import one.util.{f, f}; //~ E0203
import two.util.{f}; //~ E0203
fn g() {}
import one.util.{g}; //~ E0203
import one.util.{h};
const h = 1; //~ E0203
fn main() { util::f(); f(); g(); }
",
        ),
        ("one.util", Imported, "pub fn f() {}\npub fn g() {}\npub fn h() {}"),
        ("two.util", Imported, "pub fn f() {}"),
    ]);
}

#[test]
fn modules_may_import_each_other_and_do_not_pass_on_what_they_import() {
    modules(&[
        (
            "main",
            Root,
            "
import a;
fn main() { print(a::even(10), a::LIMIT, a::T { x: 1 }.other().x); a::odd(1); a::b::odd(1); } //~ E0218 E0218
",
        ),
        (
            "a",
            Imported,
            "
import b;
import b.{odd};
pub struct T { x: int }
impl T { pub fn other(self) -> b::T { b::T { x: self.x } } }
pub const LIMIT = b::HALF * 2;
pub const START = 3;
pub fn even(n: int) -> bool { n == 0 || odd(n - 1) || b::odd(n - 1) }
",
        ),
        (
            "b",
            Imported,
            "
import a;
pub struct T { x: int }
pub const HALF = a::START + 1;
pub fn odd(n: int) -> bool { n != 0 && a::even(n - 1) }
fn misfit(t: T) -> a::T { t } //~ E0301
",
        ),
    ]);
}

#[test]
fn types_of_one_name_are_told_apart() {
    let (found, _) = check_modules(&[
        ("main", Root, "import a;\nstruct T { x: int }\nfn main() { let t: T = a::make(); print(t.x); }"),
        ("a", Imported, "pub struct T { x: int }\npub fn make() -> T { T { x: 1 } }"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    let message = &found[0].2.message;
    assert!(message.contains("`T`") && message.contains("`a::T`"), "{message}");
}

#[test]
fn constants_and_types_of_globals_depend_on_each_other_across_modules() {
    modules(&[
        ("main", Root, "import a;\npub const X = a::Y + 1;\npub let g = a::h;\nfn main() { print(X, g); }"),
        (
            "a",
            Imported,
            "
import b;
pub const Y = b::Z; //~ E0505
pub let h = b::i; //~ E0506
",
        ),
        ("b", Imported, "import a;\npub const Z = a::Y;\npub let i = a::h;"),
    ]);
}

#[test]
fn globals_are_initialised_behind_those_of_imported_modules() {
    let files = [
        ("main", Root, "import b;\nimport a;\nlet m = a::x + b::x;\nfn main() { print(m); }"),
        ("b", Imported, "import c;\npub let x = c::x;"),
        ("a", Imported, "import b;\npub let x = b::x;"),
        ("c", Imported, "import a;\npub let x = 1;\npub let y = a::x;"),
    ];
    let (found, program) = check_modules(&files);
    let program = program.unwrap_or_else(|| panic!("{found:?}"));
    let order: Vec<(String, u32)> = program.globals.iter().map(|g| (g.name.to_string(), g.span.start.0)).collect();
    let names: Vec<&str> = order.iter().map(|(name, _)| name.as_str()).collect();
    // b imports c, which imports a, which imports b again: a, c, b, then the root.
    assert_eq!(names, ["x", "x", "y", "x", "m"]);
    let a_before_c_before_b = order[0].1 > order[3].1 && order[1].1 > order[0].1;
    assert!(a_before_c_before_b, "{order:?}");
}

#[test]
fn a_global_without_a_zero_is_not_read_before_its_module_has_its_turn() {
    modules(&[
        ("main", Root, "import a;\nlet late = a::p.x;\nfn main() { print(late); }"),
        ("a", Imported, "import b;\npub struct P { x: int }\npub let p = P { x: b::n };"),
        ("b", Imported, "import a;\npub let n: int = a::p.x; //~ E0507"),
    ]);
}

#[test]
fn unused_imports_are_warned_about_and_pub_functions_are_not() {
    modules(&[
        (
            "main",
            Root,
            "
import a; //~ W0004
import a.{f, g}; //~ W0004
import b;
fn main() { f(); b::f(); }
",
        ),
        ("a", Imported, "pub fn f() {}\npub fn g() {}\nfn h() {} //~ W0003\nfn main() {} //~ W0003"),
        ("b", Library, "pub fn f() {}\nfn unused(a: int) {}"),
    ]);
}

#[test]
fn the_prelude_is_known_everywhere_and_may_be_shadowed() {
    let prelude = "
pub struct Pile<T> { items: [T] }
impl<T> Pile<T> { pub fn new(x: T) -> Pile<T> { Pile { items: [x] } } pub fn len(self) -> int { self.items.len() } }
pub fn pile() -> Pile<int> { helper() }
fn helper() -> Pile<int> { Pile::new(1) }
pub fn sqrt(x: int) -> int { x }
";
    modules(&[
        (
            "main",
            Root,
            "
import a;
fn main() { let p: Pile<int> = pile(); print(p.len(), a::size(), Pile::new(true).len(), sqrt(1)); helper(); } //~ E0201
impl<T> Pile<T> { fn more(self) {} } fn user() { pile().more(); } //~ E0219
",
        ),
        ("a", Imported, "struct Pile { n: int }\npub fn size() -> int { Pile { n: 1 }.n + pile().len() }"),
        ("std.pile", Prelude, prelude),
    ]);
    modules(&[
        (
            "main",
            Root,
            "fn pile() -> int { 1 }\nfn main() { print(pile() + 1); let sqrt = fn(x: bool) -> bool { x }; print(sqrt(true)); }",
        ),
        ("std.pile", Prelude, prelude),
    ]);
}

#[test]
fn indexing_and_for_need_public_methods() {
    modules(&[
        (
            "main",
            Root,
            "
import a;
fn main() {
    let open = a::Open { x: 1 };
    let shut = a::Shut { x: 1 };
    open[0] = open[1];
    open[0] += 1;
    for v in open { print(v); }
    shut[0] = 2; //~ E0217
    print(shut[0]); //~ E0217
    for v in shut { print(v); } //~ E0217 E0217
    print(open, shut);
}
",
        ),
        (
            "a",
            Imported,
            "
pub struct Open { x: int }
impl Open {
    pub fn len(self) -> int { 2 }
    pub fn index(self, i: int) -> int { self.x + i }
    pub fn index_set(self, i: int, v: int) { self.x = i + v; }
    fn show(self) -> string { \"open\" }
}
pub struct Shut { x: int }
impl Shut {
    fn len(self) -> int { 2 }
    fn index(self, i: int) -> int { self.x + i }
    fn index_set(self, i: int, v: int) { self.x = i + v; }
    fn show(self) -> string { \"shut\" }
}
",
        ),
    ]);
}
