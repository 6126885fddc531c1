//! PRA* as an agent: plans, walks what it has planned, and plans again.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step, UselessDatabase};
use surefoot::search::{Meter, Work};
use surefoot::space::{QueryError, Revision, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number, put_states};
use surefoot::store::{Database, shared_as};

use super::refinement::{Allowance, Patience, Progress, Refinement, TopPath};
use crate::abstraction::Abstraction;

/// How many steps back along a path are as much work as one expansion.
const TRACE_STEPS_PER_EXPANSION: u64 = 10;

#[derive(Clone, Debug)]
pub(crate) struct PraAgent {
    search: Refinement,
    /// Planning a frame, in expansions. `None` if a plan is made in one go.
    slice: Option<u64>,
    errand: Errand,
    /// What is left to walk, the next state last.
    rest: Vec<State>,
    /// While a plan is being made: the frames it has taken, and the revision of the world that it is for.
    planning: Option<(u64, Option<Revision>)>,
    memory: Memory,
    fallbacks: u64,
}

impl PraAgent {
    /// PRA*(k), or PRA*(∞) without a k, in wide or narrow corridors.
    pub(crate) fn new(abstraction: Arc<Abstraction>, kept: Option<usize>, is_wide: bool) -> Self {
        Self {
            search: Refinement::new(abstraction, kept, is_wide),
            slice: None,
            errand: Errand::NONE,
            rest: Vec::new(),
            planning: None,
            memory: Memory::default(),
            fallbacks: 0,
        }
    }

    /// s-PRA*.
    pub(crate) fn sliced(abstraction: Arc<Abstraction>, slice: u64, is_wide: bool) -> Self {
        Self { slice: Some(slice), ..Self::new(abstraction, None, is_wide) }
    }

    /// What a frame allows: nine tenths for expanding, the rest for steps back.
    fn allowance(&self) -> Allowance {
        let Some(slice) = self.slice else { return Allowance::UNLIMITED };
        let expansions = (slice * 9 / 10).max(1);
        Allowance { expansions, trace_steps: (slice - expansions).max(1) * TRACE_STEPS_PER_EXPANSION }
    }

    /// Drops all plans.
    fn drop_plans(&mut self) {
        self.rest.clear();
        self.planning = None;
        self.search.forget_goal();
    }

    /// Begins a plan, or goes on with the one that is being made.
    fn plan_on(&mut self, world: &impl World, meter: &mut Meter) -> Progress {
        let revision = world.revision();
        if self.planning.is_some_and(|(_, begun)| begun != revision) {
            self.planning = None;
        }
        if self.planning.is_none() {
            self.search.begin(world, self.errand.position, self.errand.goal);
        }
        let frames = self.planning.map_or(0, |(frames, _)| frames);
        let allowed = self.allowance();
        let mut left = allowed;
        // Only a tape wants to know which nodes they were.
        let progress = if meter.is_recording() {
            let abstraction = Arc::clone(self.search.abstraction());
            self.search.advance(world, &mut left, &mut |level, node| {
                meter.charge_expansion(abstraction.first_state(level, node));
            })
        } else {
            let mut expanded = 0;
            let progress = self.search.advance(world, &mut left, &mut |_, _| expanded += 1);
            meter.charge_expansions(expanded);
            progress
        };
        if self.slice.is_some() {
            meter.charge_trace_steps(allowed.trace_steps - left.trace_steps);
        }
        let counts = self.search.counts();
        self.memory.note(counts.largest_open, counts.expanded);
        self.planning = (progress == Progress::Paused).then_some((frames + 1, revision));
        if self.planning.is_none() {
            self.fallbacks += u64::from(self.search.is_fallback());
        }
        progress
    }
}

