//! What an agent keeps between two moves: heuristic values that it has learned.

mod learned;

pub use learned::LearnedHeuristic;
