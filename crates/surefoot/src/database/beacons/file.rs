//! The file of beacons.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::build::Found;
use super::twigs::MOST_TWIGS;
use super::{
    BeaconConfig, BeaconDatabase, BeaconFileInfo, CONTENTS, FIRST_TWIG, FIRST_WAYPOINT, Hubs, Leg, Lists,
    MOST_UNITS, in_units, web,
};
use crate::codec::{CodecError, Reader, put_number, put_signed};
use crate::database::container::{BuiltFor, Container, DatabaseError, SharedBytes, malformed};
use crate::database::labels::Labels;
use crate::database::partition::NONE;
use crate::space::{Cost, CostModel, CostUnits, GridSpace, State, StateSpace, World};

/// A unit is this part of a straight move, or the unit of the cost model if that is larger.
const UNITS_PER_MOVE: Cost = 40;

/// What a unit is worth on a map.
pub(super) fn unit_of(space: &GridSpace) -> Cost {
    (space.units().of_steps(1, 0) / UNITS_PER_MOVE).max(1)
}

impl BeaconDatabase {
    pub(super) fn pack(
        space: &GridSpace,
        config: BeaconConfig,
        found: &Found,
    ) -> Result<Self, DatabaseError> {
        let unit = unit_of(space);
        let far = found.hubs.iter().flatten().map(|hub| hub.cost).max().unwrap_or(0);
        if far.div_ceil(unit) > Cost::from(MOST_UNITS) {
            let problem = format!("a way of {} moves", far / space.units().of_steps(1, 0));
            return Err(DatabaseError::TooLarge { problem });
        }
        let trunk = found.hubs.len();
        if trunk > usize::from(u16::MAX) {
            let problem =
                format!("a trunk of {trunk} beacons; with more slack and fewer problems there are fewer");
            return Err(DatabaseError::TooLarge { problem });
        }
        let built_for = BuiltFor::of(space);
        let labels = found.regions.labels.iter().map(|&label| Some(label).filter(|&label| label != NONE));
        let sections = [
            (*b"conf", config.to_bytes()),
            (*b"regn", found.regions.list.to_bytes()),
            (*b"labl", Labels::write(labels, found.of_region.len() as u32, built_for.size.0)),
            (*b"beac", beacons_section(found)),
            (*b"legs", legs_section(found)),
            (*b"view", lists_section(&found.views)),
            (*b"ways", ways_section(found)),
        ];
        Self::from_bytes(space, Container::write(CONTENTS, &built_for, &sections))
    }

    /// Opens beacons for `world`. The bytes are kept; labels are used in place.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version or kind, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        let mut opened = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        opened.built_for.check(world)?;
        let Some(space) = world.octile_grid() else {
            return Err(DatabaseError::Unsuitable { problem: "beacons are for grids" });
        };
        (opened.unit, opened.units) = (unit_of(space), space.units());
        opened.check_labels(space)?;
        let costs = opened.measure_legs(space)?;
        opened.measure_ways(&costs).map_err(|problem| malformed("ways", problem.to_string()))?;
        Ok(opened)
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<BeaconFileInfo, DatabaseError> {
        let opened = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        Ok(BeaconFileInfo {
            version: crate::codec::version_of(opened.as_bytes()),
            built_for: opened.built_for.clone(),
            config: opened.config,
            regions: opened.regions(),
            trunk: opened.trunk.len() as u32,
            twigs: opened.twigs.len() as u32,
            legs: (opened.legs.items.len() / 2 + opened.twig_legs.items.len()) as u64,
            hubs: opened.hubs.costs.len() as u64,
            bytes: opened.as_bytes().len() as u64,
            memory_bytes: opened.memory_bytes() as u64,
            sections: Container::read(opened.as_bytes())?.sizes().collect(),
        })
    }

