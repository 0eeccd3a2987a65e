//! What all productions use: the parser's state, looking at tokens, leaf parsers, lists, and reporting.

use super::{MAX_NESTING, foreign};
use crate::ast::Ident;
use crate::token::{Token, TokenKind as K, Tokens, flags};
use chumsky::error::{Error, LabelError};
use chumsky::extra;
use chumsky::input::{Checkpoint, Cursor, Input, InputRef};
use chumsky::inspector::Inspector;
use chumsky::primitive::custom;
use chumsky::util::MaybeRef;
use chumsky::{DefaultExpected, Parser};
use mini_base::names::Names;
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// What a parameter's name is called.
pub(super) const PARAMETER: &str = "the name of a parameter";

/// The input as productions see it.
pub(super) type In<'t, 'p> = InputRef<'t, 'p, &'t [Token], Extra<'t>>;
/// The types that `chumsky` wants to know.
pub(super) type Extra<'t> = extra::Full<Reported, State<'t>, ()>;
/// What a production gives.
pub(super) type Parsed<T> = Result<T, Reported>;

/// A syntax error has been reported; whoever receives this recovers or passes it on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

impl<'t, I: Input<'t>> Error<'t, I> for Reported {}

impl<'t, I: Input<'t>> LabelError<'t, I, DefaultExpected<'t, I::Token>> for Reported {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'t, I::Token>>>(
        _: E,
        _: Option<MaybeRef<'t, I::Token>>,
        _: I::Span,
    ) -> Self {
        Reported
    }
}

/// What `{` behind a name means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    /// A struct literal.
    Literal,
    /// The body of the statement whose head this is.
    Body,
}

/// What the productions of one file share.
pub(super) struct State<'t> {
    pub tokens: &'t Tokens,
    pub names: &'t Names,
    pub diagnostics: Vec<Diagnostic>,
    /// An error was reported at the token before this index: none is reported at or before that one again.
    reported_before: usize,
    /// The token at which the last production failed.
    pub failed_at: usize,
    /// How deep the current place is nested.
    pub depth: usize,
    /// The error that ends everything.
    pub too_deep: Option<Diagnostic>,
    /// What `{` behind a name means here.
    pub braces: Braces,
    /// The int literal 2^63 at this index is the operand of a minus.
    pub negated: usize,
    /// The items that were not made out.
    pub broken: Vec<Ident>,
    /// How many braces were found not to be closed.
    pub unclosed: usize,
}

impl<'t> State<'t> {
    pub(super) fn new(tokens: &'t Tokens, names: &'t Names) -> Self {
        State {
            tokens,
            names,
            diagnostics: Vec::new(),
            reported_before: 0,
            failed_at: 0,
            depth: 0,
            too_deep: None,
            braces: Braces::Literal,
            negated: usize::MAX,
            broken: Vec::new(),
            unclosed: 0,
        }
    }
}

// Diagnostics are never taken back: the grammar does not backtrack.
impl<'t> Inspector<'t, &'t [Token]> for State<'t> {
    type Checkpoint = ();
    #[inline(always)]
    fn on_token(&mut self, _: &Token) {}
    #[inline(always)]
    fn on_save<'p>(&self, _: &Cursor<'t, 'p, &'t [Token]>) {}
    #[inline(always)]
    fn on_rewind<'p>(&mut self, _: &Checkpoint<'t, 'p, &'t [Token], ()>) {}
}

impl State<'_> {
    /// Whether the file has more `{` than `}`.
    pub(super) fn brace_missing(&self) -> bool {
        self.tokens.open_brace.is_some()
    }
}

/// Looking at tokens and taking them. The `End` token is never taken.
pub(super) trait Look {
    /// The next token's index.
    fn index(&self) -> usize;
    /// The token `n` behind the next one.
    fn nth(&mut self, n: usize) -> Token;
    /// The next token.
    fn token(&mut self) -> Token;
    /// The next token's kind.
    fn kind(&mut self) -> K;
    /// Whether the next token is of this kind.
    fn at(&mut self, kind: K) -> bool;
    /// Takes the next token.
    fn bump(&mut self) -> Token;
    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: K) -> Option<Token>;
    /// The span of the last token taken; the empty span at the file's start before the first.
    fn previous(&mut self) -> Span;
}

