//! The levels of an abstraction in a form that can be changed, and how they go back into a file.
//!
//! Nodes are numbered without gaps, as in a file: whoever reads a level need not know that it was edited.
//! Beside what a file has, the sums are kept that places are the means of, and the grid with its weights, for
//! their fingerprint in the next file.

use alloc::vec::Vec;

use surefoot::space::{Cell, CellWeights, Grid, GridSpace};
use surefoot::store::container::BuiltFor;

use super::AbstractionConfig;
use super::build::{Sections, Sum, place, put_all};
use super::level::{Level, NONE, place_bytes};
use super::lists::{Lists, pool_for};

/// The abstraction of a grid that changes.
#[derive(Clone)]
pub(super) struct Edited {
    /// The grid as it was when the abstraction was last repaired.
    pub(super) grid: Grid,
    /// The weights of its cells, if they have any.
    weights: Option<CellWeights>,
    /// What it was built for; the fingerprint is that of the first grid.
    pub(super) built_for: BuiltFor,
    pub(super) levels: Vec<EditedLevel>,
}

impl Edited {
    /// How long the longest pool of lists would be if these levels were to be changed.
    pub(super) fn longest_pool<'a>(levels: impl Iterator<Item = Level<'a>>) -> u64 {
        let pools = levels.skip(1).map(|level| {
            let nodes = 0..level.count() as u32;
            let children = pool_for(nodes.clone().map(|node| level.children(node).len()));
            children.max(pool_for(nodes.map(|node| level.edges(node).len())))
        });
        pools.max().unwrap_or(0)
    }

    /// The levels of a file, for a grid. Lists get their room in the order of nodes.
    pub(super) fn new<'a>(
        space: &GridSpace,
        built_for: BuiltFor,
        fraction_bits: u32,
        packed: impl Iterator<Item = Level<'a>>,
    ) -> Self {
        let mut levels: Vec<EditedLevel> = Vec::new();
        for level in packed {
            let nodes = 0..level.count() as u32;
            let mut edited = EditedLevel {
                parents: nodes.clone().map(|node| level.parent(node).to_le_bytes()).collect(),
                ..EditedLevel::default()
            };
            if let Some(lower) = levels.last() {
                let count = level.count();
                (edited.children, edited.edges) = (Lists::new(count), Lists::new(count));
                edited.sums = alloc::vec![(0, 0, 0); count];
                edited.places = alloc::vec![[0; 8]; count];
                for node in nodes {
                    edited.children.set(node, level.children(node));
                    let edges = level.edges(node);
                    edited.set_edges(
                        node,
                        edges.map(|edge| (level.target(edge), u32::from(level.capacities[edge]))),
                    );
                    let sum = add_up(&lower.sums, edited.children.of(node), space.grid().width());
                    edited.set_sum(node, sum, fraction_bits);
                }
            }
            levels.push(edited);
        }
        Self { grid: space.grid().clone(), weights: space.weights().cloned(), built_for, levels }
    }

    pub(super) fn levels(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn level(&self, level: usize) -> Level<'_> {
        let EditedLevel { parents, children, edges, capacities, places, .. } = &self.levels[level];
        Level {
            count: parents.len(),
            ranks: &[],
            parents,
            child_starts: &children.starts,
            child_ends: &children.ends,
            children: &children.pool,
            edge_starts: &edges.starts,
            edge_ends: &edges.ends,
            targets: &edges.pool,
            capacities,
            places,
            weights: &[],
        }
    }

    pub(super) fn edge_count(&self, level: usize) -> usize {
        self.levels[level].edges.total()
    }

    pub(super) fn ground_states(&self) -> u64 {
        self.grid.free_count()
    }

    /// What the next file is for: the grid as it is.
    pub(super) fn built_for(&self) -> BuiltFor {
        let weights = self.weights.as_ref();
        let fingerprint =
            weights.map_or_else(|| self.grid.fingerprint(), |weights| weights.fingerprint(&self.grid));
        BuiltFor { fingerprint, ..self.built_for.clone() }
    }

    /// Notes what became of a cell of the grid.
    pub(super) fn set_cell(&mut self, space: &GridSpace, cell: Cell) {
        let free = space.grid().is_free(cell);
        if let (Some(own), Some(given)) = (&mut self.weights, space.weights()) {
            own.copy_cell(given, cell);
        }
        if self.grid.is_free(cell) != free {
            self.grid.set(cell, free);
        }
    }

    /// The file.
    pub(super) fn pack(&self, config: AbstractionConfig) -> Vec<u8> {
        let mut sections = Sections::default();
        for level in &self.levels {
            sections.counts.push((level.parents.len() as u64, level.edges.total() as u64));
            sections.parents.extend_from_slice(level.parents.as_flattened());
            if sections.counts.len() == 1 {
                continue;
            }
            put_lists(&mut sections.children, &level.children);
            put_lists(&mut sections.edges, &level.edges);
            for node in 0..level.parents.len() as u32 {
                sections.capacities.extend_from_slice(&level.capacities[level.edges.range(node)]);
            }
            sections.places.extend_from_slice(level.places.as_flattened());
        }
        sections.into_file(config, &self.built_for())
    }
}

