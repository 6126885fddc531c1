//! Which cells become transit nodes.
//!
//! Around sampled cells it is seen which ways lead away, and nodes are chosen that most of them lead over
//! (`cover.rs`). The map is worked on block by block, so that memory does not grow with it: every other block
//! first, then those between, which begin with the nodes that are there. Where ground has no weights all of
//! it goes over corners (`corners.rs`), else over cells.

use alloc::vec::Vec;

use super::ball::Ball;
use super::config::{MOST_LEFT, TransitConfig};
use super::cover::{Tree, cover};
use super::nodes::Nodes;
use super::tuning::{
    BLOCK, BLOCKS_AT_ONCE, CELLS_A_SAMPLE, FAR_LEGS, LARGE, LEAST_SAMPLES, LEGS, MOST_CORNERS,
};
use super::walks::{Extent, WalkGraph, least_radius};
use crate::space::{Cell, Cost, GridSpace, State, StateSpace as _, sorting};
use crate::store::draws::Draws;
use crate::store::parallel::in_parallel;

/// How thoroughly a map is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Of so many cells one is sampled.
    cells_a_sample: u64,
    /// How many ten-thousandths of ways may be left uncovered.
    left: u64,
    /// How many states are looked at around either end of a way.
    pub(super) reach: usize,
    /// How many states are looked at around a node, for legs.
    legs: usize,
}

impl Effort {
    /// Large maps are looked at from fewer places, and nodes lie farther apart: so all takes little longer
    /// than in proportion to the cells. Where searches go over corners they are cheap: then legs lead
    /// farther, and fewer ways are left.
    pub(super) fn new(space: &GridSpace, config: &TransitConfig, is_over_corners: bool) -> Self {
        let free = space.grid().free_count();
        // How much wider than that a large map is, and the square root of it, both in sixteenths.
        let wider = (free * 256 / LARGE).max(256).isqrt();
        let root = (wider * 16).isqrt();
        let (reach, left) = (config.reach() as u64 * wider / 16, u64::from(config.left).min(MOST_LEFT));
        Self {
            cells_a_sample: (CELLS_A_SAMPLE * wider * root / 256).min((free / LEAST_SAMPLES).max(1)),
            left: if is_over_corners { left } else { (left * root / 16).min(MOST_LEFT) },
            reach: reach as usize,
            legs: if is_over_corners { FAR_LEGS * reach } else { LEGS * reach * 16 / root } as usize,
        }
    }

    /// What searches over cells look at.
    pub(super) fn over_cells(&self) -> Extents {
        let [near, inner, outer, legs] =
            [(self.reach / 16).max(1), self.reach, 3 * self.reach, self.legs].map(Extent::Count);
        Extents { near, inner, outer, legs }
    }

    /// The same over corners: as far as so many cells are, if the map is as full everywhere.
    pub(super) fn over_corners(&self, space: &GridSpace) -> Extents {
        let extent = |cells: usize| Extent::Cost(radius(space, cells));
        Extents {
            near: extent((self.reach / 16).max(1)),
            inner: extent(self.reach),
            outer: extent(3 * self.reach),
            legs: Extent::Both(radius(space, self.legs), MOST_CORNERS),
        }
    }

    /// How far apart places on wide ground are: some of them are within reach of each cell.
    pub(super) fn spacing(&self, space: &GridSpace) -> u32 {
        let moves = radius(space, self.reach) / space.cheapest_move().max(1);
        1 << (moves * 2 / 7).clamp(8, 1 << 12).ilog2()
    }
}

/// What the farthest of so many cells cost, if the map is as full everywhere.
fn radius(space: &GridSpace, cells: usize) -> Cost {
    let (free, all) = (space.grid().free_count().max(1), space.state_limit() as u64);
    least_radius(space, (cells as u64).saturating_mul(all) / free)
}

/// What is looked at around a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extents {
    /// What lies there is too near to be a node.
    near: Extent,
    /// Here nodes are chosen.
    inner: Extent,
    /// Ways that lead farther are to lead over one.
    outer: Extent,
    /// As far as legs are looked for.
    pub(super) legs: Extent,
}

/// The transit nodes of a map, on what searches go over.
pub(super) fn choose(
    space: &GridSpace,
    ground: &impl WalkGraph,
    (effort, extents): (Effort, Extents),
) -> Vec<State> {
    let (width, height) = (space.grid().width(), space.grid().height());
    let mut chosen: Vec<State> = Vec::new();
    for turn in 0..4_u32 {
        let rows = (0..height.div_ceil(BLOCK)).filter(|row| row % 2 == turn / 2);
        let columns = |row: u32| {
            (0..width.div_ceil(BLOCK))
                .filter(|column| column % 2 == turn % 2)
                .map(move |column| (column, row))
        };
        let blocks: Vec<(u32, u32)> = rows.flat_map(columns).collect();
        for blocks in blocks.chunks(BLOCKS_AT_ONCE) {
            let nodes = Nodes::new(ground.limit(), chosen.clone());
            let samples: Vec<Vec<State>> =
                blocks.iter().map(|&block| sample(space, ground, block, effort)).collect();
            let all: Vec<State> = samples.iter().flatten().copied().collect();
            let mut trees = in_parallel(&all, Ball::default, |ball, &root| {
                Tree::new(ball, ground, &nodes, root, (extents.near, extents.inner, extents.outer))
            })
            .into_iter();
            let lots: Vec<Vec<Tree>> =
                samples.iter().map(|samples| trees.by_ref().take(samples.len()).collect()).collect();
            let found = in_parallel(&lots, || (), |(), lot| cover(lot, effort.left));
            chosen.extend(found.into_iter().flatten());
            sorting::sort(&mut chosen);
            chosen.dedup();
        }
    }
    chosen
}

/// The places of a block that are looked around from.
fn sample(
    space: &GridSpace,
    ground: &impl WalkGraph,
    (column, row): (u32, u32),
    effort: Effort,
) -> Vec<State> {
    let cells = cells_of_block(space, (column, row)).len() as u64;
    let states = ground.states_of_block((column, row));
    let mut draws = Draws::new(u64::from(column) << 32 | u64::from(row), 0);
    let count = if states.is_empty() { 0 } else { cells.div_ceil(effort.cells_a_sample) };
    (0..count).map(|_| states[draws.below(states.len() as u64) as usize]).collect()
}

/// The free cells of a block.
pub(super) fn cells_of_block(space: &GridSpace, (column, row): (u32, u32)) -> Vec<State> {
    let grid = space.grid();
    let span = |number: u32, side: u32| number * BLOCK..(number + 1).saturating_mul(BLOCK).min(side);
    let mut free = Vec::new();
    for y in span(row, grid.height()) {
        let cells = span(column, grid.width()).map(|x| Cell::new(x, y));
        free.extend(cells.filter(|&cell| grid.is_free(cell)).map(|cell| space.state(cell)));
    }
    free
}

/// The blocks of a map.
pub(super) fn blocks(space: &GridSpace) -> Vec<(u32, u32)> {
    let (columns, rows) = (space.grid().width().div_ceil(BLOCK), space.grid().height().div_ceil(BLOCK));
    (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).collect()
}
