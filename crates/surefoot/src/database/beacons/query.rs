//! Questions that the database answers by itself: what the cheapest way costs, and which corners it begins and ends with.
//!
//! Both ends look around. The corners that they see are their *access beacons*. Whatever the way, it leads from one that the start sees to one that the goal sees, and
//! what it costs in between is the least sum over the hubs of both. All of them are merged at once: for each hub the least cost from the start is noted, then
//! the goal's are added to that.

use alloc::vec::Vec;

use super::BeaconDatabase;
use super::sight::{Seen, Sight, Steps, Use};
use super::turns::{Sectors, sector_between};
use crate::space::{Cell, Cost, GridSpace};

/// A way between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// What it costs.
    pub(crate) cost: Cost,
    /// The first and the last corner that it turns at, and what it costs in between; `None` if a single leg leads there.
    pub(crate) over: Option<Over>,
}

/// The corners of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Over {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) between: Cost,
}

/// A corner that an end of a way sees.
#[derive(Clone, Copy, Debug)]
struct Access {
    corner: u32,
    /// What the leg to it costs.
    cost: Cost,
    /// What the whole way costs at least, if it leads over this corner.
    least: Cost,
    /// Whether a way that arrives like this may go on over other corners.
    goes_on: bool,
}

/// How far a decision is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Is there a leg from one end to the other?
    #[default]
    Straight,
    /// What does the start see, or the goal, fan by fan? First those that look to the other end, then the others.
    Look {
        goal: bool,
        nth: u8,
    },
    /// What is the cost over the two corners that promise most? So many fans were looked into.
    Bound {
        nth: u8,
    },
    /// The labels of what the start sees, and of what the goal sees, one by one.
    Merge {
        goal: bool,
        next: u32,
    },
    Done,
}

/// A decision which way to take. It can be made in pieces, and its memory is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decision {
    ends: Option<[Cell; 2]>,
    stage: Stage,
    /// How many pieces of it are done.
    pieces: u32,
    /// Whether what the start sees is known from a goal before.
    knows_start: bool,
    seen: [Vec<Access>; 2],
    /// What the goal saw before the start had looked everywhere: it may see the same.
    early: Vec<Access>,
    /// Of what either end sees, what promises most.
    promising: [Option<Access>; 2],
    best: Option<Way>,
    table: HubTable,
}

/// For each hub the cheapest way from the start.
#[derive(Clone, Debug, Default)]
struct HubTable {
    round: u32,
    entries: Vec<HubEntry>,
}

#[derive(Clone, Copy, Debug, Default)]
struct HubEntry {
    /// It means something in this round only.
    round: u32,
    /// The first corner of the way.
    corner: u32,
    cost: Cost,
}

impl HubTable {
    fn begin(&mut self, hubs: usize) {
        if self.entries.len() < hubs {
            self.entries.resize(hubs, HubEntry::default());
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill(HubEntry::default());
            self.round = 1;
        }
    }

    #[inline]
    fn note(&mut self, hub: u32, corner: u32, cost: Cost) {
        let round = self.round;
        let entry = &mut self.entries[hub as usize];
        if entry.round != round || cost < entry.cost {
            *entry = HubEntry { round, corner, cost };
        }
    }

    #[inline]
    fn get(&self, hub: u32) -> Option<HubEntry> {
        Some(self.entries[hub as usize]).filter(|entry| entry.round == self.round)
    }
}

impl Decision {
    /// Begins to decide how to get from one free cell to another.
    pub(crate) fn begin(&mut self, from: Cell, to: Cell) {
        (self.ends, self.stage, self.best) = (Some([from, to]), Stage::Straight, None);
        (self.promising, self.pieces, self.knows_start) = ([None; 2], 0, false);
        self.seen.iter_mut().for_each(Vec::clear);
        self.early.clear();
    }

    /// Looks around from a free cell, for ways from there to many: [`turn_to`](Self::turn_to) each of them. All labels of the start are read now, and never again.
    pub(super) fn begin_from(&mut self, database: &BeaconDatabase, space: &GridSpace, from: Cell) {
        self.begin(from, from);
        self.table.begin(database.labels.nodes());
        let sight = database.sight(space);
        for nth in 0..sight.turns.fans().len() {
            self.look(database, sight, [from, from], false, nth as u8, false);
        }
        for place in 0..self.seen[0].len() {
            self.note(database, self.seen[0][place]);
        }
        self.knows_start = true;
    }