    /// Takes a file apart, and makes sure that nothing in it points outside.
    fn parse(bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let all: &[u8] = (**bytes).as_ref();
        let container = Container::read_of(CONTENTS, all)?;
        let section = |tag| container.section(tag).map(|range| Reader::new(&all[range]));
        let mut head = section("conf")?;
        let config = BeaconConfig::read(&mut head)?;
        head.finish()?;
        let built_for = container.built_for.clone();
        let list = crate::database::region_list::RegionList::read(
            &all[container.section("regn")?],
            built_for.states,
        )?;
        let regions = list.representatives.len() as u32;
        let Beacons { of_region, trunk, twigs, out } =
            Beacons::read(section("beac")?, regions, built_for.states)?;
        let count = usize::try_from(built_for.states).unwrap_or(usize::MAX);
        let labels = Labels::read(all, container.section("labl")?, regions, (count, built_for.size.0))
            .map_err(|problem| malformed("labl", problem))?;
        let [legs, twig_legs] = read_legs(section("legs")?, trunk.len() as u32, twigs.len() as u32)?;
        let views = read_lists(section("view")?, regions, trunk.len() as u32)?;
        let hubs = read_ways(section("ways")?, &legs)?;
        let opened = Self {
            bytes: Arc::clone(bytes),
            config,
            built_for,
            // What belongs to the map is found out with it.
            unit: 1,
            units: CostUnits::new(CostModel::Sqrt2, false),
            longer: BTreeMap::new(),
            labels,
            of_region,
            trunk,
            most_legs: legs.longest(),
            legs,
            twigs,
            twig_legs,
            out,
            views,
            hubs,
            repairs: None,
        };
        let is_other = |(&beacon, &state): (&u32, &State)| beacon != NONE && opened.state(beacon) != state;
        if opened.of_region.iter().zip(&list.representatives).any(is_other) {
            return Err(malformed("beac", "a region has another state than its beacon".to_string()));
        }
        Ok(opened)
    }

    /// Makes sure that every state has a region, and every region's beacon lies in it.
    fn check_labels(&self, space: &GridSpace) -> Result<(), DatabaseError> {
        self.labels.check_coverage(self.as_bytes(), space)?;
        for (region, &beacon) in (0..).zip(&self.of_region).filter(|&(_, &beacon)| beacon != NONE) {
            let state = self.state(beacon);
            if !space.contains(state) || self.region(state) != Some(region) {
                return Err(malformed("beac", format!("the beacon of region {region} is another's state")));
            }
        }
        Ok(())
    }

    /// Makes sure that all legs can be climbed both ways, and finds what they cost, in units. What those of the trunk cost exactly, in order.
    fn measure_legs(&mut self, space: &GridSpace) -> Result<Vec<Cost>, DatabaseError> {
        let (ties, unit) = (self.config.ties, self.unit);
        if let Some(state) = self.trunk.iter().chain(&self.twigs).find(|&&state| !space.contains(state)) {
            return Err(malformed("beac", format!("a beacon stands on {}", space.describe(*state))));
        }
        let measure = |from: State, to: State| {
            let cost = (from != to).then(|| web::leg(space, ties, from, to)).flatten();
            cost.filter(|&cost| u16::try_from(in_units(cost, unit)).is_ok()).ok_or_else(|| {
                malformed("legs", "a climb does not get from one end of a leg to the other".to_string())
            })
        };
        let mut costs = Vec::with_capacity(self.legs.items.len() + self.twig_legs.items.len());
        for beacon in self.trunk().chain(self.twigs()) {
            for place in 0..self.legs(beacon).len() {
                let to = self.legs(beacon)[place].to();
                let cost = measure(self.state(beacon), self.state(to))?;
                self.set_leg_cost(beacon, to, in_units(cost, unit));
                costs.push(cost);
            }
        }
        for twig in self.twigs() {
            let to = self.out[(twig - FIRST_TWIG) as usize];
            let cost = measure(self.state(twig), self.state(to))?;
            self.set_leg_cost(twig, to, in_units(cost, unit));
        }
        costs.truncate(self.legs.items.len());
        Ok(costs)
    }

    /// Finds what the ways to all hubs cost, from what the legs do. In the place of costs are those of the first legs until then.
    fn measure_ways(&mut self, costs_of_legs: &[Cost]) -> Result<(), &'static str> {
        let Self { hubs, legs, unit, .. } = self;
        let mut costs = vec![Cost::MAX; hubs.costs.len()];
        for ends in hubs.ranks.starts.windows(2) {
            // The last hub of a beacon is itself.
            let own = ends[1].checked_sub(1).filter(|&own| own >= ends[0]);
            costs[own.ok_or("a beacon is no hub of itself")? as usize] = 0;
        }
        let mut way = Vec::new();
        for beacon in 0..legs.count() as u32 {
            for first in hubs.ranks.starts[beacon as usize]..hubs.ranks.starts[beacon as usize + 1] {
                let (mut at, mut on) = (first as usize, beacon);
                let rank = hubs.ranks.items[at];
                while costs[at] == Cost::MAX {
                    let place = hubs.cost(at) as usize;
                    let leg = legs.of(on).get(place).ok_or("there is no such leg")?;
                    way.push((at, costs_of_legs[legs.starts[on as usize] as usize + place]));
                    // No way leads over a beacon twice.
                    if way.len() > legs.count() {
                        return Err("a way to a hub leads in a circle");
                    }
                    on = leg.to();
                    at = hubs.place(on, rank).ok_or("a way to a hub leads elsewhere")?;
                }
                let mut cost = costs[at];
                for (at, leg) in way.drain(..).rev() {
                    cost += leg;
                    costs[at] = cost;
                }
            }
        }
        for (at, &cost) in costs.iter().enumerate() {
            let cost = Some(in_units(cost, *unit)).filter(|&cost| cost <= MOST_UNITS);
            hubs.set_cost(at, cost.ok_or("a way costs too much")?);
        }
        Ok(())
    }
}

