//! What can go wrong when a crowd is asked for something.

use alloc::string::String;

use super::{KindId, LinkId, UnitId};
use crate::agent::{Spec, SpecError};
use crate::space::{Cell, LinkError, QueryError, SpaceError};
use crate::store::codec::CodecError;
use crate::store::container::DatabaseError;

/// Something that a crowd refuses. It is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A unit that was removed, or never was.
    #[error("there is no unit {0}: it was removed, or belongs to another crowd")]
    NoUnit(UnitId),
    /// A kind that was never added.
    #[error("there is no kind {0}; add it to this crowd first")]
    NoKind(KindId),
    /// A start or goal that is none.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// An algorithm that does not exist, or does not go with its database.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Weights that do not fit the map.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A database that cannot be built or opened, or not be brought up to date.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A database of another map.
    #[error("this kind walks in {expected}, but the database was built for {found}; build one for this kind")]
    OtherDatabase {
        /// What the kind sees of the map.
        expected: String,
        /// What the database was built for.
        found: String,
    },
    /// A database that was repaired: crowds begin with what is in a file.
    #[error("this database was repaired after edits; give the crowd Database::renewed of it")]
    RepairedDatabase,
    /// A database that nobody would go by.
    #[error("{algorithm} needs {needs}; leave this database out")]
    UselessDatabase {
        /// Whom it was given to.
        algorithm: String,
        /// What that needs.
        needs: &'static str,
    },
    /// A kind whose database is there already.
    #[error("kind {0} has its database already; Crowd::build_of and give_database replace it by another")]
    Built(KindId),
    /// A database that cannot be built in frames.
    #[error(
        "what {algorithm} needs here is built in one go: build it on a thread, by Crowd::build_of, and give \
         it to the crowd by Crowd::give_database"
    )]
    NotInFrames {
        /// Whose database it is.
        algorithm: String,
    },
    /// More kinds than can be told apart.
    #[error("a crowd has at most {} kinds of units", super::kind::MOST_KINDS)]
    TooManyKinds,
    /// More units than can be told apart.
    #[error("a crowd has at most {} units", super::MOST_UNITS)]
    TooManyUnits,
    /// A unit without any size.
    #[error("a unit has a size of 1 to {most} cells, not {0}", most = super::kind::MOST_SIZE)]
    Size(u32),
    /// A speed that no unit can have.
    #[error("a unit covers at least a 65,536th part of a cell in a frame, and at most {most} here")]
    Speed {
        /// The most cells that one covers in a frame.
        most: u32,
    },
    /// A cell that another unit stands on.
    #[error("cell {0} is taken by another unit, and this crowd lets no two stand on one cell")]
    Taken(Cell),
    /// A unit that is to pursue itself.
    #[error("unit {0} cannot pursue itself")]
    PursuesItself(UnitId),
    /// A link that no map can have, or one too many.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A link that was removed, or never was.
    #[error("this kind has no link {0}: it was removed, or is another kind's")]
    NoLink(LinkId),
    /// A kind that cannot have links.
    #[error(
        "units that go by {0} take no links: its database cannot tell what ways cost; use beacon* or transit*"
    )]
    NoLinks(Spec),
    /// Links for a kind that is not built yet.
    #[error("a kind takes links once it is built; add them when FrameReport::built tells of it")]
    NotBuilt,
    /// Bytes that are no saved crowd.
    #[error(transparent)]
    Codec(#[from] CodecError),
}
