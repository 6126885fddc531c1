//! The report on the results of one or several plans.

use super::lines::{all_measures, lines};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{beyond, jair2008, jair2010, knn2009, matches, pra2005};
use crate::report::folder::{FOLDERS, files};
use crate::report::{Item, Origin, Report, Section, Source};
use crate::runs::results::by_source;
use crate::runs::{Host, ResultSet, RunError, UnitResult};

/// So many machines and workers of a source are named.
const MOST_NAMES: usize = 4;

/// The report on these results: a section for each plan. Plans of no paper have the table of all measures.
#[must_use]
pub fn report(title: &str, results: &[ResultSet]) -> Report {
    let sources = by_source(results.iter().flat_map(|own| &own.units));
    let is_finished = |own: &ResultSet| own.missing == 0 && !own.quick;
    let papers: Vec<(Section, bool)> = results.iter().map(|own| (section(own), is_finished(own))).collect();
    let matches = matches::section(&papers);
    let sections = matches.into_iter().chain(papers.into_iter().map(|(section, _)| section)).collect();
    Report {
        title: title.to_owned(),
        made_of: sources.iter().filter_map(|own| source(own)).collect(),
        sections,
    }
}

/// The title of a report on several plans.
const TITLE: &str = "Real-time pathfinding: the papers' experiments, repeated";

/// Writes the report on all results in a folder, or in the folders in it, and gives it.
///
/// # Errors
/// If there are no results, or they cannot be read, or a file cannot be written.
pub fn write_report(folder: &Path, host: &mut dyn Host) -> Result<Report, RunError> {
    let results = read_results(folder)?;
    let title = match &results[..] {
        [one] => one.title.as_str(),
        _ => TITLE,
    };
    let report = report(title, &results);
    write(&report, folder, host)?;
    Ok(report)
}

/// Writes the files of a report into a folder.
///
/// # Errors
/// If a folder cannot be made or a file cannot be written.
pub fn write(report: &Report, folder: &Path, host: &mut dyn Host) -> Result<(), RunError> {
    let fail =
        |path: &Path, error: &io::Error| RunError::Write(format!("cannot write {}: {error}", path.display()));
    for own in FOLDERS.map(|own| folder.join(own)) {
        fs::create_dir_all(&own).map_err(|error| fail(&own, &error))?;
    }
    for (name, text) in files(report).map_err(|error| fail(folder, &error))? {
        host.write(&folder.join(name), &mut |out| out.write_all(text.as_bytes())).map_err(RunError::Write)?;
    }
    Ok(())
}

/// The results in a folder: its own, or those of the folders in it, in the order of their names.
///
/// # Errors
/// If there are none, or they cannot be read.
pub fn read_results(folder: &Path) -> Result<Vec<ResultSet>, RunError> {
    let mut below: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) if !ResultSet::is_in(folder) => {
            let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
            paths.filter(|path| ResultSet::is_in(path)).collect()
        }
        _ => Vec::new(),
    };
    if below.is_empty() {
        // Or what is wrong with it.
        return ResultSet::read(folder).map(|own| vec![own]);
    }
    below.sort();
    below.iter().map(|path| ResultSet::read(path)).collect()
}

/// What is said of units of one source.
fn source(units: &[&UnitResult]) -> Option<Source> {
    let first = &units.first()?.provenance;
    let all = || units.iter().map(|unit| &unit.provenance);
    let days = all().map(|own| &own.date).min().zip(all().map(|own| &own.date).max());
    let date = days.map(|(from, to)| if from == to { from.clone() } else { format!("{from} to {to}") });
    let facts = [
        ("version", Some(first.version.clone())),
        ("revision", first.revision.clone()),
        ("compiler", first.compiler.clone()),
        ("machine", listed(all().map(|own| own.machine.to_string()))),
        ("worker", listed(all().filter_map(|own| own.worker.clone()))),
        ("date", date),
        ("units", Some(units.len().to_string())),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| value.map(|value| (name.to_owned(), value)));
    Some(Source { facts: known.collect() })
}

/// Each name once, the first few in words and the others as a number. `None` if there is none.
fn listed(names: impl Iterator<Item = String>) -> Option<String> {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    let more = once.len().saturating_sub(MOST_NAMES);
    once.truncate(MOST_NAMES);
    let words = (!once.is_empty()).then(|| once.join("; "))?;
    Some(if more == 0 { words } else { format!("{words}; and {more} more") })
}

/// The section on the results of a plan.
#[must_use]
pub fn section(results: &ResultSet) -> Section {
    let mut section = match results.name.as_str() {
        "knn2009" => knn2009::section(results),
        "pra2005" => pra2005::section(results),
        "jair2008" => jair2008::section(results),
        "jair2008-original" => jair2008::original(results),
        "jair2010" => jair2010::section(results),
        "beyond" => beyond::section(results),
        name => Section {
            id: id_of(name),
            title: results.title.clone(),
            items: vec![Item::Table(all_measures(&format!("{}-all", id_of(name)), &lines(&results.units)))],
        },
    };
    section.items = section.items.into_iter().map(without_empty_figure).collect();
    if let Some(extent) = extent(results) {
        section.items.insert(0, Item::Text(extent));
    }
    section
}

/// A figure without a point of ours is named, not shown.
fn without_empty_figure(item: Item) -> Item {
    match item {
        Item::Figure(figure) if !figure.series.iter().any(|own| own.origin == Origin::Ours) => {
            Item::Text(format!("{}: there are no results for it.", figure.title))
        }
        item => item,
    }
}

