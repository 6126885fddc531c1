//! What the questions of `benches/calls.c` cost without C: `cargo xtask c --bench` compares. Each line is a
//! question, nanoseconds, and a sum that both have to come to.

#![forbid(unsafe_code)]

use std::error::Error;
use std::hint::black_box;
use std::task::Poll;
use std::time::Instant;
use surefoot::{Cell, Map};

const SIDE: u32 = 512;
const ROUNDS: u32 = 5;

/// Blocks of 8 x 8 cells: about a third have a wall to the east or to the south, with a gap.
fn is_free(cell: Cell) -> bool {
    let mixed = (cell.x / 8).wrapping_mul(2_654_435_761) ^ (cell.y / 8).wrapping_mul(2_246_822_519);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519);
    let gap = mixed >> 20 & 7;
    let is_east = mixed.is_multiple_of(3) && cell.x % 8 == 7 && cell.y % 8 != gap;
    let is_south = mixed % 3 == 1 && cell.y % 8 == 7 && cell.x % 8 != gap;
    !is_east && !is_south
}

/// The best of some rounds: nanoseconds for each of what was counted, and the sum.
fn measure(name: &str, mut round: impl FnMut() -> (f64, f64, f64)) {
    let rounds: Vec<_> = (0..ROUNDS).map(|_| round()).collect();
    let best = rounds.iter().map(|(nanoseconds, count, _)| nanoseconds / count).fold(f64::INFINITY, f64::min);
    println!("{name} {best:.2} {:.3}", rounds[0].2);
}

fn timed(act: impl FnOnce() -> (f64, f64)) -> (f64, f64, f64) {
    let begin = Instant::now();
    let (count, sum) = act();
    (begin.elapsed().as_secs_f64() * 1e9, count, sum)
}

fn main() -> Result<(), Box<dyn Error>> {
    let map = Map::from_fn(SIDE, SIDE, is_free)?;
    let navigator = map.navigator()?;
    let place = |number: u32| Cell::new(number * 37 % SIDE, number * 101 % SIDE);
    let ends: Vec<(Cell, Cell)> = (0..1000)
        .map(|number| (place(number), place(number + 12_345)))
        .filter(|&(start, goal)| navigator.reachable(start, goal) == Ok(true))
        .collect();
    assert!(!ends.is_empty());

    measure("is_free", || {
        timed(|| {
            let mut sum = 0_u32;
            for _ in 0..8 {
                let cells = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| Cell::new(x, y)));
                sum = cells
                    .map(|cell| u32::from(black_box(&map).is_free(black_box(cell))))
                    .fold(sum, u32::wrapping_add);
            }
            (f64::from(8 * SIDE * SIDE), f64::from(sum))
        })
    });
    let cost = |start, goal| match navigator.cost(start, goal) {
        Ok(Some(cost)) => cost.to_f64(),
        _ => f64::NAN,
    };
    measure("cost", || {
        timed(|| {
            let sum = ends.iter().map(|&(start, goal)| cost(black_box(start), goal)).sum();
            (ends.len() as f64, sum)
        })
    });
    measure("cost_to_itself", || {
        timed(|| {
            let again = (0..100).flat_map(|_| &ends);
            let sum = again.map(|&(start, _)| cost(black_box(start), start) + 1.0).sum();
            (100.0 * ends.len() as f64, sum)
        })
    });
    measure("walker_next", || {
        let walkers = ends.iter().map(|&(start, goal)| navigator.walker(start, goal));
        let mut walkers: Vec<_> = walkers.filter_map(Result::ok).collect();
        timed(|| {
            let mut moves = 0.0;
            for walker in &mut walkers {
                loop {
                    moves += 1.0;
                    if let Poll::Ready(Ok(None) | Err(_)) = black_box(&mut *walker).poll_move() {
                        break;
                    }
                }
            }
            (moves, moves)
        })
    });
    Ok(())
}
