//! The cases, as data: maps as art with what a cheapest path costs under each rule, and families of maps of many sizes. Each
//! states how many moves an algorithm may make.

use surefoot::space::Cell;

/// (straight, diagonal) steps of a cheapest path. `None` if there is none.
pub(crate) type Steps = Option<(u64, u64)>;

pub(crate) struct Case {
    pub name: &'static str,
    pub art: &'static str,
    pub start: (u32, u32),
    pub goal: (u32, u32),
    /// In the order squeeze, one-free, no-cut, cardinal.
    pub steps: [Steps; 4],
    /// The most moves that any algorithm may make.
    pub most_moves: u64,
}

pub(crate) const CASES: &[Case] = &[
    Case {
        name: "start is goal",
        art: ".",
        start: (0, 0),
        goal: (0, 0),
        steps: [Some((0, 0)); 4],
        most_moves: 0,
    },
    Case {
        name: "open field",
        art: "......
              ......
              ......
              ......",
        start: (0, 0),
        goal: (5, 3),
        steps: [Some((2, 3)), Some((2, 3)), Some((2, 3)), Some((8, 0))],
        most_moves: 8,
    },
    Case {
        name: "one-cell rooms",
        art: ".#.
              #.#
              .#.",
        start: (0, 0),
        goal: (2, 2),
        steps: [Some((0, 2)), None, None, None],
        most_moves: 2,
    },
    Case {
        name: "corner",
        art: "...
              .#.
              ...",
        start: (1, 0),
        goal: (2, 1),
        steps: [Some((0, 1)), Some((0, 1)), Some((2, 0)), Some((2, 0))],
        most_moves: 2,
    },
    Case {
        name: "corridor",
        art: ".#...
              .#.#.
              ...#.",
        start: (0, 0),
        goal: (4, 2),
        steps: [Some((2, 4)), Some((2, 4)), Some((10, 0)), Some((10, 0))],
        most_moves: 10,
    },
    Case {
        name: "dead end",
        art: "........
              .######.
              ......#.
              .######.
              ........",
        start: (5, 2),
        goal: (7, 2),
        steps: [Some((10, 3)), Some((10, 3)), Some((16, 0)), Some((16, 0))],
        most_moves: 20,
    },
    Case {
        name: "spiral",
        art: ".......
              .#####.
              .#...#.
              .#.#.#.
              .#.###.
              .#.....",
        start: (4, 3),
        goal: (0, 5),
        steps: [Some((14, 6)), Some((14, 6)), Some((26, 0)), Some((26, 0))],
        most_moves: 85,
    },
    Case {
        name: "unreachable room",
        art: ".....
              .###.
              .#.#.
              .###.
              .....",
        start: (0, 0),
        goal: (2, 2),
        steps: [None; 4],
        most_moves: 0,
    },
    Case {
        name: "comb",
        art: ".#.#.#.
              .#.#.#.
              .......",
        start: (0, 0),
        goal: (6, 0),
        steps: [Some((6, 2)), Some((6, 2)), Some((10, 0)), Some((10, 0))],
        most_moves: 12,
    },
];

/// One shape in several sizes.
pub(crate) struct Family {
    pub name: &'static str,
    /// Whether a cell is free on a map of so many cells a side.
    pub is_free: fn(u32, Cell) -> bool,
    /// Start and goal on such a map.
    pub ends: fn(u32) -> (Cell, Cell),
    pub is_solvable: bool,
    pub sizes: &'static [Size],
}

pub(crate) struct Size {
    pub side: u32,
    /// The most moves of an algorithm that searches for its way.
    pub searchers: u64,
    /// The most moves of one that learns its way. `None` where that would take too long for a test.
    pub learners: Option<u64>,
}

const fn size(side: u32, searchers: u64, learners: Option<u64>) -> Size {
    Size { side, searchers, learners }
}

