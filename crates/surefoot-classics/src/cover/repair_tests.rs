//! Covers of maps that are edited: what can be climbed and what cannot is known after every edit.

use alloc::boxed::Box;

use crate::ROSTER;
use crate::test_maps::maps;
use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::search::{Meter, Ties};
use surefoot::space::{Cell, CostModel, Grid, MoveRule};
use surefoot::store::Database;

use super::*;

fn build(space: &GridSpace, is_sectors: bool) -> Arc<CoverDatabase> {
    let partition = if is_sectors { Partition::Sectors { side: 5 } } else { Partition::Climbs { cutoff: 4 } };
    let config = CoverConfig { partition, lossless: false, ties: Ties::Far };
    Arc::new(CoverDatabase::build(space, config).unwrap())
}

/// A path is retired if and only if one of its legs cannot be climbed.
fn check(space: &GridSpace, cover: &CoverDatabase) -> Result<(), TestCaseError> {
    let mut link = 0;
    for region in RegionId::first(cover.regions()) {
        for place in 0..cover.neighbours(region).len() {
            let states = cover.path(region, place);
            let holds =
                |leg: &[State]| climb(space, leg[0], leg[1], u64::MAX, cover.config().ties).end == leg[1];
            prop_assert_eq!(cover.is_retired(link), !states.windows(2).all(holds));
            link += 1;
        }
    }
    Ok(())
}

/// Once nothing waits, every chain leads to its goal, and by no retired path unless there is no other way.
fn check_chains(cover: &CoverDatabase) -> Result<(), TestCaseError> {
    for goal in RegionId::first(cover.regions()) {
        let component = cover.regions[goal.index()].component;
        // The regions that paths lead from to the goal.
        let mut is_open = vec![false; cover.regions.len()];
        let mut pending = Vec::from([goal]);
        is_open[goal.index()] = true;
        while let Some(to) = pending.pop() {
            for from in component.regions() {
                let links = (cover.regions[from.index()].first_link..).zip(cover.neighbours(from));
                let leads_there =
                    links.into_iter().any(|(link, &next)| next == to && !cover.is_retired(link));
                if leads_there && !core::mem::replace(&mut is_open[from.index()], true) {
                    pending.push(from);
                }
            }
        }
        for from in component.regions() {
            let (mut at, mut length) = (from, 0);
            while let Some(link) = cover.next_link(at, goal) {
                prop_assert!(!is_open[at.index()] || !cover.is_retired(link));
                at = cover.links[link as usize];
                length += 1;
                prop_assert!(length <= cover.regions(), "a circle");
            }
            prop_assert_eq!(at, goal);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn after_every_edit_those_paths_are_retired_that_cannot_be_climbed(
        mut space in maps(24),
        is_sectors in any::<bool>(),
        edits in prop::collection::vec((any::<u32>(), 0_u8..4), 60),
    ) {
        let mut repairer = CoverRepairer::new(&space, build(&space, is_sectors)).unwrap();
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
            check(&space, repairer.database())?;
            repairer.renew(if kind == 1 { usize::MAX } else { 2 });
            if repairer.waiting() == 0 {
                check_chains(repairer.database())?;
            }
        }
    }

    #[test]
    fn agents_arrive_on_maps_that_are_edited_as_they_walk(
        mut space in maps(24),
        is_sectors in any::<bool>(),
        edits in prop::collection::vec(any::<u32>(), 40),
        ends in (any::<u32>(), any::<u32>()),
    ) {
        let count = space.state_limit() as u32;
        let (start, goal) = (State(ends.0 % count), State(ends.1 % count));
        prop_assume!(space.contains(start) && space.contains(goal));
        let spec = if is_sectors { "dba*(sector=5)" } else { "hcdps*(cutoff=4)" };
        let mut repairer = CoverRepairer::new(&space, build(&space, is_sectors)).unwrap();
        let first = Arc::clone(repairer.database()) as Arc<dyn Database>;
        let mut agent: Box<dyn Agent> = ROSTER.agent_with(&spec.parse().unwrap(), Some(&first)).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let mut steps = 0;
        let mut step = |agent: &mut Box<dyn Agent>, space: &GridSpace| {
            let before = agent.position();
            let mut meter = Meter::with_bound(agent.bound().unwrap());
            let step = agent.step(space, &mut meter);
            if let Step::Moved(next) = step {
                assert!(space.moves(before).iter().any(|direction| space.step(before, direction) == next));
            }
            assert!(!meter.is_overdrawn());
            steps += 1;
            assert!(steps < 20_000, "it walks for ever");
            step
        };
        for edit in edits {
            let cell = space.cell(State(edit % count));
            // Nobody is walled in, and the goal stays.
            if space.state_of(cell) == agent.position() || space.state_of(cell) == goal {
                continue;
            }
            space.set(cell, !space.grid().is_free(cell));
            repairer.repair(&space, [cell]).unwrap();
            repairer.renew(1);
            agent.use_database(&(Arc::clone(repairer.database()) as Arc<dyn Database>)).unwrap();
            step(&mut agent, &space);
        }
        let is_open = space.components().same(space.cell(agent.position()), space.cell(goal));
        let last = loop {
            let step = step(&mut agent, &space);
            if step.is_over() {
                break step;
            }
        };
        prop_assert_eq!(last == Step::Arrived, is_open);
    }
}

#[test]
fn covers_of_other_maps_are_refused() {
    let space = GridSpace::new(Grid::from_fn(9, 9, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let cover = build(&space, false);
    let other = GridSpace::new(space.grid().clone(), MoveRule::Squeeze, CostModel::Sqrt2);
    let mut repairer = CoverRepairer::new(&space, Arc::clone(&cover)).unwrap();
    assert!(CoverRepairer::new(&other, cover).is_err() && repairer.repair(&other, []).is_err());
    assert_eq!(repairer.repair(&space, [Cell::new(900, 900)]), Ok(0));
    let mut agent = ROSTER
        .agent_with(
            &"hcdps*(cutoff=4)".parse().unwrap(),
            Some(&(Arc::clone(repairer.database()) as Arc<dyn Database>)),
        )
        .unwrap();
    assert!(agent.use_database(&(build(&other, false) as Arc<dyn Database>)).is_err());
}
