//! Beacons: what `surefoot build` and `surefoot run` do if no algorithm is named, and `surefoot db` with them

use crate::build::with_map;
use crate::{Workplace, json};

#[test]
fn a_build_without_options_makes_beacons_beside_the_map() {
    let place = with_map();
    let text = place.succeed(&["build", "a.map"]);
    for part in [
        "wrote         a.sfdb, database for beacon*\n",
        "regions ",
        "beacons ",
        " of the trunk, and ",
        "legs ",
        "hubs ",
        "bytes ",
        "memory ",
        "time ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("chosen"), "{text}");
    assert_eq!(place.names(), ["a.map", "a.sfdb"]);
    // The same again takes its place, with the same bytes for any number of threads.
    let bytes = place.read("a.sfdb");
    place.succeed(&["build", "a.map", "--threads", "1"]);
    assert!(place.read("a.sfdb") == bytes);
    place.succeed(&["build", "a.map", "--seed", "2", "--threads", "3"]);
    assert!(place.read("a.sfdb") != bytes);
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
fn a_size_limit_is_kept() {
    let place = with_map();
    let size = |limit: &str| {
        let text = place.succeed(&["build", "a.map", "--size-limit", limit]);
        let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
        let figure = |name: &str| info[name].as_u64().unwrap();
        (text, figure("bytes").max(figure("memory_bytes")), info["config"].as_str().unwrap().to_owned())
    };
    let (text, whole, config) = size("1GB");
    assert!(text.contains("chosen        beacon*, the default fits into 1,000,000,000 bytes\n"), "{text}");
    assert!(config.starts_with("beacons(cutoff=auto, problems=auto, slack=100,"), "{config}");
    let limit = whole * 9 / 10;
    let (text, smaller, config) = size(&limit.to_string());
    assert!(smaller <= limit, "{smaller} of {limit}");
    assert!(text.contains("database for beacon*(") && text.contains("tries that fits into"), "{text}");
    assert!(!config.contains("slack=100,"), "{config}");
    // Agents take what is there, whatever it was built from.
    place.succeed(&["problems", "a.map", "--count", "5", "--max-cost", "200", "--out", "a.scen"]);
    let run = ["run", "--map", "a.map", "--scen", "a.scen", "--db", "a.sfdb", "--out", "rows.csv"];
    let text = place.succeed(&run);
    assert!(text.contains("beacon*") && text.contains("5 of 5"), "{text}");
    // Without a database one is built first.
    let text = place.succeed(&["run", "--map", "a.map", "--scen", "a.scen", "--out", "rows.csv"]);
    assert!(text.contains("beacon*") && text.contains("5 of 5"), "{text}");
    let before = place.read("a.sfdb");
    place.fail(
        &["build", "a.map", "--size-limit", "100"],
        1,
        "no beacons of this map fit into 100 bytes: the smallest",
    );
    assert!(place.read("a.sfdb") == before);
    for (more, message) in [
        (&["--size-limit", "much"][..], "expected a size"),
        (&["--size-limit", "1MB", "--algorithm", "pra*"], "--size-limit chooses the parameters of beacon*"),
    ] {
        place.fail(&[&["build", "a.map"], more].concat(), 2, message);
    }
}

#[test]
fn parameters_that_are_given_stay() {
    let place = with_map();
    place.succeed(&["build", "a.map", "--algorithm", "beacon*(slack=30,cutoff=9)", "--out", "whole.sfdb"]);
    let whole = json(&place.succeed(&["db", "info", "whole.sfdb", "--json"]));
    let limit = (whole["memory_bytes"].as_u64().unwrap() - 1).to_string();
    // The problems are left to choose.
    let text = place.succeed(&[
        "build",
        "a.map",
        "--algorithm",
        "beacon*(slack=30,cutoff=9)",
        "--size-limit",
        &limit,
        "--out",
        "b.sfdb",
    ]);
    assert!(text.contains("beacon*(slack=30,cutoff=9,problems=0), the first of 2 tries"), "{text}");
    let given = [
        "build",
        "a.map",
        "--algorithm",
        "beacon*(slack=30,cutoff=9,problems=0)",
        "--size-limit",
        "9",
        "--out",
        "c.sfdb",
    ];
    place.fail(&given, 1, "the smallest, of 1 set of parameters, take");
}

#[test]
fn beacons_are_looked_into() {
    let place = with_map();
    place.succeed(&["build", "a.map", "--algorithm", "beacon*(cutoff=8,problems=300,slack=20)"]);
    let text = place.succeed(&["db", "info", "a.sfdb"]);
    for part in [
        "contents      beacons, version 1\n",
        "built from    beacons(cutoff=8, problems=300, slack=20, seed=1, ties=high-g)\n",
        "regions ",
        "memory ",
        "sections      conf ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
    assert_eq!(info["contents"], "beacons");
    for figure in ["regions", "trunk", "legs", "hubs", "memory_bytes"] {
        assert!(info[figure].as_u64() > Some(1), "{figure}");
    }
    let text = place.succeed(&["db", "verify", "a.sfdb", "--map", "a.map", "--threads", "2"]);
    for part in [
        "each with climbs to the beacon of its region and back",
        "every leg can be climbed both ways",
        "built from the map anew",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let show = ["db", "show", "a.sfdb", "--map", "a.map"];
    place.succeed(&[&show[..], &["--out", "regions.svg"]].concat());
    assert!(place.read("regions.svg").starts_with(b"<svg"));
    place.fail(&show, 2, "regions are shown in a picture");
    place.fail(&[&show[..], &["--level", "1", "--out", "x.svg"]].concat(), 2, "a.sfdb has beacons and legs");
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
fn the_way_of_an_agent_is_shown() {
    let place = with_wall();
    let show = ["db", "show", "a.sfdb", "--map", "a.map", "--from", "3,9", "--to", "37,9"];
    let text = place.succeed(&show);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("next"), "{text}");
    assert!(lines.iter().any(|line| line.contains(" beacon ")), "{text}");
    assert!(
        lines.last().unwrap().starts_with("(37, 9)") && lines.last().unwrap().contains("the goal"),
        "{text}"
    );
    place.succeed(&[&show[..], &["--out", "way.svg"]].concat());
    assert!(place.read("way.svg").starts_with(b"<svg"));
    let inside = ["db", "show", "a.sfdb", "--map", "a.map", "--from", "20,9", "--to", "37,9"];
    place.fail(&inside, 1, "(20, 9)");
    // The walk is that of `surefoot solve`.
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
        lines[1..].iter().filter_map(|line| line.split_whitespace().rev().nth(1)?.parse::<u64>().ok()).sum();
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
