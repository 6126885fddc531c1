//! Maps and databases from files that change.

use std::path::PathBuf;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets};
use bevy_ecs::prelude::Message;
use bevy_surefoot::prelude::*;

use crate::app::{bare, cell, kind, navigation, ticks};

/// A folder of its own, with files in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = std::env::temp_dir().join(format!("bevy_surefoot-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        files.iter().for_each(|(file, bytes)| std::fs::write(folder.join(file), bytes).unwrap());
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn app(folder: &Folder) -> App {
    let mut app = bare();
    let file_path = folder.0.to_string_lossy().into_owned();
    let files = AssetPlugin { file_path, ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), files, SurefootAssetPlugin));
    app
}

/// Updates until it holds.
fn wait(app: &mut App, mut holds: impl FnMut(&mut App) -> bool) {
    for _ in 0..5_000 {
        if holds(app) {
            return;
        }
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("it was waited for in vain");
}

const OPEN: &[u8] = b"type octile\nheight 2\nwidth 4\nmap\n....\n....\n";

#[test]
fn a_map_with_its_database_is_loaded_and_follows_its_file() {
    let database = Map::from_bytes(OPEN).unwrap().navigator().unwrap().to_bytes().unwrap();
    let folder = Folder::new("follow", &[("level.map", OPEN), ("level.sfdb", &database)]);
    let mut app = app(&folder);
    let server = app.world().resource::<AssetServer>();
    let map = server.load("level.map");
    let source = NavigationSource::new(map.clone()).with_kind_from(kind(), server.load("level.sfdb"));
    app.insert_resource(source);
    wait(&mut app, |app| app.world().contains_resource::<Navigation>());
    let scouts = app.world().resource::<NavigationSource>().kind(0).unwrap();
    wait(&mut app, |app| navigation(app).is_built(scouts));
    let unit = app.world_mut().spawn((Agent::new(scouts), Destination::new(3, 0))).id();
    ticks::<Arrived>(&mut app, 1);
    // As a watcher would: the asset is another one.
    let changed = Map::from_art("..#.\n....").unwrap();
    app.world_mut().resource_mut::<Assets<MapAsset>>().insert(&map, MapAsset(changed)).unwrap();
    wait(&mut app, |app| !navigation(app).map().is_free(Cell::new(2, 0)));
    ticks::<Arrived>(&mut app, 6);
    assert_eq!(cell(&app, unit), Cell::new(3, 0));
    // A larger one, from the file.
    std::fs::write(folder.0.join("level.map"), b"type octile\nheight 1\nwidth 9\nmap\n.........\n").unwrap();
    app.world().resource::<AssetServer>().reload("level.map");
    wait(&mut app, |app| navigation(app).map().width() == 9);
    wait(&mut app, |app| navigation(app).is_built(scouts));
    app.world_mut().entity_mut(unit).insert(Destination::new(8, 0));
    wait(&mut app, |app| cell(app, unit) == Cell::new(8, 0));
}

#[test]
fn a_picture_is_a_map() {
    let mut bytes = Vec::new();
    bytes.extend(include_bytes!("dark_and_bright.png"));
    let folder = Folder::new("picture", &[("level.png", &bytes)]);
    let mut app = app(&folder);
    let map = app.world().resource::<AssetServer>().load("level.png");
    app.insert_resource(NavigationSource::new(map).with_kind(kind()).with_budget(Budget::Work(1_000)));
    wait(&mut app, |app| app.world().contains_resource::<Navigation>());
    let free: Vec<Cell> = navigation(&app).map().free_cells().collect();
    assert_eq!(free, [Cell::new(1, 0), Cell::new(0, 1), Cell::new(1, 1)]);
}

#[test]
fn a_database_of_another_map_is_refused_and_the_kind_built() {
    let other = Map::from_art("...#").unwrap().navigator().unwrap().to_bytes().unwrap();
    let folder = Folder::new("other", &[("level.map", OPEN), ("level.sfdb", &other)]);
    let mut app = app(&folder);
    let server = app.world().resource::<AssetServer>();
    let source = NavigationSource::new(server.load("level.map"));
    app.insert_resource(source.with_kind_from(kind(), server.load("level.sfdb")));
    let mut refused = Vec::new();
    for _ in 0..5_000 {
        refused.extend(ticks::<Refused>(&mut app, 1));
        if !refused.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(!refused.is_empty(), "nothing was refused");
    wait(&mut app, |app| {
        let kind = app.world().resource::<NavigationSource>().kind(0);
        kind.is_some_and(|kind| navigation(app).is_built(kind))
    });
}

#[test]
fn a_file_that_is_no_map_is_an_error_with_its_line() {
    let folder =
        Folder::new("broken", &[("level.map", b"type octile\nheight 2\nwidth 4\nmap\n....\n..?.\n")]);
    let mut app = app(&folder);
    let map = app.world().resource::<AssetServer>().load::<MapAsset>("level.map");
    wait(&mut app, |app| app.world().resource::<AssetServer>().load_state(&map).is_failed());
    let state = app.world().resource::<AssetServer>().load_state(&map);
    let bevy_asset::LoadState::Failed(error) = state else { panic!("{state:?}") };
    assert!(error.to_string().contains("line 6"), "{error}");
}

/// What is said until it is enough.
fn said<M: Message + Clone>(app: &mut App, is_enough: impl Fn(&App, &[M]) -> bool) -> Vec<M> {
    let mut all = Vec::new();
    for _ in 0..5_000 {
        all.extend(ticks::<M>(app, 1));
        if is_enough(app, &all) {
            return all;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("it was waited for in vain");
}

fn first_refusal(app: &mut App) -> String {
    said::<Refused>(app, |_, refused| !refused.is_empty())[0].error.to_string()
}

#[test]
fn files_that_cannot_be_read_are_told_of() {
    let folder = Folder::new("unread", &[("level.map", OPEN), ("bad.map", b"type octile\nheight x\n")]);
    let mut app = app(&folder);
    let server = app.world().resource::<AssetServer>();
    let source = NavigationSource::new(server.load("level.map"));
    app.insert_resource(source.with_kind_from(kind(), server.load("missing.sfdb")));
    let words = first_refusal(&mut app);
    assert!(words.contains("missing.sfdb"), "{words}");
    // The kind is built all the same.
    wait(&mut app, |app| {
        let kind = app.world().resource::<NavigationSource>().kind(0);
        kind.is_some_and(|kind| navigation(app).is_built(kind))
    });
    let bad = app.world().resource::<AssetServer>().load("bad.map");
    app.insert_resource(NavigationSource::new(bad));
    let words = first_refusal(&mut app);
    assert!(words.contains("bad.map"), "{words}");
}

#[test]
fn another_source_is_another_level() {
    let wide = b"type octile\nheight 1\nwidth 9\nmap\n.........\n";
    let database = Map::from_bytes(wide).unwrap().navigator().unwrap().to_bytes().unwrap();
    let folder =
        Folder::new("levels", &[("one.map", OPEN), ("two.map", wide.as_slice()), ("two.sfdb", &database)]);
    let mut app = app(&folder);
    let map = app.world().resource::<AssetServer>().load("one.map");
    app.insert_resource(NavigationSource::new(map).with_kind(kind()));
    wait(&mut app, |app| app.world().contains_resource::<Navigation>());
    let scouts = app.world().resource::<NavigationSource>().kind(0).unwrap();
    let unit = app.world_mut().spawn((Agent::new(scouts), Destination::new(3, 0))).id();
    wait(&mut app, |app| cell(app, unit) == Cell::new(3, 0));
    let server = app.world().resource::<AssetServer>();
    let next = NavigationSource::new(server.load("two.map"));
    app.insert_resource(next.with_kind_from(kind(), server.load("two.sfdb")));
    let built = said::<Built>(&mut app, |app, built| navigation(app).map().width() == 9 && !built.is_empty());
    let scouts = app.world().resource::<NavigationSource>().kind(0).unwrap();
    assert!(built.contains(&Built { kind: scouts }), "{built:?}");
    app.world_mut().entity_mut(unit).insert((Agent::new(scouts), Destination::new(8, 0)));
    wait(&mut app, |app| cell(app, unit) == Cell::new(8, 0));
}

#[test]
fn what_cannot_be_made_is_refused_once() {
    let folder = Folder::new("once", &[("level.map", OPEN)]);
    let mut app = app(&folder);
    let other = Map::from_art(".").unwrap();
    let weights = surefoot::space::CellWeights::even(other.space().grid());
    let map = app.world().resource::<AssetServer>().load("level.map");
    app.insert_resource(NavigationSource::new(map.clone()).with_kind(kind().with_weights(weights)));
    first_refusal(&mut app);
    assert_eq!(ticks::<Refused>(&mut app, 20), []);
    // On a map that fits it can.
    app.world_mut().resource_mut::<Assets<MapAsset>>().insert(&map, MapAsset(other)).unwrap();
    wait(&mut app, |app| app.world().contains_resource::<Navigation>());
}

#[test]
fn a_database_is_taken_though_entities_block_cells() {
    let database = Map::from_bytes(OPEN).unwrap().navigator().unwrap().to_bytes().unwrap();
    let folder = Folder::new("blocked", &[("level.map", OPEN), ("level.sfdb", &database)]);
    let mut app = app(&folder);
    app.world_mut().spawn(Blocking::cell((1, 0)));
    let server = app.world().resource::<AssetServer>();
    let map = server.load("level.map");
    // Its database comes when the door is closed already.
    let late: bevy_asset::Handle<DatabaseAsset> = server.add(DatabaseAsset(Vec::new()));
    app.insert_resource(NavigationSource::new(map).with_kind_from(kind(), late.clone()));
    wait(&mut app, |app| {
        let navigation = app.world().get_resource::<Navigation>();
        navigation.is_some_and(|navigation| !navigation.map().is_free(Cell::new(1, 0)))
    });
    let before = ticks::<Refused>(&mut app, 3).len();
    let bytes = DatabaseAsset(database);
    app.world_mut().resource_mut::<Assets<DatabaseAsset>>().insert(&late, bytes).unwrap();
    assert_eq!(ticks::<Refused>(&mut app, 5).len(), 0, "{before}");
}
