//! The clocked game of the PRA* paper: what planning costs a unit that must be at its goal soon.
//!
//! A game runs in frames of t_f. In each of them a unit may plan for t_m at most, and it walks s tiles a
//! second. It plans a sequence of moves, and while it walks them it plans the next. With t_i for the planning
//! of sequence i and l_i for its Euclidean length, the frames until it has arrived are, by equation (1) of
//! "Partial Pathfinding Using Map Abstraction and Refinement" (Sturtevant and Buro, 2005, section
//! "Interleaving Path Planning and Execution"),
//!
//! ```text
//! t_sim = ⌈t_1 / t_m⌉ + Σ (i = 2 … n) max(⌈t_i / t_m⌉, ⌈l_(i−1) / (s t_f)⌉) + ⌈l_n / (s t_f)⌉
//! ```
//!
//! Any walk of any agent falls into such sequences. A step in which planning was charged begins a new one;
//! steps that were charged nothing only walk on and belong to it; what a sliced agent plans while it waits
//! belongs to the sequence that follows. So an agent that plans once (A*, s-A*, s-PRA*) has one sequence,
//! PRA*(k) one for each plan, and an agent that plans at every move (LRTA*, RTAA*, TBA* until it has found
//! its way) one for each move. (A plan of PRA*(k) that only takes the next piece of a path on the ground,
//! kept from the first plan, is charged nothing and begins none.) How an agent slices its own planning does
//! not matter: the clock interrupts it when t_m is over, as in the paper.
//!
//! Each sequence takes whole frames. At one tile a frame a diagonal step that is a sequence of its own takes
//! two, where two diagonal steps of one sequence take three: to plan at every move has its price even if
//! planning takes no time at all.
//!
//! What t_i is can be said in two ways, see [`Pace`].

use std::sync::atomic::AtomicBool;

use surefoot::agent::Agent;
use surefoot::search::Work;
use surefoot::space::{GridSpace, State};

use crate::episode::{Episode, EpisodeError, Taken, unless_stopped, watch};

/// The pace of the game and of a unit in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    frame_ms: f64,
    planning_ms: f64,
    speed: f64,
}

/// A clock that cannot tick.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {value}; it must be a number above 0")]
pub struct ClockError {
    /// What is wrong.
    pub what: &'static str,
    /// What it was to be.
    pub value: f64,
}

impl Clock {
    /// A game with frames of `frame_ms` (t_f), in each of which a unit may plan for `planning_ms` (t_m; may
    /// be infinite) and that walks `speed` tiles a second (s).
    ///
    /// # Errors
    /// If one of them is not above 0, or the frame or the speed is infinite.
    pub fn new(frame_ms: f64, planning_ms: f64, speed: f64) -> Result<Self, ClockError> {
        let check =
            |what, value: f64, is_right: bool| is_right.then_some(()).ok_or(ClockError { what, value });
        check("the frame period", frame_ms, frame_ms > 0.0 && frame_ms.is_finite())?;
        check("the planning time a frame", planning_ms, planning_ms > 0.0)?;
        check("the speed", speed, speed > 0.0 && speed.is_finite())?;
        Ok(Self { frame_ms, planning_ms, speed })
    }

    /// The paper's game, 10 frames and 10 tiles a second, with `planning_ms` of planning a frame.
    ///
    /// # Errors
    /// If `planning_ms` is not above 0.
    pub fn of_the_paper(planning_ms: f64) -> Result<Self, ClockError> {
        Self::new(100.0, planning_ms, 10.0)
    }

    /// The planning time a frame, in milliseconds.
    #[must_use]
    pub const fn planning_ms(&self) -> f64 {
        self.planning_ms
    }

    /// The frames until a unit that plans and walks these sequences has arrived: equation (1).
    #[must_use]
    pub fn frames(&self, sequences: &[Sequence], pace: Pace) -> u64 {
        let Some(last) = sequences.last() else { return 0 };
        let mut frames: u64 = 0;
        // While the first is planned there is nothing to walk yet.
        let mut walking = 0;
        for sequence in sequences {
            let planning = whole(sequence.planning_ms(pace) / self.planning_ms);
            frames = frames.saturating_add(planning.max(walking));
            walking = self.frames_to_walk(sequence.length());
        }
        frames.saturating_add(self.frames_to_walk(last.length()))
    }

    /// The same if planning took no time: the least that is possible for this way, in these sequences.
    #[must_use]
    pub fn frames_without_thinking(&self, sequences: &[Sequence]) -> u64 {
        let frames = sequences.iter().map(|sequence| self.frames_to_walk(sequence.length()));
        frames.fold(0, u64::saturating_add)
    }

