//! Runs: what a plan comes to, unit by unit.
//!
//! A unit is one algorithm with one database on the problems of one map: the piece of an experiment that is done whole or not at
//! all. What came of it is a [`UnitResult`]: the rows, and all that is needed to repeat them.

mod provenance;
mod results;

pub use provenance::{Machine, Provenance};
pub use results::{DatabaseFacts, MapFacts, ResultSet, UnitResult};
