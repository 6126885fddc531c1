//! `surefoot conformance`

use crate::{ARENA, Workplace};

/// A folder of benchmarks: maps and problems in folders of their own.
fn benchmarks(length: &str) -> Workplace {
    let place = Workplace::empty();
    std::fs::create_dir_all(place.path("benchmarks/bg512")).unwrap();
    place.put("benchmarks/bg512/arena.map", ARENA);
    let problems =
        format!("version 1\n0\tarena.map\t10\t6\t0\t0\t9\t5\t{length}\n0\tarena.map\t10\t6\t0\t0\t1\t0\t1\n");
    place.put("benchmarks/bg512/arena.map.scen", problems);
    place
}

#[test]
fn published_costs_are_found_again() {
    let place = benchmarks("13.41421356");
    let text = place.succeed(&["conformance", "--benchmarks", "benchmarks"]);
    assert!(text.contains("bg512") && text.ends_with("2 of 2 problems agree\n"), "{text}");
}

#[test]
fn a_disagreement_is_a_failure() {
    let place = benchmarks("13.5");
    let outcome = place.run(&["conformance", "--benchmarks", "benchmarks"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("arena.map: from (0, 0) to (9, 5)"), "{}", outcome.stdout);
}

#[test]
fn a_missing_folder_is_an_error_unless_that_is_fine() {
    let place = Workplace::empty();
    place.fail(&["conformance", "--benchmarks", "nowhere"], 1, "no folder of benchmarks at nowhere");
    let text = place.succeed(&["conformance", "--benchmarks", "nowhere", "--if-present"]);
    assert!(text.contains("no folder of benchmarks at nowhere"), "{text}");
    let mut command = place.command(&["conformance", "--if-present"]);
    let output = command.env("SUREFOOT_BENCHMARKS", "elsewhere").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("elsewhere"));
}

/// One in forty of the published problems, where there are any.
#[test]
#[ignore = "takes a minute: a step of its own in cargo xtask ci"]
fn a_sample_of_the_published_costs_is_found_again() {
    // Beside the repository, as the program looks for it there.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_surefoot"));
    let status = program.args(["conformance", "--every", "40", "--if-present"]).current_dir(root).status();
    assert!(status.is_ok_and(|status| status.success()), "what differs stands above");
}
