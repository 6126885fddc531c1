//! Walks across maps of about ten million states: how long they are, what a move costs, and what the database
//! takes.

use std::path::Path;
use std::time::Instant;

use surefoot::agent::{Agent, Spec, Step};
use surefoot::formats;
use surefoot::search::{JumpPoints, Meter};
use surefoot::space::{
    Cost, CostModel, GridSpace, Heuristic, MoveRule, State, StateSpace, TerrainMap, TerrainSet,
};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate, scale_blocks, scale_smooth};
use surefoot_lab::random::Rng;

use crate::tables::spread;

type Done = Result<(), Box<dyn std::error::Error>>;

/// Problems of each kind on every map.
const PROBLEMS: usize = 250;
/// Identical passes: of each move the fastest time counts, for clock and scheduler are slower than most
/// moves.
const PASSES: usize = 3;
/// Walks are cut off after so many moves.
const MOST_MOVES: usize = 1_000_000;

pub(crate) struct Problem {
    start: State,
    goal: State,
    optimal: Cost,
}

/// Prints a line for each map, in blocks and smooth, each rule and each kind of problems.
///
/// # Errors
/// If a map cannot be read, the database cannot be built, or an agent breaks its bound.
pub fn measure(benchmarks: &Path, spec: &str) -> Done {
    let spec = ROSTER.with_star(&spec.parse()?);
    println!("{spec}: {PROBLEMS} problems of cost 1,000 to 3,000, and as many of any cost");
    println!("first: the first decision and move; ns/move: all later ones; worst us: the worst move of all");
    println!(
        "{:<30} {:>9} {:>7} {:>9} {:>9} {:>5} {:>7} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "map",
        "rule",
        "build s",
        "file",
        "memory",
        "cost",
        "mean %",
        "99 %",
        "worst",
        "first us",
        "worst",
        "ns/move",
        "worst us",
        "fallbacks"
    );
    for (map, factor) in [("bg512/AR0011SR", 9), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)] {
        let original = formats::read_any_map(benchmarks.join(format!("{map}.map")))?;
        for smooth in [false, true] {
            let scaled =
                if smooth { scale_smooth(&original, factor, 1) } else { scale_blocks(&original, factor) }?;
            let name = format!("{map} x{factor}{}", if smooth { " smooth" } else { "" });
            measure_rules(&name, &scaled, &spec, &[LONG, ANY])?;
        }
    }
    // One that nothing was tuned to: small obstacles everywhere, and too small for long ways.
    measure_rules("generated 1024 x 1024", &generate(MapKind::Game, 1024, 1024, 1)?, &spec, &[ANY])
}

