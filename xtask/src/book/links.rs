//! Every link of every page leads somewhere: to a file, and to a heading of it. Pages of the book are in its
//! table of contents, begin with words, and have no long sentences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::markdown::{Link, anchors, first_words, links};
use super::prose;
use crate::tidy::Finding;

/// Where the project is. Links to its files there are checked like others.
pub(crate) const HOME: &str = "https://github.com/surefoot-rs/surefoot";
/// The folder of the book, and its table of contents.
pub(crate) const BOOK: &str = "docs/";
pub(crate) const CONTENTS: &str = "docs/SUMMARY.md";

/// Other pages whose sentences are looked at.
const PLAIN: [&str; 2] = ["README.md", "CONTRIBUTING.md"];

/// Pages with sentences that are longer: what was run when, and what each campaign does.
const LONG: [&str; 2] = ["docs/reproduce/reproduction.md", "docs/understand/campaigns.md"];

/// What the pages of a folder have between them.
pub(crate) struct Pages {
    root: PathBuf,
    /// By their paths from the root.
    texts: BTreeMap<String, String>,
}

impl Pages {
    /// All pages of the repository.
    pub(crate) fn read(root: &Path) -> Result<Self, Finding> {
        let mut texts = BTreeMap::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            let unreadable = |error: std::io::Error| Finding::new(&folder, 1, error.to_string());
            for entry in fs::read_dir(root.join(&folder)).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = format!("{folder}{name}");
                if entry.path().is_dir() {
                    if !name.starts_with('.') && !MADE.contains(&name.as_str()) {
                        folders.push(format!("{path}/"));
                    }
                } else if name.ends_with(".md") {
                    let text = fs::read_to_string(entry.path());
                    texts.insert(
                        path.clone(),
                        text.map_err(|error| Finding::new(path, 1, error.to_string()))?,
                    );
                }
            }
        }
        Ok(Self { root: root.to_path_buf(), texts })
    }

    /// Their texts, by their paths from the root.
    pub(crate) fn texts(&self) -> &BTreeMap<String, String> {
        &self.texts
    }

    /// What is wrong with them.
    pub(crate) fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut in_book = BTreeSet::new();
        for (page, text) in &self.texts {
            for Link { line, target } in links(text) {
                match self.follow(page, &target) {
                    Ok(Some(file)) if page == CONTENTS => drop(in_book.insert(file)),
                    Ok(_) => {}
                    Err(what) => findings.push(Finding::new(page, line, what)),
                }
            }
        }
        for (page, text) in self.texts.iter().filter(|(page, _)| page.starts_with(BOOK)) {
            if page == CONTENTS {
                continue;
            }
            if !in_book.contains(page) {
                findings.push(Finding::new(page, 1, format!("{CONTENTS} does not have this page")));
            }
            if let Err((line, what)) = first_words(text) {
                findings.push(Finding::new(page, line, what));
            }
        }
        let in_plain_words = |page: &str| page.starts_with(BOOK) || PLAIN.contains(&page);
        for (page, text) in self.texts.iter().filter(|(page, _)| in_plain_words(page)) {
            let long = prose::check(page, text);
            match LONG.contains(&page.as_str()) {
                true if long.is_empty() => {
                    findings.push(Finding::new(page, 1, "no sentence is long any more: take it out of LONG"));
                }
                true => {}
                false => findings.extend(long),
            }
        }
        findings
    }

    /// The file of this repository that a link leads to, if it leads to one. What is wrong if it leads
    /// nowhere.
    pub(crate) fn follow(&self, page: &str, target: &str) -> Result<Option<String>, String> {
        let (path, anchor) = match target.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (target, None),
        };
        let file = if let Some(rest) = path.strip_prefix(HOME) {
            match rest.strip_prefix("/blob/main/").or_else(|| rest.strip_prefix("/tree/main/")) {
                Some(file) => file.to_string(),
                None if rest.is_empty() => {
                    if anchor == Some("readme") {
                        return Ok(None);
                    }
                    "README.md".to_string()
                }
                None => return Ok(None),
            }
        } else if is_elsewhere(path) {
            return Ok(None);
        } else if path.is_empty() {
            page.to_string()
        } else {
            join(page, path).ok_or_else(|| format!("{target} leads out of the repository"))?
        };
        if !self.root.join(&file).exists() && !self.texts.contains_key(&file) {
            return Err(format!("{target}: there is no {file}"));
        }
        if let (Some(anchor), Some(text)) = (anchor, self.texts.get(&file))
            && !anchors(text).contains(anchor)
        {
            return Err(format!("{target}: {file} has no heading for #{anchor}"));
        }
        Ok(Some(file))
    }

    /// The pages of the book: paths from its folder, and texts in which links that leave the folder lead to
    /// the project's home.
    pub(crate) fn of_book(&self) -> impl Iterator<Item = (&str, String)> {
        let pages = self.texts.iter().filter_map(|(page, text)| Some((page, page.strip_prefix(BOOK)?, text)));
        pages.map(|(page, path, text)| {
            let mut text = text.clone();
            let leaves: BTreeSet<String> = links(&text).into_iter().map(|link| link.target).collect();
            for target in leaves {
                let Ok(Some(file)) = self.follow(page, &target) else { continue };
                if file.starts_with(BOOK) || target.starts_with(HOME) {
                    continue;
                }
                let anchor = target.find('#').map_or("", |at| &target[at..]);
                let kind = if self.root.join(&file).is_dir() { "tree" } else { "blob" };
                text =
                    text.replace(&format!("]({target})"), &format!("]({HOME}/{kind}/main/{file}{anchor})"));
            }
            (path, text)
        })
    }
}

