//! Databases of maps without moves: every game in which ways are dug begins like that. They can be built, stored, opened, checked and repaired, and whoever goes by them
//! arrives once there is a way.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use std::ops::ControlFlow;
use std::sync::Arc;

use surefoot::agent::{Agent, Spec, Step};
use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority, UnitStatus};
use surefoot::search::Meter;
use surefoot::space::{Cell, CellWeights, CostModel, Grid, GridSpace, MoveRule, State, StateSpace};
use surefoot::store::Database;
use surefoot_classics::ROSTER;

const SIDE: u32 = 12;

/// Maps without a single move, each with what it is.
fn maps_without_moves() -> [(&'static str, Grid); 3] {
    let map = |is_free: fn(Cell) -> bool| Grid::from_fn(SIDE, SIDE, is_free).unwrap();
    [
        ("all rock", map(|_| false)),
        ("one free cell", map(|cell| cell == Cell::new(5, 5))),
        ("free cells that do not touch", map(|cell| cell.x % 2 == 1 && cell.y % 2 == 1)),
    ]
}

/// A gallery two cells wide that leads from the top left along two sides, and a chamber that it does not touch.
fn gallery() -> impl Iterator<Item = Cell> {
    let is_dug = |cell: &Cell| {
        let is_gallery = cell.y < 2 || cell.x >= SIDE - 2;
        let is_chamber = cell.x < 3 && cell.y >= SIDE - 3;
        is_gallery || is_chamber
    };
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| Cell::new(x, y))).filter(is_dug)
}

const START: Cell = Cell { x: 0, y: 0 };
const END: Cell = Cell { x: SIDE - 2, y: SIDE - 2 };
const CHAMBER: Cell = Cell { x: 0, y: SIDE - 3 };

fn state(cell: Cell) -> State {
    State(cell.y * SIDE + cell.x)
}

fn spec(entry: &surefoot::agent::Entry) -> Spec {
    entry.quick_spec((SIDE * SIDE) as usize).parse().unwrap()
}

/// All entries on all maps, under all rules, and those that take weights over weighted ground, too.
fn for_each_case(mut check: impl FnMut(&str, &surefoot::agent::Entry, GridSpace)) {
    let weight = |cell: Cell| 1 + ((cell.x + 2 * cell.y) % 3) as u8;
    for (map, grid) in maps_without_moves() {
        for rule in MoveRule::ALL {
            for entry in ROSTER.entries() {
                let case = format!("{} on {map}, {rule:?}", entry.name);
                check(&case, entry, GridSpace::new(grid.clone(), rule, CostModel::Sqrt2));
                if entry.takes_weights {
                    let weights = CellWeights::from_fn(SIDE, SIDE, weight).unwrap();
                    let space = GridSpace::weighted(grid.clone(), rule, CostModel::Sqrt2, weights).unwrap();
                    check(&format!("{case}, with weights"), entry, space);
                }
            }
        }
    }
}

/// Makes sure that a database is what it says, on its map.
fn verify(case: &str, space: &GridSpace, database: &dyn Database) {
    let verified = database.verify(space, 1000, 1, &mut |_| ControlFlow::Continue(()));
    verified.unwrap_or_else(|fault| panic!("{case}: {fault}"));
}

/// The database as it is after some cells of its map were freed, if there are repairs for its kind.
fn repaired(space: &GridSpace, database: &Arc<dyn Database>, changed: &[Cell]) -> Option<Arc<dyn Database>> {
    let mut maintained = Arc::clone(database).maintained();
    maintained.edit(space, changed)?;
    while maintained.upkeep(space).is_some() {}
    Some(maintained.database())
}

/// Walks to an end, move by legal move.
fn walk(case: &str, agent: &mut dyn Agent, space: &GridSpace) -> Step {
    for _ in 0..5000 {
        let before = agent.position();
        let step = agent.step(space, &mut Meter::new());
        if let Step::Moved(next) = step {
            let mut is_legal = false;
            space.for_each_successor(before, |to, _| is_legal |= to == next);
            assert!(is_legal, "{case}: from {before:?} to {next:?}");
        } else if step.is_over() {
            return step;
        }
    }
    panic!("{case}: it walks for ever");
}

/// There and back, and to where there is no way.
fn check_walks(case: &str, is_complete: bool, agent: &mut dyn Agent, space: &GridSpace) {
    for (start, goal) in [(START, END), (END, START)] {
        agent.begin(space, state(start), state(goal)).unwrap_or_else(|error| panic!("{case}: {error}"));
        let end = walk(case, agent, space);
        assert!(end == Step::Arrived || !is_complete && end == Step::Stuck, "{case}: {end:?}");
    }
    agent.begin(space, state(START), state(CHAMBER)).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert_eq!(walk(case, agent, space), Step::Unreachable, "{case}");
}

