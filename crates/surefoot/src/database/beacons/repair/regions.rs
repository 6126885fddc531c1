//! Regions around cells that were changed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::super::{BeaconDatabase, FIRST_TWIG};
use super::{Repair, around};
use crate::database::partition::{Growth, NONE};
use crate::search::climb;
use crate::space::{Cell, DirectionSet, GridSpace, State, StateSpace};

impl BeaconDatabase {
    fn cutoff(&self) -> u32 {
        self.repairs.as_ref().map_or(0, |repairs| repairs.cutoff)
    }

    /// Regions that earlier repairs made around what is free now are given up: their states may well fit into those that they came from.
    pub(super) fn retire_made_regions(&mut self, repair: &mut Repair<'_>) {
        let space = repair.space;
        let freed: Vec<_> =
            repair.changed.iter().copied().filter(|&cell| space.grid().is_free(cell)).collect();
        let Some(repairs) = self.repairs.as_ref().filter(|_| !freed.is_empty()) else { return };
        let near = |region: u32| {
            let beacon = self.of_region[region as usize];
            let cell = space.cell(self.state(beacon));
            beacon >= FIRST_TWIG && freed.iter().any(|&freed| cell.moves_to(freed) <= repairs.cutoff)
        };
        let retired: Vec<u32> = repairs.made.iter().copied().filter(|&region| near(region)).collect();
        for region in retired {
            self.kill(repair, self.of_region[region as usize]);
        }
    }

    /// Gives the states around changed cells that do not belong to their regions any more others.
    pub(super) fn renew_regions(&mut self, repair: &mut Repair<'_>) {
        let (mut homeless, looks) = self.homeless(repair);
        repair.report.work += looks;
        repair.rehoused = homeless.iter().copied().collect();
        let mut growth = Growth::new(repair.space, self.cutoff(), self.config.ties);
        // One that found a region may be the way there for the next.
        loop {
            let before = homeless.len();
            let tried: Vec<State> = homeless.iter().copied().collect();
            for state in tried {
                if let Some(region) = self.region_beside(&growth, &homeless, state) {
                    self.set_label(repair.space, state, region);
                    homeless.remove(&state);
                }
            }
            if homeless.len() == before {
                break;
            }
        }
        while let Some(&first) = homeless.first() {
            let (mut members, mut middle) = growth.region(|state| homeless.contains(&state), first);
            // What grows from the middle need not get back to where it began.
            if !members.contains(&first) {
                (members, middle) = (growth.members(|state| homeless.contains(&state), first), first);
            }
            for member in &members {
                homeless.remove(member);
            }
            self.make_region(repair, &members, middle);
        }
    }

    /// The states around changed cells from which no climb gets to the beacon of their region, or to which none gets from there, and those whose region
    /// has no beacon any more. And what it took to find them.
    fn homeless(&self, repair: &Repair<'_>) -> (BTreeSet<State>, u64) {
        let (space, cutoff) = (repair.space, self.cutoff());
        // A beacon that was moved aside is a few cells farther off.
        let reach = cutoff.saturating_add(super::hang::ASIDE);
        let needs_home = |cell: &Cell| {
            space.grid().is_free(*cell) && space.moves(space.state(*cell)) != DirectionSet::NONE
        };
        let beacon_of = |cell: Cell| {
            let region = self.region(space.state(cell)).unwrap_or(NONE);
            self.of_region.get(region as usize).copied().unwrap_or(NONE)
        };
        let looks = core::cell::Cell::new(0);
        let climbs = |from, to| {
            let climb = climb(space, from, to, u64::from(cutoff), self.config.ties);
            looks.set(looks.get() + climb.steps);
            climb.end == to
        };
        let mut homeless = BTreeSet::new();
        for &changed in repair.changed {
            for cell in around(space, changed, reach).filter(needs_home) {
                let (state, beacon) = (space.state(cell), beacon_of(cell));
                looks.set(looks.get() + 1);
                let belongs = beacon != NONE && {
                    let middle = self.state(beacon);
                    // A climb by way of the changed cell takes so many moves, one fewer on each side if it only passes by.
                    let over = cell.moves_to(changed) + changed.moves_to(space.cell(middle));
                    let may_be_touched = over <= cutoff + 2 || repair.moved.contains(&beacon);
                    // Right beside it there may be states that no move led from before: what region they are in says nothing.
                    cell.moves_to(changed) > 1 && !may_be_touched
                        || climbs(state, middle) && climbs(middle, state)
                };
                if !belongs {
                    homeless.insert(state);
                }
            }
        }
        for &deserted in &repair.deserted {
            let cells = around(space, deserted, reach).filter(needs_home);
            homeless.extend(cells.filter(|&cell| beacon_of(cell) == NONE).map(|cell| space.state(cell)));
        }
        (homeless, looks.get())
    }

    /// The first region of a neighbour that a state belongs to.
    fn region_beside(&self, growth: &Growth<'_>, homeless: &BTreeSet<State>, state: State) -> Option<u32> {
        let mut found = None;
        growth.space.for_each_successor(state, |next, _| {
            let region = self.region(next).filter(|_| found.is_none() && !homeless.contains(&next));
            found = found.or(region.filter(|&region| {
                let beacon = self.of_region.get(region as usize).copied().unwrap_or(NONE);
                beacon != NONE && growth.belongs(state, self.state(beacon))
            }));
        });
        found
    }

    pub(super) fn set_label(&mut self, space: &GridSpace, state: State, region: u32) {
        let cell = space.cell(state);
        let row = || self.labels.row((*self.bytes).as_ref(), cell.y, space.grid().width());
        if let Some(repairs) = self.repairs.as_deref_mut() {
            repairs.labels.set(cell.x, cell.y, region, row);
        }
    }

    fn make_region(&mut self, repair: &mut Repair<'_>, members: &[State], middle: State) {
        let reused = self.repairs.as_deref_mut().and_then(|repairs| repairs.free_regions.pop());
        let region = reused.unwrap_or_else(|| {
            self.of_region.push(NONE);
            (self.of_region.len() - 1) as u32
        });
        for &member in members {
            self.set_label(repair.space, member, region);
        }
        // A bend that stood in another region may be right here.
        let there = self.on(|state| state == middle).next();
        let beacon = there.unwrap_or_else(|| {
            let twig = self.new_twig(middle);
            repair.unhung.push(twig);
            repair.report.retired.push(twig);
            twig
        });
        self.of_region[region as usize] = beacon;
        if let Some(repairs) = self.repairs.as_deref_mut() {
            repairs.made.insert(region);
        }
        repair.report.new_regions += 1;
    }
}
