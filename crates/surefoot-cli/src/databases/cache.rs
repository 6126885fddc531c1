//! A folder of databases. What is in it is used only if it is what would be built: else it is built anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use surefoot::files;
use surefoot::space::GridSpace;
use surefoot::store::{BuiltFor, Database, DatabaseConfig};
use surefoot_lab::runs::database_file_name;

use super::file::open;
use crate::failure::Failure;
use crate::output::{Output, tell};

/// The place of one database in the cache.
pub(super) struct Slot<'a> {
    path: PathBuf,
    config: &'a dyn DatabaseConfig,
}

impl<'a> Slot<'a> {
    /// The place of what is built from `config` for `space`. The folder is made if need be.
    pub(super) fn new(
        folder: &Path,
        space: &GridSpace,
        config: &'a dyn DatabaseConfig,
    ) -> Result<Self, Failure> {
        files::make_folder(folder).map_err(|error| Failure::write(folder, &error))?;
        Ok(Self { path: folder.join(database_file_name(&BuiltFor::of(space), config)), config })
    }

    /// What is there. `None` if it is not what it should be.
    pub(super) fn read(&self, space: &GridSpace) -> Option<Arc<dyn Database>> {
        if !self.path.exists() {
            return None;
        }
        let problem = match open(&self.path, space) {
            Ok(database) if database.config() == self.config => return Some(database),
            Ok(database) => {
                format!("{}: this is {}, not {}", self.path.display(), database.config(), self.config)
            }
            Err(failure) => failure.to_string(),
        };
        tell(&format!("{problem}; it is replaced"));
        None
    }

    /// A new file for this place.
    pub(super) fn create(&self) -> Result<Output, Failure> {
        Output::create(&self.path)
    }
}
