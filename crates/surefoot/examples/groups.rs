//! Groups: 600 units that are obstacles to each other are sent through a gate to one place, and settle
//! around it. Then two columns meet in a corridor.
//!
//! `cargo run --release -p surefoot --example groups`

use surefoot::space::{CostModel, Grid, MoveRule};
use surefoot::{Cell, Crowd, CrowdConfig, CrowdError, FrameBudget, GroupId, Kind, Priority, UnitId};

/// Frames until a group has settled.
fn settle(crowd: &mut Crowd, group: GroupId) -> u32 {
    loop {
        let report = crowd.frame(FrameBudget::Work(200_000));
        if report.settled.contains(&group) {
            return report.frame;
        }
        assert!(report.frame < 2_000, "it never settles");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = CrowdConfig::default().with_units_as_obstacles(true);
    let wall = |cell: Cell| cell.x != 60 || (20..30).contains(&cell.y);
    let mut crowd = Crowd::with_config(Grid::from_fn(120, 50, wall)?, config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    let starts: Vec<Cell> = crowd.map().free_cells().filter(|cell| cell.x < 24).step_by(2).collect();
    let units: Result<Vec<UnitId>, CrowdError> =
        starts.iter().map(|&cell| crowd.add(kind, cell, cell, Priority::Normal)).collect();
    let units = units?;

    let place = Cell::new(95, 25);
    let group = crowd.send(units.iter().copied(), place)?;
    let frames = settle(&mut crowd, group);
    let far = |unit: &UnitId| {
        let at = crowd.position(*unit).unwrap_or(place);
        at.x.abs_diff(place.x).max(at.y.abs_diff(place.y))
    };
    let farthest = units.iter().map(far).max().unwrap_or(0);
    println!("{} units are around {place} after {frames} frames, {farthest} cells away at most", units.len());
    assert!(farthest < 24);

    // A corridor of one cell's width, and a column at each end. Who was sent first goes first.
    let corridor = |cell: Cell| cell.y == 5 || !(8..32).contains(&cell.x);
    let mut crowd = Crowd::with_config(Grid::from_fn(40, 11, corridor)?, config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    let mut column = |x: u32| -> Result<Vec<UnitId>, CrowdError> {
        (2..9).map(|y| crowd.add(kind, Cell::new(x, y), Cell::new(x, y), Priority::Normal)).collect()
    };
    let (left, right) = (column(3)?, column(36)?);
    let first = crowd.send(left, (36, 5))?;
    let second = crowd.send(right, (3, 5))?;
    println!("the first column is through after {} frames", settle(&mut crowd, first));
    println!("the second one after {}", settle(&mut crowd, second));
    Ok(())
}
