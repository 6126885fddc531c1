//! The program on a disk that fails: each thing that a command asks of the system goes wrong, in each way. It
//! is built with the feature `faults` for that.

use std::collections::BTreeMap;

use surefoot::files::faults::{Fault, MARK, NO_FAULT, VARIABLE};

use crate::{ARENA, ARENA_SCEN, Outcome, Workplace};

/// Tries a command in a folder that `prepare` puts in order. What came of each fault goes to `check`. What
/// befell what, and how often, such as `short Write`.
fn try_all(
    arguments: &[&str],
    prepare: impl Fn(&Workplace),
    check: impl Fn(&Workplace, &Outcome, Fault, &str),
) -> BTreeMap<String, u64> {
    let place = Workplace::empty();
    let mut cases = BTreeMap::new();
    for fault in Fault::ALL {
        for at in 1.. {
            for name in place.names() {
                let path = place.path(&name);
                let _ =
                    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
            }
            prepare(&place);
            let output = place.command(arguments).env(VARIABLE, format!("{at} {fault}")).output().unwrap();
            let (lines, marks): (Vec<String>, Vec<String>) = String::from_utf8(output.stderr)
                .unwrap()
                .lines()
                .map(str::to_owned)
                .partition(|line| !line.starts_with(MARK));
            let Some(mark) = marks.first() else { break };
            let Some((_, struck)) = mark.split_once(" struck ") else { continue };
            let operation = struck.split(' ').next().unwrap();
            *cases.entry(format!("{fault} {operation}")).or_insert(0) += 1;
            let case = format!("{arguments:?}, {at} {fault}: {mark}\n{}", lines.join("\n"));
            let code = output.status.code().unwrap_or_else(|| panic!("{case}: it was killed"));
            assert!(code == 0 || code == 1, "{case}: exit code {code}");
            assert!(code == 0 || !fault.is_harmless(), "{case}");
            let left: Vec<String> = place.names();
            assert!(!left.iter().any(|name| name.ends_with(".part")), "{case}: {left:?}");
            let stdout = String::from_utf8(output.stdout).unwrap();
            check(&place, &Outcome { code, stdout, stderr: lines.join("\n") }, fault, &case);
        }
    }
    println!("{arguments:?}: {cases:?}");
    // Whoever writes a file meets a write that falls short, a disk without room, and names that do not get there.
    for case in ["short Write", "full Write", "refused Rename", "broken Rename"] {
        assert!(cases.contains_key(case), "{arguments:?}: {case} was not tried: {cases:?}");
    }
    cases
}

/// Whether a message says what it is about and why.
fn is_clear(message: &str, names: &[&str]) -> bool {
    let reasons = ["ermission denied", "no storage space", "input/output error"];
    names.iter().any(|name| message.contains(name)) && reasons.iter().any(|why| message.contains(why))
}

fn with_arena(place: &Workplace) {
    place.put("arena.map", ARENA);
    place.put("arena.scen", ARENA_SCEN);
}

#[test]
fn a_database_is_the_old_one_or_the_new_one() {
    let expected = Workplace::with_arena();
    expected.succeed(&["build", "arena.map", "--out", "a.sfdb"]);
    let expected = expected.read("a.sfdb");
    let cases = try_all(
        &["build", "arena.map", "--out", "a.sfdb"],
        |place| {
            with_arena(place);
            place.put("a.sfdb", "old");
        },
        |place, outcome, fault, case| {
            let there = place.read("a.sfdb");
            assert!(there == if outcome.code == 0 { &expected[..] } else { b"old" }, "{case}");
            assert_eq!(place.names(), ["a.sfdb", "arena.map", "arena.scen"], "{case}");
            if outcome.code != 0 && fault != Fault::Ends {
                assert!(is_clear(&outcome.stderr, &["a.sfdb", "arena.map"]), "{case}");
            }
        },
    );
    assert!(cases.values().sum::<u64>() > 15 && cases.contains_key("broken Sync"), "{cases:?}");
}

#[test]
fn a_build_in_blocks_goes_on_after_any_fault() {
    const SPEC: &str = "knn-lrta*(n=150)";
    let build = ["build", "arena.map", "--algorithm", SPEC, "--out", "a.sfdb", "--threads", "1"];
    let resume = [&build[..], &["--resume"]].concat();
    let expected = Workplace::with_arena();
    expected.succeed(&build);
    let whole = expected.read("a.sfdb");
    expected.succeed(&[&build[..5], &["part", "--shard", "1/1"]].concat());
    let journal = expected.read("part");
    for from_the_middle in [false, true] {
        let cases = try_all(
            if from_the_middle { &resume } else { &build },
            |place| {
                with_arena(place);
                place.put("a.sfdb", "old");
                if from_the_middle {
                    place.put("a.sfdb.journal", &journal[..journal.len() - 5]);
                }
            },
            |place, outcome, fault, case| {
                let there = place.read("a.sfdb");
                assert!(there == whole || (outcome.code != 0 && there == b"old"), "{case}");
                if outcome.code != 0 && fault != Fault::Ends {
                    assert!(is_clear(&outcome.stderr, &["a.sfdb", "arena.map"]), "{case}");
                }
                // The disk is well again.
                let again = place.command(&resume).env(VARIABLE, NO_FAULT).output().unwrap();
                let words = String::from_utf8_lossy(&again.stderr);
                assert!(again.status.success(), "{case}: then {words}");
                assert!(place.read("a.sfdb") == whole, "{case}");
                assert_eq!(place.names(), ["a.sfdb", "arena.map", "arena.scen"], "{case}");
            },
        );
        assert!(cases.values().sum::<u64>() > 20 && cases.contains_key("broken Sync"), "{cases:?}");
    }
}

#[test]
fn rows_and_caches_are_whole_or_not_there() {
    let run = ["run", "--map", "arena.map", "--scen", "arena.scen", "--algorithm", "beacon*"];
    let run = [&run[..], &["--cache", "kept", "--out", "rows.csv"]].concat();
    let cases = try_all(&run, with_arena, |place, outcome, fault, case| {
        assert_eq!(place.path("rows.csv").exists(), outcome.code == 0, "{case}");
        if outcome.code != 0 && fault != Fault::Ends {
            assert!(is_clear(&outcome.stderr, &["rows.csv", "kept", "arena"]), "{case}");
        }
        let kept = place.path("kept");
        let kept = if kept.exists() { crate::names_in(&kept) } else { Vec::new() };
        for name in kept {
            assert!(name.ends_with(".sfdb"), "{case}: {name}");
            place.succeed(&["db", "verify", &format!("kept/{name}"), "--map", "arena.map"]);
        }
    });
    assert!(cases.values().sum::<u64>() > 20, "{cases:?}");
}
