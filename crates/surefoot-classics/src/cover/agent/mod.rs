//! HCDPS and DBA*: agents that climb from one state of a cover to the next, and learn nothing.
//!
//! After Lawrence and Bulitko, "Database-driven real-time heuristic search in video-game pathfinding" (HCDPS,
//! 2013), and Lawrence's DBA*: both from descriptions, not from their texts. The two differ in how the map is
//! divided (`database/cover/`): into states that climb to the middle of their region and back, or into the
//! connected parts of square sectors.
//!
//! An agent whose goal a climb gets to goes straight for it. Else it goes by the regions of its start and its
//! goal: to the first subgoal of the chain of paths between them if a climb gets there, and over the state
//! that stands for its region if not; from each subgoal to the next; and from the last one to the goal if a
//! climb gets there, and over the state that stands for the goal's region if not. On the map that the cover
//! was built for every leg of this can be climbed.
//!
//! Readings and deviations:
//! - The chain is not put together before the walk begins: the next path is looked up when the agent gets to
//!   its first state. So the first move takes no longer on large maps, and an agent needs room for one place
//!   in the database.
//! - How far a climb is thought of is a parameter of its own (`check`); in the descriptions it is that of the
//!   regions.
//! - A subgoal can be skipped if a climb gets to a later one (`skip`), which is not in the descriptions: 0 is
//!   as published.
//! - In DBA* no climb need lead to the state that stands for a region. Where none does the agent goes by A*
//!   inside the sector, and so it does inside one region. As published A* is not kept to the sector there.
//! - Where a leg fails, which takes an edited map, the agent walks by LRTA* to the next stop that there is a
//!   way to, and goes on from there; if there is none, to its goal. It counts that. States that were freed
//!   since the cover was built go by the region of a neighbour.

mod sector_search;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step, UselessDatabase};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Meter, Work, climb_step, reachable};
use surefoot::space::{GridSpace, QueryError, Reachability, State, StateSpace as _};
use surefoot::store::codec::{CodecError, Reader, put_number, put_states};
use surefoot::store::{Database, shared_as};

use self::sector_search::SectorSearch;
use crate::cover::{CoverDatabase, Partition, RegionId, Trail, TrailPlace};

/// So many stops are looked at where the next ones are gone since the map was edited.
const STOPS_LOOKED_AT: u64 = 8;

/// How an agent goes by a cover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoverSettings {
    /// The most steps of a climb that is only thought of.
    pub check: u64,
    /// How many subgoals after the next one may be headed for instead.
    pub skip: u64,
}

/// Where the agent is heading.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TrailCourse {
    /// It has to choose.
    Undecided,
    /// For the goal, by a climb.
    Goal,
    /// For the state where the trail stands, by a climb.
    Along(Trail),
    /// By these moves, the last one first, and on from there: along the trail, or to the goal if there is
    /// none.
    By(Vec<State>, Option<Trail>),
    /// For the state where the trail stands, by LRTA*: the map is not the one that the cover was built for.
    Around(Trail),
    /// For the goal, by LRTA*, for the same reason.
    Lost,
}

/// An agent that goes by a cover.
#[derive(Clone, Debug)]
pub(crate) struct CoverAgent {
    database: Arc<CoverDatabase>,
    settings: CoverSettings,
    errand: Errand,
    heading: TrailCourse,
    search: SectorSearch,
    /// For edited maps.
    lrta: LrtaStar,
    fallbacks: u64,
}

