//! Ground that changes its price.

use super::*;
use crate::formats::grid_from_art;
use crate::space::CellWeights;

/// A wide field with some rocks.
fn field() -> Grid {
    Grid::from_fn(48, 32, |cell| !(cell.x % 9 == 4 && cell.y % 7 == 3)).unwrap()
}

fn kind_on(grid: &Grid, spec: &str) -> Kind {
    Kind::new(MoveRule::NoCut, CostModel::Sqrt2)
        .with_weights(CellWeights::even(grid))
        .with_algorithm(algorithm(spec))
}

/// The cells of a rectangle, with a weight.
fn patch(from: (u32, u32), to: (u32, u32), weight: u8) -> impl Iterator<Item = (Cell, u8)> + Clone {
    (from.1..to.1).flat_map(move |y| (from.0..to.0).map(move |x| (Cell::new(x, y), weight)))
}

/// Walks a unit to its goal. What that costs by the weights as they are.
fn walk(crowd: &mut Crowd, unit: UnitId) -> u64 {
    let mut cost = 0;
    for _ in 0..3000 {
        crowd.frame(FrameBudget::Work(20_000));
        check_moves(crowd);
        cost += cost_of_moves(crowd, unit);
        if crowd.status(unit) == Ok(UnitStatus::Arrived) {
            return cost;
        }
    }
    panic!("{unit} is not there");
}

fn cheapest(crowd: &Crowd, kind: KindId, from: Cell, to: Cell) -> u64 {
    let space = crowd.space(kind).unwrap();
    Dijkstra::new().find(space, space.state(from), space.state(to)).unwrap().cost().unwrap()
}

fn settle(crowd: &mut Crowd, kind: KindId) -> u32 {
    (0..)
        .find(|_| crowd.is_up_to_date(kind) == Ok(true) || crowd.frame(FrameBudget::Work(20_000)).frame == 0)
        .unwrap()
}

