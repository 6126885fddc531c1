//! What databases of regions share: how maps are divided, which state is in which region, and pictures of it.

pub(crate) mod bits;
pub(crate) mod colours;
pub(crate) mod labels;
pub(crate) mod partition;
pub(crate) mod passages;
mod region_id;
pub(crate) mod region_list;
pub(crate) mod repaired;

pub use self::region_id::RegionId;
pub(crate) use self::region_id::RegionSpan;
