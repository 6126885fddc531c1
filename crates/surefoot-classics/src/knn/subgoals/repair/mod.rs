//! Repair: records follow the map when cells are blocked or freed.
//!
//! The moves of all climbs are known by where they begin ([`Passages`]). An edit looks at those that begin on
//! the cell or beside it: as long as a climb still makes them, it goes where it went. Climbs that do not are
//! made again:
//! - Where one arrives by another way, the record stays.
//! - Where one does not, a state beside the cell becomes a subgoal, if climbs lead there and on from there.
//! - Else the record is retired at once, and renewed when there is time: `renewal.rs`.

mod checkpoint;
mod renewal;
#[cfg(test)]
mod tests;

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use surefoot::search::{GridPlanner, climb};
use surefoot::space::{Cell, Cost, Grid, GridSpace, Heuristic, Reachability, State, StateSpace, sorting};
use surefoot::store::container::DatabaseError;

use crate::knn::subgoals::{Record, RecordForm, SubgoalConfig, SubgoalDatabase};
use crate::regions::passages::{ClimbLine, Passages};

/// Keeps a database of subgoals right for a grid that is edited: every record that agents find in it leads
/// from climb to climb to its end.
///
/// It has what repairs need beside the database, which agents share: an index of where records pass. That
/// takes time by the length of all records to make, and eight bytes for every few cells that each of them
/// passes.
///
/// ```
/// # use std::sync::Arc;
/// # use surefoot::agent::Agent;
/// # use surefoot::store::Database;
/// use surefoot_classics::knn::{
///     KnnLrtaStar, KnnSettings, Pairs, RecordForm, SubgoalConfig, SubgoalDatabase, SubgoalRepairer,
/// };
/// # use surefoot::formats::grid_from_art;
/// # use surefoot::search::{JumpPoints, Paths, Ties};
/// # use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
/// # let grid = grid_from_art(".......\n.##.##.\n.......").unwrap();
/// # let mut space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
/// # let (form, pairs, paths) = (RecordForm::Compressed, Pairs::Random, Paths::JumpPoints);
/// # let config = SubgoalConfig { records: 20, form, ties: Ties::Far, pairs, paths, seed: 1 };
/// let database = Arc::new(SubgoalDatabase::build(&space, config, JumpPoints::new())?);
/// let mut agent = KnnLrtaStar::new(KnnSettings::default(), database.clone());
/// let mut repairer = SubgoalRepairer::new(&space, database)?;
/// // Change the map first, then tell which cells were changed, and hand the database to the agents.
/// let door = Cell::new(3, 1);
/// space.set(door, false);
/// repairer.repair(&space, [door])?;
/// repairer.renew(&space, 10)?;
/// Agent::<GridSpace>::use_database(&mut agent, &(repairer.database().clone() as Arc<dyn Database>))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubgoalRepairer {
    database: Arc<SubgoalDatabase>,
    /// The states of all records, unpacked: those of the database, and of retired ones what they were.
    records: Vec<Vec<State>>,
    /// How many states each record had when it was last given a path.
    lengths: Vec<u32>,
    /// The legs of each record by their numbers, in order; of retired records none.
    legs_of: Vec<Vec<u32>>,
    /// The legs of all records, and where they pass.
    passages: Passages<RecordLeg>,
    /// The ends of all records, in order, each with its record.
    ends: Vec<(State, u32)>,
    planner: GridPlanner,
    /// Records that wait to be renewed.
    queue: VecDeque<u32>,
    /// Retired records that no way leads along, and how many of them, from the first on, wait to be looked at
    /// since a cell was freed.
    cut_off: VecDeque<u32>,
    cut_off_waiting: usize,
    /// Whether a record is in one of the two.
    is_listed: Vec<bool>,
    /// What a move costs at least, which estimates go by: over ground of different weights an edit may change
    /// it.
    cheapest: Cost,
    /// The legs that do not go where they went: their records, places and numbers.
    changed: Vec<(u32, u32, u32)>,
    /// The pieces of a climb.
    lines: Vec<ClimbLine>,
}

/// A leg of a record that is not retired.
#[derive(Clone, Copy, Debug)]
struct RecordLeg {
    record: u32,
    to: State,
}

