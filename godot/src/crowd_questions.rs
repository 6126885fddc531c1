//! What a `SurefootCrowd` is asked: where units are, how they fare, and where to draw them.

use godot::classes::MultiMesh;
use godot::classes::multi_mesh::TransformFormat;
use godot::global::Error as Code;
use godot::prelude::*;
use surefoot::UnitStatus;

use crate::crowd_node::{Status, SurefootCrowd, id_of};
use crate::problem::Problem;
use crate::troop::Troop;

/// Questions.
#[godot_api(secondary)]
impl SurefootCrowd {
    /// How many units there are.
    #[func]
    fn count(&self) -> i64 {
        self.troop.as_ref().map_or(0, |troop| troop.crowd().len() as i64)
    }

    /// All units, in the order of `positions`.
    #[func]
    fn ids(&self) -> PackedInt64Array {
        self.troop.iter().flat_map(|troop| troop.crowd().units()).map(id_of).collect()
    }

    /// The cell that a unit stands on. `Vector2i.MIN` if there is no such unit.
    #[func]
    fn cell(&mut self, id: i64) -> Vector2i {
        self.ask_of(id, Vector2i::MIN, |troop, unit| {
            Ok(troop.region().outer(troop.order(|crowd, _| crowd.position(unit))?))
        })
    }

    /// Where a unit is to go. `Vector2i.MIN` if there is no such unit.
    #[func]
    fn goal(&mut self, id: i64) -> Vector2i {
        self.ask_of(id, Vector2i::MIN, |troop, unit| {
            Ok(troop.region().outer(troop.order(|crowd, _| crowd.goal(unit))?))
        })
    }

    /// How a unit fares.
    #[func]
    fn status(&mut self, id: i64) -> Status {
        self.ask_of(id, Status::None, |troop, unit| {
            Ok(match troop.order(|crowd, _| crowd.status(unit))? {
                UnitStatus::Walking => Status::Walking,
                UnitStatus::Arrived => Status::Arrived,
                UnitStatus::Unreachable => Status::NoWay,
                _ => Status::Stuck,
            })
        })
    }

    /// Where to draw a unit, in pixels: between its last place and this one, as far as the physics tick has
    /// come. `Vector2.INF` if there is no such unit.
    #[func]
    fn position(&mut self, id: i64) -> Vector2 {
        let (pixels, fraction) = (self.pixels(), self.fraction());
        self.ask_of(id, Vector2::INF, |troop, unit| {
            troop.order(|crowd, _| crowd.position(unit))?;
            Ok(pixels.point(troop.place(unit, fraction)))
        })
    }

    /// Where to draw all units, in the order of `ids`.
    #[func]
    fn positions(&self) -> PackedVector2Array {
        let (pixels, fraction) = (self.pixels(), self.fraction());
        let place = |troop: &Troop, unit| pixels.point(troop.place(unit, fraction));
        let all =
            self.troop.iter().flat_map(|troop| troop.crowd().units().map(move |unit| place(troop, unit)));
        all.collect()
    }

    /// Places the instances of a mesh where units are to be drawn, one for each. Its transforms have to be 2D
    /// ones; it must have neither colours nor custom data.
    #[func]
    fn draw_into(&mut self, multimesh: Option<Gd<MultiMesh>>) -> Code {
        let positions = self.positions();
        let Some(mut mesh) = multimesh else {
            return self
                .tell(Problem::argument("there is no mesh; pass the multimesh of a MultiMeshInstance2D"));
        };
        if mesh.get_transform_format() != TransformFormat::TRANSFORM_2D
            || mesh.is_using_colors()
            || mesh.is_using_custom_data()
        {
            return self.tell(Problem::argument(
                "the mesh has 3D transforms, colours or custom data; take one with 2D transforms alone",
            ));
        }
        let places = positions.as_slice();
        // So that it is not made anew whenever a unit is added.
        let room = mesh.get_instance_count().unsigned_abs() as usize;
        if room < places.len() {
            mesh.set_instance_count(places.len().next_power_of_two() as i32);
        }
        mesh.set_visible_instance_count(places.len() as i32);
        let room = mesh.get_instance_count().unsigned_abs() as usize;
        if room > 0 {
            let rows = |place: Vector2| [1.0, 0.0, 0.0, place.x, 0.0, 1.0, 0.0, place.y];
            let rest = std::iter::repeat_n(Vector2::ZERO, room - places.len());
            let buffer: PackedFloat32Array = places.iter().copied().chain(rest).flat_map(rows).collect();
            mesh.set_buffer(&buffer);
        }
        Code::OK
    }

    /// A number that is the same for crowds that go on alike: for players in lockstep.
    #[func]
    fn checksum(&mut self) -> i64 {
        self.ask(0, |crowd| crowd.troop()?.order(|crowd, _| Ok(crowd.checksum().cast_signed())))
    }

    /// What happened in the last step, in numbers: `step`, `moves`, `served`, `waiting`, `longest_wait`,
    /// `work`, `upkeep`.
    #[func]
    fn report(&self) -> VarDictionary {
        let Some(troop) = &self.troop else { return VarDictionary::new() };
        let report = troop.crowd().report();
        vdict! {
            "step" => report.frame,
            "moves" => report.moves.len() as i64,
            "served" => report.served,
            "waiting" => report.waiting,
            "longest_wait" => report.longest_wait,
            "work" => report.work as i64,
            "upkeep" => report.upkeep as i64,
        }
    }
}
