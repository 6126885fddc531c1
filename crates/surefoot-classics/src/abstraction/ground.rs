//! The lowest level: the space itself.

use alloc::vec::Vec;

use surefoot::space::{Cost, GridSpace, State, StateSpace, World, sorting};

use super::cliques::Lower;

/// The states of a world as nodes. A grid is asked for its moves each time; of other spaces the edges are
/// listed once, each once, in order.
pub(super) enum GroundLevel<'a> {
    Grid(&'a GridSpace),
    Listed(Edges),
}

impl<'a> GroundLevel<'a> {
    pub(super) fn of(world: &'a impl World) -> Self {
        match world.octile_grid() {
            Some(space) => Self::Grid(space),
            None => Self::Listed(Edges::of(world)),
        }
    }
}

/// The moves of a world as they come; parallel ones come twice.
pub(super) struct Moves<'a, W>(pub(super) &'a W);

impl<W: World> Lower for Moves<'_, W> {
    fn count(&self) -> usize {
        self.0.state_limit()
    }

    fn for_each_neighbour(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        self.0.for_each_successor(State(node), |next, _| visit(next.0, 1));
    }

    fn are_adjacent(&self, a: u32, b: u32) -> bool {
        let mut found = false;
        self.for_each_neighbour(a, |next, _| found |= next == b);
        found
    }
}

impl Lower for &GridSpace {
    fn count(&self) -> usize {
        self.state_limit()
    }

    #[inline]
    fn for_each_neighbour(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        self.for_each_successor(State(node), |next, _| visit(next.0, 1));
    }

    #[inline]
    fn are_adjacent(&self, a: u32, b: u32) -> bool {
        let mut found = false;
        self.for_each_successor(State(a), |next, _| found |= next.0 == b);
        found
    }

    #[inline]
    fn degree(&self, node: u32) -> usize {
        self.moves(State(node)).0.count_ones() as usize
    }
}

/// Edges as a list of targets for each node, in order.
#[derive(Default)]
pub(super) struct Edges {
    pub(super) starts: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// How many edges of the level below each stands for; empty on the lowest.
    pub(super) capacities: Vec<u8>,
    /// Empty on grids.
    pub(super) weights: Vec<u32>,
}

impl Edges {
    /// The moves of a space without those that lead nowhere, and of parallel ones the cheapest.
    fn of(world: &impl World) -> Self {
        let mut edges = Self { starts: alloc::vec![0], ..Self::default() };
        let mut near: Vec<(u32, Cost)> = Vec::new();
        for node in 0..world.state_limit() as u32 {
            near.clear();
            if world.contains(State(node)) {
                world.for_each_successor(State(node), |next, cost| {
                    if next.0 != node {
                        near.push((next.0, cost));
                    }
                });
            }
            sorting::sort(&mut near);
            near.dedup_by_key(|edge| edge.0);
            for &(target, cost) in &near {
                edges.targets.push(target);
                edges.weights.push(u32::try_from(cost).unwrap_or(u32::MAX));
            }
            edges.starts.push(edges.targets.len() as u32);
        }
        edges
    }

    fn range(&self, node: u32) -> core::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }
}

impl Lower for Edges {
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    fn for_each_neighbour(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.range(node) {
            visit(self.targets[edge], self.weights.get(edge).copied().unwrap_or(1));
        }
    }

    fn are_adjacent(&self, a: u32, b: u32) -> bool {
        self.targets[self.range(a)].binary_search(&b).is_ok()
    }
}
