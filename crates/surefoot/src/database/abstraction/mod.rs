//! Clique abstraction: a space in ever coarser graphs, level upon level, until each component is one node.
//!
//! From "Partial Pathfinding Using Map Abstraction and Refinement" (Sturtevant and Buro, 2005), sections "Abstractions for
//! Pathfinding" and "Pathing Through Refinement", Figures 1 to 3. PRA* plans on it, and `same_component` and `quick_path` need
//! nothing else. `cliques.rs` says how groups are found, `build.rs` how they become a level, `docs/sfdb.md` how the levels lie in
//! a file; they are used where they lie.
//!
//! Readings and deviations:
//! - A node lies at the mean of the ground states under it. (The paper has the average of "all nodes abstracted"; to take that
//!   level by level would give small groups more weight.)
//! - The weight of an edge is the octile distance between the places of its ends, as in the paper, or the distance as the crow
//!   flies, as the dynamic-control paper (2008) has it. Without a grid there are no places: then it is the mean weight of the
//!   edges that it stands for, in the units of the level below. Only ways on one level are ever compared.
//! - Nodes without neighbours have no parent: the top node of a small component lies on a low level.

mod build;
mod cliques;
mod ground;
mod level;
mod quick_path;
mod stats;
#[cfg(test)]
mod tests;
mod verify;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::container::{BuiltFor, Container, DatabaseError};
use crate::codec::{CodecError, Reader};
use crate::space::{CostModel, State, World};
pub(crate) use level::{Level, Metric, NONE};
pub use stats::LevelStats;
pub use verify::AbstractionFault;

/// How far apart abstract nodes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AbstractDistance {
    /// The octile distance of their places, as in the PRA* paper.
    #[default]
    Octile,
    /// As the crow flies, as in the dynamic-control paper.
    Euclidean,
}

/// What an abstraction is built from, beside its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbstractionConfig {
    /// Whether squares of four cells, then of four such squares and so on, are grouped before anything else, wherever they are
    /// cliques and lie at multiples of their size. On grids only. The paper does not mention it, but Figure 1 looks like it. It is
    /// the default: levels shrink faster (on seven maps of 512 × 512 cells to a 1.3 to 2 times smaller fourth level), and
    /// PRA*'s paths are shorter (99 instead of 96 in a hundred within 1 % of the optimum) and found in three quarters of the
    /// time.
    pub aligned: bool,
    /// How far apart nodes are, on grids.
    pub distance: AbstractDistance,
}

impl Default for AbstractionConfig {
    fn default() -> Self {
        Self { aligned: true, distance: AbstractDistance::Octile }
    }
}

impl fmt::Display for AbstractionConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aligned = if self.aligned { "yes" } else { "no" };
        let distance = match self.distance {
            AbstractDistance::Octile => "octile",
            AbstractDistance::Euclidean => "euclidean",
        };
        write!(f, "abstraction(aligned={aligned}, distance={distance})")
    }
}

impl AbstractionConfig {
    fn to_bytes(self) -> Vec<u8> {
        Vec::from([u8::from(self.aligned), u8::from(self.distance == AbstractDistance::Euclidean)])
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let flag = |reader: &mut Reader<'_>| match reader.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(reader.malformed("this should be 0 or 1")),
        };
        let aligned = flag(reader)?;
        let distance = if flag(reader)? { AbstractDistance::Euclidean } else { AbstractDistance::Octile };
        Ok(Self { aligned, distance })
    }
}

/// What the file of an abstraction says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AbstractionFileInfo {
    /// The version of the format.
    pub version: u32,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: AbstractionConfig,
    /// Nodes and edges of each level, the numbers of all states first.
    pub levels: Vec<(u64, u64)>,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// Bytes that many may share: a file in memory, a mapped file, part of a program.
type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

pub(super) const CONTENTS: &str = "abstraction";

/// The abstraction of one world.
#[derive(Clone)]
pub struct Abstraction {
    bytes: SharedBytes,
    config: AbstractionConfig,
    built_for: BuiltFor,
    levels: Vec<LevelRanges>,
    metric: Metric,
    ground_states: u64,
}

