//! `surefoot run`

use crate::{ARENA_SCEN, Workplace, json};

const HEADER: &str = "algorithm,map,start_x,start_y,goal_x,goal_y,file_cost,optimal_cost,travel_cost,\
    suboptimality_pct,moves,expansions_mean,expansions_max,plan_ns_mean,plan_ns_median,plan_ns_max,first_move_ns,steps20_ns,online_states,solved,\
    revisits,raised_states,largest_open,largest_closed,fallbacks,climb_steps_max,probes_max,database,\
    planning_ms,planning_expansions,frames_10_ms,frames_2_ms,frames_1_ms,frames_without_thinking,frames_of_shortest";

fn run<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--map", "arena.map", "--scen", "arena.scen", "--out", out], more].concat()
}

/// The rows of a CSV text as lists of columns.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(HEADER));
    lines.map(|line| line.split(',').map(str::to_string).collect()).collect()
}

#[test]
fn without_a_file_for_rows_only_the_summary_is_printed() {
    let place = Workplace::with_arena();
    let draw = ["problems", "arena.map", "--count", "5", "--max-cost", "20", "--out", "arena.map.scen"];
    place.succeed(&draw);
    let before = place.names();
    let summary = place.succeed(&["run", "--map", "arena.map", "--algorithm", "jps"]);
    assert!(summary.contains("\njps") && summary.contains("5 of 5"), "{summary}");
    assert_eq!(place.names(), before, "no file came of it");
}

#[test]
fn rows_go_to_the_file_and_the_summary_to_standard_output() {
    let place = Workplace::with_arena();
    let table = place.succeed(&run("rows.csv", &["--algorithm", "a*", "--algorithm", "jps"]));
    assert!(table.contains("a*") && table.contains("jps") && table.contains("3 of 4"), "{table}");
    let rows = rows(&place.text("rows.csv"));
    assert_eq!(rows.len(), 8);
    let column = |row: usize, name: &str| &rows[row][HEADER.split(',').position(|own| own == name).unwrap()];
    assert_eq!(column(0, "algorithm"), "a*");
    assert_eq!(column(4, "algorithm"), "jps");
    assert_eq!(column(0, "map"), "arena.map");
    assert_eq!(column(0, "file_cost"), "14");
    let optimal: f64 = column(0, "optimal_cost").parse().unwrap();
    assert!((optimal - (12.0 + 2_f64.sqrt())).abs() < 1e-9, "{optimal}");
    assert_eq!(column(0, "travel_cost"), column(0, "optimal_cost"));
    assert_eq!(column(0, "suboptimality_pct").parse(), Ok(0.0));
    assert_eq!((column(0, "moves").as_str(), column(0, "solved").as_str()), ("13", "true"));
    // The last problem has no way; the one before is in water.
    assert_eq!((column(2, "solved").as_str(), column(3, "solved").as_str()), ("true", "false"));
    assert_eq!(place.names(), ["arena.map", "arena.scen", "rows.csv"]);
}

#[test]
fn rows_repeat_apart_from_the_clock() {
    let place = Workplace::with_arena();
    let measure = || {
        let all = ["--algorithm", "a*", "--algorithm", "weighted-a*(gamma=0.1)", "--algorithm", "dijkstra"];
        let mut rows = rows(&place.succeed(&run("-", &all)));
        let clock: Vec<usize> = HEADER
            .split(',')
            .enumerate()
            .filter(|(_, name)| name.contains("_ns"))
            .map(|(at, _)| at)
            .collect();
        assert_eq!(clock.len(), 5);
        for row in &mut rows {
            clock.iter().for_each(|&at| row[at].clear());
        }
        rows
    };
    assert_eq!(measure(), measure());
}

