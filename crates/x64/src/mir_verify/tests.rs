//! Each rule with functions that break it, and functions that come close.

use super::*;
use crate::mir::MBlock;
use crate::mir_text::parse_mir;
use mini_base::ids::Id;

/// A function with this body behind declarations; `v0`, `v1` general, `v2` vector.
fn parsed(body: &str) -> Mir {
    let head = "mir \"f\" {\n  slots 1\n  outgoing 8\n  calls\n  v0: general\n  v1: general\n  v2: vector\n";
    parse_mir(&format!("{head}{body}}}\n")).unwrap_or_else(|e| panic!("{e}: {body}"))
}

fn broken(mir: &Mir, stage: Stage) -> Vec<Rule> {
    let mut rules: Vec<Rule> = verify(mir, stage).err().unwrap_or_default().iter().map(|e| e.rule).collect();
    rules.dedup();
    rules
}

/// The rules that instructions in the entry block break, between two moves and a return.
fn rules(insts: &str) -> Vec<Rule> {
    let insts: String = insts.split("; ").map(|i| format!("  {i}\n")).collect();
    broken(&parsed(&format!("entry:\n  mov v0, 1\n  mov v1, 2\n  fzero v2\n{insts}  ret\n")), Stage::Virtual)
}

#[test]
fn right_code_passes() {
    let body = "entry:\n  parcopy v0 <- rdi, v1 <- 5, v2 <- xmm0\n  cmp v0, v1\n  mov v1, 7\n  jcc.l loop\n  jcc.p loop\n  jmp end\nloop:\n  add v0, [v1 + v0*8 + 16]\n  mov.8 [slot0], 300\n  parcopy rax <- v0\n  cqo rdx, rax\n  idiv rax, rdx, v1\n  parcopy v0 <- rdx\n  cmp v0, 5\n  trapif.e mini_trap_null\n  jmp end\nend:\n  parcopy rdi <- v0\n  call fn0 (rdi) -> (rax)\n  ret rax\n";
    assert_eq!(verify(&parsed(body), Stage::Virtual), Ok(()));
    assert_eq!(broken(&parsed("entry:\n  mov r11, [slot0]\n  ret\n"), Stage::Allocated), []);
}

#[test]
fn rule_1_blocks() {
    assert_eq!(broken(&parsed(""), Stage::Virtual), [Rule::Blocks]);
    let mut mir = parsed("entry:\n  ret\n");
    mir.order.push(mir.order[0]);
    assert_eq!(broken(&mir, Stage::Virtual), [Rule::Blocks]);
    let mut mir = parsed("entry:\n  jmp b\nb:\n  ret\n");
    mir.blocks[MBlock::new(1)].label = "entry".into();
    assert_eq!(broken(&mir, Stage::Virtual), [Rule::Blocks]);
}

#[test]
fn rule_2_endings() {
    assert_eq!(broken(&parsed("entry:\n  mov v0, 1\n"), Stage::Virtual), [Rule::Endings]);
    assert_eq!(rules("ret"), [Rule::Endings]);
    assert_eq!(
        broken(&parsed("entry:\n  cmp rdi, 0\n  jcc.e a\n  mov v0, 1\n  jmp a\na:\n  ret\n"), Stage::Virtual),
        [Rule::Endings]
    );
    assert_eq!(broken(&parsed("entry:\n  cmp rdi, 0\n  jcc.e a\n  ret\na:\n  ret\n"), Stage::Virtual), [Rule::Endings]);
}

#[test]
fn rule_3_successors() {
    let mut mir = parsed("entry:\n  jmp b\nb:\n  ret\n");
    mir.blocks[MBlock::new(1)].successors.push(MBlock::new(0));
    assert_eq!(broken(&mir, Stage::Virtual), [Rule::Successors]);
}

#[test]
fn rule_4_reachability() {
    assert_eq!(broken(&parsed("entry:\n  ret\nb:\n  ret\n"), Stage::Virtual), [Rule::Reachability]);
}

#[test]
fn rule_5_operands() {
    for insts in [
        "mov v0",
        "mov v0, 1, 2",
        "add v0, use v2",
        "mov use v0, 1",
        "imul3 v0, v1, use v1",
        "lea v0, [v2]",
        "movq v0, use v1",
        "parcopy v0 <- [slot0]",
        "parcopy [slot0] <- v0",
    ] {
        assert_eq!(rules(insts), [Rule::Operands], "{insts}");
    }
}

#[test]
fn rule_6_memory() {
    assert_eq!(rules("mov [v0], [v1]"), [Rule::Memory]);
}

#[test]
fn rule_7_immediates() {
    assert_eq!(rules("mov v0, 4294967296"), []);
    for insts in ["mov [v0], 4294967296", "add v0, 2147483648", "shl v0, 64"] {
        assert_eq!(rules(insts), [Rule::Immediates], "{insts}");
    }
}

#[test]
fn rule_8_modifiers() {
    for insts in ["mov.l v0, 1", "imul.32 v0, v1", "mov.8 v0, 1", "add.32 [slot0], 1", "cmp v0, 1; set v1"] {
        assert_eq!(rules(insts), [Rule::Modifiers], "{insts}");
    }
}

