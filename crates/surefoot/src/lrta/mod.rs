//! LRTA*: look around, learn, move (Korf 1990).
//!
//! "Dynamic control in real-time heuristic search" (JAIR 2008), Figure 1, with a fixed depth of `d` actions
//! and the global goal; and "Case-based subgoaling" (JAIR 2010), Figure 1, with a lookahead limited by cost.
//! The comments cite the lines of the latter.
//!
//! Readings and deviations:
//! - The 2008 and 2009 papers do not say how ties are broken: by default to the lower g, which gives the 2009
//!   figures. 2010 breaks them to the higher g.
//! - Path-max, part of the 2008 algorithm, is used with both kinds of lookahead.
//! - A lookahead ends where the goal comes up for expansion, and the goal is its frontier then. No paper says
//!   when it ends; `past-goal=yes` goes on to the horizon, with the goal as one state of the frontier.
//! - 2008 takes g as the cost of a shortest path. Here a state has the cheapest g of the ways with the fewest
//!   actions: ways that are cheaper in more actions are not seen by a lookahead that counts actions.
//! - γ of PR LRTA* (2008, section 7.2) weighs g where the frontier state is found (line 5), not where it is
//!   learned from (line 6).
//! - 2010 has no moves that cost more than gmax. Where there are such, over weights or on graphs, what one of
//!   them leads to from the agent is part of the frontier: else there would be ways to the goal that the
//!   lookahead does not see.
//!
//! It arrives wherever there is a way. Where nothing is learned in a move, path-max makes h fall by the cost
//! of the move, so that it does not come back to a state without having learned; and values do not rise for
//! ever.

mod entry;

pub use self::entry::ENTRY;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::agent::{Agent, Errand, LearnedHeuristic, Learner, Memory, Step};
use crate::search::{Gamma, Horizon, Lookahead, Meter, Ties, Work};
use crate::space::{QueryError, State, World};
use crate::store::codec::{CodecError, Reader, put_optional_state};

/// An agent that looks a fixed horizon ahead and raises the value of the state it leaves.
#[derive(Clone, Debug)]
pub struct LrtaStar {
    horizon: Horizon,
    gamma: Gamma,
    ties: Ties,
    learner: Learner,
    lookahead: Lookahead,
    target: Option<State>,
}

impl LrtaStar {
    /// An agent that has nothing to do yet.
    #[must_use]
    pub fn new(horizon: Horizon, ties: Ties) -> Self {
        let (learner, lookahead) = (Learner::new(), Lookahead::new());
        Self { horizon, gamma: Gamma::ONE, ties, learner, lookahead, target: None }
    }

    /// The same, but for the frontier state with the lowest γg + h if the horizon counts actions.
    #[must_use]
    pub fn weighing(self, gamma: Gamma) -> Self {
        Self { gamma, ..self }
    }

    /// The same agent with lookaheads that go on to their horizon where they meet the goal.
    #[must_use]
    pub fn past_goals(self) -> Self {
        Self { lookahead: Lookahead::past_goals(), ..self }
    }

    /// Where it is to go.
    #[must_use]
    pub fn goal(&self) -> State {
        self.learner.errand.goal
    }

    /// Whether it is on its way to a state. One that has forgotten everything is on its way to none.
    #[must_use]
    pub fn is_bound_for(&self, goal: State) -> bool {
        self.learner.learned.goal() == Some(goal)
    }

    /// Writes what [`Agent::save`] writes, in any world.
    pub fn put(&self, out: &mut Vec<u8>) {
        self.learner.save(out);
        put_optional_state(out, self.target);
    }

    /// What to say without any planning, if that is so.
    pub fn foregone(&mut self, world: &impl World) -> Option<Step> {
        self.learner.errand.foregone(world)
    }

    /// Takes note of the lists of a search that was made beside its own.
    pub fn note_lists(&mut self, met: u64, expanded: u64) {
        self.learner.lists.note(met.saturating_sub(expanded), expanded);
    }

    /// Puts it somewhere else.
    pub fn stand_at(&mut self, state: State) {
        self.learner.errand.position = state;
    }

    /// Forgets where it is and all that it has learned.
    pub fn forget(&mut self) {
        self.learner.forget();
        self.target = None;
    }

    /// How far to look from now on.
    pub fn set_horizon(&mut self, horizon: Horizon) {
        self.horizon = horizon;
    }

    /// What was learned for the goal at hand.
    #[must_use]
    pub fn learned(&self) -> &LearnedHeuristic {
        &self.learner.learned
    }
}

impl<W: World> Agent<W> for LrtaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.learner.begin(world, start, goal)?;
        self.target = None;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.learner.set_goal(world, goal)?;
        self.target = None;
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        // Line 2: until the goal is reached.
        if let Some(step) = self.learner.errand.foregone(world) {
            return step;
        }
        let Errand { position, goal, .. } = self.learner.errand;
        // Lines 4 and 5: the frontier, and its state with the lowest g + h.
        let before = meter.spent().expansions;
        let h = |state| self.learner.value(world, state);
        let outlook = match self.horizon {
            Horizon::Plies(depth) if self.gamma != Gamma::ONE => {
                self.lookahead.look_by_layers(world, h, (position, goal), depth.max(1), meter);
                self.lookahead.outlook_weighing(depth.max(1), goal, self.gamma, self.ties)
            }
            horizon => self.lookahead.look(world, h, (position, goal), horizon, self.ties, meter),
        };
        let expanded = meter.spent().expansions - before;
        self.note_lists(self.lookahead.met(), expanded);
        let Some(outlook) = outlook else { return Step::Unreachable };
        // Line 6: the state that is left learns, and never unlearns.
        self.learner.learned.raise(world, position, outlook.f, meter);
        // Line 7: one step.
        self.target = Some(outlook.best);
        self.learner.errand.go(outlook.first_step)
    }

    fn position(&self) -> State {
        self.learner.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.target.map_or_else(Vec::new, |target| vec![target])
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(self.horizon.most_expansions()))
    }

    fn memory(&self) -> Memory {
        self.learner.memory()
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.put(out);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let learner = Learner::restore(world, saved)?;
        self.target = saved.optional_state(world.state_limit())?;
        self.learner = learner;
        Ok(())
    }
}
