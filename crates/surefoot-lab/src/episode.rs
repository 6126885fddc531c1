//! One agent, one problem: the walk, and what it took. The clock is read here; the library never does.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use surefoot::agent::{Agent, Memory, Step};
use surefoot::search::{Meter, Work};
use surefoot::space::{Cost, Direction, GridSpace, QueryError, Reachability, State, StateSpace};
use surefoot::tape::{End, Tape};

/// A walk from start to goal, or as far as it got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Episode {
    /// Whether the agent arrived.
    pub solved: bool,
    /// Whether the agent said that there is no way.
    pub unreachable: bool,
    /// What the moves cost together.
    pub travel_cost: Cost,
    /// The number of moves.
    pub moves: u64,
    /// States expanded over all steps, those of hill-climbing checks included.
    pub expansions_total: u64,
    /// States expanded in the step that expanded the most.
    pub expansions_max: u64,
    /// Planning time over all steps, in nanoseconds.
    pub plan_ns_total: u64,
    /// The planning time that half of the steps stay within; the lower of the two middle ones.
    pub plan_ns_median: u64,
    /// Planning time of the slowest step.
    pub plan_ns_max: u64,
    /// Planning time of the first step, with what the agent took to begin: how long it stands before it
    /// moves.
    pub first_move_ns: u64,
    /// Planning time of the steps until the agent has gone as far as [`FIRST_STEPS`] straight moves, or to
    /// the end of a shorter walk.
    pub steps20_ns: u64,
    /// Steps in which the agent planned and did not move.
    pub waits: u64,
    /// Moves to states where the agent had been before: scrubbing.
    pub revisits: u64,
    /// Steps of hill-climbing checks in the step that took the most.
    pub climb_steps_max: u64,
    /// Records compared in the step that compared the most.
    pub probes_max: u64,
    /// How often the agent's database had nothing to offer.
    pub fallbacks: u64,
    /// States held in memory, as the papers count.
    pub memory: Memory,
    /// The states on the way, the start included, if they were to be kept.
    pub states: Vec<State>,
}

/// A step of a walk, as [`watch`] tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The planning that was charged. None at all: the agent only walked on as it had planned before.
    pub work: Work,
    /// How long the step took, in nanoseconds; the first also has what the agent took to begin.
    pub ns: u64,
    /// Where the agent moved. `None` if it planned and waited.
    pub moved: Option<Direction>,
    /// Where it stands now.
    pub to: State,
}

/// How far the steps lead that [`Episode::steps20_ns`] is about, in straight moves.
pub const FIRST_STEPS: u64 = 20;

/// For walks and runs that nobody ends early: it is never set.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// What whoever watches says if `stop` is to end it all: [`ControlFlow::Break`] once it is set.
pub fn unless_stopped(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A walk that cannot be told of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpisodeError {
    /// The problem is none on this map.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The agent did what no agent may.
    #[error(
        "move {index} of the agent, from {from} to {to}, is not legal; this is a mistake in the algorithm"
    )]
    IllegalMove {
        /// The move's number, from 1.
        index: u64,
        /// Where it started.
        from: String,
        /// Where it would have ended.
        to: String,
    },
    /// The agent says that there is no way, and there is one.
    #[error(
        "the agent says that there is no way from {position} to {goal}, but both are in one component; this is a \
        mistake in the algorithm"
    )]
    ThereIsAWay {
        /// Where it stands.
        position: String,
        /// Where it should go.
        goal: String,
    },
    /// The agent planned more than its algorithm promises.
    #[error(
        "move {index} of the agent took {spent}, but its bound is {bound}; this is a mistake in the algorithm"
    )]
    BoundBroken {
        /// The move's number, from 1.
        index: u64,
        /// What was charged.
        spent: String,
        /// What the algorithm promises.
        bound: String,
    },
    /// The agent says that it arrived, and stands elsewhere.
    #[error(
        "the agent says that it arrived, but it stands on {position}; this is a mistake in the algorithm"
    )]
    NotThere {
        /// Where it stands.
        position: String,
    },
    /// Whoever watched the walk ended it.
    #[error("the walk was stopped")]
    Stopped,
}

/// Lets `agent` walk from `start` to `goal`, for at most `max_moves` moves. Every move is checked, and so is
/// what the agent says when it stops.
///
/// # Errors
/// If the problem is none on this map, or the agent makes a move that is not legal or says what is not so.
pub fn walk(
    space: &GridSpace,
    agent: &mut dyn Agent,
    start: State,
    goal: State,
    max_moves: Option<u64>,
    keep_states: bool,
) -> Result<Episode, EpisodeError> {
    let go_on = |_| ControlFlow::Continue(());
    watch(None, space, agent, (start, goal), max_moves, keep_states, go_on).map(|(episode, _)| episode)
}

