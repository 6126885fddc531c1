//! Ground that changes its price: rain turns a meadow into mud, and walks follow; then a road is laid.
//!
//! `cargo run --release -p surefoot --example weights`

use surefoot::crowd::{Crowd, CrowdError, FrameBudget, Kind, KindId, Priority};
use surefoot::space::{Cell, CellWeights, CostModel, Grid, MoveRule};

/// A unit walks from the left to the right. The northernmost row that it gets to, and how many moves it makes
/// in mud.
fn walk(crowd: &mut Crowd, kind: KindId) -> Result<(u32, u32), CrowdError> {
    let unit = crowd.add(kind, Cell::new(2, 15), Cell::new(57, 15), Priority::Normal)?;
    let (mut north, mut in_mud) = (u32::MAX, 0);
    loop {
        let report = crowd.frame(FrameBudget::Work(50_000));
        for made in &report.moves {
            north = north.min(made.to.y);
            in_mud += u32::from(crowd.weight(kind, made.to)? > 1);
        }
        if report.arrived == [unit] {
            crowd.remove(unit)?;
            return Ok((north, in_mud));
        }
    }
}

/// Frames until whoever sets out goes by what ground costs now.
fn settle(crowd: &mut Crowd, kind: KindId) -> Result<u32, CrowdError> {
    let mut frames = 0;
    while !crowd.is_up_to_date(kind)? {
        crowd.frame(FrameBudget::Work(50_000));
        frames += 1;
    }
    Ok(frames)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_fn(60, 30, |cell| cell.x % 11 != 5 || cell.y % 7 != 3)?;
    let mut crowd = Crowd::new(grid.clone());
    // Ground is even now, and will not stay so.
    let carts = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_weights(CellWeights::even(&grid));
    let carts = crowd.add_kind(carts)?;
    let (dry, _) = walk(&mut crowd, carts)?;
    println!("dry: straight on, by row {dry}");

    let meadow = (4..30).flat_map(|y| (20..40).map(move |x| Cell::new(x, y)));
    let wet = crowd.set_weights(carts, meadow.map(|cell| (cell, 20)))?;
    let frames = settle(&mut crowd, carts)?;
    let (around, in_mud) = walk(&mut crowd, carts)?;
    println!(
        "rain: {wet} cells of mud, known after {frames} frames; around it by row {around}, {in_mud} moves in mud"
    );
    assert!(around < 4 && in_mud == 0);

    crowd.set_weights(carts, (20..40).map(|x| (Cell::new(x, 15), 1)))?;
    let frames = settle(&mut crowd, carts)?;
    let (by_road, in_mud) = walk(&mut crowd, carts)?;
    println!("a road: known after {frames} frames; by row {by_road}, {in_mud} moves in mud");
    assert!(by_road > around && in_mud == 0);
    Ok(())
}
