//! Hill-climbing: go to the neighbour that looks best, as long as something looks better than where one
//! stands.
//!
//! `reachable` of "Case-based subgoaling" (JAIR 2010), Figure 7. Databases are built and agents steered by
//! this one climb: what it promised offline holds online. Ties are broken as in LRTA* (Figure 1 there):
//! lowest g + h, then highest or lowest g, then the order of successors.
//!
//! Named deviation: Figure 7 stops only where no neighbour has a lower h, and relies on a property of the
//! octile distance, that the neighbour with the lowest g + h then has a lower h too. Where that need not hold
//! (other heuristics, graphs, ground of different weights), only neighbours with a lower h are considered: h
//! falls with every step, and so no climb comes to a state twice. And a climb that stands beside its target
//! goes there: a path can be cut into legs of one move that lose nothing. On grids without weights neither
//! makes a difference.
//!
//! On grids without weights and with the octile distance the best neighbour depends on little: which moves
//! are legal, the quadrant of the target, how the two axes compare. A small table ranks the directions for
//! each such case; no estimate is computed. Along a free line the first of them stays the best until the
//! target is level or the axes are equal, and how far the line is free shows in a word or two of bits: a
//! climb looks at cells one by one only where something is in its way.

use super::{Meter, Ties};
use crate::space::{Cell, Cost, Direction, GridSpace, State, World};

/// How a climb ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Climb {
    /// Where it ended: the target, or where nothing looked better, or where its steps ran out.
    pub end: State,
    /// The steps that were made.
    pub steps: u64,
    /// What they cost.
    pub cost: Cost,
}

/// The next step of a climb from `from` towards `target`, and its cost; nothing at a local minimum or
/// plateau, or at the target.
#[inline]
pub fn climb_step(world: &impl World, from: State, target: State, ties: Ties) -> Option<(State, Cost)> {
    match unweighted_grid(world) {
        Some(grid) => {
            let direction = GridClimb::new(grid, from, target, ties).best_direction()?;
            Some((grid.step(from, direction), grid.step_cost(from, direction)))
        }
        None => plain_step(world, from, target, ties),
    }
}

/// The next steps of a climb on a grid: a direction, and for how many steps it is certain to be the best one;
/// nothing at a local minimum or at the target.
#[inline]
pub fn climb_run(grid: &GridSpace, from: State, target: State, ties: Ties) -> Option<(Direction, u32)> {
    if grid.is_weighted() {
        let (next, _) = plain_step(grid, from, target, ties)?;
        let (here, there) = (grid.cell(from), grid.cell(next));
        let step = |from: u32, to: u32| to as i32 - from as i32;
        return Some((Direction::from_delta(step(here.x, there.x), step(here.y, there.y)), 1));
    }
    let climb = GridClimb::new(grid, from, target, ties);
    let (sx, sy, length) = climb.free_run();
    if length > 0 && grid.moves(from).0 != 0 {
        let direction = Direction::from_delta(sx, sy);
        let run = grid.run(climb.cell, direction, length as u32);
        if run > 0 {
            return Some((direction, run));
        }
    }
    climb.best_direction().map(|direction| (direction, 1))
}

/// Climbs from `from` towards `target` for at most `cap` steps.
pub fn climb(world: &impl World, from: State, target: State, cap: u64, ties: Ties) -> Climb {
    match unweighted_grid(world) {
        Some(grid) => GridClimb::new(grid, from, target, ties).climb(cap),
        None => plain_climb(world, from, target, cap, ties),
    }
}

/// Whether a climb from `from` arrives at `target` within `cap` steps. Each step is charged.
pub fn reachable(
    world: &impl World,
    from: State,
    target: State,
    cap: u64,
    ties: Ties,
    meter: &mut Meter,
) -> bool {
    climb_to(world, from, target, cap, ties, meter).is_some()
}

/// The climb from `from` to `target`, if it arrives within `cap` steps. Each step is charged.
pub fn climb_to(
    world: &impl World,
    from: State,
    target: State,
    cap: u64,
    ties: Ties,
    meter: &mut Meter,
) -> Option<Climb> {
    let climb = climb(world, from, target, cap, ties);
    // Finding that nothing looks better is work as well.
    let looks = climb.steps + u64::from(climb.end != target && climb.steps < cap);
    meter.charge_climb_steps(looks);
    (climb.end == target).then_some(climb)
}

/// The grid, if the table of ranked directions holds there.
#[inline]
fn unweighted_grid(world: &impl World) -> Option<&GridSpace> {
    world.octile_grid().filter(|grid| !grid.is_weighted())
}

/// A step by the definition, for any world.
fn plain_step(world: &impl World, from: State, target: State, ties: Ties) -> Option<(State, Cost)> {
    let here = world.estimate(from, target);
    let mut best: Option<((bool, Cost, Cost), State, Cost)> = None;
    world.for_each_successor(from, |state, cost| {
        let h = world.estimate(state, target);
        let key = (state != target, cost.saturating_add(h), ties.rank(cost));
        if h < here && best.is_none_or(|known| key < known.0) {
            best = Some((key, state, cost));
        }
    });
    best.map(|(_, state, cost)| (state, cost))
}

