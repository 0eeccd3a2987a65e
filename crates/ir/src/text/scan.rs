//! Text to tokens.
//!
//! *In:* any text. *Out:* tokens with their places; line breaks are a flag of the token behind them, comments are gone.
//! *Cost:* linear.

use super::parse::TextError;
use super::{continues_name, starts_name};
use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A plain name, perhaps with `?` at its end.
    Name,
    /// `"…"`
    Quoted,
    /// `'…'`
    Byte,
    /// A number: sign, digits, point, exponent; also `-inf`.
    Number,
    /// `%3`
    Temp,
    /// `->`
    Arrow,
    /// One of `{ } ( ) [ ] : , . = ?`
    Punct(u8),
    /// The end of the text.
    End,
}

/// A token and where it stands, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Whether a line break comes before it.
    pub first_on_line: bool,
}

/// All tokens, with one `End` at the end.
pub(super) fn scan(text: &str) -> Result<Vec<Token>, TextError> {
    if text.len() > (1 << 31) {
        return Err(TextError::at("", 0, "the text is too large".into()));
    }
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    let mut first_on_line = true;
    loop {
        while let Some(b @ (b' ' | b'\t' | b'\r' | b'\n' | b';')) = bytes.get(at).copied() {
            if b == b';' {
                at += bytes[at..].iter().take_while(|&&b| b != b'\n').count();
            } else {
                first_on_line |= b == b'\n';
                at += 1;
            }
        }
        let Some(&b) = bytes.get(at) else { break };
        let (kind, end) = match b {
            b'"' | b'\'' => {
                let kind = if b == b'"' { Kind::Quoted } else { Kind::Byte };
                (kind, quoted_end(text, at)?)
            }
            b'%' => (Kind::Temp, at + 1 + digits(&bytes[at + 1..])),
            b'-' if bytes.get(at + 1) == Some(&b'>') => (Kind::Arrow, at + 2),
            b'0'..=b'9' | b'-' => (Kind::Number, number_end(bytes, at)),
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b':' | b',' | b'.' | b'=' | b'?' => (Kind::Punct(b), at + 1),
            _ => {
                let end = name_end(text, at);
                if end == at {
                    let c = text[at..].chars().next().unwrap_or(' ');
                    return Err(TextError::at(text, at, format!("unexpected character {c:?}")));
                }
                (Kind::Name, end)
            }
        };
        tokens.push(Token { kind, start: at as u32, end: end as u32, first_on_line });
        // The version or part behind a point is no fraction: `i.2`.
        first_on_line = false;
        at = end;
        if b == b'.' && bytes.get(at).is_some_and(u8::is_ascii_digit) {
            let end = at + digits(&bytes[at..]);
            tokens.push(Token { kind: Kind::Number, start: at as u32, end: end as u32, first_on_line });
            at = end;
        }
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: Kind::End, start: end, end, first_on_line: true });
    Ok(tokens)
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn name_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let mut end = rest.len();
    for (offset, c) in rest.char_indices() {
        if !(if offset == 0 { starts_name(c) } else { continues_name(c) }) {
            end = offset;
            break;
        }
    }
    if end > 0 && rest[end..].starts_with('?') {
        end += 1;
    }
    start + end
}

/// The end of a number that starts with a digit or `-`: `-12`, `1.5`, `2e-7`, `-inf`.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + usize::from(bytes[start] == b'-');
    if bytes[at..].starts_with(b"inf") {
        return at + 3;
    }
    at += digits(&bytes[at..]);
    if bytes.get(at) == Some(&b'x') {
        // The bits of a NaN: 0x7ff8000000000001.
        return at + 1 + bytes[at + 1..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
    }
    if bytes.get(at) == Some(&b'.') {
        at += 1 + digits(&bytes[at + 1..]);
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at += 1 + sign + digits(&bytes[at + 1 + sign..]);
    }
    at
}

/// The end of a literal in quotes.
fn quoted_end(text: &str, start: usize) -> Result<usize, TextError> {
    let bytes = text.as_bytes();
    let quote = bytes[start];
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            Some(&b) if b == quote => return Ok(at + 1),
            // The escaped character is skipped; when it takes more than a byte, the rest of it is ordinary.
            Some(b'\\') => at += 2,
            None | Some(b'\n') => {
                return Err(TextError::at(text, start, "the quote is not closed on this line".into()));
            }
            Some(_) => at += 1,
        }
    }
}

/// The bytes of a literal in quotes, `start` being the place of its opening quote.
pub(super) fn unquote<'a>(text: &'a str, start: usize, end: usize) -> Result<Cow<'a, [u8]>, TextError> {
    let inner = &text.as_bytes()[start + 1..end - 1];
    if !inner.contains(&b'\\') {
        return Ok(Cow::Borrowed(inner));
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while let Some(&b) = inner.get(at) {
        at += 1;
        if b != b'\\' {
            out.push(b);
            continue;
        }
        let place = start + at;
        let escape = inner.get(at).copied();
        at += 1;
        out.push(match escape {
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'0') => 0,
            Some(b @ (b'\\' | b'"' | b'\'')) => b,
            Some(b'x') => {
                let hex = inner.get(at..at + 2).filter(|h| h.iter().all(u8::is_ascii_hexdigit));
                at += 2;
                let value = hex.and_then(|h| u8::from_str_radix(std::str::from_utf8(h).ok()?, 16).ok());
                match value {
                    Some(value) => value,
                    None => return Err(TextError::at(text, place, "two hex digits must follow `\\x`".into())),
                }
            }
            _ => {
                return Err(TextError::at(
                    text,
                    place,
                    "unknown escape; known are \\n \\r \\t \\0 \\\\ \\\" \\' \\xHH".into(),
                ));
            }
        });
    }
    Ok(Cow::Owned(out))
}
