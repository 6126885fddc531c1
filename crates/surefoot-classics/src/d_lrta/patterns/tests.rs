use crate::test_maps::rooms;
use crate::test_maps::with_changed_body;
use proptest::prelude::*;
use surefoot::formats::grid_from_art;
use surefoot::search::{Dijkstra, Horizon, Lookahead, Meter, Ties};
use surefoot::space::{CostModel, Grid, GridSpace, Heuristic, MoveRule, StateSpace};
use surefoot::store::codec;

use super::*;

const ALL_CONTENTS: [PatternContents; 4] = [
    PatternContents::Subgoals,
    PatternContents::Depths { cap: 7 },
    PatternContents::SubgoalsAndDepths { cap: 7 },
    PatternContents::SubgoalsAndBothDepths { cap: 7 },
];

fn config(level: u32, contents: PatternContents) -> PatternConfig {
    PatternConfig { level, aligned: true, contents, trace: Trace::default(), ties: Ties::Near }
}

fn small_map() -> impl Strategy<Value = GridSpace> {
    (1_u32..14, 1_u32..14, prop::collection::vec(0_u8..4, 14 * 14), 0_usize..MoveRule::ALL.len()).prop_map(
        |(width, height, cells, rule)| {
            let grid = Grid::from_fn(width, height, |cell| cells[(cell.y * 14 + cell.x) as usize] > 0);
            GridSpace::new(grid.unwrap(), MoveRule::ALL[rule], CostModel::Sqrt2)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What the paper promises of each pair, checked with distances of our own.
    #[test]
    fn patterns_are_what_they_should_be(space in small_map(), level in 0_u32..4, which in 0_usize..4) {
        let database = PatternDatabase::build(&space, config(level, ALL_CONTENTS[which])).unwrap();
        let mut dijkstra = Dijkstra::new();
        let mut lookahead = Lookahead::new();
        for goal in RegionId::first(database.regions()) {
            let target = database.representative(goal);
            let field = dijkstra.field_towards(&space, target).unwrap();
            for from in RegionId::first(database.regions()).filter(|&from| from != goal) {
                let start = database.representative(from);
                let Some(pattern) = database.pattern(from, goal) else {
                    prop_assert_eq!(field.distance(start), None);
                    continue;
                };
                let mut towards = target;
                let mut to_goal = field.clone();
                if let Some(subgoal) = pattern.subgoal {
                    prop_assert_ne!(database.region(subgoal), Some(from));
                    let mut is_next_to = false;
                    space.for_each_successor(subgoal, |state, _| {
                        is_next_to |= database.region(state) == Some(from);
                    });
                    prop_assert!(is_next_to);
                    let to_subgoal = dijkstra.field_towards(&space, subgoal).unwrap();
                    let way = to_subgoal.distance(start).unwrap() + field.distance(subgoal).unwrap();
                    prop_assert_eq!(way, field.distance(start).unwrap(), "on a cheapest path");
                    (towards, to_goal) = (subgoal, to_subgoal);
                }
                let mut checks = Vec::from_iter(pattern.depth.map(|depth| (depth, towards, to_goal)));
                let goal_depth = database.goal_depth(from, goal);
                prop_assert_eq!(goal_depth.is_some(), which == 3);
                checks.extend(goal_depth.map(|depth| (depth, target, field.clone())));
                for (depth, towards, to_goal) in checks {
                    prop_assert!((1..=7).contains(&depth));
                    let mut is_optimal = |depth: u32| {
                        let outlook = lookahead.look(
                            &space,
                            |state| space.octile().estimate(state, towards),
                            (start, towards),
                            Horizon::Plies(depth),
                            Ties::Near,
                            &mut Meter::new(),
                        );
                        let next = outlook.unwrap().first_step;
                        let mut step = u64::MAX;
                        space.for_each_successor(start, |state, cost| if state == next { step = cost });
                        step + to_goal.distance(next).unwrap() == to_goal.distance(start).unwrap()
                    };
                    prop_assert!(depth == 7 || is_optimal(depth), "the depth gives an optimal move");
                    prop_assert!((1..depth).all(|shallower| !is_optimal(shallower)), "and no shallower one does");
                }
            }
        }
    }

    /// Straight-first paths are walked by hand: a straight move wherever one lies on a cheapest path.
    #[test]
    fn straight_moves_come_first_if_asked_for(space in small_map(), level in 0_u32..4) {
        let straight = PatternConfig { trace: Trace::StraightFirst, ..config(level, PatternContents::Subgoals) };
        let database = PatternDatabase::build(&space, straight).unwrap();
        let diagonal = PatternDatabase::build(&space, config(level, PatternContents::Subgoals)).unwrap();
        let mut dijkstra = Dijkstra::new();
        for goal in RegionId::first(database.regions()) {
            let field = dijkstra.field_towards(&space, database.representative(goal)).unwrap();
            for from in RegionId::first(database.regions()) {
                let Some(pattern) = database.pattern(from, goal) else { continue };
                for (own, wants_straight) in
                    [(pattern, true), (diagonal.pattern(from, goal).unwrap(), false)]
                {
                    let mut state = database.representative(from);
                    while database.region(state) == Some(from) {
                        let mut moves = Vec::new();
                        space.for_each_successor(state, |next, cost| {
                            if Some(field.distance(next).unwrap() + cost) == field.distance(state) {
                                moves.push((cost, next));
                            }
                        });
                        let costs = moves.iter().map(|own| own.0);
                        let wanted = if wants_straight { costs.min() } else { costs.max() }.unwrap();
                        moves.retain(|own| own.0 == wanted);
                        // Of several diagonal moves the search decides.
                        if !wants_straight && moves.len() > 1 {
                            state = own.subgoal.unwrap();
                            break;
                        }
                        state = moves[0].1;
                    }
                    prop_assert_eq!(own.subgoal, Some(state));
                }
            }
        }
    }

    /// Every state is in the region of its ancestor, and regions are connected only within components.
    #[test]
    fn regions_cover_the_map(space in small_map(), level in 0_u32..5) {
        let database = PatternDatabase::build(&space, config(level, PatternContents::Subgoals)).unwrap();
        let mut pairs = 0;
        for from in RegionId::first(database.regions()) {
            prop_assert_eq!(database.region(database.representative(from)), Some(from));
            for goal in RegionId::first(database.regions()) {
                let (a, b) = (database.representative(from), database.representative(goal));
                let is_open = space.components().same(space.cell(a), space.cell(b));
                pairs += u64::from(is_open);
                prop_assert_eq!(database.pattern(from, goal).is_some(), is_open && from != goal);
            }
        }
        prop_assert_eq!(database.pairs(), pairs);
        let free = space.grid().free_cells().count() as u64;
        prop_assert_eq!(database.states(), free + pairs);
        if level == 0 {
            prop_assert_eq!(u64::from(database.regions()), free);
        }
    }
}

#[test]
fn a_representative_is_the_regions_own_state_nearest_to_its_centroid() {
    // A ring around a wall, abstracted until it is one region: its centroid is a wall.
    let grid = grid_from_art("....\n.##.\n....\n.#..").unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let database = PatternDatabase::build(&space, config(64, PatternContents::Subgoals)).unwrap();
    assert_eq!(database.regions(), 1);
    let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
    for cell in space.grid().free_cells() {
        (x, y, count) = (x + f64::from(cell.x), y + f64::from(cell.y), count + 1.0);
    }
    let distance =
        |cell: surefoot::space::Cell| (f64::from(cell.x) - x / count).hypot(f64::from(cell.y) - y / count);
    let own = distance(space.cell(database.representative(RegionId::from_index(0))));
    assert!(space.grid().free_cells().all(|cell| own <= distance(cell) + 1e-9));
}

#[test]
fn a_file_opens_as_it_was_built_and_only_on_its_map() {
    let space = rooms();
    for contents in ALL_CONTENTS {
        let built = PatternDatabase::build(&space, config(2, contents)).unwrap();
        let opened = PatternDatabase::from_bytes(&space, built.as_bytes().to_vec()).unwrap();
        assert_eq!(opened.config(), built.config());
        for from in RegionId::first(built.regions()) {
            for goal in RegionId::first(built.regions()) {
                assert_eq!(opened.pattern(from, goal), built.pattern(from, goal));
                assert_eq!(opened.goal_depth(from, goal), built.goal_depth(from, goal));
            }
        }
        let info = PatternDatabase::inspect(built.as_bytes()).unwrap();
        assert_eq!((info.regions, info.pairs), (built.regions(), built.pairs()));
        let mut other = space.clone();
        other.set(surefoot::space::Cell::new(0, 0), false);
        let refused = PatternDatabase::from_bytes(&other, built.as_bytes().to_vec());
        assert!(matches!(refused, Err(DatabaseError::OtherWorld { .. })));
    }
}

#[test]
fn damaged_files_are_refused() {
    let space = rooms();
    let built =
        PatternDatabase::build(&space, config(2, PatternContents::SubgoalsAndBothDepths { cap: 5 })).unwrap();
    let bytes = built.as_bytes();
    for length in 0..bytes.len() {
        assert!(PatternDatabase::from_bytes(&space, bytes[..length].to_vec()).is_err());
    }
    let changed = |place: usize| {
        let mut bytes = bytes.to_vec();
        bytes[place] ^= 1;
        bytes
    };
    assert!((0..bytes.len()).all(|place| PatternDatabase::from_bytes(&space, changed(place)).is_err()));
    // Behind a proper checksum: refused, or of use all the same.
    for place in 0..bytes.len() - codec::TAIL {
        for flip in [1_u8, 0x80] {
            let bytes = with_changed_body(bytes, |body| {
                if let Some(byte) = body.get_mut(place) {
                    *byte ^= flip;
                }
            });
            let Ok(opened) = PatternDatabase::from_bytes(&space, bytes) else { continue };
            for state in (0..space.state_limit() as u32).map(State) {
                let Some(region) = opened.region(state) else { continue };
                for goal in RegionId::first(opened.regions()) {
                    std::hint::black_box((opened.pattern(region, goal), opened.goal_depth(region, goal)));
                }
            }
        }
    }
}

/// Builds a database for the rooms in which each number of each column was changed.
fn with_changed_columns(config: PatternConfig, change: impl Fn(usize, u32) -> u32) -> PatternDatabase {
    let space = rooms();
    let builder = PatternBuilder::new(&space, config).unwrap();
    let mut scratch = PatternScratch::default();
    let column = |goal| {
        let column = builder.column(goal, &mut scratch).into_iter().enumerate();
        column.map(|(from, number)| change(from, number)).collect()
    };
    builder.finish(&RegionId::first(builder.columns()).map(column).collect::<Vec<_>>()).unwrap()
}

#[test]
fn broken_promises_are_found() {
    let space = rooms();
    let mut scratch = PatternScratch::default();
    for contents in ALL_CONTENTS {
        let built = PatternDatabase::build(&space, config(2, contents)).unwrap();
        assert_eq!(built.verify_regions(&space), Ok(()));
        for goal in RegionId::first(built.regions()) {
            assert_eq!(
                built.verify_ways(&space, RegionId::first(built.regions()), goal, &mut scratch),
                Ok(())
            );
        }
    }
    let mut all_ways = |database: &PatternDatabase| {
        RegionId::first(database.regions()).try_for_each(|goal| {
            database.verify_ways(&space, RegionId::first(database.regions()), goal, &mut scratch)
        })
    };
    let deeper =
        with_changed_columns(config(2, PatternContents::Depths { cap: 7 }), |_, depth| depth.max(1) % 7 + 1);
    assert!(matches!(all_ways(&deeper), Err(PatternFault::Depth { .. })));
    // From the corner of the map, the region of the first cell, two ways round a wall begin: each the other
    // one.
    let subgoals = config(0, PatternContents::Subgoals);
    let (right, below) =
        (space.state_of(surefoot::space::Cell::new(1, 0)), space.state_of(surefoot::space::Cell::new(0, 1)));
    let astray = with_changed_columns(
        subgoals,
        |from, state| if (from, state) == (0, right.0) { below.0 } else { state },
    );
    assert!(matches!(all_ways(&astray), Err(PatternFault::Subgoal { .. })));
    // Subgoals of one path under the name of another.
    let built = PatternDatabase::build(&space, config(2, PatternContents::Subgoals)).unwrap();
    let traced = PatternConfig { trace: Trace::StraightFirst, ..*built.config() };
    let other = PatternDatabase::build(&space, traced).unwrap();
    assert_eq!(all_ways(&other), Ok(()));
    let renamed = PatternDatabase { config: traced, ..built };
    assert!(matches!(all_ways(&renamed), Err(PatternFault::Trace { .. })));
    // A depth towards a goal that does not serve.
    let both = config(2, PatternContents::SubgoalsAndBothDepths { cap: 7 });
    let regions = PatternDatabase::build(&space, both).unwrap().regions() as usize;
    let deeper =
        with_changed_columns(
            both,
            |place, number| {
                if place >= regions && number > 0 { number % 7 + 1 } else { number }
            },
        );
    assert!(matches!(all_ways(&deeper), Err(PatternFault::Depth { .. })));
    // The regions of one level under the name of another.
    let built = PatternDatabase::build(&space, config(2, PatternContents::Subgoals)).unwrap();
    let renamed = PatternDatabase { config: config(1, PatternContents::Subgoals), ..built };
    assert_eq!(renamed.verify_regions(&space), Err(PatternFault::Regions { level: 1 }));
}

#[cfg(feature = "rayon")]
#[test]
fn all_cores_build_the_same_bytes() {
    let space = rooms();
    for contents in ALL_CONTENTS {
        let config = config(1, contents);
        let builder = PatternBuilder::new(&space, config).unwrap();
        let many = builder.finish(&builder.columns_on_all_cores()).unwrap();
        let one = PatternDatabase::build(&space, config).unwrap();
        assert_eq!(many.as_bytes(), one.as_bytes());
        let short = &builder.columns_on_all_cores()[1..];
        assert!(builder.finish(short).is_err());
    }
}
