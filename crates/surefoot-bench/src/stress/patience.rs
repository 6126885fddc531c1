//! Waits that last as long as the longest patience: tens of thousands of frames of next to nothing.

use surefoot::crowd::{Crowd, CrowdConfig, FrameBudget, Kind, Priority};
use surefoot::space::{Cell, CostModel, Grid, MoveRule};
use surefoot_classics::ROSTER;
use surefoot_lab::random::Rng;

use super::face;
use super::report::Log;
use super::world::{between, pick};

/// Units are dealt to so many lanes.
const LANES: u32 = 16;

/// One unit of high priority walks far, and takes all the work of its lane; one of low priority, in the same
/// lane, is served when its patience is lost. It makes a move whenever it is served, so that its wait can be
/// seen.
pub fn run(random: &mut Rng, log: &mut Log) {
    let short = between(random, 1, 3000) as u16;
    let patience = pick(random, &[65_533, 65_534, 65_535, short]);
    let length = 2 * u32::from(patience) + 200;
    let served_after = wait(patience, length, u64::from(length));
    if served_after.is_none_or(|(waited, stated)| stated.is_some_and(|stated| waited > stated)) {
        log.find(
            "wait bound",
            "patience",
            format!("a unit with a patience of {patience} is not served in time [{served_after:?}]"),
        );
    }
}

/// After how many frames the impatient one is served, and what was stated when it began to wait. `None` if so
/// many frames are not enough.
fn wait(patience: u16, length: u32, frames: u64) -> Option<(u64, Option<u64>)> {
    let mut config = CrowdConfig::default();
    config.patience = patience;
    let mut crowd = Crowd::with_config(Grid::from_fn(length, 1, |_| true).ok()?, config);
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = ROSTER.algorithm(&"lrta*(d=1)".parse().ok()?).ok()?;
    let kind = crowd.add_kind(kind).ok()?;
    crowd.add(kind, Cell::new(0, 0), Cell::new(length - 1, 0), Priority::High).ok()?;
    for x in 1..LANES {
        crowd.add(kind, Cell::new(x, 0), Cell::new(x, 0), Priority::Normal).ok()?;
    }
    let low = crowd.add(kind, Cell::new(50, 0), Cell::new(60, 0), Priority::Low).ok()?;
    let mut stated = None;
    for waited in 0..frames {
        let report = face::frame(&mut crowd, FrameBudget::Work(1));
        if report.moves.iter().any(|made| made.unit == low) {
            return Some((waited, stated));
        }
        if waited == 0 {
            stated = report.wait_bound;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_when_patience_does() {
        let (waited, stated) = wait(100, 400, 400).unwrap();
        assert!(waited > 100 && stated.is_some_and(|stated| waited <= stated), "{waited} {stated:?}");
        assert_eq!(wait(300, 900, 200), None, "a wait that does not end is seen");
    }
}
