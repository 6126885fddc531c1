//! Walks of every algorithm on random maps, with new goals, edits, and twins that were saved and restored on
//! the way.

use std::sync::Arc;
use std::time::Instant;

use surefoot::agent::{Agent, Algorithm, Bound, Entry, Step};
use surefoot::search::{Dijkstra, Meter, Work};
use surefoot::space::{Cell, Cost, GridSpace, Revision, State, StateSpace as _, World};
use surefoot::store::{Database, Follows, Maintained};
use surefoot_classics::ROSTER;
use surefoot_lab::random::Rng;

use super::checks::Seen;
use super::report::Log;
use super::world::{Ground, between, draw_near, pick};
use super::world::{Scale, draw_cell, draw_edit, draw_free, draw_grid, draw_moves, space_of};
use super::{checks, face, specs};

/// A leg is cut off when it takes more steps than this, and some for each state.
const STEPS: u64 = 200;
/// Steps for each state: who raises one value a step may come to a state many times.
const STEPS_A_STATE: u64 = 12;
/// No leg takes more steps, however large the map.
const MOST_STEPS: u64 = 30_000;

/// How long a case is, and how much is checked beside its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    scale: Scale,
    most_legs: u64,
    /// No more moves are made.
    most_moves: u64,
    /// Nor is more work done.
    most_work: u64,
    /// How likely an edit is before a step: one of these.
    edit_rates: &'static [f64],
    /// How likely it is that the agent is saved before a step.
    saves: f64,
    /// How many of the walks that arrive are held against a cheapest path.
    costs: f64,
}

/// Short walks, and all that can be checked.
pub const SHORT: Pace = Pace {
    scale: Scale::Any,
    most_legs: 10,
    most_moves: u64::MAX,
    most_work: 3_000_000,
    edit_rates: &[0.0, 0.0, 0.01, 0.05, 0.3],
    saves: 0.02,
    costs: 1.0,
};

/// Walks over large maps, one after the other. Most of the time goes into moves.
pub const LONG: Pace = Pace {
    scale: Scale::Large,
    most_legs: 10_000,
    most_moves: 200_000,
    most_work: 5_000_000,
    edit_rates: &[0.0, 0.0002, 0.002],
    saves: 0.0,
    costs: 0.01,
};

/// No larger database is told of edits: where every pair of thousands of regions is looked at again, that
/// takes minutes.
const MOST_ENTRIES: u64 = 4_000_000;
/// No agent is saved more often: some make a table anew when they are restored, which takes longer than the
/// walk.
const MOST_SAVES: u64 = 10;

/// An agent under observation, on a map or a graph.
pub struct Walker<W: World> {
    /// How findings name it.
    pub name: String,
    /// Whether it should get wherever there is a way.
    pub is_complete: bool,
    /// The agent itself.
    pub agent: Box<dyn Agent<W>>,
    /// One that was restored from what this one saved, and does everything as this one does.
    pub twin: Option<Box<dyn Agent<W>>>,
    /// Where it is to go.
    pub goal: State,
    /// What it has walked since it got its goal.
    pub walked: Cost,
    /// The answer that was last checked, and the map of which it was right.
    answered: Option<(Step, State, Option<Revision>)>,
}

impl<W: World> Walker<W> {
    /// An agent that has not begun.
    #[must_use]
    pub fn new(name: String, is_complete: bool, agent: Box<dyn Agent<W>>) -> Self {
        Self { name, is_complete, agent, twin: None, goal: State(0), walked: 0, answered: None }
    }