/// Whoever sets out once a kind is up to date takes a way that is nearly the cheapest, whatever ground
/// became.
#[test]
fn walks_follow_what_ground_costs() {
    let grid = field();
    for (spec, size) in [("transit*(reach=200)", 1), ("transit*(reach=200)", 2), ("tba*", 1), ("lrta*", 1)] {
        let mut crowd = Crowd::new(grid.clone());
        let kind = crowd.add_kind(kind_on(&grid, spec).with_size(size)).unwrap();
        let (start, goal) = (Cell::new(0, 14), Cell::new(46, 14));
        let changes: [Vec<(Cell, u8)>; 4] = [
            patch((20, 6), (26, 32), 60).collect(),
            patch((20, 6), (26, 20), 1).collect(),
            patch((10, 0), (12, 30), 200).chain(patch((30, 2), (33, 32), 90)).collect(),
            patch((0, 0), (48, 32), 3).collect(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert!(crowd.set_weights(kind, change.clone()).unwrap() > 0);
            assert_eq!(crowd.set_weights(kind, change), Ok(0));
            assert_eq!(crowd.is_up_to_date(kind), Ok(false));
            let frames = settle(&mut crowd, kind);
            assert!(frames > 0);
            let unit = crowd.add(kind, start, goal, Priority::Normal).unwrap();
            let exact = cheapest(&crowd, kind, start, goal);
            let cost = walk(&mut crowd, unit);
            if spec.starts_with("transit") {
                assert!(cost * 100 <= exact * 110, "{spec}, size {size}, {number}: {cost} for {exact}");
            }
            crowd.remove(unit).unwrap();
        }
    }
}

/// One that is on its way chooses anew when the database knows.
#[test]
fn units_on_their_way_choose_anew() {
    let grid = field();
    for spec in ["transit*(reach=200)", "tba*"] {
        let mut crowd = Crowd::new(grid.clone());
        let kind = crowd.add_kind(kind_on(&grid, spec)).unwrap();
        let unit = crowd.add(kind, Cell::new(0, 14), Cell::new(46, 14), Priority::Normal).unwrap();
        while crowd.position(unit).unwrap().x < 6 {
            crowd.frame(FrameBudget::Work(20_000));
        }
        // A threat in the middle, with a way around it.
        crowd.set_weights(kind, patch((20, 6), (26, 22), 100)).unwrap();
        let mut most = 0;
        for _ in 0..400 {
            for made in &crowd.frame(FrameBudget::Work(20_000)).moves {
                most = most.max(crowd.weight(kind, made.to).unwrap());
            }
        }
        assert_eq!((crowd.status(unit), most), (Ok(UnitStatus::Arrived), 1), "{spec}");
    }
}

/// Under a large unit the heaviest cell counts. When that becomes lighter the next one does.
#[test]
fn large_units_mind_the_heaviest_cell() {
    let grid = field();
    let mut crowd = Crowd::new(grid.clone());
    let kind = crowd.add_kind(kind_on(&grid, "lrta*").with_size(3)).unwrap();
    let check = |crowd: &Crowd| {
        let space = crowd.space(kind).unwrap();
        for cell in grid.free_cells() {
            let under = super::super::squares::under(cell, 3).filter(|&cell| grid.contains(cell));
            let heaviest = under.map(|cell| crowd.weight(kind, cell).unwrap()).max();
            assert_eq!(space.weight(cell), heaviest, "{cell}");
        }
    };
    let far_apart = [(0, 0), (47, 31), (20, 3)].map(|(x, y)| (Cell::new(x, y), 7));
    assert_eq!(crowd.set_weights(kind, far_apart), Ok(3));
    check(&crowd);
    assert_eq!(crowd.set_weights(kind, patch((18, 2), (30, 9), 5)), Ok(84));
    check(&crowd);
    assert_eq!(crowd.set_weight(kind, Cell::new(20, 3), 1), Ok(true));
    check(&crowd);
    let mut loaded = Crowd::load(&crowd.save()).unwrap();
    assert_eq!(loaded.set_weight(kind, Cell::new(21, 3), 1), Ok(true));
    check(&loaded);
    assert_eq!(loaded.set_weights(kind, patch((0, 0), (48, 32), 1)).unwrap(), 84);
    assert_eq!(loaded.space(kind).unwrap().weight_range(), (1, 1));
}

#[test]
fn all_weights_are_taken_or_none() {
    let grid = field();
    let mut crowd = Crowd::new(grid.clone());
    let kind = crowd.add_kind(kind_on(&grid, "tba*")).unwrap();
    let mark = crowd.checksum();
    let (inside, outside) = (Cell::new(2, 2), Cell::new(48, 2));
    let error = crowd.set_weights(kind, [(inside, 3), (outside, 3)]).unwrap_err();
    assert!(error.to_string().contains("outside"), "{error}");
    let error = crowd.set_weights(kind, [(inside, 3), (Cell::new(3, 2), 0)]).unwrap_err();
    assert!(error.to_string().contains("weight"), "{error}");
    assert_eq!((crowd.weight(kind, inside), crowd.checksum()), (Ok(1), mark));
    assert!(crowd.weight(kind, outside).is_err());
    let nobody = KindId(7);
    assert_eq!(crowd.set_weight(nobody, inside, 2), Err(CrowdError::NoKind(nobody)));
    // One after the other: the last one counts, and each that changes something.
    assert_eq!(crowd.set_weights(kind, [(inside, 3), (inside, 3), (inside, 4)]), Ok(2));
    assert_eq!(crowd.weight(kind, inside), Ok(4));
    assert_ne!(crowd.checksum(), mark);
    crowd.set_weight(kind, inside, 1).unwrap();
    assert_eq!(crowd.checksum(), mark);
}

/// A kind with even ground gets weights by the first one, and everyone goes on.
#[test]
fn even_ground_gets_weights() {
    for size in [1, 2] {
        let grid = field();
        let mut crowd = Crowd::new(grid.clone());
        let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_size(size)).unwrap();
        let unit = crowd.add(kind, Cell::new(0, 14), Cell::new(46, 14), Priority::Normal).unwrap();
        for _ in 0..5 {
            crowd.frame(FrameBudget::Everyone);
        }
        let place = crowd.position(unit).unwrap();
        assert_eq!(crowd.set_weight(kind, Cell::new(9, 9), 1), Ok(false));
        assert!(!crowd.space(kind).unwrap().is_weighted());
        crowd.set_cell(Cell::new(30, 30), false).unwrap();
        crowd.set_weights(kind, patch((20, 6), (26, 32), 60)).unwrap();
        assert!(crowd.space(kind).unwrap().is_weighted());
        assert_eq!((crowd.position(unit), crowd.is_up_to_date(kind)), (Ok(place), Ok(true)));
        let mut loaded = Crowd::load(&crowd.save()).unwrap();
        let exact = cheapest(&crowd, kind, place, Cell::new(46, 14));
        let cost = walk(&mut crowd, unit);
        assert!(cost * 100 <= exact * 110, "{cost} for {exact}");
        assert_eq!(walk(&mut loaded, unit), cost);
    }
    // One whose database is not there yet.
    let mut crowd = Crowd::new(grid_from_art("....\n....").unwrap());
    let kind = crowd.add_kind_unbuilt(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    crowd.build_in_frames(kind).unwrap();
    crowd.set_weight(kind, Cell::new(1, 0), 4).unwrap();
    assert_eq!((crowd.is_built(kind), crowd.build_progress(kind)), (Ok(false), Ok(None)));
    let built = crowd.build_of(kind).unwrap().run_quietly().unwrap();
    crowd.give_database(kind, built).unwrap();
    assert_eq!(crowd.is_up_to_date(kind), Ok(true));
}

/// Weights change in every other frame, cells are blocked and freed; whoever saves and loads stays in step,
/// and so do those on two threads.
#[test]
fn crowds_with_changing_ground_go_on_exactly() {
    let grid = field();
    let game = |is_parallel: bool, saves: bool| {
        let mut crowd = Crowd::with_config(grid.clone(), CrowdConfig::default().with_parallel(is_parallel));
        let specs = [("transit*(reach=60)", 1), ("transit*(reach=60)", 2), ("tba*", 1)];
        for (spec, size) in specs {
            let kind = crowd.add_kind(kind_on(&grid, spec).with_size(size)).unwrap();
            let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
            for at in 0..8 {
                let (start, goal) = (cells[at * 31], cells[cells.len() - 1 - at * 57]);
                crowd.add(kind, start, goal, Priority::ALL[at % 3]).unwrap();
            }
        }
        let (mut checksums, mut moves) = (Vec::new(), 0);
        for frame in 0..260 {
            if frame % 2 == 0 && frame < 200 {
                let kind = KindId((frame / 2 % 3) as u8);
                let (x, y) = (frame * 7 % 40, frame * 5 % 26);
                let weight = 1 + (frame * 13 % 90) as u8;
                crowd.set_weights(kind, patch((x, y), (x + 5, y + 4), weight)).unwrap();
            }
            if frame % 11 == 0 {
                let cell = Cell::new(frame * 3 % 48, frame % 32);
                let is_free = crowd.map().is_free(cell);
                crowd.set_cell(cell, !is_free).unwrap();
            }
            if saves && frame % 5 == 4 {
                let bytes = crowd.save();
                crowd = Crowd::load(&bytes).unwrap();
                assert!(crowd.save() == bytes, "{frame}");
            }
            moves += crowd.frame(FrameBudget::Work(3000)).moves.len();
            check_moves(&crowd);
            for unit in crowd.report().arrived.clone() {
                let cells: Vec<Cell> = crowd.space_of(unit).unwrap().grid().free_cells().collect();
                let _ = crowd.set_goal_or_nearest(unit, cells[(frame as usize * 41) % cells.len()]);
            }
            checksums.push(crowd.checksum());
        }
        assert!(moves > 1000, "{moves}");
        checksums
    };
    let expected = game(false, false);
    assert!(game(false, true) == expected, "loaded");
    assert!(game(true, false) == expected, "in parallel");
}

/// Logs of weights do not grow.
#[test]
fn logs_of_weights_stay_short() {
    let grid = field();
    let mut crowd = Crowd::new(grid.clone());
    let kind = crowd.add_kind(kind_on(&grid, "transit*(reach=60)")).unwrap();
    crowd.add(kind, Cell::new(0, 14), Cell::new(46, 14), Priority::Normal).unwrap();
    let mut most = [0, 0];
    for frame in 0..1200_u32 {
        crowd.set_weights(kind, patch((20, 10), (22, 12), 1 + (frame % 9) as u8)).unwrap();
        crowd.frame(FrameBudget::Work(20_000));
        send_on(&mut crowd);
        let half = &mut most[usize::from(frame >= 600)];
        *half = crowd.memory().log_bytes.max(*half);
        if frame % 61 == 7 {
            let bytes = crowd.save();
            crowd = Crowd::load(&bytes).unwrap();
            assert!(crowd.save() == bytes, "{frame}");
        }
    }
    assert!(most[0] > 0 && most[1] <= most[0] + most[0] / 4, "{most:?}");
}

/// A threat that moves in every frame: units think with what they know, and get on.
#[test]
fn units_get_on_while_weights_change_in_every_frame() {
    let grid = field();
    for spec in ["transit*", "tba*"] {
        let mut crowd = Crowd::new(grid.clone());
        let kind = crowd.add_kind(kind_on(&grid, spec)).unwrap();
        let units: Vec<UnitId> = (0..6)
            .map(|y| {
                crowd.add(kind, Cell::new(0, y * 5), Cell::new(47, 30 - y * 5), Priority::Normal).unwrap()
            })
            .collect();
        let mut before = Vec::new();
        for frame in 0..500 {
            let x = frame % 40;
            let threat = patch((x, 8), (x + 6, 20), 30);
            let cells: Vec<(Cell, u8)> = before.drain(..).chain(threat.clone()).collect();
            crowd.set_weights(kind, cells).unwrap();
            before = threat.map(|(cell, _)| (cell, 1)).collect();
            crowd.frame(FrameBudget::Work(10_000));
            check_moves(&crowd);
        }
        let arrived = units.iter().filter(|&&unit| crowd.status(unit) == Ok(UnitStatus::Arrived)).count();
        assert_eq!(arrived, units.len(), "{spec}");
    }
}

#[test]
fn an_edit_before_the_first_weights_wakes_those_who_had_no_way() {
    let mut crowd = Crowd::new(Grid::from_fn(5, 3, |cell| cell.x != 2).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(4, 0), Priority::Normal).unwrap();
    assert_eq!(crowd.frame(FrameBudget::Everyone).unreachable, [unit]);
    // The database that is built for the weights knows of the edit already.
    crowd.set_cell(Cell::new(2, 1), true).unwrap();
    crowd.set_weight(kind, Cell::new(0, 2), 9).unwrap();
    assert_eq!(crowd.frame(FrameBudget::Everyone).reachable, [unit]);
    for _ in 0..40 {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!(crowd.position(unit), Ok(Cell::new(4, 0)));
}
