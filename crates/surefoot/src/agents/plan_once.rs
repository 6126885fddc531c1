//! Search algorithms as agents: plan the whole path on the first step, then walk it. Not real-time: the first
//! step takes as long as the search. Where an edit of the map has closed the way, a new path is planned.

use alloc::vec::Vec;

use super::{Agent, Step, Work};
use crate::search::{AStar, Answer, Dijkstra, JumpPoints};
use crate::space::{GridSpace, QueryError, State, StateSpace};

/// A search that finds a whole path.
pub(super) trait Planner {
    fn plan(&mut self, space: &GridSpace, start: State, goal: State) -> Result<Answer, QueryError>;
}

impl Planner for AStar {
    fn plan(&mut self, space: &GridSpace, start: State, goal: State) -> Result<Answer, QueryError> {
        self.find(space, &space.octile(), start, goal)
    }
}

impl Planner for Dijkstra {
    fn plan(&mut self, space: &GridSpace, start: State, goal: State) -> Result<Answer, QueryError> {
        self.find(space, start, goal)
    }
}

impl Planner for JumpPoints {
    fn plan(&mut self, space: &GridSpace, start: State, goal: State) -> Result<Answer, QueryError> {
        self.find(space, start, goal)
    }
}

/// Plans once, then walks.
#[derive(Clone, Debug)]
pub(super) struct PlanOnce<P> {
    planner: P,
    position: State,
    goal: State,
    plan: Plan,
    online_states: u64,
}

#[derive(Clone, Debug)]
enum Plan {
    /// Nothing planned yet.
    Open,
    /// What is left to walk, the next state last.
    Walk(Vec<State>),
    Unreachable,
}

impl<P: Planner> PlanOnce<P> {
    pub(super) fn new(planner: P) -> Self {
        Self { planner, position: State(0), goal: State(0), plan: Plan::Walk(Vec::new()), online_states: 0 }
    }
}

impl<P: Planner> Agent for PlanOnce<P> {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        crate::search::check_ends(space, start, goal)?;
        self.position = start;
        self.goal = goal;
        self.plan = Plan::Open;
        self.online_states = 0;
        Ok(())
    }

    fn step(&mut self, space: &GridSpace, work: &mut Work) -> Step {
        if self.position == self.goal {
            return Step::Arrived;
        }
        if let Plan::Walk(rest) = &self.plan
            && rest.last().is_some_and(|&next| !is_legal(space, self.position, next))
        {
            self.plan = Plan::Open;
        }
        if matches!(self.plan, Plan::Open) {
            // The ends were checked when the problem began; a map that was edited since may have lost them.
            let answer = self.planner.plan(space, self.position, self.goal).ok();
            self.plan = Plan::Unreachable;
            if let Some(answer) = answer {
                work.expansions += answer.counts.expanded;
                let states = answer.counts.largest_open + answer.counts.expanded;
                self.online_states = self.online_states.max(states);
                if let Some(mut path) = answer.path {
                    path.states.reverse();
                    path.states.pop();
                    self.plan = Plan::Walk(path.states);
                }
            }
        }
        match &mut self.plan {
            Plan::Walk(rest) => match rest.pop() {
                Some(next) => {
                    self.position = next;
                    Step::Moved(next)
                }
                None => Step::Arrived,
            },
            Plan::Open | Plan::Unreachable => Step::Unreachable,
        }
    }

    fn online_states(&self) -> u64 {
        self.online_states
    }
}

/// Whether one move leads from `from` to `to` on the map as it is now.
fn is_legal(space: &GridSpace, from: State, to: State) -> bool {
    let mut legal = false;
    if space.contains(from) {
        space.for_each_successor(from, |next, _| legal |= next == to);
    }
    legal
}
