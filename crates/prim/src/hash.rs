//! The built-in `hash`: splitmix64's finaliser, and FNV-1a before it for strings.
//!
//! Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014, figure 16 (the finaliser with
//! Stafford's constants); Fowler, Noll, Vo, the 64-bit FNV-1a parameters.

/// The hash of an int, byte, bool or enum index.
pub fn hash_int(x: i64) -> i64 {
    let z = (x as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as i64
}

/// The hash of a string's bytes.
pub fn hash_bytes(bytes: &[u8]) -> i64 {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    for &b in bytes {
        h = (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash_int(h as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_language_reference() {
        assert_eq!(hash_int(0), -2152535657050944081);
        assert_eq!(hash_int(5), 7134611160154358618);
        assert_eq!(hash_bytes(b""), -4359066618775142608);
        assert_eq!(hash_bytes(b"abc"), 3018304574923447344);
    }
}
