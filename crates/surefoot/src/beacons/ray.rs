//! What is looked for straight ahead.

use super::turns::{Corner, Sectors, TurnSector};

/// A line of cells straight ahead, and whom a leg along it is to lead to: who stops it, and who stops
/// arrivals from the fans beside it that are hidden.
pub(super) struct Ray {
    /// The sector of the line and the fans beside it, as far as there is something to look for.
    open: Sectors,
    sector: TurnSector,
}

impl Ray {
    pub(super) fn new(is_wanted: bool, sector: TurnSector, hidden: Sectors) -> Self {
        Self { open: if is_wanted { 1 << sector | hidden } else { 0 }, sector }
    }

    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.open != 0
    }

    /// Whether a leg leads to a corner on the line. What goes on from there need not be looked for.
    #[inline]
    pub(super) fn meets(&mut self, turn: Corner) -> bool {
        let is_met = turn.stops & self.open != 0;
        if is_met {
            self.open &= !(turn.shadows | turn.leaves & 1 << self.sector);
        }
        is_met
    }
}
