//! PRA*(∞) beside our A*, by the length of the path.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use surefoot::search::{AStar, Planner};
use surefoot::space::Cost;
use surefoot_classics::abstraction::{Abstraction, AbstractionConfig};
use surefoot_classics::pra::PraStar;
use surefoot_lab::problem_files::maps_with_problems;

use crate::workload::{self, Workload};

/// Paths are told apart by their length in steps of this many cells; the last row has all that are longer.
const RANGE: u64 = 64;
const RANGES: usize = 9;
/// Each problem is solved this often by each method; the fastest counts, for the machine may be busy.
const PASSES: usize = 3;

/// What one method did for one problem.
#[derive(Clone, Copy)]
struct Solved {
    cost: Cost,
    expanded: u64,
    seconds: f64,
}

/// Sums over the problems of one range of lengths.
#[derive(Clone, Default)]
struct Row {
    paths: u64,
    a_star_seconds: f64,
    a_star_expanded: u64,
    pra_seconds: f64,
    pra_expanded: u64,
    within_one_percent: u64,
    within_half_a_percent: u64,
}

/// Compares the two on every `every`-th MovingAI problem of length 100 to 512, and on generated maps.
///
/// # Errors
/// If a map or its problems cannot be read or solved.
pub fn measure(benchmarks: &Path, every: usize) -> Result<(), Box<dyn Error>> {
    if benchmarks.is_dir() {
        for folder in ["bg512", "sc1", "dao"] {
            let mut rows = vec![Row::default(); RANGES];
            for (map, _) in maps_with_problems(&benchmarks.join(folder))? {
                compare(&workload::movingai(&map, every)?, &mut rows)?;
            }
            print_rows(folder, &rows);
        }
    } else {
        println!("no benchmarks in {}: generated maps only\n", benchmarks.display());
    }
    for side in [512, 1024] {
        let workload = workload::generated(side, 400);
        let mut rows = vec![Row::default(); RANGES];
        compare(&workload, &mut rows)?;
        print_rows(&workload.name, &rows);
    }
    Ok(())
}

fn compare(workload: &Workload, rows: &mut [Row]) -> Result<(), Box<dyn Error>> {
    let space = &workload.space;
    let abstraction = Arc::new(Abstraction::build(space, AbstractionConfig::default())?);
    let (mut a_star, mut pra) = (AStar::default(), PraStar::new(abstraction));
    for &(start, goal) in &workload.problems {
        let mut best: Option<(Solved, Solved)> = None;
        for _ in 0..PASSES {
            let begin = Instant::now();
            let optimal = a_star.find(space, &space.octile(), start, goal)?;
            let between = Instant::now();
            let near = pra.plan(space, start, goal)?;
            let times = (between - begin, between.elapsed());
            let solved = |answer: &surefoot::search::Answer, time: std::time::Duration| {
                let (cost, expanded) =
                    (answer.cost().ok_or("a problem cannot be solved")?, answer.counts.expanded);
                Ok::<_, Box<dyn Error>>(Solved { cost, expanded, seconds: time.as_secs_f64() })
            };
            let (mut a, mut b) = (solved(&optimal, times.0)?, solved(&near, times.1)?);
            if let Some((best_a, best_b)) = best {
                (a.seconds, b.seconds) = (a.seconds.min(best_a.seconds), b.seconds.min(best_b.seconds));
            }
            best = Some((a, b));
        }
        let Some((optimal, near)) = best else { continue };
        let length = optimal.cost / space.units().of_steps(1, 0);
        let row = &mut rows[((length / RANGE) as usize).min(RANGES - 1)];
        let over = near.cost as f64 / optimal.cost.max(1) as f64;
        row.paths += 1;
        row.a_star_seconds += optimal.seconds;
        row.a_star_expanded += optimal.expanded;
        row.pra_seconds += near.seconds;
        row.pra_expanded += near.expanded;
        row.within_one_percent += u64::from(over <= 1.01);
        row.within_half_a_percent += u64::from(over <= 1.005);
    }
    Ok(())
}

fn print_rows(title: &str, rows: &[Row]) {
    println!("{title}");
    println!(
        "{:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}",
        "length", "paths", "a* us", "pra* us", "faster", "a* exp", "pra* exp", "fewer", "in 1 %", "in 0.5 %"
    );
    let mut all = Row::default();
    for (range, row) in rows.iter().enumerate().filter(|(_, row)| row.paths > 0) {
        print_row(&format!("{}..", range as u64 * RANGE), row);
        all.paths += row.paths;
        all.a_star_seconds += row.a_star_seconds;
        all.a_star_expanded += row.a_star_expanded;
        all.pra_seconds += row.pra_seconds;
        all.pra_expanded += row.pra_expanded;
        all.within_one_percent += row.within_one_percent;
        all.within_half_a_percent += row.within_half_a_percent;
    }
    print_row("all", &all);
    println!();
}

fn print_row(name: &str, row: &Row) {
    let paths = row.paths.max(1) as f64;
    let percent = |count: u64| 100.0 * count as f64 / paths;
    println!(
        "{name:>8} {:>7} {:>9.1} {:>9.1} {:>9.2} {:>9.0} {:>9.0} {:>9.2} {:>8.2} {:>8.2}",
        row.paths,
        row.a_star_seconds / paths * 1e6,
        row.pra_seconds / paths * 1e6,
        row.a_star_seconds / row.pra_seconds,
        row.a_star_expanded as f64 / paths,
        row.pra_expanded as f64 / paths,
        row.a_star_expanded as f64 / row.pra_expanded as f64,
        percent(row.within_one_percent),
        percent(row.within_half_a_percent),
    );
}
