//! Programs in IR text, run.

use super::*;
use crate::host::MemoryHost;
use mini_base::testing::Random;
use mini_ir::text::parse_module;

fn module(text: &str) -> Module {
    match parse_module(text) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn run_with(text: &str, host: &mut MemoryHost, options: Options<'_>) -> Outcome {
    run(&module(text), host, options)
}

/// How the program ends, what it writes to stdout and stderr.
fn ran(text: &str) -> (End, String, String) {
    let mut host = MemoryHost::default();
    let end = run_with(text, &mut host, Options::default()).end;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (end, text(host.stdout), text(host.stderr))
}

/// What a body of `main` writes.
fn prints(body: &str) -> String {
    let (end, out, err) = ran(&format!("func main() {{\nentry1:\n{body}\n  ret\n}}"));
    assert_eq!(end, End::Exit(0), "{err}");
    out
}

/// The text of the run-time error of a body of `main`.
fn fails(body: &str) -> String {
    match ran(&format!("func main() {{\nentry1:\n{body}\n  unreachable\n}}")) {
        (End::RuntimeError(text), ..) => String::from_utf8_lossy(&text).into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn c_functions_are_named_when_they_are_called() {
    let text =
        "extern puts(int)\nfunc main() {\nentry1:\n  %1 = const 5\n  rt out_int(%1)\n  call_extern puts(%1)\n  ret\n}";
    let (end, out, err) = ran(text);
    assert_eq!((end, out.as_str()), (End::CallsC("puts".into()), "5"));
    assert!(err.starts_with("error: the interpreter can't call the C function `puts`"), "{err}");
}

fn undefined_in(text: &str) -> String {
    match ran(text) {
        (End::Undefined(what), _, err) => {
            assert!(err.starts_with("undefined behaviour in IR: "), "{err}");
            what
        }
        other => panic!("{other:?}"),
    }
}

const SUM_TAC: &str = "\
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
func main() -> int {
entry1:
  %1 = const 10
  %2 = call sum_to(%1)
  rt out_int(%2)
  ret %2
}
";

const SUM_SSA: &str = "\
ssa func sum_to(n: int) -> int {
entry1:
  %1 = const 0
  jmp head2(%1, %1)
head2(i.2: int, s.2: int):
  %3 = lt i.2, n
  br %3, body3, exit4
body3:
  s.3 = add s.2, i.2
  %5 = const 1
  i.3 = add i.2, %5
  jmp head2(i.3, s.3)
exit4:
  ret s.2
}
ssa func main() -> int {
entry1:
  %1 = const 10
  %2 = call sum_to(%1)
  rt out_int(%2)
  ret %2
}
";

#[test]
fn both_phases_compute_the_same() {
    assert_eq!(ran(SUM_TAC), (End::Exit(45), "45".into(), String::new()));
    assert_eq!(ran(SUM_SSA), (End::Exit(45), "45".into(), String::new()));
}

#[test]
fn operations_are_counted_by_class() {
    let counts = |text: &str| {
        let options = Options { counting: Counting::On, ..Options::default() };
        let outcome = run_with(text, &mut MemoryHost::default(), options);
        Class::ALL.map(|class| outcome.counts.of(class))
    };
    // arithmetic, memory, call, branch, copy, edge move, constant, spill
    assert_eq!(counts(SUM_TAC), [31, 0, 2, 24, 22, 0, 13, 0]);
    assert_eq!(counts(SUM_SSA), [31, 0, 2, 24, 0, 22, 12, 0]);
    assert_eq!(run_with(SUM_SSA, &mut MemoryHost::default(), Options::default()).counts.total(), 0);
}

#[test]
fn parallel_copies_read_before_they_write() {
    let text = "\
cssa func main() -> int {
entry1:
  %1 = const 1
  %2 = const 2
  %3 = const 3
  a.1, b.1, c.1, d.1 = parcopy %1, %2, %3, %1
  jmp loop2(a.1, b.1, c.1, d.1, %3)
loop2(a.2: int, b.2: int, c.2: int, d.2: int, n.2: int):
  %5 = const 1
  n.3 = sub n.2, %5
  %6 = const 0
  %7 = eq n.2, %6
  br %7, exit3, loop2(b.2, c.2, a.2, a.2, n.3)
exit3:
  rt out_int(a.2)
  rt out_int(b.2)
  rt out_int(c.2)
  rt out_int(d.2)
  ret %1
}
";
    // Webs interfere by design, so only the structure is checked.
    for counting in [Counting::Off, Counting::On] {
        let options = Options { checking: Checking::Structure, counting, ..Options::default() };
        let mut host = MemoryHost::default();
        run_with(text, &mut host, options);
        assert_eq!(String::from_utf8_lossy(&host.stdout), "1233");
    }
}

#[test]
fn every_permutation_of_edge_arguments_arrives() {
    // All maps from five parameters to five, each applied once.
    for code in 0..3125u32 {
        let from: Vec<usize> = (0..5u32).map(|n| (code / 5u32.pow(n) % 5) as usize).collect();
        let args: Vec<String> = from.iter().map(|f| format!("p{f}.1")).collect();
        let params: Vec<String> = (0..5).map(|n| format!("p{n}.1: int")).collect();
        let first: Vec<String> = (1..=5).map(|n| format!("%{n}")).collect();
        let consts: String = (1..=5).map(|n| format!("  %{n} = const {n}\n")).collect();
        let writes: String = (0..5).map(|n| format!("  rt out_int(p{n}.1)\n")).collect();
        let text = format!(
            "ssa func main() {{\nentry1:\n{consts}  %6 = const false\n  jmp b2(%6, {})\nb2(c.1: bool, {}):\n  %7 = const true\n  br c.1, b3, b2(%7, {})\nb3:\n{writes}  ret\n}}\n",
            first.join(", "),
            params.join(", "),
            args.join(", "),
        );
        let (_, out, _) = ran(&text);
        let want: String = from.iter().map(|f| (f + 1).to_string()).collect();
        assert_eq!(out, want, "{args:?}");
    }
}

#[test]
fn structs_arrays_strings_and_globals() {
    let text = "\
struct Node { value: int, next: ref, flag: bool, weight: float }
global g: int
func main() {
entry1:
  %1 = new Node
  %2 = load_field Node.value, %1
  rt out_int(%2)
  %3 = const 7
  store_field Node.value, %1, %3
  store_field Node.next, %1, %1
  %4 = load_field Node.next, %1
  %5 = load_field Node.value, %4
  rt out_int(%5)
  %6 = new_array [int?], %3
  %7 = len %6
  rt out_int(%7)
  %8 = const 2
  store_elem [int?].0, %6, %8, %3
  %9 = const true
  store_elem [int?].1, %6, %8, %9
  %10 = load_elem [int?].0, %6, %8
  rt out_int(%10)
  %11 = load_elem [int?].1, %6, %8
  rt out_bool(%11)
  %12 = const 1
  %13 = load_elem [int?].1, %6, %12
  rt out_bool(%13)
  %14 = new_array [byte], %3
  %15 = const 'x'
  store_elem [byte].0, %14, %8, %15
  %16 = rt string_from_bytes(%14)
  %17 = load_byte %16, %8
  rt out_char(%17)
  %18 = rt array_slice(%14, %8, %3)
  %19 = len %18
  rt out_int(%19)
  store_global g, %3
  %20 = load_global g
  rt out_int(%20)
  %21 = new_array [byte?], %3
  store_elem [byte?].0, %21, %12, %15
  store_elem [byte?].1, %21, %12, %9
  %22 = rt string_from_bytes(%21)
  rt out_string(%22)
  ret
}
";
    assert_eq!(ran(text), (End::Exit(0), "0777truefalsex57x".into(), String::new()));
}

#[test]
fn function_values_and_switches() {
    let text = "\
func twice(n: int) -> int, bool {
entry1:
  %1 = add n, n
  %2 = const true
  ret %1, %2
}
func main() -> int {
entry1:
  %1 = func_ref twice
  %2 = const 21
  %3, %4 = call_ref %1(%2) -> int, bool
  rt out_bool(%4)
  switch %3, 41: a, 42: b, -1: a, else c
a:
  ret %2
b:
  ret %3
c:
  ret %2
}
";
    assert_eq!(ran(text), (End::Exit(42), "true".into(), String::new()));
}