/// Where each list begins, and one more; then all lists.
fn put_lists(out: &mut Vec<u8>, lists: &Lists) {
    let mut end = 0;
    put_all(out, &[0]);
    let nodes = 0..lists.starts.len() as u32;
    for node in nodes.clone() {
        end += lists.range(node).len() as u32;
        put_all(out, &[end]);
    }
    for node in nodes {
        out.extend_from_slice(lists.pool[lists.range(node)].as_flattened());
    }
}

/// The sum of the ground states under some nodes of a level, from the sums of each; there are none on level
/// 0, whose nodes are the cells of a grid so wide.
pub(super) fn add_up(sums: &[Sum], nodes: impl Iterator<Item = u32>, width: u32) -> Sum {
    nodes.fold((0, 0, 0), |(x, y, count), node| {
        let cell = || (u64::from(node % width), u64::from(node / width), 1);
        let more = sums.get(node as usize).copied().unwrap_or_else(cell);
        (x + more.0, y + more.1, count + more.2)
    })
}

/// One level. Level 0 is the grid itself: of it only the parents are kept.
#[derive(Clone, Default)]
pub(super) struct EditedLevel {
    pub(super) parents: Vec<[u8; 4]>,
    pub(super) children: Lists,
    pub(super) edges: Lists,
    /// For each place in the pool of edges.
    capacities: Vec<u8>,
    pub(super) sums: Vec<Sum>,
    pub(super) places: Vec<[u8; 8]>,
}

impl EditedLevel {
    /// Another node, without parent, children and edges.
    pub(super) fn push(&mut self) -> u32 {
        let node = self.parents.len() as u32;
        self.parents.push(NONE.to_le_bytes());
        self.children.push();
        self.edges.push();
        self.sums.push((0, 0, 0));
        self.places.push([0; 8]);
        node
    }

    /// Notes the sum of the ground states under a node, of which there are some; says whether it was another.
    pub(super) fn set_sum(&mut self, node: u32, sum: Sum, fraction_bits: u32) -> bool {
        self.places[node as usize] = place_bytes(place(sum, fraction_bits));
        core::mem::replace(&mut self.sums[node as usize], sum) != sum
    }

    /// A node's edges: where they lead, and their capacities.
    pub(super) fn edges(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let capacities = &self.capacities[self.edges.range(node)];
        self.edges.of(node).zip(capacities.iter().map(|&capacity| u32::from(capacity)))
    }

    /// Writes a node's edges. Groups are cliques with orphans, so that no capacity exceeds sixteen.
    pub(super) fn set_edges(&mut self, node: u32, edges: impl ExactSizeIterator<Item = (u32, u32)> + Clone) {
        let start = self.edges.set(node, edges.clone().map(|(target, _)| target));
        self.capacities.resize(self.edges.pool.len(), 0);
        for (place, (_, capacity)) in self.capacities[start..].iter_mut().zip(edges) {
            *place = u8::try_from(capacity).unwrap_or(u8::MAX);
        }
    }

    /// Sets the capacity of one edge; without one there is no such edge.
    pub(super) fn set_edge(&mut self, node: u32, target: u32, capacity: Option<u32>) {
        let found = self.edges.find(node, target);
        if let (Ok(place), Some(capacity)) = (found, capacity) {
            self.capacities[place] = u8::try_from(capacity).unwrap_or(u8::MAX);
            return;
        }
        let mut edges: Vec<(u32, u32)> = self.edges(node).filter(|edge| edge.0 != target).collect();
        if let (Err(place), Some(capacity)) = (found, capacity) {
            edges.insert(place - self.edges.range(node).start, (target, capacity));
        }
        self.set_edges(node, edges.iter().copied());
    }

    /// Gives a node the number of another, which is lost. Its parent and its children are not told.
    pub(super) fn rename(&mut self, from: u32, to: u32) {
        let neighbours: Vec<(u32, u32)> = self.edges(from).collect();
        for &(next, capacity) in &neighbours {
            self.set_edge(next, from, None);
            self.set_edge(next, to, Some(capacity));
        }
        self.edges.rename(from, to);
        self.children.rename(from, to);
        let (from, to) = (from as usize, to as usize);
        self.parents[to] = self.parents[from];
        self.sums[to] = self.sums[from];
        self.places[to] = self.places[from];
    }

    /// Keeps the first nodes only.
    pub(super) fn truncate(&mut self, count: usize) {
        self.parents.truncate(count);
        self.children.truncate(count);
        self.edges.truncate(count);
        self.sums.truncate(count);
        self.places.truncate(count);
    }
}
