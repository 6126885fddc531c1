//! Search algorithms as agents: plan the whole path on the first step, then walk it. Not real-time: the first
//! step takes as long as the search.

use alloc::boxed::Box;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Bound, Entry, Errand, Memory, Parameter, Plain, Scale, Step};
use surefoot::search::{AStar, Dijkstra, Gamma, JumpPoints, Meter, Planner, Work};
use surefoot::space::{QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number, put_states};

/// Plans once, then walks.
#[derive(Clone, Debug)]
pub(super) struct PlanOnce<P> {
    planner: P,
    errand: Errand,
    /// What is left to walk, the next state last; nothing before it is planned.
    rest: Option<Vec<State>>,
    memory: Memory,
}

impl<P> PlanOnce<P> {
    pub(super) fn new(planner: P) -> Self {
        Self { planner, errand: Errand::NONE, rest: None, memory: Memory::default() }
    }
}

impl<W: World, P: Planner<W> + Clone + Send + Sync + 'static> Agent<W> for PlanOnce<P> {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.planner.check(world)?;
        self.errand = Errand::new(world, start, goal)?;
        self.rest = None;
        self.memory = Memory::default();
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.planner.check(world)?;
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.rest = None;
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        let next = self.rest.as_ref().and_then(|rest| rest.last());
        if next.is_none_or(|&next| !self.errand.can_go(world, next)) {
            self.rest = None;
            let Errand { position, goal, .. } = self.errand;
            // A search that nobody records does not stop to tell.
            let answer = if meter.is_recording() {
                self.planner.plan_noting(world, position, goal, |state| meter.charge_expansion(state))
            } else {
                let answer = self.planner.plan(world, position, goal);
                meter.charge_expansions(answer.as_ref().map_or(0, |answer| answer.counts.expanded));
                answer
            };
            if let Ok(answer) = answer {
                self.memory.note(answer.counts.largest_open, answer.counts.expanded);
                self.rest = answer.path.map(|path| {
                    let mut states = path.states;
                    states.reverse();
                    states.pop();
                    states
                });
            }
        }
        match self.rest.as_mut().and_then(Vec::pop) {
            Some(next) => self.errand.go(next),
            None => Step::Unreachable,
        }
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.rest.iter().flatten().rev().copied().collect()
    }

    fn bound(&self) -> Option<Work> {
        None
    }

    fn memory(&self) -> Memory {
        self.memory
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.errand.save(out);
        self.memory.save(out);
        put_number(out, u64::from(self.rest.is_some()));
        if let Some(rest) = &self.rest {
            put_states(out, rest);
        }
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let errand = Errand::restore(world, saved)?;
        let memory = Memory::restore(saved)?;
        self.rest = match saved.number_up_to(1, "expected 0 or 1")? {
            0 => None,
            _ => Some(saved.states(world.state_limit())?),
        };
        (self.errand, self.memory) = (errand, memory);
        Ok(())
    }
}

/// `a*`.
pub(super) const A_STAR: Entry = Entry {
    name: "a*",
    summary: "a cheapest path, by A* with the octile distance; plans once, then walks",
    optimal: true,
    complete: true,
    takes_weights: true,
    parameters: &[],
    bound: Bound::NotRealTime,
    needs: "nothing",
    paper: "Hart, Nilsson, Raphael 1968",
    scale: Scale::Fixed,
    make: |_| Plain::recipe(PlanOnce::new(AStar::new())),
};

/// `weighted-a*`.
pub(super) const WEIGHTED: Entry = Entry {
    name: "weighted-a*",
    summary: "a good path with less work: A* with f = gamma g + h; plans once, then walks",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[Parameter {
        name: "gamma",
        default: "0.2",
        meaning: "weight of the cost so far, above 0 and at most 1; 1 is A*",
    }],
    bound: Bound::NotRealTime,
    needs: "nothing",
    paper: "Pohl 1970; weight as in Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
    scale: Scale::Fixed,
    make: |arguments| Plain::recipe(PlanOnce::new(AStar::weighted(arguments.parse::<Gamma>("gamma")?))),
};

/// `dijkstra`.
pub(super) const DIJKSTRA: Entry = Entry {
    name: "dijkstra",
    summary: "a cheapest path without a heuristic; plans once, then walks",
    optimal: true,
    complete: true,
    takes_weights: true,
    parameters: &[],
    bound: Bound::NotRealTime,
    needs: "nothing",
    paper: "Dijkstra 1959",
    scale: Scale::Fixed,
    make: |_| Plain::recipe(PlanOnce::new(Dijkstra::new())),
};

/// `jps`.
pub(super) const JPS: Entry = Entry {
    name: "jps",
    summary: "a cheapest path far faster than A*, by jump points on bitmaps; plans once, then walks",
    optimal: true,
    complete: true,
    takes_weights: false,
    parameters: &[],
    bound: Bound::NotRealTime,
    needs: "a grid whose ground weighs the same everywhere",
    paper: "after Harabor, Grastien 2011 and 2014",
    scale: Scale::Fixed,
    make: |_| Plain::recipe(PlanOnce::new(JumpPoints::new())),
};
