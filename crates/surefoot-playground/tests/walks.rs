//! Walks of the page's module are those of the library, step by step, for every entry of the roster.

#![allow(clippy::unwrap_used)] // the helpers below are part of the tests

use std::ops::ControlFlow;

use surefoot::Cell;
use surefoot::agent::Step;
use surefoot::search::Meter;
use surefoot::space::{CostModel, GridSpace, MoveRule, State, StateSpace as _};
use surefoot::tape::{End, Replay};
use surefoot_classics::ROSTER;
use surefoot_playground::maps::generate;
use surefoot_playground::recording::NO_CELL;
use surefoot_playground::walk::Walk;
use surefoot_playground::world::World;

const SEED: u64 = 1;
const MOST_MOVES: u64 = 20_000;

/// A map that is generated, and two cells of one component that are far from each other.
fn problem(kind: &str, side: u32, rule: &str, costs: &str) -> (World, Cell, Cell) {
    let cells = generate(kind, side, side, 3).unwrap();
    let world = World::new(&cells, side, side, rule, costs).unwrap();
    let space = world.space();
    let component = space.components().largest().unwrap();
    let inside: Vec<Cell> =
        space.grid().free_cells().filter(|&cell| space.components().of(cell) == Some(component)).collect();
    let (start, goal) = (inside[0], inside[inside.len() - 1]);
    (world, start, goal)
}

/// Where an agent of the library stands after each step, what each step was charged, and how it ended.
struct Plain {
    places: Vec<State>,
    work: Vec<u64>,
    cost: u64,
    end: End,
    bound: Option<u64>,
}

fn plain_walk(spec: &str, space: &GridSpace, start: Cell, goal: Cell) -> Plain {
    let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), space, SEED).unwrap();
    let (start, goal) = space.locate_ends(start, goal).unwrap();
    agent.begin(space, start, goal).unwrap();
    let mut plain = Plain {
        places: vec![start],
        work: Vec::new(),
        cost: 0,
        end: End::GivenUp,
        bound: agent.bound().map(|bound| bound.total()),
    };
    let mut moves = 0;
    while moves < MOST_MOVES || agent.position() == goal {
        let mut meter = Meter::new();
        let before = agent.position();
        let step = agent.step(space, &mut meter);
        plain.end = match step {
            Step::Arrived => End::Arrived,
            Step::Unreachable => End::Unreachable,
            Step::Stuck => End::Stuck,
            _ => End::GivenUp,
        };
        if !step.is_over() || meter.spent().total() > 0 {
            plain.places.push(agent.position());
            plain.work.push(meter.spent().total());
        }
        if step.is_over() {
            break;
        }
        if let Step::Moved(to) = step {
            space.for_each_successor(before, |next, cost| plain.cost += if next == to { cost } else { 0 });
            moves += 1;
        }
    }
    plain
}

fn check_lists(walk: &Walk, spec: &str) {
    let (steps, recording) = (walk.work.len(), &walk.recording);
    assert_eq!(recording.places.len(), steps + 1, "{spec}");
    assert_eq!((recording.expansions.len(), recording.subgoals.len()), (steps, steps), "{spec}");
    for list in [&recording.expanded, &recording.raised] {
        assert_eq!(list.starts.len(), steps + 1, "{spec}");
        assert!(list.starts.is_sorted() && list.starts[0] == 0, "{spec}");
        assert_eq!(list.starts[steps] as usize, list.things.len(), "{spec}");
    }
    assert_eq!(recording.rises.len(), recording.raised.things.len(), "{spec}");
    assert!(recording.rises.iter().all(|rise| rise.is_finite() && *rise >= 0.0), "{spec}");
}

#[test]
fn every_entry_walks_as_it_does_in_the_library() {
    for (kind, side, rule, costs) in [("rooms", 40, "no-cut", "sqrt2"), ("caves", 36, "one-free", "1.4")] {
        let (mut world, start, goal) = problem(kind, side, rule, costs);
        let space = world.space().clone();
        let (mut subgoals, mut raises, mut waits) = (0, 0, 0);
        for entry in ROSTER.entries() {
            let spec = entry.quick_spec(space.grid().free_count() as usize);
            let plain = plain_walk(&spec, &space, start, goal);
            // The second walk is of an agent that was kept.
            let walks = [0, 1].map(|_| world.walk(&spec, start, goal, MOST_MOVES).unwrap());
            assert_eq!(walks[0], walks[1], "{spec}");
            let walk = &walks[0];
            assert_eq!(walk.recording.places, plain.places, "{spec}");
            let work: Vec<u64> = walk.work.iter().map(|&work| u64::from(work)).collect();
            assert_eq!(work, plain.work, "{spec}");
            assert_eq!(walk.cost, space.path_cost(plain.cost).to_f64(), "{spec}");
            assert_eq!((walk.end, walk.bound), (Some(plain.end), plain.bound), "{spec}");
            if let Some(bound) = walk.bound {
                assert!(walk.work.iter().all(|&work| u64::from(work) <= bound), "{spec}");
            }
            assert!(!walk.tape.is_truncated(), "{spec}");
            check_lists(walk, &spec);
            let changes = plain.places.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(walk.moves, changes as u64, "{spec}");
            assert_eq!(
                walk.database.is_some(),
                world.build(&spec, SEED, &mut |_| ControlFlow::Continue(())).unwrap().is_some()
            );

            let optimum = world.optimum(start, goal).unwrap().unwrap();
            if walk.end == Some(End::Arrived) {
                assert!(walk.cost >= optimum - 1e-9, "{spec}");
                assert!(!entry.optimal || (walk.cost - optimum).abs() < 1e-9, "{spec}");
            }
            assert!(!entry.complete || walk.end == Some(End::Arrived), "{spec}: {:?}", walk.end);

            // Its tape is the same walk; of the work it knows the expansions.
            let replayed = world.replay(&walk.tape.to_bytes()).unwrap();
            check_lists(&replayed, &spec);
            assert_eq!(replayed.recording, walk.recording, "{spec}");
            assert_eq!(
                (replayed.cost, replayed.moves, replayed.end),
                (walk.cost, walk.moves, walk.end),
                "{spec}"
            );
            assert_eq!(replayed.work, walk.recording.expansions, "{spec}");
            assert_eq!(replayed.spec, walk.spec);
            against_replay(walk);

            subgoals += walk.recording.subgoals.iter().filter(|&&cell| cell != NO_CELL).count();
            raises += walk.recording.raised.things.len();
            waits += walk.work.len() - changes;
        }
        assert!(subgoals > 0 && raises > 0 && waits > 0, "{kind}: {subgoals} {raises} {waits}");
    }
}

