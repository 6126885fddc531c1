//! How a plan came about: the path and the corridor of each level, for whoever wants to see them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use surefoot::search::check_ends;
use surefoot::space::{QueryError, Reachability, State, World};

use super::PraStar;
use super::refinement::{Allowance, Refinement};

/// What PRA* planned on one level. On level 0 nodes are states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelPlan {
    /// The level.
    pub level: usize,
    /// The path that was found, from its start to its end.
    pub path: Vec<u32>,
    /// How many nodes of the path were kept, from its start on: all, or the first k.
    pub kept: usize,
    /// The nodes that the search might enter, in order. `None` if it might enter all.
    pub corridor: Option<Vec<u32>>,
    /// The nodes that it expanded, in the order in which it did.
    pub expanded: Vec<u32>,
}

impl PraStar {
    /// Plans a way, and gives what was planned on each level: that of the start level first, that of the
    /// ground last. Empty if there is no way. With `kept` it is the first plan of PRA*(k), else the plan of
    /// PRA*(∞).
    ///
    /// It is for pictures and for explaining: each call takes new memory.
    ///
    /// Where the abstraction is not that of the world as it is, the last plan may have no corridor though it
    /// is not the first: then the corridor was blocked, and the ground was searched without it.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use surefoot_classics::pra::PraStar;
    /// use surefoot_classics::abstraction::{Abstraction, AbstractionConfig};
    /// use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule};
    ///
    /// let space = GridSpace::new(Grid::from_fn(40, 40, |_| true)?, MoveRule::NoCut, CostModel::Sqrt2);
    /// let search = PraStar::new(Arc::new(Abstraction::build(&space, AbstractionConfig::default())?));
    /// let (start, goal) = space.locate_ends(Cell::new(1, 1), Cell::new(38, 30))?;
    /// let plans = search.plan_levels(&space, start, goal, None)?;
    /// assert_eq!(plans.iter().map(|plan| plan.level).collect::<Vec<_>>(), [2, 1, 0]);
    /// assert!(plans[0].corridor.is_none() && plans[1].corridor.is_some());
    /// assert_eq!(plans[2].path.last(), Some(&goal.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the start or the goal is no state.
    pub fn plan_levels(
        &self,
        world: &impl World,
        start: State,
        goal: State,
        kept: Option<usize>,
    ) -> Result<Vec<LevelPlan>, QueryError> {
        check_ends(world, start, goal)?;
        if world.reachability(start, goal) == Reachability::No {
            return Ok(Vec::new());
        }
        let mut search = Refinement::new(Arc::clone(self.search.abstraction()), kept, self.search.is_wide());
        search.record(LevelRecorder::default());
        search.begin(world, start, goal);
        let mut expanded = alloc::vec![Vec::new(); self.abstraction().levels().max(1)];
        search.advance(world, &mut { Allowance::UNLIMITED }, &mut |level, node| expanded[level].push(node));
        let mut plans = search.take_record().plans;
        for plan in &mut plans {
            plan.expanded = core::mem::take(&mut expanded[plan.level]);
        }
        // Without a path on the ground there is no way: what was planned above led nowhere.
        if plans.last().is_none_or(|plan| plan.level > 0) {
            plans.clear();
        }
        Ok(plans)
    }
}

/// Writes down what a search does, level by level.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelRecorder {
    plans: Vec<LevelPlan>,
}

impl LevelRecorder {
    /// A search on a level came to its end.
    pub(super) fn searched(&mut self, level: usize, corridor: Option<Vec<u32>>) {
        self.plans.push(LevelPlan { level, path: Vec::new(), kept: 0, corridor, expanded: Vec::new() });
    }

