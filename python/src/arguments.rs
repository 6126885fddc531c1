//! What Python passes, checked; and what it gets.

use numpy::ndarray::{Array2, ArrayView2};
use numpy::{IntoPyArray as _, PyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySet, PyString};
use surefoot::space::{CostModel, Link, MoveRule};
use surefoot::{Cell, Edit, PathCost, UnitId};

use crate::arrays::{self, Number, Reading, as_array, read_table};
use crate::errors::{Outcome, argument};

/// A cell: a pair `(x, y)`. Whether it lies on a map is for the library to say.
pub(crate) fn cell(value: &Bound<'_, PyAny>) -> Outcome<Cell> {
    if let Some((x, y)) = arrays::pair(value) {
        return Ok(Cell::new(x, y));
    }
    let wrong = || {
        let shown = value.repr().map_or_else(|_| "this".to_string(), |text| text.to_string());
        format!("{shown} is no cell; a cell is a pair of whole numbers from 0: (x, y)")
    };
    let pair = match &items(value, 3, &wrong())?[..] {
        [x, y] => coordinate(x).zip(coordinate(y)),
        _ => None,
    };
    pair.map(Cell::from).ok_or_else(|| argument(wrong()))
}

/// A coordinate: whatever Python takes for a whole number, and floating-point numbers that are whole.
fn coordinate(value: &Bound<'_, PyAny>) -> Option<u32> {
    value.extract::<u32>().ok().or_else(|| value.extract::<f64>().ok().and_then(Number::whole))
}

/// Cells: an array of shape (n, 2), or anything that numpy takes for one.
pub(crate) fn cells(value: &Bound<'_, PyAny>, what: &str) -> Outcome<Vec<Cell>> {
    // An empty list is an array of one dimension to numpy.
    if as_array(value, what)?.shape() == [0] {
        return Ok(Vec::new());
    }
    read_table(value, what, Cells(what))
}

struct Cells<'a>(&'a str);

impl Reading for Cells<'_> {
    type Output = Vec<Cell>;

    fn read<T: Number>(self, table: ArrayView2<'_, T>) -> Outcome<Vec<Cell>> {
        let Self(what) = self;
        if table.ncols() != 2 || T::IS_FLAG {
            let shape = table.shape();
            return Err(argument(format!(
                "{what} must be whole numbers of shape (n, 2), a row x, y for each cell, not of shape {shape:?}"
            )));
        }
        let mut cells = Vec::with_capacity(table.nrows());
        for (number, row) in table.rows().into_iter().enumerate() {
            let (Some(x), Some(y)) = (row[0].whole(), row[1].whole()) else {
                return Err(argument(format!(
                    "{what}, row {number}: ({}, {}) is no cell; x and y are whole numbers from 0",
                    row[0], row[1]
                )));
            };
            cells.push(Cell::new(x, y));
        }
        Ok(cells)
    }
}

/// Two lists of cells of the same length.
pub(crate) fn pairs(starts: &Bound<'_, PyAny>, goals: &Bound<'_, PyAny>) -> Outcome<(Vec<Cell>, Vec<Cell>)> {
    let (starts, goals) = (cells(starts, "starts")?, cells(goals, "goals")?);
    if starts.len() == goals.len() {
        Ok((starts, goals))
    } else {
        let (starts, goals) = (starts.len(), goals.len());
        Err(argument(format!("{starts} starts and {goals} goals; each question needs both")))
    }
}

/// Units: an array of the numbers that `Crowd.add_many` gave, or one of them. Whether they are of a crowd is
/// for the crowd to say.
pub(crate) fn units(value: &Bound<'_, PyAny>) -> Outcome<Vec<UnitId>> {
    if let Ok(number) = value.extract::<u64>() {
        return Ok(vec![unit_of(number)?]);
    }
    let array = as_array(value, "units")?;
    let row = value.py().import("numpy")?.call_method1("atleast_2d", (array,))?;
    read_table(&row, "units", Units)
}

/// One unit.
pub(crate) fn unit(value: &Bound<'_, PyAny>) -> Outcome<UnitId> {
    match units(value)?[..] {
        [unit] => Ok(unit),
        ref units => Err(argument(format!("one unit is wanted, not {}", units.len()))),
    }
}

