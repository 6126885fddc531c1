//! PRA*: path refinement A* ("Partial Pathfinding Using Map Abstraction and Refinement", Sturtevant and Buro,
//! 2005, section "Partial-Refinement A*", Figure 4), and s-PRA* (section "Interleaving Path Planning and
//! Execution").
//!
//! A path is planned on a coarse level of the [clique abstraction](crate::abstraction::Abstraction), and
//! becomes a path of the level below by an A* that keeps to the children of its nodes, and so on down to the
//! ground. PRA*(∞), here [`PraStar`] and `pra*`, does that for whole paths. PRA*(k), `pra*(k=16)`, cuts each
//! path to its first k nodes before it goes down, walks the k − 1 moves of the last one, and plans again.
//! `s-pra*` is PRA*(∞) spread over frames: it stands still until it is done.
//!
//! Readings and deviations:
//! - The start level is half of the level on which the ancestors of start and goal first are neighbours or
//!   the same, rounded down, where the ground is level 1, as in Figure 4; but no level that has fewer than
//!   2√n nodes, for n cells: on the coarsest maps a path is only as good as a guess. That rule is not in the
//!   paper; its authors' later code has it. With it 99 paths in a hundred are within 1 % of the optimum
//!   instead of 97.
//! - The paper has the corridor twice, as "a corridor or swath outside of the abstract path" and as the nodes
//!   "whose parents are part of the abstract path". The second, the narrow one, gives paths 1 to 2 % too
//!   long; the figures of the paper are only reached with a wider one. It is the default, and has the
//!   children of all nodes that are neighbours of two nodes in a row of the path, and all around its ends: as
//!   good as the children of all neighbours, and a sixth fewer.
//! - A search for a path that was cut ends at the first child of its last node that is settled, as in the
//!   paper. Its estimate goes by a child of the node after the cut, so that it ends on the side where the
//!   path goes on. (The paper does not say.)
//! - The path on the start level is kept while the agent stands under one of its nodes and the goal is the
//!   same. The paper has this as an optimisation. In narrow corridors it is what makes PRA*(k) complete for k
//!   ≥ 2: between two plans the agent gets ahead on the start level; or stays in its node, and then gets
//!   ahead on the path below, which is planned in the same corridor to the same end; and so on down to the
//!   ground, where it always moves. A start level chosen anew for every plan could lead back and forth. From
//!   wide corridors an agent may leave the path, and nothing but experience says that it arrives: when it has
//!   made several times the plans that the way should take, it goes on in narrow ones.
//! - k = 1 would keep of each path only the node that the agent is in, and never leave it. It counts as 2,
//!   and the roster does not offer it.
//! - On a map that is not that of the abstraction, because it was edited since, a corridor may be blocked.
//!   Then the whole way is planned on the ground, by A*. An abstraction that was
//!   [repaired](crate::abstraction::Abstraction::repair) is handed to agents by
//!   [`use_database`](surefoot::agent::Agent::use_database).
//! - A tape has the expansions of abstract nodes too, each named by the first state under it.
//! - s-PRA* is charged for the steps back along each path that it finds, ten for an expansion as in TBA*. It
//!   takes the memory of its corridors when it is given its problem, and that of its searches, which is by
//!   the size of the corridors, as it needs it.

mod agent;
mod entry;
mod levels;
mod refinement;
#[cfg(test)]
mod tests;

use alloc::sync::Arc;

pub(super) use agent::PraAgent;
pub use entry::{PRA, SLICED};
pub use levels::LevelPlan;
use surefoot::search::{Answer, Planner, StatePath, check_ends};
use surefoot::space::{Cell, GridSpace, QueryError, Reachability, State, World};
use surefoot::store::container::DatabaseError;

use crate::abstraction::Abstraction;
use refinement::{Allowance, Progress, Refinement};

/// PRA*(∞) as a search for whole paths: near-optimal, and far faster than A* where the way is long.
///
/// ```
/// use std::sync::Arc;
/// use surefoot_classics::pra::PraStar;
/// use surefoot_classics::abstraction::{Abstraction, AbstractionConfig};
/// use surefoot::formats::grid_from_art;
/// use surefoot::search::Planner;
/// use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};
///
/// let grid = grid_from_art("......\n.####.\n......")?;
/// let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
/// let abstraction = Arc::new(Abstraction::build(&space, AbstractionConfig::default())?);
/// let mut search = PraStar::new(abstraction); // keep it: its memory is used again by every query
/// let (start, goal) = space.locate_ends(Cell::new(1, 0), Cell::new(1, 2))?;
/// let path = search.plan(&space, start, goal)?.path.expect("the goal can be reached");
/// assert_eq!(path.moves(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PraStar {
    search: Refinement,
}

impl PraStar {
    /// A search that plans on an abstraction of its world.
    #[must_use]
    pub fn new(abstraction: Arc<Abstraction>) -> Self {
        Self { search: Refinement::new(abstraction, None, true) }
    }

    /// The same with narrow corridors: faster, and paths are longer.
    #[must_use]
    pub fn narrow(abstraction: Arc<Abstraction>) -> Self {
        Self { search: Refinement::new(abstraction, None, false) }
    }

    /// The abstraction.
    #[must_use]
    pub fn abstraction(&self) -> &Abstraction {
        self.search.abstraction()
    }

    /// Plans on this abstraction from now on: one that was [repaired](Abstraction::repair) since the map was
    /// edited.
    pub fn set_abstraction(&mut self, abstraction: Arc<Abstraction>) {
        self.search.set_abstraction(abstraction);
    }

    /// [Repairs](Abstraction::repair) the abstraction that it plans on, in place if nobody shares it.
    ///
    /// # Errors
    /// As there.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<(), DatabaseError> {
        self.search.abstraction_mut().repair(space, changed)
    }
}

impl PraStar {
    fn find(
        &mut self,
        world: &impl World,
        start: State,
        goal: State,
        note: &mut impl FnMut(usize, u32),
    ) -> Result<Answer, QueryError> {
        check_ends(world, start, goal)?;
        if world.reachability(start, goal) == Reachability::No {
            return Ok(Answer::unreachable_at_once());
        }
        self.search.begin(world, start, goal);
        let progress = self.search.advance(world, &mut { Allowance::UNLIMITED }, note);
        let path = (progress == Progress::Found).then(|| {
            let (mut states, cost) = self.search.take_way();
            states.reverse();
            StatePath { states, cost }
        });
        Ok(Answer { path, counts: self.search.counts() })
    }
}

impl<W: World> Planner<W> for PraStar {
    fn plan_noting(
        &mut self,
        world: &W,
        start: State,
        goal: State,
        mut note: impl FnMut(State),
    ) -> Result<Answer, QueryError> {
        let abstraction = Arc::clone(self.search.abstraction());
        self.find(world, start, goal, &mut |level, node| note(abstraction.first_state(level, node)))
    }

    fn plan(&mut self, world: &W, start: State, goal: State) -> Result<Answer, QueryError> {
        self.find(world, start, goal, &mut |_, _| ())
    }
}
