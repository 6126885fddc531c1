//! Goals that several units have: each looks around once, for all of them.
//!
//! Units that stand together mostly begin with the same leg. A unit on the leg that another one's cheapest
//! way begins with has the rest of that way for its own: a part of a cheapest way is one, too. So it need not
//! look around at all.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::tuning::{MOST_BEGUN, MOST_DESTINATIONS};
use super::BeaconGuide;
use crate::beacons::{BeaconDecision, Way};
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
    /// Where those who looked around stood, and their ways.
    begun: Vec<(Cell, Way)>,
    /// The place that the next one of them gets.
    next: usize,
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
        let new = Destination { kind, goal, side: None, begun: Vec::new(), next: 0 };
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

    /// The way of a unit that stands on the leg that another one's way to the same goal begins with. What was
    /// looked up comes with it.
    pub(super) fn follow(
        &self,
        guide: BeaconGuide<'_>,
        kind: u8,
        [from, goal]: [Cell; 2],
    ) -> (Option<Way>, u64) {
        let BeaconGuide { space, database } = guide;
        let Some(known) = self.known.iter().find(|known| (known.kind, known.goal) == (kind, goal)) else {
            return (None, 0);
        };
        let between = |from: Cell, to: Cell| database.leg_cost(space, from, to);
        let behind = known.begun.iter().find_map(|&(start, way)| {
            let corner = database.cell(way.over?.first);
            let gone = between(start, from);
            (gone + between(from, corner) == between(start, corner)).then_some((start, way, corner, gone))
        });
        let mut looked_up = 1 + known.begun.len() as u64 / 4;
        let Some((start, way, corner, gone)) = behind else { return (None, looked_up) };
        // The leg is open, and so is this part of it; that is seen again where legs may be bent.
        let is_open = [[start, from], [from, corner]].into_iter().all(|[from, to]| {
            let (sees, lines) = database.sees(space, from, to);
            looked_up += u64::from(lines);
            sees
        });
        (is_open.then_some(Way { cost: way.cost - gone, ..way }), looked_up)
    }

    /// A unit has looked around, and decided on a way.
    pub(super) fn remember(&mut self, kind: u8, [from, goal]: [Cell; 2], way: Way) {
        let is_it = |known: &&mut Destination| (known.kind, known.goal) == (kind, goal);
        let Some(known) = self.known.iter_mut().find(is_it) else { return };
        match known.begun.get_mut(known.next) {
            Some(place) => *place = (from, way),
            None => known.begun.push((from, way)),
        }
        known.next = (known.next + 1) % MOST_BEGUN;
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
