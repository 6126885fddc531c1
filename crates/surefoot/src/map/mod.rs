//! Maps as a game has them: a grid of cells, with a move rule and costs that need not be thought of.

mod edit;
mod error;
#[cfg(test)]
mod tests;

use alloc::sync::Arc;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path as FilePath;

pub use self::edit::Edit;
pub use self::error::MapError;
#[cfg(feature = "std")]
use crate::formats::read_any_map;
use crate::formats::{parse_art, parse_map_within, within};
#[cfg(feature = "images")]
use crate::formats::{parse_image, parse_image_within};
use crate::space::{
    Cell, CellWeights, CostModel, Grid, GridSpace, Limits, Link, Links, MoveRule, QueryError, TerrainMap,
    TerrainSet,
};

/// A map: which cells can be walked on, which moves there are, and what they cost.
///
/// Unless something else is said, units move in eight directions and do not cut corners
/// ([`MoveRule::NoCut`]), a straight move costs 1 and a diagonal one √2 ([`CostModel::Sqrt2`]). A copy is
/// cheap: it shares the cells.
///
/// ```
/// use surefoot::space::MoveRule;
/// use surefoot::{Cell, Map};
///
/// let map = Map::from_art(
///     "......
///      .####.
///      ......",
/// )?
/// .with_rule(MoveRule::Cardinal);
/// assert!(map.is_free(Cell::new(0, 1)) && !map.is_free((1, 1)));
/// # Ok::<(), surefoot::MapError>(())
/// ```
#[derive(Clone)]
pub struct Map {
    space: Arc<GridSpace>,
    links: Arc<Links>,
}

impl Map {
    /// Reads a map from a file: `MovingAI` `.map`, ASCII art (`.txt`), and with the feature `images` PNG and
    /// BMP. What the file starts with decides, and its extension where that does not tell.
    ///
    /// # Errors
    /// If there is no such file, it cannot be read, or it is no map.
    #[cfg(feature = "std")]
    pub fn open(path: impl AsRef<FilePath>) -> Result<Self, MapError> {
        Ok(Self::from_terrain(&read_any_map(path)?, TerrainSet::GROUND))
    }

