//! The sides of a game: the same play on one thread, on two, and in node.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rayon::{ThreadPool, ThreadPoolBuilder};
use surefoot_lab::full_play::FullPlay;

/// Frames between one checksum and the next.
const CHECKSUMS: u64 = 20;

/// What a side has played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Minute {
    /// The frame of each checksum, and the checksum.
    pub(super) checksums: Vec<(u64, u64)>,
    /// The game afterwards.
    pub(super) saved: Vec<u8>,
    /// The bytes that units share and that were written down of edits, and the states that all units hold;
    /// of native sides only.
    pub(super) held: Option<(u64, u64)>,
    /// The bytes that the process of the side takes, or its module.
    pub(super) process: Option<u64>,
}

/// Who plays.
pub(super) trait Side: Send {
    /// Its name.
    fn name(&self) -> &str;

    /// Plays so many frames.
    ///
    /// # Errors
    /// If something is not as it should be.
    fn play(&mut self, frames: u64) -> Result<Minute, String>;
}

/// Two sides did the same.
///
/// # Errors
/// The first frame that shows that they did not.
pub(super) fn same_course(this: &Minute, other: &Minute) -> Result<(), String> {
    if this.checksums.len() != other.checksums.len() {
        return Err(format!("{} checksums, and not {}", other.checksums.len(), this.checksums.len()));
    }
    let mut pairs = this.checksums.iter().zip(&other.checksums);
    if let Some(((frame, ours), (_, theirs))) = pairs.find(|(ours, theirs)| ours != theirs) {
        return Err(format!("another course: checksum {theirs:x} after frame {frame}, and not {ours:x}"));
    }
    if this.saved != other.saved {
        let same = this.saved.iter().zip(&other.saved).take_while(|(ours, theirs)| ours == theirs).count();
        return Err(format!("other bytes are saved, from byte {same} on"));
    }
    Ok(())
}

/// A game in this process.
pub(super) struct Native {
    name: String,
    pool: ThreadPool,
    game: FullPlay,
}

impl Native {
    /// A game that was saved, on so many threads.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(name: &str, threads: usize, saved: &[u8]) -> Result<Self, String> {
        let pool =
            ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
        let game = FullPlay::open(saved).map_err(|fault| fault.to_string())?;
        Ok(Self { name: name.to_owned(), pool, game })
    }
}

impl Side for Native {
    fn name(&self) -> &str {
        &self.name
    }

    fn play(&mut self, frames: u64) -> Result<Minute, String> {
        let game = &mut self.game;
        self.pool.install(|| {
            let mut minute = Minute::default();
            let (mut bytes, mut states) = (0, 0);
            for _ in 0..frames {
                game.frame().map_err(|fault| fault.to_string())?;
                if game.frames().is_multiple_of(CHECKSUMS) {
                    minute.checksums.push((game.frames(), game.crowd().checksum()));
                    let memory = game.crowd().memory();
                    bytes = memory.shared_bytes + memory.log_bytes;
                    states = memory.states;
                }
            }
            minute.held = Some((bytes, states));
            minute.saved = game.save();
            minute.process = resident_bytes();
            Ok(minute)
        })
    }
}

/// The bytes that this process has in memory, where the system tells.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// A game in node.
pub(super) struct Node {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    file: PathBuf,
}

impl Node {
    /// A game that was saved, in the module of a folder; `file` is for what goes to and fro.
    ///
    /// # Errors
    /// If node cannot be started, or the game cannot be opened.
    pub(super) fn open(module: &Path, file: PathBuf, saved: &[u8]) -> Result<Self, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests/day.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(module).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("node could not be started: {error}"))?;
        let (orders, answers) = (child.stdin.take(), child.stdout.take());
        let orders = orders.ok_or("node has no standard input")?;
        let answers = BufReader::new(answers.ok_or("node has no standard output")?);
        let mut node = Self { child, orders, answers, file };
        std::fs::write(&node.file, saved).map_err(|error| format!("{}: {error}", node.file.display()))?;
        let answer = node.order(&format!("open {}", node.file.display()))?;
        if answer != ["done"] {
            return Err(format!("node could not open the game: {answer:?}"));
        }
        Ok(node)
    }

    /// The words of the answer to an order.
    fn order(&mut self, order: &str) -> Result<Vec<String>, String> {
        let left = |error: std::io::Error| format!("node has left: {error}");
        writeln!(self.orders, "{order}").and_then(|()| self.orders.flush()).map_err(left)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(left)?;
        match line.trim_end().strip_prefix("fault ") {
            Some(fault) => Err(fault.to_owned()),
            None if line.is_empty() => Err("node has left".to_owned()),
            None => Ok(line.split_whitespace().map(str::to_owned).collect()),
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Side for Node {
    fn name(&self) -> &'static str {
        "wasm"
    }

    fn play(&mut self, frames: u64) -> Result<Minute, String> {
        let words = self.order(&format!("play {frames} {CHECKSUMS} {}", self.file.display()))?;
        let mut words = words.iter();
        let process = words.next().and_then(|word| word.parse().ok());
        let pair = |word: &String| {
            let (frame, checksum) = word.split_once(':')?;
            Some((frame.parse().ok()?, u64::from_str_radix(checksum, 16).ok()?))
        };
        let checksums = words.map(pair).collect::<Option<Vec<_>>>();
        let checksums = checksums.ok_or("node answered something else")?;
        let saved = std::fs::read(&self.file).map_err(|error| format!("{}: {error}", self.file.display()))?;
        Ok(Minute { checksums, saved, held: None, process })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_course_is_seen() {
        let this = Minute { checksums: vec![(20, 1), (40, 2)], saved: vec![1, 2, 3], ..Minute::default() };
        assert_eq!(same_course(&this, &this.clone()), Ok(()));
        for (other, word) in [
            (Minute { checksums: vec![(20, 1), (40, 3)], ..this.clone() }, "after frame 40"),
            (Minute { checksums: vec![(20, 1)], ..this.clone() }, "1 checksums"),
            (Minute { saved: vec![1, 2, 4], ..this.clone() }, "from byte 2"),
            (Minute { saved: vec![1, 2], ..this.clone() }, "from byte 2"),
        ] {
            let seen = same_course(&this, &other).unwrap_err();
            assert!(seen.contains(word), "{seen}");
        }
    }
}
