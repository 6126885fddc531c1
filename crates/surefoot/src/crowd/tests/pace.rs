//! Units that have a speed.

use super::*;

/// A unit on open ground, and the frames in which it sets out for its next cells.
fn frames_of_moves(speed: Speed, goal: Cell, are_units_obstacles: bool) -> (Vec<u32>, Option<u32>) {
    let config = CrowdConfig { are_units_obstacles, ..CrowdConfig::default() };
    let mut crowd = Crowd::with_config(Grid::from_fn(40, 40, |_| true).unwrap(), config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), goal, Priority::Normal).unwrap();
    crowd.set_speed(unit, speed).unwrap();
    let (mut frames, mut arrived) = (Vec::new(), None);
    for _ in 0..200 {
        let report = crowd.frame(FrameBudget::Everyone);
        frames.extend(report.moves.iter().map(|_| report.frame));
        if report.arrived == [unit] {
            assert_eq!(crowd.progress(unit).unwrap().point(), (goal.x as f32, goal.y as f32));
            assert_eq!(arrived.replace(report.frame), None, "once");
        }
    }
    (frames, arrived)
}

#[test]
fn a_unit_covers_as_much_ground_as_its_speed_says() {
    for are_units_obstacles in [false, true] {
        let along =
            |cells, frames| frames_of_moves(Speed::new(cells, frames), Cell::new(6, 0), are_units_obstacles);
        assert_eq!(along(1, 1), (Vec::from([1, 2, 3, 4, 5, 6]), Some(6)));
        assert_eq!(along(1, 4), (Vec::from([1, 5, 9, 13, 17, 21]), Some(24)));
        // 6 / 0.75
        assert_eq!(along(3, 4), (Vec::from([1, 2, 3, 5, 6, 7]), Some(8)));
        // Diagonal moves take longer: 6 · √2 / 0.5 = 16.97.
        let diagonal = frames_of_moves(Speed::new(1, 2), Cell::new(6, 6), are_units_obstacles);
        assert_eq!(diagonal, (Vec::from([1, 3, 6, 9, 12, 15]), Some(17)));
    }
    let fast = frames_of_moves(Speed::new(5, 2), Cell::new(6, 0), false);
    assert_eq!(fast, (Vec::from([1, 1, 1, 2, 2, 3]), Some(3)));
}

#[test]
fn a_unit_is_drawn_between_two_cells() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 9, |_| true).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(4, 4), Priority::Normal).unwrap();
    crowd.set_speed(unit, Speed::new(1, 4)).unwrap();
    assert_eq!(crowd.speed(unit).unwrap().cells_per_frame(), Some(0.25));
    assert_eq!(crowd.progress(unit).unwrap().point(), (0.0, 0.0));
    let mut before = (0.0, 0.0);
    for frame in 1..=22 {
        crowd.frame(FrameBudget::Everyone);
        let (x, y) = crowd.progress(unit).unwrap().point();
        let expected = 0.25 * frame as f32 / core::f32::consts::SQRT_2;
        assert!((x - expected).abs() < 1e-3 && (y - expected).abs() < 1e-3, "frame {frame}: {x}, {y}");
        assert!(x > before.0);
        before = (x, y);
    }
    crowd.set_speed(unit, Speed::MOVE_A_FRAME).unwrap();
    assert_eq!(crowd.speed(unit).unwrap().cells_per_frame(), None);
    crowd.place(unit, (0, 8)).unwrap();
    assert_eq!(crowd.progress(unit).unwrap().point(), (0.0, 8.0));
}

#[test]
fn speeds_that_cannot_be_are_refused() {
    for (are_units_obstacles, most) in [(false, 8), (true, 1)] {
        let config = CrowdConfig { are_units_obstacles, ..CrowdConfig::default() };
        let (mut crowd, units) = crowd_of(1, "beacon*", config);
        for speed in
            [Speed::new(0, 1), Speed::new(most + 1, 1), Speed::new(1, u32::MAX), Speed::new(u32::MAX, 0)]
        {
            assert_eq!(crowd.set_speed(units[0], speed), Err(CrowdError::Speed { most }));
        }
        assert_eq!(crowd.set_speed(units[0], Speed::new(most, 1)), Ok(()));
    }
}

