//! PR LRTA* on the ground, on edited maps and on graphs.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::ROSTER;
use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Dijkstra, Gamma, Horizon, Lookahead, Meter, Ties};
use surefoot::space::{
    Cell, CostModel, Graph, Grid, GridSpace, Guided, Heuristic, MoveRule, Reachability, State, StateSpace,
    World, Zero, check_consistency,
};
use surefoot::store::Database;
use surefoot::store::container::DatabaseError;

use super::agent::guided_level;
use super::refiner::{largest_region, node_of};
use super::*;
use crate::abstraction::{Abstraction, AbstractionConfig};
use crate::d_lrta::{DynamicLrta, GoalChoice, Loops};
use crate::d_lrta::{PatternContents, Trace};

fn abstraction(world: &impl World) -> Arc<Abstraction> {
    Arc::new(Abstraction::build(world, AbstractionConfig::default()).unwrap())
}

fn agent(abstraction: &Arc<Abstraction>, level: usize, depth: u32) -> PrLrta<LrtaStar> {
    let guide = LrtaStar::new(Horizon::Plies(depth), Ties::Near);
    PrLrta::new(Arc::clone(abstraction), level, depth, guide)
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

/// A step within the bound, by a legal move.
fn checked_step<W: World>(agent: &mut dyn Agent<W>, world: &W) -> Step {
    let before = agent.position();
    let mut meter = Meter::with_bound(agent.bound().unwrap());
    let step = agent.step(world, &mut meter);
    assert!(!meter.is_overdrawn(), "{} of {:?}", meter.spent(), agent.bound());
    if let Step::Moved(next) = step {
        let mut is_legal = false;
        world.for_each_successor(before, |state, _| is_legal |= state == next);
        assert!(is_legal);
    }
    step
}

/// Walks until it is over, and says how it ended.
fn walk<W: World>(agent: &mut dyn Agent<W>, world: &W) -> Step {
    for _ in 0..100_000 {
        let step = checked_step(agent, world);
        if step.is_over() {
            return step;
        }
    }
    panic!("the agent walks for ever");
}

proptest! {
    /// On maps as they were abstracted corridors are never blocked.
    #[test]
    fn every_level_leads_to_the_goal(
        (space, start, goal) in spaces(),
        level in 1_usize..6,
        depth in 1_u32..6,
        gamma in prop::sample::select(["0.2", "0.7", "1"].to_vec()),
    ) {
        let abstraction = abstraction(&space);
        let guide = LrtaStar::new(Horizon::Plies(depth), Ties::Near).weighing(gamma.parse().unwrap());
        let mut agent = PrLrta::new(abstraction, level, depth, guide);
        agent.begin(&space, start, goal).unwrap();
        let is_open = space.reachability(start, goal) == Reachability::Yes;
        prop_assert_eq!(walk(&mut agent, &space), if is_open { Step::Arrived } else { Step::Unreachable });
        prop_assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 0);
        // Another goal, in the middle of a walk to it back to the first.
        agent.set_goal(&space, start).unwrap();
        checked_step(&mut agent, &space);
        checked_step(&mut agent, &space);
        agent.set_goal(&space, goal).unwrap();
        prop_assert_eq!(walk(&mut agent, &space), if is_open { Step::Arrived } else { Step::Unreachable });
        prop_assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 0);
    }

    /// γ weighs g where a state of the frontier is chosen; what is learned is its g + h.
    #[test]
    fn gamma_weighs_the_choice_and_not_what_is_learned(
        (space, start, goal) in spaces(),
        depth in 1_u32..5,
        gamma in prop::sample::select(["0.2", "0.7"].to_vec()),
    ) {
        prop_assume!(start != goal && space.reachability(start, goal) == Reachability::Yes);
        let gamma: Gamma = gamma.parse().unwrap();
        let mut agent = LrtaStar::new(Horizon::Plies(depth), Ties::Near).weighing(gamma);
        agent.begin(&space, start, goal).unwrap();
        let h = |state| space.octile().estimate(state, goal);
        let mut lookahead = Lookahead::new();
        lookahead.look_by_layers(&space, h, (start, goal), depth, &mut Meter::new());
        let near_goal = lookahead.place_of(goal).into_iter().filter_map(|place| {
            (0..depth as usize).flat_map(|layer| lookahead.layer(layer)).find(|own| own.0 == place)
        });
        let rim = near_goal.chain(lookahead.layer(depth as usize));
        // The estimate is consistent: path-max changes nothing.
        let best = rim.min_by_key(|&(place, state, g)| (gamma.of(g) + h(state), g, place));
        prop_assume!(best.is_some());
        let (place, state, g) = best.unwrap();
        let next = *lookahead.path_to(place).last().unwrap();
        prop_assert_eq!(agent.step(&space, &mut Meter::new()), Step::Moved(next));
        prop_assert_eq!(agent.learned().value(&space, start), g + h(state));
    }

    /// The map is edited while an agent walks. In the end it stays as it is, and the agent arrives if there
    /// is a way.
    #[test]
    fn agents_survive_edits_and_repairs(
        (mut space, start, goal) in spaces(),
        rounds in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..4), 1..20),
        level in 1_usize..5,
        is_repaired: bool,
    ) {
        let mut known = (*abstraction(&space)).clone();
        let mut agent = agent(&Arc::new(known.clone()), level, 2);
        agent.begin(&space, start, goal).unwrap();
        for round in rounds {
            let position = Agent::<GridSpace>::position(&agent);
            let changed = edit(&mut space, &round, [position, goal]);
            if is_repaired {
                known.repair(&space, changed).unwrap();
                let database = Arc::new(known.clone()) as Arc<dyn Database>;
                Agent::<GridSpace>::use_database(&mut agent, &database).unwrap();
            }
            checked_step(&mut agent, &space);
        }
        let position = Agent::<GridSpace>::position(&agent);
        let is_open = space.reachability(position, goal) == Reachability::Yes;
        prop_assert_eq!(walk(&mut agent, &space), if is_open { Step::Arrived } else { Step::Unreachable });
        prop_assert!(!is_repaired || Agent::<GridSpace>::fallbacks(&agent) == 0);
    }

    /// A level is a world: its estimate is consistent, its moves go both ways at one cost.
    #[test]
    fn levels_are_worlds((space, start, _) in spaces(), level in 1_usize..5) {
        let abstraction = abstraction(&space);
        let world = guided_level(&abstraction, level);
        if let Some((at, node)) = node_of(&space, &abstraction, level, start).filter(|name| name.0 == level) {
            prop_assert_eq!(abstraction.ancestor(start, at), Some(node));
            check_consistency(&world, &world, State(node)).unwrap();
            world.for_each_successor(State(node), |next, cost| {
                let mut back = None;
                world.for_each_successor(next, |state, cost| if state.0 == node { back = Some(cost) });
                assert_eq!(back, Some(cost));
            });
        }
        // The largest region by counting.
        let mut counts = alloc::collections::BTreeMap::new();
        for state in (0..space.state_limit() as u32).map(State).filter(|&state| space.contains(state)) {
            *counts.entry(node_of(&space, &abstraction, level, state)).or_insert(0) += 1;
        }
        prop_assert_eq!(Some(&largest_region(&abstraction, level)), counts.values().max());
    }

    #[test]
    fn graphs_are_walked_too(
        states in 2_u32..60,
        edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1_u32..9), 1..150),
        level in 1_usize..4,
        higher in 0_u32..3,
    ) {
        let both: Vec<_> = edges
            .into_iter()
            .map(|(a, b, cost)| (a.index(states as usize) as u32, b.index(states as usize) as u32, cost))
            .flat_map(|(a, b, cost)| [(a, b, cost), (b, a, cost)])
            .collect();
        let world = Guided { space: Graph::from_edges(states as usize, &both).unwrap(), heuristic: Zero };
        let (start, goal) = (State(0), State(states - 1));
        if Dijkstra::new().find(&world, start, goal).unwrap().cost().is_some() {
            let abstraction = abstraction(&world);
            let mut plain = agent(&abstraction, level, 2);
            plain.begin(&world, start, goal).unwrap();
            prop_assert_eq!(walk(&mut plain, &world), Step::Arrived);
            let contents = PatternContents::SubgoalsAndDepths { cap: 3 };
            let patterns = patterns_of(&abstraction, level, higher, (contents, Trace::default())).unwrap();
            let choice = GoalChoice { loops: Loops::State, keeps: false, deepen: 0 };
            let guide = DynamicLrta::new(patterns, 1, choice);
            let mut guided = PrLrta::new(abstraction, level, 1, guide);
            guided.begin(&world, start, goal).unwrap();
            prop_assert_eq!(walk(&mut guided, &world), Step::Arrived);
        }
    }
}

