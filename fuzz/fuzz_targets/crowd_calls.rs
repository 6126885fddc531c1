//! Crowds with links and weights: any calls in any order, on a crowd that is loaded from the bytes or made anew. Moves are legal, and it
//! is saved and loaded as it is. The first two bytes say how long the saved crowd is, and the calls come after it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use surefoot::crowd::{Crowd, FrameBudget, KindId, LinkId, Priority, Speed, UnitId};
use surefoot::space::{Cell, Limits, Link, StateSpace};
use surefoot_classics::ROSTER;
use surefoot_fuzz::{SAVED_CROWD, linked_crowds, seal};

/// A call is so many bytes.
const CALL: usize = 5;
/// So many calls are made.
const MOST_CALLS: usize = 40;

/// Crowds without anything in particular, with obstacles or not.
static CROWDS: LazyLock<[Crowd; 2]> = LazyLock::new(linked_crowds);

/// The cell that a byte stands for; some lie outside.
fn cell(byte: u8) -> Cell {
    Cell::new(u32::from(byte) % 11, u32::from(byte) / 11 % 9)
}

struct Calls {
    crowd: Crowd,
    units: Vec<UnitId>,
}

impl Calls {
    fn unit(&self, byte: u8) -> UnitId {
        let known = self.units.get(usize::from(byte) % self.units.len().max(1));
        known.copied().unwrap_or(UnitId::from_number(byte.into()))
    }

    /// What is refused is no fault.
    fn call(&mut self, [what, a, b, c, d]: [u8; CALL]) {
        let kind = KindId::from_bits(u32::from(a) % 4).expect("a small number");
        let crowd = &mut self.crowd;
        match what % 20 {
            0 | 1 => {
                if let Ok(unit) = crowd.add(kind, cell(b), cell(c), Priority::ALL[usize::from(d) % 3]) {
                    self.units.push(unit);
                }
            }
            2 => drop(self.crowd.remove(self.unit(a))),
            3 => drop(self.crowd.set_goal(self.unit(a), cell(b))),
            4 => drop(self.crowd.set_goal_or_nearest(self.unit(a), cell(b))),
            5 => drop(crowd.set_cell(cell(b), c % 2 == 0)),
            6 => drop(crowd.set_cells([(cell(b), a % 2 == 0), (cell(c), a % 3 == 0), (cell(d), true)])),
            7 | 8 => drop(crowd.add_link(kind, Link { from: cell(b), to: cell(c), moves: u32::from(d) })),
            9 => drop(crowd.remove_link(kind, LinkId::from_bits(u32::from(b) % 8))),
            10 => drop(crowd.set_weights(kind, [(cell(b), d), (cell(c), d / 2)])),
            11 => drop(crowd.pursue(self.units.get(usize::from(a)).copied().unwrap_or(UnitId::from_number(b.into())), UnitId::from_number(c.into()))),
            12 => drop(self.crowd.pursue(self.unit(a), self.unit(b))),
            13 => {
                let group: Vec<UnitId> = (0..usize::from(a) % 6).map(|at| self.unit(b.wrapping_add(at as u8))).collect();
                drop(self.crowd.send(group, cell(c)));
            }
            14 => drop(crowd.push_out()),
            15 => drop(self.crowd.place(self.unit(a), cell(b))),
            16 => drop(self.crowd.set_speed(self.unit(a), Speed::new(u32::from(b) % 10, u32::from(c) % 10))),
            17 => drop(self.crowd.stop(self.unit(a))),
            18 => {
                let bytes = crowd.save();
                let again = Crowd::load_with(&bytes, &ROSTER).expect("what was saved can be loaded");
                assert!(again.save() == bytes, "what was loaded is saved alike");
                *crowd = again;
            }
            _ => {}
        }
        self.frame(u64::from(d) * 40);
    }

    fn frame(&mut self, work: u64) {
        self.crowd.frame(FrameBudget::Work(work));
        let report = self.crowd.report();
        for made in &report.moves {
            let kind = self.crowd.kind_of(made.unit).expect("who moved is there");
            let space = self.crowd.space(kind).expect("it is of a kind");
            let state = |cell| space.state_at(cell).expect("a cell of the map");
            let mut is_legal = false;
            space.for_each_successor(state(made.from), |next, _| is_legal |= next == state(made.to));
            let mut links = self.crowd.links(kind).expect("it is of a kind");
            is_legal |= links.any(|(_, link)| (link.from, link.to) == (made.from, made.to)) && space.contains(state(made.to));
            assert!(is_legal, "{made:?}");
        }
        assert_eq!(report.overdrawn, 0);
        assert!(report.wait_bound.is_none_or(|bound| u64::from(report.longest_wait) <= bound), "{report:?}");
        let arrived = report.arrived.clone();
        for (at, unit) in arrived.into_iter().enumerate() {
            let _ = self.crowd.set_goal_or_nearest(unit, cell(work as u8).min(cell(at as u8)));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_le_bytes(*length));
    let (saved, calls) = rest.split_at(length.min(rest.len()));
    let limits = Limits { cells: 4096, bytes: 1 << 20 };
    let crowd = if saved.is_empty() {
        CROWDS[length % 2].clone()
    } else {
        match Crowd::load_within(&seal(b"sfcrowd\n", SAVED_CROWD, saved), &ROSTER, &limits) {
            Ok(crowd) => crowd,
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    };
    let units = crowd.units().take(100).collect();
    let mut game = Calls { crowd, units };
    for call in calls.as_chunks::<CALL>().0.iter().take(MOST_CALLS) {
        game.call(*call);
    }
    let bytes = game.crowd.save();
    let again = Crowd::load_with(&bytes, &ROSTER).expect("what was saved can be loaded");
    assert!(again.save() == bytes, "what was loaded is saved alike");
});
