//! Where transit nodes serve better than corners, told before labels are begun.

use super::TransitDatabase;
use crate::database::BeaconDatabase;
use crate::space::GridSpace;

/// Where a corner has more cells to itself than this, labels are seldom large, and nothing is foretold.
const SPARSE: u64 = 64;

impl TransitDatabase {
    /// About how many hubs the labels of `beacon*` would have on this map, whose so many corners have so many legs between them; nothing if that cannot be foretold.
    ///
    /// Labels grow with the root of the corners, and with the ways that there are from each. The factors are those of random obstacles, of 10 to 40 in a hundred cells, and of generated maps of
    /// 1024 x 1024 cells.
    #[must_use]
    pub fn expected_hubs(space: &GridSpace, corners: u32, legs: u64) -> Option<u64> {
        let all = u64::from(corners);
        if all == 0 || all.saturating_mul(SPARSE) < space.grid().free_count() {
            return None;
        }
        // In hundredths; without branches there is nothing but one way.
        let branches = (legs.saturating_mul(200) / all).saturating_sub(286);
        Some((all * all.isqrt()).saturating_mul(branches) / 100 * 15 / 100)
    }

    /// Whether the labels of `beacon*` would so surely be given up that transit nodes are built at once.
    #[must_use]
    pub fn serves_better(space: &GridSpace, corners: u32, legs: u64) -> bool {
        Self::expected_hubs(space, corners, legs).is_some_and(|hubs| hubs > BeaconDatabase::MOST_HUBS)
    }
}
