//! Units whose surroundings are edited again and again, by somebody who means them ill.

use super::*;

/// How many moves a unit has left at least. `None` if there is no way.
fn moves_left(crowd: &Crowd, unit: UnitId) -> Option<u64> {
    let space = crowd.space_of(unit).unwrap();
    let [from, to] = [crowd.position(unit), crowd.goal(unit)].map(|cell| space.state(cell.unwrap()));
    Dijkstra::new().find(space, from, to).unwrap().path.map(|path| path.moves() as u64)
}

/// The edit around a unit, of those that hardly change how far it has to go, after which it is farthest from
/// its goal some frames later.
fn worst_edit(crowd: &Crowd, unit: UnitId, frames: u32) -> Option<Cell> {
    let (here, goal, left) =
        (crowd.position(unit).unwrap(), crowd.goal(unit).unwrap(), moves_left(crowd, unit)?);
    let mut worst: Option<(u64, Cell)> = None;
    for at in 0..64 {
        let cell = Cell::new((here.x + at % 8 * 2).wrapping_sub(7), (here.y + at / 8 * 2).wrapping_sub(7));
        if !crowd.map().contains(cell) || cell == goal {
            continue;
        }
        let mut tried = crowd.clone();
        let is_free = tried.map().is_free(cell);
        tried.set_cell(cell, !is_free).unwrap();
        // A wall that is torn down may be a way: that would be no ill.
        if moves_left(&tried, unit).is_none_or(|now| now > left + 1 || now < left) {
            continue;
        }
        for _ in 0..frames {
            tried.frame(FrameBudget::Everyone);
        }
        let after = moves_left(&tried, unit).unwrap_or(0);
        if worst.is_none_or(|(known, _)| after > known) {
            worst = Some((after, cell));
        }
    }
    worst.map(|(_, cell)| cell)
}

/// After how many frames a unit is at its goal where the worst edit is made every few frames. `None` if it
/// is not there after so many as it has `most` times the moves to make.
fn frames_to_goal(most_choices: u16, most: u64) -> Option<u64> {
    let config = CrowdConfig { most_choices, ..CrowdConfig::default() };
    let map = Grid::from_fn(40, 30, |cell| cell.x % 10 != 5 || cell.y % 9 != 4).unwrap();
    let mut crowd = Crowd::with_config(map, config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    // A wall that the beacons were not built for.
    for y in 0..26 {
        crowd.set_cell(Cell::new(20, y), false).unwrap();
        crowd.frame(FrameBudget::Everyone);
    }
    let unit = crowd.add(kind, Cell::new(14, 3), Cell::new(26, 3), Priority::Normal).unwrap();
    let moves = moves_left(&crowd, unit).unwrap();
    for frame in 0..most * moves {
        if frame % 4 == 0
            && let Some(cell) = worst_edit(&crowd, unit, 4)
        {
            let is_free = crowd.map().is_free(cell);
            crowd.set_cell(cell, !is_free).unwrap();
        }
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
        if crowd.report().arrived == [unit] {
            return Some(frame);
        }
    }
    None
}

#[test]
fn nobody_is_sent_to_and_fro_for_ever() {
    assert!(frames_to_goal(u16::MAX, 10).is_some(), "beacons alone");
    assert!(frames_to_goal(CrowdConfig::default().most_choices, 10).is_some(), "with an exact search");
}
