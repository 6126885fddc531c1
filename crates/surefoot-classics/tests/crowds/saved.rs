//! Crowds as bytes: databases of the classics, and what was done to them, are saved and loaded.

use super::*;

/// A crowd of several kinds in the middle of things, with as many edits before it was saved.
fn busy(edits: u32, are_units_obstacles: bool) -> Crowd {
    let config = CrowdConfig::default().with_units_as_obstacles(are_units_obstacles).with_most_learned(6);
    let is_free = |cell: Cell| (cell.x % 7 != 6 || cell.y % 5 > 2) && (cell.y % 6 != 5 || cell.x % 4 > 1);
    let mut crowd = Crowd::with_config(Grid::from_fn(24, 14, is_free).unwrap(), config);
    let algorithms =
        ["beacon*", "lrta*", "pra*(k=2)", "knn-lrta*(n=20)", "hcdps*(cutoff=3)", "dba*(sector=4)"];
    let mut units = Vec::new();
    for (number, algorithm) in algorithms.into_iter().enumerate() {
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.algorithm = super::algorithm(algorithm);
        kind.size = 1 + u32::from(number == 3);
        let kind = crowd.add_kind(kind).unwrap();
        let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
        for at in 0..4 {
            let (start, goal) =
                (cells[(at * 11 + number * 3) % cells.len()], cells[(at * 13 + 1) % cells.len()]);
            units.extend(crowd.add(kind, start, goal, Priority::ALL[at % 3]));
        }
    }
    crowd.pursue(units[1], units[2]).unwrap();
    crowd.remove(units[3]).unwrap();
    for frame in 0..12 {
        if frame < edits {
            crowd.set_cell(Cell::new(frame * 5 % 24, frame * 3 % 14), frame % 3 == 0).unwrap();
        }
        crowd.frame(FrameBudget::Work(300));
        send_on(&mut crowd);
    }
    crowd
}

#[test]
fn a_crowd_goes_on_as_if_it_had_never_been_saved() {
    for (edits, are_units_obstacles) in [(0, false), (8, false), (12, false), (0, true), (12, true)] {
        let mut crowd = busy(edits, are_units_obstacles);
        crowd.set_cell(Cell::new(6, 0), true).unwrap();
        let bytes = crowd.save();
        let mut loaded = Crowd::load_with(&bytes, &ROSTER).unwrap();
        assert_eq!(loaded.checksum(), crowd.checksum());
        assert!(loaded.save() == bytes, "{edits} edits, {are_units_obstacles}");
        for frame in 0..150 {
            if frame % 9 == 0 && edits > 0 {
                for crowd in [&mut crowd, &mut loaded] {
                    crowd.set_cell(Cell::new(frame * 7 % 24, frame % 14), frame % 2 == 0).unwrap();
                }
            }
            assert_eq!(loaded.frame(FrameBudget::Work(300)), crowd.frame(FrameBudget::Work(300)), "{frame}");
            assert_eq!(loaded.checksum(), crowd.checksum(), "{frame}");
            send_on(&mut crowd);
            send_on(&mut loaded);
        }
    }
}

/// A crowd of other algorithms is refused by a roster that does not know them.
#[test]
fn a_roster_that_lacks_an_algorithm_says_so() {
    let error = Crowd::load(&busy(0, false).save()).unwrap_err().to_string();
    assert!(error.contains("there is no algorithm of this name"), "{error}");
}

/// Two rooms with a door between them, and one beyond that, on ground that is not all open.
fn doors() -> Grid {
    let is_wall = |cell: Cell| {
        (cell.x == 20 && cell.y != 7 || cell.x == 40 && cell.y != 21)
            || cell.x % 5 == 3 && cell.y % 6 == 2 + cell.x / 5 % 3
    };
    Grid::from_fn(60, 30, |cell| !is_wall(cell)).unwrap()
}

/// Units of several kinds on the map with doors.
fn crowd_with_doors(algorithms: &[&str]) -> Crowd {
    let mut crowd = Crowd::new(doors());
    for (number, algorithm) in algorithms.iter().enumerate() {
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.algorithm = super::algorithm(algorithm);
        if *algorithm == "lrta*" {
            let space = kind.space(crowd.map()).unwrap();
            kind.relief = super::algorithm("beacon*").build_database(&space, 2).unwrap();
        }
        let kind = crowd.add_kind(kind).unwrap();
        let cells: Vec<Cell> = crowd.map().free_cells().collect();
        for at in 0..4 {
            let (start, goal) = (cells[at * 211 + number], cells[cells.len() - 1 - at * 57 - number]);
            crowd.add(kind, start, goal, Priority::ALL[at % 3]).unwrap();
        }
    }
    crowd
}

/// Opens or closes doors and other cells, by the frame alone.
fn edit(crowd: &mut Crowd, frame: u32) {
    let cell = match frame % 4 {
        0 => Cell::new(20, 7),
        1 => Cell::new(40, 21),
        2 => Cell::new(20, frame / 4 % 30),
        _ => Cell::new(frame * 7 % 60, 5),
    };
    let is_free = crowd.map().is_free(cell);
    crowd.set_cell(cell, !is_free).unwrap();
}

#[test]
fn what_is_written_down_of_edits_does_not_grow() {
    let mut crowd = crowd_with_doors(&["pra*(k=2)", "knn-lrta*(n=10)", "hcdps*(cutoff=3)", "lrta*"]);
    let mut most = [0, 0];
    for frame in 0..2000 {
        edit(&mut crowd, frame);
        crowd.frame(FrameBudget::Work(20_000));
        send_on(&mut crowd);
        let half = &mut most[usize::from(frame >= 1000)];
        *half = crowd.memory().log_bytes.max(*half);
    }
    assert!(most[1] <= most[0] + most[0] / 4 && most[1] < 16_384, "{most:?}");
}
