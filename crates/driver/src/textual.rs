//! Reading textual IR. What is wrong there is the user's: it becomes diagnostics with lines and columns, like an error in a
//! program.
//!
//! The text's own ids are not kept by the reader, so that the line of a broken rule is found by its function, label and
//! instruction. *Cost:* linear in the text for each error; the verifier stops after 20 a function.

use crate::bug::guard;
use crate::failure::Failure;
use crate::session::Session;
use mini_base::near;
use mini_base::source::{FileId, SourceFile, Span};
use mini_diag::codes::{E0601_TEXTUAL_IR, E0602_BROKEN_RULE};
use mini_diag::diagnostic::{Diagnostic, Stage};
use mini_ir::module::Module;
use mini_ir::op::Op;
use mini_ir::text::{TextError, parse_module};
use mini_ir::verify::{self, VerifyError};

/// Reads a file of textual IR and verifies it; what is wrong is in the session's diagnostics then.
pub fn read(session: &mut Session, file: FileId) -> Result<Module, Failure> {
    let source = session.sources.file(file);
    let found: Vec<Diagnostic> = match guard("read", None, || parse_module(&source.text))? {
        Err(error) => vec![unreadable(source, &error)],
        Ok(module) => match guard("read", None, || verify::verify_module(&module))? {
            Ok(()) => return Ok(module),
            Err(errors) => errors.iter().map(|error| broken_rule(source, error)).collect(),
        },
    };
    for diagnostic in found {
        session.diagnostics.push(diagnostic);
    }
    Err(Failure::Program)
}

fn unreadable(source: &SourceFile, error: &TextError) -> Diagnostic {
    let span = token_at(source, offset(source, error.line, error.column));
    let diagnostic = Diagnostic::error(E0601_TEXTUAL_IR, Stage::Parser, span, error.message.as_str());
    match meant(&source.text, &error.message) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// The byte offset of a line and column, both from 1.
fn offset(source: &SourceFile, line: u32, column: u32) -> usize {
    let start = source.line_starts().get(line as usize - 1).map_or(source.text.len(), |&at| at as usize);
    let rest = &source.text[start..];
    start + rest.char_indices().nth(column as usize - 1).map_or(rest.len(), |(at, _)| at)
}

/// The word at an offset, or the one character that is there.
fn token_at(source: &SourceFile, start: usize) -> Span {
    let rest = &source.text[start..];
    let word = rest.find(|c: char| !(c.is_alphanumeric() || "_$%.?".contains(c))).unwrap_or(rest.len());
    let length = match word {
        0 => rest.chars().next().filter(|&c| c != '\n').map_or(0, char::len_utf8),
        length => length,
    };
    Span::new(source.pos(start), source.pos(start + length))
}

/// Near matches of a name that is not there: an operation, a function or a block.
fn meant(text: &str, message: &str) -> Option<String> {
    let name = message.split('`').nth(1)?;
    let near = if message.starts_with("expected an operation, found") {
        near::matches(name, Op::all().map(|row| row.name))
    } else if message.starts_with("there is no function") {
        near::matches(name, text.lines().filter_map(function_name))
    } else if message.starts_with("there is no block") {
        near::matches(name, text.lines().filter_map(label))
    } else {
        return None;
    };
    if near.is_empty() { None } else { Some(format!("did you mean `{}`?", near.join("` or `"))) }
}

/// The name of the function whose head a line is.
fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    for word in ["hidden ", "flat ", "ssa ", "cssa "] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
    }
    let name = rest.strip_prefix("func ")?.trim_start();
    match name.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => name.split('(').next().map(str::trim_end),
    }
}

/// The label that a line begins a block with.
fn label(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line.find(['(', ':'])?;
    (line.ends_with(':') && !line[..end].contains(' ')).then_some(&line[..end])
}

fn broken_rule(source: &SourceFile, error: &VerifyError) -> Diagnostic {
    let message = format!("{} (rule {} of the verifier, in `{}`)", error.message, error.rule as u8, error.func);
    Diagnostic::error(E0602_BROKEN_RULE, Stage::Checker, place(source, error), message)
}

