//! What is seen from a cell: the corners that legs lead to.
//!
//! A fan is looked at line by line. How far a line is seen is how far it is free, and no farther than the line before, so that every order of the
//! moves to a cell that is seen is legal. A corner hides what lies behind it, if all legs that would lead there go on from the corner.

use super::corners::Corners;
use super::turns::{COMPASS, Corner, Fan, Sector, Sectors, Turns};
use crate::space::{Cell, Cost, GridSpace, MoveRule};

/// A corner that is seen, and the leg to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) corner: u32,
    /// Where the leg leads.
    pub(super) sector: Sector,
    /// The moves of the leg.
    pub(super) steps: Steps,
}

/// The moves of a leg: so many from line to line, and so many along a line. With diagonal moves, those across are the diagonal ones.
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
    /// Looks into some sectors from a free cell: visits the corners that legs from there lead to. `hides` are the fans in which whoever looks hides what
    /// lies behind: legs along their edges have to lead to what turns within them, too. How many lines were looked at.
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
                lines += self.look_into(fan, from, (wanted, hides), [u32::MAX; 2], &mut visit);
            }
        }
        lines
    }

    /// Visits all corners that a leg could lead to from a free cell, those that others hide included, and some more than once. How many lines were looked at.
    ///
    /// Who sees a cell is seen from there.
    pub(super) fn all_in_view(self, from: Cell, mut visit: impl FnMut(u32)) -> u32 {
        let mut lines = 0;
        for fan in self.turns.fans() {
            let Some(mut front) = Front::new(self, fan, from) else { continue };
            loop {
                front.has_corner = false;
                for (corner, _) in front.corners() {
                    front.has_corner = true;
                    visit(corner);
                }
                if !front.advance() {
                    break;
                }
            }
            lines += front.across + 1;
        }
        lines
    }

    /// Whether a leg leads from one free cell to another, and how many lines were looked at to find out.
    pub(super) fn sees(self, from: Cell, to: Cell) -> (bool, u32) {
        let rule = self.space.rule();
        let steps = Steps::between(rule, from, to);
        let leads = |grows: bool, from: u32, to: u32| if grows { to >= from } else { to <= from };
        let is_by_rows = rule == MoveRule::Cardinal || from.x.abs_diff(to.x) >= from.y.abs_diff(to.y);
        let fan = self.turns.fans().iter().find(|fan| {
            let ((line, at), (to_line, to_at)) = (fan.split(from), fan.split(to));
            fan.by_rows == is_by_rows
                && leads(fan.lines_grow, line, to_line)
                && leads(fan.run_grows, at, to_at)
        });
        let Some(mut front) = fan.and_then(|fan| Front::new(self, fan, from)) else { return (false, 0) };
        // Only what lies as near as the target matters.
        front.most_across = front.most_across.min(steps.across);
        front.reach = if front.reach < steps.along { return (false, 1) } else { steps.along };
        front.has_corner = front.corners().next().is_some();
        while front.reach == steps.along && front.advance() {}
        (front.reach >= steps.along && front.across == steps.across, front.across + 1)
    }

    /// Looks into those sectors of a fan that are wanted, as [`look`](Self::look) does, over no more than so many lines, and so much of each.
    pub(super) fn look_into(
        self,
        fan: &Fan,
        from: Cell,
        (wanted, hides): (Sectors, Sectors),
        [most_lines, most_along]: [u32; 2],
        visit: &mut impl FnMut(Seen),
    ) -> u32 {
        let wants = |sector: Sector| wanted >> sector & 1 != 0;
        let Some(mut front) = Front::new(self, fan, from) else { return 0 };
        front.most_across = front.most_across.min(most_lines);
        front.reach = front.reach.min(most_along);
        let needs_between = wants(fan.between);
        let mut ray = Ray::new(fan.has_along && wants(fan.along), fan.along, fan.beside_along & hides);
        let mut hidden = None;
        for (corner, along) in front.corners() {
            if along > 0 && (ray.is_open() || needs_between) {
                let turn = self.corners.turn(self.turns, corner);
                if ray.meets(turn) {
                    visit(Seen { corner, sector: fan.along, steps: Steps { across: 0, along } });
                }
                if turn.hides(fan.along, fan) {
                    hidden = Some(along);
                    break;
                }
            }
            front.has_corner = true;
        }
        let mut ray = Ray::new(fan.has_across && wants(fan.across), fan.across, fan.beside_across & hides);
        if !needs_between {
            // Nothing but the steps from line to line matters.
            hidden = Some(1);
        }
        loop {
            if let Some(hidden) = hidden {
                front.reach = front.reach.min(hidden - 1);
            }
            if !(needs_between || ray.is_open()) || !front.advance() {
                return front.across + 1;
            }
            let across = front.across;
            hidden = None;
            front.has_corner = false;
            for (corner, along) in front.corners() {
                front.has_corner = true;
                let turn = self.corners.turn(self.turns, corner);
                let sector = if along == 0 { fan.across } else { fan.between };
                let is_met = if along == 0 { ray.meets(turn) } else { turn.stops >> sector & 1 != 0 };
                if is_met {
                    visit(Seen { corner, sector, steps: Steps { across, along } });
                }
                if turn.hides(sector, fan) {
                    if along == 0 && !ray.is_open() {
                        return across + 1;
                    }
                    // Of what lies straight ahead, that which turns in the fan beside this one is still to be seen.
                    hidden = Some(along.max(1));
                    break;
                }
            }
        }
    }
}

