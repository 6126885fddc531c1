//! Whether `beacon*` is exact on the published problems, and what that takes: every cost is held against jump
//! points'.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use surefoot::agent::{Agent, Spec, Step};
use surefoot::beacons::BeaconDatabase;
use surefoot::formats;
use surefoot::search::{JumpPoints, Meter};
use surefoot::space::{Cost, CostModel, GridSpace, Heuristic, MoveRule, State, TerrainSet};
use surefoot::store::{Database, shared_as};
use surefoot_classics::ROSTER;
use surefoot_lab::problem_files::{maps_with_problems, read_scen};

use crate::tables::Measures;

type Failure = Box<dyn std::error::Error>;

/// The sets, with the rule and the costs that their lengths were published for.
const SETS: [(&str, MoveRule, CostModel); 4] = [
    ("bg512", MoveRule::NoCut, CostModel::Sqrt2),
    ("sc1", MoveRule::NoCut, CostModel::Sqrt2),
    ("dao", MoveRule::NoCut, CostModel::Sqrt2),
    ("knn2009", MoveRule::Squeeze, CostModel::Diagonal14),
];
/// Of identical passes the fastest counts: the machine may be busy.
const PASSES: usize = 3;
/// Walks are cut off after so many moves.
const MOST_MOVES: usize = 1_000_000;
/// So many problems that are not exact are shown.
const SHOWN: usize = 10;

/// What is measured beside the published rule and costs.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Every so many problems one is taken.
    pub every: usize,
    /// All rules, not only the published one.
    pub all_rules: bool,
    /// All costs, not only the published ones.
    pub all_costs: bool,
    /// `beacon*`, with its parameters.
    pub spec: Spec,
}

/// What came of a set.
#[derive(Default)]
struct Outcome {
    maps: usize,
    problems: usize,
    wrong: usize,
    /// Problems whose cost is not the one in the file.
    unlike_file: usize,
    measures: Measures,
}

/// Walks and asks the problems of all sets of a folder. A table for each set.
///
/// # Errors
/// If a map cannot be read, no set is there, or a cost is not that of a cheapest path.
pub fn measure(benchmarks: &Path, scope: &Scope) -> Result<(), Failure> {
    let (mut sets, mut wrong) = (0, 0);
    for (name, own_rule, own_costs) in SETS {
        let folder = benchmarks.join(name);
        if !folder.is_dir() {
            continue;
        }
        for rule in MoveRule::ALL.into_iter().filter(|&rule| scope.all_rules || rule == own_rule) {
            for costs in CostModel::ALL.into_iter().filter(|&costs| scope.all_costs || costs == own_costs) {
                let is_published = (rule, costs) == (own_rule, own_costs);
                let outcome = measure_set(&folder, scope, (rule, costs), is_published)?;
                report(name, (rule, costs), &outcome, is_published);
                (sets, wrong) = (sets + 1, wrong + outcome.wrong);
            }
        }
    }
    match (sets, wrong) {
        (0, _) => Err(format!("{} has none of bg512, sc1, dao, knn2009", benchmarks.display()).into()),
        (_, 0) => Ok(()),
        _ => Err(format!("{wrong} problems were not solved exactly").into()),
    }
}

fn report(name: &str, (rule, costs): (MoveRule, CostModel), outcome: &Outcome, is_published: bool) {
    let Outcome { maps, problems, wrong, unlike_file, measures } = outcome;
    let verdict = if *wrong == 0 { "all exact".to_owned() } else { format!("{wrong} NOT exact") };
    println!("{name}, {rule}, {costs}: {maps} maps, {problems} problems, {verdict}");
    if is_published {
        println!("  {unlike_file} costs are not those in the files, to the digits that these have");
    }
    measures.print();
    let ratio = measures.sum("path(), us") / measures.sum("jps, us").max(f64::MIN_POSITIVE);
    println!("  path() takes {ratio:.4} of the time of jps: 1/{:.1}\n", 1.0 / ratio.max(f64::MIN_POSITIVE));
}

