//! Instruction counts of exact search on a generated map: the same on every run. Needs valgrind and gungraun-runner.
#![allow(missing_docs)] // gungraun's macros make public functions

use gungraun::{library_benchmark, library_benchmark_group, main};
use surefoot_bench::rivals::{OurAStar, OurJumpPoints, PathfindingAStar, Rival};
use surefoot_bench::workload::{self, Workload};

fn with<R: Rival>(mut rival: R) -> (R, Workload) {
    let workload = workload::generated(256, 5);
    rival.prepare(&workload.space);
    (rival, workload)
}

fn solve_all((mut rival, workload): (impl Rival, Workload)) -> u64 {
    let solve = |&(start, goal): &_| rival.solve(&workload.space, start, goal).unwrap_or_default();
    workload.problems.iter().map(solve).fold(0, u64::wrapping_add)
}

#[library_benchmark]
#[bench::generated(with(PathfindingAStar))]
fn pathfinding_a_star(input: (PathfindingAStar, Workload)) -> u64 {
    solve_all(input)
}

#[library_benchmark]
#[bench::generated(with(OurAStar::default()))]
fn our_a_star(input: (OurAStar, Workload)) -> u64 {
    solve_all(input)
}

#[library_benchmark]
#[bench::generated(with(OurJumpPoints::default()))]
fn our_jump_points(input: (OurJumpPoints, Workload)) -> u64 {
    solve_all(input)
}

library_benchmark_group!(name = exact_search; benchmarks = pathfinding_a_star, our_a_star, our_jump_points);

main!(library_benchmark_groups = exact_search);
