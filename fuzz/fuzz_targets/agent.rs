//! Saved agents: no bytes make the reader panic, and an agent made from them keeps to its bound and to legal moves. The
//! envelope is put around the bytes here: its checksum would stop every other change.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use surefoot::agent::Step;
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{CostModel, GridSpace, MoveRule, State, StateSpace};
use surefoot_classics::ROSTER;
use surefoot_fuzz::seal;

/// The map that the seeds were saved on.
static WORLD: LazyLock<GridSpace> = LazyLock::new(|| {
    let grid = grid_from_art(".......\n.####..\n....#..\n.##.#..\n.......").expect("a small map");
    GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14)
});

fuzz_target!(|body: &[u8]| {
    let world = &*WORLD;
    let (algorithm, mut agent) = match ROSTER.restore(world, &seal(b"sfagent\n", 1, body), None) {
        Ok(restored) => restored,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let spec = algorithm.spec();
    for time in 0..40 {
        let position = agent.position();
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        if let Step::Moved(next) = agent.step(world, &mut meter) {
            let mut is_legal = false;
            world.for_each_successor(position, |state, _| is_legal |= state == next);
            assert!(is_legal && agent.position() == next, "{spec} goes from {position:?} to {next:?}");
        } else if time < 30 {
            // Wherever it stands, it is given another goal; a blocked one is refused.
            let _ = agent.set_goal(world, State(time));
        }
        assert!(!meter.is_overdrawn(), "{spec} took {}", meter.spent());
        assert!(agent.plan().len() <= body.len() + world.state_limit());
        assert!(agent.memory().states() < u64::MAX, "the sum does not overflow");
    }
    let bytes = algorithm.save(world, &*agent);
    let (_, again) = ROSTER.restore(world, &bytes, None).expect("what was saved can be restored");
    assert_eq!(algorithm.save(world, &*again), bytes);
});
