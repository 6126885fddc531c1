//! What is seen from a cell: the corners that legs lead to.
//!
//! A fan is looked at line by line. How far a line is seen is how far it is free, and no farther than the
//! line before, so that every order of the moves to a cell that is seen is legal. A corner hides what lies
//! behind it, if all legs that would lead there go on from the corner.

use super::BeaconId;
use super::corners::{Corners, Lines};
use super::ray::Ray;
use super::turns::{COMPASS, Fan, Sectors, TurnSector, Turns};
use crate::space::{Cell, Cost, GridSpace, MoveRule};

/// Runs code for a shape that is known when the program is compiled, so that none of it depends on how a fan
/// lies on the map. A browser's module has to be small: there one code serves all shapes.
macro_rules! with_shape {
    ($shape:expr, $name:ident, $code:expr) => {
        with_shape!($shape, $name, $code, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14)
    };
    ($shape:expr, $name:ident, $code:expr, $($number:literal)*) => {
        match $shape {
            $(#[cfg(not(target_family = "wasm"))] $number => { const $name: u8 = $number; $code })*
            _ => { const $name: u8 = if cfg!(target_family = "wasm") { ANY_SHAPE } else { 15 }; $code }
        }
    };
}

/// Stands for a shape that is known only while the program runs.
const ANY_SHAPE: u8 = 16;

/// A corner that is seen, and the leg to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) corner: BeaconId,
    /// Where the leg leads.
    pub(super) sector: TurnSector,
    /// The moves of the leg.
    pub(super) steps: Steps,
}

/// The moves of a leg: so many from line to line, and so many along a line. With diagonal moves, those across
/// are the diagonal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) across: u32,
    pub(super) along: u32,
}

impl Steps {
    /// Those from one cell to another over free ground.
    #[inline]
    pub(super) fn between(rule: MoveRule, from: Cell, to: Cell) -> Self {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        match rule {
            MoveRule::Cardinal => Self { across: dy, along: dx },
            _ => Self { across: dx.min(dy), along: dx.max(dy) - dx.min(dy) },
        }
    }

    /// What they cost.
    #[inline]
    pub(super) fn cost(self, space: &GridSpace) -> Cost {
        let (across, along) = (u64::from(self.across), u64::from(self.along));
        match space.rule() {
            MoveRule::Cardinal => space.costs().of_steps(across + along, 0),
            _ => space.costs().of_steps(along, across),
        }
    }
}

/// What is needed to look around.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    pub(super) space: &'a GridSpace,
    pub(super) turns: &'a Turns,
    pub(super) corners: &'a Corners,
}

impl<'a> Sight<'a> {
    /// Looks into some sectors from a free cell: visits the corners that legs from there lead to. `hides` are
    /// the fans in which whoever looks hides what lies behind: legs along their edges have to lead to what
    /// turns within them, too. How many lines were looked at.
    #[inline]
    pub(super) fn look(
        self,
        from: Cell,
        sectors: Sectors,
        hides: Sectors,
        mut visit: impl FnMut(Seen),
    ) -> u32 {
        let mut lines = 0;
        for fan in self.turns.fans() {
            let wanted = sectors & (1 << fan.along | 1 << fan.across | 1 << fan.between);
            if wanted != 0 {
                lines += self.look_into(fan, from, (wanted, hides), None, &mut visit);
            }
        }
        lines
    }

    /// Visits all corners that a leg could lead to from a free cell, those that others hide included, and
    /// some more than once. How many lines were looked at.
    ///
    /// Who sees a cell is seen from there.
    pub(super) fn all_in_view(self, from: Cell, mut visit: impl FnMut(BeaconId)) -> u32 {
        let mut lines = 0;
        for fan in self.turns.fans() {
            lines += with_shape!(fan.shape(), SHAPE, Front::<SHAPE>::new(self, fan, from).view(&mut visit));
        }
        lines
    }

    /// Whether a leg leads from one free cell to another, and how many lines were looked at to find out.
    pub(super) fn sees(self, from: Cell, to: Cell) -> (bool, u32) {
        let rule = self.space.rule();
        let leads = |grows: bool, from: u32, to: u32| if grows { to >= from } else { to <= from };
        let is_by_rows = rule == MoveRule::Cardinal || from.x.abs_diff(to.x) >= from.y.abs_diff(to.y);
        let fan = self.turns.fans().iter().find(|fan| {
            let ((line, at), (to_line, to_at)) = (fan.split(from), fan.split(to));
            fan.by_rows == is_by_rows
                && leads(fan.lines_grow, line, to_line)
                && leads(fan.run_grows, at, to_at)
        });
        let Some(fan) = fan else { return (false, 0) };
        with_shape!(
            fan.shape(),
            SHAPE,
            Front::<SHAPE>::new(self, fan, from).sees(Steps::between(rule, from, to))
        )
    }

