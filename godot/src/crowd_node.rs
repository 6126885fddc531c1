//! `SurefootCrowd`: thousands of units on a `SurefootMap`.

use godot::classes::Engine;
use godot::global::Error as Code;
use godot::prelude::*;
use surefoot::{CrowdConfig, FrameReport, Priority, UnitId};

use crate::map_node::SurefootMap;
use crate::problem::Problem;
use crate::troop::{Troop, speed_of, unit_of};

/// How a unit fares.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum Status {
    /// There is no such unit.
    #[default]
    None = 0,
    /// It is on its way.
    Walking = 1,
    /// It stands on its goal.
    Arrived = 2,
    /// There is no way to its goal. As soon as there is one it goes on.
    NoWay = 3,
    /// It knows no move that would bring it closer. It goes on when the map changes.
    Stuck = 4,
}

/// Thousands of units on a map. All of them share one budget of work in every physics tick.
///
/// A unit is a number that `add` gives. Settings count from the first unit on; `clear` begins anew. The same
/// calls lead to the same walks on every machine, whether `is_parallel` or not.
#[derive(GodotClass)]
#[class(init, base = Node)]
pub struct SurefootCrowd {
    /// The map that the units walk on. If it is not built, that is done within the budget, and units walk
    /// meanwhile by a search.
    #[export]
    map: Option<Gd<SurefootMap>>,
    /// The work of a tick, for all units together, in units that are the same on every machine: 200,000 are
    /// about a millisecond or two. 0 is as much as they need.
    #[export]
    #[init(val = 200_000)]
    budget: i64,
    /// How many cells a unit covers in a second, unless `set_speed` says otherwise. 0 is a move a tick.
    #[export]
    #[init(val = 8.0)]
    speed: f64,
    /// Whether no two units may stand on one cell.
    #[export]
    are_units_obstacles: bool,
    /// Whether units are served on all cores. What comes of it is the same.
    #[export]
    is_parallel: bool,
    /// Whether units walk by themselves in every physics tick. If not, call `step`.
    #[export]
    #[init(val = true)]
    is_automatic: bool,
    pub(crate) troop: Option<Troop>,
    error: String,
    base: Base<Node>,
}

#[godot_api]
impl INode for SurefootCrowd {
    fn physics_process(&mut self, _delta: f64) {
        if self.is_automatic && self.troop.is_some() {
            self.step();
        }
    }
}

/// Units and steps.
#[godot_api]
impl SurefootCrowd {
    /// A unit stands on its goal. It is told of once for each time that it is sent.
    #[signal]
    fn arrived(id: i64);

    /// There is no way to a unit's goal. It waits until there is one, or until it is sent elsewhere.
    #[signal]
    fn no_way(id: i64);

    /// A unit that had no way has one again, and goes on.
    #[signal]
    fn way_again(id: i64);

    /// Units have been in each other's way for too long, or a unit does not know how to go on.
    #[signal]
    fn blocked(id: i64);

    /// The unit that a unit pursued was removed. It stops where it is.
    #[signal]
    fn lost(id: i64);

    /// All of a group are there.
    #[signal]
    fn settled(group: i64);

    /// A step is done: units can be drawn.
    #[signal]
    fn stepped();

    /// Lets all units walk for a tick. Nobody needs to call it if the crowd `is_automatic`.
    #[func]
    fn step(&mut self) -> Code {
        let budget = u64::try_from(self.budget).ok().filter(|&work| work > 0);
        match self.troop().and_then(|troop| troop.step(budget)) {
            Ok(report) => {
                self.tell_of(&report);
                Code::OK
            }
            Err(problem) => self.tell(problem),
        }
    }

    /// Adds a unit. Its number, or -1 if something is wrong.
    #[func]
    fn add(&mut self, cell: Vector2i) -> i64 {
        self.ask(-1, |crowd| Ok(crowd.add_units([cell].into_iter())?.first().map_or(-1, |&unit| id_of(unit))))
    }

    /// Adds units: all of them, or none if something is wrong. Their numbers.
    #[func]
    fn add_many(&mut self, cells: Array<Vector2i>) -> PackedInt64Array {
        self.ask(PackedInt64Array::new(), |crowd| {
            Ok(crowd.add_units(cells.iter_shared())?.into_iter().map(id_of).collect())
        })
    }

    /// Removes a unit.
    #[func]
    fn remove(&mut self, id: i64) -> Code {
        self.order(id, |troop, unit| troop.order(|crowd, _| crowd.remove(unit)))
    }

    /// Sends a unit to a cell.
    #[func]
    fn send(&mut self, id: i64, cell: Vector2i) -> Code {
        self.order(id, |troop, unit| {
            let goal = troop.find("goal", cell)?;
            troop.order(|crowd, _| crowd.set_goal(unit, goal))
        })
    }

