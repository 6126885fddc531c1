//! Random problems of a wanted difficulty.
//!
//! A problem's difficulty is the cost of a cheapest path. Problem i depends on the map, the request and i alone, not
//! on how many others are drawn or by how many threads.

use rayon::prelude::*;
use surefoot::search::{Dijkstra, JumpPoints};
use surefoot::space::{Cell, Cost, GridSpace, Heuristic};

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
    /// No problem was found in spite of many tries.
    #[error("no problem with an optimal cost from {} to {} was found; {seen}", short(*min), short(*max))]
    NotFound {
        /// The least cost.
        min: f64,
        /// The greatest cost.
        max: f64,
        /// What there was instead.
        seen: String,
    },
}

/// A number in few digits: no cost has more.
fn short(number: f64) -> String {
    if number < 1e15 { number.to_string() } else { format!("{number:e}") }
}

/// Pairs that are drawn for a problem before a distance field is asked.
const PAIRS: usize = 100;
/// Starts whose distance fields are asked before a request is given up.
const FIELDS: usize = 24;
/// Problems that are drawn before progress is told.
const BATCH: usize = 64;

/// Draws the problems that `request` wants; `progress` hears how many there are and how many there may be, as far as is
/// known.
///
/// # Errors
/// If the request makes no sense, or no such problem was found.
pub fn generate_problems(
    space: &GridSpace,
    request: &ProblemRequest,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<GeneratedProblem>, ProblemsError> {
    let ProblemRequest { count, min_cost: min, max_cost: max, .. } = *request;
    if count == 0 {
        return Err(ProblemsError::NoneWanted);
    }
    if !(min <= max && max >= 0.0 && min.is_finite()) {
        return Err(ProblemsError::EmptyRange { min, max });
    }
    let cells = FreeCells::new(space);
    if cells.count() == 0 {
        return Err(ProblemsError::NoFreeCell);
    }
    if request.per_bucket {
        return per_bucket(space, &cells, request, progress);
    }
    let mut problems = Vec::with_capacity(count.min(1 << 20));
    for batch in (0..count).step_by(BATCH) {
        let drawn: Result<Vec<_>, _> = (batch..count.min(batch + BATCH))
            .into_par_iter()
            .map_init(Default::default, |searches, index| draw(space, &cells, request, index, searches))
            .collect();
        problems.extend(drawn?);
        progress(problems.len() as u64, count as u64);
    }
    Ok(problems)
}

/// Problem number `index`.
fn draw(
    space: &GridSpace,
    cells: &FreeCells,
    request: &ProblemRequest,
    index: usize,
    (jump_points, dijkstra): &mut (JumpPoints, Dijkstra),
) -> Result<GeneratedProblem, ProblemsError> {
    let mut rng = Rng::new(request.seed, index as u64);
    let octile = space.octile();
    let mut largest_seen: Option<Cost> = None;
    for _ in 0..PAIRS {
        let start = cells.draw(&mut rng);
        let goal = cells.draw_near(&mut rng, start, request.max_cost);
        let (from, to) = (space.state(start), space.state(goal));
        if space.costs().to_f64(octile.estimate(from, to)) > request.max_cost {
            continue;
        }
        let found = jump_points.find(space, from, to).ok().and_then(|answer| answer.cost());
        let Some(cost) = found else { continue };
        largest_seen = largest_seen.max(within(space, request, cost));
        if is_wanted(space, request, cost) && (start != goal || request.min_cost <= 0.0) {
            return Ok(problem(space, start, goal, cost));
        }
    }
    // Such problems are rare among pairs: choose a start, see which goals lie at the right distance, take one.
    for _ in 0..FIELDS {
        let start = cells.draw(&mut rng);
        let limit = ceiling(space, request.max_cost);
        let Ok(field) = dijkstra.field_within(space, space.state(start), limit) else { continue };
        let goals: Vec<_> = field.iter().filter(|&(_, cost)| is_wanted(space, request, cost)).collect();
        largest_seen =
            largest_seen.max(field.iter().filter_map(|(_, cost)| within(space, request, cost)).max());
        if !goals.is_empty() {
            let (goal, cost) = goals[rng.below(goals.len() as u64) as usize];
            return Ok(problem(space, start, space.cell(goal), cost));
        }
    }
    Err(not_found(space, request, largest_seen))
}

/// `count` problems in each bucket. One start serves at most one problem of each bucket, so that they stay varied.
fn per_bucket(
    space: &GridSpace,
    cells: &FreeCells,
    request: &ProblemRequest,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<GeneratedProblem>, ProblemsError> {
    let first = bucket_of(request.min_cost);
    // No path is longer than the map has cells: an infinite range has a last bucket too.
    let last = bucket_of(request.max_cost.min(1.5 * space.grid().cell_count() as f64));
    let most_buckets = u64::from(last.saturating_sub(first)) + 1;
    let wanted = most_buckets.saturating_mul(request.count as u64);
    // As many as there are costs for: the range may go far beyond the longest path.
    let mut buckets: Vec<Vec<GeneratedProblem>> = Vec::new();
    let mut dijkstra = Dijkstra::new();
    let (mut found, mut in_vain, mut largest_seen) = (0, 0, None);
    let mut stream = 0;
    while found < wanted && in_vain < FIELDS {
        let mut rng = Rng::new(request.seed, stream);
        stream += 1;
        let start = cells.draw(&mut rng);
        let limit = ceiling(space, request.max_cost);
        let Ok(field) = dijkstra.field_within(space, space.state(start), limit) else { break };
        // One goal a bucket, each of the bucket's with the same chance.
        let mut goals = vec![(0_u64, None); buckets.len()];
        for (goal, cost) in field.iter() {
            largest_seen = largest_seen.max(within(space, request, cost));
            if is_wanted(space, request, cost) {
                let bucket = (bucket_of(space.costs().to_f64(cost)) - first) as usize;
                if bucket >= goals.len() {
                    goals.resize(bucket + 1, (0, None));
                }
                let (seen, choice) = &mut goals[bucket];
                *seen += 1;
                if rng.below(*seen) == 0 {
                    *choice = Some((goal, cost));
                }
            }
        }
        in_vain += 1;
        buckets.resize(goals.len(), Vec::new());
        for (bucket, (_, choice)) in buckets.iter_mut().zip(goals) {
            if let Some((goal, cost)) = choice
                && bucket.len() < request.count
            {
                bucket.push(problem(space, start, space.cell(goal), cost));
                found += 1;
                in_vain = 0;
            }
        }
        progress(found, wanted.min(buckets.len() as u64 * request.count as u64));
    }
    if found == 0 {
        return Err(not_found(space, request, largest_seen));
    }
    Ok(buckets.into_iter().flatten().collect())
}

fn is_wanted(space: &GridSpace, request: &ProblemRequest, cost: Cost) -> bool {
    (request.min_cost..=request.max_cost).contains(&space.costs().to_f64(cost))
}

/// The cost, if the range does not end before it: what a request that was not met is told.
fn within(space: &GridSpace, request: &ProblemRequest, cost: Cost) -> Option<Cost> {
    (space.costs().to_f64(cost) <= request.max_cost).then_some(cost)
}

/// A number of units that is not below `cost`.
fn ceiling(space: &GridSpace, cost: f64) -> Cost {
    space.costs().floor_from_f64(cost).saturating_add(space.costs().cardinal())
}

fn bucket_of(cost: f64) -> u32 {
    (cost / 4.0) as u32
}

fn problem(space: &GridSpace, start: Cell, goal: Cell, cost: Cost) -> GeneratedProblem {
    GeneratedProblem { start, goal, cost, bucket: bucket_of(space.costs().to_f64(cost)) }
}

fn not_found(space: &GridSpace, request: &ProblemRequest, largest_seen: Option<Cost>) -> ProblemsError {
    let seen = match largest_seen {
        Some(cost) => {
            format!("the largest cost seen within it or below was {:.2}", space.costs().to_f64(cost))
        }
        None => "no two cells that were tried are connected".to_owned(),
    };
    ProblemsError::NotFound { min: request.min_cost, max: request.max_cost, seen }
}

/// The free cells of a map, to draw from: runs of them with the number of cells before each.
struct FreeCells {
    runs: Vec<(u64, Cell)>,
    count: u64,
    width: u32,
    height: u32,
    is_free: Box<dyn Fn(Cell) -> bool + Sync>,
}

impl FreeCells {
    fn new(space: &GridSpace) -> Self {
        let mut runs = Vec::new();
        let mut count = 0;
        for y in 0..space.grid().height() {
            for (from, to) in space.grid().row_runs(y) {
                runs.push((count, Cell::new(from, y)));
                count += u64::from(to - from);
            }
        }
        let grid = space.grid().clone();
        let (width, height) = (grid.width(), grid.height());
        Self { runs, count, width, height, is_free: Box::new(move |cell| grid.is_free(cell)) }
    }

    fn count(&self) -> u64 {
        self.count
    }

    /// One of them, each with the same chance.
    fn draw(&self, rng: &mut Rng) -> Cell {
        let number = rng.below(self.count);
        let run = self.runs.partition_point(|&(before, _)| before <= number) - 1;
        let (before, first) = self.runs[run];
        Cell::new(first.x + (number - before) as u32, first.y)
    }

    /// One that a path of at most `reach` can lead to, as far as distance goes; any if that is hard to hit.
    fn draw_near(&self, rng: &mut Rng, cell: Cell, reach: f64) -> Cell {
        let reach = reach.min(f64::from(u32::MAX)) as u32;
        let side = |at: u32, end: u32| (at.saturating_sub(reach), at.saturating_add(reach).min(end - 1));
        let ((left, right), (top, bottom)) = (side(cell.x, self.width), side(cell.y, self.height));
        for _ in 0..16 {
            let x = left + rng.below(u64::from(right - left) + 1) as u32;
            let y = top + rng.below(u64::from(bottom - top) + 1) as u32;
            if (self.is_free)(Cell::new(x, y)) {
                return Cell::new(x, y);
            }
        }
        self.draw(rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{CostModel, Grid, MoveRule};

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
            let problems = generate_problems(&space, &request(70, min, max), &mut |_, _| {}).unwrap();
            assert_eq!(problems.len(), 70);
            for problem in &problems {
                let (start, goal) = (space.state(problem.start), space.state(problem.goal));
                let truth = Dijkstra::new().find(&space, start, goal).unwrap().cost();
                assert_eq!(truth, Some(problem.cost));
                let cost = space.costs().to_f64(problem.cost);
                assert!((min..=max).contains(&cost), "{cost}");
                assert_eq!(problem.bucket, (cost / 4.0) as u32);
            }
        }
    }

    #[test]
    fn a_problem_depends_on_its_number_alone() {
        let space = scattered();
        let many = generate_problems(&space, &request(150, 10.0, 50.0), &mut |_, _| {}).unwrap();
        let few = generate_problems(&space, &request(7, 10.0, 50.0), &mut |_, _| {}).unwrap();
        assert_eq!(many[..7], few);
        let other = ProblemRequest { seed: 4, ..request(7, 10.0, 50.0) };
        assert_ne!(generate_problems(&space, &other, &mut |_, _| {}).unwrap(), few);
    }

    #[test]
    fn buckets_are_filled_evenly() {
        let space = scattered();
        let wanted = ProblemRequest { per_bucket: true, ..request(5, 8.0, 39.9) };
        let problems = generate_problems(&space, &wanted, &mut |_, _| {}).unwrap();
        for bucket in 2..10 {
            let starts: Vec<_> = problems.iter().filter(|p| p.bucket == bucket).map(|p| p.start).collect();
            assert_eq!(starts.len(), 5, "bucket {bucket}");
            assert!((1..5).all(|i| !starts[..i].contains(&starts[i])), "a start serves a bucket once");
        }
        assert_eq!(problems.len(), 40);
        // Buckets beyond the longest path stay empty; the request does not fail for it.
        let long = ProblemRequest { per_bucket: true, ..request(1, 0.0, 1e9) };
        let mut most = 0;
        let found = generate_problems(&space, &long, &mut |_, total| most = most.max(total)).unwrap().len();
        assert!(found > 10);
        assert!(most < 200, "{most} problems were hoped for on a map of 90 x 70 cells");
    }

    #[test]
    fn impossible_requests_say_why() {
        let space = GridSpace::new(grid_from_art("...").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let message = |request: &ProblemRequest| {
            generate_problems(&space, request, &mut |_, _| {}).unwrap_err().to_string()
        };
        assert!(
            message(&request(1, 50.0, 60.0)).contains("the largest cost seen within it or below was 2.00")
        );
        // Two cells 2 apart were seen too, but that is not within or below.
        assert!(
            message(&request(1, 1.2, 1.3))
                .ends_with("from 1.2 to 1.3 was found; the largest cost seen within it or below was 1.00")
        );
        assert!(message(&request(1, 1e300, f64::INFINITY)).contains("from 1e300 to inf was found"));
        assert!(message(&request(0, 0.0, 1.0)).contains("at least 1"));
        assert!(message(&request(1, 5.0, 1.0)).contains("no cost is at least 5 and at most 1"));
        assert!(message(&request(1, f64::NAN, 1.0)).contains("no cost"));
        assert!(message(&ProblemRequest { per_bucket: true, ..request(1, 50.0, 60.0) }).contains("2.00"));
        let walls = GridSpace::new(Grid::new(3, 3).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let error = generate_problems(&walls, &request(1, 0.0, 9.0), &mut |_, _| {}).unwrap_err();
        assert_eq!(error, ProblemsError::NoFreeCell);
    }
}
