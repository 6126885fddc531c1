//! Cheapest ways around a place, as far as is asked for: Dijkstra's search, which can be interrupted and uses its memory again.
//!
//! Of ways that cost the same, it takes the one that leads along rows, columns and diagonals with round numbers. So neighbours take
//! the same ones, and few transit nodes lie on many of them.

use alloc::vec::Vec;

use super::nodes::Nodes;
use crate::database::draws::mix;
use crate::search::{CalendarQueue, Queue as _};
use crate::space::{Cost, GridSpace, State, StateSpace as _};

pub(super) const NONE: u32 = u32::MAX;
const SETTLED: u8 = 1;
/// A transit node other than the root lies on the way, the state itself not counted.
const BEYOND: u8 = 2;

/// A state that was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) cost: Cost,
    pub(super) state: State,
    /// The place of the state before in the list of those that were reached.
    pub(super) parent: u32,
    /// How far from round numbers the way leads.
    tie: u32,
    flags: u8,
}

impl Reached {
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.flags & SETTLED != 0
    }

    #[inline]
    pub(super) fn is_beyond(&self) -> bool {
        self.flags & BEYOND != 0
    }
}

/// A search around a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Ball {
    table: SparseTable,
    reached: Vec<Reached>,
    queue: CalendarQueue,
    /// The places of settled states, in the order in which they were settled.
    order: Vec<u32>,
    /// The transit nodes that were settled with no other on the way: their places.
    access: Vec<u32>,
    /// How many open states have no transit node on their way.
    open: usize,
}

impl Ball {
    /// Begins anew around some states.
    pub(super) fn begin(&mut self, space: &GridSpace, roots: impl IntoIterator<Item = State>) {
        self.table.clear();
        self.reached.clear();
        self.order.clear();
        self.access.clear();
        self.queue.clear();
        // Buckets as wide as the cheapest move: whatever is reached belongs into a later one.
        self.queue.set_cheapest_move(space.cheapest_move().saturating_mul(64));
        self.open = 0;
        for root in roots {
            let place = self.reached.len() as u32;
            if self.table.put_if_new(root.0, place) == place {
                self.reached.push(Reached { cost: 0, state: root, parent: NONE, tie: 0, flags: 0 });
                self.queue.push(0, place);
                self.open += 1;
            }
        }
    }

    /// The same, around one state.
    pub(super) fn begin_at(&mut self, space: &GridSpace, root: State) {
        self.begin(space, [root]);
    }

    /// Settles the next state, if there is one.
    pub(super) fn settle(&mut self, space: &GridSpace, nodes: Option<&Nodes>) -> Option<u32> {
        let place = loop {
            let (cost, place) = self.queue.pop()?;
            let entry = &self.reached[place as usize];
            if !entry.is_settled() && entry.cost == cost {
                break place;
            }
        };
        let Reached { cost, state, parent, tie, flags } = self.reached[place as usize];
        self.reached[place as usize].flags |= SETTLED;
        self.order.push(place);
        let mut beyond = flags & BEYOND;
        self.open -= usize::from(beyond == 0);
        if parent != NONE && nodes.is_some_and(|nodes| nodes.is_at(state)) {
            if beyond == 0 {
                self.access.push(place);
            }
            beyond = BEYOND;
        } else if parent == NONE && nodes.is_some_and(|nodes| nodes.is_at(state)) {
            self.access.push(place);
        }
        let tie = tie.saturating_add(roundness(space, state));
        let Self { table, reached, queue, open, .. } = self;
        space.for_each_successor(state, |next, step| {
            let cost = cost.saturating_add(step);
            let new = reached.len() as u32;
            let known = table.put_if_new(next.0, new);
            if known == new {
                reached.push(Reached { cost, state: next, parent: place, tie, flags: beyond });
                queue.push(cost, new);
                *open += usize::from(beyond == 0);
                return;
            }
            let entry = &mut reached[known as usize];
            if entry.is_settled() || (entry.cost, entry.tie) <= (cost, tie) {
                return;
            }
            let is_cheaper = cost < entry.cost;
            *open = *open + usize::from(beyond == 0) - usize::from(!entry.is_beyond());
            *entry = Reached { cost, state: next, parent: place, tie, flags: beyond };
            if is_cheaper {
                queue.push(cost, known);
            }
        });
        Some(place)
    }