/// What the cheapest path of a problem may cost, and how such problems are named.
type Kind = (&'static str, f64, f64);
const LONG: Kind = ("long", 1_000.0, 3_000.0);
const ANY: Kind = ("any", 0.0, f64::INFINITY);

fn measure_rules(name: &str, map: &TerrainMap, spec: &Spec, kinds: &[Kind]) -> Done {
    let grid = map.grid(TerrainSet::GROUND);
    for (rule, costs) in [(MoveRule::NoCut, CostModel::Sqrt2), (MoveRule::Squeeze, CostModel::Diagonal14)] {
        measure_on(name, &GridSpace::new(grid.clone(), rule, costs), spec, kinds)?;
    }
    Ok(())
}

fn measure_on(name: &str, space: &GridSpace, spec: &Spec, kinds: &[Kind]) -> Done {
    let begin = Instant::now();
    let database = ROSTER.build_database(spec, space, 1)?;
    let build = begin.elapsed().as_secs_f64();
    let file = database.as_ref().map_or(0, |database| database.to_bytes().len());
    let memory = database.as_ref().map_or(0, |database| database.memory_bytes());
    let mut agent = ROSTER.agent_with(spec, database.as_ref())?;
    for &(kind, least, most) in kinds {
        let problems = problems(space, least, most);
        let Lengths { mut over, moves, fallbacks } = lengths(&mut *agent, space, &problems)?;
        over.sort_by(f64::total_cmp);
        let mean = over.iter().sum::<f64>() / over.len() as f64;
        let at = |share: f64| over[((over.len() - 1) as f64 * share) as usize];
        let (first, _, worst_first) = spread(&first_times(&mut *agent, space, &problems));
        // Each walk begins with a decision, and that is told of apart.
        let later = later_time(&mut *agent, space, &problems) / (moves - problems.len()).max(1) as f64;
        println!(
            "{name:<30} {:>9} {build:>7.2} {file:>9} {memory:>9} {kind:>5} {mean:>7.3} {:>6.2} {:>6.2} {first:>8.1} {worst_first:>8.1} {:>8.1} {:>8.1} {fallbacks:>9}",
            space.rule().name(),
            at(0.99),
            at(1.0),
            later * 1e9,
            worst_time(&mut *agent, space, &problems) * 1e6,
        );
    }
    Ok(())
}

/// Random problems of the largest component whose cheapest path costs so much.
pub(crate) fn problems(space: &GridSpace, least: f64, most: f64) -> Vec<Problem> {
    some_problems(space, PROBLEMS, least, most)
}

/// So many of them.
pub(crate) fn some_problems(space: &GridSpace, count: usize, least: f64, most: f64) -> Vec<Problem> {
    let component = space.components().largest();
    let mut random = Rng::new(1, 0);
    let mut state = || loop {
        let state = State(random.below(space.state_limit() as u64) as u32);
        if space.contains(state) && space.components().of(space.cell(state)) == component {
            return state;
        }
    };
    let mut planner = JumpPoints::new();
    let mut problems = Vec::with_capacity(count);
    while problems.len() < count {
        let (start, goal) = (state(), state());
        let optimal = planner.find(space, start, goal).ok().and_then(|answer| answer.cost()).unwrap_or(0);
        let cost = space.units().to_f64(optimal);
        if optimal > 0 && cost >= least && cost <= most {
            problems.push(Problem { start, goal, optimal });
        }
    }
    problems
}

pub(crate) struct Lengths {
    /// By how many percent each walk is too long.
    pub(crate) over: Vec<f64>,
    /// The moves of all walks.
    pub(crate) moves: usize,
    /// How often the database had nothing to offer.
    pub(crate) fallbacks: u64,
}

/// Walks all problems. Every walk must arrive, and every move is held against the bound.
pub(crate) fn lengths(
    agent: &mut dyn Agent,
    space: &GridSpace,
    problems: &[Problem],
) -> Result<Lengths, Box<dyn std::error::Error>> {
    let (mut over, mut moves, mut fallbacks) = (Vec::new(), 0, 0);
    for problem in problems {
        agent.begin(space, problem.start, problem.goal)?;
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        let (mut at, mut cost) = (problem.start, 0);
        for _ in 0..MOST_MOVES {
            meter.renew();
            let step = agent.step(space, &mut meter);
            if meter.is_overdrawn() {
                return Err(format!("a move broke its bound: {}", meter.spent()).into());
            }
            match step {
                Step::Moved(next) => {
                    cost += space.estimate(at, next);
                    at = next;
                    moves += 1;
                }
                Step::Waiting => {}
                _ => break,
            }
        }
        if at != problem.goal {
            let (at, goal) = (space.describe(at), space.describe(problem.goal));
            return Err(format!("a walk to {goal} ended at {at}").into());
        }
        fallbacks += agent.fallbacks();
        over.push((cost as f64 / problem.optimal as f64 - 1.0) * 100.0);
    }
    Ok(Lengths { over, moves: moves.max(1), fallbacks })
}

/// The seconds of all walks without a clock between moves: the fastest of some passes.
pub(crate) fn mean_time(agent: &mut dyn Agent, space: &GridSpace, problems: &[Problem]) -> f64 {
    let mut pass = || {
        let begin = Instant::now();
        each_step(agent, space, problems, |agent, meter| agent.step(space, meter));
        begin.elapsed().as_secs_f64()
    };
    (0..PASSES).map(|_| pass()).fold(f64::INFINITY, f64::min)
}

/// The seconds of all walks but for their first moves, without a clock between moves: the fastest of some
/// passes.
fn later_time(agent: &mut dyn Agent, space: &GridSpace, problems: &[Problem]) -> f64 {
    let mut later = |problem: &Problem| {
        if agent.begin(space, problem.start, problem.goal).is_err() {
            return 0.0;
        }
        let mut meter = Meter::new();
        while agent.step(space, &mut meter) == Step::Waiting {}
        let begin = Instant::now();
        while !agent.step(space, &mut meter).is_over() {
            meter.renew();
        }
        begin.elapsed().as_secs_f64()
    };
    let mut pass = || problems.iter().map(&mut later).sum();
    (0..PASSES).map(|_| pass()).fold(f64::INFINITY, f64::min)
}

/// The microseconds of each walk's first move, its decision included: the fastest of some passes.
pub(crate) fn first_times(agent: &mut dyn Agent, space: &GridSpace, problems: &[Problem]) -> Vec<f64> {
    let mut first = |problem: &Problem| {
        let begin = Instant::now();
        let is_begun = agent.begin(space, problem.start, problem.goal).is_ok();
        let mut meter = Meter::new();
        if is_begun {
            // A decision may be spread over several moves.
            while agent.step(space, &mut meter) == Step::Waiting {
                meter.renew();
            }
        }
        begin.elapsed().as_secs_f64() * 1e6
    };
    let fastest = |problem| (0..PASSES).map(|_| first(problem)).fold(f64::INFINITY, f64::min);
    problems.iter().map(fastest).collect()
}

/// The seconds of the slowest move, each at its fastest in some identical passes.
pub(crate) fn worst_time(agent: &mut dyn Agent, space: &GridSpace, problems: &[Problem]) -> f64 {
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..PASSES {
        let mut number = 0;
        each_step(agent, space, problems, |agent, meter| {
            let begin = Instant::now();
            let step = agent.step(space, meter);
            let time = begin.elapsed().as_secs_f64();
            match times.get_mut(number) {
                Some(known) => *known = known.min(time),
                None => times.push(time),
            }
            number += 1;
            step
        });
    }
    times.into_iter().fold(0.0, f64::max)
}

fn each_step(
    agent: &mut dyn Agent,
    space: &GridSpace,
    problems: &[Problem],
    mut step: impl FnMut(&mut dyn Agent, &mut Meter) -> Step,
) {
    for problem in problems {
        if agent.begin(space, problem.start, problem.goal).is_err() {
            continue;
        }
        let mut meter = Meter::new();
        for _ in 0..MOST_MOVES {
            meter.renew();
            if step(agent, &mut meter).is_over() {
                break;
            }
        }
    }
}
