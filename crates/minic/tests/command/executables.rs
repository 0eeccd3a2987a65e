//! What executables do that no interpreter can show: heap limits, deep stacks, broken environments.

use super::{Folder, finish, shell_of};
use std::process::Command;

fn with_limit(program: &std::path::Path, limit: &str) -> super::Result {
    let mut command = Command::new(program);
    command.env("MINI_HEAP_LIMIT", limit);
    finish(command, b"")
}

#[test]
fn the_heap_limit_is_kept_and_garbage_does_not_count() {
    let folder = Folder::new();
    let garbage = folder
        .build("garbage", "fn main() { let s = 0; for i in 0..3000 { let a = [i; 20000]; s += a[i]; } print(s); }");
    let fits = with_limit(&garbage, "16M");
    assert_eq!((fits.status, fits.stdout.as_str()), (Some(0), "4498500\n"), "{}", fits.stderr);
    let live = "struct N { v: int, next: N? } fn main() { print(\"before\"); let head: N? = null; for i in 0..100000000 { head = N { v: i, next: head }; } print(head == null); }";
    let texts = "fn main() { print(\"before\"); let s = \"0123456789abcdef\"; while s.len() > 0 { s = s + s; } }";
    let one = "fn main() { print(\"before\"); let a = [0; 25000000]; print(a.len()); }";
    for (name, text) in [("live", live), ("texts", texts), ("one", one)] {
        let executable = folder.build(name, text);
        let ended = with_limit(&executable, "16M");
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(101), "before\n"), "{name}: {}", ended.stderr);
        assert!(
            ended.stderr.starts_with("runtime error: out of memory\n") && ended.stderr.contains("in main"),
            "{name}: {}",
            ended.stderr
        );
    }
}

#[test]
fn a_million_frames_fit_whatever_the_shells_stack_limit() {
    let folder = Folder::new();
    let deep = folder.build(
        "deep",
        "fn f(n: int) -> int { if n == 0 { 0 } else { f(n - 1) + 1 } } fn main() { print(f(1000000)); }",
    );
    for script in ["\"$0\"", "ulimit -s 256; \"$0\""] {
        let ran = shell_of(&deep, &folder, script, [""; 0]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "1000000\n"), "{script}: {}", ran.stderr);
    }
}

#[test]
fn endless_recursion_ends_with_a_call_stack_for_frames_of_every_size() {
    let folder = Folder::new();
    for locals in [0, 20, 700, 5000] {
        let declared: String = (0..locals).map(|i| format!("let v{i} = black(a + {i});\n")).collect();
        let summed: String = (0..locals).map(|i| format!("r += v{i};\n")).collect();
        let text = format!(
            "let zero = args().len();\nfn black(x: int) -> int {{ x + zero }}\nfn deep(a: int) -> int {{\n{declared}let r = deep(a + 1);\n{summed}r + 1\n}}\nfn main() {{ print(\"before\"); print(deep(1)); }}\n"
        );
        let ended = finish(Command::new(folder.build(&format!("d{locals}"), &text)), b"");
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(101), "before\n"), "{locals} locals: {}", ended.stderr);
        let lines: Vec<&str> = ended.stderr.lines().collect();
        assert_eq!(lines[0], "runtime error: stack overflow", "{locals} locals");
        let calls = lines.iter().filter(|l| l.starts_with("  in ")).count();
        assert!(
            (1..=32).contains(&calls) && lines.last().is_some_and(|l| l.contains("more")),
            "{locals} locals: {}",
            ended.stderr
        );
    }
}

#[test]
fn an_executable_runs_without_environment_and_arguments() {
    let folder = Folder::new();
    let executable = folder.build("e", "fn main() { print(args().len(), read_all().len()); }");
    let ran = shell_of(&executable, &folder, "exec env -i \"$0\" <&-", [""; 0]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "0 0\n"), "{}", ran.stderr);
}
