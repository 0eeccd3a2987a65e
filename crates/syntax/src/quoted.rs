//! String and byte literals: where one ends, its bytes, and what is wrong with it.

use mini_diag::codes;

/// What is wrong, at offsets from the literal's start.
pub(crate) struct Problem {
    pub code: &'static str,
    pub from: usize,
    pub to: usize,
    pub message: String,
    pub help: Option<String>,
}

/// A scanned literal.
pub(crate) struct Quoted {
    /// With its quotes, in bytes.
    pub length: usize,
    /// Escapes resolved.
    pub bytes: Vec<u8>,
    /// Whether the closing quote is there.
    pub closed: bool,
    pub problems: Vec<Problem>,
}

/// The string literal at the start of `text`, which begins with `"`. Without its end it reaches to the end of the line.
pub(crate) fn scan_string(text: &str) -> Quoted {
    scan(text, b'"')
}

/// The byte literal at the start of `text`, which begins with `'`.
pub(crate) fn scan_byte(text: &str) -> Quoted {
    if text.starts_with("'''") {
        let problem = Problem {
            code: codes::E0008_BAD_BYTE_LITERAL,
            from: 0,
            to: 3,
            message: "a quote in a byte literal is written `\\'`".into(),
            help: Some("write `'\\''`".into()),
        };
        return Quoted { length: 3, bytes: vec![b'\''], closed: true, problems: vec![problem] };
    }
    let mut found = scan(text, b'\'');
    if !found.closed {
        // Most likely one character was meant: the rest of the line is read as usual.
        let body = text[1..].chars().next().filter(|&c| c != '\n' && c != '\r');
        let escape = text[1..].starts_with('\\');
        if !escape && let Some(c) = body {
            found.length = 1 + c.len_utf8();
            found.problems.clear();
        }
    } else if found.problems.is_empty() && found.bytes.len() != 1 {
        let (inside, length) = (&text[1..found.length - 1], found.length);
        let (message, help) = if inside.is_empty() {
            ("an empty byte literal", "a byte literal holds exactly one byte".to_string())
        } else if inside.chars().nth(1).is_none() {
            ("a byte literal holds one byte, but this character takes several", format!("use a string: `\"{inside}\"`"))
        } else {
            ("a byte literal holds exactly one byte", format!("use a string: `\"{}\"`", inside.replace('"', "\\\"")))
        };
        found.problems.push(Problem {
            code: codes::E0008_BAD_BYTE_LITERAL,
            from: 0,
            to: length,
            message: message.into(),
            help: Some(help),
        });
    }
    found
}

fn scan(text: &str, quote: u8) -> Quoted {
    let bytes = text.as_bytes();
    let mut found = Quoted { length: 0, bytes: Vec::new(), closed: false, problems: Vec::new() };
    let mut at = 1;
    loop {
        let plain =
            bytes[at..].iter().position(|&b| b == quote || b == b'\\' || b == b'\n').unwrap_or(bytes.len() - at);
        found.bytes.extend_from_slice(&bytes[at..at + plain]);
        at += plain;
        match bytes.get(at) {
            Some(b'\\') => at = escape(text, at, quote, &mut found),
            Some(&b) if b == quote => {
                found.closed = true;
                found.length = at + 1;
                return found;
            }
            _ => {
                if bytes.get(at) == Some(&b'\n') && bytes[at - 1] == b'\r' && at > 1 {
                    at -= 1;
                    found.bytes.pop();
                }
                found.length = at;
                return found;
            }
        }
    }
}

