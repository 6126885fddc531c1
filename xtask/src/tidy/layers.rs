//! Who may use whom: modules of a crate, and crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::{Item, UseTree};

use super::finding::Finding;
use super::names::names_in;
use super::source::{Source, is_test, read_crate};

/// A module of the root, or a crate, and what it may use. That has to be above it in its table, so there are
/// no cycles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) name: &'static str,
    pub(crate) uses: &'static [&'static str],
}

/// A use that goes the wrong way, in one file, for a reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerException {
    pub(crate) file: &'static str,
    pub(crate) uses: &'static str,
    #[allow(dead_code, reason = "it is for who reads the table")]
    pub(crate) because: &'static str,
}

/// The table of one crate's modules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modules {
    /// Its folder.
    pub(crate) crate_folder: &'static str,
    pub(crate) layers: &'static [Layer],
    pub(crate) exceptions: &'static [LayerException],
}

/// Checks the modules of one crate.
pub(crate) fn check_modules(root: &Path, table: &Modules) -> Result<Vec<Finding>, Finding> {
    Ok(findings(&read_crate(root, table.crate_folder)?, table))
}

/// A module of the root uses another one.
#[derive(Debug, PartialEq, Eq)]
struct Use<'a> {
    file: &'a str,
    line: usize,
    from: String,
    to: String,
}

fn findings(sources: &[Source], table: &Modules) -> Vec<Finding> {
    let mut findings = order_of(table.layers);
    let uses = uses_in(sources);
    let mut used = BTreeSet::new();
    let mut excused = BTreeSet::new();
    for Use { file, line, from, to } in &uses {
        let exception =
            table.exceptions.iter().position(|exception| exception.file == *file && exception.uses == to);
        if let Some(exception) = exception {
            excused.insert(exception);
            continue;
        }
        used.insert((from.as_str(), to.as_str()));
        let Some(layer) = table.layers.iter().find(|layer| layer.name == from) else {
            continue;
        };
        if !layer.uses.contains(&to.as_str()) {
            findings.push(Finding::new(*file, *line, wrong_way(from, to, table.layers)));
        }
    }
    let modules: BTreeMap<&str, &str> = sources
        .iter()
        .filter_map(|source| Some((source.module.first()?.as_str(), source.file.as_str())))
        .collect();
    for (module, file) in &modules {
        if !table.layers.iter().any(|layer| layer.name == *module) {
            let what =
                format!("the module `{module}` has no line in the table of layers in {}", super::RULES);
            findings.push(Finding::new(*file, 1, what));
        }
    }
    for layer in table.layers {
        if !modules.contains_key(layer.name) {
            findings.push(Finding::in_rules(format!(
                "`{}` is no module of {}: take its line out",
                layer.name, table.crate_folder
            )));
            continue;
        }
        for to in layer.uses.iter().filter(|to| !used.contains(&(layer.name, **to))) {
            findings.push(Finding::in_rules(format!(
                "`{}` of {} may use `{to}`, but does not: take it out",
                layer.name, table.crate_folder
            )));
        }
    }
    for (number, exception) in table.exceptions.iter().enumerate() {
        if !excused.contains(&number) {
            findings.push(Finding::in_rules(format!(
                "{} does not use `{}` any more: take the exception out",
                exception.file, exception.uses
            )));
        }
    }
    findings
}

fn wrong_way(from: &str, to: &str, layers: &[Layer]) -> String {
    let place = |name| layers.iter().position(|layer| layer.name == name);
    let advice = match (place(from), place(to)) {
        (Some(from), Some(to)) if to < from => {
            format!("that is above it: if it is meant to, add it to the table in {}", super::RULES)
        }
        _ => "that is below it: move what both need up, or turn the use around".to_string(),
    };
    format!("`{from}` uses `{to}`; {advice}")
}

/// What a table says of itself: each line uses lines above it.
fn order_of(layers: &[Layer]) -> Vec<Finding> {
    let mut above = BTreeSet::new();
    let mut findings = Vec::new();
    for layer in layers {
        for to in layer.uses.iter().filter(|to| !above.contains(*to)) {
            findings
                .push(Finding::in_rules(format!("`{}` may use `{to}`, which is not above it", layer.name)));
        }
        above.insert(layer.name);
    }
    findings
}

