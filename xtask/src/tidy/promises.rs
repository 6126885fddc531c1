//! The page of promises names the tests that hold them: each has to be there.

use std::collections::HashSet;

use super::finding::Finding;

/// The page.
pub(crate) const PAGE: &str = "docs/understand/promises.md";
/// How its lines begin that name tests.
const HELD_BY: &str = "| held by |";

/// Names of the page that are neither a function nor a file of these sources (paths and texts).
pub(crate) fn check(page: &str, files: &[(String, String)]) -> Vec<Finding> {
    let functions: HashSet<&str> = files.iter().flat_map(|(_, text)| functions(text)).collect();
    let is_there = |name: &str| {
        functions.contains(name)
            || files.iter().any(|(file, _)| {
                let stem = file.strip_suffix(".rs").unwrap_or(file);
                [file, stem].into_iter().any(|own| own == name || own.ends_with(&format!("/{name}")))
                    || file.contains(&format!("/{name}/"))
            })
    };
    let mut findings = Vec::new();
    let mut lines = 0;
    for (number, line) in page.lines().enumerate().filter(|(_, line)| line.starts_with(HELD_BY)) {
        lines += 1;
        for name in line.split('`').skip(1).step_by(2).filter(|name| is_of_a_test(name) && !is_there(name)) {
            findings.push(Finding::new(PAGE, number + 1, format!("there is no test or file {name}")));
        }
    }
    if lines == 0 {
        findings.push(Finding::new(PAGE, 1, format!("no line begins with {HELD_BY:?}")));
    }
    findings
}

/// Whether what stands in backticks names a test or a file, and not a command or an algorithm.
fn is_of_a_test(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_/.-".contains(&byte);
    name.contains(['_', '/']) && name.bytes().all(is_word)
}

/// The names of the functions of a text.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("fn ")?;
        rest.split_once('(').map(|(name, _)| name.split('<').next().unwrap_or(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_there_are_found() {
        let files = [
            ("crates/a/tests/kept_files.rs".to_owned(), "#[test]\n    fn walks_are_exact() {}\n".to_owned()),
            ("crates/a/src/crowd/tests/x.rs".to_owned(), String::new()),
        ];
        let page = "| held by | `walks_are_exact`, `kept_files`, `crowd/tests`, `tests/kept_files.rs`, `cargo xtask ci`, `a*` |\n";
        assert_eq!(check(page, &files), []);
        let found = check(&page.replace("are_exact", "are_short"), &files);
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().ends_with("there is no test or file walks_are_short"));
        assert_eq!(check(&page.replace("crowd/tests", "crowd/test"), &files).len(), 1);
        assert_eq!(check("no such line\n", &files).len(), 1);
    }
}
