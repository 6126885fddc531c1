//! What ends the program early. Whatever it is, a person reads one line about it.

use std::io;
use std::path::{Path, PathBuf};

use surefoot::formats::FileError;
use surefoot::space::{QueryError, SpaceError};
use surefoot_lab::io_problem;

/// A reason to stop.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The arguments make no sense together, which the parser alone could not see.
    #[error("{message}; see 'surefoot {command} --help'")]
    Usage { message: String, command: &'static str },
    /// A map or problem file that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A start or goal that is none.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A map that cannot be made.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A file that cannot be written.
    #[error("cannot write {}: {problem}", path.display())]
    Write { path: PathBuf, problem: String },
    /// Whoever read our standard output has had enough, as in `surefoot list | head -1`. No mistake of
    /// anyone's.
    #[error("standard output was closed")]
    ClosedPipe,
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// Arguments of `surefoot command` that make no sense together.
    pub(crate) fn usage(command: &'static str, message: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), command }
    }

    /// Anything that says in words what went wrong.
    #[expect(clippy::needless_pass_by_value, reason = "that is how map_err calls it")]
    pub(crate) fn other(problem: impl ToString) -> Self {
        Self::Other(problem.to_string())
    }

    /// A failure to write `path`.
    pub(crate) fn write(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        let mut problem = io_problem(error);
        if error.kind() == io::ErrorKind::FileTooLarge {
            problem += "; the disk, or the limit of 'ulimit -f', allows no more";
        }
        Self::Write { path: path.to_path_buf(), problem }
    }

    /// What the shell sees: 2 if the program was called wrongly, 1 if something else went wrong.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            Self::ClosedPipe => 0,
            _ => 1,
        }
    }

    /// The line to print. `None` if there is no one to tell.
    pub(crate) fn line(&self) -> Option<String> {
        (!matches!(self, Self::ClosedPipe)).then(|| single_line(&self.to_string()))
    }
}

/// `text` with everything escaped that could break the line: file names may hold line ends.
pub(crate) fn single_line(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_on_one_line() {
        let failure = Failure::other("cannot read a\nb\u{1b}[31m");
        assert_eq!(failure.line().unwrap(), "cannot read a\\nb\\u{1b}[31m");
        assert_eq!(failure.exit_code(), 1);
    }

    #[test]
    fn a_closed_pipe_is_nobodys_mistake() {
        let failure = Failure::write(Path::new("-"), &io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((failure.line(), failure.exit_code()), (None, 0));
    }

    #[test]
    fn system_messages_lose_their_numbers() {
        let failure = Failure::write(Path::new("x/y"), &io::Error::from_raw_os_error(2));
        assert_eq!(failure.line().unwrap(), "cannot write x/y: No such file or directory");
    }
}
