//! What is reported, where, and how often.

use super::{errors, parsed};
use crate::ast::ItemKind;

fn help(text: &str) -> String {
    parsed(text).diagnostics.first().and_then(|d| d.help.clone()).unwrap_or_default()
}

#[test]
fn helps_for_what_other_languages_write() {
    assert!(help("fn f() { let l = List<int>::new(); }").contains("`List::<int>::new()`"));
    assert!(help("fn f() { let g = |x| x + 1; }").contains("`fn(x: int) -> int { x + 1 }`"));
    assert!(help("fn f() { let g = a < b > (c); }").contains("`a < b && b > c`"));
}

#[test]
fn one_error_each_and_the_right_one() {
    let cases = [
        ("fn f() { let a = ; b; }", "1:18 E0102"),
        ("fn f() { a(1, , 2); b }", "1:15 E0102"),
        ("fn f() { a((1 + 2); b }", "1:19 E0103"),
        ("fn f() { a(1)); b }", "1:14 E0118"),
        ("fn f() { a[1, 2; b }", "1:13 E0101"),
        ("fn f(a: [int] { b }", "1:15 E0103"),
        ("fn f() { a\n b; }", "1:11 E0104"),
        ("fn f() { let a = 1 }", "1:19 E0104"),
        ("fn f() { a = b = c; d }", "1:16 E0105"),
        ("fn f() { if a = b { } }", "1:15 E0105"),
        ("fn f() { a < b < c }", "1:16 E0106"),
        ("fn f() { a(1..2); }", "1:13 E0107"),
        ("fn f() { a[1..=2]; }", "1:13 E0107"),
        ("fn f() { a[..]; }", "1:11 E0102"),
        ("fn f() { if a == P { x: 1 } { } }", "1:18 E0108"),
        ("fn f() { here: a(); b }", "1:10 E0109"),
        ("fn f() { let a; b }", "1:14 E0110"),
        ("fn f() { match a { 1 => b 2 => c, _ => d } }", "1:27 E0111"),
        ("fn f() { match a { 1 -> b, _ => d } }", "1:22 E0111"),
        ("fn f() { match a { 1, 2 => b, _ => d } }", "1:21 E0111"),
        ("fn f() { match a { => b, _ => d } e }", "1:20 E0115"),
        ("fn f() { match a { 1..2 => b, _ => d } }", "1:21 E0115"),
        ("fn f() { match a { b => c(1 2), _ => d } e }", "1:29 E0101"),
        ("fn match() { a }", "1:4 E0112"),
        ("fn f() { a. }", "1:13 E0112"),
        ("fn f() { fn g() { } }", "1:10 E0113"),
        ("fn f() { 1 = 2; }", "1:10 E0114"),
        ("fn f() { g() += 2; }", "1:10 E0114"),
        ("fn f() { (a) = 2; }", "1:10 E0114"),
        ("fn f(a: ) { }", "1:9 E0116"),
        ("enum E { A() }", "1:12 E0116"),
        ("print(1); fn f() { }", "1:1 E0117"),
        ("fn f() { } }", "1:12 E0118"),
        ("pub import a;", "1:1 E0119"),
        ("fn f(self: int) { }", "1:10 E0101"),
        ("struct P { x: int; y: int }", "1:18 E0101"),
        ("fn f() { P { x: , y: 2 }; a }", "1:17 E0102"),
        ("fn f() { let a = 9223372036854775808; }", "1:18 E0011"),
        ("fn f() { if { } }", "1:10 E0102"),
        ("fn f() { return * 2; }", "1:17 E0102"),
        ("fn f() { ; }", "1:10 E0101"),
        ("fn f() { let a = fn(x) { }; b }", "1:22 E0101"),
        ("fn f() { let a = 1 @ 2; }", "1:20 E0002"),
        ("fn f() { a(\"b); }\nfn g() { }", "1:12 E0004"),
        ("fn f() { a(“b”); }", "1:12 E0002"),
        ("fn f() { let 1 = 2; }", "1:14 E0112"),
        ("fn f() { let a: int? = b?; }", "1:25 E0101"),
    ];
    for (text, wanted) in cases {
        let found = errors(text);
        let found: Vec<&str> =
            found.iter().map(String::as_str).filter(|e| !text.contains('”') || *e == wanted).collect();
        assert_eq!(found, [wanted], "{text}");
    }
}

