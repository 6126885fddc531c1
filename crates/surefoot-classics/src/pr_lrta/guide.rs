//! What leads the agent over its level: LRTA* in one of its forms.

use alloc::sync::Arc;

use surefoot::agent::Agent;
use surefoot::lrta::LrtaStar;
use surefoot::search::Ties;
use surefoot::space::State;
use surefoot::store::container::DatabaseError;

use super::agent::guided_level;
use crate::abstraction::Abstraction;
use crate::abstraction::corridor::UpperSpace;
use crate::d_lrta::{DynamicLrta, PatternBuilder, PatternConfig, PatternContents, PatternDatabase, Trace};

/// No more pairs of regions than this: a table in memory that takes minutes to make.
const MOST_PAIRS: u64 = 1 << 25;

/// The pattern database of a level, whose regions are the nodes of a level so much `higher`.
///
/// # Errors
/// If there are too many pairs of regions.
pub(crate) fn patterns_of(
    abstraction: &Abstraction,
    level: usize,
    higher: u32,
    (contents, trace): (PatternContents, Trace),
) -> Result<Arc<PatternDatabase>, DatabaseError> {
    let world = guided_level(abstraction, level);
    let aligned = abstraction.config().aligned;
    let config = PatternConfig { level: higher, aligned, contents, trace, ties: Ties::Near };
    let base = level.min(abstraction.levels() - 1);
    let builder = PatternBuilder::of_nodes(&world, config, abstraction, base)?;
    builder.limit_pairs(MOST_PAIRS)?;
    builder.build().map(Arc::new)
}

/// An agent on a level of an abstraction, whose nodes are its states.
pub(crate) trait CoarseAgent: for<'a> Agent<UpperSpace<'a>> + Clone + 'static {
    /// Whether it is on its way to a node.
    fn is_bound_for(&self, node: State) -> bool;

    /// Puts it on another node: where the agent on the ground is.
    fn stand_at(&mut self, node: State);

    /// Forgets all that it knows of the level, which has changed.
    fn forget_level(&mut self);
}

impl CoarseAgent for LrtaStar {
    fn is_bound_for(&self, node: State) -> bool {
        self.is_bound_for(node)
    }

    fn stand_at(&mut self, node: State) {
        self.stand_at(node);
    }

    fn forget_level(&mut self) {
        self.forget();
    }
}

impl CoarseAgent for DynamicLrta {
    fn is_bound_for(&self, node: State) -> bool {
        self.is_bound_for(node)
    }

    fn stand_at(&mut self, node: State) {
        self.stand_at(node);
    }

    fn forget_level(&mut self) {
        self.outlive_database();
    }
}
