//! What edits break is put right within the budget, and what is written down of them does not grow.

use super::*;

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

/// A crowd that was loaded goes on as the one that was saved.
fn check_loaded(crowd: &Crowd, frame: u32, budget: u64) {
    let bytes = crowd.save();
    let (mut crowd, mut loaded) = (crowd.clone(), Crowd::load(&bytes).unwrap());
    assert!(loaded.save() == bytes, "frame {frame}");
    for frame in frame..frame + 30 {
        edit(&mut crowd, frame);
        edit(&mut loaded, frame);
        let budget = FrameBudget::Work(budget);
        assert_eq!(loaded.frame(budget), crowd.frame(budget), "frame {frame}");
        assert_eq!(loaded.checksum(), crowd.checksum(), "frame {frame}");
        send_on(&mut crowd);
        send_on(&mut loaded);
    }
}

#[test]
fn what_is_written_down_of_edits_does_not_grow() {
    let mut crowd = crowd_with_doors(&["beacon*", "lrta*", "transit*(reach=40)", "tba*"]);
    let mut most = [0, 0];
    for frame in 0..2000 {
        edit(&mut crowd, frame);
        crowd.frame(FrameBudget::Work(20_000));
        check_moves(&crowd);
        send_on(&mut crowd);
        if frame % 400 == 399 {
            check_loaded(&crowd, frame + 1, 20_000);
        }
        let half = &mut most[usize::from(frame >= 1000)];
        *half = crowd.memory().log_bytes.max(*half);
    }
    assert!(most[0] > 0 && most[1] <= most[0] + most[0] / 4 && most[1] < 4096, "{most:?}");
}

#[test]
fn hub_labels_are_made_within_the_budget() {
    let mut crowd = crowd_with_doors(&["beacon*"]);
    let (budget, bound) = (300, crowd.kinds[0].bound.unwrap());
    let (mut labelling, mut loads, mut total) = (0, 0, 0);
    for frame in 0..1200 {
        if frame % 60 == 0 {
            edit(&mut crowd, frame / 60);
        }
        let report = crowd.frame(FrameBudget::Work(budget));
        total += report.work + report.upkeep;
        check_moves(&crowd);
        if crowd.kinds[0].databases.have_work() {
            labelling += 1;
            if labelling % 16 == 3 {
                check_loaded(&crowd, frame + 1, budget);
                loads += 1;
            }
        }
        send_on(&mut crowd);
    }
    assert!(labelling > 30 && loads > 1, "{labelling}");
    let paid = total - crowd.debt;
    assert!(paid <= budget * 1201 + LANES as u64 * bound, "no more is done than there is work for: {paid}");
    assert!(crowd.debt < budget * 64, "{}", crowd.debt);
    // Once nothing is edited any more all is put right, and everyone gets there who can.
    while crowd.frame(FrameBudget::Work(budget)).upkeep > 0 {}
    for _ in 0..2000 {
        crowd.frame(FrameBudget::Everyone);
        check_moves(&crowd);
    }
    for unit in crowd.units() {
        assert!(matches!(crowd.status(unit), Ok(UnitStatus::Arrived | UnitStatus::Unreachable)));
    }
}

#[test]
fn hub_labels_are_completed_even_if_there_is_never_any_time() {
    let mut crowd = crowd_with_doors(&["beacon*"]);
    // The second door is shut: the trunk falls apart.
    crowd.set_cell(Cell::new(40, 21), false).unwrap();
    let frames = (0..10_000).find(|_| crowd.frame(FrameBudget::Time(&|| false)).upkeep == 0);
    assert!(frames.is_some_and(|frames| frames > 10), "{frames:?}");
    assert!(!crowd.kinds[0].may_have_work());
}
