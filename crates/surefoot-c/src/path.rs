//! Paths.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use crate::border::Out;
use crate::handles::{Handle as _, SurefootPath};
use crate::problem::{SurefootResult, done};
use crate::values::SurefootCell;

/// How many cells a path has, both ends included: one more than its moves.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_path_length(path: SurefootPath, length: Out<usize>) -> SurefootResult {
    done(|| {
        let length = length.place("length")?;
        path.read(|path| length.answer(path.cells().len()))
    })
}

/// What a path costs.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_path_cost(path: SurefootPath, cost: Out<f64>) -> SurefootResult {
    done(|| {
        let cost = cost.place("cost")?;
        path.read(|path| cost.answer(path.cost().to_f64()))
    })
}

/// Copies the cells of a path, from its start to its goal, to where there is room for `capacity` of them.
/// `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_path_cells(
    path: SurefootPath,
    cells: Out<SurefootCell>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (cells, count) = (cells.room(capacity, "cells")?, count.maybe("count")?);
        path.read(|path| count.answer(cells.put_all(path.cells().iter().map(|&cell| cell.into()))))
    })
}

/// Copies the start, the cells where a path turns, and the goal, to where there is room for `capacity` of
/// them. `count` is how many there are, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_path_turning_points(
    path: SurefootPath,
    cells: Out<SurefootCell>,
    capacity: usize,
    count: Out<usize>,
) -> SurefootResult {
    done(|| {
        let (cells, count) = (cells.room(capacity, "cells")?, count.maybe("count")?);
        path.read(|path| count.answer(cells.put_all(path.turning_points().into_iter().map(Into::into))))
    })
}

/// Frees a path.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_path_free(path: SurefootPath) -> SurefootResult {
    path.free()
}