    /// Settles states until there are `limit`, or all that are open have a transit node on their way, or there are no more. Whether there are.
    pub(super) fn grow(&mut self, space: &GridSpace, nodes: Option<&Nodes>, limit: usize) -> bool {
        while self.order.len() < limit && self.open > 0 {
            if self.settle(space, nodes).is_none() {
                return false;
            }
        }
        self.open > 0
    }

    /// How many states are settled.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is nothing to look at any more but what has a transit node on its way.
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.open == 0
    }

    /// What the farthest settled state costs.
    pub(super) fn radius(&self) -> Cost {
        self.order.last().map_or(0, |&place| self.reached[place as usize].cost)
    }

    #[inline]
    pub(super) fn at(&self, place: u32) -> &Reached {
        &self.reached[place as usize]
    }

    /// The place of a state that is settled.
    #[inline]
    pub(super) fn settled(&self, state: State) -> Option<u32> {
        self.table.get(state.0).filter(|&place| self.at(place).is_settled())
    }

    /// The places of settled states, in the order in which they were settled.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The places of the transit nodes that no other is on the way to.
    pub(super) fn access(&self) -> &[u32] {
        &self.access
    }

    /// All that were reached.
    pub(super) fn reached(&self) -> &[Reached] {
        &self.reached
    }

    /// The states from one that was reached back to a root.
    pub(super) fn back(&self, place: u32) -> impl Iterator<Item = State> {
        let mut next = Some(place);
        core::iter::from_fn(move || {
            let entry = self.at(next?);
            next = Some(entry.parent).filter(|&parent| parent != NONE);
            Some(entry.state)
        })
    }
}

/// How far the numbers of a state's row, column and diagonals are from round ones; and a little chance, so that no two ways are alike.
#[inline]
fn roundness(space: &GridSpace, state: State) -> u32 {
    let cell = space.cell(state);
    let (x, y) = (cell.x | 1 << 31, cell.y);
    // The lowest bit that is set in any of the four; 32 and more count the same.
    let low = |number: u32| number & number.wrapping_neg();
    let roundest = low(x).max(low(y | 1 << 31)).max(low(x.wrapping_add(y))).max(low(x.wrapping_sub(y)));
    let round = if roundest == 0 { 5 } else { roundest.trailing_zeros().min(5) };
    4 * (5 - round) + (mix(u64::from(state.0)) & 3) as u32
}

/// A number for some keys, forgotten all at once.
#[derive(Clone, Debug, Default)]
pub(super) struct SparseTable {
    /// The round, the key, and its number.
    slots: Vec<(u32, u32, u32)>,
    round: u32,
    len: usize,
}

impl SparseTable {
    const FIRST: usize = 1024;

    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill((0, 0, 0));
            self.round = 1;
        }
        if self.slots.is_empty() {
            self.slots.resize(Self::FIRST, (0, 0, 0));
        }
    }

    #[inline]
    fn find(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[place].0 == self.round && self.slots[place].1 != key {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    pub(super) fn get(&self, key: u32) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.find(key)];
        (slot.0 == self.round).then_some(slot.2)
    }

    /// The number of a key, which is `number` if it had none.
    #[inline]
    pub(super) fn put_if_new(&mut self, key: u32, number: u32) -> u32 {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.find(key);
        let slot = &mut self.slots[place];
        if slot.0 == self.round {
            return slot.2;
        }
        *slot = (self.round, key, number);
        self.len += 1;
        number
    }

    #[cold]
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(Self::FIRST);
        let old = core::mem::replace(&mut self.slots, alloc::vec![(0, 0, 0); slots]);
        self.round = self.round.max(1);
        for slot in old {
            if slot.0 == self.round {
                let place = self.find(slot.1);
                self.slots[place] = slot;
            }
        }
    }
}
