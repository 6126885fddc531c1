use super::*;
use crate::maps::{MapKind, generate};
use surefoot::formats::grid_from_art;
use surefoot::space::{CostModel, Grid, MoveRule, TerrainSet};

fn limits() -> Limits {
    Limits { agents: 10, frame_ms: 1e6, memory_mb: 1e3, at_once: false }
}

fn request(seconds: f64) -> Request {
    Request { limits: limits(), problems: 5, seed: 1, seconds, allocated: None }
}

fn small_map() -> GridSpace {
    let map = generate(MapKind::Game, 48, 48, 2).unwrap();
    GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2)
}

#[test]
fn every_algorithm_is_measured_and_the_walks_repeat() {
    let space = small_map();
    let mut seen = Vec::new();
    let tuning =
        tune(&space, &request(1e6), &mut |what, done, all| seen.push((what.to_owned(), done, all))).unwrap();
    assert_eq!(tuning.unmeasured, []);
    for entry in ROSTER.entries() {
        let specs = trial_specs(entry, space.grid().free_count() as usize);
        for spec in specs.iter().map(|text| text.parse::<Spec>().unwrap().to_string()) {
            let measured = tuning.measured.iter().filter(|measured| measured.spec == spec);
            assert_eq!(measured.count(), 1, "{spec}");
        }
    }
    let of = |spec: &str| tuning.measured.iter().find(|measured| measured.spec.starts_with(spec)).unwrap();
    assert_eq!((of("jps").walks, of("jps").over_worst_pct, of("jps").database_bytes), (5, 0.0, 0.0));
    assert!(of("pra*").database_bytes > 1000.0 && of("knn-lrta*").agent_bytes < of("a*").agent_bytes);
    assert!(!of("hill-climbing").complete && of("lrta*(d=1)").over_mean_pct > 1.0);
    assert!(matches!(tuning.choice, Choice::Best { .. }));
    assert!(seen.iter().any(|(what, ..)| what == "jps") && seen.iter().all(|(_, done, all)| done < all));
    // Everything but time is the same again.
    let again = tune(&space, &request(1e6), &mut |_, _, _| ()).unwrap();
    let timeless = |tuning: &Tuning| {
        let mut measured = tuning.measured.clone();
        measured.sort_by(|one, other| one.spec.cmp(&other.spec));
        measured
            .into_iter()
            .map(|one| Measured {
                move_ns: 0.0,
                worst_move_ns: 0.0,
                first_move_ns: 0.0,
                build_seconds: 0.0,
                ..one
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(timeless(&tuning), timeless(&again));
}

#[test]
fn without_time_nothing_is_recommended() {
    let tuning = tune(&small_map(), &request(0.0), &mut |_, _, _| ()).unwrap();
    assert_eq!((tuning.measured.len(), tuning.choice), (0, Choice::NothingMeasured));
    assert!(tuning.unmeasured.iter().all(|one| matches!(one.reason, Reason::Walks(_) | Reason::Build(_))));
    assert!(tuning.unmeasured.iter().any(|one| one.spec == "jps"));
}

#[test]
fn memory_is_measured_where_allocations_are_counted() {
    use std::sync::atomic::{AtomicU64, Ordering};
    /// Every look at it finds a thousand bytes more.
    fn allocated() -> u64 {
        static BYTES: AtomicU64 = AtomicU64::new(0);
        BYTES.fetch_add(1000, Ordering::Relaxed)
    }
    let request = Request { allocated: Some(allocated), ..request(1e6) };
    let tuning = tune(&small_map(), &request, &mut |_, _, _| ()).unwrap();
    let of = |spec: &str| tuning.measured.iter().find(|measured| measured.spec == spec).unwrap();
    // Looked at before the agent is made, and after each of its five walks: 1 to 5 thousand.
    assert_eq!((of("a*").agent_bytes, of("a*").database_bytes), (3000.0, 0.0));
    assert!(tuning.measured.iter().all(|one| one.agent_bytes == 3000.0));
    // A database takes what its file does, or more.
    assert!(tuning.measured.iter().any(|one| one.database_bytes > 1000.0));
}

#[test]
fn what_would_take_too_long_or_too_much_is_left_out() {
    let config = ROSTER.database_for(&"pra*".parse().unwrap(), 1).unwrap();
    let group = |seconds, bytes| Group {
        config: config.clone(),
        candidates: vec![("pra*".parse().unwrap(), &ROSTER.entries()[0])],
        forecast: Forecast { seconds, bytes },
    };
    let mut tuning = Tuning {
        problems: 1,
        mean_length: 1.0,
        measured: Vec::new(),
        unmeasured: Vec::new(),
        choice: Choice::NothingMeasured,
    };
    let mut groups = vec![group(1.0, 0.0), group(2.0, 5e9), group(3.0, 3e9), group(7.0, 0.0)];
    leave_out(&mut groups, &mut tuning, 10.0, &limits());
    assert_eq!(groups.iter().map(|group| group.forecast.seconds).collect::<Vec<_>>(), [1.0, 3.0]);
    let reasons: Vec<&Reason> = tuning.unmeasured.iter().map(|one| &one.reason).collect();
    assert_eq!(reasons, [&Reason::Size(5e9), &Reason::Build(7.0)]);
}

#[test]
fn the_default_is_never_left_out_unbuilt() {
    let space = small_map();
    let deadline = Deadline { end: Instant::now() };
    let mut groups = groups(&space).unwrap();
    rehearse(&space, &mut groups, &deadline, &mut |_| ());
    assert!(groups[0].has_default() && groups[0].forecast == Forecast::default());
    let mut tuning = Tuning {
        problems: 1,
        mean_length: 1.0,
        measured: Vec::new(),
        unmeasured: Vec::new(),
        choice: Choice::NothingMeasured,
    };
    leave_out(&mut groups, &mut tuning, 0.0, &Limits { memory_mb: 1e-9, ..limits() });
    assert!(groups[0].has_default());
    // Without any time it is built, and what is missing are walks.
    let tuning = tune(&space, &request(0.0), &mut |_, _, _| ()).unwrap();
    let default = tuning.unmeasured.iter().find(|one| one.spec == surefoot::agent::DEFAULT).unwrap();
    assert!(matches!(default.reason, Reason::Walks(_)), "{default:?}");
}

#[test]
fn maps_without_problems_are_told() {
    let walls = GridSpace::new(Grid::new(3, 3).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let error = tune(&walls, &request(1.0), &mut |_, _, _| ()).unwrap_err();
    assert_eq!(error.to_string(), "the map has no passable cell");
    let cells = GridSpace::new(grid_from_art(".#.\n###\n.#.").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let error = tune(&cells, &request(1.0), &mut |_, _, _| ()).unwrap_err().to_string();
    assert!(error.contains("no part of the map has enough connected cells"), "{error}");
    // The smallest map on which there is a way.
    let pair = GridSpace::new(grid_from_art("..").unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let tuning = tune(&pair, &request(1e6), &mut |_, _, _| ()).unwrap();
    assert!(tuning.measured.iter().all(|one| one.over_worst_pct == 0.0 || one.spec.starts_with("s-")));
}
