//! Many short lists in one.

use alloc::vec::Vec;

/// A list for each of some numbers, one behind the other.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    /// Where the list of each number begins, and where the last one ends.
    pub(super) starts: Vec<u32>,
    pub(super) items: Vec<T>,
}

impl<T> Lists<T> {
    pub(super) fn new() -> Self {
        Self { starts: Vec::from([0]), items: Vec::new() }
    }

    /// Ends the list of one number: what is added next belongs to the next one.
    pub(super) fn end_list(&mut self) {
        self.starts.push(self.items.len() as u32);
    }

    #[inline]
    pub(super) fn of(&self, number: u32) -> &[T] {
        let number = number as usize;
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Puts another list in the place of one.
    pub(super) fn replace(&mut self, number: u32, list: &[T])
    where
        T: Clone,
    {
        let place = self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize;
        // What is taken away is added again for those behind.
        let (gone, come) = (place.len() as u32, list.len() as u32);
        self.items.splice(place, list.iter().cloned());
        for start in &mut self.starts[number as usize + 1..] {
            *start = *start + come - gone;
        }
    }

    /// The length of the longest list.
    pub(super) fn longest(&self) -> usize {
        self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0)
    }

    pub(super) fn bytes(&self) -> usize {
        core::mem::size_of_val(&self.starts[..]) + core::mem::size_of_val(&self.items[..])
    }
}
