//! Repair: records follow the map when cells are blocked or freed.
//!
//! A climb looks at the moves of every state that it comes to, and a cell has a say in the moves of its eight neighbours. So an edit changes a
//! record only where one of its climbs comes to the cell or next to it, and on the edited map it still comes there. Those
//! records are found by an index of the squares that climbs pass, and climbed again:
//! - Where all climbs arrive, by whatever way, the record stays.
//! - Where one does not, a state beside the cell becomes a subgoal, if climbs lead there and on from there.
//! - Else the record is retired at once, and renewed from an exact path when there is time.

use alloc::collections::VecDeque;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::places::{Entry, Places};
use super::{Record, RecordForm, SubgoalConfig, SubgoalDatabase};
use crate::database::builder::cut_down;
use crate::database::container::{BuiltFor, DatabaseError};
use crate::search::{GridPlanner, Planner, Ties, climb, climb_run};
use crate::space::{Cell, Cost, Direction, GridSpace, Heuristic, Reachability, State, StateSpace};

/// So many records are looked at for each that may be renewed: to see that a way is still closed takes far less than to find one.
const LOOKS: usize = 64;

/// Keeps a database of subgoals right for a grid that is edited: every record that agents find in it leads from climb to climb to its end.
///
/// It has what repairs need beside the database, which agents share: an index of where records pass. That takes time by the length of
/// all records to make, and some bytes for every few cells that each of them passes.
///
/// ```
/// # use std::sync::Arc;
/// # use surefoot::agents::{Agent, KnnLrtaStar, KnnSettings};
/// # use surefoot::database::{Database, Pairs, RecordForm, SubgoalConfig, SubgoalDatabase, SubgoalRepairer};
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
/// Agent::<GridSpace>::use_database(&mut agent, &Database::Subgoals(repairer.database().clone()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubgoalRepairer {
    database: Arc<SubgoalDatabase>,
    /// The states of all records, unpacked: those of the database, and of retired ones what they were.
    records: Vec<Vec<State>>,
    /// For each leg of each record what tells its climb from others, as it was entered last.
    ways: Vec<Vec<u64>>,
    places: Places,
    planner: GridPlanner,
    /// Records that wait to be renewed, and whether each record does.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// Retired records that no way leads along: they are looked at again when cells were freed.
    cut_off: Vec<u32>,
    /// What a move costs at least, which estimates go by: over ground of different weights an edit may change it.
    cheapest: Cost,
    /// The legs around a cell, and the pieces of one that comes near.
    found: Vec<Entry>,
    lines: Vec<Line>,
}

/// What a repair did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubgoalRepair {
    /// The legs that were climbed again.
    pub legs: u64,
    /// Those that come to a changed cell or next to it, and still arrive.
    pub kept: u64,
    /// The records that were given other subgoals.
    pub mended: u64,
    /// Those that were retired.
    pub retired: u64,
}

impl SubgoalRepairer {
    /// Makes the index of a database. Every record is climbed once; those that do not hold on the map as it is are retired, and renewed later.
    ///
    /// # Errors
    /// If the database was built for a map of another size, rule or costs.
    pub fn new(space: &GridSpace, database: Arc<SubgoalDatabase>) -> Result<Self, DatabaseError> {
        check(space, &database)?;
        let records = database.len();
        let mut repairer = Self {
            records: (0..records as u32).map(|record| database.record(record)).collect(),
            ways: vec![Vec::new(); records],
            places: Places::new(space.grid()),
            planner: GridPlanner::new(database.config().paths),
            queue: VecDeque::new(),
            is_queued: vec![false; records],
            cut_off: Vec::new(),
            cheapest: space.cheapest_move(),
            found: Vec::new(),
            lines: Vec::new(),
            database,
        };
        if space.is_weighted() {
            repairer.planner = GridPlanner::fastest();
        }
        repairer.look_at_all(space);
        Ok(repairer)
    }

    /// The database as it is now. Agents that share an earlier one [use](crate::agents::Agent::use_database) this one from now on.
    #[must_use]
    pub fn database(&self) -> &Arc<SubgoalDatabase> {
        &self.database
    }

