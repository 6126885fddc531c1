//! LRTA* with dynamic control: how far it looks ahead, and for which goal, is chosen anew for every move.
//!
//! "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008), Figure 2, whose line 3 this is, sections 5
//! and 6 and Appendix D. In the paper's notation LRTA*(X, Y): X chooses the depth, Y the goal. `lrta*` with
//! neither is LRTA*(F, G); D LRTA* of the later papers is LRTA*(F, PDB).
//!
//! Readings and deviations:
//! - In the goal's own region there is neither a subgoal nor a stored depth: the agent heads for the goal
//!   itself, and looks one action ahead if depths are stored.
//! - The paper has subgoals chosen "per action" (section 6) and when the last one is reached (section 4):
//!   `choose=move`, the default, or `choose=reached`.
//! - An agent that comes back to a state heads for the global goal from there, as in Appendix D. Its depth is
//!   the cap if depths are stored; or that of the third table, if depths towards goals are stored too, and
//!   one action in the goal's own region, for which there is none. The paper does not say for how long. By
//!   default it is for that move alone (`loops=state`); `loops=ever` keeps to the global goal from then on.
//!   To fill a dip in the heuristic on the way to a subgoal an agent comes back to states too, without being
//!   in a loop: `loops=region` heads for the global goal in regions that it has come to for the third time.
//! - The 2009 paper gives no rule against loops of D LRTA*, but one for its own kNN LRTA*: no subgoal is
//!   selected twice. `loops=taboo` is the same for D LRTA*: where the stored subgoal was used before, the
//!   agent heads for the global goal until it comes to another region. With `choose=reached` that comes
//!   nearest to the figures of 2009, and `d-lrta*` has both by default. This reading was chosen for its
//!   figures, among some forty (`docs/papers/d-lrta.md`).
//! - Whichever rule it goes by, the agent arrives: there are only so many states, regions or subgoals to come
//!   to for the first times, and every other move is one of LRTA* with the global goal, which is complete.
//! - `deepen=n` is what the paper leaves for the future: each time the agent comes back to a state, or
//!   region, it looks n actions further from there, up to 100.
//! - On a map that was edited, a subgoal that is no state any more, or out of reach, is passed over for the
//!   goal.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Meter, StateTable, Work};
use surefoot::space::{QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number, put_optional_state};

use super::patterns::{PatternContents, PatternDatabase};
use crate::regions::RegionId;

/// The deepest lookahead that revisits lead to.
const DEEPEST: u64 = 100;

/// When an agent takes it that it walks in a loop, and heads for the global goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    /// In states where it has been before.
    State,
    /// Once it has come back to a state.
    Ever,
    /// In regions that it has come to for the third time.
    Region,
    /// In regions whose subgoal it has used before.
    Taboo,
}

/// How goals are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoalChoice {
    pub loops: Loops,
    /// Whether it keeps to a subgoal until it is reached.
    pub keeps: bool,
    /// How many actions further it looks each time it comes back.
    pub deepen: u32,
}

/// The place in the count of visits that stands for a region: there is a state for each.
fn place_of(region: RegionId) -> State {
    State(region.number())
}

#[derive(Clone, Debug)]
pub(crate) struct DynamicLrta {
    database: Arc<PatternDatabase>,
    /// Whether the database is of no more use: the states have other numbers than when it was made.
    is_outdated: bool,
    /// The depth, if none is stored.
    depth: u32,
    choice: GoalChoice,
    /// The whole errand; that of `lrta` ends at the goal at hand.
    errand: Errand,
    lrta: LrtaStar,
    /// How often the agent has come to each state, or region, or has chosen each subgoal.
    visits: StateTable,
    /// The region that it is in, if regions are counted; with subgoals that are taboo, the one in which it
    /// heads for the goal.
    region: Option<RegionId>,
    /// Whether it has come back to a state since it got its goal.
    has_returned: bool,
    fallbacks: u64,
}

impl DynamicLrta {
    /// An agent that looks `depth` actions ahead where the database has no depths.
    pub(crate) fn new(database: Arc<PatternDatabase>, depth: u32, choice: GoalChoice) -> Self {
        let lrta = LrtaStar::new(Horizon::Plies(depth), database.config().ties);
        Self {
            database,
            is_outdated: false,
            depth,
            choice,
            errand: Errand::NONE,
            lrta,
            visits: StateTable::default(),
            region: None,
            has_returned: false,
            fallbacks: 0,
        }
    }

