//! `surefoot solve`: one problem, one algorithm, everything about it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use surefoot::formats::read_any_map;
use surefoot::search::{GridPlanner, Planner as _};
use surefoot::space::{Cell, GridSpace, QueryError, Role, State};
use surefoot::tape::{Header, Tape};
use surefoot_draw::{Colour, Picture};
use surefoot_lab::episode::{self, Episode};

use crate::algorithm::{self, Algorithm};
use crate::commands::run::file_name;
use crate::databases::{DatabaseOptions, Databases, Origin};
use crate::failure::Failure;
use crate::level_sheet::{self, LevelPlans};
use crate::number;
use crate::output::{self, Output, tell};
use crate::recording::{RecordingOptions, RecordingOutputs};
use crate::table::{duration, thousands};
use crate::world::{CellArgument, Goal, Placed, WorldOptions, Worlds};

/// Solve one problem with one algorithm
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --render way.png\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --algorithm 'a*'\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --algorithm 'weighted-a*(gamma=0.5)'\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --algorithm 'lrta*' --render walk.gif\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --algorithm 'pra*' --levels --render l.svg\n  \
    surefoot solve --map arena.map --start 1,11 --goal 0,0 --nearest --json\n  \
    surefoot solve --map arena.map --start 1,11 --goal 40,30 --algorithm 'knn-lrta*' --db arena.sfdb\n\n\
    A goal that cannot be reached is an answer, not an error: the exit code is 0. A start or goal that is \
    blocked or outside the map is an error. 'surefoot list' shows the algorithms; without --algorithm it is beacon*, whose database is built first \
    unless --db or --cache has it. Expansions are those of searches and of climbs that an agent thinks of before a move: the bounds of 'surefoot list' name \
    the two apart.\n\
    A film has at most 601 frames: in longer walks a frame stands for several moves. Pale blue is what the \
    agent expanded last, amber to brown what it has learned.\n\
    With --levels each panel shows a level from the coarse one that the plan began on down to the map: the path, in pale blue the \
    corridor that the search kept to, in deeper blue what it expanded, in grey what is planned later (with k).")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// The cell to start from; both numbers count from 0, y downwards
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    start: CellArgument,

    /// The cell to reach
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    goal: CellArgument,

    /// The algorithm, with parameters in parentheses
    #[arg(long, value_name = "SPEC", default_value = algorithm::DEFAULT)]
    algorithm: Algorithm,

    /// If the goal is blocked or cannot be reached, go to the nearest state that can
    #[arg(long)]
    nearest: bool,

    /// Give up after this many moves
    #[arg(long, value_name = "N", value_parser = number::any(), allow_negative_numbers = true)]
    max_moves: Option<u64>,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    database: DatabaseOptions,

    #[command(flatten)]
    recording: RecordingOptions,

    /// Draw how the way was found, a panel for each level of the abstraction; for pra* and s-pra*
    #[arg(long, requires = "render")]
    levels: bool,

    /// Record the walk, for 'surefoot replay'
    #[arg(long, value_name = "FILE")]
    tape: Option<PathBuf>,

    /// Print one line of JSON, with the path
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Refuses to draw levels that there are none of.
    fn check_levels(&self, outputs: &RecordingOutputs) -> Result<(), Failure> {
        if self.levels && !level_sheet::has_levels(&self.algorithm) {
            let message = format!(
                "--levels shows the levels of pra* and s-pra*, but {} has none",
                self.algorithm.name()
            );
            return Err(Failure::usage("solve", message));
        }
        if self.levels && !outputs.have_picture() {
            return Err(Failure::usage("solve", "--levels draws a picture, as .png or .svg, not a film"));
        }
        Ok(())
    }
}

