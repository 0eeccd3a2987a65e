//! The command line itself.

use super::{Folder, HELLO, shell};

#[test]
fn help_and_version_go_to_stdout() {
    let folder = Folder::new();
    for args in [&["--help"][..], &["help"], &["build", "--help"], &["help", "run"], &["--version"]] {
        let shown = folder.minic(args);
        assert_eq!(shown.status, Some(0), "{args:?}");
        assert!(!shown.stdout.is_empty() && shown.stderr.is_empty(), "{args:?}: {shown:?}");
    }
}

#[test]
fn what_is_wrong_with_the_command_line_has_status_2() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for args in [
        &["--no-such-option"][..],
        &["no-such-command"],
        &["build"],
        &["build", "-O3", "h.mini"],
        &["build", "-j0", "h.mini"],
        &["build", "h.mini", "--emit", "elf"],
        &["emit", "nothing", "h.mini"],
        &["emit", "tac", "h.mini", "--fn", "nothing"],
        &["explain", "E9999"],
        &["check", "h.mini", "--error-format", "xml"],
        &["run", "missing.mini"],
        &["run", "."],
    ] {
        let refused = folder.minic(args);
        assert_eq!(refused.status, Some(2), "{args:?}: {refused:?}");
        assert!(!refused.stderr.is_empty() && refused.stdout.is_empty(), "{args:?}: {refused:?}");
    }
    assert_eq!(folder.names(), ["h.mini"]);
}

#[test]
fn unknown_names_list_near_matches() {
    let folder = Folder::new();
    folder.file("h.mini", "fn fibonacci() {} fn main() { fibonacci(); }");
    let stderr = |args: &[&str]| folder.minic(args).stderr;
    assert!(stderr(&["emit", "liveliness", "h.mini"]).contains("did you mean `liveness`?"));
    assert!(stderr(&["emit", "tac", "h.mini", "--fn", "fibonaci"]).contains("did you mean `fibonacci`?"));
    assert!(stderr(&["emit", "typed", "h.mini", "--fn", "fibonaci"]).contains("did you mean `fibonacci`?"));
    assert!(stderr(&["build", "h.mini", "--print-after", "alocate"]).contains("did you mean `allocate`?"));
    assert!(stderr(&["biuld", "h.mini"]).contains("build"));
    assert!(stderr(&["explain", "E0010O"]).contains("E0010"));
}

#[test]
fn what_is_planned_is_refused_as_such() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for args in [
        &["fmt", "h.mini"][..],
        &["trace", "dominators", "h.mini"],
        &["runtime-lib", "out.a"],
        &["build", "--ssa", "braun", "h.mini"],
        &["build", "--dominators", "lengauer-tarjan", "h.mini"],
        &["build", "--remarks", "h.mini"],
        &["build", "--bisect", "3", "h.mini"],
        &["build", "--fuel=gvn=3", "h.mini"],
    ] {
        let refused = folder.minic(args);
        assert_eq!(refused.status, Some(2), "{args:?}");
        assert!(refused.stderr.contains("not available yet"), "{args:?}: {}", refused.stderr);
    }
}

#[test]
fn every_code_in_the_table_can_be_explained() {
    let folder = Folder::new();
    for row in mini_diag::codes::all() {
        let shown = folder.minic(["explain", row.code]);
        assert_eq!(shown.status, Some(0), "{}", row.code);
        assert!(shown.stdout.starts_with(row.code) && shown.stdout.contains(row.title), "{}", row.code);
    }
    assert_eq!(folder.minic(["explain", "e0010"]).status, Some(0), "codes in lower case are understood");
}

#[test]
fn lists_and_scripts_are_there() {
    let folder = Folder::new();
    let passes = folder.minic(["passes"]).stdout;
    assert!(passes.contains("cssa") && passes.contains("--regalloc"), "{passes}");
    for name in ["bash", "zsh", "fish"] {
        let script = folder.minic(["completions", name]);
        assert!(script.status == Some(0) && script.stdout.contains("minic"), "{name}");
    }
}

#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for args in [&["emit", "tac", "h.mini"][..], &["--help"], &["passes"], &["explain", "E0001"]] {
        let full = shell(&folder, "\"$0\" \"$@\" > /dev/full", args);
        assert_eq!(full.status, Some(2), "{args:?}: {full:?}");
        assert!(full.stderr.contains("No space left on device"), "{args:?}: {}", full.stderr);
    }
    let closed = shell(&folder, "\"$0\" \"$@\" | true", ["emit", "asm", "h.mini"]);
    assert!(closed.status == Some(0) && closed.stderr.is_empty(), "{closed:?}");
}
