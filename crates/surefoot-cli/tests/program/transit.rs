//! Transit nodes: they stand in for beacons, and have files of their own

use crate::build::{build, with_map};
use crate::json;

#[test]
fn transit_nodes_are_built_and_looked_into() {
    let place = with_map();
    let built = place.succeed(&build("transit*", "a.sfdb", &[]));
    assert!(built.contains("wrote         a.sfdb, database for transit*\n"), "{built}");
    let text = place.succeed(&["db", "info", "a.sfdb"]);
    for part in ["contents      transit, version 1\n", "built from    transit nodes(reach=1000, left=500, "] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The file alone says what the build said.
    for label in ["nodes ", "legs ", "hubs ", "reach ", "promise ", "bytes "] {
        let line = built.lines().find(|line| line.starts_with(label)).unwrap();
        assert!(text.lines().any(|other| other == line), "{line} in {text}");
    }
    let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
    assert_eq!(info["bytes"], place.read("a.sfdb").len());
    for figure in ["nodes", "legs", "moves", "hubs", "most_legs", "most_hubs", "reach"] {
        assert!(info[figure].as_u64() > Some(1), "{figure} in {info}");
    }
    let text = place.succeed(&["db", "verify", "a.sfdb", "--map", "a.map", "--threads", "2"]);
    assert!(text.contains("all of it is what is built from the map anew"), "{text}");
    let show = ["db", "show", "a.sfdb", "--map", "a.map"];
    place.succeed(&[&show[..], &["--out", "nodes.svg"]].concat());
    assert!(place.text("nodes.svg").contains(">transit nodes</text>"));
    place.fail(&show, 2, "a.sfdb is shown in a picture; name it with --out");
    let level = [&show[..], &["--level", "1", "--out", "x.svg"]].concat();
    place.fail(&level, 2, "--level is for other databases; a.sfdb has transit nodes");
    place.fail(&build("transit*", "x", &["--shard", "1/2"]), 2, "is built in one go");
    // Its star may be left out, and the same again takes its place.
    place.succeed(&["build", "a.map", "--algorithm", "transit"]);
    // The bound is a parameter like that of beacons.
    let text = place.succeed(&build("transit*", "bound.sfdb", &["--bound", "100"]));
    assert!(text.contains("database for transit*(bound=100)\n"), "{text}");
}

#[test]
fn a_size_limit_chooses_fewer_nodes() {
    let place = with_map();
    let text = place.succeed(&build("transit*(left=1)", "small.sfdb", &["--size-limit", "1GB"]));
    assert!(
        text.contains("chosen        transit nodes(reach=1000, left=1, bound=auto), which fits"),
        "{text}"
    );
    // Fewer and fewer are tried, until the file and what agents look up fit, or there are none to try.
    let small = ["--size-limit", "100"];
    let outcome = place.run(&build("transit*", "small.sfdb", &small));
    let smallest = outcome.stderr.split("the smallest that was tried takes ").nth(1).unwrap();
    let smallest = smallest.split(';').next().unwrap().replace(',', "");
    assert_eq!(outcome.code, 1);
    let text = place.succeed(&build("beacon*", "small.sfdb", &["--size-limit", &smallest]));
    assert!(
        text.contains("tries that fits into ") && text.contains("chosen        transit nodes("),
        "{text}"
    );
    place.succeed(&["db", "verify", "small.sfdb", "--map", "a.map"]);
}