/// Solves the problem and prints what it took.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let others: Vec<&Path> = arguments.tape.iter().map(PathBuf::as_path).collect();
    let inputs: Vec<&Path> = [arguments.map.as_path()]
        .into_iter()
        .chain(arguments.database.inputs())
        .chain(arguments.world.weights.input())
        .collect();
    let mut outputs = arguments.recording.open("solve", &inputs, &others)?;
    arguments.database.check("solve", std::slice::from_ref(&arguments.algorithm))?;
    arguments.check_levels(&outputs)?;
    arguments.world.check("solve", std::slice::from_ref(&arguments.algorithm))?;
    let worlds = arguments.world.worlds(read_any_map(&arguments.map)?)?;
    let tape_output = arguments.tape.as_deref().map(Output::create).transpose()?;
    let (start, asked_goal) = (arguments.start.0, arguments.goal.0);
    let problem = place(&worlds, start, asked_goal, arguments.nearest)?;
    let (space, goal) = (problem.space, problem.goal);

    let mut databases = Databases::new(&arguments.database);
    let mut report = Report::new(arguments, start, asked_goal);
    let is_recorded = tape_output.is_some() || outputs.need_a_tape();
    let mut tape = None;
    let mut plans = None;
    if let Goal::Here(goal) = goal {
        let (algorithm, map) = (&arguments.algorithm, file_name(&arguments.map));
        let mut agent = databases.agent(algorithm, space, &map)?;
        report.database = databases.origin(algorithm, space, &map)?;
        if let Some(database) = databases.database(algorithm, space, &map)?.filter(|_| arguments.levels) {
            plans = Some(LevelPlans::new(algorithm, database, space, (problem.start, goal))?);
        }
        let walk = if is_recorded {
            let header = Header::of_grid(space, problem.start, goal, &arguments.algorithm.name());
            episode::record(Tape::new(header), space, &mut *agent, arguments.max_moves, true).map(
                |(walk, recorded)| {
                    tape = Some(recorded);
                    walk
                },
            )
        } else {
            episode::walk(space, &mut *agent, problem.start, goal, arguments.max_moves, true)
        };
        let optimal = GridPlanner::fastest().plan(space, problem.start, goal)?.cost();
        report.walked(
            space,
            goal,
            &walk.map_err(Failure::other)?,
            optimal.map(|cost| space.units().to_f64(cost)),
        );
    } else if is_recorded {
        // A tape's goal is a state of its world.
        let problem = "the goal lies where the start's kind cannot go, so that there is no walk to record";
        return Err(Failure::other(problem));
    }
    // The files first: if one cannot be written there is no answer either.
    if let Some(output) = outputs.take_picture() {
        let walk: Vec<Cell> = report.path.iter().map(|&[x, y]| Cell::new(x, y)).collect();
        let [x, y] = report.goal;
        // Where there is no way there are no levels to show.
        match plans.filter(|plans| !plans.is_empty()) {
            Some(plans) => output.write_sheet(&plans.draw(worlds.map(), space, &walk))?,
            None => output.write(
                &Picture::new(worlds.map())
                    .with_path(walk, Colour::of_path(0))
                    .with_start(start)
                    .with_goal(Cell::new(x, y)),
            )?,
        }
    }
    if let Some(tape) = &tape {
        outputs.write(worlds.map(), space, tape)?;
        if let Some(output) = tape_output {
            write_tape(output, tape)?;
        }
    }
    if arguments.json { output::print_json_line(&report) } else { output::print(&report.to_text()) }
}

fn write_tape(output: Output, tape: &Tape) -> Result<(), Failure> {
    let name = output.path().display().to_string();
    let bytes = tape.to_bytes();
    output.finish_with(&bytes)?;
    let full = if tape.is_truncated() { "; the walk went on when it was full" } else { "" };
    tell(&format!("wrote {name}: a tape of {} bytes{full}", thousands(bytes.len() as u64)));
    Ok(())
}

/// The problem in its world; with `nearest`, the goal is one that can be reached.
fn place(worlds: &Worlds, start: Cell, goal: Cell, nearest: bool) -> Result<Placed<'_>, QueryError> {
    let placed =
        match worlds.place(start, goal) {
            // Any passable goal stands in for a blocked one until the nearest is known.
            Err(
                QueryError::Blocked { role: Role::Goal, .. } | QueryError::NoRoom { role: Role::Goal, .. },
            ) if nearest => worlds.place(start, start)?,
            other => other?,
        };
    if !nearest || placed.reachable_goal().is_some_and(|state| placed.space.cell(state) == goal) {
        return Ok(placed);
    }
    let instead = placed.space.nearest_reachable(placed.start, goal);
    Ok(Placed { goal: Goal::Here(instead), ..placed })
}

