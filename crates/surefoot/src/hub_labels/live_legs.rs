//! The legs between nodes that are no hubs yet.

use alloc::vec::Vec;

use super::graph::LegGraph;
use crate::space::Cost;

/// The legs of a graph, less those of nodes that were taken out. A search from a hub does not go on beyond
/// hubs of higher rank: taken out, they are not even looked at.
#[derive(Clone, Debug)]
pub(super) struct LiveLegs {
    legs: Vec<(u32, Cost)>,
    /// Where the legs of each node begin and end.
    ranges: Vec<(u32, u32)>,
}

impl LiveLegs {
    pub(super) fn new(graph: &LegGraph) -> Self {
        let mut live = Self { legs: Vec::new(), ranges: Vec::with_capacity(graph.nodes()) };
        for node in 0..graph.nodes() as u32 {
            let start = live.legs.len() as u32;
            live.legs.extend(graph.legs(node));
            live.ranges.push((start, live.legs.len() as u32));
        }
        live
    }

    #[inline]
    pub(super) fn of(&self, node: u32) -> &[(u32, Cost)] {
        let (start, end) = self.ranges[node as usize];
        &self.legs[start as usize..end as usize]
    }

    /// Takes the legs to a node out. Its own stay: nothing leads there any more.
    pub(super) fn take_out(&mut self, node: u32) {
        let (start, end) = self.ranges[node as usize];
        for place in start..end {
            let (neighbour, _) = self.legs[place as usize];
            let (start, end) = &mut self.ranges[neighbour as usize];
            let legs = &mut self.legs[*start as usize..*end as usize];
            if let Some(back) = legs.iter().position(|leg| leg.0 == node) {
                legs.swap(back, legs.len() - 1);
                *end -= 1;
            }
        }
    }
}
