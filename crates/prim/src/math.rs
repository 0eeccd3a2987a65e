//! Floats: the functions of the `libm` crate, rounding, conversion and bit patterns.

/// C's `fmod`; the operator `%`.
pub fn fmod(a: f64, b: f64) -> f64 {
    libm::fmod(a, b)
}

/// To the nearest integer, halves away from zero.
pub fn round(x: f64) -> f64 {
    libm::round(x)
}

/// The largest integer not above `x`.
pub fn floor(x: f64) -> f64 {
    libm::floor(x)
}

/// The smallest integer not below `x`.
pub fn ceil(x: f64) -> f64 {
    libm::ceil(x)
}

/// Towards zero.
pub fn trunc(x: f64) -> f64 {
    libm::trunc(x)
}

/// The correctly rounded square root.
pub fn sqrt(x: f64) -> f64 {
    libm::sqrt(x)
}

/// Sine.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Tangent.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Arc tangent.
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// The angle of the point (x, y).
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// e to the power `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// The natural logarithm.
pub fn log(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// `int(x)`: truncates; NaN gives 0, out of range saturates.
pub fn float_to_int(x: f64) -> i64 {
    x as i64
}

/// `float(n)`: rounds to nearest, ties to even.
pub fn int_to_float(n: i64) -> f64 {
    n as f64
}

/// The bits of the one NaN that programs can see.
pub const NAN_BITS: i64 = 0x7ff8_0000_0000_0000;

/// `float_bits(x)`: the bit pattern, the same for every NaN.
pub fn float_bits(x: f64) -> i64 {
    if x.is_nan() { NAN_BITS } else { x.to_bits() as i64 }
}

/// `float_from_bits(n)`.
pub fn float_from_bits(n: i64) -> f64 {
    f64::from_bits(n as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_takes_halves_away_from_zero() {
        let cases = [
            (0.5, 1.0),
            (-0.5, -1.0),
            (1.5, 2.0),
            (2.5, 3.0),
            (0.49999999999999994, 0.0),
            (4503599627370497.0, 4503599627370497.0),
        ];
        for (x, want) in cases {
            assert_eq!(round(x), want, "{x}");
        }
        assert!(round(-0.2).is_sign_negative());
        assert!(round(f64::NAN).is_nan());
    }

    #[test]
    fn conversion_to_int_saturates() {
        assert_eq!(float_to_int(f64::NAN), 0);
        assert_eq!(float_to_int(1e300), i64::MAX);
        assert_eq!(float_to_int(f64::NEG_INFINITY), i64::MIN);
        assert_eq!(float_to_int(-1.9), -1);
        assert_eq!(int_to_float(9007199254740993), 9007199254740992.0);
    }

    #[test]
    fn every_nan_has_the_same_bits() {
        assert_eq!(float_bits(-f64::NAN), 0x7ff8000000000000);
        assert_eq!(float_bits(float_from_bits(0x7ff0000000000001)), 0x7ff8000000000000);
        assert_eq!(float_bits(-0.0), i64::MIN);
        assert_eq!(float_bits(f64::INFINITY), 0x7ff0000000000000);
    }

    #[test]
    fn remainder_is_exact_and_has_the_dividends_sign() {
        assert_eq!(fmod(-7.5, 2.0), -1.5);
        assert_eq!(fmod(1e308, 3.0), 2.0);
        assert_eq!(fmod(5.0, f64::INFINITY), 5.0);
        assert!(fmod(5.0, 0.0).is_nan());
        assert!(fmod(-4.0, 2.0).is_sign_negative());
    }

    #[test]
    fn elementary_functions_are_the_right_ones() {
        assert_eq!(pow(2.0, 10.0), 1024.0);
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(log(1.0), 0.0);
        assert!((sin(1.0) - 0.8414709848078965).abs() < 1e-15);
        assert!((cos(1.0) - 0.5403023058681398).abs() < 1e-15);
        assert!((tan(1.0) - 1.5574077246549023).abs() < 1e-15);
        assert!((atan(2.0) - 1.1071487177940906).abs() < 1e-15);
        assert!((atan2(1.0, -2.0) - 2.677945044588987).abs() < 1e-15);
    }
}
