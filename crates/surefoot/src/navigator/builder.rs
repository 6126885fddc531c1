//! How a navigator is built.

use alloc::boxed::Box;
use core::fmt;
use core::ops::ControlFlow;
#[cfg(feature = "std")]
use std::path::Path as FilePath;

#[cfg(feature = "std")]
use super::file;
use super::{Navigator, NavigatorError};
use crate::beacons::BeaconConfig;
use crate::map::Map;
#[cfg(feature = "std")]
use crate::store::codec::CodecError;
use crate::store::{BuildEvent, DatabaseConfig as _, DatabaseError};

/// Hears how far a build is, and may put an end to it.
type Progress<'a> = dyn FnMut(BuildEvent) -> ControlFlow<()> + 'a;

/// Builds a [`Navigator`] with other than the usual settings, or watched by somebody.
///
/// ```
/// use std::ops::ControlFlow;
/// use surefoot::Map;
///
/// let map = Map::from_art("......\n.####.\n......")?;
/// let nav = map
///     .navigator_builder()
///     .with_progress(|progress| {
///         println!("{progress}");
///         ControlFlow::Continue(()) // Break(()) cancels
///     })
///     .build()?;
/// assert!(nav.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NavigatorBuilder<'a> {
    map: &'a Map,
    config: BeaconConfig,
    watch: Box<Progress<'a>>,
}

impl<'a> NavigatorBuilder<'a> {
    pub(super) fn new(map: &'a Map) -> Self {
        Self { map, config: BeaconConfig::default(), watch: Box::new(|_| ControlFlow::Continue(())) }
    }

    /// Builds from other settings.
    #[must_use]
    pub fn with_config(mut self, config: BeaconConfig) -> Self {
        self.config = config;
        self
    }

    /// Hears how far the build is. `Break` cancels it.
    #[must_use]
    pub fn with_progress(mut self, watch: impl FnMut(BuildEvent) -> ControlFlow<()> + 'a) -> Self {
        self.watch = Box::new(watch);
        self
    }

    /// Builds the navigator.
    ///
    /// # Errors
    /// If it would be too large, or the build is cancelled.
    pub fn build(mut self) -> Result<Navigator, NavigatorError> {
        match self.config.build(self.map.space(), &mut *self.watch) {
            Err(DatabaseError::Cancelled) => Err(NavigatorError::Cancelled),
            database => Navigator::of(self.map, database?),
        }
    }

    /// Opens the file at `path`, if it is the navigator of this map and was built from the same settings.
    /// Otherwise builds it, and saves it there. A navigator's file that is damaged, or of another map, is
    /// replaced. A file that is something else is left alone.
    ///
    /// # Errors
    /// If the file is something else, or cannot be read or written, the navigator would be too large, or the
    /// build is cancelled.
    #[cfg(feature = "std")]
    pub fn build_cached(self, path: impl AsRef<FilePath>) -> Result<Navigator, NavigatorError> {
        let path = path.as_ref();
        if let Some(bytes) = file::read_if_there(path)?.filter(|bytes| !bytes.is_empty()) {
            match Navigator::from_bytes(self.map, &bytes) {
                Ok(navigator) if navigator.is_built_from(self.config) => return Ok(navigator),
                Err(NavigatorError::Database(error)) if !may_be_replaced(&error) => {
                    return Err(NavigatorError::Foreign { path: path.to_path_buf(), error });
                }
                _ => {}
            }
        }
        file::check_folder(path)?;
        let navigator = self.build()?;
        navigator.save(path)?;
        Ok(navigator)
    }
}

/// Whether a file of which this is said was a navigator's once: one that is damaged, older, or of another
/// map. What is something else is somebody's.
#[cfg(feature = "std")]
fn may_be_replaced(error: &DatabaseError) -> bool {
    match error {
        DatabaseError::Codec(CodecError::OtherVersion { found, newest, .. }) => found <= newest,
        DatabaseError::Codec(CodecError::OtherKind { .. })
        | DatabaseError::UnknownKind { .. }
        | DatabaseError::IsPart => false,
        _ => true,
    }
}

impl fmt::Debug for NavigatorBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NavigatorBuilder").field("map", self.map).field("config", &self.config).finish()
    }
}

impl Map {
    /// Builds a navigator for this map. That takes some milliseconds on small maps and seconds on large ones,
    /// on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn navigator(&self) -> Result<Navigator, NavigatorError> {
        self.navigator_builder().build()
    }

    /// Opens the navigator of this map from a file. If there is none, or it is damaged or of another map,
    /// builds it and saves it there.
    ///
    /// # Errors
    /// If the file cannot be read or written, or the navigator would be too large.
    #[cfg(feature = "std")]
    pub fn navigator_cached(&self, path: impl AsRef<FilePath>) -> Result<Navigator, NavigatorError> {
        self.navigator_builder().build_cached(path)
    }

    /// Builds a navigator with other than the usual settings, or watched by somebody.
    #[must_use]
    pub fn navigator_builder(&self) -> NavigatorBuilder<'_> {
        NavigatorBuilder::new(self)
    }
}
