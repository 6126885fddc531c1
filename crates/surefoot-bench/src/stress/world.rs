//! Random worlds: maps of every shape and size, ground with and without weights, graphs, and edits.

use surefoot::space::{
    Cell, CellWeights, Cost, CostModel, Graph, Grid, GridSpace, Heuristic, MoveRule, State, TerrainSet,
};
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::random::Rng;

/// A number from `low` to `high`, both included.
pub fn between(random: &mut Rng, low: u64, high: u64) -> u64 {
    low + random.below(high - low + 1)
}

/// One of some values.
pub fn pick<T: Copy>(random: &mut Rng, values: &[T]) -> T {
    values[random.below(values.len() as u64) as usize]
}

/// How large maps are, and of what shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Mostly small, up to a few hundred cells a side.
    Any,
    /// Up to a hundred or so: for crowds, of which several are compared.
    Crowd,
    /// Tens to hundreds of cells a side.
    Large,
}

/// A map, drawn at random: from a single cell to hundreds a side, from all rock to all free.
pub fn draw_grid(random: &mut Rng, scale: Scale) -> Grid {
    let (width, height) = draw_size(random, scale);
    let seed = random.next_u64();
    let shape = random.below(12);
    let mut draws = Rng::new(seed, 1);
    let grid = match shape {
        0 => Grid::new(width, height),
        1 => Grid::from_fn(width, height, |_| true),
        // Free cells that do not touch, or at corners only.
        2 if draws.chance(0.5) => Grid::from_fn(width, height, |cell| cell.x % 2 == 0 && cell.y % 2 == 0),
        2 => Grid::from_fn(width, height, |cell| (cell.x + cell.y) % 2 == 0),
        3..=5 => {
            let density = pick(&mut draws, &[0.02, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99]);
            Grid::from_fn(width, height, |_| draws.chance(density))
        }
        // Walls with a door each: long ways round.
        6 => {
            let gap = between(&mut draws, 2, 6) as u32;
            Grid::from_fn(width, height, |cell| {
                let is_door = if (cell.x / gap).is_multiple_of(2) {
                    cell.y == 0
                } else {
                    cell.y == height.saturating_sub(1)
                };
                cell.x % gap != gap - 1 || is_door
            })
        }
        _ => {
            let kind = pick(&mut draws, &MapKind::ALL);
            generate(kind, width, height, seed).map(|map| map.grid(TerrainSet::GROUND))
        }
    };
    grid.expect("a map of this size can be made")
}

fn draw_size(random: &mut Rng, scale: Scale) -> (u32, u32) {
    let most = match (scale, random.below(100)) {
        (Scale::Large, part) => {
            let most = if part < 70 { 110 } else { 250 };
            return (between(random, 20, most) as u32, between(random, 20, most) as u32);
        }
        (_, 0..15) => 4,
        (_, 15..60) => 16,
        (_, 60..90) => 40,
        (Scale::Crowd, _) => 90,
        (Scale::Any, 90..98) => 110,
        (Scale::Any, _) => 300,
    };
    let (width, height) = (between(random, 1, most) as u32, between(random, 1, most) as u32);
    match random.below(40) {
        0 => (1, height * 3),
        1 => (width * 3, 1),
        2 => (1, 1),
        _ => (width, height),
    }
}

/// How heavy ground is, in few numbers, so that a call that needs it can be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Which of the many.
    pub seed: u64,
    /// The heaviest.
    pub most: u8,
    /// The side of patches of the same weight.
    pub patch: u32,
}

impl Ground {
    /// Weights that differ a little, or much, cell by cell or in patches.
    pub fn draw(random: &mut Rng) -> Self {
        let most = pick(random, &[1, 2, 5, 9, 60, 255]);
        Self { seed: random.next_u64(), most, patch: pick(random, &[1, 1, 3, 8]) }
    }

    /// The weights themselves; there is one under every rock, too.
    #[must_use]
    pub fn weights(&self, grid: &Grid) -> CellWeights {
        let weight = |cell: Cell| {
            let patch = u64::from(cell.y / self.patch) << 32 | u64::from(cell.x / self.patch);
            1 + Rng::new(self.seed, patch).below(self.most.into()) as u8
        };
        CellWeights::from_fn(grid.width(), grid.height(), weight).expect("weights of a map that there is")
    }
}

/// A rule and a cost model.
pub fn draw_moves(random: &mut Rng) -> (MoveRule, CostModel) {
    (pick(random, &MoveRule::ALL), pick(random, &CostModel::ALL))
}

/// A space on a map; `ground` says whether cells have weights.
#[must_use]
pub fn space_of(grid: Grid, (rule, costs): (MoveRule, CostModel), ground: Option<Ground>) -> GridSpace {
    match ground {
        None => GridSpace::new(grid, rule, costs),
        Some(ground) => {
            let weights = ground.weights(&grid);
            GridSpace::weighted(grid, rule, costs, weights).expect("weights for every cell")
        }
    }
}

/// Any cell of a map.
pub fn draw_cell(random: &mut Rng, grid: &Grid) -> Cell {
    Cell::new(random.below(grid.width().into()) as u32, random.below(grid.height().into()) as u32)
}

/// A free cell, if a few draws or else a search find one.
pub fn draw_free(random: &mut Rng, grid: &Grid) -> Option<Cell> {
    let drawn = (0..30).map(|_| draw_cell(random, grid)).find(|&cell| grid.is_free(cell));
    drawn.or_else(|| grid.free_cells().next())
}

