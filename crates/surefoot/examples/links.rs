//! Links: two floors with stairs between them, a one-way door, and a teleporter that a player builds while the game runs.
//!
//! `cargo run --release -p surefoot --example links`

use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority, UnitStatus};
use surefoot::space::{Cell, CostModel, Link, MoveRule};
use surefoot::{Map, UnitId};

/// The ground floor on the left, the upper floor on the right: rock lies between them. Upstairs a wall has a
/// door in it, which is rock, too.
const FLOORS: &str = "
............#......#.....
............#......#.....
....####....#......#.....
....#..#....#......#.....
....#..#....#......#.....
............#......#.....
............#......#.....
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stairs = Link::new((11, 3), (13, 3)).costing(3);
    let door = Link::new((18, 5), (20, 5));
    let links = [stairs, stairs.reversed(), door];

    // One path, for whoever has no crowd.
    let map = Map::from_art(FLOORS.trim())?.with_links(links)?;
    let nav = map.navigator()?;
    let path = nav.path((0, 0), (24, 6))?.ok_or("there is a way over the stairs and through the door")?;
    println!("{} moves to the far room, over {:?}", path.moves(), path.jumps());
    assert_eq!(path.jumps().len(), 2);
    assert!(!nav.reachable((24, 6), (0, 0))?, "the door does not open from behind");

    // The same for units.
    let mut crowd = Crowd::new(&map);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    for link in links {
        crowd.add_link(kind, link)?;
    }
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(24, 6), Priority::Normal)?;
    let there = walk(&mut crowd, unit)?;
    assert_eq!(Some(there), nav.cost((0, 0), (24, 6))?.map(|_| path.moves()), "the very same way");

    // Back there is no way, until somebody builds a teleporter.
    crowd.set_goal(unit, Cell::new(0, 0))?;
    crowd.frame(FrameBudget::Everyone);
    assert_eq!(crowd.status(unit)?, UnitStatus::Unreachable);
    println!("there is no way back");
    let teleporter = crowd.add_link(kind, Link::new((24, 0), (5, 3)).costing(10))?;
    walk(&mut crowd, unit)?;
    crowd.remove_link(kind, teleporter)?;
    Ok(())
}

/// Lets a unit walk to its goal, and tells which links it takes. How many moves it made.
fn walk(crowd: &mut Crowd, unit: UnitId) -> Result<usize, Box<dyn std::error::Error>> {
    let mut moves = 0;
    for _ in 0..200 {
        let report = crowd.frame(FrameBudget::Everyone);
        for made in &report.moves {
            moves += 1;
            if made.from.x.abs_diff(made.to.x).max(made.from.y.abs_diff(made.to.y)) > 1 {
                println!("frame {}: from {} to {}", report.frame, made.from, made.to);
            }
        }
        if report.arrived == [unit] {
            println!("frame {}: at {}, after {moves} moves", report.frame, crowd.position(unit)?);
            return Ok(moves);
        }
    }
    Err("it did not arrive".into())
}
