//! An open file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Operation, faults};

/// An open file. It is the standard library's, but that reading goes on after signals, and that tests can
/// make it fail.
#[derive(Debug)]
pub struct OpenFile(File);

impl OpenFile {
    /// Opens a file to read it.
    ///
    /// # Errors
    /// If there is none, or the system refuses it.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::with(OpenOptions::new().read(true), path)
    }

    /// Makes a file, to write it and read it again.
    ///
    /// # Errors
    /// If there is one already, or the system refuses it.
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        faults::allow(Operation::Create, Some(path.as_ref()), 0)?;
        OpenOptions::new().read(true).write(true).create_new(true).open(path).map(Self)
    }

    /// Opens a file as these options say.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn with(options: &OpenOptions, path: impl AsRef<Path>) -> io::Result<Self> {
        faults::allow(Operation::Open, Some(path.as_ref()), 0)?;
        options.open(path).map(Self)
    }

    /// What the standard library knows of it.
    #[must_use]
    pub fn as_file(&self) -> &File {
        &self.0
    }

    /// Returns when all bytes are on the disk.
    ///
    /// # Errors
    /// If they do not get there.
    pub fn sync(&self) -> io::Result<()> {
        faults::allow(Operation::Sync, None, 0)?;
        faults::sync(&self.0)
    }

    /// Takes away what follows the first `length` bytes, and goes on to write there.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        faults::allow(Operation::Cut, None, 0)?;
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length)).map(drop)
    }
}

/// A file that was opened in another way.
impl From<File> for OpenFile {
    fn from(file: File) -> Self {
        Self(file)
    }
}

impl Read for OpenFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut read = || {
            let most = faults::allow(Operation::Read, None, bytes.len())?;
            self.0.read(&mut bytes[..most])
        };
        // A signal came in between. Not everyone who reads by a buffer tries again.
        loop {
            match read() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl Write for OpenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let most = faults::allow(Operation::Write, None, bytes.len())?;
        self.0.write(&bytes[..most])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for OpenFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
