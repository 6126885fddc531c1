//! Measures exact search in one run and prints ratios.
//!
//! ```text
//! cargo run --release -p surefoot-bench -- crates [--benchmarks DIR] [--every N]
//! cargo run --release -p surefoot-bench -- large [--benchmarks DIR]
//! cargo run --release -p surefoot-bench -- realtime [--benchmarks DIR] [--draw FILE.svg]
//! cargo run --release -p surefoot-bench -- pra [--benchmarks DIR] [--every N]
//! cargo run --release -p surefoot-bench -- exact [--benchmarks DIR] [--every N] [--algorithm SPEC]
//!     [--rules all] [--costs all]
//! cargo run --release -p surefoot-bench -- clutter [--algorithm SPEC] [--only NAME]
//! cargo run --release -p surefoot-bench -- walks [--benchmarks DIR] [--algorithm SPEC]
//! cargo run --release -p surefoot-bench -- growth [--benchmarks DIR] [--algorithm SPEC] [--draw FILE.svg]
//! cargo run --release -p surefoot-bench -- order [--benchmarks DIR]
//! cargo run --release -p surefoot-bench -- repair [--benchmarks DIR] [--edits N]
//! cargo run --release -p surefoot-bench -- beacons [--benchmarks DIR] [--edits N] [--only bulk]
//! cargo run --release -p surefoot-bench -- records [--benchmarks DIR] [--edits N]
//! cargo run --release -p surefoot-bench -- edits [--benchmarks DIR] [--edits N]
//! cargo run --release -p surefoot-bench -- crowd [--benchmarks DIR] [--edits N] [--only choices]
//! cargo run --release -p surefoot-bench -- groups [--benchmarks DIR]
//! cargo run --release -p surefoot-bench -- gppc [--benchmarks DIR] [--every N] [--only paths|small|changes]
//! cargo run --release -p surefoot-bench -- smooth [--benchmarks DIR] [--every N]
//! cargo run --release -p surefoot-bench -- saves [--map FILE] [--edits N] [--algorithm SPEC]
//! cargo run --release -p surefoot-bench -- questions --map FILE
//! cargo run --release -p surefoot-bench -- stress [--seconds N] [--seed S]
//!     [--only walks|crowds|obstacles|graphs]
//! cargo run --release -p surefoot-bench -- campaign NAME [--hours H] [--seed S]
//! ```
//!
//! `crates`: every method on the same MovingAI problems of length 100 to 512, and on a generated map.
//! `large`: maps of about ten million states. `pra`: PRA* beside A*, by the length of the path. `realtime`:
//! what a move costs beside a bare look at the neighbours, and as the map grows; with `--draw` seven
//! algorithms as the map grows, as a plot. `order`: LRTA* on the 2009 problems with the map turned and
//! mirrored. `exact`: every cost of beacon* beside jump points', and what it takes; exit code 1 if one
//! differs. `clutter`: maps full of corners. `walks`: how long the walks of an algorithm are on large maps,
//! what a move costs and what its database takes. `growth`: the same as one map grows to a hundred million
//! cells. `repair`: abstractions of maps that are edited cell by cell; `records` and `beacons`: the same for
//! databases of subgoals and for beacons; `edits`: the maps themselves. `crowd`: thousands of units, frame by
//! frame. `gppc`: the entry of the grid path planning competition. `smooth`: how much shorter paths are when
//! they are pulled tight. `saves`: saving and loading a crowd after many edits. `questions`: costs and paths
//! a second, for bindings to be held against. `stress` measures nothing: it looks for faults in random
//! worlds. `campaign` does so for hours, and counts.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use surefoot::agent::Spec;
use surefoot::formats;
use surefoot_bench::rivals::{self, OurAStar, OurJumpPoints, Rival};
use surefoot_bench::workload::{self, Workload};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{scale_blocks, scale_smooth};
use surefoot_lab::problem_files::maps_with_problems;

