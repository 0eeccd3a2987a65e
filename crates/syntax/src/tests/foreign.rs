//! Forms of other languages: one error each, which names Mini's form.

use super::parsed;

/// The text has one error, at this place, whose help contains a text.
fn one(text: &str, place: &str, wanted: &str) {
    let outcome = parsed(text);
    assert_eq!(outcome.diagnostics.len(), 1, "{text}: {:?}", outcome.diagnostics);
    let error = &outcome.diagnostics[0];
    let at = outcome.map.locate(error.span.start).expect("it has a place").1;
    assert_eq!(format!("{}:{}", at.line, at.column), place, "{text}: {error:?}");
    let help = error.help.clone().unwrap_or_default();
    assert!(help.contains(wanted), "{text}: {help}");
}

#[test]
fn statements() {
    one("fn f() { var q = 1; q; }", "1:10", "`let`");
    one("fn f() { int k = 3; k; }", "1:10", "`let k: int");
    one("fn f() { let mut m = 1; m; }", "1:14", "leave it out");
    one("fn f() { x := 2; x; }", "1:10", "`let x = …;`");
    one("fn f() { if a { } elif b { } c; }", "1:19", "`else if`");
    one("fn f() { switch 3 { } c; }", "1:10", "`match`");
    one("fn f() { print \"hi\"; c; }", "1:10", "`print(…)`");
    one("fn f() { loop { b; } c; }", "1:10", "`while true { … }`");
    one("fn f() { for (i = 0; i < 3; i++) { b; } c; }", "1:14", "`for i in 0..n { … }`");
    one("fn f() { for i, x in a { b; } c; }", "1:15", "a.len()");
    one("fn f() { if x > 3:\n b; }", "1:18", "in braces");
    one("fn f() { if (x) b; c; }", "1:17", "in braces");
    one("fn f() { const z = 2; z; }", "1:10", "use `let`");
}

#[test]
fn expressions() {
    one("fn f() { let a = c ? 1 : 2; b; }", "1:20", "`if c { a } else { b }`");
    one("fn f() { a(n->value); b; }", "1:13", "`.`");
    one("fn f() { let p = new P { x: 1 }; b; }", "1:22", "`P { field: value }`");
    one("fn f() { j++; b; }", "1:12", "`x += 1`");
    one("fn f() { ++j; b; }", "1:10", "`x += 1`");
    one("fn f() { j--; b; }", "1:13", "`x -= 1`");
    one("fn f() { x =+ 1; b; }", "1:13", "`+=`");
    one("fn f() { if a and b { } c; }", "1:15", "`&&`");
    one("fn f() { if a or b { } c; }", "1:15", "`||`");
    one("fn f() { if not a { } c; }", "1:17", "`!`");
    one("fn f() { a(2 ** 3); b; }", "1:15", "`pow(x, y)`");
    one("fn f() { let p = P { x = 1 }; b; }", "1:24", "`name: value`");
    one("fn f() { a[0, 1]; b; }", "1:13", "`a[0][1]`");
}

#[test]
fn declarations() {
    one("fn add(a: int, b: int): int { a }", "1:23", "`->`");
    one("fn add(int a) { a }", "1:8", "`name: type`");
    one("func f() { a; } fn g() { }", "1:1", "`fn`");
    one("def f() { a; } fn g() { }", "1:1", "`fn`");
    one("fn f() { let b: int[] = c; b; }", "1:20", "`[T]`");
}

#[test]
fn what_is_missing_at_the_end_of_a_line_is_reported_there() {
    let place = |text: &str| {
        let outcome = parsed(text);
        assert_eq!(outcome.diagnostics.len(), 1, "{text}: {:?}", outcome.diagnostics);
        let at = outcome.map.locate(outcome.diagnostics[0].span.start).expect("it has a place").1;
        format!("{}:{}", at.line, at.column)
    };
    assert_eq!(place("let x = 3\nfn f() { }\n"), "1:10");
    assert_eq!(place("import a.b\nfn f() { }\n"), "1:11");
    assert_eq!(place("struct P {\n    x: int\n    y: int\n}\n"), "2:11");
    assert_eq!(parsed("struct P {\n x: int\n y: int\n}\n").module.items.len(), 1);
}