fn beacons_section(found: &Found) -> Vec<u8> {
    let mut out = Vec::new();
    put_number(&mut out, (found.states.len() - found.out.len()) as u64);
    put_number(&mut out, found.out.len() as u64);
    let mut before = 0;
    for state in &found.states {
        put_signed(&mut out, i64::from(state.0) - before);
        before = i64::from(state.0);
    }
    for beacon in &found.of_region {
        put_number(&mut out, beacon.map_or(0, |beacon| u64::from(beacon) + 1));
    }
    for &beacon in &found.out {
        put_number(&mut out, u64::from(beacon));
    }
    out
}

/// The first part of a section: where the beacons stand, and how they belong together.
struct Beacons {
    of_region: Vec<u32>,
    trunk: Vec<State>,
    twigs: Vec<State>,
    out: Vec<u32>,
}

impl Beacons {
    fn read(mut reader: Reader<'_>, regions: u32, state_limit: u64) -> Result<Self, DatabaseError> {
        let too_many = "there are not so many beacons";
        let trunk = reader.number_up_to(u64::from(u16::MAX), too_many)? as u32;
        let twigs = reader.count(1)?;
        if twigs >= (FIRST_WAYPOINT - FIRST_TWIG) as usize {
            return Err(reader.malformed(too_many).into());
        }
        let twigs = twigs as u32;
        // Each takes a byte at least: no more room is taken than there are bytes.
        let count = u64::from(trunk) + u64::from(twigs);
        if count > reader.left() as u64 {
            return Err(reader.malformed("there are not so many beacons").into());
        }
        let mut states = Vec::with_capacity(count as usize);
        let mut state = 0_i64;
        for _ in 0..count {
            state = state.saturating_add(reader.signed()?);
            let number = u32::try_from(state).ok().filter(|&number| u64::from(number) < state_limit);
            states.push(State(number.ok_or_else(|| reader.malformed("there is no such state"))?));
        }
        // In a file twigs are numbered right after the trunk.
        let number_of = |place: u32| if place < trunk { place } else { place - trunk + FIRST_TWIG };
        let mut of_region = Vec::with_capacity(regions as usize);
        for _ in 0..regions {
            of_region.push(match reader.number_up_to(count, "there is no such beacon")? {
                0 => NONE,
                number => number_of((number - 1) as u32),
            });
        }
        let mut out = Vec::with_capacity(twigs as usize);
        let mut depths = Vec::with_capacity(twigs as usize);
        for twig in 0..twigs {
            // The next on the way out is one of the trunk, or an earlier twig: no way leads in a circle.
            let to = below(&mut reader, u64::from(trunk) + u64::from(twig))?;
            let depth = to.checked_sub(trunk).map_or(1, |next| depths[next as usize] + 1);
            if depth > MOST_TWIGS {
                return Err(reader.malformed("a chain of twigs is too long").into());
            }
            depths.push(depth);
            out.push(number_of(to));
        }
        reader.finish()?;
        let twigs = states.split_off(trunk as usize);
        Ok(Self { of_region, trunk: states, twigs, out })
    }
}

/// The number of a beacon below a limit.
fn below(reader: &mut Reader<'_>, limit: u64) -> Result<u32, CodecError> {
    let number = reader.number_up_to(u64::from(u32::MAX), "there is no such beacon")?;
    if number < limit { Ok(number as u32) } else { Err(reader.malformed("there is no such beacon")) }
}

/// Numbers in rising order.
fn put_rising(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32>) {
    put_number(out, numbers.len() as u64);
    let mut next = 0;
    for number in numbers {
        put_number(out, u64::from(number - next));
        next = number + 1;
    }
}

