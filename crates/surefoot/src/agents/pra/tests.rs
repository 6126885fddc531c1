//! PRA* against A*, in worlds of all kinds.

use alloc::vec::Vec;

use super::*;
use crate::agents::{Agent, Step};
use crate::codec::Reader;
use crate::database::{AbstractionConfig, Database};
use crate::search::{Budget, Dijkstra};
use crate::space::{CostModel, Graph, Grid, GridSpace, Guided, MoveRule, StateSpace, Zero};
use proptest::prelude::*;

fn abstraction(world: &impl World) -> Arc<Abstraction> {
    Arc::new(Abstraction::build(world, AbstractionConfig::default()).unwrap())
}

/// The moves of an agent that plans k nodes ahead; nothing if there is no way. At most as many as there are states, several
/// times over.
fn walk<W: World>(
    world: &W,
    (kept, is_wide): (Option<usize>, bool),
    start: State,
    goal: State,
) -> Option<Vec<State>> {
    let mut agent = PraAgent::new(abstraction(world), kept, is_wide);
    agent.begin(world, start, goal).unwrap();
    let mut states = Vec::from([start]);
    for _ in 0..=20 * world.state_limit() {
        match Agent::<W>::step(&mut agent, world, &mut Budget::unlimited()) {
            Step::Moved(next) => {
                let mut is_legal = false;
                world.for_each_successor(states[states.len() - 1], |state, _| is_legal |= state == next);
                assert!(is_legal);
                states.push(next);
            }
            Step::Arrived => {
                assert_eq!(Agent::<W>::fallbacks(&agent), 0, "the corridor has a way");
                return Some(states);
            }
            Step::Unreachable => return None,
            step => panic!("{step:?}"),
        }
    }
    panic!("the agent does not arrive");
}

fn spaces() -> impl Strategy<Value = (GridSpace, State, State)> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    (2_u32..40, 2_u32..40, prop_oneof![Just(0.9), Just(0.7), Just(0.6)], rule).prop_flat_map(
        |(width, height, density, rule)| {
            let cells = (width * height) as usize;
            (prop::collection::vec(prop::bool::weighted(density), cells), 0..cells, 0..cells).prop_map(
                move |(mut free, start, goal)| {
                    (free[start], free[goal]) = (true, true);
                    let grid = Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]);
                    let space = GridSpace::new(grid.unwrap(), rule, CostModel::Sqrt2);
                    (space, State(start as u32), State(goal as u32))
                },
            )
        },
    )
}

/// Blocks and frees cells, but not these.
fn edit(space: &mut GridSpace, cells: &[prop::sample::Index], spared: [State; 2]) -> Vec<Cell> {
    let states = cells.iter().map(|cell| State(cell.index(space.state_limit()) as u32));
    let cells: Vec<Cell> =
        states.filter(|state| !spared.contains(state)).map(|state| space.cell(state)).collect();
    for &cell in &cells {
        space.set(cell, !space.grid().is_free(cell));
    }
    cells
}

