//! Beacons: states at the bends of a map that cheapest paths turn at, legs between them that climbs walk at no loss, and what the ways over
//! them cost, for any two. `beacon*` goes by them.
//!
//! Not from a paper. It grew out of covers (HCDPS): the map is divided into regions of states that climb to their middle and back, so
//! that every state has a beacon that it gets to, and that gets to it. But ways do not lead over middles: random problems are
//! solved exactly, and where the way over the beacons is longer than it need be, the bends of the cheapest path become
//! beacons (`lessons.rs`). A map has far fewer bends than pairs of places, so that a few thousand of them, with
//! hub labels (`hubs.rs`) in place of a table of all pairs, take less room than any list of paths.
//!
//! - `web.rs`: beacons and legs while they are being found.
//! - `twigs.rs`: nooks, and a trunk that is as connected as the map.
//! - `leaves.rs`: beacons of the trunk that ways begin and end at, but never lead over.
//! - `build.rs`, `file.rs`, `verify.rs`: how all of it is put together, packed and checked. `docs/sfdb.md` has the file, byte by byte.
//! - `repair/`: what is done when cells of the map are blocked or freed.

mod build;
mod config;
mod file;
mod hub_lists;
mod hubs;
mod leaves;
mod lessons;
mod lists;
mod repair;
mod squares;
#[cfg(test)]
mod tests;
mod twigs;
mod verify;
mod web;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

pub use self::build::BeaconStage;
pub use self::config::BeaconConfig;
pub(crate) use self::config::{MOST_PROBLEMS, MOST_SLACK};
use self::hub_lists::{CostsTo, Hubs, MOST_UNITS, UNKNOWN_LEG};
use self::lists::Lists;
pub use self::repair::BeaconRepair;
use self::repair::Repairs;
pub(crate) use self::twigs::MOST_TWIGS;
pub use self::verify::BeaconFault;
use super::container::{BuiltFor, SharedBytes};
use super::labels::Labels;
use super::partition::NONE;
use crate::space::{Cost, CostUnits, State};

pub(super) const CONTENTS: &str = "beacons";

/// How many legs a way back is followed at most.
pub(crate) const MOST_LOOKS: usize = 48;

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
    /// The number of regions.
    pub regions: u32,
    /// The number of beacons that cheapest ways are known between.
    pub trunk: u32,
    /// The number of beacons that lead to nooks.
    pub twigs: u32,
    /// The number of legs between beacons.
    pub legs: u64,
    /// The number of hubs of all beacons together.
    pub hubs: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of all that agents look up in it when it is open.
    pub memory_bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// Beacons of a map, and what the ways between them cost.
///
/// Costs of ways are in units, each of some parts of a move ([`unit`](Self::unit)), rounded up: sums of two are off by less than two.
#[derive(Clone)]
pub struct BeaconDatabase {
    bytes: SharedBytes,
    config: BeaconConfig,
    built_for: BuiltFor,
    unit: Cost,
    labels: Labels,
    /// The beacon of each region; [`NONE`] of a state that no move leads from.
    of_region: Vec<u32>,
    /// Where the beacons of the trunk stand.
    trunk: Vec<State>,
    /// Their legs.
    legs: Lists<Leg>,
    /// The most legs that a beacon of the trunk has.
    most_legs: usize,
    /// Where the twigs stand.
    twigs: Vec<State>,
    /// Their legs to beacons of the trunk.
    twig_legs: Lists<Leg>,
    /// For each twig the next beacon on its way out.
    out: Vec<u32>,
    /// What straight and diagonal moves cost: nearly all legs cost as much as those moves that lead there over free ground.
    units: CostUnits,
    /// What the others cost, in units, from one beacon to another.
    longer: BTreeMap<(u32, u32), u32>,
    /// For each region beacons of the trunk beyond the legs of its own.
    views: Lists<u16>,
    hubs: Hubs,
    /// What is no longer as in the file, once the map was edited.
    repairs: Option<Box<Repairs>>,
}

/// The number of the first twig: those of the trunk, which there may be more of in time, are below.
const FIRST_TWIG: u32 = 1 << 16;
/// The number of the first state on the way around what is in the way of a leg.
const FIRST_WAYPOINT: u32 = 1 << 31;

/// The way out of a twig: a leg to a beacon of the trunk, or to another twig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WayOut {
    /// The beacon at its other end.
    pub(crate) to: u32,
    /// What it costs, in units.
    pub(crate) cost: u32,
}

/// A leg to a beacon of the trunk. Small: there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Leg {
    to: u16,
}

impl Leg {
    /// The beacon at its other end.
    #[inline]
    pub(crate) fn to(self) -> u32 {
        u32::from(self.to)
    }
}

