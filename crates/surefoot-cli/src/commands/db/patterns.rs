//! What `surefoot db verify` and `surefoot db show` do with pattern databases.

use std::collections::{BTreeMap, BTreeSet};

use surefoot::database::{Pattern, PatternContents, PatternDatabase, PatternScratch};
use surefoot::space::{Cell, GridSpace, State};
use surefoot_draw::regions::with_labelled_regions;
use surefoot_draw::{Colour, Picture};
use surefoot_lab::random::Rng;

use super::verify::{Arguments as VerifyArguments, draw};
use super::ways::Ways;
use crate::failure::Failure;
use crate::output;
use crate::parallel;
use crate::progress::Progress;
use crate::table::{NOTHING, Table, labelled, thousands};

const WAY: Colour = Colour::of_path(0);
const SUBGOALS: Colour = Colour::of_path(1);

/// Finds the regions again, and checks all pairs, or as many random ones as were asked for.
pub(super) fn verify(
    arguments: &VerifyArguments,
    patterns: &PatternDatabase,
    space: &GridSpace,
) -> Result<(), Failure> {
    let broken =
        |fault| Failure::Other(format!("{}: {fault}; build it anew", arguments.source.file.display()));
    patterns.verify_regions(space).map_err(broken)?;
    // A region and itself are a pair, but there is nothing to check of it.
    let all = patterns.pairs() - u64::from(patterns.regions());
    let ways =
        if all <= arguments.sample { all_ways(patterns) } else { some_ways(arguments, patterns, space) };
    let count = ways.values().map(|from| from.len() as u64).sum::<u64>();
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let mut progress = Progress::with_rate("checking", "pairs", count, 0);
    let (mut done, mut faults) = (0, Vec::new());
    parallel::for_each_done(
        threads,
        ways.into_iter(),
        PatternScratch::default,
        |scratch, (goal, from)| (from.len() as u64, patterns.verify_ways(space, from, goal, scratch).err()),
        |(length, fault)| {
            done += length;
            progress.done(done);
            faults.extend(fault);
            Ok(())
        },
    )?;
    drop(progress);
    // The first of all, whichever thread was first.
    if let Some(fault) = faults.into_iter().min() {
        return Err(broken(fault));
    }
    let what = match patterns.config().contents {
        PatternContents::Subgoals => "each subgoal lies next to its region, on a cheapest path",
        PatternContents::Depths { .. } => "each depth is the shallowest that serves, or the cap",
        _ => {
            "each subgoal lies next to its region, on a cheapest path, and each depth is the shallowest that serves, or the cap"
        }
    };
    let some = if count == all { "all".to_string() } else { format!("{} of", thousands(count)) };
    let level = patterns.config().level;
    output::print(&labelled(&[
        ("built for", patterns.built_for().to_string()),
        ("regions", format!("{}, those of level {level}", thousands(u64::from(patterns.regions())))),
        ("checked", format!("{some} {} pairs: {what}", thousands(all))),
    ]))
}

/// For each goal region the regions from which a way leads there.
type PairsByGoal = BTreeMap<u32, BTreeSet<u32>>;

fn all_ways(patterns: &PatternDatabase) -> PairsByGoal {
    let regions = 0..patterns.regions();
    let from = |goal| regions.clone().filter(|&from| patterns.pattern(from, goal).is_some()).collect();
    regions.clone().map(|goal| (goal, from(goal))).collect()
}

/// The pairs of regions of random problems.
fn some_ways(arguments: &VerifyArguments, patterns: &PatternDatabase, space: &GridSpace) -> PairsByGoal {
    let mut ways = PairsByGoal::new();
    for number in 0..arguments.sample {
        let Some((start, goal)) = draw(space, &mut Rng::new(arguments.seed, number)) else { continue };
        let (Some(from), Some(goal)) = (patterns.region(start), patterns.region(goal)) else { continue };
        if from != goal {
            ways.entry(goal).or_default().insert(from);
        }
    }
    ways
}

impl Ways for PatternDatabase {
    const CONTENTS: &'static str = "the regions of one level";

    type Way = Way;

    fn way(&self, _: &GridSpace, ends: (State, State)) -> Option<Way> {
        Way::new(self, ends)
    }

    fn draw_regions<'a>(&self, picture: Picture<'a>, space: &GridSpace) -> Picture<'a> {
        with_labelled_regions(picture, space, self.regions(), |state| self.region(state))
    }

    fn draw_way<'a>(&self, picture: Picture<'a>, way: &Way, space: &GridSpace) -> Picture<'a> {
        way.draw(picture, space)
    }

    fn table(&self, way: &Way, space: &GridSpace) -> Table {
        way.to_table(self, space)
    }
}

/// What the database says on the way from one state to another, if each subgoal is reached.
pub(super) struct Way {
    start: State,
    goal: State,
    /// The regions that it comes through before the goal's, and what is stored for the way on from there.
    steps: Vec<(u32, Pattern)>,
    /// Whether it comes back to a region: agents head for the goal itself then.
    is_loop: bool,
}

impl Way {
    /// Nothing if no way leads there.
    fn new(patterns: &PatternDatabase, (start, goal): (State, State)) -> Option<Self> {
        let (mut region, last) = (patterns.region(start)?, patterns.region(goal)?);
        let mut way = Self { start, goal, steps: Vec::new(), is_loop: false };
        let mut seen = BTreeSet::new();
        while region != last {
            if !seen.insert(region) {
                way.is_loop = true;
                break;
            }
            let pattern = patterns.pattern(region, last)?;
            way.steps.push((region, pattern));
            let Some(subgoal) = pattern.subgoal else { break };
            region = patterns.region(subgoal)?;
        }
        Some(way)
    }

    fn draw<'a>(&self, picture: Picture<'a>, space: &GridSpace) -> Picture<'a> {
        let cell = |state| space.cell(state);
        let subgoals: Vec<Cell> =
            self.steps.iter().filter_map(|(_, pattern)| pattern.subgoal).map(cell).collect();
        let (start, goal) = (cell(self.start), cell(self.goal));
        let line = [start].into_iter().chain(subgoals.iter().copied()).chain((!self.is_loop).then_some(goal));
        picture.with_path(line, WAY).with_spots(subgoals, SUBGOALS).with_start(start).with_goal(goal)
    }

    fn to_table(&self, patterns: &PatternDatabase, space: &GridSpace) -> Table {
        let mut table = Table::new(&["region", "stands for it", "next", "depth"]);
        let row = |region: Option<u32>, next: State, depth: Option<u32>| {
            vec![
                region.map_or_else(|| NOTHING.to_string(), |region| region.to_string()),
                region.map_or_else(
                    || NOTHING.to_string(),
                    |region| space.cell(patterns.representative(region)).to_string(),
                ),
                space.cell(next).to_string(),
                depth.map_or_else(|| NOTHING.to_string(), |depth| depth.to_string()),
            ]
        };
        for (region, pattern) in &self.steps {
            table.row(row(Some(*region), pattern.subgoal.unwrap_or(self.goal), pattern.depth));
        }
        let leads_to_region = self.steps.iter().all(|(_, pattern)| pattern.subgoal.is_some());
        if leads_to_region {
            let last = patterns.region(self.goal).filter(|_| !self.is_loop);
            table.row(row(last, self.goal, None));
        }
        table
    }
}
