use super::twigs::MOST_TWIGS;
use super::*;
use crate::codec;
use crate::database::container::{DatabaseError, with_changed_body};
use crate::search::{AStar, Dijkstra, Ties, climb, climb_step};
use crate::space::{CostModel, DirectionSet, Grid, GridSpace, MoveRule, StateSpace};
use crate::test_maps::{maps, problems, rooms, states};
use alloc::vec;
use proptest::prelude::*;

fn configs() -> impl Strategy<Value = BeaconConfig> {
    (1_u32..40, 0_u32..60, 0_u32..500, any::<bool>()).prop_map(|(cutoff, problems, slack, far)| {
        BeaconConfig {
            cutoff: Some(cutoff),
            problems: Some(problems),
            slack,
            seed: 3,
            ties: if far { Ties::Far } else { Ties::Near },
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Every state has a beacon; climbs lead there and back, and visit no state twice.
    #[test]
    fn every_state_has_a_beacon(space in maps(32), config in configs()) {
        let beacons = BeaconDatabase::build(&space, config).unwrap();
        let cutoff = u64::from(config.cutoff_for(&space));
        for state in states(&space) {
            if space.moves(state) == DirectionSet::NONE {
                prop_assert_eq!(beacons.beacon(state), None, "nothing leads from here");
                continue;
            }
            let beacon = beacons.state(beacons.beacon(state).expect("every other state has one"));
            for (from, to) in [(state, beacon), (beacon, state)] {
                let mut walk = vec![from];
                while walk.last() != Some(&to) {
                    let (next, _) = climb_step(&space, walk[walk.len() - 1], to, config.ties).expect("it goes on");
                    walk.push(next);
                }
                prop_assert!(walk.len() as u64 <= cutoff + 1);
                let length = walk.len();
                walk.sort_unstable();
                walk.dedup();
                prop_assert_eq!(walk.len(), length, "no state comes twice");
            }
        }
        prop_assert_eq!(beacons.verify(&space), Ok(()));
    }

    /// Legs lead both ways, twigs to the trunk, and hub labels have what the cheapest ways over the legs cost.
    #[test]
    fn costs_are_those_of_cheapest_ways_over_the_legs(space in maps(32), config in configs()) {
        let beacons = BeaconDatabase::build(&space, config).unwrap();
        let trunk = beacons.trunk().len();
        let mut costs = vec![vec![Cost::MAX / 4; trunk]; trunk];
        let mut dijkstra = Dijkstra::new();
        for beacon in beacons.trunk().chain(beacons.twigs()) {
            for leg in beacons.legs(beacon) {
                let ends = (beacons.state(beacon), beacons.state(leg.to()));
                let (there, back) = (
                    climb(&space, ends.0, ends.1, u64::MAX, config.ties),
                    climb(&space, ends.1, ends.0, u64::MAX, config.ties),
                );
                prop_assert_eq!((there.end, back.end, there.cost), (ends.1, ends.0, back.cost));
                prop_assert_eq!(beacons.leg_cost(beacon, leg.to()), beacons.in_units(there.cost));
                if (beacon as usize) < trunk {
                    costs[beacon as usize][leg.to() as usize] = there.cost;
                    prop_assert!(beacons.legs(leg.to()).iter().any(|back| back.to() == beacon));
                }
            }
            let chain = core::iter::successors(Some(beacon), |&at| beacons.out(at).map(|out| out.to));
            prop_assert!(chain.count() <= MOST_TWIGS + 1);
        }
        // Floyd and Warshall.
        for over in 0..trunk {
            costs[over][over] = 0;
            for from in 0..trunk {
                for to in 0..trunk {
                    costs[from][to] = costs[from][to].min(costs[from][over] + costs[over][to]);
                }
            }
        }
        for (from, row) in (0..).zip(&costs) {
            let field = dijkstra.field(&space, beacons.state(from)).unwrap();
            let from_all = beacons.costs_to(from);
            for (to, &expected) in (0..).zip(row) {
                prop_assert_eq!(from_all.from(to), beacons.cost(to, from));
                let distance = field.distance(beacons.state(to));
                let Some(cost) = beacons.cost(from, to) else {
                    prop_assert_eq!(distance, None, "the trunk is as connected as the map");
                    continue;
                };
                prop_assert!(distance.is_some_and(|distance| distance <= expected));
                let exact = beacons.in_units(expected);
                prop_assert!((exact..exact + 2).contains(&cost), "{} {}", cost, exact);
            }
        }
    }
}

proptest! {
    // It takes many to meet with a path that comes to a beacon once more.
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// From bend to bend there are legs that cost together what the path does, and no bend comes twice in a row.
    #[test]
    fn bends_are_legs_apart((space, start, goal) in problems(), every in 1_usize..9, span in 1_u32..40) {
        prop_assume!(start != goal);
        let mut web = web::Web::new(&space, Ties::Far, span);
        web.add(states(&space).step_by(every));
        let path = AStar::new().find(&space, &space, start, goal).unwrap().path.unwrap();
        let bends = web.bends(&path);
        let stops: Vec<State> = [start].into_iter().chain(bends).chain([goal]).collect();
        let mut cost = 0;
        for ends in stops.windows(2) {
            prop_assert_ne!(ends[0], ends[1]);
            cost += web.leg(ends[0], ends[1]).expect("a leg leads there");
        }
        prop_assert_eq!(cost, path.cost);
    }
}

fn config() -> BeaconConfig {
    BeaconConfig { cutoff: Some(4), problems: Some(40), slack: 0, ..BeaconConfig::default() }
}

#[test]
fn a_file_comes_back_as_it_was() {
    let space = rooms();
    let built = BeaconDatabase::build(&space, config()).unwrap();
    let opened = BeaconDatabase::from_bytes(&space, built.as_bytes().to_vec()).unwrap();
    assert_eq!(opened.config(), &config());
    assert_eq!(
        (opened.regions(), opened.beacons(), opened.trunk(), opened.states()),
        (built.regions(), built.beacons(), built.trunk(), built.states())
    );
    let info = BeaconDatabase::inspect(built.as_bytes().to_vec()).unwrap();
    assert_eq!((info.trunk + info.twigs, info.regions), (built.beacons(), built.regions()));
    assert_eq!(info.bytes, built.as_bytes().len() as u64);
}

#[test]
fn other_maps_and_other_contents_are_refused() {
    let space = rooms();
    let built = BeaconDatabase::build(&space, config()).unwrap();
    let mut edited = rooms();
    edited.set(crate::space::Cell::new(0, 0), false);
    let refused = BeaconDatabase::from_bytes(&edited, built.as_bytes().to_vec());
    assert!(matches!(refused, Err(DatabaseError::OtherWorld { .. })));
    let cut = built.as_bytes()[..built.as_bytes().len() - 1].to_vec();
    assert!(matches!(BeaconDatabase::from_bytes(&space, cut), Err(DatabaseError::Codec(_))));
}

/// Changed bytes behind a proper checksum are refused, or give beacons that break nothing.
#[test]
fn changed_bytes_are_refused_or_harmless() {
    let space = rooms();
    let built = BeaconDatabase::build(&space, config()).unwrap();
    let body = built.as_bytes().len() - codec::TAIL - 13;
    let mut refused = 0;
    for at in 0..body {
        for change in [1_u8, 0x80, 0xff] {
            let bytes = with_changed_body(built.as_bytes(), |body| {
                if let Some(byte) = body.get_mut(at) {
                    *byte ^= change;
                }
            });
            match BeaconDatabase::from_bytes(&space, bytes) {
                Err(_) => refused += 1,
                Ok(opened) => {
                    for state in states(&space) {
                        assert!(
                            opened.beacon(state).is_none_or(|beacon| space.contains(opened.state(beacon)))
                        );
                    }
                }
            }
        }
    }
    assert!(refused > body);
}

#[test]
fn an_empty_map_has_no_beacons() {
    let space = GridSpace::new(Grid::from_fn(5, 4, |_| false).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let built = BeaconDatabase::build(&space, BeaconConfig::default()).unwrap();
    assert_eq!((built.regions(), built.beacons()), (0, 0));
    assert_eq!(built.verify(&space), Ok(()));
}
