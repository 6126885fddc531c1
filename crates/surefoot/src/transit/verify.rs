//! Whether transit nodes hold what they promise.

use core::ops::ControlFlow;

use super::{TransitDatabase, TransitStage};
use crate::space::GridSpace;

/// A promise that transit nodes do not keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransitFault {
    /// What is built from the map anew is something else.
    #[error("they are not those that are built from the map anew")]
    Different,
}

impl TransitDatabase {
    /// Makes sure that all is what is built from the map anew.
    ///
    /// # Errors
    /// If it is not.
    pub fn verify(&self, space: &GridSpace) -> Result<(), TransitFault> {
        self.verify_with(space, |_| {})
    }

    /// The same; `progress` hears of each stage of what is built anew.
    ///
    /// # Errors
    /// If it is not.
    pub fn verify_with(
        &self,
        space: &GridSpace,
        mut progress: impl FnMut(TransitStage),
    ) -> Result<(), TransitFault> {
        let built = Self::build_with(space, self.config, |stage| {
            progress(stage);
            ControlFlow::Continue(())
        });
        match built {
            Ok(expected) if expected.as_bytes() == self.as_bytes() => Ok(()),
            _ => Err(TransitFault::Different),
        }
    }
}
