//! Whole ways: paths, costs, and what is nearest, from the database alone.

use alloc::vec::Vec;

use super::build::Ways;
use super::{BeaconDatabase, BeaconId, Steps};
use crate::hub_labels::Stop;
use crate::search::StatePath;
use crate::space::{Cell, Cost, Direction, GridSpace, MoveRule, State, StateSpace as _, next_run, sorting};

/// A way between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// What it costs.
    pub(crate) cost: Cost,
    /// The first and the last corner that it turns at, and what it costs in between; `None` if a single leg
    /// leads there.
    pub(crate) over: Option<Over>,
}

impl Way {
    /// The way back. Moves can be made both ways.
    pub(crate) fn reversed(self) -> Self {
        let back = |over: Over| {
            let [near, far] = over.gates;
            Over { first: over.last, last: over.first, gates: [far, near], ..over }
        };
        Self { over: self.over.map(back), ..self }
    }
}

/// The corners of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Over {
    pub(crate) first: BeaconId,
    pub(crate) last: BeaconId,
    pub(crate) between: Cost,
    /// The first and the last corner of the core that it leads over. If there is none, the corner where what
    /// both ends know meets, twice.
    pub(crate) gates: [BeaconId; 2],
    /// A hub of both gates that it leads over.
    pub(crate) hub: BeaconId,
}

/// How a way goes on from a corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// The corner that the next leg leads to.
    pub(crate) end: BeaconId,
    /// The gate that the way leads to next.
    pub(crate) gate: BeaconId,
    /// How many moves it has from there, at most.
    pub(crate) rest: u32,
}

impl BeaconDatabase {
    /// The way from one state to another; `None` if there is none.
    pub(crate) fn way(&self, space: &GridSpace, from: State, to: State) -> Option<Way> {
        if !space.contains(from) || !space.contains(to) {
            return None;
        }
        let mut decision = self.new_decision();
        decision.begin(space.cell(from), space.cell(to));
        decision.complete(self, space);
        let way = decision.way();
        self.recycle(decision);
        way
    }

