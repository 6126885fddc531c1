//! Decision trees that choose how far to look ahead. Trained elsewhere, kept as text, evaluated over
//! [`Features`].

use alloc::vec::Vec;
use core::fmt;

use xxhash_rust::xxh3::xxh3_64;

use super::features::{Feature, Features};

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeNode {
    /// Whether a feature's value is at most this many millionths.
    Test {
        /// The feature.
        feature: Feature,
        /// The highest value for which the answer is yes.
        most: u64,
    },
    /// The end: look so many actions ahead.
    Depth(u32),
}

/// What a tree was trained with, and what an agent needs to know to use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSettings {
    /// The deepest lookahead, in actions: the paper's dmax.
    pub deepest: u32,
    /// Over how many moves the history goes: the paper's n.
    pub history: u32,
    /// How many actions the search before the search looks ahead.
    pub pre_search: u32,
}

impl TreeSettings {
    /// The deepest lookahead that a tree can call for.
    pub const DEEPEST: u32 = 100;
    /// The longest history that an agent keeps.
    pub const LONGEST_HISTORY: u32 = 10_000;
    /// The deepest pre-search.
    pub const DEEPEST_PRE_SEARCH: u32 = 10;

    /// Whether all are in their range; if not, which one and what the range is.
    pub(crate) fn check(&self) -> Result<(), TreeError> {
        let refuse = |name, most| Err(TreeError(Wrong::Setting { name, most }));
        if !(1..=Self::DEEPEST).contains(&self.deepest) {
            refuse("dmax", Self::DEEPEST)
        } else if !(1..=Self::LONGEST_HISTORY).contains(&self.history) {
            refuse("history", Self::LONGEST_HISTORY)
        } else if !(1..=Self::DEEPEST_PRE_SEARCH).contains(&self.pre_search) {
            refuse("pre-search", Self::DEEPEST_PRE_SEARCH)
        } else {
            Ok(())
        }
    }
}

/// The paper's: a history of 60 moves, the shallowest pre-search, and the second of its four depths.
impl Default for TreeSettings {
    fn default() -> Self {
        Self { deepest: 10, history: 60, pre_search: 1 }
    }
}

/// Nodes that are no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError(Wrong);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Wrong {
    Setting { name: &'static str, most: u32 },
    Unfinished,
    NodesLeft,
    Depth(u32),
    TooHigh,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Wrong::Setting { name, most } => write!(f, "{name} must be from 1 to {most}"),
            Wrong::Unfinished => write!(f, "a test lacks one of its branches"),
            Wrong::NodesLeft => write!(f, "there are nodes after the end of the tree"),
            Wrong::Depth(depth) => write!(f, "no leaf may have the depth {depth}"),
            Wrong::TooHigh => write!(f, "a branch has more than {} tests", DepthTree::MOST_TESTS),
        }
    }
}

impl core::error::Error for TreeError {}

/// A tree that chooses how far to look ahead.
///
/// As text, which [`parse`](Self::parse) reads and [`to_text`](Self::to_text) writes, it looks like this:
///
/// ```
/// # let text = "
/// surefoot depth tree 1
/// dmax 10
/// history 60
/// pre-search 1
/// if raised <= 2.5
///   depth 1
/// else
///   if distinct-states <= 12
///     depth 7
///   else
///     depth 3
/// # ";
/// # let tree = surefoot_classics::depth::DepthTree::parse(text.as_bytes()).unwrap();
/// # assert_eq!((tree.leaves(), tree.settings().deepest), (3, 10));
/// ```
///
/// Lines that begin with # are comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthTree {
    settings: TreeSettings,
    /// A test is followed by the nodes for yes, then by those for no.
    nodes: Vec<TreeNode>,
    /// For each test, where the nodes for no begin.
    otherwise: Vec<u32>,
}

impl DepthTree {
    /// The most tests on the way to a leaf.
    pub const MOST_TESTS: usize = 64;

    /// A tree from its nodes: after a test come the nodes for yes, then those for no.
    ///
    /// # Errors
    /// If this is no tree, or a depth or setting is out of its range.
    pub fn new(settings: TreeSettings, nodes: Vec<TreeNode>) -> Result<Self, TreeError> {
        settings.check()?;
        let mut otherwise = Vec::with_capacity(nodes.len());
        // The tests whose nodes for no have not begun, with the number of tests above them.
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let mut tests = 0;
        let mut is_done = false;
        for (place, &node) in nodes.iter().enumerate() {
            otherwise.push(0);
            match node {
                _ if is_done => return Err(TreeError(Wrong::NodesLeft)),
                TreeNode::Test { .. } if tests == Self::MOST_TESTS => return Err(TreeError(Wrong::TooHigh)),
                TreeNode::Test { .. } => {
                    waiting.push((place, tests));
                    tests += 1;
                }
                TreeNode::Depth(depth) if !(1..=settings.deepest).contains(&depth) => {
                    return Err(TreeError(Wrong::Depth(depth)));
                }
                TreeNode::Depth(_) => match waiting.pop() {
                    Some((test, above)) => {
                        otherwise[test] = place as u32 + 1;
                        tests = above + 1;
                    }
                    None => is_done = true,
                },
            }
        }
        if is_done { Ok(Self { settings, nodes, otherwise }) } else { Err(TreeError(Wrong::Unfinished)) }
    }

