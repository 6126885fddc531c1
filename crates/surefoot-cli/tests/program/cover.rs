//! Covers: `surefoot build`, `surefoot run` and `surefoot db` with them

use crate::build::{build, with_map};
use crate::json;

const SPECS: [&str; 2] = ["hcdps*(cutoff=10)", "dba*(sector=9)"];

#[test]
fn a_build_tells_what_it_made_and_does_not_depend_on_threads() {
    let place = with_map();
    for spec in SPECS {
        let text = place.succeed(&build(spec, "a.sfdb", &["--threads", "1"]));
        let wrote = format!("wrote         a.sfdb, database for {spec}\n");
        for part in [&wrote[..], "regions ", "paths ", " states a path", "pairs ", "bytes ", "time "] {
            assert!(text.contains(part), "{part} in {text}");
        }
        place.succeed(&build(spec, "b.sfdb", &["--threads", "3"]));
        assert!(place.read("a.sfdb") == place.read("b.sfdb"), "{spec}");
    }
    let in_one_go = "cover(climbs, cutoff=10, lossless=no, ties=high-g) is built in one go";
    place.fail(&build(SPECS[0], "c.sfdb", &["--shard", "1/2"]), 2, in_one_go);
}

#[test]
fn a_cover_is_looked_into() {
    let place = with_map();
    for spec in SPECS {
        place.succeed(&build(spec, "a.sfdb", &[]));
        let text = place.succeed(&["db", "info", "a.sfdb"]);
        for part in
            ["contents      cover, version 1\n", "built from    cover(", "regions ", "sections      conf "]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
        assert_eq!(info["contents"], "cover");
        assert!(info["regions"].as_u64() > Some(1) && info["paths"].as_u64() > Some(1));
        let text = place.succeed(&["db", "verify", "a.sfdb", "--map", "a.map"]);
        assert!(text.contains("every leg can be climbed, every chain is a cheapest one"), "{text}");
        place.succeed(&["db", "show", "a.sfdb", "--map", "a.map", "--out", "regions.svg"]);
        assert!(place.read("regions.svg").starts_with(b"<svg"));
        let show = ["db", "show", "a.sfdb", "--map", "a.map"];
        place.fail(&show, 2, "a.sfdb is shown in a picture; name it with --out");
        let record = [&show[..], &["--record", "1", "--out", "x.svg"]].concat();
        place.fail(&record, 2, "--record is for other databases");
    }
}

#[test]
fn agents_are_particular_about_their_covers() {
    let place = with_map();
    place.succeed(&build("dba*(sector=9)", "sectors.sfdb", &[]));
    let solve = |spec: &'static str| {
        [
            "run",
            "--map",
            "a.map",
            "--scen",
            "a.scen",
            "--algorithm",
            spec,
            "--db",
            "sectors.sfdb",
            "--out",
            "-",
        ]
    };
    place.succeed(&["problems", "a.map", "--count", "5", "--max-cost", "200", "--out", "a.scen"]);
    let text = place.succeed(&solve("dba*"));
    assert!(text.contains("dba*"), "{text}");
    place.fail(
        &solve("dba*(sector=8)"),
        1,
        "but cover(sectors, side=8, lossless=no, ties=high-g) is asked for",
    );
    place.fail(&solve("hcdps*"), 1, "sectors.sfdb: this database is cover(sectors, side=9");
}
