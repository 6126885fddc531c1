use super::super::{BeaconConfig, BeaconDatabase};
use super::*;
use crate::search::climb;
use crate::space::{CostModel, DirectionSet, Grid, MoveRule};
use crate::test_maps::states;

fn climbs(space: &GridSpace, database: &BeaconDatabase, from: State, to: State) -> bool {
    climb(space, from, to, u64::MAX, database.config.ties).end == to
}

impl BeaconDatabase {
    /// Makes sure that every state has a beacon, all legs can be walked, and the trunk is as connected as the map.
    pub(crate) fn check_repaired(&self, space: &GridSpace) {
        let database = self;
        for state in states(space).filter(|&state| space.moves(state) != DirectionSet::NONE) {
            let beacon = database.beacon(state).unwrap_or_else(|| panic!("{state:?} has no beacon"));
            assert!(database.is_alive(beacon), "{state:?} has a dead beacon");
            let middle = database.state(beacon);
            assert!(
                climbs(space, database, state, middle) && climbs(space, database, middle, state),
                "{state:?}"
            );
            assert!(database.root(beacon, &[]).is_some(), "{state:?} is not hung on the trunk");
        }
        let leg_holds = |from: u32, to: u32| {
            let mut at = database.state(from);
            let mut next = database.detour(from, to).unwrap_or(to);
            for _ in 0..space.state_limit() {
                assert!(climbs(space, database, at, database.state(next)), "{from} {to}");
                if next == to {
                    return;
                }
                at = database.state(next);
                next = database.after(next).expect("a waypoint");
            }
            panic!("the leg from {from} to {to} has no end");
        };
        for beacon in database.on(|_| true) {
            let state = database.state(beacon);
            assert!(space.contains(state) && space.moves(state) != DirectionSet::NONE);
            for leg in database.legs(beacon) {
                assert!(database.is_alive(leg.to()));
                leg_holds(beacon, leg.to());
            }
            if let Some(out) = database.out(beacon) {
                leg_holds(beacon, out.to);
                leg_holds(out.to, beacon);
            }
        }
        let trunk: Vec<u32> = database.trunk().filter(|&beacon| database.is_alive(beacon)).collect();
        for &from in &trunk {
            for &to in &trunk {
                let cells = [from, to].map(|beacon| space.cell(database.state(beacon)));
                let cost = database.cost(from, to);
                assert_eq!(cost.is_some(), space.components().same(cells[0], cells[1]), "{from} {to}");
                if let Some(cost) = cost.filter(|_| from != to) {
                    let (leg, _) = database.next_leg(from, to, || {}).expect("a way begins with a leg");
                    assert!(database.cost(leg.to(), to).is_some_and(|rest| rest < cost), "{from} {to}");
                }
            }
        }
    }
}

#[test]
fn labels_that_are_made_in_pieces_are_those_that_are_made_at_once() {
    let is_free = |cell: Cell| (cell.x * 7 + cell.y * 5) % 11 > 1;
    let space = GridSpace::new(Grid::from_fn(40, 40, is_free).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let database = BeaconDatabase::build(&space, BeaconConfig::default()).unwrap();
    let legs: Vec<Vec<_>> =
        database.trunk().map(|beacon| database.legs_with_costs(beacon).collect()).collect();
    assert!(legs.len() > 20);
    let mut labelling = Labelling::new(legs.clone());
    let mut steps = 0;
    while labelling.step().is_some() {
        steps += 1;
    }
    assert_eq!(labelling.steps(), steps);
    assert_eq!(labelling.finish(), (super::super::hubs::hub_labels(&legs), legs));
}

#[test]
fn beacons_of_another_map_are_refused() {
    let space = GridSpace::new(Grid::from_fn(9, 9, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let other = GridSpace::new(Grid::from_fn(9, 8, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let mut database = BeaconDatabase::build(&space, BeaconConfig::default()).unwrap();
    assert!(matches!(database.repair(&other, []), Err(DatabaseError::OtherWorld { .. })));
}
