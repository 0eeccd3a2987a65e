//! Calls of C functions: what stands before, what comes back, what is kept.

mod common;

use mini_x64::data::StaticData;
use mini_x64::mir_text::print_mir;
use mini_x64::select::select;

/// The instructions of the first function of a module.
fn selected(text: &str) -> Vec<String> {
    let module = common::parse(text);
    let mir = select(&module.funcs.as_slice()[0], &module.info, &StaticData::build(&module));
    print_mir(&mir).lines().filter_map(|line| line.strip_prefix("  ")).map(str::to_string).collect()
}

fn positions(lines: &[String], wanted: &[&str]) -> Vec<usize> {
    let find = |text: &&str| lines.iter().position(|line| line.starts_with(text));
    wanted.iter().map(|text| find(text).unwrap_or_else(|| panic!("no `{text}` in {lines:#?}"))).collect()
}

#[test]
fn references_are_passed_by_their_contents_and_kept_until_the_call_returns() {
    let text = "extern f(ref, float) -> byte
cssa func g(a: ref, x: float) -> byte {
entry1:
  %1 = call_extern f(a, x)
  ret %1
}
";
    let lines = selected(text);
    let order = [
        "call mini_to_c",
        "lea ",
        "parcopy rdi <- v2, xmm0 <- v1, rax <- 1",
        "call c0 (rdi, xmm0, rax) -> (rax)",
        "movzx ",
        "keep v0",
    ];
    let found = positions(&lines, &order);
    assert!(found.is_sorted(), "{lines:#?}");
    assert!(lines[found[1]].ends_with("[v0 + 16]"), "{lines:#?}");
}

#[test]
fn a_bool_of_c_is_what_is_not_zero_in_the_low_byte() {
    let lines = selected("extern f() -> bool\ncssa func g() -> bool {\nentry1:\n  %1 = call_extern f()\n  ret %1\n}\n");
    let found = positions(&lines, &["call mini_to_c", "call c0 (rax) -> (rax)", "movzx ", "test ", "set.ne "]);
    assert!(found.is_sorted(), "{lines:#?}");
}

#[test]
fn arguments_behind_the_registers_go_onto_the_stack() {
    let text = "extern f(int, int, int, int, int, int, ref, int)
cssa func g(a: ref, n: int) {
entry1:
  call_extern f(n, n, n, n, n, n, a, n)
  ret
}
";
    let lines = selected(text);
    let found = positions(&lines, &["call mini_to_c", "lea ", "mov [out], ", "mov [out + 8], ", "call c0"]);
    assert!(found.is_sorted(), "{lines:#?}");
}
