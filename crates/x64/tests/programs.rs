//! Calls, memory, control flow and traps, executed.

mod common;

use common::result;

/// `main` with this body, behind the other functions.
fn main_with(functions: &str, body: &str) -> i32 {
    result(&format!("{functions}\ncssa func main() -> int {{\nentry1:\n{body}\n}}\n"))
}

#[test]
fn a_loop_sums() {
    let functions = "
cssa func sum(n.1: int) -> int {
entry1:
  %1 = const 0
  %2 = const 0
  jmp head2(%1, %2)
head2(i.1: int, s.1: int):
  %3 = lt i.1, n.1
  br %3, body3, exit4
body3:
  s.2 = add s.1, i.1
  %5 = const 1
  i.2 = add i.1, %5
  jmp head2(i.2, s.2)
exit4:
  ret s.1
}";
    assert_eq!(main_with(functions, "  %1 = const 20\n  %2 = call sum(%1)\n  ret %2"), 190);
}

#[test]
fn parallel_copies_swap() {
    let functions = "
cssa func fib(n.1: int) -> int {
entry1:
  %1 = const 0
  %2 = const 1
  %3 = const 0
  a.2, b.2, i.2 = parcopy %1, %2, %3
  jmp head2(a.2, b.2, i.2)
head2(a.1: int, b.1: int, i.1: int):
  %4 = lt i.1, n.1
  br %4, body3, exit4
body3:
  %5 = add a.1, b.1
  %6 = const 1
  %7 = add i.1, %6
  a.3, b.3, i.3 = parcopy b.1, %5, %7
  jmp head2(a.3, b.3, i.3)
exit4:
  ret a.1
}";
    assert_eq!(main_with(functions, "  %1 = const 13\n  %2 = call fib(%1)\n  ret %2"), 233);
}

#[test]
fn a_comparison_stands_before_copies_that_overwrite_its_operands() {
    let functions = "
cssa func count(n.1: int) -> int {
entry1:
  %1 = const 0
  jmp head2(%1)
head2(i.1: int):
  %3 = const 1
  %4 = add i.1, %3
  %5 = lt i.1, n.1
  i.2 = copy %4
  br %5, again3, exit4
again3:
  jmp head2(i.2)
exit4:
  ret %4
}";
    assert_eq!(main_with(functions, "  %1 = const 7\n  %2 = call count(%1)\n  ret %2"), 8);
}

#[test]
fn many_arguments_go_on_the_stack() {
    let functions = "
cssa func f(a.1: int, b.1: int, c.1: int, d.1: int, e.1: int, f.1: int, g.1: int, x.1: float, h.1: int) -> int {
entry1:
  %1 = float_to_int x.1
  %2 = sub g.1, h.1
  %3 = mul %2, %1
  %4 = add %3, f.1
  %5 = sub %4, a.1
  ret %5
}
cssa func floats(a.1: float, b.1: float, c.1: float, d.1: float, e.1: float, f.1: float, g.1: float, h.1: float, i.1: float, j.1: float) -> float {
entry1:
  %1 = fsub j.1, i.1
  %2 = fadd %1, a.1
  ret %2
}";
    let body = "
  %1 = const 1
  %2 = const 2
  %3 = const 3
  %4 = const 4
  %5 = const 5
  %6 = const 6
  %7 = const 70
  %8 = const 8
  %9 = const 3.0
  %10 = call f(%1, %2, %3, %4, %5, %6, %7, %9, %8)
  %11 = const 1.5
  %12 = const 12.25
  %13 = const 2.5
  %14 = call floats(%11, %9, %9, %9, %9, %9, %9, %9, %13, %12)
  %15 = float_to_int %14
  %16 = sub %10, %15
  ret %16";
    assert_eq!(main_with(functions, body), (70 - 8) * 3 + 6 - 1 - 11);
}

#[test]
fn two_results_and_values_across_calls() {
    let body = "
  %1 = const \"four\"
  %2 = const 1.5
  %3 = const 100
  %4, %5 = rt find(%1, %1)
  %6, %7 = rt parse_float(%1)
  %8 = fadd %6, %2
  %9 = float_to_int %8
  %10 = bool_to_int %5
  %11 = add %9, %4
  %12 = bool_to_int %7
  %13 = add %11, %10
  %14 = add %13, %12
  %15 = rt hash_int(%14)
  %16 = add %15, %3
  ret %16";
    assert_eq!(main_with("", body), 5 + 4 + 1 + 100);
}

