//! Numbers in few bytes, and a sealed envelope around them: what tapes, saved agents and databases are
//! written with.
//!
//! An envelope is a label of eight bytes, a version (u32), the body's length (u64), the body, and a checksum
//! (u64: XXH3 of all before it); numbers are little-endian. Nothing is trusted: what is read is checked
//! before it is used, and no count makes memory be taken that the bytes at hand could not fill.
//!
//! Numbers and states are for everyone: an agent of your own [saves](crate::agent::Agent::save) itself with
//! them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use crate::space::State;

/// Bytes that cannot be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The bytes do not begin with the label.
    #[error("this is no {expected}: it does not begin with \"{label}\"")]
    OtherKind {
        /// What was expected.
        expected: &'static str,
        /// How that begins.
        label: String,
    },
    /// The bytes were written by another version of the program.
    #[error(
        "this {kind} has version {found}, and this program reads {oldest} to {newest}: use {} program, or make it anew",
        if found > newest { "a newer" } else { "an older" }
    )]
    OtherVersion {
        /// What it is.
        kind: &'static str,
        /// Its version.
        found: u32,
        /// The oldest version that can be read.
        oldest: u32,
        /// The newest one.
        newest: u32,
    },
    /// The bytes end too early, or go on too long.
    #[error(
        "this {kind} should have {expected} bytes and has {found}: it was cut off or added to; make it anew"
    )]
    OtherLength {
        /// What it is.
        kind: &'static str,
        /// How many it should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error("the checksum of this {kind} does not fit its contents: it is damaged; make it anew")]
    Damaged {
        /// What it is.
        kind: &'static str,
    },
    /// A number makes no sense where it stands.
    #[error("byte {position}: {problem}")]
    Malformed {
        /// Where, from 0.
        position: usize,
        /// What is wrong.
        problem: &'static str,
    },
}

/// What an envelope holds.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    /// In words, for messages.
    pub name: &'static str,
    /// The first bytes.
    pub label: [u8; 8],
    /// The oldest version that is read.
    pub oldest: u32,
    /// The version that is written, and the newest that is read.
    pub version: u32,
}

const HEAD: usize = 8 + 4 + 8;
/// The bytes after the body.
pub const TAIL: usize = 8;

/// Puts a body into an envelope.
pub fn seal(kind: &Envelope, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + body.len() + TAIL);
    bytes.extend_from_slice(&kind.label);
    bytes.extend_from_slice(&kind.version.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(body);
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Takes a body out of its envelope, once label, version, length and checksum are what they should be.
pub fn open<'a>(kind: &Envelope, bytes: &'a [u8]) -> Result<&'a [u8], CodecError> {
    let (body, rest) = open_first(kind, bytes)?;
    if rest.is_empty() {
        return Ok(body);
    }
    let (expected, found) = ((bytes.len() - rest.len()) as u64, bytes.len() as u64);
    Err(CodecError::OtherLength { kind: kind.name, expected, found })
}

/// The same, where more may follow: the body, and what comes after its envelope.
pub fn open_first<'a>(kind: &Envelope, bytes: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), CodecError> {
    if bytes.get(..kind.label.len()) != Some(&kind.label[..]) {
        let mut label = String::new();
        for byte in kind.label {
            // Writing to a string cannot fail.
            let _ = write!(label, "{}", byte.escape_ascii());
        }
        return Err(CodecError::OtherKind { expected: kind.name, label });
    }
    let found = bytes.len() as u64;
    let too_short = |expected| CodecError::OtherLength { kind: kind.name, expected, found };
    let mut reader = Reader::new(bytes);
    reader.bytes(kind.label.len())?;
    let least = (HEAD + TAIL) as u64;
    let version = u32::from_le_bytes(reader.array().map_err(|_| too_short(least))?);
    if !(kind.oldest..=kind.version).contains(&version) {
        let Envelope { name, oldest, version: newest, .. } = *kind;
        return Err(CodecError::OtherVersion { kind: name, found: version, oldest, newest });
    }
    let length = u64::from_le_bytes(reader.array().map_err(|_| too_short(least))?);
    let expected = length.saturating_add(least);
    if expected > found {
        return Err(too_short(expected));
    }
    let body = reader.bytes(length as usize)?;
    let (sealed, rest) = bytes.split_at(expected as usize);
    if u64::from_le_bytes(reader.array()?) != xxh3_64(&sealed[..sealed.len() - TAIL]) {
        return Err(CodecError::Damaged { kind: kind.name });
    }
    Ok((body, rest))
}