    /// Sends a unit to a cell, or if it cannot get there, to the nearest that it can get to. `goal` tells
    /// which.
    #[func]
    fn send_near(&mut self, id: i64, cell: Vector2i) -> Code {
        self.order(id, |troop, unit| {
            let goal = troop.region().find("goal", cell)?;
            troop.order(|crowd, _| crowd.set_goal_or_nearest(unit, goal)).map(drop)
        })
    }

    /// Sends units to one place. They spread over the free cells around it. The number of their group, which
    /// `settled` tells of; -1 if something is wrong.
    #[func]
    fn send_group(&mut self, ids: PackedInt64Array, cell: Vector2i) -> i64 {
        self.ask(-1, |crowd| {
            let troop = crowd.troop()?;
            let units = ids.as_slice().iter().map(|&id| unit_of(id)).collect::<Result<Vec<_>, _>>()?;
            let goal = troop.find("goal", cell)?;
            Ok(troop.order(|crowd, _| crowd.send(units, goal))?.to_bits().into())
        })
    }

    /// Lets a unit follow another, wherever it goes.
    #[func]
    fn pursue(&mut self, id: i64, target: i64) -> Code {
        self.order(id, |troop, unit| {
            let target = unit_of(target)?;
            troop.order(|crowd, _| crowd.pursue(unit, target))
        })
    }

    /// Lets a unit stay where it is.
    #[func]
    fn stop(&mut self, id: i64) -> Code {
        self.order(id, |troop, unit| troop.order(|crowd, _| crowd.stop(unit)))
    }

    /// Puts a unit on a cell, at once.
    #[func]
    fn place(&mut self, id: i64, cell: Vector2i) -> Code {
        self.order(id, |troop, unit| {
            let cell = troop.find("cell", cell)?;
            troop.order(|crowd, _| crowd.place(unit, cell))?;
            troop.settle(unit);
            Ok(())
        })
    }

    /// Puts units that stand on solid cells, because something was built there, beside them. Who they are.
    #[func]
    fn push_out(&mut self) -> PackedInt64Array {
        self.ask(PackedInt64Array::new(), |crowd| {
            let troop = crowd.troop()?;
            let pushed = troop.order(|crowd, _| Ok(crowd.push_out()))?;
            pushed.iter().for_each(|&(unit, _)| troop.settle(unit));
            Ok(pushed.into_iter().map(|(unit, _)| id_of(unit)).collect())
        })
    }

    /// How many cells a unit covers in a second. 0 is a move a tick.
    #[func]
    fn set_unit_speed(&mut self, id: i64, cells_per_second: f64) -> Code {
        self.order(id, |troop, unit| {
            let speed = speed_of(cells_per_second, ticks())?;
            troop.order(|crowd, _| crowd.set_speed(unit, speed))
        })
    }

    /// Who is served first where the budget does not suffice for all: 1 before the others, -1 after them.
    #[func]
    fn set_unit_priority(&mut self, id: i64, priority: i64) -> Code {
        self.order(id, |troop, unit| {
            let priority = match priority {
                1 => Priority::High,
                0 => Priority::Normal,
                -1 => Priority::Low,
                other => {
                    return Err(Problem::argument(format!("there is no priority {other}; take 1, 0 or -1")));
                }
            };
            troop.order(|crowd, _| crowd.set_priority(unit, priority))
        })
    }

    /// Removes all units. Settings and map count anew.
    #[func]
    fn clear(&mut self) {
        self.troop = None;
    }

    /// The whole crowd with the cells of its map, to go on from later.
    #[func]
    fn save(&mut self) -> PackedByteArray {
        self.ask(PackedByteArray::new(), |crowd| {
            Ok(crowd.troop()?.order(|crowd, _| Ok(crowd.save()))?.into())
        })
    }

    /// Goes on from what `save` gave. Cells of the map become what they were; weights are the crowd's own.
    #[func]
    fn load(&mut self, bytes: PackedByteArray) -> Code {
        match self.with_map(|ground| Troop::load(ground, bytes.as_slice())) {
            Ok(troop) => {
                self.troop = Some(troop);
                Code::OK
            }
            Err(problem) => self.tell(problem),
        }
    }

    /// What went wrong last, in words; empty if nothing did.
    #[func]
    fn last_error(&self) -> GString {
        GString::from(&self.error)
    }
}

/// The number that a script knows a unit by.
pub(crate) fn id_of(unit: UnitId) -> i64 {
    unit.to_bits() as i64
}

