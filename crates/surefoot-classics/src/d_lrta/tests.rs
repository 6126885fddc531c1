use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Step};
use surefoot::search::{Horizon, Meter, Ties};
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, State, StateSpace as _};

use super::*;
use crate::ROSTER;

const CAP: u32 = 30;

/// What the moves of all walks from region to region expand on which the agent heads for the goal itself
/// outside its region, each with how deep the goal's third table has it look there.
fn escapes(space: &GridSpace, contents: PatternContents) -> Vec<(u64, Option<u32>)> {
    let config =
        PatternConfig { level: 2, aligned: true, contents, trace: Trace::StraightFirst, ties: Ties::Near };
    let database = Arc::new(PatternDatabase::build(space, config).unwrap());
    let choice = GoalChoice { loops: Loops::State, keeps: false, deepen: 0 };
    let mut agent = DynamicLrta::new(Arc::clone(&database), 1, choice);
    let states = || (0..space.state_limit() as u32).map(State).filter(|&state| space.contains(state));
    let mut seen = Vec::new();
    for start in states().step_by(7) {
        for goal in states().step_by(11) {
            agent.begin(space, start, goal).unwrap();
            loop {
                let before = Agent::<GridSpace>::position(&agent);
                let fallbacks = Agent::<GridSpace>::fallbacks(&agent);
                let mut meter = Meter::new();
                if !matches!(agent.step(space, &mut meter), Step::Moved(_)) {
                    break;
                }
                let regions = database.region(before).zip(database.region(goal));
                if let Some((from, to)) = regions.filter(|own| own.0 != own.1)
                    && Agent::<GridSpace>::fallbacks(&agent) > fallbacks
                {
                    seen.push((meter.spent().expansions, database.goal_depth(from, to)));
                }
            }
        }
    }
    seen
}

#[test]
fn who_comes_back_looks_as_far_as_the_third_table_says() {
    let is_free = |cell: Cell| (cell.x * 7919 + cell.y * 104_729 + cell.x * cell.y * 31) % 10 > 2;
    let space = GridSpace::new(Grid::from_fn(40, 40, is_free).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let stored = escapes(&space, PatternContents::SubgoalsAndBothDepths { cap: CAP });
    assert!(stored.iter().any(|own| own.1.is_some_and(|depth| depth < CAP)), "{stored:?}");
    for (expansions, depth) in stored {
        assert!(expansions <= Horizon::Plies(depth.unwrap()).most_expansions());
    }
    let capped = escapes(&space, PatternContents::SubgoalsAndDepths { cap: CAP });
    assert!(capped.iter().any(|own| own.0 > 25) && capped.iter().all(|own| own.1.is_none()));
}

#[test]
fn large_caps_have_the_third_table_by_default() {
    let has = |spec: &str| {
        let config = ROSTER.database_for(&spec.parse().unwrap(), 1).unwrap().unwrap();
        config.to_string().contains("goal depths")
    };
    assert!(has("lrta*(pdb,pdb;cap=1000)") && has("lrta*(pdb,pdb;cap=20,escape=stored)"));
    assert!(!has("lrta*(pdb,pdb;cap=999)") && !has("lrta*(pdb,pdb;cap=3000,escape=cap)"));
    assert!(!has("lrta*(pdb,g;cap=3000)"));
    for wrong in ["lrta*(pdb,pdb;escape=no)", "lrta*(f,pdb;trace=any)"] {
        let error = ROSTER.algorithm(&wrong.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("expected"), "{error}");
    }
}
