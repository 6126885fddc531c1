//! Random problems of a wanted difficulty.
//!
//! A problem's difficulty is the cost of a cheapest path. Problem i depends on the map, the request and i
//! alone, not on how many others are drawn or by how many threads.

mod buckets;
mod candidates;

use std::ops::ControlFlow;
use std::sync::OnceLock;

use rayon::prelude::*;
use surefoot::search::{Dijkstra, GridPlanner, Planner as _};
use surefoot::space::{Cell, Cost, GridSpace};

use self::candidates::{Candidates, cells_within, for_each_distance};
use crate::random::Rng;

/// Which problems are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProblemRequest {
    /// How many, in all or in every bucket.
    pub count: usize,
    /// The least optimal cost.
    pub min_cost: f64,
    /// The greatest optimal cost.
    pub max_cost: f64,
    /// Which of the many sets of problems.
    pub seed: u64,
    /// Whether `count` problems are wanted in each bucket of the range (where they exist).
    pub per_bucket: bool,
}

/// A problem and its optimal cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratedProblem {
    /// Where it starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The cost of a cheapest path.
    pub cost: Cost,
    /// The bucket: a quarter of the cost, rounded down (as in the PRA* paper, 2005).
    pub bucket: u32,
}

/// A request that cannot be met.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemsError {
    /// No problem is wanted.
    #[error("0 problems were asked for; ask for at least 1")]
    NoneWanted,
    /// A range that has nothing in it.
    #[error("no cost is at least {min} and at most {max}; give a range of numbers from 0 on")]
    EmptyRange {
        /// The least cost.
        min: f64,
        /// The greatest cost.
        max: f64,
    },
    /// A map on which nobody can stand.
    #[error("the map has no passable cell")]
    NoFreeCell,
    /// Not enough problems were found in spite of many tries.
    #[error("too few problems have an optimal cost from {min} to {max}: {seen}")]
    NotFound {
        /// The least cost.
        min: f64,
        /// The greatest cost.
        max: f64,
        /// How many were found, and what there was instead.
        seen: String,
    },
    /// Whoever heard of the progress ended it.
    #[error("stopped before all problems were drawn")]
    Stopped,
}

/// Starts whose distance fields are asked for one problem, or in vain for one more in any bucket.
const FIELDS: usize = 6;
/// Pairs that are drawn to see whether pairs pay.
const TRIALS: usize = 16;
/// Components whose farthest ends are looked for when random starts have led nowhere.
const SWEPT_COMPONENTS: usize = 8;
/// Problems that are drawn before progress is told.
const BATCH: usize = 64;

/// Who hears how many problems there are and how many there will be. [`ControlFlow::Break`] ends it.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Draws the problems that `request` wants; `progress` hears how many there are and how many there will be,
/// as far as is known, and may end it.
///
/// A problem is drawn in up to three ways, from the cheapest to the surest:
///
/// 1. Pairs: a start, a goal within reach of it, and the exact cost by jump points. Most requests end here;
///    where ways wind too much for pairs to pay, this is left out.
/// 2. Fields: a start and its distances to everything within reach; any goal in range will do.
/// 3. Ends: the same from the ends of the longest ways that the map has, as two sweeps find them.
///
/// Problems are drawn independently of each other: on a small map the same one may come twice.
///
/// For buckets a random start has its distances to everything within reach, and each bucket that lacks a
/// problem gets one of the goals that fall into it, each with the same chance. The PRA* paper drew pairs
/// until the buckets were full: there, too, all goals of a start are equally likely within a bucket, but here
/// the 128 problems of one start belong together. When random starts bring nothing more, the rest is filled
/// from the ends of the longest ways, and from cells that lie as far from those ends as is still wanted.
///
/// # Errors
/// If the request makes no sense, or no such problem was found, or `progress` ended it.
pub fn generate_problems(
    space: &GridSpace,
    request: &ProblemRequest,
    progress: Progress<'_>,
) -> Result<Vec<GeneratedProblem>, ProblemsError> {
    let ProblemRequest { count, min_cost: min, max_cost: max, .. } = *request;
    if count == 0 {
        return Err(ProblemsError::NoneWanted);
    }
    if !(min <= max && max >= 0.0 && min.is_finite()) {
        return Err(ProblemsError::EmptyRange { min, max });
    }
    if space.grid().free_count() == 0 {
        return Err(ProblemsError::NoFreeCell);
    }
    let drawing = Drawing {
        space,
        request,
        candidates: Candidates::new(space, min),
        least: space.units().floor_from_f64(min).saturating_sub(space.units().of_steps(1, 0)),
        most: space.units().floor_from_f64(max).saturating_add(space.units().of_steps(1, 0)),
        work_for_pairs: OnceLock::new(),
        ends: OnceLock::new(),
    };
    if drawing.candidates.is_empty() {
        return Err(drawing.not_found(0, None));
    }
    if request.per_bucket { drawing.per_bucket(progress) } else { drawing.all(progress) }
}

