//! Maps made larger, and maps with what cannot be reached taken away.

use surefoot::space::{GridComponents, MoveRule, SpaceError, TerrainMap, TerrainSet};

use super::canvas::{Canvas, ROCK};
use super::noise::Noise;

/// Each cell becomes a block of `factor` × `factor` cells.
///
/// # Errors
/// If `factor` is 0 or the map would have too many cells.
pub fn scale_blocks(map: &TerrainMap, factor: u32) -> Result<TerrainMap, SpaceError> {
    let mut canvas = enlarged(map, factor)?;
    for (y, row) in (0..).step_by(factor as usize).zip(map.rows()) {
        for (x, &letter) in (0..).step_by(factor as usize).zip(row) {
            canvas.fill(x, y, factor, factor, letter);
        }
    }
    canvas.into_map()
}

/// Full weight in the blends below.
const ONE: u32 = 1024;

/// Each cell becomes about `factor` × `factor` cells, but walls run smoothly between the old cells' centres
/// and are jagged in detail, as on maps that were drawn at this size.
///
/// Ground is what agents on foot walk on by default ([`TerrainSet::GROUND`]). Each new cell blends the four
/// old cells around it; it is ground where the ground among them weighs more than about half, and how much
/// more varies along the walls with noise from `seed`. Its letter is the heaviest one of its side.
///
/// # Errors
/// If `factor` is 0 or the map would have too many cells.
pub fn scale_smooth(map: &TerrainMap, factor: u32, seed: u64) -> Result<TerrainMap, SpaceError> {
    let mut canvas = enlarged(map, factor)?;
    let source: Vec<&[u8]> = map.rows().collect();
    // The old cells that each new row or column lies between, and the weight of the second.
    let blend = |at: u32, sides: u32| {
        // In halves of a new cell: where the new cell's centre lies from the first old cell's centre.
        let place = i64::from(2 * at + 1) - i64::from(factor);
        let step = 2 * i64::from(factor);
        let first = place.div_euclid(step);
        let weight = (place.rem_euclid(step) * i64::from(ONE) / step) as u32;
        let inside = |cell: i64| cell.clamp(0, i64::from(sides) - 1) as usize;
        (inside(first), inside(first + 1), weight)
    };
    let columns: Vec<_> = (0..canvas.width()).map(|x| blend(x, map.width())).collect();
    // Small factors leave a passage few cells: noise must not close them. From 6 on there is no need to hold
    // it back.
    let most_jagged = if factor < 6 { 48 * (factor as i32 - 1) } else { ONE as i32 / 2 };
    let mut noise = Noise::new(seed, 8.min(factor.max(2)), 2, 70);
    let mut heights = vec![0; canvas.width() as usize];
    for y in 0..canvas.height() {
        let (above, below, down) = blend(y, map.height());
        let (above, below) = (source[above], source[below]);
        noise.fill_row(y, &mut heights);
        for (cell, (&(left, right, across), &height)) in
            canvas.row_mut(y).iter_mut().zip(columns.iter().zip(&heights))
        {
            let corners = [
                (above[left], (ONE - across) * (ONE - down)),
                (above[right], across * (ONE - down)),
                (below[left], (ONE - across) * down),
                (below[right], across * down),
            ];
            // Walls move by up to two fifths of an old cell to either side, mostly far less.
            let jag = ((height - Noise::HIGHEST / 2) * 4 / 5).clamp(-most_jagged, most_jagged);
            let threshold = ONE as i32 / 2 + jag;
            *cell = blended(corners, threshold as u32 * ONE);
        }
    }
    canvas.into_map()
}

/// The letter of a cell that blends four: ground if ground weighs at least `threshold`.
fn blended(corners: [(u8, u32); 4], threshold: u32) -> u8 {
    let is_ground = |letter: u8| TerrainSet::GROUND.contains(letter);
    if corners.iter().all(|corner| corner.0 == corners[0].0) {
        return corners[0].0;
    }
    let weigh = |wanted: &dyn Fn(u8) -> bool| -> u32 {
        corners.iter().filter(|corner| wanted(corner.0)).map(|corner| corner.1).sum()
    };
    let ground = weigh(&is_ground);
    let becomes_ground = ground > 0 && (ground == ONE * ONE || ground >= threshold);
    corners
        .iter()
        .map(|corner| corner.0)
        .filter(|&letter| is_ground(letter) == becomes_ground)
        .max_by_key(|&letter| (weigh(&|other| other == letter), std::cmp::Reverse(letter)))
        .unwrap_or(ROCK)
}

fn enlarged(map: &TerrainMap, factor: u32) -> Result<Canvas, SpaceError> {
    // A product too large for 32 bits is too large for a map, whatever its exact value.
    Canvas::new(map.width().saturating_mul(factor), map.height().saturating_mul(factor))
}