fn plain_climb(world: &impl World, from: State, target: State, cap: u64, ties: Ties) -> Climb {
    let mut climb = Climb { end: from, steps: 0, cost: 0 };
    while climb.end != target && climb.steps < cap {
        let Some((next, cost)) = plain_step(world, climb.end, target, ties) else { break };
        climb = Climb { end: next, steps: climb.steps + 1, cost: climb.cost + cost };
    }
    climb
}

/// A climb on a grid by the octile distance.
struct GridClimb<'a> {
    grid: &'a GridSpace,
    ties: Ties,
    cell: Cell,
    /// How far the target lies to the east and to the south.
    dx: i32,
    dy: i32,
}

impl<'a> GridClimb<'a> {
    #[inline]
    fn new(grid: &'a GridSpace, from: State, target: State, ties: Ties) -> Self {
        let (here, there) = (grid.cell(from), grid.cell(target));
        let (dx, dy) = (there.x as i32 - here.x as i32, there.y as i32 - here.y as i32);
        Self { grid, ties, cell: here, dx, dy }
    }

    #[inline]
    fn state(&self) -> State {
        self.grid.state(self.cell)
    }

    /// The best legal direction. `None` if none lowers the estimate.
    #[inline]
    fn best_direction(&self) -> Option<Direction> {
        let moves = self.grid.moves(self.state()).0;
        for &direction in &RANKING[usize::from(self.ties == Ties::Far)][case(self.dx, self.dy)] {
            if direction == NO_DIRECTION {
                return None;
            }
            if moves >> direction & 1 != 0 {
                return Some(Direction::ALL[usize::from(direction)]);
            }
        }
        None
    }

    /// The direction that is best where all moves are legal, and for how many steps it stays so.
    #[inline]
    fn free_run(&self) -> (i32, i32, u64) {
        let (ax, ay) = (self.dx.unsigned_abs(), self.dy.unsigned_abs());
        let straight = if ax > ay { (self.dx.signum(), 0) } else { (0, self.dy.signum()) };
        let diagonal = (self.dx.signum(), self.dy.signum());
        let ((sx, sy), length) = match self.ties {
            // Of all moves that lose nothing the diagonal one has the highest g.
            Ties::Far if ax.min(ay) > 0 => (diagonal, ax.min(ay)),
            Ties::Near if ax == ay => (diagonal, ax),
            Ties::Far | Ties::Near => (straight, ax.abs_diff(ay)),
        };
        (sx, sy, u64::from(length))
    }

    /// Takes so many steps in a direction.
    #[inline]
    fn advance(&mut self, direction: Direction, steps: u32) {
        let (sx, sy) = direction.delta();
        let (x, y) = (sx * steps as i32, sy * steps as i32);
        self.cell = Cell::new(self.cell.x.wrapping_add_signed(x), self.cell.y.wrapping_add_signed(y));
        self.dx -= x;
        self.dy -= y;
    }

    fn climb(mut self, cap: u64) -> Climb {
        // Straight and diagonal ones.
        let mut steps = [0_u64; 2];
        // The bits of lines say nothing of a start that is blocked itself.
        let cap = if self.grid.moves(self.state()).0 == 0 { 0 } else { cap };
        while (self.dx, self.dy) != (0, 0) {
            let (sx, sy, length) = self.free_run();
            let direction = Direction::from_delta(sx, sy);
            let most = length.min(cap - steps[0] - steps[1]) as u32;
            let run = self.grid.run(self.cell, direction, most);
            self.advance(direction, run);
            steps[usize::from(direction.is_diagonal())] += u64::from(run);
            if steps[0] + steps[1] == cap {
                break;
            }
            if run < most {
                // Something is in the way: one step by rank.
                let Some(direction) = self.best_direction() else { break };
                self.advance(direction, 1);
                steps[usize::from(direction.is_diagonal())] += 1;
            }
        }
        let cost = self.grid.costs().of_steps(steps[0], steps[1]);
        Climb { end: self.state(), steps: steps[0] + steps[1], cost }
    }
}

/// The end of a ranking.
const NO_DIRECTION: u8 = 8;

/// For each tie rule (low g, high g) and case, the directions that lower the octile distance, the best first.
static RANKING: [[[u8; 8]; CASES]; 2] = [rank_all(false), rank_all(true)];

const CASES: usize = 4 * 3 * 5;

/// The case of a target `dx` to the east and `dy` to the south: its quadrant, the shorter axis up to 2, and
/// by how much the axes differ, up to 2 either way. One move changes an axis by one, so beyond that nothing
/// changes.
#[inline]
fn case(dx: i32, dy: i32) -> usize {
    let (ax, ay) = (dx.unsigned_abs() as i32, dy.unsigned_abs() as i32);
    let quadrant = usize::from(dx < 0) | usize::from(dy < 0) << 1;
    quadrant * 15 + ax.min(ay).min(2) as usize * 5 + ((ax - ay).clamp(-2, 2) + 2) as usize
}