/// As [`walk`], from the tape's start to its goal. All that happens is recorded on it, and how it ended;
/// times include the recording.
///
/// # Errors
/// As for [`walk`].
pub fn record(
    tape: Tape,
    space: &GridSpace,
    agent: &mut dyn Agent,
    max_moves: Option<u64>,
    keep_states: bool,
) -> Result<(Episode, Tape), EpisodeError> {
    let ends = (tape.header().start, tape.header().goal);
    let go_on = |_| ControlFlow::Continue(());
    let (episode, tape) = watch(Some(tape), space, agent, ends, max_moves, keep_states, go_on)?;
    Ok((episode, tape.expect("a tape that goes in comes out")))
}

/// As [`walk`]; `told` hears of every move, and of every step in which the agent waited, and may end the
/// walk. If there is a tape, all that happens is recorded on it; it comes back at the end. The time that
/// `told` takes counts for nothing.
///
/// # Errors
/// As for [`walk`], and if `told` ended it.
pub fn watch(
    tape: Option<Tape>,
    space: &GridSpace,
    agent: &mut dyn Agent,
    (start, goal): (State, State),
    max_moves: Option<u64>,
    keep_states: bool,
    mut told: impl FnMut(Taken) -> ControlFlow<()>,
) -> Result<(Episode, Option<Tape>), EpisodeError> {
    let mut episode = Episode::default();
    let mut position = start;
    let begin = Instant::now();
    agent.begin(space, start, goal)?;
    let bound = agent.bound();
    let mut visited = HashSet::from([start]);
    // What an agent works out before its first step is part of that step.
    let mut waited = nanoseconds(begin);
    if keep_states {
        episode.states.push(start);
    }
    let mut meter = bound.map_or_else(Meter::new, Meter::with_bound);
    if let Some(tape) = tape {
        meter.record_on(tape);
    }
    let mut last = Step::Waiting;
    let mut step_times: Vec<u64> = Vec::new();
    let first_steps = space.units().of_steps(FIRST_STEPS, 0);
    while max_moves.is_none_or(|most| episode.moves < most) || position == goal {
        meter.renew();
        let begin = Instant::now();
        let step = agent.step(space, &mut meter);
        let ns = nanoseconds(begin).saturating_add(std::mem::take(&mut waited));
        step.note(&mut meter);
        last = step;
        // Saying "arrived" is no move, and what it takes is not planning.
        if step == Step::Arrived {
            if position != goal {
                return Err(EpisodeError::NotThere { position: space.cell(position).to_string() });
            }
            episode.solved = true;
            break;
        }
        if let Some(bound) = bound
            && meter.is_overdrawn()
        {
            let (spent, bound) = (meter.spent().to_string(), bound.to_string());
            return Err(EpisodeError::BoundBroken { index: episode.moves + 1, spent, bound });
        }
        // A step of a climb looks at all successors of a state: the papers count it as an expansion.
        let expansions = meter.spent().expansions + meter.spent().climb_steps;
        episode.climb_steps_max = episode.climb_steps_max.max(meter.spent().climb_steps);
        episode.probes_max = episode.probes_max.max(meter.spent().probes);
        episode.expansions_total += expansions;
        episode.expansions_max = episode.expansions_max.max(expansions);
        episode.plan_ns_total += ns;
        episode.plan_ns_max = episode.plan_ns_max.max(ns);
        step_times.push(ns);
        if episode.moves == 0 {
            episode.first_move_ns += ns;
        }
        if episode.travel_cost < first_steps {
            episode.steps20_ns += ns;
        }
        if step == Step::Waiting {
            episode.waits += 1;
            if told(Taken { work: meter.spent(), ns, moved: None, to: position }).is_break() {
                return Err(EpisodeError::Stopped);
            }
            continue;
        }
        if step == Step::Stuck {
            break;
        }
        let Step::Moved(next) = step else {
            if space.reachability(position, goal) == Reachability::Yes {
                let (position, goal) = (space.describe(position), space.describe(goal));
                return Err(EpisodeError::ThereIsAWay { position, goal });
            }
            episode.unreachable = true;
            break;
        };
        let Some(direction) = legal_direction(space, position, next) else {
            return Err(EpisodeError::IllegalMove {
                index: episode.moves + 1,
                from: space.cell(position).to_string(),
                to: if next.index() < space.grid().cell_count() {
                    space.cell(next).to_string()
                } else {
                    format!("state {}", next.0)
                },
            });
        };
        if told(Taken { work: meter.spent(), ns, moved: Some(direction), to: next }).is_break() {
            return Err(EpisodeError::Stopped);
        }
        episode.travel_cost += space.step_cost(position, direction);
        episode.moves += 1;
        position = next;
        if !visited.insert(next) {
            episode.revisits += 1;
        }
        if keep_states {
            episode.states.push(next);
        }
    }
    if matches!(last, Step::Moved(_) | Step::Waiting) {
        meter.note_end(End::GivenUp);
    }
    episode.plan_ns_median = lower_median(&mut step_times);
    episode.memory = agent.memory();
    episode.fallbacks = agent.fallbacks();
    Ok((episode, meter.take_tape()))
}

