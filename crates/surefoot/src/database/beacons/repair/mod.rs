//! Beacons of a map that changes: what blocked and freed cells touch is put right, near those cells and nowhere else.
//!
//! - `regions.rs`: states that no longer climb to the beacon of their region and back join another one, or a new one is made for them.
//! - `crossings.rs`: which legs pass where.
//! - `ways.rs`: a leg that no climb makes any more is walked over waypoints, along a cheapest path.
//! - `hang.rs`: beacons on blocked cells move aside; new ones are hung on the trunk.
//! - `trunk.rs`: where the map falls apart or grows together, so does the trunk.
//! - `labels.rs`: then hub labels are made anew, piece by piece.
//!
//! Unless the latter happens, or a leg becomes far longer, hub labels stay what they are: they know ways by what these cost before the edit. They agree with each other all the same, so
//! whoever follows them arrives; only the way may be a little longer than need be. Beacons keep their numbers, so that agents go on with what they know.

mod crossings;
mod hang;
mod labels;
mod regions;
#[cfg(test)]
mod tests;
mod trunk;
mod ways;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use xxhash_rust::xxh3::xxh3_64;

use self::crossings::Crossings;
use self::labels::labelled;
use self::ways::Waypoint;
use super::hubs::Labelling;
use super::{BeaconDatabase, FIRST_TWIG, FIRST_WAYPOINT, Lists};
use crate::database::container::DatabaseError;
use crate::database::labels::EditedRows;
use crate::search::GridPlanner;
use crate::space::{Cell, GridSpace, State, StateSpace};

/// What is no longer as in the file.
#[derive(Clone, Debug)]
pub(super) struct Repairs {
    /// The most steps of a climb within a region.
    cutoff: u32,
    /// The longest leg that is looked for, in cells along either axis.
    span: u32,
    width: u32,
    labels: EditedRows,
    /// The regions that were made by repairs.
    made: BTreeSet<u32>,
    /// Which legs pass where.
    crossings: Crossings,
    waypoints: Vec<Waypoint>,
    /// For two beacons, in either order, the first waypoint of the leg from one to the other, where there are any.
    detours: BTreeMap<(u32, u32), u32>,
    /// The legs of the trunk that hub labels were made of, with what they cost then.
    labelled: Lists<(u32, u32)>,
    /// Hub labels that are being made anew.
    labelling: Option<Box<Labelling>>,
    /// Whether they will have to be made once more: there were edits since they were begun.
    is_outdated: bool,
    /// Beacons that there are no more.
    dead: BTreeSet<u32>,
    /// Numbers that can be used again.
    free_regions: Vec<u32>,
    free_waypoints: Vec<u32>,
    /// What tells these repairs from others.
    mark: u64,
}

impl Repairs {
    #[inline]
    pub(super) fn label(&self, state: State) -> Option<u32> {
        let (x, y) = (state.0 % self.width, state.0 / self.width);
        self.labels.of(x, y)
    }

    pub(super) fn checksum(&self) -> u64 {
        self.mark
    }

    pub(super) fn bytes(&self) -> usize {
        self.labels.bytes()
            + self.crossings.bytes()
            + core::mem::size_of_val(&self.waypoints[..])
            + self.detours.len() * core::mem::size_of::<((u32, u32), u32)>()
    }
}

/// What a repair did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BeaconRepair {
    /// The states that are in another region now.
    pub moved_states: u32,
    /// The regions that were made.
    pub new_regions: u32,
    /// The legs that were looked at again.
    pub legs: u32,
    /// Whether the map fell apart or grew together, or a leg became far longer, so that the hub labels were made anew.
    pub is_relabelled: bool,
    /// What it took, hub labels apart: states that were looked at, moves of climbs, expansions of searches.
    pub work: u64,
    /// The numbers of beacons and waypoints that mean something else now, or nothing, in order. Agents that go by them have to choose anew.
    pub(crate) retired: Vec<u32>,
}

/// A repair that is going on.
struct Repair<'a> {
    space: &'a GridSpace,
    changed: &'a [Cell],
    planner: GridPlanner,
    /// Beacons that stand elsewhere now.
    moved: BTreeSet<u32>,
    /// States that were given a region anew.
    rehoused: Vec<State>,
    /// Where beacons stood that there are no more.
    deserted: Vec<Cell>,
    /// Twigs without a way out.
    unhung: Vec<u32>,
    /// Whether the trunk may not be as connected as the map.
    may_be_apart: bool,
    needs_labels: bool,
    report: BeaconRepair,
}