/// What a repair did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubgoalRepair {
    /// The legs that were climbed again, since they do not go where they went.
    pub legs: u64,
    /// Those of them that still arrive.
    pub kept: u64,
    /// The records that were given other subgoals.
    pub mended: u64,
    /// Those that were retired.
    pub retired: u64,
}

impl SubgoalRepairer {
    /// Makes the index of a database. Every record is climbed once; those that do not hold on the map as it
    /// is are retired, and renewed later.
    ///
    /// # Errors
    /// If the database was built for a map of another size, rule or costs.
    pub fn new(space: &GridSpace, database: Arc<SubgoalDatabase>) -> Result<Self, DatabaseError> {
        database.built_for().check_like(space)?;
        let mut repairer = Self::unentered(space, database);
        repairer.look_at_all(space);
        Ok(repairer)
    }

    /// The same before any record was climbed.
    fn unentered(space: &GridSpace, database: Arc<SubgoalDatabase>) -> Self {
        let records = database.len();
        let states: Vec<Vec<State>> = (0..records as u32).map(|record| database.record(record)).collect();
        Self {
            lengths: states.iter().map(|states| states.len() as u32).collect(),
            records: states,
            legs_of: vec![Vec::new(); records],
            passages: passages_for(space.grid()),
            ends: ends_of(&database),
            planner: match space.is_weighted() {
                true => GridPlanner::fastest(),
                false => GridPlanner::new(database.config().paths),
            },
            queue: VecDeque::new(),
            cut_off: VecDeque::new(),
            cut_off_waiting: 0,
            is_listed: vec![false; records],
            cheapest: space.cheapest_move(),
            changed: Vec::new(),
            lines: Vec::new(),
            database,
        }
    }

    /// The database as it is now. Agents that share an earlier one
    /// [use](surefoot::agent::Agent::use_database) this one from now on.
    #[must_use]
    pub fn database(&self) -> &Arc<SubgoalDatabase> {
        &self.database
    }