    /// How many records wait to be [renewed](Self::renew).
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Takes over that cells were blocked or freed. `space` is the grid as it is now. `changed` must name every cell that was changed since
    /// the repairer was made or last told; it may name others, and one twice.
    ///
    /// Afterwards every record that is not retired holds. It may be longer than need be: cells that were freed may have opened shorter
    /// ways elsewhere.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<SubgoalRepair, DatabaseError> {
        check(space, &self.database)?;
        let mut report = SubgoalRepair::default();
        let mut has_freed = false;
        for cell in changed.into_iter().filter(|&cell| space.grid().contains(cell)) {
            has_freed |= space.grid().is_free(cell);
            self.repair_around(space, cell, &mut report);
        }
        if has_freed {
            for record in core::mem::take(&mut self.cut_off) {
                self.enqueue(record);
            }
        }
        if space.cheapest_move() != self.cheapest || self.places.has_outgrown() {
            self.cheapest = space.cheapest_move();
            self.look_at_all(space);
        }
        Ok(report)
    }

    /// Renews records that wait for it, with at most `most` searches for exact paths. How many were renewed.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs. Then nothing has changed.
    pub fn renew(&mut self, space: &GridSpace, most: usize) -> Result<usize, DatabaseError> {
        check(space, &self.database)?;
        let (mut searches, mut renewed) = (0, 0);
        for _ in 0..self.queue.len().min(most.saturating_mul(LOOKS)) {
            if searches == most {
                break;
            }
            let Some(record) = self.queue.pop_front() else { break };
            self.is_queued[record as usize] = false;
            let (start, end) = self.database.ends(record);
            // A blocked end is looked at again when its cell is freed.
            if !space.contains(start) || !space.contains(end) {
                self.retire(record);
                continue;
            }
            if space.reachability(start, end) == Reachability::No {
                self.retire(record);
                self.cut_off.push(record);
                continue;
            }
            searches += 1;
            let path = self.planner.plan(space, start, end).ok().and_then(|answer| answer.path);
            // Some forms have no record for some paths.
            match path.and_then(|path| cut_down(space, self.database.config(), &path)) {
                Some(states) => {
                    self.put(record, states);
                    self.enter(space, record);
                    renewed += 1;
                }
                None => self.retire(record),
            }
        }
        Ok(renewed)
    }

    /// The records that hold, packed anew for the map as it is: a database with a file of its own.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs, or there is more than a file can hold.
    pub fn repacked(&self, space: &GridSpace) -> Result<SubgoalDatabase, DatabaseError> {
        check(space, &self.database)?;
        let all = 0..self.database.len() as u32;
        let records = all
            .filter(|&record| !self.database.is_retired(record))
            .map(|record| Record { number: u64::from(record), states: self.database.record(record) });
        SubgoalDatabase::assemble(space, *self.database.config(), records.collect())
    }

    /// Looks at all records, and makes the index anew.
    fn look_at_all(&mut self, space: &GridSpace) {
        self.places = Places::new(space.grid());
        for record in 0..self.records.len() as u32 {
            if !self.enter(space, record) || self.database.is_retired(record) {
                self.retire(record);
                self.enqueue(record);
            }
        }
        self.places.settle();
    }

    /// Enters the climbs of a record, and its ends: when one of them is blocked or freed, it is looked at whatever its climbs do. Whether
    /// all arrive.
    fn enter(&mut self, space: &GridSpace, record: u32) -> bool {
        let ties = self.database.config().ties;
        let states = &self.records[record as usize];
        for &state in states.first().into_iter().chain(states.last()) {
            self.places.add((record, state), space.cell(state), Direction::East, 0);
        }
        let ways = &mut self.ways[record as usize];
        ways.clear();
        for leg in self.database.config().form.promised(states).windows(2) {
            ways.push(enter_leg(&mut self.places, space, record, leg, ties).unwrap_or(0));
        }
        !ways.contains(&0)
    }

    fn repair_around(&mut self, space: &GridSpace, cell: Cell, report: &mut SubgoalRepair) {
        let mut found = core::mem::take(&mut self.found);
        self.places.around(space.grid(), cell, |entry| found.push(entry));
        // A leg may pass several squares around the cell. The order makes no difference but that it is always the same.
        found.sort_unstable();
        found.dedup();
        for (record, from) in found.drain(..) {
            if self.database.is_retired(record) {
                let (start, end) = self.database.ends(record);
                // A cell that was blocked helps none.
                if space.grid().is_free(cell) && space.contains(start) && space.contains(end) {
                    self.enqueue(record);
                }
                continue;
            }
            // A state that the record does not have any more is none of its legs. One that it comes to twice begins two.
            let mut leg = 0;
            while !self.database.is_retired(record) {
                let mut rest = self.records[record as usize].iter().copied().skip(leg);
                let Some(steps) = rest.position(|state| state == from) else { break };
                let mended = report.mended;
                self.repair_leg(space, (record, leg + steps), cell, report);
                // One that was mended has other legs, and those hold.
                leg = if report.mended > mended { 0 } else { leg + steps + 1 };
            }
        }
        self.found = found;
    }

    /// Climbs a leg again, and mends or retires its record if it does not hold. The last state begins none, but may be blocked.
    fn repair_leg(
        &mut self,
        space: &GridSpace,
        (record, leg): (u32, usize),
        cell: Cell,
        report: &mut SubgoalRepair,
    ) {
        let states = &self.records[record as usize];
        let is_sound = if leg + 1 < self.database.config().form.promised(states).len() {
            report.legs += 1;
            self.look(space, record, leg, cell)
        } else {
            space.contains(states[leg]).then_some(false)
        };
        match is_sound {
            Some(comes_near) => report.kept += u64::from(comes_near),
            None if self.mend(space, record, leg, cell) => report.mended += 1,
            None => {
                self.retire(record);
                self.enqueue(record);
                report.retired += 1;
            }
        }
    }

    /// Climbs a leg again. Whether it comes near a cell, and then where it goes on from there is entered; nothing if it does, and does not
    /// arrive.
    fn look(&mut self, space: &GridSpace, record: u32, leg: usize, cell: Cell) -> Option<bool> {
        let ties = self.database.config().ties;
        let (from, to) = (self.records[record as usize][leg], self.records[record as usize][leg + 1]);
        // Estimates fall along a climb: below this one it has passed the cell.
        let passed = space.estimate(space.state(cell), to).saturating_sub(2 * space.cheapest_move());
        let is_at_start = is_near(cell, space.cell(from), (0, 0), 0);
        let mut near = is_at_start.then_some(0);
        self.lines.clear();
        let mut at = from;
        while at != to {
            let Some(line) = Line::next(space, at, to, ties) else { break };
            if near.is_none() && is_near(cell, line.from, line.direction.delta(), line.steps) {
                near = Some(self.lines.len());
            }
            self.lines.push(line);
            at = line.end(space);
            if near.is_none() && space.estimate(at, to) < passed {
                return Some(false);
            }
        }
        let Some(near) = near else { return Some(false) };
        if at != to {
            return None;
        }
        let way = self.lines.iter().fold(1, |way, line| line.added_to(way));
        // Mostly the cell is beside the way and changes nothing.
        if core::mem::replace(&mut self.ways[record as usize][leg], way) != way {
            for line in &self.lines[near..] {
                self.places.add((record, from), line.from, line.direction, line.steps);
            }
        }
        Some(true)
    }

    /// Leads a record around a cell that is in the way of a leg, by a state beside it; not if none will do, or the record has one subgoal only.
    fn mend(&mut self, space: &GridSpace, record: u32, leg: usize, cell: Cell) -> bool {
        let SubgoalConfig { form, ties, .. } = *self.database.config();
        let states = &self.records[record as usize];
        // The leg, or where its subgoals were blocked the one from the subgoal before them to the one after them.
        let is_free = |&at: &usize| space.contains(states[at]);
        let (Some(first), Some(last)) =
            ((0..=leg).rev().find(is_free), (leg + 1..states.len()).find(is_free))
        else {
            return false;
        };
        let (from, to) = (states[first], states[last]);
        if !form.is_way() || space.reachability(from, to) == Reachability::No {
            return false;
        }
        let arrives = |from: State, to: State| climb(space, from, to, u64::MAX, ties).end == to;
        let mut between = None;
        if !arrives(from, to) {
            let beside = |distance| {
                let states = ring(space, cell, distance).filter(|&state| state != from && state != to);
                let mut states: Vec<(Cost, State)> = states
                    .map(|state| (space.estimate(from, state) + space.estimate(state, to), state))
                    .collect();
                states.sort_unstable();
                states.into_iter().map(|(_, state)| state)
            };
            let leads_on = |state: &State| arrives(from, *state) && arrives(*state, to);
            between = beside(1).find(leads_on).or_else(|| beside(2).find(leads_on));
            if between.is_none() {
                return false;
            }
        }
        let mut mended = Vec::with_capacity(states.len() + 1);
        mended.extend_from_slice(&states[..=first]);
        mended.extend(between);
        mended.extend_from_slice(&states[last..]);
        let legs = mended[first..].windows(2).take(1 + usize::from(between.is_some()));
        let places = &mut self.places;
        let ways: Vec<u64> =
            legs.map(|leg| enter_leg(places, space, record, leg, ties).unwrap_or(0)).collect();
        self.ways[record as usize].splice(first..last, ways);
        // Many small mends make a record longer than it was: some day it is worth a new path.
        if mended.len() > 2 * self.database.packed_length(record) + 4 {
            self.enqueue(record);
        }
        self.put(record, mended);
        true
    }

    /// Gives a record other states, with which it can be used.
    fn put(&mut self, record: u32, states: Vec<State>) {
        Arc::make_mut(&mut self.database).set_record(record, &states);
        self.records[record as usize] = states;
    }

    fn retire(&mut self, record: u32) {
        if !self.database.is_retired(record) {
            Arc::make_mut(&mut self.database).retire(record);
        }
    }

    fn enqueue(&mut self, record: u32) {
        if !core::mem::replace(&mut self.is_queued[record as usize], true) {
            self.queue.push_back(record);
        }
    }
}

