//! What a move of a real-time agent costs: beside a bare look at the eight neighbours, and as the map grows.

use std::path::Path;
use std::time::Instant;

use surefoot::agent::{Agent, Bound};
use surefoot::formats;
use surefoot::space::{
    Cell, Cost, CostModel, GridSpace, Heuristic, MoveRule, State, StateSpace, TerrainMap, TerrainSet,
};
use surefoot_classics::ROSTER;
use surefoot_lab::episode::walk;
use surefoot_lab::maps::{MapKind, generate, scale_blocks};
use surefoot_lab::report::{Axis, Figure, Form, Origin, Point, Series, svg};

use crate::workload::random_problems;

/// Walks are cut off after so many moves.
const MOVES: u64 = 2_000;
/// Problems on every map.
const PROBLEMS: usize = 24;

type Done = Result<(), Box<dyn std::error::Error>>;

/// Prints both tables. If a file is named for a picture, only the second one, with what the picture has.
///
/// # Errors
/// If the map cannot be read, the picture cannot be written, or an agent breaks its bound.
pub fn measure(benchmarks: &Path, picture: Option<&Path>) -> Done {
    let path = benchmarks.join("bg512/AR0011SR.map");
    let (name, map) = if path.is_file() {
        ("AR0011SR", formats::read_any_map(&path)?)
    } else {
        ("generated", generate(MapKind::Game, 512, 512, 1)?)
    };
    let Some(picture) = picture else {
        beside_a_bare_scan(name, &map)?;
        return as_the_map_grows(name, &map, |_| true).map(drop);
    };
    let curves = as_the_map_grows(name, &map, |entry| DRAWN.contains(&entry))?;
    std::fs::write(picture, svg::file(&plot(&map, &curves), svg::Size::Narrow))?;
    Ok(())
}

/// What is drawn: as many as there are colours, from each family one.
const DRAWN: [&str; 7] = ["a*", "lrta*", "k-lrta*", "tba*", "s-a*", "knn-lrta*", "beacon*"];

/// Factors that the map is scaled by.
const FACTORS: [u64; 5] = [1, 2, 4, 8, 16];

/// Nanoseconds a move of one algorithm, for as many factors as it was measured with.
struct Curve {
    name: &'static str,
    ns: Vec<f64>,
}

/// The passability of the eight neighbours, their octile distances, the smallest cost + distance: what no
/// planner of one move can do without.
pub(crate) fn bare_scan(space: &GridSpace, state: State, goal: State) -> Option<State> {
    let octile = space.octile();
    let mut best: Option<(Cost, State)> = None;
    for direction in space.moves(state).iter() {
        let next = space.step(state, direction);
        let f = space.step_cost(state, direction) + octile.estimate(next, goal);
        if best.is_none_or(|known| f < known.0) {
            best = Some((f, next));
        }
    }
    best.map(|(_, next)| next)
}

/// The fastest of several passes over all walks, in nanoseconds a move.
fn fastest(mut pass: impl FnMut() -> (u64, f64)) -> f64 {
    (0..5)
        .map(|_| {
            let (moves, seconds) = pass();
            seconds * 1e9 / moves.max(1) as f64
        })
        .fold(f64::INFINITY, f64::min)
}

fn beside_a_bare_scan(name: &str, map: &TerrainMap) -> Done {
    let workload = random_problems(name.to_owned(), map, PROBLEMS, 7);
    let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::Squeeze, CostModel::Diagonal14);
    // The states that a one-ply agent really walks through are what is scanned.
    let mut agent = ROSTER.agent(&"lrta*(d=1)".parse()?)?;
    let walks: Vec<(State, Vec<State>)> = workload
        .problems
        .iter()
        .map(|&(start, goal)| Ok((goal, walk(&space, &mut *agent, start, goal, Some(MOVES), true)?.states)))
        .collect::<Result<_, surefoot_lab::episode::EpisodeError>>()?;
    let scan = fastest(|| {
        let begin = Instant::now();
        let mut count = 0;
        for (goal, states) in &walks {
            for &state in states {
                count += u64::from(std::hint::black_box(bare_scan(&space, state, *goal)).is_some());
            }
        }
        (count, begin.elapsed().as_secs_f64())
    });
    println!("{name}, one move (no clock between moves; fastest of five passes)");
    println!("{:<28} {:>10} {:>20}", "", "ns", "times a bare scan");
    println!("{:<28} {scan:>10.1} {:>20.1}", "bare scan of 8 neighbours", 1.0);
    let specs = [
        "hill-climbing",
        "lrta*(d=1)",
        "lrta*(d=3)",
        "k-lrta*",
        "rtaa*",
        "p-lrta*",
        "tba*",
        "knn-lrta*(n=10000)",
    ];
    for spec in specs {
        let mut agent = ROSTER.agent_for(&spec.parse()?, &space, 1)?;
        let each = fastest(|| timed_walks(&mut *agent, &space, &workload.problems));
        println!("{spec:<28} {each:>10.1} {:>20.1}", each / scan);
    }
    println!();
    Ok(())
}

