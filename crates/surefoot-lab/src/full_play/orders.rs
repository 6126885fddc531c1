//! What is ordered before and after each frame.

use surefoot::crowd::{Kind, KindId, Priority, Speed, UnitId, UnitStatus};
use surefoot::space::{Cell, CostModel, Link, MoveRule};

use super::{COMING_KINDS, Fault, FullPlay};

/// So many units of a kind come at a time.
const COMING_UNITS: usize = 10;
/// Links that there are at most.
const MOST_LINKS: usize = 6;
/// A place that is free for a unit is drawn so many times at most.
const MOST_DRAWS: usize = 100;

impl FullPlay {
    fn draw(&mut self, below: usize) -> usize {
        self.random.below(below.max(1) as u64) as usize
    }

    fn draw_unit(&mut self) -> Option<UnitId> {
        let number = self.draw(self.units.len());
        self.units.get(number).copied()
    }

    /// A cell that a unit of a kind can stand on.
    fn draw_cell(&mut self, kind: KindId) -> Result<Cell, Fault> {
        let (width, height) = (self.crowd.map().width(), self.crowd.map().height());
        let is_rock = self.crowd.space(kind).map_err(self.refused())?.grid().free_count() == 0;
        if is_rock {
            return Err(Fault::Wrong {
                frame: self.frame,
                what: format!("kind {kind} has nowhere to stand"),
            });
        }
        loop {
            let cell = Cell::new(self.draw(width as usize) as u32, self.draw(height as usize) as u32);
            if self.crowd.space(kind).map_err(self.refused())?.grid().is_free(cell) {
                return Ok(cell);
            }
        }
    }

