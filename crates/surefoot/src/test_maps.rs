//! Random maps and problems, and walks over them, for the tests of databases with regions and of the agents
//! that go by them.

use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{
    Cell, CellWeights, Cost, CostModel, Grid, GridSpace, Heuristic, Link, Links, MoveRule, State, StateSpace,
};
use surefoot::store::codec;
use surefoot::store::container::ENVELOPE;
use surefoot::store::draws::Draws;

/// How many of so many cases a test tries: all of them under `cargo xtask long`, else a quarter.
pub(crate) fn quick_or_long(cases: u32) -> u32 {
    #[cfg(feature = "std")]
    if std::env::var_os("SUREFOOT_LONG").is_some() {
        return cases;
    }
    cases.div_ceil(4)
}

/// A map with some rooms.
pub(crate) fn rooms() -> GridSpace {
    let art = "
......#......
.####.#.####.
.#..........#
.#.##.#.##.##
......#......
###.#####.###
......#......
";
    GridSpace::new(grid_from_art(art.trim()).unwrap(), MoveRule::NoCut, CostModel::Sqrt2)
}

/// Maps with sides below `most`, under any rule, with either costs.
pub(crate) fn maps(most: u32) -> impl Strategy<Value = GridSpace> {
    let cells = prop::collection::vec(0_u8..20, (most * most) as usize);
    (1..most, 1..most, cells, 0_u8..8, 0_usize..MoveRule::ALL.len(), any::<bool>()).prop_map(
        move |(width, height, cells, walls, rule, is_exact)| {
            let is_free = |cell: surefoot::space::Cell| cells[(cell.y * most + cell.x) as usize] >= walls;
            let costs = if is_exact { CostModel::Diagonal14 } else { CostModel::Sqrt2 };
            GridSpace::new(Grid::from_fn(width, height, is_free).unwrap(), MoveRule::ALL[rule], costs)
        },
    )
}

/// Maps, each with two states that a way leads between.
pub(crate) fn problems() -> impl Strategy<Value = (GridSpace, State, State)> {
    (maps(30), any::<u32>(), any::<u32>()).prop_filter_map(
        "both ends are free and connected",
        |(space, start, goal)| {
            let count = space.state_limit() as u32;
            let (start, goal) = (State(start % count), State(goal % count));
            let is_open = space.contains(start)
                && space.contains(goal)
                && space.components().same(space.cell(start), space.cell(goal));
            is_open.then_some((space, start, goal))
        },
    )
}

/// All states of a map.
pub(crate) fn states(space: &GridSpace) -> impl Iterator<Item = State> {
    (0..space.state_limit() as u32).map(State).filter(|&state| space.contains(state))
}

/// Walks to the goal, which the agent must get to without a fallback, each move legal and within the bound,
/// and within a leg by way of no state twice. What the walk cost.
pub(crate) fn walk_by_legs(agent: &mut dyn Agent, space: &GridSpace, start: State, goal: State) -> Cost {
    agent.begin(space, start, goal).unwrap();
    let (mut cost, mut target, mut leg) = (0, None, vec![]);
    for _ in 0..100_000 {
        let before = agent.position();
        let mut meter = Meter::with_bound(agent.bound().unwrap());
        let step = agent.step(space, &mut meter);
        assert!(!meter.is_overdrawn(), "{}", meter.spent());
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

/// The bytes of a database's file with another body, in a proper envelope: so that tests get past the
/// checksum.
pub(crate) fn with_changed_body(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut body = codec::open(&ENVELOPE, bytes).map(<[u8]>::to_vec).unwrap_or_default();
    change(&mut body);
    codec::seal(&ENVELOPE, &body)
}

/// A map whose blocked cells lie scattered, two in five.
pub(crate) fn scattered(width: u32, height: u32) -> Grid {
    Grid::from_fn(width, height, |cell| (cell.x * 31 + cell.y * 17 + cell.x * cell.y) % 5 > 1).unwrap()
}

/// Small random maps with up to eight random links each, under all rules and costs in turn. Every third one
/// has weights. Some links begin or end in walls.
pub(crate) fn linked_maps(count: u64, seed: u64) -> impl Iterator<Item = (GridSpace, Links)> {
    (0..count).map(move |number| {
        let mut draws = Draws::new(seed, number);
        let [width, height] = [0, 1].map(|_| 2 + draws.below(12) as u32);
        let walls = draws.below(9);
        let mut grid = Grid::from_fn(width, height, |_| draws.below(20) >= walls).unwrap();
        grid.set(Cell::new(0, 0), true);
        let cell = |draws: &mut Draws| {
            Cell::new(draws.below(width.into()) as u32, draws.below(height.into()) as u32)
        };
        let links: Vec<Link> = (0..number % 9)
            .map(|_| Link { from: cell(&mut draws), to: cell(&mut draws), moves: 1 + draws.below(6) as u32 })
            .filter(|link| link.from != link.to)
            .collect();
        let links = Links::new(&grid, links).unwrap();
        let rule = MoveRule::ALL[number as usize % MoveRule::ALL.len()];
        let costs = CostModel::ALL[(number / 4) as usize % 2];
        if number % 3 < 2 {
            return (GridSpace::new(grid, rule, costs), links);
        }
        let weights = (0..width * height).map(|_| 1 + draws.below(4) as u8).collect();
        let weights = CellWeights::new(width, height, weights).unwrap();
        (GridSpace::weighted(grid, rule, costs, weights).unwrap(), links)
    })
}
