//! An agent that was saved and restored goes on exactly as the one that was not.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use std::sync::Arc;

use proptest::prelude::*;
use surefoot::agent::{Agent, Spec, Step};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Meter, Ties};
use surefoot::space::{
    Cell, CellWeights, Cost, CostModel, FnHeuristic, Graph, Grid, GridSpace, Guided, MoveRule, State,
    StateSpace,
};
use surefoot::store::Database;
use surefoot::store::codec::Reader;
use surefoot_classics::ROSTER;

/// Every algorithm as it is by default, and some with parameters that make other things worth saving.
fn specs() -> Vec<Spec> {
    let more = [
        "weighted-a*(gamma=0.7)",
        "lrta*(d=1)",
        "lrta*(gmax=4,ties=high-g)",
        "lrts(d=1,quota=0)",
        "lrts(d=4,gamma=0.5,quota=10)",
        "k-lrta*(expansions=9,moves=all)",
        "rtaa*(expansions=5)",
        "da-rtaa*(expansions=12,moves=all)",
        "p-lrta*(queue=0)",
        "p-lrta*(queue=5)",
        "tba*(slice=1)",
        "tba*(slice=7)",
        "s-a*(slice=1)",
        "s-a*(slice=30)",
        "pra*(k=2)",
        "pra*(k=5,corridor=narrow,aligned=no)",
        "s-pra*(slice=1)",
        "s-pra*(slice=9)",
        "lrta*(f,pdb;level=1,choose=reached)",
        "lrta*(f,pdb;level=2,d=2,loops=ever,deepen=1)",
        "lrta*(pdb,pdb;level=1,cap=4,loops=region)",
        "lrta*(pdb,g;level=1,cap=5)",
        "lrta*(dt,g;dmax=5,ties=high-g)",
        "lrta*(oracle,g;dmax=4)",
        "pr-lrta*(f,g;level=1,d=2)",
        "pr-lrta*(f,g;level=2,d=1,gamma=0.4)",
        "pr-lrta*(pdb,g;level=1,level2=1,cap=4)",
        "pr-lrta*(f,pdb;level=1,level2=2,choose=reached)",
        "pr-lrta*(pdb,pdb;level=1,level2=+1,cap=3,loops=region)",
        "knn-lrta*(n=10,cutoff=3,candidates=2)",
        "knn-lrta-2009*(n=12,cutoff=4,d=1)",
        "hcdps*(cutoff=3,skip=1)",
        "dba*(sector=5,check=4)",
        "beacon*(bound=40)",
    ];
    let more = more.map(String::from);
    ROSTER
        .entries()
        .iter()
        .map(|entry| entry.quick_spec(64))
        .chain(more)
        .map(|text| text.parse().unwrap())
        .collect()
}

#[derive(Clone, Debug)]
struct Problem {
    space: GridSpace,
    start: State,
    /// Three goals, one after the other.
    goals: [State; 3],
    /// After how many steps the agent gets its second goal, and after how many it is saved.
    turn: usize,
    cut: usize,
    /// A cell that changes at some step.
    edit: (usize, Cell),
}

fn problems() -> impl Strategy<Value = Problem> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    let costs = prop::sample::select(CostModel::ALL.to_vec());
    (2_u32..16, 2_u32..12, prop_oneof![Just(0.8), Just(0.65)], rule, costs).prop_flat_map(
        |(width, height, density, rule, costs)| {
            let cells = (width * height) as usize;
            let free = prop::collection::vec(prop::bool::weighted(density), cells);
            let ends = prop::array::uniform4(0..cells);
            let times = (0_usize..40, 0_usize..80, 0_usize..80);
            let edit = (0..width, 0..height);
            (free, ends, times, edit).prop_map(move |(mut free, ends, (turn, cut, time), (x, y))| {
                for end in ends {
                    free[end] = true;
                }
                let grid =
                    Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]).unwrap();
                let [start, goals @ ..] = ends.map(|end| State(end as u32));
                let space = GridSpace::new(grid, rule, costs);
                Problem { space, start, goals, turn, cut, edit: (time, Cell::new(x, y)) }
            })
        },
    )
}

/// What can be seen of one step.
fn step(agent: &mut dyn Agent, space: &GridSpace) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut meter = Meter::new();
    let step = agent.step(space, &mut meter);
    (step, meter.spent(), agent.position(), agent.memory(), agent.plan())
}

