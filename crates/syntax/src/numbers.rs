//! Number literals: where one ends, its value, and what is wrong with it.

use mini_diag::codes;

/// What is wrong with a number, at offsets from its start.
pub(crate) struct Problem {
    pub code: &'static str,
    pub from: usize,
    pub to: usize,
    pub message: String,
    pub help: Option<String>,
    /// The number as it was meant.
    pub fix: Option<String>,
}

/// A scanned number.
pub(crate) struct Number {
    /// In bytes.
    pub length: usize,
    /// Its value if it is a float.
    pub float: Option<f64>,
    /// Its value otherwise.
    pub int: i64,
    /// Whether it is 2^63 written in decimal.
    pub min_magnitude: bool,
    pub problem: Option<Problem>,
}

impl Number {
    fn int(length: usize, int: i64) -> Number {
        Number { length, float: None, int, min_magnitude: false, problem: None }
    }

    fn wrong(
        mut self,
        code: &'static str,
        from: usize,
        to: usize,
        message: impl Into<String>,
        help: Option<String>,
        fix: Option<String>,
    ) -> Number {
        self.problem = Some(Problem { code, from, to, message: message.into(), help, fix });
        self
    }
}

/// The end of the letters, digits and `_` from `at` on.
fn word_end(text: &str, at: usize) -> usize {
    at + text[at..].find(|c: char| !(c == '_' || unicode_ident::is_xid_continue(c))).unwrap_or(text.len() - at)
}

fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
        at += 1;
    }
    at
}

