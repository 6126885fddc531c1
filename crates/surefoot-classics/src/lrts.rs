//! LRTS: learning real-time search, after Bulitko and Lee (2006), "Learning in real-time search: a unifying
//! framework", whose weight and quota JAIR 2008 and 2010 refer to.
//!
//! The agent looks d actions ahead. For each depth it takes the lowest γ·g + h of the states first met there;
//! the highest of these becomes the value of the state it leaves (max of mins). It then walks all the way to
//! the best state at depth d. Once it has learned more than its quota, it steps back to where it planned last
//! instead of forward, and plans there again with what it knows now.
//!
//! Readings: the total of what was learned is over the whole problem, as a quota for one trial; where there
//! is nothing to step back to, and where nothing is learned, the agent goes forward. With γ = 1, no quota and
//! d = 1 this is LRTA*.
//!
//! It arrives wherever there is a way: where nothing is learned values fall with every move, each step back
//! goes with a value that rises, and values do not rise for ever. Over weights that can take millions of
//! moves, most of all with a small quota (`docs/play/terrain.md`). A goal that is seen is walked to at once,
//! and what that costs is taken for true; over weights a way of more moves may be cheaper.
//!
//! Deviation: path-max, as in LRTA*. Without it the agent can swing for ever between two states each of which
//! sees a way out in a dead end beyond the other.

use alloc::boxed::Box;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Bound, Entry, Errand, Learner, Memory, Parameter, Plain, Scale, Step};
use surefoot::search::{Gamma, Lookahead, Meter, Work, millionths_of};
use surefoot::space::{Cost, QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number, put_states};

#[derive(Clone, Debug)]
pub(super) struct Lrts {
    depth: u32,
    gamma: Gamma,
    /// In millionths of the cheapest move.
    quota: Option<u64>,
    learner: Learner,
    lookahead: Lookahead,
    /// What was learned so far, in units of cost.
    total: Cost,
    /// What is left of the plan, the next state last.
    rest: Vec<State>,
    /// The states walked through so far without the one at hand, and where among them each plan began.
    trail: Vec<State>,
    plans: Vec<usize>,
}

impl Lrts {
    pub(super) fn new(depth: u32, gamma: Gamma, quota: Option<u64>) -> Self {
        Self {
            depth,
            gamma,
            quota,
            learner: Learner::new(),
            lookahead: Lookahead::new(),
            total: 0,
            rest: Vec::new(),
            trail: Vec::new(),
            plans: Vec::new(),
        }
    }

    fn forget_plans(&mut self) {
        self.total = 0;
        self.rest.clear();
        self.trail.clear();
        self.plans.clear();
    }

    /// The place of the best state at the deepest layer that has any (or of the goal), and the new value of
    /// the agent's state. `None` if there is nowhere to go.
    fn weigh(&self, world: &impl World) -> Option<(u32, Cost)> {
        // Path-max: a state is worth no less than the states on the way to it. Parents come before their
        // children.
        let mut values: Vec<Cost> = Vec::new();
        for (state, g, parent) in self.lookahead.met_from(0) {
            let own = self.gamma.of(g) + self.learner.value(world, state);
            let value = values.get(parent as usize).map_or(own, |&on_the_way| own.max(on_the_way));
            values.push(value);
        }
        let value = |node: &(u32, State, Cost)| values[node.0 as usize];
        let best_of = |depth: usize| self.lookahead.layer(depth).min_by_key(|node| (value(node), node.0));
        let mut highest = None;
        let mut target = None;
        for best in (1..=self.depth as usize).map_while(best_of) {
            highest = highest.max(Some(value(&best)));
            target = Some(best.0);
        }
        let goal = self.lookahead.place_of(self.learner.errand.goal).filter(|&place| place != 0);
        match goal {
            Some(goal) => Some((goal, values[goal as usize])),
            None => Some((target?, highest?)),
        }
    }

