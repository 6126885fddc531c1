//! What one agent keeps of its way over the corners: little, since thousands of agents share a database.

mod saved;

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Company;
use super::runs::{bent_run, certain_run};
use crate::agent::{Agent, Errand, Memory, Step};
use crate::beacons::{BeaconDatabase, BeaconDecision, BeaconId, Next, Way};
use crate::lrta::LrtaStar;
use crate::search::{Horizon, Meter, Ties, Work};
use crate::space::{Cell, Direction, GridSpace, QueryError, Revision, State, StateSpace as _};

/// What a walker goes by.
#[derive(Clone, Copy)]
pub(crate) struct BeaconGuide<'a> {
    pub(crate) space: &'a GridSpace,
    pub(crate) database: &'a BeaconDatabase,
}

impl BeaconGuide<'_> {
    fn check(self) -> Result<(), QueryError> {
        let built_for = self.database.built_for();
        if built_for.is_like(self.space) {
            Ok(())
        } else {
            Err(QueryError::OtherDatabase { built_for: alloc::format!("{built_for}") })
        }
    }
}

/// Where a walker is heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BeaconCourse {
    /// It has to decide.
    Undecided,
    /// For the goal, along a leg.
    Goal,
    /// For a corner, along a leg.
    Corner,
    /// For the goal, by LRTA*: the map is not the one that the labels are of.
    Lost,
}

/// What comes of a look at where to go.
enum Prospect {
    /// It knows where to go.
    Clear,
    /// It goes on deciding in the next move.
    Deciding,
    /// There is no way that it knows of.
    Blocked,
}

/// What only few walkers have.
#[derive(Clone, Debug)]
enum Extra {
    Nothing,
    /// A decision that takes more than one move.
    Decision(Box<BeaconDecision>),
    /// What goes on where the map was edited.
    Lrta(Box<LrtaStar>),
}

/// An agent on its way over corners, without them.
#[derive(Clone, Debug)]
pub(crate) struct BeaconWalker {
    errand: Errand,
    extra: Extra,
    /// How many moves the way has from the corner that it is heading for to the last one, at most: that falls
    /// with every leg.
    rest: u32,
    /// The corner that it is heading for.
    target: BeaconId,
    /// The last corner of its way.
    last: BeaconId,
    /// The gate that its way leads to next, or came from last.
    gate: BeaconId,
    /// For how many moves the direction is certain.
    run_left: u16,
    fallbacks: u16,
    heading: BeaconCourse,
    run: Direction,
    /// Whether a way that leads nowhere is put down to an edit: then the agent decides anew.
    may_choose_again: bool,
}

impl BeaconWalker {
    pub(crate) const NEW: Self = Self {
        errand: Errand::NONE,
        extra: Extra::Nothing,
        rest: 0,
        target: BeaconId::NONE,
        last: BeaconId::NONE,
        gate: BeaconId::NONE,
        run_left: 0,
        fallbacks: 0,
        heading: BeaconCourse::Undecided,
        run: Direction::North,
        may_choose_again: true,
    };

    pub(crate) fn begin(
        &mut self,
        guide: BeaconGuide<'_>,
        start: State,
        goal: State,
    ) -> Result<(), QueryError> {
        guide.check()?;
        *self = Self { errand: Errand::new(guide.space, start, goal)?, ..Self::NEW };
        Ok(())
    }

    pub(crate) fn set_goal(&mut self, guide: BeaconGuide<'_>, goal: State) -> Result<(), QueryError> {
        guide.check()?;
        self.errand = Errand::new(guide.space, self.errand.position, goal)?;
        self.start_over();
        Ok(())
    }

    /// One that stands somewhere and has not begun, whether it can walk or not.
    pub(crate) fn stranded(place: State, goal: State) -> Self {
        let mut walker = Self::NEW;
        (walker.errand.position, walker.errand.goal) = (place, goal);
        walker
    }

    pub(crate) fn position(&self) -> State {
        self.errand.position
    }

    /// Where it is to go.
    #[inline]
    pub(crate) fn goal(&self) -> State {
        self.errand.goal
    }

