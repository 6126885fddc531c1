//! The frame of every `.sfdb` file: what kind of database it is, which world it belongs to, and its sections.
//!
//! `docs/reference/sfdb.md` has the layout, byte by byte.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::codec;
use super::codec::{CodecError, Reader, put_number, put_text};
use super::fingerprint::fingerprint;
use crate::space::World;

/// Bytes that many may share: a file in memory, a mapped file, part of a program.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// What the parts of a database begin with: blocks that are to be put together.
pub const PART_LABEL: [u8; 8] = *b"sfpart\r\n";

/// The envelope of a database.
pub const ENVELOPE: codec::Envelope =
    codec::Envelope { name: "surefoot database", label: *b"sfdb\r\n\x1a\n", oldest: 1, version: 1 };

/// A section that is not what it should be.
pub fn malformed(section: &'static str, problem: String) -> DatabaseError {
    DatabaseError::Malformed { section, problem }
}

/// Why bytes are not a database for a world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The bytes are no database, or damaged.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The bytes are a part of a database.
    #[error("this is a part of a database, not a whole one: put the parts together with 'surefoot merge'")]
    IsPart,
    /// The database is for another algorithm.
    #[error("this database holds {found}, but {expected} is needed")]
    OtherContents {
        /// What is needed.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The database is of a kind that nobody here knows.
    #[error("this database holds {found}, which is not known here; known are: {known}")]
    UnknownKind {
        /// What it is.
        found: String,
        /// What is known.
        known: String,
    },
    /// The database belongs to another map.
    #[error("this database was built for {found}, not for {expected}: build it anew for this one")]
    OtherWorld {
        /// The world at hand.
        expected: String,
        /// The world that it was built for.
        found: String,
    },
    /// A part of the contents makes no sense.
    #[error("the section \"{section}\" of this database is wrong: {problem}; build it anew")]
    Malformed {
        /// The section.
        section: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// The world is not one that such a database can be built for.
    #[error("no such database can be built: {problem}")]
    Unsuitable {
        /// What the world lacks.
        problem: &'static str,
    },
    /// Whoever watched the build ended it.
    #[error("the build was cancelled")]
    Cancelled,
    /// There is more than a file can hold.
    #[error("the database would be too large: {problem}")]
    TooLarge {
        /// What is too large.
        problem: String,
    },
}

/// What a database was built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltFor {
    /// What tells the map from others.
    pub fingerprint: u64,
    /// The width and height of a grid; 0 for graphs.
    pub size: (u32, u32),
    /// All states are numbered below this.
    pub states: u64,
    /// The move rule of a grid; empty for graphs.
    pub rule: String,
    /// The [costs](crate::space::CostUnits) of a grid; empty for graphs.
    pub costs: String,
}

impl BuiltFor {
    /// A world as a database sees it.
    #[must_use]
    pub fn of(world: &impl World) -> Self {
        let (size, rule, costs) = match world.octile_grid() {
            Some(space) => {
                let size = (space.grid().width(), space.grid().height());
                (size, space.rule().name().to_owned(), space.units().name().to_owned())
            }
            None => ((0, 0), String::new(), String::new()),
        };
        Self { fingerprint: fingerprint(world), size, states: world.state_limit() as u64, rule, costs }
    }

    /// Writes it.
    pub fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.fingerprint.to_le_bytes());
        put_number(out, u64::from(self.size.0));
        put_number(out, u64::from(self.size.1));
        put_number(out, self.states);
        put_text(out, &self.rule);
        put_text(out, &self.costs);
    }

    /// Reads what was written.
    ///
    /// # Errors
    /// If the bytes are none of it.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let fingerprint = u64::from_le_bytes(reader.array()?);
        let side = |reader: &mut Reader<'_>| {
            reader.number_up_to(u64::from(u32::MAX), "no map is so large").map(|number| number as u32)
        };
        let size = (side(reader)?, side(reader)?);
        let states = reader.number()?;
        Ok(Self { fingerprint, size, states, rule: text(reader)?, costs: text(reader)? })
    }

    /// Whether states mean the same in both worlds: they are of one kind, and one may be the other with some
    /// cells edited.
    pub fn is_like(&self, world: &impl World) -> bool {
        match world.octile_grid() {
            Some(space) => {
                (space.grid().width(), space.grid().height()) == self.size
                    && space.rule().name() == self.rule
                    && space.units().name() == self.costs
            }
            None => self.size == (0, 0) && self.states == world.state_limit() as u64,
        }
    }

    /// Makes sure that both are the same world.
    pub fn check(&self, world: &impl World) -> Result<(), DatabaseError> {
        let expected = Self::of(world);
        if *self == expected {
            return Ok(());
        }
        Err(DatabaseError::OtherWorld { expected: expected.to_string(), found: self.to_string() })
    }

    /// Makes sure that a world differs in what can be edited at most.
    pub fn check_like(&self, world: &impl World) -> Result<(), DatabaseError> {
        if self.is_like(world) {
            return Ok(());
        }
        let (expected, found) = (Self::of(world).to_string(), self.to_string());
        Err(DatabaseError::OtherWorld { expected, found })
    }
}