    /// The frames that it takes to walk so far without a pause.
    #[must_use]
    pub fn frames_to_walk(&self, length: f64) -> u64 {
        whole(length / (self.speed * self.frame_ms / 1000.0))
    }
}

/// The next whole number, or the largest that there is. What is whole but for the rounding of its last digits
/// stays.
fn whole(frames: f64) -> u64 {
    if frames == f64::INFINITY {
        return u64::MAX;
    }
    (frames - frames.abs() * 1e-12).ceil() as u64
}

/// How many times as long `frames` are as `least`; 1 if there was nothing to do.
#[must_use]
pub fn ratio(frames: u64, least: u64) -> f64 {
    if frames == least { 1.0 } else { frames as f64 / least as f64 }
}

/// What the planning time t_i of a sequence is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pace {
    /// What the clock on the wall said: true for this machine, and never twice the same.
    Measured,
    /// The work that was charged, at so many expansions a millisecond: the same on every machine. The paper's
    /// machine made 2.2 expansions a microsecond, that is 2,200 a millisecond.
    Rate(f64),
}

/// The planning times a frame of the paper's game, in milliseconds.
pub const PLANNING_MS: [f64; 3] = [10.0, 2.0, 1.0];

/// The expansions a millisecond on the paper's machine.
pub const RATE_OF_THE_PAPER: f64 = 2200.0;

/// A planning act and the moves that came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sequence {
    /// How long the planning took, in nanoseconds.
    pub planning_ns: u64,
    /// The work of it, in expansions: see [`in_expansions`].
    pub expansions: f64,
    /// The moves along a row or a column.
    pub straight: u64,
    /// The diagonal moves.
    pub diagonal: u64,
}

impl Sequence {
    /// The Euclidean length in tiles, whatever a diagonal move costs.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.straight as f64 + self.diagonal as f64 * std::f64::consts::SQRT_2
    }

    /// The planning time in milliseconds.
    #[must_use]
    pub fn planning_ms(&self, pace: Pace) -> f64 {
        match pace {
            Pace::Measured => self.planning_ns as f64 / 1e6,
            Pace::Rate(expansions_per_ms) => self.expansions / expansions_per_ms,
        }
    }
}

/// Work of all kinds as a number of expansions. A backup and a step of a hill-climbing check look at all
/// neighbours of a state, as an expansion does; ten steps back along a search tree are as much work as one,
/// as in TBA*, and so are ten records that are compared.
#[must_use]
pub fn in_expansions(work: Work) -> f64 {
    (work.expansions + work.backups + work.climb_steps) as f64
        + (work.trace_steps + work.probes) as f64 / 10.0
}

/// Lets `agent` walk as [`walk`](crate::episode::walk) does, and gives the sequences that the walk fell into.
/// It ends when `stop` is set.
///
/// # Errors
/// As for [`walk`](crate::episode::walk), and if it was stopped.
pub fn walk_in_sequences(
    space: &GridSpace,
    agent: &mut dyn Agent,
    start: State,
    goal: State,
    max_moves: Option<u64>,
    stop: &AtomicBool,
) -> Result<(Episode, Vec<Sequence>), EpisodeError> {
    let mut sequencer = Sequencer::default();
    let (episode, _) = watch(None, space, agent, (start, goal), max_moves, false, |taken| {
        sequencer.take(taken);
        unless_stopped(stop)
    })?;
    Ok((episode, sequencer.sequences))
}

/// Steps on their way into sequences.
#[derive(Default)]
struct Sequencer {
    sequences: Vec<Sequence>,
    /// Planning that no move has come of yet.
    planned: Option<Sequence>,
}

