//! A file in the making: no way for the program to end, failed allocations and kills included, leaves a piece
//! of it behind.
//!
//! Where the system can make files without names (Linux, on most file systems), it has none until it is
//! finished. Elsewhere it has one that nobody asked for, and Ctrl-C removes it. A kill in the instant in
//! which it gets its name may leave it whole under another one.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use surefoot::files::{NewFile, OpenFile, keep_access};

use crate::interrupt::{self, Unfinished};

/// A file that gets its name when it is finished.
pub(crate) struct PartFile {
    name: PathBuf,
    making: Making,
}

enum Making {
    /// Only this program knows of it.
    #[cfg(target_os = "linux")]
    Nameless(OpenFile),
    /// It has a name of its own until it gets the right one.
    Named(NewFile, Unfinished),
}

impl PartFile {
    /// Begins a file that is to have this name, which is no link. It may be used by those who may use the
    /// file that it is to replace, if there is one.
    pub(crate) fn create(name: &Path, replaced: Option<&Metadata>) -> io::Result<Self> {
        // Whether it has a name or not, the program ends in the same way.
        interrupt::listen();
        let making = Making::nameless(name).map_or_else(|| Making::named(name), Ok)?;
        #[cfg(target_os = "linux")]
        if let (Making::Nameless(file), Some(replaced)) = (&making, replaced) {
            keep_access(file.as_file(), replaced)?;
        }
        Ok(Self { name: name.to_path_buf(), making })
    }

    /// Gives it its name, and takes the place of what has it. What took hours is `durable`: it is to outlive
    /// a power cut.
    pub(crate) fn finish(self, durable: bool) -> io::Result<()> {
        let (file, _unfinished) = match self.making {
            // A name that is taken can only be given by renaming, so that it needs another one for a moment.
            #[cfg(target_os = "linux")]
            Making::Nameless(file) => Unfinished::create(|| NewFile::adopt(&self.name, file, link))?,
            Making::Named(file, unfinished) => (file, unfinished),
        };
        if durable { file.finish() } else { file.give_name() }
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.making {
            #[cfg(target_os = "linux")]
            Making::Nameless(file) => file.write(bytes),
            Making::Named(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.making {
            #[cfg(target_os = "linux")]
            Making::Nameless(file) => file.flush(),
            Making::Named(file, _) => file.flush(),
        }
    }
}

impl Making {
    /// `None` if there are no files without names here.
    #[cfg(target_os = "linux")]
    fn nameless(name: &Path) -> Option<Self> {
        use rustix::fs::{Mode, OFlags};
        use std::os::unix::fs::OpenOptionsExt as _;
        // Without it no name can be given.
        if !Path::new(DESCRIPTORS).is_dir() {
            return None;
        }
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // As any new file; the user's mask still applies.
        let mode = Mode::from_raw_mode(0o666).bits();
        let flags = OFlags::TMPFILE.bits() as i32;
        let mut options = fs::OpenOptions::new();
        OpenFile::with(options.write(true).mode(mode).custom_flags(flags), folder).ok().map(Self::Nameless)
    }

    #[cfg(not(target_os = "linux"))]
    fn nameless(_: &Path) -> Option<Self> {
        None
    }

    fn named(name: &Path) -> io::Result<Self> {
        let (file, unfinished) = Unfinished::create(|| NewFile::create(name))?;
        Ok(Self::Named(file, unfinished))
    }
}

/// Where Linux has the open files of a program under names.
#[cfg(target_os = "linux")]
const DESCRIPTORS: &str = "/proc/self/fd";

#[cfg(target_os = "linux")]
fn link(file: &OpenFile, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd as _;
    let own = format!("{DESCRIPTORS}/{}", file.as_file().as_raw_fd());
    Ok(linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_looks_meanwhile_sees_nothing_or_a_part() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        for named in [false, true] {
            let path = folder.path().join("a.csv");
            let mut part = match named {
                false => PartFile::create(&path, None).unwrap(),
                true => PartFile { name: path.clone(), making: Making::named(&path).unwrap() },
            };
            let before = usize::from(path.exists());
            #[cfg(target_os = "linux")]
            if matches!(part.making, Making::Nameless(_)) {
                assert_eq!(names(), before);
            }
            part.write_all(b"new").unwrap();
            part.finish(named).unwrap();
            assert_eq!((fs::read(&path).unwrap(), names()), (b"new".to_vec(), 1), "{named} {before}");
        }
    }
}
