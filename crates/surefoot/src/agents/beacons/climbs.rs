//! Climbs that `beacon*` only thinks of: whether they arrive, and what they cost.

use super::walker::Guide;
use crate::search::{Budget, climb_run, climb_to};
use crate::space::{Cost, State};

/// The most steps of a climb that is only thought of: more than a leg that is looked for has.
pub(super) const CHECK: u64 = 2048;
/// The most straight runs of a climb to a goal far off, or to a beacon farther on: one that slides along walls takes a run for every step.
pub(super) const MOST_RUNS: u32 = 160;

impl Guide<'_> {
    /// What a climb costs, in units, if it arrives within [`CHECK`] steps.
    pub(super) fn climb_cost(self, from: State, to: State, budget: &mut Budget) -> Option<u32> {
        let ties = self.database.config().ties;
        let (here, there) = (self.space.cell(from), self.space.cell(to));
        if u64::from(here.moves_to(there)) > CHECK {
            return None;
        }
        climb_to(self.space, from, to, CHECK, ties, budget).map(|climb| self.database.in_units(climb.cost))
    }

    /// The same for a climb of so many runs at most.
    pub(super) fn climb_in_runs(
        self,
        from: State,
        to: State,
        most_runs: u32,
        budget: &mut Budget,
    ) -> Option<u32> {
        let (mut at, mut cost, mut steps) = (from, 0, 0);
        for _ in 0..most_runs {
            if at == to {
                return Some(self.database.in_units(cost));
            }
            if steps >= CHECK {
                return None;
            }
            budget.charge_climb_steps(1);
            let (direction, certain) = climb_run(self.space, at, to, self.database.config().ties)?;
            // Cells are looked at 64 at a time along a run: one that is longer than a climb may be counts as much as that.
            budget.charge_climb_steps(u64::from(certain).min(CHECK - steps).saturating_sub(1));
            steps += u64::from(certain);
            // On ground of different weights a run has one step.
            cost += self.space.step_cost(at, direction) * Cost::from(certain);
            at = self.space.state(self.space.cell(at).after(direction, certain));
        }
        None
    }

    /// What a climb costs that takes so many steps at most, which become fewer by those that it took. One that slides along walls for long is given up.
    pub(super) fn climb_within(
        self,
        from: State,
        to: State,
        steps: &mut u64,
        budget: &mut Budget,
    ) -> Option<u32> {
        let before = budget.spent().climb_steps;
        let (here, there) = (self.space.cell(from), self.space.cell(to));
        let distance = here.moves_to(there);
        let most = u64::from(distance + distance / 4 + 16).min(*steps);
        if u64::from(distance) > most {
            return None;
        }
        let climb = climb_to(self.space, from, to, most, self.database.config().ties, budget);
        *steps = steps.saturating_sub(budget.spent().climb_steps - before);
        climb.map(|climb| self.database.in_units(climb.cost))
    }
}
