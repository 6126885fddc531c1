//! The search of PRA*: down from the start level, each level in the corridor that the path above it marks out (Figure 4).
//! It can be paused after every step.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::corridor::{Corridor, UpperSpace};
use crate::database::{Abstraction, Level};
use crate::search::{CalendarQueue, Run, Scratch, SearchCounts};
use crate::space::{Cost, State, StateSpace, World};

/// What may still be done before the next pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    pub(super) expansions: u64,
    /// Steps back along a path that was found.
    pub(super) trace_steps: u64,
}

impl Allowance {
    pub(super) const UNLIMITED: Self = Self { expansions: u64::MAX, trace_steps: u64::MAX };
}

/// Where a search on a level ends.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// At this node.
    Node(u32),
    /// At any child of this node of the level above.
    ChildOf(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// There is more to do.
    Paused,
    /// There is a way to walk.
    Found,
    /// There is none.
    Failed,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The search on this level comes next, is under way, or has found its target, from which its path is traced back.
    Entering,
    Searching,
    Tracing(u32),
    Over(Progress),
}

/// The path on the start level, kept while the agent is on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TopPath {
    pub(super) level: usize,
    /// From the start to the goal.
    pub(super) nodes: Vec<u32>,
}

/// How many plans PRA*(k) has made for this goal, and how many it makes in wide corridors before it goes on in narrow ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Patience {
    pub(super) plans: u64,
    pub(super) most: u64,
}

/// The search with its scratch memory, which is used again by every query.
#[derive(Clone, Debug)]
pub(super) struct Refinement {
    abstraction: Arc<Abstraction>,
    /// How many nodes of each path are refined: k, or all.
    kept: Option<usize>,
    /// Whether the neighbours of a path belong to its corridor.
    is_wide: bool,
    patience: Patience,
    ground: Scratch<CalendarQueue>,
    upper: Scratch<CalendarQueue>,
    /// Nodes on the path above, marked with the number of the corridor.
    marks: Vec<u32>,
    round: u32,
    /// The ancestors of both ends, from the ground up to the start level.
    starts: Vec<u32>,
    goals: Vec<u32>,
    top: TopPath,
    level: usize,
    /// Whether the search keeps to the corridor, and whether it does without the abstraction.
    is_in_corridor: bool,
    is_fallback: bool,
    target: Target,
    /// What the estimate goes by: a node of this level.
    aim: u32,
    /// Whether no path was cut so far: then the way leads to the goal.
    is_whole: bool,
    phase: Phase,
    /// The path found last, from its end back to its start.
    way: Vec<u32>,
    cost: Cost,
    counts: SearchCounts,
    current: SearchCounts,
}

impl Refinement {
    pub(super) fn new(abstraction: Arc<Abstraction>, kept: Option<usize>, is_wide: bool) -> Self {
        Self {
            abstraction,
            kept: kept.map(|kept| kept.max(2)),
            is_wide,
            patience: Patience::default(),
            ground: Scratch::default(),
            upper: Scratch::default(),
            marks: Vec::new(),
            round: 0,
            starts: Vec::new(),
            goals: Vec::new(),
            top: TopPath::default(),
            level: 0,
            is_in_corridor: false,
            is_fallback: false,
            target: Target::Node(0),
            aim: 0,
            is_whole: true,
            phase: Phase::Over(Progress::Failed),
            way: Vec::new(),
            cost: 0,
            counts: SearchCounts::default(),
            current: SearchCounts::default(),
        }
    }

    pub(super) fn abstraction(&self) -> &Arc<Abstraction> {
        &self.abstraction
    }

    /// Plans on another abstraction from now on. What was planned on the last one is forgotten.
    pub(super) fn set_abstraction(&mut self, abstraction: Arc<Abstraction>) {
        self.abstraction = abstraction;
        self.forget_goal();
        self.phase = Phase::Over(Progress::Failed);
    }

    /// The abstraction, to be changed; what was planned on it is forgotten.
    pub(super) fn abstraction_mut(&mut self) -> &mut Abstraction {
        self.forget_goal();
        self.phase = Phase::Over(Progress::Failed);
        Arc::make_mut(&mut self.abstraction)
    }

    /// Takes all memory that searches in a world of this size need, apart from open lists.
    pub(super) fn make_room(&mut self, states: usize) {
        let nodes = if self.abstraction.levels() > 1 { self.abstraction.node_count(1) } else { 0 };
        self.ground.make_room(states);
        self.upper.make_room(nodes);
        if self.marks.len() < nodes {
            self.marks = alloc::vec![0; nodes];
            self.round = 0;
        }
    }

