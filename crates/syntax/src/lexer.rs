//! The lexer: text to tokens.
//!
//! * In: a source file. Out: its [`Tokens`], and a diagnostic for each lexical error.
//! * Keeps: every token's span lies in the file and on character boundaries; spans grow; a malformed literal is a token all
//!   the same (marked [`flags::DOUBTFUL`]), so that the parser finds what it expects.
//! * Cost: linear.
//! * Source: language reference, section 1. `logos` finds where tokens end; literals and comments have own scanners
//!   (`numbers.rs`, `quoted.rs`), because their errors want more than "no match".

use crate::numbers::{self, Number};
use crate::quoted::{self, Quoted};
use crate::token::{Token, TokenKind as K, Tokens, flags};
use logos::Logos;
use mini_base::ids::Id;
use mini_base::names::Names;
use mini_base::source::{Pos, SourceFile, Span};
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Diagnostics, Stage};

/// How deep anything may nest.
pub const MAX_NESTING: usize = 1000;

#[derive(Logos, Clone, Copy, PartialEq)]
#[logos(skip r"[ \t\r]+")]
enum Raw {
    #[regex(r"\n[ \t\r\n]*")]
    LineBreak,
    #[token("//")]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]")]
    Digit,
    #[token("\"")]
    Quote,
    #[token("'")]
    Tick,
    // Tokens that are kept in pieces, see `token.rs`.
    #[token(">")]
    #[token(">=")]
    #[token(">>")]
    #[token(">>=")]
    #[token(">>>")]
    #[token(">>>=")]
    #[token("?")]
    #[token("??")]
    Pieces,
    #[token("break", |_| K::Break)]
    #[token("const", |_| K::Const)]
    #[token("continue", |_| K::Continue)]
    #[token("else", |_| K::Else)]
    #[token("enum", |_| K::Enum)]
    #[token("extern", |_| K::Extern)]
    #[token("false", |_| K::False)]
    #[token("fn", |_| K::Fn)]
    #[token("for", |_| K::For)]
    #[token("if", |_| K::If)]
    #[token("impl", |_| K::Impl)]
    #[token("import", |_| K::Import)]
    #[token("in", |_| K::In)]
    #[token("let", |_| K::Let)]
    #[token("match", |_| K::Match)]
    #[token("null", |_| K::Null)]
    #[token("pub", |_| K::Pub)]
    #[token("return", |_| K::Return)]
    #[token("self", |_| K::SelfValue)]
    #[token("struct", |_| K::Struct)]
    #[token("true", |_| K::True)]
    #[token("while", |_| K::While)]
    #[token("_", |_| K::Underscore, priority = 3)]
    #[token("int", |_| K::TypeName)]
    #[token("float", |_| K::TypeName)]
    #[token("bool", |_| K::TypeName)]
    #[token("byte", |_| K::TypeName)]
    #[token("string", |_| K::TypeName)]
    Reserved(K),
    #[token("(", |_| K::LParen)]
    #[token(")", |_| K::RParen)]
    #[token("[", |_| K::LBracket)]
    #[token("]", |_| K::RBracket)]
    #[token("{", |_| K::LBrace)]
    #[token("}", |_| K::RBrace)]
    #[token(",", |_| K::Comma)]
    #[token(";", |_| K::Semicolon)]
    #[token(":", |_| K::Colon)]
    #[token("::", |_| K::ColonColon)]
    #[token(".", |_| K::Dot)]
    #[token("..", |_| K::DotDot)]
    #[token("..=", |_| K::DotDotEq)]
    #[token("->", |_| K::Arrow)]
    #[token("=>", |_| K::FatArrow)]
    #[token("=", |_| K::Assign)]
    #[token("+", |_| K::Plus)]
    #[token("-", |_| K::Minus)]
    #[token("*", |_| K::Star)]
    #[token("/", |_| K::Slash)]
    #[token("%", |_| K::Percent)]
    #[token("&", |_| K::Amp)]
    #[token("^", |_| K::Caret)]
    #[token("|", |_| K::Pipe)]
    #[token("!", |_| K::Bang)]
    #[token("~", |_| K::Tilde)]
    #[token("&&", |_| K::AmpAmp)]
    #[token("||", |_| K::PipePipe)]
    #[token("<<", |_| K::Shl)]
    #[token("==", |_| K::EqEq)]
    #[token("!=", |_| K::NotEq)]
    #[token("<", |_| K::Lt)]
    #[token("<=", |_| K::LtEq)]
    #[token("+=", |_| K::PlusAssign)]
    #[token("-=", |_| K::MinusAssign)]
    #[token("*=", |_| K::StarAssign)]
    #[token("/=", |_| K::SlashAssign)]
    #[token("%=", |_| K::PercentAssign)]
    #[token("&=", |_| K::AmpAssign)]
    #[token("^=", |_| K::CaretAssign)]
    #[token("|=", |_| K::PipeAssign)]
    #[token("<<=", |_| K::ShlAssign)]
    Symbol(K),
}

