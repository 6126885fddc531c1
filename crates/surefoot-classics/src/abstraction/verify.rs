//! Recounts an abstraction from the space up, without a look at how it was built.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use surefoot::space::{State, World, sorting};

use super::build::place;
use super::cliques::Lower;
use super::ground::GroundLevel;
use super::level::{Level, NONE};
use super::{Abstraction, fraction_bits};

/// What is wrong with an abstraction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {level}: {problem}")]
pub struct AbstractionFault {
    /// The level that it shows on; 0 is the space.
    pub level: usize,
    /// What is wrong.
    pub problem: String,
}

impl Abstraction {
    /// Recounts everything: that every state with a neighbour is in one group and every group lists its
    /// members; that members of a group are connected within it; that there is an edge of the right capacity
    /// and weight between two groups wherever there is one between their members, and no other; that nodes
    /// lie where their states do; and that only nodes without neighbours have no parent. So every level has
    /// the components of the space, and each has one top node.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self, world: &impl World) -> Result<(), AbstractionFault> {
        self.recount(world, false)
    }

    /// The same, and that it is as a fresh build leaves it: the members of a group that have more than one
    /// neighbour are at most four, and mutually adjacent.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify_cliques(&self, world: &impl World) -> Result<(), AbstractionFault> {
        self.recount(world, true)
    }

    fn recount(&self, world: &impl World, with_cliques: bool) -> Result<(), AbstractionFault> {
        if world.state_limit() != self.node_count(0) {
            let problem = format!("there are {} states, not {}", self.node_count(0), world.state_limit());
            return Err(AbstractionFault { level: 0, problem });
        }
        let mut sums: Vec<(u64, u64, u64)> = Vec::new();
        let grid = world.octile_grid();
        let ground = GroundLevel::of(world);
        for below in 0..self.levels() {
            let lower = self.level(below);
            let upper = (below + 1 < self.levels()).then(|| self.level(below + 1));
            let check = Recount { below, lower, upper, with_cliques };
            match (below, &ground) {
                (0, GroundLevel::Grid(space)) => check.run(space)?,
                (0, GroundLevel::Listed(edges)) => check.run(edges)?,
                _ => check.run(&lower)?,
            }
            let Some((upper, space)) = upper.zip(grid) else { continue };
            let bits = fraction_bits((space.grid().width(), space.grid().height()));
            let mut next = Vec::with_capacity(upper.count());
            for node in 0..upper.count() as u32 {
                let mut sum = (0, 0, 0);
                for child in upper.children(node) {
                    let more = match below {
                        0 => {
                            let cell = space.cell(State(child));
                            (u64::from(cell.x), u64::from(cell.y), 1)
                        }
                        _ => sums[child as usize],
                    };
                    sum = (sum.0 + more.0, sum.1 + more.1, sum.2 + more.2);
                }
                if upper.place(node) != Some(place(sum, bits)) {
                    let problem = format!("node {node} lies elsewhere than its states");
                    return Err(AbstractionFault { level: below + 1, problem });
                }
                next.push(sum);
            }
            sums = next;
        }
        Ok(())
    }
}

/// A level and the one above it.
struct Recount<'a> {
    below: usize,
    lower: Level<'a>,
    upper: Option<Level<'a>>,
    with_cliques: bool,
}

