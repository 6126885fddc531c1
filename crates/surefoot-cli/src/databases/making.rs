//! Databases in the making.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use surefoot::database::{
    BeaconDatabase, BeaconOutlook, BeaconStage, Block, Database, DatabaseConfig, DatabaseError, PartConfig,
    PatternBuilder, PatternScratch, SubgoalBuilder, TransitConfig, TransitDatabase, TransitStage,
};
use surefoot::search::GridPlanner;
use surefoot::space::GridSpace;

use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::tell;
use crate::parallel;
use crate::progress::Progress;
use crate::table::thousands;

/// What is said if a build is ended early of which nothing is kept.
pub(crate) const STOPPED: &str = "surefoot: stopped while building the database; nothing was written";

/// Blocks, by their numbers.
pub(crate) type Blocks = BTreeMap<u64, Block>;

/// Makes a database block by block.
pub(crate) enum BlockBuilder<'w> {
    Subgoals(SubgoalBuilder<'w, GridSpace>),
    Patterns(PatternBuilder<'w, GridSpace>),
}

impl<'w> BlockBuilder<'w> {
    /// A builder of what is built from `config`; nothing if that is built in one go.
    pub(crate) fn new(space: &'w GridSpace, config: DatabaseConfig) -> Result<Option<Self>, Failure> {
        Ok(match config {
            DatabaseConfig::Subgoals(config) => Some(Self::Subgoals(SubgoalBuilder::new(space, config))),
            DatabaseConfig::Patterns(config) => {
                Some(Self::Patterns(PatternBuilder::new(space, config).map_err(Failure::other)?))
            }
            _ => None,
        })
    }

    /// What is built, as parts have it.
    pub(crate) fn config(&self) -> PartConfig {
        match self {
            Self::Subgoals(builder) => PartConfig::Subgoals(*builder.config()),
            Self::Patterns(builder) => {
                PartConfig::Patterns { config: *builder.config(), regions: builder.columns() }
            }
        }
    }

    /// What a block consists of.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Self::Subgoals(_) => "records",
            Self::Patterns(_) => "regions",
        }
    }

    fn blocks(&self) -> u64 {
        match self {
            Self::Subgoals(builder) => builder.blocks(),
            Self::Patterns(builder) => builder.blocks(),
        }
    }

    /// Makes blocks on `threads` threads. Each is handed to `done` with its number and that of its pieces.
    pub(crate) fn make(
        &self,
        blocks: impl Iterator<Item = u64> + Send,
        threads: usize,
        mut done: impl FnMut(u64, Block, u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let config = self.config();
        let done = |(number, block): (u64, Block)| {
            let pieces = config.pieces_of(number);
            done(number, block, pieces.end - pieces.start)
        };
        match self {
            Self::Subgoals(builder) => {
                let paths = builder.config().paths;
                parallel::for_each_done(
                    threads,
                    blocks,
                    || GridPlanner::new(paths),
                    |planner, block| (block, Block::Records(builder.block(block, planner))),
                    done,
                )
            }
            Self::Patterns(builder) => parallel::for_each_done(
                threads,
                blocks,
                PatternScratch::default,
                |scratch, block| (block, Block::Columns(builder.block(block, scratch))),
                done,
            ),
        }
    }

    /// Puts all blocks together.
    pub(crate) fn finish(&self, blocks: Blocks) -> Result<Database, Failure> {
        let (mut records, mut columns) = (Vec::new(), Vec::new());
        for block in blocks.into_values() {
            match block {
                Block::Records(more) => records.extend(more),
                Block::Columns(more) => columns.extend(more),
                _ => return Err(Failure::Other("a block is not what was asked for".to_string())),
            }
        }
        match self {
            Self::Subgoals(builder) => {
                builder.finish(records).map(|database| Database::Subgoals(Arc::new(database)))
            }
            Self::Patterns(builder) => {
                builder.finish(&columns).map(|database| Database::Patterns(Arc::new(database)))
            }
        }
        .map_err(Failure::other)
    }
}

/// Says so if there are fewer records than were asked for.
pub(crate) fn warn_of_missing(records: u64, asked: u64) {
    if records < asked {
        let why = "the map has hardly any two cells with a way of two moves or more between them";
        tell(&format!("only {records} of {asked} records could be made: {why}"));
    }
}

/// Builds what is built in one go, on all threads of the pool that this is called in.
fn build_at_once(space: &GridSpace, config: DatabaseConfig, label: String) -> Result<Database, Failure> {
    build_with(space, config, BeaconProgress::new(label))
}

/// The same, for those who asked for nothing but the database: of beacons it is told how many corners there are before their labels are begun.
pub(crate) fn build_telling(
    space: &GridSpace,
    config: DatabaseConfig,
    label: String,
) -> Result<Database, Failure> {
    build_with(space, config, BeaconProgress { tells: true, ..BeaconProgress::new(label) })
}

