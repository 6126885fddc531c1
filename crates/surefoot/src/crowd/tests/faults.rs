//! What an attack on crowds broke once, and must not break again.

use super::*;
use crate::agent::Agent;
use crate::formats::grid_from_art;

fn obstacles() -> CrowdConfig {
    CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() }
}

/// No two units on one cell, no move of more than a cell, and every unit where the report says.
fn check_places(crowd: &Crowd, before: &[(UnitId, Cell)], report: &FrameReport) {
    let mut cells = alloc::collections::BTreeSet::new();
    for &(unit, from) in before {
        let Ok(to) = crowd.position(unit) else { continue };
        assert!(from.moves_to(to) <= 1, "{unit} jumps from {from} to {to}");
        let made = report.moves.iter().find(|made| made.unit == unit);
        let told = made.map(|made| (made.from, made.to));
        assert_eq!(told, (from != to).then_some((from, to)), "{unit}");
        if crowd.config().are_units_obstacles {
            assert!(cells.insert((to.x, to.y)), "two units on {to}");
        }
    }
}

fn places(crowd: &Crowd) -> Vec<(UnitId, Cell)> {
    crowd.units().map(|unit| (unit, crowd.position(unit).unwrap())).collect()
}

/// A frame, with all that is checked after it.
fn checked_frame(crowd: &mut Crowd, budget: FrameBudget<'_>) -> Arc<FrameReport> {
    let before = places(crowd);
    let report = crowd.frame(budget);
    check_places(crowd, &before, &report);
    check_moves(crowd);
    let loaded = Crowd::load(&crowd.save()).unwrap();
    assert_eq!(loaded.checksum(), crowd.checksum());
    report
}

#[test]
fn a_unit_that_is_held_up_does_not_jump_when_cells_are_blocked_under_it_or_others() {
    // One stands on (2, 0) for good; another wants past it, and is held up on (1, 0).
    let held_up = || {
        let mut crowd = Crowd::with_config(grid_from_art(".....").unwrap(), obstacles());
        let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
        let (here, there) = (Cell::new(2, 0), Cell::new(4, 0));
        let stands = crowd.add(kind, here, here, Priority::Normal).unwrap();
        let held = crowd.add(kind, Cell::new(1, 0), there, Priority::Normal).unwrap();
        for _ in 0..2 {
            checked_frame(&mut crowd, FrameBudget::Everyone);
        }
        (crowd, stands, held)
    };
    for blocked in [1, 4, 2].map(|x| Cell::new(x, 0)) {
        let (mut crowd, stands, held) = held_up();
        crowd.set_cell(blocked, false).unwrap();
        let mut unreachable = Vec::new();
        for _ in 0..6 {
            unreachable.extend_from_slice(&checked_frame(&mut crowd, FrameBudget::Everyone).unreachable);
        }
        assert_eq!(unreachable, [held], "{blocked}: it says so, once");
        assert_eq!(crowd.status(held), Ok(UnitStatus::Unreachable));
        // Once all is as before, and nobody is in the way, it goes on.
        crowd.set_cell(blocked, true).unwrap();
        crowd.remove(stands).unwrap();
        for _ in 0..8 {
            checked_frame(&mut crowd, FrameBudget::Everyone);
        }
        assert_eq!(crowd.position(held), Ok(Cell::new(4, 0)), "{blocked}");
        assert_eq!(crowd.status(held), Ok(UnitStatus::Arrived));
    }
}

