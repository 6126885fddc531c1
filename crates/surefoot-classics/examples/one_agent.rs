//! One agent, from a map to its goal: a database that is made once, and a move for every frame.
//!
//! `cargo run --release -p surefoot --example one_agent`

use surefoot::agent::Step;
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
use surefoot_classics::ROSTER;

const MAP: &str = "
....................
.########..########.
.#......#..#......#.
.#......#..#......#.
.#................#.
.#......#..#......#.
.########..########.
....................
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Files are read with `surefoot::formats::read_any_map`.
    let grid = grid_from_art(MAP.trim())?;
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);

    // Once per map: `database.to_bytes()` goes to a file, and `Database::from_bytes` reads it back in the game.
    let spec = "beacon*".parse()?;
    let database = ROSTER.build_database(&spec, &space, 1)?;
    let mut agent = ROSTER.agent_with(&spec, database.as_ref())?;

    let (start, goal) = space.locate_ends(Cell::new(3, 3), Cell::new(0, 0))?;
    agent.begin(&space, start, goal)?;
    let mut meter = Meter::new(); // counts what is planned; `agent.bound()` is the most for a move
    loop {
        meter.renew();
        match agent.step(&space, &mut meter) {
            Step::Moved(state) => println!("to {}, for {}", space.cell(state), meter.spent()),
            step if step.is_over() => break,
            _ => {}
        }
    }
    println!("it stands on {}", space.cell(agent.position()));
    Ok(())
}
