//! Runs the checker over a program and compares what it finds with what the program's comments want.

use mini_base::ids::{Id, IdVec};
use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::{Diagnostic, Diagnostics, Severity};
use mini_sema::check::Purpose;
use mini_sema::modules::{Module, ModuleId, Part};
use mini_sema::typed::Program;
use mini_syntax::ast;
use std::path::Path;

/// What the checker says about a program: (line, diagnostic), and the typed program.
pub fn check(text: &str) -> (Vec<(u32, Diagnostic)>, Option<Program>) {
    check_for(text, Purpose::Executable)
}

/// The same for a program that is to become something else than an executable.
pub fn check_for(text: &str, purpose: Purpose) -> (Vec<(u32, Diagnostic)>, Option<Program>) {
    let (found, program) = check_modules_for(&[("main", Part::Root, text)], purpose);
    (found.into_iter().map(|(_, line, d)| (line, d)).collect(), program)
}

/// The same for several modules, the root first; each diagnostic with its file.
pub fn check_modules(files: &[(&str, Part, &str)]) -> (Vec<(String, u32, Diagnostic)>, Option<Program>) {
    check_modules_for(files, Purpose::Executable)
}

fn check_modules_for(
    files: &[(&str, Part, &str)],
    purpose: Purpose,
) -> (Vec<(String, u32, Diagnostic)>, Option<Program>) {
    let (mut map, mut names, mut diagnostics) = (SourceMap::new(), Names::new(), Diagnostics::new());
    let mut modules: IdVec<ModuleId, Module> = IdVec::new();
    for &(name, part, text) in files {
        let file = map.add(Path::new(name), text.into()).expect("a small file");
        let tree = mini_syntax::parser::parse_file(map.file(file), &mut names, &mut diagnostics);
        let start = map.file(file).pos(0);
        let imported = |item: &ast::Item| match &item.kind {
            ast::ItemKind::Import(import) => {
                let path: Vec<&str> = import.path.iter().map(|part| names.text(part.name)).collect();
                Some(files.iter().position(|(name, ..)| *name == path.join(".")).map(ModuleId::new))
            }
            _ => None, // items that load nothing
        };
        let imports = tree.items.iter().filter_map(imported).collect();
        modules.push(Module { tree, start, name: name.into(), part, imports });
    }
    let program = mini_sema::check::check(&modules, &names, purpose, &mut diagnostics);
    let found = diagnostics.into_sorted().into_iter().map(|d| {
        let (path, at) = map.locate(d.span.start).expect("a place");
        (path.display().to_string(), at.line, d)
    });
    (found.collect(), program)
}

/// The errors of several modules, and the warnings about what is unused, are those that their comments want.
pub fn modules(files: &[(&str, Part, &str)]) {
    let mut wanted: Vec<(String, u32, String)> = Vec::new();
    for (name, _, text) in files {
        for (line, content) in text.lines().enumerate() {
            if let Some((_, codes)) = content.split_once("//~") {
                wanted
                    .extend(codes.split_whitespace().map(|code| (name.to_string(), line as u32 + 1, code.to_string())));
            }
        }
    }
    let (found, program) = check_modules(files);
    let mut seen: Vec<(String, u32, String)> =
        found.iter().map(|(name, line, d)| (name.clone(), *line, d.code.to_string())).collect();
    wanted.sort();
    seen.sort();
    let messages: Vec<String> = found.iter().map(|(n, l, d)| format!("{n}:{l}: {} {}", d.code, d.message)).collect();
    assert_eq!(seen, wanted, "found\n{}", messages.join("\n"));
    let errors = found.iter().any(|(_, _, d)| d.severity == Severity::Error);
    assert_eq!(program.is_none(), errors, "a program comes out if and only if there are no errors");
}

fn compare(text: &str, counts: impl Fn(&Diagnostic) -> bool) {
    let text = if text.contains("fn main(") { text.to_string() } else { format!("{text}\nfn main() {{}}\n") };
    let mut wanted: Vec<(u32, String)> = Vec::new();
    for (line, content) in text.lines().enumerate() {
        if let Some((_, codes)) = content.split_once("//~") {
            wanted.extend(codes.split_whitespace().map(|code| (line as u32 + 1, code.to_string())));
        }
    }
    let (found, program) = check(&text);
    let mut seen: Vec<(u32, String)> =
        found.iter().filter(|(_, d)| counts(d)).map(|(line, d)| (*line, d.code.to_string())).collect();
    wanted.sort();
    seen.sort();
    let messages: Vec<String> = found.iter().map(|(l, d)| format!("{l}: {} {}", d.code, d.message)).collect();
    assert_eq!(seen, wanted, "in\n{text}\nfound\n{}", messages.join("\n"));
    let errors = found.iter().any(|(_, d)| d.severity == Severity::Error);
    assert_eq!(program.is_none(), errors, "a program comes out if and only if there are no errors");
}

/// The errors of the program are those that its comments want; warnings don't count.
pub fn errors(text: &str) {
    compare(text, |d| d.severity == Severity::Error);
}

/// The errors and the warnings with a code of the list are those that the comments want.
pub fn with_warnings(codes: &[&str], text: &str) {
    compare(text, |d| d.severity == Severity::Error || codes.contains(&d.code));
}

/// The first diagnostic with a code.
pub fn diagnostic(text: &str, code: &str) -> Diagnostic {
    let (found, _) = check(text);
    found.into_iter().map(|(_, d)| d).find(|d| d.code == code).expect("the wanted diagnostic")
}

/// The typed tree as text.
pub fn typed(text: &str) -> String {
    let (found, program) = check(text);
    let program = program.unwrap_or_else(|| panic!("{found:?}"));
    mini_sema::print::program_text(&program, None)
}
