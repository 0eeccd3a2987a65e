//! Runs the checker over a program and compares what it finds with what the program's comments want.

use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::{Diagnostic, Diagnostics, Severity};
use mini_sema::typed::Program;
use std::path::Path;

/// What the checker says about a program: (line, diagnostic), and the typed program.
pub fn check(text: &str) -> (Vec<(u32, Diagnostic)>, Option<Program>) {
    let mut map = SourceMap::new();
    let file = map.add(Path::new("test.mini"), text.into()).expect("a small file");
    let (mut names, mut diagnostics) = (Names::new(), Diagnostics::new());
    let module = mini_syntax::parser::parse_file(map.file(file), &mut names, &mut diagnostics);
    let modules = mini_sema::modules::Module::root(module, map.file(file).pos(0));
    let program = mini_sema::check::check(&modules, &names, &mut diagnostics);
    let found = diagnostics.into_sorted().into_iter().map(|d| {
        let line = map.locate(d.span.start).map_or(0, |(_, at)| at.line);
        (line, d)
    });
    (found.collect(), program)
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
