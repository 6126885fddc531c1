//! Questions that the database answers by itself: which way to take, and what it costs.
//!
//! A ball is grown around either end. Where they meet, the cheapest way between them is found. Otherwise the
//! way leads from a node in one of them to a node in the other, and what it costs in between is the least sum
//! over the hubs of both: for each hub the least cost from the start is noted, then the goal's are added to
//! that. If the ends are just too far from each other for balls to meet, where a way without nodes could be
//! cheaper, both are grown on once.

use alloc::vec::Vec;

use super::ball::{Ball, NONE};
use super::moves::{Moves, direction, opposite};
use super::tables::SparseTable;
use super::tuning::WIDER;
use super::{Network, TransitDatabase};
use crate::search::Work;
use crate::space::{Cost, Direction, GridSpace, State};

/// A way between two states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    /// What it costs.
    pub(crate) cost: Cost,
    /// The moves to the first node; all of them if there is none.
    pub(crate) first: Moves,
    /// The first and the last node, what it costs in between, and the moves after the last.
    pub(crate) over: Option<(u32, u32, Cost, Moves)>,
}

/// The best way that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Best {
    /// Over a state in both balls, or one that is the goal.
    Met(State),
    /// Over the nodes at two places, one in each ball, and what it costs in between.
    Over(u32, u32, Cost),
}

/// How far a decision is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DecisionStage {
    /// A ball grows.
    #[default]
    Start,
    Goal,
    /// The labels of the nodes in the balls, one by one.
    Merge {
        goal: bool,
        next: u32,
    },
    /// The moves of the way are put together, from a place in one of the balls.
    Trace {
        goal: bool,
        at: u32,
    },
    Done,
}

/// A decision which way to take. It is made in pieces, and its memory is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransitDecision {
    ends: Option<[State; 2]>,
    stage: DecisionStage,
    /// How many slices of it are done.
    slices: u32,
    is_wide: bool,
    /// How often what balls may reach is halved.
    halved: u8,
    balls: [Ball; 2],
    best: Option<(Cost, Best)>,
    hubs: SparseTable,
    /// For the hubs of the start what the cheapest way there costs, and the place of the node that it leads
    /// over.
    costs: Vec<(Cost, u32)>,
    trace: Vec<Direction>,
    first: Moves,
    last: Moves,
}

impl TransitDecision {
    /// Decisions that are cut short again and again look no less far than this.
    pub(crate) const MOST_CUT_SHORT: u8 = 5;

    /// Begins to decide how to get from one free state to another. If `cut_short` such decisions were cut
    /// short before, it looks half as far for each.
    pub(crate) fn begin(&mut self, space: &GridSpace, from: State, to: State, cut_short: u8) {
        (self.ends, self.halved) = (Some([from, to]), cut_short);
        (self.stage, self.slices, self.is_wide, self.best) = (DecisionStage::Start, 0, false, None);
        self.balls[0].begin_at(space, from);
        self.balls[1].begin_at(space, to);
        self.trace.clear();
        self.first.clear();
        self.last.clear();
    }

    /// Whether it is about these ends.
    pub(crate) fn is_about(&self, from: State, to: State) -> bool {
        self.ends == Some([from, to])
    }

    /// How many slices are done.
    pub(crate) fn slices(&self) -> u32 {
        self.slices
    }

    /// Decides on, as far as a move goes. What that took, and whether it is done.
    pub(crate) fn advance(&mut self, database: &TransitDatabase, space: &GridSpace) -> (Work, bool) {
        let (most, hubs) = (database.config.expansions(), database.hubs_a_move());
        let mut work = Work::default();
        self.slices = self.slices.saturating_add(1);
        while self.stage != DecisionStage::Done {
            if work.expansions >= most || work.probes >= hubs || work.trace_steps >= most {
                return (work, false);
            }
            self.do_piece(database, space, &mut work);
        }
        (work, true)
    }

    /// What came of it: the way, unless there is none.
    pub(crate) fn route(&mut self, database: &TransitDatabase) -> Option<Route> {
        let (cost, best) = self.best?;
        let nodes = &database.network.nodes;
        let (first, last) = (core::mem::take(&mut self.first), core::mem::take(&mut self.last));
        let over = match best {
            Best::Met(_) => None,
            Best::Over(a, b, between) => {
                let [a, b] = [(0, a), (1, b)].map(|(ball, place)| nodes.at(self.balls[ball].at(place).state));
                Some((a?, b?, between, last))
            }
        };
        Some(Route { cost, first, over })
    }

    fn do_piece(&mut self, database: &TransitDatabase, space: &GridSpace, work: &mut Work) {
        let network = &*database.network;
        let limit = (network.figures.reach as usize >> self.halved) * if self.is_wide { WIDER } else { 1 };
        match self.stage {
            DecisionStage::Start => self.grow(space, network, false, limit, work),
            DecisionStage::Goal => self.grow(space, network, true, limit, work),
            DecisionStage::Merge { goal, next } => {
                let ball = &self.balls[usize::from(goal)];
                match ball.access().get(next as usize) {
                    Some(&place) => {
                        self.stage = DecisionStage::Merge { goal, next: next + 1 };
                        work.probes += 1 + self.merge(network, goal, place);
                    }
                    None if !goal => self.stage = DecisionStage::Merge { goal: true, next: 0 },
                    None => self.conclude(space),
                }
            }
            DecisionStage::Trace { goal, at } => {
                work.trace_steps += 1;
                self.trace_back(space, goal, at);
            }
            DecisionStage::Done => {}
        }
    }

