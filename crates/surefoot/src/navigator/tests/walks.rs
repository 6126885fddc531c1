//! Walkers, and maps that change under them.

use core::task::Poll;

use super::*;
use crate::space::CellWeights;

const ART: &str = "
.........
.#######.
.........
";

fn nav() -> Navigator {
    Map::from_art(ART).unwrap().navigator().unwrap()
}

#[test]
fn a_walker_arrives_and_stays() {
    let nav = nav();
    let mut walker = nav.walker((1, 0), (1, 2)).unwrap();
    assert_eq!((walker.goal(), walker.has_arrived()), (Cell::new(1, 2), false));
    assert_eq!(walker.next_move(), Ok(Some(Cell::new(0, 0))));
    assert!(walker.work().total() > 0 && walker.work().is_within(&nav.work_bound()));
    assert_eq!(walker.cost_left().unwrap().to_f64(), 3.0);
    walk(&mut walker).unwrap();
    assert!(walker.has_arrived());
    assert_eq!((walker.next_move(), walker.next_move()), (Ok(None), Ok(None)));
    walker.set_goal((8, 0)).unwrap();
    assert_eq!(walk(&mut walker).unwrap().last(), Some(&Cell::new(8, 0)));
    assert!(walker.set_goal((1, 1)).is_err() && walker.set_goal((9, 0)).is_err());
    assert_eq!(walker.goal(), Cell::new(8, 0));
}

#[test]
fn a_move_can_be_planned_in_pieces() {
    // On ground with weights a decision takes more than one call.
    let weights = CellWeights::from_fn(80, 80, |cell| 1 + (cell.x * 7 + cell.y * 13) as u8 % 9).unwrap();
    let map = Map::from_fn(80, 80, |_| true).unwrap().with_weights(weights).unwrap();
    let nav = map.navigator().unwrap();
    let mut walkers = [(); 2].map(|()| nav.walker((0, 0), (79, 79)).unwrap());
    let mut pending = 0;
    let polled = loop {
        let polled = walkers[0].poll_move();
        assert!(walkers[0].work().is_within(&nav.work_bound()));
        match polled {
            Poll::Pending => pending += 1,
            Poll::Ready(answer) => break answer,
        }
    };
    assert!(pending > 0);
    assert_eq!(walkers[1].next_move(), polled);
    assert_eq!(walk(&mut walkers[0]), walk(&mut walkers[1]));
}

#[test]
fn a_walker_knows_of_an_edit_once_it_follows() {
    let mut nav = nav();
    let before = nav.clone();
    let (mut told, mut untold) = (nav.walker((1, 0), (1, 2)).unwrap(), nav.walker((1, 0), (1, 2)).unwrap());
    assert_eq!(told.next_move(), Ok(Some(Cell::new(0, 0))));
    nav.edit([Edit::block((0, 1))]).unwrap();
    told.follow(&nav).unwrap();
    told.follow(&nav).unwrap();
    let walked = walk(&mut told).unwrap();
    assert_eq!(cost_of(nav.map(), &walked), nav.cost((0, 0), (1, 2)).unwrap());
    assert_eq!(cost_of(before.map(), &walk(&mut untold).unwrap()), before.cost((1, 0), (1, 2)).unwrap());
    assert!(before.map().is_free((0, 1)) && !nav.map().is_free((0, 1)));
}

#[test]
fn a_walker_that_is_cut_off_says_so_until_it_has_a_way() {
    let mut nav = nav();
    let mut walker = nav.walker((1, 0), (1, 2)).unwrap();
    nav.edit([Edit::block((0, 1)), Edit::block((8, 1))]).unwrap();
    walker.follow(&nav).unwrap();
    let no_way = NoWay { from: Cell::new(1, 0), goal: Cell::new(1, 2) };
    assert_eq!((walker.next_move(), walker.cost_left()), (Err(no_way), None));
    // It stands in a wall, or its goal does.
    for wall in [(1, 0), (1, 2)] {
        nav.edit([Edit::block(wall)]).unwrap();
        walker.follow(&nav).unwrap();
        assert_eq!((walker.next_move(), walker.cost_left()), (Err(no_way), None));
        nav.edit([Edit::free(wall)]).unwrap();
    }
    nav.edit([Edit::free((4, 1))]).unwrap();
    walker.follow(&nav).unwrap();
    assert_eq!(walk(&mut walker).unwrap().last(), Some(&Cell::new(1, 2)));
}

#[test]
fn a_walker_goes_on_in_another_map_if_it_has_a_place_there() {
    let mut walker = nav().walker((8, 0), (0, 2)).unwrap();
    let wide = Map::from_fn(20, 20, |_| true).unwrap().navigator().unwrap();
    let small = Map::from_fn(3, 3, |_| true).unwrap().navigator().unwrap();
    assert!(walker.follow(&small).is_err());
    assert_eq!(walker.position(), Cell::new(8, 0));
    walker.follow(&wide).unwrap();
    assert_eq!(walk(&mut walker).unwrap().len(), 9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn walkers_that_follow_edits_go_on_legally(
        map in maps(),
        ends in (any::<usize>(), any::<usize>()),
        edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..12),
    ) {
        let ends = [ends.0, ends.1].map(|number| free_cell(&map, number));
        let [Some(start), Some(goal)] = ends else { return Ok(()) };
        let mut nav = map.navigator().unwrap();
        let mut walker = nav.walker(start, goal).unwrap();
        for (at, free) in edits {
            let cell = (at % map.width(), at / map.width() % map.height());
            nav.edit([if free { Edit::free(cell) } else { Edit::block(cell) }]).unwrap();
            walker.follow(&nav).unwrap();
            let before = walker.position();
            match walker.next_move() {
                Ok(Some(cell)) => prop_assert!(cost_of(nav.map(), &[before, cell]).is_some()),
                Ok(None) => prop_assert_eq!(before, goal),
                Err(NoWay { from, .. }) => {
                    prop_assert_eq!(from, before);
                    prop_assert!(!nav.reachable(from, goal).is_ok_and(|is_open| is_open));
                }
            }
        }
        let here = walker.position();
        if nav.reachable(here, goal).is_ok_and(|is_open| is_open) {
            let walked = walk(&mut walker).unwrap();
            prop_assert_eq!(walked.last(), Some(&goal));
            let cost = cost_of(nav.map(), &walked);
            prop_assert!(cost.is_some());
            if nav.is_exact() {
                prop_assert_eq!(cost, cheapest(nav.map(), here, goal));
            }
        }
    }
}
