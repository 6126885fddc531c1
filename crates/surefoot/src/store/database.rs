//! What every kind of database can do, and what is known of a kind.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::ops::ControlFlow;

use super::answers::Answers;
use super::blocks::{BlockBuilder, BlockFormat};
use super::container::{BuiltFor, DatabaseError, SharedBytes};
use super::describe::{Fact, FileInfo};
use super::maintenance::{Maintained, Resumed};
use super::sketch::{Sketch, View, ViewError};
use crate::space::GridSpace;

/// What is computed once per map and shared by all agents.
///
/// A database is handed around as `Arc<dyn Database>`. Its agents take it back as what it is with
/// [`shared_as`].
pub trait Database: Any + fmt::Debug + Send + Sync {
    /// Which kind it is.
    fn kind(&self) -> &'static DatabaseKind;

    /// What it was built for. Of one that was repaired, the map that it was built for first; if its file
    /// [follows](Follows::InFile), the map as it is now.
    fn built_for(&self) -> Cow<'_, BuiltFor>;

    /// Whether it was repaired since. Then it is of another map than [`built_for`](Self::built_for) says,
    /// unless its file [follows](Follows::InFile).
    fn is_repaired(&self) -> bool {
        false
    }

    /// What it was built from.
    fn config(&self) -> &dyn DatabaseConfig;

    /// The bytes of its file.
    fn to_bytes(&self) -> Cow<'_, [u8]>;

    /// The bytes that agents look up in it: the file where that is used in place, else what is unpacked when
    /// it is opened.
    fn memory_bytes(&self) -> usize {
        self.to_bytes().len()
    }

    /// The states in it: the papers' measure of size.
    fn states(&self) -> u64;

    /// How much there is of what the papers count in it: records, pairs of regions, nodes. The states unless
    /// it says otherwise.
    fn entries(&self) -> u64 {
        self.states()
    }

    /// What to build where it is too large. What its configuration says, unless it is smaller than that says.
    fn instead(&self) -> Option<Box<dyn DatabaseConfig>> {
        self.config().instead()
    }

    /// It as what answers questions about ways by itself. `None` if it is only for agents.
    fn answers(self: Arc<Self>) -> Option<Arc<dyn Answers>> {
        None
    }

    /// The same as if it were built for the map as it is now: its file is of that map. It is built anew,
    /// unless its kind knows a faster way.
    ///
    /// # Errors
    /// If there can be no such database of the map as it is now.
    fn renewed(&self, space: &GridSpace) -> Result<Arc<dyn Database>, DatabaseError> {
        self.config().build_quietly(space)
    }

    /// The database with what keeps it right while its map is edited.
    fn maintained(self: Arc<Self>) -> Box<dyn Maintained>;

    /// Checks everything in it on its map. `sample` random questions are drawn with `seed` where all would be
    /// too many. What was found, line by line.
    ///
    /// # Errors
    /// What it does not keep of its promises, in words.
    fn verify(
        &self,
        space: &GridSpace,
        sample: u64,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Vec<Fact>, String>;

    /// What it looks like, or what it says of one way.
    ///
    /// # Errors
    /// If there is no such thing to be seen in it.
    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError>;
}

/// A shared database as the type that it is. `None` if it is of another kind.
#[must_use]
pub fn shared_as<T: Database>(database: &Arc<dyn Database>) -> Option<Arc<T>> {
    let any: Arc<dyn Any + Send + Sync> = Arc::<dyn Database>::clone(database);
    any.downcast().ok()
}

/// What happens to the file of a database when its map is edited.
#[derive(Clone, Copy, Debug)]
pub enum Follows {
    /// Nothing: the database stays what it was. Agents find legal ways all the same.
    No,
    /// The file stays what it was. What was done since is kept beside it: whenever nothing is half done there
    /// is a [checkpoint](Maintained::checkpoint), and this resumes the database from its bytes, for the map
    /// as it was then. Nothing in the bytes is trusted.
    BesideFile(fn(&GridSpace, &[u8]) -> Resumed),
    /// The file is written anew.
    InFile,
}

/// A database that was opened, or why there is none.
pub type Opened = Result<Arc<dyn Database>, DatabaseError>;

/// A kind of database: what its files are called, and how they are read.
///
/// The constant of a kind is the one thing that a [roster](crate::agent::Roster) needs to know of it.
pub struct DatabaseKind {
    /// The name in the files.
    pub name: &'static str,
    /// What happens to it when the map is edited.
    pub follows: Follows,
    /// Opens the file of such a database for a map.
    pub open: fn(&GridSpace, SharedBytes) -> Opened,
    /// Reads what a file says of itself, without its map.
    pub inspect: fn(&[u8]) -> Result<FileInfo, DatabaseError>,
    /// How parts of it are read. `None` if it is built in one go.
    pub blocks: Option<BlockFormat>,
}

impl fmt::Debug for DatabaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DatabaseKind").field(&self.name).finish()
    }
}