impl Recount<'_> {
    fn fault(&self, above: usize, problem: String) -> AbstractionFault {
        AbstractionFault { level: self.below + above, problem }
    }

    fn run(&self, graph: &impl Lower) -> Result<(), AbstractionFault> {
        let Some(upper) = self.upper else {
            let with_neighbours = (0..graph.count() as u32).find(|&node| graph.degree(node) > 0);
            let with_parent = (0..self.lower.count() as u32).find(|&node| self.lower.parent(node) != NONE);
            return match (with_neighbours, with_parent) {
                (Some(node), _) => Err(self.fault(0, format!("node {node} has neighbours and no parent"))),
                (_, Some(node)) => Err(self.fault(0, format!("node {node} has a parent above the top"))),
                _ => Ok(()),
            };
        };
        let mut in_groups = 0;
        for node in 0..graph.count() as u32 {
            let parent = self.lower.parent(node);
            if (parent == NONE) != (graph.degree(node) == 0) {
                return Err(self.fault(0, format!("node {node} has a parent or neighbours, but not both")));
            }
            if parent != NONE && parent as usize >= upper.count() {
                return Err(self.fault(0, format!("node {node} has the parent {parent}, which is none")));
            }
            in_groups += usize::from(parent != NONE);
        }
        let listed: usize = (0..upper.count() as u32).map(|group| upper.children(group).len()).sum();
        if listed != in_groups {
            let problem = "nodes are listed as children";
            return Err(self.fault(1, format!("{listed} {problem}, and {in_groups} have parents")));
        }
        let mut near = Vec::new();
        let mut met = vec![NONE; upper.count()];
        for group in 0..upper.count() as u32 {
            let members: Vec<u32> = upper.children(group).collect();
            if members.is_empty() || !members.is_sorted_by(|a, b| a < b) {
                return Err(self.fault(1, format!("the children of node {group} are not in order, or none")));
            }
            if let Some(stray) = members.iter().find(|&&member| self.lower.parent(member) != group) {
                return Err(self.fault(1, format!("node {stray} is a child of {group} and does not know")));
            }
            if !is_connected(graph, &members) {
                return Err(self.fault(1, format!("the children of node {group} are not connected")));
            }
            if self.with_cliques {
                self.check_clique(graph, group, &members)?;
            }
            self.check_edges(graph, &upper, (group, &members), &mut near, &mut met)?;
        }
        Ok(())
    }

    fn check_edges(
        &self,
        graph: &impl Lower,
        upper: &Level<'_>,
        (group, members): (u32, &[u32]),
        near: &mut Vec<(u32, u64, u64)>,
        met: &mut [u32],
    ) -> Result<(), AbstractionFault> {
        near.clear();
        for &member in members {
            graph.for_each_neighbour(member, |next, weight| {
                let other = self.lower.parent(next);
                if other == group {
                    return;
                }
                let known = met[other as usize] as usize;
                match near.get_mut(known).filter(|(seen, ..)| *seen == other) {
                    Some((_, capacity, weights)) => {
                        *capacity += 1;
                        *weights += u64::from(weight);
                    }
                    None => {
                        met[other as usize] = near.len() as u32;
                        near.push((other, 1, u64::from(weight)));
                    }
                }
            });
        }
        sorting::sort(near);
        let edges = upper.edges(group);
        if edges.len() != near.len() {
            let (stored, found) = (edges.len(), near.len());
            return Err(self.fault(1, format!("node {group} has {stored} edges and should have {found}")));
        }
        for (edge, &(other, capacity, weights)) in edges.zip(near.iter()) {
            let has_weights = !upper.weights.is_empty();
            let weight = (weights / capacity).clamp(1, u64::from(u32::MAX));
            if upper.target(edge) != other
                || u64::from(upper.capacities[edge]) != capacity
                || has_weights && u64::from(upper.stored_weight(edge)) != weight
            {
                return Err(self.fault(1, format!("the edge from node {group} to {other} is wrong")));
            }
        }
        Ok(())
    }

    fn check_clique(&self, graph: &impl Lower, group: u32, members: &[u32]) -> Result<(), AbstractionFault> {
        let proper: Vec<u32> = members.iter().copied().filter(|&member| graph.degree(member) > 1).collect();
        let is_clique = proper.iter().enumerate().all(|(place, &member)| {
            proper[place + 1..].iter().all(|&other| graph.are_adjacent(member, other))
        });
        if proper.len() > 4 || !is_clique {
            return Err(self.fault(1, format!("the children of node {group} are no clique with orphans")));
        }
        Ok(())
    }
}

/// Whether nodes in order are connected by the edges between them.
fn is_connected(graph: &impl Lower, members: &[u32]) -> bool {
    let mut reached = vec![false; members.len()];
    reached[0] = true;
    let (mut pending, mut count) = (vec![0_usize], 1);
    while let Some(at) = pending.pop() {
        graph.for_each_neighbour(members[at], |next, _| {
            if let Ok(place) = members.binary_search(&next)
                && !core::mem::replace(&mut reached[place], true)
            {
                count += 1;
                pending.push(place);
            }
        });
    }
    count == members.len()
}
