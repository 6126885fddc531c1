//! Plans: experiments as files that a person can read, copy and change. `docs/reproduce/lab.md` has the
//! format.
//!
//! A plan says which algorithms walk which problems on which maps. The plans of the papers are [built
//! in](BUILT_IN).

mod lists;
mod size;
mod text;

use surefoot::agent::Spec;
use surefoot::space::{CostModel, MoveRule, TerrainSet};

pub use self::lists::{ListError, MOST_SPECS, expand};
pub use self::size::{MOST_UNITS, MOST_WALKS};
pub(crate) use self::size::{seeds_of, units};
use crate::clock::Pace;
use crate::maps::MapKind;

/// The plans of the papers, by name, in the order of their years, and then our own: what there is beyond the
/// papers beside them.
pub const BUILT_IN: [(&str, &str); 6] = [
    ("pra2005", include_str!("../../plans/pra2005.toml")),
    ("jair2008", include_str!("../../plans/jair2008.toml")),
    ("jair2008-original", include_str!("../../plans/jair2008-original.toml")),
    ("knn2009", include_str!("../../plans/knn2009.toml")),
    ("jair2010", include_str!("../../plans/jair2010.toml")),
    ("beyond", include_str!("../../plans/beyond.toml")),
];

/// An experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its name: that of its file.
    pub name: String,
    /// What it is about, in a line.
    pub title: String,
    /// The plan as it was written.
    pub text: String,
    /// Whether walks are timed, one at a time; else they take all cores. Parts may say otherwise of their
    /// own.
    pub timed: bool,
    /// Whether walks are put on the clock of the PRA* paper's game, and what its planning time is.
    pub game: Option<Pace>,
    /// The seeds 1, 2 … up to this one for databases that depend on one.
    pub seeds: u64,
    /// Walks of more moves are cut off.
    pub most_moves: Option<u64>,
    /// The maps with their problems.
    pub maps: Vec<MapEntry>,
    /// The algorithms.
    pub parts: Vec<Part>,
    /// What is different in a quick run.
    pub quick: Quick,
}

/// Algorithms that are treated alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its algorithms.
    pub specs: Vec<Spec>,
    /// Its algorithms in a quick run, if they are others.
    pub quick: Option<Vec<Spec>>,
    /// Whether its walks are timed.
    pub timed: bool,
    /// How often every problem is walked. The fastest time counts: of each move, or of each plan of the
    /// clocked game.
    pub passes: u32,
    /// Only the first problem of each of these buckets is walked: every eighth, say. Nothing for all
    /// problems.
    pub every_bucket: Option<u32>,
    /// How the trees of `lrta*(dt,g)` are grown from the problems of the plan; by nothing, they are those
    /// that the library brings along.
    pub trees: Option<OwnTrees>,
    /// Whether its algorithms walk each map in all the eight ways to lay it: see
    /// [`Symmetry`](crate::maps::Symmetry).
    pub symmetries: bool,
    /// The seeds of its databases, if they are not those of the plan.
    pub seeds: Option<u64>,
    /// Walks of more moves are cut off, if that is not what the plan says.
    pub most_moves: Option<u64>,
}

impl Part {
    /// In how many ways its maps are laid.
    #[must_use]
    pub fn ways(&self) -> u64 {
        if self.symmetries { 8 } else { 1 }
    }
}

/// Trees by cross-validation: the problems of all maps are dealt into folds, and each is walked with a tree
/// that was grown from the lessons of all other folds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnTrees {
    /// How many folds.
    pub folds: usize,
    /// The fewest lessons in a leaf.
    pub leaf: usize,
    /// The confidence of pruning.
    pub pruning: f64,
}