impl<'t> Look for In<'t, '_> {
    #[inline(always)]
    fn index(&self) -> usize {
        *self.cursor().inner()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Token {
        let at = self.index() + n;
        let tokens = &self.state().tokens.tokens;
        tokens[at.min(tokens.len() - 1)]
    }

    #[inline(always)]
    fn token(&mut self) -> Token {
        *self.peek_ref().expect("the lexer ends every file with an `End` token, which is never taken")
    }

    #[inline(always)]
    fn kind(&mut self) -> K {
        self.token().kind
    }

    #[inline(always)]
    fn at(&mut self, kind: K) -> bool {
        self.kind() == kind
    }

    #[inline(always)]
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != K::End {
            self.skip();
        }
        token
    }

    #[inline(always)]
    fn eat(&mut self, kind: K) -> Option<Token> {
        let token = self.token();
        (token.kind == kind).then(|| {
            self.skip();
            token
        })
    }

    #[inline]
    fn previous(&mut self) -> Span {
        let at = self.index();
        let tokens = &self.state().tokens.tokens;
        match at.checked_sub(1) {
            Some(before) => tokens[before].span,
            None => tokens[0].span.at_start(),
        }
    }
}

/// A token of this kind.
pub(super) fn token<'t>(kind: K) -> impl Parser<'t, &'t [Token], Token, Extra<'t>> + Copy {
    custom(move |inp| expect(inp, kind))
}

/// A name that is declared or looked up; `what` says of what.
pub(super) fn name<'t>(what: &'static str) -> impl Parser<'t, &'t [Token], Ident, Extra<'t>> + Copy {
    custom(move |inp| expect_name(inp, what))
}

/// `first`, and behind it `parser`; or nothing, if `first` is not the next token.
pub(super) fn behind<'t, T, P>(first: K, parser: P) -> impl Parser<'t, &'t [Token], Option<T>, Extra<'t>> + Copy
where
    P: Parser<'t, &'t [Token], T, Extra<'t>> + Copy,
{
    custom(move |inp: &mut In<'t, '_>| match inp.eat(first) {
        Some(_) => inp.parse(parser).map(Some),
        None => Ok(None),
    })
}

/// The rest of a comma-separated list behind its opening bracket, with the closing one.
pub(super) fn list<'t, T, F>(close: K, item: F) -> impl Parser<'t, &'t [Token], Vec<T>, Extra<'t>> + Copy
where
    F: Fn(&mut In<'t, '_>) -> Parsed<T> + Copy,
{
    custom(move |inp| list_rest(inp, close, item))
}

/// See [`list`].
pub(super) fn list_rest<'t, T>(
    inp: &mut In<'t, '_>,
    close: K,
    item: impl Fn(&mut In<'t, '_>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let open = inp.previous();
    nested(inp, Braces::Literal, |inp| {
        let mut items = Vec::new();
        loop {
            if inp.eat(close).is_some() {
                items.shrink_to_fit();
                return Ok(items);
            }
            items.push(item(inp)?);
            match inp.kind() {
                K::Comma => {
                    inp.bump();
                }
                kind if kind == close => {}
                K::Semicolon if close == K::RBrace => {
                    let span = inp.token().span;
                    report(inp, |_| {
                        Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "expected `,`, found `;`")
                            .with_help("these are separated by commas")
                            .with_fix(span, ",")
                    });
                    inp.bump();
                }
                // One item a line, and the comma at the end of one forgotten.
                K::Ident if close == K::RBrace && inp.token().is(flags::FIRST_ON_LINE) => {
                    let (text, behind) = (found(inp), inp.previous().at_end());
                    report(inp, |_| {
                        let message = format!("expected `,`, found {text}");
                        Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, behind, message).with_fix(behind, ",")
                    });
                }
                _ => return Err(not_closed(inp, close, open)),
            }
        }
    })
}

/// Runs a production one level deeper, where `{` behind a name means `braces`.
#[inline]
pub(super) fn nested<'t, 'p, T>(
    inp: &mut In<'t, 'p>,
    braces: Braces,
    production: impl FnOnce(&mut In<'t, 'p>) -> Parsed<T>,
) -> Parsed<T> {
    let depth = inp.state().depth;
    deeper(inp, 1)?;
    let before = std::mem::replace(&mut inp.state().braces, braces);
    let result = production(inp);
    let state = inp.state();
    state.braces = before;
    state.depth = depth;
    result
}

/// Goes some levels deeper; [`shallower`] goes back. Too deep is the one error that remains.
#[inline]
pub(super) fn deeper(inp: &mut In<'_, '_>, levels: usize) -> Parsed<()> {
    let state = inp.state();
    state.depth += levels;
    if state.depth <= MAX_NESTING {
        return Ok(());
    }
    if state.too_deep.is_none() {
        let span = place(inp);
        let help = format!(
            "parentheses, brackets, blocks, unary operators, types and patterns nest at most {MAX_NESTING} deep"
        );
        inp.state().too_deep = Some(
            Diagnostic::error(codes::E0012_NESTED_TOO_DEEPLY, Stage::Parser, span, "nested too deeply").with_help(help),
        );
    }
    Err(Reported)
}

/// See [`deeper`].
pub(super) fn shallower(inp: &mut In<'_, '_>, levels: usize) {
    inp.state().depth -= levels;
}

