//! Units by share and by name, merged; runs that are stopped.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::runs::store::Store;
use crate::runs::units::Study;

/// Some units, named.
fn named(files: &[&str]) -> Which {
    Which::Named(files.iter().map(ToString::to_string).collect())
}

#[test]
fn shares_are_even_and_keep_databases_together() {
    let plan = plan();
    let study = Study::new(&plan, Path::new("."), false).unwrap();
    let all = study.places(&Which::All).unwrap();
    let group = |place: usize| {
        (study.units[place].world, study.units[place].config.as_ref().map(ToString::to_string))
    };
    // Every map and database is one piece of the order.
    let mut groups: Vec<_> = all.iter().map(|&place| group(place)).collect();
    groups.dedup();
    assert_eq!(groups.len(), groups.iter().collect::<BTreeSet<_>>().len(), "{groups:?}");
    for of in [1, 2, 3, 5, 13, 14, 15, 40] {
        let shares: Vec<Vec<usize>> =
            (1..=of).map(|share| study.places(&Which::Share { share, of }).unwrap()).collect();
        assert_eq!(shares.concat(), all, "{of}");
        let sizes = || shares.iter().map(Vec::len);
        assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1, "{of}");
    }
    for (share, of) in [(0, 3), (4, 3), (0, 0)] {
        let error = study.places(&Which::Share { share, of }).unwrap_err().to_string();
        assert!(error.starts_with(&format!("there is no share {share} of {of}")), "{error}");
    }
}

#[test]
fn shares_and_names_make_the_results_of_a_run() {
    let (whole, shared, far) = (Folder::new("s-whole"), Folder::new("s-shared"), Folder::new("s-far"));
    let expected = run(&plan(), &whole.setting(), &mut TestHost::new()).unwrap();
    let planned = planned(&plan(), &whole.0, false).unwrap();
    assert_eq!(planned.len(), 14);
    for (unit, result) in planned.iter().zip(&expected.units) {
        assert_eq!((&unit.spec, unit.seed, &unit.map), (&result.spec, result.seed, &result.map.name));
        assert_eq!(unit.database, result.database.as_ref().map(|facts| facts.config.clone()));
    }
    // Two shares here, the rest by name elsewhere.
    for share in [3, 1] {
        let which = Which::Share { share, of: 3 };
        let done = run_units(&plan(), &shared.setting(), &which, &mut TestHost::new()).unwrap();
        assert!(done.iter().all(|unit| unit.is_new) && (4..=5).contains(&done.len()));
        let again = run_units(&plan(), &shared.setting(), &which, &mut TestHost::new()).unwrap();
        assert!(again.iter().all(|unit| !unit.is_new) && again.len() == done.len());
    }
    let left: Vec<&str> = planned
        .iter()
        .map(|unit| unit.file.as_str())
        .filter(|file| !shared.0.join("units").join(file).exists())
        .collect();
    let done = run_units(&plan(), &far.setting(), &named(&left), &mut TestHost::new()).unwrap();
    assert_eq!(done.iter().map(|unit| unit.file.as_str()).collect::<Vec<_>>(), left);
    let missing = merge(&plan(), &shared.setting(), &[], &mut TestHost::new()).unwrap_err();
    let RunError::Missing { missing, all, first, .. } = &missing else { panic!("{missing}") };
    assert_eq!(
        (*missing, *all, &first[..]),
        (left.len() as u64, 14, &left[..3].iter().map(ToString::to_string).collect::<Vec<_>>()[..])
    );
    let merged =
        merge(&plan(), &shared.setting(), std::slice::from_ref(&far.0), &mut TestHost::new()).unwrap();
    assert_eq!(without_times(&merged), without_times(&expected));
    assert_eq!(ResultSet::read(&shared.0).unwrap(), merged);
    let error = run_units(&plan(), &far.setting(), &named(&[left[0], "other.csv"]), &mut TestHost::new());
    assert!(error.unwrap_err().to_string().starts_with("other.csv is no unit of small"));
}

