//! What is promised of agents that learn, on ground of any weight and on directed graphs: they arrive wherever there is a way, what they
//! learn is never too much, and no move exceeds its bound.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::formats::grid_from_art;
use surefoot::lrta::LrtaStar;
use surefoot::search::{Dijkstra, Horizon, Meter, Ties};
use surefoot::space::{
    CellWeights, Cost, CostModel, FnHeuristic, Graph, Grid, GridSpace, Guided, Heuristic, MoveRule, State,
    StateSpace, World,
};
use surefoot::tape::{Event, Header, Tape};
use surefoot_classics::ROSTER;

/// Walks to the end, and holds every move to what is promised. `truth` has each state's distance to the goal, `None` if there is no way.
fn walk_by_the_promises<W: World>(
    world: &W,
    (horizon, ties): (Horizon, Ties),
    (start, goal): (State, State),
    truth: impl Fn(State) -> Option<Cost>,
) {
    let mut agent = LrtaStar::new(horizon, ties);
    agent.begin(world, start, goal).unwrap();
    let bound = Agent::<W>::bound(&agent).unwrap();
    let mut at = start;
    let mut moves = 0_u64;
    loop {
        let mut meter = Meter::with_bound(bound);
        let step = agent.step(world, &mut meter);
        assert!(!meter.is_overdrawn(), "{horizon:?}: {} on one move", meter.spent());
        for (state, value) in agent.learned().to_sorted() {
            // Where there is no way, any value is true.
            assert!(truth(state).is_none_or(|most| value <= most), "{horizon:?}: too much was learned");
        }
        match step {
            Step::Moved(next) => {
                let mut is_legal = false;
                world.for_each_successor(at, |to, _| is_legal |= to == next);
                assert!(is_legal, "an illegal move");
                at = next;
            }
            Step::Arrived => {
                assert_eq!(at, goal);
                return;
            }
            Step::Unreachable => {
                assert_eq!(truth(at), None, "{horizon:?}: there is a way from {at:?}");
                return;
            }
            other => panic!("{other:?} is nothing that LRTA* says"),
        }
        // Where one-way moves have led it to where there is no way back, it may go on looking for one for ever.
        if truth(at).is_none() {
            return;
        }
        moves += 1;
        assert!(moves < 1_000_000, "{horizon:?} walks for ever");
    }
}

/// All limits of cost that matter on small maps, and some that are no multiple of anything.
fn limits() -> impl Strategy<Value = Horizon> {
    prop_oneof![
        0_u64..=8_000_000,
        prop::sample::select(vec![1_000_000, 1_500_000, 3_000_000, 100_000_000, u64::MAX])
    ]
    .prop_map(Horizon::Cost)
}

fn ties() -> impl Strategy<Value = Ties> {
    prop_oneof![Just(Ties::Near), Just(Ties::Far)]
}

fn weighted_spaces() -> impl Strategy<Value = (GridSpace, State, State)> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    let costs = prop::sample::select(CostModel::ALL.to_vec());
    (2_u32..9, 2_u32..7, 2_u8..=60, rule, costs).prop_flat_map(|(width, height, heaviest, rule, costs)| {
        let cells = (width * height) as usize;
        let free = prop::collection::vec(prop::bool::weighted(0.8), cells);
        let weights = prop::collection::vec(1..=heaviest, cells);
        (free, weights, 0..cells, 0..cells).prop_map(move |(mut free, weights, start, goal)| {
            (free[start], free[goal]) = (true, true);
            let at = |x: u32, y: u32| (y * width + x) as usize;
            let grid = Grid::from_fn(width, height, |cell| free[at(cell.x, cell.y)]).unwrap();
            let weights = CellWeights::from_fn(width, height, |cell| weights[at(cell.x, cell.y)]).unwrap();
            let space = GridSpace::weighted(grid, rule, costs, weights).unwrap();
            (space, State(start as u32), State(goal as u32))
        })
    })
}

#[derive(Clone, Debug)]
struct Roads {
    graph: Graph,
    /// The distance of each state to state 0, which is the goal.
    truth: Vec<Option<Cost>>,
}

