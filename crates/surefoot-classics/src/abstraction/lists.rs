//! Short lists of numbers, one for each node, that may grow and shrink: children and edges of levels that are
//! edited.
//!
//! All of them lie in one pool. A list has room for a power of two; one that outgrows its room moves to
//! another, and the old one is used again. So nothing is ever tidied up, and no change costs more than the
//! lists that it changes.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::cliques::Lower;
use super::level::number;

/// The logarithm of the room of lists that have none yet.
const NO_ROOM: u8 = u8::MAX;
/// The logarithm of the smallest room: that of a group of four.
const LEAST_ROOM: u32 = 2;

/// The logarithm of the room of a list of this length, which is not empty.
fn room_for(length: usize) -> u32 {
    length.next_power_of_two().trailing_zeros().max(LEAST_ROOM)
}

/// How long the pool of lists of these lengths is.
pub(super) fn pool_for(lengths: impl Iterator<Item = usize>) -> u64 {
    lengths.filter(|&length| length > 0).map(|length| 1_u64 << room_for(length)).sum()
}

#[derive(Clone, Default)]
pub(super) struct Lists {
    pub(super) starts: Vec<[u8; 4]>,
    pub(super) ends: Vec<[u8; 4]>,
    /// The logarithm of each list's room.
    rooms: Vec<u8>,
    pub(super) pool: Vec<[u8; 4]>,
    /// Where there is room that no list uses, by its logarithm.
    vacant: [Vec<u32>; 32],
    /// The numbers in all lists.
    total: usize,
}

impl Lists {
    /// So many empty lists.
    pub(super) fn new(count: usize) -> Self {
        let zeros = vec![[0; 4]; count];
        Self { starts: zeros.clone(), ends: zeros, rooms: vec![NO_ROOM; count], ..Self::default() }
    }

    /// The numbers in all lists.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Where a node's list lies in the pool.
    #[inline]
    pub(super) fn range(&self, node: u32) -> Range<usize> {
        number(&self.starts, node as usize) as usize..number(&self.ends, node as usize) as usize
    }

    /// A node's list.
    #[inline]
    pub(super) fn of(&self, node: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.pool[self.range(node)].iter().map(|item| u32::from_le_bytes(*item))
    }

    /// Makes a node's list so long, and gives the place of its numbers, all of which are to be written anew.
    fn resize(&mut self, node: u32, length: usize) -> usize {
        let before = self.range(node);
        self.total = self.total + length - before.len();
        let (index, room) = (node as usize, self.rooms[node as usize]);
        let mut start = before.start;
        if length > 0 && (room == NO_ROOM || length > 1 << room) {
            self.vacate(node);
            let needed = room_for(length);
            start = self.vacant[needed as usize].pop().map_or(self.pool.len(), |start| start as usize);
            if start == self.pool.len() {
                self.pool.resize(start + (1 << needed), [0; 4]);
            }
            self.rooms[index] = needed as u8;
        }
        self.starts[index] = (start as u32).to_le_bytes();
        self.ends[index] = ((start + length) as u32).to_le_bytes();
        start
    }

    /// Gives up the room of a list.
    fn vacate(&mut self, node: u32) {
        let room = core::mem::replace(&mut self.rooms[node as usize], NO_ROOM);
        if room != NO_ROOM {
            self.vacant[room as usize].push(number(&self.starts, node as usize));
        }
    }

    /// Writes a node's list, and gives its place in the pool.
    pub(super) fn set(&mut self, node: u32, items: impl ExactSizeIterator<Item = u32>) -> usize {
        let (length, start) = (items.len(), self.resize(node, items.len()));
        for (place, item) in self.pool[start..start + length].iter_mut().zip(items) {
            *place = item.to_le_bytes();
        }
        start
    }

    /// Another node, with an empty list.
    pub(super) fn push(&mut self) {
        self.starts.push([0; 4]);
        self.ends.push([0; 4]);
        self.rooms.push(NO_ROOM);
    }

    /// Gives a node's list to another, whose own is lost.
    pub(super) fn rename(&mut self, from: u32, to: u32) {
        self.drop_list(to);
        let (from, to) = (from as usize, to as usize);
        self.starts[to] = self.starts[from];
        self.ends[to] = core::mem::replace(&mut self.ends[from], self.starts[from]);
        self.rooms[to] = core::mem::replace(&mut self.rooms[from], NO_ROOM);
    }

    /// Keeps the lists of the first nodes only.
    pub(super) fn truncate(&mut self, count: usize) {
        for node in count..self.rooms.len() {
            self.drop_list(node as u32);
        }
        self.starts.truncate(count);
        self.ends.truncate(count);
        self.rooms.truncate(count);
    }

    fn drop_list(&mut self, node: u32) {
        self.resize(node, 0);
        self.vacate(node);
    }

    /// The place in the pool of a number in a node's list, which must be in order; or where it would have to
    /// go.
    pub(super) fn find(&self, node: u32, item: u32) -> Result<usize, usize> {
        let range = self.range(node);
        let start = range.start;
        let found = self.pool[range].binary_search_by_key(&item, |item| u32::from_le_bytes(*item));
        found.map(|offset| start + offset).map_err(|offset| start + offset)
    }
}

/// Lists of neighbours are a graph.
impl Lower for Lists {
    fn count(&self) -> usize {
        self.starts.len()
    }

    #[inline]
    fn for_each_neighbour(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        for next in self.of(node) {
            visit(next, 1);
        }
    }

    fn are_adjacent(&self, a: u32, b: u32) -> bool {
        self.find(a, b).is_ok()
    }

    #[inline]
    fn degree(&self, node: u32) -> usize {
        self.range(node).len()
    }
}