    /// Forgets the path on the start level.
    pub(super) fn forget_top(&mut self) {
        self.top.nodes.clear();
    }

    /// Forgets what was planned for the goal.
    pub(super) fn forget_goal(&mut self) {
        self.forget_top();
        self.patience = Patience::default();
    }

    pub(super) fn patience(&self) -> Patience {
        self.patience
    }

    pub(super) fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// Whether the corridors of this plan are wide. A way that is planned piece by piece in wide corridors may leave the path
    /// above it, and so could go round in a circle; in narrow ones it cannot. So patience has an end.
    fn has_wide_corridors(&self) -> bool {
        self.is_wide && (self.patience.most == 0 || self.patience.plans <= self.patience.most)
    }

    /// Counts a plan of PRA*(k). The first one sets how many there may be: several times as many as the way should take.
    fn count_plan(&mut self) {
        if self.kept.is_none() {
            return;
        }
        self.patience.plans = self.patience.plans.saturating_add(1);
        if self.patience.most != 0 && self.patience.plans == self.patience.most.saturating_add(1) {
            self.forget_top();
        }
    }

    pub(super) fn top(&self) -> &TopPath {
        &self.top
    }

    pub(super) fn set_top(&mut self, top: TopPath) {
        self.top = top;
    }

    /// What the search has done since it began.
    pub(super) fn counts(&self) -> SearchCounts {
        SearchCounts {
            expanded: self.counts.expanded + self.current.expanded,
            generated: self.counts.generated + self.current.generated,
            largest_open: self.counts.largest_open.max(self.current.largest_open),
        }
    }

    /// Whether the abstraction was of no use, and the ground was searched without it: it is not that of the map as it is.
    pub(super) fn is_fallback(&self) -> bool {
        self.is_fallback
    }

    /// The way that was found, from its end back to its start; and its cost, if it was not cut.
    pub(super) fn take_way(&mut self) -> (Vec<State>, Cost) {
        let states = self.way.drain(..).map(State).collect();
        (states, self.cost)
    }

    /// Begins to plan a way. Both ends must be states of the world.
    pub(super) fn begin(&mut self, world: &impl World, start: State, goal: State) {
        self.make_room(world.state_limit());
        self.counts = SearchCounts::default();
        self.current = SearchCounts::default();
        self.is_fallback = false;
        self.is_whole = true;
        self.count_plan();
        if world.state_limit() != self.abstraction.node_count(0) {
            return self.fall_back(start, goal);
        }
        if self.resume_top(start, goal) {
            return;
        }
        self.forget_top();
        let Some(meeting) = self.climb(world, start, goal) else { return self.fall_back(start, goal) };
        // Half-way below the level where start and goal first share an edge, if the ground is level 1, as in Figure 4.
        let mut level = meeting.saturating_sub(1) / 2;
        let too_coarse =
            |level| (self.abstraction.node_count(level) as u64).pow(2) < 4 * world.state_limit() as u64;
        while level > 0 && too_coarse(level) {
            level -= 1;
        }
        self.enter(level, Target::Node(self.goals[level]), self.goals[level], false);
    }

    /// Finds the ancestors of both ends up to the level where they are the same or neighbours, and gives that level.
    fn climb(&mut self, world: &impl World, start: State, goal: State) -> Option<usize> {
        self.starts.clear();
        self.goals.clear();
        self.starts.push(start.0);
        self.goals.push(goal.0);
        for level in 0..self.abstraction.levels() {
            let (a, b) = (self.starts[level], self.goals[level]);
            let mut meet = a == b;
            if level == 0 {
                world.for_each_successor(start, |next, _| meet |= next == goal);
            } else {
                meet |= self.abstraction.level(level).edge_to(a, b).is_some();
            }
            if meet {
                return Some(level);
            }
            self.starts.push(self.abstraction.parent(level, a)?);
            self.goals.push(self.abstraction.parent(level, b)?);
        }
        None
    }

    /// Goes on from the path on the start level, if there is one and the start is on it.
    fn resume_top(&mut self, start: State, goal: State) -> bool {
        let level = self.top.level;
        if self.top.nodes.is_empty() {
            return false;
        }
        self.starts.clear();
        self.goals.clear();
        for below in 0..=level {
            let (Some(a), Some(b)) =
                (self.abstraction.ancestor(start, below), self.abstraction.ancestor(goal, below))
            else {
                return false;
            };
            self.starts.push(a);
            self.goals.push(b);
        }
        let Some(at) = self.top.nodes.iter().position(|&node| node == self.starts[level]) else {
            return false;
        };
        if self.top.nodes.last() != Some(&self.goals[level]) {
            return false;
        }
        self.level = level;
        self.way.clear();
        self.way.extend(self.top.nodes[at..].iter().rev());
        self.round_up();
        self.descend();
        true
    }