/// The figure in the middle, the lower one of two; 0 if there is none.
fn lower_median(figures: &mut [u64]) -> u64 {
    let middle = figures.len().saturating_sub(1) / 2;
    if figures.is_empty() { 0 } else { *figures.select_nth_unstable(middle).1 }
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn legal_direction(space: &GridSpace, from: State, to: State) -> Option<Direction> {
    space.moves(from).iter().find(|&direction| space.step(from, direction) == to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};
    use surefoot::store::codec::{CodecError, Reader};
    use surefoot::tape::{Header, Replay};
    use surefoot_classics::ROSTER;

    fn space(art: &str) -> GridSpace {
        GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Diagonal14)
    }

    fn a_star() -> Box<dyn Agent> {
        ROSTER.agent(&"a*".parse().unwrap()).unwrap()
    }

    /// The step that leads past 20 counts, what comes after does not.
    #[test]
    fn the_first_steps_are_timed_until_twenty_have_been_gone() {
        for (side, counted) in [(10, 9), (60, 20)] {
            let space = space(&".".repeat(side));
            let ends = [0, side as u32 - 1].map(|x| space.state_at(Cell::new(x, 0)).unwrap());
            let (mut times, mut agent) = (Vec::new(), a_star());
            let told = |taken: Taken| {
                times.push(taken.ns);
                ControlFlow::Continue(())
            };
            let (walk, _) = watch(None, &space, &mut *agent, (ends[0], ends[1]), None, false, told).unwrap();
            assert_eq!(walk.steps20_ns, times[..counted].iter().sum::<u64>());
        }
    }

    #[test]
    fn a_walk_is_counted() {
        let space = space("....\n....");
        let (start, goal) =
            (space.state_at(Cell::new(0, 0)).unwrap(), space.state_at(Cell::new(3, 1)).unwrap());
        let walk = walk(&space, &mut *a_star(), start, goal, None, true).unwrap();
        assert!(walk.solved && !walk.unreachable);
        assert_eq!((walk.moves, walk.travel_cost), (3, 7 + 5 + 5));
        assert_eq!(walk.states.len(), 4);
        assert_eq!(walk.expansions_total, walk.expansions_max, "all planning is done on the first move");
        assert!(walk.expansions_total >= 3 && walk.memory.states() >= walk.expansions_total);
        assert!(walk.first_move_ns <= walk.plan_ns_max && walk.plan_ns_max <= walk.plan_ns_total);
    }

    #[test]
    fn walks_end_early_where_they_must() {
        let space = space("....#.");
        let state = |x| space.state_at(Cell::new(x, 0)).unwrap();
        let cut = walk(&space, &mut *a_star(), state(0), state(3), Some(2), false).unwrap();
        assert_eq!((cut.solved, cut.unreachable, cut.moves, cut.travel_cost), (false, false, 2, 10));
        assert!(cut.states.is_empty());
        let just = walk(&space, &mut *a_star(), state(0), state(3), Some(3), false).unwrap();
        assert!(just.solved, "three moves are enough for three moves");
        let stay = walk(&space, &mut *a_star(), state(2), state(2), Some(0), false).unwrap();
        assert_eq!((stay.solved, stay.moves), (true, 0));
        let no_way = walk(&space, &mut *a_star(), state(0), state(5), None, false).unwrap();
        assert_eq!((no_way.solved, no_way.unreachable, no_way.moves), (false, true, 0));
    }

    #[test]
    fn a_recorded_walk_is_the_walk_that_is_not() {
        let space = space(".....\n.###.\n..#..");
        let state = |x, y| space.state_at(Cell::new(x, y)).unwrap();
        let (start, goal) = (state(1, 2), state(3, 2));
        for (spec, max_moves, end) in [
            ("lrta*(d=1)", None, End::Arrived),
            ("lrta*(d=1)", Some(2), End::GivenUp),
            ("s-a*(slice=2)", None, End::Arrived),
            ("a*", Some(0), End::GivenUp),
            ("hill-climbing", None, End::Stuck),
        ] {
            let mut agent = ROSTER.agent(&spec.parse().unwrap()).unwrap();
            let plain = walk(&space, &mut *agent, start, goal, max_moves, true).unwrap();
            let tape = Tape::new(Header::of_grid(&space, start, goal, spec));
            let (episode, tape) = record(tape, &space, &mut *agent, max_moves, true).unwrap();
            assert_eq!((&episode.states, episode.waits), (&plain.states, plain.waits), "{spec}");
            assert_eq!(episode.expansions_total, plain.expansions_total, "{spec}");
            let mut replay = Replay::new(&tape);
            let (mut states, mut expansions) = (vec![start], 0);
            while replay.advance() {
                expansions += replay.expansions();
                if replay.moves() as usize == states.len() {
                    states.push(replay.position());
                }
            }
            assert_eq!((states, expansions), (plain.states, plain.expansions_total), "{spec}");
            assert_eq!((replay.waits(), replay.end()), (plain.waits, Some(end)), "{spec}");
        }
    }

    #[test]
    fn whoever_watches_hears_of_every_step_and_ends_the_walk() {
        let space = space(".....\n.###.\n..#..");
        let state = |x, y| space.state_at(Cell::new(x, y)).unwrap();
        let ends = (state(1, 2), state(3, 2));
        let mut agent = ROSTER.agent(&"s-a*(slice=2)".parse().unwrap()).unwrap();
        let mut stood = vec![ends.0];
        let (episode, tape) = watch(None, &space, &mut *agent, ends, None, true, |taken| {
            let before = *stood.last().unwrap();
            assert_eq!(taken.moved.map_or(before, |direction| space.step(before, direction)), taken.to);
            stood.push(taken.to);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(tape.is_none() && episode.waits > 0);
        assert_eq!(stood.len() as u64, 1 + episode.moves + episode.waits);
        stood.dedup();
        assert_eq!(stood, episode.states);
        let mut left = 3;
        let stopped = watch(None, &space, &mut *agent, ends, None, true, |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((stopped, left), (Err(EpisodeError::Stopped), 0));
        let stop = AtomicBool::new(true);
        assert!(unless_stopped(&stop).is_break() && unless_stopped(&NEVER).is_continue());
    }

    /// Says the same thing for ever, and does a piece of work each time.
    #[derive(Clone)]
    struct Fixed(Step, Option<Work>);

    impl Agent for Fixed {
        fn begin(&mut self, _: &GridSpace, _: State, _: State) -> Result<(), QueryError> {
            Ok(())
        }

        fn set_goal(&mut self, _: &GridSpace, _: State) -> Result<(), QueryError> {
            Ok(())
        }

        fn step(&mut self, _: &GridSpace, meter: &mut Meter) -> Step {
            meter.charge_expansions(2);
            self.0
        }

        fn position(&self) -> State {
            State(0)
        }

        fn plan(&self) -> Vec<State> {
            Vec::new()
        }

        fn bound(&self) -> Option<Work> {
            self.1
        }

        fn memory(&self) -> Memory {
            Memory::default()
        }

        fn clone_box(&self) -> Box<dyn Agent> {
            Box::new(self.clone())
        }

        fn save(&self, _: &GridSpace, _: &mut Vec<u8>) {}

        fn restore(&mut self, _: &GridSpace, _: &mut Reader<'_>) -> Result<(), CodecError> {
            Ok(())
        }
    }

    #[test]
    fn broken_promises_are_caught() {
        let space = space("....");
        let go =
            |bound| walk(&space, &mut Fixed(Step::Moved(State(1)), bound), State(0), State(1), None, false);
        // The fake never says that it arrived, so its second move, from its goal to its goal, is caught.
        assert!(matches!(go(None), Err(EpisodeError::IllegalMove { index: 2, .. })));
        assert!(matches!(go(Some(Work::of_expansions(1))), Err(EpisodeError::BoundBroken { index: 1, .. })));
    }

    #[test]
    fn cheats_are_caught() {
        let space = space(".#..");
        let (start, goal) = (State(0), State(3));
        for to in [State(3), State(1), State(0), State(99)] {
            let caught = walk(&space, &mut Fixed(Step::Moved(to), None), start, goal, None, false);
            assert!(matches!(caught, Err(EpisodeError::IllegalMove { index: 1, .. })), "{to:?}");
        }
        let liar = walk(&space, &mut Fixed(Step::Arrived, None), start, goal, None, false).unwrap_err();
        assert!(liar.to_string().contains("stands on (0, 0)"), "{liar}");
        let defeatist =
            walk(&space, &mut Fixed(Step::Unreachable, None), State(2), goal, None, false).unwrap_err();
        assert!(defeatist.to_string().contains("no way from (2, 0) to (3, 0), but"), "{defeatist}");
    }
}
