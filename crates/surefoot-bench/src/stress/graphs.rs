//! Walks on random graphs, of the algorithms that the library lets walk any world; and exact searches beside
//! each other.

use std::sync::Arc;

use surefoot::agent::{Agent, Step};
use surefoot::lrta::LrtaStar;
use surefoot::search::{AStar, Dijkstra, Horizon, Paths, Planner, Ties};
use surefoot::space::{Cost, Graph, Guided, Reachability, State, StateSpace as _};
use surefoot::store::codec::Reader;
use surefoot_classics::abstraction::{AbstractDistance, Abstraction, AbstractionConfig};
use surefoot_classics::depth::{DepthLrtaStar, DepthTree};
use surefoot_classics::knn::{KnnLrtaStar, KnnSettings, Pairs, RecordForm, SubgoalConfig, SubgoalDatabase};
use surefoot_classics::pra::PraStar;
use surefoot_lab::random::Rng;

use super::checks;
use super::report::Log;
use super::walks::Walker;
use super::world::{Plane, PlaneGraph, between, draw_graph, pick};

/// The algorithms that walk graphs.
const NAMES: [&str; 4] = ["lrta*", "lrta*(dt,g)", "lrta*(oracle,g)", "knn-lrta*"];
/// A walk is cut off after so many steps.
const MOST_STEPS: u64 = 20_000;

type World = Guided<Graph, Plane>;
type Maker = Box<dyn Fn() -> Box<dyn Agent<World>>>;

/// Walks on a graph, from their seed.
///
/// # Errors
/// If there is no such algorithm, or it does not walk graphs.
pub fn run(seed: u64, entry: Option<&str>, log: &mut Log) -> Result<(), String> {
    let mut random = Rng::new(seed, 0);
    let drawn = pick(&mut random, &NAMES);
    let entry = match entry {
        None => drawn,
        Some(name) => *NAMES
            .iter()
            .find(|known| **known == name)
            .ok_or_else(|| format!("graphs are walked by: {}", NAMES.join(", ")))?,
    };
    let PlaneGraph { graph, plane, is_undirected } = draw_graph(&mut random);
    let world = Guided { space: graph, heuristic: plane };
    let states = world.state_limit() as u64;
    let (name, make) = draw_agent(&mut random, entry, &world, log);
    log.trace(|| {
        format!("{name} on {states} states, {} edges, undirected: {is_undirected}", world.space.edge_count())
    });
    let mut walker = Walker::new(name, true, make());
    let (start, goal) = (State(random.below(states) as u32), State(random.below(states) as u32));
    if let Err(error) = walker.agent.begin(&world, start, goal) {
        log.find("refused start", &walker.name, error.to_string());
        return Ok(());
    }
    walker.goal = goal;
    for leg in 0..between(&mut random, 1, 4) {
        if leg > 0 {
            let goal = State(random.below(states) as u32);
            walker.set_goal(&world, goal, log);
        }
        log.tally.walks += 1;
        let from = walker.agent.position();
        check_searches(&mut random, &world, (from, walker.goal), is_undirected, log);
        walk(&mut random, &world, &mut walker, (entry, &make), log);
    }
    let counts = log.tally.entries.entry(entry).or_default();
    counts.walks += 1;
    counts.steps += log.step;
    Ok(())
}

