//! Repair: the levels follow the map when cells are blocked or freed, near what was edited and nowhere else.
//!
//! The PRA* paper says that abstractions can be repaired and not how; its authors' later code takes things
//! away and adds none. Here one mechanism does both, level by level from the ground up:
//! - On each level some nodes have other neighbours than before, some are new and some are gone. Their groups
//!   are looked at. A group that is still a clique with orphans, as in a fresh build, stays; else its members
//!   are free.
//! - Free nodes are grouped anew by the rules of `cliques.rs`. So that they do not end up alone, small groups
//!   next to them are taken apart first; and whenever a free node has a neighbour that is alone in its group,
//!   that one is free too. So no two neighbours are both alone, every level with edges shrinks, and there is
//!   a top.
//! - A new group takes the number of an old one that some of its members were in, so that the level above
//!   sees little of it. Edges of all groups that were looked at are counted anew, and where they differ,
//!   those of their neighbours are told.
//! - What changed so is what the next level begins with. Where nothing did, only places are brought up to
//!   date.
//!
//! `regroup.rs` has what is done on each level.
//!
//! So the groups of a repaired abstraction are cliques with orphans too, where connected ones would do, and
//! no capacity can outgrow its byte.

use alloc::format;
use alloc::sync::Arc;

use surefoot::space::{Cell, GridSpace};
use surefoot::store::container::{BuiltFor, DatabaseError};

use super::edited::{Edited, EditedLevel};
use super::regroup::{Map, News, Pass, Regrouping};
use super::{Abstraction, Storage};

impl Abstraction {
    /// Brings the abstraction of a grid up to date after cells of it were blocked or freed, near those cells
    /// and nowhere else.
    ///
    /// `space` is the grid as it is now. `changed` must name every cell that was changed since the
    /// abstraction was built or last repaired; it may name others, and one twice. (With a cell left out it is
    /// no abstraction of this grid any more, which [`verify`](Self::verify) notices; PRA* on it still finds
    /// legal ways, but perhaps not the best or slowly.)
    ///
    /// The first repair brings the abstraction into a form that can be changed, which takes a fifth of the
    /// time that it takes to build it; and if others share it, it is copied, and they keep what they have.
    /// Otherwise a repair takes time by the number of cells, and hardly by the size of the map.
    ///
    /// # Errors
    /// If it is no abstraction of a grid of this size, rule and costs, or too large to be repaired. Then
    /// nothing has changed.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<(), DatabaseError> {
        let (grid, built_for) = (space.grid(), self.storage.origin());
        if built_for.size != (grid.width(), grid.height())
            || built_for.rule != space.rule().name()
            || built_for.costs != space.units().name()
        {
            let (expected, found) = (format!("{}", BuiltFor::of(space)), format!("{}", self.built_for()));
            return Err(DatabaseError::OtherWorld { expected, found });
        }
        let longest_pool = match &self.storage {
            Storage::Packed(packed, _) => {
                Edited::longest_pool((0..packed.levels()).map(|level| packed.level(level)))
            }
            Storage::Edited(edited) => {
                let pools = edited.levels.iter().flat_map(|level| [&level.children.pool, &level.edges.pool]);
                pools.map(|pool| pool.len() as u64).max().unwrap_or(0)
            }
        };
        // Half of what can be numbered: no list of cells that fits into memory uses up the rest.
        if longest_pool > u64::from(u32::MAX / 2) {
            let problem = format!("{} cells that may change", grid.cell_count());
            return Err(DatabaseError::TooLarge { problem });
        }
        if let Storage::Packed(packed, _) = &self.storage {
            let levels = (0..packed.levels()).map(|level| packed.level(level));
            let edited = Edited::new(space, packed.built_for.clone(), self.fraction_bits, levels);
            self.storage = Storage::Edited(Arc::new(edited));
        }
        if let Storage::Edited(edited) = &mut self.storage {
            let cells = changed.into_iter().filter(|&cell| grid.contains(cell));
            Arc::make_mut(edited).repair(space, cells, self.config.aligned, self.fraction_bits);
        }
        Ok(())
    }
}

impl Edited {
    /// Brings all levels up to date with `space`, in which these cells were changed.
    fn repair(
        &mut self,
        space: &GridSpace,
        cells: impl Iterator<Item = Cell>,
        is_aligned: bool,
        fraction_bits: u32,
    ) {
        let size = (space.grid().width(), space.grid().height());
        let mut news = News::default();
        for cell in cells {
            self.set_cell(space, cell);
            // A cell may be in the way of moves between its neighbours.
            for y in cell.y.saturating_sub(1)..=cell.y.saturating_add(1).min(size.1 - 1) {
                for x in cell.x.saturating_sub(1)..=cell.x.saturating_add(1).min(size.0 - 1) {
                    news.changed.push(space.state_of(Cell::new(x, y)).0);
                }
            }
        }
        let (mut below, mut next, mut work) = (0, News::default(), Regrouping::default());
        while !news.is_empty() {
            if below + 1 == self.levels.len() {
                self.levels.push(EditedLevel::default());
            }
            let (lower, upper) = self.levels.split_at_mut(below + 1);
            let (Some((lower, lowest)), Some((upper, above))) =
                (lower.split_last_mut(), upper.split_first_mut())
            else {
                return;
            };
            let EditedLevel { parents, edges, sums, places, .. } = lower;
            let map = Map { lowest, places, size, fraction_bits, is_aligned };
            let above = above.first_mut();
            if below == 0 {
                Pass { graph: &space, parents, sums, map, upper, above }.run(&mut news, &mut next, &mut work);
            } else {
                Pass { graph: &*edges, parents, sums, map, upper, above }
                    .run(&mut news, &mut next, &mut work);
            }
            core::mem::swap(&mut news, &mut next);
            if upper.parents.is_empty() {
                self.levels.truncate(below + 1);
                return;
            }
            below += 1;
        }
    }
}
