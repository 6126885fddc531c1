//! Questions that the database answers by itself: what the cheapest way costs, and which corners it begins
//! and ends with.
//!
//! Both ends look around. The corners that they see are their *access beacons*. Whatever the way, it leads
//! from one that the start sees to one that the goal sees, and what it costs in between is the least sum over
//! the hubs of both. All of them are merged at once: for each hub the least cost from the start is noted,
//! then the goal's are added to that. A corner outside the core stands for its gates: their labels are read
//! in its place.
//!
//! Each end first looks towards the other. The way that is found over what they see there is a bound: in all
//! other fans they look no farther than a cheaper one can lead. Where many ways begin or end in one place,
//! that place looks around once for all of them.

use alloc::vec::Vec;

use super::build::Ways;
use super::gates::{Access, Gate, each_gate};
use super::hub_table::HubTable;
use super::sight::{Seen, Sight, Steps, Use};
use super::turns::{Sectors, sector_between};
use super::ways::{Over, Way};
use super::{BeaconDatabase, BeaconId};
use crate::hub_labels::Stop;
use crate::space::{Cell, Cost, GridSpace};

/// How far a decision is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DecisionStage {
    /// Is there a leg from one end to the other?
    #[default]
    Straight,
    /// What does the start see, or the goal, fan by fan? Both look towards each other first.
    Look {
        goal: bool,
        nth: u8,
    },
    /// What is the cost over the two corners that promise most, after each looked into so many fans?
    Bound {
        fans: u8,
    },
    /// The labels of what the start sees, and of what the goal sees, one by one. The goal has looked into so
    /// many fans.
    Merge {
        goal: bool,
        next: u32,
        fans: u8,
    },
    Done,
}

/// A decision which way to take. It can be made in pieces, and its memory is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct BeaconDecision {
    ends: Option<[Cell; 2]>,
    stage: DecisionStage,
    /// How many pieces of it are done.
    pieces: u32,
    /// Whether what the start sees is known from a goal before, and all of its labels were read.
    knows_start: bool,
    /// How far what the start sees is found out for many goals: fans, and labels.
    prepared: (u8, u32),
    /// The corners over which a way was found as a bound.
    bounded: Option<(BeaconId, BeaconId)>,
    seen: [Vec<Access>; 2],
    /// Of what either end sees, what promises most.
    promising: [Option<Access>; 2],
    best: Option<Way>,
    table: HubTable,
    /// The gates that either end gets to.
    gates: [HubTable; 2],
    /// The corners of the way, for those who ask for all of it.
    stops: Vec<Stop>,
}

impl BeaconDecision {
    /// Begins to decide how to get from one free cell to another.
    pub(crate) fn begin(&mut self, from: Cell, to: Cell) {
        (self.ends, self.stage, self.best) = (Some([from, to]), DecisionStage::Straight, None);
        (self.promising, self.pieces, self.knows_start) = ([None; 2], 0, false);
        (self.prepared, self.bounded) = ((0, 0), None);
        self.seen.iter_mut().for_each(Vec::clear);
    }

    fn begin_tables(&mut self, database: &BeaconDatabase) {
        let Ways { labels, core, .. } = &*database.ways;
        self.table.begin(labels.nodes());
        if database.ways.is_thin() {
            self.gates.iter_mut().for_each(|gates| gates.begin(*core as usize));
        }
    }

    /// Looks around from a free cell, for ways from there to many: [`turn_to`](Self::turn_to) each of them.
    /// All labels of the start are read now, and never again.
    pub(super) fn begin_from(&mut self, database: &BeaconDatabase, space: &GridSpace, from: Cell) {
        self.begin(from, from);
        self.prepare(database, space, u64::MAX);
    }

    /// Goes on looking around from where it begins, for ways from there to many, until so much has been
    /// looked up, or until it is done. What was looked up, and whether it is done. It may be more than `most`
    /// by [one piece](BeaconDatabase::most_in_a_piece).
    pub(crate) fn prepare(&mut self, database: &BeaconDatabase, space: &GridSpace, most: u64) -> (u64, bool) {
        let Some([from, _]) = self.ends.filter(|_| !self.knows_start) else { return (0, true) };
        let sight = database.sight(space);
        let mut spent = 0;
        while spent < most {
            let (fan, label) = self.prepared;
            if usize::from(fan) < sight.turns.fans().len() {
                if fan == 0 {
                    self.begin_tables(database);
                }
                spent += self.look(database, sight, [from, from], false, fan);
                self.prepared.0 += 1;
            } else if let Some(&access) = self.seen[0].get(label as usize) {
                spent += self.note(database, sight, [from, from], access);
                self.prepared.1 += 1;
            } else {
                self.knows_start = true;
                return (spent, true);
            }
        }
        (spent, false)
    }

