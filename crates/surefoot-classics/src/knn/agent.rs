//! kNN LRTA*: a database of compressed optimal paths, and LRTA* from one of their states to the next.
//!
//! "Case-based subgoaling in real-time heuristic search for video game pathfinding" (JAIR 2010): Figure 1
//! (LRTA*, with all immediate neighbours as its frontier), Figure 8 (choice of a record) and the six
//! enhancements of section 6.2. The comments cite the lines of Figure 8.
//!
//! Readings and deviations:
//! - The "first subgoal" of a record without subgoals is its last state; the state before the last one is
//!   then its first.
//! - Where the map was edited and the database was not [repaired](crate::knn::subgoals::SubgoalRepairer),
//!   records with a state that was lost are passed over; one that fails on the way is not taken again for
//!   this goal, and the agent chooses anew.
//! - Option `k`, not in the papers' algorithm but in their outlook: of the first k records that pass the
//!   checks the one with the cheapest walk is taken: the climbs at both ends as they are, the record by the
//!   heuristic. With k = 1 it is the first, as published. (Tried and left out, for it changed nothing: to
//!   take the one with the shortest climbs at its ends, as a similarity that knows of obstacles.)

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step, UselessDatabase};
use surefoot::search::{Horizon, Meter, Work, millionths_of};
use surefoot::space::{Cost, QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number};
use surefoot::store::{Database, shared_as};

use super::index::{Nearest, Similarity};
use super::metric_index::{MetricIndex, NotAMetric};
use super::subgoal_walker::SubgoalWalker;
use super::subgoals::{Cursor, SubgoalDatabase};

/// Subgoals of a record that are looked at, at most, before it is chosen.
const LOOKED_AT: u64 = 64;

/// How kNN LRTA* chooses records and walks along them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnnSettings {
    /// How many of the most similar records are checked (the fourth enhancement); all of them if nothing is
    /// said.
    pub candidates: Option<usize>,
    /// The most steps of one check.
    pub cutoff: u64,
    /// Whether to go straight for the goal if a check says that one can (the first enhancement).
    pub goal_first: bool,
    /// Whether to skip a record's first state if a check says that one can (the second).
    pub skip_start: bool,
    /// Whether to skip a record's last state if a check says that one can (the third).
    pub skip_end: bool,
    /// How far the agent goes for the goal without a record before it looks for one again, in millionths of
    /// the estimated distance (the sixth); if nothing is said it never does.
    pub quota: Option<u64>,
    /// The most records that are compared in one choice; all of them if nothing is said.
    pub probes: Option<u64>,
    /// How many records that pass the checks are weighed against each other: 1 takes the first.
    pub weighed: usize,
}

impl Default for KnnSettings {
    fn default() -> Self {
        Self {
            candidates: Some(10),
            cutoff: 250,
            goal_first: true,
            skip_start: true,
            skip_end: true,
            quota: Some(3_000_000),
            probes: None,
            weighed: 1,
        }
    }
}

/// Where the agent is heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordCourse {
    /// It has to choose.
    Undecided,
    /// For the global goal, for so much more cost before it chooses again; without an end if nothing is said.
    Goal(Option<Cost>),
    /// Along a record: for the state that the cursor stands on.
    Along(Cursor),
    /// For the last state of a record.
    End,
}

/// An agent that follows the most similar records of a database.
#[derive(Clone, Debug)]
pub struct KnnLrtaStar {
    settings: KnnSettings,
    walker: SubgoalWalker,
    /// Finds records where there are no coordinates, if there is one.
    index: Option<Arc<MetricIndex>>,
    heading: RecordCourse,
    /// The record that the agent follows, and those that turned out to lead nowhere since the map was edited.
    record: Option<u32>,
    lost: BTreeSet<u32>,
    /// Whether the last choice found no record.
    has_failed: bool,
    fallbacks: u64,
    nearest: Nearest,
}

