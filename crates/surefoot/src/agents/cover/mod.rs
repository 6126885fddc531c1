//! HCDPS and DBA*: agents that climb from one state of a cover to the next, and learn nothing.
//!
//! After Lawrence and Bulitko, "Database-driven real-time heuristic search in video-game pathfinding" (HCDPS, 2013), and Lawrence's
//! DBA*: both from descriptions, not from their texts. The two differ in how the map is divided (`database/cover/`): into
//! states that climb to the middle of their region and back, or into the connected parts of square sectors.
//!
//! An agent whose goal a climb gets to goes straight for it. Else it goes by the regions of its start and its goal: to the first
//! subgoal of the chain of paths between them if a climb gets there, and over the state that stands for its region if not; from
//! each subgoal to the next; and from the last one to the goal if a climb gets there, and over the state that stands for
//! the goal's region if not. On the map that the cover was built for every leg of this can be climbed.
//!
//! Readings and deviations:
//! - The chain is not put together before the walk begins: the next path is looked up when the agent gets to its first state. So
//!   the first move takes no longer on large maps, and an agent needs room for one place in the database.
//! - How far a climb is thought of is a parameter of its own (`check`); in the descriptions it is that of the regions.
//! - A subgoal can be skipped if a climb gets to a later one (`skip`), which is not in the descriptions: 0 is as published.
//! - In DBA* no climb need lead to the state that stands for a region. Where none does the agent goes by A* inside the sector, and
//!   so it does inside one region. As published A* is not kept to the sector there.
//! - Where a leg fails, which takes an edited map, the agent walks by LRTA* to the next stop that there is a way to, and goes on from there; if there is
//!   none, to its goal. It counts that. States that were freed since the cover was built go by the region of a neighbour.

mod sector_search;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use self::sector_search::SectorSearch;
use super::{Agent, Errand, LrtaStar, Memory, Step, UselessDatabase};
use crate::codec::{CodecError, Reader, put_number, put_states};
use crate::database::{CoverDatabase, Database, Partition, Trail, TrailPlace};
use crate::search::{Budget, Horizon, Work, climb_step, reachable};
use crate::space::{GridSpace, QueryError, Reachability, State, StateSpace as _};

/// So many stops are looked at where the next ones are gone since the map was edited.
const STOPS_LOOKED_AT: u64 = 8;

/// How an agent goes by a cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoverSettings {
    /// The most steps of a climb that is only thought of.
    pub check: u64,
    /// How many subgoals after the next one may be headed for instead.
    pub skip: u64,
}

/// Where the agent is heading.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Heading {
    /// It has to choose.
    Undecided,
    /// For the goal, by a climb.
    Goal,
    /// For the state where the trail stands, by a climb.
    Along(Trail),
    /// By these moves, the last one first, and on from there: along the trail, or to the goal if there is none.
    By(Vec<State>, Option<Trail>),
    /// For the state where the trail stands, by LRTA*: the map is not the one that the cover was built for.
    Around(Trail),
    /// For the goal, by LRTA*, for the same reason.
    Lost,
}

/// An agent that goes by a cover.
#[derive(Clone, Debug)]
pub(super) struct CoverAgent {
    database: Arc<CoverDatabase>,
    settings: CoverSettings,
    errand: Errand,
    heading: Heading,
    search: SectorSearch,
    /// For edited maps.
    lrta: LrtaStar,
    fallbacks: u64,
}

impl CoverAgent {
    pub(super) fn new(database: Arc<CoverDatabase>, settings: CoverSettings) -> Self {
        let lrta = LrtaStar::new(Horizon::Plies(1), database.config().ties);
        Self {
            database,
            settings,
            errand: Errand::NONE,
            heading: Heading::Undecided,
            search: SectorSearch::default(),
            lrta,
            fallbacks: 0,
        }
    }

    /// The side of the sectors, if there are any.
    fn side(&self) -> Option<u32> {
        match self.database.config().partition {
            Partition::Sectors { side } => Some(side),
            Partition::Climbs { .. } => None,
        }
    }

