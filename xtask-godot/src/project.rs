//! The demo project with the extension in it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Places, cargo};

/// The extension's own file in the project.
pub(crate) const EXTENSION: &str = "addons/surefoot/surefoot.gdextension";

/// Builds the extension and assembles the project. Where it is. What is only to be checked need not be fast.
pub(crate) fn make(places: &Places, is_fast: bool) -> Result<PathBuf, String> {
    cargo(places, if is_fast { &["build", "--release"] } else { &["build"] })?;
    let (profile, name) = if is_fast { ("release", "project") } else { ("debug", "checked") };
    let project = places.made.join(name);
    remove(&project)?;
    copy_folder(&places.package.join("demo"), &project)?;
    let binaries = project.join("addons/surefoot/bin");
    make_folder(&binaries)?;
    let library = format!("{}surefoot_godot{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    copy(&places.target.join(profile).join(&library), &binaries.join(&library))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&places.package.join(licence), &project.join("addons/surefoot").join(licence))?;
    }
    // The editor writes this when it sees an extension; without it a headless run loads none.
    make_folder(&project.join(".godot"))?;
    let list = project.join(".godot/extension_list.cfg");
    fs::write(&list, format!("res://{EXTENSION}\n"))
        .map_err(|error| format!("{}: {error}", list.display()))?;
    Ok(project)
}

/// Removes a folder, if there is one.
pub(crate) fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to)?;
    for entry in fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))? {
        let entry = entry.map_err(|error| format!("{}: {error}", from.display()))?;
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy_folder(&path, &copied)? } else { copy(&path, &copied)? }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
