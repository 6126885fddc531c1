//! What entities have.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "reflect")]
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use surefoot::{Cell, KindId, Priority};

/// A unit that finds its way. It stands at its [`Position`], and stays there until it has a [`Destination`]
/// or somebody to [`Pursue`]. It leaves the map with this component, or with the entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component, Debug, Clone, PartialEq))]
#[require(Position)]
pub struct Agent {
    /// Which kind of units it belongs to ([`Navigation::add_kind`](crate::Navigation::add_kind)).
    pub kind: KindId,
    /// Who goes first if the budget does not do for all.
    pub priority: Priority,
}

impl Agent {
    /// A unit of a kind, of normal priority.
    #[must_use]
    pub fn new(kind: KindId) -> Self {
        Self { kind, priority: Priority::Normal }
    }

    /// The same with another priority.
    #[must_use]
    pub fn with_priority(self, priority: Priority) -> Self {
        Self { priority, ..self }
    }
}

/// The cell that a unit stands on. The plug-in writes it when a unit moves. If the game writes it, the unit
/// is put there in the next tick, and goes on from there. If it cannot stand there, this says again where it
/// stands. Systems in `FixedUpdate` write it before [`NavigationSystems::Orders`](crate::NavigationSystems)
/// or after [`NavigationSystems::Report`](crate::NavigationSystems). A unit without it is not on the map.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(opaque, Component, Debug, Clone, PartialEq, Default)
)]
pub struct Position(pub Cell);

/// The first cell.
impl Default for Position {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl Position {
    /// A column and a row.
    #[must_use]
    pub fn new(x: u32, y: u32) -> Self {
        Self(Cell::new(x, y))
    }
}

/// Where a unit is to go. Insert or change it and the unit sets out; remove it and the unit stops. It stays
/// when the unit has [arrived](crate::Arrived). To write the same once more changes nothing, so it may be
/// written in every frame.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component, Debug, Clone, PartialEq))]
pub struct Destination {
    /// The cell.
    pub cell: Cell,
    /// Whether the nearest cell that the unit can get to will do, if it cannot get there.
    pub or_nearest: bool,
}

impl Destination {
    /// A column and a row.
    #[must_use]
    pub fn new(x: u32, y: u32) -> Self {
        Self::to(Cell::new(x, y))
    }

    /// A cell.
    #[must_use]
    pub fn to(cell: impl Into<Cell>) -> Self {
        Self { cell: cell.into(), or_nearest: false }
    }

    /// A cell, or the nearest one that the unit can get to.
    #[must_use]
    pub fn near(cell: impl Into<Cell>) -> Self {
        Self { cell: cell.into(), or_nearest: true }
    }
}

/// Whom a unit pursues: another entity with an [`Agent`]. It comes before a [`Destination`], and ends when it
/// is removed or when the other one is gone ([`Lost`](crate::Lost)): then the unit goes to its destination,
/// if it has one. Somebody who is no unit yet is [refused](crate::Refused), and pursued as soon as it is one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component, Debug, Clone, PartialEq))]
pub struct Pursue(#[entities] pub Entity);

/// How fast a unit is. Without it a unit makes one move a tick, straight or diagonal.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(opaque, Component, Debug, Clone, PartialEq, Default)
)]
pub struct Speed(pub surefoot::Speed);

impl Speed {
    /// So many cells in so many ticks of `FixedUpdate`: whole numbers, so that all machines agree.
    #[must_use]
    pub const fn new(cells: u32, ticks: u32) -> Self {
        Self(surefoot::Speed::new(cells, ticks))
    }
}

/// Cells that are blocked as long as the entity has this: a wall, a building, a door. Cells that were walls
/// of the map before stay walls after it, and where two lie on one cell both have to go.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component, Debug, Clone, PartialEq))]
pub struct Blocking {
    /// The top left cell.
    pub corner: Cell,
    /// How many columns.
    pub width: u32,
    /// How many rows.
    pub height: u32,
    /// A door that is open blocks nothing.
    pub is_open: bool,
}

impl Blocking {
    /// One cell.
    #[must_use]
    pub fn cell(cell: impl Into<Cell>) -> Self {
        Self::area(cell, 1, 1)
    }

    /// A rectangle of cells. What lies outside the map is left out.
    #[must_use]
    pub fn area(corner: impl Into<Cell>, width: u32, height: u32) -> Self {
        Self { corner: corner.into(), width, height, is_open: false }
    }
}

/// The entity's `Transform` follows the unit smoothly, from tick to tick and between cells, by the
/// [`Layout`](crate::Layout). How far it is from the plane of the map stays as it is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(opaque, Component, Debug, Clone, PartialEq, Default)
)]
#[require(Transform)]
pub struct Follow {
    /// Where it was drawn at the tick before and at this one, in columns and rows. `None` at first.
    pub(crate) points: Option<[(f32, f32); 2]>,
}

/// Makes them known to reflection.
#[cfg(feature = "reflect")]
pub(crate) fn register(app: &mut bevy_app::App) {
    app.register_type::<Agent>().register_type::<Position>().register_type::<Destination>();
    app.register_type::<Pursue>().register_type::<Speed>().register_type::<Blocking>();
    app.register_type::<Follow>();
}
