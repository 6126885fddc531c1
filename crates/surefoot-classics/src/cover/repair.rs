//! Covers of maps that change: paths between regions that cannot be climbed any more are retired at once, and
//! taken back when they can. Chains of paths are led around them when there is time.
//!
//! Which paths are retired depends on the map as it is, and on nothing else: it makes no difference in which
//! order cells were blocked and freed.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use surefoot::space::{Cell, Cost, GridSpace, State, StateSpace, sorting};
use surefoot::store::container::DatabaseError;

use super::{CoverDatabase, RegionId};
use crate::regions::passages::{ClimbLine, Passages};

/// The side of the squares by which paths are found.
const SIDE: u32 = 8;

/// Keeps a cover true for a grid that is edited: every path between regions that is not
/// [retired](CoverDatabase::is_retired) can be climbed.
///
/// It knows where the climbs of all paths pass, and looks at those that come to an edited cell or next to it.
/// Chains that lead over a path that was retired are found anew by [`renew`](Self::renew), goal by goal. What
/// is not kept up to date is which states belong to which region: agents see for themselves, and get around
/// what is in their way by learning.
#[derive(Clone, Debug)]
pub struct CoverRepairer {
    pub(super) database: Arc<CoverDatabase>,
    passages: Passages<PathLeg>,
    paths: Vec<PathState>,
    /// The paths that lead to each region.
    into: Vec<Vec<u32>>,
    /// How many paths are retired.
    retired: u32,
    /// Goal regions to which chains have to be found anew.
    pub(super) stale: BTreeSet<RegionId>,
    /// What a move costs at least, which estimates go by: over ground of different weights an edit may change
    /// it.
    cheapest: Cost,
    /// The legs that have to be climbed again: their paths, where they begin, and their numbers.
    changed: Vec<(u32, State, u32)>,
    /// The pieces of a climb.
    lines: Vec<ClimbLine>,
}

/// What is known of a path between regions.
#[derive(Clone, Copy, Debug)]
struct PathState {
    from: RegionId,
    /// How many of its legs do not arrive, and what the others cost.
    broken: u32,
    cost: Cost,
}

/// A leg of a path between regions.
#[derive(Clone, Copy, Debug)]
struct PathLeg {
    link: u32,
    from: State,
    to: State,
    /// What a climb costs, if it arrives.
    cost: Option<Cost>,
}

impl CoverRepairer {
    /// Climbs all paths of a cover once. Those that cannot be climbed on the map as it is are retired.
    ///
    /// # Errors
    /// If the cover was built for a map of another size, rule or costs.
    pub fn new(space: &GridSpace, database: Arc<CoverDatabase>) -> Result<Self, DatabaseError> {
        database.built_for().check_like(space)?;
        let mut repairer = Self {
            passages: Passages::new(space.grid(), SIDE),
            paths: Vec::new(),
            into: vec![Vec::new(); database.regions() as usize],
            retired: 0,
            stale: BTreeSet::new(),
            cheapest: space.cheapest_move(),
            changed: Vec::new(),
            lines: Vec::new(),
            database,
        };
        for region in RegionId::first(repairer.database.regions()) {
            for &neighbour in repairer.database.neighbours(region) {
                repairer.into[neighbour.index()].push(repairer.paths.len() as u32);
                repairer.paths.push(PathState { from: region, broken: 0, cost: 0 });
            }
        }
        // Another repairer may have retired paths before.
        for link in 0..repairer.paths.len() as u32 {
            if repairer.database.is_retired(link) {
                repairer.note_retired(link);
            }
        }
        repairer.look_at_all(space);
        Ok(repairer)
    }

    /// The cover as it is now. Agents that share an earlier one [use](surefoot::agent::Agent::use_database)
    /// this one from now on.
    #[must_use]
    pub fn database(&self) -> &Arc<CoverDatabase> {
        &self.database
    }

    /// Takes over that cells were blocked or freed. `space` is the grid as it is now. `changed` must name
    /// every cell that was changed since the repairer was made or last told; it may name others, and one
    /// twice. How many paths were retired or taken back.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<u64, DatabaseError> {
        self.database.built_for().check_like(space)?;
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

