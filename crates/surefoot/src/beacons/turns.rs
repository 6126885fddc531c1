//! Where a cheapest path can turn: derived from the nine cells around a turning point, rule by rule.
//!
//! A path is taken apart into legs. A leg is a stretch that can be walked in any order of its moves: all of
//! them lead along one straight and one diagonal direction (or two straight ones, where there are no diagonal
//! moves), and every order is legal. So a leg is known by where it begins and ends, and it arrives from a
//! *sector*: one of eight directions, or one of the eight octants between them.
//!
//! A path that arrives in one sector and leaves by another turns in between. The turn can be part of a
//! cheapest path only if no two moves, the last one of the arrival and the first one of the departure, can be
//! made up for by cheaper ones beside it. And it is needed only if the two legs are not one: if the same two
//! moves in the other order are illegal. Both follow from nine cells. A cell where some turn is needed is a
//! *corner*.

use alloc::boxed::Box;
use alloc::vec;

use crate::space::{Cell, Direction, DirectionSet, MoveRule};

/// The eight directions clockwise, from the east.
pub(super) const COMPASS: [Direction; 8] = [
    Direction::East,
    Direction::SouthEast,
    Direction::South,
    Direction::SouthWest,
    Direction::West,
    Direction::NorthWest,
    Direction::North,
    Direction::NorthEast,
];

/// Where a leg leads: of the sixteen, sector 2d is direction d of the compass, and sector 2d + 1 is what lies
/// between it and the next. Without diagonal moves what lies between two straight directions is the sector of
/// the diagonal one.
pub(super) type TurnSector = u8;

/// A set of sectors, one bit each.
pub(super) type Sectors = u16;

/// The sector that leads back.
#[inline]
pub(super) const fn reverse(sector: TurnSector) -> TurnSector {
    (sector + 8) & 15
}

/// Where a leg from one cell to another leads.
#[inline]
pub(super) fn sector_between(rule: MoveRule, from: Cell, to: Cell) -> TurnSector {
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
    let is_octant = rule != MoveRule::Cardinal && dx != 0 && dy != 0 && wide != high;
    // The quadrant, by its diagonal direction, and how far the octant is from that.
    match (dx >= 0, dy >= 0) {
        _ if dx == 0 => {
            if dy > 0 {
                4
            } else {
                12
            }
        }
        _ if dy == 0 => {
            if dx > 0 {
                0
            } else {
                8
            }
        }
        (true, true) if is_octant => {
            if wide > high {
                1
            } else {
                3
            }
        }
        (false, true) if is_octant => {
            if wide < high {
                5
            } else {
                7
            }
        }
        (false, false) if is_octant => {
            if wide > high {
                9
            } else {
                11
            }
        }
        (true, false) if is_octant => {
            if wide < high {
                13
            } else {
                15
            }
        }
        (true, true) => 2,
        (false, true) => 6,
        (false, false) => 10,
        (true, false) => 14,
    }
}

/// A stretch of cells that a leg may lead to: lines of a grid, each entered one step after the other, and run
/// along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fan {
    /// Whether lines are rows; else they are columns.
    pub(super) by_rows: bool,
    /// Whether lines follow each other to the south or east.
    pub(super) lines_grow: bool,
    /// Whether the run along a line leads to the south or east.
    pub(super) run_grows: bool,
    /// The sector of the run along the first line.
    pub(super) along: TurnSector,
    /// The sector of the steps from line to line.
    pub(super) across: TurnSector,
    /// The sector of all else.
    pub(super) between: TurnSector,
    /// Whether what lies on the first line belongs to this fan; else to the one beside it.
    pub(super) has_along: bool,
    /// The same for the steps from line to line.
    pub(super) has_across: bool,
    /// What lies between, in this fan and in the one on the other side of its first line.
    pub(super) beside_along: Sectors,
    /// The same on both sides of the steps from line to line.
    pub(super) beside_across: Sectors,
}

impl Fan {
    /// How it lies on the map, as a number below 16.
    #[inline]
    pub(super) const fn shape(&self) -> u8 {
        let has_diagonal = self.across & 3 != 0;
        self.by_rows as u8
            | (self.lines_grow as u8) << 1
            | (self.run_grows as u8) << 2
            | (has_diagonal as u8) << 3
    }

    /// The line of a cell, and its position there.
    #[inline]
    pub(super) const fn split(&self, cell: Cell) -> (u32, u32) {
        if self.by_rows { (cell.y, cell.x) } else { (cell.x, cell.y) }
    }
}