/// Directed graphs of few states, sparse and dense, with costs that are alike or far apart.
fn graphs() -> impl Strategy<Value = Roads> {
    let costs = prop_oneof![Just(1_u32), Just(10), Just(2000)];
    (2_u32..24, 1_usize..6, costs).prop_flat_map(|(states, degree, dearest)| {
        let edge = (0..states, 0..states, 1..=dearest);
        prop::collection::vec(edge, degree * states as usize).prop_map(move |edges| {
            let graph = Graph::from_edges(states as usize, &edges).unwrap();
            let mut truth = vec![None; states as usize];
            truth[0] = Some(0);
            for _ in 0..states {
                for &(from, to, cost) in &edges {
                    if let Some(rest) = truth[to as usize] {
                        let known = truth[from as usize].unwrap_or(Cost::MAX);
                        truth[from as usize] = Some(known.min(rest + Cost::from(cost)));
                    }
                }
            }
            Roads { graph, truth }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_lookahead_by_cost_leads_over_ground_of_any_weight(
        (space, start, goal) in weighted_spaces(),
        horizon in limits(),
        ties in ties(),
    ) {
        let field = Dijkstra::new().field_towards(&space, goal).unwrap();
        walk_by_the_promises(&space, (horizon, ties), (start, goal), |state| field.distance(state));
    }

    #[test]
    fn a_lookahead_by_cost_leads_through_graphs(
        Roads { graph, truth } in graphs(),
        (horizon, ties) in (limits(), ties()),
        known in 0_u64..=4,
    ) {
        // Admissible, and mostly inconsistent: a part of the truth, another one for every state.
        let heuristic = FnHeuristic::new(|from: State, _| {
            truth[from.index()].unwrap_or(0) * known * (1 + u64::from(from.0 % 3)) / 12
        });
        let states = graph.state_count() as u32;
        let world = Guided { space: graph, heuristic: &heuristic };
        for start in 0..states {
            walk_by_the_promises(&world, (horizon, ties), (State(start), State(0)), |state| truth[state.index()]);
        }
    }
}

/// All moves from here cost 9 times the cheapest: a lookahead of 3 of those saw nothing, and said that there was no way.
#[test]
fn moves_dearer_than_the_horizon_are_seen() {
    let grid = grid_from_art(".....\n.....\n.....").unwrap();
    let weights = CellWeights::from_fn(5, 3, |cell| if cell.x + cell.y == 0 { 1 } else { 9 }).unwrap();
    let space = GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap();
    let (start, goal) = (State(7), State(14));
    let field = Dijkstra::new().field_towards(&space, goal).unwrap();
    let horizon = Horizon::Cost(3_000_000);
    walk_by_the_promises(&space, (horizon, Ties::Near), (start, goal), |state| field.distance(state));
}

/// A hub with more neighbours than a grid has: the lookahead stops where its bound is.
#[test]
fn a_lookahead_by_cost_keeps_its_bound_where_there_are_many_neighbours() {
    let mut edges: Vec<(u32, u32, u32)> = Vec::new();
    for leaf in 1..100 {
        edges.extend([(0, leaf, 1), (leaf, 0, 1), (leaf, leaf % 99 + 1, 1), (leaf % 99 + 1, leaf, 1)]);
    }
    edges.extend([(57, 100, 1), (100, 57, 1)]);
    let world =
        Guided { space: Graph::from_edges(101, &edges).unwrap(), heuristic: FnHeuristic::new(|_, _| 0) };
    let truth = |state: State| {
        Some(match state.0 {
            100 => 0,
            57 => 1,
            0 | 56 | 58 => 2,
            _ => 3,
        })
    };
    for horizon in [0, 1_000_000, 2_000_000, 3_000_000, 9_000_000].map(Horizon::Cost) {
        walk_by_the_promises(&world, (horizon, Ties::Near), (State(0), State(100)), truth);
    }
}

/// Learners that are held to never coming back without having learned. Values of all but LRTS stay at or below the true distances; LRTS goes straight
/// to a goal that it sees, and takes what that costs for true, where a way of more moves may be cheaper.
const LEARNERS: [&str; 10] = [
    "lrta*(d=1)",
    "lrta*(gmax=3)",
    "lrts(d=1)",
    "lrts(d=1,quota=0)",
    "lrts(d=1,quota=20)",
    "p-lrta*(queue=0)",
    "p-lrta*(queue=5)",
    "p-lrta*",
    "k-lrta*(expansions=5)",
    "rtaa*(expansions=5)",
];

/// Walks to the end, and holds the agent to what makes sure that there is one: each value that is learned is higher than before and has a limit, and
/// no state comes twice unless something was learned in between. So sooner or later all that can be learned is.
fn learn_to_the_end(spec: &str, space: &GridSpace, (start, goal): (State, State)) {
    let truth = Dijkstra::new().field_towards(space, goal).unwrap();
    if truth.distance(start).is_none() {
        return;
    }
    let mut too_much = 0;
    if spec.starts_with("lrts") {
        space.for_each_successor(goal, |_, cost| too_much = too_much.max(cost));
    }
    let mut values: HashMap<State, Cost> = HashMap::new();
    let mut agent = ROSTER.agent(&spec.parse().unwrap()).unwrap();
    agent.begin(space, start, goal).unwrap();
    let header = Header::of_space(space, start, goal, spec);
    let mut seen = HashSet::from([start]);
    loop {
        let mut meter = Meter::with_bound(agent.bound().unwrap());
        meter.record_on(Tape::new(header.clone()));
        let step = agent.step(space, &mut meter);
        for event in meter.take_tape().unwrap().events() {
            let Event::Raised { state, value } = event else { continue };
            let known = values.entry(state).or_insert_with(|| space.estimate(state, goal));
            assert!(value > *known, "{spec}: a value was not raised");
            assert!(value <= truth.distance(state).unwrap() + too_much, "{spec}: too much was learned");
            *known = value;
            seen.clear();
        }
        assert!(!meter.is_overdrawn(), "{spec}: {} on one move", meter.spent());
        match step {
            Step::Moved(next) => assert!(seen.insert(next), "{spec} comes back without having learned"),
            Step::Arrived => return,
            other => panic!("{spec} says {other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn learners_do_not_come_back_without_having_learned((space, start, goal) in weighted_spaces()) {
        for spec in LEARNERS {
            learn_to_the_end(spec, &space, (start, goal));
        }
    }
}
