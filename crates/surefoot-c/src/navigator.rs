//! Navigators.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use core::ffi::c_void;

use surefoot::{Cell, Navigator};

use crate::border::{In, Out, SurefootProgress, Text, tell};
use crate::handles::{Handle as _, SurefootBytes, SurefootMap, SurefootNavigator, SurefootPath};
use crate::problem::{Problem, SurefootResult, call, done};
use crate::values::{self, SurefootCell, number, way};

/// A new handle at a place, and none if that does not work.
fn give(
    navigator: Out<SurefootNavigator>,
    make: impl FnOnce() -> Result<Navigator, Problem>,
) -> SurefootResult {
    done(|| {
        let place = navigator.place("navigator")?;
        place.put(SurefootNavigator::NONE);
        place.put(SurefootNavigator::of(make()?)?);
        Ok(())
    })
}

/// Computes what paths need. On large maps that takes a while: `progress` hears how far it is, and can cancel
/// it. It may be NULL. No handle is in use meanwhile, so the map may be changed or freed.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_build(
    map: SurefootMap,
    progress: SurefootProgress,
    user: *mut c_void,
    navigator: Out<SurefootNavigator>,
) -> SurefootResult {
    give(navigator, || {
        let map = map.copied()?;
        Ok(map.navigator_builder().with_progress(|event| tell(progress, user, &event)).build()?)
    })
}

/// Opens the navigator that `surefoot_navigator_save` or the program `surefoot build` wrote for the same map,
/// here or on any other machine.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_open(
    map: SurefootMap,
    file: Text,
    navigator: Out<SurefootNavigator>,
) -> SurefootResult {
    give(navigator, || Ok(Navigator::open(&map.copied()?, file.read("file")?)?))
}

/// Opens a navigator from the bytes that `surefoot_navigator_to_bytes` gave for the same map.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_from_bytes(
    map: SurefootMap,
    bytes: In<u8>,
    size: usize,
    navigator: Out<SurefootNavigator>,
) -> SurefootResult {
    give(navigator, || Ok(Navigator::from_bytes(&map.copied()?, &bytes.list(size, "bytes")?)?))
}

/// Makes a copy. It costs nothing: what was computed is shared. Threads that ask much had better have one
/// each, and whoever edits one goes on asking the other.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_copy(
    navigator: SurefootNavigator,
    copy: Out<SurefootNavigator>,
) -> SurefootResult {
    give(copy, || navigator.copied())
}

/// Frees a navigator. Walkers and paths that it gave stay.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_free(navigator: SurefootNavigator) -> SurefootResult {
    navigator.free()
}

/// Saves a navigator to a file, whole or not at all. The map is not in the file.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_save(navigator: SurefootNavigator, file: Text) -> SurefootResult {
    done(|| Ok(navigator.copied()?.save(file.read("file")?)?))
}

/// The navigator as bytes, the same as on any other machine. The map is not in them. Free them with
/// `surefoot_bytes_free`.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_to_bytes(
    navigator: SurefootNavigator,
    bytes: Out<SurefootBytes>,
) -> SurefootResult {
    done(|| {
        let place = bytes.place("bytes")?;
        place.put(SurefootBytes::NONE);
        place.put(SurefootBytes::of(navigator.copied()?.to_bytes()?)?);
        Ok(())
    })
}

/// The map as the navigator knows it, for you to free.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_map(
    navigator: SurefootNavigator,
    map: Out<SurefootMap>,
) -> SurefootResult {
    done(|| {
        let place = map.place("map")?;
        place.put(SurefootMap::NONE);
        place.put(SurefootMap::of(navigator.copied()?.map().clone())?);
        Ok(())
    })
}

/// Whether all paths and walks are cheapest ones: 1 or 0. That is so unless ground has weights or the map is
/// very cluttered; then they seldom cost more than a few percent more.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_is_exact(
    navigator: SurefootNavigator,
    is_exact: Out<i32>,
) -> SurefootResult {
    done(|| {
        let is_exact = is_exact.place("is_exact")?;
        navigator.read(|navigator| is_exact.answer(i32::from(navigator.is_exact())))
    })
}

/// The bytes of all that was computed for the map.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_memory(navigator: SurefootNavigator, bytes: Out<u64>) -> SurefootResult {
    done(|| {
        let bytes = bytes.place("bytes")?;
        navigator.read(|navigator| bytes.answer(navigator.memory_bytes() as u64))
    })
}

/// Frees some cells, or blocks them if `free` is 0, and brings the navigator up to date. Walkers on their way
/// are told by `surefoot_walker_follow`. Questions wait meanwhile, which can be as long as a build on large
/// cluttered maps: edit a copy if that is too long.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_set_cells(
    navigator: SurefootNavigator,
    cells: In<SurefootCell>,
    count: usize,
    free: i32,
) -> SurefootResult {
    done(|| {
        let cells = cells.list(count, "cells")?;
        let edits = cells.into_iter().map(|cell| values::edit(cell, free));
        navigator.write(|navigator| Ok(navigator.edit(edits)?))
    })
}

