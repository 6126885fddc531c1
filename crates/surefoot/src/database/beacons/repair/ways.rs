//! Legs that edits are in the way of.

use alloc::vec::Vec;

use super::super::lessons::{Beacons, bends};
use super::super::{BeaconDatabase, FIRST_TWIG, FIRST_WAYPOINT, Leg, in_units, web};
use super::crossings::{Crossings, Kind, Way};
use super::{Repair, Repairs};
use crate::database::passages::Line;
use crate::search::{Planner, Ties};
use crate::space::{Cost, GridSpace, State, StateSpace};

/// What a detour may cost, in units, before hub labels have to know of it: eight straight moves, and a quarter of the leg.
const SOME_MOVES: u32 = 320;

/// A state on the way around what is in the way of a leg.
#[derive(Clone, Copy, Debug)]
pub(in crate::database::beacons) struct Waypoint {
    pub(in crate::database::beacons) state: State,
    /// The waypoint after it, or the beacon that the leg leads to.
    pub(in crate::database::beacons) next: u32,
}

/// A way between two states: what it costs, where it passes, and the states to go by.
struct Route {
    cost: Cost,
    lines: Vec<Line>,
    stops: Vec<State>,
}

/// A map without beacons: bends are where the path has them.
struct Bare<'a> {
    space: &'a GridSpace,
    ties: Ties,
}

impl Beacons for Bare<'_> {
    fn leg(&self, a: State, b: State) -> Option<Cost> {
        web::leg(self.space, self.ties, a, b)
    }

    fn is_beacon(&self, _: State) -> bool {
        false
    }

    fn near(&self, _: State, _: u32) -> impl Iterator<Item = State> {
        core::iter::empty()
    }
}

impl Route {
    /// The leg, if climbs make it.
    fn straight(space: &GridSpace, ties: Ties, [a, b]: [State; 2]) -> Option<Self> {
        let (cost, lines) = Crossings::measure(space, ties, a, b)?;
        Some(Self { cost, lines, stops: Vec::new() })
    }

