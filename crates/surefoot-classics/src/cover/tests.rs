use crate::test_maps::with_changed_body;
use crate::test_maps::{maps, rooms, states};
use proptest::prelude::*;
use surefoot::search::{Dijkstra, Ties, climb_step};
use surefoot::space::{Cell, Cost};
use surefoot::store::codec;

use super::*;
use crate::regions::partition::Sector;

fn config(partition: Partition) -> CoverConfig {
    CoverConfig { partition, lossless: false, ties: Ties::Far }
}

fn configs() -> impl Strategy<Value = CoverConfig> {
    let partition = prop_oneof![
        (0_u32..40).prop_map(|cutoff| Partition::Climbs { cutoff }),
        (1_u32..12).prop_map(|side| Partition::Sectors { side }),
    ];
    (partition, any::<bool>(), any::<bool>()).prop_map(|(partition, lossless, far)| CoverConfig {
        partition,
        lossless,
        ties: if far { Ties::Far } else { Ties::Near },
    })
}

/// The states of a climb, which must arrive.
fn walk(space: &GridSpace, from: State, to: State, ties: Ties) -> Vec<State> {
    let mut walk = vec![from];
    while walk.last() != Some(&to) {
        let (next, _) = climb_step(space, walk[walk.len() - 1], to, ties).expect("the climb goes on");
        walk.push(next);
    }
    walk
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Every state has a region; climbs lead to the state that stands for it and back, and visit no state
    /// twice.
    #[test]
    fn regions_cover_the_map(space in maps(24), config in configs()) {
        let cover = CoverDatabase::build(&space, config).unwrap();
        for state in states(&space) {
            let region = cover.region(state).expect("every state has a region");
            let middle = cover.representative(region);
            prop_assert!(space.components().same(space.cell(state), space.cell(middle)));
            match config.partition {
                Partition::Climbs { cutoff } => {
                    for (from, to) in [(state, middle), (middle, state)] {
                        let mut walk = walk(&space, from, to, config.ties);
                        prop_assert!(walk.len() as u64 <= u64::from(cutoff) + 1);
                        let length = walk.len();
                        walk.sort_unstable();
                        walk.dedup();
                        prop_assert_eq!(walk.len(), length, "no state comes twice");
                    }
                }
                Partition::Sectors { side } => {
                    let sector = |state| Sector::around(&space, space.cell(state), side);
                    prop_assert_eq!(sector(state), sector(middle));
                }
            }
        }
        prop_assert_eq!(cover.verify(&space), Ok(()));
    }

    /// Paths lead between neighbours, each leg can be climbed, and nothing is lost where nothing may be.
    #[test]
    fn paths_are_cheapest_before_they_are_cut_down(space in maps(24), config in configs()) {
        let cover = CoverDatabase::build(&space, config).unwrap();
        let mut dijkstra = Dijkstra::new();
        for region in RegionId::first(cover.regions()) {
            let field = dijkstra.field(&space, cover.representative(region)).unwrap();
            for (place, &to) in cover.neighbours(region).iter().enumerate() {
                let path = cover.path(region, place);
                prop_assert_eq!((path[0], path[path.len() - 1]), (cover.representative(region), cover.representative(to)));
                let cost: Cost = path.windows(2).map(|leg| {
                    let climb = climb(&space, leg[0], leg[1], u64::MAX, config.ties);
                    assert_eq!(climb.end, leg[1]);
                    climb.cost
                }).sum();
                let best = field.distance(cover.representative(to)).unwrap();
                prop_assert!(cost >= best);
                prop_assert!(!config.lossless || cost == best, "nothing is lost");
            }
            // Every region that a move leads to has a path.
            for state in states(&space).filter(|&state| cover.region(state) == Some(region)) {
                space.for_each_successor(state, |next, _| {
                    let other = cover.region(next).unwrap();
                    assert!(other == region || cover.neighbours(region).contains(&other));
                });
            }
        }
    }

    /// A trail leads from the one region to the other, over a cheapest chain of paths.
    #[test]
    fn trails_are_cheapest_chains(space in maps(24), config in configs()) {
        let cover = CoverDatabase::build(&space, config).unwrap();
        let (all, count) = (RegionId::first(cover.regions()), cover.regions() as usize);
        let leg = |from, to| climb(&space, from, to, u64::MAX, config.ties).cost;
        let mut distances = vec![vec![Cost::MAX / 4; count]; count];
        for (region, row) in all.clone().zip(&mut distances) {
            row[region.index()] = 0;
            for (place, &to) in cover.neighbours(region).iter().enumerate() {
                let path = cover.path(region, place);
                row[to.index()] = path.windows(2).map(|pair| leg(pair[0], pair[1])).sum();
            }
        }
        // Floyd and Warshall.
        for over in 0..count {
            for from in 0..count {
                for to in 0..count {
                    distances[from][to] = distances[from][to].min(distances[from][over] + distances[over][to]);
                }
            }
        }
        for from in all.clone() {
            for goal in all.clone() {
                let mut trail = cover.trail(from, goal);
                let mut cost = 0;
                let mut at = trail.at();
                let mut places = vec![trail.place()];
                while let Some(next) = cover.next_stop(&mut trail) {
                    cost += leg(at, next);
                    at = next;
                    prop_assert_eq!(cover.trail_at(trail.place()), Some(trail));
                    prop_assert!(!places.contains(&trail.place()));
                    places.push(trail.place());
                }
                let is_open = space.components().same(space.cell(cover.representative(from)), space.cell(cover.representative(goal)));
                prop_assert_eq!(trail.is_over(), is_open);
                if is_open {
                    prop_assert_eq!((at, cost), (cover.representative(goal), distances[from.index()][goal.index()]));
                }
            }
        }
    }
}

