//! Units that are sent together, and units that are in each other's way.

use super::*;
use alloc::collections::BTreeSet;

fn obstacles() -> CrowdConfig {
    CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() }
}

/// A crowd of `count` units, one on each of the first free cells of every so many.
fn scattered(grid: Grid, count: usize, every: usize, config: CrowdConfig) -> (Crowd, Vec<UnitId>) {
    let mut crowd = Crowd::with_config(grid, config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let cells: Vec<Cell> = crowd.map().free_cells().step_by(every).take(count).collect();
    assert_eq!(cells.len(), count);
    let units = cells.into_iter().map(|cell| crowd.add(kind, cell, cell, Priority::Normal).unwrap());
    let units = units.collect();
    crowd.frame(FrameBudget::Everyone);
    (crowd, units)
}

/// The moves of the longest way that any of them has.
fn longest(crowd: &Crowd, units: &[UnitId], goal: Cell) -> usize {
    let moves = |&unit: &UnitId| {
        let kind = crowd.kind_of(unit).unwrap();
        crowd.path_between(kind, crowd.position(unit).unwrap(), goal).unwrap().unwrap().moves()
    };
    units.iter().map(moves).max().unwrap()
}

/// Frames until the group is settled: everyone on a cell of its own, told of once, every move legal.
fn settle(crowd: &mut Crowd, units: &[UnitId], goal: Cell, budget: u64, most: usize) -> usize {
    let group = crowd.send(units.iter().copied(), goal).unwrap();
    let mut arrived = BTreeSet::new();
    for frame in 1..=most {
        let report = crowd.frame(FrameBudget::Work(budget));
        check_moves(crowd);
        for &unit in &report.arrived {
            assert!(arrived.insert(unit), "{unit} is told of twice");
        }
        if report.settled == [group] {
            let places: BTreeSet<Cell> = units.iter().map(|&unit| crowd.position(unit).unwrap()).collect();
            assert_eq!((places.len(), arrived.len()), (units.len(), units.len()));
            assert!(units.iter().all(|&unit| crowd.status(unit) == Ok(UnitStatus::Arrived)));
            assert_eq!(crowd.members(group).count(), 0);
            return frame;
        }
    }
    let walking = units.iter().filter(|&&unit| crowd.status(unit) != Ok(UnitStatus::Arrived)).count();
    panic!("{walking} of {} are still on the way after {most} frames", units.len());
}

/// How far the farthest of them stands from a cell, in moves as the crow flies.
fn spread(crowd: &Crowd, units: &[UnitId], goal: Cell) -> u32 {
    units.iter().map(|&unit| crowd.position(unit).unwrap().moves_to(goal)).max().unwrap()
}

#[test]
fn a_group_spreads_around_its_goal() {
    for config in [CrowdConfig::default(), obstacles()] {
        let grid = Grid::from_fn(60, 50, |cell| cell.x != 30 || cell.y % 10 < 4).unwrap();
        let (mut crowd, units) = scattered(grid, 200, 13, config);
        let goal = Cell::new(45, 25);
        let most = 3 * longest(&crowd, &units, goal);
        settle(&mut crowd, &units, goal, 1_000_000, most);
        // 200 cells lie within 8 moves of one on open ground.
        assert!(spread(&crowd, &units, goal) <= 9, "{}", spread(&crowd, &units, goal));
        // And once more from where they stand, past the wall.
        let goal = Cell::new(3, 3);
        let most = 3 * longest(&crowd, &units, goal) + 30;
        settle(&mut crowd, &units, goal, 1_000_000, most);
    }
}

#[test]
fn two_thousand_obstacles_settle_in_one_place() {
    let grid = Grid::from_fn(160, 120, |cell| cell.x % 40 != 20 || cell.y % 24 < 12).unwrap();
    let (mut crowd, units) = scattered(grid, 2_000, 9, obstacles());
    let goal = Cell::new(80, 60);
    let most = 3 * longest(&crowd, &units, goal);
    let frames = settle(&mut crowd, &units, goal, 10_000_000, most);
    assert!(frames <= most);
    assert!(spread(&crowd, &units, goal) <= 40);
}

/// Saved in the middle, on any number of threads, it goes on as it would have.
#[test]
fn groups_are_saved() {
    for config in [CrowdConfig::default(), obstacles()] {
        let grid = || Grid::from_fn(40, 30, |cell| cell.x != 20 || cell.y > 20).unwrap();
        let (mut crowd, units) = scattered(grid(), 120, 7, config);
        let (mut parallel, _) = scattered(grid(), 120, 7, config.with_parallel(true));
        let mut loaded = crowd.clone();
        for frame in 0..150 {
            for crowd in [&mut crowd, &mut parallel, &mut loaded] {
                match frame {
                    0 => drop(crowd.send(units[..60].iter().copied(), (30, 5)).unwrap()),
                    5 => drop(crowd.send(units[40..].iter().copied(), (5, 25)).unwrap()),
                    20 => crowd.remove(units[50]).unwrap(),
                    25 => crowd.set_goal(units[51], Cell::new(0, 0)).unwrap(),
                    30 => drop(crowd.set_cell(Cell::new(30, 5), false).unwrap()),
                    _ => {}
                }
            }
            if frame % 3 == 0 {
                loaded = Crowd::load(&loaded.save()).unwrap();
            }
            let report = crowd.frame(FrameBudget::Work(20_000));
            check_moves(&crowd);
            assert_eq!(report, parallel.frame(FrameBudget::Work(20_000)), "frame {frame}");
            assert_eq!(report, loaded.frame(FrameBudget::Work(20_000)), "frame {frame}");
            assert_eq!((crowd.checksum(), crowd.checksum()), (parallel.checksum(), loaded.checksum()));
            assert!(crowd.save() == loaded.save(), "frame {frame}");
        }
    }
}

#[test]
fn groups_of_several_sizes_find_room() {
    let mut crowd = Crowd::with_config(Grid::from_fn(40, 40, |_| true).unwrap(), obstacles());
    let kinds = [1, 3, 2]
        .map(|size| crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_size(size)).unwrap());
    let units: Vec<UnitId> = (0..36)
        .map(|at| {
            let cell = Cell::new(at % 6 * 3, at / 6 * 3);
            crowd.add(kinds[at as usize % 3], cell, cell, Priority::Normal).unwrap()
        })
        .collect();
    crowd.frame(FrameBudget::Everyone);
    let group = crowd.send(units.iter().copied(), (30, 30)).unwrap();
    let settled = (0..400).any(|_| {
        let report = crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
        report.settled == [group]
    });
    let walking = units.iter().filter(|&&unit| crowd.status(unit) != Ok(UnitStatus::Arrived)).count();
    assert!(settled, "{walking} of 36 are on the way");
}

