//! Maps made from a seed, and maps made larger.
//!
//! A generator fills a canvas of letters. All of them work with whole numbers only, so that a seed stands
//! for the same bytes on every machine, and take time in proportion to the number of cells.

mod canvas;
mod caves;
mod game;
mod maze;
mod noise;
mod random_cells;
mod rooms;
mod scale;
mod symmetry;

pub use scale::{keep_largest, scale_blocks, scale_smooth};
pub use symmetry::Symmetry;

use std::fmt;
use std::str::FromStr;

use self::canvas::Canvas;
use surefoot::space::{SpaceError, TerrainMap};

/// A kind of map that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MapKind {
    /// Rooms of many sizes, all connected by doors.
    Rooms,
    /// A perfect maze: exactly one way between any two places.
    Maze,
    /// Caves grown by a cellular automaton.
    Caves,
    /// Single obstacles at random.
    Random,
    /// A game's map: woods, lakes, rivers, mountains with caves, buildings.
    Game,
}

impl MapKind {
    /// Every kind, in the order in which help texts list them.
    pub const ALL: [Self; 5] = [Self::Rooms, Self::Maze, Self::Caves, Self::Random, Self::Game];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rooms => "rooms",
            Self::Maze => "maze",
            Self::Caves => "caves",
            Self::Random => "random",
            Self::Game => "game",
        }
    }

    /// What such a map looks like, in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Rooms => "rooms of many sizes, all connected by doors",
            Self::Maze => "a perfect maze; corridors are 1 wide, wider on maps above 2000 cells a side",
            Self::Caves => "caves of a cellular automaton, some of them closed off",
            Self::Random => "35 % of the cells blocked, each by chance",
            Self::Game => {
                "a game's map: fields, woods, swamps, lakes, rivers with fords, mountains, buildings"
            }
        }
    }
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MapKind {
    type Err = UnknownMapKind;

    fn from_str(text: &str) -> Result<Self, UnknownMapKind> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| UnknownMapKind { given: text.to_owned() })
    }
}

/// A name that is no kind of map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of map \"{given}\"; expected one of: {}", MapKind::ALL.map(MapKind::name).join(", "))]
pub struct UnknownMapKind {
    given: String,
}

