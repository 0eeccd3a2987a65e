//! Programs with imports: the examples of the codes, and what is loaded.

use mini_base::source::FileId;
use mini_diag::codes;
use mini_diag::diagnostic::Diagnostic;
use mini_driver::options::Options;
use mini_driver::pipeline;
use mini_driver::session::Session;
use std::path::Path;

fn check(text: &str) -> (Session, Vec<Diagnostic>) {
    let mut session = Session::new(Options::default());
    let file: FileId = session.add(Path::new("main.mini"), text.into()).expect("small");
    let _ = pipeline::check(&mut session, file);
    let found = session.take_diagnostics();
    (session, found)
}

#[test]
fn examples_with_imports_show_their_codes_and_nothing_else() {
    let mut shown = 0;
    for row in codes::all().filter(|row| row.example.contains("import ")) {
        let Some((wrong, right)) = row.example.split_once("// right\n") else { continue };
        let wrong = wrong.strip_prefix("// wrong\n").expect("a wrong program");
        let found: Vec<&str> = check(wrong).1.iter().map(|d| d.code).collect();
        assert!(!found.is_empty() && found.iter().all(|&code| code == row.code), "{}: {found:?}", row.code);
        let found = check(right).1;
        assert!(found.is_empty(), "{}: {found:?}", row.code);
        shown += 1;
    }
    assert!(shown >= 5, "{shown}");
}

#[test]
fn the_library_is_loaded_where_its_names_occur() {
    let loaded = |text: &str| -> Vec<String> {
        let (session, _) = check(text);
        session.sources.files().map(|(_, file)| file.path.display().to_string()).collect()
    };
    assert_eq!(loaded("fn main() { print(1); } // List"), ["main.mini"]);
    assert_eq!(loaded("fn main() { print(Set::<int>::new().len()); }")[..2], ["main.mini", "std/set.mini"]);
    assert_eq!(loaded("import std.math;\nimport std.math.{gcd};\nfn main() {}"), ["main.mini", "std/math.mini"]);
    assert_eq!(loaded("import main;\nfn main() {}"), ["main.mini"]);
}

#[test]
fn no_module_of_the_library_has_a_warning() {
    let text = "import std.math; import std.random; fn main() { for l in stdin_lines() { print(l); } print(math::PI); random::Random::new(1).next(); }";
    assert!(check(text).1.is_empty());
}

#[test]
fn a_program_is_compiled_again_from_the_texts_that_were_read() {
    let folder = std::env::temp_dir().join(format!("mini-modules-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("main.mini", "import parts.one;\nfn main() { print(one::ONE); }");
    write("parts/one.mini", "pub const ONE = 1;");
    let root = folder.join("main.mini");
    let mut session = Session::new(Options::default());
    pipeline::check_file(&mut session, &root).expect("fine");
    std::fs::remove_dir_all(&folder).expect("removed");
    let mut again = session.again();
    pipeline::check_file(&mut again, &root).expect("fine again");
    assert_eq!(again.sources.files().count(), 2);
    let mut new = Session::new(Options::default());
    assert!(pipeline::check_file(&mut new, &root).is_err(), "the files are gone");
}
