//! `surefoot tune`

use crate::{Workplace, json};

fn tune<'a>(limits: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    let [agents, frame, memory] = limits;
    let command = ["tune", "--map", "arena.map", "--problems", "5", "--agents", agents];
    [&command[..], &["--frame-ms", frame, "--memory-mb", memory], more].concat()
}

#[test]
fn something_is_recommended_with_its_reason_and_its_commands() {
    let place = Workplace::with_arena();
    let text = place.succeed(&tune(["10", "1000", "100"], &[]));
    for part in [
        "5 problems, shortest ways of ",
        "BEST",
        "\nTake ",
        "ms, and memory ",
        "\n  surefoot run --map arena.map",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("hill-climbing") && text.contains("out: may not arrive"), "{text}");
    assert!(text.contains("with half the time and half the memory"), "{text}");
    assert!(
        text.lines().filter(|line| !line.contains("--map")).all(|line| line.chars().count() <= 120),
        "{text}"
    );
}

#[test]
fn all_limits_have_defaults() {
    let place = Workplace::with_arena();
    let report = json(&place.succeed(&["tune", "--map", "arena.map", "--problems", "5", "--json"]));
    let limits = &report["limits"];
    assert_eq!((limits["agents"].as_u64(), limits["frame_ms"].as_f64()), (Some(200), Some(2.0)));
    assert_eq!((limits["memory_mb"].as_f64(), limits["at_once"].as_bool()), (Some(16.0), Some(false)));
    assert!(report["measured"].as_array().unwrap().iter().any(|one| one["spec"] == "beacon*"), "{report}");
}

#[test]
fn programs_can_read_it_and_the_walks_repeat() {
    let place = Workplace::with_arena();
    let measure = || json(&place.succeed(&tune(["10", "1000", "100"], &["--json", "--cost", "1.4"])));
    let (once, again) = (measure(), measure());
    let by_name = |value: &serde_json::Value| {
        let mut walks: Vec<(String, f64)> = value["measured"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["spec"].as_str().unwrap().to_string(), one["over_mean_pct"].as_f64().unwrap()))
            .collect();
        walks.sort_by(|one, other| one.0.cmp(&other.0));
        walks
    };
    assert_eq!(by_name(&once), by_name(&again));
    assert!(by_name(&once).len() > 30, "{once}");
    assert!(by_name(&once).iter().any(|(spec, _)| spec == "beacon*"), "{once}");
    assert_eq!(once["limits"]["agents"], 10);
    let best = &once["measured"][once["choice"]["best"]["best"].as_u64().unwrap() as usize];
    assert_eq!(once["recommended"], best["spec"]);
    assert_eq!(best["over_mean_pct"], 0.0);
    assert!(once["commands"][0].as_str().unwrap().contains(" --rule no-cut --cost 1.4 "), "{once}");
}

#[test]
fn limits_that_nothing_keeps_are_told() {
    let place = Workplace::with_arena();
    let text = place.succeed(&tune(["1000", "1000", "0.000001"], &[]));
    assert!(text.contains("No algorithm keeps the limits. The closest is "), "{text}");
    assert!(
        text.contains("times what there is.\nGive more with --memory-mb, or plan for fewer agents."),
        "{text}"
    );
    assert!(!text.contains("BEST") && !text.contains("surefoot run"), "{text}");
    let text = place.succeed(&tune(["1000000", "0.000001", "1000000"], &["--at-once"]));
    assert!(text.contains("Give more with --frame-ms"), "{text}");
}

#[test]
fn mistakes_are_told_in_one_line() {
    let place = Workplace::with_arena();
    place.fail(&["tune"], 2, "--map <FILE>");
    place.fail(&tune(["0", "1", "1"], &[]), 2, "expected a whole number from 1");
    place.fail(&tune(["1", "0", "1"], &[]), 2, "expected a number above 0");
    place.fail(&tune(["1", "1", "-1"], &[]), 2, "expected a number above 0");
    place.put("walls.map", "type octile\nheight 1\nwidth 3\nmap\n@@@\n");
    let walls = ["tune", "--map", "walls.map", "--agents", "1", "--frame-ms", "1", "--memory-mb", "1"];
    place.fail(&walls, 1, "the map has no passable cell");
    place.fail(&tune(["1", "1", "1"], &["--passable", "W", "--map", "x.map"]), 2, "--map");
}
