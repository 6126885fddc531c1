//! Clique abstraction: a space in ever coarser graphs, level upon level, until each component is one node.
//!
//! From "Partial Pathfinding Using Map Abstraction and Refinement" (Sturtevant and Buro, 2005), sections
//! "Abstractions for Pathfinding" and "Pathing Through Refinement", Figures 1 to 3. PRA* plans on it, and
//! `same_component` and `quick_path` need nothing else. `cliques.rs` says how groups are found, `build.rs`
//! how they become a level, `docs/reference/sfdb.md` how the levels lie in a file; they are used where they
//! lie. When the map is edited, `repair.rs` changes what has to be changed.
//!
//! Readings and deviations:
//! - A node lies at the mean of the ground states under it. (The paper has the average of "all nodes
//!   abstracted"; to take that level by level would give small groups more weight.)
//! - The weight of an edge is the octile distance between the places of its ends, as in the paper, or the
//!   distance as the crow flies, as the dynamic-control paper (2008) has it. Without a grid there are no
//!   places: then it is the mean weight of the edges that it stands for, in the units of the level below.
//!   Only ways on one level are ever compared.
//! - Nodes without neighbours have no parent: the top node of a small component lies on a low level.

mod build;
mod cliques;
pub(crate) mod corridor;
mod database;
mod edited;
mod ground;
mod level;
mod lists;
mod packed;
mod quick_path;
mod regroup;
mod repair;
#[cfg(test)]
mod repair_tests;
mod stats;
#[cfg(test)]
mod tests;
mod verify;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub(crate) use self::database::{ALIGNED, DISTANCE, recipe};
pub use self::database::{KIND, colours_of_level, regions_of_level};
use edited::Edited;
pub(crate) use level::{Level, Metric, NONE};
use packed::Packed;
pub use stats::LevelStats;
use surefoot::space::{CostModel, CostUnits, State, World};
use surefoot::store::codec::{CodecError, Reader};
use surefoot::store::container::{BuiltFor, Container, DatabaseError, SharedBytes, malformed};
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
    /// Whether squares of four cells, then of four such squares and so on, are grouped before anything else,
    /// wherever they are cliques and lie at multiples of their size. On grids only. The paper does not
    /// mention it, but Figure 1 looks like it. It is the default: levels shrink faster (on seven maps of 512
    /// × 512 cells to a 1.3 to 2 times smaller fourth level), and PRA*'s paths are shorter (99 instead of 96
    /// in a hundred within 1 % of the optimum) and found in three quarters of the time.
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

pub(super) const CONTENTS: &str = "abstraction";

/// The abstraction of one world. Clones share what they hold, until one of them is [repaired](Self::repair).
#[derive(Clone)]
pub struct Abstraction {
    storage: Storage,
    config: AbstractionConfig,
    metric: Metric,
    fraction_bits: u32,
}

/// What the levels are read from.
#[derive(Clone)]
enum Storage {
    /// A file, and how many states the world has.
    Packed(Packed, u64),
    /// What it became when the map was edited.
    Edited(Arc<Edited>),
}

impl Storage {
    /// What it was built for first. Repairs change nothing but the fingerprint.
    fn origin(&self) -> &BuiltFor {
        match self {
            Self::Packed(packed, _) => &packed.built_for,
            Self::Edited(edited) => &edited.built_for,
        }
    }
}

