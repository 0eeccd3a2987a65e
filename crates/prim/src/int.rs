//! Integer operations whose host versions can trap.
//!
//! The callers check for a zero divisor first and report the run-time error; these functions say what the rest means.

/// `a / b`, truncating toward zero; `MIN / -1` is `MIN`. The divisor must not be zero.
pub fn div(a: i64, b: i64) -> i64 {
    a.wrapping_div(b)
}

/// `a % b` with the sign of `a`; `MIN % -1` is 0. The divisor must not be zero.
pub fn rem(a: i64, b: i64) -> i64 {
    a.wrapping_rem(b)
}

/// `a << n`, the count modulo 64.
pub fn shl(a: i64, n: i64) -> i64 {
    a.wrapping_shl(n as u32)
}

/// `a >> n` with copies of the sign bit, the count modulo 64.
pub fn shr(a: i64, n: i64) -> i64 {
    a.wrapping_shr(n as u32)
}

/// `a >>> n` with zeros, the count modulo 64.
pub fn ushr(a: i64, n: i64) -> i64 {
    (a as u64).wrapping_shr(n as u32) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_truncates_and_wraps_at_the_minimum() {
        assert_eq!((div(-7, 2), rem(-7, 2)), (-3, -1));
        assert_eq!((div(7, -2), rem(7, -2)), (-3, 1));
        assert_eq!((div(i64::MIN, -1), rem(i64::MIN, -1)), (i64::MIN, 0));
    }

    #[test]
    fn shift_counts_are_taken_modulo_64() {
        assert_eq!(shl(1, 65), 2);
        assert_eq!(shl(1, -1), i64::MIN);
        assert_eq!(shr(-8, 1), -4);
        assert_eq!(shr(-8, 64), -8);
        assert_eq!(ushr(-1, 63), 1);
        assert_eq!(ushr(-1, 1 << 40), -1);
    }
}