/// The tokens of a file.
pub fn lex(file: &SourceFile, names: &mut Names, diagnostics: &mut Diagnostics) -> Tokens {
    let text: &str = &file.text;
    let mut cx = Lexer {
        text,
        base: file.pos(0).0,
        out: Tokens {
            tokens: Vec::with_capacity(text.len() / 4 + 1),
            by: Some(names.intern("by")),
            ..Tokens::default()
        },
        pending: flags::FIRST_ON_LINE,
        unknown_end: usize::MAX,
        names,
        diagnostics,
    };
    cx.run();
    cx.out
}

struct Lexer<'a> {
    text: &'a str,
    /// Position of the text's first byte.
    base: u32,
    out: Tokens,
    /// Marks for the next token.
    pending: u8,
    /// Where the last run of unknown characters ended.
    unknown_end: usize,
    names: &'a mut Names,
    diagnostics: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let text = self.text;
        for (at, mark) in text.match_indices('\u{feff}').filter(|m| m.0 > 0) {
            self.error(codes::E0003_BYTE_ORDER_MARK, at, at + mark.len(), "a byte-order mark inside the file", |d| {
                d.with_help("delete this invisible character; in a string, write `\\u{feff}`")
            });
        }
        let mut raw = Raw::lexer(text);
        if text.starts_with('\u{feff}') {
            raw.bump('\u{feff}'.len_utf8());
        }
        while let Some(found) = raw.next() {
            let (start, mut end) = (raw.span().start, raw.span().end);
            let bump = match found {
                Ok(Raw::Symbol(kind)) => {
                    if kind == K::Dot && text.as_bytes().get(end).is_some_and(u8::is_ascii_digit) {
                        self.number_without_lead(start)
                    } else {
                        self.push(kind, 0, 0, start, end);
                        end
                    }
                }
                Ok(Raw::Word) => self.word(None, start, end),
                Ok(Raw::Reserved(kind)) => self.word(Some(kind), start, end),
                Ok(Raw::LineBreak) => {
                    self.pending |= flags::FIRST_ON_LINE;
                    end
                }
                Ok(Raw::Pieces) => {
                    for at in start..end {
                        let kind = match text.as_bytes()[at] {
                            b'>' => K::Gt,
                            b'?' => K::Question,
                            _ => K::Assign,
                        };
                        self.push(kind, if at + 1 < end { flags::JOINED } else { 0 }, 0, at, at + 1);
                    }
                    end
                }
                Ok(Raw::LineComment) => self.line_comment(end),
                Ok(Raw::BlockComment) => self.block_comment(start),
                Ok(Raw::Digit) => self.number(start),
                Ok(Raw::Quote) => self.string(start),
                Ok(Raw::Tick) => self.byte(start),
                Err(()) => {
                    let rest = &text[start..];
                    let first = rest.chars().next().unwrap_or(' ');
                    if unicode_ident::is_xid_start(first) {
                        self.word(None, start, start + first.len_utf8())
                    } else {
                        self.unknown(first, start);
                        start + first.len_utf8()
                    }
                }
            };
            end = end.max(raw.span().end);
            if bump > end {
                raw.bump(bump - end);
            }
        }
        self.push(K::End, 0, 0, text.len(), text.len());
        self.out.open_brace = crate::braces::suspect(&self.out.tokens, text, self.base);
    }

    fn push(&mut self, kind: K, marks: u8, value: u32, start: usize, end: usize) {
        let span = self.span(start, end);
        self.out.tokens.push(Token { kind, flags: marks | self.pending, value, span });
        self.pending = 0;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(Pos(self.base + start as u32), Pos(self.base + end as u32))
    }

    #[cold]
    fn error(
        &mut self,
        code: &'static str,
        start: usize,
        end: usize,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let diagnostic = Diagnostic::error(code, Stage::Lexer, self.span(start, end), message);
        self.diagnostics.push(more(diagnostic));
    }

    /// An identifier or a reserved word; the built-in types and `self` can stand in paths, so they carry their names. Returns where it ends: characters beyond ASCII may go on.
    fn word(&mut self, reserved: Option<K>, start: usize, end: usize) -> usize {
        let mut to = end;
        if self.text.as_bytes().get(end).is_some_and(|&b| b >= 0x80) || !self.text.as_bytes()[start].is_ascii() {
            to += self.text[end..].find(|c| !unicode_ident::is_xid_continue(c)).unwrap_or(self.text.len() - end);
        }
        match reserved {
            Some(kind) if to == end && !matches!(kind, K::TypeName | K::SelfValue) => self.push(kind, 0, 0, start, to),
            _ => {
                let name = self.names.intern(&self.text[start..to]);
                let kind = reserved.filter(|_| to == end).unwrap_or(K::Ident);
                self.push(kind, 0, name.index() as u32, start, to);
            }
        }
        to
    }

    fn line_comment(&mut self, behind_slashes: usize) -> usize {
        let rest = &self.text[behind_slashes..];
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = &rest[..length];
        if let Some(doc) = line.strip_prefix('/')
            && !doc.starts_with('/')
        {
            let doc = doc.strip_suffix('\r').unwrap_or(doc);
            self.out.docs.push((self.out.tokens.len() as u32, doc.strip_prefix(' ').unwrap_or(doc).into()));
        }
        behind_slashes + length
    }

    /// From the `/*`. The first token behind a comment with a line break in it counts as first of its line.
    fn block_comment(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut depth, mut too_deep) = (start + 2, 1usize, false);
        while depth > 0 {
            match bytes.get(at) {
                None => {
                    if !too_deep {
                        self.error(
                            codes::E0006_COMMENT_NOT_CLOSED,
                            start,
                            start + 2,
                            "this block comment is never closed",
                            |d| {
                                d.with_help(match depth {
                                    1 => "add `*/`".to_string(),
                                    _ => format!("block comments nest: {depth} more `*/` are needed"),
                                })
                            },
                        );
                    }
                    self.pending |= flags::DOUBTFUL;
                    return at;
                }
                Some(b'*') if bytes.get(at + 1) == Some(&b'/') => {
                    depth -= 1;
                    at += 2;
                }
                Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                    depth += 1;
                    if depth > MAX_NESTING && !too_deep {
                        too_deep = true;
                        self.error(codes::E0012_NESTED_TOO_DEEPLY, at, at + 2, "nested too deeply", |d| {
                            d.with_help(format!("block comments nest at most {MAX_NESTING} deep"))
                        });
                    }
                    at += 2;
                }
                Some(b'\n') => {
                    self.pending |= flags::FIRST_ON_LINE;
                    at += 1;
                }
                Some(_) => at += 1,
            }
        }
        at
    }

    fn number(&mut self, start: usize) -> usize {
        let number = numbers::scan(&self.text[start..]);
        self.push_number(number, start)
    }

    /// `.5`
    fn number_without_lead(&mut self, start: usize) -> usize {
        let number = numbers::scan_after_point(&self.text[start..]);
        self.push_number(number, start)
    }

    fn push_number(&mut self, number: Number, start: usize) -> usize {
        let end = start + number.length;
        let mut marks = if number.min_magnitude { flags::MIN_MAGNITUDE } else { 0 };
        if let Some(problem) = number.problem {
            marks |= flags::DOUBTFUL;
            let whole = self.span(start, end);
            self.error(problem.code, start + problem.from, start + problem.to, problem.message, |d| {
                match (problem.help, problem.fix) {
                    (Some(help), Some(fix)) => d.with_help(help).with_fix(whole, fix),
                    (Some(help), None) => d.with_help(help),
                    (None, _) => d,
                }
            });
        }
        match number.float {
            Some(value) => {
                self.out.floats.push(value);
                self.push(K::Float, marks, self.out.floats.len() as u32 - 1, start, end);
            }
            None => {
                self.out.ints.push(number.int);
                self.push(K::Int, marks, self.out.ints.len() as u32 - 1, start, end);
            }
        }
        end
    }

    fn string(&mut self, start: usize) -> usize {
        let found = quoted::scan_string(&self.text[start..]);
        let marks = self.report_quoted(
            &found,
            start,
            codes::E0004_STRING_NOT_CLOSED,
            "this string is not closed on its line",
            "\"",
        );
        self.out.strings.push(found.bytes.into());
        self.push(K::String, marks, self.out.strings.len() as u32 - 1, start, start + found.length);
        if !found.closed {
            self.pending |= flags::DOUBTFUL;
        }
        start + found.length
    }

    fn byte(&mut self, start: usize) -> usize {
        let found = quoted::scan_byte(&self.text[start..]);
        let marks = self.report_quoted(
            &found,
            start,
            codes::E0005_BYTE_NOT_CLOSED,
            "this byte literal is not closed on its line",
            "'",
        );
        self.push(K::Byte, marks, u32::from(found.bytes.first().copied().unwrap_or(0)), start, start + found.length);
        if !found.closed {
            self.pending |= flags::DOUBTFUL;
        }
        start + found.length
    }

    /// Reports what is wrong with a string or a byte literal, and returns the marks of its token.
    fn report_quoted(
        &mut self,
        found: &Quoted,
        start: usize,
        not_closed: &'static str,
        message: &str,
        quote: &str,
    ) -> u8 {
        if found.closed && found.problems.is_empty() {
            return 0;
        }
        for problem in &found.problems {
            self.error(problem.code, start + problem.from, start + problem.to, problem.message.clone(), |d| {
                match &problem.help {
                    Some(help) => d.with_help(help.clone()),
                    None => d,
                }
            });
        }
        if !found.closed && found.problems.is_empty() {
            let (line_end, fix) = (self.span(start + found.length, start + found.length), quote.to_string());
            self.error(not_closed, start, start + 1, message, |d| {
                d.with_help(format!("add the closing `{quote}`")).with_fix(line_end, fix)
            });
        }
        flags::DOUBTFUL
    }

    #[cold]
    fn unknown(&mut self, found: char, start: usize) {
        let end = start + found.len_utf8();
        self.pending |= flags::DOUBTFUL;
        let goes_on = std::mem::replace(&mut self.unknown_end, end) == start;
        if goes_on || found == '\u{feff}' {
            return;
        }
        let (message, help, fix) = describe_unknown(found);
        let span = self.span(start, end);
        self.error(codes::E0002_UNKNOWN_CHARACTER, start, end, message, |d| {
            let d = if help.is_empty() { d } else { d.with_help(help) };
            match fix {
                Some(fix) => d.with_fix(span, fix),
                None => d,
            }
        });
    }
}