#[test]
fn groups_that_cannot_be_are_refused() {
    let (mut crowd, units) = scattered(Grid::from_fn(9, 9, |cell| cell.x != 4).unwrap(), 4, 3, obstacles());
    let before = crowd.checksum();
    assert!(matches!(crowd.send(units.iter().copied(), (4, 4)), Err(CrowdError::Query(_))));
    assert!(matches!(crowd.send(units.iter().copied(), (9, 0)), Err(CrowdError::Query(_))));
    crowd.remove(units[0]).unwrap();
    let gone = crowd.send(units.iter().copied(), (0, 0));
    assert_eq!(gone, Err(CrowdError::NoUnit(units[0])));
    assert_ne!(before, crowd.checksum());
    // One that stands on blocked ground stays.
    let place = crowd.position(units[1]).unwrap();
    crowd.set_cell(place, false).unwrap();
    let group = crowd.send(units[1..].iter().copied(), (0, 0)).unwrap();
    assert_eq!((crowd.group_of(units[1]), crowd.members(group).count()), (Ok(None), 2));
    assert!(Crowd::load(&crowd.save()).is_ok());
    crowd.set_cell(place, true).unwrap();
    crowd.stop(units[1]).unwrap();
    // Nobody: settled at once. Those beyond the wall: told of.
    let nobody = crowd.send([], (0, 0)).unwrap();
    let all = crowd.send(units[1..].iter().copied(), (8, 8)).unwrap();
    let mut settled = Vec::new();
    for _ in 0..60 {
        settled.extend(crowd.frame(FrameBudget::Everyone).settled.clone());
    }
    assert_eq!(settled, [group, nobody, all]);
}

/// Two columns meet in a corridor of one cell's width. The one that was sent first goes through.
#[test]
fn a_corridor_is_cleared() {
    let is_free = |cell: Cell| cell.y == 10 || !(12..48).contains(&cell.x);
    for (count, most) in [(1, 300), (12, 1_500)] {
        let mut crowd = Crowd::with_config(Grid::from_fn(60, 21, is_free).unwrap(), obstacles());
        let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
        let mut column = |x: u32| -> Vec<UnitId> {
            let cells = (0..count).map(|at| Cell::new(x + at / 6, 7 + at % 6));
            cells.map(|cell| crowd.add(kind, cell, cell, Priority::Normal).unwrap()).collect()
        };
        let (left, right) = (column(4), column(52));
        crowd.frame(FrameBudget::Everyone);
        crowd.send(left.iter().copied(), (55, 3)).unwrap();
        crowd.send(right.iter().copied(), (3, 17)).unwrap();
        let mut settled = 0;
        for _ in 0..most {
            settled += crowd.frame(FrameBudget::Everyone).settled.len();
            check_moves(&crowd);
        }
        assert_eq!(settled, 2, "{count} on each side");
    }
}

