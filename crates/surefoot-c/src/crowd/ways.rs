//! Ways of a crowd: what a unit has before it, and what ways cost units of a kind.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::Cell;

use crate::border::{In, Out};
use crate::handles::{Handle as _, SurefootCrowd, SurefootPath};
use crate::problem::{SurefootResult, call, done};
use crate::values::{self, SurefootCell, SurefootKind, SurefootUnit, number, way};

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

/// A path that units of a kind could take from one cell to another, for you to free. SUREFOOT_NO_WAY and no
/// path if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_path_between(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    start: SurefootCell,
    goal: SurefootCell,
    path: Out<SurefootPath>,
) -> SurefootResult {
    call(|| {
        let place = path.place("path")?;
        place.put(SurefootPath::NONE);
        let kind = values::kind(kind)?;
        let Some(path) = crowd.read(|crowd| Ok(crowd.crowd.path_between(kind, start, goal)?))? else {
            return Ok(SurefootResult::SurefootNoWay);
        };
        place.put(SurefootPath::of(path)?);
        Ok(SurefootResult::SurefootOk)
    })
}

/// What ways from one cell to `count` others cost units of a kind, in their order; infinity for those that
/// there is no way to. There has to be room for as many `costs`.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_costs(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    start: SurefootCell,
    goals: In<SurefootCell>,
    count: usize,
    costs: Out<f64>,
) -> SurefootResult {
    done(|| {
        let (place, kind) = (costs.room(count, "costs")?, values::kind(kind)?);
        let goals = goals.list(count, "goals")?;
        let costs = crowd.read(|crowd| Ok(crowd.crowd.costs(kind, start, goals)?))?;
        place.put_all(costs.into_iter().map(number));
        Ok(())
    })
}

/// The place among `count` goals of the one that is nearest by way for units of a kind, counted from 0; of
/// equally near ones the first. `cost` is what the way costs, or NULL. SUREFOOT_NO_WAY if there is no way to
/// any of them.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_nearest_of(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    start: SurefootCell,
    goals: In<SurefootCell>,
    count: usize,
    nearest: Out<usize>,
    cost: Out<f64>,
) -> SurefootResult {
    call(|| {
        let (place, cost) = (nearest.place("nearest")?, cost.maybe("cost")?);
        let kind = values::kind(kind)?;
        let goals = goals.list(count, "goals")?.into_iter().map(Cell::from);
        let nearest = crowd.read(|crowd| Ok(crowd.crowd.nearest_of(kind, start, goals)?))?;
        if let Some((at, of)) = nearest {
            place.put(at);
            cost.put(of.to_f64());
        }
        Ok(way(nearest.as_ref()))
    })
}
