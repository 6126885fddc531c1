//! One query: the open list of jump points and rays, and the jumps that feed it.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::nodes::Nodes;
use super::scan::{Stop, Turn, scan};
use super::turns::{diagonal_turns, turns};
use crate::search::SearchCounts;
use crate::search::queue::{CalendarQueue, Queue};
use crate::space::{Cell, Cost, CostModel, Direction, DirectionSet, GridSpace, MoveRule, State};

/// A move rule as a type, so that each rule gets its own machine code without a test in the inner loops.
pub(super) trait Rule {
    const RULE: MoveRule;
    const TURN: Turn = match Self::RULE {
        MoveRule::Squeeze => Turn::Before,
        MoveRule::OneFree => Turn::BeforeIfFree,
        _ => Turn::Behind,
    };
}

pub(super) struct Squeeze;
pub(super) struct OneFree;
pub(super) struct NoCut;
pub(super) struct Cardinal;

impl Rule for Squeeze {
    const RULE: MoveRule = MoveRule::Squeeze;
}
impl Rule for OneFree {
    const RULE: MoveRule = MoveRule::OneFree;
}
impl Rule for NoCut {
    const RULE: MoveRule = MoveRule::NoCut;
}
impl Rule for Cardinal {
    const RULE: MoveRule = MoveRule::Cardinal;
}

/// A diagonal jump under way: it goes on when the open list gets to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// Where it has got to, at cost `g`; the step from here has not been made.
    cell: Cell,
    g: Cost,
    direction: Direction,
    /// The jump point that it comes from.
    node: u32,
}

/// The open list holds nodes, and rays with this bit set.
const RAY: u32 = 1 << 31;

/// How far, in straight moves, a ray's f may rise above the lowest in the open list before the ray has to
/// wait. With 0 rays stop and go all the time, with infinity they run on where no cheapest path leads: 4 to
/// 64 are all within a tenth of the best on the MovingAI maps.
const PATIENCE: u64 = 16;

/// How far apart, in straight moves, the keys of jump points are taken to be when the open list sorts them
/// into buckets: a jump changes f far more than a move does.
const JUMP: u64 = 32;

/// Scratch memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub nodes: Nodes,
    rays: Vec<Ray>,
    queue: CalendarQueue,
}

/// A query under way.
pub(super) struct JumpRun<'a, R> {
    space: &'a GridSpace,
    goal: Cell,
    costs: CostModel,
    scratch: &'a mut Scratch,
    pub counts: SearchCounts,
    /// The node that is being expanded, or that the ray comes from.
    from: u32,
    /// The lowest f in the open list.
    f: Cost,
    rule: PhantomData<R>,
}

impl<'a, R: Rule> JumpRun<'a, R> {
    pub(super) fn new(space: &'a GridSpace, scratch: &'a mut Scratch, goal: Cell) -> Self {
        scratch.nodes.clear();
        scratch.rays.clear();
        scratch.queue.clear();
        scratch.queue.set_cheapest_move(JUMP * space.costs().cardinal());
        let counts = SearchCounts::default();
        Self { space, goal, costs: space.costs(), scratch, counts, from: 0, f: 0, rule: PhantomData }
    }

    /// The goal's node, if the goal can be reached; `note` hears of whatever counts as an expansion.
    pub(super) fn search(&mut self, start: Cell, mut note: impl FnMut(State)) -> Option<u32> {
        let goal = self.space.state(self.goal).0;
        let state = self.space.state(start);
        self.from = self.scratch.nodes.start(state.0);
        if start == self.goal {
            return Some(self.from);
        }
        self.f = self.estimate(start);
        self.counts.generated = 1;
        self.counts.expanded = 1;
        note(state);
        self.expand(start, 0, self.space.moves(state));
        loop {
            self.counts.largest_open = self.counts.largest_open.max(self.scratch.queue.len() as u64);
            let (f, item) = self.scratch.queue.pop()?;
            self.f = f;
            if item & RAY != 0 {
                let ray = self.scratch.rays[(item & !RAY) as usize];
                self.counts.expanded += 1;
                note(self.space.state(ray.cell));
                self.from = ray.node;
                self.jump_diagonally(ray.cell, ray.g, ray.direction);
                continue;
            }
            let Some((state, g, arrivals)) = self.scratch.nodes.settle(item) else { continue };
            if state == goal {
                return Some(item);
            }
            self.counts.expanded += 1;
            self.from = item;
            let state = State(state);
            note(state);
            let cell = self.space.cell(state);
            let moves = self.space.moves(state);
            let mut directions = 0;
            for arrival in arrivals.iter() {
                directions |= turns(R::RULE, arrival, moves, || self.moves_behind(cell, arrival)).0;
            }
            self.expand(cell, g, DirectionSet(directions & moves.0));
        }
    }

    /// The legal moves of the cell that one passed just before arriving at `cell`.
    fn moves_behind(&self, cell: Cell, arrival: Direction) -> DirectionSet {
        let (dx, dy) = arrival.delta();
        self.space.moves(self.space.state(moved(cell, -dx, -dy)))
    }

