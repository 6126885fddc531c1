//! The sample of cheapest ways that tells which nodes are important.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::growing::GrowingLabels;
use super::half_labels::sizes_of;
use super::rank::HubRank;
use super::search::PrunedSearch;
use super::tuning::GROUPS;
use crate::store::codec::{CodecError, Reader, put_number};

/// Cheapest ways from one node to others that no hub is on, as a tree whose nodes come before all that lies
/// behind them.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<u32>,
    /// The place of the one before each on its way; the root's is its own.
    before: Vec<u32>,
    /// How many nodes are behind each, itself included. They follow it.
    sizes: Vec<u32>,
}

impl Tree {
    pub(super) fn new(search: &mut TreeSearch, hubs: &GrowingLabels, root: u32) -> Self {
        search.begin(hubs, root);
        search.go_on(hubs, u64::MAX);
        search.end(hubs, root)
    }

    /// The tree of nodes as they were found, each with the place of the one before.
    fn of(root: u32, found: &[(u32, u32)]) -> Self {
        let mut found_sizes = vec![1; found.len()];
        for at in (1..found.len()).rev() {
            found_sizes[found[at].1 as usize] += found_sizes[at];
        }
        // Nodes were found by cost: each now goes to the first free place behind the one before it.
        let mut tree = Self {
            nodes: vec![root; found.len()],
            before: vec![0; found.len()],
            sizes: vec![0; found.len()],
        };
        let mut new_places = vec![0; found.len()];
        let mut free = vec![1; found.len()];
        for (at, &(node, before)) in found.iter().enumerate() {
            let before = before as usize;
            if at > 0 {
                new_places[at] = free[before];
                free[before] += found_sizes[at];
                free[at] = new_places[at] + 1;
            }
            let place = new_places[at] as usize;
            tree.nodes[place] = node;
            tree.before[place] = new_places[before];
            tree.sizes[place] = found_sizes[at];
        }
        tree
    }
}

/// Scratch memory for trees.
#[derive(Clone, Debug)]
pub(super) struct TreeSearch {
    search: PrunedSearch,
    places: Vec<u32>,
    /// The nodes as they are found, and the place of the one before.
    found: Vec<(u32, u32)>,
}

impl TreeSearch {
    pub(super) fn new(nodes: usize) -> Self {
        Self { search: PrunedSearch::new(nodes), places: vec![0; nodes], found: Vec::new() }
    }

    /// Begins a tree.
    pub(super) fn begin(&mut self, hubs: &GrowingLabels, root: u32) {
        self.found.clear();
        self.search.begin(&hubs.labels, root);
    }

    /// Looks at no more than so many nodes. How many it were, and whether all are found.
    pub(super) fn go_on(&mut self, hubs: &GrowingLabels, most: u64) -> (u64, bool) {
        let Self { search, places, found } = self;
        let visit = |node: u32, before: u32, _| {
            places[node as usize] = found.len() as u32;
            found.push((node, places[before as usize]));
        };
        let looks = search.go_on(&hubs.legs, &hubs.labels, (&hubs.ranks, HubRank::UNRANKED), most, visit);
        (looks, search.is_done())
    }

    /// The tree, once all are found.
    pub(super) fn end(&mut self, hubs: &GrowingLabels, root: u32) -> Tree {
        self.search.end(&hubs.labels, root);
        Tree::of(root, &self.found)
    }
}

/// A node in one of the trees.
#[derive(Clone, Copy, Debug)]
struct TreeNode {
    node: u32,
    /// The place of the one before; a root's is its own.
    before: u32,
    /// How many were behind it, itself included, when the tree was put here. They follow it.
    size: u32,
    /// How many of them are left; none once it is cut off.
    left: u32,
    /// The group of the tree.
    group: u32,
}

/// How many ways lead over a node, in each group of trees.
#[derive(Clone, Copy, Debug, Default)]
struct Count([u32; GROUPS]);

impl Count {
    /// The ways of all groups but the one with the most: near the root of a tree, which may be anywhere, all
    /// its ways lead over a node.
    fn without_most(&self) -> u64 {
        let (sum, most) =
            self.0.iter().fold((0, 0), |(sum, most), &ways| (sum + u64::from(ways), ways.max(most)));
        sum - u64::from(most)
    }
}

/// Some trees, less what lies behind the hubs that were chosen.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    trees: Vec<TreeNode>,
    /// Where each node is in the trees: where the list of each begins in `places`.
    starts: Vec<u32>,
    places: Vec<u32>,
    /// How many trees were added.
    added: usize,
    /// For each node how many ways of all trees lead over it.
    counts: Vec<Count>,
    /// How many nodes are left in all trees.
    pub(super) ways: usize,
    /// The nodes by how many ways lead over them, or once led.
    queue: BinaryHeap<(u64, Reverse<u32>)>,
}

