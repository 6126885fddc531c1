//! Maps that change under units of every algorithm.

use proptest::prelude::*;
use surefoot::store::draws::Draws;

use super::*;

/// An open field with a wall across it that has two gates.
fn gates() -> Grid {
    Grid::from_fn(21, 11, |cell| cell.x != 10 || cell.y == 2 || cell.y == 8).unwrap()
}

#[test]
fn who_has_no_way_is_told_when_there_is_one() {
    let algorithms = [
        "beacon*",
        "pra*(k=2)",
        "lrta*",
        "knn-lrta*(n=50)",
        "hcdps*",
        "dba*(sector=5)",
        "d-lrta*(level=2)",
        "tba*",
    ];
    for algorithm in algorithms {
        let mut crowd = Crowd::new(gates());
        let kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_algorithm(super::algorithm(algorithm));
        let kind = crowd.add_kind(kind).unwrap();
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
            check_moves(&crowd, kind);
            crowd.report().arrived == [unit]
        });
        assert!(arrived, "{algorithm}");
    }
}

/// The map is edited hundreds of times while units are under way. No move is illegal. Once the edits end, everyone
/// arrives who can.
#[test]
fn units_of_every_database_get_over_hundreds_of_edits() {
    for algorithm in [
        "hcdps*(cutoff=10)",
        "dba*(sector=8)",
        "d-lrta*(level=2)",
        "knn-lrta*(n=200)",
        "knn-lrta-2009*(n=200)",
    ] {
        let (mut crowd, kind, units) = crowd_of(30, algorithm, CrowdConfig::default());
        let mut draws = Draws::new(7, 0);
        let mut arrived = 0;
        for _ in 0..600 {
            let (x, y) =
                (draws.below(u64::from(crowd.map().width())), draws.below(u64::from(crowd.map().height())));
            let cell = Cell::new(x as u32, y as u32);
            // Nobody is walled in.
            if units.iter().all(|&unit| crowd.position(unit) != Ok(cell)) {
                crowd.set_cell(cell, !crowd.map().is_free(cell)).unwrap();
            }
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd, kind);
            arrived += crowd.report().arrived.len();
            send_on(&mut crowd);
        }
        assert!(arrived > 100, "{algorithm}: {arrived}");
        for _ in 0..3000 {
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd, kind);
        }
        for unit in units {
            let (from, to) = (crowd.position(unit).unwrap(), crowd.goal(unit).unwrap());
            let is_there = crowd.status(unit) == Ok(UnitStatus::Arrived) && from == to;
            let space = crowd.space(kind).unwrap();
            assert!(
                is_there || !space.components().same(from, to),
                "{algorithm}: {unit} {:?}",
                crowd.status(unit)
            );
        }
    }
}

proptest! {
    /// Whatever is built and torn down, no move is illegal, and what is said of ways is true.
    #[test]
    fn edits_leave_everything_in_order(
        cells in prop::collection::vec(0_u8..20, 15 * 15),
        (width, height, walls, rule) in (1_u32..16, 1_u32..16, 0_u8..8, 0_usize..MoveRule::ALL.len()),
        algorithm in prop::sample::select(vec!["pra*(k=2)", "hcdps*(cutoff=3)", "dba*(sector=4)", "d-lrta*(level=1)", "knn-lrta*(n=20)", "knn-lrta-2009*(n=20)"]),
        size in 1_u32..3,
        edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..60),
        are_units_obstacles in any::<bool>(),
    ) {
        let config = CrowdConfig::default().with_units_as_obstacles(are_units_obstacles);
        let is_free = |cell: Cell| cells[(cell.y * 15 + cell.x) as usize] >= walls;
        let mut crowd = Crowd::with_config(Grid::from_fn(width, height, is_free).unwrap(), config);
        let mut kind = Kind::new(MoveRule::ALL[rule], CostModel::Sqrt2);
        kind.algorithm = super::algorithm(algorithm);
        kind.size = size;
        let seen = kind.clone();
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
            check_moves(&crowd, kind);
            let space = crowd.space(kind).unwrap();
            prop_assert_eq!(space.grid(), &GridSpace::new(seen.grid(crowd.map()), space.rule(), space.costs()).grid().clone());
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
