//! PR LRTA* as an agent.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step, UselessDatabase};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Meter, Ties, Work};
use surefoot::space::{QueryError, State, StateSpace, World};
use surefoot::store::codec::{CodecError, Reader, put_number, put_states};
use surefoot::store::{Database, shared_as};

use super::guide::CoarseAgent;
use super::refiner::{End, Refiner, largest_region, node_of};
use crate::abstraction::Abstraction;
use crate::abstraction::corridor::UpperSpace;

#[derive(Clone, Debug)]
pub(crate) struct PrLrta<G> {
    abstraction: Arc<Abstraction>,
    level: usize,
    guide: G,
    refiner: Refiner,
    errand: Errand,
    /// What is left to walk of the move that the guide has made, the next state last.
    rest: Vec<State>,
    /// Whether the abstraction has proved wrong: then LRTA* goes on without it.
    is_lost: bool,
    ground: LrtaStar,
    lists: Memory,
    times_lost: u64,
}

/// A level of an abstraction as the world of a guide; its highest one if it has fewer.
pub(crate) fn guided_level(abstraction: &Abstraction, level: usize) -> UpperSpace<'_> {
    UpperSpace::new(abstraction, level.min(abstraction.levels() - 1), 1)
}

impl<G: CoarseAgent> PrLrta<G> {
    /// An agent whose guide walks a level of the abstraction.
    pub(crate) fn new(abstraction: Arc<Abstraction>, level: usize, ground_depth: u32, guide: G) -> Self {
        Self {
            abstraction,
            level,
            guide,
            refiner: Refiner::new(),
            errand: Errand::NONE,
            rest: Vec::new(),
            is_lost: false,
            ground: LrtaStar::new(Horizon::Plies(ground_depth), Ties::Near),
            lists: Memory::default(),
            times_lost: 0,
        }
    }

    /// Plans the way to the next node, or to the goal where it lies under the same one. `None` if the
    /// abstraction is of no use.
    fn plan_next(&mut self, world: &impl World, meter: &mut Meter) -> Option<()> {
        let Errand { position, goal, .. } = self.errand;
        let abstraction = &*self.abstraction;
        let from = node_of(world, abstraction, self.level, position)?;
        let to = node_of(world, abstraction, self.level, goal)?;
        let end = if from == to {
            End::State(goal)
        } else {
            if !abstraction.same_component(position, goal) {
                return None;
            }
            // Nodes of one component are on one level.
            let level = guided_level(abstraction, self.level);
            self.guide.stand_at(State(from.1));
            if !self.guide.is_bound_for(State(to.1)) {
                self.guide.set_goal(&level, State(to.1)).ok()?;
            }
            let mut spent = Meter::new();
            let step = self.guide.step(&level, &mut spent);
            meter.charge_expansions(spent.spent().expansions);
            let Step::Moved(next) = step else { return None };
            End::Under((from.0, next.0))
        };
        let start = (position, from);
        let (is_found, counts) = self.refiner.refine(world, abstraction, start, end, &mut self.rest, meter);
        self.lists.note(counts.largest_open, counts.expanded);
        if let Some(&last) = self.rest.first() {
            meter.note_subgoal(last);
        }
        is_found.then_some(())
    }

    /// A step of LRTA* on the ground.
    fn step_on_ground(&mut self, world: &impl World, meter: &mut Meter) -> Step {
        let Errand { position, goal, .. } = self.errand;
        self.ground.stand_at(position);
        if !self.ground.is_bound_for(goal) && self.ground.set_goal(world, goal).is_err() {
            return Step::Unreachable;
        }
        let step = self.ground.step(world, meter);
        if let Step::Moved(next) = step {
            self.errand.go(next);
        }
        step
    }

    fn check(&self, world: &impl World) -> Result<(), QueryError> {
        let built_for = self.abstraction.built_for();
        if built_for.is_like(world) {
            Ok(())
        } else {
            Err(QueryError::OtherDatabase { built_for: built_for.to_string() })
        }
    }
}