    /// Looks into those sectors of a fan that are wanted, as [`look`](Self::look) does. Of what is of no use
    /// it need not show anything.
    #[inline]
    pub(super) fn look_into(
        self,
        fan: &Fan,
        from: Cell,
        (wanted, hides): (Sectors, Sectors),
        of_use: Option<Use>,
        visit: &mut impl FnMut(Seen),
    ) -> u32 {
        if of_use.is_some_and(|of_use| of_use.is_none_of(self, fan, from)) {
            return 0;
        }
        with_shape!(fan.shape(), SHAPE, {
            let mut front = Front::<SHAPE>::new(self, fan, from);
            if let Some(of_use) = of_use {
                front.cut(from, of_use);
            }
            front.look((wanted, hides), visit)
        })
    }
}

/// What a corner is to be good for: a way to a goal that costs less than the one that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) goal: Cell,
    pub(super) below: Cost,
}

impl Use {
    /// Whether a way over a cell that is so many steps away costs too much. Then all that is farther in the
    /// same fan does, too: the estimate never falls by more than the steps cost.
    #[inline]
    fn is_beyond(self, sight: Sight<'_>, fan: &Fan, from: Cell, steps: Steps) -> bool {
        let [along, across] = [fan.along, fan.across].map(|sector| COMPASS[usize::from(sector / 2)]);
        let cell = from.after(along, steps.along).after(across, steps.across);
        steps.cost(sight.space) + sight.estimate(cell, self.goal) >= self.below
    }

    /// Whether nothing in a fan is of use.
    #[inline]
    fn is_none_of(self, sight: Sight<'_>, fan: &Fan, from: Cell) -> bool {
        let is_free = |sector: TurnSector| {
            let (dx, dy) = COMPASS[usize::from(sector / 2)].delta();
            let [x, y] = [(from.x, dx), (from.y, dy)].map(|(at, by)| i64::from(at) + i64::from(by));
            x >= 0 && y >= 0 && sight.space.grid().is_free(Cell::new(x as u32, y as u32))
        };
        let is_of_use =
            |sector: TurnSector, steps: Steps| is_free(sector) && !self.is_beyond(sight, fan, from, steps);
        !is_of_use(fan.along, Steps { across: 0, along: 1 })
            && !is_of_use(fan.across, Steps { across: 1, along: 0 })
    }
}

/// How far a fan has been looked into: a line, where it was entered, and how far it is seen from there.
/// `SHAPE` is the fan's.
///
/// Where no corner lies on what is seen of a line, the next line is as free as this one: a blocked cell that
/// is new would make a corner. So lines are measured only behind corners; on all others only the last cell
/// that is seen moves on, until something is in its way.
struct Front<'a, const SHAPE: u8> {
    sight: Sight<'a>,
    lines: &'a Lines,
    fan: &'a Fan,
    line: u32,
    at: u32,
    /// How many cells are seen behind that one.
    reach: u32,
    /// How many lines have been left behind.
    across: u32,
    /// How many lines there are at most.
    most_across: u32,
    /// Whether a corner lies on what is seen of the line.
    has_corner: bool,
}

impl<'a, const SHAPE: u8> Front<'a, SHAPE> {
    const BY_ROWS: u8 = 1;
    const LINES_GROW: u8 = 2;
    const RUN_GROWS: u8 = 4;

    #[inline]
    fn has(fan: &Fan, part: u8) -> bool {
        (if SHAPE == ANY_SHAPE { fan.shape() } else { SHAPE }) & part != 0
    }

    #[inline]
    fn is(&self, part: u8) -> bool {
        Self::has(self.fan, part)
    }

    /// How much farther along each line is entered: by one, where steps from line to line are diagonal.
    #[inline]
    fn slant(&self) -> u32 {
        u32::from(self.is(8))
    }

    #[inline]
    fn new(sight: Sight<'a>, fan: &'a Fan, from: Cell) -> Self {
        let (line, at) = fan.split(from);
        let reach = sight.space.run(from, COMPASS[usize::from(fan.along / 2)], u32::MAX >> 1);
        let most_across = sight.space.run(from, COMPASS[usize::from(fan.across / 2)], u32::MAX >> 1);
        let lines = sight.corners.lines(Self::has(fan, Self::BY_ROWS));
        Self { sight, lines, fan, line, at, reach, across: 0, most_across, has_corner: false }
    }

