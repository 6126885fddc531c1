use super::*;
use crate::agents::roster;
use crate::search::Dijkstra;
use crate::space::{Cell, Cost, CostModel, Grid, Heuristic, MoveRule, StateSpace as _};
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

/// Walks to the goal, which it must get to without a fallback, each move within the bound, and within a leg by way of no state twice. What
/// the walk cost.
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
        let mut is_legal = false;
        space.for_each_successor(before, |state, _| is_legal |= state == next);
        assert!(is_legal);
        if target != agent.plan().first().copied() {
            (target, leg) = (agent.plan().first().copied(), vec![before]);
        }
        assert!(!leg.contains(&next), "no state comes twice within a leg");
        leg.push(next);
        cost += space.estimate(before, next);
    }
    panic!("it walks for ever");
}

proptest! {
    /// On the map that they were built for beacons never fail.
    #[test]
    fn every_leg_is_climbed((space, start, goal) in problems()) {
        for spec in ["beacon*", "beacon*(cutoff=1,problems=0)", "beacon*(cutoff=4,problems=50,ties=low-g)"] {
            let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            let there = walk(&mut *agent, &space, start, goal);
            let back = walk(&mut *agent, &space, goal, start);
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