fn is_digit(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

/// The number at the start of `text`, which begins with a digit. Linear in its length.
pub(crate) fn scan(text: &str) -> Number {
    let bytes = text.as_bytes();
    if bytes[0] == b'0' && bytes.get(1).is_some_and(|b| b"xXbBoO".contains(b)) {
        return scan_prefixed(text);
    }
    let whole_end = digits_end(bytes, 0);
    let mut end = whole_end;
    let mut is_float = false;
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1) != Some(&b'.') {
        if !is_digit(bytes, end + 1) {
            let length = word_end(text, end + 1);
            let whole = &text[..end];
            return Number { float: Some(0.0), ..Number::int(length, 0) }.wrong(
                codes::E0009_BAD_NUMBER,
                0,
                end + 1,
                "a float literal needs digits behind its point",
                Some(match &text[end + 1..length] {
                    "" => format!("write `{whole}.0`"),
                    "to_string" | "toString" | "str" => format!("the text of a number is `string({whole})`"),
                    word => format!("numbers have no methods or fields: `{word}({whole})` would call a function"),
                }),
                (length == end + 1).then(|| format!("{whole}.0")),
            );
        }
        is_float = true;
        end = digits_end(bytes, end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if is_digit(bytes, end + 1 + sign) {
            is_float = true;
            end = digits_end(bytes, end + 1 + sign);
        } else if word_end(text, end) == end + 1 {
            let length = end + 1 + sign;
            return Number { float: Some(0.0), ..Number::int(length, 0) }.wrong(
                codes::E0009_BAD_NUMBER,
                0,
                length,
                "an exponent needs digits",
                None,
                None,
            );
        }
    }
    finish(text, whole_end, end, is_float)
}

/// `.5`, which is an error.
pub(crate) fn scan_after_point(text: &str) -> Number {
    let length = scan(&text[1..]).length + 1;
    // `.5.5` and the like: the value does not matter, the literal has been refused.
    Number { float: Some(0.0), ..Number::int(length, 0) }.wrong(
        codes::E0009_BAD_NUMBER,
        0,
        length,
        "a float literal needs digits before its point",
        Some(format!("write `0{}`", &text[..length])),
        Some(format!("0{}", &text[..length])),
    )
}

/// Checks a decimal number whose digits before the point end at `whole_end` and all of which ends at `end`.
fn finish(text: &str, whole_end: usize, end: usize, is_float: bool) -> Number {
    let length = word_end(text, end);
    let number = Number { float: is_float.then_some(0.0), ..Number::int(length, 0) };
    let written = &text[..end];
    if length > end {
        let help = format!("put a blank between `{written}` and `{}`", &text[end..length]);
        return number.wrong(
            codes::E0009_BAD_NUMBER,
            end,
            length,
            "a letter, a digit or `_` directly behind a number",
            Some(help),
            None,
        );
    }
    let misplaced = written.split(|c: char| !c.is_ascii_digit() && c != '_').any(|group| group.ends_with('_'));
    if misplaced {
        return number.wrong(codes::E0009_BAD_NUMBER, 0, end, "`_` stands only between digits of a number", None, None);
    }
    let digits: String = written.chars().filter(|&c| c != '_').collect();
    let whole: String = written[..whole_end].chars().filter(|&c| c != '_').collect();
    if whole.len() > 1 && whole.starts_with('0') {
        let meant = whole.trim_start_matches('0');
        let (meant, rest) = (if meant.is_empty() { "0" } else { meant }, &digits[whole.len()..]);
        let octal = !is_float && meant != "0" && meant.bytes().all(|b| b < b'8');
        let help = if octal {
            format!("for an octal number write `0o{meant}`, for a decimal one `{meant}`")
        } else {
            format!("write `{meant}{rest}`")
        };
        let fix = (!octal).then(|| format!("{meant}{rest}"));
        return number.wrong(
            codes::E0010_LEADING_ZERO,
            0,
            end,
            "a decimal number with a leading zero",
            Some(help),
            fix,
        );
    }
    if is_float {
        let value: f64 = digits.parse().unwrap_or(f64::INFINITY);
        if value.is_infinite() {
            return number.wrong(
                codes::E0011_NUMBER_TOO_LARGE,
                0,
                end,
                "this float literal is too large",
                Some("the largest float is about 1.8e308".into()),
                None,
            );
        }
        return Number { float: Some(value), ..number };
    }
    match digits.parse::<u64>() {
        Ok(value) if value < 1 << 63 => Number::int(end, value as i64),
        Ok(value) if value == 1 << 63 => Number { min_magnitude: true, ..Number::int(end, i64::MIN) },
        _ => {
            let help = "the largest int is 9223372036854775807; a hexadecimal literal may use all 64 bits".to_string();
            number.wrong(codes::E0011_NUMBER_TOO_LARGE, 0, end, "this int literal is too large", Some(help), None)
        }
    }
}

/// `0x…`, `0b…`, `0o…`
fn scan_prefixed(text: &str) -> Number {
    let length = word_end(text, 2);
    let (prefix, digits) = (&text[..2], &text[2..length]);
    let number = Number::int(length, 0);
    let (radix, what) = match prefix.as_bytes()[1] {
        b'x' | b'X' => (16, "hexadecimal"),
        b'b' | b'B' => (2, "binary"),
        _ => (8, "octal"),
    };
    if prefix.as_bytes()[1].is_ascii_uppercase() {
        let meant = format!("{}{digits}", prefix.to_ascii_lowercase());
        return number.wrong(
            codes::E0009_BAD_NUMBER,
            0,
            2,
            "the prefix of a number is in lower case",
            Some(format!("write `{meant}`")),
            Some(meant),
        );
    }
    if digits.is_empty() {
        return number.wrong(
            codes::E0009_BAD_NUMBER,
            0,
            length,
            format!("a {what} number needs digits behind `{prefix}`"),
            None,
            None,
        );
    }
    if let Some((at, wrong)) = digits.char_indices().find(|&(_, c)| c != '_' && !c.is_digit(radix)) {
        return number.wrong(
            codes::E0009_BAD_NUMBER,
            2 + at,
            2 + at + wrong.len_utf8(),
            format!("`{wrong}` is no {what} digit"),
            None,
            None,
        );
    }
    if digits.starts_with('_') || digits.ends_with('_') {
        return number.wrong(
            codes::E0009_BAD_NUMBER,
            0,
            length,
            "`_` stands only between digits of a number",
            None,
            None,
        );
    }
    let value = digits.chars().filter_map(|c| c.to_digit(radix)).try_fold(0u64, |value, digit| {
        value.checked_mul(u64::from(radix)).and_then(|v| v.checked_add(u64::from(digit)))
    });
    match value {
        Some(value) => Number::int(length, value as i64),
        None => number.wrong(
            codes::E0011_NUMBER_TOO_LARGE,
            0,
            length,
            "this int literal is too large",
            Some("an int has 64 bits".into()),
            None,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Option<(usize, i64)> {
        let n = scan(text);
        (n.problem.is_none() && n.float.is_none()).then_some((n.length, n.int))
    }

    fn float(text: &str) -> Option<(usize, f64)> {
        let n = scan(text);
        n.problem.is_none().then_some((n.length, n.float?))
    }

    fn code(text: &str) -> &'static str {
        scan(text).problem.map_or("", |p| p.code)
    }

    #[test]
    fn ints() {
        assert_eq!(int("0"), Some((1, 0)));
        assert_eq!(int("1_0__00 "), Some((7, 1000)));
        assert_eq!(int("0xFf_ff,"), Some((7, 0xffff)));
        assert_eq!(int("0b101"), Some((5, 5)));
        assert_eq!(int("0o17"), Some((4, 15)));
        assert_eq!(int("0xffffffffffffffff"), Some((18, -1)));
        assert_eq!(int("1..2"), Some((1, 1)));
        assert!(scan("9223372036854775808").min_magnitude);
    }

    #[test]
    fn floats() {
        assert_eq!(float("1.0"), Some((3, 1.0)));
        assert_eq!(float("2.5e-3;"), Some((6, 0.0025)));
        assert_eq!(float("1E+9"), Some((4, 1e9)));
        assert_eq!(float("1e-400"), Some((6, 0.0)));
        assert_eq!(float("0.1_5"), Some((5, 0.15)));
    }

    #[test]
    fn malformed_numbers() {
        for text in [
            "1.", "1.e5", "1._5", "12abc", "1_", "1__", "0x", "0x_1", "0x1_", "0b2", "0o8", "0X1", "1e", "1e+", "1.5x",
            "1.5_", "1é",
        ] {
            assert_eq!(code(text), codes::E0009_BAD_NUMBER, "{text}");
        }
        for text in ["007", "00", "0_7", "00.5", "089"] {
            assert_eq!(code(text), codes::E0010_LEADING_ZERO, "{text}");
        }
        for text in ["9223372036854775809", "99999999999999999999999", "0x10000000000000000", "1e999"] {
            assert_eq!(code(text), codes::E0011_NUMBER_TOO_LARGE, "{text}");
        }
        assert!(scan("007").problem.and_then(|p| p.help).is_some_and(|h| h.contains("`0o7`")));
    }
}
