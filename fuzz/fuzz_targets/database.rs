//! Databases and parts of them: no bytes make a reader panic, and whatever is accepted can be gone by.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use surefoot::agents::{Agent, KnnLrtaStar, KnnSettings, Step, roster};
use surefoot::database::{
    Abstraction, BeaconDatabase, CoverDatabase, Database, Part, PartConfig, PatternDatabase, PatternScratch, SubgoalDatabase,
};
use surefoot::formats::grid_from_art;
use surefoot::search::Budget;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
use surefoot_fuzz::seal;

fn world() -> &'static GridSpace {
    static WORLD: OnceLock<GridSpace> = OnceLock::new();
    WORLD.get_or_init(|| {
        let art = include_str!("../../crates/surefoot/testdata/subgoals-v1.txt");
        let grid = grid_from_art(art).expect("the map is one");
        GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
    })
}

/// Walks a little way, with no more work than was promised.
fn walk(agent: &mut dyn Agent, space: &GridSpace) {
    let state = |x, y| space.state_at(Cell::new(x, y)).expect("inside the map");
    agent.begin(space, state(10, 4), state(14, 9)).expect("both are states");
    for _ in 0..200 {
        let mut budget = agent.bound().map_or_else(Budget::unlimited, Budget::limited);
        let step = agent.step(space, &mut budget);
        assert!(!budget.is_overdrawn());
        if step == Step::Arrived {
            break;
        }
    }
}

fn go_by_patterns(database: PatternDatabase, space: &GridSpace) {
    // What is checked on request may be wrong, but not end in a panic.
    let _ = database.verify_regions(space);
    let mut scratch = PatternScratch::default();
    for goal in (0..database.regions()).take(4) {
        let _ = database.verify_ways(space, (0..database.regions()).take(8), goal, &mut scratch);
    }
    let database = Database::Patterns(Arc::new(database));
    for spec in ["lrta*(f,pdb)", "lrta*(pdb,g)", "lrta*(pdb,pdb)"] {
        let spec = spec.parse().expect("this is a spec");
        if let Ok(mut agent) = roster::agent_with(&spec, Some(&database)) {
            walk(agent.as_mut(), space);
        }
    }
}

fn go_by_cover(cover: CoverDatabase, space: &GridSpace) {
    // The promises that are checked on request may be broken, but a trail always ends.
    let _ = cover.verify(space);
    for from in (0..cover.regions()).take(8) {
        for goal in (0..cover.regions()).take(8) {
            let mut trail = cover.trail(from, goal);
            while cover.next_stop(&mut trail).is_some() {}
        }
    }
    let cover = Database::Cover(Arc::new(cover));
    for spec in ["hcdps*", "dba*", "hcdps*(skip=2)"] {
        let spec = spec.parse().expect("this is a spec");
        if let Ok(mut agent) = roster::agent_with(&spec, Some(&cover)) {
            walk(agent.as_mut(), space);
        }
    }
}

fn go_by_beacons(beacons: BeaconDatabase, space: &GridSpace) {
    // Costs of hubs are not checked when a file is opened: an agent that goes astray by them falls back, and keeps its bound.
    let _ = beacons.verify(space);
    let beacons = Database::Beacons(Arc::new(beacons));
    let spec = "beacon*".parse().expect("this is a spec");
    if let Ok(mut agent) = roster::agent_with(&spec, Some(&beacons)) {
        walk(agent.as_mut(), space);
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
            let Ok(part) = Part::from_bytes(&bytes) else { continue };
            assert!(part.length <= bytes.len());
            // A head may claim any number of blocks and shards.
            match part.head.config {
                PartConfig::Subgoals(config) if config.records >= 10_000 => {}
                PartConfig::Subgoals(_) => drop(Part::merge(vec![part])),
                _ => drop(Part::merge_on(space, vec![part])),
            }
        }
    }
    let sealed = || seal(b"sfdb\r\n\x1a\n", 1, body);
    if let Ok(abstraction) = Abstraction::from_bytes(space, sealed()) {
        assert!(abstraction.verify(space).is_ok());
    }
    match BeaconDatabase::from_bytes(space, sealed()) {
        Ok(beacons) => go_by_beacons(beacons, space),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    match CoverDatabase::from_bytes(space, sealed()) {
        Ok(cover) => go_by_cover(cover, space),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    match PatternDatabase::from_bytes(space, sealed()) {
        Ok(database) => go_by_patterns(database, space),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    match SubgoalDatabase::from_bytes(space, sealed()) {
        Ok(database) => {
            for record in 0..database.len() as u32 {
                assert!(database.record(record).len() >= 2);
            }
            walk(&mut KnnLrtaStar::new(KnnSettings::default(), Arc::new(database)), space);
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