#[test]
fn library_functions_on_text() {
    let out = prints(
        "\
  %1 = const \"a,b,,c\"
  %2 = const \",\"
  %3 = rt split(%1, %2)
  %4 = len %3
  rt out_int(%4)
  %5 = rt replace(%1, %2, %1)
  rt out_string(%5)
  rt text_begin()
  %6 = const 1.5
  rt text_float(%6)
  rt text_quoted(%1)
  rt text_begin()
  %7 = rt text_end()
  rt text_string(%7)
  %8 = rt text_end()
  rt out_string(%8)
  %9 = const \" 12 \"
  %10 = rt trim(%9)
  %11, %12 = rt parse_int(%10)
  rt out_int(%11)
  rt out_bool(%12)
  %13, %14 = rt parse_int(%9)
  rt out_bool(%14)
  %15 = const 2
  %16 = rt fixed(%6, %15)
  rt out_string(%16)
  %17 = const 1
  %18 = rt substring(%1, %17, %15)
  rt out_string(%18)
  %19 = rt concat(%18, %10)
  rt out_string(%19)
  %20 = const null
  %21 = rt string_eq(%20, %1)
  rt out_bool(%21)",
    );
    assert_eq!(out, "4aa,b,,cba,b,,ca,b,,cc1.5\"a,b,,c\"12truefalse1.50,,12false");
}

