//! Maps.

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use surefoot::formats::{write_map, write_weights};
use surefoot::space::{
    CellWeights, CostModel, Grid, GridSpace, Link, MoveRule, SpaceError, TerrainMap, TerrainSet,
};
use surefoot::{Cell, Edit};
use surefoot_lab::maps::{MapKind, generate};

use crate::arguments;
use crate::arrays::{Number, Reading, read_table};
use crate::drawing;
use crate::errors::{Outcome, argument};
use crate::long;
use crate::navigator::Navigator;

/// A map: which cells can be walked on, which moves there are, and what they cost.
///
/// `cells` is an array with a row for each row of cells. Of an array of bools, `True` is free. Of whole
/// numbers, 0 is blocked, and 1 to 255 is what the ground costs: a move costs its length times the mean of
/// the weights of its two cells. Arrays of bools, whole numbers and float64 are read where they lie, in any
/// order.
///
/// `rule` says when a diagonal move is allowed: "no-cut" (if both cells beside it are free), "one-free",
/// "squeeze" (always) or "cardinal" (never). `costs` says what it costs: "sqrt2" or "1.4". `links` are
/// one-way doors, ladders and teleporters: pairs of cells, with a third number if they cost more than one
/// move.
///
/// >>> import numpy as np, surefoot
/// >>> map = surefoot.Map(np.array([[1, 1, 1], [1, 0, 1]], dtype=bool))
/// >>> map.shape, map.is_free((1, 1))
/// ((2, 3), False)
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Map {
    map: RwLock<surefoot::Map>,
}

/// Two cells, and what the link between them costs.
type LinkParts = ((u32, u32), (u32, u32), u32);

/// What an array of cells comes to.
struct Ground {
    grid: Grid,
    /// `None` if every free cell has weight 1.
    weights: Option<CellWeights>,
}

impl Ground {
    fn into_map(self, rule: MoveRule, costs: CostModel, links: Vec<Link>) -> Outcome<Map> {
        let space = match self.weights {
            Some(weights) => GridSpace::weighted(self.grid, rule, costs, weights)?,
            None => GridSpace::new(self.grid, rule, costs),
        };
        let map = surefoot::Map::from(space);
        Ok(if links.is_empty() { map } else { map.with_links(links)? }.into())
    }
}

struct GroundReading;

impl Reading for GroundReading {
    type Output = Ground;

    fn read<T: Number>(self, table: ArrayView2<'_, T>) -> Outcome<Ground> {
        let sides = |side: usize| u32::try_from(side).map_err(|_| argument("the map is too large"));
        let (width, height) = (sides(table.ncols())?, sides(table.nrows())?);
        let at = |cell: Cell| table[(cell.y as usize, cell.x as usize)];
        let mut most = 1;
        if !T::IS_FLAG {
            for (y, row) in table.axis_iter(Axis(0)).enumerate() {
                for (x, number) in row.iter().enumerate() {
                    let weight = number.whole().filter(|&weight| weight <= 255).ok_or_else(|| {
                        argument(format!(
                            "row {y}, column {x}: {number} is no weight; cells are 0 if they are blocked, or whole numbers from 1 to 255"
                        ))
                    })?;
                    most = most.max(weight);
                }
            }
        }
        let grid = Grid::from_fn(width, height, |cell| at(cell).whole() != Some(0))?;
        let weight = |cell| at(cell).whole().map_or(0, |weight| weight as u8);
        let weights = (most > 1).then(|| CellWeights::from_fn(width, height, weight)).transpose()?;
        Ok(Ground { grid, weights })
    }
}

impl From<surefoot::Map> for Map {
    fn from(map: surefoot::Map) -> Self {
        Self { map: RwLock::new(map) }
    }
}

impl Map {
    /// The map as it is now. That costs nothing: cells are shared.
    pub(crate) fn now(&self) -> surefoot::Map {
        self.map.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut surefoot::Map) -> Result<(), surefoot::MapError> + Send,
    ) -> Outcome<()> {
        // Without the interpreter: another thread may have the lock and wait for it.
        Ok(py.detach(|| change(&mut self.map.write().unwrap_or_else(PoisonError::into_inner)))?)
    }
}

#[pymethods]
impl Map {
    #[new]
    #[pyo3(signature = (cells, *, rule = "no-cut", costs = "sqrt2", links = None))]
    fn new(
        cells: &Bound<'_, PyAny>,
        rule: &str,
        costs: &str,
        links: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        let ground = read_table(cells, "cells", GroundReading)?;
        let links = links.map(arguments::links).transpose()?.unwrap_or_default();
        ground.into_map(arguments::rule(rule)?, arguments::costs(costs)?, links)
    }

