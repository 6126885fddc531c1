//! Ground of different weights: exact searches agree, every algorithm of the roster arrives or says why not, databases are built and
//! checked, and climbs keep to their definition.

#![allow(clippy::unwrap_used)] // the helpers below are part of the tests

use std::collections::HashSet;

use std::sync::Arc;

use proptest::prelude::*;
use surefoot::agent::Entry;
use surefoot::agent::{Spec, Step};
use surefoot::search::{
    AStar, Dijkstra, GridPlanner, JumpPoints, Meter, Paths, Planner, StatePath, Ties, climb, climb_step,
};
use surefoot::space::{
    Cell, CellWeights, Cost, CostModel, Grid, GridSpace, Heuristic, MoveRule, State, StateSpace,
};
use surefoot::store::Database;
use surefoot_classics::ROSTER;
use surefoot_classics::knn::SubgoalDatabase;

/// A map of some cells, of which some are free, with weights.
fn space(width: u32, free: &[bool], weights: &[u8], rule: MoveRule, costs: CostModel) -> GridSpace {
    let height = free.len() as u32 / width;
    let at = |cell: Cell| (cell.y * width + cell.x) as usize;
    let grid = Grid::from_fn(width, height, |cell| free[at(cell)]).unwrap();
    let weights = CellWeights::from_fn(width, height, |cell| weights[at(cell)]).unwrap();
    GridSpace::weighted(grid, rule, costs, weights).unwrap()
}

const WIDTH: u32 = 13;
const CELLS: usize = 13 * 11;

/// Weights that are alike, far apart, or in patches, on a map with some walls.
fn worlds() -> impl Strategy<Value = GridSpace> {
    let weights = prop_oneof![
        prop::collection::vec(1_u8..4, CELLS),
        prop::collection::vec(prop_oneof![1_u8..3, 200_u8..], CELLS),
        prop::collection::vec(20_u8..60, CELLS),
        (1_u8..50, 1_u8..=255).prop_map(|(light, heavy)| {
            (0..CELLS).map(|at| if at / 26 % 2 == 0 { light } else { heavy }).collect()
        }),
    ];
    let free = prop::collection::vec(prop::bool::weighted(0.8), CELLS);
    (free, weights, 0..MoveRule::ALL.len(), 0..CostModel::ALL.len()).prop_map(
        |(free, weights, rule, costs)| {
            space(WIDTH, &free, &weights, MoveRule::ALL[rule], CostModel::ALL[costs])
        },
    )
}

fn free_states(space: &GridSpace) -> Vec<State> {
    space.grid().free_cells().filter_map(|cell| space.state_at(cell)).collect()
}

fn cost_of(space: &GridSpace, states: &[State]) -> Cost {
    let step = |pair: &[State]| {
        let mut found = None;
        space.for_each_successor(pair[0], |to, cost| found = if to == pair[1] { Some(cost) } else { found });
        found.expect("every move is legal")
    };
    states.windows(2).map(step).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_star_finds_what_dijkstra_and_the_definition_find(space in worlds(), from in any::<prop::sample::Index>()) {
        let states = free_states(&space);
        prop_assume!(!states.is_empty());
        let start = states[from.index(states.len())];
        // By the definition: over and over again, until nothing gets cheaper.
        let mut truth: Vec<Option<Cost>> = vec![None; CELLS];
        truth[start.index()] = Some(0);
        let mut changes = true;
        while changes {
            changes = false;
            for &state in &states {
                let Some(g) = truth[state.index()] else { continue };
                space.for_each_successor(state, |to, cost| {
                    if truth[to.index()].is_none_or(|known| g + cost < known) {
                        truth[to.index()] = Some(g + cost);
                        changes = true;
                    }
                });
            }
        }
        let (mut a_star, mut dijkstra) = (AStar::new(), Dijkstra::new());
        let mut fastest = GridPlanner::fastest();
        for &goal in &states {
            let found = a_star.find(&space, &space, start, goal).unwrap();
            prop_assert_eq!(found.cost(), truth[goal.index()]);
            prop_assert_eq!(dijkstra.find(&space, start, goal).unwrap().cost(), found.cost());
            prop_assert_eq!(fastest.plan(&space, start, goal).unwrap().cost(), found.cost());
            if let Some(StatePath { states, cost }) = found.path {
                prop_assert_eq!(cost_of(&space, &states), cost);
            }
        }
    }

    #[test]
    fn climbs_go_down_and_reach_every_neighbour(space in worlds()) {
        let states = free_states(&space);
        for ties in [Ties::Near, Ties::Far] {
            for &from in &states {
                space.for_each_successor(from, |next, cost| {
                    assert_eq!(climb_step(&space, from, next, ties), Some((next, cost)), "from {from:?}");
                });
                for &target in states.iter().step_by(7) {
                    let (mut at, mut steps, mut cost) = (from, 0, 0);
                    let mut seen = HashSet::from([from]);
                    while let Some((next, step)) = climb_step(&space, at, target, ties) {
                        prop_assert!(space.estimate(next, target) < space.estimate(at, target));
                        prop_assert!(seen.insert(next));
                        (at, steps, cost) = (next, steps + 1, cost + step);
                    }
                    let whole = climb(&space, from, target, u64::MAX, ties);
                    prop_assert_eq!((whole.end, whole.steps, whole.cost), (at, steps, cost));
                    // Where it stops short nothing near looks better.
                    space.for_each_successor(at, |near, _| {
                        assert!(space.estimate(near, target) >= space.estimate(at, target));
                    });
                }
            }
        }
    }
}

