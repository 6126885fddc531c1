//! Maps with weights: `--weights` of all commands that take it

use crate::{Workplace, json};

/// A field with a road along its lower edge, which goes round a wall.
const FIELD: &str = "\
type octile
height 4
width 8
map
........
...@@...
........
........
";

const WEIGHTS: &str = "\
# field and road
9, 9, 9, 9, 9, 9, 9, 9
9, 9, 9, 0, 0, 9, 9, 9
9, 9, 9, 9, 9, 9, 9, 9
1, 1, 1, 1, 1, 1, 1, 1
";

fn field() -> Workplace {
    let place = Workplace::empty();
    place.put("field.map", FIELD);
    place.put("field.csv", WEIGHTS);
    place
}

const SOLVE: [&str; 9] =
    ["solve", "--map", "field.map", "--start", "0,2", "--goal", "7,2", "--rule", "cardinal"];

fn solve<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SOLVE[..], &["--weights", "field.csv"], more].concat()
}

#[test]
fn the_way_goes_by_the_road() {
    let place = field();
    // Down to the road at the mean of 9 and 1, seven cells along it, and up again; straight on it would be 63.
    let answer = json(&place.succeed(&solve(&["--json"])));
    assert_eq!((&answer["cost"], &answer["optimal_cost"]), (&17.0.into(), &17.0.into()));
    assert_eq!(answer["path"][4], serde_json::json!([3, 3]));
    let unweighted = json(&place.succeed(&[&SOLVE[..], &["--json"]].concat()));
    assert_eq!(unweighted["cost"], 7.0);
    for algorithm in ["dijkstra", "lrta*", "tba*", "knn-lrta*(n=20)", "beacon*", "pra*"] {
        let answer = json(&place.succeed(&solve(&["--json", "--algorithm", algorithm])));
        assert_eq!((&answer["solved"], &answer["optimal_cost"]), (&true.into(), &17.0.into()), "{algorithm}");
        assert!(answer["cost"].as_f64() >= Some(17.0), "{algorithm}");
    }
}

#[test]
fn jump_points_say_what_to_use_instead() {
    let place = field();
    let message = "jps takes no --weights: it needs a grid whose ground weighs the same everywhere; use a*";
    place.fail(&solve(&["--algorithm", "jps"]), 2, message);
    place.succeed(&["problems", "field.map", "--count", "4", "--max-cost", "9", "--out", "field.map.scen"]);
    let run = ["run", "--map", "field.map", "--weights", "field.csv", "--out", "rows.csv"];
    place.fail(&[&run[..], &["--algorithm", "a*", "--algorithm", "jps"]].concat(), 2, message);
}

#[test]
fn mistakes_in_weights_are_shown() {
    let place = field();
    place.put("short.csv", "1 2 3\n4 5 6\n");
    place.put("wrong.csv", WEIGHTS.replace("0, 0", "0, 300"));
    place.put("none.csv", WEIGHTS.replace("1, 1, 1, 1, 1, 1, 1, 1", "1, 1, 0, 1, 1, 1, 1, 1"));
    for (file, message) in [
        ("short.csv", "short.csv: the weights are for a map of 3 x 2 cells, but this one has 8 x 4"),
        ("wrong.csv", "wrong.csv:3:13: expected a weight from 0 to 255, found \"300\""),
        ("none.csv", "none.csv: cell (2, 3) has weight 0; cells that can be walked on need 1 to 255"),
        ("field.map", "field.map:1:1: expected a weight from 0 to 255, found \"type\""),
        ("missing.csv", "missing.csv: no such file"),
    ] {
        place.fail(&[&SOLVE[..], &["--weights", file]].concat(), 1, message);
    }
    place.fail(&["map", "render", "field.map", "--weights", "x.png", "--out", "x.png"], 1, "x.png");
}

