//! From cells to pixels and back.

use godot::builtin::{Transform2D, Vector2, Vector2i};

/// How cells are placed on the screen. Squares and diamonds alike: a step along a row or a column is always
/// the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pixels {
    middles: Transform2D,
}

impl Pixels {
    /// As a function says that gives the middles of cells.
    pub(crate) fn new(middle: impl Fn(Vector2i) -> Vector2) -> Self {
        let origin = middle(Vector2i::ZERO);
        let (right, down) = (middle(Vector2i::new(1, 0)) - origin, middle(Vector2i::new(0, 1)) - origin);
        Self { middles: Transform2D::from_cols(right, down, origin) }
    }

    /// The same where `new` was told of cells that are counted from `first`.
    pub(crate) fn moved(self, first: Vector2i) -> Self {
        let Transform2D { a, b, .. } = self.middles;
        Self { middles: Transform2D::from_cols(a, b, self.middle(-first)) }
    }

    /// Squares or rectangles, of which the first begins at 0.
    pub(crate) fn of_squares(size: Vector2) -> Self {
        let (right, down) = (Vector2::new(size.x, 0.0), Vector2::new(0.0, size.y));
        Self { middles: Transform2D::from_cols(right, down, size / 2.0) }
    }

    pub(crate) fn middle(self, cell: Vector2i) -> Vector2 {
        self.point(cell.to_vector2())
    }

    /// The same between cells.
    pub(crate) fn point(self, place: Vector2) -> Vector2 {
        self.middles * place
    }

    /// The cell at a point. If cells have no size, it is always the first.
    pub(crate) fn cell(self, point: Vector2) -> Vector2i {
        if self.middles.determinant() == 0.0 {
            return Vector2i::ZERO;
        }
        let place = self.middles.affine_inverse() * point;
        Vector2i::new((place.x + 0.5).floor() as i32, (place.y + 0.5).floor() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_the_cells_that_they_are_in() {
        let squares = Pixels::of_squares(Vector2::new(16.0, 8.0));
        assert_eq!(squares.middle(Vector2i::new(-1, 2)), Vector2::new(-8.0, 20.0));
        let diamond = |cell: Vector2i| {
            Vector2::new((cell.x - cell.y) as f32 * 32.0, (cell.x + cell.y) as f32 * 16.0)
                + Vector2::new(5.0, 7.0)
        };
        for pixels in [squares, Pixels::new(diamond)] {
            for cell in [Vector2i::new(-3, -8), Vector2i::ZERO, Vector2i::new(40, -1)] {
                let middle = pixels.middle(cell);
                assert_eq!(pixels.cell(middle), cell);
                assert_eq!(pixels.cell(middle + Vector2::new(7.9, 0.0)), cell);
                assert_eq!(pixels.cell(middle - Vector2::new(0.0, 3.9)), cell);
            }
        }
        assert_eq!(Pixels::new(diamond).middle(Vector2i::new(3, 1)), diamond(Vector2i::new(3, 1)));
        let first = Vector2i::new(-4, 9);
        assert_eq!(Pixels::new(|cell| diamond(first + cell)).moved(first), Pixels::new(diamond));
        assert_eq!(Pixels::of_squares(Vector2::ZERO).cell(Vector2::new(5.0, 5.0)), Vector2i::ZERO);
    }
}
