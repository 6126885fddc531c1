//! Builds pattern databases, goal region by goal region (2008, Figures 6 and 8).
//!
//! What is stored for the way from region A to region B depends on the world, the configuration and B alone,
//! so that goal regions can be done by any thread, on any machine, in any order.
//!
//! Which of several cheapest paths a subgoal is read off is a choice: `PatternConfig::trace`. Straight moves
//! first (traced greedily from the distances) fit the figures of 2008, diagonal moves first (Dijkstra's own
//! tree) those of 2009.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use surefoot::search::Dijkstra;
use surefoot::space::{State, World};
use surefoot::store::codec::{put_number, put_signed};
use surefoot::store::container::{BuiltFor, Container, DatabaseError};
use surefoot::store::division::Division;

use super::depths::{Depths, best_moves};
use super::regions::Regions;
use super::{CONTENTS, PatternConfig, PatternContents, PatternDatabase};
use crate::abstraction::Abstraction;
use crate::regions::bits::BitWriter;
use crate::regions::labels::{Labels, bits_for};
use crate::regions::{RegionId, RegionSpan};

/// No more pairs of regions than this: a table of some gigabytes.
const MOST_PAIRS: u64 = 1 << 33;

/// At most so many blocks.
const MOST_BLOCKS: u64 = 4096;
/// Where goal regions of a block share lookaheads: so many blocks, if there are enough regions, and at most
/// so many regions in a block.
const SHARING_BLOCKS: u64 = 64;

/// Few goal regions are a block each, so that all threads have something to do; of many, a journal does not
/// need each by itself, and depths towards several of them take hardly more time than towards one.
pub(crate) fn division(regions: u32, contents: PatternContents) -> Division {
    let pieces = u64::from(regions);
    let sharing =
        if contents.has_depths_to_goals() { (pieces / SHARING_BLOCKS).min(SHARING_BLOCKS) } else { 1 };
    Division { pieces, size: pieces.div_ceil(MOST_BLOCKS).max(sharing).max(1) }
}

/// Makes what a pattern database stores.
#[derive(Clone, Debug)]
pub struct PatternBuilder<'w, W> {
    world: &'w W,
    config: PatternConfig,
    regions: Regions,
    /// The regions of each component.
    components: Vec<RegionSpan>,
}

/// What is stored for one goal region: a number for each region of its component, in order. A state, or a
/// depth; or all states, and then all depths towards the goal.
pub type PatternColumn = Vec<u32>;

/// Searches with their memory, to be used for one goal region after another.
#[derive(Clone, Debug, Default)]
pub struct PatternScratch {
    pub(crate) dijkstra: Dijkstra,
    pub(crate) depths: Depths,
}

impl<'w, W: World> PatternBuilder<'w, W> {
    /// A builder for `world`: divides it into regions.
    ///
    /// # Errors
    /// If moves cannot be undone at the same cost, or there are too many regions.
    pub fn new(world: &'w W, config: PatternConfig) -> Result<Self, DatabaseError> {
        let regions = Regions::new(world, config.level as usize, config.aligned)?;
        Self::with_regions(world, config, regions)
    }

    /// A builder for a world whose states are the nodes of level `base` of an abstraction, which has the
    /// regions too: the nodes of a level so much higher as the config says.
    pub(crate) fn of_nodes(
        world: &'w W,
        config: PatternConfig,
        abstraction: &Abstraction,
        base: usize,
    ) -> Result<Self, DatabaseError> {
        let level = base + config.level as usize;
        Self::with_regions(world, config, Regions::of_nodes(world, abstraction, base, level))
    }

    fn with_regions(world: &'w W, config: PatternConfig, regions: Regions) -> Result<Self, DatabaseError> {
        let components = regions.list.spans().collect();
        let builder = Self { world, config, regions, components };
        builder.limit_pairs(MOST_PAIRS)?;
        Ok(builder)
    }

    /// Makes sure that there are no more pairs of regions than that.
    pub(crate) fn limit_pairs(&self, most: u64) -> Result<(), DatabaseError> {
        let squares = self.regions.list.components.iter().map(|&count| u64::from(count) * u64::from(count));
        let pairs = squares.fold(0_u64, u64::saturating_add);
        if pairs > most {
            let problem = format!("{pairs} pairs of regions; a higher level has fewer");
            return Err(DatabaseError::TooLarge { problem });
        }
        Ok(())
    }

