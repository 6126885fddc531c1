//! Where the cells of a `SurefootMap` come from.

use godot::classes::image::Format;
use godot::classes::tile_set::{TileLayout, TileShape};
use godot::classes::{AStarGrid2D, Image, TileData, TileMapLayer, TileSet, a_star_grid_2d};
use godot::global::Error as Code;
use godot::prelude::*;
use surefoot::{Cell, Map};

use crate::map_node::{DiagonalMode, SurefootMap, read};
use crate::pixels::Pixels;
use crate::problem::Problem;
use crate::region::Region;

/// What a pixel's brightness is at least, 0 to 255, if its cell is free.
const BRIGHT: u8 = 128;

/// Filled anew. What was built is void then, and crowds have to begin anew.
#[godot_api(secondary)]
impl SurefootMap {
    /// Cells are free whose tile has custom data of this name that is true. Cells without a tile are solid.
    ///
    /// All `fill_from_...` functions of layers take a region; if it is empty, it is what the layer uses.
    #[func]
    fn fill_from_custom_data(
        &mut self,
        layer: Option<Gd<TileMapLayer>>,
        name: GString,
        #[opt(default = Rect2i::default())] region: Rect2i,
    ) -> Code {
        self.attempt(|map| {
            let (layer, tiles) = tiles_of(layer.as_ref())?;
            if !tiles.has_custom_data_layer_by_name(&name) {
                let message =
                    format!("the tile set has no custom data layer {name}; add it, or take another");
                return Err(Problem::new(Code::ERR_DOES_NOT_EXIST, message));
            }
            let is_free = |tile: &Gd<TileData>| tile.get_custom_data(&name).booleanize();
            map.fill_from_layer(layer, region, false, is_free)
        })
    }

    /// Cells are free whose tile has no collision shape in a physics layer. Cells without a tile are free,
    /// too, unless `is_empty_solid`.
    #[func]
    fn fill_from_physics(
        &mut self,
        layer: Option<Gd<TileMapLayer>>,
        #[opt(default = 0)] physics_layer: i32,
        #[opt(default = false)] is_empty_solid: bool,
        #[opt(default = Rect2i::default())] region: Rect2i,
    ) -> Code {
        self.attempt(|map| {
            let (layer, tiles) = tiles_of(layer.as_ref())?;
            check_place("physics layer", physics_layer, tiles.get_physics_layers_count())?;
            let is_free = |tile: &Gd<TileData>| tile.get_collision_polygons_count(physics_layer) == 0;
            map.fill_from_layer(layer, region, !is_empty_solid, is_free)
        })
    }

    /// Cells are free whose tile is of a terrain set, and of one terrain of it unless that is -1. Cells
    /// without a tile are solid.
    #[func]
    fn fill_from_terrain(
        &mut self,
        layer: Option<Gd<TileMapLayer>>,
        #[opt(default = 0)] terrain_set: i32,
        #[opt(default = -1)] terrain: i32,
        #[opt(default = Rect2i::default())] region: Rect2i,
    ) -> Code {
        self.attempt(|map| {
            let (layer, tiles) = tiles_of(layer.as_ref())?;
            check_place("terrain set", terrain_set, tiles.get_terrain_sets_count())?;
            if terrain != -1 {
                check_place("terrain", terrain, tiles.get_terrains_count(terrain_set))?;
            }
            let is_free = |tile: &Gd<TileData>| {
                tile.get_terrain_set() == terrain_set && (terrain == -1 || tile.get_terrain() == terrain)
            };
            map.fill_from_layer(layer, region, false, is_free)
        })
    }

    /// Cells of a region are free that a function says so of: it gets a `Vector2i` and returns a `bool`.
    #[func]
    fn fill_from_callable(&mut self, is_free: Callable, region: Rect2i) -> Code {
        self.attempt(|map| {
            if !is_free.is_valid() {
                return Err(Problem::argument("the function cannot be called; its object may be gone"));
            }
            let region = Region::new(region)?;
            // The function may ask this map.
            let lent = map.base_mut();
            let filled = Map::from_fn(region.width, region.height, |cell| {
                is_free.call(&[region.outer(cell).to_variant()]).booleanize()
            })?;
            drop(lent);
            map.fill(region, filled, None);
            Ok(())
        })
    }

