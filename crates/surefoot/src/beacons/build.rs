//! Builds beacons.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::climbs::{Climbs, Thinned};
use super::corners::Corners;
use super::first_labels::sample_of;
use super::sight::{Seen, Sight};
use super::thinning::Thinning;
use super::tuning::LOOKS;
use super::turns::{Sectors, Turns, sector_between};
use super::{BeaconConfig, BeaconDatabase, BeaconFigures, BeaconId, BeaconOutlook, BeaconStage, Labelled};
use crate::hub_labels::{Hops, HubLabels, HubRank, LegGraph};
use crate::space::{Cell, Cost, GridSpace, sorting};
use crate::store::container::{BuiltFor, DatabaseError, SharedBytes};
use crate::store::parallel::in_parallel;
use crate::store::pool::Pool;

impl BeaconDatabase {
    /// The most hubs of all corners together, unless somebody watches the build: about 80 MB in memory.
    pub const MOST_HUBS: u64 = 6_000_000;

    /// Builds beacons for a map, on all cores with the feature `rayon`. The bytes do not depend on how many
    /// there are.
    ///
    /// # Errors
    /// If ground has weights, or the map is so cluttered that all corners together have more than
    /// [`MOST_HUBS`](Self::MOST_HUBS). [`BeaconConfig` as a
    /// `DatabaseConfig`](crate::store::DatabaseConfig::build) builds transit nodes then.
    pub fn build(space: &GridSpace, config: BeaconConfig) -> Result<Self, DatabaseError> {
        Self::build_with(space, config, |stage| match stage.is_too_much() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
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
        let ways = Ways::build(parts.sight(space), &parts.graph, config.labels, progress);
        Ok(Self::complete(space, config, parts, ways.ok_or_else(stopped)?))
    }

    /// The same with labels of all corners, in a given order of importance.
    pub(super) fn build_in_order(
        space: &GridSpace,
        config: BeaconConfig,
        order: &[BeaconId],
    ) -> Result<Self, DatabaseError> {
        let parts = Parts::find(space);
        let go_on = |_| ControlFlow::Continue(());
        let order: Vec<u32> = order.iter().map(|corner| corner.node()).collect();
        let labels = HubLabels::build_in_order(&parts.graph, space.costs(), &order, go_on);
        let too_large = || DatabaseError::TooLarge { problem: String::from("there are too many hubs") };
        let ways = Ways::of_all(&parts.graph, labels.ok_or_else(too_large)?);
        Ok(Self::complete(space, config, parts, ways))
    }

    /// Puts a new database together, and measures what a decision takes.
    fn complete(space: &GridSpace, config: BeaconConfig, parts: Parts, ways: Ways) -> Self {
        let empty: SharedBytes = Arc::new(Vec::new());
        let mut made = Self::assemble(space, (empty, config, BuiltFor::of(space)), parts, ways);
        made.figures.decision = match config.bound {
            Some(bound) => bound.max(made.most_in_a_piece() + 1),
            None => made.measure_decisions(space),
        }
        .min(u64::from(u32::MAX));
        made.bytes = Arc::new(made.write()) as SharedBytes;
        made
    }

    /// Puts a database together, but for what a decision takes.
    pub(super) fn assemble(
        space: &GridSpace,
        made_of: (SharedBytes, BeaconConfig, BuiltFor),
        Parts { turns, corners, .. }: Parts,
        ways: Ways,
    ) -> Self {
        let hops = Hops::find(&ways.graph, &ways.labels);
        Self::of_ways(space, made_of, (turns, corners), (ways, hops))
    }

    /// The same where it is known how ways to hubs begin.
    pub(super) fn of_ways(
        space: &GridSpace,
        (bytes, config, built_for): (SharedBytes, BeaconConfig, BuiltFor),
        (turns, corners): (Arc<Turns>, Corners),
        (ways, hops): (Ways, Hops),
    ) -> Self {
        let mut made = Self {
            bytes,
            config,
            built_for,
            heads: Arc::default(),
            figures: BeaconFigures::default(),
            turns,
            corners,
            hops: Arc::new(hops),
            ways: Arc::new(ways),
            edits: None,
            pool: Pool::default(),
        };
        made.derive(space);
        made
    }

    /// Finds what follows from corners, legs and labels.
    pub(super) fn derive(&mut self, space: &GridSpace) {
        self.heads = Arc::new(heads(&self.turns, &self.corners, &self.ways, space));
        let corners = || BeaconId::first(self.ways.graph.nodes()).filter(|&corner| self.has(corner));
        // Those of corners that are there no more count, too: they may be gates until labels are made anew.
        let all = BeaconId::first(self.ways.labels.nodes());
        let most_hubs = all.map(|corner| self.entries_of(corner)).max().unwrap_or(0);
        let most_legs =
            corners().map(|corner| self.ways.graph.legs_of_corner(corner).count()).max().unwrap_or(0);
        self.figures = BeaconFigures {
            corners: self.corners.count() as u32,
            core: self.ways.core.min(self.corners.count() as u32),
            legs: self.ways.legs(),
            hubs: self.ways.labels.entries() as u64,
            most_legs: most_legs as u32,
            most_hubs: most_hubs as u32,
            // Whatever it is, it is held: edits do not change it.
            decision: self.figures.decision,
            next_leg: self.most_for_next_leg(most_hubs),
            memory: self.memory_bytes() as u64,
            is_thin: self.ways.is_thin(),
        };
    }

    /// What a decision takes, as far as can be seen from a sample of cells.
    fn measure_decisions(&self, space: &GridSpace) -> u64 {
        let corners = self.corners().step_by((self.corners.count() / LOOKS).max(1));
        let mut some = sample_of(space);
        some.extend(corners.map(|corner| self.cell(corner)));
        let costs = in_parallel(&some, || (), |(), &cell| self.takes_from(space, cell).0);
        self.decision_of(costs.into_iter().max().unwrap_or(0))
    }

    /// What it takes to look around from a cell, and to read all labels; and what it took to find that out.
    pub(super) fn takes_from(&self, space: &GridSpace, cell: Cell) -> (u64, u64) {
        let (mut looked_up, mut work) = (0, 0);
        let lines = self.sight(space).look(cell, Sectors::MAX, 0, |seen| {
            let goes_on = self.goes_on(seen.corner, seen.sector).unwrap_or(false);
            looked_up += 1 + if goes_on { self.entries_to_read(seen) } else { 0 };
            work += 1;
        });
        let lines = u64::from(lines);
        (lines + looked_up, lines + work)
    }

    /// What a decision takes: twice what the worst cell takes.
    pub(super) fn decision_of(&self, worst: u64) -> u64 {
        let side = u64::from(self.built_for.size.0.max(self.built_for.size.1));
        2 * (worst + u64::from(self.figures.most_hubs)) + side + self.most_in_a_piece()
    }
}

impl BeaconDatabase {
    /// How many entries of labels are read for a corner that is seen.
    fn entries_to_read(&self, seen: Seen) -> u64 {
        let labels = &self.ways.labels;
        let mut entries = self.entries_of(seen.corner);
        if !self.ways.is_core(seen.corner) {
            let gates =
                labels.hubs_of_corner(seen.corner).iter().filter(|&&rank| self.ways.has_in_core(rank));
            entries += gates.map(|&rank| self.entries_of(labels.corner(rank))).sum::<u64>();
        }
        entries
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

    pub(super) fn sight<'a>(&'a self, space: &'a GridSpace) -> Sight<'a> {
        Sight { space, turns: &self.turns, corners: &self.corners }
    }
}

/// What ways between corners are found by.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// The legs that ways lead along.
    pub(super) graph: LegGraph,
    /// Where labels are those of the core: the sectors that each leg of the graph may begin with.
    pub(super) leaves: Vec<Sectors>,
    pub(super) labels: HubLabels,
    /// How many corners the core has: all, or those that come first in the order.
    pub(super) core: u32,
    /// How many legs there are between all corners, where the graph has others.
    legs: Option<u64>,
}

impl Ways {
    /// Ways over labels of all corners.
    pub(super) fn of_all(graph: &LegGraph, labels: HubLabels) -> Self {
        Self::with_all(graph.clone(), labels)
    }