/// Ground with a light road through heavy fields, a swamp, and walls.
fn country(rule: MoveRule) -> GridSpace {
    let (width, height) = (30, 24);
    let cells = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let free: Vec<bool> =
        cells().map(|(x, y)| !(x == 12 && y > 3 && y != 15) && (x * 7 + y * 11) % 17 != 0).collect();
    let weights: Vec<u8> = cells()
        .map(|(x, y)| match (x, y) {
            (_, 2) => 1,
            (4..12, 8..18) => 90,
            _ => 4 + ((x * 5 + y * 3) % 7) as u8,
        })
        .collect();
    space(width, &free, &weights, rule, CostModel::Sqrt2)
}

fn database(entry: &Entry, space: &GridSpace) -> (Spec, Option<Arc<dyn Database>>) {
    let spec: Spec = entry.quick_spec(space.state_limit()).parse().unwrap();
    let database = ROSTER.build_database(&spec, space, 1).unwrap();
    (spec, database)
}

/// The walk of an agent that takes weights, each move within its bound.
fn walk(space: &GridSpace, entry: &Entry, start: State, goal: State) -> Vec<State> {
    let (spec, database) = database(entry, space);
    let mut agent = ROSTER.agent_with(&spec, database.as_ref()).unwrap();
    agent.begin(space, start, goal).unwrap();
    let mut states = vec![start];
    for steps in 0..100_000 {
        if steps == 9 {
            let bytes = ROSTER.algorithm(&spec).unwrap().save(space, &*agent);
            (_, agent) = ROSTER.restore(space, &bytes, database.as_ref()).unwrap();
        }
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        match agent.step(space, &mut meter) {
            Step::Moved(next) => states.push(next),
            Step::Waiting => {}
            Step::Arrived | Step::Stuck => break,
            other => panic!("{spec}: {other:?}"),
        }
        assert!(!meter.is_overdrawn(), "{spec} took {} on one move", meter.spent());
    }
    states
}

#[test]
fn every_algorithm_that_takes_weights_arrives_and_the_optimal_ones_at_the_lowest_cost() {
    for rule in MoveRule::ALL {
        let space = country(rule);
        let ends = [((1, 22), (28, 20)), ((6, 12), (26, 12)), ((29, 1), (0, 9))];
        for ends in ends {
            let [start, goal] = [ends.0, ends.1].map(|(x, y)| space.locate(Cell::new(x, y)).unwrap());
            let Some(optimal) = Dijkstra::new().find(&space, start, goal).unwrap().cost() else { continue };
            for entry in ROSTER.entries().iter().filter(|entry| entry.takes_weights) {
                let states = walk(&space, entry, start, goal);
                let cost = cost_of(&space, &states);
                assert!(states.last() == Some(&goal) || !entry.complete, "{} does not arrive", entry.name);
                assert!(!entry.optimal || cost == optimal, "{} walks {cost}, not {optimal}", entry.name);
            }
        }
    }
}

