//! Which nodes of a level become one node of the next: cliques of four, three and two, and orphans.
//!
//! PRA* paper (2005), section "Abstractions for Pathfinding", Figure 2. What it leaves open is settled here:
//! - Nodes are taken in the order of their numbers, on grids row by row. A node looks for four that are
//!   mutually adjacent, else for three; what finds neither is put aside. Pairs are made of what was put
//!   aside, the last first.
//! - An orphan is a node with one neighbour. It is put aside too, so that it pairs up only with a neighbour
//!   that no larger clique wanted; else it joins its neighbour's group.
//! - A node looks at its first [`CANDIDATES`] neighbours without a group and no further: so no hub of a graph
//!   costs more than its number of edges.
//! - What was edited is grouped again by the same rules, among the nodes that lost their groups: see
//!   `repair.rs`.
//! - The aligned pass, which the paper does not mention, comes first if it is asked for: see
//!   [`AbstractionConfig::aligned`](super::AbstractionConfig::aligned).

use alloc::vec;
use alloc::vec::Vec;

use super::level::NONE;

/// Neighbours that a node considers for its clique.
const CANDIDATES: usize = 16;

/// A level as the one above it is made from it: nodes with edges, all of which go both ways.
pub(super) trait Lower {
    /// The number of nodes. Numbers that stand for nothing have no edges.
    fn count(&self) -> usize;

    /// Calls `visit` with each neighbour of a node, once, always in the same order, and the weight of the
    /// edge.
    fn for_each_neighbour(&self, node: u32, visit: impl FnMut(u32, u32));

    /// Whether two nodes are neighbours.
    fn are_adjacent(&self, a: u32, b: u32) -> bool;

    /// How many neighbours a node has.
    #[inline]
    fn degree(&self, node: u32) -> usize {
        let mut count = 0;
        self.for_each_neighbour(node, |_, _| count += 1);
        count
    }
}

/// Where groups are noted while they are made.
pub(super) trait Grouping {
    /// Whether a node has no group yet.
    fn is_free(&self, node: u32) -> bool;

    /// Makes a new group of some nodes that are free.
    fn add(&mut self, members: &[u32]);

    /// Puts a node that is free into the group of another one.
    fn join(&mut self, node: u32, other: u32);
}

/// Groups those of `nodes` that are free; `blocks` are fours of nodes that are to be groups if they can.
/// Nodes without neighbours stay free.
pub(super) fn group(
    lower: &impl Lower,
    nodes: impl Iterator<Item = u32>,
    blocks: impl Iterator<Item = [u32; 4]>,
    groups: &mut impl Grouping,
) {
    for block in blocks {
        if is_free_clique(lower, groups, &block) {
            groups.add(&block);
        }
    }
    let mut put_aside = Vec::new();
    let mut near = Vec::new();
    for node in nodes {
        if !groups.is_free(node) {
            continue;
        }
        near.clear();
        let mut degree = 0;
        lower.for_each_neighbour(node, |next, _| {
            degree += 1;
            if near.len() < CANDIDATES && groups.is_free(next) {
                near.push(next);
            }
        });
        match degree {
            0 => {}
            1 => put_aside.push(node),
            _ => match clique_around(lower, &near) {
                Some((a, b, Some(c))) => groups.add(&[node, a, b, c]),
                Some((a, b, None)) => groups.add(&[node, a, b]),
                None => put_aside.push(node),
            },
        }
    }
    while let Some(node) = put_aside.pop() {
        if groups.is_free(node) {
            place(lower, groups, node);
        }
    }
}

/// Whether four nodes are there, have no group and are mutually adjacent.
fn is_free_clique(lower: &impl Lower, groups: &impl Grouping, block: &[u32; 4]) -> bool {
    block.iter().all(|&node| node != NONE && groups.is_free(node))
        && (0..4).all(|a| (a + 1..4).all(|b| lower.are_adjacent(block[a], block[b])))
}

/// Finds a place for a node that is part of no larger clique.
fn place(lower: &impl Lower, groups: &mut impl Grouping, node: u32) {
    let (mut degree, mut first, mut partner) = (0, NONE, None);
    lower.for_each_neighbour(node, |next, _| {
        if degree == 0 {
            first = next;
        }
        degree += 1;
        if partner.is_none() && groups.is_free(next) {
            partner = Some(next);
        }
    });
    match partner {
        Some(partner) => groups.add(&[node, partner]),
        None if degree == 1 => groups.join(node, first),
        None => groups.add(&[node]),
    }
}

/// The groups of a whole level: the number of each node's group, and how many there are. Nodes without
/// neighbours have none.
pub(super) struct Groups {
    pub(super) of: Vec<u32>,
    pub(super) count: u32,
}

impl Groups {
    /// Groups the nodes of a level, `blocks` first.
    pub(super) fn new(lower: &impl Lower, blocks: impl Iterator<Item = [u32; 4]>) -> Self {
        let mut groups = Self { of: vec![NONE; lower.count()], count: 0 };
        group(lower, 0..lower.count() as u32, blocks, &mut groups);
        groups.number_by_first_member();
        groups
    }

    /// Numbers the groups by their first members: what is near on the map stays near in memory, and the pass
    /// over the next level goes row by row again.
    fn number_by_first_member(&mut self) {
        let mut new_numbers = vec![NONE; self.count as usize];
        let mut next = 0;
        for group in self.of.iter_mut().filter(|group| **group != NONE) {
            let number = &mut new_numbers[*group as usize];
            if *number == NONE {
                *number = next;
                next += 1;
            }
            *group = *number;
        }
    }
}

impl Grouping for Groups {
    #[inline]
    fn is_free(&self, node: u32) -> bool {
        self.of[node as usize] == NONE
    }

    fn add(&mut self, members: &[u32]) {
        for &member in members {
            self.of[member as usize] = self.count;
        }
        self.count += 1;
    }

    fn join(&mut self, node: u32, other: u32) {
        self.of[node as usize] = self.of[other as usize];
    }
}

/// The first three of some neighbours that are mutually adjacent; else the first two.
fn clique_around(lower: &impl Lower, near: &[u32]) -> Option<(u32, u32, Option<u32>)> {
    let mut pair = None;
    for (place, &a) in near.iter().enumerate() {
        for (offset, &b) in near[place + 1..].iter().enumerate() {
            if !lower.are_adjacent(a, b) {
                continue;
            }
            let rest = &near[place + offset + 2..];
            if let Some(&c) = rest.iter().find(|&&c| lower.are_adjacent(a, c) && lower.are_adjacent(b, c)) {
                return Some((a, b, Some(c)));
            }
            pair = pair.or(Some((a, b, None)));
        }
    }
    pair
}
