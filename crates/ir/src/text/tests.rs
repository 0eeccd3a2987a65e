//! Round trips of hand-written and random text, and what is said about text that is no IR.

use super::{SsaStyle, parse_module, print_module};
use crate::module::Module;
use mini_base::ids::Id;
use mini_base::testing::Random;

fn parsed(text: &str) -> Module {
    match parse_module(text) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Checks that the text is printed as it was written, in both styles through both.
fn round_trip(text: &str) {
    let module = parsed(text);
    assert_eq!(print_module(&module, SsaStyle::Params), text);
    let phis = print_module(&module, SsaStyle::Phi);
    let again = parsed(&phis);
    assert_eq!(print_module(&again, SsaStyle::Phi), phis);
    assert_eq!(print_module(&again, SsaStyle::Params), text);
}

#[test]
fn three_address_code() {
    round_trip(
        "\
func sum_to(n: int) -> int {
entry1:
  %1 = const 0
  s = copy %1
  %2 = const 0
  i = copy %2
  jmp head2
head2:
  %3 = lt i, n
  br %3, body3, exit4
body3:
  %4 = add s, i
  s = copy %4
  %5 = const 1
  %6 = add i, %5
  i = copy %6
  jmp head2
exit4:
  ret s
}
",
    );
}

#[test]
fn ssa_with_parameters_and_with_phis() {
    let params = "\
ssa func sum_to(n.1: int) -> int {
entry1:
  %1 = const 0
  jmp head2(%1, %1)
head2(i.2: int, s.2: int):
  %3 = lt i.2, n.1
  br %3, body3, exit4
body3:
  s.3 = add s.2, i.2
  %5 = const 1
  i.3 = add i.2, %5
  jmp head2(i.3, s.3)
exit4:
  ret s.2
}
";
    round_trip(params);
    let phis = print_module(&parsed(params), SsaStyle::Phi);
    assert!(
        phis.contains("\nhead2:\n  i.2 = phi [entry1: %1], [body3: i.3]\n  s.2 = phi [entry1: %1], [body3: s.3]\n"),
        "{phis}"
    );
    assert!(phis.contains("  jmp head2\n"), "{phis}");
}

#[test]
fn every_kind_of_instruction() {
    round_trip(
        "\
struct Point { x: float, o: int, o?: bool, \"a b\": ref }
struct Empty {}
struct \"closure in f\" { twice: int, twice: int }
global g: int
global \"global x\": ref
extern puts(ref) -> int
extern \"two words\"()

func f(a: ref, i: int, c: bool) -> int, bool {
entry1:
  %1 = const 1
  %2 = const -9223372036854775808
  %3 = const 1.5
  %4 = const true
  %5 = const 'a'
  %6 = const null
  %7 = undef int
  %8 = func_ref \"closure in f\"
  %9 = env
  %10 = new Point
  %11 = new_array [int?], i
  %12 = load_field Point.x, %10
  store_field Point.o?, %10, c
  %13 = load_field Point.\"a b\", %10
  %14 = load_field \"closure in f\".twice, %10
  %15 = load_field \"closure in f\".1, %10
  %16 = load_elem [int?].1, %11, i
  store_elem [float].0, %11, i, %3
  %17 = load_byte a, i
  %18 = len a
  %19 = load_global g
  store_global \"global x\", a
  p = slot int
  q.1 = slot addr
  store q.1, p
  %30 = load addr, q.1
  %31 = load int, %30
  check_bounds i, %18
  check_some a
  x, y = parcopy i, %12
  %20 = select c, x, i
  %21, %22 = call f(a, x, c)
  %23, %24 = rt find(a, a)
  %25 = call_ref %8(x, y) -> int
  call_ref %8()
  %26, %27 = call_ref %8() -> float, bool
  rt text_begin()
  call \"closure in f\"()
  %28 = xor c, %22
  %29 = call_extern puts(a)
  call_extern \"two words\"()
  br %28, b2, b3
b2:
  switch x, 1: b2, -5: b3, else b4
b3:
  ret %21, %22
b4:
  unreachable
}

hidden func \"closure in f\"() {
entry1:
  ret
}
",
    );
}

#[test]
fn conventional_ssa_and_branches_with_arguments() {
    round_trip(
        "\
cssa func f(c: bool, x: int) -> int {
entry1:
  a.1, %2 = parcopy x, x
  br c, b2(a.1), b2(%2)
b2(p.1: int):
  switch p.1, 0: b3(p.1, x), 7: b3(x, x), else b4
b3(q.1: int, q.2: int):
  ret q.1
b4:
  ret x
}
",
    );
}

