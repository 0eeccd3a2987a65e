//! Output files: whole or not at all, with the right mode, the same bytes for the same input.

use super::{Folder, HELLO, shell};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

#[test]
fn the_default_output_is_named_after_the_source() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).expect("ours");
    folder.file("sub/hello.mini", HELLO);
    for (kind, name) in [("exe", "hello"), ("obj", "hello.o"), ("asm", "hello.s")] {
        assert_eq!(folder.minic(["build", "sub/hello.mini", "--emit", kind]).status, Some(0), "{kind}");
        assert!(folder.path(name).is_file(), "{kind}");
    }
    assert_eq!(folder.names(), ["hello", "hello.o", "hello.s", "sub"]);
}

#[test]
fn the_mode_is_what_the_umask_leaves_of_0777() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for (umask, mode) in [("022", 0o755), ("027", 0o750), ("077", 0o700), ("000", 0o777)] {
        for older in [None, Some(0o600), Some(0o400)] {
            let output = folder.path("h");
            let _ = fs::remove_file(&output);
            if let Some(older) = older {
                fs::write(&output, "older").expect("ours");
                fs::set_permissions(&output, fs::Permissions::from_mode(older)).expect("ours");
            }
            let built = shell(&folder, &format!("umask {umask}; \"$0\" \"$@\""), ["build", "h.mini"]);
            assert_eq!(built.status, Some(0), "{}", built.stderr);
            assert_eq!(fs::metadata(&output).expect("built").mode() & 0o7777, mode, "umask {umask}, older {older:?}");
        }
    }
}

#[test]
fn a_failed_build_leaves_the_older_output_alone() {
    let folder = Folder::new();
    folder.file("p.mini", HELLO);
    let output = folder.build("p", HELLO);
    fs::set_permissions(&output, fs::Permissions::from_mode(0o711)).expect("ours");
    let before = (fs::read(&output).expect("built"), fs::metadata(&output).expect("built").ino());
    for broken in [
        "fn main() { let x: int = \"s\"; print(x); }",
        "fn main( {",
        "",
        "fn other() {}",
        "const A = 1 / 0; fn main() { print(A); }",
    ] {
        folder.file("p.mini", broken);
        for kind in ["exe", "obj", "asm"] {
            let refused = folder.minic(["build", "p.mini", "-o", "p", "--emit", kind]);
            assert_eq!(refused.status, Some(1), "{broken:?}: {refused:?}");
            let now = (fs::read(&output).expect("still there"), fs::metadata(&output).expect("still there").ino());
            assert!(now == before, "{broken:?}");
            assert_eq!(folder.names(), ["p", "p.mini"]);
        }
    }
}

#[test]
fn a_full_disk_names_path_and_reason_and_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.file("p.mini", HELLO);
    for older in [None, Some("older")] {
        if let Some(text) = older {
            folder.file("p", text);
        }
        // No file can grow: `ulimit -f 0`, with the signal ignored so that writing fails instead.
        let refused = shell(&folder, "trap '' XFSZ; ulimit -f 0; \"$0\" \"$@\"", ["build", "p.mini", "-o", "p"]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("`p`") && refused.stderr.contains("File too large"), "{}", refused.stderr);
        assert_eq!(fs::read_to_string(folder.path("p")).ok().as_deref(), older);
        assert_eq!(folder.names().len(), 1 + usize::from(older.is_some()));
    }
}

#[test]
fn outputs_that_can_not_be_meant_are_refused() {
    let folder = Folder::new();
    folder.file("p.mini", HELLO);
    fs::create_dir(folder.path("d")).expect("ours");
    let onto_source = folder.minic(["build", "p.mini", "-o", "./p.mini"]);
    assert!(onto_source.status == Some(2) && onto_source.stderr.contains("is the source file"), "{onto_source:?}");
    assert_eq!(fs::read_to_string(folder.path("p.mini")).expect("untouched"), HELLO);
    folder.file("m.mini", "pub fn f() {}\n");
    folder.file("q.mini", "import m;\nextern fn g();\nfn main() { m::f(); g(); }\n");
    folder.file("g.c", "void g(void) {}\n");
    for (output, what) in [("m.mini", "is a module of the program"), ("./g.c", "is given with `--link`")] {
        let before = fs::read(folder.path(output)).expect("there");
        let onto_input = folder.minic(["build", "q.mini", "--link", "g.c", "-o", output]);
        assert!(onto_input.status == Some(2) && onto_input.stderr.contains(what), "{onto_input:?}");
        assert_eq!(fs::read(folder.path(output)).expect("untouched"), before);
    }
    for arguments in [&["build", "p.mini", "-o", "m.mini"][..], &["runtime-lib", "m.mini"]] {
        let onto_other = folder.minic(arguments);
        let refused = onto_other.status == Some(2) && onto_other.stderr.contains("would replace a Mini source file");
        assert!(refused, "{onto_other:?}");
        assert_eq!(fs::read_to_string(folder.path("m.mini")).expect("untouched"), "pub fn f() {}\n");
    }
    let onto_folder = folder.minic(["build", "p.mini", "-o", "d"]);
    assert!(onto_folder.status == Some(2) && onto_folder.stderr.contains("is a directory"), "{onto_folder:?}");
    let nowhere = folder.minic(["build", "p.mini", "-o", "no/such/folder/p"]);
    assert!(nowhere.status == Some(2) && nowhere.stderr.contains("no/such/folder/p"), "{nowhere:?}");
}