    /// Goes on with the way from the same start to another goal.
    pub(super) fn turn_to(&mut self, to: Cell) {
        let from = self.ends.map_or(to, |[from, _]| from);
        (self.ends, self.stage, self.best) = (Some([from, to]), Stage::Straight, None);
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

    /// Goes on until so much has been looked up, or until it is done. What was looked up, and whether it is done. It may be more than `most` by
    /// [one piece](BeaconDatabase::most_in_a_piece).
    pub(crate) fn advance(&mut self, database: &BeaconDatabase, space: &GridSpace, most: u64) -> (u64, bool) {
        let Some([from, to]) = self.ends else { return (0, true) };
        let sight = database.sight(space);
        let mut spent = 0;
        while self.stage != Stage::Done && spent < most {
            spent += self.piece(database, sight, [from, to]);
            self.pieces += 1;
        }
        (spent, self.stage == Stage::Done)
    }

    /// How many pieces of it are done.
    pub(crate) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Does the next piece. Whether there was one.
    pub(crate) fn do_piece(&mut self, database: &BeaconDatabase, space: &GridSpace) -> bool {
        let Some(ends) = self.ends.filter(|_| self.stage != Stage::Done) else { return false };
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
            Stage::Straight => {
                let (sees, lines) = sight.sees(ends[0], ends[1]);
                if sees {
                    let cost = sight.estimate(ends[0], ends[1]);
                    (self.best, self.stage) = (Some(Way { cost, over: None }), Stage::Done);
                } else {
                    self.stage = Stage::Look { goal: self.knows_start, nth: 0 };
                    if !self.knows_start {
                        self.table.begin(database.labels.nodes());
                    }
                }
                u64::from(lines)
            }
            Stage::Look { goal, nth } => {
                let fans = sight.turns.fans().len() as u8;
                // Both ends take turns: a quarter of the fans, another one, and the other half.
                let looked_into = nth + 1;
                let is_turn_over = looked_into >= fans / 4 && looked_into.is_power_of_two();
                let turn_began = if looked_into == fans / 4 { 0 } else { looked_into / 2 };
                self.stage = match goal {
                    _ if !is_turn_over => Stage::Look { goal, nth: nth + 1 },
                    false => Stage::Look { goal: true, nth: turn_began },
                    true => Stage::Bound { nth: looked_into },
                };
                let is_early = goal && !self.knows_start && nth < fans / 2;
                let looked_up = self.look(database, sight, ends, goal, nth, is_early);
                if !goal && nth + 1 == fans {
                    return looked_up + self.meet_early(database);
                }
                looked_up
            }
            Stage::Bound { nth } => {
                self.stage = if usize::from(nth) < sight.turns.fans().len() {
                    Stage::Look { goal: self.knows_start, nth }
                } else {
                    Stage::Merge { goal: self.knows_start, next: 0 }
                };
                self.find_bound(database)
            }
            Stage::Merge { goal, next } => {
                let Some(&access) = self.seen[usize::from(goal)].get(next as usize) else {
                    self.stage = if goal { Stage::Done } else { Stage::Merge { goal: true, next: 0 } };
                    return 0;
                };
                self.stage = Stage::Merge { goal, next: next + 1 };
                if access.least >= self.limit() {
                    return 0;
                }
                if goal { self.merge(database, access) } else { self.note(database, access) }
            }
            Stage::Done => 0,
        }
    }

    /// Only ways that cost less than this are of interest.
    fn limit(&self) -> Cost {
        self.best.map_or(Cost::MAX, |way| way.cost)
    }

