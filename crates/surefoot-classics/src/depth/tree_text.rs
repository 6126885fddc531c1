//! Trees as text that a person can read and change.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use surefoot::formats::{FormatError, Line, Lines, Place, Word, quoted};

use super::depth_tree::{DepthTree, TreeNode, TreeSettings};
use super::features::{Feature, ONE};

const FIRST_LINE: &str = "surefoot depth tree 1";

/// Spaces before a line, for each test above it.
const INDENT: usize = 2;

impl DepthTree {
    /// The tree as text. `comment` is put before it, each line after a #.
    #[must_use]
    pub fn to_text(&self, comment: &str) -> String {
        let mut text = String::new();
        for line in comment.lines() {
            text.push_str(format!("# {line}").trim_end());
            text.push('\n');
        }
        let TreeSettings { deepest, history, pre_search } = self.settings();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{FIRST_LINE}\ndmax {deepest}\nhistory {history}\npre-search {pre_search}");
        // The tests whose `else` is still to come.
        let mut open: Vec<usize> = Vec::new();
        let mut level = 0;
        for &node in self.nodes() {
            let _ = match node {
                TreeNode::Test { feature, most } => {
                    writeln!(text, "{:1$}if {feature} <= {2}", "", INDENT * level, decimal(most))
                }
                TreeNode::Depth(depth) => writeln!(text, "{:1$}depth {depth}", "", INDENT * level),
            };
            if matches!(node, TreeNode::Test { .. }) {
                open.push(level);
                level += 1;
            } else if let Some(test) = open.pop() {
                let _ = writeln!(text, "{:1$}else", "", INDENT * test);
                level = test + 1;
            }
        }
        text
    }

    /// Reads a tree from text.
    ///
    /// # Errors
    /// If this is no such text; the error says where and what was expected there.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut lines = Lines::new(bytes);
        let first = next(&mut lines, FIRST_LINE)?;
        if first.bytes.trim_ascii_end() != FIRST_LINE.as_bytes() {
            return Err(first.error(0, format!("\"{FIRST_LINE}\""), quoted(first.bytes)));
        }
        let settings = TreeSettings {
            deepest: setting(&mut lines, "dmax", TreeSettings::DEEPEST)?,
            history: setting(&mut lines, "history", TreeSettings::LONGEST_HISTORY)?,
            pre_search: setting(&mut lines, "pre-search", TreeSettings::DEEPEST_PRE_SEARCH)?,
        };
        let mut nodes = Vec::new();
        // What is still to come, the next last: the nodes of a branch, or the `else` before them, at so many
        // indents.
        let mut to_come = Vec::from([(TreePart::Branch, 0)]);
        while let Some((part, level)) = to_come.pop() {
            let line = next(&mut lines, part.expected())?;
            let indent = line.bytes.iter().take_while(|&&byte| byte == b' ').count();
            if indent != level * INDENT {
                let expected = format!("{} after {} spaces", part.expected(), level * INDENT);
                return Err(line.error(indent, expected, format!("{indent} spaces")));
            }
            if part == TreePart::Else {
                read(line, &mut line.words(), "else")?;
                continue;
            }
            let node = node(line, settings.deepest)?;
            nodes.push(node);
            if matches!(node, TreeNode::Test { .. }) {
                if level == Self::MOST_TESTS {
                    let expected = format!("at most {} tests in each other", Self::MOST_TESTS);
                    return Err(line.error(indent, expected, "one more"));
                }
                to_come.extend([
                    (TreePart::Branch, level + 1),
                    (TreePart::Else, level),
                    (TreePart::Branch, level + 1),
                ]);
            }
        }
        while let Some(line) = lines.next_not_blank() {
            if !is_comment(line) {
                return Err(line.error(0, "the end of the tree", quoted(line.bytes)));
            }
        }
        Self::new(settings, nodes)
            .map_err(|error| FormatError::new(Place::Whole, "a tree", format!("that {error}")))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum TreePart {
    Branch,
    Else,
}

impl TreePart {
    const fn expected(self) -> &'static str {
        match self {
            Self::Branch => "\"if FEATURE <= NUMBER\" or \"depth NUMBER\"",
            Self::Else => "\"else\"",
        }
    }
}

fn is_comment(line: Line<'_>) -> bool {
    line.bytes.trim_ascii_start().starts_with(b"#")
}

/// The next line that says something.
fn next<'a>(lines: &mut Lines<'a>, expected: &'static str) -> Result<Line<'a>, FormatError> {
    loop {
        match lines.next_not_blank() {
            Some(line) if is_comment(line) => {}
            Some(line) => return Ok(line),
            None => return Err(lines.unexpected_end(expected)),
        }
    }
}

/// The next word, or an error where it should be.
fn word<'a>(
    line: Line<'a>,
    words: &mut impl Iterator<Item = Word<'a>>,
    expected: &str,
) -> Result<Word<'a>, FormatError> {
    words.next().ok_or_else(|| line.error(line.bytes.len(), String::from(expected), "the end of the line"))
}

