//! Legs that edits are in the way of.

use alloc::vec::Vec;

use super::super::lessons::bends;
use super::super::{BeaconDatabase, FIRST_WAYPOINT, Leg, in_units, web};
use super::{Repair, Repairs};
use crate::search::{GridPlanner, Planner, Ties, climb_run};
use crate::space::{Cell, Cost, GridSpace, State};

/// A state on the way around what is in the way of a leg.
#[derive(Clone, Copy, Debug)]
pub(in crate::database::beacons) struct Waypoint {
    pub(in crate::database::beacons) state: State,
    /// The waypoint after it, or the beacon that the leg leads to.
    pub(in crate::database::beacons) next: u32,
}

/// The cells that a walk passes are in here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    first: Cell,
    last: Cell,
}

impl Area {
    fn of(cell: Cell) -> Self {
        Self { first: cell, last: cell }
    }

    fn with(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            first: Cell::new(a.first.x.min(b.first.x), a.first.y.min(b.first.y)),
            last: Cell::new(a.last.x.max(b.last.x), a.last.y.max(b.last.y)),
        }
    }

    /// Whether a walk here may take a move that an edit of a cell makes legal or illegal.
    fn is_touched_by(&self, cell: Cell) -> bool {
        let within = |at: u32, first: u32, last: u32| at + 1 >= first && at <= last + 1;
        within(cell.x, self.first.x, self.last.x) && within(cell.y, self.first.y, self.last.y)
    }
}

/// What kind of leg it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Between two beacons of the trunk.
    Trunk,
    /// The way out of a twig, which comes first.
    Out,
    /// Another leg of a twig, which comes first.
    OfTwig,
}

/// A leg, and where it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) ends: [u32; 2],
    pub(super) kind: Kind,
    area: Area,
}

/// The cost of a climb, and where it passes.
fn climb(space: &GridSpace, ties: Ties, from: State, to: State) -> Option<(Cost, Area)> {
    let (mut at, mut cost) = (from, 0);
    let mut area = Area::of(space.cell(from));
    while at != to {
        let (direction, steps) = climb_run(space, at, to, ties)?;
        cost += space.step_cost(at, direction) * Cost::from(steps);
        let (dx, dy) = direction.delta();
        let cell = space.cell(at);
        let there = Cell::new(
            cell.x.wrapping_add_signed(dx * steps as i32),
            cell.y.wrapping_add_signed(dy * steps as i32),
        );
        at = space.state(there);
        area = area.with(Area::of(there));
    }
    Some((cost, area))
}

/// The cost of a leg, and where climbs pass on it either way.
fn measure(space: &GridSpace, ties: Ties, a: State, b: State) -> Option<(Cost, Area)> {
    let (there, first) = climb(space, ties, a, b)?;
    let (back, second) = climb(space, ties, b, a)?;
    (there == back).then_some((there, first.with(second)))
}

/// A way between two states: what it costs, where it passes, and the states to go by.
struct Route {
    cost: Cost,
    area: Area,
    stops: Vec<State>,
}

fn route(
    space: &GridSpace,
    planner: &mut GridPlanner,
    (ties, span): (Ties, u32),
    [a, b]: [State; 2],
) -> Option<Route> {
    if let Some((cost, area)) = measure(space, ties, a, b) {
        return Some(Route { cost, area, stops: Vec::new() });
    }
    if !space.components().same(space.cell(a), space.cell(b)) {
        return None;
    }
    let path = planner.plan(space, a, b).ok()?.path?;
    let stops = bends(space, &path, span, |a, b| web::leg(space, ties, a, b), |_| false);
    let chain: Vec<State> = [a].into_iter().chain(stops.iter().copied()).chain([b]).collect();
    let mut area = Area::of(space.cell(a));
    for pair in chain.windows(2) {
        let (_, passed) = measure(space, ties, pair[0], pair[1])?;
        area = area.with(passed);
    }
    Some(Route { cost: path.cost, area, stops })
}

impl Repairs {
    /// Goes over some states on the leg from one beacon to another.
    fn put_detour(&mut self, from: u32, to: u32, stops: impl Iterator<Item = State>) {
        let mut before: Option<u32> = None;
        for state in stops {
            let waypoint = Waypoint { state, next: to };
            let number = match self.free_waypoints.pop() {
                Some(number) => {
                    self.waypoints[(number - FIRST_WAYPOINT) as usize] = waypoint;
                    number
                }
                None => {
                    self.waypoints.push(waypoint);
                    FIRST_WAYPOINT + (self.waypoints.len() - 1) as u32
                }
            };
            match before {
                None => _ = self.detours.insert((from, to), number),
                Some(before) => self.waypoints[(before - FIRST_WAYPOINT) as usize].next = number,
            }
            before = Some(number);
        }
    }

    /// Goes straight again.
    fn drop_detour(&mut self, from: u32, to: u32, retired: &mut Vec<u32>) {
        let mut at = self.detours.remove(&(from, to));
        while let Some(waypoint) = at.filter(|&number| number >= FIRST_WAYPOINT) {
            self.free_waypoints.push(waypoint);
            retired.push(waypoint);
            at = self.waypoints.get((waypoint - FIRST_WAYPOINT) as usize).map(|waypoint| waypoint.next);
        }
    }
}

