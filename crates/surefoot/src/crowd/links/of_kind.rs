//! The links of a kind, and ways over them.

use alloc::vec::Vec;

use crate::crowd::CrowdError;
use crate::crowd::databases::Done;
use crate::crowd::edits::is_open;
use crate::crowd::kind::KindState;
use crate::crowd::occupied::is_legal;
use crate::links::{Choice, LinkTable, TableLink};
use crate::search::{AStar, Meter};
use crate::space::{Cell, Cost, Link, LinkedSpace, Links, MAX_LINKS, NearestSearch, Path, State};
use crate::store::Answers;
use crate::store::codec::{CodecError, Reader, put_number, put_state};

/// The links of a kind.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct KindLinks {
    pub(super) table: LinkTable,
    /// The name of the next link.
    pub(super) next_id: u32,
    /// Whether a link came since the last frame, or something else that may be a way for those who had none.
    pub(super) is_new: bool,
    /// How many links the ways from are to be asked for anew...
    pub(super) due: usize,
    /// ... beginning with this one.
    pub(super) next: usize,
}

impl KindLinks {
    pub(in crate::crowd) fn are_none(&self) -> bool {
        self.table.is_empty()
    }

    /// Whether units of the kind may have courses.
    pub(in crate::crowd) fn were_there(&self) -> bool {
        self.next_id > 0
    }

    /// When the next frame begins, all units of the kind look whether they have a way, if this is so.
    pub(in crate::crowd) fn note_news(&mut self, are_news: bool) {
        self.is_new |= are_news;
    }

    /// Whether something of it could wait.
    pub(in crate::crowd) fn are_due(&self) -> bool {
        self.due > 0
    }

    /// The bytes that it takes.
    pub(in crate::crowd) fn bytes(&self) -> usize {
        size_of_val(self.table.links()) + size_of_val(self.table.costs())
    }

    /// What it takes to see whether there is a way.
    pub(super) fn look_work(&self) -> u64 {
        self.table.len() as u64 / 16
    }

    /// A link, if it is open and a way leads on from it.
    pub(super) fn usable(&self, kind: &KindState, id: u32, goal: State) -> Option<&TableLink> {
        self.table.find(id).filter(|link| link.is_open() && kind.is_way(link.exit, goal))
    }

    fn all(&self, kind: &KindState) -> Links {
        let links = self.table.links().iter().map(|link| link.link);
        // They were checked when they were added.
        Links::new(kind.space.grid(), links).unwrap_or_default()
    }

    pub(in crate::crowd) fn save(&self, out: &mut Vec<u8>) {
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

    pub(in crate::crowd) fn load(saved: &mut Reader<'_>, kind: &KindState) -> Result<Self, CodecError> {
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
    pub(super) fn with_answers<T>(&self, ask: impl FnOnce(&dyn Answers) -> T) -> Option<T> {
        let main = self.databases.main.as_ref()?;
        match main.beacons() {
            Some(beacons) => Some(ask(beacons)),
            None => main.database().answers().map(|answers| ask(&*answers)),
        }
    }

    /// Whether there is a way, over links or without.
    pub(in crate::crowd) fn is_way(&self, from: State, to: State) -> bool {
        if self.links.are_none() {
            is_open(&self.space, from, to)
        } else {
            self.links.table.is_way(&self.space, from, to)
        }
    }

    /// Whether one of its links leads from one state to another, and a way from there to a goal.
    pub(in crate::crowd) fn can_take(&self, from: State, to: State, goal: State) -> bool {
        self.links.table.is_move(from, to) && self.is_way(to, goal)
    }

    /// What it costs to go from one state to another over a link, in straight moves. `None` if no link leads
    /// there, or it takes none.
    pub(in crate::crowd) fn moves_over_link(&self, from: State, to: State) -> Option<u32> {
        let links = self.links.table.links().iter().filter(|link| link.entry == from && link.exit == to);
        links.map(|link| link.link.moves).min().filter(|_| !is_legal(&self.space, from, to))
    }

    /// The components that units can get to from a state.
    pub(in crate::crowd) fn reached_from(&self, from: State) -> Vec<u32> {
        let component = self.space.components().of(self.space.cell(from));
        component.map(|component| self.links.table.reached_from(component)).unwrap_or_default()
    }

    /// The state that is nearest to a cell, of those that can be reached.
    pub(in crate::crowd) fn nearest_reachable(&self, from: State, target: Cell) -> State {
        if self.links.are_none() {
            return self.space.nearest_reachable(from, target);
        }
        let among = self.reached_from(from);
        let mut search = NearestSearch::new(&self.space, self.space.cell(from), target);
        let (_, nearest) = search.advance_among(&self.space, from, &among, u64::MAX);
        nearest.filter(|_| !among.is_empty()).map_or(from, |cell| self.space.state(cell))
    }

    /// The cheapest way, as far as the database knows. `None` if there is no way.
    pub(super) fn choose(&self, from: State, to: State, meter: &mut Meter) -> Option<Choice> {
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
    pub(in crate::crowd) fn links_bound(&self) -> u64 {
        if !self.links.were_there() {
            return 0;
        }
        let (looks, questions) = self.links.table.most_to_choose();
        let question = self.with_answers(Answers::question_bound).unwrap_or(0);
        2 * (1 + self.links.look_work()) + looks + questions * question
    }

    /// The map was edited: sees which links are open.
    pub(in crate::crowd) fn look_at_links(&mut self) {
        self.links.table.look(&self.space);
        self.note_answers();
    }

    /// The database answers otherwise than before.
    pub(in crate::crowd) fn note_answers(&mut self) {
        self.links.due = self.links.table.len();
    }

    /// Has the links of another kind from now on. What ways cost is asked for later: it may be counted
    /// otherwise.
    pub(in crate::crowd) fn take_links_of(&mut self, other: &Self) -> Result<(), CrowdError> {
        let KindLinks { table, next_id, is_new, .. } = &other.links;
        (self.links.next_id, self.links.is_new) = (*next_id, *is_new);
        for link in table.links() {
            self.links.table.push(&self.space, link.id, link.link, &mut |_, _| None);
        }
        self.note_answers();
        self.find_bound()
    }

    /// Asks anew for the ways from one link to all others. `None` if there is nothing to do.
    pub(in crate::crowd) fn renew_link(&mut self) -> Option<Done> {
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
    pub(in crate::crowd) fn path_over_links(&self, from: State, to: State, is_known: bool) -> Option<Path> {
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
    pub(in crate::crowd) fn costs_over_links(
        &self,
        from: State,
        goals: &[State],
        is_known: bool,
    ) -> Vec<Option<Cost>> {
        let cost = |&goal: &State| {
            if is_known && !self.links.are_due() {
                return self.choose(from, goal, &mut Meter::new()).map(|choice| choice.cost);
            }
            self.path_over_links(from, goal, false).map(|path| path.cost().amount())
        };
        goals.iter().map(cost).collect()
    }
}
