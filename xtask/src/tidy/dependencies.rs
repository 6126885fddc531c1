//! The page that says why each dependency is there: all of them, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use super::finding::Finding;
use super::layers::dependencies_of;
use super::{crate_folders, read};

/// The page.
pub(crate) const FILE: &str = "docs/reference/dependencies.md";

/// Compares the page with the manifests of the crates that are published.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>, Finding> {
    let mut crates = Vec::new();
    for folder in crate_folders(root).iter().filter(|folder| folder.starts_with("crates/")) {
        let file = format!("{folder}/Cargo.toml");
        let text = read(root, &file)?;
        let manifest: toml::Table =
            text.parse().map_err(|error: toml::de::Error| Finding::new(&file, 1, error.message()))?;
        crates.extend(published(&manifest));
    }
    Ok(findings(&read(root, FILE)?, &crates))
}

/// A crate that is published, and what it depends on that is not of this repository.
type Published = (String, BTreeSet<String>);

fn published(manifest: &toml::Table) -> Option<Published> {
    let package = manifest.get("package")?;
    if package.get("publish").and_then(toml::Value::as_bool) == Some(false) {
        return None;
    }
    let mut dependencies = dependencies_of(manifest);
    dependencies.retain(|name| !name.starts_with("surefoot"));
    Some((package.get("name")?.as_str()?.to_string(), dependencies))
}

/// Rows of tables below headings with the names of crates.
fn rows(page: &str) -> Vec<(usize, &str, &str, &str)> {
    let (mut rows, mut of) = (Vec::new(), "");
    for (line, text) in (1..).zip(page.lines()) {
        if let Some(heading) = text.strip_prefix("## ") {
            of = heading.trim_matches('`');
        } else if let Some(row) = text.strip_prefix("| `")
            && let Some((name, rest)) = row.split_once("` |")
        {
            let why = rest.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default().trim();
            rows.push((line, of, name, why));
        }
    }
    rows
}

fn findings(page: &str, crates: &[Published]) -> Vec<Finding> {
    let rows = rows(page);
    let mut findings = Vec::new();
    for (name, dependencies) in crates {
        for dependency in dependencies {
            if !rows.iter().any(|(_, of, row, _)| of == name && row == dependency) {
                let what = format!("`{dependency}`, which {name} depends on, has no line below `## {name}`");
                findings.push(Finding::new(FILE, 1, what));
            }
        }
    }
    for (line, of, row, why) in rows {
        match crates.iter().find(|(name, _)| name == of) {
            None => {
                findings.push(Finding::new(FILE, line, format!("there is no crate {of} that is published")));
            }
            Some((_, dependencies)) if !dependencies.contains(row) => {
                findings.push(Finding::new(
                    FILE,
                    line,
                    format!("{of} does not depend on `{row}`: take the line out"),
                ));
            }
            Some(_) if why.is_empty() => {
                findings.push(Finding::new(FILE, line, format!("it is not said why `{row}` is there")));
            }
            Some(_) => {}
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Page\n\n## `one`\n\n| crate | when | why |\n| --- | --- | --- |\n| `a` | always | it is good |\n| `b` | never | so |\n";

    fn of(page: &str, dependencies: &[&str]) -> Vec<String> {
        let crates = [("one".to_string(), dependencies.iter().map(ToString::to_string).collect())];
        findings(page, &crates).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_page_has_each_dependency_and_no_other() {
        assert_eq!(of(PAGE, &["a", "b"]), [""; 0]);
        assert!(of(PAGE, &["a"])[0].ends_with(":8: one does not depend on `b`: take the line out"));
        assert!(of(PAGE, &["a", "b", "c"])[0].contains("`c`, which one depends on, has no line"));
        assert!(of(&PAGE.replace("it is good", ""), &["a", "b"])[0].contains(":7: it is not said why `a`"));
        assert_eq!(of(&PAGE.replace("## `one`", "## `two`"), &["a", "b"]).len(), 4);
    }

    #[test]
    fn what_is_published_is_read_from_its_manifest() {
        let of = |text: &str| published(&text.parse().unwrap());
        let text = "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\nsurefoot = \"1\"\n[target.'cfg(unix)'.dependencies]\nb = \"1\"\n[dev-dependencies]\nc = \"1\"\n";
        let names = ["a", "b"].map(str::to_string).into_iter().collect();
        assert_eq!(of(text), Some(("x".to_string(), names)));
        assert_eq!(of(&text.replace("name = \"x\"", "name = \"x\"\npublish = false")), None);
    }
}
