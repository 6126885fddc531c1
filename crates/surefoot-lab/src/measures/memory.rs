//! Memory on line, as "Case-based subgoaling" counts it (sections 8.6 and 8.7): four bytes for every state
//! that is stored.
//!
//! Strictly on-line is what an agent holds for itself: its largest open and closed lists and the states whose
//! values it raised. Cumulative is that with the database, which agents on one map share.

/// What a state takes.
pub const BYTES_A_STATE: f64 = 4.0;

/// The memory of an algorithm on a map, in any one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory {
    /// The database, which all agents share.
    pub shared: f64,
    /// What every agent holds for itself.
    pub strictly_online: f64,
}

impl Memory {
    /// What so many agents take at the same time.
    #[must_use]
    pub fn of_agents(&self, agents: u64) -> f64 {
        self.shared + agents as f64 * self.strictly_online
    }

    /// What one agent takes with its database.
    #[must_use]
    pub fn cumulative(&self) -> f64 {
        self.of_agents(1)
    }

    /// The smallest number of agents that take less memory than as many of another algorithm. `None` if no
    /// number does.
    #[must_use]
    pub fn break_even(&self, other: &Self) -> Option<u64> {
        let gain = other.strictly_online - self.strictly_online;
        let debt = self.shared - other.shared;
        if debt < gain {
            return Some(1);
        }
        // More than this many agents; where there is no gain from one to the next, no number will do.
        (gain > 0.0).then(|| (debt / gain).floor() as u64 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_the_paper_comes_out() {
        // Tables 4 to 6: strictly on-line and cumulative KB, and the break-even point with respect to TBA*.
        let tba = Memory { shared: 0.0, strictly_online: 1353.94 };
        for (strictly_online, cumulative, agents) in [
            (8.62, 265.65, 1),
            (5.04, 1034.08, 1),
            (4.23, 1547.85, 2),
            (4.22, 2062.4, 2),
            (18.76, 87_019.74, 66),
            // Printed as 66; the paper's own figures give 65.
            (11.09, 87_018.50, 65),
            (8.24, 87_066.33, 65),
            (3.04, 87_456.35, 65),
        ] {
            let own = Memory { shared: cumulative - strictly_online, strictly_online };
            assert_eq!(own.break_even(&tba), Some(agents), "{cumulative}");
            assert!(own.of_agents(agents) < tba.of_agents(agents));
            assert!(agents == 1 || own.of_agents(agents - 1) >= tba.of_agents(agents - 1));
            assert!((own.cumulative() - cumulative).abs() < 1e-9);
        }
    }

    #[test]
    fn who_needs_more_for_each_agent_never_gets_even() {
        let other = Memory { shared: 0.0, strictly_online: 10.0 };
        assert_eq!(Memory { shared: 1.0, strictly_online: 10.0 }.break_even(&other), None);
        assert_eq!(Memory { shared: 1.0, strictly_online: 11.0 }.break_even(&other), None);
        assert_eq!(Memory { shared: 0.0, strictly_online: 10.0 }.break_even(&other), None);
        // As much is not less.
        assert_eq!(Memory { shared: 10.0, strictly_online: 5.0 }.break_even(&other), Some(3));
        assert_eq!(Memory { shared: 0.0, strictly_online: 9.0 }.break_even(&other), Some(1));
    }
}
