//! Ground that changes its price: mud, threat, roads.
//!
//! The space of the kind follows at once. Its database is told when the next frame begins, and brought up to
//! date piece by piece. When it is, the units of the kind choose their ways anew.

use alloc::vec::Vec;

use super::databases::Change;
use super::edits::mark;
use super::kind::KindState;
use super::lane::Lane;
use super::walker::UnitWalker;
use super::{Crowd, CrowdError, KindId, squares};
use crate::space::{Cell, CellWeights, Grid, QueryError, Role, SpaceError};

impl Crowd {
    /// Gives a cell another weight for a kind of units, 1 to 255. Whether that changes anything.
    ///
    /// [`set_weights`](Self::set_weights) says more.
    ///
    /// # Errors
    /// As for [`set_weights`](Self::set_weights).
    pub fn set_weight(&mut self, kind: KindId, cell: Cell, weight: u8) -> Result<bool, CrowdError> {
        self.set_weights(kind, [(cell, weight)]).map(|changed| changed > 0)
    }

    /// Gives some cells other weights for a kind of units, 1 to 255, one after the other. How many times that
    /// changes something. For units larger than a cell the heaviest cell under them counts.
    ///
    /// Once the kind is [up to date](Self::is_up_to_date), all of its units choose their ways anew, by what
    /// ground costs now.
    ///
    /// A kind that was added with even ground gets weights by this. Beacons know of none: so its database is
    /// built anew in this call, its [relief](super::Kind::relief) goes, and its units begin anew. Who cannot
    /// wait for that adds the kind with
    /// [even weights](crate::space::CellWeights::even) in the first place. A kind whose database is not there
    /// yet waits for one that knows weights; a build in frames is cancelled.
    ///
    /// # Errors
    /// If there is no such kind, a cell lies outside the map, a weight is 0, or all weights together are too
    /// much. Then nothing has changed.
    pub fn set_weights(
        &mut self,
        kind: KindId,
        cells: impl IntoIterator<Item = (Cell, u8)>,
    ) -> Result<u64, CrowdError> {
        self.kind_state(kind)?;
        let cells: Vec<(Cell, u8)> = cells.into_iter().collect();
        let (width, height) = (self.map.width(), self.map.height());
        if let Some(&(cell, _)) = cells.iter().find(|(cell, _)| !self.map.contains(*cell)) {
            return Err(QueryError::Outside { role: Role::Cell, cell, width, height }.into());
        }
        if let Some(&(cell, _)) = cells.iter().find(|&&(_, weight)| weight == 0) {
            return Err(SpaceError::NoWeight { cell }.into());
        }
        let state = &mut self.kinds[usize::from(kind.0)];
        let before = state.weights_of(&cells);
        let count = before.len() as u64;
        if count == 0 {
            return Ok(0);
        }
        if state.space.is_weighted() {
            state.weigh(&self.map, &before)?;
            self.lanes.iter_mut().for_each(Lane::take_back);
        } else {
            self.weigh_first(kind, &before)?;
        }
        for &(cell, before, after) in &before {
            self.map_mark ^= mark_of(kind, cell, before) ^ mark_of(kind, cell, after);
        }
        Ok(count)
    }

    /// What the ground of a cell costs a kind of units. That is 1 where ground is even.
    ///
    /// # Errors
    /// If there is no such kind, or the cell lies outside the map.
    pub fn weight(&self, kind: KindId, cell: Cell) -> Result<u8, CrowdError> {
        let state = self.kind_state(kind)?;
        let (width, height) = (self.map.width(), self.map.height());
        let outside = || QueryError::Outside { role: Role::Cell, cell, width, height };
        Ok(state.cell_weight(cell).ok_or_else(outside)?)
    }