#[test]
fn a_file_opens_as_it_was_built_and_only_on_its_map() {
    let space = rooms();
    for partition in [Partition::Climbs { cutoff: 6 }, Partition::Sectors { side: 4 }] {
        let built = CoverDatabase::build(&space, config(partition)).unwrap();
        let bytes = built.as_bytes().to_vec();
        let opened = CoverDatabase::from_bytes(&space, bytes.clone()).unwrap();
        assert_eq!((opened.config(), opened.states()), (built.config(), built.states()));
        let info = CoverDatabase::inspect(&bytes).unwrap();
        assert_eq!(
            (info.regions, info.links, info.pairs),
            (built.regions(), built.links().into(), built.pairs())
        );
        assert_eq!((info.states, info.bytes), (built.path_states(), bytes.len() as u64));
        let mut other = space.clone();
        other.set(Cell::new(0, 0), false);
        assert!(matches!(CoverDatabase::from_bytes(&other, bytes), Err(DatabaseError::OtherWorld { .. })));
    }
}

#[test]
fn damaged_files_are_refused() {
    let space = rooms();
    for partition in [Partition::Climbs { cutoff: 6 }, Partition::Sectors { side: 4 }] {
        let built = CoverDatabase::build(&space, config(partition)).unwrap();
        let bytes = built.as_bytes();
        for length in 0..bytes.len() {
            assert!(CoverDatabase::from_bytes(&space, bytes[..length].to_vec()).is_err());
        }
        // Behind a proper checksum: refused, or of use all the same, and then every trail ends where it
        // should.
        let (mut accepted, mut refused) = (0, 0);
        for place in 0..bytes.len() - codec::TAIL {
            for flip in [1_u8, 2, 4, 0x10, 0x80] {
                let bytes = with_changed_body(bytes, |body| {
                    if let Some(byte) = body.get_mut(place) {
                        *byte ^= flip;
                    }
                });
                let Ok(opened) = CoverDatabase::from_bytes(&space, bytes) else {
                    refused += 1;
                    continue;
                };
                accepted += 1;
                for from in RegionId::first(opened.regions()) {
                    for goal in RegionId::first(opened.regions()) {
                        let mut trail = opened.trail(from, goal);
                        while opened.next_stop(&mut trail).is_some() {}
                    }
                }
            }
        }
        assert!(accepted > 10 && refused > 100, "{accepted} {refused}");
    }
}

#[test]
fn broken_promises_are_found() {
    let space = rooms();
    let built = CoverDatabase::build(&space, config(Partition::Climbs { cutoff: 6 })).unwrap();
    assert_eq!(built.verify(&space), Ok(()));
    // The regions of one cutoff under the name of another.
    let renamed = CoverDatabase { config: config(Partition::Climbs { cutoff: 2 }), ..built.clone() };
    assert!(matches!(renamed.verify(&space), Err(CoverFault::Leg { .. })));
    let renamed = CoverDatabase { config: config(Partition::Climbs { cutoff: 40 }), ..built.clone() };
    assert_eq!(renamed.verify(&space), Err(CoverFault::Regions));
    // Other links, other chains.
    let mut other = built.clone();
    let (from, goal) = RegionId::first(built.regions())
        .flat_map(|from| RegionId::first(built.regions()).map(move |goal| (from, goal)))
        .find(|&(from, goal)| built.neighbours(from).len() > 1 && built.next_link(from, goal).is_some())
        .unwrap();
    let table = built.table.clone();
    let region = &built.regions[from.index()];
    let bit = region.row + region.component.place(goal) as u64 * u64::from(region.width);
    let mut bytes = built.as_bytes().to_vec();
    bytes[table.start + (bit / 8) as usize] ^= 1 << (bit % 8);
    other.bytes = Arc::new(bytes);
    assert!(matches!(other.verify(&space), Err(CoverFault::Chain { .. })));
}

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_builds_the_same_bytes() {
    use surefoot::space::{CostModel, Grid, MoveRule};
    let grid = Grid::from_fn(90, 70, |cell| (cell.x * 7 + cell.y * 13) % 11 > 1 || cell.y % 9 == 4).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    for partition in [Partition::Climbs { cutoff: 20 }, Partition::Sectors { side: 12 }] {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| CoverDatabase::build(&space, config(partition)).unwrap().as_bytes().to_vec())
        };
        let one = with(1);
        assert!((2..5).all(|threads| with(threads) == one));
    }
}