impl CoverAgent {
    pub(crate) fn new(database: Arc<CoverDatabase>, settings: CoverSettings) -> Self {
        let lrta = LrtaStar::new(Horizon::Plies(1), database.config().ties);
        Self {
            database,
            settings,
            errand: Errand::NONE,
            heading: TrailCourse::Undecided,
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

    fn reaches(&self, space: &GridSpace, target: State, meter: &mut Meter) -> bool {
        reachable(
            space,
            self.errand.position,
            target,
            self.settings.check,
            self.database.config().ties,
            meter,
        )
    }

    /// A step along the trail, charged.
    fn next_stop(&self, trail: &mut Trail, meter: &mut Meter) -> Option<State> {
        meter.charge_probes(1);
        self.database.next_stop(trail)
    }

    /// Decides how to begin.
    fn choose(&mut self, space: &GridSpace, meter: &mut Meter) {
        let Errand { position, goal, .. } = self.errand;
        if self.reaches(space, goal, meter) {
            return self.head_for_goal(meter);
        }
        let regions = self.region(space, position).zip(self.region(space, goal));
        let Some((from, to)) = regions else { return self.go_around(space, None, meter) };
        let trail = self.database.trail(from, to);
        if from == to && self.side().is_some() {
            return self.go_inside(space, goal, None, meter);
        }
        let mut next = trail;
        match self.next_stop(&mut next, meter) {
            Some(subgoal) if self.reaches(space, subgoal, meter) => self.follow(next, meter),
            _ if self.side().is_none() || self.reaches(space, trail.at(), meter) => {
                self.follow(trail, meter);
            }
            _ => self.go_inside(space, trail.at(), Some(trail), meter),
        }
    }

    /// The region of a state; of one that was freed that of a neighbour.
    fn region(&self, space: &GridSpace, state: State) -> Option<RegionId> {
        let mut region = self.database.region(state);
        if region.is_none() {
            space.for_each_successor(state, |next, _| region = region.or(self.database.region(next)));
        }
        region
    }

    fn head_for_goal(&mut self, meter: &mut Meter) {
        self.heading = TrailCourse::Goal;
        meter.note_subgoal(self.errand.goal);
    }

    fn follow(&mut self, trail: Trail, meter: &mut Meter) {
        self.heading = TrailCourse::Along(trail);
        meter.note_subgoal(trail.at());
    }

    /// Goes to a state of its own region by a search inside its sector, and on along the trail from there.
    fn go_inside(&mut self, space: &GridSpace, target: State, trail: Option<Trail>, meter: &mut Meter) {
        let ends = (self.errand.position, target);
        let way = self.side().and_then(|side| self.search.find(space, side, ends, meter));
        match way.map(<[State]>::to_vec) {
            Some(way) => {
                self.heading = TrailCourse::By(way, trail);
                meter.note_subgoal(target);
            }
            None => self.go_around(space, trail, meter),
        }
    }

    /// The map was edited, and what the agent is heading for cannot be climbed to. By LRTA* it gets to a stop
    /// of the trail, or if there is no trail or no way to the next few stops, to the goal.
    fn go_around(&mut self, space: &GridSpace, trail: Option<Trail>, meter: &mut Meter) {
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
                self.heading = TrailCourse::Around(*trail);
                return meter.note_subgoal(stop);
            }
            if self.next_stop(trail, meter).is_none() {
                break;
            }
        }
        self.heading = TrailCourse::Lost;
        // Both are states: the errand was checked.
        let _ = self.lrta.begin(space, position, self.errand.goal);
    }

    /// What to head for next, where the agent stands on the stop that the trail stands on.
    fn go_on(&mut self, space: &GridSpace, trail: Trail, meter: &mut Meter) {
        let goal = self.errand.goal;
        if trail.is_over() {
            return match self.side() {
                Some(_) if !self.reaches(space, goal, meter) => self.go_inside(space, goal, None, meter),
                _ => self.head_for_goal(meter),
            };
        }
        let mut next = trail;
        self.next_stop(&mut next, meter);
        let mut best = next;
        for _ in 0..self.settings.skip {
            if next.is_over() {
                break;
            }
            if let Some(stop) = self.next_stop(&mut next, meter)
                && self.reaches(space, stop, meter)
            {
                best = next;
            }
        }
        // The last stop is for those who cannot go straight to the goal.
        if best.is_over() && self.reaches(space, goal, meter) {
            return self.head_for_goal(meter);
        }
        self.follow(best, meter);
    }

    /// The next move, if there is one.
    fn next_move(&mut self, space: &GridSpace, meter: &mut Meter) -> Option<State> {
        let position = self.errand.position;
        let target = match &mut self.heading {
            TrailCourse::Goal => self.errand.goal,
            TrailCourse::Along(trail) => trail.at(),
            TrailCourse::By(way, _) => {
                let next = *way.last()?;
                meter.charge_expansion(position);
                return self.errand.can_go(space, next).then(|| {
                    way.pop();
                    next
                });
            }
            TrailCourse::Undecided | TrailCourse::Around(_) | TrailCourse::Lost => return None,
        };
        meter.charge_expansion(position);
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
        (self.heading, self.fallbacks) = (TrailCourse::Undecided, 0);
        self.lrta.forget();
        Ok(())
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.check(space)?;
        self.errand = Errand::new(space, self.errand.position, goal)?;
        self.heading = TrailCourse::Undecided;
        Ok(())
    }

