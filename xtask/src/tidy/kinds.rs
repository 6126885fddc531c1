//! Where kinds of databases are named. A kind is one folder and one line of the roster; who else names its
//! types knows more than `dyn Database`.

use super::finding::Finding;
use super::names::names_in;
use super::source::Source;

/// A kind of database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// Its module, whose `KIND` the roster names.
    pub(crate) module: &'static str,
    /// Its types.
    pub(crate) types: &'static [&'static str],
    /// Its folder.
    pub(crate) home: &'static str,
    /// Folders and files of techniques that build on it.
    pub(crate) built_on_in: &'static [&'static str],
    /// Other places, each with a reason.
    pub(crate) exceptions: &'static [KindException],
}

/// A file or folder that may name a kind, for a reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindException {
    pub(crate) place: &'static str,
    #[allow(dead_code, reason = "it is for who reads the table")]
    pub(crate) because: &'static str,
}

/// How often a kind is named, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) at_home: usize,
    /// In techniques that build on it.
    pub(crate) built_on: usize,
    /// Lines of rosters.
    pub(crate) rosters: usize,
    /// In places that are exceptions.
    pub(crate) excepted: usize,
    /// Everywhere else.
    pub(crate) elsewhere: usize,
}

/// Counts where the kind is named, and finds where it must not be.
pub(crate) fn check(sources: &[Source], kind: &Kind, rosters: &[&str]) -> (Count, Vec<Finding>) {
    let mut count = Count::default();
    let mut findings = Vec::new();
    let mut needed = vec![false; kind.exceptions.len()];
    for source in sources {
        let mut named: Vec<(usize, String)> = Vec::new();
        for path in names_in(source) {
            let Some(name) = kind.named_by(&path.path) else { continue };
            // One line is one place.
            if named.last().is_none_or(|(line, _)| *line != path.line) {
                named.push((path.line, name.to_string()));
            }
        }
        let within = |place: &&str| source.file.starts_with(*place);
        let exception = kind.exceptions.iter().position(|exception| within(&exception.place));
        if within(&kind.home) {
            count.at_home += named.len();
            continue;
        }
        if kind.built_on_in.iter().any(within) {
            count.built_on += named.len();
            continue;
        }
        if rosters.contains(&source.file.as_str()) {
            let all = named.len();
            named.retain(|(_, name)| name != "KIND");
            count.rosters += all - named.len();
        }
        if let (Some(exception), false) = (exception, named.is_empty()) {
            needed[exception] = true;
            count.excepted += named.len();
            continue;
        }
        count.elsewhere += named.len();
        if let Some((first, name)) = named.first() {
            let lines = named.iter().map(|(line, _)| line.to_string()).collect::<Vec<_>>().join(", ");
            let what = format!(
                "`{name}` of the database kind `{}` is named outside {} (lines {lines}): ask `dyn Database` for it, or give a \
                 reason in {}",
                kind.module,
                kind.home,
                super::RULES
            );
            findings.push(Finding::new(&source.file, *first, what));
        }
    }
    for (exception, _) in kind.exceptions.iter().zip(needed).filter(|(_, needed)| !needed) {
        let what =
            format!("{} does not name `{}` any more: take the exception out", exception.place, kind.module);
        findings.push(Finding::in_rules(what));
    }
    (count, findings)
}

impl Kind {
    /// The part of the path that names the kind.
    fn named_by<'a>(&self, path: &'a [String]) -> Option<&'a str> {
        let roster = path.windows(2).find(|pair| pair[0] == self.module && pair[1] == "KIND");
        let types = || path.iter().find(|part| self.types.contains(&part.as_str()));
        roster.map(|pair| &pair[1]).or_else(types).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind {
        module: "toy",
        types: &["ToyDatabase", "ToyConfig"],
        home: "lib/toy/",
        built_on_in: &["lib/game/"],
        exceptions: &[KindException { place: "lib/crowd.rs", because: "a test" }],
    };

    fn counted(files: &[(&str, &str)]) -> (Count, Vec<String>) {
        let sources: Vec<_> = files.iter().map(|(file, text)| Source::from_text(file, &[], text)).collect();
        let (count, findings) = check(&sources, &KIND, &["roster.rs"]);
        (count, findings.iter().map(ToString::to_string).collect())
    }

    const EXCEPTION: (&str, &str) = ("lib/crowd.rs", "use toy::ToyDatabase;");

    #[test]
    fn places_are_told_apart() {
        let (count, findings) = counted(&[
            (
                "lib/toy/mod.rs",
                "pub struct S;\nimpl S for ToyDatabase {}\nfn f(a: ToyDatabase, b: ToyConfig) {}",
            ),
            ("lib/game/mod.rs", "use toy::{ToyDatabase, ToyConfig};"),
            ("roster.rs", "static R: Roster = roster(&[&toy::KIND]);"),
            EXCEPTION,
        ]);
        assert_eq!(findings, [""; 0]);
        assert_eq!(count, Count { at_home: 2, built_on: 1, rosters: 1, excepted: 1, elsewhere: 0 });
    }

    #[test]
    fn other_places_are_found() {
        for wrong in [
            "\nuse toy::ToyConfig;",
            "\nfn f() { matches!(x, Some(ToyDatabase { .. })); }",
            "\nuse toy::KIND;",
        ] {
            let (count, findings) = counted(&[("cli/main.rs", wrong), EXCEPTION]);
            assert_eq!(count.elsewhere, 1, "{wrong}");
            assert!(findings[0].starts_with("cli/main.rs:2: "), "{findings:?}");
        }
    }

    #[test]
    fn exceptions_have_to_be_needed() {
        assert!(counted(&[]).1[0].contains("lib/crowd.rs does not name `toy` any more"));
    }
}