    /// Leaves out what is of no use, or most of it.
    #[inline]
    fn cut(&mut self, from: Cell, of_use: Use) {
        let is_beyond = |steps: Steps| of_use.is_beyond(self.sight, self.fan, from, steps);
        let least = |most: u32, is_beyond: &dyn Fn(u32) -> bool| {
            if !is_beyond(most) {
                return most;
            }
            let (mut below, mut beyond) = (0, most);
            while beyond - below > 1 + most / 8 {
                let middle = below.midpoint(beyond);
                if is_beyond(middle) { beyond = middle } else { below = middle }
            }
            beyond
        };
        let along = least(self.reach, &|along| is_beyond(Steps { across: 0, along }));
        let across = least(self.most_across, &|across| is_beyond(Steps { across, along: 0 }));
        (self.reach, self.most_across) = (along, across);
    }

    /// Whether a leg of these steps leads somewhere, and how many lines were looked at to find out.
    fn sees(mut self, steps: Steps) -> (bool, u32) {
        // Only what lies as near as the target matters.
        self.most_across = self.most_across.min(steps.across);
        self.reach = if self.reach < steps.along { return (false, 1) } else { steps.along };
        self.has_corner = self.lines.has_between(self.line, self.range());
        while self.reach == steps.along && self.advance() {}
        (self.reach >= steps.along && self.across == steps.across, self.across + 1)
    }

    /// Visits all corners, those that others hide included. How many lines were looked at.
    fn view(mut self, visit: &mut impl FnMut(BeaconId)) -> u32 {
        self.has_corner = self.lines.has_between(self.line, self.range());
        loop {
            self.corners().for_each(|(corner, _)| visit(corner));
            if !self.advance() {
                return self.across + 1;
            }
        }
    }

    /// Visits the corners that are seen. How many lines were looked at.
    #[inline]
    fn look(mut self, (wanted, hides): (Sectors, Sectors), visit: &mut impl FnMut(Seen)) -> u32 {
        let Sight { turns, corners, .. } = self.sight;
        let fan = self.fan;
        let wants = |sector: TurnSector| wanted >> sector & 1 != 0;
        let needs_between = wants(fan.between);
        let mut ray = Ray::new(fan.has_along && wants(fan.along), fan.along, fan.beside_along & hides);
        let mut hidden = None;
        if self.lines.has_between(self.line, self.range()) {
            for (corner, along) in self.corners() {
                if along > 0 && (ray.is_open() || needs_between) {
                    let turn = corners.turn(turns, corner);
                    if ray.meets(turn) {
                        visit(Seen { corner, sector: fan.along, steps: Steps { across: 0, along } });
                    }
                    if turn.hides(fan.along, fan) {
                        hidden = Some(along);
                        break;
                    }
                }
                self.has_corner = true;
            }
        }
        let mut ray = Ray::new(fan.has_across && wants(fan.across), fan.across, fan.beside_across & hides);
        if !needs_between {
            // Nothing but the steps from line to line matters.
            hidden = Some(1);
        }
        loop {
            if let Some(hidden) = hidden {
                self.reach = self.reach.min(hidden - 1);
            }
            if !(needs_between || ray.is_open()) || !self.advance() {
                return self.across + 1;
            }
            hidden = None;
            if !self.has_corner {
                continue;
            }
            let across = self.across;
            for (corner, along) in self.corners() {
                let turn = corners.turn(turns, corner);
                let sector = if along == 0 { fan.across } else { fan.between };
                let is_met = if along == 0 { ray.meets(turn) } else { turn.stops >> sector & 1 != 0 };
                if is_met {
                    visit(Seen { corner, sector, steps: Steps { across, along } });
                }
                if turn.hides(sector, fan) {
                    if along == 0 && !ray.is_open() {
                        return across + 1;
                    }
                    // Of what lies straight ahead, that which turns in the fan beside this one is still to be
                    // seen.
                    hidden = Some(along.max(1));
                    break;
                }
            }
        }
    }

