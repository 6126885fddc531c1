//! The maps, and the problems on them. All follow from fixed seeds.

use std::ops::ControlFlow;

use super::{
    Cell, CellWeights, Cost, CostModel, Dijkstra, Grid, GridSpace, MoveRule, State, TerrainMap, TerrainSet,
};
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::problems::{ProblemRequest, generate_problems};

/// A map with its problems.
pub(super) struct World {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) space: GridSpace,
    pub(super) problems: Vec<Problem>,
}

pub(super) struct Problem {
    pub(super) start: State,
    pub(super) goal: State,
    /// What a cheapest path costs, by Dijkstra's algorithm.
    pub(super) optimum: Cost,
}

/// What makes each map, in the order of the golden file and of the columns in `factors.rs`.
pub(super) const WORLDS: [fn() -> World; 6] = [open, rooms, maze, clutter, traps, country];

fn open() -> World {
    let is_free = |cell: Cell| !(cell.x % 17 / 3 == 3 && cell.y % 13 / 4 == 2);
    let grid = Grid::from_fn(72, 56, is_free).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    drawn("open", "open ground with a few blocks", space, 30.0)
}

fn rooms() -> World {
    let grid = ground(MapKind::Rooms, 72, 60).grid(TerrainSet::GROUND);
    drawn("rooms", "rooms with doors", GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2), 40.0)
}

fn maze() -> World {
    let grid = ground(MapKind::Maze, 41, 35).grid(TerrainSet::GROUND);
    drawn("maze", "a perfect maze", GridSpace::new(grid, MoveRule::Cardinal, CostModel::Diagonal14), 60.0)
}

fn clutter() -> World {
    let grid = ground(MapKind::Random, 72, 60).grid(TerrainSet::GROUND);
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    drawn("clutter", "35 % of the cells blocked by chance", space, 40.0)
}

/// Where who goes by what looks near gets into trouble: deep dead ends, a wall with a gap at its far end, a comb of pockets.
fn traps() -> World {
    /// Left, top, width and height.
    const WALLS: [(u32, u32, u32, u32); 16] = [
        // Two dead ends, one within the other, open to the west.
        (12, 4, 24, 1),
        (35, 4, 1, 25),
        (12, 28, 24, 1),
        (20, 10, 10, 1),
        (29, 10, 1, 13),
        (20, 22, 10, 1),
        // A wall from the top, with a gap at the bottom.
        (44, 0, 1, 44),
        // A room whose door is on the far side.
        (50, 10, 10, 1),
        (50, 10, 1, 12),
        (50, 21, 10, 1),
        (59, 10, 1, 5),
        (59, 16, 1, 6),
        // A comb of pockets that are open at the top.
        (6, 42, 30, 1),
        (6, 34, 1, 9),
        (16, 34, 1, 9),
        (26, 34, 1, 9),
    ];
    /// Start and goal.
    const ENDS: [((u32, u32), (u32, u32)); 6] = [
        ((27, 16), (40, 16)),
        ((3, 16), (63, 15)),
        ((63, 2), (33, 26)),
        ((11, 40), (12, 45)),
        ((62, 16), (56, 15)),
        ((21, 41), (25, 13)),
    ];
    let is_wall = |cell: Cell| {
        WALLS.iter().any(|&(x, y, width, height)| {
            (x..x + width).contains(&cell.x) && (y..y + height).contains(&cell.y)
        })
    };
    let grid = Grid::from_fn(66, 47, |cell| !is_wall(cell)).unwrap();
    let space = GridSpace::new(grid, MoveRule::OneFree, CostModel::Sqrt2);
    let state = |(x, y)| space.state_at(Cell::new(x, y)).unwrap();
    let problems = ENDS.iter().map(|&(start, goal)| problem(&space, state(start), state(goal))).collect();
    World { name: "traps", about: "dead ends, and a wall with a gap at its far end", space, problems }
}

fn country() -> World {
    let (width, height) = (160, 120);
    let map = ground(MapKind::Game, width, height);
    let weight = |cell: Cell| match map.letter(cell) {
        // Paths cross the fields now and then.
        Some(b'.') if cell.x % 24 == 7 || cell.y % 20 == 11 => 2,
        Some(b'.') => 3,
        _ => 8,
    };
    let weights = CellWeights::from_fn(width, height, weight).unwrap();
    let grid = map.grid(TerrainSet::GROUND);
    let space = GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap();
    drawn("country", "a game's map; fields weigh 3, paths 2, swamps 8", space, 250.0)
}

fn ground(kind: MapKind, width: u32, height: u32) -> TerrainMap {
    generate(kind, width, height, 7).unwrap()
}

/// A map with a few problems whose cheapest paths cost so much at least.
fn drawn(name: &'static str, about: &'static str, space: GridSpace, min_cost: f64) -> World {
    let request = ProblemRequest { count: 8, min_cost, max_cost: 1e6, seed: 3, per_bucket: false };
    let drawn = generate_problems(&space, &request, &mut |_, _| ControlFlow::Continue(())).unwrap();
    let state = |cell| space.state_at(cell).unwrap();
    let problems = drawn.iter().map(|drawn| problem(&space, state(drawn.start), state(drawn.goal))).collect();
    World { name, about, space, problems }
}

fn problem(space: &GridSpace, start: State, goal: State) -> Problem {
    let optimum = Dijkstra::new().find(space, start, goal).unwrap().cost();
    Problem { start, goal, optimum: optimum.expect("there is a way") }
}