#[test]
fn literals_keep_all_their_bits() {
    let mut text = String::from("func f() {\nentry1:\n");
    let literals = [
        "-0.0",
        "inf",
        "-inf",
        "NaN",
        "NaN(0x7ff0000000000001)",
        "NaN(0xfff8000000000000)",
        "1e16",
        "1.5e-7",
        "5e-324",
        "0.1",
        "'\\''",
        "'\"'",
        "'\\\\'",
        "'\\n'",
        "'\\0'",
        "'\\x7f'",
        "'\\xff'",
        "\"\"",
        "\"a\\\"'b\\\\\\n\\r\\t\\0\"",
        "\"\\xff\\xc3z\\x1b\"",
        "\"é日\"",
        "\"\\xc2\\x85\"",
    ];
    for (n, literal) in literals.iter().enumerate() {
        text += &format!("  %{} = const {literal}\n", n + 1);
    }
    text += "  ret\n}\n";
    round_trip(&text);
}

#[test]
fn comments_and_free_spacing_are_skipped() {
    let module = parsed("; head\n\n func f ( ) -> int{ ; x\nb :\n %1=const 1;y\n\n ret %1 }");
    assert_eq!(print_module(&module, SsaStyle::Params), "func f() -> int {\nb:\n  %1 = const 1\n  ret %1\n}\n");
}

#[test]
fn types_that_nothing_shows_are_declared() {
    round_trip("func f() {\n  var x: byte\n  var y: byte\na1:\n  x = copy y\n  y = copy x\n  jmp a1\n}\n");
    // Without the declaration there is an error that says how to write it.
    let error = parse_module("func f() {\na1:\n  x = copy y\n  jmp a1\n}").expect_err("no type");
    assert_eq!((error.line, error.column), (3, 3));
    assert!(error.message.contains("`var x: int`"), "{error}");
    // Types flow backwards too.
    parsed("func f() {\na1:\n  x = copy y\n  y = const 1\n  jmp a1\n}");
    // A phi that is fed by itself alone.
    let text = "ssa func f() {\n  var %1: ref\na1:\n  jmp a1\nb2:\n  %1 = phi [b2: %1]\n  jmp b2\n}\n";
    let module = parsed(text);
    assert_eq!(print_module(&module, SsaStyle::Phi), text);
}

#[test]
fn a_version_may_have_another_type_than_its_variable() {
    round_trip("func f() -> int {\na1:\n  x.1 = slot int\n  x = const 1\n  store x.1, x\n  ret x\n}\n");
}

#[test]
fn the_start_function_is_main_or_named() {
    let module = parsed("func main() {\na:\n  ret\n}\nfunc \"start up\"() {\na:\n  ret\n}\nstart \"start up\"\n");
    let text = print_module(&module, SsaStyle::Params);
    assert!(text.starts_with("start \"start up\"\n\nfunc main"), "{text}");
    let module = parsed("func g() {\na:\n  ret\n}\nfunc main() {\na:\n  ret\n}\n");
    assert_eq!(module.start, module.find("main"));
}

#[test]
fn new_names_do_not_collide_with_read_ones() {
    use crate::func::ValueName;
    let mut module = parsed("ssa func f(x.7: int) {\nentry41:\n  %90 = const 1\n  ret\n}\n");
    let func = &mut module.funcs[crate::module::FuncId::new(0)];
    let block = func.new_block("b");
    assert_eq!(func.label(block), "b42");
    let temp = func.new_temp(crate::types::Type::Int);
    assert_eq!(func.value_name(temp), ValueName::Temp(91));
    let like = func.new_value_like(func.params[0]);
    assert_eq!(super::value_text(func, like), "x.8");
}

