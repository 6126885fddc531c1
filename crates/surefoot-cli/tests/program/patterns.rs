//! Pattern databases: `surefoot build`, `surefoot merge` and `surefoot db` with them

use std::process::Stdio;

use surefoot::search::Ties;
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainSet};
use surefoot::store::part::Part;
use surefoot_classics::ROSTER;
use surefoot_classics::d_lrta::{
    PatternBuilder, PatternConfig, PatternContents, PatternScratch, RegionId, Trace,
};

use crate::build::{build, wait_for, with_map};
use crate::{Workplace, json};

const SPEC: &str = "d-lrta*(level=3)";

#[test]
fn a_build_tells_what_it_made() {
    let place = with_map();
    let text = place.succeed(&build(SPEC, "a.sfdb", &[]));
    for part in ["wrote         a.sfdb, database for d-lrta*(level=3)\n", "regions ", "pairs ", " a pair\n"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = place.succeed(&build(SPEC, "a.1", &["--shard", "1/3"]));
    assert!(text.contains("shard 1 of 3 for") && text.contains("goal regions "), "{text}");
    assert_eq!(place.names(), ["a.1", "a.map", "a.sfdb"]);
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_shards() {
    let place = with_map();
    for (spec, more) in [
        (SPEC, &[][..]),
        ("d-lrta*(level=6)", &["--rule", "squeeze", "--cost", "1.4"]),
        ("lrta*(f,pdb,level=2)", &["--passable", "water"]),
        ("lrta*(pdb,g,level=5,cap=5)", &[]),
        ("lrta*(pdb,pdb,level=3,cap=5)", &[]),
        ("d-lrta*(level=64)", &[]),
    ] {
        let make = |out, threads, own: &[&'static str]| {
            place.succeed(&build(spec, out, &[more, &["--threads", threads], own].concat()));
        };
        make("one", "1", &[]);
        make("two", "2", &[]);
        assert!(place.read("one") == place.read("two"), "{spec}");
        let mut merge = vec!["merge", "--out", "merged", "--map", "a.map"];
        for (shard, name) in
            [("4/7", "d"), ("2/7", "b"), ("7/7", "g"), ("1/7", "a"), ("3/7", "c"), ("6/7", "f"), ("5/7", "e")]
        {
            make(name, "3", &["--shard", shard]);
            merge.push(name);
        }
        make("again", "1", &["--shard", "4/7"]);
        assert!(place.read("again") == place.read("d"), "{spec}");
        // The rule and the costs are those of the shards; so is what is passable, if it is ground or water.
        let text = place.succeed(&merge);
        assert!(text.contains("wrote         merged, patterns(level="), "{text}");
        assert!(place.read("one") == place.read("merged"), "{spec}");
    }
}

#[test]
fn parts_that_make_no_database_are_named() {
    let place = with_map();
    place.succeed(&build(SPEC, "first", &["--shard", "1/2"]));
    place.succeed(&build(SPEC, "second", &["--shard", "2/2"]));
    place.succeed(&build("d-lrta*(level=4)", "higher", &["--shard", "2/2"]));
    place.succeed(&build("knn-lrta*(n=100)", "records", &["--shard", "2/2"]));
    place.succeed(&["map", "generate", "game", "--width", "128", "--height", "128", "--out", "b.map"]);
    let whole = place.read("second");
    place.put("short", &whole[..whole.len() - 1]);
    for (parts, code, message) in [
        (&["first", "second"][..], 1, "is put together with its map: name it (--map)"),
        (&["first", "second", "--map", "b.map"], 1, "was built for a map of 128 x 128 cells"),
        (&["first", "second", "--map", "a.map", "--passable", "water"], 1, "was built for a map of"),
        (&["first", "second", "--passable", "water"], 2, "--map"),
        (&["first", "--map", "a.map"], 1, "shard 2 of 2 is missing"),
        (&["first", "higher", "--map", "a.map"], 1, "higher: it does not belong to first"),
        (&["first", "records", "--map", "a.map"], 1, "records: it does not belong to first"),
        (&["first", "short", "--map", "a.map"], 1, "short: it is damaged from byte "),
    ] {
        place.fail(&[&["merge", "--out", "x"], parts].concat(), code, message);
    }
    place.fail(&["merge", "first", "second", "--map", "a.map", "--out", "a.map"], 1, "also the file to read");
    // With a map, records are checked against it.
    place.succeed(&build("knn-lrta*(n=100)", "other", &["--shard", "1/2"]));
    place.succeed(&["merge", "other", "records", "--map", "a.map", "--out", "x"]);
    place.fail(&["merge", "other", "records", "--map", "b.map", "--out", "x"], 1, "was built for a map of");
}

#[test]
fn few_regions_are_a_block_each() {
    let place = with_map();
    place.succeed(&build("d-lrta*(level=7)", "part", &["--shard", "1/1"]));
    let part = Part::from_bytes(&place.read("part"), ROSTER.kinds()).unwrap();
    let regions = part.head.plan.division().pieces;
    assert_eq!(part.head.plan.kind().name, "patterns");
    assert!(regions > 1 && part.blocks.len() as u64 == regions, "{regions} regions");
}

#[test]
fn a_journal_goes_on_from_wherever_it_was_cut_off() {
    let place = with_map();
    place.succeed(&build(SPEC, "whole", &[]));
    place.succeed(&build(SPEC, "shard", &["--shard", "1/1"]));
    let journal = place.read("shard");
    let mut from_journal = 0;
    for length in [0, 30, 100, 200, journal.len() / 3, journal.len() / 2, journal.len() - 1, journal.len()] {
        place.put("b.sfdb.journal", &journal[..length]);
        let text = place.succeed(&build(SPEC, "b.sfdb", &["--resume"]));
        assert!(place.read("b.sfdb") == place.read("whole"), "{length}");
        assert!(!place.path("b.sfdb.journal").exists(), "{length}");
        from_journal += u32::from(text.contains("regions were in the journal"));
    }
    assert_eq!(from_journal, 4);
    place.put("b.sfdb.journal", &journal);
    let other = |spec, more: &[&'static str], message| {
        place.fail(&build(spec, "b.sfdb", &[&["--resume"], more].concat()), 1, message);
    };
    other("d-lrta*(level=2)", &[], "patterns(level=2, ");
    other(SPEC, &["--rule", "squeeze"], "rule squeeze");
    other("knn-lrta*(n=9)", &[], "subgoals(n=9, ");
    assert!(place.read("b.sfdb.journal") == journal);
}

/// Some times the builder is killed without a warning, early or late; each time the next one goes on from its journal.
#[cfg(unix)]
#[test]
fn a_killed_build_goes_on_to_the_same_bytes() {
    let place = with_map();
    let spec = "lrta*(pdb,pdb,level=1,cap=5)";
    place.succeed(&build(spec, "whole", &[]));
    place.succeed(&build(spec, "part", &["--shard", "1/1"]));
    let (whole, all) = (place.read("whole"), place.read("part").len() as u64);
    let resume = build(spec, "killed", &["--resume", "--threads", "2"]);
    let (mut known, mut went_on) = (0, 0);
    for step in 1..=20 {
        let mut child = place.command(&resume).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for(&place, &mut child, "killed", all * step / 25);
        child.kill().unwrap();
        child.wait().unwrap();
        if place.path("killed").exists() {
            // It was done before it could be killed.
            assert!(place.read("killed") == whole);
            std::fs::remove_file(place.path("killed")).unwrap();
        }
        let journal = std::fs::metadata(place.path("killed.journal")).map_or(0, |data| data.len());
        went_on += u32::from(known > 1000 && journal > known);
        known = journal;
    }
    place.succeed(&resume);
    assert!(place.read("killed") == whole);
    assert!(!place.path("killed.journal").exists());
    assert!(went_on >= 5, "{went_on} went on");
}

#[test]
fn info_needs_no_map() {
    let place = with_map();
    place.succeed(&build("lrta*(pdb,pdb,level=3,cap=5)", "a.sfdb", &[]));
    std::fs::remove_file(place.path("a.map")).unwrap();
    let text = place.succeed(&["db", "info", "a.sfdb"]);
    for part in [
        "contents      patterns, version 1\n",
        "built from    patterns(level=3, aligned=yes, subgoals and depths, cap=5, ties=low-g)\n",
        "built for     a map of 128 x 128 cells, rule no-cut, cost sqrt2, fingerprint ",
        "regions       ",
        " a pair\n",
        "sections      conf 5, regn ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let info = json(&place.succeed(&["db", "info", "a.sfdb", "--json"]));
    assert_eq!((&info["contents"], &info["version"]), (&"patterns".into(), &1.into()));
    let number = |key: &str| info[key].as_u64().unwrap();
    assert_eq!(number("bytes"), place.read("a.sfdb").len() as u64);
    assert!(number("pairs") > number("regions") && number("pairs") <= number("regions").pow(2), "{info}");
}

#[test]
fn a_sound_database_is_verified() {
    let place = with_map();
    for (spec, what) in [
        ("lrta*(f,pdb,level=4)", "each subgoal lies next to its region, on a cheapest path\n"),
        ("lrta*(pdb,g,level=5,cap=5)", "pairs: each depth is the shallowest that serves, or the cap\n"),
        ("lrta*(pdb,pdb,level=4,cap=5)", "a cheapest path, and each depth is the shallowest that serves"),
    ] {
        place.succeed(&build(spec, "a.sfdb", &[]));
        let verify = |sample: &str| {
            place.succeed(&["db", "verify", "a.sfdb", "--map", "a.map", "--sample", sample, "--threads", "2"])
        };
        let all = verify("1000000000");
        assert!(all.contains(what) && all.contains("checked       all "), "{all}");
        let some = verify("20");
        assert!(
            some.contains(what) && some.contains(" of ") && !some.contains("checked       all "),
            "{some}"
        );
    }
}

#[test]
fn a_broken_promise_is_found() {
    let place = with_map();
    let map = surefoot::formats::parse_map(&place.read("a.map")).unwrap();
    let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
    let contents = PatternContents::Depths { cap: 5 };
    let config =
        PatternConfig { level: 6, aligned: true, contents, trace: Trace::default(), ties: Ties::Near };
    let builder = PatternBuilder::new(&space, config).unwrap();
    let mut scratch = PatternScratch::default();
    let mut columns: Vec<_> =
        RegionId::first(builder.columns()).map(|goal| builder.column(goal, &mut scratch)).collect();
    let depth = columns.iter_mut().flatten().find(|depth| **depth != 0).unwrap();
    *depth = *depth % 5 + 1;
    place.put("broken.sfdb", builder.finish(&columns).unwrap().as_bytes());
    let verify = ["db", "verify", "broken.sfdb", "--map", "a.map", "--sample", "1000000"];
    place.fail(&verify, 1, "broken.sfdb: the depth from region ");
}

#[test]
fn regions_and_ways_are_shown() {
    let place = Workplace::with_arena();
    for (spec, out) in [("lrta*(pdb,pdb,level=1)", "a.sfdb"), ("lrta*(pdb,g,level=1)", "depths.sfdb")] {
        place.succeed(&["build", "arena.map", "--algorithm", spec, "--out", out]);
    }
    let show = |file: &'static str, more: &[&'static str]| {
        [&["db", "show", file, "--map", "arena.map"], more].concat()
    };
    place.succeed(&show("a.sfdb", &["--out", "regions.svg"]));
    let way = ["--from", "0,0", "--to", "9,5"];
    place.succeed(&show("a.sfdb", &[&way[..], &["--out", "way.svg"]].concat()));
    let (regions, drawn) = (place.text("regions.svg"), place.text("way.svg"));
    assert!(drawn.len() > regions.len() && drawn.contains("<polyline") && !regions.contains("<polyline"));
    let table = place.succeed(&show("a.sfdb", &way));
    assert!(table.starts_with("region  stands for it  next "), "{table}");
    assert!(
        table.lines().count() > 4 && table.trim_end().lines().last().unwrap().contains("(9, 5)"),
        "{table}"
    );
    // Without subgoals a way is one depth.
    assert_eq!(place.succeed(&show("depths.sfdb", &way)).lines().count(), 3);
    place.fail(&show("a.sfdb", &[]), 2, "name it with --out, or ask for a way with --from and --to");
    place.fail(&show("a.sfdb", &["--record", "1", "--out", "x.png"]), 2, "--record is for other databases");
    place.fail(&show("a.sfdb", &["--from", "0,0"]), 2, "--to");
    place.fail(&show("a.sfdb", &["--from", "0,0", "--to", "1,1"]), 1, "(1, 1)");
    place.fail(&show("a.sfdb", &["--from", "0,0", "--to", "4,2"]), 1, "no way leads from (0, 0) to (4, 2)");
    place.succeed(&["build", "arena.map", "--algorithm", "pra*", "--out", "levels.sfdb"]);
    place.fail(&show("levels.sfdb", &way), 2, "--from is for other databases; levels.sfdb has levels");
}
