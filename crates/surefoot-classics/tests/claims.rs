//! No file makes the library take memory far beyond its size, whatever numbers it claims: databases, parts,
//! saved agents, saved crowds, tapes. Counted by the allocator, so in a file, and so in a process, of its own.
#![allow(clippy::unwrap_used)] // the functions below are part of the test

use std::alloc::System;
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority};
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{Cell, CostModel, GridSpace, Limits, MoveRule};
use surefoot::store::Database;
use surefoot::store::codec::{Envelope, open, seal};
use surefoot::store::part::Part;
use surefoot::tape::Tape;
use surefoot_classics::ROSTER;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn space() -> GridSpace {
    let grid = grid_from_art(include_str!("../testdata/map.txt")).unwrap();
    GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
}

/// All that was asked of the allocator meanwhile, given back or not.
fn bytes_asked(act: impl FnOnce()) -> u64 {
    let region = Region::new(ALLOCATOR);
    act();
    let change = region.change();
    change.bytes_allocated as u64 + change.bytes_reallocated.max(0) as u64
}

/// Numbers that are larger than anything that a file of some bytes can hold, as files have them.
const CLAIMS: [&[u8]; 6] = [
    &[0xff, 0xff, 0x7f],
    &[0xff, 0xff, 0xff, 0xff, 0x03],
    &[0xff, 0xff, 0xff, 0xff, 0x0f],
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    &[0xff, 0xff, 0xff, 0x3f],
    &[0xff, 0xff, 0xff, 0xff],
];

/// Puts claims in each place of a body, in the place of a byte and of as many bytes as it has, and reads
/// what comes of it. The most that was asked for beyond what the untouched file takes, and how many files
/// that were.
fn try_claims(body: &[u8], read: impl Fn(&[u8])) -> (u64, u64) {
    let usual = bytes_asked(|| read(body));
    let (mut most, mut files) = (0, 0);
    for place in 0..body.len() {
        for (number, claim) in CLAIMS.into_iter().enumerate() {
            // Of long bodies each place gets some of them.
            if body.len() > 1500 && (place + number) % 3 > 0 {
                continue;
            }
            for taken in [1, claim.len()] {
                let end = (place + taken).min(body.len());
                let claimed = [&body[..place], claim, &body[end..]].concat();
                most = most.max(bytes_asked(|| read(&claimed)).saturating_sub(usual));
                files += 1;
            }
        }
    }
    (most, files)
}

/// What a file may take beyond what it takes as it is: tables of the map at hand, and what a few bytes of it
/// stand for.
fn allowed(body: &[u8]) -> u64 {
    64 * 1024 + 64 * body.len() as u64
}

const DATABASE: Envelope = Envelope { name: "", label: *b"sfdb\r\n\x1a\n", oldest: 1, version: 1 };
const AGENT: Envelope = Envelope { name: "", label: *b"sfagent\n", oldest: 1, version: 2 };
const CROWD: Envelope = Envelope { name: "", label: *b"sfcrowd\n", oldest: 6, version: 6 };
const TAPE: Envelope = Envelope { name: "", label: *b"sftape\r\n", oldest: 1, version: 1 };
const PART: Envelope = Envelope { name: "", label: *b"sfpart\r\n", oldest: 1, version: 1 };

/// A crowd of two kinds that has walked a little.
fn crowd(space: &GridSpace) -> Crowd {
    let mut crowd = Crowd::new(space.grid().clone());
    for spec in ["beacon*", "lrta*(d=2)", "tba*(slice=5)"] {
        let mut kind = Kind::new(MoveRule::Squeeze, CostModel::Diagonal14);
        kind.algorithm = ROSTER.algorithm(&spec.parse().unwrap()).unwrap();
        let kind = crowd.add_kind(kind).unwrap();
        for number in 0..3 {
            crowd.add(kind, Cell::new(number, 0), Cell::new(14, 9), Priority::Normal).unwrap();
        }
    }
    for _ in 0..5 {
        crowd.frame(FrameBudget::Everyone);
    }
    crowd
}

