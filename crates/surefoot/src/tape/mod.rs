//! What happened on a walk: recorded while it goes on, replayed, drawn and exported later.
//!
//! A [`Tape`] is handed to the [`Meter`](crate::search::Meter) that an agent charges its planning to, and so
//! every agent can be recorded: each state that it expands, each value that it raises, each subgoal, each
//! move. A [`Replay`] goes through a tape move by move.
//!
//! ```
//! use surefoot::agent::{CORE, Step};
//! use surefoot::formats::grid_from_art;
//! use surefoot::search::Meter;
//! use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
//! use surefoot::tape::{Header, Replay, Tape};
//!
//! let space = GridSpace::new(grid_from_art("......\n.####.\n......")?, MoveRule::NoCut, CostModel::Sqrt2);
//! let (start, goal) = space.locate_ends(Cell::new(1, 0), Cell::new(3, 2))?;
//! let mut agent = CORE.agent(&"lrta*(d=1)".parse()?)?;
//! agent.begin(&space, start, goal)?;
//! let mut meter = Meter::new();
//! meter.record_on(Tape::new(Header::of_grid(&space, start, goal, "lrta*(d=1)")));
//! while let step @ Step::Moved(_) = agent.step(&space, &mut meter) {
//!     step.note(&mut meter); // what was planned notes itself
//! }
//!
//! let bytes = meter.take_tape().expect("it is there").to_bytes();
//! let tape = Tape::from_bytes(&bytes)?;
//! let mut replay = Replay::new(&tape);
//! while replay.advance() {
//!     println!("at {} after expanding {:?}", space.cell(replay.position()), replay.expanded());
//! }
//! assert_eq!(replay.position(), goal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//! An envelope (label `sftape\r\n`, version, length, body, checksum) around a body of numbers, each in as few
//! bytes as it needs:
//!
//! | part | what is in it |
//! | --- | --- |
//! | head | its length; number of states; flags (1: on a grid, 2: cut off); on a grid: width, height, move rule and cost model by name, fingerprint (8 bytes); start, goal, algorithm |
//! | events | one signed number each, 8 · payload + kind |
//!
//! | kind | event | payload |
//! | --- | --- | --- |
//! | 0 | expanded | the state, less the last one mentioned |
//! | 1 | raised | the same; a second number is the value, less the last one |
//! | 2 | subgoal | the same |
//! | 3 | moved | the state, less the agent's position |
//! | 4 | waited | 0 |
//! | 5 | new goal | the state, less the last one mentioned |
//! | 6 | ended | 0 arrived, 1 unreachable, 2 stuck, 3 given up |
//! | 7 | expanded states that are not known | how many |
//!
//! Neighbours have near numbers, so that most events take one or two bytes, raised values six or seven.

mod events;
mod header;
mod replay;

pub use events::{End, Event, Events};
pub use header::{Header, RecordedGrid};
pub use replay::Replay;

use alloc::vec::Vec;

use crate::space::{Cost, State};
use crate::store::codec;
use crate::store::codec::{CodecError, Envelope, Reader};
use events::{Coder, ends_of_moves_touch};

const KIND: Envelope = Envelope { name: "tape", label: *b"sftape\r\n", oldest: 1, version: 1 };

/// A recorded walk.
///
/// What is recorded is kept in memory, up to a limit; then recording stops, and the tape says so. Recording
/// is for looking at walks, not for real-time use: now and then an event makes the tape's memory grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tape {
    header: Header,
    bytes: Vec<u8>,
    coder: Coder,
    limit: usize,
    truncated: bool,
}

impl Tape {
    /// The most bytes of events, unless told otherwise: some tens of millions of events.
    pub const DEFAULT_LIMIT: usize = 1 << 26;

    /// An empty tape.
    #[must_use]
    pub fn new(header: Header) -> Self {
        let coder = Coder::new(&header);
        Self { header, bytes: Vec::new(), coder, limit: Self::DEFAULT_LIMIT, truncated: false }
    }

    /// The same tape with room for `bytes` bytes of events. The first event that does not fit ends the
    /// recording.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// What was recorded, and where.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the walk went on after the tape was full.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// What happened, in that order.
    #[must_use]
    pub fn events(&self) -> Events<'_> {
        Events::new(&self.header, &self.bytes)
    }

    /// Adds an event. States must be below the header's limit, and a move on a grid must lead to a neighbour:
    /// a tape with others on it is not read back.
    pub fn push(&mut self, event: Event) {
        if self.truncated {
            return;
        }
        let (length, before) = (self.bytes.len(), self.coder);
        self.coder.put(&mut self.bytes, event);
        if self.bytes.len() > self.limit {
            self.bytes.truncate(length);
            self.coder = before;
            self.truncated = true;
        }
    }

    /// The tape as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = self.header.to_bytes(self.truncated);
        let mut body = Vec::with_capacity(head.len() + self.bytes.len() + 4);
        codec::put_number(&mut body, head.len() as u64);
        body.extend_from_slice(&head);
        body.extend_from_slice(&self.bytes);
        codec::seal(&KIND, &body)
    }

    /// Reads a tape and checks all of it: states exist, moves follow each other.
    ///
    /// # Errors
    /// If the bytes are no tape, are damaged, or tell of what cannot have happened.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut body = Reader::new(codec::open(&KIND, bytes)?);
        let length = body.count(1)?;
        let (header, truncated) = Header::from_bytes(body.bytes(length)?)?;
        let bytes = body.bytes(body.left())?.to_vec();
        let mut events = Events::new(&header, &bytes);
        let mut position = header.start;
        while let Some(event) = events.decode()? {
            if let Event::Moved(next) = event {
                if !ends_of_moves_touch(&header, position, next) {
                    return Err(events.malformed("no move leads to this state from the one before"));
                }
                position = next;
            }
        }
        let coder = events.into_coder();
        Ok(Self { header, limit: bytes.len().max(Self::DEFAULT_LIMIT), bytes, coder, truncated })
    }
}