impl RecordForm {
    /// Whether climbs lead all the way; else to the one subgoal only.
    fn is_way(self) -> bool {
        matches!(self, Self::Compressed | Self::Lossless)
    }

    /// Those states of a record that a climb leads to from the one before.
    pub(super) fn promised(self, states: &[State]) -> &[State] {
        let count = if self.is_way() { states.len() } else { states.len().min(2) };
        &states[..count]
    }
}

fn check(space: &GridSpace, database: &SubgoalDatabase) -> Result<(), DatabaseError> {
    let built_for = database.built_for();
    if built_for.is_like(space) {
        return Ok(());
    }
    let (expected, found) = (BuiltFor::of(space).to_string(), built_for.to_string());
    Err(DatabaseError::OtherWorld { expected, found })
}

/// Enters where a leg passes. What tells its climb from others; nothing if it does not arrive.
fn enter_leg(places: &mut Places, space: &GridSpace, record: u32, leg: &[State], ties: Ties) -> Option<u64> {
    let (mut at, mut way) = (leg[0], 1);
    while at != leg[1] {
        let line = Line::next(space, at, leg[1], ties)?;
        places.add((record, leg[0]), line.from, line.direction, line.steps);
        way = line.added_to(way);
        at = line.end(space);
    }
    Some(way)
}