    fn step(&mut self, space: &GridSpace, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(space) {
            return step;
        }
        if self.heading == TrailCourse::Undecided {
            self.choose(space, meter);
        }
        // No two stops of a trail are the same: what is headed for next lies elsewhere.
        match &self.heading {
            TrailCourse::Along(trail) | TrailCourse::Around(trail) if trail.at() == self.errand.position => {
                let trail = *trail;
                self.go_on(space, trail, meter);
            }
            TrailCourse::By(way, Some(trail)) if way.is_empty() => {
                let trail = *trail;
                self.go_on(space, trail, meter);
            }
            _ => {}
        }
        if !matches!(self.heading, TrailCourse::Around(_) | TrailCourse::Lost) {
            if let Some(next) = self.next_move(space, meter) {
                return self.errand.go(next);
            }
            let trail = match self.heading {
                TrailCourse::Along(trail) | TrailCourse::By(_, Some(trail)) => Some(trail),
                _ => None,
            };
            self.go_around(space, trail, meter);
        }
        match self.lrta.step(space, meter) {
            Step::Moved(next) => self.errand.go(next),
            // The stop is gone, too. The goal is not, and this move's planning is done.
            _ if matches!(self.heading, TrailCourse::Around(_)) => {
                self.go_around(space, None, meter);
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
            TrailCourse::Along(trail) | TrailCourse::Around(trail) => Vec::from([trail.at(), goal]),
            TrailCourse::By(way, trail) => {
                let rest = trail.iter().map(|_| goal);
                way.iter().rev().copied().chain(rest).collect()
            }
            TrailCourse::Undecided | TrailCourse::Goal | TrailCourse::Lost => Vec::from([goal]),
        }
    }

    fn bound(&self) -> Option<Work> {
        let searched = self.side().map_or(0, |side| u64::from(side) * u64::from(side));
        // To begin: the goal, the first subgoal, the state of the region. To go on: those that may be
        // skipped, and the goal.
        let CoverSettings { check, skip } = self.settings;
        // A move made by LRTA* is one more expansion.
        let work = Work::of_expansions(2 + searched);
        let probes = 2 + skip + STOPS_LOOKED_AT;
        Some(work.with_climb_steps((4 + skip).saturating_mul(check)).with_probes(probes))
    }

    fn memory(&self) -> Memory {
        <LrtaStar as Agent>::memory(&self.lrta)
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// One that was [repaired](crate::cover::CoverRepairer), of the same file: plans stay what they are.
    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let cover: Arc<CoverDatabase> = shared_as(database).ok_or(UselessDatabase)?;
        if cover.checksum() != self.database.checksum() {
            return Err(UselessDatabase);
        }
        self.database = cover;
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn save(&self, _: &GridSpace, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.database.checksum().to_le_bytes());
        self.errand.save(out);
        let put_trail = |out: &mut Vec<u8>, trail: &Trail| {
            let TrailPlace { region, goal, path } = trail.place();
            put_number(out, u64::from(region.number()));
            put_number(out, u64::from(goal.number()));
            // On a path some subgoals were passed: 0 stands for none.
            let (link, passed) = path.unwrap_or_default();
            put_number(out, u64::from(passed));
            put_number(out, u64::from(link));
        };
        match &self.heading {
            TrailCourse::Undecided => put_number(out, 0),
            TrailCourse::Goal => put_number(out, 1),
            TrailCourse::Along(trail) => {
                put_number(out, 2);
                put_trail(out, trail);
            }
            TrailCourse::By(way, None) => {
                put_number(out, 3);
                put_states(out, way);
            }
            TrailCourse::By(way, Some(trail)) => {
                put_number(out, 4);
                put_states(out, way);
                put_trail(out, trail);
            }
            TrailCourse::Lost => put_number(out, 5),
            TrailCourse::Around(trail) => {
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
            let no_region = "there is no such region";
            let region = RegionId::from_number(saved.number_up_to(most, no_region)? as u32);
            let goal = RegionId::from_number(saved.number_up_to(most, no_region)? as u32);
            let passed = saved.number_up_to(most, "no path has so many subgoals")? as u32;
            let link = saved.number_up_to(most, "there is no such path")? as u32;
            let path = (passed > 0).then_some((link, passed));
            let trail = self.database.trail_at(TrailPlace { region, goal, path });
            trail.ok_or_else(|| saved.malformed("there is no such place in the database"))
        };
        let heading = match saved.number()? {
            0 => TrailCourse::Undecided,
            1 => TrailCourse::Goal,
            2 => TrailCourse::Along(read_trail(saved)?),
            3 => TrailCourse::By(saved.states(space.state_limit())?, None),
            4 => TrailCourse::By(saved.states(space.state_limit())?, Some(read_trail(saved)?)),
            5 => TrailCourse::Lost,
            6 => TrailCourse::Around(read_trail(saved)?),
            _ => return Err(saved.malformed("there is no such heading")),
        };
        let mut lrta = self.lrta.clone();
        lrta.restore(space, saved)?;
        let target = match &heading {
            TrailCourse::Lost => Some(errand.goal),
            TrailCourse::Around(trail) => Some(trail.at()),
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
