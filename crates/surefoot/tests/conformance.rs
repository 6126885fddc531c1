//! Cases that every algorithm of the roster has to solve, as data: a map, a start, a goal, and what a cheapest path
//! costs under each rule. Optimal algorithms must find that cost, the others may take longer but must arrive.

#![allow(clippy::unwrap_used)] // the walk below is part of the tests

use surefoot::agents::{Step, roster};
use surefoot::formats::grid_from_art;
use surefoot::search::{Budget, Path};
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, StateSpace};

/// (straight, diagonal) steps of a cheapest path; nothing if there is none.
type Steps = Option<(u64, u64)>;

struct Case {
    name: &'static str,
    art: &'static str,
    start: (u32, u32),
    goal: (u32, u32),
    /// In the order squeeze, one-free, no-cut, cardinal.
    steps: [Steps; 4],
}

const CASES: &[Case] = &[
    Case { name: "start is goal", art: ".", start: (0, 0), goal: (0, 0), steps: [Some((0, 0)); 4] },
    Case {
        name: "open field",
        art: "......
              ......
              ......
              ......",
        start: (0, 0),
        goal: (5, 3),
        steps: [Some((2, 3)), Some((2, 3)), Some((2, 3)), Some((8, 0))],
    },
    Case {
        name: "one-cell rooms",
        art: ".#.
              #.#
              .#.",
        start: (0, 0),
        goal: (2, 2),
        steps: [Some((0, 2)), None, None, None],
    },
    Case {
        name: "corner",
        art: "...
              .#.
              ...",
        start: (1, 0),
        goal: (2, 1),
        steps: [Some((0, 1)), Some((0, 1)), Some((2, 0)), Some((2, 0))],
    },
    Case {
        name: "corridor",
        art: ".#...
              .#.#.
              ...#.",
        start: (0, 0),
        goal: (4, 2),
        steps: [Some((2, 4)), Some((2, 4)), Some((10, 0)), Some((10, 0))],
    },
    Case {
        name: "dead end",
        art: "........
              .######.
              ......#.
              .######.
              ........",
        start: (5, 2),
        goal: (7, 2),
        steps: [Some((10, 3)), Some((10, 3)), Some((16, 0)), Some((16, 0))],
    },
    Case {
        name: "spiral",
        art: ".......
              .#####.
              .#...#.
              .#.#.#.
              .#.###.
              .#.....",
        start: (4, 3),
        goal: (0, 5),
        steps: [Some((14, 6)), Some((14, 6)), Some((26, 0)), Some((26, 0))],
    },
    Case {
        name: "unreachable room",
        art: ".....
              .###.
              .#.#.
              .###.
              .....",
        start: (0, 0),
        goal: (2, 2),
        steps: [None; 4],
    },
    Case {
        name: "comb",
        art: ".#.#.#.
              .#.#.#.
              .......",
        start: (0, 0),
        goal: (6, 0),
        steps: [Some((6, 2)), Some((6, 2)), Some((10, 0)), Some((10, 0))],
    },
];

/// The moves that an agent makes, each checked, and the work of each held against its bound; nothing if it says
/// "unreachable", or stops for good without a way.
fn walk(space: &GridSpace, spec: &str, start: Cell, goal: Cell) -> Option<Path> {
    let (start, goal) = (space.state(start), space.state(goal));
    let mut agent = roster::agent(&spec.parse().unwrap()).unwrap();
    agent.begin(space, start, goal).unwrap();
    let mut states = vec![start];
    let mut steps = 0;
    loop {
        let mut budget = agent.bound().map_or_else(Budget::unlimited, Budget::limited);
        match agent.step(space, &mut budget) {
            Step::Moved(state) => states.push(state),
            Step::Unreachable | Step::Stuck => return None,
            Step::Arrived => break,
            _ => {}
        }
        assert_eq!(Some(&agent.position()), states.last(), "{spec} stands where it went");
        assert!(!budget.is_overdrawn(), "{spec} took {} on one move", budget.spent());
        steps += 1;
        assert!(steps <= 200_000, "{spec} walks for ever");
    }
    assert_eq!(states.last(), Some(&goal), "{spec} says it arrived");
    let cost = states
        .windows(2)
        .map(|pair| {
            let mut cost = None;
            space
                .for_each_successor(pair[0], |to, step| cost = if to == pair[1] { Some(step) } else { cost });
            cost.unwrap_or_else(|| panic!("{spec} makes an illegal move"))
        })
        .sum();
    Some(Path { states, cost })
}

#[test]
fn every_algorithm_solves_every_case() {
    for case in CASES {
        let grid = grid_from_art(case.art).unwrap();
        for (rule, steps) in MoveRule::ALL.into_iter().zip(case.steps) {
            for costs in CostModel::ALL {
                let space = GridSpace::new(grid.clone(), rule, costs);
                let expected = steps.map(|(straight, diagonal)| costs.of_steps(straight, diagonal));
                for entry in roster::ENTRIES {
                    let name = format!("{} with {} on {}, {rule}, {costs}", case.name, entry.name, case.art);
                    let (start, goal) =
                        (Cell::new(case.start.0, case.start.1), Cell::new(case.goal.0, case.goal.1));
                    let path = walk(&space, entry.name, start, goal);
                    assert!(path.is_none() || expected.is_some(), "{name} goes where there is no way");
                    assert!(
                        path.is_some() || expected.is_none() || !entry.complete,
                        "{name} does not arrive"
                    );
                    if let (Some(path), Some(expected)) = (path, expected) {
                        assert!(path.cost >= expected, "{name} is cheaper than a cheapest path");
                        assert!(
                            !entry.optimal || path.cost == expected,
                            "{name}: {} not {expected}",
                            path.cost
                        );
                    }
                }
            }
        }
    }
}