#[test]
fn rule_9_flags() {
    for insts in ["set.l v0", "cmp v0, v1; imul v0, v1; set.e v1", "cmp v0, v1; call mini_text_begin; cmov.l v0, v1"] {
        assert_eq!(rules(insts), [Rule::Flags], "{insts}");
    }
    assert_eq!(rules("cmp v0, v1; mov v0, 5; set.e v1"), []);
}

#[test]
fn rule_10_fixed_ranges() {
    for insts in ["mov v0, rax", "mov rax, 1; call mini_text_begin; mov v0, rax"] {
        assert_eq!(rules(insts), [Rule::FixedRanges], "{insts}");
    }
    let body = "entry:\n  mov rbx, 1\n  jmp b\nb:\n  mov v0, rbx\n  ret\n";
    assert_eq!(broken(&parsed(body), Stage::Virtual), [Rule::FixedRanges]);
}

#[test]
fn rule_11_reserved_registers() {
    for insts in ["mov v0, rsp", "mov r11, 1", "fzero xmm15"] {
        assert!(rules(insts).contains(&Rule::Reserved), "{insts}");
    }
    assert_eq!(broken(&parsed("entry:\n  mov rsp, 1\n  ret\n"), Stage::Allocated), [Rule::Reserved]);
}

#[test]
fn rule_12_fixed_registers() {
    for insts in ["shl v0, v1", "cqo v0, v1", "idiv v0, v1, v0", "alloc v0, v1, data0, 1"] {
        assert_eq!(rules(insts), [Rule::FixedRegisters], "{insts}");
    }
}

#[test]
fn rule_13_parallel_copies() {
    for insts in ["parcopy v0 <- v1, v0 <- 3", "parcopy v0 <- use v2", "parcopy v2 <- 5"] {
        assert_eq!(rules(insts), [Rule::ParallelCopies], "{insts}");
    }
}

#[test]
fn rule_14_counts() {
    for insts in ["mov v0, [slot1]", "mov [out + 8], v0", "mov v0, [v0 + v1*3]", "mov v0, [data0 + v1*8]"] {
        assert_eq!(rules(insts), [Rule::Bounds], "{insts}");
    }
}

#[test]
fn rule_15_nothing_virtual_is_left() {
    assert_eq!(broken(&parsed("entry:\n  mov v0, 1\n  ret\n"), Stage::Allocated), [Rule::Leftovers]);
    assert_eq!(broken(&parsed("entry:\n  parcopy rax <- 1\n  ret\n"), Stage::Allocated), [Rule::Leftovers]);
}

#[test]
fn rule_16_definitions() {
    let body = "entry:\n  cmp rdi, 0\n  jcc.e a\n  jmp b\na:\n  mov v0, 1\n  jmp b\nb:\n  mov v1, v0\n  ret\n";
    assert_eq!(broken(&parsed(body), Stage::Virtual), [Rule::Definitions]);
    assert_eq!(broken(&parsed(&body.replace("  cmp", "  mov v0, 2\n  cmp")), Stage::Virtual), []);
}

#[test]
fn rule_3_nothing_leads_to_the_entry() {
    assert_eq!(broken(&parsed("entry:\n  jmp entry\n"), Stage::Virtual), [Rule::Successors]);
}

#[test]
fn rule_5_a_table_has_targets() {
    assert_eq!(broken(&parsed("entry:\n  mov v0, 1\n  jmp_table v0, v1\n"), Stage::Virtual), [Rule::Operands]);
}

#[test]
fn rule_5_operands_are_not_shared() {
    let mut mir = parsed("entry:\n  mov v0, 1\n  ret\n");
    let copy = mir.blocks[MBlock::new(0)].insts[0];
    mir.blocks[MBlock::new(0)].insts.insert(0, copy);
    assert_eq!(broken(&mir, Stage::Virtual), [Rule::Operands]);
}

#[test]
fn rule_6_what_may_be_in_memory() {
    for insts in ["xorpd v2, [slot0]", "andpd v2, [v0]", "cmp v0, 1; trapif.e mini_trap_null, [v0]"] {
        assert_eq!(rules(insts), [Rule::Memory], "{insts}");
    }
    assert_eq!(rules("xorpd v2, [data0]; cmp v0, 1; trapif.e mini_trap_null, [slot0]"), []);
}

#[test]
fn rule_7_modes_and_classes() {
    for insts in ["roundsd v2, v2, 16", "alloc rax, rcx, data0, 999", "alloc rax, rcx, data0, -1"] {
        assert_eq!(rules(insts), [Rule::Immediates], "{insts}");
    }
}

#[test]
fn rule_12_the_convention() {
    for insts in ["call fn0 (v0)", "call fn0 () -> (v0)", "mov rbx, 1; call fn0 (rbx)", "call fn0 () -> (rcx)"] {
        assert_eq!(rules(insts), [Rule::FixedRegisters], "{insts}");
    }
    assert_eq!(broken(&parsed("entry:\n  mov v0, 1\n  ret v0\n"), Stage::Virtual), [Rule::FixedRegisters]);
}