#[test]
fn traps_have_the_texts_of_the_language() {
    let cases = [
        ("  %1 = const 1\n  %2 = const 0\n  %3 = div %1, %2", "division by zero"),
        (
            "  %1 = const 5\n  %2 = const 3\n  check_bounds %1, %2",
            "index out of bounds: the index is 5 but the length is 3",
        ),
        ("  %1 = const 2\n  %2 = const 1\n  check_slice %1, %2, %1", "slice out of bounds: 2..1 of length 2"),
        ("  %1 = const null\n  check_some %1", "null unwrapped"),
        ("  %1 = const false\n  check_some %1", "null unwrapped"),
        ("  %1 = const -1\n  check_length %1", "negative array length: -1"),
        ("  %1 = const 0\n  check_step %1", "step is zero"),
        ("  rt assert_failed()", "assertion failed"),
        ("  %1 = const \"m\"\n  rt assert_failed_with(%1)", "assertion failed: m"),
        ("  %1 = const \"m\"\n  rt panic(%1)", "panic: m"),
        ("  %1 = const \"g\"\n  rt global_too_early(%1)", "global read before initialisation: g"),
        ("  %1 = const 9223372036854775807\n  %2 = new_array [int], %1", "out of memory"),
    ];
    for (body, text) in cases {
        assert_eq!(fails(body), text);
    }
}

#[test]
fn errors_show_the_place_and_the_stack() {
    let mut module = module(
        "\
func f(n: int) -> int {
entry1:
  %1 = const 0
  %2 = eq n, %1
  br %2, b2, b3
b2:
  %3 = div n, n
  ret %3
b3:
  %4 = const 1
  %5 = sub n, %4
  %6 = call f(%5)
  ret %6
}
hidden func start() {
entry1:
  %1 = const 40
  %2 = call f(%1)
  ret
}
start start
",
    );
    let mut sources = SourceMap::new();
    let file = sources.add(std::path::Path::new("dir/a.mini"), "line\n  x / y".into()).expect("small");
    let pos = sources.file(file).pos(7);
    let func = &mut module.funcs[FuncId::new(0)];
    let block = func.layout()[1];
    let old = func.first_inst(block).expect("the division");
    let n = func.arg(old, 0);
    let new = func.create_inst(Op::Div, mini_ir::func::Imm::None, &[n, n], pos);
    let result = func.result(old);
    func.insert_before(old, new);
    func.remove_inst(old);
    func.set_results(new, &[result]);
    let mut host = MemoryHost::default();
    let options = Options { sources: Some(&sources), ..Options::default() };
    let outcome = run(&module, &mut host, options);
    assert_eq!(outcome.status(), 101);
    let stack = "  in f\n".repeat(32);
    let want = format!("runtime error: division by zero\n  --> dir/a.mini:2:3\n{stack}  … 9 more\n");
    assert_eq!(String::from_utf8_lossy(&host.stderr), want);
}

