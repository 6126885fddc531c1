//! kNN LRTA*: a database of compressed optimal paths, and LRTA* from one of their states to the next.
//!
//! "Case-based subgoaling in real-time heuristic search for video game pathfinding" (JAIR 2010): Figure 1 (LRTA*, with all
//! immediate neighbours as its frontier), Figure 8 (choice of a record) and the six enhancements of section 6.2. The
//! comments cite the lines of Figure 8.
//!
//! Readings and deviations:
//! - The "first subgoal" of a record without subgoals is its last state; the state before the last one is then its first.
//! - Where the map was edited and a state of the record cannot be reached any more, the agent chooses anew.
//! - Option `k`, not in the papers' algorithm but in their outlook: of the first k records that pass the checks the one
//!   with the cheapest walk is taken: the climbs at both ends as they are, the record by the heuristic. With k = 1 it is the
//!   first, as published. (Tried and left out, for it changed nothing: to take the one with the shortest climbs at its ends, as
//!   a similarity that knows of obstacles.)

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::subgoal_walker::SubgoalWalker;
use super::{Agent, Errand, Memory, Step};
use crate::codec::{CodecError, Reader, put_number};
use crate::database::{Cursor, MetricIndex, Nearest, Similarity, SubgoalDatabase};
use crate::search::{Budget, Horizon, Work, millionths_of};
use crate::space::{Cost, QueryError, State, World};

/// Subgoals of a record that are weighed at most when records are compared by their walks.
const WEIGHED: u64 = 64;

