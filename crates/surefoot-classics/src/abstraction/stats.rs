//! What the levels of an abstraction are like, in numbers.

use alloc::vec::Vec;

use surefoot::space::{State, World};

use super::{Abstraction, Level};

/// A level in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelStats {
    /// Its nodes; on level 0 the states of the space.
    pub nodes: u64,
    /// Its edges, each counted once.
    pub edges: u64,
    /// The nodes of the level below that have a parent here.
    pub children: u64,
    /// The most children that a node has.
    pub largest_group: u64,
    /// Children that are in a group because they have one neighbour only, and not as part of a clique.
    pub orphans: u64,
    /// Nodes without a parent: the top nodes of components.
    pub tops: u64,
    /// What the level takes in the file; more in one that was repaired.
    pub bytes: u64,
}

impl LevelStats {
    /// Children for each node.
    #[must_use]
    pub fn mean_children(&self) -> f64 {
        self.children as f64 / self.nodes.max(1) as f64
    }

    /// Neighbours of each node.
    #[must_use]
    pub fn mean_degree(&self) -> f64 {
        2.0 * self.edges as f64 / self.nodes.max(1) as f64
    }
}

impl Abstraction {
    /// Every level in numbers, from the ground up. `world` is the one that it was built for.
    #[must_use]
    pub fn level_stats(&self, world: &impl World) -> Vec<LevelStats> {
        (0..self.levels()).map(|level| self.stats_of(world, level)).collect()
    }

    fn stats_of(&self, world: &impl World, level: usize) -> LevelStats {
        let is_node = |node: u32| level > 0 || world.contains(State(node));
        let nodes = (0..self.node_count(level) as u32).filter(|&node| is_node(node));
        let mut stats = LevelStats {
            nodes: 0,
            edges: 0,
            children: 0,
            largest_group: 0,
            orphans: 0,
            tops: 0,
            bytes: self.level(level).bytes() as u64,
        };
        let mut ends = 0;
        for node in nodes {
            stats.nodes += 1;
            stats.tops += u64::from(self.parent(level, node).is_none());
            ends += self.degree(world, level, node);
            if level > 0 {
                let children = self.children(level, node).count() as u64;
                stats.children += children;
                stats.largest_group = stats.largest_group.max(children);
                let in_cliques = self
                    .children(level, node)
                    .filter(|&child| self.degree(world, level - 1, child) > 1)
                    .count() as u64;
                // Two of one neighbour each, or one of them and its neighbour, are a clique too.
                stats.orphans += children - in_cliques.max(children.min(2));
            }
        }
        stats.edges = ends / 2;
        stats
    }

    fn degree(&self, world: &impl World, level: usize, node: u32) -> u64 {
        if level > 0 {
            return self.level(level).edges(node).len() as u64;
        }
        let mut degree = 0;
        world.for_each_successor(State(node), |_, _| degree += 1);
        degree
    }
}

impl Level<'_> {
    /// What the level takes in a file.
    fn bytes(&self) -> usize {
        // Where children and edges end is where those of the next node begin: there is one place more than
        // there are nodes.
        let starts = [self.child_starts, self.edge_starts];
        let starts = starts.iter().filter(|starts| !starts.is_empty()).count() * (self.count + 1);
        let numbers = [
            self.parents,
            self.children,
            self.targets,
            self.places.as_flattened().as_chunks().0,
            self.weights,
        ];
        let numbers: usize = numbers.iter().map(|numbers| numbers.len()).sum();
        (starts + numbers) * 4 + self.ranks.len() * 12 + self.capacities.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::AbstractionConfig;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{CostModel, GridSpace, MoveRule};

    fn stats(art: &str) -> Vec<LevelStats> {
        let space = GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        Abstraction::build(&space, AbstractionConfig::default()).unwrap().level_stats(&space)
    }

    #[test]
    fn a_square_and_a_dead_end() {
        let levels = stats("..#.\n...#");
        // Five cells in one component, with six edges in the square and one to the dead end, and a lone cell.
        assert_eq!((levels[0].nodes, levels[0].edges, levels[0].tops), (6, 7, 1));
        assert_eq!((levels[0].children, levels[0].orphans), (0, 0));
        let top = levels[1];
        assert_eq!((levels.len(), top.nodes, top.edges, top.tops), (2, 1, 0, 1));
        assert_eq!((top.children, top.largest_group, top.orphans), (5, 5, 1));
        assert!((levels[0].mean_degree() - 14.0 / 6.0).abs() < 1e-12 && top.mean_children() == 5.0);
    }

    #[test]
    fn a_pair_is_a_clique_and_no_orphan() {
        let levels = stats("..");
        assert_eq!((levels[1].children, levels[1].orphans), (2, 0));
        // Of three in a row two are a pair, and the third is an orphan of the one in the middle.
        assert_eq!((stats("...")[1].children, stats("...")[1].orphans), (3, 1));
    }

    #[test]
    fn every_node_with_a_parent_is_a_child_and_every_byte_is_somewhere() {
        let art = "........\n.####.#.\n.#....#.\n.#.####.\n........";
        let space = GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let abstraction = Abstraction::build(&space, AbstractionConfig::default()).unwrap();
        let levels = abstraction.level_stats(&space);
        assert!(levels.len() > 3);
        for pair in levels.windows(2) {
            assert_eq!(pair[0].nodes - pair[0].tops, pair[1].children);
        }
        for (level, stats) in levels.iter().enumerate().skip(1) {
            assert_eq!(
                (stats.nodes, 2 * stats.edges),
                (abstraction.node_count(level) as u64, abstraction.edge_count(level) as u64)
            );
        }
        let bytes: u64 = levels.iter().map(|level| level.bytes).sum();
        let sections = Abstraction::inspect(&abstraction.to_bytes()).unwrap().sections;
        let in_sections: usize =
            sections.iter().filter(|(tag, _)| tag != "conf").map(|(_, bytes)| bytes).sum();
        assert_eq!(bytes, in_sections as u64);
    }
}