    fn reaches(&self, space: &GridSpace, target: State, budget: &mut Budget) -> bool {
        reachable(
            space,
            self.errand.position,
            target,
            self.settings.check,
            self.database.config().ties,
            budget,
        )
    }

    /// A step along the trail, charged.
    fn next_stop(&self, trail: &mut Trail, budget: &mut Budget) -> Option<State> {
        budget.charge_probes(1);
        self.database.next_stop(trail)
    }

    /// Decides how to begin.
    fn choose(&mut self, space: &GridSpace, budget: &mut Budget) {
        let Errand { position, goal, .. } = self.errand;
        if self.reaches(space, goal, budget) {
            return self.head_for_goal(budget);
        }
        let regions = self.region(space, position).zip(self.region(space, goal));
        let Some((from, to)) = regions else { return self.go_around(space, None, budget) };
        let trail = self.database.trail(from, to);
        if from == to && self.side().is_some() {
            return self.go_inside(space, goal, None, budget);
        }
        let mut next = trail;
        match self.next_stop(&mut next, budget) {
            Some(subgoal) if self.reaches(space, subgoal, budget) => self.follow(next, budget),
            _ if self.side().is_none() || self.reaches(space, trail.at(), budget) => {
                self.follow(trail, budget);
            }
            _ => self.go_inside(space, trail.at(), Some(trail), budget),
        }
    }

    /// The region of a state; of one that was freed that of a neighbour.
    fn region(&self, space: &GridSpace, state: State) -> Option<u32> {
        let mut region = self.database.region(state);
        if region.is_none() {
            space.for_each_successor(state, |next, _| region = region.or(self.database.region(next)));
        }
        region
    }

    fn head_for_goal(&mut self, budget: &mut Budget) {
        self.heading = Heading::Goal;
        budget.note_subgoal(self.errand.goal);
    }

    fn follow(&mut self, trail: Trail, budget: &mut Budget) {
        self.heading = Heading::Along(trail);
        budget.note_subgoal(trail.at());
    }

    /// Goes to a state of its own region by a search inside its sector, and on along the trail from there.
    fn go_inside(&mut self, space: &GridSpace, target: State, trail: Option<Trail>, budget: &mut Budget) {
        let ends = (self.errand.position, target);
        let way = self.side().and_then(|side| self.search.find(space, side, ends, budget));
        match way.map(<[State]>::to_vec) {
            Some(way) => {
                self.heading = Heading::By(way, trail);
                budget.note_subgoal(target);
            }
            None => self.go_around(space, trail, budget),
        }
    }

    /// The map was edited, and what the agent is heading for cannot be climbed to. By LRTA* it gets to a stop of the trail, or if there is no trail
    /// or no way to the next few stops, to the goal.
    fn go_around(&mut self, space: &GridSpace, trail: Option<Trail>, budget: &mut Budget) {
        self.fallbacks += 1;
        let position = self.errand.position;
        let mut rest = trail;
        for _ in 0..STOPS_LOOKED_AT {
            let Some(trail) = &mut rest else { break };
            let stop = trail.at();
            if stop != position
                && space.contains(stop)
                && space.reachability(position, stop) != Reachability::No
                && self.lrta.begin(space, position, stop).is_ok()
            {
                self.heading = Heading::Around(*trail);
                return budget.note_subgoal(stop);
            }
            if self.next_stop(trail, budget).is_none() {
                break;
            }
        }
        self.heading = Heading::Lost;
        // Both are states: the errand was checked.
        let _ = self.lrta.begin(space, position, self.errand.goal);
    }

