//! Forms of other languages: what they are called here.
//!
//! *In:* the tokens around a place that does not fit. *Out:* a diagnostic that names Mini's form, for errors that the
//! productions report anyway. *Keeps:* nothing is accepted or refused here; without a row in a table there is no advice.
//! *Cost:* constant, and only after an error. *Example:* at `var q = 1;` it says `let`.

use super::support::{In, Look};
use crate::token::{Token, TokenKind as K, flags};
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// What is wrong, and how it is written here.
pub(super) struct Foreign {
    message: String,
    help: String,
    /// Where, if not at the next token.
    place: Option<Span>,
    fix: Option<(Span, &'static str)>,
}

impl Foreign {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Foreign {
        Foreign { message: message.into(), help: help.into(), place: None, fix: None }
    }

    fn with_fix(mut self, span: Span, replacement: &'static str) -> Foreign {
        self.fix = Some((span, replacement));
        self
    }

    fn at(mut self, span: Span) -> Foreign {
        self.place = Some(span);
        self
    }

    /// The error, if nothing else is known at a place.
    pub fn error(self, code: &'static str, span: Span) -> Diagnostic {
        let span = self.place.unwrap_or(span);
        let error = Diagnostic::error(code, Stage::Parser, span, self.message).with_help(self.help);
        match self.fix {
            Some((span, replacement)) => error.with_fix(span, replacement),
            None => error,
        }
    }
}

/// The text of a name; of other tokens nothing.
fn word<'t>(inp: &mut In<'t, '_>, token: Token) -> &'t str {
    let state = inp.state();
    match token.kind {
        K::Ident => state.names.text(state.tokens.name(token)),
        _ => "", // no name
    }
}

/// The token at an index from the start.
fn at(inp: &mut In<'_, '_>, index: usize) -> Token {
    let tokens = &inp.state().tokens.tokens;
    tokens[index.min(tokens.len() - 1)]
}

/// A `(` where a variable is declared.
#[cold]
pub(super) fn tuple() -> Foreign {
    Foreign::new("there are no tuples", "declare the variables one by one; a function gives several values as a struct")
}

/// An `else` behind a `let`.
#[cold]
pub(super) fn let_else() -> Foreign {
    let help = "test first, as in `if x == null { return; }`, or write `if let y = x { … } else { … }`";
    Foreign::new("a `let` has no `else`", help)
}

/// A statement that began at `start` and does not go on as it should at the next token.
#[cold]
pub(super) fn statement(inp: &mut In<'_, '_>, start: usize) -> Option<Foreign> {
    let first = at(inp, start);
    match first_word(inp, first, start) {
        Some(foreign) => Some(foreign.at(first.span)),
        None => expression(inp),
    }
}

fn first_word(inp: &mut In<'_, '_>, first: Token, start: usize) -> Option<Foreign> {
    let alone = inp.index() == start + 1;
    let next = inp.token();
    let text = word(inp, first);
    let declares = alone && next.kind == K::Ident;
    match text {
        "var" | "val" | "auto" | "local" | "mut" | "dim" if declares => {
            let message = format!("`{text}` declares nothing");
            return Some(Foreign::new(message, "a variable is declared with `let`").with_fix(first.span, "let"));
        }
        "elif" | "elsif" | "elseif" => {
            let message = format!("there is no `{text}`");
            return Some(Foreign::new(message, "write `else if` behind the `}`").with_fix(first.span, "else if"));
        }
        "switch" | "when" | "select" if alone || next.kind == K::LBrace => {
            let help = "write `match`, with arms `pattern => expression,`";
            return Some(Foreign::new(format!("there is no `{text}`"), help).with_fix(first.span, "match"));
        }
        "foreach" => {
            let help = "write `for x in a { … }`";
            return Some(Foreign::new("there is no `foreach`", help).with_fix(first.span, "for"));
        }
        "func" | "def" | "function" | "fun" if declares || !alone => {
            let help = "functions begin with `fn` and stand outside of other functions";
            return Some(Foreign::new(format!("`{text}` declares nothing"), help));
        }
        "print" | "println" | "write" | "eprint" | "echo" | "puts" | "assert" | "panic" | "exit" if alone => {
            let help =
                format!("write `{}(…)`", if matches!(text, "println" | "echo" | "puts") { "print" } else { text });
            return Some(Foreign::new("the arguments of a call stand in parentheses", help));
        }
        _ => {} // no first word of other languages
    }
    let is_type = first.kind == K::TypeName || text.starts_with(char::is_uppercase);
    let goes_on = inp.nth(1).kind;
    if declares && (goes_on == K::Assign || (goes_on == K::Semicolon && is_type)) {
        let ty = if first.kind == K::TypeName { type_name(inp, first) } else { text.to_string() };
        let name = word(inp, next).to_string();
        let help = format!("a variable is declared with `let`: `let {name}: {ty} = …;`");
        return Some(Foreign::new("a type does not begin a declaration", help));
    }
    None
}

fn type_name(inp: &mut In<'_, '_>, token: Token) -> String {
    match token.kind {
        K::TypeName => {
            let state = inp.state();
            state.names.text(state.tokens.name(token)).to_string()
        }
        _ => String::new(), // no name of a type
    }
}

/// An expression behind which the next token does not fit.
#[cold]
pub(super) fn expression(inp: &mut In<'_, '_>) -> Option<Foreign> {
    let next = inp.token();
    let before = match inp.index() {
        0 => return None,
        index => at(inp, index - 1),
    };
    let (text, text_before) = (word(inp, next), word(inp, before));
    let operator = |other: &str, here: &'static str| {
        Some(
            Foreign::new(format!("there is no operator `{other}`"), format!("write `{here}`"))
                .with_fix(next.span, here),
        )
    };
    match (text_before, text) {
        (_, "and") => return operator("and", "&&"),
        (_, "or") => return operator("or", "||"),
        (_, "mod") => return operator("mod", "%"),
        (_, "is") => return operator("is", "=="),
        (_, "as") => {
            let ty = inp.nth(1);
            let help = match type_name(inp, ty).as_str() {
                ty @ ("int" | "float" | "byte" | "string") => format!("convert with the function `{ty}(…)`"),
                _ => "convert with the functions `int(…)`, `float(…)`, `byte(…)`, `string(…)`".into(),
            };
            return Some(Foreign::new("there is no operator `as`", help));
        }
        ("not", _) if next.kind != K::LBrace && next.kind != K::Semicolon => {
            let not = Foreign::new("there is no operator `not`", "write `!`");
            return Some(not.with_fix(before.span, "!"));
        }
        ("new", _) if next.kind == K::Ident => {
            let help = format!("a struct value is written `{text} {{ field: value }}`, without `new`");
            return Some(Foreign::new("values are made without `new`", help));
        }
        _ => {} // no words of other languages
    }
    match next.kind {
        K::Question if !matches!(inp.nth(1).kind, K::Semicolon | K::RParen | K::RBracket | K::RBrace | K::Comma) => {
            Some(Foreign::new("there is no operator `? :`", "write `if c { a } else { b }`, which has a value"))
        }
        K::Question => {
            let help = "to leave the function, test first: `if x == null { return null; }`; `x!` ends the program, `x ?? y` gives \
                        another value";
            Some(Foreign::new("there is no operator `?`", help))
        }
        K::Arrow if inp.nth(1).kind == K::Ident => {
            Some(Foreign::new("there is no operator `->`", "write `.`").with_fix(next.span, "."))
        }
        K::FatArrow => {
            Some(Foreign::new("`=>` belongs to the arms of `match`", "a closure is written `fn(x: int) -> int { … }`"))
        }
        _ => None, // nothing known from elsewhere
    }
}

