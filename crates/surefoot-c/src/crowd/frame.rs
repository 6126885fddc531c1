//! Frames, and what happened in them.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::{FrameBudget, FrameReport, GroupId, KindId, UnitId};

use crate::border::Out;
use crate::handles::{Handle as _, SurefootCrowd};
use crate::problem::{Problem, SurefootResult, argument, done};
use crate::values::{SurefootCell, SurefootGroup, SurefootKind, SurefootUnit};

/// A budget of work that is as much as all units need.
pub const SUREFOOT_EVERYONE: u64 = u64::MAX;
/// A bound that is not known.
pub const SUREFOOT_UNKNOWN: u64 = u64::MAX;

/// What happened in a frame, in numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootFrameReport {
    /// The number of the frame, from 1.
    pub frame: u32,
    /// How many units got their turn.
    pub served: u32,
    /// How many wait for theirs.
    pub waiting: u32,
    /// How many frames the one waited that waited longest.
    pub longest_wait: u32,
    /// How many units took more than their share.
    pub overdrawn: u32,
    /// How many units were helped on by a search.
    pub relieved: u32,
    /// How many frames nobody waits longer than at this budget; SUREFOOT_UNKNOWN if that is not known.
    pub wait_bound: u64,
    /// The work of units and of upkeep together.
    pub work: u64,
    /// The part of it that kept databases up to date.
    pub upkeep: u64,
    /// How many units moved: `surefoot_crowd_moves` lists them.
    pub moves: u64,
    /// How many arrived: `surefoot_crowd_listed` lists these and the following four.
    pub arrived: u64,
    /// How many found that there is no way to their goal.
    pub unreachable: u64,
    /// How many had no way, and have one again.
    pub reachable: u64,
    /// How many wanted to move and could not, because others stand in the way.
    pub blocked: u64,
    /// How many lost the unit that they pursued.
    pub lost: u64,
    /// How many groups are all there: `surefoot_crowd_settled` lists them.
    pub settled: u64,
    /// How many kinds have what they need now: `surefoot_crowd_built` lists them.
    pub built: u64,
    /// How many kinds cannot be built in frames: `surefoot_crowd_not_built` lists them.
    pub not_built: u64,
}

/// A move of a unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootMove {
    /// Who moved.
    pub unit: SurefootUnit,
    /// Where it came from.
    pub from: SurefootCell,
    /// Where it went.
    pub to: SurefootCell,
}

/// Lists of units in a report.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurefootList {
    /// Who arrived.
    Arrived = 0,
    /// Who found that there is no way to its goal.
    Unreachable = 1,
    /// Who had no way, and has one again.
    Reachable = 2,
    /// Who wanted to move and could not, because others stand in the way.
    Blocked = 3,
    /// Who lost the unit that it pursued.
    Lost = 4,
}

impl From<&FrameReport> for SurefootFrameReport {
    fn from(report: &FrameReport) -> Self {
        let count = |length: usize| length as u64;
        Self {
            frame: report.frame,
            served: report.served,
            waiting: report.waiting,
            longest_wait: report.longest_wait,
            overdrawn: report.overdrawn,
            relieved: report.relieved,
            wait_bound: report.wait_bound.unwrap_or(SUREFOOT_UNKNOWN),
            work: report.work,
            upkeep: report.upkeep,
            moves: count(report.moves.len()),
            arrived: count(report.arrived.len()),
            unreachable: count(report.unreachable.len()),
            reachable: count(report.reachable.len()),
            blocked: count(report.blocked.len()),
            lost: count(report.lost.len()),
            settled: count(report.settled.len()),
            built: count(report.built.len()),
            not_built: count(report.not_built.len()),
        }
    }
}

/// Lets all units walk for a frame, with so much work for all of them together; SUREFOOT_EVERYONE is as much
/// as they need. The same numbers lead to the same moves on all machines. `report` says what happened, or is
/// NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_frame(
    crowd: SurefootCrowd,
    work: u64,
    report: Out<SurefootFrameReport>,
) -> SurefootResult {
    done(|| {
        let place = report.maybe("report")?;
        let budget = if work == SUREFOOT_EVERYONE { FrameBudget::Everyone } else { FrameBudget::Work(work) };
        crowd.write(|crowd| place.answer((&*crowd.crowd.frame(budget)).into()))
    })
}

/// Writes some values of the last report, and how many there are.
fn list<T: Copy>(
    crowd: SurefootCrowd,
    (values, capacity, count): (Out<T>, usize, Out<usize>),
    of: impl FnOnce(&FrameReport) -> Vec<T>,
) -> SurefootResult {
    done(|| {
        let (values, count) = (values.room(capacity, "the list")?, count.maybe("count")?);
        let all = crowd.read(|crowd| Ok(of(crowd.crowd.report())))?;
        count.put(values.put_all(all));
        Ok(())
    })
}

/// Copies the moves of the last frame to where there is room for `capacity` of them. `count` is how many
/// there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_moves(
    crowd: SurefootCrowd,
    moves: Out<SurefootMove>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    list(crowd, (moves, capacity, count), |report| {
        let moves = report.moves.iter();
        moves
            .map(|step| SurefootMove {
                unit: step.unit.to_bits(),
                from: step.from.into(),
                to: step.to.into(),
            })
            .collect()
    })
}

/// Copies a list of units of the last frame, one of SurefootList, to where there is room for `capacity` of
/// them. `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_listed(
    crowd: SurefootCrowd,
    which: i32,
    units: Out<SurefootUnit>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    let choose = |report: &FrameReport| -> Result<Vec<u64>, Problem> {
        let units = match which {
            0 => &report.arrived,
            1 => &report.unreachable,
            2 => &report.reachable,
            3 => &report.blocked,
            4 => &report.lost,
            other => return Err(argument(format!("there is no list {other}; take one of SurefootList"))),
        };
        Ok(units.iter().copied().map(UnitId::to_bits).collect())
    };
    done(|| {
        let (units, count) = (units.room(capacity, "units")?, count.maybe("count")?);
        let all = crowd.read(|crowd| choose(crowd.crowd.report()))?;
        count.put(units.put_all(all));
        Ok(())
    })
}

/// Copies the groups that were all there after the last frame to where there is room for `capacity` of them.
/// `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_settled(
    crowd: SurefootCrowd,
    groups: Out<SurefootGroup>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    list(crowd, (groups, capacity, count), |report| {
        report.settled.iter().copied().map(GroupId::to_bits).collect()
    })
}

/// Copies the kinds that got what they need in the last frame to where there is room for `capacity` of them.
/// `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_built(
    crowd: SurefootCrowd,
    kinds: Out<SurefootKind>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    list(crowd, (kinds, capacity, count), |report| {
        report.built.iter().copied().map(KindId::to_bits).collect()
    })
}

/// Copies the kinds that the last frame found cannot be built in frames to where there is room for `capacity`
/// of them. `count` is how many there are, or NULL. Their units go on by a search; `surefoot_crowd_build`
/// builds what they need.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_not_built(
    crowd: SurefootCrowd,
    kinds: Out<SurefootKind>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    list(crowd, (kinds, capacity, count), |report| {
        report.not_built.iter().copied().map(KindId::to_bits).collect()
    })
}