proptest! {
    /// The map is edited again and again; the abstraction is repaired, and every plan is made on it.
    #[test]
    fn repaired_abstractions_are_planned_on(
        (mut space, start, goal) in spaces(),
        rounds in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..6), 1..12),
    ) {
        let mut search = PraStar::new(abstraction(&space));
        let mut narrow = PraStar::narrow(abstraction(&space));
        for round in rounds {
            let changed = edit(&mut space, &round, [start, goal]);
            search.repair(&space, changed).unwrap();
            narrow.set_abstraction(Arc::clone(search.search.abstraction()));
            let is_open = space.reachability(start, goal) == Reachability::Yes;
            for search in [&mut search, &mut narrow] {
                let path = search.plan(&space, start, goal).unwrap().path;
                prop_assert_eq!(path.is_some(), is_open);
                if let Some(path) = path {
                    path.check(&space).unwrap();
                    prop_assert_eq!((path.states.first(), path.states.last()), (Some(&start), Some(&goal)));
                    prop_assert!(!search.search.is_fallback());
                }
            }
        }
    }

    /// The map is edited while an agent walks. In the end it stays as it is, and the agent arrives if there is a way.
    #[test]
    fn agents_go_on_with_repaired_abstractions(
        (mut space, start, goal) in spaces(),
        rounds in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..4), 1..20),
        k in prop_oneof![Just(None), (2_usize..9).prop_map(Some)],
        is_wide: bool,
        slice in prop_oneof![Just(None), (1_u64..40).prop_map(Some)],
    ) {
        let mut known = (*abstraction(&space)).clone();
        let shared = Arc::new(known.clone());
        let mut agent = match slice {
            Some(slice) => PraAgent::sliced(shared, slice, is_wide),
            None => PraAgent::new(shared, k, is_wide),
        };
        agent.begin(&space, start, goal).unwrap();
        let mut steps = 0;
        loop {
            if let Some(round) = rounds.get(steps) {
                let position = Agent::<GridSpace>::position(&agent);
                let changed = edit(&mut space, round, [position, goal]);
                known.repair(&space, changed).unwrap();
                let database = Database::Abstraction(Arc::new(known.clone()));
                Agent::<GridSpace>::use_database(&mut agent, &database).unwrap();
            }
            let before = Agent::<GridSpace>::position(&agent);
            let step = Agent::<GridSpace>::step(&mut agent, &space, &mut Budget::unlimited());
            if let Step::Moved(next) = step {
                let mut is_legal = false;
                space.for_each_successor(before, |state, _| is_legal |= state == next);
                prop_assert!(is_legal);
            }
            steps += 1;
            if steps > rounds.len() && step.is_over() {
                let is_open = space.reachability(before, goal) == Reachability::Yes;
                prop_assert_eq!(step, if is_open { Step::Arrived } else { Step::Unreachable });
                break;
            }
            prop_assert!(steps < 30 * space.state_limit() + 100);
        }
        prop_assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 0);
    }

    /// The map is edited while an agent walks that nobody tells. Sometimes it is saved, and goes on from there with the
    /// abstraction that it has or with a repaired one.
    #[test]
    fn agents_that_are_not_told_arrive_all_the_same(
        (mut space, start, goal) in spaces(),
        rounds in prop::collection::vec((prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0_u8..12), 1..20),
        k in prop_oneof![Just(None), Just(Some(2)), Just(Some(3)), Just(Some(16))],
        is_wide: bool,
        slice in prop_oneof![Just(None), (1_u64..40).prop_map(Some)],
    ) {
        let known = abstraction(&space);
        let mut repaired = (*known).clone();
        let agent_with = |abstraction: &Arc<Abstraction>| match slice {
            Some(slice) => PraAgent::sliced(Arc::clone(abstraction), slice, is_wide),
            None => PraAgent::new(Arc::clone(abstraction), k, is_wide),
        };
        let mut agent = agent_with(&known);
        agent.begin(&space, start, goal).unwrap();
        let mut steps = 0;
        loop {
            let before = Agent::<GridSpace>::position(&agent);
            if let Some((cells, chance)) = rounds.get(steps) {
                let changed = edit(&mut space, cells, [before, goal]);
                repaired.repair(&space, changed).unwrap();
                if *chance < 2 {
                    let mut saved = Vec::new();
                    Agent::<GridSpace>::save(&agent, &mut saved);
                    let abstraction = if *chance == 0 { &known } else { &Arc::new(repaired.clone()) };
                    agent = agent_with(abstraction);
                    Agent::<GridSpace>::restore(&mut agent, &space, &mut Reader::new(&saved)).unwrap();
                }
            }
            let step = Agent::<GridSpace>::step(&mut agent, &space, &mut Budget::unlimited());
            if let Step::Moved(next) = step {
                let mut is_legal = false;
                space.for_each_successor(before, |state, _| is_legal |= state == next);
                prop_assert!(is_legal);
            }
            if step.is_over() {
                let is_open = space.reachability(before, goal) == Reachability::Yes;
                prop_assert_eq!(step, if is_open { Step::Arrived } else { Step::Unreachable });
            }
            steps += 1;
            if steps > rounds.len() && step.is_over() {
                break;
            }
            prop_assert!(steps < 30 * space.state_limit() + 100);
        }
    }

    /// With an abstraction that missed some edits ways are still legal, and none is missed.
    #[test]
    fn abstractions_that_missed_edits_lead_nobody_astray(
        (mut space, start, goal) in spaces(),
        missed in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
        named in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
    ) {
        let mut search = PraStar::new(abstraction(&space));
        edit(&mut space, &missed, [start, goal]);
        let changed = edit(&mut space, &named, [start, goal]);
        search.repair(&space, changed).unwrap();
        let path = search.plan(&space, start, goal).unwrap().path;
        prop_assert_eq!(path.is_some(), space.reachability(start, goal) == Reachability::Yes);
        if let Some(path) = path {
            path.check(&space).unwrap();
        }
    }

    #[test]
    fn whole_paths_are_legal_and_none_is_missed((space, start, goal) in spaces()) {
        let best = Dijkstra::new().find(&space, start, goal).unwrap().cost();
        let mut search = PraStar::new(abstraction(&space));
        for _ in 0..2 {
            let answer = search.plan(&space, start, goal).unwrap();
            prop_assert_eq!(answer.path.is_some(), best.is_some());
            if let Some((path, best)) = answer.path.zip(best) {
                path.check(&space).unwrap();
                prop_assert_eq!((path.states.first(), path.states.last()), (Some(&start), Some(&goal)));
                prop_assert!(path.cost >= best);
                prop_assert!(!search.search.is_fallback());
            }
        }
    }

    #[test]
    fn partial_refinement_arrives_for_every_k((space, start, goal) in spaces(), k in 1_usize..20, is_wide: bool) {
        let is_open = space.reachability(start, goal) == Reachability::Yes;
        prop_assert_eq!(walk(&space, (Some(k), is_wide), start, goal).is_some(), is_open);
        prop_assert_eq!(walk(&space, (None, is_wide), start, goal).is_some(), is_open);
    }

    #[test]
    fn graphs_are_walked_too(
        states in 2_u32..60,
        edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1_u32..9), 1..150),
        k in 2_usize..6,
    ) {
        let both: Vec<_> = edges
            .into_iter()
            .map(|(a, b, cost)| (a.index(states as usize) as u32, b.index(states as usize) as u32, cost))
            .flat_map(|(a, b, cost)| [(a, b, cost), (b, a, cost)])
            .collect();
        let world = Guided { space: Graph::from_edges(states as usize, &both).unwrap(), heuristic: Zero };
        let (start, goal) = (State(0), State(states - 1));
        let best = Dijkstra::new().find(&world, start, goal).unwrap().cost();
        prop_assert_eq!(walk(&world, (Some(k), true), start, goal).is_some(), best.is_some());
        let path = PraStar::new(abstraction(&world)).plan(&world, start, goal).unwrap().path;
        prop_assert_eq!(path.is_some(), best.is_some());
        if let Some(path) = path {
            path.check(&world).unwrap();
        }
    }

    /// A plan that is made in slices is the plan that is made in one go.
    #[test]
    fn slices_change_nothing_but_the_time((space, start, goal) in spaces(), slice in 1_u64..40) {
        let whole = PraStar::new(abstraction(&space)).plan(&space, start, goal).unwrap().path;
        let mut agent = PraAgent::sliced(abstraction(&space), slice, true);
        agent.begin(&space, start, goal).unwrap();
        let mut states = Vec::from([start]);
        loop {
            let mut budget = Budget::limited(Agent::<GridSpace>::bound(&agent).unwrap());
            match Agent::<GridSpace>::step(&mut agent, &space, &mut budget) {
                Step::Moved(next) => states.push(next),
                Step::Waiting => prop_assert_eq!(states.len(), 1),
                Step::Unreachable => {
                    prop_assert!(whole.is_none());
                    break;
                }
                _ => {
                    prop_assert_eq!(Some(states), whole.map(|path| path.states));
                    break;
                }
            }
            prop_assert!(!budget.is_overdrawn());
        }
    }
}

