//! Kinds of units: size and ground.

use super::*;
use crate::formats::grid_from_art;
use crate::space::{CellWeights, QueryError};

const ART: &str = "
..........
....##....
....#.....
..........
....##....
";

#[test]
fn large_units_take_wide_ways() {
    let mut crowd = Crowd::new(grid_from_art(ART.trim()).unwrap());
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    let small = crowd.add_kind(kind.clone()).unwrap();
    kind.size = 2;
    let large = crowd.add_kind(kind).unwrap();
    let space = crowd.space(large).unwrap();
    assert!(space.grid().is_free(Cell::new(0, 0)) && !space.grid().is_free(Cell::new(9, 0)));
    // The square below and to the right of it is not free.
    assert!(!space.grid().is_free(Cell::new(3, 0)) && crowd.map().is_free(Cell::new(3, 0)));
    let start = Cell::new(0, 2);
    let there = crowd.add(small, start, Cell::new(8, 2), Priority::Normal).unwrap();
    let not = crowd.add(large, start, Cell::new(8, 2), Priority::Normal).unwrap();
    for _ in 0..30 {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!(
        (crowd.status(there), crowd.status(not)),
        (Ok(UnitStatus::Arrived), Ok(UnitStatus::Unreachable))
    );
    // A gap of two cells is enough.
    crowd.set_cells([(Cell::new(4, 2), true)]).unwrap();
    for _ in 0..30 {
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
    }
    assert_eq!(crowd.status(not), Ok(UnitStatus::Arrived));
    assert_eq!(crowd.set_cell(Cell::new(9, 3), false), Ok(true));
    assert!(!crowd.space(large).unwrap().grid().is_free(Cell::new(8, 2)));
}

#[test]
fn who_is_too_large_for_a_place_is_told_so() {
    let mut crowd = Crowd::new(grid_from_art(ART.trim()).unwrap());
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.size = 2;
    let large = crowd.add_kind(kind).unwrap();
    let free = Cell::new(0, 0);
    let narrow = Cell::new(3, 0);
    let no_room = |role| CrowdError::Query(QueryError::NoRoom { role, cell: narrow, size: 2 });
    assert_eq!(crowd.add(large, narrow, free, Priority::Normal), Err(no_room(Role::Start)));
    assert_eq!(crowd.add(large, free, narrow, Priority::Normal), Err(no_room(Role::Goal)));
    let unit = crowd.add(large, free, free, Priority::Normal).unwrap();
    assert_eq!(crowd.set_goal(unit, narrow), Err(no_room(Role::Goal)));
    let message = no_room(Role::Goal).to_string();
    assert!(message.starts_with("goal: there is no room for size 2 at (3, 0)"), "{message}");
    // A wall is a wall for everyone.
    let wall = crowd.set_goal(unit, Cell::new(4, 1)).unwrap_err().to_string();
    assert!(wall.contains("is blocked"), "{wall}");
}

#[test]
fn each_kind_has_its_own_ground() {
    let grid = Grid::from_fn(9, 9, |_| true).unwrap();
    let mut crowd = Crowd::new(grid);
    let mut boots = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    let wings = crowd.add_kind(boots.clone()).unwrap();
    // A swamp that only those on foot mind.
    let swamp = |cell: Cell| if cell.x == 4 && cell.y > 0 { 200 } else { 1 };
    boots.weights = Some(CellWeights::from_fn(9, 9, swamp).unwrap());
    let boots = crowd.add_kind(boots).unwrap();
    let start_goal = (Cell::new(0, 8), Cell::new(8, 8));
    let [flies, walks] =
        [wings, boots].map(|kind| crowd.add(kind, start_goal.0, start_goal.1, Priority::Normal).unwrap());
    let mut moves = [0, 0];
    for _ in 0..40 {
        crowd.frame(FrameBudget::Everyone);
        for made in &crowd.report().moves {
            moves[usize::from(made.unit == walks)] += 1;
            assert!(made.unit == flies || made.to.x != 4 || made.to.y == 0);
        }
    }
    assert_eq!(moves[0], 8);
    assert!(moves[1] >= 16, "{moves:?}");
    assert_eq!(crowd.status(walks), Ok(UnitStatus::Arrived));
    let mut large = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    (large.size, large.weights) = (2, Some(CellWeights::from_fn(9, 9, swamp).unwrap()));
    let large = crowd.add_kind(large).unwrap();
    assert_eq!(crowd.space(large).unwrap().weight(Cell::new(3, 5)), Some(200), "the heaviest cell counts");
    let mut wrong = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    wrong.weights = Some(CellWeights::from_fn(3, 3, |_| 1).unwrap());
    assert!(matches!(crowd.add_kind(wrong), Err(CrowdError::Space(_))));
}

/// A database that nobody would go by is refused, and so is one that was repaired: its file is of another
/// map.
#[test]
fn databases_that_do_not_fit_are_refused() {
    let grid = rooms().grid().clone();
    let mut crowd = Crowd::new(grid.clone());
    let space = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).space(&grid).unwrap();
    let beacons = algorithm("beacon*").build_database(&space, 1).unwrap().unwrap();
    let kind = |spec: &str| {
        Kind::new(MoveRule::NoCut, CostModel::Sqrt2)
            .with_algorithm(algorithm(spec))
            .with_database(beacons.clone())
    };
    assert!(crowd.add_kind(kind("beacon*")).is_ok());
    assert!(matches!(crowd.add_kind(kind("lrta*")), Err(CrowdError::UselessDatabase { .. })));
    assert!(matches!(crowd.add_kind(kind("transit*")), Err(CrowdError::Spec(_))));
    let transit = algorithm("transit*").build_database(&space, 1).unwrap();
    let with_relief = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_relief(transit);
    assert!(matches!(crowd.add_kind(with_relief), Err(CrowdError::UselessDatabase { .. })));
    let mut edited = space.clone();
    edited.set(Cell::new(0, 0), false);
    let mut maintained = beacons.clone().maintained();
    maintained.edit_fully(&edited, &[Cell::new(0, 0)]).unwrap();
    let repaired = kind("beacon*").with_database(maintained.database());
    assert_eq!(crowd.add_kind(repaired), Err(CrowdError::RepairedDatabase));
    let renewed = maintained.database().renewed(&edited).unwrap();
    assert!(Crowd::new(edited.grid().clone()).add_kind(kind("beacon*").with_database(renewed)).is_ok());
}

#[test]
fn names_are_numbers_elsewhere() {
    let mut crowd = Crowd::new(Grid::from_fn(4, 4, |_| true).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(3, 3), Priority::Normal).unwrap();
    let group = crowd.send([unit], Cell::new(3, 3)).unwrap();
    assert_eq!(UnitId::from_bits(unit.to_bits()), Some(unit));
    assert_eq!(KindId::from_bits(kind.to_bits()), Some(kind));
    assert_eq!(GroupId::from_bits(group.to_bits()), group);
    assert_eq!((UnitId::from_bits(1 << 48), KindId::from_bits(256)), (None, None));
    let other = UnitId::from_bits(unit.to_bits() + 1).unwrap();
    assert_eq!(crowd.position(other), Err(CrowdError::NoUnit(other)));
}
