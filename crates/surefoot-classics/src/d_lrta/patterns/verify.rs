//! Whether a pattern database holds what it promises, by searches of its own.

use alloc::vec::Vec;

use surefoot::space::{State, World};

use super::build::PatternScratch;
use super::depths::best_moves;
use super::regions::Regions;
use super::{PatternDatabase, Trace};
use crate::regions::RegionId;

/// A promise that a pattern database does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum PatternFault {
    /// The map is divided in another way.
    #[error("its regions are not those of level {level} of the map")]
    Regions {
        /// The level.
        level: u32,
    },
    /// A subgoal leads astray.
    #[error("the subgoal from region {from} to region {goal} lies on no cheapest path")]
    Subgoal {
        /// Where the way begins.
        from: RegionId,
        /// Where it leads.
        goal: RegionId,
    },
    /// A subgoal is read off another cheapest path.
    #[error("the subgoal from region {from} to region {goal} is not on the path that trace={trace} takes")]
    Trace {
        /// Where the way begins.
        from: RegionId,
        /// Where it leads.
        goal: RegionId,
        /// Which path it should be on.
        trace: Trace,
    },
    /// A depth is not the shallowest that makes a move of a cheapest path, nor the cap.
    #[error("the depth from region {from} to region {goal} is {found}, and should be {expected}")]
    Depth {
        /// Where the way begins.
        from: RegionId,
        /// Where it leads.
        goal: RegionId,
        /// What it is.
        found: u32,
        /// What it should be.
        expected: u32,
    },
}

impl PatternDatabase {
    /// Makes sure that the regions and the states that stand for them are what the map is divided into.
    ///
    /// # Errors
    /// If they are not.
    pub fn verify_regions(&self, world: &impl World) -> Result<(), PatternFault> {
        let level = self.config.level;
        let fault = PatternFault::Regions { level };
        let Ok(regions) = Regions::new(world, level as usize, self.config.aligned) else { return Err(fault) };
        let own = self.regions.iter().map(|region| region.representative);
        let is_same = own.eq(regions.list.representatives.iter().copied())
            && (0..world.state_limit() as u32)
                .map(State)
                .filter(|&state| world.contains(state))
                .all(|state| self.region(state) == regions.labels[state.index()]);
        if is_same { Ok(()) } else { Err(fault) }
    }

    /// Checks what is stored for the ways from some regions to one: that each subgoal lies on a cheapest path
    /// between the states that stand for the two, on the one that was asked for, and that each depth is the
    /// shallowest that makes a move of a cheapest path, or the cap. That subgoals lie next to their regions
    /// was checked when the database was opened.
    ///
    /// # Errors
    /// The first way that is not as it should be.
    ///
    /// # Panics
    /// If there is no such region.
    pub fn verify_ways(
        &self,
        world: &impl World,
        from: impl IntoIterator<Item = RegionId>,
        goal: RegionId,
        scratch: &mut PatternScratch,
    ) -> Result<(), PatternFault> {
        let PatternScratch { dijkstra, depths } = scratch;
        let (target, ties) = (self.representative(goal), self.config.ties);
        let check_depth = |from: RegionId, found: u32, expected: u32| match found == expected {
            true => Ok(()),
            false => Err(PatternFault::Depth { from, goal, found, expected }),
        };
        let (contents, trace) = (self.config.contents, self.config.trace);
        let tree = dijkstra.tree(world, target, |_| false);
        let mut by_subgoals = Vec::new();
        for from in from {
            let Some(pattern) = self.pattern(from, goal) else { continue };
            let start = self.representative(from);
            if let Some(subgoal) = pattern.subgoal {
                let is_inside = |state| self.region(state) == Some(from);
                let traced = trace.way_out(world, &tree, start, is_inside);
                let costs = (tree.distance(start), tree.distance(subgoal));
                by_subgoals.push((from, subgoal, costs, traced == subgoal, pattern.depth));
            }
            let to_goal = if contents.has_subgoals() { self.goal_depth(from, goal) } else { pattern.depth };
            if let (Some(found), Some(cap)) = (to_goal, contents.cap()) {
                let moves = best_moves(world, start, |state| tree.distance(state));
                depths.stand_on(start);
                check_depth(from, found, depths.shallowest(world, (target, &moves), cap, ties))?;
            }
        }
        for (from, subgoal, (whole, rest), is_traced, depth) in by_subgoals {
            let start = self.representative(from);
            let tree = dijkstra.tree(world, subgoal, |state| state == start);
            let way = tree.distance(start).zip(rest).map(|(way, rest)| way.saturating_add(rest));
            if way.is_none() || way != whole {
                return Err(PatternFault::Subgoal { from, goal });
            }
            if !is_traced {
                return Err(PatternFault::Trace { from, goal, trace });
            }
            if let (Some(found), Some(cap)) = (depth, contents.cap()) {
                let moves = best_moves(world, start, |state| tree.distance(state));
                depths.stand_on(start);
                check_depth(from, found, depths.shallowest(world, (subgoal, &moves), cap, ties))?;
            }
        }
        Ok(())
    }
}
