//! Beacons that have to move aside, that are no more, and new ones that are hung on the trunk.

use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;

use super::super::{BeaconDatabase, FIRST_TWIG};
use super::crossings::{Kind, Way};
use super::{Repair, around};
use crate::database::container::DatabaseError;
use crate::database::partition::NONE;
use crate::space::{Cell, DirectionSet, State, StateSpace};

/// How far a beacon moves at most where its cell is blocked.
pub(super) const ASIDE: u32 = 3;

impl BeaconDatabase {
    /// Beacons whose cells were blocked, or that no move leads from any more, move to a free cell beside.
    pub(super) fn move_aside(&mut self, repair: &mut Repair<'_>) {
        let space = repair.space;
        let stands = |state: State| space.contains(state) && space.moves(state) != DirectionSet::NONE;
        let in_the_way: Vec<u32> = self.on(|state| !stands(state)).collect();
        for beacon in in_the_way {
            let place = self.place_beside(repair, beacon);
            match place {
                Some(place) => {
                    match beacon.checked_sub(FIRST_TWIG) {
                        None => self.trunk[beacon as usize] = place,
                        Some(twig) => self.twigs[twig as usize] = place,
                    }
                    repair.moved.insert(beacon);
                    // One by itself may have come to another part of the map.
                    repair.needs_labels |= beacon < FIRST_TWIG && self.legs(beacon).is_empty();
                    if let Some(region) = self.of_region.iter().position(|&own| own == beacon) {
                        self.set_label(space, place, region as u32);
                    }
                }
                None => self.kill(repair, beacon),
            }
        }
    }

    /// The free cell near a beacon from which most of the beacons that its legs lead to can be got to.
    fn place_beside(&self, repair: &Repair<'_>, beacon: u32) -> Option<State> {
        let space = repair.space;
        let here = space.cell(self.state(beacon));
        let across = self.repairs.as_ref()?.crossings.across(beacon);
        let ends: Vec<Cell> = across.map(|end| space.cell(self.state(end))).collect();
        let mut places: Vec<Cell> = around(space, here, ASIDE).collect();
        places.sort_by_key(|&cell| here.moves_to(cell));
        let mut best = None;
        for cell in places {
            let state = space.state(cell);
            if !space.contains(state) || space.moves(state) == DirectionSet::NONE {
                continue;
            }
            let reached = ends.iter().filter(|&&end| space.components().same(end, cell)).count();
            let is_better = best.is_none_or(|(_, known)| reached > known);
            if is_better
                && (reached > 0 || ends.is_empty())
                && self.on(|other| other == state).next().is_none()
            {
                best = Some((state, reached));
            }
        }
        best.map(|(state, _)| state)
    }

    /// There is no such beacon any more: its region has to be made anew, and what hung on it has to be hung elsewhere.
    pub(super) fn kill(&mut self, repair: &mut Repair<'_>, beacon: u32) {
        repair.deserted.push(repair.space.cell(self.state(beacon)));
        let Some(repairs) = self.repairs.as_deref_mut() else { return };
        repairs.dead.insert(beacon);
        repair.report.retired.push(beacon);
        repair.unhung.retain(|&twig| twig != beacon);
        if let Some(region) = self.of_region.iter().position(|&own| own == beacon) {
            self.of_region[region] = NONE;
            repairs.made.remove(&(region as u32));
            repairs.free_regions.push(region as u32);
        }
        let gone = repairs.crossings.take_ending(|end| end == beacon);
        self.drop_detours(repair, &gone);
        for Way { ends, kind } in gone {
            match kind {
                Kind::Trunk => {
                    self.remove_leg(ends[0], ends[1]);
                    self.remove_leg(ends[1], ends[0]);
                }
                Kind::OfTwig => self.remove_leg(ends[0], ends[1]),
                Kind::Out if ends[0] != beacon => repair.unhung.push(ends[0]),
                Kind::Out => {}
            }
        }
        repair.needs_labels |= beacon < FIRST_TWIG;
    }

    /// A twig without a way out yet.
    pub(super) fn new_twig(&mut self, state: State) -> u32 {
        // There may be no such beacon: nobody looks until the twig is hung.
        let out = 0;
        let dead = self.repairs.as_deref_mut().and_then(|repairs| {
            let twig = repairs.dead.range(FIRST_TWIG..).next().copied()?;
            repairs.dead.remove(&twig);
            Some(twig)
        });
        let Some(twig) = dead else {
            self.twigs.push(state);
            self.out.push(out);
            self.twig_legs.end_list();
            return FIRST_TWIG + (self.twigs.len() - 1) as u32;
        };
        let place = (twig - FIRST_TWIG) as usize;
        (self.twigs[place], self.out[place]) = (state, out);
        twig
    }

    pub(super) fn set_out(&mut self, twig: u32, to: u32, cost: u32) {
        if let Some(out) = self.out.get_mut(twig.wrapping_sub(FIRST_TWIG) as usize) {
            *out = to;
            self.set_leg_cost(twig, to, cost);
        }
    }

    /// Hangs twigs without a way out on the beacons of the trunk around them. Where there is none, one of them becomes part of the trunk.
    pub(super) fn hang_twigs(&mut self, repair: &mut Repair<'_>) -> Result<(), DatabaseError> {
        repair.unhung.sort_unstable();
        repair.unhung.dedup();
        while let Some(&twig) = repair.unhung.first() {
            let root = self.root_around(repair, self.state(twig));
            // Those that hang on it have a way out with it.
            repair.unhung.remove(0);
            match root {
                Some(root) => self.hang(repair, twig, root),
                None => self.promote(repair, twig)?,
            }
        }
        Ok(())
    }

    /// The nearest beacon of the trunk, by regions, that can be got to from a state.
    fn root_around(&self, repair: &Repair<'_>, state: State) -> Option<u32> {
        let (mut seen, mut front) = (BTreeSet::from([state]), VecDeque::from([state]));
        let mut last_region = None;
        while let Some(state) = front.pop_front() {
            let region = self.region(state);
            if region != last_region {
                last_region = region;
                let beacon = region.and_then(|region| self.of_region.get(region as usize).copied());
                let root = beacon.filter(|&beacon| beacon != NONE);
                if let Some(root) = root.and_then(|beacon| self.root(beacon, &repair.unhung)) {
                    return Some(root);
                }
            }
            repair.space.for_each_successor(state, |next, _| {
                if seen.insert(next) {
                    front.push_back(next);
                }
            });
        }
        None
    }

    fn hang(&mut self, repair: &mut Repair<'_>, twig: u32, root: u32) {
        let out = Way { ends: [twig, root], kind: Kind::Out };
        let Some(cost) = self.set_way(repair, out, |_| true) else { return };
        self.set_out(twig, root, cost);
        for leg in self.legs(twig).to_vec() {
            self.remove_leg(twig, leg.to());
        }
        // Beacons that the twig sees at a lower cost than by way of the root.
        for leg in self.legs(root).to_vec() {
            let way = Way { ends: [twig, leg.to()], kind: Kind::OfTwig };
            let over_root = cost.saturating_add(self.leg_cost(root, leg.to()));
            if let Some(seen) = self.set_way(repair, way, |seen| seen < over_root) {
                self.put_leg(twig, leg.to(), seen);
            }
        }
    }
}
