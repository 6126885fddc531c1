//! Paths, costs, and what is refused.

use alloc::string::ToString;
use core::ops::ControlFlow;

use super::*;
use crate::space::{CellWeights, Link};

const ART: &str = "
......#..
.####.#..
......#..
";

fn nav() -> Navigator {
    Map::from_art(ART).unwrap().navigator().unwrap()
}

#[test]
fn a_path_has_cells_a_cost_and_turning_points() {
    let path = nav().path((1, 0), Cell::new(2, 2)).unwrap().unwrap();
    let cells = [(1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2)].map(Cell::from);
    assert_eq!(path.cells(), cells);
    assert_eq!((&path).into_iter().count(), 6);
    assert_eq!((path.moves(), path.cost().to_f64()), (5, 5.0));
    assert_eq!(path.turning_points(), [(1, 0), (0, 0), (0, 2), (2, 2)].map(Cell::from));
    assert_eq!(path.cost().to_string(), "5");
    assert_eq!(path.into_cells(), cells);
    let still = nav().path((1, 0), (1, 0)).unwrap().unwrap();
    assert_eq!((still.moves(), still.turning_points().len()), (0, 1));
    assert!(still.cost().is_zero());
}

/// By beacons, by transit nodes, and over a link.
#[test]
fn where_a_path_turns_is_told_without_its_cells() {
    let plain = Map::from_art(ART).unwrap();
    let weights = CellWeights::from_fn(9, 3, |_| 1).unwrap();
    let weighted = plain.clone().with_weights(weights).unwrap();
    let linked = plain.clone().with_links([Link::new((2, 2), (8, 0)).costing(1)]).unwrap();
    let mut points = Vec::new();
    for (map, is_open) in [(plain, false), (weighted, false), (linked, true)] {
        let nav = map.navigator().unwrap();
        for goal in [(2, 2), (1, 0), (5, 0), (8, 2)] {
            let path = nav.path((1, 0), goal).unwrap();
            let cost = nav.turning_points((1, 0), goal, &mut points).unwrap();
            assert_eq!(cost, path.as_ref().map(Path::cost));
            assert_eq!(points, path.map_or_else(Vec::new, |path| path.turning_points()));
        }
        assert_eq!(points.is_empty(), !is_open);
        let error = nav.turning_points((1, 1), (0, 0), &mut points).unwrap_err();
        assert_eq!(error, nav.path((1, 1), (0, 0)).unwrap_err());
    }
}

#[test]
fn where_there_is_no_way_there_is_none() {
    let nav = nav();
    assert_eq!(nav.path((0, 0), (8, 0)), Ok(None));
    assert_eq!(nav.cost((0, 0), (8, 0)), Ok(None));
    assert_eq!(nav.reachable((0, 0), (8, 0)), Ok(false));
    assert_eq!(nav.nearest_of((0, 0), [(8, 0), (7, 2)]), Ok(None));
    assert_eq!(nav.nearest_of((0, 0), Vec::<Cell>::new()), Ok(None));
    let costs = nav.costs((7, 0), [(0, 0), (7, 2)]).unwrap();
    assert_eq!(costs.iter().map(|cost| cost.map(PathCost::to_f64)).collect::<Vec<_>>(), [None, Some(2.0)]);
}

#[test]
fn the_nearest_goal_is_the_first_of_those_that_cost_least() {
    let (place, cost) = nav().nearest_of((1, 0), [(1, 2), (8, 0), (3, 0), (3, 0)]).unwrap().unwrap();
    assert_eq!((place, cost.to_f64()), (2, 2.0));
}