    /// The number of goal regions: each is a unit of work.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.regions.list.representatives.len() as u32
    }

    /// What is built.
    #[must_use]
    pub fn config(&self) -> &PatternConfig {
        &self.config
    }

    fn division(&self) -> Division {
        division(self.columns(), self.config.contents)
    }

    /// How many blocks of goal regions there are: what is written and dealt out at once.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.division().blocks()
    }

    /// Makes what is stored for the goal regions of a block.
    pub fn block(&self, block: u64, scratch: &mut PatternScratch) -> Vec<PatternColumn> {
        let goals = self.division().pieces_of(block);
        let goals: Vec<RegionId> = goals.map(|goal| RegionId::from_index(goal as usize)).collect();
        // Those of one component have the same starts.
        let by_component =
            goals.chunk_by(|&a, &b| self.component_of(a).first() == self.component_of(b).first());
        by_component.flat_map(|goals| self.columns_towards(goals, scratch)).collect()
    }

    /// The regions of the component that a region belongs to.
    fn component_of(&self, region: RegionId) -> RegionSpan {
        self.components[self.components.partition_point(|span| span.first() <= region) - 1]
    }

    /// Makes what is stored for one goal region.
    pub fn column(&self, goal: RegionId, scratch: &mut PatternScratch) -> PatternColumn {
        self.columns_towards(&[goal], scratch).pop().unwrap_or_default()
    }

    /// Makes what is stored for some goal regions of one component, of which there are some.
    fn columns_towards(&self, goals: &[RegionId], scratch: &mut PatternScratch) -> Vec<PatternColumn> {
        let component = self.component_of(goals[0]);
        let contents = self.config.contents;
        if component.len() == 1 {
            return alloc::vec![alloc::vec![0; self.numbers_in(component)]];
        }
        let representatives = &self.regions.list.representatives;
        let own = &representatives[component.first().index()..][..component.len()];
        let PatternScratch { dijkstra, depths } = scratch;
        let mut columns = Vec::with_capacity(goals.len());
        // For each goal region the moves from each start that are best.
        let mut moves: Vec<Vec<Vec<State>>> = Vec::new();
        for &goal in goals {
            let tree = dijkstra.tree(self.world, representatives[goal.index()], |_| false);
            let mut column = Vec::with_capacity(self.numbers_in(component));
            if contents.has_subgoals() {
                column.extend(component.regions().zip(own).map(|(region, &start)| {
                    let is_inside = |state: State| self.regions.labels[state.index()] == Some(region);
                    if region == goal {
                        0
                    } else {
                        self.config.trace.way_out(self.world, &tree, start, is_inside).0
                    }
                }));
            }
            if contents.has_depths_to_goals() {
                let distance = |state| tree.distance(state);
                moves.push(own.iter().map(|&start| best_moves(self.world, start, distance)).collect());
            }
            columns.push(column);
        }
        if let Some(cap) = contents.cap().filter(|_| contents.has_depths_to_goals()) {
            for (place, (region, &start)) in component.regions().zip(own).enumerate() {
                depths.stand_on(start);
                for ((column, moves), &goal) in columns.iter_mut().zip(&moves).zip(goals) {
                    let towards = (representatives[goal.index()], &moves[place][..]);
                    column.push(match region == goal {
                        true => 0,
                        false => depths.shallowest(self.world, towards, cap, self.config.ties),
                    });
                }
            }
        }
        columns
    }

    /// How many numbers there are in the column of a goal region of a component.
    fn numbers_in(&self, component: RegionSpan) -> usize {
        component.len() * if self.config.contents.has_goal_depths() { 2 } else { 1 }
    }

    /// The depth for the way from a region to one of its subgoals.
    fn depth_to_subgoal(
        &self,
        region: RegionId,
        subgoal: State,
        cap: u32,
        scratch: &mut PatternScratch,
    ) -> u32 {
        let PatternScratch { dijkstra, depths } = scratch;
        let start = self.regions.list.representatives[region.index()];
        // The state after the start is no farther than any neighbour that lies on a cheapest way.
        let tree = dijkstra.tree(self.world, subgoal, |state| state == start);
        let moves = best_moves(self.world, start, |state| tree.distance(state));
        depths.stand_on(start);
        depths.shallowest(self.world, (subgoal, &moves), cap, self.config.ties)
    }

    /// Whether a number of a column may be one: columns may come from files.
    fn may_be_stored(&self, number: u32) -> bool {
        match self.config.contents {
            PatternContents::Depths { cap } => (1..=cap).contains(&number),
            _ => (number as usize) < self.world.state_limit() && self.world.contains(State(number)),
        }
    }

    fn misfit(&self) -> DatabaseError {
        DatabaseError::Unsuitable { problem: "the columns of a pattern database do not fit the map" }
    }

    /// Makes all columns on all cores.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn columns_on_all_cores(&self) -> Vec<PatternColumn>
    where
        W: Sync,
    {
        use rayon::prelude::*;

        let blocks = (0..self.blocks()).into_par_iter();
        blocks
            .map_init(PatternScratch::default, |scratch, block| self.block(block, scratch))
            .flatten_iter()
            .collect()
    }

    /// Makes the whole database, on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// If it is too large for a file.
    pub(crate) fn build(&self) -> Result<PatternDatabase, DatabaseError>
    where
        W: Sync,
    {
        #[cfg(feature = "rayon")]
        let columns = self.columns_on_all_cores();
        #[cfg(not(feature = "rayon"))]
        let columns = self.columns_in_turn();
        self.finish(&columns)
    }

    fn columns_in_turn(&self) -> Vec<PatternColumn> {
        let mut scratch = PatternScratch::default();
        (0..self.blocks()).flat_map(|block| self.block(block, &mut scratch)).collect()
    }

    /// Puts all columns together, which must be there in order.
    ///
    /// # Errors
    /// If they are not what this builder makes.
    pub fn finish(&self, columns: &[PatternColumn]) -> Result<PatternDatabase, DatabaseError> {
        let lengths = RegionId::first(self.columns()).map(|goal| self.numbers_in(self.component_of(goal)));
        if !lengths.eq(columns.iter().map(Vec::len)) {
            return Err(self.misfit());
        }
        let contents = self.config.contents;
        let mut scratch = PatternScratch::default();
        let (mut dictionary, mut table) = (Vec::new(), BitWriter::default());
        for region in RegionId::first(self.columns()) {
            let component = self.component_of(region);
            let place = component.place(region);
            let row = component.regions().map(|goal| columns[goal.index()][place]);
            // What is stored for this region, each once, in order, and where it is in that list.
            let mut places: BTreeMap<u32, u64> = BTreeMap::new();
            for (goal, number) in component.regions().zip(row.clone()) {
                if goal != region {
                    if !self.may_be_stored(number) {
                        return Err(self.misfit());
                    }
                    places.insert(number, 0);
                }
            }
            put_number(&mut dictionary, places.len() as u64);
            let mut before = 0;
            for (at, (&number, place)) in places.iter_mut().enumerate() {
                *place = at as u64;
                put_signed(&mut dictionary, i64::from(number) - before);
                before = i64::from(number);
                if let Some(cap) = contents.cap().filter(|_| contents.has_subgoals()) {
                    let depth = self.depth_to_subgoal(region, State(number), cap, &mut scratch);
                    put_number(&mut dictionary, u64::from(depth));
                }
            }
            let width = bits_for(places.len().saturating_sub(1) as u64);
            for (goal, number) in component.regions().zip(row) {
                let place = if goal == region { 0 } else { places.get(&number).copied().unwrap_or(0) };
                table.put(place, width);
            }
        }
        let built_for = BuiltFor::of(self.world);
        let labels = Labels::write(self.regions.labels.iter().copied(), self.columns(), built_for.size.0);
        let mut sections = Vec::from([
            (*b"conf", self.config.to_bytes()),
            (*b"regn", self.regions.list.to_bytes()),
            (*b"labl", labels),
            (*b"dict", dictionary),
            (*b"tabl", table.into_bytes()),
        ]);
        if contents.has_goal_depths() {
            sections.push((*b"gdep", self.goal_depths(columns)?));
        }
        let bytes = Container::write(CONTENTS, &built_for, &sections);
        PatternDatabase::from_bytes(self.world, bytes)
    }

    /// The section of depths towards goals: how many bits each has, and row by row all depths.
    fn goal_depths(&self, columns: &[PatternColumn]) -> Result<Vec<u8>, DatabaseError> {
        let depth = |region: RegionId, goal: RegionId| {
            let component = self.component_of(region);
            columns[goal.index()][component.len() + component.place(region)]
        };
        let pairs = || {
            RegionId::first(self.columns())
                .flat_map(|region| self.component_of(region).regions().map(move |goal| (region, goal)))
        };
        let cap = self.config.contents.cap().unwrap_or(0);
        let mut deepest = 0;
        for (region, goal) in pairs() {
            let depth = depth(region, goal);
            if if region == goal { depth != 0 } else { !(1..=cap).contains(&depth) } {
                return Err(self.misfit());
            }
            deepest = deepest.max(depth);
        }
        let (width, mut table) = (bits_for(deepest.into()), BitWriter::default());
        pairs().for_each(|(region, goal)| table.put(depth(region, goal).into(), width));
        Ok([&[width as u8][..], &table.into_bytes()].concat())
    }
}

impl PatternDatabase {
    /// Builds a database with one thread; to use more, see [`PatternBuilder`].
    ///
    /// # Errors
    /// If moves cannot be undone at the same cost, or there are too many regions.
    pub fn build(world: &impl World, config: PatternConfig) -> Result<Self, DatabaseError> {
        let builder = PatternBuilder::new(world, config)?;
        builder.finish(&builder.columns_in_turn())
    }
}
