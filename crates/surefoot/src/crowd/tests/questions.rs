//! What a crowd tells of ways, and what units are told.

use super::*;
use crate::space::Path;

/// What a crowd says of ways is what Dijkstra's algorithm says, whatever the kind goes by, and whether or not
/// its database is up to date.
#[test]
fn questions_are_answered_exactly() {
    let mut weighted = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    let grid = rooms().grid().clone();
    let (width, height) = (grid.width(), grid.height());
    weighted.weights =
        Some(crate::space::CellWeights::from_fn(width, height, |cell| 1 + (cell.x / 9 % 3) as u8).unwrap());
    let mut learner = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    learner.algorithm = algorithm("lrta*");
    for kind in [Kind::new(MoveRule::Squeeze, CostModel::Diagonal14), weighted, learner] {
        let mut crowd = Crowd::new(grid.clone());
        let kind = crowd.add_kind(kind).unwrap();
        for round in 0..4 {
            let cells: Vec<Cell> = crowd.map().free_cells().collect();
            let space = crowd.space(kind).unwrap();
            let start = cells[(round * 97 + 5) % cells.len()];
            let goals: Vec<Cell> = (0..12).map(|at| cells[(at * 53 + round * 11) % cells.len()]).collect();
            let costs = crowd.costs(kind, start, goals.iter().copied()).unwrap();
            let mut nearest: Option<(usize, crate::space::PathCost)> = None;
            for (place, (&goal, &cost)) in goals.iter().zip(&costs).enumerate() {
                let ends = space.locate_ends(start, goal).unwrap();
                let best = Dijkstra::new().find(space, ends.0, ends.1).unwrap().cost();
                let best = best.map(|best| space.path_cost(best));
                // Transit nodes do not promise a cheapest way, but there is one if they say so.
                if !space.is_weighted() {
                    assert_eq!(cost, best, "{start} to {goal}");
                    assert_eq!(crowd.cost(kind, start, goal), Ok(best));
                }
                assert_eq!(cost.is_some(), best.is_some());
                assert_eq!(crowd.reachable(kind, start, goal), Ok(best.is_some()));
                let path = crowd.path_between(kind, start, goal).unwrap();
                assert_eq!(path.as_ref().map(Path::cost), cost, "{start} to {goal}");
                if let Some(cost) = cost
                    && nearest.is_none_or(|(_, known)| cost < known)
                {
                    nearest = Some((place, cost));
                }
            }
            assert_eq!(crowd.nearest_of(kind, start, goals).unwrap(), nearest);
            // From now on the database is of another map than this, until a frame has settled it.
            let door = cells[(round * 131 + 7) % cells.len()];
            if door != start {
                crowd.set_cell(door, false).unwrap();
            }
            if round == 2 {
                crowd.frame(FrameBudget::Work(100));
            }
        }
        assert!(matches!(crowd.cost(kind, (0, 0), (width, 0)), Err(CrowdError::Query(_))));
        assert_eq!(crowd.cost(KindId(9), (0, 0), (1, 0)), Err(CrowdError::NoKind(KindId(9))));
    }
}

/// The path of a unit is the one that it walks.
#[test]
fn a_unit_walks_where_its_path_says() {
    for algorithm in ["beacon*", "transit*", "tba*(slice=5)"] {
        let (mut crowd, units) = crowd_of(30, algorithm, CrowdConfig::default());
        crowd.frame(FrameBudget::Everyone);
        crowd.frame(FrameBudget::Everyone);
        let paths: Vec<_> = units.iter().map(|&unit| crowd.path(unit).unwrap().unwrap()).collect();
        for (&unit, path) in units.iter().zip(&paths) {
            assert_eq!(crowd.moves_left(unit), Ok(Some(path.moves())));
            assert_eq!(path.cells().first().copied(), crowd.position(unit).ok());
            assert_eq!(path.cells().last().copied(), crowd.goal(unit).ok());
            if algorithm != "transit*" {
                assert_eq!(crowd.cost_left(unit), Ok(Some(path.cost())));
            }
        }
        if algorithm == "beacon*" {
            let mut walked: Vec<Vec<Cell>> =
                units.iter().map(|&unit| Vec::from([crowd.position(unit).unwrap()])).collect();
            for _ in 0..200 {
                for made in &crowd.frame(FrameBudget::Everyone).moves {
                    walked[units.iter().position(|&unit| unit == made.unit).unwrap()].push(made.to);
                }
            }
            assert!(walked.iter().zip(&paths).all(|(walked, path)| walked == path.cells()));
        }
    }
}

