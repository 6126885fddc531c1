//! Files that are written whole or not at all.

use alloc::format;
use core::sync::atomic::{AtomicU64, Ordering};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{OpenFile, faults, remove, rename};

/// Writes a file, whole or not at all.
///
/// # Errors
/// If that fails. Then the file is what it was before.
pub fn write(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file in the making. If it is dropped before it is [finished](Self::finish), nothing is left of it.
///
/// Meanwhile it lies in the same folder as `.NAME.PROCESS.NUMBER.part`. Only a program that is killed leaves
/// that behind; nobody reads it, and it can be deleted. Links stay links: what they lead to is written. It
/// can be used by whoever could use the file that it takes the place of.
#[derive(Debug)]
pub struct NewFile {
    file: OpenFile,
    temporary: PathBuf,
    name: PathBuf,
    is_named: bool,
}

impl NewFile {
    /// Begins a file that is to have this path.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let name = behind_links(path.as_ref())?;
        let there = fs::metadata(&name).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names something that is no file"));
        }
        let (file, temporary) = beside(&name, |temporary| OpenFile::create_new(temporary))?;
        let new = Self { file, temporary, name, is_named: false };
        if let Some(there) = there {
            keep_access(new.file.as_file(), &there)?;
        }
        Ok(new)
    }

    /// Begins a file with one that is open and has no name yet. `link` gives it one.
    ///
    /// # Errors
    /// If it cannot be given one.
    pub fn adopt(
        path: impl AsRef<Path>,
        file: OpenFile,
        mut link: impl FnMut(&OpenFile, &Path) -> io::Result<()>,
    ) -> io::Result<Self> {
        let name = path.as_ref().to_path_buf();
        let ((), temporary) = beside(&name, |temporary| link(&file, temporary))?;
        Ok(Self { file, temporary, name, is_named: false })
    }

    /// What it is called until it is finished.
    #[must_use]
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The file as it is so far.
    #[must_use]
    pub fn file(&self) -> &OpenFile {
        &self.file
    }

    /// Gives the file its name, once its bytes are on the disk.
    ///
    /// # Errors
    /// If that fails. Then what had the name has it still.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync()?;
        let folder = folder_of(&self.name).to_path_buf();
        self.give_name()?;
        // The name is on the disk when its folder is. Not all systems can see to that.
        let _ = File::open(folder).and_then(|folder| faults::sync(&folder));
        Ok(())
    }

    /// Gives the file its name at once. A power cut may leave an empty file of that name.
    ///
    /// # Errors
    /// If that fails. Then what had the name has it still.
    pub fn give_name(mut self) -> io::Result<()> {
        rename(&self.temporary, &self.name)?;
        self.is_named = true;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_named {
            // If that fails nothing more can be done.
            let _ = remove(&self.temporary);
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes something under a name in the same folder that nobody else has.
fn beside<T>(path: &Path, mut make: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name();
    let name = name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}.{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let temporary = path.with_file_name(temporary);
        match make(&temporary) {
            // It was left behind by a program that had the same number once.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((made?, temporary)),
        }
    }
}

/// The most links that lead from one to the next.
const MOST_LINKS: usize = 40;

/// The path that is written if `path` is: what links lead to, even if nothing is there yet.
///
/// # Errors
/// If a link cannot be read, or links lead in a circle.
pub fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if !path.is_symlink() {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// Gives a file the mode of another one, and its owner and group as far as that is allowed.
///
/// # Errors
/// If the mode cannot be set.
#[cfg(unix)]
pub fn keep_access(file: &File, other: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    // The owner is kept if that is allowed, and so is the group.
    let _ = fchown(file, None, Some(other.gid()));
    let _ = fchown(file, Some(other.uid()), None);
    file.set_permissions(other.permissions())
}

/// Gives a file the mode of another one where there are modes: here there are none.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn keep_access(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
