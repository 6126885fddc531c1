//! What one agent keeps of its way over the beacons: little, since thousands of agents share a database.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::choice::{MOST_THOUGHT_OF, TRIED};
use super::climbs::CHECK;
use super::looks::NOW;
use super::through::STEPS_THROUGH;
use crate::agents::{Agent, Errand, LrtaStar, Memory, Step};
use crate::codec::{CodecError, Reader, put_number};
use crate::database::{BeaconDatabase, MOST_LOOKS, MOST_TWIGS};
use crate::search::{Budget, Horizon, Work, climb_run};
use crate::space::{Cell, Direction, Edition, GridSpace, QueryError, State, StateSpace as _};

/// What a walker goes by.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'a> {
    pub(crate) space: &'a GridSpace,
    pub(crate) database: &'a BeaconDatabase,
}

impl Guide<'_> {
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
pub(super) enum Heading {
    /// It has to choose.
    Undecided,
    /// For the goal, by a climb.
    Goal,
    /// For a beacon, by a climb.
    Beacon,
    /// The same, on the twigs to the goal.
    Twig,
    /// For the goal, by LRTA*: the map is not the one that the beacons were built for.
    Lost,
}

/// Where the way leaves the beacons of the trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exit {
    pub(super) beacon: u32,
    /// The twig that it goes on to, if it does not go to the goal itself.
    pub(super) twig: Option<u32>,
    /// The twig that it goes to the goal from.
    pub(super) last: u32,
    /// What it costs from the beacon to the goal, in units.
    pub(super) cost: u32,
}

const NO_TWIG: u32 = u32::MAX;

/// An agent on its way over beacons, without them.
#[derive(Clone, Debug)]
pub(crate) struct BeaconWalker {
    pub(super) errand: Errand,
    /// For edited maps.
    lrta: Option<Box<LrtaStar>>,
    /// The parts of an [`Exit`], so that they take less room.
    exit_twig: u32,
    exit_last: u32,
    exit_cost: u32,
    /// The beacon that it is heading for.
    pub(super) target: u32,
    /// What the way costs, in units, from the next beacon of the trunk to the exit: it falls with every leg.
    pub(super) ahead: u32,
    exit_beacon: u16,
    /// The beacons of the trunk after this one on the way are to be looked at; where the agent looks now and then (`looks.rs`) the one that it looks for, or its target, if
    /// that is not known yet.
    pub(super) look_from: u16,
    /// For how many moves the direction of the climb is certain.
    pub(super) run_left: u16,
    fallbacks: u16,
    /// How many looks are left, or, above those, in how many moves the agent looks again.
    pub(super) look_left: u8,
    pub(super) heading: Heading,
    run: Direction,
    /// Whether a way that leads nowhere is put down to an edit: then the agent chooses anew.
    may_choose_again: bool,
}

impl BeaconWalker {
    pub(crate) const NEW: Self = Self {
        errand: Errand::NONE,
        lrta: None,
        exit_twig: NO_TWIG,
        exit_last: 0,
        exit_cost: 0,
        target: 0,
        ahead: 0,
        exit_beacon: 0,
        look_from: 0,
        run_left: 0,
        fallbacks: 0,
        look_left: 0,
        heading: Heading::Undecided,
        run: Direction::North,
        may_choose_again: true,
    };

    pub(super) fn exit(&self) -> Exit {
        Exit {
            beacon: u32::from(self.exit_beacon),
            twig: Some(self.exit_twig).filter(|&twig| twig != NO_TWIG),
            last: self.exit_last,
            cost: self.exit_cost,
        }
    }

    pub(super) fn set_exit(&mut self, exit: Exit) {
        // Beacons of the trunk are counted in two bytes.
        self.exit_beacon = exit.beacon as u16;
        self.exit_twig = exit.twig.unwrap_or(NO_TWIG);
        (self.exit_last, self.exit_cost) = (exit.last, exit.cost);
    }

    pub(crate) fn begin(&mut self, guide: Guide<'_>, start: State, goal: State) -> Result<(), QueryError> {
        guide.check()?;
        *self = Self { errand: Errand::new(guide.space, start, goal)?, ..Self::NEW };
        Ok(())
    }

