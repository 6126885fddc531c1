//! Patterns as one of many kinds of databases.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};

use surefoot::space::{Cell, GridSpace, State};
use surefoot::store::blocks::{BlockBuilder, build_in_blocks};
use surefoot::store::parallel::{in_parallel, threads};
use surefoot::store::{
    BuildEvent, BuiltFor, Database, DatabaseConfig, DatabaseError, DatabaseKind, Fact, Figure, FileInfo,
    Fixed, Follows, Maintained, Mark, Shade, Sketch, View, ViewError, Watch, thousands,
};

use super::blocks::{Builder, FORMAT};
use super::patterns::{
    CONTENTS, Pattern, PatternConfig, PatternContents, PatternDatabase, PatternFileInfo, PatternScratch,
};
use crate::draw_problems;
use crate::regions::RegionId;
use crate::regions::colours::{REGIONS, paint_labelled};

/// The kind of database that patterns are.
pub static KIND: DatabaseKind = DatabaseKind {
    name: CONTENTS,
    follows: Follows::No,
    open: |space, bytes| Ok(Arc::new(PatternDatabase::from_shared(space, &bytes)?)),
    inspect: |bytes| PatternDatabase::inspect(bytes).map(PatternFileInfo::describe),
    blocks: Some(FORMAT),
};

const WAY: Shade = Shade::Path(0);
const SUBGOALS: Shade = Shade::Path(1);

impl DatabaseConfig for PatternConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn build(&self, space: &GridSpace, watch: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        build_in_blocks(&Builder::new(space, *self)?, |done, all| {
            watch(BuildEvent::progress("regions", done, all)).is_continue()
        })
    }

    fn blocks<'w>(&self, space: &'w GridSpace) -> Result<Option<Box<dyn BlockBuilder + 'w>>, DatabaseError> {
        Ok(Some(Box::new(Builder::new(space, *self)?)))
    }

    fn least_power(&self) -> u32 {
        2
    }
}

impl Database for PatternDatabase {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn built_for(&self) -> Cow<'_, BuiltFor> {
        Cow::Borrowed(self.built_for())
    }

    fn config(&self) -> &dyn DatabaseConfig {
        self.config()
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.as_bytes())
    }

    fn states(&self) -> u64 {
        self.states()
    }

    /// The pairs of regions.
    fn entries(&self) -> u64 {
        self.pairs()
    }

    fn maintained(self: Arc<Self>) -> Box<dyn Maintained> {
        Box::new(Fixed(self))
    }

    /// The regions are found again, and all pairs are checked, or as many random ones as were asked for.
    fn verify(
        &self,
        space: &GridSpace,
        sample: u64,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Vec<Fact>, String> {
        self.verify_regions(space).map_err(|fault| fault.to_string())?;
        // A region and itself are a pair, but there is nothing to check of it.
        let all = self.pairs() - u64::from(self.regions());
        let ways = if all <= sample { all_ways(self) } else { some_ways(self, space, sample, seed) };
        let count = ways.values().map(|from| from.len() as u64).sum::<u64>();
        let ways: Vec<(RegionId, BTreeSet<RegionId>)> = ways.into_iter().collect();
        let mut done = 0;
        for some in ways.chunks(threads() * 16) {
            let checked = in_parallel(some, PatternScratch::default, |scratch, (goal, from)| {
                self.verify_ways(space, from.iter().copied(), *goal, scratch)
            });
            if let Some(fault) = checked.into_iter().filter_map(Result::err).min() {
                return Err(fault.to_string());
            }
            done += some.iter().map(|(_, from)| from.len() as u64).sum::<u64>();
            let _ = watch(BuildEvent::progress("checking pairs", done, count));
        }
        let what = match self.config().contents {
            PatternContents::Subgoals => "each subgoal lies next to its region, on a cheapest path",
            PatternContents::Depths { .. } => "each depth is the shallowest that serves, or the cap",
            PatternContents::SubgoalsAndBothDepths { .. } => {
                "each subgoal lies next to its region, on a cheapest path, and both depths are the shallowest that \
                 serve, or the cap"
            }
            _ => {
                "each subgoal lies next to its region, on a cheapest path, and each depth is the shallowest that \
                 serves, or the cap"
            }
        };
        let some = if count == all { "all".to_string() } else { format!("{} of", thousands(count)) };
        let (regions, level) = (thousands(self.regions().into()), self.config().level);
        Ok(Vec::from([
            Fact::new("regions", format!("{regions}, those of level {level}")),
            Fact::new("checked", format!("{some} {} pairs: {what}", thousands(all))),
        ]))
    }

    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        let contents = "the regions of one level";
        if view.record.is_some() || view.level.is_some() {
            let option = if view.record.is_some() { "--record" } else { "--level" };
            return Err(ViewError::NotForThis { option, contents });
        }
        let mut marks = paint_labelled(space, self.regions(), |state| self.region(state));
        let Some((from, to)) = view.way else {
            return Ok(Sketch { legend: vec![REGIONS], ..Sketch::of(marks) });
        };
        let none = ViewError::NoWay { from: space.cell(from), to: space.cell(to) };
        let way = PatternWay::new(self, (from, to)).ok_or(none)?;
        marks.extend(way.marks(space));
        let legend = vec![REGIONS, (SUBGOALS, "subgoals"), (WAY, "from each to the next")];
        Ok(Sketch { legend, ..Sketch::of(marks) }
            .with_table(vec!["region", "stands for it", "next", "depth"], way.rows(self, space)))
    }
}

