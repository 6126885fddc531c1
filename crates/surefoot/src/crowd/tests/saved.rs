//! Crowds as bytes.

use proptest::prelude::*;

use super::*;
use crate::store::codec;

/// A crowd of several kinds in the middle of things, with as many edits before it was saved.
fn busy(edits: u32, are_units_obstacles: bool) -> Crowd {
    let config = CrowdConfig { are_units_obstacles, most_learned: 6, ..CrowdConfig::default() };
    let is_free = |cell: Cell| (cell.x % 7 != 6 || cell.y % 5 > 2) && (cell.y % 6 != 5 || cell.x % 4 > 1);
    let mut crowd = Crowd::with_config(Grid::from_fn(24, 14, is_free).unwrap(), config);
    let algorithms = ["beacon*", "lrta*", "tba*(slice=5)", "transit*(reach=20)", "s-a*", "beacon*(bound=40)"];
    let mut units = Vec::new();
    for (number, algorithm) in algorithms.into_iter().enumerate() {
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.algorithm = super::algorithm(algorithm);
        kind.size = 1 + u32::from(number == 3);
        let kind = crowd.add_kind(kind).unwrap();
        let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
        for at in 0..4 {
            let (start, goal) =
                (cells[(at * 11 + number * 3) % cells.len()], cells[(at * 13 + 1) % cells.len()]);
            units.extend(crowd.add(kind, start, goal, Priority::ALL[at % 3]));
        }
    }
    crowd.pursue(units[1], units[2]).unwrap();
    crowd.remove(units[3]).unwrap();
    for frame in 0..12 {
        if frame < edits {
            crowd.set_cell(Cell::new(frame * 5 % 24, frame * 3 % 14), frame % 3 == 0).unwrap();
        }
        crowd.frame(FrameBudget::Work(300));
        send_on(&mut crowd);
    }
    crowd
}

#[test]
fn a_crowd_goes_on_as_if_it_had_never_been_saved() {
    for (edits, are_units_obstacles) in [(0, false), (8, false), (12, false), (0, true), (12, true)] {
        let mut crowd = busy(edits, are_units_obstacles);
        crowd.set_cell(Cell::new(6, 0), true).unwrap();
        let bytes = crowd.save();
        let mut loaded = Crowd::load(&bytes).unwrap();
        assert_eq!(loaded.checksum(), crowd.checksum());
        assert!(loaded.save() == bytes, "{edits} edits, {are_units_obstacles}");
        for frame in 0..150 {
            if frame % 9 == 0 && edits > 0 {
                for crowd in [&mut crowd, &mut loaded] {
                    crowd.set_cell(Cell::new(frame * 7 % 24, frame % 14), frame % 2 == 0).unwrap();
                }
            }
            assert_eq!(loaded.frame(FrameBudget::Work(300)), crowd.frame(FrameBudget::Work(300)), "{frame}");
            assert_eq!(loaded.checksum(), crowd.checksum(), "{frame}");
            check_moves(&loaded);
            send_on(&mut crowd);
            send_on(&mut loaded);
        }
    }
}

#[test]
fn the_checksum_sees_what_differs() {
    let crowd = busy(0, false);
    let unit = crowd.units().next().unwrap();
    let mut seen = alloc::vec![crowd.checksum()];
    let mut note = |change: &dyn Fn(&mut Crowd)| {
        let mut other = crowd.clone();
        change(&mut other);
        assert!(!seen.contains(&other.checksum()));
        seen.push(other.checksum());
    };
    note(&|crowd| drop(crowd.frame(FrameBudget::Everyone).clone()));
    note(&|crowd| drop(crowd.set_cell(Cell::new(0, 0), false)));
    note(&|crowd| drop(crowd.remove(unit)));
    note(&|crowd| drop(crowd.set_priority(unit, Priority::Low)));
    note(&|crowd| drop(crowd.set_goal_or_nearest(unit, Cell::new(12, 6))));
}

/// Whatever the body, a crowd that is made from it keeps the rules.
pub(super) fn try_out(body: &[u8]) -> bool {
    let Ok(mut crowd) = Crowd::load(&codec::seal(&super::super::saved::SAVED_CROWD, body)) else {
        return false;
    };
    for _ in 0..6 {
        crowd.frame(FrameBudget::Work(300));
        for Move { unit, from, to } in crowd.report().moves.iter().copied() {
            let space = crowd.space_of(unit).unwrap();
            assert!(is_legal(space, space.state(from), space.state(to)));
        }
        let _ = crowd.set_cell(Cell::new(1, 1), true);
        send_on(&mut crowd);
    }
    Crowd::load(&crowd.save()).is_ok()
}

fn body(are_units_obstacles: bool) -> Vec<u8> {
    codec::open(&super::super::saved::SAVED_CROWD, &busy(6, are_units_obstacles).save()).unwrap().to_vec()
}

#[test]
fn crowds_of_older_versions_are_refused_by_name() {
    let body = body(false);
    let now = super::super::saved::SAVED_CROWD.version;
    for version in (0..now).chain([now + 1]) {
        let kind = codec::Envelope { version, ..super::super::saved::SAVED_CROWD };
        let error = Crowd::load(&codec::seal(&kind, &body)).unwrap_err().to_string();
        assert!(error.starts_with(&alloc::format!("this saved crowd has version {version}, and")), "{error}");
        assert!(error.contains(&alloc::format!("reads {now} to {now}")), "{error}");
    }
}

#[test]
fn no_byte_is_trusted() {
    let body = body(true);
    assert!(try_out(&body));
    assert!(Crowd::load(b"P6 7 5").unwrap_err().to_string().contains("this is no saved crowd"));
    // Each byte of the units, and some of the databases before them.
    let last = body.len().saturating_sub(quick_or_long(900) as usize);
    let mut accepted = 0;
    for place in (0..last).step_by(97).chain(last..body.len()) {
        for change in [0, 1, 0x7f, 0xff, body[place] ^ 1] {
            let mut changed = body.clone();
            changed[place] = change;
            accepted += u32::from(try_out(&changed));
        }
    }
    assert!(accepted > 100, "some changes make other crowds: {accepted}");
    for length in (0..body.len()).step_by(53) {
        assert!(!try_out(&body[..length]), "it lacks its end");
    }
}

proptest! {
    #[test]
    fn no_bytes_are_trusted(
        are_units_obstacles in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![0_u8..32, any::<u8>()]), 1..8),
    ) {
        let mut body = body(are_units_obstacles);
        for (place, change) in changes {
            let place = place.index(body.len());
            body[place] = change;
        }
        try_out(&body);
    }
}
