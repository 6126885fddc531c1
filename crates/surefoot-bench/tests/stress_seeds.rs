//! Cases of `surefoot-bench stress` that are replayed with every test run, by their seeds: those that once showed a fault, and some of every kind.
//!
//! A seed stands for the same case until what is drawn changes. Faults are held by named tests of the library; this holds that the harness goes on finding nothing where it did.

use surefoot_bench::stress::{CaseKind, run_case};

/// Replays cases, and tells of all that they find.
fn replay(kind: CaseKind, seeds: &[u64]) {
    let mut found = Vec::new();
    for &seed in seeds {
        let log = run_case(kind, seed, None, false).unwrap_or_else(|problem| panic!("{problem}"));
        found.extend(log.findings.into_iter().map(|finding| (seed, finding)));
    }
    assert!(found.is_empty(), "{} of {} cases: {found:#?}", kind.name(), seeds.len());
}

#[test]
fn walks_hold() {
    replay(
        CaseKind::Walks,
        &[
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
            27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
            51, 52, 53, 54, 55, 56, 57, 58, 59,
        ],
    );
}

#[test]
fn crowds_hold() {
    replay(CaseKind::Crowds, &[1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 15, 16, 19, 21, 22, 23]);
}

#[test]
fn crowds_whose_units_are_obstacles_hold() {
    replay(CaseKind::Obstacles, &[0, 1, 2, 3, 6, 7, 12, 13, 16, 18, 22, 23]);
}

#[test]
fn walks_on_graphs_hold() {
    replay(
        CaseKind::Graphs,
        &[
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
            27, 28, 29, 30, 31, 32, 33, 34, 35, 37, 38, 39, 40, 41, 42, 43, 44, 45, 47, 48, 49, 51, 52, 53,
            54, 55, 56, 58, 59,
        ],
    );
}
