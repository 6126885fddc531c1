//! Everything that a crowd can do, at once and for long: groups, speeds, weights, links, walls, kinds that are built while the game runs, units that come and go.
//!
//! The long form is an hour of play at ten frames a second: `cargo test --release -p surefoot-lab --test hour -- --ignored --nocapture`. A day of it is a campaign: `cargo xtask campaign day`.

#![allow(clippy::unwrap_used)]

use surefoot_lab::full_play::{FullPlay, Rules, Tally};

/// What came of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outcome {
    checksums: Vec<u64>,
    tally: Tally,
    /// The most bytes that units shared and that were written down of edits, in each half.
    most_bytes: [u64; 2],
    /// The most states that all units together held, in each half of the game.
    most_states: [u64; 2],
}

/// How a game is run: threads and saving must make no difference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    OneThread,
    TwoThreads,
    /// It is saved and loaded every so many frames.
    Loaded(u64),
}

fn play(rules: Rules, frames: u64, run: Run) -> Outcome {
    let mut game = FullPlay::new(rules, run == Run::TwoThreads).unwrap();
    let mut outcome = Outcome::default();
    for frame in 0..frames {
        if let Run::Loaded(every) = run
            && frame % every == every - 1
        {
            let bytes = game.save();
            game = FullPlay::open(&bytes).unwrap();
            assert!(game.save() == bytes && game.frames() == frame);
        }
        game.frame().unwrap();
        if frame % 3_600 == 3_599 {
            eprintln!("{} of {frames} frames", frame + 1);
        }
        if frame % 100 == 99 {
            outcome.checksums.push(game.crowd().checksum());
            let (memory, half) = (game.crowd().memory(), (2 * frame / frames) as usize);
            let bytes = memory.shared_bytes + memory.log_bytes;
            outcome.most_bytes[half] = outcome.most_bytes[half].max(bytes);
            outcome.most_states[half] = outcome.most_states[half].max(memory.states);
        }
    }
    outcome.tally = game.tally();
    outcome
}

fn check(frames: u64, outcome: &Outcome) {
    let [first, second] = outcome.most_bytes;
    assert!(second <= first + first / 4, "memory grows: {outcome:?}");
    let [first, second] = outcome.most_states;
    assert!(second <= 2 * first + 100_000, "memory grows: {outcome:?}");
    let Tally { moves, arrived, settled, over_links, built, pushed_out, left, returned, .. } = outcome.tally;
    assert!(moves > frames * 10, "{outcome:?}");
    assert!(arrived > 0 && settled > 0 && over_links > 0 && pushed_out > 0, "{outcome:?}");
    assert!(built == 3 && left > 0 && returned > 0, "{outcome:?}");
}

#[test]
fn a_minute_of_everything_leaves_nothing_amiss() {
    for are_units_obstacles in [false, true] {
        let rules = Rules {
            side: 80,
            units: 120,
            budget: 100_000,
            are_units_obstacles,
            season: 40,
            wall_every: 1,
            seed: 11,
        };
        let outcome = play(rules, 400, Run::OneThread);
        check(400, &outcome);
        assert_eq!(play(rules, 400, Run::TwoThreads), outcome, "threads make no difference");
        assert_eq!(play(rules, 400, Run::Loaded(37)).checksums, outcome.checksums, "nor does saving");
    }
}

#[test]
fn what_is_no_saved_game_is_refused() {
    let rules = Rules {
        side: 30,
        units: 10,
        budget: 9_000,
        are_units_obstacles: false,
        season: 10,
        wall_every: 1,
        seed: 3,
    };
    let mut game = FullPlay::new(rules, false).unwrap();
    (0..20).for_each(|_| game.frame().unwrap());
    let bytes = game.save();
    assert!(FullPlay::open(&bytes).is_ok());
    for length in [0, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(FullPlay::open(&bytes[..length]).is_err(), "{length}");
    }
    let mut other = bytes;
    other[7] ^= 1;
    let refusal = FullPlay::open(&other).err().unwrap().to_string();
    assert!(refusal.contains("it begins with something else"), "{refusal}");
}

/// Plays the long form on one thread and on two.
fn play_an_hour(are_units_obstacles: bool) {
    let rules = Rules {
        side: 512,
        units: 1_000,
        budget: 250_000,
        are_units_obstacles,
        season: 100,
        wall_every: 1,
        seed: 11,
    };
    let begin = std::time::Instant::now();
    let outcome = play(rules, 36_000, Run::OneThread);
    println!("{:?} in {:?}", Outcome { checksums: Vec::new(), ..outcome.clone() }, begin.elapsed());
    check(36_000, &outcome);
    assert_eq!(play(rules, 36_000, Run::TwoThreads), outcome, "threads make no difference");
}

#[test]
#[ignore = "two hours of play take a quarter of an hour"]
fn an_hour_of_everything_leaves_nothing_amiss() {
    play_an_hour(false);
}

#[test]
#[ignore = "two hours of play take a quarter of an hour"]
fn an_hour_among_obstacles_leaves_nothing_amiss() {
    play_an_hour(true);
}
