//! How far a build is, and whether labels would become too large.

use super::BeaconDatabase;
use super::tuning::{HOPELESS, SPARSE};
use crate::space::GridSpace;

/// A stage of a build, for those who show how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BeaconStage {
    /// Corners are looked for, and the legs between them.
    Legs,
    /// All corners were found.
    Found(BeaconOutlook),
    /// So many of so many corners were looked at, whether they can go.
    Thinning(u32, u32),
    /// The core was found. Only its corners get labels.
    Core(BeaconOutlook),
    /// So many of so many corners have become hubs, and all labels together have so many of them.
    Hubs(u32, u32, u64),
}

/// What labels will be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BeaconOutlook {
    /// How many corners there are.
    pub corners: u32,
    /// How many legs there are between them.
    pub legs: u64,
    /// About how many hubs their labels will have; `None` if that cannot be foretold.
    pub hubs: Option<u64>,
}

impl BeaconStage {
    /// Whether it is clear by now that labels will be too large for this map:
    /// [`transit*`](crate::transit::TransitDatabase) serves it.
    #[must_use]
    pub fn is_too_much(self) -> bool {
        let most = BeaconDatabase::MOST_HUBS;
        match self {
            Self::Legs | Self::Thinning(..) => false,
            Self::Found(outlook) => outlook.hubs.is_some_and(|hubs| hubs > HOPELESS * most),
            Self::Core(outlook) => outlook.hubs.is_some_and(|hubs| hubs > most),
            Self::Hubs(.., hubs) => hubs > most,
        }
    }
}

impl BeaconOutlook {
    /// Labels grow with the root of the corners, and with the ways that there are from each. The factors are
    /// those of random obstacles, of 10 to 40 in a hundred cells, and of generated maps of 1024 x 1024 cells.
    pub(super) fn new(space: &GridSpace, corners: u32, legs: u64) -> Self {
        let all = u64::from(corners);
        let is_foretold = all > 0 && all.saturating_mul(SPARSE) >= space.grid().free_count();
        let hubs = is_foretold.then(|| {
            // In hundredths; without branches there is nothing but one way.
            let branches = (legs.saturating_mul(200) / all).saturating_sub(286);
            (all * all.isqrt()).saturating_mul(branches) / 100 * 15 / 100
        });
        Self { corners, legs, hubs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CostModel, Grid, MoveRule};

    #[test]
    fn clutter_is_known_by_its_corners() {
        let grid = Grid::from_fn(512, 512, |_| true).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let expected = |corners, legs| BeaconOutlook::new(&space, corners, legs);
        // One cell in ten blocked; four in ten, where there are 1,069,363; a map with few corners.
        let [tenth, more, few] = [(66_843, 271_665), (66_941, 109_288), (1000, 100_000)]
            .map(|(corners, legs)| expected(corners, legs));
        assert!(BeaconStage::Core(tenth).is_too_much() && !BeaconStage::Found(tenth).is_too_much());
        assert!(more.hubs.is_some_and(|hubs| (500_000..2_000_000).contains(&hubs)));
        assert!(!BeaconStage::Core(more).is_too_much());
        assert_eq!((expected(0, 0).hubs, few.hubs), (None, None));
        assert!(BeaconStage::Found(expected(u32::MAX, u64::MAX)).is_too_much());
    }
}