fn measure_set(
    folder: &Path,
    scope: &Scope,
    (rule, costs): (MoveRule, CostModel),
    is_published: bool,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    for (map, scen) in maps_with_problems(folder)? {
        let space = GridSpace::new(formats::read_any_map(&map)?.grid(TerrainSet::GROUND), rule, costs);
        let begin = Instant::now();
        let database = ROSTER.build_database(&scope.spec, &space, 1)?;
        let Some(beacons) = database.as_ref().and_then(shared_as::<BeaconDatabase>) else {
            return Err(format!("{}: {} has no beacons there", map.display(), scope.spec).into());
        };
        let seconds = begin.elapsed().as_secs_f64();
        note_map(&mut outcome.measures, &beacons, seconds);
        outcome.maps += 1;
        let mut bench = Bench::new(&space, beacons)?;
        for problem in read_scen(&scen)?.problems.iter().step_by(scope.every.max(1)) {
            // Under another rule the same, for all rules walk on the same cells.
            let (start, goal) = space.locate_ends(problem.start, problem.goal)?;
            let (optimal, fault) = bench.solve(start, goal, &mut outcome.measures)?;
            outcome.problems += 1;
            if let Some(fault) = fault {
                outcome.wrong += 1;
                if outcome.wrong <= SHOWN {
                    let (start, goal) = (problem.start, problem.goal);
                    println!("  {}: from {start} to {goal}: {fault}", map.display());
                }
            }
            let length = optimal.map(|cost| space.units().to_f64(cost));
            // Files were added up in single precision: next to the middle between two, the last digit may be
            // off by one.
            let unit = 10_f64.powi(-problem.length.decimals());
            let is_near = |cost: f64| (problem.length.value() - cost).abs() < 0.55 * unit;
            let is_like_file = length.map_or(problem.is_unreachable(), |cost| {
                problem.length.agrees_with(cost) || costs == CostModel::Sqrt2 && is_near(cost)
            });
            outcome.unlike_file += usize::from(is_published && !is_like_file);
        }
    }
    Ok(outcome)
}

fn note_map(measures: &mut Measures, beacons: &BeaconDatabase, seconds: f64) {
    let figures = beacons.figures();
    let corners = f64::from(figures.corners);
    measures.add("corners", corners);
    measures.add("legs a corner", 2.0 * figures.legs as f64 / corners.max(1.0));
    measures.add("hubs a corner", figures.hubs as f64 / corners.max(1.0));
    measures.add("most hubs of a corner", f64::from(figures.most_hubs));
    measures.add("file, KB", beacons.as_bytes().len() as f64 / 1e3);
    measures.add("memory, KB", beacons.memory_bytes() as f64 / 1e3);
    measures.add("build, s", seconds);
    measures.add("bound of a decision", figures.decision as f64);
    measures.add("bound at a corner", figures.next_leg as f64);
}

/// Who solves problems on a map.
struct Bench<'a> {
    space: &'a GridSpace,
    beacons: Arc<BeaconDatabase>,
    agent: Box<dyn Agent>,
    jump_points: JumpPoints,
}

/// A walk.
struct Walk {
    cost: Option<Cost>,
    moves: usize,
}

impl<'a> Bench<'a> {
    fn new(space: &'a GridSpace, beacons: Arc<BeaconDatabase>) -> Result<Self, Failure> {
        let database: Arc<dyn Database> = Arc::<BeaconDatabase>::clone(&beacons);
        let agent = ROSTER.agent_with(&"beacon*".parse()?, Some(&database))?;
        Ok(Self { space, beacons, agent, jump_points: JumpPoints::new() })
    }

