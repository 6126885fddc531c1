//! What makes sure that transit nodes serve the whole map: each cell has one within reach, and wherever the
//! map has a way, legs have one.

use alloc::vec;
use alloc::vec::Vec;

use super::ball::Ball;
use super::choose::{blocks, cells_of_block};
use super::corners::CornerGraph;
use super::legs::FoundLegs;
use super::nodes::Nodes;
use super::walks::{Extent, WalkGraph as _, least_radius};
use crate::space::{GridSpace, State};
use crate::store::parallel::in_parallel;

/// So many nodes are looked around from before it is noted which cells they are near to.
const NODES_AT_ONCE: usize = 4096;

/// The legs around some nodes. A cell is marked in `is_near` if one of them is within its reach for certain.
pub(super) fn find_legs(
    space: &GridSpace,
    nodes: &Nodes,
    of: &[State],
    (extent, reach): (Extent, usize),
    is_near: &mut Bits,
) -> Vec<FoundLegs> {
    let mut all = Vec::with_capacity(of.len());
    for some in of.chunks(NODES_AT_ONCE) {
        let found = in_parallel(some, Ball::default, |ball, &root| {
            ball.begin_at(space, root);
            ball.grow(space, Some(nodes), extent);
            (FoundLegs::of(ball, space), near(ball, reach))
        });
        for (legs, near) in found {
            near.into_iter().for_each(|state| is_near.set(state));
            all.push(legs);
        }
    }
    all
}

/// The same for some corners, which are the nodes; over the legs between corners.
pub(super) fn find_legs_over(
    space: &GridSpace,
    graph: &CornerGraph,
    of: &[State],
    extent: Extent,
) -> Vec<FoundLegs> {
    let nodes = Nodes::new(graph.limit(), of.to_vec());
    in_parallel(of, Ball::default, |ball, &root| {
        ball.begin_at(graph, root);
        ball.grow(graph, Some(&nodes), extent);
        FoundLegs::over(ball, space, graph)
    })
}

/// Marks the cells that have a node within reach for certain: there are not so many cells that are nearer,
/// whatever lies around.
pub(super) fn mark_near(space: &GridSpace, nodes: &Nodes, reach: usize, is_near: &mut Bits) {
    let most = least_radius(space, reach as u64);
    let marked = in_parallel(&blocks(space), Ball::default, |ball, &block| {
        let of_block = cells_of_block(space, block).into_iter().filter(|&state| nodes.is_at(state));
        ball.begin(space, of_block);
        // What is settled before a node may cost as much as it, and the width of a bucket.
        let most = most.saturating_sub(ball.width());
        ball.grow(space, None, Extent::Cost(most));
        let near = ball.order().iter().map(|&place| ball.at(place)).filter(|entry| entry.cost <= most);
        near.map(|entry| entry.state).collect::<Vec<State>>()
    });
    marked.into_iter().flatten().for_each(|state| is_near.set(state));
}

/// The cells that have the middle of a ball within reach: what is at most half as far as all that costs less
/// is among the first `reach` states. Around such a cell no more than these are settled before the middle.
fn near(ball: &Ball, reach: usize) -> Vec<State> {
    let order = &ball.order()[..ball.len().min(reach)];
    let is_all = ball.len() < reach && ball.is_closed();
    let most = ball.radius(reach).checked_sub(ball.width()).map(|cost| cost / 2);
    let entries = order.iter().map(|&place| ball.at(place));
    entries
        .filter(|entry| is_all || entry.cost == 0 || most.is_some_and(|most| entry.cost <= most))
        .map(|entry| entry.state)
        .collect()
}

/// Cells that have no node within reach though their component is larger: enough of them that, as nodes, they
/// are near to all.
pub(super) fn far_cells(space: &GridSpace, nodes: &Nodes, reach: usize, is_near: &Bits) -> Vec<State> {
    let far = in_parallel(&blocks(space), Ball::default, |ball, &block| {
        let cells = cells_of_block(space, block);
        let (mut far, mut is_served) = (Vec::new(), vec![false; cells.len()]);
        for (at, &state) in cells.iter().enumerate() {
            if is_served[at] || is_near.get(state) || !is_component_large(space, state, reach) {
                continue;
            }
            let most = if has_node(ball, space, nodes, state, reach) {
                // Cells around have no more states as near as that node, as far as all of them are in this
                // ball.
                let node = ball.last_cost() + ball.width();
                while ball.len() < reach && ball.settle(space, None).is_some() {}
                ball.radius(reach).saturating_sub(node) / 2
            } else {
                // This cell becomes a node, which is near to those around.
                far.push(state);
                ball.radius(reach).saturating_sub(ball.width()) / 2
            };
            let around = ball.order().iter().map(|&place| ball.at(place));
            for near in around.filter(|near| near.cost <= most) {
                if let Ok(at) = cells.binary_search(&near.state) {
                    is_served[at] = true;
                }
            }
        }
        far
    });
    far.into_iter().flatten().collect()
}

