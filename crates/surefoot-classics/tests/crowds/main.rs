//! Crowds of the classics: the promises of crowds hold for every algorithm and every kind of database.

#![allow(clippy::unwrap_used)] // what the tests share

mod edited_saves;
mod edits;
mod saved;
mod waits;

use surefoot::agent::Algorithm;
use surefoot::crowd::{Crowd, CrowdConfig, FrameBudget, Kind, KindId, Move, Priority, UnitId, UnitStatus};
use surefoot::formats::grid_from_art;
use surefoot::search::Dijkstra;
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, StateSpace};
use surefoot_classics::ROSTER;

fn algorithm(spec: &str) -> Algorithm {
    ROSTER.algorithm(&spec.parse().unwrap()).unwrap()
}

/// A map with some rooms.
fn rooms() -> GridSpace {
    let art = "
......#......
.####.#.####.
.#..........#
.#.##.#.##.##
......#......
###.#####.###
......#......
";
    GridSpace::new(grid_from_art(art.trim()).unwrap(), MoveRule::NoCut, CostModel::Sqrt2)
}

/// A crowd on the map with rooms: units that go from corner to corner, one after the other.
fn crowd_of(count: usize, algorithm: &str, config: CrowdConfig) -> (Crowd, KindId, Vec<UnitId>) {
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
    (crowd, kind, units)
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

/// Every move of the last frame must be legal. All units are of the first kind, or of one with the same rule.
fn check_moves(crowd: &Crowd, kind: KindId) {
    let space = crowd.space(kind).unwrap();
    for Move { unit, from, to } in crowd.report().moves.iter().copied() {
        let mut is_legal = false;
        let from_state = space.state_at(from).unwrap();
        space.for_each_successor(from_state, |state, _| is_legal |= space.cell(state) == to);
        assert!(is_legal, "{unit} goes from {from} to {to}");
        assert_eq!(crowd.position(unit), Ok(to));
    }
    assert_eq!(crowd.report().overdrawn, 0);
}

#[test]
fn everyone_arrives_whatever_the_algorithm() {
    for algorithm in ROSTER.entries().iter().filter(|entry| entry.complete).map(|entry| entry.quick_spec(70))
    {
        let (mut crowd, kind, units) = crowd_of(40, &algorithm, CrowdConfig::default());
        let mut arrived = Vec::new();
        for _ in 0..2000 {
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd, kind);
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
fn walks_are_as_short_as_the_algorithm_makes_them() {
    let (mut crowd, kind, units) = crowd_of(30, "a*", CrowdConfig::default());
    let starts: Vec<Cell> = units.iter().map(|&unit| crowd.position(unit).unwrap()).collect();
    let mut moves = std::collections::BTreeMap::<UnitId, u64>::new();
    for _ in 0..60 {
        for made in &crowd.frame(FrameBudget::Everyone).moves {
            *moves.entry(made.unit).or_default() += 1;
        }
    }
    let space = crowd.space(kind).unwrap();
    for (&unit, &start) in units.iter().zip(&starts) {
        let (start, goal) = (space.state_of(start), space.state_of(crowd.goal(unit).unwrap()));
        let path = Dijkstra::new().find(space, start, goal).unwrap().path.unwrap();
        assert_eq!(moves.get(&unit).copied().unwrap_or(0), path.moves() as u64);
    }
}
