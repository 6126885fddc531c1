//! `surefoot lab run --units` and `--merge`: a plan in shares.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::lab::example;
use crate::{Workplace, json, names_in};

/// A folder with a plan of ten units that are not timed.
fn place() -> Workplace {
    let place = Workplace::empty();
    place.put("plan.toml", example().replace("timed = true", "timed = false"));
    place
}

fn share<'a>(units: &'a str, out: &'a str) -> [&'a str; 7] {
    ["lab", "run", "plan.toml", "--out", out, "--units", units]
}

const MERGE: [&str; 6] = ["lab", "run", "plan.toml", "--out", "results", "--merge"];

/// The cells of a row. Some are in quotes, and have commas in them.
fn cells(row: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    for letter in row.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            letter => cells.last_mut().unwrap().push(letter),
        }
    }
    cells
}

/// The rows of a folder of results without what no two runs share.
pub(crate) fn rows(place: &Workplace, folder: &str) -> Vec<Vec<String>> {
    let text = place.text(&format!("{folder}/rows.csv"));
    let head = cells(text.lines().next().unwrap());
    let is_kept = |name: &str| !["build_seconds", "worker", "date"].contains(&name);
    assert_eq!(head.iter().filter(|name| !is_kept(name)).count(), 3, "{head:?}");
    let kept = |row: &str| {
        let row = cells(row);
        assert_eq!(row.len(), head.len(), "{row:?}");
        row.into_iter().zip(&head).filter(|(_, name)| is_kept(name)).map(|(cell, _)| cell).collect()
    };
    text.lines().map(kept).collect()
}

