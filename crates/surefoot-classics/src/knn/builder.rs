//! Builds databases of subgoals, block by block: each record depends on the world, the configuration and its
//! own number alone, so that blocks can be made by any thread, on any machine, in any order.

use alloc::vec::Vec;
use core::ops::Range;

use surefoot::search::{Planner, StatePath};
use surefoot::space::{Reachability, State, World};
use surefoot::store::container::DatabaseError;
use surefoot::store::division::Division;
use surefoot::store::draws::{Draws, mix};

use super::compress::{Fidelity, before_first_miss, compress, farthest};
use super::sampler::Sampler;
use super::subgoals::{Pairs, Record, RecordForm, SubgoalConfig, SubgoalDatabase};

/// Records in a block: the unit of work.
const BLOCK: u64 = 64;

/// After so many pairs without a path of at least two moves, a record is left out: the world hardly has any.
const ATTEMPTS: u64 = 10_000;

/// So many draws of so many pairs say whether it has any at all.
const TRIALS: u64 = 4;

pub(crate) fn division(config: &SubgoalConfig) -> Division {
    Division { pieces: config.records, size: BLOCK }
}

/// Makes the records of a database.
#[derive(Clone, Debug)]
pub struct SubgoalBuilder<'w, W> {
    world: &'w W,
    config: SubgoalConfig,
    sampler: Sampler,
    /// Whether the world has hardly a pair of states two moves apart: then there are no records, and no time
    /// is lost.
    is_hopeless: bool,
}

impl<'w, W: World> SubgoalBuilder<'w, W> {
    /// A builder for `world`.
    #[must_use]
    pub fn new(world: &'w W, config: SubgoalConfig) -> Self {
        let sampler = Sampler::new(world);
        // Draws that belong to no record: the answer depends on the world and the seed alone.
        let finds = |number: u64| {
            let mut draws = Draws::new(config.seed, u64::MAX - number);
            (0..ATTEMPTS).any(|_| {
                let ends = (sampler.draw(world, &mut draws), sampler.draw(world, &mut draws));
                matches!(ends, (Some(start), Some(goal)) if may_have_a_path(world, start, goal))
            })
        };
        let is_hopeless = !(0..TRIALS).any(finds);
        Self { world, config, sampler, is_hopeless }
    }

    /// What is built.
    #[must_use]
    pub fn config(&self) -> &SubgoalConfig {
        &self.config
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        division(&self.config).blocks()
    }

    /// The numbers of the records in a block.
    #[must_use]
    pub fn records_of(&self, block: u64) -> Range<u64> {
        division(&self.config).pieces_of(block)
    }

    /// Makes the records of a block. `planner` may be used again for the next one.
    pub fn block(&self, block: u64, planner: &mut impl Planner<W>) -> Vec<Record> {
        self.records_of(block).filter_map(|number| self.record(number, planner)).collect()
    }

    /// "Case-based subgoaling" (JAIR 2010), Figure 5, lines 3 to 7; "kNN LRTA*" (2009), Figure 4, lines 3
    /// to 11.
    fn record(&self, number: u64, planner: &mut impl Planner<W>) -> Option<Record> {
        if self.is_hopeless {
            return None;
        }
        let mut draws = Draws::new(self.config.seed, number);
        for attempt in 0..ATTEMPTS {
            let (start, goal) = self.pair(number, attempt, &mut draws)?;
            if !may_have_a_path(self.world, start, goal) {
                continue;
            }
            let Some(path) = planner.plan(self.world, start, goal).ok().and_then(|answer| answer.path) else {
                continue;
            };
            if path.states.len() < 3 {
                continue;
            }
            return cut_down(self.world, &self.config, &path).map(|states| Record { number, states });
        }
        None
    }

    fn pair(&self, number: u64, attempt: u64, draws: &mut Draws) -> Option<(State, State)> {
        if self.config.pairs == Pairs::Even
            && let Some(pair) = self.even_pair(number, attempt)
        {
            return Some(pair);
        }
        Some((self.sampler.draw(self.world, draws)?, self.sampler.draw(self.world, draws)?))
    }