    /// Settles a state of one ball, or turns to what comes next.
    fn grow(&mut self, space: &GridSpace, network: &Network, goal: bool, limit: usize, work: &mut Work) {
        let side = usize::from(goal);
        let ball = &mut self.balls[side];
        // Without a node there is no way to go on by; then the ball grows until it meets the other.
        let is_done = ball.is_closed() || (ball.len() >= limit && !ball.access().is_empty());
        let settled = if is_done { None } else { ball.settle(space, Some(&network.nodes)) };
        let Some(place) = settled else {
            self.stage =
                if goal { DecisionStage::Merge { goal: false, next: 0 } } else { DecisionStage::Goal };
            if goal {
                self.hubs.clear();
                self.costs.clear();
            }
            return;
        };
        work.expansions += 1;
        let entry = ball.at(place);
        let (state, mut cost) = (entry.state, entry.cost);
        let is_end = self.ends.is_some_and(|ends| ends[1 - side] == state);
        if !is_end {
            let Some(other) = self.balls[1 - side].settled(space, state) else { return };
            cost = cost.saturating_add(self.balls[1 - side].at(other).cost);
        }
        if is_end {
            // What one ball has settled is exact, even if it costs as much as what is known.
            self.best = Some((cost, Best::Met(state)));
            self.stage = self.tracing(space, Best::Met(state));
        } else {
            self.offer(cost, Best::Met(state));
        }
    }

    fn offer(&mut self, cost: Cost, best: Best) {
        if self.best.is_none_or(|(known, _)| cost < known) {
            self.best = Some((cost, best));
        }
    }

    /// Takes the label of a node in account. How many hubs it has.
    fn merge(&mut self, network: &Network, goal: bool, place: u32) -> u64 {
        let entry = *self.balls[usize::from(goal)].at(place);
        let Some(node) = network.nodes.at(entry.state) else { return 0 };
        let (mut looked_up, mut better) = (0, None);
        network.labels.for_each(node, |rank, cost| {
            looked_up += 1;
            let cost = cost.saturating_add(entry.cost);
            if goal {
                if let Some(&(before, from)) =
                    self.hubs.get(rank.key()).and_then(|at| self.costs.get(at as usize))
                {
                    let sum = cost.saturating_add(before);
                    if better.is_none_or(|(known, _)| sum < known) {
                        better = Some((sum, from));
                    }
                }
                return;
            }
            let new = self.costs.len() as u32;
            match self.hubs.put_if_new(rank.key(), new) {
                at if at == new => self.costs.push((cost, place)),
                at => self.costs[at as usize] = self.costs[at as usize].min((cost, place)),
            }
        });
        if let Some((sum, from)) = better {
            let ends = self.balls[0].at(from).cost.saturating_add(entry.cost);
            self.offer(sum, Best::Over(from, place, sum.saturating_sub(ends)));
        }
        looked_up
    }

    /// All labels are merged: takes the best way, or looks farther.
    fn conclude(&mut self, space: &GridSpace) {
        let Some((cost, best)) = self.best else {
            self.stage = DecisionStage::Done;
            return;
        };
        let farthest = |ball: &Ball| ball.radius(usize::MAX).saturating_add(ball.width());
        let radius = farthest(&self.balls[0]).saturating_add(farthest(&self.balls[1]));
        let may_be_less = cost > radius && cost / 9 <= radius / 5;
        let are_open = !self.balls[0].is_closed() && !self.balls[1].is_closed();
        if may_be_less && are_open && !self.is_wide && self.halved == 0 {
            (self.is_wide, self.stage) = (true, DecisionStage::Start);
            return;
        }
        self.stage = self.tracing(space, best);
    }

    /// The stage in which the moves of a way are put together.
    fn tracing(&self, space: &GridSpace, best: Best) -> DecisionStage {
        let at = match best {
            Best::Met(state) => self.balls[0].settled(space, state),
            Best::Over(from, ..) => Some(from),
        };
        match at {
            Some(at) => DecisionStage::Trace { goal: false, at },
            // The start is in the goal's ball, and nothing of the way in its own.
            None => self.tracing_goal(space, best),
        }
    }

    fn tracing_goal(&self, space: &GridSpace, best: Best) -> DecisionStage {
        let at = match best {
            Best::Met(state) => self.balls[1].settled(space, state),
            Best::Over(_, to, _) => Some(to),
        };
        at.map_or(DecisionStage::Done, |at| DecisionStage::Trace { goal: true, at })
    }

    /// Goes one state back in a ball.
    fn trace_back(&mut self, space: &GridSpace, goal: bool, at: u32) {
        let ball = &self.balls[usize::from(goal)];
        let entry = ball.at(at);
        let Some((_, best)) = self.best else { return };
        if entry.parent != NONE {
            let towards = direction(space, entry.state, ball.at(entry.parent).state);
            match (goal, best) {
                (false, _) => self.trace.push(opposite(towards)),
                (true, Best::Met(_)) => self.first.push(towards),
                (true, Best::Over(..)) => self.last.push(towards),
            }
            self.stage = DecisionStage::Trace { goal, at: entry.parent };
        } else if goal {
            self.stage = DecisionStage::Done;
        } else {
            self.first = self.trace.iter().rev().copied().collect();
            self.stage = self.tracing_goal(space, best);
        }
    }
}
