//! Legs found anew where they can have changed, piece by piece.
//!
//! What a corner sees follows from the cells in its view and those that touch them: the first move that is
//! not legal is told by cells around the one that it begins in. So the legs of a corner can only have changed
//! if a changed cell is in its view or touches it, and if that was so before, it is so now. Who sees a cell
//! is seen from there. So it is looked around from the free cells around each edit, and only the corners that
//! are seen from there look for their legs again.
//!
//! A leg is one that either end finds. Where only one of them has looked again, and does not find a leg that
//! was there, the other one says whether it still finds it.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::BeaconId;
use super::build::legs_of;
use super::sight::Sight;
use crate::hub_labels::LegGraph;
use crate::space::{Cell, Cost, sorting};

/// Legs that are being found anew.
#[derive(Clone, Debug)]
pub(super) struct ChangedLegs {
    /// The cells that are still to be looked around from.
    lookouts: Vec<Cell>,
    /// The corners that look again, in order once all of them are known.
    corners: Vec<BeaconId>,
    /// What the first ones of them have found.
    found: Vec<Vec<(BeaconId, Cost)>>,
    /// How many of them there were when they were last put in order.
    in_order: usize,
    /// How many corners were retired when it began: only those have no legs in the end.
    retired: usize,
}

impl ChangedLegs {
    /// Those of all corners.
    pub(super) fn of_all(sight: Sight<'_>) -> Self {
        let corners = BeaconId::first(sight.corners.slots()).collect();
        let retired = sight.corners.retired();
        Self { lookouts: Vec::new(), corners, found: Vec::new(), in_order: 0, retired }
    }

    /// Those that edits can have changed, by the cells around each edit.
    pub(super) fn around(sight: Sight<'_>, mut cells: Vec<Cell>) -> Self {
        sorting::sort_by_key(&mut cells, |cell| (cell.y, cell.x));
        cells.dedup();
        cells.retain(|&cell| sight.space.grid().is_free(cell));
        // To look around from a cell, whatever hides, takes longer than to find the legs of one corner.
        if 4 * cells.len() > sight.corners.count() {
            return Self::of_all(sight);
        }
        let corners = sight.corners.retired_ones().to_vec();
        Self { lookouts: cells, retired: corners.len(), corners, found: Vec::new(), in_order: 0 }
    }

    /// Does a piece. What it took; `None` once all legs are found.
    pub(super) fn work_on(&mut self, sight: Sight<'_>) -> Option<u64> {
        if let Some(cell) = self.lookouts.pop() {
            // It may have been blocked in the meantime. Then the cells around it are looked around from once
            // more, later on.
            let mut work = 1;
            if sight.space.grid().is_free(cell) {
                work += u64::from(sight.all_in_view(cell, |corner| self.corners.push(corner)));
            }
            // Many are in view of several: they are put in order now and then, so that they do not pile up.
            if self.lookouts.is_empty() || self.corners.len() > 2 * self.in_order.max(1024) {
                work += self.corners.len() as u64 / 16;
                sorting::sort(&mut self.corners);
                self.corners.dedup();
                self.in_order = self.corners.len();
            }
            return Some(work);
        }
        let &corner = self.corners.get(self.found.len())?;
        let (found, lines) = legs_of(sight, corner);
        self.found.push(found);
        Some(1 + u64::from(lines))
    }

    /// How many corners have found their legs, of how many.
    pub(super) fn done(&self) -> (u64, u64) {
        (self.found.len() as u64, self.corners.len() as u64)
    }

    /// How many corners were retired when it began.
    pub(super) fn retired(&self) -> usize {
        self.retired
    }

    /// How many corners have looked again.
    pub(super) fn looked(&self) -> usize {
        self.found.len()
    }

    /// All legs, where these were the ones before. What it took comes with them.
    pub(super) fn finish(self, sight: Sight<'_>, before: &LegGraph) -> (LegGraph, u64) {
        let nodes = sight.corners.slots();
        let mut has_looked = vec![false; nodes];
        self.corners.iter().for_each(|&corner| has_looked[corner.index()] = true);
        // Where the map was edited while legs were found, some are of corners that there are no more.
        let is_leg = |corner: BeaconId, (end, cost): (BeaconId, Cost)| {
            end.index() < nodes
                && end != corner
                && sight.corners.is_there(end)
                && sight.corners.is_there(corner)
                && cost == sight.estimate(sight.corners.cell(corner), sight.corners.cell(end))
        };
        let mut changed: BTreeMap<BeaconId, Vec<(BeaconId, Cost)>> = BTreeMap::new();
        let mut work = (self.corners.len() + self.found.iter().map(Vec::len).sum::<usize>()) as u64;
        // Those who have not looked again keep their legs to each other.
        let old = |corner: BeaconId| before.legs_if_there(corner);
        let kept =
            |corner: BeaconId| old(corner).filter(|&(end, _)| !has_looked[end.index()]).collect::<Vec<_>>();
        for (&corner, found) in self.corners.iter().zip(&self.found) {
            changed.entry(corner).or_default();
            for &(end, cost) in found.iter().filter(|&&leg| is_leg(corner, leg)) {
                changed.entry(corner).or_default().push((end, cost));
                let is_kept = !has_looked[end.index()];
                let back = changed.entry(end).or_insert_with(|| if is_kept { kept(end) } else { Vec::new() });
                back.push((corner, cost));
            }
        }
        let mut looks: BTreeMap<BeaconId, Vec<(BeaconId, Cost)>> = BTreeMap::new();
        for (&corner, found) in self.corners.iter().zip(&self.found) {
            for (end, cost) in old(corner) {
                let is_found = || found.iter().any(|&leg| leg.0 == end && is_leg(corner, leg));
                if has_looked[end.index()] || is_found() {
                    continue;
                }
                changed.entry(end).or_insert_with(|| kept(end));
                let theirs = looks.entry(end).or_insert_with(|| {
                    let (found, lines) = legs_of(sight, end);
                    work += 1 + u64::from(lines);
                    found
                });
                if theirs.iter().any(|leg| leg.0 == corner) && is_leg(corner, (end, cost)) {
                    for (from, to) in [(corner, end), (end, corner)] {
                        changed.entry(from).or_default().push((to, cost));
                    }
                }
            }
        }
        let mut changed: Vec<(BeaconId, Vec<(BeaconId, Cost)>)> = changed.into_iter().collect();
        for (_, legs) in &mut changed {
            sorting::sort(legs);
            legs.dedup_by_key(|&mut (end, _)| end);
        }
        (before.with_legs(nodes, &changed), work)
    }
}
