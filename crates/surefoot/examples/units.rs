//! Units in a game loop: moves hold cells, the report is kept while the crowd is used, units have speeds, a
//! building lands on one of them, and the way that each has before it can be drawn.
//!
//! `cargo run --release -p surefoot --example units`

use surefoot::space::{CostModel, Grid, MoveRule};
use surefoot::{Cell, Crowd, FrameBudget, Kind, PathCost, Priority, Speed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = Crowd::new(Grid::from_fn(40, 20, |cell| cell.x != 20 || cell.y > 15)?);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    let runner = crowd.add(kind, Cell::new(1, 1), Cell::new(38, 1), Priority::Normal)?;
    let walker = crowd.add(kind, Cell::new(1, 3), Cell::new(38, 3), Priority::Normal)?;
    crowd.set_speed(runner, Speed::new(3, 2))?; // three cells in two frames
    crowd.set_speed(walker, Speed::new(1, 4))?; // a cell in four frames

    // Questions are answered by the database, without a search.
    let homes = [(2, 18), (38, 18), (19, 0)];
    let (nearest, cost) = crowd.nearest_of(kind, (1, 1), homes)?.expect("there is a way");
    println!("from 1, 1 the nearest of {homes:?} is {:?}, at {cost:.2}", homes[nearest]);
    println!(
        "all of them: {:.2?}",
        crowd.costs(kind, (1, 1), homes)?.into_iter().flatten().map(PathCost::to_f64).collect::<Vec<_>>()
    );
    assert!(crowd.reachable(kind, (1, 1), (38, 1))?);

    let path = crowd.path(runner)?.expect("there is a way");
    println!(
        "the runner turns at {}",
        path.turning_points().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    );
    assert_eq!(crowd.moves_left(runner)?, Some(path.moves()));

    let mut trips = 0;
    for _ in 0..200 {
        let report = crowd.frame(FrameBudget::Work(20_000));
        for made in &report.moves {
            // Draw it. Moves hold cells, and the crowd can be asked while the report is read.
            assert!(crowd.map().is_free(made.to));
        }
        for &unit in &report.arrived {
            // Back and forth.
            let there = crowd.position(unit)?;
            crowd.set_goal(unit, Cell::new(39 - there.x, there.y))?;
            trips += 1;
        }
        if report.frame == 30 {
            let (x, y) = crowd.progress(walker)?.point();
            println!("after 30 frames the walker is drawn at {x:.2}, {y:.2}: it has covered 7.5 cells");
            assert!((x - 1.0).hypot(y - 3.0) < 7.6);
            // A building lands on it: it is pushed out, and goes on.
            let under = crowd.position(walker)?;
            crowd.set_cells([(under, false), (Cell::new(under.x + 1, under.y), false)])?;
            let pushed = crowd.push_out();
            println!("it stood on {under}, and was pushed to {}", pushed[0].1);
            assert_eq!(pushed[0].0, walker);
        }
        if report.frame == 60 {
            crowd.stop(walker)?;
            crowd.place(walker, (5, 18))?; // elsewhere, at once
            assert_eq!((crowd.position(walker)?, crowd.kind_of(walker)?), (Cell::new(5, 18), kind));
        }
    }
    println!("the runner made {trips} trips; {:?} cells a frame", crowd.speed(runner)?.cells_per_frame());
    assert!(trips >= 4);
    Ok(())
}
