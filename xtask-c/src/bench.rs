//! `cargo xtask c --bench`: what a call costs through C, beside the same question in Rust.

use crate::programs::{Linked, compile};
use crate::{Places, build, is_there};

/// Runs of each, in turn. The best counts: others are at work on the machine, too.
const RUNS: usize = 5;

/// A question, nanoseconds, and the sum of its answers.
type Row = (String, f64, String);

/// Prints the table.
pub(crate) fn run(places: &Places) -> Result<(), String> {
    if !is_there("gcc") {
        println!("SKIPPED: there is no gcc, so nothing was measured.");
        return Ok(());
    }
    build(&["--lib"])?;
    build(&["--example", "calls_in_rust"])?;
    let native = places.libraries.join("examples/calls_in_rust");
    let shared = compile(places, "benches/calls.c", Linked::Shared)?;
    let fixed = compile(places, "benches/calls.c", Linked::Static)?;
    let mut best: Vec<[Vec<Row>; 3]> = Vec::new();
    for _ in 0..RUNS {
        best.push([rows(&native)?, rows(&shared)?, rows(&fixed)?]);
    }
    println!(
        "{:16}{:>12}{:>12}{:>12}{:>12}   (ns, best of {RUNS} runs)",
        "", "Rust", "C, shared", "C, static", "more"
    );
    for at in 0..best[0][0].len() {
        let of = |program: usize| {
            best.iter().filter_map(|run| Some(run[program].get(at)?.1)).fold(f64::INFINITY, f64::min)
        };
        let sums: Vec<&str> = best[0].iter().filter_map(|rows| Some(rows.get(at)?.2.as_str())).collect();
        if sums.len() != 3 || sums.iter().any(|sum| *sum != sums[0]) {
            return Err(format!("the answers of {} differ: {sums:?}", best[0][0][at].0));
        }
        let (rust, shared, fixed) = (of(0), of(1), of(2));
        println!("{:16}{rust:12.1}{shared:12.1}{fixed:12.1}{:12.1}", best[0][0][at].0, shared - rust);
    }
    Ok(())
}

fn rows(program: &std::path::Path) -> Result<Vec<Row>, String> {
    let said = crate::program(program).output().map_err(|error| format!("{}: {error}", program.display()))?;
    if !said.status.success() {
        return Err(format!("{} failed ({})", program.display(), said.status));
    }
    let text = String::from_utf8_lossy(&said.stdout);
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_string(), words.next()?.parse().ok()?, words.next()?.to_string()))
    };
    text.lines().map(|line| row(line).ok_or_else(|| format!("not a row: {line}"))).collect()
}
