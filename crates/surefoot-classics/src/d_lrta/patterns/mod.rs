//! Pattern databases: for the way from each region of a map to each other one, where to go next and how far
//! to look ahead.
//!
//! From "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008), sections 5.2 and 6, Figures 6 and 8. D
//! LRTA* goes by them. `regions.rs` says how a map is divided, `build.rs` what is stored,
//! `docs/reference/sfdb.md` how it lies in a file.
//!
//! Readings and deviations:
//! - A subgoal is the first state outside the region on a cheapest path from the representative of the region
//!   to that of the goal's region. The paper does not say on which of several such paths, and that decides
//!   how well the agent walks: [`Trace`]. Diagonal moves first, the default, fit the figures of 2009;
//!   straight moves first fit those of 2008. That was found after the fact, by trying both.
//! - What is stored for a region is a short list, and for each goal region a number that says which. The
//!   depth towards a subgoal depends on the region and the subgoal alone, and is computed once for each.
//! - The depth of a capped lookahead is at most the cap: whether the cap itself gives an optimal move is not
//!   asked.
//! - Beside subgoals and their depths there may be a third table: depths towards the goal itself, for agents
//!   that have come back to a state. The paper has it for caps from 1,000 on (Appendix D), which would take
//!   too long to look ahead by.
//! - Without a grid there is no centroid: the first state of a region represents it.

mod build;
mod config;
mod depths;
mod regions;
#[cfg(test)]
mod tests;
mod trace;
mod verify;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use surefoot::space::{State, World};
use surefoot::store::codec::Reader;
use surefoot::store::container::{BuiltFor, Container, DatabaseError, SharedBytes, malformed};

use crate::regions::bits::BitReader;
use crate::regions::labels::{Labels, bits_for};
use crate::regions::region_list::RegionList;
use crate::regions::{RegionId, RegionSpan};
pub(crate) use build::division;
pub use build::{PatternBuilder, PatternColumn, PatternScratch};
pub use config::{PatternConfig, PatternContents, Trace};
pub use verify::PatternFault;

pub(crate) const CONTENTS: &str = "patterns";

/// What is stored for the way from one region to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Where to go next, if subgoals are stored.
    pub subgoal: Option<State>,
    /// How far to look ahead, if depths are stored.
    pub depth: Option<u32>,
}

/// What the file of a pattern database says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatternFileInfo {
    /// The version of the format.
    pub version: u32,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: PatternConfig,
    /// The number of regions.
    pub regions: u32,
    /// The number of ordered pairs of regions between which there is a way.
    pub pairs: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// Subgoals and depths for all pairs of regions of one map.
#[derive(Clone)]
pub struct PatternDatabase {
    bytes: SharedBytes,
    config: PatternConfig,
    built_for: BuiltFor,
    labels: Labels,
    regions: Vec<Region>,
    patterns: Vec<Pattern>,
    table: Range<usize>,
    /// Depths towards goals, if they are stored: where they lie, and how many bits each has.
    goal_depths: Option<(Range<usize>, u32)>,
    pairs: u64,
    ground_states: u64,
}

#[derive(Clone, Copy, Debug)]
struct Region {
    representative: State,
    /// The regions of its component.
    component: RegionSpan,
    /// Its patterns.
    first_pattern: u32,
    patterns: u32,
    /// Where its row begins in the table, in bits, and how many bits a number there has.
    row: u64,
    width: u32,
    /// How many pairs of regions come before its own.
    pairs_before: u64,
}

