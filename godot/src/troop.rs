//! Units on a map of the game, and where to draw them. It knows nothing of the engine.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use godot::builtin::{Vector2, Vector2i};
use godot::global::Error as Code;
use surefoot::agent::CORE;
use surefoot::{Crowd, CrowdConfig, CrowdError, FrameBudget, FrameReport, Kind, KindId, Speed, UnitId};

use crate::ground::{Beginning, Edits, Ground, News};
use crate::problem::Problem;
use crate::region::Region;

/// The parts of a cell that the library counts speeds in.
const PARTS: u32 = 1 << 16;

/// A crowd with what its node knows of it beside.
pub(crate) struct Troop {
    crowd: Crowd,
    kind: KindId,
    region: Region,
    news: Rc<RefCell<News>>,
    /// Where units were before the last step and after it, by their slots, in cells of the library.
    before: Vec<Vector2>,
    after: Vec<Vector2>,
}

impl Troop {
    /// A crowd without any units. If nothing was computed for the map, that is done within the budgets of
    /// steps, where that is possible.
    pub(crate) fn new(ground: &mut Ground, config: CrowdConfig) -> Result<Self, Problem> {
        let region = ground.region;
        let (beginning, news) = ground.begin_crowd()?;
        let of_crowd = |error: CrowdError| Problem::of_crowd(&error, region);
        let (crowd, kind) = match beginning {
            Beginning::Built(navigator) => {
                let map = navigator.map();
                let database = CORE
                    .open(map.space(), navigator.to_bytes()?)
                    .map_err(|error| Problem::new(Code::ERR_BUG, error.to_string()))?;
                let mut crowd = Crowd::with_config(map, config);
                let kind = crowd.add_kind(Kind::from(map).with_database(database)).map_err(of_crowd)?;
                (crowd, kind)
            }
            Beginning::Unbuilt(map) => {
                let mut crowd = Crowd::with_config(&map, config);
                let kind = crowd.add_kind_unbuilt(Kind::from(&map)).map_err(of_crowd)?;
                if crowd.build_in_frames(kind).is_err() {
                    build_at_once(&mut crowd, kind).map_err(of_crowd)?;
                }
                (crowd, kind)
            }
        };
        Ok(Self { crowd, kind, region, news, before: Vec::new(), after: Vec::new() })
    }

    /// What was saved. The map becomes as it was then.
    pub(crate) fn load(ground: &mut Ground, bytes: &[u8]) -> Result<Self, Problem> {
        let region = ground.region;
        let crowd = Crowd::load(bytes).map_err(|error| Problem::of_crowd(&error, region))?;
        let kind = KindId::from_bits(0).filter(|&kind| crowd.space(kind).is_ok());
        let kind =
            kind.ok_or_else(|| Problem::new(Code::ERR_INVALID_DATA, "the crowd has no kind of units"))?;
        ground.follow(crowd.map())?;
        let (_, news) = ground.begin_crowd()?;
        news.borrow_mut().edits = Edits::default();
        let mut troop = Self { crowd, kind, region, news, before: Vec::new(), after: Vec::new() };
        troop.look();
        troop.before.clone_from(&troop.after);
        Ok(troop)
    }

    pub(crate) fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The crowd, once it has heard of all edits.
    fn informed(&mut self) -> Result<&mut Crowd, Problem> {
        let News { edits, is_over } = &mut *self.news.borrow_mut();
        if *is_over {
            return Err(Problem::early("the map was filled anew; call clear(), and add units again"));
        }
        if !edits.is_empty() {
            let Edits { free, weights } = std::mem::take(edits);
            let told = self.crowd.set_cells(free).and_then(|_| match weights.is_empty() {
                true => Ok(0),
                false => self.crowd.set_weights(self.kind, weights),
            });
            told.map_err(|error| Problem::of_crowd(&error, self.region))?;
        }
        Ok(&mut self.crowd)
    }

    /// Gives the crowd an order.
    pub(crate) fn order<T>(
        &mut self,
        act: impl FnOnce(&mut Crowd, KindId) -> Result<T, CrowdError>,
    ) -> Result<T, Problem> {
        let (kind, region) = (self.kind, self.region);
        act(self.informed()?, kind).map_err(|error| Problem::of_crowd(&error, region))
    }