/// Uses of one module of the root by another one.
fn uses_in(sources: &[Source]) -> Vec<Use<'_>> {
    let modules: BTreeSet<&str> =
        sources.iter().filter_map(|source| source.module.first()).map(String::as_str).collect();
    let root = sources.iter().filter(|source| source.module.is_empty());
    let at_root: BTreeMap<String, String> = root.flat_map(names_at_root).collect();
    let mut uses = Vec::new();
    for source in sources {
        let Some(from) = source.module.first() else { continue };
        for named in names_in(source) {
            let Some(path) = named.absolute() else { continue };
            let Some(&first) = path.first() else { continue };
            let to = match at_root.get(first) {
                _ if modules.contains(first) => first,
                Some(module) => module,
                None if first == "*" => "*",
                None => continue,
            };
            if to != from {
                uses.push(Use {
                    file: &source.file,
                    line: named.line,
                    from: from.clone(),
                    to: to.to_string(),
                });
            }
        }
    }
    uses
}

/// What the root has from its modules: the name, and the module.
fn names_at_root(source: &Source) -> Vec<(String, String)> {
    fn leaves(tree: &UseTree, first: Option<&str>, into: &mut Vec<(String, String)>) {
        match tree {
            UseTree::Path(path) if path.ident == "self" || path.ident == "crate" => {
                leaves(&path.tree, first, into);
            }
            UseTree::Path(path) => {
                let name = path.ident.to_string();
                leaves(&path.tree, Some(first.unwrap_or(&name)), into);
            }
            UseTree::Name(name) => {
                into.extend(first.map(|first| (name.ident.to_string(), first.to_string())));
            }
            UseTree::Rename(name) => {
                into.extend(first.map(|first| (name.rename.to_string(), first.to_string())));
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, first, into)),
            UseTree::Glob(_) => {}
        }
    }
    let mut names = Vec::new();
    for item in &source.syntax.items {
        if let Item::Use(item) = item
            && !is_test(&item.attrs)
        {
            leaves(&item.tree, None, &mut names);
        }
    }
    names
}

/// Checks which crates of the repository depend on which. Dependencies of tests do not count.
pub(crate) fn check_crates(root: &Path, layers: &[Layer]) -> Result<Vec<Finding>, Finding> {
    let mut manifests = Vec::new();
    for folder in super::crate_folders(root) {
        let file = format!("{folder}/Cargo.toml");
        let text = fs::read_to_string(root.join(&file))
            .map_err(|error| Finding::new(&file, 1, error.to_string()))?;
        manifests.push((file, text));
    }
    crate_findings(&manifests, layers)
}

fn crate_findings(manifests: &[(String, String)], layers: &[Layer]) -> Result<Vec<Finding>, Finding> {
    let mut findings = order_of(layers);
    let mut seen = BTreeSet::new();
    for (file, text) in manifests {
        let manifest: toml::Table =
            text.parse().map_err(|error: toml::de::Error| Finding::new(file, 1, error.message()))?;
        let name = manifest.get("package").and_then(|package| package.get("name")?.as_str());
        let Some(name) = name else { continue };
        let Some(layer) = layers.iter().find(|layer| layer.name == name) else {
            let what = format!("the crate {name} has no line in the table of crates in {}", super::RULES);
            findings.push(Finding::new(file, 1, what));
            continue;
        };
        seen.insert(name.to_string());
        let ours = |dependency: &&String| layers.iter().any(|layer| layer.name == dependency.as_str());
        let dependencies = dependencies_of(&manifest);
        for dependency in dependencies.iter().filter(ours) {
            if !layer.uses.contains(&dependency.as_str()) {
                let line = 1 + text.lines().take_while(|line| !line.starts_with(dependency.as_str())).count();
                let what =
                    format!("{name} depends on {dependency}; the table in {} forbids it", super::RULES);
                findings.push(Finding::new(file, line, what));
            }
        }
        for to in layer.uses.iter().filter(|to| !dependencies.contains(**to)) {
            let what = format!("{name} may depend on {to}, but does not: take it out");
            findings.push(Finding::in_rules(what));
        }
    }
    for layer in layers.iter().filter(|layer| !seen.contains(layer.name)) {
        findings.push(Finding::in_rules(format!("there is no crate {}: take its line out", layer.name)));
    }
    Ok(findings)
}