/// Where the parts of a level lie in the bytes.
#[derive(Clone, Debug, Default)]
struct LevelRanges {
    nodes: usize,
    ranks: Range<usize>,
    parents: Range<usize>,
    child_starts: Range<usize>,
    children: Range<usize>,
    edge_starts: Range<usize>,
    targets: Range<usize>,
    capacities: Range<usize>,
    places: Range<usize>,
    weights: Range<usize>,
}

/// How many bits of a place are fractions of a cell: eight, and fewer on maps of more than 2²⁴ columns or rows.
fn fraction_bits((width, height): (u32, u32)) -> u32 {
    width.max(height).saturating_sub(1).leading_zeros().min(8)
}

impl Abstraction {
    /// Builds the abstraction of a world, with one thread. Always the same for the same world.
    ///
    /// # Errors
    /// If moves cannot be undone at the same cost, or there are more states or edges than a file can hold.
    pub fn build(world: &impl World, config: AbstractionConfig) -> Result<Self, DatabaseError> {
        let bytes = build::build(world, config)?;
        let mut built = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        built.count_states(world);
        Ok(built)
    }

    /// Opens an abstraction for `world`, once everything in the bytes is [known to be right](Self::verify) there. That takes
    /// about as long as to build it.
    ///
    /// The bytes are kept and used in place: a `Vec<u8>`, a mapped file, `&'static [u8]` …
    ///
    /// # Errors
    /// If the bytes are damaged, of another version or kind, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        let mut opened = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        opened.built_for.check(world)?;
        opened.verify(world).map_err(|fault| malformed("edge", fault.to_string()))?;
        opened.count_states(world);
        Ok(opened)
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<AbstractionFileInfo, DatabaseError> {
        let opened = Self::parse(&(Arc::new(bytes) as SharedBytes))?;
        Ok(AbstractionFileInfo {
            version: crate::codec::version_of(opened.as_bytes()),
            built_for: opened.built_for.clone(),
            config: opened.config,
            levels: (0..opened.levels())
                .map(|level| (opened.node_count(level) as u64, opened.edge_count(level) as u64))
                .collect(),
            bytes: opened.as_bytes().len() as u64,
            sections: Container::read(opened.as_bytes())?.sizes().collect(),
        })
    }

    /// Takes a file apart, and makes sure that nothing in it points outside.
    fn parse(bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let all: &[u8] = (**bytes).as_ref();
        let container = Container::read(all)?;
        if container.contents != CONTENTS {
            return Err(DatabaseError::OtherContents {
                expected: CONTENTS.to_string(),
                found: container.contents,
            });
        }
        let built_for = container.built_for.clone();
        let is_grid = built_for.size != (0, 0);
        let mut head = Reader::new(&all[container.section("conf")?]);
        let config = AbstractionConfig::read(&mut head)?;
        let count = head.count(2)?;
        let mut counts = Vec::with_capacity(count);
        for _ in 0..count {
            let most = u64::from(u32::MAX - 1);
            let nodes = head.number_up_to(most, "no level has so many nodes")? as usize;
            counts.push((nodes, head.number_up_to(most, "no level has so many edges")? as usize));
        }
        head.finish()?;
        if counts.first().is_none_or(|&(states, edges)| states as u64 != built_for.states || edges != 0) {
            return Err(malformed("conf", "the lowest level is not that of the map".to_string()));
        }
        // The parts of a section lie one after the other; what is left in the end is too much.
        let mut takers: Vec<(&'static str, Range<usize>)> = Vec::new();
        for tag in ["rank", "prnt", "kids", "edge", "caps", "plac", "wght"] {
            takers.push((tag, container.section(tag)?));
        }
        let mut take = |tag: &'static str, count: usize, size: usize| {
            let rest = takers.iter_mut().find(|(known, _)| *known == tag).map(|(_, rest)| rest);
            let taken = rest.and_then(|rest| {
                let end = rest.start.checked_add(count.checked_mul(size)?).filter(|&end| end <= rest.end)?;
                Some(core::mem::replace(&mut rest.start, end)..end)
            });
            taken.ok_or_else(|| malformed(tag, "it is too short".to_string()))
        };
        let mut levels: Vec<LevelRanges> = Vec::with_capacity(counts.len());
        for (level, &(nodes, edges)) in counts.iter().enumerate() {
            let mut ranges = LevelRanges { nodes, ..LevelRanges::default() };
            if level == 0 {
                ranges.ranks = take("rank", nodes.div_ceil(64), 12)?;
                let count = count_ranked(all[ranges.ranks.clone()].as_chunks().0, nodes);
                let count = count.ok_or_else(|| malformed("rank", "the ranks are wrong".to_string()))?;
                ranges.parents = take("prnt", count, 4)?;
            } else {
                ranges.parents = take("prnt", nodes, 4)?;
                ranges.child_starts = take("kids", nodes + 1, 4)?;
                let children = all[ranges.child_starts.clone()].last_chunk().copied().unwrap_or_default();
                ranges.children = take("kids", u32::from_le_bytes(children) as usize, 4)?;
                ranges.edge_starts = take("edge", nodes + 1, 4)?;
                ranges.targets = take("edge", edges, 4)?;
                ranges.capacities = take("caps", edges, 1)?;
                ranges.places = take("plac", if is_grid { nodes * 2 } else { 0 }, 4)?;
                ranges.weights = take("wght", if is_grid { 0 } else { edges }, 4)?;
            }
            levels.push(ranges);
        }
        if let Some((tag, _)) = takers.iter().find(|(_, rest)| !rest.is_empty()) {
            return Err(malformed(tag, "it is too long".to_string()));
        }
        let costs: CostModel = if is_grid {
            built_for
                .costs
                .parse()
                .map_err(|_| malformed("conf", "there is no such cost model".to_string()))?
        } else {
            CostModel::Diagonal14
        };
        let metric = Metric::new(costs, config.distance == AbstractDistance::Euclidean);
        let bytes = Arc::clone(bytes);
        let opened = Self { bytes, config, built_for, levels, metric, ground_states: 0 };
        opened.check_numbers()?;
        Ok(opened)
    }