impl Sequencer {
    fn take(&mut self, taken: Taken) {
        // A step without work takes next to no time, and most of that is the reading of the clock.
        if taken.work != Work::default() || self.sequences.is_empty() {
            let planned = self.planned.get_or_insert_default();
            planned.planning_ns += taken.ns;
            planned.expansions += in_expansions(taken.work);
        }
        let Some(direction) = taken.moved else { return };
        self.sequences.extend(self.planned.take());
        if let Some(sequence) = self.sequences.last_mut() {
            *(if direction.is_diagonal() { &mut sequence.diagonal } else { &mut sequence.straight }) += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::NEVER;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};
    use surefoot_classics::ROSTER;

    use crate::random::Rng;

    fn sequence(ms: u64, straight: u64, diagonal: u64) -> Sequence {
        // A microsecond an expansion: both paces can be told what they are to say.
        Sequence { planning_ns: ms * 1_000_000, expansions: ms as f64 * 1000.0, straight, diagonal }
    }

    const PACES: [Pace; 2] = [Pace::Measured, Pace::Rate(1000.0)];

    #[test]
    fn equation_1_by_hand() {
        // 3 tiles, 2 diagonal steps or 2.83 tiles, 1 tile; at a tile a frame 3, 3 and 1 frames.
        let sequences = [sequence(5, 3, 0), sequence(1, 0, 2), sequence(9, 1, 0)];
        for (planning_ms, frames) in [
            (2.0, 3 + 3 + 5 + 1),
            (1.0, 5 + 3 + 9 + 1),
            (10.0, 1 + 3 + 3 + 1),
            (0.5, 10 + 3 + 18 + 1),
            (f64::INFINITY, 3 + 3 + 1),
        ] {
            let clock = Clock::of_the_paper(planning_ms).unwrap();
            for pace in PACES {
                assert_eq!(clock.frames(&sequences, pace), frames, "{planning_ms} ms a frame");
            }
            assert_eq!(clock.frames_without_thinking(&sequences), 7);
        }
        // Twice as fast with frames half as long: the same tile a frame. Half as fast: 6, 6 and 2 frames.
        assert_eq!(Clock::new(50.0, 2.0, 20.0).unwrap().frames(&sequences, Pace::Measured), 12);
        assert_eq!(Clock::new(100.0, 2.0, 5.0).unwrap().frames(&sequences, Pace::Measured), 3 + 6 + 6 + 2);
        // One sequence alone: all planning first.
        let clock = Clock::of_the_paper(2.0).unwrap();
        assert_eq!(clock.frames(&[sequence(15, 3, 2)], Pace::Measured), 8 + 6);
    }

    #[test]
    fn whole_frames_stay_whole() {
        // 0.3 tiles a frame: 3 tiles are ten frames, though 3 / 0.3 may be a little more as a floating-point
        // number.
        let clock = Clock::new(100.0, 0.1, 3.0).unwrap();
        for tiles in 1..2000 {
            assert_eq!(clock.frames_to_walk(f64::from(3 * tiles)), 10 * u64::from(tiles as u32));
        }
        let tenths = Sequence { planning_ns: 300_000, expansions: 660.0, straight: 3, diagonal: 0 };
        assert_eq!(clock.frames(&[tenths], Pace::Measured), 3 + 10);
        assert_eq!(clock.frames(&[tenths], Pace::Rate(RATE_OF_THE_PAPER)), 3 + 10);
        let more = Sequence { planning_ns: 300_001, ..tenths };
        assert_eq!(clock.frames(&[more], Pace::Measured), 4 + 10);
    }

    #[test]
    fn less_planning_a_frame_never_makes_it_faster() {
        let mut rng = Rng::new(11, 0);
        for _ in 0..200 {
            let sequences: Vec<Sequence> =
                (0..rng.below(20)).map(|_| sequence(rng.below(30), rng.below(9), 1 + rng.below(9))).collect();
            let mut before = u64::MAX;
            for planning_ms in [0.3, 1.0, 2.0, 7.0, 10.0, 1e9, f64::INFINITY] {
                let clock = Clock::of_the_paper(planning_ms).unwrap();
                let frames = clock.frames(&sequences, Pace::Measured);
                let least = clock.frames_without_thinking(&sequences);
                assert!(least <= frames && frames <= before);
                assert!(ratio(frames, least) >= 1.0);
                before = frames;
            }
            let unlimited = Clock::of_the_paper(f64::INFINITY).unwrap();
            assert_eq!(before, unlimited.frames_without_thinking(&sequences));
        }
    }

    #[test]
    fn nothing_to_do_takes_no_frame() {
        let clock = Clock::of_the_paper(1.0).unwrap();
        assert_eq!((clock.frames(&[], Pace::Measured), clock.frames_without_thinking(&[])), (0, 0));
        assert_eq!((ratio(0, 0), ratio(5, 4), ratio(3, 0)), (1.0, 1.25, f64::INFINITY));
    }

    #[test]
    fn who_hardly_moves_or_plans_never_arrives() {
        let sequences = [sequence(5, 3, 0), sequence(5, 3, 0)];
        // What a frame allows is too little for a number above 0, or for a number of frames.
        for slow in [Clock::new(1e-10, 1.0, 1e-320), Clock::new(100.0, 1.0, 1e-300)] {
            let slow = slow.unwrap();
            assert_eq!(slow.frames(&sequences, Pace::Measured), u64::MAX);
            assert_eq!(slow.frames_without_thinking(&sequences), u64::MAX);
            assert_eq!(slow.frames_to_walk(0.0), 0);
        }
        let clock = Clock::of_the_paper(f64::MIN_POSITIVE).unwrap();
        assert_eq!(clock.frames(&sequences, Pace::Measured), u64::MAX);
        assert_eq!(Clock::of_the_paper(1.0).unwrap().frames(&sequences, Pace::Rate(0.0)), u64::MAX);
    }

    #[test]
    fn clocks_that_cannot_tick_are_refused() {
        for (frame, planning, speed) in [
            (0.0, 1.0, 1.0),
            (-1.0, 1.0, 1.0),
            (f64::INFINITY, 1.0, 1.0),
            (1.0, 0.0, 1.0),
            (1.0, f64::NAN, 1.0),
            (1.0, 1.0, 0.0),
            (1.0, 1.0, f64::INFINITY),
        ] {
            let message = Clock::new(frame, planning, speed).unwrap_err().to_string();
            assert!(message.contains("must be a number above 0"), "{message}");
        }
    }

    fn space() -> GridSpace {
        let grid = grid_from_art("......\n.####.\n....#.\n.##...\n......").unwrap();
        GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14)
    }

