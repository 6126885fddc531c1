//! Which cells become transit nodes.
//!
//! Around sampled cells it is seen which ways lead away, and nodes are chosen that most of them lead over (`cover.rs`). The map is worked on block by block, so that
//! memory does not grow with it: every other block first, then those between, which begin with the nodes that are there.

use alloc::vec::Vec;

use super::ball::Ball;
use super::config::{MOST_LEFT, TransitConfig};
use super::cover::{Tree, cover};
use super::nodes::Nodes;
use crate::database::draws::Draws;
use crate::database::parallel::in_parallel;
use crate::space::{Cell, GridSpace, State};

/// The side of a block.
const BLOCK: u32 = 512;
/// So many blocks are worked on at once.
const BLOCKS_AT_ONCE: usize = 4;
/// Of so many cells one is sampled, on maps that are not large.
const CELLS_A_SAMPLE: u64 = 64;
/// So many are sampled if there are as many, however small the map is.
const LEAST_SAMPLES: u64 = 2048;
/// Maps of more free cells than this are large.
const LARGE: u64 = 1 << 18;

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
    pub(super) legs: usize,
}

impl Effort {
    /// Large maps are looked at from fewer places, and nodes lie farther apart: so all takes little longer than in proportion to the cells.
    pub(super) fn new(space: &GridSpace, config: &TransitConfig) -> Self {
        let free = space.grid().free_count();
        // How much wider than that a large map is, and the square root of it, both in sixteenths.
        let wider = (free * 256 / LARGE).max(256).isqrt();
        let root = (wider * 16).isqrt();
        let (reach, left) = (config.reach() as u64 * wider / 16, u64::from(config.left).min(MOST_LEFT));
        Self {
            cells_a_sample: (CELLS_A_SAMPLE * wider * root / 256).min((free / LEAST_SAMPLES).max(1)),
            left: (left * root / 16).min(MOST_LEFT),
            reach: reach as usize,
            legs: (4 * reach * 16 / root) as usize,
        }
    }
}

/// The transit nodes of a map.
pub(super) fn choose(space: &GridSpace, effort: Effort) -> Vec<State> {
    let (width, height) = (space.grid().width(), space.grid().height());
    let mut chosen: Vec<State> = Vec::new();
    let reach = effort.reach;
    for turn in 0..4_u32 {
        let rows = (0..height.div_ceil(BLOCK)).filter(|row| row % 2 == turn / 2);
        let columns = |row: u32| {
            (0..width.div_ceil(BLOCK))
                .filter(|column| column % 2 == turn % 2)
                .map(move |column| (column, row))
        };
        let blocks: Vec<(u32, u32)> = rows.flat_map(columns).collect();
        for blocks in blocks.chunks(BLOCKS_AT_ONCE) {
            let nodes = Nodes::new(space, chosen.clone());
            let samples: Vec<Vec<State>> = blocks.iter().map(|&block| sample(space, block, effort)).collect();
            let all: Vec<State> = samples.iter().flatten().copied().collect();
            let mut trees = in_parallel(&all, Ball::default, |ball, &root| {
                Tree::new(ball, space, &nodes, root, ((reach / 16).max(1), reach, 3 * reach))
            })
            .into_iter();
            let lots: Vec<Vec<Tree>> =
                samples.iter().map(|samples| trees.by_ref().take(samples.len()).collect()).collect();
            let found = in_parallel(&lots, || (), |(), lot| cover(lot, effort.left));
            chosen.extend(found.into_iter().flatten());
            chosen.sort_unstable();
            chosen.dedup();
        }
    }
    chosen
}

/// The free cells of a block that are looked around from.
fn sample(space: &GridSpace, (column, row): (u32, u32), effort: Effort) -> Vec<State> {
    let free = cells_of_block(space, (column, row));
    let mut draws = Draws::new(u64::from(column) << 32 | u64::from(row), 0);
    let count = (free.len() as u64).div_ceil(effort.cells_a_sample);
    (0..count).map(|_| free[draws.below(free.len() as u64) as usize]).collect()
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