/// A cell at most two away from another one.
pub fn draw_near(random: &mut Rng, grid: &Grid, cell: Cell) -> Cell {
    let step = |random: &mut Rng, at: u32| (at + random.below(5) as u32).saturating_sub(2);
    let (x, y) = (step(random, cell.x), step(random, cell.y));
    Cell::new(x.min(grid.width() - 1), y.min(grid.height() - 1))
}

/// Cells that change together: one, a few anywhere, a rectangle that becomes rock or free, or a wall with a
/// door.
pub fn draw_edit(random: &mut Rng, grid: &Grid, near: Option<Cell>) -> Vec<(Cell, bool)> {
    let toggled = |cell: Cell| (cell, !grid.is_free(cell));
    let centre = near.unwrap_or_else(|| draw_cell(random, grid));
    match random.below(10) {
        0..5 => vec![toggled(centre)],
        5 | 6 => {
            let count = between(random, 1, 4);
            (0..count).map(|_| toggled(draw_near(random, grid, centre))).collect()
        }
        7 => {
            let count = between(random, 1, 40);
            (0..count).map(|_| toggled(draw_cell(random, grid))).collect()
        }
        8 => {
            let free = random.chance(0.6);
            let (wide, high) = (between(random, 1, 6) as u32, between(random, 1, 6) as u32);
            let rows = centre.y..centre.y + high;
            let cells = rows.flat_map(|y| (centre.x..centre.x + wide).map(move |x| Cell::new(x, y)));
            cells.filter(|&cell| grid.contains(cell)).map(|cell| (cell, free)).collect()
        }
        _ => {
            let door = random.below(grid.height().into()) as u32;
            let wall = (0..grid.height()).map(|y| (Cell::new(centre.x, y), y == door));
            wall.collect()
        }
    }
}

/// A graph whose states lie in a plane: no edge costs less than its ends are apart.
#[derive(Clone, Debug)]
pub struct PlaneGraph {
    /// The graph.
    pub graph: Graph,
    /// What agents know of it.
    pub plane: Plane,
    /// Whether every edge leads back at the same cost.
    pub is_undirected: bool,
}

/// Where states lie; how far apart two are is a consistent estimate.
#[derive(Clone, Debug)]
pub struct Plane {
    places: Vec<(u32, u32)>,
    /// By what distances are multiplied; 0 for an estimate that knows nothing.
    scale: u32,
}

impl Heuristic for Plane {
    fn estimate(&self, from: State, to: State) -> Cost {
        let (a, b) = (self.places[from.index()], self.places[to.index()]);
        Cost::from(a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)) * self.scale)
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// A graph, directed or not, connected or not.
pub fn draw_graph(random: &mut Rng) -> PlaneGraph {
    let most = pick(random, &[3, 12, 40, 150]);
    let states = between(random, 1, most) as u32;
    let side = between(random, 1, 30);
    let places: Vec<(u32, u32)> =
        (0..states).map(|_| (random.below(side) as u32, random.below(side) as u32)).collect();
    let scale = pick(random, &[0, 1, 1, 3, 1_000_000]);
    let plane = Plane { places, scale };
    let is_undirected = random.chance(0.6);
    let extra = pick(random, &[1, 2, 10, 1000, 5_000_000]);
    let degree = pick(random, &[1, 2, 3, 6]);
    let mut edges = Vec::new();
    for _ in 0..u64::from(states) * degree {
        let (from, to) = (random.below(states.into()) as u32, random.below(states.into()) as u32);
        let cost = plane.estimate(State(from), State(to)) as u32 + between(random, 1, extra) as u32;
        edges.push((from, to, cost));
        if is_undirected && from != to {
            edges.push((to, from, cost));
        }
    }
    let graph = Graph::from_edges(states as usize, &edges).expect("edges between states, at a cost");
    PlaneGraph { graph, plane, is_undirected }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::space::{Guided, StateSpace as _, check_consistency};

    #[test]
    fn maps_are_of_all_sizes_and_densities_and_repeat() {
        let (mut rock, mut free, mut single, mut lines, mut large) = (0, 0, 0, 0, 0);
        for seed in 0..600 {
            let grid = draw_grid(&mut Rng::new(seed, 0), Scale::Any);
            assert_eq!(grid, draw_grid(&mut Rng::new(seed, 0), Scale::Any));
            rock += u32::from(grid.free_count() == 0);
            free += u32::from(grid.free_count() == grid.cell_count() as u64);
            single += u32::from(grid.cell_count() == 1);
            lines += u32::from((grid.width() == 1) != (grid.height() == 1));
            large += u32::from(grid.cell_count() > 10_000);
        }
        assert!(
            [rock, free, single, lines, large].iter().all(|&count| count > 2),
            "{rock} {free} {single} {lines} {large}"
        );
    }

    #[test]
    fn edits_stay_on_the_map() {
        for seed in 0..300 {
            let mut random = Rng::new(seed, 0);
            let grid = draw_grid(&mut random, Scale::Crowd);
            let edit = draw_edit(&mut random, &grid, None);
            assert!(!edit.is_empty() && edit.iter().all(|&(cell, _)| grid.contains(cell)));
        }
    }

    #[test]
    fn estimates_on_graphs_are_consistent() {
        for seed in 0..60 {
            let PlaneGraph { graph, plane, is_undirected } = draw_graph(&mut Rng::new(seed, 0));
            let world = Guided { space: graph, heuristic: plane };
            for goal in 0..world.state_limit().min(10) as u32 {
                assert_eq!(check_consistency(&world, &world.heuristic, State(goal)), Ok(()));
            }
            assert!(!is_undirected || world.is_reversible());
        }
    }
}
