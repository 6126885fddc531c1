mod answers;
#[cfg(feature = "std")]
mod files;
mod links;
mod shared;
mod walks;

use proptest::prelude::*;

use super::*;
use crate::space::StateSpace;

/// What all moves of a walk cost together; `None` if one of them is illegal.
fn cost_of(map: &Map, cells: &[Cell]) -> Option<PathCost> {
    let space = map.space();
    let mut total = 0;
    for pair in cells.windows(2) {
        let (from, to) = space.locate_ends(pair[0], pair[1]).ok()?;
        let mut cost = None;
        space.for_each_successor(from, |state, step| cost = cost.or((state == to).then_some(step)));
        total += cost?;
    }
    Some(space.path_cost(total))
}

/// Walks to the end: the cells, the first included.
fn walk(walker: &mut Walker) -> Result<Vec<Cell>, NoWay> {
    let mut cells = Vec::from([walker.position()]);
    while let Some(cell) = walker.next_move()? {
        assert_eq!(walker.position(), cell);
        cells.push(cell);
        assert!(cells.len() < 10_000, "the walk does not end");
    }
    Ok(cells)
}

/// What a cheapest path costs, by Dijkstra's algorithm.
fn cheapest(map: &Map, start: Cell, goal: Cell) -> Option<PathCost> {
    let space = map.space();
    let (from, to) = space.locate_ends(start, goal).unwrap();
    let answer = crate::search::Dijkstra::new().find(space, from, to).unwrap();
    answer.cost().map(|cost| space.path_cost(cost))
}

/// A free cell of a map, by some number; `None` if it has none.
fn free_cell(map: &Map, number: usize) -> Option<Cell> {
    let count = map.space().grid().free_count() as usize;
    (count > 0).then(|| map.space().grid().free_cells().nth(number % count)).flatten()
}

/// Maps of all rules and costs, half of them with weights.
fn maps() -> impl Strategy<Value = Map> {
    (crate::test_maps::maps(20), any::<bool>(), prop::collection::vec(1_u8..6, 400)).prop_map(
        |(space, is_weighted, weights)| {
            let map = Map::from(space);
            let weight = |cell: Cell| weights[(cell.y * 20 + cell.x) as usize];
            let weights = crate::space::CellWeights::from_fn(map.width(), map.height(), weight).unwrap();
            if is_weighted { map.with_weights(weights).unwrap() } else { map }
        },
    )
}

/// Everything that a navigator says of two cells is true, and its walker gets there.
fn check(nav: &Navigator, start: Cell, goal: Cell) -> Result<(), TestCaseError> {
    let map = nav.map();
    let expected = cheapest(map, start, goal);
    let (path, cost) = (nav.path(start, goal).unwrap(), nav.cost(start, goal).unwrap());
    prop_assert_eq!(nav.reachable(start, goal).unwrap(), expected.is_some());
    prop_assert_eq!(path.as_ref().map(Path::cost), cost);
    prop_assert_eq!(&nav.costs(start, [goal]).unwrap(), &Vec::from([cost]));
    prop_assert_eq!(nav.nearest_of(start, [goal]).unwrap(), cost.map(|cost| (0, cost)));
    let mut walker = nav.walker(start, goal).unwrap();
    prop_assert_eq!(walker.cost_left(), cost);
    let walked = walk(&mut walker);
    let Some(expected) = expected else {
        prop_assert_eq!((cost, walked), (None, Err(NoWay { from: start, goal })));
        return Ok(());
    };
    let (path, walked) = (path.unwrap(), walked.unwrap());
    for cells in [path.cells(), &walked] {
        prop_assert_eq!((cells.first(), cells.last()), (Some(&start), Some(&goal)));
    }
    let costs = [cost, cost_of(map, path.cells()), cost_of(map, &walked)];
    prop_assert_eq!(costs[0], costs[1]);
    if nav.is_exact() {
        prop_assert_eq!(costs, [Some(expected); 3]);
    } else {
        prop_assert!(costs.iter().all(|cost| cost.is_some_and(|cost| cost >= expected)));
    }
    Ok(())
}
