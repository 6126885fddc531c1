//! Saved crowds: no bytes make the reader panic, and a crowd made from them makes legal moves only. The envelope is put around the bytes
//! here: its checksum would stop every other change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::crowd::{Crowd, FrameBudget};
use surefoot::space::Cell;
use surefoot_classics::ROSTER;
use surefoot_fuzz::{SAVED_CROWD, seal};

fuzz_target!(|body: &[u8]| {
    let mut crowd = match Crowd::load_with(&seal(b"sfcrowd\n", SAVED_CROWD, body), &ROSTER) {
        Ok(crowd) => crowd,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for time in 0..20 {
        crowd.frame(FrameBudget::Work(1000));
        for made in &crowd.report().moves {
            let (from, to) = (made.from, made.to);
            let kind = crowd.kind_of(made.unit).expect("who moved is there");
            let mut links = crowd.links(kind).expect("it is of a kind");
            let is_next = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) == 1;
            assert!(crowd.map().is_free(to) && (is_next || links.any(|(_, link)| (link.from, link.to) == (from, to))));
        }
        for unit in crowd.report().arrived.clone() {
            let _ = crowd.set_goal_or_nearest(unit, Cell::new(time, time));
        }
        let _ = crowd.set_cell(Cell::new(time % 5, time % 3), time % 2 == 0);
    }
    let bytes = crowd.save();
    let again = Crowd::load_with(&bytes, &ROSTER).expect("what was saved can be loaded");
    assert_eq!(again.save(), bytes);
});
