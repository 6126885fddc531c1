//! Rows: one for each walk, as comma-separated values or as a JSON object a line.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use surefoot::space::{Cell, Cost, CostUnits};

use crate::clock::{Clock, PLANNING_MS, Pace, Sequence};
use crate::episode::Episode;

/// What is known of a walk. The fields are the columns, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The spec of the algorithm.
    pub algorithm: String,
    /// The name of the map.
    pub map: String,
    /// The start's column.
    pub start_x: u32,
    /// The start's row.
    pub start_y: u32,
    /// The goal's column.
    pub goal_x: u32,
    /// The goal's row.
    pub goal_y: u32,
    /// The optimal cost as the problem's file prints it.
    pub file_cost: Option<String>,
    /// The optimal cost as we find it. `None` if there is no way.
    pub optimal_cost: Option<f64>,
    /// What the walk cost, as far as it got.
    pub travel_cost: f64,
    /// By how many percent that is above the optimal cost. `None` if the walk did not arrive.
    pub suboptimality_pct: Option<f64>,
    /// The number of moves.
    pub moves: u64,
    /// States expanded per move.
    pub expansions_mean: f64,
    /// States expanded on the move that took the most.
    pub expansions_max: u64,
    /// Planning time per move, in nanoseconds; nothing, here and in all times below, if the walk was not
    /// timed.
    pub plan_ns_mean: Option<f64>,
    /// The planning time that half of the steps stay within; the lower of the two middle ones.
    pub plan_ns_median: Option<u64>,
    /// Planning time of the slowest move.
    pub plan_ns_max: Option<u64>,
    /// Planning time of the first move.
    pub first_move_ns: Option<u64>,
    /// Planning time until the agent has gone as far as 20 straight moves, or to the end of a shorter walk.
    #[serde(default)]
    pub steps20_ns: Option<u64>,
    /// States held in memory, as the papers count.
    pub online_states: u64,
    /// Whether the agent arrived.
    pub solved: bool,
    /// Moves to states where the agent had been before: scrubbing.
    pub revisits: u64,
    /// States with a learned value.
    pub raised_states: u64,
    /// The largest open list of any one search.
    pub largest_open: u64,
    /// The largest closed list of any one search.
    pub largest_closed: u64,
    /// How often the database had nothing to offer.
    pub fallbacks: u64,
    /// Hill-climbing steps on the move that took the most: they are part of the expansions above.
    pub climb_steps_max: u64,
    /// Records compared on the move that compared the most.
    pub probes_max: u64,
    /// What the database was built from. `None` if there is none.
    pub database: Option<String>,
    /// All planning of the walk in the [clocked game](crate::clock), in milliseconds at the pace of the game;
    /// nothing, here and below, if the walk was not put on that clock.
    pub planning_ms: Option<f64>,
    /// The same in expansions.
    pub planning_expansions: Option<f64>,
    /// The frames until arrival with 10 ms of planning a frame.
    pub frames_10_ms: Option<u64>,
    /// The same with 2 ms.
    pub frames_2_ms: Option<u64>,
    /// The same with 1 ms.
    pub frames_1_ms: Option<u64>,
    /// The frames that the walk would take without any thinking.
    pub frames_without_thinking: Option<u64>,
    /// The frames that a shortest path takes in one go, without any thinking.
    pub frames_of_shortest: Option<u64>,
}

/// A problem as its row names it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowProblem<'a> {
    /// The name of the map.
    pub map: &'a str,
    /// Where it starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The optimal cost as the problem's file prints it.
    pub file_cost: Option<String>,
    /// The optimal cost as we find it. `None` if there is no way.
    pub optimal_cost: Option<Cost>,
}