pub(crate) const FAMILIES: &[Family] = &[
    Family {
        name: "open field",
        is_free: |_, _| true,
        ends: |side| (Cell::new(0, 0), Cell::new(side - 1, side / 2)),
        is_solvable: true,
        sizes: &[
            size(1, 0, Some(0)),
            size(2, 2, Some(2)),
            size(3, 3, Some(3)),
            size(8, 12, Some(12)),
            size(63, 150, Some(120)),
            size(64, 150, Some(120)),
            size(65, 150, Some(120)),
            size(255, 1500, Some(500)),
            size(1024, 17_000, Some(2000)),
        ],
    },
    Family {
        name: "corridor",
        is_free: |side, cell| cell.y == side / 2,
        ends: |side| (Cell::new(0, side / 2), Cell::new(side - 1, side / 2)),
        is_solvable: true,
        sizes: &[
            size(1, 0, Some(0)),
            size(2, 1, Some(1)),
            size(3, 2, Some(2)),
            size(64, 63, Some(63)),
            size(1024, 1023, Some(1023)),
        ],
    },
    Family {
        name: "wall with a gap at its end",
        is_free: |side, cell| cell.x != side / 2 || cell.y == side - 1 || side < 3,
        ends: |side| (Cell::new(0, 0), Cell::new(side - 1, 0)),
        is_solvable: true,
        sizes: &[
            size(1, 0, Some(0)),
            size(2, 1, Some(1)),
            size(3, 6, Some(6)),
            size(8, 30, Some(80)),
            size(16, 60, Some(500)),
            size(32, 130, Some(4500)),
            size(64, 300, Some(33_000)),
            size(65, 300, None),
            size(127, 700, None),
            size(300, 2800, None),
            size(1024, 31_000, None),
        ],
    },
    Family {
        // A deep depression, 4 cells smaller than the map. Who raises one value a move has to fill it: the moves grow with
        // the cube of its side.
        name: "cup, open away from the goal",
        is_free: |side, Cell { x, y }| {
            let is_wall = (x == 1 || x == side - 3) && (1..=side - 3).contains(&y);
            let is_bottom = y == side - 3 && (1..=side - 3).contains(&x);
            !(is_wall || is_bottom)
        },
        ends: |side| (Cell::new(side / 2 - 2, side - 4), Cell::new(side / 2 - 2, side - 1)),
        is_solvable: true,
        sizes: &[
            size(12, 40, Some(400)),
            size(20, 80, Some(3300)),
            size(36, 180, Some(22_000)),
            size(68, 380, Some(170_000)),
        ],
    },
    Family {
        // Corridors one cell wide, ring in ring; the sides are 1 more than a multiple of 4.
        name: "spiral",
        is_free: |side, Cell { x, y }| {
            let ring = x.min(y).min(side - 1 - x).min(side - 1 - y);
            let is_turn = x == ring && y == ring + 1;
            ring.is_multiple_of(2) != is_turn
        },
        ends: |side| (Cell::new(0, 0), Cell::new(side / 2, side / 2)),
        is_solvable: true,
        sizes: &[
            size(5, 16, Some(32)),
            size(9, 48, Some(160)),
            size(17, 160, Some(300)),
            size(33, 576, Some(1500)),
            size(65, 2176, Some(8000)),
            size(257, 33_280, None),
        ],
    },
    Family {
        name: "comb",
        is_free: |side, cell| cell.x.is_multiple_of(2) || cell.y == side - 1,
        ends: |side| (Cell::new(0, 0), Cell::new((side - 1) & !1, 0)),
        is_solvable: true,
        sizes: &[
            size(3, 6, Some(6)),
            size(8, 20, Some(60)),
            size(16, 44, Some(280)),
            size(32, 92, Some(1300)),
            size(64, 188, Some(6700)),
            size(256, 1500, None),
        ],
    },
    Family {
        name: "one-cell rooms with doors",
        is_free: |_, cell| cell.x.is_multiple_of(2) || cell.y.is_multiple_of(2),
        ends: |side| (Cell::new(0, 0), Cell::new((side - 1) & !1, (side / 2) & !1)),
        is_solvable: true,
        sizes: &[
            size(1, 0, Some(0)),
            size(3, 2, Some(2)),
            size(8, 12, Some(12)),
            size(64, 150, Some(120)),
            size(255, 1100, Some(500)),
        ],
    },
    Family {
        name: "one-cell rooms without doors",
        is_free: |_, cell| cell.x.is_multiple_of(2) && cell.y.is_multiple_of(2),
        ends: |side| (Cell::new(0, 0), Cell::new((side - 1) & !1, (side - 1) & !1)),
        is_solvable: false,
        sizes: &[size(3, 0, Some(0)), size(64, 0, Some(0)), size(1024, 0, Some(0))],
    },
    Family {
        name: "goal behind a wall without a gap",
        is_free: |side, cell| cell.x != side / 2,
        ends: |side| (Cell::new(0, 0), Cell::new(side - 1, 0)),
        is_solvable: false,
        sizes: &[size(3, 0, Some(0)), size(64, 0, Some(0)), size(1024, 0, Some(0))],
    },
];