    /// Plans on the ground alone.
    fn fall_back(&mut self, start: State, goal: State) {
        self.forget_top();
        self.is_fallback = true;
        self.is_whole = true;
        self.starts.clear();
        self.starts.push(start.0);
        self.goals.clear();
        self.goals.push(goal.0);
        self.enter(0, Target::Node(goal.0), goal.0, false);
    }

    fn enter(&mut self, level: usize, target: Target, aim: u32, is_in_corridor: bool) {
        self.level = level;
        self.target = target;
        self.aim = aim;
        self.is_in_corridor = is_in_corridor;
        self.phase = Phase::Entering;
    }

    /// A new corridor: no node is marked.
    fn round_up(&mut self) {
        if self.round == u32::MAX {
            self.marks.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Goes on planning as far as it is allowed to; `note` hears of each node that is expanded, with its level.
    pub(super) fn advance(
        &mut self,
        world: &impl World,
        allowance: &mut Allowance,
        note: &mut impl FnMut(usize, u32),
    ) -> Progress {
        loop {
            match self.phase {
                Phase::Over(progress) => return progress,
                Phase::Entering | Phase::Searching => {
                    let outcome = if self.level == 0 {
                        self.search_ground(world, allowance, note)
                    } else {
                        self.search_upper(world, allowance, note)
                    };
                    self.phase = Phase::Searching;
                    match outcome {
                        Outcome::Paused => return Progress::Paused,
                        Outcome::Found(node, cost) => {
                            self.finish_search();
                            self.cost = cost;
                            self.way.clear();
                            self.round_up();
                            self.phase = Phase::Tracing(node);
                        }
                        Outcome::Exhausted if self.is_fallback => {
                            self.finish_search();
                            self.phase = Phase::Over(Progress::Failed);
                        }
                        // The abstraction promises a way where there is none: the map has changed.
                        Outcome::Exhausted => {
                            self.finish_search();
                            let (start, goal) = (self.starts[0], self.goals[0]);
                            self.fall_back(State(start), State(goal));
                        }
                    }
                }
                Phase::Tracing(node) => {
                    if !self.trace(node, allowance) {
                        return Progress::Paused;
                    }
                    if let Some(kept) = self.kept.filter(|_| self.top.nodes.is_empty() && !self.is_fallback) {
                        self.top.level = self.level;
                        self.top.nodes.extend(self.way.iter().rev());
                        if self.patience.most == 0 {
                            let moves = (self.way.len() as u64) << self.level.min(30);
                            self.patience.most = 16 + 8 * moves / (kept as u64 - 1);
                        }
                    }
                    self.descend();
                }
            }
        }
    }

    fn finish_search(&mut self) {
        self.counts = self.counts();
        self.current = SearchCounts::default();
    }

    /// Follows parents back from `node` to the start; says whether it got there.
    fn trace(&mut self, mut node: u32, allowance: &mut Allowance) -> bool {
        let (level, is_wide) = (self.abstraction.level(self.level), self.has_wide_corridors());
        let scratch = if self.level == 0 { &self.ground } else { &self.upper };
        while allowance.trace_steps > 0 {
            allowance.trace_steps -= 1;
            self.way.push(node);
            if self.kept.is_none() && self.level > 0 {
                mark(&mut self.marks, self.round, (&level, is_wide), node);
            }
            let parent = scratch.parent(State(node)).0;
            if parent == node {
                return true;
            }
            node = parent;
        }
        self.phase = Phase::Tracing(node);
        false
    }

    /// Cuts the path of this level to the nodes that are refined, and goes down to the next level or, from the ground, ends.
    fn descend(&mut self) {
        let kept = if self.is_fallback { None } else { self.kept };
        let mut beyond = None;
        if let Some(kept) = kept {
            if let Some(cut) = self.way.len().checked_sub(kept).filter(|&cut| cut > 0) {
                beyond = Some(self.way[cut - 1]);
                self.way.drain(..cut);
                self.is_whole = false;
            }
            if self.level > 0 {
                let (level, is_wide) = (self.abstraction.level(self.level), self.has_wide_corridors());
                for &node in &self.way {
                    mark(&mut self.marks, self.round, (&level, is_wide), node);
                }
            }
        }
        if self.level == 0 {
            self.phase = Phase::Over(Progress::Found);
            return;
        }
        let below = self.level - 1;
        if self.is_whole {
            return self.enter(below, Target::Node(self.goals[below]), self.goals[below], true);
        }
        // Not for the last node kept, but for where the path goes on from there.
        let ahead = beyond.unwrap_or(self.aim);
        let aim = self.abstraction.children(self.level, ahead).next().unwrap_or(self.goals[below]);
        self.enter(below, Target::ChildOf(self.way[0]), aim, true);
    }

    fn search_upper(
        &mut self,
        world: &impl World,
        allowance: &mut Allowance,
        note: &mut impl FnMut(usize, u32),
    ) -> Outcome {
        let level = self.abstraction.level(self.level);
        let metric = self.abstraction.metric();
        let marks = self.is_in_corridor.then_some((&self.marks[..], self.round));
        let aim = level.place(self.aim);
        let cheapest = match aim {
            Some(_) => metric.of_cells(1 << self.level.min(30), self.abstraction.fraction_bits()) / 2,
            None => world.cheapest_move(),
        };
        let (space, corridor) = (UpperSpace { level, metric, cheapest }, Corridor { level, marks });
        let key = |state: State, g: Cost| match level.place(state.0).zip(aim) {
            Some((place, aim)) => g + metric.distance(place, aim),
            None => g,
        };
        let start = State(self.starts[self.level]);
        let run = match self.phase {
            Phase::Searching => Run::resume(&space, &mut self.upper, key),
            _ => Run::new(&space, &mut self.upper, start, key),
        };
        let target = self.target;
        let is_target = |node: State| match target {
            Target::Node(wanted) => node.0 == wanted,
            Target::ChildOf(wanted) => level.parent(node.0) == wanted,
        };
        let index = self.level;
        drive(run, corridor, is_target, &mut allowance.expansions, &mut self.current, |node| {
            note(index, node.0);
        })
    }

    fn search_ground(
        &mut self,
        world: &impl World,
        allowance: &mut Allowance,
        note: &mut impl FnMut(usize, u32),
    ) -> Outcome {
        let level = self.abstraction.level(0);
        let marks = self.is_in_corridor.then_some((&self.marks[..], self.round));
        let corridor = Corridor { level, marks };
        let (aim, is_consistent) = (State(self.aim), world.is_consistent());
        // With an inconsistent estimate the first child of the target that comes out need not be the best one.
        let key = |state: State, g: Cost| {
            if is_consistent { g.saturating_add(world.estimate(state, aim)) } else { g }
        };
        let run = match self.phase {
            Phase::Searching => Run::resume(world, &mut self.ground, key),
            _ => Run::new(world, &mut self.ground, State(self.starts[0]), key),
        };
        let target = self.target;
        let is_target = |state: State| match target {
            Target::Node(wanted) => state.0 == wanted,
            Target::ChildOf(wanted) => level.parent(state.0) == wanted,
        };
        drive(run, corridor, is_target, &mut allowance.expansions, &mut self.current, |state| {
            note(0, state.0);
        })
    }
}

/// Marks a node of a path and, in a wide corridor, its neighbours.
fn mark(marks: &mut [u32], round: u32, (level, is_wide): (&Level<'_>, bool), node: u32) {
    marks[node as usize] = round;
    if is_wide {
        for edge in level.edges(node) {
            marks[level.target(edge) as usize] = round;
        }
    }
}

enum Outcome {
    Paused,
    Found(u32, Cost),
    Exhausted,
}

/// Goes on with a search until it settles a target, has nothing left, or has used up what it may expand.
fn drive<S: StateSpace, K: Fn(State, Cost) -> Cost>(
    mut run: Run<'_, S, CalendarQueue, K>,
    corridor: Corridor<'_>,
    is_target: impl Fn(State) -> bool,
    expansions: &mut u64,
    counts: &mut SearchCounts,
    mut note: impl FnMut(State),
) -> Outcome {
    let outcome = loop {
        if *expansions == 0 {
            break Outcome::Paused;
        }
        let Some((state, g)) = run.settle_next() else { break Outcome::Exhausted };
        if is_target(state) {
            break Outcome::Found(state.0, g);
        }
        *expansions -= 1;
        note(state);
        run.expand_within(state, g, |next| corridor.has(next.0));
    };
    *counts = run.counts();
    outcome
}
