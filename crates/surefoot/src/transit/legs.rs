//! Legs between transit nodes: cheapest ways that lead over no other node, with their moves.

use alloc::vec;
use alloc::vec::Vec;

use super::ball::Ball;
use super::corners::CornerGraph;
use super::moves::{Moves, opposite};
use super::nodes::Nodes;
use crate::hub_labels::LegGraph;
use crate::space::{Cost, Direction, GridSpace, State, sorting};

/// A leg is left out where two others cost at most so many thousandths more.
const DETOUR: Cost = 3;

/// A leg from a node that is being looked around from: to where, what it costs, and how many moves it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundLeg {
    to: State,
    cost: Cost,
    moves: u32,
}

/// The legs of one node, with the moves of all, one leg after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundLegs {
    legs: Vec<FoundLeg>,
    moves: Moves,
}

impl FoundLegs {
    /// The legs that a ball around a node has found.
    pub(super) fn of(ball: &Ball, space: &GridSpace) -> Self {
        let mut found = Self::default();
        for &place in ball.access() {
            found.add(ball, space, place);
        }
        found
    }

    /// The same for a ball over corners.
    pub(super) fn over(ball: &Ball, space: &GridSpace, graph: &CornerGraph) -> Self {
        let mut found = Self::default();
        for &place in ball.access() {
            let before = found.moves.len();
            let mut corners: Vec<State> = ball.back(place).collect();
            corners.reverse();
            corners.windows(2).for_each(|pair| graph.add_moves(space, pair[0], pair[1], &mut found.moves));
            let (entry, moves) = (ball.at(place), found.moves.len() - before);
            if moves > 0 {
                found.legs.push(FoundLeg { to: graph.on_map(space, entry.state), cost: entry.cost, moves });
            }
        }
        found
    }

    /// Adds the leg to a node that a ball has reached; nothing leads from a node to itself.
    pub(super) fn add(&mut self, ball: &Ball, space: &GridSpace, place: u32) {
        let before = self.moves.len();
        // From there, since that is how the ball knows it.
        let back = Moves::along(space, ball.back(place));
        back.iter().rev().for_each(|direction| self.moves.push(opposite(direction)));
        let entry = ball.at(place);
        if self.moves.len() > before {
            self.legs.push(FoundLeg { to: entry.state, cost: entry.cost, moves: self.moves.len() - before });
        }
    }
}

/// The legs of all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LegTable {
    pub(super) graph: LegGraph,
    /// Where the legs of each node begin in the next list.
    starts: Vec<u32>,
    /// For each leg, in the order of the graph, its number, which is the same both ways.
    numbers: Vec<u32>,
    /// Where the moves of each leg begin, from the end of the lower number; and where those of the last one
    /// end.
    ranges: Vec<u32>,
    moves: Moves,
}

/// A leg with its moves from the end of the lower number to the other.
struct TransitLeg {
    ends: (u32, u32),
    cost: Cost,
    /// Which list of moves, where in it, and whether that is from the other end.
    list: u32,
    range: (u32, u32),
    is_back: bool,
    is_kept: bool,
}

impl LegTable {
    /// The legs that were found around some nodes, given by number; and of those that were known, the ones
    /// between two nodes whose cells are free and whose legs were not all found anew.
    pub(super) fn new(
        space: &GridSpace,
        nodes: &Nodes,
        known: Option<(&Self, &[bool])>,
        found: &[(u32, FoundLegs)],
    ) -> Self {
        let is_free =
            |node: u32| nodes.state(node).is_some_and(|state| space.grid().is_free(space.cell(state)));
        let mut legs: Vec<TransitLeg> = Vec::new();
        for (list, &(from, ref found)) in (0..).zip(found) {
            let mut start = 0;
            for leg in &found.legs {
                let range = (start, start + leg.moves);
                start += leg.moves;
                if let Some(to) = nodes.at(leg.to).filter(|&to| to != from && is_free(to)) {
                    let ends = (from.min(to), from.max(to));
                    legs.push(TransitLeg {
                        ends,
                        cost: leg.cost,
                        list,
                        range,
                        is_back: to < from,
                        is_kept: false,
                    });
                }
            }
        }
        if let Some((known, is_new)) = known {
            for from in 0..known.graph.nodes() as u32 {
                for (to, cost, number) in known.of(from).filter(|&(to, ..)| to > from) {
                    if !is_new[from as usize] && !is_new[to as usize] && is_free(from) && is_free(to) {
                        let range = known.range(number);
                        legs.push(TransitLeg {
                            ends: (from, to),
                            cost,
                            list: u32::MAX,
                            range,
                            is_back: false,
                            is_kept: true,
                        });
                    }
                }
            }
        }
        sorting::sort_by_key(&mut legs, |leg| (leg.ends, leg.cost, !leg.is_kept, leg.is_back, leg.list));
        legs.dedup_by_key(|leg| leg.ends);
        leave_out(nodes.len(), &mut legs);
        legs.retain(|leg| leg.is_kept);
        Self::of_legs(nodes.len(), &legs, known.map(|(known, _)| known), found)
    }