    /// Plans anew: learns, and sets the way forward or back.
    fn plan_anew(&mut self, world: &impl World, meter: &mut Meter) -> Option<()> {
        let Errand { position, goal, .. } = self.learner.errand;
        let before = meter.spent().expansions;
        let h = |state| self.learner.value(world, state);
        self.lookahead.look_by_layers(world, h, (position, goal), self.depth, meter);
        let expanded = meter.spent().expansions - before;
        self.learner.lists.note(self.lookahead.met().saturating_sub(expanded), expanded);
        let (target, value) = self.weigh(world)?;
        let rise = value.saturating_sub(self.learner.value(world, position));
        self.learner.learned.raise(world, position, value, meter);
        let limit = self.quota.map(|millionths| millionths_of(world.cheapest_move(), millionths));
        let too_much = rise > 0 && limit.is_some_and(|limit| self.total.saturating_add(rise) > limit);
        if too_much && self.trail.last().is_some_and(|&back| !self.learner.errand.can_go(world, back)) {
            // A wall was built behind the agent.
            self.forget_plans();
        }
        if too_much && let Some(begin) = self.plans.pop() {
            // Back along the trail: its last state comes next, so it already lies in the order of `rest`.
            self.rest = self.trail.split_off(begin);
        } else {
            self.total = self.total.saturating_add(rise);
            self.rest = self.lookahead.path_to(target);
            if self.quota.is_some() {
                self.plans.push(self.trail.len());
                self.trail.push(position);
                // The states in between; the last one of the path is where the next plan begins.
                self.trail.extend(self.rest.iter().skip(1).rev());
            }
        }
        Some(())
    }
}

impl<W: World> Agent<W> for Lrts {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        if self.quota.is_some() && !world.is_reversible() {
            return Err(QueryError::NotReversible { algorithm: "lrts with a quota" });
        }
        self.learner.begin(world, start, goal)?;
        self.forget_plans();
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.learner.set_goal(world, goal)?;
        self.forget_plans();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.learner.errand.foregone(world) {
            return step;
        }
        if self.rest.last().is_some_and(|&next| !self.learner.errand.can_go(world, next)) {
            // A wall was built on the way: the trail may be closed too.
            self.forget_plans();
        }
        if self.rest.is_empty() && self.plan_anew(world, meter).is_none() {
            return Step::Unreachable;
        }
        match self.rest.pop() {
            Some(next) => self.learner.errand.go(next),
            None => Step::Unreachable,
        }
    }

    fn position(&self) -> State {
        self.learner.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.rest.iter().rev().copied().collect()
    }

    fn bound(&self) -> Option<Work> {
        let side = 2 * u64::from(self.depth) - 1;
        Some(Work::of_expansions(side * side))
    }

    fn memory(&self) -> Memory {
        self.learner.memory()
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.learner.save(out);
        put_number(out, self.total);
        put_states(out, &self.rest);
        put_states(out, &self.trail);
        for (plan, begin) in self.plans.iter().enumerate() {
            let end = self.plans.get(plan + 1).copied().unwrap_or(self.trail.len());
            put_number(out, (end - begin) as u64);
        }
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let limit = world.state_limit();
        let learner = Learner::restore(world, saved)?;
        let total = saved.number()?;
        let (rest, trail) = (saved.states(limit)?, saved.states(limit)?);
        // The plans' lengths divide the trail.
        let (mut plans, mut begin) = (Vec::new(), 0);
        while begin < trail.len() {
            plans.push(begin);
            match saved.number_up_to((trail.len() - begin) as u64, "this plan is longer than its trail")? {
                0 => return Err(saved.malformed("a plan has a move at least")),
                length => begin += length as usize,
            }
        }
        (self.learner, self.total) = (learner, total);
        (self.rest, self.trail, self.plans) = (rest, trail, plans);
        Ok(())
    }
}

/// `lrts`.
pub(super) const ENTRY: Entry = Entry {
    name: "lrts",
    summary: "plans d moves at once, learns the highest of what each depth says, steps back when it has learned too much",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter { name: "d", default: "3", meaning: "lookahead in actions, and moves a plan, 1 to 100" },
        Parameter {
            name: "gamma",
            default: "1",
            meaning: "weight of the cost so far, above 0 and at most 1",
        },
        Parameter {
            name: "quota",
            default: "none",
            meaning: "how much may be learned before it steps back, in straight moves; none: it never does",
        },
    ],
    bound: Bound::PerMove("(2d - 1)^2 expansions"),
    needs: "moves that can be undone, if there is a quota",
    paper: "after Bulitko, Lee 2006",
    scale: Scale::Fixed,
    make: |arguments| {
        let depth = arguments.number("d", 1..=100)? as u32;
        let quota = match arguments.text("quota") {
            "none" => None,
            _ => Some(arguments.millionths("quota", 0.0..=1e9)?),
        };
        Plain::recipe(Lrts::new(depth, arguments.parse::<Gamma>("gamma")?, quota))
    },
};
