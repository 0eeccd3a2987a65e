//! Numbers and strings to text: what `print` and `string` write.

/// Room for any int or float that [`write_int`] and [`write_float`] write.
pub const NUMBER_BYTES: usize = 32;

/// Writes an int in decimal; gives the text, which lies in the buffer.
pub fn write_int(value: i64, buffer: &mut [u8; NUMBER_BYTES]) -> &[u8] {
    let mut at = NUMBER_BYTES;
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

/// Writes a float as its shortest decimal that reads back exactly; gives the text, which lies in the buffer.
///
/// `1.0`, `0.1`, `-0.0`; with an exponent when the magnitude is at least 1e16 or below 1e-5: `1e16`, `1.5e-7`; `inf`,
/// `-inf`, `NaN`. Digits: Adams, "Ryū: fast float-to-string conversion", 2018, by the crate `ryu`, whose thresholds
/// for the exponent are the language's.
pub fn write_float(value: f64, buffer: &mut [u8; NUMBER_BYTES]) -> &[u8] {
    if let Some(text) = not_finite(value) {
        let out = &mut buffer[..text.len()];
        out.copy_from_slice(text);
        return out;
    }
    let mut digits = ryu::Buffer::new();
    let text = digits.format_finite(value).as_bytes();
    let out = &mut buffer[..text.len()];
    out.copy_from_slice(text);
    out
}

/// The text of an infinity or a NaN.
fn not_finite(value: f64) -> Option<&'static [u8]> {
    if value.is_nan() {
        Some(b"NaN")
    } else if value == f64::INFINITY {
        Some(b"inf")
    } else if value == f64::NEG_INFINITY {
        Some(b"-inf")
    } else {
        None
    }
}

/// The text of a bool.
pub fn bool_text(value: bool) -> &'static [u8] {
    if value { b"true" } else { b"false" }
}

/// Most digits behind the point that [`fixed`] gives.
pub const MAX_FIXED_DIGITS: i64 = 100;

/// Room for anything that [`fixed`] writes: sign, 309 digits, point, 100 digits.
pub const FIXED_BYTES: usize = 1 + 309 + 1 + MAX_FIXED_DIGITS as usize;

/// Writes `fixed(x, digits)`: like C's `%.*f`, correctly rounded (exact halves to even), `digits` clamped to 0…100; gives the
/// text, which lies in the buffer.
///
/// With x = m · 2^e, the text is that of the integer nearest to m · 2^e · 10^digits with a point put in. The integer is
/// computed exactly; its size is bounded, so plain long multiplication and division do.
pub fn fixed(value: f64, digits: i64, buffer: &mut [u8; FIXED_BYTES]) -> &[u8] {
    if let Some(text) = not_finite(value) {
        let out = &mut buffer[..text.len()];
        out.copy_from_slice(text);
        return out;
    }
    let digits = digits.clamp(0, MAX_FIXED_DIGITS) as usize;
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let mut number = Big::new(mantissa);
    for _ in 0..digits {
        number.multiply(10);
    }
    if exponent >= 0 {
        number.shift_left(exponent as usize);
    } else {
        number.shift_right_to_even(exponent.unsigned_abs() as usize);
    }
    // From the last digit backwards; at least one before the point.
    let mut at = FIXED_BYTES;
    let mut written = 0;
    while written <= digits || !number.is_zero() {
        if written == digits && digits > 0 {
            at -= 1;
            buffer[at] = b'.';
        }
        at -= 1;
        buffer[at] = b'0' + number.divide(10) as u8;
        written += 1;
    }
    if value.is_sign_negative() {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

/// A natural number below 2^1376: the largest float times 10^100 is below 2^1357.
struct Big {
    /// 32 bits each, lowest first.
    limbs: [u32; Big::LIMBS],
}

impl Big {
    const LIMBS: usize = 43;

    fn new(value: u64) -> Big {
        let mut limbs = [0; Big::LIMBS];
        limbs[0] = value as u32;
        limbs[1] = (value >> 32) as u32;
        Big { limbs }
    }

    fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&limb| limb == 0)
    }

    fn multiply(&mut self, by: u32) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(by) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
    }

    /// Divides; gives the remainder.
    fn divide(&mut self, by: u32) -> u32 {
        let mut rest = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let part = rest << 32 | u64::from(*limb);
            *limb = (part / u64::from(by)) as u32;
            rest = part % u64::from(by);
        }
        rest as u32
    }

    fn bit(&self, index: usize) -> bool {
        self.limbs.get(index / 32).is_some_and(|limb| limb >> (index % 32) & 1 != 0)
    }

    fn shift_left(&mut self, by: usize) {
        for i in (0..Big::LIMBS).rev() {
            self.limbs[i] = self.bits_from(i as isize * 32 - by as isize);
        }
    }

    /// Divides by 2^by, rounding to the nearest, halves to even.
    fn shift_right_to_even(&mut self, by: usize) {
        let half = by > 0 && self.bit(by - 1);
        let below_half = (0..by.saturating_sub(1)).any(|i| self.bit(i));
        for i in 0..Big::LIMBS {
            self.limbs[i] = self.bits_from((i * 32 + by) as isize);
        }
        if half && (below_half || self.bit(0)) {
            for limb in &mut self.limbs {
                let (sum, carried) = limb.overflowing_add(1);
                *limb = sum;
                if !carried {
                    break;
                }
            }
        }
    }

    /// The 32 bits from bit `index` on; there are zeros below bit 0 and above the last.
    fn bits_from(&self, index: isize) -> u32 {
        let limb = index.div_euclid(32);
        let at = |i: isize| usize::try_from(i).ok().and_then(|i| self.limbs.get(i)).map_or(0, |&l| u64::from(l));
        ((at(limb + 1) << 32 | at(limb)) >> index.rem_euclid(32)) as u32
    }
}