impl BeaconDatabase {
    /// The beacon of a state's region, which a climb gets to from the state, and from which one gets there; nothing where there is none, and
    /// for states that no move leads from.
    #[inline]
    #[must_use]
    pub fn beacon(&self, state: State) -> Option<u32> {
        Some(self.of_region[self.region(state)? as usize]).filter(|&beacon| beacon != NONE)
    }

    /// The region of a state; of what is no state any, or none.
    #[inline]
    #[must_use]
    pub fn region(&self, state: State) -> Option<u32> {
        if let Some(label) = self.repairs.as_ref().and_then(|repairs| repairs.label(state)) {
            return Some(label);
        }
        self.labels.of(self.as_bytes(), state.index())
    }

    /// Where a beacon stands.
    ///
    /// # Panics
    /// If there is no such beacon.
    #[inline]
    #[must_use]
    pub fn state(&self, beacon: u32) -> State {
        if beacon < FIRST_TWIG {
            self.trunk[beacon as usize]
        } else if beacon < FIRST_WAYPOINT {
            self.twigs[(beacon - FIRST_TWIG) as usize]
        } else {
            self.waypoint(beacon).map_or(State(0), |waypoint| waypoint.state)
        }
    }

    /// Whether there is a beacon of this number, or a waypoint.
    pub(crate) fn has(&self, beacon: u32) -> bool {
        if beacon < FIRST_TWIG {
            (beacon as usize) < self.trunk.len()
        } else if beacon < FIRST_WAYPOINT {
            ((beacon - FIRST_TWIG) as usize) < self.twigs.len()
        } else {
            self.waypoint(beacon).is_some()
        }
    }

    /// The next beacon on the way out of a twig, and the leg to it; nothing for a beacon of the trunk.
    #[inline]
    pub(crate) fn out(&self, beacon: u32) -> Option<WayOut> {
        let to = *self.out.get(beacon.checked_sub(FIRST_TWIG)? as usize)?;
        Some(WayOut { to, cost: self.leg_cost(beacon, to) })
    }

    /// What the leg from one beacon to another costs, in units, if there is one.
    #[inline]
    pub(crate) fn leg_cost(&self, from: u32, to: u32) -> u32 {
        self.longer.get(&(from, to)).copied().unwrap_or_else(|| self.straight_cost(from, to))
    }

    /// What moves over free ground would cost from one beacon to another, in units.
    fn straight_cost(&self, from: u32, to: u32) -> u32 {
        let width = self.built_for.size.0.max(1);
        let [a, b] = [from, to].map(|beacon| self.state(beacon).0);
        let (dx, dy) = ((a % width).abs_diff(b % width), (a / width).abs_diff(b / width));
        let (less, more) = (u64::from(dx.min(dy)), u64::from(dx.max(dy)));
        self.in_units(self.units.of_steps(more - less, less))
    }

    /// Notes what the leg from one beacon to another costs, in units.
    fn set_leg_cost(&mut self, from: u32, to: u32, cost: u32) {
        if cost == self.straight_cost(from, to) {
            self.longer.remove(&(from, to));
        } else {
            self.longer.insert((from, to), cost);
        }
    }

    /// The legs of a beacon to beacons of the trunk.
    #[inline]
    pub(crate) fn legs(&self, beacon: u32) -> &[Leg] {
        match beacon.checked_sub(FIRST_TWIG) {
            None => self.legs.of(beacon),
            Some(twig) => self.twig_legs.of(twig),
        }
    }

    /// The most legs that a beacon of the trunk has.
    pub(crate) fn most_legs(&self) -> usize {
        self.most_legs
    }

    /// The beacons that a way from or to a state of a region may begin or end with, beyond the legs of its own.
    #[inline]
    pub(crate) fn views(&self, region: u32) -> impl Iterator<Item = u32> {
        // Regions that were made by repairs have none.
        let views = if (region as usize) < self.views.count() { self.views.of(region) } else { &[] };
        views.iter().map(|&beacon| u32::from(beacon))
    }

    /// What the cheapest way between two beacons of the trunk costs, in units; nothing if there is none.
    #[inline]
    pub(crate) fn cost(&self, a: u32, b: u32) -> Option<u32> {
        self.hubs.best(a, b).map(|(cost, ..)| cost)
    }

