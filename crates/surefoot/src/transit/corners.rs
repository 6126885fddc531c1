//! A smaller graph to choose transit nodes on where ground has no weights: corners of walls, and legs between
//! those that see each other.
//!
//! There cheapest paths turn at corners only, and there are far fewer of them than cells. What a cell sees is
//! looked at line by line, in eight fans (Uras, Koenig and Hernández, "Subgoal graphs for optimal pathfinding
//! in eight-neighbor grids", 2013). Ways need not be exact here: how near they are is measured.

use alloc::vec::Vec;

use super::moves::Moves;
use super::tuning::BLOCK;
use super::walks::WalkGraph;
use crate::space::{
    Cell, Cost, Direction, DirectionSet, GridSpace, MoveRule, State, StateSpace as _, sorting,
};
use crate::store::parallel::in_parallel;
use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

/// The corners of a map, row by row, and the legs between them. A corner's number is its state.
#[derive(Debug)]
pub(super) struct CornerGraph {
    cells: Vec<Cell>,
    /// Where the legs of each begin.
    starts: Vec<u32>,
    legs: Vec<(u32, Cost)>,
    cheapest_move: Cost,
}

/// The direction of the steps from line to line, and that of the run along a line.
type Fan = (Direction, Direction);
const OCTANTS: [Fan; 8] = [
    (NorthEast, North),
    (NorthEast, East),
    (SouthEast, East),
    (SouthEast, South),
    (SouthWest, South),
    (SouthWest, West),
    (NorthWest, West),
    (NorthWest, North),
];
/// The same without diagonal moves.
const QUADRANTS: [Fan; 4] = [(North, East), (South, East), (South, West), (North, West)];

/// The positions of corners on lines, and their numbers.
struct Lines {
    starts: Vec<u32>,
    places: Vec<(u32, u32)>,
}

impl Lines {
    /// Those of corners given as (line, position, number), in order.
    fn new(lines: u32, corners: impl Iterator<Item = (u32, u32, u32)>) -> Self {
        let (mut starts, mut places) = (alloc::vec![0; lines as usize + 1], Vec::new());
        for (line, position, number) in corners {
            starts[line as usize + 1] += 1;
            places.push((position, number));
        }
        for line in 0..lines as usize {
            starts[line + 1] += starts[line];
        }
        Self { starts, places }
    }

    fn of(&self, line: u32) -> &[(u32, u32)] {
        &self.places[self.starts[line as usize] as usize..self.starts[line as usize + 1] as usize]
    }

    /// The corner at a position on a line.
    fn at(&self, line: u32, position: u32) -> Option<u32> {
        let places = self.of(line);
        places.binary_search_by_key(&position, |place| place.0).ok().map(|at| places[at].1)
    }

    /// The first corner on a line behind a position, at most so far away: how far that is, and its number.
    fn next(&self, line: u32, position: u32, grows: bool, most: u32) -> Option<(u32, u32)> {
        let places = self.of(line);
        let found = if grows {
            places.get(places.partition_point(|place| place.0 <= position))
        } else {
            places[..places.partition_point(|place| place.0 < position)].last()
        };
        found.map(|&(at, number)| (at.abs_diff(position), number)).filter(|&(away, _)| away <= most)
    }
}

impl CornerGraph {
    /// The corners of a map without weights, and cells so far apart, a power of two: on wide ground ways are
    /// to lead over some place, too.
    pub(super) fn new(space: &GridSpace, spacing: u32) -> Self {
        let is_place = |cell: Cell| (cell.x | cell.y).is_multiple_of(spacing);
        let grid = space.grid();
        let ys: Vec<u32> = (0..grid.height()).collect();
        let rows = in_parallel(
            &ys,
            || (),
            |(), &y| {
                let cells = (0..grid.width()).map(|x| Cell::new(x, y));
                cells
                    .filter(|&cell| is_corner(space, cell) || is_place(cell) && grid.is_free(cell))
                    .collect::<Vec<Cell>>()
            },
        );
        let cells: Vec<Cell> = rows.into_iter().flatten().collect();
        let numbered = || (0..).zip(&cells);
        let rows = Lines::new(grid.height(), numbered().map(|(number, cell)| (cell.y, cell.x, number)));
        let mut by_column: Vec<_> = numbered().map(|(number, cell)| (cell.x, cell.y, number)).collect();
        sorting::sort(&mut by_column);
        let columns = Lines::new(grid.width(), by_column.into_iter());
        let fans: &[Fan] = if space.rule() == MoveRule::Cardinal { &QUADRANTS } else { &OCTANTS };
        let found = in_parallel(
            &cells,
            || (),
            |(), &cell| {
                let mut seen = Vec::new();
                fans.iter().for_each(|&fan| look(space, (&rows, &columns), cell, fan, &mut seen));
                seen
            },
        );
        // Legs lead both ways.
        let mut all: Vec<(u32, u32, Cost)> = Vec::new();
        for (from, seen) in (0..).zip(found) {
            all.extend(seen.into_iter().flat_map(|(to, cost)| [(from, to, cost), (to, from, cost)]));
        }
        sorting::sort(&mut all);
        all.dedup();
        let mut starts = alloc::vec![0; cells.len() + 1];
        all.iter().for_each(|&(from, ..)| starts[from as usize + 1] += 1);
        for corner in 0..cells.len() {
            starts[corner + 1] += starts[corner];
        }
        let legs = all.into_iter().map(|(_, to, cost)| (to, cost)).collect();
        Self { cells, starts, legs, cheapest_move: space.cheapest_move() }
    }

