//! Walks over the states of a cover, stop by stop: nothing is put together before it is needed.

use super::CoverDatabase;
use crate::database::subgoals::Cursor;
use crate::space::State;

/// How far a walk from the state of one region to that of another has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail {
    /// The region whose state was passed last, and the last one of the walk.
    region: u32,
    goal: u32,
    /// Where it stands.
    at: State,
    /// The region that the path at hand leads to, and the place on that path; nothing at the state of a region.
    path: Option<(u32, Cursor)>,
    /// Stops since the state of the last region.
    passed: u64,
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

    /// What brings it back.
    pub(crate) fn place(&self) -> (u32, u32, u64) {
        (self.region, self.goal, self.passed)
    }
}

impl CoverDatabase {
    /// The walk from the state of one region to that of another, which must be regions: it stands on the first.
    #[must_use]
    pub fn trail(&self, from: u32, goal: u32) -> Trail {
        Trail { region: from, goal, at: self.representative(from), path: None, passed: 0 }
    }

    /// The next state of a walk, to be climbed to from the one before; nothing at its end. Where the path at hand is [retired](Self::is_retired)
    /// it is the state that the path leads to, and no climb need lead there.
    pub fn next_stop(&self, trail: &mut Trail) -> Option<State> {
        if trail.path.is_none()
            && let Some(link) = self.next_link(trail.region, trail.goal).filter(|&link| self.is_retired(link))
        {
            *trail = self.trail(self.links[link as usize], trail.goal);
            return Some(trail.at);
        }
        self.next_on_path(trail)
    }

    /// The next state of a walk, be the path retired or not.
    fn next_on_path(&self, trail: &mut Trail) -> Option<State> {
        let (next, mut path) = match trail.path {
            Some((next, path)) => (next, path),
            None => {
                let link = self.next_link(trail.region, trail.goal)?;
                (self.links[link as usize], self.path_of(trail.region, link))
            }
        };
        trail.passed += 1;
        match self.paths.next(self.as_bytes(), &mut path).unwrap_or(None) {
            Some(state) => (trail.at, trail.path) = (state, Some((next, path))),
            None => (trail.region, trail.at, trail.path, trail.passed) = (next, path.last(), None, 0),
        }
        Some(trail.at)
    }

    /// A walk that was at this [place](Trail::place); nothing if there is no such place.
    pub(crate) fn trail_at(&self, (from, goal, passed): (u32, u32, u64)) -> Option<Trail> {
        let count = self.regions();
        if from >= count || goal >= count {
            return None;
        }
        let mut trail = self.trail(from, goal);
        for _ in 0..passed {
            self.next_on_path(&mut trail)?;
        }
        (trail.place() == (from, goal, passed)).then_some(trail)
    }
}