    /// Forgets its way, but not its goal.
    pub(crate) fn start_over(&mut self) {
        (self.heading, self.run_left, self.may_choose_again) = (BeaconCourse::Undecided, 0, true);
        self.extra = Extra::Nothing;
    }

    /// Forgets what it has seen for a decision: that was on another map.
    fn stop_deciding(&mut self) {
        if matches!(self.extra, Extra::Decision(_)) {
            self.extra = Extra::Nothing;
        }
    }

    /// What ways cost was found out anew. One that had none to go by may have one now. Whether it had none.
    pub(crate) fn note_labels(&mut self) -> bool {
        self.may_choose_again = true;
        self.stop_deciding();
        if self.heading == BeaconCourse::Lost {
            self.start_over();
        }
        self.heading == BeaconCourse::Undecided
    }

    /// Whether its next corner, its last one or its gate is one of these, which are in order. That others on
    /// its way are gone it sees when it gets there: whoever chose anew at every edit might never get
    /// anywhere.
    pub(crate) fn heads_for(&self, retired: &[BeaconId]) -> bool {
        let is_retired = |corner: BeaconId| retired.binary_search(&corner).is_ok();
        let corners = [self.target, self.last, self.gate];
        self.heading == BeaconCourse::Corner && corners.into_iter().any(is_retired)
    }

    /// The map was edited in these cells, and no component of it was cut in two. Where none of them is near
    /// the moves that are certain the walker need not look again: it would see the same.
    pub(crate) fn note_edits(&mut self, space: &GridSpace, before: Option<Revision>, changed: &[Cell]) {
        self.may_choose_again = true;
        self.stop_deciding();
        let goal = space.cell(self.errand.goal);
        if changed.iter().all(|&cell| cell != goal && !self.passes_by(space, cell)) {
            self.errand.see_again(before, space.revision());
        }
    }

    /// Whether a cell touches one that the walker stands on or is certain to pass. The legal moves of a cell
    /// depend on those around it.
    fn passes_by(&self, space: &GridSpace, cell: Cell) -> bool {
        let here = space.cell(self.errand.position);
        let away = |to: u32, from: u32| i64::from(to) - i64::from(from);
        let (dx, dy) = self.run.delta();
        let (x, y) = (away(cell.x, here.x), away(cell.y, here.y));
        // Along the run, and away from it.
        let (along, aside) = match (i64::from(dx), i64::from(dy)) {
            (dx, 0) => (x * dx, y.abs()),
            (0, dy) => (y * dy, x.abs()),
            (dx, dy) => ((x * dx).max(y * dy), (x * dx - y * dy).abs() - 1),
        };
        aside <= 1 && along >= -1 && along <= i64::from(self.run_left) + 1
    }

    pub(crate) fn step(&mut self, guide: BeaconGuide<'_>, meter: &mut Meter) -> Step {
        self.step_with(guide, None, meter)
    }

    /// The same for one of many. What the goal sees is known if others chose ways to it.
    pub(crate) fn step_with(
        &mut self,
        guide: BeaconGuide<'_>,
        company: Option<Company<'_>>,
        meter: &mut Meter,
    ) -> Step {
        if !self.errand.is_as_seen(guide.space) {
            // How far a direction is certain was seen on another map.
            (self.run_left, self.may_choose_again) = (0, true);
            self.stop_deciding();
        }
        if let Some(step) = self.errand.foregone(guide.space) {
            return step;
        }
        if self.heading != BeaconCourse::Lost {
            match self.plan_move(guide, company, meter) {
                Prospect::Clear => {
                    self.run_left -= 1;
                    return self.errand.go(guide.space.step(self.errand.position, self.run));
                }
                Prospect::Deciding => return Step::Waiting,
                Prospect::Blocked => {}
            }
            // Something is in the way since the map was edited. There may be another way, but this move's
            // planning is done.
            if self.may_choose_again {
                self.start_over();
                self.may_choose_again = false;
                return Step::Waiting;
            }
            // What ways cost is being found out: soon the labels know.
            if guide.database.is_labelling() {
                self.start_over();
                return Step::Waiting;
            }
            self.get_lost(guide);
        }
        let Extra::Lrta(lrta) = &mut self.extra else { return Step::Stuck };
        let step = lrta.step(guide.space, meter);
        if let Step::Moved(next) = step {
            self.errand.go(next);
        }
        step
    }

