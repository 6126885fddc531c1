//! What can be asked of a crowd.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::{GroupId, UnitId, UnitStatus};

use super::Crowd;
use crate::border::{In, Out};
use crate::handles::{Handle as _, SurefootCrowd};
use crate::problem::{Problem, SurefootResult, done};
use crate::values::{
    self, SurefootCell, SurefootGroup, SurefootKind, SurefootPoint, SurefootStatus, SurefootUnit,
};

/// No unit.
pub const SUREFOOT_NO_UNIT: u64 = u64::MAX;
/// No group.
pub const SUREFOOT_NO_GROUP: u32 = u32::MAX;

/// How many units there are.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_size(crowd: SurefootCrowd, units: Out<u64>) -> SurefootResult {
    done(|| {
        let units = units.place("units")?;
        crowd.read(|crowd| units.answer(crowd.crowd.len()))
    })
}

/// Copies all units, in an order that stays the same until one is added or removed, to where there is room
/// for `capacity` of them. `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_units(
    crowd: SurefootCrowd,
    units: Out<SurefootUnit>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (units, count) = (units.room(capacity, "units")?, count.maybe("count")?);
        crowd.read(|crowd| count.answer(units.put_all(crowd.crowd.units().map(UnitId::to_bits))))
    })
}

/// Copies the cells that `count` units stand on. There has to be room for as many `cells`.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_positions(
    crowd: SurefootCrowd,
    units: In<SurefootUnit>,
    count: usize,
    cells: Out<SurefootCell>,
) -> SurefootResult {
    done(|| {
        let place = cells.room(count, "cells")?;
        let units = values::units(units.list(count, "units")?)?;
        let cells = crowd.read(|Crowd { crowd, .. }| {
            units
                .into_iter()
                .map(|unit| Ok(crowd.position(unit)?.into()))
                .collect::<Result<Vec<_>, Problem>>()
        })?;
        place.put_all(cells);
        Ok(())
    })
}

/// Copies where to draw `count` units, between two cells where a unit has a speed. There has to be room for
/// as many `points`.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_points(
    crowd: SurefootCrowd,
    units: In<SurefootUnit>,
    count: usize,
    points: Out<SurefootPoint>,
) -> SurefootResult {
    done(|| {
        let place = points.room(count, "points")?;
        let units = values::units(units.list(count, "units")?)?;
        let points = crowd.read(|Crowd { crowd, .. }| {
            let point = |unit| {
                let (x, y) = crowd.progress(unit)?.point();
                Ok(SurefootPoint { x, y })
            };
            units.into_iter().map(point).collect::<Result<Vec<_>, Problem>>()
        })?;
        place.put_all(points);
        Ok(())
    })
}

/// The cell that a unit stands on.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_position(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    cell: Out<SurefootCell>,
) -> SurefootResult {
    done(|| {
        let (cell, unit) = (cell.place("cell")?, values::unit(unit)?);
        crowd.read(|crowd| cell.answer(crowd.crowd.position(unit)?.into()))
    })
}

/// Where a unit is to go.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_goal(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    cell: Out<SurefootCell>,
) -> SurefootResult {
    done(|| {
        let (cell, unit) = (cell.place("cell")?, values::unit(unit)?);
        crowd.read(|crowd| cell.answer(crowd.crowd.goal(unit)?.into()))
    })
}

/// How a unit fares.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_status(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    status: Out<SurefootStatus>,
) -> SurefootResult {
    done(|| {
        let (status, unit) = (status.place("status")?, values::unit(unit)?);
        crowd.read(|crowd| {
            status.put(match crowd.crowd.status(unit)? {
                UnitStatus::Arrived => SurefootStatus::Arrived,
                UnitStatus::Unreachable => SurefootStatus::Unreachable,
                UnitStatus::Stuck => SurefootStatus::Stuck,
                // The library may tell more apart one day; whoever is none of the others is on its way.
                _ => SurefootStatus::Walking,
            });
            Ok(())
        })
    })
}

/// Which kind a unit is of.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_kind_of(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    kind: Out<SurefootKind>,
) -> SurefootResult {
    done(|| {
        let (kind, unit) = (kind.place("kind")?, values::unit(unit)?);
        crowd.read(|crowd| kind.answer(crowd.crowd.kind_of(unit)?.to_bits()))
    })
}

/// Which unit a unit pursues; SUREFOOT_NO_UNIT if none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_target(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    target: Out<SurefootUnit>,
) -> SurefootResult {
    done(|| {
        let (target, unit) = (target.place("target")?, values::unit(unit)?);
        let of = |found: Option<UnitId>| found.map_or(SUREFOOT_NO_UNIT, UnitId::to_bits);
        crowd.read(|crowd| target.answer(of(crowd.crowd.target(unit)?)))
    })
}

/// Which group a unit was sent with; SUREFOOT_NO_GROUP if none, or if it was told otherwise since.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_group_of(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    group: Out<SurefootGroup>,
) -> SurefootResult {
    done(|| {
        let (group, unit) = (group.place("group")?, values::unit(unit)?);
        let of = |found: Option<GroupId>| found.map_or(SUREFOOT_NO_GROUP, GroupId::to_bits);
        crowd.read(|crowd| group.answer(of(crowd.crowd.group_of(unit)?)))
    })
}

/// Copies the units of a group to where there is room for `capacity` of them. `count` is how many there are,
/// or NULL. A group that there is none of has no units.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_members(
    crowd: SurefootCrowd,
    group: SurefootGroup,
    units: Out<SurefootUnit>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (units, count) = (units.room(capacity, "units")?, count.maybe("count")?);
        let group = GroupId::from_bits(group);
        crowd.read(|crowd| count.answer(units.put_all(crowd.crowd.members(group).map(UnitId::to_bits))))
    })
}

/// Whether a cell of the map can be walked on as it is now: 1 or 0. What is no cell of the map cannot. A kind
/// whose units are large may need more room.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_is_free(
    crowd: SurefootCrowd,
    cell: SurefootCell,
    is_free: Out<i32>,
) -> SurefootResult {
    done(|| {
        let is_free = is_free.place("is_free")?;
        crowd.read(|crowd| is_free.answer(i32::from(crowd.crowd.map().is_free(cell.into()))))
    })
}

/// What ground costs units of a kind in a cell: its weight; 1 if their ground has none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_weight(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    cell: SurefootCell,
    weight: Out<u8>,
) -> SurefootResult {
    done(|| {
        let (weight, kind) = (weight.place("weight")?, values::kind(kind)?);
        crowd.read(|crowd| weight.answer(crowd.crowd.weight(kind, cell.into())?))
    })
}

/// The bytes of what all units share, of what is kept of edits for `surefoot_crowd_save`, and of each unit.
/// Any of the places may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_memory(
    crowd: SurefootCrowd,
    shared: Out<u64>,
    of_edits: Out<u64>,
    per_unit: Out<u64>,
) -> SurefootResult {
    done(|| {
        let (shared, of_edits) = (shared.maybe("shared")?, of_edits.maybe("of_edits")?);
        let per_unit = per_unit.maybe("per_unit")?;
        let memory = crowd.read(|crowd| Ok(crowd.crowd.memory()))?;
        shared.put(memory.shared_bytes);
        of_edits.put(memory.log_bytes);
        per_unit.answer(memory.bytes_per_unit)
    })
}
