//! PRA* against A*, in worlds of all kinds.

use alloc::vec::Vec;

use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::search::{Dijkstra, Meter, Work};
use surefoot::space::{CostModel, Graph, Grid, GridSpace, Guided, MoveRule, StateSpace, Zero};
use surefoot::store::Database;
use surefoot::store::codec::{Reader, put_number, put_states};

use super::refinement::{Patience, TopPath};
use super::*;
use crate::abstraction::AbstractionConfig;

fn abstraction(world: &impl World) -> Arc<Abstraction> {
    Arc::new(Abstraction::build(world, AbstractionConfig::default()).unwrap())
}

/// The moves of an agent that plans k nodes ahead. `None` if there is no way. At most as many as there are
/// states, several times over.
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
        match Agent::<W>::step(&mut agent, world, &mut Meter::new()) {
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

    /// The map is edited while an agent walks. In the end it stays as it is, and the agent arrives if there
    /// is a way.
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
                let database = Arc::new(known.clone()) as Arc<dyn Database>;
                Agent::<GridSpace>::use_database(&mut agent, &database).unwrap();
            }
            let before = Agent::<GridSpace>::position(&agent);
            let step = Agent::<GridSpace>::step(&mut agent, &space, &mut Meter::new());
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

    /// The map is edited while an agent walks that nobody tells. Sometimes it is saved, and goes on from
    /// there with the abstraction that it has or with a repaired one.
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
                    Agent::<GridSpace>::save(&agent, &space, &mut saved);
                    let abstraction = if *chance == 0 { &known } else { &Arc::new(repaired.clone()) };
                    agent = agent_with(abstraction);
                    Agent::<GridSpace>::restore(&mut agent, &space, &mut Reader::new(&saved)).unwrap();
                }
            }
            let step = Agent::<GridSpace>::step(&mut agent, &space, &mut Meter::new());
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

    /// The path on the start level, which has no corridor, is a shortest one there.
    #[test]
    fn paths_on_the_start_level_are_shortest((space, start, goal) in spaces(), is_aligned: bool) {
        let config = AbstractionConfig { aligned: is_aligned, ..AbstractionConfig::default() };
        let search = PraStar::new(Arc::new(Abstraction::build(&space, config).unwrap()));
        let plans = search.plan_levels(&space, start, goal, None).unwrap();
        if let Some(plan) = plans.first().filter(|plan| plan.level > 0) {
            // Two nodes may lie in one place.
            let edges = |node: u32| {
                let edges = search.abstraction().edges(plan.level, node);
                edges.map(move |(next, _, weight)| (node, next, weight.max(1) as u32)).collect::<Vec<_>>()
            };
            let count = search.abstraction().node_count(plan.level);
            let all: Vec<_> = (0..count as u32).flat_map(edges).collect();
            let level = Guided { space: Graph::from_edges(count, &all).unwrap(), heuristic: Zero };
            let ends = (State(plan.path[0]), State(plan.path[plan.path.len() - 1]));
            let best = Dijkstra::new().find(&level, ends.0, ends.1).unwrap().cost();
            let weight = |step: &[u32]| {
                let found = edges(step[0]).into_iter().find(|&(_, next, _)| next == step[1]);
                found.map(|(_, _, weight)| u64::from(weight))
            };
            prop_assert_eq!(plan.path.windows(2).map(weight).sum::<Option<u64>>(), best);
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
        let answer = PraStar::new(abstraction(&space)).plan(&space, start, goal).unwrap();
        let (whole, mut spent) = (answer.path, Work::default());
        let mut agent = PraAgent::sliced(abstraction(&space), slice, true);
        agent.begin(&space, start, goal).unwrap();
        let mut states = Vec::from([start]);
        loop {
            let mut meter = Meter::with_bound(Agent::<GridSpace>::bound(&agent).unwrap());
            let step = Agent::<GridSpace>::step(&mut agent, &space, &mut meter);
            spent.expansions += meter.spent().expansions;
            spent.trace_steps += meter.spent().trace_steps;
            match step {
                Step::Moved(next) => states.push(next),
                Step::Waiting => prop_assert_eq!(states.len(), 1),
                Step::Unreachable => {
                    prop_assert!(whole.is_none());
                    break;
                }
                _ => {
                    prop_assert_eq!(spent.expansions, answer.counts.expanded);
                    prop_assert!(start == goal || spent.trace_steps >= states.len() as u64);
                    prop_assert_eq!(Some(states), whole.map(|path| path.states));
                    break;
                }
            }
            prop_assert!(!meter.is_overdrawn());
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
        let (start, goal) = (space.state_of(Cell::new(1, 5)), space.state_of(Cell::new(6, 5)));
        let mut agent = PraAgent::new(abstraction(&space), Some(k), true);
        agent.begin(&space, start, goal).unwrap();
        let mut step = |space: &GridSpace| {
            let step = Agent::<GridSpace>::step(&mut agent, space, &mut Meter::new());
            (step, Agent::<GridSpace>::plan(&agent))
        };
        for moved in 1..k as u32 {
            assert_eq!(step(&space).0, Step::Moved(space.state_of(Cell::new(1 + moved, 5))));
        }
        space.set(Cell::new(1 + k as u32, 5), false);
        let (next, rest) = step(&space);
        assert!(matches!(next, Step::Moved(_)) && rest.len() == k - 2, "{next:?}");
    }
}

fn open(width: u32, height: u32) -> GridSpace {
    GridSpace::new(Grid::from_fn(width, height, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2)
}

/// In the middle of a plan the cell ahead is blocked, or another abstraction comes, or both: the plan is made
/// anew.
#[test]
fn a_plan_in_the_making_is_given_up_when_the_map_or_the_abstraction_changes() {
    let untouched = open(24, 24);
    let (start, goal) = (untouched.state_of(Cell::new(2, 12)), untouched.state_of(Cell::new(21, 12)));
    let known = abstraction(&untouched);
    for (is_edited, is_told) in [(true, false), (false, true), (true, true)] {
        let mut waits = 0;
        loop {
            let mut space = untouched.clone();
            let mut agent = PraAgent::sliced(Arc::clone(&known), 6, true);
            agent.begin(&space, start, goal).unwrap();
            let step = |agent: &mut PraAgent, space: &GridSpace| {
                Agent::<GridSpace>::step(agent, space, &mut Meter::new())
            };
            if (0..waits).any(|_| step(&mut agent, &space) != Step::Waiting) {
                break;
            }
            let mut repaired = (*known).clone();
            if is_edited {
                let ahead = [11, 12, 13].map(|y| Cell::new(3, y));
                ahead.iter().for_each(|&cell| space.set(cell, false));
                repaired.repair(&space, ahead).unwrap();
            }
            if is_told {
                let database = Arc::new(repaired) as Arc<dyn Database>;
                Agent::<GridSpace>::use_database(&mut agent, &database).unwrap();
            }
            let last = (0..1000).map(|_| step(&mut agent, &space)).find(|step| step.is_over());
            assert_eq!(last, Some(Step::Arrived), "after {waits} frames");
            waits += 1;
        }
        assert!(waits > 3, "the plan takes several frames");
    }
}

/// When patience has come to its end, what is planned is planned as in narrow corridors from the first, from
/// the top.
#[test]
fn without_patience_corridors_are_narrow() {
    // Pillars, which a way of its own leads around.
    let grid = Grid::from_fn(64, 64, |cell| cell.x % 3 != 1 || cell.y % 4 != 1).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let (start, goal) = (space.state_of(Cell::new(3, 60)), space.state_of(Cell::new(60, 20)));
    let known = abstraction(&space);
    let expanded = |is_wide, patience| {
        let mut search = Refinement::new(Arc::clone(&known), Some(4), is_wide);
        search.begin(&space, start, goal);
        search.advance(&space, &mut { Allowance::UNLIMITED }, &mut |_, _| ());
        let limit = search.patience().most;
        assert!(limit > 16 && !search.top().nodes.is_empty());
        search.set_patience(Patience { plans: limit - 1 + patience, most: limit });
        search.begin(&space, start, goal);
        let mut expanded = Vec::new();
        search
            .advance(&space, &mut { Allowance::UNLIMITED }, &mut |level, node| expanded.push((level, node)));
        expanded
    };
    let levels = |expanded: &[(usize, u32)]| expanded.iter().map(|&(level, _)| level).max();
    let [wide, narrow, impatient] = [expanded(true, 0), expanded(false, 0), expanded(true, 1)];
    assert_ne!(wide, narrow);
    // The path on the start level was dropped: it is searched once more.
    assert!(levels(&impatient) > levels(&narrow) && levels(&narrow) == levels(&wide));
    assert!(impatient.ends_with(&narrow));
}

/// A path on the start level may be restored from anywhere: it leads nobody in circles, and none is followed
/// that is not there.
#[test]
fn paths_that_were_made_up_do_no_harm() {
    let space = open(9, 9);
    let known = abstraction(&space);
    let mut search = Refinement::new(Arc::clone(&known), Some(2), true);
    search.set_top(TopPath { level: 0, nodes: Vec::from([0, 1, 0, 1, 2, 3]) });
    search.begin(&space, State(1), State(3));
    assert_eq!(search.advance(&space, &mut { Allowance::UNLIMITED }, &mut |_, _| ()), Progress::Found);
    assert_eq!(search.take_way().0, [State(2), State(1)]);

    // Behind the path of an agent that has not planned: the level and the nodes, each as the distance from
    // the one before.
    let mut agent = PraAgent::new(Arc::clone(&known), Some(2), true);
    agent.begin(&space, State(0), State(80)).unwrap();
    let mut saved = Vec::new();
    Agent::<GridSpace>::save(&agent, &space, &mut saved);
    let levels = known.levels() as u64;
    let node = |state: u32| known.ancestor(State(state), 1).unwrap();
    let made_up = [
        (levels, Vec::from([0, 1])),
        (u64::MAX, Vec::from([0, 1])),
        (1, Vec::from([node(0), 70, node(80)])),
        (1, Vec::from([node(0), node(80)])),
        (levels - 1, (0..80).collect()),
        (0, (0..81).collect()),
    ];
    for (level, nodes) in made_up {
        let mut changed = saved[..saved.len() - 2].to_vec();
        put_number(&mut changed, level);
        put_states(&mut changed, &nodes.into_iter().map(State).collect::<Vec<_>>());
        Agent::<GridSpace>::restore(&mut agent, &space, &mut Reader::new(&changed)).unwrap();
        let mut steps = (0..100).map(|_| Agent::<GridSpace>::step(&mut agent, &space, &mut Meter::new()));
        assert_eq!(steps.find(|step| step.is_over()), Some(Step::Arrived), "level {level}");
        assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 0, "level {level}");
    }
}
