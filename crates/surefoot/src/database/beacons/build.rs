//! Builds beacons.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::corners::Corners;
use super::sight::Sight;
use super::turns::{Sectors, Turns, sector_between};
use super::{BeaconConfig, BeaconDatabase, BeaconFigures};
use crate::database::container::{BuiltFor, DatabaseError, SharedBytes};
use crate::database::hub_labels::{Hops, HubLabels, LegGraph};
use crate::database::parallel::in_parallel;
use crate::database::pool::Pool;
use crate::space::{Cell, Cost, GridSpace};

/// From so many cells it is seen how much a decision takes.
const LOOKS: usize = 1024;

/// A stage of a build, for those who show how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BeaconStage {
    /// Corners are looked for, and the legs between them.
    Legs,
    /// So many corners were found, and so many legs between them: their labels are next.
    Found(u32, u64),
    /// So many of so many corners have become hubs, and all labels together have so many of them.
    Hubs(u32, u32, u64),
}

impl BeaconDatabase {
    /// The most hubs of all corners together, unless somebody watches the build: about 32 MB in memory.
    pub const MOST_HUBS: u64 = 4_000_000;

    /// Builds beacons for a map, on all cores with the feature `rayon`. The bytes do not depend on how many there are.
    ///
    /// # Errors
    /// If ground has weights, or the map is so cluttered that all corners together have more than [`MOST_HUBS`](Self::MOST_HUBS).
    /// [`Database::build`](crate::database::Database::build) builds transit nodes then.
    pub fn build(space: &GridSpace, config: BeaconConfig) -> Result<Self, DatabaseError> {
        Self::build_with(space, config, |stage| match stage {
            BeaconStage::Hubs(.., hubs) if hubs > Self::MOST_HUBS => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    /// The same; `progress` hears of each stage, and may put an end to it.
    ///
    /// # Errors
    /// If ground has weights, there is more than a file can hold, or `progress` says that it is enough.
    pub fn build_with(
        space: &GridSpace,
        config: BeaconConfig,
        mut progress: impl FnMut(BeaconStage) -> ControlFlow<()>,
    ) -> Result<Self, DatabaseError> {
        if space.is_weighted() {
            let problem = "corners are for ground without weights: transit* serves the others";
            return Err(DatabaseError::Unsuitable { problem });
        }
        let stopped = || DatabaseError::TooLarge { problem: String::from("there are too many hubs") };
        if progress(BeaconStage::Legs).is_break() {
            return Err(stopped());
        }
        let parts = Parts::find(space);
        let found = BeaconStage::Found(parts.corners.count() as u32, parts.graph.leg_count() as u64 / 2);
        if progress(found).is_break() {
            return Err(stopped());
        }
        let labels = HubLabels::build(&parts.graph, space.costs(), |done| {
            progress(BeaconStage::Hubs(done.ranks_done, done.ranks, done.entries))
        });
        Self::complete(space, config, parts, labels.ok_or_else(stopped)?)
    }

    /// The same with the corners in a given order of importance.
    pub(super) fn build_in_order(
        space: &GridSpace,
        config: BeaconConfig,
        order: &[u32],
    ) -> Result<Self, DatabaseError> {
        let parts = Parts::find(space);
        let go_on = |_| ControlFlow::Continue(());
        let labels = HubLabels::build_in_order(&parts.graph, space.costs(), order, go_on);
        let too_large = || DatabaseError::TooLarge { problem: String::from("there are too many hubs") };
        Self::complete(space, config, parts, labels.ok_or_else(too_large)?)
    }

    /// Puts a new database together, and measures what a decision takes.
    fn complete(
        space: &GridSpace,
        config: BeaconConfig,
        parts: Parts,
        labels: HubLabels,
    ) -> Result<Self, DatabaseError> {
        let empty: SharedBytes = Arc::new(Vec::new());
        let mut made = Self::assemble(space, (empty, config, BuiltFor::of(space)), parts, labels);
        made.figures.decision = match config.bound {
            Some(bound) => bound.max(made.most_in_a_piece() + 1),
            None => made.measure_decisions(space),
        }
        .min(u64::from(u32::MAX));
        made.bytes = Arc::new(made.write()?) as SharedBytes;
        Ok(made)
    }

    /// Puts a database together, but for what a decision takes.
    pub(super) fn assemble(
        space: &GridSpace,
        (bytes, config, built_for): (SharedBytes, BeaconConfig, BuiltFor),
        Parts { turns, corners, graph }: Parts,
        labels: HubLabels,
    ) -> Self {
        let mut made = Self {
            bytes,
            config,
            built_for,
            heads: Vec::new(),
            figures: BeaconFigures::default(),
            turns,
            corners,
            hops: Hops::find(&graph, &labels),
            graph,
            labels,
            edits: None,
            pool: Pool::default(),
        };
        made.derive(space);
        made
    }

    /// Finds what follows from corners, legs and labels.
    pub(super) fn derive(&mut self, space: &GridSpace) {
        self.heads = heads(&self.turns, &self.corners, &self.graph, space);
        let corners = || (0..self.graph.nodes() as u32).filter(|&corner| self.has(corner));
        let most_hubs = corners().map(|corner| self.entries_of(corner)).max().unwrap_or(0);
        let most_legs = corners().map(|corner| self.graph.legs(corner).count()).max().unwrap_or(0);
        self.figures = BeaconFigures {
            corners: self.corners.count() as u32,
            legs: self.graph.leg_count() as u64 / 2,
            hubs: self.labels.entries() as u64,
            most_legs: most_legs as u32,
            most_hubs: most_hubs as u32,
            // Whatever it is, it is held: edits do not change it.
            decision: self.figures.decision,
            next_leg: 1 + 2 * most_hubs,
            memory: self.memory_bytes() as u64,
        };
    }

    /// What a decision takes, as far as can be seen from a sample of cells: twice what the worst of them takes to look around and to read all labels.
    fn measure_decisions(&self, space: &GridSpace) -> u64 {
        let sight = self.sight(space);
        let free = space.grid().free_count() as usize;
        let sample = space.grid().free_cells().step_by((free / LOOKS).max(1));
        let corners = self.corners().step_by((self.corners.count() / LOOKS).max(1));
        let some: Vec<Cell> = sample.chain(corners.map(|corner| self.cell(corner))).collect();
        let costs = in_parallel(
            &some,
            || (),
            |(), &cell| {
                let mut looked_up = 0;
                let lines = sight.look(cell, Sectors::MAX, 0, |seen| {
                    let goes_on = self.goes_on(seen.corner, seen.sector).unwrap_or(false);
                    looked_up += 1 + if goes_on { self.entries_of(seen.corner) } else { 0 };
                });
                u64::from(lines) + looked_up
            },
        );
        let side = u64::from(self.built_for.size.0.max(self.built_for.size.1));
        let (worst, hubs) = (costs.into_iter().max().unwrap_or(0), u64::from(self.figures.most_hubs));
        2 * (worst + hubs) + side + self.most_in_a_piece()
    }
}

/// What follows from a map alone.
pub(super) struct Parts {
    pub(super) turns: Arc<Turns>,
    pub(super) corners: Corners,
    pub(super) graph: LegGraph,
}

impl Parts {
    pub(super) fn find(space: &GridSpace) -> Self {
        let turns = Arc::new(Turns::new(space.rule()));
        let corners = Corners::new(space.grid(), &turns);
        let graph = legs(Sight { space, turns: &turns, corners: &corners });
        Self { turns, corners, graph }
    }
}

/// The legs between all corners.
pub(super) fn legs(sight: Sight<'_>) -> LegGraph {
    let all: Vec<u32> = (0..sight.corners.slots() as u32).collect();
    let found = in_parallel(&all, || (), |(), &corner| legs_of(sight, corner).0);
    graph_of(sight, found)
}

/// The corners that a corner's legs lead to, and what these cost; and how many lines were looked at.
pub(super) fn legs_of(sight: Sight<'_>, corner: u32) -> (Vec<(u32, Cost)>, u32) {
    let mut legs = Vec::new();
    if !sight.corners.is_there(corner) {
        return (legs, 0);
    }
    let turn = sight.corners.turn(sight.turns, corner);
    let lines = sight.look(sight.corners.cell(corner), turn.leaves, turn.shadows, |seen| {
        legs.push((seen.corner, seen.steps.cost(sight.space)));
    });
    (legs, lines)
}

/// Legs lead both ways: puts those of both ends together.
fn graph_of(sight: Sight<'_>, mut legs: Vec<Vec<(u32, Cost)>>) -> LegGraph {
    let mut back: Vec<Vec<(u32, Cost)>> = vec![Vec::new(); legs.len()];
    for (corner, legs) in (0..).zip(&legs) {
        for &(end, cost) in legs {
            // Those that came to be while others were looked for are not known yet.
            if let Some(back) = back.get_mut(end as usize) {
                back.push((corner, cost));
            }
        }
    }
    let count = legs.len() as u32;
    // Where the map is edited while legs are found, some are of corners that there are no more.
    let is_leg = |corner: u32, (end, cost): (u32, Cost)| {
        let are_there = end < count && sight.corners.is_there(end) && sight.corners.is_there(corner);
        are_there
            && end != corner
            && cost == sight.estimate(sight.corners.cell(corner), sight.corners.cell(end))
    };
    for ((corner, legs), mut back) in (0..).zip(&mut legs).zip(back) {
        legs.append(&mut back);
        legs.retain(|&leg| is_leg(corner, leg));
        legs.sort_unstable();
        legs.dedup_by_key(|&mut (end, _)| end);
    }
    LegGraph::new(&legs)
}

/// For each corner the arrivals after which some leg goes on.
fn heads(turns: &Turns, corners: &Corners, graph: &LegGraph, space: &GridSpace) -> Vec<Sectors> {
    let head = |corner: u32| {
        let (cell, around) = (corners.cell(corner), corners.around(corner));
        let departures = graph.legs(corner).fold(0, |departures: Sectors, (end, _)| {
            departures | 1 << sector_between(space.rule(), cell, corners.cell(end))
        });
        (0..16)
            .filter(|&arrival| turns.onwards(around, arrival) & departures != 0)
            .fold(0, |head, arrival| head | 1 << arrival)
    };
    (0..graph.nodes() as u32).map(head).collect()
}