const DEEP: &str = "\
ssa func down(n: int) -> int {
entry1:
  %1 = const 0
  %2 = eq n, %1
  br %2, b2, b3
b2:
  ret n
b3:
  %4 = const 1
  %5 = sub n, %4
  %6 = call down(%5)
  %7 = add %6, %4
  ret %7
}
ssa func main() -> int {
entry1:
  %1 = const DEPTH
  %2 = call down(%1)
  rt out_int(%2)
  %3 = const 0
  ret %3
}
";

#[test]
fn a_million_frames_fit_and_endless_recursion_overflows() {
    let (end, out, _) = ran(&DEEP.replace("DEPTH", "1000000"));
    assert_eq!((end, out.as_str()), (End::Exit(0), "1000000"));
    let (end, _, err) = ran(&DEEP.replace("DEPTH", "-1"));
    assert_eq!(end, End::RuntimeError(b"stack overflow".to_vec()));
    assert!(err.contains("  … 1999968 more\n"), "{err}");
}

const GARBAGE: &str = "\
struct Pair { a: ref, b: int }
ssa func main() -> int {
entry1:
  %1 = const 0
  %2 = const null
  jmp head2(%1, %2)
head2(i: int, last: ref):
  %3 = const COUNT
  %4 = lt i, %3
  br %4, body3, exit4
body3:
  %5 = new Pair
  %6 = new Pair
  store_field Pair.a, %5, %6
  store_field Pair.b, %6, i
  %7 = const 1
  %8 = add i, %7
  jmp head2(%8, %5)
exit4:
  %9 = load_field Pair.a, last
  %10 = load_field Pair.b, %9
  rt out_int(%10)
  %11 = const 0
  ret %11
}
";

#[test]
fn garbage_is_collected_and_what_is_reachable_stays() {
    let options = Options { heap_limit: 30 << 20, ..Options::default() };
    let mut host = MemoryHost::default();
    let outcome = run_with(&GARBAGE.replace("COUNT", "1000000"), &mut host, options);
    assert_eq!((outcome.end, host.stdout), (End::Exit(0), b"999999".to_vec()));
    // A list that is all reachable does not fit the same heap.
    let list =
        GARBAGE.replace("COUNT", "1000000").replace("store_field Pair.a, %5, %6", "store_field Pair.a, %5, last");
    let outcome = run_with(&list, &mut MemoryHost::default(), options);
    assert_eq!(outcome.end, End::RuntimeError(b"out of memory".to_vec()));
}

#[test]
fn strings_that_are_let_go_are_collected_too() {
    let text = "\
global keep: ref
func main() {
entry1:
  %1 = const 0
  i = copy %1
  %2 = const \"0123456789012345678901234567890123456789\"
  store_global keep, %2
  jmp head2
head2:
  %3 = const 300000
  %4 = lt i, %3
  br %4, body3, exit4
body3:
  %5 = rt concat(%2, %2)
  store_global keep, %5
  %6 = const 4
  %7 = new_array [ref], %6
  %8 = const 1
  store_elem [ref].0, %7, %8, %5
  i = add i, %8
  jmp head2
exit4:
  %9 = load_global keep
  %10 = len %9
  rt out_int(%10)
  ret
}
";
    let options = Options { heap_limit: 40 << 20, ..Options::default() };
    let mut host = MemoryHost::default();
    assert_eq!(run_with(text, &mut host, options).end, End::Exit(0));
    assert_eq!(host.stdout, b"80");
}

