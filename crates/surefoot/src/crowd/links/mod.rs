//! Links of kinds of units: one-way doors, ladders, teleporters, stairs.
//!
//! A unit whose cheapest way leads over links has a [`Course`] in its lane: its walker heads for the entry of
//! the first one, and its real goal is kept beside. On the turn after it got there it moves to the exit, and
//! chooses anew. A unit without a course goes straight to its goal. So walkers know nothing of links.
//!
//! To choose takes a few questions to the database, which are charged to the unit (`links/choice.rs`
//! says how few). What is left of a way falls with every link: nobody goes in circles while the map stays the
//! same. Whether there is a way at all is told by components and open links alone, which are always right.
//!
//! When the map is edited, links that an end was blocked of are closed at once. What ways between links cost
//! is asked anew later, link by link, as a part of the upkeep.

mod course;
mod of_kind;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use xxhash_rust::xxh3::xxh3_64;

pub(super) use self::course::{Course, Heading};
pub(super) use self::of_kind::KindLinks;
use super::lane::{LANES, Lane};
use super::unit::UnitStatus;
use super::{Crowd, CrowdError, KindId};
use crate::space::{Link, LinkError, MAX_LINKS};

/// The name of a link among those of its kind. No other link of the kind ever has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(u32);

impl LinkId {
    /// The name as a number: for other languages, files and networks.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The name that a number stands for.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl fmt::Display for LinkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
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
        if state.is_unbuilt {
            return Err(CrowdError::NotBuilt);
        }
        if state.links.table.len() == MAX_LINKS {
            return Err(LinkError::TooMany.into());
        }
        let id = state.links.next_id;
        let next_id = id.checked_add(1).ok_or(LinkError::TooMany)?;
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
            (links.next_id, links.is_new) = (next_id, true);
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
    pub(in crate::crowd) fn has_course(&self, slot: u32) -> bool {
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
    pub(in crate::crowd) fn settle_links(&mut self) -> u64 {
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