    pub(crate) fn set_goal(&mut self, guide: Guide<'_>, goal: State) -> Result<(), QueryError> {
        guide.check()?;
        self.errand = Errand::new(guide.space, self.errand.position, goal)?;
        self.start_over();
        Ok(())
    }

    pub(crate) fn position(&self) -> State {
        self.errand.position
    }

    /// Forgets its way, but not its goal.
    pub(crate) fn start_over(&mut self) {
        (self.heading, self.run_left, self.look_left) = (Heading::Undecided, 0, 0);
        self.may_choose_again = true;
    }

    /// What ways over the beacons cost was found out anew. One that had none to go by may have one now. Whether it had none.
    pub(crate) fn note_labels(&mut self) -> bool {
        self.may_choose_again = true;
        if self.heading == Heading::Lost {
            self.start_over();
        }
        self.heading == Heading::Undecided
    }

    /// Whether it is heading for one of some beacons and waypoints, which are in order. That others on its way are gone it sees when it
    /// gets there: whoever chose anew at every edit might never get anywhere.
    pub(crate) fn heads_for(&self, retired: &[u32]) -> bool {
        matches!(self.heading, Heading::Beacon | Heading::Twig) && retired.binary_search(&self.target).is_ok()
    }

    /// The map was edited in these cells, and no component of it was cut in two. Where none of them is near the moves that are certain the walker need not look
    /// again: it would see the same.
    pub(crate) fn note_edits(&mut self, space: &GridSpace, before: Option<Edition>, changed: &[Cell]) {
        self.may_choose_again = true;
        let goal = space.cell(self.errand.goal);
        if changed.iter().all(|&cell| cell != goal && !self.passes_by(space, cell)) {
            self.errand.see_again(before, space.edition());
        }
    }

    /// Whether a cell touches one that the walker stands on or is certain to pass. The legal moves of a cell depend on those around it.
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

    pub(crate) fn step(&mut self, guide: Guide<'_>, budget: &mut Budget) -> Step {
        if !self.errand.is_as_seen(guide.space) {
            // How far a direction is certain was seen on another map.
            (self.run_left, self.may_choose_again) = (0, true);
        }
        if let Some(step) = self.errand.foregone(guide.space) {
            return step;
        }
        if self.heading != Heading::Lost {
            if let Some(next) = self.planned_move(guide, budget) {
                return self.errand.go(next);
            }
            // Something is in the way since the map was edited. The beacons may know another way, but this move's planning is done.
            if self.may_choose_again {
                self.start_over();
                self.may_choose_again = false;
                return Step::Waiting;
            }
            // What the ways cost is being found out: soon the beacons know.
            if guide.database.is_labelling() {
                self.start_over();
                return Step::Waiting;
            }
            self.get_lost(guide);
        }
        let Some(lrta) = &mut self.lrta else { return Step::Stuck };
        let step = lrta.step(guide.space, budget);
        if let Step::Moved(next) = step {
            self.errand.go(next);
        }
        step
    }

    /// The next move of the way over the beacons, which is chosen if there is none yet; nothing if there is none.
    #[inline]
    fn planned_move(&mut self, guide: Guide<'_>, budget: &mut Budget) -> Option<State> {
        let chooses = self.heading == Heading::Undecided;
        if self.run_left == 0 && !self.decide(guide, budget) {
            return None;
        }
        if self.look_left > NOW {
            self.look_left -= 1;
        } else if self.look_left > 0 && !chooses {
            self.look_ahead(guide, budget);
        }
        self.next_move(guide, budget)
    }

    /// The next move of the climb that the agent is on, if there is one.
    #[inline]
    fn next_move(&mut self, guide: Guide<'_>, budget: &mut Budget) -> Option<State> {
        let position = self.errand.position;
        budget.charge_expansion(position);
        if self.run_left == 0 {
            let target = match self.heading {
                Heading::Goal => self.errand.goal,
                Heading::Beacon | Heading::Twig => guide.database.state(self.target),
                Heading::Undecided | Heading::Lost => return None,
            };
            let (direction, certain) =
                climb_run(guide.space, position, target, guide.database.config().ties)?;
            (self.run, self.run_left) = (direction, u16::try_from(certain).unwrap_or(u16::MAX));
        }
        self.run_left = self.run_left.saturating_sub(1);
        Some(guide.space.step(position, self.run))
    }