/// The lists say what the library's replay says.
fn against_replay(walk: &Walk) {
    let mut replay = Replay::new(&walk.tape);
    let recording = &walk.recording;
    for step in 0..walk.work.len() {
        assert!(replay.advance(), "{}", walk.spec);
        let of = |starts: &[u32]| starts[step] as usize..starts[step + 1] as usize;
        let expanded = &recording.expanded.things[of(&recording.expanded.starts)];
        assert!(replay.expanded().iter().map(|state| state.0).eq(expanded.iter().copied()));
        let raised = &recording.raised.things[of(&recording.raised.starts)];
        assert!(replay.raised_now().iter().map(|state| state.0).eq(raised.iter().copied()));
        assert_eq!(replay.position(), recording.places[step + 1]);
        assert_eq!(replay.subgoal().map_or(NO_CELL, |state| state.0), recording.subgoals[step]);
        assert_eq!(replay.expansions(), u64::from(recording.expansions[step]));
    }
    assert!(!replay.advance(), "{}", walk.spec);
}

#[test]
fn what_is_raised_is_measured_from_the_estimate() {
    // A dead end: values rise by some moves, and never above what the way out takes.
    let art = "......\n.###..\n.#..#.\n...##.";
    let rows: Vec<&str> = art.lines().collect();
    let cells: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
    let mut world = World::new(&cells, 6, 4, "no-cut", "sqrt2").unwrap();
    let walk = world.walk("lrta*(d=1)", Cell::new(2, 2), Cell::new(5, 3), 1000).unwrap();
    assert_eq!(walk.end_name(), "arrived");
    let highest = walk.recording.rises.iter().copied().fold(0.0, f32::max);
    assert!((0.5..20.0).contains(&highest), "{highest}");
}

#[test]
fn a_walk_is_given_up_after_so_many_moves() {
    let (mut world, start, goal) = problem("maze", 31, "no-cut", "sqrt2");
    for most in [1, 2, 5] {
        let walk = world.walk("lrta*(d=1)", start, goal, most).unwrap();
        assert_eq!((walk.moves, walk.end_name()), (most, "given up"));
        assert_eq!(walk.recording.places.len() as u64, most + 1);
    }
    let stays = world.walk("lrta*(d=1)", start, start, 1).unwrap();
    assert_eq!((stays.moves, stays.cost, stays.end_name()), (0, 0.0, "arrived"));
    assert_eq!(stays.recording.expanded.starts, [0]);
}

#[test]
fn a_tape_that_is_full_leaves_the_walk_whole() {
    let (world, start, goal) = problem("rooms", 40, "no-cut", "sqrt2");
    let space = world.space();
    let ends = space.locate_ends(start, goal).unwrap();
    let whole = {
        let mut agent = ROSTER.agent(&"lrta*(d=3)".parse().unwrap()).unwrap();
        Walk::new(space, &mut *agent, "lrta*(d=3)", ends, MOST_MOVES, 1 << 23).unwrap()
    };
    assert!(!whole.tape.is_truncated());
    for limit in [0, 1, 100, 1000] {
        let mut agent = ROSTER.agent(&"lrta*(d=3)".parse().unwrap()).unwrap();
        let cut = Walk::new(space, &mut *agent, "lrta*(d=3)", ends, MOST_MOVES, limit).unwrap();
        assert!(cut.tape.is_truncated());
        check_lists(&cut, "cut");
        assert_eq!(cut.recording.places, whole.recording.places);
        assert_eq!((cut.cost, &cut.work, cut.end), (whole.cost, &whole.work, whole.end));
        let known = cut.recording.expanded.things.len();
        assert_eq!(cut.recording.expanded.things[..], whole.recording.expanded.things[..known]);
        let replayed = world.replay(&cut.tape.to_bytes()).unwrap();
        assert_eq!((replayed.end_name(), replayed.tape.is_truncated()), ("unknown", true));
        check_lists(&replayed, "replayed");
    }
}

#[test]
fn no_way_is_an_answer() {
    let mut world = World::new(&[1, 0, 1], 3, 1, "no-cut", "sqrt2").unwrap();
    let (start, goal) = (Cell::new(0, 0), Cell::new(2, 0));
    assert_eq!(world.optimum(start, goal), Ok(None));
    for spec in ["beacon*", "a*", "lrta*", "knn-lrta*(n=5)"] {
        let walk = world.walk(spec, start, goal, 100).unwrap();
        assert_eq!((walk.end_name(), walk.moves), ("unreachable", 0), "{spec}");
    }
    assert_eq!(world.space().rule(), MoveRule::NoCut);
    assert_eq!(world.space().costs(), CostModel::Sqrt2);
}
