//! What is parsed as what.

use super::{expression, parsed, tree};
use crate::ast::ItemKind;
use crate::lexer::lex;
use crate::token::print_tokens;
use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::Diagnostics;

#[test]
fn tokens_are_the_longest_possible() {
    let text = "a>>=b>>>c >= d??e..=1..2 // x\n\"s\\n\" 'b' 0xff fn é";
    let (mut map, mut names, mut diagnostics) = (SourceMap::new(), Names::new(), Diagnostics::new());
    let id = map.add(std::path::Path::new("t.mini"), text.into()).expect("small");
    let tokens = lex(map.file(id), &mut names, &mut diagnostics);
    let printed = print_tokens(&tokens, map.file(id), &names);
    let words: Vec<&str> = printed.lines().filter_map(|l| l.split_whitespace().nth(2)).collect();
    let wanted = "a >>= b >>> c >= d ?? e ..= 1 .. 2 \"s\\n\" 'b' 0xff fn é";
    assert_eq!(words.join(" "), wanted);
    assert!(printed.starts_with("1:1      name     a\n1:2      symbol   >>=\n"), "{printed}");
    assert!(printed.ends_with("2:19     name     é\n2:20     end\n"), "{printed}");
}

#[test]
fn levels_of_operators() {
    assert_eq!(expression("1 + 2 * 3 - 4"), "chain\n  int 1\n  +\n  chain\n    int 2\n    *\n    int 3\n  -\n  int 4");
    assert_eq!(
        expression("a | b ^ c & d"),
        "chain\n  path a\n  |\n  chain\n    path b\n    ^\n    chain\n      path c\n      &\n      path d"
    );
    assert_eq!(
        expression("a || b && c == d"),
        "chain\n  path a\n  ||\n  chain\n    path b\n    &&\n    compare ==\n      path c\n      path d"
    );
    assert_eq!(
        expression("a ?? b ?? c || d"),
        "coalesce ??\n  path a\n  path b\n  chain\n    path c\n    ||\n    path d"
    );
    assert_eq!(expression("-a.b!"), "unary -\n  postfix\n    path a\n    field b\n    unwrap");
    assert_eq!(expression("a << 1 >> 2 >>> 3"), "chain\n  path a\n  <<\n  int 1\n  >>\n  int 2\n  >>>\n  int 3");
    assert_eq!(expression("a >= b"), "compare >=\n  path a\n  path b");
    assert_eq!(expression("a > -b"), "compare >\n  path a\n  unary -\n    path b");
    assert_eq!(expression("a + b == c"), "compare ==\n  chain\n    path a\n    +\n    path b\n  path c");
}

#[test]
fn angle_brackets_in_types_are_split() {
    let text = tree("let a: List<List<int>>= b; fn f(x: Map<int, List<[int]?>>?) -> fn() -> int? {}");
    assert!(text.contains("let a: List<List<int>>\n"), "{text}");
    assert!(text.contains("fn f(x: Map<int, List<[int]?>>?) -> fn() -> int?\n"), "{text}");
    assert!(tree("fn f(x: (fn() -> int)?) { g::<List<int>>(x) }").contains("fn f(x: (fn() -> int)?)"));
    assert_eq!(expression("List::<int>::new()"), "postfix\n  path List::<int>::new\n  call");
    assert_eq!(expression("x.map::<int?>(f)"), "postfix\n  path x\n  method map::<int?>\n    path f");
}

#[test]
fn the_smallest_int_is_a_negated_literal() {
    assert_eq!(expression("-9223372036854775808"), "unary -\n  int -9223372036854775808");
    assert_eq!(expression("--9223372036854775808"), "unary -\n  unary -\n    int -9223372036854775808");
    assert!(
        tree("fn f() { match x { -9223372036854775808..=-1 => 1, _ => 2 } }")
            .contains("pattern int -9223372036854775808..=-1")
    );
}

#[test]
fn statements_end_at_their_brace() {
    let text = tree("fn f() { if a { } -1; match b { } (c); { d } }");
    assert_eq!(
        text,
        "fn f()\n  block\n    expression\n      if\n        path a\n        block\n    expression ;\n      unary -\n        int 1\n    expression\n      match\n        path b\n    expression ;\n      parentheses\n        path c\n    value\n      block\n        value\n          path d\n"
    );
    assert!(tree("fn f() { let x = if a { 1 } else { 2 } + 3; }").contains("chain"));
    assert!(tree("fn f() { while a { }; for i in b { } }").contains("for i"));
}

