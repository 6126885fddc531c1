//! `cargo xtask deny`: whether licences, sources and versions of all that is built are those that `deny.toml`
//! allows.
//!
//! Where `cargo-deny` is installed, it looks. Building it takes longer than CI may, so elsewhere this does:
//! it goes by the same file, and by what manifests say. (`cargo-deny` also compares the texts of licences.)

use std::process::{Command, ExitCode};

use serde_json::Value;

const MANIFESTS: [&str; 2] = ["Cargo.toml", "godot/Cargo.toml"];
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(crate) fn run() -> ExitCode {
    let found = match has_cargo_deny() {
        true => {
            MANIFESTS.iter().try_fold(Vec::new(), |found, manifest| ask_cargo_deny(manifest).map(|()| found))
        }
        false => look(),
    };
    match found {
        Ok(findings) if findings.is_empty() => ExitCode::SUCCESS,
        Ok(findings) => {
            findings.iter().for_each(|finding| eprintln!("deny.toml: {finding}"));
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn has_cargo_deny() -> bool {
    Command::new("cargo").args(["deny", "--version"]).output().is_ok_and(|output| output.status.success())
}

fn ask_cargo_deny(manifest: &str) -> Result<(), String> {
    let arguments = ["deny", "--manifest-path", manifest, "check", "licenses", "bans", "sources"];
    let status = Command::new("cargo").args(arguments).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} failed ({status})", arguments.join(" "))),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}

/// The check without `cargo-deny`.
fn look() -> Result<Vec<String>, String> {
    let rules = Rules::parse(include_str!("../../deny.toml"))?;
    let mut packages = Vec::new();
    for manifest in MANIFESTS {
        let output = Command::new("cargo")
            .args(["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest])
            .output()
            .map_err(|error| format!("cargo could not be started: {error}"))?;
        if !output.status.success() {
            return Err(format!("cargo metadata of {manifest}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        packages.extend(packages_of(&output.stdout)?);
    }
    println!(
        "cargo-deny is not installed; licences, sources and versions of {} packages as their",
        packages.len()
    );
    println!("manifests have them are held against deny.toml");
    Ok(rules.check(&packages))
}

/// A package, as far as it matters here.
#[derive(Debug, PartialEq, Eq)]
struct Package {
    name: String,
    license: Option<String>,
    /// `None` if it lies in the repository.
    source: Option<String>,
    /// Those that it takes in any version, though they do not lie beside it.
    any_version: Vec<String>,
}

fn packages_of(metadata: &[u8]) -> Result<Vec<Package>, String> {
    let metadata: Value =
        serde_json::from_slice(metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata: there are no packages")?;
    let text = |value: &Value| value.as_str().map(str::to_string);
    let package = |package: &Value| {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let is_any = |dependency: &&Value| dependency["req"] == "*" && dependency["path"].is_null();
        Some(Package {
            name: text(&package["name"])?,
            license: text(&package["license"]),
            source: text(&package["source"]),
            any_version: dependencies
                .filter(is_any)
                .filter_map(|dependency| text(&dependency["name"]))
                .collect(),
        })
    };
    packages
        .iter()
        .map(package)
        .collect::<Option<_>>()
        .ok_or_else(|| "cargo metadata: a package has no name".into())
}

/// What `deny.toml` says.
struct Rules {
    allowed: Vec<String>,
    /// Licences that are allowed to one package each.
    exceptions: Vec<(String, Vec<String>)>,
}

impl Rules {
    fn parse(text: &str) -> Result<Self, String> {
        let table: toml::Table = text.parse().map_err(|error| format!("deny.toml: {error}"))?;
        let names = |value: Option<&toml::Value>| {
            let names = value?.as_array()?.iter().map(|name| name.as_str().map(str::to_string));
            names.collect::<Option<Vec<String>>>()
        };
        let licenses = table.get("licenses").ok_or("deny.toml: there are no [licenses]")?;
        let allowed = names(licenses.get("allow")).ok_or("deny.toml: there are no licenses.allow")?;
        let exceptions = licenses.get("exceptions").and_then(toml::Value::as_array).into_iter().flatten();
        let exception = |exception: &toml::Value| {
            Some((exception.get("crate")?.as_str()?.to_string(), names(exception.get("allow"))?))
        };
        let exceptions = exceptions.map(exception).collect::<Option<_>>();
        let exceptions = exceptions.ok_or("deny.toml: an exception names no crate, or allows nothing")?;
        // What is checked here is what the file says.
        let denied = [("bans", "wildcards"), ("sources", "unknown-registry"), ("sources", "unknown-git")];
        for (section, key) in denied {
            let says = table.get(section).and_then(|section| section.get(key)?.as_str());
            if says != Some("deny") {
                return Err(format!("deny.toml: {section}.{key} should be \"deny\""));
            }
        }
        Ok(Self { allowed, exceptions })
    }

    fn check(&self, packages: &[Package]) -> Vec<String> {
        let mut findings = Vec::new();
        for Package { name, license, source, any_version } in packages {
            let own = self.exceptions.iter().filter(|(of, _)| of == name).flat_map(|(_, licenses)| licenses);
            let allowed: Vec<&str> = self.allowed.iter().chain(own).map(String::as_str).collect();
            match license {
                None => findings.push(format!("{name} names no licence")),
                Some(license) => match is_allowed(license, &allowed) {
                    Some(true) => {}
                    Some(false) => {
                        findings.push(format!("{name} has the licence {license}, which is not allowed"));
                    }
                    None => findings.push(format!("{name} has a licence that cannot be read: {license}")),
                },
            }
            if source.as_ref().is_some_and(|source| source != REGISTRY) {
                findings.push(format!("{name} is from {}", source.as_deref().unwrap_or_default()));
            }
            if source.is_none() {
                findings
                    .extend(any_version.iter().map(|other| format!("{name} takes any version of {other}")));
            }
        }
        for (name, _) in &self.exceptions {
            if !packages.iter().any(|package| package.name == *name) {
                findings.push(format!("there is no {name} any more: take its exception out"));
            }
        }
        findings.sort();
        findings.dedup();
        findings
    }
}

/// Whether a licence, as manifests write it, is allowed: `MIT OR (Apache-2.0 AND Zlib)`. `None` if it is
/// none.
fn is_allowed(license: &str, allowed: &[&str]) -> Option<bool> {
    let spaced = license.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words: Vec<String> = spaced.split_whitespace().map(str::to_string).rev().collect();
    let answer = any(&mut words, allowed)?;
    words.is_empty().then_some(answer)
}

/// One of several. Words are taken from the end of the list.
fn any(words: &mut Vec<String>, allowed: &[&str]) -> Option<bool> {
    let mut answer = all(words, allowed)?;
    while words.last().is_some_and(|word| word.eq_ignore_ascii_case("or")) {
        words.pop();
        answer |= all(words, allowed)?;
    }
    Some(answer)
}

/// All of several.
fn all(words: &mut Vec<String>, allowed: &[&str]) -> Option<bool> {
    let mut answer = one(words, allowed)?;
    while words.last().is_some_and(|word| word.eq_ignore_ascii_case("and")) {
        words.pop();
        answer &= one(words, allowed)?;
    }
    Some(answer)
}

fn one(words: &mut Vec<String>, allowed: &[&str]) -> Option<bool> {
    let mut name = words.pop()?;
    if name == "(" {
        let answer = any(words, allowed)?;
        return (words.pop()? == ")").then_some(answer);
    }
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte))
            && !["or", "and", "with"].contains(&name.to_ascii_lowercase().as_str())
    };
    if words.last().is_some_and(|word| word == "WITH") {
        words.pop();
        let exception = words.pop()?;
        if !is_name(&exception) || !is_name(&name) {
            return None;
        }
        name = format!("{name} WITH {exception}");
        return Some(allowed.contains(&name.as_str()));
    }
    is_name(&name).then(|| allowed.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Zlib"]
        exceptions = [{ allow = ["MPL-2.0"], crate = "odd" }]
        [bans]
        wildcards = "deny"
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
    "#;

    fn package(name: &str, license: &str) -> Package {
        let (license, source) = (Some(license.to_string()), Some(REGISTRY.to_string()));
        Package { name: name.to_string(), license, source, any_version: Vec::new() }
    }

    #[test]
    fn licences_are_read_as_manifests_write_them() {
        let allowed = ["MIT", "Apache-2.0", "Zlib", "Apache-2.0 WITH LLVM-exception"];
        for (license, answer) in [
            ("MIT", Some(true)),
            ("GPL-3.0-only", Some(false)),
            ("GPL-3.0-only OR MIT", Some(true)),
            ("GPL-3.0-only/MIT", Some(true)),
            ("GPL-3.0-only or MIT", Some(true)),
            ("GPL-3.0-only AND MIT", Some(false)),
            ("MIT AND Zlib", Some(true)),
            // AND binds closer.
            ("MIT OR GPL-3.0-only AND GPL-2.0", Some(true)),
            ("(MIT OR GPL-3.0-only) AND GPL-2.0", Some(false)),
            ("Zlib AND (MIT OR GPL-3.0-only)", Some(true)),
            ("Apache-2.0 WITH LLVM-exception", Some(true)),
            ("MIT WITH LLVM-exception", Some(false)),
            ("", None),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Zlib", None),
            ("MIT)", None),
            ("see LICENSE; MIT", None),
        ] {
            assert_eq!(is_allowed(license, &allowed), answer, "{license}");
        }
    }

    #[test]
    fn whatever_is_not_allowed_is_found() {
        let rules = Rules::parse(RULES).unwrap();
        let good = || vec![package("one", "MIT OR GPL-2.0"), package("odd", "MPL-2.0")];
        assert_eq!(rules.check(&good()), Vec::<String>::new());
        let with = |more: Package| rules.check(&good().into_iter().chain([more]).collect::<Vec<_>>());
        assert_eq!(with(package("two", "GPL-2.0")), ["two has the licence GPL-2.0, which is not allowed"]);
        assert_eq!(with(package("two", "MPL-2.0")), ["two has the licence MPL-2.0, which is not allowed"]);
        assert_eq!(with(package("two", "my own")), ["two has a licence that cannot be read: my own"]);
        assert_eq!(with(Package { license: None, ..package("two", "") }), ["two names no licence"]);
        let elsewhere = Some("git+https://example.org/two".to_string());
        let elsewhere = Package { source: elsewhere, ..package("two", "MIT") };
        assert_eq!(with(elsewhere), ["two is from git+https://example.org/two"]);
        let any_version = vec!["three".to_string()];
        let own = Package { source: None, any_version: any_version.clone(), ..package("two", "MIT") };
        assert_eq!(with(own), ["two takes any version of three"]);
        assert_eq!(with(Package { any_version, ..package("two", "MIT") }), [""; 0], "others may");
        assert_eq!(
            rules.check(&[package("one", "MIT")]),
            ["there is no odd any more: take its exception out"]
        );
    }

    #[test]
    fn rules_that_allow_more_are_refused() {
        assert!(Rules::parse(include_str!("../../deny.toml")).is_ok());
        for (from, to) in [
            ("unknown-git = \"deny\"", "unknown-git = \"allow\""),
            ("wildcards = \"deny\"", ""),
            ("crate = \"odd\"", "name = \"odd\""),
            ("allow = [\"MIT\"", "allowed = [\"MIT\""),
        ] {
            assert!(Rules::parse(&RULES.replace(from, to)).is_err(), "{from}");
        }
    }

    #[test]
    fn packages_are_read_from_cargos_metadata() {
        let metadata = format!(
            r#"{{"packages": [
                {{"name": "a", "license": "MIT", "source": null, "dependencies": [
                    {{"name": "b", "req": "*"}}, {{"name": "c", "req": "*", "path": "/c"}}, {{"name": "d", "req": "^1"}}]}},
                {{"name": "b", "license": null, "source": "{REGISTRY}", "dependencies": []}}]}}"#
        );
        let packages = packages_of(metadata.as_bytes()).unwrap();
        assert_eq!(packages[0].any_version, ["b"]);
        assert_eq!((packages[0].source.as_deref(), packages[1].source.as_deref()), (None, Some(REGISTRY)));
        assert_eq!((packages[0].license.as_deref(), packages[1].license.as_deref()), (Some("MIT"), None));
        assert!(packages_of(b"{}").is_err() && packages_of(b"x").is_err());
    }
}
