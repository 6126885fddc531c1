//! Lanes: each has every sixteenth unit and its own share of the frame's work, and knows nothing of the
//! others. So lanes can be served on any number of threads, in any order, and what comes of it is the same.
//!
//! A lane serves its units in turn: each class of priority has a place at which it goes on. A unit is served
//! while the lane's account is not empty, and may overdraw it; the debt is paid before the next one is
//! served.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::frame::{FrameReport, Proposal};
use super::groups::Member;
use super::kind::KindState;
use super::links::{Course, Heading};
use super::occupied::{Held, is_legal};
use super::pace::{Pace, Speed};
use super::pursuit::{LOOK_WORK, Look, Pursuit};
use super::unit::{Priority, Unit, UnitStatus};
use super::walker::UnitWalker;
use super::{CrowdConfig, UnitId};
use crate::agent::Step;
use crate::beacons::{Company, Destinations};
use crate::search::Meter;
use crate::space::{Cost, GridSpace, Heuristic as _, State};

/// The number of lanes: more than most machines have cores for a crowd, and a part of every saved crowd.
pub(super) const LANES: usize = 16;
/// After so many units it is asked whether there is time left.
const BETWEEN_QUESTIONS: u32 = 8;

/// What all lanes need to know in a frame.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) frame: u32,
    pub(super) kinds: &'a [KindState],
    /// What tells the map from others.
    pub(super) map_mark: u64,
    /// The width of the map.
    pub(super) width: u32,
    pub(super) config: CrowdConfig,
    /// Whether moves are only proposed.
    pub(super) are_units_obstacles: bool,
    pub(super) time_left: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// Some of the units.
#[derive(Clone, Default)]
pub(super) struct Lane {
    pub(super) number: u32,
    pub(super) units: Vec<Unit>,
    /// How many units there are, by priority.
    pub(super) counts: [u32; Priority::ALL.len()],
    /// The unit that each class of priority goes on with.
    pub(super) turns: [u32; Priority::ALL.len()],
    /// The work that is left of earlier frames; below zero it is a debt. Every number is one that it can be.
    pub(super) account: i64,
    /// Whether some were left waiting in the last frame.
    pub(super) has_waiting: bool,
    /// What was last stated to those who wait, if that still holds.
    pub(super) stated: Option<Stated>,
    /// Units that others are in the way of, by their places in the lane.
    pub(super) held: BTreeMap<u32, Held>,
    /// Units that had to choose their ways anew, by their places in the lane.
    pub(super) astray: BTreeMap<u32, Astray>,
    /// The paces of units that have a speed, by their places in the lane. It may be shorter than the lane.
    pub(super) paces: Vec<Pace>,
    /// Units that were sent with others, by their places in the lane.
    pub(super) members: BTreeMap<u32, Member>,
    /// Units that pursue others, by their places in the lane.
    pub(super) pursuits: BTreeMap<u32, Pursuit>,
    /// Units that go over links, or may, by their places in the lane.
    pub(super) courses: BTreeMap<u32, Course>,
    /// The goals of those who chose their ways in this frame; none between frames.
    pub(super) destinations: Destinations,
    /// The moves of the frame. Where no two units may stand on one cell, they are made when all lanes were
    /// served.
    pub(super) proposed: Vec<Proposal>,
    pub(super) report: FrameReport,
}

/// How long units wait at most, as was stated in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) frames: u64,
    /// The lane's share of work in each frame, if work counts.
    pub(super) share: Option<u64>,
    /// The most that a unit takes on its turn.
    pub(super) most: u64,
}

/// A unit that goes by beacons and had to choose its way anew, because of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Astray {
    /// How often, since it was as near to its goal as it is known to have been.
    pub(super) choices: u16,
    /// How near that is.
    pub(super) nearest: Cost,
}

/// Whether a lane may serve another unit.
struct Allowance<'a> {
    /// What is left of the work; `None` if it does not count.
    work: Option<i64>,
    time_left: Option<&'a (dyn Fn() -> bool + Sync)>,
    served: u32,
}