    /// The path of that level, from its end back to its start, of which so many nodes are kept.
    pub(super) fn traced(&mut self, way: &[u32], kept: Option<usize>) {
        if let Some(plan) = self.plans.last_mut() {
            plan.path = way.iter().rev().copied().collect();
            plan.kept = kept.map_or(way.len(), |kept| kept.min(way.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::{Abstraction, AbstractionConfig};
    use crate::pra::PraAgent;
    use surefoot::agent::{Agent, Step};
    use surefoot::search::{Meter, Planner};
    use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule};

    /// A hall with two walls, each open at one end.
    fn hall(is_open: bool) -> (GridSpace, State, State) {
        let is_free = |cell: Cell| match cell.x {
            20 => is_open && cell.y >= 50,
            40 => cell.y < 10,
            _ => true,
        };
        let space =
            GridSpace::new(Grid::from_fn(60, 60, is_free).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let (start, goal) = (space.state_of(Cell::new(2, 3)), space.state_of(Cell::new(57, 57)));
        (space, start, goal)
    }

    fn searches(space: &GridSpace) -> [PraStar; 2] {
        let abstraction = Arc::new(Abstraction::build(space, AbstractionConfig::default()).unwrap());
        [PraStar::new(Arc::clone(&abstraction)), PraStar::narrow(abstraction)]
    }

    #[test]
    fn the_levels_lead_down_to_the_path_that_is_planned() {
        let (space, start, goal) = hall(true);
        for mut search in searches(&space) {
            let plans = search.plan_levels(&space, start, goal, None).unwrap();
            assert!(plans.len() > 2, "there is something to see");
            let answer = search.plan(&space, start, goal).unwrap();
            let states: Vec<u32> = answer.path.unwrap().states.iter().map(|state| state.0).collect();
            assert_eq!(plans.last().unwrap().path, states);
            let expanded: usize = plans.iter().map(|plan| plan.expanded.len()).sum();
            assert_eq!(expanded as u64, answer.counts.expanded);
            assert_eq!(plans[0].corridor, None);
            let abstraction = search.abstraction();
            for (above, below) in plans.iter().zip(&plans[1..]) {
                assert_eq!((below.level + 1, above.kept), (above.level, above.path.len()));
                let corridor = below.corridor.as_ref().unwrap();
                assert!(below.path.iter().chain(&below.expanded).all(|node| corridor.contains(node)));
                let is_wide = search.search.is_wide();
                for node in 0..abstraction.node_count(below.level) as u32 {
                    let parent = abstraction.parent(below.level, node);
                    let near = |parent: u32| {
                        let is_by =
                            |node: u32| abstraction.edges(above.level, parent).any(|(next, ..)| next == node);
                        let is_by_a_step = above.path.windows(2).any(|step| is_by(step[0]) && is_by(step[1]));
                        let ends = [above.path[0], above.path[above.path.len() - 1]];
                        above.path.contains(&parent)
                            || is_wide && (is_by_a_step || ends.into_iter().any(is_by))
                    };
                    assert_eq!(corridor.contains(&node), parent.is_some_and(near), "node {node}");
                }
            }
        }
    }

    #[test]
    fn partial_plans_show_the_cut() {
        let (space, start, goal) = hall(true);
        let [search, _] = searches(&space);
        let plans = search.plan_levels(&space, start, goal, Some(4)).unwrap();
        assert!(plans[0].path.len() > 4 && plans[0].kept == 4);
        assert!(plans.iter().all(|plan| plan.kept == plan.path.len().min(4)));
        assert_eq!(plans[0].path.last(), search.abstraction().ancestor(goal, plans[0].level).as_ref());
        // The first moves of the agent are those of the plan.
        let mut agent = PraAgent::new(Arc::clone(search.search.abstraction()), Some(4), true);
        agent.begin(&space, start, goal).unwrap();
        let ground = plans.last().unwrap();
        for &state in &ground.path[1..ground.kept] {
            let step = Agent::<GridSpace>::step(&mut agent, &space, &mut Meter::new());
            assert_eq!(step, Step::Moved(State(state)));
        }
    }

    #[test]
    fn corridors_of_partial_plans_have_room_around_their_ends() {
        let (space, start, goal) = hall(true);
        let [wide, narrow] = searches(&space);
        for (search, is_wide) in [(wide, true), (narrow, false)] {
            let plans = search.plan_levels(&space, start, goal, Some(4)).unwrap();
            for (above, below) in plans.iter().zip(&plans[1..]) {
                let corridor = below.corridor.as_ref().unwrap();
                let abstraction = search.abstraction();
                for end in [above.path[0], above.path[above.kept - 1]] {
                    let beside = abstraction.edges(above.level, end).map(|(next, ..)| next);
                    let mut around = beside.filter(|next| !above.path.contains(next)).peekable();
                    assert!(around.peek().is_some());
                    for child in around.flat_map(|next| abstraction.children(above.level, next)) {
                        assert_eq!(corridor.contains(&child), is_wide, "level {}", below.level);
                    }
                }
            }
        }
    }

    /// A row of 32 cells on a map of 1,024: level 1 is half-way, but has fewer than 64 nodes.
    #[test]
    fn no_plan_begins_on_a_level_of_few_nodes() {
        let row = |height: u32| {
            let grid = Grid::from_fn(32, height, |cell| cell.y == 0).unwrap();
            let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
            let [search, _] = searches(&space);
            search.plan_levels(&space, State(0), State(31), None).unwrap()[0].level
        };
        assert_eq!((row(1), row(2), row(3), row(32)), (1, 1, 0, 0));
    }

    #[test]
    fn without_a_way_there_is_no_plan() {
        let (space, start, goal) = hall(false);
        let [search, _] = searches(&space);
        assert_eq!(search.plan_levels(&space, start, goal, None).unwrap(), []);
        assert!(search.plan_levels(&space, start, State(u32::MAX), None).is_err());
    }

    #[test]
    fn a_blocked_corridor_is_followed_by_the_ground() {
        let (space, start, goal) = hall(true);
        let [search, _] = searches(&space);
        // The map of another day: the gap in the first wall is elsewhere.
        let is_free = |cell: Cell| match cell.x {
            20 => cell.y < 5,
            40 => cell.y < 10,
            _ => true,
        };
        let edited =
            GridSpace::new(Grid::from_fn(60, 60, is_free).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
        let plans = search.plan_levels(&edited, start, goal, None).unwrap();
        let ground = plans.last().unwrap();
        assert_eq!((ground.level, &ground.corridor), (0, &None));
        assert!(plans.len() > 1 && ground.path.last() == Some(&goal.0));
    }
}