/// A hall with a wall across it that is open at one end.
fn hall(gap: u32) -> GridSpace {
    let grid = Grid::from_fn(60, 60, |cell| cell.x != 30 || cell.y == gap).unwrap();
    GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2)
}

/// With a database of all pairs of nodes LRTA* never goes astray on its level; without, it has to learn where
/// the gap is.
#[test]
fn patterns_spare_the_agent_the_dead_end() {
    let space = hall(59);
    let (start, goal) = (space.state_of(Cell::new(3, 3)), space.state_of(Cell::new(57, 3)));
    let best = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
    let cost_of = |spec: &str| {
        let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let (mut position, mut cost) = (start, 0);
        while let Step::Moved(next) = checked_step(&mut *agent, &space) {
            space.for_each_successor(position, |state, step| {
                if state == next {
                    cost += step;
                }
            });
            position = next;
        }
        assert_eq!(position, goal, "{spec}");
        cost
    };
    let plain = cost_of("pr-lrta*(f,g;level=2,d=1)");
    assert!(plain * 2 > best * 3, "it went into the corner: {plain} against {best}");
    for spec in ["pr-lrta*(f,pdb;level=2,level2=2)", "pr-lrta*(pdb,g;level=2,level2=2,cap=50)"] {
        let guided = cost_of(spec);
        assert!(guided * 4 < best * 5, "{spec}: {guided} against {best}");
    }
}

