//! Saved agents: no bytes make the reader panic, and an agent made from them keeps to its bound and to legal moves. The
//! envelope is put around the bytes here: its checksum would stop every other change.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use surefoot::agents::{Step, roster};
use surefoot::formats::grid_from_art;
use surefoot::search::Budget;
use surefoot::space::{CostModel, GridSpace, MoveRule, State, StateSpace};
use surefoot_fuzz::seal;

/// The map that the seeds were saved on.
static WORLD: LazyLock<GridSpace> = LazyLock::new(|| {
    let grid = grid_from_art(".......\n.####..\n....#..\n.##.#..\n.......").expect("a small map");
    GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14)
});

fuzz_target!(|body: &[u8]| {
    let world = &*WORLD;
    let (spec, mut agent) = match roster::restore(world, &seal(b"sfagent\n", 1, body), None) {
        Ok(restored) => restored,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for time in 0..40 {
        let position = agent.position();
        let mut budget = agent.bound().map_or_else(Budget::unlimited, Budget::limited);
        if let Step::Moved(next) = agent.step(world, &mut budget) {
            let mut is_legal = false;
            world.for_each_successor(position, |state, _| is_legal |= state == next);
            assert!(is_legal && agent.position() == next, "{spec} goes from {position:?} to {next:?}");
        } else if time < 30 {
            // Wherever it stands, it is given another goal; a blocked one is refused.
            let _ = agent.set_goal(world, State(time));
        }
        assert!(!budget.is_overdrawn(), "{spec} took {}", budget.spent());
        assert!(agent.plan().len() <= body.len() + world.state_limit());
        assert!(agent.memory().states() < u64::MAX, "the sum does not overflow");
    }
    let bytes = roster::save(world, &spec, &*agent);
    let (_, again) = roster::restore(world, &bytes, None).expect("what was saved can be restored");
    assert_eq!(roster::save(world, &spec, &*again), bytes);
});
