//! `surefoot lab`

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::{Workplace, names_in};

/// The example of the page on the lab.
pub(crate) fn example() -> String {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reproduce/lab.md")).unwrap();
    let begin = page.find("```toml\n").unwrap() + "```toml\n".len();
    let end = begin + page[begin..].find("```").unwrap();
    page[begin..end].to_owned()
}

#[test]
fn the_example_of_the_page_runs() {
    let place = Workplace::empty();
    place.put("plan.toml", example());
    let arguments = ["lab", "run", "plan.toml", "--out", "results", "--quick"];
    let text = place.succeed(&arguments);
    assert!(text.contains("\nlrta*(d=1) ") && text.contains("\nknn-lrta*(n=100) "), "{text}");
    assert_eq!(
        names_in(&place.path("results")),
        [
            "cache",
            "figures",
            "plan.toml",
            "report.html",
            "report.md",
            "rows.csv",
            "rows.parquet",
            "run.json",
            "run.lock",
            "tables",
            "units"
        ]
    );
    assert_eq!(place.text("results/plan.toml"), example());
    // Once more: all is there, nothing is done again.
    let rows = place.read("results/rows.csv");
    assert_eq!(place.succeed(&arguments), text);
    assert_eq!(place.read("results/rows.csv"), rows);
    // A unit that is lost is done again.
    let units = names_in(&place.path("results/units"));
    fs::remove_file(place.path(&format!("results/units/{}", units[0]))).unwrap();
    place.succeed(&arguments);
    assert_eq!(names_in(&place.path("results/units")), units);
    // One that is damaged, too, and it is told.
    place.put(&format!("results/units/{}", units[1]), "# damaged\n");
    let outcome = place.run(&arguments);
    assert!(outcome.code == 0 && outcome.stderr.contains("is damaged"), "{}", outcome.stderr);
    assert_ne!(place.text(&format!("results/units/{}", units[1])), "# damaged\n");
}

#[test]
fn the_report_is_made_again_from_the_results() {
    let place = Workplace::empty();
    place.put("plan.toml", example());
    place.succeed(&["lab", "run", "plan.toml", "--out", "all/one", "--quick"]);
    let page = place.text("all/one/report.html");
    assert!(page.contains("<h1>How far to look ahead</h1>") && page.contains("knn-lrta*(n=100)"), "{page}");
    assert!(page.contains("This was a quick run") && !page.contains("different builds or machines"));
    assert_eq!(names_in(&place.path("all/one/tables")), ["plan-all.csv"]);
    fs::remove_file(place.path("all/one/report.html")).unwrap();
    place.succeed(&["lab", "report", "all/one"]);
    assert_eq!(place.text("all/one/report.html"), page);
    // A folder of folders; and what was made by another version is told.
    let unit = format!("all/one/units/{}", names_in(&place.path("all/one/units"))[0]);
    place.put(&unit, place.text(&unit).replace("\"version\":\"0.", "\"version\":\"9."));
    place.succeed(&["lab", "report", "all"]);
    assert!(place.text("all/report.html").contains("2 different builds or machines"));
    place.put(&unit, "# damaged\n");
    place.fail(&["lab", "report", "all"], 1, "is damaged");
    place.fail(&["lab", "report", "nowhere"], 1, "nowhere is no folder of results");
}

#[test]
fn a_folder_that_another_run_is_at_work_in_is_refused() {
    let place = Workplace::empty();
    place.put("plan.toml", example());
    let arguments = ["lab", "run", "plan.toml", "--out", "results", "--quick"];
    fs::create_dir(place.path("results")).unwrap();
    let other = fs::File::create(place.path("results/run.lock")).unwrap();
    other.lock().unwrap();
    place.fail(
        &arguments,
        1,
        "another run is at work in results: wait for its end, or choose another folder",
    );
    assert_eq!(names_in(&place.path("results")), ["run.lock"]);
    // A run that has ended leaves the file behind, but not its lock. Not by closing the file: programs that other tests are just
    // starting may have it open, too.
    other.unlock().unwrap();
    place.succeed(&arguments);
    place.succeed(&arguments);
}

