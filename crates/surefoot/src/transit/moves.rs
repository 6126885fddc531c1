//! Moves in little room.

use alloc::vec::Vec;

use crate::space::{Direction, GridSpace, State};
use crate::store::codec::{CodecError, Reader, put_number};

/// Moves that follow each other, three bits each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moves {
    bytes: Vec<u8>,
    len: u32,
}

impl Moves {
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.len = 0;
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn push(&mut self, direction: Direction) {
        let at = self.len as usize * 3;
        let bits = u16::from(direction as u8) << (at % 8);
        if self.bytes.len() * 8 < at + 3 {
            self.bytes.push(0);
        }
        self.bytes[at / 8] |= bits as u8;
        if let Some(next) = self.bytes.get_mut(at / 8 + 1) {
            *next |= (bits >> 8) as u8;
        }
        self.len += 1;
    }

    /// The move at a place, if there is one.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> Option<Direction> {
        if place >= self.len {
            return None;
        }
        let at = place as usize * 3;
        let low = u16::from(*self.bytes.get(at / 8)?);
        let high = u16::from(self.bytes.get(at / 8 + 1).copied().unwrap_or(0));
        Some(Direction::ALL[usize::from((high << 8 | low) >> (at % 8) & 7)])
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Direction> {
        (0..self.len).filter_map(|place| self.get(place))
    }

    /// Some of them.
    pub(super) fn range(&self, range: core::ops::Range<u32>) -> impl DoubleEndedIterator<Item = Direction> {
        range.filter_map(|place| self.get(place))
    }

    /// The moves that lead along some states, each of which is next to the one before.
    pub(crate) fn along(space: &GridSpace, states: impl IntoIterator<Item = State>) -> Self {
        let mut moves = Self::default();
        let mut before = None;
        for state in states {
            if let Some(before) = before.replace(state) {
                moves.push(direction(space, before, state));
            }
        }
        moves
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_number(out, u64::from(self.len));
        out.extend_from_slice(&self.bytes);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let len = reader.number_up_to(u64::from(u32::MAX / 4), "no way has so many moves")? as u32;
        let bytes = reader.bytes((len as usize * 3).div_ceil(8))?;
        let mut moves = Self::default();
        let packed = Self { bytes: Vec::from(bytes), len };
        // Bits behind the last one are left out.
        packed.iter().for_each(|direction| moves.push(direction));
        Ok(moves)
    }
}

impl FromIterator<Direction> for Moves {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        let mut moves = Self::default();
        directions.into_iter().for_each(|direction| moves.push(direction));
        moves
    }
}

/// The direction from a state to one next to it.
pub(super) fn direction(space: &GridSpace, from: State, to: State) -> Direction {
    let (from, to) = (space.cell(from), space.cell(to));
    let step = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
    Direction::from_delta(step(from.x, to.x), step(from.y, to.y))
}

/// The way back.
pub(super) fn opposite(direction: Direction) -> Direction {
    let (dx, dy) = direction.delta();
    Direction::from_delta(-dx, -dy)
}
