//! `surefoot list`

use crate::{Workplace, json};

#[test]
fn every_algorithm_is_described() {
    let text = Workplace::empty().succeed(&["list"]);
    assert!(text.starts_with("beacon*"), "{text}");
    for part in [
        "beacon*, the default of build and run\n",
        "\na*\n",
        "weighted-a*\n",
        "gamma=0.2",
        "not real-time",
        "Dijkstra 1959",
        "parameters  none",
        "knn-lrta*\n",
        "knn-lrta-2009*\n",
        "n=10000: records in the database",
        "needs       a database of subgoals",
        "weights     taken",
        "weights     refused",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_name_or_a_part_of_it_chooses() {
    let place = Workplace::empty();
    let text = place.succeed(&["list", "KNN", "beacon*"]);
    let names: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
    assert_eq!(names, ["beacon*, the default of build and run", "knn-lrta*", "knn-lrta-2009*"]);
    assert_eq!(json(&place.succeed(&["list", "--json", "knn"])).as_array().unwrap().len(), 2);
    place.fail(
        &["list", "beacon", "teleport"],
        2,
        "no algorithm has \"teleport\" in its name; 'surefoot list'",
    );
    place.fail(
        &["list", "beakon"],
        2,
        "no algorithm has \"beakon\" in its name; did you mean beacon*? 'surefoot",
    );
}

#[test]
fn programs_can_read_it() {
    let list = json(&Workplace::empty().succeed(&["list", "--json"]));
    let entries = list.as_array().unwrap();
    let weighted = entries.iter().find(|entry| entry["name"] == "weighted-a*").unwrap();
    assert_eq!(weighted["parameters"][0]["name"], "gamma");
    assert_eq!(weighted["parameters"][0]["default"], "0.2");
    assert_eq!(weighted["optimal"], false);
    assert_eq!(weighted["real_time"], false);
    for key in ["summary", "bound", "needs", "paper"] {
        assert!(entries.iter().all(|entry| entry[key].is_string()), "{key}");
    }
}
