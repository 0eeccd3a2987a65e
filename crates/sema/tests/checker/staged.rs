//! What can be checked but not compiled yet is reported in programs that are right otherwise.

use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::{Diagnostics, Severity};
use std::path::Path;

fn refused(text: &str) -> Vec<String> {
    let mut map = SourceMap::new();
    let file = map.add(Path::new("test.mini"), text.into()).expect("a small file");
    let (mut names, mut diagnostics) = (Names::new(), Diagnostics::new());
    let module = mini_syntax::parser::parse_file(map.file(file), &mut names, &mut diagnostics);
    let program = mini_sema::check::check(&module, &names, map.file(file).pos(0), &mut diagnostics);
    let found = diagnostics.into_sorted();
    assert_eq!(program.is_none(), found.iter().any(|d| d.severity == Severity::Error));
    found.into_iter().filter(|d| d.severity == Severity::Error).map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[test]
fn payloads_closures_and_show() {
    let payload = "E0900 not supported yet: enums whose variants carry values";
    assert_eq!(refused("enum E { A(int) } fn main() {}"), [payload]);
    assert_eq!(refused("fn main() { let f = fn() {}; f(); }"), ["E0900 not supported yet: closures"]);
    let show = "E0900 not supported yet: texts made by a method `show`";
    let program = "struct P {} impl P { fn show(self) -> string { \"\" } } fn main() { print([P {}]); }";
    assert_eq!(refused(program), [show]);
    assert!(refused("enum C { A } fn main() { match C::A { A => print(C::A) } }").is_empty());
    assert_eq!(refused("fn main() { let f = fn() {}; f(1); }").len(), 1, "other errors come first");
}