#[test]
fn every_step_in_a_throng_is_told_of() {
    for seed in 0..12_u32 {
        let (mut crowd, units) = scattered(Grid::from_fn(14, 14, |_| true).unwrap(), 90, 2, obstacles());
        let mut places: Vec<Cell> = units.iter().map(|&unit| crowd.position(unit).unwrap()).collect();
        for frame in 0..150_u32 {
            if frame % 25 == 0 {
                for part in 0..3_usize {
                    let group = units.iter().copied().skip(part).step_by(3);
                    let goal =
                        Cell::new((seed * 5 + frame + 4 * part as u32) % 14, (seed + 7 * part as u32) % 14);
                    crowd.send(group, goal).unwrap();
                }
            }
            for made in &crowd.frame(FrameBudget::Everyone).moves {
                let at = units.iter().position(|&unit| unit == made.unit).unwrap();
                assert_eq!(core::mem::replace(&mut places[at], made.to), made.from, "{made:?}");
            }
            for (&unit, &place) in units.iter().zip(&places) {
                assert_eq!(crowd.position(unit), Ok(place), "{unit} with seed {seed} in frame {frame}");
            }
        }
    }
}

#[test]
fn kinds_of_a_group_leave_room_for_each_other() {
    // There are just as many cells as units: what one kind has to spare it must not take from another.
    let mut crowd = Crowd::with_config(Grid::from_fn(9, 2, |cell| cell.x < 4).unwrap(), obstacles());
    let rules = [MoveRule::NoCut, MoveRule::Cardinal];
    let kinds = rules.map(|rule| crowd.add_kind(Kind::new(rule, CostModel::Sqrt2)).unwrap());
    let cells: Vec<Cell> = crowd.map().free_cells().collect();
    let units: Vec<UnitId> =
        (0..8).map(|at| crowd.add(kinds[at % 2], cells[at], cells[at], Priority::Normal).unwrap()).collect();
    crowd.frame(FrameBudget::Everyone);
    crowd.send(units.iter().copied(), (0, 0)).unwrap();
    let mut slots: Vec<State> = Vec::new();
    for group in crowd.groups.values() {
        slots.extend(group.kinds.values().flat_map(|slots| &slots.places));
        assert!(group.kinds.values().all(|slots| slots.places.len() == slots.wanted));
    }
    slots.sort_unstable();
    slots.dedup();
    assert_eq!(slots.len(), 8);
}

#[test]
fn two_kinds_in_a_dead_end_settle() {
    // Each has the other one's place, and there is no room to pass.
    let mut crowd = Crowd::with_config(Grid::from_fn(3, 1, |_| true).unwrap(), obstacles());
    let rules = [MoveRule::NoCut, MoveRule::Cardinal];
    let kinds = rules.map(|rule| crowd.add_kind(Kind::new(rule, CostModel::Sqrt2)).unwrap());
    for goal in 0..3 {
        for places in [[0, 1], [1, 0], [1, 2], [2, 1], [0, 2], [2, 0]] {
            let mut crowd = crowd.clone();
            let add = |at: usize| {
                let cell = Cell::new(places[at], 0);
                crowd.add(kinds[at], cell, cell, Priority::Normal).unwrap()
            };
            let units = [0, 1].map(add);
            settle(&mut crowd, &units, Cell::new(goal, 0), 10_000, 200);
        }
    }
}

#[test]
fn a_unit_may_be_held_up_for_as_long_as_it_likes() {
    let mut crowd = Crowd::with_config(Grid::from_fn(3, 1, |_| true).unwrap(), obstacles());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    for (start, goal) in [(0, 2), (1, 1), (2, 2)] {
        crowd.add(kind, Cell::new(start, 0), Cell::new(goal, 0), Priority::Normal).unwrap();
    }
    for _ in 0..=u16::MAX {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!(crowd.lanes[0].held[&0].refused, u16::MAX);
    assert!(crowd.frame(FrameBudget::Everyone).moves.is_empty());
}
