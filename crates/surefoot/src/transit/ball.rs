//! Cheapest ways around a place, as far as is asked for: Dijkstra's search, which can be interrupted and uses
//! its memory again.
//!
//! States are settled bucket by bucket. A bucket is no wider than the cheapest move, so that nothing in it
//! can lead to anything else in it at a lower cost, or at the same: within a bucket the order does not
//! matter, and nothing is sorted. The states of all buckets but the last are all that cost so little.
//!
//! Of ways that cost the same, it takes the one that leads along rows, columns and diagonals with round
//! numbers. So neighbours take the same ones, and few transit nodes lie on many of them.

use alloc::vec::Vec;

use super::nodes::Nodes;
use super::tables::{Buckets, CellTable};
use super::walks::{Extent, WalkGraph};
use crate::space::{Cell, Cost, State};
use crate::store::draws::mix;

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
    table: CellTable,
    reached: Vec<Reached>,
    queue: Buckets,
    /// The places of settled states, in the order in which they were settled.
    order: Vec<u32>,
    /// The transit nodes that were settled with no other on the way: their places.
    access: Vec<u32>,
    /// How many open states have no transit node on their way.
    open: usize,
}

impl Ball {
    /// Begins anew around some states.
    pub(super) fn begin(&mut self, space: &impl WalkGraph, roots: impl IntoIterator<Item = State>) {
        self.table.clear(self.reached.len());
        self.reached.clear();
        self.order.clear();
        self.access.clear();
        self.queue.clear(space.cheapest());
        self.open = 0;
        for root in roots {
            let place = self.reached.len() as u32;
            if self.table.put_if_new(space, root, place) == place {
                self.reached.push(Reached { cost: 0, state: root, parent: NONE, tie: 0, flags: 0 });
                self.queue.push(0, place);
                self.open += 1;
            }
        }
    }

    /// The same, around one state.
    pub(super) fn begin_at(&mut self, space: &impl WalkGraph, root: State) {
        self.begin(space, [root]);
    }

    /// Settles the next state, if there is one.
    pub(super) fn settle(&mut self, space: &impl WalkGraph, nodes: Option<&Nodes>) -> Option<u32> {
        let place = loop {
            let place = self.queue.pop()?;
            let entry = &self.reached[place as usize];
            // What was reached at a lower cost since was settled before.
            if !entry.is_settled() && self.queue.is_due(entry.cost, place) {
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
        let tie = tie.saturating_add(roundness(space.cell_of(state), state));
        let before = if parent == NONE { state } else { self.reached[parent as usize].state };
        let Self { table, reached, queue, open, .. } = self;
        space.for_each_next(state, before, |next, step| {
            let cost = cost.saturating_add(step);
            let new = reached.len() as u32;
            let known = table.put_if_new(space, next, new);
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

    /// Settles states as far as is said, or until all that are open have a transit node on their way, or
    /// there are no more. Whether there are.
    pub(super) fn grow(&mut self, space: &impl WalkGraph, nodes: Option<&Nodes>, extent: Extent) -> bool {
        while extent.has(self.order.len(), self.last_cost()) && self.open > 0 {
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

    /// What the last settled state costs.
    pub(super) fn last_cost(&self) -> Cost {
        self.order.last().map_or(0, |&place| self.reached[place as usize].cost)
    }

    /// All that costs less than this is among the first so many settled states.
    pub(super) fn radius(&self, count: usize) -> Cost {
        let last = count.min(self.order.len()).checked_sub(1).map(|at| self.order[at]);
        last.map_or(0, |place| self.queue.floor(self.at(place).cost))
    }

    /// As much as states may differ in cost that are settled in any order.
    pub(super) fn width(&self) -> Cost {
        self.queue.width()
    }

    #[inline]
    pub(super) fn at(&self, place: u32) -> &Reached {
        &self.reached[place as usize]
    }

    /// The place of a state that is settled.
    #[inline]
    pub(super) fn settled(&self, space: &impl WalkGraph, state: State) -> Option<u32> {
        self.table.get(space, state).filter(|&place| self.at(place).is_settled())
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

/// How far the numbers of a state's row, column and diagonals are from round ones; and a little chance, so
/// that no two ways are alike.
#[inline]
fn roundness(cell: Cell, state: State) -> u32 {
    let (x, y) = (cell.x | 1 << 31, cell.y);
    // The lowest bit that is set in any of the four; 32 and more count the same.
    let low = |number: u32| number & number.wrapping_neg();
    let roundest = low(x).max(low(y | 1 << 31)).max(low(x.wrapping_add(y))).max(low(x.wrapping_sub(y)));
    let round = if roundest == 0 { 5 } else { roundest.trailing_zeros().min(5) };
    4 * (5 - round) + (mix(u64::from(state.0)) & 3) as u32
}
