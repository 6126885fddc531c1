//! Tests of crowds, by what they are about.

mod astray;
mod building;
mod changes;
mod checkpoints;
mod fairness;
mod faults;
mod groups;
mod kinds;
mod links;
mod load;
mod pace;
mod questions;
mod random;
mod saved;
mod together;
mod upkeep;
mod weights;

use alloc::string::ToString;
use alloc::vec::Vec;

use super::occupied::is_legal;
use super::*;
use crate::agent::{Algorithm, CORE};
use crate::search::Dijkstra;
use crate::space::{CostModel, MoveRule, StateSpace as _};
use crate::test_maps::{quick_or_long, rooms};

fn algorithm(spec: &str) -> Algorithm {
    CORE.algorithm(&spec.parse().unwrap()).unwrap()
}

/// A crowd on the map with rooms: units that go from corner to corner, one after the other.
fn crowd_of(count: usize, algorithm: &str, config: CrowdConfig) -> (Crowd, Vec<UnitId>) {
    let mut crowd = Crowd::with_config(rooms().grid().clone(), config);
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = self::algorithm(algorithm);
    let kind = crowd.add_kind(kind).unwrap();
    let cells: Vec<Cell> = crowd.map().free_cells().collect();
    let units = (0..count).map(|at| {
        let (start, goal) = (cells[at * 7 % cells.len()], cells[(at * 31 + 5) % cells.len()]);
        crowd.add(kind, start, goal, Priority::ALL[at % 3]).unwrap()
    });
    let units = units.collect();
    (crowd, units)
}

/// New goals for all who arrived, by the frame and the unit alone.
fn send_on(crowd: &mut Crowd) {
    let cells: Vec<Cell> = crowd.map().free_cells().collect();
    for unit in crowd.report().arrived.clone() {
        let at = (u64::from(crowd.report().frame) * 17 + unit.to_number() * 5) as usize % cells.len();
        if crowd.target(unit) == Ok(None) {
            crowd.set_goal_or_nearest(unit, cells[at]).unwrap();
        }
    }
}

/// Every move of the last frame must be legal.
fn check_moves(crowd: &Crowd) {
    for Move { unit, from, to } in crowd.report().moves.iter().copied() {
        let space = crowd.space_of(unit).unwrap();
        assert!(is_legal(space, space.state(from), space.state(to)), "{unit} goes from {from} to {to}");
        assert_eq!(crowd.position(unit), Ok(to));
    }
    assert_eq!(crowd.report().overdrawn, 0);
}

/// What the moves of a unit in the last frame cost.
fn cost_of_moves(crowd: &Crowd, unit: UnitId) -> u64 {
    let space = crowd.space_of(unit).unwrap();
    let mut cost = 0;
    for made in crowd.report().moves.iter().filter(|made| made.unit == unit) {
        space.for_each_successor(space.state(made.from), |to, of_move| {
            cost += if space.cell(to) == made.to { of_move } else { 0 };
        });
    }
    cost
}

#[test]
fn everyone_arrives_whatever_the_algorithm() {
    for algorithm in ["beacon*", "lrta*", "tba*(slice=5)", "s-a*(slice=20)", "transit*"] {
        let (mut crowd, units) = crowd_of(40, algorithm, CrowdConfig::default());
        let mut arrived = Vec::new();
        for _ in 0..2000 {
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd);
            arrived.extend_from_slice(&crowd.report().arrived);
        }
        arrived.sort_unstable();
        assert_eq!(arrived, units, "{algorithm}: each once");
        for unit in units {
            assert_eq!(crowd.position(unit), crowd.goal(unit));
            assert_eq!(crowd.status(unit), Ok(UnitStatus::Arrived));
        }
    }
}

