//! Near misses: the known name that was probably meant.
//!
//! *Cost:* names considered × the square of the name's length; callers stop asking after [`ENOUGH`] reports, since no
//! more diagnostics are shown anyway. *Source:* the restricted edit distance of Damerau (1964) and Levenshtein (1966).

/// After so many reports, suggestions are no longer searched for.
pub(crate) const ENOUGH: usize = 200;

/// The candidate nearest to `wanted`, if one is near: at most a third of its letters differ.
pub(crate) fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted_lower: Vec<char> = wanted.chars().flat_map(char::to_lowercase).collect();
    if wanted_lower.len() > 64 {
        return None;
    }
    let limit = (wanted_lower.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == wanted || candidate.len() > 4 * 64 || candidate == "_" {
            continue;
        }
        let lower: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if lower.len().abs_diff(wanted_lower.len()) > limit {
            continue;
        }
        let distance = distance(&wanted_lower, &lower);
        // One letter for another is no near miss: everything would be.
        if distance > limit || (distance > 0 && wanted_lower.len() < 2) {
            continue;
        }
        if best.is_none_or(|b| (distance, candidate) < b) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_swapped_and_missing_letters() {
        let known = ["counter", "count", "length"];
        assert_eq!(nearest("coutner", known.into_iter()), Some("counter"));
        assert_eq!(nearest("lenght", known.into_iter()), Some("length"));
        assert_eq!(nearest("Count", known.into_iter()), Some("count"));
        assert_eq!(nearest("zebra", known.into_iter()), None);
        assert_eq!(nearest("x", ["y"].into_iter()), None);
    }
}