#[test]
fn functions_with_two_results() {
    let functions = "
cssa func divmod(a.1: int, b.1: int) -> int, bool {
entry1:
  %1 = div a.1, b.1
  %2 = rem a.1, b.1
  %3 = const 0
  %4 = eq %2, %3
  ret %1, %4
}
cssa func half(a.1: int) -> float, bool {
entry1:
  %1 = int_to_float a.1
  %2 = const 0.5
  %3 = fmul %1, %2
  %4 = const true
  ret %3, %4
}";
    let body = "
  %1 = const 21
  %2 = const 7
  %3, %4 = call divmod(%1, %2)
  %5, %6 = call half(%1)
  %7 = const 4.0
  %8 = fmul %5, %7
  %9 = float_to_int %8
  %10 = bool_to_int %4
  %11 = bool_to_int %6
  %12 = add %9, %10
  %13 = add %12, %11
  %14 = add %13, %3
  ret %14";
    assert_eq!(main_with(functions, body), 42 + 2 + 3);
}

#[test]
fn function_values() {
    let functions = "
cssa func double(a.1: int) -> int {
entry1:
  %1 = add a.1, a.1
  ret %1
}
cssa func code_of_env(a.1: int) -> ref {
entry1:
  %1 = env
  ret %1
}
cssa func apply(f.1: ref, a.1: int) -> int {
entry1:
  %1 = call_ref f.1(a.1) -> int
  ret %1
}";
    let body = "
  %1 = func_ref double
  %2 = const 21
  %3 = call apply(%1, %2)
  %4 = func_ref code_of_env
  %5 = call_ref %4(%2) -> ref
  %6 = eq %4, %5
  %7 = bool_to_int %6
  %8 = add %3, %7
  ret %8";
    assert_eq!(main_with(functions, body), 43);
}

#[test]
fn objects_and_globals() {
    let functions = "
struct Node { flag: bool, value: int, next: ref, weight: float, small: byte }
global count: int
global ratio: float
global ready: bool

cssa func make(n.1: int, next.1: ref) -> ref {
entry1:
  %1 = new Node
  store_field Node.value, %1, n.1
  store_field Node.next, %1, next.1
  %2 = int_to_float n.1
  store_field Node.weight, %1, %2
  %3 = const true
  store_field Node.flag, %1, %3
  %4 = int_to_byte n.1
  store_field Node.small, %1, %4
  %5 = load_global count
  %6 = const 1
  %7 = add %5, %6
  store_global count, %7
  store_global ratio, %2
  store_global ready, %3
  ret %1
}
cssa func total(node.1: ref) -> int {
entry1:
  %1 = const 0
  jmp head2(node.1, %1)
head2(n.1: ref, s.1: int):
  %2 = const null
  %3 = eq n.1, %2
  br %3, exit4, body3
body3:
  %4 = load_field Node.value, n.1
  %5 = load_field Node.flag, n.1
  %6 = bool_to_int %5
  %7 = load_field Node.weight, n.1
  %8 = float_to_int %7
  %9 = load_field Node.small, n.1
  %10 = byte_to_int %9
  %11 = add %4, %6
  %12 = add %8, %10
  %13 = add %11, %12
  s.2 = add s.1, %13
  n.2 = load_field Node.next, n.1
  jmp head2(n.2, s.2)
exit4:
  ret s.1
}";
    // Objects of this size: the window holds two, the others come from the slow path.
    let body = "
  %1 = const null
  %2 = const 5
  %3 = call make(%2, %1)
  %4 = const 6
  %5 = call make(%4, %3)
  %6 = const 7
  %7 = call make(%6, %5)
  %8 = const 8
  %9 = call make(%8, %7)
  %10 = call total(%9)
  %11 = load_global count
  %12 = load_global ratio
  %13 = float_to_int %12
  %14 = load_global ready
  %15 = bool_to_int %14
  %16 = add %10, %11
  %17 = add %13, %15
  %18 = add %16, %17
  ret %18";
    assert_eq!(main_with(functions, body), (5 + 6 + 7 + 8) * 3 + 4 + 4 + 8 + 1);
}

