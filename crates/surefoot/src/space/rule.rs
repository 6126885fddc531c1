//! Which of the eight neighbours of a cell can be moved to.

use core::fmt;
use core::str::FromStr;

use super::NameError;

/// One of the eight moves. The order is the order of successors: straight moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// x + 1
    East,
    /// x − 1
    West,
    /// y + 1
    South,
    /// y − 1
    North,
    /// x + 1, y + 1
    SouthEast,
    /// x − 1, y + 1
    SouthWest,
    /// x + 1, y − 1
    NorthEast,
    /// x − 1, y − 1
    NorthWest,
}

impl Direction {
    /// All directions, in the order of successors.
    pub const ALL: [Self; 8] = [
        Self::East,
        Self::West,
        Self::South,
        Self::North,
        Self::SouthEast,
        Self::SouthWest,
        Self::NorthEast,
        Self::NorthWest,
    ];

    /// How the move changes x and y.
    #[inline]
    #[must_use]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::East => (1, 0),
            Self::West => (-1, 0),
            Self::South => (0, 1),
            Self::North => (0, -1),
            Self::SouthEast => (1, 1),
            Self::SouthWest => (-1, 1),
            Self::NorthEast => (1, -1),
            Self::NorthWest => (-1, -1),
        }
    }

    /// Whether the move changes both x and y.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The direction of a step by (`dx`, `dy`), each −1, 0 or 1 and not both 0.
    #[inline]
    #[must_use]
    pub(crate) const fn from_delta(dx: i32, dy: i32) -> Self {
        match (dx, dy) {
            (1, 0) => Self::East,
            (-1, 0) => Self::West,
            (0, 1) => Self::South,
            (0, -1) => Self::North,
            (1, 1) => Self::SouthEast,
            (-1, 1) => Self::SouthWest,
            (1, -1) => Self::NorthEast,
            _ => Self::NorthWest,
        }
    }
}

/// A set of directions, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DirectionSet(pub u8);

impl DirectionSet {
    /// No direction.
    pub const NONE: Self = Self(0);
    /// All eight.
    pub const ALL: Self = Self(0xff);

    /// Whether `direction` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// The set with `direction` in it.
    #[inline]
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << direction as u8)
    }

    /// The directions in the set, in the order of successors.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let next = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(Direction::ALL[next])
        })
    }
}

/// When a diagonal move is allowed. Straight moves need only their destination free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveRule {
    /// Its destination is free; it may squeeze between two blocked cells.
    Squeeze,
    /// Its destination and at least one of the two cells it passes are free.
    OneFree,
    /// Its destination and both cells that it passes are free: corners are not cut.
    NoCut,
    /// Never: four neighbours.
    Cardinal,
}

impl MoveRule {
    /// Every rule, from the most to the least permissive.
    pub const ALL: [Self; 4] = [Self::Squeeze, Self::OneFree, Self::NoCut, Self::Cardinal];

    /// The moves that are legal in a cell whose free neighbours are `free`.
    #[must_use]
    pub const fn legal_moves(self, free: DirectionSet) -> DirectionSet {
        let straight = free.0 & 0x0f;
        let (east, west) = (free.0 & 1, free.0 >> 1 & 1);
        let (south, north) = (free.0 >> 2 & 1, free.0 >> 3 & 1);
        let allowed = match self {
            Self::Squeeze => 0xf0,
            Self::OneFree => {
                (south | east) << 4 | (south | west) << 5 | (north | east) << 6 | (north | west) << 7
            }
            Self::NoCut => {
                (south & east) << 4 | (south & west) << 5 | (north & east) << 6 | (north & west) << 7
            }
            Self::Cardinal => 0,
        };
        DirectionSet(straight | free.0 & allowed)
    }

    /// Whether the rule has diagonal moves at all.
    #[must_use]
    pub const fn has_diagonals(self) -> bool {
        !matches!(self, Self::Cardinal)
    }

    /// Whether two cells that touch only at a corner can be joined when both cells between them are blocked.
    /// If not, whatever is connected is connected by straight moves.
    #[must_use]
    pub(crate) const fn joins_corners(self) -> bool {
        matches!(self, Self::Squeeze)
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Squeeze => "squeeze",
            Self::OneFree => "one-free",
            Self::NoCut => "no-cut",
            Self::Cardinal => "cardinal",
        }
    }
}

/// Of the legal `moves` after `arrival`, those that lead to cells which the cell before could not move to
/// itself. Whatever it could move to, it could at a lower cost than by two moves through here.
pub(super) fn moves_onwards(rule: MoveRule, arrival: Direction, moves: DirectionSet) -> DirectionSet {
    let (dx, dy) = arrival.delta();
    let is_onwards = |&onwards: &Direction| {
        // Where the move leads, seen from the cell before.
        let (x, y) = (dx + onwards.delta().0, dy + onwards.delta().1);
        if x.abs() > 1 || y.abs() > 1 {
            return true;
        }
        match (x != 0 && y != 0, rule) {
            (false, _) => false,
            (true, MoveRule::Cardinal) => true,
            // A diagonal move from the cell before past this cell, which is free, and past the cell
            // diagonally behind: if that is blocked, the move that leads there from here is illegal.
            (true, MoveRule::NoCut) => !moves.contains(Direction::from_delta(x - 2 * dx, y - 2 * dy)),
            (true, MoveRule::Squeeze | MoveRule::OneFree) => false,
        }
    };
    moves.iter().filter(is_onwards).fold(DirectionSet::NONE, DirectionSet::with)
}

impl fmt::Display for MoveRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MoveRule {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == text)
            .ok_or_else(|| NameError::new("move rule", text, Self::ALL.iter().map(|rule| rule.name())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, South, SouthEast, SouthWest};

    fn set(directions: &[Direction]) -> DirectionSet {
        directions.iter().fold(DirectionSet::NONE, |set, &direction| set.with(direction))
    }

    #[test]
    fn rules_differ_at_corners_only() {
        let free = set(&[East, NorthEast, SouthEast, SouthWest, South]);
        assert_eq!(MoveRule::Squeeze.legal_moves(free), free);
        assert_eq!(MoveRule::OneFree.legal_moves(free), free);
        assert_eq!(MoveRule::NoCut.legal_moves(free), set(&[East, South, SouthEast]));
        assert_eq!(MoveRule::Cardinal.legal_moves(free), set(&[East, South]));
        let between_walls = set(&[NorthEast]);
        assert_eq!(MoveRule::Squeeze.legal_moves(between_walls), between_walls);
        assert_eq!(MoveRule::OneFree.legal_moves(between_walls), DirectionSet::NONE);
    }

    #[test]
    fn deltas_and_directions_agree() {
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            assert_eq!(Direction::from_delta(dx, dy), direction);
            assert_eq!(direction.is_diagonal(), dx != 0 && dy != 0);
        }
    }

    #[test]
    fn names_parse_and_wrong_ones_say_what_is_expected() {
        for rule in MoveRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        let message = "nocut".parse::<MoveRule>().unwrap_err();
        assert_eq!(
            alloc::string::ToString::to_string(&message),
            "unknown move rule \"nocut\"; expected one of: squeeze, one-free, no-cut, cardinal"
        );
        assert_eq!(North.delta(), (0, -1));
    }
}