/// How many bits of a place are fractions of a cell: eight, and fewer on maps of more than 2²⁴ columns or
/// rows.
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
        Self::of_packed(Packed::parse(&(Arc::new(bytes.to_vec()) as SharedBytes))?, count_states(world))
    }

    /// Opens an abstraction for `world`, once everything in the bytes is [known to be right](Self::verify)
    /// there. That takes about as long as to build it.
    ///
    /// The bytes are kept and used in place: a `Vec<u8>`, a mapped file, `&'static [u8]` …
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
        let packed = Packed::parse(bytes)?;
        packed.built_for.check(world)?;
        let opened = Self::of_packed(packed, count_states(world))?;
        opened.verify(world).map_err(|fault| malformed("edge", fault.to_string()))?;
        Ok(opened)
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: &[u8]) -> Result<AbstractionFileInfo, DatabaseError> {
        let packed = Packed::parse(&(Arc::new(bytes.to_vec()) as SharedBytes))?;
        let levels = (0..packed.levels())
            .map(|level| (packed.node_count(level) as u64, packed.edge_count(level) as u64))
            .collect();
        let opened = Self::of_packed(packed, 0)?;
        let bytes = opened.to_bytes();
        Ok(AbstractionFileInfo {
            version: surefoot::store::codec::version_of(&bytes),
            built_for: opened.built_for(),
            config: opened.config,
            levels,
            bytes: bytes.len() as u64,
            sections: Container::read(&bytes)?.sizes().collect(),
        })
    }

    fn of_packed(packed: Packed, ground_states: u64) -> Result<Self, DatabaseError> {
        let built_for = &packed.built_for;
        let costs: CostUnits = if built_for.size == (0, 0) {
            CostUnits::new(CostModel::Diagonal14, false)
        } else {
            let no_model = |_| malformed("conf", "there is no such cost model".to_string());
            built_for.costs.parse().map_err(no_model)?
        };
        let config = packed.config;
        let metric = Metric::new(costs.model(), config.distance == AbstractDistance::Euclidean);
        let fraction_bits = fraction_bits(built_for.size);
        Ok(Self { storage: Storage::Packed(packed, ground_states), config, metric, fraction_bits })
    }

    /// A level, ready to be read.
    pub(crate) fn level(&self, level: usize) -> Level<'_> {
        match &self.storage {
            Storage::Packed(packed, _) => packed.level(level),
            Storage::Edited(edited) => edited.level(level),
        }
    }

    /// How far apart nodes are.
    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// How many bits of a place are fractions of a cell.
    pub(crate) fn fraction_bits(&self) -> u32 {
        self.fraction_bits
    }

    /// The bytes of its file: those that it is read from, or, if it was repaired, newly written ones.
    #[must_use]
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match &self.storage {
            Storage::Packed(packed, _) => Cow::Borrowed(packed.bytes()),
            Storage::Edited(edited) => Cow::Owned(edited.pack(self.config)),
        }
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &AbstractionConfig {
        &self.config
    }

    /// What it was built for, or repaired for.
    #[must_use]
    pub fn built_for(&self) -> BuiltFor {
        match &self.storage {
            Storage::Packed(packed, _) => packed.built_for.clone(),
            Storage::Edited(edited) => edited.built_for(),
        }
    }

    /// The states of the space and the nodes of all levels above it.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.ground_states() + (1..self.levels()).map(|level| self.node_count(level) as u64).sum::<u64>()
    }

    /// The states of the space.
    #[must_use]
    pub fn ground_states(&self) -> u64 {
        match &self.storage {
            Storage::Packed(_, ground_states) => *ground_states,
            Storage::Edited(edited) => edited.ground_states(),
        }
    }

    /// The number of levels. Level 0 is the space itself.
    #[must_use]
    pub fn levels(&self) -> usize {
        match &self.storage {
            Storage::Packed(packed, _) => packed.levels(),
            Storage::Edited(edited) => edited.levels(),
        }
    }

    /// The number of nodes of a level; on level 0 of all numbers that may be states.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn node_count(&self, level: usize) -> usize {
        match &self.storage {
            Storage::Packed(packed, _) => packed.node_count(level),
            Storage::Edited(edited) => edited.level(level).count(),
        }
    }

    /// The number of edges of a level, each counted in both directions. Those of level 0 are the space's.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn edge_count(&self, level: usize) -> usize {
        match &self.storage {
            Storage::Packed(packed, _) => packed.edge_count(level),
            Storage::Edited(edited) => edited.edge_count(level),
        }
    }

    /// The parent of a node. `None` if it is the top of its component, or if there is no such node.
    #[must_use]
    pub fn parent(&self, level: usize, node: u32) -> Option<u32> {
        if level >= self.levels() || node as usize >= self.node_count(level) {
            return None;
        }
        Some(self.level(level).parent(node)).filter(|&parent| parent != NONE)
    }

    /// The ancestor of a state on a level. `None` if it has none there.
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

    /// The neighbours of a node of level 1 or above, in order, each with the capacity and the weight of the
    /// edge. The capacity is the number of edges of the level below that it stands for. Weights of one level
    /// are in one unit.
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
    ///
    /// # Panics
    /// If there is no such level.
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

fn count_states(world: &impl World) -> u64 {
    let states = (0..world.state_limit() as u32).map(State);
    states.filter(|&state| world.contains(state)).count() as u64
}

impl fmt::Debug for Abstraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes: Vec<usize> = (0..self.levels()).map(|level| self.node_count(level)).collect();
        f.debug_struct("Abstraction").field("config", &self.config).field("nodes", &nodes).finish()
    }
}