#[test]
fn json_lines_have_the_same_columns() {
    let place = Workplace::with_arena();
    place.succeed(&run("rows.jsonl", &["--algorithm", "a*"]));
    let text = place.text("rows.jsonl");
    assert_eq!(text.lines().count(), 4);
    for line in text.lines() {
        let row = json(line);
        for name in HEADER.split(',') {
            assert!(row.get(name).is_some(), "{name} in {line}");
        }
    }
    let outcome = place.run(&run("-", &["--algorithm", "a*", "--format", "jsonl"]));
    assert_eq!(json(outcome.stdout.lines().next().unwrap())["solved"], true);
    assert!(outcome.stderr.contains("3 of 4"), "{}", outcome.stderr);
}

#[test]
fn each_nth_problem_is_taken() {
    let place = Workplace::with_arena();
    let rows = rows(&place.succeed(&run("-", &["--algorithm", "a*", "--every", "2"])));
    let goals: Vec<&str> = rows.iter().map(|row| row[4].as_str()).collect();
    assert_eq!(goals, ["9", "3"]);
}

#[test]
fn walks_that_are_cut_off_count_as_not_solved() {
    let place = Workplace::with_arena();
    let table = place.succeed(&run("rows.csv", &["--algorithm", "a*", "--max-moves", "1"]));
    assert!(table.contains("2 of 4"), "{table}");
    let rows = rows(&place.text("rows.csv"));
    assert_eq!((rows[0][8].parse(), rows[0][10].as_str(), rows[0][19].as_str()), (Ok(1.0), "1", "false"));
}

#[test]
fn bad_problems_are_named_before_anything_runs() {
    let place = Workplace::with_arena();
    for (bad, message) in [
        ("0\tarena.map\t10\t6\t1\t1\t9\t5\t14", "bad.scen:7: start (1, 1) is blocked"),
        ("0\tarena.map\t10\t6\t0\t0\t5\t3\t14", "bad.scen:7: goal (5, 3) is blocked"),
        ("0\tarena.map\t10\t7\t0\t0\t5\t3\t14", "bad.scen:7: the problem is for a map of 10 x 7 cells"),
        ("0\tarena.map\t10\t6\t0\t0\t10\t3\t14", "bad.scen:7:"),
    ] {
        // The blank line is counted too.
        place.put("bad.scen", format!("{ARENA_SCEN}\n{bad}\n"));
        let arguments =
            ["run", "--map", "arena.map", "--scen", "bad.scen", "--algorithm", "a*", "--out", "rows.csv"];
        place.fail(&arguments, 1, message);
    }
    // Version 0 does not know the map's size, so only the map can tell that a cell is outside.
    place.put("bad.scen", "version 0\n0\tarena.map\t0\t0\t10\t3\t14\n");
    let arguments =
        ["run", "--map", "arena.map", "--scen", "bad.scen", "--algorithm", "a*", "--out", "rows.csv"];
    place.fail(&arguments, 1, "bad.scen:2: goal (10, 3) is outside the map");
    place.put("bad.scen", "version 1\n");
    place.fail(&arguments, 1, "bad.scen has no problems");
}

#[test]
fn an_old_file_survives_a_failed_run() {
    let place = Workplace::with_arena();
    place.put("rows.csv", "precious");
    place.put("bad.scen", "version 1\n0\tarena.map\t10\t6\t1\t1\t9\t5\t14\n");
    let arguments =
        ["run", "--map", "arena.map", "--scen", "bad.scen", "--algorithm", "a*", "--out", "rows.csv"];
    place.fail(&arguments, 1, "blocked");
    assert_eq!(place.text("rows.csv"), "precious");
}

#[test]
fn a_mark_at_the_beginning_of_the_file_is_no_line() {
    let place = Workplace::with_arena();
    place.put("marked.scen", "\u{FEFF}version 1\n0\tarena.map\t10\t6\t1\t1\t9\t5\t14\n");
    let arguments =
        ["run", "--map", "arena.map", "--scen", "marked.scen", "--algorithm", "a*", "--out", "x.csv"];
    place.fail(&arguments, 1, "marked.scen:2: start (1, 1) is blocked");
}

