//! Logs that do not grow: once one is long, databases are brought from how they were built to the map as it
//! is once more, beside those in use, and take their place. What they have seen is then one edit for each
//! cell that differs, however often it was edited.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use super::databases::{Change, Databases, Done, Event};
use super::kind::KindState;
use super::tuning::{AT_A_TIME, FACTOR, LABELLED, LONG};
use crate::space::{GridSpace, State, StateSpace as _};

/// Databases that are brought to the map as it is, beside those in use.
#[derive(Clone, Debug)]
pub(super) struct LogCompaction {
    pub(super) databases: Databases,
    /// The map as they know it.
    pub(super) space: GridSpace,
    /// In what that differs, and edits since.
    pub(super) due: VecDeque<Change>,
    /// How often hub labels were completed since the map was the same.
    pub(super) labelled: u8,
}

impl LogCompaction {
    /// Tells of the next positions.
    fn tell(&mut self, most: usize) -> u64 {
        let changes: Vec<Change> = self.due.drain(..most.min(self.due.len())).collect();
        for change in &changes {
            change.make(&mut self.space);
        }
        self.databases.repair(&self.space, &changes).work
    }
}

impl KindState {
    /// Tells databases that are being brought to the map as it is that it is another one. What that took.
    pub(super) fn note_for_log(&mut self, changed: &[Change]) -> u64 {
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
            self.databases.log = differing;
            return looked_at;
        }
        let mut space = self.space.clone();
        let width = space.grid().width();
        let due: VecDeque<Change> = differing.into_iter().filter_map(|event| event.change(width)).collect();
        for change in &due {
            change.make(&mut space);
        }
        let databases = self.as_built.clone();
        self.renewal = Some(Box::new(LogCompaction { databases, space, due, labelled: 0 }));
        looked_at + self.space.state_limit() as u64 / 16
    }

    /// Does a piece of what could wait, be it for the sake of the log or of the units first. `None` if there
    /// is nothing to do.
    pub(super) fn work_on(&mut self, is_for_log: bool) -> Option<Done> {
        if let Some(done) = self.build_on() {
            return Some(done);
        }
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
        let is_due = self.renewal.is_some() || self.links.are_due() || self.build.is_some();
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

/// What a log has done to the map, all in all: first what was blocked or freed, then weights.
fn differing(log: &[Event]) -> Vec<Event> {
    let mut toggled: BTreeMap<State, bool> = BTreeMap::new();
    let mut weighed: BTreeMap<State, u8> = BTreeMap::new();
    for event in log {
        match *event {
            Event::Toggle(state) => *toggled.entry(state).or_default() ^= true,
            Event::Weigh(state, bits) => *weighed.entry(state).or_default() ^= bits,
            Event::Begin | Event::Settle | Event::Upkeep { .. } => {}
        }
    }
    let toggled = toggled.into_iter().filter(|&(_, is_other)| is_other);
    let weighed = weighed.into_iter().filter(|&(_, bits)| bits != 0);
    toggled
        .map(|(state, _)| Event::Toggle(state))
        .chain(weighed.map(|(state, bits)| Event::Weigh(state, bits)))
        .collect()
}
