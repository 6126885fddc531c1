//! What the game is told.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use surefoot::store::DatabaseError;
use surefoot::{Cell, CrowdError, GroupId, KindId};

/// A unit has arrived: at its destination, at a slot of its group, or where the one that it pursues is.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Who.
    pub entity: Entity,
    /// Where.
    pub cell: Cell,
}

/// No way leads to the destination of a unit. It waits where it is, and is told of as [`WayOpen`] when an
/// edit opens one.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoWay {
    /// Who.
    pub entity: Entity,
}

/// A unit that had no way has one now, and walks on.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WayOpen {
    /// Who.
    pub entity: Entity,
}

/// Other units are in a unit's way, where units are obstacles, and it does not get on. It goes on trying.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldUp {
    /// Who.
    pub entity: Entity,
}

/// The one that a unit pursued is gone. It goes to its [`Destination`](crate::Destination), or if it has none
/// to where it saw the other one last.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Who.
    pub entity: Entity,
}

/// All units of a group are where they were sent.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Which group. An entity's is [`Navigation::group`](crate::Navigation::group).
    pub group: GroupId,
}

/// The database of a kind is there: its units go by it from now on.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Which kind.
    pub kind: KindId,
}

/// Something that could not be done. Everything is as it was before.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Whose component or command it was, if it was somebody's.
    pub entity: Option<Entity>,
    /// Why.
    pub error: NavigationError,
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NavigationError {
    /// The crowd says so.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// A database that does not belong to the map, or is damaged.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Somebody who is no unit.
    #[error("{0} is no unit: it has no Agent, or its Agent was refused")]
    NoUnit(Entity),
    /// There is nothing to find ways on.
    #[error("there is no Navigation; insert the resource first")]
    NoNavigation,
    /// A database that could not be built.
    #[error(
        "the database of kind {0} could not be built in frames: the map is too cluttered; build it with add_kind"
    )]
    NotBuilt(KindId),
    /// An asset that could not be loaded.
    #[error("{0}")]
    Asset(String),
}

/// Writers of all messages.
#[derive(SystemParam)]
pub(crate) struct Tell<'w> {
    pub(crate) arrived: MessageWriter<'w, Arrived>,
    pub(crate) no_way: MessageWriter<'w, NoWay>,
    pub(crate) way_open: MessageWriter<'w, WayOpen>,
    pub(crate) held_up: MessageWriter<'w, HeldUp>,
    pub(crate) lost: MessageWriter<'w, Lost>,
    pub(crate) settled: MessageWriter<'w, Settled>,
    pub(crate) built: MessageWriter<'w, Built>,
}

pub(crate) fn register(app: &mut App) {
    app.add_message::<Arrived>().add_message::<NoWay>().add_message::<WayOpen>().add_message::<HeldUp>();
    app.add_message::<Lost>().add_message::<Settled>().add_message::<Built>().add_message::<Refused>();
}