    /// The same agent with lookaheads that go on to their horizon where they meet the goal.
    pub(crate) fn past_goals(self) -> Self {
        Self { lrta: self.lrta.past_goals(), ..self }
    }

    /// Whether it is on its way to a state, by whatever subgoal. One that has forgotten everything is on its
    /// way to none.
    pub(crate) fn is_bound_for(&self, goal: State) -> bool {
        self.errand.goal == goal && self.lrta.learned().goal().is_some()
    }

    /// Puts it somewhere else.
    pub(crate) fn stand_at(&mut self, state: State) {
        if self.errand.position != state {
            self.errand.position = state;
            self.lrta.stand_at(state);
            self.note_visit();
        }
    }

    /// Forgets everything, and does without its database from now on: the states have got other numbers.
    pub(crate) fn outlive_database(&mut self) {
        self.is_outdated = true;
        self.errand = Errand::NONE;
        self.lrta.forget();
        self.visits.clear();
        (self.region, self.has_returned) = (None, false);
    }

    /// The region of a state; `None` if the database does not know it.
    fn region_of(&self, state: State) -> Option<RegionId> {
        if self.is_outdated { None } else { self.database.region(state) }
    }

    fn contents(&self) -> PatternContents {
        self.database.config().contents
    }

    /// How far it looks where it heads for the goal itself to get out of a loop.
    fn depth_of_escape(&self, regions: Option<(RegionId, RegionId)>) -> u32 {
        if self.contents().has_goal_depths() {
            return regions.and_then(|(from, to)| self.database.goal_depth(from, to)).unwrap_or(1);
        }
        self.contents().cap().unwrap_or(self.depth)
    }

    /// The most actions that it ever looks ahead.
    fn deepest(&self) -> u32 {
        let usual = self.contents().cap().unwrap_or(self.depth);
        if self.choice.deepen > 0 { usual.max(DEEPEST as u32) } else { usual }
    }

    /// Counts that the agent has come to where it stands.
    fn note_visit(&mut self) {
        let mut place = self.errand.position;
        if self.choice.loops == Loops::Taboo {
            return;
        }
        if self.choice.loops == Loops::Region {
            let region = self.region_of(place);
            if region == self.region {
                return;
            }
            self.region = region;
            let Some(region) = region else { return };
            place = place_of(region);
        }
        self.visits.set(place, self.visits.get(place).unwrap_or(0).saturating_add(1));
    }

    /// How often the agent has come to where it stands.
    fn visits_here(&self) -> u64 {
        let place = match self.choice.loops {
            Loops::Region => self.region.map(place_of),
            Loops::State | Loops::Ever => Some(self.errand.position),
            Loops::Taboo => None,
        };
        place.and_then(|place| self.visits.get(place)).unwrap_or(1)
    }

    /// Line 3: the depth and the goal for this move.
    fn choose(&mut self) -> (u32, State) {
        let Errand { position, goal, .. } = self.errand;
        let visits = self.visits_here();
        let deepen = u64::from(self.choice.deepen);
        let deeper = |depth: u32| {
            let more = deepen.saturating_mul(visits.saturating_sub(1));
            u64::from(depth).saturating_add(more).min(DEEPEST.max(depth.into())) as u32
        };
        let is_back = visits > if self.choice.loops == Loops::Region { 2 } else { 1 };
        self.has_returned |= is_back;
        let regions = self.region_of(position).zip(self.region_of(goal));
        let is_in_loop = is_back || self.has_returned && self.choice.loops == Loops::Ever;
        if self.contents().has_subgoals() && is_in_loop {
            self.fallbacks += 1;
            return (deeper(self.depth_of_escape(regions)), goal);
        }
        self.fallbacks += u64::from(self.is_outdated);
        let Some(pattern) = regions.and_then(|(from, to)| self.database.pattern(from, to)) else {
            return (deeper(if self.contents().cap().is_some() { 1 } else { self.depth }), goal);
        };
        let mut target = pattern.subgoal.unwrap_or(goal);
        if self.choice.keeps && ![position, goal].contains(&self.lrta.goal()) {
            target = self.lrta.goal();
        }
        if self.choice.loops == Loops::Taboo && target != goal && self.is_taboo(target) {
            self.fallbacks += 1;
            return (self.depth_of_escape(regions), goal);
        }
        (deeper(pattern.depth.unwrap_or(self.depth)), target)
    }