/// A request at work.
struct Drawing<'a> {
    space: &'a GridSpace,
    request: &'a ProblemRequest,
    candidates: Candidates<'a>,
    /// Bounds in whole units, a step wider than the range: a quick look before the exact one.
    least: Cost,
    most: Cost,
    /// See the method of this name.
    work_for_pairs: OnceLock<usize>,
    /// The ends of long ways with the cost of the way, found when first needed.
    ends: OnceLock<Vec<(Cell, Cost)>>,
}

/// Scratch memory, one for each thread.
struct Searches {
    pairs: GridPlanner,
    dijkstra: Dijkstra,
}

impl Searches {
    fn new() -> Self {
        Self { pairs: GridPlanner::fastest(), dijkstra: Dijkstra::new() }
    }
}

impl Drawing<'_> {
    /// `count` problems.
    fn all(&self, progress: Progress<'_>) -> Result<Vec<GeneratedProblem>, ProblemsError> {
        let count = self.request.count;
        let mut problems = Vec::with_capacity(count.min(1 << 20));
        for batch in (0..count).step_by(BATCH) {
            let drawn: Vec<_> = (batch..count.min(batch + BATCH))
                .into_par_iter()
                .map_init(Searches::new, |searches, index| self.draw(index, searches))
                .collect();
            for outcome in drawn {
                match outcome {
                    Ok(problem) => problems.push(problem),
                    Err(largest_seen) => return Err(self.not_found(problems.len(), largest_seen)),
                }
            }
            if progress(problems.len() as u64, count as u64).is_break() {
                return Err(ProblemsError::Stopped);
            }
        }
        Ok(problems)
    }

    /// Problem number `index`, or the largest cost seen in the search for it.
    fn draw(&self, index: usize, searches: &mut Searches) -> Result<GeneratedProblem, Option<Cost>> {
        let mut rng = Rng::new(self.request.seed, index as u64);
        let mut largest_seen: Option<Cost> = None;
        let mut work_left = self.work_for_pairs(&mut searches.pairs);
        while work_left > 0 {
            let outcome = self.draw_pair(&mut rng, &mut searches.pairs, &mut work_left);
            match outcome {
                Some(problem) if self.is_wanted(problem.cost) => return Ok(problem),
                Some(problem) => largest_seen = largest_seen.max(Some(problem.cost)),
                None => {}
            }
        }
        for _ in 0..FIELDS {
            let start = self.candidates.draw(&mut rng);
            let found = self.draw_from(start, &mut rng, &mut searches.dijkstra, &mut largest_seen);
            if let Some(problem) = found {
                return Ok(problem);
            }
        }
        let ends = self.ends(&mut searches.dijkstra);
        largest_seen = largest_seen.max(ends.iter().map(|&(_, cost)| cost).max());
        let mut far: Vec<Cell> =
            ends.iter().filter(|&&(_, cost)| cost >= self.least).map(|&(end, _)| end).collect();
        while !far.is_empty() {
            let start = far.swap_remove(rng.below(far.len() as u64) as usize);
            let found = self.draw_from(start, &mut rng, &mut searches.dijkstra, &mut largest_seen);
            if let Some(problem) = found {
                return Ok(problem);
            }
        }
        Err(largest_seen)
    }

    /// A start and a goal within reach, with the exact cost, which need not be in range. The work is taken
    /// off `work_left`, in cells that a distance field could have settled instead.
    fn draw_pair(
        &self,
        rng: &mut Rng,
        planner: &mut GridPlanner,
        work_left: &mut usize,
    ) -> Option<GeneratedProblem> {
        let start = self.candidates.draw(rng);
        *work_left = work_left.saturating_sub(20);
        let goal = self.candidates.draw_goal(rng, start, self.request.max_cost)?;
        let (from, to) = (self.space.state_at(start)?, self.space.state_at(goal)?);
        let answer = planner.plan(self.space, from, to).ok()?;
        *work_left = work_left.saturating_sub(4 * answer.counts.expanded as usize);
        Some(self.problem(start, goal, answer.cost()?))
    }

    /// How much work pairs may take for one problem: as much as a field takes. 0 if a few trials show that
    /// they do not pay. In a maze, goals near by are mostly far to go, and jump points know no
    /// limit.
    fn work_for_pairs(&self, planner: &mut GridPlanner) -> usize {
        *self.work_for_pairs.get_or_init(|| {
            let mut rng = Rng::new(self.request.seed, u64::MAX);
            let (mut field, mut pairs, mut wanted) = (0, 0, 0);
            for _ in 0..TRIALS {
                field += cells_within(self.space, self.candidates.draw(&mut rng), self.request.max_cost);
                let mut work_left = usize::MAX;
                let problem = self.draw_pair(&mut rng, planner, &mut work_left);
                pairs += usize::MAX - work_left;
                wanted += usize::from(problem.is_some_and(|problem| self.is_wanted(problem.cost)));
            }
            // Without a hit in all trials, pairs may still pay if they cost next to nothing.
            if pairs / wanted.max(1) < field / TRIALS { 1000 + field / TRIALS } else { 0 }
        })
    }

    /// A problem from `start` to any goal in range, each with the same chance.
    fn draw_from(
        &self,
        start: Cell,
        rng: &mut Rng,
        dijkstra: &mut Dijkstra,
        largest_seen: &mut Option<Cost>,
    ) -> Option<GeneratedProblem> {
        let mut choice = Choice::default();
        self.for_each_cost(start, dijkstra, |goal, cost| {
            *largest_seen = (*largest_seen).max(Some(cost));
            if self.is_wanted(cost) {
                choice.offer((goal, cost), rng);
            }
        });
        choice.chosen.map(|(goal, cost)| self.problem(start, goal, cost))
    }

    /// Calls `visit` with each cell that can be reached from `start` at a cost in range or below, and the
    /// cost.
    fn for_each_cost(&self, start: Cell, dijkstra: &mut Dijkstra, visit: impl FnMut(Cell, Cost)) {
        for_each_distance(self.space, start, (self.most, self.request.max_cost + 2.0), dijkstra, visit);
    }

    /// The ends of a long way in each of the largest components: the cell farthest from any cell, and the one
    /// farthest from that. On most maps no two cells lie much farther apart.
    fn ends(&self, dijkstra: &mut Dijkstra) -> &[(Cell, Cost)] {
        self.ends.get_or_init(|| {
            let mut farthest = |from: Cell| {
                let mut best = (0, from);
                for_each_distance(self.space, from, (Cost::MAX, f64::INFINITY), dijkstra, |cell, cost| {
                    best = best.max((cost, cell));
                });
                best
            };
            let components = self.candidates.components().take(SWEPT_COMPONENTS);
            components
                .flat_map(|cell| {
                    let (_, one) = farthest(cell);
                    let (cost, other) = farthest(one);
                    [(one, cost), (other, cost)]
                })
                .collect()
        })
    }

    fn is_wanted(&self, cost: Cost) -> bool {
        (self.least..=self.most).contains(&cost)
            && (self.request.min_cost..=self.request.max_cost).contains(&self.space.units().to_f64(cost))
    }

    fn problem(&self, start: Cell, goal: Cell, cost: Cost) -> GeneratedProblem {
        GeneratedProblem { start, goal, cost, bucket: bucket_of(self.space.units().to_f64(cost)) }
    }

    fn not_found(&self, found: usize, largest_seen: Option<Cost>) -> ProblemsError {
        let seen = match largest_seen {
            Some(cost) => {
                let cost = self.space.units().to_f64(cost);
                format!("{found} were found; the largest cost seen within it or below was {cost:.2}")
            }
            None => "no part of the map has enough connected cells".to_owned(),
        };
        ProblemsError::NotFound { min: self.request.min_cost, max: self.request.max_cost, seen }
    }
}

