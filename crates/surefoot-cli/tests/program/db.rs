//! `surefoot db`, and files that are no databases

use surefoot::formats::parse_map;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_classics::knn::{Record, SubgoalConfig, SubgoalDatabase};

use crate::{ARENA, Workplace, json};

/// A folder with the arena and databases of its ground and of its water.
fn with_databases() -> Workplace {
    let place = Workplace::with_arena();
    for (out, passable) in [("ground.sfdb", "ground"), ("water.sfdb", "water")] {
        let spec = "knn-lrta*(n=40)";
        place.succeed(&["build", "arena.map", "--algorithm", spec, "--passable", passable, "--out", out]);
    }
    place
}

#[test]
fn info_needs_no_map() {
    let place = with_databases();
    std::fs::remove_file(place.path("arena.map")).unwrap();
    let text = place.succeed(&["db", "info", "ground.sfdb"]);
    for part in [
        "contents      subgoals, version 1\n",
        "built from    subgoals(n=40, form=compressed, ties=high-g, pairs=random, paths=jps, seed=1)\n",
        "built for     a map of 10 x 6 cells, rule no-cut, cost sqrt2, fingerprint ",
        "records       40\n",
        " states a cell, ",
        "ends 320, grps 12, ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let info = json(&place.succeed(&["db", "info", "ground.sfdb", "--json"]));
    assert_eq!((&info["contents"], &info["version"]), (&"subgoals".into(), &1.into()));
    let world = &info["built_for"];
    assert_eq!(
        (&world["width"], &world["height"], &world["rule"]),
        (&10.into(), &6.into(), &"no-cut".into())
    );
    let number = |key: &str| info[key].as_f64().unwrap();
    assert_eq!(number("records"), 40.0);
    assert_eq!(number("bytes"), place.read("ground.sfdb").len() as f64);
    assert_eq!(number("paper_bytes"), 4.0 * number("states"));
    assert!((number("relative_size") - number("states") / 60.0).abs() < 1e-9);
    let in_sections: u64 =
        info["sections"].as_array().unwrap().iter().map(|section| section["bytes"].as_u64().unwrap()).sum();
    assert!(in_sections < number("bytes") as u64 && in_sections > 320);
}

#[test]
fn a_sound_database_is_verified() {
    let place = with_databases();
    // Ground and water are found by themselves.
    for file in ["ground.sfdb", "water.sfdb"] {
        let text = place.succeed(&["db", "verify", file, "--map", "arena.map", "--sample", "200"]);
        assert!(text.contains("every leg can be climbed") && text.contains("200 random problems"), "{text}");
        let shares = text.lines().filter_map(|line| line.split(" %").next().filter(|_| line.contains(" %")));
        let sum: f64 =
            shares.map(|line| line.split_whitespace().last().unwrap().parse::<f64>().unwrap()).sum();
        assert!((sum - 100.0).abs() < 0.2, "{text}");
    }
    place.succeed(&["build", "arena.map", "--algorithm", "knn-lrta-2009*(n=40)", "--out", "first.sfdb"]);
    let text = place.succeed(&["db", "verify", "first.sfdb", "--map", "arena.map", "--threads", "1"]);
    assert!(text.contains("as knn-lrta-2009* begins them"), "{text}");
}

#[test]
fn a_broken_promise_is_found() {
    let place = Workplace::with_arena();
    let grid = parse_map(ARENA.as_bytes()).unwrap().grid(TerrainSet::GROUND);
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let spec = "knn-lrta*(n=1)".parse().unwrap();
    let config = ROSTER.database_for(&spec, 1).unwrap().unwrap();
    let config = *config.downcast_ref::<SubgoalConfig>().unwrap();
    let state = |x, y| space.state_at(Cell::new(x, y)).unwrap();
    // From one side of the locked room to the other there is a way, but none that a climber finds.
    let records = vec![Record { number: 0, states: vec![state(4, 0), state(4, 5)] }];
    let database = SubgoalDatabase::assemble(&space, config, records).unwrap();
    place.put("broken.sfdb", database.as_bytes());
    let message = "broken.sfdb: record 0 is broken: a climb from (4, 0) does not get to (4, 5)";
    place.fail(&["db", "verify", "broken.sfdb", "--map", "arena.map"], 1, message);
}

#[test]
fn databases_are_drawn() {
    let place = with_databases();
    let show = |more: &[&'static str]| [&["db", "show", "ground.sfdb", "--map", "arena.map"], more].concat();
    place.succeed(&show(&["--out", "all.svg"]));
    let svg = place.text("all.svg");
    // Starts, ends and subgoals.
    for colour in ["#009e73", "#d55e00", "#0072b2"] {
        assert!(svg.contains(&format!("<path fill=\"{colour}\" d=\"M")), "{colour} in {svg}");
    }
    place.succeed(&show(&["--record", "3", "--out", "one.svg"]));
    let svg = place.text("one.svg");
    assert!(svg.contains("<polyline") && svg.contains("<circle"), "{svg}");
    place.succeed(&show(&["--out", "all.png"]));
    assert!(place.read("all.png").starts_with(b"\x89PNG"));
    place.fail(
        &show(&["--record", "40", "--out", "x.png"]),
        2,
        "ground.sfdb: there is no record 40, only 0 to 39",
    );
    place.fail(&show(&["--out", "x.gif"]), 1, "ends with .png or .svg");
    place.fail(&show(&["--out", "ground.sfdb"]), 1, "it is also the file to read");
}

#[test]
fn the_levels_of_an_abstraction_are_shown() {
    let place = with_databases();
    place.succeed(&["build", "arena.map", "--algorithm", "pra*", "--out", "levels.sfdb"]);
    let show = |more: &[&'static str]| [&["db", "show", "levels.sfdb", "--map", "arena.map"], more].concat();
    let table = place.succeed(&show(&[]));
    let head = "level  nodes  edges  degree  children  largest group  orphans  tops  bytes";
    assert_eq!(table.lines().next(), Some(head));
    let rows: Vec<Vec<&str>> = table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
    let number = |row: usize, column: usize| rows[row][column].parse::<u64>().unwrap();
    assert_eq!(
        number(0, 1),
        ARENA.lines().skip(4).flat_map(str::bytes).filter(|&cell| cell == b'.').count() as u64
    );
    assert_eq!(rows[0][4..7], ["-"; 3]);
    assert!(rows.len() > 2 && (1..rows.len()).all(|row| number(row, 1) < number(row - 1, 1)), "{table}");

    place.succeed(&show(&["--render", "levels.svg"]));
    let sheet = place.text("levels.svg");
    assert_eq!(sheet.matches("font-weight=\"bold\"").count(), rows.len() - 1);
    place.succeed(&show(&["--level", "2", "--out", "regions.svg"]));
    place.succeed(&["map", "render", "arena.map", "--level", "2", "--out", "same.svg"]);
    assert!(place.text("regions.svg") == place.text("same.svg"));
    place.fail(
        &show(&["--level", "99", "--out", "x.svg"]),
        2,
        "levels.sfdb: there is no level 99, only 1 to ",
    );
    place.fail(&show(&["--level", "1"]), 2, "name a picture with --out");
    place.fail(
        &show(&["--record", "1", "--out", "x.svg"]),
        2,
        "--record is for other databases; levels.sfdb has levels",
    );
    let records = ["db", "show", "ground.sfdb", "--map", "arena.map"];
    place.fail(&records, 2, "ground.sfdb is shown in a picture; name it with --out");
    place.fail(&[&records[..], &["--level", "1", "--out", "x.svg"]].concat(), 2, "ground.sfdb has records");
}

/// Every command that opens a database, on `file`.
fn fails_everywhere(place: &Workplace, file: &str, message: &str) {
    let run =
        ["run", "--map", "arena.map", "--scen", "arena.scen", "--algorithm", "knn-lrta*", "--out", "x.csv"];
    let solve =
        ["solve", "--map", "arena.map", "--start", "0,0", "--goal", "9,5", "--algorithm", "knn-lrta*"];
    place.fail(&["db", "verify", file, "--map", "arena.map"], 1, message);
    place.fail(&["db", "show", file, "--map", "arena.map", "--out", "x.png"], 1, message);
    place.fail(&[&run[..], &["--db", file]].concat(), 1, message);
    place.fail(&[&solve[..], &["--db", file]].concat(), 1, message);
}

#[test]
fn damaged_files_are_told_in_one_line() {
    let place = with_databases();
    let whole = place.read("ground.sfdb");
    for (length, message) in [
        (0, "this is no surefoot database"),
        (7, "this is no surefoot database"),
        (15, "it was cut off or added to"),
        (whole.len() / 2, "it was cut off or added to"),
        (whole.len() - 1, "it was cut off or added to"),
    ] {
        place.put("bad.sfdb", &whole[..length]);
        place.fail(&["db", "info", "bad.sfdb"], 1, message);
        fails_everywhere(&place, "bad.sfdb", message);
    }
    for (at, message) in [
        (0, "this is no surefoot database"),
        (9, "use a newer program"),
        (14, "cut off or added to"),
        (25, "it is damaged; make it anew"),
        (whole.len() / 2, "it is damaged; make it anew"),
        (whole.len() - 1, "it is damaged; make it anew"),
    ] {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        place.put("bad.sfdb", bad);
        place.fail(&["db", "info", "bad.sfdb"], 1, message);
        fails_everywhere(&place, "bad.sfdb", message);
    }
    for (file, message) in
        [("nowhere", "nowhere: no such file"), (".", ".: this is a folder"), ("arena.map", "arena.map: ")]
    {
        place.fail(&["db", "info", file], 1, message);
        fails_everywhere(&place, file, message);
    }
}

#[test]
fn a_database_of_another_map_is_refused() {
    let place = with_databases();
    // One cell more is free.
    place.put("arena.map", ARENA.replace("....T..", ".......").replace(".T..", "...."));
    let message = "ground.sfdb: this database was built for a map of 10 x 6 cells";
    place.fail(&["db", "info", "arena.map"], 1, "this is no surefoot database");
    fails_everywhere(&place, "ground.sfdb", message);
    let place = with_databases();
    let solve =
        ["solve", "--map", "arena.map", "--start", "0,0", "--goal", "9,5", "--algorithm", "knn-lrta*"];
    for other in [&["--rule", "squeeze"][..], &["--cost", "1.4"], &["--passable", ".W"]] {
        place.fail(&[&solve[..], &["--db", "ground.sfdb"], other].concat(), 1, message);
    }
    place.succeed(&[&solve[..], &["--db", "ground.sfdb"]].concat());
}
