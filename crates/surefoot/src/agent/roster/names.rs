//! Names that are nearly right: without their star, or with a slip.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The name that one without its star stands for: shells take a star for a pattern of files. Any other name,
/// and one that could stand for several, stays as it is.
pub(super) fn with_star<'a, 'b: 'a, I: Iterator<Item = &'b str>>(
    name: &'a str,
    bases: impl Fn() -> I,
) -> &'a str {
    let is_starless = |base: &&str| base.chars().filter(|&c| c != '*').eq(name.chars());
    if bases().any(|base| base == name) {
        return name;
    }
    let mut meant = bases().filter(is_starless);
    match meant.next() {
        Some(first) if meant.all(|other| other == first) => first,
        _ => name,
    }
}

/// " did you mean …?" with the nearest of some names, if there is one.
pub(super) fn did_you_mean<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest(name, names).map_or_else(String::new, |known| format!(" did you mean {known}?"))
}

/// The nearest of some names, if one is near: a third of its letters may be wrong. Else the shortest of those
/// that begin with it. Papers write names in capitals.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let names: Vec<&str> = names.collect();
    let nearest = names
        .iter()
        .map(|&known| (edits(&name, known), known))
        .filter(|(edits, known)| 3 * edits <= known.chars().count().max(name.chars().count()))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, known)| known);
    let longer = || names.iter().copied().filter(|known| name.len() > 2 && known.starts_with(&name));
    nearest.or_else(|| longer().min_by_key(|known| known.len()))
}

/// How many letters must be put in, taken out, changed or swapped with the next to make one text of another.
fn edits(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    // The last two rows of the table: for the letters of `one` so far, and each beginning of `other`.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, &letter) in one.iter().enumerate() {
        let mut next = Vec::with_capacity(last.len());
        next.push(row + 1);
        for (column, &wanted) in other.iter().enumerate() {
            let mut least = (last[column] + usize::from(letter != wanted)).min(last[column + 1] + 1);
            least = least.min(next[column] + 1);
            if row > 0 && column > 0 && letter == other[column - 1] && one[row - 1] == wanted {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = core::mem::replace(&mut last, next);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_may_be_left_out() {
        let bases = || ["beacon*", "a*", "lrta*", "lrta*"].into_iter();
        for (name, meant) in
            [("beacon", "beacon*"), ("a*", "a*"), ("lrta", "lrta*"), ("teleport", "teleport")]
        {
            assert_eq!(with_star(name, bases), meant);
        }
        assert_eq!(with_star("ab", || ["a*b", "ab*"].into_iter()), "ab", "it could stand for both");
    }

    #[test]
    fn edits_are_counted() {
        for (one, other, count) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "axc", 1),
            ("abc", "ac", 1),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
            ("é", "e", 1),
        ] {
            assert_eq!((edits(one, other), edits(other, one)), (count, count), "{one} {other}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        let names = || ["beacon*", "lrta*", "a*"].into_iter();
        assert_eq!(did_you_mean("becon*", names()), " did you mean beacon*?");
        assert_eq!(did_you_mean("lrat*", names()), " did you mean lrta*?");
        assert_eq!(did_you_mean("LRTA*", names()), " did you mean lrta*?");
        assert_eq!(did_you_mean("teleport*", names()), "");
        assert_eq!(did_you_mean("b*", names()), "");
        let names = || ["knn-lrta-2009*", "knn-lrta*", "lrta*"].into_iter();
        assert_eq!(did_you_mean("knn", names()), " did you mean knn-lrta*?");
        assert_eq!(did_you_mean("kn", names()), "");
    }
}