    /// The same from many beacons to one.
    pub(crate) fn costs_to(&self, beacon: u32) -> CostsTo<'_> {
        CostsTo::new(&self.hubs, beacon)
    }

    /// The leg that a cheapest way from one beacon of the trunk to another begins with, and what the way costs; found in a bounded number of steps, each of
    /// which is counted by `look`; nothing if there is none.
    pub(crate) fn next_leg(&self, from: u32, to: u32, mut look: impl FnMut()) -> Option<(Leg, u32)> {
        look();
        let (cost, at, other) = self.hubs.best(from, to)?;
        if let Some(leg) = self.leg_by_hub(from, at, to, other, &mut look) {
            return Some((leg, cost));
        }
        // The leg from whose end the rest costs least. Costs are rounded, but each leg is worth many units.
        let legs = self.legs(from).iter();
        let costs = legs.filter_map(|leg| {
            look();
            self.cost(leg.to(), to)
                .filter(|&rest| rest < cost)
                .map(|rest| (self.leg_cost(from, leg.to()) + rest, leg))
        });
        costs.min_by_key(|&(cost, leg)| (cost, leg.to)).map(|(_, leg)| (*leg, cost))
    }

    /// The same by the hub of both, which lies at `at` and `other` of the lists; nothing if that takes too long.
    fn leg_by_hub(
        &self,
        from: u32,
        at: usize,
        to: u32,
        other: usize,
        look: &mut impl FnMut(),
    ) -> Option<Leg> {
        let leg_of = |beacon: u32, hub: usize| {
            let place = Some(self.hubs.legs[hub]).filter(|&place| place != UNKNOWN_LEG)?;
            self.leg_at(beacon, usize::from(place))
        };
        if self.hubs.cost(at) > 0 {
            return leg_of(from, at);
        }
        // The hub is where the way begins: its first leg is the last one of the way back.
        let rank = self.hubs.ranks.items[at];
        let (mut beacon, mut hub) = (to, other);
        for _ in 0..MOST_LOOKS {
            look();
            let next = leg_of(beacon, hub)?.to();
            if next == from {
                return self.legs(from).iter().find(|leg| leg.to() == beacon).copied();
            }
            beacon = next;
            hub = self.hubs.place(beacon, rank)?;
        }
        None
    }

    /// A cost in units, rounded up.
    #[inline]
    pub(crate) fn in_units(&self, cost: Cost) -> u32 {
        in_units(cost, self.unit)
    }

    /// What a unit is worth in the costs of the map.
    #[must_use]
    pub fn unit(&self) -> Cost {
        self.unit
    }

    /// The number of regions.
    #[must_use]
    pub fn regions(&self) -> u32 {
        self.of_region.len() as u32
    }

    /// The number of beacons.
    #[must_use]
    pub fn beacons(&self) -> u32 {
        (self.trunk.len() + self.twigs.len()) as u32
    }

    /// The beacons that cheapest ways are known between.
    #[must_use]
    pub fn trunk(&self) -> Range<u32> {
        0..self.trunk.len() as u32
    }

    /// The beacons that lead to nooks.
    #[must_use]
    pub fn twigs(&self) -> Range<u32> {
        FIRST_TWIG..FIRST_TWIG + self.twigs.len() as u32
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &BeaconConfig {
        &self.config
    }

    /// What it was built for.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// The bytes of its file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// What tells this database from others: the checksum of its file, or, once it was repaired, a number that the file and all edits make.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        match &self.repairs {
            Some(repairs) => repairs.checksum(),
            None => self.checksum_of_file(),
        }
    }

    fn checksum_of_file(&self) -> u64 {
        self.as_bytes().last_chunk().map_or(0, |checksum| u64::from_le_bytes(*checksum))
    }

    /// The bytes of all that agents look up in it: the labels of the file, and what is unpacked when it is opened.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let unpacked = core::mem::size_of_val(&self.of_region[..])
            + core::mem::size_of_val(&self.trunk[..])
            + core::mem::size_of_val(&self.twigs[..])
            + core::mem::size_of_val(&self.out[..])
            + self.longer.len() * size_of::<((u32, u32), u32)>();
        self.labels.bytes()
            + unpacked
            + self.legs.bytes()
            + self.twig_legs.bytes()
            + self.repairs.as_ref().map_or(0, |repairs| repairs.bytes())
            + self.views.bytes()
            + self.hubs.ranks.bytes()
            + core::mem::size_of_val(&self.hubs.costs[..])
            + core::mem::size_of_val(&self.hubs.legs[..])
    }

    /// The papers' measure of size: one for each beacon, leg and hub. What the labels of states take is not in it.
    #[must_use]
    pub fn states(&self) -> u64 {
        let legs = self.legs.items.len() + self.twig_legs.items.len();
        u64::from(self.beacons()) + (legs + self.hubs.costs.len()) as u64
    }
}

/// A cost in units, rounded up.
#[inline]
fn in_units(cost: Cost, unit: Cost) -> u32 {
    u32::try_from(cost.div_ceil(unit)).unwrap_or(u32::MAX)
}

impl fmt::Debug for BeaconDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("BeaconDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}
