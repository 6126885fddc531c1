//! What is stated of waits holds for units that plan much.

use super::*;

/// One unit plans much. Two in the same lane plan little. The first is removed after its first frame if `is_removed`.
/// Otherwise it arrives soon.
fn with_debts(algorithm: &str, is_removed: bool) {
    // A wall with a door at the bottom.
    let grid = Grid::from_fn(101, 101, |cell| cell.x != 50 || cell.y == 100).unwrap();
    let mut crowd = Crowd::with_config(grid, CrowdConfig::default().with_patience(2));
    let [large, small] = [algorithm, "lrta*(d=1)"].map(|algorithm| {
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.algorithm = super::algorithm(algorithm);
        crowd.add_kind(kind).unwrap()
    });
    let goal = if is_removed { Cell::new(51, 0) } else { Cell::new(48, 1) };
    let planner = crowd.add(large, Cell::new(49, 0), goal, Priority::High).unwrap();
    for at in 1..33 {
        let cell = Cell::new(at % 40, 2 + at / 40);
        let goal = if at % 16 == 0 { Cell::new(45, 60) } else { cell };
        crowd.add(small, cell, goal, Priority::Normal).unwrap();
    }
    let mut stated = Vec::new();
    let mut longest = 0;
    for frame in 0_u32..4000 {
        let report = crowd.frame(FrameBudget::Work(33));
        if frame == 0 && is_removed {
            crowd.remove(planner).unwrap();
        }
        let wait = report.longest_wait;
        longest = longest.max(wait);
        // Whoever waited for so long was waiting in all these frames; the first one is that before the planner went.
        for before in (frame + 1).saturating_sub(wait).max(1)..frame {
            if let Some(bound) = stated[before as usize] {
                assert!(u64::from(wait) <= bound, "{algorithm}: {wait} frames; frame {before} said {bound}");
            }
        }
        stated.push(report.wait_bound);
    }
    if is_removed {
        assert!(longest > 100, "{algorithm}: the debt takes long to pay: {longest}");
    }
}

#[test]
fn the_debt_of_a_unit_that_is_gone_is_part_of_the_wait_bound() {
    for algorithm in ["a*", "tba*(slice=5000)", "k-lrta*(expansions=2000)"] {
        with_debts(algorithm, true);
    }
    for algorithm in ["p-lrta*(queue=2000)", "k-lrta*(expansions=2000)"] {
        with_debts(algorithm, false);
    }
}