/// The map with all `passable` cells outside the largest component turned into rock.
#[must_use]
pub fn keep_largest(map: &TerrainMap, passable: TerrainSet, rule: MoveRule) -> TerrainMap {
    let components = GridComponents::new(&map.grid(passable), rule);
    let largest = components.largest();
    let mut letters = map.rows().flatten().copied().collect::<Vec<u8>>();
    for (y, row) in (0..).zip(letters.chunks_exact_mut(map.width() as usize)) {
        for (from, to, component) in components.row(y) {
            if Some(component) != largest {
                row[from as usize..to as usize].fill(ROCK);
            }
        }
    }
    TerrainMap::new(map.width(), map.height(), letters).unwrap_or_else(|_| map.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::{parse_art, write_art};
    use surefoot::space::Cell;

    const ART: &str = "..T\n.SW\n...";

    #[test]
    fn blocks_are_blocks() {
        let map = parse_art(ART.as_bytes()).unwrap();
        let large = scale_blocks(&map, 2).unwrap();
        assert_eq!(write_art(&large), "....TT\n....TT\n..SSWW\n..SSWW\n......\n......\n");
        assert_eq!(scale_blocks(&map, 1).unwrap(), map);
    }

    #[test]
    fn factors_that_make_no_map_are_refused() {
        let map = parse_art(ART.as_bytes()).unwrap();
        for scale in [scale_blocks, |map: &TerrainMap, factor| scale_smooth(map, factor, 1)] {
            assert!(matches!(scale(&map, 0), Err(SpaceError::EmptyGrid { .. })));
            assert!(matches!(scale(&map, u32::MAX), Err(SpaceError::TooManyCells { .. })));
        }
    }

    #[test]
    fn smooth_maps_keep_rooms_doors_and_share_of_ground() {
        // Two rooms with a door one cell wide, and a third room without one.
        let art = "##########\n#...#....#\n#........#\n#...#....#\n##########\n#........#\n##########";
        let map = parse_art(art.as_bytes()).unwrap();
        for seed in 0..10 {
            for factor in [3, 4, 9, 16] {
                let smooth = scale_smooth(&map, factor, seed).unwrap();
                assert_eq!(smooth, scale_smooth(&map, factor, seed).unwrap());
                let grid = smooth.grid(TerrainSet::GROUND);
                let components = GridComponents::new(&grid, MoveRule::NoCut);
                let at = |x: u32, y: u32| Cell::new(x * factor + factor / 2, y * factor + factor / 2);
                assert!(components.same(at(1, 1), at(8, 3)), "factor {factor}, seed {seed}");
                assert!(!components.same(at(1, 1), at(5, 5)), "factor {factor}, seed {seed}");
                let share = grid.free_count() as f64 / grid.cell_count() as f64;
                let blocks = map.grid(TerrainSet::GROUND).free_count() as f64 / 70.0;
                assert!((share - blocks).abs() < 0.12, "{share} {blocks}");
            }
        }
        assert_ne!(scale_smooth(&map, 9, 1).unwrap(), scale_smooth(&map, 9, 2).unwrap());
        assert_ne!(scale_smooth(&map, 9, 1).unwrap(), scale_blocks(&map, 9).unwrap());
    }

    #[test]
    fn passages_and_walls_one_cell_wide_survive() {
        let maze = crate::maps::generate(crate::maps::MapKind::Maze, 41, 31, 3).unwrap();
        for factor in [1, 2, 3, 4, 5, 6, 9, 10, 16] {
            let smooth = scale_smooth(&maze, factor, 7).unwrap();
            let components = GridComponents::new(&smooth.grid(TerrainSet::GROUND), MoveRule::NoCut);
            let at = |x: u32, y: u32| Cell::new(x * factor + factor / 2, y * factor + factor / 2);
            for (x, y) in (0..41).flat_map(|x| (0..31).map(move |y| (x, y))) {
                let free = maze.letter(Cell::new(x, y)) == Some(b'.');
                assert_eq!(components.of(at(x, y)).is_some(), free, "({x}, {y}), factor {factor}");
                assert!(!free || components.same(at(x, y), at(0, 0)), "({x}, {y}), factor {factor}");
            }
        }
        assert_eq!(scale_smooth(&maze, 1, 7).unwrap(), maze);
    }

    #[test]
    fn only_the_largest_component_is_kept() {
        let map = parse_art(b"..#.\n##W.\n...#").unwrap();
        assert_eq!(write_art(&keep_largest(&map, TerrainSet::GROUND, MoveRule::NoCut)), "####\n##W#\n...#\n");
        assert_eq!(
            write_art(&keep_largest(&map, TerrainSet::GROUND, MoveRule::Squeeze)),
            "###.\n##W.\n...#\n"
        );
        assert_eq!(write_art(&keep_largest(&map, TerrainSet::WATER, MoveRule::NoCut)), "..#.\n##W.\n...#\n");
    }
}
