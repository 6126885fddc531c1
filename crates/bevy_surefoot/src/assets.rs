//! Maps and databases as assets.

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetEvent, AssetId, AssetLoadFailedEvent, AssetLoader, AssetPath, AssetServer, Assets,
    Handle, LoadContext,
};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_reflect::TypePath;
use surefoot::{CrowdConfig, Kind, KindId, Map, MapError};

use crate::layout::Layout;
use crate::messages::{Built, NavigationError, Refused};
use crate::navigation::{Budget, Navigation};

/// A map: `.map` files, and PNG and BMP images, in which bright pixels are free.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct MapAsset(pub Map);

/// A database: the bytes of an `.sfdb` file. They are checked when they are used, for the map is needed to.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct DatabaseAsset(pub Vec<u8>);

/// Loads [`MapAsset`]s.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct MapLoader;

/// Why a map could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapLoadError {
    /// It could not be read.
    #[error("{path} could not be read: {error}")]
    Read {
        /// Which file.
        path: AssetPath<'static>,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is no map.
    #[error("{path}: {error}")]
    Map {
        /// Which file.
        path: AssetPath<'static>,
        /// What is wrong, and where.
        error: MapError,
    },
}

impl AssetLoader for MapLoader {
    type Asset = MapAsset;
    type Settings = ();
    type Error = MapLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<MapAsset, MapLoadError> {
        let path = context.path().clone();
        let bytes = read(reader).await.map_err(|error| MapLoadError::Read { path: path.clone(), error })?;
        Map::from_bytes(&bytes).map(MapAsset).map_err(|error| MapLoadError::Map { path, error })
    }

    fn extensions(&self) -> &[&str] {
        &["map", "png", "bmp"]
    }
}

/// Loads [`DatabaseAsset`]s.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct DatabaseLoader;

/// Why a database could not be loaded.
#[derive(Debug, thiserror::Error)]
#[error("{path} could not be read: {error}")]
pub struct DatabaseLoadError {
    path: AssetPath<'static>,
    error: std::io::Error,
}

impl AssetLoader for DatabaseLoader {
    type Asset = DatabaseAsset;
    type Settings = ();
    type Error = DatabaseLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<DatabaseAsset, DatabaseLoadError> {
        let path = context.path().clone();
        read(reader).await.map(DatabaseAsset).map_err(|error| DatabaseLoadError { path, error })
    }

    fn extensions(&self) -> &[&str] {
        &["sfdb"]
    }
}

async fn read(reader: &mut dyn Reader) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// A [`Navigation`] from assets: it is there as soon as the map is loaded, and follows when files change.
/// Insert another source and its map takes the place of the one before: the next level. Units keep their
/// places and destinations, and have to get kinds of the new one ([`kind`](Self::kind)).
///
/// - A map that changes and keeps its size is edited cell by cell; otherwise all begin anew on it.
/// - A kind with a database gets it when it is loaded, and another one when that is loaded again. Until then
///   its units walk by an exact search in slices. One that is not of this map, or cannot be read, is refused,
///   and the kind is built in the background. The message [`Built`] tells of either.
#[derive(Resource, Clone, Debug)]
pub struct NavigationSource {
    map: Handle<MapAsset>,
    kinds: Vec<(Kind, Option<Handle<DatabaseAsset>>)>,
    config: CrowdConfig,
    budget: Budget,
    layout: Option<Layout>,
    ids: Vec<KindId>,
    state: State,
}

/// What has come of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Made,
    /// Until its map is another one.
    Refused,
}

impl NavigationSource {
    /// A map, and nobody on it.
    #[must_use]
    pub fn new(map: Handle<MapAsset>) -> Self {
        let (config, budget) = (CrowdConfig::default(), Budget::default());
        Self { map, kinds: Vec::new(), config, budget, layout: None, ids: Vec::new(), state: State::Waiting }
    }

    /// With a kind of units, whose database is built in the background. [`kind`](Self::kind) has its name.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.kinds.push((kind, None));
        self
    }

    /// With a kind of units, and its database.
    #[must_use]
    pub fn with_kind_from(mut self, kind: Kind, database: Handle<DatabaseAsset>) -> Self {
        self.kinds.push((kind, Some(database)));
        self
    }

    /// With other rules for units.
    #[must_use]
    pub fn with_config(self, config: CrowdConfig) -> Self {
        Self { config, ..self }
    }

    /// With another budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Elsewhere in the world. Without it the middle of the map is at the origin, and cells have side 1.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout: Some(layout), ..self }
    }

    /// The name of a kind, by the order in which they were given. `None` until the map is loaded.
    #[must_use]
    pub fn kind(&self, number: usize) -> Option<KindId> {
        self.ids.get(number).copied()
    }

    /// Whether a kind has its database from this asset.
    fn uses(&self, database: AssetId<DatabaseAsset>) -> bool {
        self.kinds.iter().any(|(_, handle)| handle.as_ref().is_some_and(|handle| handle.id() == database))
    }

    /// What comes of it, on a map.
    fn navigation(&mut self, map: &Map) -> Result<Navigation, NavigationError> {
        let mut navigation = Navigation::with_config(map, self.config).with_budget(self.budget);
        if let Some(layout) = self.layout {
            navigation.layout = layout;
        }
        self.ids.clear();
        for (kind, database) in &self.kinds {
            let id = match database {
                None => navigation.add_kind_in_background(kind.clone())?,
                Some(_) => navigation.add_kind_waiting(kind.clone())?,
            };
            self.ids.push(id);
        }
        Ok(navigation)
    }
}

