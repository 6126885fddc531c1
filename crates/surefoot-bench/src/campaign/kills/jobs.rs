//! What the program does when it is killed: builds, lab runs, and commands that write a file at their end.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::trees::{Comparison, copy};

/// A command of the program, in a folder of its own.
pub(super) struct Job {
    pub(super) name: &'static str,
    pub(super) arguments: Vec<String>,
    pub(super) inputs: Vec<Input>,
    pub(super) comparison: Comparison,
}

/// A file or folder that a job reads.
pub(super) struct Input {
    /// Among all inputs.
    pub(super) from: &'static str,
    /// In the folder of the job.
    pub(super) to: &'static str,
}

const fn input(name: &'static str) -> Input {
    Input { from: name, to: name }
}

/// The plan of lab runs.
const PLAN: &str = "\
title = \"Killed\"
timed = false
seeds = 2
most-moves = 100000

[[maps]]
generate = \"game\"
width = 100
height = 80
rule = \"no-cut\"
cost = \"sqrt2\"

[maps.problems]
count = 12
min-cost = 30
max-cost = 150

[[maps]]
generate = \"rooms\"
width = 80
height = 90
rule = \"squeeze\"
cost = \"1.4\"

[maps.problems]
count = 12
min-cost = 30
max-cost = 150

[[algorithms]]
name = \"lookahead\"
specs = [\"a*\", \"lrta*(d={1,2,5})\", \"beacon*\"]

[[algorithms]]
name = \"databases\"
specs = [\"knn-lrta*(n={100,400})\"]
";

/// The commands that make the inputs, in their folder.
const MADE: [&str; 5] = [
    "map generate game --width 256 --height 256 --seed 3 --out a.map",
    "map generate rooms --width 96 --height 96 --seed 5 --out small.map",
    "build a.map --algorithm knn-lrta*(n=6000) --shard 1/2 --out first",
    "build a.map --algorithm knn-lrta*(n=6000) --shard 2/2 --out second",
    "lab run plan.toml --out lab",
];

/// Makes all inputs in a folder.
///
/// # Errors
/// If the program fails.
pub(super) fn inputs(program: &Path, folder: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(problem)?;
    fs::write(folder.join("plan.toml"), PLAN).map_err(problem)?;
    for line in MADE {
        let mut command = Command::new(program);
        command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
        let output = command.env_remove("SUREFOOT_BENCHMARKS").output();
        let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("{line}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    copy(&folder.join("lab/cache"), &folder.join("cache"))
}

/// All jobs. One after the other is killed.
pub(super) fn jobs() -> Vec<Job> {
    let job = |name, line: &str, inputs| Job {
        name,
        arguments: line.split(' ').map(str::to_owned).collect(),
        inputs,
        comparison: Comparison::Bytes,
    };
    let map = || vec![input("a.map")];
    let small = || vec![input("small.map")];
    let cold = Job {
        comparison: Comparison::AllButTimes,
        ..job("a lab run", "lab run plan.toml --out results", vec![input("plan.toml")])
    };
    vec![
        job(
            "a build of records",
            "build a.map --algorithm knn-lrta*(n=6000,paths=a*) --out x.sfdb --resume --threads 2",
            map(),
        ),
        cold,
        job("a build of beacons", "build a.map --algorithm beacon* --out x.sfdb --resume", map()),
        job(
            "a lab run with its databases at hand",
            "lab run plan.toml --out results",
            vec![input("plan.toml"), Input { from: "cache", to: "results/cache" }],
        ),
        job(
            "a build of patterns",
            "build small.map --algorithm d-lrta*(level=3) --out x.sfdb --resume --threads 2",
            small(),
        ),
        job(
            "a merge",
            "merge --out whole first second",
            vec![input("a.map"), input("first"), input("second")],
        ),
        job(
            "a shard",
            "build a.map --algorithm knn-lrta*(n=6000) --shard 1/2 --out part --resume --threads 1",
            map(),
        ),
        job(
            "a share of a lab run",
            "lab run plan.toml --out results --units 1/2 --worker w",
            vec![input("plan.toml"), Input { from: "cache", to: "results/cache" }],
        ),
        job("a map", "map generate caves --width 1200 --height 1200 --seed 2 --out new.map", Vec::new()),
        job("problems", "problems a.map --count 300 --max-cost 400 --out new.scen", map()),
        job(
            "a tape, a picture and a kept database",
            "solve --map a.map --start 41,2 --goal 252,236 --nearest --algorithm knn-lrta*(n=2000) --cache kept --tape walk.tape --render walk.svg",
            map(),
        ),
        job(
            "a film of a crowd",
            "crowd --map small.map --agents 30 --frames 30 --budget 50000 --edits-per-frame 1 --render film.gif",
            small(),
        ),
    ]
}