impl Allowance<'_> {
    #[inline]
    fn is_left(&self) -> bool {
        match (self.work, self.time_left) {
            (Some(work), _) => work > 0,
            (None, Some(time_left)) => {
                // One unit is served in any case, so that everyone's turn comes.
                self.served == 0 || !self.served.is_multiple_of(BETWEEN_QUESTIONS) || time_left()
            }
            (None, None) => true,
        }
    }
}

impl Lane {
    /// How many units it has.
    pub(super) fn count(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The name of the unit at a place.
    #[inline]
    pub(super) fn id(&self, at: usize) -> UnitId {
        UnitId { slot: (at * LANES) as u32 + self.number, generation: self.units[at].generation }
    }

    /// Where the unit at a place stands: behind its walker if somebody is in the way.
    #[inline]
    pub(super) fn place(&self, at: usize) -> State {
        match self.held.get(&(at as u32)) {
            Some(held) => held.place,
            None => self.units[at].walker.position(),
        }
    }

    /// The unit at a place has to choose its way anew.
    pub(super) fn note_choice(&mut self, at: usize, space: &GridSpace) {
        let walker = &self.units[at].walker;
        let left = space.estimate(walker.position(), walker.goal());
        let astray = self.astray.entry(at as u32).or_insert(Astray { choices: 0, nearest: left });
        if left < astray.nearest {
            *astray = Astray { choices: 0, nearest: left };
        }
        astray.choices = astray.choices.saturating_add(1);
    }

    /// Forgets who was in the way of the unit at a place, and that it went astray: it has another goal, or is
    /// there.
    pub(super) fn clear(&mut self, at: usize) {
        self.held.remove(&(at as u32));
        self.astray.remove(&(at as u32));
    }

    /// The map was edited: what was stated to those who wait does not hold any more.
    pub(super) fn take_back(&mut self) {
        self.stated = None;
    }

    /// A unit got a goal, and takes so much on its turn, if that is bounded. Those who wait may have to wait
    /// for it, too.
    pub(super) fn note_goal(&mut self, bound: Option<u64>) {
        self.stated = self.stated.zip(bound).map(|(stated, bound)| {
            let debt = bound.saturating_sub(stated.most);
            let more = stated.share.map_or(1, |share| bound.saturating_add(debt).div_ceil(share.max(1)));
            Stated { frames: stated.frames.saturating_add(more), most: stated.most.max(bound), ..stated }
        });
    }

    /// States how long those who wait will have waited at most when they are served, where each frame has so
    /// much work for the lane, or, without, time for a few units only. `None` if there is no bound.
    pub(super) fn state_wait_bound(&mut self, round: &Round<'_>, share: Option<i64>) -> Option<u64> {
        if !self.has_waiting {
            self.stated = None;
            return Some(0);
        }
        let share = share.map(|share| share.unsigned_abs().max(1));
        let before = self.stated.take();
        let (rest, most) = self.frames_before(round, share)?;
        let patience = u64::from(round.config.patience) + 1;
        // Whoever begins to wait loses patience first. For those who wait already, what was stated still
        // holds unless there is less work since.
        let waited = patience.max(u64::from(self.report.longest_wait)).saturating_add(rest);
        let is_as_much = |stated: &Stated| stated.share.is_some() == share.is_some() && stated.share <= share;
        let before = before.filter(is_as_much).map_or(u64::MAX, |stated| stated.frames);
        let frames = waited.min(before).max(patience.saturating_add(rest));
        self.stated = Some(Stated { frames, share, most });
        Some(frames)
    }

    /// In how many frames a unit of the lane that has waited for as long as patience lasts is served, and the
    /// most that a unit takes on its turn. `None` if there is no bound.
    ///
    /// It is served in turn with all others of which that is so, or that have a high priority. While it
    /// waits, the lane pays its debts, spends its whole share in every frame, and serves everyone else at
    /// most once.
    fn frames_before(&self, round: &Round<'_>, share: Option<u64>) -> Option<(u64, u64)> {
        // Pursuers may set out at any time.
        let is_served = |&at: &usize| {
            self.units[at].status == UnitStatus::Walking || self.pursuits.contains_key(&(at as u32))
        };
        let served = || (0..self.units.len()).filter(is_served);
        let Some(share) = share else {
            return Some(((served().count() as u64).saturating_sub(1) / u64::from(BETWEEN_QUESTIONS), 0));
        };
        let (mut all, mut most, mut least) = (0_u64, 0, u64::MAX);
        for at in served() {
            let unit = &self.units[at];
            let kind = &round.kinds[usize::from(unit.kind)];
            let bound = if self.pursuits.contains_key(&(at as u32)) {
                // It may get another goal at any time.
                kind.bound?.saturating_add(LOOK_WORK)
            } else {
                round.config.turn_bound(&unit.walker, kind, self.pace(at))?
            };
            (all, most, least) = (all.saturating_add(bound), most.max(bound), least.min(bound));
        }
        // The debt that there is, or the one that the last before leaves; and what all others take.
        let owed = self.account.min(0).unsigned_abs().max(most.saturating_sub(1));
        Some((owed.saturating_add(all.saturating_sub(least)) / share, most))
    }

    /// Serves as many units as `share` allows, or without one as there is time for.
    pub(super) fn serve(&mut self, round: &Round<'_>, share: Option<i64>) {
        self.report.begin(round.frame);
        self.proposed.clear();
        self.finish_moves();
        let work = share.map(|share| self.account.min(share).saturating_add(share));
        let mut allowance = Allowance { work, time_left: round.time_left, served: 0 };
        let mut meter = Meter::new();
        let is_enough =
            Priority::ALL.into_iter().all(|class| self.serve_class(round, class, &mut allowance, &mut meter));
        // What is not saved must not matter in the next frame.
        self.destinations.clear(|kind, side| {
            if let Some(guide) = round.kinds[usize::from(kind)].guide() {
                guide.database.recycle(side);
            }
        });
        self.account = allowance.work.unwrap_or(0);
        self.has_waiting = !is_enough;
        self.report.served = allowance.served;
        self.report.work = meter.spent().total();
        if !is_enough {
            self.count_waiting(round.frame);
        }
    }

    /// Serves the units of one class in turn. Whether all of them were.
    fn serve_class(
        &mut self,
        round: &Round<'_>,
        class: Priority,
        allowance: &mut Allowance<'_>,
        meter: &mut Meter,
    ) -> bool {
        // Whoever has waited for long counts as high, and only then can there be such.
        let is_empty = self.counts[class as usize] == 0;
        if is_empty && !(class == Priority::High && self.has_waiting) {
            return true;
        }
        let all = self.units.len();
        let first = (self.turns[class as usize] as usize).min(all);
        for at in (first..all).chain(0..first) {
            let unit = &self.units[at];
            if !unit.is_due(round.frame) {
                continue;
            }
            // It counts no further than the longest patience lasts.
            let has_lost_patience = unit.waited >= round.config.patience.saturating_add(1);
            if class != if has_lost_patience { Priority::High } else { unit.priority } {
                continue;
            }
            if !allowance.is_left() {
                self.turns[class as usize] = at as u32;
                return false;
            }
            let before = meter.spent().total();
            self.serve_unit(round, at, meter);
            allowance.served += 1;
            if let Some(work) = &mut allowance.work {
                let spent = meter.spent().total() - before;
                *work = work.saturating_sub(i64::try_from(spent).unwrap_or(i64::MAX));
            }
        }
        true
    }

    fn serve_unit(&mut self, round: &Round<'_>, at: usize, meter: &mut Meter) {
        self.report.longest_wait = self.report.longest_wait.max(u32::from(self.units[at].waited));
        match self.pace(at) {
            None => self.take_turn(round, at, meter),
            Some(_) => self.serve_paced(round, at, meter),
        }
    }

    /// Plans a move of a unit, and makes it unless others may be in the way.
    pub(super) fn take_turn(&mut self, round: &Round<'_>, at: usize, meter: &mut Meter) {
        let (id, key) = (self.id(at), at as u32);
        let place = self.place(at);
        let goal = self.goal(at);
        let unit = &mut self.units[at];
        let kind = &round.kinds[usize::from(unit.kind)];
        unit.note_turn(round.frame);
        if let Some(pursuit) = self.pursuits.get_mut(&key) {
            match pursuit.look(unit, (kind, round.map_mark), (place, goal), meter) {
                Look::GoOn => {}
                Look::NewGoal => {
                    let goal = unit.walker.goal();
                    self.clear(at);
                    self.set_course(at, kind, goal);
                }
                Look::Wait => return,
                Look::Stay => {
                    unit.status = UnitStatus::Arrived;
                    return;
                }
            }
        }
        let (goal, to) = (self.goal(at), self.units[at].walker.position());
        if to != place && (is_legal(&kind.space, place, to) || kind.can_take(place, to, goal)) {
            // It was planned before, and somebody was in the way. To try again takes a look around.
            meter.charge_probes(1);
            self.proposed.push(Proposal { unit: id, from: place, to });
            return;
        }
        let has_to_choose = self.courses.get(&key).is_some_and(|course| course.link.is_none());
        let heading = self.head(at, kind, place, meter);
        let (unit, report) = (&mut self.units[at], &mut self.report);
        let is_elsewhere = unit.walker.position() != place;
        let step = if let Heading::Take(exit) = heading {
            Step::Moved(exit)
        } else if heading == Heading::NoWay || is_elsewhere && unit.walker.put_at(kind, place).is_err() {
            // Its place or its goal was blocked meanwhile.
            Step::Unreachable
        } else {
            if self.astray.get(&key).is_some_and(|astray| astray.choices > round.config.most_choices) {
                // It might go to and fro for ever: an exact search does not.
                self.astray.remove(&key);
                report.relieved += u32::from(unit.walker.relieve(kind));
            }
            let before = meter.spent().total();
            let company = Company { destinations: &mut self.destinations, kind: unit.kind };
            let step = unit.walker.step(kind, company, meter);
            let spent = meter.spent().total() - before;
            report.overdrawn += u32::from(kind.bound.is_some_and(|bound| spent > bound));
            step
        };
        match step {
            Step::Moved(to) => {
                self.proposed.push(Proposal { unit: id, from: place, to });
                // One that has a speed is on its way there.
                if to == goal
                    && !round.are_units_obstacles
                    && self.paces.get(at).is_none_or(|pace| pace.speed == Speed::MOVE_A_FRAME)
                {
                    self.arrive(at);
                    self.end_course(at, kind, to);
                }
            }
            Step::Waiting => {
                if kind.guide().is_some_and(|guide| !guide.database.is_labelling())
                    && matches!(unit.walker, UnitWalker::Beacons(_))
                {
                    self.note_choice(at, &kind.space);
                }
                return;
            }
            Step::Arrived => self.arrive(at),
            Step::Unreachable if !has_to_choose && !kind.links.are_none() => {
                // There may be a way over links.
                self.courses.insert(key, Course { goal, link: None });
                return;
            }
            Step::Unreachable => {
                unit.status = UnitStatus::Unreachable;
                report.unreachable.push(id);
            }
            Step::Stuck => {
                unit.status = UnitStatus::Stuck;
                report.blocked.push(id);
            }
        }
        let (unit, report) = (&mut self.units[at], &mut self.report);
        if unit.status != UnitStatus::Walking {
            self.astray.remove(&key);
        } else if unit.walker.learned() > round.config.most_learned {
            report.relieved += u32::from(unit.walker.relieve(kind));
        }
    }

    /// Counts those who were not served, and how long they have waited.
    fn count_waiting(&mut self, frame: u32) {
        for unit in self.units.iter_mut().filter(|unit| unit.is_due(frame)) {
            unit.note_look(frame);
            unit.waited = unit.waited.saturating_add(1);
            self.report.waiting += 1;
            self.report.longest_wait = self.report.longest_wait.max(u32::from(unit.waited));
        }
    }
}