/// Folders of what is made, not written.
const MADE: [&str; 6] = ["target", "dist", "node_modules", "__pycache__", "corpus", "artifacts"];

/// Whether a link begins with a scheme.
fn is_elsewhere(path: &str) -> bool {
    let scheme = path.split(':').next().unwrap_or_default();
    scheme.len() < path.len() && !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The path that a page means by a relative one.
pub(crate) fn join(page: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(texts: &[(&str, &str)]) -> Pages {
        let owned = texts.iter().map(|&(page, text)| (page.to_string(), text.to_string()));
        Pages { root: PathBuf::from("/no/such/folder"), texts: owned.collect() }
    }

    fn findings(texts: &[(&str, &str)]) -> Vec<String> {
        pages(texts).check().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let readme =
            "# R\n[a](docs/a.md#part) [b](docs/b.md)\n[c](docs/a.md#gone) [d](../x)\n[e](https://x.org)\n";
        let texts = [
            ("README.md", readme),
            ("docs/SUMMARY.md", "# S\n- [A](a.md)\n"),
            ("docs/a.md", "# A\nWords.\n## Part\n[up](../README.md#r) ![p](p.svg) [here](#part)\n"),
        ];
        assert_eq!(
            findings(&texts),
            [
                "README.md:2: docs/b.md: there is no docs/b.md",
                "README.md:3: docs/a.md#gone: docs/a.md has no heading for #gone",
                "README.md:3: ../x leads out of the repository",
                "docs/a.md:4: p.svg: there is no docs/p.svg",
            ]
        );
    }

    #[test]
    fn links_to_the_projects_home_are_followed() {
        let link = |target: &str| format!("# C\n[x]({HOME}{target})\n");
        let readme = ("README.md", "# R\n## Limits\n");
        for (target, wrong) in [
            ("#readme", false),
            ("#limits", false),
            ("#algorithms", true),
            ("/blob/main/README.md", false),
            ("/blob/main/gone.md", true),
            ("/issues", false),
        ] {
            let text = link(target);
            assert_eq!(
                findings(&[readme, ("crates/c/README.md", &text)]).len(),
                usize::from(wrong),
                "{target}"
            );
        }
    }

    #[test]
    fn pages_of_the_book_are_in_its_contents_and_begin_with_words() {
        let contents = ("docs/SUMMARY.md", "# S\n- [A](a.md)\n");
        let texts = [contents, ("docs/a.md", "# A\n\n| table |\n"), ("docs/b.md", "# B\nWords.\n")];
        assert_eq!(
            findings(&texts),
            [
                "docs/a.md:3: a page begins with what its reader gets, in words",
                "docs/b.md:1: docs/SUMMARY.md does not have this page"
            ]
        );
    }

    #[test]
    fn long_sentences_are_found_but_where_they_are_known() {
        let long = format!("# A\n{}.\n", "word ".repeat(40).trim_end());
        let contents = ("docs/SUMMARY.md", "# S\n- [L](reproduce/reproduction.md)\n");
        assert_eq!(findings(&[("README.md", &long), contents, (LONG[0], &long)]).len(), 1);
        assert!(findings(&[("crates/a/README.md", &long)]).is_empty());
        assert!(findings(&[contents, (LONG[0], "# L\nShort.\n")])[0].ends_with("take it out of LONG"));
    }

    #[test]
    fn links_that_leave_the_book_lead_to_the_projects_home() {
        let texts = [
            ("README.md", "# R\n"),
            ("docs/x/a.md", "# A\n[r](../../README.md#r) [b](b.md) `](../../README.md)`"),
            ("docs/x/b.md", ""),
        ];
        let pages = pages(&texts);
        let (path, text) = pages.of_book().next().unwrap();
        assert_eq!(path, "x/a.md");
        assert_eq!(text, format!("# A\n[r]({HOME}/blob/main/README.md#r) [b](b.md) `](../../README.md)`"));
    }
}
