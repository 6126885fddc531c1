//! A kind of a crowd, as those know it who check the crowd.

use std::collections::BTreeMap;

use surefoot::crowd::{CrowdError, Kind, KindId, LinkId};
use surefoot::space::{Cell, CellWeights, Grid, GridSpace};

/// A kind, and what is known of it.
pub struct KnownKind {
    /// Its name.
    pub id: KindId,
    /// What it was made from.
    pub kind: Kind,
    /// From where to where each of its links leads.
    pub links: BTreeMap<LinkId, (Cell, Cell)>,
    /// Cells that got another weight.
    pub weighed: BTreeMap<Cell, u8>,
}

impl KnownKind {
    /// Nothing was changed yet.
    pub fn new(id: KindId, kind: Kind) -> Self {
        Self { id, kind, links: BTreeMap::new(), weighed: BTreeMap::new() }
    }

    /// What its units should see of the map.
    ///
    /// # Errors
    /// If the weights do not fit the map.
    pub fn space(&self, map: &Grid) -> Result<GridSpace, CrowdError> {
        let mut kind = self.kind.clone();
        if let Some(weights) = &kind.weights {
            let rows: Vec<&[u8]> = weights.rows().collect();
            let first = |cell: Cell| rows[cell.y as usize][cell.x as usize];
            let now = |cell| self.weighed.get(&cell).copied().unwrap_or_else(|| first(cell));
            kind.weights = Some(CellWeights::from_fn(map.width(), map.height(), now)?);
        }
        kind.space(map)
    }
}
