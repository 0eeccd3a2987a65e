//! Near matches of names: what the user may have meant.

/// Edits between two words: insertions, deletions, replacements, and swaps of neighbours. O(lengths multiplied).
///
/// Source: Damerau, "A technique for computer detection and correction of spelling errors", 1964, in the form with
/// three rows (each stretch is edited once).
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// At most three of `names`, the nearest first, that are near enough to `wanted` to be worth a mention.
pub fn matches<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // A long name can't be meant by a short typo; the bound keeps the search linear in the number of names.
    if wanted.len() > 100 {
        return Vec::new();
    }
    let allowed = (wanted.chars().count() / 3).clamp(1, 4);
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter(|name| name.len().abs_diff(wanted.len()) <= 4 * allowed)
        .map(|name| {
            let contained = wanted.len() >= 3 && (name.contains(wanted) || wanted.contains(name) && name.len() >= 3);
            (if contained { 1 } else { distance(wanted, name) }, name)
        })
        .filter(|&(edits, _)| edits <= allowed)
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// `; did you mean …?` with the near matches, or nothing.
pub fn hint<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let found = matches(wanted, names);
    match found.split_last() {
        None => String::new(),
        Some((one, [])) => format!("; did you mean `{one}`?"),
        Some((last, rest)) => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
            format!("; did you mean {} or `{last}`?", rest.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_count_once() {
        assert_eq!(distance("form", "from"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("tac", "tac"), 0);
    }

    #[test]
    fn the_nearest_come_first_and_the_far_not_at_all() {
        assert_eq!(matches("liveliness", ["tokens", "liveness", "loops"]), ["liveness"]);
        assert_eq!(hint("tca", ["tac", "ssa"]), "; did you mean `tac`?");
        assert_eq!(hint("zzzz", ["tac", "ssa"]), "");
    }
}
