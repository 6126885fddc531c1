//! Covers of a map that was edited, as bytes: what crowds save beside the file.
//!
//! Which paths are retired follows from the map. Chains around them do not: they are found when there is
//! time.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::space::{GridSpace, State, StateSpace};
use surefoot::store::codec::{Reader, put_number};
use surefoot::store::container::{DatabaseError, SharedBytes, malformed};

use super::{CoverDatabase, CoverRepairer, RegionId};

impl CoverDatabase {
    /// Writes chains that are not those of the table.
    pub(crate) fn put_changes(&self, out: &mut Vec<u8>) {
        put_number(out, self.ground_states);
        let all = RegionId::first(self.regions()).zip(&self.chains);
        let others = || all.clone().filter_map(|(goal, chains)| Some((goal, chains.as_ref()?)));
        put_number(out, others().count() as u64);
        for (goal, chains) in others() {
            put_number(out, u64::from(goal.number()));
            for (from, link) in self.regions[goal.index()].component.regions().zip(chains.iter()) {
                let first = self.regions[from.index()].first_link;
                put_number(out, link.map_or(0, |link| u64::from(link - first) + 1));
            }
        }
    }

    /// The cover of a file on a map that was edited since, with what was written.
    pub(crate) fn with_changes(
        space: &GridSpace,
        file: &SharedBytes,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DatabaseError> {
        let mut opened = Self::parse(file)?;
        opened.built_for.check_like(space)?;
        let limit = space.state_limit();
        let is_state = |state: State| state.index() < limit;
        opened.path_states = opened.check_paths(|_, from, to| {
            let is_leg = from != to && is_state(from) && is_state(to);
            if is_leg { Ok(()) } else { Err(malformed("subg", "a path leads off the map".into())) }
        })?;
        opened.ground_states = reader.number_up_to(limit as u64, "the map has fewer states")?;
        let last = u64::from(opened.regions()).saturating_sub(1);
        for _ in 0..reader.count(2)? {
            let goal = RegionId::from_number(reader.number_up_to(last, "there is no such region")? as u32);
            let mut chains = Vec::new();
            for from in opened.regions.get(goal.index()).into_iter().flat_map(|goal| goal.component.regions())
            {
                let region = &opened.regions[from.index()];
                let link = reader.number_up_to(u64::from(region.links), "a region has no such link")?;
                chains.push(link.checked_sub(1).map(|place| region.first_link + place as u32));
            }
            opened.set_chains(goal, Some(chains.into()));
        }
        opened.check_chains()?;
        Ok(opened)
    }
}

impl CoverRepairer {
    /// Writes to which goal regions chains have to be found anew.
    pub(crate) fn put_beside(&self, out: &mut Vec<u8>) {
        put_number(out, self.stale.len() as u64);
        self.stale.iter().for_each(|goal| put_number(out, u64::from(goal.number())));
    }

    /// Reads what was written.
    pub(crate) fn resumed(
        space: &GridSpace,
        database: CoverDatabase,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DatabaseError> {
        let mut repairer = Self::new(space, Arc::new(database))?;
        let regions = u64::from(repairer.database.regions());
        let mut stale = BTreeSet::new();
        for _ in 0..reader.count(1)? {
            let goal = reader.number()?;
            if goal >= regions || !stale.insert(RegionId::from_number(goal as u32)) {
                return Err(reader.malformed("there is no such region, or it waits already").into());
            }
        }
        repairer.stale = stale;
        Ok(repairer)
    }
}