/// The line that an error of the verifier is about: the instruction's, or else its block's, or its function's.
fn place(source: &SourceFile, error: &VerifyError) -> Span {
    let wanted_label = error.place.strip_prefix("block ").map(|rest| rest.split(", `").next().unwrap_or(rest));
    let wanted_inst = error.place.split_once(", `").map(|(_, inst)| squeezed(inst.trim_end_matches('`')));
    let (mut start, mut found) = (0, None);
    let (mut inside, mut in_block) = (false, false);
    for line in source.text.split_inclusive('\n') {
        if let Some(name) = function_name(line) {
            inside = name == &*error.func;
            in_block = false;
            if inside {
                found = Some((start, line));
            }
        } else if let (true, Some(here)) = (inside, label(line)) {
            in_block = wanted_label == Some(here);
            if in_block {
                found = Some((start, line));
            }
        } else if in_block && wanted_inst.as_deref() == Some(&squeezed(line)) {
            found = Some((start, line));
            break;
        }
        start += line.len();
    }
    let Some((start, line)) = found else { return token_at(source, 0) };
    let indent = line.len() - line.trim_start().len();
    Span::new(source.pos(start + indent), source.pos(start + line.trim_end().len()))
}

/// An instruction without blanks and without a comment behind it.
fn squeezed(line: &str) -> String {
    let code = line.split(" ;").next().unwrap_or(line);
    code.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use mini_diag::short;
    use std::path::Path;

    fn shown(text: &str) -> String {
        let mut session = Session::new(Options::default());
        let file = session.add(Path::new("x.ir"), text.into()).expect("small");
        assert!(matches!(read(&mut session, file), Err(Failure::Program)), "{text}");
        let found = session.take_diagnostics();
        let helps: Vec<String> = found.iter().filter_map(|d| d.help.clone()).collect();
        format!("{}{}", short::render(&found, &session.sources), helps.join("\n"))
    }

    #[test]
    fn what_can_not_be_read_has_a_place_and_near_matches() {
        let cases = [
            ("func main() {\nfirst:\n  %1 = ad 1\n}\n", "x.ir:3:8: error[E0601]: ", "did you mean `add`"),
            ("func main() {\nfirst:\n  jmp fisrt\n}\n", "x.ir:3:7: error[E0601]: ", "did you mean `first`?"),
            ("func help() {\na:\n  call hepl()\n  ret\n}\n", "x.ir:3:3: error[E0601]: ", "did you mean `help`?"),
            ("func \"é\"", "x.ir:1:9: error[E0601]: ", ""),
        ];
        for (text, place, help) in cases {
            let shown = shown(text);
            assert!(shown.starts_with(place) && shown.contains(help), "{shown}");
        }
    }

    #[test]
    fn a_broken_rule_has_the_line_of_its_instruction_block_or_function() {
        let inst =
            "func g() {\na:\n  ret\n}\nfunc main() {\na:\n  %1  =  add %2, %2 ; twice\n  %2 = const 1\n  ret\n}\n";
        assert!(shown(inst).starts_with("x.ir:7:3: error[E0602]: "), "{}", shown(inst));
        let block = "func main() {\na:\n  jmp b\nb:\n  %1 = const 1\n}\n";
        let shown_block = shown(block);
        assert!(
            shown_block.starts_with("x.ir:4:1: error[E0602]: ") || shown_block.starts_with("x.ir:5:3: "),
            "{shown_block}"
        );
        assert!(shown_block.contains("of the verifier, in `main`)"), "{shown_block}");
        let twice = shown("ssa func main() {\na:\n  %1 = const 1\n  %1 = const 2\n  ret\n}\n");
        assert!(twice.starts_with("x.ir:4:3: error[E0602]: `%1` is defined twice"), "{twice}");
        assert_eq!(twice.matches("E0602").count(), 1, "{twice}");
    }
}