    fn walk(spec: &str, goal: Cell) -> (Episode, Vec<Sequence>) {
        let space = space();
        let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
        let (start, goal) = (space.state_at(Cell::new(0, 2)).unwrap(), space.state_at(goal).unwrap());
        walk_in_sequences(&space, &mut *agent, start, goal, Some(10_000), &NEVER).unwrap()
    }

    #[test]
    fn walks_fall_into_sequences() {
        for entry in ROSTER.entries() {
            let spec = entry.quick_spec(64);
            let (episode, sequences) = walk(&spec, Cell::new(5, 1));
            let moves: u64 = sequences.iter().map(|sequence| sequence.straight + sequence.diagonal).sum();
            assert_eq!(moves, episode.moves, "{spec}");
            let length: f64 = sequences.iter().map(Sequence::length).sum();
            // A diagonal step costs 1.4 in this world and is longer than that.
            assert!(length >= space().units().to_f64(episode.travel_cost) - 1e-9, "{spec}");
            assert!(sequences.iter().all(|sequence| sequence.expansions > 0.0), "{spec}");
            let ns: u64 = sequences.iter().map(|sequence| sequence.planning_ns).sum();
            assert!(ns <= episode.plan_ns_total, "{spec}");
        }
        let plans = |spec: &str| walk(spec, Cell::new(5, 1)).1.len() as u64;
        let moves = |spec: &str| walk(spec, Cell::new(5, 1)).0.moves;
        for spec in ["a*", "jps", "pra*", "s-a*(slice=2)", "s-pra*(slice=2)"] {
            assert_eq!(plans(spec), 1, "{spec} plans once");
        }
        for spec in ["lrta*", "rtaa*", "k-lrta*"] {
            assert_eq!(plans(spec), moves(spec), "{spec} plans at every move");
        }
        assert!(plans("tba*(slice=1)") < moves("tba*(slice=1)"), "what is found is only walked");
        assert_eq!(plans("pra*(k=2)"), moves("pra*(k=2)"), "one move a plan");
        assert!((2..moves("pra*(k=4)")).contains(&plans("pra*(k=4)")));
    }

    #[test]
    fn slices_do_not_matter_to_the_clock() {
        let clock = Clock::of_the_paper(1.0).unwrap();
        let frames = |spec: &str| {
            let (episode, sequences) = walk(spec, Cell::new(5, 1));
            assert!(episode.solved);
            (clock.frames(&sequences, Pace::Rate(0.5)), clock.frames_without_thinking(&sequences))
        };
        assert_eq!(frames("s-a*(slice=3)").1, frames("s-a*(slice=100)").1);
        assert_eq!(frames("s-a*(slice=3)").0, frames("s-a*(slice=100)").0);
        assert!(frames("s-a*(slice=3)").0 > 2 * frames("s-a*(slice=3)").1);
    }

    #[test]
    fn who_is_there_has_no_sequence() {
        for spec in ["a*", "pra*(k=2)", "lrta*"] {
            let (episode, sequences) = walk(spec, Cell::new(0, 2));
            assert!(episode.solved && sequences.is_empty(), "{spec}");
        }
    }
}
