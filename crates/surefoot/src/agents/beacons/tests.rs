use super::*;
use crate::agents::roster;
use crate::search::Dijkstra;
use crate::space::{Cell, CostModel, Grid, MoveRule, StateSpace as _};
use crate::test_maps::{problems, walk_by_legs};
use proptest::prelude::*;

proptest! {
    /// On the map that they were built for beacons never fail.
    #[test]
    fn every_leg_is_climbed((space, start, goal) in problems()) {
        for spec in ["beacon*", "beacon*(cutoff=1,problems=0)", "beacon*(cutoff=4,problems=50,ties=low-g)"] {
            let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            let there = walk_by_legs(&mut *agent, &space, start, goal);
            let back = walk_by_legs(&mut *agent, &space, goal, start);
            let best = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
            prop_assert!(there >= best && back >= best);
        }
    }

    /// An agent goes on with beacons for the map as it is now.
    #[test]
    fn another_database_can_be_used((space, start, goal) in problems(), edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..5)) {
        let mut space = space;
        let spec = "beacon*(cutoff=4,problems=20)".parse().unwrap();
        let mut agent = roster::agent_for(&spec, &space, 1).unwrap();
        agent.begin(&space, start, goal).unwrap();
        for _ in 0..3 {
            agent.step(&space, &mut Budget::unlimited());
        }
        for (cell, free) in edits {
            let state = State(cell % space.state_limit() as u32);
            if state != agent.position() && state != goal {
                space.set(space.cell(state), free);
            }
        }
        let database = roster::build_database(&spec, &space, 1).unwrap().unwrap();
        agent.use_database(&database).unwrap();
        let end = (0..10_000).map(|_| agent.step(&space, &mut Budget::unlimited())).find(|step| step.is_over());
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        prop_assert_eq!(end, Some(if is_open { Step::Arrived } else { Step::Unreachable }));
        prop_assert_eq!(agent.fallbacks(), 0);
    }
}

#[test]
fn an_edit_that_breaks_a_leg_is_got_over() {
    let grid = Grid::from_fn(40, 20, |cell| cell.x != 20 || cell.y == 3 || cell.y == 16).unwrap();
    let mut space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let at = |x, y| space.state(Cell::new(x, y));
    let (start, goal) = (at(2, 2), at(38, 2));
    let mut agent = roster::agent_for(&"beacon*".parse().unwrap(), &space, 1).unwrap();
    agent.begin(&space, start, goal).unwrap();
    agent.step(&space, &mut Budget::unlimited());
    space.set(Cell::new(20, 3), false);
    let arrived = (0..20_000).any(|_| agent.step(&space, &mut Budget::unlimited()) == Step::Arrived);
    assert!(arrived && agent.fallbacks() > 0);
}

/// Thousands of agents share a map: what each keeps is little.
#[test]
fn a_walker_is_small() {
    assert!(size_of::<BeaconWalker>() <= 56, "{} bytes", size_of::<BeaconWalker>());
}
