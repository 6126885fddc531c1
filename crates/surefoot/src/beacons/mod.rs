//! Beacons: the corners of a map, the legs between them, and hub labels over them. `beacon*` goes by them,
//! and walks exactly.
//!
//! A cheapest path on a grid turns only at corners of walls (`turns.rs` derives where, rule by rule). Between
//! two turns it runs along a *leg*: a stretch on which every order of its moves is legal, so that whoever
//! walks it needs to know nothing but its end. Which corners a cell sees, and so which legs begin there, is
//! found by looking along lines of the map (`sight.rs`). So corners and legs are a *subgoal graph* (Uras,
//! Koenig and Hernández, "Subgoal graphs for optimal pathfinding in eight-neighbor grids", 2013), of which
//! only legs are kept that a cheapest path can turn at either end of.
//!
//! Hub labels (`hub_labels/`) know what the cheapest way between any two corners costs. A question is
//! answered by what both of its ends see, and one merge of labels (`query.rs`). None of it is a heuristic:
//! what comes out is the cost of a cheapest path.
//!
//! - `corners.rs`: the corners of a map, line by line.
//! - `thinning.rs`: the core. Where there are many corners, only those have labels that cheapest paths cannot
//!   do without.
//! - `build.rs`, `file.rs`: how it is put together, and the file. It has only the order of the corners that
//!   have labels: all else follows from the map.
//! - `edits.rs`: maps that change. `renewal.rs`: how far labels are that are made anew. `checkpoint.rs`: what
//!   crowds save of that. `first_labels.rs`: a build in the frames of a game.
//! - `ways.rs`: paths, the next leg of a way, and what is nearest. `bends.rs`: where paths turn.

mod agent;
mod answers;
mod bends;
mod build;
mod by_corner;
mod changed_legs;
mod checkpoint;
mod climbs;
mod config;
mod corners;
mod database;
mod edits;
mod entry;
mod file;
mod first_labels;
mod gates;
mod half_core;
mod hub_table;
mod many;
mod query;
mod ray;
mod renewal;
mod sight;
mod sketch;
mod stages;
#[cfg(test)]
mod tests;
mod thinning;
mod tuning;
mod turns;
mod verify;
mod ways;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub use self::agent::BeaconAgent;
pub(crate) use self::agent::{BeaconGuide, BeaconWalker, Company, Destinations};
use self::build::Ways;
pub use self::config::{BeaconConfig, Labelled};
use self::corners::Corners;
pub use self::database::KIND;
use self::edits::BeaconEdits;
pub use self::edits::BeaconRepair;
pub use self::entry::{ENTRY, beacon_star};
pub(crate) use self::query::BeaconDecision;
use self::sight::{Sight, Steps};
pub use self::stages::{BeaconOutlook, BeaconStage};
use self::turns::{Sectors, TurnSector, Turns};
pub use self::verify::BeaconFault;
pub(crate) use self::ways::{Next, Way, is_open, two_runs};
use crate::hub_labels::{Hops, HubRank};
use crate::space::{Cell, Cost, GridSpace};
pub use crate::store::BeaconId;
use crate::store::container::{BuiltFor, SharedBytes};
use crate::store::pool::Pool;

pub(super) const CONTENTS: &str = "beacons";

/// What the file of beacons says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BeaconFileInfo {
    /// The version of the format.
    pub version: u32,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: BeaconConfig,
    /// What there is in it.
    pub figures: BeaconFigures,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// How much there is of everything in a database of beacons, and what a move takes at most that goes by them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BeaconFigures {
    /// The corners.
    pub corners: u32,
    /// Those that have labels: all, or the core.
    pub core: u32,
    /// The legs between all of them.
    pub legs: u64,
    /// The hubs of all corners together.
    pub hubs: u64,
    /// The most legs of a corner that ways lead along.
    pub most_legs: u32,
    /// The most hubs of a corner.
    pub most_hubs: u32,
    /// The most that is looked up for a decision: lines of the map, corners that are seen, hubs. Where it
    /// would be more, it is spread over several moves.
    pub decision: u64,
    /// The most that is looked up at a corner, to find the next leg.
    pub next_leg: u64,
    /// The bytes of all that agents look up, once the file is opened.
    pub memory: u64,
    /// Whether only the core has labels.
    pub is_thin: bool,
}

/// The corners of a map, the legs between them, and what the ways between them cost. Copies share all that is
/// replaced as a whole.
#[derive(Clone)]
pub struct BeaconDatabase {
    bytes: SharedBytes,
    config: BeaconConfig,
    built_for: BuiltFor,
    turns: Arc<Turns>,
    corners: Corners,
    ways: Arc<Ways>,
    hops: Arc<Hops>,
    /// For each corner the arrivals after which some leg goes on without a turn that could be cut short.
    heads: Arc<Vec<Sectors>>,
    figures: BeaconFigures,
    /// What is no longer as in the file, once the map was edited.
    edits: Option<Box<BeaconEdits>>,
    pool: Pool<BeaconDecision>,
}

impl BeaconDatabase {
    /// What a leg between two cells costs, if there is one.
    pub(crate) fn leg_cost(&self, space: &GridSpace, from: Cell, to: Cell) -> Cost {
        self.sight(space).estimate(from, to)
    }

    /// Whether a leg leads from one free cell to another, and how many lines were looked at to find out.
    pub(crate) fn sees(&self, space: &GridSpace, from: Cell, to: Cell) -> (bool, u32) {
        self.sight(space).sees(from, to)
    }

