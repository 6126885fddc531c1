//! Walks with all that happened on them.

use surefoot::agent::{Agent, Step};
use surefoot::search::Meter;
use surefoot::space::{GridSpace, State};
use surefoot::tape::{End, Header, Tape};

use crate::recording::{Recording, direction};

/// The most moves of a walk, and the most steps: moves, and steps in which the agent only planned.
pub const MOST_MOVES: u64 = 1 << 22;

/// The most bytes of events that are recorded: some millions of events, which become four to eight times as
/// many bytes on the page.
pub const MOST_RECORDED: usize = 1 << 23;

/// The most bytes of a tape that is replayed.
pub const MOST_REPLAYED: usize = 1 << 24;

/// A walk, step by step: a step is a move, or planning without one.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// The algorithm.
    pub spec: String,
    /// What the database was built from that the agent went by. `None` if it went by none, or that is not
    /// known.
    pub database: Option<String>,
    /// What the moves cost together, in straight moves.
    pub cost: f64,
    /// How often the agent moved.
    pub moves: u64,
    /// How the walk ended. `None` if the tape does not say.
    pub end: Option<End>,
    /// What was charged in each step: all kinds of work together. Of a tape, the expansions, which is all
    /// that a tape knows.
    pub work: Vec<u32>,
    /// The most that may be charged in a step. `None` if there is no bound, or it is not known.
    pub bound: Option<u64>,
    /// Where the agent stood, what it expanded, raised, headed for.
    pub recording: Recording,
    /// The tape.
    pub tape: Tape,
}

impl Walk {
    /// Lets an agent walk from one state to another. It is stopped after so many moves, or [`MOST_MOVES`]
    /// steps.
    ///
    /// # Errors
    /// If the agent refuses the problem, or makes a move that is not legal.
    pub fn new(
        space: &GridSpace,
        agent: &mut dyn Agent,
        spec: &str,
        (start, goal): (State, State),
        most_moves: u64,
        most_recorded: usize,
    ) -> Result<Self, String> {
        agent.begin(space, start, goal).map_err(|error| error.to_string())?;
        let mut meter = Meter::new();
        let header = Header::of_grid(space, start, goal, spec);
        meter.record_on(Tape::new(header).with_limit(most_recorded));
        let (mut places, mut work) = (Vec::from([start]), Vec::new());
        let (mut position, mut moves, mut end) = (start, 0, None);
        while (moves < most_moves || position == goal) && (work.len() as u64) < MOST_MOVES {
            meter.renew();
            let step = agent.step(space, &mut meter);
            step.note(&mut meter);
            let charged = u32::try_from(meter.spent().total()).unwrap_or(u32::MAX);
            end = match step {
                Step::Arrived => Some(End::Arrived),
                Step::Unreachable => Some(End::Unreachable),
                Step::Stuck => Some(End::Stuck),
                _ => None,
            };
            if let Step::Moved(to) = step {
                if to.index() >= space.grid().cell_count() || direction(space, position, to).is_none() {
                    return Err(format!(
                        "the agent's move from {} is not legal; this is a mistake in the algorithm",
                        space.cell(position)
                    ));
                }
                position = to;
                moves += 1;
            }
            // To say how it ended is no step, unless it was planned for.
            if end.is_none() || charged > 0 {
                places.push(position);
                work.push(charged);
            }
            if end.is_some() {
                break;
            }
        }
        if end.is_none() {
            meter.note_end(End::GivenUp);
        }
        let bound = agent.bound().map(|bound| bound.total());
        let tape = meter.take_tape().ok_or("the tape was lost")?;
        let recording = Recording::read(space, &tape)?.with_steps(places);
        Ok(Self {
            spec: spec.to_string(),
            database: None,
            cost: cost(space, &recording.places),
            moves,
            end: end.or(Some(End::GivenUp)),
            work,
            bound,
            recording,
            tape,
        })
    }

    /// The walk on a tape.
    ///
    /// # Errors
    /// If it is no tape, or one of another map.
    pub fn replay(space: &GridSpace, bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > MOST_REPLAYED {
            let length = bytes.len();
            return Err(format!("this tape has {length} bytes: a page replays {MOST_REPLAYED} at most"));
        }
        let tape = Tape::from_bytes(bytes).map_err(|error| error.to_string())?;
        check_world(space, &tape).map_err(|problem| format!("this tape is of another map: {problem}"))?;
        let recording = Recording::read(space, &tape)
            .map_err(|problem| format!("this tape is of another map: {problem}"))?;
        Ok(Self {
            spec: tape.header().algorithm.clone(),
            database: None,
            cost: cost(space, &recording.places),
            moves: recording.moves,
            end: recording.end,
            work: recording.expansions.clone(),
            bound: None,
            recording,
            tape,
        })
    }

    /// How the walk ended, in a word or two.
    #[must_use]
    pub fn end_name(&self) -> &'static str {
        match self.end {
            Some(End::Arrived) => "arrived",
            Some(End::Unreachable) => "unreachable",
            Some(End::Stuck) => "stuck",
            Some(End::GivenUp) => "given up",
            _ => "unknown",
        }
    }
}

/// What the moves from place to place cost, in straight moves.
fn cost(space: &GridSpace, places: &[State]) -> f64 {
    let moves = places.windows(2).filter_map(|pair| Some((pair[0], direction(space, pair[0], pair[1])?)));
    space.path_cost(moves.map(|(from, direction)| space.step_cost(from, direction)).sum()).to_f64()
}

/// How the world of a tape differs from the one at hand.
fn check_world(space: &GridSpace, tape: &Tape) -> Result<(), String> {
    let header = tape.header();
    let Some(recorded) = header.grid else { return Err("it was recorded on a graph".into()) };
    let (grid, units) = (space.grid(), space.units());
    if (recorded.width, recorded.height) != (grid.width(), grid.height()) {
        let (width, height) = (recorded.width, recorded.height);
        return Err(format!(
            "{width} x {height} cells, and this one has {} x {}",
            grid.width(),
            grid.height()
        ));
    }
    if (recorded.rule, recorded.costs) != (space.rule(), units) {
        let (rule, costs) = (recorded.rule.name(), recorded.costs);
        return Err(format!(
            "the move rule {rule} and costs {costs}; here they are {} and {units}",
            space.rule().name()
        ));
    }
    if recorded.fingerprint != space.fingerprint() {
        return Err("other cells can be walked on here".into());
    }
    for state in [header.start, header.goal] {
        space.locate(space.cell(state)).map_err(|error| error.to_string())?;
    }
    Ok(())
}
