//! Links of kinds of units: one-way doors, ladders, teleporters, stairs.
//!
//! A unit whose cheapest way leads over links has a [`Course`] in its lane: its walker heads for the entry of
//! the first one, and its real goal is kept beside. On the turn after it got there it moves to the exit, and
//! chooses anew. A unit without a course goes straight to its goal. So walkers know nothing of links.
//!
//! To choose takes a few questions to the database, which are charged to the unit ([`LinkTable::choose`] says
//! how few). What is left of a way falls with every link: nobody goes in circles while the map stays the
//! same. Whether there is a way at all is told by components and open links alone, which are always right.
//!
//! When the map is edited, links that an end was blocked of are closed at once. What ways between links cost
//! is asked anew later, link by link, as a part of the upkeep.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use xxhash_rust::xxh3::xxh3_64;

use super::databases::{Done, Held};
use super::edits::is_open;
use super::kind::KindState;
use super::lane::{LANES, Lane};
use super::occupied::is_legal;
use super::unit::UnitStatus;
use super::{Crowd, CrowdError, KindId, MOST_UNITS};
use crate::links::{Choice, LinkTable, TableLink};
use crate::search::{AStar, Meter};
use crate::space::{Cell, Cost, Link, LinkError, LinkedSpace, Links, MAX_LINKS, NearestSearch, Path, State};
use crate::store::Answers;
use crate::store::codec::{CodecError, Reader, put_number, put_state};

/// The name of a link among those of its kind. No other link of the kind ever has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(u32);

impl fmt::Display for LinkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The links of a kind.
#[derive(Clone, Debug, Default)]
pub(super) struct KindLinks {
    table: LinkTable,
    /// The name of the next link.
    next_id: u32,
    /// Whether a link came since the last frame.
    is_new: bool,
    /// How many links the ways from are to be asked for anew...
    due: usize,
    /// ... beginning with this one.
    next: usize,
}

/// What a unit is up to that goes over links, or has to find out whether to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    /// Where it is to go in the end.
    pub(super) goal: State,
    /// The link that its walker heads for. `None` if it has to choose.
    pub(super) link: Option<u32>,
}

/// What links mean for a unit on its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// It goes on by its walker.
    Walk,
    /// It takes a link to this state, where its walker is now.
    Take(State),
    /// There is no way.
    NoWay,
}

