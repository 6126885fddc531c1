//! A crowd of two kinds: small scouts and large carts, and a hound that chases a scout. One budget for all of them in every frame.
//!
//! `cargo run --release -p surefoot --example crowd`

use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority};
use surefoot::space::{Cell, CostModel, Grid, MoveRule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A wall with a narrow and a wide gate.
    let gates = |cell: Cell| cell.x != 30 || cell.y == 5 || (14..18).contains(&cell.y);
    let mut crowd = Crowd::new(Grid::from_fn(60, 24, gates)?);

    // Each kind has its own database, built here; `Kind::database` takes one from a file.
    let scouts = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2))?;
    let mut cart = Kind::new(MoveRule::Cardinal, CostModel::Sqrt2);
    cart.size = 3;
    let carts = crowd.add_kind(cart)?;

    let hare = crowd.add(scouts, Cell::new(2, 4), Cell::new(55, 4), Priority::High)?;
    let cart = crowd.add(carts, Cell::new(2, 4), Cell::new(55, 4), Priority::Normal)?;
    let hound = crowd.add(scouts, Cell::new(2, 20), Cell::new(2, 20), Priority::Low)?;
    crowd.pursue(hound, hare)?;

    for _ in 0..120 {
        // In work, so that it is the same on every machine; or in time: FrameBudget::Time(&|| clock.elapsed() < limit).
        let report = crowd.frame(FrameBudget::Work(20_000));
        for &unit in &report.arrived {
            let who = if unit == hare {
                "hare"
            } else if unit == cart {
                "cart"
            } else {
                "hound"
            };
            println!("frame {:3}: the {who} is there", report.frame);
        }
    }
    let report = crowd.report();
    println!("nobody who waits now will have waited for more than {:?} frames", report.wait_bound);
    println!("in step if this is the same for all players: {:016x}", crowd.checksum());

    let saved = crowd.save();
    let loaded = Crowd::load(&saved)?;
    println!("{} units from {} bytes", loaded.len(), saved.len());
    Ok(())
}