#[test]
fn a_crowd_that_digs_and_builds_under_its_units_keeps_everyone_where_they_stand() {
    let mut random = 7_u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    for round in 0..12 {
        let is_free = |cell: Cell| !(cell.x * 7 + cell.y * 3 + round).is_multiple_of(5);
        let mut crowd = Crowd::with_config(Grid::from_fn(12, 9, is_free).unwrap(), obstacles());
        let mut kind = Kind::new(MoveRule::ALL[round as usize % 4], CostModel::Sqrt2);
        kind.algorithm = algorithm(["beacon*", "lrta*", "tba*(slice=5)"][round as usize % 3]);
        let kind = crowd.add_kind(kind).unwrap();
        for frame in 0..120 {
            let cell = |at: usize| Cell::new((at % 12) as u32, (at / 12) as u32);
            if frame < 30 {
                let _ = crowd.add(kind, cell(below(108)), cell(below(108)), Priority::Normal);
            }
            let units: Vec<UnitId> = crowd.units().collect();
            if frame % 3 == 0 && !units.is_empty() {
                // Mostly under a unit, or next to one.
                let at = crowd.position(units[below(units.len())]).unwrap();
                let free = crowd.map().is_free(at);
                crowd.set_cell(at, !free || below(3) == 0).unwrap();
                let any = cell(below(108));
                crowd.set_cell(any, below(3) > 0).unwrap();
            }
            if frame % 7 == 0 && units.len() > 2 {
                let _ = crowd.pursue(units[below(units.len())], units[below(units.len())]);
                let _ = crowd.set_goal(units[below(units.len())], cell(below(108)));
            }
            checked_frame(&mut crowd, FrameBudget::Work(200));
        }
    }
}

#[test]
fn a_pursuer_that_cannot_get_to_its_target_looks_for_the_nearest_place_within_the_budget() {
    // Pursuers in a pen in one corner; a target that walks at the other end of a cluttered map, with more
    // runs of cells than one look sees.
    let is_free = |cell: Cell| match cell {
        Cell { x: 0..=11, y: 0..=11 } => cell.x < 11 && cell.y < 11,
        _ => cell.y > 290 || !(cell.x * 31 + cell.y * 17 + cell.x * cell.y).is_multiple_of(4),
    };
    let mut crowd = Crowd::new(Grid::from_fn(300, 300, is_free).unwrap());
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = algorithm("lrta*(d=1)");
    let kind = crowd.add_kind(kind).unwrap();
    let target = crowd.add(kind, Cell::new(20, 295), Cell::new(280, 295), Priority::High).unwrap();
    let hounds: Vec<UnitId> = (0..40)
        .map(|at| {
            let cell = Cell::new(at % 10, at / 10);
            let hound = crowd.add(kind, cell, cell, Priority::Normal).unwrap();
            crowd.pursue(hound, target).unwrap();
            hound
        })
        .collect();
    let bound = crowd.kinds[0].bound.unwrap() + super::super::pursuit::LOOK_WORK;
    let (budget, mut total) = (100, 0);
    let mut arrived = Vec::new();
    for frame in 1..=40_000 {
        let report = crowd.frame(FrameBudget::Work(budget));
        total += report.work;
        assert!(total <= budget * (frame + 1) + LANES as u64 * bound, "{total} in {frame} frames");
        arrived.extend(report.arrived.iter().copied().filter(|unit| *unit != target));
    }
    let runs: u64 = (0..300).map(|y| crowd.space(kind).unwrap().components().row(y).count() as u64).sum();
    assert!(runs > 4096 && total >= 40 * runs / 16, "the looks are counted: {total}");
    // All are as near to the target as they can be, and said so.
    assert_eq!(crowd.position(target), Ok(Cell::new(280, 295)));
    let space = crowd.space(kind).unwrap();
    for &hound in &hounds {
        let place = crowd.position(hound).unwrap();
        let nearest = space.nearest_reachable(crowd.place_of(hound.slot), Cell::new(280, 295));
        assert_eq!(place, space.cell(nearest));
        assert_eq!(crowd.status(hound), Ok(UnitStatus::Arrived));
        assert!(arrived.contains(&hound));
    }
    // Nothing has changed: nobody looks again.
    assert_eq!(crowd.frame(FrameBudget::Work(budget)).served, 0);
}

#[test]
fn a_crowd_is_saved_and_loaded_in_the_middle_of_a_pursuers_search() {
    let is_free = |cell: Cell| cell.x < 2 || cell.x > 2 && !(cell.x + cell.y).is_multiple_of(2);
    let mut crowd = Crowd::new(Grid::from_fn(200, 200, is_free).unwrap());
    let mut kind = Kind::new(MoveRule::Squeeze, CostModel::Sqrt2);
    kind.algorithm = algorithm("lrta*");
    let kind = crowd.add_kind(kind).unwrap();
    let (hound, hare) = (Cell::new(0, 0), Cell::new(198, 199));
    let hound = crowd.add(kind, hound, hound, Priority::Normal).unwrap();
    let hare = crowd.add(kind, hare, Cell::new(198, 101), Priority::Normal).unwrap();
    crowd.pursue(hound, hare).unwrap();
    let mut is_in_the_middle = false;
    for _ in 0..400 {
        crowd.frame(FrameBudget::Everyone);
        let mut loaded = Crowd::load(&crowd.save()).unwrap();
        is_in_the_middle |= crowd.lanes[0].pursuits[&0].search.is_some();
        let mut twin = crowd.clone();
        for frame in 0..3 {
            assert_eq!(loaded.frame(FrameBudget::Everyone), twin.frame(FrameBudget::Everyone), "{frame}");
        }
        assert_eq!(loaded.save(), twin.save());
    }
    assert!(is_in_the_middle, "the search takes more than one turn");
    assert_eq!(crowd.position(hound), Ok(Cell::new(1, 101)));
}

