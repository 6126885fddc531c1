//! Databases of maps that are edited: every record holds after every edit, and agents arrive.

use alloc::boxed::Box;

use crate::ROSTER;
use crate::test_maps::maps;
use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::search::{GridPlanner, Paths, Ties};
use surefoot::space::{Cell, CellWeights, CostModel, Grid, GridSpace, MoveRule, StateSpace};
use surefoot::store::Database;

use super::super::*;
use super::*;
use crate::knn::agent::{KnnLrtaStar, KnnSettings};

const FORMS: [RecordForm; 5] = [
    RecordForm::Compressed,
    RecordForm::Lossless,
    RecordForm::Farthest,
    RecordForm::BeforeFirstMiss,
    RecordForm::Fragments,
];

fn build(space: &GridSpace, form: RecordForm, records: u64) -> Arc<SubgoalDatabase> {
    let paths = if space.is_weighted() { Paths::AStar } else { Paths::JumpPoints };
    let config = SubgoalConfig { records, form, ties: Ties::Far, pairs: Pairs::Random, paths, seed: 5 };
    Arc::new(SubgoalDatabase::build(space, config, GridPlanner::new(paths)).unwrap())
}

/// Every record that can be used leads to its end, and those that cannot be used wait or have no way.
fn check(space: &GridSpace, repairer: &SubgoalRepairer) -> Result<(), TestCaseError> {
    let database = repairer.database();
    let broken = database.first_broken_leg(space, 0..database.len() as u32);
    prop_assert_eq!(broken, None);
    for record in 0..database.len() as u32 {
        let (states, ends) = (database.record(record), database.ends(record));
        prop_assert_eq!((states[0], states[states.len() - 1]), ends);
        if !database.is_retired(record) {
            prop_assert!(states.iter().all(|&state| space.contains(state)));
        }
    }
    Ok(())
}

/// With nothing left to renew, only records without a way are retired.
fn check_renewed(space: &GridSpace, repairer: &SubgoalRepairer) -> Result<(), TestCaseError> {
    check(space, repairer)?;
    prop_assert_eq!(repairer.waiting(), 0);
    let database = repairer.database();
    // A form of 2009 has no record for paths that one climb walks.
    if database.config().form == RecordForm::BeforeFirstMiss {
        return Ok(());
    }
    for record in 0..database.len() as u32 {
        let (start, end) = database.ends(record);
        let is_there = space.contains(start) && space.contains(end);
        let has_way = is_there && space.components().same(space.cell(start), space.cell(end));
        // A record with one subgoal promises a climb to that, and not that a way leads on from there.
        let is_promised = if database.config().form == RecordForm::Farthest { is_there } else { has_way };
        prop_assert!(database.is_retired(record) || is_promised);
        prop_assert!(!database.is_retired(record) || !has_way);
    }
    Ok(())
}

