//! kNN LRTA*: LRTA* along the most similar of many optimal paths, compressed to what a hill-climber needs.
//!
//! - `agent.rs` is the algorithm of 2010, `agent_2009.rs` its first form; `subgoal_walker.rs` is what both
//!   walk by.
//! - `subgoals/` has the database of records and its repair. `builder.rs` makes it block by block,
//!   `compress.rs` cuts paths down, `sampler.rs` draws their ends, and `index.rs` finds the most similar
//!   records.
//! - `database.rs` and `entry.rs` put it beside the other kinds, and into the roster.

mod agent;
mod agent_2009;
mod blocks;
mod builder;
pub(crate) mod compress;
mod database;
mod entry;
mod index;
mod metric_index;
mod sampler;
mod subgoal_walker;
pub(crate) mod subgoals;

pub use self::agent::{KnnLrtaStar, KnnSettings};
pub use self::builder::SubgoalBuilder;
pub use self::database::KIND;
pub(crate) use self::entry::LOSSLESS;
pub use self::entry::{KNN, KNN_2009};
pub use self::index::{Nearest, Similarity};
pub use self::metric_index::NotAMetric;
pub use self::subgoals::{
    Cursor, Pairs, Record, RecordForm, SubgoalConfig, SubgoalDatabase, SubgoalFileInfo, SubgoalRepair,
    SubgoalRepairer,
};