/// Where an operand should begin, and the next token can't begin one.
#[cold]
pub(super) fn operand(inp: &mut In<'_, '_>) -> Option<Foreign> {
    let index = inp.index();
    let next = inp.token();
    let before = if index > 0 { at(inp, index - 1) } else { next };
    let touches = index > 0 && before.span.end == next.span.start;
    let pair = before.span.to(next.span);
    match (before.kind, next.kind) {
        (K::Plus, K::Plus) if touches => Some(Foreign::new("there is no `++`", "write `x += 1`")),
        (_, K::Plus) if inp.nth(1).kind == K::Plus => Some(Foreign::new("there is no `++`", "write `x += 1`")),
        (K::Assign, K::Plus) if touches => {
            Some(Foreign::new("there is no `=+`", "to add to it, write `+=`").with_fix(pair, "+="))
        }
        (K::Star, K::Star) if touches => {
            Some(Foreign::new("there is no operator `**`", "write `pow(x, y)`, which takes floats"))
        }
        (K::EqEq, K::Assign) if touches => Some(Foreign::new("there is no `===`", "write `==`").with_fix(pair, "==")),
        (K::NotEq, K::Assign) if touches => Some(Foreign::new("there is no `!==`", "write `!=`").with_fix(pair, "!=")),
        (K::Minus, K::Semicolon | K::RBrace | K::RParen)
            if index > 1 && at(inp, index - 2).kind == K::Minus && at(inp, index - 2).span.end == before.span.start =>
        {
            Some(Foreign::new("there is no `--`", "write `x -= 1`"))
        }
        (_, K::Amp) => Some(Foreign::new(
            "there is no operator `&` before a value",
            "structs and arrays are shared by reference: write the value alone",
        )),
        _ => None, // nothing known from elsewhere
    }
}

