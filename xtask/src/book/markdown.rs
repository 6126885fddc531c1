//! As much of Markdown as links need.

use std::collections::BTreeSet;

/// A link of a page, or a picture in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) target: String,
}

/// Lines that are not code, with their numbers from 1. What is code within a line is one word of X.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut fence = None;
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        let begin = line.trim_start().trim_start_matches("> ");
        let mark = ["```", "~~~"].into_iter().find(|mark| begin.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => return Some((number, without_code(line))),
            _ => {}
        }
        None
    })
}

/// A line whose code spans are words of X, as long as before.
fn without_code(line: &str) -> String {
    let mut left = line;
    let mut found = String::new();
    while let Some(begin) = left.find('`') {
        let ticks = left[begin..].len() - left[begin..].trim_start_matches('`').len();
        let inside = begin + ticks;
        let mark = &left[begin..inside];
        let Some(length) = left[inside..].find(mark) else { break };
        let end = inside + length + ticks;
        found.push_str(&left[..begin]);
        found.extend(left[begin..end].chars().map(|_| 'X'));
        left = &left[end..];
    }
    found + left
}

/// The links of a page, in order.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (number, line) in lines(text) {
        let mut link = |target: &str| found.push(Link { line: number, target: target.to_string() });
        let mut rest = line.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let mut depth = 0;
            let end = rest.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth < 0
            });
            let Some(end) = end else { break };
            // A title may follow.
            link(rest[..end].split_whitespace().next().unwrap_or_default());
            rest = &rest[end..];
        }
        for attribute in ["src=\"", "href=\""] {
            for part in line.split(attribute).skip(1) {
                link(part.split('"').next().unwrap_or_default());
            }
        }
    }
    found
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
pub(crate) fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let originals: Vec<&str> = text.lines().collect();
    for (number, line) in lines(text) {
        let hashes = line.len() - line.trim_start_matches('#').len();
        if !(1..=6).contains(&hashes) || !line[hashes..].starts_with(' ') {
            continue;
        }
        let slug = slug(originals[number - 1][hashes..].trim());
        let mut anchor = slug.clone();
        for again in 1.. {
            if found.insert(anchor) {
                break;
            }
            anchor = format!("{slug}-{again}");
        }
    }
    found
}

fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    // Of a link its words count.
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let kept = text.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Whether words come after a page's title. If not, in which line, and what is wrong.
pub(crate) fn first_words(text: &str) -> Result<(), (usize, &'static str)> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    match lines.next() {
        Some((_, title)) if title.starts_with("# ") => {}
        _ => return Err((1, "a page begins with its title: # TITLE")),
    }
    let is_word = |line: &str| line.starts_with(|c: char| c.is_alphanumeric() || "`*[\"".contains(c));
    match lines.next() {
        Some((_, line)) if is_word(line) && !line.starts_with("* ") && !line.starts_with("```") => Ok(()),
        Some((number, _)) => Err((number, "a page begins with what its reader gets, in words")),
        None => Err((1, "a page begins with what its reader gets, in words")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<String> {
        links(text).into_iter().map(|link| link.target).collect()
    }

    #[test]
    fn links_and_pictures_are_found_and_code_is_not() {
        let text = "[a](a.md) ![b](b.svg \"title\") <img src=\"c.png\" width=\"1\">\n```\n[d](d.md)\n```\n`[e](e.md)` [`f`](f.md)\n";
        assert_eq!(targets(text), ["a.md", "b.svg", "c.png", "f.md"]);
        assert_eq!(links(text)[3].line, 5);
        assert_eq!(targets("[a](x_(y).md) ``[b](b`c.md)`` [lone ` tick](d.md)"), ["x_(y).md", "d.md"]);
        assert_eq!(targets("~~~\n```\n[a](a.md)\n~~~\n[b](b.md)"), ["b.md"]);
    }

    #[test]
    fn anchors_are_those_of_github() {
        let text = "# `beacon*`: how, and why?\n## Saving, lockstep\n## Saving, lockstep\n```\n# code\n```\n### [PRA*](pra.md) in 1 ms\n#no\n## snake_case – ü\n";
        let wanted =
            ["beacon-how-and-why", "pra-in-1-ms", "saving-lockstep", "saving-lockstep-1", "snake_case--ü"];
        assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn pages_begin_with_a_title_and_words() {
        assert_eq!(first_words("# A\n\nWords.\n"), Ok(()));
        assert_eq!(first_words("# A\n`beacon*` is\n"), Ok(()));
        for wrong in [
            "A\n",
            "# A\n",
            "# A\n## B\n",
            "# A\n- b\n",
            "# A\n* b\n",
            "# A\n```\nx\n```\n",
            "# A\n| b |\n",
            "",
        ] {
            assert!(first_words(wrong).is_err(), "{wrong:?}");
        }
    }
}
