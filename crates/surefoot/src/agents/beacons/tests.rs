use super::walker::Heading;
use super::*;
use crate::agents::roster;
use crate::database::{BeaconConfig, Draws};
use crate::search::Dijkstra;
use crate::space::{Cell, CostModel, Grid, MoveRule, StateSpace as _};
use crate::test_maps::{maps, problems, states, walk_by_legs};
use proptest::prelude::*;

proptest! {
    /// On the map that they were built for beacons never fail.
    #[test]
    fn every_leg_is_climbed((space, start, goal) in problems()) {
        for spec in ["beacon*", "beacon*(cutoff=1,problems=0)", "beacon*(cutoff=4,problems=50,ties=low-g)"] {
            let mut agent = roster::agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            let there = walk_by_legs(&mut *agent, &space, start, goal);
            let back = walk_by_legs(&mut *agent, &space, goal, start);
            let best = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
            prop_assert!(there >= best && back >= best);
        }
    }

    /// An agent goes on with beacons for the map as it is now.
    #[test]
    fn another_database_can_be_used((space, start, goal) in problems(), edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..5)) {
        let mut space = space;
        let spec = "beacon*(cutoff=4,problems=20)".parse().unwrap();
        let mut agent = roster::agent_for(&spec, &space, 1).unwrap();
        agent.begin(&space, start, goal).unwrap();
        for _ in 0..3 {
            agent.step(&space, &mut Budget::unlimited());
        }
        for (cell, free) in edits {
            let state = State(cell % space.state_limit() as u32);
            if state != agent.position() && state != goal {
                space.set(space.cell(state), free);
            }
        }
        let database = roster::build_database(&spec, &space, 1).unwrap().unwrap();
        agent.use_database(&database).unwrap();
        let end = (0..10_000).map(|_| agent.step(&space, &mut Budget::unlimited())).find(|step| step.is_over());
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        prop_assert_eq!(end, Some(if is_open { Step::Arrived } else { Step::Unreachable }));
        prop_assert_eq!(agent.fallbacks(), 0);
    }
}

#[test]
fn an_edit_that_breaks_a_leg_is_got_over() {
    let grid = Grid::from_fn(40, 20, |cell| cell.x != 20 || cell.y == 3 || cell.y == 16).unwrap();
    let mut space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let at = |x, y| space.state(Cell::new(x, y));
    let (start, goal) = (at(2, 2), at(38, 2));
    let mut agent = roster::agent_for(&"beacon*".parse().unwrap(), &space, 1).unwrap();
    agent.begin(&space, start, goal).unwrap();
    agent.step(&space, &mut Budget::unlimited());
    space.set(Cell::new(20, 3), false);
    let arrived = (0..20_000).any(|_| agent.step(&space, &mut Budget::unlimited()) == Step::Arrived);
    assert!(arrived && agent.fallbacks() > 0);
}

/// Walks to a goal without getting lost.
fn arrive(space: &GridSpace, database: &BeaconDatabase, start: State, goal: State) {
    let guide = Guide { space, database };
    let mut walker = BeaconWalker::NEW;
    walker.begin(guide, start, goal).unwrap();
    for _ in 0..40 * space.state_limit() {
        let step = walker.step(guide, &mut Budget::unlimited());
        assert_eq!(walker.fallbacks(), 0, "lost between {start:?} and {goal:?}");
        match step {
            Step::Moved(_) | Step::Waiting => {}
            Step::Arrived => return,
            other => panic!("{other:?} between {start:?} and {goal:?}"),
        }
    }
    panic!("never arrives: {start:?} {goal:?}");
}

