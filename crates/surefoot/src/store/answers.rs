//! Databases that answer questions about ways by themselves, without a walk.

use alloc::vec::Vec;

use super::database::Database;
use crate::space::{Cell, Cost, GridSpace, Heuristic as _, State, bends_of, sorting};

/// What answers questions about the ways of a map. All states that it is asked about are free cells of the
/// map that it was built for, or was told of. Unless something else is said, `None` means that there is no
/// way.
pub trait Answers: Database {
    /// Whether what it finds is always cheapest.
    fn is_exact(&self) -> bool;

    /// What a way costs.
    fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost>;

    /// What a way costs, as far as that comes out within [`question_bound`](Self::question_bound), and what
    /// the question took. `None` may mean that there is a way all the same: connectivity tells. The same
    /// question always has the same answer, until the map is edited.
    fn ask(&self, space: &GridSpace, from: State, to: State) -> (Option<Cost>, u64);

    /// The most work that [`ask`](Self::ask) takes.
    fn question_bound(&self) -> u64;

    /// The states of a way, both ends included, and what it costs.
    fn path(&self, space: &GridSpace, from: State, to: State) -> Option<(Vec<State>, Cost)>;

    /// Fills a list with the cells at which the way that [`path`](Self::path) finds changes its direction,
    /// both ends included, and tells what it costs. If there is none, the list is empty.
    fn turning_points(
        &self,
        space: &GridSpace,
        from: State,
        to: State,
        points: &mut Vec<Cell>,
    ) -> Option<Cost> {
        points.clear();
        let (states, cost) = self.path(space, from, to)?;
        let cells: Vec<Cell> = states.into_iter().map(|state| space.cell(state)).collect();
        points.extend(bends_of(&cells));
        Some(cost)
    }

    /// What ways to many goals cost.
    fn costs(&self, space: &GridSpace, from: State, goals: &[State]) -> Vec<Option<Cost>> {
        goals.iter().map(|&goal| self.cost(space, from, goal)).collect()
    }

    /// The nearest of some goals: its place among them, and what a way there costs. Of equally near ones the
    /// first.
    fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        let least = |(place, &goal): (usize, &State)| (space.estimate(from, goal), place);
        let mut order: Vec<(Cost, usize)> = goals.iter().enumerate().map(least).collect();
        sorting::sort(&mut order);
        let mut best: Option<(Cost, usize)> = None;
        for (least, place) in order {
            // Whatever is farther than the best one as the crow flies need not be looked at.
            if best.is_some_and(|(cost, _)| least > cost) {
                break;
            }
            let found = self.cost(space, from, goals[place]).map(|cost| (cost, place));
            best = [best, found].into_iter().flatten().min();
        }
        best.map(|(cost, place)| (place, cost))
    }
}