#[test]
fn struct_literals_and_heads() {
    assert!(tree("fn f() { if a == (P { x: 1 }) { } }").contains("struct P"));
    assert!(tree("fn f() { while g([P { x }], P { }) { } }").contains("struct P"));
    assert!(tree("fn f() { if p { here: while true { } } }").contains("here: while"));
    assert!(tree("fn f() { match p { x => 1 } }").contains("pattern name x"));
    assert_eq!(expression("m::P::<int> { a: 1, b }"), "struct m::P::<int>\n  field a\n    int 1\n  field b");
}

#[test]
fn loops() {
    let text = tree("fn f() { here: for by in by..=n by by { break here; } for _ in a.b { continue } }");
    assert!(
        text.contains("here: for by\n      range ..=\n        path by\n        path n\n        by\n          path by"),
        "{text}"
    );
    assert!(text.contains("break here") && text.contains("for _\n      postfix"), "{text}");
    assert!(tree("fn f() { while let x | null = g() { } }").contains("let\n        pattern |"));
}

#[test]
fn matches_and_patterns() {
    let text = tree(
        "fn f() { match x { 1 | (2 | 3) => a, 'a'..='z' if c => { b } A(B::C(_), \"s\") => return, null => (), } }"
            .replace("()", "(1)")
            .replace("f(1)", "f()")
            .as_str(),
    );
    assert!(
        text.contains("pattern |\n            pattern int 1\n            pattern int 2\n            pattern int 3"),
        "{text}"
    );
    assert!(text.contains("pattern byte 97..=122\n          guard"), "{text}");
    assert!(text.contains("pattern variant A\n            pattern variant B::C\n              pattern _\n            pattern string \"s\""), "{text}");
}

#[test]
fn slices_indexes_and_arrays() {
    assert_eq!(
        expression("a[1..][..2][i..j][k]"),
        "postfix\n  path a\n  slice\n    from\n      int 1\n  slice\n    to\n      int 2\n  slice\n    from\n      path i\n    to\n      path j\n  index\n    path k"
    );
    assert_eq!(expression("[0; n]"), "repeat\n  int 0\n  path n");
    assert_eq!(expression("[1, 2,]"), "array\n  int 1\n  int 2");
    assert_eq!(
        expression("fn(x: int, _: byte) -> int { x }(1, 2)"),
        "postfix\n  closure (x: int, _: byte) -> int\n    block\n      value\n        path x\n  call\n    int 1\n    int 2"
    );
}

#[test]
fn items() {
    let text = tree(
        "/// A point.\n/// Two lines.\npub struct P<T: Eq + Ord, U> { a: T, b: U, }\nimport a.b.{c, d};\nimport e;\npub enum E { A, B(int, [E]), }\n\
         impl<T: Eq> P<T, int> { pub fn new() -> P { x } fn m(self, y: int) { } }\nextern fn puts(s: string) -> int;\nconst C: int = 1;\npub let g = [1];\nfn f<T>(_: T) { }",
    );
    let heads = [
        "/// A point.",
        "/// Two lines.",
        "pub struct P<T: Eq + Ord, U>",
        "import a.b.{c, d}",
        "import e",
        "pub enum E",
        "  variant B(int, [E])",
        "impl<T: Eq> P<T, int>",
        "  pub fn new() -> P",
        "  fn m(self, y: int)",
        "extern fn puts(s: string) -> int",
        "const C: int",
        "pub let g",
        "fn f<T>(_: T)",
    ];
    for head in heads {
        assert!(text.lines().any(|l| l == head), "{head}: {text}");
    }
}

#[test]
fn spans_cover_their_text() {
    let text = "fn f() { let a = -b.c(1)[2] + 3 * d; }";
    let outcome = parsed(text);
    let ItemKind::Function(f) = &outcome.module.items[0].kind else { panic!("a function") };
    assert_eq!(outcome.map.text(outcome.module.items[0].span), text);
    assert_eq!(outcome.map.text(f.signature.span), "fn f()");
    assert_eq!(outcome.map.text(f.body.span), &text[7..]);
    assert_eq!(outcome.map.text(f.body.close), "}");
    let crate::ast::StatementKind::Let { value: Some(value), .. } = &f.body.statements[0].kind else { panic!("a let") };
    assert_eq!(outcome.map.text(f.body.statements[0].span), "let a = -b.c(1)[2] + 3 * d;");
    assert_eq!(outcome.map.text(value.span), "-b.c(1)[2] + 3 * d");
    let crate::ast::ExprKind::Chain { first, rest } = &value.kind else { panic!("a chain") };
    assert_eq!(outcome.map.text(first.span), "-b.c(1)[2]");
    assert_eq!(outcome.map.text(rest[0].1), "+");
    assert_eq!(outcome.map.text(rest[0].2.span), "3 * d");
}
