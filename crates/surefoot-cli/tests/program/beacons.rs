//! Beacons: what `surefoot build` and `surefoot run` do if no algorithm is named, and `surefoot db` with them

use crate::build::with_map;
use crate::{Workplace, json};

#[test]
fn a_build_without_options_makes_beacons_beside_the_map() {
    let place = with_map();
    let text = place.succeed(&["build", "a.map"]);
    for part in [
        "wrote         a.sfdb, database for beacon*\n",
        "corners ",
        "legs ",
        "hubs ",
        " a corner, ",
        "bytes ",
        "memory ",
        "a move        a decision looks up at most ",
        ", a corner at most ",
        "time ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("chosen") && !text.contains("the unit waits"), "{text}");
    assert_eq!(place.names(), ["a.map", "a.sfdb"]);
    // The same again takes its place, with the same bytes for any number of threads.
    let bytes = place.read("a.sfdb");
    place.succeed(&["build", "a.map", "--threads", "1"]);
    assert!(place.read("a.sfdb") == bytes);
    place.succeed(&["build", "a.map", "--threads", "3"]);
    assert!(place.read("a.sfdb") == bytes);
    place.fail(&["build", "a.map", "--shard", "1/2", "--out", "x"], 2, "is built in one go");
}

#[test]
fn nothing_else_is_replaced_unless_it_is_named() {
    let place = with_map();
    place.put("a.sfdb", "what I wrote last year");
    place.fail(&["build", "a.map"], 1, "cannot write a.sfdb: it is there already, and it is no database");
    place.succeed(&["build", "a.map", "--algorithm", "knn-lrta*(n=50)", "--out", "a.sfdb"]);
    let records = place.read("a.sfdb");
    place.fail(&["build", "a.map"], 1, "it is a database of another kind; name a file with --out");
    assert!(place.read("a.sfdb") == records);
    place.succeed(&["build", "a.map", "--algorithm", "knn-lrta*(n=60)"]);
    assert!(place.read("a.sfdb") != records);
    place.succeed(&["build", "a.map", "--out", "a.sfdb"]);
    place.fail(&["build", "a.map", "--shard", "1/2"], 2, "--out <FILE>");
}

#[test]
fn what_was_found_is_told_before_labels_are_begun() {
    let place = with_map();
    let outcome = place.run(&["build", "a.map"]);
    let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
    let told = format!("building a.sfdb: {} corners, {} legs between them\n", info["corners"], info["legs"]);
    assert!(outcome.stderr.replace(',', "").contains(&told.replace(',', "")), "{}", outcome.stderr);
    // Whoever did not ask for a database is not told what is in it.
    place.succeed(&["problems", "a.map", "--count", "2", "--max-cost", "99", "--out", "a.scen"]);
    let outcome = place.run(&["run", "--map", "a.map", "--scen", "a.scen", "--out", "rows.csv"]);
    assert!(!outcome.stderr.contains("legs between them"), "{}", outcome.stderr);
}

#[test]
fn a_size_limit_is_kept() {
    let place = with_map();
    let text = place.succeed(&["build", "a.map", "--size-limit", "1GB"]);
    assert!(
        text.contains("chosen        beacons(bound=auto,labels=auto), which fits into 1,000,000,000 bytes\n"),
        "{text}"
    );
    let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
    assert_eq!(info["config"], "beacons(bound=auto,labels=auto)");
    // Agents take what is there, whatever it was built from.
    place.succeed(&["problems", "a.map", "--count", "5", "--max-cost", "200", "--out", "a.scen"]);
    let run = ["run", "--map", "a.map", "--scen", "a.scen", "--db", "a.sfdb", "--out", "rows.csv"];
    let text = place.succeed(&run);
    assert!(text.contains("beacon*") && text.contains("5 of 5"), "{text}");
    // Without a database one is built first.
    let text = place.succeed(&["run", "--map", "a.map", "--scen", "a.scen", "--out", "rows.csv"]);
    assert!(text.contains("beacon*") && text.contains("5 of 5"), "{text}");
    let before = place.read("a.sfdb");
    let small = ["build", "a.map", "--size-limit", "100"];
    place.fail_late(
        &small,
        1,
        "no database of this map fits into 100 bytes: the smallest that was tried takes ",
    );
    assert!(place.read("a.sfdb") == before);
    for (more, message) in [
        (&["--size-limit", "much"][..], "expected a size"),
        (
            &["--size-limit", "1MB", "--algorithm", "pra*"],
            "--size-limit chooses among databases; for pra* there is one",
        ),
    ] {
        place.fail(&[&["build", "a.map"], more].concat(), 2, message);
    }
}

/// Only the core has labels: that takes less room, is said, and walks are as long as ever.
#[test]
fn the_core_alone_can_have_labels() {
    let place = with_map();
    place.succeed(&["build", "a.map", "--out", "all.sfdb"]);
    let text =
        place.succeed(&["build", "a.map", "--algorithm", "beacon*(labels=core)", "--out", "core.sfdb"]);
    assert!(text.contains(" of them are the core and have labels\n"), "{text}");
    assert!(text.contains("promise       every walk costs what a cheapest path costs\n"), "{text}");
    let info = |file: &str| json(&place.succeed(&["db", "info", file, "--json"]));
    let (all, core) = (info("all.sfdb"), info("core.sfdb"));
    assert_eq!((&all["is_thin"], &core["is_thin"]), (&false.into(), &true.into()));
    assert_eq!((&all["corners"], &all["legs"]), (&core["corners"], &core["legs"]));
    for less in ["core", "hubs", "bytes", "memory_bytes"] {
        assert!(core[less].as_u64() < all[less].as_u64(), "{less}: {core} {all}");
    }
    // It is what a limit chooses if the labels of all do not fit.
    let limit = core["memory_bytes"].to_string();
    let text = place.succeed(&["build", "a.map", "--size-limit", &limit, "--out", "small.sfdb"]);
    assert!(
        text.contains("chosen        beacons(bound=auto,labels=core), the first of 2 tries that fits into "),
        "{text}"
    );
    assert!(place.read("small.sfdb") == place.read("core.sfdb"));
    place.succeed(&["db", "verify", "core.sfdb", "--map", "a.map"]);
    place.succeed(&["db", "show", "core.sfdb", "--map", "a.map", "--out", "core.svg"]);
    let svg = String::from_utf8(place.read("core.svg")).unwrap();
    assert!(svg.contains(">corners of the core, which have labels</text>"));
    place.succeed(&["problems", "a.map", "--count", "20", "--max-cost", "300", "--out", "a.scen"]);
    let costs = |db: &str| {
        let run = ["run", "--map", "a.map", "--scen", "a.scen", "--db", db, "--out", "rows.csv"];
        let text = place.succeed(&run);
        assert!(text.contains("20 of 20"), "{text}");
        text.lines()
            .find(|line| line.contains("beacon*"))
            .map(|line| line.split_whitespace().take(5).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(costs("all.sfdb"), costs("core.sfdb"));
    place.fail(&["build", "a.map", "--algorithm", "beacon*(labels=few)"], 2, "expected auto, all or core");
}

#[test]
fn a_bound_spreads_decisions() {
    let place = with_map();
    place.succeed(&["build", "a.map", "--out", "free.sfdb"]);
    let text = place.succeed(&["build", "a.map", "--bound", "500"]);
    for part in [
        "database for beacon*(bound=500)\n",
        "a decision looks up at most 500, a corner at most ",
        "; one that takes more is spread over the first moves, while the unit waits\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let decision = |file: &str| {
        let info = json(&place.succeed(&["db", "info", file, "--json"]));
        info["decision"].as_u64().unwrap()
    };
    assert!(decision("a.sfdb") == 500 && decision("free.sfdb") > 500);
    // The parameter is the same.
    let spec = ["build", "a.map", "--algorithm", "beacon*(bound=500)", "--out", "spec.sfdb"];
    place.succeed(&spec);
    assert!(place.read("spec.sfdb") == place.read("a.sfdb"));
    // Walks are as long as ever.
    place.succeed(&[
        "problems",
        "a.map",
        "--count",
        "20",
        "--min-cost",
        "60",
        "--max-cost",
        "300",
        "--out",
        "a.scen",
    ]);
    let walked = |file: &str| {
        let out = ["--db", file, "--out", "rows.jsonl"];
        place.succeed(&[&["run", "--map", "a.map", "--scen", "a.scen"][..], &out].concat());
        let rows = String::from_utf8(place.read("rows.jsonl")).unwrap();
        let rows: Vec<_> = rows.lines().map(json).collect();
        let costs: Vec<f64> = rows.iter().filter_map(|row| row["travel_cost"].as_f64()).collect();
        (costs, rows.iter().filter_map(|row| row["probes_max"].as_u64()).max().unwrap())
    };
    let ((costs, most), (expected, without)) = (walked("a.sfdb"), walked("free.sfdb"));
    assert_eq!((costs.len(), &costs), (20, &expected));
    assert!(most <= 500 || most < without, "{most} {without}");
    for (more, message) in [
        (&["--bound", "0"][..], "--bound"),
        (&["--bound", "9", "--algorithm", "pra*"], "--bound is for beacon*"),
        (&["--bound", "9", "--algorithm", "beacon*(bound=8)"], "both name a bound; leave one of them out"),
    ] {
        place.fail(&[&["build", "a.map"], more].concat(), 2, message);
    }
}

#[test]
fn beacons_are_looked_into() {
    let place = with_map();
    let built = place.succeed(&["build", "a.map"]);
    let text = place.succeed(&["db", "info", "a.sfdb"]);
    for part in [
        "contents      beacons, version 1\n",
        "built from    beacons(bound=auto,labels=auto)\n",
        "sections      conf ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The file alone says what the build said.
    for label in ["corners ", "legs ", "hubs ", "promise ", "bytes ", "memory ", "a move "] {
        let line = built.lines().find(|line| line.starts_with(label)).unwrap();
        assert!(text.lines().any(|other| other == line), "{line} in {text}");
    }
    let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
    assert_eq!(info["contents"], "beacons");
    for figure in
        ["corners", "legs", "hubs", "most_legs", "most_hubs", "bytes", "memory_bytes", "decision", "next_leg"]
    {
        assert!(info[figure].as_u64() > Some(1), "{figure}");
    }
    let text = place.succeed(&["db", "verify", "a.sfdb", "--map", "a.map", "--threads", "2"]);
    for part in ["corners ", "legs ", "all of it is what is built from the map anew"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let show = ["db", "show", "a.sfdb", "--map", "a.map"];
    place.succeed(&[&show[..], &["--out", "corners.svg"]].concat());
    let svg = String::from_utf8(place.read("corners.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains(">legs between them</text>"));
    place.succeed(&[&show[..], &["--out", "corners.png"]].concat());
    place.fail(&show, 2, "a.sfdb is shown in a picture; name it with --out");
    place.fail(&[&show[..], &["--level", "1", "--out", "x.svg"]].concat(), 2, "a.sfdb has corners and legs");
}

/// Files from before there was a core are of the same contents, but have no such section.
#[test]
fn files_from_before_are_to_be_built_anew() {
    let place = with_wall();
    let mut bytes = place.read("a.sfdb");
    let tag = bytes.windows(4).position(|bytes| bytes == b"figs").unwrap();
    bytes[tag..tag + 4].copy_from_slice(b"regn");
    let end = bytes.len() - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    place.put("old.sfdb", bytes);
    let message = "build it anew";
    place.fail(&["db", "info", "old.sfdb"], 1, message);
    place.fail(&["db", "verify", "old.sfdb", "--map", "a.map"], 1, message);
    let solve = ["solve", "--map", "a.map", "--start", "3,9", "--goal", "37,9", "--db", "old.sfdb"];
    place.fail(&solve, 1, message);
}

/// A wall with two gaps: whoever wants to get across has to bend.
fn with_wall() -> Workplace {
    let place = Workplace::empty();
    let row = |y: usize| {
        if y == 1 || y == 17 { ".".repeat(40) } else { format!("{}@{}", ".".repeat(20), ".".repeat(19)) }
    };
    let rows: Vec<String> = (0..20).map(row).collect();
    place.put("a.map", format!("type octile\nheight 20\nwidth 40\nmap\n{}\n", rows.join("\n")));
    place.succeed(&["build", "a.map"]);
    place
}

#[test]
fn a_way_is_shown() {
    let place = with_wall();
    let show = ["db", "show", "a.sfdb", "--map", "a.map", "--from", "3,9", "--to", "37,9"];
    let text = place.succeed(&show);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("next"), "{text}");
    assert!(lines.iter().any(|line| line.contains(" corner ")), "{text}");
    let goal = lines.iter().find(|line| line.contains("the goal")).unwrap();
    assert!(goal.starts_with("(37, 9)"), "{text}");
    let last = lines.last().unwrap();
    assert!(last.starts_with("The way costs ") && last.contains(" meet at corner "), "{text}");
    let picture = [&show[..], &["--out", "way.svg"]].concat();
    place.succeed(&picture);
    let svg = String::from_utf8(place.read("way.svg")).unwrap();
    for words in [
        "corners and legs",
        "the way and its turns",
        "the first corner and its hubs",
        "the last corner and its hubs",
        "the hub where they meet",
    ] {
        assert!(svg.contains(&format!(">{words}</text>")), "{words}");
    }
    roxmltree::Document::parse(&svg).unwrap();
    place.succeed(&[&show[..], &["--out", "way.png"]].concat());
    // Where one leg leads there, there is nothing to meet.
    let straight = ["db", "show", "a.sfdb", "--map", "a.map", "--from", "3,9", "--to", "9,5"];
    assert!(place.succeed(&straight).ends_with("A single leg leads there.\n"));
    place.succeed(&[&straight[..], &["--out", "straight.svg"]].concat());
    assert!(!String::from_utf8(place.read("straight.svg")).unwrap().contains("hub"));
    let inside = ["db", "show", "a.sfdb", "--map", "a.map", "--from", "20,9", "--to", "37,9"];
    place.fail(&inside, 1, "(20, 9)");
    // It is as long as the walk of `surefoot solve`.
    let solve = [
        "solve",
        "--map",
        "a.map",
        "--start",
        "3,9",
        "--goal",
        "37,9",
        "--algorithm",
        "beacon*",
        "--db",
        "a.sfdb",
        "--json",
    ];
    let solved = json(&place.succeed(&solve));
    let moves: u64 =
        lines[2..].iter().filter_map(|line| line.split_whitespace().rev().nth(1)?.parse::<u64>().ok()).sum();
    assert_eq!(solved["moves"].as_u64(), Some(moves), "{text}");
}

#[test]
fn damage_is_told() {
    let place = with_wall();
    let bytes = place.read("a.sfdb");
    place.put("a.sfdb", &bytes[..bytes.len() - 1]);
    place.fail(&["db", "info", "a.sfdb"], 1, "a.sfdb: ");
    place.put("a.sfdb", bytes);
    place.put("b.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    place.fail(&["db", "verify", "a.sfdb", "--map", "b.map"], 1, "a.sfdb: ");
    place.put("b.scen", "version 1\n0\tb.map\t3\t2\t0\t0\t2\t1\t2.41421356\n");
    let run = ["run", "--map", "b.map", "--scen", "b.scen", "--db", "a.sfdb", "--out", "x.csv"];
    place.fail(&run, 1, "a.sfdb: ");
}
