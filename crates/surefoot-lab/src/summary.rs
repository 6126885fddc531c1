//! Summaries: the rows of one algorithm as one line of a table.
//!
//! Means are means over problems of what each row says. Walks that did not arrive are counted apart and are
//! in no mean: a walk that was cut off says nothing about how long it would have become.

use crate::rows::Row;

/// What the rows of one algorithm come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The spec of the algorithm.
    pub algorithm: String,
    /// Rows.
    pub problems: u64,
    /// Rows whose agent arrived.
    pub solved: u64,
    /// Rows of problems that have no solution.
    pub unreachable: u64,
    /// Rows whose agent was cut off on a problem that has a solution.
    pub cut_off: u64,
    /// The largest number of states expanded on any move of any solved problem, with climbing steps.
    pub expansions_max: u64,
    /// The largest number of climbing steps among them, on any move of any solved problem.
    pub climb_steps_max: u64,
    /// The largest number of entries of a database that any move of any solved problem looked at.
    pub probes_max: u64,
    /// The slowest move of any solved problem, in nanoseconds.
    pub plan_ns_max: u64,
    /// Whether walks were timed: without that there are no times.
    pub is_timed: bool,
    suboptimality_pct: Vec<f64>,
    totals: Totals,
}

/// Sums over the solved problems.
#[derive(Clone, Debug, Default, PartialEq)]
struct Totals {
    travel_cost: f64,
    moves: f64,
    expansions_mean: f64,
    plan_ns_mean: f64,
    first_move_ns: f64,
    online_states: f64,
}

impl Summary {
    /// A summary of no rows yet.
    pub fn new(algorithm: impl Into<String>) -> Self {
        Self { algorithm: algorithm.into(), ..Self::default() }
    }

    /// Takes a row in.
    pub fn add(&mut self, row: &Row) {
        self.problems += 1;
        if !row.solved {
            match row.optimal_cost {
                Some(_) => self.cut_off += 1,
                None => self.unreachable += 1,
            }
            return;
        }
        self.solved += 1;
        self.expansions_max = self.expansions_max.max(row.expansions_max);
        self.climb_steps_max = self.climb_steps_max.max(row.climb_steps_max);
        self.probes_max = self.probes_max.max(row.probes_max);
        self.is_timed |= row.plan_ns_max.is_some();
        self.plan_ns_max = self.plan_ns_max.max(row.plan_ns_max.unwrap_or(0));
        self.suboptimality_pct.extend(row.suboptimality_pct);
        self.totals.travel_cost += row.travel_cost;
        self.totals.moves += row.moves as f64;
        self.totals.expansions_mean += row.expansions_mean;
        self.totals.plan_ns_mean += row.plan_ns_mean.unwrap_or(0.0);
        self.totals.first_move_ns += row.first_move_ns.unwrap_or(0) as f64;
        self.totals.online_states += row.online_states as f64;
    }

    fn mean(&self, total: f64) -> f64 {
        if self.solved == 0 { 0.0 } else { total / self.solved as f64 }
    }

    /// The mean cost of a walk.
    #[must_use]
    pub fn travel_cost(&self) -> f64 {
        self.mean(self.totals.travel_cost)
    }

    /// The mean suboptimality in percent.
    #[must_use]
    pub fn suboptimality_pct(&self) -> f64 {
        let sum: f64 = self.suboptimality_pct.iter().sum();
        if self.suboptimality_pct.is_empty() { 0.0 } else { sum / self.suboptimality_pct.len() as f64 }
    }

    /// The suboptimality that half of the walks stay within; the lower of the two middle ones.
    #[must_use]
    pub fn suboptimality_median_pct(&self) -> f64 {
        let mut sorted = self.suboptimality_pct.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
    }

    /// The largest suboptimality.
    #[must_use]
    pub fn suboptimality_max_pct(&self) -> f64 {
        self.suboptimality_pct.iter().copied().fold(0.0, f64::max)
    }

    /// The mean number of moves.
    #[must_use]
    pub fn moves(&self) -> f64 {
        self.mean(self.totals.moves)
    }

    /// The mean over problems of the states expanded per move.
    #[must_use]
    pub fn expansions_mean(&self) -> f64 {
        self.mean(self.totals.expansions_mean)
    }

    /// The mean over problems of the planning time per move, in nanoseconds; 0, as all times, if the walks
    /// were not timed.
    #[must_use]
    pub fn plan_ns_mean(&self) -> f64 {
        self.mean(self.totals.plan_ns_mean)
    }

    /// The mean planning time of the first move, in nanoseconds.
    #[must_use]
    pub fn first_move_ns(&self) -> f64 {
        self.mean(self.totals.first_move_ns)
    }

    /// The mean number of states held in memory.
    #[must_use]
    pub fn online_states(&self) -> f64 {
        self.mean(self.totals.online_states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::row;

    #[test]
    fn means_are_over_problems_that_were_solved() {
        let mut summary = Summary::new("a*");
        // 10.4 and 5.4 against 5.4: 92.59 and 0 percent; 10 and 5 moves; 1 and 2 expansions a move.
        summary.add(&row(9, Some(4), true));
        summary.add(&row(4, Some(4), true));
        summary.add(&row(50, Some(4), false));
        summary.add(&row(0, None, false));
        assert_eq!((summary.problems, summary.solved, summary.cut_off, summary.unreachable), (4, 2, 1, 1));
        assert!((summary.suboptimality_pct() - 46.296_296_296_296_3).abs() < 1e-9);
        assert_eq!(summary.suboptimality_median_pct(), 0.0);
        assert!((summary.suboptimality_max_pct() - 92.592_592_592_592_6).abs() < 1e-9);
        assert_eq!((summary.moves(), summary.expansions_mean()), (7.5, 1.5));
        assert!((summary.travel_cost() - 7.9).abs() < 1e-9);
        assert_eq!((summary.expansions_max, summary.plan_ns_max), (6, 700));
        assert_eq!(Summary::new("jps").suboptimality_median_pct(), 0.0);
    }
}