#[test]
fn collecting_at_every_allocation_changes_nothing() {
    // A list built through frames, fields, arrays, globals and block parameters, with strings in it, then summed up.
    let text = "\
struct Node { next: ref, text: ref }
global head: ref
ssa func prepend(list: ref, n: int) -> ref {
entry1:
  %1 = const 0
  %2 = eq n, %1
  br %2, done2, more3
done2:
  ret list
more3:
  %3 = new Node
  %4 = rt string_of_int(n)
  store_field Node.text, %3, %4
  store_field Node.next, %3, list
  %5 = const 1
  %6 = sub n, %5
  %7 = call prepend(%3, %6)
  %8 = new_array [ref], %5
  store_elem [ref].0, %8, %1, %7
  %9 = new Node
  %10 = load_elem [ref].0, %8, %1
  ret %10
}
ssa func main() {
entry1:
  %1 = const null
  %2 = const 60
  %3 = call prepend(%1, %2)
  store_global head, %3
  %4 = const \"\"
  jmp loop2(%4)
loop2(all: ref):
  %5 = load_global head
  %6 = const null
  %7 = eq %5, %6
  br %7, end3, body4
body4:
  %8 = load_field Node.text, %5
  %9 = rt concat(all, %8)
  %10 = load_field Node.next, %5
  store_global head, %10
  jmp loop2(%9)
end3:
  %11 = rt split(all, %4)
  %12 = len %11
  rt out_int(%12)
  rt out_string(all)
  ret
}
";
    let want: String = (1..=60).map(|n| n.to_string()).collect();
    for heap_step in [0, 1, 32 << 20] {
        let mut host = MemoryHost::default();
        let outcome = run_with(text, &mut host, Options { heap_step, ..Options::default() });
        assert_eq!(outcome.end, End::Exit(0));
        assert_eq!(String::from_utf8_lossy(&host.stdout), format!("{}{want}", want.len()));
    }
}

#[test]
fn damaged_programs_never_panic() {
    // Lines are exchanged, dropped and doubled, operands exchanged; what still has a sound structure is run.
    let mut random = Random(5);
    let mut runs = 0;
    let programs = [SUM_TAC, SUM_SSA, DEEP, GARBAGE].map(|p| p.replace("DEPTH", "50").replace("COUNT", "50"));
    for round in 0..4000 {
        let mut lines: Vec<String> = programs[round % 4].lines().map(str::to_string).collect();
        for _ in 0..=random.below(3) {
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(4) {
                0 => lines.swap(a, b),
                1 => lines[a] = lines[b].clone(),
                2 => lines[a].clear(),
                _ => {
                    let from = format!("%{}", 1 + random.below(8));
                    lines[a] = lines[a].replacen(&from, &format!("%{}", 1 + random.below(8)), 1);
                }
            }
        }
        let Ok(module) = parse_module(&lines.join("\n")) else { continue };
        let options = Options {
            checking: Checking::Structure,
            fuel: Some(20_000),
            heap_limit: 1 << 20,
            heap_step: 0,
            max_frames: 1000,
            counting: if round % 3 == 0 { Counting::On } else { Counting::Off },
            ..Options::default()
        };
        if !matches!(run(&module, &mut MemoryHost::default(), options).end, End::Invalid(_)) {
            runs += 1;
        }
    }
    assert!(runs > 500, "{runs}");
}

#[test]
fn input_and_output_go_through_the_host() {
    let text = "\
func main() -> int {
entry1:
  %1 = rt read_line()
  rt out_string(%1)
  %2 = rt read_line()
  %3 = len %2
  rt out_int(%3)
  %4 = rt read_all()
  rt err_string(%4)
  %5 = rt read_line()
  %6 = const null
  %7 = eq %5, %6
  rt out_bool(%7)
  %8 = const \"f\"
  %9 = rt write_file(%8, %4)
  %10 = rt read_file(%8)
  rt out_string(%10)
  %11 = rt args()
  %12 = const 0
  %13 = load_elem [ref].0, %11, %12
  rt out_string(%13)
  %14 = const -1
  rt exit(%14)
  unreachable
}
";
    let mut host =
        MemoryHost { stdin: b"one\r\n\r\nrest\r\nend".to_vec(), args: vec![b"arg".to_vec()], ..MemoryHost::default() };
    let outcome = run_with(text, &mut host, Options::default());
    assert_eq!(outcome.status(), 255);
    assert_eq!(String::from_utf8_lossy(&host.stdout), "one0truerest\r\nendarg");
    assert_eq!(host.stderr, b"rest\r\nend");
}

