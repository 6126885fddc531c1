//! Wall time of exact search, ours and others', on a generated map and, where they are at hand, on MovingAI maps.
#![allow(missing_docs)] // criterion's macros make public functions

use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use surefoot_bench::{rivals, workload};

fn exact_search(criterion: &mut Criterion) {
    let mut workloads = vec![workload::generated(512, 20)];
    let benchmarks = std::env::var("SUREFOOT_BENCHMARKS")
        .map_or_else(|_| PathBuf::from("../../../shared/benchmarks"), PathBuf::from);
    for map in ["bg512/AR0011SR", "sc1/BigGameHunters", "dao/orz100d"] {
        let path = benchmarks.join(format!("{map}.map"));
        if path.is_file() {
            workloads.push(workload::movingai(&path, 50).expect("the benchmark files can be read"));
        }
    }
    for workload in &workloads {
        let mut group = criterion.benchmark_group(&workload.name);
        group.sample_size(10);
        for mut rival in rivals::all() {
            rival.prepare(&workload.space);
            group.bench_function(rival.name(), |bencher| {
                bencher.iter(|| {
                    for &(start, goal) in &workload.problems {
                        std::hint::black_box(rival.solve(&workload.space, start, goal));
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, exact_search);
criterion_main!(benches);