fn saved_and_restored(
    space: &GridSpace,
    spec: &Spec,
    database: Option<&Arc<dyn Database>>,
    agent: &dyn Agent,
) -> Box<dyn Agent> {
    let bytes = ROSTER.algorithm(spec).unwrap().save(space, agent);
    let (restored_spec, restored) =
        ROSTER.restore(space, &bytes, database).unwrap_or_else(|error| panic!("{spec}: {error}"));
    assert_eq!(restored_spec.spec(), spec);
    assert_eq!(ROSTER.algorithm(spec).unwrap().save(space, &*restored), bytes, "{spec} is saved as it was");
    assert_eq!(restored.position(), agent.position(), "{spec}");
    assert_eq!(restored.memory(), agent.memory(), "{spec}");
    assert_eq!(restored.plan(), agent.plan(), "{spec}");
    restored
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn restored_agents_walk_on_as_if_nothing_had_happened(problem in problems()) {
        for spec in specs() {
            let Problem { mut space, start, goals, turn, cut, edit } = problem.clone();
            let database = ROSTER.build_database(&spec, &space, 1).unwrap();
            let database = database.as_ref();
            let agent = ROSTER.agent_with(&spec, database).unwrap();
            let mut agent = saved_and_restored(&space, &spec, database, &*agent);
            agent.begin(&space, start, goals[0]).unwrap();
            let mut copy: Option<Box<dyn Agent>> = None;
            for time in 0..160 {
                if time == cut {
                    copy = Some(saved_and_restored(&space, &spec, database, &*agent));
                }
                // The second goal, then, long after, the third, then back to the first: what was learned is found again.
                let new_goal = [(turn, 1), (100, 2), (120, 0)].into_iter().find(|&(when, _)| when == time);
                if let Some((_, goal)) = new_goal {
                    let answer = agent.set_goal(&space, goals[goal]);
                    prop_assert!(copy.iter_mut().all(|copy| copy.set_goal(&space, goals[goal]) == answer));
                }
                if time == edit.0 {
                    space.set(edit.1, !space.grid().is_free(edit.1));
                }
                let seen = step(&mut *agent, &space);
                if let Some(copy) = &mut copy {
                    prop_assert_eq!(step(&mut **copy, &space), seen, "{} at {}", spec, time);
                }
            }
            prop_assert!(copy.is_some());
        }
    }
}

/// Numbers that look random, the same for the same seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn is_one_in(&mut self, how_many: u32) -> bool {
        self.below(how_many) == 0
    }

    fn cell(&mut self, space: &GridSpace) -> Cell {
        Cell::new(self.below(space.grid().width()), self.below(space.grid().height()))
    }

    /// A map of any kind, with weights or without.
    fn space(&mut self) -> GridSpace {
        let (width, height) = (3 + self.below(12), 3 + self.below(9));
        let (walls, are_there_weights) = (2 + self.below(4), self.is_one_in(3));
        let grid = Grid::from_fn(width, height, |_| !self.is_one_in(walls)).unwrap();
        let rule = MoveRule::ALL[self.below(MoveRule::ALL.len() as u32) as usize];
        let costs = CostModel::ALL[self.below(CostModel::ALL.len() as u32) as usize];
        if !are_there_weights {
            return GridSpace::new(grid, rule, costs);
        }
        let heaviest = 2 + self.below(30);
        let weights = CellWeights::from_fn(width, height, |_| 1 + self.below(heaviest) as u8).unwrap();
        GridSpace::weighted(grid, rule, costs, weights).unwrap()
    }

    /// Changes some cells, near a state or anywhere. Those that were blocked or freed.
    fn edit(&mut self, space: &mut GridSpace, near: State) -> Vec<Cell> {
        let here = space.cell(near);
        let mut changed = Vec::new();
        for _ in 0..1 + self.below(4) {
            let mut cell = self.cell(space);
            if self.is_one_in(2) {
                let beside = Cell::new(
                    (here.x + self.below(3)).saturating_sub(1),
                    (here.y + self.below(3)).saturating_sub(1),
                );
                cell = if space.grid().contains(beside) { beside } else { cell };
            }
            if space.is_weighted() && self.is_one_in(3) {
                space.set_weight(cell, 1 + self.below(40) as u8).unwrap();
            } else {
                space.set(cell, !space.grid().is_free(cell));
                changed.push(cell);
            }
        }
        changed
    }
}

/// The database after an edit that it is told of, if it follows edits.
fn told(database: &Arc<dyn Database>, space: &GridSpace, changed: &[Cell]) -> Option<Arc<dyn Database>> {
    let mut maintained = Arc::clone(database).maintained();
    maintained.edit(space, changed)?;
    // What takes long is done at once where agents hold labels; records are left as the edit leaves them.
    if database.kind().name != "subgoals" && database.kind().name != "cover" {
        while maintained.upkeep(space).is_some() {}
    }
    Some(maintained.database())
}

