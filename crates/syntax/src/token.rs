//! Tokens: their kinds, a file's tokens with the values of its literals, and the printer for `minic emit tokens`.
//!
//! `>` and `?` are always tokens of their own, with a mark that the next one belongs to them (`>>` is a joined `>` and a
//! `>`), so that types need no splitting; the parser of operators joins them again, by the rule of the longest token.

use mini_base::ids::Id;
use mini_base::names::{Name, Names};
use mini_base::source::{SourceFile, Span};
use std::fmt::Write;
use std::sync::Arc;

macro_rules! token_kinds {
    ($($name:ident = $text:literal,)*) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u8)]
        pub enum TokenKind {
            $(#[doc = $text] $name,)*
        }

        impl TokenKind {
            /// How messages speak of it: the text of fixed tokens, a description of the others.
            pub fn text(self) -> &'static str {
                match self { $(TokenKind::$name => $text,)* }
            }
        }
    };
}

token_kinds! {
    End = "the end of the file",
    Ident = "a name",
    TypeName = "the name of a built-in type",
    Int = "an int literal",
    Float = "a float literal",
    Byte = "a byte literal",
    String = "a string literal",
    Break = "break", Const = "const", Continue = "continue", Else = "else", Enum = "enum", Extern = "extern",
    False = "false", Fn = "fn", For = "for", If = "if", Impl = "impl", Import = "import", In = "in", Let = "let",
    Match = "match", Null = "null", Pub = "pub", Return = "return", SelfValue = "self", Struct = "struct",
    True = "true", While = "while", Underscore = "_",
    LParen = "(", RParen = ")", LBracket = "[", RBracket = "]", LBrace = "{", RBrace = "}",
    Comma = ",", Semicolon = ";", Colon = ":", ColonColon = "::", Dot = ".", DotDot = "..", DotDotEq = "..=",
    Arrow = "->", FatArrow = "=>", Assign = "=", Question = "?",
    Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", Amp = "&", Caret = "^", Pipe = "|",
    Bang = "!", Tilde = "~", AmpAmp = "&&", PipePipe = "||", Shl = "<<",
    EqEq = "==", NotEq = "!=", Lt = "<", LtEq = "<=", Gt = ">",
    PlusAssign = "+=", MinusAssign = "-=", StarAssign = "*=", SlashAssign = "/=", PercentAssign = "%=",
    AmpAssign = "&=", CaretAssign = "^=", PipeAssign = "|=", ShlAssign = "<<=",
}

impl TokenKind {
    /// Whether it is a keyword.
    pub fn is_keyword(self) -> bool {
        (TokenKind::Break as u8..=TokenKind::While as u8).contains(&(self as u8))
    }
}

/// Marks on tokens.
pub mod flags {
    /// The next token begins where this one ends and both are one operator (`>` `>`, `>` `=`, `?` `?`).
    pub const JOINED: u8 = 1;
    /// The first token of its line.
    pub const FIRST_ON_LINE: u8 = 2;
    /// Malformed, or something malformed stands directly before it; that has been reported.
    pub const DOUBTFUL: u8 = 4;
    /// The int literal 2^63: fits only behind a minus.
    pub const MIN_MAGNITUDE: u8 = 8;
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// See [`flags`].
    pub flags: u8,
    /// The name, the byte, or the index of the literal's value.
    pub value: u32,
    /// Where.
    pub span: Span,
}

impl Token {
    /// Whether it carries a mark.
    pub fn is(self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// The tokens of a file. The last one is [`TokenKind::End`].
#[derive(Debug, Default)]
pub struct Tokens {
    /// In textual order.
    pub tokens: Vec<Token>,
    pub(crate) ints: Vec<i64>,
    pub(crate) floats: Vec<f64>,
    pub(crate) strings: Vec<Arc<[u8]>>,
    /// `///` comments: the index of the token behind, and the text behind the slashes.
    pub(crate) docs: Vec<(u32, Arc<str>)>,
    /// The name `by`, which is a keyword in the head of `for` alone.
    pub(crate) by: Option<Name>,
    /// In a file with more `{` than `}`, the one that is probably not closed.
    pub(crate) open_brace: Option<Span>,
}

impl Tokens {
    /// The name of an identifier.
    pub fn name(&self, token: Token) -> Name {
        Name::new(token.value as usize)
    }

    /// The value of an int literal.
    pub fn int(&self, token: Token) -> i64 {
        self.ints[token.value as usize]
    }

    /// The value of a float literal.
    pub fn float(&self, token: Token) -> f64 {
        self.floats[token.value as usize]
    }

    /// The bytes of a string literal.
    pub fn string(&self, token: Token) -> Arc<[u8]> {
        self.strings[token.value as usize].clone()
    }

    /// The `///` lines directly before a token, joined by line breaks.
    pub fn doc(&self, token: usize) -> Option<Arc<str>> {
        let first = self.docs.partition_point(|d| (d.0 as usize) < token);
        let lines: Vec<&str> = self.docs[first..].iter().take_while(|d| d.0 as usize == token).map(|d| &*d.1).collect();
        (!lines.is_empty()).then(|| lines.join("\n").into())
    }
}

/// One line a token: position, kind, text. The text of a long token is cut.
pub fn print_tokens(tokens: &Tokens, file: &SourceFile, names: &Names) -> String {
    let mut out = String::new();
    let mut rest = tokens.tokens.iter();
    while let Some(&token) = rest.next() {
        let (mut span, mut last) = (token.span, token);
        while last.is(flags::JOINED)
            && let Some(&next) = rest.next()
        {
            span = span.to(next.span);
            last = next;
        }
        let at = file.line_column(file.offset(span.start));
        let text = &file.text[file.offset(span.start)..file.offset(span.end)];
        let kind = match token.kind {
            TokenKind::End => "end",
            TokenKind::Ident => "name",
            TokenKind::TypeName => "type",
            TokenKind::Int => "int",
            TokenKind::Float => "float",
            TokenKind::Byte => "byte",
            TokenKind::String => "string",
            kind if kind.is_keyword() => "keyword",
            _ => "symbol",
        };
        let shown: String = match token.kind {
            TokenKind::Ident => names.text(tokens.name(token)).to_string(),
            _ => text
                .chars()
                .take(200)
                .flat_map(|c| {
                    if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
                        .chars()
                        .collect::<Vec<_>>()
                })
                .collect(),
        };
        let line = format!("{}:{}", at.line, at.column);
        let _ = writeln!(out, "{}", format!("{line:<8} {kind:<8} {shown}").trim_end());
    }
    out
}