/// All walks without a clock between moves.
fn timed_walks(agent: &mut dyn Agent, space: &GridSpace, problems: &[(State, State)]) -> (u64, f64) {
    let mut moves = 0;
    let begin = Instant::now();
    for &(start, goal) in problems {
        if agent.begin(space, start, goal).is_err() {
            continue;
        }
        for _ in 0..MOVES {
            let step = agent.step(space, &mut surefoot::search::Meter::new());
            if !matches!(step, surefoot::agent::Step::Moved(_) | surefoot::agent::Step::Waiting) {
                break;
            }
            moves += 1;
        }
    }
    (moves, begin.elapsed().as_secs_f64())
}

fn as_the_map_grows(
    name: &str,
    map: &TerrainMap,
    is_measured: impl Fn(&str) -> bool,
) -> Result<Vec<Curve>, Box<dyn std::error::Error>> {
    let factors = FACTORS;
    let mut curves = Vec::new();
    let small = random_problems(name.to_owned(), map, PROBLEMS, 7);
    let ends: Vec<(Cell, Cell)> = small
        .problems
        .iter()
        .map(|&(start, goal)| (small.space.cell(start), small.space.cell(goal)))
        .collect();
    println!(
        "{name}, the same {PROBLEMS} problems scaled, walks cut off after {MOVES} moves: ns a move (most expansions on one)"
    );
    print!("{:<16}", "cells");
    for factor in factors {
        print!(" {:>18}", u64::from(map.width()) * u64::from(map.height()) * factor * factor);
    }
    println!();
    let spaces = factors
        .iter()
        .map(|&factor| {
            let scaled = scale_blocks(map, factor as u32)?;
            Ok(GridSpace::new(scaled.grid(TerrainSet::GROUND), MoveRule::Squeeze, CostModel::Diagonal14))
        })
        .collect::<Result<Vec<_>, surefoot::space::SpaceError>>()?;
    for entry in ROSTER.entries().iter().filter(|entry| is_measured(entry.name)) {
        let real_time = matches!(entry.bound, Bound::PerMove(_));
        // A database of the same size on every map: so many records, or a hundred regions or so.
        let has = |name: &str| entry.parameters.iter().any(|parameter| parameter.name == name);
        let spec = |space: &GridSpace| {
            if has("n") {
                format!("{}(n=1000,paths=jps)", entry.name)
            } else if has("level") {
                entry.quick_spec(space.state_limit())
            } else {
                entry.name.to_owned()
            }
        };
        print!("{:<16}", entry.name);
        let mut curve = Curve { name: entry.name, ns: Vec::new() };
        for (space, factor) in spaces.iter().zip(factors) {
            // Not real-time: shown on the small maps, for contrast, until it takes too long.
            if !real_time && factor > 4 {
                print!(" {:>18}", "-");
                continue;
            }
            let mut agent = ROSTER.agent_for(&spec(space).parse()?, space, 1)?;
            let scaled = |cell: Cell| {
                let middle = factor as u32 / 2;
                Cell::new(cell.x * factor as u32 + middle, cell.y * factor as u32 + middle)
            };
            let (mut ns, mut moves, mut most) = (0, 0, 0);
            for &(start, goal) in &ends {
                // Every move's work is held against the bound here.
                let (start, goal) = space.locate_ends(scaled(start), scaled(goal))?;
                let episode = walk(space, &mut *agent, start, goal, Some(MOVES), false)?;
                ns += episode.plan_ns_total;
                moves += episode.moves + episode.waits;
                most = most.max(episode.expansions_max);
            }
            print!(" {:>18}", format!("{} ({most})", ns / moves.max(1)));
            curve.ns.push(ns as f64 / moves.max(1) as f64);
        }
        println!("{}", if real_time { "" } else { "   not real-time" });
        curves.push(curve);
    }
    Ok(curves)
}

/// Time a move against the number of cells: a line for each algorithm.
fn plot(map: &TerrainMap, curves: &[Curve]) -> Figure {
    let mut figure = Figure::new(
        "growth",
        "Planning a move as the map grows",
        Axis::log("cells of the map", Some("millions")),
        Axis::log("a move, mean", Some("ns")),
    );
    let cells = u64::from(map.width()) * u64::from(map.height());
    for curve in curves {
        let point = |(&factor, &ns): (&u64, &f64)| {
            let millions = (cells * factor * factor) as f64 / 1e6;
            Point {
                x: millions,
                y: ns,
                label: format!("{}: {ns:.0} ns, {millions:.1} million cells", curve.name),
            }
        };
        let points = FACTORS.iter().zip(&curve.ns).map(point).collect();
        let (name, origin, form) = (curve.name.to_owned(), Origin::Ours, Form::Line);
        figure.series.push(Series { name, origin, form, points });
    }
    figure
}