#[test]
fn devices_are_written_and_links_are_kept() {
    let folder = Folder::new();
    folder.file("p.mini", HELLO);
    assert_eq!(folder.minic(["build", "p.mini", "-o", "/dev/null"]).status, Some(0));
    assert!(!fs::metadata("/dev/null").expect("there").is_file());
    let full = folder.minic(["build", "p.mini", "-o", "/dev/full"]);
    assert!(full.status == Some(2) && full.stderr.contains("/dev/full"), "{full:?}");
    std::os::unix::fs::symlink("real", folder.path("link")).expect("ours");
    assert_eq!(folder.minic(["build", "p.mini", "-o", "link"]).status, Some(0));
    assert!(fs::symlink_metadata(folder.path("link")).expect("there").is_symlink());
    assert!(fs::metadata(folder.path("real")).expect("there").is_file());
}

#[test]
fn a_running_executable_can_be_replaced() {
    let folder = Folder::new();
    let waiting = folder.build("w", "fn main() { let l = read_line(); print(\"old\", l ?? \"\"); }");
    let mut child = Command::new(&waiting)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("runs");
    folder.build("w", HELLO);
    drop(child.stdin.take());
    let old = child.wait_with_output().expect("ends");
    assert_eq!(String::from_utf8_lossy(&old.stdout), "old \n");
    assert_eq!(Command::new(&waiting).output().expect("runs").stdout, b"hello\n");
}

/// A program that is large enough for several threads.
fn large_program() -> String {
    let mut text = String::from("let zero = args().len();\n");
    for i in 0..600 {
        text += &format!(
            "fn f{i}(x: int) -> int {{ let s = x; for k in 0..{i} {{ s = s * {} + k ^ zero; if s > {i} {{ s -= k; }} }} s }}\n",
            i + 3
        );
    }
    text += "fn main() { let sum = 0;\n";
    for i in 0..600 {
        text += &format!("sum += f{i}({i});\n");
    }
    text + "print(sum); }\n"
}

#[test]
fn equal_input_gives_equal_bytes_in_any_folder_with_any_number_of_threads() {
    let program = large_program();
    let mut results = Vec::new();
    for jobs in ["-j1", "-j2", "-j7"] {
        let folder = Folder::new();
        folder.file("large.mini", &program);
        for kind in ["exe", "obj", "asm"] {
            let built = folder.minic(["build", "large.mini", "-o", "out", "--emit", kind, jobs]);
            assert_eq!(built.status, Some(0), "{}", built.stderr);
            results.push((kind, fs::read(folder.path("out")).expect("built")));
        }
    }
    let (first, rest) = results.split_at(3);
    for (kind, bytes) in rest {
        let same = first.iter().find(|(k, _)| k == kind).map(|(_, b)| b == bytes);
        assert_eq!(same, Some(true), "{kind} differs");
    }
}

#[test]
fn hello_world_is_small() {
    let folder = Folder::new();
    let size = fs::metadata(folder.build("h", HELLO)).expect("built").len();
    assert!(size < 100 << 10, "{size} bytes");
}

#[test]
fn the_source_can_come_from_standard_input() {
    let folder = Folder::new();
    let source = folder.file("p.mini", HELLO);
    let built = shell(&folder, &format!("\"$0\" \"$@\" < {}", source.display()), ["build", "/dev/stdin", "-o", "p"]);
    assert_eq!(built.status, Some(0), "{}", built.stderr);
    assert!(Path::new(&folder.path("p")).is_file());
}

#[test]
fn a_dash_is_standard_input_and_standard_output() {
    let folder = Folder::new();
    folder.file("p.mini", HELLO);
    folder.file("p.ir", "func main() {\na:\n  ret\n}\n");
    let ran = |script: &str| shell(&folder, script, [""; 0]);
    let text = ran("\"$0\" build - --emit asm -o - < p.mini");
    assert!(text.status == Some(0) && text.stdout.contains("main"), "{text:?}");
    assert_eq!(ran("\"$0\" build - -o - < p.mini > x; chmod +x x; ./x").stdout, "hello\n");
    assert_eq!(ran("\"$0\" run - < p.mini").stdout, "hello\n");
    assert!(ran("\"$0\" opt - --passes pruned < p.ir").stdout.starts_with("ssa func main()"));
    let no_name = ran("\"$0\" build - < p.mini");
    assert!(no_name.status == Some(2) && no_name.stderr.contains("choose one with `-o`"), "{no_name:?}");
    assert_eq!(folder.names(), ["p.ir", "p.mini", "x"]);
}
