//! The experiments of the papers, each beside what was published.

pub mod control;
pub mod courses;
pub mod refinement;
pub mod subgoals;
