use alloc::format;

use proptest::prelude::*;

use super::*;
use crate::agent::CORE;
use crate::beacons::{BeaconConfig, Labelled};
use crate::search::Dijkstra;
use crate::space::{Cell, CostModel, Grid, MoveRule, StateSpace as _};
use crate::store::draws::Draws;
use crate::test_maps::{maps, problems, quick_or_long, states, walk_by_legs};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// On the map that they were built for, walks cost what cheapest paths do, in either direction.
    #[test]
    fn walks_are_exact((space, start, goal) in problems(), labels in 0_usize..3) {
        let spec = format!("beacon*(labels={})", ["all", "core", "core"][labels]);
        let mut agent = CORE.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        let there = walk_by_legs(&mut *agent, &space, start, goal);
        let back = walk_by_legs(&mut *agent, &space, goal, start);
        let best = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
        prop_assert_eq!((there, back), (best, best));
    }

    /// An agent goes on with beacons for the map as it is now.
    #[test]
    fn another_database_can_be_used((space, start, goal) in problems(), edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..5)) {
        let mut space = space;
        let spec = "beacon*".parse().unwrap();
        let mut agent = CORE.agent_for(&spec, &space, 1).unwrap();
        agent.begin(&space, start, goal).unwrap();
        for _ in 0..3 {
            agent.step(&space, &mut Meter::new());
        }
        for (cell, free) in edits {
            let state = State(cell % space.state_limit() as u32);
            if state != agent.position() && state != goal {
                space.set(space.cell(state), free);
            }
        }
        let database = CORE.build_database(&spec, &space, 1).unwrap().unwrap();
        agent.use_database(&database).unwrap();
        let end = (0..10_000).map(|_| agent.step(&space, &mut Meter::new())).find(|step| step.is_over());
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        prop_assert_eq!(end, Some(if is_open { Step::Arrived } else { Step::Unreachable }));
        prop_assert_eq!(agent.fallbacks(), 0);
    }

    /// A decision that is spread over many moves looks up no more in each of them than it may, and comes to
    /// the same end.
    #[test]
    fn a_decision_can_be_spread((space, start, goal) in problems(), bound in 1_u64..400, is_thin: bool) {
        let labels = if is_thin { Labelled::Core } else { Labelled::All };
        let config = BeaconConfig { bound: Some(bound), labels };
        let database = BeaconDatabase::build(&space, config).unwrap();
        let guide = BeaconGuide { space: &space, database: &database };
        let most = BeaconWalker::bound(&database);
        // As small as what is asked for, or as one piece of a decision.
        prop_assert!(most.probes <= bound.max(database.most_in_a_piece() + 1).max(database.figures().next_leg));
        let best = Dijkstra::new().find(&space, start, goal).unwrap().cost().unwrap();
        prop_assert_eq!(arrive(&space, &database, start, goal), best);
        let mut walker = BeaconWalker::NEW;
        walker.begin(guide, start, goal).unwrap();
        loop {
            let mut meter = Meter::with_bound(most);
            let step = walker.step(guide, &mut meter);
            prop_assert!(!meter.is_overdrawn(), "{:?} of {most:?}", meter.spent());
            if step.is_over() {
                prop_assert_eq!(step, Step::Arrived);
                break;
            }
        }
    }

    /// Whoever is not told of edits makes legal moves and arrives all the same, though by LRTA*.
    #[test]
    fn edits_that_nobody_tells_of_are_got_over((space, start, goal) in problems(), edits in prop::collection::vec(any::<u32>(), 1..40)) {
        let mut space = space;
        let mut agent = CORE.agent_for(&"beacon*".parse().unwrap(), &space, 1).unwrap();
        agent.begin(&space, start, goal).unwrap();
        for edit in edits {
            let state = State(edit % space.state_limit() as u32);
            if state != agent.position() && state != goal {
                space.set(space.cell(state), !space.contains(state));
            }
            for _ in 0..2 {
                let before = agent.position();
                if let Step::Moved(next) = agent.step(&space, &mut Meter::new()) {
                    let mut is_legal = false;
                    space.for_each_successor(before, |state, _| is_legal |= state == next);
                    prop_assert!(is_legal);
                }
            }
        }
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        let end = (0..200_000).map(|_| agent.step(&space, &mut Meter::new())).find(|step| step.is_over());
        prop_assert_eq!(end, Some(if is_open { Step::Arrived } else { Step::Unreachable }));
    }
}

#[test]
fn an_edit_that_breaks_a_leg_is_got_over() {
    let grid = Grid::from_fn(40, 20, |cell| cell.x != 20 || cell.y == 3 || cell.y == 16).unwrap();
    let mut space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let at = |x, y| space.state(Cell::new(x, y));
    let (start, goal) = (at(2, 2), at(38, 2));
    let mut agent = CORE.agent_for(&"beacon*".parse().unwrap(), &space, 1).unwrap();
    agent.begin(&space, start, goal).unwrap();
    agent.step(&space, &mut Meter::new());
    space.set(Cell::new(20, 3), false);
    let arrived = (0..20_000).any(|_| agent.step(&space, &mut Meter::new()) == Step::Arrived);
    assert!(arrived);
}

