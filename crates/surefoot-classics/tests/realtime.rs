//! What the papers prove of real-time search, on random maps.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use std::collections::HashSet;

use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::formats::grid_from_art;
use surefoot::lrta::LrtaStar;
use surefoot::search::{AStar, Dijkstra, Horizon, Meter, Ties, climb_step, reachable};
use surefoot::space::{
    Cell, Cost, CostModel, FnHeuristic, Graph, Grid, GridSpace, Guided, MoveRule, State, StateSpace,
};
use surefoot_classics::ROSTER;

fn spaces() -> impl Strategy<Value = (GridSpace, State, State)> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    let costs = prop::sample::select(CostModel::ALL.to_vec());
    (2_u32..16, 2_u32..12, prop_oneof![Just(0.8), Just(0.65)], rule, costs).prop_flat_map(
        |(width, height, density, rule, costs)| {
            let cells = (width * height) as usize;
            let free = prop::collection::vec(prop::bool::weighted(density), cells);
            (free, 0..cells, 0..cells).prop_map(move |(mut free, start, goal)| {
                (free[start], free[goal]) = (true, true);
                let grid =
                    Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]).unwrap();
                (GridSpace::new(grid, rule, costs), State(start as u32), State(goal as u32))
            })
        },
    )
}

/// The states that an agent walks through; `after_step` looks at it after each.
fn walk<A: Agent>(
    agent: &mut A,
    space: &GridSpace,
    (start, goal): (State, State),
    mut after_step: impl FnMut(&A),
) -> Option<Vec<State>> {
    agent.begin(space, start, goal).unwrap();
    let mut states = vec![start];
    loop {
        let mut meter = Meter::with_bound(agent.bound().unwrap());
        match agent.step(space, &mut meter) {
            Step::Moved(next) => {
                let from = states[states.len() - 1];
                assert!(space.moves(from).iter().any(|to| space.step(from, to) == next), "an illegal move");
                states.push(next);
            }
            Step::Arrived => return Some(states),
            Step::Unreachable => return None,
            other => panic!("{other:?} is nothing that LRTA* says"),
        }
        assert!(!meter.is_overdrawn(), "{} on one move", meter.spent());
        assert!(states.len() < 100_000, "walks for ever");
        after_step(agent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Completeness; values never fall, and with exact distances in the lookahead never exceed the true distance.
    #[test]
    fn learned_values_rise_up_to_the_truth_at_most((space, start, goal) in spaces()) {
        let truth = Dijkstra::new().field_towards(&space, goal).unwrap();
        let horizons = [Horizon::Plies(1), Horizon::Plies(3), Horizon::Cost(1_500_000), Horizon::Cost(3_000_000)];
        for (horizon, ties) in horizons.into_iter().flat_map(|h| [(h, Ties::Near), (h, Ties::Far)]) {
            let mut agent = LrtaStar::new(horizon, ties);
            let mut before: Vec<(State, Cost)> = Vec::new();
            let is_exact = horizon != Horizon::Plies(3);
            let walked = walk(&mut agent, &space, (start, goal), |agent| {
                let now = agent.learned().to_sorted();
                for (state, value) in &before {
                    let place = now.binary_search_by_key(state, |entry| entry.0).expect("values stay");
                    assert!(now[place].1 >= *value, "a value fell");
                }
                for (state, value) in &now {
                    assert!(*value > space_octile(&space, *state, goal), "only raised values are kept");
                    assert!(!is_exact || truth.distance(*state).is_some_and(|d| *value <= d), "{horizon:?}");
                }
                before = now;
            });
            prop_assert_eq!(walked.is_some(), truth.distance(start).is_some());
        }
    }

    /// Theorem 5 of the 2010 paper: what hill-climbing reaches, one-ply LRTA* reaches by the same way, and so without
    /// coming to any state twice.
    #[test]
    fn lrta_walks_as_hill_climbing_does((space, start, goal) in spaces()) {
        for ties in [Ties::Near, Ties::Far] {
            let mut meter = Meter::new();
            if !reachable(&space, start, goal, u64::MAX, ties, &mut meter) {
                continue;
            }
            let mut climb = vec![start];
            while let Some((next, _)) = climb_step(&space, climb[climb.len() - 1], goal, ties) {
                climb.push(next);
            }
            prop_assert_eq!(meter.spent().climb_steps as usize, climb.len() - 1);
            let walked = walk(&mut LrtaStar::new(Horizon::Plies(1), ties), &space, (start, goal), |_| {}).unwrap();
            prop_assert_eq!(&walked, &climb);
            prop_assert_eq!(walked.iter().collect::<HashSet<_>>().len(), walked.len());
            // The cap counts steps.
            let steps = climb.len() as u64 - 1;
            prop_assert!(reachable(&space, start, goal, steps, ties, &mut Meter::new()));
            prop_assert!(steps == 0 || !reachable(&space, start, goal, steps - 1, ties, &mut Meter::new()));
        }
    }

    /// With a slice that never ends, TBA* plans all at once and walks as A* does; s-A* always walks a cheapest path.
    #[test]
    fn unlimited_tba_star_walks_a_cheapest_path((space, start, goal) in spaces()) {
        let expected = AStar::new().find(&space, &space.octile(), start, goal).unwrap().cost();
        for spec in ["tba*(slice=1000000000)", "s-a*(slice=3)"] {
            let mut agent = ROSTER.agent(&spec.parse().unwrap()).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let (mut position, mut cost, mut steps) = (start, 0, 0);
            let arrived = loop {
                steps += 1;
                assert!(steps < 100_000, "{spec} walks for ever");
                match agent.step(&space, &mut Meter::new()) {
                    Step::Moved(next) => {
                        space.for_each_successor(position, |to, step| if to == next { cost += step });
                        position = next;
                    }
                    Step::Waiting => {}
                    last => break last == Step::Arrived,
                }
            };
            prop_assert_eq!(arrived.then_some(cost), expected, "{}", spec);
        }
    }

    /// Whatever is built or torn down on the way, behind the agent's back too, all its moves are legal.
    #[test]
    fn no_edit_makes_an_agent_break_the_rules(
        (space, start, goal) in spaces(),
        edits in prop::collection::vec((0_usize..60, prop::option::of(any::<prop::sample::Index>())), 1..12),
    ) {
        let more = ["lrts(d=1,quota=0)", "lrts(d=3,quota=2)", "k-lrta*(moves=all)", "tba*(slice=3)", "lrta*(pdb,pdb;level=1,cap=3)", "lrta*(f,pdb;level=1,choose=reached)", "lrta*(dt,g;dmax=5)", "lrta*(dt,g;dmax=20)", "lrta*(oracle,g;dmax=3)",
            "pr-lrta*(f,g;level=1,d=2)", "pr-lrta*(pdb,pdb;level=1,level2=+1,cap=3)", "hcdps*(cutoff=4,skip=1)", "dba*(sector=5)", "beacon*(bound=50)"].map(String::from);
        for spec in ROSTER.entries().iter().map(|entry| entry.quick_spec(64)).chain(more) {
            let mut space = space.clone();
            let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let mut left = start;
            for time in 0..60 {
                for (_, place) in edits.iter().filter(|edit| edit.0 == time) {
                    let behind = space.cell(left);
                    let cell = place.map_or(behind, |place| space.cell(State(place.index(space.state_limit()) as u32)));
                    let is_free = space.grid().is_free(cell);
                    if space.state_at(cell).unwrap() != agent.position() {
                        space.set(cell, !is_free);
                    }
                }
                let position = agent.position();
                if let Step::Moved(next) = agent.step(&space, &mut Meter::new()) {
                    let is_legal = space.moves(position).iter().any(|to| space.step(position, to) == next);
                    prop_assert!(is_legal, "{} goes from {:?} to {:?}", spec, position, next);
                    left = position;
                }
            }
        }
    }

    /// Every complete algorithm arrives on every map, within its bound on every move.
    #[test]
    fn every_algorithm_arrives_within_its_bound((space, start, goal) in spaces()) {
        let can = space.components().same(space.cell(start), space.cell(goal));
        let specs = ["lrts", "lrts(d=1,quota=0)", "lrts(d=2,gamma=0.3)", "lrts(d=4,gamma=0.5,quota=10)", "lrta*(d=2)", "lrta*(d=7)", "lrta*(dt,g;dmax=5)", "lrta*(oracle,g;dmax=6)", "lrta*(gmax=4,ties=high-g)", "k-lrta*(expansions=1)", "k-lrta*(expansions=9,moves=all)",
            "rtaa*(expansions=5)", "da-rtaa*(expansions=1)", "da-rtaa*(expansions=12)", "p-lrta*(queue=0)", "p-lrta*(queue=5)", "tba*(slice=1)",
            "tba*(slice=7)", "s-a*(slice=1)", "knn-lrta*(n=40)", "knn-lrta*(n=10,cutoff=3)", "knn-lrta*(n=20,probes=5,k=3,lossless=yes)",
            "knn-lrta*(n=30,goal-first=no,skip-start=no,skip-end=no,quota=none,candidates=all,pairs=even)", "knn-lrta*(n=0)",
            "pr-lrta*(f,g;level=1,d=1)", "pr-lrta*(f,g;level=1,d=3,gamma=0.2)", "pr-lrta*(f,g;level=2,d=7,aligned=no)", "pr-lrta*(f,g;level=9)",
            "pr-lrta*(pdb,g;level=1,level2=1,cap=4)", "pr-lrta*(pdb,g;level=1,level2=2)", "pr-lrta*(f,pdb;level=1,level2=1,d=2)",
            "pr-lrta*(f,pdb;level=1,level2=2,loops=region,choose=reached)", "pr-lrta*(pdb,pdb;level=1,level2=2,cap=3,deepen=1)", "pr-lrta*(pdb,pdb;level=2,distance=euclidean)",
            "knn-lrta-2009*(n=40)", "knn-lrta-2009*(n=10,cutoff=3,d=1,subgoal=first,ties=high-g)",
            "beacon*", "beacon*(bound=1)", "hcdps*", "hcdps*(cutoff=0)", "hcdps*(cutoff=3,skip=2,ties=low-g)", "hcdps*(cutoff=6,lossless=yes)",
            "dba*(sector=1)", "dba*(sector=4)", "dba*(sector=9,check=2,skip=3)", "dba*(sector=1000,check=0,lossless=yes)"];
        for spec in specs {
            let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let mut steps = 0;
            let last = loop {
                let mut meter = Meter::with_bound(agent.bound().unwrap());
                let step = agent.step(&space, &mut meter);
                prop_assert!(!meter.is_overdrawn(), "{} took {}", spec, meter.spent());
                steps += 1;
                prop_assert!(steps < 100_000, "{} walks for ever", spec);
                if !matches!(step, Step::Moved(_) | Step::Waiting) {
                    break step;
                }
            };
            prop_assert_eq!(last, if can { Step::Arrived } else { Step::Unreachable }, "{}", spec);
        }
    }
}

fn space_octile(space: &GridSpace, from: State, to: State) -> Cost {
    surefoot::space::Heuristic::estimate(space, from, to)
}

/// The worst move of LRTA*(d) on an open map expands exactly (2d − 1)² states.
#[test]
fn the_lookahead_of_an_open_map_is_a_square() {
    let grid = Grid::from_fn(60, 60, |_| true).unwrap();
    for depth in 1..=14_u32 {
        let space = GridSpace::new(grid.clone(), MoveRule::Squeeze, CostModel::Diagonal14);
        let mut agent = LrtaStar::new(Horizon::Plies(depth), Ties::Near);
        let (start, goal) =
            (space.state_at(Cell::new(25, 25)).unwrap(), space.state_at(Cell::new(59, 30)).unwrap());
        agent.begin(&space, start, goal).unwrap();
        let mut meter = Meter::new();
        Agent::<GridSpace>::step(&mut agent, &space, &mut meter);
        let side = u64::from(2 * depth - 1);
        assert_eq!(meter.spent().expansions, side * side);
        assert_eq!(Agent::<GridSpace>::bound(&agent).unwrap().expansions, side * side);
    }
}

/// Theorem 6 of the 2010 paper: hill-climbing along a wall, where going round the other side would be cheaper.
#[test]
fn hill_climbing_need_not_find_the_cheapest_way() {
    let art = "..............
               .........##...
               .########.....
               .........#....
               ..............";
    let space = GridSpace::new(grid_from_art(art).unwrap(), MoveRule::Squeeze, CostModel::Diagonal14);
    let found = space.grid().free_cells().any(|start| {
        space.grid().free_cells().any(|goal| {
            let (start, goal) = (space.state_at(start).unwrap(), space.state_at(goal).unwrap());
            if !reachable(&space, start, goal, u64::MAX, Ties::Far, &mut Meter::new()) {
                return false;
            }
            let (mut state, mut cost) = (start, 0);
            while let Some((next, step)) = climb_step(&space, state, goal, Ties::Far) {
                (state, cost) = (next, cost + step);
            }
            Some(cost) > AStar::new().find(&space, &space.octile(), start, goal).unwrap().cost()
        })
    });
    assert!(found, "some climb on this map costs more than a cheapest path");
}

/// Agents walk any world: a ring road with a shortcut, and a heuristic that knows nothing of it.
#[test]
fn agents_walk_graphs() {
    let mut edges = Vec::new();
    for state in 0..20_u32 {
        let next = (state + 1) % 20;
        edges.extend([(state, next, 3), (next, state, 3)]);
    }
    edges.extend([(0, 10, 5), (10, 0, 5)]);
    let heuristic = FnHeuristic::consistent(|from: State, to: State| Cost::from(from != to));
    let world = Guided { space: Graph::from_edges(20, &edges).unwrap(), heuristic };
    let mut agent: Box<dyn Agent<Guided<Graph, _>>> = Box::new(LrtaStar::new(Horizon::Plies(1), Ties::Near));
    agent.begin(&world, State(1), State(11)).unwrap();
    let mut moves = 0;
    while let Step::Moved(_) = agent.step(&world, &mut Meter::new()) {
        moves += 1;
        assert!(moves < 1000);
    }
    assert_eq!(agent.position(), State(11));
    // A copy made on the way goes on by itself, and a new goal can be given at any time.
    agent.set_goal(&world, State(5)).unwrap();
    let mut copy = agent.clone();
    copy.set_goal(&world, State(12)).unwrap();
    for (walker, goal) in [(&mut agent, 5), (&mut copy, 12)] {
        while let Step::Moved(_) = walker.step(&world, &mut Meter::new()) {}
        assert_eq!(walker.position(), State(goal));
    }
}

/// A lookahead of several plies takes the cheapest way within its layers, which is not always the cheapest way there is: a
/// learned value can then exceed the true distance. How often, is counted here; that it is rare, is held.
#[test]
fn deeper_plies_rarely_learn_too_much() {
    let mut seed = 2009_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    for rule in [MoveRule::Squeeze, MoveRule::OneFree, MoveRule::NoCut] {
        let (mut raised, mut exceeding) = ([0_u64; 8], [0_u64; 8]);
        for _ in 0..1000 {
            let grid = Grid::from_fn(24, 18, |_| random() % 100 < 62).unwrap();
            let space = GridSpace::new(grid.clone(), rule, CostModel::Diagonal14);
            let cells: Vec<Cell> = grid.free_cells().collect();
            let mut draw = || space.state_at(cells[random() as usize % cells.len()]).unwrap();
            let (start, goal) = (draw(), draw());
            let truth = Dijkstra::new().field_towards(&space, goal).unwrap();
            for depth in 2..=7_usize {
                let mut agent = LrtaStar::new(Horizon::Plies(depth as u32), Ties::Near);
                if walk(&mut agent, &space, (start, goal), |_| {}).is_none() {
                    continue;
                }
                for (state, value) in agent.learned().to_sorted() {
                    raised[depth] += 1;
                    exceeding[depth] += u64::from(truth.distance(state).is_none_or(|d| value > d));
                }
            }
        }
        println!("{rule}: of {raised:?} raised values, {exceeding:?} exceed the true distance, by depth");
        for depth in 2..=7 {
            assert!(raised[depth] > 1000, "{rule} {depth}: too few to say anything");
            assert!(exceeding[depth] * 100 <= raised[depth], "{rule} {depth}: {exceeding:?} of {raised:?}");
        }
    }
}