/// Whether a search from a state would not see all that can be reached from there.
fn is_component_large(space: &GridSpace, state: State, reach: usize) -> bool {
    let components = space.components();
    components.of(space.cell(state)).is_some_and(|component| components.size(component) > reach as u64)
}

/// Whether there is a node within reach of a state.
pub(super) fn has_node(
    ball: &mut Ball,
    space: &GridSpace,
    nodes: &Nodes,
    state: State,
    reach: usize,
) -> bool {
    ball.begin_at(space, state);
    while ball.access().is_empty() {
        if ball.len() >= reach || ball.settle(space, Some(nodes)).is_none() {
            return false;
        }
    }
    true
}

/// Which nodes are connected by legs.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    parents: Vec<u32>,
    sizes: Vec<u32>,
}

impl Groups {
    pub(super) fn new(nodes: usize) -> Self {
        Self { parents: (0..nodes as u32).collect(), sizes: vec![1; nodes] }
    }

    pub(super) fn of(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let parent = self.parents[node as usize];
            self.parents[node as usize] = self.parents[parent as usize];
            node = parent;
        }
        node
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        let (root, other) =
            if (self.sizes[a as usize], b) >= (self.sizes[b as usize], a) { (a, b) } else { (b, a) };
        if root != other {
            self.parents[other as usize] = root;
            self.sizes[root as usize] += self.sizes[other as usize];
        }
    }

    /// A group that is not connected with all of its component of the map, and not the largest there: its
    /// nodes.
    pub(super) fn next_apart(&mut self, space: &GridSpace, nodes: &Nodes) -> Option<Vec<u32>> {
        // For each component the group with the most nodes.
        let mut largest = vec![u32::MAX; space.components().count()];
        let mut apart = None;
        for node in 0..nodes.len() as u32 {
            let component = nodes.state(node).and_then(|state| space.components().of(space.cell(state)));
            let Some(component) = component else { continue };
            let group = self.of(node);
            let known = &mut largest[component as usize];
            if *known == u32::MAX {
                *known = group;
            } else if *known != group {
                let (more, less) = if self.sizes[*known as usize] >= self.sizes[group as usize] {
                    (*known, group)
                } else {
                    (group, *known)
                };
                *known = more;
                apart.get_or_insert(less);
            }
        }
        let apart = apart?;
        Some((0..nodes.len() as u32).filter(|&node| self.of(node) == apart).collect())
    }
}

/// A search for a leg from some nodes, which are connected, to any other.
#[derive(Clone, Debug, Default)]
pub(super) struct Joining {
    ball: Ball,
    group: u32,
}

impl Joining {
    pub(super) fn new(space: &GridSpace, nodes: &Nodes, groups: &mut Groups, apart: &[u32]) -> Self {
        let mut ball = Ball::default();
        ball.begin(space, apart.iter().filter_map(|&node| nodes.state(node)));
        Self { ball, group: apart.first().map_or(0, |&node| groups.of(node)) }
    }

    /// Looks at the next state. The leg, once it is found: the node that it begins at, and the leg. `Err` if
    /// there is none.
    pub(super) fn work_on(
        &mut self,
        space: &GridSpace,
        nodes: &Nodes,
        groups: &mut Groups,
    ) -> Result<Option<(u32, u32, FoundLegs)>, ()> {
        let place = self.ball.settle(space, None).ok_or(())?;
        let Some(to) = nodes.at(self.ball.at(place).state).filter(|&to| groups.of(to) != self.group) else {
            return Ok(None);
        };
        let root = self.ball.back(place).last().and_then(|root| nodes.at(root)).ok_or(())?;
        let mut found = FoundLegs::default();
        found.add(&self.ball, space, place);
        Ok(Some((root, to, found)))
    }
}

/// A bit for each state.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(states: usize) -> Self {
        Self(vec![0; states.div_ceil(64)])
    }

    fn set(&mut self, state: State) {
        self.0[state.index() / 64] |= 1 << (state.0 % 64);
    }

    fn get(&self, state: State) -> bool {
        self.0[state.index() / 64] >> (state.0 % 64) & 1 != 0
    }
}
