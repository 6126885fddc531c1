//! Walks over the states of a cover, stop by stop: nothing is put together before it is needed.

use surefoot::space::State;

use super::{CoverDatabase, RegionId};
use crate::knn::subgoals::Cursor;

/// How far a walk from the state of one region to that of another has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail {
    /// The region whose state was passed last, and the last one of the walk.
    region: RegionId,
    goal: RegionId,
    /// Where it stands.
    at: State,
    /// The region that the path at hand leads to, and the place on that path; nothing at the state of a
    /// region.
    path: Option<(RegionId, Cursor)>,
}

impl Trail {
    /// Where the walk stands.
    #[must_use]
    pub fn at(&self) -> State {
        self.at
    }

    /// Whether the walk stands at its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.path.is_none() && self.region == self.goal
    }

    /// What brings it back. Chains may have changed since the path at hand was chosen.
    pub(crate) fn place(&self) -> TrailPlace {
        let path = self.path.map(|(_, path)| path.place());
        TrailPlace { region: self.region, goal: self.goal, path }
    }
}

/// A place on a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TrailPlace {
    /// The region whose state was passed last, and the last one of the walk.
    pub(crate) region: RegionId,
    pub(crate) goal: RegionId,
    /// The path at hand by its number, and how many of its subgoals were passed; nothing at the state of a
    /// region.
    pub(crate) path: Option<(u32, u32)>,
}

impl CoverDatabase {
    /// The walk from the state of one region to that of another, which must be regions: it stands on the
    /// first.
    #[must_use]
    pub fn trail(&self, from: RegionId, goal: RegionId) -> Trail {
        Trail { region: from, goal, at: self.representative(from), path: None }
    }

    /// The next state of a walk, to be climbed to from the one before; nothing at its end. Where the path at
    /// hand is [retired](Self::is_retired) it is the state that the path leads to, and no climb need lead
    /// there.
    pub fn next_stop(&self, trail: &mut Trail) -> Option<State> {
        let (next, mut path) = match trail.path {
            Some((next, path)) => (next, path),
            None => {
                let link = self.next_link(trail.region, trail.goal)?;
                let next = self.links[link as usize];
                if self.is_retired(link) {
                    *trail = self.trail(next, trail.goal);
                    return Some(trail.at);
                }
                (next, self.path_of(trail.region, link))
            }
        };
        match self.paths.next(self.as_bytes(), &mut path).unwrap_or(None) {
            Some(state) => (trail.at, trail.path) = (state, Some((next, path))),
            None => (trail.region, trail.at, trail.path) = (next, path.last(), None),
        }
        Some(trail.at)
    }

    /// A walk that was at this [place](Trail::place). `None` if there is no such place.
    pub(crate) fn trail_at(&self, place: TrailPlace) -> Option<Trail> {
        let TrailPlace { region, goal, path } = place;
        let count = self.regions.len();
        if region.index() >= count || goal.index() >= count {
            return None;
        }
        let mut trail = self.trail(region, goal);
        let Some((link, passed)) = path else { return Some(trail) };
        let own = &self.regions[region.index()];
        if !(own.first_link..own.first_link + own.links).contains(&link) || passed == 0 {
            return None;
        }
        let mut path = self.path_of(region, link);
        for _ in 0..passed {
            trail.at = self.paths.next(self.as_bytes(), &mut path).ok()??;
        }
        trail.path = Some((self.links[link as usize], path));
        Some(trail)
    }
}
