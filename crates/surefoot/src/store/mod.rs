//! The store: how anything that is computed once per map is built, kept in a file, checked, and kept up while
//! the map changes.
//!
//! - [`Database`] is what every kind of database can do; [`DatabaseKind`] is what is known of a kind without
//!   one at hand, and [`DatabaseConfig`] is what one is built from. A technique implements the three in its
//!   own folder.
//! - [`Answers`] are databases that know the ways of a map by themselves.
//! - [`Maintained`] keeps a database right while its map is edited.
//! - [`FileInfo`] and [`Sketch`] describe and draw a database, in facts and shapes.
//! - [`blocks`] and [`part`] are for databases that are built block by block, in shards and with a journal.
//! - [`container`] is the frame of every `.sfdb` file, [`codec`] writes numbers and states as bytes,
//!   [`draws`] draws random numbers from a seed, and [`parallel`] works on all cores.

mod answers;
mod beacon_id;
pub mod blocks;
pub mod codec;
pub mod container;
mod database;
mod describe;
pub mod division;
pub mod draws;
mod fingerprint;
mod maintenance;
#[cfg(feature = "mmap")]
mod mapped;
pub mod parallel;
pub mod part;
pub(crate) mod pool;
mod sketch;

pub use self::answers::Answers;
pub use self::beacon_id::BeaconId;
pub use self::container::{BuiltFor, DatabaseError, SharedBytes};
pub use self::database::{
    BuildEvent, ConfigObject, Database, DatabaseConfig, DatabaseKind, Follows, Opened, Watch, shared_as,
};
pub use self::describe::{Fact, Figure, FileInfo, thousands};
pub use self::maintenance::{
    BuildProgress, BuildState, Checkpoint, Edited, Fixed, Maintained, Resumed, Upkeep,
};
#[cfg(feature = "mmap")]
pub use self::mapped::{Mapped, open_mapped};
pub use self::sketch::{Mark, Shade, Sketch, View, ViewError};