/// A line of cells straight ahead, and whom a leg along it is to lead to: who stops it, and who stops arrivals from the fans beside it that are hidden.
struct Ray {
    /// The sector of the line and the fans beside it, as far as there is something to look for.
    open: Sectors,
    sector: Sector,
}

impl Ray {
    fn new(is_wanted: bool, sector: Sector, hidden: Sectors) -> Self {
        Self { open: if is_wanted { 1 << sector | hidden } else { 0 }, sector }
    }

    #[inline]
    fn is_open(&self) -> bool {
        self.open != 0
    }

    /// Whether a leg leads to a corner on the line. What goes on from there need not be looked for.
    #[inline]
    fn meets(&mut self, turn: Corner) -> bool {
        let is_met = turn.stops & self.open != 0;
        if is_met {
            self.open &= !(turn.shadows | turn.leaves & 1 << self.sector);
        }
        is_met
    }
}

/// How far a fan has been looked into: a line, where it was entered, and how far it is seen from there.
///
/// Where no corner lies on what is seen of a line, the next line is as free as this one: a blocked cell that is new would make a corner. So
/// lines are measured only behind corners; on all others only the last cell that is seen moves on, until something is in its way.
struct Front<'a> {
    sight: Sight<'a>,
    fan: &'a Fan,
    line: u32,
    at: u32,
    /// How many cells are seen behind that one.
    reach: u32,
    /// How many lines have been left behind.
    across: u32,
    /// How many steps from line to line are legal in all.
    most_across: u32,
    /// Whether a corner lies on what is seen of the line.
    has_corner: bool,
}

impl<'a> Front<'a> {
    fn new(sight: Sight<'a>, fan: &'a Fan, from: Cell) -> Option<Self> {
        let (line, at) = fan.split(from);
        let space = sight.space;
        let reach = space.run(from, COMPASS[usize::from(fan.along / 2)], u32::MAX >> 1);
        let most_across = space.run(from, COMPASS[usize::from(fan.across / 2)], u32::MAX >> 1);
        let front = Self { sight, fan, line, at, reach, across: 0, most_across, has_corner: false };
        Some(front)
    }

    /// The corners on what is seen of the line, and how far along it they are.
    #[inline]
    fn corners(&self) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let (at, reach) = (self.at, self.reach);
        let all = self.sight.corners.along(self.fan.by_rows, self.line, at, self.fan.run_grows);
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
            let last = self.shifted(self.at, self.reach);
            self.step(1);
            self.measure(last);
            if self.sight.corners.has_between(self.fan.by_rows, self.line, self.range()) {
                return true;
            }
        }
        self.has_corner = false;
        self.pass();
        true
    }

    /// Goes on while no corner is seen.
    fn pass(&mut self) {
        let (fan, sight) = (self.fan, self.sight);
        let is_cardinal = sight.space.rule() == MoveRule::Cardinal;
        let left = self.most_across - self.across;
        let last = fan.join(self.line, self.shifted(self.at, self.reach));
        if !sight.space.grid().is_free(last) {
            // Somebody edited the map, and has not told.
            let along = COMPASS[usize::from(fan.along / 2)];
            self.reach = sight.space.run(fan.join(self.line, self.at), along, self.reach);
        }
        // How often the last cell that is seen can move on with the lines.
        let pace = if is_cardinal {
            u32::MAX
        } else {
            let last = fan.join(self.line, self.shifted(self.at, self.reach));
            sight.space.run(last, COMPASS[usize::from(fan.across / 2)], left)
        };
        let (reach, mut passed) = (self.reach, 0);
        while passed < left {
            // Lines without any corner need not be looked at.
            let next = sight.corners.lines_to_next(fan.by_rows, self.line, fan.lines_grow);
            let lines = next.min(left - passed);
            passed += lines;
            self.step(lines);
            self.reach = reach.saturating_sub(passed.saturating_sub(pace));
            if sight.corners.has_between(fan.by_rows, self.line, self.range()) {
                self.has_corner = true;
                return;
            }
        }
    }

    /// The steps over some lines.
    #[inline]
    fn step(&mut self, lines: u32) {
        self.line = if self.fan.lines_grow { self.line + lines } else { self.line - lines };
        if self.sight.space.rule() != MoveRule::Cardinal {
            self.at = self.shifted(self.at, lines);
        }
        self.across += lines;
    }

    /// What is seen of the line: the first and the last position.
    #[inline]
    fn range(&self) -> (u32, u32) {
        if self.fan.run_grows {
            (self.at, self.at + self.reach)
        } else {
            (self.at.saturating_sub(self.reach), self.at)
        }
    }

    /// Finds out how far a line is seen behind one with corners, of which the cell `last` was the last one that was seen.
    fn measure(&mut self, last: u32) {
        let (fan, space) = (self.fan, self.sight.space);
        let here = fan.join(self.line, self.at);
        let run = space.run(here, COMPASS[usize::from(fan.along / 2)], self.reach);
        let is_free_beyond = || {
            // The step that the last cell would make passes this one.
            let before = if fan.lines_grow { self.line - 1 } else { self.line + 1 };
            run < self.reach || space.grid().is_free(fan.join(before, self.shifted(last, 1)))
        };
        if space.rule() == MoveRule::NoCut && !is_free_beyond() {
            self.reach = self.reach.saturating_sub(1);
        }
        self.reach = self.reach.min(run);
    }

    /// A position so many cells farther along the line. What would lie before the first cell lies far behind the last one.
    #[inline]
    fn shifted(&self, at: u32, by: u32) -> u32 {
        if self.fan.run_grows { at + by } else { at.wrapping_sub(by) }
    }
}
