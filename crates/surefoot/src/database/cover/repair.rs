//! Covers of maps that change: paths between regions that cannot be climbed any more are retired, and taken back when they can.
//!
//! Which paths those are depends on the map as it is, and on nothing else: it makes no difference in which order cells were blocked and freed.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::CoverDatabase;
use crate::database::container::{BuiltFor, DatabaseError};
use crate::database::passages::{Line, Passages};
use crate::space::{Cell, Cost, GridSpace, State, StateSpace};

/// The side of the squares by which paths are found.
const SIDE: u32 = 8;

/// Keeps a cover true for a grid that is edited: every path between regions that is not [retired](CoverDatabase::is_retired) can be climbed.
///
/// It knows where the climbs of all paths pass, and looks at those that come to an edited cell or next to it. What is not kept up to date is
/// which chain of paths is the cheapest, and which states belong to which region: agents see for themselves, and get around what is in their
/// way by learning.
#[derive(Clone, Debug)]
pub struct CoverRepairer {
    database: Arc<CoverDatabase>,
    passages: Passages<Leg>,
    /// How many legs of each path do not arrive.
    broken: Vec<u32>,
    /// What a move costs at least, which estimates go by: over ground of different weights an edit may change it.
    cheapest: Cost,
    /// The legs that have to be climbed again.
    changed: Vec<u32>,
    /// The pieces of a climb.
    lines: Vec<Line>,
}

/// A leg of a path between regions.
#[derive(Clone, Copy, Debug)]
struct Leg {
    link: u32,
    from: State,
    to: State,
    /// Whether a climb from one leads to the other.
    arrives: bool,
}

impl CoverRepairer {
    /// Climbs all paths of a cover once. Those that cannot be climbed on the map as it is are retired.
    ///
    /// # Errors
    /// If the cover was built for a map of another size, rule or costs.
    pub fn new(space: &GridSpace, database: Arc<CoverDatabase>) -> Result<Self, DatabaseError> {
        check(space, &database)?;
        let mut repairer = Self {
            passages: Passages::new(space.grid(), SIDE),
            broken: Vec::new(),
            cheapest: space.cheapest_move(),
            changed: Vec::new(),
            lines: Vec::new(),
            database,
        };
        repairer.look_at_all(space);
        Ok(repairer)
    }

    /// The cover as it is now. Agents that share an earlier one [use](crate::agents::Agent::use_database) this one from now on.
    #[must_use]
    pub fn database(&self) -> &Arc<CoverDatabase> {
        &self.database
    }

    /// Takes over that cells were blocked or freed. `space` is the grid as it is now. `changed` must name every cell that was changed since
    /// the repairer was made or last told; it may name others, and one twice. How many paths were retired or taken back.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<u64, DatabaseError> {
        check(space, &self.database)?;
        let mut count = 0;
        for cell in changed.into_iter().filter(|&cell| space.grid().contains(cell)) {
            count += self.repair_around(space, cell);
        }
        if space.cheapest_move() != self.cheapest {
            self.cheapest = space.cheapest_move();
            self.look_at_all(space);
        }
        Ok(count)
    }

    fn repair_around(&mut self, space: &GridSpace, cell: Cell) -> u64 {
        let (ties, mut changed) = (self.database.config().ties, core::mem::take(&mut self.changed));
        self.passages.near(cell, |number, leg, line| {
            // Where a climb gets stuck it may go on now.
            if !leg.arrives || !line.is_still_climbed(space, leg.to, ties) {
                changed.push(number);
            }
        });
        changed.sort_unstable();
        changed.dedup();
        let mut count = 0;
        for number in changed.drain(..) {
            let Some(leg) = self.passages.take(number) else { continue };
            let arrives = self.enter(space, leg);
            if arrives != leg.arrives {
                count += u64::from(self.note(leg.link, arrives));
            }
        }
        self.changed = changed;
        count
    }

    /// Counts a leg that arrives again, or does not any more. Whether that changes what can be said of its path.
    fn note(&mut self, link: u32, arrives: bool) -> bool {
        let broken = &mut self.broken[link as usize];
        *broken = if arrives { *broken - 1 } else { *broken + 1 };
        let is_retired = *broken > 0;
        let is_change = is_retired != self.database.is_retired(link);
        if is_change {
            Arc::make_mut(&mut self.database).set_retired(link, is_retired);
        }
        is_change
    }

    /// Looks at all paths.
    fn look_at_all(&mut self, space: &GridSpace) {
        self.passages = Passages::new(space.grid(), SIDE);
        self.broken = vec![0; self.database.links() as usize];
        for region in 0..self.database.regions() {
            let first = self.database.regions[region as usize].first_link;
            for place in 0..self.database.neighbours(region).len() {
                let link = first + place as u32;
                let states = self.database.path(region, place);
                for pair in states.windows(2) {
                    let leg = Leg { link, from: pair[0], to: pair[1], arrives: true };
                    self.broken[link as usize] += u32::from(!self.enter(space, leg));
                }
                let is_retired = self.broken[link as usize] > 0;
                if is_retired != self.database.is_retired(link) {
                    Arc::make_mut(&mut self.database).set_retired(link, is_retired);
                }
            }
        }
    }

    /// Climbs a leg, and enters where it passes. Whether it arrives.
    fn enter(&mut self, space: &GridSpace, leg: Leg) -> bool {
        self.lines.clear();
        let ties = self.database.config().ties;
        let arrives = Line::climb(space, (leg.from, leg.to), ties, &mut self.lines).is_some();
        self.passages.add(Leg { arrives, ..leg }, &self.lines);
        arrives
    }
}

fn check(space: &GridSpace, database: &CoverDatabase) -> Result<(), DatabaseError> {
    let built_for = database.built_for();
    if built_for.is_like(space) {
        return Ok(());
    }
    let (expected, found) = (BuiltFor::of(space).to_string(), built_for.to_string());
    Err(DatabaseError::OtherWorld { expected, found })
}
