//! Kinds that are added in the middle of play.

use core::ops::ControlFlow;

use super::*;
use crate::formats::grid_from_art;
use crate::space::CellWeights;
use crate::store::draws::Draws;

/// Rooms with doors, in which units of two cells find their ways, too.
fn halls() -> Grid {
    let is_wall = |cell: Cell| {
        let (x, y) = (cell.x % 16, cell.y % 12);
        x == 0 && !(4..8).contains(&y) || y == 0 && !(5..9).contains(&x) || x == 11 && (7..9).contains(&y)
    };
    Grid::from_fn(64, 48, |cell| !is_wall(cell)).unwrap()
}

fn kind(size: u32) -> Kind {
    Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_size(size)
}

/// Units of a kind, all over the map.
fn add_units(crowd: &mut Crowd, kind: KindId, count: usize) -> Vec<UnitId> {
    let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
    let pairs = (0..count).map(|at| (cells[at * 131 % cells.len()], cells[(at * 977 + 500) % cells.len()]));
    pairs.map(|(start, goal)| crowd.add(kind, start, goal, Priority::ALL[0]).unwrap()).collect()
}

/// Blocks or frees a cell, by the frame alone.
fn edit(crowd: &mut Crowd, frame: u32) {
    let cell = Cell::new(frame * 37 % 64, frame * 11 % 48);
    let is_free = crowd.map().is_free(cell);
    crowd.set_cell(cell, !is_free).unwrap();
}

/// New goals for all who arrived, which are places of their kinds.
fn go_on(crowd: &mut Crowd) {
    let arrived = crowd.report().arrived.clone();
    for unit in arrived {
        let number = u64::from(crowd.report().frame) * 53 + unit.to_number() * 7;
        let cells: Vec<Cell> = crowd.space_of(unit).unwrap().grid().free_cells().collect();
        let _ = crowd.set_goal_or_nearest(unit, cells[number as usize % cells.len()]);
    }
}

/// What a walk from a unit's place costs that begins now, and what a cheapest one does.
fn walk_alone(crowd: &Crowd, unit: UnitId, goal: Cell) -> (u64, u64) {
    let mut crowd = crowd.clone();
    crowd.set_goal(unit, goal).unwrap();
    let space = crowd.space_of(unit).unwrap();
    let [from, to] = [crowd.position(unit).unwrap(), goal].map(|cell| space.state(cell));
    let exact = Dijkstra::new().find(space, from, to).unwrap().cost().unwrap();
    let mut cost = 0;
    for _ in 0..2000 {
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
        cost += cost_of_moves(&crowd, unit);
        if crowd.status(unit) == Ok(UnitStatus::Arrived) {
            return (cost, exact);
        }
    }
    panic!("{unit} does not get to {goal}");
}

/// Walks that begin now are as short as can be.
fn check_exact(crowd: &Crowd, units: &[UnitId]) {
    let mut walks = 0;
    for (at, &unit) in units.iter().enumerate() {
        let space = crowd.space_of(unit).unwrap();
        let goal = space.grid().free_cells().nth(at * 97 + 40).unwrap();
        let is_free = space.grid().is_free(crowd.position(unit).unwrap());
        if is_free && space.components().same(crowd.position(unit).unwrap(), goal) {
            let (cost, exact) = walk_alone(crowd, unit, goal);
            assert_eq!(cost, exact, "{unit} to {goal}");
            walks += 1;
        }
    }
    assert!(walks > units.len() / 2);
}

