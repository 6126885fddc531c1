//! Where cells are in the world.

use bevy_math::{Vec2, Vec3};
use surefoot::Cell;

/// Where cells lie in the world: any plane, any angle, isometric ones as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The middle of the cell of column 0 and row 0.
    pub origin: Vec3,
    /// From a column to the next.
    pub column: Vec3,
    /// From a row to the next.
    pub row: Vec3,
}

/// Cells of side 1 in two dimensions, the first row at the top.
impl Default for Layout {
    fn default() -> Self {
        Self::flat(1.0)
    }
}

impl Layout {
    /// Two dimensions: squares of this side, the first row at the top.
    #[must_use]
    pub const fn flat(side: f32) -> Self {
        Self { origin: Vec3::ZERO, column: Vec3::new(side, 0.0, 0.0), row: Vec3::new(0.0, -side, 0.0) }
    }

    /// The ground of a world in three dimensions, where y is up: rows lead towards positive z.
    #[must_use]
    pub const fn ground(side: f32) -> Self {
        Self { origin: Vec3::ZERO, column: Vec3::new(side, 0.0, 0.0), row: Vec3::new(0.0, 0.0, side) }
    }

    /// Diamonds of this width and height, as isometric tiles are.
    #[must_use]
    pub const fn isometric(width: f32, height: f32) -> Self {
        let (x, y) = (width / 2.0, height / 2.0);
        Self { origin: Vec3::ZERO, column: Vec3::new(x, -y, 0.0), row: Vec3::new(-x, -y, 0.0) }
    }

    /// The same elsewhere: `origin` is the middle of the first cell.
    #[must_use]
    pub const fn at(self, origin: Vec3) -> Self {
        Self { origin, ..self }
    }

    /// The same with the middle of a map at the origin of the world.
    #[must_use]
    pub fn centred(self, width: u32, height: u32) -> Self {
        let middle = |cells: u32| (cells as f32 - 1.0) / 2.0;
        self.at(-self.column * middle(width) - self.row * middle(height))
    }

    /// A point of the map, in columns and rows, in the world.
    #[must_use]
    pub fn point(&self, (x, y): (f32, f32)) -> Vec3 {
        self.origin + self.column * x + self.row * y
    }

    /// The middle of a cell.
    #[must_use]
    pub fn middle(&self, cell: Cell) -> Vec3 {
        self.point((cell.x as f32, cell.y as f32))
    }

    /// Columns and rows of a point of the world, seen straight onto the plane of the map.
    #[must_use]
    pub fn columns_and_rows(&self, world: Vec3) -> Vec2 {
        let (from, column, row) = (world - self.origin, self.column, self.row);
        let (cc, rr, cr) = (column.dot(column), row.dot(row), column.dot(row));
        let (fc, fr) = (from.dot(column), from.dot(row));
        let area = cc * rr - cr * cr;
        Vec2::new((fc * rr - fr * cr) / area, (fr * cc - fc * cr) / area)
    }

    /// The cell at a point of the world. `None` left of the map or above it, or if the layout has no area.
    #[must_use]
    pub fn cell(&self, world: Vec3) -> Option<Cell> {
        let place = self.columns_and_rows(world) + 0.5;
        let is_inside = |at: f32| (0.0..4.0e9).contains(&at);
        (is_inside(place.x) && is_inside(place.y)).then(|| Cell::new(place.x as u32, place.y as u32))
    }

    /// A point of the map as far off its plane as another point of the world is.
    pub(crate) fn point_above(&self, point: (f32, f32), old: Vec3) -> Vec3 {
        let normal = self.column.cross(self.row).normalize_or_zero();
        self.point(point) + normal * (old - self.origin).dot(normal)
    }
}
