//! A grid with its move rule and cost model: the state space of grid worlds.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::division::FastDivision;
use super::ground::Ground;
use super::rays::{DiagonalLines, straight_run};
use super::rule::moves_onwards;
use super::{
    Cell, Cost, CostModel, Direction, DirectionSet, Edition, Grid, GridComponents, GridHeuristic, Heuristic,
    HeuristicKind, InadmissibleHeuristic, MoveRule, QueryError, Reachability, Role, State, StateSpace,
};

/// The free cells of a grid and the moves between them. Cell (x, y) is state y · width + x.
///
/// Beside the grid's bits it keeps one byte per cell with the legal moves, two bits with the diagonal ones once more, line by
/// line, and the connected components. Where cells have weights there is one more byte for each.
#[derive(Clone, Debug)]
pub struct GridSpace {
    pub(super) grid: Grid,
    rule: MoveRule,
    costs: CostModel,
    /// The weights of cells, if they have any: then costs are counted in halves.
    pub(super) ground: Option<Ground>,
    /// What a straight and a diagonal move cost at least.
    pub(super) least: [Cost; 2],
    /// The legal moves of every free cell; of blocked cells none.
    moves: Vec<DirectionSet>,
    diagonals: DiagonalLines,
    components: GridComponents,
    coordinates: FastDivision,
    /// What each direction adds to a state's number, in the order of successors.
    offsets: [i32; 8],
    /// What a move in each direction costs where all ground weighs 1, and no weights are counted.
    lengths: [Cost; 8],
    /// For each direction of arrival and set of legal moves, the moves worth making: see [`moves_onwards`].
    onwards: Vec<[DirectionSet; 256]>,
    pub(super) edition: Edition,
}

impl GridSpace {
    /// The space of `grid` under a move rule and a cost model.
    #[must_use]
    pub fn new(grid: Grid, rule: MoveRule, costs: CostModel) -> Self {
        let width = grid.width() as i32;
        let moves = legal_moves(&grid, rule);
        Self {
            diagonals: DiagonalLines::new(&moves, grid.width()),
            moves,
            components: GridComponents::new(&grid, rule),
            coordinates: FastDivision::by(grid.width()),
            offsets: Direction::ALL.map(|direction| {
                let (dx, dy) = direction.delta();
                dy * width + dx
            }),
            lengths: Direction::ALL
                .map(|direction| if direction.is_diagonal() { costs.diagonal() } else { costs.cardinal() }),
            onwards: Direction::ALL
                .map(|arrival| {
                    core::array::from_fn(|moves| moves_onwards(rule, arrival, DirectionSet(moves as u8)))
                })
                .to_vec(),
            edition: Edition::new(),
            ground: None,
            least: [costs.cardinal(), costs.diagonal()],
            grid,
            rule,
            costs,
        }
    }

    /// The grid.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The grid alone.
    #[must_use]
    pub fn into_grid(self) -> Grid {
        self.grid
    }

    /// The move rule.
    #[inline]
    #[must_use]
    pub fn rule(&self) -> MoveRule {
        self.rule
    }

    /// The cost model.
    #[inline]
    #[must_use]
    pub fn costs(&self) -> CostModel {
        self.costs
    }

    /// The connected components.
    #[must_use]
    pub fn components(&self) -> &GridComponents {
        &self.components
    }

    /// The cell of a state.
    #[inline]
    #[must_use]
    pub fn cell(&self, state: State) -> Cell {
        let (y, x) = self.coordinates.divide(state.0);
        Cell::new(x, y)
    }

    /// The state of a cell, be it free or blocked; `None` if the cell lies outside the grid. [`locate`](Self::locate) says what is
    /// wrong with a cell.
    #[inline]
    #[must_use]
    pub fn state_at(&self, cell: Cell) -> Option<State> {
        self.grid.contains(cell).then(|| self.state(cell))
    }

    /// The state of a cell that is known to lie inside the grid. Of one outside it would be that of another cell.
    #[inline]
    pub(crate) fn state(&self, cell: Cell) -> State {
        debug_assert!(self.grid.contains(cell));
        State(cell.y * self.grid.width() + cell.x)
    }

    /// The state of a free cell. The error names it as a cell; [`QueryError::at`] says what it was for.
    ///
    /// # Errors
    /// If the cell lies outside the grid or is blocked.
    pub fn locate(&self, cell: Cell) -> Result<State, QueryError> {
        let role = Role::Cell;
        let Some(state) = self.state_at(cell) else {
            let (width, height) = (self.grid.width(), self.grid.height());
            return Err(QueryError::Outside { role, cell, width, height });
        };
        if self.grid.is_free(cell) {
            Ok(state)
        } else {
            Err(QueryError::Blocked { role, state: self.describe(state) })
        }
    }