fn build_with(
    space: &GridSpace,
    config: DatabaseConfig,
    mut progress: BeaconProgress,
) -> Result<Database, Failure> {
    match config {
        DatabaseConfig::Beacons(config) => {
            let beacons = BeaconDatabase::build_with(space, config, |stage| {
                progress.begin(stage);
                match stage.is_too_much() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            let reason = match beacons {
                Ok(beacons) => return Ok(Database::Beacons(Arc::new(beacons))),
                Err(DatabaseError::Unsuitable { .. }) => "ground has weights, which corners do not know",
                Err(DatabaseError::TooLarge { .. }) => {
                    "the map is so cluttered that hub labels take too much room"
                }
                Err(error) => return Err(Failure::other(error)),
            };
            progress.progress = None;
            if progress.tells {
                tell(&format!("{}: {reason}: transit* takes the place of beacon*", progress.label));
            }
            build_transit(space, config.in_place(), &progress.label)
        }
        DatabaseConfig::Transit(config) => build_transit(space, config, &progress.label),
        // So fast that there is no progress to tell of.
        _ => Database::build(space, config),
    }
    .map_err(Failure::other)
}

/// Builds transit nodes, and shows how far they are.
fn build_transit(space: &GridSpace, config: TransitConfig, label: &str) -> Result<Database, DatabaseError> {
    let mut progress = Progress::new(format!("{label}, transit nodes"), 1);
    let transit = TransitDatabase::build_with(space, config, |stage| {
        match stage {
            TransitStage::Legs(nodes) => {
                progress.label(&format!("{label}, legs of {} transit nodes", thousands(u64::from(nodes))));
            }
            TransitStage::Hubs(done, all, entries) => {
                progress.label(&format!("{label}, hubs, {} entries", thousands(entries)));
                progress.set(u64::from(done), u64::from(all));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    transit.map(|transit| Database::Transit(Arc::new(transit)))
}

/// From so many hubs on they are told of before they are begun: about 8 MB in memory.
const MANY_HUBS: u64 = 1_000_000;

/// How far beacons in the making are.
pub(crate) struct BeaconProgress {
    label: String,
    /// Of the stage at hand; nothing between two.
    progress: Option<Progress>,
    has_hubs: bool,
    /// Whether what was found is told.
    tells: bool,
}

impl BeaconProgress {
    /// Before the first stage.
    pub(crate) fn new(label: String) -> Self {
        Self { label, progress: None, has_hubs: false, tells: false }
    }

    /// Tells what labels will be made of.
    fn tell(&mut self, what: &str, outlook: BeaconOutlook) {
        // A bar and a line would write over each other.
        self.progress = None;
        if self.tells {
            let BeaconOutlook { corners, legs, hubs, .. } = outlook;
            tell(&format!("{}: {}", self.label, found(what, corners, legs, hubs)));
        }
    }

    /// Tells of a stage.
    pub(crate) fn begin(&mut self, stage: BeaconStage) {
        match stage {
            BeaconStage::Legs => {
                self.progress = Some(Progress::new(format!("{}, corners and legs", self.label), 1));
            }
            BeaconStage::Found(outlook) => self.tell("corners", outlook),
            BeaconStage::Thinning(done, all) => {
                if self.has_hubs {
                    (self.has_hubs, self.progress) = (false, None);
                }
                let label = format!("{}, the core", self.label);
                let progress = self.progress.get_or_insert_with(|| Progress::new(label, u64::from(all)));
                progress.set(u64::from(done), u64::from(all));
            }
            BeaconStage::Core(outlook) => {
                self.has_hubs = false;
                self.tell("corners in the core, which alone get labels", outlook);
            }
            BeaconStage::Hubs(done, all, entries) => {
                let (done, all) = (u64::from(done), u64::from(all));
                if !self.has_hubs {
                    // The bar of another stage says nothing about this one.
                    (self.has_hubs, self.progress) = (true, None);
                }
                let label = format!("{}, hubs, {} entries", self.label, thousands(entries));
                let progress = self.progress.get_or_insert_with(|| Progress::new(label.clone(), all));
                progress.label(&label);
                progress.set(done, all);
            }
            _ => {}
        }
    }
}

/// What there is to say before labels are begun.
fn found(what: &str, corners: u32, legs: u64, hubs: Option<u64>) -> String {
    let expected = match hubs {
        Some(hubs) if hubs > MANY_HUBS => format!("; about {} hubs are to be expected", thousands(hubs)),
        _ => String::new(),
    };
    format!("{} {what}, {} legs between them{expected}", thousands(u64::from(corners)), thousands(legs))
}

/// Builds a database in memory, on all cores.
pub(super) fn build(space: &GridSpace, config: DatabaseConfig, label: String) -> Result<Database, Failure> {
    let _parting = Parting::new(STOPPED.to_string());
    let Some(builder) = BlockBuilder::new(space, config)? else {
        return build_at_once(space, config, label);
    };
    let all = 0..builder.blocks();
    let last = builder.config().pieces_of(all.end.saturating_sub(1));
    let mut progress = Progress::with_rate(label, builder.unit(), last.end, 0);
    let (mut blocks, mut made) = (Blocks::new(), 0);
    builder.make(all, parallel::all_cores(), |number, block, pieces| {
        made += pieces;
        progress.done(made);
        blocks.insert(number, block);
        Ok(())
    })?;
    let database = builder.finish(blocks)?;
    if let (Database::Subgoals(subgoals), DatabaseConfig::Subgoals(config)) = (&database, config) {
        warn_of_missing(subgoals.len() as u64, config.records);
    }
    Ok(database)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_corners_are_told_before_labels_are_begun() {
        assert_eq!(found("corners", 1_234, 56_789, Some(9)), "1,234 corners, 56,789 legs between them");
        assert!(
            found("corners", 1, 1, Some(7_654_321)).ends_with("; about 7,654,321 hubs are to be expected")
        );
    }
}