/// Makes sure that this is the line's next and last word.
fn read<'a>(
    line: Line<'a>,
    words: &mut impl Iterator<Item = Word<'a>>,
    keyword: &str,
) -> Result<(), FormatError> {
    let found = word(line, words, &quoted(keyword.as_bytes()))?;
    if found.bytes != keyword.as_bytes() {
        return Err(line.error(found.offset, quoted(keyword.as_bytes()), quoted(found.bytes)));
    }
    end(line, words)
}

fn end<'a>(line: Line<'a>, words: &mut impl Iterator<Item = Word<'a>>) -> Result<(), FormatError> {
    match words.next() {
        Some(more) => Err(line.error(more.offset, "the end of the line", quoted(more.bytes))),
        None => Ok(()),
    }
}

/// A whole number from 1 on, the line's last word.
fn number<'a>(
    line: Line<'a>,
    words: &mut impl Iterator<Item = Word<'a>>,
    most: u32,
) -> Result<u32, FormatError> {
    let expected = format!("a whole number from 1 to {most}");
    let found = word(line, words, &expected)?;
    let number = found.whole_number().filter(|number| (1..=most).contains(number));
    let number = number.ok_or_else(|| line.error(found.offset, expected, quoted(found.bytes)))?;
    end(line, words)?;
    Ok(number)
}

/// A line of the head.
fn setting(lines: &mut Lines<'_>, name: &'static str, most: u32) -> Result<u32, FormatError> {
    let line = next(lines, name)?;
    let mut words = line.words();
    let found = word(line, &mut words, name)?;
    if found.bytes != name.as_bytes() {
        return Err(line.error(found.offset, quoted(name.as_bytes()), quoted(found.bytes)));
    }
    number(line, &mut words, most)
}

fn node(line: Line<'_>, deepest: u32) -> Result<TreeNode, FormatError> {
    let mut words = line.words();
    let keyword = word(line, &mut words, TreePart::Branch.expected())?;
    match keyword.bytes {
        b"depth" => number(line, &mut words, deepest).map(TreeNode::Depth),
        b"if" => {
            let names = || format!("one of {}", Feature::ALL.map(Feature::name).join(", "));
            let name = word(line, &mut words, &names())?;
            let feature = core::str::from_utf8(name.bytes).ok().and_then(Feature::named);
            let feature = feature.ok_or_else(|| line.error(name.offset, names(), quoted(name.bytes)))?;
            let sign = word(line, &mut words, "\"<=\"")?;
            if sign.bytes != b"<=" {
                return Err(line.error(sign.offset, "\"<=\"", quoted(sign.bytes)));
            }
            let expected = "a number with at most six digits after the point";
            let limit = word(line, &mut words, expected)?;
            let most = millionths(limit.bytes)
                .ok_or_else(|| line.error(limit.offset, expected, quoted(limit.bytes)))?;
            end(line, &mut words)?;
            Ok(TreeNode::Test { feature, most })
        }
        _ => Err(line.error(keyword.offset, TreePart::Branch.expected(), quoted(keyword.bytes))),
    }
}

/// Millionths as a decimal number, without zeros at the end.
fn decimal(millionths: u64) -> String {
    let (whole, rest) = (millionths / ONE, millionths % ONE);
    let text = format!("{whole}.{rest:06}");
    String::from(text.trim_end_matches('0').trim_end_matches('.'))
}

