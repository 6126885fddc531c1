//! Questions that the database answers by itself: what the cheapest way costs, and which corners it begins and ends with.
//!
//! Both ends look around. The corners that they see are their *access beacons*. Whatever the way, it leads from one that the start sees to one that the goal sees, and
//! what it costs in between is the least sum over the hubs of both. All of them are merged at once: for each hub the least cost from the start is noted, then
//! the goal's are added to that.
//!
//! Each end first looks towards the other. The way that is found over what they see there is a bound: in all other fans they look no farther than a cheaper one can
//! lead. Where many ways begin or end in one place, that place looks around once for all of them.

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

impl Way {
    /// The way back. Moves can be made both ways.
    pub(crate) fn reversed(self) -> Self {
        let over = self.over.map(|over| Over { first: over.last, last: over.first, ..over });
        Self { over, ..self }
    }
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
    /// What does the start see, or the goal, fan by fan? Both look towards each other first.
    Look {
        goal: bool,
        nth: u8,
    },
    /// What is the cost over the two corners that promise most, after each looked into so many fans?
    Bound {
        fans: u8,
    },
    /// The labels of what the start sees, and of what the goal sees, one by one. The goal has looked into so many fans.
    Merge {
        goal: bool,
        next: u32,
        fans: u8,
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
    /// Whether what the start sees is known from a goal before, and all of its labels were read.
    knows_start: bool,
    /// How far what the start sees is found out for many goals: fans, and labels.
    prepared: (u8, u32),
    /// The corners over which a way was found as a bound.
    bounded: Option<(u32, u32)>,
    seen: [Vec<Access>; 2],
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
        (self.prepared, self.bounded) = ((0, 0), None);
        self.seen.iter_mut().for_each(Vec::clear);
    }

    /// Looks around from a free cell, for ways from there to many: [`turn_to`](Self::turn_to) each of them. All labels of the start are read now, and never again.
    pub(super) fn begin_from(&mut self, database: &BeaconDatabase, space: &GridSpace, from: Cell) {
        self.begin(from, from);
        self.prepare(database, space, u64::MAX);
    }

    /// Goes on looking around from where it begins, for ways from there to many, until so much has been looked up, or until it is done. What was looked up, and
    /// whether it is done. It may be more than `most` by [one piece](BeaconDatabase::most_in_a_piece).
    pub(crate) fn prepare(&mut self, database: &BeaconDatabase, space: &GridSpace, most: u64) -> (u64, bool) {
        let Some([from, _]) = self.ends.filter(|_| !self.knows_start) else { return (0, true) };
        let sight = database.sight(space);
        let mut spent = 0;
        while spent < most {
            let (fan, label) = self.prepared;
            if usize::from(fan) < sight.turns.fans().len() {
                if fan == 0 {
                    self.table.begin(database.labels.nodes());
                }
                spent += self.look(database, sight, [from, from], false, fan);
                self.prepared.0 += 1;
            } else if let Some(&access) = self.seen[0].get(label as usize) {
                spent += self.note(database, access);
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
                let (fans, looked_into) = (sight.turns.fans().len() as u8, nth + 1);
                // Both ends take turns: a quarter of the fans, another one, and the other half.
                let is_turn_over = looked_into >= fans / 4 && looked_into.is_power_of_two();
                let turn_began = if looked_into == fans / 4 { 0 } else { looked_into / 2 };
                self.stage = match goal {
                    // What the start knows is merged with what each fan shows.
                    true if self.knows_start => {
                        Stage::Merge { goal: true, next: self.seen[1].len() as u32, fans: looked_into }
                    }
                    _ if !is_turn_over => Stage::Look { goal, nth: looked_into },
                    false => Stage::Look { goal: true, nth: turn_began },
                    true => Stage::Bound { fans: looked_into },
                };
                self.look(database, sight, ends, goal, nth)
            }
            Stage::Bound { fans } => {
                self.stage = if usize::from(fans) < sight.turns.fans().len() {
                    Stage::Look { goal: false, nth: fans }
                } else {
                    Stage::Merge { goal: false, next: 0, fans }
                };
                self.find_bound(database)
            }
            Stage::Merge { goal, next, fans } => {
                let Some(&access) = self.seen[usize::from(goal)].get(next as usize) else {
                    self.stage = match goal {
                        false => Stage::Merge { goal: true, next: 0, fans },
                        true if usize::from(fans) < sight.turns.fans().len() => {
                            Stage::Look { goal: true, nth: fans }
                        }
                        true => Stage::Done,
                    };
                    return 0;
                };
                self.stage = Stage::Merge { goal, next: next + 1, fans };
                if access.least >= self.limit() {
                    return 0;
                }
                if goal { self.merge(database, sight, ends[0], access) } else { self.note(database, access) }
            }
            Stage::Done => 0,
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
                    self.meet(database, Access { corner: leg.corner, cost, least, goes_on }, goal);
                }
            }
        });
        u64::from(lines) + count
    }

    /// An end sees a corner. Where the other one sees it, too, there is a way over it alone.
    #[inline]
    fn meet(&mut self, database: &BeaconDatabase, access: Access, goal: bool) {
        let rank = database.labels.rank(access.corner);
        if !goal {
            self.table.note(rank, access.corner, access.cost);
        } else if let Some(entry) = self.table.get(rank)
            && entry.corner == access.corner
            && entry.cost + access.cost < self.limit()
        {
            let over = Over { first: access.corner, last: access.corner, between: 0 };
            self.best = Some(Way { cost: entry.cost + access.cost, over: Some(over) });
        }
        // What the goal sees before the start has looked everywhere may be seen by it later on.
        if access.goes_on || goal && !self.knows_start {
            self.seen[usize::from(goal)].push(access);
        }
        if access.goes_on {
            let promising = &mut self.promising[usize::from(goal)];
            if promising.is_none_or(|other| access.least < other.least) {
                *promising = Some(access);
            }
        }
    }

    /// Finds a way over the corners that promise most: others have to be cheaper.
    fn find_bound(&mut self, database: &BeaconDatabase) -> u64 {
        let [Some(first), Some(last)] = self.promising else { return 0 };
        if self.bounded.replace((first.corner, last.corner)) == Some((first.corner, last.corner)) {
            return 0;
        }
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
    fn merge(&mut self, database: &BeaconDatabase, sight: Sight<'_>, start: Cell, access: Access) -> u64 {
        let (mut limit, mut first) = (self.limit(), None);
        let mut add = |hub, cost| {
            if let Some(entry) = self.table.get(hub)
                && entry.cost + cost + access.cost < limit
            {
                (limit, first) = (entry.cost + cost + access.cost, Some(entry.corner));
            }
        };
        let looked_up = if access.goes_on {
            database.labels.for_each(access.corner, add);
            database.entries_of(access.corner)
        } else {
            add(database.labels.rank(access.corner), 0);
            1
        };
        if let Some(first) = first {
            let to_first = sight.estimate(start, sight.corners.cell(first));
            let between = limit - access.cost - to_first;
            self.best = Some(Way { cost: limit, over: Some(Over { first, last: access.corner, between }) });
        }
        looked_up
    }
}

/// The number of the fan that is looked into as the `nth`: first the one that leads there, then those beside it, and so on.
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
