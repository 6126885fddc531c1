//! Cases that every algorithm of the roster has to solve. Optimal algorithms must find a cheapest path, the others may take
//! longer, but no longer than the case allows; each agent is saved and restored on its way.

#![allow(clippy::unwrap_used)] // the walk below is part of the tests

mod cases;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cases::{CASES, FAMILIES, Family, Size};
use surefoot::agent::Entry;
use surefoot::agent::{Spec, Step};
use surefoot::formats::grid_from_art;
use surefoot::search::{Dijkstra, Meter, StatePath};
use surefoot::space::{Cell, Cost, CostModel, Grid, GridSpace, MoveRule, State, StateSpace};
use surefoot_classics::ROSTER;

/// An agent is saved and restored after so many steps.
const SAVED_AFTER: [u64; 5] = [0, 3, 20, 300, 5000];

/// The moves that an agent makes, each checked, and the work of each held against its bound. `None` if it says
/// "unreachable", or stops for good without a way.
fn walk(space: &GridSpace, entry: &Entry, start: State, goal: State, most_moves: u64) -> Option<StatePath> {
    let spec: Spec = entry.quick_spec(space.state_limit()).parse().unwrap();
    let database = ROSTER.build_database(&spec, space, 1).unwrap();
    let mut agent = ROSTER.agent_with(&spec, database.as_ref()).unwrap();
    agent.begin(space, start, goal).unwrap();
    let mut path = StatePath { states: vec![start], cost: 0 };
    // One state is expanded at least in each step without a move.
    let mut waits = 2 * space.state_limit();
    for steps in 0.. {
        if SAVED_AFTER.contains(&steps) {
            let bytes = ROSTER.algorithm(&spec).unwrap().save(space, &*agent);
            (_, agent) = ROSTER
                .restore(space, &bytes, database.as_ref())
                .unwrap_or_else(|error| panic!("{spec}: {error}"));
        }
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        let position = agent.position();
        match agent.step(space, &mut meter) {
            Step::Moved(next) => {
                let mut cost = None;
                space.for_each_successor(position, |to, step| {
                    cost = if to == next { Some(step) } else { cost }
                });
                path.cost += cost.unwrap_or_else(|| panic!("{spec} makes an illegal move"));
                path.states.push(next);
                assert!(path.moves() as u64 <= most_moves, "{spec} has not arrived after {most_moves} moves");
            }
            Step::Unreachable | Step::Stuck => return None,
            Step::Arrived => break,
            _ => waits = waits.checked_sub(1).unwrap_or_else(|| panic!("{spec} waits for ever")),
        }
        assert_eq!(Some(&agent.position()), path.states.last(), "{spec} stands where it went");
        assert!(!meter.is_overdrawn(), "{spec} took {} on one move", meter.spent());
    }
    assert_eq!(path.states.last(), Some(&goal), "{spec} says it arrived");
    Some(path)
}

#[test]
fn every_algorithm_solves_every_case() {
    for case in CASES {
        let grid = grid_from_art(case.art).unwrap();
        for (rule, steps) in MoveRule::ALL.into_iter().zip(case.steps) {
            for costs in CostModel::ALL {
                let space = GridSpace::new(grid.clone(), rule, costs);
                let expected = steps.map(|(straight, diagonal)| costs.of_steps(straight, diagonal));
                let [start, goal] =
                    [case.start, case.goal].map(|(x, y)| space.state_at(Cell::new(x, y)).unwrap());
                for entry in ROSTER.entries() {
                    let name = format!("{} with {} on {}, {rule}, {costs}", case.name, entry.name, case.art);
                    let path = walk(&space, entry, start, goal, case.most_moves * detours(entry));
                    check(&name, entry, path.map(|path| path.cost), expected);
                }
            }
        }
    }
}

/// Whether the cost of a walk is as good as the entry says, where a cheapest path costs `expected`.
fn check(name: &str, entry: &Entry, walked: Option<Cost>, expected: Option<Cost>) {
    assert!(walked.is_none() || expected.is_some(), "{name} goes where there is no way");
    assert!(walked.is_some() || expected.is_none() || !entry.complete, "{name} does not arrive");
    if let (Some(walked), Some(expected)) = (walked, expected) {
        assert!(walked >= expected, "{name} is cheaper than a cheapest path");
        assert!(!entry.optimal || walked == expected, "{name}: {walked} not {expected}");
    }
}

/// How many times as long as plain LRTA* an algorithm may take.
fn detours(entry: &Entry) -> u64 {
    match entry.name {
        // Depths that are right for one step each teach what fits together less well than what one depth teaches.
        "lrta*(dt,g)" | "lrta*(oracle,g)" => 4,
        // Once its subgoals are used up it learns the way to the goal from nothing: long in a spiral, where every region
        // has but one way on.
        "d-lrta*" => 24,
        // Subgoals of a small database may lead astray for a while.
        _ if entry.needs.contains("database") => 3,
        // The way from region to region leads over their middles.
        _ if entry.needs.contains("cover") => 3,
        _ => 1,
    }
}