/// What is not there of the whole experiment.
fn extent(results: &ResultSet) -> Option<String> {
    let quick = results
        .quick
        .then_some("This was a quick run: a part of the maps, problems and parameters.".to_owned());
    let missing = match results.missing {
        0 => None,
        1 => Some("One unit of the plan is not finished.".to_owned()),
        count => Some(format!("{count} units of the plan are not finished.")),
    };
    let told: Vec<String> = [quick, missing].into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// A name as it may stand in links and files.
fn id_of(name: &str) -> String {
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let id: String = name.chars().map(letter).collect();
    if id.is_empty() { "results".to_owned() } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::lines::tests::unit;
    use crate::papers::tests::results;
    use crate::report::{html, markdown};

    #[test]
    fn every_paper_has_a_section_with_and_without_results() {
        let names = ["pra2005", "knn2009", "jair2008", "jair2008-original", "jair2010", "beyond", "My plan"];
        let specs = [
            "a*",
            "beacon*",
            "pra*",
            "pra*(k=16)",
            "knn-lrta*(n=60000)",
            "d-lrta*(level=9)",
            "tba*(slice=100)",
            "lrta*(f,pdb,level=4,d=1)",
        ];
        let units: Vec<_> =
            specs.iter().map(|spec| unit(spec, "m", 1, &[(Some(3.0), 4.0), (None, 5.0)])).collect();
        for units in [Vec::new(), units] {
            let results: Vec<ResultSet> = names.iter().map(|name| results(name, units.clone())).collect();
            let report = report("All", &results);
            let ids: Vec<&str> = report.sections.iter().map(|section| section.id.as_str()).collect();
            assert_eq!((ids[0], &ids[1..7]), ("matches", &names[..6]));
            assert_eq!(ids[7], "my-plan");
            assert_eq!(report.made_of.len(), usize::from(!units.is_empty()));
            let mut all: Vec<&str> = Vec::new();
            for item in report.sections.iter().flat_map(|section| &section.items) {
                match item {
                    Item::Text(text) => assert!(!text.is_empty()),
                    Item::Table(table) => {
                        assert!(table.unexplained().is_empty(), "{}: {:?}", table.id, table.unexplained());
                        assert!(
                            table.rows.iter().all(|row| row.cells.len() == table.columns.len()),
                            "{}",
                            table.id
                        );
                        all.push(&table.id);
                    }
                    Item::Figure(figure) => all.push(&figure.id),
                }
            }
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "names of files are there once");
            assert!(!html::page(&report).contains("NaN") && !markdown::text(&report).contains("NaN"));
        }
    }

    #[test]
    fn figures_without_results_are_named() {
        let figures = |units| {
            let section = section(&results("jair2008", units));
            let is_figure = |item: &&Item| matches!(item, Item::Figure(_));
            let is_named = |item: &&Item| matches!(item, Item::Text(text) if text.ends_with("there are no results for it."));
            (section.items.iter().filter(is_figure).count(), section.items.iter().filter(is_named).count())
        };
        assert_eq!(figures(Vec::new()), (0, 4));
        assert_eq!(figures(vec![unit("lrta*(d=4)", "m", 1, &[(Some(3.0), 4.0)])]), (3, 1));
    }

    #[test]
    fn every_source_is_named_once_with_its_days() {
        let mut units: Vec<_> = (0..3).map(|_| unit("a*", "m", 1, &[])).collect();
        units[0].provenance.date = "2026-08-02".to_owned();
        units[1].provenance.date = "2026-08-01".to_owned();
        units[2].provenance.version = "9.9".to_owned();
        let report = report("x", &[results("x", units)]);
        let fact = |source: &Source, name: &str| {
            source.facts.iter().find(|own| own.0 == name).map(|own| own.1.clone())
        };
        let [one, other] = &report.made_of[..] else { panic!("two sources") };
        assert_eq!(fact(one, "date").as_deref(), Some("2026-08-01 to 2026-08-02"));
        assert_eq!(
            (fact(one, "units"), fact(other, "version")),
            (Some("2".to_owned()), Some("9.9".to_owned()))
        );
    }

    #[test]
    fn workers_are_sources_of_times_alone() {
        let made_of = |timed: bool, workers: &[&str]| {
            let of = |name: &&str| {
                let mut unit = unit("a*", "m", 1, &[]);
                unit.timed = timed;
                unit.provenance = unit.provenance.on((!name.is_empty()).then_some(*name));
                unit
            };
            report("x", &[results("x", workers.iter().map(of).collect())]).made_of
        };
        let worker =
            |source: &Source| source.facts.iter().find(|own| own.0 == "worker").map(|own| own.1.clone());
        let workers = |timed, names: &[&str]| made_of(timed, names).iter().map(worker).collect::<Vec<_>>();
        assert_eq!(workers(true, &["", ""]), [None]);
        assert_eq!(workers(true, &["a", "b", "a"]), [Some("a".to_owned()), Some("b".to_owned())]);
        assert_eq!(workers(false, &["a", "b", "a"]), [Some("a; b".to_owned())]);
        assert_eq!(
            workers(false, &["a", "b", "c", "d", "e", "f"]),
            [Some("a; b; c; d; and 2 more".to_owned())]
        );
    }

    #[test]
    fn what_is_missing_is_told() {
        let mut own = results("x", Vec::new());
        own.missing = 3;
        let report = report("x", &[own]);
        let Item::Text(text) = &report.sections[0].items[0] else { panic!("text") };
        assert!(text.contains("quick run") && text.contains("3 units of the plan are not finished."));
    }
}