impl KnnLrtaStar {
    /// An agent with nothing to do yet. It breaks ties as the climbs of the database do.
    #[must_use]
    pub fn new(settings: KnnSettings, database: Arc<SubgoalDatabase>) -> Self {
        let walker = SubgoalWalker::new(database, Horizon::Plies(1), settings.cutoff);
        Self {
            settings,
            walker,
            index: None,
            heading: RecordCourse::Undecided,
            record: None,
            lost: BTreeSet::new(),
            has_failed: false,
            fallbacks: 0,
            nearest: Nearest::new(),
        }
    }

    /// Finds records by an index over the heuristic: for worlds other than grids, where all records are
    /// looked at otherwise. It finds the same ones. Copies of the agent share it.
    ///
    /// # Errors
    /// If the heuristic is seen not to be a metric. It must be one: the same in both directions, and no
    /// estimate longer than two that lead over a third state.
    pub fn with_metric_index(mut self, world: &impl World) -> Result<Self, NotAMetric> {
        self.index = Some(Arc::new(MetricIndex::new(world, &self.walker.database, Similarity::Maximum)?));
        Ok(self)
    }

    /// Sends LRTA* to a state of a record, or on to the goal; on a map that was edited it may be none any
    /// more.
    fn turn_to<W: World>(&mut self, world: &W, heading: RecordCourse, target: State, meter: &mut Meter) {
        self.heading = heading;
        if !self.walker.head_for(world, target, meter) {
            self.give_up_record();
        }
    }

    /// Nothing is chosen, nothing has failed.
    fn forget(&mut self) {
        (self.heading, self.record, self.has_failed) = (RecordCourse::Undecided, None, false);
        self.lost.clear();
    }

    /// What the agent follows leads nowhere any more: it has to choose anew, and not this one.
    fn give_up_record(&mut self) {
        self.lost.extend(self.record.take());
        self.fallbacks += 1;
        self.heading = RecordCourse::Undecided;
    }

    fn go_for_the_goal<W: World>(&mut self, world: &W, quota: Option<Cost>, meter: &mut Meter) {
        (self.heading, self.record) = (RecordCourse::Goal(quota), None);
        // The goal is a state: the errand was checked.
        self.walker.head_for(world, self.walker.errand.goal, meter);
    }

    /// Figure 8, with the first, second, fourth, fifth and sixth enhancement.
    fn choose<W: World>(&mut self, world: &W, meter: &mut Meter) {
        let Errand { position, goal, .. } = self.walker.errand;
        if self.settings.goal_first && self.walker.reaches(world, position, goal, meter) {
            self.has_failed = false;
            return self.go_for_the_goal(world, None, meter);
        }
        let Some(record) = self.usable_record(world, meter) else {
            // Line 9: the global goal, at first for a while only.
            self.fallbacks += 1;
            let quota = self.settings.quota.filter(|_| !self.has_failed);
            let quota = quota.map(|factor| millionths_of(world.estimate(position, goal), factor));
            self.has_failed = true;
            return self.go_for_the_goal(world, quota, meter);
        };
        self.has_failed = false;
        self.record = Some(record);
        let start = self.walker.database.walk(record);
        let mut next = start;
        let subgoal = self.walker.database.next_subgoal(&mut next);
        if self.settings.skip_start
            && self.walker.reaches(world, position, subgoal.unwrap_or(start.last()), meter)
        {
            match subgoal {
                Some(subgoal) => self.turn_to(world, RecordCourse::Along(next), subgoal, meter),
                None => self.turn_to(world, RecordCourse::End, start.last(), meter),
            }
        } else {
            self.turn_to(world, RecordCourse::Along(start), start.at(), meter);
        }
    }

