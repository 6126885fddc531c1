//! Maps that change, targets that move, and units in each other's way.

use proptest::prelude::*;

use super::*;
use crate::crowd::tuning::BLOCKED;
use crate::test_maps::maps;

/// An open field with a wall across it that has two gates.
fn gates() -> Grid {
    Grid::from_fn(21, 11, |cell| cell.x != 10 || cell.y == 2 || cell.y == 8).unwrap()
}

fn crowd_on(grid: Grid, algorithm: &str, config: CrowdConfig) -> (Crowd, KindId) {
    let mut crowd = Crowd::with_config(grid, config);
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = super::algorithm(algorithm);
    let kind = crowd.add_kind(kind).unwrap();
    (crowd, kind)
}

#[test]
fn who_has_no_way_is_told_when_there_is_one() {
    let algorithms = ["beacon*", "lrta*", "tba*", "s-a*", "transit*"];
    for algorithm in algorithms {
        let (mut crowd, kind) = crowd_on(gates(), algorithm, CrowdConfig::default());
        let unit = crowd.add(kind, Cell::new(2, 2), Cell::new(18, 8), Priority::Normal).unwrap();
        crowd.frame(FrameBudget::Everyone);
        let both = [Cell::new(10, 2), Cell::new(10, 8)];
        assert_eq!(crowd.set_cells(both.map(|cell| (cell, false))), Ok(2));
        assert_eq!(crowd.set_cell(both[0], false), Ok(false));
        assert_eq!(crowd.frame(FrameBudget::Everyone).unreachable, [unit], "{algorithm}");
        assert_eq!(crowd.frame(FrameBudget::Everyone).served, 0);
        crowd.set_cell(Cell::new(10, 5), true).unwrap();
        let report = crowd.frame(FrameBudget::Everyone);
        assert_eq!((&report.reachable[..], report.served), (&[unit][..], 1), "{algorithm}");
        let arrived = (0..3000).any(|_| {
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd);
            crowd.report().arrived == [unit]
        });
        assert!(arrived, "{algorithm}");
    }
}

#[test]
fn cells_outside_cannot_be_edited() {
    let (mut crowd, _) = crowd_on(gates(), "lrta*", CrowdConfig::default());
    let message = crowd.set_cell(Cell::new(21, 0), true).unwrap_err().to_string();
    assert!(message.starts_with("cell (21, 0) is outside the map, which is 21 x 11 cells"), "{message}");
}

#[test]
fn a_pursuer_catches_whom_it_pursues() {
    for are_units_obstacles in [false, true] {
        let config = CrowdConfig { are_units_obstacles, ..CrowdConfig::default() };
        let (mut crowd, kind) = crowd_on(gates(), "beacon*", config);
        let hare = crowd.add(kind, Cell::new(18, 1), Cell::new(18, 1), Priority::Normal).unwrap();
        let hound = crowd.add(kind, Cell::new(1, 1), Cell::new(1, 1), Priority::Normal).unwrap();
        assert_eq!(crowd.pursue(hound, hound), Err(CrowdError::PursuesItself(hound)));
        crowd.pursue(hound, hare).unwrap();
        let mut caught = 0;
        for frame in 0..400 {
            // The hare runs now and then, slower than the hound.
            if frame % 40 == 0 {
                let to = if frame % 80 == 0 { Cell::new(2, 9) } else { Cell::new(19, 2) };
                crowd.set_goal(hare, to).unwrap();
            }
            let report = crowd.frame(FrameBudget::Everyone);
            caught += u32::from(report.arrived.contains(&hound));
            check_moves(&crowd);
        }
        assert!(caught >= 5, "{caught} {are_units_obstacles}");
        crowd.remove(hare).unwrap();
        assert_eq!(crowd.frame(FrameBudget::Everyone).lost, [hound]);
        assert_eq!(crowd.target(hound), Ok(None));
    }
}

#[test]
fn no_two_units_stand_on_one_cell() {
    let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
    let (mut crowd, kind) = crowd_on(gates(), "beacon*", config);
    let cells: Vec<Cell> = crowd.map().free_cells().collect();
    let units: Vec<UnitId> = (0..40)
        .map(|at| crowd.add(kind, cells[at * 5], cells[cells.len() - 1 - at * 5], Priority::Normal).unwrap())
        .collect();
    assert_eq!(crowd.add(kind, cells[0], cells[1], Priority::Normal), Err(CrowdError::Taken(cells[0])));
    let mut arrived = 0;
    for _ in 0..2000 {
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
        let mut places: Vec<Cell> = units.iter().map(|&unit| crowd.position(unit).unwrap()).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), units.len());
        arrived += crowd.report().arrived.len();
        send_on(&mut crowd);
    }
    assert!(arrived > 500, "{arrived}");
}