#[test]
fn rule_14_places_in_the_frame() {
    for insts in [
        "mov v0, [slot0 + 8]",
        "mov v0, [slot0 + v1*8]",
        "mov [out + 4], v0",
        "mov [out - 8], v0",
        "mov v0, [in - 8]",
        "mov v0, [in + 2147483640]",
    ] {
        assert_eq!(rules(insts), [Rule::Bounds], "{insts}");
    }
    let mut mir = parsed("entry:\n  call fn0\n  ret\n");
    mir.calls = crate::mir::Calls::None;
    assert_eq!(broken(&mir, Stage::Virtual), [Rule::Bounds]);
}

#[test]
fn rule_17_targets() {
    for insts in ["call data0", "cmp v0, 1; trapif.e fn0", "alloc rax, rcx, fn0, 1"] {
        assert_eq!(rules(insts), [Rule::Targets], "{insts}");
    }
}

#[test]
fn rule_18_writes() {
    assert_eq!(rules("call fn0 () -> (rax, rax)"), [Rule::Writes]);
    let body = "entry:\n  mov v0, 1\n  jmp_table v0, v0, b\nb:\n  ret\n";
    assert_eq!(broken(&parsed(body), Stage::Virtual), [Rule::Writes]);
}

#[test]
fn rule_18_temporaries() {
    let body = "entry:\n  mov v0, 1\n  jmp_table v0, v1, b\nb:\n  mov v0, v1\n  ret\n";
    assert_eq!(broken(&parsed(body), Stage::Virtual), [Rule::Writes]);
    assert_eq!(broken(&parsed(&body.replace("mov v0, v1", "mov v1, v0")), Stage::Virtual), []);
}

#[test]
fn rule_19_registers() {
    let rules = |body: &str| broken(&parsed(body), Stage::Allocated);
    assert_eq!(rules("entry:\n  mov rbx, rdi\n  jmp b\nb:\n  mov rax, rbx\n  ret rax\n"), []);
    assert_eq!(rules("entry:\n  mov rax, rbx\n  ret rax\n"), [Rule::Registers]);
    assert_eq!(rules("entry:\n  mov rcx, rdi\n  call fn0\n  mov rax, rcx\n  ret rax\n"), [Rule::Registers]);
    assert_eq!(rules("entry:\n  alloc rax, rcx, data0, 1\n  mov rdx, rcx\n  ret rax\n"), [Rule::Registers]);
    // On one of two ways only.
    let body = "entry:\n  cmp rdi, 0\n  jcc.e a\n  jmp b\na:\n  mov rax, 1\n  jmp b\nb:\n  ret rax\n";
    assert_eq!(rules(body), [Rule::Registers]);
    assert_eq!(rules(&body.replace("  cmp", "  mov rax, 2\n  cmp")), []);
}

/// Each rule has a function that breaks it and no other: without the rule, nothing is wrong with that. A new rule does not compile
/// here.
#[test]
fn each_rule_is_needed() {
    let head = include_str!("../mir_verify.rs");
    for (number, &rule) in (1..).zip(Rule::ALL) {
        assert_eq!(rule as u8, number);
        assert!(head.contains(&format!("\n//! {number:>2}. *")), "rule {number} is not at the head of the file");
        let (mir, stage) = breaking(rule);
        assert_eq!(broken(&mir, stage), [rule]);
    }
    assert!(!head.contains(&format!("\n//! {:>2}. *", Rule::ALL.len() + 1)), "a rule is missing from the list");
}

fn breaking(rule: Rule) -> (Mir, Stage) {
    let body = |insts: &str| parsed(&format!("entry:\n  mov v0, 1\n  mov v1, 2\n  fzero v2\n{insts}\n  ret\n"));
    let mir = match rule {
        Rule::Blocks => parsed(""),
        Rule::Endings => parsed("entry:\n  mov v0, 1\n"),
        Rule::Successors => parsed("entry:\n  jmp entry\n"),
        Rule::Reachability => parsed("entry:\n  ret\nb:\n  ret\n"),
        Rule::Operands => body("  mov v0"),
        Rule::Memory => body("  mov [v0], [v1]"),
        Rule::Immediates => body("  add v0, 2147483648"),
        Rule::Modifiers => body("  mov.l v0, 1"),
        Rule::Flags => body("  set.l v0"),
        Rule::FixedRanges => body("  mov v0, rax"),
        Rule::Reserved => body("  mov r11, 1"),
        Rule::FixedRegisters => body("  shl v0, v1"),
        Rule::ParallelCopies => body("  parcopy v0 <- v1, v0 <- 3"),
        Rule::Bounds => body("  mov v0, [slot1]"),
        Rule::Leftovers => return (body(""), Stage::Allocated),
        Rule::Definitions => parsed("entry:\n  mov v0, v1\n  ret\n"),
        Rule::Targets => body("  call data0"),
        Rule::Writes => body("  call fn0 () -> (rax, rax)"),
        Rule::Registers => return (parsed("entry:\n  ret rax\n"), Stage::Allocated),
    };
    (mir, Stage::Virtual)
}