    /// A cheapest path, as legs.
    fn around(repair: &mut Repair<'_>, (ties, span): (Ties, u32), [a, b]: [State; 2]) -> Option<Self> {
        let space = repair.space;
        if !space.components().same(space.cell(a), space.cell(b)) {
            return None;
        }
        let answer = repair.planner.plan(space, a, b).ok()?;
        repair.report.work += answer.counts.expanded;
        let path = answer.path?;
        let stops = bends(space, &path, span, &Bare { space, ties });
        let chain: Vec<State> = [a].into_iter().chain(stops.iter().copied()).chain([b]).collect();
        let mut lines = Vec::new();
        for pair in chain.windows(2) {
            for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                Line::climb(space, (from, to), ties, &mut lines)?;
            }
        }
        // Edits where the straight way gets stuck may open it.
        for ends in [(a, b), (b, a)] {
            let _ = Line::climb(space, ends, ties, &mut lines);
        }
        Some(Self { cost: path.cost, lines, stops })
    }
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
    /// Where all legs pass, on a map that was edited since they were found: of those that an edit is in the way of it is not known.
    pub(super) fn all_crossings(&self, space: &GridSpace) -> Crossings {
        let mut crossings = Crossings::new(space, self.config.span_for(space));
        let mut add = |ends: [u32; 2], kind: Kind| {
            let [a, b] = ends.map(|beacon| self.state(beacon));
            let are_free = [a, b].iter().all(|&state| space.contains(state));
            let measured = are_free.then(|| Crossings::measure(space, self.config.ties, a, b)).flatten();
            crossings.add(Way { ends, kind }, measured.as_ref().map(|(_, lines)| &lines[..]));
        };
        for beacon in self.trunk() {
            for leg in self.legs(beacon).iter().filter(|leg| leg.to() > beacon) {
                add([beacon, leg.to()], Kind::Trunk);
            }
        }
        for (twig, &out) in self.twigs().zip(&self.out) {
            add([twig, out], Kind::Out);
            for leg in self.legs(twig) {
                add([twig, leg.to()], Kind::OfTwig);
            }
        }
        crossings
    }

    /// Finds a way for a leg that has none, by a climb or over waypoints, and what it costs, in units. Nothing if there is none, or if it
    /// is not good enough: then it is no leg any more.
    pub(super) fn set_way(
        &mut self,
        repair: &mut Repair<'_>,
        way: Way,
        is_good: impl FnOnce(u32) -> bool,
    ) -> Option<u32> {
        let (space, ties) = (repair.space, self.config.ties);
        let states = way.ends.map(|beacon| self.state(beacon));
        let unit = self.unit;
        let repairs = self.repairs.as_deref_mut()?;
        // A climb there and one back.
        let [here, there] = states.map(|state| space.cell(state));
        repair.report.work += 2 * u64::from(here.moves_to(there));
        let straight = Route::straight(space, ties, states);
        let found = match way.kind {
            Kind::Trunk | Kind::Out if straight.is_none() => {
                let settings = (ties, repairs.span);
                Route::around(repair, settings, states)
            }
            _ => straight,
        };
        let found = found.filter(|found| is_good(in_units(found.cost, unit)))?;
        let [a, b] = way.ends;
        repairs.put_detour(a, b, found.stops.iter().copied());
        repairs.put_detour(b, a, found.stops.iter().rev().copied());
        repairs.crossings.add(way, Some(&found.lines));
        Some(in_units(found.cost, unit))
    }

    /// Forgets the waypoints of legs.
    pub(super) fn drop_detours(&mut self, repair: &mut Repair<'_>, ways: &[Way]) {
        let Some(repairs) = self.repairs.as_deref_mut() else { return };
        for &Way { ends: [a, b], .. } in ways.iter().filter(|way| way.kind != Kind::OfTwig) {
            repairs.drop_detour(a, b, &mut repair.report.retired);
            repairs.drop_detour(b, a, &mut repair.report.retired);
        }
    }

    /// Looks again at all legs that pass a cell that was changed, or that lead to a beacon that was moved.
    pub(super) fn renew_ways(&mut self, repair: &mut Repair<'_>) {
        let Some(repairs) = self.repairs.as_deref_mut() else { return };
        let mut touched = repairs.crossings.take_near(repair.changed);
        if !repair.moved.is_empty() {
            touched.extend(repairs.crossings.take_ending(|end| repair.moved.contains(&end)));
        }
        self.drop_detours(repair, &touched);
        repair.report.legs += touched.len() as u32;
        for way in touched {
            let cost = self.set_way(repair, way, |_| true);
            let [from, to] = way.ends;
            match (way.kind, cost) {
                (Kind::Trunk, Some(cost)) => {
                    repair.needs_labels |= self.is_far_longer(from, to, cost);
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

    /// Whether a leg of the trunk costs far more than hub labels know of: an agent that chooses anew again and again would be sent back to where
    /// it came from.
    fn is_far_longer(&self, from: u32, to: u32, cost: u32) -> bool {
        let labelled = self.repairs.as_ref().and_then(|repairs| repairs.labelled_cost(from, to));
        labelled.is_some_and(|labelled| cost > labelled + labelled / 4 + SOME_MOVES)
    }

    fn has_leg(&self, beacon: u32, to: u32) -> bool {
        self.legs(beacon).binary_search_by_key(&to, |leg| leg.to()).is_ok()
    }

    /// Adds a leg to those of a beacon, or changes what it costs.
    pub(super) fn put_leg(&mut self, beacon: u32, to: u32, cost: u32) {
        self.set_leg_cost(beacon, to, cost);
        if !self.has_leg(beacon, to) {
            self.change_legs(beacon, |legs| {
                legs.push(Leg { to: to as u16 });
                legs.sort_unstable();
            });
        }
    }

    pub(super) fn remove_leg(&mut self, beacon: u32, to: u32) {
        self.longer.remove(&(beacon, to));
        self.change_legs(beacon, |legs| legs.retain(|leg| leg.to() != to));
    }

    fn change_legs(&mut self, beacon: u32, change: impl FnOnce(&mut Vec<Leg>)) {
        let mut legs = self.legs(beacon).to_vec();
        change(&mut legs);
        match beacon.checked_sub(FIRST_TWIG) {
            None => self.legs.replace(beacon, &legs),
            Some(twig) => self.twig_legs.replace(twig, &legs),
        }
    }
}