    /// Takes over that cells were blocked or freed. `space` is the grid as it is now. `changed` must name
    /// every cell that was changed since the repairer was made or last told; it may name others, and one
    /// twice.
    ///
    /// Afterwards every record that is not retired holds. It may be longer than need be: cells that were
    /// freed may have opened shorter ways elsewhere.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<SubgoalRepair, DatabaseError> {
        self.database.built_for().check_like(space)?;
        let mut report = SubgoalRepair::default();
        let mut has_freed = false;
        for cell in changed.into_iter().filter(|&cell| space.grid().contains(cell)) {
            has_freed |= space.grid().is_free(cell);
            self.repair_around(space, cell, &mut report);
        }
        if has_freed {
            self.cut_off_waiting = self.cut_off.len();
        }
        if space.cheapest_move() != self.cheapest {
            self.cheapest = space.cheapest_move();
            self.look_at_all(space);
        }
        Ok(report)
    }

    /// The records that hold, packed anew for the map as it is: a database with a file of its own.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs, or there is more than a file can hold.
    pub fn repacked(&self, space: &GridSpace) -> Result<SubgoalDatabase, DatabaseError> {
        self.database.built_for().check_like(space)?;
        let all = 0..self.database.len() as u32;
        let records = all
            .filter(|&record| !self.database.is_retired(record))
            .map(|record| Record { number: u64::from(record), states: self.database.record(record) });
        SubgoalDatabase::assemble(space, *self.database.config(), records.collect())
    }

    /// Looks at all records, and makes the index anew.
    fn look_at_all(&mut self, space: &GridSpace) {
        self.passages = passages_for(space.grid());
        self.legs_of.iter_mut().for_each(Vec::clear);
        for record in 0..self.records.len() as u32 {
            if self.database.is_retired(record) || !self.enter(space, record) {
                self.retire(record);
                self.enqueue(record);
            }
        }
    }

    /// Enters where the legs of a record pass, which has none yet. Whether all arrive, and its ends are free.
    fn enter(&mut self, space: &GridSpace, record: u32) -> bool {
        let states = &self.records[record as usize];
        let are_free = states.first().into_iter().chain(states.last()).all(|&state| space.contains(state));
        let legs = self.database.config().form.promised(states).len().saturating_sub(1);
        are_free
            && (0..legs).all(|leg| {
                let (from, to) = (self.records[record as usize][leg], self.records[record as usize][leg + 1]);
                let arrives = self.climb(space, from, to);
                if arrives {
                    let number = self.enter_lines(record, to);
                    self.legs_of[record as usize].push(number);
                }
                arrives
            })
    }

    /// Climbs, and notes the pieces of the climb. Whether it arrives.
    fn climb(&mut self, space: &GridSpace, from: State, to: State) -> bool {
        self.lines.clear();
        ClimbLine::climb(space, (from, to), self.database.config().ties, &mut self.lines).is_some()
    }

    /// Enters where the climb that was made last passes, as a leg of a record. Its number.
    fn enter_lines(&mut self, record: u32, to: State) -> u32 {
        self.passages.add(RecordLeg { record, to }, &self.lines)
    }

    fn repair_around(&mut self, space: &GridSpace, cell: Cell, report: &mut SubgoalRepair) {
        self.look_at_ends(space, cell, report);
        let (ties, mut changed) = (self.database.config().ties, core::mem::take(&mut self.changed));
        // Numbers depend on what was before: they go by their places.
        let place = |record: u32, number: u32| {
            self.legs_of[record as usize].iter().position(|&own| own == number).unwrap_or(0) as u32
        };
        self.passages.near(cell, |number, RecordLeg { record, to }, line| {
            if !line.is_still_climbed(space, to, ties) {
                changed.push((record, place(record, number), number));
            }
        });
        sorting::sort(&mut changed);
        changed.dedup();
        for (record, _, number) in changed.drain(..) {
            // One that was mended may have other legs now, and those hold.
            let leg = self.legs_of[record as usize].iter().position(|&own| own == number);
            if let Some(leg) = leg {
                self.repair_leg(space, (record, leg), cell, report);
            }
        }
        self.changed = changed;
    }

    /// Records that begin or end on a cell can be used only while it is free.
    fn look_at_ends(&mut self, space: &GridSpace, cell: Cell, report: &mut SubgoalRepair) {
        let state = space.state_of(cell);
        let is_free = space.contains(state);
        let first = self.ends.partition_point(|&(end, _)| end < state);
        let count = self.ends[first..].iter().take_while(|&&(end, _)| end == state).count();
        for at in first..first + count {
            let record = self.ends[at].1;
            match (is_free, self.database.is_retired(record)) {
                (true, true) => self.enqueue(record),
                (false, false) => {
                    self.retire(record);
                    report.retired += 1;
                }
                _ => {}
            }
        }
    }

    /// Climbs a leg again, and mends or retires its record if it does not arrive.
    fn repair_leg(
        &mut self,
        space: &GridSpace,
        (record, leg): (u32, usize),
        cell: Cell,
        report: &mut SubgoalRepair,
    ) {
        report.legs += 1;
        let states = &self.records[record as usize];
        let (from, to) = (states[leg], states[leg + 1]);
        if self.climb(space, from, to) {
            let number = self.enter_lines(record, to);
            let before = core::mem::replace(&mut self.legs_of[record as usize][leg], number);
            self.passages.take(before);
            report.kept += 1;
        } else if self.mend(space, record, leg, cell) {
            report.mended += 1;
        } else {
            self.retire(record);
            self.enqueue(record);
            report.retired += 1;
        }
    }

    /// Leads a record around a cell that is in the way of a leg. Whether that is possible.
    fn mend(&mut self, space: &GridSpace, record: u32, leg: usize, cell: Cell) -> bool {
        let Some(Detour { first, last, between }) = self.detour(space, record, leg, cell) else {
            return false;
        };
        let states = &self.records[record as usize];
        let (before, after) = (states[..=first].iter(), states[last..].iter());
        let mended: Vec<State> = before.copied().chain(between).chain(after.copied()).collect();
        let mut numbers = [None; 2];
        let mut at = mended[first];
        for (number, next) in
            numbers.iter_mut().zip(&mended[first + 1..]).take(1 + usize::from(between.is_some()))
        {
            // It arrives: that was seen before.
            self.climb(space, core::mem::replace(&mut at, *next), *next);
            *number = Some(self.enter_lines(record, *next));
        }
        for number in self.legs_of[record as usize].splice(first..last, numbers.into_iter().flatten()) {
            self.passages.take(number);
        }
        self.put(record, mended);
        true
    }

    /// How a record can go around a cell that is in the way of a leg: by a state beside it. `None` if none
    /// will do, or the record has one subgoal only.
    fn detour(&self, space: &GridSpace, record: u32, leg: usize, cell: Cell) -> Option<Detour> {
        let SubgoalConfig { form, ties, .. } = *self.database.config();
        let states = &self.records[record as usize];
        // The leg, or where its subgoals were blocked the one from the subgoal before them to the one after
        // them.
        let is_free = |&at: &usize| space.contains(states[at]);
        let first = (0..=leg).rev().find(is_free)?;
        let last = (leg + 1..states.len()).find(is_free)?;
        let (from, to) = (states[first], states[last]);
        if !form.is_way() || space.reachability(from, to) == Reachability::No {
            return None;
        }
        let arrives = |from: State, to: State| climb(space, from, to, u64::MAX, ties).end == to;
        // Nothing but the leg itself is known not to arrive.
        if (first, last) != (leg, leg + 1) && arrives(from, to) {
            return Some(Detour { first, last, between: None });
        }
        let beside = |distance| {
            let states = ring(space, cell, distance).filter(|&state| state != from && state != to);
            let mut states: Vec<(Cost, State)> = states
                .map(|state| (space.estimate(from, state) + space.estimate(state, to), state))
                .collect();
            sorting::sort(&mut states);
            states.into_iter().map(|(_, state)| state)
        };
        let leads_on = |state: &State| arrives(from, *state) && arrives(*state, to);
        let between = beside(1).find(leads_on).or_else(|| beside(2).find(leads_on))?;
        Some(Detour { first, last, between: Some(between) })
    }

    /// Gives a record other states, with which it can be used.
    fn put(&mut self, record: u32, states: Vec<State>) {
        // Many small mends make a record longer than it was: some day it is worth a new path.
        if states.len() > 2 * self.lengths[record as usize] as usize + 4 {
            self.enqueue(record);
        }
        let before = self.records[record as usize].len();
        Arc::make_mut(&mut self.database).set_record(record, &states, before);
        self.records[record as usize] = states;
    }

    fn retire(&mut self, record: u32) {
        for number in self.legs_of[record as usize].drain(..) {
            self.passages.take(number);
        }
        if !self.database.is_retired(record) {
            Arc::make_mut(&mut self.database).retire(record);
        }
    }
}

