//! Names that may have been meant: those at a small edit distance.
//!
//! *Cost:* names × the square of their length. *Source:* V. Levenshtein, 1966; the table has two rows.

/// The names that differ from `wanted` in at most a third of its letters or begin with it, the nearest first, at most three.
pub fn near_matches(wanted: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    const LONGEST: usize = 64;
    if wanted.is_empty() || wanted.len() > LONGEST {
        return Vec::new();
    }
    let limit = (wanted.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &'static str)> = names
        .map(|name| {
            (
                if name.starts_with(wanted) {
                    0
                } else {
                    distance(wanted, name)
                },
                name,
            )
        })
        .filter(|&(distance, _)| distance <= limit)
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters must be put in, taken out or replaced to get from `a` to `b`. `_` and `-` are the same.
fn distance(a: &str, b: &str) -> usize {
    let letters = |s: &str| -> Vec<char> {
        s.chars()
            .map(|c| {
                if c == '-' {
                    '_'
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect()
    };
    let (a, b) = (letters(a), letters(b));
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            row.push(
                (above[j] + usize::from(x != y))
                    .min(above[j + 1] + 1)
                    .min(row[j] + 1),
            );
        }
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_first() {
        let names = || ["cytron", "cytrom", "braun"].into_iter();
        assert_eq!(near_matches("cytron", names()), ["cytron", "cytrom"]);
        assert_eq!(near_matches("brawn", names()), ["braun"]);
        assert!(near_matches("zebra", names()).is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