/// What a crate depends on, tests apart.
pub(crate) fn dependencies_of(manifest: &toml::Table) -> BTreeSet<String> {
    let of = |table: &toml::Table| {
        let lists = ["dependencies", "build-dependencies"].map(|list| table.get(list)?.as_table().cloned());
        lists
            .into_iter()
            .flatten()
            .flat_map(|list| list.into_iter().map(|(name, _)| name))
            .collect::<Vec<_>>()
    };
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let for_targets = targets.into_iter().flatten().filter_map(|(_, table)| table.as_table()).flat_map(of);
    of(manifest).into_iter().chain(for_targets).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Modules = Modules {
        crate_folder: "x",
        layers: &[Layer { name: "low", uses: &[] }, Layer { name: "high", uses: &["low"] }],
        exceptions: &[],
    };

    fn found(low: &str, high: &str, table: &Modules) -> Vec<String> {
        let sources = [
            Source::from_text("lib.rs", &[], "mod low; mod high; pub use high::{Public, other as Renamed};"),
            Source::from_text("low.rs", &["low"], low),
            Source::from_text("high.rs", &["high"], high),
        ];
        findings(&sources, table).iter().map(ToString::to_string).collect()
    }

    const FINE: &str = "use crate::low::X;";

    #[test]
    fn uses_of_what_is_above_are_fine() {
        let tests = "#[cfg(test)] mod tests { use crate::high::X; }";
        assert_eq!(found(tests, FINE, &TABLE), [""; 0]);
    }

    #[test]
    fn uses_of_what_is_below_are_found() {
        for wrong in [
            "\nuse crate::high::X;",
            "\nuse super::high::X;",
            "\nuse crate::Public;",
            "\nuse crate::Renamed;",
            "\nfn f() { crate::high::f() }",
            "\nfn f() { vec![crate::high::f()]; }",
        ] {
            let found = found(wrong, FINE, &TABLE);
            assert_eq!(found.len(), 1, "{wrong}: {found:?}");
            assert!(found[0].starts_with("low.rs:2: `low` uses `high`"), "{}", found[0]);
        }
    }

    #[test]
    fn what_the_table_allows_and_nobody_uses_is_found() {
        let found = found("", "", &TABLE);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("`high` of x may use `low`, but does not: take it out"), "{}", found[0]);
    }

    #[test]
    fn exceptions_count_for_their_file_and_have_to_be_needed() {
        const EXCEPTION: LayerException = LayerException { file: "low.rs", uses: "high", because: "a test" };
        let table = Modules { exceptions: &[EXCEPTION], ..TABLE };
        assert_eq!(found("use crate::high::X;", FINE, &table), [""; 0]);
        assert!(found("", FINE, &table)[0].contains("take the exception out"));
    }

    #[test]
    fn tables_without_an_order_are_found() {
        let circle = [Layer { name: "a", uses: &["b"] }, Layer { name: "b", uses: &["a"] }];
        assert_eq!(order_of(&circle).len(), 1);
    }

    #[test]
    fn modules_that_the_table_does_not_know_are_found() {
        let table = Modules { layers: &TABLE.layers[..1], ..TABLE };
        assert!(found("", "", &table)[0].contains("`high` has no line"));
    }

    #[test]
    fn crates_that_depend_on_the_wrong_ones_are_found() {
        let manifest = |name: &str, rest: &str| {
            (format!("{name}/Cargo.toml"), format!("[package]\nname = \"{name}\"\n{rest}"))
        };
        let check = |low: &str, high: &str| {
            let manifests = [manifest("low", low), manifest("high", high)];
            let found = crate_findings(&manifests, TABLE.layers).unwrap();
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let high = "[dependencies]\nlow = \"1\"";
        assert_eq!(check("[dev-dependencies]\nhigh = \"1\"", high), [""; 0]);
        assert!(
            check("[dependencies]\nhigh = \"1\"", high)[0]
                .starts_with("low/Cargo.toml:4: low depends on high")
        );
        let hidden = "[target.'cfg(unix)'.dependencies]\nhigh = \"1\"";
        assert_eq!(check(hidden, high).len(), 1);
        assert_eq!(check("", "").len(), 1, "what is allowed has to be needed");
    }
}