/// For each goal region the regions from which a way leads there.
type PairsByGoal = BTreeMap<RegionId, BTreeSet<RegionId>>;

fn all_ways(patterns: &PatternDatabase) -> PairsByGoal {
    let regions = RegionId::first(patterns.regions());
    let mut ways = PairsByGoal::new();
    for goal in regions.clone() {
        let from = regions.clone().filter(|&from| patterns.pattern(from, goal).is_some());
        // To collect them would sort first.
        ways.entry(goal).or_default().extend(from);
    }
    ways
}

/// The pairs of regions of random problems.
fn some_ways(patterns: &PatternDatabase, space: &GridSpace, sample: u64, seed: u64) -> PairsByGoal {
    let mut ways = PairsByGoal::new();
    for (start, goal) in draw_problems(space, sample, seed) {
        let (Some(from), Some(goal)) = (patterns.region(start), patterns.region(goal)) else { continue };
        if from != goal {
            ways.entry(goal).or_default().insert(from);
        }
    }
    ways
}

/// What the database says on the way from one state to another, if each subgoal is reached.
struct PatternWay {
    start: State,
    goal: State,
    /// The regions that it comes through before the goal's, and what is stored for the way on from there.
    steps: Vec<(RegionId, Pattern)>,
    /// Whether it comes back to a region: agents head for the goal itself then.
    is_loop: bool,
}

impl PatternWay {
    /// `None` if no way leads there.
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

    fn marks(&self, space: &GridSpace) -> [Mark; 4] {
        let cell = |state| space.cell(state);
        let subgoals: Vec<Cell> =
            self.steps.iter().filter_map(|(_, pattern)| pattern.subgoal).map(cell).collect();
        let (start, goal) = (cell(self.start), cell(self.goal));
        let line = [start].into_iter().chain(subgoals.iter().copied()).chain((!self.is_loop).then_some(goal));
        [
            Mark::Path(line.collect(), WAY),
            Mark::Spots(subgoals, SUBGOALS),
            Mark::Start(start),
            Mark::Goal(goal),
        ]
    }

    fn rows(&self, patterns: &PatternDatabase, space: &GridSpace) -> Vec<Vec<String>> {
        let nothing = || "-".to_string();
        let row = |region: Option<RegionId>, next: State, depth: Option<u32>| {
            vec![
                region.map_or_else(nothing, |region| region.to_string()),
                region.map_or_else(nothing, |region| space.cell(patterns.representative(region)).to_string()),
                space.cell(next).to_string(),
                depth.map_or_else(nothing, |depth| depth.to_string()),
            ]
        };
        let step = |(region, pattern): &(RegionId, Pattern)| {
            row(Some(*region), pattern.subgoal.unwrap_or(self.goal), pattern.depth)
        };
        let mut rows: Vec<Vec<String>> = self.steps.iter().map(step).collect();
        let leads_to_region = self.steps.iter().all(|(_, pattern)| pattern.subgoal.is_some());
        if leads_to_region {
            let last = patterns.region(self.goal).filter(|_| !self.is_loop);
            rows.push(row(last, self.goal, None));
        }
        rows
    }
}

impl PatternFileInfo {
    /// What there is to say of it.
    fn describe(self) -> FileInfo {
        let per_pair = self.bytes as f64 / self.pairs.max(1) as f64;
        let facts = Vec::from([
            Fact::new("regions", thousands(self.regions.into())).with_count("regions", self.regions.into()),
            Fact::new("pairs", format!("{}, of regions with a way between them", thousands(self.pairs)))
                .with_count("pairs", self.pairs),
            Fact::new("bytes", format!("{}, {per_pair:.2} a pair", thousands(self.bytes)))
                .with("bytes_per_pair", Figure::Ratio(per_pair)),
        ]);
        let Self { version, built_for, config, bytes, sections, .. } = self;
        let contents = CONTENTS.to_string();
        FileInfo { contents, version, built_for, config: Box::new(config), facts, bytes, sections }
    }
}
