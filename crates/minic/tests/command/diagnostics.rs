//! Places and forms of diagnostics.

use super::{Folder, finish, minic};

/// Line and column of the first error in the short form.
fn place(folder: &Folder, bytes: &[u8]) -> Option<(u32, u32)> {
    folder.file("p.mini", bytes);
    let shown = folder.minic(["check", "p.mini", "--error-format", "short"]);
    assert_eq!(shown.status, Some(1), "{shown:?}");
    let line = shown.stderr.lines().find(|l| l.contains(" error[E"))?;
    let mut parts = line.strip_prefix("p.mini:")?.split(':');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[test]
fn columns_count_code_points_whatever_stands_before() {
    let folder = Folder::new();
    for before in [
        "let x = ",
        "\tlet x = ",
        "/* hé */ let x = ",
        "/* 日本 */ let x = ",
        "/* 😀 */\tlet x = ",
        "let größe = ",
        "/* e\u{301} */ let x = ",
    ] {
        let text = format!("fn main() {{\n{before}undefinedName;\n}}\n");
        let column = before.chars().count() as u32 + 1;
        assert_eq!(place(&folder, text.as_bytes()), Some((2, column)), "{before:?}");
        let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(place(&folder, marked.as_bytes()), Some((2, column)), "{before:?} with a byte-order mark and CR LF");
        let first = format!("\u{feff}fn main() {{ {before}undefinedName; }}");
        assert_eq!(place(&folder, first.as_bytes()), Some((1, column + 12)), "{before:?} on the first line");
    }
}

#[test]
fn run_time_errors_count_the_same_way() {
    let folder = Folder::new();
    for before in ["", "\t", "/* 😀 */ ", "let s = \"日本\"; "] {
        for (call, add) in [
            ("print(1 / zero);", 6),
            ("print([7][zero + 1]);", 6),
            ("assert(zero > 0);", 0),
            ("zero /= zero;", 0),
            ("print(2 + 3 * (4 % zero));", 15),
        ] {
            let text = format!("\u{feff}let zero = args().len();\r\nfn main() {{\r\n{before}{call}\r\n}}\r\n");
            folder.file("t.mini", text);
            let wanted = format!("t.mini:3:{}\n", before.chars().count() + add + 1);
            for command in ["run", "interp"] {
                let outcome = folder.minic([command, "t.mini"]);
                assert_eq!(outcome.status, Some(101), "{outcome:?}");
                assert!(
                    outcome.stderr.contains(&wanted),
                    "{command} {before:?} {call}: wanted {wanted:?}: {}",
                    outcome.stderr
                );
            }
        }
    }
}

#[test]
fn invalid_utf8_names_the_byte_offset() {
    let folder = Folder::new();
    for bad in [&b"\xff"[..], b"\x80", b"\xe6\x97", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"] {
        let good = "fn main() {}\n// 日本".as_bytes();
        folder.file("b.mini", [good, bad].concat());
        let shown = folder.minic(["check", "b.mini", "--error-format", "short"]);
        assert_eq!(shown.status, Some(1), "{shown:?}");
        assert!(shown.stderr.contains(&format!("byte offset {}", good.len())), "{bad:?}: {}", shown.stderr);
    }
}

#[test]
fn every_form_has_its_shape() {
    let folder = Folder::new();
    folder.file("p.mini", "fn main() {\n    let größe: int = \"日本\";\n    print(nope);\n}\n");
    let shown = |args: &[&str]| {
        let mut command = vec!["check", "p.mini"];
        command.extend(args);
        folder.minic(command).stderr
    };
    let rich = shown(&[]);
    assert!(rich.contains("größe") && rich.contains("nope") && !rich.contains('\u{1b}'), "{rich}");
    assert!(shown(&["--color", "always"]).contains('\u{1b}'));
    let short = shown(&["--error-format", "short"]);
    assert!(short.lines().all(|l| l.starts_with("p.mini:")), "{short}");
    assert_eq!(short.lines().filter(|l| l.contains(": error[E")).count(), 2, "{short}");
    let plain = shown(&["--error-format", "plain"]);
    assert!(plain.lines().filter(|l| l.starts_with("p.mini:")).eq(short.lines()), "{plain}");
    assert!(plain.contains("the type is written here") && !plain.contains("let größe"), "{plain}");
    let json = shown(&["--error-format", "json"]);
    assert_eq!(json.lines().filter(|l| l.starts_with('{') && l.ends_with('}')).count(), json.lines().count(), "{json}");
    assert!(json.contains("\"schema\"") && json.contains("\"line\""), "{json}");
}

#[test]
fn no_color_is_heeded_and_overridden() {
    let folder = Folder::new();
    folder.file("p.mini", "fn main() { nope; }");
    let run = |name: &str, value: &str, args: &[&str]| {
        let mut command = minic();
        command.current_dir(folder.folder.path()).args(["check", "p.mini"]).args(args).env(name, value);
        finish(command, b"").stderr.contains('\u{1b}')
    };
    assert!(run("CLICOLOR_FORCE", "1", &[]));
    assert!(!run("NO_COLOR", "1", &[]));
    assert!(run("NO_COLOR", "1", &["--color", "always"]));
}

#[test]
fn warnings_are_no_errors_unless_denied() {
    let folder = Folder::new();
    folder.file("w.mini", "fn main() { let unused = 1; }");
    let shown = folder.minic(["check", "w.mini", "--error-format", "short"]);
    assert!(shown.status == Some(0) && shown.stderr.contains("warning[W"), "{shown:?}");
    let ran = folder.minic(["run", "w.mini"]);
    assert!(ran.status == Some(0) && ran.stderr.is_empty(), "stderr belongs to the program: {ran:?}");
    let denied = folder.minic(["build", "w.mini", "-D", "warnings", "--error-format", "short"]);
    assert!(denied.status == Some(1) && denied.stderr.contains("error[W"), "{denied:?}");
    assert_eq!(folder.names(), ["w.mini"]);
}

#[test]
fn textual_ir_has_diagnostics_like_a_program() {
    let folder = Folder::new();
    folder.file("t.ir", "func main() {\nfirst:\n  %1 = ad 1, 2\n  ret\n}\n");
    folder.file("v.ir", "func main() {\nfirst:\n  %1 = add %2, %2\n  %2 = const 1\n  ret\n}\n");
    for command in [&["check"][..], &["build"], &["emit", "ssa"], &["interp"], &["opt"]] {
        for (file, wanted) in [("t.ir", "t.ir:3:8: error[E0601]: "), ("v.ir", "v.ir:3:3: error[E0602]: ")] {
            let mut args = command.to_vec();
            args.extend(["--error-format", "short", file]);
            let shown = folder.minic(&args);
            assert_eq!((shown.status, shown.stdout.as_str()), (Some(1), ""), "{args:?}: {shown:?}");
            assert!(shown.stderr.starts_with(wanted), "{args:?}: {}", shown.stderr);
        }
    }
    let json = folder.minic(["check", "t.ir", "--error-format", "json"]).stderr;
    assert!(json.contains("\"E0601\"") && json.contains("did you mean `add`"), "{json}");
    assert!(folder.minic(["check", "t.ir", "--color", "always"]).stderr.contains('\u{1b}'));
}

#[test]
fn tokens_and_trees_of_a_wrong_program_are_printed_and_it_is_wrong() {
    let folder = Folder::new();
    folder.file("w.mini", "fn main() { let a = @1; print(a; }");
    for stage in ["tokens", "ast"] {
        let shown = folder.minic(["emit", stage, "w.mini"]);
        assert_eq!(shown.status, Some(1), "{stage}");
        assert!(shown.stdout.contains("main") && shown.stderr.contains("E0002"), "{stage}: {shown:?}");
    }
}