fn walk(agent: &mut dyn Agent, space: &GridSpace) -> bool {
    for _ in 0..20_000 {
        let before = agent.position();
        let mut meter = Meter::with_bound(agent.bound().unwrap());
        match agent.step(space, &mut meter) {
            Step::Moved(next) => {
                assert!(space.moves(before).iter().any(|direction| space.step(before, direction) == next));
            }
            Step::Arrived => return true,
            Step::Waiting => {}
            _ => return false,
        }
        assert!(!meter.is_overdrawn());
    }
    panic!("it walks for ever");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn after_every_edit_every_record_holds(
        mut space in maps(30),
        form in 0..FORMS.len(),
        edits in prop::collection::vec((any::<u32>(), 0_u8..4), 120),
    ) {
        let mut repairer = SubgoalRepairer::new(&space, build(&space, FORMS[form], 40)).unwrap();
        let mut told: Vec<Cell> = Vec::new();
        for (edit, kind) in edits {
            let cell = space.cell(State(edit % space.state_limit() as u32));
            space.set(cell, !space.grid().is_free(cell));
            told.push(cell);
            // Some are told together with the next.
            if kind == 0 {
                continue;
            }
            repairer.repair(&space, told.drain(..)).unwrap();
            check(&space, &repairer)?;
            if kind == 1 {
                repairer.renew(&space, 2).unwrap();
                check(&space, &repairer)?;
            } else if kind == 2 {
                repairer.renew(&space, usize::MAX).unwrap();
                check_renewed(&space, &repairer)?;
            }
        }
    }

    #[test]
    fn records_that_are_mended_again_and_again_hold(
        mut space in maps(14),
        edits in prop::collection::vec(any::<u32>(), 400),
    ) {
        let mut repairer = SubgoalRepairer::new(&space, build(&space, RecordForm::Compressed, 40)).unwrap();
        for edit in edits {
            let cell = space.cell(State(edit % space.state_limit() as u32));
            space.set(cell, !space.grid().is_free(cell));
            repairer.repair(&space, [cell]).unwrap();
            check(&space, &repairer)?;
        }
    }

    #[test]
    fn over_ground_of_different_weights_records_hold_too(
        free in prop::collection::vec(prop::bool::weighted(0.8), 144),
        heavy in prop::collection::vec(1_u8..9, 144),
        edits in prop::collection::vec(0_u32..144, 60),
    ) {
        let grid = Grid::from_fn(12, 12, |cell| free[(cell.y * 12 + cell.x) as usize]).unwrap();
        let weights = CellWeights::new(12, 12, heavy).unwrap();
        let mut space = GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap();
        let mut repairer = SubgoalRepairer::new(&space, build(&space, RecordForm::Compressed, 20)).unwrap();
        for edit in edits {
            let cell = space.cell(State(edit));
            space.set(cell, !space.grid().is_free(cell));
            repairer.repair(&space, [cell]).unwrap();
            check(&space, &repairer)?;
            repairer.renew(&space, usize::MAX).unwrap();
            check_renewed(&space, &repairer)?;
        }
    }

    #[test]
    fn agents_arrive_on_maps_that_are_edited_as_they_walk(
        mut space in maps(24),
        is_old in any::<bool>(),
        edits in prop::collection::vec(any::<u32>(), 40),
        ends in (any::<u32>(), any::<u32>()),
    ) {
        let count = space.state_limit() as u32;
        let (start, goal) = (State(ends.0 % count), State(ends.1 % count));
        prop_assume!(space.contains(start) && space.contains(goal));
        let form = if is_old { RecordForm::Farthest } else { RecordForm::Compressed };
        let mut repairer = SubgoalRepairer::new(&space, build(&space, form, 40)).unwrap();
        let first = repairer.database().clone() as Arc<dyn Database>;
        let spec = if is_old { "knn-lrta-2009*" } else { "knn-lrta*" };
        let mut agent = if is_old {
            ROSTER.agent_with(&spec.parse().unwrap(), Some(&first)).unwrap()
        } else {
            Box::new(KnnLrtaStar::new(KnnSettings::default(), repairer.database().clone())) as Box<dyn Agent>
        };
        agent.begin(&space, start, goal).unwrap();
        for edit in edits {
            let cell = space.cell(State(edit % count));
            // Nobody is walled in, and the goal stays.
            if space.state_of(cell) == agent.position() || space.state_of(cell) == goal {
                continue;
            }
            space.set(cell, !space.grid().is_free(cell));
            repairer.repair(&space, [cell]).unwrap();
            repairer.renew(&space, 1).unwrap();
            agent.use_database(&(repairer.database().clone() as Arc<dyn Database>)).unwrap();
            let before = agent.position();
            let mut meter = Meter::with_bound(agent.bound().unwrap());
            if let Step::Moved(next) = agent.step(&space, &mut meter) {
                prop_assert!(space.moves(before).iter().any(|direction| space.step(before, direction) == next));
            }
            prop_assert!(!meter.is_overdrawn());
        }
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        prop_assert_eq!(walk(&mut *agent, &space), is_open);
    }
}

fn corridor() -> GridSpace {
    let art = "
...........
.####.####.
.#.......#.
.####.####.
...........";
    let grid = surefoot::formats::grid_from_art(art.trim()).unwrap();
    GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2)
}

#[test]
fn a_repaired_database_can_be_packed_and_opened_again() {
    let mut space = corridor();
    let mut repairer = SubgoalRepairer::new(&space, build(&space, RecordForm::Compressed, 50)).unwrap();
    let built = repairer.database().clone();
    // Behind the doors nobody gets out any more.
    let doors = [Cell::new(5, 1), Cell::new(5, 3)];
    space.set_all(doors.map(|door| (door, false)));
    let report = repairer.repair(&space, doors).unwrap();
    assert!(report.retired + report.mended > 0 && report.legs >= report.kept, "{report:?}");
    repairer.renew(&space, usize::MAX).unwrap();
    let database = repairer.database();
    let retired = (0..50).filter(|&record| database.is_retired(record)).count();
    assert!(retired > 0 && database.checksum() != built.checksum() && !built.is_retired(0));
    let packed = repairer.repacked(&space).unwrap();
    assert_eq!(packed.len(), 50 - retired);
    let opened = SubgoalDatabase::from_bytes(&space, packed.as_bytes().to_vec()).unwrap();
    assert_eq!(opened.first_broken_leg(&space, 0..opened.len() as u32), None);
    // With the doors open again all is as it was built, but perhaps for subgoals that lead the same way.
    space.set_all(doors.map(|door| (door, true)));
    repairer.repair(&space, doors).unwrap();
    repairer.renew(&space, usize::MAX).unwrap();
    assert!((0..50).all(|record| !repairer.database().is_retired(record)));
}

