//! `beacon*`: an agent that climbs from beacon to beacon, and learns nothing.
//!
//! Not from a paper: `database/beacons/` says what beacons are, `choice.rs` how a way over them is chosen. From the first beacon of its way
//! the agent goes by legs, each to the beacon from which the rest costs least, up to the last one, and from there to its goal. What is left
//! of the way falls with every leg, so no beacon comes twice, and it arrives. It keeps the numbers of three beacons, whatever the map.
//!
//! Where a climb fails, which takes an edited map and beacons that were not repaired, the agent walks to its goal by LRTA*, and counts that.

mod choice;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use self::choice::{CHECK, MOST_THOUGHT_OF, TRIED};
use super::{Agent, Errand, LrtaStar, Memory, Step, UselessDatabase};
use crate::codec::{CodecError, Reader, put_number};
use crate::database::{BeaconDatabase, Database, MOST_LOOKS, MOST_TWIGS};
use crate::search::{Budget, Horizon, Work, climb_run};
use crate::space::{Direction, GridSpace, QueryError, State};

/// Where the agent is heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    /// It has to choose.
    Undecided,
    /// For the goal, by a climb.
    Goal,
    /// For a beacon, by a climb.
    Beacon(u32),
    /// For the goal, by LRTA*: the map is not the one that the beacons were built for.
    Lost,
}

/// Where the way leaves the beacons of the trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exit {
    beacon: u32,
    /// The twig that it goes on to, if it does not go to the goal itself.
    twig: Option<u32>,
    /// The twig that it goes to the goal from.
    last: u32,
    /// What it costs from the beacon to the goal, in units.
    cost: u32,
}

/// Which beacons farther on the way are to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    /// Those after this one.
    from: u32,
    /// How many.
    left: u8,
}

/// An agent that goes by beacons.
#[derive(Clone, Debug)]
pub(super) struct BeaconAgent {
    database: Arc<BeaconDatabase>,
    errand: Errand,
    heading: Heading,
    exit: Exit,
    /// What the way costs, in units, from the next beacon of the trunk to the exit: it falls with every leg.
    ahead: u32,
    look: Look,
    /// Whether the agent is on the twigs to its goal.
    is_leaving_trunk: bool,
    /// The direction of the climb, and for how many moves it is certain.
    run: Option<(Direction, u32)>,
    /// For edited maps.
    lrta: Option<Box<LrtaStar>>,
    fallbacks: u32,
}

impl BeaconAgent {
    pub(super) fn new(database: Arc<BeaconDatabase>) -> Self {
        Self {
            database,
            errand: Errand::NONE,
            heading: Heading::Undecided,
            exit: Exit { beacon: 0, twig: None, last: 0, cost: 0 },
            ahead: 0,
            look: Look { from: 0, left: 0 },
            is_leaving_trunk: false,
            run: None,
            lrta: None,
            fallbacks: 0,
        }
    }

    /// The next move of the climb that the agent is on, if there is one.
    #[inline]
    fn next_move(&mut self, space: &GridSpace, budget: &mut Budget) -> Option<State> {
        let position = self.errand.position;
        budget.charge_expansion(position);
        let (direction, left) = match self.run {
            Some(run) => run,
            None => {
                let target = match self.heading {
                    Heading::Goal => self.errand.goal,
                    Heading::Beacon(beacon) => self.database.state(beacon),
                    Heading::Undecided | Heading::Lost => return None,
                };
                climb_run(space, position, target, self.database.config().ties)?
            }
        };
        self.run = (left > 1).then_some((direction, left - 1));
        Some(space.step(position, direction))
    }

    /// Chooses a way if there is none yet, and goes on to the next beacon if the agent stands on the one that it heads for. Whether it
    /// knows where to go.
    fn decide(&mut self, space: &GridSpace, budget: &mut Budget) -> bool {
        if self.heading == Heading::Undecided && !self.choose(space, None, budget) {
            return false;
        }
        match self.heading {
            Heading::Beacon(beacon) if self.database.state(beacon) == self.errand.position => {
                self.go_on(space, beacon, budget)
            }
            _ => true,
        }
    }

    /// The map was edited, and the beacons are of no more use for this goal.
    fn get_lost(&mut self, space: &GridSpace) {
        self.fallbacks += 1;
        (self.heading, self.run, self.look.left) = (Heading::Lost, None, 0);
        let ties = self.database.config().ties;
        let lrta = self.lrta.get_or_insert_with(|| Box::new(LrtaStar::new(Horizon::Plies(1), ties)));
        // Both are states: the errand was checked.
        let _ = lrta.begin(space, self.errand.position, self.errand.goal);
    }

    fn check(&self, space: &GridSpace) -> Result<(), QueryError> {
        if self.database.built_for().is_like(space) {
            Ok(())
        } else {
            Err(QueryError::OtherDatabase { built_for: self.database.built_for().to_string() })
        }
    }

    fn start_over(&mut self) {
        (self.heading, self.run, self.is_leaving_trunk) = (Heading::Undecided, None, false);
        self.look.left = 0;
    }
}

