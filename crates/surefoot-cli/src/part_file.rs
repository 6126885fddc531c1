//! A file in the making: no way for the program to end, failed allocations and kills included, leaves a piece
//! of it behind.
//!
//! Where the system can make files without names (Linux, on most file systems), it has none until it is
//! finished. Elsewhere it has one that nobody asked for, and Ctrl-C removes it. A kill in the instant in
//! which it gets its name may leave it whole under another one.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::interrupt::{self, Unfinished};

/// A file that gets its name when it is finished.
pub(crate) struct PartFile {
    folder: PathBuf,
    making: Making,
}

enum Making {
    /// Only this program knows of it.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// It has a name of its own until it gets the right one.
    Named(NamedTempFile, Unfinished),
}

impl PartFile {
    /// Makes a file in a folder. It may be used by those who may use the file that it is to replace, if there
    /// is one.
    pub(crate) fn create(folder: &Path, replaced: Option<&Metadata>) -> io::Result<Self> {
        // Whether it has a name or not, the program ends in the same way.
        interrupt::listen();
        let making = Making::nameless(folder).map_or_else(|| Making::named(folder), Ok)?;
        let part = Self { folder: folder.to_path_buf(), making };
        if let Some(replaced) = replaced {
            keep_access(part.file(), replaced)?;
        }
        Ok(part)
    }

    /// The folder that it is in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file, to write to.
    pub(crate) fn file(&self) -> &File {
        match &self.making {
            #[cfg(target_os = "linux")]
            Making::Nameless(file) => file,
            Making::Named(file, _) => file.as_file(),
        }
    }

    /// Gives it its name, and takes the place of what has it.
    pub(crate) fn finish(self, name: &Path) -> io::Result<()> {
        match self.making {
            // A name that is taken can only be given by renaming, so that it needs another one for a moment.
            #[cfg(target_os = "linux")]
            Making::Nameless(file) => {
                let link = || builder().make_in(&self.folder, |path| link(&file, path));
                let (named, _unfinished) = Unfinished::create(link)?;
                named.persist(name).map_err(|error| error.error)
            }
            Making::Named(file, _unfinished) => file.persist(name).map(drop).map_err(|error| error.error),
        }
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Making {
    /// `None` if there are no files without names here.
    #[cfg(target_os = "linux")]
    fn nameless(folder: &Path) -> Option<Self> {
        use rustix::fs::{Mode, OFlags, open};
        // As any new file; the user's mask still applies.
        let mode = Mode::from_raw_mode(0o666);
        let file = open(folder, OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC, mode).ok()?;
        // Without it no name can be given.
        Path::new(DESCRIPTORS).is_dir().then(|| Self::Nameless(file.into()))
    }

    #[cfg(not(target_os = "linux"))]
    fn nameless(_: &Path) -> Option<Self> {
        None
    }

    fn named(folder: &Path) -> io::Result<Self> {
        let (file, unfinished) = Unfinished::create(|| builder().tempfile_in(folder))?;
        Ok(Self::Named(file, unfinished))
    }
}

/// Where Linux has the open files of a program under names.
#[cfg(target_os = "linux")]
const DESCRIPTORS: &str = "/proc/self/fd";

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd as _;
    let own = format!("{DESCRIPTORS}/{}", file.as_raw_fd());
    Ok(linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".surefoot-").suffix(".part");
    #[cfg(unix)]
    {
        // As any new file, not as a secret one.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Gives a file the mode of another one, and its owner and group as far as that is allowed.
#[cfg(unix)]
fn keep_access(file: &File, other: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    // The owner is kept if that is allowed, and so is the group.
    let _ = fchown(file, None, Some(other.gid()));
    let _ = fchown(file, Some(other.uid()), None);
    file.set_permissions(other.permissions())
}

#[cfg(not(unix))]
fn keep_access(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_looks_meanwhile_sees_nothing_or_a_part() {
        let folder = tempfile::tempdir().unwrap();
        let names = || std::fs::read_dir(folder.path()).unwrap().count();
        for named in [false, true] {
            let path = folder.path().join("a.csv");
            let part = match named {
                false => PartFile::create(folder.path(), None).unwrap(),
                true => {
                    PartFile { folder: folder.path().into(), making: Making::named(folder.path()).unwrap() }
                }
            };
            let before = usize::from(path.exists());
            #[cfg(target_os = "linux")]
            if matches!(part.making, Making::Nameless(_)) {
                assert_eq!(names(), before);
            }
            part.file().write_all(b"new").unwrap();
            part.finish(&path).unwrap();
            assert_eq!((std::fs::read(&path).unwrap(), names()), (b"new".to_vec(), 1), "{named} {before}");
        }
    }
}