impl Crowd {
    /// Adds a link for units of a kind: from the next frame on they take it where that is cheaper, or where
    /// there is no other way. Its ends are positions of units. If one of them is blocked, nobody takes it
    /// until it is freed.
    ///
    /// # Errors
    /// If there is no such kind, its database cannot tell what ways cost, there can be no such link on the
    /// map, or the kind has too many.
    pub fn add_link(&mut self, kind: KindId, link: Link) -> Result<LinkId, CrowdError> {
        let state = self.kinds.get_mut(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        link.check(&self.map)?;
        if state.links.table.len() == MAX_LINKS {
            return Err(LinkError::TooMany.into());
        }
        let id = state.links.next_id;
        let mut links = core::mem::take(&mut state.links);
        let mut work = 0;
        let is_known = state.with_answers(|answers| {
            links.table.push(&state.space, id, link, &mut |from, to| {
                let (cost, took) = answers.ask(&state.space, from, to);
                work += took;
                cost
            });
        });
        if is_known.is_some() {
            (links.next_id, links.is_new) = (id.wrapping_add(1), true);
            if !state.changed.is_empty() || state.databases.have_work() {
                // What the database knows is not of the map as it is.
                links.due = links.table.len();
            }
        }
        state.links = links;
        is_known.ok_or_else(|| CrowdError::NoLinks(state.kind.algorithm.spec().clone()))?;
        state.find_bound()?;
        self.debt = self.debt.saturating_add(work);
        self.note_link(kind, id, link);
        Ok(LinkId(id))
    }

    /// Removes a link. Units that were heading for it choose other ways.
    ///
    /// # Errors
    /// If there is no such kind, or no such link of it.
    pub fn remove_link(&mut self, kind: KindId, link: LinkId) -> Result<(), CrowdError> {
        let state = self.kinds.get_mut(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        let removed = state.links.table.find(link.0).map(|found| found.link);
        let removed = removed.ok_or(CrowdError::NoLink(link))?;
        state.links.table.remove(link.0);
        let left = state.links.table.len();
        (state.links.due, state.links.next) = (state.links.due.min(left), 0);
        if state.links.due > 0 {
            state.links.due = left;
        }
        state.find_bound()?;
        self.note_link(kind, link.0, removed);
        Ok(())
    }

    /// The links of a kind, with their names.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn links(&self, kind: KindId) -> Result<impl Iterator<Item = (LinkId, Link)>, CrowdError> {
        let state = self.kinds.get(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        Ok(state.links.table.links().iter().map(|link| (LinkId(link.id), link.link)))
    }

    /// Whether a unit goes over links, or has to find out.
    pub(super) fn has_course(&self, slot: u32) -> bool {
        self.lanes[slot as usize % LANES].courses.contains_key(&(slot / LANES as u32))
    }

    /// A link came or went: what was stated to those who wait, and what pursuers have seen, holds no more.
    fn note_link(&mut self, kind: KindId, id: u32, link: Link) {
        self.lanes.iter_mut().for_each(Lane::take_back);
        let numbers = [u32::from(kind.0), id, link.from.x, link.from.y, link.to.x, link.to.y, link.moves];
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        self.map_mark ^= xxh3_64(&bytes);
    }

    /// Lets all units of kinds with new links choose anew, and wakes those that have a way now. What it took.
    pub(super) fn settle_links(&mut self) -> u64 {
        if !self.kinds.iter().any(|kind| kind.links.is_new) {
            return 0;
        }
        let report = Arc::make_mut(&mut self.report);
        let mut work = 0;
        for lane in &mut self.lanes {
            for at in 0..lane.units.len() {
                let kind = match self.kinds.get(usize::from(lane.units[at].kind)) {
                    Some(kind) if kind.links.is_new && !lane.units[at].walker.is_gone() => kind,
                    _ => continue,
                };
                work += 1 + kind.links.look_work();
                let goal = lane.goal(at);
                match lane.units[at].status {
                    UnitStatus::Walking => lane.set_course(at, kind, goal),
                    UnitStatus::Unreachable if kind.is_way(lane.place(at), goal) => {
                        lane.set_course(at, kind, goal);
                        lane.units[at].set_out(self.frame.wrapping_sub(1));
                        report.reachable.push(lane.id(at));
                    }
                    _ => {}
                }
            }
        }
        self.kinds.iter_mut().for_each(|kind| kind.links.is_new = false);
        work
    }
}

impl Lane {
    /// Where the unit at a place is to go in the end.
    #[inline]
    pub(super) fn goal(&self, at: usize) -> State {
        match self.courses.get(&(at as u32)) {
            Some(course) => course.goal,
            None => self.units[at].walker.goal(),
        }
    }

    /// The unit at a place has a goal, and is to find out whether links lead there. If it has no links, its
    /// walker heads for the goal.
    pub(super) fn set_course(&mut self, at: usize, kind: &KindState, goal: State) {
        if kind.links.are_none() && goal == self.units[at].walker.goal() {
            self.courses.remove(&(at as u32));
        } else {
            self.courses.insert(at as u32, Course { goal, link: None });
        }
    }

    /// The unit at a place has arrived there: its walker has no other goal.
    pub(super) fn end_course(&mut self, at: usize, kind: &KindState, place: State) {
        if self.courses.remove(&(at as u32)).is_some() && self.units[at].walker.goal() != place {
            // It stands there: it is free.
            let _ = self.units[at].walker.set_goal(kind, place, place);
        }
    }

    /// The map was edited: if the unit at a place heads for a link that is of no more use, it chooses anew.
    pub(super) fn check_course(&mut self, at: usize, kind: &KindState) {
        if let Some(course) = self.courses.get_mut(&(at as u32))
            && let Some(id) = course.link
            && kind.links.usable(kind, id, course.goal).is_none()
        {
            course.link = None;
        }
    }

    /// Finds out what links mean for the unit at a place, which stands on a state.
    pub(super) fn head(&mut self, at: usize, kind: &KindState, place: State, meter: &mut Meter) -> Heading {
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

    pub(super) fn save_courses(&self, out: &mut Vec<u8>) {
        put_number(out, self.courses.len() as u64);
        for (&at, course) in &self.courses {
            put_number(out, u64::from(at));
            put_state(out, course.goal);
            put_number(out, course.link.map_or(0, |link| u64::from(link) + 1));
        }
    }

    pub(super) fn load_courses(&mut self, saved: &mut Reader<'_>, limit: usize) -> Result<(), CodecError> {
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

impl KindLinks {
    pub(super) fn are_none(&self) -> bool {
        self.table.is_empty()
    }

    /// Whether units of the kind may have courses.
    pub(super) fn were_there(&self) -> bool {
        self.next_id > 0
    }

    /// Whether something of it could wait.
    pub(super) fn are_due(&self) -> bool {
        self.due > 0
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.table.links()) + size_of_val(self.table.costs())
    }

    /// What it takes to see whether there is a way.
    fn look_work(&self) -> u64 {
        self.table.len() as u64 / 16
    }

    /// A link, if it is open and a way leads on from it.
    fn usable(&self, kind: &KindState, id: u32, goal: State) -> Option<&TableLink> {
        self.table.find(id).filter(|link| link.is_open() && kind.is_way(link.exit, goal))
    }

    fn all(&self, kind: &KindState) -> Links {
        let links = self.table.links().iter().map(|link| link.link);
        // They were checked when they were added.
        Links::new(kind.space.grid(), links).unwrap_or_default()
    }

    pub(super) fn save(&self, out: &mut Vec<u8>) {
        put_number(out, u64::from(self.next_id));
        put_number(out, u64::from(self.is_new));
        put_number(out, self.table.len() as u64);
        for link in self.table.links() {
            put_number(out, u64::from(link.id));
            put_state(out, link.entry);
            put_state(out, link.exit);
            put_number(out, u64::from(link.link.moves));
        }
        put_number(out, self.due as u64);
        put_number(out, self.next as u64);
        self.table.costs().iter().for_each(|&cost| put_number(out, cost));
    }

    pub(super) fn load(saved: &mut Reader<'_>, kind: &KindState) -> Result<Self, CodecError> {
        let mut links = Self::default();
        let limit = kind.space.grid().cell_count();
        links.next_id = saved.number_up_to(u64::from(u32::MAX), "no link has such a name")? as u32;
        links.is_new = saved.number_up_to(1, "this should be 0 or 1")? == 1;
        let count = saved.number_up_to(MAX_LINKS as u64, "there are too many links")? as usize;
        let mut last = None;
        for _ in 0..count {
            let id = saved.number_up_to(u64::from(u32::MAX), "no link has such a name")? as u32;
            let [from, to] = [saved.state(limit)?, saved.state(limit)?].map(|state| kind.space.cell(state));
            let moves = saved.number_up_to(u64::from(u32::MAX), "no link costs so much")? as u32;
            let link = Link { from, to, moves };
            if link.check(kind.space.grid()).is_err() || last.is_some_and(|last| last >= id) {
                return Err(saved.malformed("there can be no such link"));
            }
            links.table.push(&kind.space, id, link, &mut |_, _| None);
            last = Some(id);
        }
        links.due = saved.number_up_to(count as u64, "there are not so many links")? as usize;
        links.next = saved.number_up_to(count as u64, "there are not so many links")? as usize;
        let costs: Result<Vec<Cost>, CodecError> = (0..count * count).map(|_| saved.number()).collect();
        if !links.table.set_costs(costs?) || count > 0 && kind.with_answers(|_| ()).is_none() {
            return Err(saved.malformed("this kind cannot have links"));
        }
        Ok(links)
    }
}

impl KindState {
    /// Asks the database of the algorithm. `None` if there is none that answers.
    fn with_answers<T>(&self, ask: impl FnOnce(&dyn Answers) -> T) -> Option<T> {
        let main = self.databases.main.as_ref()?;
        match main {
            Held::Beacons(beacons) => Some(ask(&**beacons)),
            Held::Other(other) => other.database().answers().map(|answers| ask(&*answers)),
        }
    }

    /// Whether there is a way, over links or without.
    pub(super) fn is_way(&self, from: State, to: State) -> bool {
        if self.links.are_none() {
            is_open(&self.space, from, to)
        } else {
            self.links.table.is_way(&self.space, from, to)
        }
    }

    /// Whether one of its links leads from one state to another, and a way from there to a goal.
    pub(super) fn can_take(&self, from: State, to: State, goal: State) -> bool {
        self.links.table.is_move(from, to) && self.is_way(to, goal)
    }

    /// What it costs to go from one state to another over a link, in straight moves. `None` if no link leads
    /// there, or it takes none.
    pub(super) fn moves_over_link(&self, from: State, to: State) -> Option<u32> {
        let links = self.links.table.links().iter().filter(|link| link.entry == from && link.exit == to);
        links.map(|link| link.link.moves).min().filter(|_| !is_legal(&self.space, from, to))
    }

    /// The components that units can get to from a state.
    pub(super) fn reached_from(&self, from: State) -> Vec<u32> {
        let component = self.space.components().of(self.space.cell(from));
        component.map(|component| self.links.table.reached_from(component)).unwrap_or_default()
    }

    /// The state that is nearest to a cell, of those that can be reached.
    pub(super) fn nearest_reachable(&self, from: State, target: Cell) -> State {
        if self.links.are_none() {
            return self.space.nearest_reachable(from, target);
        }
        let among = self.reached_from(from);
        let mut search = NearestSearch::new(&self.space, self.space.cell(from), target);
        let (_, nearest) = search.advance_among(&self.space, from, &among, u64::MAX);
        nearest.filter(|_| !among.is_empty()).map_or(from, |cell| self.space.state(cell))
    }

    /// The cheapest way, as far as the database knows. `None` if there is no way.
    fn choose(&self, from: State, to: State, meter: &mut Meter) -> Option<Choice> {
        self.with_answers(|answers| {
            let ask = &mut |from, to| {
                let (cost, work) = answers.ask(&self.space, from, to);
                meter.charge_probes(work);
                cost
            };
            let (choice, work) = self.links.table.choose(&self.space, (from, to), ask);
            meter.charge_probes(work);
            choice
        })?
    }

    /// The most that links add to a turn: two looks and a choice. Units may still have a course when the last
    /// link was removed.
    pub(super) fn links_bound(&self) -> u64 {
        if !self.links.were_there() {
            return 0;
        }
        let (looks, questions) = self.links.table.most_to_choose();
        let question = self.with_answers(Answers::question_bound).unwrap_or(0);
        2 * (1 + self.links.look_work()) + looks + questions * question
    }

    /// The map was edited: sees which links are open.
    pub(super) fn look_at_links(&mut self) {
        self.links.table.look(&self.space);
        self.note_answers();
    }

    /// The database answers otherwise than before.
    pub(super) fn note_answers(&mut self) {
        self.links.due = self.links.table.len();
    }

    /// Asks anew for the ways from one link to all others. `None` if there is nothing to do.
    pub(super) fn renew_link(&mut self) -> Option<Done> {
        if self.links.due == 0 {
            return None;
        }
        let mut links = core::mem::take(&mut self.links);
        let row = if links.next < links.table.len() { links.next } else { 0 };
        let mut work = 1 + links.table.len() as u64 / 4;
        self.with_answers(|answers| {
            links.table.ask_anew(&self.space, row, &mut |from, to| {
                let (cost, took) = answers.ask(&self.space, from, to);
                work += took;
                cost
            });
        });
        (links.due, links.next) = (links.due - 1, row + 1);
        self.links = links;
        Some(Done { work, ..Done::default() })
    }

    /// A path over links, on the map as it is: by the database, if that knows it. `None` if there is no way.
    pub(super) fn path_over_links(&self, from: State, to: State, is_known: bool) -> Option<Path> {
        if is_known && !self.links.are_due() {
            let space = &self.space;
            let path = self.with_answers(|answers| {
                let ask = &mut |from, to| answers.cost(space, from, to);
                self.links.table.path(space, (from, to), ask, |from, to| answers.path(space, from, to))
            });
            return path?.map(|(states, cost)| Path::new(space, &states, cost));
        }
        let links = self.links.all(self);
        let linked = LinkedSpace::new(&self.space, &links);
        let found = AStar::new().find(&linked, &linked, from, to).ok()?.path?;
        Some(Path::new(&self.space, &found.states, found.cost))
    }

    /// What ways cost over links: by the database, if it knows the map as it is.
    pub(super) fn costs_over_links(&self, from: State, goals: &[State], is_known: bool) -> Vec<Option<Cost>> {
        let cost = |&goal: &State| {
            if is_known && !self.links.are_due() {
                return self.choose(from, goal, &mut Meter::new()).map(|choice| choice.cost);
            }
            self.path_over_links(from, goal, false).map(|path| path.cost().amount())
        };
        goals.iter().map(cost).collect()
    }
}
