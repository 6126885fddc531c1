//! What a pattern database is built from.

use alloc::vec::Vec;
use core::fmt;

use surefoot::search::Ties;
use surefoot::store::codec::{CodecError, Reader, put_number};

/// The highest depth that is stored.
const MOST_DEPTH: u64 = 10_000;

/// What is stored for the way from one region to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternContents {
    /// A subgoal.
    Subgoals,
    /// How far to look ahead for the goal: the optimal depth, or the cap if that is less.
    Depths {
        /// The cap, in actions.
        cap: u32,
    },
    /// A subgoal, and how far to look ahead for it.
    SubgoalsAndDepths {
        /// The cap, in actions.
        cap: u32,
    },
    /// A subgoal, how far to look ahead for it, and how far for the goal: the three tables of Appendix D.
    SubgoalsAndBothDepths {
        /// The cap of both, in actions.
        cap: u32,
    },
}

impl PatternContents {
    /// The highest depth that is stored, if any is.
    #[must_use]
    pub fn cap(self) -> Option<u32> {
        match self {
            Self::Subgoals => None,
            Self::Depths { cap } | Self::SubgoalsAndDepths { cap } | Self::SubgoalsAndBothDepths { cap } => {
                Some(cap)
            }
        }
    }

    /// Whether subgoals are stored.
    #[must_use]
    pub fn has_subgoals(self) -> bool {
        !matches!(self, Self::Depths { .. })
    }

    /// Whether depths towards goals are stored.
    pub(super) fn has_depths_to_goals(self) -> bool {
        matches!(self, Self::Depths { .. } | Self::SubgoalsAndBothDepths { .. })
    }

    /// Whether depths towards goals are stored beside subgoals.
    #[must_use]
    pub fn has_goal_depths(self) -> bool {
        matches!(self, Self::SubgoalsAndBothDepths { .. })
    }
}

/// Which of several cheapest paths subgoals are read off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trace {
    /// Of the moves that lie on a cheapest path always the longest one: that of Dijkstra's tree.
    #[default]
    DiagonalFirst,
    /// Of the moves that lie on a cheapest path always the shortest one, and of these the first.
    StraightFirst,
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DiagonalFirst => "diagonal-first",
            Self::StraightFirst => "straight-first",
        })
    }
}

/// What a pattern database is built from, beside its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternConfig {
    /// How often the map is abstracted.
    pub level: u32,
    /// Whether the abstraction is [aligned](crate::abstraction::AbstractionConfig::aligned).
    pub aligned: bool,
    /// What is stored.
    pub contents: PatternContents,
    /// Which cheapest path subgoals are read off. Without subgoals it makes no difference.
    pub trace: Trace,
    /// How lookaheads break ties.
    pub ties: Ties,
}

impl fmt::Display for PatternConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { level, aligned, contents, trace, ties } = self;
        let aligned = if *aligned { "yes" } else { "no" };
        let ties = match ties {
            Ties::Near => "low-g",
            Ties::Far => "high-g",
        };
        write!(f, "patterns(level={level}, aligned={aligned}, ")?;
        match contents {
            PatternContents::Subgoals => f.write_str("subgoals")?,
            PatternContents::Depths { cap } => write!(f, "depths, cap={cap}")?,
            PatternContents::SubgoalsAndDepths { cap } => write!(f, "subgoals and depths, cap={cap}")?,
            PatternContents::SubgoalsAndBothDepths { cap } => {
                write!(f, "subgoals, depths and goal depths, cap={cap}")?;
            }
        }
        if *trace != Trace::default() {
            write!(f, ", trace={trace}")?;
        }
        write!(f, ", ties={ties})")
    }
}

impl PatternConfig {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let kind = match self.contents {
            PatternContents::Subgoals => 0,
            PatternContents::Depths { .. } => 1,
            PatternContents::SubgoalsAndDepths { .. } => 2,
            PatternContents::SubgoalsAndBothDepths { .. } => 3,
        };
        let choices = u8::from(self.ties == Ties::Far) | u8::from(self.trace == Trace::StraightFirst) << 1;
        let mut out = Vec::from([u8::from(self.aligned), choices, kind]);
        put_number(&mut out, u64::from(self.contents.cap().unwrap_or(0)));
        put_number(&mut out, u64::from(self.level));
        out
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let [aligned, choices, kind] = reader.array()?;
        if aligned > 1 || choices > 3 {
            return Err(reader.malformed("there are no such choices"));
        }
        let cap = reader.number_up_to(MOST_DEPTH, "no cap is so high")? as u32;
        let contents = match (kind, cap) {
            (0, 0) => PatternContents::Subgoals,
            (1, 1..) => PatternContents::Depths { cap },
            (2, 1..) => PatternContents::SubgoalsAndDepths { cap },
            (3, 1..) => PatternContents::SubgoalsAndBothDepths { cap },
            _ => return Err(reader.malformed("there are no such contents")),
        };
        let level = reader.number_up_to(64, "no level is so high")? as u32;
        let ties = if choices & 1 == 1 { Ties::Far } else { Ties::Near };
        let trace = if choices & 2 == 2 { Trace::StraightFirst } else { Trace::DiagonalFirst };
        Ok(Self { level, aligned: aligned == 1, contents, trace, ties })
    }
}