/// Message, help and replacement for a character that begins no token.
fn describe_unknown(found: char) -> (String, &'static str, Option<&'static str>) {
    let code = found as u32;
    match found {
        '\0' => ("a NUL byte outside a string or comment".into(), "delete it; in a string, write `\\0`", Some("")),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => {
            (format!("a typographic quote `{found}`"), "strings stand between straight quotes `\"`", Some("\""))
        }
        '\u{2018}' | '\u{2019}' | '\u{201a}' => {
            (format!("a typographic quote `{found}`"), "byte literals stand between straight quotes `'`", Some("'"))
        }
        '\u{2212}' | '\u{2013}' | '\u{2014}' => {
            (format!("a dash `{found}` (U+{code:04X})"), "minus is the character `-`", Some("-"))
        }
        '\u{d7}' => ("`×` is no operator".into(), "multiplication is `*`", Some("*")),
        '\u{f7}' => ("`÷` is no operator".into(), "division is `/`", Some("/")),
        '\u{2260}' => ("`≠` is no operator".into(), "it is written `!=`", Some("!=")),
        '\u{2264}' => ("`≤` is no operator".into(), "it is written `<=`", Some("<=")),
        '\u{2265}' => ("`≥` is no operator".into(), "it is written `>=`", Some(">=")),
        '#' => ("`#` begins no token".into(), "comments begin with `//`", None),
        '`' => ("a backtick begins no token".into(), "strings stand between `\"`", None),
        c if c.is_whitespace() => (format!("an unusual blank, U+{code:04X}"), "write an ordinary space", Some(" ")),
        c if c.is_control() || (c as u32) >= 0x200b && (c as u32) <= 0x206f => {
            (format!("an invisible character, U+{code:04X}"), "delete it", Some(""))
        }
        c => (format!("`{c}` begins no token"), "", None),
    }
}
