//! What a map is made of, before it is decided who can walk on it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::grid::check_size;
use super::{Cell, Grid, NameError, SpaceError};

/// What a terrain letter stands for in `MovingAI` maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Terrain {
    /// `.` and `G`.
    Ground,
    /// `S`.
    Swamp,
    /// `W`.
    Water,
    /// `T`.
    Trees,
    /// `@` and `O`.
    OutOfMap,
    /// Any other letter.
    Other,
}

impl Terrain {
    /// What `letter` stands for, in either case. `None` if it is no terrain letter.
    #[must_use]
    pub const fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            b'.' | b'G' => Self::Ground,
            b'S' => Self::Swamp,
            b'W' => Self::Water,
            b'T' => Self::Trees,
            b'@' | b'O' => Self::OutOfMap,
            b'A'..=b'Z' => Self::Other,
            _ => return None,
        })
    }

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Swamp => "swamp",
            Self::Water => "water",
            Self::Trees => "trees",
            Self::OutOfMap => "out of map",
            Self::Other => "other",
        }
    }
}

/// A set of terrain letters, upper and lower case alike: what one kind of agent can walk on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TerrainSet(u128);

impl TerrainSet {
    /// `.`, `G` and `S`: what agents on foot walk on unless told otherwise.
    pub const GROUND: Self = Self::of_letters(b".GS");
    /// `W`: water is a world of its own, for those who swim.
    pub const WATER: Self = Self::of_letters(b"W");

    /// No letter.
    pub const NONE: Self = Self(0);

    /// The letters of a kind of terrain.
    #[must_use]
    pub const fn of(terrain: Terrain) -> Self {
        let mut set = Self::NONE;
        let mut letter = 0;
        while letter < 128 {
            if let Some(of_letter) = Terrain::of_letter(letter)
                && of_letter as u8 == terrain as u8
            {
                set.0 |= 1 << letter;
            }
            letter += 1;
        }
        set
    }

    /// The letters that are in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn of_letters(letters: &[u8]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < letters.len() {
            bits |=
                1 << (letters[at].to_ascii_uppercase() & 127) | 1 << (letters[at].to_ascii_lowercase() & 127);
            at += 1;
        }
        Self(bits)
    }

    /// Whether `letter` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, letter: u8) -> bool {
        letter < 128 && self.0 >> letter & 1 != 0
    }
}

/// Parses `ground`, `water`, or the letters themselves, as in `.GSW`.
impl FromStr for TerrainSet {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "ground" => Ok(Self::GROUND),
            "water" => Ok(Self::WATER),
            letters if !letters.is_empty() && letters.bytes().all(|b| Terrain::of_letter(b).is_some()) => {
                Ok(Self::of_letters(letters.as_bytes()))
            }
            _ => Err(NameError::new(
                "set of terrain letters",
                text,
                ["ground", "water", "terrain letters such as .GSW"].into_iter(),
            )),
        }
    }
}

impl fmt::Debug for TerrainSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String =
            (0..128_u8).filter(|b| self.contains(*b) && !b.is_ascii_lowercase()).map(char::from).collect();
        write!(f, "TerrainSet({letters})")
    }
}

/// A map with its terrain letters, as files have it. [`TerrainMap::grid`] makes the world of one kind of
/// agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerrainMap {
    width: u32,
    height: u32,
    letters: Vec<u8>,
}

impl TerrainMap {
    /// A map from its letters, row by row.
    ///
    /// # Errors
    /// If a side is 0, there are too many cells, or `letters` does not fill the rectangle.
    pub fn new(width: u32, height: u32, letters: Vec<u8>) -> Result<Self, SpaceError> {
        check_size(width, height)?;
        if letters.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(SpaceError::WrongLength { width, height, given: letters.len() });
        }
        Ok(Self { width, height, letters })
    }

    /// A map of ground (`.`) and out-of-map (`@`) cells with the shape of `grid`.
    #[must_use]
    pub fn from_grid(grid: &Grid) -> Self {
        let mut letters = alloc::vec![b'@'; grid.cell_count()];
        for y in 0..grid.height() {
            let start = y as usize * grid.width() as usize;
            for (from, to) in grid.row_runs(y) {
                letters[start + from as usize..start + to as usize].fill(b'.');
            }
        }
        Self { width: grid.width(), height: grid.height(), letters }
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The letter at `cell`, if that lies inside.
    #[must_use]
    pub fn letter(&self, cell: Cell) -> Option<u8> {
        (cell.x < self.width && cell.y < self.height)
            .then(|| self.letters[cell.y as usize * self.width as usize + cell.x as usize])
    }

    /// The terrain at `cell`, if that lies inside.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.letter(cell).map(|letter| Terrain::of_letter(letter).unwrap_or(Terrain::Other))
    }

    /// The letters of the map, a slice per row.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.letters.chunks_exact(self.width as usize)
    }

    /// The world of an agent that can walk on `passable`.
    #[must_use]
    pub fn grid(&self, passable: TerrainSet) -> Grid {
        let mut rows = self.letters.iter();
        Grid::from_fn(self.width, self.height, |_| {
            rows.next().is_some_and(|&letter| passable.contains(letter))
        })
        .expect("the size was checked when the map was made")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_see_their_own_terrain() {
        let map = TerrainMap::new(4, 2, b".GsWT@OX".to_vec()).unwrap();
        let on_foot = map.grid(TerrainSet::GROUND);
        assert_eq!(on_foot.free_cells().map(|cell| cell.x).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(map.grid(TerrainSet::WATER).free_count(), 1);
        assert_eq!(map.grid(".WTX".parse().unwrap()).free_count(), 4);
        assert_eq!(map.terrain(Cell::new(3, 1)), Some(Terrain::Other));
        assert_eq!(map.terrain(Cell::new(4, 0)), None);
    }

    #[test]
    fn sets_refuse_what_is_no_letter() {
        assert!("".parse::<TerrainSet>().is_err());
        assert!(".G#".parse::<TerrainSet>().is_err());
        assert_eq!("ground".parse(), Ok(TerrainSet::GROUND));
        assert_eq!(TerrainSet::of(Terrain::Ground).or(TerrainSet::of(Terrain::Swamp)), TerrainSet::GROUND);
        assert_eq!(TerrainSet::of(Terrain::Water), TerrainSet::WATER);
        assert!(!TerrainSet::NONE.contains(b'.'));
    }

    #[test]
    fn a_grid_becomes_a_map_and_comes_back() {
        let grid = Grid::from_fn(70, 3, |cell| (cell.x * 7 + cell.y) % 3 != 0).unwrap();
        assert_eq!(TerrainMap::from_grid(&grid).grid(TerrainSet::GROUND), grid);
    }
}