    fn of_legs(nodes: usize, legs: &[TransitLeg], known: Option<&Self>, found: &[(u32, FoundLegs)]) -> Self {
        let (mut moves, mut ranges) = (Moves::default(), Vec::from([0]));
        for leg in legs {
            let list = match found.get(leg.list as usize) {
                Some((_, found)) => Some(&found.moves),
                None => known.map(|known| &known.moves),
            };
            let Some(list) = list else { continue };
            let range = list.range(leg.range.0..leg.range.1);
            if leg.is_back {
                range.rev().for_each(|direction| moves.push(opposite(direction)));
            } else {
                range.for_each(|direction| moves.push(direction));
            }
            ranges.push(moves.len());
        }
        let costs: Vec<(u32, u32, Cost)> =
            legs.iter().map(|leg| (leg.ends.0, leg.ends.1, leg.cost)).collect();
        Self::of_parts(nodes, &costs, ranges, moves)
    }

    /// The legs between these ends, which are in order, at these costs.
    pub(super) fn of_parts(nodes: usize, legs: &[(u32, u32, Cost)], ranges: Vec<u32>, moves: Moves) -> Self {
        let mut lists: Vec<Vec<(u32, Cost)>> = vec![Vec::new(); nodes];
        let mut numbers_of: Vec<Vec<(u32, u32)>> = vec![Vec::new(); nodes];
        for (number, &(from, to, cost)) in (0..).zip(legs) {
            for (here, there) in [(from, to), (to, from)] {
                lists[here as usize].push((there, cost));
                numbers_of[here as usize].push((there, number));
            }
        }
        let (mut starts, mut numbers) = (Vec::with_capacity(nodes + 1), Vec::with_capacity(2 * legs.len()));
        for (list, numbered) in lists.iter_mut().zip(&mut numbers_of) {
            sorting::sort(list);
            sorting::sort(numbered);
            starts.push(numbers.len() as u32);
            numbers.extend(numbered.iter().map(|&(_, number)| number));
        }
        Self { graph: LegGraph::new(&lists), starts, numbers, ranges, moves }
    }

    /// The nodes that legs of a node lead to, what these cost, and their numbers.
    pub(super) fn of(&self, node: u32) -> impl Iterator<Item = (u32, Cost, u32)> {
        let start = self.starts.get(node as usize).map_or(0, |&start| start as usize);
        let legs = ((node as usize) < self.graph.nodes()).then(|| self.graph.legs(node));
        legs.into_iter().flatten().zip(&self.numbers[start..]).map(|((to, cost), &number)| (to, cost, number))
    }

    fn range(&self, number: u32) -> (u32, u32) {
        (self.ranges[number as usize], self.ranges[number as usize + 1])
    }

    /// How many moves a leg has.
    pub(super) fn length(&self, number: u32) -> u32 {
        let (start, end) = self.range(number);
        end - start
    }

    /// Visits the moves of a leg from one of its ends to the other.
    pub(super) fn for_each_move(&self, number: u32, is_back: bool, visit: impl FnMut(Direction)) {
        let (start, end) = self.range(number);
        let range = self.moves.range(start..end);
        if is_back { range.rev().map(opposite).for_each(visit) } else { range.for_each(visit) }
    }

    /// Whether all moves of a leg are legal, and cost what they did.
    pub(super) fn is_open(
        &self,
        space: &GridSpace,
        from: State,
        number: u32,
        is_back: bool,
        cost: Cost,
    ) -> bool {
        let (mut at, mut sum, mut is_open) = (from, 0, true);
        self.for_each_move(number, is_back, |direction| {
            is_open = is_open && space.moves(at).contains(direction);
            if is_open {
                sum += space.step_cost(at, direction);
                at = space.step(at, direction);
            }
        });
        is_open && sum == cost
    }

    /// How many legs there are, both ways counted as one.
    pub(super) fn count(&self) -> usize {
        self.ranges.len() - 1
    }

    pub(super) fn moves(&self) -> &Moves {
        &self.moves
    }

    pub(super) fn bytes(&self) -> usize {
        self.graph.bytes()
            + (self.starts.len() + self.numbers.len() + self.ranges.len()) * 4
            + self.moves.bytes().len()
    }
}

/// Leaves legs out that two others stand in for.
fn leave_out(nodes: usize, legs: &mut [TransitLeg]) {
    let mut kept: Vec<Vec<(u32, Cost)>> = vec![Vec::new(); nodes];
    let keep = |kept: &mut Vec<Vec<(u32, Cost)>>, leg: &TransitLeg| {
        kept[leg.ends.0 as usize].push((leg.ends.1, leg.cost));
        kept[leg.ends.1 as usize].push((leg.ends.0, leg.cost));
    };
    legs.iter().filter(|leg| leg.is_kept).for_each(|leg| keep(&mut kept, leg));
    let mut others: Vec<usize> = (0..legs.len()).filter(|&at| !legs[at].is_kept).collect();
    sorting::sort_stably_by_key(&mut others, |&at| (legs[at].cost, legs[at].ends));
    let mut costs = vec![Cost::MAX; nodes];
    for at in others {
        let leg = &mut legs[at];
        let (from, to) = (leg.ends.0 as usize, leg.ends.1 as usize);
        kept[from].iter().for_each(|&(over, cost)| costs[over as usize] = cost);
        let most = leg.cost.saturating_add(leg.cost.saturating_mul(DETOUR) / 1000);
        let is_needless =
            kept[to].iter().any(|&(over, cost)| costs[over as usize].saturating_add(cost) <= most);
        kept[from].iter().for_each(|&(over, _)| costs[over as usize] = Cost::MAX);
        leg.is_kept = !is_needless;
        if leg.is_kept {
            keep(&mut kept, leg);
        }
    }
}
