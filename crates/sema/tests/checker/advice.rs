//! Helps name the form that fits: one error for each mistake, with what its help must say.

use crate::support::check;
use mini_diag::diagnostic::Severity;

/// The program has one error, with this code, whose help (or label) contains a text.
fn one(text: &str, code: &str, wanted: &str) {
    let text = if text.contains("fn main(") { text.to_string() } else { format!("fn main() {{ {text} }}") };
    let (found, _) = check(&text);
    let errors: Vec<_> = found.iter().map(|(_, d)| d).filter(|d| d.severity == Severity::Error).collect();
    assert_eq!(errors.iter().map(|d| d.code).collect::<Vec<_>>(), [code], "{text}: {errors:?}");
    let said = [errors[0].help.clone(), errors[0].label.clone()].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let said = said + "; " + &errors[0].labels.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join("; ");
    assert!(said.contains(wanted), "{text}: {said}");
}

#[test]
fn null_wants_an_optional_type() {
    one("let s: string = null; print(s);", "E0301", "`string?`");
    one("let n = 1; n = null; print(n);", "E0301", "`int?`");
    one("struct N { next: N } fn f(n: N) { print(n.next == n); } fn main() { f(N { next: null }); }", "E0301", "`N?`");
    one("fn g(a: float) { print(a); } fn main() { g(null); }", "E0301", "`float?`");
    one("let f: fn() = null; f();", "E0301", "`(fn())?`");
}

#[test]
fn results_and_values_of_blocks() {
    one("fn f(a: int) { return a; } fn main() { f(1); }", "E0301", "`-> int`");
    one("fn f(a: int) { a } fn main() { f(1); }", "E0301", "`-> int`");
    one("let f = fn(a: int) { return a; }; f(1);", "E0301", "`-> int`");
    one("fn f(a: int) -> int { if a > 1 { 3 } 4 } fn main() { print(f(1)); }", "E0301", "`return 3;`");
    one("fn f(a: int) -> int { if a > 1 { 3 } 4 } fn main() { print(f(1)); }", "E0301", "`else`");
    one("let r = args().len(); let c = if r > 1 { 1 }; print(c);", "E0314", "`else`");
    one("fn f(a: int) -> int { if a > 1 { 3 } } fn main() { print(f(1)); }", "E0314", "`else`");
    one("fn f(n: int) -> int { n * 2; } fn main() { print(f(1)); }", "E0313", "without the `;`");
    one("fn f(n: int) -> int { print(n); } fn main() { print(f(1)); }", "E0313", "the result type is written here");
}

#[test]
fn operands_that_need_a_conversion() {
    one("print(1 + 2.5);", "E0302", "`1.0`");
    one("let b = args().len(); print(2.0 * b);", "E0302", "`float(b)`");
    one("let a = args().len(); print(a / 2.0);", "E0302", "`float(a)`");
    one("let n = args().len(); print(\"n = \" + n);", "E0302", "`string(n)`");
    one("let n = args().len(); print(n + \" items\");", "E0302", "`string(n)`");
    one("print(\"a\" + 'b');", "E0302", "`byte_string('b')`");
    one("let s = \"a\"; s += 'x'; print(s);", "E0302", "`\"x\"`");
    one("print(\"yes\" == 'y');", "E0302", "`\"y\"`");
    one("let s = \"a\"; print(s[0] == \"a\");", "E0302", "`'a'`");
    one("let s = \"a\"; print(s[0] + 1);", "E0302", "`int(s[0])`");
    one("print(min(1.0, 2.0));", "E0301", "`min_float`");
    one("print(abs(-1.5), max(1, 2));", "E0301", "`abs_float`");
}

#[test]
fn conditions_that_are_no_bools() {
    one("let n = args().len(); if n { print(1); }", "E0301", "`n != 0`");
    one("let k = read_line(); while k { print(1); }", "E0301", "`k != null`");
    one("let k = read_line(); if !k { print(1); }", "E0301", "`k != null`");
}

#[test]
fn fields_are_not_narrowed() {
    let program = "struct L { next: L?, v: int } fn f(l: L) { if l.next != null { print(l.next.v); } }
        fn main() { f(L { next: null, v: 1 }); }";
    one(program, "E0211", "`if let x = l.next { … }`");
    one("let a: [int?] = [1]; if a[0] != null { print(a[0] + 1); }", "E0302", "don't narrow elements");
    one("let a = parse_int(\"1\"); print(a + 1);", "E0302", "test it with `!= null`");
}

