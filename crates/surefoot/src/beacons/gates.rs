//! What an end of a way gets to: the corners that it sees, and the gates that these know.

use super::build::Ways;
use super::sight::Sight;
use super::turns::TurnSector;
use super::{BeaconDatabase, BeaconId};
use crate::hub_labels::HubRank;
use crate::space::{Cell, Cost};

/// A corner that an end of a way sees, and one that it gets to over it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) corner: BeaconId,
    /// A gate of the corner; if it is of the core, or its gates are still to be found, itself.
    pub(super) gate: BeaconId,
    /// The sector in which the end gets to the corner.
    pub(super) arrival: TurnSector,
    /// What it costs from the end to the gate.
    pub(super) cost: Cost,
    /// What the whole way costs at least, if it leads over this corner.
    pub(super) least: Cost,
    /// Whether a way that arrives like this may go on over other corners.
    pub(super) goes_on: bool,
}

/// What an end gets to over a corner that it sees: the corner itself, if it is of the core, or one that it
/// knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) rank: HubRank,
    /// What it costs from the end.
    pub(super) cost: Cost,
}

impl Gate {
    /// What a way over it costs at least that leads there.
    pub(super) fn least(self, database: &BeaconDatabase, sight: Sight<'_>, there: Cell) -> Cost {
        let corner = database.ways.labels.corner(self.rank);
        self.cost + sight.estimate(sight.corners.cell(corner), there)
    }
}

/// Visits what an end gets to over a corner that it sees. How many entries were looked at.
#[inline]
pub(super) fn each_gate(
    database: &BeaconDatabase,
    sight: Sight<'_>,
    access: Access,
    mut visit: impl FnMut(Gate),
) -> u64 {
    let Ways { graph, leaves, labels, .. } = &*database.ways;
    let own = labels.rank_of_corner(access.corner);
    if database.ways.has_in_core(own) {
        visit(Gate { rank: own, cost: access.cost });
        return 0;
    }
    let onwards = sight.turns.onwards(sight.corners.around(access.corner), access.arrival);
    let leaves = &leaves[graph.first_leg_of_corner(access.corner)..];
    let mut entry = labels.first_entry_of_corner(access.corner);
    labels.each_hub_of_corner(access.corner, |rank, cost| {
        let leg = database.hops.there(entry);
        entry += 1;
        // The corner itself takes no leg.
        if leaves.get(usize::from(leg)).is_some_and(|leaves| leaves & onwards != 0) && rank != own {
            visit(Gate { rank, cost: access.cost + cost });
        }
    });
    database.entries_of(access.corner)
}