#[test]
fn a_closed_stdout_ends_the_run_quietly() {
    let mut host = MemoryHost { stdout_limit: Some(0), ..MemoryHost::default() };
    let outcome = run_with(SUM_TAC, &mut host, Options::default());
    assert_eq!((outcome.status(), outcome.end), (141, End::StdoutClosed));
    assert!(host.stderr.is_empty());
}

#[test]
fn undefined_behaviour_is_told() {
    let one = |body: &str| format!("struct S {{ x: int, r: ref }}\nfunc main() {{\nentry1:\n{body}\n  ret\n}}");
    let cases = [
        ("  %1 = const null\n  %2 = len %1", "null is used as a string or array"),
        ("  %1 = const null\n  %2 = load_field S.x, %1", "null is used as a struct"),
        (
            "  %1 = const \"a\"\n  %2 = const 1\n  %3 = load_byte %1, %2",
            "an index is out of bounds and was not checked",
        ),
        (
            "  %1 = const 1\n  %2 = new_array [int], %1\n  %3 = load_elem [int].0, %2, %1",
            "an index is out of bounds and was not checked",
        ),
        ("  %1 = const -1\n  %2 = new_array [int], %1", "an array's length is negative"),
        (
            "  %1 = const 1\n  %2 = new_array [int], %1\n  %3 = load_elem [float].0, %2, %1",
            "an array is used as an array of that layout",
        ),
        ("  %1 = const null\n  call_ref %1()", "null is used as a function value"),
        (
            "  %1 = func_ref main\n  %2 = call_ref %1() -> int",
            "a function value is called with other types than it has",
        ),
        ("  %1 = const null\n  rt out_string(%1)", "what a run-time function takes for a string is none"),
        ("  %1 = const \"a\"\n  %2 = const null\n  %3, %4 = rt find(%1, %2)", "a run-time function got null"),
        ("  x = copy y\n  y = const 1\n  z = add x, y\n  rt out_int(z)", "use of undef"),
        ("  %1 = undef bool\n  br %1, b2, b2\nb2:", "use of undef"),
        ("  %1 = undef int\n  %2 = const 1\n  %3 = div %2, %1", "use of undef"),
        ("  unreachable\nb2:", "control got to `unreachable`"),
    ];
    for (body, what) in cases {
        assert_eq!(undefined_in(&one(body)), what, "{body}");
    }
}

#[test]
fn undef_may_be_copied_and_passed() {
    let text = "\
ssa func second(a: int, b: int) -> int {
entry1:
  %1 = add a, a
  jmp b2(%1)
b2(x: int):
  ret b
}
ssa func main() -> int {
entry1:
  %1 = undef int
  %2 = const 3
  %3 = call second(%1, %2)
  %4 = const true
  %5 = select %4, %3, %1
  ret %5
}
";
    assert_eq!(ran(text).0, End::Exit(3));
}

#[test]
fn fuel_ends_endless_loops() {
    let options = Options { fuel: Some(1000), ..Options::default() };
    let outcome = run_with("func main() {\na:\n  jmp a\n}", &mut MemoryHost::default(), options);
    assert_eq!(outcome.end, End::OutOfFuel);
}

#[test]
fn modules_without_start_or_with_broken_rules_do_not_run() {
    assert!(matches!(ran("func f() {\na:\n  ret\n}").0, End::Invalid(_)));
    assert!(matches!(ran("func main(n: int) {\na:\n  ret\n}").0, End::Invalid(_)));
    assert!(matches!(ran("func main() {\na:\n  %1 = add %2, %2\n  %2 = const 1\n  ret\n}").0, End::Invalid(_)));
}