    /// A corner's state on the map.
    pub(super) fn on_map(&self, space: &GridSpace, corner: State) -> State {
        space.state(self.cells[corner.index()])
    }

    /// Adds the moves of the leg between two corners that see each other.
    pub(super) fn add_moves(&self, space: &GridSpace, from: State, to: State, moves: &mut Moves) {
        let (from, to) = (self.cells[from.index()], self.cells[to.index()]);
        let sign = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
        let (dx, dy) = (sign(from.x, to.x), sign(from.y, to.y));
        let (wide, high) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let runs = if space.rule() == MoveRule::Cardinal {
            [((dx, 0), wide), ((0, dy), high)]
        } else {
            let straight = if wide > high { (dx, 0) } else { (0, dy) };
            [((dx, dy), wide.min(high)), (straight, wide.abs_diff(high))]
        };
        let mut runs = runs.map(|(delta, count)| {
            (if count == 0 { East } else { Direction::from_delta(delta.0, delta.1) }, count)
        });
        let mut at = from;
        let is_legal = runs.iter().all(|&(direction, count)| {
            let is_free = count == 0 || space.run(at, direction, count) == count;
            let (dx, dy) = direction.delta();
            at.x = at.x.wrapping_add_signed(dx * count as i32);
            at.y = at.y.wrapping_add_signed(dy * count as i32);
            is_free
        });
        if !is_legal {
            // It was seen from the other end.
            runs.reverse();
        }
        for (direction, count) in runs {
            (0..count).for_each(|_| moves.push(direction));
        }
    }
}

impl WalkGraph for CornerGraph {
    fn states_of_block(&self, (column, row): (u32, u32)) -> Vec<State> {
        let numbered = (0..).map(State).zip(&self.cells);
        let here = numbered.filter(|(_, cell)| (cell.x / BLOCK, cell.y / BLOCK) == (column, row));
        here.map(|(state, _)| state).collect()
    }

    fn limit(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    fn cell_of(&self, state: State) -> Cell {
        self.cells[state.index()]
    }

    fn cheapest(&self) -> Cost {
        self.cheapest_move
    }

    #[inline]
    fn for_each_next(&self, state: State, _before: State, mut visit: impl FnMut(State, Cost)) {
        let (start, end) = (self.starts[state.index()], self.starts[state.index() + 1]);
        for &(to, cost) in &self.legs[start as usize..end as usize] {
            visit(State(to), cost);
        }
    }
}

/// Whether cheapest paths may turn at a cell.
fn is_corner(space: &GridSpace, cell: Cell) -> bool {
    let grid = space.grid();
    if !grid.is_free(cell) {
        return false;
    }
    let legal = space.moves(space.state(cell));
    let around = if legal == DirectionSet::ALL { return false } else { grid.free_neighbours(cell) };
    [(NorthEast, North, East), (SouthEast, South, East), (SouthWest, South, West), (NorthWest, North, West)]
        .into_iter()
        .any(|(diagonal, a, b)| match space.rule() {
            MoveRule::NoCut | MoveRule::Cardinal => {
                !around.contains(diagonal) && around.contains(a) && around.contains(b)
            }
            MoveRule::Squeeze | MoveRule::OneFree => {
                legal.contains(diagonal) && !(around.contains(a) && around.contains(b))
            }
        })
}

/// The corners that are seen from a cell in a fan, and what the legs to them cost.
fn look(space: &GridSpace, lines: (&Lines, &Lines), from: Cell, fan: Fan, seen: &mut Vec<(u32, Cost)>) {
    let (across, along) = fan;
    let ((dx, dy), by_rows) = (across.delta(), matches!(along, East | West));
    let lines = if by_rows { lines.0 } else { lines.1 };
    let grows = matches!(along, East | South);
    let step = |direction: Direction| {
        if direction.is_diagonal() { space.costs().diagonal() } else { space.costs().cardinal() }
    };
    let (mut reach, mut steps) = (u32::MAX, 0);
    let mut at = from;
    let most = space.run(from, across, u32::MAX);
    loop {
        let (line, position) = if by_rows { (at.y, at.x) } else { (at.x, at.y) };
        let run = space.run(at, along, reach);
        reach = run;
        if let Some((away, corner)) = lines.next(line, position, grows, run) {
            seen.push((corner, Cost::from(steps) * step(across) + Cost::from(away) * step(along)));
            reach = away - 1;
        }
        if steps == most {
            return;
        }
        steps += 1;
        at = Cell::new(at.x.wrapping_add_signed(dx), at.y.wrapping_add_signed(dy));
        let (line, position) = if by_rows { (at.y, at.x) } else { (at.x, at.y) };
        // What lies behind a corner is seen from there.
        if let Some(corner) = lines.at(line, position) {
            seen.push((corner, Cost::from(steps) * step(across)));
            return;
        }
    }
}