    /// Lines 1 to 8: the most similar record whose ends pass the checks.
    fn usable_record<W: World>(&mut self, world: &W, meter: &mut Meter) -> Option<u32> {
        let Errand { position, goal, .. } = self.walker.errand;
        let wanted = (self.settings.candidates.unwrap_or(usize::MAX), self.settings.probes);
        let ends = (position, goal);
        match &self.index {
            Some(index) => {
                index.find_nearest(world, &self.walker.database, ends, wanted, &mut self.nearest, meter);
            }
            None => {
                let similarity = Similarity::Maximum;
                self.walker.database.find_nearest(world, ends, similarity, wanted, &mut self.nearest, meter);
            }
        }
        let mut best: Option<(Cost, u32)> = None;
        let mut passed = 0;
        for &(_, record) in self.nearest.records() {
            let (start, end) = self.walker.database.ends(record);
            if self.lost.contains(&record) {
                continue;
            }
            // Line 4, in the direction of travel.
            let Some(to_start) = self.walker.climb(world, position, start, meter) else { continue };
            let Some(from_end) = self.walker.climb(world, end, goal, meter) else { continue };
            let Some(along) = self.walk_along(world, record, meter) else { continue };
            if self.settings.weighed <= 1 {
                return Some(record);
            }
            let walk = to_start + along + from_end;
            if best.is_none_or(|(cheapest, _)| walk < cheapest) {
                best = Some((walk, record));
            }
            passed += 1;
            if passed == self.settings.weighed {
                break;
            }
        }
        best.map(|(_, record)| record)
    }

    /// What a record costs by the heuristic; of very long ones the rest counts as one leg. `None` if a state
    /// of it was lost when the map was edited.
    fn walk_along<W: World>(&self, world: &W, record: u32, meter: &mut Meter) -> Option<Cost> {
        let mut cursor = self.walker.database.walk(record);
        let mut total = 0;
        for _ in 0..LOOKED_AT {
            let at = cursor.at();
            meter.charge_probes(1);
            let Some(next) = self.walker.database.next_subgoal(&mut cursor) else { break };
            if !world.contains(next) {
                return None;
            }
            total += world.estimate(at, next);
        }
        Some(total + world.estimate(cursor.at(), cursor.last()))
    }

    /// What to head for next, where the agent stands on its target.
    fn go_on<W: World>(&mut self, world: &W, meter: &mut Meter) {
        match self.heading {
            // The agent stands on its goal: it has arrived.
            RecordCourse::Undecided | RecordCourse::Goal(_) => {}
            RecordCourse::End => {
                self.turn_to(world, RecordCourse::Goal(None), self.walker.errand.goal, meter);
            }
            RecordCourse::Along(mut cursor) => {
                let goal = self.walker.errand.goal;
                if let Some(subgoal) = self.walker.database.next_subgoal(&mut cursor) {
                    self.turn_to(world, RecordCourse::Along(cursor), subgoal, meter);
                } else if self.settings.skip_end
                    && self.walker.reaches(world, self.walker.errand.position, goal, meter)
                {
                    // The third enhancement: from the last subgoal straight to the goal.
                    self.turn_to(world, RecordCourse::Goal(None), goal, meter);
                } else {
                    self.turn_to(world, RecordCourse::End, cursor.last(), meter);
                }
            }
        }
    }
}