impl<W: World> Agent<W> for PraAgent {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, start, goal)?;
        self.drop_plans();
        self.memory = Memory::default();
        self.fallbacks = 0;
        self.search.make_room(world.state_limit());
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.drop_plans();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            // A plan that was begun is one for another revision of the map.
            self.planning = None;
            return step;
        }
        if let Some(next) = self.rest.pop() {
            if self.errand.can_go(world, next) {
                return self.errand.go(next);
            }
            self.drop_plans();
        }
        match self.plan_on(world, meter) {
            Progress::Paused => return Step::Waiting,
            Progress::Failed => return Step::Unreachable,
            Progress::Found => {}
        }
        // The first state of the way is where the agent stands.
        self.rest = self.search.take_way().0;
        self.rest.pop();
        match self.rest.pop() {
            Some(next) if self.errand.can_go(world, next) => self.errand.go(next),
            _ => Step::Unreachable,
        }
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.rest.iter().rev().copied().collect()
    }

    fn bound(&self) -> Option<Work> {
        self.slice?;
        let Allowance { expansions, trace_steps } = self.allowance();
        Some(Work::of_expansions(expansions).with_trace_steps(trace_steps))
    }

    fn memory(&self) -> Memory {
        self.memory
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// What is left of a path on the ground is walked on: each move is looked at before it is made.
    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let abstraction = &shared_as(database).ok_or(UselessDatabase)?;
        self.planning = None;
        self.search.set_abstraction(Arc::clone(abstraction));
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    /// A plan in the making is written as the number of frames that it took: to make it again that far takes
    /// no more than that.
    fn save(&self, world: &W, out: &mut Vec<u8>) {
        self.errand.save(out);
        self.memory.save(out);
        put_number(out, self.fallbacks);
        put_states(out, &self.rest);
        // One for another revision of the map is begun anew.
        let planning = self.planning.filter(|&(_, begun)| begun == world.revision());
        put_number(out, planning.map_or(0, |(frames, _)| frames));
        let (top, patience) = (self.search.top(), self.search.patience());
        put_number(out, patience.plans);
        put_number(out, patience.most);
        put_number(out, top.level as u64);
        let nodes: Vec<State> = top.nodes.iter().copied().map(State).collect();
        put_states(out, &nodes);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let errand = Errand::restore(world, saved)?;
        let memory = Memory::restore(saved)?;
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        let rest = saved.states(world.state_limit())?;
        let frames = saved.number()?;
        let patience = Patience { plans: saved.number()?, most: saved.number()? };
        let top = self.read_top(world.state_limit(), saved)?;
        self.drop_plans();
        (self.errand, self.memory, self.fallbacks, self.rest) = (errand, memory, fallbacks, rest);
        self.search.set_top(top);
        self.search.set_patience(patience);
        if frames > 0 && [errand.position, errand.goal].iter().all(|&state| world.contains(state)) {
            self.search.begin(world, errand.position, errand.goal);
            let mut progress = Progress::Paused;
            for _ in 0..frames {
                progress = self.search.advance(world, &mut self.allowance(), &mut |_, _| ());
                if progress != Progress::Paused {
                    break;
                }
            }
            // A plan that is done before its time is not the one that was saved: the map was edited.
            self.planning = (progress == Progress::Paused).then_some((frames, world.revision()));
        }
        Ok(())
    }
}

impl PraAgent {
    /// Reads a path on the start level. Whether the agent is on it is seen when it is used. One of another
    /// abstraction, repaired since it was saved, need not be a path of this one: then it is forgotten.
    fn read_top(&self, states: usize, saved: &mut Reader<'_>) -> Result<TopPath, CodecError> {
        let level = saved.number()?;
        let nodes: Vec<u32> = saved.states(states)?.into_iter().map(|node| node.0).collect();
        let abstraction = self.search.abstraction();
        let Some(level) = usize::try_from(level).ok().filter(|&level| level < abstraction.levels()) else {
            return Ok(TopPath::default());
        };
        let graph = abstraction.level(level);
        // On the ground the next move is looked at before each plan.
        let is_path = nodes.iter().all(|&node| (node as usize) < graph.count())
            && (level == 0 || nodes.windows(2).all(|pair| graph.edge_to(pair[0], pair[1]).is_some()));
        Ok(if is_path { TopPath { level, nodes } } else { TopPath::default() })
    }
}
