//! A crowd at play: units with random goals, a new one whenever they arrive; walls that come and go;
//! pursuers. What `surefoot crowd` shows, what the benchmark measures, and what the soak test checks.
//!
//! Everything but the times follows from the seed.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use surefoot::crowd::{Crowd, CrowdError, FrameBudget, KindId, Priority, UnitId};
use surefoot::search::{GridPlanner, Planner as _};
use surefoot::space::{Cell, Cost, Heuristic as _, State, StateSpace as _};

use crate::random::Rng;

/// After so many draws in vain no place is found.
const MOST_DRAWS: u32 = 10_000;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// How many units there are.
    pub units: u32,
    /// One in so many pursues another one instead of having goals of its own; 0 for none.
    pub pursuers: u32,
    /// Cells that are blocked or freed before each frame.
    pub edits: u32,
    /// The most cells that are blocked at a time beyond those of the map.
    pub most_walls: usize,
    /// The most finished walks that are kept, to be compared with cheapest ones.
    pub sample: usize,
    /// Which of the many games.
    pub seed: u64,
}

impl Game {
    /// Units with goals of their own on a map that does not change.
    #[must_use]
    pub fn of(units: u32, seed: u64) -> Self {
        Self { units, pursuers: 0, edits: 0, most_walls: 200, sample: 200, seed }
    }
}

/// A walk from where a goal was given to where it was reached.
#[derive(Clone, Copy, Debug)]
struct Walk {
    start: State,
    goal: State,
    cost: Cost,
}

/// What a frame took.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTimes {
    /// The edits and what follows from them for the map.
    pub edits: Duration,
    /// All planning: new goals and the frame itself, databases that are brought up to date included.
    pub planning: Duration,
}

/// A crowd and who plays with it.
pub struct Play {
    /// The crowd.
    pub crowd: Crowd,
    kind: KindId,
    game: Game,
    random: Rng,
    /// For each unit, by the order in which they were added.
    units: Vec<UnitId>,
    /// What each unit has walked since it got its goal.
    walks: Vec<Walk>,
    finished: Vec<Walk>,
    finished_count: u64,
    /// The walls that were built, the oldest first.
    walls: VecDeque<Cell>,
    /// The number of each unit, by its slot.
    numbers: Vec<u32>,
    moves: u64,
}

/// A crowd that cannot play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The crowd refuses.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// There is no room for all units.
    #[error("there is no room for {units} units on this map: only {placed} were placed")]
    NoRoom {
        /// How many there were to be.
        units: u32,
        /// How many there is room for.
        placed: usize,
    },
}

impl Play {
    /// Places the units of a game, all of one kind, each on a random state with a random goal that it can get
    /// to.
    ///
    /// # Errors
    /// If there is no room for so many.
    pub fn new(crowd: Crowd, kind: KindId, game: Game) -> Result<Self, PlayError> {
        let mut play = Self {
            crowd,
            kind,
            game,
            random: Rng::new(game.seed, 0),
            units: Vec::new(),
            walks: Vec::new(),
            finished: Vec::new(),
            finished_count: 0,
            walls: VecDeque::new(),
            numbers: Vec::new(),
            moves: 0,
        };
        for number in 0..game.units {
            if !play.place_one(number)? {
                return Err(PlayError::NoRoom { units: game.units, placed: play.units.len() });
            }
        }
        if let Some(apart) = game.pursuers.checked_sub(1) {
            let apart = apart as usize + 1;
            for number in (0..play.units.len()).step_by(apart) {
                let target = (number + 1) % play.units.len();
                if target != number {
                    play.crowd.pursue(play.units[number], play.units[target])?;
                }
            }
        }
        Ok(play)
    }