impl PatternDatabase {
    /// Opens a database for `world`. The bytes are kept and used in place.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version or kind, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        Self::from_shared(world, &(Arc::new(bytes) as SharedBytes))
    }

    /// The same for bytes that are shared already.
    pub(crate) fn from_shared(world: &impl World, bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let mut opened = Self::parse(bytes)?;
        opened.built_for.check(world)?;
        opened.check_subgoals(world)?;
        opened.ground_states =
            (0..world.state_limit() as u32).filter(|&state| world.contains(State(state))).count() as u64;
        Ok(opened)
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: &[u8]) -> Result<PatternFileInfo, DatabaseError> {
        let opened = Self::parse(&(Arc::new(bytes.to_vec()) as SharedBytes))?;
        Ok(PatternFileInfo {
            version: surefoot::store::codec::version_of(opened.as_bytes()),
            built_for: opened.built_for.clone(),
            config: opened.config,
            regions: opened.regions(),
            pairs: opened.pairs,
            bytes: opened.as_bytes().len() as u64,
            sections: Container::read(opened.as_bytes())?.sizes().collect(),
        })
    }

    /// Takes a file apart, and makes sure that nothing in it points outside.
    fn parse(bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let all: &[u8] = (**bytes).as_ref();
        let container = Container::read_of(CONTENTS, all)?;
        let built_for = container.built_for.clone();
        let mut head = Reader::new(&all[container.section("conf")?]);
        let config = PatternConfig::read(&mut head)?;
        head.finish()?;
        let (mut regions, pairs) = read_regions(&all[container.section("regn")?], built_for.states)?;
        let patterns =
            read_patterns(&all[container.section("dict")?], &mut regions, config, built_for.states)?;
        let table = container.section("tabl")?;
        let bits = regions.last().map_or(0, |last| last.row + row_bits(last));
        if table.len() as u64 != bits.div_ceil(8) {
            return Err(malformed("tabl", format!("it should have {} bytes", bits.div_ceil(8))));
        }
        for region in regions.iter().filter(|region| region.width > 0) {
            let mut row = BitReader::new(&all[table.clone()], region.row);
            let mut goals = region.component.regions();
            if goals.any(|_| row.take(region.width) >= u64::from(region.patterns)) {
                return Err(malformed("tabl", "it names a pattern that is none".to_string()));
            }
        }
        let goal_depths = match config.contents {
            PatternContents::SubgoalsAndBothDepths { cap } => {
                Some(read_goal_depths(all, container.section("gdep")?, &regions, cap)?)
            }
            _ => None,
        };
        let states = usize::try_from(built_for.states).unwrap_or(usize::MAX);
        let shape = (states, built_for.size.0);
        let labels = Labels::read(all, container.section("labl")?, regions.len() as u32, shape)
            .map_err(|problem| malformed("labl", problem))?;
        Ok(Self {
            bytes: Arc::clone(bytes),
            config,
            built_for,
            labels,
            regions,
            patterns,
            table,
            goal_depths,
            pairs,
            ground_states: 0,
        })
    }

    /// Makes sure that every state has a region, every representative lies in its own, and every subgoal
    /// outside its region and next to it.
    fn check_subgoals(&self, world: &impl World) -> Result<(), DatabaseError> {
        let label = |state: State| self.labels.of(self.as_bytes(), state.index());
        for state in (0..world.state_limit() as u32).map(State).filter(|&state| world.contains(state)) {
            if label(state).is_none() {
                return Err(malformed("labl", format!("{} is in no region", world.describe(state))));
            }
        }
        for (number, region) in RegionId::first(self.regions()).zip(&self.regions) {
            if label(region.representative) != Some(number) {
                return Err(malformed("regn", format!("region {number} is represented by another's state")));
            }
            for pattern in self.patterns_of(region) {
                let Some(subgoal) = pattern.subgoal else { continue };
                let mut is_next_to = false;
                if world.contains(subgoal) {
                    world.for_each_successor(subgoal, |state, _| {
                        is_next_to |= label(state) == Some(number);
                    });
                }
                if !is_next_to || label(subgoal) == Some(number) {
                    return Err(malformed("dict", format!("a subgoal of region {number} is not next to it")));
                }
            }
        }
        Ok(())
    }

    fn patterns_of(&self, region: &Region) -> &[Pattern] {
        &self.patterns[region.first_pattern as usize..][..region.patterns as usize]
    }

    /// The region of a state. `None` where there is none.
    #[inline]
    #[must_use]
    pub fn region(&self, state: State) -> Option<RegionId> {
        self.labels.of(self.as_bytes(), state.index())
    }

    /// The state that stands for a region.
    ///
    /// # Panics
    /// If there is no such region.
    #[must_use]
    pub fn representative(&self, region: RegionId) -> State {
        self.regions[region.index()].representative
    }

    /// What is stored for the way from one region to another. `None` if they are the same or no way leads
    /// there.
    ///
    /// # Panics
    /// If there is no such region.
    #[inline]
    #[must_use]
    pub fn pattern(&self, from: RegionId, goal: RegionId) -> Option<Pattern> {
        let region = &self.regions[from.index()];
        if from == goal || !region.component.contains(goal) {
            return None;
        }
        let at = region.row + region.component.place(goal) as u64 * u64::from(region.width);
        let place = BitReader::new(&self.as_bytes()[self.table.clone()], at).take(region.width);
        self.patterns_of(region).get(place as usize).copied()
    }

    /// How far to look ahead for the goal itself on the way from one region to another. `None` if they are
    /// the same, no way leads there, or that is not stored beside subgoals.
    ///
    /// # Panics
    /// If there is no such region.
    #[must_use]
    pub fn goal_depth(&self, from: RegionId, goal: RegionId) -> Option<u32> {
        let (table, width) = self.goal_depths.as_ref()?;
        let region = &self.regions[from.index()];
        if from == goal || !region.component.contains(goal) {
            return None;
        }
        let place = region.pairs_before + region.component.place(goal) as u64;
        Some(BitReader::new(&self.as_bytes()[table.clone()], place * u64::from(*width)).take(*width) as u32)
    }

    /// The number of regions.
    #[must_use]
    pub fn regions(&self) -> u32 {
        self.regions.len() as u32
    }

    /// The number of ordered pairs of regions between which there is a way, each region with itself among
    /// them.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &PatternConfig {
        &self.config
    }

    /// What it was built for.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// The bytes of its file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The papers' measure of size: a label for every state, and a state for every pair.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.ground_states + self.pairs
    }
}