/// The sectors so many away, on both sides.
const fn beside(sector: TurnSector, by: TurnSector) -> Sectors {
    1 << ((sector + by) & 15) | 1 << ((sector + 16 - by) & 15)
}

/// What can be seen from a place, under rules with diagonal moves.
const OCTANTS: [Fan; 8] = {
    let mut fans = [QUADRANTS[0]; 8];
    let mut octant = 0;
    while octant < 8 {
        // The straight and the diagonal direction beside it.
        let (straight, diagonal) =
            if octant % 2 == 0 { (octant, octant + 1) } else { ((octant + 1) % 8, octant) };
        let (dx, dy) = COMPASS[diagonal].delta();
        let by_rows = straight % 4 == 0;
        fans[octant] = Fan {
            by_rows,
            lines_grow: if by_rows { dy > 0 } else { dx > 0 },
            run_grows: if by_rows { dx > 0 } else { dy > 0 },
            along: 2 * straight as TurnSector,
            across: 2 * diagonal as TurnSector,
            between: 2 * octant as TurnSector + 1,
            has_along: octant % 2 == 0,
            has_across: octant % 2 == 0,
            beside_along: beside(2 * straight as TurnSector, 1),
            beside_across: beside(2 * diagonal as TurnSector, 1),
        };
        octant += 1;
    }
    fans
};

/// The same without diagonal moves.
const QUADRANTS: [Fan; 4] = {
    const fn quadrant(along: TurnSector, across: TurnSector, between: TurnSector) -> Fan {
        Fan {
            by_rows: true,
            lines_grow: across == 4,
            run_grows: along == 0,
            along,
            across,
            between,
            // Each straight direction belongs to two quadrants.
            has_along: across == 4,
            has_across: along == 0,
            beside_along: beside(along, 2),
            beside_across: beside(across, 2),
        }
    }
    [quadrant(0, 4, 2), quadrant(8, 4, 6), quadrant(8, 12, 10), quadrant(0, 12, 14)]
};

/// What lies around a cell as seen from a turn: which neighbours are free.
#[derive(Clone, Copy)]
struct Around {
    rule: MoveRule,
    free: DirectionSet,
}

type Offset = (i32, i32);

impl Around {
    /// Whether a cell of the nine is free.
    fn is_free(self, (x, y): Offset) -> bool {
        (x, y) == (0, 0) || self.free.contains(Direction::from_delta(x, y))
    }

    /// Whether a move between two of the nine cells is legal.
    fn is_legal(self, from: Offset, direction: Direction) -> bool {
        let (dx, dy) = direction.delta();
        let to = (from.0 + dx, from.1 + dy);
        if to.0.abs() > 1 || to.1.abs() > 1 || !self.is_free(from) || !self.is_free(to) {
            return false;
        }
        let beside = [(to.0, from.1), (from.0, to.1)].map(|cell| self.is_free(cell));
        !direction.is_diagonal()
            || match self.rule {
                MoveRule::Squeeze => true,
                MoveRule::OneFree => beside[0] || beside[1],
                MoveRule::NoCut => beside[0] && beside[1],
                MoveRule::Cardinal => false,
            }
    }

    /// Whether the moves `last` to the middle and `next` from it can be made up for by cheaper ones that
    /// leave it out.
    fn is_cut_short(self, last: Direction, next: Direction) -> bool {
        let (from, to) = ends(last, next);
        let step = |from: Offset, to: Offset| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            (dx.abs().max(dy.abs()) == 1).then(|| Direction::from_delta(dx, dy))
        };
        let diagonals = |a: Direction, b: Direction| u8::from(a.is_diagonal()) + u8::from(b.is_diagonal());
        // To where it came from, by no move at all, or by one.
        if from == to || step(from, to).is_some_and(|direct| self.is_legal(from, direct)) {
            return true;
        }
        (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))).any(|over| {
            over != (0, 0)
                && step(from, over).zip(step(over, to)).is_some_and(|(first, second)| {
                    diagonals(first, second) < diagonals(last, next)
                        && self.is_legal(from, first)
                        && self.is_legal(over, second)
                })
        })
    }

    /// Whether the same two moves are legal in the other order.
    fn can_swap(self, last: Direction, next: Direction) -> bool {
        let (from, _) = ends(last, next);
        let (dx, dy) = next.delta();
        last == next || self.is_legal(from, next) && self.is_legal((from.0 + dx, from.1 + dy), last)
    }
}

