//! How far legs and labels are that are being made anew.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::build::Ways;
use super::changed_legs::ChangedLegs;
use super::climbs::{Climbs, Core};
use super::thinning::Thinning;
use crate::hub_labels::{HopSearch, LabelUpdate, Labelling, LegGraph};
use crate::store::BuildProgress;

/// Legs and labels that are being made anew.
#[derive(Clone, Debug)]
pub(super) enum LabelRenewal {
    /// Legs that can have changed.
    Legs(Box<ChangedLegs>),
    /// The core of these legs, where only that has labels. So many corners that were retired have none.
    Core { legs: Arc<LegGraph>, thinning: Box<Thinning>, retired: usize },
    /// Labels for these legs.
    Labels { legs: LegGraph, labels: Relabelling, retired: usize },
    /// Labels for the core of these legs.
    LabelsOfCore { legs: Arc<LegGraph>, core: Box<Core>, labels: Box<Labelling>, retired: usize },
    /// Labels for corners outside it.
    Climbs { legs: Arc<LegGraph>, climbs: Box<Climbs>, retired: usize },
    /// The legs that ways by these labels begin with.
    Hops { made: Box<Ways>, hops: HopSearch, retired: usize },
    /// The first labels are in use, and it is seen what a decision takes.
    Bound,
}

/// Labels that are being made.
#[derive(Clone, Debug)]
pub(super) enum Relabelling {
    /// All of them anew, in an order of their own: much has changed.
    Anew(Box<Labelling>),
    /// Only those that legs have changed for, and what that took so far.
    Changed(Box<LabelUpdate>, u64),
}

impl LabelRenewal {
    /// How far it is.
    pub(super) fn progress(&self) -> BuildProgress {
        let (stage, (done, all)) = match self {
            Self::Legs(legs) => ("legs", legs.done()),
            Self::Core { thinning, .. } => ("the core", thinning.so_far()),
            Self::Labels { labels: Relabelling::Anew(labels), .. } => ("hubs", labels.done()),
            Self::Labels { legs, .. } => ("hubs", (0, legs.nodes() as u64)),
            Self::LabelsOfCore { labels, .. } => ("hubs of the core", labels.done()),
            Self::Climbs { climbs, .. } => ("gates", climbs.done()),
            Self::Hops { made, hops, .. } => ("first legs", hops.done(&made.labels)),
            Self::Bound => ("what decisions take", (0, 1)),
        };
        BuildProgress { stage, done, all }
    }
}

impl Relabelling {
    /// How many hubs there are so far, if all labels are made anew.
    pub(super) fn entries_anew(&self) -> Option<u64> {
        match self {
            Self::Anew(labelling) => Some(labelling.entries()),
            Self::Changed(..) => None,
        }
    }
}