#[test]
fn independent_errors_are_all_reported() {
    let text = "fn f() {\n let a = 1 + ;\n let b = 2;\n if a > { b; }\n c(;\n}\nstruct S { x }\nimpl S {\n fn a(self) { self. }\n fn b(1) { 2 + }\n}\nfn g() { [1, 2; }\n";
    let lines: Vec<String> = errors(text).iter().map(|e| e.split(':').next().unwrap_or("").to_string()).collect();
    assert_eq!(lines, ["2", "4", "5", "7", "9", "10", "10", "12"], "{:?}", errors(text));
}

#[test]
fn a_missing_brace_is_reported_where_the_next_item_begins() {
    assert_eq!(errors("fn f() {\n if a {\n  b;\n}\n\nfn g() { }\nfn h() { 1 2 }\n"), ["6:1 E0103", "7:12 E0104"]);
    let outcome = parsed("fn f() {\n  if a {\n    b;\n}\n\nfn g() { }\n");
    assert_eq!(outcome.map.locate(outcome.diagnostics[0].labels[0].span.start).expect("a place").1.line, 2);
    assert_eq!(errors("fn f() { if a { b; }"), ["1:21 E0103"]);
    assert_eq!(errors("struct S { x: int\nfn f() { }\n"), ["2:1 E0101"]);
    assert_eq!(errors("impl S { fn a() { }\nstruct T { }"), ["2:1 E0101"]);
}

#[test]
fn nothing_is_said_about_what_a_lexical_error_has_broken() {
    assert_eq!(errors("fn f() {\n print(\"open);\n print(1);\n}\n"), ["2:8 E0004"]);
    assert_eq!(errors("fn f() { print(\"open"), ["1:16 E0004"]);
    assert_eq!(errors("fn f() {\n let a = 'x\n ;\n}\n"), ["2:10 E0005"]);
    assert_eq!(errors("fn f() { let a = @; }"), ["1:18 E0002"]);
    assert_eq!(errors("fn f() { } /* /* */"), ["1:12 E0006"]);
    assert_eq!(errors("fn f() { let a = \u{feff}1; }"), ["1:18 E0003"]);
    assert_eq!(errors("fn f() { \0\0 }"), ["1:10 E0002"]);
}

#[test]
fn what_is_broken_is_remembered_by_name() {
    let outcome = parsed("fn f(a: [int) { } struct S { x } fn g() { 1 + } const c = ;");
    let broken: Vec<&str> = outcome.module.broken.iter().map(|i| outcome.names.text(i.name)).collect();
    assert_eq!(broken, ["f", "S", "c"]);
    assert_eq!(outcome.module.items.len(), 4);
    assert!(matches!(outcome.module.items[2].kind, ItemKind::Function(_)));
}

#[test]
fn helps() {
    assert!(help("fn f() { a < b < c }").contains("a < b && b < c"));
    assert!(help("const A = 017;").contains("`0o17`"));
    assert!(help("fn f() { if a = b { } }").contains("`==`"));
    assert!(help("fn f() { a = +1; }").contains("no unary `+`"));
    assert!(help("fn f() { a(“b”); }").contains("straight quotes"));
}

#[test]
fn accepted_oddities() {
    for text in [
        "",
        "\u{feff}",
        "\u{feff}fn f() { }",
        "// comment",
        "/* /* */ */",
        "fn f() { let größe = \"日本\0\u{1}\"; größe; }",
        "fn f() { \r\n\r }",
        "let a = 1;// end",
        "fn fné() { }",
    ] {
        assert_eq!(errors(text), [""; 0], "{text:?}");
    }
}

#[test]
fn the_examples_of_the_codes_show_their_error_and_its_absence() {
    let mut shown = 0;
    for row in mini_diag::codes::SYNTAX {
        let Some((wrong, right)) = row.example.split_once("// right\n") else { continue };
        let Some(wrong) = wrong.strip_prefix("// wrong\n") else { continue };
        assert!(
            errors(wrong).iter().all(|e| e.ends_with(row.code)) && !errors(wrong).is_empty(),
            "{wrong}: {:?}",
            errors(wrong)
        );
        assert_eq!(errors(right), [""; 0], "{right}");
        shown += 1;
    }
    assert!(shown > 25);
}