    /// The states of a start and a goal. The error says which of the two it is about.
    ///
    /// # Errors
    /// If one of them lies outside the grid or is blocked.
    pub fn locate_ends(&self, start: Cell, goal: Cell) -> Result<(State, State), QueryError> {
        let start = self.locate(start).map_err(|error| error.at(Role::Start))?;
        Ok((start, self.locate(goal).map_err(|error| error.at(Role::Goal))?))
    }

    /// The legal moves in `state`.
    ///
    /// # Panics
    /// If `state` is not below [`state_limit`](StateSpace::state_limit).
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
    fn visit_moves(&self, state: State, moves: DirectionSet, mut visit: impl FnMut(State, Cost)) {
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

    /// The direction of the move from one state to a neighbour; nothing if both are the same, or on grids so
    /// narrow that the difference of their numbers does not tell.
    #[inline]
    fn direction_between(&self, from: State, to: State) -> Option<Direction> {
        let width = self.grid.width() as i32;
        let difference = to.0.wrapping_sub(from.0) as i32;
        if width < 3 || difference == 0 {
            return None;
        }
        let dy = if difference > 1 { 1 } else { -i32::from(difference < -1) };
        Some(Direction::from_delta(difference - dy * width, dy))
    }

    /// A distance estimate of the given kind for this space.
    ///
    /// # Errors
    /// If it could exceed the true distance under this rule and cost model.
    pub fn heuristic(&self, kind: HeuristicKind) -> Result<GridHeuristic, InadmissibleHeuristic> {
        kind.check(self.rule, self.costs)?;
        Ok(GridHeuristic::new(kind, self.costs, self.least, self.coordinates))
    }

    /// The octile distance, which never exceeds the true one under any rule; where cells have weights, times the lowest weight of
    /// a free cell.
    #[inline]
    #[must_use]
    pub fn octile(&self) -> GridHeuristic {
        GridHeuristic::new(HeuristicKind::Octile, self.costs, self.least, self.coordinates)
    }

    /// Frees or blocks a cell and brings everything derived from the grid up to date.
    ///
    /// Mostly what changes lies around the cell. Only where blocking it may have cut a component in two are the components found anew,
    /// which takes a pass over the rows.
    ///
    /// # Panics
    /// If `cell` lies outside.
    pub fn set(&mut self, cell: Cell, free: bool) {
        self.edition = Edition::new();
        self.set_cell(cell, free);
        if !self.components.update(&self.grid, self.rule, cell, true) {
            self.components = GridComponents::new(&self.grid, self.rule);
        }
    }

    /// Frees or blocks many cells, one after the other; components are found anew once at most.
    ///
    /// # Panics
    /// If a cell lies outside.
    pub fn set_all(&mut self, changes: impl IntoIterator<Item = (Cell, bool)>) {
        self.edition = Edition::new();
        let mut is_up_to_date = true;
        for (cell, free) in changes {
            self.set_cell(cell, free);
            is_up_to_date = is_up_to_date && self.components.update(&self.grid, self.rule, cell, false);
        }
        if !is_up_to_date {
            self.components = GridComponents::new(&self.grid, self.rule);
        }
    }

    /// Frees or blocks a cell in all but the components.
    fn set_cell(&mut self, cell: Cell, free: bool) {
        let is_change = self.grid.is_free(cell) != free;
        self.grid.set(cell, free);
        let state = self.state(cell);
        if is_change && let Some(ground) = &mut self.ground {
            ground.free_or_block(state, free);
            self.find_least();
        }
        for y in cell.y.saturating_sub(1)..=cell.y.saturating_add(1).min(self.grid.height() - 1) {
            for x in cell.x.saturating_sub(1)..=cell.x.saturating_add(1).min(self.grid.width() - 1) {
                let near = Cell::new(x, y);
                let state = self.state(near);
                let moves = if self.grid.is_free(near) {
                    self.rule.legal_moves(self.grid.free_neighbours(near))
                } else {
                    DirectionSet::NONE
                };
                self.moves[state.index()] = moves;
                self.diagonals.set(x, y, moves);
            }
        }
    }
}

impl StateSpace for GridSpace {
    #[inline]
    fn state_limit(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    fn contains(&self, state: State) -> bool {
        state.index() < self.moves.len() && self.grid.is_free(self.cell(state))
    }

    #[inline]
    fn for_each_successor(&self, state: State, visit: impl FnMut(State, Cost)) {
        self.visit_moves(state, self.moves[state.index()], visit);
    }

    #[inline]
    fn for_each_successor_after(&self, state: State, parent: State, visit: impl FnMut(State, Cost)) {
        let moves = self.moves[state.index()];
        // Over light ground two moves may be cheaper than one.
        let arrival = if self.is_weighted() { None } else { self.direction_between(parent, state) };
        let Some(arrival) = arrival else {
            return self.visit_moves(state, moves, visit);
        };
        self.visit_moves(state, self.onwards[arrival as usize][moves.0 as usize], visit);
    }

    fn cheapest_move(&self) -> Cost {
        self.least[0]
    }

    fn is_reversible(&self) -> bool {
        true
    }

    fn reachability(&self, from: State, to: State) -> Reachability {
        if self.components.same(self.cell(from), self.cell(to)) {
            Reachability::Yes
        } else {
            Reachability::No
        }
    }

    #[inline]
    fn edition(&self) -> Option<Edition> {
        Some(self.edition)
    }

    fn describe(&self, state: State) -> String {
        format!("{}", self.cell(state))
    }
}

/// The octile distance, times the lowest weight where cells have weights: what agents on a grid go by unless they are given another.
impl Heuristic for GridSpace {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        self.octile().estimate(from, to)
    }

