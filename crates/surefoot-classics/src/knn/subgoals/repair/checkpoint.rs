//! Records of a map that was edited, as bytes: what crowds save beside the file.
//!
//! Records that are no longer what the file says come with their states. Where records pass is found anew
//! when they are read: those that are not retired are climbed as they were.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use surefoot::space::{GridSpace, StateSpace};
use surefoot::store::codec::{Reader, put_number, put_states};
use surefoot::store::container::{DatabaseError, SharedBytes};

use super::SubgoalRepairer;
use crate::knn::subgoals::SubgoalDatabase;

impl SubgoalDatabase {
    /// Writes which records are others now, and which are retired.
    pub(crate) fn put_changes(&self, out: &mut Vec<u8>) {
        for record in 0..self.len() as u32 {
            let states = self.changes.states(record);
            put_number(out, u64::from(self.is_retired(record)) | u64::from(states.is_some()) << 1);
            if let Some(states) = states {
                put_states(out, states);
            }
        }
    }

    /// The database of a file on a map that was edited since, with what was written.
    pub(crate) fn with_changes(
        space: &GridSpace,
        file: &SharedBytes,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DatabaseError> {
        let limit = space.state_limit();
        let mut database = Self::parse(file)?;
        database.built_for.check_like(space)?;
        database.states = database.check_records(|_, from, to| {
            let is_state = |state: surefoot::space::State| state.index() < limit;
            let problem = "a record leads off the map".into();
            if is_state(from) && is_state(to) {
                Ok(())
            } else {
                Err(DatabaseError::Malformed { section: "ends", problem })
            }
        })?;
        for record in 0..database.len() as u32 {
            let flags = reader.number_up_to(3, "there are two flags")?;
            if flags & 2 == 2 {
                let states = reader.states(limit)?;
                if states.len() < 2 || (states[0], states[states.len() - 1]) != database.ends(record) {
                    return Err(reader.malformed("a record has other ends").into());
                }
                let before = database.record(record).len();
                database.set_record(record, &states, before);
            }
            if flags & 1 == 1 {
                database.retire(record);
            }
        }
        Ok(database)
    }
}

impl SubgoalRepairer {
    /// Writes how long records were when they were last given paths, and which wait.
    pub(crate) fn put_beside(&self, out: &mut Vec<u8>) {
        for record in 0..self.records.len() as u32 {
            if self.database.changes.states(record).is_some() {
                put_number(out, u64::from(self.lengths[record as usize]));
            }
        }
        for list in [&self.queue, &self.cut_off] {
            put_number(out, list.len() as u64);
            list.iter().for_each(|&record| put_number(out, u64::from(record)));
        }
        put_number(out, self.cut_off_waiting as u64);
    }

    /// Reads what was written. All records that are not retired must hold on this map.
    pub(crate) fn resumed(
        space: &GridSpace,
        database: SubgoalDatabase,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DatabaseError> {
        let mut repairer = Self::unentered(space, Arc::new(database));
        let count = repairer.records.len();
        for record in 0..count as u32 {
            if repairer.database.changes.states(record).is_some() {
                let length = reader.number_up_to(u64::from(u32::MAX) / 4, "no record is so long")?;
                repairer.lengths[record as usize] = length as u32;
            }
        }
        let mut lists = [VecDeque::new(), VecDeque::new()];
        let mut is_listed = vec![false; count];
        for list in &mut lists {
            for _ in 0..reader.count(1)? {
                let record = reader.number()?;
                match is_listed.get_mut(record as usize) {
                    Some(is_listed) if !*is_listed => *is_listed = true,
                    _ => return Err(reader.malformed("there is no such record, or it waits already").into()),
                }
                list.push_back(record as u32);
            }
        }
        [repairer.queue, repairer.cut_off] = lists;
        repairer.is_listed = is_listed;
        let most = repairer.cut_off.len() as u64;
        repairer.cut_off_waiting = reader.number_up_to(most, "so many do not wait")? as usize;
        for record in 0..count as u32 {
            if !repairer.database.is_retired(record) && !repairer.enter(space, record) {
                return Err(reader.malformed("a record does not hold on this map").into());
            }
        }
        Ok(repairer)
    }
}