#[cfg(unix)]
#[test]
fn problems_from_a_pipe_are_read_once() {
    let place = Workplace::with_arena();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe.scen")).status().unwrap().success());
    let pipe = place.path("pipe.scen");
    let writer = std::thread::spawn(move || {
        std::fs::write(pipe, "version 1\n0\tarena.map\t10\t6\t1\t1\t9\t5\t14\n").unwrap();
    });
    let arguments =
        ["run", "--map", "arena.map", "--scen", "pipe.scen", "--algorithm", "a*", "--out", "x.csv"];
    // Whoever opens the pipe a second time waits for ever.
    place.fail(&arguments, 1, "pipe.scen:2: start (1, 1) is blocked");
    writer.join().unwrap();
}

#[test]
fn a_folder_stands_for_all_its_maps_with_problems() {
    let place = Workplace::with_arena();
    for name in ["b.map", "a.map"] {
        place.put(name, place.read("arena.map"));
        place.put(&format!("{name}.scen"), ARENA_SCEN);
    }
    place.succeed(&["run", "--map", ".", "--algorithm", "jps", "--out", "rows.csv"]);
    let maps: Vec<String> = rows(&place.text("rows.csv")).into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(maps, ["a.map", "a.map", "a.map", "a.map", "b.map", "b.map", "b.map", "b.map"]);
    // Without --scen the problems beside the map are taken.
    place.succeed(&["run", "--map", "b.map", "--algorithm", "jps", "--out", "one.csv"]);
    assert_eq!(rows(&place.text("one.csv")).len(), 4);
    place.fail(
        &["run", "--map", ".", "--scen", "arena.scen", "--algorithm", "jps", "--out", "x.csv"],
        2,
        "--map names a folder",
    );
    place.fail(
        &["run", "--map", "arena.map", "--algorithm", "jps", "--out", "x.csv"],
        1,
        "arena.map has no problems beside it, in arena.map.scen: name them with --scen, or draw some",
    );
}

/// The rows without what the clock says.
fn without_the_clock(csv: &str) -> Vec<Vec<String>> {
    let mut rows = rows(csv);
    for (at, _) in HEADER.split(',').enumerate().filter(|(_, name)| name.contains("_ns")) {
        rows.iter_mut().for_each(|row| row[at].clear());
    }
    rows
}

