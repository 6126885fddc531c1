//! Level upon level, until no two nodes are neighbours. Each level is gone over a fixed number of times, and
//! has about a third of the nodes of the one below: on maps of 0.1 to 10 million states the time for each
//! state is the same. (The paper: there are graphs whose levels hardly shrink, but they do not occur in
//! practice.)

use alloc::vec::Vec;
use alloc::{format, vec};

use surefoot::space::{GridSpace, State, World, sorting};
use surefoot::store::codec::put_number;
use surefoot::store::container::{BuiltFor, Container, DatabaseError};

use super::cliques::{Groups, Lower};
use super::ground::{Edges, GroundLevel};
use super::level::{NONE, NodePlace};
use super::{AbstractionConfig, CONTENTS, fraction_bits};

/// The sections of a file in the making.
#[derive(Default)]
pub(super) struct Sections {
    /// Nodes and edges of each level.
    pub(super) counts: Vec<(u64, u64)>,
    /// Of every node, those of the lowest level included.
    pub(super) parents: Vec<u8>,
    pub(super) children: Vec<u8>,
    pub(super) edges: Vec<u8>,
    pub(super) capacities: Vec<u8>,
    pub(super) places: Vec<u8>,
    weights: Vec<u8>,
}

/// The sum of the coordinates of the ground states under a node, and how many they are.
pub(super) type Sum = (u64, u64, u64);

pub(super) fn put_all(out: &mut Vec<u8>, numbers: &[u32]) {
    out.reserve(numbers.len() * 4);
    for number in numbers {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

/// Builds an abstraction, as the bytes of its file.
pub(super) fn build(world: &impl World, config: AbstractionConfig) -> Result<Vec<u8>, DatabaseError> {
    if !world.is_reversible() {
        let problem = "an abstraction needs moves that can be undone at the same cost";
        return Err(DatabaseError::Unsuitable { problem });
    }
    let grid = world.octile_grid();
    let aligned = grid.filter(|_| config.aligned);
    let mut sections = Sections::default();
    let (mut edges, mut sums) = match GroundLevel::of(world) {
        GroundLevel::Grid(space) => {
            let of_state = |node: u32| {
                let cell = space.cell(State(node));
                (u64::from(cell.x), u64::from(cell.y), 1)
            };
            sections.raise(&space, of_state, aligned, grid)?
        }
        GroundLevel::Listed(listed) => sections.raise(&listed, |_| (0, 0, 1), None, None)?,
    };
    // A level without edges is the last one.
    while let Some(lower) = edges {
        (edges, sums) = sections.raise(&lower, |node| sums[node as usize], aligned, grid)?;
    }
    Ok(sections.into_file(config, &BuiltFor::of(world)))
}

impl Sections {
    /// The file, once all levels are in it.
    pub(super) fn into_file(self, config: AbstractionConfig, built_for: &BuiltFor) -> Vec<u8> {
        let mut head = config.to_bytes();
        put_number(&mut head, self.counts.len() as u64);
        for (nodes, edges) in &self.counts {
            put_number(&mut head, *nodes);
            put_number(&mut head, *edges);
        }
        let (ranks, parents) = without_the_parentless(&self.parents, built_for.states as usize);
        let sections = [
            (*b"conf", head),
            (*b"rank", ranks),
            (*b"prnt", parents),
            (*b"kids", self.children),
            (*b"edge", self.edges),
            (*b"caps", self.capacities),
            (*b"plac", self.places),
            (*b"wght", self.weights),
        ];
        Container::write(CONTENTS, built_for, &sections)
    }

    /// Writes the parents of a level and, if it has any, all of the level above. Gives the edges of that
    /// level and the sums of its nodes. `None` if this is the last one.
    fn raise(
        &mut self,
        lower: &impl Lower,
        sum_of: impl Fn(u32) -> Sum,
        aligned: Option<&GridSpace>,
        grid: Option<&GridSpace>,
    ) -> Result<(Option<Edges>, Vec<Sum>), DatabaseError> {
        let level = self.counts.len();
        if level == 0 {
            if lower.count() >= NONE as usize {
                return Err(DatabaseError::TooLarge { problem: format!("{} states", lower.count()) });
            }
            self.counts.push((lower.count() as u64, 0));
        }
        let level = level.max(1) as u32 - 1;
        let groups = match aligned {
            Some(space) => Groups::new(lower, Blocks::new(space, &self.parents, &self.counts, level)),
            None => Groups::new(lower, core::iter::empty()),
        };
        put_all(&mut self.parents, &groups.of);
        if groups.count == 0 {
            return Ok((None, Vec::new()));
        }
        let (starts, children) = children_of(&groups);
        let mut sums: Vec<Sum> = Vec::with_capacity(groups.count as usize);
        for group in 0..groups.count as usize {
            let members = &children[starts[group] as usize..starts[group + 1] as usize];
            sums.push(members.iter().fold((0, 0, 0), |(x, y, count), &member| {
                let more = sum_of(member);
                (x + more.0, y + more.1, count + more.2)
            }));
        }
        let edges = lift(lower, &groups, (&starts, &children), grid.is_none())?;
        put_all(&mut self.children, &starts);
        put_all(&mut self.children, &children);
        put_all(&mut self.edges, &edges.starts);
        put_all(&mut self.edges, &edges.targets);
        self.capacities.extend_from_slice(&edges.capacities);
        put_all(&mut self.weights, &edges.weights);
        if let Some(space) = grid {
            let bits = fraction_bits((space.grid().width(), space.grid().height()));
            for sum in &sums {
                let (x, y) = place(*sum, bits);
                put_all(&mut self.places, &[x, y]);
            }
        }
        self.counts.push((u64::from(groups.count), edges.targets.len() as u64));
        Ok((Some(edges), sums))
    }
}

/// Leaves out of the parents of the lowest level those that are none. Gives the ranks that tell which are
/// left, and all parents.
fn without_the_parentless(parents: &[u8], states: usize) -> (Vec<u8>, Vec<u8>) {
    let (ground, rest) = parents.split_at(states * 4);
    let (mut ranks, mut kept) = (Vec::with_capacity(states / 64 * 12 + 12), Vec::new());
    for block in ground.chunks(64 * 4) {
        let before = (kept.len() / 4) as u32;
        let mut bits = 0_u64;
        for (place, parent) in block.chunks_exact(4).enumerate() {
            if parent != NONE.to_le_bytes() {
                bits |= 1 << place;
                kept.extend_from_slice(parent);
            }
        }
        ranks.extend_from_slice(&bits.to_le_bytes());
        ranks.extend_from_slice(&before.to_le_bytes());
    }
    kept.extend_from_slice(rest);
    (ranks, kept)
}

/// The mean of the ground states under a node, in fractions of a cell.
pub(super) fn place((x, y, count): Sum, bits: u32) -> NodePlace {
    let mean = |sum: u64| (((sum << bits) + count / 2) / count) as u32;
    (mean(x), mean(y))
}

/// The members of all groups in order, and where those of each group begin.
fn children_of(groups: &Groups) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; groups.count as usize + 1];
    for &group in groups.of.iter().filter(|&&group| group != NONE) {
        starts[group as usize + 1] += 1;
    }
    for group in 0..groups.count as usize {
        starts[group + 1] += starts[group];
    }
    let mut next = starts.clone();
    let mut children = vec![0; starts[groups.count as usize] as usize];
    for (node, &group) in groups.of.iter().enumerate().filter(|&(_, &group)| group != NONE) {
        let place = &mut next[group as usize];
        children[*place as usize] = node as u32;
        *place += 1;
    }
    (starts, children)
}

