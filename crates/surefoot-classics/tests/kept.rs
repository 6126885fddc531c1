//! Files that were kept: saved agents and crowds, tapes, and parts of databases. They stay readable, and
//! what is read goes on as it did when it was written.
#![allow(clippy::unwrap_used)] // the functions below are part of the tests

use std::fmt::Write as _;
use std::sync::Arc;

use surefoot::agent::{Agent, Step};
use surefoot::crowd::{Crowd, CrowdConfig, FrameBudget, Kind, Priority, Speed};
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{
    Cell, CellWeights, CostModel, Grid, GridSpace, Link, MoveRule, State, StateSpace as _,
};
use surefoot::store::Database;
use surefoot::store::part::Part;
use surefoot::tape::{Header, Replay, Tape};
use surefoot_classics::ROSTER;

const AGENTS: &str = "testdata/agents-v2.txt";
const CROWD: &str = "testdata/crowd-v6.sav";
const CROWD_LATER: &str = "testdata/crowd-v6.txt";
const TAPE: &str = "testdata/walk-v1.tape";
const SUBGOAL_PARTS: [&str; 2] = ["testdata/subgoals-part-v1-1.part", "testdata/subgoals-part-v1-2.part"];
const PATTERN_PART: &str = "testdata/patterns-part-v2.part";

fn grid() -> Grid {
    grid_from_art(include_str!("../testdata/map.txt")).unwrap()
}

fn space() -> GridSpace {
    GridSpace::new(grid(), MoveRule::Squeeze, CostModel::Diagonal14)
}

fn ends(space: &GridSpace) -> (State, State) {
    let state = |x, y| space.state_at(Cell::new(x, y)).unwrap();
    (state(17, 2), state(0, 0))
}

/// The database that an agent goes by. It is built anew: its bytes are for other tests.
fn database(spec: &str, space: &GridSpace) -> Option<Arc<dyn Database>> {
    ROSTER.build_database(&spec.parse().unwrap(), space, 1).unwrap()
}

