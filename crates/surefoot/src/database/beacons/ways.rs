//! Whole ways: paths, costs, and what is nearest, from the database alone.

use alloc::vec::Vec;

use super::query::{Over, Way};
use super::{BeaconDatabase, Steps};
use crate::search::Path;
use crate::space::{Cell, Cost, Direction, GridSpace, MoveRule, State, StateSpace as _};

impl BeaconDatabase {
    /// The way from one state to another; `None` if there is none.
    pub(crate) fn way(&self, space: &GridSpace, from: State, to: State) -> Option<Way> {
        if !space.contains(from) || !space.contains(to) {
            return None;
        }
        let mut decision = self.new_decision();
        decision.begin(space.cell(from), space.cell(to));
        decision.complete(self, space);
        let way = decision.way();
        self.recycle(decision);
        way
    }

    /// What the cheapest path from one state to another costs; `None` if there is none. It is exact as long as the map is the one that the database was built for.
    #[must_use]
    pub fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.way(space, from, to).map(|way| way.cost)
    }

    /// Whether a way leads from one state to another.
    #[must_use]
    pub fn reachable(&self, space: &GridSpace, from: State, to: State) -> bool {
        space.contains(from)
            && space.contains(to)
            && space.reachability(from, to) != crate::space::Reachability::No
    }

    /// The cells at which a cheapest path turns, its ends included; `None` if there is none. Between two of them, diagonal and straight moves may be made in any order.
    #[must_use]
    pub fn turning_points(&self, space: &GridSpace, from: State, to: State) -> Option<Vec<Cell>> {
        let way = self.way(space, from, to)?;
        let mut points = Vec::from([space.cell(from)]);
        if let Some(Over { first, last, .. }) = way.over {
            let corners = self.hops.way(&self.graph, &self.labels, first, last)?;
            points.extend(corners.into_iter().map(|corner| self.cell(corner)));
        }
        points.push(space.cell(to));
        points.dedup();
        Some(points)
    }

    /// A cheapest path, cell by cell; `None` if there is none.
    #[must_use]
    pub fn path(&self, space: &GridSpace, from: State, to: State) -> Option<Path> {
        let points = self.turning_points(space, from, to)?;
        let legs = || points.windows(2).map(|ends| (ends[0], ends[1]));
        let steps = |(from, to)| Steps::between(space.rule(), from, to);
        let moves = legs().map(steps).map(|steps| (steps.along + steps.across) as usize).sum::<usize>();
        let mut states = Vec::with_capacity(moves + 1);
        states.push(from);
        let mut state = from;
        for (mut at, end) in legs() {
            while let Some((direction, moves)) = next_run(space.rule(), at, end) {
                at = at.after(direction, moves);
                states.extend((0..moves).map(|_| {
                    state = space.step(state, direction);
                    state
                }));
            }
        }
        let cost = legs().map(|leg| steps(leg).cost(space)).sum();
        Some(Path { states, cost })
    }

    /// Which of some goals is nearest, and what the cheapest path there costs: its place among them; `None` if no way leads to any.
    #[must_use]
    pub fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        // Whatever is farther than the best one so far as the crow flies need not be looked at.
        let here = space.cell(from);
        let estimate = |goal: &State| Steps::between(space.rule(), here, space.cell(*goal)).cost(space);
        let mut order: Vec<(Cost, usize)> = goals
            .iter()
            .enumerate()
            .filter(|&(_, &goal)| space.contains(goal))
            .map(|(place, goal)| (estimate(goal), place))
            .collect();
        order.sort_unstable();
        let mut best: Option<(Cost, usize)> = None;
        if !space.contains(from) || order.is_empty() {
            return None;
        }
        // What the start sees is looked at once for all of them.
        let mut decision = self.new_decision();
        decision.begin_from(self, space, here);
        for (least, place) in order {
            if best.is_some_and(|(cost, _)| least > cost) {
                break;
            }
            decision.turn_to(space.cell(goals[place]));
            decision.complete(self, space);
            if let Some(Way { cost, .. }) = decision.way()
                && best.is_none_or(|best| (cost, place) < best)
            {
                best = Some((cost, place));
            }
        }
        self.recycle(decision);
        best.map(|(cost, place)| (place, cost))
    }
}

/// The run that a leg begins with: diagonal moves first. `None` at its end.
#[inline]
pub(crate) fn next_run(rule: MoveRule, from: Cell, to: Cell) -> Option<(Direction, u32)> {
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let (wide, high) = (dx.unsigned_abs() as u32, dy.unsigned_abs() as u32);
    let (x, y) = (dx.signum() as i32, dy.signum() as i32);
    match (wide, high) {
        (0, 0) => None,
        (0, _) => Some((Direction::from_delta(0, y), high)),
        (_, 0) => Some((Direction::from_delta(x, 0), wide)),
        _ if rule == MoveRule::Cardinal => Some((Direction::from_delta(x, 0), wide)),
        _ => Some((Direction::from_delta(x, y), wide.min(high))),
    }
}
