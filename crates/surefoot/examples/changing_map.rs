//! A map that changes under way: gates close and open, and whoever has no way is told, and told again when there is one.
//!
//! `cargo run --release -p surefoot --example changing_map`

use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority};
use surefoot::space::{Cell, CostModel, Grid, MoveRule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (north, south) = (Cell::new(20, 3), Cell::new(20, 16));
    let mut crowd = Crowd::new(Grid::from_fn(40, 20, |cell| cell.x != 20 || cell == north || cell == south)?);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    let unit = crowd.add(kind, Cell::new(2, 2), Cell::new(37, 2), Priority::Normal)?;

    for frame in 1..=120 {
        // Between two frames cells are blocked and freed.
        match frame {
            10 => drop(crowd.set_cell(north, false)?),
            30 => drop(crowd.set_cell(south, false)?),
            50 => drop(crowd.set_cell(north, true)?),
            _ => {}
        }
        crowd.frame(FrameBudget::Everyone);
        let report = crowd.report();
        let here = crowd.position(unit)?;
        if !report.unreachable.is_empty() {
            println!("frame {frame}: at {here}, and there is no way");
        }
        if !report.reachable.is_empty() {
            println!("frame {frame}: there is a way again");
        }
        if report.arrived == [unit] {
            println!("frame {frame}: it is there");
            return Ok(());
        }
    }
    Err("it did not arrive".into())
}