#[test]
fn units_walk_before_their_database_is_there_and_exactly_after() {
    for (size, edits, is_for_map) in [(1, 0, true), (2, 0, true), (1, 40, false), (2, 40, false)] {
        let mut crowd = Crowd::new(halls());
        let kind = crowd.add_kind_unbuilt(kind(size)).unwrap();
        let units = add_units(&mut crowd, kind, 12);
        assert_eq!((crowd.is_built(kind), crowd.is_up_to_date(kind)), (Ok(false), Ok(false)));
        assert_eq!(crowd.build_progress(kind), Ok(None));
        crowd.frame(FrameBudget::Work(4000));
        assert!(!crowd.report().moves.is_empty());
        crowd.build_in_frames(kind).unwrap();
        crowd.build_in_frames(kind).unwrap();
        let (mut frames, mut stages) = (0, Vec::new());
        while crowd.is_built(kind) == Ok(false) {
            let stage = crowd.build_progress(kind).unwrap().unwrap().stage;
            if stages.last() != Some(&stage) {
                stages.push(stage);
            }
            if frames < edits {
                edit(&mut crowd, frames);
            }
            frames += 1;
            crowd.frame(FrameBudget::Work(4000));
            check_moves(&crowd);
            go_on(&mut crowd);
            assert!(frames < 5000, "{stages:?}");
        }
        assert!(frames > 20 && stages.len() > 2, "size {size}: {frames} frames, {stages:?}");
        assert_eq!(crowd.report().built, [kind]);
        assert_eq!(crowd.kinds[0].databases.main().unwrap().is_repaired(), !is_for_map);
        assert_eq!(crowd.build_progress(kind), Ok(None));
        assert_eq!(crowd.build_in_frames(kind), Err(CrowdError::Built(kind)));
        while crowd.is_up_to_date(kind) == Ok(false) {
            crowd.frame(FrameBudget::Work(4000));
        }
        assert!(crowd.units().all(|unit| matches!(
            crowd.lanes[unit.slot as usize % LANES].units[unit.slot as usize / LANES].walker,
            UnitWalker::Beacons(_)
        )));
        check_exact(&crowd, &units);
    }
}

#[test]
fn builds_on_threads_catch_up_with_edits() {
    for (size, spec) in [(1, "beacon*"), (2, "beacon*"), (2, "transit*(reach=5000)"), (1, "transit*")] {
        let mut crowd = Crowd::new(halls());
        let unbuilt = kind(size).with_algorithm(algorithm(spec));
        let id = crowd.add_kind_unbuilt(unbuilt).unwrap();
        let units = add_units(&mut crowd, id, 12);
        edit(&mut crowd, 900);
        let build = crowd.build_of(id).unwrap();
        let thread = std::thread::spawn(move || build.run_quietly().unwrap());
        for frame in 0..30 {
            edit(&mut crowd, frame);
            crowd.frame(FrameBudget::Work(4000));
            check_moves(&crowd);
            go_on(&mut crowd);
        }
        // One that is not told yet.
        edit(&mut crowd, 400);
        crowd.give_database(id, thread.join().unwrap()).unwrap();
        assert_eq!((crowd.is_built(id), crowd.is_up_to_date(id)), (Ok(true), Ok(false)));
        let mut loaded = Crowd::load(&crowd.save()).unwrap();
        while crowd.is_up_to_date(id) == Ok(false) {
            assert_eq!(crowd.frame(FrameBudget::Work(4000)), loaded.frame(FrameBudget::Work(4000)));
            assert_eq!(crowd.checksum(), loaded.checksum());
            check_moves(&crowd);
        }
        if spec != "transit*" {
            check_exact(&crowd, &units);
        }
        // It can be replaced by one of the map as it is.
        let build = crowd.build_of(id).unwrap();
        crowd.give_database(id, build.run_quietly().unwrap()).unwrap();
        assert_eq!(crowd.memory().log_bytes, 0);
        assert_eq!(crowd.is_up_to_date(id), Ok(true));
        for _ in 0..300 {
            crowd.frame(FrameBudget::Everyone);
            check_moves(&crowd);
        }
    }
}

