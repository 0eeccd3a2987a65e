//! Searching, trimming and splitting of byte strings.
//!
//! In: byte slices. Out: positions and subslices.
//! Cost: a search is O(text + pattern) in the worst case, with constant space.
//! Source: Crochemore and Perrin, "Two-way string-matching", JACM 38(3), 1991, figures 8, 17 (maximal suffixes), 13
//! and 16 (the two searches). We count from 0, and skip to the first byte of the right half before comparing.
//! Leaves: no skip table by character, so that making a searcher costs no more than reading the pattern.

/// A pattern prepared for searching.
#[derive(Clone, Copy, Debug)]
pub struct Searcher<'a> {
    pattern: &'a [u8],
    /// The critical position: the pattern is `pattern[..critical]` and `pattern[critical..]`.
    critical: usize,
    /// How far a full match of the right half lets the window move.
    period: usize,
    /// Whether `period` is the pattern's period, so that what has matched of it is remembered.
    periodic: bool,
}

impl<'a> Searcher<'a> {
    /// Prepares a pattern. O(pattern).
    pub fn new(pattern: &'a [u8]) -> Searcher<'a> {
        let (less, less_period) = maximal_suffix(pattern, |a, b| a < b);
        let (greater, greater_period) = maximal_suffix(pattern, |a, b| a > b);
        let (critical, period) = if less > greater { (less, less_period) } else { (greater, greater_period) };
        let periodic = critical + period <= pattern.len() && pattern[..critical] == pattern[period..period + critical];
        let period = if periodic { period } else { critical.max(pattern.len() - critical) + 1 };
        Searcher { pattern, critical, period, periodic }
    }

    /// The first occurrence in `text` at or behind `from`, if `from` is in the text. The empty pattern is found at `from`.
    pub fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        let pattern = self.pattern;
        if from > text.len() {
            return None;
        }
        let Some(&first) = pattern.get(self.critical) else {
            return Some(from);
        };
        let mut at = from;
        // How many bytes at the window's start are known to match (periodic patterns only).
        let mut known = 0;
        while pattern.len() <= text.len() - at {
            let mut i = self.critical.max(known);
            if known == 0 && text[at + i] != first {
                // No window matches before the right half's first byte comes up again.
                let last = text.len() - pattern.len() + i;
                at += text[at + i..=last].iter().position(|&b| b == first)?;
                continue;
            }
            while i < pattern.len() && pattern[i] == text[at + i] {
                i += 1;
            }
            if i < pattern.len() {
                at += i - self.critical + 1;
                known = 0;
                continue;
            }
            let mut j = self.critical;
            while j > known && pattern[j - 1] == text[at + j - 1] {
                j -= 1;
            }
            if j <= known {
                return Some(at);
            }
            at += self.period;
            known = if self.periodic { pattern.len() - self.period } else { 0 };
        }
        None
    }
}

/// The start of the pattern's maximal suffix in the order `before` (where a prefix comes first), and its period.
fn maximal_suffix(pattern: &[u8], before: impl Fn(u8, u8) -> bool) -> (usize, usize) {
    let mut start = 0; // of the best suffix so far
    let mut candidate = 1; // start of the suffix compared with it
    let mut matched = 0;
    let mut period = 1;
    while candidate + matched < pattern.len() {
        let (a, b) = (pattern[candidate + matched], pattern[start + matched]);
        if before(a, b) {
            // The candidate is smaller, and so is every suffix that begins in what was compared.
            candidate += matched + 1;
            matched = 0;
            period = candidate - start;
        } else if a == b {
            matched += 1;
            if matched == period {
                candidate += period;
                matched = 0;
            }
        } else {
            start = candidate;
            candidate += 1;
            matched = 0;
            period = 1;
        }
    }
    (start, period)
}

/// Where `pattern` is first found in `text`; the empty pattern at 0.
pub fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    if pattern.len() > text.len() {
        return None;
    }
    Searcher::new(pattern).find(text, 0)
}

/// The same from the byte index `from` on, which is clamped to 0…len.
pub fn find_from(text: &[u8], pattern: &[u8], from: i64) -> Option<usize> {
    let from = usize::try_from(from).unwrap_or(0).min(text.len());
    if pattern.len() > text.len() - from {
        return None;
    }
    Searcher::new(pattern).find(text, from)
}

/// Whether `pattern` occurs in `text`.
pub fn contains(text: &[u8], pattern: &[u8]) -> bool {
    find(text, pattern).is_some()
}

/// -1, 0 or 1: bytewise lexicographic order.
pub fn compare(a: &[u8], b: &[u8]) -> i64 {
    a.cmp(b) as i64
}

/// What is left without spaces, tabs, CR and LF at both ends.
pub fn trim(text: &[u8]) -> &[u8] {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    let start = text.iter().position(|b| !blank(b)).unwrap_or(text.len());
    let end = text.iter().rposition(|b| !blank(b)).map_or(start, |i| i + 1);
    &text[start..end]
}

/// The pieces of `text` between separators, empty ones too; an empty separator gives the single bytes.
pub fn split<'a>(text: &'a [u8], separator: &'a [u8]) -> Split<'a> {
    let at = if separator.is_empty() && text.is_empty() { None } else { Some(0) };
    Split { text, searcher: Searcher::new(separator), at }
}