    /// Solves a problem in all ways. What a cheapest path costs, and what is wrong.
    fn solve(
        &mut self,
        start: State,
        goal: State,
        measures: &mut Measures,
    ) -> Result<(Option<Cost>, Option<String>), Failure> {
        let [mut jps, mut path, mut first, mut rest] = [f64::INFINITY; 4];
        let (mut optimal, mut asked, mut walk) = (None, None, None);
        for _ in 0..PASSES {
            let begin = Instant::now();
            optimal = black_box(self.jump_points.find(self.space, start, goal)?.cost());
            jps = jps.min(micros_since(begin));
            let begin = Instant::now();
            asked = black_box(self.beacons.path(self.space, start, goal));
            path = path.min(micros_since(begin));
            let (one, all, walked, probes) = self.walk(start, goal)?;
            (first, rest) = (first.min(one), rest.min(all));
            if walk.is_none() {
                measures.add("looked up first", probes as f64);
            }
            walk = Some(walked);
        }
        let walk = walk.unwrap_or(Walk { cost: None, moves: 0 });
        measures.add("first decision, us", first);
        if walk.moves > 1 {
            measures.add("later moves, ns", rest * 1e3 / (walk.moves - 1) as f64);
            measures.add("slowest later move, us", self.slowest_move(start, goal)?);
        }
        measures.add("path(), us", path);
        measures.add("jps, us", jps);
        let answers = [
            ("cost()", self.beacons.cost(self.space, start, goal)),
            ("path()", asked.as_ref().map(|path| path.cost)),
            ("the walk", walk.cost),
        ];
        if let Some(path) = &asked {
            path.check(self.space)?;
        }
        let number = |cost: Option<Cost>| cost.map_or(f64::NAN, |cost| self.space.units().to_f64(cost));
        let wrong = answers.into_iter().find(|&(_, cost)| cost != optimal);
        let fault = wrong.map(|(who, cost)| format!("{who} has {}, jps {}", number(cost), number(optimal)));
        Ok((optimal, fault))
    }

    /// Walks. The microseconds of the first move with its decision, and of all others; the walk; and what was
    /// looked up first.
    fn walk(&mut self, start: State, goal: State) -> Result<(f64, f64, Walk, u64), Failure> {
        let (space, agent) = (self.space, &mut *self.agent);
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        let begin = Instant::now();
        agent.begin(space, start, goal)?;
        let mut step = agent.step(space, &mut meter);
        let (first, probes) = (micros_since(begin), meter.spent().probes);
        let mut states = vec![start];
        let begin = Instant::now();
        while !step.is_over() && states.len() < MOST_MOVES && !meter.is_overdrawn() {
            if let Step::Moved(next) = step {
                states.push(next);
            }
            meter.renew();
            step = agent.step(space, &mut meter);
        }
        let rest = micros_since(begin);
        if meter.is_overdrawn() {
            return Err(format!("a move broke its bound: {}", meter.spent()).into());
        }
        // Of neighbours the estimate is what the move costs.
        let cost = states.windows(2).map(|pair| space.estimate(pair[0], pair[1])).sum();
        let is_there = states.last() == Some(&goal);
        Ok((first, rest, Walk { cost: is_there.then_some(cost), moves: states.len() - 1 }, probes))
    }

    /// The microseconds of the slowest move after the first, each at its fastest of some walks.
    fn slowest_move(&mut self, start: State, goal: State) -> Result<f64, Failure> {
        let (space, agent) = (self.space, &mut *self.agent);
        let mut times: Vec<f64> = Vec::new();
        for _ in 0..PASSES {
            agent.begin(space, start, goal)?;
            let mut meter = Meter::new();
            let mut step = agent.step(space, &mut meter);
            for number in 0..MOST_MOVES {
                if step.is_over() {
                    break;
                }
                meter.renew();
                let begin = Instant::now();
                step = agent.step(space, &mut meter);
                let time = micros_since(begin);
                match times.get_mut(number) {
                    Some(known) => *known = known.min(time),
                    None => times.push(time),
                }
            }
        }
        Ok(times.into_iter().fold(0.0, f64::max))
    }
}

fn micros_since(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e6
}