    /// A kind gets its first weights.
    fn weigh_first(&mut self, kind: KindId, weights: &[Weighed]) -> Result<(), CrowdError> {
        let mut all = CellWeights::even(&self.map);
        weights.iter().for_each(|&(cell, _, weight)| all.set(cell, weight));
        let all = CellWeights::new(all.width(), all.height(), all.rows().flatten().copied().collect())?;
        let state = &mut self.kinds[usize::from(kind.0)];
        let with_weights = state.kind.clone().with_weights(all);
        let mut weighted = KindState::with_or_without(with_weights, &self.map, !state.is_unbuilt)?;
        weighted.take_links_of(state)?;
        // The new database knows of the last edits. Units that had no way and have one since are to hear of
        // them, as of a new link.
        weighted.links.note_news(!state.changed.is_empty());
        *state = weighted;
        self.begin_anew(kind.0);
        Ok(())
    }
}

/// A cell, what it weighed before, and what it weighs now.
type Weighed = (Cell, u8, u8);

/// What tells the weight of a cell from others. Even ground is as if there were no weights.
fn mark_of(kind: KindId, cell: Cell, weight: u8) -> u64 {
    if weight == 1 { 0 } else { mark(cell).rotate_left(u32::from(weight)) ^ weight_mark(kind, weight) }
}

fn weight_mark(KindId(kind): KindId, weight: u8) -> u64 {
    mark(Cell::new(u32::from(kind), u32::MAX - u32::from(weight)))
}

impl KindState {
    /// What a cell of the map weighs. `None` if it lies outside.
    fn cell_weight(&self, cell: Cell) -> Option<u8> {
        match &self.cell_weights {
            Some(weights) => weights.at(cell),
            None => self.space.weight(cell),
        }
    }

    /// Of some weights those that change something, one after the other.
    fn weights_of(&self, cells: &[(Cell, u8)]) -> Vec<Weighed> {
        let mut known = alloc::collections::BTreeMap::new();
        let mut weighed = Vec::new();
        for &(cell, weight) in cells {
            let before = known.insert((cell.y, cell.x), weight).or_else(|| self.cell_weight(cell));
            if let Some(before) = before
                && before != weight
            {
                weighed.push((cell, before, weight));
            }
        }
        weighed
    }

    /// Takes over other weights of cells, or none of them.
    fn weigh(&mut self, map: &Grid, weighed: &[Weighed]) -> Result<(), CrowdError> {
        let positions: Vec<(Cell, u8)> = match &mut self.cell_weights {
            None => weighed.iter().map(|&(cell, _, weight)| (cell, weight)).collect(),
            Some(weights) => {
                weighed.iter().for_each(|&(cell, _, weight)| weights.set(cell, weight));
                let cells: Vec<Cell> = weighed.iter().map(|&(cell, ..)| cell).collect();
                squares::heaviest_over(map, weights, &cells, self.kind.size)
            }
        };
        let first = self.changed.len();
        for (cell, weight) in positions {
            let bits = self.space.weight(cell).unwrap_or(1) ^ weight.max(1);
            if bits == 0 {
                continue;
            }
            if let Err(error) = self.space.set_weight(cell, weight.max(1)) {
                for change in self.changed.drain(first..).rev() {
                    change.make(&mut self.space);
                }
                if let Some(weights) = &mut self.cell_weights {
                    weighed.iter().rev().for_each(|&(cell, before, _)| weights.set(cell, before));
                }
                return Err(error.into());
            }
            self.changed.push(Change { cell, bits });
        }
        self.note_answers();
        Ok(())
    }

    /// Whether ground has other weights, and databases know of all of them by now. It is said once.
    pub(super) fn take_reweighed(&mut self) -> bool {
        let is_known = self.is_reweighed && !self.databases.have_work();
        self.is_reweighed &= !is_known;
        is_known
    }
}

impl Lane {
    /// Lets the unit at a place choose its way anew, from where it stands.
    pub(super) fn choose_anew(&mut self, at: usize, kind: &KindState) {
        let place = self.place(at);
        let walker = &mut self.units[at].walker;
        let goal = walker.goal();
        let chosen = match walker {
            UnitWalker::Agent(boxed) => boxed.agent.choose_anew(&kind.space, place, goal).is_ok(),
            // Beacons know no weights.
            UnitWalker::Gone | UnitWalker::Beacons(_) => false,
        };
        // Where it or its goal is blocked there is no way, and it says so.
        if chosen {
            self.clear(at);
        }
    }
}
