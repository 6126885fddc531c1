//! Maps that change: cells are blocked and freed between frames.
//!
//! The spaces of all kinds follow at once; databases are told when the next frame begins: what is broken is
//! put right or retired, and what takes long is left to the upkeep. Agents look at the map before every move,
//! so that they never walk into a wall, whatever their databases say; those that had no way are told when
//! there is one.

use alloc::sync::Arc;
use alloc::vec::Vec;

use xxhash_rust::xxh3::xxh3_64;

use super::databases::{Change, Done};
use super::kind::KindState;
use super::lane::Lane;
use super::tuning::MOST_NOTED;
use super::unit::UnitStatus;
use super::walker::UnitWalker;
use super::{Crowd, CrowdError, squares};
use crate::space::{
    Cell, Grid, GridSpace, QueryError, Reachability, Revision, Role, State, StateSpace as _, sorting,
};

impl Crowd {
    /// Frees or blocks a cell. Whether that changes anything.
    ///
    /// Units that stand on it stay there, and cannot move until it is freed.
    ///
    /// # Errors
    /// If the cell lies outside the map.
    pub fn set_cell(&mut self, cell: Cell, free: bool) -> Result<bool, CrowdError> {
        self.set_cells([(cell, free)]).map(|changed| changed > 0)
    }

    /// Frees or blocks some cells, one after the other. How many times that changes something.
    ///
    /// # Errors
    /// If one lies outside the map. Then none is changed.
    pub fn set_cells(&mut self, cells: impl IntoIterator<Item = (Cell, bool)>) -> Result<u64, CrowdError> {
        let cells: Vec<(Cell, bool)> = cells.into_iter().collect();
        let (width, height) = (self.map.width(), self.map.height());
        if let Some(&(cell, _)) = cells.iter().find(|(cell, _)| !self.map.contains(*cell)) {
            return Err(QueryError::Outside { role: Role::Cell, cell, width, height }.into());
        }
        let mut changed = Vec::new();
        for (cell, free) in cells {
            if self.map.is_free(cell) != free {
                self.map.set(cell, free);
                self.map_mark ^= mark(cell);
                changed.push(cell);
            }
        }
        let count = changed.len() as u64;
        sorting::sort_by_key(&mut changed, |cell| (cell.y, cell.x));
        changed.dedup();
        for kind in &mut self.kinds {
            kind.follow(&self.map, &changed);
            kind.look_at_links();
        }
        self.lanes.iter_mut().for_each(Lane::take_back);
        Ok(count)
    }

    /// Tells databases what was edited since the last frame, and the units that are concerned; wakes those
    /// that may have a way now. What it took.
    pub(super) fn settle_edits(&mut self) -> u64 {
        if self.kinds.iter().all(|kind| kind.changed.is_empty()) {
            return 0;
        }
        let news: Vec<Option<News>> = self.kinds.iter_mut().map(KindState::settle).collect();
        let mut work: u64 = news.iter().flatten().map(|news| news.done.work).sum();
        let report = Arc::make_mut(&mut self.report);
        for lane in &mut self.lanes {
            for at in 0..lane.units.len() {
                let number = usize::from(lane.units[at].kind);
                let Some(Some(news)) = news.get(number) else { continue };
                work += 1;
                tell(lane, at, &self.kinds[number], news);
                if wake(lane, at, &self.kinds[number], self.frame) {
                    report.reachable.push(lane.id(at));
                }
            }
        }
        work
    }
}

/// What has become of a kind since the last frame.
struct News {
    /// The positions that changed.
    changed: Vec<Cell>,
    /// The revision of the space before.
    before: Option<Revision>,
    /// Whether it is so little that it can be told who need not look again.
    is_little: bool,
    /// Whether ground has other weights, and everyone is to choose anew at once.
    is_reweighed: bool,
    done: Done,
}

