//! What can wait of keeping databases right: it is done piece by piece after the units were served, within
//! the frame's budget.
//!
//! In work units, upkeep gets half of the budget at most. What it took beyond that, and what edits took at
//! once, is a debt that is paid from the next frames' budgets, half of each at most: so units always have the
//! other half. However large the debt is, an eighth of the budget goes to what could wait: units may wait for
//! it. Where edits take more than there is, for long, what exceeds [`MOST_DEBT`] frames' budgets is let off.

use super::databases::Done;
use super::kind::KindState;
use super::tuning::LOOK_AFTER;
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
        if self.frame.is_multiple_of(LOOK_AFTER) {
            spent += self.kinds.iter_mut().map(KindState::look_at_log).sum::<u64>();
        }
        // Each kind is the first one in its turn.
        for number in (0..kinds).map(|number| (number + first) % kinds) {
            while spent == 0 || spent < most && is_time() {
                // Units need what they go by; but logs must not grow for ever, either.
                let is_for_log = pieces.is_multiple_of(4);
                let Some(done) = self.kinds[number].work_on(is_for_log) else { break };
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
        if !(done.is_new || done.is_labelled || done.is_replaced) {
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
                    (UnitWalker::Beacons(walker), _) if done.is_replaced => {
                        walker.start_over();
                        false
                    }
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
