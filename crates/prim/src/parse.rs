//! Text to numbers: `parse_int` and `parse_float`.
//!
//! The grammar is checked here, byte by byte; the correctly rounded conversion of digits is the standard library's.

/// The int that the whole text denotes: an optional sign, then decimal digits. `None` if it is anything else, or out of range.
pub fn parse_int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = sign(text);
    if digits.is_empty() {
        return None;
    }
    // Counting down reaches the minimum, which has no positive counterpart.
    let mut value = 0i64;
    for &b in digits {
        if !b.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_sub(i64::from(b - b'0'))?;
    }
    if negative { Some(value) } else { value.checked_neg() }
}

/// The float that the whole text denotes: an optional sign, then digits with an optional point between digits and an
/// optional exponent, or `inf`, or `NaN`. Correctly rounded; too large gives infinity.
pub fn parse_float(text: &[u8]) -> Option<f64> {
    let (negative, rest) = sign(text);
    let magnitude = match rest {
        b"inf" => f64::INFINITY,
        b"NaN" => return Some(f64::NAN),
        _ => {
            if !is_decimal(rest) {
                return None;
            }
            core::str::from_utf8(rest).ok()?.parse::<f64>().ok()?
        }
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Whether `text` is: digits, optionally a point and digits, optionally `e` or `E`, a sign, digits.
fn is_decimal(text: &[u8]) -> bool {
    let Some(mut rest) = digits(text) else {
        return false;
    };
    if let [b'.', fraction @ ..] = rest {
        let Some(after) = digits(fraction) else {
            return false;
        };
        rest = after;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let Some(after) = digits(sign(exponent).1) else {
            return false;
        };
        rest = after;
    }
    rest.is_empty()
}

/// What follows the digits at the start; `None` if there are none.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if count == 0 { None } else { Some(&text[count..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints() {
        let good: &[(&str, i64)] = &[
            ("0", 0),
            ("-0", 0),
            ("+7", 7),
            ("000123", 123),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("00000000000000000000000000000001", 1),
        ];
        for &(text, value) in good {
            assert_eq!(parse_int(text.as_bytes()), Some(value), "{text}");
        }
        let bad = [
            "",
            "-",
            "+",
            "--1",
            "1_0",
            " 1",
            "1 ",
            "0x1",
            "1.0",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999",
            "1\0",
        ];
        for text in bad {
            assert_eq!(parse_int(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn floats() {
        let good: &[(&str, f64)] = &[
            ("0", 0.0),
            ("1", 1.0),
            ("007.50", 7.5),
            ("-2.5e-3", -0.0025),
            ("1E+9", 1e9),
            ("1e400", f64::INFINITY),
            ("-1e400", f64::NEG_INFINITY),
            ("1e-400", 0.0),
            ("1e99999999999999999999999", f64::INFINITY),
            ("0e99999999999999999999999", 0.0),
            ("1e-99999999999999999999999", 0.0),
            ("inf", f64::INFINITY),
            ("-inf", f64::NEG_INFINITY),
            ("+inf", f64::INFINITY),
            ("9007199254740993", 9007199254740992.0),
            ("9007199254740993.00000000000000000000000000000000001", 9007199254740994.0),
            ("2.2250738585072011e-308", 2.225073858507201e-308),
            ("4.9e-324", 5e-324),
        ];
        for &(text, value) in good {
            assert_eq!(parse_float(text.as_bytes()).map(f64::to_bits), Some(value.to_bits()), "{text}");
        }
        for text in ["NaN", "-NaN", "+NaN"] {
            assert!(parse_float(text.as_bytes()).is_some_and(f64::is_nan), "{text}");
        }
        assert!(parse_float(b"-0").is_some_and(|x| x == 0.0 && x.is_sign_negative()));
        let bad = [
            "", ".", "1.", ".5", "1.e5", "e5", "1e", "1e+", "1e5.0", "nan", "Inf", "INF", "infinity", "+-1", "1_0",
            " 1", "1 ", "0x1p3", "1f", "--1", "1.2.3", "\u{661}",
        ];
        for text in bad {
            assert!(parse_float(text.as_bytes()).is_none(), "{text}");
        }
    }
}
