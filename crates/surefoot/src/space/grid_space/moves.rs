//! The legal moves of a grid: found once for each cell when the space is made, and looked up by searches.

use alloc::vec;
use alloc::vec::Vec;

use super::super::ground::Ground;
use super::super::rays::straight_run;
use super::super::{Cell, Cost, Direction, DirectionSet, Grid, MoveRule, State};
use super::GridSpace;

impl GridSpace {
    /// The legal moves in `state`.
    ///
    /// # Panics
    /// If `state` is not below [`state_limit`](crate::space::StateSpace::state_limit).
    #[inline]
    #[must_use]
    pub fn moves(&self, state: State) -> DirectionSet {
        self.moves[state.index()]
    }

    /// Where a legal move leads.
    #[inline]
    #[must_use]
    pub fn step(&self, state: State, direction: Direction) -> State {
        State(state.0.wrapping_add_signed(self.offsets[direction as usize]))
    }

    /// What a legal move costs.
    #[inline]
    #[must_use]
    pub fn step_cost(&self, state: State, direction: Direction) -> Cost {
        let length = self.lengths[direction as usize];
        match &self.ground {
            None => length,
            Some(ground) => ground.cost(state, self.step(state, direction), length),
        }
    }

    /// How many legal moves in one direction follow each other from a free cell, at most `most`.
    #[inline]
    pub(crate) fn run(&self, cell: Cell, direction: Direction, most: u32) -> u32 {
        let Cell { x, y } = cell;
        match direction {
            Direction::East => straight_run(self.grid.rows(), y, x, true, most),
            Direction::West => straight_run(self.grid.rows(), y, x, false, most),
            Direction::South => straight_run(self.grid.columns(), x, y, true, most),
            Direction::North => straight_run(self.grid.columns(), x, y, false, most),
            Direction::SouthEast => self.diagonals.run((x, y), true, true, most),
            Direction::SouthWest => self.diagonals.run((x, y), false, true, most),
            Direction::NorthEast => self.diagonals.run((x, y), true, false, most),
            Direction::NorthWest => self.diagonals.run((x, y), false, false, most),
        }
    }

    #[inline]
    pub(super) fn visit_moves(&self, state: State, moves: DirectionSet, mut visit: impl FnMut(State, Cost)) {
        // One loop for both, so that the compiler puts what is done for each move into it.
        let weighted;
        let costs = match &self.ground {
            None => &self.lengths,
            Some(ground) => {
                weighted = self.weighted_costs(ground, state, moves);
                &weighted
            }
        };
        let mut rest = moves.0;
        while rest != 0 {
            let direction = rest.trailing_zeros() as usize & 7;
            rest &= rest - 1;
            visit(State(state.0.wrapping_add_signed(self.offsets[direction])), costs[direction]);
        }
    }

    /// What the moves of a state cost, by direction, where cells have weights.
    #[cold]
    #[inline(never)]
    fn weighted_costs(&self, ground: &Ground, state: State, moves: DirectionSet) -> [Cost; 8] {
        let mut costs = self.lengths;
        for direction in moves.iter() {
            let cost = &mut costs[direction as usize];
            *cost = ground.cost(state, self.step(state, direction), *cost);
        }
        costs
    }

    /// The direction of the move from one state to a neighbour. `None` if both are the same, or on grids so
    /// narrow that the difference of their numbers does not tell.
    #[inline]
    pub(super) fn direction_between(&self, from: State, to: State) -> Option<Direction> {
        let width = self.grid.width() as i32;
        let difference = to.0.wrapping_sub(from.0) as i32;
        if width < 3 || difference == 0 {
            return None;
        }
        let dy = if difference > 1 { 1 } else { -i32::from(difference < -1) };
        Some(Direction::from_delta(difference - dy * width, dy))
    }
}

/// The legal moves of every cell: a window of three columns slides along each row, and its nine bits select
/// from a table of 512 entries.
pub(super) fn legal_moves(grid: &Grid, rule: MoveRule) -> Vec<DirectionSet> {
    let mut table = [DirectionSet::NONE; 512];
    for (window, entry) in table.iter_mut().enumerate() {
        // Three bits a row, north first; in each, west is the highest.
        let free = |row: usize, column: usize| (window >> ((2 - row) * 3 + (2 - column)) & 1) as u8;
        if free(1, 1) == 1 {
            let neighbours = Direction::ALL.into_iter().fold(DirectionSet::NONE, |set, direction| {
                let (dx, dy) = direction.delta();
                let is_free = free((dy + 1) as usize, (dx + 1) as usize) == 1;
                if is_free { set.with(direction) } else { set }
            });
            *entry = rule.legal_moves(neighbours);
        }
    }
    let width = grid.width() as usize;
    let mut moves = vec![DirectionSet::NONE; grid.cell_count()];
    for (y, row_moves) in moves.chunks_exact_mut(width).enumerate() {
        let lines = [-1, 0, 1].map(|dy| grid.rows().line(y as i64 + dy));
        let bit = |line: &[u64], at: usize| (line[at / 64] >> (at % 64) & 1) as usize;
        // Bit p + 1 of a line is column p: bits 0 and 1 stand west of and at column 0.
        let mut windows = lines.map(|line| bit(line, 0) << 1 | bit(line, 1));
        for (x, entry) in row_moves.iter_mut().enumerate() {
            for (window, line) in windows.iter_mut().zip(lines) {
                *window = (*window << 1 & 7) | bit(line, x + 2);
            }
            *entry = table[windows[0] << 6 | windows[1] << 3 | windows[2]];
        }
    }
    moves
}