    pub(super) fn with_all(graph: LegGraph, labels: HubLabels) -> Self {
        let core = labels.nodes() as u32;
        Self { graph, leaves: Vec::new(), labels, core, legs: None }
    }

    /// Ways over labels of so many corners, with so many legs between all.
    pub(super) fn with_core(
        graph: LegGraph,
        leaves: Vec<Sectors>,
        labels: HubLabels,
        (core, legs): (u32, u64),
    ) -> Self {
        Self { graph, leaves, labels, core, legs: Some(legs) }
    }

    /// Ways over labels of the core.
    pub(super) fn over_core(legs: &LegGraph, thinned: Thinned) -> Self {
        let Thinned { graph, leaves, labels, core } = thinned;
        Self::with_core(graph, leaves, labels, (core, legs.leg_count() as u64 / 2))
    }

    /// Finds them. `None` if `progress` said to stop.
    pub(super) fn build(
        sight: Sight<'_>,
        legs: &LegGraph,
        labelled: Labelled,
        mut progress: impl FnMut(BeaconStage) -> ControlFlow<()>,
    ) -> Option<Self> {
        let space = sight.space;
        let outlook = |corners: usize, graph: &LegGraph| {
            BeaconOutlook::new(space, corners as u32, graph.leg_count() as u64 / 2)
        };
        let found = outlook(sight.corners.count(), legs);
        let mut go_on = |stage| progress(stage).is_continue().then_some(());
        go_on(BeaconStage::Found(found))?;
        let is_too_much = |hubs: u64| labelled == Labelled::Auto && hubs > Labelled::MOST_OF_ALL;
        // No guess is off by so much.
        if labelled != Labelled::Core && !is_too_much(found.hubs.unwrap_or(0) / 4) {
            let mut is_stopped = false;
            let labels = HubLabels::build(legs, space.costs(), |done| {
                is_stopped = go_on(BeaconStage::Hubs(done.ranks_done, done.ranks, done.entries)).is_none();
                if is_stopped || is_too_much(done.entries) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            match labels {
                Some(labels) => return Some(Self::of_all(legs, labels)),
                None if is_stopped => return None,
                None => {}
            }
        }
        let mut thinning = Thinning::new(sight, legs);
        while thinning.work_on(sight).is_some() {
            if let Some((done, all)) = thinning.done() {
                go_on(BeaconStage::Thinning(done, all))?;
            }
        }
        let core = thinning.finish();
        let graph = core.graph();
        go_on(BeaconStage::Core(outlook(graph.nodes(), &graph)))?;
        let labels = HubLabels::build(&graph, space.costs(), |done| {
            match go_on(BeaconStage::Hubs(done.ranks_done, done.ranks, done.entries)) {
                Some(()) => ControlFlow::Continue(()),
                None => ControlFlow::Break(()),
            }
        });
        let mut climbs = Climbs::new(core, labels?);
        while climbs.work_on(sight).is_some() {
            let done = graph.nodes() as u32;
            go_on(BeaconStage::Hubs(done, done, climbs.entries()))?;
        }
        Some(Self::over_core(legs, climbs.finish(space.costs())))
    }

    /// How many legs there are between all corners.
    pub(super) fn legs(&self) -> u64 {
        self.legs.unwrap_or(self.graph.leg_count() as u64 / 2)
    }

    /// Whether only the core has labels.
    #[inline]
    pub(super) fn is_thin(&self) -> bool {
        self.legs.is_some()
    }

    /// Whether a corner is of the core.
    #[inline]
    pub(super) fn is_core(&self, corner: BeaconId) -> bool {
        self.has_in_core(self.labels.rank_of_corner(corner))
    }

    /// Whether the corner of a rank is of the core.
    #[inline]
    pub(super) fn has_in_core(&self, rank: HubRank) -> bool {
        rank.is_among_first(self.core)
    }

    /// The bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.graph.bytes() + size_of_val(&self.leaves[..]) + self.labels.bytes()
    }
}

/// The legs between all corners.
pub(super) fn legs(sight: Sight<'_>) -> LegGraph {
    let all: Vec<BeaconId> = BeaconId::first(sight.corners.slots()).collect();
    let found = in_parallel(&all, || (), |(), &corner| legs_of(sight, corner).0);
    graph_of(sight, found)
}

/// The corners that a corner's legs lead to, and what these cost; and how many lines were looked at.
pub(super) fn legs_of(sight: Sight<'_>, corner: BeaconId) -> (Vec<(BeaconId, Cost)>, u32) {
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
fn graph_of(sight: Sight<'_>, mut legs: Vec<Vec<(BeaconId, Cost)>>) -> LegGraph {
    let mut back: Vec<Vec<(BeaconId, Cost)>> = vec![Vec::new(); legs.len()];
    for (corner, legs) in BeaconId::first(legs.len()).zip(&legs) {
        for &(end, cost) in legs {
            // Those that came to be while others were looked for are not known yet.
            if let Some(back) = back.get_mut(end.index()) {
                back.push((corner, cost));
            }
        }
    }
    let count = legs.len();
    // Where the map is edited while legs are found, some are of corners that there are no more.
    let is_leg = |corner: BeaconId, (end, cost): (BeaconId, Cost)| {
        let are_there = end.index() < count && sight.corners.is_there(end) && sight.corners.is_there(corner);
        are_there
            && end != corner
            && cost == sight.estimate(sight.corners.cell(corner), sight.corners.cell(end))
    };
    for ((corner, legs), mut back) in BeaconId::first(count).zip(&mut legs).zip(back) {
        legs.append(&mut back);
        legs.retain(|&leg| is_leg(corner, leg));
        sorting::sort(legs);
        legs.dedup_by_key(|&mut (end, _)| end);
    }
    LegGraph::new(&legs)
}

/// For each corner the arrivals after which some leg goes on.
fn heads(turns: &Turns, corners: &Corners, ways: &Ways, space: &GridSpace) -> Vec<Sectors> {
    let head = |corner: BeaconId| {
        let (cell, around) = (corners.cell(corner), corners.around(corner));
        let leaves = |(end, place): (BeaconId, usize)| match ways.is_thin() {
            true => ways.leaves[ways.graph.first_leg_of_corner(corner) + place],
            false => 1 << sector_between(space.rule(), cell, corners.cell(end)),
        };
        let legs = ways.graph.legs_of_corner(corner).map(|(end, _)| end).zip(0..);
        let departures = legs.fold(0, |departures: Sectors, leg| departures | leaves(leg));
        (0..16)
            .filter(|&arrival| turns.onwards(around, arrival) & departures != 0)
            .fold(0, |head, arrival| head | 1 << arrival)
    };
    BeaconId::first(ways.graph.nodes()).map(head).collect()
}