impl BeaconDatabase {
    /// Brings beacons up to date after cells of their map were blocked or freed, near those cells and nowhere else, but where the map fell
    /// apart or grew together.
    ///
    /// `space` is the map as it is now. `changed` must name every cell that was changed since the beacons were built or last
    /// repaired; it may name others, and one twice. From then on every state has a beacon again, and agents that are given
    /// these beacons arrive wherever there is a way. What ways cost is known from before the edit, but where the map fell apart or grew together:
    /// after many edits beacons that are built anew give shorter ways. What is repaired is in memory only: the
    /// [bytes](Self::as_bytes) stay those of the map before, and another map's.
    ///
    /// The first repair looks at all legs, to know what cells they pass.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs, or there is more than can be numbered. After the latter build them anew.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<BeaconRepair, DatabaseError> {
        let report = self.repair_but_labels(space, changed)?;
        while self.label_on().is_some() {}
        Ok(report)
    }

    /// The same, but hub labels that have to be made anew are only begun: [`label_on`](Self::label_on) goes on with them. Until they are there, ways
    /// are those of the labels from before, and agents wait where these lead no further.
    pub(crate) fn repair_but_labels(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<BeaconRepair, DatabaseError> {
        self.built_for.check_like(space)?;
        let mut changed: Vec<Cell> =
            changed.into_iter().filter(|&cell| space.grid().contains(cell)).collect();
        changed.sort_unstable();
        changed.dedup();
        let is_first = self.repairs.is_none();
        self.note_edits(space, &changed);
        let mut repair = Repair {
            space,
            changed: &changed,
            planner: GridPlanner::fastest(),
            moved: BTreeSet::new(),
            rehoused: Vec::new(),
            deserted: Vec::new(),
            unhung: Vec::new(),
            may_be_apart: false,
            needs_labels: false,
            report: BeaconRepair::default(),
        };
        self.move_aside(&mut repair);
        self.retire_made_regions(&mut repair);
        self.renew_regions(&mut repair);
        self.renew_ways(&mut repair);
        self.hang_twigs(&mut repair)?;
        self.renew_trunk(&mut repair);
        self.most_legs = self.most_legs.max(self.legs.longest());
        let mut report = repair.report;
        if is_first {
            // All legs were looked at.
            let all = self.legs.items.len() / 2 + self.twig_legs.items.len() + self.out.len();
            report.work += all as u64 * u64::from(self.config.span_for(space));
        }
        report.moved_states = repair.rehoused.len() as u32;
        report.retired.sort_unstable();
        report.retired.dedup();
        Ok(report)
    }

    /// What is changed by repairs; the first time it is made.
    fn note_edits(&mut self, space: &GridSpace, changed: &[Cell]) {
        let mut mark = Vec::from(self.checksum().to_le_bytes());
        for &cell in changed {
            let state = space.state(cell);
            mark.extend_from_slice(&state.0.to_le_bytes());
            mark.push(u8::from(space.contains(state)));
        }
        let mark = xxh3_64(&mark);
        if let Some(repairs) = &mut self.repairs {
            repairs.mark = mark;
            return;
        }
        self.repairs = Some(Box::new(Repairs {
            cutoff: self.config.cutoff_for(space),
            span: self.config.span_for(space),
            width: space.grid().width(),
            labels: EditedRows::default(),
            made: BTreeSet::new(),
            crossings: self.all_crossings(space),
            waypoints: Vec::new(),
            detours: BTreeMap::new(),
            labelled: labelled(self.trunk().map(|beacon| self.legs_with_costs(beacon))),
            labelling: None,
            is_outdated: false,
            dead: BTreeSet::new(),
            free_regions: Vec::new(),
            free_waypoints: Vec::new(),
            mark,
        }));
    }

    /// Whether a number is that of a beacon, and not of one that there is no more.
    fn is_alive(&self, beacon: u32) -> bool {
        !self.repairs.as_ref().is_some_and(|repairs| repairs.dead.contains(&beacon))
    }

    /// The beacons that stand on some states.
    fn on(&self, is_one: impl Fn(State) -> bool) -> impl Iterator<Item = u32> {
        let beacons = self.trunk().zip(&self.trunk).chain(self.twigs().zip(&self.twigs));
        let there = beacons.filter(move |&(_, &state)| is_one(state)).map(|(beacon, _)| beacon);
        there.filter(|&beacon| self.is_alive(beacon))
    }

    /// The beacon of the trunk that a beacon hangs on, or that it is; nothing if it hangs on one without a way out.
    fn root(&self, beacon: u32, unhung: &[u32]) -> Option<u32> {
        let mut at = beacon;
        while let Some(twig) = at.checked_sub(FIRST_TWIG) {
            if unhung.contains(&at) {
                return None;
            }
            at = *self.out.get(twig as usize)?;
        }
        self.is_alive(at).then_some(at)
    }

    #[inline]
    pub(super) fn waypoint(&self, number: u32) -> Option<&Waypoint> {
        self.repairs.as_ref()?.waypoints.get(number.checked_sub(FIRST_WAYPOINT)? as usize)
    }

    /// The first waypoint of the leg from a beacon to another, if it has any.
    #[inline]
    pub(crate) fn detour(&self, from: u32, to: u32) -> Option<u32> {
        self.repairs.as_ref()?.detours.get(&(from, to)).copied()
    }

    /// What comes after a waypoint: another, or the beacon that the leg leads to; nothing for a beacon.
    #[inline]
    pub(crate) fn after(&self, waypoint: u32) -> Option<u32> {
        self.waypoint(waypoint).map(|waypoint| waypoint.next)
    }
}

/// The cells within so many of a cell, along both axes.
fn around(space: &GridSpace, cell: Cell, reach: u32) -> impl Iterator<Item = Cell> + use<> {
    let span =
        |at: u32, side: u32| at.saturating_sub(reach)..at.saturating_add(reach).saturating_add(1).min(side);
    let columns = span(cell.x, space.grid().width());
    span(cell.y, space.grid().height()).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
}