#[test]
fn units_are_put_somewhere_else() {
    for are_units_obstacles in [false, true] {
        let config = CrowdConfig { are_units_obstacles, ..CrowdConfig::default() };
        let mut crowd = Crowd::with_config(Grid::from_fn(20, 9, |cell| cell.x != 10).unwrap(), config);
        let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
        let walks = crowd.add(kind, Cell::new(0, 0), Cell::new(9, 8), Priority::Normal).unwrap();
        let stands = crowd.add(kind, Cell::new(5, 5), Cell::new(5, 5), Priority::Normal).unwrap();
        crowd.frame(FrameBudget::Everyone);
        crowd.frame(FrameBudget::Everyone);
        assert_eq!(crowd.kind_of(walks), Ok(kind));
        // One that has arrived stays where it is put, one that walks goes on.
        crowd.place(stands, (2, 7)).unwrap();
        crowd.place(walks, (0, 8)).unwrap();
        let taken = crowd.place(walks, (2, 7));
        assert_eq!(taken, if are_units_obstacles { Err(CrowdError::Taken(Cell::new(2, 7))) } else { Ok(()) });
        assert!(matches!(crowd.place(walks, (10, 3)), Err(CrowdError::Query(_))));
        // Elsewhere there is no way to its goal.
        crowd.place(walks, (12, 8)).unwrap();
        assert_eq!(crowd.frame(FrameBudget::Everyone).unreachable, [walks]);
        crowd.place(walks, (0, 8)).unwrap();
        for _ in 0..30 {
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd);
        }
        assert_eq!(crowd.position(walks), Ok(Cell::new(9, 8)));
        assert_eq!(
            (crowd.position(stands), crowd.status(stands)),
            (Ok(Cell::new(2, 7)), Ok(UnitStatus::Arrived))
        );
        // A unit that is stopped stays, and can be sent on.
        crowd.set_goal(walks, Cell::new(0, 0)).unwrap();
        crowd.frame(FrameBudget::Everyone);
        let there = crowd.position(walks).unwrap();
        crowd.stop(walks).unwrap();
        let report = crowd.frame(FrameBudget::Everyone);
        assert_eq!((report.moves.len(), report.arrived.len(), crowd.goal(walks)), (0, 0, Ok(there)));
        let mut loaded = Crowd::load(&crowd.save()).unwrap();
        crowd.set_goal(walks, Cell::new(0, 0)).unwrap();
        loaded.set_goal(walks, Cell::new(0, 0)).unwrap();
        for _ in 0..5 {
            assert_eq!(crowd.frame(FrameBudget::Everyone), loaded.frame(FrameBudget::Everyone));
        }
    }
}