/// Maps of 1 × 1 to 1024 × 1024, empty but for a wall with a gap at one end.
#[test]
fn every_algorithm_crosses_maps_of_every_size() {
    for side in [1, 2, 3, 63, 64, 65, 127, 300, 1024] {
        let grid =
            Grid::from_fn(side, side, |cell| cell.x != side / 2 || cell.y == side - 1 || side < 3).unwrap();
        for rule in [MoveRule::NoCut, MoveRule::Cardinal] {
            let space = GridSpace::new(grid.clone(), rule, CostModel::Sqrt2);
            let costs: Vec<_> = roster::ENTRIES
                .iter()
                .filter(|entry| entry.optimal)
                .map(|entry| {
                    let path = walk(&space, entry.name, Cell::new(0, 0), Cell::new(side - 1, 0));
                    path.unwrap_or_else(|| panic!("{} finds no way on {side} x {side}", entry.name)).cost
                })
                .collect();
            assert!(costs.windows(2).all(|pair| pair[0] == pair[1]), "{side}: {costs:?}");
        }
    }
}

#[test]
fn blocked_and_outside_ends_are_refused() {
    let space = GridSpace::new(grid_from_art(".#.").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    for entry in roster::ENTRIES {
        let mut agent = roster::agent(&entry.name.parse().unwrap()).unwrap();
        let blocked = space.state(Cell::new(1, 0));
        let free = space.state(Cell::new(0, 0));
        let message = agent.begin(&space, blocked, free).unwrap_err().to_string();
        assert!(message.contains("start (1, 0) is blocked"), "{message}");
        let message = agent.begin(&space, free, blocked).unwrap_err().to_string();
        assert!(message.contains("goal (1, 0) is blocked"), "{message}");
        assert!(agent.begin(&space, free, surefoot::space::State(3)).is_err());
    }
}

/// The map may change between two steps: no move may be one that it no longer has.
#[test]
fn no_agent_walks_into_a_wall_that_was_built_on_its_way() {
    let art = "......
               ......
               ......";
    for entry in roster::ENTRIES.iter().filter(|entry| entry.complete) {
        let mut space = GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let (start, goal) = (space.state(Cell::new(0, 0)), space.state(Cell::new(5, 0)));
        let mut agent = roster::agent(&entry.name.parse().unwrap()).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let mut step = |space: &GridSpace| agent.step(space, &mut Budget::unlimited());
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
        let mut step = |space: &GridSpace| agent.step(space, &mut Budget::unlimited());
        let first = (0..100).map(|_| step(&space)).find(|step| *step != Step::Waiting);
        assert!(matches!(first, Some(Step::Moved(_))));
        space.set(Cell::new(3, 2), false);
        let last =
            (0..100).map(|_| step(&space)).find(|step| !matches!(step, Step::Moved(_) | Step::Waiting));
        assert_eq!(last, Some(Step::Unreachable), "{}", entry.name);
    }
}

/// Deep depressions: the agent starts at the bottom of a cup that opens away from the goal. Learners that raise one value a
/// move have to fill it: a number of moves that grows with the cube of its side is allowed, for all of them.
#[test]
fn every_complete_algorithm_gets_out_of_deep_depressions() {
    for side in [8_u32, 16, 32, 64] {
        let grid = Grid::from_fn(side + 4, side + 4, |Cell { x, y }| {
            let in_walls = (x == 1 || x == side + 1) && (1..=side + 1).contains(&y);
            let in_bottom = y == side + 1 && (1..=side + 1).contains(&x);
            !(in_walls || in_bottom)
        });
        let space = GridSpace::new(grid.unwrap(), MoveRule::Squeeze, CostModel::Diagonal14);
        let (start, goal) = (Cell::new(side / 2, side), Cell::new(side / 2, side + 3));
        let (start, goal) = (space.state(start), space.state(goal));
        for entry in roster::ENTRIES.iter().filter(|entry| entry.complete) {
            let mut agent = roster::agent(&entry.name.parse().unwrap()).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let allowed = u64::from(side).pow(3);
            let mut steps = 0;
            let last = loop {
                let mut budget = agent.bound().map_or_else(Budget::unlimited, Budget::limited);
                let step = agent.step(&space, &mut budget);
                assert!(!budget.is_overdrawn(), "{} took {} on one move", entry.name, budget.spent());
                steps += 1;
                assert!(steps <= allowed, "{} is still in a cup of {side} after {allowed} moves", entry.name);
                if !matches!(step, Step::Moved(_) | Step::Waiting) {
                    break step;
                }
            };
            assert_eq!(last, Step::Arrived, "{}", entry.name);
        }
    }
}