/// Whether an algorithm learns its way instead of searching for it: seen where the way first leads off from the goal. With a
/// database it does where that has nothing to offer, and on a coarse map where that is large enough.
fn learns(entry: &Entry) -> bool {
    if entry.needs.contains("database") || entry.name.starts_with("pr-lrta*") {
        return true;
    }
    let space = GridSpace::new(grid_from_art("..\n#.\n..").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let mut agent =
        ROSTER.agent_for(&entry.quick_spec(space.state_limit()).parse().unwrap(), &space, 1).unwrap();
    agent.begin(&space, State(0), State(4)).unwrap();
    for _ in 0..9 {
        agent.step(&space, &mut Meter::new());
    }
    agent.memory().learned > 0
}

/// Maps of 1 × 1 to 1024 × 1024. The truth comes from Dijkstra's algorithm.
#[test]
fn every_algorithm_solves_every_family_of_maps() {
    let entries: Vec<(&Entry, bool)> = ROSTER.entries().iter().map(|entry| (entry, learns(entry))).collect();
    let learners = entries.iter().filter(|(_, learns)| *learns).count();
    assert!(learners >= 6 && learners < entries.len(), "{learners} algorithms learn");
    let all: Vec<(&Family, &Size)> =
        FAMILIES.iter().flat_map(|family| family.sizes.iter().map(move |size| (family, size))).collect();
    // The longest test of all, on all cores.
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&(family, size)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            solve_family(family, size, &entries);
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        work();
        others.into_iter().for_each(|other| other.join().expect("no algorithm fails"));
    });
}

fn solve_family(family: &Family, size: &Size, entries: &[(&Entry, bool)]) {
    let side = size.side;
    let grid = Grid::from_fn(side, side, |cell| (family.is_free)(side, cell)).unwrap();
    // Under the other two rules large maps differ in a few corners only.
    let rules = if side < 100 { &MoveRule::ALL[..] } else { &[MoveRule::NoCut, MoveRule::Cardinal] };
    for &rule in rules {
        let space = GridSpace::new(grid.clone(), rule, CostModel::Sqrt2);
        let (start, goal) = (family.ends)(side);
        let (start, goal) = (space.state_at(start).unwrap(), space.state_at(goal).unwrap());
        let expected = Dijkstra::new().find(&space, start, goal).unwrap().cost();
        assert_eq!(expected.is_some(), family.is_solvable, "{} of {side}, {rule}", family.name);
        for &(entry, learns) in entries {
            let most_moves = if learns { size.learners } else { Some(size.searchers) };
            let Some(most_moves) = most_moves.map(|moves| moves * detours(entry)) else { continue };
            let name = format!("{} of {side} with {}, {rule}", family.name, entry.name);
            let path = walk(&space, entry, start, goal, most_moves);
            check(&name, entry, path.map(|path| path.cost), expected);
        }
    }
}

#[test]
fn blocked_and_outside_ends_are_refused() {
    let space = GridSpace::new(grid_from_art(".#.").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    for entry in ROSTER.entries() {
        let mut agent =
            ROSTER.agent_for(&entry.quick_spec(space.state_limit()).parse().unwrap(), &space, 1).unwrap();
        let blocked = space.state_at(Cell::new(1, 0)).unwrap();
        let free = space.state_at(Cell::new(0, 0)).unwrap();
        let message = agent.begin(&space, blocked, free).unwrap_err().to_string();
        assert!(message.contains("start (1, 0) is blocked"), "{message}");
        let message = agent.begin(&space, free, blocked).unwrap_err().to_string();
        assert!(message.contains("goal (1, 0) is blocked"), "{message}");
        assert!(agent.begin(&space, free, State(3)).is_err());
    }
}

/// The map may change between two steps: no move may be one that it no longer has.
#[test]
fn no_agent_walks_into_a_wall_that_was_built_on_its_way() {
    let art = "......
               ......
               ......";
    for entry in ROSTER.entries().iter().filter(|entry| entry.complete) {
        let mut space = GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let (start, goal) =
            (space.state_at(Cell::new(0, 0)).unwrap(), space.state_at(Cell::new(5, 0)).unwrap());
        let mut agent =
            ROSTER.agent_for(&entry.quick_spec(space.state_limit()).parse().unwrap(), &space, 1).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let mut step = |space: &GridSpace| agent.step(space, &mut Meter::new());
        let first = (0..100).map(|_| step(&space)).find(|step| *step != Step::Waiting);
        let Some(Step::Moved(mut position)) = first else { panic!("{} does not start", entry.name) };
        space.set(Cell::new(3, 0), false);
        space.set(Cell::new(3, 1), false);
        let arrived = (0..1000).any(|_| match step(&space) {
            Step::Moved(next) => {
                let legal =
                    space.moves(position).iter().any(|direction| space.step(position, direction) == next);
                assert!(legal, "{} goes from {position:?} to {next:?}", entry.name);
                position = next;
                false
            }
            other => other == Step::Arrived,
        });
        assert!(arrived && position == goal, "{}", entry.name);

        // Once the way is closed for good, the agent says so.
        agent.begin(&space, start, goal).unwrap();
        let mut step = |space: &GridSpace| agent.step(space, &mut Meter::new());
        let first = (0..100).map(|_| step(&space)).find(|step| *step != Step::Waiting);
        assert!(matches!(first, Some(Step::Moved(_))));
        space.set(Cell::new(3, 2), false);
        let last =
            (0..100).map(|_| step(&space)).find(|step| !matches!(step, Step::Moved(_) | Step::Waiting));
        assert_eq!(last, Some(Step::Unreachable), "{}", entry.name);
    }
}