    /// How many goal regions wait for chains that avoid retired paths.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.stale.len()
    }

    /// Finds chains anew that lead over retired paths, to at most `most` goal regions. For how many that was
    /// done.
    pub fn renew(&mut self, most: usize) -> usize {
        let mut renewed = 0;
        while renewed < most
            && let Some(goal) = self.stale.pop_first()
        {
            let chains = (self.retired > 0).then(|| self.chains_to(goal).into());
            Arc::make_mut(&mut self.database).set_chains(goal, chains);
            renewed += 1;
        }
        renewed
    }

    /// For each region of the component of a goal the path that the cheapest chain there begins with, if
    /// there is one without retired paths.
    fn chains_to(&self, goal: RegionId) -> Vec<Option<u32>> {
        let component = self.database.regions[goal.index()].component;
        let place = |region: RegionId| component.place(region);
        let mut best = vec![(Cost::MAX, None); component.len()];
        best[place(goal)] = (0, None);
        let mut open = BinaryHeap::from([Reverse((0, goal))]);
        while let Some(Reverse((cost, region))) = open.pop() {
            if cost != best[place(region)].0 {
                continue;
            }
            for &link in self.into[region.index()].iter().filter(|&&link| !self.database.is_retired(link)) {
                let path = &self.paths[link as usize];
                let cost = cost.saturating_add(path.cost);
                let known = &mut best[place(path.from)];
                if cost < known.0 {
                    *known = (cost, Some(link));
                    open.push(Reverse((cost, path.from)));
                }
            }
        }
        best.into_iter().map(|(_, link)| link).collect()
    }

    fn repair_around(&mut self, space: &GridSpace, cell: Cell) -> u64 {
        let (ties, mut changed) = (self.database.config().ties, core::mem::take(&mut self.changed));
        self.passages.near(cell, |number, leg, line| {
            // Where a climb gets stuck it may go on now.
            if leg.cost.is_none() || !line.is_still_climbed(space, leg.to, ties) {
                // Numbers depend on what was before.
                changed.push((leg.link, leg.from, number));
            }
        });
        sorting::sort(&mut changed);
        changed.dedup();
        let mut count = 0;
        for (_, _, number) in changed.drain(..) {
            let Some(leg) = self.passages.take(number) else { continue };
            let path = &mut self.paths[leg.link as usize];
            match leg.cost {
                Some(cost) => path.cost -= cost,
                None => path.broken -= 1,
            }
            self.enter(space, leg);
            count += u64::from(self.settle(leg.link));
        }
        self.changed = changed;
        count
    }

    /// Retires a path or takes it back, if need be. Whether that was so.
    fn settle(&mut self, link: u32) -> bool {
        let PathState { from, broken, .. } = self.paths[link as usize];
        let is_retired = broken > 0;
        if is_retired == self.database.is_retired(link) {
            return false;
        }
        if is_retired {
            self.note_retired(link);
        } else {
            self.retired -= 1;
            let component = self.database.regions[from.index()].component;
            let chains = &self.database.chains;
            let has_others = |goal: &RegionId| chains.get(goal.index()).is_some_and(Option::is_some);
            self.stale.extend(component.regions().filter(has_others));
        }
        Arc::make_mut(&mut self.database).set_retired(link, is_retired);
        true
    }

    /// Counts a path as retired; chains that begin with it are to be found anew.
    fn note_retired(&mut self, link: u32) {
        let from = self.paths[link as usize].from;
        let component = self.database.regions[from.index()].component;
        let begins_with_it = |goal: &RegionId| self.database.next_link(from, *goal) == Some(link);
        self.stale.extend(component.regions().filter(begins_with_it));
        self.retired += 1;
    }

    /// Looks at all paths.
    fn look_at_all(&mut self, space: &GridSpace) {
        self.passages = Passages::new(space.grid(), SIDE);
        for link in 0..self.paths.len() as u32 {
            let from = self.paths[link as usize].from;
            self.paths[link as usize] = PathState { from, broken: 0, cost: 0 };
            let place = link - self.database.regions[from.index()].first_link;
            for pair in self.database.path(from, place as usize).windows(2) {
                self.enter(space, PathLeg { link, from: pair[0], to: pair[1], cost: None });
            }
            self.settle(link);
        }
    }

    /// Climbs a leg, and enters where it passes.
    fn enter(&mut self, space: &GridSpace, leg: PathLeg) {
        self.lines.clear();
        let ties = self.database.config().ties;
        let cost = ClimbLine::climb(space, (leg.from, leg.to), ties, &mut self.lines);
        self.passages.add(PathLeg { cost, ..leg }, &self.lines);
        let path = &mut self.paths[leg.link as usize];
        match cost {
            Some(cost) => path.cost += cost,
            None => path.broken += 1,
        }
    }
}
