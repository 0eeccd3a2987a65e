//! Programs of several files: where modules are looked for, what their positions look like, what can't be read.

use super::{Folder, finish, minic};
use std::fs;
use std::path::Path;

/// A folder with a program `main.mini` that imports `parts.one`, which fails at `first / second`.
fn program() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("parts")).expect("the folder is ours");
    folder.file("main.mini", "import parts.one;\nfn main() { print(one::divide(6, args().len())); }\n");
    folder.file("parts/one.mini", "pub fn divide(a: int, b: int) -> int {\n    a / b\n}\n");
    folder
}

#[test]
fn modules_are_looked_for_from_the_folder_of_the_root_file_on() {
    let folder = program();
    let fine = folder.minic(["run", "main.mini", "x", "y"]);
    assert_eq!((fine.status, &*fine.stdout), (Some(0), "3\n"), "{}", fine.stderr);
    let mut elsewhere = minic();
    elsewhere.current_dir("/").arg("run").arg(folder.path("main.mini")).arg("x");
    let fine = finish(elsewhere, b"");
    assert_eq!((fine.status, &*fine.stdout), (Some(0), "6\n"), "{}", fine.stderr);
}

#[test]
fn a_position_in_a_module_is_the_folder_of_the_root_joined_with_its_path() {
    let folder = program();
    let name = folder.path("").file_name().map(|name| name.to_string_lossy().into_owned()).expect("it has a name");
    let paths = ["main.mini".to_string(), "./main.mini".into(), format!("../{name}/main.mini")];
    for (path, shown) in paths.iter().zip(["parts/one.mini", "./parts/one.mini", &format!("../{name}/parts/one.mini")])
    {
        for command in ["run", "interp"] {
            let failed = folder.minic([command, path]);
            assert_eq!(failed.status, Some(101), "{}", failed.stderr);
            assert!(failed.stderr.contains(&format!("--> {shown}:2:5\n")), "{command} {path}: {}", failed.stderr);
        }
    }
}

#[test]
fn a_program_on_standard_input_imports_from_the_current_folder() {
    let folder = program();
    let text = fs::read(folder.path("main.mini")).expect("it was written");
    let mut command = minic();
    command.current_dir(folder.path("")).args(["run", "-"]);
    let failed = finish(command, &text);
    assert_eq!(failed.status, Some(101), "{}", failed.stderr);
    assert!(failed.stderr.contains("--> parts/one.mini:2:5\n"), "{}", failed.stderr);
}

#[test]
fn executables_hold_all_modules() {
    let folder = program();
    let built = folder.minic(["build", "main.mini", "-o", "main"]);
    assert_eq!(built.status, Some(0), "{}", built.stderr);
    fs::remove_dir_all(folder.path("parts")).expect("the folder is ours");
    let run = finish(std::process::Command::new(folder.path("main")), b"");
    assert!(run.stderr.contains("--> parts/one.mini:2:5\n"), "{}", run.stderr);
}

#[test]
fn what_can_not_be_read_is_reported_at_the_import() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder.mini")).expect("the folder is ours");
    folder.file("file.mini", "");
    folder.file("main.mini", "import folder;\nimport file.inner;\nimport fiel;\nfn main() {}\n");
    std::os::unix::fs::symlink("main.mini", folder.path("alias.mini")).expect("the folder is ours");
    folder.file("root.mini", "import alias;\nfn main() {}\n");
    let refused = folder.minic(["check", "--error-format", "short", "main.mini"]);
    assert_eq!(refused.status, Some(1));
    let lines: Vec<&str> = refused.stderr.lines().collect();
    assert_eq!(
        lines,
        [
            "main.mini:1:8: error[E0510]: can't read `folder.mini`: it is a folder",
            "main.mini:2:8: error[E0508]: there is no module `file.inner`: the file `file/inner.mini` does not exist",
            "main.mini:3:8: error[E0508]: there is no module `fiel`: the file `fiel.mini` does not exist",
        ]
    );
    let plain = folder.minic(["check", "--error-format", "plain", "main.mini"]).stderr;
    assert!(plain.contains("did you mean `file`?"), "{plain}");
    assert!(plain.contains("`import file.{inner};`"), "{plain}");
}

#[test]
fn the_root_file_is_not_imported_by_another_way_either() {
    let folder = Folder::new();
    folder.file("main.mini", "import other;\nfn main() { other::f(); }\n");
    folder.file("other.mini", "import alias;\npub fn f() {}\n");
    std::os::unix::fs::symlink("main.mini", folder.path("alias.mini")).expect("the folder is ours");
    let refused = folder.minic(["check", "--error-format", "short", "main.mini"]);
    assert_eq!(
        refused.stderr,
        "other.mini:1:8: error[E0509]: the root file can't be imported: the program starts there\n"
    );
    // With the other file as the root, there is no such import.
    let missing = folder.minic(["check", "--error-format", "short", "other.mini"]);
    assert!(missing.stderr.contains("E0501") && missing.stderr.contains("E0509"), "{}", missing.stderr);
}

#[test]
fn emit_shows_the_functions_of_the_users_modules() {
    let folder = program();
    folder.file(
        "main.mini",
        "import parts.one;\nimport std.math;\nfn main() { print(one::divide(math::gcd(4, 6), 1)); }\n",
    );
    let typed = folder.minic(["emit", "typed", "main.mini"]).stdout;
    assert!(typed.contains("fn main()") && typed.contains("fn divide(") && !typed.contains("fn gcd("), "{typed}");
    let one = folder.minic(["emit", "typed", "--fn", "gcd", "main.mini"]).stdout;
    assert!(one.starts_with("fn gcd("), "{one}");
    let tree = folder.minic([Path::new("emit"), Path::new("ast"), Path::new("main.mini")]).stdout;
    assert!(tree.contains("main") && !tree.contains("divide(a"), "{tree}");
}