/// The bucket of a cost.
#[must_use]
pub fn bucket_of(cost: f64) -> u32 {
    // The cast saturates.
    (cost / 4.0) as u32
}

/// One of all that are offered, each with the same chance (reservoir sampling).
struct Choice<T> {
    offered: u64,
    chosen: Option<T>,
}

impl<T> Default for Choice<T> {
    fn default() -> Self {
        Self { offered: 0, chosen: None }
    }
}

impl<T> Choice<T> {
    fn offer(&mut self, item: T, rng: &mut Rng) {
        self.offered += 1;
        if rng.below(self.offered) == 0 {
            self.chosen = Some(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{CostModel, Grid, MoveRule};

    fn drawn(space: &GridSpace, request: &ProblemRequest) -> Result<Vec<GeneratedProblem>, ProblemsError> {
        generate_problems(space, request, &mut |_, _| ControlFlow::Continue(()))
    }

    fn scattered() -> GridSpace {
        let grid = Grid::from_fn(90, 70, |cell| {
            !Rng::new(5, u64::from(cell.y) << 32 | u64::from(cell.x)).chance(0.3)
        });
        GridSpace::new(grid.unwrap(), MoveRule::NoCut, CostModel::Sqrt2)
    }

    fn request(count: usize, min_cost: f64, max_cost: f64) -> ProblemRequest {
        ProblemRequest { count, min_cost, max_cost, seed: 3, per_bucket: false }
    }

    #[test]
    fn problems_are_in_range_and_their_costs_are_true() {
        let space = scattered();
        for (min, max) in [(0.0, 10.0), (40.0, 60.0), (33.0, 33.5), (20.0, f64::INFINITY)] {
            let problems = drawn(&space, &request(70, min, max)).unwrap();
            assert_eq!(problems.len(), 70);
            for problem in &problems {
                let (start, goal) =
                    (space.state_at(problem.start).unwrap(), space.state_at(problem.goal).unwrap());
                let truth = Dijkstra::new().find(&space, start, goal).unwrap().cost();
                assert_eq!(truth, Some(problem.cost));
                let cost = space.units().to_f64(problem.cost);
                assert!((min..=max).contains(&cost), "{cost}");
                assert_eq!(problem.bucket, (cost / 4.0) as u32);
            }
        }
    }

    #[test]
    fn whoever_hears_of_it_may_end_it() {
        for per_bucket in [false, true] {
            let mut told = 0;
            let wanted = ProblemRequest { per_bucket, ..request(200, 8.0, 39.9) };
            let stopped = generate_problems(&scattered(), &wanted, &mut |_, _| {
                told += 1;
                ControlFlow::Break(())
            });
            assert_eq!((stopped, told), (Err(ProblemsError::Stopped), 1));
        }
    }

    #[test]
    fn a_problem_depends_on_its_number_alone() {
        let space = scattered();
        let many = drawn(&space, &request(150, 10.0, 50.0)).unwrap();
        let few = drawn(&space, &request(7, 10.0, 50.0)).unwrap();
        assert_eq!(many[..7], few);
        let other = ProblemRequest { seed: 4, ..request(7, 10.0, 50.0) };
        assert_ne!(drawn(&space, &other).unwrap(), few);
    }

    #[test]
    fn buckets_are_filled_evenly() {
        let space = scattered();
        let wanted = ProblemRequest { per_bucket: true, ..request(5, 8.0, 39.9) };
        let problems = drawn(&space, &wanted).unwrap();
        for bucket in 2..10 {
            let starts: Vec<_> = problems.iter().filter(|p| p.bucket == bucket).map(|p| p.start).collect();
            assert_eq!(starts.len(), 5, "bucket {bucket}");
            assert!((1..5).all(|i| !starts[..i].contains(&starts[i])), "a start serves a bucket once");
        }
        assert_eq!(problems.len(), 40);
        // The longest ways of an open field go from corner to corner, and hardly any start is near one.
        let open =
            GridSpace::new(Grid::from_fn(60, 60, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let wanted = ProblemRequest { per_bucket: true, ..request(4, 72.0, 83.0) };
        let problems = drawn(&open, &wanted).unwrap();
        let in_bucket = |bucket| problems.iter().filter(|problem| problem.bucket == bucket).count();
        assert_eq!([18, 19, 20].map(in_bucket), [4; 3]);
        // Buckets beyond the longest path stay empty; the request does not fail for it.
        let long = ProblemRequest { per_bucket: true, ..request(1, 0.0, 1e9) };
        assert!(drawn(&space, &long).unwrap().len() > 10);
    }

    #[test]
    fn the_longest_ways_are_found_where_random_starts_are_not_enough() {
        // A corridor of 3,000 cells: only starts at its very ends are 2,999 away from anything.
        let corridor = Grid::from_fn(3000, 1, |_| true).unwrap();
        let space = GridSpace::new(corridor, MoveRule::NoCut, CostModel::Sqrt2);
        let problems = drawn(&space, &request(3, 2999.0, 5000.0)).unwrap();
        assert!(problems.iter().all(|problem| problem.start.x.abs_diff(problem.goal.x) == 2999));
        let all = ProblemRequest { per_bucket: true, ..request(1, 0.0, f64::INFINITY) };
        let problems = drawn(&space, &all).unwrap();
        assert_eq!(problems.iter().map(|p| p.bucket).collect::<Vec<_>>(), (0..750).collect::<Vec<_>>());
    }

    #[test]
    fn components_too_small_for_the_range_are_left_out() {
        // 2,500 closed cells and one corridor: random starts over all cells would hardly hit it.
        let grid = Grid::from_fn(100, 102, |cell| match cell.y {
            0 => cell.x < 30,
            1 => false,
            y => cell.x.is_multiple_of(2) && y.is_multiple_of(2),
        });
        let space = GridSpace::new(grid.unwrap(), MoveRule::NoCut, CostModel::Diagonal14);
        let problems = drawn(&space, &request(20, 1.0, 40.0)).unwrap();
        assert!(problems.iter().all(|problem| problem.start.y == 0 && problem.start != problem.goal));
    }

    #[test]
    fn impossible_requests_say_why() {
        let space = GridSpace::new(grid_from_art("...").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let message = |request: &ProblemRequest| drawn(&space, request).unwrap_err().to_string();
        assert!(message(&request(1, 50.0, 60.0)).contains("no part of the map has enough connected cells"));
        assert!(
            message(&request(1, 2.2, 60.0))
                .contains("0 were found; the largest cost seen within it or below was 2.00")
        );
        assert!(message(&request(0, 0.0, 1.0)).contains("at least 1"));
        assert!(message(&request(1, 5.0, 1.0)).contains("no cost is at least 5 and at most 1"));
        assert!(message(&request(1, f64::NAN, 1.0)).contains("no cost"));
        assert!(message(&ProblemRequest { per_bucket: true, ..request(1, 2.2, 60.0) }).contains("2.00"));
        assert!(message(&request(1, 1.2, 1.3)).contains("2.00"), "no cost lies between 1 and the root of 2");
        let walls = GridSpace::new(Grid::new(3, 3).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let error = drawn(&walls, &request(1, 0.0, 9.0)).unwrap_err();
        assert_eq!(error, ProblemsError::NoFreeCell);
    }
}
