//! What was built, tried: the package in node, the page in a browser.

use std::path::Path;

/// Tries what is in `dist`.
///
/// # Errors
/// What did not work, in words.
pub(crate) fn run(dist: &Path) -> Result<(), String> {
    let root = dist.ancestors().nth(2).ok_or("web/dist is not where it should be")?;
    println!("nothing tried yet of {}", root.display());
    Ok(())
}
