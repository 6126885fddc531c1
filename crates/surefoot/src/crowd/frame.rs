//! A frame: what it may take, and what came of it.

use alloc::vec::Vec;
use core::fmt;

use super::{GroupId, KindId, UnitId};
use crate::space::{Cell, State};

/// What all units together may plan in a frame.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum FrameBudget<'a> {
    /// A move for everyone.
    #[default]
    Everyone,
    /// So much [work](crate::search::Work::total). What comes of it is the same on every machine and with any
    /// number of threads.
    Work(u64),
    /// As long as this says that there is time left. It is asked before every few units, by all threads. In
    /// each frame some units are served even if there is no time at all.
    Time(&'a (dyn Fn() -> bool + Sync)),
}

impl fmt::Debug for FrameBudget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everyone => f.write_str("Everyone"),
            Self::Work(work) => write!(f, "Work({work})"),
            Self::Time(_) => f.write_str("Time"),
        }
    }
}

/// A unit went from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who.
    pub unit: UnitId,
    /// Where from.
    pub from: Cell,
    /// Where to.
    pub to: Cell,
}

/// A move as lanes know it: cells are found out once it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proposal {
    pub(super) unit: UnitId,
    pub(super) from: State,
    pub(super) to: State,
}

/// What happened in a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameReport {
    /// Which frame it was, counted from 1.
    pub frame: u32,
    /// The moves that were made.
    pub moves: Vec<Move>,
    /// Units that got to their goals.
    pub arrived: Vec<UnitId>,
    /// Units that found that there is no way to their goals.
    pub unreachable: Vec<UnitId>,
    /// Units that had no way to their goals, and have one now.
    pub reachable: Vec<UnitId>,
    /// Units that have been in each other's way for too long, and units whose algorithm does not know how to
    /// go on.
    pub blocked: Vec<UnitId>,
    /// Groups of which nobody is on the way any more. That is seen within 8 frames.
    pub settled: Vec<GroupId>,
    /// Pursuers whose targets were removed.
    pub lost: Vec<UnitId>,
    /// Kinds whose databases were built in frames, and are there now.
    pub built: Vec<KindId>,
    /// Kinds whose builds in frames were given up, because hub labels would be too large for the map. Built
    /// on a thread ([`Crowd::build_of`](super::Crowd::build_of)), transit nodes take their place.
    pub not_built: Vec<KindId>,
    /// How many units planned.
    pub served: u32,
    /// How many would have, if there had been work or time left.
    pub waiting: u32,
    /// For how many frames in a row the unit that waited longest has waited, of all that were served or still
    /// wait. It counts to 65,535.
    pub longest_wait: u32,
    /// The most frames that a unit that waits now will have waited when it is served. If nobody waits any
    /// more, it is the longest wait. It holds unless budgets become smaller, units are added or removed,
    /// goals are given, the map is edited, or a kind gets its database. `None` if there is no bound, because
    /// an algorithm has none.
    pub wait_bound: Option<u64>,
    /// The work that units did.
    pub work: u64,
    /// The work on databases, after edits and on what could wait. It is paid from this frame's budget and the
    /// next ones', half of each at most.
    pub upkeep: u64,
    /// Units that did more work than their algorithm says it can take: a mistake of the algorithm's.
    pub overdrawn: u32,
    /// Units that had learned as much as they may, and now go on by other means.
    pub relieved: u32,
}

impl FrameReport {
    /// An empty report of a frame, with the memory of the last one.
    pub(super) fn begin(&mut self, frame: u32) {
        let Self { moves, arrived, unreachable, reachable, blocked, lost, settled, built, not_built, .. } =
            self;
        moves.clear();
        settled.clear();
        [built, not_built].into_iter().for_each(Vec::clear);
        for list in [arrived, unreachable, reachable, blocked, lost] {
            list.clear();
        }
        (self.frame, self.served, self.waiting, self.longest_wait) = (frame, 0, 0, 0);
        (self.work, self.upkeep, self.overdrawn, self.relieved) = (0, 0, 0, 0);
        self.wait_bound = Some(0);
    }

    /// Adds what happened in one lane. What happened before lanes are served is here already.
    pub(super) fn add(&mut self, lane: &Self, made: &[Proposal], cell: impl Fn(State) -> Cell) {
        self.moves.extend(made.iter().map(|&Proposal { unit, from, to }| {
            let (from, to) = (cell(from), cell(to));
            Move { unit, from, to }
        }));
        self.arrived.extend_from_slice(&lane.arrived);
        self.unreachable.extend_from_slice(&lane.unreachable);
        self.blocked.extend_from_slice(&lane.blocked);
        self.served += lane.served;
        self.waiting += lane.waiting;
        self.longest_wait = self.longest_wait.max(lane.longest_wait);
        let bounds = self.wait_bound.zip(lane.wait_bound);
        self.wait_bound = bounds.map(|(known, bound)| known.max(bound).max(u64::from(lane.longest_wait)));
        self.work += lane.work;
        self.overdrawn += lane.overdrawn;
        self.relieved += lane.relieved;
    }
}
