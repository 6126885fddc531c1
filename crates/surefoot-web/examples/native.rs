//! The bytes that a native navigator has for a map, and how long things take: what `web/tests` compares the
//! package with. The map follows from a formula that both have.
//!
//! `cargo run --release -p surefoot-web --example native -- SIDE FILE` writes the bytes for a map of SIDE x
//! SIDE cells to FILE. Without arguments it checks that the bytes are the same twice.

#![forbid(unsafe_code)]

use std::error::Error;
use std::time::Instant;
use surefoot::{Cell, Map};

/// Blocks of 8 x 8 cells: about a third have a wall to the east or to the south, with a gap.
fn is_free(cell: Cell) -> bool {
    let (column, row) = (cell.x / 8, cell.y / 8);
    let mixed = column.wrapping_mul(2_654_435_761) ^ row.wrapping_mul(2_246_822_519);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519);
    let gap = mixed >> 20 & 7;
    let is_east = mixed.is_multiple_of(3) && cell.x % 8 == 7 && cell.y % 8 != gap;
    let is_south = mixed % 3 == 1 && cell.y % 8 == 7 && cell.x % 8 != gap;
    !is_east && !is_south
}

/// Ends of walks, by a formula, too.
fn ends(side: u32) -> impl Iterator<Item = (Cell, Cell)> {
    let place = move |number: u32| Cell::new(number * 37 % side, number * 101 % side);
    let pairs = (0..1000).map(move |number| (place(number), place(number + 12_345)));
    pairs.filter(|&(start, goal)| is_free(start) && is_free(goal))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let side = arguments.first().map_or(Ok(64), |side| side.parse())?;
    let map = Map::from_fn(side, side, is_free)?;
    let begin = Instant::now();
    let navigator = map.navigator()?;
    let build = begin.elapsed();
    let bytes = navigator.to_bytes()?;
    let Some(file) = arguments.get(1) else {
        assert_eq!(map.navigator()?.to_bytes()?, bytes);
        println!("a navigator for {side} x {side} cells has {} bytes, and has them again", bytes.len());
        return Ok(());
    };
    std::fs::write(file, &bytes)?;

    let begin = Instant::now();
    let mut cost = 0.0;
    for (start, goal) in ends(side) {
        cost += navigator.path(start, goal)?.map_or(0.0, |path| path.cost().to_f64());
    }
    let paths = begin.elapsed();
    let begin = Instant::now();
    let mut moves = 0_u32;
    for (start, goal) in ends(side).filter(|&(start, goal)| navigator.reachable(start, goal) == Ok(true)) {
        let mut walker = navigator.walker(start, goal)?;
        while walker.next_move()?.is_some() {
            moves += 1;
        }
    }
    let walks = begin.elapsed();
    // One line of JSON, for whoever compares.
    println!(
        "{{\"buildMilliseconds\":{},\"pathMicroseconds\":{},\"moveNanoseconds\":{},\"cost\":{cost},\"moves\":{moves}}}",
        build.as_secs_f64() * 1e3,
        paths.as_secs_f64() * 1e6 / ends(side).count() as f64,
        walks.as_secs_f64() * 1e9 / f64::from(moves.max(1)),
    );
    Ok(())
}