#[test]
fn registers_survive_allocations() {
    let functions = "
struct Big { a: int, b: int, c: int, d: int, e: int, f: int, g: int }
cssa func f(a.1: int, b.1: int, c.1: int, d.1: int, e.1: int, f.1: int, x.1: float) -> int {
entry1:
  %1 = new Big
  %2 = new Big
  %3 = new Big
  store_field Big.a, %1, a.1
  store_field Big.b, %2, b.1
  store_field Big.g, %3, c.1
  %4 = load_field Big.a, %1
  %5 = load_field Big.b, %2
  %6 = load_field Big.g, %3
  %7 = load_field Big.a, %3
  %8 = add %4, %5
  %9 = add %6, %7
  %10 = add %8, %9
  %11 = add %10, d.1
  %12 = add %11, e.1
  %13 = add %12, f.1
  %14 = float_to_int x.1
  %15 = add %13, %14
  ret %15
}";
    let body = "
  %1 = const 1
  %2 = const 2
  %3 = const 4
  %4 = const 8
  %5 = const 16
  %6 = const 32
  %7 = const 64.0
  %8 = call f(%1, %2, %3, %4, %5, %6, %7)
  ret %8";
    assert_eq!(main_with(functions, body), 127);
}

#[test]
fn arrays_of_every_stride() {
    let functions = "
cssa func fill(n.1: int) -> int {
entry1:
  %1 = new_array [int], n.1
  %2 = new_array [byte], n.1
  %3 = new_array [int?], n.1
  %4 = new_array [byte?], n.1
  %5 = new_array [float], n.1
  %6 = const 0
  jmp head2(%6)
head2(i.1: int):
  %7 = lt i.1, n.1
  br %7, body3, sum4
body3:
  store_elem [int].0, %1, i.1, i.1
  %8 = int_to_byte i.1
  store_elem [byte].0, %2, i.1, %8
  store_elem [int?].0, %3, i.1, i.1
  %9 = const true
  store_elem [int?].1, %3, i.1, %9
  store_elem [byte?].0, %4, i.1, %8
  store_elem [byte?].1, %4, i.1, %9
  %10 = int_to_float i.1
  store_elem [float].0, %5, i.1, %10
  %11 = const 1
  i.2 = add i.1, %11
  jmp head2(i.2)
sum4:
  %12 = len %1
  %13 = const 1
  last.1 = sub %12, %13
  %14 = load_elem [int].0, %1, last.1
  %15 = load_elem [byte].0, %2, last.1
  %16 = load_elem [int?].0, %3, last.1
  %17 = load_elem [int?].1, %3, last.1
  %18 = load_elem [byte?].0, %4, last.1
  %19 = load_elem [byte?].1, %4, last.1
  %20 = load_elem [float].0, %5, last.1
  %21 = byte_to_int %15
  %22 = bool_to_int %17
  %23 = byte_to_int %18
  %24 = bool_to_int %19
  %25 = float_to_int %20
  %26 = add %14, %16
  %27 = add %21, %22
  %28 = add %23, %24
  %29 = add %25, %26
  %30 = add %27, %28
  %31 = add %29, %30
  %32 = const 2
  %33 = load_elem [int?].0, %3, %32
  %34 = load_elem [byte?].0, %4, %32
  %35 = byte_to_int %34
  %36 = add %31, %33
  %37 = add %35, %36
  ret %37
}";
    let body = "
  %1 = const 10
  %2 = call fill(%1)
  %3 = const \"hello\"
  %4 = const 1
  %5 = load_byte %3, %4
  %6 = byte_to_int %5
  %7 = len %3
  %8 = add %6, %7
  %9 = add %2, %8
  ret %9";
    assert_eq!(main_with(functions, body), 9 * 5 + 2 + 4 + 101 + 5);
}