#[test]
fn an_abstraction_of_another_map_is_done_without() {
    let open =
        |width| GridSpace::new(Grid::from_fn(width, 5, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let mut search = PraStar::new(abstraction(&open(9)));
    let answer = search.plan(&open(12), State(0), State(59)).unwrap();
    assert_eq!(answer.path.unwrap().moves(), 11);
    assert!(search.search.is_fallback());
}

/// A short way is planned on the ground, and kept. A wall on it between two plans is noticed.
#[test]
fn a_kept_path_on_the_ground_is_left_where_it_is_blocked() {
    for k in [2, 3, 4] {
        let mut space =
            GridSpace::new(Grid::from_fn(12, 12, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let (start, goal) = (space.state(Cell::new(1, 5)), space.state(Cell::new(6, 5)));
        let mut agent = PraAgent::new(abstraction(&space), Some(k), true);
        agent.begin(&space, start, goal).unwrap();
        let mut step = |space: &GridSpace| {
            let step = Agent::<GridSpace>::step(&mut agent, space, &mut Budget::unlimited());
            (step, Agent::<GridSpace>::plan(&agent))
        };
        for moved in 1..k as u32 {
            assert_eq!(step(&space).0, Step::Moved(space.state(Cell::new(1 + moved, 5))));
        }
        space.set(Cell::new(1 + k as u32, 5), false);
        let (next, rest) = step(&space);
        assert!(matches!(next, Step::Moved(_)) && rest.len() == k - 2, "{next:?}");
    }
}
