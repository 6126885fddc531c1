//! Databases of beacons: whatever bytes are opened for a map, each way costs what Dijkstra's algorithm says, is asked for, told and
//! walked alike, and is so after an edit. The first byte says which rule and costs, the last which cell is edited.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use surefoot::agent::{Agent, Step};
use surefoot::beacons::BeaconDatabase;
use surefoot::search::{Dijkstra, Meter};
use surefoot::space::{Cell, Cost, GridSpace, State, StateSpace};
use surefoot::store::{Database, shared_as};
use surefoot_classics::ROSTER;
use surefoot_fuzz::{seal, small_spaces};

/// A map, and what the way from each free cell to each costs.
struct World {
    space: GridSpace,
    states: Vec<State>,
    truth: Vec<Option<Cost>>,
}

impl World {
    fn new(space: GridSpace) -> Self {
        let states: Vec<State> = space.grid().free_cells().filter_map(|cell| space.state_at(cell)).collect();
        let mut dijkstra = Dijkstra::new();
        let mut truth = Vec::new();
        for &from in &states {
            let field = dijkstra.field(&space, from).expect("a cell of the map");
            truth.extend(states.iter().map(|&to| field.distance(to)));
        }
        Self { space, states, truth }
    }
}

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| small_spaces().into_iter().map(World::new).collect());

/// What the moves of a path cost.
fn cost_of(space: &GridSpace, states: &[State]) -> Option<Cost> {
    let step = |pair: &[State]| {
        let mut cost = None;
        space.for_each_successor(pair[0], |next, step| cost = if next == pair[1] { Some(step) } else { cost });
        cost
    };
    states.windows(2).map(step).sum()
}

/// What a walk costs. `None` if the agent says that there is no way.
fn walk(space: &GridSpace, agent: &mut dyn Agent, from: State, to: State) -> Option<Cost> {
    agent.begin(space, from, to).expect("both are free");
    let mut states = vec![from];
    for _ in 0..1_000 {
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        let step = agent.step(space, &mut meter);
        assert!(!meter.is_overdrawn());
        match step {
            Step::Moved(next) => states.push(next),
            Step::Arrived => return Some(cost_of(space, &states).expect("moves are legal")),
            Step::Unreachable => return None,
            Step::Stuck => panic!("it is stuck"),
            _ => {}
        }
    }
    panic!("it does not arrive");
}

/// Answers about the map as it is are those of `truth`.
fn check(space: &GridSpace, database: &Arc<dyn Database>, pairs: impl Iterator<Item = (State, State, Option<Cost>)>) {
    let beacons = shared_as::<BeaconDatabase>(database).expect("they were beacons");
    let mut agent = ROSTER.agent_with(&"beacon*".parse().expect("a spec"), Some(database)).ok();
    for (from, to, truth) in pairs {
        assert_eq!(beacons.cost(space, from, to), truth, "{from:?} {to:?}");
        let path = beacons.path(space, from, to);
        assert_eq!(path.as_ref().map(|path| path.cost), truth, "{from:?} {to:?}");
        if let Some(path) = path {
            assert_eq!((path.states.first(), path.states.last()), (Some(&from), Some(&to)));
            assert_eq!(cost_of(space, &path.states), truth, "{from:?} {to:?}");
        }
        if let Some(agent) = &mut agent {
            assert_eq!(walk(space, &mut **agent, from, to), truth, "{from:?} {to:?}");
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let [which, body @ .., edited] = data else { return };
    let World { space, states, truth } = &WORLDS[usize::from(*which) % WORLDS.len()];
    let database = match ROSTER.open(space, seal(b"sfdb\r\n\x1a\n", 1, body)) {
        Ok(database) => database,
        Err(error) => return assert!(!error.to_string().contains('\n')),
    };
    if shared_as::<BeaconDatabase>(&database).is_none() {
        // Other kinds are for the target `database`.
        return;
    }
    let count = states.len();
    let (first, cell) = (usize::from(*edited) % 37, usize::from(*edited) % (space.grid().cell_count()));
    let pair = |at: usize| (states[at / count], states[at % count], truth[at]);
    check(space, &database, (first..truth.len()).step_by(37).map(pair));

    let mut space = space.clone();
    let width = space.grid().width();
    let cell = Cell::new(cell as u32 % width, cell as u32 / width);
    let is_free = space.grid().is_free(cell);
    space.set_all([(cell, !is_free)]);
    let mut maintained = database.maintained();
    maintained.edit_fully(&space, &[cell]);
    let from = states[first % count];
    if !space.contains(from) {
        return;
    }
    let field = Dijkstra::new().field(&space, from).expect("a free cell");
    let goals = states.iter().copied().filter(|&to| space.contains(to)).step_by(3);
    check(&space, &maintained.database(), goals.map(|to| (from, to, field.distance(to))));
});
