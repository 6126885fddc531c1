//! Cells under entities that block them.

use std::collections::BTreeMap;

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::Entity;
use surefoot::Cell;
use surefoot::space::Grid;

use crate::components::Blocking;

/// Which cells are covered, how often, and what they are without it.
#[derive(Debug, Default)]
pub(crate) struct Obstacles {
    covered: BTreeMap<Cell, Covered>,
    of: EntityHashMap<Blocking>,
}

#[derive(Debug)]
struct Covered {
    times: u32,
    is_free_below: bool,
}

impl Obstacles {
    /// An entity blocks these cells now, or none, instead of those that it did. What is to be edited.
    pub(crate) fn set(
        &mut self,
        map: &Grid,
        entity: Entity,
        blocking: Option<Blocking>,
    ) -> BTreeMap<Cell, bool> {
        let before = match blocking {
            Some(blocking) => self.of.insert(entity, blocking),
            None => self.of.remove(&entity),
        };
        let mut edits = BTreeMap::new();
        for cell in blocking.iter().flat_map(|blocking| cells(map, blocking)) {
            let is_free = map.is_free(cell);
            let covered = self.covered.entry(cell).or_insert(Covered { times: 0, is_free_below: is_free });
            covered.times += 1;
            if covered.times == 1 && is_free {
                edits.insert(cell, false);
            }
        }
        for cell in before.iter().flat_map(|blocking| cells(map, blocking)) {
            let Some(covered) = self.covered.get_mut(&cell) else { continue };
            covered.times -= 1;
            if covered.times == 0 {
                if covered.is_free_below {
                    edits.insert(cell, true);
                }
                self.covered.remove(&cell);
            }
        }
        edits
    }

    /// What of an edit can be seen: cells that are covered stay blocked, and become what it says later.
    pub(crate) fn below(&mut self, edits: Vec<(Cell, bool)>) -> Vec<(Cell, bool)> {
        let mut seen = edits;
        seen.retain(|(cell, is_free)| match self.covered.get_mut(cell) {
            Some(covered) => {
                covered.is_free_below = *is_free;
                false
            }
            None => true,
        });
        seen
    }

    /// A map without what is covered.
    pub(crate) fn without(&self, map: &Grid) -> Grid {
        let mut map = map.clone();
        for (&cell, covered) in &self.covered {
            map.set(cell, covered.is_free_below);
        }
        map
    }

    /// Forgets all: there is another map.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The cells of the map that are blocked by it.
fn cells(map: &Grid, blocking: &Blocking) -> impl Iterator<Item = Cell> + use<> {
    let end = |from: u32, length: u32, most: u32| from.saturating_add(length).min(most);
    let Blocking { corner, width, height, is_open } = *blocking;
    let (right, bottom) = (end(corner.x, width, map.width()), end(corner.y, height, map.height()));
    let rows = if is_open { corner.y..corner.y } else { corner.y..bottom };
    rows.flat_map(move |y| (corner.x..right).map(move |x| Cell::new(x, y)))
}