const fn octile(dx: i32, dy: i32) -> i32 {
    let (ax, ay) = (dx.abs(), dy.abs());
    let (short, long) = if ax < ay { (ax, ay) } else { (ay, ax) };
    7 * short + 5 * (long - short)
}

/// Ranks by the definition, with the costs 5 and 7. Other costs of a diagonal move between 4/3 and 3/2 of a
/// straight one, such as √2, give the same ranks: of the moves that lower h, those that lose nothing come
/// first, then those along the shorter axis alone (2 − diagonal), then diagonals that win on the longer axis
/// only (2 · diagonal − 2).
const fn rank_all(high_g: bool) -> [[u8; 8]; CASES] {
    let deltas = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
    let mut table = [[NO_DIRECTION; 8]; CASES];
    let mut at = 0;
    while at < CASES {
        let (quadrant, short, differ) = (at / 15, (at % 15 / 5) as i32, (at % 5) as i32 - 2);
        let (mut dx, mut dy) = (short, short);
        if differ > 0 {
            dx += differ;
        } else {
            dy -= differ;
        }
        if quadrant & 1 != 0 {
            dx = -dx;
        }
        if quadrant & 2 != 0 {
            dy = -dy;
        }
        let here = octile(dx, dy);
        let mut keys = [i32::MAX; 8];
        let mut direction = 0;
        while direction < 8 {
            let (sx, sy) = deltas[direction];
            let h = octile(dx - sx, dy - sy);
            let g = if direction < 4 { 5 } else { 7 };
            if h < here {
                let tie = if high_g { 7 - g } else { g };
                keys[direction] = (g + h) * 64 + tie * 8 + direction as i32;
            }
            direction += 1;
        }
        let mut rank = 0;
        while rank < 8 {
            let (mut best, mut direction) = (0, 1);
            while direction < 8 {
                if keys[direction] < keys[best] {
                    best = direction;
                }
                direction += 1;
            }
            if keys[best] == i32::MAX {
                break;
            }
            table[at][rank] = best as u8;
            keys[best] = i32::MAX;
            rank += 1;
        }
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Cell, CostModel, Grid, MoveRule, StateSpace};
    use proptest::prelude::*;

    #[test]
    fn the_table_has_the_order_of_directions() {
        let deltas = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
        assert_eq!(Direction::ALL.map(Direction::delta), deltas);
    }

    proptest! {
        #[test]
        fn climbs_on_grids_are_those_of_the_definition(
            width in prop_oneof![1_u32..24, 1_u32..200],
            cells in prop::collection::vec(0_u8..40, 1..3000),
            density in 0_u8..20,
            ends in prop::collection::vec((any::<u32>(), any::<u32>(), 0_u64..40), 20),
            edits in prop::collection::vec((any::<u32>(), any::<bool>()), 0..4),
        ) {
            let height = (cells.len() as u32).div_ceil(width);
            let grid = Grid::from_fn(width, height, |cell| {
                cells.get((cell.y * width + cell.x) as usize).is_some_and(|&cell| cell >= density)
            }).unwrap();
            for rule in MoveRule::ALL {
                for costs in [CostModel::Diagonal14, CostModel::Sqrt2] {
                    let mut space = GridSpace::new(grid.clone(), rule, costs);
                    for &(state, free) in &edits {
                        space.set(space.cell(State(state % (width * height))), free);
                    }
                    for &(from, target, cap) in &ends {
                        let count = space.state_limit() as u32;
                        let (from, target) = (State(from % count), State(target % count));
                        // Either may be blocked.
                        for ties in [Ties::Near, Ties::Far] {
                            for cap in [cap, u64::MAX] {
                                let expected = plain_climb(&space, from, target, cap, ties);
                                prop_assert_eq!(climb(&space, from, target, cap, ties), expected);
                            }
                            let step = plain_step(&space, from, target, ties);
                            prop_assert_eq!(climb_step(&space, from, target, ties), step);
                            let run = climb_run(&space, from, target, ties);
                            prop_assert_eq!(run.is_some(), step.is_some());
                            if let Some((direction, steps)) = run {
                                let mut at = from;
                                for _ in 0..steps {
                                    let next = space.step(at, direction);
                                    let step = Some((next, space.step_cost(at, direction)));
                                    prop_assert_eq!(plain_step(&space, at, target, ties), step);
                                    at = next;
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_climb_across_an_open_field_takes_the_octile_distance() {
        let space =
            GridSpace::new(Grid::from_fn(90, 70, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let ends = [(0, 0), (89, 69), (12, 50), (60, 3)].map(|(x, y)| space.state(Cell::new(x, y)));
        for from in ends {
            for target in ends {
                for ties in [Ties::Near, Ties::Far] {
                    let climb = climb(&space, from, target, u64::MAX, ties);
                    assert_eq!(climb.end, target);
                    assert_eq!(climb.cost, crate::space::Heuristic::estimate(&space, from, target));
                }
            }
        }
    }
}