/// One test: others would be counted, too.
#[test]
fn claims_take_no_memory() {
    let space = space();
    let mut all = 0;
    let mut hold = |what: &str, body: &[u8], read: &dyn Fn(&[u8])| {
        let (most, files) = try_claims(body, read);
        println!("{what}: {files} files, at most {most} bytes more; the body has {}", body.len());
        assert!(most <= allowed(body), "{what}: {most} bytes for a body of {}", body.len());
        all += files;
    };
    let mut databases: Vec<(String, Arc<dyn Database>)> = Vec::new();
    for entry in ROSTER.entries() {
        let spec = entry.quick_spec(64);
        let database = ROSTER.build_database(&spec.parse().unwrap(), &space, 1).unwrap();
        let is_new =
            |new: &Arc<dyn Database>| !databases.iter().any(|(_, known)| known.config() == new.config());
        databases.extend(database.filter(is_new).map(|database| (spec, database)));
    }
    for (spec, database) in &databases {
        let bytes = database.to_bytes().into_owned();
        let body = open(&DATABASE, &bytes).unwrap();
        hold(&format!("database of {spec}"), body, &|body| {
            let bytes = seal(&DATABASE, body);
            let _ = ROSTER.inspect(&bytes);
            let _ = ROSTER.open(&space, bytes);
        });
    }
    for entry in ROSTER.entries() {
        let spec = entry.quick_spec(64);
        let parsed = spec.parse().unwrap();
        let database = ROSTER.build_database(&parsed, &space, 1).unwrap();
        let mut agent = ROSTER.agent_with(&parsed, database.as_ref()).unwrap();
        agent
            .begin(
                &space,
                space.state_at(Cell::new(17, 2)).unwrap(),
                space.state_at(Cell::new(0, 0)).unwrap(),
            )
            .unwrap();
        for _ in 0..5 {
            agent.step(&space, &mut Meter::new());
        }
        let bytes = ROSTER.algorithm(&parsed).unwrap().save(&space, &*agent);
        hold(&format!("agent of {spec}"), open(&AGENT, &bytes).unwrap(), &|body| {
            let _ = ROSTER.restore(&space, &seal(&AGENT, body), database.as_ref());
        });
    }
    let bytes = crowd(&space).save();
    hold("crowd", open(&CROWD, &bytes).unwrap(), &|body| {
        let _ = Crowd::load_with(&seal(&CROWD, body), &ROSTER);
    });
    let bytes = std::fs::read("testdata/walk-v1.tape").unwrap();
    hold("tape", open(&TAPE, &bytes).unwrap(), &|body| {
        let _ = Tape::from_bytes(&seal(&TAPE, body));
    });
    let bytes = std::fs::read("testdata/subgoals-part-v1-1.part").unwrap();
    let (head, blocks) = surefoot::store::codec::open_first(&PART, &bytes).unwrap();
    hold("part", head, &|head| {
        let _ = Part::from_bytes(&[&seal(&PART, head), blocks].concat(), ROSTER.kinds());
    });
    println!("{all} files in all");
    kinds_of_a_saved_crowd_are_limited();
}

/// One map stands for all kinds of a saved crowd, and each takes memory for it.
fn kinds_of_a_saved_crowd_are_limited() {
    let space = space();
    let bytes = crowd(&space).save();
    let load = |cells, bytes_of_kinds| {
        Crowd::load_within(&bytes, &ROSTER, &Limits { cells, bytes: bytes_of_kinds }).map(drop)
    };
    let cells = space.grid().cell_count() as u64;
    assert!(load(cells, 3 * cells).is_ok());
    let message = load(cells, 3 * cells - 1).unwrap_err().to_string();
    assert!(message.contains("these kinds have more cells than are allowed"), "{message}");
    let message = load(cells - 1, 3 * cells).unwrap_err().to_string();
    assert!(message.contains("this map has more cells than are allowed"), "{message}");
}
