//! Comments of up to 110 columns: which lines are longer, and how their paragraphs are wrapped.
//!
//! Code blocks, tables, headings and link definitions are left as they are; so is a paragraph with two spaces
//! in a row, which somebody has laid out. Code in backticks is not broken. A line does not begin with what
//! would make it an item, a heading or a quotation.

use proc_macro2::{TokenStream, TokenTree};

use super::finding::Finding;

/// Columns that a line of a comment may have.
pub(crate) const MOST_COLUMNS: usize = 110;

/// Finds lines of comments that are too long. Rows of tables, link definitions and single words cannot be
/// wrapped, and may be.
pub(crate) fn check(file: &str, text: &str) -> Result<Vec<Finding>, Finding> {
    let lines: Vec<&str> = text.lines().collect();
    let mut findings = Vec::new();
    for block in blocks(file, text, &lines)? {
        for number in block.lines.clone() {
            let width = lines[number].chars().count();
            let may = match block.form {
                Form::Fixed => true,
                Form::Code | Form::Paragraph => {
                    Comment::of(lines[number]).is_none_or(|comment| words(comment.body).len() <= 1)
                }
            };
            if width > MOST_COLUMNS && !may {
                let what = format!(
                    "a comment of {width} columns, more than {MOST_COLUMNS}: `cargo xtask tidy --wrap` wraps it, if it is no code"
                );
                findings.push(Finding::new(file, number + 1, what));
            }
        }
    }
    Ok(findings)
}

/// The text with all paragraphs of comments wrapped that have a line that is too long.
pub(crate) fn wrap(file: &str, text: &str) -> Result<String, Finding> {
    let lines: Vec<&str> = text.lines().collect();
    let mut wrapped = String::with_capacity(text.len());
    let mut next = 0;
    for block in blocks(file, text, &lines)? {
        let long = block.lines.clone().any(|number| lines[number].chars().count() > MOST_COLUMNS);
        if block.form != Form::Paragraph || !long {
            continue;
        }
        lines[next..block.lines.start].iter().for_each(|line| push_line(&mut wrapped, line));
        wrap_paragraph(&lines[block.lines.clone()], &mut wrapped);
        next = block.lines.end;
    }
    lines[next..].iter().for_each(|line| push_line(&mut wrapped, line));
    if !text.ends_with('\n') {
        wrapped.pop();
    }
    Ok(wrapped)
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Can be wrapped.
    Paragraph,
    /// Between fences, or laid out by hand.
    Code,
    /// Has to be one line.
    Fixed,
}

/// Lines of a comment that belong together, from 0.
#[derive(Debug)]
struct Block {
    lines: std::ops::Range<usize>,
    form: Form,
}

/// A line that is nothing but a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comment<'a> {
    /// Spaces, and two or three marks.
    start: &'a str,
    body: &'a str,
}

impl<'a> Comment<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let indent = line.len() - line.trim_start().len();
        let after = line[indent..].strip_prefix("//")?;
        let doc = (after.starts_with('/') && !after.starts_with("//")) || after.starts_with('!');
        let (start, body) = line.split_at(indent + 2 + usize::from(doc));
        Some(Self { start, body })
    }
}

/// Divides the comments of a file into blocks.
fn blocks(file: &str, text: &str, lines: &[&str]) -> Result<Vec<Block>, Finding> {
    let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
        Finding::new(file, error.span().start().line, error.to_string())
    })?;
    let mut in_literal = vec![false; lines.len() + 1];
    mark_literals(tokens, &mut in_literal);
    let mut blocks: Vec<Block> = Vec::new();
    let mut before: Option<Comment<'_>> = None;
    let mut fenced = false;
    let mut open = false;
    for (number, line) in lines.iter().enumerate() {
        let comment = Comment::of(line).filter(|_| !in_literal[number]);
        if comment.map(|comment| comment.start) != before.map(|comment| comment.start) {
            (fenced, open) = (false, false);
        }
        before = comment;
        let Some(comment) = comment else { continue };
        let body = comment.body.trim();
        let fence = body.starts_with("```") || body.starts_with("~~~");
        let form = if fenced || fence {
            fenced ^= fence;
            Form::Code
        } else if body.is_empty() {
            open = false;
            continue;
        } else if body.starts_with(['|', '#', '<', '>']) || is_link_definition(body) {
            Form::Fixed
        } else if comment.body.ends_with("  ") || (!open && comment.body.starts_with("     ")) {
            Form::Code
        } else {
            Form::Paragraph
        };
        match blocks.last_mut() {
            Some(last) if form == Form::Paragraph && open && item_width(body) == 0 => {
                last.lines.end = number + 1;
            }
            _ => blocks.push(Block { lines: number..number + 1, form }),
        }
        open = form == Form::Paragraph;
    }
    for block in &mut blocks {
        let laid_out =
            |line: &&str| Comment::of(line).is_some_and(|comment| comment.body.trim().contains("  "));
        if block.form == Form::Paragraph && lines[block.lines.clone()].iter().any(laid_out) {
            block.form = Form::Code;
        }
    }
    Ok(blocks)
}

/// Marks the lines that begin within a literal.
fn mark_literals(tokens: TokenStream, marks: &mut [bool]) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => mark_literals(group.stream(), marks),
            TokenTree::Literal(literal) => {
                let span = literal.span();
                marks[span.start().line..span.end().line].fill(true);
            }
            _ => {}
        }
    }
}