/// The edges between groups: one wherever there is one between their members. Its capacity is the number of
/// those, its weight, where there are no places to tell it, their mean.
fn lift(
    lower: &impl Lower,
    groups: &Groups,
    (starts, children): (&[u32], &[u32]),
    has_weights: bool,
) -> Result<Edges, DatabaseError> {
    let mut edges = Edges { starts: vec![0], ..Edges::default() };
    // For each group met from the one at hand: who met it last, and where it is in the list.
    let mut met: Vec<(u32, u32)> = vec![(NONE, 0); groups.count as usize];
    let mut near: Vec<(u32, u32, u64)> = Vec::new();
    for group in 0..groups.count {
        near.clear();
        let members = starts[group as usize] as usize..starts[group as usize + 1] as usize;
        for &member in &children[members] {
            lower.for_each_neighbour(member, |next, weight| {
                let other = groups.of[next as usize];
                if other == group {
                    return;
                }
                let (by, place) = &mut met[other as usize];
                if *by != group {
                    (*by, *place) = (group, near.len() as u32);
                    near.push((other, 0, 0));
                }
                let (_, capacity, weights) = &mut near[*place as usize];
                *capacity += 1;
                *weights += u64::from(weight);
            });
        }
        sorting::sort(&mut near);
        for &(other, capacity, weights) in &near {
            edges.targets.push(other);
            // Four members at most have edges that leave a group: no more than sixteen join two of them.
            edges.capacities.push(capacity.min(255) as u8);
            if has_weights {
                edges.weights.push((weights / u64::from(capacity)).clamp(1, u64::from(u32::MAX)) as u32);
            }
        }
        let end = u32::try_from(edges.targets.len())
            .map_err(|_| DatabaseError::TooLarge { problem: format!("{} edges", edges.targets.len()) })?;
        edges.starts.push(end);
    }
    Ok(edges)
}

/// The fours of nodes of the aligned pass: the ancestors of cells that lie two to the power of the level
/// apart, block by block.
struct Blocks<'a> {
    space: &'a GridSpace,
    parents: &'a [u8],
    /// Where the parents of each level below begin.
    starts: Vec<usize>,
    level: u32,
    /// The next block.
    at: (u64, u64),
}

impl<'a> Blocks<'a> {
    fn new(space: &'a GridSpace, parents: &'a [u8], counts: &[(u64, u64)], level: u32) -> Self {
        let mut starts = vec![0];
        for (nodes, _) in counts {
            starts.push(starts[starts.len() - 1] + *nodes as usize * 4);
        }
        Self { space, parents, starts, level, at: (0, 0) }
    }

    fn ancestor(&self, x: u64, y: u64) -> u32 {
        let (width, height) = (u64::from(self.space.grid().width()), u64::from(self.space.grid().height()));
        if x >= width || y >= height {
            return NONE;
        }
        let mut node = (y * width + x) as u32;
        for level in 0..self.level as usize {
            let at = self.starts[level] + node as usize * 4;
            node = self
                .parents
                .get(at..at + 4)
                .map_or(NONE, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            if node == NONE {
                break;
            }
        }
        node
    }
}

impl Iterator for Blocks<'_> {
    type Item = [u32; 4];

    fn next(&mut self) -> Option<[u32; 4]> {
        let (side, stride) = (1_u64 << self.level.min(32), 2_u64 << self.level.min(32));
        let (x, y) = self.at;
        if y >= u64::from(self.space.grid().height()) {
            return None;
        }
        self.at =
            if x + stride < u64::from(self.space.grid().width()) { (x + stride, y) } else { (0, y + stride) };
        Some([(x, y), (x + side, y), (x, y + side), (x + side, y + side)].map(|(x, y)| self.ancestor(x, y)))
    }
}