/// Gives some cells of a map with weights another one, 1 to 255, and brings the navigator up to date.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_set_weights(
    navigator: SurefootNavigator,
    cells: In<SurefootCell>,
    count: usize,
    weight: u8,
) -> SurefootResult {
    done(|| {
        let cells = cells.list(count, "cells")?;
        let edits = cells.into_iter().map(|cell| values::weigh(cell, weight));
        navigator.write(|navigator| Ok(navigator.edit(edits)?))
    })
}

/// Finds a path from one cell to another, for you to free. SUREFOOT_NO_WAY and no path if there is no way.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_path(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goal: SurefootCell,
    path: Out<SurefootPath>,
) -> SurefootResult {
    call(|| {
        let place = path.place("path")?;
        place.put(SurefootPath::NONE);
        let Some(path) = navigator.read(|navigator| Ok(navigator.path(start, goal)?))? else {
            return Ok(SurefootResult::SurefootNoWay);
        };
        place.put(SurefootPath::of(path)?);
        Ok(SurefootResult::SurefootOk)
    })
}

/// Copies the start, the cells where a path turns, and the goal, to where there is room for `capacity` of
/// them: what `surefoot_path_turning_points` gives, without a path to free, and in less time. `count` is how
/// many there are, `cost` what the path costs; both may be NULL. SUREFOOT_NO_WAY and none if there is no way.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_turning_points(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goal: SurefootCell,
    cells: Out<SurefootCell>,
    capacity: usize,
    count: Out<usize>,
    cost: Out<f64>,
) -> SurefootResult {
    call(|| {
        let (cells, count) = (cells.room(capacity, "cells")?, count.maybe("count")?);
        let cost = cost.maybe("cost")?;
        let mut points = Vec::new();
        let found = navigator.read(|navigator| Ok(navigator.turning_points(start, goal, &mut points)?))?;
        count.put(cells.put_all(points.into_iter().map(Into::into)));
        cost.put(number(found));
        Ok(way(found.as_ref()))
    })
}

/// Copies a path of this navigator pulled tight, at any angle, to where there is room for `capacity` points:
/// straight lines for a unit that is drawn between cells, up to the first link. `count` is how many there
/// are, or NULL. It fails if the path cannot be walked here: it is of another map, or of before an edit.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_smooth(
    navigator: SurefootNavigator,
    path: SurefootPath,
    cells: Out<SurefootCell>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (cells, count) = (cells.room(capacity, "cells")?, count.maybe("count")?);
        let path = path.copied()?;
        let smooth = navigator.read(|navigator| Ok(navigator.smooth(&path)?))?;
        count.answer(cells.put_all(smooth.points().iter().map(|&cell| cell.into())))
    })
}

/// What a path from one cell to another costs. SUREFOOT_NO_WAY and infinity if there is no way.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_cost(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goal: SurefootCell,
    cost: Out<f64>,
) -> SurefootResult {
    call(|| {
        let place = cost.place("cost")?;
        let cost = navigator.read(|navigator| Ok(navigator.cost(start, goal)?))?;
        place.put(number(cost));
        Ok(way(cost.as_ref()))
    })
}

/// What paths from one cell to `count` others cost, in their order; infinity for those that there is no way
/// to. There has to be room for as many `costs`.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_costs(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goals: In<SurefootCell>,
    count: usize,
    costs: Out<f64>,
) -> SurefootResult {
    done(|| {
        let place = costs.room(count, "costs")?;
        let goals = goals.list(count, "goals")?;
        let costs = navigator.read(|navigator| Ok(navigator.costs(start, goals)?))?;
        place.put_all(costs.into_iter().map(number));
        Ok(())
    })
}

/// Whether there is a way from one cell to another: 1 or 0. Nothing is searched for that.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_reachable(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goal: SurefootCell,
    is_reachable: Out<i32>,
) -> SurefootResult {
    done(|| {
        let place = is_reachable.place("is_reachable")?;
        let is_reachable = navigator.read(|navigator| Ok(navigator.reachable(start, goal)?))?;
        place.put(i32::from(is_reachable));
        Ok(())
    })
}

/// The place among `count` goals of the one that is nearest by way, counted from 0; of equally near ones the
/// first. `cost` is what the way costs, or NULL. SUREFOOT_NO_WAY if there is no way to any of them.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_navigator_nearest_of(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goals: In<SurefootCell>,
    count: usize,
    nearest: Out<usize>,
    cost: Out<f64>,
) -> SurefootResult {
    call(|| {
        let (place, cost) = (nearest.place("nearest")?, cost.maybe("cost")?);
        let goals = goals.list(count, "goals")?.into_iter().map(Cell::from);
        let nearest = navigator.read(|navigator| Ok(navigator.nearest_of(start, goals)?))?;
        if let Some((at, of)) = nearest {
            place.put(at);
            cost.put(of.to_f64());
        }
        Ok(way(nearest.as_ref()))
    })
}
