//! `surefoot crowd`

use crate::{Workplace, json};

fn crowd<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["crowd", "--map", "arena.map"], more].concat()
}

#[test]
fn the_figures_of_a_game_are_printed() {
    let place = Workplace::with_arena();
    let text = place.succeed(&crowd(&["--agents", "20", "--frames", "50"]));
    for label in [
        "crowd ",
        "a frame ",
        "moves ",
        "work ",
        "waits ",
        "walks ",
        "memory ",
        "learned ",
        "over shortest ",
        "checksum ",
    ] {
        assert!(text.lines().any(|line| line.starts_with(label)), "{label}: {text}");
    }
    assert!(text.contains("20 units of beacon*, 50 frames, 35 states, 1 thread\n"), "{text}");
    assert!(text.contains("0 without a way"), "{text}");
}

#[test]
fn threads_make_no_difference_and_the_same_game_repeats() {
    let place = Workplace::with_arena();
    let game = |more: &[&str]| {
        let arguments =
            ["--agents", "30", "--frames", "60", "--budget", "200", "--edits-per-frame", "1", "--json"];
        json(&place.succeed(&crowd(&[&arguments, more].concat())))
    };
    let one = game(&["--threads", "1"]);
    let two = game(&["--threads", "2"]);
    for key in ["checksum", "moves", "arrived", "longest_wait", "wait_bound", "unreachable", "work_per_frame"]
    {
        assert_eq!(one[key], two[key], "{key}");
    }
    assert!(one["longest_wait"].as_u64() <= one["wait_bound"].as_u64());
    assert!(one["edit_us"]["median"].is_number() && one["frame_ms"]["p99"].is_number());
    assert!(one["suboptimality"].is_null(), "the map has changed");
    assert_ne!(game(&["--seed", "2"])["checksum"], one["checksum"]);
}

#[test]
fn every_option_is_played_with() {
    let place = Workplace::with_arena();
    let options =
        ["--agents", "5", "--frames", "40", "--occupied", "--pursuers", "2", "--render", "crowd.gif"];
    let outcome = place.run(&crowd(&options));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("wrote crowd.gif: 40 frames of "), "{}", outcome.stderr);
    assert!(place.read("crowd.gif").starts_with(b"GIF89a"));
    for algorithm in ["lrta*", "tba*", "pra*", "knn-lrta*(n=20)", "a*"] {
        let figures = json(&place.succeed(&crowd(&[
            "--agents",
            "5",
            "--frames",
            "60",
            "--algorithm",
            algorithm,
            "--json",
        ])));
        assert_eq!(figures["algorithm"], algorithm);
        assert!(figures["finished_walks"].as_u64() > Some(0), "{figures}");
        assert!(figures["suboptimality"]["mean"].as_f64() >= Some(0.0), "{figures}");
    }
    place.succeed(&["build", "arena.map", "--out", "arena.sfdb"]);
    let figures =
        json(&place.succeed(&crowd(&["--agents", "9", "--frames", "9", "--db", "arena.sfdb", "--json"])));
    assert_eq!(figures["database"]["source"], "file");
    assert_eq!(figures["memory"]["bytes_per_agent"], 64);
}

#[test]
fn pictures_say_what_they_show() {
    let place = Workplace::with_arena();
    let game = |more: &[&'static str]| {
        let outcome = place.run(&crowd(&[&["--agents", "5", "--frames", "30", "--json"], more].concat()));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        (json(&outcome.stdout)["moves"].as_u64().unwrap(), outcome.stderr)
    };
    game(&["--pursuers", "2", "--edits-per-frame", "1", "--render", "last.svg"]);
    let svg = place.text("last.svg");
    for words in ["frame 30 of 30", "units", "pursuers", "wall built", "ground", "wall"] {
        assert!(svg.contains(&format!(">{words}</text>")), "{words}: {svg}");
    }
    assert!(!svg.contains("moves into a cell"));
    // The traffic is all moves that were made.
    for name in ["heat.svg", "heat.png", "heat.gif"] {
        let (moves, said) = game(&["--heat", "--render", name]);
        assert!(moves > 0 && said.contains(&format!("pixels, {moves} moves")), "{moves}: {said}");
    }
    let svg = place.text("heat.svg");
    assert!(svg.contains(">moves into a cell, from:</text>") && !svg.contains(">units</text>"), "{svg}");
    assert!(place.read("heat.png").starts_with(b"\x89PNG"));
    place.fail(&crowd(&["--agents", "2", "--frames", "2", "--heat"]), 2, "--render");
}

#[test]
fn a_database_for_large_units_is_built_opened_and_checked() {
    let place = crate::build::with_map();
    place.succeed(&["build", "a.map", "--size", "2", "--out", "two.sfdb"]);
    let game = ["crowd", "--map", "a.map", "--agents", "5", "--frames", "5", "--db", "two.sfdb"];
    let figures = json(&place.succeed(&[&game[..], &["--size", "2", "--json"]].concat()));
    assert_eq!(figures["database"]["source"], "file");
    place.fail(&game, 1, "two.sfdb: this database was built for a map of 128 x 128 cells");
    place.succeed(&["db", "verify", "two.sfdb", "--map", "a.map", "--size", "2"]);
    place.succeed(&["db", "show", "two.sfdb", "--map", "a.map", "--size", "2", "--out", "two.png"]);
    place.succeed(&["db", "info", "two.sfdb"]);
    place.succeed(&[
        "problems",
        "a.map",
        "--count",
        "5",
        "--max-cost",
        "60",
        "--size",
        "2",
        "--out",
        "two.scen",
    ]);
    let run = ["run", "--map", "a.map", "--scen", "two.scen", "--db", "two.sfdb", "--out", "rows.csv"];
    place.succeed(&[&run[..], &["--size", "2"]].concat());
    assert_eq!(place.text("rows.csv").lines().count(), 6);
    place.fail(&["db", "verify", "two.sfdb", "--map", "a.map"], 1, "build it anew for this one");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let place = Workplace::with_arena();
    let few = ["--agents", "2", "--frames", "2"];
    place.fail(&crowd(&["--agents", "0", "--frames", "1"]), 2, "expected a whole number from 1");
    place.fail(
        &crowd(&[&few[..], &["--render", "x.bmp"]].concat()),
        1,
        "expected a name that ends with .gif, .png or .svg",
    );
    place.fail(
        &crowd(&[&few[..], &["--algorithm", "fly*"]].concat()),
        2,
        "there is no algorithm of this name",
    );
    place.fail(&crowd(&[&few[..], &["--algorithm", "a*", "--db", "x"]].concat()), 2, "but a* needs none");
    place.fail(&crowd(&[&few[..], &["--db", "x.sfdb"]].concat()), 1, "x.sfdb: no such file");
    place.fail(
        &crowd(&[&few[..], &["--size", "9", "--algorithm", "lrta*"]].concat()),
        1,
        "there is no room for 2 units on this map",
    );
    place.fail(
        &crowd(&["--agents", "99", "--frames", "1", "--occupied", "--algorithm", "lrta*"]),
        1,
        "there is no room for 99 units on this map: only 28 were placed",
    );
}
