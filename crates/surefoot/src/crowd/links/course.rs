//! What units are up to that go over links.

use alloc::vec::Vec;

use crate::crowd::MOST_UNITS;
use crate::crowd::kind::KindState;
use crate::crowd::lane::Lane;
use crate::search::Meter;
use crate::space::State;
use crate::store::codec::{CodecError, Reader, put_number, put_state};

/// What a unit is up to that goes over links, or has to find out whether to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crowd) struct Course {
    /// Where it is to go in the end.
    pub(in crate::crowd) goal: State,
    /// The link that its walker heads for. `None` if it has to choose.
    pub(in crate::crowd) link: Option<u32>,
}

/// What links mean for a unit on its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crowd) enum Heading {
    /// It goes on by its walker.
    Walk,
    /// It takes a link to this state, where its walker is now.
    Take(State),
    /// There is no way.
    NoWay,
}

impl Lane {
    /// Where the unit at a place is to go in the end.
    #[inline]
    pub(in crate::crowd) fn goal(&self, at: usize) -> State {
        match self.courses.get(&(at as u32)) {
            Some(course) => course.goal,
            None => self.units[at].walker.goal(),
        }
    }

    /// The unit at a place has a goal, and is to find out whether links lead there. If it has no links, its
    /// walker heads for the goal.
    pub(in crate::crowd) fn set_course(&mut self, at: usize, kind: &KindState, goal: State) {
        if kind.links.are_none() && goal == self.units[at].walker.goal() {
            self.courses.remove(&(at as u32));
        } else {
            self.courses.insert(at as u32, Course { goal, link: None });
        }
    }

    /// The unit at a place has arrived there: its walker has no other goal.
    pub(in crate::crowd) fn end_course(&mut self, at: usize, kind: &KindState, place: State) {
        if self.courses.remove(&(at as u32)).is_some() && self.units[at].walker.goal() != place {
            // It stands there: it is free.
            let _ = self.units[at].walker.set_goal(kind, place, place);
        }
    }

    /// The map was edited: if the unit at a place heads for a link that is of no more use, it chooses anew.
    pub(in crate::crowd) fn check_course(&mut self, at: usize, kind: &KindState) {
        if let Some(course) = self.courses.get_mut(&(at as u32))
            && let Some(id) = course.link
            && kind.links.usable(kind, id, course.goal).is_none()
        {
            course.link = None;
        }
    }

    /// Finds out what links mean for the unit at a place, which stands on a state.
    pub(in crate::crowd) fn head(
        &mut self,
        at: usize,
        kind: &KindState,
        place: State,
        meter: &mut Meter,
    ) -> Heading {
        let key = at as u32;
        let Some(&Course { goal, link }) = self.courses.get(&key) else { return Heading::Walk };
        meter.charge_probes(1 + kind.links.look_work());
        let known = link.and_then(|id| kind.links.table.find(id)).filter(|link| link.is_open());
        if let Some(link) = known {
            if place != link.entry {
                return Heading::Walk;
            }
            if kind.is_way(link.exit, goal) {
                return self.take(at, kind, link.exit, goal);
            }
        }
        let Some(choice) = kind.choose(place, goal, meter) else {
            self.courses.insert(key, Course { goal, link: None });
            return Heading::NoWay;
        };
        let first = choice.links.first().and_then(|&first| kind.links.table.links().get(usize::from(first)));
        if let Some(link) = first.filter(|link| link.entry == place) {
            return self.take(at, kind, link.exit, goal);
        }
        let target = first.map_or(goal, |link| link.entry);
        let walker = &mut self.units[at].walker;
        if walker.goal() != target && walker.set_goal(kind, place, target).is_err() {
            // What was chosen is free, so that this is a place that was blocked.
            return Heading::NoWay;
        }
        match first {
            Some(link) => self.courses.insert(key, Course { goal, link: Some(link.id) }),
            None => self.courses.remove(&key),
        };
        Heading::Walk
    }

    pub(in crate::crowd) fn save_courses(&self, out: &mut Vec<u8>) {
        put_number(out, self.courses.len() as u64);
        for (&at, course) in &self.courses {
            put_number(out, u64::from(at));
            put_state(out, course.goal);
            put_number(out, course.link.map_or(0, |link| u64::from(link) + 1));
        }
    }

    pub(in crate::crowd) fn load_courses(
        &mut self,
        saved: &mut Reader<'_>,
        limit: usize,
    ) -> Result<(), CodecError> {
        for _ in 0..saved.count(3)? {
            let at = saved.number_up_to(u64::from(MOST_UNITS), "there is no such unit")? as u32;
            let goal = saved.state(limit)?;
            // A link that there is not is not taken: the unit chooses anew.
            let link = saved.number_up_to(u64::from(u32::MAX) + 1, "no link has such a name")?;
            self.courses.insert(at, Course { goal, link: link.checked_sub(1).map(|link| link as u32) });
        }
        Ok(())
    }

    /// The walker of the unit at a place goes on from the exit of a link.
    fn take(&mut self, at: usize, kind: &KindState, exit: State, goal: State) -> Heading {
        self.astray.remove(&(at as u32));
        self.courses.insert(at as u32, Course { goal, link: None });
        match self.units[at].walker.set_goal(kind, exit, goal) {
            Ok(()) => Heading::Take(exit),
            // There is a way from the exit to the goal, so that both are free.
            Err(_) => Heading::NoWay,
        }
    }
}