#[test]
fn a_crowd_with_any_budget_can_be_saved() {
    for budget in [0, 1, 1 << 60, 1 << 61, 1 << 62, i64::MAX as u64, u64::MAX] {
        let (mut crowd, _) = crowd_of(20, "beacon*", CrowdConfig::default());
        for _ in 0..3 {
            crowd.frame(FrameBudget::Work(budget));
            let mut loaded = Crowd::load(&crowd.save()).unwrap();
            assert_eq!(loaded.checksum(), crowd.checksum(), "{budget}");
            assert_eq!(
                loaded.frame(FrameBudget::Work(10)),
                crowd.clone().frame(FrameBudget::Work(10)),
                "{budget}"
            );
        }
    }
}

#[test]
fn the_longest_patience_runs_out() {
    for patience in [u16::MAX - 1, u16::MAX] {
        let grid = Grid::from_fn(150_000, 1, |_| true).unwrap();
        let mut crowd = Crowd::with_config(grid, CrowdConfig { patience, ..CrowdConfig::default() });
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.algorithm = algorithm("lrta*(d=1)");
        let kind = crowd.add_kind(kind).unwrap();
        crowd.add(kind, Cell::new(0, 0), Cell::new(149_999, 0), Priority::High).unwrap();
        for x in 1..16 {
            crowd.add(kind, Cell::new(x, 0), Cell::new(x, 0), Priority::Normal).unwrap();
        }
        let low = crowd.add(kind, Cell::new(50, 0), Cell::new(60, 0), Priority::Low).unwrap();
        let mut stated = None;
        let served = (0_u64..140_000).find(|_| {
            let report = crowd.frame(FrameBudget::Work(1));
            stated = stated.or(report.wait_bound.filter(|_| report.waiting > 0));
            report.moves.iter().any(|made| made.unit == low)
        });
        let waited = served.expect("its turn comes");
        assert!(waited >= u64::from(patience) && waited <= stated.unwrap() + 1, "{waited} of {stated:?}");
    }
}

#[test]
fn cells_are_changed_all_or_none() {
    let (mut crowd, _) = crowd_of(3, "beacon*", CrowdConfig::default());
    let before = crowd.checksum();
    let width = crowd.map().width();
    let cells = [(Cell::new(0, 0), false), (Cell::new(width, 0), false)];
    assert!(matches!(crowd.set_cells(cells), Err(CrowdError::Query(_))));
    assert_eq!((crowd.checksum(), crowd.map().is_free(Cell::new(0, 0))), (before, true));
    // Both ways in one call: it changes twice, and is as it was.
    assert_eq!(crowd.set_cells([(Cell::new(0, 0), false), (Cell::new(0, 0), true)]), Ok(2));
    assert_eq!(crowd.checksum(), before);
    assert!(crowd.kinds[0].changed.is_empty());
}

#[test]
fn large_units_follow_edits_of_any_number() {
    let is_free = |cell: Cell| !(cell.x * 31 + cell.y * 17 + cell.x * cell.y).is_multiple_of(37);
    for size in [2, 5, 64] {
        let mut crowd = Crowd::new(Grid::from_fn(90, 70, is_free).unwrap());
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        (kind.size, kind.algorithm) = (size, algorithm("lrta*"));
        let kind = crowd.add_kind(kind).unwrap();
        for count in [1, 3, 40, 4000, 1, 6300] {
            let cells = (0..count).map(|at| at * 13 % 6300).map(|at| (Cell::new(at % 90, at / 90), true));
            let is_dug = size == 64 || count % 2 == 1;
            crowd.set_cells(cells.map(|(cell, _)| (cell, is_dug))).unwrap();
            let space = crowd.space(kind).unwrap();
            let expected = crowd.kinds[0].kind.grid(crowd.map());
            assert_eq!(space.grid(), &expected, "size {size}, {count} cells");
            let fresh = GridSpace::new(expected, MoveRule::NoCut, CostModel::Sqrt2);
            assert_eq!(space.components(), fresh.components());
        }
    }
}