/// Gives the pieces of a string in quotes, escaped as inside arrays, to `sink`: `\\ \" \n \r \t \0`, other bytes as they are.
pub fn quote(bytes: &[u8], sink: &mut dyn FnMut(&[u8])) {
    sink(b"\"");
    let mut plain = 0;
    for (i, &b) in bytes.iter().enumerate() {
        let escape: &[u8] = match b {
            b'\\' => b"\\\\",
            b'"' => b"\\\"",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0 => b"\\0",
            _ => continue,
        };
        if plain < i {
            sink(&bytes[plain..i]);
        }
        sink(escape);
        plain = i + 1;
    }
    if plain < bytes.len() {
        sink(&bytes[plain..]);
    }
    sink(b"\"");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::string::{String, ToString};
    use std::vec::Vec;

    fn int(value: i64) -> String {
        String::from_utf8_lossy(write_int(value, &mut [0; NUMBER_BYTES])).into_owned()
    }

    fn float(value: f64) -> String {
        String::from_utf8_lossy(write_float(value, &mut [0; NUMBER_BYTES])).into_owned()
    }

    fn pieces(run: impl FnOnce(&mut dyn FnMut(&[u8]))) -> String {
        let mut out = Vec::new();
        run(&mut |piece| out.extend_from_slice(piece));
        String::from_utf8_lossy(&out).into_owned()
    }

    fn fix(value: f64, digits: i64) -> String {
        String::from_utf8_lossy(fixed(value, digits, &mut [0; FIXED_BYTES])).into_owned()
    }

    #[test]
    fn ints() {
        for value in [0, 1, -1, 9, 10, 99, 100, i64::MAX, i64::MIN] {
            assert_eq!(int(value), value.to_string());
        }
    }

    #[test]
    fn floats_of_the_language_reference() {
        let cases = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (123456.789, "123456.789"),
            (1e16, "1e16"),
            (1.5e-7, "1.5e-7"),
            (9999999999999998.0, "9999999999999998.0"),
            (1e15, "1000000000000000.0"),
            (1.2e16, "1.2e16"),
            (-1e100, "-1e100"),
            (1e-5, "0.00001"),
            (1.5e-5, "0.000015"),
            (9.99e-6, "9.99e-6"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
            (-2.2250738585072014e-308, "-2.2250738585072014e-308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
            (-f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn fixed_rounds_exact_ties_to_even_as_c_does() {
        let cases = [
            (0.5, 0, "0"),
            (1.5, 0, "2"),
            (2.5, 0, "2"),
            (-0.5, 0, "-0"),
            (0.125, 2, "0.12"),
            (0.375, 2, "0.38"),
            (1e23, 0, "99999999999999991611392"),
            (0.1, 20, "0.10000000000000000555"),
            (-0.0, 1, "-0.0"),
            (-0.001, 2, "-0.00"),
            (9.995, 2, "9.99"),
            (999.9996, 3, "1000.000"),
            (1.0, -5, "1"),
            (f64::INFINITY, 3, "inf"),
            (f64::NEG_INFINITY, 3, "-inf"),
            (f64::NAN, 3, "NaN"),
            (5e-324, 3, "0.000"),
        ];
        for (value, digits, text) in cases {
            assert_eq!(fix(value, digits), text, "{value} {digits}");
        }
        assert_eq!(fix(1.0, 1000).len(), 102);
        assert_eq!(fix(-f64::MAX, 100).len(), 1 + 309 + 1 + 100);
        assert_eq!(fix(0.1, i64::MIN), "0");
    }

    #[test]
    fn quoting() {
        let quoted = |s: &[u8]| pieces(|sink| quote(s, sink));
        assert_eq!(quoted(b""), "\"\"");
        assert_eq!(quoted(b"plain"), "\"plain\"");
        assert_eq!(quoted(b"\\a\"b\nc\rd\te\0"), "\"\\\\a\\\"b\\nc\\rd\\te\\0\"");
        assert_eq!(quoted(b"'\x07"), "\"'\x07\"");
    }

    proptest! {
        #[test]
        fn floats_read_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            let text = float(value);
            let back = crate::parse::parse_float(text.as_bytes()).expect("own output is in the grammar");
            prop_assert_eq!(crate::math::float_bits(back), crate::math::float_bits(value));
        }

        #[test]
        fn fixed_agrees_with_the_standard_library(bits in any::<u64>(), digits in 0usize..=100) {
            let value = f64::from_bits(bits);
            prop_assert_eq!(fix(value, digits as i64), std::format!("{value:.digits$}"));
        }

        #[test]
        fn fixed_agrees_near_ties(n in 0u64..1_000_000, shift in 0u32..24, digits in 0usize..=8) {
            let value = n as f64 / f64::from(1u32 << shift);
            prop_assert_eq!(fix(value, digits as i64), std::format!("{value:.digits$}"));
        }

        #[test]
        fn ints_read_back(value in any::<i64>()) {
            prop_assert_eq!(crate::parse::parse_int(int(value).as_bytes()), Some(value));
        }
    }
}