    fn expand(&mut self, cell: Cell, g: Cost, directions: DirectionSet) {
        for direction in directions.iter() {
            match direction {
                Direction::South => self.jump_straight::<true, false>(cell, g),
                Direction::North => self.jump_straight::<false, false>(cell, g),
                Direction::East if R::RULE.has_diagonals() => self.jump_straight::<true, true>(cell, g),
                Direction::West if R::RULE.has_diagonals() => self.jump_straight::<false, true>(cell, g),
                _ => self.jump_diagonally(cell, g, direction),
            }
        }
    }

    /// Jumps in one straight direction and opens the jump point or the goal, if there is one.
    #[inline]
    fn jump_straight<const FORWARD: bool, const HORIZONTAL: bool>(&mut self, cell: Cell, g: Cost) {
        let grid = self.space.grid();
        let (lines, line, position, goal_line, goal_position) = if HORIZONTAL {
            (grid.rows(), cell.y, cell.x, self.goal.y, self.goal.x)
        } else {
            (grid.columns(), cell.x, cell.y, self.goal.x, self.goal.y)
        };
        let Stop { position: mut end, mut is_jump_point } = scan::<FORWARD>(lines, line, position, R::TURN);
        if line == goal_line {
            // The position before the first cell wraps around: compare as signed numbers.
            let (from, goal, to) = (position as i32, goal_position as i32, end as i32);
            let passed = if FORWARD { from < goal && goal < to } else { to < goal && goal < from };
            if passed {
                (end, is_jump_point) = (goal_position, true);
            }
        }
        if is_jump_point {
            let found = if HORIZONTAL { Cell::new(end, line) } else { Cell::new(line, end) };
            let (dx, dy) = match (FORWARD, HORIZONTAL) {
                (true, true) => (1, 0),
                (false, true) => (-1, 0),
                (true, false) => (0, 1),
                (false, false) => (0, -1),
            };
            let steps = u64::from(end.abs_diff(position));
            self.open(found, g + steps * self.costs.cardinal(), Direction::from_delta(dx, dy));
        }
    }

    /// Goes diagonally cell by cell, with straight jumps to both sides from each. Without diagonal moves it
    /// goes sideways, with jumps up and down.
    fn jump_diagonally(&mut self, cell: Cell, g: Cost, direction: Direction) {
        match direction {
            Direction::SouthEast => self.follow_ray::<1, 1>(cell, g),
            Direction::SouthWest => self.follow_ray::<-1, 1>(cell, g),
            Direction::NorthEast => self.follow_ray::<1, -1>(cell, g),
            Direction::NorthWest => self.follow_ray::<-1, -1>(cell, g),
            Direction::East => self.follow_ray::<1, 0>(cell, g),
            _ => self.follow_ray::<-1, 0>(cell, g),
        }
    }

    #[inline]
    fn follow_ray<const DX: i32, const DY: i32>(&mut self, mut cell: Cell, mut g: Cost) {
        let direction = const { Direction::from_delta(DX, DY) };
        let step = if DY == 0 { self.costs.cardinal() } else { self.costs.diagonal() };
        let patience = self.f + PATIENCE * self.costs.cardinal();
        let mut state = self.space.state(cell);
        loop {
            let next = moved(cell, DX, DY);
            let f = g + step + self.estimate(next);
            if f > patience {
                let ray = RAY | self.scratch.rays.len() as u32;
                self.scratch.rays.push(Ray { cell, g, direction, node: self.from });
                self.scratch.queue.push(f, ray);
                self.counts.generated += 1;
                return;
            }
            cell = next;
            g += step;
            state = self.space.step(state, direction);
            let moves = self.space.moves(state);
            // Where corners are not cut no wall can force a turn on a diagonal.
            let forced =
                R::RULE.has_diagonals() && R::TURN != Turn::Behind && diagonal_turns(direction, moves);
            if cell == self.goal || forced {
                self.open(cell, g, direction);
                return;
            }
            if DY == 0 {
                if moves.contains(Direction::South) {
                    self.jump_straight::<true, false>(cell, g);
                }
                if moves.contains(Direction::North) {
                    self.jump_straight::<false, false>(cell, g);
                }
            } else {
                if moves.contains(const { Direction::from_delta(DX, 0) }) {
                    if DX > 0 {
                        self.jump_straight::<true, true>(cell, g);
                    } else {
                        self.jump_straight::<false, true>(cell, g);
                    }
                }
                if moves.contains(const { Direction::from_delta(0, DY) }) {
                    if DY > 0 {
                        self.jump_straight::<true, false>(cell, g);
                    } else {
                        self.jump_straight::<false, false>(cell, g);
                    }
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
        if let Some(node) = self.scratch.nodes.offer(state.0, g, self.from, arrival) {
            self.scratch.queue.push(g + self.estimate(cell), node);
            self.counts.generated += 1;
        }
    }

    /// The octile distance to the goal; without diagonal moves the Manhattan distance.
    #[inline]
    fn estimate(&self, cell: Cell) -> Cost {
        let (dx, dy) = (u64::from(cell.x.abs_diff(self.goal.x)), u64::from(cell.y.abs_diff(self.goal.y)));
        if R::RULE.has_diagonals() {
            self.costs.of_steps(dx.abs_diff(dy), dx.min(dy))
        } else {
            self.costs.of_steps(dx + dy, 0)
        }
    }
}

#[inline]
fn moved(cell: Cell, dx: i32, dy: i32) -> Cell {
    Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
}
