//! A TBA* agent as bytes. What follows from the rest is not written: a node's distance is its parent's and
//! the move's cost, a trace leads from parent to parent, and the agent's place in the search is that of its
//! state.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{Node, Search, TbaStar, Trace};
use crate::agent::{Errand, Memory};
use crate::search::GrowingList;
use crate::space::{Cost, State, World, sorting};
use crate::store::codec::{CodecError, Reader, put_number, put_signed, put_state};

/// No distance is larger: what a search adds to it does not overflow.
const FARTHEST: Cost = Cost::MAX / 4;

/// What is said of the traces and the goal, in one number.
const IS_FOLLOWING: u64 = 1;
const FOLLOWS_TO_GOAL: u64 = 2;
const IS_TRACING: u64 = 4;
const TRACES_FROM_GOAL: u64 = 8;
const HAS_FOUND_GOAL: u64 = 16;

impl TbaStar {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.errand.save(out);
        self.memory.save(out);
        self.search.put(out);
        if self.search.nodes.is_empty() {
            return; // it has not begun
        }
        put_state(out, self.before);
        let is_following = self.followed.number > 0;
        let is_tracing = !self.traced.is_done;
        let said = [
            (is_following, IS_FOLLOWING),
            (is_following && self.followed.is_final, FOLLOWS_TO_GOAL),
            (is_tracing, IS_TRACING),
            (is_tracing && self.traced.is_final, TRACES_FROM_GOAL),
            (self.search.goal.is_some(), HAS_FOUND_GOAL),
        ];
        put_number(out, said.into_iter().filter(|&(so, _)| so).map(|(_, bit)| bit).sum());
        if is_following {
            self.followed.put(out);
        }
        if is_tracing {
            self.traced.put(out);
        }
    }

    pub(super) fn read(
        slice: u64,
        walks_meanwhile: bool,
        world: &impl World,
        saved: &mut Reader<'_>,
    ) -> Result<Self, CodecError> {
        let errand = Errand::restore(world, saved)?;
        let memory = Memory::restore(saved)?;
        let mut search = Search::read(world, saved)?;
        let mut agent = Self { errand, memory, ..Self::new(slice, walks_meanwhile) };
        if search.nodes.is_empty() {
            // Without a search there is nothing but to have arrived.
            return if errand.position == errand.goal {
                Ok(agent)
            } else {
                Err(saved.malformed("an agent on its way has a search"))
            };
        }
        if !world.is_reversible() {
            return Err(saved.malformed("this algorithm needs moves that can be undone"));
        }
        let place_of = |search: &Search, state| search.places.get(state).map(|place| place as u32);
        let place = place_of(&search, errand.position);
        agent.place = place.ok_or_else(|| saved.malformed("the agent has left its search"))?;
        agent.before = saved.state(world.state_limit())?;
        let said = saved.number_up_to(31, "this is nothing that can be said of traces")?;
        let is = |bit: u64| said & bit != 0;
        if is(FOLLOWS_TO_GOAL) && !is(IS_FOLLOWING) || is(TRACES_FROM_GOAL) && !is(IS_TRACING) {
            return Err(saved.malformed("there is no such trace"));
        }
        if is(HAS_FOUND_GOAL) {
            let goal = place_of(&search, errand.goal);
            search.goal = Some(goal.ok_or_else(|| saved.malformed("the goal was not found"))?);
        }
        // Only the two traces at hand matter, and which of them is the newer one.
        agent.followed.is_done = true;
        if is(IS_FOLLOWING) {
            let places = search.read_trace(1, saved)?;
            agent.followed = Trace { number: 1, places, is_done: true, is_final: is(FOLLOWS_TO_GOAL) };
        }
        let number = agent.followed.number + u32::from(is(IS_TRACING));
        agent.traced = Trace { number, is_done: true, ..Trace::default() };
        if is(IS_TRACING) {
            let places = search.read_trace(number, saved)?;
            agent.traced = Trace { number, places, is_done: false, is_final: is(TRACES_FROM_GOAL) };
        }
        agent.search = search;
        Ok(agent)
    }
}

impl Trace {
    /// Its length and its target: parents lead on from there.
    fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.places.len() as u64);
        put_number(out, u64::from(self.places.get(0)));
    }
}