fn read_rising(
    reader: &mut Reader<'_>,
    limit: u32,
    mut visit: impl FnMut(u32, &mut Reader<'_>) -> Result<(), CodecError>,
) -> Result<(), CodecError> {
    let mut next = 0_u64;
    for _ in 0..reader.count(1)? {
        next = next.saturating_add(reader.number()?);
        let number = u32::try_from(next).ok().filter(|&number| number < limit);
        visit(number.ok_or_else(|| reader.malformed("there is no such number"))?, reader)?;
        next += 1;
    }
    Ok(())
}

/// The legs of each beacon: of the trunk to those with higher numbers, of twigs to all.
fn legs_section(found: &Found) -> Vec<u8> {
    let trunk = (found.states.len() - found.out.len()) as u32;
    let mut out = Vec::new();
    for (beacon, legs) in (0..).zip(&found.legs) {
        let first = if beacon < trunk { legs.partition_point(|&(to, _)| to < beacon) } else { 0 };
        put_rising(&mut out, legs[first..].iter().map(|&(to, _)| to));
    }
    out
}

/// The legs of the trunk, and those of twigs.
fn read_legs(mut reader: Reader<'_>, trunk: u32, twigs: u32) -> Result<[Lists<Leg>; 2], DatabaseError> {
    let mut legs: Vec<Vec<u32>> = (0..trunk).map(|_| Vec::new()).collect();
    for beacon in 0..trunk {
        read_rising(&mut reader, trunk, |to, reader| {
            if to <= beacon {
                return Err(reader.malformed("there is no such leg"));
            }
            legs[beacon as usize].push(to);
            legs[to as usize].push(beacon);
            Ok(())
        })?;
    }
    let leg = |to: u32| Leg { to: to as u16 };
    let mut of_trunk = Lists::new();
    for mut legs in legs {
        legs.sort_unstable();
        of_trunk.items.extend(legs.into_iter().map(leg));
        of_trunk.end_list();
    }
    let mut of_twigs = Lists::new();
    for _ in 0..twigs {
        read_rising(&mut reader, trunk, |to, _| {
            of_twigs.items.push(leg(to));
            Ok(())
        })?;
        of_twigs.end_list();
    }
    reader.finish()?;
    Ok([of_trunk, of_twigs])
}

fn lists_section(lists: &[Vec<u32>]) -> Vec<u8> {
    let mut out = Vec::new();
    for list in lists {
        let mut list = list.clone();
        list.sort_unstable();
        put_rising(&mut out, list.into_iter());
    }
    out
}

/// Lists of beacons of the trunk.
fn read_lists(mut reader: Reader<'_>, count: u32, trunk: u32) -> Result<Lists<u16>, DatabaseError> {
    let mut lists = Lists::new();
    for _ in 0..count {
        read_rising(&mut reader, trunk, |number, _| {
            lists.items.push(number as u16);
            Ok(())
        })?;
        lists.end_list();
    }
    reader.finish()?;
    Ok(lists)
}

/// The hubs of each beacon of the trunk, by rank, and which legs the ways there begin with. The last hub is the beacon itself: there is no way to go.
fn ways_section(found: &Found) -> Vec<u8> {
    let mut out = Vec::new();
    for (hubs, legs) in found.hubs.iter().zip(&found.legs) {
        put_rising(&mut out, hubs.iter().map(|hub| hub.rank));
        for hub in hubs.iter().take(hubs.len().saturating_sub(1)) {
            let place = legs.binary_search_by_key(&hub.next, |&(to, _)| to).unwrap_or(0);
            put_number(&mut out, place as u64);
        }
    }
    out
}

/// The hubs of all beacons. What the ways cost is measured later.
fn read_ways(mut reader: Reader<'_>, legs: &Lists<Leg>) -> Result<Hubs, DatabaseError> {
    let trunk = legs.count() as u32;
    let mut hubs = Hubs { ranks: Lists::new(), costs: Vec::new(), legs: Vec::new() };
    for beacon in 0..trunk {
        let mut ranks = Vec::new();
        read_rising(&mut reader, trunk, |rank, _| {
            ranks.push(rank);
            Ok(())
        })?;
        let most = (legs.of(beacon).len() as u64).saturating_sub(1);
        for (place, &rank) in ranks.iter().enumerate() {
            let is_own = place + 1 == ranks.len();
            let leg = if is_own { 0 } else { reader.number_up_to(most, "there is no such leg")? };
            hubs.put(rank, leg as u32, leg as u32);
        }
        hubs.ranks.end_list();
    }
    reader.finish()?;
    Ok(hubs)
}
