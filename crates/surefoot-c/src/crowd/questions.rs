//! What can be asked of a crowd.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::UnitStatus;

use super::Crowd;
use crate::border::{In, Out};
use crate::handles::{Handle as _, SurefootCrowd, SurefootPath};
use crate::problem::{Problem, SurefootResult, call, done};
use crate::values::{
    self, SurefootCell, SurefootKind, SurefootPoint, SurefootStatus, SurefootUnit, number, way,
};

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
        crowd.read(|crowd| count.answer(units.put_all(crowd.crowd.units().map(surefoot::UnitId::to_bits))))
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

/// The way that is left to a unit, for you to free. SUREFOOT_NO_WAY and no path if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_path(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    path: Out<SurefootPath>,
) -> SurefootResult {
    call(|| {
        let place = path.place("path")?;
        place.put(SurefootPath::NONE);
        let unit = values::unit(unit)?;
        let Some(path) = crowd.read(|crowd| Ok(crowd.crowd.path(unit)?))? else {
            return Ok(SurefootResult::SurefootNoWay);
        };
        place.put(SurefootPath::of(path)?);
        Ok(SurefootResult::SurefootOk)
    })
}

/// What the way costs that is left to a unit. SUREFOOT_NO_WAY and infinity if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_cost_left(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    cost: Out<f64>,
) -> SurefootResult {
    call(|| {
        let (place, unit) = (cost.place("cost")?, values::unit(unit)?);
        let cost = crowd.read(|crowd| Ok(crowd.crowd.cost_left(unit)?))?;
        place.put(number(cost));
        Ok(way(cost.as_ref()))
    })
}

/// What a way from one cell to another costs units of a kind. SUREFOOT_NO_WAY and infinity if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_cost(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    start: SurefootCell,
    goal: SurefootCell,
    cost: Out<f64>,
) -> SurefootResult {
    call(|| {
        let (place, kind) = (cost.place("cost")?, values::kind(kind)?);
        let cost = crowd.read(|crowd| Ok(crowd.crowd.cost(kind, start, goal)?))?;
        place.put(number(cost));
        Ok(way(cost.as_ref()))
    })
}

/// Whether units of a kind can get from one cell to another: 1 or 0.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_reachable(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    start: SurefootCell,
    goal: SurefootCell,
    is_reachable: Out<i32>,
) -> SurefootResult {
    done(|| {
        let (place, kind) = (is_reachable.place("is_reachable")?, values::kind(kind)?);
        crowd.read(|crowd| place.answer(i32::from(crowd.crowd.reachable(kind, start, goal)?)))
    })
}
