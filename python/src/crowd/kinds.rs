//! Kinds of units, and the databases that they go by.

use std::sync::Arc;

use numpy::ndarray::ArrayView2;
use pyo3::prelude::*;
use surefoot::KindId;
use surefoot::space::CellWeights;

use super::Crowd;
use crate::arguments;
use crate::arrays::{Number, Reading, read_table};
use crate::database::{Database, algorithm};
use crate::errors::{Outcome, argument};
use crate::long;

/// A kind of a crowd. Whether it is one of this crowd's is for the crowd to say.
pub(super) fn kind_of(number: u32) -> Outcome<KindId> {
    KindId::from_bits(number)
        .ok_or_else(|| argument(format!("there is no kind {number}; add it to this crowd first")))
}

struct Weights;

impl Reading for Weights {
    type Output = CellWeights;

    fn read<T: Number>(self, table: ArrayView2<'_, T>) -> Outcome<CellWeights> {
        let mut weights = Vec::with_capacity(table.len());
        for ((y, x), number) in table.indexed_iter() {
            let weight = number.whole().and_then(|weight| u8::try_from(weight).ok());
            weights.push(weight.ok_or_else(|| {
                argument(format!(
                    "weights, row {y}, column {x}: {number} is not a whole number from 0 to 255"
                ))
            })?);
        }
        let side = |side: usize| u32::try_from(side).map_err(|_| argument("there are too many weights"));
        Ok(CellWeights::new(side(table.ncols())?, side(table.nrows())?, weights)?)
    }
}

#[pymethods]
impl Crowd {
    /// Adds a kind of units, and builds what they find their way by: its number. What is left out is as on
    /// the crowd's map.
    ///
    /// Units of `size` 2 take 2 x 2 cells. `weights` is an array of the map's shape: what ground costs them.
    /// `algorithm` is that of a spec; `database` is what it needs, if you have it. With `built=False` the
    /// units go by a search until `build_in_frames` is done. `progress` and `threads` are as for
    /// `Map.navigator`.
    #[pyo3(signature = (*, rule = None, costs = None, size = None, weights = None, links = None,
        algorithm = None, seed = 1, database = None, built = true, progress = None, threads = None))]
    #[allow(clippy::too_many_arguments)] // Each has its name in Python.
    fn add_kind(
        &self,
        py: Python<'_>,
        rule: Option<&str>,
        costs: Option<&str>,
        size: Option<u32>,
        weights: Option<&Bound<'_, PyAny>>,
        links: Option<&Bound<'_, PyAny>>,
        algorithm: Option<&str>,
        seed: u64,
        database: Option<&Database>,
        built: bool,
        progress: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> Outcome<u32> {
        let mut kind = self.usual.clone().with_seed(seed);
        if let Some(rule) = rule {
            kind.rule = arguments::rule(rule)?;
        }
        if let Some(costs) = costs {
            kind.costs = arguments::costs(costs)?;
        }
        if let Some(size) = size {
            kind.size = size;
        }
        if let Some(weights) = weights {
            kind.weights = Some(read_table(weights, "weights", Weights)?);
        }
        if let Some(links) = links {
            kind.links = arguments::links(links)?;
        }
        if let Some(spec) = algorithm {
            kind.algorithm = self::algorithm(spec)?;
        }
        if !built {
            return Ok(self.with(py, |crowd| crowd.add_kind_unbuilt(kind))?.to_bits());
        }
        if let Some(given) = database {
            kind = kind.with_database(Arc::clone(&given.database));
        } else if let Some(config) = kind.algorithm.database_config(kind.seed) {
            let space = kind.space(&self.with(py, |crowd| crowd.map().clone()))?;
            let pool = arguments::pool(threads)?;
            let built = long::run(py, progress, |teller| {
                pool.install(|| config.build(&space, &mut |event| teller.hear(&event)))
            })??;
            kind = kind.with_database(built);
        }
        Ok(self.with(py, |crowd| crowd.add_kind(kind))?.to_bits())
    }

    /// Begins to build what a kind needs within the budgets of the next frames. `Frame.built` tells when it
    /// is there.
    fn build_in_frames(&self, py: Python<'_>, kind: u32) -> Outcome<()> {
        let kind = kind_of(kind)?;
        Ok(self.with(py, |crowd| crowd.build_in_frames(kind))?)
    }

    /// How far such a build is: its stage, how much is done, how much there is; `None` if none is under way.
    fn build_progress(&self, py: Python<'_>, kind: u32) -> Outcome<Option<(&'static str, u64, u64)>> {
        let kind = kind_of(kind)?;
        let progress = self.with(py, |crowd| crowd.build_progress(kind))?;
        Ok(progress.map(|progress| (progress.stage, progress.done, progress.all)))
    }

    /// Cancels such a build. Whether there was one.
    fn cancel_build(&self, py: Python<'_>, kind: u32) -> Outcome<bool> {
        let kind = kind_of(kind)?;
        Ok(self.with(py, |crowd| crowd.cancel_build(kind))?)
    }

    /// Whether what a kind needs is there.
    fn is_built(&self, py: Python<'_>, kind: u32) -> Outcome<bool> {
        let kind = kind_of(kind)?;
        Ok(self.with(py, |crowd| crowd.is_built(kind))?)
    }

    /// Whether what a kind goes by knows all edits of the map. It becomes so a number of frames after an
    /// edit.
    fn is_up_to_date(&self, py: Python<'_>, kind: u32) -> Outcome<bool> {
        let kind = kind_of(kind)?;
        Ok(self.with(py, |crowd| crowd.is_up_to_date(kind))?)
    }
}
