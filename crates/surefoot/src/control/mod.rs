//! What an agent keeps between two moves, heuristic values that it has learned, and what decides how far it looks.

mod depth_tree;
mod features;
mod learned;
mod tree_text;

pub use depth_tree::{DepthTree, TreeError, TreeNode, TreeSettings};
pub use features::{Feature, Features};
pub use learned::LearnedHeuristic;
