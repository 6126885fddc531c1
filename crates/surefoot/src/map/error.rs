//! What can go wrong when a map is made or edited.

#[cfg(feature = "std")]
use crate::formats::FileError;
use crate::formats::FormatError;
use crate::space::{LinkError, QueryError, SpaceError};

/// A map that cannot be made, or an edit that it refuses. What was there before is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A file that cannot be read, or is no map. The message names the file and the place in it.
    #[cfg(feature = "std")]
    #[error(transparent)]
    File(#[from] FileError),
    /// Bytes or text that are no map. The message names the place.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A size or weights that no map can have.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A link that no map can have.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// An edit of a cell outside the map.
    #[error(transparent)]
    Cell(#[from] QueryError),
}
