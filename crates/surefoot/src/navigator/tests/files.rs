//! Files of navigators.

use alloc::format;
use alloc::string::ToString;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::beacons::{BeaconConfig, Labelled};
use crate::store::BuiltFor;
use crate::store::container::Container;

const ART: &str = "......\n.####.\n......";

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surefoot-navigator-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a cached navigator was built, not opened.
fn is_built(map: &Map, config: BeaconConfig, path: &std::path::Path) -> bool {
    let mut is_built = false;
    let watch = |_| {
        is_built = true;
        core::ops::ControlFlow::Continue(())
    };
    let builder = map.navigator_builder().with_config(config).with_progress(watch);
    let nav = builder.build_cached(path).unwrap();
    assert_eq!(nav.cost((1, 0), (1, 2)).unwrap(), cheapest(map, Cell::new(1, 0), Cell::new(1, 2)));
    assert_eq!(Navigator::open(map, path).unwrap().to_bytes().unwrap(), nav.to_bytes().unwrap());
    is_built
}

#[test]
fn a_cached_navigator_is_built_once() {
    let folder = Folder::new("cached");
    let path = folder.0.join("arena.sfdb");
    let map = Map::from_art(ART).unwrap();
    let usual = BeaconConfig::default();
    assert!(is_built(&map, usual, &path));
    assert!(!is_built(&map, usual, &path));
    // Other settings, another map, another rule.
    assert!(is_built(&map, usual.with_labels(Labelled::Core), &path));
    let mut other = map.clone();
    other.edit([Edit::block((0, 1))]).unwrap();
    assert!(is_built(&other, usual, &path) && !is_built(&other, usual, &path));
    assert!(is_built(&map.clone().with_rule(crate::space::MoveRule::Cardinal), usual, &path));
    // A damaged file, an empty one.
    let bytes = fs::read(&path).unwrap();
    for damaged in [&bytes[..bytes.len() - 3], &[]] {
        fs::write(&path, damaged).unwrap();
        assert!(Navigator::open(&map, &path).is_err());
        assert!(is_built(&map, usual, &path) && !is_built(&map, usual, &path));
    }
    assert_eq!(folder.files(), 1, "nothing else is left behind");
}

#[test]
fn ground_with_weights_is_cached_as_well() {
    let folder = Folder::new("weights");
    let path = folder.0.join("arena.sfdb");
    let weights = crate::space::CellWeights::from_fn(6, 3, |cell| 1 + cell.x as u8).unwrap();
    let map = Map::from_art(ART).unwrap().with_weights(weights).unwrap();
    let usual = BeaconConfig::default();
    assert!(is_built(&map, usual, &path) && !is_built(&map, usual, &path));
    assert!(is_built(&map, usual.with_bound(99), &path));
}

#[test]
fn what_the_system_refuses_is_an_error() {
    let folder = Folder::new("refused");
    let map = Map::from_art(ART).unwrap();
    let missing = folder.0.join("missing");
    let message = map.navigator_cached(missing.join("arena.sfdb")).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: ", missing.display())), "{message}");
    let nav = map.navigator().unwrap();
    assert!(nav.save(missing.join("arena.sfdb")).is_err());
    for result in [nav.save(&folder.0), map.navigator_cached(&folder.0).map(drop)] {
        assert!(matches!(result, Err(NavigatorError::Io { path, .. }) if path == folder.0));
    }
    assert!(matches!(Navigator::open(&map, missing), Err(NavigatorError::Io { .. })));
    assert_eq!(folder.files(), 0);
}

#[test]
fn an_edited_navigator_is_saved_as_it_is_now() {
    let folder = Folder::new("edited");
    let path = folder.0.join("arena.sfdb");
    let map = Map::from_art(ART).unwrap();
    let mut nav = map.navigator().unwrap();
    nav.save(&path).unwrap();
    nav.edit([Edit::block((0, 1)), Edit::free((2, 1))]).unwrap();
    assert!(Navigator::open(nav.map(), &path).is_err());
    nav.save(&path).unwrap();
    let opened = Navigator::open(nav.map(), &path).unwrap();
    assert_eq!(opened.path((0, 0), (0, 2)).unwrap(), nav.path((0, 0), (0, 2)).unwrap());
    assert!(Navigator::open(&map, &path).is_err());
}

/// What is no navigator's file is somebody's.
#[test]
fn a_cache_never_replaces_what_is_something_else() {
    let folder = std::env::temp_dir().join(std::format!("surefoot-foreign-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (map, path) = (Map::from_art("...\n.#.\n...").unwrap(), folder.join("arena.map"));
    let newer = {
        let mut bytes = map.navigator().unwrap().to_bytes().unwrap();
        bytes[8] = 99;
        bytes
    };
    let other = Container::write("records", &BuiltFor::of(map.space()), &[]);
    for bytes in [b"type octile".to_vec(), other, newer, b"sfpart\r\n...".to_vec()] {
        std::fs::write(&path, &bytes).unwrap();
        let error = map.navigator_cached(&path).unwrap_err().to_string();
        assert!(error.ends_with("it was left as it is: name another file"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