/// An agent walks on a map that is edited, with a database that is told of it or is not; time and again one is made from what it
/// saves, and must do the same as it from there on.
fn walk_through_edits(spec: &Spec, seed: u64) {
    let mut draws = Draws(seed);
    let mut space = draws.space();
    let (start, goal) = (draws.cell(&space), draws.cell(&space));
    space.set_all([(start, true), (goal, true)]);
    let mut database = ROSTER.build_database(spec, &space, seed).unwrap();
    let mut agent = ROSTER.agent_with(spec, database.as_ref()).unwrap();
    let state = |space: &GridSpace, cell: Cell| space.state_at(cell).unwrap();
    if agent.begin(&space, state(&space, start), state(&space, goal)).is_err() {
        assert!(space.is_weighted(), "{spec}: this is no map for it, though it is even");
        return;
    }
    let mut copy: Option<Box<dyn Agent>> = None;
    // Some maps are edited often, some once in a while.
    let edits = 2 + draws.below(12);
    for time in 0..90 {
        if draws.is_one_in(edits) {
            let changed = draws.edit(&mut space, agent.position());
            if draws.is_one_in(2)
                && let Some(now) = database.as_ref().and_then(|database| told(database, &space, &changed))
            {
                let answer = agent.use_database(&now);
                assert!(copy.iter_mut().all(|copy| copy.use_database(&now) == answer));
                if answer.is_ok() {
                    database = Some(now);
                }
            }
        }
        if draws.is_one_in(25) {
            let goal = state(&space, draws.cell(&space));
            let answer = agent.set_goal(&space, goal);
            assert!(copy.iter_mut().all(|copy| copy.set_goal(&space, goal) == answer));
        }
        if draws.is_one_in(10) {
            copy = Some(saved_and_restored(&space, spec, database.as_ref(), &*agent));
        }
        let seen = step(&mut *agent, &space);
        if let Some(copy) = &mut copy {
            assert_eq!(step(&mut **copy, &space), seen, "{spec}, seed {seed}, time {time}");
        }
    }
}

#[test]
fn restored_agents_walk_on_over_maps_that_are_edited() {
    for spec in specs() {
        for seed in 0..40 {
            walk_through_edits(&spec, seed);
        }
    }
}

/// The same for longer than one wants to wait for.
#[test]
#[ignore = "takes half an hour"]
fn restored_agents_walk_on_over_thousands_of_maps_that_are_edited() {
    for spec in specs() {
        for seed in 60..3000 {
            walk_through_edits(&spec, seed);
        }
    }
}

/// Tables that have grown large, in the middle of growing further.
#[test]
fn agents_that_have_learned_much_are_restored() {
    let side = 150;
    let grid = Grid::from_fn(side, side, |cell| cell.y != side / 2 || cell.x > side - 3).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Sqrt2);
    let (start, goal) = (
        space.state_at(Cell::new(3, side / 2 - 30)).unwrap(),
        space.state_at(Cell::new(3, side - 1)).unwrap(),
    );
    let mut most = 0;
    for spec in ["k-lrta*(expansions=100)", "p-lrta*", "tba*", "s-a*"] {
        let spec = spec.parse().unwrap();
        let mut agent = ROSTER.agent(&spec).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let mut copy = agent.clone();
        for time in 0..1500 {
            if time % 97 == 0 {
                copy = saved_and_restored(&space, &spec, None, &*copy);
                let bytes = ROSTER.algorithm(&spec).unwrap().save(&space, &*copy).len() as u64;
                let states = copy.memory().states();
                assert!(bytes < 200 + 10 * states, "{spec}: {bytes} bytes for {states} states");
                most = most.max(states);
            }
            assert_eq!(step(&mut *agent, &space), step(&mut *copy, &space), "{spec} at {time}");
        }
    }
    assert!(most > 5000, "some agent must have grown large for this to say anything: {most}");
}

/// Without the roster: an agent in a world of its own is saved and restored by its trait.
#[test]
fn agents_on_graphs_are_saved_by_themselves() {
    let mut edges = Vec::new();
    for state in 0..40_u32 {
        for (step, cost) in [(1, 3 + state % 5), (7, 11), (13, 17)] {
            let next = (state + step) % 40;
            edges.extend([(state, next, cost), (next, state, cost)]);
        }
    }
    let heuristic = FnHeuristic::consistent(|from: State, to: State| Cost::from(from != to));
    let world = Guided { space: Graph::from_edges(40, &edges).unwrap(), heuristic };
    let new = || LrtaStar::new(Horizon::Plies(2), Ties::Near);
    let mut agent = new();
    agent.begin(&world, State(1), State(31)).unwrap();
    for _ in 0..100 {
        let mut bytes = Vec::new();
        agent.save(&world, &mut bytes);
        let mut copy = new();
        let mut reader = Reader::new(&bytes);
        copy.restore(&world, &mut reader).unwrap();
        assert_eq!(reader.finish(), Ok(()));
        let (mut spent, mut copy_spent) = (Meter::new(), Meter::new());
        let taken = agent.step(&world, &mut spent);
        assert_eq!(copy.step(&world, &mut copy_spent), taken);
        assert_eq!(copy_spent.spent(), spent.spent());
        assert_eq!(copy.learned().to_sorted(), agent.learned().to_sorted());
        if taken == Step::Arrived {
            agent.set_goal(&world, State((world.state_limit() as u32 + 7) / 2)).unwrap();
        }
    }
    // A world with fewer states is another world.
    let small = Guided { space: Graph::from_edges(5, &[(0, 1, 1)]).unwrap(), heuristic: &world.heuristic };
    let mut bytes = Vec::new();
    agent.save(&world, &mut bytes);
    let before = format!("{agent:?}");
    assert!(agent.restore(&small, &mut Reader::new(&bytes)).is_err());
    assert_eq!(format!("{agent:?}"), before, "an agent that cannot be restored is as it was");
}