/// Loads maps and databases, and makes the [`Navigation`] of a [`NavigationSource`]. It comes after Bevy's
/// `AssetPlugin`, and beside [`SurefootPlugin`](crate::SurefootPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootAssetPlugin;

impl Plugin for SurefootAssetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<MapAsset>().init_asset::<DatabaseAsset>();
        app.register_asset_loader(MapLoader).register_asset_loader(DatabaseLoader);
        app.add_message::<Refused>().add_message::<Built>();
        app.add_systems(PreUpdate, follow_files.run_if(resource_exists::<NavigationSource>));
    }
}

/// What the game is told of files.
#[derive(SystemParam)]
struct Told<'w> {
    built: MessageWriter<'w, Built>,
    refused: MessageWriter<'w, Refused>,
}

impl Told<'_> {
    fn refuse(&mut self, error: impl Into<NavigationError>) {
        self.refused.write(Refused { entity: None, error: error.into() });
    }
}

/// Does what changed files ask for.
fn follow_files(
    mut source: ResMut<'_, NavigationSource>,
    navigation: Option<ResMut<'_, Navigation>>,
    (maps, databases, server): (
        Res<'_, Assets<MapAsset>>,
        Res<'_, Assets<DatabaseAsset>>,
        Res<'_, AssetServer>,
    ),
    mut changed_maps: MessageReader<'_, '_, AssetEvent<MapAsset>>,
    mut changed_databases: MessageReader<'_, '_, AssetEvent<DatabaseAsset>>,
    mut failed_maps: MessageReader<'_, '_, AssetLoadFailedEvent<MapAsset>>,
    mut failed_databases: MessageReader<'_, '_, AssetLoadFailedEvent<DatabaseAsset>>,
    mut told: Told<'_>,
    mut commands: Commands<'_, '_>,
) {
    let of_map = source.map.id();
    for failed in failed_maps.read().filter(|failed| failed.id == of_map) {
        told.refuse(NavigationError::Asset(failed.error.to_string()));
    }
    let mut failed = Vec::new();
    for one in failed_databases.read().filter(|one| source.uses(one.id)) {
        told.refuse(NavigationError::Asset(one.error.to_string()));
        failed.push(one.id);
    }
    let is_new_map = changed_maps.read().any(|event| has_come(event).is_some_and(|id| id == of_map));
    let changed: Vec<_> = changed_databases.read().filter_map(has_come).collect();
    let Some(map) = maps.get(of_map).map(|asset| &asset.0) else { return };
    let mut made = None;
    // Databases may have come, or not, before the map.
    let is_made_now = navigation.is_none() || source.state != State::Made;
    let navigation = match navigation {
        // Another source may have made the one that is there.
        Some(navigation) if source.state == State::Made => {
            let navigation = navigation.into_inner();
            if is_new_map && let Err(error) = navigation.set_map(map) {
                told.refuse(error);
            }
            navigation
        }
        _ if source.state == State::Refused && !is_new_map => return,
        _ => match source.navigation(map) {
            Ok(navigation) => made.insert(navigation),
            Err(error) => {
                source.state = State::Refused;
                return told.refuse(error);
            }
        },
    };
    source.state = State::Made;
    for (number, (_, database)) in source.kinds.iter().enumerate() {
        let (Some(handle), Some(&kind)) = (database, source.ids.get(number)) else { continue };
        let is_due = changed.contains(&handle.id()) || is_made_now;
        let mut builds =
            failed.contains(&handle.id()) || is_made_now && server.load_state(handle.id()).is_failed();
        if let Some(bytes) = databases.get(handle).filter(|_| is_due) {
            // It was made for the file: what entities block may be there already.
            match navigation.give_database_of(kind, map.space().grid().clone(), bytes.0.clone()) {
                Ok(()) => drop(told.built.write(Built { kind })),
                Err(error) => {
                    told.refuse(error);
                    builds = true;
                }
            }
        }
        if builds && let Err(error) = navigation.build_in_background(kind) {
            told.refuse(error);
        }
    }
    if let Some(made) = made {
        commands.insert_resource(made);
    }
}

/// What an event says is there, new or changed.
fn has_come<A: Asset>(event: &AssetEvent<A>) -> Option<AssetId<A>> {
    match event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
        _ => None,
    }
}
