//! One agent, one problem: the walk, and what it took. The clock is read here; the library never does.

use std::time::Instant;

use surefoot::agents::{Agent, Step, Work};
use surefoot::space::{Cost, Direction, GridSpace, QueryError, State};

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
    /// States expanded over all steps.
    pub expansions_total: u64,
    /// States expanded in the step that expanded the most.
    pub expansions_max: u64,
    /// Planning time over all steps, in nanoseconds.
    pub plan_ns_total: u64,
    /// Planning time of the slowest step.
    pub plan_ns_max: u64,
    /// Planning time of the first step.
    pub first_move_ns: u64,
    /// States held in memory, as the papers count.
    pub online_states: u64,
    /// The states on the way, the start included, if they were to be kept.
    pub states: Vec<State>,
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
    /// The agent says that it arrived, and stands elsewhere.
    #[error(
        "the agent says that it arrived, but it stands on {position}; this is a mistake in the algorithm"
    )]
    NotThere {
        /// Where it stands.
        position: String,
    },
}

/// Lets `agent` walk from `start` to `goal`, for at most `max_moves` moves. Every move is checked.
///
/// # Errors
/// If the problem is none on this map, or the agent makes a move that is not legal.
pub fn walk(
    space: &GridSpace,
    agent: &mut dyn Agent,
    start: State,
    goal: State,
    max_moves: Option<u64>,
    keep_states: bool,
) -> Result<Episode, EpisodeError> {
    let mut episode = Episode::default();
    let mut position = start;
    agent.begin(space, start, goal)?;
    if keep_states {
        episode.states.push(start);
    }
    while max_moves.is_none_or(|most| episode.moves < most) || position == goal {
        let mut work = Work::default();
        let begin = Instant::now();
        let step = agent.step(space, &mut work);
        let ns = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // Saying "arrived" is no move, and what it takes is not planning.
        if step == Step::Arrived {
            if position != goal {
                return Err(EpisodeError::NotThere { position: space.cell(position).to_string() });
            }
            episode.solved = true;
            break;
        }
        episode.expansions_total += work.expansions;
        episode.expansions_max = episode.expansions_max.max(work.expansions);
        episode.plan_ns_total += ns;
        episode.plan_ns_max = episode.plan_ns_max.max(ns);
        if episode.moves == 0 {
            episode.first_move_ns = ns;
        }
        let Step::Moved(next) = step else {
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
        episode.travel_cost += space.step_cost(direction);
        episode.moves += 1;
        position = next;
        if keep_states {
            episode.states.push(next);
        }
    }
    episode.online_states = agent.online_states();
    Ok(episode)
}

fn legal_direction(space: &GridSpace, from: State, to: State) -> Option<Direction> {
    space.moves(from).iter().find(|&direction| space.step(from, direction) == to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::agents::roster;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};

    fn space(art: &str) -> GridSpace {
        GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Diagonal14)
    }

    fn a_star() -> Box<dyn Agent> {
        roster::agent(&"a*".parse().unwrap()).unwrap()
    }

    #[test]
    fn a_walk_is_counted() {
        let space = space("....\n....");
        let (start, goal) = (space.state(Cell::new(0, 0)), space.state(Cell::new(3, 1)));
        let walk = walk(&space, &mut *a_star(), start, goal, None, true).unwrap();
        assert!(walk.solved && !walk.unreachable);
        assert_eq!((walk.moves, walk.travel_cost), (3, 7 + 5 + 5));
        assert_eq!(walk.states.len(), 4);
        assert_eq!(walk.expansions_total, walk.expansions_max, "all planning is done on the first move");
        assert!(walk.expansions_total >= 3 && walk.online_states >= walk.expansions_total);
        assert!(walk.first_move_ns <= walk.plan_ns_max && walk.plan_ns_max <= walk.plan_ns_total);
    }

    #[test]
    fn walks_end_early_where_they_must() {
        let space = space("....#.");
        let state = |x| space.state(Cell::new(x, 0));
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

    /// Says the same thing for ever.
    struct Fixed(Step);

    impl Agent for Fixed {
        fn begin(&mut self, _: &GridSpace, _: State, _: State) -> Result<(), QueryError> {
            Ok(())
        }

        fn step(&mut self, _: &GridSpace, _: &mut Work) -> Step {
            self.0
        }

        fn online_states(&self) -> u64 {
            0
        }
    }

    #[test]
    fn cheats_are_caught() {
        let space = space(".#..");
        let (start, goal) = (State(0), State(3));
        for to in [State(3), State(1), State(0), State(99)] {
            let caught = walk(&space, &mut Fixed(Step::Moved(to)), start, goal, None, false);
            assert!(matches!(caught, Err(EpisodeError::IllegalMove { index: 1, .. })), "{to:?}");
        }
        let liar = walk(&space, &mut Fixed(Step::Arrived), start, goal, None, false).unwrap_err();
        assert!(liar.to_string().contains("stands on (0, 0)"), "{liar}");
    }
}
