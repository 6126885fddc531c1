//! The entry of the grid path planning competition: whole paths as turning points beside jump points, and
//! what changes of the map take, edited and built anew.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use surefoot::search::JumpPoints;
use surefoot::space::{Cell, GridSpace, State};
use surefoot::{Map, formats};
use surefoot_gppc::{Bits, Changes, Entry, Way, is_build_faster};
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::problem_files::{maps_with_problems, read_scen};
use surefoot_lab::random::Rng;

use crate::tables::Measures;
use crate::workload::{self, Workload};

type Failure = Box<dyn std::error::Error>;

/// Of identical passes the fastest counts: the machine may be busy.
const PASSES: usize = 3;
/// So many cells change at once: 35 and 26,700 are those of the field's examples.
const CHANGES: [usize; 7] = [1, 35, 256, 1_024, 4_096, 26_700, 65_536];
/// Random problems on a generated map.
const PROBLEMS: usize = 300;
/// Generated maps of each kind and size.
const SEEDS: u64 = 5;

/// Measures all, or only what `only` names: `paths`, `small` or `changes`.
///
/// # Errors
/// If a map cannot be read, or a path does not cost what a cheapest one does.
pub fn measure(benchmarks: &Path, every: usize, only: Option<&str>) -> Result<(), Failure> {
    let wants = |part: &str| only.is_none_or(|only| only == part);
    if wants("paths") {
        for set in ["bg512", "sc1", "dao"] {
            let folder = benchmarks.join(set);
            if folder.is_dir() {
                let mut measures = Measures::default();
                for (map, scen) in maps_with_problems(&folder)? {
                    solve(&of_file(&map, &scen, every)?, &mut measures)?;
                }
                print(set, &measures);
            }
        }
        for side in [512, 1024] {
            let (workload, mut measures) = (workload::generated(side, PROBLEMS), Measures::default());
            solve(&workload, &mut measures)?;
            print(&workload.name, &measures);
        }
    }
    if wants("small") {
        for (kind, side) in MapKind::ALL.into_iter().flat_map(|kind| [25, 50, 100].map(|side| (kind, side))) {
            let mut measures = Measures::default();
            for seed in 1..=SEEDS {
                let map = generate(kind, side, side, seed)?;
                let name = kind.name().to_owned();
                solve(&workload::random_problems(name, &map, PROBLEMS, seed), &mut measures)?;
            }
            print(&format!("{} {side} x {side}", kind.name()), &measures);
        }
    }
    if wants("changes") {
        measure_changes(benchmarks)?;
    }
    Ok(())
}

fn print(name: &str, measures: &Measures) {
    println!("{name}");
    measures.print();
    let ratio = measures.sum("entry, us") / measures.sum("jps, us").max(f64::MIN_POSITIVE);
    println!("  the entry takes {ratio:.2} of the time of jps\n");
}

/// Every so many problems of a file.
fn of_file(map: &Path, scen: &Path, every: usize) -> Result<Workload, Failure> {
    let workload = workload::random_problems(map.display().to_string(), &formats::read_any_map(map)?, 0, 0);
    let ends = |problem: &surefoot_lab::problem_files::Problem| {
        workload.space.locate_ends(problem.start, problem.goal)
    };
    let problems = read_scen(scen)?.problems.iter().step_by(every).map(ends).collect::<Result<_, _>>()?;
    Ok(Workload { problems, ..workload })
}

/// Solves problems with the entry and by jump points.
fn solve(Workload { name, space, problems }: &Workload, measures: &mut Measures) -> Result<(), Failure> {
    let map = map_of(space)?;
    let navigator = map.navigator()?;
    let bytes = bytes_of(space);
    let bits = bits(&bytes, space);
    let [mut whole, mut pieces] = [open(Way::Whole, bits)?, open(Way::InPieces, bits)?];
    measures.add("searches instead", f64::from(u8::from(whole.is_searching())));
    let mut jump_points = JumpPoints::new();
    for &(from, to) in problems {
        let (start, goal) = (space.cell(from), space.cell(to));
        // Each the fastest of some in a row: what it looks at is in the cache then, and not what others do.
        let (jps, answer) = fastest(|| jump_points.find(space, from, to));
        let (path, _) = fastest(|| navigator.path(start, goal));
        let (entry, _) = fastest(|| whole.path(start, goal).cells.len());
        let cells = whole.path(start, goal).cells;
        let (optimal, cost, points) = (answer?.cost(), cost_of(space, cells), cells.len());
        let [mut first, mut slowest, mut all] = [f64::INFINITY; 3];
        for _ in 0..PASSES {
            let (mut worst, mut sum, mut is_first) = (0.0_f64, 0.0, true);
            loop {
                let begin = Instant::now();
                let is_incomplete = black_box(pieces.path(start, goal)).is_incomplete;
                let time = micros_since(begin);
                (worst, sum) = (worst.max(time), sum + time);
                if is_first {
                    (first, is_first) = (first.min(time), false);
                }
                if !is_incomplete {
                    break;
                }
            }
            (slowest, all) = (slowest.min(worst), all.min(sum));
        }
        if optimal.unwrap_or(0) != cost {
            return Err(format!("{name}: the path from {start} to {goal} is not a cheapest one").into());
        }
        measures.add("entry, us", entry);
        measures.add("path(), us", path);
        measures.add("jps, us", jps);
        measures.add("real-time, first call, us", first);
        measures.add("real-time, slowest call, us", slowest);
        measures.add("real-time, all calls, us", all);
        measures.add("turning points", points as f64);
    }
    Ok(())
}

