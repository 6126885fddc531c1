//! Databases and parts of them: no bytes make a reader panic, and whatever is accepted can be gone by.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use surefoot::agents::{Agent, KnnLrtaStar, KnnSettings, Step};
use surefoot::database::{Abstraction, Part, SubgoalDatabase};
use surefoot::formats::grid_from_art;
use surefoot::search::Budget;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
use xxhash_rust::xxh3::xxh3_64;

fn world() -> &'static GridSpace {
    static WORLD: OnceLock<GridSpace> = OnceLock::new();
    WORLD.get_or_init(|| {
        let art = include_str!("../../crates/surefoot/testdata/subgoals-v1.txt");
        let grid = grid_from_art(art).expect("the map is one");
        GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
    })
}

/// An envelope whose checksum fits, which no fuzzer would ever guess.
fn seal(label: &[u8; 8], body: &[u8]) -> Vec<u8> {
    let mut bytes = label.to_vec();
    bytes.extend_from_slice(&1_u32.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(body);
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

fuzz_target!(|body: &[u8]| {
    let space = world();
    // A part: a head and blocks; the first two bytes say where one ends and the next begins.
    if let [length, rest @ ..] = body {
        let (head, block) = rest.split_at((*length as usize).min(rest.len()));
        let mut bytes = seal(b"sfpart\r\n", head);
        bytes.extend_from_slice(&seal(b"sfblock\n", block));
        if let Ok(part) = Part::from_bytes(&bytes) {
            assert!(part.length <= bytes.len());
            // A head may claim any number of blocks and shards.
            if part.head.config.records < 10_000 {
                let _ = Part::merge(vec![part]);
            }
        }
    }
    if let Ok(abstraction) = Abstraction::from_bytes(space, seal(b"sfdb\r\n\x1a\n", body)) {
        assert!(abstraction.verify(space).is_ok());
    }
    match SubgoalDatabase::from_bytes(space, seal(b"sfdb\r\n\x1a\n", body)) {
        Ok(database) => {
            for record in 0..database.len() as u32 {
                assert!(database.record(record).len() >= 2);
            }
            let mut agent = KnnLrtaStar::new(KnnSettings::default(), Arc::new(database));
            let (start, goal) = (space.state(Cell::new(10, 4)), space.state(Cell::new(14, 9)));
            agent.begin(space, start, goal).expect("both are states");
            for _ in 0..200 {
                let mut budget =
                    Agent::<GridSpace>::bound(&agent).map_or_else(Budget::unlimited, Budget::limited);
                let step = agent.step(space, &mut budget);
                assert!(!budget.is_overdrawn());
                if step == Step::Arrived {
                    break;
                }
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