    /// Whether a subgoal is not to be chosen: it was chosen before, or another one was refused in this
    /// region. If it may be, it is from now on.
    fn is_taboo(&mut self, subgoal: State) -> bool {
        let here = self.region_of(self.errand.position);
        if self.region.is_some() && self.region == here {
            return true;
        }
        self.region = None;
        if self.lrta.is_bound_for(subgoal) {
            return false;
        }
        if self.visits.get(subgoal).is_some() {
            self.region = here;
            return true;
        }
        self.visits.set(subgoal, 1);
        false
    }

    /// A step of LRTA* towards a goal.
    fn head_for(&mut self, world: &impl World, depth: u32, goal: State, meter: &mut Meter) -> Step {
        self.lrta.set_horizon(Horizon::Plies(depth));
        if !self.lrta.is_bound_for(goal) {
            if self.lrta.set_goal(world, goal).is_err() {
                return Step::Unreachable;
            }
            meter.note_subgoal(goal);
        }
        self.lrta.step(world, meter)
    }

    fn forget_visits(&mut self) {
        self.visits.clear();
        self.region = None;
        self.has_returned = false;
        self.note_visit();
    }

    fn check(&self, world: &impl World) -> Result<(), QueryError> {
        if self.is_outdated || self.database.built_for().is_like(world) {
            Ok(())
        } else {
            Err(QueryError::OtherDatabase { built_for: self.database.built_for().to_string() })
        }
    }
}

impl<W: World> Agent<W> for DynamicLrta {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.check(world)?;
        self.errand = Errand::new(world, start, goal)?;
        self.lrta.begin(world, start, goal)?;
        self.forget_visits();
        self.fallbacks = 0;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.check(world)?;
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.lrta.set_goal(world, goal)?;
        self.forget_visits();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        let (depth, goal) = self.choose();
        let mut step = self.head_for(world, depth, goal, meter);
        if !matches!(step, Step::Moved(_)) && goal != self.errand.goal {
            // The map was edited, and the subgoal is no more.
            step = self.head_for(world, depth, self.errand.goal, meter);
        }
        if let Step::Moved(next) = step {
            self.errand.go(next);
            self.note_visit();
        }
        step
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        let (target, goal) = (self.lrta.goal(), self.errand.goal);
        if target == goal { Vec::from([goal]) } else { Vec::from([target, goal]) }
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(Horizon::Plies(self.deepest()).most_expansions()))
    }

    fn memory(&self) -> Memory {
        <LrtaStar as Agent<W>>::memory(&self.lrta)
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.errand.save(out);
        self.lrta.put(out);
        self.visits.save(out);
        put_optional_state(out, self.region.map(place_of));
        out.push(u8::from(self.has_returned) | u8::from(self.is_outdated) << 1);
        put_number(out, self.fallbacks);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let errand = Errand::restore(world, saved)?;
        let mut lrta = self.lrta.clone();
        lrta.restore(world, saved)?;
        if Agent::<W>::position(&lrta) != errand.position {
            return Err(saved.malformed("the agent stands in two places"));
        }
        let visits = StateTable::restore(world.state_limit(), u64::MAX / 4, saved)?;
        let region = saved.optional_state(self.database.regions() as usize)?;
        let region = region.map(|place| RegionId::from_index(place.index()));
        let (has_returned, is_outdated) = match saved.byte()? {
            flags @ 0..4 => (flags & 1 == 1, flags & 2 == 2),
            _ => return Err(saved.malformed("this should be 0 to 3")),
        };
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        (self.errand, self.lrta, self.visits) = (errand, lrta, visits);
        (self.region, self.has_returned, self.fallbacks) = (region, has_returned, fallbacks);
        self.is_outdated = is_outdated;
        Ok(())
    }
}
