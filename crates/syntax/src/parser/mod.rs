//! The parser: tokens to syntax tree.
//!
//! * In: the [`Tokens`] of a file. Out: its [`Module`], and a diagnostic for each independent syntax error.
//! * Keeps: each error is reported once, at the first token that does not fit; what the parser could not make out is an
//!   `Error` node, and everything around it is there; the tree nests at most [`MAX_NESTING`] deep.
//! * Cost: linear. The grammar is parsed without backtracking: every choice is made by the next token, or the next three.
//! * Source: language reference, sections 2 to 5. Recovery in panic mode (Aho, Lam, Sethi, Ullman, Compilers, 2nd ed.
//!   2006, section 4.1.4), at statements, match arms, braces of struct literals, and items.
//!
//! *How it is built.* A production is a function on `chumsky`'s input, so that productions call each other as they please;
//! inside, sequences are combinators, and choices are a `match` on the next token instead of `choice`, which would try one
//! alternative after the other and lose the place of the error. Parts that combinators have no word for (operators by
//! level, lists that explain what is missing) are `custom` parsers in `support.rs` and `operators.rs`.

mod foreign; // forms of other languages: what they are called here
mod expressions; // primaries, postfix operations, `if`, `match`, closures
mod items; // modules and items
mod operators; // prefix and binary operators
mod patterns; // patterns
mod recovery; // where parsing goes on after an error
mod statements; // blocks and statements
mod support; // the parser's state, leaf parsers, lists, reporting
mod types; // types, paths, type parameters

use crate::ast::Module;
use crate::lexer::{MAX_NESTING, lex};
use crate::token::Tokens;
use chumsky::Parser;
use chumsky::primitive::custom;
use mini_base::names::Names;
use mini_base::source::SourceFile;
use mini_diag::diagnostic::Diagnostics;

/// The stack that parsing needs for a program of the deepest nesting, in any build. Passes over the tree need no more.
pub const STACK_BYTES: usize = 64 << 20;

/// The syntax tree of a file.
pub fn parse(tokens: &Tokens, names: &Names, diagnostics: &mut Diagnostics) -> Module {
    let mut state = support::State::new(tokens, names);
    let module = custom(items::module).parse_with_state(tokens.tokens.as_slice(), &mut state).into_output();
    if let Some(too_deep) = state.too_deep {
        diagnostics.push(too_deep);
        return Module::default();
    }
    for diagnostic in state.diagnostics {
        diagnostics.push(diagnostic);
    }
    module.unwrap_or_default()
}

/// The syntax tree of a file from its text: [`lex`] and [`parse`].
pub fn parse_file(file: &SourceFile, names: &mut Names, diagnostics: &mut Diagnostics) -> Module {
    let tokens = lex(file, names, diagnostics);
    parse(&tokens, names, diagnostics)
}