#[test]
fn units_that_are_told_of_an_edit_are_counted() {
    let (mut crowd, units) = crowd_of(60, "lrta*", CrowdConfig::default());
    crowd.frame(FrameBudget::Everyone);
    crowd.set_cell(Cell::new(0, 0), false).unwrap();
    assert!(crowd.frame(FrameBudget::Everyone).upkeep >= units.len() as u64);
}

#[test]
fn a_report_can_be_kept_while_the_crowd_is_used() {
    let (mut crowd, _) = crowd_of(20, "beacon*", CrowdConfig::default());
    let first = crowd.frame(FrameBudget::Everyone);
    let goal = crowd.map().free_cells().next().unwrap();
    for made in &first.moves {
        assert_eq!(crowd.position(made.unit), Ok(made.to));
        crowd.set_goal(made.unit, goal).unwrap();
    }
    let second = crowd.frame(FrameBudget::Everyone);
    assert_eq!((first.frame, second.frame, first.moves.len()), (1, 2, 20));
    assert_eq!(*second, *crowd.report());
}

/// What a game shares between threads. It is the compiler that tests this.
#[test]
fn what_a_game_shares_can_be_shared() {
    fn is_shared<T: Send + Sync + ?Sized + 'static>() {}
    is_shared::<Crowd>();
    is_shared::<Arc<FrameReport>>();
    is_shared::<Kind>();
    is_shared::<dyn crate::store::Database>();
    is_shared::<GridSpace>();
    is_shared::<alloc::boxed::Box<dyn Agent>>();
}

#[test]
fn nobody_waits_longer_than_stated_where_units_are_pushed_aside() {
    // A jam: all want to the other end of a hall with pillars, by beacons.
    let is_free = |cell: Cell| !(cell.x % 4 == 2 && cell.y % 3 == 1);
    let mut crowd = Crowd::with_config(Grid::from_fn(40, 9, is_free).unwrap(), obstacles());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    for (number, cell) in crowd.map().free_cells().collect::<Vec<_>>().into_iter().enumerate() {
        let goal = Cell::new(39 - cell.x, cell.y);
        if (cell.x < 6 || cell.x > 33) && crowd.map().is_free(goal) {
            crowd.add(kind, cell, goal, Priority::ALL[number % 3]).unwrap();
        }
    }
    let (mut stated, mut longest) = (u64::MAX, 0);
    for frame in 0..400 {
        let report = crowd.frame(FrameBudget::Work(300));
        let waited = u64::from(report.longest_wait);
        assert!(waited <= stated.max(1), "frame {frame}: {waited} frames, not {stated}");
        (stated, longest) = (report.wait_bound.unwrap(), longest.max(waited));
    }
    assert!(longest > 8, "there is not enough for all: {longest}");
}

#[test]
fn a_unit_by_relief_that_steps_aside_does_not_go_back_to_learning() {
    let mut crowd = Crowd::with_config(
        grid_from_art("......\n......").unwrap(),
        CrowdConfig { are_units_obstacles: true, most_learned: 0, ..CrowdConfig::default() },
    );
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    let space = kind.space(crowd.map()).unwrap();
    kind.relief = algorithm("beacon*").build_database(&space, 1).unwrap();
    kind.algorithm = algorithm("lrta*");
    let kind = crowd.add_kind(kind).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(5, 0), Priority::Normal).unwrap();
    let state = &crowd.kinds[0];
    let walker = &mut crowd.lanes[0].units[0].walker;
    assert!(walker.relieve(state) && matches!(walker, UnitWalker::Beacons(_)));
    walker.put_at(state, State(6)).unwrap();
    assert!(matches!(walker, UnitWalker::Beacons(_)));
    assert_eq!(crowd.goal(unit), Ok(Cell::new(5, 0)));
}