/// What meters call from inner loops. Most loops are not recorded: what records stays out of their way.
impl Tape {
    #[cold]
    #[inline(never)]
    pub(crate) fn expanded(&mut self, state: State) {
        self.push(Event::Expanded(state));
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn raised(&mut self, state: State, value: Cost) {
        self.push(Event::Raised { state, value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::grid_from_art;
    use crate::space::{CostModel, GridSpace, MoveRule};
    use alloc::string::ToString;
    use proptest::prelude::*;

    fn header() -> Header {
        let grid = grid_from_art("....\n....\n....").unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        Header::of_grid(&space, State(0), State(11), "lrta*(d=3)")
    }

    /// One event of every kind, with small and large numbers.
    const EVENTS: [Event; 10] = [
        Event::Expanded(State(0)),
        Event::Expanded(State(11)),
        Event::ExpandedUnseen(70),
        Event::Raised { state: State(0), value: Cost::MAX },
        Event::Raised { state: State(4), value: 3 },
        Event::Subgoal(State(7)),
        Event::Moved(State(5)),
        Event::Waited,
        Event::Goal(State(2)),
        Event::Ended(End::GivenUp),
    ];

    fn tape() -> Tape {
        let mut tape = Tape::new(header());
        EVENTS.into_iter().for_each(|event| tape.push(event));
        tape
    }

    #[test]
    fn what_is_recorded_is_read_back() {
        let tape = tape();
        assert_eq!(tape.events().collect::<Vec<_>>(), EVENTS);
        let mut again = Tape::from_bytes(&tape.to_bytes()).unwrap();
        assert_eq!(again, tape);
        assert_eq!(again.header(), &header());
        // A tape that was read can be recorded on.
        again.push(Event::Moved(State(6)));
        assert_eq!(again.events().last(), Some(Event::Moved(State(6))));
        assert_eq!(Tape::from_bytes(&again.to_bytes()).as_ref(), Ok(&again));
    }

    #[test]
    fn expansions_next_to_each_other_take_a_byte_each() {
        let mut tape = Tape::new(header());
        (0..12).for_each(|state| tape.push(Event::Expanded(State(state))));
        assert_eq!(tape.bytes.len(), 12);
    }

    #[test]
    fn a_full_tape_stops_and_says_so() {
        for limit in 0..tape().bytes.len() {
            let mut full = Tape::new(header()).with_limit(limit);
            EVENTS.into_iter().for_each(|event| full.push(event));
            assert!(full.is_truncated() && full.bytes.len() <= limit);
            let kept: Vec<Event> = full.events().collect();
            assert_eq!(kept, EVENTS[..kept.len()], "a tape is cut off, not thinned");
            assert!(Tape::from_bytes(&full.to_bytes()).unwrap().is_truncated());
        }
        assert!(!tape().is_truncated());
    }

    #[test]
    fn what_cannot_have_happened_is_refused() {
        for (event, message) in [
            (Event::Expanded(State(12)), "there is no such state"),
            (Event::Moved(State(0)), "no move leads"),
            (Event::Moved(State(3)), "no move leads"),
            (Event::Moved(State(8)), "no move leads"),
        ] {
            let mut tape = Tape::new(header());
            tape.push(event);
            let error = Tape::from_bytes(&tape.to_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{event:?}: {error}");
        }
    }

    /// All that can be done with bytes that claim to be a tape's body.
    fn try_body(body: &[u8]) {
        let Ok(tape) = Tape::from_bytes(&codec::seal(&KIND, body)) else { return };
        assert_eq!(tape.to_bytes(), codec::seal(&KIND, body), "there is one way to write a tape");
        let steps = tape.events().filter(|event| matches!(event, Event::Moved(_) | Event::Waited)).count();
        let mut replay = Replay::new(&tape);
        while replay.advance() {
            assert!(u64::from(replay.position().0) < tape.header().states);
        }
        assert_eq!(replay.moves() + replay.waits(), steps as u64);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(body in prop::collection::vec(any::<u8>(), 0..80)) {
            try_body(&body);
        }

        #[test]
        fn changed_tapes_are_read_or_refused(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            length in any::<prop::sample::Index>(),
        ) {
            let sealed = tape().to_bytes();
            let mut body = codec::open(&KIND, &sealed).unwrap().to_vec();
            for (place, byte) in changes {
                let place = place.index(body.len());
                body[place] = byte;
            }
            try_body(&body);
            try_body(&body[..length.index(body.len())]);
        }
    }
}