#[test]
fn switches() {
    let functions = "
cssa func few(n.1: int) -> int {
entry1:
  switch n.1, 3: a2, -1: b3, else c4
a2:
  %1 = const 1
  ret %1
b3:
  %2 = const 2
  ret %2
c4:
  %3 = const 3
  ret %3
}
cssa func many(n.1: int) -> int {
entry1:
  switch n.1, 0: a2, 1: b3, 2: a2, 3: b3, 4: a2, 5: b3, 6: a2, 7: b3, 1000000000000: d5, -7: d5, else c4
a2:
  %1 = const 1
  ret %1
b3:
  %2 = const 2
  ret %2
c4:
  %3 = const 3
  ret %3
d5:
  %4 = const 4
  ret %4
}";
    // The same with its cases close together, which makes a table.
    let dense = functions.replace("1000000000000: d5, -7: d5", "8: d5, -7: d5");
    switched(functions, &[1_000_000_000_000]);
    switched(&dense, &[8]);
    let has_table = |functions: &str| {
        common::text(&common::compile(&common::parse(functions), common::allocators()[0])).contains(".long")
    };
    assert!(has_table(&dense) && !has_table(functions));
}

/// Calls `many` with small numbers and some others, `few` with two; compares with what they should say.
fn switched(functions: &str, large: &[i64]) {
    let mut body = String::from("  %1 = const 0\n");
    let mut want = 0;
    let mut sum = 1;
    let expected = |n: i64| match n {
        0..8 if n % 2 == 0 => 1,
        0..8 => 2,
        -7 => 4,
        n if large.contains(&n) => 4,
        _ => 3,
    };
    for (i, n) in (-9..12)
        .filter(|n| !large.contains(n))
        .chain(large.iter().copied())
        .chain([1_000_000_000_001, i64::MIN, i64::MAX])
        .enumerate()
    {
        let at = 10 * i + 10;
        body += &format!(
            "  %{at} = const {n}\n  %{} = call many(%{at})\n  %{} = add %{sum}, %{}\n",
            at + 1,
            at + 2,
            at + 1
        );
        // Weighted so that exchanged answers show.
        body += &format!(
            "  %{} = const {}\n  %{} = mul %{}, %{}\n  %{} = add %{}, %{}\n",
            at + 3,
            i % 3,
            at + 4,
            at + 1,
            at + 3,
            at + 5,
            at + 2,
            at + 4
        );
        sum = at + 5;
        want += expected(n) * (1 + i as i32 % 3);
    }
    body += &format!(
        "  %2 = const 3\n  %3 = call few(%2)\n  %4 = const 0\n  %5 = call few(%4)\n  %6 = const 10\n  %7 = mul %5, %6\n  %8 = add %3, %7\n  %9 = add %8, %{sum}\n  ret %9\n"
    );
    assert_eq!(main_with(functions, &body), (want + 1 + 30) & 255);
}

#[test]
fn checks_trap_with_their_arguments() {
    let bounds = |i: i64, n: i64| format!("  %1 = const {i}\n  %2 = const {n}\n  %3 = call check(%1, %2)\n  ret %3");
    let function = "
cssa func check(i.1: int, n.1: int) -> int {
entry1:
  check_bounds i.1, n.1
  %1 = const 7
  ret %1
}";
    assert_eq!(main_with(function, &bounds(2, 3)), 7);
    assert_eq!(main_with(function, &bounds(3, 3)), 133);
    assert_eq!(main_with(function, &bounds(-1, 3)), 93);
    let exchanged = function.replace("check_bounds i.1, n.1", "check_bounds n.1, i.1");
    assert_eq!(main_with(&exchanged, &bounds(2, 3)), 132);
    let constant = function.replace("check_bounds i.1", "%9 = const 5\n  check_bounds %9");
    assert_eq!(main_with(&constant, &bounds(2, 6)), 7);
    assert_eq!(main_with(&constant, &bounds(2, 5)), 155);

    let slice = "
cssa func check(i.1: int, j.1: int) -> int {
entry1:
  %2 = const 4
  check_slice i.1, j.1, %2
  %1 = const 7
  ret %1
}";
    assert_eq!(main_with(slice, &bounds(4, 4)), 7);
    assert_eq!(main_with(slice, &bounds(0, 5)), 129);
    assert_eq!(main_with(slice, &bounds(3, 2)), 189);
    assert_eq!(main_with(slice, &bounds(-1, 2)), 89);
}

