//! Settings of crowds and kinds, one after the other in one expression.

use alloc::sync::Arc;

use super::{CrowdConfig, Kind};
use crate::agent::Algorithm;
use crate::map::Map;
use crate::space::{CellWeights, Link};
use crate::store::Database;

impl CrowdConfig {
    /// A unit that has waited for so many frames counts as one of high priority.
    #[must_use]
    pub fn with_patience(self, patience: u16) -> Self {
        Self { patience, ..self }
    }

    /// A unit may learn values of so many states.
    #[must_use]
    pub fn with_most_learned(self, most_learned: u64) -> Self {
        Self { most_learned, ..self }
    }

    /// A unit may choose its way anew so often without having got nearer to its goal.
    #[must_use]
    pub fn with_most_choices(self, most_choices: u16) -> Self {
        Self { most_choices, ..self }
    }

    /// Whether no two units may stand on one cell.
    #[must_use]
    pub fn with_units_as_obstacles(self, are_units_obstacles: bool) -> Self {
        Self { are_units_obstacles, ..self }
    }

    /// Whether units are served on all threads of the pool at hand (feature `rayon`).
    #[must_use]
    pub fn with_parallel(self, is_parallel: bool) -> Self {
        Self { is_parallel, ..self }
    }
}

impl Kind {
    /// Units of so many cells.
    #[must_use]
    pub fn with_size(self, size: u32) -> Self {
        Self { size, ..self }
    }

    /// Ground costs them this.
    #[must_use]
    pub fn with_weights(self, weights: impl Into<Option<CellWeights>>) -> Self {
        Self { weights: weights.into(), ..self }
    }

    /// They take these links.
    #[must_use]
    pub fn with_links(self, links: impl IntoIterator<Item = Link>) -> Self {
        Self { links: links.into_iter().collect(), ..self }
    }

    /// They find their way by this algorithm.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// This is what their algorithm needs.
    #[must_use]
    pub fn with_database(self, database: impl Into<Option<Arc<dyn Database>>>) -> Self {
        Self { database: database.into(), ..self }
    }

    /// By these beacons they go on when they have learned as much as they may.
    #[must_use]
    pub fn with_relief(self, relief: impl Into<Option<Arc<dyn Database>>>) -> Self {
        Self { relief: relief.into(), ..self }
    }

    /// Which of the many databases to build.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// Units that move as the map says, over its ground and its links.
impl From<&Map> for Kind {
    fn from(map: &Map) -> Self {
        Self::new(map.rule(), map.costs())
            .with_weights(map.space().weights().cloned())
            .with_links(map.links().as_slice().iter().copied())
    }
}
