//! `surefoot build` and `surefoot merge`

use std::process::{Child, Stdio};
use std::time::Duration;

use surefoot::store::part::Part;
use surefoot_classics::ROSTER;

use crate::Workplace;

const SPEC: &str = "knn-lrta*(n=1000)";

/// A folder with a map of rooms and caves.
pub(crate) fn with_map() -> Workplace {
    let place = Workplace::empty();
    place.succeed(&[
        "map", "generate", "game", "--width", "128", "--height", "128", "--seed", "3", "--out", "a.map",
    ]);
    place
}

pub(crate) fn build<'a>(spec: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["build", "a.map", "--algorithm", spec, "--out", out], more].concat()
}

#[test]
fn a_build_tells_what_it_made() {
    let place = with_map();
    let text = place.succeed(&build(SPEC, "a.sfdb", &[]));
    let bytes = place.read("a.sfdb");
    for part in ["wrote         a.sfdb", "records       1,000\n", "a record\n", "a state\n", "time "] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(bytes.starts_with(b"sfdb"), "a label");
    assert_eq!(place.names(), ["a.map", "a.sfdb"]);
    // What was there is replaced.
    place.succeed(&build(SPEC, "a.sfdb", &["--seed", "2"]));
    assert!(place.read("a.sfdb") != bytes);
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_shards() {
    let place = with_map();
    for spec in [SPEC, "knn-lrta-2009*(n=300)", "knn-lrta*(n=0)", "knn-lrta*(n=65,pairs=even,lossless=yes)"] {
        place.succeed(&build(spec, "one", &["--threads", "1"]));
        place.succeed(&build(spec, "two", &["--threads", "2"]));
        assert!(place.read("one") == place.read("two"), "{spec}");
        let mut merge = vec!["merge", "--out", "merged"];
        let shards: Vec<String> = [4, 2, 7, 1, 3, 6, 5].map(|shard| format!("{shard}/7")).into();
        let names: Vec<String> = shards.iter().map(|shard| shard.replace('/', "-")).collect();
        for (shard, name) in shards.iter().zip(&names) {
            place.succeed(&build(spec, name, &["--shard", shard, "--threads", "3"]));
            merge.push(name);
        }
        // Parts are the same for any number of threads, too.
        place.succeed(&build(spec, "again", &["--shard", "4/7", "--threads", "1"]));
        assert!(place.read("again") == place.read("4-7"), "{spec}");
        let text = place.succeed(&merge);
        assert!(text.contains("wrote         merged, subgoals(n="), "{text}");
        assert!(place.read("one") == place.read("merged"), "{spec}");
    }
}

#[test]
fn parts_that_make_no_database_are_named() {
    let place = with_map();
    for (shard, out) in [("1/2", "first"), ("2/2", "second"), ("1/3", "third")] {
        place.succeed(&build(SPEC, out, &["--shard", shard]));
    }
    place.succeed(&build("knn-lrta*(n=999)", "smaller", &["--shard", "2/2"]));
    place.succeed(&build(SPEC, "whole", &[]));
    let whole = place.read("second");
    place.put("again", place.read("first"));
    let without_last_block = Part::from_bytes(&whole[..whole.len() - 1], ROSTER.kinds()).unwrap().length;
    place.put("unfinished", &whole[..without_last_block]);
    place.put("short", &whole[..whole.len() - 1]);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    place.put("flipped", flipped);
    for (parts, message) in [
        (&["first"][..], "shard 2 of 2 is missing"),
        (&["second", "first", "again"], "again: shard 1 of 2 is there twice, the first time in first"),
        (&["first", "third"], "third: it does not belong to first, which is of shard 1 of 2 of "),
        (&["first", "smaller"], "smaller: it does not belong to first, which is of "),
        (&["unfinished", "first"], "unfinished: block "),
        (&["first", "short"], "short: it is damaged from byte "),
        (&["flipped", "first"], "flipped: it is damaged from byte "),
        (&["first", "whole"], "whole: this is no part of a surefoot database"),
        (&["first", "a.map"], "a.map: this is no part of a surefoot database"),
        (&["first", "nowhere"], "nowhere: no such file"),
        (&["first", "."], ".: this is a folder"),
    ] {
        place.fail(&[&["merge", "--out", "x"], parts].concat(), 1, message);
    }
    place.fail(&["merge", "first", "second", "--out", "first"], 1, "it is also the file to read");
    place.fail(&["merge", "--out", "x"], 2, "<PART>");
    assert!(place.read("second") == whole);
}

#[test]
fn mistakes_are_told_before_anything_is_built() {
    let place = with_map();
    let endless = "knn-lrta*(n=100000000)";
    for (spec, more, code, message) in [
        ("a*", &[][..], 2, "a* needs no database"),
        ("knn-lrta*(cutoff=x)", &[], 2, "cutoff is \"x\": expected a whole number"),
        ("knn-lrta-2009*(n=1e9)", &[], 2, "n is \"1e9\""),
        (endless, &["--shard", "3/2"], 2, "expected K/N"),
        (endless, &["--threads", "0"], 2, "expected a whole number from 1 to 1024"),
        (endless, &["--seed", "-1"], 2, "expected a whole number"),
    ] {
        place.fail(&build(spec, "x.sfdb", more), code, message);
    }
    place.fail(&build(endless, "a.map", &[]), 1, "it is also the file to read");
    place.fail(&build(endless, "-", &[]), 2, "needs a file of its own");
    place.fail(&build(endless, "nowhere/x.sfdb", &[]), 1, "cannot write nowhere/x.sfdb: there is no folder");
    place.fail(&build(endless, ".", &[]), 1, "it names a folder");
}

#[test]
fn a_journal_goes_on_from_wherever_it_was_cut_off() {
    let place = with_map();
    place.succeed(&build(SPEC, "whole", &[]));
    place.succeed(&build(SPEC, "shard", &["--shard", "1/1"]));
    // A part of everything is the journal of a build that was stopped just before its end.
    let journal = place.read("shard");
    let resume = || place.run(&build(SPEC, "b.sfdb", &["--resume"]));
    let mut from_journal = 0;
    for length in [0, 1, 30, 100, 200, journal.len() / 3, journal.len() / 2, journal.len() - 1, journal.len()]
    {
        place.put("b.sfdb.journal", &journal[..length]);
        let outcome = resume();
        assert_eq!(outcome.code, 0, "{length}: {}", outcome.stderr);
        assert!(place.read("b.sfdb") == place.read("whole"), "{length}");
        assert!(!place.path("b.sfdb.journal").exists(), "{length}");
        from_journal += u32::from(outcome.stdout.contains("records were in the journal"));
    }
    assert_eq!(from_journal, 4);
    // A block that was damaged, and all that follow, are made again.
    let mut flipped = journal.clone();
    flipped[journal.len() / 2] ^= 1;
    place.put("b.sfdb.journal", &flipped);
    assert_eq!(resume().code, 0);
    assert!(place.read("b.sfdb") == place.read("whole"));
}

#[test]
fn a_journal_of_something_else_is_not_touched() {
    let place = with_map();
    place.succeed(&build(SPEC, "part", &["--shard", "1/1"]));
    let journal = place.read("part");
    place.put("x.journal", &journal);
    place.fail(&build(SPEC, "x", &[]), 1, "x.journal: here is what an earlier build has done; add --resume");
    let other = |spec, more: &[&'static str], message| {
        place.fail(&build(spec, "x", &[&["--resume"], more].concat()), 1, message);
    };
    other("knn-lrta*(n=999)", &[], "n=999, ");
    other(SPEC, &["--seed", "2"], "delete this file to begin anew");
    other(SPEC, &["--rule", "squeeze"], "rule squeeze");
    other(SPEC, &["--passable", "water"], "delete this file to begin anew");
    other(SPEC, &["--shard", "1/2"], "shard 1 of 2 of subgoals");
    assert!(place.read("x.journal") == journal);
    place.put("x.journal", "something else entirely");
    other(SPEC, &[], "x.journal: this is no part of a surefoot database");
    assert_eq!(place.text("x.journal"), "something else entirely");
}

/// Starts a build whose end nobody waits for, and waits until its journal has grown beyond a head.
fn start_endless(place: &Workplace, out: &str) -> Child {
    let mut command = place.command(&build("knn-lrta*(n=100000000)", out, &["--threads", "1"]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(place, &mut child, out, 1000);
    child
}

/// Waits until the journal of a build has so many bytes; tells whether the build is still under way.
pub(crate) fn wait_for(place: &Workplace, child: &mut Child, out: &str, bytes: u64) -> bool {
    let journal = place.path(&format!("{out}.journal"));
    loop {
        if std::fs::metadata(&journal).is_ok_and(|data| data.len() >= bytes) {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_without_a_journal() {
    let place = with_map();
    std::os::unix::fs::symlink("/dev/full", place.path("full")).unwrap();
    for spec in [SPEC, "beacon*"] {
        place.fail_late(&build(spec, "full", &[]), 1, "cannot write full: No space left on device");
        place.fail_late(&build(spec, "full", &["--resume"]), 1, "cannot write full: No space left on device");
        place.succeed(&build(spec, "/dev/null", &[]));
        assert!(!std::path::Path::new("/dev/null.journal").exists());
    }
    place.fail(&build(SPEC, "full", &["--shard", "1/2"]), 1, "cannot write full: No space left on device");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_build_of_beacons_says_that_nothing_is_kept() {
    if crate::mistakes::ignores_signals() {
        eprintln!("signals are ignored here, and the program leaves it at that");
        return;
    }
    let place = Workplace::empty();
    let generate = ["map", "generate", "random", "--width", "3000", "--height", "3000", "--out", "a.map"];
    place.succeed(&generate);
    let mut command = place.command(&build("beacon*", "a.sfdb", &["--threads", "1"]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !crate::mistakes::is_writing(&child, &place) {
        assert!(child.try_wait().unwrap().is_none(), "the build ended too early");
        std::thread::sleep(Duration::from_millis(1));
    }
    let kill = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("stopped while building the database; nothing was written"), "{stderr}");
    assert_eq!(place.names(), ["a.map"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_build_says_how_to_go_on() {
    if crate::mistakes::ignores_signals() {
        eprintln!("signals are ignored here, and the program leaves it at that");
        return;
    }
    let place = with_map();
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let child = start_endless(&place, "x");
        let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("stopped; what is done is in x.journal"), "{stderr}");
        assert_eq!(place.names(), ["a.map", "x.journal"], "{signal}");
        std::fs::remove_file(place.path("x.journal")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn two_builds_of_one_file_do_not_meet() {
    let place = with_map();
    let mut child = start_endless(&place, "x");
    for more in [&["--resume"][..], &[]] {
        place.fail(
            &build("knn-lrta*(n=100000000)", "x", more),
            1,
            "another program is building this right now",
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    place.fail(&build("knn-lrta*(n=100000000)", "x", &[]), 1, "add --resume");
}

/// Fifty times the builder is killed without a warning, early or late; each time the next one goes on from its journal.
#[cfg(unix)]
#[test]
fn a_killed_build_goes_on_to_the_same_bytes() {
    const KILLS: u64 = 50;
    let place = with_map();
    let spec = "knn-lrta*(n=40000,paths=a*)";
    place.succeed(&build(spec, "whole", &[]));
    let whole = place.read("whole");
    let resume = build(spec, "killed", &["--resume", "--threads", "2"]);
    let (mut random, mut in_the_middle, mut went_on, mut ended) = (17_u64, 0, 0, 0);
    let mut known = 0;
    for _ in 0..KILLS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = random >> 33;
        let mut child = place.command(&resume).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Now and then before anything was done; mostly some blocks later, on whichever machine.
        if draw.is_multiple_of(8) {
            std::thread::sleep(Duration::from_micros(draw % 4096));
        } else {
            wait_for(&place, &mut child, "killed", known + draw % 12_000);
        }
        let is_under_way = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        let journal = std::fs::metadata(place.path("killed.journal")).map_or(0, |data| data.len());
        if place.path("killed").exists() {
            // It was done before it could be killed.
            assert!(place.read("killed") == whole);
            std::fs::remove_file(place.path("killed")).unwrap();
            ended += 1;
        } else if is_under_way && journal > 1000 {
            in_the_middle += 1;
            went_on += u64::from(known > 1000 && journal > known);
        }
        known = journal;
    }
    place.succeed(&resume);
    assert!(place.read("killed") == whole);
    assert!(!place.path("killed.journal").exists());
    assert!(
        in_the_middle >= 20 && went_on >= 10,
        "{in_the_middle} in the middle, {went_on} went on, {ended} ended"
    );
}