/// A building lands on units: they are pushed out on the side that their goals are on.
#[test]
fn units_are_pushed_out_of_buildings() {
    let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
    let mut crowd = Crowd::with_config(Grid::from_fn(20, 10, |cell| cell.x != 12).unwrap(), config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let mut carts = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    carts.size = 2;
    let carts = crowd.add_kind(carts).unwrap();
    let units: Vec<UnitId> = (0..3)
        .map(|at| crowd.add(kind, Cell::new(9 + at, 4), Cell::new(0, at), Priority::Normal).unwrap())
        .collect();
    let cart = crowd.add(carts, Cell::new(9, 5), Cell::new(9, 5), Priority::Normal).unwrap();
    let building = (8..12).flat_map(|x| (3..7).map(move |y| (Cell::new(x, y), false)));
    crowd.set_cells(building.chain([(Cell::new(12, 4), false)])).unwrap();
    assert_eq!(crowd.push_out().len(), 4);
    assert_eq!(crowd.push_out(), []);
    // The nearest cells of the third would be beyond the wall, where its goal is out of reach.
    for &unit in &units {
        assert!(crowd.position(unit).unwrap().x < 12, "{:?}", crowd.position(unit));
    }
    assert_eq!(crowd.status(cart), Ok(UnitStatus::Arrived), "its goal lies under the building");
    for _ in 0..40 {
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
    }
    for (at, &unit) in units.iter().enumerate() {
        assert_eq!(crowd.position(unit), Ok(Cell::new(0, at as u32)));
    }
    // Where there is no room at all one stays.
    crowd.set_cells((0..20).flat_map(|x| (0..10).map(move |y| (Cell::new(x, y), false)))).unwrap();
    assert_eq!(crowd.push_out(), []);
    crowd.stop(cart).unwrap();
    assert_eq!(crowd.frame(FrameBudget::Everyone).moves, []);
}

/// A unit's smooth way has the ends of its way from cell to cell, keeps out of walls and is no longer.
#[test]
fn a_smooth_way_is_that_of_the_units_size() {
    let grid = Grid::from_fn(30, 20, |cell| !(10..14).contains(&cell.x) || cell.y > 13).unwrap();
    for size in 1..=3 {
        let mut crowd = Crowd::new(grid.clone());
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.size = size;
        let kind = crowd.add_kind(kind).unwrap();
        let unit = crowd.add(kind, Cell::new(1, 2), Cell::new(25, 3), Priority::Normal).unwrap();
        let path = crowd.path(unit).unwrap().unwrap();
        let walk = crowd.smooth_path(unit).unwrap().unwrap();
        let corners = [Cell::new(1, 2), Cell::new(10 - size, 14), Cell::new(14, 14), Cell::new(25, 3)];
        assert_eq!(walk.points(), corners, "size {size}");
        assert!(walk.length() < path.cost().to_f64());
        let space = crowd.space(kind).unwrap();
        assert!(walk.points().windows(2).all(|line| space.line_of_sight(line[0], line[1])));
        crowd.remove(unit).unwrap();
        assert!(crowd.smooth_path(unit).is_err());
    }
}

/// Pulled tight is what can be walked: a way over a link ends at its entry.
#[test]
fn a_smooth_way_ends_at_a_link() {
    let mut crowd = Crowd::new(Grid::from_fn(20, 9, |cell| cell.x != 10).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let (from, to) = (Cell::new(9, 6), Cell::new(11, 6));
    crowd.add_link(kind, crate::space::Link { from, to, moves: 2 }).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(19, 0), Priority::Normal).unwrap();
    let walk = crowd.smooth_path(unit).unwrap().unwrap();
    assert_eq!(walk.points(), [Cell::new(0, 0), from]);
    let path = crowd.path(unit).unwrap().unwrap();
    assert_eq!((path.jumps(), path.cells().last()), (Vec::from([(from, to)]), Some(&Cell::new(19, 0))));
}

#[test]
fn a_unit_whose_goal_is_blocked_under_it_has_no_way() {
    let mut crowd = Crowd::new(Grid::from_fn(5, 5, |_| true).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(2, 2), Cell::new(2, 2), Priority::Normal).unwrap();
    crowd.frame(FrameBudget::Everyone);
    assert_eq!(crowd.moves_left(unit), Ok(Some(0)));
    crowd.set_cell(Cell::new(2, 2), false).unwrap();
    while !crowd.is_up_to_date(kind).unwrap() {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!((crowd.cost_left(unit), crowd.moves_left(unit)), (Ok(None), Ok(None)));
    assert!(crowd.path(unit).unwrap().is_none() && crowd.smooth_path(unit).unwrap().is_none());
}