impl Row {
    /// The row of a walk.
    #[must_use]
    pub fn new(algorithm: String, problem: &RowProblem<'_>, walk: &Episode, costs: CostUnits) -> Self {
        // Costs are equal as whole numbers or not at all: a walk at optimal cost is at 0 percent exactly.
        let suboptimality = |optimal: Cost| match (walk.travel_cost == optimal, optimal) {
            (true, _) => 0.0,
            (false, 0) => f64::INFINITY,
            (false, _) => 100.0 * (costs.to_f64(walk.travel_cost) / costs.to_f64(optimal) - 1.0),
        };
        let per_move = |total: u64| if walk.moves == 0 { 0.0 } else { total as f64 / walk.moves as f64 };
        Self {
            algorithm,
            map: problem.map.to_owned(),
            start_x: problem.start.x,
            start_y: problem.start.y,
            goal_x: problem.goal.x,
            goal_y: problem.goal.y,
            file_cost: problem.file_cost.clone(),
            optimal_cost: problem.optimal_cost.map(|cost| costs.to_f64(cost)),
            travel_cost: costs.to_f64(walk.travel_cost),
            suboptimality_pct: problem.optimal_cost.filter(|_| walk.solved).map(suboptimality),
            moves: walk.moves,
            expansions_mean: per_move(walk.expansions_total),
            expansions_max: walk.expansions_max,
            plan_ns_mean: Some(per_move(walk.plan_ns_total)),
            plan_ns_median: Some(walk.plan_ns_median),
            plan_ns_max: Some(walk.plan_ns_max),
            first_move_ns: Some(walk.first_move_ns),
            steps20_ns: Some(walk.steps20_ns),
            online_states: walk.memory.states(),
            solved: walk.solved,
            revisits: walk.revisits,
            raised_states: walk.memory.learned,
            largest_open: walk.memory.open,
            largest_closed: walk.memory.closed,
            fallbacks: walk.fallbacks,
            climb_steps_max: walk.climb_steps_max,
            probes_max: walk.probes_max,
            database: None,
            planning_ms: None,
            planning_expansions: None,
            frames_10_ms: None,
            frames_2_ms: None,
            frames_1_ms: None,
            frames_without_thinking: None,
            frames_of_shortest: None,
        }
    }

    /// The same row with what the walk comes to in the clocked game of the PRA* paper.
    #[must_use]
    pub fn in_game(self, sequences: &[Sequence], pace: Pace) -> Self {
        let clocks = PLANNING_MS.map(|ms| Clock::of_the_paper(ms).expect("the paper's clock ticks"));
        let [frames_10_ms, frames_2_ms, frames_1_ms] =
            clocks.map(|clock| Some(clock.frames(sequences, pace)));
        // Without thinking it is the same whatever the planning time is.
        let [clock, ..] = clocks;
        Self {
            planning_ms: Some(sequences.iter().map(|sequence| sequence.planning_ms(pace)).sum()),
            planning_expansions: Some(sequences.iter().map(|sequence| sequence.expansions).sum()),
            frames_10_ms,
            frames_2_ms,
            frames_1_ms,
            frames_without_thinking: Some(clock.frames_without_thinking(sequences)),
            frames_of_shortest: self.optimal_cost.map(|length| clock.frames_to_walk(length)),
            ..self
        }
    }

    /// The same row without times: for walks that shared the machine with others, whose times say nothing.
    #[must_use]
    pub fn untimed(self) -> Self {
        Self {
            plan_ns_mean: None,
            plan_ns_median: None,
            plan_ns_max: None,
            first_move_ns: None,
            steps20_ns: None,
            ..self
        }
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values, after a line with the names of the columns.
    Csv,
    /// A JSON object a line.
    JsonLines,
}

/// The columns: the fields of [`Row`] in their order.
pub const COLUMNS: [Column; 35] = [
    Column::text("algorithm"),
    Column::text("map"),
    Column::whole("start_x"),
    Column::whole("start_y"),
    Column::whole("goal_x"),
    Column::whole("goal_y"),
    Column::text("file_cost"),
    Column::number("optimal_cost"),
    Column::number("travel_cost"),
    Column::number("suboptimality_pct"),
    Column::whole("moves"),
    Column::number("expansions_mean"),
    Column::whole("expansions_max"),
    Column::number("plan_ns_mean"),
    Column::whole("plan_ns_median"),
    Column::whole("plan_ns_max"),
    Column::whole("first_move_ns"),
    Column::whole("steps20_ns"),
    Column::whole("online_states"),
    Column::flag("solved"),
    Column::whole("revisits"),
    Column::whole("raised_states"),
    Column::whole("largest_open"),
    Column::whole("largest_closed"),
    Column::whole("fallbacks"),
    Column::whole("climb_steps_max"),
    Column::whole("probes_max"),
    Column::text("database"),
    Column::number("planning_ms"),
    Column::number("planning_expansions"),
    Column::whole("frames_10_ms"),
    Column::whole("frames_2_ms"),
    Column::whole("frames_1_ms"),
    Column::whole("frames_without_thinking"),
    Column::whole("frames_of_shortest"),
];

/// A column of a table of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name: that of the field.
    pub name: &'static str,
    /// What is in it.
    pub kind: ColumnKind,
}

