//! Maps.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::space::{CellWeights, Link};
use surefoot::{Cell, Map};

use crate::border::{In, Out, Text};
use crate::handles::{Handle as _, SurefootMap};
use crate::problem::{Problem, SurefootResult, argument, call, done};
use crate::values::{self, SurefootCell, SurefootLink};

/// A new handle at a place, and none if that does not work.
fn give(map: Out<SurefootMap>, make: impl FnOnce() -> Result<Map, Problem>) -> SurefootResult {
    done(|| {
        let place = map.place("map")?;
        place.put(SurefootMap::NONE);
        place.put(SurefootMap::of(make()?)?);
        Ok(())
    })
}

/// Makes a map of one byte a cell, row after row: what is not 0 is free. `count` is width times height.
///
/// Unless something else is said, units move in eight directions and do not cut corners, a straight move
/// costs 1 and a diagonal one the square root of 2.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_new(
    cells: In<u8>,
    count: usize,
    width: u32,
    height: u32,
    map: Out<SurefootMap>,
) -> SurefootResult {
    give(map, || {
        if u64::from(width) * u64::from(height) != count as u64 {
            let words = format!("{count} values do not make a map of {width} x {height} cells");
            return Err(argument(words));
        }
        let cells = cells.list(count, "cells")?;
        let place = |cell: Cell| cell.y as usize * width as usize + cell.x as usize;
        Ok(Map::from_fn(width, height, |cell| cells.get(place(cell)).is_some_and(|&cell| cell != 0))?)
    })
}

/// Reads a map from a file: a MovingAI `.map` file, or ASCII art in which `.` is free and `#` is blocked.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_open(file: Text, map: Out<SurefootMap>) -> SurefootResult {
    give(map, || Ok(Map::open(file.read("file")?)?))
}

/// Reads a map from the bytes of such a file.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_from_bytes(
    bytes: In<u8>,
    size: usize,
    map: Out<SurefootMap>,
) -> SurefootResult {
    give(map, || Ok(Map::from_bytes(&bytes.list(size, "bytes")?)?))
}

/// Makes a copy. It costs nothing: cells are shared until one of the two changes.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_copy(map: SurefootMap, copy: Out<SurefootMap>) -> SurefootResult {
    give(copy, || map.copied())
}

/// Frees a map. Navigators and crowds that were made of it stay.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_free(map: SurefootMap) -> SurefootResult {
    map.free()
}

/// The numbers of columns and rows. Either place may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_size(map: SurefootMap, width: Out<u32>, height: Out<u32>) -> SurefootResult {
    done(|| {
        let (width, height) = (width.maybe("width")?, height.maybe("height")?);
        map.read(|map| {
            width.put(map.width());
            height.put(map.height());
            Ok(())
        })
    })
}

/// Whether a cell can be walked on: 1 or 0. What is no cell of the map cannot.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_is_free(
    map: SurefootMap,
    cell: SurefootCell,
    is_free: Out<i32>,
) -> SurefootResult {
    done(|| {
        let is_free = is_free.place("is_free")?;
        map.read(|map| is_free.answer(i32::from(map.is_free(cell))))
    })
}

/// Copies all cells, row after row, to where there is room for `capacity` of them: 1 is free, 0 is blocked.
/// `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_cells(
    map: SurefootMap,
    cells: Out<u8>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (cells, count) = (cells.room(capacity, "cells")?, count.maybe("count")?);
        map.read(|map| {
            let all = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| Cell::new(x, y)));
            count.put(cells.put_all(all.map(|cell| u8::from(map.is_free(cell)))));
            Ok(())
        })
    })
}

/// Frees some cells, or blocks them if `free` is 0. If one lies outside the map, none is changed. Navigators
/// and crowds that were made of the map stay as they are.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_set_cells(
    map: SurefootMap,
    cells: In<SurefootCell>,
    count: usize,
    free: i32,
) -> SurefootResult {
    done(|| {
        let cells = cells.list(count, "cells")?;
        map.write(|map| Ok(map.edit(cells.into_iter().map(|cell| values::edit(cell, free)))?))
    })
}

/// Says when a diagonal move is allowed: one of SurefootRule.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_set_rule(map: SurefootMap, rule: i32) -> SurefootResult {
    done(|| {
        let rule = values::rule(rule)?;
        map.write(|map| {
            if let Some(rule) = rule {
                *map = map.clone().with_rule(rule);
            }
            Ok(())
        })
    })
}

/// Says what a diagonal move costs: one of SurefootCosts.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_set_costs(map: SurefootMap, costs: i32) -> SurefootResult {
    done(|| {
        let costs = values::costs(costs)?;
        map.write(|map| {
            if let Some(costs) = costs {
                *map = map.clone().with_costs(costs);
            }
            Ok(())
        })
    })
}

/// Says what ground costs, a byte of 1 to 255 for each cell, row after row: a move costs its length times the
/// mean of the weights of its two cells. `count` is width times height.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_set_weights(
    map: SurefootMap,
    weights: In<u8>,
    count: usize,
) -> SurefootResult {
    done(|| {
        let weights = weights.list(count, "weights")?;
        map.write(|map| {
            let weights = CellWeights::new(map.width(), map.height(), weights)?;
            *map = map.clone().with_weights(weights)?;
            Ok(())
        })
    })
}

/// Says which extra moves there are. They take the place of those that the map had.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_set_links(
    map: SurefootMap,
    links: In<SurefootLink>,
    count: usize,
) -> SurefootResult {
    done(|| {
        let links = links.list(count, "links")?;
        map.write(|map| {
            *map = map.clone().with_links(links.into_iter().map(Link::from))?;
            Ok(())
        })
    })
}

/// A number that tells how the map is: SurefootRule and SurefootCosts of it. Either place may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_map_rule(map: SurefootMap, rule: Out<i32>, costs: Out<i32>) -> SurefootResult {
    call(|| {
        let (rule, costs) = (rule.maybe("rule")?, costs.maybe("costs")?);
        let (of_rule, of_costs) = map.read(|map| Ok((map.rule(), map.costs())))?;
        let is = |number: &i32| values::rule(*number).ok() == Some(Some(of_rule));
        rule.put((1..=4).find(is).unwrap_or_default());
        let is = |number: &i32| values::costs(*number).ok() == Some(Some(of_costs));
        costs.put((1..=2).find(is).unwrap_or_default());
        Ok(SurefootResult::SurefootOk)
    })
}
