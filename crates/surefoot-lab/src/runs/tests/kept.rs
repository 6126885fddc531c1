//! A folder of results as it is kept: it stays readable.

use std::collections::HashSet;

use super::*;
use crate::runs::Machine;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/results-v1");

#[test]
fn the_kept_results_are_read_as_ever() {
    let kept = ResultSet::read(Path::new(FOLDER)).unwrap();
    assert_eq!(
        (kept.name.as_str(), kept.title.as_str(), kept.quick, kept.missing),
        ("kept", "small", false, 0)
    );
    let rows = || kept.units.iter().flat_map(|unit| &unit.rows);
    let moves: u64 = rows().map(|row| row.moves).sum();
    assert_eq!((kept.units.len(), rows().count(), moves), (14, 89, 13635));
    assert!(kept.units.iter().all(|unit| unit.provenance == provenance()));
    let specs: HashSet<String> = kept.units.iter().map(|unit| unit.spec.to_string()).collect();
    assert_eq!(specs.len(), 6, "{specs:?}");
    let with_database = kept.units.iter().filter(|unit| unit.database.is_some());
    assert_eq!(with_database.count(), 8);
    assert_eq!(fs::read_to_string(Path::new(FOLDER).join("plan.toml")).unwrap(), PLAN);
}

/// Of no machine: the files are part of the repository.
fn provenance() -> Provenance {
    let machine = Machine { processor: "none".to_owned(), cores: 1, system: "any".to_owned() };
    let (version, date) = ("0.2.0".to_owned(), "2026-11-19".to_owned());
    Provenance { version, revision: Some("abc".to_owned()), compiler: None, machine, worker: None, date }
}

fn setting(folder: &Folder) -> Setting<'_> {
    Setting { provenance: provenance(), ..folder.setting() }
}

/// Writes the kept results; not part of the tests.
#[test]
#[ignore = "writes the files that the test above reads"]
fn write_the_kept_results() {
    let folder = Folder::new("kept-anew");
    run(&Plan::parse("kept", PLAN).unwrap(), &setting(&folder), &mut TestHost::new()).unwrap();
    let kept = Path::new(FOLDER);
    fs::create_dir_all(kept.join("units")).unwrap();
    for file in ["run.json", "plan.toml"] {
        fs::copy(folder.0.join(file), kept.join(file)).unwrap();
    }
    for file in folder.units() {
        fs::copy(&file, kept.join("units").join(file.file_name().unwrap())).unwrap();
    }
}