impl Search {
    /// Writes the nodes in the order in which they were met. Then comes a list that is empty: once it had
    /// what was out of date in the open list.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.nodes.len() as u64);
        let mut costs = Costs::default();
        let (mut state, mut parent) = (0, 0);
        for (place, node) in (0..).zip(self.nodes.iter()) {
            put_signed(out, i64::from(node.state.0) - state);
            put_signed(out, i64::from(node.parent) - parent);
            (state, parent) = (i64::from(node.state.0), i64::from(node.parent));
            if place > 0 {
                costs.put(out, node.g - self.nodes.get(node.parent as usize).g);
            }
            // An open state has its h, plus 1; a closed one has 0.
            let h = |at: u32| self.open.get(at as usize).0 - node.g;
            put_number(out, if node.is_closed { 0 } else { h(node.open_at).saturating_add(1) });
        }
        if !self.nodes.is_empty() {
            put_number(out, 0);
        }
    }

    fn read(world: &impl World, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let mut search = Self::default();
        // The first node has three numbers, each other one has four.
        let count = saved.count(3)?;
        if count == 0 {
            return Ok(search);
        }
        let too_far = "this is farther than any way leads";
        let mut costs = Costs::default();
        let mut links: Vec<(u32, Cost)> = Vec::with_capacity(count);
        let mut open = Vec::new();
        let (mut state, mut parent) = (State(0), State(0));
        for place in 0..count as u32 {
            state = saved.state_after(state, world.state_limit())?;
            // Places are coded as states are; there are as many as nodes.
            parent = saved.state_after(parent, count)?;
            let cost = if place > 0 { costs.read(saved)? } else { 0 };
            let h = saved.number()?;
            if search.places.get(state).is_some() {
                return Err(saved.malformed("a state is met twice"));
            }
            if h > 0 {
                open.push((place, h - 1));
            } else {
                search.closed += 1;
            }
            search.places.set(state, u64::from(place));
            search.nodes.push(Node {
                state,
                g: 0,
                parent: parent.0,
                is_closed: h == 0,
                open_at: 0,
                trace: 0,
                steps: 0,
            });
            links.push((parent.0, cost));
        }
        let distances = distances(&links).ok_or_else(|| saved.malformed(too_far))?;
        for (place, g) in distances.into_iter().enumerate() {
            search.nodes.get_mut(place).g = g;
        }
        // What was out of date when an older program saved it: it did not matter then, and does not now.
        for _ in 0..saved.count(3)? {
            saved.state_from(0, count)?;
            saved.number()?;
            saved.number()?;
        }
        let entry = |(place, h): (u32, Cost)| {
            let g = search.nodes.get(place as usize).g;
            (g.saturating_add(h), Reverse(g), Reverse(place))
        };
        let mut entries: Vec<_> = open.into_iter().map(entry).collect();
        // In order, so that no entry has to rise in the heap.
        sorting::sort(&mut entries);
        for entry in entries {
            search.put_into_open(entry);
        }
        Ok(search)
    }

    /// The places of a trace, each of which notes that the trace passed there.
    fn read_trace(&mut self, number: u32, saved: &mut Reader<'_>) -> Result<GrowingList<u32>, CodecError> {
        let count = self.nodes.len();
        let length = saved.number_up_to(count as u64, "there are not so many places")?;
        let mut place = saved.state(count)?.0;
        // Then its parent changes no more: what comes next is expanded before any other state gets a better
        // parent.
        let is_settled = self.nodes.get(place as usize).is_closed
            || self.goal == Some(place)
            || self.open.peek().is_some_and(|(_, _, Reverse(best))| best == place);
        if length == 0 || !is_settled {
            return Err(saved.malformed("this is not what is traced"));
        }
        let mut places = GrowingList::default();
        for steps in 0..length as u32 {
            if steps > 0 && place == 0 {
                return Err(saved.malformed("this trace goes on where the search began"));
            }
            if steps > 0 {
                place = self.nodes.get(place as usize).parent;
            }
            let node = self.nodes.get_mut(place as usize);
            (node.trace, node.steps) = (number, steps);
            places.push(place);
        }
        Ok(places)
    }
}

/// The distances of nodes that have a parent and the cost of the move from it; the first one is where the
/// search began. `None` if parents go round in a circle, or lead too far.
fn distances(links: &[(u32, Cost)]) -> Option<Vec<Cost>> {
    const UNKNOWN: Cost = Cost::MAX;
    let mut distances = vec![UNKNOWN; links.len()];
    distances[0] = 0;
    let mut way = Vec::new();
    for place in 0..links.len() {
        let mut at = place;
        while distances[at] == UNKNOWN {
            if way.len() == links.len() {
                return None;
            }
            way.push(at);
            at = links[at].0 as usize;
        }
        let mut g = distances[at];
        while let Some(at) = way.pop() {
            g = g.checked_add(links[at].1).filter(|&g| g <= FARTHEST)?;
            distances[at] = g;
        }
    }
    Some(distances)
}

/// What moves cost: on a grid there are two costs and many moves, so a cost that was met before is a small
/// number.
#[derive(Default)]
struct Costs {
    known: Vec<Cost>,
}

/// How many costs are kept: a graph may have as many as edges.
const KNOWN_COSTS: usize = 16;

impl Costs {
    fn put(&mut self, out: &mut Vec<u8>, cost: Cost) {
        let code = self.known.iter().position(|&known| known == cost).unwrap_or(self.known.len());
        put_number(out, code as u64);
        if code == self.known.len() {
            put_number(out, cost);
            self.add(cost);
        }
    }

    fn read(&mut self, saved: &mut Reader<'_>) -> Result<Cost, CodecError> {
        let code = saved.number_up_to(self.known.len() as u64, "this cost was not met before")?;
        if let Some(&cost) = self.known.get(code as usize) {
            return Ok(cost);
        }
        match saved.number()? {
            0 => Err(saved.malformed("every move costs something")),
            cost => {
                self.add(cost);
                Ok(cost)
            }
        }
    }

    fn add(&mut self, cost: Cost) {
        if self.known.len() < KNOWN_COSTS {
            self.known.push(cost);
        }
    }
}
