//! kNN LRTA* in its first form: one subgoal at a time.
//!
//! "kNN LRTA*: simple subgoaling for real-time search" (2009): Figure 7, whose lines the comments cite. Its database has one
//! subgoal a record.
//!
//! Readings and deviations:
//! - Line 12 is LRTA* until the subgoal is reached: the text speaks of reaching it.
//! - A record whose subgoal is where the agent stands is passed over: it is taboo from then on.
//! - Where every record is passed over, the global goal is kept to the end.
//! - LRTA*, the database and the checks break ties the same way, by default to the lower g.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::knn_lrta::{check_database, check_leg, expect_database, put_database};
use super::{Agent, Errand, LrtaStar, Memory, Step};
use crate::codec::{CodecError, Reader, put_number, put_optional_state, put_states};
use crate::database::{Nearest, Similarity, SubgoalDatabase};
use crate::search::{Budget, Horizon, Work, reachable};
use crate::space::{QueryError, State, World};

/// Records that are fetched first; if none of them can be used, all are.
const FIRST: usize = 32;

#[derive(Clone, Debug)]
pub(super) struct KnnLrta2009 {
    cutoff: u64,
    database: Arc<SubgoalDatabase>,
    errand: Errand,
    lrta: LrtaStar,
    target: Option<State>,
    /// The subgoals that were used.
    taboo: BTreeSet<State>,
    fallbacks: u64,
    nearest: Nearest,
}

impl KnnLrta2009 {
    pub(super) fn new(depth: u32, cutoff: u64, database: Arc<SubgoalDatabase>) -> Self {
        let lrta = LrtaStar::new(Horizon::Plies(depth), database.config().ties);
        Self {
            cutoff,
            database,
            errand: Errand::NONE,
            lrta,
            target: None,
            taboo: BTreeSet::new(),
            fallbacks: 0,
            nearest: Nearest::new(),
        }
    }

    fn reaches<W: World>(&self, world: &W, from: State, to: State, budget: &mut Budget) -> bool {
        reachable(world, from, to, self.cutoff, self.database.config().ties, budget)
    }

    /// Lines 3 to 11.
    fn choose<W: World>(&mut self, world: &W, budget: &mut Budget) -> State {
        let Errand { position, goal, .. } = self.errand;
        // Lines 3 and 10.
        if self.reaches(world, position, goal, budget) {
            return goal;
        }
        let mut tried = 0;
        for wanted in [FIRST, usize::MAX] {
            let ends = (position, goal);
            self.database.find_nearest(
                world,
                ends,
                Similarity::Sum,
                (wanted, None),
                &mut self.nearest,
                budget,
            );
            // Lines 4 to 7, the most similar first.
            for &(_, record) in &self.nearest.records()[tried..] {
                let (start, end) = self.database.ends(record);
                let subgoal = self.database.next_subgoal(&mut self.database.walk(record)).unwrap_or(end);
                let is_usable = !self.taboo.contains(&subgoal)
                    && subgoal != position
                    && world.contains(subgoal)
                    && self.reaches(world, position, start, budget)
                    && self.reaches(world, goal, end, budget);
                if is_usable {
                    // Line 8.
                    self.taboo.insert(subgoal);
                    return subgoal;
                }
            }
            tried = self.nearest.records().len();
            if tried == self.database.len() {
                break;
            }
        }
        self.fallbacks += 1;
        goal
    }
}

impl<W: World> Agent<W> for KnnLrta2009 {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        check_database(world, &self.database)?;
        self.errand = Errand::new(world, start, goal)?;
        self.lrta.begin(world, start, goal)?;
        self.target = None;
        self.taboo.clear();
        self.fallbacks = 0;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        check_database(world, &self.database)?;
        self.errand = Errand::new(world, self.errand.position, goal)?;
        self.lrta.set_goal(world, goal)?;
        self.target = None;
        self.taboo.clear();
        Ok(())
    }

    fn step(&mut self, world: &W, budget: &mut Budget) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        let is_on_its_way = self.target.is_some_and(|target| target != self.errand.position);
        if !is_on_its_way {
            let target = self.choose(world, budget);
            budget.note_subgoal(target);
            self.target = Some(target);
            // What was chosen is a state: it was checked.
            let _ = self.lrta.set_goal(world, target);
        }
        // Line 12.
        match self.lrta.step(world, budget) {
            Step::Moved(next) => self.errand.go(next),
            // The map was edited: what the agent was heading for is out of reach.
            _ => {
                self.target = None;
                Step::Waiting
            }
        }
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        match self.target {
            Some(target) if target != self.errand.goal => vec![target, self.errand.goal],
            _ => vec![self.errand.goal],
        }
    }

    fn bound(&self) -> Option<Work> {
        let records = self.database.len() as u64;
        let lookahead = <LrtaStar as Agent<W>>::bound(&self.lrta)?;
        Some(Work { climb_steps: (2 * records + 1) * self.cutoff, probes: 2 * records, ..lookahead })
    }

    fn memory(&self) -> Memory {
        <LrtaStar as Agent<W>>::memory(&self.lrta)
    }

    fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, out: &mut Vec<u8>) {
        put_database(out, &self.database);
        self.errand.save(out);
        <LrtaStar as Agent<W>>::save(&self.lrta, out);
        put_optional_state(out, self.target);
        put_states(out, &self.taboo.iter().copied().collect::<Vec<_>>());
        put_number(out, self.fallbacks);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        expect_database(saved, &self.database)?;
        let errand = Errand::restore(world, saved)?;
        let mut lrta = self.lrta.clone();
        lrta.restore(world, saved)?;
        let target = saved.optional_state(world.state_limit())?;
        check_leg(world, &lrta, errand, target, saved)?;
        let taboo = saved.states(world.state_limit())?.into_iter().collect();
        let fallbacks = saved.number_up_to(u64::MAX / 4, "no agent fails so often")?;
        (self.errand, self.lrta, self.target) = (errand, lrta, target);
        (self.taboo, self.fallbacks) = (taboo, fallbacks);
        Ok(())
    }
}
