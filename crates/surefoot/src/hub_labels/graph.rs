//! What is labelled: nodes, and legs between them that are walked either way.

use alloc::vec;
use alloc::vec::Vec;

use crate::space::Cost;

/// Nodes with legs between them. Each leg leads both ways, unless the graph was made [one
/// way](Self::one_way), at the same cost, which is positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LegGraph {
    /// Where the legs of each node begin, and where those of the last one end.
    starts: Vec<u32>,
    ends: Vec<u32>,
    costs: Vec<Cost>,
}

impl LegGraph {
    /// The graph of these legs, sorted by the node that they lead to, for each node. `N` is what the caller
    /// calls a node.
    pub(crate) fn new<N, L>(lists: impl IntoIterator<Item = L>) -> Self
    where
        N: Copy + Ord + Into<u32>,
        L: AsRef<[(N, Cost)]>,
    {
        let graph = Self::one_way(lists);
        debug_assert!(graph.is_symmetric(), "each leg leads both ways");
        graph
    }

    /// The same where some legs are known at one end only.
    pub(crate) fn one_way<N, L>(lists: impl IntoIterator<Item = L>) -> Self
    where
        N: Copy + Ord + Into<u32>,
        L: AsRef<[(N, Cost)]>,
    {
        let mut graph = Self { starts: Vec::from([0]), ends: Vec::new(), costs: Vec::new() };
        for legs in lists {
            let legs = legs.as_ref();
            debug_assert!(legs.windows(2).all(|pair| pair[0].0 < pair[1].0), "legs are sorted");
            debug_assert!(legs.iter().all(|leg| leg.1 > 0), "costs are positive");
            graph.ends.extend(legs.iter().map(|leg| leg.0.into()));
            graph.costs.extend(legs.iter().map(|leg| leg.1));
            graph.starts.push(graph.ends.len() as u32);
        }
        graph
    }

    /// A graph with room for so many legs, where the legs of nodes begin like this.
    pub(super) fn with_room(starts: Vec<u32>, legs: usize) -> Self {
        Self { starts, ends: vec![0; legs], costs: vec![0; legs] }
    }

    /// Puts a leg into its place among all.
    pub(super) fn put(&mut self, place: usize, end: u32, cost: Cost) {
        (self.ends[place], self.costs[place]) = (end, cost);
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The same graph with so many nodes, of which some, given in order, have other legs. Nodes that are new
    /// have none unless they are among them.
    pub(crate) fn with_legs<N>(&self, nodes: usize, changed: &[(N, Vec<(N, Cost)>)]) -> Self
    where
        N: Copy + Into<u32>,
    {
        let mut graph = Self {
            starts: Vec::with_capacity(nodes + 1),
            ends: Vec::with_capacity(self.ends.len()),
            costs: Vec::with_capacity(self.costs.len()),
        };
        graph.starts.push(0);
        for &(node, ref legs) in changed {
            graph.copy_up_to(self, node.into() as usize);
            graph.ends.extend(legs.iter().map(|leg| leg.0.into()));
            graph.costs.extend(legs.iter().map(|leg| leg.1));
            graph.starts.push(graph.ends.len() as u32);
        }
        graph.copy_up_to(self, nodes);
        debug_assert!(graph.is_symmetric(), "each leg leads both ways");
        graph
    }

    /// Takes the legs of the next nodes over, up to a node.
    fn copy_up_to(&mut self, other: &Self, node: usize) {
        let [first, end] = [self.nodes(), node].map(|node| node.min(other.nodes()));
        if first < end {
            let range = other.starts[first] as usize..other.starts[end] as usize;
            let before = self.ends.len() as u32;
            let starts = &other.starts[first + 1..=end];
            self.starts.extend(starts.iter().map(|start| start - range.start as u32 + before));
            self.ends.extend_from_slice(&other.ends[range.clone()]);
            self.costs.extend_from_slice(&other.costs[range]);
        }
        self.starts.resize(self.starts.len().max(node + 1), self.ends.len() as u32);
    }

    fn is_symmetric(&self) -> bool {
        let nodes = self.nodes() as u32;
        (0..nodes).all(|node| {
            self.legs(node)
                .all(|(end, cost)| end < nodes && end != node && self.leg_cost(end, node) == Some(cost))
        })
    }

    /// How many legs there are, each counted at both ends.
    pub(crate) fn leg_count(&self) -> usize {
        self.ends.len()
    }

    /// The bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.ends[..]) + size_of_val(&self.costs[..])
    }

    /// How many nodes there are.
    #[inline]
    pub(crate) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes that the legs of a node lead to, in order, and what they cost.
    #[inline]
    pub(crate) fn legs(&self, node: u32) -> impl ExactSizeIterator<Item = (u32, Cost)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.ends[range.clone()].iter().copied().zip(self.costs[range].iter().copied())
    }

    /// The number of a node's first leg among all legs.
    #[inline]
    pub(crate) fn first_leg(&self, node: u32) -> usize {
        self.starts[node as usize] as usize
    }

    /// The leg of a node at a place among them: where it ends, and what it costs.
    #[inline(always)]
    pub(crate) fn leg(&self, node: u32, place: u16) -> Option<(u32, Cost)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        // The last number stands for no leg.
        let at = range.start + usize::from(place);
        (place != u16::MAX && at < range.end).then(|| (self.ends[at], self.costs[at]))
    }

    /// The place of the leg to another node among those of a node; `None` if there is none.
    pub(crate) fn place_of(&self, from: u32, to: u32) -> Option<usize> {
        let range = self.starts[from as usize] as usize..self.starts[from as usize + 1] as usize;
        self.ends[range].binary_search(&to).ok()
    }

    /// What the leg between two nodes costs. `None` if there is none.
    pub(crate) fn leg_cost(&self, from: u32, to: u32) -> Option<Cost> {
        let place = self.place_of(from, to)?;
        Some(self.costs[self.starts[from as usize] as usize + place])
    }
}