    /// The cells, the diagonal mode and the weights of an `AStarGrid2D`. Weights have to be whole numbers
    /// from 1 to 255; a move costs its length times the mean of the weights of its two cells.
    #[func]
    fn fill_from_astar(&mut self, grid: Option<Gd<AStarGrid2D>>) -> Code {
        self.attempt(|map| {
            let grid = grid.ok_or_else(|| Problem::argument("there is no grid; pass an AStarGrid2D"))?;
            if grid.is_dirty() {
                return Err(Problem::early("the AStarGrid2D has changed; call its update() first"));
            }
            let region = Region::new(grid.get_region())?;
            let mut weights = Vec::with_capacity(region.width as usize * region.height as usize);
            let filled = Map::from_fn(region.width, region.height, |cell| {
                let cell = region.outer(cell);
                weights.push(grid.get_point_weight_scale(cell));
                !grid.is_point_solid(cell)
            })?;
            let weights = whole_weights(&weights, region)?;
            let pixels = (region.width > 1 && region.height > 1).then(|| {
                let first = region.outer(Cell::new(0, 0));
                Pixels::new(|cell| grid.get_point_position(first + cell)).moved(first)
            });
            map.diagonal_mode = mode_of(grid.get_diagonal_mode())?;
            map.fill(region, filled, pixels);
            match weights {
                Some(weights) => map.ground()?.set_weights(weights),
                None => Ok(()),
            }
        })
    }

    /// Bright pixels are free, dark and transparent ones solid. The first pixel is the cell `origin`.
    #[func]
    fn fill_from_image(
        &mut self,
        image: Option<Gd<Image>>,
        #[opt(default = Vector2i::ZERO)] origin: Vector2i,
    ) -> Code {
        self.attempt(|map| {
            let image = image.ok_or_else(|| Problem::argument("there is no image; pass an Image"))?;
            let region = Region::new(Rect2i::new(origin, image.get_size()))?;
            let mut pixels = Image::create_empty(image.get_width(), image.get_height(), false, Format::RGBA8)
                .ok_or_else(|| Problem::argument("the image is too large"))?;
            pixels.copy_from(&image);
            if pixels.is_compressed() && pixels.decompress() != Code::OK {
                return Err(Problem::argument("the image cannot be decompressed; import it as lossless"));
            }
            pixels.clear_mipmaps();
            pixels.convert(Format::RGBA8);
            let data = pixels.get_data();
            let bytes = data.as_slice();
            let filled = Map::from_fn(region.width, region.height, |cell| {
                let at = 4 * (cell.y as usize * region.width as usize + cell.x as usize);
                bytes.get(at..at + 4).is_some_and(is_bright)
            })?;
            map.fill(region, filled, None);
            Ok(())
        })
    }

    /// Bytes other than 0 are free cells, row after row. The first is the cell `origin`.
    #[func]
    fn fill_from_bytes(
        &mut self,
        width: i32,
        bytes: PackedByteArray,
        #[opt(default = Vector2i::ZERO)] origin: Vector2i,
    ) -> Code {
        self.attempt(|map| {
            let (columns, count) = (usize::try_from(width).unwrap_or(0), bytes.len());
            if columns == 0 || count == 0 || count % columns != 0 {
                let message = format!("{count} bytes are no rows of {width} cells");
                return Err(Problem::argument(message));
            }
            let height = i32::try_from(count / columns).unwrap_or(i32::MAX);
            let region = Region::new(Rect2i::new(origin, Vector2i::new(width, height)))?;
            let bytes = bytes.as_slice();
            let at = |cell: Cell| cell.y as usize * columns + cell.x as usize;
            let filled = Map::from_fn(region.width, region.height, |cell| bytes[at(cell)] != 0)?;
            map.fill(region, filled, None);
            Ok(())
        })
    }

    /// Lets cells lie on the screen as those of a layer, wherever they were filled from. Call it after that.
    #[func]
    fn place_like(&mut self, layer: Option<Gd<TileMapLayer>>) -> Code {
        self.attempt(|map| {
            map.pixels = Some(Self::pixels_of(tiles_of(layer.as_ref())?.0));
            Ok(())
        })
    }

    /// The cells of a MovingAI `.map` file or of ASCII art (`.` is free, `#` is solid).
    #[func]
    fn fill_from_file(&mut self, path: GString, #[opt(default = Vector2i::ZERO)] origin: Vector2i) -> Code {
        self.attempt(|map| {
            let filled = Map::from_bytes(&read(&path)?)
                .map_err(|error| Problem::new(Code::ERR_FILE_UNRECOGNIZED, format!("{path}: {error}")))?;
            let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
            let size = Vector2i::new(side(filled.width()), side(filled.height()));
            map.fill(Region::new(Rect2i::new(origin, size))?, filled, None);
            Ok(())
        })
    }
}

impl SurefootMap {
    /// Asks for each tile of a region whether its cell is free.
    fn fill_from_layer(
        &mut self,
        layer: &Gd<TileMapLayer>,
        region: Rect2i,
        is_empty_free: bool,
        is_free: impl Fn(&Gd<TileData>) -> bool,
    ) -> Result<(), Problem> {
        let region = Region::new(region_of(layer, region))?;
        let filled = Map::from_fn(region.width, region.height, |cell| {
            layer.get_cell_tile_data(region.outer(cell)).map_or(is_empty_free, |tile| is_free(&tile))
        })?;
        self.fill(region, filled, Some(Self::pixels_of(layer)));
        Ok(())
    }
}