    fn place_one(&mut self, number: u32) -> Result<bool, PlayError> {
        for _ in 0..MOST_DRAWS {
            let Some(start) = self.draw(None) else { return Ok(false) };
            let Some(goal) = self.draw(Some(start)) else { continue };
            match self.crowd.add(self.kind, start, goal, Priority::Normal) {
                Ok(unit) => {
                    let space = self.crowd.space(self.kind)?;
                    let place = |cell| space.locate(cell).map_err(CrowdError::from);
                    let (start, goal) = (place(start)?, place(goal)?);
                    self.units.push(unit);
                    let slot = unit.slot() as usize;
                    self.numbers.resize(self.numbers.len().max(slot + 1), 0);
                    self.numbers[slot] = number;
                    self.walks.push(Walk { start, goal, cost: 0 });
                    return Ok(true);
                }
                Err(CrowdError::Taken(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(false)
    }

    /// A random cell that a unit can stand on; if `from` is given, one that there is a way to from there.
    fn draw(&mut self, from: Option<Cell>) -> Option<Cell> {
        let space = self.crowd.space(self.kind).ok()?;
        let components = space.components();
        let component = from.map_or_else(|| components.largest(), |from| components.of(from));
        (0..MOST_DRAWS).find_map(|_| {
            let state = State(self.random.below(space.state_limit() as u64) as u32);
            let cell = space.cell(state);
            (space.contains(state) && components.of(cell) == component).then_some(cell)
        })
    }

    /// Plays a frame: edits, a frame of the crowd, new goals for those who arrived.
    ///
    /// # Errors
    /// If the crowd refuses something, which it should not.
    pub fn frame(&mut self, budget: FrameBudget<'_>) -> Result<FrameTimes, PlayError> {
        let mut times = FrameTimes { edits: self.edit()?, planning: Duration::ZERO };
        let begin = Instant::now();
        self.crowd.frame(budget);
        times.planning = begin.elapsed();
        self.note_moves()?;
        let arrived: Vec<UnitId> = self.crowd.report().arrived.clone();
        let mut goals = Vec::with_capacity(arrived.len());
        for unit in arrived {
            self.finish(unit);
            if self.crowd.target(unit)?.is_none()
                && let Some(goal) = self.draw(Some(self.crowd.position(unit)?))
            {
                goals.push((unit, goal));
            }
        }
        let begin = Instant::now();
        for &(unit, goal) in &goals {
            self.crowd.set_goal(unit, goal)?;
        }
        times.planning += begin.elapsed();
        for (unit, goal) in goals {
            let space = self.crowd.space(self.kind)?;
            let start = space.state_at(self.crowd.position(unit)?);
            if let Some((start, goal)) = start.zip(space.state_at(goal)) {
                self.walks[self.numbers[unit.slot() as usize] as usize] = Walk { start, goal, cost: 0 };
            }
        }
        Ok(times)
    }

    /// Blocks and frees cells at random: once there are as many walls as there may be, the oldest goes.
    /// Nobody is walled in where he stands.
    fn edit(&mut self) -> Result<Duration, PlayError> {
        let mut spent = Duration::ZERO;
        for _ in 0..self.game.edits {
            let oldest = (self.walls.len() >= self.game.most_walls).then(|| self.walls.pop_front()).flatten();
            let edit = match oldest {
                Some(cell) => Some((cell, true)),
                None => self.draw(None).map(|cell| (cell, false)),
            };
            let Some((cell, free)) = edit else { continue };
            if !free {
                let stands_here = |&unit: &UnitId| self.crowd.position(unit).is_ok_and(|at| at == cell);
                if self.units.iter().any(stands_here) {
                    continue;
                }
                self.walls.push_back(cell);
            }
            let begin = Instant::now();
            self.crowd.set_cell(cell, free)?;
            spent += begin.elapsed();
        }
        Ok(spent)
    }

    fn note_moves(&mut self) -> Result<(), PlayError> {
        let space = self.crowd.space(self.kind)?;
        for made in &self.crowd.report().moves {
            let walk = &mut self.walks[self.numbers[made.unit.slot() as usize] as usize];
            // What a move costs; on even ground its estimate.
            let Some((from, to)) = space.state_at(made.from).zip(space.state_at(made.to)) else { continue };
            let mut cost = space.estimate(from, to);
            if space.is_weighted() {
                space.for_each_successor(from, |next, exact| {
                    if next == to {
                        cost = exact;
                    }
                });
            }
            walk.cost += cost;
        }
        self.moves += self.crowd.report().moves.len() as u64;
        Ok(())
    }

    /// A walk is over: it is kept, or takes the place of one that was, so that each has the same chance.
    fn finish(&mut self, unit: UnitId) {
        let walk = self.walks[self.numbers[unit.slot() as usize] as usize];
        if walk.cost == 0 || self.crowd.target(unit) != Ok(None) {
            return;
        }
        self.finished_count += 1;
        if self.finished.len() < self.game.sample {
            self.finished.push(walk);
        } else {
            let place = self.random.below(self.finished_count) as usize;
            if let Some(kept) = self.finished.get_mut(place) {
                *kept = walk;
            }
        }
    }

    /// The units, in the order in which they were added.
    #[must_use]
    pub fn units(&self) -> &[UnitId] {
        &self.units
    }

    /// The walls that were built and still stand.
    pub fn walls(&self) -> impl Iterator<Item = Cell> {
        self.walls.iter().copied()
    }

    /// How many moves were made so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The bytes that the player keeps beside the crowd.
    #[must_use]
    pub fn own_bytes(&self) -> u64 {
        let walks = (self.walks.capacity() + self.finished.capacity()) * size_of::<Walk>();
        let units = self.units.capacity() * size_of::<UnitId>() + self.numbers.capacity() * size_of::<u32>();
        (walks + units + self.walls.capacity() * size_of::<Cell>()) as u64
    }

    /// How many walks are finished.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.finished_count
    }

    /// By how many percent each of the finished walks that were kept is longer than a cheapest one on the map
    /// as it is now; `done` hears how many there are.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn suboptimality(&self, mut done: impl FnMut(u64)) -> Result<Vec<f64>, PlayError> {
        let space = self.crowd.space(self.kind)?;
        let mut planner = GridPlanner::fastest();
        let mut over = Vec::with_capacity(self.finished.len());
        for (number, walk) in self.finished.iter().enumerate() {
            let best = planner.plan(space, walk.start, walk.goal).ok().and_then(|answer| answer.cost());
            over.extend(best.map(|best| (walk.cost as f64 / best as f64 - 1.0) * 100.0));
            done(number as u64 + 1);
        }
        Ok(over)
    }
}