/// The microseconds that something takes, at its fastest, and what came of it last.
fn fastest<T>(mut act: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let begin = Instant::now();
        let outcome = black_box(act());
        (micros_since(begin), outcome)
    };
    let (mut least, mut last) = timed();
    for _ in 1..PASSES {
        let (time, outcome) = timed();
        (least, last) = (least.min(time), outcome);
    }
    (least, last)
}

/// What a path costs whose turning points these are.
fn cost_of(space: &GridSpace, cells: &[Cell]) -> u64 {
    let runs = cells.windows(2).map(|ends| {
        let (wide, high) = (ends[0].x.abs_diff(ends[1].x), ends[0].y.abs_diff(ends[1].y));
        assert!(wide == high || wide.min(high) == 0, "a run is straight or diagonal");
        let diagonal = u64::from(wide.min(high));
        space.costs().of_steps(u64::from(wide.max(high)) - diagonal, diagonal)
    });
    runs.sum()
}

fn open(way: Way, bits: Bits<'_>) -> Result<Entry, Failure> {
    Ok(Entry::open(way, bits, None)?)
}

fn map_of(space: &GridSpace) -> Result<Map, Failure> {
    let grid = space.grid();
    let map = Map::from_fn(grid.width(), grid.height(), |cell| grid.is_free(cell))?;
    Ok(map.with_rule(space.rule()).with_costs(space.costs()))
}

fn bytes_of(space: &GridSpace) -> Vec<u8> {
    let grid = space.grid();
    let mut bytes = vec![0; Bits::bytes_of(grid.width(), grid.height())];
    for cell in grid.free_cells() {
        let at = cell.y as usize * grid.width() as usize + cell.x as usize;
        bytes[at / 8] |= 1 << (at % 8);
    }
    bytes
}

fn bits<'a>(bytes: &'a [u8], space: &GridSpace) -> Bits<'a> {
    Bits::new(bytes, space.grid().width(), space.grid().height())
        .expect("there are as many bytes as it takes")
}

/// Changes squares of cells at once, edited and built anew.
fn measure_changes(benchmarks: &Path) -> Result<(), Failure> {
    println!("many cells at once, in squares; milliseconds: edits / a build; * where the rule builds anew");
    print!("{:<24} {:>9}", "map", "free");
    CHANGES.iter().for_each(|cells| print!(" {cells:>16}"));
    println!();
    let mut maps = Vec::new();
    if benchmarks.is_dir() {
        for map in ["bg512/AR0011SR", "bg512/AR0602SR", "dao/orz100d", "dao/orz900d", "sc1/BigGameHunters"] {
            let file = benchmarks.join(format!("{map}.map"));
            if file.is_file() {
                maps.push((map.to_owned(), formats::read_any_map(file)?));
            }
        }
    }
    for (kind, side) in
        [(MapKind::Game, 512), (MapKind::Rooms, 512), (MapKind::Maze, 200), (MapKind::Game, 100)]
    {
        maps.push((format!("{} {side}", kind.name()), generate(kind, side, side, 1)?));
    }
    for (name, map) in maps {
        let Workload { space, .. } = workload::random_problems(name.clone(), &map, 0, 0);
        let map = map_of(&space)?;
        let navigator = map.navigator()?;
        let free = space.grid().free_count();
        print!("{name:<24} {free:>9}");
        for count in CHANGES {
            let changes = draw_changes(&map, &space, count);
            let [mut edited, mut built] = [f64::INFINITY; 2];
            for _ in 0..PASSES {
                let mut navigator = navigator.clone();
                let begin = Instant::now();
                navigator.edit(changes.edits())?;
                edited = edited.min(micros_since(begin) / 1e3);
                let begin = Instant::now();
                let mut map = map.clone();
                map.edit(changes.edits())?;
                black_box(map.navigator()?);
                built = built.min(micros_since(begin) / 1e3);
            }
            let mark = if is_build_faster(changes.len(), free as usize) { '*' } else { ' ' };
            print!(" {edited:>7.1}/{built:>7.1}{mark}");
        }
        println!();
    }
    Ok(())
}

/// Turns squares of eight by eight cells over until so many cells are others, or half of the map.
fn draw_changes(map: &Map, space: &GridSpace, count: usize) -> Changes {
    const SIDE: u32 = 8;
    let (mut rng, mut grid) = (Rng::new(3, 0), space.grid().clone());
    let cells = grid.cell_count();
    let mut changed = 0;
    while changed < count.min(cells / 2) {
        let at = space.cell(State(rng.below(cells as u64) as u32));
        let free = !grid.is_free(at);
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let cell = Cell::new(at.x + x, at.y + y);
            if changed < count && grid.contains(cell) && space.grid().is_free(cell) != free {
                changed += usize::from(grid.is_free(cell) != free);
                grid.set(cell, free);
            }
        }
    }
    let bytes = bytes_of(&GridSpace::new(grid, space.rule(), space.costs()));
    let mut changes = Changes::default();
    changes.add(map, bits(&bytes, space), Cell::new(0, 0));
    changes
}

fn micros_since(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e6
}