/// A layer and its tiles, if their neighbours are those of a grid.
fn tiles_of(layer: Option<&Gd<TileMapLayer>>) -> Result<(&Gd<TileMapLayer>, Gd<TileSet>), Problem> {
    let layer = layer.ok_or_else(|| Problem::argument("there is no layer; pass a TileMapLayer"))?;
    let tiles =
        layer.get_tile_set().ok_or_else(|| Problem::early("the layer has no tile set; give it one"))?;
    let is_diamond = matches!(tiles.get_tile_layout(), TileLayout::DIAMOND_DOWN | TileLayout::DIAMOND_RIGHT);
    match tiles.get_tile_shape() {
        TileShape::SQUARE => Ok((layer, tiles)),
        TileShape::ISOMETRIC if is_diamond => Ok((layer, tiles)),
        _ => Err(Problem::argument(
            "tiles of this shape have other neighbours than cells of a grid; square ones will do, and isometric \
             ones of the layouts Diamond Down and Diamond Right",
        )),
    }
}

/// What a layer uses, unless a region is given.
fn region_of(layer: &Gd<TileMapLayer>, region: Rect2i) -> Rect2i {
    if region == Rect2i::default() { layer.get_used_rect() } else { region }
}

fn check_place(what: &str, place: i32, count: i32) -> Result<(), Problem> {
    match (0..count).contains(&place) {
        true => Ok(()),
        false => {
            let message = format!("the tile set has no {what} {place}; it has {count}, counted from 0");
            Err(Problem::new(Code::ERR_DOES_NOT_EXIST, message))
        }
    }
}

fn mode_of(mode: a_star_grid_2d::DiagonalMode) -> Result<DiagonalMode, Problem> {
    use a_star_grid_2d::DiagonalMode as Mode;
    match mode {
        Mode::ALWAYS => Ok(DiagonalMode::Always),
        Mode::NEVER => Ok(DiagonalMode::Never),
        Mode::AT_LEAST_ONE_WALKABLE => Ok(DiagonalMode::AtLeastOneWalkable),
        Mode::ONLY_IF_NO_OBSTACLES => Ok(DiagonalMode::OnlyIfNoObstacles),
        _ => Err(Problem::argument("the AStarGrid2D has a diagonal mode that is not known here")),
    }
}

/// Weights as bytes; `None` if all are 1.
fn whole_weights(weights: &[f32], region: Region) -> Result<Option<Vec<u8>>, Problem> {
    if weights.iter().all(|&weight| weight == 1.0) {
        return Ok(None);
    }
    let cells = (0..region.height).flat_map(|y| (0..region.width).map(move |x| Cell::new(x, y)));
    let whole = |(&weight, cell): (&f32, Cell)| match weight.fract() == 0.0 && (1.0..=255.0).contains(&weight)
    {
        true => Ok(weight as u8),
        false => {
            let cell = region.name(cell);
            let message = format!("cell {cell} has weight {weight}; take whole numbers from 1 to 255");
            Err(Problem::argument(message))
        }
    };
    weights.iter().zip(cells).map(whole).collect::<Result<_, _>>().map(Some)
}

/// Whether a pixel of red, green, blue and opacity makes a free cell: the rule of the library's own images.
fn is_bright(pixel: &[u8]) -> bool {
    let part = |at: usize, share: u32| share * u32::from(pixel[at]);
    let luminance = (part(0, 2126) + part(1, 7152) + part(2, 722)) / 10_000;
    pixel[3] >= 128 && luminance >= u32::from(BRIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_taken_as_they_are_or_not_at_all() {
        let region = Region::new(Rect2i::new(Vector2i::new(-1, 0), Vector2i::new(2, 2))).unwrap();
        assert_eq!(whole_weights(&[1.0; 4], region).unwrap(), None);
        assert_eq!(whole_weights(&[1.0, 2.0, 255.0, 1.0], region).unwrap(), Some(vec![1, 2, 255, 1]));
        for odd in [0.0, 1.5, -1.0, 256.0, f32::NAN, f32::INFINITY] {
            let message = whole_weights(&[1.0, 1.0, 1.0, odd], region).unwrap_err().message;
            assert!(message.starts_with("cell (0, 1) has weight"), "{message}");
        }
    }

    #[test]
    fn bright_and_opaque_pixels_are_free() {
        assert!(is_bright(&[128, 128, 128, 255]) && is_bright(&[0, 255, 0, 128]));
        assert!(!is_bright(&[127, 127, 127, 255]) && !is_bright(&[255, 255, 255, 127]));
        assert!(!is_bright(&[255, 0, 255, 255]));
    }
}