    /// The corners on what is seen of the line, and how far along it they are.
    #[inline]
    fn corners(&self) -> impl Iterator<Item = (BeaconId, u32)> + use<'a, SHAPE> {
        let (at, reach) = (self.at, self.reach);
        let all = self.lines.along(self.line, at, self.is(Self::RUN_GROWS));
        all.map(move |place| (place.corner, place.position.abs_diff(at)))
            .take_while(move |&(_, along)| along <= reach)
    }

    /// Goes on to the next line on which a corner is seen, or to the last one there is. Whether there is one.
    #[inline]
    fn advance(&mut self) -> bool {
        if self.across == self.most_across {
            return false;
        }
        if self.has_corner {
            self.enter_next();
            if self.lines.has_between(self.line, self.range()) {
                return true;
            }
        }
        self.has_corner = false;
        self.pass();
        true
    }

    /// Goes on while no corner is seen.
    #[inline]
    fn pass(&mut self) {
        let (fan, space) = (self.fan, self.sight.space);
        let left = self.most_across - self.across;
        if left == 0 {
            return;
        }
        self.see_the_last();
        let last = self.join(self.line, self.shifted(self.at, self.reach));
        // How often the last cell that is seen can move on with the lines.
        let pace = match self.slant() {
            0 => u32::MAX,
            _ => space.run(last, COMPASS[usize::from(fan.across / 2)], left),
        };
        // Where diagonal moves pass blocked cells, walls may come nearer line by line without a corner. After
        // so many lines one does.
        let mut known = left;
        if pace < left && matches!(space.rule(), MoveRule::Squeeze | MoveRule::OneFree) {
            let ahead = COMPASS[usize::from((2 * fan.across + 16 - fan.along) & 15) / 2];
            let stays = last.after(COMPASS[usize::from(fan.across / 2)], pace);
            known = pace + space.run(stays, ahead, left - pace);
        }
        let (reach, mut passed) = (self.reach, 0);
        while passed < known {
            let next = if self.is(Self::LINES_GROW) { self.line + 1 } else { self.line - 1 };
            // Bands of lines without a corner need not be looked at line by line. While they pass, what is
            // seen moves on.
            let empty = self.lines.empty_lines(next, self.is(Self::LINES_GROW), |lines| {
                self.stretch(self.at, self.reach + lines * self.slant())
            });
            let lines = empty.clamp(1, known - passed);
            passed += lines;
            self.step(lines);
            self.reach = reach.saturating_sub(passed.saturating_sub(pace));
            if empty == 0 && self.lines.has_between(self.line, self.range()) {
                self.has_corner = true;
                return;
            }
        }
        if known < left {
            // The last cell cannot go on, and the one ahead of it is blocked. The next line is looked at like
            // one behind a corner.
            self.has_corner = true;
        }
    }

    /// Takes back what is not seen: the last cell may be blocked where no corner tells, or somebody edited
    /// the map, and has not told.
    #[inline]
    fn see_the_last(&mut self) {
        let space = self.sight.space;
        if !space.grid().is_free(self.join(self.line, self.shifted(self.at, self.reach))) {
            let along = COMPASS[usize::from(self.fan.along / 2)];
            self.reach = space.run(self.join(self.line, self.at), along, self.reach);
        }
    }

    /// The steps over some lines.
    #[inline]
    fn step(&mut self, lines: u32) {
        self.line = if self.is(Self::LINES_GROW) { self.line + lines } else { self.line - lines };
        self.at = self.shifted(self.at, lines * self.slant());
        self.across += lines;
    }

    /// What is seen of the line: the first and the last position.
    #[inline]
    fn range(&self) -> (u32, u32) {
        self.stretch(self.at, self.reach)
    }

    /// The first and the last position of so many cells behind one.
    #[inline]
    fn stretch(&self, at: u32, reach: u32) -> (u32, u32) {
        if self.is(Self::RUN_GROWS) { (at, at + reach) } else { (at.saturating_sub(reach), at) }
    }

    /// Goes on from a line with corners to the next one, and finds out how far that is seen. A blocked cell
    /// that is new lies next to a corner, or at the end.
    #[inline]
    fn enter_next(&mut self) {
        let space = self.sight.space;
        self.see_the_last();
        let (before, at, last) = (self.line, self.at, self.shifted(self.at, self.reach));
        let corners = self.corners();
        self.step(1);
        let is_free = |line: u32, position: u32| space.grid().is_free(self.join(line, position));
        let mut reach = self.reach;
        'corners: for (_, along) in corners {
            for near in along.saturating_sub(1).max(self.slant() + 1)..=along + 1 {
                if near - self.slant() >= reach {
                    break 'corners;
                }
                if !is_free(self.line, self.shifted(at, near)) {
                    reach = near - self.slant() - 1;
                    break 'corners;
                }
            }
        }
        if reach == self.reach && reach > 0 {
            // The last cell's steps: across, and on. The latter passes the cell behind the last one.
            let is_across_seen = reach == self.slant() || is_free(self.line, last);
            let is_seen = is_across_seen
                && is_free(self.line, self.shifted(self.at, reach))
                && (space.rule() != MoveRule::NoCut || is_free(before, self.shifted(last, 1)));
            reach -= u32::from(!is_across_seen) * self.slant() + u32::from(!is_seen);
        }
        self.reach = reach;
    }

    /// The cell at a position on a line.
    #[inline]
    fn join(&self, line: u32, position: u32) -> Cell {
        if self.is(Self::BY_ROWS) { Cell::new(position, line) } else { Cell::new(line, position) }
    }

    /// A position so many cells farther along the line. What would lie before the first cell lies far behind
    /// the last one.
    #[inline]
    fn shifted(&self, at: u32, by: u32) -> u32 {
        if self.is(Self::RUN_GROWS) { at + by } else { at.wrapping_sub(by) }
    }
}