    /// One step, and all that must hold of it.
    pub fn step(&mut self, world: &W, log: &mut Log) -> (Step, Work) {
        let position = self.agent.position();
        let bound = self.agent.bound();
        let begin = Instant::now();
        let (step, spent) = bare_step(&mut *self.agent, world);
        let time = begin.elapsed();
        log.step += 1;
        log.tally.steps += 1;
        log.note_time(|| format!("a step of {}", self.name), time, spent.total());
        log.check("bound", &self.name, checks::within_bound(&spent, bound.as_ref()));
        if let Step::Moved(next) = step {
            log.tally.moves += 1;
            match checks::legal_move(world, position, next) {
                Ok(cost) => self.walked += cost,
                Err(message) => log.find("illegal move", &self.name, message),
            }
        }
        let expected = if let Step::Moved(next) = step { next } else { position };
        log.check("place", &self.name, checks::same("place", &self.agent.position(), &expected));
        let answer = Some((step, self.goal, world.revision()));
        if step.is_over() && self.answered != answer {
            self.answered = answer;
            let is_there = position == self.goal;
            let is_open = step == Step::Unreachable && checks::is_open(world, position, self.goal);
            let result = checks::rightly_over(step, is_there, is_open, self.is_complete);
            log.check("wrong answer", &self.name, result);
        }
        if let Some(mut twin) = self.twin.take() {
            let (twin_step, twin_spent) = bare_step(&mut *twin, world);
            let ours = seen(&*self.agent, step, spent);
            let theirs = seen(&*twin, twin_step, twin_spent);
            if log.check("restored twin", &self.name, checks::same_step(&ours, &theirs)) {
                self.twin = Some(twin);
            }
        }
        (step, spent)
    }

    /// Gives the agent another goal, and its twin too. Whether they take it.
    pub fn set_goal(&mut self, world: &W, goal: State, log: &mut Log) -> bool {
        let answer = self.agent.set_goal(world, goal);
        let twin = self.twin.as_mut().map(|twin| twin.set_goal(world, goal));
        if twin.is_some_and(|twin| twin != answer) {
            log.find("restored twin", &self.name, format!("another answer to a goal [{answer:?}]"));
        }
        let can_be = world.contains(goal) && world.contains(self.agent.position());
        match &answer {
            Ok(()) => (self.goal, self.walked) = (goal, 0),
            Err(error) if can_be => log.find("refused goal", &self.name, error.to_string()),
            Err(_) => {}
        }
        answer.is_ok()
    }
}

fn bare_step<W: World>(agent: &mut dyn Agent<W>, world: &W) -> (Step, Work) {
    let mut meter = Meter::new();
    let step = agent.step(world, &mut meter);
    (step, meter.spent())
}

fn seen<W: World>(agent: &dyn Agent<W>, step: Step, spent: Work) -> Seen {
    Seen {
        step,
        work: spent,
        position: agent.position(),
        memory: agent.memory(),
        plan: agent.plan(),
        fallbacks: agent.fallbacks(),
    }
}

/// A walk on a map, from its seed.
///
/// # Errors
/// If there is no such algorithm.
pub fn run(seed: u64, entry: Option<&str>, pace: Pace, log: &mut Log) -> Result<(), String> {
    let mut random = Rng::new(seed, 0);
    let entry = specs::draw_entry(&mut random, entry)?;
    let grid = draw_grid(&mut random, pace.scale);
    let moves = draw_moves(&mut random);
    let ground = random.chance(0.25).then(|| Ground::draw(&mut random));
    let space = space_of(grid, moves, ground);
    let spec = specs::draw_spec(&mut random, entry, space.grid().free_count() as usize);
    log.trace(|| {
        let (width, height) = (space.grid().width(), space.grid().height());
        format!(
            "{spec} on {width} x {height} cells, {} free, {moves:?}, {ground:?}",
            space.grid().free_count()
        )
    });
    let made = ROSTER.algorithm(&spec).and_then(|algorithm| {
        let database = algorithm.build_database(&space, seed % 5)?;
        Ok((algorithm.agent(database.as_ref())?, algorithm, database))
    });
    let (agent, algorithm, database) = match made {
        Ok(made) => made,
        Err(error) => {
            log.tally.note_refusal(&error.to_string());
            return Ok(());
        }
    };
    let name = spec.to_string();
    let has_bound = agent.bound().is_some();
    if has_bound != matches!(entry.bound, Bound::PerMove(_)) {
        log.find("bound", &name, format!("the roster says {}, the agent {:?}", entry.bound, agent.bound()));
    }
    let walker = Walker::new(name, entry.complete, agent);
    let edit_rate = pick(&mut random, pace.edit_rates);
    let is_told = random.chance(0.5);
    let is_told = |database: &Arc<dyn Database>| is_told && database.entries() <= MOST_ENTRIES;
    let maintained = database.clone().filter(is_told).map(Database::maintained);
    let mut walk = Walk {
        random,
        pace,
        space,
        entry,
        algorithm,
        database,
        maintained,
        walker,
        edit_rate,
        is_edited: false,
    };
    walk.legs(log);
    if walk.is_edited {
        let fresh = space_of(walk.space.grid().clone(), moves, ground);
        log.check("edited space", "map", checks::same_space(&walk.space, &fresh));
    }
    let counts = log.tally.entries.entry(entry.name).or_default();
    counts.walks += 1;
    counts.steps += log.step;
    Ok(())
}

