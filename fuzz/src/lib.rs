//! What fuzz targets share.

use surefoot::crowd::{Crowd, CrowdConfig, Kind, Priority};
use surefoot::formats::grid_from_art;
use surefoot::space::{Cell, CellWeights, CostModel, GridSpace, Link, MoveRule};
use xxhash_rust::xxh3::xxh3_64;

/// The version of saved crowds. Bytes of any other are refused before they are looked at.
pub const SAVED_CROWD: u32 = 6;

/// The envelope of saved things around a body: without the right checksum every change would be refused for
/// that alone.
#[must_use]
pub fn seal(label: &[u8; 8], version: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = label.to_vec();
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(body);
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The body in an envelope. `None` if the bytes are too few to be one.
#[must_use]
pub fn unseal(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(20..bytes.len().checked_sub(8)?)
}

/// A small map with rooms, a door and a pillar.
const MAP: &str = "\
..........
.####.###.
.#....#...
.#.##.#.#.
.#..#...#.
.####.###.
..........
....#.....
";

/// The spaces of the map under all rules and costs.
#[must_use]
pub fn small_spaces() -> Vec<GridSpace> {
    let grid = grid_from_art(MAP).expect("a small map");
    let all = MoveRule::ALL.into_iter().flat_map(|rule| CostModel::ALL.map(|costs| (rule, costs)));
    all.map(|(rule, costs)| GridSpace::new(grid.clone(), rule, costs)).collect()
}

/// Crowds of three kinds, the first with links, the second with weights and a link, the third large. In the
/// second crowd units are obstacles.
#[must_use]
pub fn linked_crowds() -> [Crowd; 2] {
    [false, true].map(|are_obstacles| {
        let grid = grid_from_art(MAP).expect("a small map");
        let config = CrowdConfig::default().with_units_as_obstacles(are_obstacles).with_parallel(false);
        let weights = CellWeights::from_fn(10, 8, |cell| 1 + (cell.x / 3) as u8).expect("weights of the map");
        let mut crowd = Crowd::with_config(grid, config);
        let link = |from, to, moves| Link { from: Cell::from(from), to: Cell::from(to), moves };
        let kinds = [
            Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_links([link((0, 0), (9, 7), 2), link((3, 2), (9, 3), 1)]),
            Kind::new(MoveRule::Squeeze, CostModel::Diagonal14).with_weights(weights).with_links([link((9, 0), (0, 7), 4)]),
            Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_size(2),
        ];
        let kinds = kinds.map(|kind| crowd.add_kind(kind).expect("a kind of units"));
        for (kind, start, goal) in
            [(kinds[0], (0, 0), (9, 6)), (kinds[0], (2, 2), (0, 6)), (kinds[1], (9, 0), (0, 7)), (kinds[2], (0, 6), (8, 6))]
        {
            crowd.add(kind, start.into(), goal.into(), Priority::Normal).expect("both are free");
        }
        crowd
    })
}
