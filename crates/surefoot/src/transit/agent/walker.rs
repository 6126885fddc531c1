//! What one agent keeps of its way over transit nodes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::agent::{Agent, Errand, Memory, Step};
use crate::lrta::LrtaStar;
use crate::search::{Horizon, Meter, Ties, Work};
use crate::space::{Cost, Direction, GridSpace, QueryError, State};
use crate::store::codec::{CodecError, Reader, put_number};
use crate::transit::{Moves, Route, TransitDatabase, TransitDecision};

/// What a walker goes by.
#[derive(Clone, Copy)]
pub(super) struct TransitGuide<'a> {
    pub(super) space: &'a GridSpace,
    pub(super) database: &'a TransitDatabase,
}

impl TransitGuide<'_> {
    fn check(self) -> Result<(), QueryError> {
        let built_for = self.database.built_for();
        if built_for.is_like(self.space) {
            Ok(())
        } else {
            Err(QueryError::OtherDatabase { built_for: alloc::format!("{built_for}") })
        }
    }
}

/// A way that was decided on.
#[derive(Clone, Debug, Default)]
struct TransitWay {
    /// The moves to the next node, or to the goal, and how many are made.
    moves: Moves,
    made: u32,
    /// The next node and the last one, what the way costs between them, and the moves from there to the goal;
    /// nothing once these are being made.
    over: Option<(u32, u32, Cost, Moves)>,
}

/// What a walker does.
#[derive(Clone, Debug)]
enum Mind {
    /// It has to decide.
    Undecided,
    Deciding(Box<TransitDecision>),
    Walking(Box<TransitWay>),
    /// It goes by LRTA*: the map is not the one that the database is of.
    Lost(Box<LrtaStar>),
}

/// What comes of a look at where to go.
enum Prospect {
    Clear(Direction),
    /// It goes on deciding in the next move.
    Deciding,
    /// There is no way that it knows of.
    Blocked,
}

/// An agent on its way over transit nodes, without them.
#[derive(Clone, Debug)]
pub(super) struct TransitWalker {
    errand: Errand,
    mind: Mind,
    fallbacks: u16,
    /// Whether a way that leads nowhere is put down to an edit: then the agent decides anew.
    may_choose_again: bool,
    /// Whether ground has other weights since it has decided: it decides anew soon.
    is_outdated: bool,
    /// How many moves it has made since it has decided, up to [`BETWEEN_CHOICES`].
    moves: u8,
    /// How many decisions in a row were cut short by edits. Each looks half as far as the one before.
    cut_short: u8,
}

/// So many moves are made at least before a way is given up because ground has other weights. It takes about
/// half as many to decide.
const BETWEEN_CHOICES: u8 = 16;

impl TransitWalker {
    pub(super) fn new() -> Self {
        Self {
            errand: Errand::NONE,
            mind: Mind::Undecided,
            fallbacks: 0,
            may_choose_again: true,
            is_outdated: false,
            moves: 0,
            cut_short: 0,
        }
    }

    pub(super) fn begin(
        &mut self,
        guide: TransitGuide<'_>,
        start: State,
        goal: State,
    ) -> Result<(), QueryError> {
        guide.check()?;
        *self = Self { errand: Errand::new(guide.space, start, goal)?, ..Self::new() };
        Ok(())
    }

    pub(super) fn set_goal(&mut self, guide: TransitGuide<'_>, goal: State) -> Result<(), QueryError> {
        guide.check()?;
        self.errand = Errand::new(guide.space, self.errand.position, goal)?;
        self.start_over();
        Ok(())
    }

    pub(super) fn position(&self) -> State {
        self.errand.position
    }

    pub(super) fn goal(&self) -> State {
        self.errand.goal
    }

    /// Forgets its way, but not its goal.
    fn start_over(&mut self) {
        (self.mind, self.may_choose_again) = (Mind::Undecided, true);
    }

    /// Forgets what it has seen for a decision: that was on another map, or with other nodes.
    fn stop_deciding(&mut self) {
        if matches!(self.mind, Mind::Deciding(_)) {
            self.mind = Mind::Undecided;
            self.cut_short = (self.cut_short + 1).min(TransitDecision::MOST_CUT_SHORT);
        }
    }

    /// Ground has other weights: its way may not be a cheap one any more.
    pub(super) fn note_weights(&mut self) {
        self.is_outdated = true;
    }

    /// There is another database to go by. If it is the same but for repairs, a way that was decided on still
    /// leads there.
    pub(super) fn note_database(&mut self, is_repaired: bool) {
        self.may_choose_again = true;
        self.stop_deciding();
        if !is_repaired || matches!(self.mind, Mind::Lost(_)) {
            self.start_over();
        }
    }

