//! Jump point search: cheapest paths on grids, many times faster than A*.
//!
//! After Harabor and Grastien, "Online graph pruning for pathfinding on grid maps" (2011) and "Improving jump
//! point search" (2014). Of all cheapest paths only canonical ones are followed: diagonal steps as early as
//! possible, straight steps after them. A canonical path turns only where a wall beside it ends, so the search
//! expands those few cells and jumps from one to the next, 64 cells at a time.
//!
//! Named deviations:
//! - All four move rules are served, each with its own pruning: see [`turns`].
//! - A diagonal jump does not stop where a straight jump from it succeeds; it puts the straight jump's end into the
//!   open list and goes on (2014's pruning of intermediate points).
//! - A state that is reached at the same cost from several directions is expanded for each of them, so that the
//!   canonical paths searched are exactly all of them; no argument about ties is needed.
//! - Without diagonal moves, horizontal steps take the part of diagonal ones.

mod nodes;
mod scan;
mod turns;

use alloc::vec::Vec;

use self::nodes::Nodes;
use self::scan::{Stop, Turn, scan};
use self::turns::turns;
use super::queue::{Queue, RadixQueue};
use super::{Answer, Path, SearchCounts, check_ends};
use crate::space::{
    Cell, Cost, CostModel, Direction, DirectionSet, GridSpace, Heuristic, QueryError, Reachability, State,
    StateSpace,
};

/// Jump point search with its scratch memory, which grows with the cells that a search jumps between, not with
/// the map. It needs no preparation: a map may change between two queries.
#[derive(Clone, Debug, Default)]
pub struct JumpPoints {
    nodes: Nodes,
    queue: RadixQueue,
}

impl JumpPoints {
    /// A search with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds a cheapest path.
    ///
    /// # Errors
    /// If `start` or `goal` is no state of `space`.
    pub fn find(&mut self, space: &GridSpace, start: State, goal: State) -> Result<Answer, QueryError> {
        check_ends(space, start, goal)?;
        if space.reachability(start, goal) == Reachability::No {
            return Ok(Answer::unreachable_at_once());
        }
        self.nodes.clear();
        self.queue.clear();
        let mut run = Run {
            space,
            goal: space.cell(goal),
            goal_state: goal,
            turn: Turn::of(space.rule()),
            costs: space.costs(),
            nodes: &mut self.nodes,
            queue: &mut self.queue,
            counts: SearchCounts::default(),
            from: 0,
        };
        let found = run.search(start);
        let counts = run.counts;
        let path = found.map(|node| self.path_to(space, node));
        Ok(Answer { path, counts })
    }

    /// The whole path, cell by cell: from each jump point to the next the diagonal steps come first (without
    /// diagonals: the horizontal ones).
    fn path_to(&self, space: &GridSpace, goal: u32) -> Path {
        let cost = self.nodes.get(goal).g;
        let mut states = Vec::new();
        let mut node = goal;
        loop {
            let target = self.nodes.get(node);
            let origin = self.nodes.get(target.parent);
            if node == target.parent {
                states.push(State(target.state));
                break;
            }
            let (from, to) = (space.cell(State(origin.state)), space.cell(State(target.state)));
            let first_state = states.len();
            // Backwards along the segment: collected from its origin on, then turned round.
            let (mut x, mut y) = (from.x, from.y);
            while (x, y) != (to.x, to.y) {
                states.push(space.state(Cell::new(x, y)));
                let step_x = x != to.x;
                let step_y = y != to.y && (space.rule().has_diagonals() || !step_x);
                if step_x {
                    x = if x < to.x { x + 1 } else { x - 1 };
                }
                if step_y {
                    y = if y < to.y { y + 1 } else { y - 1 };
                }
            }
            states.push(State(target.state));
            states[first_state..].reverse();
            states.pop();
            node = target.parent;
        }
        states.reverse();
        Path { states, cost }
    }
}

/// A query under way.
struct Run<'a> {
    space: &'a GridSpace,
    goal: Cell,
    goal_state: State,
    turn: Turn,
    costs: CostModel,
    nodes: &'a mut Nodes,
    queue: &'a mut RadixQueue,
    counts: SearchCounts,
    /// The node that is being expanded.
    from: u32,
}