/// Makes a map. The same arguments give the same map on every machine, and at least one cell is ground.
///
/// # Errors
/// If a side is 0 or there are too many cells.
pub fn generate(kind: MapKind, width: u32, height: u32, seed: u64) -> Result<TerrainMap, SpaceError> {
    let mut canvas = Canvas::new(width, height)?;
    match kind {
        MapKind::Rooms => rooms::fill(&mut canvas, seed),
        MapKind::Maze => maze::fill(&mut canvas, seed),
        MapKind::Caves => caves::fill(&mut canvas, seed),
        MapKind::Random => random_cells::fill(&mut canvas, seed),
        MapKind::Game => game::fill(&mut canvas, seed),
    }
    // On the smallest maps chance may leave nowhere to stand.
    if !canvas.letters().iter().any(|&letter| canvas::is_ground(letter)) {
        canvas.set(width / 2, height / 2, canvas::GROUND);
    }
    canvas.into_map()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::space::{Grid, GridComponents, MoveRule, TerrainSet};

    /// FNV-1a over size and letters.
    pub(super) fn fingerprint(map: &TerrainMap) -> u64 {
        let size = [map.width().to_le_bytes(), map.height().to_le_bytes()].concat();
        size.iter().chain(map.rows().flatten()).fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    fn ground(map: &TerrainMap) -> Grid {
        map.grid(TerrainSet::GROUND)
    }

    fn largest_share(grid: &Grid, rule: MoveRule) -> f64 {
        let components = GridComponents::new(grid, rule);
        components.size(components.largest().unwrap()) as f64 / grid.free_count() as f64
    }

    #[test]
    fn a_seed_stands_for_the_same_bytes_for_ever() {
        for (kind, golden) in MapKind::ALL.into_iter().zip(GOLDEN) {
            let map = generate(kind, 83, 61, 42).unwrap();
            assert_eq!(fingerprint(&map), golden, "{kind}");
            assert_eq!(map, generate(kind, 83, 61, 42).unwrap());
            assert_ne!(map, generate(kind, 83, 61, 43).unwrap(), "{kind}");
        }
    }

    const GOLDEN: [u64; 5] = [
        8_091_779_681_471_274_585,
        4_370_152_329_419_758_391,
        11_740_242_075_351_051_991,
        6_932_655_817_992_881_529,
        5_788_076_463_977_069_329,
    ];

    #[test]
    fn every_size_works_and_has_ground() {
        let sizes = (1..=9).flat_map(|w| (1..=9).map(move |h| (w, h)));
        for (width, height) in sizes.chain([(1, 300), (300, 1), (2, 97), (64, 65), (127, 33), (257, 256)]) {
            for kind in MapKind::ALL {
                for seed in 0..3 {
                    let map = generate(kind, width, height, seed).unwrap();
                    assert_eq!((map.width(), map.height()), (width, height));
                    assert!(ground(&map).free_count() > 0, "{kind} {width} x {height} seed {seed}");
                }
            }
        }
    }

    #[test]
    fn sizes_that_no_map_has_are_refused() {
        for kind in MapKind::ALL {
            assert!(matches!(generate(kind, 0, 5, 1), Err(SpaceError::EmptyGrid { .. })));
            assert!(matches!(generate(kind, u32::MAX, 9, 1), Err(SpaceError::TooManyCells { .. })));
        }
    }

    #[test]
    fn rooms_and_mazes_are_connected_and_mazes_have_no_loops() {
        for seed in 0..20 {
            for (width, height) in [(40, 31), (101, 77), (200, 200)] {
                let rooms = ground(&generate(MapKind::Rooms, width, height, seed).unwrap());
                assert_eq!(GridComponents::new(&rooms, MoveRule::NoCut).count(), 1, "seed {seed}");
                let maze = ground(&generate(MapKind::Maze, width, height, seed).unwrap());
                assert_eq!(GridComponents::new(&maze, MoveRule::Cardinal).count(), 1, "seed {seed}");
                // A connected graph without loops has one edge less than vertices.
                let edges: u64 = maze
                    .free_cells()
                    .map(|cell| {
                        let right = surefoot::space::Cell::new(cell.x + 1, cell.y);
                        let below = surefoot::space::Cell::new(cell.x, cell.y + 1);
                        u64::from(maze.is_free(right)) + u64::from(maze.is_free(below))
                    })
                    .sum();
                assert_eq!(edges + 1, maze.free_count());
            }
        }
    }

    #[test]
    fn most_of_a_games_ground_is_connected_and_every_terrain_occurs() {
        for seed in 0..12 {
            for (width, height) in [(64, 64), (150, 90), (300, 300)] {
                let map = generate(MapKind::Game, width, height, seed).unwrap();
                let grid = ground(&map);
                let share = largest_share(&grid, MoveRule::NoCut);
                assert!(share > 0.9, "seed {seed}, {width} x {height}: {share}");
                let open = grid.free_count() as f64 / grid.cell_count() as f64;
                assert!((0.25..0.85).contains(&open), "seed {seed}, {width} x {height}: {open}");
                if width == 300 {
                    for letter in b".WTS@" {
                        assert!(
                            map.rows().flatten().any(|l| l == letter),
                            "seed {seed}: {}",
                            *letter as char
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn random_maps_are_blocked_by_about_35_percent() {
        let grid = ground(&generate(MapKind::Random, 400, 300, 5).unwrap());
        let share = grid.free_count() as f64 / grid.cell_count() as f64;
        assert!((0.64..0.66).contains(&share), "{share}");
    }

    #[test]
    fn names_parse_and_wrong_ones_say_what_is_expected() {
        for kind in MapKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!(
            "cave".parse::<MapKind>().unwrap_err().to_string(),
            "unknown kind of map \"cave\"; expected one of: rooms, maze, caves, random, game"
        );
    }
}
