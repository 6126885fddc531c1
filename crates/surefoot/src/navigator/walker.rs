//! A unit on its way, one move per call.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::task::Poll;

use super::{Navigator, NoWay, PathCost, Snapshot};
use crate::agent::{Agent, Step};
use crate::search::{Meter, Work};
use crate::space::{Cell, GridSpace, QueryError, Role, State};

/// A unit on its way to a goal, one move per call.
///
/// A walker holds on to the snapshot of the map that it was made with: nothing that others do changes its
/// way. After an [edit](Navigator::edit) call [`follow`](Self::follow), or it walks on as if nothing had
/// changed. It learns nothing and is small: thousands can share a navigator. For thousands of them that a
/// frame is to serve together, see [`Crowd`](crate::Crowd).
#[derive(Clone)]
pub struct Walker {
    snapshot: Arc<Snapshot>,
    agent: Box<dyn Agent>,
    goal: Cell,
    /// What the agent heads for: the goal, or the entry of the next link.
    target: State,
    /// The places of the links that it is to take, the next one last.
    links: Vec<u16>,
    /// Whether it has still to choose its links.
    has_to_choose: bool,
    work: Work,
}

impl Walker {
    pub(super) fn new(snapshot: &Arc<Snapshot>, start: Cell, goal: Cell) -> Result<Self, QueryError> {
        let space = snapshot.map.space();
        let (from, to) = space.locate_ends(start, goal)?;
        let mut agent = snapshot.agent.clone_box();
        agent.begin(space, from, to)?;
        Ok(Self {
            snapshot: Arc::clone(snapshot),
            agent,
            goal,
            target: to,
            links: Vec::new(),
            has_to_choose: !snapshot.links.is_empty(),
            work: Work::default(),
        })
    }

    /// Makes the next move: the cell that it leads to. `None` if the walker has arrived.
    ///
    /// All planning that the move takes is done in this call. Where that has to be cut into pieces, take
    /// [`poll_move`](Self::poll_move).
    ///
    /// # Errors
    /// If there is no way.
    pub fn next_move(&mut self) -> Result<Option<Cell>, NoWay> {
        let mut meter = Meter::new();
        loop {
            let step = self.step(&mut meter);
            self.work = meter.spent();
            if let Poll::Ready(answer) = step {
                return answer;
            }
        }
    }

    /// The same within [a constant amount of planning](Navigator::work_bound): `Pending` if the walker has
    /// planned and not moved yet. It goes on with the next call.
    ///
    /// # Errors
    /// If there is no way.
    pub fn poll_move(&mut self) -> Poll<Result<Option<Cell>, NoWay>> {
        let mut meter = Meter::new();
        let step = self.step(&mut meter);
        self.work = meter.spent();
        step
    }

    fn step(&mut self, meter: &mut Meter) -> Poll<Result<Option<Cell>, NoWay>> {
        if self.has_to_choose && self.choose(meter).is_none() {
            return Poll::Ready(Err(NoWay { from: self.position(), goal: self.goal }));
        }
        let space = self.snapshot.map.space();
        let table = self.snapshot.links.links();
        let next = self.links.last().and_then(|&next| table.get(usize::from(next)));
        if let Some(link) = next.filter(|link| self.agent.position() == link.entry) {
            let after = self.links.len().checked_sub(2).and_then(|at| self.links.get(at));
            let after = after.and_then(|&after| table.get(usize::from(after)));
            let target = after.map_or_else(|| space.state_at(self.goal), |after| Some(after.entry));
            // Both were seen to be free when the links were chosen.
            let Some(target) = target.filter(|&to| self.agent.begin(space, link.exit, to).is_ok()) else {
                return Poll::Ready(Err(NoWay { from: self.position(), goal: self.goal }));
            };
            (self.target, _) = (target, self.links.pop());
            return Poll::Ready(Ok(Some(space.cell(link.exit))));
        }
        match self.agent.step(space, meter) {
            Step::Moved(state) => Poll::Ready(Ok(Some(space.cell(state)))),
            Step::Waiting => Poll::Pending,
            Step::Arrived => Poll::Ready(Ok(None)),
            Step::Unreachable | Step::Stuck => {
                Poll::Ready(Err(NoWay { from: self.position(), goal: self.goal }))
            }
        }
    }