    fn sight<'a>(&'a self, space: &'a GridSpace) -> Sight<'a> {
        Sight { space, turns: &self.turns, corners: &self.corners }
    }

    /// Whether a way that arrives at a corner from this sector may go on over other corners; `None` if the
    /// corner has no label yet.
    #[inline]
    fn goes_on(&self, corner: BeaconId, arrival: TurnSector) -> Option<bool> {
        self.heads.get(corner.index()).map(|head| head >> arrival & 1 != 0)
    }

    /// How many hubs a corner has.
    #[inline]
    fn entries_of(&self, corner: BeaconId) -> u64 {
        self.ways.labels.hubs_of_corner(corner).len() as u64
    }

    /// Whether a corner has a label of its own. All have one, unless only [the core](Labelled::Core) does.
    #[must_use]
    pub fn is_core(&self, corner: BeaconId) -> bool {
        self.ways.labels.has_corner(corner) && self.ways.is_core(corner)
    }

    /// Where a corner is.
    ///
    /// # Panics
    /// If there is no such corner.
    #[inline]
    #[must_use]
    pub fn cell(&self, corner: BeaconId) -> Cell {
        self.corners.cell(corner)
    }

    /// The numbers of corners.
    pub fn corners(&self) -> impl Iterator<Item = BeaconId> {
        BeaconId::first(self.corners.slots()).filter(|&corner| self.corners.is_there(corner))
    }

    /// The corners that legs of a corner lead to, and what these legs cost. If only the core has labels, legs
    /// that no way leads along are left out.
    pub fn legs(&self, corner: BeaconId) -> impl Iterator<Item = (BeaconId, Cost)> {
        self.ways.graph.legs_if_there(corner)
    }

    /// The hubs of a corner, and what the cheapest ways to them cost. A corner outside the core has the hubs
    /// of its gates, and some others.
    #[must_use]
    pub fn hubs(&self, corner: BeaconId) -> Vec<(BeaconId, Cost)> {
        let mut hubs = BTreeMap::new();
        let labels = &self.ways.labels;
        let mut note = |rank: HubRank, cost: Cost| {
            let known = hubs.entry(labels.corner(rank)).or_insert(cost);
            *known = cost.min(*known);
        };
        if labels.has_corner(corner) {
            labels.each_hub_of_corner(corner, |rank, cost| {
                note(rank, cost);
                if self.ways.has_in_core(rank) && !self.ways.is_core(corner) {
                    labels.each_hub_of_corner(labels.corner(rank), |hub, more| note(hub, cost + more));
                }
            });
        }
        hubs.into_iter().collect()
    }

    /// Whether there is a corner of this number that ways are known from.
    #[inline]
    pub(crate) fn has(&self, corner: BeaconId) -> bool {
        self.ways.labels.has_corner(corner) && self.corners.is_there(corner)
    }

    /// Whether some legs can be walked in one order of their moves only.
    #[inline]
    pub(crate) fn has_bent_legs(&self) -> bool {
        self.ways.is_thin()
    }

    /// A decision to be made, with memory that was used before.
    pub(crate) fn new_decision(&self) -> Box<BeaconDecision> {
        self.pool.take()
    }

    /// Takes the memory of a decision back.
    pub(crate) fn recycle(&self, decision: Box<BeaconDecision>) {
        self.pool.give_back(decision);
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &BeaconConfig {
        &self.config
    }

    /// What it was built for; of one that was [repaired](Self::repair), the map that it was built for first.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// How much there is of everything.
    #[must_use]
    pub fn figures(&self) -> BeaconFigures {
        self.figures
    }

    /// The most that is looked up in one move of a decision, but for [one piece](Self::most_in_a_piece).
    pub(crate) fn decision_limit(&self) -> u64 {
        self.figures.decision.saturating_sub(self.most_in_a_piece()).max(1)
    }

    /// The most that is looked up in a piece of a decision. A piece is a fan, or the labels of two corners.
    /// Outside the core these are read twice, and the label of a gate of each once.
    pub(crate) fn most_in_a_piece(&self) -> u64 {
        let (width, height) = self.built_for.size;
        let labels = if self.ways.is_thin() { 6 } else { 2 };
        // Of each line a fan shows two corners at most: all others are hidden.
        (3 * (u64::from(width.max(height)) + 1)).max(labels * u64::from(self.figures.most_hubs))
    }

    /// The bytes of its file; of one that was [repaired](Self::repair), those from before.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// What tells this database from others: the checksum of its file, or, once it was repaired, a number
    /// that the file and all edits make.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        match &self.edits {
            Some(edits) => edits.mark(),
            None => self.checksum_of_file(),
        }
    }

    fn checksum_of_file(&self) -> u64 {
        self.as_bytes().last_chunk().map_or(0, |checksum| u64::from_le_bytes(*checksum))
    }

    /// The bytes of all that agents look up in it: what is unpacked when it is opened.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.corners.bytes() + self.ways.bytes() + self.hops.bytes() + size_of_val(&self.heads[..])
    }

    /// The papers' measure of size: one for each corner, leg and hub.
    #[must_use]
    pub fn states(&self) -> u64 {
        u64::from(self.figures.corners) + self.figures.legs + self.figures.hubs
    }
}

impl fmt::Debug for BeaconDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("BeaconDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}