#[test]
fn timings_are_of_one_worker_and_walks_of_one_program() {
    let text = PLAN.replace("every-bucket = 2", "timed = true");
    let plan = Plan::parse("mixed", &text).unwrap();
    let by = |folder: &Folder, which: fn(&PlannedUnit) -> bool, worker: &str| {
        let planned = planned(&plan, &folder.0, false).unwrap();
        let files: Vec<&str> =
            planned.iter().filter(|unit| which(unit)).map(|unit| unit.file.as_str()).collect();
        let setting = folder.setting();
        let setting = Setting { provenance: setting.provenance.clone().on(Some(worker)), ..setting };
        run_units(&plan, &setting, &named(&files), &mut TestHost::new()).unwrap();
    };
    // Untimed units may be of anyone.
    let fine = Folder::new("w-fine");
    by(&fine, |unit| unit.timed, "a");
    by(&fine, |unit| !unit.timed && unit.seed == 1, "b");
    by(&fine, |unit| !unit.timed && unit.seed == 2, "c");
    let results = merge(&plan, &fine.setting(), &[], &mut TestHost::new()).unwrap();
    assert_eq!(results.sources().len(), 1);
    assert_eq!(results.sources()[0].worker.as_deref(), Some("a"));
    // Timed ones are of one.
    let mixed = Folder::new("w-mixed");
    by(&mixed, |unit| !unit.timed, "a");
    by(&mixed, |unit| unit.timed && unit.map.starts_with("game"), "a");
    by(&mixed, |unit| unit.timed && !unit.map.starts_with("game"), "b");
    let error = merge(&plan, &mixed.setting(), &[], &mut TestHost::new()).unwrap_err().to_string();
    assert!(error.contains("timings of another machine or worker") && error.contains("--mix"), "{error}");
    let results = merge(&plan, &Setting { mix: true, ..mixed.setting() }, &[], &mut TestHost::new()).unwrap();
    let workers: Vec<Option<&str>> = results.sources().iter().map(|own| own.worker.as_deref()).collect();
    assert_eq!(workers, [Some("a"), Some("b")]);
    // All of them are of one program.
    let other = Setting { provenance: Provenance::here(Some("def"), None), ..fine.setting() };
    let error = merge(&plan, &other, &[], &mut TestHost::new()).unwrap_err().to_string();
    assert!(error.contains("has results of version") && error.contains("(def)"), "{error}");
}

/// A host that ends the run when it hears that so many units are done.
struct StoppingHost<'a> {
    host: TestHost,
    at: u64,
    stop: &'a AtomicBool,
}

impl Host for StoppingHost<'_> {
    fn write(
        &mut self,
        path: &Path,
        fill: &mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), String> {
        self.host.write(path, fill)
    }

    fn tell(&mut self, message: &str) {
        self.host.tell(message);
    }

    fn progress(&mut self, _label: &str, done: u64, total: u64) {
        if total > 0 && done >= self.at {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_stopped_run_keeps_what_is_finished() {
    let (whole, folder) = (Folder::new("stop-whole"), Folder::new("stop"));
    let expected = run(&plan(), &whole.setting(), &mut TestHost::new()).unwrap();
    for finished in [0, 1, 5, 9] {
        let stop = AtomicBool::new(false);
        let mut host = StoppingHost { host: TestHost::new(), at: finished, stop: &stop };
        let setting = Setting { stop: &stop, ..folder.setting() };
        let error = run(&plan(), &setting, &mut host).unwrap_err();
        assert_eq!(error.to_string(), "stopped; what is finished is kept");
        assert!(matches!(error, RunError::Stopped));
        assert_eq!(folder.units().len() as u64, finished);
        assert!(!folder.0.join("rows.csv").exists());
    }
    let results = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap();
    assert_eq!(without_times(&results), without_times(&expected));
}

#[test]
fn problems_databases_and_walks_are_stopped() {
    let folder = Folder::new("stop-pieces");
    let setting = folder.setting();
    let timed = PLAN.replace("timed = false", "timed = true");
    let passes = timed.replace("every-bucket = 2", "passes = 2");
    let game = timed.replace("timed = true", "timed = true\ngame = {}");
    let stopped = AtomicBool::new(true);
    for text in [PLAN, &timed, &passes, &game] {
        let plan = Plan::parse("stopped", text).unwrap();
        let study = Study::new(&plan, setting.maps, false).unwrap();
        let store = |stop| Store { folder: setting.cache, provenance: &setting.provenance, stop };
        let (on, off) = (store(&NEVER), store(&stopped));
        let world = &study.worlds[0];
        let host = &mut TestHost::new();
        let space = world.space(&plan.maps[0]).unwrap();
        let config = study.units.iter().find_map(|unit| unit.config.as_deref()).unwrap();
        for entry in fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path()) {
            fs::remove_file(entry).unwrap();
        }
        assert!(matches!(off.problems(world, &plan.maps[0], &space, host), Err(RunError::Stopped)));
        assert!(matches!(off.database(&space, config, host), Err(RunError::Stopped)));
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0, "nothing unfinished is kept");
        let mut course = course::Course::new(&plan, world, &on, host).unwrap();
        for unit in study.units.iter().filter(|unit| unit.world == 0 && unit.config.is_none()) {
            assert!(matches!(course.run(&plan, unit, None, &off, host), Err(RunError::Stopped)));
            assert!(course.run(&plan, unit, None, &on, host).is_ok());
        }
    }
}

