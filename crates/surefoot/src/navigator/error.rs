//! What can go wrong with a navigator.

#[cfg(feature = "std")]
use std::io;
#[cfg(feature = "std")]
use std::path::PathBuf;

use crate::map::MapError;
use crate::space::Cell;
use crate::store::DatabaseError;

/// A navigator that cannot be built, opened, saved or edited. What was there before is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavigatorError {
    /// Whoever watches the build put an end to it.
    #[error("the build was cancelled; build the navigator again to get one")]
    Cancelled,
    /// It would be too large, or the bytes are none of this map.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// An edit that the map refuses.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A file that was to be a cache is something else, and was left alone.
    #[cfg(feature = "std")]
    #[error("{}: {error}; it was left as it is: name another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        error: DatabaseError,
    },
    /// The operating system did not let a file be read or written.
    #[cfg(feature = "std")]
    #[error("{}: {error}; check the path, and whether you may use it", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
}

/// A walker cannot get to its goal: no way leads there on its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no way from {from} to {goal}; set another goal, or free a cell")]
#[non_exhaustive]
pub struct NoWay {
    /// Where the walker stands.
    pub from: Cell,
    /// Where it is to go.
    pub goal: Cell,
}
