//! The table that closes a run: a line for each algorithm, the means and the maxima of what its rows say.

use surefoot_lab::summary::Summary;

use crate::table::{NOTHING, Table, duration, thousands};

/// A column of the table.
pub(crate) struct Column {
    /// The head.
    pub(crate) name: &'static str,
    /// What the figures in it are.
    pub(crate) meaning: &'static str,
    show: fn(&Summary) -> String,
}

/// Every column, from left to right.
pub(crate) const COLUMNS: &[Column] = &[
    Column {
        name: "algorithm",
        meaning: "The spec of the algorithm: its name, and in parentheses the parameters that were given.",
        show: |s| s.algorithm.clone(),
    },
    Column {
        name: "solved",
        meaning: "How many of the problems the agent walked to their goals. All columns to the right of the next two are \
            about these only.",
        show: |s| format!("{} of {}", s.solved, s.problems),
    },
    Column {
        name: "cut off",
        meaning: "Problems that have a solution, but whose walk was stopped because it took too many moves, or ended because the agent was stuck.",
        show: |s| s.cut_off.to_string(),
    },
    Column { name: "no way", meaning: "Problems without a solution.", show: |s| s.unreachable.to_string() },
    Column {
        name: "travel cost",
        meaning: "What the moves of a walk cost together: 1 for a straight step, more for a diagonal one. Mean over the \
            problems.",
        show: |s| of_solved(s, format!("{:.2}", s.travel_cost())),
    },
    Column {
        name: "subopt %",
        meaning: "By how many percent the travel cost is above that of a cheapest path. Mean over the problems.",
        show: |s| of_solved(s, format!("{:.2}", s.suboptimality_pct())),
    },
    Column {
        name: "moves",
        meaning: "The number of moves of a walk. Mean over the problems.",
        show: |s| of_solved(s, format!("{:.1}", s.moves())),
    },
    Column {
        name: "exp+climb a move",
        meaning: "States expanded in planning, per move, and the steps of climbs that were only thought of. The papers call both \
            expansions: a measure of work that no machine changes. Mean over the problems.",
        show: |s| of_solved(s, format!("{:.2}", s.expansions_mean())),
    },
    Column {
        name: "max exp+climb",
        meaning: "The same for the one move of all walks that took the most.",
        show: |s| of_solved(s, thousands(s.expansions_max)),
    },
    Column {
        name: "max climb",
        meaning: "Climbing steps of the one move that took the most of them. A bound names expansions and climbing steps apart.",
        show: |s| of_solved(s, thousands(s.climb_steps_max)),
    },
    Column {
        name: "max lookups",
        meaning: "Records, subgoals, corners and labels of a database that the one move looked at that took the most of them: \
            what bounds call records compared, subgoals looked at and lookups.",
        show: |s| of_solved(s, thousands(s.probes_max)),
    },
    Column {
        name: "time/move",
        meaning: "Planning time per move. Mean over the problems.",
        show: |s| time(s, s.plan_ns_mean()),
    },
    Column {
        name: "max time",
        meaning: "Planning time of the slowest move of all walks: the longest that a game would have to wait.",
        show: |s| time(s, s.plan_ns_max as f64),
    },
    Column {
        name: "first move",
        meaning: "Planning time of the first move: how long an agent stands still after an order. Mean over the \
            problems.",
        show: |s| time(s, s.first_move_ns()),
    },
    Column {
        name: "states",
        meaning: "States held in memory for one problem: the largest open list, the largest closed list, and states with \
            a learned value. Mean over the problems.",
        show: |s| of_solved(s, format!("{:.0}", s.online_states())),
    },
];

/// A figure about solved problems, if there are any.
fn of_solved(summary: &Summary, figure: String) -> String {
    if summary.solved == 0 { NOTHING.to_string() } else { figure }
}

/// A time in nanoseconds, if walks were timed.
fn time(summary: &Summary, nanoseconds: f64) -> String {
    if summary.is_timed { of_solved(summary, duration(nanoseconds)) } else { NOTHING.to_string() }
}

/// The table of some summaries.
pub(crate) fn summary_table(summaries: &[Summary]) -> Table {
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    let mut table = Table::new(&names);
    for summary in summaries {
        table.row(COLUMNS.iter().map(|column| (column.show)(summary)).collect());
    }
    table
}