#[test]
fn what_a_plan_needs_is_enough_elsewhere() {
    let (here, there) = (Folder::new("in-here"), Folder::new("in-there"));
    let map = |wall: usize| {
        let row = |y: usize| {
            if y == 2 {
                format!("{}.\n", "@".repeat(wall)) + ""
            } else {
                "....................\n"[20 - wall..].to_owned()
            }
        };
        format!("type octile\nheight 5\nwidth {}\nmap\n{}", wall + 1, (0..5).map(row).collect::<String>())
    };
    for (name, wall) in [("a", 7), ("b", 8), ("c", 9), ("d", 10), ("e", 11), ("f", 12)] {
        for folder in ["many", "few"] {
            fs::create_dir_all(here.0.join(folder)).unwrap();
            fs::write(here.0.join(folder).join(format!("{name}.map")), map(wall)).unwrap();
        }
        let line = format!("version 1\n0\t{name}.map\t{}\t5\t0\t0\t{wall}\t4\t9\n", wall + 1);
        if name != "b" {
            fs::write(here.0.join("many").join(format!("{name}.map.scen")), line).unwrap();
        }
    }
    fs::write(here.0.join("a.map"), map(15)).unwrap();
    fs::write(here.0.join("many/notes.txt"), "no map").unwrap();
    let absolute = here.0.join("few/f.map").display().to_string();
    let entry = |origin: &str, problems: &str| {
        format!("[[maps]]\n{origin}\nrule = \"no-cut\"\ncost = \"sqrt2\"\nproblems = {problems}\n")
    };
    let drawn = "{ count = 2, min-cost = 2, max-cost = 30 }";
    let text = [
        "title = \"t\"\ntimed = false\n".to_owned(),
        entry("folder = \"many\"", "{ beside = true }"),
        // Two of one name: the folder of the maps itself must not become part of a name.
        entry(&format!("files = [\"few/c.map\", \"a.map\", \"{absolute}\", \"few/c.map\"]"), drawn),
        entry("folder = \"nowhere\"\noptional = true", drawn),
        entry("generate = \"rooms\"\nwidth = 20\nheight = 20", drawn),
        "[[algorithms]]\nspecs = [\"a*\"]\n[quick]\nmaps = 2\n".to_owned(),
    ]
    .concat();
    let plan = Plan::parse("needs", &text).unwrap();
    for quick in [false, true] {
        let needed = inputs(&plan, &here.0, quick).unwrap();
        let names: Vec<String> = needed.iter().map(|path| path.display().to_string()).collect();
        let mut expected: Vec<String> = ["a", "c", "d", "e", "f"]
            .iter()
            .flat_map(|name| [format!("many/{name}.map"), format!("many/{name}.map.scen")])
            .collect();
        expected.extend(["few/c.map".to_owned(), "a.map".to_owned(), absolute.clone()]);
        assert_eq!(names, expected, "quick {quick}");
        for path in needed.iter().filter(|path| path.is_relative()) {
            fs::create_dir_all(there.0.join(path).parent().unwrap()).unwrap();
            fs::copy(here.0.join(path), there.0.join(path)).unwrap();
        }
        let units = planned(&plan, &here.0, quick).unwrap();
        assert_eq!(units.len(), if quick { 2 + 2 + 1 } else { 5 + 4 + 1 }, "{units:#?}");
        assert_eq!(units, planned(&plan, &there.0, quick).unwrap());
        fs::remove_dir_all(&there.0).unwrap();
        fs::create_dir_all(&there.0).unwrap();
    }
    fs::remove_file(here.0.join("a.map")).unwrap();
    assert!(inputs(&plan, &here.0, false).unwrap_err().to_string().contains("a.map"));
}
