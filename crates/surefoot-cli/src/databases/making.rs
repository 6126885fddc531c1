//! Databases in the making.

use std::ops::ControlFlow;
use std::sync::Arc;

use surefoot::space::GridSpace;
use surefoot::store::blocks::{Block, BlockBuilder, Blocks};
use surefoot::store::part::Part;
use surefoot::store::{BuildEvent, Database, DatabaseConfig};

use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::tell;
use crate::parallel;
use crate::progress::Progress;

/// What is said if a build is ended early of which nothing is kept.
pub(crate) const STOPPED: &str = "surefoot: stopped while building the database; nothing was written";

/// How far a build or a check is: a bar for each of its stages.
pub(crate) struct BuildProgress {
    label: String,
    /// Whether what is worth a line is told.
    tells: bool,
    stage: String,
    /// Of the stage at hand. `None` between two.
    bar: Option<Progress>,
}

impl BuildProgress {
    /// Before the first stage.
    pub(crate) fn new(label: String) -> Self {
        Self { label, tells: false, stage: String::new(), bar: None }
    }

    /// The same for those who asked for nothing but the database: they are told what is worth a line.
    pub(crate) fn telling(label: String) -> Self {
        Self { tells: true, ..Self::new(label) }
    }

    /// Shows what happened.
    pub(crate) fn show(&mut self, event: BuildEvent) -> ControlFlow<()> {
        match event {
            BuildEvent::Progress { stage, done, all } => {
                // Behind a comma it is told what came of the stage so far.
                let name = stage.split(", ").next().unwrap_or_default();
                if self.stage != name {
                    // The bar of another stage says nothing about this one.
                    (self.stage, self.bar) = (name.to_string(), None);
                }
                let label = format!("{}, {stage}", self.label);
                let bar = self.bar.get_or_insert_with(|| Progress::new(label.clone(), all));
                bar.label(&label);
                bar.set(done, all);
            }
            BuildEvent::Note(note) => {
                // A bar and a line would write over each other.
                self.bar = None;
                if self.tells {
                    tell(&format!("{}: {note}", self.label));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Builds a database in one go, on all threads of the pool that this is called in.
pub(crate) fn build_at_once(
    space: &GridSpace,
    config: &dyn DatabaseConfig,
    mut progress: BuildProgress,
) -> Result<Arc<dyn Database>, Failure> {
    config.build(space, &mut |event| progress.show(event)).map_err(Failure::other)
}

/// Makes all blocks of a part that are not there yet. `keep` is handed each with its number. How many pieces
/// were there before.
pub(crate) fn make_blocks(
    builder: &dyn BlockBuilder,
    part: &mut Part,
    threads: usize,
    label: String,
    mut keep: impl FnMut(u64, &Block) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let Part { head, blocks, .. } = part;
    let before = blocks.keys().map(|&block| head.pieces_of(block)).sum();
    let mut progress = Progress::with_rate(label, head.plan.unit(), head.pieces(), before);
    let missing: Vec<u64> = head.blocks().filter(|block| !blocks.contains_key(block)).collect();
    let mut made = before;
    parallel::for_each_done(
        threads,
        missing.into_iter(),
        || builder.scratch(),
        |scratch, number| (number, builder.make(number, &mut **scratch)),
        |(number, block)| {
            keep(number, &block)?;
            blocks.insert(number, block);
            made += head.pieces_of(number);
            progress.done(made);
            Ok(())
        },
    )?;
    Ok(before)
}

/// Puts all blocks of a database together, and says so if they should make one wonder.
pub(crate) fn finish(builder: &dyn BlockBuilder, blocks: &Blocks) -> Result<Arc<dyn Database>, Failure> {
    let database = builder.finish(blocks).map_err(Failure::other)?;
    let (_, warning) = builder.plan().describe(blocks, 0);
    warning.iter().for_each(|warning| tell(warning));
    Ok(database)
}

/// Builds a database in memory, on all cores.
pub(super) fn build(
    space: &GridSpace,
    config: &dyn DatabaseConfig,
    label: String,
) -> Result<Arc<dyn Database>, Failure> {
    let _parting = Parting::new(STOPPED.to_string());
    let Some(builder) = config.blocks(space).map_err(Failure::other)? else {
        return build_at_once(space, config, BuildProgress::new(label));
    };
    let mut part = Part::new(space, &*builder, (1, 1));
    make_blocks(&*builder, &mut part, parallel::all_cores(), label, |_, _| Ok(()))?;
    finish(&*builder, &part.blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_a_bar_of_its_own() {
        let mut progress = BuildProgress::new("building".to_string());
        for (stage, name) in
            [("legs of 1,234 nodes", "legs of 1,234 nodes"), ("hubs, 1 entry", "hubs"), ("hubs, 2", "hubs")]
        {
            assert!(progress.show(BuildEvent::progress(stage, 1, 2)).is_continue());
            assert!(progress.stage == name && progress.bar.is_some());
        }
        let _ = progress.show(BuildEvent::Note("a line".to_string()));
        assert!(progress.bar.is_none());
    }
}