/// What a column holds, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Words.
    Text,
    /// A whole number from 0.
    Whole,
    /// Any number.
    Number,
    /// Yes or no.
    Flag,
}

impl Column {
    /// A column of words.
    #[must_use]
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Text }
    }

    /// A column of whole numbers.
    #[must_use]
    pub const fn whole(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Whole }
    }

    /// A column of numbers.
    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Number }
    }

    /// A column of yes or no.
    #[must_use]
    pub const fn flag(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Flag }
    }
}

/// Writes rows. CSV begins with the names of the columns, even if no row follows.
pub enum RowWriter<W: Write> {
    /// As [`Format::Csv`].
    Csv {
        /// Where rows go; the first brings the names of the columns with it.
        writer: Box<csv::Writer<W>>,
        /// Whether there was a row.
        has_rows: bool,
    },
    /// As [`Format::JsonLines`].
    JsonLines(W),
}

impl<W: Write> RowWriter<W> {
    /// A writer to `out`.
    pub fn new(out: W, format: Format) -> Self {
        match format {
            Format::Csv => Self::Csv { writer: Box::new(csv::Writer::from_writer(out)), has_rows: false },
            Format::JsonLines => Self::JsonLines(out),
        }
    }

    /// Writes a row; before the first, the names of the columns where the format has them.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        match self {
            Self::Csv { writer, has_rows } => {
                *has_rows = true;
                writer.serialize(row).map_err(io::Error::from)
            }
            Self::JsonLines(out) => {
                serde_json::to_writer(&mut *out, row)?;
                out.write_all(b"\n")
            }
        }
    }

    /// Writes what is still in memory and gives `out` back.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Csv { mut writer, has_rows } => {
                if !has_rows {
                    writer.write_record(COLUMNS.map(|column| column.name))?;
                }
                writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
            }
            Self::JsonLines(mut out) => {
                out.flush()?;
                Ok(out)
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use surefoot::agent::Memory;
    use surefoot::space::CostModel;

    pub(crate) fn row(travel_steps: u64, optimal_steps: Option<u64>, solved: bool) -> Row {
        let costs: CostUnits = "1.4".parse().unwrap();
        let problem = RowProblem {
            map: "a, b.map",
            start: Cell::new(1, 2),
            goal: Cell::new(3, 4),
            file_cost: Some("105.8".to_owned()),
            optimal_cost: optimal_steps.map(|steps| costs.of_steps(steps, 1)),
        };
        let walk = Episode {
            solved,
            travel_cost: costs.of_steps(travel_steps, 1),
            moves: travel_steps + 1,
            expansions_total: 10,
            expansions_max: 6,
            plan_ns_total: 1000,
            plan_ns_median: 90,
            plan_ns_max: 700,
            first_move_ns: 700,
            steps20_ns: 800,
            revisits: 2,
            memory: Memory { open: 1, closed: 3, learned: 5 },
            ..Episode::default()
        };
        Row::new("a*".to_owned(), &problem, &walk, costs)
    }

    #[test]
    fn the_columns_are_these() {
        let mut writer = RowWriter::new(Vec::new(), Format::Csv);
        writer.write(&row(9, Some(4), true)).unwrap();
        writer.write(&row(4, None, false)).unwrap();
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        assert_eq!(
            text,
            "algorithm,map,start_x,start_y,goal_x,goal_y,file_cost,optimal_cost,travel_cost,suboptimality_pct,moves,\
             expansions_mean,expansions_max,plan_ns_mean,plan_ns_median,plan_ns_max,first_move_ns,steps20_ns,online_states,solved,\
             revisits,raised_states,largest_open,largest_closed,fallbacks,climb_steps_max,probes_max,database,\
             planning_ms,planning_expansions,frames_10_ms,frames_2_ms,frames_1_ms,frames_without_thinking,frames_of_shortest\n\
             a*,\"a, b.map\",1,2,3,4,105.8,5.4,10.4,92.59259259259258,10,1.0,6,100.0,90,700,700,800,9,true,2,5,1,3,0,0,0,,,,,,,,\n\
             a*,\"a, b.map\",1,2,3,4,105.8,,5.4,,5,2.0,6,200.0,90,700,700,800,9,false,2,5,1,3,0,0,0,,,,,,,,\n"
        );
    }

    #[test]
    fn a_file_without_rows_has_its_columns() {
        let write = |rows: &[Row], format| {
            let mut writer = RowWriter::new(Vec::new(), format);
            rows.iter().for_each(|row| writer.write(row).unwrap());
            String::from_utf8(writer.finish().unwrap()).unwrap()
        };
        let header = write(&[], Format::Csv);
        assert_eq!(header.trim_end(), COLUMNS.map(|column| column.name).join(","));
        assert!(write(&[row(4, Some(4), true)], Format::Csv).starts_with(&header));
        assert_eq!(write(&[], Format::JsonLines), "");
    }

    #[test]
    fn costs_are_printed_exactly() {
        let with_costs = |costs: &str, cost: Cost| {
            let costs = costs.parse().unwrap();
            let walk = Episode { solved: true, travel_cost: cost, moves: 0, ..Episode::default() };
            let (start, goal) = (Cell::new(0, 0), Cell::new(0, 0));
            let problem = RowProblem { map: "m", start, goal, file_cost: None, optimal_cost: Some(cost) };
            let mut writer = RowWriter::new(Vec::new(), Format::Csv);
            writer.write(&Row::new("a*".to_owned(), &problem, &walk, costs)).unwrap();
            let text = String::from_utf8(writer.finish().unwrap()).unwrap();
            text.lines().nth(1).unwrap().to_owned()
        };
        // Every number of tenths prints with one decimal, whatever sum it came from.
        for tenths in [0_u64, 14, 28, 30, 1058, 999_998, 12_345_678] {
            let line = with_costs("1.4", tenths / 2);
            let cost = format!("{}.{}", tenths / 10, tenths % 10);
            assert_eq!(
                line,
                format!("a*,m,0,0,0,0,,{cost},{cost},0.0,0,0.0,0,0.0,0,0,0,0,0,true,0,0,0,0,0,0,0,,,,,,,,")
            );
        }
        // Over weights costs are counted in halves.
        assert_eq!(with_costs("1.4,weighted", 1058), with_costs("1.4", 529));
        let line = with_costs("sqrt2", CostModel::Sqrt2.of_steps(3, 2));
        assert!(line.starts_with("a*,m,0,0,0,0,,5.82842712474619,5.82842712474619,0.0,"), "{line}");
    }

    #[test]
    fn json_rows_come_back() {
        let mut writer = RowWriter::new(Vec::new(), Format::JsonLines);
        let rows = [row(9, Some(4), true), row(4, None, false)];
        rows.iter().for_each(|row| writer.write(row).unwrap());
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let back: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(back, rows);
    }

    #[test]
    fn a_walk_at_optimal_cost_is_at_zero_percent() {
        assert_eq!(row(4, Some(4), true).suboptimality_pct, Some(0.0));
    }
}