    /// What the cheapest path from one state to another costs; `None` if there is none. It is exact as long
    /// as the map is the one that the database was built for.
    #[must_use]
    pub fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.way(space, from, to).map(|way| way.cost)
    }

    /// Whether a way leads from one state to another.
    #[must_use]
    pub fn reachable(&self, space: &GridSpace, from: State, to: State) -> bool {
        space.contains(from)
            && space.contains(to)
            && space.reachability(from, to) != crate::space::Reachability::No
    }

    /// The cells at which a cheapest path turns, its ends included; `None` if there is none. Between two of
    /// them, diagonal and straight moves may be made in any order.
    #[must_use]
    pub fn turning_points(&self, space: &GridSpace, from: State, to: State) -> Option<Vec<Cell>> {
        let way = self.way(space, from, to)?;
        let mut points = Vec::from([space.cell(from)]);
        if let Some(over) = way.over {
            let mut stops = Vec::new();
            self.fill_stops(over, &mut stops)?;
            points.push(self.cell(stops[0].corner()));
            for ends in stops.windows(2) {
                let [start, end] = [ends[0], ends[1]].map(|stop| self.cell(stop.corner()));
                // Legs that lead past others that went may be walked in one order only.
                let runs = if self.ways.is_thin() { open_runs(space, start, end) } else { None };
                points.extend(runs.map(|[(run, moves), _]| start.after(run, moves)));
                points.push(end);
            }
        }
        points.push(space.cell(to));
        points.dedup();
        Some(points)
    }

    /// The corners that a way leads over, in a list that is used again, and the place of its top; `None` if
    /// the labels know no such way.
    pub(super) fn fill_stops(&self, over: Over, stops: &mut Vec<Stop>) -> Option<usize> {
        let Ways { graph, labels, .. } = &*self.ways;
        self.hops.fill_way((graph, labels), over, stops)
    }

    /// The next leg of a way from one corner to another. The gate is the one that it leads to next. `rest` is
    /// how many moves it has from here at most; that falls with every leg. `None` if no leg leads nearer.
    /// What was looked up comes with it.
    #[inline]
    pub(crate) fn next_leg(
        &self,
        from: BeaconId,
        to: BeaconId,
        gate: BeaconId,
        rest: u32,
    ) -> (Option<Next>, u64) {
        if !self.has(from) || !self.has(to) || !self.has(gate) {
            return (None, 0);
        }
        let (gate, chosen) = if from == gate { self.next_gate(from, to) } else { (Some(gate), 0) };
        let Some(gate) = gate else { return (None, 1 + chosen) };
        let (leg, looked_up) = self.leg_to_gate(from, to, gate);
        let next = leg.filter(|&end| self.corners.is_there(end)).and_then(|end| {
            let moves = self.cell(from).moves_to(self.cell(end));
            Some(Next { end, gate, rest: rest.checked_sub(moves)? })
        });
        (next, 1 + chosen + looked_up)
    }

    /// The gate that a way from one corner to another leads to last, as seen from a gate. What was looked up
    /// comes with it.
    #[inline]
    fn next_gate(&self, from: BeaconId, to: BeaconId) -> (Option<BeaconId>, u64) {
        let labels = &self.ways.labels;
        if self.ways.is_core(to) {
            return (Some(to), 0);
        }
        let (mut best, mut looked_up) = ((Cost::MAX, None), 0);
        labels.each_hub_of_corner(to, |rank, cost| {
            looked_up += 1;
            let gate = labels.corner(rank);
            let between = if gate == from {
                Some(0)
            } else if self.ways.has_in_core(rank) && self.ways.is_core(from) {
                looked_up += self.entries_of(from) + self.entries_of(gate);
                labels.cost_between(from, gate)
            } else {
                None
            };
            if let Some(between) = between
                && between + cost < best.0
            {
                best = (between + cost, Some(gate));
            }
        });
        (best.1, looked_up)
    }

    /// The leg that leads on to a gate, or, from there on, to the last corner: where it ends. What was looked
    /// up comes with it.
    #[inline]
    fn leg_to_gate(&self, from: BeaconId, to: BeaconId, gate: BeaconId) -> (Option<BeaconId>, u64) {
        let Ways { graph, labels, .. } = &*self.ways;
        if self.ways.is_core(from) && from != gate {
            let next = self.hops.next_corner((graph, labels), from, gate);
            return (next, self.entries_of(from) + self.entries_of(gate));
        }
        // Ways from a gate are known at their other end.
        let (rank, mut looked_up) = (labels.rank_of_corner(gate), 0);
        let climb = |corner: BeaconId| {
            graph.end_of_leg(corner, self.hops.there(labels.entry_of_corner(corner, rank)?))
        };
        // Into the core none leads down.
        let mut at = if self.ways.is_core(to) { gate } else { to };
        while at != gate {
            looked_up += 1;
            match climb(at) {
                Some(end) if end == from => return (Some(at), looked_up),
                Some(end) => at = end,
                None => break,
            }
        }
        (climb(from), looked_up + 1)
    }

    /// The most that is looked up at a corner for the next leg, where no label has more hubs than that.
    pub(super) fn most_for_next_leg(&self, most_hubs: u64) -> u64 {
        let Ways { graph, labels, core, .. } = &*self.ways;
        if !self.ways.is_thin() {
            return 1 + 2 * most_hubs;
        }
        let (mut most_gates, mut deepest) = (0, 0);
        let mut depths: Vec<u64> = Vec::from_iter(labels.corners().map(|_| 0));
        for corner in labels.corners().skip(*core as usize) {
            let gates =
                labels.hubs_of_corner(corner).iter().filter(|&&rank| self.ways.has_in_core(rank)).count()
                    as u64;
            let depth =
                1 + graph.legs_of_corner(corner).map(|(end, _)| depths[end.index()]).max().unwrap_or(0);
            depths[corner.index()] = depth;
            (most_gates, deepest) = (gates.max(most_gates), depth.max(deepest));
        }
        let to_gate = (2 * most_hubs).max(deepest + 1);
        1 + most_hubs + 2 * most_gates * most_hubs + to_gate
    }

    /// A cheapest path, cell by cell; `None` if there is none.
    #[must_use]
    pub fn path(&self, space: &GridSpace, from: State, to: State) -> Option<StatePath> {
        let mut points = Vec::new();
        let cost = self.straight_runs(space, from, to, &mut points)?;
        let runs = || points.windows(2).map(|ends| (ends[0], ends[1]));
        let moves = runs().map(|(from, to)| from.moves_to(to) as usize).sum::<usize>();
        let mut states = Vec::with_capacity(moves + 1);
        states.push(from);
        let mut state = from;
        for (from, to) in runs() {
            let Some((direction, moves)) = next_run(space.rule(), from, to) else { continue };
            states.extend((0..moves).map(|_| {
                state = space.step(state, direction);
                state
            }));
        }
        Some(StatePath { states, cost })
    }

    /// Which of some goals is nearest, and what the cheapest path there costs: its place among them; `None`
    /// if no way leads to any.
    #[must_use]
    pub fn nearest_of(&self, space: &GridSpace, from: State, goals: &[State]) -> Option<(usize, Cost)> {
        // Whatever is farther than the best one so far as the crow flies need not be looked at.
        let here = space.cell(from);
        let estimate = |goal: &State| Steps::between(space.rule(), here, space.cell(*goal)).cost(space);
        let mut order: Vec<(Cost, usize)> = goals
            .iter()
            .enumerate()
            .filter(|&(_, &goal)| space.contains(goal))
            .map(|(place, goal)| (estimate(goal), place))
            .collect();
        sorting::sort(&mut order);
        let mut best: Option<(Cost, usize)> = None;
        if !space.contains(from) || order.is_empty() {
            return None;
        }
        // What the start sees is looked at once for all of them.
        let mut decision = self.new_decision();
        decision.begin_from(self, space, here);
        for (least, place) in order {
            if best.is_some_and(|(cost, _)| least > cost) {
                break;
            }
            decision.turn_to(space.cell(goals[place]));
            decision.complete(self, space);
            if let Some(Way { cost, .. }) = decision.way()
                && best.is_none_or(|best| (cost, place) < best)
            {
                best = Some((cost, place));
            }
        }
        self.recycle(decision);
        best.map(|(cost, place)| (place, cost))
    }
}

/// A run of moves, all in one direction.
pub(crate) type StraightRun = (Direction, u32);

/// The two runs of a leg, diagonal moves first; `None` if it has only one.
#[inline]
pub(crate) fn two_runs(rule: MoveRule, from: Cell, to: Cell) -> Option<[StraightRun; 2]> {
    let first = next_run(rule, from, to)?;
    Some([first, next_run(rule, from.after(first.0, first.1), to)?])
}

/// Whether two runs can be made from a cell, one after the other.
#[inline]
pub(crate) fn is_open(space: &GridSpace, from: Cell, [first, second]: [StraightRun; 2]) -> bool {
    let can_run = |from: Cell, (run, moves): StraightRun| space.run(from, run, moves) == moves;
    can_run(from, first) && can_run(from.after(first.0, first.1), second)
}

/// The two runs of a leg in an order that is open: diagonal moves first if it can; `None` if it has only one.
fn open_runs(space: &GridSpace, from: Cell, to: Cell) -> Option<[StraightRun; 2]> {
    let [first, second] = two_runs(space.rule(), from, to)?;
    Some(if is_open(space, from, [first, second]) { [first, second] } else { [second, first] })
}
