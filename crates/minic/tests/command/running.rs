//! `minic run`, executables and interpreters: exit statuses, arguments, streams.

use super::{Folder, finish, minic, shell_of};
use std::process::Command;

/// Program, its status in every way of running it.
const STATUSES: &[(&str, i32)] = &[
    ("fn main() { print(\"x\"); exit(256); }", 0),
    ("fn main() { print(\"x\"); exit(-1); }", 255),
    ("fn main() { print(\"x\"); exit(0x1234567890); }", 0x90),
    ("fn main() -> int { print(\"x\"); 300 }", 44),
    ("fn main() -> int { print(\"x\"); return -2; }", 254),
    ("fn main() { print(\"x\"); if args().len() == 0 { return; } print(\"y\"); }", 0),
    ("fn main() { print(\"x\"); print(1 / args().len()); }", 101),
    ("fn main() { print(\"x\"); panic(\"p\"); }", 101),
    ("fn main() { print(\"x\"); assert(args().len() > 0); }", 101),
    ("fn main() { print(\"x\"); print([1, 2][args().len() + 2]); }", 101),
    ("fn f() -> int? { null } fn main() { print(\"x\"); print(f()!); }", 101),
    ("fn f(n: int) -> int { f(n + 1) + 1 } fn main() { print(\"x\"); print(f(0)); }", 101),
    ("fn main() { print(\"x\"); print([0; 4611686018427387904 + args().len()].len()); }", 101),
    ("fn f(n: int) { if n == 0 { exit(7); } f(n - 1); } fn main() { print(\"x\"); f(100); }", 7),
];

#[test]
fn statuses_are_the_same_however_a_program_is_run() {
    let folder = Folder::new();
    for (index, &(text, status)) in STATUSES.iter().enumerate() {
        let executable = folder.build(&format!("p{index}"), text);
        let source = format!("p{index}.mini");
        let ways = [
            ("executable", finish(Command::new(&executable), b"")),
            ("run", folder.minic(["run", "-O0", &source])),
            ("interp", folder.minic(["interp", &source])),
            ("interp ssa", folder.minic(["interp", "--phase", "ssa", &source])),
        ];
        for (way, outcome) in ways {
            assert_eq!(outcome.status, Some(status), "{way}: {text}: {}", outcome.stderr);
            assert_eq!(outcome.stdout, "x\n", "{way}: {text}");
            assert_eq!(outcome.stderr.contains("runtime error: "), status == 101, "{way}: {text}: {}", outcome.stderr);
        }
    }
}

#[test]
fn arguments_and_input_reach_the_program() {
    let folder = Folder::new();
    folder.file("a.mini", "fn main() { for a in args() { print(a); } print(read_line() ?? \"-\", read_all().len()); }");
    for command in ["run", "interp"] {
        let mut minic = minic();
        minic.current_dir(folder.folder.path()).args([command, "a.mini", "-O9", "--", "--help", "é x"]);
        let outcome = finish(minic, b"first\nrest");
        assert_eq!(outcome.stdout, "-O9\n--\n--help\né x\nfirst 4\n", "{command}: {}", outcome.stderr);
    }
}

#[test]
fn operations_are_counted_on_request() {
    let folder = Folder::new();
    folder.file("c.mini", "fn main() { let s = 0; for i in 0..10 { s += i; } print(s); }");
    let counted = folder.minic(["interp", "--count", "c.mini"]);
    assert_eq!((counted.status, counted.stdout.as_str()), (Some(0), "45\n"));
    assert!(counted.stderr.contains("total"), "{}", counted.stderr);
    assert!(folder.minic(["interp", "c.mini"]).stderr.is_empty());
}

#[test]
fn programs_report_a_full_disk_once() {
    let folder = Folder::new();
    for (name, text) in [
        ("one", "fn main() { print(\"hello\"); }"),
        ("many", "fn main() { for i in 0..20000 { print(\"line\", i); } }"),
        ("late", "fn main() { write(\"x\"); let n = read_line(); assert(n == null); }"),
    ] {
        let executable = folder.build(name, text);
        let full = shell_of(&executable, &folder, "\"$0\" > /dev/full", [""; 0]);
        assert_eq!(full.status, Some(101), "{name}: {full:?}");
        assert_eq!(full.stderr.matches("No space left on device").count().max(1), 1, "{name}: {}", full.stderr);
        assert!(!full.stderr.is_empty(), "{name}");
    }
}

