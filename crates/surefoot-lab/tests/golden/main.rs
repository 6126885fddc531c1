//! Golden walks: every entry of the roster walks a handful of problems on a few small maps, and what each walk took is compared with
//! `golden_walks.txt`, number by number. A change that is meant to change nothing changes no line of that file.
//!
//! If a change is meant to show, `cargo xtask bless` writes the file anew. Review its diff as you review code. Two things hold whatever the file
//! says: walks are legal and within their bounds, and they cost no more than `factors.rs` allows.

#![allow(clippy::unwrap_used)] // the helpers below are part of the tests

// All that comes from the library. The other files of this test take it from here.
use surefoot::agent::{Agent, Entry, Spec, Step};
use surefoot::search::{Dijkstra, Meter, Work};
use surefoot::space::{
    Cell, CellWeights, Cost, CostModel, Grid, GridSpace, MoveRule, State, StateSpace, TerrainMap, TerrainSet,
};
use surefoot_classics::ROSTER;

mod factors;
mod file;
mod worlds;

use std::sync::LazyLock;

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use self::worlds::{Problem, WORLDS, World};

/// The seed of all databases.
const SEED: u64 = 1;
/// No walk takes so many steps, waits included, unless something is wrong.
const MOST_STEPS: u64 = 100_000;
/// Set by `cargo xtask bless`.
const BLESS: &str = "SUREFOOT_BLESS";

/// All walks of one entry on one map.
struct Walks {
    entry: &'static Entry,
    spec: Spec,
    tally: Tally,
    /// The bytes of the database's file and their hash, if the entry needs one.
    database: Option<(usize, u32)>,
    /// What must not be, whatever the golden file says.
    faults: Vec<String>,
}

/// What some walks took together.
#[derive(Default)]
struct Tally {
    solved: usize,
    moves: u64,
    waits: u64,
    cost: Cost,
    /// What the walks that arrived cost, and what cheapest paths would have cost.
    arrived_cost: Cost,
    optimum: Cost,
    work: Work,
    /// The work of the step that took the most, all kinds together.
    most_work: u64,
    /// States held in memory, added up over the problems.
    memory: u64,
    /// Over all states on the way: the same numbers by another way are not the same.
    route: Xxh3,
}

/// Every map with the walks of every entry that takes it. Both tests below need them.
static ALL: LazyLock<Vec<(World, Vec<Walks>)>> = LazyLock::new(|| {
    let walk_all = |make: &fn() -> World| {
        let world = make();
        let entries = ROSTER
            .entries()
            .par_iter()
            .filter(|entry| world.space.weights().is_none() || entry.takes_weights);
        let walks = entries.map(|entry| walk_world(&world, entry)).collect();
        (world, walks)
    };
    WORLDS.par_iter().map(walk_all).collect()
});

#[test]
fn walks_are_as_they_were() {
    let now = file::text(&ALL);
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(file::PATH, now).unwrap();
        return;
    }
    let before = std::fs::read_to_string(file::PATH).unwrap_or_default();
    let differences = file::differences(&before, &now);
    assert!(
        differences.is_empty(),
        "walks are not as they were (- before, + now):\n\n{differences}\n\
        If this is meant to be, run `cargo xtask bless` and review the diff of {}.",
        file::PATH,
    );
}

#[test]
fn walks_are_legal_and_cost_no_more_than_they_may() {
    let mut faults = factors::faults();
    for (map, (world, walks)) in ALL.iter().enumerate() {
        for walks in walks {
            let all = walks.faults.iter().cloned().chain(factors::fault(map, walks));
            faults.extend(all.map(|fault| format!("{}, {}: {fault}", world.name, walks.spec)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn walk_world(world: &World, entry: &'static Entry) -> Walks {
    let space = &world.space;
    let spec: Spec = entry.quick_spec(space.state_limit()).parse().unwrap();
    let database = ROSTER.build_database(&spec, space, SEED).unwrap();
    let mut agent = ROSTER.agent_with(&spec, database.as_ref()).unwrap();
    let (mut tally, mut faults) = (Tally::default(), Vec::new());
    for problem in &world.problems {
        if let Err(fault) = walk(space, &mut *agent, entry, problem, &mut tally) {
            let [start, goal] = [problem.start, problem.goal].map(|state| space.cell(state));
            faults.push(format!("from {start} to {goal}: {fault}"));
        }
    }
    let database = database.map(|database| {
        let bytes = database.to_bytes();
        (bytes.len(), xxh3_64(&bytes) as u32)
    });
    Walks { entry, spec, tally, database, faults }
}

/// Walks one problem and adds it to the tally, or says what is wrong with the walk.
fn walk(
    space: &GridSpace,
    agent: &mut dyn Agent,
    entry: &Entry,
    problem: &Problem,
    tally: &mut Tally,
) -> Result<(), String> {
    agent.begin(space, problem.start, problem.goal).map_err(|error| error.to_string())?;
    let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
    let (mut position, mut walked) = (problem.start, 0);
    for steps in 0.. {
        if steps == MOST_STEPS {
            return Err(format!("it is not there after {steps} steps"));
        }
        meter.renew();
        let step = agent.step(space, &mut meter);
        tally.add(meter.spent());
        if meter.is_overdrawn() {
            return Err(format!("one move took {}, more than its bound", meter.spent()));
        }
        match step {
            Step::Moved(next) => {
                let cost = cost_of_move(space, position, next);
                walked += cost.ok_or_else(|| format!("it moves from {position:?} to {next:?}"))?;
                tally.moves += 1;
                tally.route.update(&next.0.to_le_bytes());
                position = next;
            }
            Step::Waiting => tally.waits += 1,
            Step::Arrived => break,
            Step::Stuck if !entry.complete => break,
            other => return Err(format!("it says {other:?} where there is a way")),
        }
        if agent.position() != position {
            return Err(format!("it says that it stands on {:?}", agent.position()));
        }
    }
    tally.memory += agent.memory().states();
    tally.cost += walked;
    let is_solved = position == problem.goal;
    if is_solved {
        tally.solved += 1;
        tally.arrived_cost += walked;
        tally.optimum += problem.optimum;
    } else if entry.complete {
        return Err(String::from("it says that it has arrived, and has not"));
    }
    // On weights `beacon*` goes by transit nodes, which may miss the optimum by a little. On these maps they do not.
    if is_solved && (walked < problem.optimum || entry.optimal && walked > problem.optimum) {
        return Err(format!("it walks {walked}, and the cheapest path costs {}", problem.optimum));
    }
    Ok(())
}

/// What the move from `from` to `to` costs, if it is one.
fn cost_of_move(space: &GridSpace, from: State, to: State) -> Option<Cost> {
    let mut found = None;
    space.for_each_successor(from, |next, cost| found = if next == to { Some(cost) } else { found });
    found
}

impl Tally {
    /// Adds the work of one step.
    fn add(&mut self, spent: Work) {
        self.work.expansions += spent.expansions;
        self.work.backups += spent.backups;
        self.work.trace_steps += spent.trace_steps;
        self.work.climb_steps += spent.climb_steps;
        self.work.probes += spent.probes;
        self.most_work = self.most_work.max(spent.total());
    }
}