impl BeaconDatabase {
    /// All legs, as they are on a map that was edited since they were found: of one that an edit is in the way of, what it
    /// passed before is not known, and it counts as touched.
    pub(super) fn all_ways(&self, space: &GridSpace) -> Vec<Way> {
        let everywhere = Area {
            first: Cell::new(0, 0),
            last: Cell::new(space.grid().width() - 1, space.grid().height() - 1),
        };
        let way = |ends: [u32; 2], kind: Kind| {
            let states = ends.map(|beacon| self.state(beacon));
            let is_free = states.iter().all(|&state| space.grid().is_free(space.cell(state)));
            let measured = is_free.then(|| measure(space, self.config.ties, states[0], states[1])).flatten();
            Way { ends, kind, area: measured.map_or(everywhere, |(_, area)| area) }
        };
        let of_trunk = self.trunk().flat_map(|beacon| {
            let later = self.legs(beacon).iter().map(|leg| leg.to()).filter(move |&to| to > beacon);
            later.map(move |to| way([beacon, to], Kind::Trunk))
        });
        let of_twigs = self.twigs().zip(&self.out).flat_map(|(twig, out)| {
            let others = self.legs(twig).iter().map(move |leg| way([twig, leg.to()], Kind::OfTwig));
            others.chain([way([twig, out.to], Kind::Out)])
        });
        of_trunk.chain(of_twigs).collect()
    }

    /// Finds a way for a leg anew, by a climb or over waypoints, and what it costs, in units. Nothing if there is none: then it is no leg any more.
    pub(super) fn set_way(&mut self, repair: &mut Repair<'_>, ends: [u32; 2], kind: Kind) -> Option<u32> {
        let (ties, span) = (self.config.ties, self.config.span_for(repair.space));
        let states = ends.map(|beacon| self.state(beacon));
        self.drop_way(repair, ends, kind);
        let found = match kind {
            Kind::OfTwig => measure(repair.space, ties, states[0], states[1]).map(|(cost, area)| Route {
                cost,
                area,
                stops: Vec::new(),
            }),
            _ => route(repair.space, &mut repair.planner, (ties, span), states),
        }?;
        let repairs = self.repairs.as_deref_mut()?;
        repairs.put_detour(ends[0], ends[1], found.stops.iter().copied());
        repairs.put_detour(ends[1], ends[0], found.stops.iter().rev().copied());
        repairs.ways.push(Way { ends, kind, area: found.area });
        Some(in_units(found.cost, self.unit))
    }

    /// Forgets how a leg is walked.
    pub(super) fn drop_way(&mut self, repair: &mut Repair<'_>, ends: [u32; 2], kind: Kind) {
        let Some(repairs) = self.repairs.as_deref_mut() else { return };
        let known = repairs.ways.iter().position(|way| way.ends == ends && way.kind == kind);
        if let Some(place) = known {
            repairs.ways.swap_remove(place);
        }
        if kind != Kind::OfTwig {
            for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                repairs.drop_detour(from, to, &mut repair.report.retired);
            }
        }
    }

    /// Looks again at all legs that pass a cell that was changed, or that lead to a beacon that was moved.
    pub(super) fn renew_ways(&mut self, repair: &mut Repair<'_>) {
        let is_touched = |way: &Way| {
            repair.changed.iter().any(|&cell| way.area.is_touched_by(cell))
                || way.ends.iter().any(|end| repair.moved.contains(end))
        };
        let ways = self.repairs.as_ref().map_or(&[][..], |repairs| &repairs.ways);
        let mut touched: Vec<([u32; 2], Kind)> =
            ways.iter().filter(|way| is_touched(way)).map(|way| (way.ends, way.kind)).collect();
        touched.sort_unstable_by_key(|&(ends, kind)| (ends, kind as u8));
        repair.report.legs += touched.len() as u32;
        for (ends, kind) in touched {
            let cost = self.set_way(repair, ends, kind);
            let [from, to] = ends;
            match (kind, cost) {
                (Kind::Trunk, Some(cost)) => {
                    self.put_leg(from, to, cost);
                    self.put_leg(to, from, cost);
                }
                (Kind::Trunk, None) => {
                    self.remove_leg(from, to);
                    self.remove_leg(to, from);
                    repair.needs_labels = true;
                }
                (Kind::OfTwig, Some(cost)) => self.put_leg(from, to, cost),
                (Kind::OfTwig, None) => self.remove_leg(from, to),
                (Kind::Out, Some(cost)) => self.set_out(from, to, cost),
                (Kind::Out, None) => repair.unhung.push(from),
            }
        }
    }

    /// Adds a leg to those of a beacon, or changes what it costs.
    pub(super) fn put_leg(&mut self, beacon: u32, to: u32, cost: u32) {
        // A way that costs more than can be written costs at least that.
        let leg = Leg { to: to as u16, cost: u16::try_from(cost).unwrap_or(u16::MAX) };
        self.change_legs(beacon, |legs| match legs.binary_search_by_key(&leg.to, |known| known.to) {
            Ok(place) => legs[place] = leg,
            Err(place) => legs.insert(place, leg),
        });
    }

    pub(super) fn remove_leg(&mut self, beacon: u32, to: u32) {
        self.change_legs(beacon, |legs| legs.retain(|leg| leg.to() != to));
    }

    pub(super) fn change_legs(&mut self, beacon: u32, change: impl FnOnce(&mut Vec<Leg>)) {
        let mut legs = self.legs(beacon).to_vec();
        change(&mut legs);
        match beacon.checked_sub(super::FIRST_TWIG) {
            None => self.legs.replace(beacon, &legs),
            Some(twig) => self.twig_legs.replace(twig, &legs),
        }
    }
}