/// Everyone has another speed: moves are legal, all arrive, saving and threads make no difference, waits and
/// work stay within their bounds.
#[test]
fn speeds_keep_the_rules() {
    for are_units_obstacles in [false, true] {
        let config = CrowdConfig { are_units_obstacles, ..CrowdConfig::default() };
        let count = if are_units_obstacles { 30 } else { 60 };
        let (mut crowd, units) = crowd_of(count, "beacon*", config);
        let (mut parallel, _) = crowd_of(count, "beacon*", config.with_parallel(true));
        for (at, &unit) in units.iter().enumerate() {
            let most = if are_units_obstacles { 4 } else { 25 };
            let speed = Speed::new(1 + at as u32 * 7 % most, 4);
            crowd.set_speed(unit, speed).unwrap();
            parallel.set_speed(unit, speed).unwrap();
        }
        let mut loaded = crowd.clone();
        let mut arrived = 0;
        let mut places: Vec<Cell> = units.iter().map(|&unit| crowd.position(unit).unwrap()).collect();
        for frame in 0..300 {
            if frame % 7 == 0 {
                loaded = Crowd::load(&loaded.save()).unwrap();
            }
            let report = crowd.frame(FrameBudget::Work(2_000));
            assert_eq!(report, parallel.frame(FrameBudget::Work(2_000)));
            assert_eq!(report, loaded.frame(FrameBudget::Work(2_000)));
            assert_eq!((crowd.checksum(), crowd.checksum()), (loaded.checksum(), parallel.checksum()));
            assert_eq!(report.overdrawn, 0);
            assert!(report.wait_bound.is_none_or(|bound| u64::from(report.longest_wait) <= bound));
            for made in &report.moves {
                let number = units.iter().position(|&unit| unit == made.unit).unwrap();
                let space = crowd.space_of(made.unit).unwrap();
                assert_eq!(core::mem::replace(&mut places[number], made.to), made.from);
                assert!(is_legal(space, space.state(made.from), space.state(made.to)));
            }
            arrived += report.arrived.len();
        }
        assert!(arrived == count || are_units_obstacles && arrived > 5, "{arrived} arrived");
    }
}

#[test]
fn a_unit_that_is_stopped_between_two_cells_gets_to_the_next_one() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 1, |_| true).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 0), Priority::Normal).unwrap();
    crowd.set_speed(unit, Speed::new(1, 4)).unwrap();
    crowd.frame(FrameBudget::Everyone);
    crowd.stop(unit).unwrap();
    let drawn = [0.5, 0.75, 1.0, 1.0].map(|_| {
        assert!(crowd.frame(FrameBudget::Work(0)).moves.is_empty());
        crowd.progress(unit).unwrap().point().0
    });
    assert_eq!((drawn, crowd.status(unit)), ([0.5, 0.75, 1.0, 1.0], Ok(UnitStatus::Arrived)));
}

#[test]
fn a_unit_that_is_pushed_aside_is_drawn_where_it_stands_in_the_end() {
    let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
    let map = Grid::from_fn(9, 2, |cell| cell.y == 0 || cell.x == 4).unwrap();
    let mut crowd = Crowd::with_config(map, config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let idle = crowd.add(kind, Cell::new(4, 0), Cell::new(4, 0), Priority::Normal).unwrap();
    crowd.set_speed(idle, Speed::new(1, 4)).unwrap();
    crowd.add(kind, Cell::new(0, 0), Cell::new(8, 0), Priority::Normal).unwrap();
    for _ in 0..30 {
        crowd.frame(FrameBudget::Everyone);
    }
    let place = crowd.position(idle).unwrap();
    assert_ne!(place, Cell::new(4, 0));
    assert_eq!(crowd.progress(idle).unwrap().point(), (place.x as f32, place.y as f32));
}

#[test]
fn of_a_speed_that_was_taken_back_nothing_is_left() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 9, |_| true).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 8), Priority::Normal).unwrap();
    crowd.set_speed(unit, Speed::new(1, 4)).unwrap();
    crowd.frame(FrameBudget::Everyone);
    crowd.set_speed(unit, Speed::MOVE_A_FRAME).unwrap();
    // What is loaded knows of no speed: it must not show now, nor when there is one again.
    let mut loaded = Crowd::load(&crowd.save()).unwrap();
    assert_eq!(loaded.checksum(), crowd.checksum());
    for crowd in [&mut crowd, &mut loaded] {
        crowd.set_speed(unit, Speed::new(1, 3)).unwrap();
    }
    assert_eq!(loaded.checksum(), crowd.checksum());
    crowd.remove(unit).unwrap();
    assert_eq!(Crowd::load(&crowd.save()).unwrap().checksum(), crowd.checksum());
}
