//! Ways over [links](crate::space::Link), from what a database knows of ways without them.
//!
//! A [`LinkTable`] keeps what the way costs from the exit of each link to the entry of each other one. So a
//! question over links takes a few questions without them: what it costs to the entries of those that
//! promise most, and from the exits of those that the way leads over last. What lies between is in the table.
//!
//! Questions are only asked where they can help. Until one was asked, what it costs is taken to be the octile
//! distance, which is never more. The way that looks cheapest then is looked at: if all of it is known it is
//! the cheapest, else the next question is about its ends ([`choose`](LinkTable::choose)).
//!
//! Whether there is a way over links at all is told by components alone, and is always right.

mod choice;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

pub(crate) use self::choice::Choice;
use crate::space::{Cell, Cost, GridSpace, Heuristic as _, Link, State, StateSpace as _, spread};

/// What asks what a way costs that leads over no link. `None` if that is not known.
pub(crate) type Ask<'a> = &'a mut dyn FnMut(State, State) -> Option<Cost>;

/// A link of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableLink {
    /// Its name, which no other link of the table ever had. They are in order.
    pub(crate) id: u32,
    pub(crate) link: Link,
    pub(crate) entry: State,
    pub(crate) exit: State,
    /// What it costs to take it.
    pub(crate) cost: Cost,
    /// The components of its entry and of its exit. `None` for a blocked one.
    components: [Option<u32>; 2],
}

impl TableLink {
    /// Whether it can be taken.
    pub(crate) fn is_open(&self) -> bool {
        self.components.iter().all(Option::is_some)
    }
}

/// Links, and what ways between them cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkTable {
    links: Vec<TableLink>,
    /// For each exit, what the way to each entry costs: row by row. `Cost::MAX` if that is not known.
    between: Vec<Cost>,
}

impl LinkTable {
    /// The links of a map that does not change, with all that is to be known of them.
    pub(crate) fn complete(space: &GridSpace, links: &[Link], ask: Ask<'_>) -> Self {
        let mut table = Self::default();
        for (id, &link) in (0..).zip(links) {
            table.push(space, id, link, ask);
        }
        table
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    pub(crate) fn links(&self) -> &[TableLink] {
        &self.links
    }

    /// A link by its name.
    pub(crate) fn find(&self, id: u32) -> Option<&TableLink> {
        let at = self.links.binary_search_by_key(&id, |link| link.id).ok()?;
        self.links.get(at)
    }

    /// Adds a link, and asks for ways to and from it. Its ends are cells of the map.
    pub(crate) fn push(&mut self, space: &GridSpace, id: u32, link: Link, ask: Ask<'_>) {
        let [entry, exit] = [link.from, link.to].map(|cell| space.state(cell));
        self.links.push(TableLink { id, link, entry, exit, cost: link.cost(space), components: [None; 2] });
        let count = self.links.len();
        let mut between = Vec::with_capacity(count * count);
        for row in self.between.chunks(count.max(2) - 1).take(count - 1) {
            between.extend_from_slice(row);
            between.push(Cost::MAX);
        }
        between.resize(count * count, Cost::MAX);
        self.between = between;
        self.look(space);
        let new = count - 1;
        for other in 0..new {
            self.ask_between(space, new, other, ask);
            self.ask_between(space, other, new, ask);
        }
        self.ask_between(space, new, new, ask);
    }

    /// Removes a link. Whether there was one of this name.
    pub(crate) fn remove(&mut self, id: u32) -> bool {
        let Ok(at) = self.links.binary_search_by_key(&id, |link| link.id) else { return false };
        let count = self.links.len();
        let mut place = 0;
        self.between.retain(|_| {
            let (row, column) = (place / count, place % count);
            place += 1;
            row != at && column != at
        });
        self.links.remove(at);
        true
    }

    /// Sees which links are open, and what they connect. Has to be called when the map has changed.
    pub(crate) fn look(&mut self, space: &GridSpace) {
        let component = |cell: Cell| space.components().of(cell);
        for link in &mut self.links {
            link.components = [component(link.link.from), component(link.link.to)];
        }
    }

    /// Asks anew for the ways from the exit of a link: the map has changed.
    pub(crate) fn ask_anew(&mut self, space: &GridSpace, row: usize, ask: Ask<'_>) {
        for column in 0..self.links.len() {
            self.ask_between(space, row, column, ask);
        }
    }

    fn ask_between(&mut self, space: &GridSpace, row: usize, column: usize, ask: Ask<'_>) {
        let count = self.links.len();
        let (Some(from), Some(to)) = (self.links.get(row), self.links.get(column)) else { return };
        let is_way = from.components[1].is_some() && from.components[1] == to.components[0];
        let (exit, entry) = (from.exit, to.entry);
        // Where there is no way now there may be one later, which is then not known.
        self.between[row * count + column] =
            if is_way { ask_or_guess(space, exit, entry, ask) } else { Cost::MAX };
    }

    /// What the way costs from the exit of a link to the entry of another; `None` if there is none.
    fn between(&self, space: &GridSpace, row: usize, column: usize) -> Option<Cost> {
        let (from, to) = (&self.links[row], &self.links[column]);
        if from.components[1].is_none() || from.components[1] != to.components[0] {
            return None;
        }
        let known = self.between[row * self.links.len() + column];
        Some(if known == Cost::MAX { guess(space, from.exit, to.entry) } else { known })
    }

    /// The components that can be got to from one of them.
    pub(crate) fn reached_from(&self, component: u32) -> Vec<u32> {
        let mut reached = Vec::from([component]);
        spread(&mut reached, &self.links.iter().map(|link| link.components));
        reached
    }

    /// Whether there is a way, over links or without.
    pub(crate) fn is_way(&self, space: &GridSpace, from: State, to: State) -> bool {
        if !space.contains(from) || !space.contains(to) {
            return false;
        }
        let [here, there] = [from, to].map(|state| space.components().of(space.cell(state)));
        here == there || here.zip(there).is_some_and(|(here, there)| self.reached_from(here).contains(&there))
    }

    /// Whether one open link leads from one state to another.
    pub(crate) fn is_move(&self, from: State, to: State) -> bool {
        self.links.iter().any(|link| link.entry == from && link.exit == to && link.is_open())
    }

    /// What ways between links cost, row by row: for whoever saves it.
    pub(crate) fn costs(&self) -> &[Cost] {
        &self.between
    }

    /// Takes over what was saved of a table with the same links. Whether it fits.
    pub(crate) fn set_costs(&mut self, between: Vec<Cost>) -> bool {
        let fits = between.len() == self.between.len();
        if fits {
            self.between = between;
        }
        fits
    }
}

/// What a way costs between two states of one component. Where that is not known, more than any other.
fn ask_or_guess(space: &GridSpace, from: State, to: State, ask: Ask<'_>) -> Cost {
    if from == to {
        return 0;
    }
    ask(from, to).unwrap_or_else(|| guess(space, from, to))
}

/// What a way is taken to cost that is there, and that nobody knows: one over every cell of the map. So a way
/// that is known goes first.
fn guess(space: &GridSpace, from: State, to: State) -> Cost {
    space.estimate(from, to).saturating_add(space.units().of_steps(space.state_limit() as u64, 0))
}
