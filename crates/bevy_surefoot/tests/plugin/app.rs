//! An app that makes one tick an update.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

/// Rooms with doors.
pub(crate) const ROOMS: &str = "
    ..........
    .####.###.
    .#......#.
    .#......#.
    .######.#.
    ..........";

pub(crate) fn kind() -> Kind {
    Kind::new(MoveRule::NoCut, CostModel::Sqrt2)
}

/// An app with a map and one kind of units.
pub(crate) fn app(art: &str) -> (App, KindId) {
    app_with(art, CrowdConfig::default())
}

pub(crate) fn app_with(art: &str, config: CrowdConfig) -> (App, KindId) {
    let map = Map::from_art(art).unwrap();
    let mut navigation = Navigation::with_config(&map, config).with_budget(Budget::Work(50_000));
    let kind = navigation.add_kind(kind()).unwrap();
    let mut app = bare();
    app.insert_resource(navigation);
    (app, kind)
}

pub(crate) fn bare() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin)).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app
}

pub(crate) fn navigation(app: &App) -> &Navigation {
    app.world().resource::<Navigation>()
}

pub(crate) fn cell(app: &App, entity: Entity) -> Cell {
    app.world().get::<Position>(entity).unwrap().0
}

/// Makes so many ticks, and returns all messages of a kind that came meanwhile.
pub(crate) fn ticks<M: Message + Clone>(app: &mut App, count: usize) -> Vec<M> {
    let mut cursor = app.world().resource::<Messages<M>>().get_cursor_current();
    let mut all = Vec::new();
    for _ in 0..count {
        app.update();
        all.extend(cursor.read(app.world().resource::<Messages<M>>()).cloned());
    }
    all
}

/// Gives commands.
pub(crate) fn command(app: &mut App, give: impl FnOnce(&mut Commands<'_, '_>)) {
    give(&mut app.world_mut().commands());
    app.world_mut().flush();
}