    /// What to head for next, where the agent stands on the stop that the trail stands on.
    fn go_on(&mut self, space: &GridSpace, trail: Trail, budget: &mut Budget) {
        let goal = self.errand.goal;
        if trail.is_over() {
            return match self.side() {
                Some(_) if !self.reaches(space, goal, budget) => self.go_inside(space, goal, None, budget),
                _ => self.head_for_goal(budget),
            };
        }
        let mut next = trail;
        self.next_stop(&mut next, budget);
        let mut best = next;
        for _ in 0..self.settings.skip {
            if next.is_over() {
                break;
            }
            if let Some(stop) = self.next_stop(&mut next, budget)
                && self.reaches(space, stop, budget)
            {
                best = next;
            }
        }
        // The last stop is for those who cannot go straight to the goal.
        if best.is_over() && self.reaches(space, goal, budget) {
            return self.head_for_goal(budget);
        }
        self.follow(best, budget);
    }

    /// The next move, if there is one.
    fn next_move(&mut self, space: &GridSpace, budget: &mut Budget) -> Option<State> {
        let position = self.errand.position;
        let target = match &mut self.heading {
            Heading::Goal => self.errand.goal,
            Heading::Along(trail) => trail.at(),
            Heading::By(way, _) => {
                let next = *way.last()?;
                budget.charge_expansion(position);
                return self.errand.can_go(space, next).then(|| {
                    way.pop();
                    next
                });
            }
            Heading::Undecided | Heading::Around(_) | Heading::Lost => return None,
        };
        budget.charge_expansion(position);
        climb_step(space, position, target, self.database.config().ties).map(|(next, _)| next)
    }

    fn check(&self, space: &GridSpace) -> Result<(), QueryError> {
        if self.database.built_for().is_like(space) {
            Ok(())
        } else {
            Err(QueryError::OtherDatabase { built_for: self.database.built_for().to_string() })
        }
    }
}