    /// Goes on with the way from the same start to another goal.
    pub(crate) fn turn_to(&mut self, to: Cell) {
        let from = self.ends.map_or(to, |[from, _]| from);
        (self.ends, self.stage, self.best) = (Some([from, to]), DecisionStage::Straight, None);
        self.promising[1] = None;
        self.seen[1].clear();
    }

    /// Whether it is about the way between these cells.
    pub(crate) fn is_about(&self, from: Cell, to: Cell) -> bool {
        self.ends == Some([from, to])
    }

    /// The way that was decided on; `None` if there is none.
    pub(crate) fn way(&self) -> Option<Way> {
        self.best
    }

    /// A list for the corners of the way, with what was in it last.
    pub(super) fn stops(&mut self) -> &mut Vec<Stop> {
        &mut self.stops
    }

    /// Goes on until so much has been looked up, or until it is done. What was looked up, and whether it is
    /// done. It may be more than `most` by [one piece](BeaconDatabase::most_in_a_piece).
    pub(crate) fn advance(&mut self, database: &BeaconDatabase, space: &GridSpace, most: u64) -> (u64, bool) {
        let Some([from, to]) = self.ends else { return (0, true) };
        let sight = database.sight(space);
        let mut spent = 0;
        while self.stage != DecisionStage::Done && spent < most {
            spent += self.piece(database, sight, [from, to]);
            self.pieces += 1;
        }
        (spent, self.stage == DecisionStage::Done)
    }

    /// How many pieces of it are done.
    pub(crate) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Does the next piece. Whether there was one.
    pub(crate) fn do_piece(&mut self, database: &BeaconDatabase, space: &GridSpace) -> bool {
        let Some(ends) = self.ends.filter(|_| self.stage != DecisionStage::Done) else { return false };
        self.piece(database, database.sight(space), ends);
        self.pieces += 1;
        true
    }

    /// Decides at once. What was looked up.
    pub(crate) fn complete(&mut self, database: &BeaconDatabase, space: &GridSpace) -> u64 {
        self.advance(database, space, u64::MAX).0
    }

    fn piece(&mut self, database: &BeaconDatabase, sight: Sight<'_>, ends: [Cell; 2]) -> u64 {
        match self.stage {
            DecisionStage::Straight => {
                let (sees, lines) = sight.sees(ends[0], ends[1]);
                if sees {
                    let cost = sight.estimate(ends[0], ends[1]);
                    (self.best, self.stage) = (Some(Way { cost, over: None }), DecisionStage::Done);
                } else {
                    self.stage = DecisionStage::Look { goal: self.knows_start, nth: 0 };
                    if !self.knows_start {
                        self.begin_tables(database);
                    } else if database.ways.is_thin() {
                        self.gates[1].begin(database.ways.core as usize);
                    }
                }
                u64::from(lines)
            }
            DecisionStage::Look { goal, nth } => {
                let looked_into = nth + 1;
                // Both ends take turns: the fan that leads to the other, one more, two more, and so on. Few
                // are looked into before some way is known, and what cannot be on a cheaper one is left out.
                let is_turn_over = looked_into.is_power_of_two();
                let turn_began = looked_into / 2;
                self.stage = match goal {
                    // What the start knows is merged with what each fan shows.
                    true if self.knows_start => DecisionStage::Merge {
                        goal: true,
                        next: self.seen[1].len() as u32,
                        fans: looked_into,
                    },
                    _ if !is_turn_over => DecisionStage::Look { goal, nth: looked_into },
                    false => DecisionStage::Look { goal: true, nth: turn_began },
                    true => DecisionStage::Bound { fans: looked_into },
                };
                self.look(database, sight, ends, goal, nth)
            }
            DecisionStage::Bound { fans } => {
                self.stage = if usize::from(fans) < sight.turns.fans().len() {
                    DecisionStage::Look { goal: false, nth: fans }
                } else {
                    DecisionStage::Merge { goal: false, next: 0, fans }
                };
                self.find_bound(database, sight, ends)
            }
            DecisionStage::Merge { goal, next, fans } => {
                let Some(&access) = self.seen[usize::from(goal)].get(next as usize) else {
                    self.stage = match goal {
                        false => DecisionStage::Merge { goal: true, next: 0, fans },
                        true if usize::from(fans) < sight.turns.fans().len() => {
                            DecisionStage::Look { goal: true, nth: fans }
                        }
                        true => DecisionStage::Done,
                    };
                    return 0;
                };
                self.stage = DecisionStage::Merge { goal, next: next + 1, fans };
                if access.least >= self.limit() {
                    return 0;
                }
                if goal {
                    self.merge(database, sight, ends, access)
                } else {
                    self.note(database, sight, ends, access)
                }
            }
            DecisionStage::Done => 0,
        }
    }