#[test]
fn the_others_say_what_to_use_instead() {
    let space = country(MoveRule::NoCut);
    let [start, goal] = [State(0), State(29)];
    let mut refused = Vec::new();
    for entry in ROSTER.entries().iter().filter(|entry| !entry.takes_weights) {
        let spec: Spec = entry.quick_spec(space.state_limit()).parse().unwrap();
        let message = match ROSTER.agent_for(&spec, &space, 1) {
            Err(error) => error.to_string(),
            Ok(mut agent) => agent.begin(&space, start, goal).unwrap_err().to_string(),
        };
        assert!(message.contains("this map has weights; use "), "{message}");
        refused.push(entry.name);
    }
    assert!(refused.contains(&"jps"), "{refused:?}");
    let message = JumpPoints::new().find(&space, start, goal).unwrap_err().to_string();
    assert_eq!(
        message,
        "jump point search finds cheapest paths only where all ground weighs the same, and this map has weights; use a*"
    );
}

#[test]
fn databases_belong_to_their_weights() {
    let space = country(MoveRule::NoCut);
    let mut heavier = space.clone();
    heavier.set_weight(Cell::new(3, 3), 77).unwrap();
    let unweighted = GridSpace::new(space.grid().clone(), space.rule(), space.costs());
    let mut kinds = 0;
    for entry in ROSTER.entries().iter().filter(|entry| entry.takes_weights) {
        let (_, Some(database)) = database(entry, &space) else { continue };
        kinds += 1;
        let bytes = database.to_bytes().into_owned();
        let again = ROSTER.open(&space, bytes.clone()).unwrap();
        assert_eq!(again.to_bytes(), bytes.as_slice(), "{}", entry.name);
        assert!(ROSTER.open(&heavier, bytes.clone()).is_err(), "{}", entry.name);
        let message = ROSTER.open(&unweighted, bytes).unwrap_err().to_string();
        assert!(message.contains("cost sqrt2,weighted"), "{message}");
    }
    assert!(kinds >= 5);
}

#[test]
fn records_are_cut_from_cheapest_paths_over_heavy_ground() {
    let space = country(MoveRule::NoCut);
    let spec: Spec = "knn-lrta*(n=60,lossless=yes)".parse().unwrap();
    let database = ROSTER.build_database(&spec, &space, 1).unwrap().unwrap();
    let database = database.downcast_ref::<SubgoalDatabase>().unwrap();
    let config = database.config();
    assert_eq!(config.paths, Paths::JumpPoints, "which A* stands in for");
    assert!(!database.is_empty());
    for record in 0..database.len() as u32 {
        let states = database.record(record);
        let (start, goal) = (states[0], *states.last().unwrap());
        let legs = states.windows(2).map(|leg| {
            let climb = climb(&space, leg[0], leg[1], u64::MAX, config.ties);
            assert_eq!(climb.end, leg[1]);
            climb.cost
        });
        let optimal = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
        assert_eq!(legs.sum::<Cost>(), optimal, "record {record}");
    }
    assert_eq!(database.first_broken_leg(&space, 0..database.len() as u32), None);
}

#[test]
fn agents_go_on_when_weights_change() {
    for entry in ROSTER.entries().iter().filter(|entry| entry.takes_weights && entry.complete) {
        let mut space = country(MoveRule::NoCut);
        let [start, goal] = [(1, 22), (28, 20)].map(|(x, y)| space.locate(Cell::new(x, y)).unwrap());
        let (spec, database) = database(entry, &space);
        let mut agent = ROSTER.agent_with(&spec, database.as_ref()).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let arrived = (0..100_000_u32).any(|step| {
            // The road is ploughed, the swamp dries out: the lightest ground is another.
            if step == 10 {
                for x in 0..30 {
                    space.set_weight(Cell::new(x, 2), 200).unwrap();
                    space.set_weight(Cell::new(x, 12), 2).unwrap();
                }
            }
            agent.step(&space, &mut Meter::new()) == Step::Arrived
        });
        assert!(arrived && agent.position() == goal, "{}", entry.name);
    }
}
