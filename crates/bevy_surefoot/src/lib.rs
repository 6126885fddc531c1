//! Bevy plug-in of [`surefoot`]: thousands of units find their way on one map that changes, within a budget a
//! frame.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_surefoot::prelude::*;
//!
//! fn main() {
//!     let map = Map::from_art("........\n.######.\n........").expect("a map");
//!     let mut navigation = Navigation::new(&map).with_budget(Budget::Work(50_000));
//!     let scouts = navigation.add_kind(Kind::new(map.rule(), map.costs())).expect("a database");
//!     let mut app = App::new();
//!     app.add_plugins((bevy_time::TimePlugin, SurefootPlugin)).insert_resource(navigation);
//!     app.world_mut().spawn((Agent::new(scouts), Position::new(1, 0), Destination::new(6, 2)));
//!     app.add_systems(Update, |mut arrived: MessageReader<Arrived>| {
//!         for Arrived { entity, cell } in arrived.read() {
//!             println!("{entity} is at {cell}");
//!         }
//!     });
//!     app.update();
//! }
//! ```
//!
//! | what | for |
//! | --- | --- |
//! | [`Navigation`] | the resource: the map, kinds of units with their databases, a budget, a layout |
//! | [`Agent`], [`Position`], [`Destination`], [`Pursue`], [`Speed`] | what a unit is, where it is and what it is up to |
//! | [`Blocking`] | buildings and doors: cells that are blocked while the entity has it |
//! | [`Follow`] | the `Transform` goes along, smoothly; without it read [`Navigation::moves`] |
//! | [`NavigationCommands`] | edits, weights and groups, as commands |
//! | [`Arrived`], [`NoWay`], [`WayOpen`], [`HeldUp`], [`Lost`], [`Settled`], [`Built`], [`Refused`] | messages |
//!
//! All of it is done in `FixedUpdate` ([`NavigationSystems`]). With [`Budget::Work`] nothing depends on the
//! clock or on threads: the same components in the same ticks give the same moves, and
//! [`Navigation::checksum`] tells whether they did.
//!
//! | feature | what it adds | default |
//! | --- | --- | --- |
//! | `assets` | maps and databases as assets that are loaded again when their files change | yes |
//! | `gizmos` | paths, corners, regions and traffic are drawn | no |
//! | `reflect` | components are known to Bevy's reflection, each as a whole | no |
//! | `rayon` | units are served on all cores | no |

#![forbid(unsafe_code)]
// Systems take what they need by value, and as much as they need.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::type_complexity)]

#[cfg(feature = "assets")]
mod assets;
mod background;
mod commands;
mod components;
#[cfg(feature = "gizmos")]
mod gizmos;
mod layout;
mod messages;
mod navigation;
mod obstacles;
mod systems;
pub mod tiles;

use bevy_app::{App, FixedUpdate, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::prelude::*;

#[cfg(feature = "assets")]
pub use self::assets::{
    DatabaseAsset, DatabaseLoadError, DatabaseLoader, MapAsset, MapLoadError, MapLoader, NavigationSource,
    SurefootAssetPlugin,
};
pub use self::commands::NavigationCommands;
pub use self::components::{Agent, Blocking, Destination, Follow, Position, Pursue, Speed};
#[cfg(feature = "gizmos")]
pub use self::gizmos::{NavigationGizmos, ShowPath, SurefootGizmoPlugin};
pub use self::layout::Layout;
pub use self::messages::{Arrived, Built, HeldUp, Lost, NavigationError, NoWay, Refused, Settled, WayOpen};
pub use self::navigation::{Budget, Navigation};
pub use surefoot;

/// What most games use, with the library's nouns.
pub mod prelude {
    pub use crate::{
        Agent, Arrived, Blocking, Budget, Built, Destination, Follow, HeldUp, Layout, Lost, Navigation,
        NavigationCommands, NavigationSystems, NoWay, Position, Pursue, Refused, Settled, Speed,
        SurefootPlugin, WayOpen,
    };
    #[cfg(feature = "assets")]
    pub use crate::{DatabaseAsset, MapAsset, NavigationSource, SurefootAssetPlugin};
    #[cfg(feature = "gizmos")]
    pub use crate::{NavigationGizmos, ShowPath, SurefootGizmoPlugin};
    pub use surefoot::space::{CostModel, MoveRule};
    pub use surefoot::{Cell, CrowdConfig, Kind, KindId, Map, Priority};
}

/// When what is done, in `FixedUpdate`, one after the other.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NavigationSystems {
    /// Components, edits and orders are taken.
    Orders,
    /// Units plan and move, within the budget.
    Plan,
    /// Components and messages tell what happened.
    Report,
}

/// The plug-in. It needs Bevy's `TimePlugin`, which `DefaultPlugins` and `MinimalPlugins` have, and does
/// nothing until there is a [`Navigation`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootPlugin;

impl Plugin for SurefootPlugin {
    fn build(&self, app: &mut App) {
        messages::register(app);
        systems::observe(app);
        #[cfg(feature = "reflect")]
        components::register(app);
        app.configure_sets(
            FixedUpdate,
            (NavigationSystems::Orders, NavigationSystems::Plan, NavigationSystems::Report)
                .chain()
                .run_if(resource_exists::<Navigation>),
        );
        app.add_systems(
            FixedUpdate,
            (
                (systems::take_builds, systems::take_orders).chain().in_set(NavigationSystems::Orders),
                systems::plan.in_set(NavigationSystems::Plan),
                (systems::tell, systems::remember_points).chain().in_set(NavigationSystems::Report),
            ),
        );
        app.add_systems(
            RunFixedMainLoop,
            systems::follow
                .in_set(RunFixedMainLoopSystems::AfterFixedMainLoop)
                .run_if(resource_exists::<Navigation>),
        );
    }
}

/// The examples of the page are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/play/bevy.md")]
pub struct Page;