/// Walks until it is over, or for long enough.
fn walk(
    random: &mut Rng,
    world: &World,
    walker: &mut Walker<World>,
    (entry, make): (&'static str, &Maker),
    log: &mut Log,
) {
    let from = walker.agent.position();
    for _ in 0..MOST_STEPS {
        if random.chance(0.05) {
            save(world, walker, make, log);
        }
        let before = walker.agent.position();
        let (step, spent) = walker.step(world, log);
        log.trace(|| format!("{before:?}: {step:?}, {spent}"));
        if step.is_over() {
            if step == Step::Arrived {
                let cheapest =
                    Dijkstra::new().find(world, from, walker.goal).ok().and_then(|found| found.cost());
                log.check("cost", &walker.name, checks::cost_of_walk(walker.walked, cheapest, false));
            }
            return;
        }
    }
    // Where only a search can tell, an agent that does not search walks on for ever.
    if world.reachability(walker.agent.position(), walker.goal) == Reachability::No {
        log.find("wrong answer", &walker.name, "walks on where there is no way".into());
    }
    log.tally.entries.entry(entry).or_default().not_over += 1;
}

/// Saves the agent, and lets another one go on from it.
fn save(world: &World, walker: &mut Walker<World>, make: &Maker, log: &mut Log) {
    log.tally.saves += 1;
    let mut bytes = Vec::new();
    walker.agent.save(world, &mut bytes);
    let (mut twin, mut reader) = (make(), Reader::new(&bytes));
    let restored = twin.restore(world, &mut reader).and_then(|()| reader.finish());
    walker.twin = restored.is_ok().then_some(twin);
    if let Err(error) = restored {
        log.find("cannot be restored", &walker.name, error.to_string());
    }
}

/// All searches for cheapest paths find the same; PRA* finds a path wherever there is one.
fn check_searches(
    random: &mut Rng,
    world: &World,
    (from, to): (State, State),
    is_undirected: bool,
    log: &mut Log,
) {
    let (a_star, dijkstra) =
        (cost_by(AStar::new(), world, from, to), cost_by(Dijkstra::new(), world, from, to));
    log.check("search", "a* and dijkstra", checks::same("cost", &a_star, &dijkstra));
    let is_open = checks::is_open(world, from, to);
    log.check("search", "dijkstra", checks::same("is there a way", &dijkstra.is_some(), &is_open));
    if is_undirected && random.chance(0.2) {
        let config = AbstractionConfig { aligned: true, distance: AbstractDistance::Octile };
        match Abstraction::build(world, config) {
            Ok(abstraction) => {
                let path = cost_by(PraStar::new(Arc::new(abstraction)), world, from, to);
                let result = match path {
                    Some(cost) => checks::cost_of_walk(cost, dijkstra, false),
                    None => checks::same("is there a way", &false, &is_open),
                };
                log.check("search", "pra*", result);
            }
            Err(error) => log.tally.note_refusal(&error.to_string()),
        }
    }
}

/// The cost of the path that a planner finds, if it finds one.
fn cost_by(mut planner: impl Planner<World>, world: &World, from: State, to: State) -> Option<Cost> {
    planner.plan(world, from, to).ok().and_then(|answer| answer.cost())
}

/// An agent of an algorithm, what findings call it, and how to make it again.
fn draw_agent(random: &mut Rng, entry: &str, world: &World, log: &mut Log) -> (String, Maker) {
    let ties = pick(random, &[Ties::Near, Ties::Far]);
    match entry {
        "lrta*(dt,g)" => {
            let deepest = pick(random, &[5, 10]);
            if let Some(tree) = DepthTree::built_in(deepest).map(Arc::new) {
                let name = format!("lrta*(dt,g;dmax={deepest})");
                return (name, Box::new(move || Box::new(DepthLrtaStar::with_tree(Arc::clone(&tree), ties))));
            }
        }
        "lrta*(oracle,g)" => {
            let deepest = between(random, 1, 5) as u32;
            let name = format!("lrta*(oracle,g;dmax={deepest})");
            return (name, Box::new(move || Box::new(DepthLrtaStar::with_oracle(deepest, ties))));
        }
        "knn-lrta*" => {
            let (form, pairs, paths) = (RecordForm::Compressed, Pairs::Random, Paths::AStar);
            let records = between(random, 0, 20);
            let config = SubgoalConfig { records, form, ties, pairs, paths, seed: 1 };
            match SubgoalDatabase::build(world, config, AStar::new()) {
                Ok(database) => {
                    let database = Arc::new(database);
                    let settings = KnnSettings::default();
                    let name = format!("knn-lrta*(n={records})");
                    return (
                        name,
                        Box::new(move || Box::new(KnnLrtaStar::new(settings, Arc::clone(&database)))),
                    );
                }
                Err(error) => log.tally.note_refusal(&error.to_string()),
            }
        }
        _ => {}
    }
    let (name, horizon) = if random.chance(0.5) {
        let depth = between(random, 1, 4) as u32;
        (format!("lrta*(d={depth})"), Horizon::Plies(depth))
    } else {
        let millionths = pick(random, &[1_000_000, 1_500_000, 3_000_000, 20_000_000, 1_000_000_000]);
        (format!("lrta*(gmax={})", millionths as f64 / 1e6), Horizon::Cost(millionths))
    };
    (name, Box::new(move || Box::new(LrtaStar::new(horizon, ties))))
}