/// A straight piece of a climb.
#[derive(Clone, Copy, Debug)]
struct Line {
    from: Cell,
    direction: Direction,
    steps: u32,
}

impl Line {
    /// The next piece of a climb; nothing if it does not go on.
    fn next(space: &GridSpace, at: State, to: State, ties: Ties) -> Option<Self> {
        let (direction, steps) = climb_run(space, at, to, ties)?;
        Some(Self { from: space.cell(at), direction, steps })
    }

    /// What tells a climb from others with this line after the others; never 0.
    fn added_to(&self, way: u64) -> u64 {
        let line = u64::from(self.from.x) << 34 | u64::from(self.from.y) << 4 | self.direction as u64;
        (way.rotate_left(23) ^ line).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    fn end(&self, space: &GridSpace) -> State {
        let (dx, dy) = self.direction.delta();
        let along = |at: u32, delta: i32| at.wrapping_add_signed(delta * self.steps as i32);
        space.state(Cell::new(along(self.from.x, dx), along(self.from.y, dy)))
    }
}

/// Whether a line of so many steps comes to a cell or next to it.
fn is_near(cell: Cell, from: Cell, (dx, dy): (i32, i32), steps: u32) -> bool {
    let steps = i64::from(steps);
    // The steps after which a coordinate is at most 1 away.
    let range = |from: u32, to: u32, delta: i32| {
        let away = i64::from(to) - i64::from(from);
        match delta {
            0 if away.abs() <= 1 => (0, steps),
            0 => (1, 0),
            _ => {
                let middle = away * i64::from(delta);
                (middle - 1, middle + 1)
            }
        }
    };
    let (x, y) = (range(from.x, cell.x, dx), range(from.y, cell.y, dy));
    x.0.max(y.0).max(0) <= x.1.min(y.1).min(steps)
}

/// The states at a distance from a cell, counted in moves over open ground.
fn ring(space: &GridSpace, cell: Cell, distance: i32) -> impl Iterator<Item = State> {
    let side = -distance..=distance;
    let all = side.clone().flat_map(move |dy| side.clone().map(move |dx| (dx, dy)));
    all.filter(move |&(dx, dy)| dx.abs().max(dy.abs()) == distance).filter_map(move |(dx, dy)| {
        let near = Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?);
        space.grid().is_free(near).then(|| space.state(near))
    })
}
