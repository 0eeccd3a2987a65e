//! Limits and settings that the system or the environment puts on the compiler and on programs.

use super::{Folder, Result, finish, minic};
use std::path::Path;
use std::process::Command;

/// Runs a line of shell in the folder, with `$minic` as the command.
fn shell(folder: &Folder, line: &str) -> Result {
    let mut command = Command::new("sh");
    command.current_dir(folder.path("")).env("minic", minic().get_program()).args(["-c", line]);
    finish(command, b"")
}

#[test]
fn a_limit_of_file_sizes_is_a_failed_write_that_leaves_nothing() {
    let folder = Folder::new();
    folder.file("h.mini", "fn main() { print(1); }");
    let built = shell(&folder, "ulimit -f 10; \"$minic\" build h.mini -o out");
    assert_eq!(built.status, Some(2), "{built:?}");
    assert_eq!(folder.names(), ["h.mini"]);
}

#[test]
fn many_threads_are_no_reason_to_take_long() {
    let folder = Folder::new();
    let functions: String = (0..9000).map(|i| format!("fn f{i}() -> int {{ {i} }}\n")).collect();
    folder.file("f.mini", format!("{functions}fn main() {{ print(f8999()); }}"));
    let built = folder.minic(["build", "f.mini", "-j", "60000", "-o", "out"]);
    assert_eq!(built.status, Some(0), "{}", built.stderr);
}

#[test]
fn what_the_library_reads_counts_against_the_heap_limit() {
    let folder = Folder::new();
    let program = folder.build("p", "fn main() { print((read_file(\"/dev/zero\") ?? \"\").len()); }");
    let mut command = Command::new(&program);
    command.env("MINI_HEAP_LIMIT", "64M");
    let ended = finish(command, b"");
    assert_eq!(ended.status, Some(101), "{ended:?}");
    assert!(ended.stderr.starts_with("runtime error: out of memory\n"), "{ended:?}");
}

#[test]
fn a_heap_limit_that_is_no_size_is_told() {
    let folder = Folder::new();
    let program = folder.build("p", "fn main() { print(1); }");
    for (limit, status) in [("64MB", 101), ("-5", 101), ("1e6", 101), ("", 0), ("64M", 0), ("9g", 0)] {
        let mut command = Command::new(&program);
        command.env("MINI_HEAP_LIMIT", limit);
        let ended = finish(command, b"");
        assert_eq!(ended.status, Some(status), "{limit}: {ended:?}");
        assert_eq!(ended.stderr.contains("MINI_HEAP_LIMIT"), status != 0, "{limit}: {ended:?}");
    }
}

#[test]
fn a_stack_overflow_is_told_where_its_signal_was_blocked() {
    let folder = Folder::new();
    let program = folder.build("p", "fn f(n: int) -> int { f(n + 1) + 1 }\nfn main() { print(f(0)); }");
    let ended = shell(&folder, &format!("env --block-signal=SEGV '{}'", Path::new(&program).display()));
    assert_eq!(ended.status, Some(101), "{ended:?}");
    assert!(ended.stderr.starts_with("runtime error: stack overflow\n"), "{ended:?}");
}

#[test]
fn a_closed_stdout_fails_at_the_first_write() {
    let folder = Folder::new();
    folder.file("p.mini", "fn main() -> int { print(\"x\"); 5 }");
    for (line, status) in [
        ("\"$minic\" run p.mini >&-", 101),
        ("\"$minic\" interp p.mini >&-", 101),
        ("\"$minic\" emit tac p.mini >&-", 2),
        ("\"$minic\" --version >&-", 2),
        ("\"$minic\" run p.mini 2>&- <&-", 5),
        ("\"$minic\" build p.mini -o p <&- >&- 2>&- && ./p", 5),
    ] {
        let ended = shell(&folder, line);
        assert_eq!(ended.status, Some(status), "{line}: {ended:?}");
        assert_eq!(ended.stdout, if status == 5 { "x\n" } else { "" }, "{line}: {ended:?}");
    }
}

#[test]
fn a_closed_stdin_is_empty() {
    let folder = Folder::new();
    folder.file("p.mini", "fn main() { print(read_line() == null); }");
    for command in ["run", "interp"] {
        let ended = shell(&folder, &format!("\"$minic\" {command} p.mini <&-"));
        assert_eq!((ended.status, &*ended.stdout), (Some(0), "true\n"), "{command}: {ended:?}");
    }
}
