//! Beacons as one of many kinds of databases.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::edits::Piece;
use super::{BeaconConfig, BeaconDatabase, BeaconFileInfo, BeaconOutlook, BeaconStage, CONTENTS, Labelled};
use crate::space::{Cell, GridSpace};
use crate::store::{
    Answers, BuildEvent, BuildState, BuiltFor, Checkpoint, Database, DatabaseConfig, DatabaseError,
    DatabaseKind, Edited, Fact, Figure, FileInfo, Follows, Maintained, Sketch, Upkeep, View, ViewError,
    Watch, thousands,
};

/// The kind of database that beacons are.
pub static KIND: DatabaseKind = DatabaseKind {
    name: CONTENTS,
    follows: Follows::BesideFile(|space, bytes| {
        Ok(Box::new(Arc::new(BeaconDatabase::resumed(space, bytes)?)))
    }),
    open: |space, bytes| Ok(Arc::new(BeaconDatabase::from_shared(space, &bytes)?)),
    inspect: |bytes| BeaconDatabase::inspect(bytes).map(BeaconFileInfo::describe),
    blocks: None,
};

/// From so many hubs on they are told of before they are begun: about 8 MB in memory.
const MANY_HUBS: u64 = 1_000_000;

impl DatabaseConfig for BeaconConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    /// Where there can be no beacons, because ground has weights or the map is too cluttered, transit nodes
    /// take their place.
    fn build(&self, space: &GridSpace, watch: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        let mut is_cancelled = false;
        let built = BeaconDatabase::build_with(space, *self, |stage| {
            is_cancelled |= watch(event(stage)).is_break();
            if is_cancelled || stage.is_too_much() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if is_cancelled {
            return Err(DatabaseError::Cancelled);
        }
        let reason = match built {
            Ok(beacons) => return Ok(Arc::new(beacons)),
            Err(DatabaseError::Unsuitable { .. }) => "ground has weights, which corners do not know",
            Err(DatabaseError::TooLarge { .. }) => {
                "the map is so cluttered that hub labels take too much room"
            }
            Err(error) => return Err(error),
        };
        let note = BuildEvent::Note(format!("{reason}: transit* takes the place of beacon*"));
        if watch(note).is_break() {
            return Err(DatabaseError::Cancelled);
        }
        self.in_place().build(space, watch)
    }

    /// Where ground has weights, transit nodes take their place, which are built in one go.
    fn begin(&self, space: &GridSpace) -> Result<Option<Arc<dyn Database>>, DatabaseError> {
        match BeaconDatabase::without_labels(space, *self) {
            Ok(begun) => Ok(Some(Arc::new(begun))),
            Err(DatabaseError::Unsuitable { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Labels of the core alone, then transit nodes.
    fn instead(&self) -> Option<Box<dyn DatabaseConfig>> {
        Some(match self.labels {
            Labelled::Core => Box::new(self.in_place()),
            _ => Box::new(self.with_labels(Labelled::Core)),
        })
    }
}

/// What is told of a stage.
fn event(stage: BeaconStage) -> BuildEvent {
    match stage {
        BeaconStage::Legs => BuildEvent::progress("corners and legs", 0, 1),
        BeaconStage::Found(outlook) => BuildEvent::Note(found("corners", outlook)),
        BeaconStage::Thinning(done, all) => BuildEvent::progress("the core", done.into(), all.into()),
        BeaconStage::Core(outlook) => {
            BuildEvent::Note(found("corners in the core, which alone get labels", outlook))
        }
        BeaconStage::Hubs(done, all, entries) => {
            BuildEvent::progress(format!("hubs, {} entries", thousands(entries)), done.into(), all.into())
        }
    }
}

/// What there is to say before labels are begun.
fn found(what: &str, BeaconOutlook { corners, legs, hubs }: BeaconOutlook) -> String {
    let expected = match hubs {
        Some(hubs) if hubs > MANY_HUBS => format!("; about {} hubs are to be expected", thousands(hubs)),
        _ => String::new(),
    };
    format!("{} {what}, {} legs between them{expected}", thousands(corners.into()), thousands(legs))
}

impl Database for BeaconDatabase {
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

    fn instead(&self) -> Option<Box<dyn DatabaseConfig>> {
        // The same core would be built once more.
        if self.figures().is_thin {
            Some(Box::new(self.config().in_place()))
        } else {
            self.config().instead()
        }
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
        let figures = self.figures();
        Ok(Vec::from([
            Fact::new("corners", format!("{}, those of the map", thousands(figures.corners.into()))),
            Fact::new("legs", format!("{}, those between them", thousands(figures.legs))),
            Fact::new("rebuilt", "all of it is what is built from the map anew"),
        ]))
    }

    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        super::sketch::sketch(self, space, view)
    }
}

/// The one who owns it repairs it in place. Others who share it keep what it was.
impl Maintained for Arc<BeaconDatabase> {
    fn database(&self) -> Arc<dyn Database> {
        Arc::<BeaconDatabase>::clone(self)
    }

    fn edit(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let report = Arc::make_mut(self).repair_but_labels(space, changed.iter().copied()).ok()?;
        Some(Edited { work: report.work, is_new: false, retired: report.retired })
    }

    fn edit_fully(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let report = Arc::make_mut(self).repair(space, changed.iter().copied()).ok()?;
        Some(Edited { work: report.work, is_new: false, retired: report.retired })
    }

    fn is_upkeep_due(&self) -> bool {
        self.is_labelling()
    }

    fn upkeep(&mut self, space: &GridSpace) -> Option<Upkeep> {
        if !self.is_labelling() {
            return None;
        }
        let Piece { work, is_last } = Arc::make_mut(self).label_on(space)?;
        Some(Upkeep { work, is_last, is_milestone: self.is_milestone() })
    }

    fn checkpoint(&self) -> Option<Arc<dyn Checkpoint>> {
        self.is_whole().then(|| Arc::<BeaconDatabase>::clone(self) as _)
    }

    fn build_state(&self) -> BuildState {
        self.state_of_first()
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(self.clone())
    }
}

impl BeaconFileInfo {
    /// What there is to say of it.
    fn describe(self) -> FileInfo {
        let figures = &self.figures;
        let corners = u64::from(figures.corners);
        let spread = match self.config.bound {
            Some(_) => "; one that takes more is spread over the first moves, while the unit waits",
            None => "",
        };
        let per_corner = |count: u64| count as f64 / corners.max(1) as f64;
        let (decision, next_leg) = (thousands(figures.decision), thousands(figures.next_leg));
        let core = match figures.is_thin {
            true => {
                let core = thousands(figures.core.into());
                format!("{}; {core} of them are the core and have labels", thousands(corners))
            }
            false => thousands(corners),
        };
        let hubs = format!(
            "{:.1} a corner, {} at most, {} in all",
            per_corner(figures.hubs),
            thousands(figures.most_hubs.into()),
            thousands(figures.hubs)
        );
        let facts = Vec::from([
            Fact::new("corners", core)
                .with_count("corners", corners)
                .with_count("core", figures.core.into())
                .with("is_thin", Figure::Flag(figures.is_thin)),
            Fact::new(
                "legs",
                format!("{}, {:.1} a corner", thousands(figures.legs), per_corner(2 * figures.legs)),
            )
            .with_count("legs", figures.legs)
            .with_count("most_legs", figures.most_legs.into()),
            Fact::new("hubs", hubs)
                .with_count("hubs", figures.hubs)
                .with_count("most_hubs", figures.most_hubs.into()),
            Fact::new("promise", "every walk costs what a cheapest path costs"),
            Fact::new("bytes", thousands(self.bytes)),
            Fact::new(
                "memory",
                format!("{} bytes that agents look up, once it is opened", thousands(figures.memory)),
            )
            .with_count("memory_bytes", figures.memory),
            Fact::new(
                "a move",
                format!("a decision looks up at most {decision}, a corner at most {next_leg}{spread}"),
            )
            .with_count("decision", figures.decision)
            .with_count("next_leg", figures.next_leg),
        ]);
        let Self { version, built_for, config, bytes, sections, .. } = self;
        let contents = CONTENTS.to_string();
        FileInfo { contents, version, built_for, config: Box::new(config), facts, bytes, sections }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_corners_are_told_before_labels_are_begun() {
        let outlook = |corners, legs, hubs| BeaconOutlook { corners, legs, hubs };
        assert_eq!(
            found("corners", outlook(1_234, 56_789, Some(9))),
            "1,234 corners, 56,789 legs between them"
        );
        let many = found("corners", outlook(1, 1, Some(7_654_321)));
        assert!(many.ends_with("; about 7,654,321 hubs are to be expected"));
    }
}