    /// The cell of an order, which has to be free.
    pub(crate) fn find(&mut self, role: &str, cell: Vector2i) -> Result<surefoot::Cell, Problem> {
        let region = self.region;
        let found = region.find(role, cell)?;
        match self.informed()?.map().is_free(found) {
            true => Ok(found),
            false => {
                let message = format!("{role} ({}, {}) is solid; take a free cell", cell.x, cell.y);
                Err(Problem::argument(message))
            }
        }
    }

    /// Lets everyone walk for a step. No budget is as much as they need.
    pub(crate) fn step(&mut self, budget: Option<u64>) -> Result<Arc<FrameReport>, Problem> {
        let kind = self.kind;
        let budget = budget.map_or(FrameBudget::Everyone, FrameBudget::Work);
        let report = self.order(|crowd, _| {
            let report = crowd.frame(budget);
            // It cannot be done in steps.
            if report.not_built.contains(&kind) {
                build_at_once(crowd, kind)?;
            }
            Ok(report)
        })?;
        std::mem::swap(&mut self.before, &mut self.after);
        self.look();
        Ok(report)
    }

    /// Sees where everyone is.
    fn look(&mut self) {
        let Self { crowd, after, .. } = self;
        for unit in crowd.units() {
            if let Ok(progress) = crowd.progress(unit) {
                let slot = unit.slot() as usize;
                if after.len() <= slot {
                    after.resize(slot + 1, Vector2::ZERO);
                }
                let (x, y) = progress.point();
                after[slot] = Vector2::new(x, y);
            }
        }
    }

    /// A unit is where it is: it has not come from where it was drawn before.
    pub(crate) fn settle(&mut self, unit: UnitId) {
        let Ok(progress) = self.crowd.progress(unit) else { return };
        let (x, y) = progress.point();
        for places in [&mut self.before, &mut self.after] {
            let slot = unit.slot() as usize;
            if places.len() <= slot {
                places.resize(slot + 1, Vector2::ZERO);
            }
            places[slot] = Vector2::new(x, y);
        }
    }

    /// Where a unit is between the last step (1) and the one before (0), in cells of the game.
    pub(crate) fn place(&self, unit: UnitId, fraction: f32) -> Vector2 {
        let slot = unit.slot() as usize;
        let after = self.after.get(slot).copied().unwrap_or_default();
        let before = self.before.get(slot).copied().unwrap_or(after);
        before.lerp(after, fraction) + self.region.rect().position.to_vector2()
    }

    pub(crate) fn region(&self) -> Region {
        self.region
    }
}

fn build_at_once(crowd: &mut Crowd, kind: KindId) -> Result<(), CrowdError> {
    let built = crowd.build_of(kind)?.run_quietly()?;
    crowd.give_database(kind, built)
}

/// The name that a script has for a unit.
pub(crate) fn unit_of(id: i64) -> Result<UnitId, Problem> {
    u64::try_from(id).ok().and_then(UnitId::from_bits).ok_or_else(|| {
        Problem::new(
            Code::ERR_DOES_NOT_EXIST,
            format!("there is no unit {id}; take the numbers that add() gave"),
        )
    })
}

/// So many cells a second at so many steps a second; 0 is a move a step.
pub(crate) fn speed_of(cells: f64, steps: i32) -> Result<Speed, Problem> {
    let parts = (cells / f64::from(steps.max(1)) * f64::from(PARTS)).round();
    match cells {
        0.0 => Ok(Speed::MOVE_A_FRAME),
        _ if (1.0..=f64::from(u32::MAX)).contains(&parts) => Ok(Speed::new(parts as u32, PARTS)),
        _ if parts > 0.0 => Err(Problem::argument(format!("{cells} cells a second are too few or too many"))),
        _ => Err(Problem::argument(format!("no unit covers {cells} cells a second; take 0 or more"))),
    }
}

#[cfg(test)]
mod tests {
    use godot::builtin::Rect2i;
    use surefoot::{Map, Priority};

