//! Whether beacons hold what they promise.

use core::ops::ControlFlow;

use super::{BeaconDatabase, BeaconStage};
use crate::space::GridSpace;

/// A promise that beacons do not keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeaconFault {
    /// What is built from the map anew is something else.
    #[error("they are not those that are built from the map anew")]
    Different,
}

impl BeaconDatabase {
    /// Makes sure that all is what is built from the map anew.
    ///
    /// # Errors
    /// If it is not.
    pub fn verify(&self, space: &GridSpace) -> Result<(), BeaconFault> {
        self.verify_with(space, |_| {})
    }

    /// The same; `progress` hears of each stage of what is built anew.
    ///
    /// # Errors
    /// If it is not.
    pub fn verify_with(
        &self,
        space: &GridSpace,
        mut progress: impl FnMut(BeaconStage),
    ) -> Result<(), BeaconFault> {
        let built = Self::build_with(space, self.config, |stage| {
            progress(stage);
            ControlFlow::Continue(())
        });
        match built {
            Ok(expected) if expected.as_bytes() == self.as_bytes() => Ok(()),
            _ => Err(BeaconFault::Different),
        }
    }
}