struct Walk {
    random: Rng,
    pace: Pace,
    space: GridSpace,
    entry: &'static Entry,
    algorithm: Algorithm,
    /// The database that the agent goes by.
    database: Option<Arc<dyn Database>>,
    /// The same, with what keeps it right. `None` if nobody tells it of edits.
    maintained: Option<Box<dyn Maintained>>,
    walker: Walker<GridSpace>,
    /// How likely an edit is before a step.
    edit_rate: f64,
    /// Whether the map was edited since the agent was made.
    is_edited: bool,
}

impl Walk {
    /// One goal after another.
    fn legs(&mut self, log: &mut Log) {
        if self.space.grid().free_count() < 2 || self.random.chance(0.05) {
            self.dig(log);
        }
        let Some(start) = self.draw_state() else { return };
        let goal = self.draw_goal(start);
        log.trace(|| format!("begin at {start:?} for {goal:?}"));
        match self.walker.agent.begin(&self.space, start, goal) {
            Ok(()) if self.space.is_weighted() && !self.entry.takes_weights => {
                log.find(
                    "weights",
                    self.entry.name,
                    "walks over weights that it says it does not take".into(),
                );
            }
            Ok(()) => (self.walker.goal, self.walker.walked) = (goal, 0),
            Err(error) => {
                if self.entry.takes_weights || !self.space.is_weighted() {
                    log.find("refused start", &self.walker.name, error.to_string());
                }
                return;
            }
        }
        let legs = between(&mut self.random, 1, self.pace.most_legs);
        let mut work = 0;
        for leg in 0..legs {
            let mut is_new = true;
            if leg > 0 {
                let goal = self.draw_goal(self.walker.agent.position());
                log.trace(|| format!("goal {goal:?}"));
                is_new = self.walker.set_goal(&self.space, goal, log);
            }
            log.tally.walks += 1;
            work += self.leg(is_new, log);
            if work > self.pace.most_work || log.tally.moves > self.pace.most_moves {
                return;
            }
        }
    }

    /// Walks until it is over, or for long enough; `is_new` says whether it has just got its goal. What it
    /// took.
    fn leg(&mut self, is_new: bool, log: &mut Log) -> u64 {
        let start = self.walker.agent.position();
        let most = MOST_STEPS.min(STEPS + STEPS_A_STATE * self.space.grid().free_count());
        let (mut work, mut is_still) = (0, is_new);
        for _ in 0..most {
            if self.random.chance(self.edit_rate) {
                self.edit(log);
                is_still = false;
            }
            if self.random.chance(self.pace.saves) && log.tally.saves < MOST_SAVES {
                self.save(log);
            }
            let (step, spent) = self.walker.step(&self.space, log);
            if log.is_traced {
                println!("{:>6}  {step:?}, {spent}", log.step);
            }
            work += spent.total();
            if step.is_over() {
                let is_looked_at = self.pace.costs >= 1.0 || self.random.chance(self.pace.costs);
                if step == Step::Arrived && is_still && is_looked_at {
                    let found = Dijkstra::new().find(&self.space, start, self.walker.goal);
                    let cheapest = found.ok().and_then(|answer| answer.cost());
                    let result = checks::cost_of_walk(self.walker.walked, cheapest, self.entry.optimal);
                    log.check("cost", &self.walker.name, result);
                }
                // What is over can go on when the map changes.
                if self.edit_rate == 0.0 || self.random.chance(0.3) {
                    return work;
                }
            }
            if work > self.pace.most_work {
                break;
            }
        }
        log.tally.entries.entry(self.entry.name).or_default().not_over += 1;
        work
    }

