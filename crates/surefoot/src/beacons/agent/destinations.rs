//! Goals that several units have: each looks around once, for all of them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::tuning::MOST_DESTINATIONS;
use super::BeaconGuide;
use crate::beacons::BeaconDecision;
use crate::space::Cell;

/// The goals of those who chose their ways last. From the second one on who has such a goal, what the goal
/// sees is known.
///
/// It holds as long as neither the map nor the database changes: for a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Destinations {
    known: Vec<Destination>,
    /// The place that the next one gets.
    next: usize,
}

#[derive(Clone, Debug)]
struct Destination {
    kind: u8,
    goal: Cell,
    side: Option<Box<BeaconDecision>>,
}

impl Destinations {
    /// What the goal of a unit of this kind sees, if somebody of that kind had it before; else it is
    /// remembered.
    pub(super) fn side(
        &mut self,
        guide: BeaconGuide<'_>,
        kind: u8,
        goal: Cell,
    ) -> Option<&mut BeaconDecision> {
        let is_it = |known: &Destination| (known.kind, known.goal) == (kind, goal);
        if let Some(at) = self.known.iter().position(is_it) {
            let side = self.known[at].side.get_or_insert_with(|| {
                let mut side = guide.database.new_decision();
                side.begin(goal, goal);
                side
            });
            return Some(side);
        }
        let new = Destination { kind, goal, side: None };
        match self.known.get_mut(self.next) {
            Some(place) => {
                let before = core::mem::replace(place, new);
                before.side.into_iter().for_each(|side| guide.database.recycle(side));
            }
            None => self.known.push(new),
        }
        self.next = (self.next + 1) % MOST_DESTINATIONS;
        None
    }

    /// Forgets them all. `give_back` gets the kind and the memory of each that has looked around.
    pub(crate) fn clear(&mut self, mut give_back: impl FnMut(u8, Box<BeaconDecision>)) {
        for known in self.known.drain(..) {
            known.side.into_iter().for_each(|side| give_back(known.kind, side));
        }
        self.next = 0;
    }
}

/// Who has the same goals.
pub(crate) struct Company<'a> {
    pub(crate) destinations: &'a mut Destinations,
    pub(crate) kind: u8,
}