/// Each method solves a map's problems this many times; the fastest pass counts, for the machine may be busy.
const PASSES: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first().map(|(name, rest)| (name.as_str(), rest)) {
        Some(("stress", arguments)) => return surefoot_bench::stress::command(arguments),
        Some(("campaign", arguments)) => return surefoot_bench::campaign::command(arguments),
        _ => {}
    }
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).cloned()
    };
    let benchmarks = option("--benchmarks")
        .or_else(|| std::env::var("SUREFOOT_BENCHMARKS").ok())
        .map_or_else(|| PathBuf::from("../shared/benchmarks"), PathBuf::from);
    let every = option("--every").and_then(|every| every.parse().ok()).filter(|&every| every > 0);
    let spec = option("--algorithm").unwrap_or_else(|| "beacon*".to_owned());
    let edits =
        option("--edits").and_then(|edits| edits.parse().ok()).filter(|&edits| edits > 0).unwrap_or(10_000);
    let done = match arguments.first().map(String::as_str) {
        Some("crates") => compare_crates(&benchmarks, every.unwrap_or(10)),
        Some("large") => measure_large_maps(&benchmarks),
        Some("pra") => surefoot_bench::pra::measure(&benchmarks, every.unwrap_or(10)),
        Some("repair") => surefoot_bench::repair::measure(&benchmarks, edits)
            .and_then(|()| surefoot_bench::records::measure(&benchmarks, edits)),
        Some("records") => surefoot_bench::records::measure(&benchmarks, edits),
        Some("beacons") => surefoot_bench::beacons::measure(&benchmarks, edits, option("--only").as_deref()),
        Some("exact") => spec.parse().map_err(Into::into).and_then(|spec: Spec| {
            let is_all = |name: &str| option(name).as_deref() == Some("all");
            let scope = surefoot_bench::exact::Scope {
                every: every.unwrap_or(1),
                all_rules: is_all("--rules"),
                all_costs: is_all("--costs"),
                spec: ROSTER.with_star(&spec),
            };
            surefoot_bench::exact::measure(&benchmarks, &scope)
        }),
        Some("clutter") => surefoot_bench::clutter::measure(&spec, option("--only").as_deref()),
        Some("edits") => surefoot_bench::edits::measure(&benchmarks, edits),
        Some("crowd") => surefoot_bench::crowd::measure(&benchmarks, edits, option("--only").as_deref()),
        Some("gppc") => {
            surefoot_bench::gppc::measure(&benchmarks, every.unwrap_or(10), option("--only").as_deref())
        }
        Some("groups") => surefoot_bench::groups::measure(&benchmarks),
        Some("saves") => {
            surefoot_bench::saves::measure(option("--map").map(PathBuf::from).as_deref(), &spec, edits)
        }
        Some("questions") => {
            surefoot_bench::questions::measure(option("--map").map(PathBuf::from).as_deref())
        }
        Some("walks") => surefoot_bench::walks::measure(&benchmarks, &spec),
        Some("growth") => {
            let picture = option("--draw").map(PathBuf::from);
            surefoot_bench::growth::measure(&benchmarks, &spec, picture.as_deref())
        }
        Some("smooth") => surefoot_bench::smooth::measure(&benchmarks, every.unwrap_or(10)),
        Some("order") => surefoot_bench::order::measure(&benchmarks),
        Some("realtime") => {
            surefoot_bench::realtime::measure(&benchmarks, option("--draw").map(PathBuf::from).as_deref())
        }
        _ => Err("usage: surefoot-bench crates|large|pra|realtime|exact|clutter|walks|growth|order|repair|records|beacons|edits|crowd|groups|gppc|smooth|saves|questions|stress|campaign [--benchmarks DIR] [--algorithm SPEC] [--every N] [--draw FILE.svg] [--edits N] [--rules all] [--costs all] [--only NAME] [--map FILE]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("surefoot-bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn compare_crates(benchmarks: &Path, every: usize) -> Done {
    let mut rivals = rivals::all();
    let mut totals = vec![0.0; rivals.len()];
    let mut count = 0;
    if benchmarks.is_dir() {
        for folder in ["bg512", "sc1", "dao"] {
            let mut seconds = vec![0.0; rivals.len()];
            let mut problems = 0;
            for (map, _) in maps_with_problems(&benchmarks.join(folder))? {
                let workload = workload::movingai(&map, every)?;
                problems += workload.problems.len();
                measure(&mut rivals, &workload, &mut seconds)?;
            }
            print_table(folder, &rivals, &seconds, problems);
            count += problems;
            totals.iter_mut().zip(&seconds).for_each(|(total, seconds)| *total += seconds);
        }
        print_table("bg512, sc1 and dao together", &rivals, &totals, count);
    } else {
        println!("no benchmarks in {}: generated maps only\n", benchmarks.display());
    }
    for side in [512, 1024] {
        let workload = workload::generated(side, 200);
        let mut seconds = vec![0.0; rivals.len()];
        measure(&mut rivals, &workload, &mut seconds)?;
        print_table(&workload.name, &rivals, &seconds, workload.problems.len());
    }
    Ok(())
}

/// Adds the time that each rival takes for the workload, and checks that all who should agree on costs do.
fn measure(rivals: &mut [Box<dyn Rival>], workload: &Workload, seconds: &mut [f64]) -> Done {
    let mut best = vec![f64::INFINITY; rivals.len()];
    let mut expected = Vec::new();
    for rival in &mut *rivals {
        rival.prepare(&workload.space);
    }
    for _ in 0..PASSES {
        for (rival, best) in rivals.iter_mut().zip(&mut best) {
            let begin = Instant::now();
            let costs: Vec<_> = workload
                .problems
                .iter()
                .map(|&(start, goal)| rival.solve(&workload.space, start, goal))
                .collect();
            *best = best.min(begin.elapsed().as_secs_f64());
            if expected.is_empty() {
                expected = costs;
            } else if rival.has_our_costs() && costs != expected {
                return Err(format!("{} disagrees on costs on {}", rival.name(), workload.name).into());
            }
        }
    }
    seconds.iter_mut().zip(best).for_each(|(seconds, best)| *seconds += best);
    Ok(())
}

fn print_table(title: &str, rivals: &[Box<dyn Rival>], seconds: &[f64], problems: usize) {
    println!("{title}: {problems} problems");
    println!("{:<24} {:>12} {:>14}", "", "us a path", "times as fast");
    for (rival, &time) in rivals.iter().zip(seconds) {
        let per_path = time / problems.max(1) as f64 * 1e6;
        println!("{:<24} {:>12.1} {:>14.1}", rival.name(), per_path, seconds[0] / time);
    }
    println!();
}

fn measure_large_maps(benchmarks: &Path) -> Done {
    println!(
        "{:<34} {:>12} {:>14} {:>14} {:>14} {:>16}",
        "map", "states", "jps median us", "jps 95 % us", "jps worst us", "a* M expanded/s"
    );
    let mut workloads = Vec::new();
    if benchmarks.is_dir() {
        for (map, factor) in
            [("bg512/AR0011SR", 9), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)]
        {
            let original = formats::read_any_map(benchmarks.join(format!("{map}.map")))?;
            for smooth in [false, true] {
                let scaled = if smooth {
                    scale_smooth(&original, factor, 1)
                } else {
                    scale_blocks(&original, factor)
                }?;
                let name = format!("{map} x{factor}{}", if smooth { " smooth" } else { "" });
                workloads.push(move || workload::random_problems(name, &scaled, 201, 1));
            }
        }
    }
    for make in workloads {
        measure_large(&make());
    }
    measure_large(&workload::generated(4000, 201));
    Ok(())
}

fn measure_large(workload: &Workload) {
    let Workload { name, space, problems } = workload;
    let mut jump_points = OurJumpPoints::default();
    let mut times: Vec<f64> = problems
        .iter()
        .map(|&(start, goal)| {
            let begin = Instant::now();
            std::hint::black_box(jump_points.solve(space, start, goal));
            begin.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    // The first pass touches fresh memory, which the system has to clear; queries in use find theirs at hand.
    let mut a_star = OurAStar::default();
    let some = &problems[..10];
    let mut rate: f64 = 0.0;
    for _ in 0..PASSES {
        let before = a_star.expanded;
        let begin = Instant::now();
        for &(start, goal) in some {
            std::hint::black_box(a_star.solve(space, start, goal));
        }
        rate = rate.max((a_star.expanded - before) as f64 / begin.elapsed().as_secs_f64() / 1e6);
    }
    let states = space.components().largest().map_or(0, |largest| space.components().size(largest));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{name:<34} {states:>12} {:>14.0} {:>14.0} {:>14.0} {rate:>16.1}", at(0.5), at(0.95), at(1.0));
}
