//! `surefoot solve`

use crate::{Workplace, json};

fn solve<'a>(start: &'a str, goal: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["solve", "--map", "arena.map", "--start", start, "--goal", goal], more].concat()
}

#[test]
fn the_answer_has_cost_moves_work_and_time() {
    let place = Workplace::with_arena();
    let text = place.succeed(&solve("0,0", "9,5", &["--algorithm", "a*"]));
    for line in [
        "algorithm     a*",
        "answer        solved",
        "cost          13.41421",
        "moves         13",
        "expansions",
        "with climbing steps, at most",
        "time",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn without_an_algorithm_it_is_the_default_with_its_database() {
    let place = Workplace::with_arena();
    let text = place.succeed(&solve("0,0", "9,5", &[]));
    for line in ["algorithm     beacon*\n", "answer        solved", "database      built in "] {
        assert!(text.contains(line), "{line} in {text}");
    }
    place.succeed(&["build", "arena.map"]);
    let text = place.succeed(&solve("0,0", "9,5", &["--db", "arena.sfdb"]));
    assert!(text.contains("database      opened in "), "{text}");
    // Shells take stars for patterns of files.
    let starless = json(&place.succeed(&solve("0,0", "9,5", &["--algorithm", "lrta(d=2)", "--json"])));
    assert_eq!(starless["algorithm"], "lrta*(d=2)");
}

#[test]
fn large_units_are_told_where_they_have_no_room() {
    let place = Workplace::with_arena();
    place.fail(&solve("0,0", "9,5", &["--size", "2"]), 1, "start: there is no room for size 2 at (0, 0)");
    place.fail(&solve("8,0", "4,2", &["--size", "2"]), 1, "goal: there is no room for size 2 at (4, 2)");
    place.fail(&solve("8,0", "1,1", &["--size", "2"]), 1, "goal (1, 1) is blocked");
    let near = json(&place.succeed(&solve("8,0", "4,2", &["--size", "2", "--nearest", "--json"])));
    assert_eq!(near["solved"], true, "{near}");
    place.fail(&solve("8,0", "8,0", &["--size", "65"]), 2, "expected a whole number from 1 to 64");
}

#[test]
fn programs_can_read_it() {
    let place = Workplace::with_arena();
    let arguments =
        ["--json", "--algorithm", "weighted-a*(gamma=0.5)", "--rule", "cardinal", "--cost", "1.4"];
    let answer = json(&place.succeed(&solve("0,0", "0,5", &arguments)));
    assert_eq!(answer["solved"], true);
    assert_eq!(answer["algorithm"], "weighted-a*(gamma=0.5)");
    assert_eq!(
        (&answer["cost"], &answer["optimal_cost"], &answer["moves"]),
        (&5.0.into(), &5.0.into(), &5.into())
    );
    assert_eq!(answer["path"][5], serde_json::json!([0, 5]));
    assert!(answer["expansions"].as_u64().unwrap() > 0);
    assert!(answer["plan_ns"].is_u64());
}

#[test]
fn a_database_is_built_and_told_of() {
    let place = Workplace::with_arena();
    let knn = ["--algorithm", "knn-lrta*(n=30)"];
    let text = place.succeed(&solve("0,0", "9,5", &knn));
    assert!(text.contains("database      built in ") && text.contains("answer        solved"), "{text}");
    let outcome = place.run(&solve("0,0", "9,5", &[&knn[..], &["--json"]].concat()));
    assert_eq!(outcome.stderr.matches(" was built in ").count(), 1, "{}", outcome.stderr);
    let answer = json(&outcome.stdout);
    assert_eq!((&answer["solved"], &answer["database"]["source"]), (&true.into(), &"built".into()));
    assert!(answer["database"]["seconds"].is_f64() && answer["database"]["bytes"].as_u64() > Some(300));
    // Where no step is made, and where none is needed, there is none.
    for (goal, spec) in [("6,5", "knn-lrta*(n=30)"), ("9,5", "a*")] {
        let answer = json(&place.succeed(&solve("0,0", goal, &["--json", "--algorithm", spec])));
        assert!(answer.get("database").is_none(), "{answer}");
    }
}

#[test]
fn start_and_goal_may_be_the_same() {
    let place = Workplace::with_arena();
    let answer = json(&place.succeed(&solve("0,0", "0,0", &["--json"])));
    assert_eq!(
        (&answer["solved"], &answer["cost"], &answer["moves"]),
        (&true.into(), &0.0.into(), &0.into())
    );
}

#[test]
fn no_way_is_an_answer() {
    let place = Workplace::with_arena();
    // Into the locked room, and from land into water.
    for goal in ["4,2", "6,5"] {
        let answer = json(&place.succeed(&solve("0,0", goal, &["--json"])));
        assert_eq!((&answer["solved"], &answer["unreachable"]), (&false.into(), &true.into()), "{goal}");
        assert!(answer["cost"].is_null());
        assert!(place.succeed(&solve("0,0", goal, &[])).contains("unreachable"));
    }
}

#[test]
fn the_nearest_state_takes_the_place_of_a_goal_out_of_reach() {
    let place = Workplace::with_arena();
    for (goal, instead) in [("7,2", [8, 1]), ("6,5", [5, 5]), ("8,3", [9, 3])] {
        let answer = json(&place.succeed(&solve("0,0", goal, &["--nearest", "--json"])));
        assert_eq!(answer["solved"], true, "{goal}");
        let (x, y) = goal.split_once(',').unwrap();
        let asked = [x.parse::<u32>().unwrap(), y.parse().unwrap()];
        assert_eq!(answer["asked_goal"], serde_json::json!(asked));
        assert_eq!(answer["goal"], serde_json::json!(instead), "{goal}");
        let text = place.succeed(&solve("0,0", goal, &["--nearest"]));
        assert!(text.contains("the nearest reachable state to"), "{text}");
    }
    let answer = json(&place.succeed(&solve("0,0", "9,5", &["--nearest", "--json"])));
    assert!(answer["asked_goal"].is_null());
}

#[test]
fn water_is_a_world_of_its_own() {
    let place = Workplace::with_arena();
    let answer = json(&place.succeed(&solve("2,2", "3,3", &["--json"])));
    assert_eq!((&answer["solved"], &answer["moves"]), (&true.into(), &1.into()));
    // If everything can be walked on, land and water are one.
    let answer = json(&place.succeed(&solve("2,2", "4,2", &["--json", "--passable", ".W"])));
    assert_eq!((&answer["solved"], &answer["moves"]), (&true.into(), &2.into()));
    place.fail(&solve("2,2", "3,3", &["--passable", "ground"]), 1, "start (2, 2) is blocked");
}

#[test]
fn a_walk_can_be_cut_off() {
    let place = Workplace::with_arena();
    let answer = json(&place.succeed(&solve("0,0", "9,5", &["--max-moves", "3", "--json"])));
    assert_eq!(
        (&answer["solved"], &answer["unreachable"], &answer["moves"]),
        (&false.into(), &false.into(), &3.into())
    );
    assert_eq!(answer["cost"], 3.0);
}

#[test]
fn the_way_is_drawn() {
    let place = Workplace::with_arena();
    place.succeed(&solve("0,0", "9,5", &["--render", "way.svg"]));
    assert!(place.text("way.svg").contains("<polyline"));
    place.succeed(&solve("0,0", "9,5", &["--render", "way.png"]));
    assert!(place.read("way.png").starts_with(b"\x89PNG"));
}

#[test]
fn the_levels_are_drawn() {
    let place = Workplace::empty();
    place.succeed(&["map", "generate", "rooms", "--width", "60", "--height", "40", "--out", "arena.map"]);
    let draw = |spec, out| {
        place.succeed(&solve("1,1", "58,38", &["--algorithm", spec, "--levels", "--render", out]));
    };
    draw("pra*", "way.svg");
    let sheet = place.text("way.svg");
    // A title and a caption for each panel. Captions may have several lines.
    let titles = |sheet: &str| -> Vec<String> {
        let svg = roxmltree::Document::parse(sheet).unwrap();
        let mut words: Vec<String> = Vec::new();
        for text in svg.descendants().filter(|node| node.has_tag_name("text")) {
            let line = text.text().unwrap();
            match text.attribute("font-weight") {
                Some(_) => words.extend([line.to_string(), String::new()]),
                None => *words.last_mut().unwrap() += &format!(" {line}"),
            }
        }
        words.iter().map(|words| words.trim().to_string()).collect()
    };
    let words = titles(&sheet);
    let beginnings: Vec<&str> =
        words.iter().step_by(2).map(|title| title.split(':').next().unwrap()).collect();
    assert_eq!(beginnings, ["level 2", "level 1", "level 0 (the map)"]);
    assert!(words[1].ends_with(" expanded") && words[3].starts_with("corridor: "), "{words:?}");
    // A corridor has a colour of its own, except on the first level; the map is there once.
    let panels: Vec<&str> = sheet.split("<svg x=").skip(1).collect();
    let has_corridor: Vec<bool> = panels.iter().map(|panel| panel.contains("#c9e2f5")).collect();
    assert_eq!(has_corridor, [false, true, true]);
    assert_eq!(sheet.matches("<g id=\"map\">").count(), 1);

    draw("pra*(k=6,corridor=narrow)", "cut.svg");
    let words = titles(&place.text("cut.svg"));
    assert!(words.iter().step_by(2).all(|title| title.ends_with(", 6 kept")), "{words:?}");
    draw("s-pra*", "way.png");
    assert!(place.read("way.png").starts_with(b"\x89PNG"));
}

#[test]
fn where_there_is_no_way_there_are_no_levels() {
    let place = Workplace::with_arena();
    for goal in ["4,2", "6,5"] {
        let levels = ["--algorithm", "pra*", "--levels", "--render", "way.svg"];
        assert!(place.succeed(&solve("0,0", goal, &levels)).contains("unreachable"));
        assert!(!place.text("way.svg").contains("<text"));
    }
    // Nor is there much to see where the start is the goal, but that is a way.
    place.succeed(&solve("0,0", "0,0", &["--algorithm", "pra*", "--levels", "--render", "way.svg"]));
    assert!(place.text("way.svg").contains("level 0 (the map): path of 1 state<"));
}