/// A world in words, as messages name it.
impl fmt::Display for BuiltFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fingerprint, size: (width, height), states, rule, costs } = self;
        if (*width, *height) == (0, 0) {
            return write!(f, "a graph of {states} states, fingerprint {fingerprint:016x}");
        }
        write!(
            f,
            "a map of {width} x {height} cells, rule {rule}, cost {costs}, fingerprint {fingerprint:016x}"
        )
    }
}

/// A database taken apart: its head, and where its sections lie in the bytes.
#[derive(Clone, Debug)]
pub struct Container {
    /// The name of the kind of database.
    pub contents: String,
    /// What it was built for.
    pub built_for: BuiltFor,
    sections: Vec<([u8; 4], Range<usize>)>,
}

impl Container {
    /// Writes a database.
    pub fn write(contents: &str, built_for: &BuiltFor, sections: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut body = Vec::new();
        put_text(&mut body, contents);
        built_for.put(&mut body);
        put_number(&mut body, sections.len() as u64);
        for (tag, section) in sections {
            body.extend_from_slice(tag);
            put_number(&mut body, section.len() as u64);
        }
        for (_, section) in sections {
            body.extend_from_slice(section);
        }
        codec::seal(&ENVELOPE, &body)
    }

    /// Reads the head; the sections are only found, not looked into.
    pub fn read(bytes: &[u8]) -> Result<Self, DatabaseError> {
        if bytes.starts_with(&PART_LABEL) {
            return Err(DatabaseError::IsPart);
        }
        let body = codec::open(&ENVELOPE, bytes)?;
        // The body lies inside the bytes: where it ends is where its last section ends.
        let body_start = bytes.len() - codec::TAIL - body.len();
        let mut reader = Reader::new(body);
        let contents = text(&mut reader)?;
        let built_for = BuiltFor::read(&mut reader)?;
        let count = reader.count(5)?;
        let mut lengths = Vec::with_capacity(count);
        for _ in 0..count {
            lengths.push((reader.array()?, reader.number()?));
        }
        let mut at = body_start + body.len() - reader.left();
        let mut sections = Vec::with_capacity(count);
        for (tag, length) in lengths {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            reader.bytes(length)?;
            sections.push((tag, at..at + length));
            at += length;
        }
        reader.finish()?;
        Ok(Self { contents, built_for, sections })
    }

    /// The same for a database that must be of one kind.
    pub fn read_of(contents: &str, bytes: &[u8]) -> Result<Self, DatabaseError> {
        let container = Self::read(bytes)?;
        if container.contents == contents {
            return Ok(container);
        }
        Err(DatabaseError::OtherContents { expected: contents.to_owned(), found: container.contents })
    }

    /// Where a section lies.
    pub fn section(&self, tag: &'static str) -> Result<Range<usize>, DatabaseError> {
        let found = self.sections.iter().find(|(known, _)| known == tag.as_bytes());
        found
            .map(|(_, range)| range.clone())
            .ok_or_else(|| DatabaseError::Malformed { section: tag, problem: "it is missing".to_owned() })
    }

    /// How many bytes each section takes, by its tag.
    pub fn sizes(&self) -> impl Iterator<Item = (String, usize)> {
        self.sections.iter().map(|(tag, range)| (String::from_utf8_lossy(tag).into_owned(), range.len()))
    }
}

/// A name. It may stand in a message: it is short, and nothing in it breaks a line.
fn text(reader: &mut Reader<'_>) -> Result<String, CodecError> {
    let text = reader.text()?;
    if text.len() > 64 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(reader.malformed("this is no name"));
    }
    Ok(text.to_owned())
}