fn some_walks(space: &GridSpace, database: &BeaconDatabase, draws: &[u32]) {
    let free: Vec<State> = states(space).collect();
    for pair in draws.windows(2).filter(|_| !free.is_empty()) {
        let [start, goal] = [pair[0], pair[1]].map(|draw| free[draw as usize % free.len()]);
        if space.components().same(space.cell(start), space.cell(goal)) {
            arrive(space, database, start, goal);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// After every edit all promises hold, and agents arrive.
    #[test]
    fn beacons_are_repaired(
        space in maps(24),
        cutoff in 1_u32..16,
        edits in prop::collection::vec((any::<u32>(), 1_usize..4), 1..40),
        draws in prop::collection::vec(any::<u32>(), 6),
    ) {
        let mut space = space;
        let config = BeaconConfig { cutoff: Some(cutoff), problems: Some(30), ..BeaconConfig::default() };
        let mut database = BeaconDatabase::build(&space, config).unwrap();
        for (at, count) in edits {
            let cells: Vec<Cell> = (0..count as u32)
                .map(|more| space.cell(State(at.wrapping_add(more * 7) % space.state_limit() as u32)))
                .collect();
            for &cell in &cells {
                space.set(cell, !space.grid().is_free(cell));
            }
            database.repair(&space, cells).unwrap();
            database.check_repaired(&space);
            some_walks(&space, &database, &draws);
        }
    }
}

/// Some walkers on their way while the map changes: they are never lost, make only legal moves, and get somewhere.
struct Wanderers {
    walkers: Vec<BeaconWalker>,
    arrived: usize,
}

impl Wanderers {
    fn go(&mut self, guide: Guide<'_>, draws: &mut Draws) {
        let Guide { space, .. } = guide;
        let limit = space.state_limit() as u64;
        for walker in &mut self.walkers {
            let before = walker.position();
            match walker.step(guide, &mut Budget::unlimited()) {
                Step::Moved(next) => {
                    let mut is_legal = false;
                    space.for_each_successor(before, |state, _| is_legal |= state == next);
                    assert!(is_legal, "from {before:?} to {next:?}");
                }
                Step::Waiting => {}
                over => {
                    self.arrived += usize::from(over == Step::Arrived);
                    let mut free = || {
                        let draw = (0..1000).map(|_| State(draws.below(limit) as u32));
                        draw.into_iter().find(|&state| space.contains(state)).unwrap()
                    };
                    // One that is walled in, or stands on a blocked cell, begins elsewhere.
                    let (start, goal) = (free(), free());
                    let set = walker.set_goal(guide, goal);
                    if over == Step::Unreachable || set.is_err() {
                        walker.begin(guide, start, goal).unwrap();
                    }
                }
            }
            assert_eq!(walker.fallbacks(), 0, "lost at {:?}", walker.position());
        }
    }
}

/// Ten thousand edits: agents on their way and new ones get to their goals, and nothing piles up.
#[test]
fn ten_thousand_edits() {
    let grid = Grid::from_fn(48, 40, |cell| (cell.x * 7 + cell.y * 13) % 11 != 0).unwrap();
    for (rule, costs) in [(MoveRule::NoCut, CostModel::Sqrt2), (MoveRule::Squeeze, CostModel::Diagonal14)] {
        let mut space = GridSpace::new(grid.clone(), rule, costs);
        let config = BeaconConfig { cutoff: Some(8), problems: Some(100), ..BeaconConfig::default() };
        let mut database = BeaconDatabase::build(&space, config).unwrap();
        let mut draws = Draws::new(5, 0);
        let mut wanderers = Wanderers { walkers: Vec::from([const { BeaconWalker::NEW }; 8]), arrived: 0 };
        let mut most = [0; 2];
        for edit in 0..5_000_u32 {
            let cell = Cell::new(draws.below(48) as u32, draws.below(40) as u32);
            space.set(cell, !space.grid().is_free(cell) || draws.below(4) == 0);
            let repair = database.repair(&space, [cell]).unwrap();
            for walker in wanderers.walkers.iter_mut().filter(|walker| walker.heads_for(&repair.retired)) {
                walker.start_over();
            }
            for _ in 0..3 {
                wanderers.go(Guide { space: &space, database: &database }, &mut draws);
            }
            if edit % 100 == 0 {
                database.check_repaired(&space);
                let walk: Vec<u32> = (0..8).map(|_| draws.below(1 << 30) as u32).collect();
                some_walks(&space, &database, &walk);
            }
            let half = (edit / 2_500) as usize;
            most[half] = most[half].max(database.memory_bytes());
        }
        assert!(wanderers.arrived > 1_000, "{} arrived", wanderers.arrived);
        assert!(most[1] < most[0] * 3 / 2, "what repairs leave behind grows: {most:?}");
    }
}

/// Thousands of agents share a map: what each keeps is little.
#[test]
fn a_walker_is_small() {
    assert!(size_of::<BeaconWalker>() <= 56, "{} bytes", size_of::<BeaconWalker>());
}

/// What an agent heads for when it is not there yet changes only for what makes the rest of its way cheaper; and that it does, for the goal and for a beacon, long after it has
/// chosen.
#[test]
fn a_way_is_left_only_for_a_cheaper_one() {
    // Blocks of all sizes, with much room around them.
    let is_blocked = |x: u32, y: u32| x % 61 < 17 + y / 61 * 5 % 13 && y % 61 < 17 + x / 61 * 7 % 11;
    let grid = Grid::from_fn(400, 400, |cell| !is_blocked(cell.x, cell.y)).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    // Without lessons: nearly all beacons lie aside.
    let config = BeaconConfig { cutoff: Some(40), problems: Some(0), ..BeaconConfig::default() };
    let database = BeaconDatabase::build(&space, config).unwrap();
    let (guide, mut draws) = (Guide { space: &space, database: &database }, Draws::new(3, 0));
    let mut free = || loop {
        let state = State(draws.below(space.state_limit() as u64) as u32);
        if space.contains(state) {
            return state;
        }
    };
    // What the rest costs for one who heads for a beacon of the trunk, or for the goal.
    let rest = |walker: &BeaconWalker, position: State| match walker.heading {
        Heading::Goal => guide.climb_cost(position, walker.errand.goal, &mut Budget::unlimited()),
        _ => {
            let there = database.state(walker.target);
            let first = guide.climb_cost(position, there, &mut Budget::unlimited())?;
            Some(first + walker.ahead + walker.exit().cost)
        }
    };
    let (mut for_goal, mut for_beacon) = (0, 0);
    for _ in 0..3_000 {
        let mut walker = BeaconWalker::NEW;
        walker.begin(guide, free(), free()).unwrap();
        for moves in 0.. {
            let (before, position) = (walker.clone(), walker.position());
            if walker.step(guide, &mut Budget::unlimited()).is_over() {
                break;
            }
            let is_there = database.state(before.target) == position;
            let changes = (walker.heading, walker.target) != (before.heading, before.target);
            let heads_for_trunk = before.heading == Heading::Beacon && database.out(before.target).is_none();
            if moves > 20 && heads_for_trunk && changes && !is_there {
                assert!(rest(&walker, position) < rest(&before, position), "after {moves} moves");
                match walker.heading {
                    Heading::Goal => for_goal += 1,
                    _ => for_beacon += 1,
                }
            }
        }
    }
    assert!(for_goal > 100 && for_beacon > 5, "{for_goal} and {for_beacon}");
}
