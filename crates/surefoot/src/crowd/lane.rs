//! Lanes: each has every sixteenth unit and its own share of the frame's work, and knows nothing of the others. So lanes can be served on any number of
//! threads, in any order, and what comes of it is the same.
//!
//! A lane serves its units in turn: each class of priority has a place at which it goes on. A unit is served while the lane's account is not
//! empty, and may overdraw it; the debt is paid before the next one is served.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::UnitId;
use super::frame::{FrameReport, Move};
use super::kind::KindState;
use super::occupied::Held;
use super::unit::{Priority, Unit, UnitStatus};
use super::walker::Walker;
use crate::agents::Step;
use crate::search::Budget;
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
    pub(super) patience: u16,
    pub(super) most_learned: u64,
    pub(super) most_choices: u16,
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
    /// The work that is left of earlier frames; below zero it is a debt.
    pub(super) account: i64,
    /// Whether some were left waiting in the last frame.
    pub(super) has_waiting: bool,
    /// Units that others are in the way of, by their places in the lane.
    pub(super) held: BTreeMap<u32, Held>,
    /// Units that had to choose their ways anew, by their places in the lane.
    pub(super) astray: BTreeMap<u32, Astray>,
    pub(super) report: FrameReport,
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
    /// What is left of the work; nothing if it does not count.
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

    /// Forgets who was in the way of the unit at a place, and that it went astray: it has another goal, or is there.
    pub(super) fn clear(&mut self, at: usize) {
        self.held.remove(&(at as u32));
        self.astray.remove(&(at as u32));
    }

    /// The most frames that a unit of the lane can have to wait where each frame has so much work for it, or, without, time for a few units only; nothing if there is no
    /// bound.
    ///
    /// One that has waited for as long as patience lasts is served in turn with all others of which that is so, or that have a high priority. While it
    /// waits, the lane spends its whole share in every frame, and serves everyone else at most once.
    pub(super) fn wait_bound(&self, round: &Round<'_>, share: Option<i64>) -> Option<u64> {
        if !self.has_waiting {
            return Some(0);
        }
        let patience = u64::from(round.patience);
        let walking = || self.units.iter().filter(|unit| unit.status == UnitStatus::Walking);
        let Some(share) = share else {
            let others = (walking().count() as u64).saturating_sub(1);
            return Some(patience + 1 + others / u64::from(BETWEEN_QUESTIONS));
        };
        // Those who are on a climb for as long as patience lasts are still on it when they are served before whoever has lost it.
        let moves = u32::from(round.patience).saturating_add(3);
        let (mut all, mut most, mut least) = (0_u64, 0, u64::MAX);
        for unit in walking() {
            let kind = &round.kinds[usize::from(unit.kind)];
            let bound = unit.walker.bound(kind, moves, round.most_learned)?;
            (all, most, least) = (all.saturating_add(bound), most.max(bound), least.min(bound));
        }
        // The debt that the last one before left, and what all others take.
        let before = most.saturating_sub(1).saturating_add(all.saturating_sub(least));
        Some((before / share.unsigned_abs().max(1)).saturating_add(patience + 1))
    }

    /// Serves as many units as `share` allows; nothing: as there is time for.
    pub(super) fn serve(&mut self, round: &Round<'_>, share: Option<i64>) {
        self.report.begin(round.frame);
        let work = share.map(|share| self.account.min(share).saturating_add(share));
        let mut allowance = Allowance { work, time_left: round.time_left, served: 0 };
        let mut budget = Budget::unlimited();
        let is_enough = Priority::ALL
            .into_iter()
            .all(|class| self.serve_class(round, class, &mut allowance, &mut budget));
        self.account = allowance.work.unwrap_or(0);
        self.has_waiting = !is_enough;
        self.report.served = allowance.served;
        self.report.work = budget.spent().total();
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
        budget: &mut Budget,
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
            if class != if unit.waited > round.patience { Priority::High } else { unit.priority } {
                continue;
            }
            if !allowance.is_left() {
                self.turns[class as usize] = at as u32;
                return false;
            }
            let before = budget.spent().total();
            self.serve_unit(round, at, budget);
            allowance.served += 1;
            if let Some(work) = &mut allowance.work {
                *work -= (budget.spent().total() - before) as i64;
            }
        }
        true
    }

    fn serve_unit(&mut self, round: &Round<'_>, at: usize, budget: &mut Budget) {
        let id = self.id(at);
        let unit = &mut self.units[at];
        let kind = &round.kinds[usize::from(unit.kind)];
        let report = &mut self.report;
        report.longest_wait = report.longest_wait.max(u32::from(unit.waited));
        unit.note_look(round.frame);
        unit.waited = 0;
        if round.are_units_obstacles
            && let Some(proposed) = self.held.get(&(at as u32)).and_then(|held| held.proposal(id, unit, kind))
        {
            report.moves.push(proposed);
            return;
        }
        if self.astray.get(&(at as u32)).is_some_and(|astray| astray.choices > round.most_choices) {
            // It might go to and fro for ever: an exact search does not.
            self.astray.remove(&(at as u32));
            report.relieved += u32::from(unit.walker.relieve(kind));
        }
        let (from, before) = (unit.walker.position(), budget.spent().total());
        let step = unit.walker.step(kind, budget);
        report.overdrawn +=
            u32::from(kind.bound.is_some_and(|bound| budget.spent().total() - before > bound));
        match step {
            Step::Moved(to) => {
                report.moves.push(Move { unit: id, from, to });
                if to == unit.walker.goal() && !round.are_units_obstacles {
                    unit.status = UnitStatus::Arrived;
                    report.arrived.push(id);
                }
            }
            Step::Waiting => {
                if kind.guide().is_some_and(|guide| !guide.database.is_labelling())
                    && matches!(unit.walker, Walker::Beacons(_))
                {
                    self.note_choice(at, &kind.space);
                }
                return;
            }
            Step::Arrived => {
                unit.status = UnitStatus::Arrived;
                report.arrived.push(id);
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
        if unit.walker.learned() > round.most_learned {
            report.relieved += u32::from(unit.walker.relieve(kind));
        }
        if unit.status != UnitStatus::Walking {
            self.astray.remove(&(at as u32));
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