/// Reads the escape at `at` (a backslash) and returns where it ends.
fn escape(text: &str, at: usize, quote: u8, found: &mut Quoted) -> usize {
    let bytes = text.as_bytes();
    let mut wrong = |to: usize, message: String, help: Option<&str>| {
        found.problems.push(Problem {
            code: codes::E0007_BAD_ESCAPE,
            from: at,
            to,
            message,
            help: help.map(Into::into),
        });
        to
    };
    let simple = match bytes.get(at + 1) {
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'0') => 0,
        Some(&b @ (b'\\' | b'"' | b'\'')) => b,
        Some(b'x') => {
            let digits = text[at + 2..].bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
            if digits < 2 {
                return wrong(at + 2 + digits, "`\\x` wants two hex digits".into(), Some("such as `\\x0a`"));
            }
            found.bytes.extend(u8::from_str_radix(&text[at + 2..at + 4], 16));
            return at + 4;
        }
        Some(b'u') => {
            if bytes.get(at + 2) != Some(&b'{') {
                return wrong(at + 2, "`\\u` wants hex digits in braces".into(), Some("such as `\\u{e9}`"));
            }
            let digits = text[at + 3..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let end = at + 3 + digits;
            if bytes.get(end) != Some(&b'}') {
                // Up to the brace, if there is one in this literal, so that only this is reported.
                let rest = text[end..]
                    .find(|c| matches!(c, '}' | '\n' | '\\') || c == char::from(quote))
                    .unwrap_or(text.len() - end);
                let to = end + rest + usize::from(text[end + rest..].starts_with('}'));
                return wrong(to, "`\\u{…}` wants one to six hex digits in braces".into(), Some("such as `\\u{e9}`"));
            }
            if quote == b'\'' {
                return wrong(end + 1, "a byte literal can't hold `\\u{…}`".into(), Some("use `\\xHH`, or a string"));
            }
            if digits == 0 || digits > 6 {
                return wrong(end + 1, "`\\u{…}` wants one to six hex digits".into(), Some("such as `\\u{e9}`"));
            }
            let Some(c) = u32::from_str_radix(&text[at + 3..end], 16).ok().and_then(char::from_u32) else {
                return wrong(
                    end + 1,
                    "this is no Unicode scalar value".into(),
                    Some("the largest is `\\u{10ffff}`; surrogates d800 to dfff are none"),
                );
            };
            found.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return end + 1;
        }
        Some(b'\n') | None => return at + 1, // not closed: that is reported
        Some(_) => {
            let c = text[at + 1..].chars().next().unwrap_or('\\');
            let shown: String = c.escape_debug().collect();
            return wrong(
                at + 1 + c.len_utf8(),
                format!("there is no escape `\\{shown}`"),
                Some("a backslash itself is written `\\\\`"),
            );
        }
    };
    found.bytes.push(simple);
    at + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        let s = scan_string(r#""a\n\x41\u{e9}\"b" rest"#);
        assert!(s.closed && s.problems.is_empty());
        assert_eq!(s.bytes, "a\nAé\"b".as_bytes());
        assert_eq!(s.length, 18);
        let open = scan_string("\"abc\r\nx");
        assert!(!open.closed);
        assert_eq!((open.length, open.bytes.as_slice()), (4, &b"abc"[..]));
        assert!(!scan_string("\"abc\\").closed);
        assert!(!scan_string("\"").closed);
    }

    #[test]
    fn every_bad_escape_is_reported_once() {
        for text in [
            r#""\q""#,
            r#""\x4""#,
            r#""\xg1""#,
            r#""\u{}""#,
            r#""\u{1234567}""#,
            r#""\u{d800}""#,
            r#""\u{110000}""#,
            r#""\u41""#,
            r#""\u{zz}""#,
        ] {
            let s = scan_string(text);
            assert!(s.closed, "{text}");
            assert_eq!(s.problems.len(), 1, "{text}");
        }
    }

    #[test]
    fn bytes() {
        assert_eq!(scan_byte("'a'").bytes, b"a");
        assert_eq!(scan_byte(r"'\xff'").bytes, [0xff]);
        assert_eq!(scan_byte("'\"'").problems.len(), 0);
        for text in ["''", "'ab'", "'é'", r"'\u{e9}'", r"'\q'", r"'\x1'", "'''"] {
            assert_eq!(scan_byte(text).problems.len(), 1, "{text}");
        }
        let open = scan_byte("'x\n;");
        assert!(!open.closed);
        assert_eq!(open.length, 2);
    }
}