    /// The tree that the library brings along for a deepest lookahead of 5, 10, 15 or 20 actions. The heads
    /// of their files say how they were trained.
    #[must_use]
    pub fn built_in(deepest: u32) -> Option<Self> {
        let text = match deepest {
            5 => include_str!("trees/dmax-5.txt"),
            10 => include_str!("trees/dmax-10.txt"),
            15 => include_str!("trees/dmax-15.txt"),
            20 => include_str!("trees/dmax-20.txt"),
            _ => return None,
        };
        Self::parse(text.as_bytes()).ok()
    }

    /// How far to look in a situation.
    #[must_use]
    pub fn depth(&self, features: &Features) -> u32 {
        let mut place = 0;
        loop {
            match self.nodes[place] {
                TreeNode::Depth(depth) => return depth,
                TreeNode::Test { feature, most } if features.get(feature) <= most => place += 1,
                TreeNode::Test { .. } => place = self.otherwise[place] as usize,
            }
        }
    }

    /// What it was trained with.
    #[must_use]
    pub fn settings(&self) -> TreeSettings {
        self.settings
    }

    /// The nodes: after a test come those for yes, then those for no.
    #[must_use]
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// A number that other trees hardly have.
    pub(crate) fn fingerprint(&self) -> u64 {
        xxh3_64(self.to_text("").as_bytes())
    }

    /// How many leaves it has; tests are one fewer.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TreeNode::Depth;
    use alloc::vec;

    const fn test(feature: Feature, most: u64) -> TreeNode {
        TreeNode::Test { feature, most }
    }

    #[test]
    fn the_answer_is_found_by_the_tests() {
        let nodes = vec![
            test(Feature::Raised, 10),
            test(Feature::Downhill, 0),
            Depth(1),
            Depth(2),
            test(Feature::Slope, 5),
            Depth(3),
            Depth(4),
        ];
        let tree = DepthTree::new(TreeSettings::default(), nodes).unwrap();
        assert_eq!(tree.leaves(), 4);
        for (raised, downhill, slope, depth) in
            [(10, 0, 9, 1), (0, 1, 0, 2), (11, 1, 5, 3), (u64::MAX, 0, 6, 4)]
        {
            let mut features = Features::default();
            features.set(Feature::Raised, raised);
            features.set(Feature::Downhill, downhill);
            features.set(Feature::Slope, slope);
            assert_eq!(tree.depth(&features), depth);
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let new = |nodes| DepthTree::new(TreeSettings::default(), nodes).map(|tree| tree.leaves());
        let a_test = test(Feature::Raised, 1);
        assert_eq!(new(vec![Depth(10)]), Ok(1));
        assert_eq!(new(vec![]), Err(TreeError(Wrong::Unfinished)));
        assert_eq!(new(vec![a_test, Depth(1)]), Err(TreeError(Wrong::Unfinished)));
        assert_eq!(new(vec![Depth(1), Depth(1)]), Err(TreeError(Wrong::NodesLeft)));
        assert_eq!(new(vec![Depth(1), a_test]), Err(TreeError(Wrong::NodesLeft)));
        assert_eq!(new(vec![Depth(0)]), Err(TreeError(Wrong::Depth(0))));
        assert_eq!(new(vec![Depth(11)]), Err(TreeError(Wrong::Depth(11))));
        // A chain of tests, each in the branch for yes, or each in that for no.
        for chain in [64, 65] {
            let mut yes = vec![a_test; chain];
            yes.extend(vec![Depth(1); chain + 1]);
            let mut no = [a_test, Depth(1)].repeat(chain);
            no.push(Depth(1));
            assert_eq!((new(yes).is_ok(), new(no).is_ok()), (chain == 64, chain == 64));
        }
        for settings in [
            TreeSettings { deepest: 0, ..TreeSettings::default() },
            TreeSettings { history: 10_001, ..TreeSettings::default() },
            TreeSettings { pre_search: 0, ..TreeSettings::default() },
        ] {
            assert!(DepthTree::new(settings, vec![Depth(1)]).is_err());
        }
    }

    #[test]
    fn the_built_in_trees_are_trees() {
        for deepest in [5, 10, 15, 20] {
            let tree = DepthTree::built_in(deepest).unwrap();
            assert_eq!(tree.settings(), TreeSettings { deepest, ..TreeSettings::default() });
            assert!(tree.leaves() > 1);
        }
        assert!(DepthTree::built_in(7).is_none());
    }
}