impl Run<'_> {
    /// The goal's node, if the goal can be reached.
    fn search(&mut self, start: State) -> Option<u32> {
        let (node, _) = self.nodes.insert(start.0);
        self.nodes.get_mut(node).parent = node;
        self.counts.generated = 1;
        let mut directions = self.space.moves(start);
        let mut popped = (node, 0);
        loop {
            let (node, g) = popped;
            let state = State(self.nodes.get(node).state);
            if state == self.goal_state {
                return Some(node);
            }
            self.counts.expanded += 1;
            self.from = node;
            self.expand(self.space.cell(state), g, directions);
            self.counts.largest_open = self.counts.largest_open.max(self.queue.len() as u64);
            popped = loop {
                let (_, node) = self.queue.pop()?;
                if let Some((g, arrivals)) = self.nodes.settle(node) {
                    let moves = self.space.moves(State(self.nodes.get(node).state));
                    directions = self.continuations(node, arrivals, moves);
                    break (node, g);
                }
            };
        }
    }

    /// The directions worth going on in, for one who arrived from each of `arrivals`.
    fn continuations(&self, node: u32, arrivals: DirectionSet, moves: DirectionSet) -> DirectionSet {
        let mut union = 0;
        for arrival in arrivals.iter() {
            // Without diagonal moves the cell behind, which was passed, knows what stood beside it.
            let behind = || {
                let (dx, dy) = arrival.delta();
                let cell = self.space.cell(State(self.nodes.get(node).state));
                self.space.moves(
                    self.space
                        .state(Cell::new(cell.x.wrapping_add_signed(-dx), cell.y.wrapping_add_signed(-dy))),
                )
            };
            union |= turns(self.space.rule(), arrival, moves, behind).0;
        }
        DirectionSet(union & moves.0)
    }

    fn expand(&mut self, cell: Cell, g: Cost, directions: DirectionSet) {
        let has_diagonals = self.space.rule().has_diagonals();
        for direction in directions.iter() {
            if direction.is_diagonal() {
                self.jump_diagonally(cell, g, direction);
            } else if !has_diagonals && direction.delta().1 == 0 {
                self.jump_sideways(cell, g, direction);
            } else {
                self.jump_straight(cell, g, direction);
            }
        }
    }

    /// Jumps in one straight direction and opens the jump point or the goal, if there is one.
    #[inline]
    fn jump_straight(&mut self, cell: Cell, g: Cost, direction: Direction) {
        let grid = self.space.grid();
        let (Stop { position, is_jump_point }, own, goal_ahead) = match direction {
            Direction::East => (
                scan::<true>(grid.rows(), cell.y, cell.x, self.turn),
                cell.x,
                self.goal.y == cell.y && self.goal.x > cell.x,
            ),
            Direction::West => (
                scan::<false>(grid.rows(), cell.y, cell.x, self.turn),
                cell.x,
                self.goal.y == cell.y && self.goal.x < cell.x,
            ),
            Direction::South => (
                scan::<true>(grid.columns(), cell.x, cell.y, self.turn),
                cell.y,
                self.goal.x == cell.x && self.goal.y > cell.y,
            ),
            _ => (
                scan::<false>(grid.columns(), cell.x, cell.y, self.turn),
                cell.y,
                self.goal.x == cell.x && self.goal.y < cell.y,
            ),
        };
        let horizontal = direction.delta().1 == 0;
        // Positions before the first cell wrap around, and so does their distance.
        let distance = (position as i32).abs_diff(own as i32);
        if goal_ahead {
            let goal_distance =
                if horizontal { self.goal.x.abs_diff(cell.x) } else { self.goal.y.abs_diff(cell.y) };
            if goal_distance < distance || (goal_distance == distance && is_jump_point) {
                self.open(self.goal, g + self.costs.of_steps(u64::from(goal_distance), 0), direction);
                return;
            }
        }
        if is_jump_point {
            let found = if horizontal { Cell::new(position, cell.y) } else { Cell::new(cell.x, position) };
            self.open(found, g + self.costs.of_steps(u64::from(distance), 0), direction);
        }
    }

    /// Goes diagonally cell by cell, with straight jumps to both sides from each.
    fn jump_diagonally(&mut self, mut cell: Cell, mut g: Cost, direction: Direction) {
        let (dx, dy) = direction.delta();
        let (horizontal, vertical) = (Direction::from_delta(dx, 0), Direction::from_delta(0, dy));
        let mut state = self.space.state(cell);
        loop {
            state = self.space.step(state, direction);
            cell = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
            g += self.costs.diagonal();
            let moves = self.space.moves(state);
            if cell == self.goal || turns::diagonal_turns(direction, moves) {
                self.open(cell, g, direction);
                return;
            }
            if moves.contains(horizontal) {
                self.jump_straight(cell, g, horizontal);
            }
            if moves.contains(vertical) {
                self.jump_straight(cell, g, vertical);
            }
            if !moves.contains(direction) {
                return;
            }
        }
    }

    /// Without diagonal moves: goes sideways cell by cell, with jumps up and down from each.
    fn jump_sideways(&mut self, mut cell: Cell, mut g: Cost, direction: Direction) {
        let (dx, _) = direction.delta();
        let mut state = self.space.state(cell);
        loop {
            state = self.space.step(state, direction);
            cell = Cell::new(cell.x.wrapping_add_signed(dx), cell.y);
            g += self.costs.cardinal();
            if cell == self.goal {
                self.open(cell, g, direction);
                return;
            }
            let moves = self.space.moves(state);
            for vertical in [Direction::South, Direction::North] {
                if moves.contains(vertical) {
                    self.jump_straight(cell, g, vertical);
                }
            }
            if !moves.contains(direction) {
                return;
            }
        }
    }

    /// Puts a jump point into the open list, unless it is known at a lower cost.
    #[inline]
    fn open(&mut self, cell: Cell, g: Cost, arrival: Direction) {
        let state = self.space.state(cell);
        if self.nodes.offer(state.0, g, self.from, arrival).is_some_and(|node| {
            let f = g + self.space.octile().estimate(state, self.goal_state);
            self.queue.push(f, node);
            true
        }) {
            self.counts.generated += 1;
        }
    }
}
