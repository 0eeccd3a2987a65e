//! Near matches of names: what the user may have meant.
//!
//! *Cost:* names considered × the square of their length; words of more than 64 letters have no near matches. *Source:* the
//! restricted edit distance of F. Damerau, A technique for computer detection and correction of spelling errors, 1964, with
//! three rows of the table (each stretch is edited once).

/// Longer words are not looked for: nobody mistypes them by a few letters.
const LONGEST: usize = 64;

/// Letters as they are compared: in lower case, `-` as `_`.
fn letters(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect()
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
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

/// The names near to `wanted` (at most a third of its letters differ, or it is a part of the name), the nearest first.
fn ranked<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<(usize, &'a str)> {
    let typed = letters(wanted);
    // One letter for another is no near miss: everything would be.
    if typed.len() < 2 || typed.len() > LONGEST {
        return Vec::new();
    }
    let limit = (typed.len() / 3).max(1);
    let mut found: Vec<(usize, usize, &str)> = names
        .into_iter()
        .filter(|name| *name != wanted && name.len() <= 4 * LONGEST)
        .filter_map(|name| {
            let known = letters(name);
            if typed.len() >= 3 && known.starts_with(&typed) {
                return Some((1, other_case(wanted, name), name));
            }
            let near = known.len().abs_diff(typed.len()) <= limit;
            let edits = if near { distance(&typed, &known) } else { usize::MAX };
            (edits <= limit).then(|| (edits, other_case(wanted, name), name))
        })
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().map(|(edits, _, name)| (edits, name)).collect()
}

/// Whether the first letters differ in case, which decides between names that are equally near: types begin with a
/// capital letter, variables do not.
fn other_case(wanted: &str, name: &str) -> usize {
    let upper = |word: &str| word.starts_with(char::is_uppercase);
    usize::from(upper(wanted) != upper(name))
}

/// The name nearest to `wanted`, if one is near.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    ranked(wanted, names).first().map(|&(_, name)| name)
}

/// At most three of `names` that are near to `wanted`, the nearest first.
pub fn matches<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    ranked(wanted, names).into_iter().take(3).map(|(_, name)| name).collect()
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
        let distance = |a: &str, b: &str| distance(&letters(a), &letters(b));
        assert_eq!(distance("form", "from"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("Semi-Nca", "semi_nca"), 0);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_nearest_come_first_and_the_far_not_at_all() {
        let known = ["counter", "count", "length"];
        assert_eq!(nearest("coutner", known), Some("counter"));
        assert_eq!(nearest("lenght", known), Some("length"));
        assert_eq!(nearest("Count", known), Some("count"));
        assert_eq!(nearest("zebra", known), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("pont", ["Point", "point"]), Some("point"));
        assert_eq!(nearest("Pont", ["point", "Point"]), Some("Point"));
        assert_eq!(matches("coun", known), ["count", "counter"]);
        assert_eq!(hint("tca", ["tac", "ssa"]), "; did you mean `tac`?");
        assert_eq!(hint("zzzz", ["tac", "ssa"]), "");
    }
}
