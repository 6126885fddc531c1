//! Kinds that are added while the game runs: one is built on another thread, one within the budgets of
//! frames. Their units walk meanwhile, and the map is edited.
//!
//! `cargo run --release -p surefoot --example building`

use std::ops::ControlFlow;

use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority};
use surefoot::space::{Cell, CostModel, Grid, MoveRule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_wall = |cell: Cell| {
        let (x, y) = (cell.x % 24, cell.y % 20);
        x == 0 && !(8..12).contains(&y) || y == 0 && !(10..15).contains(&x)
    };
    let mut crowd = Crowd::new(Grid::from_fn(240, 160, |cell| !is_wall(cell))?);
    let even = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);

    // Tanks are two cells wide. Their database is built on a thread.
    let tanks = crowd.add_kind_unbuilt(even.clone().with_size(2))?;
    let build = crowd.build_of(tanks)?;
    // It is told how far it is, and may answer with Break to cancel it.
    let mut thread = Some(std::thread::spawn(move || build.run(&mut |_event| ControlFlow::Continue(()))));
    // Scouts are built in frames: the same on all machines of a lockstep game.
    let scouts = crowd.add_kind_unbuilt(even)?;
    crowd.build_in_frames(scouts)?;
    let tank = crowd.add(tanks, Cell::new(2, 2), Cell::new(230, 150), Priority::Normal)?;
    let scout = crowd.add(scouts, Cell::new(230, 2), Cell::new(2, 150), Priority::Normal)?;

    let (mut arrived, mut stage) = (Vec::new(), "");
    for frame in 1..=5000 {
        if frame == 20 {
            crowd.set_cells((0..8).map(|y| (Cell::new(24, y), true)))?; // a wall falls meanwhile
        }
        let report = crowd.frame(FrameBudget::Work(20_000));
        if let Some(progress) = crowd.build_progress(scouts)?
            && progress.stage != stage
        {
            stage = progress.stage;
            println!("frame {frame}: scouts, {progress}; the scout is at {}", crowd.position(scout)?);
        }
        if report.built == [scouts] {
            println!("frame {frame}: scouts are built; the scout is at {}", crowd.position(scout)?);
        }
        if let Some(done) = thread.take_if(|thread| thread.is_finished()) {
            crowd.give_database(tanks, done.join().map_err(|_| "the build panicked")??)?;
            println!("frame {frame}: tanks are built; one is at {}", crowd.position(tank)?);
        }
        arrived.extend_from_slice(&report.arrived);
        if arrived.len() == 2 && crowd.is_built(tanks)? && crowd.is_built(scouts)? {
            println!("frame {frame}: both are there");
            break;
        }
    }
    assert!(arrived.contains(&tank) && arrived.contains(&scout));
    Ok(())
}
