//! Transit nodes as one of many kinds of databases.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{CONTENTS, TransitConfig, TransitDatabase, TransitFileInfo, TransitStage};
use crate::space::{Cell, GridSpace};
use crate::store::{
    Answers, BuildEvent, BuiltFor, Checkpoint, Database, DatabaseConfig, DatabaseError, DatabaseKind, Edited,
    Fact, FileInfo, Follows, Maintained, Mark, Shade, Sketch, Upkeep, View, ViewError, Watch, thousands,
};

/// The kind of database that transit nodes are.
pub static KIND: DatabaseKind = DatabaseKind {
    name: CONTENTS,
    follows: Follows::BesideFile(|space, bytes| {
        Ok(Box::new(Arc::new(TransitDatabase::resumed(space, bytes)?)))
    }),
    open: |space, bytes| Ok(Arc::new(TransitDatabase::from_shared(space, &bytes)?)),
    inspect: |bytes| TransitDatabase::inspect(bytes).map(TransitFileInfo::describe),
    blocks: None,
};

impl DatabaseConfig for TransitConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn build(&self, space: &GridSpace, watch: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        let mut is_cancelled = false;
        let built = TransitDatabase::build_with(space, *self, |stage| {
            is_cancelled |= watch(event(stage)).is_break();
            if is_cancelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if is_cancelled { Err(DatabaseError::Cancelled) } else { Ok(Arc::new(built?)) }
    }

    /// Fewer nodes, so that more ways lead over none.
    fn instead(&self) -> Option<Box<dyn DatabaseConfig>> {
        let left = [1_500, 4_000].into_iter().find(|&left| left > self.left)?;
        Some(Box::new(self.with_left(left)))
    }
}

/// What is told of a stage.
fn event(stage: TransitStage) -> BuildEvent {
    match stage {
        TransitStage::Nodes => BuildEvent::progress("transit nodes", 0, 1),
        TransitStage::Legs(nodes) => {
            BuildEvent::progress(format!("legs of {} transit nodes", thousands(nodes.into())), 0, 1)
        }
        TransitStage::Hubs(done, all, entries) => {
            BuildEvent::progress(format!("hubs, {} entries", thousands(entries)), done.into(), all.into())
        }
    }
}

impl Database for TransitDatabase {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn built_for(&self) -> Cow<'_, BuiltFor> {
        Cow::Borrowed(self.built_for())
    }

    fn is_repaired(&self) -> bool {
        self.edits.is_some()
    }

    fn config(&self) -> &dyn DatabaseConfig {
        self.config()
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.as_bytes())
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn states(&self) -> u64 {
        self.states()
    }

    fn answers(self: Arc<Self>) -> Option<Arc<dyn Answers>> {
        Some(self)
    }

    fn renewed(&self, space: &GridSpace) -> Result<Arc<dyn Database>, DatabaseError> {
        Ok(Arc::new(self.renewed(space)?))
    }

    fn maintained(self: Arc<Self>) -> Box<dyn Maintained> {
        Box::new(self)
    }

    fn verify(&self, space: &GridSpace, _: u64, _: u64, watch: Watch<'_>) -> Result<Vec<Fact>, String> {
        self.verify_with(space, |stage| {
            let _ = watch(event(stage));
        })
        .map_err(|fault| fault.to_string())?;
        Ok(Vec::from([Fact::new("rebuilt", "all of it is what is built from the map anew")]))
    }

    /// The nodes, and the legs between them.
    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        let contents = "transit nodes and legs between them, which are shown all at once";
        let option = match view {
            View { way: Some(_), .. } => "--from",
            View { record: Some(_), .. } => "--record",
            View { level: Some(_), .. } => "--level",
            _ => {
                let nodes = 0..self.figures().nodes;
                let cell = |node| self.state(node).map(|state| space.cell(state));
                let legs = nodes.clone().flat_map(|from| {
                    let ends = self.legs(from).map(|(to, _)| to).filter(move |&to| to > from);
                    ends.filter_map(move |to| Some([cell(from)?, cell(to)?]))
                });
                let marks = Vec::from([
                    Mark::Lines(legs.collect(), Shade::Line),
                    Mark::Dots(nodes.filter_map(cell).collect(), Shade::Path(0)),
                ]);
                let legend =
                    Vec::from([(Shade::Path(0), "transit nodes"), (Shade::Line, "legs between them")]);
                return Ok(Sketch { legend, ..Sketch::of(marks) });
            }
        };
        Err(ViewError::NotForThis { option, contents })
    }
}

/// The one who owns it repairs it in place. Agents keep their ways, and wait for new ones where they are
/// blocked.
impl Maintained for Arc<TransitDatabase> {
    fn database(&self) -> Arc<dyn Database> {
        Arc::<TransitDatabase>::clone(self)
    }

    fn edit(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let work = Arc::make_mut(self).repair_but_labels(space, changed.iter().copied()).ok()?;
        Some(Edited { work, is_new: true, retired: Vec::new() })
    }

    fn is_upkeep_due(&self) -> bool {
        self.is_labelling()
    }

    fn upkeep(&mut self, space: &GridSpace) -> Option<Upkeep> {
        if !self.is_labelling() {
            return None;
        }
        let piece = Arc::make_mut(self).label_on(space)?;
        Some(Upkeep { work: piece.work, is_last: piece.is_last, is_milestone: piece.is_last })
    }

    fn checkpoint(&self) -> Option<Arc<dyn Checkpoint>> {
        self.is_whole().then(|| Arc::<TransitDatabase>::clone(self) as _)
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(self.clone())
    }
}

impl TransitFileInfo {
    /// What there is to say of it.
    fn describe(self) -> FileInfo {
        let figures = &self.figures;
        let nodes = u64::from(figures.nodes);
        let per_node = |count: u64| count as f64 / nodes.max(1) as f64;
        let facts = Vec::from([
            Fact::new("nodes", thousands(nodes)).with_count("nodes", nodes),
            Fact::new(
                "legs",
                format!("{}, {:.1} a node", thousands(figures.legs), per_node(2 * figures.legs)),
            )
            .with_count("legs", figures.legs)
            .with_count("moves", figures.moves)
            .with_count("most_legs", figures.most_legs.into()),
            Fact::new(
                "hubs",
                format!(
                    "{:.1} a node, {} at most, {} in all",
                    per_node(figures.hubs),
                    thousands(figures.most_hubs.into()),
                    thousands(figures.hubs)
                ),
            )
            .with_count("hubs", figures.hubs)
            .with_count("most_hubs", figures.most_hubs.into()),
            Fact::new(
                "reach",
                format!("{} states around either end of a way", thousands(figures.reach.into())),
            )
            .with_count("reach", figures.reach.into()),
            Fact::new("promise", "every walk arrives; nearly all cost what a cheapest path costs"),
            Fact::new("bytes", thousands(self.bytes)),
        ]);
        let Self { version, built_for, config, bytes, sections, .. } = self;
        let contents = CONTENTS.to_string();
        FileInfo { contents, version, built_for, config: Box::new(config), facts, bytes, sections }
    }
}
