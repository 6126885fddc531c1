//! Lines are compared with a sweep of the unit's square over the cells of the map, in fractions. Walks are
//! held to what they promise.

use super::*;
use crate::crowd::Kind;
use crate::search::AStar;
use crate::space::{CellWeights, CostModel, Grid, MoveRule};
use crate::test_maps::states;
use alloc::string::ToString as _;
use proptest::prelude::*;

/// Maps of cells, a size of units and a rule.
fn worlds() -> impl Strategy<Value = (Grid, u32, MoveRule)> {
    let cells = prop::collection::vec(0_u8..20, 24 * 24);
    (2_u32..24, 2_u32..24, cells, 0_u8..7, 1_u32..=3, 0..MoveRule::ALL.len()).prop_map(
        |(width, height, cells, walls, size, rule)| {
            let is_free = |cell: Cell| cells[(cell.y * 24 + cell.x) as usize] >= walls;
            (Grid::from_fn(width, height, is_free).unwrap(), size, MoveRule::ALL[rule])
        },
    )
}

fn space_of(map: &Grid, size: u32, rule: MoveRule) -> GridSpace {
    let mut kind = Kind::new(rule, CostModel::Sqrt2);
    kind.size = size;
    kind.space(map).unwrap()
}

/// Whether a unit's square overlaps a wall somewhere on a line, by the cells of the map alone. All numbers
/// are halves, and times are fractions of the way. `(low, high)` are the ends of an open interval.
fn sweep_hits_a_wall(map: &Grid, size: u32, rule: MoveRule, from: Cell, to: Cell) -> bool {
    let less = i128::from(matches!(rule, MoveRule::Squeeze | MoveRule::OneFree));
    let size = i128::from(size);
    // When along one axis position p is within low < p < high, as fractions (numerator, denominator > 0).
    let times = |from: u32, to: u32, wall: u32| {
        let (from, to, wall) = (2 * i128::from(from), 2 * i128::from(to), 2 * i128::from(wall));
        let (low, high) = (wall - 2 * size + less, wall + 2 - less);
        match to - from {
            0 => (low < from && from < high).then_some([(-1, 1), (2, 1)]),
            by if by > 0 => Some([(low - from, by), (high - from, by)]),
            by => Some([(from - high, -by), (from - low, -by)]),
        }
    };
    let is_less = |a: (i128, i128), b: (i128, i128)| a.0 * b.1 < b.0 * a.1;
    let walls = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| Cell::new(x, y)));
    walls.filter(|&wall| !map.is_free(wall)).any(|wall| {
        let (Some(x), Some(y)) = (times(from.x, to.x, wall.x), times(from.y, to.y, wall.y)) else {
            return false;
        };
        // Open intervals of times, and the closed one from 0 to 1.
        let begin = if is_less(x[0], y[0]) { y[0] } else { x[0] };
        let end = if is_less(x[1], y[1]) { x[1] } else { y[1] };
        is_less(begin, end) && is_less(begin, (1, 1)) && is_less((0, 1), end)
    })
}

/// Whether a line leads through between two blocked positions that meet at a corner.
fn slips_through(positions: &Grid, from: Cell, to: Cell) -> bool {
    let [(x, y), (to_x, to_y)] = [from, to].map(|cell| (2 * i64::from(cell.x), 2 * i64::from(cell.y)));
    let (dx, dy) = (to_x - x, to_y - y);
    let between = |a: i64, b: i64| (a.min(b)..a.max(b)).filter(|at| at % 2 == 1);
    let corners = between(x, to_x).flat_map(|at_x| between(y, to_y).map(move |at_y| (at_x, at_y)));
    let mut on_line = corners.filter(|&(at_x, at_y)| (at_x - x) * dy == (at_y - y) * dx);
    on_line.any(|(at_x, at_y)| {
        let aside = dx.signum() * dy.signum();
        let cell = |by: i64| Cell::new(((at_x + by) / 2) as u32, ((at_y - by * aside) / 2) as u32);
        !positions.is_free(cell(1)) && !positions.is_free(cell(-1))
    })
}

fn is_clear_by_sweep(map: &Grid, size: u32, space: &GridSpace, from: Cell, to: Cell) -> bool {
    space.grid().is_free(from)
        && space.grid().is_free(to)
        && !sweep_hits_a_wall(map, size, space.rule(), from, to)
        && (space.rule() != MoveRule::OneFree || !slips_through(space.grid(), from, to))
}