#[test]
fn a_killed_run_goes_on_to_the_same_rows() {
    let place = Workplace::empty();
    place.put("plan.toml", example().replace("timed = true", "timed = false"));
    let run = |out| ["lab", "run", "plan.toml", "--out", out];
    place.succeed(&run("whole"));
    for units in [1, 2, 5] {
        let mut command = place.command(&run("killed"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let done = || fs::read_dir(place.path("killed/units")).map_or(0, Iterator::count);
        while done() < units && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    place.succeed(&run("killed"));
    // All but the time that databases took to build. No cell before it has a comma.
    let rows = |folder: &str| -> Vec<String> {
        let rows = place.text(&format!("{folder}/rows.csv"));
        let time = rows.split(',').position(|name| name == "build_seconds").unwrap();
        let without_time = |row: &str| {
            let cells: Vec<&str> = row.splitn(time + 2, ',').collect();
            [&cells[..time], &cells[time + 1..]].concat().join(",")
        };
        rows.lines().map(without_time).collect()
    };
    assert!(rows("whole")[0].contains("database_entries,version"), "{}", rows("whole")[0]);
    assert_eq!(rows("killed"), rows("whole"));
}

#[test]
fn results_of_another_version_are_refused() {
    let place = Workplace::empty();
    place.put("plan.toml", example());
    let arguments = ["lab", "run", "plan.toml", "--out", "results", "--quick"];
    place.succeed(&arguments);
    for unit in names_in(&place.path("results/units")) {
        let unit = format!("results/units/{unit}");
        place.put(&unit, place.text(&unit).replace("\"version\":\"0.", "\"version\":\"9."));
    }
    place.fail(&arguments, 1, "results has results of version 9.");
    let outcome = place.run(&[&arguments[..], &["--mix"]].concat());
    assert!(
        outcome.code == 0 && outcome.stderr.contains("some results are of version 9."),
        "{}",
        outcome.stderr
    );
}

#[test]
fn broken_plans_are_told_with_their_place() {
    let place = Workplace::empty();
    for (from, to, message) in [
        ("title = ", "titel = ", "bad.toml: line "),
        ("timed = ", "timed = 1 # ", "bad.toml: line "),
        ("lrta*(d=", "lrtb*(d=", "there is no algorithm of this name; did you mean lrta*? there are: a*, "),
    ] {
        let text = example();
        assert!(text.contains(from), "{from}");
        place.put("bad.toml", text.replacen(from, to, 1));
        place.fail(&["lab", "run", "bad.toml", "--out", "results"], 1, message);
    }
    place.fail(&["lab", "run", "nowhere.toml", "--out", "results"], 1, "nowhere.toml: No such file");
}

#[test]
fn a_plan_that_is_too_large_is_refused_before_anything_is_made_of_it() {
    let place = Workplace::empty();
    let plan = "title = \"t\"\ntimed = false\nseeds = 99999999999\n[[maps]]\ngenerate = \"game\"\nwidth = 80\nheight = 70\n\
        rule = \"no-cut\"\ncost = \"sqrt2\"\n[maps.problems]\ncount = 60\nmin-cost = 20\nmax-cost = 100\n\
        [[algorithms]]\nspecs = [\"a*\", \"knn-lrta*(n={100,500})\"]\n";
    place.put("seeds.toml", plan);
    place.fail(
        &["lab", "run", "seeds.toml", "--out", "results"],
        1,
        "seeds.toml: line 3, column 9: seeds is 99999999999, and the plan comes to 199999999999 units",
    );
    // How many maps a folder has shows only when it is looked at.
    for number in 0..5 {
        place.put(&format!("{number}.map"), crate::ARENA);
    }
    let plan = plan
        .replace("seeds = 99999999999", "seeds = 20000")
        .replace("generate = \"game\"\nwidth = 80\nheight = 70", "folder = \".\"");
    place.put("folder.toml", plan.replace("n={100,500}", "n=100"));
    place.fail(
        &["lab", "run", "folder.toml", "--out", "results"],
        1,
        "the plan comes to 100005 units on 5 maps with 20000 seeds; at most 100000 can be run",
    );
}

#[test]
fn the_plans_of_the_papers_are_printed() {
    let place = Workplace::empty();
    let list = place.succeed(&["lab", "plans"]);
    for name in ["knn2009", "jair2008", "jair2008-original", "jair2010", "pra2005", "beyond"] {
        assert!(list.contains(name), "{list}");
        let text = place.succeed(&["lab", "plans", name]);
        assert!(text.starts_with("title = \"") && text.contains("[quick]"), "{text}");
    }
    place.fail(&["lab", "plans", "knn2010"], 2, "there is no plan \"knn2010\"; there are: pra2005");
}