    use super::*;

    fn ground(is_built: bool) -> Ground {
        let map = Map::from_art("......\n.####.\n......").unwrap();
        let region = Region::new(Rect2i::new(Vector2i::new(-3, 5), Vector2i::new(6, 3))).unwrap();
        let mut ground = Ground::new(region, map);
        if is_built {
            let built = ground.begin_build().unwrap().navigator().unwrap();
            ground.give(built);
        }
        ground
    }

    fn add(troop: &mut Troop, start: Vector2i, goal: Vector2i) -> UnitId {
        let (start, goal) = (troop.find("start", start).unwrap(), troop.find("goal", goal).unwrap());
        let unit = troop.order(|crowd, kind| crowd.add(kind, start, goal, Priority::Normal)).unwrap();
        troop.settle(unit);
        unit
    }

    #[test]
    fn units_walk_whether_the_map_was_built_or_not() {
        for is_built in [true, false] {
            let mut ground = ground(is_built);
            let mut troop = Troop::new(&mut ground, CrowdConfig::default()).unwrap();
            let unit = add(&mut troop, Vector2i::new(-3, 5), Vector2i::new(-3, 7));
            ground.set_solid([Vector2i::new(-3, 6)], true).unwrap();
            let arrived = (1..100).find(|_| troop.step(Some(10_000)).unwrap().arrived.contains(&unit));
            assert!(arrived.is_some_and(|steps| steps >= 12), "around the other side: {arrived:?}");
            assert_eq!(troop.place(unit, 1.0), Vector2::new(-3.0, 7.0));
            ground.end();
            assert!(troop.step(None).unwrap_err().message.contains("clear()"));
        }
    }

    #[test]
    fn units_are_drawn_between_their_cells() {
        let mut ground = ground(true);
        let mut troop = Troop::new(&mut ground, CrowdConfig::default()).unwrap();
        let unit = add(&mut troop, Vector2i::new(-3, 5), Vector2i::new(2, 5));
        assert_eq!(troop.place(unit, 0.5), Vector2::new(-3.0, 5.0));
        troop.step(None).unwrap();
        assert_eq!(troop.place(unit, 0.5), Vector2::new(-2.5, 5.0));
        troop.step(None).unwrap();
        assert_eq!(troop.place(unit, 0.25), Vector2::new(-1.75, 5.0));
        troop.order(|crowd, _| crowd.place(unit, (5, 2))).unwrap();
        troop.settle(unit);
        assert_eq!(troop.place(unit, 0.25), Vector2::new(2.0, 7.0));
    }

    #[test]
    fn what_was_saved_goes_on_and_takes_the_map_along() {
        let mut first = ground(true);
        let mut troop = Troop::new(&mut first, CrowdConfig::default()).unwrap();
        add(&mut troop, Vector2i::new(-3, 5), Vector2i::new(-3, 7));
        first.set_solid([Vector2i::new(-3, 6)], true).unwrap();
        troop.step(None).unwrap();
        let saved = troop.crowd().save();
        let mut second = ground(true);
        let mut other = Troop::load(&mut second, &saved).unwrap();
        assert!(!second.is_free(surefoot::Cell::new(0, 1)));
        for _ in 0..20 {
            troop.step(Some(5_000)).unwrap();
            other.step(Some(5_000)).unwrap();
            assert_eq!(troop.crowd().checksum(), other.crowd().checksum());
        }
        assert_eq!(Troop::load(&mut second, &saved[..40]).err().unwrap().code, Code::ERR_FILE_CORRUPT);
    }

    #[test]
    fn speeds_are_checked() {
        assert_eq!(speed_of(0.0, 60).unwrap(), Speed::MOVE_A_FRAME);
        assert_eq!(speed_of(15.0, 60).unwrap(), Speed::new(1, 4));
        for cells in [-1.0, f64::NAN, f64::INFINITY, 1e-9] {
            assert!(speed_of(cells, 60).is_err(), "{cells}");
        }
        assert!(unit_of(-1).is_err() && unit_of(i64::MAX).is_err() && unit_of(7).is_ok());
    }
}