/// Where the move `last` to the middle begins, and where the move `next` from it ends.
fn ends(last: Direction, next: Direction) -> (Offset, Offset) {
    let ((lx, ly), to) = (last.delta(), next.delta());
    ((-lx, -ly), to)
}

/// What a corner does to paths, by the free neighbours that it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Corner {
    /// Arrivals that may turn here: legs from there end here.
    pub(super) stops: Sectors,
    /// Departures that turn here, or go on where an arrival has stopped: legs lead there.
    pub(super) leaves: Sectors,
    /// Fans, by the sector between, of which every leg goes on from here: what lies behind is seen from here.
    pub(super) shadows: Sectors,
}

impl Corner {
    /// Whether whoever arrives in a sector of a fan stops here, and goes on from here to all that lies
    /// behind.
    #[inline]
    pub(super) const fn hides(self, arrival: TurnSector, fan: &Fan) -> bool {
        self.stops >> arrival & 1 != 0 && self.shadows >> fan.between & 1 != 0
    }
}

/// The turns of a move rule.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    rule: MoveRule,
    corners: Box<[Corner]>,
    /// For each set of free neighbours and each arrival, the departures that a path may take from here.
    onwards: Box<[[Sectors; 16]]>,
}

impl Turns {
    pub(super) fn new(rule: MoveRule) -> Self {
        let mut turns = Self {
            rule,
            corners: vec![Corner::default(); 256].into_boxed_slice(),
            onwards: vec![[0; 16]; 256].into_boxed_slice(),
        };
        let fans = turns.fans();
        let mut sectors = [(0, [None; 2]); 16];
        for (number, sector) in sectors.iter_mut().enumerate() {
            *sector = moves_of(fans, number as TurnSector);
        }
        for free in 0..=u8::MAX {
            turns.derive(Around { rule, free: DirectionSet(free) }, &sectors);
        }
        turns
    }

    /// Finds out which turns are possible with these neighbours.
    fn derive(&mut self, around: Around, sectors: &[(Sectors, [Option<Direction>; 2]); 16]) {
        let fans = self.fans();
        let free = usize::from(around.free.0);
        let is_legal = |direction: Direction| around.is_legal((0, 0), direction);
        // A move to the middle is as legal as the one back.
        let can_leave =
            sectors.map(|(_, moves)| moves[0].is_some() && moves.into_iter().flatten().all(is_legal));
        let mut corner = Corner::default();
        for arrival in 0..16_u8 {
            let (fans_of_arrival, lasts) = sectors[usize::from(arrival)];
            for departure in 0..16_u8 {
                let (fans_of_departure, nexts) = sectors[usize::from(departure)];
                if !can_leave[usize::from(reverse(arrival))] || !can_leave[usize::from(departure)] {
                    continue;
                }
                let mut pairs = lasts
                    .into_iter()
                    .flatten()
                    .flat_map(|last| nexts.into_iter().flatten().map(move |next| (last, next)));
                if pairs.clone().any(|(last, next)| around.is_cut_short(last, next)) {
                    continue;
                }
                let is_in_one_fan = fans_of_arrival & fans_of_departure != 0;
                self.onwards[free][usize::from(arrival)] |= 1 << departure;
                if !(is_in_one_fan && pairs.all(|(last, next)| around.can_swap(last, next))) {
                    corner.stops |= 1 << arrival;
                    corner.leaves |= 1 << departure;
                }
            }
        }
        corner.leaves |= corner.stops;
        for fan in fans {
            let all = 1 << fan.along | 1 << fan.across | 1 << fan.between;
            if corner.leaves & all == all {
                corner.shadows |= 1 << fan.between;
            }
        }
        self.corners[free] = corner;
    }

    /// What can be seen from a place.
    pub(super) fn fans(&self) -> &'static [Fan] {
        if self.rule == MoveRule::Cardinal { &QUADRANTS } else { &OCTANTS }
    }

    /// What a cell with these free neighbours does to paths. It is a corner if any stop.
    #[inline]
    pub(super) fn corner(&self, free: DirectionSet) -> Corner {
        self.corners[usize::from(free.0)]
    }

    /// The departures by which a path may go on that arrived in a cell with these free neighbours: the others
    /// could be cut short.
    #[inline]
    pub(super) fn onwards(&self, free: DirectionSet, arrival: TurnSector) -> Sectors {
        self.onwards[usize::from(free.0)][usize::from(arrival)]
    }
}

