//! A grid with its move rule and cost model: the state space of grid worlds.

mod edits;
mod moves;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::division::FastDivision;
use super::ground::Ground;
use super::rays::DiagonalLines;
use super::rule::moves_onwards;
use super::{
    Cell, Cost, CostModel, Direction, DirectionSet, Grid, GridComponents, GridHeuristic, Heuristic,
    HeuristicKind, InadmissibleHeuristic, MoveRule, QueryError, Reachability, Revision, Role, State,
    StateSpace,
};

use self::moves::legal_moves;

/// The free cells of a grid and the moves between them. Cell (x, y) is state y · width + x.
///
/// Beside the grid's bits it keeps one byte per cell with the legal moves, two bits with the diagonal ones
/// once more, line by line, and the connected components. Where cells have weights there is one more byte for
/// each.
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
    pub(super) revision: Revision,
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
            revision: Revision::new(),
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
    #[inline(always)]
    #[must_use]
    pub fn cell(&self, state: State) -> Cell {
        let (y, x) = self.coordinates.divide(state.0);
        Cell::new(x, y)
    }

    /// The state of a cell, be it free or blocked; `None` if the cell lies outside the grid.
    /// [`locate`](Self::locate) says what is wrong with a cell.
    #[inline]
    #[must_use]
    pub fn state_at(&self, cell: Cell) -> Option<State> {
        self.grid.contains(cell).then(|| self.state(cell))
    }

    /// The state of a cell inside the grid, be it free or blocked: for kernels that know where they are.
    /// [`state_at`](Self::state_at) takes any cell.
    ///
    /// # Panics
    /// If the cell lies outside the grid.
    #[inline]
    #[must_use]
    pub fn state_of(&self, cell: Cell) -> State {
        assert!(self.grid.contains(cell), "cell {cell} lies outside the grid");
        self.state(cell)
    }

    /// The state of a cell that is known to lie inside the grid. Of one outside it would be that of another
    /// cell.
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

    /// A distance estimate of the given kind for this space.
    ///
    /// # Errors
    /// If it could exceed the true distance under this rule and cost model.
    pub fn heuristic(&self, kind: HeuristicKind) -> Result<GridHeuristic, InadmissibleHeuristic> {
        kind.check(self.rule, self.costs)?;
        Ok(GridHeuristic::new(kind, self.costs, self.least, self.coordinates))
    }

    /// The octile distance, which never exceeds the true one under any rule; where cells have weights, times
    /// the lowest weight of a free cell.
    #[inline]
    #[must_use]
    pub fn octile(&self) -> GridHeuristic {
        GridHeuristic::new(HeuristicKind::Octile, self.costs, self.least, self.coordinates)
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
    fn revision(&self) -> Option<Revision> {
        Some(self.revision)
    }

    fn describe(&self, state: State) -> String {
        format!("{}", self.cell(state))
    }
}

/// The octile distance, times the lowest weight where cells have weights: what agents on a grid go by unless
/// they are given another.
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