/// Walks on, and tells how that went.
fn walk_on(agent: &mut dyn Agent, space: &GridSpace) -> String {
    let (mut moves, mut waits, mut cost) = (0, 0, 0);
    let mut at = agent.position();
    loop {
        let mut meter = Meter::new();
        match agent.step(space, &mut meter) {
            Step::Moved(next) => {
                space.for_each_successor(at, |state, step| cost += if state == next { step } else { 0 });
                (moves, at) = (moves + 1, next);
            }
            Step::Waiting => waits += 1,
            last => return format!("{last:?} after {moves} moves, {waits} waits, cost {cost}"),
        }
        assert!(moves + waits < 100_000, "walks for ever");
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn bytes_of(text: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digits).collect()
}

#[test]
fn kept_agents_go_on_as_ever() {
    let space = space();
    let text = std::fs::read_to_string(AGENTS).unwrap();
    let mut known = Vec::new();
    for line in text.lines() {
        let [spec, later, bytes] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let database = database(spec, &space);
        let bytes = bytes_of(bytes);
        let (algorithm, mut agent) = ROSTER.restore(&space, &bytes, database.as_ref()).unwrap();
        assert!(
            algorithm.save(&space, &*agent) == bytes,
            "{spec} is saved in another way: raise the version"
        );
        assert_eq!(walk_on(&mut *agent, &space), later, "{spec}");
        known.extend(algorithm.entry().map(|entry| entry.name));
    }
    for entry in ROSTER.entries() {
        assert!(known.contains(&entry.name), "{} is not kept: write the kept files anew", entry.name);
    }
}

/// Units by several algorithms, with weights, links, groups, speeds, pursuit and edits.
fn crowd() -> Crowd {
    let mut config = CrowdConfig::default();
    config.are_units_obstacles = true;
    let mut crowd = Crowd::with_config(grid(), config);
    let cell = |x, y| Cell::new(x, y);
    let mut weighted = Kind::new(MoveRule::NoCut, CostModel::Diagonal14);
    weighted.weights = Some(CellWeights::from_fn(20, 10, |cell| 1 + (cell.x + cell.y) as u8 % 5).unwrap());
    let of = |spec: &str| {
        let mut kind = Kind::new(MoveRule::Squeeze, CostModel::Sqrt2);
        kind.algorithm = ROSTER.algorithm(&spec.parse().unwrap()).unwrap();
        kind
    };
    let linked = {
        let mut kind = of("beacon*");
        kind.links.push(Link::new(cell(0, 0), cell(19, 9)).costing(3));
        kind
    };
    let kinds = [linked, weighted, of("lrta*(d=2)"), of("tba*(slice=5)"), of("knn-lrta*(n=20)")];
    let kinds = kinds.map(|kind| crowd.add_kind(kind).unwrap());
    let free: Vec<Cell> =
        (0..200).map(|at| cell(at % 20, at / 20)).filter(|at| grid().is_free(*at)).collect();
    let mut units = Vec::new();
    for number in 0..24 {
        let (start, goal) = (free[number * 4 % free.len()], free[(number * 37 + 50) % free.len()]);
        let kind = kinds[number % kinds.len()];
        units.extend(crowd.add(kind, start, goal, Priority::ALL[number % 3]));
    }
    crowd.send(units[..6].iter().copied(), cell(10, 4)).unwrap();
    crowd.pursue(units[7], units[8]).unwrap();
    crowd.set_speed(units[9], Speed::new(1, 3)).unwrap();
    for number in 0..30 {
        if number % 7 == 3 {
            let _ = crowd.set_cell(free[number * 11 % free.len()], number % 2 == 0);
        }
        crowd.frame(FrameBudget::Work(300));
    }
    crowd
}

/// What a crowd looks like every tenth frame from now on.
fn later(crowd: &mut Crowd) -> String {
    let mut text = String::new();
    for frame in 0..100 {
        if frame % 10 == 0 {
            writeln!(text, "{:016x}", crowd.checksum()).unwrap();
        }
        crowd.frame(FrameBudget::Work(300));
    }
    text
}

#[test]
fn the_kept_crowd_goes_on_as_ever() {
    let bytes = std::fs::read(CROWD).unwrap();
    let mut crowd = Crowd::load_with(&bytes, &ROSTER).unwrap();
    assert!(crowd.save() == bytes, "it is saved in another way: raise the version");
    assert_eq!(later(&mut crowd), std::fs::read_to_string(CROWD_LATER).unwrap());
    // Older ones are refused, and it is said what to do.
    let mut older = bytes.clone();
    older[8] = 5;
    let message = Crowd::load_with(&older, &ROSTER).unwrap_err().to_string();
    assert!(message.contains("has version 5, and this program reads 6 to 6"), "{message}");
}

fn tape() -> Tape {
    let space = space();
    let (start, goal) = ends(&space);
    let spec = "lrta*(d=2)";
    let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
    agent.begin(&space, start, goal).unwrap();
    let mut meter = Meter::new();
    meter.record_on(Tape::new(Header::of_grid(&space, start, goal, spec)));
    loop {
        let step = agent.step(&space, &mut meter);
        step.note(&mut meter);
        meter.renew();
        if !matches!(step, Step::Moved(_) | Step::Waiting) {
            return meter.take_tape().unwrap();
        }
    }
}

#[test]
fn the_kept_tape_is_replayed_as_ever() {
    let kept = Tape::from_bytes(&std::fs::read(TAPE).unwrap()).unwrap();
    assert_eq!(kept, tape());
    let mut replay = Replay::new(&kept);
    while replay.advance() {}
    assert_eq!(replay.position(), ends(&space()).1);
    assert!(replay.moves() > 20);
}

/// A shard of what is built for a spec.
fn part(spec: &str, shard: (u32, u32)) -> Part {
    let space = space();
    let config = ROSTER.algorithm(&spec.parse().unwrap()).unwrap().database_config(5).unwrap();
    let builder = config.blocks(&space).unwrap().unwrap();
    let mut part = Part::new(&space, &*builder, shard);
    for block in part.head.blocks().collect::<Vec<_>>() {
        part.blocks.insert(block, builder.make(block, &mut *builder.scratch()));
    }
    part
}

/// What parts are made of: their file, spec and shard.
fn parts() -> [(&'static str, &'static str, (u32, u32)); 3] {
    let subgoals = "knn-lrta*(n=100)";
    [
        (SUBGOAL_PARTS[0], subgoals, (1, 2)),
        (SUBGOAL_PARTS[1], subgoals, (2, 2)),
        (PATTERN_PART, "d-lrta*(level=2)", (1, 1)),
    ]
}

#[test]
fn kept_parts_are_put_together_as_ever() {
    for (file, spec, shard) in parts() {
        let bytes = std::fs::read(file).unwrap();
        let kept = Part::from_bytes(&bytes, ROSTER.kinds()).unwrap();
        assert!(kept.length == bytes.len() && kept.head.shard == shard, "{file}");
        assert!(part(spec, shard).to_bytes() == bytes, "{file}: the bytes have changed: raise the version");
    }
    let read = |file: &str| Part::from_bytes(&std::fs::read(file).unwrap(), ROSTER.kinds()).unwrap();
    let merged = [
        Part::merge(None, SUBGOAL_PARTS.map(read).into()).unwrap(),
        Part::merge(Some(&space()), vec![read(PATTERN_PART)]).unwrap(),
    ];
    for (bytes, (_, spec, _)) in merged.into_iter().zip([parts()[0], parts()[2]]) {
        let config = ROSTER.algorithm(&spec.parse().unwrap()).unwrap().database_config(5).unwrap();
        assert!(config.build_quietly(&space()).unwrap().to_bytes()[..] == bytes[..], "{spec}");
    }
}

/// Writes the kept files; not part of the tests.
#[test]
#[ignore = "writes the files that the tests above read"]
fn write_the_kept_files() {
    let space = space();
    let (start, goal) = ends(&space);
    let mut text = String::new();
    for entry in ROSTER.entries() {
        let spec = entry.quick_spec(64);
        let database = database(&spec, &space);
        let parsed = spec.parse().unwrap();
        let mut agent = ROSTER.agent_with(&parsed, database.as_ref()).unwrap();
        agent.begin(&space, start, goal).unwrap();
        for _ in 0..7 {
            agent.step(&space, &mut Meter::new());
        }
        let bytes = ROSTER.algorithm(&parsed).unwrap().save(&space, &*agent);
        let later = walk_on(&mut *agent, &space);
        writeln!(text, "{spec}\t{later}\t{}", hexadecimal(&bytes)).unwrap();
    }
    std::fs::write(AGENTS, text).unwrap();
    let mut crowd = crowd();
    std::fs::write(CROWD, crowd.save()).unwrap();
    std::fs::write(CROWD_LATER, later(&mut crowd)).unwrap();
    std::fs::write(TAPE, tape().to_bytes()).unwrap();
    for (file, spec, shard) in parts() {
        std::fs::write(file, part(spec, shard).to_bytes()).unwrap();
    }
}
