//! Logs that do not grow: once one is long, databases are brought from how they were built to the map as it
//! is once more, beside those in use, and take their place. What they have seen is then one edit for each
//! cell that differs, however often it was edited.

use alloc::boxed::Box;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;

use super::databases::{Databases, Done, Event, toggle};
use super::kind::KindState;
use super::tuning::{AT_A_TIME, FACTOR, LABELLED, LONG};
use crate::space::{Cell, GridSpace, State, StateSpace as _};

/// Databases that are brought to the map as it is, beside those in use.
#[derive(Clone, Debug)]
pub(super) struct LogCompaction {
    pub(super) databases: Databases,
    /// The map as they know it.
    pub(super) space: GridSpace,
    /// The positions in which that differs, and edits since.
    pub(super) due: VecDeque<Cell>,
    /// How often hub labels were completed since the map was the same.
    pub(super) labelled: u8,
}

impl LogCompaction {
    /// Tells of the next positions.
    fn tell(&mut self, most: usize) -> u64 {
        let cells: Vec<Cell> = self.due.drain(..most.min(self.due.len())).collect();
        cells.iter().for_each(|&cell| toggle(&mut self.space, cell));
        self.databases.repair(&self.space, &cells).work
    }
}

impl KindState {
    /// Tells databases that are being brought to the map as it is that it is another one. What that took.
    pub(super) fn note_for_log(&mut self, changed: &[Cell]) -> u64 {
        let Some(renewal) = self.renewal.as_deref_mut() else { return 0 };
        renewal.due.extend(changed);
        // As many as there are new ones, so that there is an end to it.
        renewal.tell(changed.len())
    }

    /// Sees whether the log could be far shorter, and begins to make it so. What that took.
    pub(super) fn look_at_log(&mut self) -> u64 {
        if self.renewal.is_some() || self.databases.log.len() < LONG {
            return 0;
        }
        let looked_at = self.databases.log.len() as u64;
        let differing = differing(&self.databases.log);
        if differing.len() as u64 * FACTOR > looked_at {
            return looked_at;
        }
        if self.as_built.are_none() {
            // Their files are of the map as it was, or as it is.
            self.databases.log = differing.into_iter().map(Event::Toggle).collect();
            return looked_at;
        }
        let mut space = self.space.clone();
        let due: VecDeque<Cell> = differing.into_iter().map(|state| space.cell(state)).collect();
        due.iter().for_each(|&cell| toggle(&mut space, cell));
        let databases = self.as_built.clone();
        self.renewal = Some(Box::new(LogCompaction { databases, space, due, labelled: 0 }));
        looked_at + self.space.state_limit() as u64 / 16
    }

    /// Does a piece of what could wait, be it for the sake of the log or of the units first. `None` if there
    /// is nothing to do.
    pub(super) fn work_on(&mut self, is_for_log: bool) -> Option<Done> {
        let first = match is_for_log {
            true => self.renew_link().or_else(|| self.renew_log()),
            false => self.databases.work_on(&self.space),
        };
        let done = first.or_else(|| match is_for_log {
            true => self.databases.work_on(&self.space),
            false => self.renew_log().or_else(|| self.renew_link()),
        })?;
        if done.is_labelled || done.is_new || done.is_replaced {
            self.note_answers();
        }
        Some(done)
    }

    /// Whether there is something that could wait, or will be without another edit: a long log may be
    /// shortened.
    pub(super) fn may_have_work(&self) -> bool {
        let is_due = self.renewal.is_some() || self.links.are_due();
        is_due || self.databases.log.len() >= LONG || self.databases.have_work()
    }

    /// Does a piece of bringing other databases to the map as it is.
    fn renew_log(&mut self) -> Option<Done> {
        let renewal = self.renewal.as_deref_mut()?;
        if !renewal.due.is_empty() {
            return Some(Done { work: renewal.tell(AT_A_TIME), ..Done::default() });
        }
        // The first labels may have been begun long before.
        if renewal.labelled < LABELLED
            && let Some(done) = renewal.databases.work_on_needed(&renewal.space)
        {
            renewal.labelled += u8::from(done.is_labelled || done.is_new);
            return Some(Done { work: done.work, ..Done::default() });
        }
        let renewed = self.renewal.take()?.databases;
        let main = core::mem::replace(&mut self.databases, renewed).main;
        if self.as_built.main.is_none() {
            // It has no history, and goes on.
            self.databases.main = main;
        }
        // It was found before, with the same algorithm.
        let _ = self.find_bound();
        let is_new = self.as_built.main.is_some() && !self.as_built.is_main_beacons();
        Some(Done { work: 1, is_new, is_replaced: true, ..Done::default() })
    }
}

/// The positions that were toggled an odd number of times.
fn differing(log: &[Event]) -> BTreeSet<State> {
    let mut differing = BTreeSet::new();
    for event in log {
        if let Event::Toggle(state) = *event
            && !differing.remove(&state)
        {
            differing.insert(state);
        }
    }
    differing
}