#[test]
fn a_wrong_cell_is_an_error_and_says_which() {
    let nav = nav();
    let errors = [
        nav.path((9, 0), (0, 0)).unwrap_err(),
        nav.cost((0, 0), (1, 1)).unwrap_err(),
        nav.reachable((1, 1), (0, 0)).unwrap_err(),
        nav.costs((0, 0), [(0, 0), (0, 3)]).unwrap_err(),
        nav.nearest_of((6, 0), [(0, 0)]).unwrap_err(),
        nav.walker((0, 0), (u32::MAX, 0)).unwrap_err(),
        nav.map().check((6, 1)).unwrap_err(),
    ];
    let messages = errors.map(|error| error.to_string());
    for (message, expected) in messages.iter().zip([
        "start (9, 0) is outside the map, which is 9 x 3 cells; x is 0 to 8, y is 0 to 2",
        "goal (1, 1) is blocked; choose a passable one",
        "start (1, 1) is blocked; choose a passable one",
        "goal (0, 3) is outside the map, which is 9 x 3 cells; x is 0 to 8, y is 0 to 2",
        "start (6, 0) is blocked; choose a passable one",
        "goal (4294967295, 0) is outside the map, which is 9 x 3 cells; x is 0 to 8, y is 0 to 2",
        "cell (6, 1) is blocked; choose a passable one",
    ]) {
        assert_eq!(message, expected);
    }
}

#[test]
fn a_build_can_be_watched_and_cancelled() {
    let plain = Map::from_art(ART).unwrap();
    let weights = CellWeights::from_fn(9, 3, |cell| 1 + cell.x as u8).unwrap();
    for map in [plain.clone(), plain.with_weights(weights).unwrap()] {
        let mut stages = Vec::new();
        let builder = map.navigator_builder().with_progress(|progress| {
            stages.push(progress);
            ControlFlow::Continue(())
        });
        let nav = builder.build().unwrap();
        assert_eq!(nav.is_exact(), !map.space().is_weighted());
        assert!(!stages.is_empty() && !stages[0].to_string().is_empty());
        for last in 1..=stages.len() {
            let mut heard = 0;
            let watch = |_| {
                heard += 1;
                if heard == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let cancelled = map.navigator_builder().with_progress(watch).build();
            assert!(matches!(cancelled, Err(NavigatorError::Cancelled)), "{last}");
        }
    }
}

#[test]
fn a_map_of_rock_has_a_navigator() {
    let mut nav = Map::from_fn(5, 4, |_| false).unwrap().navigator().unwrap();
    assert!(nav.path((0, 0), (1, 1)).is_err());
    nav.edit((0..5).map(|x| Edit::free((x, 2)))).unwrap();
    assert_eq!(nav.cost((0, 2), (4, 2)).unwrap().unwrap().to_f64(), 4.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn answers_and_walks_are_what_dijkstra_says(map in maps(), from in any::<usize>(), to in any::<usize>()) {
        let (Some(start), Some(goal)) = (free_cell(&map, from), free_cell(&map, to)) else { return Ok(()) };
        let nav = map.navigator().unwrap();
        check(&nav, start, goal)?;
        let read = Navigator::from_bytes(&map, &nav.to_bytes().unwrap()).unwrap();
        prop_assert_eq!(read.path(start, goal).unwrap(), nav.path(start, goal).unwrap());
    }

    #[test]
    fn so_they_are_after_edits(
        map in maps(),
        edits in prop::collection::vec(prop::collection::vec((any::<u32>(), any::<bool>()), 1..8), 1..5),
        ends in prop::collection::vec((any::<usize>(), any::<usize>()), 5),
    ) {
        let mut nav = map.navigator().unwrap();
        for (edits, (from, to)) in edits.into_iter().zip(ends) {
            let cell = |number: u32| (number % map.width(), number / map.width() % map.height());
            let edit = |(at, free)| if free { Edit::free(cell(at)) } else { Edit::block(cell(at)) };
            nav.edit(edits.into_iter().map(edit)).unwrap();
            let ends = [from, to].map(|number| free_cell(nav.map(), number));
            let [Some(start), Some(goal)] = ends else { continue };
            check(&nav, start, goal)?;
            let read = Navigator::from_bytes(nav.map(), &nav.to_bytes().unwrap()).unwrap();
            if nav.is_exact() {
                prop_assert_eq!(read.cost(start, goal).unwrap(), nav.cost(start, goal).unwrap());
            }
        }
    }
}
