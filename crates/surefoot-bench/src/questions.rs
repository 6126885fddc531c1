//! How many questions a navigator answers: what bindings are held against (`python/benches/rates.py`).

use std::path::Path;
use std::time::Instant;

use surefoot::{Cell, Map, PathCost};
use surefoot_lab::problem_files::{read_scen, scen_beside};

type Failure = Box<dyn std::error::Error>;

/// The fastest pass counts: the machine may be busy.
const PASSES: usize = 5;

/// Asks for the costs and the paths of all problems beside a map, one after the other on one thread, and
/// prints rates as `name,questions a second`, and the sum of all costs.
///
/// # Errors
/// If the map or its problems cannot be read, or a problem is none on it.
pub fn measure(map: Option<&Path>) -> Result<(), Failure> {
    let path = map.ok_or("which map? --map FILE, with its problems beside it in FILE.scen")?;
    let navigator = Map::open(path)?.navigator()?;
    let problems: Vec<(Cell, Cell)> =
        read_scen(scen_beside(path))?.problems.iter().map(|problem| (problem.start, problem.goal)).collect();
    let mut best = [f64::INFINITY; 2];
    let (mut sum, mut moves) = (0.0, 0);
    for _ in 0..PASSES {
        (sum, moves) = (0.0, 0);
        let begin = Instant::now();
        for &(start, goal) in &problems {
            sum += navigator.cost(start, goal)?.map_or(0.0, PathCost::to_f64);
        }
        best[0] = best[0].min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        for &(start, goal) in &problems {
            moves += navigator.path(start, goal)?.map_or(0, |path| path.moves());
        }
        best[1] = best[1].min(begin.elapsed().as_secs_f64());
    }
    for (name, seconds) in ["costs", "paths"].iter().zip(best) {
        println!("{name},{:.0}", problems.len() as f64 / seconds);
    }
    println!("sum of costs,{sum:.6}\nsum of moves,{moves}");
    Ok(())
}
