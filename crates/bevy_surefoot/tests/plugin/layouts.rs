//! Cells in the world, and tiles as cells.

use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::tiles::{cell_of_tile, tile_of_cell};

#[test]
fn points_and_cells_lead_back_to_each_other() {
    let layouts = [
        Layout::default(),
        Layout::flat(16.0).at(Vec3::new(-300.0, 70.0, 4.0)),
        Layout::ground(2.0).centred(64, 48),
        Layout::isometric(64.0, 32.0),
    ];
    for layout in layouts {
        for cell in [Cell::new(0, 0), Cell::new(63, 1), Cell::new(5, 47)] {
            assert_eq!(layout.cell(layout.middle(cell)), Some(cell), "{layout:?}");
            let near = layout.point((cell.x as f32 + 0.4, cell.y as f32 - 0.4));
            assert_eq!(layout.cell(near), Some(cell), "{layout:?}");
        }
        assert_eq!(layout.cell(layout.point((-0.6, 3.0))), None);
        assert_eq!(layout.cell(layout.point((f32::NAN, 3.0))), None);
    }
    let nothing = Layout { origin: Vec3::ZERO, column: Vec3::ZERO, row: Vec3::ZERO };
    assert_eq!(nothing.cell(Vec3::ONE), None);
}

#[test]
fn rows_of_tiles_are_turned_over() {
    assert_eq!(cell_of_tile(5, (2, 0)), Some(Cell::new(2, 4)));
    assert_eq!(cell_of_tile(5, (2, 5)), None);
    assert_eq!(tile_of_cell(5, Cell::new(2, 4)), Some((2, 0)));
    assert_eq!(tile_of_cell(5, Cell::new(2, 5)), None);
}
