//! The journal of a build: what is done so far, beside the file that it is to become.
//!
//! It is a part in the library's sense, a head and then one block after the other, each with a checksum of
//! its own. A block that was cut off when the program ended is made again.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use surefoot::files::{self, OpenFile};
use surefoot::store::blocks::Blocks;
use surefoot::store::part::{Part, PartHead, block_to_bytes};
use surefoot_classics::ROSTER;

use super::file::in_file;
use crate::failure::Failure;

/// The journal of a build under way. No two programs have it at once.
pub(crate) struct Journal {
    path: PathBuf,
    file: OpenFile,
}

impl Journal {
    /// The journal of the file `out`, and the blocks that are in it. With `resume` an earlier build goes on,
    /// if there is one; without, there must be none.
    pub(crate) fn open(out: &Path, head: &PartHead, resume: bool) -> Result<(Self, Blocks), Failure> {
        let mut name = out.as_os_str().to_owned();
        name.push(".journal");
        let path = PathBuf::from(name);
        let created = OpenFile::create_new(&path);
        match created {
            Ok(file) => {
                lock(&file, &path)?;
                let mut journal = Self { path, file };
                journal.write(&head.to_bytes())?;
                Ok((journal, Blocks::new()))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let file = OpenFile::with(OpenOptions::new().read(true).write(true), &path);
                let file = file.map_err(|error| Failure::write(&path, &error))?;
                lock(&file, &path)?;
                if !resume {
                    let problem = "here is what an earlier build has done; add --resume to go on with it, or delete this file";
                    return Err(in_file(&path, problem));
                }
                Self { path, file }.resume(head)
            }
            Err(error) => Err(Failure::write(&path, &error)),
        }
    }

    fn resume(mut self, head: &PartHead) -> Result<(Self, Blocks), Failure> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(|error| in_file(&self.path, error))?;
        let begin = head.to_bytes();
        if begin.starts_with(&bytes) {
            // The program was ended before there was a whole head.
            self.cut(0)?;
            self.write(&begin)?;
            return Ok((self, Blocks::new()));
        }
        let advice = "ask for that, or delete this file to begin anew";
        let mut part = Part::from_bytes(&bytes, ROSTER.kinds())
            .map_err(|error| in_file(&self.path, format!("{error}; delete this file to begin anew")))?;
        if part.head != *head {
            let problem = format!("this is of {}, but {head} is asked for: {advice}", part.head);
            return Err(in_file(&self.path, problem));
        }
        self.cut(part.length as u64)?;
        let (shard, count) = (u64::from(head.shard.0), u64::from(head.shard.1));
        part.blocks.retain(|block, _| block % count == shard - 1);
        Ok((self, part.blocks))
    }

    /// Adds a block.
    pub(crate) fn add(&mut self, number: u64, block: &[u8]) -> Result<(), Failure> {
        self.write(&block_to_bytes(number, block))
    }

    /// Removes it: the file is finished.
    pub(crate) fn remove(self) -> Result<(), Failure> {
        drop(self.file);
        files::remove(&self.path).map_err(|error| Failure::write(&self.path, &error))
    }

    /// Its name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| Failure::write(&self.path, &error))
    }

    /// Takes away what follows the first `length` bytes.
    fn cut(&mut self, length: u64) -> Result<(), Failure> {
        self.file.cut(length).map_err(|error| Failure::write(&self.path, &error))
    }
}

/// Makes sure that no other program builds the same. The system lifts the lock when this one ends, however it
/// does.
#[cfg(unix)]
fn lock(file: &OpenFile, path: &Path) -> Result<(), Failure> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    match flock(file.as_file(), FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Err(in_file(
            path,
            "another program is building this right now; wait for it, or choose another name",
        )),
        // Some file systems know no locks.
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn lock(_: &OpenFile, _: &Path) -> Result<(), Failure> {
    Ok(())
}