/// The version of an envelope that was opened.
pub fn version_of(bytes: &[u8]) -> u32 {
    bytes.get(8..12).and_then(|version| version.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Writes a number in as few bytes as it needs, seven bits a byte, the lowest first.
pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes a number that may be negative: 0, -1, 1, -2 … as 0, 1, 2, 3 …
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Writes a text: its length, and its bytes.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Writes a state.
pub fn put_state(out: &mut Vec<u8>, state: State) {
    put_number(out, u64::from(state.0));
}

/// Writes a state that there may be.
pub fn put_optional_state(out: &mut Vec<u8>, state: Option<State>) {
    put_number(out, state.map_or(0, |state| u64::from(state.0) + 1));
}

/// Writes states in the order given, each as its difference to the one before: on a way that is a byte or
/// two.
pub fn put_states(out: &mut Vec<u8>, states: &[State]) {
    put_number(out, states.len() as u64);
    let mut before = 0;
    for state in states {
        put_signed(out, i64::from(state.0) - before);
        before = i64::from(state.0);
    }
}

/// Reads what was put, one after the other.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first of the bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// An error at the last byte read.
    #[must_use]
    pub fn malformed(&self, problem: &'static str) -> CodecError {
        CodecError::Malformed { position: self.position.saturating_sub(1), problem }
    }

    /// The next bytes, so many.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], CodecError> {
        let end = self.position.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(CodecError::Malformed {
            position: self.bytes.len(),
            problem: "the bytes end here, but more are expected",
        })?;
        let bytes = &self.bytes[self.position..end];
        self.position = end;
        Ok(bytes)
    }

    /// The next bytes, so many.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], CodecError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    /// The next byte.
    ///
    /// # Errors
    /// If there is none.
    pub fn byte(&mut self) -> Result<u8, CodecError> {
        Ok(self.array::<1>()?[0])
    }

    /// What [`put_number`] wrote.
    ///
    /// # Errors
    /// If the bytes end, or are not how a number is written.
    pub fn number(&mut self) -> Result<u64, CodecError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits || (byte == 0 && shift > 0) {
                return Err(self.malformed("this is not how a number is written"));
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.malformed("this number does not end"))
    }

    /// What [`put_signed`] wrote.
    ///
    /// # Errors
    /// If the bytes end, or are not how a number is written.
    pub fn signed(&mut self) -> Result<i64, CodecError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A text.
    ///
    /// # Errors
    /// If there is none here.
    pub fn text(&mut self) -> Result<&'a str, CodecError> {
        let length = self.count(1)?;
        let bytes = self.bytes(length)?;
        core::str::from_utf8(bytes).map_err(|_| self.malformed("this is no text"))
    }

    /// A number of at most `most`.
    ///
    /// # Errors
    /// If it is larger, which is the `problem` then, or there is none.
    pub fn number_up_to(&mut self, most: u64, problem: &'static str) -> Result<u64, CodecError> {
        let number = self.number()?;
        if number <= most { Ok(number) } else { Err(self.malformed(problem)) }
    }

    /// How many things of at least `least` bytes each follow: no more than there is room for.
    ///
    /// # Errors
    /// If there is not room for so many.
    pub fn count(&mut self, least: usize) -> Result<usize, CodecError> {
        let count = self.number()?;
        let room = (self.left() / least.max(1)) as u64;
        if count <= room { Ok(count as usize) } else { Err(self.malformed("there is not room for so many")) }
    }

    /// The number of a state below `limit`, which is a [space](crate::space::StateSpace::state_limit)'s.
    ///
    /// # Errors
    /// If it is not below, or there is none.
    pub fn state(&mut self, limit: usize) -> Result<State, CodecError> {
        let number = self.number()?;
        self.checked_state(Some(number), limit)
    }

    /// What [`put_optional_state`] wrote.
    ///
    /// # Errors
    /// If it is not below `limit`, or there is none.
    pub fn optional_state(&mut self, limit: usize) -> Result<Option<State>, CodecError> {
        match self.number()? {
            0 => Ok(None),
            number => self.checked_state(Some(number - 1), limit).map(Some),
        }
    }

    /// A state that was written as its distance from the number `first`, which it is not below.
    pub fn state_from(&mut self, first: u64, limit: usize) -> Result<State, CodecError> {
        let number = self.number()?.checked_add(first);
        self.checked_state(number, limit)
    }

    /// A state that was written as its difference to `before`.
    pub fn state_after(&mut self, before: State, limit: usize) -> Result<State, CodecError> {
        let number = self.signed()?.checked_add(i64::from(before.0));
        self.checked_state(number.and_then(|number| u64::try_from(number).ok()), limit)
    }

    /// What [`put_states`] wrote.
    ///
    /// # Errors
    /// If one is not below `limit`, or there are fewer than it says.
    pub fn states(&mut self, limit: usize) -> Result<Vec<State>, CodecError> {
        let count = self.count(1)?;
        let mut states = Vec::with_capacity(count);
        let mut before = State(0);
        for _ in 0..count {
            before = self.state_after(before, limit)?;
            states.push(before);
        }
        Ok(states)
    }

    fn checked_state(&self, number: Option<u64>, limit: usize) -> Result<State, CodecError> {
        // Tables keep a state's number plus 1: the largest number of all is never a state.
        let limit = (limit as u64).min(u64::from(u32::MAX));
        match number.filter(|&number| number < limit) {
            Some(number) => Ok(State(number as u32)),
            None => Err(self.malformed("the map at hand has no state of this number")),
        }
    }

    /// Makes sure that nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn finish(&self) -> Result<(), CodecError> {
        if self.left() == 0 {
            return Ok(());
        }
        Err(CodecError::Malformed {
            position: self.position,
            problem: "the bytes should end here, but go on",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KIND: Envelope = Envelope { name: "test letter", label: *b"letter\r\n", oldest: 1, version: 2 };

    proptest! {
        #[test]
        fn numbers_read_back(numbers in prop::collection::vec((any::<u64>(), any::<i64>(), 0_u32..64), 0..50)) {
            let mut bytes = Vec::new();
            for &(number, signed, shift) in &numbers {
                put_number(&mut bytes, number >> shift);
                put_signed(&mut bytes, signed >> shift);
            }
            let mut reader = Reader::new(&bytes);
            for &(number, signed, shift) in &numbers {
                prop_assert_eq!(reader.number(), Ok(number >> shift));
                prop_assert_eq!(reader.signed(), Ok(signed >> shift));
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }

        #[test]
        fn states_read_back(states in prop::collection::vec(0_u32..u32::MAX, 0..50), last in any::<u32>()) {
            let states: Vec<State> = states.into_iter().map(State).collect();
            let mut bytes = Vec::new();
            put_states(&mut bytes, &states);
            put_optional_state(&mut bytes, states.last().copied());
            let limit = u32::MAX as usize;
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.states(limit), Ok(states.clone()));
            prop_assert_eq!(reader.optional_state(limit), Ok(states.last().copied()));
            let all_below = states.iter().all(|state| state.0 < last);
            prop_assert_eq!(Reader::new(&bytes).states(last as usize).is_ok(), all_below);
        }

        #[test]
        fn any_bytes_are_numbers_in_one_way_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let mut reader = Reader::new(&bytes);
            if let Ok(number) = reader.number() {
                let mut again = Vec::new();
                put_number(&mut again, number);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - reader.left()]);
            }
        }
    }

    #[test]
    fn every_change_to_an_envelope_is_noticed() {
        let sealed = seal(&KIND, b"some words");
        assert_eq!(open(&KIND, &sealed), Ok(&b"some words"[..]));
        for length in 0..sealed.len() {
            assert!(open(&KIND, &sealed[..length]).is_err());
        }
        for place in 0..sealed.len() {
            for bit in 0..8 {
                let mut changed = sealed.clone();
                changed[place] ^= 1 << bit;
                assert!(open(&KIND, &changed).is_err(), "byte {place}, bit {bit}");
            }
        }
        let future = seal(&Envelope { version: 3, ..KIND }, b"words");
        assert!(matches!(open(&KIND, &future), Err(CodecError::OtherVersion { found: 3, newest: 2, .. })));
        let other = seal(&Envelope { label: *b"postcard", ..KIND }, b"words");
        let message = alloc::string::ToString::to_string(&open(&KIND, &other).unwrap_err());
        assert_eq!(message, "this is no test letter: it does not begin with \"letter\\r\\n\"");
    }
}
