//! Lowered programs as text: what the textbook would write.

use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::Diagnostics;
use mini_ir::module::Module;
use mini_ir::text::SsaStyle;
use mini_sema::check::Purpose;
use std::path::Path;

fn lower(source: &str) -> Module {
    let (mut sources, mut names, mut diagnostics) = (SourceMap::new(), Names::new(), Diagnostics::new());
    let file = sources.add(Path::new("test.mini"), source.into()).expect("small");
    let file = sources.file(file);
    let tree = mini_syntax::parser::parse_file(file, &mut names, &mut diagnostics);
    let modules = mini_sema::modules::Module::root(tree, file.pos(0));
    let program = mini_sema::check::check(&modules, &names, Purpose::Executable, &mut diagnostics);
    let program = program.unwrap_or_else(|| panic!("{:#?}", diagnostics.into_sorted()));
    let module = mini_lower::program::lower(&program, mini_lower::program::Extent::All);
    if let Err(errors) = mini_ir::verify::verify_module(&module) {
        panic!("{}\n{errors:#?}", mini_ir::text::print_module(&module, SsaStyle::Params));
    }
    module
}

/// The TAC of the first function.
fn first(source: &str) -> String {
    let module = lower(source);
    let func = module.funcs.iter().next().expect("a function");
    mini_ir::text::print_func(func, &module.info, SsaStyle::Params)
}

#[test]
fn sum_to_is_the_textbooks() {
    let source = "fn sum_to(n: int) -> int { let s = 0; let i = 0; while i < n { s += i; i += 1; } s }\nfn main() { print(sum_to(3)); }";
    let want = "\
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
";
    assert_eq!(first(source), want);
    let design = include_str!("../../../docs/design.md");
    let shown: String = want.lines().map(|line| format!("  {line}\n")).collect();
    assert!(design.contains(&shown), "the design shows it, letter for letter");
}

#[test]
fn a_variable_that_a_later_operand_assigns_is_copied_where_it_was_read() {
    let source = "fn f(x: int) -> int { x + { x = 2; x } * x }\nfn main() { print(f(1)); }";
    let want = "\
func f(x: int) -> int {
entry1:
  %3 = copy x
  %1 = const 2
  x = copy %1
  %2 = mul x, x
  %4 = add %3, %2
  ret %4
}
";
    assert_eq!(first(source), want);
}

#[test]
fn a_scalar_optional_is_a_payload_and_a_flag() {
    let source = "fn f(x: int?) -> int? { if x != null { x + 1 } else { null } }\nfn main() { print(f(1) ?? 0); }";
    let text = first(source);
    assert!(text.starts_with("func f(x: int, x?: bool) -> int, bool {\nentry1:\n  br x?, then2, else3\n"), "{text}");
}

#[test]
fn shadowed_variables_have_names_of_their_own() {
    let text = first("fn f(x: int) -> int { let x = x + 1; let x = x * 2; x }\nfn main() { print(f(1)); }");
    assert!(
        text.contains("x$2 = copy %2") && text.contains("x$3 = copy %4") && text.ends_with("  ret x$3\n}\n"),
        "{text}"
    );
}

#[test]
fn a_loop_variable_that_nobody_assigns_counts_itself() {
    let plain = first("fn f(n: int) -> int { let s = 0; for i in 0..n { s += i; } s }\nfn main() { print(f(1)); }");
    assert!(!plain.contains("counter"), "{plain}");
    let assigned =
        first("fn f(n: int) -> int { let s = 0; for i in 0..n { i += 1; s += i; } s }\nfn main() { print(f(1)); }");
    assert!(assigned.contains("counter"), "{assigned}");
}

#[test]
fn unreachable_code_leaves_no_blocks() {
    let text = first("fn f() -> int { return 1; print(2); 3 }\nfn main() { print(f()); }");
    assert_eq!(text, "func f() -> int {\nentry1:\n  %1 = const 1\n  ret %1\n}\n");
}

#[test]
fn long_chains_do_not_recurse() {
    let sum = vec!["a"; 100_000].join(" + ");
    let ifs: String = (0..50_000).map(|i| format!("else if a == {i} {{ a = 1; }}\n")).collect();
    let source = format!("fn main() {{ let a = args().len(); print({sum}); if a == -1 {{ a = 2; }} {ifs} }}");
    assert!(lower(&source).funcs.iter().next().expect("main").inst_count() > 200_000);
}
