//! Enums and `match`.

use crate::support::{diagnostic, errors, with_warnings};

#[test]
fn variants_are_values_of_their_enum() {
    errors(
        "
enum Color { Red, Green }
enum Shape { Circle(float), Rect(float, float), Dot }
fn f(c: Color, s: Shape) {
    let a = Color::Blue; //~ E0216
    let b = Shape::Circle; //~ E0303
    let d = Shape::Dot(1); //~ E0303
    let e = Shape::Circle(1); //~ E0301
    let g: Red = c; //~ E0205
    print(a, b == s, d == s, e == s, g); //~ E0302 E0302 E0302
    print(c == Color::Red, c < c, int(c), string(c), hash(c), [c]);
    print(s); //~ E0311
    print(s == s); //~ E0302
    print(int(s)); //~ E0312
    print(c == s); //~ E0302
    print(Color); //~ E0205
}
enum Twice { A, A } //~ E0204
const C = Color::Red; //~ E0503
",
    );
}

#[test]
fn a_match_covers_every_value() {
    errors(
        "
enum Color { Red, Green }
enum Tree { Leaf(int), Node(Tree, Color, Tree) }
fn f(c: Color, t: Tree, n: int, b: byte, s: string, o: int?, p: bool) {
    match c { Red => {}, Green => {} }
    match c { Red => {} } //~ E0320
    match c { Red => {}, Green if n > 1 => {} } //~ E0320
    match t { Leaf(_) => {}, Node(_, Red, _) => {} } //~ E0320
    match t { Leaf(0) => {}, Node(_, _, _) => {} } //~ E0320
    match n { 0 => {}, 1..=9 => {} } //~ E0320
    match n { x => print(x), }
    match b { '\\x00'..='\\x7f' => {}, '\\x80'..='\\xff' => {} }
    match b { '\\x00'..='\\xfe' => {} } //~ E0320
    match s { \"a\" => {} } //~ E0320
    match o { null => {}, 1 => {} } //~ E0320
    match o { null => {}, x => print(x + 1), }
    match o { x => print(x + 1), } //~ E0302
    match o { 5 | null => {}, x => print(x + 1), }
    match p { true => {}, false => {} }
}
",
    );
    let missing = |text: &str| diagnostic(text, "E0320").message;
    let program =
        |body: &str| format!("enum T {{ L(int), N(T, bool) }} fn f(t: T, n: int, o: int?, b: byte) {{ {body} }}");
    let named = |body: &str, value: &str| {
        let message = missing(&program(body));
        assert!(message.ends_with(&format!("does not cover `{value}`")), "{message}");
    };
    named("match t { L(_) => {}, N(L(_), _) => {} }", "N(N(_, _), _)");
    named("match t { L(0) => {}, N(_, _) => {} }", "L(1)");
    named("match t { L(_) => {}, N(_, true) => {} }", "N(_, false)");
    named("match n { 0..=9 => {} }", "10");
    named("match o { 1 => {} }", "0");
    named("match o { null => {} }", "0");
    named("match b { 'a' => {} }", "'\\x00'");
}

#[test]
fn arms_agree_and_narrow_and_can_be_unreachable() {
    errors(
        "
fn f(n: int, o: int?) -> int {
    let a = match n { 0 => 1, _ => \"a\" }; //~ E0315
    let b = match n { 0 => null, 1 => 2, _ => o };
    let c: string = match n { 0 => \"z\", _ => n }; //~ E0301
    let d: int;
    match n { 0 => { d = 1; }, _ => panic(\"no\"), }
    let e: int;
    match n { 0 => { e = 1; }, 1 => {}, _ => { e = 2; } }
    print(a, b ?? 0, c, d, e); //~ E0401
    match n { 0 => print(1), _ => 5, } //~ E0301
    match n { 0 if o != null => print(o + 1), _ => print(2), }
    match n { 0 => { return 1; }, _ => { return 2; } }
}
fn g(n: int) -> int {
    match n { 0 => { return 1; }, _ => { print(2); } }
} //~ E0313
fn h(n: int) -> int {
    match n { 0 => { print(1); }, _ => panic(\"no\") }
} //~ E0313
",
    );
    with_warnings(
        &["W0006"],
        "
fn main() {
    match args().len() {
        1..=5 => {}
        3 => {} //~ W0006
        n if n > 9 => {}
        _ => {}
        7 => {} //~ W0006
    }
}
",
    );
}

#[test]
fn variant_patterns_fit_their_variants() {
    errors(
        "
enum Color { Red, Green }
enum Shape { Circle(float), Rect(float, float) }
fn f(c: Color, s: Shape, n: int, o: Color?) {
    match s { Circle(a, b) => {}, _ => {} } //~ E0303
    match s { Rect => {}, _ => {} } //~ E0303
    match c { Red(x) => {}, _ => {} } //~ E0303
    match c { Purple(x) => {}, _ => {} } //~ E0317
    match c { Color::Purple => {}, _ => {} } //~ E0317
    match c { Colour::Red => {}, _ => {} } //~ E0202
    match c { Shape::Circle(x) => {}, _ => {} } //~ E0317
    match n { Circle(a) => {}, _ => {} } //~ E0317
    match s { Rect(x, x) => {}, _ => {} } //~ E0204
    match s { Circle(x) | Rect(x, _) => print(x), }
    match s { Circle(x) | Rect(y, _) => print(x), } //~ E0319 E0319
    match o { Red => {}, Color::Green => {}, null => {} }
    match n { 1 | other => {} } //~ E0319
    match c { Red => print(1), other => print(other) }
    if let Red = o { print(1); }
}
",
    );
}

#[test]
fn many_arms() {
    let arms: Vec<String> = (0..20_000).map(|i| format!("{i} => {i},")).collect();
    errors(&format!("fn main() {{ print(match args().len() {{ {} _ => 0 }}); }}", arms.concat()));
    let arms: Vec<String> = (0..20_000).map(|i| format!("\"k{i}\" => {i},")).collect();
    errors(&format!("fn main() {{ print(match read_all() {{ {} _ => 0 }}); }}", arms.concat()));
    let variants: Vec<String> = (0..20_000).map(|i| format!("V{i}(int),")).collect();
    let arms: Vec<String> = (0..20_000).map(|i| format!("V{i}(n) => n,")).collect();
    errors(&format!(
        "enum E {{ {} }} fn f(e: E) -> int {{ match e {{ {} }} }} fn main() {{ print(f(E::V1(2))); }}",
        variants.concat(),
        arms.concat()
    ));
}