/// What stands in a column, each thing once.
fn column(place: &Workplace, folder: &str, name: &str) -> Vec<String> {
    let text = place.text(&format!("{folder}/rows.csv"));
    let number = cells(text.lines().next().unwrap()).iter().position(|own| own == name).unwrap();
    let mut found: Vec<String> = text.lines().skip(1).map(|row| cells(row)[number].clone()).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn shares_give_the_rows_of_one_run() {
    let place = place();
    let summary = place.succeed(&["lab", "run", "plan.toml", "--out", "whole"]);
    // In one folder, the last one first.
    for (units, done) in [("3/3", 4), ("1/3", 3), ("2/3", 3)] {
        let text = place.succeed(&[&share(units, "results")[..], &["--worker", "w"]].concat());
        let number = &units[..1];
        assert_eq!(text, format!("share {number} of 3: {done} units, {done} of them done now\n"));
        assert!(!place.path("results/rows.csv").exists());
    }
    let again = place.succeed(&[&share("3/3", "results")[..], &["--worker", "other"]].concat());
    assert_eq!(again, "share 3 of 3: 4 units, 0 of them done now\n");
    assert_eq!(place.succeed(&MERGE), summary);
    assert_eq!(rows(&place, "results"), rows(&place, "whole"));
    assert_eq!(
        (column(&place, "results", "worker"), column(&place, "whole", "worker")),
        (vec!["w".into()], vec!["".into()])
    );
    assert!(place.path("results/report.html").exists() && place.path("results/rows.parquet").exists());
    assert_eq!(place.text("results/run.json"), place.text("whole/run.json"));
    assert_eq!(names_in(&place.path("results/units")), names_in(&place.path("whole/units")));
    // In a folder each, by workers of different names: walks that are not timed are the same everywhere.
    for (units, out) in [("1/3", "one"), ("2/3", "two"), ("3/3", "three")] {
        place.succeed(&[&share(units, out)[..], &["--worker", out]].concat());
    }
    let merge = ["lab", "run", "plan.toml", "--out", "far", "--merge", "one", "two", "three"];
    let outcome = place.run(&merge);
    assert_eq!((outcome.code, &outcome.stdout), (0, &summary), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("some results are of"), "{}", outcome.stderr);
    assert_eq!(rows(&place, "far"), rows(&place, "whole"));
    assert_eq!(column(&place, "far", "worker"), ["one", "three", "two"]);
    let unit = &names_in(&place.path("one/units"))[0];
    assert_eq!(place.read(&format!("far/units/{unit}")), place.read(&format!("one/units/{unit}")));
    assert!(!place.text("far/report.html").contains("different builds or machines"));
    assert!(place.text("far/report.md").contains("one; two; three"), "{}", place.text("far/report.md"));
    // What is merged is what a run makes: nothing is left to do, and a run says the same.
    assert_eq!(place.succeed(&["lab", "run", "plan.toml", "--out", "far"]), summary);
}

#[test]
fn what_is_missing_is_told() {
    let place = place();
    place.succeed(&share("1/3", "results"));
    place.succeed(&share("3/3", "results"));
    place.fail(&MERGE, 1, "3 of 10 units are missing in results: ");
    place.fail(&MERGE, 1, "; run the shares that are not finished again, then merge");
    assert!(!place.path("results/rows.csv").exists());
    // A damaged unit is missing, too, unless it is elsewhere.
    place.succeed(&share("2/3", "results"));
    let unit = &names_in(&place.path("results/units"))[0];
    let whole = place.read(&format!("results/units/{unit}"));
    place.put(&format!("results/units/{unit}"), "# damaged\n");
    place.fail_late(&MERGE, 1, "1 of 10 units are missing in results: ");
    fs::create_dir_all(place.path("other/units")).unwrap();
    place.put(&format!("other/units/{unit}"), &whole);
    place.put("other/units/stray.csv", "# stray\n");
    let outcome = place.run(&[&MERGE[..], &["other"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 files are no units of plan; they are left out"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("is damaged"), "{}", outcome.stderr);
    assert_eq!(place.read(&format!("results/units/{unit}")), whole);
    // A whole file under the name of another unit is none.
    let other = &names_in(&place.path("results/units"))[1];
    place.put(&format!("results/units/{other}"), &whole);
    place.fail_late(&MERGE, 1, "1 of 10 units are missing in results: ");
}

#[test]
fn a_killed_share_is_done_again() {
    let place = place();
    place.succeed(&["lab", "run", "plan.toml", "--out", "whole"]);
    place.succeed(&share("1/2", "results"));
    let done = || names_in(&place.path("results/units")).iter().filter(|name| name.ends_with(".csv")).count();
    let mut child =
        place.command(&share("2/2", "results")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while done() < 7 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    place.succeed(&share("2/2", "results"));
    place.succeed(&MERGE);
    assert_eq!(rows(&place, "results"), rows(&place, "whole"));
}

#[test]
fn timings_of_two_workers_are_not_mixed() {
    let place = Workplace::empty();
    place.put("plan.toml", example());
    let quick = |arguments: &[&'static str]| -> Vec<&'static str> { [arguments, &["--quick"]].concat() };
    let units = |units: &'static str, worker: &'static str| {
        quick(&["lab", "run", "plan.toml", "--out", "results", "--units", units, "--worker", worker])
    };
    place.succeed(&units("1/2", "a"));
    // Who goes on with the timings of another is told so.
    place.fail(&units("1/2", "b"), 1, "worker a with timings of another machine or worker, version ");
    place.succeed(&units("2/2", "b"));
    place.fail(&quick(&MERGE), 1, "results would mix timings of version ");
    place.fail(&quick(&MERGE), 1, "or say --mix to keep them as they are");
    let outcome = place.run(&quick(&["lab", "run", "plan.toml", "--out", "results", "--mix", "--merge"]));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("worker a") && outcome.stderr.contains("worker b"), "{}", outcome.stderr);
    assert!(place.text("results/report.html").contains("2 different builds or machines"));
    // Rows of both are not compared as if they were of one.
    let text = place.succeed(&["compare", "results", "results"]);
    assert!(text.contains("Not the same: the worker; times cannot be compared"), "{text}");
    // Those of one worker are fine, wherever they are merged.
    fs::remove_dir_all(place.path("results")).unwrap();
    place.succeed(&units("1/2", "a"));
    place.succeed(&units("2/2", "a"));
    place.succeed(&quick(&MERGE));
    assert!(!place.text("results/report.html").contains("different builds or machines"));
}

#[test]
fn a_share_is_done_by_one_process() {
    let place = place();
    fs::create_dir(place.path("results")).unwrap();
    let locked = |name: &str| {
        let file = fs::File::create(place.path(&format!("results/{name}"))).unwrap();
        file.lock().unwrap();
        file
    };
    let other = locked("run-2-of-3.lock");
    place.fail(&share("2/3", "results"), 1, "another run is at work in results");
    // Other shares are not in its way, and neither is a run of the whole.
    let whole = locked("run.lock");
    place.succeed(&share("1/3", "results"));
    place.succeed(&share("3/3", "results"));
    place.fail(&MERGE, 1, "another run is at work in results");
    whole.unlock().unwrap();
    // A merge beside a share that is at work: what is not done is missing.
    place.fail(&MERGE, 1, "3 of 10 units are missing");
    other.unlock().unwrap();
    place.succeed(&share("2/3", "results"));
    place.succeed(&MERGE);
}

#[test]
fn units_are_listed() {
    let place = place();
    let text = place.succeed(&["lab", "units", "plan.toml"]);
    assert!(text.lines().last().unwrap().starts_with("  10  "), "{text}");
    assert!(text.contains("knn-lrta*(n=1000)") && text.contains("game 120 x 100"), "{text}");
    let units = json(&place.succeed(&["lab", "units", "plan.toml", "--json"]));
    let units = units.as_array().unwrap();
    assert_eq!((units.len(), &units[9]["number"], &units[9]["timed"]), (10, &10.into(), &false.into()));
    let database = units[9]["database"].as_str().unwrap();
    assert!(database.starts_with("subgoals(n=1000, ") && database.ends_with("seed=2)"), "{database}");
    assert!(units[0]["database"].is_null());
    assert_eq!(
        json(&place.succeed(&["lab", "units", "plan.toml", "--quick", "--json"])).as_array().unwrap().len(),
        4
    );
    place.succeed(&["lab", "run", "plan.toml", "--out", "results"]);
    let mut files: Vec<&str> = units.iter().map(|unit| unit["file"].as_str().unwrap()).collect();
    files.sort_unstable();
    assert_eq!(names_in(&place.path("results/units")), files);
}

#[test]
fn mistakes_are_told() {
    let place = place();
    let run = ["lab", "run", "plan.toml", "--out", "results"];
    for (more, message) in [
        (&["--units", "5/4"][..], "expected K/N: two whole numbers from 1, the first not above the second"),
        (&["--units", "0/4"], "expected K/N"),
        (&["--units"], "'--units <K/N>'"),
        (&["--units", "1/4", "--merge"], "cannot be used with"),
        (&["--worker", "w", "--merge"], "cannot be used with"),
        (&["--worker", ""], "--worker"),
    ] {
        place.fail(&[&run[..], more].concat(), 2, message);
    }
    place.fail(&[&run[..], &["--merge", "nowhere"]].concat(), 1, "nowhere is no folder of results");
    place.fail(&["lab", "units", "nowhere.toml"], 1, "nowhere.toml: No such file");
    // More shares than units: some have nothing to do.
    assert_eq!(place.succeed(&share("1/90", "results")), "share 1 of 90: 0 units, 0 of them done now\n");
}
