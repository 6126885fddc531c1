//! What is computed once per map and shared by all agents: databases of subgoals with their index and builder, clique
//! abstractions, pattern databases, covers, beacons, transit nodes, and the file of all of them.

mod abstraction;
mod any;
mod beacons;
mod bits;
mod builder;
mod compress;
mod container;
mod cover;
mod division;
mod draws;
mod fingerprint;
#[allow(dead_code, unused_imports)]
mod hub_labels;
mod index;
mod labels;
#[cfg(feature = "mmap")]
mod mapped;
mod metric_index;
mod parallel;
mod part;
mod partition;
mod passages;
mod patterns;
mod pool;
mod region_list;
mod sampler;
mod subgoals;
mod transit;

pub use abstraction::{
    AbstractDistance, Abstraction, AbstractionConfig, AbstractionFault, AbstractionFileInfo, LevelStats,
};
pub(crate) use abstraction::{Level, Metric};
pub use any::{Database, DatabaseConfig, DatabaseFileInfo};
pub use beacons::{
    BeaconConfig, BeaconDatabase, BeaconFault, BeaconFigures, BeaconFileInfo, BeaconOutlook, BeaconRepair,
    BeaconStage, Labelled,
};
pub(crate) use beacons::{
    Decision as BeaconDecision, Next as BeaconNext, Way as BeaconWay, is_open, next_run, two_runs,
};
pub use builder::SubgoalBuilder;
pub use container::{BuiltFor, DatabaseError};
pub(crate) use cover::TrailPlace;
pub use cover::{CoverConfig, CoverDatabase, CoverFault, CoverFileInfo, CoverRepairer, Partition, Trail};
#[cfg(test)]
pub(crate) use draws::Draws;
pub use index::{Nearest, Similarity};
#[cfg(feature = "mmap")]
pub use mapped::{Mapped, open_mapped};
pub(crate) use metric_index::MetricIndex;
pub use metric_index::NotAMetric;
pub use part::{Block, Part, PartConfig, PartError, PartHead};
pub(crate) use partition::Sector;
pub use patterns::{
    Pattern, PatternBuilder, PatternColumn, PatternConfig, PatternContents, PatternDatabase, PatternFault,
    PatternFileInfo, PatternScratch,
};
pub use subgoals::{
    Cursor, Pairs, Record, RecordForm, SubgoalConfig, SubgoalDatabase, SubgoalFileInfo, SubgoalRepair,
    SubgoalRepairer,
};
pub(crate) use transit::{Decision, MOST_LEFT, MOST_REACH, Moves, Route};
pub use transit::{
    TransitConfig, TransitDatabase, TransitFault, TransitFigures, TransitFileInfo, TransitStage,
};