    /// Only ways that cost less than this are of interest.
    fn limit(&self) -> Cost {
        self.best.map_or(Cost::MAX, |way| way.cost)
    }

    /// One end looks into one of its fans, which are counted from the one that leads to the other.
    fn look(
        &mut self,
        database: &BeaconDatabase,
        sight: Sight<'_>,
        ends: [Cell; 2],
        goal: bool,
        nth: u8,
    ) -> u64 {
        let [here, there] = if goal { [ends[1], ends[0]] } else { ends };
        let mut count = 0;
        let fan = &sight.turns.fans()[nth_fan(sight, here, there, nth)];
        let of_use = self.best.map(|way| Use { goal: there, below: way.cost });
        let lines = sight.look_into(fan, here, (Sectors::MAX, 0), of_use, &mut |leg: Seen| {
            count += 1;
            // Those that came to be since labels were made are of no use until they have some.
            if let Some(goes_on) = database.goes_on(leg.corner, leg.sector) {
                let cost = leg.steps.cost(sight.space);
                let least = cost + sight.estimate(sight.corners.cell(leg.corner), there);
                if least < self.limit() {
                    let (corner, gate, arrival) = (leg.corner, leg.corner, leg.sector);
                    let access = Access { corner, gate, arrival, cost, least, goes_on };
                    self.meet(database, sight, ends, (access, goal));
                }
            }
        });
        u64::from(lines) + count
    }

    /// An end sees a corner. Where the other one gets there, too, there is a way.
    #[inline]
    fn meet(
        &mut self,
        database: &BeaconDatabase,
        sight: Sight<'_>,
        ends: [Cell; 2],
        (access, goal): (Access, bool),
    ) {
        let Access { corner, .. } = access;
        let rank = database.ways.labels.rank_of_corner(corner);
        if !goal {
            self.table.note(rank, (corner, corner), access.cost);
        } else if let Some(entry) = self.table.get(rank)
            && entry.cost + access.cost < self.limit()
        {
            let over = [(entry.corner, entry.gate), (corner, corner)];
            self.take(sight, ends, entry.cost + access.cost, over, corner);
        }
        // What the goal sees before the start has looked everywhere may be seen by it later on.
        if access.goes_on || goal && !self.knows_start {
            self.seen[usize::from(goal)].push(access);
        }
        if access.goes_on {
            if database.ways.is_thin() && database.ways.has_in_core(rank) {
                self.gates[usize::from(goal)].note(rank, (corner, corner), access.cost);
            }
            let promising = &mut self.promising[usize::from(goal)];
            if promising.is_none_or(|other| access.least < other.least) {
                *promising = Some(access);
            }
        }
    }

    /// Finds a way over the corners that promise most: others have to be cheaper.
    fn find_bound(&mut self, database: &BeaconDatabase, sight: Sight<'_>, ends: [Cell; 2]) -> u64 {
        let [Some(first), Some(last)] = self.promising else { return 0 };
        if self.bounded.replace((first.corner, last.corner)) == Some((first.corner, last.corner)) {
            return 0;
        }
        let labels = &database.ways.labels;
        let mut looked_up = 0;
        if !database.ways.is_core(first.corner) || !database.ways.is_core(last.corner) {
            // What both know is on a way, too.
            looked_up += database.entries_of(first.corner) + database.entries_of(last.corner);
            if let Some((between, hub)) = labels.corner_between(first.corner, last.corner)
                && first.cost + between + last.cost < self.limit()
            {
                let cost = first.cost + between + last.cost;
                self.take(sight, ends, cost, [(first.corner, hub), (last.corner, hub)], hub);
            }
        }
        let mut nearest = |access: Access, there: Cell| {
            let mut nearest: Option<(Cost, Gate)> = None;
            looked_up += each_gate(database, sight, access, |gate| {
                if database.ways.has_in_core(gate.rank) {
                    let least = gate.least(database, sight, there);
                    if nearest.is_none_or(|(other, _)| least < other) {
                        nearest = Some((least, gate));
                    }
                }
            });
            nearest.map(|(_, gate)| (gate.cost, labels.corner(gate.rank)))
        };
        let gates = [nearest(first, ends[1]), nearest(last, ends[0])];
        let [Some((to_gate, gate)), Some((from_gate, last_gate))] = gates else { return looked_up };
        looked_up += database.entries_of(gate) + database.entries_of(last_gate);
        if let Some((between, hub)) = labels.corner_between(gate, last_gate)
            && to_gate + between + from_gate < self.limit()
        {
            let over = [(first.corner, gate), (last.corner, last_gate)];
            self.take(sight, ends, to_gate + between + from_gate, over, hub);
        }
        looked_up
    }

