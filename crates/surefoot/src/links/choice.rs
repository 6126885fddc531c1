//! The choice of links to take.

use alloc::vec;
use alloc::vec::Vec;

use super::{Ask, LinkTable, ask_or_guess};
use crate::space::{Cost, GridSpace, Heuristic as _, State};

/// A way: which links it leads over, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) cost: Cost,
    /// The places of the links in their table, in the order in which they are taken. None of them: straight.
    pub(crate) links: Vec<u16>,
}

/// What a way costs, or at least.
#[derive(Clone, Copy)]
struct Leg {
    cost: Cost,
    is_known: bool,
}

impl Leg {
    const NO_WAY: Self = Self { cost: Cost::MAX, is_known: true };
}

/// What is left from the entries of links on.
struct Rest {
    /// What the way over each of them costs.
    costs: Vec<Cost>,
    /// The link that follows each. `None` if the way ends without another one.
    next: Vec<Option<u16>>,
}

impl LinkTable {
    /// The cheapest way from one state to another, and what it took to choose it, questions apart. `None` if
    /// there is no way. Of equally cheap ones it is that over the fewest links that come first.
    pub(crate) fn choose(
        &self,
        space: &GridSpace,
        (from, to): (State, State),
        ask: Ask<'_>,
    ) -> (Option<Choice>, u64) {
        let component = |state: State| space.components().of(space.cell(state));
        let (Some(here), Some(there)) = (component(from), component(to)) else { return (None, 1) };
        let straight = (here == there).then(|| ask_or_guess(space, from, to, ask));
        let limit = straight.unwrap_or(Cost::MAX);
        let mut work = 1 + self.links.len() as u64 / 16;
        let leg = |is_way: bool, from: State, to: State| match is_way {
            true => Leg { cost: space.estimate(from, to), is_known: from == to },
            false => Leg::NO_WAY,
        };
        let mut first: Vec<Leg> =
            self.links.iter().map(|link| leg(link.components[0] == Some(here), from, link.entry)).collect();
        let mut last: Vec<Leg> =
            self.links.iter().map(|link| leg(link.components[1] == Some(there), link.exit, to)).collect();
        let mut rest: Option<Rest> = None;
        loop {
            let rest_of = rest.get_or_insert_with(|| {
                work += self.rest_work();
                self.rest(space, &last)
            });
            let total = |at: usize| first[at].cost.saturating_add(rest_of.costs[at]);
            let best = (0..self.links.len()).min_by_key(|&at| total(at)).filter(|&at| total(at) < limit);
            let Some(best) = best else { break };
            work += 1 + self.links.len() as u64 / 16;
            let (entry, cost) = (self.links[best].entry, total(best));
            if !first[best].is_known {
                first[best] = Leg { cost: ask_or_guess(space, from, entry, ask), is_known: true };
                continue;
            }
            let links = rest_of.over(best);
            let end = links.last().map_or(best, |&end| usize::from(end));
            if !last[end].is_known {
                let exit = self.links[end].exit;
                last[end] = Leg { cost: ask_or_guess(space, exit, to, ask), is_known: true };
                rest = None;
                continue;
            }
            return (Some(Choice { cost, links }), work);
        }
        (straight.map(|cost| Choice { cost, links: Vec::new() }), work)
    }

    /// The states of the cheapest way, both ends included, and what it costs. `None` if there is no way.
    /// `path` finds ways without links.
    pub(crate) fn path(
        &self,
        space: &GridSpace,
        (from, to): (State, State),
        ask: Ask<'_>,
        mut path: impl FnMut(State, State) -> Option<(Vec<State>, Cost)>,
    ) -> Option<(Vec<State>, Cost)> {
        let choice = self.choose(space, (from, to), ask).0?;
        let (mut states, mut cost) = (Vec::from([from]), 0);
        let mut walk = |states: &mut Vec<State>, to: State| {
            let (more, added) = path(*states.last()?, to)?;
            states.extend_from_slice(more.get(1..)?);
            cost += added;
            Some(())
        };
        let mut over = 0;
        for at in choice.links {
            let link = self.links.get(usize::from(at))?;
            walk(&mut states, link.entry)?;
            states.push(link.exit);
            over += link.cost;
        }
        walk(&mut states, to)?;
        Some((states, cost + over))
    }

    /// The most that [`choose`](Self::choose) takes, questions apart, and the most questions that it asks.
    pub(crate) fn most_to_choose(&self) -> (u64, u64) {
        let links = self.links.len() as u64;
        let looks = (2 * links + 2) * (1 + links / 16);
        (1 + looks + (links + 1) * self.rest_work(), 2 * links + 1)
    }

    /// What it takes to look at all ways between links.
    fn rest_work(&self) -> u64 {
        1 + (self.links.len() * self.links.len()) as u64 / 16
    }

    /// What is left from each entry, if the way from each exit without another link costs so much: Dijkstra's
    /// algorithm, backwards from the end.
    fn rest(&self, space: &GridSpace, last: &[Leg]) -> Rest {
        let count = self.links.len();
        let is_open = |at: usize| self.links[at].is_open();
        let over = |at: usize, cost: Cost| self.links[at].cost.saturating_add(cost);
        let mut costs: Vec<Cost> =
            (0..count).map(|at| if is_open(at) { over(at, last[at].cost) } else { Cost::MAX }).collect();
        let mut next: Vec<Option<u16>> = vec![None; count];
        let mut open: Vec<usize> = (0..count).filter(|&at| is_open(at)).collect();
        while let Some(place) = (0..open.len()).min_by_key(|&place| (costs[open[place]], open[place])) {
            let settled = open.swap_remove(place);
            if costs[settled] == Cost::MAX {
                break;
            }
            for &at in &open {
                let Some(between) = self.between(space, at, settled) else { continue };
                let cost = over(at, between.saturating_add(costs[settled]));
                if cost < costs[at] {
                    (costs[at], next[at]) = (cost, Some(settled as u16));
                }
            }
        }
        Rest { costs, next }
    }
}

impl Rest {
    /// The links of the way that begins with one of them.
    fn over(&self, first: usize) -> Vec<u16> {
        let first = Some(first as u16);
        core::iter::successors(first, |&at| self.next[usize::from(at)]).collect()
    }
}