/// What is known about the problem, and how the walk went.
#[derive(Serialize)]
struct Report {
    algorithm: String,
    rule: &'static str,
    cost_model: &'static str,
    start: [u32; 2],
    goal: [u32; 2],
    /// The goal that was asked for, if the nearest reachable state took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_goal: Option<[u32; 2]>,
    solved: bool,
    unreachable: bool,
    cost: Option<f64>,
    optimal_cost: Option<f64>,
    moves: u64,
    expansions: u64,
    expansions_max: u64,
    plan_ns: u64,
    plan_ns_max: u64,
    first_move_ns: u64,
    online_states: u64,
    /// Where the database came from, if the algorithm needs one.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<Origin>,
    /// The cells walked on, from the start on.
    path: Vec<[u32; 2]>,
}

impl Report {
    /// A report on a goal that lies in another world.
    fn new(arguments: &Arguments, start: Cell, goal: Cell) -> Self {
        Self {
            algorithm: arguments.algorithm.name(),
            rule: arguments.world.rule.name(),
            cost_model: arguments.world.cost.name(),
            start: [start.x, start.y],
            goal: [goal.x, goal.y],
            asked_goal: None,
            solved: false,
            unreachable: true,
            cost: None,
            optimal_cost: None,
            moves: 0,
            expansions: 0,
            expansions_max: 0,
            plan_ns: 0,
            plan_ns_max: 0,
            first_move_ns: 0,
            online_states: 0,
            database: None,
            path: Vec::new(),
        }
    }

    fn walked(&mut self, space: &GridSpace, goal: State, walk: &Episode, optimal_cost: Option<f64>) {
        let cell = |state: State| {
            let cell = space.cell(state);
            [cell.x, cell.y]
        };
        if cell(goal) != self.goal {
            self.asked_goal = Some(std::mem::replace(&mut self.goal, cell(goal)));
        }
        self.solved = walk.solved;
        self.unreachable = walk.unreachable;
        self.cost = (!walk.unreachable).then(|| space.units().to_f64(walk.travel_cost));
        self.optimal_cost = optimal_cost;
        self.moves = walk.moves;
        self.expansions = walk.expansions_total;
        self.expansions_max = walk.expansions_max;
        self.plan_ns = walk.plan_ns_total;
        self.plan_ns_max = walk.plan_ns_max;
        self.first_move_ns = walk.first_move_ns;
        self.online_states = walk.memory.states();
        self.path = walk.states.iter().map(|&state| cell(state)).collect();
    }

    fn to_text(&self) -> String {
        let cell = |[x, y]: [u32; 2]| Cell::new(x, y).to_string();
        let mut lines = vec![("algorithm", self.algorithm.clone()), ("start", cell(self.start))];
        lines.push(match self.asked_goal {
            Some(asked) => {
                let instead = format!("{}, the nearest reachable state to {}", cell(self.goal), cell(asked));
                ("goal", instead)
            }
            None => ("goal", cell(self.goal)),
        });
        lines.push((
            "answer",
            match self {
                Self { unreachable: true, .. } => "unreachable: there is no way to the goal".to_string(),
                Self { solved: true, .. } => "solved".to_string(),
                _ => format!("given up after {} moves", thousands(self.moves)),
            },
        ));
        if let Some(cost) = self.cost {
            let label = if self.solved { "cost" } else { "cost so far" };
            lines.push((label, format!("{cost:.5}")));
            lines.extend(self.optimal_cost.map(|optimal| ("optimal cost", format!("{optimal:.5}"))));
            lines.push(("moves", thousands(self.moves)));
        }
        lines.extend(self.database.map(|origin| ("database", origin.to_text())));
        let most = thousands(self.expansions_max);
        let all = thousands(self.expansions);
        lines.push(("expansions", format!("{all} with climbing steps, at most {most} in a move")));
        let longest = duration(self.plan_ns_max as f64);
        lines.push(("time", format!("{}, at most {longest} in a move", duration(self.plan_ns as f64))));
        let mut text = String::new();
        for (label, value) in lines {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{label:<14}{value}");
        }
        text
    }
}