    /// Finds the next move of its way, which is decided on if there is none yet.
    #[inline]
    fn plan_move(
        &mut self,
        guide: BeaconGuide<'_>,
        company: Option<Company<'_>>,
        meter: &mut Meter,
    ) -> Prospect {
        let BeaconGuide { space, database } = guide;
        if self.run_left == 0 {
            if self.heading == BeaconCourse::Undecided {
                match self.decide(guide, company, meter) {
                    Prospect::Clear => {}
                    other => return other,
                }
            }
            let here = space.cell(self.errand.position);
            if self.heading == BeaconCourse::Corner && database.cell(self.target) == here {
                self.go_on(guide, meter);
            }
            let certain = match self.heading {
                BeaconCourse::Goal => certain_run(space, here, space.cell(self.errand.goal)),
                BeaconCourse::Corner => {
                    let target = database.cell(self.target);
                    let bent = database.has_bent_legs().then(|| bent_run(space, here, target)).flatten();
                    bent.or_else(|| certain_run(space, here, target))
                }
                BeaconCourse::Undecided | BeaconCourse::Lost => None,
            };
            let Some((run, certain)) = certain else { return Prospect::Blocked };
            (self.run, self.run_left) = (run, u16::try_from(certain).unwrap_or(u16::MAX));
        }
        meter.charge_expansion(self.errand.position);
        Prospect::Clear
    }

    /// Decides which way to take, as far as one move goes.
    fn decide(
        &mut self,
        guide: BeaconGuide<'_>,
        company: Option<Company<'_>>,
        meter: &mut Meter,
    ) -> Prospect {
        let BeaconGuide { space, database } = guide;
        let [from, to] = [self.errand.position, self.errand.goal].map(|state| space.cell(state));
        // Where moves are to take less than what comes of itself, nobody can look around for others.
        if let Some(Company { destinations, kind }) = company
            && matches!(self.extra, Extra::Nothing)
            && database.config().bound.is_none()
        {
            let (way, looked_up) = destinations.follow(guide, kind, [from, to]);
            meter.charge_probes(looked_up);
            if way.is_some() {
                return self.take(guide, way);
            }
            if let Some(side) = destinations.side(guide, kind, to) {
                let most = database.decision_limit().saturating_sub(looked_up);
                let (prospect, way) = self.decide_with(guide, side, ([from, to], most), meter);
                way.into_iter().for_each(|way| destinations.remember(kind, [from, to], way));
                return prospect;
            }
        }
        let mut decision = match core::mem::replace(&mut self.extra, Extra::Nothing) {
            Extra::Decision(decision) if decision.is_about(from, to) => decision,
            _ => {
                let mut decision = database.new_decision();
                decision.begin(from, to);
                decision
            }
        };
        let (looked_up, is_done) = decision.advance(database, space, database.decision_limit());
        meter.charge_probes(looked_up);
        if !is_done {
            self.extra = Extra::Decision(decision);
            return Prospect::Deciding;
        }
        let way = decision.way();
        database.recycle(decision);
        self.take(guide, way)
    }

    /// The same with what the goal sees, as far as one move goes.
    fn decide_with(
        &mut self,
        guide: BeaconGuide<'_>,
        side: &mut BeaconDecision,
        ([from, to], most): ([Cell; 2], u64),
        meter: &mut Meter,
    ) -> (Prospect, Option<Way>) {
        let BeaconGuide { space, database } = guide;
        let (mut looked_up, is_ready) = side.prepare(database, space, most);
        let mut is_done = false;
        if is_ready {
            side.turn_to(from);
            let (more, is_over) = side.advance(database, space, most.saturating_sub(looked_up));
            (looked_up, is_done) = (looked_up + more, is_over);
        }
        meter.charge_probes(looked_up);
        if is_done {
            // Ways lead back as they lead there.
            let way = side.way().map(Way::reversed);
            return (self.take(guide, way), way);
        }
        // It takes more than a move: that is a matter of its own.
        let mut decision = database.new_decision();
        decision.begin(from, to);
        self.extra = Extra::Decision(decision);
        (Prospect::Deciding, None)
    }

