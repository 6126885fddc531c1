//! Records that are no longer what the bytes say: those of a database that was repaired after the map was
//! edited.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use surefoot::space::State;
use surefoot::store::draws::mix;

/// Records in a group.
const GROUP: usize = 64;

/// What has changed since the bytes were packed. Databases share the groups in which they do not differ, so
/// that a copy and a change of one record cost little: agents keep what they have while the next one is made.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// None at all as long as nothing has changed.
    groups: Vec<Arc<Group>>,
    /// Tells changes from others, and is 0 if there are none.
    mark: u64,
}

#[derive(Clone, Debug, Default)]
struct Group {
    /// A bit for each record that is not to be used.
    retired: u64,
    /// The states of records that are others now, by their places in the group.
    states: Vec<(u8, Arc<[State]>)>,
}

impl Group {
    fn position(&self, record: u32) -> Result<usize, usize> {
        self.states.binary_search_by_key(&place_of(record), |own| own.0)
    }

    fn is_retired(&self, record: u32) -> bool {
        self.retired >> place_of(record) & 1 != 0
    }

    /// What tells the state of a record from others; 0 for one that is as it was packed.
    fn mark_of(&self, record: u32) -> u64 {
        let states = self.position(record).ok().map(|at| &self.states[at].1);
        if states.is_none() && !self.is_retired(record) {
            return 0;
        }
        let begin = mix(u64::from(record) << 1 | u64::from(self.is_retired(record)));
        let states = states.into_iter().flat_map(|states| states.iter());
        states.fold(begin, |mark, state| mix(mark ^ u64::from(state.0)))
    }
}

fn place_of(record: u32) -> u8 {
    (record as usize % GROUP) as u8
}

impl Changes {
    /// Whether no record is to be used any more that was.
    #[inline]
    pub(super) fn is_retired(&self, record: u32) -> bool {
        self.groups.get(record as usize / GROUP).is_some_and(|group| group.is_retired(record))
    }

    /// The states of a record that are not those of the bytes.
    #[inline]
    pub(super) fn states(&self, record: u32) -> Option<&Arc<[State]>> {
        let group = self.groups.get(record as usize / GROUP)?;
        group.position(record).ok().map(|at| &group.states[at].1)
    }

    /// What tells these changes from others; 0 if there are none.
    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// Retires a record.
    pub(super) fn retire(&mut self, record: u32, records: usize) {
        self.change(record, records, |group| group.retired |= 1 << place_of(record));
    }

    /// Gives a record other states; it can be used from now on.
    pub(super) fn set(&mut self, record: u32, records: usize, states: &[State]) {
        self.change(record, records, |group| {
            group.retired &= !(1 << place_of(record));
            match group.position(record) {
                Ok(at) => group.states[at].1 = Arc::from(states),
                Err(at) => group.states.insert(at, (place_of(record), Arc::from(states))),
            }
        });
    }

    fn change(&mut self, record: u32, records: usize, change: impl FnOnce(&mut Group)) {
        if self.groups.is_empty() {
            self.groups = vec![Arc::default(); records.div_ceil(GROUP)];
        }
        let group = Arc::make_mut(&mut self.groups[record as usize / GROUP]);
        self.mark ^= group.mark_of(record);
        change(group);
        self.mark ^= group.mark_of(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_apart_and_copies_are_not_changed() {
        let mut changes = Changes::default();
        let before = changes.clone();
        changes.retire(70, 100);
        assert!(changes.is_retired(70) && !changes.is_retired(71) && !before.is_retired(70));
        let retired = changes.mark();
        changes.set(70, 100, &[State(1), State(2), State(9)]);
        assert!(!changes.is_retired(70) && changes.mark() != retired && changes.mark() != 0);
        assert_eq!(changes.states(70).map(|states| states.len()), Some(3));
        let copy = changes.clone();
        changes.set(3, 100, &[State(4), State(5)]);
        assert_eq!((copy.states(3), changes.states(70)), (None, copy.states(70)));
        let mut again = copy.clone();
        again.set(3, 100, &[State(4), State(5)]);
        assert!(again.mark() == changes.mark() && again.mark() != copy.mark() && before.mark() == 0);
    }
}
