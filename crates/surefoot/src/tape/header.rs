//! What a tape says before its first event: enough to replay it without asking.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::space::{Cell, CostUnits, GridSpace, MoveRule, State, StateSpace, check_size};
use crate::store::codec::{CodecError, Reader, put_number, put_text};

/// A state has 32 bits.
const MOST_STATES: u64 = 1 << 32;

const ON_A_GRID: u8 = 1;
const TRUNCATED: u8 = 2;

/// Where a walk was recorded, and of which algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// All states are numbered below this.
    pub states: u64,
    /// The grid, if the world was one.
    pub grid: Option<RecordedGrid>,
    /// Where the walk began.
    pub start: State,
    /// Where it was to go.
    pub goal: State,
    /// The algorithm's spec.
    pub algorithm: String,
}

/// The grid that a walk was recorded on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedGrid {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The move rule.
    pub rule: MoveRule,
    /// What costs are counted in.
    pub costs: CostUnits,
    /// What [`GridSpace::fingerprint`] gave when the recording began.
    pub fingerprint: u64,
}

impl RecordedGrid {
    /// The cell of a state.
    #[must_use]
    pub fn cell(&self, state: State) -> Cell {
        Cell::new(state.0 % self.width, state.0 / self.width)
    }
}

impl Header {
    /// The header of a walk on a grid.
    #[must_use]
    pub fn of_grid(space: &GridSpace, start: State, goal: State, algorithm: &str) -> Self {
        let grid = space.grid();
        let recorded = RecordedGrid {
            width: grid.width(),
            height: grid.height(),
            rule: space.rule(),
            costs: space.units(),
            fingerprint: space.fingerprint(),
        };
        Self { grid: Some(recorded), ..Self::of_space(space, start, goal, algorithm) }
    }

    /// The header of a walk in any other space.
    #[must_use]
    pub fn of_space(space: &impl StateSpace, start: State, goal: State, algorithm: &str) -> Self {
        let states = (space.state_limit() as u64).min(MOST_STATES);
        Self { states, grid: None, start, goal, algorithm: algorithm.to_string() }
    }

    pub(super) fn to_bytes(&self, truncated: bool) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.states);
        let flags = if self.grid.is_some() { ON_A_GRID } else { 0 } | if truncated { TRUNCATED } else { 0 };
        out.push(flags);
        if let Some(grid) = &self.grid {
            put_number(&mut out, u64::from(grid.width));
            put_number(&mut out, u64::from(grid.height));
            put_text(&mut out, grid.rule.name());
            put_text(&mut out, grid.costs.name());
            out.extend_from_slice(&grid.fingerprint.to_le_bytes());
        }
        put_number(&mut out, u64::from(self.start.0));
        put_number(&mut out, u64::from(self.goal.0));
        put_text(&mut out, &self.algorithm);
        out
    }

    /// The header, and whether the tape is cut off.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<(Self, bool), CodecError> {
        let mut reader = Reader::new(bytes);
        let states = reader.number_up_to(MOST_STATES, "no space has so many states")?;
        let flags = reader.byte()?;
        if flags & !(ON_A_GRID | TRUNCATED) != 0 {
            return Err(reader.malformed("these flags are not known"));
        }
        let grid = if flags & ON_A_GRID != 0 { Some(read_grid(&mut reader, states)?) } else { None };
        let mut state = || {
            let number = reader.number()?;
            if number < states {
                Ok(State(number as u32))
            } else {
                Err(reader.malformed("there is no such state"))
            }
        };
        let (start, goal) = (state()?, state()?);
        let algorithm = reader.text()?.to_string();
        reader.finish()?;
        Ok((Self { states, grid, start, goal, algorithm }, flags & TRUNCATED != 0))
    }
}

fn read_grid(reader: &mut Reader<'_>, states: u64) -> Result<RecordedGrid, CodecError> {
    let mut side = || Ok(reader.number_up_to(u64::from(u32::MAX), "no map is so large")? as u32);
    let (width, height) = (side()?, side()?);
    if check_size(width, height).is_err() || u64::from(width) * u64::from(height) != states {
        return Err(reader.malformed("no map has this size and this number of states"));
    }
    let rule = reader.text()?.parse();
    let rule = rule.map_err(|_| reader.malformed("there is no move rule of this name"))?;
    let costs = reader.text()?.parse();
    let costs = costs.map_err(|_| reader.malformed("there is no cost model of this name"))?;
    Ok(RecordedGrid { width, height, rule, costs, fingerprint: u64::from_le_bytes(reader.array()?) })
}
