use alloc::sync::Arc;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::search::Dijkstra;
use crate::space::{Cell, CellWeights, Cost, CostModel, Grid, MoveRule, StateSpace as _};
use crate::transit::TransitConfig;

/// Maps of all rules with any weights, and two states with a way between them.
fn problems() -> impl Strategy<Value = (GridSpace, State, State)> {
    let cells = prop::collection::vec((0_u8..20, 1_u8..=255), 30 * 30);
    let kinds = (0_u8..8, 0_usize..MoveRule::ALL.len(), 1_u8..=255);
    (2_u32..30, 2_u32..30, cells, kinds, any::<[u32; 2]>()).prop_filter_map(
        "both ends are free and connected",
        |(width, height, cells, (walls, rule, heaviest), ends)| {
            let at = |cell: Cell| cells[(cell.y * 30 + cell.x) as usize];
            let grid = Grid::from_fn(width, height, |cell| at(cell).0 >= walls).ok()?;
            let weights = CellWeights::from_fn(width, height, |cell| 1 + at(cell).1 % heaviest).ok()?;
            let space = GridSpace::weighted(grid, MoveRule::ALL[rule], CostModel::Sqrt2, weights).ok()?;
            let [start, goal] = ends.map(|end| State(end % space.state_limit() as u32));
            let is_open = space.contains(start)
                && space.contains(goal)
                && space.components().same(space.cell(start), space.cell(goal));
            is_open.then_some((space, start, goal))
        },
    )
}

fn agent(space: &GridSpace, config: TransitConfig) -> TransitAgent {
    TransitAgent::new(Arc::new(TransitDatabase::build(space, config).unwrap()))
}

/// Walks on until it is over, each move legal and within the bound. What the walk cost; `None` if it did not
/// arrive.
fn walk(agent: &mut dyn Agent, space: &GridSpace, most: u32) -> Option<Cost> {
    let mut cost = 0;
    for _ in 0..most {
        let before = agent.position();
        let mut meter = Meter::with_bound(agent.bound().unwrap());
        let step = agent.step(space, &mut meter);
        assert!(!meter.is_overdrawn(), "{} of {}", meter.spent(), agent.bound().unwrap());
        match step {
            Step::Moved(next) => {
                let mut move_cost = None;
                space.for_each_successor(before, |state, cost| {
                    move_cost = if state == next { Some(cost) } else { move_cost };
                });
                cost += move_cost.expect("every move is legal");
            }
            Step::Waiting => {}
            Step::Arrived => return Some(cost),
            Step::Unreachable | Step::Stuck => return None,
        }
    }
    panic!("it walks for ever");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn transit_walks_cost_what_the_database_says((space, start, goal) in problems(), reach in 1_u32..200, bound in 1_u64..40) {
        let mut agent = agent(&space, TransitConfig { reach, bound: Some(bound), ..TransitConfig::default() });
        agent.begin(&space, start, goal).unwrap();
        let cost = walk(&mut agent, &space, 100_000).unwrap();
        prop_assert_eq!(agent.fallbacks(), 0);
        prop_assert_eq!(Some(cost), agent.database.cost(&space, start, goal));
        let exact = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
        prop_assert!(cost >= exact);
        if reach as usize >= space.state_limit() {
            prop_assert_eq!(cost, exact);
        }
    }

    #[test]
    fn transit_walks_arrive_after_edits((space, start, goal) in problems(), reach in 1_u32..100, edits in prop::collection::vec(any::<u32>(), 1..40), is_repaired in any::<bool>()) {
        let mut space = space;
        let mut agent = agent(&space, TransitConfig { reach, ..TransitConfig::default() });
        agent.begin(&space, start, goal).unwrap();
        for edits in edits.chunks(6) {
            for _ in 0..3 {
                agent.step(&space, &mut Meter::new());
            }
            let cells: Vec<Cell> = edits.iter().map(|edit| space.cell(State(edit % space.state_limit() as u32))).collect();
            let ends = [goal, agent.position()].map(|end| space.cell(end));
            for &cell in cells.iter().filter(|cell| !ends.contains(cell)) {
                let is_free = space.grid().is_free(cell);
                space.set(cell, !is_free);
            }
            if is_repaired {
                let mut database = (*agent.database).clone();
                database.repair(&space, cells).unwrap();
                let database: Arc<dyn Database> = Arc::new(database);
                agent.use_database(&database).unwrap();
            }
        }
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        prop_assert_eq!(walk(&mut agent, &space, 1_000_000).is_some(), is_open || agent.position() == goal);
    }
}
