//! The search of PRA*: down from the start level, each level in the corridor that the path above it marks out
//! (Figure 4). It can be paused after every step.

mod searches;
mod start_level;

use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::search::{CalendarQueue, Scratch, SearchCounts};
use surefoot::space::{Cost, State, World};

use super::levels::LevelRecorder;
use crate::abstraction::Abstraction;
use crate::abstraction::corridor::{Corridor, Outcome};

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
    /// The search on this level comes next, is under way, or has found its target, from which its path is
    /// traced back.
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

/// How many plans PRA*(k) has made for this goal, and how many it makes in wide corridors before it goes on
/// in narrow ones.
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
    /// What the search of this level keeps to, and what that of the next level will.
    corridor: Corridor,
    next_corridor: Corridor,
    /// The ancestors of both ends, from the ground up to the start level.
    starts: Vec<u32>,
    goals: Vec<u32>,
    top: TopPath,
    level: usize,
    /// Whether the search does without the abstraction.
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
    /// Who wants to know of each level's path and corridor, if anybody.
    recorder: Option<LevelRecorder>,
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
            corridor: Corridor::WHOLE,
            next_corridor: Corridor::WHOLE,
            starts: Vec::new(),
            goals: Vec::new(),
            top: TopPath::default(),
            level: 0,
            is_fallback: false,
            target: Target::Node(0),
            aim: 0,
            is_whole: true,
            phase: Phase::Over(Progress::Failed),
            way: Vec::new(),
            cost: 0,
            counts: SearchCounts::default(),
            current: SearchCounts::default(),
            recorder: None,
        }
    }

    /// Records each level of the plans to come.
    pub(super) fn record(&mut self, recorder: LevelRecorder) {
        self.recorder = Some(recorder);
    }

    /// Ends the record.
    pub(super) fn take_record(&mut self) -> LevelRecorder {
        self.recorder.take().unwrap_or_default()
    }

    pub(super) fn is_wide(&self) -> bool {
        self.is_wide
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

    /// Takes the memory that corridors in a world of this size need.
    pub(super) fn make_room(&mut self, states: usize) {
        let nodes = if self.abstraction.levels() > 1 { self.abstraction.node_count(1) } else { 0 };
        for corridor in [&mut self.corridor, &mut self.next_corridor] {
            corridor.make_room(states.max(nodes));
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

    /// Whether the corridors of this plan are wide. A way that is planned piece by piece in wide corridors
    /// may leave the path above it, and so could go round in a circle; in narrow ones it cannot. So patience
    /// has an end.
    fn has_wide_corridors(&self) -> bool {
        self.is_wide && (self.patience.most == 0 || self.patience.plans <= self.patience.most)
    }

    /// Counts a plan of PRA*(k). The first one sets how many there may be: several times as many as the way
    /// should take.
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

    /// Whether the abstraction was of no use, and the ground was searched without it: it is not that of the
    /// map as it is.
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
        if self.resume_top(world, start, goal) {
            return;
        }
        self.forget_top();
        let Some(meeting) = self.climb(world, start, goal) else { return self.fall_back(start, goal) };
        // Half-way below the level where start and goal first share an edge, if the ground is level 1, as in
        // Figure 4.
        let mut level = meeting.saturating_sub(1) / 2;
        let too_coarse =
            |level| (self.abstraction.node_count(level) as u64).pow(2) < 4 * world.state_limit() as u64;
        while level > 0 && too_coarse(level) {
            level -= 1;
        }
        self.corridor.widen();
        self.enter(level, Target::Node(self.goals[level]), self.goals[level]);
    }

    fn enter(&mut self, level: usize, target: Target, aim: u32) {
        self.level = level;
        self.target = target;
        self.aim = aim;
        self.phase = Phase::Entering;
    }

    /// Goes on planning as far as it is allowed to; `note` hears of each node that is expanded, with its
    /// level.
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
                    let outcome = self.search(world, allowance, note);
                    self.phase = Phase::Searching;
                    match outcome {
                        Outcome::Paused => return Progress::Paused,
                        Outcome::Found(node, cost) => {
                            self.finish_search();
                            if let Some(recorder) = &mut self.recorder {
                                recorder.searched(self.level, self.corridor.nodes());
                            }
                            self.cost = cost;
                            self.way.clear();
                            self.next_corridor.clear();
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
                    if let Some(recorder) = &mut self.recorder {
                        recorder.traced(&self.way, self.kept.filter(|_| !self.is_fallback));
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
        let from = self.way.len();
        let scratch = if self.level == 0 { &self.ground } else { &self.upper };
        let mut is_done = false;
        while allowance.trace_steps > 0 && !is_done {
            allowance.trace_steps -= 1;
            self.way.push(node);
            let slot = self.corridor.place_of(node);
            let parent = slot.map_or(node, |slot| scratch.parent(slot).0);
            is_done = parent == node;
            node = parent;
        }
        if !is_done {
            self.phase = Phase::Tracing(node);
        }
        if self.kept.is_none() {
            self.add_to_corridor(from, is_done);
        }
        is_done
    }

    /// Adds to the next corridor what belongs to the nodes of the path from one on and, if it is wide, to
    /// their steps to the nodes before them. A wide corridor has room all around both ends, too, which are
    /// known when the path `is_done`.
    fn add_to_corridor(&mut self, from: usize, is_done: bool) {
        if self.level == 0 {
            return;
        }
        let is_wide = self.has_wide_corridors();
        let level = self.abstraction.level(self.level);
        for at in from..self.way.len() {
            self.next_corridor.add_children(&level, self.way[at]);
            if at > 0 && is_wide {
                self.next_corridor.add_beside(&level, self.way[at - 1], self.way[at]);
            }
        }
        if is_done && is_wide {
            for &end in self.way.first().into_iter().chain(self.way.last()) {
                self.next_corridor.add_around(&level, end);
            }
        }
    }

    /// Cuts the path of this level to the nodes that are refined, and goes down to the next level or, from
    /// the ground, ends.
    fn descend(&mut self) {
        let kept = if self.is_fallback { None } else { self.kept };
        let mut beyond = None;
        if let Some(kept) = kept {
            if let Some(cut) = self.way.len().checked_sub(kept).filter(|&cut| cut > 0) {
                beyond = Some(self.way[cut - 1]);
                self.way.drain(..cut);
                self.is_whole = false;
            }
            self.add_to_corridor(0, true);
        }
        if self.level == 0 {
            self.phase = Phase::Over(Progress::Found);
            return;
        }
        core::mem::swap(&mut self.corridor, &mut self.next_corridor);
        let below = self.level - 1;
        if self.is_whole {
            return self.enter(below, Target::Node(self.goals[below]), self.goals[below]);
        }
        // Not for the last node kept, but for where the path goes on from there.
        let ahead = beyond.unwrap_or(self.aim);
        let aim = self.abstraction.children(self.level, ahead).next().unwrap_or(self.goals[below]);
        self.enter(below, Target::ChildOf(self.way[0]), aim);
    }
}