/// Walks to a goal without getting lost. What it cost.
fn arrive(space: &GridSpace, database: &BeaconDatabase, start: State, goal: State) -> u64 {
    let guide = BeaconGuide { space, database };
    let mut walker = BeaconWalker::NEW;
    walker.begin(guide, start, goal).unwrap();
    let mut cost = 0;
    for _ in 0..40 * space.state_limit() {
        let before = walker.position();
        let step = walker.step(guide, &mut Meter::new());
        assert_eq!(walker.fallbacks(), 0, "lost between {start:?} and {goal:?}");
        match step {
            Step::Moved(next) => space.for_each_successor(before, |state, move_cost| {
                cost += if state == next { move_cost } else { 0 };
            }),
            Step::Waiting => {}
            Step::Arrived => return cost,
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
            let best = Dijkstra::new().find(space, start, goal).unwrap().cost().unwrap();
            assert_eq!(arrive(space, database, start, goal), best);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Once a repair is complete, walks are exact again.
    #[test]
    fn beacons_are_repaired(
        space in maps(24),
        edits in prop::collection::vec((any::<u32>(), 1_usize..4), 1..40),
        draws in prop::collection::vec(any::<u32>(), 6),
        is_thin: bool,
    ) {
        let mut space = space;
        let labels = if is_thin { Labelled::Core } else { Labelled::All };
        let config = BeaconConfig { labels, ..BeaconConfig::default() };
        let mut database = BeaconDatabase::build(&space, config).unwrap();
        for (at, count) in edits {
            let cells: Vec<Cell> = (0..count as u32)
                .map(|more| space.cell(State(at.wrapping_add(more * 7) % space.state_limit() as u32)))
                .collect();
            for &cell in &cells {
                space.set(cell, !space.grid().is_free(cell));
            }
            database.repair(&space, cells).unwrap();
            some_walks(&space, &database, &draws);
        }
    }
}

/// Some walkers on their way while the map changes: they make only legal moves, and get somewhere.
struct Wanderers {
    walkers: Vec<BeaconWalker>,
    arrived: usize,
}

impl Wanderers {
    fn go(&mut self, guide: BeaconGuide<'_>, draws: &mut Draws) {
        let BeaconGuide { space, .. } = guide;
        let limit = space.state_limit() as u64;
        for walker in &mut self.walkers {
            let before = walker.position();
            match walker.step(guide, &mut Meter::new()) {
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

/// Thousands of edits: agents on their way and new ones get to their goals, what is asked is answered
/// exactly, and nothing piles up.
#[test]
fn thousands_of_edits() {
    let grid = Grid::from_fn(48, 40, |cell| (cell.x * 7 + cell.y * 13) % 11 != 0).unwrap();
    let squeezing = (MoveRule::Squeeze, CostModel::Diagonal14);
    for ((rule, costs), labels) in [
        ((MoveRule::NoCut, CostModel::Sqrt2), Labelled::All),
        (squeezing, Labelled::All),
        (squeezing, Labelled::Core),
    ] {
        let mut space = GridSpace::new(grid.clone(), rule, costs);
        let config = BeaconConfig { labels, ..BeaconConfig::default() };
        let mut database = BeaconDatabase::build(&space, config).unwrap();
        let mut draws = Draws::new(5, 0);
        let mut wanderers = Wanderers { walkers: Vec::from([const { BeaconWalker::NEW }; 8]), arrived: 0 };
        let mut most = [0; 2];
        let edits = quick_or_long(5_000);
        for edit in 0..edits {
            let cell = Cell::new(draws.below(48) as u32, draws.below(40) as u32);
            space.set(cell, !space.grid().is_free(cell) || draws.below(4) == 0);
            let repair = database.repair_but_labels(&space, [cell]).unwrap();
            for walker in wanderers.walkers.iter_mut().filter(|walker| walker.heads_for(&repair.retired)) {
                walker.start_over();
            }
            // Labels are brought up to date while they walk: so are they while a crowd does.
            for _ in 0..3 {
                for _ in 0..200 {
                    if database.label_on(&space).is_some_and(|piece| piece.is_last) {
                        wanderers.walkers.iter_mut().for_each(|walker| {
                            walker.note_labels();
                        });
                    }
                }
                wanderers.go(BeaconGuide { space: &space, database: &database }, &mut draws);
            }
            // Whoever is saved now goes on, whatever has become of the corners on its way.
            if edit % 7 == 0 {
                let guide = BeaconGuide { space: &space, database: &database };
                for walker in &mut wanderers.walkers {
                    let mut saved = Vec::new();
                    walker.save(&space, &mut saved);
                    if space.contains(walker.position()) && space.contains(walker.goal()) {
                        *walker = BeaconWalker::restored(guide, &mut Reader::new(&saved)).unwrap();
                    }
                }
            }
            if edit % 50 == 0 {
                while database.label_on(&space).is_some() {}
                wanderers.walkers.iter_mut().for_each(|walker| {
                    walker.note_labels();
                });
                let walk: Vec<u32> = (0..8).map(|_| draws.below(1 << 30) as u32).collect();
                some_walks(&space, &database, &walk);
            }
            let half = (edit / edits.div_ceil(2)) as usize;
            most[half] = most[half].max(database.memory_bytes());
        }
        assert!(wanderers.arrived > edits as usize / 5, "{} arrived", wanderers.arrived);
        assert!(most[1] < most[0] * 3 / 2, "what repairs leave behind grows: {most:?}");
    }
}

/// Thousands of agents share a map: what each keeps is little.
#[test]
fn a_walker_is_small() {
    assert!(size_of::<BeaconWalker>() <= 56, "{} bytes", size_of::<BeaconWalker>());
}