#[test]
fn an_empty_database_is_stored_opened_and_verified() {
    for_each_case(|case, entry, space| {
        let built =
            ROSTER.build_database(&spec(entry), &space, 1).unwrap_or_else(|error| panic!("{case}: {error}"));
        let Some(built) = built else { return };
        let opened = ROSTER.open(&space, built.to_bytes().into_owned());
        let opened = opened.unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(opened.to_bytes(), built.to_bytes(), "{case}");
        verify(case, &space, &*opened);
        ROSTER.inspect(&built.to_bytes()).unwrap_or_else(|error| panic!("{case}: {error}"));
    });
}

#[test]
fn agents_with_an_empty_database_walk_where_ways_were_dug() {
    for_each_case(|case, entry, mut space| {
        let mut agent =
            ROSTER.agent_for(&spec(entry), &space, 1).unwrap_or_else(|error| panic!("{case}: {error}"));
        space.set_all(gallery().map(|cell| (cell, true)));
        check_walks(case, entry.complete, &mut *agent, &space);
    });
}

#[test]
fn an_empty_database_is_repaired_where_ways_were_dug() {
    for_each_case(|case, entry, mut space| {
        let Some(database) = ROSTER.build_database(&spec(entry), &space, 1).unwrap() else { return };
        let dug: Vec<Cell> = gallery().filter(|&cell| !space.grid().is_free(cell)).collect();
        // All at once.
        let mut at_once = space.clone();
        at_once.set_all(dug.iter().map(|&cell| (cell, true)));
        if let Some(database) = repaired(&at_once, &database, &dug) {
            let mut agent = ROSTER.agent_with(&spec(entry), Some(&database)).unwrap();
            check_walks(case, entry.complete, &mut *agent, &at_once);
        }
        // Cell by cell, by an agent that is told of each.
        let mut agent = ROSTER.agent_with(&spec(entry), Some(&database)).unwrap();
        let mut database = database;
        for &cell in &dug {
            space.set(cell, true);
            let Some(next) = repaired(&space, &database, &[cell]) else { return };
            database = next;
            // One that has no use for it goes on as it is.
            let _ = agent.use_database(&database);
        }
        check_walks(case, entry.complete, &mut *agent, &space);
    });
}

/// A crowd that is saved and loaded: what is loaded goes on.
fn reloaded(case: &str, crowd: &Crowd) -> Crowd {
    let saved = crowd.save();
    let loaded = Crowd::load_with(&saved, &ROSTER).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert_eq!(loaded.save(), saved, "{case}");
    loaded
}

fn check_crowd(entry: &surefoot::agent::Entry, size: u32, rule: MoveRule, (map, grid): (&str, Grid)) {
    let case = format!("{} of size {size} on {map}, {rule:?}", entry.name);
    let mut crowd = Crowd::new(grid);
    let mut kind = Kind::new(rule, CostModel::Sqrt2);
    (kind.size, kind.algorithm) = (size, ROSTER.algorithm(&spec(entry)).unwrap());
    let kind = crowd.add_kind(kind).unwrap_or_else(|error| panic!("{case}: {error}"));
    let mut crowd = reloaded(&case, &crowd);
    // All of it is dug, filled in again, and dug once more, in two parts.
    let dug: Vec<Cell> = gallery().collect();
    let (some, rest) = dug.split_at(dug.len() / 2);
    for (cells, free) in [(&dug[..], true), (&dug[..], false), (some, true), (rest, true)] {
        crowd.set_cells(cells.iter().map(|&cell| (cell, free))).unwrap();
        crowd.frame(FrameBudget::Work(1000));
        crowd = reloaded(&case, &crowd);
    }
    let mut add = |goal| {
        crowd.add(kind, START, goal, Priority::Normal).unwrap_or_else(|error| panic!("{case}: {error}"))
    };
    let (walks, cannot) = (add(END), add(CHAMBER));
    for frame in 0..3000 {
        crowd.frame(FrameBudget::Everyone);
        if frame == 3 {
            crowd = reloaded(&case, &crowd);
        }
        if crowd.status(walks) != Ok(UnitStatus::Walking) {
            break;
        }
    }
    let status = crowd.status(walks).unwrap();
    assert!(
        status == UnitStatus::Arrived || !entry.complete && status == UnitStatus::Stuck,
        "{case}: {status:?}"
    );
    assert_eq!(crowd.status(cannot), Ok(UnitStatus::Unreachable), "{case}");
}

#[test]
fn crowds_that_begin_in_rock_walk_where_ways_were_dug() {
    for map in maps_without_moves() {
        for rule in MoveRule::ALL {
            for size in [1, 2] {
                for entry in ROSTER.entries() {
                    check_crowd(entry, size, rule, map.clone());
                }
            }
        }
    }
}

/// A kind that is too large for any place of the map has none to walk over, until there is room.
#[test]
fn kinds_that_fit_nowhere_walk_once_there_is_room() {
    let narrow = Grid::from_fn(SIDE, SIDE, |cell| cell.y == 0 || cell.x == SIDE - 1).unwrap();
    for rule in MoveRule::ALL {
        for entry in ROSTER.entries() {
            check_crowd(entry, 2, rule, ("a narrow way", narrow.clone()));
        }
    }
}
