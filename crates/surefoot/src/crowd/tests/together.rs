//! Units that go to the same place.

use super::*;
use crate::space::{Heuristic as _, PathCost};

/// A crowd on ground with many corners. All go to one of two places.
fn together(rule: MoveRule, count: usize, config: CrowdConfig) -> (Crowd, Vec<UnitId>) {
    let is_free =
        |cell: Cell| !(cell.x * 7 + cell.y * 13).is_multiple_of(17) && (cell.x % 16 != 9 || cell.y % 8 == 3);
    let mut crowd = Crowd::with_config(Grid::from_fn(64, 48, is_free).unwrap(), config);
    let kind = crowd.add_kind(Kind::new(rule, CostModel::Sqrt2)).unwrap();
    let cells: Vec<Cell> = crowd.map().free_cells().collect();
    let goals = [cells[3], cells[cells.len() - 2]];
    let units = (0..count).map(|at| {
        // Neighbours in a lane have different goals.
        let goal = goals[at / LANES % 2];
        crowd.add(kind, cells[at * 37 % cells.len()], goal, Priority::ALL[at % 3]).unwrap()
    });
    let units = units.collect();
    (crowd, units)
}

#[test]
fn who_goes_to_the_same_place_walks_a_cheapest_way() {
    for rule in MoveRule::ALL {
        let (mut crowd, units) = together(rule, 200, CrowdConfig::default());
        let space = crowd.space(KindId(0)).unwrap().clone();
        let mut best = Vec::new();
        for &unit in &units {
            let ends = [crowd.position(unit), crowd.goal(unit)].map(|cell| space.state(cell.unwrap()));
            best.push(Dijkstra::new().find(&space, ends[0], ends[1]).unwrap().cost().unwrap());
        }
        let mut walked = alloc::vec![0; units.len()];
        for _ in 0..500 {
            for made in &crowd.frame(FrameBudget::Everyone).moves {
                let number = units.iter().position(|&unit| unit == made.unit).unwrap();
                space.for_each_successor(space.state(made.from), |to, cost| {
                    walked[number] += if space.cell(to) == made.to { cost } else { 0 };
                });
            }
            check_moves(&crowd);
        }
        assert!(units.iter().all(|&unit| crowd.status(unit) == Ok(UnitStatus::Arrived)), "{rule}");
        assert_eq!(walked, best, "{rule}");
    }
}

#[test]
fn a_goal_looks_around_once_for_all() {
    let (crowd, units) = together(MoveRule::NoCut, 320, CrowdConfig::default());
    let all = crowd.clone().frame(FrameBudget::Everyone).work;
    let alone = |&unit: &UnitId| {
        let mut crowd = crowd.clone();
        units.iter().filter(|&&other| other != unit).for_each(|&other| crowd.remove(other).unwrap());
        crowd.frame(FrameBudget::Everyone).work
    };
    let alone: u64 = units.iter().map(alone).sum();
    assert!(all * 4 < alone * 3, "{all} together, {alone} one by one");
}

#[test]
fn what_a_goal_sees_is_not_remembered_between_frames() {
    let one_thread = CrowdConfig::default();
    let all_threads = CrowdConfig { is_parallel: true, ..one_thread };
    let (mut crowd, _) = together(MoveRule::Squeeze, 300, one_thread);
    let (mut parallel, _) = together(MoveRule::Squeeze, 300, all_threads);
    for frame in 0..120 {
        // So little that it takes many frames until everyone has chosen. Then the map is edited, and some
        // choose again.
        if frame % 40 == 39 {
            let cell = Cell::new(frame % 64, frame % 48);
            let is_free = crowd.map().is_free(cell);
            crowd.set_cell(cell, !is_free).unwrap();
            parallel.set_cell(cell, !is_free).unwrap();
        }
        let mut loaded = Crowd::load(&crowd.save()).unwrap();
        let report = crowd.frame(FrameBudget::Work(3_000));
        assert_eq!(report, parallel.frame(FrameBudget::Work(3_000)), "threads, frame {frame}");
        assert_eq!(report, loaded.frame(FrameBudget::Work(3_000)), "loaded, frame {frame}");
        assert_eq!(crowd.checksum(), parallel.checksum(), "frame {frame}");
        assert_eq!(crowd.checksum(), loaded.checksum(), "frame {frame}");
        assert!(crowd.save() == loaded.save(), "frame {frame}");
    }
}

/// Units that stand together have the rest of each other's ways: exactly, and for far less.
#[test]
fn a_gathered_group_shares_its_ways() {
    for rule in MoveRule::ALL {
        let is_free = |cell: Cell| {
            (cell.x % 30 != 29 || cell.y % 20 > 16) && !(cell.x * 5 + cell.y * 3).is_multiple_of(71)
        };
        let mut crowd = Crowd::new(Grid::from_fn(120, 60, is_free).unwrap());
        let kind = crowd.add_kind(Kind::new(rule, CostModel::Sqrt2)).unwrap();
        let cells: Vec<Cell> = crowd.map().free_cells().filter(|cell| cell.x < 26 && cell.y < 30).collect();
        let goal = Cell::new(100, 40);
        let units: Vec<UnitId> =
            cells.iter().map(|&cell| crowd.add(kind, cell, goal, Priority::Normal).unwrap()).collect();
        let expected = crowd.costs(kind, goal, cells.iter().copied()).unwrap();
        let paths: Vec<_> = {
            crowd.frame(FrameBudget::Everyone);
            units.iter().map(|&unit| crowd.path(unit).unwrap().map(|path| path.cost())).collect()
        };
        let space = crowd.space(kind).unwrap();
        for ((&cell, path), expected) in cells.iter().zip(paths).zip(expected) {
            // A move of each way is made.
            let unit = units[cells.iter().position(|&other| other == cell).unwrap()];
            let here = crowd.position(unit).unwrap();
            let gone = space.path_cost(space.estimate(space.state(cell), space.state(here)));
            assert_eq!(
                path.map(|path| path.amount() + gone.amount()),
                expected.map(PathCost::amount),
                "{rule} {cell}"
            );
        }
    }
}