#[test]
fn a_blocked_corridor_is_left_on_the_ground() {
    let (before, after) = (hall(59), hall(0));
    let (start, goal) = (before.state_of(Cell::new(20, 50)), before.state_of(Cell::new(57, 50)));
    let mut agent = agent(&abstraction(&before), 3, 3);
    agent.begin(&before, start, goal).unwrap();
    checked_step(&mut agent, &before);
    assert_eq!(walk(&mut agent, &after), Step::Arrived);
    assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 1);
    // A new abstraction of the map as it is, and nothing is lost.
    let repaired = abstraction(&after) as Arc<dyn Database>;
    Agent::<GridSpace>::use_database(&mut agent, &repaired).unwrap();
    agent.set_goal(&after, start).unwrap();
    assert_eq!(walk(&mut agent, &after), Step::Arrived);
    assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 1);
}

#[test]
fn tables_that_are_too_large_are_refused() {
    let space = GridSpace::new(Grid::from_fn(170, 170, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let refused = patterns_of(&abstraction(&space), 1, 0, (PatternContents::Subgoals, Trace::default()));
    assert!(matches!(refused, Err(DatabaseError::TooLarge { .. })));
    let message = |spec: &str| match ROSTER.agent_for(&spec.parse().unwrap(), &space, 1) {
        Ok(_) => panic!("{spec} was made"),
        Err(error) => alloc::string::ToString::to_string(&error),
    };
    let pairs = message("pr-lrta*(f,pdb;level=1,level2=1)");
    assert!(pairs.contains("52200625 pairs of regions; a higher level has fewer"), "{pairs}");
    for wrong in ["level=0", "level2=3", "level2=+x", "level2=+65", "d=0"] {
        let text = alloc::format!("pr-lrta*(f,pdb;{wrong})");
        assert!(ROSTER.check(&text.parse().unwrap()).is_err(), "{text}");
    }
}

/// Patterns are of the abstraction that they were made from: with a repaired one agents go on without them,
/// and say so.
#[test]
fn with_a_repaired_abstraction_agents_go_on_without_patterns() {
    let space = hall(59);
    let database = abstraction(&space) as Arc<dyn Database>;
    let ends = (space.state_of(Cell::new(0, 0)), space.state_of(Cell::new(58, 0)));
    for (spec, has_patterns) in [("pr-lrta*(f,g;level=1)", false), ("pr-lrta*(pdb,pdb;level=1)", true)] {
        let mut agent = ROSTER.agent_with(&spec.parse().unwrap(), Some(&database)).unwrap();
        agent.begin(&space, ends.0, ends.1).unwrap();
        agent.use_database(&database).unwrap();
        let last = loop {
            let step = agent.step(&space, &mut Meter::new());
            if step.is_over() {
                break step;
            }
        };
        assert_eq!((last, agent.fallbacks() > 0), (Step::Arrived, has_patterns), "{spec}");
    }
    let other = GridSpace::new(Grid::from_fn(9, 9, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let mut agent = ROSTER.agent_with(&"pr-lrta*(f,g)".parse().unwrap(), Some(&database)).unwrap();
    assert!(agent.begin(&other, State(0), State(1)).is_err(), "it is of another map");
}