impl Agent for CoverAgent {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        self.check(space)?;
        self.errand = Errand::new(space, start, goal)?;
        (self.heading, self.fallbacks) = (Heading::Undecided, 0);
        self.lrta.forget();
        Ok(())
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.check(space)?;
        self.errand = Errand::new(space, self.errand.position, goal)?;
        self.heading = Heading::Undecided;
        Ok(())
    }

    fn step(&mut self, space: &GridSpace, budget: &mut Budget) -> Step {
        if let Some(step) = self.errand.foregone(space) {
            return step;
        }
        if self.heading == Heading::Undecided {
            self.choose(space, budget);
        }
        // No two stops of a trail are the same: what is headed for next lies elsewhere.
        match &self.heading {
            Heading::Along(trail) | Heading::Around(trail) if trail.at() == self.errand.position => {
                let trail = *trail;
                self.go_on(space, trail, budget);
            }
            Heading::By(way, Some(trail)) if way.is_empty() => {
                let trail = *trail;
                self.go_on(space, trail, budget);
            }
            _ => {}
        }
        if !matches!(self.heading, Heading::Around(_) | Heading::Lost) {
            if let Some(next) = self.next_move(space, budget) {
                return self.errand.go(next);
            }
            let trail = match self.heading {
                Heading::Along(trail) | Heading::By(_, Some(trail)) => Some(trail),
                _ => None,
            };
            self.go_around(space, trail, budget);
        }
        match self.lrta.step(space, budget) {
            Step::Moved(next) => self.errand.go(next),
            // The stop is gone, too. The goal is not, and this move's planning is done.
            _ if matches!(self.heading, Heading::Around(_)) => {
                self.go_around(space, None, budget);
                Step::Waiting
            }
            step => step,
        }
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        let goal = self.errand.goal;
        match &self.heading {
            Heading::Along(trail) | Heading::Around(trail) => Vec::from([trail.at(), goal]),
            Heading::By(way, trail) => {
                let rest = trail.iter().map(|_| goal);
                way.iter().rev().copied().chain(rest).collect()
            }
            Heading::Undecided | Heading::Goal | Heading::Lost => Vec::from([goal]),
        }
    }

    fn bound(&self) -> Option<Work> {
        let searched = self.side().map_or(0, |side| u64::from(side) * u64::from(side));
        // To begin: the goal, the first subgoal, the state of the region. To go on: those that may be skipped, and the goal.
        let CoverSettings { check, skip } = self.settings;
        // A move made by LRTA* is one more expansion.
        let work = Work::of_expansions(2 + searched);
        let probes = 2 + skip + STOPS_LOOKED_AT;
        Some(Work { climb_steps: (4 + skip).saturating_mul(check), probes, ..work })
    }

    fn memory(&self) -> Memory {
        <LrtaStar as Agent>::memory(&self.lrta)
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// One that was [repaired](crate::database::CoverRepairer), of the same file: plans stay what they are.
    fn use_database(&mut self, database: &Database) -> Result<(), UselessDatabase> {
        match database {
            Database::Cover(cover) if cover.checksum() == self.database.checksum() => {
                self.database = Arc::clone(cover);
                Ok(())
            }
            _ => Err(UselessDatabase),
        }
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn save(&self, _: &GridSpace, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.database.checksum().to_le_bytes());
        self.errand.save(out);
        let put_trail = |out: &mut Vec<u8>, trail: &Trail| {
            let TrailPlace { region, goal, path } = trail.place();
            put_number(out, u64::from(region));
            put_number(out, u64::from(goal));
            // On a path some subgoals were passed: 0 stands for none.
            let (link, passed) = path.unwrap_or_default();
            put_number(out, u64::from(passed));
            put_number(out, u64::from(link));
        };
        match &self.heading {
            Heading::Undecided => put_number(out, 0),
            Heading::Goal => put_number(out, 1),
            Heading::Along(trail) => {
                put_number(out, 2);
                put_trail(out, trail);
            }
            Heading::By(way, None) => {
                put_number(out, 3);
                put_states(out, way);
            }
            Heading::By(way, Some(trail)) => {
                put_number(out, 4);
                put_states(out, way);
                put_trail(out, trail);
            }
            Heading::Lost => put_number(out, 5),
            Heading::Around(trail) => {
                put_number(out, 6);
                put_trail(out, trail);
            }
        }
        self.lrta.put(out);
        put_number(out, self.fallbacks);
    }

    fn restore(&mut self, space: &GridSpace, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        if u64::from_le_bytes(saved.array()?) != self.database.checksum() {
            return Err(saved.malformed("the agent was saved with another database"));
        }
        let errand = Errand::restore(space, saved)?;
        let read_trail = |saved: &mut Reader<'_>| {
            let most = u64::from(u32::MAX);
            let region = saved.number_up_to(most, "there is no such region")? as u32;
            let goal = saved.number_up_to(most, "there is no such region")? as u32;
            let passed = saved.number_up_to(most, "no path has so many subgoals")? as u32;
            let link = saved.number_up_to(most, "there is no such path")? as u32;
            let path = (passed > 0).then_some((link, passed));
            let trail = self.database.trail_at(TrailPlace { region, goal, path });
            trail.ok_or_else(|| saved.malformed("there is no such place in the database"))
        };
        let heading = match saved.number()? {
            0 => Heading::Undecided,
            1 => Heading::Goal,
            2 => Heading::Along(read_trail(saved)?),
            3 => Heading::By(saved.states(space.state_limit())?, None),
            4 => Heading::By(saved.states(space.state_limit())?, Some(read_trail(saved)?)),
            5 => Heading::Lost,
            6 => Heading::Around(read_trail(saved)?),
            _ => return Err(saved.malformed("there is no such heading")),
        };
        let mut lrta = self.lrta.clone();
        lrta.restore(space, saved)?;
        let target = match &heading {
            Heading::Lost => Some(errand.goal),
            Heading::Around(trail) => Some(trail.at()),
            _ => None,
        };
        let lrta_ends = (<LrtaStar as Agent>::position(&lrta), lrta.goal());
        if target.is_some_and(|target| lrta_ends != (errand.position, target)) {
            return Err(saved.malformed("the agent is in two places"));
        }
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        (self.errand, self.heading, self.lrta, self.fallbacks) = (errand, heading, lrta, fallbacks);
        Ok(())
    }
}