    fn draw_state(&mut self) -> Option<State> {
        draw_free(&mut self.random, self.space.grid()).map(|cell| face::state(&self.space, cell))
    }

    /// Mostly a state that can be reached.
    fn draw_goal(&mut self, from: State) -> State {
        let goal = self.draw_state().unwrap_or(from);
        if self.space.contains(from) && self.random.chance(0.8) {
            self.space.nearest_reachable(from, self.space.cell(goal))
        } else {
            goal
        }
    }

    /// Frees some of a map that has hardly anywhere to go.
    fn dig(&mut self, log: &mut Log) {
        let count = between(&mut self.random, 2, 30);
        let cells: Vec<(Cell, bool)> =
            (0..count).map(|_| (draw_cell(&mut self.random, self.space.grid()), true)).collect();
        self.apply(&cells, log);
    }

    fn edit(&mut self, log: &mut Log) {
        let position = self.space.cell(self.walker.agent.position());
        let near = match self.random.below(6) {
            0 => Some(self.space.cell(self.walker.goal)),
            1..4 => Some(draw_near(&mut self.random, self.space.grid(), position)),
            _ => None,
        };
        let mut cells = draw_edit(&mut self.random, self.space.grid(), near);
        if !self.random.chance(0.1) {
            cells.retain(|&(cell, _)| cell != position);
        }
        self.apply(&cells, log);
    }

    fn apply(&mut self, cells: &[(Cell, bool)], log: &mut Log) {
        log.trace(|| format!("edit {cells:?}, told: {}", self.maintained.is_some()));
        log.tally.edits += cells.len() as u64;
        self.space.set_all(cells.iter().copied());
        self.is_edited = true;
        let Some(maintained) = &mut self.maintained else { return };
        let changed: Vec<Cell> = cells.iter().map(|&(cell, _)| cell).collect();
        let edited = maintained.edit(&self.space, &changed);
        while maintained.upkeep(&self.space).is_some() {}
        let database = maintained.database();
        match (edited, database.kind().follows) {
            (Some(_), Follows::BesideFile(_) | Follows::InFile) => {}
            (None, Follows::No) => return,
            _ => {
                return log.find(
                    "repair",
                    &self.walker.name,
                    format!("{:?} did not follow", database.kind()),
                );
            }
        }
        let agents = [Some(&mut self.walker.agent), self.walker.twin.as_mut()].into_iter().flatten();
        let answers: Vec<_> = agents.map(|agent| agent.use_database(&database)).collect();
        match answers[..] {
            [Ok(()), ref twin @ ..] if twin.iter().all(Result::is_ok) => self.database = Some(database),
            [Err(ref error), ..] => log.tally.note_refusal(&format!("{}: {error}", self.entry.name)),
            _ => log.find("restored twin", &self.walker.name, "another answer to a database".into()),
        }
    }

    /// Saves the agent, and lets the one that is restored from it go on beside it.
    fn save(&mut self, log: &mut Log) {
        log.trace(|| "save and restore".into());
        log.tally.saves += 1;
        let bytes = self.algorithm.save(&self.space, &*self.walker.agent);
        match ROSTER.restore(&self.space, &bytes, self.database.as_ref()) {
            Ok((_, twin)) => self.walker.twin = Some(twin),
            Err(error) => {
                self.walker.twin = None;
                log.find("cannot be restored", &self.walker.name, error.to_string());
            }
        }
    }
}
