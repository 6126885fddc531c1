//! A crowd at play for long: walls come and go, targets move, and nothing is amiss.
//!
//! The long form is an hour of play at ten frames a second: `cargo test --release -p surefoot-lab --test soak -- --ignored --nocapture`.

#![allow(clippy::unwrap_used)]

use surefoot::crowd::{Crowd, CrowdConfig, FrameBudget, Kind, KindId, UnitId, UnitStatus};
use surefoot::search::JumpPoints;
use surefoot::space::{CostModel, MoveRule, State, StateSpace as _, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::play::{Game, Play};

/// What is played, and for how long.
#[derive(Clone, Copy)]
struct Soak {
    side: u32,
    frames: u32,
    game: Game,
    algorithm: &'static str,
    budget: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outcome {
    checksums: Vec<u64>,
    moves: u64,
    finished: u64,
    unreachable: u64,
    relieved: u64,
    longest_wait: u32,
    /// Units that were not there in ten times the moves of a cheapest walk, though there was a way all the time.
    late: u64,
    /// The most states that all units together held, in each half of the game.
    most_states: [u64; 2],
    /// The most bytes that they shared and that were written down of edits, in each half.
    most_bytes: [u64; 2],
    /// The most work that a frame's edits and the upkeep of databases took, and all of it.
    most_upkeep: u64,
    upkeep: u64,
}

/// When a unit that has a goal must be there.
#[derive(Clone, Copy)]
struct Deadline {
    goal: State,
    frames_left: u64,
}

fn soak(soak: Soak, is_parallel: bool) -> Outcome {
    let map = generate(MapKind::Game, soak.side, soak.side, 3).unwrap().grid(TerrainSet::GROUND);
    let mut config = CrowdConfig::default();
    config.is_parallel = is_parallel;
    let mut crowd = Crowd::with_config(map, config);
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = ROSTER.algorithm(&soak.algorithm.parse().unwrap()).unwrap();
    let kind = crowd.add_kind(kind).unwrap();
    let mut play = Play::new(crowd, kind, soak.game).unwrap();
    let mut planner = JumpPoints::new();
    let units = play.units().to_vec();
    let mut deadlines: Vec<Option<Deadline>> = vec![None; units.len()];
    let mut places: Vec<State> = units.iter().map(|&unit| place(&play.crowd, kind, unit)).collect();
    let mut outcome = Outcome::default();
    for frame in 0..soak.frames {
        play.frame(FrameBudget::Work(soak.budget)).unwrap();
        let (crowd, report) = (&play.crowd, play.crowd.report());
        let space = crowd.space(kind).unwrap();
        for made in &report.moves {
            // Nobody was removed: units are numbered as they were added.
            let place = &mut places[made.unit.slot() as usize];
            let [from, to] = [made.from, made.to].map(|cell| space.state_at(cell).unwrap());
            let mut is_move = false;
            space.for_each_successor(from, |state, _| is_move |= state == to);
            assert!(is_move && *place == from, "frame {frame}: {made:?}");
            *place = to;
        }
        assert_eq!(report.overdrawn, 0);
        // PRA* has no bound on a move, and so there is none on waiting where somebody waits.
        let is_in_time = report.wait_bound.is_none_or(|bound| u64::from(report.longest_wait) <= bound);
        assert!(is_in_time, "frame {frame}: {}", report.longest_wait);
        outcome.longest_wait = outcome.longest_wait.max(report.longest_wait);
        outcome.unreachable += report.unreachable.len() as u64;
        outcome.relieved += u64::from(report.relieved);
        outcome.most_upkeep = outcome.most_upkeep.max(report.upkeep);
        outcome.upkeep += report.upkeep;
        for (number, &unit) in units.iter().enumerate() {
            assert_eq!(place(crowd, kind, unit), places[number]);
            watch(crowd, kind, unit, &mut deadlines[number], &mut planner, &mut outcome.late);
        }
        if frame % 100 == 99 {
            outcome.checksums.push(crowd.checksum());
            let memory = crowd.memory();
            assert!(memory.most_learned <= CrowdConfig::default().most_learned, "{memory:?}");
            let half = usize::from(frame >= soak.frames / 2);
            let (states, bytes) = (&mut outcome.most_states[half], &mut outcome.most_bytes[half]);
            *states = memory.states.max(*states);
            *bytes = (memory.shared_bytes + memory.log_bytes).max(*bytes);
        }
    }
    (outcome.moves, outcome.finished) = (play.moves(), play.finished());
    outcome
}

fn place(crowd: &Crowd, kind: KindId, unit: UnitId) -> State {
    crowd.space(kind).unwrap().state_at(crowd.position(unit).unwrap()).unwrap()
}

/// Sees to it that a unit arrives in time. Pursuers have no time: their goals move.
fn watch(
    crowd: &Crowd,
    kind: KindId,
    unit: UnitId,
    deadline: &mut Option<Deadline>,
    planner: &mut JumpPoints,
    late: &mut u64,
) {
    let is_walking = crowd.status(unit) == Ok(UnitStatus::Walking) && crowd.target(unit) == Ok(None);
    if !is_walking {
        *deadline = None;
        return;
    }
    let space = crowd.space(kind).unwrap();
    let goal = space.state_at(crowd.goal(unit).unwrap()).unwrap();
    match deadline {
        Some(known) if known.goal == goal => {
            known.frames_left = known.frames_left.saturating_sub(1);
            if known.frames_left == 0 {
                *late += 1;
                *deadline = None;
            }
        }
        _ => {
            let start = place(crowd, kind, unit);
            let path = planner.find(space, start, goal).ok().and_then(|answer| answer.path);
            *deadline = path.map(|path| Deadline { goal, frames_left: 10 * path.moves() as u64 + 10 });
        }
    }
}

fn check(outcome: &Outcome) {
    let [first, second] = outcome.most_states;
    assert!(second <= 2 * first + 10_000, "memory grows: {outcome:?}");
    let [first, second] = outcome.most_bytes;
    assert!(second <= first + first / 5, "memory grows: {outcome:?}");
    assert_eq!(outcome.late, 0, "{outcome:?}");
    assert!(outcome.moves > 0 && outcome.finished > 0);
}

const SHORT: Soak = Soak {
    side: 96,
    frames: 600,
    game: Game { units: 100, pursuers: 5, edits: 1, most_walls: 100, sample: 0, seed: 1 },
    algorithm: "beacon*",
    budget: 100_000,
};

#[test]
fn a_minute_of_play_leaves_nothing_amiss() {
    for algorithm in ["beacon*", "pra*(k=8)"] {
        let short = Soak { algorithm, ..SHORT };
        let outcome = soak(short, false);
        check(&outcome);
        assert_eq!(soak(short, true), outcome, "{algorithm}: threads make no difference");
    }
}

#[test]
#[ignore = "an hour of play takes minutes"]
fn an_hour_of_play_leaves_nothing_amiss() {
    let long = Soak {
        side: 512,
        frames: 36_000,
        game: Game { units: 1_000, most_walls: 1_000, ..SHORT.game },
        budget: 1_000_000,
        ..SHORT
    };
    let begin = std::time::Instant::now();
    let outcome = soak(long, false);
    println!("{:?} in {:?}", Outcome { checksums: Vec::new(), ..outcome.clone() }, begin.elapsed());
    check(&outcome);
    assert_eq!(soak(long, true), outcome, "threads make no difference");
    assert_eq!(soak(long, false), outcome, "nor does another run");
}