    fn is_consistent(&self) -> bool {
        true
    }

    #[inline]
    fn octile_grid(&self) -> Option<&GridSpace> {
        Some(self)
    }
}

/// The legal moves of every cell: a window of three columns slides along each row, and its nine bits select from
/// a table of 512 entries.
fn legal_moves(grid: &Grid, rule: MoveRule) -> Vec<DirectionSet> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_maps::scattered;

    #[test]
    fn the_sliding_window_finds_the_same_moves_as_a_look_around() {
        let grid = scattered(131, 9);
        for rule in MoveRule::ALL {
            let space = GridSpace::new(grid.clone(), rule, CostModel::Sqrt2);
            for y in 0..grid.height() {
                for x in 0..grid.width() {
                    let cell = Cell::new(x, y);
                    let expected = if grid.is_free(cell) {
                        rule.legal_moves(grid.free_neighbours(cell))
                    } else {
                        DirectionSet::NONE
                    };
                    assert_eq!(space.moves(space.state(cell)), expected, "{rule} {cell}");
                }
            }
        }
    }

    #[test]
    fn an_edited_space_equals_a_new_one() {
        let mut grid = scattered(40, 30);
        let mut space = GridSpace::new(grid.clone(), MoveRule::OneFree, CostModel::Sqrt2);
        for (x, y) in [(0, 0), (39, 29), (17, 3), (0, 29), (20, 20)] {
            let cell = Cell::new(x, y);
            let free = !grid.is_free(cell);
            grid.set(cell, free);
            space.set(cell, free);
        }
        let fresh = GridSpace::new(grid, MoveRule::OneFree, CostModel::Sqrt2);
        assert_eq!(space.moves, fresh.moves);
        assert_eq!(space.components, fresh.components);
    }

    #[test]
    fn a_cell_outside_is_no_state() {
        let grid = Grid::from_fn(4, 3, |cell| cell.x != 1).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        // Counted on, (4, 0) would be (0, 1), and (u32::MAX, 1) would be (3, 0).
        for (x, y) in [(4, 0), (0, 3), (u32::MAX, 1), (0, 1 << 30), (u32::MAX, u32::MAX)] {
            assert_eq!(space.state_at(Cell::new(x, y)), None, "({x}, {y})");
        }
        for state in (0..12).map(State) {
            assert_eq!(space.state_at(space.cell(state)), Some(state), "free and blocked ones alike");
        }
    }

    #[test]
    fn places_outside_or_blocked_are_named() {
        let space = GridSpace::new(Grid::new(4, 3).unwrap(), MoveRule::Squeeze, CostModel::Diagonal14);
        assert_eq!(
            format!("{}", space.locate(Cell::new(4, 0)).unwrap_err()),
            "cell (4, 0) is outside the map, which is 4 x 3 cells; x is 0 to 3, y is 0 to 2"
        );
        let mut space = space;
        let (free, blocked) = (Cell::new(0, 0), Cell::new(1, 2));
        space.set(free, true);
        for (ends, message) in [
            ((free, blocked), "goal (1, 2) is blocked; choose a passable one"),
            ((blocked, free), "start (1, 2) is blocked; choose a passable one"),
        ] {
            assert_eq!(format!("{}", space.locate_ends(ends.0, ends.1).unwrap_err()), message);
        }
    }
}