    /// Chooses a way if there is none yet, and goes on to the next beacon if the agent stands on the one that it heads for. Whether it
    /// knows where to go.
    fn decide(&mut self, guide: Guide<'_>, budget: &mut Budget) -> bool {
        if self.heading == Heading::Undecided && !self.choose(guide, None, budget) {
            return false;
        }
        match self.heading {
            Heading::Beacon | Heading::Twig if guide.database.state(self.target) == self.errand.position => {
                self.go_on(guide, self.target, budget)
            }
            _ => true,
        }
    }

    /// The map was edited, and the beacons are of no more use for this goal.
    fn get_lost(&mut self, guide: Guide<'_>) {
        self.fallbacks = self.fallbacks.saturating_add(1);
        self.start_over();
        self.heading = Heading::Lost;
        let ties = guide.database.config().ties;
        let lrta = self.lrta.get_or_insert_with(|| Box::new(LrtaStar::new(Horizon::Plies(1), ties)));
        // Both are states: the errand was checked.
        let _ = lrta.begin(guide.space, self.errand.position, self.errand.goal);
    }

    pub(crate) fn plan(&self, database: &BeaconDatabase) -> Vec<State> {
        let goal = self.errand.goal;
        match self.heading {
            Heading::Beacon | Heading::Twig => Vec::from([database.state(self.target), goal]),
            Heading::Undecided | Heading::Goal | Heading::Lost => Vec::from([goal]),
        }
    }

    /// The most that a move over these beacons takes.
    pub(crate) fn bound(database: &BeaconDatabase) -> Work {
        // The goal, the beacons of both regions and the twigs they hang on, and those that are weighed. Where the first beacon is right here, the
        // agent goes on from there in the same move, and looks ahead.
        let climbs = (4 + 2 * MOST_TWIGS + 2 * TRIED + 3 + 1) as u64;
        let next_leg = 1 + MOST_LOOKS + database.most_legs();
        let probes = (3 * MOST_THOUGHT_OF + 3 * next_leg + 4) as u64;
        // A move made by LRTA* is one more expansion.
        let climb_steps = climbs * CHECK + STEPS_THROUGH;
        Work { climb_steps, probes, ..Work::of_expansions(2) }
    }

    /// Whether each of the next moves takes a single expansion, unless the map is edited: the agent is on a climb of at least so many moves, and does not look for
    /// a better way meanwhile.
    pub(crate) fn is_on_climb(&self, guide: Guide<'_>, moves: u32) -> bool {
        let Guide { space, database } = guide;
        let here = space.cell(self.errand.position);
        match self.heading {
            Heading::Goal => true,
            Heading::Beacon | Heading::Twig => {
                let there = space.cell(database.state(self.target));
                self.looks_for_nothing(moves) && here.moves_to(there) >= moves
            }
            Heading::Undecided | Heading::Lost => false,
        }
    }

    pub(crate) fn memory(&self) -> Memory {
        self.lrta.as_deref().map_or(Memory::default(), <LrtaStar as Agent>::memory)
    }

    pub(crate) fn fallbacks(&self) -> u64 {
        u64::from(self.fallbacks)
    }