    /// Takes a way for the best: over a corner and its gate at either end, and a hub.
    fn take(
        &mut self,
        sight: Sight<'_>,
        ends: [Cell; 2],
        cost: Cost,
        over: [(BeaconId, BeaconId); 2],
        hub: BeaconId,
    ) {
        let [(first, gate), (last, last_gate)] = over;
        let leg = |end: Cell, corner: BeaconId| sight.estimate(end, sight.corners.cell(corner));
        let between = cost - leg(ends[0], first) - leg(ends[1], last);
        let over = Over { first, last, between, gates: [gate, last_gate], hub };
        self.best = Some(Way { cost, over: Some(over) });
    }

    /// Goes on from a corner outside the core that an end sees, to its gates and to corners where ways meet
    /// that lead over none.
    fn climb(
        &mut self,
        database: &BeaconDatabase,
        sight: Sight<'_>,
        ends: [Cell; 2],
        (access, goal): (Access, bool),
    ) -> u64 {
        let (there, corner) = (ends[usize::from(!goal)], access.corner);
        each_gate(database, sight, access, |gate| {
            let Gate { rank, cost } = gate;
            if cost >= self.limit() {
                return;
            }
            let over = (corner, database.ways.labels.corner(rank));
            if database.ways.has_in_core(rank) {
                if self.gates[usize::from(goal)].note(rank, over, cost) {
                    let least = gate.least(database, sight, there);
                    self.seen[usize::from(goal)].push(Access { gate: over.1, cost, least, ..access });
                }
            } else if !goal {
                self.table.note(rank, over, cost);
            } else if let Some(entry) = self.table.get(rank)
                && entry.cost + cost < self.limit()
            {
                self.take(sight, ends, entry.cost + cost, [(entry.corner, entry.gate), over], over.1);
            }
        })
    }

    /// Whether an end gets to a gate at less cost than this.
    fn is_outdone(&self, database: &BeaconDatabase, access: Access, goal: bool) -> bool {
        let known = || self.gates[usize::from(goal)].get(database.ways.labels.rank_of_corner(access.gate));
        database.ways.is_thin() && known().is_some_and(|other| other.cost < access.cost)
    }

    /// Notes what it costs from the start to the hubs of a corner.
    fn note(&mut self, database: &BeaconDatabase, sight: Sight<'_>, ends: [Cell; 2], access: Access) -> u64 {
        if !database.ways.is_core(access.gate) {
            return self.climb(database, sight, ends, (access, false));
        }
        if self.is_outdone(database, access, false) {
            return 1;
        }
        let limit = self.limit();
        database.ways.labels.each_hub_of_corner(access.gate, |hub, cost| {
            if access.cost + cost < limit {
                self.table.note(hub, (access.corner, access.gate), access.cost + cost);
            }
        });
        database.entries_of(access.gate)
    }

    /// Adds what it costs from the hubs of a corner to the goal.
    fn merge(&mut self, database: &BeaconDatabase, sight: Sight<'_>, ends: [Cell; 2], access: Access) -> u64 {
        let labels = &database.ways.labels;
        let (mut limit, mut first) = (self.limit(), None);
        let mut add = |hub, cost| {
            if let Some(entry) = self.table.get(hub)
                && entry.cost + cost + access.cost < limit
            {
                (limit, first) = (entry.cost + cost + access.cost, Some((entry.corner, entry.gate, hub)));
            }
        };
        let is_core = database.ways.is_core(access.gate);
        let mut looked_up = 1;
        if !access.goes_on || !is_core {
            add(labels.rank_of_corner(access.gate), 0);
        } else if !self.is_outdone(database, access, true) {
            labels.each_hub_of_corner(access.gate, add);
            looked_up = database.entries_of(access.gate);
        }
        if let Some((corner, gate, hub)) = first {
            let over = [(corner, gate), (access.corner, access.gate)];
            self.take(sight, ends, limit, over, labels.corner(hub));
        }
        if access.goes_on && !is_core {
            looked_up += self.climb(database, sight, ends, (access, true));
        }
        looked_up
    }
}

/// The number of the fan that is looked into as the `nth`: first the one that leads there, then those beside
/// it, and so on.
fn nth_fan(sight: Sight<'_>, here: Cell, there: Cell, nth: u8) -> usize {
    let fans = sight.turns.fans().len();
    let first = usize::from(sector_between(sight.space.rule(), here, there)) * fans / 16;
    let aside = usize::from(nth).div_ceil(2);
    (first + if nth % 2 == 1 { aside } else { fans - aside }) % fans
}

impl Sight<'_> {
    /// What a leg costs, if there is one: what any way costs at least.
    #[inline]
    pub(super) fn estimate(self, from: Cell, to: Cell) -> Cost {
        Steps::between(self.space.rule(), from, to).cost(self.space)
    }
}
