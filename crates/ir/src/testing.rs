//! For tests of passes: functions from text and back, and the examples of head comments, which must be true.

use crate::func::Func;
use crate::module::{Module, ModuleInfo};
use crate::text::{SsaStyle, parse_module, print_func};
use crate::verify::verify_module;

/// A module from its text. Fails if it breaks a rule.
pub fn module(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e} in:\n{text}"));
    verify_module(&module).unwrap_or_else(|errors| panic!("{} in:\n{text}", errors[0]));
    module
}

/// The only or first function of a text.
pub fn func(text: &str) -> Func {
    module(text).funcs.into_vec().swap_remove(0)
}

/// The text of a function.
pub fn text(func: &Func) -> String {
    print_func(func, &ModuleInfo::default(), SsaStyle::Params)
}

/// The fenced blocks of a file's head comment.
pub fn fenced(file: &str) -> Vec<String> {
    let head: Vec<&str> = file.lines().map_while(|line| line.strip_prefix("//!")).collect();
    (head.split(|line| line.trim_start().starts_with("```")).skip(1).step_by(2))
        .map(|lines| lines.iter().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect())
        .collect()
}

/// The two fenced blocks of a file's head comment: before and after.
pub fn example(file: &str) -> [String; 2] {
    fenced(file).try_into().expect("an example has two fenced blocks")
}

/// Runs a pass on the example of its file's head comment: the first function must become the second.
pub fn check_example(file: &str, pass: impl Fn(&mut Func, &ModuleInfo)) {
    let [before, after] = example(file);
    let module = module(&before);
    let mut func = module.funcs.into_vec().swap_remove(0);
    assert_eq!(text(&func), before, "the example as it is printed");
    pass(&mut func, &module.info);
    assert_eq!(text(&func), after);
}