#[test]
fn arguments_of_traps_are_moved_in_parallel() {
    // The arguments come in as rdi, rsi, rdx and are wanted turned round.
    let function = "
cssa func check(a.1: int, b.1: int, c.1: int) -> int {
entry1:
  check_slice b.1, c.1, a.1
  %1 = const 7
  ret %1
}";
    let body = "  %1 = const 2\n  %2 = const 1\n  %3 = const 3\n  %4 = call check(%1, %2, %3)\n  ret %4";
    assert_eq!(main_with(function, body), 100 + 25 + 15 + 2);
}

#[test]
fn other_traps() {
    let null = "
cssa func check(p.1: ref) -> int {
entry1:
  check_some p.1
  %1 = const 7
  ret %1
}
cssa func flag(a.1: int, b.1: int) -> int {
entry1:
  %1 = lt a.1, b.1
  check_some %1
  %2 = const 8
  ret %2
}
cssa func length(n.1: int) -> int {
entry1:
  check_length n.1
  ret n.1
}
cssa func step(n.1: int) -> int {
entry1:
  check_step n.1
  ret n.1
}
cssa func div(a.1: int, b.1: int) -> int {
entry1:
  %1 = div a.1, b.1
  ret %1
}";
    assert_eq!(main_with(null, "  %1 = const \"\"\n  %2 = call check(%1)\n  ret %2"), 7);
    assert_eq!(main_with(null, "  %1 = const null\n  %2 = call check(%1)\n  ret %2"), 101);
    let two =
        |f: &str, a: i64, b: i64| format!("  %1 = const {a}\n  %2 = const {b}\n  %3 = call {f}(%1, %2)\n  ret %3");
    assert_eq!(main_with(null, &two("flag", 1, 2)), 8);
    assert_eq!(main_with(null, &two("flag", 2, 2)), 101);
    let one = |f: &str, a: i64| format!("  %1 = const {a}\n  %3 = call {f}(%1)\n  ret %3");
    assert_eq!(main_with(null, &one("length", 0)), 0);
    assert_eq!(main_with(null, &one("length", -4)), 106);
    assert_eq!(main_with(null, &one("step", -4)), 252);
    assert_eq!(main_with(null, &one("step", 0)), 103);
    assert_eq!(main_with(null, &two("div", 5, 0)), 102);
    assert_eq!(main_with(null, "  %1 = const 5\n  %2 = const 0\n  %3 = rem %1, %2\n  ret %3"), 102);
}

#[test]
fn a_call_that_does_not_return_ends_the_function() {
    let function = "
cssa func leave(n.1: int) -> int {
entry1:
  rt exit(n.1)
  unreachable
}";
    assert_eq!(main_with(function, "  %1 = const 33\n  %2 = call leave(%1)\n  ret %2"), 33);
}

#[test]
fn large_frames_are_touched_page_by_page() {
    // 1,500 values live across a call.
    let mut function = String::from("cssa func big(n.1: int) -> int {\nentry1:\n");
    for i in 0..1500 {
        function += &format!("  %{} = rt hash_int(n.1)\n", i + 1);
    }
    let mut sum = 1;
    for i in 1..1500 {
        function += &format!("  %{} = add %{sum}, %{}\n", 2000 + i, i + 1);
        sum = 2000 + i;
    }
    function += &format!("  ret %{sum}\n}}\n");
    // Each is 1 + n.
    assert_eq!(main_with(&function, "  %1 = const 1\n  %2 = call big(%1)\n  ret %2"), 3000 % 256);
}

#[test]
fn float_selection_and_branches_on_bools() {
    let function = "
cssa func pick(c.1: bool, a.1: float, b.1: float) -> float {
entry1:
  %1 = select c.1, a.1, b.1
  ret %1
}
cssa func and(a.1: bool, b.1: bool) -> int {
entry1:
  br a.1, more2, no3
more2:
  br b.1, yes4, no3
no3:
  %1 = const 0
  ret %1
yes4:
  %2 = const 1
  ret %2
}";
    let body = "
  %1 = const true
  %2 = const false
  %3 = const 40.0
  %4 = const 2.0
  %5 = call pick(%1, %3, %4)
  %6 = call pick(%2, %3, %4)
  %7 = fadd %5, %6
  %8 = fadd %7, %5
  %9 = float_to_int %8
  %10 = call and(%1, %1)
  %11 = call and(%1, %2)
  %12 = add %9, %10
  %13 = add %12, %11
  ret %13";
    assert_eq!(main_with(function, body), 83);
}