/// What [`split`] gives.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    text: &'a [u8],
    searcher: Searcher<'a>,
    /// Where the next piece begins; `None` at the end.
    at: Option<usize>,
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.at?;
        let separator = self.searcher.pattern.len();
        if separator == 0 {
            self.at = Some(start + 1).filter(|&next| next < self.text.len());
            return Some(&self.text[start..start + 1]);
        }
        let found = self.searcher.find(self.text, start);
        self.at = found.map(|end| end + separator);
        Some(&self.text[start..found.unwrap_or(self.text.len())])
    }
}

/// Gives the pieces of `text` with every occurrence of `pattern` (from the left, not overlapping) replaced by `with` to
/// `sink`; an empty pattern changes nothing.
pub fn replace(text: &[u8], pattern: &[u8], with: &[u8], sink: &mut dyn FnMut(&[u8])) {
    if pattern.is_empty() {
        return sink(text);
    }
    for (i, piece) in split(text, pattern).enumerate() {
        if i > 0 {
            sink(with);
        }
        sink(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    /// The definition of searching, as the oracle.
    fn plain_find(text: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
        (from..=text.len()).find(|&i| text[i..].starts_with(pattern))
    }

    fn words(length: usize, letters: usize) -> Vec<Vec<u8>> {
        let mut all = vec![vec![]];
        for _ in 0..length {
            all = all.iter().flat_map(|w| (0..letters).map(move |l| [&w[..], &[b'a' + l as u8]].concat())).collect();
        }
        all
    }

    #[test]
    fn search_agrees_with_the_definition_on_all_short_words() {
        for pattern_length in 0..=6 {
            for pattern in words(pattern_length, 2) {
                let searcher = Searcher::new(&pattern);
                for text in words(10, 2) {
                    assert_eq!(searcher.find(&text, 0), plain_find(&text, &pattern, 0), "{text:?} {pattern:?}");
                }
            }
        }
        for pattern in words(4, 3) {
            for text in words(7, 3) {
                assert_eq!(find(&text, &pattern), plain_find(&text, &pattern, 0), "{text:?} {pattern:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn search_agrees_with_the_definition(text in "[ab]{0,200}", pattern in "(a|b|ab|aab){0,12}", from in 0usize..210) {
            prop_assert_eq!(Searcher::new(pattern.as_bytes()).find(text.as_bytes(), from), plain_find(text.as_bytes(), pattern.as_bytes(), from));
        }

        #[test]
        fn split_and_join_are_inverse(text in "[ab]{0,40}", separator in "[ab]{1,3}") {
            let pieces: Vec<&[u8]> = split(text.as_bytes(), separator.as_bytes()).collect();
            prop_assert_eq!(pieces.join(separator.as_bytes()), text.as_bytes());
            prop_assert!(pieces.iter().all(|p| plain_find(p, separator.as_bytes(), 0).is_none()));
        }
    }

    #[test]
    fn worst_cases_are_linear() {
        // Quadratic searching would take 10^11 steps here.
        let text = vec![b'a'; 1_000_000];
        for pattern in [
            [&text[..200_000], b"b"].concat(),
            [b"b", &text[..200_000]].concat(),
            [&text[..100_000], b"b", &text[..100_000]].concat(),
        ] {
            assert_eq!(find(&text, &pattern), None);
        }
        let text = b"ab".repeat(500_000);
        let pattern = [&text[..200_001], b"a"].concat();
        assert_eq!(find(&text, &pattern), None);
    }

    #[test]
    fn find_from_clamps_its_start() {
        assert_eq!(find_from(b"abcabc", b"abc", 1), Some(3));
        assert_eq!(find_from(b"abcabc", b"abc", -5), Some(0));
        assert_eq!(find_from(b"abc", b"", 100), Some(3));
        assert_eq!(find_from(b"abc", b"c", i64::MAX), None);
        assert_eq!(find_from(b"abc", b"", i64::MIN), Some(0));
        assert_eq!(find(b"", b""), Some(0));
        assert_eq!(find(b"", b"a"), None);
    }

    #[test]
    fn splitting() {
        let pieces = |t: &'static [u8], s: &'static [u8]| split(t, s).collect::<Vec<_>>();
        assert_eq!(pieces(b"a,b,,c,", b","), [&b"a"[..], b"b", b"", b"c", b""]);
        assert_eq!(pieces(b"", b","), [b""]);
        assert_eq!(pieces(b"", b""), Vec::<&[u8]>::new());
        assert_eq!(pieces(b"abc", b""), [b"a", b"b", b"c"]);
        assert_eq!(pieces(b"aaa", b"aa"), [&b""[..], b"a"]);
    }

    #[test]
    fn replacing() {
        let replaced = |t: &[u8], p: &[u8], w: &[u8]| {
            let mut out = Vec::new();
            replace(t, p, w, &mut |piece| out.extend_from_slice(piece));
            out
        };
        assert_eq!(replaced(b"aaaa", b"aa", b"b"), b"bb");
        assert_eq!(replaced(b"abc", b"", b"x"), b"abc");
        assert_eq!(replaced(b"abcab", b"ab", b""), b"c");
        assert_eq!(replaced(b"", b"a", b"x"), b"");
    }

    #[test]
    fn trimming_and_comparing() {
        assert_eq!(trim(b" \t\r\na b\n "), b"a b");
        assert_eq!(trim(b"   "), b"");
        assert_eq!(trim(b""), b"");
        assert_eq!(trim(b"\x0bx\x0c"), b"\x0bx\x0c");
        assert_eq!((compare(b"a", b"ab"), compare(b"b", b"ab"), compare(b"\xff", b"\xff")), (-1, 1, 0));
        assert_eq!(compare(b"\x7f", b"\x80"), -1);
    }
}