    /// One end looks into a fan: the nth by how little it looks away from the other end.
    fn look(
        &mut self,
        database: &BeaconDatabase,
        sight: Sight<'_>,
        ends: [Cell; 2],
        goal: bool,
        nth: u8,
        is_early: bool,
    ) -> u64 {
        let [here, there] = if goal { [ends[1], ends[0]] } else { ends };
        let mut count = 0;
        let fans = sight.turns.fans();
        // The fan that the other end lies in, or next to; the others follow on both sides in turn.
        let ahead = usize::from(sector_between(sight.space.rule(), here, there)) * fans.len() / 16;
        let aside = usize::from(nth).div_ceil(2);
        let fan = &fans[(if nth % 2 == 0 { ahead + aside } else { ahead + fans.len() - aside }) % fans.len()];
        let of_use = self.best.map(|way| Use { goal: there, below: way.cost });
        let lines = sight.look_into(fan, here, (Sectors::MAX, 0), of_use, &mut |leg: Seen| {
            count += 1;
            // Those that came to be since labels were made are of no use until they have some.
            if let Some(goes_on) = database.goes_on(leg.corner, leg.sector) {
                let cost = leg.steps.cost(sight.space);
                let least = cost + sight.estimate(sight.corners.cell(leg.corner), there);
                if least >= self.limit() {
                    return;
                }
                let access = Access { corner: leg.corner, cost, least, goes_on };
                if is_early {
                    self.early.push(access);
                }
                self.meet(database, access, goal);
            }
        });
        u64::from(lines) + count
    }

    /// The start has looked everywhere: has it seen what the goal saw before? How many corners that were.
    fn meet_early(&mut self, database: &BeaconDatabase) -> u64 {
        for place in 0..self.early.len() {
            self.join_at(database, self.early[place]);
        }
        self.early.len() as u64
    }

    /// Where the start sees a corner that the goal sees, there is a way over it alone.
    #[inline]
    fn join_at(&mut self, database: &BeaconDatabase, access: Access) {
        if let Some(entry) = self.table.get(database.labels.rank(access.corner))
            && entry.cost + access.cost < self.limit()
        {
            let over = Over { first: access.corner, last: access.corner, between: 0 };
            self.best = Some(Way { cost: entry.cost + access.cost, over: Some(over) });
        }
    }

    /// An end sees a corner.
    #[inline]
    fn meet(&mut self, database: &BeaconDatabase, access: Access, goal: bool) {
        if goal {
            self.join_at(database, access);
        } else {
            self.table.note(database.labels.rank(access.corner), access.corner, access.cost);
        }
        if access.goes_on {
            self.seen[usize::from(goal)].push(access);
            let promising = &mut self.promising[usize::from(goal)];
            if promising.is_none_or(|other| access.least < other.least) {
                *promising = Some(access);
            }
        }
    }

    /// Finds a way over the corners that promise most: others have to be cheaper.
    fn find_bound(&mut self, database: &BeaconDatabase) -> u64 {
        let [Some(first), Some(last)] = self.promising else { return 0 };
        if let Some(between) = database.labels.cost(first.corner, last.corner) {
            let cost = first.cost + between + last.cost;
            if cost < self.limit() {
                let over = Over { first: first.corner, last: last.corner, between };
                self.best = Some(Way { cost, over: Some(over) });
            }
        }
        database.entries_of(first.corner) + database.entries_of(last.corner)
    }

    /// Notes what it costs from the start to the hubs of a corner.
    fn note(&mut self, database: &BeaconDatabase, access: Access) -> u64 {
        let limit = self.limit();
        database.labels.for_each(access.corner, |hub, cost| {
            if access.cost + cost < limit {
                self.table.note(hub, access.corner, access.cost + cost);
            }
        });
        database.entries_of(access.corner)
    }

    /// Adds what it costs from the hubs of a corner to the goal.
    fn merge(&mut self, database: &BeaconDatabase, access: Access) -> u64 {
        let (mut limit, mut first) = (self.limit(), None);
        database.labels.for_each(access.corner, |hub, cost| {
            if let Some(entry) = self.table.get(hub)
                && entry.cost + cost + access.cost < limit
            {
                (limit, first) = (entry.cost + cost + access.cost, Some(entry.corner));
            }
        });
        if let Some(first) = first {
            let to_first =
                self.seen[0].iter().find(|access| access.corner == first).map_or(0, |access| access.cost);
            let over = Over { first, last: access.corner, between: limit - to_first - access.cost };
            self.best = Some(Way { cost: limit, over: Some(over) });
        }
        database.entries_of(access.corner)
    }
}

impl Sight<'_> {
    /// What a leg costs, if there is one: what any way costs at least.
    #[inline]
    pub(super) fn estimate(self, from: Cell, to: Cell) -> Cost {
        Steps::between(self.space.rule(), from, to).cost(self.space)
    }
}