    /// Reads a map from a file: MovingAI `.map`, ASCII art (`.txt`), PNG or BMP. Bright pixels are free.
    #[classmethod]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> Outcome<Self> {
        Ok(py.detach(|| surefoot::Map::open(path))?.into())
    }

    /// Reads a map from the text or the bytes of such a file. In ASCII art `.` is free and `#` is blocked.
    ///
    /// >>> surefoot.Map.parse("..#\n...").cells
    /// array([[ True,  True, False],
    ///        [ True,  True,  True]])
    #[classmethod]
    fn parse(_class: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> Outcome<Self> {
        let bytes: Vec<u8> = match text.extract::<String>() {
            Ok(text) => text.into_bytes(),
            Err(_) => text.extract().map_err(|_| argument("a map is read from text or bytes"))?,
        };
        Ok(surefoot::Map::from_bytes(&bytes)?.into())
    }

    /// Makes a map of a kind: "game", "rooms", "maze", "random", "caves" and others. The same seed makes the
    /// same map on every machine.
    ///
    /// >>> surefoot.Map.generate("rooms", 64, 48, seed=3).shape
    /// (48, 64)
    #[classmethod]
    #[pyo3(signature = (kind, width, height, *, seed = 1))]
    fn generate(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        kind: &str,
        width: u32,
        height: u32,
        seed: u64,
    ) -> Outcome<Self> {
        let kind: MapKind = kind.parse().map_err(|error| argument(format!("{error}")))?;
        let map = py.detach(|| {
            let terrain = generate(kind, width, height, seed)?;
            Ok::<_, SpaceError>(surefoot::Map::from_terrain(&terrain, TerrainSet::GROUND))
        })?;
        Ok(map.into())
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> u32 {
        self.now().width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> u32 {
        self.now().height()
    }

    /// Rows and columns, as of `cells`.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        let map = self.now();
        (map.height(), map.width())
    }

    /// When a diagonal move is allowed.
    #[getter]
    fn rule(&self) -> &'static str {
        self.now().rule().name()
    }

    /// What a diagonal move costs.
    #[getter]
    fn costs(&self) -> &'static str {
        self.now().costs().name()
    }

    /// How many cells are free.
    #[getter]
    fn states(&self) -> u64 {
        self.now().space().grid().free_count()
    }

    /// A number that maps of the same cells, rule, costs and weights have in common.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.now().space().fingerprint()
    }

    /// A copy of all cells: `True` is free.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<bool>>> {
        cells_of(py, &self.now())
    }

    /// A copy of what ground costs; `None` if it is the same everywhere. Blocked cells have 0.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyArray2<u8>>>> {
        let map = self.now();
        let (grid, Some(weights)) = (map.space().grid(), map.space().weights()) else { return Ok(None) };
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut numbers: Vec<u8> = weights.rows().flatten().copied().collect();
        for (place, number) in numbers.iter_mut().enumerate() {
            if !grid.is_free(Cell::new((place % width) as u32, (place / width) as u32)) {
                *number = 0;
            }
        }
        arguments::table(py, height, width, numbers).map(Some)
    }

    /// The links: pairs of cells, each with what it costs in straight moves.
    #[getter]
    fn links(&self) -> Vec<LinkParts> {
        links_of(&self.now())
    }

    /// Whether a cell can be walked on. Cells outside the map cannot.
    fn is_free(&self, cell: &Bound<'_, PyAny>) -> Outcome<bool> {
        Ok(self.now().is_free(arguments::cell(cell)?))
    }

    /// The same map with other moves or costs.
    #[pyo3(signature = (*, rule = None, costs = None, links = None))]
    fn with_moves(
        &self,
        rule: Option<&str>,
        costs: Option<&str>,
        links: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        let mut map = self.now();
        if let Some(rule) = rule {
            map = map.with_rule(arguments::rule(rule)?);
        }
        if let Some(costs) = costs {
            map = map.with_costs(arguments::costs(costs)?);
        }
        if let Some(links) = links {
            map = map.with_links(arguments::links(links)?)?;
        }
        Ok(map.into())
    }

    /// Frees or blocks cells. Navigators, databases and crowds that were made of the map stay as they are.
    ///
    /// >>> map = surefoot.Map.parse("...")
    /// >>> map.edit([(1, 0)], free=False)
    /// >>> map.is_free((1, 0))
    /// False
    fn edit(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, free: bool) -> Outcome<()> {
        let cells = arguments::cells(cells, "cells")?;
        self.change(py, |map| map.edit(cells.into_iter().map(|cell| arguments::edit(cell, free))))
    }

    /// Gives cells of a map with weights another one, 1 to 255.
    fn weigh(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, weight: u8) -> Outcome<()> {
        let cells = arguments::cells(cells, "cells")?;
        self.change(py, |map| map.edit(cells.into_iter().map(|cell| Edit::weigh(cell, weight))))
    }

    /// A copy. It costs nothing: cells are shared until one of the two changes.
    fn copy(&self) -> Self {
        self.now().into()
    }

    /// The map as the text of a MovingAI `.map` file. Weights, links and moves are not in it.
    fn to_text(&self) -> String {
        let bytes = write_map(&TerrainMap::from_grid(self.now().space().grid()));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The weights as the text of a file that `surefoot build --weights` reads; `None` if there are none.
    fn weights_text(&self) -> Option<String> {
        self.now().space().weights().map(write_weights)
    }

    /// Computes what paths need. `progress` is called now and then with the stage, how much is done, and how
    /// much there is; if it raises, the build ends. So does Ctrl-C. `threads` is one a core if it is left
    /// out.
    ///
    /// >>> nav = surefoot.Map.parse("......\n.####.\n......").navigator()
    /// >>> nav.cost((1, 0), (1, 2))
    /// 4.0
    #[pyo3(signature = (*, progress = None, threads = None))]
    fn navigator(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> Outcome<Navigator> {
        let (map, pool) = (self.now(), arguments::pool(threads)?);
        let built = long::run(py, progress, |teller| {
            pool.install(|| map.navigator_builder().with_progress(|event| teller.hear(&event)).build())
        })?;
        Ok(built?.into())
    }

    fn __eq__(&self, other: &Self) -> bool {
        let (own, other) = (self.now(), other.now());
        own.rule() == other.rule()
            && own.costs() == other.costs()
            && own.space().grid() == other.space().grid()
            && own.space().weights() == other.space().weights()
            && own.links() == other.links()
    }

    fn __repr__(&self) -> String {
        let map = self.now();
        let (width, height, states) = (map.width(), map.height(), map.space().grid().free_count());
        let weights = if map.space().is_weighted() { ", weighted" } else { "" };
        let links = match map.links().len() {
            0 => String::new(),
            count => format!(", {count} links"),
        };
        let (rule, costs) = (map.rule().name(), map.costs().name());
        format!(
            "<surefoot.Map {width} x {height}, {states} free, rule {rule}, costs {costs}{weights}{links}>"
        )
    }

    /// The map as a PNG, at most `side` pixels wide and high. Weights are shades.
    #[pyo3(signature = (side = 640))]
    fn to_png<'py>(&self, py: Python<'py>, side: u32) -> Bound<'py, PyBytes> {
        let map = self.now();
        PyBytes::new(py, &py.detach(|| drawing::map(&map, side)))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_png(py, drawing::NOTEBOOK_SIDE)
    }

    /// For pickle: a bit a cell, weights if there are any, and the rest as words.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let map = slf.get().now();
        let bits = py.import("numpy")?.call_method1("packbits", (cells_of(py, &map)?,))?;
        // Blocked cells have weights, too: they count once they are freed.
        let weights =
            map.space().weights().map(|weights| weights.rows().flatten().copied().collect::<Vec<u8>>());
        let weights = weights.map(|weights| PyBytes::new(py, &weights));
        let (rule, costs) = (map.rule().name(), map.costs().name());
        let parts = (bits, map.width(), map.height(), weights, rule, costs, links_of(&map));
        Ok((slf.get_type().getattr("_of_bits")?, parts.into_pyobject(py)?))
    }

    /// What `__reduce__` took apart.
    #[classmethod]
    #[allow(clippy::too_many_arguments)] // They are what a map is.
    fn _of_bits(
        _class: &Bound<'_, PyType>,
        bits: PyReadonlyArray1<'_, u8>,
        width: u32,
        height: u32,
        weights: Option<Vec<u8>>,
        rule: &str,
        costs: &str,
        links: Vec<LinkParts>,
    ) -> Outcome<Self> {
        let bits = bits.as_array();
        let needed = (u64::from(width) * u64::from(height)).div_ceil(8);
        if bits.len() as u64 != needed {
            return Err(argument("this is no pickled map"));
        }
        let is_free = |cell: Cell| {
            let place = cell.y as usize * width as usize + cell.x as usize;
            bits[place / 8] >> (7 - place % 8) & 1 == 1
        };
        let weights = weights.map(|weights| CellWeights::new(width, height, weights)).transpose()?;
        let ground = Ground { grid: Grid::from_fn(width, height, is_free)?, weights };
        let links = links.into_iter().map(|(from, to, moves)| Link::new(from, to).costing(moves));
        ground.into_map(arguments::rule(rule)?, arguments::costs(costs)?, links.collect())
    }
}

/// All cells of a map: `True` is free.
fn cells_of<'py>(py: Python<'py>, map: &surefoot::Map) -> Outcome<Bound<'py, PyArray2<bool>>> {
    let grid = map.space().grid();
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut cells = vec![false; width * height];
    for (row, y) in cells.chunks_mut(width.max(1)).zip(0..) {
        for (from, to) in grid.row_runs(y) {
            row[from as usize..to as usize].fill(true);
        }
    }
    arguments::table(py, height, width, cells)
}

fn links_of(map: &surefoot::Map) -> Vec<LinkParts> {
    let pair = |cell: Cell| (cell.x, cell.y);
    map.links().as_slice().iter().map(|link| (pair(link.from), pair(link.to), link.moves)).collect()
}