/// Takes a token of this kind.
#[inline]
pub(super) fn expect(inp: &mut In<'_, '_>, kind: K) -> Parsed<Token> {
    match inp.eat(kind) {
        Some(token) => Ok(token),
        None => Err(expected(inp, codes::E0101_UNEXPECTED, &format!("`{}`", kind.text()))),
    }
}

/// Takes a name.
#[inline]
pub(super) fn expect_name(inp: &mut In<'_, '_>, what: &str) -> Parsed<Ident> {
    let token = inp.token();
    if token.kind != K::Ident {
        return Err(name_expected(inp, what));
    }
    inp.skip();
    Ok(ident(inp, token))
}

/// The name that a token carries.
pub(super) fn ident(inp: &mut In<'_, '_>, token: Token) -> Ident {
    Ident { name: inp.state().tokens.name(token), span: token.span }
}

#[cold]
fn name_expected(inp: &mut In<'_, '_>, what: &str) -> Reported {
    let token = inp.token();
    let reserved = token.kind.is_keyword() || matches!(token.kind, K::TypeName | K::Underscore);
    let typed = what == PARAMETER && inp.nth(1).kind == K::Ident;
    let text = found(inp);
    let span = place(inp);
    report(inp, |_| {
        let error = Diagnostic::error(
            codes::E0112_NAME_EXPECTED,
            Stage::Parser,
            span,
            format!("expected {what}, found {text}"),
        );
        match token.kind {
            K::Underscore => error.with_help("`_` is no name that can be used again"),
            K::TypeName if typed => error.with_help("a parameter is written with its type behind it: `name: type`"),
            _ if reserved => error.with_help("this word is reserved"),
            _ => error,
        }
    })
}

/// How messages speak of the next token.
#[cold]
pub(super) fn found(inp: &mut In<'_, '_>) -> String {
    let token = inp.token();
    match token.kind {
        K::End | K::Int | K::Float | K::Byte | K::String => token.kind.text().into(),
        K::Ident | K::TypeName => {
            let state = inp.state();
            let text = state.names.text(state.tokens.name(token));
            match text.char_indices().nth(40) {
                Some((cut, _)) => format!("`{}…`", &text[..cut]),
                None => format!("`{text}`"),
            }
        }
        K::Gt | K::Question => {
            let mut text = token.kind.text().to_string();
            let mut n = 0;
            while inp.nth(n).is(flags::JOINED) {
                n += 1;
                text.push_str(inp.nth(n).kind.text());
            }
            format!("`{text}`")
        }
        kind if kind.is_keyword() => format!("the keyword `{}`", kind.text()),
        kind => format!("`{}`", kind.text()),
    }
}

/// The place of an error at the next token: the token; at the end of the file, the end of the last token.
pub(super) fn place(inp: &mut In<'_, '_>) -> Span {
    let token = inp.token();
    match token.kind {
        K::End if inp.index() > 0 => inp.previous().at_end(),
        _ => token.span,
    }
}

/// Reports an error at the next token, unless one has been reported there or right before it.
#[cold]
pub(super) fn report(inp: &mut In<'_, '_>, make: impl FnOnce(Span) -> Diagnostic) -> Reported {
    let (at, token, span) = (inp.index(), inp.token(), place(inp));
    let state = inp.state();
    state.failed_at = at;
    if at >= state.reported_before {
        state.reported_before = at + 1;
        if !token.is(flags::DOUBTFUL) && state.too_deep.is_none() {
            state.diagnostics.push(make(span));
        }
    }
    Reported
}

/// Reports that `what` was expected.
#[cold]
pub(super) fn expected(inp: &mut In<'_, '_>, code: &'static str, what: &str) -> Reported {
    let text = found(inp);
    report(inp, |span| Diagnostic::error(code, Stage::Parser, span, format!("expected {what}, found {text}")))
}

/// Reports that a list or a bracket is not closed, or has no comma, where something else stands.
#[cold]
pub(super) fn not_closed(inp: &mut In<'_, '_>, close: K, open: Span) -> Reported {
    let text = found(inp);
    let token = inp.token();
    let closer = close.text();
    let foreign = foreign::expression(inp);
    report(inp, |span| {
        let ends = matches!(token.kind, K::End | K::Semicolon | K::RBrace | K::RParen | K::RBracket | K::LBrace);
        if let Some(foreign) = foreign {
            return foreign.error(codes::E0101_UNEXPECTED, span);
        }
        let (code, message) = if token.kind == K::Comma {
            (codes::E0101_UNEXPECTED, format!("expected `{closer}`, found {text}"))
        } else if ends {
            (codes::E0103_NOT_CLOSED, format!("expected `{closer}`, found {text}"))
        } else {
            (codes::E0101_UNEXPECTED, format!("expected `,` or `{closer}`, found {text}"))
        };
        Diagnostic::error(code, Stage::Parser, span, message).with_secondary(open, "this is still open")
    })
}