/// Kinds are told apart by their names.
impl PartialEq for DatabaseKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Something that happened in a build.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildEvent {
    /// So much of a stage is done.
    Progress {
        /// What is being done. Behind a comma, what came of it so far.
        stage: Cow<'static, str>,
        /// How much of it is done.
        done: u64,
        /// How much there is to do.
        all: u64,
    },
    /// Something worth telling in a line.
    Note(String),
}

impl fmt::Display for BuildEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Progress { stage, all: 0 | 1, .. } => f.write_str(stage),
            Self::Progress { stage, done, all } => write!(f, "{stage}: {done} of {all}"),
            Self::Note(note) => f.write_str(note),
        }
    }
}

impl BuildEvent {
    /// So much of a stage is done.
    #[must_use]
    pub fn progress(stage: impl Into<Cow<'static, str>>, done: u64, all: u64) -> Self {
        Self::Progress { stage: stage.into(), done, all }
    }
}

/// Who watches a build. [`ControlFlow::Break`] cancels it.
pub type Watch<'a> = &'a mut dyn FnMut(BuildEvent) -> ControlFlow<()>;

/// What a database is built from, beside its map. The same configuration gives the same bytes.
pub trait DatabaseConfig: Any + fmt::Debug + fmt::Display + Send + Sync + ConfigObject {
    /// Which kind of database it is for.
    fn kind(&self) -> &'static DatabaseKind;

    /// Builds the database of a map, on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// If there can be no such database, or it would be too large, or the build was cancelled.
    fn build(&self, space: &GridSpace, watch: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError>;

    /// A database that is not built yet: [`Maintained::upkeep`] builds it, piece by piece, while the map may
    /// be edited. `None` if it is built in one go.
    ///
    /// # Errors
    /// If there can be no such database.
    fn begin(&self, space: &GridSpace) -> Result<Option<Arc<dyn Database>>, DatabaseError> {
        let _ = space;
        Ok(None)
    }

    /// Which of the many databases it is, where that is drawn at random.
    fn seed(&self) -> u64 {
        0
    }

    /// What makes it block by block. `None` if it is built in one go.
    ///
    /// # Errors
    /// If there can be no such database.
    fn blocks<'w>(&self, space: &'w GridSpace) -> Result<Option<Box<dyn BlockBuilder + 'w>>, DatabaseError> {
        let _ = space;
        Ok(None)
    }

    /// What a database with one in `parts` of the entries is built from: what that takes foretells what the
    /// whole takes. `None` if there is none so small, or its size follows from the map alone.
    fn smaller(&self, parts: u64) -> Option<Box<dyn DatabaseConfig>> {
        let _ = parts;
        None
    }

    /// What to build where what is built from this is too large: it serves the same agents. `None` if there
    /// is none.
    fn instead(&self) -> Option<Box<dyn DatabaseConfig>> {
        None
    }

    /// With which power of the states of the map it grows at least: 2 for tables of pairs.
    fn least_power(&self) -> u32 {
        1
    }
}

/// What every configuration can do that can be copied and compared. It comes by itself.
pub trait ConfigObject {
    /// A copy.
    fn clone_box(&self) -> Box<dyn DatabaseConfig>;

    /// Whether both are the same.
    fn is_equal(&self, other: &dyn DatabaseConfig) -> bool;
}

impl<T: DatabaseConfig + Clone + PartialEq> ConfigObject for T {
    fn clone_box(&self) -> Box<dyn DatabaseConfig> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn DatabaseConfig) -> bool {
        (other as &dyn Any).downcast_ref::<T>() == Some(self)
    }
}

impl dyn DatabaseConfig {
    /// It as the type that it is. `None` if it is another.
    #[must_use]
    pub fn downcast_ref<T: DatabaseConfig>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// Builds the database of a map, without anybody to watch.
    ///
    /// # Errors
    /// If there can be no such database, or it would be too large.
    pub fn build_quietly(&self, space: &GridSpace) -> Result<Arc<dyn Database>, DatabaseError> {
        self.build(space, &mut |_| ControlFlow::Continue(()))
    }
}

impl PartialEq for dyn DatabaseConfig {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other)
    }
}

impl Eq for dyn DatabaseConfig {}

impl Clone for Box<dyn DatabaseConfig> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

impl dyn Database {
    /// It as the type that it is. `None` if it is another.
    #[must_use]
    pub fn downcast_ref<T: Database>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// What its file says of itself.
    ///
    /// # Errors
    /// If the bytes are none of its kind, which they are.
    pub fn describe(&self) -> Result<FileInfo, DatabaseError> {
        (self.kind().inspect)(&self.to_bytes())
    }
}
