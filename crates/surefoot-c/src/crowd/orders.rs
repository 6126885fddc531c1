//! Units, and what they are told.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::Speed;

use super::Crowd;
use crate::border::{In, Out};
use crate::handles::{Handle as _, SurefootCrowd};
use crate::problem::{SurefootResult, argument, done};
use crate::values::{self, SurefootCell, SurefootGroup, SurefootKind, SurefootUnit};

/// Adds a unit of a kind at one cell, on its way to another. `priority` is one of SurefootPriority.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_add(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    start: SurefootCell,
    goal: SurefootCell,
    priority: i32,
    unit: Out<SurefootUnit>,
) -> SurefootResult {
    done(|| {
        let unit = unit.place("unit")?;
        let (kind, priority) = (values::kind(kind)?, values::priority(priority)?);
        crowd.write(|crowd| {
            unit.put(crowd.crowd.add(kind, start.into(), goal.into(), priority)?.to_bits());
            Ok(())
        })
    })
}

/// Adds `count` units, each at one of the starts and on its way to the goal in the same place of the other
/// list. There has to be room for as many `units`. If one of them cannot be added, none is.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_add_many(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    starts: In<SurefootCell>,
    goals: In<SurefootCell>,
    count: usize,
    priority: i32,
    units: Out<SurefootUnit>,
) -> SurefootResult {
    done(|| {
        let place = units.room(count, "units")?;
        let (kind, priority) = (values::kind(kind)?, values::priority(priority)?);
        let (starts, goals) = (starts.list(count, "starts")?, goals.list(count, "goals")?);
        crowd.write(|Crowd { crowd, .. }| {
            let mut added = Vec::with_capacity(count);
            for (&start, &goal) in starts.iter().zip(&goals) {
                match crowd.add(kind, start.into(), goal.into(), priority) {
                    Ok(unit) => added.push(unit),
                    Err(error) => {
                        for unit in added {
                            crowd.remove(unit)?;
                        }
                        return Err(error.into());
                    }
                }
            }
            place.put_all(added.into_iter().map(surefoot::UnitId::to_bits));
            Ok(())
        })
    })
}

/// Removes a unit.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_remove(crowd: SurefootCrowd, unit: SurefootUnit) -> SurefootResult {
    done(|| {
        let unit = values::unit(unit)?;
        crowd.write(|crowd| Ok(crowd.crowd.remove(unit)?))
    })
}

/// Sends `count` units to one place, and gives the group that they are now, if `group` is not NULL. They
/// spread over the free cells around it.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_send(
    crowd: SurefootCrowd,
    units: In<SurefootUnit>,
    count: usize,
    goal: SurefootCell,
    group: Out<SurefootGroup>,
) -> SurefootResult {
    done(|| {
        let group = group.maybe("group")?;
        let units = values::units(units.list(count, "units")?)?;
        crowd.write(|crowd| group.answer(crowd.crowd.send(units, goal)?.to_bits()))
    })
}

/// Gives a unit another goal.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_set_goal(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    goal: SurefootCell,
) -> SurefootResult {
    done(|| {
        let unit = values::unit(unit)?;
        crowd.write(|crowd| Ok(crowd.crowd.set_goal(unit, goal.into())?))
    })
}

/// Gives a unit another goal, or if it cannot get there, because that is blocked, outside the map or shut
/// off, the nearest cell that it can get to. `nearest` is the one that it heads for, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_set_goal_or_nearest(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    goal: SurefootCell,
    nearest: Out<SurefootCell>,
) -> SurefootResult {
    done(|| {
        let (nearest, unit) = (nearest.maybe("nearest")?, values::unit(unit)?);
        crowd.write(|crowd| nearest.answer(crowd.crowd.set_goal_or_nearest(unit, goal.into())?.into()))
    })
}

/// Lets a unit pursue another, wherever it goes.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_pursue(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    target: SurefootUnit,
) -> SurefootResult {
    done(|| {
        let (unit, target) = (values::unit(unit)?, values::unit(target)?);
        crowd.write(|crowd| Ok(crowd.crowd.pursue(unit, target)?))
    })
}

/// Stops a unit where it is.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_stop(crowd: SurefootCrowd, unit: SurefootUnit) -> SurefootResult {
    done(|| {
        let unit = values::unit(unit)?;
        crowd.write(|crowd| Ok(crowd.crowd.stop(unit)?))
    })
}

/// Puts a unit on another cell.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_place(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    cell: SurefootCell,
) -> SurefootResult {
    done(|| {
        let unit = values::unit(unit)?;
        crowd.write(|crowd| Ok(crowd.crowd.place(unit, cell)?))
    })
}

/// Puts every unit that stands on blocked ground, because something was built there, on the nearest cell that
/// it can stand on. Copies who they are to where there is room for `capacity` of them. `count` is how many
/// there are, or NULL. A unit that there is no room for stays.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_push_out(
    crowd: SurefootCrowd,
    units: Out<SurefootUnit>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (units, count) = (units.room(capacity, "units")?, count.maybe("count")?);
        let put = crowd.write(|crowd| Ok(crowd.crowd.push_out()))?;
        count.answer(units.put_all(put.into_iter().map(|(unit, _)| unit.to_bits())))
    })
}

/// Says who is served first: one of SurefootPriority.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_set_priority(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    priority: i32,
) -> SurefootResult {
    done(|| {
        let (unit, priority) = (values::unit(unit)?, values::priority(priority)?);
        crowd.write(|crowd| Ok(crowd.crowd.set_priority(unit, priority)?))
    })
}

/// Lets a unit cover so many cells in so many frames: 1, 2 is half a cell a frame. 0, 0 is one move a frame,
/// straight or diagonal, as at first.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_set_speed(
    crowd: SurefootCrowd,
    unit: SurefootUnit,
    cells: u32,
    frames: u32,
) -> SurefootResult {
    done(|| {
        let unit = values::unit(unit)?;
        let speed = match (cells, frames) {
            (0, 0) => Speed::MOVE_A_FRAME,
            (_, 0) => {
                return Err(argument("no unit gets anywhere in 0 frames; give cells and frames, as in 1, 2"));
            }
            (cells, frames) => Speed::new(cells, frames),
        };
        crowd.write(|crowd| Ok(crowd.crowd.set_speed(unit, speed)?))
    })
}
