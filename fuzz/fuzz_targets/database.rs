//! Databases and parts of them: no bytes make a reader panic, and whatever is accepted can be gone by.
#![no_main]

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use surefoot::agent::{Agent, Step};
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, State};
use surefoot::store::part::Part;
use surefoot::store::{Database, View};
use surefoot_classics::ROSTER;
use surefoot_classics::abstraction::Abstraction;
use surefoot_classics::knn::SubgoalDatabase;
use surefoot_fuzz::seal;

fn world() -> &'static GridSpace {
    static WORLD: OnceLock<GridSpace> = OnceLock::new();
    WORLD.get_or_init(|| {
        let art = include_str!("../../crates/surefoot-classics/testdata/map.txt");
        let grid = grid_from_art(art).expect("the map is one");
        GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
    })
}

/// Where ways begin and end.
fn ends(space: &GridSpace) -> (State, State) {
    let state = |x, y| space.state_at(Cell::new(x, y)).expect("inside the map");
    (state(10, 4), state(14, 9))
}

/// Walks a little way, with no more work than was promised.
fn walk(agent: &mut dyn Agent, space: &GridSpace) {
    let (start, goal) = ends(space);
    agent.begin(space, start, goal).expect("both are states");
    for _ in 0..200 {
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        let step = agent.step(space, &mut meter);
        assert!(!meter.is_overdrawn());
        if step == Step::Arrived {
            break;
        }
    }
}

/// Every algorithm that takes the database goes by it.
fn go_by(database: &Arc<dyn Database>, space: &GridSpace) {
    // What is checked on request may be wrong, but not end in a panic. An agent that goes astray by it falls back, and keeps
    // its bound.
    let _ = database.verify(space, 32, 1, &mut |_| ControlFlow::Continue(()));
    // What is seen of it may be wrong, too, but a way always ends.
    for view in [View::default(), View { way: Some(ends(space)), ..View::default() }] {
        let _ = database.sketch(space, &view);
    }
    for spec in ROSTER.entries().iter().map(|entry| entry.name).chain(["hcdps*(skip=2)"]) {
        let spec = spec.parse().expect("this is a spec");
        if let Ok(mut agent) = ROSTER.agent_with(&spec, Some(database)) {
            walk(agent.as_mut(), space);
        }
    }
}

fuzz_target!(|body: &[u8]| {
    let space = world();
    // A part: a head and blocks; the first two bytes say where one ends and the next begins.
    if let [length, rest @ ..] = body {
        let (head, block) = rest.split_at((*length as usize).min(rest.len()));
        for version in [1, 2] {
            let mut bytes = seal(b"sfpart\r\n", version, head);
            bytes.extend_from_slice(&seal(b"sfblock\n", 1, block));
            let Ok(part) = Part::from_bytes(&bytes, ROSTER.kinds()) else { continue };
            assert!(part.length <= bytes.len());
            // A head may claim any number of blocks and shards.
            if part.head.plan.division().pieces < 10_000 {
                let _ = part.head.plan.describe(&part.blocks, bytes.len() as u64);
                let _ = Part::merge(None, vec![part.clone()]);
                let _ = Part::merge(Some(space), vec![part]);
            }
        }
    }
    let bytes = seal(b"sfdb\r\n\x1a\n", 1, body);
    if let Err(error) = ROSTER.inspect(&bytes) {
        assert!(!error.to_string().contains('\n'));
    }
    let database = match ROSTER.open(space, bytes) {
        Ok(database) => database,
        Err(error) => return assert!(!error.to_string().contains('\n')),
    };
    // What is checked when a file is opened holds.
    if let Some(abstraction) = database.downcast_ref::<Abstraction>() {
        assert!(abstraction.verify(space).is_ok());
    }
    if let Some(records) = database.downcast_ref::<SubgoalDatabase>() {
        assert!((0..records.len() as u32).all(|record| records.record(record).len() >= 2));
    }
    go_by(&database, space);
});
