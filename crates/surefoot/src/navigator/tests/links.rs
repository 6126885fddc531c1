//! Navigators of maps with links.

use core::task::Poll;

use alloc::vec::Vec;

use crate::search::Dijkstra;
use crate::space::{Cell, Cost, GridSpace, Link, LinkedSpace, Links, State, StateSpace as _};
use crate::store::draws::Draws;
use crate::test_maps::{linked_maps, states};
use crate::{Edit, Map, Navigator};

fn exact(space: &GridSpace, links: &Links, from: State, to: State) -> Option<Cost> {
    let linked = LinkedSpace::new(space, links);
    Dijkstra::new().find(&linked, from, to).unwrap().path.map(|path| path.cost)
}

/// What a way costs, move by move. Each move has to be there.
fn cost_of(space: &GridSpace, links: &Links, cells: &[Cell]) -> Cost {
    let linked = LinkedSpace::new(space, links);
    let cost = |ends: &[Cell]| {
        let mut least = None;
        linked.for_each_successor(space.state(ends[0]), |state, cost| {
            if state == space.state(ends[1]) {
                least = Some(least.map_or(cost, |least: Cost| least.min(cost)));
            }
        });
        least.expect("this move is legal")
    };
    cells.windows(2).map(cost).sum()
}

/// The cells of a walk, and whether each move kept to the bound.
fn walk(navigator: &Navigator, from: Cell, to: Cell) -> Vec<Cell> {
    let mut walker = navigator.walker(from, to).unwrap();
    let mut cells = Vec::from([from]);
    for _ in 0..10_000 {
        let polled = walker.poll_move();
        assert!(walker.work().total() <= navigator.work_bound().total());
        match polled {
            Poll::Pending => {}
            Poll::Ready(Ok(Some(cell))) => cells.push(cell),
            Poll::Ready(Ok(None)) => return cells,
            Poll::Ready(Err(error)) => panic!("{error}"),
        }
    }
    panic!("it walks for ever");
}

#[test]
fn paths_and_walks_over_links_are_cheapest() {
    let mut over_links = 0;
    for (number, (space, links)) in (0..).zip(linked_maps(240, 77)) {
        let map = Map::from(space.clone()).with_links(links.as_slice().iter().copied()).unwrap();
        let nav = map.navigator().unwrap();
        let all: Vec<State> = states(&space).collect();
        let mut draws = Draws::new(4, number);
        let some: Vec<Cell> =
            (0..5).map(|_| space.cell(all[draws.below(all.len() as u64) as usize])).collect();
        let costs = nav.costs(some[0], some.iter().copied()).unwrap();
        let best = costs.iter().enumerate().skip(1).filter_map(|(at, cost)| Some(((*cost)?, at)));
        let best = best.min_by(|a, b| a.0.partial_cmp(&b.0).unwrap().then(a.1.cmp(&b.1)));
        let nearest = nav.nearest_of(some[0], some[1..].iter().copied()).unwrap();
        assert_eq!(nearest.map(|(place, _)| place + 1), best.map(|(_, place)| place));
        for (&to, cost) in some.iter().zip(costs) {
            let (from, to) = (some[0], to);
            let cheapest = exact(&space, &links, space.state(from), space.state(to));
            assert_eq!(nav.cost(from, to).unwrap(), cost);
            assert_eq!(nav.reachable(from, to).unwrap(), cheapest.is_some());
            let path = nav.path(from, to).unwrap();
            assert_eq!(path.is_some(), cheapest.is_some());
            let Some((path, cheapest)) = path.zip(cheapest) else {
                assert!(nav.walker(from, to).unwrap().next_move().is_err());
                continue;
            };
            let walked = walk(&nav, from, to);
            over_links += u32::from(!path.jumps().is_empty());
            assert_eq!(path.cells().last(), Some(&to));
            assert_eq!(walked.last(), Some(&to));
            let [of_path, of_walk] = [path.cells(), &walked].map(|cells| cost_of(&space, &links, cells));
            assert_eq!(space.path_cost(of_path), path.cost());
            if nav.is_exact() {
                assert_eq!((of_path, of_walk, cost), (cheapest, cheapest, Some(space.path_cost(cheapest))));
            } else {
                assert!(of_path >= cheapest && of_walk >= cheapest);
                assert!(of_path <= 2 * cheapest && of_walk <= 2 * cheapest, "{of_path} {of_walk} {cheapest}");
            }
        }
    }
    assert!(over_links > 80, "{over_links}");
}

#[test]
fn walkers_see_that_a_link_was_closed_or_opened() {
    let map = Map::from_art("..........\n########.#\n..........").unwrap();
    let map = map.with_links([Link::new((1, 0), (1, 2)).costing(2)]).unwrap();
    let mut nav = map.navigator().unwrap();
    assert_eq!(nav.cost((0, 0), (2, 2)).unwrap().unwrap().to_f64(), 4.0);
    let mut walker = nav.walker((0, 0), (2, 2)).unwrap();
    assert_eq!(walker.next_move(), Ok(Some(Cell::new(1, 0))));
    nav.edit([Edit::block((1, 2))]).unwrap();
    walker.follow(&nav).unwrap();
    let mut moves = 0;
    while let Some(cell) = walker.next_move().unwrap() {
        assert_ne!(cell, Cell::new(1, 2));
        moves += 1;
        if moves == 2 {
            // It is on its way round when the link opens again.
            nav.edit([Edit::free((1, 2))]).unwrap();
            walker.follow(&nav).unwrap();
            break;
        }
    }
    assert_eq!(walker.position(), Cell::new(3, 0));
    let mut cells = Vec::new();
    while let Some(cell) = walker.next_move().unwrap() {
        cells.push(cell);
    }
    assert_eq!(cells, [(2, 0), (1, 0), (1, 2), (2, 2)].map(Cell::from));
    // And back there is only the long way.
    assert_eq!(nav.path((2, 2), (0, 0)).unwrap().unwrap().jumps(), []);
    nav.edit([Edit::block((8, 1))]).unwrap();
    assert!(!nav.reachable((2, 2), (0, 0)).unwrap() && nav.reachable((0, 0), (2, 2)).unwrap());
    walker.follow(&nav).unwrap();
    walker.set_goal((0, 0)).unwrap();
    assert!(walker.next_move().is_err());
}

#[test]
fn links_stay_when_rule_costs_or_weights_change() {
    let map = Map::from_art("..#..").unwrap().with_links([Link::new((1, 0), (3, 0))]).unwrap();
    let map = map.with_rule(crate::space::MoveRule::Cardinal).with_costs(crate::space::CostModel::Diagonal14);
    let weights = crate::space::CellWeights::new(5, 1, [3; 5].to_vec()).unwrap();
    let nav = map.with_weights(weights).unwrap().navigator().unwrap();
    assert_eq!(nav.map().links().len(), 1);
    assert_eq!(nav.path((0, 0), (4, 0)).unwrap().unwrap().cost().to_f64(), 3.0 + 1.0 + 3.0);
}
