//! Searches to be measured, ours and others', behind one face.

use std::sync::Arc;

use grid_util::ValueGrid;
use grid_util::point::Point;
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use surefoot::search::{AStar, JumpPoints, Planner};
use surefoot::space::{Cell, Cost, GridSpace, Heuristic, State};
use surefoot_classics::abstraction::{Abstraction, AbstractionConfig};
use surefoot_classics::pra::PraStar;

/// A search that answers one problem after another on a map.
pub trait Rival {
    /// The name in tables.
    fn name(&self) -> &'static str;

    /// Whether it follows surefoot's rule and costs, so that its costs must be ours.
    fn has_our_costs(&self) -> bool {
        true
    }

    /// Gets ready for a map; not timed.
    fn prepare(&mut self, _space: &GridSpace) {}

    /// Finds a whole path and says what it costs; 0 where that is not told.
    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost>;
}

/// All of them; the first is what the others are compared with.
#[must_use]
pub fn all() -> Vec<Box<dyn Rival>> {
    vec![
        Box::new(PathfindingAStar),
        Box::new(GridPathfinding::default()),
        Box::new(HierarchicalPathfinding::default()),
        Box::new(OurAStar::default()),
        Box::new(OurJumpPoints::default()),
        Box::new(OurPraStar::default()),
    ]
}

/// The crate `pathfinding`, at its best: states are plain numbers, moves come from our table without
/// allocation, and the heuristic is ours.
pub struct PathfindingAStar;

impl Rival for PathfindingAStar {
    fn name(&self) -> &'static str {
        "pathfinding::astar"
    }

    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost> {
        let heuristic = space.octile();
        let (path, cost) = pathfinding::directed::astar::astar(
            &start,
            |&state| {
                space.moves(state).iter().map(move |to| (space.step(state, to), space.step_cost(state, to)))
            },
            |&state| heuristic.estimate(state, goal),
            |&state| state == goal,
        )?;
        std::hint::black_box(path);
        Some(cost)
    }
}

/// The crate `grid_pathfinding`. It cuts corners, so its paths are not ours, but its work is much the same.
#[derive(Default)]
pub struct GridPathfinding {
    grid: Option<grid_pathfinding::PathingGrid>,
}

impl Rival for GridPathfinding {
    fn name(&self) -> &'static str {
        "grid_pathfinding"
    }

    fn has_our_costs(&self) -> bool {
        false
    }

    fn prepare(&mut self, space: &GridSpace) {
        let (width, height) = (space.grid().width(), space.grid().height());
        let mut grid = grid_pathfinding::PathingGrid::new(width as usize, height as usize, true);
        for cell in space.grid().free_cells() {
            grid.set(cell.x as i32, cell.y as i32, false);
        }
        grid.generate_components();
        self.grid = Some(grid);
    }

    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost> {
        let point = |cell: Cell| Point::new(cell.x as i32, cell.y as i32);
        let path = self.grid.as_ref()?.get_path_single_goal(
            point(space.cell(start)),
            point(space.cell(goal)),
            false,
        )?;
        std::hint::black_box(path);
        Some(0)
    }
}

/// The crate `hierarchical_pathfinding`: HPA* with its default settings. It cuts corners, a diagonal move
/// costs as much as a straight one, and its paths are near-optimal. Its cache is built beforehand.
#[derive(Default)]
pub struct HierarchicalPathfinding {
    cache: Option<PathCache<MooreNeighborhood>>,
}

impl Rival for HierarchicalPathfinding {
    fn name(&self) -> &'static str {
        "hierarchical_pathfinding"
    }

    fn has_our_costs(&self) -> bool {
        false
    }

    fn prepare(&mut self, space: &GridSpace) {
        let (width, height) = (space.grid().width() as usize, space.grid().height() as usize);
        let neighborhood = MooreNeighborhood::new(width, height);
        let config = PathCacheConfig::default();
        self.cache = Some(PathCache::new((width, height), cost_of(space), neighborhood, config));
    }

    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost> {
        let point = |state: State| {
            let cell = space.cell(state);
            (cell.x as usize, cell.y as usize)
        };
        let path = self.cache.as_ref()?.find_path(point(start), point(goal), cost_of(space))?;
        std::hint::black_box(path.collect::<Vec<_>>());
        Some(0)
    }
}

/// What that crate asks of a cell: 1 to walk over it, less than 0 for a wall.
fn cost_of(space: &GridSpace) -> impl Fn((usize, usize)) -> isize + Sync + '_ {
    move |(x, y)| if space.grid().is_free(Cell::new(x as u32, y as u32)) { 1 } else { -1 }
}

/// Our A*.
#[derive(Default)]
pub struct OurAStar {
    search: AStar,
    /// States expanded so far.
    pub expanded: u64,
}

impl Rival for OurAStar {
    fn name(&self) -> &'static str {
        "surefoot a*"
    }

    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost> {
        let answer = self.search.find(space, &space.octile(), start, goal).ok()?;
        self.expanded += answer.counts.expanded;
        answer.cost()
    }
}

/// Our jump point search.
#[derive(Default)]
pub struct OurJumpPoints {
    search: JumpPoints,
}

impl Rival for OurJumpPoints {
    fn name(&self) -> &'static str {
        "surefoot jps"
    }

    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost> {
        self.search.find(space, start, goal).ok()?.cost()
    }
}

/// Our PRA*(∞). Its paths are near-optimal; the abstraction is built beforehand.
#[derive(Default)]
pub struct OurPraStar {
    search: Option<PraStar>,
}

impl Rival for OurPraStar {
    fn name(&self) -> &'static str {
        "surefoot pra*"
    }

    fn has_our_costs(&self) -> bool {
        false
    }

    fn prepare(&mut self, space: &GridSpace) {
        let abstraction = Abstraction::build(space, AbstractionConfig::default()).ok();
        self.search = abstraction.map(|abstraction| PraStar::new(Arc::new(abstraction)));
    }

    fn solve(&mut self, space: &GridSpace, start: State, goal: State) -> Option<Cost> {
        self.search.as_mut()?.plan(space, start, goal).ok()?.cost()
    }
}