#[test]
fn builds_can_be_cancelled() {
    let mut crowd = Crowd::new(halls());
    let id = crowd.add_kind_unbuilt(kind(1)).unwrap();
    add_units(&mut crowd, id, 12);
    assert_eq!(crowd.cancel_build(id), Ok(false));
    crowd.build_in_frames(id).unwrap();
    for frame in 0..10 {
        edit(&mut crowd, frame);
        crowd.frame(FrameBudget::Work(2000));
    }
    assert!(crowd.build_progress(id).unwrap().is_some());
    assert_eq!((crowd.cancel_build(id), crowd.build_progress(id)), (Ok(true), Ok(None)));
    let error = crowd.build_of(id).unwrap().run(&mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(error.to_string().contains("cancelled"), "{error}");
    for frame in 10..400 {
        if frame < 200 {
            edit(&mut crowd, frame);
        }
        crowd.frame(FrameBudget::Everyone);
        assert_eq!(crowd.report().upkeep > 0, frame < 200, "only units are told of edits");
        check_moves(&crowd);
    }
    let statuses = crowd.units().map(|unit| crowd.status(unit).unwrap());
    let (mut arrived, mut others) = (0, 0);
    statuses.for_each(|status| match status {
        UnitStatus::Arrived => arrived += 1,
        UnitStatus::Unreachable => others += 1,
        other => panic!("{other:?}"),
    });
    assert!(arrived > others, "{arrived} {others}");
    // It can be begun again.
    crowd.build_in_frames(id).unwrap();
    while crowd.frame(FrameBudget::Everyone).built.is_empty() {}
    assert_eq!(crowd.is_built(id), Ok(true));
}

#[test]
fn what_cannot_be_built_so_is_refused() {
    let mut crowd = Crowd::new(halls());
    let transit = crowd.add_kind_unbuilt(kind(1).with_algorithm(algorithm("transit*"))).unwrap();
    let error = crowd.build_in_frames(transit).unwrap_err();
    assert!(error.to_string().contains("build it on a thread"), "{error}");
    let heavy = kind(1).with_weights(CellWeights::even(&halls()));
    let heavy = crowd.add_kind_unbuilt(heavy).unwrap();
    assert!(matches!(crowd.build_in_frames(heavy), Err(CrowdError::NotInFrames { .. })));
    let needless = crowd.add_kind_unbuilt(kind(1).with_algorithm(algorithm("lrta*"))).unwrap();
    assert_eq!(crowd.is_built(needless), Ok(true));
    assert_eq!(crowd.build_in_frames(needless), Err(CrowdError::Built(needless)));
    assert!(matches!(crowd.build_of(needless), Err(CrowdError::UselessDatabase { .. })));
    // What was built for one kind is no use to another that moves otherwise.
    let other = Kind::new(MoveRule::Cardinal, CostModel::Sqrt2);
    let other = crowd.add_kind_unbuilt(other).unwrap();
    let built = crowd.build_of(transit).unwrap().run_quietly().unwrap();
    assert!(matches!(crowd.give_database(other, built.clone()), Err(CrowdError::OtherDatabase { .. })));
    assert!(matches!(crowd.give_database(heavy, built), Err(CrowdError::OtherDatabase { .. })));
    let space = kind(1).space(&halls()).unwrap();
    let beacons = algorithm("beacon*").build_database(&space, 1).unwrap().unwrap();
    let with_relief = kind(1).with_algorithm(algorithm("lrta*")).with_relief(beacons.clone());
    let needless = crowd.add_kind_unbuilt(with_relief).unwrap();
    assert_eq!(crowd.is_built(needless), Ok(true));
    let taken = crowd.build_of(transit).unwrap().take(beacons).unwrap();
    assert!(matches!(crowd.give_database(transit, taken), Err(CrowdError::Spec(_))));
    assert_eq!(crowd.is_built(transit), Ok(false));
    let nobody = KindId(9);
    assert_eq!(crowd.build_progress(nobody), Err(CrowdError::NoKind(nobody)));
}

/// Saved in the middle of a build, a crowd goes on exactly. So it does on two threads.
#[test]
fn a_build_in_frames_is_the_same_everywhere() {
    let game = |is_parallel: bool, saves: bool| {
        let config = CrowdConfig::default().with_parallel(is_parallel);
        let mut crowd = Crowd::with_config(halls(), config);
        let first = crowd.add_kind(kind(1)).unwrap();
        add_units(&mut crowd, first, 20);
        let mut checksums = Vec::new();
        let mut later = None;
        for frame in 0..400 {
            if frame == 20 {
                let id = crowd.add_kind_unbuilt(kind(2)).unwrap();
                add_units(&mut crowd, id, 20);
                edit(&mut crowd, 7);
                crowd.build_in_frames(id).unwrap();
                later = Some(id);
            }
            if frame % 5 == 0 && frame < 200 {
                edit(&mut crowd, frame);
            }
            crowd.frame(FrameBudget::Work(5000));
            check_moves(&crowd);
            go_on(&mut crowd);
            checksums.push(crowd.checksum());
            if saves && frame % 7 == 6 {
                let bytes = crowd.save();
                crowd = Crowd::load(&bytes).unwrap();
                assert!(crowd.save() == bytes, "{frame}");
            }
        }
        assert_eq!(crowd.is_built(later.unwrap()), Ok(true));
        checksums
    };
    let expected = game(false, false);
    assert!(game(false, true) == expected, "loaded");
    assert!(game(true, false) == expected, "in parallel");
}

/// What is built in frames is charged, and keeps to its share.
#[test]
fn builds_keep_to_their_share() {
    let mut crowd = Crowd::new(halls());
    let id = crowd.add_kind_unbuilt(kind(1)).unwrap();
    crowd.build_in_frames(id).unwrap();
    let (budget, mut frames, mut total) = (600, 0, 0);
    while crowd.is_built(id) == Ok(false) {
        frames += 1;
        total += crowd.frame(FrameBudget::Work(budget)).upkeep;
    }
    assert!(frames > 50, "{frames}");
    // Half of each budget at most, and what is owed.
    assert!(total <= frames * budget / 2 + crowd.debt + budget, "{total} in {frames} frames, {}", crowd.debt);
}

#[test]
fn units_whose_place_was_blocked_begin_when_it_is_freed() {
    let grid = grid_from_art("........\n.######.\n........").unwrap();
    let mut crowd = Crowd::new(grid);
    let id = crowd.add_kind(kind(1)).unwrap();
    let unit = crowd.add(id, Cell::new(1, 0), Cell::new(1, 2), Priority::Normal).unwrap();
    crowd.set_cell(Cell::new(1, 0), false).unwrap();
    crowd.frame(FrameBudget::Everyone);
    assert_eq!(crowd.status(unit), Ok(UnitStatus::Unreachable));
    // From beacons to transit nodes, while it can only stand there.
    crowd.set_weight(id, Cell::new(7, 1), 9).unwrap();
    crowd.frame(FrameBudget::Everyone);
    let mut crowd = Crowd::load(&crowd.save()).unwrap();
    assert_eq!(crowd.status(unit), Ok(UnitStatus::Unreachable));
    crowd.set_cell(Cell::new(1, 0), true).unwrap();
    for _ in 0..30 {
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
    }
    assert_eq!(crowd.status(unit), Ok(UnitStatus::Arrived));
}

/// Kinds come, are built in both ways, cancelled and replaced; cells and weights change; units come and go.
/// Whoever saves and loads in between stays in step.
#[test]
fn whatever_is_called_a_loaded_crowd_stays_in_step() {
    for case in 0..24 {
        let mut draws = Draws::new(case, 0);
        let mut below = |limit: usize| draws.below(limit as u64) as usize;
        let walls = 3 + below(25);
        let grid = Grid::from_fn(30, 20, |_| below(100) >= walls).unwrap();
        let config = CrowdConfig { are_units_obstacles: case % 3 == 2, ..CrowdConfig::default() };
        let (mut crowd, mut other) =
            (Crowd::with_config(grid.clone(), config), Crowd::with_config(grid, config));
        let mut builds: Vec<(KindId, KindBuild)> = Vec::new();
        let mut did = [0; 10];
        for step in 0..300 {
            let cell = Cell::new(below(30) as u32, below(20) as u32);
            let kinds = crowd.kinds.len();
            let kind_id = KindId(below(kinds.max(1)) as u8);
            let units: Vec<UnitId> = crowd.units().collect();
            let goal = Cell::new(below(30) as u32, below(20) as u32);
            let what = below(14);
            let number = below(1 << 20);
            let mut both = |call: &mut dyn FnMut(&mut Crowd) -> bool| {
                let done = [&mut crowd, &mut other].map(call);
                assert_eq!(done[0], done[1], "case {case}, step {step}");
                did[what.min(9)] += u32::from(done[0]);
            };
            match what {
                0 if kinds < 5 => {
                    let spec = ["beacon*", "beacon*", "transit*(reach=30)", "lrta*"][number % 4];
                    let kind = kind(1 + (number / 4 % 2) as u32).with_algorithm(algorithm(spec));
                    both(&mut |crowd| match number / 8 % 3 {
                        0 => crowd.add_kind(kind.clone()).is_ok(),
                        1 => crowd.add_kind_unbuilt(kind.clone()).is_ok(),
                        _ => {
                            let kind = kind.clone().with_weights(CellWeights::even(crowd.map()));
                            crowd.add_kind_unbuilt(kind).is_ok()
                        }
                    });
                }
                1 => both(&mut |crowd| crowd.build_in_frames(kind_id).is_ok()),
                2 if number % 4 == 0 => both(&mut |crowd| crowd.cancel_build(kind_id) == Ok(true)),
                3 => builds.extend(crowd.build_of(kind_id).ok().map(|build| (kind_id, build))),
                4 if !builds.is_empty() => {
                    let (id, build) = builds.swap_remove(number % builds.len());
                    // Where the kind got weights meanwhile it is refused.
                    let built = build.run_quietly().unwrap();
                    both(&mut |crowd| crowd.give_database(id, built.clone()).is_ok());
                }
                5 => {
                    let side = 1 + number % 6;
                    let cells = (0..side * side).map(|at| {
                        let weight = 1 + (number / 7 % 40) as u8;
                        (Cell::new(cell.x + (at % side) as u32, cell.y + (at / side) as u32), weight)
                    });
                    both(&mut |crowd| crowd.set_weights(kind_id, cells.clone()).is_ok());
                }
                6 => both(&mut |crowd| {
                    let is_free = crowd.map().is_free(cell);
                    crowd.set_cell(cell, !is_free).unwrap()
                }),
                7 | 8 => {
                    both(&mut |crowd| crowd.add(kind_id, cell, goal, Priority::ALL[number % 3]).is_ok());
                }
                9 if !units.is_empty() => {
                    let unit = units[number % units.len()];
                    both(&mut |crowd| match number % 5 {
                        0 => crowd.remove(unit).is_ok(),
                        _ => crowd.set_goal_or_nearest(unit, cell).is_ok(),
                    });
                }
                _ => {}
            }
            if number % 11 == 0 {
                let bytes = crowd.save();
                other = Crowd::load(&bytes).unwrap();
                assert!(other.save() == bytes, "case {case}, step {step}");
            }
            let budget = FrameBudget::Work([50, 900, 20_000][number % 3]);
            assert_eq!(crowd.frame(budget), other.frame(budget), "case {case}, step {step}");
            assert_eq!(crowd.checksum(), other.checksum(), "case {case}, step {step}");
            check_moves(&crowd);
        }
        assert!(did[1] > 0 || did[4] > 0 || did[5] > 0, "{did:?}");
    }
}