    /// Makes sure that ranges lie in order and that all nodes named are there.
    fn check_numbers(&self) -> Result<(), DatabaseError> {
        for index in 0..self.levels() {
            let level = self.level(index);
            let above = if index + 1 < self.levels() { self.node_count(index + 1) } else { 0 };
            let is_outside = |number: &[u8; 4], limit: usize| u32::from_le_bytes(*number) as usize >= limit;
            if level.parents.iter().any(|parent| *parent != NONE.to_le_bytes() && is_outside(parent, above)) {
                return Err(malformed("prnt", format!("a parent of level {index} is none")));
            }
            if index == 0 {
                continue;
            }
            let in_order = |starts: level::Numbers<'_>, end: usize| {
                let numbers = starts.iter().map(|start| u32::from_le_bytes(*start) as usize);
                numbers.clone().next() == Some(0)
                    && numbers.clone().next_back() == Some(end)
                    && numbers.is_sorted()
            };
            let below = self.node_count(index - 1);
            if !in_order(level.child_starts, level.children.len())
                || level.children.iter().any(|child| is_outside(child, below))
            {
                return Err(malformed("kids", format!("the children of level {index} are wrong")));
            }
            if !in_order(level.edge_starts, level.targets.len())
                || level.targets.iter().any(|target| is_outside(target, level.count()))
            {
                return Err(malformed("edge", format!("the edges of level {index} are wrong")));
            }
        }
        Ok(())
    }

    fn count_states(&mut self, world: &impl World) {
        let states = (0..world.state_limit() as u32).map(State);
        self.ground_states = states.filter(|&state| world.contains(state)).count() as u64;
    }

    /// A level, ready to be read.
    pub(crate) fn level(&self, level: usize) -> Level<'_> {
        let bytes = self.as_bytes();
        let ranges = &self.levels[level];
        let numbers = |range: &Range<usize>| bytes[range.clone()].as_chunks().0;
        Level {
            count: ranges.nodes,
            ranks: bytes[ranges.ranks.clone()].as_chunks().0,
            parents: numbers(&ranges.parents),
            child_starts: numbers(&ranges.child_starts),
            children: numbers(&ranges.children),
            edge_starts: numbers(&ranges.edge_starts),
            targets: numbers(&ranges.targets),
            capacities: &bytes[ranges.capacities.clone()],
            places: numbers(&ranges.places),
            weights: numbers(&ranges.weights),
        }
    }

    /// How far apart nodes are.
    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// How many bits of a place are fractions of a cell.
    pub(crate) fn fraction_bits(&self) -> u32 {
        fraction_bits(self.built_for.size)
    }

    /// The bytes of its file, which are all of its memory.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &AbstractionConfig {
        &self.config
    }

    /// What it was built for.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// The states of the space and the nodes of all levels above it.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.ground_states + (1..self.levels()).map(|level| self.node_count(level) as u64).sum::<u64>()
    }

    /// The states of the space.
    #[must_use]
    pub fn ground_states(&self) -> u64 {
        self.ground_states
    }

    /// The number of levels. Level 0 is the space itself.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// The number of nodes of a level; on level 0 of all numbers that may be states.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn node_count(&self, level: usize) -> usize {
        self.levels[level].nodes
    }

    /// The number of edges of a level, each counted in both directions. Those of level 0 are the space's.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn edge_count(&self, level: usize) -> usize {
        self.levels[level].targets.len() / 4
    }

    /// The parent of a node; nothing if it is the top of its component, or if there is no such node.
    #[must_use]
    pub fn parent(&self, level: usize, node: u32) -> Option<u32> {
        if level >= self.levels() || node as usize >= self.node_count(level) {
            return None;
        }
        Some(self.level(level).parent(node)).filter(|&parent| parent != NONE)
    }

    /// The ancestor of a state on a level; nothing if it has none there.
    #[must_use]
    pub fn ancestor(&self, state: State, level: usize) -> Option<u32> {
        (0..level).try_fold(state.0, |node, below| self.parent(below, node))
    }

    /// The first of the states under a node.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn first_state(&self, level: usize, node: u32) -> State {
        let below = (1..=level).rev();
        State(below.fold(node, |node, level| self.children(level, node).next().unwrap_or(node)))
    }

    /// The children of a node of level 1 or above, in order.
    ///
    /// # Panics
    /// If there is no such node, or the level is 0.
    pub fn children(&self, level: usize, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.level(level).children(node)
    }

    /// The neighbours of a node of level 1 or above, in order, each with the capacity and the weight of the edge. The capacity is
    /// the number of edges of the level below that it stands for. Weights of one level are in one unit.
    ///
    /// # Panics
    /// If there is no such node, or the level is 0.
    pub fn edges(&self, level: usize, node: u32) -> impl Iterator<Item = (u32, u32, u64)> + '_ {
        let level = self.level(level);
        let from = level.place(node);
        level.edges(node).map(move |edge| {
            let target = level.target(edge);
            let weight = match from.zip(level.place(target)) {
                Some((from, to)) => self.metric.distance(from, to),
                None => u64::from(level.stored_weight(edge)),
            };
            (target, u32::from(level.capacities[edge]), weight)
        })
    }

    /// Where a node of level 1 or above lies, in columns and rows of a grid.
    #[must_use]
    pub fn position(&self, level: usize, node: u32) -> Option<(f64, f64)> {
        let unit = f64::from(1_u32 << self.fraction_bits());
        self.level(level).place(node).map(|(x, y)| (f64::from(x) / unit, f64::from(y) / unit))
    }

    /// Whether a way leads from one state to the other: climbs to the top from both.
    #[must_use]
    pub fn same_component(&self, a: State, b: State) -> bool {
        let (mut a, mut b) = (a.0, b.0);
        for level in 0..self.levels() {
            if a == b {
                return true;
            }
            let (Some(above_a), Some(above_b)) = (self.parent(level, a), self.parent(level, b)) else {
                return false;
            };
            (a, b) = (above_a, above_b);
        }
        a == b
    }
}

/// How many of so many numbers have a rank; nothing if the ranks are not what they should be.
fn count_ranked(ranks: level::Ranks<'_>, numbers: usize) -> Option<usize> {
    let mut count = 0;
    for (place, &block) in ranks.iter().enumerate() {
        let (bits, before) = level::rank_block(block);
        let left = numbers - place * 64;
        if before as usize != count || left < 64 && bits >> left != 0 {
            return None;
        }
        count += bits.count_ones() as usize;
    }
    Some(count)
}

fn malformed(section: &'static str, problem: String) -> DatabaseError {
    DatabaseError::Malformed { section, problem }
}

impl fmt::Debug for Abstraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("Abstraction").field("config", &self.config).field("bytes", &bytes).finish()
    }
}