/// What takes the place of the legs between two states of a record, given by their places: a state to go
/// over, or nothing.
struct Detour {
    first: usize,
    last: usize,
    between: Option<State>,
}

impl RecordForm {
    /// Whether climbs lead all the way; else to the one subgoal only.
    fn is_way(self) -> bool {
        matches!(self, Self::Compressed | Self::Lossless | Self::Fragments)
    }

    /// Those states of a record that a climb leads to from the one before.
    pub(super) fn promised(self, states: &[State]) -> &[State] {
        let count = if self.is_way() { states.len() } else { states.len().min(2) };
        &states[..count]
    }
}

/// No passages yet. On larger maps squares are larger: paths are longer there, and have as many pieces.
fn passages_for(grid: &Grid) -> Passages<RecordLeg> {
    let side = match grid.cell_count() {
        0..=0x0010_0000 => 8,
        0x0010_0001..=0x0080_0000 => 16,
        _ => 32,
    };
    Passages::new(grid, side)
}

/// The ends of all records, in order.
fn ends_of(database: &SubgoalDatabase) -> Vec<(State, u32)> {
    let both = |record: u32| {
        let (start, end) = database.ends(record);
        [(start, record), (end, record)]
    };
    let mut ends: Vec<(State, u32)> = (0..database.len() as u32).flat_map(both).collect();
    sorting::sort(&mut ends);
    ends
}

/// The states at a distance from a cell, counted in moves over open ground.
fn ring(space: &GridSpace, cell: Cell, distance: i32) -> impl Iterator<Item = State> {
    let side = -distance..=distance;
    let all = side.clone().flat_map(move |dy| side.clone().map(move |dx| (dx, dy)));
    all.filter(move |&(dx, dy)| dx.abs().max(dy.abs()) == distance).filter_map(move |(dx, dy)| {
        let near = Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?);
        space.grid().is_free(near).then(|| space.state_of(near))
    })
}