impl<W: World> Agent<W> for KnnLrtaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.walker.begin(world, start, goal)?;
        self.forget();
        self.fallbacks = 0;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.walker.set_goal(world, goal)?;
        self.forget();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.walker.errand.foregone(world) {
            return step;
        }
        if self.heading == RecordCourse::Undecided || self.heading == RecordCourse::Goal(Some(0)) {
            self.choose(world, meter);
        }
        // From a state of the record to the next one, and from its last one to the goal: each differs from
        // the one before unless the record's first state is where the agent stands, or its last state is the
        // goal.
        for _ in 0..3 {
            let has_chosen = self.heading != RecordCourse::Undecided;
            if has_chosen && self.walker.errand.position == self.walker.target() {
                self.go_on(world, meter);
            }
        }
        if self.heading == RecordCourse::Undecided {
            return Step::Waiting;
        }
        let before = self.walker.errand.position;
        match self.walker.advance(world, meter) {
            Step::Moved(next) => {
                if let RecordCourse::Goal(Some(left)) = &mut self.heading {
                    *left = left.saturating_sub(cost_of_move(world, before, next));
                }
                Step::Moved(next)
            }
            // LRTA* knows no way to the goal: nor does this agent.
            step if matches!(self.heading, RecordCourse::Goal(_)) => step,
            _ => {
                self.give_up_record();
                Step::Waiting
            }
        }
    }

    fn position(&self) -> State {
        self.walker.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.walker.plan()
    }

    fn bound(&self) -> Option<Work> {
        let records = self.walker.database.len() as u64;
        let compared = self.settings.probes.map_or(records, |most| most.min(records));
        let candidates = self.settings.candidates.map_or(records, |most| (most as u64).min(records));
        // Both ends of each candidate, the goal first, the first subgoal, and the goal from the last one.
        let climb_steps = (2 * candidates + 3).saturating_mul(self.walker.cutoff());
        let probes = compared.saturating_add(candidates.saturating_mul(LOOKED_AT));
        let expansions = self.walker.expansions::<W>();
        Some(Work::of_expansions(expansions).with_climb_steps(climb_steps).with_probes(probes))
    }

    fn memory(&self) -> Memory {
        self.walker.memory::<W>()
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// An agent on its way along a record stays there if the leg that it is on is the same in both; else it
    /// chooses anew.
    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let database = &shared_as(database).ok_or(UselessDatabase)?;
        let before = Arc::clone(&self.walker.database);
        self.walker.use_database(database)?;
        if !before.has_same_bytes(database) {
            self.index = None;
        }
        let goes_on = match (self.heading, self.record) {
            (RecordCourse::Along(cursor), _) => database.resumed(&before, cursor).map(RecordCourse::Along),
            (RecordCourse::End, Some(record)) => {
                database.has_same_end(&before, record).then_some(RecordCourse::End)
            }
            (heading, _) => Some(heading),
        };
        match goes_on {
            Some(heading) => self.heading = heading,
            None => (self.heading, self.record) = (RecordCourse::Undecided, None),
        }
        self.lost.clear();
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.walker.save(out);
        match self.heading {
            RecordCourse::Undecided => put_number(out, 0),
            RecordCourse::Goal(None) => put_number(out, 1),
            RecordCourse::Goal(Some(left)) => {
                put_number(out, 2);
                put_number(out, left);
            }
            RecordCourse::Along(cursor) => {
                let (record, passed) = cursor.place();
                put_number(out, 3);
                put_number(out, u64::from(record));
                put_number(out, u64::from(passed));
            }
            RecordCourse::End => put_number(out, 4),
        }
        put_number(out, self.record.map_or(0, |record| u64::from(record) + 1));
        put_number(out, self.lost.len() as u64);
        self.lost.iter().for_each(|&record| put_number(out, u64::from(record)));
        put_number(out, u64::from(self.has_failed));
        put_number(out, self.fallbacks);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let walker = self.walker.restored(world, saved)?;
        let heading = match saved.number()? {
            0 => RecordCourse::Undecided,
            1 => RecordCourse::Goal(None),
            2 => RecordCourse::Goal(Some(saved.number()?)),
            3 => {
                let (record, passed) = (saved.number()?, saved.number()?);
                let cursor = self.walker.database.cursor_at(record, passed);
                RecordCourse::Along(
                    cursor.ok_or_else(|| saved.malformed("there is no such place in the database"))?,
                )
            }
            4 => RecordCourse::End,
            _ => return Err(saved.malformed("there is no such heading")),
        };
        let records = self.walker.database.len() as u64;
        let record = saved
            .number_up_to(records, "there is no such record")?
            .checked_sub(1)
            .map(|record| record as u32);
        let mut lost = BTreeSet::new();
        for _ in 0..saved.count(1)? {
            let record = saved.number_up_to(records.saturating_sub(1), "there is no such record")? as u32;
            if lost.last().is_some_and(|&last| last >= record) || records == 0 {
                return Err(saved.malformed("records are not in order"));
            }
            lost.insert(record);
        }
        let has_failed = saved.number_up_to(1, "expected 0 or 1")? == 1;
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        (self.walker, self.heading, self.record, self.lost) = (walker, heading, record, lost);
        (self.has_failed, self.fallbacks) = (has_failed, fallbacks);
        Ok(())
    }
}

/// What the move that was made cost.
fn cost_of_move(world: &impl World, from: State, to: State) -> Cost {
    let mut cheapest = Cost::MAX;
    world.for_each_successor(from, |state, cost| {
        if state == to {
            cheapest = cheapest.min(cost);
        }
    });
    cheapest
}
