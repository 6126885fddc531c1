//! Crowds that are saved at any time while their maps are edited, and bytes that somebody has changed.

use super::saved::try_out;
use super::*;
use crate::space::CellWeights;
use crate::store::codec;
use crate::store::draws::Draws;

/// Units of all that follows edits in a way of its own, on a map of small rooms.
fn crowd_of_followers() -> Crowd {
    let is_wall = |cell: Cell| {
        (cell.x % 12 == 11 && cell.y % 9 != 4 || cell.y % 10 == 9 && cell.x % 8 != 3)
            || cell.x % 5 == 3 && cell.y % 6 == 2 + cell.x / 5 % 3
    };
    let mut crowd = Crowd::new(Grid::from_fn(36, 28, |cell| !is_wall(cell)).unwrap());
    let swamp = CellWeights::from_fn(36, 28, |cell| 1 + (cell.x / 6 + cell.y / 5) as u8 % 4).unwrap();
    let kind = |spec: &str| Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_algorithm(algorithm(spec));
    let mut kinds = Vec::from([
        kind("beacon*(labels=all)"),
        kind("beacon*(labels=core)"),
        kind("beacon*").with_size(2),
        kind("beacon*(labels=core)").with_size(2),
        kind("transit*(reach=30)"),
        kind("transit*(reach=30)").with_weights(swamp.clone()),
        kind("transit*(reach=30)").with_weights(swamp).with_size(2),
        kind("lrta*"),
    ]);
    let space = kinds[7].space(crowd.map()).unwrap();
    kinds[7].relief = algorithm("beacon*").build_database(&space, 2).unwrap();
    // Some are built when the game runs.
    let later = ["beacon*(labels=all)", "beacon*(labels=core)", "transit*(reach=30)"];
    let relief = kinds[7].relief.clone().unwrap();
    for kind in kinds.into_iter().chain(later.map(kind)).chain([kind(later[2]).with_relief(relief)]) {
        let kind = match crowd.kinds.len() {
            0..8 => crowd.add_kind(kind).unwrap(),
            _ => crowd.add_kind_unbuilt(kind).unwrap(),
        };
        let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
        for at in 0..4 {
            let (start, goal) = (cells[at * 97 % cells.len()], cells[cells.len() - 1 - at * 57]);
            crowd.add(kind, start, goal, Priority::ALL[at % 3]).unwrap();
        }
    }
    crowd
}

/// So many edits, drawn at random, of all of some crowds.
fn edit_all(crowds: &mut [Crowd], draws: &mut Draws, count: u64) {
    for _ in 0..count {
        let map = crowds[0].map();
        let cell = Cell::new(
            draws.below(u64::from(map.width())) as u32,
            draws.below(u64::from(map.height())) as u32,
        );
        let is_free = map.is_free(cell);
        let (kind, weight) = (KindId(5 + draws.below(2) as u8), 1 + draws.below(20) as u8);
        let is_weight = draws.below(3) == 0;
        for crowd in crowds.iter_mut() {
            if is_weight {
                crowd.set_weight(kind, cell, weight).unwrap();
            } else {
                crowd.set_cell(cell, !is_free).unwrap();
            }
        }
    }
}

/// Builds of some kinds, drawn at random: they are begun and cancelled, and built ones are given.
fn build_some(crowds: &mut [Crowd], draws: &mut Draws) {
    let kind = KindId(8 + draws.below(4) as u8);
    let what = draws.below(8);
    for crowd in crowds {
        match what {
            0 => drop(crowd.cancel_build(kind).unwrap()),
            1 => {
                let built = crowd.build_of(kind).unwrap().run_quietly().unwrap();
                crowd.give_database(kind, built).unwrap();
            }
            // It may be there, or be built in one go.
            _ => drop(crowd.build_in_frames(kind)),
        }
    }
}