impl<W: World, G: CoarseAgent> Agent<W> for PrLrta<G> {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.check(world)?;
        self.errand = Errand::new(world, start, goal)?;
        let level = guided_level(&self.abstraction, self.level);
        let name = |state| node_of(world, &self.abstraction, self.level, state);
        let node = |state| name(state).map_or(0, |(_, node)| node);
        // Where there is nothing for it to do, any node will do: it forgets what it has learned.
        let (from, to) = (State(node(start)), State(node(goal)));
        if level.contains(from) && level.contains(to) {
            self.guide.begin(&level, from, to)?;
        } else if level.contains(State(0)) {
            self.guide.begin(&level, State(0), State(0))?;
        }
        self.ground.forget();
        self.rest.clear();
        (self.is_lost, self.times_lost) = (false, 0);
        self.lists = Memory::default();
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.check(world)?;
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.rest.clear();
        self.is_lost = false;
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        if self.is_lost {
            return self.step_on_ground(world, meter);
        }
        if let Some(next) = self.rest.pop() {
            if self.errand.can_go(world, next) {
                return self.errand.go(next);
            }
            self.rest.clear();
        }
        if self.plan_next(world, meter).is_some()
            && let Some(next) = self.rest.pop()
        {
            return self.errand.go(next);
        }
        // The map has changed. What this move may plan is spent.
        self.is_lost = true;
        self.times_lost += 1;
        Step::Waiting
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        if self.is_lost {
            return <LrtaStar as Agent<W>>::plan(&self.ground);
        }
        self.rest.iter().rev().copied().collect()
    }

    fn bound(&self) -> Option<Work> {
        let guide = self.guide.bound()?.expansions;
        let ground = <LrtaStar as Agent<W>>::bound(&self.ground)?.expansions;
        let refined = largest_region(&self.abstraction, self.level);
        Some(Work::of_expansions(guide.saturating_add(refined).max(ground)))
    }

    fn memory(&self) -> Memory {
        let (guide, ground) = (self.guide.memory(), <LrtaStar as Agent<W>>::memory(&self.ground));
        Memory {
            open: self.lists.open.max(guide.open).max(ground.open),
            closed: self.lists.closed.max(guide.closed).max(ground.closed),
            learned: guide.learned + ground.learned,
        }
    }

    fn fallbacks(&self) -> u64 {
        self.times_lost.saturating_add(self.guide.fallbacks())
    }

    /// What is left of a way on the ground is walked on: each move is looked at before it is made. A pattern
    /// database of the level, which takes long to make, is not made anew: the agent goes on over the level
    /// without it.
    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let abstraction = &shared_as(database).ok_or(UselessDatabase)?;
        self.guide.forget_level();
        self.abstraction = Arc::clone(abstraction);
        self.is_lost = false;
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.errand.save(out);
        self.lists.save(out);
        put_states(out, &self.rest);
        out.push(u8::from(self.is_lost));
        put_number(out, self.times_lost);
        self.guide.save(&guided_level(&self.abstraction, self.level), out);
        self.ground.put(out);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let errand = Errand::restore(world, saved)?;
        let lists = Memory::restore(saved)?;
        let rest = saved.states(world.state_limit())?;
        let is_lost = match saved.byte()? {
            0 => false,
            1 => true,
            _ => return Err(saved.malformed("this should be 0 or 1")),
        };
        let times_lost = saved.number_up_to(u64::MAX / 4, "no agent is lost so often")?;
        let (mut guide, mut ground) = (self.guide.clone(), self.ground.clone());
        guide.restore(&guided_level(&self.abstraction, self.level), saved)?;
        ground.restore(world, saved)?;
        (self.errand, self.lists, self.rest) = (errand, lists, rest);
        (self.is_lost, self.times_lost) = (is_lost, times_lost);
        (self.guide, self.ground) = (guide, ground);
        Ok(())
    }
}