#[test]
fn agents_and_repairers_refuse_what_is_not_theirs() {
    let space = corridor();
    let database = build(&space, RecordForm::Compressed, 10);
    let mut repairer = SubgoalRepairer::new(&space, database.clone()).unwrap();
    let other = GridSpace::new(space.grid().clone(), MoveRule::Squeeze, CostModel::Sqrt2);
    assert!(SubgoalRepairer::new(&other, database.clone()).is_err());
    let message = repairer.repair(&other, []).unwrap_err().to_string();
    assert!(message.contains("rule no-cut"), "{message}");
    assert!(repairer.renew(&other, 1).is_err() && repairer.repacked(&other).is_err());
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), database);
    let foreign = build(&other, RecordForm::Compressed, 10) as Arc<dyn Database>;
    assert!(Agent::<GridSpace>::use_database(&mut agent, &foreign).is_err());
    assert!(repairer.repair(&space, [Cell::new(900, 900)]).is_ok());
}

#[test]
fn an_agent_is_not_disturbed_by_edits_elsewhere() {
    let mut space = GridSpace::new(
        Grid::from_fn(80, 40, |cell| cell.x != 40 || cell.y == 20).unwrap(),
        MoveRule::NoCut,
        CostModel::Sqrt2,
    );
    let mut repairer = SubgoalRepairer::new(&space, build(&space, RecordForm::Compressed, 200)).unwrap();
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), repairer.database().clone());
    let (start, goal) = (space.state_of(Cell::new(2, 2)), space.state_of(Cell::new(77, 3)));
    Agent::begin(&mut agent, &space, start, goal).unwrap();
    let mut moves = 0;
    for cell in (0..).map(|number| Cell::new(number % 3, 39)) {
        if agent.step(&space, &mut Meter::new()) == Step::Arrived {
            break;
        }
        moves += 1;
        space.set(cell, !space.grid().is_free(cell));
        repairer.repair(&space, [cell]).unwrap();
        let database = repairer.database().clone() as Arc<dyn Database>;
        Agent::<GridSpace>::use_database(&mut agent, &database).unwrap();
    }
    assert!((75..120).contains(&moves), "{moves}");
    assert_eq!(Agent::<GridSpace>::fallbacks(&agent), 0);
}

#[test]
fn an_agent_keeps_to_a_record_that_was_mended_elsewhere() {
    // A long corridor with bends: a record along it has many legs.
    let bends = |cell: Cell| match cell.x % 8 {
        2 => cell.y >= 4,
        6 => cell.y < 4,
        _ => true,
    };
    let mut space = GridSpace::new(Grid::from_fn(64, 8, bends).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let mut repairer = SubgoalRepairer::new(&space, build(&space, RecordForm::Compressed, 100)).unwrap();
    let before = Arc::clone(repairer.database());
    let record = (0..100).max_by_key(|&record| before.record(record).len()).unwrap();
    let states = before.record(record);
    assert!(states.len() > 6, "{}", states.len());
    // Somebody heads for the state in the middle, and a subgoal near the end is blocked.
    let middle = states.len() / 2;
    let on_the_way = before.cursor_at(u64::from(record), middle as u64 - 1).unwrap();
    let blocked = space.cell(states[states.len() - 2]);
    space.set(blocked, false);
    repairer.repair(&space, [blocked]).unwrap();
    repairer.renew(&space, usize::MAX).unwrap();
    let after = repairer.database();
    assert!(!after.is_retired(record) && after.record(record) != states);
    let mut rest = after.resumed(&before, on_the_way).unwrap();
    assert_eq!(rest.at(), states[middle - 1]);
    assert!(after.next_subgoal(&mut rest).is_some() && !after.has_same_end(&before, record));
    // One that heads for what was blocked has to choose anew.
    let at_the_end = before.cursor_at(u64::from(record), states.len() as u64 - 2).unwrap();
    assert_eq!(at_the_end.at(), space.state_of(blocked));
    assert!(after.resumed(&before, at_the_end).is_none());
}
