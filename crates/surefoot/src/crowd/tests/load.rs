//! As many kinds as there may be, and time that runs out anywhere.

use core::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A crowd with 256 kinds: all rules and costs, small and large units, with databases and without.
fn crowd_of_all_kinds(config: CrowdConfig, units: usize) -> Crowd {
    let is_free = |cell: Cell| (cell.x % 9 != 8 || cell.y % 5 > 1) && (cell.y % 8 != 7 || cell.x % 6 > 1);
    let mut crowd = Crowd::with_config(Grid::from_fn(40, 30, is_free).unwrap(), config);
    let algorithms = ["lrta*", "beacon*", "tba*(slice=5)", "transit*"];
    for number in 0..256 {
        let costs = if number % 2 == 0 { CostModel::Sqrt2 } else { CostModel::Diagonal14 };
        let mut kind = Kind::new(MoveRule::ALL[number / 2 % 4], costs);
        // Most go without a database: to build so many takes its time.
        let algorithm = if number % 32 == 31 { number / 32 % 4 } else { number % 2 * 2 };
        kind.algorithm = super::algorithm(algorithms[algorithm]);
        kind.size = 1 + u32::from(number % 16 == 5);
        crowd.add_kind(kind).unwrap();
    }
    assert_eq!(crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)), Err(CrowdError::TooManyKinds));
    for number in 0..units {
        let kind = KindId((number % 256) as u8);
        let cells: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
        let (start, goal) = (cells[number * 7 % cells.len()], cells[(number * 31 + 5) % cells.len()]);
        // Where units are obstacles, some find their cell taken.
        let _ = crowd.add(kind, start, goal, Priority::ALL[number % 3]);
    }
    crowd
}

#[test]
fn a_crowd_of_256_kinds_walks_while_time_runs_out_anywhere() {
    for (are_units_obstacles, units) in [(false, 1500), (true, 200)] {
        let config = CrowdConfig { are_units_obstacles, is_parallel: true, ..CrowdConfig::default() };
        let mut crowd = crowd_of_all_kinds(config, units);
        let (mut arrived, mut waiting, mut stated) = (0, 0, u64::MAX);
        for frame in 0..60 {
            // Time for so many questions; on some frames for none, on some for all.
            let left = AtomicU32::new([0, 3, 40, 10_000][frame as usize % 4]);
            let has_time = || {
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
            };
            if frame % 5 == 0 {
                let cell = Cell::new(frame * 7 % 40, frame * 11 % 30);
                let free = crowd.map().is_free(cell);
                crowd.set_cell(cell, !free).unwrap();
                // What was stated holds on a map that is not edited.
                stated = u64::MAX;
            }
            let report = crowd.frame(FrameBudget::Time(&has_time));
            check_moves(&crowd);
            (arrived, waiting) = (arrived + report.arrived.len(), waiting + report.waiting);
            // Who has just begun to wait was not waiting when it was stated.
            assert!(u64::from(report.longest_wait) <= stated.max(1), "frame {frame}: {stated} were stated");
            stated = report.wait_bound.unwrap_or(u64::MAX);
        }
        assert!(
            arrived > units / 8 && waiting as usize > units,
            "{arrived} of {units} arrived, {waiting} waited"
        );
        let mut loaded = Crowd::load(&crowd.save()).unwrap();
        for _ in 0..10 {
            assert_eq!(loaded.frame(FrameBudget::Work(3000)), crowd.frame(FrameBudget::Work(3000)));
        }
        assert_eq!(loaded.checksum(), crowd.checksum());
    }
}