#[test]
fn databases_are_for_their_weights() {
    let place = field();
    for spec in ["knn-lrta*(n=20)", "beacon*", "pra*", "lrta*(f,pdb;level=1)"] {
        let build =
            ["build", "field.map", "--algorithm", spec, "--weights", "field.csv", "--out", "field.sfdb"];
        place.succeed(&build);
        let verify = ["db", "verify", "field.sfdb", "--map", "field.map"];
        place.succeed(&[&verify[..], &["--weights", "field.csv"]].concat());
        place.fail(&verify, 1, "has weights: name them with --weights");
        let with_db = ["--algorithm", spec, "--db", "field.sfdb", "--rule", "no-cut", "--json"];
        let solve = ["solve", "--map", "field.map", "--start", "0,2", "--goal", "7,2"];
        let answer = json(&place.succeed(&[&solve[..], &["--weights", "field.csv"], &with_db].concat()));
        assert_eq!(answer["solved"], true, "{spec}");
        place.fail(&[&solve[..], &with_db].concat(), 1, "cost sqrt2,weighted");
        place.put("other.csv", WEIGHTS.replace("1, 1, 1, 1", "1, 1, 2, 1"));
        place.fail(&[&solve[..], &["--weights", "other.csv"], &with_db].concat(), 1, "fingerprint");
    }
}

#[test]
fn problems_and_rows_have_the_true_costs() {
    let place = field();
    let problems = ["problems", "field.map", "--weights", "field.csv", "--count", "20", "--min-cost", "20"];
    place.succeed(&[&problems[..], &["--max-cost", "60", "--out", "field.map.scen"]].concat());
    let run =
        ["run", "--map", "field.map", "--weights", "field.csv", "--algorithm", "a*", "--out", "rows.csv"];
    place.succeed(&run);
    let rows = place.text("rows.csv");
    let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let [file, optimal, travel] = ["file_cost", "optimal_cost", "travel_cost"].map(column);
    let mut count = 0;
    for line in lines {
        let [file, optimal, travel] =
            [file, optimal, travel].map(|column| line[column].parse::<f64>().unwrap());
        assert!((20.0..=60.0).contains(&optimal) && optimal == travel && (file - optimal).abs() < 1e-6);
        count += 1;
    }
    assert_eq!(count, 20);
    // A folder of maps has one file of weights for none of them.
    place.put("other.map", FIELD);
    place.put("other.map.scen", place.text("field.map.scen"));
    let folder = ["run", "--map", ".", "--weights", "field.csv", "--algorithm", "a*", "--out", "more.csv"];
    place.fail(&folder, 2, "--weights names the weights of one map, but --map names 2 of them");
}

#[test]
fn weights_are_described_drawn_and_recorded() {
    let place = field();
    let text = place.succeed(&["map", "info", "field.map", "--weights", "field.csv"]);
    assert!(text.contains("ground weighs 1 to 9, 6.87 on average (2 weights)"), "{text}");
    let info = json(&place.succeed(&["map", "info", "field.map", "--weights", "field.csv", "--json"]));
    assert_eq!((&info["weights"]["lightest"], &info["weights"]["counts"]["1"]), (&1.into(), &8.into()));
    place.succeed(&["map", "render", "field.map", "--out", "plain.svg"]);
    place.succeed(&["map", "render", "field.map", "--weights", "field.csv", "--out", "weights.svg"]);
    assert_ne!(place.text("plain.svg"), place.text("weights.svg"));
    place.succeed(&solve(&["--algorithm", "lrta*", "--tape", "walk.tape"]));
    let replay = ["replay", "walk.tape", "--map", "field.map"];
    place.fail(&replay, 1, "name them with --weights");
    let text = place.succeed(&[&replay[..], &["--weights", "field.csv"]].concat());
    assert!(text.contains("lrta*"), "{text}");
    place.put("other.csv", WEIGHTS.replace("1, 1, 1, 1", "1, 1, 2, 1"));
    place.fail(&[&replay[..], &["--weights", "other.csv"]].concat(), 1, "or they weigh something else");
}
