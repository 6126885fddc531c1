//! Beacons that are built piece by piece: a few pieces in each frame of a game.
//!
//! All corners are there at once, and no labels. What makes labels anew after edits makes these, too, so that
//! the map may be edited meanwhile. If it is not, what comes of it is what [`BeaconDatabase::build`] makes,
//! byte for byte.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use super::build::{Parts, Ways};
use super::corners::Corners;
use super::renewal::LabelRenewal;
use super::sight::Sight;
use super::tuning::LOOKS;
use super::turns::Turns;
use super::{BeaconConfig, BeaconDatabase, BeaconOutlook, BeaconStage, Labelled};
use crate::hub_labels::{HubLabels, LegGraph};
use crate::space::{Cell, GridSpace};
use crate::store::container::{BuiltFor, DatabaseError, SharedBytes};
use crate::store::{BuildProgress, BuildState};

/// What is known of a build that is done piece by piece.
#[derive(Clone, Debug)]
pub(super) struct FirstLabels {
    /// Which corners get labels, as far as that is known.
    pub(super) labelled: Labelled,
    /// The cells that it is still to be seen from how much a decision takes.
    pub(super) sample: Vec<Cell>,
    /// The most that it takes, from those that were looked around from.
    pub(super) worst: u64,
    /// Whether there will be too many hubs.
    pub(super) is_too_much: bool,
    /// Whether the map was edited since it began.
    pub(super) is_edited: bool,
}

impl FirstLabels {
    /// Whether only the core of these legs is to have labels.
    pub(super) fn is_for_core(&mut self, sight: Sight<'_>, legs: &LegGraph) -> bool {
        let found =
            BeaconOutlook::new(sight.space, sight.corners.count() as u32, legs.leg_count() as u64 / 2);
        self.note(BeaconStage::Found(found));
        // No guess is off by so much.
        if self.labelled == Labelled::Auto && found.hubs.unwrap_or(0) / 4 > Labelled::MOST_OF_ALL {
            self.labelled = Labelled::Core;
        }
        self.labelled == Labelled::Core
    }

    /// Takes note of how far it is.
    pub(super) fn note(&mut self, stage: BeaconStage) {
        self.is_too_much |= stage.is_too_much();
    }

    /// Whether so many hubs are too many for labels of all corners. Then only the core gets some.
    pub(super) fn is_core_better(&mut self, hubs: u64) -> bool {
        let is_better = self.labelled == Labelled::Auto && hubs > Labelled::MOST_OF_ALL;
        if is_better {
            self.labelled = Labelled::Core;
        }
        is_better
    }
}

impl BeaconDatabase {
    /// The corners of a map, without any labels. [`label_on`](Self::label_on) makes those.
    ///
    /// # Errors
    /// If ground has weights.
    pub(super) fn without_labels(space: &GridSpace, config: BeaconConfig) -> Result<Self, DatabaseError> {
        if space.is_weighted() {
            let problem = "corners are for ground without weights: transit* serves the others";
            return Err(DatabaseError::Unsuitable { problem });
        }
        let turns = Arc::new(Turns::new(space.rule()));
        let corners = Corners::new(space.grid(), &turns);
        let graph = LegGraph::new::<u32, [_; 0]>([]);
        let labels = HubLabels::build(&graph, space.costs(), |_| ControlFlow::Continue(()));
        let too_large = || DatabaseError::TooLarge { problem: "there are too many hubs".into() };
        let ways = Ways::of_all(&graph, labels.ok_or_else(too_large)?);
        let sample = if config.bound.is_some() { Vec::new() } else { sample_of(space) };
        let empty: SharedBytes = Arc::new(Vec::new());
        let parts = Parts { turns, corners, graph };
        let mut made = Self::assemble(space, (empty, config, BuiltFor::of(space)), parts, ways);
        made.figures.decision = made.bounded(0);
        let (labelled, is_edited) = (config.labels, false);
        let first = FirstLabels { labelled, sample, worst: 0, is_too_much: false, is_edited };
        let mark = xxh3_64(&space.fingerprint().to_le_bytes());
        made.begin_edits(mark).first = Some(Box::new(first));
        Ok(made)
    }

    /// What a decision may take if it takes so much.
    fn bounded(&self, decision: u64) -> u64 {
        let most = self.config.bound.unwrap_or(decision);
        most.max(self.most_in_a_piece() + 1).min(u64::from(u32::MAX))
    }

    /// How far the first labels are.
    pub(super) fn state_of_first(&self) -> BuildState {
        match self.first_labels() {
            None => BuildState::Built,
            Some(first) if first.is_too_much => BuildState::TooLarge,
            Some(_) => {
                let renewal = self.edits.as_ref().and_then(|edits| edits.renewal.as_ref());
                let nothing = BuildProgress { stage: "corners", done: 0, all: 1 };
                BuildState::UnderWay(renewal.map_or(nothing, LabelRenewal::progress))
            }
        }
    }

    fn first_labels(&self) -> Option<&FirstLabels> {
        self.edits.as_ref()?.first.as_deref()
    }

    fn first_labels_mut(&mut self) -> Option<&mut FirstLabels> {
        self.edits.as_mut()?.first.as_deref_mut()
    }

    /// Corners are looked around from, too.
    pub(super) fn begin_bound(&mut self) {
        if self.config.bound.is_none() {
            let some = self.corners().step_by((self.corners.count() / LOOKS).max(1));
            let some: Vec<Cell> = some.map(|corner| self.cell(corner)).collect();
            if let Some(first) = self.first_labels_mut() {
                first.sample.extend(some);
            }
        }
    }

    /// Looks around from a cell, to see what a decision takes. What that took; `None` once all is known.
    pub(super) fn find_bound(&mut self, space: &GridSpace) -> Option<u64> {
        let cell = self.first_labels_mut()?.sample.pop()?;
        if !space.grid().is_free(cell) {
            return Some(1);
        }
        let (taken, work) = self.takes_from(space, cell);
        let first = self.first_labels_mut()?;
        first.worst = first.worst.max(taken);
        Some(1 + work)
    }

    /// The first labels are there. If the map is still the same it is as if they had been built at once. If
    /// it is not, nobody can open the file: it has what checkpoints need.
    pub(super) fn end_first(&mut self) {
        let Some(FirstLabels { worst, is_edited, .. }) = self.first_labels().cloned() else { return };
        self.figures.decision = self.bounded(self.decision_of(worst));
        if let Some(edits) = &mut self.edits {
            (edits.first, edits.renewal) = (None, None);
        }
        self.bytes = Arc::new(self.write());
        if !is_edited {
            self.edits = None;
        }
    }
}

/// The cells that it is seen from how much a decision takes.
pub(super) fn sample_of(space: &GridSpace) -> Vec<Cell> {
    let free = space.grid().free_count() as usize;
    space.grid().free_cells().step_by((free / LOOKS).max(1)).collect()
}
