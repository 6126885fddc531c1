//! The largest maps that load: 2³⁰ cells. They take gigabytes, so these tests run by a command of their own: `cargo xtask largest`.

use surefoot::agent::Step;
use surefoot::formats::parse_map;
use surefoot::search::{JumpPoints, Meter};
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MAX_CELLS, MoveRule, TerrainSet};
use surefoot_classics::ROSTER;

/// Walls with a gap at either end, in turn; far apart, so that ways are long and jumps too.
fn is_free(cell: Cell) -> bool {
    cell.y % 4096 != 4095 || if (cell.y / 4096).is_multiple_of(2) { cell.x < 3 } else { cell.x > 32_000 }
}

#[test]
#[ignore = "takes 5 GB and a minute: cargo xtask largest"]
fn a_map_of_the_largest_size_is_read_searched_and_walked() {
    let side = 32_768;
    assert_eq!(u64::from(side) * u64::from(side), MAX_CELLS);
    let mut text = format!("type octile\nheight {side}\nwidth {side}\nmap\n").into_bytes();
    for y in 0..side {
        text.extend((0..side).map(|x| if is_free(Cell::new(x, y)) { b'.' } else { b'@' }));
        text.push(b'\n');
    }
    let grid = parse_map(&text).unwrap().grid(TerrainSet::GROUND);
    drop(text);
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let (start, goal) = space.locate_ends(Cell::new(5, 5), Cell::new(side - 6, side - 6)).unwrap();
    let path = JumpPoints::new().find(&space, start, goal).unwrap().path.expect("there is a way");
    path.check(&space).unwrap();
    assert_eq!((path.states.first(), path.states.last()), (Some(&start), Some(&goal)));

    // Real-time moves take as much as on any map.
    let mut agent = ROSTER.agent(&"lrta*".parse().unwrap()).unwrap();
    agent.begin(&space, start, goal).unwrap();
    let bound = agent.bound().unwrap();
    for _ in 0..1000 {
        let mut meter = Meter::with_bound(bound);
        assert!(matches!(agent.step(&space, &mut meter), Step::Moved(_)));
        assert!(!meter.is_overdrawn());
    }
}

#[test]
fn a_map_of_one_cell_more_is_refused_before_memory_is_taken() {
    let error = Grid::new(32_769, 32_768).unwrap_err().to_string();
    assert!(error.contains("32769 x 32768"), "{error}");
    let error = parse_map(b"type octile\nheight 32768\nwidth 32769\nmap\n").unwrap_err().to_string();
    assert!(error.contains("line 3") || error.contains("line 2"), "{error}");
}
