//! The built package, tried in node.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// Runs all tests in `web/tests` of the workspace at `root`. Where there is no node, it says so.
///
/// # Errors
/// If tests fail, or there are none.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let folder = root.join("web/tests");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut tests: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    if tests.is_empty() {
        return Err(format!("{} has no tests", folder.display()));
    }
    tests.sort();
    match Command::new("node").arg("--test").args(&tests).current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the package's tests failed in node ({status})")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("skipped: no node");
            Ok(())
        }
        Err(error) => Err(format!("node could not be started: {error}")),
    }
}
