//! `cargo xtask pictures`: the book's pictures of walks and databases, drawn anew. Look at the diff.

use std::path::Path;
use std::process::{Command, ExitCode};

const FOLDER: &str = "docs/pictures";
/// Databases and maps that are drawn from, and not kept.
const SCRATCH: &str = "target/pictures";

/// One problem, and a film of how each of these solves it.
const WALKS: [(&str, &str); 22] = [
    ("a-star", "a*"),
    ("weighted-a-star", "weighted-a*"),
    ("dijkstra", "dijkstra"),
    ("jps", "jps"),
    ("hill-climbing", "hill-climbing"),
    ("lrta", "lrta*(d=3)"),
    ("lrts", "lrts(d=3)"),
    ("k-lrta", "k-lrta*"),
    ("rtaa", "rtaa*"),
    ("da-rtaa", "da-rtaa*"),
    ("p-lrta", "p-lrta*"),
    ("tba", "tba*(slice=10)"),
    ("s-a-star", "s-a*(slice=10)"),
    ("depth-tree", "lrta*(dt,g)"),
    ("oracle", "lrta*(oracle,g)"),
    ("pr-lrta", "pr-lrta*(f,g,level=2)"),
    ("lrta-f-pdb", "lrta*(f,pdb)"),
    ("lrta-pdb-g", "lrta*(pdb,g)"),
    ("lrta-pdb-pdb", "lrta*(pdb,pdb)"),
    ("knn", "knn-lrta*(n=200)"),
    ("knn-2009", "knn-lrta-2009*(n=200)"),
    ("s-pra", "s-pra*(slice=10)"),
];
/// Databases, and the way that each knows for the same problem.
const DATABASES: [(&str, &str); 3] =
    [("d-lrta", "d-lrta*(level=3)"), ("hcdps", "hcdps*(cutoff=8)"), ("dba", "dba*(sector=8)")];
const MAP: &str = "docs/pictures/dead-end.txt";
const START: &str = "3,8";
const GOAL: &str = "40,9";

/// Draws them all.
pub(crate) fn run() -> ExitCode {
    let mut commands =
        vec![words("map generate game --width 96 --height 64 --seed 1 --out target/pictures/arena.map")];
    for (name, spec) in WALKS {
        let out = format!("{FOLDER}/{name}.svg");
        let solve = ["solve", "--map", MAP, "--start", START, "--goal", GOAL, "--algorithm", spec];
        commands.push(
            [&solve[..], &["--render", &out, "--animate"]].concat().into_iter().map(str::to_string).collect(),
        );
    }
    for (name, spec) in DATABASES {
        let (file, out) = (format!("{SCRATCH}/{name}.sfdb"), format!("{FOLDER}/{name}.svg"));
        let build = ["build", MAP, "--algorithm", spec, "--out", &file];
        let show = ["db", "show", &file, "--map", MAP, "--from", START, "--to", GOAL, "--out", &out];
        commands.extend([build.map(str::to_string).to_vec(), show.map(str::to_string).to_vec()]);
    }
    for line in [
        "build target/pictures/arena.map --algorithm transit --out target/pictures/transit.sfdb",
        "db show target/pictures/transit.sfdb --map target/pictures/arena.map --out docs/pictures/transit.svg",
        "map render target/pictures/arena.map --level 3 --out docs/pictures/pra-regions.svg --side 960",
    ] {
        commands.push(words(line));
    }
    commands.push(words(
        "crowd --map target/pictures/arena.map --agents 300 --frames 120 --edits-per-frame 0 --render docs/pictures/crowd.gif",
    ));
    if let Err(error) = std::fs::create_dir_all(Path::new(SCRATCH)) {
        eprintln!("xtask: {SCRATCH}: {error}");
        return ExitCode::FAILURE;
    }
    for command in commands {
        println!("surefoot {}", command.join(" "));
        let status = Command::new("cargo").args(["run", "--quiet", "--"]).args(&command).status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("xtask: this did not go well");
            return ExitCode::FAILURE;
        }
    }
    let steps = "run --quiet -p surefoot-draw --example beacons_step_by_step -- write";
    let status = Command::new("cargo").args(words(steps)).status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_string).collect()
}