fn unit_of(number: u64) -> Outcome<UnitId> {
    let words = || format!("there is no unit {number}; take the numbers that Crowd.add and add_many gave");
    UnitId::from_bits(number).ok_or_else(|| argument(words()))
}

struct Units;

impl Reading for Units {
    type Output = Vec<UnitId>;

    fn read<T: Number>(self, table: ArrayView2<'_, T>) -> Outcome<Vec<UnitId>> {
        if table.nrows() != 1 || T::IS_FLAG {
            let shape = table.shape();
            return Err(argument(format!(
                "units must be a list of numbers, not bools or a table of shape {shape:?}"
            )));
        }
        let wrong =
            |number: &T| argument(format!("there is no unit {number}; units are whole numbers from 0"));
        table.iter().map(|number| unit_of(number.large().ok_or_else(|| wrong(number))?)).collect()
    }
}

/// Cells as an array of shape (n, 2).
pub(crate) fn array_of<'py>(py: Python<'py>, cells: &[Cell]) -> Outcome<Bound<'py, PyArray2<u32>>> {
    let numbers: Vec<u32> = cells.iter().flat_map(|cell| [cell.x, cell.y]).collect();
    table(py, cells.len(), 2, numbers)
}

/// Numbers, row after row, as an array. They are not copied.
pub(crate) fn table<T: numpy::Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
    numbers: Vec<T>,
) -> Outcome<Bound<'_, PyArray2<T>>> {
    let table =
        Array2::from_shape_vec((rows, columns), numbers).map_err(|error| argument(error.to_string()))?;
    Ok(table.into_pyarray(py))
}

/// What a cost is in an array: infinite if there is no way.
pub(crate) fn number(cost: Option<PathCost>) -> f64 {
    cost.map_or(f64::INFINITY, PathCost::to_f64)
}

/// A move rule by its name.
pub(crate) fn rule(name: &str) -> Outcome<MoveRule> {
    name.parse().map_err(|error| argument(format!("{error}")))
}

/// What a diagonal move costs, by its name.
pub(crate) fn costs(name: &str) -> Outcome<CostModel> {
    name.parse().map_err(|error| argument(format!("{error}")))
}

const LINKS: &str =
    "links are a list; each is two cells and what it costs: ((x, y), (x, y)) or ((x, y), (x, y), 3)";

/// What is in a list, up to so many items. Words, bytes, sets and dicts are none.
fn items<'py>(value: &Bound<'py, PyAny>, most: usize, words: &str) -> Outcome<Vec<Bound<'py, PyAny>>> {
    let is_other = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyDict>()
        || value.is_instance_of::<PySet>();
    if is_other {
        return Err(argument(words));
    }
    let items = value.try_iter().and_then(|items| items.take(most).collect());
    items.map_err(|error| arrays::unless_it_ends(value.py(), error, || words.to_string()))
}

/// Links: each is two cells, and what it costs in straight moves if that is not 1.
pub(crate) fn links(value: &Bound<'_, PyAny>) -> Outcome<Vec<Link>> {
    let link = |value: &Bound<'_, PyAny>| match &items(value, 4, LINKS)?[..] {
        [from, to] => Ok(Link::new(cell(from)?, cell(to)?)),
        [from, to, moves] => {
            let moves = coordinate(moves)
                .ok_or_else(|| argument(format!("a link costs a whole number of moves, not {moves}")))?;
            Ok(Link::new(cell(from)?, cell(to)?).costing(moves))
        }
        _ => Err(argument(LINKS)),
    };
    items(value, usize::MAX, LINKS)?.iter().map(link).collect()
}

/// An edit that frees or blocks a cell.
pub(crate) fn edit(cell: Cell, free: bool) -> Edit {
    if free { Edit::free(cell) } else { Edit::block(cell) }
}

/// Makes sure that there is at least one thread.
pub(crate) fn check_threads(threads: Option<usize>) -> Outcome<()> {
    if threads == Some(0) {
        return Err(argument("threads must be 1 or more; leave it out for one a core"));
    }
    Ok(())
}

/// Threads to work on: one a core if nothing is said.
pub(crate) fn pool(threads: Option<usize>) -> Outcome<rayon::ThreadPool> {
    check_threads(threads)?;
    // A pool of its own: the one that all share does not live on in a forked process.
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).min(256));
    builder.build().map_err(|error| argument(format!("threads: {error}")))
}
