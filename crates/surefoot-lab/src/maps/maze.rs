//! A perfect maze by depth-first search: go to a random neighbour that was never visited, back up where there
//! is none. Corridors wind far before they end, which is what makes such mazes hard for local search.
//!
//! The maze is drawn on chambers a corridor wide with walls of 1 between them. The way back is not a stack
//! but a direction kept in each chamber, one byte.

use super::canvas::{Canvas, GROUND};
use crate::random::Rng;

/// On maps with a side of this many cells and each multiple of it, corridors get wider by 1.
const CELLS_PER_EXTRA_WIDTH: u32 = 2000;

pub(super) fn fill(canvas: &mut Canvas, seed: u64) {
    let corridor = 1 + canvas.width().max(canvas.height()) / CELLS_PER_EXTRA_WIDTH;
    // Thin maps cannot hold corridors of full width.
    let corridor = corridor.min(canvas.width()).min(canvas.height());
    let pitch = corridor + 1;
    let (columns, rows) = ((canvas.width() + 1) / pitch, (canvas.height() + 1) / pitch);
    carve(canvas, seed, corridor, columns, rows);
}

/// How a chamber was entered.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Entered {
    Not,
    FromWest,
    FromEast,
    FromNorth,
    FromSouth,
    First,
}

fn carve(canvas: &mut Canvas, seed: u64, corridor: u32, columns: u32, rows: u32) {
    let pitch = corridor + 1;
    let mut rng = Rng::new(seed, 0);
    let mut entered = vec![Entered::Not; columns as usize * rows as usize];
    let place = |x: u32, y: u32| y as usize * columns as usize + x as usize;
    let (mut x, mut y) = (rng.below(u64::from(columns)) as u32, rng.below(u64::from(rows)) as u32);
    entered[place(x, y)] = Entered::First;
    canvas.fill(x * pitch, y * pitch, corridor, corridor, GROUND);
    loop {
        let mut choices = [(0, 0, Entered::Not); 4];
        let mut count = 0;
        let mut offer = |next_x: u32, next_y: u32, from| {
            // Numbers below 0 wrap round and fail the same comparison.
            if next_x < columns && next_y < rows && entered[place(next_x, next_y)] == Entered::Not {
                choices[count] = (next_x, next_y, from);
                count += 1;
            }
        };
        offer(x + 1, y, Entered::FromWest);
        offer(x.wrapping_sub(1), y, Entered::FromEast);
        offer(x, y + 1, Entered::FromNorth);
        offer(x, y.wrapping_sub(1), Entered::FromSouth);
        if count > 0 {
            let (next_x, next_y, from) = choices[rng.below(count as u64) as usize];
            entered[place(next_x, next_y)] = from;
            // The wall between the two chambers, and the new chamber.
            match from {
                Entered::FromWest | Entered::FromEast => {
                    canvas.fill(x.max(next_x) * pitch - 1, y * pitch, 1, corridor, GROUND);
                }
                _ => canvas.fill(x * pitch, y.max(next_y) * pitch - 1, corridor, 1, GROUND),
            }
            canvas.fill(next_x * pitch, next_y * pitch, corridor, corridor, GROUND);
            (x, y) = (next_x, next_y);
        } else {
            match entered[place(x, y)] {
                Entered::FromWest => x -= 1,
                Entered::FromEast => x += 1,
                Entered::FromNorth => y -= 1,
                Entered::FromSouth => y += 1,
                Entered::First | Entered::Not => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::space::{GridComponents, MoveRule, TerrainSet};

    #[test]
    fn wide_corridors_make_a_maze_too() {
        let mut canvas = Canvas::new(50, 43).unwrap();
        carve(&mut canvas, 9, 3, 12, 11);
        let grid = canvas.into_map().unwrap().grid(TerrainSet::GROUND);
        assert_eq!(GridComponents::new(&grid, MoveRule::Cardinal).count(), 1);
        // 132 chambers of 9 cells and 131 openings of 3: a tree.
        assert_eq!(grid.free_count(), 132 * 9 + 131 * 3);
    }
}
