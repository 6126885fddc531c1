//! Records that wait: they are renewed from exact paths, as many as there is time for.

use surefoot::search::Planner;
use surefoot::space::{GridSpace, Reachability, StateSpace};
use surefoot::store::container::DatabaseError;

use super::SubgoalRepairer;
use crate::knn::builder::cut_down;

/// So many records are looked at for each that may be renewed: to see that a way is still closed takes far
/// less than to find one.
const LOOKS: usize = 64;

impl SubgoalRepairer {
    /// How many records wait to be [renewed](Self::renew).
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.cut_off_waiting
    }

    /// Renews records that wait for it, with at most `most` searches for exact paths. How many were renewed.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn renew(&mut self, space: &GridSpace, most: usize) -> Result<usize, DatabaseError> {
        self.database.built_for().check_like(space)?;
        let (mut searches, mut renewed) = (0, 0);
        for _ in 0..self.waiting().min(most.saturating_mul(LOOKS)) {
            if searches == most {
                break;
            }
            let Some(record) = self.next_waiting() else { break };
            let (start, end) = self.database.ends(record);
            // A blocked end is looked at again when its cell is freed.
            if !space.contains(start) || !space.contains(end) {
                self.retire(record);
            } else if space.reachability(start, end) == Reachability::No {
                self.cut_off(record);
            } else {
                searches += 1;
                renewed += usize::from(self.renew_path(space, record));
            }
        }
        Ok(renewed)
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
    fn next_waiting(&mut self) -> Option<u32> {
        let record = match self.queue.pop_front() {
            Some(record) => record,
            None => {
                self.cut_off_waiting = self.cut_off_waiting.checked_sub(1)?;
                self.cut_off.pop_front()?
            }
        };
        self.is_listed[record as usize] = false;
        Some(record)
    }

    /// A record waits to be renewed.
    pub(super) fn enqueue(&mut self, record: u32) {
        if !core::mem::replace(&mut self.is_listed[record as usize], true) {
            self.queue.push_back(record);
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