#[test]
fn errors_tell_place_and_expectation() {
    let cases = [
        ("func", 1, 5, "expected the function's name, found the end of the text"),
        ("x", 1, 1, "expected `struct`, `variant`, `global`, `extern`, `start`, or a function, found `x`"),
        ("func f() {\n  ret\n}", 2, 3, "expected a block's label, found `ret`"),
        ("func f() {\na:\n  jmp b\n}", 3, 7, "there is no block `b` in this function"),
        ("func f() {\na:\na:\n}", 3, 1, "there is a block `a` already"),
        ("func f() {\na:\n  é = frob 1\n}", 3, 7, "expected an operation, found `frob`"),
        ("func f() {\na:\n  ret 1\n}", 3, 7, "expected a value, found `1`"),
        ("func f() {\na:\n  %1 = const 9223372036854775808\n}", 3, 14, "this is no 64-bit int"),
        ("func f() {\na:\n  %1 = const \"a\n}", 3, 14, "the quote is not closed on this line"),
        ("func f() {\na:\n  call g()\n}", 3, 3, "there is no function `g`"),
        ("struct S { x: int }\nfunc f(r: ref) {\na:\n  %1 = load_field S.y, r\n}", 4, 3, "the layout has no field `y`"),
        ("func f() {\na:\n}\nfunc f() {\na:\n}", 4, 1, "there is a function `f` already"),
        (
            "ssa func f() {\na:\n  jmp b\nb:\n  x = phi [a: x], [a: x]\n  ret\n}",
            5,
            3,
            "no edge from `a` leads here, or not so many",
        ),
        ("ssa func f() {\na:\n  jmp b\nb:\n  x = phi\n  ret\n}", 5, 3, "the phi has 0 arguments for 1 incoming edges"),
        ("func f() {\na9999999999:\n  x.4294967295 = const 1\n}", 3, 5, "expected a number below 2147483648"),
        ("func f() {\na:\n  #\n}", 3, 3, "unexpected character '#'"),
        ("func f(x: string) {", 1, 11, "expected a type: int, float, bool, byte, ref, addr, found `string`"),
    ];
    for (text, line, column, message) in cases {
        let error = parse_module(text).expect_err(text);
        assert_eq!((error.line, error.column, error.message.as_str()), (line, column, message), "{text}");
    }
}

#[test]
fn damaged_text_never_panics() {
    let seed = print_module(&parsed(include_str!("sample.ir")), SsaStyle::Phi);
    let mut random = Random(1);
    let pieces = [
        "",
        "(",
        ")",
        "\n",
        ":",
        "%1",
        "%99999999999",
        "\"",
        "'",
        "\\",
        ".",
        "-",
        "é",
        "phi",
        "[",
        "]",
        "const",
        "1.5e",
        "NaN(",
        "0x",
        ",",
        "ssa ",
        "\u{feff}",
    ];
    for _ in 0..3000 {
        let mut text: Vec<char> = seed.chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            let end = (at + random.below(6)).min(text.len());
            let piece = pieces[random.below(pieces.len())];
            text.splice(at..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(module) = parse_module(&text) {
            let once = print_module(&module, SsaStyle::Params);
            if let Ok(again) = parse_module(&once) {
                assert_eq!(print_module(&again, SsaStyle::Params), once);
            }
        }
    }
}

#[test]
fn random_functions_round_trip() {
    let mut random = Random(7);
    for round in 0..200 {
        let blocks = 1 + random.below(8);
        let mut text =
            format!("ssa func f(p: int, c: bool{}) -> int {{\n", if round % 2 == 0 { ", q.3: int" } else { "" });
        let mut next = 1;
        let counts: Vec<usize> = (0..blocks).map(|b| if b == 0 { 0 } else { random.below(3) }).collect();
        for b in 0..blocks {
            let params: Vec<String> = (0..counts[b]).map(|n| format!("x{b}.{}: int", n + 1)).collect();
            let list = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
            text += &format!("b{}{list}:\n", b + 1);
            for _ in 0..random.below(4) {
                text += &format!("  %{next} = {}\n", ["const 5", "add p, p", "copy p", "abs p"][random.below(4)]);
                next += 1;
            }
            let edge = |random: &mut Random| {
                let target = random.below(blocks);
                let args = vec!["p"; counts[target]].join(", ");
                format!("b{}{}", target + 1, if args.is_empty() { String::new() } else { format!("({args})") })
            };
            text += &match random.below(4) {
                0 => "  ret p\n".to_string(),
                1 => format!("  jmp {}\n", edge(&mut random)),
                2 => format!("  br c, {}, {}\n", edge(&mut random), edge(&mut random)),
                _ => format!(
                    "  switch p, 3: {}, -4: {}, else {}\n",
                    edge(&mut random),
                    edge(&mut random),
                    edge(&mut random)
                ),
            };
        }
        text += "}\n";
        round_trip(&text);
    }
}