    /// Chooses its links, and heads for the first of them. `None` if there is no way.
    fn choose(&mut self, meter: &mut Meter) -> Option<()> {
        let Snapshot { map, answers, links, .. } = &*self.snapshot;
        let (space, from) = (map.space(), self.agent.position());
        let goal = space.state_at(self.goal)?;
        let (choice, work) = links.choose(space, (from, goal), &mut |from, to| {
            let (cost, work) = answers.ask(space, from, to);
            meter.charge_probes(work);
            cost
        });
        meter.charge_probes(work);
        let mut chosen = choice?.links;
        chosen.reverse();
        let first = chosen.last().and_then(|&first| links.links().get(usize::from(first)));
        let target = first.map_or(goal, |first| first.entry);
        if target != self.target {
            self.agent.set_goal(space, target).ok()?;
        }
        (self.target, self.links, self.has_to_choose) = (target, chosen, false);
        Some(())
    }

    /// Where it stands.
    #[must_use]
    pub fn position(&self) -> Cell {
        self.space().cell(self.agent.position())
    }

    /// Where it is to go.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// Whether it stands on its goal.
    #[must_use]
    pub fn has_arrived(&self) -> bool {
        self.position() == self.goal
    }

    /// Gives it another goal where it stands.
    ///
    /// # Errors
    /// If the goal lies outside the map or is blocked, or the walker itself stands on a cell that was
    /// blocked. Then it keeps its old goal.
    pub fn set_goal(&mut self, goal: impl Into<Cell>) -> Result<(), QueryError> {
        let goal = goal.into();
        let state = self.space().locate(goal).map_err(|error| error.at(Role::Goal))?;
        self.agent.set_goal(self.snapshot.map.space(), state)?;
        (self.goal, self.target) = (goal, state);
        self.has_to_choose = !self.snapshot.links.is_empty();
        self.links.clear();
        Ok(())
    }

    /// What the way from here to the goal costs; `None` if there is none. It is found out anew with each
    /// call.
    #[must_use]
    pub fn cost_left(&self) -> Option<PathCost> {
        Navigator { snapshot: Arc::clone(&self.snapshot) }.cost(self.position(), self.goal).ok().flatten()
    }

    /// The planning that the last move took.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Goes on by another navigator: one that was edited, say. It keeps its place and its goal.
    ///
    /// If one of them is blocked now, the next move is an error, until an edit frees it or the walker gets
    /// another goal; a walker that has arrived has nothing more to do. To call this again with the same
    /// navigator costs nothing.
    ///
    /// # Errors
    /// If the navigator is of another kind, or for a map of another size, rule or costs, and the walker's
    /// place or goal is no free cell there. Then it goes on as before.
    pub fn follow(&mut self, navigator: &Navigator) -> Result<(), QueryError> {
        if Arc::ptr_eq(&self.snapshot, &navigator.snapshot) {
            return Ok(());
        }
        let (old, new) = (&self.snapshot, &navigator.snapshot);
        let is_alike = look(old.map.space()) == look(new.map.space());
        if is_alike && self.agent.use_database(&new.database).is_ok() {
            self.has_to_choose = !old.links.is_empty() || !new.links.is_empty();
            self.links.clear();
            self.snapshot = Arc::clone(new);
        } else {
            *self = Self::new(new, self.position(), self.goal)?;
        }
        Ok(())
    }

    fn space(&self) -> &GridSpace {
        self.snapshot.map.space()
    }
}

/// What an edit does not change.
fn look(space: &GridSpace) -> impl PartialEq {
    (space.grid().width(), space.grid().height(), space.rule(), space.units())
}

impl fmt::Debug for Walker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Walker at {}, on its way to {}", self.position(), self.goal)
    }
}