#[test]
fn a_closed_pipe_ends_a_program_quietly() {
    let folder = Folder::new();
    let executable = folder.build("many", "fn main() { for i in 0..1000000 { print(\"line\", i); } }");
    let closed = shell_of(&executable, &folder, "{ \"$0\"; echo $? >&2; } | head -n 1", [""; 0]);
    assert_eq!((closed.stdout.as_str(), closed.stderr.as_str()), ("line 0\n", "141\n"));
}

#[test]
fn a_phase_that_lies_behind_is_refused() {
    let folder = Folder::new();
    folder.file("s.ir", "ssa func main() {\na:\n  ret\n}\n");
    for args in [&["interp", "--phase", "tac", "s.ir"][..], &["emit", "tac", "s.ir"]] {
        let refused = folder.minic(args);
        assert!(refused.status == Some(2) && refused.stderr.contains("in SSA already"), "{args:?}: {refused:?}");
    }
    assert_eq!(folder.minic(["interp", "s.ir"]).status, Some(0), "without a phase it runs as it is");
    assert_eq!(folder.minic(["interp", "--phase", "cssa", "s.ir"]).status, Some(0));
}

#[test]
fn what_no_program_may_do_is_told_once() {
    let folder = Folder::new();
    folder.file("u.ir", "func main() {\na:\n  unreachable\n}\n");
    let ended = folder.minic(["interp", "u.ir"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert_eq!(ended.stderr.matches("unreachable").count(), 1, "{}", ended.stderr);
}

#[test]
fn the_naive_way_out_of_ssa_is_wrong_natively_as_in_the_interpreter() {
    let folder = Folder::new();
    let program = "\
ssa func lost_copy(n.1: int) -> int {
entry1:
  %1 = const 0
  jmp head2(%1)
head2(x.1: int):
  %2 = const 1
  %3 = add x.1, %2
  %4 = lt %3, n.1
  br %4, head2(%3), exit3
exit3:
  ret x.1
}

ssa func swap(a.1: int, b.1: int) -> int {
entry1:
  jmp head2(a.1, b.1)
head2(a.2: int, b.2: int):
  %1 = lt a.2, b.2
  br %1, again3, exit4
again3:
  jmp head2(b.2, a.2)
exit4:
  %2 = sub a.2, b.2
  ret %2
}

ssa func main() {
entry1:
  %1 = const 5
  %2 = call lost_copy(%1)
  rt out_int(%2)
  %3 = const ' '
  rt out_char(%3)
  %4 = const 7
  %5 = const 8
  %6 = call swap(%4, %5)
  rt out_int(%6)
  ret
}
";
    folder.file("p.ir", program);
    for (destruct, printed) in [("cssa", "4 1"), ("coalesce", "4 1"), ("naive", "5 0")] {
        for registers in ["linear-scan", "spill-everything"] {
            let native = folder.minic(["run", "--destruct", destruct, "--regalloc", registers, "p.ir"]);
            assert_eq!((native.status, &*native.stdout), (Some(0), printed), "{destruct}, {registers}");
        }
        let interpreted = folder.minic(["interp", "--phase", "cssa", "--destruct", destruct, "p.ir"]);
        assert_eq!(interpreted.stdout, printed, "{destruct}");
    }
    // Where nothing interferes it is right.
    folder.file("q.mini", "fn main() { let s = 0; for i in 1..11 { if i % 2 == 0 { s = s + i; } } print(s); }");
    assert_eq!(folder.minic(["run", "-O0", "--destruct", "naive", "q.mini"]).stdout, "30\n");
    assert!(folder.minic(["passes"]).stdout.contains("wrong on purpose"));
    assert!(folder.minic(["help", "run"]).stdout.contains("wrong on purpose"));
}
