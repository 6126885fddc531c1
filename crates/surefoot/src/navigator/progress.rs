//! How far a build is.

use core::fmt;

use crate::database::{BeaconStage, TransitStage};

/// How far the build of a navigator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildProgress {
    /// What is being done.
    pub stage: BuildStage,
    /// How much of this stage is done.
    pub done: u32,
    /// How much there is to do in this stage; 0 if that is not known yet.
    pub total: u32,
}

/// A stage of the build of a navigator. Small maps pass some of them in no time, and not all maps need all of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BuildStage {
    /// Corners of walls are looked for, and the legs between them.
    Corners,
    /// Corners that paths can do without are left out.
    Core,
    /// What ways cost is found out, from one corner or node after the other.
    Labels,
    /// Transit nodes are chosen: the map has weights, or too many corners.
    TransitNodes,
    /// The legs between transit nodes are looked for.
    TransitLegs,
}

impl BuildProgress {
    const fn new(stage: BuildStage, done: u32, total: u32) -> Self {
        Self { stage, done, total }
    }
}

impl From<BeaconStage> for BuildProgress {
    fn from(stage: BeaconStage) -> Self {
        match stage {
            BeaconStage::Legs => Self::new(BuildStage::Corners, 0, 0),
            BeaconStage::Found(outlook) => Self::new(BuildStage::Corners, outlook.corners, outlook.corners),
            BeaconStage::Thinning(done, total) => Self::new(BuildStage::Core, done, total),
            BeaconStage::Core(outlook) => Self::new(BuildStage::Core, outlook.corners, outlook.corners),
            BeaconStage::Hubs(done, total, _) => Self::new(BuildStage::Labels, done, total),
        }
    }
}

impl From<TransitStage> for BuildProgress {
    fn from(stage: TransitStage) -> Self {
        match stage {
            TransitStage::Nodes => Self::new(BuildStage::TransitNodes, 0, 0),
            TransitStage::Legs(nodes) => Self::new(BuildStage::TransitLegs, 0, nodes),
            TransitStage::Hubs(done, total, _) => Self::new(BuildStage::Labels, done, total),
        }
    }
}

impl fmt::Display for BuildProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.stage {
            BuildStage::Corners => "looking for corners",
            BuildStage::Core => "thinning corners out",
            BuildStage::Labels => "finding out what ways cost",
            BuildStage::TransitNodes => "choosing transit nodes",
            BuildStage::TransitLegs => "connecting transit nodes",
        })?;
        if self.total > 0 { write!(f, ": {} of {}", self.done, self.total) } else { Ok(()) }
    }
}