    pub(super) fn step(&mut self, guide: TransitGuide<'_>, meter: &mut Meter) -> Step {
        if !self.errand.is_as_seen(guide.space) {
            self.may_choose_again = true;
            self.stop_deciding();
        }
        if let Some(step) = self.errand.foregone(guide.space) {
            return step;
        }
        let is_walking = matches!(self.mind, Mind::Walking(_));
        if self.is_outdated && is_walking && self.moves >= BETWEEN_CHOICES {
            self.start_over();
        }
        if !matches!(self.mind, Mind::Lost(_)) {
            match self.plan_move(guide, meter) {
                Prospect::Clear(direction) => {
                    meter.charge_expansion(self.errand.position);
                    self.moves = (self.moves + 1).min(BETWEEN_CHOICES);
                    return self.errand.go(guide.space.step(self.errand.position, direction));
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
            // Legs are being found anew: soon the labels know.
            if guide.database.is_labelling() {
                self.start_over();
                return Step::Waiting;
            }
            self.get_lost(guide);
        }
        let Mind::Lost(lrta) = &mut self.mind else { return Step::Stuck };
        let step = lrta.step(guide.space, meter);
        if let Step::Moved(next) = step {
            self.errand.go(next);
        }
        step
    }

    /// Finds the next move of its way, which is decided on if there is none yet.
    fn plan_move(&mut self, guide: TransitGuide<'_>, meter: &mut Meter) -> Prospect {
        if !matches!(self.mind, Mind::Walking(_)) {
            match self.decide(guide, meter) {
                Prospect::Clear(_) => {}
                other => return other,
            }
        }
        let Mind::Walking(way) = &mut self.mind else { return Prospect::Blocked };
        let Some(direction) = way.next(guide, meter) else { return Prospect::Blocked };
        // Another agent's map, or an edit: whatever was stored, the map has the last word.
        if !guide.space.moves(self.errand.position).contains(direction) {
            return Prospect::Blocked;
        }
        way.made += 1;
        Prospect::Clear(direction)
    }

    /// Decides which way to take, as far as one move goes.
    fn decide(&mut self, guide: TransitGuide<'_>, meter: &mut Meter) -> Prospect {
        let TransitGuide { space, database } = guide;
        let (from, to) = (self.errand.position, self.errand.goal);
        let mut decision = match core::mem::replace(&mut self.mind, Mind::Undecided) {
            Mind::Deciding(decision) if decision.is_about(from, to) => decision,
            _ => {
                let mut decision = database.new_decision();
                decision.begin(space, from, to, self.cut_short);
                decision
            }
        };
        let (work, is_done) = decision.advance(database, space);
        meter.charge_expansions(work.expansions);
        meter.charge_probes(work.probes);
        meter.charge_trace_steps(work.trace_steps);
        if !is_done {
            self.mind = Mind::Deciding(decision);
            return Prospect::Deciding;
        }
        let route = decision.route(database);
        database.recycle(decision);
        (self.is_outdated, self.moves, self.cut_short) = (false, 0, 0);
        let Some(Route { first, over, .. }) = route else { return Prospect::Blocked };
        self.mind = Mind::Walking(Box::new(TransitWay { moves: first, made: 0, over }));
        // Which direction that is says the way.
        Prospect::Clear(Direction::North)
    }

    /// The map was edited, and the database is of no more use for this goal.
    fn get_lost(&mut self, guide: TransitGuide<'_>) {
        self.fallbacks = self.fallbacks.saturating_add(1);
        self.start_over();
        let mut lrta = Box::new(LrtaStar::new(Horizon::Plies(1), Ties::Far));
        // Both are states: the errand was checked.
        let _ = lrta.begin(guide.space, self.errand.position, self.errand.goal);
        self.mind = Mind::Lost(lrta);
    }

    pub(super) fn plan(&self, database: &TransitDatabase) -> Vec<State> {
        let next = match &self.mind {
            Mind::Walking(way) => way.over.as_ref().and_then(|over| database.state(over.0)),
            _ => None,
        };
        next.into_iter().chain([self.errand.goal]).collect()
    }

    /// The most that a move over these nodes takes.
    pub(super) fn bound(database: &TransitDatabase) -> Work {
        let figures = database.figures();
        let most = database.config().expansions();
        // A label is read as a whole, and the first leg may follow the decision in the same move, the move
        // itself, and one by LRTA*.
        let probes = database.hubs_a_move() + u64::from(figures.most_hubs) + 1 + figures.next_leg;
        Work { probes, trace_steps: most + u64::from(figures.most_moves), ..Work::of_expansions(most + 2) }
    }

    pub(super) fn memory(&self) -> Memory {
        match &self.mind {
            Mind::Lost(lrta) => <LrtaStar as Agent>::memory(lrta),
            Mind::Undecided | Mind::Deciding(_) | Mind::Walking(_) => Memory::default(),
        }
    }

    pub(super) fn fallbacks(&self) -> u64 {
        u64::from(self.fallbacks)
    }

    pub(super) fn save(&self, space: &GridSpace, out: &mut Vec<u8>) {
        self.errand.save(out);
        // Where the map is another one since the last move, it may. One that is there chooses nothing.
        let is_as_seen = self.errand.is_as_seen(space);
        let is_there = self.errand.position == self.errand.goal;
        put_number(out, u64::from(!self.may_choose_again && !is_there && is_as_seen));
        put_number(out, u64::from(self.fallbacks));
        let is_cut_short = matches!(self.mind, Mind::Deciding(_)) && !is_as_seen;
        let cut_short = (self.cut_short + u8::from(is_cut_short)).min(TransitDecision::MOST_CUT_SHORT);
        out.extend_from_slice(&[u8::from(self.is_outdated), self.moves, cut_short]);
        match &self.mind {
            Mind::Undecided => put_number(out, 0),
            Mind::Lost(lrta) => {
                put_number(out, 1);
                lrta.put(out);
            }
            Mind::Walking(way) => {
                put_number(out, if way.over.is_some() { 3 } else { 2 });
                way.save(out);
            }
            // What was seen is seen again. On another map it would be forgotten with the next move.
            Mind::Deciding(decision) if is_as_seen => put_number(out, 4 + u64::from(decision.slices())),
            Mind::Deciding(_) => put_number(out, 0),
        }
    }

    pub(super) fn restored(guide: TransitGuide<'_>, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let TransitGuide { space, database } = guide;
        let mut errand = Errand::restore(space, saved)?;
        // Only on the map that was seen last; if the way is not open there, that was another one.
        let flag = saved.number_up_to(1, "this should be 0 or 1")?;
        let may_choose_again = flag == 0 || errand.foregone(space).is_some();
        let fallbacks = saved.number_up_to(u64::from(u16::MAX), "no agent fails so often")? as u16;
        let [is_outdated, moves, cut_short] = saved.array()?;
        if is_outdated > 1 || moves > BETWEEN_CHOICES || cut_short > TransitDecision::MOST_CUT_SHORT {
            return Err(saved.malformed("nobody decides like this"));
        }
        let too_long = "no decision takes so long";
        let mind = match saved.number_up_to(4 + u64::from(u32::MAX), too_long)? {
            0 => Mind::Undecided,
            1 => {
                let mut lrta = Box::new(LrtaStar::new(Horizon::Plies(1), Ties::Far));
                lrta.restore(space, saved)?;
                if (<LrtaStar as Agent>::position(&lrta), lrta.goal()) != (errand.position, errand.goal) {
                    return Err(saved.malformed("the agent is in two places"));
                }
                Mind::Lost(lrta)
            }
            kind @ (2 | 3) => Mind::Walking(Box::new(TransitWay::restored(database, kind == 3, saved)?)),
            slices => {
                if errand.foregone(space).is_some() {
                    return Err(saved.malformed("there is nothing to decide"));
                }
                let mut decision = database.new_decision();
                decision.begin(space, errand.position, errand.goal, cut_short);
                if (4..slices).any(|_| decision.advance(database, space).1) {
                    return Err(saved.malformed(too_long));
                }
                Mind::Deciding(decision)
            }
        };
        let is_outdated = is_outdated == 1;
        Ok(Self { errand, mind, fallbacks, may_choose_again, is_outdated, moves, cut_short })
    }
}

impl TransitWay {
    /// The next move, which is that of the next leg at a node. `None` if there is none.
    fn next(&mut self, guide: TransitGuide<'_>, meter: &mut Meter) -> Option<Direction> {
        // From the start to a node, along a leg, to the goal: each may have no moves but the leg.
        for _ in 0..3 {
            if let Some(direction) = self.moves.get(self.made) {
                return Some(direction);
            }
            self.made = 0;
            let (node, last, rest, end) = self.over.as_mut()?;
            if node == last {
                self.moves = core::mem::take(end);
                self.over = None;
                continue;
            }
            let (next, looked_up) =
                guide.database.next_leg(guide.space, *node, *last, *rest, &mut self.moves);
            meter.charge_probes(looked_up);
            meter.charge_trace_steps(u64::from(self.moves.len()));
            (*node, *rest) = next?;
        }
        None
    }

    fn save(&self, out: &mut Vec<u8>) {
        self.moves.write(out);
        put_number(out, u64::from(self.made));
        if let Some((node, last, rest, end)) = &self.over {
            [u64::from(*node), u64::from(*last), *rest]
                .into_iter()
                .for_each(|number| put_number(out, number));
            end.write(out);
        }
    }

    fn restored(
        database: &TransitDatabase,
        is_over: bool,
        saved: &mut Reader<'_>,
    ) -> Result<Self, CodecError> {
        let moves = Moves::read(saved)?;
        let made = saved.number_up_to(u64::from(moves.len()), "there are fewer moves")? as u32;
        let mut way = Self { moves, made, over: None };
        if is_over {
            let no_node = "there is no such transit node";
            let mut node = || saved.number_up_to(u64::from(u32::MAX), no_node);
            let (node, last) = (node()? as u32, node()? as u32);
            if !database.has(node) || !database.has(last) {
                return Err(saved.malformed(no_node));
            }
            way.over = Some((node, last, saved.number()?, Moves::read(saved)?));
        }
        Ok(way)
    }
}
