use super::*;
use crate::agents::roster;
use crate::space::{Cost, CostModel, Grid, MoveRule};
use alloc::vec;
use proptest::prelude::*;

fn problems() -> impl Strategy<Value = (GridSpace, State, State)> {
    let cells = prop::collection::vec(0_u8..20, 30 * 30);
    let rules = (0_usize..MoveRule::ALL.len(), any::<bool>());
    (2_u32..30, 2_u32..30, cells, 0_u8..8, rules, any::<u32>(), any::<u32>()).prop_filter_map(
        "both ends are free and connected",
        |(width, height, cells, walls, (rule, is_exact), start, goal)| {
            let grid = Grid::from_fn(width, height, |cell| cells[(cell.y * 30 + cell.x) as usize] >= walls);
            let costs = if is_exact { CostModel::Diagonal14 } else { CostModel::Sqrt2 };
            let space = GridSpace::new(grid.unwrap(), MoveRule::ALL[rule], costs);
            let (start, goal) = (State(start % (width * height)), State(goal % (width * height)));
            let is_open = space.contains(start)
                && space.contains(goal)
                && space.components().same(space.cell(start), space.cell(goal));
            is_open.then_some((space, start, goal))
        },
    )
}

/// Walks to the goal, which it must get to without a fallback, and within a leg by way of no state twice. What the walk cost.
fn walk(agent: &mut dyn Agent, space: &GridSpace, start: State, goal: State) -> Cost {
    agent.begin(space, start, goal).unwrap();
    let (mut cost, mut target, mut leg) = (0, None, vec![]);
    for _ in 0..100_000 {
        let before = agent.position();
        let mut budget = Budget::limited(agent.bound().unwrap());
        let step = agent.step(space, &mut budget);
        assert!(!budget.is_overdrawn(), "{}", budget.spent());
        let Step::Moved(next) = step else {
            assert_eq!((step, agent.fallbacks()), (Step::Arrived, 0));
            return cost;
        };
        if target != agent.plan().first().copied() {
            (target, leg) = (agent.plan().first().copied(), vec![before]);
        }
        assert!(!leg.contains(&next), "no state comes twice within a leg");
        leg.push(next);
        cost += space.step_cost(before, direction(space, before, next));
    }
    panic!("it walks for ever");
}

fn direction(space: &GridSpace, from: State, to: State) -> crate::space::Direction {
    space.moves(from).iter().find(|&direction| space.step(from, direction) == to).unwrap()
}

proptest! {
    /// On the map that it was built for a cover never fails.
    #[test]
    fn every_leg_is_climbed((space, start, goal) in problems()) {
        for spec in ["hcdps*", "hcdps*(cutoff=4,check=cutoff)", "hcdps*(cutoff=6,skip=3)"] {
            let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            walk(&mut *agent, &space, start, goal);
        }
        // Here a leg may be a path inside a sector.
        for spec in ["dba*(sector=3)", "dba*(sector=7,check=2)"] {
            let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let steps = (0..100_000).find(|_| agent.step(&space, &mut Budget::unlimited()) == Step::Arrived);
            prop_assert!(steps.is_some() && agent.fallbacks() == 0, "{}", spec);
        }
    }
}

#[test]
fn an_edit_that_breaks_a_leg_is_got_over() {
    let grid = Grid::from_fn(40, 20, |cell| cell.x != 20 || cell.y == 3 || cell.y == 16).unwrap();
    let mut space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let at = |space: &GridSpace, x, y| space.state(crate::space::Cell::new(x, y));
    for spec in ["hcdps*", "dba*(sector=8)"] {
        let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        let (start, goal) = (at(&space, 2, 2), at(&space, 38, 2));
        agent.begin(&space, start, goal).unwrap();
        agent.step(&space, &mut Budget::unlimited());
        space.set(crate::space::Cell::new(20, 3), false);
        let arrived = (0..20_000).any(|_| agent.step(&space, &mut Budget::unlimited()) == Step::Arrived);
        assert!(arrived && agent.fallbacks() > 0, "{spec}");
        space.set(crate::space::Cell::new(20, 3), true);
    }
}