    /// The next pair of a sequence whose members spread evenly over all pairs: additive recurrences with the
    /// powers of the root of x⁵ = x + 1 for the four coordinates on a grid, of x³ = x + 1 for the two ranks
    /// on a graph. Blocked cells are passed over; after a few of them the draw is left to chance.
    fn even_pair(&self, number: u64, attempt: u64) -> Option<(State, State)> {
        const FOUR: [u64; 4] =
            [0xdb4f_0b91_75ae_2165, 0xbbe0_5633_03a4_615f, 0xa0f2_ec75_a1fe_1575, 0x89e1_8285_7d9e_d689];
        const TWO: [u64; 2] = [0xc13f_a9a9_02a6_328f, 0x91e1_0da5_c79e_7b1d];
        if attempt >= 64 {
            return None;
        }
        let place = number.wrapping_add(attempt.wrapping_mul(self.config.records));
        let share = |factor: u64, axis: u64, limit: u64| {
            let at = place
                .wrapping_mul(factor)
                .wrapping_add(mix(self.config.seed ^ axis.wrapping_mul(0x9e37_79b9)));
            ((u128::from(at) * u128::from(limit)) >> 64) as u64
        };
        let Some(space) = self.world.octile_grid() else {
            let rank = |axis: usize| share(TWO[axis], axis as u64, self.sampler.count());
            return Some((
                self.sampler.of_rank(self.world, rank(0))?,
                self.sampler.of_rank(self.world, rank(1))?,
            ));
        };
        let (width, height) = (u64::from(space.grid().width()), u64::from(space.grid().height()));
        let [xs, ys, xe, ye] = [(0, width), (1, height), (2, width), (3, height)]
            .map(|(axis, limit)| share(FOUR[axis], axis as u64, limit));
        let state = |x: u64, y: u64| State((y * width + x) as u32);
        let (start, goal) = (state(xs, ys), state(xe, ye));
        // A pair of one and the same state is passed over by the caller.
        let is_free = self.world.contains(start) && self.world.contains(goal);
        Some(if is_free { (start, goal) } else { (start, start) })
    }

    /// Makes all records on all cores; `planner` makes the searches.
    #[cfg(feature = "rayon")]
    pub fn records_on_all_cores<P: Planner<W>>(&self, planner: impl Fn() -> P + Sync + Send) -> Vec<Record>
    where
        W: Sync,
    {
        use rayon::prelude::*;

        let blocks = (0..self.blocks()).into_par_iter();
        blocks.map_init(planner, |planner, block| self.block(block, planner)).flatten_iter().collect()
    }

    /// Puts all records together.
    ///
    /// # Errors
    /// If there are more than a file can hold.
    pub fn finish(&self, records: Vec<Record>) -> Result<SubgoalDatabase, DatabaseError> {
        SubgoalDatabase::assemble(self.world, self.config, records)
    }
}

/// The states of a path that a record keeps. `None` if there is to be no record.
pub(crate) fn cut_down(world: &impl World, config: &SubgoalConfig, path: &StatePath) -> Option<Vec<State>> {
    let SubgoalConfig { form, ties, .. } = *config;
    let with_ends = |subgoal: State| {
        let (first, last) = (path.states.first()?, path.states.last()?);
        Some(Vec::from([*first, subgoal, *last]))
    };
    match form {
        RecordForm::Farthest => with_ends(farthest(world, path, ties)?),
        RecordForm::BeforeFirstMiss => with_ends(before_first_miss(world, path, ties)?),
        RecordForm::Compressed | RecordForm::Fragments => {
            Some(compress(world, path, Fidelity::Arrives, ties))
        }
        RecordForm::Lossless => Some(compress(world, path, Fidelity::Lossless, ties)),
    }
}

/// Whether the two are more than one move apart and there may be a way from one to the other.
fn may_have_a_path(world: &impl World, start: State, goal: State) -> bool {
    let mut is_near = start == goal;
    if is_near || world.reachability(start, goal) == Reachability::No {
        return false;
    }
    // A cheapest path to a neighbour may still be longer than one move, on graphs; on grids it is that move.
    if world.octile_grid().is_some() {
        world.for_each_successor(start, |state, _| is_near |= state == goal);
    }
    !is_near
}

impl SubgoalDatabase {
    /// Builds a database with one thread and `planner`; to use more, see [`SubgoalBuilder`].
    ///
    /// # Errors
    /// If there are more records than a file can hold.
    pub fn build<W: World>(
        world: &W,
        config: SubgoalConfig,
        mut planner: impl Planner<W>,
    ) -> Result<Self, DatabaseError> {
        let builder = SubgoalBuilder::new(world, config);
        let records = (0..builder.blocks()).flat_map(|block| builder.block(block, &mut planner)).collect();
        builder.finish(records)
    }
}
