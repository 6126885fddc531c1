//! Decision trees in files.

use std::path::Path;
use std::sync::Arc;

use surefoot_classics::depth::DepthTree;

use crate::failure::Failure;

/// Reads a tree; a mistake in it is told with its line and column.
pub(crate) fn read(path: &Path) -> Result<Arc<DepthTree>, Failure> {
    let name = path.display();
    let bytes =
        std::fs::read(path).map_err(|error| Failure::Other(format!("cannot read {name}: {error}")))?;
    let tree = DepthTree::parse(&bytes).map_err(|error| {
        let (expected, found) = (error.expected(), error.found());
        Failure::Other(format!("{name}{}: expected {expected}, found {found}", error.place()))
    })?;
    Ok(Arc::new(tree))
}