#[test]
fn names_of_the_wrong_kind_and_from_elsewhere() {
    let program = "struct Point { x: int } fn main() { let point = Point { x: 1 }; print(pont.x, point.x); }";
    one(program, "E0201", "`point`");
    one("let x: int? = None; print(x);", "E0201", "`null`");
    one("print(True);", "E0201", "`true`");
    one("print(not(true));", "E0201", "`!…`");
    one("print(str(5));", "E0201", "`string(5)`");
    one("print(len(\"abc\"));", "E0201", "`\"abc\".len()`");
    one("print(trim(\"abc\"));", "E0201", "`\"abc\".trim(…)`");
    one("print(\"abc\".length);", "E0211", ".len()`");
    one("let a = [1]; print(a.size());", "E0212", "`a.len()`");
    one("let a = [1]; a.push(4);", "E0212", "fixed length");
    one("let s = \"5\"; print(s.to_int());", "E0212", "`parse_int(s)`");
    one("let x: integer = 1; print(x);", "E0202", "`int`");
    one("let x: boolean = true; print(x);", "E0202", "`bool`");
    one("let x: str = \"\"; print(x);", "E0202", "`string`");
    let (found, _) = check("fn Main() {}");
    assert!(found[0].1.help.as_ref().is_some_and(|help| help.contains("`main`")), "{found:?}");
}

#[test]
fn missing_arguments_are_named() {
    one("fn g(a: int, b: bool) { print(a, b); } fn main() { g(1); }", "E0303", "missing: `b: bool`");
    one("print(fixed(1.0));", "E0303", "`fixed(float, int)`");
    one("print(sqrt(1.0, 2.0));", "E0303", "1 argument too many");
}

#[test]
fn both_operands_are_labelled() {
    let (found, _) = check("fn main() { print(1 + 2.5, true * 2); }");
    for (_, d) in &found {
        assert_eq!(d.labels.len(), 2, "{d:?}");
    }
}

#[test]
fn variants_are_named_with_their_enum() {
    one(
        "enum S { Dot, Line(int) } fn main() { let s = Line(1); match s { Dot => {} Line(n) => print(n) } }",
        "E0201",
        "with its enum",
    );
    one(
        "enum S { Dot, Line(int) } fn main() { let s = Dot; match s { Dot => {} Line(n) => print(n) } }",
        "E0201",
        "with its enum",
    );
    one("let o = parse_int(\"1\"); match o { Some(x) => print(x), null => {} }", "E0317", "`null` matches null");
}

#[test]
fn slips_that_look_like_something_else() {
    let found = check("enum E { A, B(int) }\nfn f(e: E) -> int { match e { A => 1, B(x) => x +, } }\nfn main() { print(f(E::A), f(E::B(1))); }").0;
    assert_eq!(found.iter().map(|(_, d)| d.code).collect::<Vec<_>>(), ["E0102"], "a broken arm is one error");
    let text = "enum S { Dot, Line } fn main() { match S::Dot { Dot => print(1), Lime => print(2) } }";
    let found = check(text).0;
    assert!(found.iter().any(|(_, d)| d.help.as_deref().is_some_and(|h| h.contains("no variant `Lime`"))), "{found:?}");
    one("let s: String = \"\"; print(s);", "E0202", "write `string`");
    let boxed = "struct Box<T> { v: T } fn main() { let b: Box<int?> = Box { v: 3 }; print(b.v); }";
    one(boxed, "E0301", "`Box::<int?>`");
    let shown = "enum S { Dot, Line(int) } struct B<T> { v: T } impl<T: Show> B<T> { fn show(self) -> string { string(self.v) } } fn main() { print(B { v: S::Line(1) }); match S::Dot { Dot => {} Line(n) => print(n) } }";
    one(shown, "E0311", "`S` does not have `Show`");
    let method = "struct B<T> { v: T } impl<T> B<T> { fn none<U>(self) -> U? { null } } fn main() { let x = (B { v: 1 }).none(); }";
    one(method, "E0307", "`x.none::<…>(…)`");
}

#[test]
fn methods_are_no_fields() {
    one(
        "struct P { n: int } impl P { fn get(self) -> int { self.n } } fn main() { print((P { n: 1 }).get); }",
        "E0211",
        "`.get()`",
    );
}