fn is_link_definition(body: &str) -> bool {
    body.starts_with('[') && body.split_once("]: ").is_some_and(|(name, _)| !name.contains(']'))
}

/// How wide what makes a line an item of a list is: `- `, `12. `. 0 for other lines.
fn item_width(body: &str) -> usize {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match body[digits..].bytes().next() {
        Some(b'.' | b')') if (1..=2).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ => return 0,
    };
    if body[mark..].starts_with(' ') { mark + 1 } else { 0 }
}

/// The words of a text. Code in backticks is one word.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_string()),
        }
        open ^= word.matches('`').count() % 2 == 1;
    }
    // A backtick without its other half is no code.
    if open { text.split_whitespace().map(str::to_string).collect() } else { words }
}

/// Whether a line that begins with this word is taken for something else than text.
fn must_not_begin(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    matches!(word, "-" | "*" | "+")
        || word.starts_with(['#', '>', '|', '<', '='])
        || ["---", "***", "```", "~~~"].iter().any(|mark| word.starts_with(mark))
        || digits > 0 && matches!(&word[digits..], "." | ")")
}

fn wrap_paragraph(lines: &[&str], into: &mut String) {
    let comments: Vec<Comment<'_>> = lines.iter().filter_map(|line| Comment::of(line)).collect();
    let first = comments[0];
    let indent = |body: &str| body.len() - body.trim_start().len();
    let item = item_width(first.body.trim_start());
    let hang = match comments.get(1) {
        Some(second) => indent(second.body),
        None => indent(first.body) + item,
    };
    let text = comments.iter().map(|comment| comment.body.trim()).collect::<Vec<_>>().join(" ");
    let mut line = format!("{}{}", first.start, &first.body[..indent(first.body)]);
    let mut width = line.chars().count();
    let mut empty = true;
    let words = words(&text);
    for (number, word) in words.iter().enumerate() {
        // What must not begin a line goes with the word before it.
        let next = words[number + 1..].iter().take_while(|word| must_not_begin(word));
        let needed = word.chars().count() + next.map(|word| 1 + word.chars().count()).sum::<usize>();
        if !empty && !must_not_begin(word) && width + 1 + needed > MOST_COLUMNS {
            push_line(into, &line);
            line = format!("{}{}", first.start, " ".repeat(hang));
            width = line.chars().count();
            empty = true;
        }
        if !empty {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += word.chars().count();
        empty = false;
    }
    push_line(into, &line);
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "a sentence that is rather long and goes on for quite a while, word after word, until it has more than a hundred and ten columns";

    fn wrapped(text: &str) -> String {
        let once = wrap("x.rs", text).unwrap();
        assert_eq!(wrap("x.rs", &once).unwrap(), once, "to wrap twice is to wrap once");
        once
    }

    fn lines_found(text: &str) -> usize {
        check("x.rs", text).unwrap().len()
    }

    #[test]
    fn long_paragraphs_are_found_and_wrapped() {
        for mark in ["//", "///", "//!"] {
            let text =
                format!("mod x {{\n    {mark} {LONG}\n    {mark} and ends here.\n\n    fn f() {{}}\n}}\n");
            assert_eq!(lines_found(&text), 1);
            let wrapped = wrapped(&text);
            assert_eq!(lines_found(&wrapped), 0);
            assert_eq!(wrapped.lines().count(), text.lines().count(), "{wrapped}");
            assert!(wrapped.contains("hundred and ten columns and ends here.\n"), "{wrapped}");
        }
    }

    #[test]
    fn short_paragraphs_stay_as_they_are() {
        let text = "// One line.\n// Another one.\nfn f() {}\n";
        assert_eq!(wrapped(text), text);
    }

    #[test]
    fn code_tables_and_literals_stay_as_they_are() {
        let text = format!(
            "/// ```\n/// // {LONG}\n/// ```\n/// | {LONG} |\n/// # {LONG}\n/// [x]: {LONG}\nfn f() -> &'static str {{\n    \"\n// {LONG}\n\"\n}}\n// two  {LONG}\n"
        );
        assert_eq!(wrapped(&text), text);
        assert_eq!(lines_found(&text), 2, "code can be wrapped by hand");
    }

    #[test]
    fn items_of_lists_stay_items() {
        let text = format!("/// - {LONG}\n/// - second\n/// 12. {LONG}\nfn f() {{}}\n");
        let wrapped = wrapped(&text);
        let starts: Vec<&str> = wrapped.lines().map(|line| &line[..8.min(line.len())]).collect();
        assert_eq!(
            starts,
            ["/// - a ", "///   hu", "/// - se", "/// 12. ", "///     ", "fn f() {"],
            "{wrapped}"
        );
    }

    #[test]
    fn nothing_becomes_an_item_or_leaves_its_backticks() {
        let spaced = |end: &str| format!("// {} {end}\nfn f() {{}}\n", "x".repeat(104));
        assert_eq!(wrapped(&spaced("of - it")), format!("// {}\n// of - it\nfn f() {{}}\n", "x".repeat(104)));
        let code = wrapped(&spaced("`a b c d` e"));
        assert!(code.contains("\n// `a b c d` e\n"), "{code}");
    }

    #[test]
    fn words_that_do_not_fit_stay() {
        let text = format!("// {}\n", "x".repeat(200));
        assert_eq!(wrapped(&text), text);
        assert_eq!(lines_found(&text), 0);
    }
}
