//! Records that wait: they are put right one by one, as there is time for.

use super::{Detour, SubgoalRepairer, check};
use crate::database::builder::cut_down;
use crate::database::container::DatabaseError;
use crate::search::Planner;
use crate::space::{Cell, GridSpace, Reachability, StateSpace};

/// So many records are looked at for each that may be renewed: to see that one holds again, or that its way is still closed, takes far less than
/// to find a path.
const LOOKS: usize = 64;

impl SubgoalRepairer {
    /// How many records wait to be [renewed](Self::renew).
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.cut_off_waiting
    }

    /// Puts records right that wait for it, with at most `most` searches for exact paths. How many are in use again, or have a new path.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn renew(&mut self, space: &GridSpace, most: usize) -> Result<usize, DatabaseError> {
        check(space, &self.database)?;
        let (mut searches, mut renewed) = (0, 0);
        for _ in 0..self.waiting().min(most.saturating_mul(LOOKS)) {
            if searches == most {
                break;
            }
            let Some((record, cell)) = self.next_waiting() else { break };
            let (start, end) = self.database.ends(record);
            // A blocked end is looked at again when its cell is freed.
            if !space.contains(start) || !space.contains(end) {
                self.retire(record);
            } else if space.reachability(start, end) == Reachability::No {
                self.cut_off(record);
            } else if self.database.is_retired(record) && self.restore(space, record, cell) {
                renewed += 1;
            } else {
                searches += 1;
                renewed += usize::from(self.renew_path(space, record));
            }
        }
        Ok(renewed)
    }

    /// Brings back a retired record as it was, or led around a cell. Whether it holds.
    fn restore(&mut self, space: &GridSpace, record: u32, cell: Option<Cell>) -> bool {
        let mut states = self.records[record as usize].clone();
        if !self.enter(space, record) {
            // The first leg that was not entered does not arrive.
            let leg = self.legs_of[record as usize].len();
            self.retire(record);
            let detour = cell.and_then(|cell| self.detour(space, record, leg, cell));
            let Some(Detour { first, last, between }) = detour else { return false };
            states = self.with_detour(record, first, last, between);
            let before = core::mem::replace(&mut self.records[record as usize], states.clone());
            let holds = self.enter(space, record);
            // The database has not heard of them yet.
            self.records[record as usize] = before;
            if !holds {
                self.retire(record);
                return false;
            }
        }
        self.put(record, states);
        true
    }

    /// Gives a record an exact path. Whether there is one for it.
    fn renew_path(&mut self, space: &GridSpace, record: u32) -> bool {
        self.retire(record);
        let (start, end) = self.database.ends(record);
        let path = self.planner.plan(space, start, end).ok().and_then(|answer| answer.path);
        // Some forms have no record for some paths.
        let Some(states) = path.and_then(|path| cut_down(space, self.database.config(), &path)) else {
            self.cut_off(record);
            return false;
        };
        self.lengths[record as usize] = states.len() as u32;
        self.put(record, states);
        self.enter(space, record);
        true
    }

    /// The record that has waited for longest; those that had no way come after the others.
    fn next_waiting(&mut self) -> Option<(u32, Option<Cell>)> {
        let next = match self.queue.pop_front() {
            Some(next) => next,
            None => {
                self.cut_off_waiting = self.cut_off_waiting.checked_sub(1)?;
                (self.cut_off.pop_front()?, None)
            }
        };
        self.is_listed[next.0 as usize] = false;
        Some(next)
    }

    /// A record waits to be put right; for one that may be led around a cell it is known which.
    pub(super) fn enqueue(&mut self, record: u32, cell: Option<Cell>) {
        if !core::mem::replace(&mut self.is_listed[record as usize], true) {
            self.queue.push_back((record, cell));
        }
    }

    /// There is no way for a record, until a cell is freed.
    fn cut_off(&mut self, record: u32) {
        self.retire(record);
        if !core::mem::replace(&mut self.is_listed[record as usize], true) {
            self.cut_off.push_back(record);
        }
    }
}
