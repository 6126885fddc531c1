//! `surefoot train`, and trees in use.

use crate::Workplace;

fn workplace() -> Workplace {
    let place = Workplace::empty();
    for (kind, seed) in [("rooms", "1"), ("caves", "2"), ("rooms", "9")] {
        let out = format!("{kind}-{seed}.map");
        place.succeed(&[
            "map", "generate", kind, "--width", "50", "--height", "50", "--seed", seed, "--out", &out,
        ]);
    }
    place
}

const TRAIN: [&str; 14] = [
    "train",
    "--map",
    "rooms-1.map",
    "--map",
    "caves-2.map",
    "--dmax",
    "4",
    "--leaf",
    "20",
    "--problems",
    "12",
    "--max-cost",
    "60",
    "--out",
];

#[test]
fn a_tree_is_trained_and_walked_by() {
    let place = workplace();
    let train = |out: &str| place.run(&[&TRAIN[..], &[out]].concat());
    let outcome = train("tree.txt");
    assert!(outcome.stdout.contains("the tree, on its own lessons"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("trees of the folds, on others"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("wrote tree.txt: a tree of "), "{}", outcome.stderr);
    let tree = place.text("tree.txt");
    assert!(tree.contains("\nsurefoot depth tree 1\ndmax 4\nhistory 60\npre-search 1\nif "), "{tree}");
    assert!(tree.contains("Maps: rooms-1.map, caves-2.map.\n"), "{tree}");
    train("again.txt");
    assert_eq!(tree, place.text("again.txt"), "a seed repeats");

    place.succeed(&[
        "problems",
        "rooms-9.map",
        "--count",
        "5",
        "--min-cost",
        "20",
        "--max-cost",
        "40",
        "--out",
        "rooms-9.map.scen",
    ]);
    let run = |algorithm: &str, out: &str| {
        place.run(&[
            "run",
            "--map",
            "rooms-9.map",
            "--algorithm",
            algorithm,
            "--tree",
            "tree.txt",
            "--out",
            out,
        ])
    };
    let outcome = run("lrta*(dt,g)", "rows.csv");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("5 of 5"), "{}", outcome.stdout);
    assert_eq!(place.text("rows.csv").matches(",tree tree.txt,").count(), 5, "every row names the tree");
    let outcome = run("lrta*(d=3)", "rows.csv");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("--tree names a decision tree, but lrta*(d=3) has none"),
        "{}",
        outcome.stderr
    );
    let outcome = run("lrta*(dt,g;dmax=20)", "rows.csv");
    assert!(outcome.code == 1 && outcome.stderr.contains("the tree was made for 4"), "{}", outcome.stderr);
    let outcome = run("lrta*(dt,g)", "tree.txt");
    assert_ne!(outcome.code, 0, "the tree is not written over");
    assert_eq!(place.text("tree.txt"), tree);

    place.put("bad.txt", tree.replace("pre-search 1", "pre-search one"));
    let outcome = place.run(&[
        "solve",
        "--map",
        "rooms-9.map",
        "--start",
        "0,0",
        "--goal",
        "1,1",
        "--algorithm",
        "lrta*(dt,g)",
        "--tree",
        "bad.txt",
    ]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("bad.txt:"), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains(":12: expected a whole number from 1 to 10, found \"one\""),
        "{}",
        outcome.stderr
    );
}

#[test]
fn mistakes_are_told_before_any_work() {
    let place = workplace();
    for (option, value, problem) in [
        ("--pruning", "0.7", "at most 0.5"),
        ("--dmax", "1", "from 2 to 100"),
        ("--history", "0", "from 1 to 10000"),
        ("--min-cost", "200", "--min-cost 200 is above --max-cost 100"),
    ] {
        let outcome = place.run(&["train", "--map", "rooms-1.map", "--out", "tree.txt", option, value]);
        assert_eq!(outcome.code, 2, "{option} {value}");
        assert!(outcome.stderr.contains(problem), "{}", outcome.stderr);
    }
}