/// Where an item should begin.
#[cold]
pub(super) fn item(inp: &mut In<'_, '_>) -> Option<Foreign> {
    let first = inp.token();
    let text = word(inp, first);
    let (help, replacement) = match text {
        "func" | "def" | "function" | "fun" | "proc" | "sub" => ("functions begin with `fn`", Some("fn")),
        "class" | "record" | "type" => {
            ("write `struct Name { field: type }`; methods stand in an `impl`", Some("struct"))
        }
        "var" | "val" | "auto" | "static" => ("a variable is declared with `let`", Some("let")),
        "use" | "include" | "using" | "require" | "from" => ("write `import name;`", None),
        "public" | "export" => ("write `pub`", Some("pub")),
        "trait" | "interface" => ("there are only `struct`, `enum` and `impl`", None),
        _ if first.kind == K::TypeName || (first.kind == K::Ident && inp.nth(1).kind == K::Ident) => {
            let behind = inp.nth(2).kind;
            match behind {
                K::LParen => ("a function is written `fn name(parameter: type) -> type { … }`", None),
                K::Assign | K::Semicolon => ("a variable is declared with `let`: `let name: type = …;`", None),
                _ => return None, // not the form of a declaration elsewhere
            }
        }
        _ => return None, // nothing known from elsewhere
    };
    let found = super::support::found(inp);
    let foreign = Foreign::new(format!("expected a declaration, found {found}"), help);
    Some(match replacement {
        Some(replacement) => foreign.with_fix(first.span, replacement),
        None => foreign,
    })
}

/// Where the variable of a `for`, or the `in` behind it, should be.
#[cold]
pub(super) fn for_head(inp: &mut In<'_, '_>) -> Option<Foreign> {
    match inp.kind() {
        K::LParen if inp.nth(1).kind == K::Ident && inp.nth(2).kind == K::Comma => Some(Foreign::new(
            "a `for` has one variable",
            "write `for x in a { … }`, for a map `for k in m.keys() { let v = m.get(k)!; … }`",
        )),
        K::LParen => Some(Foreign::new("the head of `for` has no parentheses", "write `for i in 0..n { … }`")),
        K::Comma => Some(Foreign::new(
            "a `for` has one variable",
            "for the index too, write `for i in 0..a.len() { let x = a[i]; … }`",
        )),
        K::Assign | K::Colon | K::Ident => {
            Some(Foreign::new("a `for` runs over what stands behind `in`", "write `for i in 0..n { … }`"))
        }
        _ => None, // nothing known from elsewhere
    }
}

/// `T[]` and `T[3]`: the number of tokens from the bracket on, if the next token is one.
pub(super) fn array_suffix(inp: &mut In<'_, '_>) -> Option<usize> {
    if !inp.at(K::LBracket) || inp.token().is(flags::FIRST_ON_LINE) {
        return None;
    }
    match (inp.nth(1).kind, inp.nth(2).kind) {
        (K::RBracket, _) => Some(2),
        (K::Int, K::RBracket) => Some(3),
        _ => None, // something else
    }
}

/// `loop { … }` at the next token.
pub(super) fn endless_loop(inp: &mut In<'_, '_>) -> bool {
    let first = inp.token();
    inp.nth(1).kind == K::LBrace && word(inp, first) == "loop"
}

/// `x := e` or `x: T = e` at the next token.
#[cold]
pub(super) fn declaration_by_colon(inp: &mut In<'_, '_>) -> Option<Foreign> {
    let name = inp.token();
    let text = word(inp, name).to_string();
    match (inp.nth(2).kind, inp.nth(3).kind) {
        (K::Assign, _) => Some(Foreign::new(
            "there is no `:=`",
            format!("to declare a variable, write `let {text} = …;`, to assign, `{text} = …;`"),
        )),
        (K::TypeName | K::Ident, K::Assign | K::Question | K::Semicolon) | (K::LBracket, _) => {
            Some(Foreign::new("a variable is declared with `let`", format!("write `let {text}: type = …;`")))
        }
        _ => None, // a label
    }
}

/// `code` for a form of other languages.
pub(super) const CODE: &str = codes::E0101_UNEXPECTED;