    /// Adds a unit of a kind, if there is room where it is to stand. Whether there was.
    pub(super) fn add(&mut self, kind: KindId) -> Result<bool, Fault> {
        for _ in 0..MOST_DRAWS {
            let (start, goal) = (self.draw_cell(kind)?, self.draw_cell(kind)?);
            let number = self.units.len();
            // Where units are obstacles somebody may stand there.
            if let Ok(unit) = self.crowd.add(kind, start, goal, Priority::ALL[number % 3]) {
                if number % 4 == 3 {
                    let speed = Speed::new(1 + number as u32 % 4, 4);
                    self.crowd.set_speed(unit, speed).map_err(self.refused())?;
                }
                self.units.push(unit);
                self.places.insert(unit, start);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All that changes before a frame.
    pub(super) fn give_orders(&mut self) -> Result<(), Fault> {
        let frame = self.frame;
        if frame.is_multiple_of(self.rules.wall_every) {
            self.build_a_wall()?;
        }
        if frame % 20 == 7 {
            for (unit, cell) in self.crowd.push_out() {
                self.places.insert(unit, cell);
                self.tally.pushed_out += 1;
            }
        }
        if frame % 40 == 13 {
            let count = 20 + self.draw(self.units.len() / 5);
            let group: Vec<UnitId> = (0..count).filter_map(|_| self.draw_unit()).collect();
            let goal = self.draw_cell(self.kinds[0])?;
            // Large ones may have no room there.
            let _ = self.crowd.send(group, goal);
        }
        if frame % 30 == 3 {
            self.change_weights()?;
        }
        if frame % 150 == 50 {
            self.change_links()?;
        }
        self.change_kinds()
    }

    /// A wall comes, and after a while it goes.
    fn build_a_wall(&mut self) -> Result<(), Fault> {
        let wall = self.draw_cell(self.kinds[0])?;
        self.walls.push_back(wall);
        self.crowd.set_cell(wall, false).map_err(self.refused())?;
        if self.walls.len() > self.rules.units as usize
            && let Some(wall) = self.walls.pop_front()
        {
            self.crowd.set_cell(wall, true).map_err(self.refused())?;
        }
        Ok(())
    }

    fn change_weights(&mut self) -> Result<(), Fault> {
        let kind = self.kinds[1];
        let (corner, weight) = (self.draw_cell(kind)?, 1 + self.draw(8) as u8);
        let (width, height) = (self.crowd.map().width(), self.crowd.map().height());
        let region = (0..6).flat_map(|y| (0..6).map(move |x| Cell::new(corner.x + x, corner.y + y)));
        let inside = region.filter(|cell| cell.x < width && cell.y < height);
        let weights = inside.map(|cell| (cell, weight));
        self.crowd.set_weights(kind, weights).map(drop).map_err(self.refused())
    }

    fn change_links(&mut self) -> Result<(), Fault> {
        let kind = self.kinds[self.random.below(2) as usize];
        let (from, to) = (self.draw_cell(kind)?, self.draw_cell(kind)?);
        if from != to {
            let moves = 1 + self.draw(20) as u32;
            let link = self.crowd.add_link(kind, Link { from, to, moves }).map_err(self.refused())?;
            self.links.push_back((kind, link));
        }
        if self.links.len() > MOST_LINKS
            && let Some((kind, link)) = self.links.pop_front()
        {
            self.crowd.remove_link(kind, link).map_err(self.refused())?;
        }
        Ok(())
    }

    /// Kinds come, each built in frames while the game runs; of the first one that is cancelled once. When
    /// all are there, all units of one leave, and come back a season later; then it is the next one's turn.
    fn change_kinds(&mut self) -> Result<(), Fault> {
        let (season, within) = (self.frame / self.rules.season, self.frame % self.rules.season);
        match (season, within) {
            (1, 1) => self.cancel_the_build(self.kinds[2])?,
            (1, 6) if !self.is_built(self.kinds[2])? => {
                self.crowd.build_in_frames(self.kinds[2]).map_err(self.refused())?;
            }
            (1..=3, 0) => self.let_a_kind_come(season)?,
            (4.., 0) => {
                let turn = (season - 4) as usize;
                let kind = self.kinds[2 + turn / 2 % COMING_KINDS];
                let is_leaving = turn.is_multiple_of(2);
                return if is_leaving { self.let_units_leave(kind) } else { self.let_units_return(kind) };
            }
            _ => {}
        }
        Ok(())
    }

    fn is_built(&self, kind: KindId) -> Result<bool, Fault> {
        self.crowd.is_built(kind).map_err(self.refused())
    }

    /// What was built in a frame is not to be cancelled; all else is.
    fn cancel_the_build(&mut self, kind: KindId) -> Result<(), Fault> {
        let is_built = self.is_built(kind)?;
        let is_cancelled = self.crowd.cancel_build(kind).map_err(self.refused())?;
        if is_cancelled == is_built {
            let what = format!("a build was cancelled: {is_cancelled}; it was finished: {is_built}");
            return Err(Fault::Wrong { frame: self.frame, what });
        }
        Ok(())
    }

    fn let_a_kind_come(&mut self, season: u64) -> Result<(), Fault> {
        let kind = match season {
            1 => Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_size(2),
            2 => Kind::new(MoveRule::Cardinal, CostModel::Sqrt2),
            _ => Kind::new(MoveRule::Squeeze, CostModel::Diagonal14),
        };
        let kind = self.crowd.add_kind_unbuilt(kind).map_err(self.refused())?;
        self.crowd.build_in_frames(kind).map_err(self.refused())?;
        self.kinds.push(kind);
        (0..COMING_UNITS).try_for_each(|_| self.add(kind).map(drop))
    }

    fn let_units_leave(&mut self, kind: KindId) -> Result<(), Fault> {
        let (mut leaving, mut staying) = (Vec::new(), Vec::new());
        for &unit in &self.units {
            let own = self.crowd.kind_of(unit).map_err(self.refused())?;
            if own == kind { leaving.push(unit) } else { staying.push(unit) }
        }
        for unit in leaving {
            self.crowd.remove(unit).map_err(self.refused())?;
            self.places.remove(&unit);
            self.tally.left += 1;
        }
        self.units = staying;
        Ok(())
    }

    fn let_units_return(&mut self, kind: KindId) -> Result<(), Fault> {
        for _ in 0..COMING_UNITS {
            let is_here = self.add(kind)?;
            self.tally.returned += u64::from(is_here);
        }
        Ok(())
    }

    /// Who arrived goes elsewhere. Those whose group has settled, or who cannot get on, do so now and then.
    pub(super) fn give_new_goals(&mut self) -> Result<(), Fault> {
        for unit in self.crowd.report().arrived.clone() {
            let kind = self.crowd.kind_of(unit).map_err(self.refused())?;
            let goal = self.draw_cell(kind)?;
            if self.crowd.group_of(unit) == Ok(None) {
                self.crowd.set_goal_or_nearest(unit, goal).map_err(self.refused())?;
            }
        }
        for _ in 0..4 {
            let Some(unit) = self.draw_unit() else { continue };
            let is_idle = self.crowd.status(unit) != Ok(UnitStatus::Walking);
            if is_idle && self.crowd.group_of(unit) == Ok(None) {
                let kind = self.crowd.kind_of(unit).map_err(self.refused())?;
                let goal = self.draw_cell(kind)?;
                // Nobody can be sent from inside a wall.
                let _ = self.crowd.set_goal_or_nearest(unit, goal);
            }
        }
        Ok(())
    }
}