/// Physics ticks a second.
fn ticks() -> i32 {
    Engine::singleton().get_physics_ticks_per_second()
}

impl SurefootCrowd {
    /// The map, unless it was freed.
    fn living_map(&self) -> Option<Gd<SurefootMap>> {
        self.map.as_ref().filter(|map| map.is_instance_valid()).cloned()
    }

    /// Does something with the map.
    fn with_map<T>(
        &self,
        act: impl FnOnce(&mut crate::ground::Ground) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut map =
            self.living_map().ok_or_else(|| Problem::early("the crowd has no map; set its property map"))?;
        act(map.bind_mut().ground()?)
    }

    /// The units, which begin with the first call.
    pub(crate) fn troop(&mut self) -> Result<&mut Troop, Problem> {
        if self.troop.is_none() {
            let config = CrowdConfig::default()
                .with_units_as_obstacles(self.are_units_obstacles)
                .with_parallel(self.is_parallel);
            self.troop = Some(self.with_map(|ground| Troop::new(ground, config))?);
        }
        self.troop.as_mut().ok_or_else(|| Problem::new(Code::ERR_BUG, "there is no crowd"))
    }

    /// Adds units at cells, all or none.
    fn add_units(&mut self, cells: impl Iterator<Item = Vector2i>) -> Result<Vec<UnitId>, Problem> {
        let speed = speed_of(self.speed, ticks())?;
        let troop = self.troop()?;
        let cells = cells.map(|cell| troop.find("cell", cell)).collect::<Result<Vec<_>, _>>()?;
        let added = troop.order(|crowd, kind| {
            let mut added = Vec::with_capacity(cells.len());
            for cell in cells {
                let unit = crowd.add(kind, cell, cell, Priority::Normal);
                let set = unit.clone().and_then(|unit| {
                    // It has nowhere to go yet, and is not to be told of as arrived.
                    crowd.stop(unit)?;
                    crowd.set_speed(unit, speed)
                });
                added.extend(unit);
                if let Err(error) = set {
                    for unit in added {
                        crowd.remove(unit)?;
                    }
                    return Err(error);
                }
            }
            Ok(added)
        })?;
        added.iter().for_each(|&unit| troop.settle(unit));
        Ok(added)
    }

    pub(crate) fn pixels(&self) -> crate::pixels::Pixels {
        self.living_map()
            .map_or_else(|| crate::pixels::Pixels::of_squares(Vector2::ONE), |map| map.bind().pixels())
    }

    /// How far the physics tick has come, 0 to 1. Whoever steps by hand draws what came of the step.
    pub(crate) fn fraction(&self) -> f32 {
        match self.is_automatic {
            true => Engine::singleton().get_physics_interpolation_fraction().clamp(0.0, 1.0) as f32,
            false => 1.0,
        }
    }

    fn order(&mut self, id: i64, act: impl FnOnce(&mut Troop, UnitId) -> Result<(), Problem>) -> Code {
        match unit_of(id).and_then(|unit| act(self.troop()?, unit)) {
            Ok(()) => Code::OK,
            Err(problem) => self.tell(problem),
        }
    }

    pub(crate) fn ask_of<T>(
        &mut self,
        id: i64,
        otherwise: T,
        question: impl FnOnce(&mut Troop, UnitId) -> Result<T, Problem>,
    ) -> T {
        self.ask(otherwise, |crowd| question(crowd.troop()?, unit_of(id)?))
    }

    /// Answers a question; with `otherwise` if something is wrong, which is told.
    pub(crate) fn ask<T>(
        &mut self,
        otherwise: T,
        question: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> T {
        match question(self) {
            Ok(answer) => answer,
            Err(problem) => {
                self.tell(problem);
                otherwise
            }
        }
    }

    pub(crate) fn tell(&mut self, problem: Problem) -> Code {
        godot::global::push_error(&[format!("SurefootCrowd: {}", problem.message).to_variant()]);
        self.error = problem.message;
        problem.code
    }

    /// Emits what happened in a step. Whoever hears of it may give orders.
    fn tell_of(&mut self, report: &FrameReport) {
        for &unit in &report.arrived {
            self.signals().arrived().emit(id_of(unit));
        }
        for &unit in &report.unreachable {
            self.signals().no_way().emit(id_of(unit));
        }
        for &unit in &report.reachable {
            self.signals().way_again().emit(id_of(unit));
        }
        for &unit in &report.blocked {
            self.signals().blocked().emit(id_of(unit));
        }
        for &unit in &report.lost {
            self.signals().lost().emit(id_of(unit));
        }
        for group in &report.settled {
            self.signals().settled().emit(i64::from(group.to_bits()));
        }
        self.signals().stepped().emit();
    }
}