fn path(space: &GridSpace, start: u32, goal: u32) -> Option<Vec<Cell>> {
    let states: Vec<_> = states(space).collect();
    let pick = |number: u32| states.get(number as usize % states.len().max(1)).copied();
    let (start, goal) = (pick(start)?, pick(goal)?);
    let found = AStar::new().find(space, space, start, goal).unwrap().path?;
    Some(found.states.iter().map(|&state| space.cell(state)).collect())
}

fn length_of(cells: &[Cell]) -> f64 {
    cells.windows(2).map(|line| length(line[0], line[1])).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn lines_are_those_that_a_sweep_finds_clear((map, size, rule) in worlds(), picks in any::<[u32; 8]>()) {
        let space = space_of(&map, size, rule);
        let all: Vec<_> = states(&space).map(|state| space.cell(state)).collect();
        prop_assume!(!all.is_empty());
        let ends = picks.map(|pick| all[pick as usize % all.len()]);
        for from in ends {
            for to in ends {
                let expected = is_clear_by_sweep(&map, size, &space, from, to);
                prop_assert_eq!(space.line_of_sight(from, to), expected, "{} {} {} {:?}", rule, from, to, map);
                prop_assert_eq!(space.line_of_sight(to, from), expected);
            }
        }
    }

    #[test]
    fn a_legal_move_is_a_clear_line_and_no_other_step_is((map, size, rule) in worlds()) {
        let space = space_of(&map, size, rule);
        // Without diagonal moves, lines are those of no-cut.
        let moves_by = if rule == MoveRule::Cardinal { MoveRule::NoCut } else { rule };
        let moves = space_of(&map, size, moves_by);
        for state in states(&space) {
            let cell = space.cell(state);
            for direction in crate::space::Direction::ALL {
                let Some(next) = space.grid().neighbour(cell, direction) else { continue };
                let is_legal = moves.moves(state).contains(direction);
                prop_assert_eq!(space.line_of_sight(cell, next), is_legal, "{} {} {}", rule, cell, next);
            }
        }
    }

    #[test]
    fn walks_keep_their_promises(
        (map, size, rule) in worlds(), start in any::<u32>(), goal in any::<u32>(), lines in 1_usize..4,
    ) {
        let space = space_of(&map, size, rule);
        let Some(cells) = path(&space, start, goal) else { return Ok(()) };
        let walk = space.smooth(&cells).unwrap();
        let points = walk.points();
        prop_assert!(walk.length() <= length_of(&cells) + 1e-9);
        prop_assert!((walk.length() - length_of(points)).abs() < 1e-9);
        prop_assert_eq!([points.first(), points.last()], [cells.first(), cells.last()]);
        prop_assert_eq!(walk.covered(), cells.len() - 1);
        for line in points.windows(2) {
            prop_assert!(is_clear_by_sweep(&map, size, &space, line[0], line[1]), "{:?} {:?}", points, map);
        }
        for three in points.windows(3) {
            prop_assert!(!space.line_of_sight(three[0], three[2]), "one point too many");
        }
        let again = space.smooth(points).unwrap();
        prop_assert_eq!((again.points(), again.length()), (points, walk.length()));
        prop_assert_eq!(&space.clone().smooth(&cells).unwrap(), &walk);
        // In pieces: each goes on where the one before ends, and all together are no longer either.
        let (mut at, mut sum) = (0, 0.0);
        while at + 1 < cells.len() {
            let piece = space.smooth_ahead(&cells[at..], lines).unwrap();
            prop_assert!(piece.points().len() <= lines + 1 && piece.covered() > 0);
            prop_assert_eq!(piece.points().last(), cells.get(at + piece.covered()));
            prop_assert!(piece.points().windows(2).all(|line| space.line_of_sight(line[0], line[1])));
            (at, sum) = (at + piece.covered(), sum + piece.length());
        }
        prop_assert!(sum <= length_of(&cells) + 1e-9);
    }

    #[test]
    fn over_ground_with_weights_nothing_costs_more(
        (map, size, rule) in worlds(), heavy in prop::collection::vec(1_u8..4, 24 * 24), blocks in 1_u32..8,
        start in any::<u32>(), goal in any::<u32>(),
    ) {
        let weight = |cell: Cell| heavy[(cell.y / blocks * 24 + cell.x / blocks) as usize];
        let mut kind = Kind::new(rule, CostModel::Sqrt2);
        (kind.size, kind.weights) = (size, Some(CellWeights::from_fn(map.width(), map.height(), weight).unwrap()));
        let space = kind.space(&map).unwrap();
        let Some(cells) = path(&space, start, goal) else { return Ok(()) };
        let walk = space.smooth(&cells).unwrap();
        let at = |cell: Cell| f64::from(space.weight(cell).unwrap());
        let cost = |cells: &[Cell]| -> f64 {
            let of = |line: &[Cell]| length(line[0], line[1]) * (at(line[0]) + at(line[1])) / 2.0;
            cells.windows(2).map(of).sum()
        };
        for line in walk.points().windows(2) {
            prop_assert!(is_clear_by_sweep(&map, size, &space, line[0], line[1]));
            if at(line[0]) != at(line[1]) {
                prop_assert!(line[0].moves_to(line[1]) == 1, "a move from weight to weight");
                continue;
            }
            // No ground of another weight is under the line: with walls there the line is as clear.
            let even = Grid::from_fn(map.width(), map.height(), |cell| {
                space.grid().is_free(cell) && at(cell) == at(line[0])
            }).unwrap();
            let rule = if rule == MoveRule::OneFree { MoveRule::Squeeze } else { rule };
            if line[0].moves_to(line[1]) > 1 {
                prop_assert!(!sweep_hits_a_wall(&even, 1, rule, line[0], line[1]), "{:?}", line);
            }
        }
        prop_assert!(cost(walk.points()) <= cost(&cells) + 1e-9);
        let again = space.smooth(walk.points()).unwrap();
        prop_assert_eq!(again.points(), walk.points());
    }

    #[test]
    fn any_cells_give_a_walk_or_an_error(
        (map, size, rule) in worlds(),
        cells in prop::collection::vec((0_u32..30, 0_u32..30), 0..12), odd in any::<(u32, u32)>(), at in 0_usize..13,
    ) {
        let space = space_of(&map, size, rule);
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::from).collect();
        if at < cells.len() {
            cells[at] = odd.into();
        }
        match space.smooth(&cells) {
            Ok(walk) => {
                prop_assert!(walk.points().windows(2).all(|line| space.line_of_sight(line[0], line[1])));
                prop_assert!(walk.length() <= length_of(&cells) + 1e-9);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn a_walk_turns_at_corners_alone() {
    let map = crate::formats::grid_from_art(
        "..........
         ..........
         .....###..
         .....###..
         .....###..
         ..........",
    )
    .unwrap();
    let space = space_of(&map, 1, MoveRule::NoCut);
    let cells = [(0, 5), (1, 4), (2, 3), (3, 2), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 2), (9, 3)];
    let walk = space.smooth(&cells.map(Cell::from)).unwrap();
    assert_eq!(walk.points(), [(0, 5), (4, 1), (8, 1), (9, 3)].map(Cell::from));
    assert_eq!(walk.at(-1.0), (0.0, 5.0));
    assert_eq!(walk.at(f64::NAN), (0.0, 5.0));
    let (x, y) = walk.at(length(Cell::new(0, 5), Cell::new(4, 1)) + 1.0);
    assert!((x - 5.0).abs() < 1e-12 && (y - 1.0).abs() < 1e-12);
    assert_eq!(walk.at(1e9), (9.0, 3.0));
}

#[test]
fn what_is_no_path_is_refused() {
    let space = space_of(&crate::formats::grid_from_art("...\n.#.\n...").unwrap(), 1, MoveRule::NoCut);
    let message = |cells: &[(u32, u32)]| {
        let cells: Vec<Cell> = cells.iter().copied().map(Cell::from).collect();
        space.smooth(&cells).unwrap_err().to_string()
    };
    assert_eq!(message(&[]), "there are no cells; a path has at least the one where it starts");
    assert_eq!(message(&[(1, 1)]), "cell (1, 1) is blocked; choose a passable one");
    assert!(message(&[(0, 0), (7, 0)]).starts_with("cell (7, 0) is outside the map"));
    assert!(message(&[(0, 0), (2, 2)]).starts_with("a unit cannot go straight from (0, 0) to (2, 2)"));
    assert_eq!(space.smooth(&[Cell::new(0, 0)]).unwrap().at(3.0), (0.0, 0.0));
}

#[test]
fn lengths_are_rounded_once() {
    for (x, y) in [(0, 0), (1, 1), (3, 4), (1, 2), (999_999, 1), (1 << 29, 1), (12_345, 6_789)] {
        let exact = f64::from(x).hypot(f64::from(y));
        let found = length(Cell::new(0, y), Cell::new(x, 0));
        assert!((found - exact).abs() <= exact * f64::EPSILON, "{found} {exact}");
    }
    assert_eq!(length(Cell::new(0, 0), Cell::new(1, 1)), core::f64::consts::SQRT_2);
}