    /// Reads a map from the bytes of a file, in any format that `open` knows. What is neither a `.map` nor an
    /// image is taken for ASCII art.
    ///
    /// # Errors
    /// If it is no map.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MapError> {
        Self::from_bytes_within(bytes, &Limits::default())
    }

    /// The same for a map that may ask for so much: one that a player made.
    ///
    /// # Errors
    /// If it is no map, or asks for more.
    pub fn from_bytes_within(bytes: &[u8], limits: &Limits) -> Result<Self, MapError> {
        #[cfg(feature = "images")]
        if bytes.starts_with(b"\x89PNG") || (bytes.starts_with(b"BM") && bytes.contains(&0)) {
            let terrain = parse_image_within(bytes, limits)?;
            return Ok(Self::from_terrain(&terrain, TerrainSet::GROUND));
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        let is_map = text.starts_with(b"type ") || text.starts_with(b"type\t");
        let terrain = match is_map {
            true => parse_map_within(bytes, limits)?,
            false => within(parse_art(bytes)?, limits)?,
        };
        Ok(Self::from_terrain(&terrain, TerrainSet::GROUND))
    }

    /// A map drawn with characters: `.` is free, `#` is blocked.
    ///
    /// # Errors
    /// If rows differ in width, a character has no meaning, or there is no row at all.
    pub fn from_art(art: &str) -> Result<Self, MapError> {
        Ok(Self::from_terrain(&parse_art(art.as_bytes())?, TerrainSet::GROUND))
    }

    /// A map in which the cells are free that `is_free` says so of. It is asked row by row.
    ///
    /// # Errors
    /// If a side is 0 or there are more than [`MAX_CELLS`](crate::space::MAX_CELLS) cells.
    pub fn from_fn(width: u32, height: u32, is_free: impl FnMut(Cell) -> bool) -> Result<Self, MapError> {
        Ok(Grid::from_fn(width, height, is_free)?.into())
    }

    /// Reads a map from a PNG or BMP image: bright pixels are free, dark ones blocked.
    ///
    /// # Errors
    /// If `bytes` are not such an image, or it is too large.
    #[cfg(feature = "images")]
    pub fn from_image(bytes: &[u8]) -> Result<Self, MapError> {
        Ok(Self::from_terrain(&parse_image(bytes)?, TerrainSet::GROUND))
    }

    /// What units see of a map that can walk on `passable` terrain. Readers of whole maps take
    /// [`TerrainSet::GROUND`].
    #[must_use]
    pub fn from_terrain(terrain: &TerrainMap, passable: TerrainSet) -> Self {
        terrain.grid(passable).into()
    }

    /// The same cells under another move rule.
    #[must_use]
    pub fn with_rule(self, rule: MoveRule) -> Self {
        let costs = self.costs();
        self.with(rule, costs)
    }

    /// The same cells with another cost of diagonal moves.
    #[must_use]
    pub fn with_costs(self, costs: CostModel) -> Self {
        let rule = self.rule();
        self.with(rule, costs)
    }

    /// The same cells with weights: a move costs its length times the mean of the weights of its two cells.
    ///
    /// # Errors
    /// If the weights are for a map of another size, or a free cell has weight 0.
    pub fn with_weights(self, weights: CellWeights) -> Result<Self, MapError> {
        let (rule, costs) = (self.rule(), self.costs());
        let links = Arc::clone(&self.links);
        let space = GridSpace::weighted(self.into_grid(), rule, costs, weights)?;
        Ok(Self { space: Arc::new(space), links })
    }

    /// The same cells with links: one-way doors, ladders, teleporters, stairs between floors. They take the
    /// place of those that there were.
    ///
    /// Floors lie side by side on one map, with a column of blocked cells between them, and stairs are links
    /// from one to the other and back. A one-way door is a blocked cell with a link over it. The kinds of a
    /// crowd have links of their own ([`Crowd::add_link`](crate::Crowd::add_link)).
    ///
    /// ```
    /// use surefoot::Map;
    /// use surefoot::space::Link;
    ///
    /// let door = Map::from_art("...#...")?.with_links([Link::new((2, 0), (4, 0))])?.navigator()?;
    /// assert_eq!(door.path((0, 0), (6, 0))?.map(|path| path.moves()), Some(5));
    /// assert!(!door.reachable((6, 0), (0, 0))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an end of a link lies outside the map, both of its ends are one cell, or it costs nothing or too
    /// much, or there are too many of them. Ends may be blocked: nobody takes such a link until they are
    /// freed.
    pub fn with_links(self, links: impl IntoIterator<Item = Link>) -> Result<Self, MapError> {
        let links = Arc::new(Links::new(self.space.grid(), links)?);
        Ok(Self { links, ..self })
    }

    fn with(self, rule: MoveRule, costs: CostModel) -> Self {
        if (rule, costs) == (self.rule(), self.costs()) {
            return self;
        }
        let weights = self.space.weights().cloned();
        let links = Arc::clone(&self.links);
        let grid = self.into_grid();
        // They fit: it is the same grid.
        let weighted =
            weights.and_then(|weights| GridSpace::weighted(grid.clone(), rule, costs, weights).ok());
        let space = weighted.unwrap_or_else(|| GridSpace::new(grid, rule, costs));
        Self { space: Arc::new(space), links }
    }

    fn into_grid(self) -> Grid {
        Arc::try_unwrap(self.space).unwrap_or_else(|shared| GridSpace::clone(&shared)).into_grid()
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.space.grid().width()
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.space.grid().height()
    }

    /// Whether a cell lies on the map, be it free or blocked.
    #[must_use]
    pub fn contains(&self, cell: impl Into<Cell>) -> bool {
        self.space.grid().contains(cell.into())
    }

    /// Whether a cell can be walked on. Cells outside the map cannot.
    #[must_use]
    pub fn is_free(&self, cell: impl Into<Cell>) -> bool {
        self.space.grid().is_free(cell.into())
    }

    /// Makes sure that a cell can be walked on.
    ///
    /// # Errors
    /// If it lies outside the map or is blocked. The error says which.
    pub fn check(&self, cell: impl Into<Cell>) -> Result<(), QueryError> {
        self.space.locate(cell.into()).map(drop)
    }

    /// Which moves there are.
    #[must_use]
    pub fn rule(&self) -> MoveRule {
        self.space.rule()
    }

    /// What moves cost.
    #[must_use]
    pub fn costs(&self) -> CostModel {
        self.space.costs()
    }

    /// The links, in their order.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The map as searches see it, without its [links](Self::links): for all that this crate has beside
    /// navigators.
    #[must_use]
    pub fn space(&self) -> &GridSpace {
        &self.space
    }
}

/// The cells of a grid, with the usual moves and costs.
impl From<Grid> for Map {
    fn from(grid: Grid) -> Self {
        GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2).into()
    }
}

/// Which cells are free.
impl From<&Map> for Grid {
    fn from(map: &Map) -> Self {
        map.space.grid().clone()
    }
}

impl From<GridSpace> for Map {
    fn from(space: GridSpace) -> Self {
        Self { space: Arc::new(space), links: Arc::default() }
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.width(), self.height());
        write!(f, "Map {width} x {height}, rule {}, cost {}", self.rule(), self.space.units())
    }
}