#[test]
fn who_cannot_pass_is_reported_as_blocked() {
    let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
    let (mut crowd, kind) = crowd_on(Grid::from_fn(9, 1, |_| true).unwrap(), "beacon*", config);
    // One stands in the corridor, the other wants to get past.
    crowd.add(kind, Cell::new(4, 0), Cell::new(4, 0), Priority::Normal).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 0), Priority::Normal).unwrap();
    let blocked: Vec<u32> = (0..200)
        .filter_map(|_| {
            let report = crowd.frame(FrameBudget::Everyone);
            (report.blocked == [unit]).then_some(report.frame)
        })
        .collect();
    // It walks up to the other one, pushes it along to the end, and is reported after so many turns of
    // waiting.
    assert!(matches!(blocked[..], [frame] if frame <= 12 + u32::from(BLOCKED)), "{blocked:?}");
}

#[test]
fn who_is_pushed_to_and_fro_is_reported_as_blocked() {
    // Two meet in a corridor, with a nook beside it that one of them can step into but does not know of.
    for nook in 0..20 {
        let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
        let map = Grid::from_fn(20, 2, |cell| cell.y == 0 || cell.x == nook).unwrap();
        let (mut crowd, kind) = crowd_on(map, "beacon*", config);
        let ends = [Cell::new(0, 0), Cell::new(19, 0)];
        let units = [(0, 1), (1, 0)]
            .map(|(from, to)| crowd.add(kind, ends[from], ends[to], Priority::Normal).unwrap());
        let (mut held_up, mut reported) = ([None; 2], [None; 2]);
        for frame in 0..400 {
            let report = crowd.frame(FrameBudget::Everyone);
            for (at, unit) in units.iter().enumerate() {
                if !report.moves.iter().any(|made| made.unit == *unit) {
                    held_up[at] = held_up[at].or(Some(frame));
                }
                if report.blocked.contains(unit) {
                    reported[at] = reported[at].or(Some(frame));
                }
            }
            check_moves(&crowd);
        }
        for (at, &unit) in units.iter().enumerate() {
            if crowd.status(unit) != Ok(UnitStatus::Arrived) {
                let (held_up, reported) = (held_up[at].unwrap(), reported[at].unwrap());
                // Before it was held up for good it may have been pushed, and have come nearer.
                assert!(reported - held_up <= 3 * u32::from(BLOCKED), "{nook}: {held_up} {reported}");
            }
        }
    }
}

proptest! {
    /// Whatever is built and torn down, no move is illegal, and what is said of ways is true.
    #[test]
    fn edits_leave_everything_in_order(
        space in maps(16),
        algorithm in prop::sample::select(alloc::vec!["beacon*(bound=60)", "lrta*", "tba*", "transit*(reach=20)"]),
        size in 1_u32..3,
        edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..60),
        are_units_obstacles in any::<bool>(),
    ) {
        let config = CrowdConfig { are_units_obstacles, ..CrowdConfig::default() };
        let mut crowd = Crowd::with_config(space.grid().clone(), config);
        let mut kind = Kind::new(space.rule(), space.costs());
        kind.algorithm = super::algorithm(algorithm);
        kind.size = size;
        let kind = crowd.add_kind(kind).unwrap();
        let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
        prop_assume!(!cells.is_empty());
        for at in 0..6 {
            let _ = crowd.add(kind, cells[at * 7 % cells.len()], cells[(at * 5 + 3) % cells.len()], Priority::Normal);
        }
        for (number, free) in edits {
            let width = crowd.map().width();
            let number = number % crowd.map().cell_count() as u32;
            crowd.set_cell(Cell::new(number % width, number / width), free).unwrap();
            crowd.frame(FrameBudget::Work(5000));
            check_moves(&crowd);
            let space = crowd.space(kind).unwrap();
            prop_assert_eq!(space.grid(), &GridSpace::new(crowd.kinds[0].kind.grid(crowd.map()), space.rule(), space.costs()).grid().clone());
            for &unit in &crowd.report().unreachable {
                let (from, to) = (crowd.position(unit).unwrap(), crowd.goal(unit).unwrap());
                prop_assert!(!space.components().same(from, to));
            }
            for unit in crowd.units() {
                if crowd.status(unit) == Ok(UnitStatus::Unreachable) {
                    prop_assert!(!space.components().same(crowd.position(unit).unwrap(), crowd.goal(unit).unwrap()));
                }
            }
        }
        // Once nothing changes any more, everyone who can get there does.
        if !are_units_obstacles {
            for _ in 0..3000 {
                crowd.frame(FrameBudget::Everyone);
            }
            for unit in crowd.units() {
                prop_assert!(matches!(crowd.status(unit), Ok(UnitStatus::Arrived | UnitStatus::Unreachable)), "{:?}", crowd.status(unit));
            }
        }
    }
}