/// Maps that are treated alike.
#[derive(Clone, Debug, PartialEq)]
pub struct MapEntry {
    /// Where they come from.
    pub origin: Origin,
    /// How many times as large they are made.
    pub scale: u32,
    /// Whether that is done with smooth edges.
    pub smooth: bool,
    /// Whether only the largest component is kept.
    pub largest: bool,
    /// The rule of movement.
    pub rule: MoveRule,
    /// What a diagonal step costs.
    pub cost: CostModel,
    /// What can be walked on.
    pub terrain: TerrainSet,
    /// The letters of that, as written.
    pub terrain_text: String,
    /// Whether the entry is left out if its files are not there.
    pub optional: bool,
    /// Whether a quick run has it.
    pub is_quick: bool,
    /// Their problems.
    pub problems: Problems,
}

/// Where maps come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// All maps of a folder.
    Folder(String),
    /// These files.
    Files(Vec<String>),
    /// A map that is generated.
    Generated {
        /// What kind of map.
        kind: MapKind,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Which of the many.
        seed: u64,
    },
}

/// Where the problems of a map come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Problems {
    /// From the file beside the map: every so many of them.
    Beside {
        /// 1 for all.
        every: usize,
    },
    /// They are drawn.
    Drawn {
        /// How many, in all or in every bucket.
        count: usize,
        /// The least optimal cost.
        min_cost: f64,
        /// The greatest optimal cost.
        max_cost: f64,
        /// The costs are those on a map of so many columns, and grow with the map's own.
        of_width: Option<f64>,
        /// Which of the many.
        seed: u64,
        /// Whether `count` are wanted in each bucket.
        per_bucket: bool,
    },
}

/// What is different in a quick run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quick {
    /// At most so many maps of each entry, spread evenly over their names.
    pub maps: Option<usize>,
    /// Maps are made at most so many times as large.
    pub scale: Option<u32>,
    /// So many problems are drawn.
    pub problems: Option<usize>,
    /// Of problems from a file, every so many.
    pub every: Option<usize>,
    /// So many seeds.
    pub seeds: Option<u64>,
    /// Walks of more moves are cut off.
    pub most_moves: Option<u64>,
    /// So many passes at most.
    pub passes: Option<u32>,
    /// `false`: maps are walked as they are only.
    pub symmetries: Option<bool>,
}

/// What is wrong with a plan, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct PlanError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong, and what to write instead.
    pub problem: String,
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If it is no TOML, has keys that there are not, lacks others, names algorithms or maps that there are
    /// not, or is too large to run.
    pub fn parse(name: &str, text: &str) -> Result<Self, PlanError> {
        text::parse(name, text)
    }

    /// A plan of a paper. `None` if there is none of this name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Result<Self, PlanError>> {
        BUILT_IN.iter().find(|(own, _)| *own == name).map(|(name, text)| Self::parse(name, text))
    }

    /// The quick run of the plan, as a plan of its own.
    #[must_use]
    pub fn quick(&self) -> Self {
        let mut plan = self.clone();
        let quick = &self.quick;
        plan.seeds = quick.seeds.unwrap_or(plan.seeds).min(plan.seeds);
        plan.most_moves = quick.most_moves.or(plan.most_moves);
        plan.maps.retain(|entry| entry.is_quick);
        for entry in &mut plan.maps {
            entry.scale = quick.scale.unwrap_or(entry.scale).min(entry.scale);
            match &mut entry.problems {
                Problems::Beside { every } => *every = quick.every.unwrap_or(*every),
                Problems::Drawn { count, .. } => *count = quick.problems.unwrap_or(*count).min(*count),
            }
        }
        for part in &mut plan.parts {
            part.specs = part.quick.take().unwrap_or_else(|| std::mem::take(&mut part.specs));
            part.passes = quick.passes.unwrap_or(part.passes).min(part.passes);
            part.symmetries &= quick.symmetries.unwrap_or(true);
            part.seeds = part.seeds.map(|seeds| quick.seeds.unwrap_or(seeds).min(seeds));
            part.most_moves = part.most_moves.map(|most| quick.most_moves.unwrap_or(most).min(most));
        }
        plan.parts.retain(|part| !part.specs.is_empty());
        plan
    }
}

#[cfg(test)]
mod tests;