/// The moves that lead into a sector, and the fans that it belongs to, by number; none if there is no such
/// sector.
fn moves_of(fans: &[Fan], sector: TurnSector) -> (Sectors, [Option<Direction>; 2]) {
    let mut found = (0, [None; 2]);
    for (number, fan) in fans.iter().enumerate() {
        let [along, across] = [fan.along, fan.across].map(|sector| Some(COMPASS[usize::from(sector / 2)]));
        let moves = match sector {
            sector if sector == fan.along => [along, None],
            sector if sector == fan.across => [across, None],
            sector if sector == fan.between => [along, across],
            _ => continue,
        };
        found = (found.0 | 1 << number, moves);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_corner_of_no_cut(free: DirectionSet) -> bool {
        [(4, 0, 2), (5, 1, 2), (6, 0, 3), (7, 1, 3)].into_iter().any(|(diagonal, one, other)| {
            let is_free = |bit: u8| free.0 >> bit & 1 == 1;
            !is_free(diagonal) && is_free(one) && is_free(other)
        })
    }

    #[test]
    fn where_corners_are_not_cut_they_are_beside_convex_corners_of_walls() {
        for rule in [MoveRule::NoCut, MoveRule::Cardinal] {
            let turns = Turns::new(rule);
            for free in (0..=u8::MAX).map(DirectionSet) {
                assert_eq!(turns.corner(free).stops != 0, is_corner_of_no_cut(free), "{rule} {free:?}");
            }
        }
    }

    #[test]
    fn where_corners_are_cut_they_are_beside_walls_that_end() {
        for rule in [MoveRule::Squeeze, MoveRule::OneFree] {
            let turns = Turns::new(rule);
            for free in (0..=u8::MAX).map(DirectionSet) {
                let moves = rule.legal_moves(free);
                // A diagonal move past a blocked cell.
                let is_corner =
                    [(4, 0, 2), (5, 1, 2), (6, 0, 3), (7, 1, 3)].into_iter().any(|(diagonal, one, other)| {
                        moves.0 >> diagonal & 1 == 1 && (free.0 >> one & 1 == 0 || free.0 >> other & 1 == 0)
                    });
                let found = turns.corner(free).stops != 0;
                assert!(is_corner || !found, "{rule} {free:?}");
            }
        }
    }

    #[test]
    fn turns_are_the_same_both_ways() {
        for rule in MoveRule::ALL {
            let turns = Turns::new(rule);
            for free in (0..=u8::MAX).map(DirectionSet) {
                for arrival in 0..16_u8 {
                    for departure in 0..16_u8 {
                        let there = turns.onwards(free, arrival) >> departure & 1;
                        let back = turns.onwards(free, reverse(departure)) >> reverse(arrival) & 1;
                        assert_eq!(there, back);
                    }
                }
            }
        }
    }

    #[test]
    fn whoever_stops_what_comes_from_a_fan_hides_what_lies_behind() {
        for rule in MoveRule::ALL {
            let turns = Turns::new(rule);
            for free in (0..=u8::MAX).map(DirectionSet) {
                for fan in turns.fans() {
                    let corner = turns.corner(free);
                    let stops = corner.stops >> fan.between & 1 != 0;
                    assert!(!stops || corner.hides(fan.between, fan), "{rule} {free:?} {fan:?}");
                }
            }
        }
    }

    #[test]
    fn sectors_are_where_legs_lead() {
        let middle = Cell::new(9, 9);
        for rule in [MoveRule::NoCut, MoveRule::Cardinal] {
            let turns = Turns::new(rule);
            for (fan, along, across) in
                turns.fans().iter().flat_map(|fan| (0..4).flat_map(move |a| (0..4).map(move |b| (fan, a, b))))
            {
                if (along, across) == (0, 0) {
                    continue;
                }
                let [run, step] = [fan.along, fan.across].map(|sector| COMPASS[usize::from(sector / 2)]);
                let there = middle.after(run, along).after(step, across);
                let expected = match (along, across) {
                    (_, 0) => fan.along,
                    (0, _) => fan.across,
                    _ => fan.between,
                };
                assert_eq!(sector_between(rule, middle, there), expected, "{rule} {there}");
            }
        }
    }

    #[test]
    fn open_ground_has_no_corner() {
        for rule in MoveRule::ALL {
            assert_eq!(Turns::new(rule).corner(DirectionSet::ALL), Corner::default());
        }
    }
}
