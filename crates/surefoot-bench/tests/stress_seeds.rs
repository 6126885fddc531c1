//! Cases of `surefoot-bench stress` that are replayed with every test run, by their seeds: those that once showed a fault, and some of every kind.
//!
//! A seed stands for the same case until what is drawn changes. Faults are held by named tests of the library; this holds that the harness goes on finding nothing where it did.

use surefoot_bench::stress::{CaseKind, run_case};

/// Replays the first so many cases and those that once showed a fault. Tells of all that they find.
fn replay(kind: CaseKind, first: u64, once_found: &[u64]) {
    let mut found = Vec::new();
    let seeds = (0..first).chain(once_found.iter().copied());
    for seed in seeds.clone() {
        let log = run_case(kind, seed, None, false).unwrap_or_else(|problem| panic!("{problem}"));
        found.extend(log.findings.into_iter().map(|finding| (seed, finding)));
    }
    assert!(found.is_empty(), "{} of {} cases: {found:#?}", kind.name(), seeds.count());
}

#[test]
fn walks_hold() {
    let once_found = [15978306647476280891, 1159233983749209218, 5070907548519459761, 9939551029077480331];
    replay(CaseKind::Walks, 60, &once_found);
}

#[test]
fn crowds_hold() {
    let once_found = [
        3136712920389413893,
        14172548530205942158,
        4436329485200807057,
        9595869579827713924,
        2635252905783347495,
        14036243903745104136,
        17605956427521470943,
        12120487915761785526,
        16958727243079730569,
        17935918459469630894,
    ];
    replay(CaseKind::Crowds, 24, &once_found);
}

#[test]
fn crowds_whose_units_are_obstacles_hold() {
    let once_found = [
        8471829303748998557,
        9660887344275622674,
        15272600620893979186,
        4351964440984249174,
        16046235049597007909,
        13129041310144911173,
        15281706967571908728,
        7520883851773255939,
        8506811362267295965,
        2185069813611395665,
    ];
    replay(CaseKind::Obstacles, 24, &once_found);
}

#[test]
fn walks_on_graphs_hold() {
    replay(CaseKind::Graphs, 60, &[5435005389945760871, 16675625741104421145]);
}
