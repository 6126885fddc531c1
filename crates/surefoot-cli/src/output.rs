//! What the program writes: results to standard output, messages to standard error, files whole or not at
//! all.
//!
//! A file takes shape without a name, or under another one in the same folder, and gets its own name when it
//! is finished. If anything goes wrong on the way, or somebody presses Ctrl-C, it vanishes, and a file of
//! that name from an earlier run is still there. It keeps that file's mode, and links stay links. Devices and
//! pipes are written directly.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use surefoot::files::{OpenFile, behind_links};

use crate::failure::Failure;
use crate::part_file::PartFile;

/// Writes results to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::write(Path::new("standard output"), &error))
}

/// Writes a value as indented JSON to standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::other)?;
    print(&format!("{text}\n"))
}

/// Writes a value as one line of JSON to standard output.
pub(crate) fn print_json_line(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(Failure::other)?;
    print(&format!("{text}\n"))
}

/// Writes a message to standard error. If nobody can read it, it is lost, and nothing else is.
pub(crate) fn tell(message: &str) {
    let _ = writeln!(io::stderr(), "{}", crate::failure::single_line(message));
}

/// A file in the making, or standard output for the path `-`.
pub(crate) struct Output {
    path: PathBuf,
    target: Target,
    /// Whether whoever reads it has gone. Writers on top of this one may hide the reason of an error.
    reader_left: bool,
}

enum Target {
    Stdout(BufWriter<io::Stdout>),
    /// A file that gets its name when it is finished.
    File(BufWriter<PartFile>),
    /// A device or a named pipe: there is nothing to rename.
    Device(BufWriter<OpenFile>),
}

impl Output {
    /// Opens `path` for writing. What is wrong with it shows here, before hours of work are spent on its
    /// contents.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let fail = |error: &io::Error| Failure::write(path, error);
        if is_stdout(path) {
            let target = Target::Stdout(BufWriter::new(io::stdout()));
            return Ok(Self { path: path.to_path_buf(), target, reader_left: false });
        }
        let ends_like_a_folder = path.as_os_str().as_encoded_bytes().last() == Some(&b'/');
        if path.is_dir() || ends_like_a_folder || path.file_name().is_none() {
            return Err(fail(&io::Error::other("it names a folder, not a file")));
        }
        // A link stays a link: what it points to is written, whether it is there yet or not.
        let own_name = behind_links(path).map_err(|error| fail(&error))?;
        let there = fs::metadata(&own_name).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            let device = OpenFile::with(fs::OpenOptions::new().write(true), &own_name);
            let device = device.map_err(|error| fail(&error))?;
            return Ok(Self {
                path: path.to_path_buf(),
                target: Target::Device(BufWriter::new(device)),
                reader_left: false,
            });
        }
        let folder = match own_name.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(fail(&io::Error::other(format!("there is no folder {}", folder.display()))));
        }
        // Errors may have the name of the file in the making in them, which is not the one that the user
        // knows.
        let part = PartFile::create(&own_name, there.as_ref())
            .map_err(|error| fail(&io::Error::from(error.kind())))?;
        Ok(Self { path: path.to_path_buf(), target: Target::File(BufWriter::new(part)), reader_left: false })
    }

    /// Whether this is a file that gets its name at the end, and no pipe or device.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.target, Target::File(..))
    }

    /// Gives the finished file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.finish_as(false)
    }

    fn finish_as(self, durable: bool) -> Result<(), Failure> {
        let Self { path, target, .. } = self;
        let done = match target {
            Target::Stdout(mut stdout) => stdout.flush(),
            Target::Device(mut device) => device.flush(),
            Target::File(buffer) => buffer
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|part| part.finish(durable)),
        };
        done.map_err(|error| Failure::write(&path, &error))
    }

    /// Writes `bytes` and gives the file its name.
    pub(crate) fn finish_with(mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes).map_err(|error| Failure::write(&self.path, &error))?;
        self.finish()
    }

    /// The same, once the bytes are on the disk: what took hours is to outlive a power cut.
    pub(crate) fn finish_durably_with(mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes).map_err(|error| Failure::write(&self.path, &error))?;
        self.finish_durably()
    }

    /// Gives the finished file its name, once its bytes are on the disk.
    pub(crate) fn finish_durably(self) -> Result<(), Failure> {
        self.finish_as(true)
    }

    /// `result`, unless it is an error whose true reason is that nobody reads any more.
    pub(crate) fn unless_reader_left<T>(&self, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| if self.reader_left { Failure::ClosedPipe } else { failure })
    }

    fn notice<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        self.reader_left |= result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        result
    }

    /// The path, as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Target {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::File(file) => file,
            Self::Device(device) => device,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.target.writer().write(bytes);
        self.notice(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.target.writer().flush();
        self.notice(result)
    }
}

/// Refuses to write over a file that is read: rows in the place of their problems, a picture in that of its
/// map.
pub(crate) fn refuse_inputs(out: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let Ok(own_name) = fs::canonicalize(out) else { return Ok(()) };
    let is_out =
        |input: &&Path| own_name.is_file() && fs::canonicalize(input).is_ok_and(|name| name == own_name);
    match inputs.iter().any(is_out) {
        true => {
            Err(Failure::write(out, &io::Error::other("it is also the file to read; choose another name")))
        }
        false => Ok(()),
    }
}

/// Whether `path` stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_finished_file_is_the_only_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        Output::create(&path).unwrap().finish_with(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn an_unfinished_file_vanishes_and_the_old_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"half").unwrap();
        output.flush().unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn folders_and_missing_folders_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| match Output::create(path) {
            Ok(_) => panic!("{} was accepted", path.display()),
            Err(failure) => failure.to_string(),
        };
        assert!(message(folder.path()).ends_with("it names a folder, not a file"));
        assert!(message(Path::new("nowhere/")).contains("folder"));
        let missing = folder.path().join("nowhere/a.csv");
        assert!(message(&missing).starts_with(&format!("cannot write {}: ", missing.display())));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        Output::create(&link).unwrap().finish_with(b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(link.is_symlink());
        Output::create(Path::new("/dev/null")).unwrap().finish_with(b"gone").unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_to_nothing_yet_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link, first) =
            (folder.path().join("target"), folder.path().join("link"), folder.path().join("first"));
        std::os::unix::fs::symlink("target", &link).unwrap();
        std::os::unix::fs::symlink(&link, &first).unwrap();
        Output::create(&first).unwrap().finish_with(b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(link.is_symlink() && first.is_symlink() && !target.is_symlink());
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        let message = Output::create(&round).err().unwrap().to_string();
        assert!(message.ends_with("too many links lead from one to the next"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        for mode in [0o600, 0o640, 0o666, 0o755] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            Output::create(&path).unwrap().finish_with(b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode, "{mode:o}");
        }
    }
}