/// The crowd that was saved, and those that were loaded, go on side by side.
#[test]
fn crowds_are_saved_at_any_time_and_go_on_exactly() {
    let (mut half_built, mut built) = (0, 0);
    for (number, budget) in [150, 2_000, 60_000].into_iter().enumerate() {
        let mut draws = Draws::new(number as u64, 0);
        let mut crowds = Vec::from([crowd_of_followers()]);
        let mut ends = Vec::from([u32::MAX]);
        let (mut saves, mut half_done) = (0, 0);
        for frame in 0..500 {
            if frame > 20 && draws.below(30) == 0 {
                build_some(&mut crowds, &mut draws);
            }
            // Now and then nothing is edited for some time, and all is put right.
            let edits = if frame % 100 < 70 { draws.below(3) } else { 0 };
            if frame < 300 && draws.below(12) == 0 {
                // Some of the edits are not settled yet.
                edit_all(&mut crowds, &mut draws, edits);
                let bytes = crowds[0].save();
                let loaded = Crowd::load(&bytes).unwrap();
                assert!(loaded.save() == bytes, "budget {budget}, frame {frame}");
                half_done += u32::from(crowds[0].kinds.iter().any(KindState::may_have_work));
                half_built += u32::from(crowds[0].kinds.iter().any(|kind| kind.build.is_some()));
                saves += 1;
                crowds.push(loaded);
                ends.push(frame + 200);
            } else {
                edit_all(&mut crowds, &mut draws, edits);
            }
            let expected = crowds[0].frame(FrameBudget::Work(budget));
            built += expected.built.len();
            check_moves(&crowds[0]);
            for loaded in &mut crowds[1..] {
                assert_eq!(
                    loaded.frame(FrameBudget::Work(budget)),
                    expected,
                    "budget {budget}, frame {frame}"
                );
            }
            let checksum = crowds[0].checksum();
            assert!(
                crowds.iter().all(|loaded| loaded.checksum() == checksum),
                "budget {budget}, frame {frame}"
            );
            crowds.iter_mut().for_each(send_on);
            let mut is_on = ends.iter().map(|&end| end > frame);
            crowds.retain(|_| is_on.next() == Some(true));
            ends.retain(|&end| end > frame);
        }
        assert!(saves > 10 && half_done > 5, "{saves} saves, {half_done} of them in the middle");
    }
    assert!(
        half_built > 5 && built > 0,
        "{half_built} saves in the middle of builds, of which {built} ended"
    );
}

#[test]
fn changed_bytes_of_databases_make_no_illegal_move() {
    let mut draws = Draws::new(1, 0);
    let mut crowds = Vec::from([crowd_of_followers()]);
    let mut accepted = 0;
    let frames = quick_or_long(60);
    for frame in 0..frames {
        edit_all(&mut crowds, &mut draws, 2);
        crowds[0].frame(FrameBudget::Work(1_000));
        send_on(&mut crowds[0]);
        let body = codec::open(&super::super::saved::SAVED_CROWD, &crowds[0].save()).unwrap().to_vec();
        for _ in 0..30 {
            let mut changed = body.clone();
            for _ in 0..=draws.below(3) {
                let place = draws.below(body.len() as u64) as usize;
                changed[place] = match draws.below(4) {
                    0 => changed[place].wrapping_add(1),
                    1 => changed[place].wrapping_sub(1),
                    2 => 0xff,
                    _ => draws.below(256) as u8,
                };
            }
            accepted += u32::from(try_out(&changed));
        }
        assert!(try_out(&body), "frame {frame}");
    }
    assert!(accepted > frames, "some changes make other crowds: {accepted}");
}

/// What a budget leaves in accounts and debts is saved, however large it is, while databases are put right.
#[test]
fn any_budget_before_saving_loads_again() {
    for budget in [0, 1, 1 << 32, 1 << 61, (1 << 61) + 1, i64::MAX as u64, u64::MAX] {
        let mut draws = Draws::new(budget, 0);
        let mut crowds = Vec::from([crowd_of_followers()]);
        for _ in 0..4 {
            edit_all(&mut crowds, &mut draws, 2);
            crowds[0].frame(FrameBudget::Work(budget));
            let mut loaded = Crowd::load(&crowds[0].save()).unwrap();
            let mut twin = crowds[0].clone();
            for next in [budget, 300] {
                let next = FrameBudget::Work(next);
                assert_eq!(loaded.frame(next), twin.frame(next), "{budget}");
                assert_eq!(loaded.checksum(), twin.checksum(), "{budget}");
            }
        }
    }
}