impl Sample {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            trees: Vec::new(),
            starts: Vec::new(),
            places: Vec::new(),
            added: 0,
            counts: vec![Count::default(); nodes],
            ways: 0,
            queue: BinaryHeap::new(),
        }
    }

    pub(super) fn add(&mut self, tree: &Tree) {
        let first = self.trees.len() as u32;
        let nodes = tree.nodes.iter().zip(&tree.before).zip(&tree.sizes);
        self.trees.extend(nodes.map(|((&node, &before), &size)| TreeNode {
            node,
            before: first + before,
            size,
            left: size,
            group: (self.added % GROUPS) as u32,
        }));
        self.added += 1;
        self.ways += tree.nodes.len();
    }

    /// Forgets what was cut off.
    pub(super) fn tidy(&mut self) {
        let mut kept = Vec::with_capacity(self.ways * 2);
        let mut new_places = vec![0; self.trees.len()];
        let mut at = 0;
        while let Some(&tree_node) = self.trees.get(at) {
            if tree_node.left == 0 {
                at += tree_node.size as usize;
                continue;
            }
            new_places[at] = kept.len() as u32;
            let before = new_places[tree_node.before as usize];
            kept.push(TreeNode { before, size: tree_node.left, ..tree_node });
            at += 1;
        }
        self.trees = kept;
    }

    /// Writes what is left of trees.
    pub(super) fn save(&self, out: &mut Vec<u8>) {
        let mut tidy = self.clone();
        tidy.tidy();
        put_number(out, self.added as u64);
        put_number(out, tidy.trees.len() as u64);
        for (place, tree_node) in (0..).zip(&tidy.trees) {
            put_number(out, u64::from(tree_node.node));
            put_number(out, u64::from(place - tree_node.before));
            if tree_node.before == place {
                put_number(out, u64::from(tree_node.group));
            }
        }
    }

    /// Reads what was written, in the place of none.
    pub(super) fn resume(&mut self, reader: &mut Reader<'_>, nodes: usize) -> Result<(), CodecError> {
        self.added = reader.number_up_to(u64::from(u32::MAX), "there are not so many trees")? as usize;
        let (mut of_nodes, mut before, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for place in 0..reader.count(2)? as u64 {
            of_nodes.push(reader.number_up_to((nodes as u64).saturating_sub(1), "there is no such node")?);
            let back = reader.number_up_to(place, "a way begins nowhere")?;
            before.push((place - back) as u32);
            let last = groups.last().copied().unwrap_or(0);
            let most = GROUPS as u64 - 1;
            groups.push(if back == 0 { reader.number_up_to(most, "there is no such group")? } else { last });
        }
        let sizes = sizes_of(&before).ok_or_else(|| reader.malformed("these are no trees"))?;
        let all = of_nodes.iter().zip(&before).zip(&sizes).zip(&groups);
        self.trees = all
            .map(|(((&node, &before), &size), &group)| {
                let (node, group) = (node as u32, group as u32);
                TreeNode { node, before, size, left: size, group }
            })
            .collect();
        self.ways = self.trees.len();
        Ok(())
    }

    /// Counts the ways after trees were added.
    pub(super) fn count(&mut self, ranks: &[HubRank]) {
        self.counts.fill(Count::default());
        self.starts = vec![0; self.counts.len() + 1];
        for tree_node in &self.trees {
            self.counts[tree_node.node as usize].0[tree_node.group as usize] += tree_node.left;
            self.starts[tree_node.node as usize + 1] += 1;
        }
        for node in 0..self.counts.len() {
            self.starts[node + 1] += self.starts[node];
        }
        let mut next = self.starts.clone();
        self.places = vec![0; self.trees.len()];
        for (place, tree_node) in (0..).zip(&self.trees) {
            let next = &mut next[tree_node.node as usize];
            self.places[*next as usize] = place;
            *next += 1;
        }
        let unranked = (0..).zip(&self.counts).zip(ranks).filter(|&(_, &rank)| rank == HubRank::UNRANKED);
        self.queue = unranked.map(|((node, count), _)| (count.without_most(), Reverse(node))).collect();
    }

    /// The node that most ways lead over which no hub is on. It becomes a hub; nothing once all are.
    pub(super) fn choose(&mut self) -> Option<u32> {
        while let Some((known, Reverse(node))) = self.queue.pop() {
            // Numbers only fall: one that is as it was is the highest.
            let now = self.counts[node as usize].without_most();
            if now < known {
                self.queue.push((now, Reverse(node)));
                continue;
            }
            let occurrences = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
            for occurrence in occurrences {
                self.cut(self.places[occurrence] as usize);
            }
            return Some(node);
        }
        None
    }

    /// Takes the ways over a place in a tree out.
    fn cut(&mut self, place: usize) {
        let cut = self.trees[place].left;
        if cut == 0 {
            return;
        }
        let mut at = place;
        while self.trees[at].before as usize != at {
            at = self.trees[at].before as usize;
            let tree_node = &mut self.trees[at];
            tree_node.left -= cut;
            self.counts[tree_node.node as usize].0[tree_node.group as usize] -= cut;
        }
        let end = place + self.trees[place].size as usize;
        let mut at = place;
        while at < end {
            let tree_node = &mut self.trees[at];
            at += if tree_node.left == 0 { tree_node.size as usize } else { 1 };
            self.counts[tree_node.node as usize].0[tree_node.group as usize] -= tree_node.left;
            tree_node.left = 0;
        }
        self.ways -= cut as usize;
    }
}