fn row_bits(region: &Region) -> u64 {
    region.component.len() as u64 * u64::from(region.width)
}

/// Reads components and representatives; patterns come later.
fn read_regions(section: &[u8], states: u64) -> Result<(Vec<Region>, u64), DatabaseError> {
    let list = RegionList::read(section, states)?;
    let pairs = list.components.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
    let mut pairs_before = 0;
    let of_region = |(&representative, component): (&State, RegionSpan)| {
        let before = pairs_before;
        pairs_before += component.len() as u64;
        Region {
            representative,
            component,
            first_pattern: 0,
            patterns: 0,
            row: 0,
            width: 0,
            pairs_before: before,
        }
    };
    Ok((list.representatives.iter().zip(list.component_spans()).map(of_region).collect(), pairs))
}

/// Reads the patterns of all regions, and says each region where its are and where its row of the table is.
fn read_patterns(
    section: &[u8],
    regions: &mut [Region],
    config: PatternConfig,
    states: u64,
) -> Result<Vec<Pattern>, DatabaseError> {
    let mut reader = Reader::new(section);
    let mut patterns = Vec::new();
    let mut row = 0_u64;
    for region in regions {
        let count = reader.count(1)?;
        let others = region.component.len() as u64 - 1;
        if count as u64 > others || count == 0 && others > 0 {
            return Err(reader.malformed("a region has as many patterns as this").into());
        }
        region.first_pattern = patterns.len() as u32;
        region.patterns = count as u32;
        region.width = bits_for((count as u64).saturating_sub(1));
        region.row = row;
        row = row.saturating_add(row_bits(region));
        let mut before = -1_i64;
        let mut number = 0_i64;
        for _ in 0..count {
            number = number.saturating_add(reader.signed()?);
            if number <= before {
                return Err(reader.malformed("patterns are not in order").into());
            }
            before = number;
            let below = |limit: u64| u32::try_from(number).ok().filter(|&number| u64::from(number) < limit);
            let pattern = match config.contents {
                PatternContents::Depths { cap } => {
                    let depth = below(u64::from(cap) + 1).filter(|&depth| depth > 0);
                    depth.map(|depth| Pattern { subgoal: None, depth: Some(depth) })
                }
                _ => below(states).map(|state| Pattern { subgoal: Some(State(state)), depth: None }),
            };
            let mut pattern = pattern.ok_or_else(|| reader.malformed("there is no such pattern"))?;
            if let Some(cap) = config.contents.cap().filter(|_| config.contents.has_subgoals()) {
                let depth = reader.number_up_to(u64::from(cap), "a depth is beyond the cap")? as u32;
                if depth == 0 {
                    return Err(reader.malformed("a depth is 0").into());
                }
                pattern.depth = Some(depth);
            }
            patterns.push(pattern);
        }
    }
    reader.finish()?;
    Ok(patterns)
}

/// Reads how many bits a depth towards a goal has, and makes sure that each is one.
fn read_goal_depths(
    all: &[u8],
    section: Range<usize>,
    regions: &[Region],
    cap: u32,
) -> Result<(Range<usize>, u32), DatabaseError> {
    let wrong = |problem: &str| Err(malformed("gdep", problem.to_string()));
    let Some(&width) = all[section.clone()].first().filter(|&&width| width <= 32) else {
        return wrong("it should begin with how many bits a depth has");
    };
    let (table, width) = (section.start + 1..section.end, u32::from(width));
    let depths = regions.last().map_or(0, |last| last.pairs_before + last.component.len() as u64);
    if table.len() as u64 != (depths * u64::from(width)).div_ceil(8) {
        return wrong("it has another length than its depths need");
    }
    let mut bits = BitReader::new(&all[table.clone()], 0);
    for (number, region) in RegionId::first(regions.len() as u32).zip(regions) {
        for goal in region.component.regions() {
            let depth = bits.take(width);
            if if goal == number { depth != 0 } else { !(1..=u64::from(cap)).contains(&depth) } {
                return wrong("a depth is 0, or beyond the cap");
            }
        }
    }
    Ok((table, width))
}

impl fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("PatternDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}
