//! Changes of the map.

use pyo3::prelude::*;
use surefoot::crowd::LinkId;

use super::Crowd;
use super::kinds::kind_of;
use crate::arguments;
use crate::errors::Outcome;

#[pymethods]
impl Crowd {
    /// Frees or blocks cells. How many that changes. If one lies outside the map, none is changed.
    fn edit(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, free: bool) -> Outcome<u64> {
        let cells = arguments::cells(cells, "cells")?;
        Ok(self.with(py, |crowd| crowd.set_cells(cells.into_iter().map(|cell| (cell, free))))?)
    }

    /// Says what cells cost units of a kind: a weight of 1 to 255. How many that changes.
    fn weigh(&self, py: Python<'_>, kind: u32, cells: &Bound<'_, PyAny>, weight: u8) -> Outcome<u64> {
        let (kind, cells) = (kind_of(kind)?, arguments::cells(cells, "cells")?);
        Ok(self.with(py, |crowd| crowd.set_weights(kind, cells.into_iter().map(|cell| (cell, weight))))?)
    }

    /// Adds a link for units of a kind: a way from one cell to another, such as a one-way door, a ladder or a
    /// teleporter. It costs as much as so many straight moves. Its number.
    #[pyo3(signature = (kind, start, end, *, moves = 1))]
    fn add_link(
        &self,
        py: Python<'_>,
        kind: u32,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        moves: u32,
    ) -> Outcome<u32> {
        let kind = kind_of(kind)?;
        let link = surefoot::space::Link::new(arguments::cell(start)?, arguments::cell(end)?).costing(moves);
        Ok(self.with(py, |crowd| crowd.add_link(kind, link))?.to_bits())
    }

    /// Removes it again.
    fn remove_link(&self, py: Python<'_>, kind: u32, link: u32) -> Outcome<()> {
        let kind = kind_of(kind)?;
        Ok(self.with(py, |crowd| crowd.remove_link(kind, LinkId::from_bits(link)))?)
    }
}
