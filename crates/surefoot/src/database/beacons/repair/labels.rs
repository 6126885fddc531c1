//! Hub labels that are made anew after edits, piece by piece, while agents go on by those from before.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::hubs::Labelling;
use super::super::{BeaconDatabase, Hubs, Leg, Lists};
use super::Repairs;
use crate::space::Cost;

/// A piece of hub labels that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelPiece {
    /// What it took: beacons that were looked at.
    pub(crate) work: u64,
    /// Whether it was the last one, so that agents go by these labels now.
    pub(crate) is_last: bool,
}

impl Repairs {
    /// Whether hub labels, those at hand and those that are being made, know of no way to a beacon of the trunk.
    pub(super) fn is_alone(&self, beacon: u32) -> bool {
        let being_labelled =
            self.labelling.as_ref().and_then(|labelling| labelling.legs().get(beacon as usize));
        self.labelled.of(beacon).is_empty() && being_labelled.is_none_or(Vec::is_empty)
    }

    /// What a leg of the trunk costs as the newest labels know it, be they ready or not.
    pub(super) fn labelled_cost(&self, from: u32, to: u32) -> Option<u32> {
        if let Some(labelling) = &self.labelling {
            let leg = labelling.legs().get(from as usize)?.iter().find(|leg| leg.0 == to)?;
            return u32::try_from(leg.1).ok();
        }
        self.labelled.of(from).iter().find(|&&(known, _)| known == to).map(|&(_, cost)| cost)
    }
}

/// What hub labels know of the legs of the trunk: to which beacons they lead, and what they cost, in units.
pub(super) fn labelled(legs: impl Iterator<Item = impl Iterator<Item = (u32, Cost)>>) -> Lists<(u32, u32)> {
    let mut labelled = Lists::new();
    for legs in legs {
        // No leg costs more than 16 bits hold.
        labelled.items.extend(legs.map(|(to, cost)| (to, cost as u32)));
        labelled.end_list();
    }
    labelled
}

impl BeaconDatabase {
    /// The legs of a beacon to others of the trunk, with what they cost in units.
    pub(super) fn legs_with_costs(&self, beacon: u32) -> impl Iterator<Item = (u32, Cost)> {
        self.legs(beacon).iter().map(move |leg| (leg.to(), Cost::from(self.leg_cost(beacon, leg.to()))))
    }

    /// The leg of a beacon of the trunk that hub labels mean by its place among those of the beacon; nothing if there is no such leg any more.
    #[inline]
    pub(in crate::database::beacons) fn leg_at(&self, beacon: u32, place: usize) -> Option<Leg> {
        let Some(repairs) = &self.repairs else { return self.legs(beacon).get(place).copied() };
        let &(to, _) = repairs.labelled.of(beacon).get(place)?;
        let legs = self.legs(beacon);
        legs.binary_search_by_key(&to, |leg| leg.to()).ok().map(|place| legs[place])
    }

    /// Whether hub labels are being made anew.
    #[inline]
    pub(crate) fn is_labelling(&self) -> bool {
        self.repairs.as_ref().is_some_and(|repairs| repairs.labelling.is_some())
    }

    /// How many pieces of the hub labels that are being made there are.
    pub(crate) fn labelling_steps(&self) -> u64 {
        let labelling = self.repairs.as_ref().and_then(|repairs| repairs.labelling.as_ref());
        labelling.map_or(0, |labelling| labelling.steps())
    }

    /// A beacon that was added to the trunk, and that no way leads to yet, is its own and only hub.
    pub(super) fn label_alone(&mut self) {
        let rank = self.hubs.ranks.count() as u32;
        self.hubs.put(rank, 0, 0);
        self.hubs.ranks.end_list();
        if let Some(repairs) = self.repairs.as_deref_mut() {
            repairs.labelled.end_list();
        }
    }

    /// Begins to make hub labels for the trunk as it is; where others are being made, these come after them.
    pub(super) fn begin_labels(&mut self) {
        if self.is_labelling() {
            if let Some(repairs) = self.repairs.as_deref_mut() {
                repairs.is_outdated = true;
            }
            return;
        }
        let legs = self.trunk().map(|beacon| self.legs_with_costs(beacon).collect()).collect();
        if let Some(repairs) = self.repairs.as_deref_mut() {
            repairs.labelling = Some(Box::new(Labelling::new(legs)));
        }
    }

    /// Makes the next piece of hub labels that are being made; nothing if none are.
    pub(crate) fn label_on(&mut self) -> Option<LabelPiece> {
        let repairs = self.repairs.as_deref_mut()?;
        if let Some(work) = repairs.labelling.as_mut()?.step() {
            return Some(LabelPiece { work, is_last: false });
        }
        let (labels, legs) = repairs.labelling.take()?.finish();
        self.hubs = Hubs::of(&labels, &legs);
        repairs.labelled = labelled(legs.iter().map(|legs| legs.iter().copied()));
        let is_outdated = core::mem::take(&mut repairs.is_outdated);
        // Beacons that were added in the meantime.
        for _ in legs.len()..self.trunk.len() {
            self.label_alone();
        }
        if is_outdated {
            self.begin_labels();
        }
        Some(LabelPiece { work: self.trunk.len() as u64, is_last: true })
    }
}