/// Tells a unit of its kind's news.
fn tell(lane: &mut Lane, at: usize, kind: &KindState, news: &News) {
    lane.check_course(at, kind);
    let database = if news.done.is_new { kind.databases.main() } else { None };
    match (&mut lane.units[at].walker, &database) {
        (UnitWalker::Beacons(walker), _) if walker.heads_for(&news.done.retired) => {
            walker.start_over();
            lane.note_choice(at, &kind.space);
        }
        (UnitWalker::Beacons(walker), _) if news.is_little => {
            walker.note_edits(&kind.space, news.before, &news.changed);
        }
        // One that has no use for it goes on as it is.
        (UnitWalker::Agent(boxed), Some(database)) => drop(boxed.agent.use_database(database)),
        _ => {}
    }
    if news.is_reweighed {
        lane.choose_anew(at, kind);
    }
}

/// Wakes a unit that had no way, if it may have one now. Whether it has one for certain.
fn wake(lane: &mut Lane, at: usize, kind: &KindState, frame: u32) -> bool {
    let (place, goal) = (lane.place(at), lane.goal(at));
    let unit = &mut lane.units[at];
    let has_way = unit.status == UnitStatus::Unreachable && kind.is_way(place, goal);
    if has_way || unit.status == UnitStatus::Stuck {
        unit.set_out(frame.wrapping_sub(1));
    }
    has_way
}

/// What tells a cell from others.
pub(super) fn mark(cell: Cell) -> u64 {
    xxh3_64(&(u64::from(cell.y) << 32 | u64::from(cell.x)).to_le_bytes())
}

/// Whether there is a way.
pub(super) fn is_open(space: &GridSpace, from: State, to: State) -> bool {
    space.contains(from) && space.contains(to) && space.reachability(from, to) != Reachability::No
}

impl KindState {
    /// Takes over what was blocked and freed on the map.
    fn follow(&mut self, map: &Grid, cells: &[Cell]) {
        let size = self.kind.size;
        let has_changed = |&(position, free): &(Cell, bool)| self.space.grid().is_free(position) != free;
        let looked_at = u64::from(size) * u64::from(size) * 4 * cells.len() as u64;
        let mut changed: Vec<(Cell, bool)> = if size > 1 && looked_at > map.cell_count() as u64 {
            let positions = squares::positions(map, size);
            let all = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| Cell::new(x, y)));
            all.map(|position| (position, positions.is_free(position))).filter(has_changed).collect()
        } else {
            let over = cells.iter().flat_map(|&cell| squares::positions_over(map, cell, size));
            over.filter(has_changed).collect()
        };
        // A position may lie over several cells.
        sorting::sort_by_key(&mut changed, |&(position, _)| (position.y, position.x));
        changed.dedup();
        self.changed.extend(changed.iter().map(|&(position, _)| Change::toggle(position)));
        if changed.len() > MOST_NOTED {
            return self.space.set_all(changed);
        }
        for (position, free) in changed {
            let components = self.space.components().count();
            self.space.set(position, free);
            self.is_cut |= self.space.components().count() > components;
        }
    }

    /// Tells the databases of what was edited since the last frame. What is to be told to units; `None` if
    /// there was no edit.
    fn settle(&mut self) -> Option<News> {
        if self.changed.is_empty() {
            return None;
        }
        let changed = core::mem::take(&mut self.changed);
        let before = core::mem::replace(&mut self.settled, self.space.revision());
        let is_cut = core::mem::take(&mut self.is_cut);
        // Where much was edited it is as fast to look again. Where ground has weights, an edit may change
        // what is estimated everywhere.
        let is_little = !is_cut && changed.len() <= MOST_NOTED && !self.space.is_weighted();
        let done = self.repair(&changed);
        self.is_reweighed |= changed.iter().any(|change| change.bits != 0);
        let is_reweighed = self.take_reweighed();
        let changed = changed.into_iter().map(|change| change.cell).collect();
        Some(News { changed, before, is_little, is_reweighed, done })
    }

    /// Tells the databases of changes of the map.
    fn repair(&mut self, changed: &[Change]) -> Done {
        let for_build = self.note_for_build(changed);
        if self.databases.are_none() {
            return Done { work: for_build, ..Done::default() };
        }
        let mut done = self.databases.repair(&self.space, changed);
        done.work += for_build;
        // It was made before, with the same algorithm.
        let _ = if done.is_new { self.renew_prototype() } else { self.find_bound() };
        done
    }
}
