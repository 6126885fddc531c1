use crate::ROSTER;
use crate::test_maps::{problems, walk_by_legs};
use proptest::prelude::*;
use surefoot::space::{CostModel, Grid, MoveRule};

use super::*;

proptest! {
    /// On the map that it was built for a cover never fails.
    #[test]
    fn every_leg_is_climbed((space, start, goal) in problems()) {
        for spec in ["hcdps*", "hcdps*(cutoff=4,check=cutoff)", "hcdps*(cutoff=6,skip=3)"] {
            let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            walk_by_legs(&mut *agent, &space, start, goal);
        }
        // Here a leg may be a path inside a sector.
        for spec in ["dba*(sector=3)", "dba*(sector=7,check=2)"] {
            let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let steps = (0..100_000).find(|_| agent.step(&space, &mut Meter::new()) == Step::Arrived);
            prop_assert!(steps.is_some() && agent.fallbacks() == 0, "{}", spec);
        }
    }
}

#[test]
fn an_edit_that_breaks_a_leg_is_got_over() {
    let grid = Grid::from_fn(40, 20, |cell| cell.x != 20 || cell.y == 3 || cell.y == 16).unwrap();
    let mut space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let at = |space: &GridSpace, x, y| space.state_of(surefoot::space::Cell::new(x, y));
    for spec in ["hcdps*", "dba*(sector=8)"] {
        let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        let (start, goal) = (at(&space, 2, 2), at(&space, 38, 2));
        agent.begin(&space, start, goal).unwrap();
        agent.step(&space, &mut Meter::new());
        space.set(surefoot::space::Cell::new(20, 3), false);
        let arrived = (0..20_000).any(|_| agent.step(&space, &mut Meter::new()) == Step::Arrived);
        assert!(arrived && agent.fallbacks() > 0, "{spec}");
        space.set(surefoot::space::Cell::new(20, 3), true);
    }
}
