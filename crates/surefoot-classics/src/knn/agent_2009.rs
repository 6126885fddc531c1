//! kNN LRTA* in its first form: one subgoal at a time.
//!
//! "kNN LRTA*: simple subgoaling for real-time search" (2009): Figure 7, whose lines the comments cite. Its
//! database has one subgoal a record.
//!
//! Readings and deviations:
//! - Line 12 is LRTA* until the subgoal is reached: the text speaks of reaching it.
//! - A record whose subgoal is where the agent stands is passed over: it is taboo from then on.
//! - Where every record is passed over, the global goal is kept to the end.
//! - LRTA*, the database and the checks break ties the same way, by default to the lower g.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Errand, Memory, Step, UselessDatabase};
use surefoot::search::{Horizon, Meter, Work};
use surefoot::space::{QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number, put_states};
use surefoot::store::{Database, shared_as};

use super::index::{Nearest, Similarity};
use super::subgoal_walker::SubgoalWalker;
use super::subgoals::SubgoalDatabase;

/// Records that are fetched first; if none of them can be used, all are.
const FIRST: usize = 32;

#[derive(Clone, Debug)]
pub(crate) struct KnnLrta2009 {
    walker: SubgoalWalker,
    /// Whether the target was chosen; else it has to be.
    has_chosen: bool,
    /// The subgoals that were used.
    taboo: BTreeSet<State>,
    fallbacks: u64,
    nearest: Nearest,
}

impl KnnLrta2009 {
    pub(crate) fn new(depth: u32, cutoff: u64, database: Arc<SubgoalDatabase>) -> Self {
        Self {
            walker: SubgoalWalker::new(database, Horizon::Plies(depth), cutoff),
            has_chosen: false,
            taboo: BTreeSet::new(),
            fallbacks: 0,
            nearest: Nearest::new(),
        }
    }

    /// Lines 3 to 11.
    fn choose<W: World>(&mut self, world: &W, meter: &mut Meter) -> State {
        let Errand { position, goal, .. } = self.walker.errand;
        // Lines 3 and 10.
        if self.walker.reaches(world, position, goal, meter) {
            return goal;
        }
        let mut tried = 0;
        for wanted in [FIRST, usize::MAX] {
            let ends = (position, goal);
            self.walker.database.find_nearest(
                world,
                ends,
                Similarity::Sum,
                (wanted, None),
                &mut self.nearest,
                meter,
            );
            // Lines 4 to 7, the most similar first.
            for &(_, record) in &self.nearest.records()[tried..] {
                let (start, end) = self.walker.database.ends(record);
                let subgoal =
                    self.walker.database.next_subgoal(&mut self.walker.database.walk(record)).unwrap_or(end);
                let is_usable = !self.taboo.contains(&subgoal)
                    && subgoal != position
                    && world.contains(subgoal)
                    && self.walker.reaches(world, position, start, meter)
                    && self.walker.reaches(world, goal, end, meter);
                if is_usable {
                    // Line 8.
                    self.taboo.insert(subgoal);
                    return subgoal;
                }
            }
            tried = self.nearest.records().len();
            if tried == self.walker.database.len() {
                break;
            }
        }
        self.fallbacks += 1;
        goal
    }
}

impl<W: World> Agent<W> for KnnLrta2009 {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.walker.begin(world, start, goal)?;
        self.has_chosen = false;
        self.taboo.clear();
        self.fallbacks = 0;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.walker.set_goal(world, goal)?;
        self.has_chosen = false;
        self.taboo.clear();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.walker.errand.foregone(world) {
            return step;
        }
        if !self.has_chosen || self.walker.target() == self.walker.errand.position {
            let target = self.choose(world, meter);
            // What was chosen is a state: it was checked.
            self.has_chosen = self.walker.head_for(world, target, meter);
        }
        // Line 12.
        match self.walker.advance(world, meter) {
            Step::Moved(next) => Step::Moved(next),
            // LRTA* knows no way to the goal: nor does this agent.
            step if self.walker.target() == self.walker.errand.goal => step,
            // The map was edited: what the agent was heading for is out of reach. It is taboo from now on.
            _ => {
                self.has_chosen = false;
                Step::Waiting
            }
        }
    }

    fn position(&self) -> State {
        self.walker.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.walker.plan()
    }

    fn bound(&self) -> Option<Work> {
        let records = self.walker.database.len() as u64;
        let climb_steps = (2 * records + 1).saturating_mul(self.walker.cutoff());
        let lookahead = Work::of_expansions(self.walker.expansions::<W>());
        Some(lookahead.with_climb_steps(climb_steps).with_probes(2 * records))
    }

    fn memory(&self) -> Memory {
        self.walker.memory::<W>()
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        let database = &shared_as(database).ok_or(UselessDatabase)?;
        self.walker.use_database(database)
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.walker.save(out);
        put_number(out, u64::from(self.has_chosen));
        put_states(out, &self.taboo.iter().copied().collect::<Vec<_>>());
        put_number(out, self.fallbacks);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let walker = self.walker.restored(world, saved)?;
        let has_chosen = saved.number_up_to(1, "expected 0 or 1")? == 1;
        let mut taboo = BTreeSet::new();
        taboo.extend(saved.states(world.state_limit())?);
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        (self.walker, self.has_chosen) = (walker, has_chosen);
        (self.taboo, self.fallbacks) = (taboo, fallbacks);
        Ok(())
    }
}