#[test]
fn what_an_algorithm_needs_is_built_for_each_world() {
    let place = Workplace::with_arena();
    let knn =
        ["--algorithm", "knn-lrta*(n=30)", "--algorithm", "knn-lrta*(n=30,cutoff=5)", "--algorithm", "a*"];
    let outcome = place.run(&run("rows.csv", &knn));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(outcome.stdout.matches("3 of 4").count(), 3, "{}", outcome.stdout);
    // One for the ground and one for the water: the second algorithm uses those of the first.
    let built = "arena.map: the database of knn-lrta*(n=30) was built in ";
    assert_eq!(outcome.stderr.matches(built).count(), 2, "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches(" was built in ").count(), 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains(" bytes, "), "{}", outcome.stderr);
    assert_eq!(place.names(), ["arena.map", "arena.scen", "rows.csv"]);
}

#[test]
fn the_cache_is_used_but_not_trusted() {
    let place = Workplace::with_arena();
    let knn =
        ["--algorithm", "knn-lrta*(n=30)", "--algorithm", "knn-lrta-2009*(n=30)", "--cache", "kept/here"];
    let kept = || {
        crate::names_in(&place.path("kept/here"))
            .into_iter()
            .map(|name| (place.read(&format!("kept/here/{name}")), name))
            .collect::<Vec<_>>()
    };
    let measure = |built: usize, cached: usize| {
        let outcome = place.run(&run("-", &knn));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(outcome.stderr.matches(" was built in ").count(), built, "{}", outcome.stderr);
        assert_eq!(
            outcome.stderr.matches(" was taken from the cache in ").count(),
            cached,
            "{}",
            outcome.stderr
        );
        assert_eq!(outcome.stderr.matches("; it is replaced").count(), if cached > 0 { built } else { 0 });
        without_the_clock(&outcome.stdout)
    };
    let first = measure(4, 0);
    let files = kept();
    assert_eq!(files.len(), 4);
    assert!(
        files.iter().all(|(_, name)| name.ends_with(".sfdb") && name.contains("-n-30-")),
        "{:?}",
        files[0].1
    );
    assert_eq!(measure(0, 4), first);
    assert!(kept() == files);
    // A file that is damaged, and one that is another database.
    let (bytes, name) = &files[0];
    place.put(&format!("kept/here/{name}"), &bytes[..bytes.len() - 3]);
    assert_eq!(measure(1, 3), first);
    assert!(kept() == files);
    place.put(&format!("kept/here/{name}"), &files[1].0);
    assert_eq!(measure(1, 3), first);
    assert!(kept() == files);
    // Another seed is another database.
    let other =
        place.run(&run("-", &["--algorithm", "knn-lrta*(n=30)", "--cache", "kept/here", "--db-seed", "2"]));
    assert_eq!(other.stderr.matches(" was built in ").count(), 2, "{}", other.stderr);
    assert_eq!(kept().len(), 6);
    place.put("file", "");
    place.fail(
        &run("x.csv", &["--algorithm", "knn-lrta*(n=30)", "--cache", "file"]),
        1,
        "cannot write file: ",
    );
}

#[test]
fn a_database_can_be_named() {
    let place = Workplace::with_arena();
    place.put("land.scen", ARENA_SCEN.lines().take(3).map(|line| format!("{line}\n")).collect::<String>());
    let run = |more: &[&'static str]| {
        [&["run", "--map", "arena.map", "--scen", "land.scen", "--out", "x.csv"], more].concat()
    };
    place.succeed(&["build", "arena.map", "--algorithm", "knn-lrta*(n=30)", "--out", "a.sfdb"]);
    // What the spec leaves out is taken from the database.
    for spec in ["knn-lrta*", "knn-lrta*(n=30,cutoff=9)"] {
        let outcome = place.run(&[&run(&["--db", "a.sfdb", "--algorithm"])[..], &[spec]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(" was opened in "), "{}", outcome.stderr);
    }
    std::fs::remove_file(place.path("x.csv")).unwrap();
    let refused = |spec, code, message| {
        place.fail(&[&run(&["--db", "a.sfdb", "--algorithm"])[..], &[spec]].concat(), code, message);
    };
    refused("knn-lrta*(n=31)", 1, ", but subgoals(n=31, ");
    refused("knn-lrta*(ties=low-g)", 1, "a.sfdb: this database is subgoals(n=30, ");
    refused("knn-lrta-2009*", 1, "a.sfdb: this database is subgoals(n=30, ");
    refused("a*", 2, "--db names a database, but a* needs none");
    place.fail(&run(&["--algorithm", "knn-lrta*", "--db", "a.sfdb", "--cache", "c"]), 2, "--cache");
    for name in ["b.map", "c.map"] {
        place.put(name, place.read("arena.map"));
        place.put(&format!("{name}.scen"), ARENA_SCEN);
    }
    let folder = ["run", "--map", ".", "--algorithm", "knn-lrta*", "--db", "a.sfdb", "--out", "x.csv"];
    place.fail(&folder, 2, "--db names the database of one map, but --map names 2 of them");
}

/// The bound on every move is held by the runner; learners, sliced searches and climbers all get through it.
#[test]
fn real_time_algorithms_walk() {
    let place = Workplace::with_arena();
    let specs = [
        "lrta*(d=2)",
        "lrts",
        "k-lrta*(expansions=4)",
        "rtaa*",
        "da-rtaa*",
        "p-lrta*(queue=3)",
        "tba*(slice=4)",
        "s-a*(slice=2)",
    ];
    let mut arguments = run("rows.csv", &[]);
    for spec in &specs {
        arguments.extend(["--algorithm", spec]);
    }
    let table = place.succeed(&arguments);
    assert_eq!(table.matches("3 of 4").count(), specs.len(), "{table}");
}