/// How kNN LRTA* chooses records and walks along them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnnSettings {
    /// How many of the most similar records are checked (the fourth enhancement); all of them if nothing is said.
    pub candidates: Option<usize>,
    /// The most steps of one check.
    pub cutoff: u64,
    /// Whether to go straight for the goal if a check says that one can (the first enhancement).
    pub goal_first: bool,
    /// Whether to skip a record's first state if a check says that one can (the second).
    pub skip_start: bool,
    /// Whether to skip a record's last state if a check says that one can (the third).
    pub skip_end: bool,
    /// How far the agent goes for the goal without a record before it looks for one again, in millionths of the
    /// estimated distance (the sixth); if nothing is said it never does.
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
enum Heading {
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
    heading: Heading,
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
            heading: Heading::Undecided,
            has_failed: false,
            fallbacks: 0,
            nearest: Nearest::new(),
        }
    }

    /// Finds records by an index over the heuristic, made for this database and [`Similarity::Maximum`]: for worlds other than
    /// grids, where all records are looked at otherwise.
    #[must_use]
    pub fn with_index(mut self, index: Arc<MetricIndex>) -> Self {
        self.index = Some(index);
        self
    }

    /// Sends LRTA* to a state; on a map that was edited it may be none any more.
    fn turn_to<W: World>(&mut self, world: &W, heading: Heading, target: State, budget: &mut Budget) {
        self.heading = heading;
        if !self.walker.head_for(world, target, budget) {
            self.go_for_the_goal(world, None, budget);
        }
    }

    fn go_for_the_goal<W: World>(&mut self, world: &W, quota: Option<Cost>, budget: &mut Budget) {
        self.heading = Heading::Goal(quota);
        // The goal is a state: the errand was checked.
        self.walker.head_for(world, self.walker.errand.goal, budget);
    }

    /// Figure 8, with the first, second, fourth, fifth and sixth enhancement.
    fn choose<W: World>(&mut self, world: &W, budget: &mut Budget) {
        let Errand { position, goal, .. } = self.walker.errand;
        if self.settings.goal_first && self.walker.reaches(world, position, goal, budget) {
            self.has_failed = false;
            return self.go_for_the_goal(world, None, budget);
        }
        let Some(record) = self.usable_record(world, budget) else {
            // Line 9: the global goal, at first for a while only.
            self.fallbacks += 1;
            let quota = self.settings.quota.filter(|_| !self.has_failed);
            let quota = quota.map(|factor| millionths_of(world.estimate(position, goal), factor));
            self.has_failed = true;
            return self.go_for_the_goal(world, quota, budget);
        };
        self.has_failed = false;
        let start = self.walker.database.walk(record);
        let mut next = start;
        let subgoal = self.walker.database.next_subgoal(&mut next);
        if self.settings.skip_start
            && self.walker.reaches(world, position, subgoal.unwrap_or(start.last()), budget)
        {
            match subgoal {
                Some(subgoal) => self.turn_to(world, Heading::Along(next), subgoal, budget),
                None => self.turn_to(world, Heading::End, start.last(), budget),
            }
        } else {
            self.turn_to(world, Heading::Along(start), start.at(), budget);
        }
    }

    /// Lines 1 to 8: the most similar record whose ends pass the checks.
    fn usable_record<W: World>(&mut self, world: &W, budget: &mut Budget) -> Option<u32> {
        let Errand { position, goal, .. } = self.walker.errand;
        let wanted = (self.settings.candidates.unwrap_or(usize::MAX), self.settings.probes);
        let ends = (position, goal);
        match &self.index {
            Some(index) => {
                index.find_nearest(world, &self.walker.database, ends, wanted, &mut self.nearest, budget);
            }
            None => {
                let similarity = Similarity::Maximum;
                self.walker.database.find_nearest(world, ends, similarity, wanted, &mut self.nearest, budget);
            }
        }
        let mut best: Option<(Cost, u32)> = None;
        let mut passed = 0;
        for &(_, record) in self.nearest.records() {
            let (start, end) = self.walker.database.ends(record);
            // Line 4, in the direction of travel. On a map that was edited a state may have been lost.
            if !world.contains(end) {
                continue;
            }
            let Some(to_start) = self.walker.climb(world, position, start, budget) else { continue };
            let Some(from_end) = self.walker.climb(world, end, goal, budget) else { continue };
            if self.settings.weighed <= 1 {
                return Some(record);
            }
            let walk = to_start + self.walk_along(world, record, budget) + from_end;
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

    /// What a record costs by the heuristic; of very long ones the rest counts as one leg.
    fn walk_along<W: World>(&self, world: &W, record: u32, budget: &mut Budget) -> Cost {
        let mut cursor = self.walker.database.walk(record);
        let mut total = 0;
        for _ in 0..WEIGHED {
            let at = cursor.at();
            budget.charge_probes(1);
            match self.walker.database.next_subgoal(&mut cursor) {
                Some(next) => total += world.estimate(at, next),
                None => break,
            }
        }
        total + world.estimate(cursor.at(), cursor.last())
    }

    /// What to head for next, where the agent stands on its target.
    fn go_on<W: World>(&mut self, world: &W, budget: &mut Budget) {
        match self.heading {
            Heading::Undecided | Heading::Goal(_) => self.choose(world, budget),
            Heading::End => self.turn_to(world, Heading::Goal(None), self.walker.errand.goal, budget),
            Heading::Along(mut cursor) => {
                let goal = self.walker.errand.goal;
                if let Some(subgoal) = self.walker.database.next_subgoal(&mut cursor) {
                    self.turn_to(world, Heading::Along(cursor), subgoal, budget);
                } else if self.settings.skip_end
                    && self.walker.reaches(world, self.walker.errand.position, goal, budget)
                {
                    // The third enhancement: from the last subgoal straight to the goal.
                    self.turn_to(world, Heading::Goal(None), goal, budget);
                } else {
                    self.turn_to(world, Heading::End, cursor.last(), budget);
                }
            }
        }
    }
}

impl<W: World> Agent<W> for KnnLrtaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.walker.begin(world, start, goal)?;
        self.heading = Heading::Undecided;
        (self.has_failed, self.fallbacks) = (false, 0);
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.walker.set_goal(world, goal)?;
        self.heading = Heading::Undecided;
        self.has_failed = false;
        Ok(())
    }

    fn step(&mut self, world: &W, budget: &mut Budget) -> Step {
        if let Some(step) = self.walker.errand.foregone(world) {
            return step;
        }
        if self.heading == Heading::Undecided || self.heading == Heading::Goal(Some(0)) {
            self.choose(world, budget);
        }
        // From a state of the record to the next one, and from its last one to the goal: each differs from the one before
        // unless the record's first state is where the agent stands, or its last state is the goal.
        for _ in 0..3 {
            if self.walker.errand.position == self.walker.target() {
                self.go_on(world, budget);
            }
        }
        let before = self.walker.errand.position;
        let Some(next) = self.walker.advance(world, budget) else {
            // The map was edited: what the agent was heading for is out of reach, or it was taken away.
            self.go_for_the_goal(world, None, budget);
            return Step::Waiting;
        };
        if let Heading::Goal(Some(left)) = &mut self.heading {
            *left = left.saturating_sub(cost_of_move(world, before, next));
        }
        Step::Moved(next)
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
        let weighed = if self.settings.weighed > 1 { self.settings.weighed as u64 * WEIGHED } else { 0 };
        // Both ends of each candidate, the goal first, the first subgoal, and the goal from the last one.
        let climb_steps = (2 * candidates + 3) * self.walker.cutoff();
        let expansions = self.walker.expansions::<W>();
        Some(Work { climb_steps, probes: compared + weighed, ..Work::of_expansions(expansions) })
    }

    fn memory(&self) -> Memory {
        self.walker.memory::<W>()
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, out: &mut Vec<u8>) {
        self.walker.save::<W>(out);
        match self.heading {
            Heading::Undecided => put_number(out, 0),
            Heading::Goal(None) => put_number(out, 1),
            Heading::Goal(Some(left)) => {
                put_number(out, 2);
                put_number(out, left);
            }
            Heading::Along(cursor) => {
                let (record, passed) = cursor.place();
                put_number(out, 3);
                put_number(out, u64::from(record));
                put_number(out, u64::from(passed));
            }
            Heading::End => put_number(out, 4),
        }
        put_number(out, u64::from(self.has_failed));
        put_number(out, self.fallbacks);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let walker = self.walker.restored(world, saved)?;
        let heading = match saved.number()? {
            0 => Heading::Undecided,
            1 => Heading::Goal(None),
            2 => Heading::Goal(Some(saved.number()?)),
            3 => {
                let (record, passed) = (saved.number()?, saved.number()?);
                let cursor = self.walker.database.cursor_at(record, passed);
                Heading::Along(
                    cursor.ok_or_else(|| saved.malformed("there is no such place in the database"))?,
                )
            }
            4 => Heading::End,
            _ => return Err(saved.malformed("there is no such heading")),
        };
        let has_failed = saved.number_up_to(1, "expected 0 or 1")? == 1;
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        (self.walker, self.heading) = (walker, heading);
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