    /// Sets out on a way.
    fn take(&mut self, BeaconGuide { space, database }: BeaconGuide<'_>, way: Option<Way>) -> Prospect {
        let Some(way) = way else { return Prospect::Blocked };
        match way.over {
            // The labels are of before an edit.
            Some(over) if !database.has(over.gates[0]) => return Prospect::Blocked,
            None => self.heading = BeaconCourse::Goal,
            Some(over) => {
                (self.heading, self.target) = (BeaconCourse::Corner, over.first);
                (self.last, self.gate) = (over.last, over.gates[0]);
                // No move costs less.
                self.rest = u32::try_from(over.between / space.costs().cardinal()).unwrap_or(u32::MAX);
            }
        }
        Prospect::Clear
    }

    /// Goes on from the corner that it stands on, along the next leg. Where there is none the way is
    /// forgotten.
    fn go_on(&mut self, guide: BeaconGuide<'_>, meter: &mut Meter) {
        if self.target == self.last {
            self.heading = BeaconCourse::Goal;
            return;
        }
        let (next, looked_up) = guide.database.next_leg(self.target, self.last, self.gate, self.rest);
        meter.charge_probes(looked_up);
        match next {
            Some(Next { end, gate, rest }) => (self.target, self.gate, self.rest) = (end, gate, rest),
            None => self.heading = BeaconCourse::Undecided,
        }
    }

    /// The map was edited, and the labels are of no more use for this goal.
    fn get_lost(&mut self, guide: BeaconGuide<'_>) {
        self.fallbacks = self.fallbacks.saturating_add(1);
        self.start_over();
        self.heading = BeaconCourse::Lost;
        let mut lrta = Box::new(LrtaStar::new(Horizon::Plies(1), Ties::Far));
        // Both are states: the errand was checked.
        let _ = lrta.begin(guide.space, self.errand.position, self.errand.goal);
        self.extra = Extra::Lrta(lrta);
    }

    pub(crate) fn plan(&self, database: &BeaconDatabase, width: u32) -> Vec<State> {
        let goal = self.errand.goal;
        match self.heading {
            BeaconCourse::Corner => {
                let cell = database.cell(self.target);
                Vec::from([State(cell.y * width + cell.x), goal])
            }
            BeaconCourse::Undecided | BeaconCourse::Goal | BeaconCourse::Lost => Vec::from([goal]),
        }
    }

    /// The most that a move over these corners takes.
    pub(crate) fn bound(database: &BeaconDatabase) -> Work {
        let decision = database.decision_limit() + database.most_in_a_piece();
        let probes = decision.max(database.figures().next_leg);
        // A move made by LRTA* is one more expansion.
        Work { probes, ..Work::of_expansions(2) }
    }

    /// Whether each of the next moves takes a single expansion, unless the map is edited: the agent is on a
    /// leg of at least so many moves.
    pub(crate) fn is_on_leg(&self, guide: BeaconGuide<'_>, moves: u32) -> bool {
        let BeaconGuide { space, database } = guide;
        let here = space.cell(self.errand.position);
        match self.heading {
            BeaconCourse::Goal => true,
            BeaconCourse::Corner => here.moves_to(database.cell(self.target)) >= moves,
            BeaconCourse::Undecided | BeaconCourse::Lost => false,
        }
    }

    pub(crate) fn memory(&self) -> Memory {
        match &self.extra {
            Extra::Lrta(lrta) => <LrtaStar as Agent>::memory(lrta),
            Extra::Decision(_) | Extra::Nothing => Memory::default(),
        }
    }

    pub(crate) fn fallbacks(&self) -> u64 {
        u64::from(self.fallbacks)
    }
}
