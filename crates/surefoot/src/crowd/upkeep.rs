//! What can wait of keeping databases right: it is done piece by piece after the units were served, within
//! the frame's budget.
//!
//! In work units, upkeep gets half of the budget at most. What it took beyond that, and what edits took at
//! once, is a debt that is paid from the next frames' budgets, half of each at most: so units always have the
//! other half. However large the debt is, an eighth of the budget goes to what could wait: units may wait for
//! it. Where edits take more than there is, for long, what exceeds [`MOST_DEBT`] frames' budgets is let off.

use super::databases::Done;
use super::kind::KindState;
use super::tuning::{MOST_DEBT, WITHOUT_BUDGET};
use super::unit::UnitStatus;
use super::walker::UnitWalker;
use super::{Crowd, FrameBudget};

impl Crowd {
    /// Pays the debt from a frame's budget. What is left for the units.
    pub(super) fn pay_debt(&mut self, work: u64) -> u64 {
        let paid = self.debt.min(work / 2);
        self.debt = (self.debt - paid).min(work.saturating_mul(MOST_DEBT));
        work - paid
    }

    /// Does what could wait, as far as the budget goes; a piece of it in any case, so that there is an end to
    /// it. What it took.
    pub(super) fn keep_up(&mut self, budget: FrameBudget<'_>) -> u64 {
        let most = match budget {
            FrameBudget::Everyone => WITHOUT_BUDGET,
            FrameBudget::Work(work) => (work / 2).saturating_sub(self.debt).max(work / 8),
            FrameBudget::Time(_) => u64::MAX,
        };
        let is_time = || !matches!(budget, FrameBudget::Time(time_left) if !time_left());
        let (kinds, first) = (self.kinds.len(), self.frame as usize);
        let (mut spent, mut pieces) = (0, first / kinds.max(1));
        // Each kind is the first one in its turn.
        for number in (0..kinds).map(|number| (number + first) % kinds) {
            while spent == 0 || spent < most && is_time() {
                // Databases come first; but links have their turn, too.
                let is_for_links = pieces.is_multiple_of(4);
                let Some(done) = self.kinds[number].work_on(is_for_links) else { break };
                pieces += 1;
                spent += done.work.max(1) + self.pass_on(number as u8, &done);
            }
        }
        spent
    }

    /// Tells the units of a kind that there is something new to go by. How many that are.
    fn pass_on(&mut self, number: u8, done: &Done) -> u64 {
        if done.is_built || done.is_given_up {
            return self.tell_of_build(number, done.is_built);
        }
        let mut told = 0;
        if !(done.is_new || done.is_labelled) {
            return told;
        }
        let kind = &mut self.kinds[usize::from(number)];
        if done.is_new {
            // It was made before, with the same algorithm.
            let _ = kind.renew_prototype();
        } else if done.is_labelled {
            // Other labels take more or less to be looked up.
            let _ = kind.find_bound();
        }
        let database = if done.is_new { kind.databases.main() } else { None };
        // Now databases know what ground costs.
        let is_reweighed = done.is_new && kind.is_reweighed;
        kind.take_reweighed();
        for lane in &mut self.lanes {
            for at in 0..lane.units.len() {
                let unit = &mut lane.units[at];
                if unit.kind != number {
                    continue;
                }
                told += 1;
                let is_walking = unit.status == UnitStatus::Walking;
                let has_no_way = match (&mut unit.walker, &database) {
                    (UnitWalker::Beacons(walker), _) => done.is_labelled && walker.note_labels(),
                    (UnitWalker::Agent(boxed), Some(database)) => {
                        // One that has no use for it goes on as it is.
                        let _ = boxed.agent.use_database(database);
                        false
                    }
                    _ => false,
                };
                // Who waits for labels again and again is to find another way some day.
                if has_no_way && is_walking {
                    lane.note_choice(at, &kind.space);
                }
                if is_reweighed {
                    lane.choose_anew(at, kind);
                }
            }
        }
        told
    }
}

impl KindState {
    /// Whether there is something that could wait.
    pub(super) fn may_have_work(&self) -> bool {
        self.build.is_some() || self.links.are_due() || self.databases.have_work()
    }

    /// Does a piece of what could wait, of links or of databases first; of one that is being built before
    /// all. `None` if there is nothing to do.
    fn work_on(&mut self, is_for_links: bool) -> Option<Done> {
        let done = if is_for_links {
            self.renew_link().or_else(|| self.databases.work_on(&self.space)).or_else(|| self.build_on())
        } else {
            self.build_on().or_else(|| self.databases.work_on(&self.space)).or_else(|| self.renew_link())
        }?;
        if done.is_labelled || done.is_new {
            self.note_answers();
        }
        Some(done)
    }
}
