//! `surefoot compare`

use crate::{Workplace, json};

/// A folder with the rows of two algorithms on twelve problems, two of which come twice: before.csv, and after.jsonl of a second run.
fn with_rows() -> Workplace {
    let place = Workplace::with_arena();
    let problems: String =
        (0..12).map(|x| format!("0\tarena.map\t10\t6\t{}\t0\t9\t5\t14\n", x % 10)).collect();
    place.put("arena.scen", format!("version 1\n{problems}"));
    for out in ["before.csv", "after.jsonl"] {
        let world = ["run", "--map", "arena.map", "--scen", "arena.scen", "--out", out];
        place.succeed(&[&world[..], &["--algorithm", "a*", "--algorithm", "lrta*(d=1)"]].concat());
    }
    place
}

#[test]
fn the_same_run_twice_is_the_same() {
    let place = with_rows();
    let text = place.succeed(&["compare", "before.csv", "after.jsonl"]);
    assert_eq!(text.matches("same: the rows are identical, apart from time").count(), 2, "{text}");
    assert!(text.contains("2 rows of A say what another says, and are left out"), "{text}");
    assert!(text.contains("* depends on the machine"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let value = json(&place.succeed(&["compare", "before.csv", "after.jsonl", "--json"]));
    assert_eq!(value["algorithms"][0]["pairs"], 10);
    assert_eq!(value["algorithms"][0]["verdict"], "same");
    assert_eq!(value["algorithms"][1]["suboptimality_pct"]["verdict"], "same");
}

#[test]
fn a_change_is_seen_and_what_is_missing_is_told() {
    let place = with_rows();
    // Every walk of LRTA* takes twice the moves, and one problem is gone.
    let before = place.text("before.csv");
    let changed: Vec<String> = before
        .lines()
        .filter(|line| !line.starts_with("a*"))
        .map(|line| {
            let mut cells: Vec<String> = line.split(',').map(str::to_string).collect();
            if let Ok(moves) = cells[10].parse::<u64>() {
                cells[10] = (2 * moves).to_string();
                cells[9] = (cells[9].parse::<f64>().unwrap() + 50.0).to_string();
            }
            cells.join(",")
        })
        .filter(|line| !line.contains(",arena.map,3,0,"))
        .collect();
    place.put("after.csv", changed.join("\n"));
    let text = place.succeed(&["compare", "before.csv", "after.csv"]);
    for part in [
        "Only in A: a* (12 rows)",
        "lrta*(d=1)\nwalks: worse; 9 of 9 pairs differ\n",
        "1 row only in A: arena.map from (3, 0) to (9, 5)\n",
        "+50.00",
        "x 2.000",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let value = json(&place.succeed(&["compare", "after.csv", "before.csv", "--json"]));
    assert_eq!(value["algorithms"][0]["verdict"], "better");
    assert_eq!(value["only_in_b"][0][0], "a*");
}

#[test]
fn rows_of_another_machine_are_told() {
    let place = with_rows();
    let before = place.text("before.csv");
    let made_by = |revision: &str, processor: &str| -> String {
        let cells = ["version,revision,processor".to_string()].into_iter();
        let cells = cells.chain(std::iter::repeat(format!("0.1.0,{revision},\"{processor}\"")));
        before.lines().zip(cells).map(|(line, cells)| format!("{cells},{line}\n")).collect()
    };
    place.put("one.csv", made_by("abc", "slow, old"));
    place.put("newer.csv", made_by("def", "slow, old"));
    place.put("other.csv", made_by("abc", "fast"));
    let text = place.succeed(&["compare", "one.csv", "one.csv"]);
    assert!(!text.contains("Not the same") && !text.contains("made by"), "{text}");
    let text = place.succeed(&["compare", "one.csv", "newer.csv"]);
    assert!(text.starts_with("A was made by version 0.1.0 (abc), slow, old\nB was"), "{text}");
    assert!(text.contains("Not the same: the revision; the machine is the same"), "{text}");
    let text = place.succeed(&["compare", "one.csv", "other.csv"]);
    assert!(text.contains("Not the same: the machine; times cannot be compared and have no verdict."));
    assert!(text.contains(" other machine\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let value = json(&place.succeed(&["compare", "one.csv", "other.csv", "--json"]));
    assert_eq!(value["origins"]["differ_in"][0], "machine");
    assert_eq!(value["origins"]["b"][0]["processor"], "fast");
}

#[test]
fn two_algorithms_of_one_file() {
    let place = with_rows();
    let chosen = ["--algorithm-a", "a*", "--algorithm-b", "lrta*( d=1 )"];
    let text = place.succeed(&[&["compare", "before.csv"], &chosen[..]].concat());
    assert!(text.contains("A: a*, B: lrta*(d=1)\nwalks: "), "{text}");
    assert_eq!(place.succeed(&[&["compare", "before.csv", "before.csv"], &chosen[..]].concat()), text);
    let missing = ["compare", "before.csv", "--algorithm-a", "a*", "--algorithm-b", "jps"];
    place.fail(&missing, 1, "before.csv has no rows of jps; it has a*, lrta*(d=1)");
}

#[test]
fn what_is_no_file_of_rows_is_refused() {
    let place = with_rows();
    place.fail(&["compare", "before.csv"], 2, "required arguments were not provided: <B>");
    place.fail(&["compare", "before.csv", "--algorithm-a", "a*"], 2, "--algorithm-b <SPEC>");
    place.fail(&["compare", "before.csv", "nowhere.csv"], 1, "cannot read nowhere.csv: No such file");
    place.fail(
        &["compare", "arena.map", "before.csv"],
        1,
        "arena.map:1: there is no column algorithm, nor map, start_x",
    );
    std::fs::create_dir(place.path("results")).unwrap();
    place.fail(&["compare", "before.csv", "results"], 1, "rows.csv: No such file");
    place.put("results/rows.csv", place.text("before.csv").replace(",true,", ",ja,"));
    place.fail(
        &["compare", "before.csv", "results"],
        1,
        "rows.csv:2: column 20, solved, is \"ja\": provided string was not `true` or `false`; a file of rows is",
    );
    place.put("results/rows.csv", place.text("before.csv"));
    place.succeed(&["compare", "before.csv", "results"]);
}
