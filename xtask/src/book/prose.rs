//! Sentences of the book that are too long, or have too many numbers: these belong into a table.

use super::markdown::lines;
use crate::tidy::Finding;

/// Words, and numbers, that a sentence may have. A range and a size, such as 4 to 7 and 512 × 512, are one.
const MOST_WORDS: usize = 35;
const MOST_NUMBERS: usize = 3;

/// All sentences of a page that have more.
pub(crate) fn check(page: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, paragraph) in paragraphs(text) {
        for sentence in sentences(&paragraph) {
            let words = sentence.iter().filter(|word| word.contains(char::is_alphanumeric)).count();
            let numbers = numbers(&sentence);
            if words <= MOST_WORDS && numbers <= MOST_NUMBERS {
                continue;
            }
            let begin = sentence[..sentence.len().min(6)].join(" ");
            let what = format!(
                "\"{begin} …\" has {words} words and {numbers} numbers; {MOST_WORDS} and {MOST_NUMBERS} may be: make two of it, or a table"
            );
            findings.push(Finding::new(page, line, what));
        }
    }
    findings
}

/// Paragraphs and items of lists, each with the line where it begins. No tables, headings, pictures or code.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut last = 0;
    for (number, line) in lines(text) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['|', '#', '<']) || line.starts_with("![") {
            continue;
        }
        let marks = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = marks.strip_prefix(". ").filter(|_| marks.len() < line.len());
        let item = item.or_else(|| line.strip_prefix("- ")).or_else(|| line.strip_prefix("* "));
        match found.last_mut() {
            Some((_, paragraph)) if item.is_none() && last + 1 == number => {
                paragraph.push(' ');
                paragraph.push_str(line);
            }
            _ => found.push((number, item.unwrap_or(line).to_string())),
        }
        last = number;
    }
    found
}

/// The words of each sentence. One ends with a full stop, unless a small letter comes next.
fn sentences(paragraph: &str) -> Vec<Vec<&str>> {
    let mut found = vec![Vec::new()];
    let mut words = paragraph.split_whitespace().peekable();
    while let Some(word) = words.next() {
        found.last_mut().into_iter().for_each(|sentence: &mut Vec<&str>| sentence.push(word));
        let ends = word.trim_end_matches([')', '"', '*', '_']).ends_with(['.', '?', '!']);
        if ends && words.peek().is_some_and(|next| !next.starts_with(char::is_lowercase)) {
            found.push(Vec::new());
        }
    }
    found
}

/// How many numbers a sentence has.
fn numbers(sentence: &[&str]) -> usize {
    let is_number = |word: &&str| {
        !word.contains(char::is_alphabetic)
            && word
                .trim_start_matches(|c: char| !c.is_alphanumeric())
                .starts_with(|c: char| c.is_ascii_digit())
    };
    let joins = |word: &&str| ["to", "×", "x", "/", "·"].contains(word);
    (0..sentence.len())
        .filter(|&at| is_number(&sentence[at]))
        .filter(|&at| at < 2 || !joins(&sentence[at - 1]) || !is_number(&sentence[at - 2]))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        check("a.md", text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn long_sentences_are_found_and_short_ones_are_not() {
        let words = |count: usize| format!("# A\n\n{}.\n", vec!["word"; count].join(" "));
        assert!(found(&words(MOST_WORDS)).is_empty());
        let long = found(&words(MOST_WORDS + 1));
        assert!(long.len() == 1 && long[0].starts_with("a.md:3: \"word word"), "{long:?}");
        // Two sentences have twice as many, wherever the lines end.
        assert!(
            found(&format!("{}\n{}", words(20).trim_end(), words(20).replace("# A\n\nword", "Word")))
                .is_empty()
        );
        // Items are sentences of their own.
        assert!(found(&"- word word word\n1. word word\n".repeat(30)).is_empty());
    }

    #[test]
    fn numbers_are_counted_but_for_code_and_tables() {
        assert_eq!(found("It has 1, 2, 3 and 4.").len(), 1);
        assert!(found("It has 1, 2 and 3. It has 4.").is_empty());
        assert!(found("It has 1 to 2, 3 × 4 and **5–6**, in `7 8 9` of A2 and the 3rd.").is_empty());
        assert_eq!(found("From 1 to 2, 3 × 4, (5) and −6 %.").len(), 1);
        assert!(found("| 1 | 2 | 3 | 4 |\n```\n1 2 3 4\n```\n").is_empty());
    }
}