#[test]
fn units_that_learned_too_much_go_on_by_other_means() {
    let config = CrowdConfig { most_learned: 3, ..CrowdConfig::default() };
    let (mut crowd, units) = crowd_of(40, "lrta*", config);
    let mut relieved = 0;
    for _ in 0..500 {
        relieved += crowd.frame(FrameBudget::Everyone).relieved;
        check_moves(&crowd);
    }
    assert!(relieved > 0);
    assert!(units.iter().all(|&unit| crowd.status(unit) == Ok(UnitStatus::Arrived)));
}

#[test]
fn names_of_removed_units_are_not_used_again() {
    let (mut crowd, units) = crowd_of(20, "lrta*", CrowdConfig::default());
    crowd.remove(units[3]).unwrap();
    assert_eq!((crowd.len(), crowd.remove(units[3])), (19, Err(CrowdError::NoUnit(units[3]))));
    let (start, goal) = (Cell::new(0, 0), Cell::new(5, 0));
    let new = crowd.add(KindId(0), start, goal, Priority::High).unwrap();
    assert!(new != units[3] && new.slot == units[3].slot);
    assert_eq!(UnitId::from_number(new.to_number()), new);
    assert_eq!(crowd.position(units[3]), Err(CrowdError::NoUnit(units[3])));
    assert_eq!(crowd.position(new), Ok(start));
    assert_eq!(crowd.units().count(), 20);
}

#[test]
fn goals_that_cannot_be_reached_are_told_of_at_once() {
    let grid = Grid::from_fn(9, 3, |cell| cell.x != 4).unwrap();
    let mut crowd = Crowd::new(grid);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 2), Priority::Normal).unwrap();
    assert_eq!(crowd.frame(FrameBudget::Everyone).unreachable, [unit]);
    assert_eq!(crowd.frame(FrameBudget::Everyone).served, 0);
    assert_eq!(crowd.set_goal_or_nearest(unit, Cell::new(8, 2)), Ok(Cell::new(3, 2)));
    for _ in 0..4 {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!(crowd.position(unit), Ok(Cell::new(3, 2)));
    assert!(matches!(crowd.set_goal(unit, Cell::new(4, 0)), Err(CrowdError::Query(_))));
    assert!(matches!(crowd.set_goal(unit, Cell::new(9, 0)), Err(CrowdError::Query(_))));
}

#[test]
fn a_database_of_another_map_is_refused() {
    let (crowd, _) = crowd_of(0, "beacon*", CrowdConfig::default());
    let mut other = Crowd::new(Grid::from_fn(9, 3, |_| true).unwrap());
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.database = crowd.kinds[0].databases.main();
    assert!(matches!(other.add_kind(kind.clone()), Err(CrowdError::OtherDatabase { .. })));
    kind.size = 0;
    assert_eq!(other.add_kind(kind), Err(CrowdError::Size(0)));
}

#[test]
fn walks_are_as_short_as_the_algorithm_makes_them() {
    let (mut crowd, units) = crowd_of(30, "beacon*", CrowdConfig::default());
    let starts: Vec<Cell> = units.iter().map(|&unit| crowd.position(unit).unwrap()).collect();
    let mut moves = alloc::collections::BTreeMap::<UnitId, u64>::new();
    for _ in 0..60 {
        for made in &crowd.frame(FrameBudget::Everyone).moves {
            *moves.entry(made.unit).or_default() += 1;
        }
    }
    let space = crowd.space(KindId(0)).unwrap();
    for (&unit, &start) in units.iter().zip(&starts) {
        let (start, goal) = (space.state(start), space.state(crowd.goal(unit).unwrap()));
        let path = Dijkstra::new().find(space, start, goal).unwrap().path.unwrap();
        assert_eq!(moves.get(&unit).copied().unwrap_or(0), path.moves() as u64);
    }
}

#[test]
fn units_are_small() {
    assert!(size_of::<Unit>() <= 64, "{} bytes", size_of::<Unit>());
    let (mut crowd, _) = crowd_of(100, "beacon*", CrowdConfig::default());
    crowd.frame(FrameBudget::Everyone);
    let memory = crowd.memory();
    assert_eq!((memory.learned, memory.states), (0, 0));
    assert!(memory.shared_bytes > 0);
}
