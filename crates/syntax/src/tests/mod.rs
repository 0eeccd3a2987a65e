//! Whole texts: their tokens, their trees, their errors.

mod foreign; // forms of other languages
mod errors; // what is reported, where, and how often
mod limits; // deep nesting, long chains, cut and random texts
mod trees; // what is parsed as what

use crate::ast::Module;
use crate::parser::{STACK_BYTES, parse_file};
use crate::print::print_module;
use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::{Diagnostic, Diagnostics};
use std::path::Path;

/// A parsed text.
struct Outcome {
    module: Module,
    names: Names,
    map: SourceMap,
    diagnostics: Vec<Diagnostic>,
    /// The printed tree.
    printed: String,
}

/// Parses, in a thread with the documented stack.
fn parsed(text: &str) -> Outcome {
    let text = text.to_string();
    let work = move || {
        let (mut map, mut names, mut diagnostics) = (SourceMap::new(), Names::new(), Diagnostics::new());
        let id = map.add(Path::new("t.mini"), text.into()).expect("small");
        let module = parse_file(map.file(id), &mut names, &mut diagnostics);
        let printed = print_module(&module, map.file(id), &names);
        Outcome { module, names, map, diagnostics: diagnostics.into_sorted(), printed }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).expect("a thread");
    thread.join().expect("the parser does not panic")
}

/// `LINE:COLUMN CODE` of each error.
fn errors(text: &str) -> Vec<String> {
    let outcome = parsed(text);
    let place = |d: &Diagnostic| {
        let at = outcome.map.locate(d.span.start).expect("it has a place").1;
        format!("{}:{} {}", at.line, at.column, d.code)
    };
    outcome.diagnostics.iter().map(place).collect()
}

/// The tree without places, without its first level of indentation.
fn tree(text: &str) -> String {
    let outcome = parsed(text);
    assert!(outcome.diagnostics.is_empty(), "{text}: {:?}", outcome.diagnostics);
    outcome.printed.lines().map(|l| format!("{}\n", l.get(8..).unwrap_or(""))).collect()
}

/// The tree of one expression.
fn expression(text: &str) -> String {
    let all = tree(&format!("const A = {text};"));
    all.lines().skip(1).map(|l| l.strip_prefix("  ").unwrap_or(l).trim_end()).collect::<Vec<_>>().join("\n")
}