/// The reverse. `None` if this is no number without a sign, or has more than six digits after the point, or
/// is too large.
fn millionths(bytes: &[u8]) -> Option<u64> {
    let (whole, rest) = match bytes.iter().position(|&byte| byte == b'.') {
        Some(point) => (&bytes[..point], &bytes[point + 1..]),
        None => (bytes, &b"0"[..]),
    };
    if whole.is_empty() || !(1..=6).contains(&rest.len()) {
        return None;
    }
    let digits = whole.iter().chain(rest).chain(core::iter::repeat_n(&b'0', 6 - rest.len()));
    digits.into_iter().try_fold(0_u64, |number, &digit| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    const TEXT: &str = "\
# By hand.
#
# For a test.
surefoot depth tree 1
dmax 10
history 60
pre-search 1
if raised <= 2.5
  if downhill <= 0
    depth 1
  else
    depth 2
else
  if slope <= 1.000001
    depth 10
  else
    depth 3
";

    #[test]
    fn trees_are_read_and_written() {
        let tree = DepthTree::parse(TEXT.as_bytes()).unwrap();
        assert_eq!(tree.nodes().len(), 7);
        assert_eq!(tree.nodes()[0], TreeNode::Test { feature: Feature::Raised, most: 2_500_000 });
        assert_eq!(tree.nodes()[4], TreeNode::Test { feature: Feature::Slope, most: 1_000_001 });
        assert_eq!(tree.to_text("By hand.\n\nFor a test."), TEXT);
        let spaced = TEXT.replace('\n', "  \r\n\r\n   # more\r\n");
        assert_eq!(DepthTree::parse(spaced.as_bytes()), Ok(tree));
    }

    #[test]
    fn mistakes_are_placed() {
        let error = |from: &str, to: &str| {
            assert!(TEXT.contains(from));
            DepthTree::parse(TEXT.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
        };
        assert_eq!(
            error("tree 1", "tree 2"),
            "line 4, column 1: expected \"surefoot depth tree 1\", found \"surefoot depth tree 2\""
        );
        assert_eq!(error("history", "future"), "line 6, column 1: expected \"history\", found \"future\"");
        assert_eq!(
            error("60", "0"),
            "line 6, column 9: expected a whole number from 1 to 10000, found \"0\""
        );
        assert_eq!(
            error("pre-search 1", "pre-search 1 1"),
            "line 7, column 14: expected the end of the line, found \"1\""
        );
        assert_eq!(
            error("depth 10", "depth 11"),
            "line 15, column 11: expected a whole number from 1 to 10, found \"11\""
        );
        assert!(
            error("if slope", "if hope").starts_with("line 14, column 6: expected one of goal-distance, ")
        );
        assert_eq!(error("slope <=", "slope <"), "line 14, column 12: expected \"<=\", found \"<\"");
        assert_eq!(
            error("2.5", "2,5"),
            "line 8, column 14: expected a number with at most six digits after the point, found \"2,5\""
        );
        assert_eq!(
            error("    depth 1\n", "   depth 1\n"),
            "line 10, column 4: expected \"if FEATURE <= NUMBER\" or \"depth NUMBER\" after 4 spaces, found 3 spaces"
        );
        assert_eq!(error("  else", "  also"), "line 11, column 3: expected \"else\", found \"also\"");
        assert_eq!(
            error("    depth 3\n", "    depth 3\ndepth 4\n"),
            "line 18, column 1: expected the end of the tree, found \"depth 4\""
        );
        assert_eq!(
            error("    depth 3\n", ""),
            "line 16, column 7: expected \"if FEATURE <= NUMBER\" or \"depth NUMBER\", found the end of the file"
        );
        assert!(DepthTree::parse(b"").is_err());
    }

    #[test]
    fn numbers_are_exact() {
        for (number, text) in
            [(0, "0"), (1, "0.000001"), (2_500_000, "2.5"), (u64::MAX, "18446744073709.551615")]
        {
            assert_eq!(decimal(number), text);
            assert_eq!(millionths(text.as_bytes()), Some(number));
        }
        for bad in ["", ".", "1.", ".5", "-1", "1.0000001", "18446744073709.551616", "1e3", "0x1", "1.2.3"] {
            assert_eq!(millionths(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn trees_that_are_too_high_are_refused() {
        let chain = |tests: usize| {
            let mut text = String::from("surefoot depth tree 1\ndmax 2\nhistory 1\npre-search 1\n");
            for level in 0..tests {
                let _ = writeln!(text, "{:1$}if raised <= 1", "", 2 * level);
            }
            let _ = writeln!(text, "{:1$}depth 1", "", 2 * tests);
            for level in (0..tests).rev() {
                let _ = writeln!(text, "{0:1$}else\n{0:2$}depth 1", "", 2 * level, 2 * level + 2);
            }
            DepthTree::parse(text.as_bytes())
        };
        assert_eq!(chain(64).unwrap().leaves(), 65);
        assert!(chain(65).unwrap_err().to_string().contains("at most 64 tests"));
    }

    /// The nodes of a tree, from a list of choices.
    fn grow(choices: &mut impl Iterator<Item = (bool, usize, u64)>, level: u32, nodes: &mut Vec<TreeNode>) {
        let (is_test, number, most) = choices.next().unwrap_or((false, 0, 0));
        if !is_test || level == 6 {
            nodes.push(TreeNode::Depth(number as u32 % 10 + 1));
            return;
        }
        nodes.push(TreeNode::Test { feature: Feature::ALL[number], most });
        grow(choices, level + 1, nodes);
        grow(choices, level + 1, nodes);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(choices in prop::collection::vec((prop::bool::weighted(0.7), 0..Feature::COUNT, any::<u64>()), 0..60)) {
            let mut nodes = Vec::new();
            grow(&mut choices.into_iter(), 0, &mut nodes);
            let tree = DepthTree::new(TreeSettings::default(), nodes).unwrap();
            prop_assert_eq!(DepthTree::parse(tree.to_text("x").as_bytes()), Ok(tree));
        }

        #[test]
        fn any_text_is_read_or_refused(place in 0..TEXT.len(), bytes in prop::collection::vec(any::<u8>(), 0..4)) {
            let mut text = TEXT.as_bytes().to_vec();
            text.splice(place..place, bytes);
            let _ = DepthTree::parse(&text);
            let _ = DepthTree::parse(&text[..place]);
        }
    }
}