    pub(crate) fn save(&self, space: &GridSpace, out: &mut Vec<u8>) {
        self.errand.save(out);
        put_number(
            out,
            match self.heading {
                Heading::Undecided => 0,
                Heading::Goal => 1,
                Heading::Lost => 2,
                Heading::Beacon | Heading::Twig => 3 + u64::from(self.target),
            },
        );
        // Where the way leaves the trunk says nothing any more once it has: the beacons may have become fewer since.
        let is_on_beacons = matches!(self.heading, Heading::Beacon | Heading::Twig);
        let on_beacons = if is_on_beacons { self } else { &Self::NEW };
        let exit = on_beacons.exit();
        put_number(out, u64::from(exit.beacon));
        put_number(out, exit.twig.map_or(0, |twig| 1 + u64::from(twig)));
        put_number(out, u64::from(exit.last));
        put_number(out, u64::from(exit.cost));
        put_number(out, u64::from(on_beacons.ahead));
        put_number(out, u64::from(on_beacons.look_from));
        put_number(out, u64::from(on_beacons.look_left));
        // Where the map is another one since the last move, it may. One that is there chooses nothing.
        let is_there = self.errand.position == self.errand.goal;
        let may_not_choose_again = !self.may_choose_again && !is_there && self.errand.is_as_seen(space);
        put_number(out, u64::from(self.heading == Heading::Twig) | u64::from(may_not_choose_again) << 1);
        put_number(out, u64::from(self.fallbacks));
        put_number(out, u64::from(self.lrta.is_some()));
        if let Some(lrta) = &self.lrta {
            lrta.put(out);
        }
    }

    pub(crate) fn restored(guide: Guide<'_>, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let Guide { space, database } = guide;
        let mut errand = Errand::restore(space, saved)?;
        let last_of_trunk = u64::from(database.trunk().end).saturating_sub(1);
        let no_beacon = "there is no such beacon";
        let most = u64::from(u32::MAX);
        let (mut heading, target) = match saved.number_up_to(3 + most, no_beacon)? {
            0 => (Heading::Undecided, 0),
            1 => (Heading::Goal, 0),
            2 => (Heading::Lost, 0),
            number => (Heading::Beacon, (number - 3) as u32),
        };
        let exit = Exit {
            beacon: saved.number_up_to(last_of_trunk, no_beacon)? as u32,
            twig: (saved.number_up_to(most, no_beacon)? as u32).checked_sub(1),
            last: saved.number_up_to(most, no_beacon)? as u32,
            cost: saved.number_up_to(most, "no way costs so much")? as u32,
        };
        // It may head for a waypoint, but the way does not end with one.
        let is_beacon =
            |beacon: u32| database.trunk().contains(&beacon) || database.twigs().contains(&beacon);
        let ends = [exit.last].into_iter().chain(exit.twig);
        if heading == Heading::Beacon && !(database.has(target) && ends.into_iter().all(is_beacon)) {
            return Err(saved.malformed(no_beacon));
        }
        let ahead = saved.number_up_to(u64::from(u32::MAX), "no way costs so much")? as u32;
        let look_from = saved.number_up_to(last_of_trunk, no_beacon)? as u16;
        let look_left = saved.number_up_to(u64::from(u8::MAX), "no agent looks so far")? as u8;
        if heading == Heading::Beacon && look_left > 0 && database.out(target).is_some() {
            return Err(saved.malformed("an agent on a twig does not look for a better way"));
        }
        let flags = saved.number_up_to(3, "this should be 0 to 3")?;
        if flags & 1 == 1 && heading == Heading::Beacon {
            heading = Heading::Twig;
        }
        // Only on the map that was seen last; if the way is not open there, that was another one.
        let may_choose_again = flags & 2 == 0 || errand.foregone(space).is_some();
        let fallbacks = saved.number_up_to(u64::from(u16::MAX), "no agent fails so often")? as u16;
        let lrta = match saved.number_up_to(1, "this should be 0 or 1")? {
            0 => None,
            _ => {
                let mut lrta = Box::new(LrtaStar::new(Horizon::Plies(1), database.config().ties));
                lrta.restore(space, saved)?;
                Some(lrta)
            }
        };
        let lrta_is_here = lrta.as_deref().is_some_and(|lrta| {
            (<LrtaStar as Agent>::position(lrta), lrta.goal()) == (errand.position, errand.goal)
        });
        if heading == Heading::Lost && !lrta_is_here {
            return Err(saved.malformed("the agent is in two places"));
        }
        let mut walker = Self {
            errand,
            lrta,
            target,
            ahead,
            look_from,
            look_left,
            heading,
            fallbacks,
            may_choose_again,
            ..Self::NEW
        };
        walker.set_exit(exit);
        Ok(walker)
    }
}
