//! Maps from the layers of tile editors, whichever plug-in has loaded them.
//!
//! Plug-ins for tiles spawn an entity for each tile, with its column and row. [`map_of_tiles`] takes those of
//! one layer. They count rows upwards; maps count them downwards, as files do. So [`cell_of_tile`] turns them
//! over, and [`tile_of_cell`] turns them back.
//!
//! With `bevy_ecs_tilemap` (and `bevy_ecs_tiled`, which builds on it):
//! ```
//! use bevy_ecs::prelude::*;
//! use bevy_ecs_tilemap::prelude::*;
//! use bevy_surefoot::prelude::*;
//! use bevy_surefoot::tiles::{Given, map_of_tiles};
//!
//! #[derive(Component)]
//! struct Walls; // on the layer with the walls
//!
//! fn read(
//!     layer: Single<(&TilemapSize, &TileStorage), With<Walls>>,
//!     tiles: Query<&TilePos>,
//!     mut commands: Commands,
//! ) -> Result {
//!     let (size, storage) = *layer;
//!     let walls = storage.iter().flatten().filter_map(|&tile| tiles.get(tile).ok());
//!     let walls = walls.map(|tile| (tile.x, tile.y));
//!     commands.insert_resource(Navigation::new(&map_of_tiles(size.x, size.y, Given::Walls, walls)?));
//!     Ok(())
//! }
//! # use bevy_ecs::system::RunSystemOnce as _;
//! # let mut world = World::new();
//! # let size = TilemapSize { x: 3, y: 2 };
//! # let mut storage = TileStorage::empty(size);
//! # for tile in [TilePos { x: 0, y: 0 }, TilePos { x: 1, y: 0 }] {
//! #     storage.set(&tile, world.spawn(tile).id());
//! # }
//! # world.spawn((Walls, size, storage));
//! # world.run_system_once::<_, Result, _>(read).expect("it runs").expect("a map");
//! # let blocked = |cell| !world.resource::<Navigation>().map().is_free(cell);
//! # assert_eq!((0..6).filter(|at| blocked(Cell::new(at % 3, at / 3))).collect::<Vec<_>>(), [3, 4]);
//! ```
//! With `bevy_ecs_ldtk`, whose `GridCoords` count rows upwards, too:
//! ```ignore
//! let walls = cells.iter().filter(|(cell, _)| cell.value == 1).map(|(_, at)| (at.x as u32, at.y as u32));
//! let map = map_of_tiles(level.width, level.height, Given::Walls, walls)?;
//! ```
//! Doors and buildings of such a layer are best entities with [`Blocking`](crate::Blocking).

use surefoot::{Cell, Map, MapError};

/// What the tiles are that are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Walls: all other cells are free.
    Walls,
    /// Ground: all other cells are blocked.
    Ground,
}

/// The map of a layer of so many columns and rows: columns and rows of its tiles, rows counted upwards. Tiles
/// that lie outside are left out.
///
/// ```
/// use bevy_surefoot::tiles::{Given, map_of_tiles};
///
/// let map = map_of_tiles(3, 2, Given::Walls, [(0, 0), (1, 0)])?;
/// assert!(map.is_free((0, 0)) && !map.is_free((1, 1)) && map.is_free((2, 1)));
/// # Ok::<(), surefoot::MapError>(())
/// ```
///
/// # Errors
/// If a side is 0, or there are too many cells.
pub fn map_of_tiles(
    width: u32,
    height: u32,
    given: Given,
    tiles: impl IntoIterator<Item = (u32, u32)>,
) -> Result<Map, MapError> {
    let mut grid = Map::from_fn(width, height, |_| given == Given::Walls)?.space().grid().clone();
    for tile in tiles {
        if let Some(cell) = cell_of_tile(height, tile)
            && grid.contains(cell)
        {
            grid.set(cell, given == Given::Ground);
        }
    }
    Ok(grid.into())
}

/// The cell of a tile in a layer of so many rows, which the layer counts upwards. `None` above the layer.
#[must_use]
pub fn cell_of_tile(height: u32, (x, y): (u32, u32)) -> Option<Cell> {
    height.checked_sub(y)?.checked_sub(1).map(|row| Cell::new(x, row))
}

/// The tile of a cell in a layer of so many rows. `None` below the layer.
#[must_use]
pub fn tile_of_cell(height: u32, cell: Cell) -> Option<(u32, u32)> {
    height.checked_sub(cell.y)?.checked_sub(1).map(|row| (cell.x, row))
}
