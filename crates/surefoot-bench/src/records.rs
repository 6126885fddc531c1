//! What it takes to repair a database of subgoals when a cell is edited, and what it is worth afterwards.

use std::path::Path;
use std::sync::Arc;

use surefoot::agent::{Agent, Step};
use surefoot::search::{GridPlanner, JumpPoints, Meter, Paths, Ties};
use surefoot::space::{CostModel, GridSpace, MoveRule, State, StateSpace, TerrainSet};
use surefoot_classics::knn::{
    KnnLrtaStar, KnnSettings, Pairs, RecordForm, SubgoalBuilder, SubgoalConfig, SubgoalDatabase,
    SubgoalRepairer,
};
use surefoot_lab::random::Rng;

use crate::repair::{draw_cell, maps_to_edit, micros};

type Failure = Box<dyn std::error::Error>;

/// The records of each database.
const RECORDS: u64 = 10_000;
/// After so many edits all records are checked.
const CHECK_EVERY: usize = 100;
/// So many records may be renewed after each edit.
const RENEWED: usize = 4;
/// So many problems are walked in the end.
const PROBLEMS: usize = 300;
/// Walks of more moves are cut off.
const MOST_MOVES: usize = 100_000;

/// Edits `edits` random cells of the maps and prints what the repair of a kNN database took.
///
/// # Errors
/// If maps cannot be read, or a record does not hold after an edit.
pub fn measure(benchmarks: &Path, edits: usize) -> Result<(), Failure> {
    println!(
        "\n{RECORDS} records of knn-lrta*, {edits} edits a map; times in microseconds, while an agent shares the database"
    );
    println!(
        "{:<12} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7} {:>7} {:>15}",
        "map",
        "states",
        "mean",
        "median",
        "99 %",
        "worst",
        "index ms",
        "renew",
        "99 %",
        "worst",
        "seen",
        "mended",
        "retired",
        "waiting",
        "subopt. %"
    );
    for (name, map) in maps_to_edit(benchmarks)? {
        let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
        let row = edit_map(space, edits).map_err(|problem| format!("{name}: {problem}"))?;
        println!("{name:<12} {row}");
    }
    println!(
        "renew: up to {RENEWED} exact paths after each edit; seen: legs climbed again an edit; mended, retired: records an edit; waiting: in the end"
    );
    println!(
        "subopt.: median length of the walks over the optimum, on the repaired database and on a fresh one"
    );
    Ok(())
}

fn build(space: &GridSpace) -> Result<SubgoalDatabase, Failure> {
    let (form, ties, pairs, paths) = (RecordForm::Compressed, Ties::Far, Pairs::Random, Paths::JumpPoints);
    let config = SubgoalConfig { records: RECORDS, form, ties, pairs, paths, seed: 1 };
    let builder = SubgoalBuilder::new(space, config);
    Ok(builder.finish(builder.records_on_all_cores(|| GridPlanner::new(paths)))?)
}

fn edit_map(mut space: GridSpace, edits: usize) -> Result<String, Failure> {
    let mut rng = Rng::new(1, 0);
    let database = Arc::new(build(&space)?);
    let (index, repairer) = micros(|| SubgoalRepairer::new(&space, database));
    let mut repairer = repairer?;
    let (mut repairs, mut renewals) = (Vec::with_capacity(edits), Vec::with_capacity(edits));
    let (mut seen, mut mended, mut retired) = (0, 0, 0);
    for done in 1..=edits {
        let cell = draw_cell(&space, &mut rng);
        space.set(cell, !space.grid().is_free(cell));
        let shared = Arc::clone(repairer.database());
        let (time, report) = micros(|| repairer.repair(&space, [cell]));
        let report = report?;
        repairs.push(time);
        seen += report.legs;
        mended += report.mended;
        retired += report.retired;
        let (time, renewed) = micros(|| repairer.renew(&space, RENEWED));
        renewed?;
        renewals.push(time);
        drop(shared);
        if done % CHECK_EVERY == 0 {
            let database = repairer.database();
            if let Some(broken) = database.first_broken_leg(&space, 0..database.len() as u32) {
                return Err(format!("after {done} edits {broken:?} does not hold").into());
            }
        }
    }
    let waiting = repairer.waiting();
    let fresh = Arc::new(build(&space)?);
    let ours = suboptimality(&space, repairer.database().clone(), &mut rng.clone())?;
    let theirs = suboptimality(&space, fresh, &mut rng)?;
    let mean = repairs.iter().sum::<f64>() / edits as f64;
    let mean_renewal = renewals.iter().sum::<f64>() / edits as f64;
    repairs.sort_by(f64::total_cmp);
    renewals.sort_by(f64::total_cmp);
    let at = |times: &[f64], share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let an_edit = |count: u64| count as f64 / edits as f64;
    Ok(format!(
        "{:>8} {mean:>7.1} {:>7.1} {:>7.1} {:>7.0} {:>8.1} {mean_renewal:>7.1} {:>7.1} {:>7.0} {:>6.1} {:>7.2} {:>7.2} {waiting:>7} {ours:>7.2} {theirs:>7.2}",
        space.grid().free_count(),
        at(&repairs, 0.5),
        at(&repairs, 0.99),
        at(&repairs, 1.0),
        index / 1e3,
        at(&renewals, 0.99),
        at(&renewals, 1.0),
        an_edit(seen),
        an_edit(mended),
        an_edit(retired),
    ))
}

/// Walks random problems, and gives by how many per cent the walks are too long at the median: where no
/// record can be used learning takes over, and a few walks of a hundred times the length make the mean.
fn suboptimality(space: &GridSpace, database: Arc<SubgoalDatabase>, rng: &mut Rng) -> Result<f64, Failure> {
    let (mut agent, mut optimal) = (KnnLrtaStar::new(KnnSettings::default(), database), JumpPoints::new());
    let (mut over, mut walked) = (Vec::new(), 0);
    while walked < PROBLEMS {
        let mut draw = || loop {
            if let Ok(state) = space.locate(draw_cell(space, rng)) {
                return state;
            }
        };
        let (start, goal) = (draw(), draw());
        let Some(best) = optimal.find(space, start, goal)?.cost().filter(|&best| best > 0) else { continue };
        walked += 1;
        if let Some(cost) = walk(&mut agent, space, start, goal)? {
            over.push(100.0 * (cost as f64 / best as f64 - 1.0));
        }
    }
    over.sort_by(f64::total_cmp);
    over.resize(PROBLEMS, f64::INFINITY);
    Ok(over[PROBLEMS / 2])
}

/// What a walk costs, if it is no longer than that; an error if a move is not legal.
fn walk(agent: &mut dyn Agent, space: &GridSpace, start: State, goal: State) -> Result<Option<u64>, Failure> {
    agent.begin(space, start, goal)?;
    let mut cost = 0;
    for _ in 0..MOST_MOVES {
        let before = agent.position();
        match agent.step(space, &mut Meter::new()) {
            Step::Moved(next) => {
                let mut found = None;
                space.for_each_successor(before, |state, cost| {
                    found = found.or((state == next).then_some(cost));
                });
                cost += found.ok_or("an illegal move")?;
            }
            Step::Arrived => return Ok(Some(cost)),
            Step::Waiting => {}
            step => return Err(format!("{step:?} from {start:?} to {goal:?}").into()),
        }
    }
    Ok(None)
}