impl Agent for BeaconAgent {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        self.check(space)?;
        self.errand = Errand::new(space, start, goal)?;
        self.start_over();
        (self.lrta, self.fallbacks) = (None, 0);
        Ok(())
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.check(space)?;
        self.errand = Errand::new(space, self.errand.position, goal)?;
        self.start_over();
        Ok(())
    }

    fn step(&mut self, space: &GridSpace, budget: &mut Budget) -> Step {
        if !self.errand.is_as_seen(space) {
            // How far a direction is certain was seen on another map.
            self.run = None;
        }
        if let Some(step) = self.errand.foregone(space) {
            return step;
        }
        let has_chosen = self.heading == Heading::Undecided;
        if self.run.is_none() && !self.decide(space, budget) {
            self.get_lost(space);
        } else if self.look.left > 0 && !has_chosen {
            self.look_ahead(space, budget);
        }
        if self.heading != Heading::Lost {
            match self.next_move(space, budget) {
                Some(next) => return self.errand.go(next),
                None => self.get_lost(space),
            }
        }
        let Some(lrta) = &mut self.lrta else { return Step::Stuck };
        let step = lrta.step(space, budget);
        if let Step::Moved(next) = step {
            self.errand.go(next);
        }
        step
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        let goal = self.errand.goal;
        match self.heading {
            Heading::Beacon(beacon) => Vec::from([self.database.state(beacon), goal]),
            Heading::Undecided | Heading::Goal | Heading::Lost => Vec::from([goal]),
        }
    }

    fn bound(&self) -> Option<Work> {
        // The goal, the beacons of both regions and the twigs they hang on, and those that are weighed. Where the first beacon is right here, the
        // agent goes on from there in the same move, and looks ahead.
        let climbs = (4 + 2 * MOST_TWIGS + 2 * TRIED + 3) as u64;
        let next_leg = 1 + MOST_LOOKS + self.database.most_legs();
        let probes = (3 * MOST_THOUGHT_OF + 2 * next_leg + 3) as u64;
        // A move made by LRTA* is one more expansion.
        Some(Work { climb_steps: climbs * CHECK, probes, ..Work::of_expansions(2) })
    }

    fn memory(&self) -> Memory {
        self.lrta.as_deref().map_or(Memory::default(), <LrtaStar as Agent>::memory)
    }

    fn fallbacks(&self) -> u64 {
        u64::from(self.fallbacks)
    }

    fn use_database(&mut self, database: &Database) -> Result<(), UselessDatabase> {
        let Database::Beacons(database) = database else { return Err(UselessDatabase) };
        self.database = Arc::clone(database);
        self.start_over();
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn save(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.database.checksum().to_le_bytes());
        self.errand.save(out);
        put_number(
            out,
            match self.heading {
                Heading::Undecided => 0,
                Heading::Goal => 1,
                Heading::Lost => 2,
                Heading::Beacon(beacon) => 3 + u64::from(beacon),
            },
        );
        put_number(out, u64::from(self.exit.beacon));
        put_number(out, self.exit.twig.map_or(0, |twig| 1 + u64::from(twig)));
        put_number(out, u64::from(self.exit.last));
        put_number(out, u64::from(self.exit.cost));
        put_number(out, u64::from(self.ahead));
        put_number(out, u64::from(self.look.from));
        put_number(out, u64::from(self.look.left));
        put_number(out, u64::from(self.is_leaving_trunk));
        put_number(out, u64::from(self.fallbacks));
        put_number(out, u64::from(self.lrta.is_some()));
        if let Some(lrta) = &self.lrta {
            <LrtaStar as Agent>::save(lrta, out);
        }
    }

    fn restore(&mut self, space: &GridSpace, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        if u64::from_le_bytes(saved.array()?) != self.database.checksum() {
            return Err(saved.malformed("the agent was saved with another database"));
        }
        let errand = Errand::restore(space, saved)?;
        let beacons = u64::from(self.database.beacons());
        let no_beacon = "there is no such beacon";
        let heading = match saved.number_up_to(2 + beacons, no_beacon)? {
            0 => Heading::Undecided,
            1 => Heading::Goal,
            2 => Heading::Lost,
            number => Heading::Beacon((number - 3) as u32),
        };
        let beacon =
            saved.number_up_to(u64::from(self.database.trunk()).saturating_sub(1), no_beacon)? as u32;
        let twig = (saved.number_up_to(beacons, no_beacon)? as u32).checked_sub(1);
        let last = saved.number_up_to(beacons.saturating_sub(1), no_beacon)? as u32;
        let cost = saved.number_up_to(u64::from(u32::MAX), "no way costs so much")? as u32;
        let ahead = saved.number_up_to(u64::from(u32::MAX), "no way costs so much")? as u32;
        let look = Look {
            from: saved.number_up_to(u64::from(self.database.trunk()).saturating_sub(1), no_beacon)? as u32,
            left: saved.number_up_to(u64::from(u8::MAX), "no agent looks so far")? as u8,
        };
        let is_leaving_trunk = saved.number_up_to(1, "this should be 0 or 1")? == 1;
        let fallbacks = saved.number_up_to(u64::from(u32::MAX / 2), "no agent fails so often")? as u32;
        let lrta = match saved.number_up_to(1, "this should be 0 or 1")? {
            0 => None,
            _ => {
                let ties = self.database.config().ties;
                let mut lrta = Box::new(LrtaStar::new(Horizon::Plies(1), ties));
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
        *self = Self {
            database: Arc::clone(&self.database),
            errand,
            heading,
            exit: Exit { beacon, twig, last, cost },
            ahead,
            look,
            is_leaving_trunk,
            run: None,
            lrta,
            fallbacks,
        };
        Ok(())
    }
}
